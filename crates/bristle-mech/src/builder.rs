//! What parts find each other by while a mechanism is assembled: names become places.

use crate::contact::{Load, ResolvedContact};
use crate::coordinate::{Body, Coordinate};
use crate::coupled::{Coupling, Factor};
use crate::error::MechError;
use crate::followed::Followed;
use crate::given::Given;
use crate::line::Line;
use crate::mesh::Mesh;
use crate::one_way::OneWay;
use crate::params::ParamList;
use crate::parts::PartKind;
use crate::signals::Signal;
use crate::spec::Spec;
use bristle_core::{Choice, Field, Kind, nearest};
use bristle_law::{At, LawKind};
use std::ops::Range;

/// A part with its name, its kind and where its numbers start.
pub(crate) struct Placed<'a> {
    pub(crate) name: &'a str,
    pub(crate) kind: PartKind,
    pub(crate) spec: &'a Spec,
    pub(crate) first: usize,
}

impl Placed<'_> {
    /// One of its numbers, with its place among the parameters and its value.
    fn number(&self, name: &str) -> (Field, usize, f64) {
        let card = self.kind.card();
        let found = card.numbers().enumerate().find(|(_, field)| field.name == name);
        assert!(found.is_some(), "the card of `{}` has no number `{name}`", card.name);
        let (i, field) = found.unwrap_or((0, &card.fields[0]));
        (*field, self.first + i, self.spec.numbers[i])
    }

    /// Places of all its numbers.
    pub(crate) fn numbers(&self) -> Range<usize> {
        self.first..self.first + self.spec.numbers.len()
    }

    /// Where one of its numbers stands among the parameters.
    pub(crate) fn place(&self, name: &str) -> usize {
        self.number(name).1
    }

    /// Where one of its numbers stands, if it is given.
    pub(crate) fn place_if_given(&self, name: &str) -> Option<usize> {
        let (_, place, value) = self.number(name);
        (!value.is_nan() || self.spec.table(name).is_some()).then_some(place)
    }

    /// The name given for a field, or nothing.
    pub(crate) fn named(&self, field: &str) -> &str {
        self.spec.named(field).first().map_or("", String::as_str)
    }

    /// Its first choice.
    pub(crate) fn choice(&self) -> Choice {
        self.spec.choices.first().copied().unwrap_or_default()
    }

    /// The law it is told.
    pub(crate) fn law(&self) -> Result<&Spec, MechError> {
        let missing = || MechError::UnknownKind { part: self.name.to_owned(), kind: String::new() };
        self.spec.table("law").ok_or_else(missing)
    }

    /// A fault of one of its signals or numbers.
    pub(crate) fn fault(&self, field: &str, fault: &'static str) -> MechError {
        MechError::Signal { part: self.name.to_owned(), field: field.to_owned(), fault }
    }
}

/// The pieces of a system while names are being resolved.
pub(crate) struct Builder<'a> {
    pub(crate) list: ParamList,
    pub(crate) placed: &'a [Placed<'a>],
    pub(crate) bodies: Vec<Body>,
    pub(crate) coordinates: Vec<Coordinate>,
    /// Place of the acceleration of gravity.
    pub(crate) gravity: Option<usize>,
    /// How far lines are inclined.
    pub(crate) tilt: Option<Given>,
    /// Whether planar bodies lie on a floor.
    pub(crate) has_floor: bool,
    /// Numbers that follow signals, and those that parts see to themselves.
    pub(crate) followed: Vec<Followed>,
    taken: Vec<usize>,
    pub(crate) errors: Vec<MechError>,
}

impl<'a> Builder<'a> {
    /// The ground alone.
    pub(crate) fn new(list: ParamList, placed: &'a [Placed<'a>], errors: Vec<MechError>) -> Self {
        let still = || Coordinate::Fixed { q: None };
        let ground = Body { name: "ground".to_owned(), line: Line::Still, x: 0, y: Some(1), mass: None };
        let (bodies, coordinates) = (vec![ground], vec![still(), still()]);
        let (followed, taken) = Default::default();
        Builder {
            list,
            placed,
            bodies,
            coordinates,
            gravity: None,
            tilt: None,
            has_floor: false,
            followed,
            taken,
            errors,
        }
    }
}

impl Builder<'_> {
    pub(crate) fn coordinate(&mut self, coordinate: Coordinate) -> usize {
        self.coordinates.push(coordinate);
        self.coordinates.len() - 1
    }

    /// Keeps what was found, or the reason why it was not.
    pub(crate) fn keep<T>(&mut self, found: Result<T, MechError>) -> Option<T> {
        found.map_err(|e| self.errors.push(e)).ok()
    }

    /// Adds the body that a part is: its coordinate, the vertical one where it has a place in the plane, and the place of its
    /// inertia if forces move it.
    pub(crate) fn add_body(
        &mut self,
        part: &Placed,
        line: Line,
        mass: Option<usize>,
        x: Coordinate,
        y: Option<Coordinate>,
    ) {
        let x = self.coordinate(x);
        let y = y.map(|y| self.coordinate(y));
        self.bodies.push(Body { name: part.name.to_owned(), line, x, y, mass });
    }

    /// A signal of a part, its numbers appended to the parameters; nothing where it has none.
    pub(crate) fn signal(&mut self, part: &Placed, field: &str) -> Result<Option<Signal>, MechError> {
        let Some(spec) = part.spec.table(field) else { return Ok(None) };
        let placed = Signal::place(spec, &format!("{}.{field}", part.name), &mut self.list);
        let signal = placed.ok_or_else(|| part.fault(field, "this signal is not in the catalogue"))?;
        self.can_be_allowed(part, field, &signal)?;
        Ok(Some(signal))
    }

    /// Refuses a signal that stays below the least value that the number may have. Contacts see to their loads themselves.
    fn can_be_allowed(&self, part: &Placed, field: &str, signal: &Signal) -> Result<(), MechError> {
        let card = part.kind.card();
        let Some(number) = card.numbers().find(|number| number.name == field) else { return Ok(()) };
        let Kind::Number { min, unit, .. } = number.kind else { return Ok(()) };
        let is_load = part.law().is_ok() && ["load", "force"].contains(&field);
        if is_load || min == f64::NEG_INFINITY || signal.has_input() {
            return Ok(());
        }
        let largest = signal.largest(&self.list.values);
        if largest >= min {
            return Ok(());
        }
        let reason = format!(
            "its {field} is never more than {largest} {unit}, and {min} {unit} is the least that it may be"
        );
        let hint = "give a signal that is larger, at some time at least".to_owned();
        Err(MechError::Misfit { part: part.name.to_owned(), field: number.name, reason, hint })
    }

    /// A number of a part that may be given over time.
    pub(crate) fn given(&mut self, part: &Placed, field: &str) -> Result<Given, MechError> {
        let (card, place, value) = part.number(field);
        self.taken.push(place);
        let Some(signal) = self.signal(part, field)? else { return Ok(Given::Number(place)) };
        if is_given_twice(&card, value) {
            return Err(part.fault(field, TWICE));
        }
        Ok(Given::Signal(Box::new(signal)))
    }

    /// Lets all numbers follow their signals that no part has seen to.
    pub(crate) fn follow_signals(&mut self) {
        for part in self.placed {
            let numbers = part.kind.card().numbers().filter(|field| part.spec.table(field.name).is_some());
            for field in numbers {
                if self.taken.contains(&part.place(field.name)) {
                    continue;
                }
                let followed = if is_given_twice(field, part.number(field.name).2) {
                    Err(part.fault(field.name, TWICE))
                } else {
                    self.signal(part, field.name)
                };
                let signal = self.keep(followed).flatten();
                self.follow(part.place(field.name), signal);
            }
        }
    }

    /// Lets a number follow a signal.
    fn follow(&mut self, place: usize, signal: Option<Signal>) {
        if let Some(signal) = signal {
            // What asks before time has begun sees what it is then.
            self.list.values[place] = signal.jet(&self.list.values, 0.0).value;
            self.followed.push(Followed { place, signal });
        }
    }

    /// The body of that name.
    pub(crate) fn body(&self, part: &Placed, field: &str, name: &str) -> Result<&Body, MechError> {
        if let Some(body) = self.bodies.iter().find(|b| b.name == name) {
            return Ok(body);
        }
        let (owner, field, name) = (part.name.to_owned(), field.to_owned(), name.to_owned());
        if self.placed.iter().any(|p| p.name == name) {
            return Err(MechError::NotABody { part: owner, field, name });
        }
        let hint = nearest(&name, self.bodies.iter().map(|b| b.name.as_str())).map(str::to_owned);
        Err(MechError::NoSuchPart { part: owner, field, name, hint })
    }

    /// The body that a part pushes; it must be able to move on such a line.
    pub(crate) fn pushed(&self, part: &Placed, line: Line) -> Result<&Body, MechError> {
        let name = part.named("on");
        let body = self.body(part, "on", name)?;
        if body.mass.is_none() {
            return Err(MechError::Immovable { part: part.name.to_owned(), name: name.to_owned() });
        }
        if !body.line.goes_with(line) {
            return Err(wrong_line(part, "on", body, line));
        }
        Ok(body)
    }

    /// The body that bears the reaction of a part, the ground unless it is named; another one than the part pushes.
    pub(crate) fn against(&self, part: &Placed, line: Line) -> Result<&Body, MechError> {
        let name = Some(part.named("against")).filter(|name| !name.is_empty()).unwrap_or("ground");
        if name == part.named("on") {
            return Err(MechError::SelfJoined { part: part.name.to_owned(), name: name.to_owned() });
        }
        self.on_line(part, "against", name, line)?;
        self.body(part, "against", name)
    }

    /// The coordinate that a controller measures: that of the body it names, or else of the one it moves.
    pub(crate) fn read(&self, part: &Placed, line: Line) -> Result<usize, MechError> {
        let (field, name) = match part.named("reads") {
            "" => ("on", part.named("on")),
            name => ("reads", name),
        };
        self.on_line(part, field, name, line)?;
        Ok(self.body(part, field, name)?.x)
    }

    /// The coordinate that a controller follows: that of the body it names, or else the ground.
    pub(crate) fn followed(&self, part: &Placed, line: Line) -> Result<usize, MechError> {
        let name = Some(part.named("follows")).filter(|name| !name.is_empty()).unwrap_or("ground");
        self.on_line(part, "follows", name, line)?;
        Ok(self.body(part, "follows", name)?.x)
    }

    /// The two bodies a part joins; at least one of them must be able to move, but for a contact on a test bench.
    fn pair(&self, part: &Placed) -> Result<[&Body; 2], MechError> {
        let names = part.spec.named("between");
        let [a, b] = [0, 1].map(|i| names.get(i).map_or("", String::as_str));
        let (first, second) = (self.body(part, "between", a)?, self.body(part, "between", b)?);
        if a == b {
            return Err(MechError::SelfJoined { part: part.name.to_owned(), name: a.to_owned() });
        }
        let is_driven = |body: &Body| matches!(self.coordinates[body.x], Coordinate::Driven { .. });
        let may_be_driven = part.spec.kind == "contact" && (is_driven(first) || is_driven(second));
        if first.mass.is_none() && second.mass.is_none() && !may_be_driven {
            let (first, second) = (a.to_owned(), b.to_owned());
            return Err(MechError::NothingMoves { part: part.name.to_owned(), first, second });
        }
        Ok([first, second])
    }

    /// On what kind of line the two bodies move that a part joins.
    pub(crate) fn line_of(&self, part: &Placed) -> Result<Line, MechError> {
        let [first, second] = self.pair(part)?;
        if !first.line.goes_with(second.line) {
            return Err(wrong_line(part, "between", second, first.line));
        }
        Ok(if first.line == Line::Still { second.line } else { first.line })
    }

    /// The coordinates of two bodies that a part joins along a line of this kind; refuses bodies that could leave it.
    pub(crate) fn ends(&self, part: &Placed, line: Line) -> Result<[usize; 2], MechError> {
        let pair = self.pair(part)?;
        if let Some(body) = pair.into_iter().find(|b| !b.line.goes_with(line)) {
            return Err(wrong_line(part, "between", body, line));
        }
        match pair.into_iter().find(|b| self.leaves_the_line(b)) {
            Some(body) => Err(MechError::Planar {
                part: part.name.to_owned(),
                kind: part.kind.card().name,
                field: "between",
                name: body.name.clone(),
            }),
            None => Ok(pair.map(|b| b.x)),
        }
    }

    /// Two bodies that bear one another in one direction.
    pub(crate) fn bearing(&self, part: &Placed, ends: [usize; 2], one_way: OneWay) -> ResolvedContact {
        ResolvedContact { one_way: Some(one_way), elements: 1, ..lawless(part, ends) }
    }

    /// A gear that rubs; its second mode says which way power flows.
    pub(crate) fn rubbing_gear(&self, part: &Placed, ends: [usize; 2], mesh: Mesh) -> ResolvedContact {
        ResolvedContact { mesh: Some(mesh), elements: 2, ..lawless(part, ends) }
    }

    /// A clutch or a brake: faces of a mean radius that a force presses together.
    pub(crate) fn clamped(&mut self, part: &Placed, ends: [usize; 2]) -> Result<ResolvedContact, MechError> {
        if part.law()?.as_forces {
            return Err(part.fault("law", "its torque comes from `force`: state the law in coefficients"));
        }
        let load = Load::Given(self.given(part, "force")?);
        let [arm, faces, scale] = ["radius", "faces", "scale"].map(|field| Some(part.place(field)));
        Ok(ResolvedContact { arm, faces, scale, ..self.contact(part, ends, load)? })
    }

    /// A coupling of bodies, each with its factor; those that had better follow first.
    pub(crate) fn coupling(
        &self,
        part: &Placed,
        bodies: &[(&'static str, &str, Factor)],
    ) -> Result<Coupling, MechError> {
        let mut terms = Vec::new();
        let mut turns = false;
        for (i, &(field, name, factor)) in bodies.iter().enumerate() {
            let body = self.body(part, field, name)?;
            if self.leaves_the_line(body) {
                let (part, kind) = (part.name.to_owned(), part.kind.card().name);
                return Err(MechError::Planar { part, kind, field, name: name.to_owned() });
            }
            if bodies[..i].iter().any(|(_, other, _)| *other == name) {
                return Err(MechError::SelfJoined { part: part.name.to_owned(), name: name.to_owned() });
            }
            turns |= i == 0 && body.rotates();
            terms.push((body.x, factor));
        }
        Ok(Coupling { name: part.name.to_owned(), terms, follower: 0, turns })
    }

    /// Refuses a body that does not move on such a line.
    pub(crate) fn on_line(
        &self,
        part: &Placed,
        field: &'static str,
        name: &str,
        line: Line,
    ) -> Result<(), MechError> {
        let body = self.body(part, field, name)?;
        if body.line.goes_with(line) { Ok(()) } else { Err(wrong_line(part, field, body, line)) }
    }

    /// Whether a body moves in the plane.
    fn leaves_the_line(&self, body: &Body) -> bool {
        body.y.is_some_and(|y| !matches!(self.coordinates[y], Coordinate::Fixed { .. }))
    }

    /// The places in the plane of two bodies that a part joins: both x, both y.
    pub(crate) fn plane(&self, part: &Placed) -> Result<[[usize; 2]; 2], MechError> {
        let pair = self.pair(part)?;
        let flat = |b: &Body| MechError::NotPlanar { part: part.name.to_owned(), name: b.name.clone() };
        let y = [pair[0].y.ok_or_else(|| flat(pair[0]))?, pair[1].y.ok_or_else(|| flat(pair[1]))?];
        Ok([pair.map(|b| b.x), y])
    }

    /// The law in a field of a part: which, and where its numbers begin.
    pub(crate) fn place_law(
        &mut self,
        part: &Placed,
        field: &str,
        spec: &Spec,
    ) -> Result<(LawKind, usize), MechError> {
        let name = part.name;
        let unknown = || MechError::UnknownKind { part: name.to_owned(), kind: spec.kind.clone() };
        let kind = LawKind::named(&spec.kind).ok_or_else(unknown)?;
        let first = self.list.push_all(&format!("{name}.{field}"), &kind.card(), &spec.numbers);
        for (i, number) in kind.card().numbers().enumerate() {
            if let Some(table) = spec.table(number.name) {
                let signal = Signal::place(table, &format!("{name}.{field}.{}", number.name), &mut self.list);
                self.follow(first + i, signal);
            }
        }
        let numbers = &self.list.values[first..first + spec.numbers.len()];
        match kind.build(numbers, &spec.choices).fault() {
            Some(fault) => Err(MechError::Law { part: name.to_owned(), law: spec.kind.clone(), fault }),
            None => Ok((kind, first)),
        }
    }

    /// A contact between two coordinates under the law that the part is told.
    pub(crate) fn contact(
        &mut self,
        part: &Placed,
        ends: [usize; 2],
        load: Load,
    ) -> Result<ResolvedContact, MechError> {
        let (name, spec) = (part.name.to_owned(), part.law()?);
        let (kind, first) = self.place_law(part, "law", spec)?;
        let law = kind.build(&self.list.values[first..first + spec.numbers.len()], &spec.choices);
        let states = kind.states();
        let set_valued = law.limit(&At::sliding(0.0, 1.0), &vec![0.0; states]).is_some();
        Ok(ResolvedContact {
            name,
            ends,
            kind,
            load,
            gate: None,
            arm: None,
            faces: None,
            scale: None,
            asymmetry: None,
            one_way: None,
            mesh: None,
            disc: None,
            choices: spec.choices.clone(),
            first,
            count: spec.numbers.len(),
            z: 0,
            states,
            slot: 0,
            elements: law.elements(),
            work: 0,
            set_valued,
            coasts: law.coasts(),
            has_peak: law.peak_width().is_some(),
            is_steep: law.finest_speed().is_some(),
            uses_hold: law.uses_hold(),
        })
    }
}

/// What holds two bodies without a friction law.
fn lawless(part: &Placed, ends: [usize; 2]) -> ResolvedContact {
    ResolvedContact {
        name: part.name.to_owned(),
        ends,
        kind: LawKind::Coulomb,
        load: Load::Unit,
        gate: None,
        arm: None,
        faces: None,
        scale: None,
        asymmetry: None,
        one_way: None,
        mesh: None,
        disc: None,
        choices: Vec::new(),
        first: 0,
        count: 0,
        z: 0,
        states: 0,
        slot: 0,
        elements: 1,
        work: 0,
        set_valued: true,
        coasts: false,
        has_peak: false,
        is_steep: false,
        uses_hold: false,
    }
}

/// What is wrong with a number beside a signal.
const TWICE: &str = "a number is constant or follows a signal, not both";

/// Whether a number that follows a signal is given besides.
fn is_given_twice(card: &Field, value: f64) -> bool {
    let is_default = |default: f64| value.to_bits() == default.to_bits();
    !value.is_nan() && !card.kind.default().is_some_and(is_default)
}

/// A body on the wrong kind of line, and which parts go with it.
fn wrong_line(part: &Placed, field: &'static str, body: &Body, wanted: Line) -> MechError {
    let (is_rotary, is_join) = (body.line == Line::Rotary, field == "between");
    // What a card names bodies by tells whether it joins two or acts on one.
    let kinds = PartKind::ALL.iter().map(|k| k.card()).filter(|card| {
        let has_field = card.fields.iter().any(|f| f.name == field);
        let has_tag = |tag| card.tags.contains(&tag);
        let suits = if is_rotary { has_tag("rotary") } else { has_tag("straight") || !has_tag("rotary") };
        has_field && suits && !has_tag("cable")
    });
    let list: Vec<&str> = kinds.map(|card| card.name).collect();
    let role = if is_join { "joined to others of its kind" } else { "pushed" };
    // The one thing between both kinds of lines.
    let across =
        if is_join { "a rotor and a body on a line are joined by a `rack` with its `radius`; " } else { "" };
    let hint =
        format!("{across}a body that {} is {role} by a part of kind {}", body.line.verb(), list.join(", "));
    MechError::WrongLine {
        part: part.name.to_owned(),
        field,
        name: body.name.clone(),
        moves: body.line,
        wanted,
        hint: hint.into(),
    }
}
