//! Derivatives of recordings against dual numbers.

use crate::catalogue::{Case, Library, Rng};
use crate::hyper::Hyper;
use crate::rounding::Rounding;
use bristle_core::{Dual, Scalar, derivative, partial, seed};
use bristle_law::LawKind;
use bristle_tape::{Derivatives, Node, Pattern, Program, Recording, record};

/// Room for slip rate, load, holding force, states and parameters.
const N: usize = 24;

/// Derivatives of some order, with a program for them.
struct Table {
    recording: Recording,
    terms: Vec<Node>,
    /// Of first order.
    pattern: Pattern,
    /// Of the terms of first order.
    second: Pattern,
    program: Program,
}

impl Table {
    /// All derivatives of first order.
    fn first(mut recording: Recording) -> Table {
        let inputs = [recording.variables(), recording.parameters()].concat();
        let outputs = recording.outputs().to_vec();
        let Derivatives { pattern, terms } = recording.derivatives(&outputs, &inputs);
        let program = recording.program(&terms).unwrap();
        Table { recording, terms, pattern, second: Pattern::default(), program }
    }

    /// All derivatives of second order.
    fn second(recording: Recording) -> Table {
        let Table { mut recording, terms, pattern, .. } = Table::first(recording);
        let inputs = [recording.variables(), recording.parameters()].concat();
        let second = recording.derivatives(&terms, &inputs);
        let program = recording.program(&second.terms).unwrap();
        Table { recording, terms: second.terms, pattern, second: second.pattern, program }
    }

    /// The values of all terms, and what in them can be rounding.
    fn at(&self, x: &[f64], p: &[f64]) -> Vec<(f64, f64)> {
        let mut values = vec![0.0; self.program.outputs()];
        self.program.run(&mut self.program.room(p), x, &mut values);
        let mut rounding = Rounding::new(&self.recording.graph, x, p);
        values.into_iter().zip(&self.terms).map(|(value, term)| (value, rounding.of(*term).1)).collect()
    }
}

/// Inputs that differ from these in their last digits: dual numbers, which divide by multiplying with an inverse, may end on
/// the other side of a kink.
fn neighbours(inputs: &[f64]) -> Vec<Vec<f64>> {
    let mut rng = Rng::new(23);
    let mut moved = || inputs.iter().map(|x| x * (1.0 + 1e-15 * (rng.unit() - 0.5))).collect();
    (0..4).map(|_| moved()).collect()
}

/// Whether two numbers differ by rounding only.
fn is_close((found, error): (f64, f64), expected: f64, nearby: impl Iterator<Item = f64>) -> bool {
    let spread = nearby.map(|near| (near - expected).abs()).fold(0.0, f64::max);
    // Below 1e-300 digits are lost to underflow.
    (found - expected).abs() <= 4.0 * error + 4.0 * spread + 1e-14 * expected.abs() + 1e-300
}

#[test]
fn first_derivatives_of_every_law_are_those_of_dual_numbers() {
    for &kind in LawKind::ALL {
        let cases = Case::all_of(kind);
        let mut rng = Rng::new(11);
        for case in &cases {
            let mut library = Library::new();
            for _ in 0..(300 / cases.len()).max(2) {
                let p = rng.usual_numbers(kind);
                if kind.build(&p, &case.choices).fault().is_some() {
                    continue;
                }
                let x = rng.variables(case, &p, 1e-6);
                let table = library.entry(case, &x, &p, Table::first);
                let slopes = table.at(&x, &p);
                let inputs = [x.as_slice(), &p].concat();
                assert!(inputs.len() <= N);
                let differentiated = |inputs: &[f64]| {
                    let duals: Vec<Dual<N>> = inputs.iter().enumerate().map(|(i, x)| seed(*x, i)).collect();
                    case.equations(&duals[..x.len()], &duals[x.len()..])
                };
                let expected = differentiated(&inputs);
                let nearby: Vec<_> =
                    neighbours(&inputs).iter().map(|inputs| differentiated(inputs)).collect();
                for (i, j) in (0..expected.len()).flat_map(|i| (0..inputs.len()).map(move |j| (i, j))) {
                    let found = table.pattern.place(i, j).map_or((0.0, 0.0), |place| slopes[place]);
                    let expected = partial(&expected[i], j);
                    assert!(found.0.is_finite(), "{case:?}: dy[{i}]/d[{j}] = {found:?} at {x:?}, {p:?}");
                    assert!(
                        is_close(found, expected, nearby.iter().map(|near| partial(&near[i], j))),
                        "{case:?}: dy[{i}]/d[{j}] = {found:?}, not {expected:e}, at {x:?}, {p:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn second_derivatives_of_every_law_are_those_of_nested_dual_numbers() {
    for &kind in LawKind::ALL {
        let cases = Case::all_of(kind);
        let mut rng = Rng::new(13);
        // The cases differ in modes only: a few stand for many.
        for case in cases.iter().step_by(cases.len().div_ceil(12)) {
            let mut library = Library::new();
            for _ in 0..4 {
                let p = rng.usual_numbers(kind);
                if kind.build(&p, &case.choices).fault().is_some() {
                    continue;
                }
                let x = rng.variables(case, &p, 1e-3);
                let table = library.entry(case, &x, &p, Table::second);
                let curvatures = table.at(&x, &p);
                let inputs = [x.as_slice(), &p].concat();
                let (count, others) = (inputs.len(), neighbours(&inputs));
                for (j, k) in (0..count).flat_map(|j| (0..count).map(move |k| (j, k))) {
                    let differentiated = |inputs: &[f64]| {
                        let seed = |i: usize| Hyper::seed(inputs[i], i == j, i == k);
                        let seeded: Vec<Hyper> = (0..count).map(seed).collect();
                        case.equations(&seeded[..x.len()], &seeded[x.len()..])
                    };
                    let expected = differentiated(&inputs);
                    let nearby: Vec<_> = others.iter().map(|inputs| differentiated(inputs)).collect();
                    for (i, expected) in expected.iter().enumerate() {
                        let place = table.pattern.place(i, j).and_then(|row| table.second.place(row, k));
                        let found = place.map_or((0.0, 0.0), |place| curvatures[place]);
                        // What the nested numbers round where the graph knows a derivative to be zero.
                        let least = 1e-15 * (expected.value / (inputs[j] * inputs[k])).abs();
                        let found = (found.0, found.1 + if least.is_finite() { least } else { 0.0 });
                        assert!(
                            is_close(found, expected.ab, nearby.iter().map(|near| near[i].ab)),
                            "{case:?}: d2y[{i}]/d[{j}]d[{k}] = {found:?}, not {:e}, at {x:?}, {p:?}",
                            expected.ab
                        );
                    }
                }
            }
        }
    }
}

/// In slip rate, load, holding force and states, of which normal forms need them.
#[test]
fn third_derivatives_of_every_law_are_those_of_dual_numbers_nested_twice() {
    type Nested = Dual<1, Dual<1, Dual<1>>>;
    let number = |value: f64, [a, b, c]: [bool; 3]| {
        let part = |is_seeded: bool| f64::from(u8::from(is_seeded));
        let first: Dual<1> = derivative(value, [part(a)]);
        let second = Dual::<1, Dual<1>> { re: first, eps: [part(b).into()] };
        Nested { re: second, eps: [part(c).into()] }
    };
    for &kind in LawKind::ALL {
        let cases = Case::all_of(kind);
        let mut rng = Rng::new(29);
        for case in cases.iter().step_by(cases.len().div_ceil(6)) {
            let mut library = Library::new();
            for _ in 0..4 {
                let p = rng.usual_numbers(kind);
                if kind.build(&p, &case.choices).fault().is_some() {
                    continue;
                }
                let x = rng.variables(case, &p, 1e-3);
                let (table, patterns) = library.entry(case, &x, &p, third);
                let (found, others, count) = (table.at(&x, &p), neighbours(&x), x.len());
                let all = (0..count).flat_map(|i| (0..=i).flat_map(move |j| (0..=j).map(move |k| [i, j, k])));
                for [a, b, c] in all {
                    let differentiated = |x: &[f64]| -> Vec<Nested> {
                        let seeded = x.iter().enumerate().map(|(i, x)| number(*x, [i == a, i == b, i == c]));
                        let p: Vec<Nested> = p.iter().map(|p| number(*p, [false; 3])).collect();
                        case.equations(&seeded.collect::<Vec<_>>(), &p)
                    };
                    let expected = differentiated(&x);
                    let nearby: Vec<_> = others.iter().map(|x| differentiated(x)).collect();
                    for (i, expected) in expected.iter().enumerate() {
                        let place = patterns.iter().zip([a, b, c]).try_fold(i, |row, (p, k)| p.place(row, k));
                        let found = place.map_or((0.0, 0.0), |place| found[place]);
                        let value = |y: &Nested| y.eps[0].eps[0].eps[0];
                        // What the nested numbers round where the graph knows a derivative to be zero.
                        let least = 1e-15 * (expected.value() / (x[a] * x[b] * x[c])).abs();
                        let found = (found.0, found.1 + if least.is_finite() { least } else { 0.0 });
                        assert!(
                            is_close(found, value(expected), nearby.iter().map(|near| value(&near[i]))),
                            "{case:?}: d3y[{i}]/d[{a}]d[{b}]d[{c}] = {found:?}, not {:e}, at {x:?}, {p:?}",
                            value(expected)
                        );
                    }
                }
            }
        }
    }
}

/// All derivatives of third order in the variables, with the patterns of the three orders.
fn third(mut recording: Recording) -> (Table, [Pattern; 3]) {
    let (inputs, outputs) = (recording.variables().to_vec(), recording.outputs().to_vec());
    let first = recording.derivatives(&outputs, &inputs);
    let second = recording.derivatives(&first.terms, &inputs);
    let Derivatives { pattern, terms } = recording.derivatives(&second.terms, &inputs);
    let program = recording.program(&terms).unwrap();
    let table = Table { recording, terms, pattern: Pattern::default(), second: Pattern::default(), program };
    (table, [first.pattern, second.pattern, pattern])
}

/// The force of an open branch must not reach the derivative, even where its slope is infinite.
#[test]
fn a_branch_that_is_not_taken_leaves_no_trace() {
    fn length<S: Scalar>(x: &[S]) -> S {
        let square = x.iter().fold(S::zero(), |sum, x| sum + *x * *x);
        S::select(S::zero().lt(square), square.sqrt(), S::zero()) + x[0] * 2.0
    }
    for count in [2, 8] {
        let zero = vec![0.0; count];
        let recording = record(&zero, &[], |x, _| vec![length(x)]).unwrap();
        let Table { pattern, program, .. } = Table::first(recording);
        let mut slopes = vec![f64::NAN; program.outputs()];
        program.run(&mut program.room(&[]), &zero, &mut slopes);
        assert_eq!(pattern.entries.len(), count);
        assert_eq!(slopes[0], 2.0);
        assert!(slopes[1..].iter().all(|slope| *slope == 0.0), "{slopes:?}");
    }
}

/// One output of many inputs is differentiated from the output: the cost does not grow with the inputs.
#[test]
fn a_gradient_costs_a_few_times_its_function() {
    let x: Vec<f64> = (0..100).map(|i| 0.1 + 0.01 * f64::from(i)).collect();
    // A product of a hundred factors.
    let mut recording = record(&x, &[], |x, _| vec![x.iter().fold(x[0], |y, x| (y * *x).sin())]).unwrap();
    let (outputs, inputs) = (recording.outputs().to_vec(), recording.variables().to_vec());
    let slopes = recording.derivatives(&outputs, &inputs);
    assert_eq!(slopes.terms.len(), 100);
    assert!(recording.graph.operations(&slopes.terms) < 6 * recording.graph.operations(&outputs));
}

/// Weights that are sums of earlier weights, hundreds of them: each is treated once.
#[test]
fn sums_of_sums_with_branches_take_no_time() {
    let x: Vec<f64> = (0..8).map(|i| 0.1 * f64::from(i)).collect();
    let recording = record(&x, &[], |x, _| {
        let (mut a, mut b) = (x[0].max(x[1]) * x[2], x[3].abs() * x[4]);
        for i in 0..300 {
            (a, b) = (b * 0.5 + x[i % 8].max(x[(i + 3) % 8]), a + b * 0.25);
        }
        vec![a * b]
    });
    let table = Table::first(recording.unwrap());
    let expected: Vec<f64> = (0..8)
        .map(|j| {
            let duals: Vec<Dual<8>> = x.iter().enumerate().map(|(i, x)| seed(*x, i)).collect();
            let (mut a, mut b) =
                (Scalar::max(duals[0], duals[1]) * duals[2], Scalar::abs(duals[3]) * duals[4]);
            for i in 0..300 {
                (a, b) = (b * 0.5 + Scalar::max(duals[i % 8], duals[(i + 3) % 8]), a + b * 0.25);
            }
            partial(&(a * b), j)
        })
        .collect();
    for (j, (found, _)) in table.at(&x, &[]).iter().enumerate() {
        assert!((found - expected[j]).abs() <= 1e-12 * expected[j].abs(), "{j}: {found} not {}", expected[j]);
    }
}

#[test]
fn frozen_numbers_signs_and_kinks_have_the_slopes_of_their_kind() {
    let equations = |x: &[bristle_tape::Symbol], _: &[bristle_tape::Symbol]| {
        vec![x[0].abs(), x[0].frozen() * x[0], x[0].sign(), x[0].max(x[1]), x[0] * 0.0]
    };
    let recording = record(&[0.0, 0.0], &[], equations).unwrap();
    let Table { pattern, program, .. } = Table::first(recording);
    assert_eq!(pattern.entries, [(0, 0), (1, 0), (3, 0), (3, 1)]);
    assert!(pattern.has(3, 1) && !pattern.has(2, 0));
    let mut slopes = [0.0; 4];
    program.run(&mut program.room(&[]), &[0.0, 0.0], &mut slopes);
    assert_eq!(slopes, [0.0, 0.0, 1.0, 0.0]);
    program.run(&mut program.room(&[]), &[-2.0, 3.0], &mut slopes);
    assert_eq!(slopes, [-1.0, -2.0, 0.0, 1.0]);
}

/// `ẏ = ∂y/∂x · d` with directions as inputs of their own.
#[test]
fn derivatives_along_a_direction_take_the_direction_as_input() {
    let mut recording = record(&[0.3, 0.4], &[], |x, _| vec![x[0] * x[1], x[1].exp(), x[0].sign()]).unwrap();
    let (states, outputs) = (recording.variables().to_vec(), recording.outputs().to_vec());
    let direction: Vec<_> = states.iter().map(|state| (*state, recording.add_variable())).collect();
    let along = recording.along(&outputs, &direction);
    assert!(along[2].is_none());
    let program = recording.program(&[along[0].unwrap(), along[1].unwrap()]).unwrap();
    let mut y = [0.0; 2];
    program.run(&mut program.room(&[]), &[0.3, 0.4, 2.0, -1.0], &mut y);
    assert_eq!(y, [2.0 * 0.4 - 0.3, -0.4_f64.exp()]);
}
