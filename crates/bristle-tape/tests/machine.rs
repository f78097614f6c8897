//! Machine code gives the bits of the interpreter.

use crate::catalogue::{Case, Library, Rng};
use bristle_law::LawKind;
use bristle_tape::Program;

/// Points for each law.
const POINTS: usize = 2_000;

/// Values and slopes of a law, interpreted and compiled.
struct Pair {
    interpreted: Program,
    compiled: Program,
}

#[test]
fn machine_code_of_every_law_gives_the_bits_of_the_interpreter() {
    for &kind in LawKind::ALL {
        let cases = Case::all_of(kind);
        let points = POINTS.div_ceil(cases.len()).max(40);
        for case in cases {
            let (mut library, mut rng) = (Library::new(), Rng::new(7));
            for _ in 0..points {
                let p = rng.numbers(kind);
                let x = rng.variables(&case, &p, 1e-12);
                let pair = library.entry(&case, &x, &p, |mut recording| {
                    let (values, states) = (recording.outputs().to_vec(), recording.variables().to_vec());
                    let slopes = recording.derivatives(&values, &states).terms;
                    let interpreted = recording.program(&[values, slopes].concat()).unwrap();
                    let compiled = interpreted.clone();
                    assert!(compiled.compile(), "{}", case.kind.card().name);
                    Pair { interpreted, compiled }
                });
                let [a, b] = [&pair.interpreted, &pair.compiled].map(|program| {
                    let mut y = vec![0.0; program.outputs()];
                    program.run(&mut program.room(&p), &x, &mut y);
                    y
                });
                for (i, (a, b)) in a.iter().zip(&b).enumerate() {
                    let is_same = a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
                    assert!(is_same, "{} result {i} at {x:?}, {p:?}: {a:e} and {b:e}", case.kind.card().name);
                }
            }
        }
    }
}

#[test]
fn a_program_becomes_machine_code_once_it_has_run_often() {
    let recording = bristle_tape::record(&[0.1, 0.0], &[9.81], |x, p| {
        use bristle_core::Scalar;
        vec![x[1], -p[0] * x[0].sin(), Scalar::exp(-x[0]) + x[1].tanh()]
    })
    .unwrap();
    let program = recording.program(recording.outputs()).unwrap();
    let mut room = program.room(&[9.81]);
    let mut y = [0.0; 3];
    for i in 0..50_000 {
        let x = [1e-4 * f64::from(i), 2.0 - 1e-4 * f64::from(i)];
        program.run(&mut room, &x, &mut y);
        let expected = [x[1], -9.81 * x[0].sin(), (-x[0]).exp() + x[1].tanh()];
        assert_eq!(y.map(f64::to_bits), expected.map(f64::to_bits), "run {i}");
    }
    assert!(program.is_compiled());
    // Whoever clones a program begins anew, and what was compiled goes with the last who holds it.
    assert!(!program.clone().is_compiled());
}
