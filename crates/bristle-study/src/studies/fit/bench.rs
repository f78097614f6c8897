//! Which experiment the parts describe: one contact between prescribed motions, behind a spring, or under a mass.

use super::FitProblem;
use bristle_core::{Kind, Role};
use bristle_fit::{Begin, Mount, Rig, RigCourse, RigNumber, RigQuantity};
use bristle_law::LawKind;
use bristle_mech::Spec;
use bristle_scenario::TableError;
use bristle_scenario::measurements::{Measurement, RecordStart};

/// Parts by name.
pub(super) type Parts = [(String, Spec)];

/// An experiment as the parts describe it, before a record is put in.
#[derive(Clone, Debug)]
pub(super) struct FitBench {
    /// The contact.
    pub contact: String,
    pub mount: Mount,
    /// Effective radius, where the contact is between rotors.
    pub radius: f64,
    /// What is prescribed, and the sign it counts with.
    pull: Option<(String, f64)>,
    /// What applies a force.
    force: Option<String>,
    /// The spring, and the sign of its force beside that of the pull.
    spring: Option<(String, f64)>,
    /// Numbers of the parts by their paths.
    numbers: Vec<(String, RigNumber, f64)>,
    /// A jump of the velocity that is prescribed.
    jump: bool,
}

fn number(spec: &Spec, name: &str) -> f64 {
    let card = bristle_mech::PartKind::named(&spec.kind).map(|kind| kind.card());
    let place = card.and_then(|card| card.numbers().position(|f| f.name == name));
    place.map_or(f64::NAN, |i| spec.numbers[i])
}

fn is_mass(spec: Option<&Spec>) -> bool {
    spec.is_some_and(|s| s.kind == "mass" || s.kind == "rotor")
}

fn is_drive(spec: Option<&Spec>) -> bool {
    spec.is_some_and(|s| s.kind == "drive" || s.kind == "rotary_drive")
}

impl FitBench {
    /// Looks at the parts around a contact.
    pub(super) fn of(
        parts: &Parts,
        contact: &str,
        measurement: &Measurement,
    ) -> Result<FitBench, FitProblem> {
        let find = |name: &str| parts.iter().find(|(n, _)| n == name).map(|(_, spec)| spec);
        let unfit = |reason: String| FitProblem::Setup { reason };
        let Some(touch) = find(contact).filter(|s| s.kind == "contact") else {
            return Err(unfit(format!("`{contact}` is no contact")));
        };
        let [first, second] = match touch.named("between") {
            [a, b] => [a.as_str(), b.as_str()],
            _ => return Err(unfit(format!("`{contact}` has no two bodies"))),
        };
        let radius = Some(number(touch, "radius")).filter(|r| r.is_finite()).unwrap_or(1.0);
        let is_measured =
            |name: &str| measurement.inputs.iter().any(|i| i.path.split('.').next() == Some(name));
        let mut bench = FitBench {
            contact: contact.to_owned(),
            mount: Mount::Prescribed,
            radius,
            pull: None,
            force: None,
            spring: None,
            numbers: vec![(format!("{contact}.scale"), RigNumber::Scale, number(touch, "scale"))],
            jump: false,
        };
        let load = number(touch, "load");
        if load.is_finite() {
            bench.numbers.push((format!("{contact}.load"), RigNumber::Load, load));
        }
        if !is_mass(find(first)) && !is_mass(find(second)) {
            let (driven, other, sign) =
                if is_measured(first) { (first, second, 1.0) } else { (second, first, -1.0) };
            let steady =
                find(other).map_or(0.0, |s| number(s, if s.kind == "drive" { "v" } else { "speed" }));
            let steady = if is_drive(find(other)) { steady } else { 0.0 };
            bench.pull = Some((driven.to_owned(), sign));
            bench.numbers.push((format!("{other}.v"), RigNumber::Belt, sign * steady * radius));
            return Ok(bench);
        }
        if !is_mass(find(first)) || radius != 1.0 {
            let reason = format!(
                "the body that slides comes first: `between` of `{contact}` names a mass, then its counter-surface"
            );
            return Err(unfit(reason));
        }
        bench.mount = Mount::Mass;
        let body = find(first).map_or(f64::NAN, |s| number(s, "mass"));
        bench.numbers.push((format!("{first}.mass"), RigNumber::Mass, body));
        for (name, place) in [("q", RigNumber::Place), ("v", RigNumber::Speed)] {
            let value = find(first).map_or(0.0, |s| number(s, name));
            bench.numbers.push((format!("{first}.{name}"), place, value));
        }
        if is_drive(find(second)) {
            let belt = find(second).map_or(0.0, |s| number(s, "v"));
            bench.numbers.push((format!("{second}.v"), RigNumber::Belt, belt));
        }
        for (name, spec) in parts {
            let ends = spec.named("between");
            let touches = ends.iter().any(|e| e == first) || spec.named("on").iter().any(|e| e == first);
            if name == contact || !touches {
                continue;
            }
            let other = ends.iter().find(|e| *e != first).map_or("ground", String::as_str);
            match spec.kind.as_str() {
                "spring"
                    if bench.spring.is_none()
                        && number(spec, "rest") == 0.0
                        && number(spec, "preload") == 0.0 =>
                {
                    let sign = if ends.first().is_some_and(|e| e == first) { -1.0 } else { 1.0 };
                    bench.spring = Some((name.clone(), sign));
                    bench.numbers.push((format!("{name}.k"), RigNumber::Stiffness, number(spec, "k")));
                    bench.pull = is_drive(find(other)).then(|| (other.to_owned(), 1.0));
                    if let Some(step) =
                        find(other).and_then(|s| s.table("velocity")).filter(|s| s.kind == "step")
                    {
                        bench.jump = true;
                        let [from, height, start] = [step.numbers[0], step.numbers[1], step.numbers[2]];
                        let path = |field: &str| format!("{other}.velocity.{field}");
                        bench.numbers.push((path("from"), RigNumber::Before, from));
                        bench.numbers.push((path("to"), RigNumber::After, from + height));
                        bench.numbers.push((path("start"), RigNumber::Instant, start));
                    }
                }
                "damper" if number(spec, "quadratic") == 0.0 => {
                    bench.numbers.push((format!("{name}.d"), RigNumber::Damping, number(spec, "d")));
                }
                "force" => bench.force = Some(name.clone()),
                kind => {
                    let reason = format!(
                        "`{name}` of kind {kind} acts on `{first}`; a fit follows one mass with one spring without rest length or preload, one damper and one force"
                    );
                    return Err(unfit(reason));
                }
            }
        }
        Ok(bench)
    }

    /// The rig with a law in its contact and a record put in.
    pub(super) fn rig(
        &self,
        law: LawKind,
        spec: &Spec,
        measurement: &Measurement,
        channel: &str,
    ) -> Result<(Rig, f64), FitProblem> {
        let has_direct_effect = law.card().place(Role::DirectEffect).is_some();
        let is_pulled =
            self.mount == Mount::Mass && has_direct_effect && self.spring.is_some() && self.force.is_none();
        let mount = if is_pulled { Mount::Pulled } else { self.mount };
        let mut rig = Rig::new(law, &spec.numbers, &spec.choices, mount).map_err(FitProblem::Fit)?;
        for (_, place, value) in &self.numbers {
            rig = rig.with(*place, *value);
        }
        if mount == Mount::Pulled {
            rig = rig.with(RigNumber::Belt, 0.0);
        }
        let table = |error: TableError| FitProblem::Table { file: measurement.file.clone(), error };
        for input in &measurement.inputs {
            let (part, signal) = input.path.split_once('.').unwrap_or((input.path.as_str(), ""));
            let is_pull = self.pull.as_ref().filter(|(name, _)| name == part);
            let course = |unit: &str, factor: f64| -> Result<Vec<f64>, FitProblem> {
                let values = measurement.column(&input.column, unit).map_err(table)?;
                Ok(values.into_iter().map(|x| x * factor).collect())
            };
            match (is_pull, signal) {
                (Some((_, sign)), "velocity") => rig.pull = RigCourse::Lines(course("m/s", *sign)?),
                (Some((_, sign)), "position") => rig.pull = RigCourse::Positions(course("m", *sign)?),
                (Some((_, sign)), "speed") => {
                    rig.pull = RigCourse::Lines(course("rad/s", sign * self.radius)?)
                }
                (Some((_, sign)), "angle") => {
                    rig.pull = RigCourse::Positions(course("rad", sign * self.radius)?)
                }
                (None, "load") if part == self.contact => {
                    rig.load = Some(RigCourse::Lines(course("N", 1.0)?))
                }
                (None, "signal" | "value") if self.force.as_deref() == Some(part) => {
                    rig.force = Some(RigCourse::Lines(course("N", 1.0)?));
                }
                _ => {
                    return Err(FitProblem::Setup {
                        reason: format!(
                            "`{}` is nothing a record can prescribe here: the motion of a drive (`position`, `velocity`, `angle`, `speed`), the `signal` of a force on the body, or the `load` of `{}`",
                            input.path, self.contact
                        ),
                    });
                }
            }
        }
        if self.jump {
            rig.pull = RigCourse::Jump;
        }
        let (part, quantity) = channel.rsplit_once('.').unwrap_or((channel, ""));
        let spring = self.spring.as_ref().filter(|(name, _)| name == part);
        let mut factor = 1.0;
        rig.quantity = match (spring, quantity) {
            (Some((_, sign)), "force") => {
                factor = *sign;
                RigQuantity::Spring
            }
            (None, "force") if part == self.contact => RigQuantity::Friction,
            (None, "torque") if part == self.contact => {
                factor = self.radius;
                RigQuantity::Friction
            }
            (None, "coefficient") if part == self.contact => RigQuantity::Coefficient,
            (None, "slip_rate") if part == self.contact => RigQuantity::SlipRate,
            (None, "q") => RigQuantity::Position,
            (None, "v") => RigQuantity::Velocity,
            _ => {
                return Err(FitProblem::Setup {
                    reason: format!(
                        "`{channel}` is no output of this experiment: `{}.force`, `.coefficient`, the `force` of its spring, or `q` and `v` of its body",
                        self.contact
                    ),
                });
            }
        };
        rig.begin = if measurement.start == RecordStart::Steady { Begin::Steady } else { Begin::Fresh };
        if let Some(times) = &measurement.times {
            let (rows, first) = measurement.rows();
            rig = rig.over(&times[rows], first, measurement.every);
        }
        Ok((rig, factor))
    }

    /// The places of a path among the numbers of a rig.
    pub(super) fn places(&self, path: &str, law: LawKind, rig: &Rig) -> Option<usize> {
        let own = path
            .strip_prefix(&format!("{}.", self.contact))
            .map(|rest| rest.strip_prefix("law.").unwrap_or(rest));
        let of_law = own.and_then(|name| {
            law.card().numbers().position(|f| {
                let is_force = matches!(f.kind, Kind::Number { force: Some(force), .. } if force == name);
                f.name == name || is_force
            })
        });
        of_law.or_else(|| {
            self.numbers.iter().find(|(p, _, _)| p == path).map(|(_, number, _)| rig.place(*number))
        })
    }

    /// The unit of an output of this experiment.
    pub(super) fn unit(channel: &str) -> &'static str {
        match channel.rsplit('.').next() {
            Some("q") => "m",
            Some("v" | "slip_rate") => "m/s",
            Some("torque") => "N m",
            Some("coefficient") => "1",
            _ => "N",
        }
    }

    /// The paths of numbers beside those of the law.
    pub(super) fn paths(&self) -> impl Iterator<Item = (&str, RigNumber, f64)> {
        self.numbers.iter().map(|(path, number, value)| (path.as_str(), *number, *value))
    }
}
