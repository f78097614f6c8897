//! From parts to a system: names become places.

use crate::band;
use crate::error::MechError;
use crate::parts::{
    AnyElement, CapstanLoad, DamperElement, Element, ForceElement, GravityElement, PartKind, SegmentElement,
    SpringElement,
};
use crate::planar::ResolvedPlanarContact;
use crate::rope::is_lone_cable;
use crate::signals::Signal;
use crate::spec::Spec;
use crate::system::{Body, Coordinate, Follows, Load, ParamList, ResolvedContact, System};
use bristle_core::{Choice, nearest};
use bristle_law::{At, LawKind};
use bristle_solve::{Dynamics, State};
use std::collections::HashSet;

/// A part with its name, its kind and where its numbers start.
pub(crate) struct Placed<'a> {
    pub(crate) name: &'a str,
    pub(crate) kind: PartKind,
    pub(crate) spec: &'a Spec,
    pub(crate) first: usize,
}

impl System {
    /// Assembles a system from named parts.
    ///
    /// # Errors
    /// The first of what [`System::assemble_all`] finds.
    pub fn assemble(parts: &[(String, Spec)]) -> Result<System, MechError> {
        System::assemble_all(parts).map_err(|list| list.into_iter().next().unwrap_or(MechError::Empty))
    }

    /// Assembles a system from named parts, or says everything that is wrong with them.
    ///
    /// # Errors
    /// At least one error, each of which names its part.
    pub fn assemble_all(parts: &[(String, Spec)]) -> Result<System, Vec<MechError>> {
        let mut errors = Vec::new();
        let mut list = ParamList::default();
        let mut placed = Vec::with_capacity(parts.len());
        let mut names = HashSet::from(["ground"]);
        for (name, spec) in parts {
            if !names.insert(name) {
                errors.push(MechError::Duplicate { name: name.clone() });
                continue;
            }
            let Some(kind) = PartKind::named(&spec.kind) else {
                errors.push(MechError::UnknownKind { part: name.clone(), kind: spec.kind.clone() });
                continue;
            };
            let first = list.push_all(name, &kind.card(), &spec.numbers);
            placed.push(Placed { name, kind, spec, first });
        }
        let mut builder =
            Builder { list, placed: &placed, bodies: Vec::new(), coordinates: Vec::new(), errors };
        builder.bodies(&placed);
        let gravity = builder.gravity_part(&placed);
        // A cable alone brings equations of its own.
        let is_lone = is_lone_cable(parts) || !placed.iter().any(|p| p.kind == PartKind::Cable);
        let (drums, motors) = if is_lone { Default::default() } else { builder.drums(&placed) };
        let ropes = if is_lone { Vec::new() } else { builder.ropes(&placed, &drums, gravity) };
        let mut elements = builder.elements(&placed);
        elements.extend(motors);
        let contacts = builder.contacts(&placed, gravity.is_some());
        let planar = builder.planar_contacts(&placed);
        let Builder { list, bodies, coordinates, mut errors, .. } = builder;
        let is_cable = placed.iter().any(|p| p.kind == PartKind::Cable);
        if !is_cable && !coordinates.iter().any(|c| matches!(c, Coordinate::Free { .. })) {
            errors.push(MechError::Empty);
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut system = System {
            bodies,
            coordinates,
            elements,
            contacts,
            planar,
            ropes,
            drums,
            gravity,
            list,
            rigid: 0,
            core: 0,
            input: 0,
            damping: None,
            slots: 0,
            band: None,
            warnings: Vec::new(),
        };
        system.lay_out();
        system.warnings = cautions(&system);
        Ok(system)
    }

    /// The state at the start: positions and velocities of the parts, law states as the laws begin.
    pub fn initial(&self, p: &[f64]) -> State {
        let mut x = vec![0.0; self.dim()];
        for body in self.bodies.iter().filter(|b| !b.rotates) {
            let Some(mass) = body.mass else { continue };
            // The card lists the mass, then positions, then velocities.
            let planar = body.y.is_some_and(|y| matches!(self.coordinates[y], Coordinate::Free { .. }));
            let (vx, y, vy) = if planar { (mass + 3, mass + 2, mass + 4) } else { (mass + 2, 0, 0) };
            if let Coordinate::Free { q, v, .. } = self.coordinates[body.x] {
                (x[q], x[v]) = (p[mass + 1], p[vx]);
            }
            if let Some(Coordinate::Free { q, v, .. }) = body.y.map(|c| &self.coordinates[c]) {
                (x[*q], x[*v]) = (p[y], p[vy]);
            }
        }
        for contact in &self.contacts {
            contact.law(p).initial(&mut x[contact.z..contact.z + contact.states]);
        }
        for rope in &self.ropes {
            let shape = rope.start(self, p);
            for (places, node) in rope.nodes.iter().zip(&shape) {
                for k in 0..4 {
                    if let Some(place) = places.q[k] {
                        x[place] = node[k];
                    }
                }
            }
        }
        State { t: 0.0, x, mode: Vec::new() }
    }

    /// Gives every state its place. Position, velocity and bristles of one body lie side by side, so that a
    /// chain of bodies has a banded Jacobian; the quadratures come last.
    fn lay_out(&mut self) {
        let mut next = 0;
        let mut contact_done = vec![false; self.contacts.len()];
        for c in 0..self.coordinates.len() {
            if let Coordinate::Free { q, v, .. } | Coordinate::Servo { q, v, .. } = &mut self.coordinates[c] {
                (*q, *v) = (next, next + 1);
                next += 2;
            }
            for (k, contact) in self.contacts.iter_mut().enumerate() {
                let last = contact.ends[0].max(contact.ends[1]);
                if last == c && !contact_done[k] {
                    contact.z = next;
                    next += contact.states;
                    contact_done[k] = true;
                }
            }
            for contact in &mut self.planar {
                if contact.coordinates().into_iter().max() == Some(c) {
                    contact.z = next;
                    next += 4;
                }
            }
        }
        self.rigid = next;
        for rope in &mut self.ropes {
            next = rope.lay_out(next);
        }
        self.core = next;
        let mut slot = 0;
        for contact in &mut self.contacts {
            contact.work = next;
            contact.slot = slot;
            next += 1;
            slot += contact.elements;
        }
        for contact in &mut self.planar {
            contact.work = next;
            next += 1;
        }
        for drum in &mut self.drums {
            drum.work = next;
            next += 1;
        }
        self.slots = slot;
        self.input = next;
        let dissipates = self.elements.iter().any(Element::dissipates) || !self.ropes.is_empty();
        self.damping = dissipates.then_some(next + 1);
        self.band = if self.ropes.is_empty() { band::find(self) } else { None };
    }
}

/// The pieces of a system while names are being resolved.
pub(crate) struct Builder<'a> {
    pub(crate) list: ParamList,
    placed: &'a [Placed<'a>],
    pub(crate) bodies: Vec<Body>,
    pub(crate) coordinates: Vec<Coordinate>,
    pub(crate) errors: Vec<MechError>,
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

    /// Where the numbers of gravity start; there is one gravity at most.
    fn gravity_part(&mut self, placed: &[Placed]) -> Option<usize> {
        let mut all = placed.iter().filter(|p| p.kind == PartKind::Gravity);
        let found = all.next()?;
        for part in all {
            let (part, first) = (part.name.to_owned(), found.name.to_owned());
            self.errors.push(MechError::Second { part, kind: "gravity", first });
        }
        Some(found.first)
    }

    fn bodies(&mut self, placed: &[Placed]) {
        let (x, y) =
            (self.coordinate(Coordinate::Fixed { q: None }), self.coordinate(Coordinate::Fixed { q: None }));
        self.bodies.push(Body { name: "ground".to_owned(), x, y: Some(y), mass: None, rotates: false });
        for part in placed {
            let first = part.first;
            let free = |mass| Coordinate::Free { q: 0, v: 0, mass };
            let (x, y, mass) = match part.kind {
                PartKind::Mass => (self.coordinate(free(first)), None, Some(first)),
                PartKind::PlanarMass => {
                    (self.coordinate(free(first)), Some(self.coordinate(free(first))), Some(first))
                }
                PartKind::Trolley => {
                    let x = self.coordinate(free(first));
                    (x, Some(self.coordinate(Coordinate::Fixed { q: Some(first + 3) })), Some(first))
                }
                PartKind::Anchor => {
                    let x = self.coordinate(Coordinate::Fixed { q: Some(first) });
                    (x, Some(self.coordinate(Coordinate::Fixed { q: Some(first + 1) })), None)
                }
                PartKind::Drive => {
                    let signal = self.motion(part);
                    let signal = self.keep(signal).flatten();
                    let x =
                        self.coordinate(Coordinate::Driven { v: Some(first), q: Some(first + 1), signal });
                    (x, Some(self.coordinate(Coordinate::Fixed { q: Some(first + 2) })), None)
                }
                _ => continue,
            };
            self.bodies.push(Body { name: part.name.to_owned(), x, y, mass, rotates: false });
        }
    }

    /// The signal of a drive, if it has one.
    fn motion(&mut self, part: &Placed) -> Result<Option<(Signal, Follows)>, MechError> {
        let fault = |field: &str, fault| MechError::Signal {
            part: part.name.to_owned(),
            field: field.to_owned(),
            fault,
        };
        let (field, follows) = match (part.spec.table("velocity"), part.spec.table("position")) {
            (Some(_), Some(_)) => {
                return Err(fault("position", "a drive follows a velocity or a position, not both"));
            }
            (Some(_), None) => ("velocity", Follows::Velocity),
            (None, Some(_)) => ("position", Follows::Position),
            (None, None) => return Ok(None),
        };
        let signal = part
            .spec
            .table(field)
            .and_then(|spec| Signal::place(spec, &format!("{}.{field}", part.name), &mut self.list));
        signal.map(|s| Some((s, follows))).ok_or_else(|| fault(field, "this signal is not in the catalogue"))
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

    /// The two bodies a part joins; at least one of them must be able to move.
    fn pair(&self, part: &Placed) -> Result<[&Body; 2], MechError> {
        let names = part.spec.named("between");
        let [a, b] = [0, 1].map(|i| names.get(i).map_or("", String::as_str));
        let (first, second) = (self.body(part, "between", a)?, self.body(part, "between", b)?);
        if a == b {
            return Err(MechError::SelfJoined { part: part.name.to_owned(), name: a.to_owned() });
        }
        if first.mass.is_none() && second.mass.is_none() {
            let (first, second) = (a.to_owned(), b.to_owned());
            return Err(MechError::NothingMoves { part: part.name.to_owned(), first, second });
        }
        Ok([first, second])
    }

    /// The places along the line of two bodies that a part joins; refuses bodies that could leave the line.
    fn line(&self, part: &Placed) -> Result<[usize; 2], MechError> {
        let pair = self.pair(part)?;
        let is_planar =
            |b: &&Body| b.y.is_some_and(|y| matches!(self.coordinates[y], Coordinate::Free { .. }));
        match pair.into_iter().find(is_planar) {
            Some(body) => Err(MechError::Planar {
                part: part.name.to_owned(),
                kind: part.kind.card().name,
                field: "between",
                name: body.name.clone(),
            }),
            None => Ok(pair.map(|b| b.x)),
        }
    }

    /// The places in the plane of two bodies that a part joins: both x, both y.
    fn plane(&self, part: &Placed) -> Result<[[usize; 2]; 2], MechError> {
        let pair = self.pair(part)?;
        let flat = |b: &Body| MechError::NotPlanar { part: part.name.to_owned(), name: b.name.clone() };
        let y = [pair[0].y.ok_or_else(|| flat(pair[0]))?, pair[1].y.ok_or_else(|| flat(pair[1]))?];
        Ok([pair.map(|b| b.x), y])
    }

    fn elements(&mut self, placed: &[Placed]) -> Vec<AnyElement> {
        let mut elements = Vec::new();
        for part in placed {
            let element = self.element(part);
            elements.extend(self.keep(element).flatten());
        }
        elements
    }

    /// The element a part stands for, if it is one.
    fn element(&mut self, part: &Placed) -> Result<Option<AnyElement>, MechError> {
        let first = part.first;
        Ok(Some(match part.kind {
            PartKind::Spring => SpringElement { ends: self.line(part)?, first }.into(),
            PartKind::Damper => DamperElement { ends: self.line(part)?, first }.into(),
            PartKind::Segment => {
                let [x, y] = self.plane(part)?;
                SegmentElement { x, y, first }.into()
            }
            PartKind::Gravity => self.gravity(first).into(),
            PartKind::Force => self.force(part)?.into(),
            _ => return Ok(None),
        }))
    }

    fn gravity(&self, first: usize) -> GravityElement {
        let heavy = || self.bodies.iter().filter(|b| !b.rotates).filter_map(|b| Some((b, b.mass?)));
        GravityElement {
            vertical: heavy().filter_map(|(b, mass)| Some((b.y?, mass))).collect(),
            along: heavy().filter(|(b, _)| b.y.is_none()).map(|(b, mass)| (b.x, mass)).collect(),
            first,
        }
    }

    fn force(&mut self, part: &Placed) -> Result<ForceElement, MechError> {
        let name = part.spec.named("on").first().map_or("", String::as_str);
        let body = self.body(part, "on", name)?;
        if body.mass.is_none() {
            return Err(MechError::Immovable { part: part.name.to_owned(), name: name.to_owned() });
        }
        let vertical = part.spec.choices.first() == Some(&Choice(1));
        let not_planar = || MechError::NotPlanar { part: part.name.to_owned(), name: name.to_owned() };
        let coordinate = if vertical { body.y.ok_or_else(not_planar)? } else { body.x };
        let path = format!("{}.signal", part.name);
        let signal = match part.spec.table("signal") {
            None => None,
            Some(spec) => {
                Some(Signal::place(spec, &path, &mut self.list).ok_or_else(|| MechError::Signal {
                    part: part.name.to_owned(),
                    field: "signal".to_owned(),
                    fault: "this signal is not in the catalogue",
                })?)
            }
        };
        Ok(ForceElement { coordinate, signal, first: part.first })
    }

    fn contacts(&mut self, placed: &[Placed], gravity: bool) -> Vec<ResolvedContact> {
        let mut contacts = Vec::new();
        for part in placed.iter().filter(|p| matches!(p.kind, PartKind::Contact | PartKind::Capstan)) {
            let contact = self.contact(part, gravity);
            contacts.extend(self.keep(contact));
        }
        contacts
    }

    fn contact(&mut self, part: &Placed, gravity: bool) -> Result<ResolvedContact, MechError> {
        let ends = self.line(part)?;
        let name = part.name.to_owned();
        let no_law = || MechError::UnknownKind { part: name.clone(), kind: String::new() };
        let spec = part.spec.table("law").ok_or_else(no_law)?;
        let unknown = || MechError::UnknownKind { part: name.clone(), kind: spec.kind.clone() };
        let kind = LawKind::named(&spec.kind).ok_or_else(unknown)?;
        let load = match part.kind {
            PartKind::Capstan => self.wrapped(part, spec, ends[0])?,
            _ => self.load(part, spec, gravity)?,
        };
        let first = self.list.push_all(&format!("{name}.law"), &kind.card(), &spec.numbers);
        let law = kind.build(&spec.numbers, &spec.choices);
        if let Some(fault) = law.fault() {
            return Err(MechError::Law { part: name, law: spec.kind.clone(), fault });
        }
        let states = kind.states();
        let set_valued = law.limit(&At::sliding(0.0, 1.0), &vec![0.0; states]).is_some();
        Ok(ResolvedContact {
            name,
            ends,
            kind,
            load,
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

    fn planar_contacts(&mut self, placed: &[Placed]) -> Vec<ResolvedPlanarContact> {
        let mut contacts = Vec::new();
        for part in placed.iter().filter(|p| p.kind == PartKind::PlanarContact) {
            let contact = self.planar_contact(part);
            contacts.extend(self.keep(contact));
        }
        contacts
    }

    fn planar_contact(&mut self, part: &Placed) -> Result<ResolvedPlanarContact, MechError> {
        let name = part.name.to_owned();
        let [x, y] = self.plane(part)?;
        let spec = part
            .spec
            .table("law")
            .ok_or_else(|| MechError::UnknownKind { part: name.clone(), kind: String::new() })?;
        ResolvedPlanarContact::check(&name, &spec.kind)?;
        let given = part.spec.numbers.first().is_some_and(|n| !n.is_nan());
        let load = match (given, spec.as_forces) {
            (true, true) => return Err(MechError::LoadAndForces { part: name }),
            (false, false) => return Err(MechError::NoLoad { part: name }),
            (true, false) => Load::Given(part.first),
            (false, true) => Load::Unit,
        };
        let law = ResolvedPlanarContact::LAW;
        let first = self.list.push_all(&format!("{name}.law"), &law.card(), &spec.numbers);
        if let Some(fault) = law.build(&spec.numbers, &spec.choices).fault() {
            return Err(MechError::Law { part: name, law: spec.kind.clone(), fault });
        }
        Ok(ResolvedPlanarContact { name, x, y, load, first, count: spec.numbers.len(), z: 0, work: 0 })
    }

    /// The load of a capstan: from the springs that pull its piece of rope to both sides.
    fn wrapped(&self, part: &Placed, law: &Spec, piece: usize) -> Result<Load, MechError> {
        if law.as_forces {
            return Err(MechError::LoadAndForces { part: part.name.to_owned() });
        }
        let fault =
            |fault| MechError::Signal { part: part.name.to_owned(), field: "ropes".to_owned(), fault };
        let rope = |i: usize| {
            let name = part.spec.named("ropes").get(i).map_or("", String::as_str);
            let spring = self.placed.iter().find(|p| p.name == name && p.kind == PartKind::Spring);
            let spring = spring.ok_or_else(|| fault("`ropes` names two parts of kind spring"))?;
            let ends = self.line(spring)?;
            let joined = ends.contains(&piece);
            joined
                .then_some((ends, spring.first))
                .ok_or_else(|| fault("a rope must end at the piece on the drum"))
        };
        Ok(Load::Wrapped(CapstanLoad { piece, ropes: [rope(0)?, rope(1)?], first: part.first }))
    }

    /// Where the normal load of a contact comes from.
    fn load(&self, part: &Placed, law: &Spec, gravity: bool) -> Result<Load, MechError> {
        let given = part.spec.numbers.first().is_some_and(|n| !n.is_nan());
        if law.as_forces {
            return if given {
                Err(MechError::LoadAndForces { part: part.name.to_owned() })
            } else {
                Ok(Load::Unit)
            };
        }
        if given {
            return Ok(Load::Given(part.first));
        }
        let carried = match part.spec.named("carries") {
            [] => part.spec.named("between").get(..1).unwrap_or(&[]),
            names => names,
        };
        let (mut weights, mut reactions) = (Vec::new(), Vec::new());
        for name in carried {
            let body = self.body(part, "carries", name)?;
            match (body.y, body.mass) {
                (None, Some(mass)) if gravity => weights.push(mass),
                (Some(y), Some(_)) if matches!(self.coordinates[y], Coordinate::Fixed { .. }) => {
                    reactions.push(y)
                }
                _ => return Err(MechError::NoLoad { part: part.name.to_owned() }),
            }
        }
        Ok(Load::Carried { weights, reactions })
    }
}

impl System {
    /// What speaks against these parameters together: a law, such as a static level below the kinetic one, or a cable
    /// that cannot be made or laid.
    pub fn fault(&self, p: &[f64]) -> Option<MechError> {
        let law = |part: &str, kind: LawKind, fault| MechError::Law {
            part: part.to_owned(),
            law: kind.card().name.to_owned(),
            fault,
        };
        let along = self.contacts.iter().filter_map(|c| Some(law(&c.name, c.kind, c.law(p).fault()?)));
        let planar = self.planar.iter().filter_map(|c| {
            let fault = bristle_law::Law::fault(&c.law(p))?;
            Some(law(&c.name, ResolvedPlanarContact::LAW, fault))
        });
        along.chain(planar).next().or_else(|| self.ropes.iter().find_map(|rope| rope.fault(self, p)))
    }
}

/// What the laws say about their parameters under the load at the start.
fn cautions(system: &System) -> Vec<String> {
    let p = system.params();
    let start = system.initial(p);
    let mode = vec![bristle_core::Mode::Stick; system.slots];
    let flow = system.flow(&bristle_solve::Point { t: 0.0, x: &start.x, p, mode: &mode }, None);
    let touched = system.contacts.iter().zip(&flow.touch);
    touched
        .filter_map(|(contact, touch)| {
            let caution = contact.law(p).caution(touch.n)?;
            Some(format!("contact `{}`, law `{}`: {caution}", contact.name, contact.kind.card().name))
        })
        .collect()
}
