//! Blocks of lanes.

use crate::catalogue::{Case, Rng};
use bristle_law::LawKind;

/// Lanes give the numbers of single runs but for the last digits of `exp`, `ln` and `tanh`, whoever their neighbours are.
#[test]
fn every_law_gives_in_lanes_what_it_gives_alone() {
    const K: usize = 2;
    for &kind in LawKind::ALL {
        for case in Case::all_of(kind).iter().take(4) {
            let mut rng = Rng::new(17);
            let p = rng.usual_numbers(kind);
            let recording = case.record(&rng.variables(case, &p, 1e-3), &p).unwrap();
            let program = recording.program(recording.outputs()).unwrap();
            let points: Vec<Vec<f64>> = (0..8 * K).map(|_| rng.variables(case, &p, 1e-3)).collect();
            let mut block = program.block::<K>();
            let lifted: Vec<[[f64; 8]; K]> = p.iter().map(|p| [[*p; 8]; K]).collect();
            program.set_block_parameters(&mut block, &lifted);
            let run = |block: &mut bristle_tape::Block<K>, points: &[Vec<f64>]| {
                let at =
                    |i: usize| std::array::from_fn(|k| std::array::from_fn(|lane| points[8 * k + lane][i]));
                let x: Vec<[[f64; 8]; K]> = (0..case.variables()).map(at).collect();
                let mut y = vec![[[0.0; 8]; K]; program.outputs()];
                program.run_block(block, &x, &mut y);
                y
            };
            let together = run(&mut block, &points);
            for (lane, x) in points.iter().enumerate() {
                let mut alone = vec![0.0; program.outputs()];
                program.run(&mut program.room(&p), x, &mut alone);
                let same = run(&mut block, &vec![x.clone(); 8 * K]);
                for i in 0..alone.len() {
                    let y = together[i][lane / 8][lane % 8];
                    assert_eq!(
                        y.to_bits(),
                        same[i][0][0].to_bits(),
                        "{case:?}: y[{i}] at {x:?} with neighbours"
                    );
                    let size = alone.iter().fold(1e-3, |size: f64, y| size.max(y.abs()));
                    assert!((y - alone[i]).abs() <= 1e-12 * size, "{case:?}: y[{i}] = {y}, not {}", alone[i]);
                }
            }
        }
    }
}
