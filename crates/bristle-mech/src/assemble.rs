//! From parts to a system, stage by stage; what a part becomes is its own affair (`Part`).

use crate::acting::Acting;
use crate::band;
use crate::builder::{Builder, Placed};
use crate::contact::ResolvedContact;
use crate::coordinate::{Body, Coordinate, Follows};
use crate::coupled::choose_followers;
use crate::element::Element;
use crate::error::MechError;
use crate::inputs;
use crate::islands::Islands;
use crate::order;
use crate::params::ParamList;
use crate::parts::PartKind;
use crate::rope::{NodePlaces, Rope, RopeDrum, Tie, is_lone_cable};
use crate::spec::Spec;
use crate::system::System;
use bristle_core::Mode;
use bristle_law::LawKind;
use bristle_solve::{Dynamics, Recordings, State};
use std::collections::HashSet;
use std::sync::Arc;

/// Assembles a system from named parts; a live one is stepped by somebody else's clock, with inputs that change.
pub(crate) fn assemble(parts: &[(String, Spec)], is_live: bool) -> Result<System, Vec<MechError>> {
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
    let mut builder = Builder::new(list, &placed, errors);
    builder.refuse_seconds();
    for part in &placed {
        let placing = part.kind.place(&mut builder, part);
        builder.keep(placing);
    }
    let gravity = builder.gravity;
    let is_cable_alone = is_lone_cable(parts);
    let is_cable = placed.iter().any(|p| p.kind == PartKind::Cable);
    let (drums, motors) = if is_cable { builder.drums(&placed) } else { Default::default() };
    let ropes = if is_cable { builder.ropes(&placed, &drums, gravity) } else { Vec::new() };
    if let Some(part) = placed.iter().find(|p| p.kind.is_of_cable()).filter(|_| !is_cable) {
        let (field, reason) = ("kind", "there is no cable for it".to_owned());
        let hint = "add a part of kind cable, or leave drums and cable ends out".to_owned();
        builder.errors.push(MechError::Misfit { part: part.name.to_owned(), field, reason, hint });
    }
    let mut elements = builder
        .each(|b, part| Ok(part.kind.act(b, part)?.map(|e| Acting::new(part.name, part.numbers(), e))));
    elements.extend(motors.into_iter().map(|motor| Acting::new("", 0..0, motor)));
    let mut contacts = builder.each(|b, part| part.kind.touch(b, part));
    let mut planar = builder.each(|b, part| part.kind.touch_in_plane(b, part));
    let lines = contacts.len();
    for contact in &mut planar {
        contact.hold(&mut contacts);
    }
    let couplings = builder.each(|b, part| part.kind.couple(b, part));
    builder.follow_signals();
    builder.refuse_varied_laws();
    if is_live {
        builder.refuse_inputs(!ropes.is_empty());
    }
    let inputs = inputs::gather(&builder.list.inputs, &placed);
    let Builder { list, bodies, mut coordinates, mut errors, tilt, followed, .. } = builder;
    let roped = roped(&ropes, &drums);
    let couplings = choose_followers(couplings, &mut coordinates, &list.values, &roped, &mut errors);
    for contact in &mut contacts {
        if let Some(mesh) = &mut contact.mesh {
            mesh.coupling = couplings.iter().position(|c| c.name == contact.name).unwrap_or_default();
        }
    }
    errors.extend(contacts.iter().filter_map(|contact| nothing_moves(contact, &bodies, &coordinates)));
    errors.extend(
        contacts.iter().filter_map(|contact| starts_beyond(contact, &bodies, &coordinates, &list.values)),
    );
    errors.extend(contacts.iter().filter_map(|contact| never_pressed(contact, &list.values)));
    // A contact may be moved by what is prescribed alone, as on a test bench.
    let is_of_cable = placed.iter().any(|p| p.kind.is_of_cable());
    if !is_of_cable
        && contacts.is_empty()
        && !coordinates.iter().any(|c| matches!(c, Coordinate::Free { .. }))
    {
        errors.push(MechError::Empty);
    }
    if !errors.is_empty() {
        // What a part gets wrong in two of its roles is told once.
        let mut told: Vec<MechError> = Vec::new();
        errors.into_iter().for_each(|e| {
            if !told.contains(&e) {
                told.push(e)
            }
        });
        return Err(told);
    }
    let mut system = System {
        bodies,
        coordinates,
        couplings,
        elements,
        contacts,
        lines,
        planar,
        ropes,
        drums,
        is_cable_alone,
        gravity,
        tilt,
        followed,
        inputs,
        is_live,
        frame: None,
        list,
        rigid: 0,
        core: 0,
        input: 0,
        damping: None,
        slots: 0,
        band: None,
        warnings: Vec::new(),
        derived: Vec::new(),
        recordings: Recordings::default(),
        islands: None,
    };
    system.lay_out();
    if let Some(error) = system.wrong_start(&system.list.values) {
        return Err(vec![error]);
    }
    system.warnings = cautions(&system);
    Ok(system)
}

/// Kinks of more contacts than these are not located but passed over.
const MANY_KINKS: usize = 32;

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
        let mut system = assemble(parts, false)?;
        system.islands = Islands::of(&system, parts).map(Arc::new);
        Ok(system)
    }

    /// The same, ready for inputs that change while it runs: a drive whose velocity is an input has its position as a state.
    ///
    /// # Errors
    /// As [`System::assemble`], and for inputs that a run could not follow.
    pub fn assemble_live(parts: &[(String, Spec)]) -> Result<System, MechError> {
        let first = |list: Vec<MechError>| list.into_iter().next().unwrap_or(MechError::Empty);
        assemble(parts, true).map_err(first)
    }

    /// The state at the start: positions and velocities of the parts, law states as the laws begin.
    pub fn initial(&self, p: &[f64]) -> State {
        let p = &*self.params_at(p, 0.0);
        let mut x = vec![0.0; self.dim()];
        for coordinate in &self.coordinates {
            if let Coordinate::Free { q, v, start: Some([q_0, v_0]), .. }
            | Coordinate::OnRope { q, v, start: Some([q_0, v_0]) } = *coordinate
            {
                (x[q], x[v]) = (p[q_0], p[v_0]);
            }
        }
        self.enter_frame(p, &mut x);
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
            if let Some(law) = rope.drums.iter().find_map(|&d| self.drums[d].law(p)) {
                for point in &rope.kernel(&self.drums, p).points {
                    law.initial(&mut x[rope.states_at(point)..][..rope.states]);
                }
            }
        }
        let mut state = State { t: 0.0, x, mode: vec![Mode::Stick; self.slots] };
        self.begin_elements(p, &mut state);
        State { mode: Vec::new(), ..state }
    }

    /// Lets a large system pass over the kinks of its laws at rest, which the error of a step sees: in a chain of hundreds of
    /// bodies a direction changes in every step, and each change would end it.
    fn pass_over_kinks(&mut self) {
        let has_kink = |c: &&mut ResolvedContact| c.elements == 1 && c.may_stay_open(&self.list.values);
        let kinked: Vec<&mut ResolvedContact> = self.contacts.iter_mut().filter(has_kink).collect();
        if kinked.len() > MANY_KINKS {
            kinked.into_iter().for_each(|contact| contact.elements = 0);
        }
    }

    /// Gives every state its place. Position, velocity and bristles of one body lie side by side, so that a
    /// chain of bodies has a banded Jacobian; the quadratures come last.
    fn lay_out(&mut self) {
        self.pass_over_kinks();
        let mut next = 0;
        let mut contact_done = vec![false; self.contacts.len()];
        for c in 0..self.coordinates.len() {
            if let Coordinate::Free { q, v, .. } | Coordinate::Servo { q, v, .. } = &mut self.coordinates[c] {
                (*q, *v) = (next, next + 1);
                next += 2;
            }
            if let Coordinate::Driven { signal: Some((signal, Follows::Velocity)), way, .. } =
                &mut self.coordinates[c]
                && self.is_live
                && signal.has_input()
            {
                *way = Some(next);
                next += 1;
            }
            for (k, contact) in self.contacts.iter_mut().enumerate() {
                let last = contact.ends[0].max(contact.ends[1]);
                if last == c && !contact_done[k] {
                    contact.z = next;
                    next += contact.states;
                    contact_done[k] = true;
                }
            }
            for contact in self.planar.iter_mut().filter(|contact| contact.bends()) {
                if contact.coordinates().into_iter().max() == Some(c) {
                    contact.z = next;
                    next += contact.states.len();
                }
            }
        }
        let mut slot = self.contacts.iter().map(|c| c.elements).sum();
        for element in &mut self.elements {
            (next, slot) = element.lay_out(next, slot);
        }
        let followed: Vec<usize> = self.followed.iter().map(|f| f.place).collect();
        for contact in &mut self.contacts {
            if contact.load.signal().is_some() || contact.scale.is_some_and(|scale| followed.contains(&scale))
            {
                contact.gate = Some(slot);
                slot += 1;
            }
        }
        for rope in &mut self.ropes {
            rope.slot = slot;
            slot += rope.nodes_slots();
        }
        self.slots = slot;
        self.rigid = next;
        for rope in &mut self.ropes {
            next = rope.lay_out(next);
            for (end, node) in rope.ends.iter().zip([0, rope.elements]) {
                for (k, c) in end.load.iter().flat_map(|load| load.coordinates).enumerate() {
                    if let (Coordinate::OnRope { q, v, .. }, NodePlaces { q: place, v: speed, .. }) =
                        (&mut self.coordinates[c], &rope.nodes[node])
                    {
                        (*q, *v) = (place[k].unwrap_or(0), speed[k].unwrap_or(0));
                    }
                }
            }
        }
        self.core = next;
        let mut slot = 0;
        for contact in &mut self.contacts {
            contact.work = next;
            contact.slot = slot;
            next += 1;
            slot += contact.elements;
        }
        for contact in self.planar.iter_mut().filter(|contact| contact.bends()) {
            contact.work = next;
            next += 1;
        }
        for drum in &mut self.drums {
            drum.work = next;
            next += 1;
        }
        self.input = next;
        let dissipates = self.elements.iter().any(|e| e.action.dissipates()) || !self.ropes.is_empty();
        self.damping = dissipates.then_some(next + 1);
        order::arrange(self);
        self.band = if self.ropes.is_empty() { band::find(self) } else { None };
    }
}

impl Builder<'_> {
    /// What one stage makes of each part, in their order; what is wrong is kept.
    fn each<T>(
        &mut self,
        mut stage: impl FnMut(&mut Self, &Placed) -> Result<Option<T>, MechError>,
    ) -> Vec<T> {
        let mut made = Vec::new();
        for part in self.placed {
            let found = stage(self, part);
            made.extend(self.keep(found).flatten());
        }
        made
    }

    /// Notes laws whose numbers follow signals where these would not be followed.
    fn refuse_varied_laws(&mut self) {
        for part in self.placed.iter().filter(|p| p.kind.is_of_cable()) {
            if part.spec.table("law").is_some_and(|law| !law.tables.is_empty()) {
                let reason = "the numbers of its law do not follow signals: a rope is laid once".to_owned();
                let hint = "give them as numbers; contacts of bodies take signals".to_owned();
                let part = part.name.to_owned();
                self.errors.push(MechError::Misfit { part, field: "law", reason, hint });
            }
        }
    }

    /// Notes parts of which there is one already, where one is all there can be.
    fn refuse_seconds(&mut self) {
        for (i, part) in self.placed.iter().enumerate().filter(|(_, p)| p.kind.is_single()) {
            if let Some(first) = self.placed[..i].iter().find(|p| p.kind == part.kind) {
                let (part, first, kind) =
                    (part.name.to_owned(), first.name.to_owned(), part.kind.card().name);
                self.errors.push(MechError::Second { part, kind, first });
            }
        }
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
        let along = self.contacts().iter().filter_map(|c| Some(law(&c.name, c.kind, c.law(p).fault()?)));
        let planar = self.planar.iter().filter_map(|c| Some(law(&c.name, c.kind, c.law(p).fault()?)));
        let own = along.chain(planar).chain(self.wrong_start(p)).next();
        own.or_else(|| self.cable_fault(p))
    }

    /// What speaks against these parameters of cables: one cannot be made, or not be laid between its ends and over its drums.
    pub fn cable_fault(&self, p: &[f64]) -> Option<MechError> {
        self.ropes.iter().find_map(|rope| rope.fault(self, p))
    }
}

/// A contact that holds bodies of which none can be held: both follow what is prescribed.
fn nothing_moves(
    contact: &ResolvedContact,
    bodies: &[Body],
    coordinates: &[Coordinate],
) -> Option<MechError> {
    let is_free = |c: &usize| matches!(coordinates[*c], Coordinate::Free { .. });
    let can_move = |c: usize| is_free(&c) || coordinates[c].sources().is_some_and(|s| s.iter().any(is_free));
    if contact.ends.into_iter().any(can_move) || !(contact.set_valued || contact.uses_hold) {
        return None;
    }
    let [first, second] = contact.ends.map(|c| {
        let body = bodies.iter().find(|b| b.x == c || b.y == Some(c));
        body.map_or_else(String::new, |b| b.name.clone())
    });
    Some(MechError::NothingMoves { part: contact.name.clone(), first, second })
}

/// The coordinates that ropes move with: those of drums and of what carries them, and those that ends are tied to.
fn roped(ropes: &[Rope], drums: &[RopeDrum]) -> Vec<usize> {
    let turning = drums.iter().flat_map(|drum| drum.carrier.into_iter().flatten().chain([drum.rotor]));
    let ends = ropes.iter().flat_map(|rope| &rope.ends).filter_map(|end| end.tie.as_ref());
    let tied = ends.flat_map(|tie| match tie {
        Tie::Body { along, .. } => along.iter().map(|(c, _)| *c).collect(),
        Tie::Rim { .. } => Vec::new(),
    });
    turning.chain(tied).collect()
}

/// What the laws say about their parameters under the load at the start.
fn cautions(system: &System) -> Vec<String> {
    let p = &*system.params_at(system.params(), 0.0);
    let start = system.initial(p);
    let mode = vec![bristle_core::Mode::Stick; system.slots];
    let flow = system.flow(&bristle_solve::Point { t: 0.0, x: &start.x, p, mode: &mode }, None);
    let touched = system.contacts.iter().zip(&flow.touch);
    let of_laws = touched.filter(|(contact, _)| contact.has_law()).filter_map(|(contact, touch)| {
        let caution = contact.law(p).caution(touch.n)?;
        Some(format!("contact `{}`, law `{}`: {caution}", contact.name, contact.kind.card().name))
    });
    of_laws.collect()
}

/// A body that starts beyond the stop that is to hold it.
fn starts_beyond(
    contact: &ResolvedContact,
    bodies: &[Body],
    coordinates: &[Coordinate],
    p: &[f64],
) -> Option<MechError> {
    let at = p[contact.one_way.as_ref()?.at?];
    let [a, b] = contact.ends.map(|c| coordinates[c].start(p));
    let beyond = a - b - at;
    if beyond <= 1e-12 * (1.0 + at.abs()) {
        return None;
    }
    let name = |c: usize| bodies.iter().find(|b| b.x == c).map_or("", |b| b.name.as_str());
    let [first, second] = contact.ends.map(name);
    let reason = format!(
        "`{first}` starts {beyond:.4} m beyond it, {:.4} m from `{second}` where {at:.4} m are allowed",
        a - b
    );
    let hint = format!(
        "start `{first}` before the stop, or move `at`; a `stop` is elastic and may start compressed"
    );
    Some(MechError::Misfit { part: contact.name.clone(), field: "at", reason, hint })
}

/// A contact whose load follows a signal that never presses it on.
fn never_pressed(contact: &ResolvedContact, p: &[f64]) -> Option<MechError> {
    let signal = contact.load.signal()?;
    let largest = signal.largest(p);
    // What an input will be is not known.
    if largest > 0.0 || signal.has_input() {
        return None;
    }
    let field = if contact.faces.is_some() { "force" } else { "load" };
    let reason = format!(
        "its {field} is never positive, at most {largest} N, so that nothing is ever pressed together"
    );
    let hint =
        "give a signal that is positive at some time; a contact without load is better left out".to_owned();
    Some(MechError::Misfit { part: contact.name.clone(), field, reason, hint })
}
