//! Cards of cables and drums as the crate of cables knows them, and what is checked of them.

use super::build::fault;
use crate::error::MechError;
use crate::parts::{Cable, Drum};
use bristle_cable::{CableDamping, CableDrum, EndCondition, FlexibleCable, Sense, Strain};
use bristle_core::{Choice, nearest};

impl Cable<f64> {
    /// The cable of this card between these ends, on these drums.
    pub fn flexible(&self, gravity: f64, ends: [EndCondition; 2], drums: Vec<CableDrum>) -> FlexibleCable {
        FlexibleCable {
            length: self.length,
            elements: self.elements as usize,
            ea: self.ea,
            ei: self.ei,
            density: self.density,
            damping: self.damping,
            damping_of: if self.damping_of == Choice(1) { CableDamping::Slope } else { CableDamping::Strain },
            strain: if self.strain == Choice(1) { Strain::Engineering } else { Strain::Green },
            gravity,
            ends,
            drums,
            contact_points: self.contact_points as usize,
            fade: 0.0,
        }
    }
}

impl Drum<f64> {
    /// The drum of this card, smooth and standing still.
    pub fn body(&self) -> CableDrum {
        CableDrum {
            stiffness: self.stiffness,
            exponent: self.exponent,
            damping: self.damping,
            sense: if self.sense == Choice(1) { Sense::Against } else { Sense::Along },
            ..CableDrum::new([self.x, self.y], self.radius)
        }
    }
}

/// The place of the drum that a field of a part names.
pub(super) fn drum_named(
    part: &str,
    field: &'static str,
    wanted: &str,
    drums: &[&str],
) -> Result<usize, MechError> {
    drums.iter().position(|name| *name == wanted).ok_or_else(|| {
        let hint = match nearest(wanted, drums.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if field == "over" => "name parts of kind drum, from the first end to the last".to_owned(),
            None => "name a part of kind drum".to_owned(),
        };
        fault(part, field, format!("there is no drum called `{wanted}`"), hint)
    })
}

/// The places of the drums that a cable is laid over, each once.
pub(super) fn drums_passed(cable: &str, wanted: &[String], drums: &[&str]) -> Result<Vec<usize>, MechError> {
    let mut over = Vec::new();
    for name in wanted {
        let place = drum_named(cable, "over", name, drums)?;
        if over.contains(&place) {
            let reason = format!("`{name}` is passed twice");
            return Err(fault(cable, "over", reason, "give that drum more `turns`, or a second drum"));
        }
        over.push(place);
    }
    Ok(over)
}

/// Whether one thing at most turns a drum: its angle, its inertia, its rotor, or one of the parts that name it.
pub(super) fn turned_once(
    drum: &str,
    card: &Drum<f64>,
    has_angle: bool,
    rotor: Option<&str>,
    turning: &[&str],
) -> Result<(), MechError> {
    let own = [!card.inertia.is_nan(), has_angle, rotor.is_some()];
    if turning.len() + own.into_iter().filter(|is| *is).count() <= 1 {
        return Ok(());
    }
    let reason = format!("two things turn drum `{drum}`");
    if rotor.is_some() {
        let hint = "a drum that turns with a `rotor` has no `angle`, `inertia` or motor of its own: give them to the rotor";
        return Err(fault(drum, "rotor", reason, hint));
    }
    let hint =
        "a drum has an `angle`, an `inertia`, a `rotor`, a drum_servo or a drum_motor, not two of them";
    let (part, field) = turning.last().map_or((drum, "inertia"), |part| (*part, "turns"));
    Err(fault(part, field, reason, hint))
}
