//! Programs of large systems, whose terms are evaluated in groups.

use crate::values::is_same;
use bristle_core::Scalar;
use bristle_tape::record;

const COUNT: usize = 150;

/// A row of cells with every operation, coupled to their neighbours, and long sums over all of them.
fn equations<S: Scalar>(x: &[S], p: &[S]) -> Vec<S> {
    let mut out = Vec::new();
    let (mut sum, mut difference, mut squares) = (S::from(-0.0), x[0], S::zero());
    for i in 0..COUNT {
        let (left, here) = (x[(i + COUNT - 1) % COUNT], x[i]);
        let pull = (left - here) * p[i] + here.tanh() * 0.5;
        let stribeck = (-(here / p[0]).squared()).exp() + (here.abs() + 1e-3).sqrt();
        let choice = S::select(here.lt(left), stribeck, here.max(p[1]).min(left));
        out.push(pull / stribeck - choice.sin() + here.sign() * left.atan());
        out.push((here * here + 1.0).ln() + pull.cos());
        sum += pull * here;
        difference -= stribeck;
        squares += here * here * p[i];
    }
    out.extend([sum, difference, squares, squares * sum]);
    out
}

#[test]
fn groups_of_terms_give_the_bits_of_their_equations() {
    let p: Vec<f64> = (0..COUNT).map(|i| 0.3 + 0.01 * i as f64).collect();
    let start: Vec<f64> = (0..COUNT).map(|i| (i as f64).sin()).collect();
    let recording = record(&start, &p, equations).unwrap();
    let program = recording.program(recording.outputs()).unwrap();
    let mut room = program.room(&p);
    let mut found = vec![0.0; program.outputs()];
    for round in 0..60 {
        let mut x: Vec<f64> = (0..COUNT).map(|i| (1.3 * (i * (round + 1)) as f64).sin() * 2.0).collect();
        // Odd numbers go their way as well.
        x[round] = [0.0, -0.0, f64::INFINITY, f64::NAN, 5e-324, -1e300][round % 6];
        program.run(&mut room, &x, &mut found);
        for (i, (a, b)) in found.iter().zip(equations(&x, &p)).enumerate() {
            assert!(is_same(*a, b), "round {round}, result {i}: {a:e}, not {b:e}");
        }
    }
    let other: Vec<f64> = p.iter().map(|p| 2.0 * p + 0.1).collect();
    program.set_parameters(&mut room, &other);
    program.run(&mut room, &start, &mut found);
    let expected = equations(&start, &other);
    assert!(found.iter().zip(expected).all(|(a, b)| is_same(*a, b)));
}

#[test]
fn groups_of_derivatives_agree_with_dual_numbers_and_allocate_nothing() {
    let p: Vec<f64> = (0..COUNT).map(|i| 0.3 + 0.01 * i as f64).collect();
    let x: Vec<f64> = (0..COUNT).map(|i| (1.7 * i as f64).sin()).collect();
    let mut recording = record(&x, &p, equations).unwrap();
    let (outputs, inputs) = (recording.outputs().to_vec(), recording.variables().to_vec());
    let derivatives = recording.derivatives(&outputs, &inputs);
    let program = recording.program(&derivatives.terms).unwrap();
    let (mut room, mut found) = (program.room(&p), vec![0.0; program.outputs()]);
    program.run(&mut room, &x, &mut found);
    let parameters: Vec<bristle_core::Dual<1>> = p.iter().map(|p| (*p).into()).collect();
    for j in 0..COUNT {
        let seeded: Vec<bristle_core::Dual<1>> =
            (0..COUNT).map(|i| if i == j { bristle_core::seed(x[i], 0) } else { x[i].into() }).collect();
        for (i, rate) in equations(&seeded, &parameters).iter().enumerate() {
            let exact = bristle_core::partial(rate, 0);
            let place = derivatives.pattern.place(i, j);
            let entry = place.map_or(0.0, |k| found[k]);
            assert!((entry - exact).abs() <= 1e-12 * (1.0 + exact.abs()), "{i} {j}: {entry} {exact}");
        }
    }
    let counts = allocation_counter::measure(|| program.run(&mut room, &x, &mut found));
    assert_eq!(counts.count_total, 0);
}
