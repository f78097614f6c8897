//! One model behind every study: a mechanism, with or without cables.
//!
//! Studies, comparisons, advice and reports ask a [`Model`] what it can do and never what it is.

mod mechanism;

pub use mechanism::MechanismRun;

use crate::advise::contest::Contest;
use crate::energy::Closure;
use crate::equilibrium;
use crate::error::RunError;
use crate::scenario::{Scenario, Study};
use crate::scene::Scene;
use crate::studies::StudyKind;
use bristle_core::Choice;
use bristle_mech::{MechError, OutputChannel, System};
use bristle_record::{Cell, Data, Fact, Record, Section, Table};
use bristle_solve::Progress;
use bristle_solve::Solver;

/// What the parts of a scenario describe, ready to be moved and asked.
pub trait Model: Sync {
    /// Names and units of all outputs, in order, without the time.
    fn channels(&self) -> Vec<OutputChannel>;

    /// Why a question cannot be put to it, and a way out.
    fn refusal(&self, question: StudyKind) -> Option<(String, String)>;

    /// The distance of the samples of a run that does not give it, s.
    fn sampling(&self, duration: f64) -> f64;

    /// Moves it from its start; what was reached is kept where the run is stopped on its way.
    ///
    /// # Errors
    /// [`RunError`] of the integration.
    fn simulate<'a>(
        &'a self,
        solver: &Solver,
        span: &TimeSpan,
        progress: &mut dyn Progress,
    ) -> Result<Box<dyn ModelRun + 'a>, RunError>;

    /// The outputs that tell laws apart, to be laid side by side.
    fn compared(&self) -> Vec<ComparedOutput>;

    /// Runs its methods against each other.
    ///
    /// # Errors
    /// [`RunError::Stopped`], and the error of a reference run that fails.
    fn contest(&self, duration: f64, accuracy: f64, progress: &mut dyn Progress)
    -> Result<Contest, RunError>;

    /// Runs the scenario under other laws, as long and as accurately as the methods, and says which to take.
    ///
    /// # Errors
    /// [`RunError::Stopped`], and the error of a run that others are measured by.
    fn advise_laws(
        &self,
        scenario: &Scenario,
        contest: &Contest,
        record: &mut Record,
        progress: &mut dyn Progress,
    ) -> Result<(), RunError>;
}

/// A run of a model.
pub trait ModelRun {
    /// Time and all outputs.
    fn data(&self) -> &Data;

    /// The same, to keep.
    fn into_data(self: Box<Self>) -> Data;

    /// Whether it was stopped before its end.
    fn stopped_early(&self) -> bool;

    /// When something switched, and what.
    fn events(&self) -> Vec<(f64, String)>;

    /// How well its energy balance closes.
    fn balance(&self) -> Closure;

    /// What it took.
    fn cost(&self) -> Cost;

    /// What it found as single values, the verdicts first.
    fn facts(&self, scenario: &Scenario) -> Vec<Fact>;

    /// Ropes and drums as they move; nothing where there are none.
    fn scenes(&self, scenario: &Scenario) -> Vec<Scene>;

    /// What it found, in words, tables and figures.
    fn findings(&self, scenario: &Scenario, study: &Study) -> Findings;

    /// Single numbers that tell laws apart: name, unit and value.
    fn highlights(&self) -> Vec<(String, &'static str, Cell)>;
}

/// How long to run, and for whom.
#[derive(Clone, Copy, Debug)]
pub struct TimeSpan<'a> {
    /// The study, for messages.
    pub study: &'a str,
    /// How long, s.
    pub duration: f64,
    /// Distance of the samples, s.
    pub step: f64,
}

/// An output that tells laws apart.
#[derive(Clone, Debug)]
pub struct ComparedOutput {
    /// Its name.
    pub name: String,
    /// What it is, for an axis.
    pub label: String,
    /// Its unit.
    pub unit: &'static str,
    /// Whether it is drawn, and not only kept with the data.
    pub is_drawn: bool,
    /// Whether the distance from the first law says how far apart the motions are.
    pub is_place: bool,
}

/// What a run took: the method in words, and counts by name, the number of steps first.
#[derive(Clone, Debug)]
pub struct Cost {
    /// Which method, how.
    pub method: String,
    /// Steps, evaluations and so on.
    pub counts: Vec<(&'static str, usize)>,
    /// The count that tells most of the work.
    pub work: &'static str,
}

impl Cost {
    /// As a table of one row.
    pub(crate) fn table(&self) -> Table {
        let columns: Vec<_> = self.counts.iter().map(|(name, _)| (*name, "")).collect();
        let mut table = Table::new(self.method.clone(), &columns);
        table.row(self.counts.iter().map(|(_, n)| Cell::Text { text: n.to_string() }));
        table
    }
}

/// What a run found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// What happened, the verdicts first.
    pub verdicts: Vec<Fact>,
    /// What else is worth knowing, told after the energy balance.
    pub further: Vec<Fact>,
    /// Figures and tables.
    pub sections: Vec<Section>,
    /// Why the run cannot be trusted, if so.
    pub failure: Option<String>,
}

impl Scenario {
    /// What the parts describe.
    pub fn model(&self) -> &dyn Model {
        &self.system
    }

    /// Puts the parts together anew.
    pub(crate) fn rebuild(mut self) -> Result<Scenario, MechError> {
        self.system = System::assemble(&self.parts)?;
        for (name, formula) in &self.outputs_by_formula {
            // A formula may name a state that another law does not have; this output is then left out.
            let _ = self.system.derive(name, formula);
        }
        Ok(self)
    }

    /// Runs a study of kind `simulate`.
    ///
    /// # Errors
    /// [`RunError`] of the integration, and of a start at rest that is not found.
    pub fn simulate(
        &self,
        study: &Study,
        progress: &mut dyn Progress,
    ) -> Result<Box<dyn ModelRun + '_>, RunError> {
        let span = self.span(study);
        if study.spec.choices.first() == Some(&Choice(1)) {
            return mechanism::simulate_own(
                equilibrium::settled(self, study)?,
                &self.solver,
                &span,
                progress,
            );
        }
        self.model().simulate(&self.solver, &span, progress)
    }

    /// How long a study of kind `simulate` runs, and how finely.
    pub(crate) fn span<'a>(&self, study: &'a Study) -> TimeSpan<'a> {
        let (duration, step) = (study.spec.numbers[0], study.spec.numbers[1]);
        let step = if step.is_nan() { self.model().sampling(duration) } else { step };
        TimeSpan { study: &study.name, duration, step }
    }

    /// The first study of kind `simulate`.
    ///
    /// # Errors
    /// [`RunError::NothingToCompare`] without one.
    pub fn first_simulation(&self) -> Result<&Study, RunError> {
        let nothing = || RunError::NothingToCompare { scenario: self.name.clone() };
        self.studies.iter().find(|s| s.kind == StudyKind::Simulate).ok_or_else(nothing)
    }
}
