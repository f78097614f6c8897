//! What is wrong with a cable or with the friction of a drum, in the words of a scenario.

use super::build::fault;
use super::{Rope, RopeDrum};
use crate::error::MechError;
use crate::spec::Spec;
use crate::system::System;
use bristle_cable::{CableError, Friction, LayError};
use bristle_law::LawKind;

impl Rope {
    /// Why it cannot be laid.
    pub(super) fn unlaid(&self, drums: &[RopeDrum], error: LayError) -> MechError {
        let error = match error {
            LayError::NoPlace { end } => {
                let reason = "it is held, but it is not said where";
                return fault(&self.ends[end].name, "support", reason, "give it `x` and `y`, or `on`");
            }
            LayError::Cable(error) => error,
        };
        let drum = |i: usize| self.drums.get(i).map_or("", |&d| drums[d].name.as_str());
        match error {
            CableError::NoEquilibrium { .. } => {
                let reason = "it does not come to rest between its ends and over its drums";
                let hint = "load or hold its ends, or take `start = \"laid\"`";
                fault(&self.name, "kind", reason, hint)
            }
            CableError::FallsOff { drum: d } => {
                let reason = format!("it is so slack that it falls off drum `{}`", drum(d));
                fault(&self.name, "length", reason, "shorten it, load its ends or move them apart")
            }
            CableError::OverlappingDrums { first, second, distance, radii } => {
                let reason = format!(
                    "it overlaps drum `{}`: the centres are {distance:.4} m apart, the radii sum to {radii:.4} m",
                    drum(first)
                );
                fault(drum(second), "radius", reason, "move one of them, or make it smaller")
            }
            CableError::InsideDrum { node, drum: d, depth } => {
                let reason =
                    format!("the cable starts inside it: node {node} is {depth:.4} m below its surface");
                let hint = format!(
                    "name `{}` in `over` of the cable so that it is laid around it, or move the drum or an end",
                    drum(d)
                );
                fault(drum(d), "x", reason, hint)
            }
            CableError::TooShort { path, length } => {
                let reason = format!("its way over the drums is {path:.4} m long, the cable {length:.4} m");
                fault(&self.name, "length", reason, "give a longer cable, or nearer ends")
            }
            other => fault(&self.name, "kind", other.to_string(), "`bristle show cable` explains it"),
        }
    }

    /// What is wrong with these parameters: the rope cannot be made, or not be laid over its drums.
    pub(crate) fn fault(&self, system: &System, p: &[f64]) -> Option<MechError> {
        let sound = self.check(&system.drums, p).map_err(LayError::Cable);
        let laid = sound.and_then(|()| self.shape(&system.scene(p)));
        laid.err().map(|e| self.unlaid(&system.drums, e))
    }
}

/// The friction of a drum under a law as it is written.
///
/// # Errors
/// [`MechError::Misfit`] for a law that cannot act on a cable, with what to take instead.
pub fn drum_friction(drum: &str, law: &Spec) -> Result<Friction, MechError> {
    let wrong = |reason: String, hint: String| fault(drum, "law", reason, hint);
    if law.as_forces {
        let hint = "give coefficients (`mu_d`) instead of forces: the normal force differs from node to node";
        return Err(wrong(format!("law `{}` is given in forces", law.kind), hint.to_owned()));
    }
    let Some(kind) = LawKind::named(&law.kind) else {
        return Err(MechError::UnknownKind { part: drum.to_owned(), kind: law.kind.clone() });
    };
    let show = || format!("`bristle show {}` explains its parameters", law.kind);
    let own = kind.build::<f64>(&law.numbers, &law.choices).fault();
    match (Friction::from_law(kind, &law.numbers, &law.choices), own) {
        (Err(e @ CableError::Sigmoid { beta_max, .. }), _) => {
            let hint = format!("take beta = {beta_max:.4} or less, or leave it out for 2 − alpha");
            Err(wrong(e.to_string(), hint))
        }
        (_, Some(own)) => Err(wrong(format!("law `{}`: {own}", law.kind), show())),
        (Err(e), None) => Err(wrong(e.to_string(), show())),
        (Ok(friction), None) => Ok(friction),
    }
}
