//! A law in somebody else's loop: a motor with friction, stepped at one kilohertz as a controller would.

#![allow(clippy::print_stdout)]

use bristle::law::Bristles;
use bristle::laws::LuGre;

fn main() {
    let (mass, load, h) = (2.0, 20.0, 1e-3);
    let mut contact = Bristles::new(LuGre { mu_s: 0.4, mu_d: 0.3, ..LuGre::default() });
    let (mut x, mut v) = (0.0, 0.0);
    let mut moved_at = None;
    for k in 0..4000 {
        let t = f64::from(k) * h;
        let force = 5.0 * t;
        let friction = contact.step(v, load, h);
        v += h * (force - friction) / mass;
        x += h * v;
        if moved_at.is_none() && v > 1e-2 {
            moved_at = Some(t);
        }
    }
    let moved_at = moved_at.map_or_else(|| "never".to_owned(), |t| format!("at {t:.3} s"));
    println!("breaks away {moved_at} (0.4 · 20 N are reached at 1.600 s) and is {x:.3} m on");
}
