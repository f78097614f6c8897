//! What every law of the catalogue must satisfy.

use crate::bench::Contact;
use bristle_core::{Card, Choice, Dual, Kind, Mode, Role, Scalar, StateRole, partial, seed, units};
use bristle_law::{At, LawKind};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::f64::consts::TAU;

/// Room for slip rate, load, states and parameters.
const N: usize = 22;

/// A number between the bounds, spread over decades where they are far apart.
fn spread(min: f64, max: f64) -> BoxedStrategy<f64> {
    if min > 0.0 && max / min > 1e3 {
        (min.ln()..=max.ln()).prop_map(move |x| x.exp().clamp(min, max)).boxed()
    } else if min == 0.0 && max > 1e3 {
        prop_oneof![1 => Just(0.0), 4 => (max.ln() - 30.0..=max.ln()).prop_map(f64::exp)].boxed()
    } else {
        (min..=max).boxed()
    }
}

/// Numbers drawn from the ranges of the card.
fn numbers(card: &Card) -> BoxedStrategy<Vec<f64>> {
    let ranges = card.numbers().map(|field| match field.kind {
        Kind::Number { min, max, .. } => spread(min, max),
        _ => unreachable!(),
    });
    ranges.collect::<Vec<_>>().boxed()
}

/// Numbers within a factor two of the defaults.
fn near_defaults(card: &Card) -> BoxedStrategy<Vec<f64>> {
    let ranges = card.numbers().map(|field| match field.kind {
        Kind::Number { default: Some(d), min, max, .. } => {
            (-1.0..1.0f64).prop_map(move |x| (d * x.exp2()).clamp(min, max)).boxed()
        }
        _ => unreachable!(),
    });
    ranges.collect::<Vec<_>>().boxed()
}

fn choices(card: &Card) -> BoxedStrategy<Vec<Choice>> {
    let each = card.choices().map(|field| match field.kind {
        Kind::Choice { options } => (0..u8::try_from(options.len()).unwrap()).prop_map(Choice).boxed(),
        _ => unreachable!(),
    });
    each.collect::<Vec<_>>().boxed()
}

/// A signed number spread over decades, or zero.
fn signed(smallest: f64, largest: f64) -> impl Strategy<Value = f64> {
    prop_oneof![
        1 => Just(0.0),
        9 => (any::<bool>(), smallest.ln()..largest.ln())
            .prop_map(|(negative, x)| if negative { -x.exp() } else { x.exp() }),
    ]
}

fn check(kind: LawKind, cases: u32, test: impl Fn(&mut TestRunner)) {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    assert!(kind.card().numbers().count() + 2 + kind.states() <= N);
    test(&mut runner);
}

/// Force and rates with derivatives by slip rate, load, states and parameters, in this order.
fn differentiated(kind: LawKind, x: &[f64], choices: &[Choice]) -> Vec<Dual<N>> {
    let x: Vec<Dual<N>> = x.iter().enumerate().map(|(i, x)| seed(*x, i)).collect();
    evaluated(kind, &x, choices)
}

fn evaluated<S: Scalar>(kind: LawKind, x: &[S], choices: &[Choice]) -> Vec<S> {
    let states = kind.states();
    let law = kind.build(&x[2 + states..], choices);
    let at = At { hold: S::from(0.7), ..At::sliding(x[0], x[1]) };
    let mut out = vec![S::zero(); 1 + states];
    let force = law.eval(&at, &x[2..2 + states], &mut out[1..]);
    out[0] = force;
    out
}

/// Whether a state turns with the slip: deflections and their rates do, ages and dwell do not.
fn turns(card: &Card, state: usize) -> bool {
    matches!(card.states[state].unit, "m" | "m/s")
}

/// Slip rate, load, states in multiples of their scale, parameters.
fn point(kind: LawKind, (v, n, q, p): (f64, f64, Vec<f64>, Vec<f64>), choices: &[Choice]) -> Vec<f64> {
    let mut scale = vec![1.0; kind.states()];
    kind.build(&p, choices).scales(n, &mut scale);
    // Deflections have a sign; ages and dwell are never negative.
    let is_signed = |i: usize| turns(&kind.card(), i);
    let z = (0..q.len()).map(|i| if is_signed(i) { q[i] * scale[i] } else { q[i].abs() * scale[i] });
    [v, n].into_iter().chain(z).chain(p.iter().copied()).collect()
}

#[test]
fn every_law_is_finite_over_the_ranges_of_its_card() {
    for &kind in LawKind::ALL {
        let card = kind.card();
        let load = prop_oneof![Just(0.0), Just(-5.0), Just(1e-9), spread(1e-12, 1e4)];
        let states = prop::collection::vec(signed(1e-9, 3.0), kind.states());
        let draw = ((signed(1e-12, 1e2), load, states, numbers(&card)), choices(&card));
        check(kind, 400, |runner| {
            let result = runner.run(&draw, |(draw, choices)| {
                let x = point(kind, draw, &choices);
                for (i, out) in differentiated(kind, &x, &choices).iter().enumerate() {
                    prop_assert!(out.value().is_finite(), "output {i} at {x:?} {choices:?}");
                    for j in 0..x.len() {
                        prop_assert!(partial(out, j).is_finite(), "d{i}/d{j} at {x:?} {choices:?}");
                    }
                }
                let force = evaluated(kind, &x, &choices)[0];
                prop_assert!(x[1] > 0.0 || force == 0.0, "friction without load at {x:?}");
                Ok(())
            });
            result.unwrap_or_else(|e| panic!("{}: {e}", card.name));
        });
    }
}

#[test]
fn every_law_is_odd_in_the_slip() {
    for &kind in LawKind::ALL {
        let card = kind.card();
        let states = prop::collection::vec(signed(1e-6, 3.0), kind.states());
        let draw = ((signed(1e-6, 1.0), spread(1e-3, 1e3), states, numbers(&card)), choices(&card));
        let parity = |i: usize| if turns(&card, i) { -1.0 } else { 1.0 };
        check(kind, 200, |runner| {
            let result = runner.run(&draw, |(draw, choices)| {
                let x = point(kind, draw, &choices);
                let mut y = x.clone();
                y[0] = -x[0];
                for i in 0..kind.states() {
                    y[2 + i] *= parity(i);
                }
                let hold = |x: &[f64], hold: f64| {
                    let law = kind.build(&x[2 + kind.states()..], &choices);
                    let mut dz = vec![0.0; kind.states()];
                    let at = At { hold, ..At::sliding(x[0], x[1]) };
                    (law.eval(&at, &x[2..2 + kind.states()], &mut dz), dz)
                };
                let ((f, dz), (g, dy)) = (hold(&x, 0.7), hold(&y, -0.7));
                prop_assert_eq!(f, -g);
                for i in 0..kind.states() {
                    prop_assert_eq!(dz[i], parity(i) * dy[i]);
                }
                Ok(())
            });
            result.unwrap_or_else(|e| panic!("{}: {e}", card.name));
        });
    }
}

/// Differences at two steps must agree before they may judge; near a kink they do not.
#[test]
fn exact_derivatives_agree_with_differences() {
    for &kind in LawKind::ALL {
        let card = kind.card();
        let states = prop::collection::vec(signed(1e-2, 2.0), kind.states());
        let draw = ((signed(1e-4, 0.3), spread(1.0, 100.0), states, near_defaults(&card)), choices(&card));
        let (judged, passed) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
        check(kind, 100, |runner| {
            let result = runner.run(&draw, |(draw, choices)| {
                let x = point(kind, draw, &choices);
                let exact = differentiated(kind, &x, &choices);
                for j in 0..x.len() {
                    let step = 1e-5 * x[j].abs();
                    let slope = |h: f64| -> Vec<f64> {
                        let at = |d: f64| {
                            let mut y = x.clone();
                            y[j] += d;
                            evaluated(kind, &y, &choices)
                        };
                        at(h).iter().zip(at(-h)).map(|(a, b)| (a - b) / (2.0 * h)).collect()
                    };
                    if step == 0.0 {
                        continue;
                    }
                    let (coarse, fine) = (slope(step), slope(step / 4.0));
                    for i in 0..exact.len() {
                        // Rounding of the output, amplified by the step.
                        let noise = 1e-12 * (exact[i].value().abs() + 1e-3) / step;
                        let close = |a: f64, b: f64| (a - b).abs() < 1e-6 * a.abs().max(b.abs()) + noise;
                        judged.set(judged.get() + 1);
                        if close(coarse[i], fine[i]) {
                            passed.set(passed.get() + 1);
                            let slope = partial(&exact[i], j);
                            prop_assert!(
                                (slope - fine[i]).abs()
                                    < 1e-5 * slope.abs().max(fine[i].abs()) + 10.0 * noise,
                                "d{i}/d{j} = {slope}, by differences {} at {x:?}",
                                fine[i]
                            );
                        }
                    }
                }
                Ok(())
            });
            result.unwrap_or_else(|e| panic!("{}: {e}", card.name));
        });
        assert!(10 * passed.get() > 9 * judged.get(), "{}: {passed:?} of {judged:?} judged", card.name);
    }
}

#[test]
fn every_law_dissipates_over_a_closed_slip_path_and_keeps_its_states_bounded() {
    for &kind in LawKind::ALL {
        for amplitude in [0.1, 2e-3] {
            let slip_rate = |t: f64| amplitude * (TAU * t).sin();
            let mut contact = Contact::new(kind, 10.0, 0.0);
            let mut scale = vec![1.0; kind.states()];
            contact.law.scales(10.0, &mut scale);
            let (steps, mut work) = (40_000, [0.0; 2]);
            for i in 0..2 * steps {
                let h = 1.0 / f64::from(steps);
                work[usize::from(i >= steps)] += contact.step(slip_rate, f64::from(i) * h, h);
                for (z, scale) in contact.z.iter().zip(&scale) {
                    // The age of lugre_dwell is bounded by the time, the displacement of stick_slip by the path.
                    assert!(z.abs() < 1e3 * scale, "{}: {z} against {scale}", kind.card().name);
                }
            }
            let name = kind.card().name;
            assert!(work[1] > 0.0, "{name} at {amplitude} m/s: {} J", work[1]);
            // Not more than the static level along the whole path, here twice the stroke there and back.
            assert!(work[1] < 10.0 * 0.55 * 4.0 * amplitude / TAU * 1.05, "{name}: {} J", work[1]);
        }
    }
}

#[test]
fn steady_sliding_is_a_fixed_point_of_the_states() {
    for &kind in LawKind::ALL {
        for v in [0.3, -0.3] {
            let mut contact = Contact::new(kind, 10.0, v);
            let mut scale = vec![1.0; kind.states()];
            contact.law.scales(10.0, &mut scale);
            // Brought up to speed: the step is an explicit one.
            let speed = |t: f64| v * 300f64.powf((t / 0.2 - 1.0).min(0.0));
            for i in 0..50_000 {
                contact.step(speed, f64::from(i) * 2e-5, 2e-5);
            }
            let (force, dz) = contact.eval(v, &contact.z);
            for (dz, scale) in dz.iter().zip(&scale) {
                assert!(dz.abs() < 1e-8 * scale / 1e-3, "{}: {dz}", kind.card().name);
            }
            assert!(force * v > 0.0, "{}: {force}", kind.card().name);
        }
    }
}

/// Modes freeze a branch; as long as they belong to the slip rate and the states they change nothing. Frozen
/// against the slip rate, as in a trial step past a switch, the branch still has finite values.
#[test]
fn modes_that_belong_to_the_values_change_nothing() {
    for &kind in LawKind::ALL {
        let card = kind.card();
        let states = prop::collection::vec(signed(1e-3, 3.0), kind.states());
        let draw = (signed(1e-9, 1.0), spread(1e-3, 1e3), states, numbers(&card));
        check(kind, 200, |runner| {
            let result = runner.run(&draw, |draw| {
                let choices = vec![Choice(0); card.choices().count()];
                let x = point(kind, draw, &choices);
                let (z, law) = (&x[2..2 + kind.states()], kind.build(&x[2 + kind.states()..], &choices));
                let at = At::sliding(x[0], x[1]);
                let mut mode = vec![Mode::Stick; law.elements()];
                law.start(&at, z, &mut mode);
                let eval = |v: f64, mode: &[Mode]| {
                    let mut dz = vec![0.0; z.len()];
                    let force = law.eval(&At { v, mode, ..at }, z, &mut dz);
                    (force, dz)
                };
                prop_assert_eq!(eval(x[0], &[]), eval(x[0], &mode));
                let (force, dz) = eval(-x[0], &mode);
                prop_assert!(force.is_finite() && dz.iter().all(|dz| dz.is_finite()), "{:?}", x);
                Ok(())
            });
            result.unwrap_or_else(|e| panic!("{}: {e}", card.name));
        });
    }
}

/// A role is what tells one number of a law from another; only shares, slopes and shapes come in several.
#[test]
fn a_law_has_one_number_of_each_role_and_the_unit_that_goes_with_it() {
    for &kind in LawKind::ALL {
        let card = kind.card();
        for field in card.numbers() {
            let (Some(role), Kind::Number { unit, force, .. }) = (field.role, field.kind) else { continue };
            let several =
                [Role::Shape, Role::Steepness, Role::FrictionShare, Role::StiffnessShare, Role::Other];
            let count = card.numbers().filter(|f| f.role == Some(role)).count();
            assert!(count == 1 || several.contains(&role), "{}: {role:?}", card.name);
            use Role::*;
            let units: &[&str] = match role {
                StaticFriction | KineticFriction | ReferenceFriction | StaticExcess => &["1"],
                DirectEffect | EvolutionEffect => &["1"],
                StribeckVelocity | KineticVelocity | RegularisationVelocity => &["m/s"],
                RestVelocity | ReferenceVelocity => &["m/s"],
                StribeckExponent | FrictionShare | StiffnessShare | Shape => &["1"],
                BristleStiffness => &["N/m"],
                BristleDamping => &["N s/m"],
                ViscousCoefficient => &["N s/m", "s/m"],
                ElasticDeflection | SaturationDeflection | PreslidingDistance | RenewalDistance => &["m"],
                DwellTime => &["s"],
                Steepness => &["s/m"],
                Other => continue,
            };
            assert!(units.contains(&unit), "{}.{}: {role:?} in {unit}", card.name, field.name);
            let is_friction =
                matches!(role, StaticFriction | KineticFriction | ReferenceFriction | StaticExcess);
            assert!(!is_friction || force.is_some(), "{}.{} can be given as a force", card.name, field.name);
        }
    }
}

#[test]
fn every_card_is_complete() {
    let references = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/references.bib"));
    for &kind in LawKind::ALL {
        let card = kind.card();
        let name = card.name;
        assert!(
            card.title().ends_with('.') && !card.equation().is_empty() && card.remarks().len() > 80,
            "{name}"
        );
        assert!(!card.cite.is_empty() && !card.tags.is_empty(), "{name}");
        for key in card.cite {
            assert!(references.contains(&format!("{{{key},")), "{name}: docs/references.bib lacks {key}");
        }
        for field in card.fields {
            assert!(field.doc.ends_with('.'), "{name}.{}", field.name);
            if let Kind::Number { unit, default, min, max, force, .. } = field.kind {
                let default = default.unwrap();
                assert!(!field.symbol.is_empty() && units::same_kind(unit, unit), "{name}.{}", field.name);
                assert!(min.is_finite() && max.is_finite(), "{name}.{}", field.name);
                assert!((min..=max).contains(&default), "{name}.{}", field.name);
                assert!(force.is_none() || unit == "1", "{name}.{}", field.name);
            }
        }
        for field in card.numbers() {
            assert!(
                field.role.is_some(),
                "{name}.{}: `role = …` is missing; `Other` if none fits",
                field.name
            );
        }
        for state in card.states {
            let unit = match state.role {
                StateRole::Deflection => "m",
                StateRole::DeflectionRate => "m/s",
                StateRole::Age => "s",
                StateRole::Strength => "1",
            };
            assert_eq!(state.unit, unit, "{name}.{}", state.name);
            // These are outputs of bodies and contacts.
            let taken = ["q", "v", "y", "vy", "force", "load", "slip", "slip_rate", "mode", "loss"];
            assert!(!taken.contains(&state.name), "{name}.{}", state.name);
        }
        let law = Contact::new(kind, 10.0, 0.0).law;
        assert_eq!((law.fault(), law.caution(10.0), law.kind()), (None, None, kind), "{name}");
    }
}
