//! A point of a rope on a drum: normal contact and friction, in any number.
//!
//! ```text
//! δ = R − |r − c| > 0,  u = (r − c)/|r − c|,  N = max(0, w k δⁿ (1 + D δ̇)),  slip rate t·(v − ċ) − s R ω
//! ```

use bristle_cable::{Friction, Sense};
use bristle_core::{Mode, Scalar};
use bristle_law::{AnyLaw, At};

/// The time within which what a point holds follows the friction force, s.
///
/// ```text
/// F = −μ N h(v/ε + h(λ/(μ N))),   λ̇ = (−F − λ)/τ
/// ```
///
/// At rest `λ = −F`: nothing creeps. Until then a node gives way by less than `ε τ`.
pub(super) const LAG: f64 = 1e-3;

/// A drum as a point of a rope sees it.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    pub(crate) radius: f64,
    pub(crate) stiffness: f64,
    pub(crate) exponent: f64,
    pub(crate) damping: f64,
    pub(crate) sense: Sense,
    pub(crate) friction: Friction,
}

/// Where a drum is and how it moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DrumMotion<S> {
    pub(crate) centre: [S; 2],
    pub(crate) velocity: [S; 2],
    pub(crate) spin: S,
}

/// A point that touches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointTouch<S> {
    /// Normal force.
    pub(crate) normal: S,
    /// Outward normal.
    pub(crate) outward: [S; 2],
    /// Direction of the rope.
    pub(crate) along: [S; 2],
    /// Slip rate.
    pub(crate) slip: S,
    /// Friction on the rope along its direction.
    pub(crate) friction: S,
    /// Power lost to the damping of the contact.
    pub(crate) loss: S,
    /// How deep the point has sunk in.
    pub(crate) depth: S,
}

impl<S: Scalar> PointTouch<S> {
    /// The force on the rope.
    pub(crate) fn force(&self) -> [S; 2] {
        [0, 1].map(|c| self.normal * self.outward[c] + self.friction * self.along[c])
    }
}

impl Surface {
    /// How many states the friction of a point has.
    pub(crate) fn states(&self) -> usize {
        match &self.friction {
            Friction::Quinn { .. } => 1,
            // What it holds, and the slip rate at which it coasts.
            Friction::Karnopp { .. } => 2,
            other => other.states(),
        }
    }

    /// Whether a place lies within the drum.
    #[inline]
    pub(crate) fn reaches<S: Scalar>(&self, drum: &DrumMotion<S>, q: &[S; 4]) -> bool {
        let d = [0, 1].map(|c| q[c].value() - drum.centre[c].value());
        let square = d[0] * d[0] + d[1] * d[1];
        square < self.radius * self.radius && square > 0.0
    }

    /// The contact of a point with this share of a node's stiffness, at place and slope `q`, with velocity `v` and friction
    /// states `z`, if it touches; writes the rates of the states then. `law` is the law of the catalogue, for a drum that has one.
    pub(crate) fn touch<S: Scalar>(
        &self,
        share: f64,
        drum: &DrumMotion<S>,
        (law, mode, z): (Option<&AnyLaw<S>>, &[Mode], &[S]),
        [q, v]: [&[S; 4]; 2],
        dz: &mut [S],
    ) -> Option<PointTouch<S>> {
        let d = [q[0] - drum.centre[0], q[1] - drum.centre[1]];
        let square = d[0] * d[0] + d[1] * d[1];
        if !self.reaches(drum, q) {
            return None;
        }
        dz.fill(S::zero());
        let distance = square.sqrt();
        let depth = S::from(self.radius) - distance;
        let u = [d[0] / distance, d[1] / distance];
        let w = [v[0] - drum.velocity[0], v[1] - drum.velocity[1]];
        let sinking = -(u[0] * w[0] + u[1] * w[1]);
        let elastic = self.elastic(share, depth);
        let damped = elastic * (sinking * self.damping + 1.0);
        let normal = damped.max(S::zero());
        let loss = (normal - elastic) * sinking;
        let size = (q[2] * q[2] + q[3] * q[3]).sqrt();
        let t = [q[2] / size, q[3] / size];
        let slip = self.slip(drum, [q, v]);
        let friction = if normal.value() > 0.0 {
            self.apply_friction((law, mode), slip, normal, z, dz)
        } else {
            if let (Some(rate), Some(z)) = (dz.first_mut(), z.first()) {
                *rate = -(*z * self.ebb());
            }
            S::zero()
        };
        Some(PointTouch { normal, outward: u, along: t, slip, friction, loss, depth })
    }

    /// How fast a point slips over the drum, along the rope.
    #[inline]
    pub(super) fn slip<S: Scalar>(&self, drum: &DrumMotion<S>, [q, v]: [&[S; 4]; 2]) -> S {
        let size = (q[2] * q[2] + q[3] * q[3]).sqrt();
        let w = [v[0] - drum.velocity[0], v[1] - drum.velocity[1]];
        let t = [q[2] / size, q[3] / size];
        t[0] * w[0] + t[1] * w[1] - drum.spin * (self.sense.sign() * self.radius)
    }

    /// `w k δⁿ`.
    #[inline]
    pub(super) fn elastic<S: Scalar>(&self, share: f64, depth: S) -> S {
        let power =
            if self.exponent == 1.5 { depth * depth.sqrt() } else { depth.pow(S::from(self.exponent)) };
        power * (share * self.stiffness)
    }

    fn apply_friction<S: Scalar>(
        &self,
        (law, mode): (Option<&AnyLaw<S>>, &[Mode]),
        slip: S,
        normal: S,
        z: &[S],
        dz: &mut [S],
    ) -> S {
        match (&self.friction, law) {
            (Friction::Quinn { .. }, _) => {
                let force = self.friction.force(slip, normal, z[0], None);
                dz[0] = -(force + z[0]) / LAG;
                force
            }
            (Friction::Karnopp { .. }, Some(law)) => self.band_force(law, [slip, normal], mode, z, dz),
            (_, Some(law)) => {
                let count = self.states();
                -law.eval(&At::sliding(slip, normal), &z[..count], &mut dz[..count])
            }
            _ => S::zero(),
        }
    }

    /// The rate at which what a node holds ebbs away where nothing touches.
    pub(crate) fn ebb(&self) -> f64 {
        let holds = matches!(self.friction, Friction::Quinn { .. } | Friction::Karnopp { .. });
        if holds { 1.0 / LAG } else { 0.0 }
    }

    /// Energy stored in the penetration of a node, all of its stiffness counted.
    pub(crate) fn energy(&self, drum: &DrumMotion<f64>, q: &[f64; 4]) -> f64 {
        let depth = self.radius - (q[0] - drum.centre[0]).hypot(q[1] - drum.centre[1]);
        let power = self.exponent + 1.0;
        if depth > 0.0 { self.stiffness * depth.powf(power) / power } else { 0.0 }
    }
}
