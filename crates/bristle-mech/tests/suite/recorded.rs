//! Mechanisms recorded: programs give the bits of the equations and the derivatives of dual numbers.

use crate::every_mechanism::random_mechanism;
use crate::mechanisms::{belt, law, part, stack};
use crate::random::Random;
use bristle_core::Mode;
use bristle_law::LawKind;
use bristle_mech::{PartKind, SignalKind, Spec, System};
use bristle_solve::{Dynamics, Evaluator, Jacobian, Output, Point, Recorded, RecordedError, Solver, State};

fn is_same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// States that a run comes past, and states close to them in the same modes.
fn states(system: &System, r: &mut Random) -> Vec<State> {
    let p = system.params().to_vec();
    let solver = Solver::with_tolerance(1e-5);
    let run = solver.run(system, &p, system.initial(&p), 0.3, &Output::Grid { step: 0.02 }, &mut ());
    let Ok(run) = run else { return vec![system.initial(&p)] };
    let mut states = Vec::new();
    // A motion that chatters has thousands of samples.
    for i in (0..run.samples.len()).step_by(run.samples.len().div_ceil(16)) {
        let x = run.samples.row(i).to_vec();
        let state = State { t: run.samples.seen[i], x, mode: run.samples.modes(i).to_vec() };
        let mut near = state.clone();
        near.x.iter_mut().for_each(|x| *x = *x * r.between(0.5, 1.5) + r.between(-1e-6, 1e-6));
        states.extend([state, near]);
    }
    states
}

/// Recordings of a mechanism, found by modes and assumptions.
struct Library<'a> {
    system: &'a System,
    entries: Vec<(Vec<Mode>, Recorded)>,
}

impl Library<'_> {
    fn entry(&mut self, state: &State) -> Result<&Recorded, RecordedError> {
        let p = self.system.params();
        let variables: Vec<f64> = std::iter::once(state.t).chain(state.x.iter().copied()).collect();
        let holds = |(modes, recorded): &(Vec<Mode>, Recorded)| {
            *modes == state.mode && recorded.assumptions.hold(&variables, p)
        };
        let place = match self.entries.iter().position(holds) {
            Some(place) => place,
            None => {
                let point = Point { t: state.t, x: &state.x, p, mode: &state.mode };
                self.entries.push((state.mode.clone(), Recorded::new(self.system, point)?));
                self.entries.len() - 1
            }
        };
        Ok(&self.entries[place].1)
    }
}

/// The Jacobian in dual numbers.
fn differentiated(evaluator: &mut Evaluator, state: &State) -> Jacobian {
    let mut jacobian = evaluator.new_jacobian();
    let mut dx = vec![0.0; state.x.len()];
    evaluator.jacobian(state.t, &state.x, &state.mode, &mut jacobian, &mut dx);
    jacobian
}

/// Numbers with their last digits changed.
fn moved(numbers: &[f64], r: &mut Random) -> Vec<f64> {
    numbers.iter().map(|x| x * (1.0 + r.between(-1e-15, 1e-15))).collect()
}

/// Compares programs with the equations at one state.
fn compare(system: &System, recorded: &Recorded, state: &State, name: &str) {
    let (p, dim) = (system.params(), system.dim());
    let variables: Vec<f64> = std::iter::once(state.t).chain(state.x.iter().copied()).collect();
    let point = Point { t: state.t, x: &state.x, p, mode: &state.mode };
    let mut expected = vec![0.0; dim];
    system.rates(point, &mut expected);
    let mut rates = vec![0.0; dim];
    recorded.rates().run(&mut recorded.rates().room(p), &variables, &mut rates);
    for i in 0..dim {
        assert!(is_same(rates[i], expected[i]), "{name}: rate {i} = {}, not {}", rates[i], expected[i]);
    }
    let count = system.guard_count();
    let (mut expected, mut guards) = (vec![0.0; count], vec![0.0; count]);
    system.guards(point, &mut expected);
    let program = recorded.guards().unwrap();
    program.run(&mut program.room(p), &variables, &mut guards);
    for i in 0..count {
        assert!(is_same(guards[i], expected[i]), "{name}: guard {i} = {}, not {}", guards[i], expected[i]);
    }
    let mut evaluator = Evaluator::new(system, p);
    let jacobian = differentiated(&mut evaluator, state);
    let mut r = Random(9);
    let nearby: Vec<Jacobian> = (0..8)
        .map(|_| {
            let near = State { x: moved(&state.x, &mut r), ..state.clone() };
            differentiated(&mut Evaluator::new(system, &moved(p, &mut r)), &near)
        })
        .collect();
    let parts = recorded.jacobian().unwrap();
    let program = &parts.program;
    let mut out = vec![0.0; program.outputs()];
    program.run(&mut program.room(p), &variables, &mut out);
    let rows = if system.band().is_some() { evaluator.coupled() } else { dim };
    for i in 0..rows {
        let largest =
            (0..evaluator.coupled()).map(|j| jacobian.entry(i, j).abs()).fold(rates[i].abs(), f64::max);
        for j in 0..evaluator.coupled() {
            let place = parts.pattern.place(i, j);
            let found = place.map_or(0.0, |place| out[dim + place]);
            // A slope that is not finite counts as zero there.
            let found = if found.is_finite() { found } else { 0.0 };
            let expected = jacobian.entry(i, j);
            // Dual numbers round elsewhere and may end on the other side of a kink: what the last digits of states and
            // parameters do to them is not an error.
            let spread = nearby.iter().map(|near| (near.entry(i, j) - expected).abs()).fold(0.0, f64::max);
            assert!(
                (found - expected).abs() <= 1e-9 * largest.max(1e-9) + 8.0 * spread,
                "{name}: df{i}/dx{j} = {found}, not {expected}"
            );
        }
    }
    let (mut g, mut dg) = (vec![0.0; count], vec![0.0; count]);
    if count > 0 {
        evaluator.guard_rates(state.t, &state.x, &rates, &state.mode, &mut g, &mut dg);
    }
    let with_direction = [variables.as_slice(), &rates].concat();
    let program = recorded.guard_rates().unwrap();
    let mut out = vec![0.0; program.outputs()];
    program.run(&mut program.room(p), &with_direction, &mut out);
    for i in 0..count {
        assert!(is_same(out[i], expected[i]));
        let bound = 1e-9 * (dg[i].abs() + g[i].abs()).max(1e-6);
        let (found, expected) = (out[count + i], dg[i]);
        let both_infinite = !found.is_finite() && !expected.is_finite();
        assert!(
            both_infinite || (found - expected).abs() <= bound,
            "{name}: dg{i} = {found}, not {expected}"
        );
    }
}

/// How many states were compared, and at how many the equations cannot be recorded.
fn compare_along_a_run(system: &System, name: &str, r: &mut Random) -> [usize; 2] {
    let mut library = Library { system, entries: Vec::new() };
    let mut counts = [0, 0];
    for state in states(system, r) {
        match library.entry(&state) {
            Ok(recorded) => {
                compare(system, recorded, &state, name);
                counts[0] += 1;
            }
            Err(error) => {
                assert!(matches!(error, RecordedError::Equations(_)), "{name}: {error}");
                counts[1] += 1;
            }
        }
    }
    counts
}

#[test]
fn a_belt_under_every_law_is_recorded_bit_for_bit() {
    let mut r = Random(5);
    for &kind in LawKind::ALL {
        let counts = compare_along_a_run(&belt(law(kind, &[])), kind.card().name, &mut r);
        assert!(counts[0] > 0 && counts[1] == 0, "{}: {counts:?}", kind.card().name);
    }
}

/// Friction that differs by direction, with a force beside it, in both directions and at rest.
#[test]
fn contacts_that_differ_by_direction_are_recorded_bit_for_bit() {
    let mut r = Random(15);
    let numbers = [("backward", 0.7), ("offset", -0.3), ("viscous", 2.0), ("viscous_backward", 1.0)];
    for kind in [LawKind::Coulomb, LawKind::LuGre, LawKind::Karnopp, LawKind::Threlfall, LawKind::Dieterich] {
        let pad = part(PartKind::Contact, &numbers).naming("between", &["block", "ground"]);
        let parts = [
            ("block", part(PartKind::Mass, &[("mass", 1.0), ("v", 0.4)])),
            ("tie", part(PartKind::Spring, &[("k", 900.0)]).naming("between", &["block", "ground"])),
            ("pad", pad.holding("law", law(kind, &[]))),
        ];
        let system = System::assemble(&parts.map(|(name, spec)| (name.to_owned(), spec))).unwrap();
        let counts = compare_along_a_run(&system, kind.card().name, &mut r);
        assert!(counts[0] > 0 && counts[1] == 0, "{}: {counts:?}", kind.card().name);
    }
}

#[test]
fn a_stack_at_rest_and_in_motion_is_recorded_bit_for_bit() {
    let mut r = Random(6);
    for kind in [LawKind::Coulomb, LawKind::LuGre, LawKind::Karnopp, LawKind::Gms] {
        let laws = [1, 2, 3].map(|_| law(kind, &[]));
        let counts = compare_along_a_run(&stack(laws), kind.card().name, &mut r);
        assert!(counts[0] > 0 && counts[1] == 0, "{}: {counts:?}", kind.card().name);
    }
}

/// Springs in the plane, an incline, and every signal of the catalogue that numbers describe.
#[test]
fn planes_inclines_and_signals_are_recorded_bit_for_bit() {
    let mut r = Random(7);
    let signal = |kind: SignalKind, numbers: &[(&str, f64)]| {
        let card = kind.card();
        numbers.iter().fold(Spec::of(&card), |spec, (name, value)| spec.with(&card, name, *value))
    };
    let pulse = [("height", 3.0), ("start", 0.1), ("width", 0.1), ("rise", 0.02), ("period", 0.31)];
    let signals = [
        signal(SignalKind::Sine, &[("amplitude", 2.0), ("frequency", 3.0)]),
        signal(SignalKind::Ramp, &[("slope", 2.0), ("start", 0.2), ("duration", 0.3)]),
        signal(SignalKind::Pulse, &pulse),
        signal(SignalKind::SmoothStep, &[("to", 2.0), ("start", 0.2), ("duration", 0.3)]),
    ];
    for signal in signals {
        let name = signal.kind.clone();
        let parts = [
            ("a", part(PartKind::Mass, &[("mass", 2.0), ("q", 0.1)])),
            ("b", part(PartKind::Mass, &[("mass", 1.0), ("v", -0.1)])),
            ("weight", part(PartKind::Gravity, &[("angle", 0.2)])),
            ("tie", part(PartKind::Spring, &[("k", 30.0)]).naming("between", &["a", "b"])),
            ("push", part(PartKind::Force, &[]).naming("on", &["b"]).holding("signal", signal)),
            (
                "pad",
                part(PartKind::Contact, &[])
                    .naming("between", &["a", "ground"])
                    .holding("law", law(LawKind::Coulomb, &[])),
            ),
        ];
        let system = System::assemble(&parts.map(|(name, spec)| (name.to_owned(), spec))).unwrap();
        let counts = compare_along_a_run(&system, &name, &mut r);
        assert!(counts[0] > 0 && counts[1] == 0, "{name}: {counts:?}");
    }
}

/// Closed loops of resting contacts share forces by a small linear programme, which cannot be recorded and says so.
#[test]
fn random_mechanisms_are_recorded_bit_for_bit_or_say_why_not() {
    let mut r = Random(8);
    let mut counts = [0, 0];
    for i in 0..30 {
        let (system, laws) = random_mechanism(&mut r);
        let [compared, refused] =
            compare_along_a_run(&system, &format!("mechanism {i} with {laws:?}"), &mut r);
        counts = [counts[0] + compared, counts[1] + refused];
    }
    println!("{} states compared, {} not recorded", counts[0], counts[1]);
    assert!(counts[0] > 10 * counts[1], "{counts:?}");
}
