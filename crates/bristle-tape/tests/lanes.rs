//! Blocks of lanes.

use crate::catalogue::{Case, Rng};
use bristle_core::Lanes;
use bristle_law::LawKind;

/// Lanes give the numbers of single runs but for the last digits of `exp`, `ln` and `tanh`, whoever their neighbours are.
#[test]
fn every_law_gives_in_lanes_what_it_gives_alone() {
    const N: usize = 16;
    for &kind in LawKind::ALL {
        for case in Case::all_of(kind).iter().take(4) {
            let mut rng = Rng::new(17);
            let p = rng.usual_numbers(kind);
            let recording = case.record(&rng.variables(case, &p, 1e-3), &p).unwrap();
            let program = recording.program(recording.outputs()).unwrap();
            let points: Vec<Vec<f64>> = (0..N).map(|_| rng.variables(case, &p, 1e-3)).collect();
            let mut block = program.block::<N>();
            let lifted: Vec<Lanes<N>> = p.iter().map(|p| Lanes::splat(*p)).collect();
            program.set_block_parameters(&mut block, &lifted);
            let run = |block: &mut bristle_tape::LaneBlock<N>, points: &[Vec<f64>]| {
                let at = |i: usize| Lanes(std::array::from_fn(|lane| points[lane][i]));
                let x: Vec<Lanes<N>> = (0..case.variables()).map(at).collect();
                program.set_block(block, 0, &x);
                program.run_block(block);
                (0..program.outputs()).map(|i| *program.block_result(block, i)).collect::<Vec<_>>()
            };
            let together = run(&mut block, &points);
            for (lane, x) in points.iter().enumerate() {
                let mut alone = vec![0.0; program.outputs()];
                program.run(&mut program.room(&p), x, &mut alone);
                let same = run(&mut block, &vec![x.clone(); N]);
                for i in 0..alone.len() {
                    let y = together[i].0[lane];
                    assert_eq!(
                        y.to_bits(),
                        same[i].0[0].to_bits(),
                        "{case:?}: y[{i}] at {x:?} with neighbours"
                    );
                    let size = alone.iter().fold(1e-3, |size: f64, y| size.max(y.abs()));
                    assert!((y - alone[i]).abs() <= 1e-12 * size, "{case:?}: y[{i}] = {y}, not {}", alone[i]);
                }
            }
        }
    }
}
