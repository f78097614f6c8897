//! From parts to a cable: names become places, and what does not fit is said.

use super::drives::friction;
use super::ends::Ends;
use super::{CableModel, Timed};
use bristle_cable::{CableDrum, CableMethod, CableSystem, Friction};
use bristle_core::{Choice, Params};
use bristle_mech::{MechError, PartKind, Spec, drums_passed, is_lone_cable, parts};
use std::sync::Arc;

/// What is wrong, at which field of which part, and a way out.
pub(super) fn misfit(
    part: &str,
    field: &'static str,
    reason: impl Into<String>,
    hint: impl Into<String>,
) -> MechError {
    MechError::Misfit { part: part.to_owned(), field, reason: reason.into(), hint: hint.into() }
}

/// The parts of a cable scenario, sorted.
pub(super) struct Parts<'a> {
    pub(super) all: &'a [(String, Spec)],
    pub(super) name: &'a str,
    pub(super) cable: &'a Spec,
    pub(super) drums: Vec<(&'a str, &'a Spec)>,
    pub(super) signals: Vec<Arc<Timed>>,
}

/// The cable of a scenario, if it has one.
pub(crate) fn build(
    all: &[(String, Spec)],
    settings: Option<&Spec>,
) -> Result<Option<CableModel>, MechError> {
    let kind = |spec: &Spec| PartKind::named(&spec.kind);
    let mut of_cable = all.iter().filter(|(_, s)| kind(s).is_some_and(PartKind::is_of_cable));
    let Some((any, _)) = of_cable.next() else { return Ok(None) };
    let mut cables = all.iter().filter(|(_, s)| kind(s) == Some(PartKind::Cable));
    let Some((name, cable)) = cables.next() else {
        let hint = "add a part of kind cable, or leave drums and cable ends out";
        return Err(misfit(any, "kind", "there is no cable for it", hint));
    };
    // Cables beside bodies, or beside one another, are part of the mechanism.
    if !is_lone_cable(all) {
        return Ok(None);
    }
    let drums = all.iter().filter(|(_, s)| kind(s) == Some(PartKind::Drum));
    let drums = drums.map(|(n, s)| (n.as_str(), s)).collect();
    let mut parts = Parts { all, name, cable, drums, signals: Vec::new() };
    parts.model(settings).map(Some)
}

impl Parts<'_> {
    fn model(&mut self, settings: Option<&Spec>) -> Result<CableModel, MechError> {
        let numbers: parts::Cable<f64> = Params::from_slices(&self.cable.numbers, &self.cable.choices);
        if numbers.elements.fract() != 0.0 {
            let reason = format!("{} elements: a number of elements is whole", numbers.elements);
            return Err(misfit(self.name, "elements", reason, "leave the fraction out"));
        }
        let gravity = self.all.iter().find(|(_, s)| s.kind == "gravity").map_or(0.0, |(_, s)| s.numbers[0]);
        let over = self.over()?;
        let mut drums = Vec::new();
        for i in 0..self.drums.len() {
            drums.push(self.drum(i)?);
        }
        let Ends { ends, places, names } = self.ends()?;
        let cable = numbers.flexible(gravity, ends, drums);
        let system = CableSystem::new(cable).map_err(|e| self.error_of_part(&e))?;
        let (laid, arcs) = self.lay(&system, &over, places, &names)?;
        let (method, rests) = super::integrator::method(settings);
        let rests = rests && numbers.start == Choice(0);
        if let CableMethod::Rosenbrock(chosen) = method {
            self.refuse_states(&system, chosen.method.name())?;
            self.refuse_coarse(&system, chosen.tolerance.unwrap_or(0.0))?;
        }
        Ok(CableModel {
            name: self.name.to_owned(),
            drums: self.drums.iter().map(|(n, _)| (*n).to_owned()).collect(),
            ends: names,
            over,
            laws: self.drums.iter().map(|(_, s)| s.table("law").cloned()).collect(),
            system,
            laid,
            arcs,
            method,
            rests,
            signals: std::mem::take(&mut self.signals),
        })
    }

    /// Rosenbrock methods do not carry the internal states of laws.
    fn refuse_states(&self, system: &CableSystem, method: &str) -> Result<(), MechError> {
        let drums = system.cable().drums.iter().zip(&self.drums);
        let Some((_, (name, spec))) = drums.into_iter().find(|(d, _)| d.friction.states() > 0) else {
            return Ok(());
        };
        let law = spec.table("law").map_or("", |law| law.kind.as_str());
        let reason = format!("law `{law}` has internal states, which method `{method}` does not carry");
        let hint = "take `method = \"generalised_alpha\"` in [cable_solver], or quinn, cdq or karnopp";
        Err(misfit(name, "law", reason, hint))
    }

    /// An error that stretches an element with a force like the loads would shake the cable by itself.
    fn refuse_coarse(&self, system: &CableSystem, tolerance: f64) -> Result<(), MechError> {
        let cable = system.cable();
        let load = |end: &bristle_cable::EndCondition| {
            let [x, y] = [0, 1].map(|c| end.force[c].value(0.0));
            x.hypot(y - end.mass * cable.gravity)
        };
        let loads: f64 =
            cable.ends.iter().map(load).sum::<f64>() + cable.density * cable.length * cable.gravity;
        let pull = cable.ea * tolerance / cable.element_length();
        if loads <= 0.0 || pull <= 0.2 * loads {
            return Ok(());
        }
        let largest = 0.2 * loads * cable.element_length() / cable.ea;
        let reason = format!(
            "an error of {tolerance:.0e} m stretches an element with {pull:.3} N, against loads of {loads:.3} N"
        );
        let hint =
            format!("give `tolerance` in [cable_solver] at most {largest:.0e} m, or take generalised_alpha");
        Err(misfit(self.name, "ea", reason, hint))
    }

    /// The drums the cable is laid over.
    fn over(&self) -> Result<Vec<usize>, MechError> {
        drums_passed(self.name, self.cable.named("over"), &self.drum_names())
    }

    pub(super) fn drum_names(&self) -> Vec<&str> {
        self.drums.iter().map(|(name, _)| *name).collect()
    }

    fn drum(&mut self, index: usize) -> Result<CableDrum, MechError> {
        let (name, spec) = self.drums[index];
        let numbers: parts::Drum<f64> = Params::from_slices(&spec.numbers, &spec.choices);
        let friction = spec.table("law").map_or(Ok(Friction::None), |law| friction(name, law))?;
        Ok(CableDrum { friction, drive: self.drive(name, spec, &numbers)?, ..numbers.body() })
    }

    fn lay(
        &self,
        system: &CableSystem,
        over: &[usize],
        places: [Option<[f64; 2]>; 2],
        ends: &[String; 2],
    ) -> Result<(Vec<bristle_cable::CableNode>, Vec<f64>), MechError> {
        let turns = |i: usize| {
            let spec = self.drums[i].1;
            let drum: parts::Drum<f64> = Params::from_slices(&spec.numbers, &spec.choices);
            drum.turns as usize
        };
        let over: Vec<(usize, usize)> = over.iter().map(|&i| (i, turns(i))).collect();
        let (laid, arcs) = bristle_cable::lay_over(system.cable(), &over, places).map_err(|e| match e {
            bristle_cable::LayError::NoPlace { end } => {
                misfit(&ends[end], "support", "it is held, but it is not said where", "give it `x` and `y`")
            }
            bristle_cable::LayError::Cable(e) => self.error_of_part(&e),
        })?;
        system.state(laid.clone()).map_err(|e| self.error_of_part(&e))?;
        Ok((laid, arcs))
    }
}
