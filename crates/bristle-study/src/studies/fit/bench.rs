//! Which experiment the parts describe: one contact between prescribed motions, behind a spring, or under a mass.

use super::FitProblem;
use super::course::{accelerations, column, is_inverse};
use bristle_core::{Kind, Role};
use bristle_fit::{Begin, Mount, Rig, RigCourse, RigNumber, RigQuantity, RigServo};
use bristle_law::LawKind;
use bristle_mech::Spec;
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
    /// The body whose measured motion is prescribed, so that its inertia adds to the force that moves it.
    carried: Option<String>,
    /// What moves that body.
    movers: Vec<String>,
    /// A sampled controller of the body.
    servo: Option<(String, Spec)>,
}

fn number(spec: &Spec, name: &str) -> f64 {
    let card = bristle_mech::PartKind::named(&spec.kind).map(|kind| kind.card());
    let place = card.and_then(|card| card.numbers().position(|f| f.name == name));
    place.map_or(f64::NAN, |i| spec.numbers[i])
}

fn is_mass(spec: Option<&Spec>) -> bool {
    spec.is_some_and(|s| s.kind == "mass" || s.kind == "rotor")
}

/// What the inertia, the place and the speed of a body are called.
fn body_names(spec: Option<&Spec>) -> [&'static str; 3] {
    match spec.is_some_and(|s| s.kind == "rotor") {
        true => ["inertia", "angle", "speed"],
        false => ["mass", "q", "v"],
    }
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
            carried: None,
            movers: Vec::new(),
            servo: None,
        };
        bench.number_contact(touch);
        if is_inverse(measurement, first) && is_mass(find(first)) {
            return bench.inverse(parts, first, second).map(|()| bench);
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
        let names = body_names(find(first));
        for (name, place) in names.iter().zip([RigNumber::Mass, RigNumber::Place, RigNumber::Speed]) {
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
                "force" | "torque" => bench.force = Some(name.clone()),
                "sampled_pid" if bench.servo.is_none() => {
                    if spec.named("reads").iter().any(|body| body != first) {
                        return Err(unfit(format!("`{name}` reads another body than it moves")));
                    }
                    bench.servo = Some((name.clone(), spec.clone()));
                    for (field, place) in [
                        ("kp", RigNumber::Gain),
                        ("ki", RigNumber::IntegralGain),
                        ("kd", RigNumber::RateGain),
                    ] {
                        bench.numbers.push((format!("{name}.{field}"), place, number(spec, field)));
                    }
                }
                kind => {
                    let reason = format!(
                        "`{name}` of kind {kind} acts on `{first}`; a fit follows one mass with one spring without rest length or preload, one damper, one force and one sampled_pid"
                    );
                    return Err(unfit(reason));
                }
            }
        }
        Ok(bench)
    }

    /// Tells drag backwards from drag forwards, where it is looked for by a name of its own.
    pub fn tell_apart(&mut self, entries: &[&Spec]) {
        let own = format!("{}.viscous_backward", self.contact);
        if entries
            .iter()
            .any(|entry| entry.named("path").contains(&own) || entry.named("with").contains(&own))
        {
            let both = self.numbers.iter_mut().filter(|(_, place, _)| *place == RigNumber::ViscousBackward);
            both.for_each(|(path, ..)| path.clone_from(&own));
        }
    }

    /// The numbers of the contact beside those of its law.
    fn number_contact(&mut self, touch: &Spec) {
        let contact = self.contact.clone();
        let given = |name: &str| Some(number(touch, name)).filter(|x| x.is_finite());
        let drag = given("viscous").unwrap_or(0.0);
        let mut add =
            |name: &str, place, value| self.numbers.push((format!("{contact}.{name}"), place, value));
        if let Some(load) = given("load") {
            add("load", RigNumber::Load, load);
        }
        add("backward", RigNumber::Backward, given("backward").unwrap_or(1.0));
        add("offset", RigNumber::Offset, given("offset").unwrap_or(0.0));
        add("viscous", RigNumber::Viscous, drag);
        match given("viscous_backward") {
            Some(back) => add("viscous_backward", RigNumber::ViscousBackward, back),
            // The same both ways until it is told apart.
            None => add("viscous", RigNumber::ViscousBackward, drag),
        }
    }

    /// A body whose motion was measured: what moves it bears its inertia and its friction.
    fn inverse(&mut self, parts: &Parts, first: &str, second: &str) -> Result<(), FitProblem> {
        let body = parts.iter().find(|(name, _)| name == first).map(|(_, spec)| spec);
        let inertia = body_names(body)[0];
        let value = body.map_or(0.0, |s| number(s, inertia));
        self.numbers.push((format!("{first}.{inertia}"), RigNumber::Inertia, value));
        self.pull = Some((first.to_owned(), 1.0));
        self.carried = Some(first.to_owned());
        if second != "ground" {
            let reason = format!(
                "`{}` rubs against `{second}`; the motion of `{first}` is followed against the ground",
                self.contact
            );
            return Err(FitProblem::Setup { reason });
        }
        for (name, spec) in parts.iter().filter(|(name, _)| *name != self.contact) {
            let touches = spec.named("between").iter().chain(spec.named("on")).any(|end| end == first);
            match spec.kind.as_str() {
                _ if !touches => {}
                "force" | "torque" | "sampled_pid" | "pid" | "rotary_pid" => self.movers.push(name.clone()),
                kind => {
                    let reason = format!(
                        "`{name}` of kind {kind} acts on `{first}`; inverse dynamics know inertia, friction and one force"
                    );
                    return Err(FitProblem::Setup { reason });
                }
            }
        }
        Ok(())
    }

    /// The controller with what was measured of its wanted position.
    fn servo(&self, measurement: &Measurement) -> Result<Option<RigServo>, FitProblem> {
        let Some((name, spec)) = &self.servo else { return Ok(None) };
        let setup = |reason: String| FitProblem::Setup { reason };
        let Some(times) = &measurement.times else {
            return Err(setup(format!("`{name}` needs a record with times")));
        };
        let path = format!("{name}.position");
        let Some(input) = measurement.inputs.iter().find(|i| i.path == path) else {
            return Err(setup(format!(
                "measurement `{}` does not say where `{path}` stands: add it to `inputs`",
                measurement.name
            )));
        };
        let (rows, _) = measurement.rows();
        let times = &times[rows.clone()];
        let step = (times[times.len() - 1] - times[0]) / (times.len() - 1).max(1) as f64;
        let is_even = times.windows(2).all(|t| (t[1] - t[0] - step).abs() < 1e-3 * step);
        let (period, delay) = (number(spec, "period"), number(spec, "delay"));
        let every = (period / step).round().max(1.0);
        if !is_even || (period - every * step).abs() > 1e-3 * step || delay >= step {
            return Err(setup(format!(
                "`{name}` looks every {period} s with a delay of {delay} s, but the rows of `{}` lie {step} s apart: a whole number of them to a look, and a delay within one",
                measurement.name
            )));
        }
        let given = |field: &str| Some(number(spec, field)).filter(|x| x.is_finite());
        let [derives_measurement, looks_at_start] =
            [0, 1].map(|i| spec.choices.get(i).is_some_and(|choice| choice.0 == 1));
        Ok(Some(RigServo {
            reference: column(measurement, input, "m")?[rows].to_vec(),
            period,
            every: every as usize,
            delay,
            quantum: given("quantum"),
            limit: given("limit").unwrap_or(f64::INFINITY),
            average: given("average").unwrap_or(1.0) as usize,
            filter: given("filter").unwrap_or(0.0),
            derives_measurement,
            looks_at_start,
        }))
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
        let (rows, _) = measurement.rows();
        for input in &measurement.inputs {
            let (part, signal) = input.path.split_once('.').unwrap_or((input.path.as_str(), ""));
            let is_pull = self.pull.as_ref().filter(|(name, _)| name == part);
            let course = |unit: &str, factor: f64| -> Result<Vec<f64>, FitProblem> {
                let values = column(measurement, input, unit)?;
                Ok(values[rows.clone()].iter().map(|x| x * factor).collect())
            };
            if is_pull.is_some() && self.carried.is_some() {
                let is_rotary = matches!(signal, "angle" | "speed");
                let arm = if is_rotary { self.radius } else { 1.0 };
                let [v, a] = accelerations(measurement, input, signal)?;
                rig.pull = RigCourse::Lines(v[rows.clone()].iter().map(|v| v * arm).collect());
                rig.acceleration = Some(a[rows.clone()].iter().map(|a| a / arm).collect());
                continue;
            }
            if self.servo.as_ref().is_some_and(|(name, _)| name == part) && signal == "position" {
                continue;
            }
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
        if self.mount == Mount::Mass {
            rig.servo = self.servo(measurement)?;
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
            (None, "force" | "torque") if self.movers.iter().any(|name| name == part) => {
                factor = if quantity == "torque" { self.radius } else { 1.0 };
                RigQuantity::Friction
            }
            (None, "force") if self.servo.as_ref().is_some_and(|(name, _)| name == part) => {
                RigQuantity::Servo
            }
            (None, "coefficient") if part == self.contact => RigQuantity::Coefficient,
            (None, "slip_rate") if part == self.contact => RigQuantity::SlipRate,
            (None, "q" | "angle") => RigQuantity::Position,
            (None, "v" | "speed") => RigQuantity::Velocity,
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
    pub(super) fn places(&self, path: &str, law: LawKind, rig: &Rig) -> Vec<usize> {
        let own = path
            .strip_prefix(&format!("{}.", self.contact))
            .map(|rest| rest.strip_prefix("law.").unwrap_or(rest));
        let of_law = own.and_then(|name| {
            law.card().numbers().position(|f| {
                let is_force = matches!(f.kind, Kind::Number { force: Some(force), .. } if force == name);
                f.name == name || is_force
            })
        });
        match of_law {
            Some(place) => vec![place],
            None => {
                let own = self.numbers.iter().filter(|(p, _, _)| p == path);
                own.map(|(_, number, _)| rig.place(*number)).collect()
            }
        }
    }

    /// The unit of an output of this experiment.
    pub(super) fn unit(channel: &str) -> &'static str {
        match channel.rsplit('.').next() {
            Some("q") => "m",
            Some("angle") => "rad",
            Some("speed") => "rad/s",
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
