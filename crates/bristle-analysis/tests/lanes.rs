//! What runs in lanes is what runs alone.

use crate::reference::close;
use bristle_analysis::AnalysisError;
use bristle_analysis::batch::BatchMotion;
use bristle_analysis::map::{MapAxis, abscissa, map};
use bristle_analysis::section::PoincareSection;
use bristle_analysis::shooting::{Hit, ReturnMap, Shooting};
use bristle_core::Scalar;
use bristle_solve::problems::{Belt, belt};
use bristle_solve::{Dynamics, Method, Point, Solver, State, Violation};

/// The same dynamics with a value asked for on the way: nothing can be recorded, and every cell is alone.
struct Unrecorded<'a>(&'a Belt);

impl Dynamics for Unrecorded<'_> {
    fn dim(&self) -> usize {
        self.0.dim()
    }
    fn mode_count(&self) -> usize {
        self.0.mode_count()
    }
    fn params(&self) -> &[f64] {
        self.0.params()
    }
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        assert!(at.x[0].value() < 1e9);
        self.0.rates(at, dx);
    }
    fn guard_count(&self) -> usize {
        self.0.guard_count()
    }
    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        self.0.guards(at, g);
    }
    fn switch(&self, fired: usize, p: &[f64], state: &mut State) {
        self.0.switch(fired, p, state);
    }
    fn start(&self, p: &[f64], state: &mut State) {
        self.0.start(p, state);
    }
    fn scales(&self, p: &[f64], scale: &mut [f64]) {
        self.0.scales(p, scale);
    }
}

fn on_threads<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap().install(work)
}

/// Rows that do not fill the lanes, columns down to speeds at which the bristles are stiff.
#[test]
fn stability_in_lanes_is_stability_cell_by_cell() {
    for block in [Belt::two_state(), Belt::lugre()] {
        let p = block.with(&[(belt::C1, 0.05), (belt::V_B, 0.02)]);
        let axes = || (MapAxis::linear(belt::C1, 0.05, 5.0, 21), MapAxis::linear(belt::V_B, 0.02, 5.0, 40));
        let (rows, columns) = axes();
        let lanes = map(&block, &p, &block.sliding(&p), rows, columns).unwrap();
        let (rows, columns) = axes();
        let single = map(&Unrecorded(&block), &p, &block.sliding(&p), rows, columns).unwrap();
        assert_eq!(lanes.stable, single.stable);
        assert!(lanes.stable.iter().all(Option::is_some));
        let (rows, columns) = axes();
        let growth = abscissa(&block, &p, &block.sliding(&p), &rows, &columns).unwrap();
        let single = abscissa(&Unrecorded(&block), &p, &block.sliding(&p), &rows, &columns).unwrap();
        assert_eq!((growth.len(), growth.len()), (single.len(), lanes.stable.len()));
        for (a, b) in growth.iter().zip(&single) {
            close(a.unwrap(), b.unwrap(), 1e-10);
        }
        for (a, stable) in growth.iter().zip(&lanes.stable) {
            assert_eq!(a.unwrap() < 0.0, stable.unwrap());
        }
    }
}

/// Few threads walk many rows together, many threads few: a cell has the same bits.
#[test]
fn a_map_has_the_same_bits_for_any_number_of_threads_and_lanes() {
    let block = Belt::two_state();
    let p = block.with(&[(belt::C1, 0.05), (belt::V_B, 0.02)]);
    let (rows, columns) =
        (MapAxis::linear(belt::C1, 0.05, 5.0, 37), MapAxis::linear(belt::V_B, 0.02, 5.0, 30));
    let bits = |threads: usize| -> Vec<Option<u64>> {
        let found =
            on_threads(threads, || abscissa(&block, &p, &block.sliding(&p), &rows, &columns)).unwrap();
        found.into_iter().map(|a| a.map(f64::to_bits)).collect()
    };
    let one = bits(1);
    assert!(one.iter().all(Option::is_some));
    for threads in [2, 3] {
        assert_eq!(bits(threads), one, "{threads} threads");
    }
    // A single row has lanes of its own kind.
    let last = MapAxis { parameter: belt::C1, values: rows.values[..1].to_vec() };
    let alone = abscissa(&block, &p, &block.sliding(&p), &last, &columns).unwrap();
    for (cell, alone) in one.iter().zip(alone) {
        assert_eq!(*cell, alone.map(f64::to_bits));
    }
}

fn shooting(method: Method, tolerance: f64) -> Shooting {
    let solver = Solver { method, rtol: tolerance, atol: tolerance, ..Solver::default() };
    Shooting { solver, limit: 20.0, ..Shooting::default() }
}

fn returns<D: Dynamics>(dynamics: &D, shooting: Shooting) -> ReturnMap<'_, D> {
    let p = dynamics.params().to_vec();
    ReturnMap::new(dynamics, &p, &[0.2, 0.1, 0.0, 0.0], PoincareSection::falling(1, 0.0), shooting).unwrap()
}

/// Eleven motions, most of them with stick, ringing and slip; starts stuck to the belt.
fn motions(block: &Belt) -> Vec<BatchMotion> {
    let motion = |(c1, v_b): (f64, f64)| BatchMotion {
        p: block.with(&[(belt::C1, c1), (belt::V_B, v_b)]),
        start: vec![0.2, v_b, 0.0, 0.0],
    };
    let cells = [0.3, 0.5, 0.7].into_iter().flat_map(|v| [0.5, 2.0, 3.5].map(|c| (c, v)));
    cells.chain([(1.0, 1.5), (3.0, 4.0)]).map(motion).collect()
}

/// Times and states at the hits agree with the general method at a tight tolerance. One unit of tolerance grows along
/// the motion, so the comparison allows for more than the tolerance of a step.
#[test]
fn hits_in_lanes_are_hits_alone() {
    let block = Belt::two_state();
    let (motions, exact) = (motions(&block), returns(&block, shooting(Method::Dop853, 1e-12)));
    // Implicit steps, and explicit ones.
    for method in [Method::Auto, Method::Dopri5] {
        let lanes = returns(&block, shooting(method, 1e-9));
        assert!(lanes.runs_in_lanes(&motions[0].p));
        let found = lanes.hits_in_lanes(&motions, 4, &|_| true);
        assert_eq!(motions.len(), found.len());
        for (motion, hits) in motions.iter().zip(found) {
            let (hits, expected) = (hits.unwrap(), exact.hits(&motion.p, &motion.start, 4).unwrap());
            assert_eq!(hits.len(), expected.len());
            for (a, b) in hits.iter().zip(&expected) {
                close(a.state.t, b.state.t, 2e-6);
                close(a.state.x[0], b.state.x[0], 2e-6);
                close(a.state.x[2] / 4e-4, b.state.x[2] / 4e-4, 2e-5);
                assert_eq!(a.state.mode, b.state.mode);
                // Extremes are those at the steps, which differ.
                close(a.max[0] - a.min[0], b.max[0] - b.min[0], 2e-3);
            }
        }
    }
}

#[test]
fn a_motion_does_not_know_its_neighbours() {
    let block = Belt::two_state();
    let lanes = returns(&block, shooting(Method::Auto, 1e-6));
    let motions = motions(&block);
    let together = lanes.hits_in_lanes(&motions, 3, &|_| true);
    assert_eq!(motions.len(), together.len());
    for (motion, hits) in motions.iter().zip(together).step_by(3) {
        let alone = lanes.hits_in_lanes(std::slice::from_ref(motion), 3, &|_| true).remove(0).unwrap();
        let hits = hits.unwrap();
        assert_eq!(hits.len(), alone.len());
        for (a, b) in hits.iter().zip(&alone) {
            assert_eq!(a.state, b.state);
        }
    }
}

/// So many motions that a single thread runs them in wide bundles, three in narrow ones, each in chunks of its own.
#[test]
fn hits_have_the_same_bits_for_any_number_of_threads_and_lanes() {
    let block = Belt::two_state();
    let lanes = returns(&block, shooting(Method::Auto, 1e-5));
    let motion = |i: u32| BatchMotion {
        p: block.with(&[(belt::C1, 0.5 + 0.02 * f64::from(i)), (belt::V_B, 0.3 + 0.003 * f64::from(i))]),
        start: vec![0.2, 0.3, 0.0, 0.0],
    };
    let motions: Vec<BatchMotion> = (0..130).map(motion).collect();
    let bits = |threads: usize| -> Vec<Vec<u64>> {
        let found = on_threads(threads, || lanes.hits_in_lanes(&motions, 2, &|_| true));
        let numbers = |hit: &Hit| [&hit.state.x[..], &[hit.state.t], &hit.min, &hit.max].concat();
        let all =
            found.into_iter().map(|hits| hits.unwrap().iter().flat_map(numbers).map(f64::to_bits).collect());
        all.collect()
    };
    let one = bits(1);
    for threads in [2, 3] {
        assert_eq!(bits(threads), one, "{threads} threads");
    }
}

/// What cannot be recorded runs by the general method.
#[test]
fn motions_that_cannot_be_recorded_run_alone() {
    let block = Belt::two_state();
    let (alone, lanes) = (Unrecorded(&block), shooting(Method::Auto, 1e-7));
    let motions = &motions(&block)[..3];
    let found = returns(&alone, lanes).hits_in_lanes(motions, 2, &|_| true);
    let expected = returns(&alone, lanes).hits_of_all(motions, 2, &|_| true);
    for (a, b) in found.into_iter().zip(expected) {
        assert_eq!(a.unwrap()[1].state, b.unwrap()[1].state);
    }
}

#[test]
fn without_lanes_or_returns_the_answer_is_that_of_the_general_method() {
    let block = Belt::two_state();
    let motion = motions(&block).remove(4);
    let only = std::slice::from_ref(&motion);
    // An implicit method is never replaced.
    let general = returns(&block, shooting(Method::Rodas5p, 1e-6));
    assert!(!general.runs_in_lanes(&motion.p));
    let expected = general.hits(&motion.p, &motion.start, 2).unwrap();
    for mut found in [general.hits_in_lanes(only, 2, &|_| true), general.hits_of_all(only, 2, &|_| true)] {
        assert_eq!(found.remove(0).unwrap()[1].state, expected[1].state);
    }
    let hasty = Shooting { limit: 0.05, ..shooting(Method::Auto, 1e-6) };
    let found = returns(&block, hasty).hits_in_lanes(only, 2, &|_| true).remove(0);
    assert!(matches!(found, Err(AnalysisError::NoReturn { .. })), "{found:?}");
    let stopped = returns(&block, hasty).hits_in_lanes(&motions(&block), 2, &|_| false);
    assert_eq!(stopped.len(), 11);
}

/// A belt whose modes promise that the block stays where it does not, wherever the belt is fast.
struct Promising<'a>(&'a Belt);

/// Beyond this displacement the promise is broken, on belts faster than that.
const PROMISED: f64 = 0.21;
const FAST: f64 = 0.25;

impl Dynamics for Promising<'_> {
    fn dim(&self) -> usize {
        self.0.dim()
    }
    fn mode_count(&self) -> usize {
        self.0.mode_count()
    }
    fn params(&self) -> &[f64] {
        self.0.params()
    }
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        self.0.rates(at, dx);
    }
    fn guard_count(&self) -> usize {
        self.0.guard_count()
    }
    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        self.0.guards(at, g);
    }
    fn switch(&self, fired: usize, p: &[f64], state: &mut State) {
        self.0.switch(fired, p, state);
    }
    fn start(&self, p: &[f64], state: &mut State) {
        self.0.start(p, state);
    }
    fn scales(&self, p: &[f64], scale: &mut [f64]) {
        self.0.scales(p, scale);
    }
    fn violation(&self, at: Point<f64>, _g: &[f64], _tolerance: f64) -> Option<Violation> {
        (at.p[belt::V_B] > FAST && at.x[0] > PROMISED)
            .then(|| Violation::Slides { contact: "pad".into(), slip: at.x[0] })
    }
}

/// A promise broken between two events ends a motion in lanes as it ends a single run: at the first step that breaks it, which is told
/// by the general method. Without a look after every step the motions below would return to the section and be taken for cycles.
#[test]
fn a_broken_promise_ends_a_motion_in_lanes() {
    let block = Belt::two_state();
    let promising = Promising(&block);
    let lanes = returns(&promising, shooting(Method::Auto, 1e-6));
    let motions = motions(&block);
    assert!(motions.iter().all(|motion| motion.start[0] < PROMISED && motion.p[belt::V_B] > FAST));
    assert!(lanes.runs_in_lanes(&motions[0].p));
    for hits in lanes.hits_in_lanes(&motions, 3, &|_| true) {
        let text = hits.map(|_| ()).unwrap_err().to_string();
        assert!(text.contains("pad"), "{text}");
    }
}
