//! What the studies of stability and cycles have in common: the mechanism, its parameters by path, its section.

use crate::analysis::{self, ParamPlace, Returns};
use crate::error::RunError;
use crate::scenario::{Scenario, Study};
use bristle_analysis::AnalysisError;
use bristle_analysis::branch::Range;
use bristle_analysis::section::PoincareSection;
use bristle_analysis::shooting::Shooting;
use bristle_mech::System;
use bristle_record::Fact;
use bristle_record::number::{pretty, short};
use bristle_scenario::ChangeError;
use bristle_solve::{Dynamics, Method};
use std::borrow::Cow;

/// A mechanism under study.
pub(crate) struct Subject<'a> {
    pub(crate) scenario: &'a Scenario,
    pub(crate) study: &'a Study,
    pub(crate) system: &'a System,
    pub(crate) p: Vec<f64>,
}

/// A mechanism as studies of what is steady or periodic see it: from a frame that moves along where it moves on for ever.
pub(crate) struct View<'a> {
    system: Cow<'a, System>,
    /// What the positions of bodies count from in that frame.
    counts_from: Vec<(String, String)>,
}

impl<'a> View<'a> {
    /// The view of a scenario.
    pub(crate) fn of(scenario: &'a Scenario) -> Self {
        let system = &scenario.system;
        match system.moving_along(system.params()) {
            Some((moving, counts_from)) => View { system: Cow::Owned(moving), counts_from },
            None => View { system: Cow::Borrowed(system), counts_from: Vec::new() },
        }
    }

    /// The mechanism in that frame, with the places of its parameters as they were.
    pub(crate) fn system(&self) -> &System {
        &self.system
    }

    /// What a reader has to know of it.
    pub(crate) fn fact(&self) -> Option<Fact> {
        let words = |(body, from): &(String, String)| match from.as_str() {
            "" => format!("`{body}`"),
            from => format!("`{body}` from `{from}`"),
        };
        let list: Vec<String> = self.counts_from.iter().map(words).collect();
        (!list.is_empty()).then(|| {
            let mut fact = Fact::new("seen from a frame that moves along", list.join(", "));
            fact.note = "positions count from there, and velocities where a drive sets the speed; drift that changes \
                         nothing is left out"
                .to_owned();
            fact
        })
    }
}

impl<'a> Subject<'a> {
    /// Refuses a mechanism that is driven in time.
    pub(crate) fn new(scenario: &'a Scenario, study: &'a Study, view: &'a View) -> Result<Self, RunError> {
        let system = &*view.system;
        let p = system.params().to_vec();
        if system.depends_on_time(&p) {
            return Err(RunError::DependsOnTime { study: study.name.clone() });
        }
        Ok(Subject { scenario, study, system, p })
    }

    /// A failed analysis, with the name of the study.
    pub(crate) fn fail(&self, source: AnalysisError) -> RunError {
        RunError::Analysis { study: self.study.name.clone(), source }
    }

    /// Whether the study names a parameter under that key.
    pub(crate) fn names(&self, key: &str) -> bool {
        !self.study.spec.named(key).is_empty()
    }

    /// The parameter under a key, and the range between two others.
    pub(crate) fn range(&self, [key, from, to]: [&str; 3]) -> Result<(ParamPlace, Range), RunError> {
        let path = self.study.spec.named(key).first().cloned().unwrap_or_default();
        let place =
            analysis::place(self.scenario, &path).ok_or(ChangeError::NoSuchParameter { path, near: None })?;
        let (from, to) =
            (analysis::quantity(self.study, from, &place)?, analysis::quantity(self.study, to, &place)?);
        let range = Range { parameter: place.index, from, to };
        Ok((place, range))
    }

    /// The number of the study's card with that name.
    pub(crate) fn number(&self, name: &str) -> f64 {
        let card = self.study.kind.card();
        let index = card.numbers().position(|f| f.name == name);
        index.map_or(f64::NAN, |i| self.study.spec.numbers[i])
    }

    /// The same as a count.
    pub(crate) fn count(&self, name: &str) -> usize {
        self.number(name).max(0.0) as usize
    }

    /// The section named by the study, or that of an integral, or the turning point of the first body.
    pub(crate) fn cut(&self) -> Result<PoincareSection, RunError> {
        let named = self.study.spec.named("section").first().cloned().or_else(|| self.integral());
        let state =
            named.and_then(|name| (0..self.system.dim()).find(|&i| self.system.state_name(i) == name));
        let cut = state.map(|i| PoincareSection::falling(i, 0.0)).or_else(|| analysis::section(self.system));
        cut.ok_or_else(|| self.fail(AnalysisError::Tangent))
    }

    /// The integral of a controller that has one. A body that hunts stands still for most of the time and trembles as it stops, so
    /// that its velocity falls through zero at other times than once a cycle; the integral does not.
    fn integral(&self) -> Option<String> {
        let controllers = self.scenario.parts.iter().filter(|(_, spec)| spec.kind.ends_with("pid"));
        let gain = |name: &str| self.system.param(&format!("{name}.ki")).map_or(0.0, |i| self.p[i]);
        let one = controllers.map(|(name, _)| name).find(|name| gain(name) > 0.0)?;
        Some(format!("{one}.integral"))
    }

    /// How cycles are computed: tightly for orbits, faster for surveys; by the scenario's method where it names one.
    pub(crate) fn shooting(&self, base: Shooting) -> Shooting {
        let mut shooting = base;
        let wanted = &self.scenario.solver;
        if wanted.method != Method::Auto {
            shooting.solver.method = wanted.method;
        }
        shooting.solver.max_steps = wanted.max_steps;
        shooting.solver.h_max = wanted.h_max;
        shooting
    }

    /// The return map along the motion from a state.
    pub(crate) fn returns(&self, p: &[f64], start: &[f64], base: Shooting) -> Result<Returns<'a>, RunError> {
        analysis::returns(self.system, p, start, self.cut()?, self.shooting(base)).map_err(|e| self.fail(e))
    }

    /// State with all drives' speed given to the first body: it starts stuck.
    pub(crate) fn carried(&self, p: &[f64], rest: &[f64], speed: f64) -> Vec<f64> {
        let mut x = rest.to_vec();
        if x.is_empty() {
            x = analysis::resting(self.system, p);
        }
        if let Some(&v) = analysis::velocities(self.system).first() {
            x[v] = speed;
        }
        x
    }

    /// The largest speed of any drive.
    pub(crate) fn drive_speed(&self, p: &[f64]) -> f64 {
        let letter = |kind: &str| match kind {
            "drive" => Some("v"),
            "rotary_drive" => Some("speed"),
            _ => None,
        };
        let parts = self.scenario.parts.iter();
        let drives = parts.filter_map(|(name, spec)| Some(format!("{name}.{}", letter(&spec.kind)?)));
        drives
            .filter_map(|path| self.system.param(&path).map(|i| p[i]))
            .fold(0.0, |m: f64, v| if v.abs() > m.abs() { v } else { m })
    }

    /// The position shown in diagrams: index, name and unit.
    pub(crate) fn shown(&self) -> (usize, String, &'static str) {
        let first = self.system.free_motions().into_iter().next();
        first.map_or((0, self.system.state_name(0), "m"), |motion| {
            let (name, unit) = motion.quantities[0];
            (motion.states[0], format!("{}.{name}", motion.body), unit)
        })
    }

    /// An identifier for a figure.
    pub(crate) fn id(&self, stem: &str) -> String {
        format!("{}-{stem}", self.study.name)
    }
}

/// A number for a sentence.
pub fn say(value: f64) -> String {
    pretty(&short(value, 6))
}

/// A number with its unit for a sentence.
pub(crate) fn with_unit(value: f64, unit: &str) -> String {
    if unit.is_empty() || unit == "1" { say(value) } else { format!("{} {unit}", say(value)) }
}
