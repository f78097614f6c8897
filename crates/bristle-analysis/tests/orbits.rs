use bristle_analysis::{*, cycles::*, branch::*, section::*, shooting::*, problems::{Belt, belt}};
#[test]
fn tmp_cycles() {
    for b in [Belt::two_state(), Belt::lugre()] {
        let p = b.with(&[(belt::V_B, 0.2)]);
        let mut start = b.sliding(&p); start[1] = 0.2;
        let map = ReturnMap::new(&b, &p, &start, Section::falling(1, 0.0), Shooting::default()).unwrap();
        let hits = map.hits(&p, &start, 10).unwrap();
        let o = map.orbit(&p, &hits[9].state, 1).unwrap();
        let t = std::time::Instant::now();
        let c = cycles(&map, &o, Range { parameter: belt::V_B, from: 0.2, to: 0.09 }, Pace::default()).unwrap();
        println!("{} {:?} {:?} flips {:?} folds {:?}", c.points.len(), c.end, t.elapsed(), c.at(OrbitKind::Flip), c.at(OrbitKind::Fold));
        let p = b.with(&[(belt::V_B, 3.0)]);
        let h = hopf_near(&b, &p, &b.sliding(&p), belt::V_B).unwrap();
        let t = std::time::Instant::now();
        let o = from_hopf(&map, &h, 0, 0.03).unwrap();
        println!("{} T {} {:?} {:?}", o.p[2], o.period, o.leading(), t.elapsed());
        let t = std::time::Instant::now();
        let c = cycles(&map, &o, Range { parameter: belt::V_B, from: 2.9, to: 6.2 }, Pace { max_step: 0.2, points: 400, ..Pace::default()}).unwrap();
        println!("{} {:?} {:?} flips {:?} folds {:?} bp {:?}", c.points.len(), c.end, t.elapsed(), c.at(OrbitKind::Flip), c.at(OrbitKind::Fold), c.at(OrbitKind::BranchPoint));
        println!("{:?}", c.points.iter().map(|o| (o.p[2], o.leading().re)).step_by(8).collect::<Vec<_>>());
    }
}
