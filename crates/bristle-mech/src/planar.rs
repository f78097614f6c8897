//! Contacts of bodies that slide in the plane.

use crate::contact::{Load, ResolvedContact};
use crate::disc::PlanarHold;
use crate::grain::Grain;
use crate::system::{System, SystemEval};
use bristle_core::{Choice, Scalar};
use bristle_law::{AnyLaw, InPlane, LawKind};
use bristle_solve::Point;

/// A planar contact with everything resolved to places.
#[derive(Clone, Debug)]
pub struct ResolvedPlanarContact {
    /// What the scenario calls it.
    pub name: String,
    /// Which law.
    pub kind: LawKind,
    /// Horizontal coordinates of the body and its counter-surface.
    pub(crate) x: [usize; 2],
    /// Vertical coordinates of both.
    pub(crate) y: [usize; 2],
    /// Where the normal load comes from.
    pub(crate) load: Load,
    /// How the surface is grained.
    pub(crate) grain: Grain,
    pub(crate) choices: Vec<Choice>,
    /// Where the law's numbers start, and how many there are.
    pub(crate) first: usize,
    pub(crate) count: usize,
    /// Where the law's states start, and their names and units.
    pub(crate) z: usize,
    pub(crate) states: Vec<(String, &'static str)>,
    /// Place of the dissipated energy among the states.
    pub(crate) work: usize,
    /// What holds it at rest under a set-valued law, until it is among the contacts of the system; then the place of the first of two.
    pub(crate) held: Option<Box<ResolvedContact>>,
    pub(crate) pair: Option<usize>,
}

/// A planar contact at one instant.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PlanarTouch<S> {
    /// Slip rate.
    pub(crate) v: [S; 2],
    /// Normal load.
    pub(crate) n: S,
    /// Friction force.
    pub(crate) force: [S; 2],
}

impl<S: Scalar> PlanarTouch<S> {
    /// The power lost.
    pub(crate) fn power(&self) -> S {
        self.force[0] * self.v[0] + self.force[1] * self.v[1]
    }
}

impl ResolvedPlanarContact {
    /// The law with the parameters `p`.
    #[inline]
    pub(crate) fn law<S: Scalar>(&self, p: &[S]) -> AnyLaw<S> {
        self.kind.build(&p[self.first..self.first + self.count], &self.choices)
    }

    /// Whether it follows a curve or bends bristles, and needs no set of forces at rest.
    pub(crate) fn bends(&self) -> bool {
        self.pair.is_none()
    }

    /// Adds what holds it at rest to the contacts.
    pub(crate) fn hold(&mut self, contacts: &mut Vec<ResolvedContact>) {
        let Some(held) = self.held.take() else { return };
        let first = contacts.len();
        let disc = Some(PlanarHold { parts: [first, first + 1], grain: self.grain });
        let along = ResolvedContact { ends: self.x, states: 2, disc, ..*held };
        contacts.push(along.clone());
        contacts.push(ResolvedContact { ends: self.y, states: 0, ..along });
        self.pair = Some(first);
    }

    /// The coordinates it couples.
    pub(crate) fn coordinates(&self) -> [usize; 4] {
        [self.x[0], self.y[0], self.x[1], self.y[1]]
    }

    /// Typical magnitudes of the states: both parts of a vector alike.
    pub(crate) fn scales(&self, system: &System, at: &Point<f64>, scale: &mut [f64]) {
        let card = self.kind.card();
        let mut own = vec![1.0; card.states.len()];
        self.law(at.p).scales(system.planar_load(self, at).abs().max(1e-9), &mut own);
        let mut next = self.z;
        for (state, own) in card.states.iter().zip(own) {
            let count = if state.role.is_vector() { 2 } else { 1 };
            scale[next..next + count].fill(own);
            next += count;
        }
    }
}

impl System {
    /// The planar contacts, in the order of the scenario.
    pub fn planar_contacts(&self) -> &[ResolvedPlanarContact] {
        &self.planar
    }

    /// Those of them that are no set of forces at rest.
    pub(crate) fn bending(&self) -> impl Iterator<Item = &ResolvedPlanarContact> {
        self.planar.iter().filter(|contact| contact.bends())
    }

    /// The normal load.
    fn planar_load<S: Scalar>(&self, contact: &ResolvedPlanarContact, at: &Point<S>) -> S {
        match &contact.load {
            Load::Given(given) => given.load(at.p, at.t),
            Load::Carried { weights, .. } => self.add_weights(weights, at, S::zero()),
            _ => S::one(),
        }
    }

    /// Evaluates a planar contact and puts its force on both bodies.
    pub(crate) fn apply_planar_friction<S: Scalar>(
        &self,
        contact: &ResolvedPlanarContact,
        at: &Point<S>,
        dx: Option<&mut [S]>,
        flow: &mut SystemEval<S>,
    ) {
        let v = [contact.x, contact.y].map(|[a, b]| flow.v[a] - flow.v[b]);
        let n = self.planar_load(contact, at);
        let states = contact.z..contact.z + contact.states.len();
        let mut rates = vec![S::zero(); contact.states.len()];
        let here = InPlane { v: contact.grain.slip(at.p, v), n };
        let borne = contact.law(at.p).in_plane(&here, &at.x[states.clone()], &mut rates);
        let force = contact.grain.force(at.p, borne);
        if let Some(dx) = dx {
            dx[states].copy_from_slice(&rates);
        }
        for (i, [a, b]) in [contact.x, contact.y].into_iter().enumerate() {
            flow.f[a] -= force[i];
            flow.f[b] += force[i];
        }
        flow.planar.push(PlanarTouch { v, n, force });
    }
}
