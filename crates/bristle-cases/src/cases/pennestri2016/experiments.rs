//! The three mechanisms, each under any law.

use crate::cases::reading::{Find, Instant, Seek, read_off};
use bristle_certify::pennestri2016::{BELT, ContactNumbers, PRESLIDING, Reading, STACK};
use bristle_mech::Spec;
use bristle_record::Data;
use bristle_solve::{Dynamics, Output, Samples, Solver, Trajectory};
use bristle_study::RunError;
use bristle_study::Scenario;
use bristle_study::studies::simulate::{column, observe};
use bristle_study::studies::work_precision::rows_at;
use std::path::Path;

/// Which mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PublishedExperiment {
    Belt,
    Stack,
    Presliding,
}

impl PublishedExperiment {
    pub(super) const ALL: [PublishedExperiment; 3] =
        [PublishedExperiment::Belt, PublishedExperiment::Stack, PublishedExperiment::Presliding];

    pub(super) fn label(self) -> &'static str {
        match self {
            PublishedExperiment::Belt => "belt",
            PublishedExperiment::Stack => "stack",
            PublishedExperiment::Presliding => "pre-sliding",
        }
    }

    /// How long the paper lets it run; 10 s and 10.2 s are our choice, since the paper does not say.
    pub(super) fn duration(self) -> f64 {
        match self {
            PublishedExperiment::Belt => 50.0,
            PublishedExperiment::Stack => 10.0,
            PublishedExperiment::Presliding => 10.2,
        }
    }

    /// The bodies that move.
    pub(super) fn bodies(self) -> &'static [&'static str] {
        match self {
            PublishedExperiment::Stack => &["top", "middle", "bottom"],
            _ => &["block"],
        }
    }

    pub(super) fn contacts(self) -> &'static [&'static str] {
        match self {
            PublishedExperiment::Belt => &["pad"],
            PublishedExperiment::Stack => &["c1", "c2", "c3"],
            PublishedExperiment::Presliding => &["floor"],
        }
    }

    fn numbers(self) -> &'static [ContactNumbers] {
        match self {
            PublishedExperiment::Belt => std::slice::from_ref(&BELT),
            PublishedExperiment::Stack => &STACK,
            PublishedExperiment::Presliding => std::slice::from_ref(&PRESLIDING),
        }
    }

    /// The mechanism as printed, under its first law.
    fn bare(self) -> Result<Scenario, RunError> {
        let (text, name) = match self {
            PublishedExperiment::Belt => (include_str!("belt.toml"), "belt.toml"),
            PublishedExperiment::Stack => (include_str!("stack.toml"), "stack.toml"),
            PublishedExperiment::Presliding => (include_str!("presliding.toml"), "presliding.toml"),
        };
        Ok(Scenario::from_text(text, name, Path::new("."))?)
    }

    /// The mechanism under one law, printed numbers.
    pub(super) fn under(self, reading: Reading) -> Result<Scenario, RunError> {
        self.with(reading, |_| {})
    }

    /// The same with some of the printed numbers replaced.
    pub(super) fn with(
        self,
        reading: Reading,
        change: impl Fn(&mut ContactNumbers),
    ) -> Result<Scenario, RunError> {
        let specs = self.numbers().iter().map(|numbers| {
            let mut numbers = *numbers;
            change(&mut numbers);
            reading.spec(&numbers)
        });
        let specs: Vec<Spec> = specs.collect();
        let mut scenario = self.bare()?;
        for (contact, spec) in self.contacts().iter().zip(&specs) {
            scenario = scenario.with_law_spec(contact, spec)?;
        }
        Ok(scenario)
    }
}

/// A run on an even grid, without further rows at switches.
pub(super) struct GridRun {
    pub reading: Reading,
    pub data: Data,
    pub trajectory: Trajectory,
}

impl GridRun {
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
) -> Result<GridRun, RunError> {
    let system = &scenario.system;
    let p = system.params();
    let times = grid(step, end);
    let mut trajectory = solver
        .run(system, p, system.initial(p), end, &Output::Times(times.clone()), &mut ())
        .map_err(|source| RunError::Solve { study: reading.id().to_owned(), source })?;
    let all = std::mem::take(&mut trajectory.samples);
    trajectory.samples = Samples::new(all.dim, all.mode_count);
    for row in rows_at(&all, &times) {
        trajectory.samples.push(all.t[row], all.row(row), all.modes(row));
    }
    let data = observe(system, p, &trajectory);
    Ok(GridRun { reading, data, trajectory })
}

/// The times at which the slip rate on the belt passes a level, in order.
pub(super) fn crossings(scenario: &Scenario, level: f64) -> Result<Vec<f64>, RunError> {
    let mut scenario = scenario.clone();
    scenario.solver = Solver { h_max: Some(0.01), ..Solver::with_tolerance(TIGHT) };
    let slip_rate = |instant: &Instant| instant.get("pad.slip_rate");
    let questions = [Find::new(Seek::Falls(level), slip_rate), Find::new(Seek::Rises(level), slip_rate)];
    let found = read_off(&scenario, PublishedExperiment::Belt.duration(), &questions, &mut ())?.found;
    let mut times: Vec<f64> = found.iter().flatten().map(|f| f.t).collect();
    times.sort_by(f64::total_cmp);
    Ok(times)
}
