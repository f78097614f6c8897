//! The three mechanisms, each under any law.

use super::readings::{BELT, Numbers, PRESLIDING, Reading, STACK};
use crate::error::RunError;
use crate::scenario::Scenario;
use crate::studies::simulate::{column, observe};
use bristle_mech::Spec;
use bristle_record::Data;
use bristle_solve::{Dynamics, Follow, Integrator, Output, Segment, Solver, State, Trajectory};
use std::path::Path;

/// Which mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Experiment {
    Belt,
    Stack,
    Presliding,
}

impl Experiment {
    pub(super) const ALL: [Experiment; 3] = [Experiment::Belt, Experiment::Stack, Experiment::Presliding];

    pub(super) fn label(self) -> &'static str {
        match self {
            Experiment::Belt => "belt",
            Experiment::Stack => "stack",
            Experiment::Presliding => "pre-sliding",
        }
    }

    /// How long the paper lets it run; 10 s and 10.2 s are our choice, since the paper does not say.
    pub(super) fn duration(self) -> f64 {
        match self {
            Experiment::Belt => 50.0,
            Experiment::Stack => 10.0,
            Experiment::Presliding => 10.2,
        }
    }

    /// The bodies that move.
    pub(super) fn bodies(self) -> &'static [&'static str] {
        match self {
            Experiment::Stack => &["top", "middle", "bottom"],
            _ => &["block"],
        }
    }

    pub(super) fn contacts(self) -> &'static [&'static str] {
        match self {
            Experiment::Belt => &["pad"],
            Experiment::Stack => &["c1", "c2", "c3"],
            Experiment::Presliding => &["floor"],
        }
    }

    fn numbers(self) -> &'static [Numbers] {
        match self {
            Experiment::Belt => std::slice::from_ref(&BELT),
            Experiment::Stack => &STACK,
            Experiment::Presliding => std::slice::from_ref(&PRESLIDING),
        }
    }

    /// The mechanism as printed, under its first law.
    fn bare(self) -> Result<Scenario, RunError> {
        let (text, name) = match self {
            Experiment::Belt => (include_str!("belt.toml"), "belt.toml"),
            Experiment::Stack => (include_str!("stack.toml"), "stack.toml"),
            Experiment::Presliding => (include_str!("presliding.toml"), "presliding.toml"),
        };
        Ok(Scenario::from_text(text, name, Path::new("."))?)
    }

    /// The mechanism under one law, printed numbers.
    pub(super) fn under(self, reading: Reading) -> Result<Scenario, RunError> {
        self.with(reading, |_| {})
    }

    /// The same with some of the printed numbers replaced.
    pub(super) fn with(self, reading: Reading, change: impl Fn(&mut Numbers)) -> Result<Scenario, RunError> {
        let specs = self.numbers().iter().map(|numbers| {
            let mut numbers = *numbers;
            change(&mut numbers);
            reading.spec(&numbers)
        });
        let specs: Vec<Spec> = specs.collect();
        let mut scenario = self.bare()?;
        for (contact, spec) in self.contacts().iter().zip(&specs) {
            scenario = scenario
                .with_law_spec(contact, spec)
                .map_err(|source| RunError::Law { law: reading.id().to_owned(), source })?;
        }
        Ok(scenario)
    }
}

/// A run on an even grid, without further rows at switches.
pub(super) struct Run {
    pub reading: Reading,
    pub data: Data,
    pub trajectory: Trajectory,
}

impl Run {
    pub(super) fn column(&self, name: &str) -> &[f64] {
        column(&self.data, name)
    }

    /// The last value of an output.
    pub(super) fn last(&self, name: &str) -> f64 {
        self.column(name).last().copied().unwrap_or(f64::NAN)
    }
}

/// Tolerances at which our method is good for all digits of the recomputations.
pub(super) const TIGHT: f64 = 1e-11;

/// Even times from zero to `end`, both included.
pub(super) fn grid(step: f64, end: f64) -> Vec<f64> {
    let count = (end / step).round() as usize;
    (0..=count).map(|i| (i as f64 * step).min(end)).collect()
}

pub(super) fn run(
    scenario: &Scenario,
    reading: Reading,
    solver: &Solver,
    step: f64,
    end: f64,
) -> Result<Run, RunError> {
    let system = &scenario.system;
    let p = system.params();
    let trajectory = solver
        .run(system, p, system.initial(p), end, &Output::Times(grid(step, end)), &mut ())
        .map_err(|source| RunError::Solve { study: reading.id().to_owned(), source })?;
    let data = observe(system, p, &trajectory);
    Ok(Run { reading, data, trajectory })
}

/// The times at which a state passes a level, in order.
pub(super) fn crossings(
    scenario: &Scenario,
    state: usize,
    level: f64,
    end: f64,
) -> Result<Vec<f64>, RunError> {
    let system = &scenario.system;
    let fault = |source| RunError::Solve { study: "crossings".to_owned(), source };
    let solver = Solver::with_tolerance(TIGHT);
    let mut integrator = Integrator::new(system, system.params(), &solver).map_err(fault)?;
    integrator.reset(&system.initial(system.params())).map_err(fault)?;
    let mut crossings = Crossings { state, level, times: Vec::new(), row: vec![0.0; system.dim()] };
    integrator.advance(end, &mut crossings).map_err(fault)?;
    Ok(crossings.times)
}

/// Finds crossings inside the steps by bisection of the dense output.
struct Crossings {
    state: usize,
    level: f64,
    times: Vec<f64>,
    row: Vec<f64>,
}

impl Follow for Crossings {
    fn looks_inside(&self, _t0: f64, _t1: f64) -> bool {
        true
    }

    fn step(&mut self, segment: &Segment) -> bool {
        let side = |x: &[f64]| x[self.state] >= self.level;
        let above = side(segment.x0);
        if above != side(segment.x1) {
            let (mut low, mut high) = (segment.t0, segment.t1);
            while high - low > 1e-13 * high.abs().max(1e-3) {
                let middle = 0.5 * (low + high);
                segment.at(middle, &mut self.row);
                if side(&self.row) == above {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            self.times.push(0.5 * (low + high));
        }
        true
    }

    fn event(&mut self, _guard: usize, _before: &State, _after: &State) {}
}
