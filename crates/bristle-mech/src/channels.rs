//! Named outputs.

use crate::contact::ResolvedContact;
use crate::coordinate::Coordinate;
use crate::element::Element;
use crate::joined::Joined;
use crate::planar::PlanarTouch;
use crate::system::{System, SystemEval, nothing};
use bristle_core::{Mode, Scalar};
use bristle_solve::{Dynamics, Point, Samples};

/// The output `mode` of a contact that is open, since nothing presses on it.
const OPEN_MODE: f64 = 2.0;

/// Outputs of a body in the plane.
const PLANE: [(&str, &str); 6] =
    [("x", "m"), ("vx", "m/s"), ("ax", "m/s^2"), ("y", "m"), ("vy", "m/s"), ("ay", "m/s^2")];

/// Outputs of a planar contact before its states; force, slip and slip rate are lengths of vectors.
const PLANAR: [(&str, &str); 7] = [
    ("force", "N"),
    ("force_x", "N"),
    ("force_y", "N"),
    ("load", "N"),
    ("slip", "m"),
    ("slip_rate", "m/s"),
    ("loss", "J"),
];

/// One output: what it is called and its unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputChannel {
    /// Dotted name, such as `block.q` or `pad.force`.
    pub name: String,
    /// SI unit.
    pub unit: &'static str,
}

impl ResolvedContact {
    /// What is told of its modes: 0 at rest, and beside another contact that holds its bodies together, whichever way it slid last.
    fn shown_mode(&self, mode: &[Mode], joined: Option<&Joined>) -> f64 {
        match () {
            () if self.is_open(mode) => OPEN_MODE,
            () if joined.is_some_and(|j| j.are_one(self.ends)) => 0.0,
            () => mode[self.slot].sign(),
        }
    }
}

impl System {
    /// The outputs, in the order of [`System::observe`].
    pub fn channels(&self) -> Vec<OutputChannel> {
        let mut list = Vec::new();
        let mut add = |name: String, unit| list.push(OutputChannel { name, unit });
        for body in self.bodies.iter().filter(|b| self.moves(b.x) || b.y.is_some_and(|y| self.moves(y))) {
            let name = &body.name;
            match body.y {
                Some(y) if self.moves(y) => {
                    for (quantity, unit) in PLANE {
                        add(format!("{name}.{quantity}"), unit);
                    }
                }
                y => {
                    let [place, velocity] = body.line.motion();
                    for (quantity, unit) in [place, velocity, body.line.acceleration()] {
                        add(format!("{name}.{quantity}"), unit);
                    }
                    if y.is_some() && body.mass.is_some() {
                        add(format!("{name}.reaction"), "N");
                    }
                }
            }
        }
        for contact in self.contacts() {
            let name = &contact.name;
            if let Some(one_way) = &contact.one_way {
                let borne = if one_way.turns { ("torque", "N m") } else { ("force", "N") };
                for (quantity, unit) in [borne, ("mode", "1"), ("loss", "J")] {
                    add(format!("{name}.{quantity}"), unit);
                }
                continue;
            }
            if let Some(mesh) = &contact.mesh {
                let unit = if mesh.turns { "N m" } else { "N" };
                for (quantity, unit) in [("friction", unit), ("mode", "1"), ("loss", "J")] {
                    add(format!("{name}.{quantity}"), unit);
                }
                continue;
            }
            for (quantity, unit) in [
                ("force", "N"),
                ("load", "N"),
                ("slip", "m"),
                ("slip_rate", "m/s"),
                ("mode", "1"),
                ("loss", "J"),
            ] {
                add(format!("{name}.{quantity}"), unit);
            }
            if contact.arm.is_some() {
                add(format!("{name}.torque"), "N m");
            }
            for state in contact.kind.card().states {
                add(format!("{name}.{}", state.name), state.unit);
            }
        }
        for contact in &self.planar {
            let name = &contact.name;
            for (quantity, unit) in PLANAR {
                add(format!("{name}.{quantity}"), unit);
            }
            if !contact.bends() {
                add(format!("{name}.mode"), "1");
            }
            for (quantity, unit) in &contact.states {
                add(format!("{name}.{quantity}"), unit);
            }
        }
        for element in &self.elements {
            for (quantity, unit) in element.action.outputs().iter().chain(element.action.states()) {
                add(format!("{}.{quantity}", element.name), unit);
            }
        }
        for coupling in &self.couplings {
            let (quantity, unit) = if coupling.turns { ("torque", "N m") } else { ("force", "N") };
            add(format!("{}.{quantity}", coupling.name), unit);
            add(format!("{}.power", coupling.name), "W");
        }
        list.extend(self.rope_channels());
        for quantity in ["kinetic", "potential", "input", "loss"] {
            list.push(OutputChannel { name: format!("energy.{quantity}"), unit: "J" });
        }
        list.extend(self.derived.iter().map(|d| OutputChannel { name: d.name.clone(), unit: d.unit }));
        list
    }

    /// The values of all outputs.
    pub fn observe(&self, at: &Point<f64>) -> Vec<f64> {
        let mut out = Vec::with_capacity(64);
        self.observe_into(at, &mut out);
        out
    }

    /// The output `mode` of contact `k` by itself, if its law says by a mode that it rests.
    pub fn mode_of(&self, k: usize, mode: &[Mode]) -> Option<f64> {
        let contact = self.contacts().get(k).filter(|contact| contact.set_valued)?;
        let is_any = self.contacts.iter().any(|c| c.sticks(mode));
        let joined = is_any.then(|| Joined::by(self, mode, |c| !c.coasts));
        Some(contact.shown_mode(mode, joined.as_ref()))
    }

    /// The same, in room that is there already; what it held is forgotten.
    pub fn observe_into(&self, at: &Point<f64>, out: &mut Vec<f64>) {
        out.clear();
        let p = self.params_at(at.p, at.t);
        let at = &Point { p: &p, ..*at };
        let flow = self.flow(at, None);
        let a = self.accelerations(at, &flow);
        for body in self.bodies.iter().filter(|b| self.moves(b.x) || b.y.is_some_and(|y| self.moves(y))) {
            out.extend([flow.q[body.x], flow.v[body.x], a[body.x]]);
            match body.y {
                Some(y) if self.moves(y) => out.extend([flow.q[y], flow.v[y], a[y]]),
                Some(y) if body.mass.is_some() => out.push(-flow.f[y]),
                _ => {}
            }
        }
        for (contact, touch) in self.contacts().iter().zip(&flow.touch) {
            let [a, b] = contact.surfaces(at.p, &flow.q);
            let mode = if contact.set_valued {
                contact.shown_mode(at.mode, flow.joined.as_ref())
            } else if contact.is_open(at.mode) {
                OPEN_MODE
            } else {
                Mode::of(touch.v).sign()
            };
            let loss = at.x[contact.work];
            if !contact.has_law() {
                out.extend([touch.force, mode, loss]);
                continue;
            }
            let force = touch.total(contact);
            out.extend([force, touch.load, a - b, touch.v, mode, loss]);
            if contact.arm.is_some() {
                out.push(contact.at_radius(at.p, force));
            }
            out.extend_from_slice(&at.x[contact.z..contact.z + contact.states]);
        }
        let mut bending = flow.planar.iter();
        for contact in &self.planar {
            let held = contact.pair.map(|first| [first, first + 1]);
            let parts = held.map(|parts| parts.map(|k| &flow.touch[k]));
            let touch = match parts {
                Some([x, y]) => PlanarTouch { v: [x.v, y.v], n: x.load, force: [x.force, y.force] },
                None => *bending.next().unwrap_or(&PlanarTouch::default()),
            };
            let works = held
                .map_or_else(|| vec![contact.work], |parts| parts.map(|k| self.contacts[k].work).to_vec());
            let loss = works.into_iter().map(|place| at.x[place]).sum();
            let ([fx, fy], [vx, vy]) = (touch.force, touch.v);
            let [x, y] = [contact.x, contact.y].map(|[a, b]| flow.q[a] - flow.q[b]);
            out.extend([fx.hypot(fy), fx, fy, touch.n, x.hypot(y), vx.hypot(vy), loss]);
            if let Some([first, _]) = held {
                out.push(at.mode[self.contacts[first].slot].sign());
            }
            out.extend_from_slice(&at.x[contact.z..contact.z + contact.states.len()]);
        }
        for element in &self.elements {
            let motion = element.motion(at, &flow.q, &flow.v);
            out.extend(element.action.observe(&motion));
            out.extend_from_slice(motion.z);
        }
        if !self.couplings.is_empty() {
            let forces = self.coupling_forces(at.p, &flow, [&flow.f, &a]);
            for (coupling, force) in self.couplings.iter().zip(forces) {
                // What the first of its bodies puts in.
                let speed = coupling.terms.first().map_or(0.0, |(c, _)| flow.v[*c]);
                out.extend([force, -force * speed]);
            }
        }
        if self.has_ropes() {
            self.observe_ropes(at, &flow, out);
        }
        out.extend(self.energies(at));
        self.observe_derived(at.t, at.p, out);
    }

    /// The values of all outputs at some of the samples of a run, a column for each output.
    pub fn columns(
        &self,
        p: &[f64],
        samples: &Samples,
        rows: impl ExactSizeIterator<Item = usize>,
    ) -> Vec<Vec<f64>> {
        let mut columns = vec![Vec::with_capacity(rows.len()); self.channels().len()];
        for i in rows {
            let point = Point { t: samples.seen[i], x: samples.row(i), p, mode: samples.modes(i) };
            for (column, value) in columns.iter_mut().zip(self.observe(&point)) {
                column.push(value);
            }
        }
        columns
    }

    /// Energies: kinetic, potential, put in, lost. Those of ropes are plain numbers.
    pub fn energies<S: Scalar>(&self, at: &Point<S>) -> [S; 4] {
        let p = self.params_at(at.p, at.t);
        let at = &Point { p: &p, ..*at };
        let mut flow = SystemEval::new();
        self.motion(at, &mut flow);
        let (mut kinetic, mut potential, mut lost) = (nothing(), nothing(), nothing());
        for c in 0..self.coordinates.len() {
            if let Some(mass) = self.mass(c, at.p) {
                kinetic += mass * flow.v[c] * flow.v[c] * 0.5;
            }
        }
        for element in &self.elements {
            potential += element.action.potential(&element.motion(at, &flow.q, &flow.v));
        }
        if self.has_ropes() {
            let [own_kinetic, own_potential] = self.rope_energies_of(at);
            kinetic += S::from(own_kinetic);
            potential += S::from(own_potential);
        }
        let works = self.contacts.iter().map(|c| c.work).chain(self.bending().map(|c| c.work));
        let works = works.chain(self.drums.iter().map(|d| d.work));
        for place in self.damping.into_iter().chain(works) {
            lost += at.x[place];
        }
        [kinetic, potential, at.x[self.input], lost]
    }

    /// The energies of ropes in plain numbers.
    fn rope_energies_of<S: Scalar>(&self, at: &Point<S>) -> [f64; 2] {
        let plain = |numbers: &[S]| -> Vec<f64> { numbers.iter().map(|number| number.value()).collect() };
        let (x, p) = (plain(at.x), plain(at.p));
        let at = Point { t: at.t.value(), x: &x, p: &p, mode: at.mode };
        let mut flow = SystemEval::new();
        self.motion(&at, &mut flow);
        self.rope_energies(&at, &flow)
    }

    fn moves(&self, coordinate: usize) -> bool {
        !matches!(self.coordinates[coordinate], Coordinate::Fixed { .. })
    }

    /// What a user calls each state.
    pub fn state_names(&self) -> Vec<String> {
        let mut names = vec![String::new(); self.dim() + 1];
        for body in &self.bodies {
            let letters = body.line.motion().map(|(letter, _)| letter);
            for (coordinate, letters) in [(Some(body.x), letters), (body.y, ["y", "vy"])] {
                let own = coordinate.map(|c| &self.coordinates[c]);
                // A drum that shares a rotor comes after it.
                if let Some(
                    Coordinate::Free { q, v, .. }
                    | Coordinate::Servo { q, v, .. }
                    | Coordinate::OnRope { q, v, .. },
                ) = own
                    && names[*q].is_empty()
                {
                    names[*q] = format!("{}.{}", body.name, letters[0]);
                    names[*v] = format!("{}.{}", body.name, letters[1]);
                }
                if let Some(Coordinate::Driven { way: Some(way), .. }) = own {
                    names[*way] = format!("{}.way", body.name);
                }
            }
        }
        for contact in &self.contacts {
            for (i, state) in contact.kind.card().states.iter().enumerate() {
                names[contact.z + i] = format!("{}.{}", contact.name, state.name);
            }
            names[contact.work] = format!("{}.loss", contact.name);
        }
        for (i, contact) in self.contacts[self.lines..].iter().enumerate() {
            let axis = ["x", "y"][i % 2];
            names[contact.work] = format!("{}.loss_{axis}", contact.name);
            for (place, axis) in (contact.z..contact.z + contact.states).zip(["x", "y"]) {
                names[place] = format!("{}.heading_{axis}", contact.name);
            }
        }
        for contact in self.bending() {
            for (i, (state, _)) in contact.states.iter().enumerate() {
                names[contact.z + i] = format!("{}.{state}", contact.name);
            }
            names[contact.work] = format!("{}.loss", contact.name);
        }
        for element in &self.elements {
            for (i, (state, _)) in element.action.states().iter().enumerate() {
                names[element.z + i] = format!("{}.{state}", element.name);
            }
        }
        for rope in &self.ropes {
            for (i, places) in rope.nodes.iter().enumerate() {
                for (k, letter) in ["x", "y", "x'", "y'"].into_iter().enumerate() {
                    for (place, dot) in [(places.q[k], ""), (places.v[k], " rate")] {
                        // One that moves a body is called as the body's own.
                        if let Some(place) = place.filter(|place| names[*place].is_empty()) {
                            names[place] = format!("{} node {i} {letter}{dot}", rope.name);
                        }
                    }
                }
            }
            for point in &rope.kernel(&self.drums, &self.list.values).points {
                let z = rope.states_at(point);
                let inside = if point.is_node() { String::new() } else { format!("+{}", point.index) };
                for (k, name) in names[z..z + rope.states].iter_mut().enumerate() {
                    let which = if rope.states > 1 { format!(" {}", k + 1) } else { String::new() };
                    *name = format!("{} node {}{inside} friction{which}", rope.name, point.node);
                }
            }
        }
        for drum in &self.drums {
            names[drum.work] = format!("{}.loss", drum.name);
        }
        names[self.input] = "energy.input".to_owned();
        if let Some(damping) = self.damping {
            names[damping] = "damping.loss".to_owned();
        }
        names
    }
}

/// A direction in which a body is free to move: its states and what they are called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeMotion {
    /// The body.
    pub body: String,
    /// Places of position and velocity among the states.
    pub states: [usize; 2],
    /// Names and units of position and velocity.
    pub quantities: [(&'static str, &'static str); 2],
}

impl System {
    /// The directions in which bodies are free to move, in the order of the scenario.
    pub fn free_motions(&self) -> Vec<FreeMotion> {
        let mut found = Vec::new();
        for body in &self.bodies {
            let is_planar = body.y.is_some_and(|y| self.moves(y));
            let along = if is_planar { [("x", "m"), ("vx", "m/s")] } else { body.line.motion() };
            let across = [("y", "m"), ("vy", "m/s")];
            for (coordinate, quantities) in [(Some(body.x), along), (body.y, across)] {
                let own = coordinate.map(|c| &self.coordinates[c]);
                if let Some(Coordinate::Free { q, v, .. } | Coordinate::OnRope { q, v, .. }) = own
                    && !found.iter().any(|other: &FreeMotion| other.states == [*q, *v])
                {
                    found.push(FreeMotion { body: body.name.clone(), states: [*q, *v], quantities });
                }
            }
        }
        found
    }
}
