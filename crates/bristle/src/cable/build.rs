//! From parts to a cable: names become places, and what does not fit is said.

use super::{CableModel, CableSettings, Timed};
use bristle_cable::{
    Cable, CableError, Drive, Drum, End, Friction, Function, GeneralisedAlpha, Sense, Signal, Strain,
    Structure, Support, System,
};
use bristle_core::{Choice, Params, nearest};
use bristle_law::LawKind;
use bristle_mech::{ParamList, PartKind, Spec, parts};
use std::sync::Arc;

/// What is wrong, at which key of which part, and a way out.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) part: String,
    pub(crate) key: &'static str,
    pub(crate) reason: String,
    pub(crate) hint: String,
}

impl Fault {
    pub(super) fn new(
        part: &str,
        key: &'static str,
        reason: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Fault { part: part.to_owned(), key, reason: reason.into(), hint: hint.into() }
    }
}

/// The parts of a cable scenario, sorted.
struct Parts<'a> {
    all: &'a [(String, Spec)],
    name: &'a str,
    cable: &'a Spec,
    drums: Vec<(&'a str, &'a Spec)>,
    signals: Vec<Arc<Timed>>,
}

/// The cable of a scenario, if it has one.
pub(crate) fn build(
    all: &[(String, Spec)],
    settings: Option<&Spec>,
) -> Result<Option<CableModel>, Box<Fault>> {
    let kind = |spec: &Spec| PartKind::named(&spec.kind);
    let mut of_cable = all.iter().filter(|(_, s)| kind(s).is_some_and(PartKind::is_of_cable));
    let Some((any, _)) = of_cable.next() else { return Ok(None) };
    let mut cables = all.iter().filter(|(_, s)| kind(s) == Some(PartKind::Cable));
    let Some((name, cable)) = cables.next() else {
        let hint = "add a part of kind cable, or leave drums and cable ends out";
        return Err(Box::new(Fault::new(any, "kind", "there is no cable for it", hint)));
    };
    if let Some((other, _)) = cables.next() {
        let hint = "one cable passes over all drums of a scenario; put the other into a scenario of its own";
        return Err(Box::new(Fault::new(other, "kind", format!("there is a cable already, `{name}`"), hint)));
    }
    let fits = |s: &Spec| kind(s).is_some_and(|k| k.is_of_cable() || k == PartKind::Gravity);
    if let Some((other, spec)) = all.iter().find(|(_, s)| !fits(s)) {
        let reason = format!("a part of kind `{}` cannot stand beside a cable", spec.kind);
        let hint = "a cable goes with cable_end, drum, drum_servo, drum_motor and gravity";
        return Err(Box::new(Fault::new(other, "kind", reason, hint)));
    }
    let drums = all.iter().filter(|(_, s)| kind(s) == Some(PartKind::Drum));
    let drums = drums.map(|(n, s)| (n.as_str(), s)).collect();
    let mut parts = Parts { all, name, cable, drums, signals: Vec::new() };
    parts.model(settings).map(Some).map_err(Box::new)
}

impl Parts<'_> {
    fn model(&mut self, settings: Option<&Spec>) -> Result<CableModel, Fault> {
        let numbers: parts::Cable<f64> = Params::from_slices(&self.cable.numbers, &self.cable.choices);
        if numbers.elements.fract() != 0.0 {
            let reason = format!("{} elements: a number of elements is whole", numbers.elements);
            return Err(Fault::new(self.name, "elements", reason, "leave the fraction out"));
        }
        let gravity = self.all.iter().find(|(_, s)| s.kind == "gravity").map_or(0.0, |(_, s)| s.numbers[0]);
        let over = self.over()?;
        let mut drums = Vec::new();
        for i in 0..self.drums.len() {
            drums.push(self.drum(i)?);
        }
        let (ends, places, end_names) = self.ends()?;
        let cable = Cable {
            length: numbers.length,
            elements: numbers.elements as usize,
            ea: numbers.ea,
            ei: numbers.ei,
            density: numbers.density,
            damping: numbers.damping,
            strain: if numbers.strain == Choice(1) { Strain::Engineering } else { Strain::Green },
            gravity,
            ends,
            drums,
            fade: numbers.fade,
        };
        let system = System::new(cable).map_err(|e| self.fault(&e))?;
        let laid = self.lay(&system, &over, places, &end_names)?;
        let (method, rests) = method(settings);
        Ok(CableModel {
            name: self.name.to_owned(),
            drums: self.drums.iter().map(|(n, _)| (*n).to_owned()).collect(),
            ends: end_names,
            over,
            laws: self.drums.iter().map(|(_, s)| s.table("law").cloned()).collect(),
            system,
            laid,
            method,
            rests,
            signals: std::mem::take(&mut self.signals),
        })
    }

    /// The drums the cable is laid over.
    fn over(&self) -> Result<Vec<usize>, Fault> {
        let names = || self.drums.iter().map(|(n, _)| *n);
        let mut over = Vec::new();
        for wanted in self.cable.named("over") {
            let place = names().position(|n| n == wanted).ok_or_else(|| {
                let hint = nearest(wanted, names()).map_or_else(
                    || "name parts of kind drum, from the first end to the last".to_owned(),
                    |n| format!("did you mean `{n}`?"),
                );
                Fault::new(self.name, "over", format!("there is no drum called `{wanted}`"), hint)
            })?;
            if over.contains(&place) {
                let reason = format!("`{wanted}` is passed twice");
                let hint = "give that drum more `turns`, or a second drum";
                return Err(Fault::new(self.name, "over", reason, hint));
            }
            over.push(place);
        }
        Ok(over)
    }

    fn drum(&mut self, index: usize) -> Result<Drum, Fault> {
        let (name, spec) = self.drums[index];
        let numbers: parts::Drum<f64> = Params::from_slices(&spec.numbers, &spec.choices);
        let friction = spec.table("law").map_or(Ok(Friction::None), |law| friction(name, law))?;
        Ok(Drum {
            centre: [numbers.x, numbers.y],
            radius: numbers.radius,
            stiffness: numbers.stiffness,
            exponent: numbers.exponent,
            damping: numbers.damping,
            friction,
            sense: if numbers.sense == Choice(1) { Sense::Against } else { Sense::Along },
            drive: self.drive(name, spec, &numbers)?,
        })
    }

    /// What turns a drum: one thing at most.
    fn drive(&mut self, name: &str, spec: &Spec, drum: &parts::Drum<f64>) -> Result<Drive, Fault> {
        let mut found = Vec::new();
        if let Some(angle) = spec.table("angle") {
            found.push((name.to_owned(), "angle", Drive::Prescribed(self.signal(angle))));
        }
        if !drum.inertia.is_nan() {
            let (target, torque) = (Signal::default(), Signal::default());
            let (inertia, bearing) = (drum.inertia, drum.bearing);
            let drive = Drive::Motor { inertia, kp: 0.0, kd: 0.0, target, torque, bearing };
            found.push((name.to_owned(), "inertia", drive));
        }
        for (part, spec) in self.all {
            let is_motor = spec.kind == "drum_motor";
            if !is_motor && spec.kind != "drum_servo" {
                continue;
            }
            let wanted = spec.named("turns").first().map_or("", String::as_str);
            if !self.drums.iter().any(|(n, _)| *n == wanted) {
                let near = nearest(wanted, self.drums.iter().map(|(n, _)| *n));
                let hint = near.map_or_else(
                    || "name a part of kind drum".to_owned(),
                    |n| format!("did you mean `{n}`?"),
                );
                let reason = format!("there is no drum called `{wanted}`");
                return Err(Fault::new(part, "turns", reason, hint));
            }
            if wanted == name {
                let drive = if is_motor { self.motor(spec) } else { self.servo(spec) };
                found.push((part.clone(), "turns", drive));
            }
        }
        match found.len() {
            0 => Ok(Drive::Fixed),
            1 => Ok(found.remove(0).2),
            _ => {
                let (part, key, _) = found.remove(1);
                let reason = format!("two things turn drum `{name}`");
                let hint =
                    "a drum has an `angle`, an `inertia`, a drum_servo or a drum_motor, not two of them";
                Err(Fault::new(&part, key, reason, hint))
            }
        }
    }

    fn servo(&mut self, spec: &Spec) -> Drive {
        let numbers: parts::DrumServo<f64> = Params::from_slices(&spec.numbers, &spec.choices);
        let target = spec.table("angle").map(|s| self.signal(s)).unwrap_or_default();
        Drive::Servo { kp: numbers.kp, kd: numbers.kd, target }
    }

    fn motor(&mut self, spec: &Spec) -> Drive {
        let numbers: parts::DrumMotor<f64> = Params::from_slices(&spec.numbers, &spec.choices);
        let target = spec.table("angle").map(|s| self.signal(s)).unwrap_or_default();
        let torque = spec.table("torque").map(|s| self.signal(s)).unwrap_or_default();
        let parts::DrumMotor { inertia, kp, kd, bearing } = numbers;
        Drive::Motor { inertia, kp, kd, target, torque, bearing }
    }

    /// Both ends, where they are laid, and what they are called.
    fn ends(&mut self) -> Result<([End; 2], [Option<[f64; 2]>; 2], [String; 2]), Fault> {
        let mut ends = <[End; 2]>::default();
        let mut places = [None; 2];
        let mut names = ["first", "last"].map(|end| format!("{}.{end}", self.name));
        let mut seen = [false; 2];
        for (name, spec) in self.all.iter().filter(|(_, s)| s.kind == "cable_end") {
            let numbers: parts::CableEnd<f64> = Params::from_slices(&spec.numbers, &spec.choices);
            let at = usize::from(numbers.at.0);
            if std::mem::replace(&mut seen[at], true) {
                let reason = format!("`{}` stands at that end already", names[at]);
                return Err(Fault::new(name, "at", reason, "a cable has a first end and a last end"));
            }
            names[at] = name.clone();
            let place = [numbers.x, numbers.y];
            places[at] = match place.map(f64::is_nan) {
                [false, false] => Some(place),
                [true, true] => None,
                [x, _] => {
                    let (reason, key) = if x { ("`y` without `x`", "y") } else { ("`x` without `y`", "x") };
                    return Err(Fault::new(name, key, reason, "a place has both"));
                }
            };
            ends[at] = self.end(name, spec, &numbers)?;
        }
        Ok((ends, places, names))
    }

    fn end(&mut self, name: &str, spec: &Spec, numbers: &parts::CableEnd<f64>) -> Result<End, Fault> {
        let mut pair = |keys: [&str; 2]| keys.map(|k| spec.table(k).map(|s| self.signal(s)));
        let (force, way) = (pair(["force_x", "force_y"]), pair(["move_x", "move_y"]));
        let moves = way.iter().any(Option::is_some);
        let support = match numbers.support.0 {
            1 => Support::Pinned,
            2 => Support::Clamped,
            3 => Support::Moving(way.map(Option::unwrap_or_default)),
            _ => Support::Free,
        };
        if moves && !matches!(support, Support::Moving(_)) {
            let key = if spec.table("move_x").is_some() { "move_x" } else { "move_y" };
            let reason = "a way over time is for an end that is moved";
            return Err(Fault::new(name, key, reason, "add `support = \"moving\"`"));
        }
        Ok(End { mass: numbers.mass, force: force.map(Option::unwrap_or_default), support })
    }

    /// A signal of the catalogue as a function of time.
    fn signal(&mut self, spec: &Spec) -> Signal {
        let mut list = ParamList::default();
        let Some(signal) = bristle_mech::Signal::place(spec, "signal", &mut list) else {
            return Signal::default();
        };
        let timed = Arc::new(Timed { signal, p: list.values });
        self.signals.push(timed.clone());
        Signal::Other(Function::new(move |t| {
            let jet = timed.signal.jet(&timed.p, t);
            [jet.value, jet.rate, jet.second]
        }))
    }

    /// A fault of the cable as a fault of a part.
    pub(super) fn fault(&self, error: &CableError) -> Fault {
        let drum = |i: usize| self.drums.get(i).map_or("", |(n, _)| *n);
        match error {
            CableError::NoElements { .. } => Fault::new(
                self.name,
                "elements",
                "a cable of no elements cannot bend over a drum",
                "give at least one element; ten on every arc are a good start",
            ),
            CableError::OverlappingDrums { first, second, distance, radii } => Fault::new(
                drum(*second),
                "radius",
                format!(
                    "it overlaps drum `{}`: the centres are {distance:.4} m apart, the radii sum to {radii:.4} m",
                    drum(*first)
                ),
                "move one of them, or make it smaller",
            ),
            CableError::InsideDrum { node, drum: index, depth } => Fault::new(
                drum(*index),
                "x",
                format!("the cable starts inside it: node {node} is {depth:.4} m below its surface"),
                format!(
                    "name `{}` in `over` of the cable so that it is laid around it, or move the drum or an end",
                    drum(*index)
                ),
            ),
            CableError::TooShort { path, length } => Fault::new(
                self.name,
                "length",
                format!("its way over the drums is {path:.4} m long, the cable {length:.4} m"),
                "give a longer cable, or nearer ends",
            ),
            other => Fault::new(
                self.name,
                "kind",
                other.to_string(),
                "`bristle show cable` explains its parameters",
            ),
        }
    }

    fn lay(
        &self,
        system: &System,
        over: &[usize],
        places: [Option<[f64; 2]>; 2],
        ends: &[String; 2],
    ) -> Result<Vec<bristle_cable::Node>, Fault> {
        let turns = |i: usize| {
            let spec = self.drums[i].1;
            let drum: parts::Drum<f64> = Params::from_slices(&spec.numbers, &spec.choices);
            drum.turns as usize
        };
        let over: Vec<(usize, usize)> = over.iter().map(|&i| (i, turns(i))).collect();
        let laid = super::start::lay(system.cable(), &over, places).map_err(|e| match e {
            super::start::LayError::NoPlace { end } => Fault::new(
                &ends[end],
                "support",
                "it is held, but it is not said where",
                "give it `x` and `y`",
            ),
            super::start::LayError::Cable(e) => self.fault(&e),
        })?;
        system.state(laid.clone()).map_err(|e| self.fault(&e))?;
        Ok(laid)
    }
}

/// The friction of a drum.
fn friction(drum: &str, law: &Spec) -> Result<Friction, Fault> {
    if law.as_forces {
        let hint = "give coefficients (`mu_d`) instead of forces: the normal force differs from node to node";
        return Err(Fault::new(drum, "law", format!("law `{}` is given in forces", law.kind), hint));
    }
    let show = || format!("`bristle show {}` explains its parameters", law.kind);
    let Some(kind) = LawKind::named(&law.kind) else {
        return Err(Fault::new(drum, "law", format!("there is no law called `{}`", law.kind), show()));
    };
    let fault = kind.build::<f64>(&law.numbers, &law.choices).fault();
    let sigmoid = Friction::from_law(kind, &law.numbers, &law.choices);
    match (sigmoid, fault) {
        (Err(e @ CableError::Sigmoid { beta_max, .. }), _) => {
            let hint = format!("take beta = {beta_max:.4} or less, or leave it out for 2 − alpha");
            Err(Fault::new(drum, "law", e.to_string(), hint))
        }
        (_, Some(fault)) => Err(Fault::new(drum, "law", format!("law `{}`: {fault}", law.kind), show())),
        (Err(e), None) => Err(Fault::new(drum, "law", e.to_string(), show())),
        (Ok(friction), None) => Ok(friction),
    }
}

/// The integration method, and whether the cable comes to rest first.
fn method(settings: Option<&Spec>) -> (GeneralisedAlpha, bool) {
    let default = GeneralisedAlpha::default();
    let Some(spec) = settings else { return (default, true) };
    let s: CableSettings<f64> = Params::from_slices(&spec.numbers, &spec.choices);
    let method = GeneralisedAlpha {
        rho: s.rho,
        step: s.step,
        newton_tolerance: s.newton_tolerance,
        newton_limit: s.newton_limit as usize,
        tolerance: Some(s.tolerance).filter(|t| !t.is_nan()),
        structure: [Structure::Auto, Structure::Border, Structure::Descriptor]
            [usize::from(s.structure.0.min(2))],
        ..default
    };
    (method, s.start == Choice(0))
}
