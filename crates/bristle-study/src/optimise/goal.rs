//! What is to be best, under which constraints, and over which parameters.

use crate::scenario::{Scenario, Study};
use crate::vary::engine::Engine;
use crate::vary::entry::{self, Varied, wrong};
use crate::vary::question::{KeyedProblem, motion, needs_motion, places};
use crate::vary::response::{self, Response, ResponseMeasure, RunEvent};
use bristle_core::units;
use bristle_scenario::{Problem, range};
use bristle_vary::Marginal;
use bristle_vary::evolution::Merit;

/// What is wanted of the goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Wish {
    Smallest,
    Largest,
    Near(f64),
}

/// A study of kind `optimise`, read.
#[derive(Debug)]
pub(super) struct Goal<'a> {
    pub scenario: &'a Scenario,
    pub study: &'a Study,
    pub motion: Option<&'a Study>,
    pub varied: Vec<Varied>,
    /// The goal first, then what constraints compare.
    pub asked: Vec<Response>,
    pub wish: Wish,
    pub constraints: Vec<RunEvent>,
    pub places: Vec<usize>,
}

impl<'a> Goal<'a> {
    pub fn new(scenario: &'a Scenario, study: &'a Study) -> Result<Goal<'a>, Vec<KeyedProblem>> {
        let own = study.name.as_str();
        let mut found = Vec::new();
        let mut varied = Vec::new();
        for text in study.spec.named("over") {
            match entry::read(scenario, own, text, false) {
                Ok(one) if matches!(one.marginal, Marginal::Uniform { .. } | Marginal::LogUniform { .. }) => {
                    varied.push(one);
                }
                Ok(_) => {
                    let reason = format!("`{text}` does not give two bounds");
                    found.push((
                        wrong(own, reason),
                        "over",
                        "write `loss.d = 1 N s/m : 300 N s/m`".to_owned(),
                    ));
                }
                Err((problem, hint)) => found.push((problem, "over", hint)),
            }
        }
        if varied.is_empty() && found.is_empty() {
            let hint = "give `over = [\"loss.d = 1 N s/m : 300 N s/m\"]`".to_owned();
            found.push((wrong(own, "nothing is free"), "kind", hint));
        }
        let mut asked = Vec::new();
        let mut wish = Wish::Smallest;
        for (key, meant) in
            [("minimise", Wish::Smallest), ("maximise", Wish::Largest), ("target", Wish::Near(0.0))]
        {
            let Some(text) = study.spec.named(key).first() else { continue };
            let (text, value) = match (meant, text.rsplit_once('=')) {
                (Wish::Near(_), Some((response, value))) => (response.trim(), Some(value.trim())),
                (Wish::Near(_), None) => {
                    let reason = format!("`{text}` does not say which value is meant");
                    found.push((wrong(own, reason), key, "write `max(block.q) = 12 m`".to_owned()));
                    continue;
                }
                _ => (text.as_str(), None),
            };
            wish = meant;
            match response::read(scenario, own, text) {
                Ok(one) => {
                    let unit = if one.unit.is_empty() { "1" } else { &one.unit };
                    match value.map(|value| units::parse(value, unit)) {
                        None => {}
                        Some(Ok(value)) => wish = Wish::Near(value),
                        Some(Err(source)) => {
                            let hint = range::unit_hint(&source, unit);
                            found.push((Problem::Unit { key: key.to_owned(), source }, key, hint));
                        }
                    }
                    asked.push(one);
                }
                Err((problem, hint)) => found.push((problem, key, hint)),
            }
        }
        let mut constraints = Vec::new();
        for text in study.spec.named("constraints") {
            match response::event(scenario, own, text) {
                Ok(one) => constraints.push(one),
                Err((problem, hint)) => found.push((problem, "constraints", hint)),
            }
        }
        let motion = motion(scenario, study).map_err(|(problem, hint)| vec![(problem, "of", hint)])?;
        let places = places(&mut asked, &constraints);
        if needs_motion(&asked) && motion.is_none() {
            let problem =
                wrong(own, "the scenario has no study of kind `simulate` whose motion could be measured");
            let hint = "add [studies.run] with kind = \"simulate\" and duration = \"10 s\"".to_owned();
            found.push((problem, "kind", hint));
        }
        if !found.is_empty() || asked.is_empty() {
            return Err(found);
        }
        Ok(Goal { scenario, study, motion, varied, asked, wish, constraints, places })
    }

    pub fn engine(&self, points: &[Vec<f64>]) -> Engine<'_> {
        let motion = self.motion.filter(|_| needs_motion(&self.asked));
        Engine::new(self.scenario, motion, &self.asked, &self.varied, points)
    }

    /// Whether goal and constraints are smooth in the parameters.
    pub fn is_smooth(&self) -> bool {
        self.asked
            .iter()
            .all(|r| matches!(r.measure, ResponseMeasure::Value { .. } | ResponseMeasure::Growth { .. }))
    }

    /// The parameters at a point of the unit cube.
    pub fn point(&self, at: &[f64]) -> Vec<f64> {
        let coordinate = |(varied, u): (&Varied, &f64)| varied.marginal.quantile(u.clamp(0.0, 1.0));
        self.varied.iter().zip(at).map(coordinate).collect()
    }

    /// What is to be small.
    pub fn cost(&self, value: f64) -> f64 {
        match self.wish {
            Wish::Smallest => value,
            Wish::Largest => -value,
            Wish::Near(target) => (value - target) * (value - target),
        }
    }

    /// By how much each constraint is broken; negative where it holds with room.
    pub fn excess(&self, values: &[f64]) -> Vec<f64> {
        use crate::vary::response::EventTest::{Above, AtLeast};
        let one = |(event, place): (&RunEvent, &usize)| match event.comparison {
            Above | AtLeast => event.limit - values[*place],
            _ => values[*place] - event.limit,
        };
        self.constraints.iter().zip(&self.places).map(one).collect()
    }

    /// How good the values of a run are; `scales` are typical sizes of the constraints.
    pub fn merit(&self, values: Option<&[f64]>, scales: &[f64]) -> Merit {
        let Some(values) = values.filter(|v| v.iter().all(|v| v.is_finite())) else {
            return Merit { goal: f64::NAN, broken: f64::INFINITY };
        };
        let broken =
            |((event, place), scale): ((&RunEvent, &usize), &f64)| event.missed_by(values[*place]) / scale;
        let broken = self.constraints.iter().zip(&self.places).zip(scales).map(broken).sum();
        Merit { goal: self.cost(values[0]), broken }
    }
}
