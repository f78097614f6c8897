//! A cable alone on drums as a model, and its run.

use super::motion::CableMotion;
use super::{CableModel, advise, balance, draw, report};
use crate::advise::contest::Contest;
use crate::energy::Closure;
use crate::error::RunError;
use crate::model::{ComparedOutput, Cost, Findings, Model, ModelRun, TimeSpan};
use crate::progress::watched;
use crate::scenario::{Scenario, Study};
use crate::scene::Scene;
use crate::studies::StudyKind;
use crate::studies::simulate::column;
use bristle_cable::CableMethod;
use bristle_mech::OutputChannel;
use bristle_record::{Cell, Data, Fact, Record};
use bristle_solve::Progress;
use bristle_solve::Solver;

impl Model for CableModel {
    fn channels(&self) -> Vec<OutputChannel> {
        self.outputs()
    }

    fn refusal(&self, question: StudyKind) -> Option<(String, String)> {
        if matches!(question, StudyKind::Simulate | StudyKind::Limit) {
            return None;
        }
        let name = question.card().name;
        let reason = format!("`{name}` is asked of mechanisms, and the parts describe a cable on drums");
        Some((reason, "a cable is asked `simulate` or `limit`".to_owned()))
    }

    /// About 500 samples, whole steps apart.
    fn sampling(&self, duration: f64) -> f64 {
        let step = self.method.step().min(duration);
        let every = (duration / 500.0 / step).round().max(1.0);
        // The last sample is the end itself.
        duration / (duration / (every * step)).round().max(1.0)
    }

    fn simulate<'a>(
        &'a self,
        _solver: &Solver,
        span: &TimeSpan,
        progress: &mut dyn Progress,
    ) -> Result<Box<dyn ModelRun + 'a>, RunError> {
        // It may take a thousand steps from one sample to the next.
        let run = watched(progress, |progress| self.run(span, progress));
        run.ok_or(RunError::Stopped)?.map(|run| Box::new(run) as Box<dyn ModelRun>)
    }

    /// All outputs; drawn are ends, friction and slip.
    fn compared(&self) -> Vec<ComparedOutput> {
        let compared = |OutputChannel { name, unit }| {
            let (part, quantity) = name.rsplit_once('.').unwrap_or(("", &name));
            let is_end = self.ends.iter().any(|end| end == part);
            let is_rough = self.drums.iter().zip(&self.laws).any(|(d, law)| d == part && law.is_some());
            let label = match quantity {
                "y" if is_end => Some(format!("height of {part}")),
                "friction" if is_rough => Some(format!("friction on the cable at {part}")),
                "slip_rate" if is_rough => Some(format!("largest slip speed at {part}")),
                "friction_loss" => Some("energy lost to friction".to_owned()),
                _ => None,
            };
            ComparedOutput {
                is_drawn: label.is_some(),
                is_place: is_end && matches!(quantity, "x" | "y"),
                label: label.unwrap_or_default(),
                name,
                unit,
            }
        };
        self.outputs().into_iter().map(compared).collect()
    }

    fn contest(
        &self,
        duration: f64,
        accuracy: f64,
        progress: &mut dyn Progress,
    ) -> Result<Contest, RunError> {
        advise::contest(self, duration, accuracy, progress)
    }

    fn advise_laws(
        &self,
        scenario: &Scenario,
        contest: &Contest,
        record: &mut Record,
        progress: &mut dyn Progress,
    ) -> Result<(), RunError> {
        if self.laws.iter().all(Option::is_none) {
            return Ok(());
        }
        advise::laws(scenario, contest, record, progress)
    }
}

impl ModelRun for CableMotion<'_> {
    fn data(&self) -> &Data {
        &self.data
    }

    fn into_data(self: Box<Self>) -> Data {
        self.data
    }

    fn stopped_early(&self) -> bool {
        self.stopped_early
    }

    fn events(&self) -> Vec<(f64, String)> {
        Vec::new()
    }

    fn balance(&self) -> Closure {
        balance::closure(&self.data)
    }

    fn cost(&self) -> Cost {
        let nodes = self.model.system.cable().nodes();
        let s = self.statistics;
        let (method, work) = match self.model.method {
            CableMethod::GeneralisedAlpha(m) => {
                let steps = match m.tolerance {
                    Some(tolerance) => format!("steps up to {:e} s, error {tolerance:e} m per step", m.step),
                    None => format!("steps of {:e} s", m.step),
                };
                let method = format!("Method `generalised_alpha`, ρ = {}, {steps}, {nodes} nodes", m.rho);
                (method, [("Newton iterations", s.newton), ("halved steps", s.halvings)])
            }
            CableMethod::Rosenbrock(m) => {
                let method = format!(
                    "Method `{}`, steps up to {:e} s, error {:e} m per step, {nodes} nodes",
                    m.method.name(),
                    m.step,
                    m.tolerance.unwrap_or(f64::NAN)
                );
                (method, [("evaluations", s.evaluations), ("factorisations", s.factorisations)])
            }
        };
        let counts = vec![("steps", s.steps), work[0], work[1], ("rejected steps", s.rejections)];
        Cost { method, counts, work: work[0].0 }
    }

    fn facts(&self, _scenario: &Scenario) -> Vec<Fact> {
        report::facts(self.model, self)
    }

    fn scenes(&self, _scenario: &Scenario) -> Vec<Scene> {
        draw::scenes(self.model, &self.snapshots)
    }

    fn findings(&self, scenario: &Scenario, study: &Study) -> Findings {
        report::findings(scenario, self, study)
    }

    fn highlights(&self) -> Vec<(String, &'static str, Cell)> {
        let model = self.model;
        let of = |name: &str| column(&self.data, name);
        let most = |parts: &[String], quantity: &str| {
            let values = parts.iter().flat_map(|part| of(&format!("{part}.{quantity}")));
            Cell::number(values.map(|v| v.abs()).fold(0.0, f64::max))
        };
        let last = |name: &str| of(name).last().copied().unwrap_or(f64::NAN);
        let gained = |end: &String| {
            let name = format!("{end}.y");
            let value = last(&name) - of(&name).first().copied().unwrap_or(f64::NAN);
            (format!("height gained by {end}"), "m", Cell::Number { value, digits: 7 })
        };
        let mut all: Vec<_> = model.ends.iter().map(gained).collect();
        let first = self.first_slips.iter().flatten().map(|s| s.0).fold(f64::INFINITY, f64::min);
        let first = if first.is_finite() { Cell::number(first) } else { "none".into() };
        let lost = Cell::number(last("energy.friction_loss"));
        all.extend([
            ("largest tension at an end".to_owned(), "N", most(&model.ends, "tension")),
            ("lost to friction".to_owned(), "J", lost),
            ("first slip".to_owned(), "s", first),
            ("fastest slip".to_owned(), "m/s", most(&model.drums, "slip_rate")),
        ]);
        all
    }
}
