//! Guards: located, not missed, and quiet after a switch.

use bristle_core::{Mode, Scalar};
use bristle_solve::{Dynamics, Method, Output, Point, SolveError, Solver, State};

const OURS: [Method; 5] = [Method::Auto, Method::Rodas5p, Method::Rodas4, Method::Dopri5, Method::Dop853];

/// `ẋ = cos t`, whose integral dips below the bar `sin t = −0.999` for a short time around 3π/2.
struct Dip {
    bar: [f64; 1],
}

impl Dynamics for Dip {
    fn dim(&self) -> usize {
        1
    }
    fn mode_count(&self) -> usize {
        1
    }
    fn params(&self) -> &[f64] {
        &self.bar
    }
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        dx[0] = at.t.cos();
    }
    fn guard_count(&self) -> usize {
        1
    }
    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        g[0] = match at.mode[0] {
            Mode::Stick => at.x[0] + at.p[0],
            _ => -at.x[0] - at.p[0],
        };
    }
    fn switch(&self, _fired: usize, _p: &[f64], state: &mut State) {
        state.mode[0] = if state.mode[0] == Mode::Stick { Mode::Forward } else { Mode::Stick };
    }
}

fn rest(x: f64) -> State {
    State { t: 0.0, x: vec![x], mode: vec![Mode::Stick] }
}

/// Both ends of a long step lie above the bar; the guard's rates at its ends betray the dip between them.
#[test]
fn a_guard_that_dips_within_a_step_fires() {
    let d = Dip { bar: [0.999] };
    let exact = [3.0, 1.0].map(|_| 0.999f64.asin());
    for method in OURS {
        // Steps of half a second are ten times longer than the dip.
        let solver = Solver { method, h_max: Some(0.5), h_first: Some(0.5), ..Solver::with_tolerance(1e-4) };
        let run = solver.run(&d, d.params(), rest(0.0), 6.0, &Output::Ends, &mut ()).unwrap();
        assert_eq!(run.events.len(), 2, "{method:?}");
        let pi = std::f64::consts::PI;
        assert!((run.events[0].t - (pi + exact[0])).abs() < 2e-2, "{method:?} {}", run.events[0].t);
        assert!((run.events[1].t - (2.0 * pi - exact[0])).abs() < 2e-2, "{method:?} {}", run.events[1].t);
    }
}

/// The end of a real step lies on the guard: the event is as good as the method, not as its interpolant.
#[test]
fn an_event_lies_on_the_guard_to_rounding() {
    let d = Dip { bar: [0.5] };
    for method in OURS {
        let solver = Solver { method, ..Solver::with_tolerance(1e-10) };
        let run = solver.run(&d, d.params(), rest(0.0), 6.0, &Output::Ends, &mut ()).unwrap();
        assert_eq!(run.events.len(), 2, "{method:?}");
        for event in &run.events {
            assert!((event.before.x[0] + 0.5).abs() < 4e-15, "{method:?} {:e}", event.before.x[0] + 0.5);
            assert_eq!(event.before.x, event.after.x);
            assert_ne!(event.before.mode, event.after.mode);
        }
    }
}

/// Event instants are recorded on both sides whatever the output.
#[test]
fn both_sides_of_an_event_are_recorded() {
    let d = Dip { bar: [0.5] };
    for output in
        [Output::Steps, Output::Ends, Output::Grid { step: 0.25 }, Output::Times(vec![1.0, 2.0, 5.0])]
    {
        let run = Solver::default().run(&d, d.params(), rest(0.0), 6.0, &output, &mut ()).unwrap();
        for event in &run.events {
            let rows: Vec<usize> = (0..run.samples.len()).filter(|&i| run.samples.t[i] == event.t).collect();
            assert_eq!(rows.len(), 2, "{output:?}");
            assert_eq!(run.samples.modes(rows[0]), event.before.mode);
            assert_eq!(run.samples.modes(rows[1]), event.after.mode);
        }
        assert!(run.samples.t.windows(2).all(|w| w[0] <= w[1]));
    }
}

/// Two masses released together stop at the same instant; both guards must fire, the second without a step.
struct Twins;

impl Dynamics for Twins {
    fn dim(&self) -> usize {
        2
    }
    fn mode_count(&self) -> usize {
        2
    }
    fn params(&self) -> &[f64] {
        &[]
    }
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        for i in 0..2 {
            dx[i] = if at.mode[i] == Mode::Stick { S::zero() } else { S::from(-1.0) };
        }
    }
    fn guard_count(&self) -> usize {
        2
    }
    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        for i in 0..2 {
            g[i] = if at.mode[i] == Mode::Stick { S::one() } else { at.x[i] };
        }
    }
    fn switch(&self, fired: usize, _p: &[f64], state: &mut State) {
        state.mode[fired] = Mode::Stick;
        state.x[fired] = 0.0;
    }
}

#[test]
fn guards_that_fall_together_all_fire() {
    for method in OURS {
        let start = State { t: 0.0, x: vec![1.0, 1.0], mode: vec![Mode::Forward; 2] };
        let solver = Solver { method, ..Solver::default() };
        let run = solver.run(&Twins, &[], start, 3.0, &Output::Ends, &mut ()).unwrap();
        assert_eq!(run.events.len(), 2, "{method:?}");
        assert!(run.events.iter().all(|e| (e.t - 1.0).abs() < 1e-14), "{method:?}");
        assert_eq!(run.end.x, [0.0, 0.0]);
    }
}

/// `ẋ = −s` with `s = sgn x` chatters at zero, where neither direction is consistent.
struct Relay;

impl Dynamics for Relay {
    fn dim(&self) -> usize {
        1
    }
    fn mode_count(&self) -> usize {
        1
    }
    fn params(&self) -> &[f64] {
        &[]
    }
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        dx[0] = S::from(-at.mode[0].sign());
    }
    fn guard_count(&self) -> usize {
        1
    }
    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        g[0] = at.x[0] * at.mode[0].sign();
    }
    fn switch(&self, _fired: usize, _p: &[f64], state: &mut State) {
        state.mode[0] = state.mode[0].reversed();
    }
    fn guard_name(&self, _index: usize) -> String {
        "relay".to_owned()
    }
}

#[test]
fn chatter_is_reported_with_the_guard() {
    for method in OURS {
        let start = State { t: 0.0, x: vec![1.0], mode: vec![Mode::Forward] };
        let solver = Solver { method, ..Solver::default() };
        let error = solver.run(&Relay, &[], start, 3.0, &Output::Ends, &mut ()).unwrap_err();
        let SolveError::Chatter { t, contact, count, .. } = &error else { panic!("{method:?}: {error}") };
        assert!((t - 1.0).abs() < 1e-9 && *count > 50, "{error}");
        assert_eq!(contact, "relay");
    }
}

/// A guard whose switch changes nothing must not stop the run.
struct Deaf;

impl Dynamics for Deaf {
    fn dim(&self) -> usize {
        1
    }
    fn params(&self) -> &[f64] {
        &[]
    }
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        dx[0] = at.t.cos();
    }
    fn guard_count(&self) -> usize {
        1
    }
    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        g[0] = at.x[0] + 0.1;
    }
}

#[test]
fn a_switch_without_effect_fires_once_per_fall() {
    for method in OURS {
        let start = State { t: 0.0, x: vec![0.0], mode: vec![] };
        let solver = Solver { method, ..Solver::default() };
        let run = solver.run(&Deaf, &[], start, 12.0, &Output::Ends, &mut ()).unwrap();
        assert_eq!(run.events.len(), 2, "{method:?}");
    }
}
