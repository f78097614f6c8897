//! Code of the processor gives the bits of the interpreter.

use crate::catalogue::{Case, Library, Rng};
use crate::values::is_same;
use bristle_core::Scalar;
use bristle_law::LawKind;
use bristle_tape::{Program, Recording, record};

/// A program for the interpreter and the same one compiled.
fn both(program: Program) -> [Program; 2] {
    let compiled = program.clone();
    assert!(compiled.compile());
    [program, compiled]
}

/// Outputs of a law with all their slopes.
fn with_slopes(mut recording: Recording) -> [Program; 2] {
    let (outputs, variables) = (recording.outputs().to_vec(), recording.variables().to_vec());
    let slopes = recording.derivatives(&outputs, &variables).terms;
    both(recording.program(&[outputs, slopes].concat()).unwrap())
}

#[test]
fn every_law_and_its_slopes_keep_their_bits() {
    let (mut points, mut recordings) = (0, 0);
    for &kind in LawKind::ALL {
        let mut rng = Rng::new(11);
        for case in &Case::all_of(kind) {
            let mut library = Library::new();
            for _ in 0..4 {
                let mut p = rng.numbers(kind);
                while kind.build(&p, &case.choices).fault().is_some() {
                    p = rng.numbers(kind);
                }
                let x = rng.variables(case, &p, 1e-12);
                let [plain, compiled] = library.entry(case, &x, &p, with_slopes);
                let mut rooms = [plain.room(&p), compiled.room(&p)];
                let mut found = [vec![0.0; plain.outputs()], vec![0.0; plain.outputs()]];
                for _ in 0..20 {
                    let x = rng.variables(case, &p, 1e-12);
                    plain.run(&mut rooms[0], &x, &mut found[0]);
                    compiled.run(&mut rooms[1], &x, &mut found[1]);
                    let [a, b] = &found;
                    let differs = (0..a.len()).find(|i| !is_same(a[*i], b[*i]));
                    assert!(differs.is_none(), "{case:?} at {x:?}, {p:?}: {differs:?} of {a:?}, {b:?}");
                    points += 1;
                }
            }
            recordings += library.entries.len();
        }
    }
    println!("{points} points, {recordings} recordings");
    assert!(points > 10_000);
}

/// All functions, with arguments from nothing to what is no number.
#[test]
fn every_function_keeps_its_bits_at_its_limits() {
    let terms = |x: &[bristle_tape::Symbol], p: &[bristle_tape::Symbol]| {
        let (a, b) = (x[0], x[1]);
        let each = [-a, a.abs(), a.sign(), a.sqrt(), a.exp(), a.ln(), a.sin(), a.cos(), a.tanh(), a.atan()];
        let two =
            [a.asinh(), a.floor(), (-a).exp(), a + b, a - b, a * b, a / b, a.max(b), a.min(b), a.pow(b)];
        let pairs = [(a + b) * p[0], p[0] - a * b, p[0] / (a - b), (a / b) + p[0], a * b - p[0]];
        let chosen = [
            bristle_tape::Symbol::choose(a.lt(b), || (a * b).exp().sin(), || (a - b).tanh().cos()),
            bristle_tape::Symbol::select(b.lt(p[0]), a, b),
        ];
        [&each[..], &two, &pairs, &chosen].concat()
    };
    let recording = record(&[0.3, 0.7], &[1.5], terms).unwrap();
    let [plain, compiled] = both(recording.program(recording.outputs()).unwrap());
    let values = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        3.7,
        5e-324,
        -5e-324,
        1e-300,
        709.5,
        -745.0,
        1e300,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    for p in [1.5, -0.0, f64::INFINITY] {
        let mut rooms = [plain.room(&[p]), compiled.room(&[p])];
        for a in values {
            for b in values {
                let mut found = [vec![0.0; plain.outputs()], vec![0.0; plain.outputs()]];
                plain.run(&mut rooms[0], &[a, b], &mut found[0]);
                compiled.run(&mut rooms[1], &[a, b], &mut found[1]);
                for (i, (x, y)) in found[0].iter().zip(&found[1]).enumerate() {
                    assert!(is_same(*x, *y), "term {i} of {a}, {b}, {p}: {x} and {y}");
                }
            }
        }
    }
}

/// A program that runs long enough is compiled on the way, whoever runs it, and nobody notices.
#[test]
fn long_runs_earn_their_code() {
    let terms = |x: &[bristle_tape::Symbol], p: &[bristle_tape::Symbol]| vec![(x[0] * p[0]).sin() + x[0]];
    let recording = record(&[1.0], &[2.0], terms).unwrap();
    let program = recording.program(recording.outputs()).unwrap();
    for round in 0..5 {
        let mut room = program.room(&[f64::from(round)]);
        for i in 0..2000 {
            let x = f64::from(i) * 0.01;
            let mut y = [0.0];
            program.run(&mut room, &[x], &mut y);
            assert_eq!(y[0].to_bits(), ((x * f64::from(round)).sin() + x).to_bits());
        }
    }
}
