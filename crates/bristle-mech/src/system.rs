//! Parts assembled: the mechanism and what happens in it at one instant.

use crate::acting::Acting;
pub(crate) use crate::contact::{ContactEval, ResolvedContact};
pub(crate) use crate::coordinate::{Body, Coordinate, Follows};
use crate::coupled::{Coupling, Transmission};
use crate::cuts::Cut;
use crate::derived::Derived;
use crate::element::Element;
use crate::followed::Followed;
use crate::frame::MovingFrame;
use crate::given::Given;
use crate::holding::acceleration;
use crate::inputs::LiveInput;
use crate::islands::Islands;
use crate::joined::Joined;
use crate::mobility::Mobility;
pub(crate) use crate::params::ParamList;
use crate::planar::{PlanarTouch, ResolvedPlanarContact};
use crate::rope::{Rope, RopeDrum, RopeFlow};
use bristle_core::{Mode, Scalar};
use bristle_solve::{Bandwidth, Point, Recordings};
use smallvec::SmallVec;
use std::sync::Arc;

/// A short list that lives on the stack in small systems: sixteen states have at most eight free coordinates beside the
/// driven and fixed ones, and at most eight contacts.
pub(crate) type Short<S, const N: usize = 16> = SmallVec<[S; N]>;

/// A mechanism. Made by [`System::assemble`].
#[derive(Clone, Debug)]
pub struct System {
    pub(crate) bodies: Vec<Body>,
    pub(crate) coordinates: Vec<Coordinate>,
    pub(crate) couplings: Vec<Coupling>,
    pub(crate) elements: Vec<Acting>,
    /// Contacts along lines, and how many of them there are; after these both directions of each that holds in the plane.
    pub(crate) contacts: Vec<ResolvedContact>,
    pub(crate) lines: usize,
    pub(crate) planar: Vec<ResolvedPlanarContact>,
    pub(crate) ropes: Vec<Rope>,
    pub(crate) drums: Vec<RopeDrum>,
    /// Whether the parts are a cable with its ends and drums and nothing beside it.
    pub(crate) is_cable_alone: bool,
    /// Place of the acceleration of gravity.
    pub(crate) gravity: Option<usize>,
    /// How far lines are inclined, where there is gravity.
    pub(crate) tilt: Option<Given>,
    /// Numbers that follow signals.
    pub(crate) followed: Vec<Followed>,
    /// What is set from outside while a run goes on, and whether drives are ready for it.
    pub(crate) inputs: Vec<LiveInput>,
    pub(crate) is_live: bool,
    /// What positions and velocities are measured from, where that moves.
    pub(crate) frame: Option<MovingFrame>,
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
    /// Outputs that are formulas of others.
    pub(crate) derived: Vec<Derived>,
    /// What was recorded of its equations.
    pub(crate) recordings: Recordings,
    /// Its pieces, where some have nothing to do with any cable.
    pub(crate) islands: Option<Arc<Islands>>,
}

/// Everything about one instant.
pub(crate) struct SystemEval<S: Scalar> {
    pub(crate) q: Short<S>,
    pub(crate) v: Short<S>,
    /// How fast the states of positions change: velocities, or what is left of them in a frame that moves along.
    pub(crate) drift: Short<S>,
    /// Prescribed accelerations, and what they make of those of followers; zero for free coordinates.
    pub(crate) a: Short<S>,
    /// Forces on coordinates, friction included.
    pub(crate) f: Short<S>,
    pub(crate) touch: Short<ContactEval<S>, 8>,
    pub(crate) planar: Short<PlanarTouch<S>, 1>,
    /// The ropes, what they put on the mechanism, and the mass it feels with them.
    pub(crate) ropes: Vec<RopeFlow<S>>,
    pub(crate) ports: Vec<S>,
    pub(crate) mobility: Option<Mobility<S>>,
    /// How followers move, where coordinates are coupled.
    pub(crate) transmission: Option<Transmission<S>>,
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
            drift: Short::new(),
            a: Short::new(),
            f: Short::new(),
            touch: Short::new(),
            planar: Short::new(),
            ropes: Vec::new(),
            ports: Vec::new(),
            mobility: None,
            transmission: None,
            joined: None,
            input: nothing(),
            loss: nothing(),
        }
    }
}

/// Where a sum begins: −0 plus a number is that number, whatever the sign of a zero, so that a recorded sum begins with its first
/// term.
#[inline]
pub(crate) fn nothing<S: Scalar>() -> S {
    S::from(-0.0)
}

impl System {
    /// The contacts along lines, in the order of the scenario.
    pub fn contacts(&self) -> &[ResolvedContact] {
        &self.contacts[..self.lines]
    }

    /// What a careful engineer would want to know before trusting a run.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
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
        for element in &self.elements {
            let motion = element.motion(at, &flow.q, &flow.v);
            if let (Some(dx), false) = (dx.as_deref_mut(), element.states == 0) {
                element.action.rates(&motion, &mut dx[element.z..element.z + element.states]);
            }
            let power = element.action.apply(&motion, &mut flow.f);
            flow.input += power.input;
            flow.loss += power.loss;
        }
        if !self.ropes.is_empty() {
            self.pull_all(at, ports, dx.as_deref_mut(), &mut flow);
        } else if let Some(transmission) = &flow.transmission {
            let mut mobility = Mobility::new(self, at.p, Some(transmission));
            mobility.invert();
            mobility.carry(self, at.p, &flow.a);
            flow.mobility = Some(mobility);
        }
        if self.contacts.iter().any(|c| c.sticks(at.mode)) {
            flow.joined = Some(Joined::by(self, at.mode, |c| !c.coasts));
        }
        // Loads first: friction must not load a contact through the force it is about to make.
        for contact in &self.contacts {
            let [a, b] = contact.ends;
            let load = self.normal(contact, at, &flow.q, &flow.f);
            // Bodies that stick together elsewhere do not slide here; integrated, they would by what rounding leaves.
            let is_still =
                !contact.sticks(at.mode) && flow.joined.as_ref().is_some_and(|j| j.are_one([a, b]));
            let [va, vb] = contact.surfaces(at.p, &flow.v);
            let v = if is_still { S::zero() } else { va - vb };
            let n = contact.felt(at.p, load, v, at.mode);
            let [hold, force, beside, carried] = [S::zero(); 4];
            flow.touch.push(ContactEval {
                v,
                n,
                load,
                hold,
                force,
                beside,
                margin: None,
                cut: Cut::default(),
                carried,
            });
        }
        self.push_beside(at, &mut flow);
        for contact in self.bending() {
            self.apply_planar_friction(contact, at, dx.as_deref_mut(), &mut flow);
        }
        let mut held = Short::<usize>::new();
        for (k, contact) in self.contacts.iter().enumerate() {
            if contact.uses_hold || contact.mesh.is_some() || contact.sticks(at.mode) {
                held.push(k);
            } else {
                self.apply_friction(k, at, dx.as_deref_mut(), &mut flow);
            }
        }
        if !held.is_empty() {
            self.hold(&held, at, dx, &mut flow);
        }
        flow
    }

    /// The accelerations of coordinates that rest on something prescribed, through any number of resting contacts.
    ///
    /// They are known without the forces. What rounding leaves of a balance of forces would, over days of rest, add up to a
    /// body that creeps.
    fn carried<S: Scalar>(&self, p: &[S], mode: &[Mode], flow: &SystemEval<S>) -> Short<Option<S>> {
        let known = |c: usize| self.is_prescribed(c).then(|| flow.a[c]);
        match &flow.joined {
            None => Short::new(),
            // A contact that coasts keeps its slip rate, so that both sides accelerate as one.
            Some(_) if self.contacts.iter().any(|c| c.coasts && c.sticks(mode)) => {
                self.spread(&Joined::by(self, mode, |_| true), p, known)
            }
            Some(joined) => self.spread(joined, p, known),
        }
    }

    /// Accelerations of all coordinates.
    pub(crate) fn accelerations<S: Scalar>(&self, at: &Point<S>, flow: &SystemEval<S>) -> Short<S> {
        let carried = self.carried(at.p, at.mode, flow);
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
                Coordinate::Free { q, v, .. } => (dx[*q], dx[*v]) = (flow.drift[c], a[c]),
                // The drive supplies what the mechanism takes from it.
                Coordinate::Driven { signal, way, .. } => {
                    if let (Some(way), Some((signal, _))) = (way, signal) {
                        dx[*way] = signal.jet(at.p, at.t).value;
                    }
                    input -= flow.f[c] * flow.v[c];
                }
                Coordinate::Servo { q, v, .. } => {
                    (dx[*q], dx[*v]) = (flow.v[c], a[c]);
                    input -= flow.f[c] * flow.v[c];
                }
                Coordinate::Fixed { .. } | Coordinate::Follower { .. } | Coordinate::OnRope { .. } => {}
            }
        }
        if let Some(transmission) = &flow.transmission {
            // Drives supply what those take that follow them.
            for c in (0..self.coordinates.len()).filter(|&c| self.is_prescribed(c)) {
                input -= self.passed_on(transmission, c, at.p, flow, [&flow.f, a]) * flow.v[c];
            }
        }
        for (contact, touch) in self.contacts.iter().zip(&flow.touch) {
            dx[contact.work] = touch.total(contact) * touch.v;
            if contact.disc.is_some() {
                dx[contact.z..contact.z + contact.states].fill(S::zero());
            }
        }
        for (contact, touch) in self.bending().zip(&flow.planar) {
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
}
