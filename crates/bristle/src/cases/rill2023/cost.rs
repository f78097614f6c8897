//! What the runs cost, beside two established integrators on the same equations.

use super::bench::{BREAK_AWAY, Bench, HOLD, Push, STEPS};
use super::{Law, festoon};
use crate::error::RunError;
use crate::scenario::Scenario;
use bristle_record::{Block, Cell, Table};
use bristle_solve::{Dynamics, Method, Output, Solver, Statistics};

/// One experiment: its name, duration, converged end value, and what others needed at RelTol 10⁻⁶, AbsTol 10⁻⁹.
struct Entry {
    name: &'static str,
    push: Option<Push>,
    duration: f64,
    exact: f64,
    /// Steps and rate evaluations.
    octave: [usize; 2],
    cvode: [usize; 2],
    cvode_jacobian: [usize; 2],
    /// End value with the Jacobian.
    cvode_end: f64,
}

const ENTRIES: [Entry; 7] = [
    Entry {
        name: "Fig. 3",
        push: Some(HOLD),
        duration: 300.0,
        exact: 1.1654252482314742e-6,
        octave: [47, 128],
        cvode: [53, 92],
        cvode_jacobian: [38, 71],
        cvode_end: 1.1628033189695585e-6,
    },
    Entry {
        name: "Fig. 5",
        push: Some(BREAK_AWAY),
        duration: 11.0,
        exact: 8.080185113022317,
        octave: [286, 847],
        cvode: [302, 493],
        cvode_jacobian: [205, 327],
        cvode_end: 8.080208536497372,
    },
    Entry {
        name: "Fig. 6a",
        push: Some(STEPS[0]),
        duration: 0.18457825,
        exact: 1.1177340712364632e-6,
        octave: [177, 1372],
        cvode: [131, 200],
        cvode_jacobian: [143, 227],
        cvode_end: 1.1177356753018769e-6,
    },
    Entry {
        name: "Fig. 6b",
        push: Some(STEPS[1]),
        duration: 0.02707825,
        exact: 1.111059293957298e-6,
        octave: [157, 300],
        cvode: [140, 205],
        cvode_jacobian: [144, 192],
        cvode_end: 1.1110557658095962e-6,
    },
    Entry {
        name: "Fig. 6c",
        push: Some(STEPS[2]),
        duration: 0.01132825,
        exact: 2.27271182477405e-6,
        octave: [237, 498],
        cvode: [233, 344],
        cvode_jacobian: [220, 299],
        cvode_end: 2.2726912652973664e-6,
    },
    Entry {
        name: "Fig. 6d",
        push: Some(STEPS[3]),
        duration: 0.00975325,
        exact: 2.6015053854802634e-6,
        octave: [263, 584],
        cvode: [266, 392],
        cvode_jacobian: [247, 329],
        cvode_end: 2.6015192179635636e-6,
    },
    Entry {
        name: "festoon, 10 s",
        push: None,
        duration: 10.0,
        exact: 1.8492924056077815,
        octave: [6920, 28956],
        cvode: [6683, 13425],
        cvode_jacobian: [6798, 10008],
        cvode_end: 1.849292982298889,
    },
];

/// Loosest tolerance tried, how many, and the ratio of one to the next: a quarter of a decade.
const LOOSEST: f64 = 1e-2;
const TRIALS: i32 = 20;
const RATIO: f64 = 0.562_341_325_190_349;

/// A run: its method and tolerance, the error at its end, and its cost.
struct Trial {
    method: Method,
    tolerance: f64,
    error: f64,
    statistics: Statistics,
}

pub(super) fn blocks(bench: &Bench) -> Result<Vec<Block>, RunError> {
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
    for entry in &ENTRIES {
        let scenario = match entry.push {
            Some(push) => bench.under(Law::FrDyn2, push)?,
            None => festoon::under(Law::FrDyn2)?,
        };
        let goal = (entry.cvode_end - entry.exact).abs();
        let trials = trials(&scenario, entry, goal);
        let cheapest = |wanted: &dyn Fn(&Trial) -> bool| {
            trials.iter().filter(|t| wanted(t)).min_by_key(|t| t.statistics.evaluations)
        };
        let Some(trial) = cheapest(&|_| true) else { continue };
        let counts = |trial: &Trial| {
            let Statistics { steps, evaluations, jacobians, .. } = trial.statistics;
            format!("{steps} / {evaluations} / {jacobians}")
        };
        let auto = cheapest(&|t| t.method == Method::Auto).map_or_else(|| "not reached".to_owned(), counts);
        let pair = |[steps, rates]: [usize; 2]| Cell::from(format!("{steps} / {rates}"));
        table.row([
            entry.name.into(),
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
fn trials(scenario: &Scenario, entry: &Entry, goal: f64) -> Vec<Trial> {
    // The crane is stiff throughout and long: explicit and library methods would only cost time.
    let is_long = entry.push.is_none();
    let (methods, count): (&[Method], i32) =
        if is_long { (&[Method::Auto, Method::Rodas5p, Method::Rodas4], 10) } else { (Method::ALL, TRIALS) };
    let settings = methods.iter().flat_map(|m| (0..count).map(|k| (*m, LOOSEST * RATIO.powi(k))));
    let runs = settings.filter_map(|(method, tolerance)| attempt(scenario, entry, method, tolerance));
    runs.filter(|trial| trial.error <= goal).collect()
}

/// A run, unless it needs so many steps that it cannot be the cheapest.
fn attempt(scenario: &Scenario, entry: &Entry, method: Method, tolerance: f64) -> Option<Trial> {
    let system = &scenario.system;
    let max_steps = 2 * entry.octave[0];
    let solver = Solver { method, rtol: tolerance, atol: tolerance, max_steps, ..scenario.solver };
    let run = system.run(&solver, entry.duration, &Output::Ends, &mut ()).ok()?;
    let wanted = if entry.push.is_some() { "block.q" } else { "t1.q" };
    let place = (0..system.dim()).find(|&i| system.state_name(i) == wanted)?;
    let error = (run.end.x[place] - entry.exact).abs();
    Some(Trial { method, tolerance, error, statistics: run.statistics })
}
