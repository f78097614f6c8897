//! Contacts: where friction acts, under which load, and what it puts on the bodies.

use crate::asymmetry::Asymmetry;
use crate::cuts::{self, Cut};
use crate::disc::PlanarHold;
use crate::given::Given;
use crate::holding::holding_forces;
use crate::mesh::Mesh;
use crate::one_way::{ONE_WAY_NUMBERS, OneWay, UNBOUNDED};
use crate::parts::CapstanLoad;
use crate::signals::Signal;
use crate::split;
use crate::system::{Short, System, SystemEval};
use bristle_core::{Choice, Mode, Scalar};
use bristle_law::{AnyLaw, At, LawKind};
use bristle_solve::Point;

/// Where a contact's normal load comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Load {
    /// What the scenario gives, once or over time; a contact whose load is not positive is open.
    Given(Given),
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

impl Load {
    /// The signal it follows, if it does.
    pub(crate) fn signal(&self) -> Option<&Signal> {
        match self {
            Load::Given(given) => given.signal(),
            _ => None,
        }
    }
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
    /// Place of the mode in which it is open or closed, where the load follows a signal.
    pub(crate) gate: Option<usize>,
    /// Place of the factor on its friction coefficients, where it has one.
    pub(crate) scale: Option<usize>,
    /// Place of the number of faces that are pressed together, each with the load; one without.
    pub(crate) faces: Option<usize>,
    /// What differs by direction, and the force beside friction.
    pub(crate) asymmetry: Option<Asymmetry>,
    /// What it is if it is not rubbed but bears in one direction only.
    pub(crate) one_way: Option<OneWay>,
    /// What it is if it stands for the friction of a gear.
    pub(crate) mesh: Option<Mesh>,
    /// What it is if it is one of the two directions of a contact in the plane.
    pub(crate) disc: Option<PlanarHold>,
    /// Place of the radius at which rotors touch; none for bodies on a line.
    pub(crate) arm: Option<usize>,
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
        if !self.has_law() {
            return self.kind.build(&[S::zero(); ONE_WAY_NUMBERS], &self.choices);
        }
        self.kind.build(&p[self.first..self.first + self.count], &self.choices)
    }

    /// What both surfaces do where they touch, from what all coordinates do: those of bodies on a line as their coordinates do,
    /// those of rotors at the radius.
    #[inline]
    pub(crate) fn surfaces<S: Scalar>(&self, p: &[S], of: &[S]) -> [S; 2] {
        let [a, b] = self.ends;
        [self.at_radius(p, of[a]), self.at_radius(p, of[b])]
    }

    /// How fast surfaces move whose coordinates do so, and what a force in the contact puts on its coordinates: both are in
    /// proportion to the radius at which rotors touch.
    #[inline]
    pub(crate) fn at_radius<S: Scalar>(&self, p: &[S], of: S) -> S {
        self.arm.map_or(of, |arm| of * p[arm])
    }

    /// Whether it is rubbed under a friction law; stops, freewheels and gears are not.
    pub fn has_law(&self) -> bool {
        self.one_way.is_none() && self.mesh.is_none()
    }

    /// Whether its law says by a mode of its own that it rests.
    pub fn is_set_valued(&self) -> bool {
        self.set_valued
    }

    /// Places of the numbers of its law.
    pub(crate) fn numbers(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.count
    }

    #[inline]
    pub(crate) fn modes<'a>(&self, mode: &'a [Mode]) -> &'a [Mode] {
        &mode[self.slot..self.slot + self.elements]
    }

    /// Whether the contact may go without a direction while it does not move: its law has a kink at rest, not a jump.
    pub(crate) fn may_stay_open<S: Scalar>(&self, p: &[S]) -> bool {
        self.elements > 0 && !self.set_valued && self.law(p).keeps_direction()
    }

    /// Whether the contact is at rest under a set-valued law; one that nothing presses on holds nothing, whatever its mode.
    #[inline]
    pub(crate) fn sticks(&self, mode: &[Mode]) -> bool {
        self.set_valued && mode[self.slot] == Mode::Stick && !self.is_open(mode)
    }
}

/// One contact at one instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactEval<S> {
    /// Slip rate.
    pub(crate) v: S,
    /// Normal load as the law sees it: times the factors on its coefficients.
    pub(crate) n: S,
    /// Normal load.
    pub(crate) load: S,
    /// Force that would hold it (laws that use it).
    pub(crate) hold: S,
    /// Friction force.
    pub(crate) force: S,
    /// Force beside friction: what differs by direction, and an offset.
    pub(crate) beside: S,
    /// What is left until it lets go, where it holds together with others, and the contacts that then slide with it.
    pub(crate) margin: Option<S>,
    pub(crate) cut: Cut,
    /// What the gear carries whose friction it is.
    pub(crate) carried: S,
}

impl<S: Scalar> ContactEval<S> {
    /// All that the contact puts on its bodies along the line.
    #[inline]
    pub(crate) fn total(&self, contact: &ResolvedContact) -> S {
        if contact.asymmetry.is_some() { self.force + self.beside } else { self.force }
    }
}

/// Rounds in which the split of forces and what stuck gears can hold are made to agree, and the part of the largest force by which
/// the last one may still change something.
const ROUNDS: usize = 8;
const AGREED: f64 = 1e-12;

impl System {
    /// The normal load of a contact, once all other forces are known.
    pub(crate) fn normal<S: Scalar>(&self, contact: &ResolvedContact, at: &Point<S>, q: &[S], f: &[S]) -> S {
        let p = at.p;
        match &contact.load {
            Load::Given(given) => {
                let n = contact.gated(given.load(p, at.t), at.mode);
                contact.faces.map_or(n, |faces| n * p[faces])
            }
            Load::Unit => S::one(),
            Load::Wrapped(capstan) => capstan.normal(p, q),
            Load::Carried { weights, reactions } => {
                let n = reactions.iter().fold(S::zero(), |sum, c| sum - f[*c]);
                self.add_weights(weights, at, n)
            }
        }
    }

    /// Adds what weights put on what carries them, lines and floors being inclined as they are.
    pub(crate) fn add_weights<S: Scalar>(&self, weights: &[usize], at: &Point<S>, n: S) -> S {
        let (Some(gravity), Some(tilt), false) = (self.gravity, &self.tilt, weights.is_empty()) else {
            return n;
        };
        let press = at.p[gravity] * tilt.value(at.p, at.t).cos();
        weights.iter().fold(n, |sum, mass| sum + at.p[*mass] * press)
    }

    /// Evaluates the law of contact `k` and puts its force on both bodies.
    pub(crate) fn apply_friction<S: Scalar>(
        &self,
        k: usize,
        at: &Point<S>,
        dx: Option<&mut [S]>,
        flow: &mut SystemEval<S>,
    ) {
        let contact = &self.contacts[k];
        if let Some(disc) = &contact.disc {
            let force = self.apply_friction_in_plane(k, disc, at, flow);
            return self.load(k, at.p, force, flow);
        }
        let ContactEval { v, n, hold, .. } = flow.touch[k];
        let here = At { v, n, hold, mode: contact.modes(at.mode) };
        let z = &at.x[contact.z..contact.z + contact.states];
        let mut scratch = Short::<S, 4>::from_elem(S::zero(), contact.states);
        let force = contact.law(at.p).eval(&here, z, &mut scratch);
        if let Some(dx) = dx {
            dx[contact.z..contact.z + contact.states].copy_from_slice(&scratch);
        }
        self.load(k, at.p, force, flow);
    }

    /// Puts a friction force on both bodies of contact `k`.
    fn load<S: Scalar>(&self, k: usize, p: &[S], force: S, flow: &mut SystemEval<S>) {
        flow.touch[k].force = force;
        self.put_force(k, p, force, &mut flow.f);
    }

    /// Adds what a force in contact `k` puts on both bodies.
    #[inline]
    pub(crate) fn put_force<S: Scalar>(&self, k: usize, p: &[S], force: S, f: &mut [S]) {
        let [a, b] = self.contacts[k].ends;
        let pull = self.contacts[k].at_radius(p, force);
        f[a] -= pull;
        f[b] += pull;
    }

    /// Contacts at rest, and laws that want to know what would hold them: all solved together.
    pub(crate) fn hold<S: Scalar>(
        &self,
        held: &[usize],
        at: &Point<S>,
        mut dx: Option<&mut [S]>,
        flow: &mut SystemEval<S>,
    ) {
        // Friction that holds does not wait for what bears in one direction, and is the same whether that bears or not.
        let is_rubbed = |k: &usize| {
            let contact = &self.contacts[*k];
            contact.has_law() || contact.mesh.is_some() && contact.sticks(at.mode)
        };
        let rubbed: Short<usize> = held.iter().copied().filter(is_rubbed).collect();
        let mut forces = holding_forces(self, &rubbed, at.p, flow);
        for (&k, &force) in rubbed.iter().zip(&forces) {
            flow.touch[k].hold = force;
        }
        let resting: Short<usize> =
            held.iter().copied().filter(|k| self.contacts[*k].sticks(at.mode)).collect();
        let turning: Short<usize> = held
            .iter()
            .copied()
            .filter(|k| self.contacts[*k].mesh.is_some() && !self.contacts[*k].sticks(at.mode))
            .collect();
        if resting != rubbed || !turning.is_empty() {
            let is_moved = |k: &&usize| self.contacts[**k].has_law() && !self.contacts[**k].sticks(at.mode);
            for &k in held.iter().filter(is_moved) {
                self.apply_friction(k, at, dx.as_deref_mut(), flow);
            }
            forces = if turning.is_empty() {
                holding_forces(self, &resting, at.p, flow)
            } else {
                self.hold_beside_gears(&resting, &turning, at, flow)
            };
        }
        self.note_carried(at.p, &resting, &forces, flow);
        if resting.len() > 1 {
            let loops = split::circulations(self, &resting, at.p);
            if !loops.is_empty() {
                self.share(&resting, &loops, at, flow, &mut forces);
            }
        }
        for (&k, &force) in resting.iter().zip(&forces) {
            self.load(k, at.p, force, flow);
        }
    }

    /// Splits what holds the `resting` contacts among them along the loops that they close.
    fn share<S: Scalar>(
        &self,
        resting: &[usize],
        loops: &[Vec<S>],
        at: &Point<S>,
        flow: &mut SystemEval<S>,
        forces: &mut [S],
    ) {
        let limits = |flow: &SystemEval<S>| -> Short<[S; 2], 8> {
            resting.iter().map(|&k| self.limits(k, at, &flow.touch[k])).collect()
        };
        let bounds = limits(flow);
        cuts::margins(self, resting, at.p, loops, &bounds, forces, flow);
        if resting.iter().all(|&k| self.contacts[k].mesh.is_none()) {
            let limits = bounds;
            split::share(self, resting, at.p, [loops, loops], &limits, forces);
            return self.note_carried(at.p, resting, forces, flow);
        }
        // What a stuck gear can hold depends on what it carries, and that on the split: along straight lines, so that a few rounds
        // agree.
        for _ in 0..ROUNDS {
            let before: Short<S, 8> = forces.iter().copied().collect();
            let felt = self.felt_by_meshes(resting, loops, at.p, flow, forces);
            split::share(self, resting, at.p, [loops, &felt], &limits(flow), forces);
            self.note_carried(at.p, resting, forces, flow);
            let size = forces.iter().fold(0.0_f64, |size, force| size.max(force.value().abs()));
            let apart = |(a, b): (&S, &S)| (a.value() - b.value()).abs();
            if before.iter().zip(&*forces).map(apart).fold(0.0, f64::max) <= AGREED * size {
                break;
            }
        }
    }

    /// The largest forces that contact `k` bears at rest, forwards and backwards.
    pub(crate) fn limits<S: Scalar>(&self, k: usize, at: &Point<S>, touch: &ContactEval<S>) -> [S; 2] {
        let contact = &self.contacts[k];
        if contact.one_way.is_some() {
            return [S::from(UNBOUNDED); 2];
        }
        if let Some(mesh) = &contact.mesh {
            return mesh.limits(at.p, touch.carried);
        }
        let here = At { v: touch.v, n: touch.n, hold: touch.hold, mode: contact.modes(at.mode) };
        let z = &at.x[contact.z..contact.z + contact.states];
        let law = contact.law(at.p);
        if contact.asymmetry.is_none() {
            return [law.limit(&here, z).unwrap_or_else(S::zero); 2];
        }
        let loads = contact.felt_both_ways(at.p, touch.load);
        loads.map(|n| law.limit(&At { n, ..here }, z).unwrap_or_else(S::zero))
    }

    /// Which contact and which of its elements a guard belongs to.
    pub(crate) fn element_of(&self, guard: usize) -> Option<(usize, usize)> {
        let k = self.contacts.iter().position(|c| (c.slot..c.slot + c.elements).contains(&guard))?;
        Some((k, guard - self.contacts[k].slot))
    }
}
