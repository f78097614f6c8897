//! Trains of gears with losses that rest under brakes begin to turn when they must.
//!
//! At the verge of turning in a direction each brake rubs against it with all it has, and each gear takes in what it must for what it
//! lets out, `s τ_in = ψ(s τ')`. From the last rotor of a train to the first the torque that is still needed follows by itself; the
//! train turns once the first rotor needs none:
//!
//! ```text
//! d_n = L_n − P_n,   d_k = L_k − P_k + ψ(d_{k+1}/i)   or   L_k − P_k − i ψ⁻¹(−d_{k+1}) where the gear is built in the other way round
//! ```
//!
//! with brakes `L` and torques `P` in the direction of the motion. This knows nothing of loops, splits or cuts.

use crate::every_slip::{METHODS, Wave, first_positive, shortest};
use crate::mechanisms::{law, part};
use crate::random::Random;
use bristle_core::Mode;
use bristle_law::LawKind;
use bristle_mech::{PartKind, Spec, System};
use bristle_solve::{Method, Output, Solver};

/// A gear towards the next rotor.
#[derive(Debug)]
struct Teeth {
    /// How fast the next rotor turns, where the rotor before turns at one.
    speed: f64,
    efficiency: [f64; 2],
    bearing: [f64; 2],
    /// Whether the next rotor is the gear's first.
    is_reversed: bool,
}

impl Teeth {
    fn taken_in(&self, out: f64) -> f64 {
        let ([drives, driven], [first, second]) = (self.efficiency, self.bearing);
        if out >= -first {
            (out + first) / drives
        } else if out <= -second {
            driven * (out + second)
        } else {
            0.0
        }
    }

    /// What comes out where so much goes in; both ways alike.
    fn out_of(&self, input: f64) -> f64 {
        let factor = if input >= 0.0 { 1.0 / self.efficiency[0] } else { self.efficiency[1] };
        input / factor - self.bearing[0]
    }

    /// What the rotor before must give where the next needs so much.
    fn needs(&self, next: f64) -> f64 {
        let ratio = self.speed.abs();
        if self.is_reversed { -self.out_of(-next) * ratio } else { self.taken_in(next * ratio) }
    }
}

#[derive(Debug)]
struct Train {
    parts: Vec<(String, Spec)>,
    teeth: Vec<Teeth>,
    brakes: Vec<f64>,
    /// On which rotor, and its course.
    pushes: Vec<(usize, Wave)>,
    finest: f64,
}

impl Train {
    fn random(r: &mut Random, end: f64) -> Train {
        let count = 2 + r.below(3);
        let mut train = Train {
            parts: Vec::new(),
            teeth: Vec::new(),
            brakes: Vec::new(),
            pushes: Vec::new(),
            finest: end,
        };
        let mut speed = 1.0_f64;
        for i in 0..count {
            train.parts.push((format!("r{i}"), part(PartKind::Rotor, &[("inertia", r.decade(0.1, 3.0))])));
            if i > 0 {
                let is_reversed = r.unit() < 0.3;
                let efficiency = [r.between(0.4, 1.0), r.between(0.2, 1.0)];
                let bearing = if r.unit() < 0.5 { 0.0 } else { r.decade(0.01, 0.3) };
                let more = if is_reversed || r.unit() < 0.6 { 1.0 } else { r.between(1.0, 3.0) };
                let teeth = Teeth {
                    speed: r.decade(0.3, 3.0) * *r.of(&[1.0, -1.0]),
                    efficiency,
                    bearing: [bearing, bearing * more],
                    is_reversed,
                };
                let (a, b) = (format!("r{}", i - 1), format!("r{i}"));
                let (names, ratio) =
                    if is_reversed { ([&b, &a], teeth.speed) } else { ([&a, &b], 1.0 / teeth.speed) };
                let numbers = [
                    ("ratio", ratio),
                    ("efficiency", efficiency[0]),
                    ("back_efficiency", efficiency[1]),
                    ("bearing", teeth.bearing[0]),
                    ("back_bearing", teeth.bearing[1]),
                ];
                train.parts.push((
                    format!("g{i}"),
                    part(PartKind::Gear, &numbers).naming("between", &names.map(String::as_str)),
                ));
                speed *= teeth.speed.abs();
                train.teeth.push(teeth);
            }
            let brake = if r.unit() < 0.6 { r.decade(0.1, 1.0) / speed } else { 0.0 };
            if brake > 0.0 {
                let law = law(LawKind::Coulomb, &[("mu_s", brake), ("mu_d", brake * *r.of(&[0.6, 1.0]))]);
                let contact = part(PartKind::Contact, &[("radius", 1.0)]);
                let contact = contact.naming("between", &[&format!("r{i}"), "ground"]).holding("law", law);
                train.parts.push((format!("b{i}"), contact));
            }
            train.brakes.push(brake);
            if i == 0 || r.unit() < 0.4 {
                let peak = r.decade(0.5, 4.0) / speed;
                let wave = Wave::random(r, end, peak);
                let torque = part(PartKind::Torque, &[]).naming("on", &[&format!("r{i}")]);
                train.parts.push((format!("t{i}"), torque.holding("value", wave.spec())));
                train.finest = train.finest.min(shortest(&wave));
                train.pushes.push((i, wave));
            }
        }
        train
    }

    /// By how much the first rotor is driven more than it needs, one way or the other.
    fn excess(&self, t: f64) -> f64 {
        let one_way = |way: f64| {
            let mut need = 0.0;
            let mut scale = 1e-9;
            for i in (0..self.brakes.len()).rev() {
                if i + 1 < self.brakes.len() {
                    need = self.teeth[i].needs(need);
                    scale *= self.teeth[i].speed.abs();
                }
                let sign: f64 = self.teeth[..i].iter().map(|teeth| teeth.speed.signum()).product();
                let push: f64 =
                    self.pushes.iter().filter(|(on, _)| *on == i).map(|(_, wave)| wave.value(t)).sum();
                need += self.brakes[i] - push * sign * way;
                scale += self.brakes[i] + push.abs();
            }
            -need / scale
        };
        one_way(1.0).max(one_way(-1.0))
    }

    fn knots(&self, end: f64) -> Vec<f64> {
        let mut knots: Vec<f64> = self.pushes.iter().flat_map(|(_, wave)| wave.knots(end)).collect();
        knots.extend((0..400).map(|i| end * f64::from(i) / 400.0));
        knots.sort_by(f64::total_cmp);
        knots.dedup();
        knots
    }
}

/// When a train turns for the first time.
fn first_turn(system: &System, method: Method, rtol: f64, end: f64) -> Result<Option<f64>, String> {
    let solver = Solver { method, rtol, atol: rtol, ..Solver::default() };
    let rests = |mode: &[Mode]| mode.iter().all(|mode| *mode == Mode::Stick);
    let mut watch = |_: f64, _: &[f64], mode: &[Mode]| rests(mode);
    let run = system.run(&solver, end, &Output::Ends, &mut watch).map_err(|e| e.to_string())?;
    let at_once = (!rests(run.samples.modes(0))).then_some(0.0);
    Ok(at_once.or_else(|| run.events.iter().find(|e| !rests(&e.after.mode)).map(|e| e.t)))
}

#[test]
fn trains_with_losses_turn_when_they_must() {
    let (count, mut r, mut wrong, mut turns) = (120_usize, Random(5), Vec::new(), 0);
    for case in 0..count {
        let end = r.decade(0.1, 1e4);
        let train = Train::random(&mut r, end);
        let system = System::assemble(&train.parts).unwrap();
        let (method, rtol) = (*r.of(&METHODS), r.decade(1e-10, 1e-3));
        let knots = train.knots(end);
        let expected = first_positive(&knots, 0.2, |t| train.excess(t));
        turns += usize::from(expected.is_some());
        let found = first_turn(&system, method, rtol, end);
        let is_right = match (&found, expected) {
            (Ok(None), None) => true,
            (Ok(Some(found)), Some(expected)) => {
                (found - expected).abs() <= 1e-6 * train.finest.min(end) + 1e-12 * end
            }
            _ => false,
        };
        if !is_right {
            wrong.push(format!(
                "case {case}, {method:?} at {rtol:.1e}: {found:?} instead of {expected:?} of {end:e} s; {:?}, {:?}, {:?}",
                train.teeth, train.brakes, train.pushes
            ));
        }
    }
    println!("{count} cases, {turns} turn");
    assert!(wrong.is_empty(), "{} of {count} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(turns * 3 > count && turns < count, "{turns} of {count} turn");
}
