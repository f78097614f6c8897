//! From parts to ropes: names become places, and what does not fit is said.

use super::cards::{drum_named, drums_passed, turned_once};
use super::dead_band::MODES;
use super::faults::drum_friction;
use super::start::StartScene;
use super::tie::Offset;
use super::{DrumLaw, KernelShelf, NodePlaces, Rope, RopeDrum, RopeEnd, RopeLoad, Tie};
use crate::builder::{Builder, Placed};
use crate::error::MechError;
use crate::line::Line;
use crate::parts::{self, AnyElement, DrumMotorElement, PartKind};
use crate::signals::Signal;
use crate::spec::Spec;
use crate::system::{Body, Coordinate, Follows};
use bristle_cable::{Friction, LayError};
use bristle_core::{Choice, Params, nearest};
use bristle_law::LawKind;

/// Whether the parts are a single cable with its ends and drums and nothing beside it, felt at its nodes alone.
pub(crate) fn is_lone_cable(all: &[(String, Spec)]) -> bool {
    let cables = all.iter().filter(|(_, s)| s.kind == "cable").count();
    let is_its_own = |spec: &Spec| {
        let kind = PartKind::named(&spec.kind);
        let is_tied = ["on", "rim"].iter().any(|field| !spec.named(field).is_empty());
        kind.is_some_and(|k| k.is_of_cable() || k == PartKind::Gravity) && !is_tied
    };
    // Statics know contact at the nodes.
    let is_finer = |spec: &Spec| {
        let place = PartKind::Cable.card().numbers().position(|number| number.name == "contact_points");
        spec.kind == "cable" && place.is_some_and(|place| spec.numbers[place] > 1.0)
    };
    cables == 1 && !all.iter().any(|(_, spec)| is_finer(spec)) && all.iter().all(|(_, spec)| is_its_own(spec))
}

/// A fault of a part of a rope.
pub(super) fn fault(
    part: &str,
    field: &'static str,
    reason: impl Into<String>,
    hint: impl Into<String>,
) -> MechError {
    MechError::Misfit { part: part.to_owned(), field, reason: reason.into(), hint: hint.into() }
}

/// The place of a number of a part among the parameters.
fn place_of(part: &Placed, field: &str) -> usize {
    part.first + part.kind.card().numbers().take_while(|number| number.name != field).count()
}

impl Builder<'_> {
    /// A signal of a part, placed among the parameters.
    fn signal_of(&mut self, part: &Placed, field: &'static str) -> Option<Signal> {
        let spec = part.spec.table(field)?;
        Signal::place(spec, &format!("{}.{field}", part.name), &mut self.list)
    }

    /// The drums, each with the coordinate that turns, and the motors that turn them.
    pub(crate) fn drums(&mut self, placed: &[Placed]) -> (Vec<RopeDrum>, Vec<AnyElement>) {
        let (mut drums, mut motors) = (Vec::new(), Vec::new());
        for part in placed.iter().filter(|p| p.kind == PartKind::Drum) {
            let drum = self.drum(part, placed, &mut motors);
            drums.extend(self.keep(drum));
        }
        for part in placed.iter().filter(|p| matches!(p.kind, PartKind::DrumServo | PartKind::DrumMotor)) {
            let wanted = part.spec.named("turns").first().map_or("", String::as_str);
            let drums = placed.iter().filter(|p| p.kind == PartKind::Drum);
            let names: Vec<&str> = drums.map(|p| p.name).collect();
            self.errors.extend(drum_named(part.name, "turns", wanted, &names).err());
        }
        (drums, motors)
    }

    fn drum(
        &mut self,
        part: &Placed,
        placed: &[Placed],
        motors: &mut Vec<AnyElement>,
    ) -> Result<RopeDrum, MechError> {
        let carrier = match part.spec.named("on").first() {
            None => None,
            Some(name) => {
                let body = self.body(part, "on", name)?;
                let y = body.y.ok_or_else(|| {
                    let reason = format!("`{name}` moves along a line that has no place in the plane");
                    fault(
                        part.name,
                        "on",
                        reason,
                        "a trolley, a planar_mass, a drive or an anchor carries a drum",
                    )
                })?;
                Some([body.x, y])
            }
        };
        let rotor = self.rotor(part, placed, motors)?;
        let law = part.spec.table("law").map(|law| self.drum_law(part, law)).transpose()?;
        Ok(RopeDrum {
            name: part.name.to_owned(),
            first: part.first,
            choices: part.spec.choices.clone(),
            carrier,
            rotor,
            law,
            work: 0,
        })
    }

    /// The coordinate that turns with a drum: one thing at most turns it.
    fn rotor(
        &mut self,
        part: &Placed,
        placed: &[Placed],
        motors: &mut Vec<AnyElement>,
    ) -> Result<usize, MechError> {
        let numbers: parts::Drum<f64> = Params::from_slices(&part.spec.numbers, &part.spec.choices);
        let turning: Vec<&Placed> = placed
            .iter()
            .filter(|p| matches!(p.kind, PartKind::DrumServo | PartKind::DrumMotor))
            .filter(|p| p.spec.named("turns").first().is_some_and(|n| n == part.name))
            .collect();
        let is_free = !numbers.inertia.is_nan();
        let has_angle = part.spec.table("angle").is_some();
        let names: Vec<&str> = turning.iter().map(|p| p.name).collect();
        let shaft = part.spec.named("rotor").first();
        turned_once(part.name, &numbers, has_angle, shaft.map(String::as_str), &names)?;
        if let Some(shaft) = shaft {
            return self.share_rotor(part, shaft);
        }
        let mut mass = None;
        let coordinate = match turning.first() {
            Some(servo) if servo.kind == PartKind::DrumServo => {
                let signal = self.signal_of(servo, "angle");
                let missing = || fault(servo.name, "angle", "it has no angle to follow", "give a signal");
                let signal = signal.ok_or_else(missing)?;
                Coordinate::Servo { q: 0, v: 0, first: servo.first, signal }
            }
            Some(motor) => {
                let inertia = place_of(motor, "inertia");
                mass = Some(inertia);
                Coordinate::free(inertia, None)
            }
            None if is_free => {
                let inertia = place_of(part, "inertia");
                mass = Some(inertia);
                Coordinate::free(inertia, None)
            }
            None if has_angle => {
                let signal = self.signal_of(part, "angle").map(|s| (s, Follows::Position));
                Coordinate::Driven { v: None, q: None, signal, way: None }
            }
            None => Coordinate::Fixed { q: None },
        };
        let rotor = self.coordinate(coordinate);
        if let Some(motor) = turning.first().filter(|p| p.kind == PartKind::DrumMotor) {
            let (angle, torque) = (self.signal_of(motor, "angle"), self.signal_of(motor, "torque"));
            motors.push(
                DrumMotorElement {
                    rotor,
                    angle,
                    torque,
                    gains: Some(place_of(motor, "kp")),
                    bearing: place_of(motor, "bearing"),
                }
                .into(),
            );
        } else if is_free {
            let bearing = place_of(part, "bearing");
            motors.push(DrumMotorElement { rotor, angle: None, torque: None, gains: None, bearing }.into());
        }
        self.bodies.push(Body { name: part.name.to_owned(), line: Line::Rotary, x: rotor, y: None, mass });
        Ok(rotor)
    }

    /// The coordinate of the rotor that a drum turns with.
    fn share_rotor(&mut self, part: &Placed, shaft: &str) -> Result<usize, MechError> {
        let body = self.body(part, "rotor", shaft)?;
        if !body.rotates() {
            let reason = format!("`{shaft}` does not turn");
            let hint =
                "name a rotor, a rotary_drive or a rotary_anchor; what carries the drum is named by `on`";
            return Err(fault(part.name, "rotor", reason, hint));
        }
        let body = Body { name: part.name.to_owned(), ..body.clone() };
        let rotor = body.x;
        self.bodies.push(body);
        Ok(rotor)
    }

    fn drum_law(&mut self, part: &Placed, spec: &Spec) -> Result<DrumLaw, MechError> {
        let name = part.name;
        drum_friction(name, spec)?;
        let unknown = || MechError::UnknownKind { part: name.to_owned(), kind: spec.kind.clone() };
        let kind = LawKind::named(&spec.kind).ok_or_else(unknown)?;
        let first = self.list.push_all(&format!("{name}.law"), &kind.card(), &spec.numbers);
        Ok(DrumLaw { kind, first, count: spec.numbers.len(), choices: spec.choices.clone() })
    }

    /// The ropes, laid and at rest.
    pub(crate) fn ropes(
        &mut self,
        placed: &[Placed],
        drums: &[RopeDrum],
        gravity: Option<usize>,
    ) -> Vec<Rope> {
        let mut ropes = Vec::new();
        self.check_ends(placed);
        if !self.errors.is_empty() {
            return ropes;
        }
        for part in placed.iter().filter(|p| p.kind == PartKind::Cable) {
            // What is wrong with a drum is said of the drum.
            let is_sound = |name: &String| {
                drums.iter().any(|d| d.name == *name)
                    || !placed.iter().any(|p| p.kind == PartKind::Drum && p.name == name)
            };
            if part.spec.named("over").iter().all(is_sound) {
                let rope = self.rope(part, placed, drums, gravity);
                ropes.extend(self.keep(rope));
            }
        }
        ropes
    }

    /// Every end belongs to a cable.
    fn check_ends(&mut self, placed: &[Placed]) {
        let cables: Vec<&str> = placed.iter().filter(|p| p.kind == PartKind::Cable).map(|p| p.name).collect();
        for part in placed.iter().filter(|p| p.kind == PartKind::CableEnd) {
            match part.spec.named("of").first() {
                None if cables.len() > 1 => {
                    let reason = "there are several cables, and it is not said to which it belongs";
                    self.errors.push(fault(
                        part.name,
                        "of",
                        reason,
                        format!("give `of = \"{}\"`", cables[0]),
                    ));
                }
                Some(of) if !cables.contains(&of.as_str()) => {
                    let hint = nearest(of, cables.iter().copied()).map_or_else(
                        || "name a part of kind cable".to_owned(),
                        |n| format!("did you mean `{n}`?"),
                    );
                    self.errors.push(fault(
                        part.name,
                        "of",
                        format!("there is no cable called `{of}`"),
                        hint,
                    ));
                }
                _ => {}
            }
        }
    }

    fn rope(
        &mut self,
        part: &Placed,
        placed: &[Placed],
        drums: &[RopeDrum],
        gravity: Option<usize>,
    ) -> Result<Rope, MechError> {
        let numbers: parts::Cable<f64> = Params::from_slices(&part.spec.numbers, &part.spec.choices);
        let elements = numbers.elements as usize;
        let names: Vec<&str> = drums.iter().map(|d| d.name.as_str()).collect();
        let over = drums_passed(part.name, part.spec.named("over"), &names)?;
        // A drum that no cable is laid over stands in the way of all.
        let is_listed = |d: &RopeDrum| {
            placed.iter().any(|p| p.kind == PartKind::Cable && p.spec.named("over").contains(&d.name))
        };
        let mut touching = over.clone();
        touching.extend((0..drums.len()).filter(|&d| !is_listed(&drums[d])));
        let mut ends = [None, None];
        let of_cable = |p: &&Placed| {
            p.kind == PartKind::CableEnd && p.spec.named("of").first().is_none_or(|of| of == part.name)
        };
        for end in placed.iter().filter(of_cable) {
            let numbers: parts::CableEnd<f64> = Params::from_slices(&end.spec.numbers, &end.spec.choices);
            let at = usize::from(numbers.at.0);
            let made = self.end(end, &numbers, drums)?;
            let earlier: Option<RopeEnd> = ends[at].replace(made);
            if let Some(earlier) = earlier {
                let reason = format!("`{}` stands at that end already", earlier.name);
                return Err(fault(end.name, "at", reason, "a cable has a first end and a last end"));
            }
        }
        let mut which = 0;
        let ends = ends.map(|end| {
            which += 1;
            end.unwrap_or_else(|| RopeEnd {
                name: format!("{}.{}", part.name, ["first", "last"][which - 1]),
                first: None,
                tie: None,
                load: None,
                is_clamped: false,
                force: [None, None],
            })
        });
        let mut states = 0;
        for &d in &touching {
            if let Some(law) = &drums[d].law {
                let friction =
                    Friction::from_law(law.kind, &self.list.values[law.first..][..law.count], &law.choices);
                let own = match friction {
                    Ok(Friction::Quinn { .. }) => 1,
                    Ok(Friction::Karnopp { .. }) => 2,
                    Ok(other) => other.states(),
                    Err(_) => 0,
                };
                states = states.max(own);
            }
        }
        let touching_band = touching.iter().any(|&d| drums[d].has_band());
        let mut rope = Rope {
            name: part.name.to_owned(),
            first: part.first,
            choices: part.spec.choices.clone(),
            elements,
            points: numbers.contact_points as usize,
            gravity,
            ends,
            over: (0..over.len()).collect(),
            drums: touching,
            rests: numbers.start == Choice(0),
            nodes: vec![NodePlaces::default(); elements + 1],
            states,
            modes: if touching_band { MODES } else { 0 },
            slot: 0,
            kernels: KernelShelf::default(),
            start: Vec::new(),
            started_with: Vec::new(),
        };
        let p = &self.list.values;
        rope.check(drums, p).map_err(|e| rope.unlaid(drums, LayError::Cable(e)))?;
        let scene = StartScene { coordinates: &self.coordinates, drums, p };
        rope.start = rope.shape(&scene).map_err(|e| rope.unlaid(drums, e))?;
        rope.started_with.clone_from(p);
        Ok(rope)
    }

    /// One end: what it is tied to, what pulls it.
    fn end(
        &mut self,
        part: &Placed,
        numbers: &parts::CableEnd<f64>,
        drums: &[RopeDrum],
    ) -> Result<RopeEnd, MechError> {
        let force = ["force_x", "force_y"].map(|field| self.signal_of(part, field));
        let moves = ["move_x", "move_y"].map(|field| self.signal_of(part, field));
        let place = [numbers.x, numbers.y];
        let (on, rim) = (part.spec.named("on").first(), part.spec.named("rim").first());
        let support = numbers.support.0;
        let is_tied = on.is_some() || rim.is_some();
        if moves.iter().any(Option::is_some) && support != 3 {
            let reason = "a way over time is for an end that is moved";
            return Err(fault(part.name, "move_x", reason, "add `support = \"moving\"`"));
        }
        if is_tied && (on.is_some() && rim.is_some() || support == 1 || support == 3) {
            let reason = "it is tied to a body and held by something else as well";
            return Err(fault(
                part.name,
                "on",
                reason,
                "leave `support` out, and give `on` or `rim`, not both",
            ));
        }
        if let Some(name) = on {
            self.body(part, "on", name)?;
        }
        if (is_tied || support != 0) && numbers.mass > 0.0 {
            let reason = format!("a mass of {} kg at an end that something else moves", numbers.mass);
            return Err(fault(part.name, "mass", reason, "leave it out, or give it to the body"));
        }
        if !is_tied && place[0].is_nan() != place[1].is_nan() {
            let (reason, key) =
                if place[0].is_nan() { ("`y` without `x`", "y") } else { ("`x` without `y`", "x") };
            return Err(fault(part.name, key, reason, "a place has both"));
        }
        let first = Some(part.first);
        let held = |builder: &mut Self| {
            if place.iter().any(|x| x.is_nan()) {
                let reason = "it is held, but it is not said where";
                return Err(fault(part.name, "support", reason, "give it `x` and `y`"));
            }
            let along = [0, 1].map(|k| {
                let mut direction = [0.0; 2];
                direction[k] = 1.0;
                (builder.coordinate(Coordinate::Fixed { q: Some(place_of(part, ["x", "y"][k])) }), direction)
            });
            Ok(Tie::Body { along: along.to_vec(), offset: Offset::Fixed([0.0; 2]) })
        };
        let tie = match (on, rim, support) {
            (Some(name), ..) => Some(self.tie_to_body(part, name, numbers)?),
            (None, Some(name), _) => {
                let names: Vec<&str> = drums.iter().map(|d| d.name.as_str()).collect();
                Some(Tie::Rim { drum: drum_named(part.name, "rim", name, &names)?, angle: numbers.angle })
            }
            (None, None, 0) => None,
            (None, None, 3) => {
                if place.iter().any(|x| x.is_nan()) {
                    let reason = "it is held, but it is not said where";
                    return Err(fault(part.name, "support", reason, "give it `x` and `y`"));
                }
                let mut offset = place;
                let mut along = Vec::new();
                for (k, signal) in moves.into_iter().enumerate() {
                    let Some(signal) = signal else { continue };
                    offset[k] -= signal.jet(&self.list.values, 0.0).value;
                    let mut direction = [0.0; 2];
                    direction[k] = 1.0;
                    let signal = Some((signal, Follows::Position));
                    let driven = Coordinate::Driven { v: None, q: None, signal, way: None };
                    along.push((self.coordinate(driven), direction));
                }
                Some(Tie::Body { along, offset: Offset::Fixed(offset) })
            }
            (None, None, _) => Some(held(self)?),
        };
        let load = on.and_then(|name| self.hung(part, name, numbers));
        let tie = tie.filter(|_| load.is_none());
        Ok(RopeEnd { name: part.name.to_owned(), first, tie, load, is_clamped: support == 2, force })
    }

    /// The body that an end is tied to, if it hangs there and nothing else acts on it but its weight: the node moves it then.
    fn hung(&mut self, part: &Placed, name: &str, numbers: &parts::CableEnd<f64>) -> Option<RopeLoad> {
        let owner = self.placed.iter().find(|p| p.name == name && p.kind == PartKind::PlanarMass)?;
        let is_named = |p: &Placed| p.spec.names.iter().any(|(_, names)| names.iter().any(|n| n == name));
        let is_alone = !self.placed.iter().any(|p| p.name != part.name && is_named(p));
        let sits_apart = [numbers.x, numbers.y].iter().any(|x| !x.is_nan() && *x != 0.0);
        let floats = self.gravity.is_none() || self.has_floor;
        if !is_alone || sits_apart || floats || !owner.spec.tables.is_empty() {
            return None;
        }
        let body = self.bodies.iter().find(|b| b.name == name)?;
        let load = RopeLoad { coordinates: [body.x, body.y?], mass: body.mass? };
        for c in load.coordinates {
            let Coordinate::Free { start, .. } = self.coordinates[c] else { return None };
            self.coordinates[c] = Coordinate::OnRope { q: 0, v: 0, start };
        }
        Some(load)
    }

    fn tie_to_body(
        &self,
        part: &Placed,
        name: &str,
        numbers: &parts::CableEnd<f64>,
    ) -> Result<Tie, MechError> {
        let body = self.body(part, "on", name)?;
        if body.rotates() {
            let reason = format!("`{name}` is a drum");
            return Err(fault(
                part.name,
                "on",
                reason,
                format!("give `rim = \"{name}\"` to tie it to the rim"),
            ));
        }
        let along = match body.y {
            Some(y) => vec![(body.x, [1.0, 0.0]), (y, [0.0, 1.0])],
            None => vec![(body.x, [numbers.direction.cos(), numbers.direction.sin()])],
        };
        let offset = Offset::Given(["x", "y"].map(|field| Some(place_of(part, field))));
        Ok(Tie::Body { along, offset })
    }
}
