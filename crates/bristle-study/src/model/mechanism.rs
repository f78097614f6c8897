//! A mechanism, with or without cables, as a model.

use super::{ComparedOutput, Cost, Findings, Model, ModelRun, TimeSpan};
use crate::advise::contest::Contest;
use crate::advise::{laws, methods, ropes};
use crate::energy::Closure;
use crate::error::RunError;
use crate::scenario::{Scenario, Study};
use crate::scene::Scene;
use crate::studies::StudyKind;
use crate::studies::simulate::{Simulation, balance, column, label, report, simulate, spread};
use bristle_mech::{OutputChannel, System};
use bristle_record::{Cell, Data, Fact, Record};
use bristle_solve::Progress;
use bristle_solve::{Dynamics, Solver, Statistics};
use std::borrow::Cow;

/// Samples of a run unless their distance is given.
const SAMPLES: f64 = 2000.0;

/// Values of a run unless the distance of its samples is given: more than five hundred outputs are sampled less often.
const VALUES: f64 = 1e6;

/// Outputs by which laws are compared, the last three where there are cables.
const COMPARED: [&str; 6] = ["q", "force", "slip_rate", "y", "friction", "loss"];

impl Model for System {
    fn channels(&self) -> Vec<OutputChannel> {
        System::channels(self)
    }

    fn refusal(&self, question: StudyKind) -> Option<(String, String)> {
        let (reason, hint) = match (question, self.has_ropes()) {
            (StudyKind::Limit, true) if self.is_cable_alone() => return None,
            (StudyKind::Limit, true) => (
                "`limit` asks how much a cable holds that has nothing but drums beside it".to_owned(),
                "put the cable with its drums into a scenario of its own, touching at its nodes, or ask `simulate`",
            ),
            (StudyKind::Limit, false) => (
                "`limit` asks how much a cable holds, and there is no cable".to_owned(),
                "add parts of kind cable and drum; `bristle show cable` explains",
            ),
            (StudyKind::Simulate | StudyKind::Sweep | StudyKind::Vary | StudyKind::Optimise, _)
            | (_, false) => return None,
            (_, true) => (
                format!("`{}` is asked of mechanisms without cables", question.card().name),
                "cables are asked `simulate`, `sweep`, `vary` or `optimise`, and one alone on drums `limit`",
            ),
        };
        Some((reason, hint.to_owned()))
    }

    fn sampling(&self, duration: f64) -> f64 {
        let outputs = System::channels(self).len().max(1) as f64;
        duration / (VALUES / outputs).floor().clamp(100.0, SAMPLES)
    }

    fn simulate<'a>(
        &'a self,
        solver: &Solver,
        span: &TimeSpan,
        progress: &mut dyn Progress,
    ) -> Result<Box<dyn ModelRun + 'a>, RunError> {
        let run = simulate(self, solver, span, progress)?;
        Ok(Box::new(MechanismRun { system: Cow::Borrowed(self), solver: *solver, run }))
    }

    fn compared(&self) -> Vec<ComparedOutput> {
        let split = |name: &str| -> (String, String) {
            let (part, quantity) = name.rsplit_once('.').unwrap_or(("", name));
            (part.to_owned(), quantity.to_owned())
        };
        let kinds = if self.has_ropes() { &COMPARED[..] } else { &COMPARED[..3] };
        let (ends, drums) = (self.rope_end_names(), self.drum_names());
        let is_compared = |(part, quantity): &(String, String)| match quantity.as_str() {
            "x" => ends.contains(&part.as_str()),
            "loss" => self.has_ropes() && drums.contains(&part.as_str()),
            quantity => kinds.contains(&quantity),
        };
        let channels = System::channels(self).into_iter().map(|c| (split(&c.name), c));
        let mut all: Vec<(String, ComparedOutput)> = channels
            .filter(|(split, _)| is_compared(split))
            .map(|((part, quantity), c)| {
                let is_place = ends.contains(&part.as_str()) && matches!(quantity.as_str(), "x" | "y");
                let label = label(&c.name);
                let output = ComparedOutput { label, name: c.name, unit: c.unit, is_drawn: false, is_place };
                (quantity, output)
            })
            .collect();
        // As many of each kind as can be looked at.
        for kind in kinds {
            let of_kind: Vec<usize> = (0..all.len()).filter(|&i| all[i].0 == *kind).collect();
            for &i in spread(&of_kind) {
                all[i].1.is_drawn = true;
            }
        }
        all.into_iter().map(|(_, output)| output).collect()
    }

    fn contest(
        &self,
        duration: f64,
        accuracy: f64,
        progress: &mut dyn Progress,
    ) -> Result<Contest, RunError> {
        methods::contest(self, duration, accuracy, progress)
    }

    fn advise_laws(
        &self,
        scenario: &Scenario,
        contest: &Contest,
        record: &mut Record,
        progress: &mut dyn Progress,
    ) -> Result<(), RunError> {
        if self.has_ropes() {
            return ropes::laws(scenario, contest, record, progress);
        }
        laws::advise(scenario, contest, record, progress)
    }
}

/// Runs a mechanism that is kept with the run.
pub(crate) fn simulate_own(
    system: System,
    solver: &Solver,
    span: &TimeSpan,
    progress: &mut dyn Progress,
) -> Result<Box<dyn ModelRun + 'static>, RunError> {
    let run = simulate(&system, solver, span, progress)?;
    Ok(Box::new(MechanismRun { system: Cow::Owned(system), solver: *solver, run }))
}

/// A run of a mechanism.
pub struct MechanismRun<'a> {
    /// What moved.
    pub system: Cow<'a, System>,
    /// How it was integrated.
    pub solver: Solver,
    /// The run.
    pub run: Simulation,
}

impl ModelRun for MechanismRun<'_> {
    fn data(&self) -> &Data {
        &self.run.data
    }

    fn into_data(self: Box<Self>) -> Data {
        self.run.data
    }

    fn stopped_early(&self) -> bool {
        self.run.trajectory.stopped_early
    }

    fn events(&self) -> Vec<(f64, String)> {
        let named = |e: &bristle_solve::Event| (e.t, self.system.guard_name(e.guard).to_string());
        self.run.trajectory.events.iter().map(named).collect()
    }

    fn balance(&self) -> Closure {
        balance(&self.run.data)
    }

    fn cost(&self) -> Cost {
        let method = self.solver.method.card().name;
        let Statistics { steps, rejected, evaluations, jacobians, factorisations, events, .. } =
            self.run.trajectory.statistics;
        Cost {
            method: format!("Method `{method}`, relative tolerance {:.0e}", self.solver.rtol),
            counts: vec![
                ("steps", steps),
                ("rejected", rejected),
                ("rate evaluations", evaluations),
                ("Jacobians", jacobians),
                ("factorisations", factorisations),
                ("switches", events),
            ],
            work: "rate evaluations",
        }
    }

    fn facts(&self, scenario: &Scenario) -> Vec<Fact> {
        let (mut facts, further, _) = report::facts(scenario, &self.run);
        facts.extend(further);
        facts
    }

    fn scenes(&self, scenario: &Scenario) -> Vec<Scene> {
        report::scenes(scenario, &self.run)
    }

    fn findings(&self, scenario: &Scenario, study: &Study) -> Findings {
        report::findings(scenario, study, &self.run)
    }

    fn highlights(&self) -> Vec<(String, &'static str, Cell)> {
        let of = |channel: &str| column(&self.run.data, channel);
        let last = |channel: &str| of(channel).last().copied().unwrap_or(f64::NAN);
        let contact = self.system.contacts().first().map(|c| c.name.as_str());
        let contact = contact.or_else(|| self.system.drum_names().first().copied()).unwrap_or_default();
        let number = |value, digits| Cell::Number { value, digits };
        let mut all = vec![
            ("dissipated".to_owned(), "J", number(last("energy.loss"), 7)),
            ("final slip rate".to_owned(), "m/s", number(last(&format!("{contact}.slip_rate")), 4)),
        ];
        if self.system.has_ropes() {
            let most = |parts: &[&str], quantity: &str| {
                let values = parts.iter().flat_map(|part| of(&format!("{part}.{quantity}")));
                values.map(|v| v.abs()).fold(0.0, f64::max)
            };
            let (ends, drums) = (self.system.rope_end_names(), self.system.drum_names());
            for end in &ends {
                let name = format!("{end}.y");
                let gained = last(&name) - of(&name).first().copied().unwrap_or(f64::NAN);
                all.push((format!("height gained by {end}"), "m", number(gained, 7)));
            }
            let tension = Cell::number(most(&ends, "tension"));
            all.push(("largest tension at an end".to_owned(), "N", tension));
            all.push(("fastest slip".to_owned(), "m/s", Cell::number(most(&drums, "slip_rate"))));
        }
        all
    }
}
