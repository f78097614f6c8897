//! A program gives the bits of its equations.

use crate::catalogue::{Case, Library, Rng};
use bristle_core::Scalar;
use bristle_law::LawKind;
use bristle_tape::{Recording, RecordingError, Symbol, record};

/// How many points each law is tried at.
const POINTS: usize = 10_000;

pub fn is_same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

#[test]
fn every_law_in_every_mode_gives_the_bits_of_its_equations() {
    for &kind in LawKind::ALL {
        let cases = Case::all_of(kind);
        let mut rng = Rng::new(7);
        let (mut points, mut recordings) = (0, 0);
        for case in &cases {
            let mut library = Library::new();
            for _ in 0..POINTS.div_ceil(5 * cases.len()) {
                // Levels and velocities out of order are no law: drawn again.
                let mut p = rng.numbers(kind);
                while kind.build(&p, &case.choices).fault().is_some() {
                    p = rng.numbers(kind);
                }
                let x = rng.variables(case, &p, 1e-12);
                let make = |recording: Recording| recording.program(recording.outputs()).unwrap();
                let program = library.entry(case, &x, &p, make);
                let mut room = program.room(&p);
                let mut found = vec![0.0; program.outputs()];
                for _ in 0..5 {
                    let x = rng.variables(case, &p, 1e-12);
                    program.run(&mut room, &x, &mut found);
                    let plain = case.equations(&x, &p);
                    assert_eq!(found.len(), plain.len());
                    for i in 0..plain.len() {
                        assert!(
                            is_same(found[i], plain[i]),
                            "{case:?}: y[{i}] = {:e}, not {:e}, at {x:?}, {p:?}",
                            found[i],
                            plain[i]
                        );
                    }
                    points += 1;
                }
            }
            recordings += library.entries.len();
        }
        println!("{}: {points} points, {} cases, {recordings} recordings", kind.card().name, cases.len());
        assert!(points >= POINTS);
    }
}

#[test]
fn asking_for_the_value_of_a_term_makes_the_recording_fail_and_names_the_term() {
    let ask = |x: &[Symbol], p: &[Symbol]| {
        let product = x[0] * p[0];
        vec![if product.value() > 0.0 { product } else { -product }]
    };
    let error = record(&[1.0], &[2.0], ask).unwrap_err();
    assert_eq!(error, RecordingError::Value { term: "x[0] * p[0]".to_owned() });
    // The value of a constant is no secret.
    let constant = |x: &[Symbol], _: &[Symbol]| vec![x[0] * Symbol::from(2.0).squared().value()];
    assert!(record(&[1.0], &[], constant).is_ok());
}

#[test]
fn a_symbol_of_another_recording_is_found_out() {
    let mut kept = None;
    record(&[1.0], &[], |x, _| {
        kept = Some(x[0] * 2.0);
        vec![x[0]]
    })
    .unwrap();
    let kept = kept.unwrap();
    assert_eq!(record(&[1.0], &[], |x, _| vec![x[0] + kept]).unwrap_err(), RecordingError::Foreign);
    // Outside of any recording nothing happens.
    let stray = kept + 1.0;
    assert_eq!(record(&[1.0], &[], |_, _| vec![stray]).unwrap_err(), RecordingError::Foreign);
}

#[test]
fn one_recording_at_a_time_also_after_a_panic() {
    let inner = record(&[1.0], &[], |x, _| {
        assert_eq!(record(&[1.0], &[], |x, _| x.to_vec()).unwrap_err(), RecordingError::Nested);
        x.to_vec()
    });
    assert!(inner.is_ok());
    let panicking = std::panic::catch_unwind(|| record(&[1.0], &[], |_, _| panic!("on purpose")));
    assert!(panicking.is_err());
    assert!(record(&[1.0], &[], |x, _| x.to_vec()).is_ok());
}

/// A decision between different terms is kept as an assumption, and checked for other parameters.
#[test]
fn decisions_are_assumptions() {
    let equations = |x: &[Symbol], p: &[Symbol]| {
        let stiff = if Symbol::decide(Symbol::zero().lt(p[0])) { x[0] / p[0] } else { x[0] };
        vec![Symbol::choose(p[1].lt(Symbol::one()), || stiff.exp(), || stiff)]
    };
    let recording = record(&[0.5], &[2.0, 3.0], equations).unwrap();
    let assumptions = recording.assumptions().unwrap();
    assert_eq!(assumptions.formulas(), ["0.0 < p[0]", "not p[1] < 1.0"]);
    assert!(assumptions.hold(&[9.0], &[0.1, 1.0]) && !assumptions.depend_on_variables());
    assert_eq!(assumptions.first_broken(&[0.5], &[2.0, 0.5]), Some(1));
    assert_eq!(assumptions.first_broken(&[0.5], &[0.0, 0.5]), Some(0));
    assert_eq!(recording.graph.operations(recording.outputs()), 1);
}

#[test]
fn a_run_allocates_nothing() {
    let case = Case { kind: LawKind::Gms, choices: Vec::new(), modes: Vec::new() };
    let mut rng = Rng::new(3);
    let p = rng.usual_numbers(case.kind);
    let x = rng.variables(&case, &p, 1e-3);
    let recording = case.record(&x, &p).unwrap();
    let program = recording.program(recording.outputs()).unwrap();
    let (mut room, mut y) = (program.room(&p), vec![0.0; program.outputs()]);
    let counts = allocation_counter::measure(|| program.run(&mut room, &x, &mut y));
    assert_eq!(counts.count_total, 0);
}

/// More numbers at a time than a byte can name.
#[test]
fn large_programs_give_the_same_bits() {
    fn equations<S: Scalar>(x: &[S], p: &[S]) -> Vec<S> {
        let terms: Vec<S> = (0..400).map(|i| (x[i % 5] * (0.1 * i as f64) + p[i % 3]).sin()).collect();
        let sums = (0..400).map(|i| terms[i] * terms[399 - i] - terms[(7 * i) % 400]);
        sums.collect()
    }
    let (x, p) = ([0.1, 0.2, 0.3, -0.4, 5.0], [1.0, -2.0, 0.3]);
    let recording = record(&x, &p, equations).unwrap();
    let program = recording.program(recording.outputs()).unwrap();
    assert!(program.places() > 256);
    let mut y = vec![0.0; 400];
    program.run(&mut program.room(&p), &x, &mut y);
    assert_eq!(y, equations(&x, &p));
}
