//! The problems and their solutions.

use crate::belt::BlockOnBelt;
use bristle_record::Data;
use bristle_solve::Progress;
use bristle_solve::{Dynamics, Method, Output, Samples, Solver};
use bristle_study::RunError;
use bristle_study::Scenario;
use bristle_study::studies::simulate::observe;
use bristle_study::studies::work_precision::rows_at;
use std::path::Path;

/// A test problem.
#[derive(Clone, Copy, Debug)]
pub struct PackProblem {
    /// The name of its folder.
    pub name: &'static str,
    /// One line.
    pub title: &'static str,
    /// What someone with another simulator has to know, in Markdown.
    pub about: &'static str,
    /// The same as a scenario.
    pub scenario: &'static str,
    /// How long it lasts, s.
    pub duration: f64,
    /// Distance of the samples, s.
    pub step: f64,
    /// Outputs to compare.
    pub columns: &'static [&'static str],
    /// The columns in closed form, where they are known.
    pub exact: Option<fn(f64) -> Vec<f64>>,
}

/// A reference solution.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Time and the columns to compare.
    pub data: Data,
    /// How far each column may be off, in the order of the columns.
    pub errors: Vec<f64>,
    /// Where these come from.
    pub basis: &'static str,
}

/// All problems.
pub fn problems() -> &'static [PackProblem] {
    const ALL: &[PackProblem] = &[
        PackProblem {
            name: "hold",
            title: "A block held below its static friction for five minutes",
            about: include_str!("problems/hold.md"),
            scenario: include_str!("problems/hold.toml"),
            duration: 300.0,
            step: 0.5,
            columns: &["block.q", "block.v"],
            exact: Some(|_| vec![0.0, 0.0]),
        },
        PackProblem {
            name: "belt",
            title: "Stick–slip on a belt under Coulomb friction",
            about: include_str!("problems/belt.md"),
            scenario: include_str!("../../../../examples/belt.toml"),
            duration: 50.0,
            step: 0.05,
            columns: &["block.q", "block.v", "pad.loss"],
            exact: Some(|t| {
                let ride = BlockOnBelt { mass: 20.0, k: 10.0, v: 0.5, f_d: 98.1, f_s: 117.72 }.at(t);
                vec![ride.x, ride.v, ride.loss]
            }),
        },
        PackProblem {
            name: "belt_lugre",
            title: "The same belt under the LuGre law",
            about: include_str!("problems/belt_lugre.md"),
            scenario: include_str!("problems/belt_lugre.toml"),
            duration: 50.0,
            step: 0.05,
            columns: &["block.q", "block.v", "pad.loss"],
            exact: None,
        },
        PackProblem {
            name: "stack",
            title: "Three stacked bodies under Coulomb friction",
            about: include_str!("problems/stack.md"),
            scenario: include_str!("../../../../examples/stack.toml"),
            duration: 5.0,
            step: 0.01,
            columns: &["top.q", "middle.q", "bottom.q", "top.v", "middle.v"],
            exact: None,
        },
        PackProblem {
            name: "presliding",
            title: "A block shaken below its static friction under the LuGre law",
            about: include_str!("problems/presliding.md"),
            scenario: include_str!("../../../../examples/presliding.toml"),
            duration: 10.2,
            step: 0.01,
            columns: &["block.q", "block.v", "pad.loss"],
            exact: None,
        },
        PackProblem {
            name: "bench_pulse",
            title: "A fast pulse below break-away under a second-order bristle law",
            about: include_str!("problems/bench_pulse.md"),
            scenario: include_str!("../../../../examples/bench.toml"),
            duration: 0.03,
            step: 2e-5,
            columns: &["block.q", "block.v", "pad.z"],
            exact: None,
        },
        PackProblem {
            name: "belt_dwell",
            title: "A belt whose contact strengthens at rest",
            about: include_str!("problems/belt_dwell.md"),
            scenario: include_str!("../../../../examples/belt_dwell.toml"),
            duration: 3.0,
            step: 1e-3,
            columns: &["block.q", "block.v", "pad.phi"],
            exact: None,
        },
        PackProblem {
            name: "festoon",
            title: "A festoon cable system with two trolleys",
            about: include_str!("problems/festoon.md"),
            scenario: include_str!("../../../../examples/festoon.toml"),
            duration: 10.0,
            step: 0.01,
            columns: &["t1.q", "t2.q", "t1.v", "t2.v"],
            exact: None,
        },
    ];
    ALL
}

/// Solves a problem: in closed form, or twice by methods of different kinds whose difference is the error.
pub fn solve(problem: &PackProblem, progress: &mut dyn Progress) -> Result<Solution, RunError> {
    let count = (problem.duration / problem.step).round() as usize;
    let times: Vec<f64> = (0..=count).map(|i| (i as f64 * problem.step).min(problem.duration)).collect();
    let tight = Solver { max_steps: 20_000_000, ..Solver::with_tolerance(1e-12) };
    let ours = run(problem, &times, &tight, progress)?;
    if let Some(exact) = problem.exact {
        let rows: Vec<Vec<f64>> = times.iter().map(|t| exact(*t)).collect();
        let mut data = ours.clone();
        for (k, column) in data.columns.iter_mut().skip(1).enumerate() {
            column.values = rows.iter().map(|row| row[k]).collect();
        }
        // Rounding of the closed form itself; our own runs are a check on both.
        let errors = data.columns.iter().skip(1).map(|c| 1e-14 * largest(&c.values)).collect();
        return Ok(Solution { data, errors, basis: "closed form, exact to rounding" });
    }
    let other = Solver { method: Method::Rodas5p, ..Solver::with_tolerance(1e-11) };
    let check = run(problem, &times, &other, progress)?;
    let gap = |(a, b): (&bristle_record::Channel, &bristle_record::Channel)| {
        let gaps = a.values.iter().zip(&b.values).map(|(x, y)| (x - y).abs());
        gaps.fold(1e-15 * largest(&a.values), f64::max)
    };
    let errors = ours.columns.iter().zip(&check.columns).skip(1).map(gap).collect();
    let basis = "tolerance 1e-12; the error is the largest difference from an implicit method at 1e-11";
    Ok(Solution { data: ours, errors, basis })
}

fn largest(values: &[f64]) -> f64 {
    values.iter().map(|v| v.abs()).fold(0.0, f64::max)
}

/// Time and the problem's columns at these times.
fn run(
    problem: &PackProblem,
    times: &[f64],
    solver: &Solver,
    progress: &mut dyn Progress,
) -> Result<Data, RunError> {
    let scenario = Scenario::from_text(problem.scenario, problem.name, Path::new("."))?;
    let (system, p) = (&scenario.system, scenario.system.params());
    let mut stopped = false;
    let mut watch = |t: f64, _: &[f64], _: &[bristle_core::Mode]| {
        stopped |= !progress.at(t / problem.duration);
        !stopped
    };
    let output = Output::Times(times.to_vec());
    let failed = |source| RunError::Solve { study: problem.name.to_owned(), source };
    let run =
        solver.run(system, p, system.initial(p), problem.duration, &output, &mut watch).map_err(failed)?;
    if stopped {
        return Err(RunError::Stopped);
    }
    // Switches leave rows of their own.
    let mut kept = Samples::new(run.samples.dim, run.samples.mode_count);
    for row in rows_at(&run.samples, times) {
        kept.push(run.samples.t[row], run.samples.row(row), run.samples.modes(row));
    }
    let trajectory = bristle_solve::Trajectory { samples: kept, ..run };
    let mut all = observe(system, p, &trajectory);
    let known: Vec<String> = all.columns.iter().map(|c| c.name.clone()).collect();
    let wanted = |name: &str| name == "time" || problem.columns.contains(&name);
    all.columns.retain(|c| wanted(&c.name));
    let order = |name: &str| problem.columns.iter().position(|c| *c == name).map_or(0, |i| i + 1);
    all.columns.sort_by_key(|c| order(&c.name));
    if all.columns.len() != problem.columns.len() + 1 {
        let reason = format!("an output is missing; there are {}", known.join(", "));
        return Err(RunError::Case { case: problem.name.to_owned(), reason });
    }
    Ok(all)
}
