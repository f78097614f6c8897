//! The analyses of [`bristle_analysis`] for mechanisms: compiled once here, with paths instead of indices.
//!
//! | function | question |
//! |---|---|
//! | [`steady`](fn@steady), [`reached`] | Where does the mechanism slide steadily, and how stably? |
//! | [`branch`], [`hopf_near`], [`boundary`], [`map`] | What happens to that over one parameter, over two? |
//! | [`returns`], [`orbit`], [`find_orbits`], [`cycles`], [`from_hopf`] | Which cycles are there? |
//! | [`attractor`], [`sweep`] | What do motions settle to? |

mod param_path;

pub use param_path::{ParamPlace, place};
pub(crate) use param_path::{check, quantity};

use bristle_analysis::attractor::{Attractor, Patience};
use bristle_analysis::boundary::HopfBoundary;
use bristle_analysis::branch::{EquilibriumBranch, Range};
use bristle_analysis::cycles::OrbitBranch;
use bristle_analysis::find_orbits::OrbitSearch;
use bristle_analysis::hopf::Hopf;
use bristle_analysis::lyapunov::Lyapunov;
use bristle_analysis::map::{MapAxis, StabilityMap};
use bristle_analysis::orbit::PeriodicOrbit;
use bristle_analysis::section::PoincareSection;
use bristle_analysis::shooting::{Hit, ReturnMap, Shooting};
use bristle_analysis::steady::{Newton, SteadyState};
use bristle_analysis::sweep::{ParameterSweep, Survey, SweepCell};
use bristle_analysis::{AnalysisError, ContinuationSettings};
use bristle_mech::System;
use bristle_solve::{Dynamics, Output, Samples, Solver, State};

/// The return map of a mechanism.
pub type Returns<'a> = ReturnMap<'a, System>;

/// Places of the velocities among the states.
pub fn velocities(system: &System) -> Vec<usize> {
    system.free_motions().into_iter().map(|motion| motion.states[1]).collect()
}

/// Place of the position that belongs to the first velocity.
pub fn first_position(system: &System) -> Option<usize> {
    system.free_motions().first().map(|motion| motion.states[0])
}

/// The start of the scenario with all bodies at rest: near the steady sliding of a body held on a moving belt.
pub fn resting(system: &System, p: &[f64]) -> Vec<f64> {
    let mut x = system.initial(p).x;
    for v in velocities(system) {
        x[v] = 0.0;
    }
    x
}

/// Equilibrium of the mechanism: sought from all bodies at rest first, then from the scenario's own start.
pub fn steady(system: &System, p: &[f64]) -> Result<SteadyState, AnalysisError> {
    steady_near(system, p, &resting(system, p))
        .or_else(|error| steady_near(system, p, &system.initial(p).x).map_err(|_| error))
}

/// Equilibrium near a state.
pub fn steady_near(system: &System, p: &[f64], guess: &[f64]) -> Result<SteadyState, AnalysisError> {
    bristle_analysis::steady::steady(system, p, guess, Newton::default())
}

/// Where the motion from the scenario's start leads to.
#[derive(Clone, Debug)]
pub enum Reached {
    /// To an equilibrium, or to sliding at a steady speed.
    Steady(Box<SteadyState>),
    /// It gets faster without an end: the speed when it was given up, m/s, and when that was, s.
    RunsAway {
        /// Speed of the fastest body.
        speed: f64,
        /// Time.
        time: f64,
    },
    /// To neither within the time: it vibrates, or is too slow.
    Elsewhere,
}

/// A speed that changes by less than this share of itself in a tenth of the time is nearly steady.
const NEARLY: f64 = 0.05;

/// How long the motion is watched at first where nothing says otherwise, s.
pub const WATCHED: f64 = 10.0;

/// More steps than this are not worth waiting for.
const MOST_STEPS: usize = 100_000;

/// Follows the motion from the scenario's start for `time` and longer, up to a hundred times, and looks for the steady
/// state it nears.
pub fn reached(system: &System, p: &[f64], solver: &Solver, time: f64) -> Result<Reached, AnalysisError> {
    let mut state = system.initial(p);
    let speeds = velocities(system);
    let solver = &Solver { max_steps: solver.max_steps.min(MOST_STEPS), ..*solver };
    let mut span = time;
    for _ in 0..3 {
        let end = state.t + span;
        let run = solver.run(system, p, state, end, &Output::Grid { step: 0.01 * span }, &mut ())?;
        state = run.end;
        let last = run.samples.len() - 1;
        let before = run.samples.t.partition_point(|t| *t < end - 0.15 * span).min(last);
        let change = |v: &usize| (run.samples.row(last)[*v] - run.samples.row(before)[*v]).abs();
        let size = |v: &usize| run.samples.row(last)[*v].abs();
        let fastest = speeds.iter().map(size).fold(0.0, f64::max);
        if speeds.iter().all(|v| change(v) <= NEARLY * fastest.max(f64::MIN_POSITIVE))
            && let Ok(found) = steady_near(system, p, &state.x)
            && is_near(system, p, &found, &state.x)
        {
            return Ok(Reached::Steady(Box::new(found)));
        }
        // Faster and faster, and by about as much as before.
        let middle = run.samples.t.partition_point(|t| *t < end - 0.5 * span).min(last);
        let gain =
            |v: &usize, a: usize, b: usize| run.samples.row(b)[*v].abs() - run.samples.row(a)[*v].abs();
        let runs_away =
            |v: &usize| gain(v, 0, middle) > 0.0 && gain(v, middle, last) > 0.8 * gain(v, 0, middle);
        let fastest_body = speeds.iter().max_by(|a, b| size(a).total_cmp(&size(b)));
        if state.t >= 10.0 * time && fastest_body.is_some_and(runs_away) {
            return Ok(Reached::RunsAway { speed: fastest, time: state.t });
        }
        if speeds.iter().any(|v| turns(&run.samples, *v, middle) > 3) {
            return Ok(Reached::Elsewhere);
        }
        span *= 10.0;
    }
    Ok(Reached::Elsewhere)
}

/// How often a state turns back after a sample.
fn turns(samples: &Samples, state: usize, from: usize) -> usize {
    let x: Vec<f64> = samples.column(state).skip(from).collect();
    let steps: Vec<f64> = x.windows(2).map(|w| w[1] - w[0]).filter(|d| *d != 0.0).collect();
    steps.windows(2).filter(|w| w[0] * w[1] < 0.0).count()
}

/// Whether an equilibrium is the one a motion is about to reach, and not one that Newton's method ran off to.
fn is_near(system: &System, p: &[f64], found: &SteadyState, x: &[f64]) -> bool {
    let mut scale = vec![1.0; system.dim()];
    system.scales(p, &mut scale);
    found.active.iter().all(|&i| (found.x[i] - x[i]).abs() <= 0.5 * scale[i].max(x[i].abs()))
}

/// Where branches, maps and sweeps begin: the equilibrium near rest; where it is unstable, the stable one that the motion from the
/// scenario's start reaches, such as steady sliding beside bristles that are bent too far to hold.
pub(crate) fn beginning(system: &System, p: &[f64]) -> Result<SteadyState, AnalysisError> {
    let first = steady(system, p)?;
    if first.is_stable() {
        return Ok(first);
    }
    Ok(match reached(system, p, &Solver::default(), WATCHED) {
        Ok(Reached::Steady(found)) if found.is_stable() => *found,
        _ => first,
    })
}

/// Follows an equilibrium over one parameter.
pub fn branch(
    system: &System,
    p: &[f64],
    range: Range,
    pace: ContinuationSettings,
) -> Result<EquilibriumBranch, AnalysisError> {
    let mut first = p.to_vec();
    if let Some(value) = first.get_mut(range.parameter) {
        *value = range.from;
    }
    let guess = beginning(system, &first)?.x;
    bristle_analysis::branch::branch(system, p, &guess, range, pace)
}

/// The Hopf point nearest to the equilibrium at `p` when one parameter is varied.
pub fn hopf_near(system: &System, p: &[f64], parameter: usize) -> Result<Hopf, AnalysisError> {
    let guess = steady(system, p)?.x;
    bristle_analysis::branch::hopf_near(system, p, &guess, parameter)
}

/// The Hopf curve through a point in two parameters.
pub fn boundary(
    system: &System,
    start: &Hopf,
    ranges: [Range; 2],
    pace: ContinuationSettings,
) -> Result<HopfBoundary, AnalysisError> {
    bristle_analysis::boundary::boundary(system, start, ranges, pace)
}

/// Stability on a grid of two parameters.
pub fn map(
    system: &System,
    p: &[f64],
    rows: MapAxis,
    columns: MapAxis,
) -> Result<StabilityMap, AnalysisError> {
    let mut first = p.to_vec();
    for axis in [&rows, &columns] {
        if let (Some(slot), Some(value)) = (first.get_mut(axis.parameter), axis.values.first()) {
            *slot = *value;
        }
    }
    let guess = beginning(system, &first)?.x;
    bristle_analysis::map::map(system, &first, &guess, rows, columns)
}

/// The section on which cycles are cut unless one is given: the first body turns back.
pub fn section(system: &System) -> Option<PoincareSection> {
    velocities(system).first().map(|&v| PoincareSection::falling(v, 0.0))
}

/// The return map along the motion from `start`.
pub fn returns<'a>(
    system: &'a System,
    p: &[f64],
    start: &[f64],
    section: PoincareSection,
    shooting: Shooting,
) -> Result<Returns<'a>, AnalysisError> {
    ReturnMap::new(system, p, start, section, shooting)
}

/// The next hits of a motion.
pub fn hits(map: &Returns, p: &[f64], start: &[f64], count: usize) -> Result<Vec<Hit>, AnalysisError> {
    map.hits(p, start, count)
}

/// The orbit that passes near a state on the section.
pub fn orbit(
    map: &Returns,
    p: &[f64],
    guess: &State,
    multiplicity: usize,
) -> Result<PeriodicOrbit, AnalysisError> {
    map.orbit(p, guess, multiplicity)
}

/// All cycles that the motions from the given starts lead to.
pub fn find_orbits(
    map: &Returns,
    p: &[f64],
    starts: &[Vec<f64>],
    search: &OrbitSearch,
) -> Result<Vec<PeriodicOrbit>, AnalysisError> {
    map.find_orbits(p, starts, search)
}

/// An orbit sampled over one period.
pub fn profile(
    system: &System,
    orbit: &PeriodicOrbit,
    map: &Returns,
    count: usize,
) -> Result<Samples, AnalysisError> {
    orbit.profile(system, &map.shooting.solver, count)
}

/// Follows an orbit over a parameter.
pub fn cycles(
    map: &Returns,
    start: &PeriodicOrbit,
    range: Range,
    pace: ContinuationSettings,
) -> Result<OrbitBranch, AnalysisError> {
    bristle_analysis::cycles::cycles(map, start, range, pace)
}

/// The small orbit near a Hopf point with the given amplitude of one state.
pub fn from_hopf(
    map: &Returns,
    hopf: &Hopf,
    state: usize,
    amplitude: f64,
) -> Result<PeriodicOrbit, AnalysisError> {
    bristle_analysis::cycles::from_hopf(map, hopf, state, amplitude)
}

/// What a motion settles to.
pub fn attractor(
    map: &Returns,
    p: &[f64],
    start: &[f64],
    patience: Patience,
) -> Result<Attractor, AnalysisError> {
    map.attractor(p, start, patience)
}

/// The leading Lyapunov exponent from a state on the section.
pub fn lyapunov(map: &Returns, p: &[f64], start: &State, cycles: usize) -> Result<Lyapunov, AnalysisError> {
    map.lyapunov(p, start, cycles)
}

/// Attractors over a parameter.
pub fn sweep(
    map: &Returns,
    p: &[f64],
    job: &ParameterSweep,
    done: &[SweepCell],
    progress: &(dyn Fn(&SweepCell) -> bool + Sync),
) -> Result<Survey, AnalysisError> {
    bristle_analysis::sweep::sweep(map, p, job, done, progress)
}
