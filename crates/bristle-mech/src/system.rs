//! Parts assembled: the mechanism as something that can be integrated.

use crate::holding::{acceleration, holding_forces};
use crate::invariant;
use crate::joined::Joined;
use crate::parts::{AnyElement, CapstanLoad, Element, Motion};
use crate::planar::{PlanarTouch, ResolvedPlanarContact};
use crate::rope::{Mobility, Rope, RopeDrum, RopeFlow, RopeStructure};
use crate::signals::Signal;
use crate::{split, step_limits, stick};
use bristle_core::{Card, Choice, Kind, Mode, Scalar};
use bristle_law::{AnyLaw, At, LawKind};
use bristle_solve::{Bandwidth, Dynamics, Energies, FineDifference, Point, State, Structure, Violation};
use smallvec::SmallVec;

/// A short list that lives on the stack in small systems: sixteen states have at most eight free coordinates beside the
/// driven and fixed ones, and at most eight contacts.
pub(crate) type Short<S, const N: usize = 16> = SmallVec<[S; N]>;

/// How far below its locking speed a sliding contact is caught, m/s. A law without a jump lets go with no
/// acceleration at all; without this margin rounding would catch the contact in the same instant.
const CATCH_SPEED: f64 = 1e-13;

/// One number of a system: what a scenario calls it, its value and its admissible range.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Dotted path, such as `belt.v` or `pad.law.mu_s`.
    pub path: String,
    /// Symbol in the equations.
    pub symbol: &'static str,
    /// SI unit.
    pub unit: &'static str,
    /// Smallest admissible value.
    pub min: f64,
    /// Largest admissible value.
    pub max: f64,
}

/// The parameters while a system is being put together.
#[derive(Clone, Debug, Default)]
pub struct ParamList {
    /// Values, in SI.
    pub values: Vec<f64>,
    /// What they are.
    pub params: Vec<Param>,
}

impl ParamList {
    /// Appends the numbers of a card under a path; gives the place of the first.
    pub fn push_all(&mut self, path: &str, card: &Card, numbers: &[f64]) -> usize {
        let first = self.values.len();
        for (field, value) in card.numbers().zip(numbers) {
            let Kind::Number { unit, min, max, .. } = field.kind else { continue };
            self.values.push(*value);
            let path = format!("{path}.{}", field.name);
            self.params.push(Param { path, symbol: field.symbol, unit, min, max });
        }
        first
    }
}

/// One direction in which a body can be displaced.
#[derive(Clone, Debug)]
pub(crate) enum Coordinate {
    /// A state: places of position and velocity among the states, and of the mass among the parameters.
    Free { q: usize, v: usize, mass: usize },
    /// Held by a guide or anchor; the place of its position among the parameters, if it has one.
    Fixed { q: Option<usize> },
    /// Prescribed: places of constant velocity and start position, if it has them, and the signal added to them.
    Driven { v: Option<usize>, q: Option<usize>, signal: Option<(Signal, Follows)> },
    /// Turned by a servo that feels no force: places of position and velocity among the states, where the gains start among the
    /// parameters, and the wanted position.
    Servo { q: usize, v: usize, first: usize, signal: Signal },
}

/// What a drive's signal prescribes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follows {
    Velocity,
    Position,
}

/// A body: its name and its coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) name: String,
    /// The coordinate along the line, or horizontal.
    pub(crate) x: usize,
    /// The vertical coordinate, where there is one.
    pub(crate) y: Option<usize>,
    /// Place of the mass among the parameters.
    pub(crate) mass: Option<usize>,
    /// Whether its coordinate is an angle.
    pub(crate) rotates: bool,
}

/// Where a contact's normal load comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Load {
    /// A parameter.
    Given(usize),
    /// The law states forces: one newton, so that coefficients are forces.
    Unit,
    /// The bodies the contact carries: weights (place of the mass) and guide reactions (coordinate).
    Carried {
        /// Places of masses whose weight loads the contact.
        weights: Vec<usize>,
        /// Coordinates whose guide reaction loads the contact.
        reactions: Vec<usize>,
    },
    /// The tensions of a rope that is wrapped around a drum.
    Wrapped(CapstanLoad),
}

/// A contact with everything resolved to places.
#[derive(Clone, Debug)]
pub struct ResolvedContact {
    /// What the scenario calls it.
    pub name: String,
    /// Coordinates of the body and its counter-surface.
    pub ends: [usize; 2],
    /// Which law.
    pub kind: LawKind,
    /// Where the normal load comes from.
    pub load: Load,
    pub(crate) choices: Vec<Choice>,
    /// Where the law's numbers start, and how many there are.
    pub(crate) first: usize,
    pub(crate) count: usize,
    /// Where the law's states start, and how many there are.
    pub(crate) z: usize,
    pub(crate) states: usize,
    /// Where its modes (and guards) start, and how many there are.
    pub(crate) slot: usize,
    pub(crate) elements: usize,
    /// Place of the dissipated energy among the states.
    pub(crate) work: usize,
    pub(crate) set_valued: bool,
    pub(crate) uses_hold: bool,
    /// Whether it keeps its slip rate while it sticks.
    pub(crate) coasts: bool,
    /// Whether its friction has a peak around rest.
    pub(crate) has_peak: bool,
    /// Whether the law turns round within less than the tolerance of a velocity.
    pub(crate) is_steep: bool,
}

impl ResolvedContact {
    /// The law with the parameters `p`.
    #[inline]
    pub fn law<S: Scalar>(&self, p: &[S]) -> AnyLaw<S> {
        self.kind.build(&p[self.first..self.first + self.count], &self.choices)
    }

    #[inline]
    pub(crate) fn modes<'a>(&self, mode: &'a [Mode]) -> &'a [Mode] {
        &mode[self.slot..self.slot + self.elements]
    }

    /// Whether the contact may go without a direction while it does not move: its law has a kink at rest, not a jump.
    pub(crate) fn may_stay_open<S: Scalar>(&self, p: &[S]) -> bool {
        self.elements > 0 && !self.set_valued && self.law(p).keeps_direction()
    }

    /// Whether the contact is at rest under a set-valued law.
    #[inline]
    pub(crate) fn sticks(&self, mode: &[Mode]) -> bool {
        self.set_valued && mode[self.slot] == Mode::Stick
    }
}

/// A mechanism. Made by [`System::assemble`].
#[derive(Clone, Debug)]
pub struct System {
    pub(crate) bodies: Vec<Body>,
    pub(crate) coordinates: Vec<Coordinate>,
    pub(crate) elements: Vec<AnyElement>,
    pub(crate) contacts: Vec<ResolvedContact>,
    pub(crate) planar: Vec<ResolvedPlanarContact>,
    pub(crate) ropes: Vec<Rope>,
    pub(crate) drums: Vec<RopeDrum>,
    /// Gravity: places of acceleration and inclination.
    pub(crate) gravity: Option<usize>,
    pub(crate) list: ParamList,
    /// Number of states before the ropes', and before the quadratures.
    pub(crate) rigid: usize,
    pub(crate) core: usize,
    /// Places of the work put in and of the energy lost in dampers.
    pub(crate) input: usize,
    pub(crate) damping: Option<usize>,
    pub(crate) slots: usize,
    pub(crate) band: Option<Bandwidth>,
    pub(crate) warnings: Vec<String>,
}

/// One contact at one instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactEval<S> {
    /// Slip rate.
    pub(crate) v: S,
    /// Normal load.
    pub(crate) n: S,
    /// Force that would hold it (laws that use it).
    pub(crate) hold: S,
    /// Friction force.
    pub(crate) force: S,
}

/// Everything about one instant.
pub(crate) struct SystemEval<S: Scalar> {
    pub(crate) q: Short<S>,
    pub(crate) v: Short<S>,
    /// Prescribed accelerations; zero for free coordinates.
    pub(crate) a: Short<S>,
    /// Forces on coordinates, friction included.
    pub(crate) f: Short<S>,
    pub(crate) touch: Short<ContactEval<S>, 8>,
    pub(crate) planar: Short<PlanarTouch<S>, 1>,
    /// The ropes, what they put on the mechanism, and the mass it feels with them.
    pub(crate) ropes: Vec<RopeFlow<S>>,
    pub(crate) ports: Vec<S>,
    pub(crate) mobility: Option<Mobility<S>>,
    /// Which coordinates have the same velocity, where contacts stick.
    pub(crate) joined: Option<Joined>,
    /// Power put in by applied forces, and lost in dampers.
    pub(crate) input: S,
    pub(crate) loss: S,
}

impl<S: Scalar> SystemEval<S> {
    pub(crate) fn new() -> Self {
        SystemEval {
            q: Short::new(),
            v: Short::new(),
            a: Short::new(),
            f: Short::new(),
            touch: Short::new(),
            planar: Short::new(),
            ropes: Vec::new(),
            ports: Vec::new(),
            mobility: None,
            joined: None,
            input: S::zero(),
            loss: S::zero(),
        }
    }
}

impl System {
    /// The contacts, in the order of the scenario.
    pub fn contacts(&self) -> &[ResolvedContact] {
        &self.contacts
    }

    /// What the parameters are, in the order of [`Dynamics::params`].
    pub fn param_cards(&self) -> &[Param] {
        &self.list.params
    }

    /// The place of the parameter with that path.
    pub fn param(&self, path: &str) -> Option<usize> {
        self.list.params.iter().position(|p| p.path == path)
    }

    /// Changes one parameter; `false` if there is none of that path.
    pub fn set_param(&mut self, path: &str, value: f64) -> bool {
        self.param(path).map(|place| self.list.values[place] = value).is_some()
    }

    /// What a careful engineer would want to know before trusting a run.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Positions, velocities and prescribed accelerations of all coordinates.
    pub(crate) fn motion<S: Scalar>(&self, at: &Point<S>, flow: &mut SystemEval<S>) {
        for coordinate in &self.coordinates {
            let (q, v, a) = match coordinate {
                Coordinate::Free { q, v, .. } => (at.x[*q], at.x[*v], S::zero()),
                Coordinate::Fixed { q } => (q.map_or_else(S::zero, |i| at.p[i]), S::zero(), S::zero()),
                Coordinate::Servo { q, v, first, signal } => {
                    let (q, v) = (at.x[*q], at.x[*v]);
                    let (kp, kd, jet) = (at.p[*first], at.p[*first + 1], signal.jet(at.p, at.t));
                    (q, v, kp * (jet.value - q) + kd * (jet.rate - v))
                }
                Coordinate::Driven { v, q, signal } => {
                    let number = |place: Option<usize>| place.map_or_else(S::zero, |i| at.p[i]);
                    let (v, q) = (number(*v), number(*q));
                    match signal {
                        None => (q + v * at.t, v, S::zero()),
                        Some((signal, follows)) => {
                            let jet = signal.jet(at.p, at.t);
                            match follows {
                                Follows::Velocity => (q + v * at.t + jet.integral, v + jet.value, jet.rate),
                                Follows::Position => (q + v * at.t + jet.value, v + jet.rate, jet.second),
                            }
                        }
                    }
                }
            };
            flow.q.push(q);
            flow.v.push(v);
            flow.a.push(a);
            flow.f.push(S::zero());
        }
    }

    /// The normal load of a contact, once all other forces are known.
    fn normal<S: Scalar>(&self, contact: &ResolvedContact, p: &[S], q: &[S], f: &[S]) -> S {
        match &contact.load {
            Load::Given(place) => p[*place],
            Load::Unit => S::one(),
            Load::Wrapped(capstan) => capstan.normal(p, q),
            Load::Carried { weights, reactions } => {
                let mut n = reactions.iter().fold(S::zero(), |sum, c| sum - f[*c]);
                if let (Some(gravity), false) = (self.gravity, weights.is_empty()) {
                    let press = p[gravity] * p[gravity + 1].cos();
                    n = weights.iter().fold(n, |sum, mass| sum + p[*mass] * press);
                }
                n
            }
        }
    }

    /// Motion, forces and friction at one instant; writes the rates of law states into `dz` where given.
    pub(crate) fn flow<S: Scalar>(&self, at: &Point<S>, dx: Option<&mut [S]>) -> SystemEval<S> {
        self.flow_with(at, None, dx)
    }

    /// The same with what ropes put on the mechanism given instead of computed.
    pub(crate) fn flow_with<S: Scalar>(
        &self,
        at: &Point<S>,
        ports: Option<&[S]>,
        mut dx: Option<&mut [S]>,
    ) -> SystemEval<S> {
        let mut flow = SystemEval::new();
        self.motion(at, &mut flow);
        let motion = Motion { t: at.t, q: &flow.q, v: &flow.v, p: at.p };
        for element in &self.elements {
            let power = element.apply(&motion, &mut flow.f);
            flow.input += power.input;
            flow.loss += power.loss;
        }
        if !self.ropes.is_empty() {
            self.pull_all(at, ports, dx.as_deref_mut(), &mut flow);
        }
        if self.contacts.iter().any(|c| c.sticks(at.mode)) {
            flow.joined = Some(Joined::by(self, at.mode, |c| !c.coasts));
        }
        // Loads first: friction must not load a contact through the force it is about to make.
        for contact in &self.contacts {
            let [a, b] = contact.ends;
            let n = self.normal(contact, at.p, &flow.q, &flow.f);
            // Bodies that stick together elsewhere do not slide here; integrated, they would by what rounding leaves.
            let is_still =
                !contact.sticks(at.mode) && flow.joined.as_ref().is_some_and(|j| j.are_one([a, b]));
            let v = if is_still { S::zero() } else { flow.v[a] - flow.v[b] };
            flow.touch.push(ContactEval { v, n, hold: S::zero(), force: S::zero() });
        }
        for contact in &self.planar {
            self.rub_planar(contact, at, dx.as_deref_mut(), &mut flow);
        }
        let mut held = Short::<usize>::new();
        for (k, contact) in self.contacts.iter().enumerate() {
            if contact.uses_hold || contact.sticks(at.mode) {
                held.push(k);
            } else {
                self.rub(k, at, dx.as_deref_mut(), &mut flow);
            }
        }
        if !held.is_empty() {
            self.hold(&held, at, dx, &mut flow);
        }
        flow
    }

    /// Evaluates the law of contact `k` and puts its force on both bodies.
    fn rub<S: Scalar>(&self, k: usize, at: &Point<S>, dx: Option<&mut [S]>, flow: &mut SystemEval<S>) {
        let contact = &self.contacts[k];
        let ContactEval { v, n, hold, .. } = flow.touch[k];
        let here = At { v, n, hold, mode: contact.modes(at.mode) };
        let z = &at.x[contact.z..contact.z + contact.states];
        let mut scratch = Short::<S, 4>::from_elem(S::zero(), contact.states);
        let force = contact.law(at.p).eval(&here, z, &mut scratch);
        if let Some(dx) = dx {
            dx[contact.z..contact.z + contact.states].copy_from_slice(&scratch);
        }
        self.load(k, force, flow);
    }

    /// Puts a friction force on both bodies of contact `k`.
    fn load<S: Scalar>(&self, k: usize, force: S, flow: &mut SystemEval<S>) {
        let [a, b] = self.contacts[k].ends;
        flow.touch[k].force = force;
        flow.f[a] -= force;
        flow.f[b] += force;
    }

    /// Contacts at rest, and laws that want to know what would hold them: all solved together.
    fn hold<S: Scalar>(
        &self,
        held: &[usize],
        at: &Point<S>,
        mut dx: Option<&mut [S]>,
        flow: &mut SystemEval<S>,
    ) {
        let forces = holding_forces(self, held, at.p, flow);
        let mut resting = Short::<usize>::new();
        for (&k, &force) in held.iter().zip(&forces) {
            flow.touch[k].hold = force;
            if self.contacts[k].sticks(at.mode) {
                resting.push(k);
            }
        }
        let mut forces = forces;
        if resting.len() < held.len() {
            for &k in held.iter().filter(|k| !self.contacts[**k].sticks(at.mode)) {
                self.rub(k, at, dx.as_deref_mut(), flow);
            }
            forces = holding_forces(self, &resting, at.p, flow);
        }
        if resting.len() > 1 {
            let limits: Short<S, 8> = resting.iter().map(|&k| self.limit(k, at, &flow.touch[k])).collect();
            split::share(self, &resting, &limits, &mut forces);
        }
        for (&k, &force) in resting.iter().zip(&forces) {
            self.load(k, force, flow);
        }
    }

    /// The largest force that contact `k` bears at rest.
    pub(crate) fn limit<S: Scalar>(&self, k: usize, at: &Point<S>, touch: &ContactEval<S>) -> S {
        let contact = &self.contacts[k];
        let here = At { v: touch.v, n: touch.n, hold: touch.hold, mode: contact.modes(at.mode) };
        let z = &at.x[contact.z..contact.z + contact.states];
        contact.law(at.p).limit(&here, z).unwrap_or_else(S::zero)
    }

    /// The accelerations of coordinates that rest on something prescribed, through any number of resting contacts.
    ///
    /// They are known without the forces. What rounding leaves of a balance of forces would, over days of rest, add up to a
    /// body that creeps.
    fn carried<S: Scalar>(&self, mode: &[Mode], flow: &SystemEval<S>) -> Short<Option<S>> {
        let is_free = |c: usize| matches!(self.coordinates[c], Coordinate::Free { .. });
        let known = |c: usize| (!is_free(c)).then(|| flow.a[c]);
        match &flow.joined {
            None => Short::new(),
            // A contact that coasts keeps its slip rate, so that both sides accelerate as one.
            Some(_) if self.contacts.iter().any(|c| c.coasts && c.sticks(mode)) => {
                Joined::by(self, mode, |_| true).spread(known)
            }
            Some(joined) => joined.spread(known),
        }
    }

    /// The mass of a free coordinate.
    #[inline]
    pub(crate) fn mass<S: Scalar>(&self, coordinate: usize, p: &[S]) -> Option<S> {
        match self.coordinates[coordinate] {
            Coordinate::Free { mass, .. } => Some(p[mass]),
            _ => None,
        }
    }

    /// Accelerations of all coordinates.
    pub(crate) fn accelerations<S: Scalar>(&self, at: &Point<S>, flow: &SystemEval<S>) -> Short<S> {
        let carried = self.carried(at.mode, flow);
        let known = |c: usize| carried.get(c).copied().flatten();
        let all = 0..self.coordinates.len();
        all.map(|c| known(c).unwrap_or_else(|| acceleration(self, c, at.p, flow))).collect()
    }

    /// Writes the rates of all states; with given ports those of the mechanism alone.
    pub(crate) fn rates_with<S: Scalar>(&self, at: Point<S>, ports: Option<&[S]>, dx: &mut [S]) {
        let flow = self.flow_with(&at, ports, Some(&mut *dx));
        let a = self.accelerations(&at, &flow);
        self.write_rates(&at, &flow, &a, dx);
    }

    /// Writes the rates at an instant that has been evaluated; those of law states are written already.
    pub(crate) fn write_rates<S: Scalar>(&self, at: &Point<S>, flow: &SystemEval<S>, a: &[S], dx: &mut [S]) {
        let mut input = flow.input;
        for (c, coordinate) in self.coordinates.iter().enumerate() {
            match coordinate {
                Coordinate::Free { q, v, .. } => (dx[*q], dx[*v]) = (flow.v[c], a[c]),
                // The drive supplies what the mechanism takes from it.
                Coordinate::Driven { .. } => input -= flow.f[c] * flow.v[c],
                Coordinate::Servo { q, v, .. } => {
                    (dx[*q], dx[*v]) = (flow.v[c], a[c]);
                    input -= flow.f[c] * flow.v[c];
                }
                Coordinate::Fixed { .. } => {}
            }
        }
        for (contact, touch) in self.contacts.iter().zip(&flow.touch) {
            dx[contact.work] = touch.force * touch.v;
        }
        for (contact, touch) in self.planar.iter().zip(&flow.planar) {
            dx[contact.work] = touch.power();
        }
        for drum in &self.drums {
            dx[drum.work] = S::zero();
        }
        self.rope_rates(at, flow, a, dx);
        dx[self.input] = input;
        if let Some(damping) = self.damping {
            dx[damping] = flow.loss;
        }
    }

    /// Writes the guards at an instant that has been evaluated.
    pub(crate) fn guards_of<S: Scalar>(&self, at: &Point<S>, flow: &SystemEval<S>, g: &mut [S]) {
        for (contact, touch) in self.contacts.iter().zip(&flow.touch) {
            if contact.elements == 0 {
                continue;
            }
            let law = contact.law(at.p);
            let here = At { v: touch.v, n: touch.n, hold: touch.hold, mode: contact.modes(at.mode) };
            let z = &at.x[contact.z..contact.z + contact.states];
            let g = &mut g[contact.slot..contact.slot + contact.elements];
            law.guards(&here, z, g);
            if contact.set_valued {
                g[0] = if contact.sticks(at.mode) {
                    law.limit(&here, z).unwrap_or_else(S::zero) - touch.force.abs()
                } else {
                    here.speed() - law.lock_speed(&here) + CATCH_SPEED
                };
            } else if at.mode[contact.slot] == Mode::Stick && law.keeps_direction() {
                let [a, b] = contact.ends.map(|c| flow.v[c]);
                g[0] = stick::open_below(a, b) - touch.v.abs();
            }
        }
    }

    /// Which contact and which of its elements a guard belongs to.
    pub(crate) fn element_of(&self, guard: usize) -> Option<(usize, usize)> {
        let k = self.contacts.iter().position(|c| (c.slot..c.slot + c.elements).contains(&guard))?;
        Some((k, guard - self.contacts[k].slot))
    }
}

impl Dynamics for System {
    fn dim(&self) -> usize {
        self.core + self.quadratures()
    }

    fn quadratures(&self) -> usize {
        let works = self.contacts.len() + self.planar.len() + self.drums.len();
        works + 1 + usize::from(self.damping.is_some())
    }

    fn mode_count(&self) -> usize {
        self.slots
    }

    fn params(&self) -> &[f64] {
        &self.list.values
    }

    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        self.rates_with(at, None, dx);
    }

    fn guard_count(&self) -> usize {
        self.slots
    }

    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        if self.slots > 0 {
            self.guards_of(&at, &self.flow(&at, None), g);
        }
    }

    fn switch(&self, fired: usize, p: &[f64], state: &mut State) {
        let Some((k, element)) = self.element_of(fired) else { return };
        let contact = &self.contacts[k];
        if contact.set_valued && element == 0 {
            stick::switch(self, k, p, state);
        } else {
            let point = Point { t: state.t, x: &state.x, p, mode: &state.mode };
            let touch = self.flow(&point, None).touch[k];
            let mut mode = contact.modes(&state.mode).to_vec();
            let here = At { v: touch.v, n: touch.n, hold: touch.hold, mode: contact.modes(&state.mode) };
            let z = &mut state.x[contact.z..contact.z + contact.states];
            let law = contact.law(p);
            if mode[element] == Mode::Stick && element == 0 && contact.may_stay_open(p) {
                law.start(&here, z, &mut mode);
            } else {
                law.switch(element, &here, z, &mut mode);
            }
            state.mode[contact.slot..contact.slot + contact.elements].copy_from_slice(&mode);
            // A law that jumps may have pulled a resting neighbour loose.
            stick::settle(self, p, state, None);
        }
    }

    fn undecide(&self, fired: usize, p: &[f64], state: &mut State) {
        if let Some((k, 0)) = self.element_of(fired) {
            stick::undecide(self, k, p, state);
        }
    }

    fn start(&self, p: &[f64], state: &mut State) {
        stick::start(self, p, state);
    }

    fn watches(&self, _p: &[f64], mode: &[Mode], is_watched: &mut [bool]) {
        // The states of ropes move with whatever moves a contact, and their errors see it; bounds over a step would not be tight.
        if self.has_ropes() {
            return is_watched.fill(false);
        }
        for contact in &self.contacts {
            let watch = contact.sticks(mode) || contact.ends.iter().any(|&c| self.follows_signal(c));
            is_watched[contact.slot..contact.slot + contact.elements].fill(watch);
        }
    }

    fn resettle(&self, p: &[f64], state: &mut State) {
        stick::resettle(self, p, state);
    }

    fn violation(&self, at: Point<f64>, g: &[f64], tolerance: f64) -> Option<Violation> {
        invariant::violation(self, &at, g, tolerance)
    }

    fn project(&self, p: &[f64], t: f64, x: &mut [f64], mode: &[Mode]) {
        invariant::project(self, p, t, x, mode);
    }

    fn fine_differences(&self, at: Point<f64>, rtol: f64, fine: &mut Vec<FineDifference>) {
        step_limits::fine_differences(self, &at, rtol, fine);
    }

    fn energies(&self, at: Point<f64>) -> Option<Energies> {
        Some(System::energies(self, &at))
    }

    fn longest_step(&self, p: &[f64], mode: &[Mode]) -> f64 {
        step_limits::longest_step(self, p, mode)
    }

    fn reach(&self, at: Point<f64>, rates: &[f64]) -> f64 {
        step_limits::reach(self, &at, rates)
    }

    fn scales(&self, p: &[f64], scale: &mut [f64]) {
        crate::scales::scales(self, p, scale);
    }

    fn next_break(&self, p: &[f64], t: f64) -> Option<f64> {
        self.signals().filter_map(|s| s.next_break(p, t)).min_by(f64::total_cmp)
    }

    fn band(&self) -> Option<Bandwidth> {
        self.band
    }

    fn structure(&self) -> Option<Box<dyn Structure>> {
        if self.ropes.is_empty() { None } else { Some(Box::new(RopeStructure::new(self))) }
    }

    fn has_structure(&self) -> bool {
        self.has_ropes()
    }

    fn state_name(&self, index: usize) -> String {
        self.state_names().into_iter().nth(index).unwrap_or_default()
    }

    fn guard_name(&self, index: usize) -> String {
        self.element_of(index).map(|(k, _)| self.contacts[k].name.clone()).unwrap_or_default()
    }
}
