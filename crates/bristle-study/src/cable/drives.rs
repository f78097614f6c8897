//! What turns a drum, and what rubs on it.

use super::Timed;
use super::build::{Parts, misfit};
use bristle_cable::{CableError, CableSignal, DrumDrive, Friction, Function};
use bristle_core::Params;
use bristle_law::LawKind;
use bristle_mech::{MechError, ParamList, Spec, drum_named, parts, turned_once};
use std::sync::Arc;

impl Parts<'_> {
    /// What turns a drum: one thing at most.
    pub(super) fn drive(
        &mut self,
        name: &str,
        spec: &Spec,
        drum: &parts::Drum<f64>,
    ) -> Result<DrumDrive, MechError> {
        let mut turning: Vec<(&str, &Spec)> = Vec::new();
        for (part, spec) in self.all.iter().filter(|(_, s)| s.kind == "drum_motor" || s.kind == "drum_servo")
        {
            let wanted = spec.named("turns").first().map_or("", String::as_str);
            drum_named(part, "turns", wanted, &self.drum_names())?;
            if wanted == name {
                turning.push((part, spec));
            }
        }
        let angle = spec.table("angle");
        let names: Vec<&str> = turning.iter().map(|(part, _)| *part).collect();
        turned_once(name, drum, angle.is_some(), None, &names)?;
        Ok(match (turning.first(), angle) {
            (Some((_, spec)), _) if spec.kind == "drum_motor" => self.motor(spec),
            (Some((_, spec)), _) => self.servo(spec),
            (None, Some(angle)) => DrumDrive::Prescribed(self.signal(angle)),
            (None, None) if drum.inertia.is_nan() => DrumDrive::Fixed,
            (None, None) => {
                let (target, torque) = (CableSignal::default(), CableSignal::default());
                let (inertia, bearing) = (drum.inertia, drum.bearing);
                DrumDrive::Motor { inertia, kp: 0.0, kd: 0.0, target, torque, bearing }
            }
        })
    }

    fn servo(&mut self, spec: &Spec) -> DrumDrive {
        let numbers: parts::DrumServo<f64> = Params::from_slices(&spec.numbers, &spec.choices);
        let target = spec.table("angle").map(|s| self.signal(s)).unwrap_or_default();
        DrumDrive::Servo { kp: numbers.kp, kd: numbers.kd, target }
    }

    fn motor(&mut self, spec: &Spec) -> DrumDrive {
        let numbers: parts::DrumMotor<f64> = Params::from_slices(&spec.numbers, &spec.choices);
        let target = spec.table("angle").map(|s| self.signal(s)).unwrap_or_default();
        let torque = spec.table("torque").map(|s| self.signal(s)).unwrap_or_default();
        let parts::DrumMotor { inertia, kp, kd, bearing } = numbers;
        DrumDrive::Motor { inertia, kp, kd, target, torque, bearing }
    }

    /// A signal of the catalogue as a function of time.
    pub(super) fn signal(&mut self, spec: &Spec) -> CableSignal {
        let mut list = ParamList::default();
        let Some(signal) = bristle_mech::Signal::place(spec, "signal", &mut list) else {
            return CableSignal::default();
        };
        let timed = Arc::new(Timed { signal, p: list.values });
        self.signals.push(timed.clone());
        CableSignal::Other(Function::new(move |t| {
            let jet = timed.signal.jet(&timed.p, t);
            [jet.value, jet.rate, jet.second]
        }))
    }
}

/// The friction of a drum.
pub(crate) fn friction(drum: &str, law: &Spec) -> Result<Friction, MechError> {
    if law.as_forces {
        let hint = "give coefficients (`mu_d`) instead of forces: the normal force differs from node to node";
        return Err(misfit(drum, "law", format!("law `{}` is given in forces", law.kind), hint));
    }
    let show = || format!("`bristle show {}` explains its parameters", law.kind);
    let Some(kind) = LawKind::named(&law.kind) else {
        return Err(misfit(drum, "law", format!("there is no law called `{}`", law.kind), show()));
    };
    let error = kind.build::<f64>(&law.numbers, &law.choices).fault();
    let sigmoid = Friction::from_law(kind, &law.numbers, &law.choices);
    match (sigmoid, error) {
        (Err(e @ CableError::Sigmoid { beta_max, .. }), _) => {
            let hint = format!("take beta = {beta_max:.4} or less, or leave it out for 2 − alpha");
            Err(misfit(drum, "law", e.to_string(), hint))
        }
        (_, Some(error)) => Err(misfit(drum, "law", format!("law `{}`: {error}", law.kind), show())),
        (Err(e), None) => Err(misfit(drum, "law", e.to_string(), show())),
        (Ok(friction), None) => Ok(friction),
    }
}
