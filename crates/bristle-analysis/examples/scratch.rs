use bristle_analysis::{attractor::*, section::*, shooting::*, sweep::*, problems::{Belt, belt}};
fn main() {
    for b in [Belt::two_state(), Belt::lugre()] {
        let p = b.with(&[(belt::V_B, 3.0)]);
        let mut start = b.sliding(&p); start[1] = 3.0;
        let map = ReturnMap::new(&b, &p, &start, Section::falling(1, 0.0), Shooting::rough()).unwrap();
        let rest = b.sliding(&p);
        let mut small = rest.clone(); small[0] += 0.01;
        let mut large = rest.clone(); large[0] += 0.6;
        let s = Sweep { parameter: belt::V_B, values: (0..15).map(|i| 2.75+0.25*i as f64).collect(), starts: vec![large, small], up: true, down: false,
          patience: Patience { transient: 100, window: 32, lyapunov: 50, ..Patience::default() }, orbits: vec![] };
        let t = std::time::Instant::now();
        let r = sweep(&map, &p, &s, &[], &|c| { println!("{} {:?} {:?} {} {:?}", c.value, c.origin, c.attractor.fate, c.attractor.mean_return, t.elapsed()); true }).unwrap();
        println!("{:?} {:?} {}", t.elapsed(), r.bistable(), r.is_complete);
    }
}
