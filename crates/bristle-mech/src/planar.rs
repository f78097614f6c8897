//! Contacts of bodies that slide in the plane.

use crate::contact::Load;
use crate::error::MechError;
use crate::system::{System, SystemEval};
use bristle_core::{Params, Scalar};
use bristle_law::LawKind;
use bristle_law::laws::FrDyn2;
use bristle_solve::Point;

/// A planar contact with everything resolved to places.
#[derive(Clone, Debug)]
pub struct ResolvedPlanarContact {
    /// What the scenario calls it.
    pub name: String,
    /// Horizontal coordinates of the body and its counter-surface.
    pub(crate) x: [usize; 2],
    /// Vertical coordinates of both.
    pub(crate) y: [usize; 2],
    /// Where the normal load comes from: given, or the law states forces.
    pub(crate) load: Load,
    /// Where the law's numbers start, and how many there are.
    pub(crate) first: usize,
    pub(crate) count: usize,
    /// Where the bristle's states start: both deflections, then both rates.
    pub(crate) z: usize,
    /// Place of the dissipated energy among the states.
    pub(crate) work: usize,
}

/// Names and units of the bristle's states.
pub(crate) const STATES: [(&str, &str); 4] = [("zx", "m"), ("zy", "m"), ("zdotx", "m/s"), ("zdoty", "m/s")];

/// A planar contact at one instant.
#[derive(Clone, Copy, Debug)]
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
    /// Which law: the one with a vector form.
    pub const LAW: LawKind = LawKind::FrDyn2;

    /// The law with the parameters `p`.
    #[inline]
    pub(crate) fn law<S: Scalar>(&self, p: &[S]) -> FrDyn2<S> {
        FrDyn2::from_slices(&p[self.first..self.first + self.count], &[])
    }

    /// Refuses laws without a vector form.
    pub(crate) fn check(part: &str, law: &str) -> Result<(), MechError> {
        if law == Self::LAW.card().name {
            return Ok(());
        }
        let fault = "it has no form for sliding in the plane; `frdyn2` has one";
        Err(MechError::Law { part: part.to_owned(), law: law.to_owned(), fault })
    }

    /// The normal load.
    pub(crate) fn normal<S: Scalar>(&self, p: &[S], t: S) -> S {
        match &self.load {
            Load::Given(given) => given.load(p, t),
            _ => S::one(),
        }
    }

    /// The coordinates it couples.
    pub(crate) fn coordinates(&self) -> [usize; 4] {
        [self.x[0], self.y[0], self.x[1], self.y[1]]
    }

    /// Typical magnitudes of the bristle's states.
    pub(crate) fn scales(&self, p: &[f64], scale: &mut [f64]) {
        let mut scalar = [0.0; 2];
        bristle_law::Law::scales(&self.law(p), self.normal(p, 0.0).abs().max(1e-9), &mut scalar);
        scale[self.z..self.z + 4].copy_from_slice(&[scalar[0], scalar[0], scalar[1], scalar[1]]);
    }
}

impl System {
    /// The planar contacts, in the order of the scenario.
    pub fn planar_contacts(&self) -> &[ResolvedPlanarContact] {
        &self.planar
    }

    /// Evaluates a planar contact and puts its force on both bodies.
    pub(crate) fn rub_planar<S: Scalar>(
        &self,
        contact: &ResolvedPlanarContact,
        at: &Point<S>,
        dx: Option<&mut [S]>,
        flow: &mut SystemEval<S>,
    ) {
        let ([xa, xb], [ya, yb]) = (contact.x, contact.y);
        let v = [flow.v[xa] - flow.v[xb], flow.v[ya] - flow.v[yb]];
        let n = contact.normal(at.p, at.t);
        let bristle = &at.x[contact.z..contact.z + 4];
        let (z, zdot) = ([bristle[0], bristle[1]], [bristle[2], bristle[3]]);
        let (force, pull) = contact.law(at.p).in_plane(n, v, z, zdot);
        if let Some(dx) = dx {
            dx[contact.z..contact.z + 4].copy_from_slice(&[zdot[0], zdot[1], pull[0], pull[1]]);
        }
        for (i, [a, b]) in [contact.x, contact.y].into_iter().enumerate() {
            flow.f[a] -= force[i];
            flow.f[b] += force[i];
        }
        flow.planar.push(PlanarTouch { v, n, force });
    }
}
