use bristle_analysis::{*, boundary::*, branch::*, map::*, hopf::hopf, problems::{Belt, belt}, steady::*};
#[test]
fn tmp() {
  for b in [Belt::two_state(), Belt::lugre()] {
    let p = b.with(&[(belt::V_B, 1e-5)]);
    let t = std::time::Instant::now();
    let br = branch(&b, &p, &b.sliding(&p), Range { parameter: belt::V_B, from: 1e-5, to: 6.0 }, Pace::default()).unwrap();
    println!("{} points {:?} {:?}", br.points.len(), br.end, t.elapsed());
    for s in &br.special {
        match &s.kind {
            Kind::Hopf(h) => println!("hopf {} {} {} {} {}", s.steady.p[2], h.omega, h.l1, h.curvature[0], h.verdict),
            k => println!("{k:?} {}", s.steady.p[2]),
        }
    }
    let h = br.hopfs().last().unwrap();
    let t = std::time::Instant::now();
    let bd = boundary(&b, h, [Range{parameter: belt::C1, from: 0.05, to: 20.0}, Range{parameter: belt::V_B, from: 0.005, to: 5.0}], Pace::default()).unwrap();
    println!("{} {:?} {:?}", bd.points.len(), bd.ends, t.elapsed());
    println!("{:?} {:?}", bd.points[0].at, bd.points.last().unwrap().at);
    for g in bd.generalised { println!("{:?} {} {}", g.at, g.omega, g.l1); }
    let p = b.with(&[]);
    for _ in 0..2 {
    let t = std::time::Instant::now();
    let m = map(&b, &p, &b.sliding(&b.with(&[(belt::V_B, 0.02), (belt::C1,0.05)])), Axis::linear(belt::C1, 0.05, 5.0, 200), Axis::linear(belt::V_B, 0.02, 5.0, 200)).unwrap();
    println!("{} {:?} {}", m.stable_cells(), t.elapsed(), m.stable.iter().filter(|s| s.is_none()).count());
    }
  }
}
