//! What the runs cost, beside two established integrators on the same equations.

use super::bench::{BREAK_AWAY, HOLD, PaperBench, Push, STEPS};
use super::{ComparedLaw, festoon};
use bristle_record::{Block, Cell, Table};
use bristle_solve::{Dynamics, Method, Output, Solver, Statistics};
use bristle_study::RunError;
use bristle_study::Scenario;
use serde::Deserialize;

/// What others needed.
const PEERS: &str = include_str!("peers.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Peers {
    run: Vec<CostExperiment>,
}

/// One experiment: its name, duration, converged end value, and what others needed at RelTol 10⁻⁶, AbsTol 10⁻⁹.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CostExperiment {
    name: String,
    duration: f64,
    exact: f64,
    /// Steps and rate evaluations.
    octave: [usize; 2],
    cvode: [usize; 2],
    cvode_jacobian: [usize; 2],
    /// End value with the Jacobian.
    cvode_end: f64,
}

/// Which force each of the listed runs takes; the last is the crane.
const PUSHES: [Option<Push>; 7] =
    [Some(HOLD), Some(BREAK_AWAY), Some(STEPS[0]), Some(STEPS[1]), Some(STEPS[2]), Some(STEPS[3]), None];

/// Loosest tolerance tried, how many, and the ratio of one to the next: a quarter of a decade.
const LOOSEST: f64 = 1e-2;
const TRIALS: i32 = 20;
const RATIO: f64 = 0.562_341_325_190_349;

/// A run: its method and tolerance, the error at its end, and its cost.
struct CostTrial {
    method: Method,
    tolerance: f64,
    error: f64,
    statistics: Statistics,
}

pub(super) fn blocks(bench: &PaperBench) -> Result<Vec<Block>, RunError> {
    let columns = [
        ("experiment", ""),
        ("Octave ode15s", "steps / rates"),
        ("CVODE", "steps / rates"),
        ("CVODE with Jacobian", "steps / rates"),
        ("its error", "m"),
        ("bristle", "steps / rates / Jacobians"),
        ("our error", "m"),
        ("method", ""),
        ("tolerance", ""),
        ("`auto` alone", "steps / rates / Jacobians"),
    ];
    let mut table = Table::new(
        "Cost at the error CVODE with a Jacobian achieves at RelTol 10⁻⁶, AbsTol 10⁻⁹ (Octave, CVODE: counts measured on the same equations)",
        &columns,
    );
    let error = |e: toml::de::Error| RunError::Case { case: "rill2023".to_owned(), reason: e.to_string() };
    let peers: Peers = toml::from_str(PEERS).map_err(error)?;
    for (entry, push) in peers.run.iter().zip(PUSHES) {
        let scenario = match push {
            Some(push) => bench.under(ComparedLaw::FrDyn2, push)?,
            None => festoon::under(ComparedLaw::FrDyn2)?,
        };
        let goal = (entry.cvode_end - entry.exact).abs();
        let trials = trials(&scenario, entry, push.is_none(), goal);
        let cheapest = |wanted: &dyn Fn(&CostTrial) -> bool| {
            trials.iter().filter(|t| wanted(t)).min_by_key(|t| t.statistics.evaluations)
        };
        let Some(trial) = cheapest(&|_| true) else { continue };
        let counts = |trial: &CostTrial| {
            let Statistics { steps, evaluations, jacobians, .. } = trial.statistics;
            format!("{steps} / {evaluations} / {jacobians}")
        };
        let auto = cheapest(&|t| t.method == Method::Auto).map_or_else(|| "not reached".to_owned(), counts);
        let pair = |[steps, rates]: [usize; 2]| Cell::from(format!("{steps} / {rates}"));
        table.row([
            entry.name.as_str().into(),
            pair(entry.octave),
            pair(entry.cvode),
            pair(entry.cvode_jacobian),
            Cell::Number { value: goal, digits: 2 },
            counts(trial).into(),
            Cell::Number { value: trial.error, digits: 2 },
            trial.method.card().name.into(),
            Cell::Number { value: trial.tolerance, digits: 2 },
            auto.into(),
        ]);
    }
    let words = "For each run the cheapest of our methods and tolerances whose error at the end is no larger than CVODE's. Rates \
        are evaluations of the right-hand side; a Jacobian by dual numbers is counted apart, as CVODE counts its own; a \
        linearly implicit method needs one per step, a multistep method far fewer. The method is chosen with hindsight: the last \
        column is what `auto` needs by itself. Our absolute tolerance is scaled with the bristle deflection, theirs is one number for all states.";
    Ok(vec![Block::paragraph(words), table.into()])
}

/// All runs that reach the goal.
fn trials(scenario: &Scenario, entry: &CostExperiment, is_crane: bool, goal: f64) -> Vec<CostTrial> {
    // The crane is stiff throughout and long: explicit and library methods would only cost time.
    let (methods, count): (&[Method], i32) =
        if is_crane { (&[Method::Auto, Method::Rodas5p, Method::Rodas4], 10) } else { (Method::ALL, TRIALS) };
    let settings = methods.iter().flat_map(|m| (0..count).map(|k| (*m, LOOSEST * RATIO.powi(k))));
    let runs =
        settings.filter_map(|(method, tolerance)| attempt(scenario, entry, is_crane, method, tolerance));
    runs.filter(|trial| trial.error <= goal).collect()
}

/// A run, unless it needs so many steps that it cannot be the cheapest.
fn attempt(
    scenario: &Scenario,
    entry: &CostExperiment,
    is_crane: bool,
    method: Method,
    tolerance: f64,
) -> Option<CostTrial> {
    let system = &scenario.system;
    let max_steps = 2 * entry.octave[0];
    let solver = Solver { method, rtol: tolerance, atol: tolerance, max_steps, ..scenario.solver };
    let run = system.run(&solver, entry.duration, &Output::Ends, &mut ()).ok()?;
    let wanted = if is_crane { "t1.q" } else { "block.q" };
    let place = (0..system.dim()).find(|&i| system.state_name(i) == wanted)?;
    let error = (run.end.x[place] - entry.exact).abs();
    Some(CostTrial { method, tolerance, error, statistics: run.statistics })
}
