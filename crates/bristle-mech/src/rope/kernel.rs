//! What follows from a rope's parameters: its elements, its mass, its surfaces.

use super::mass::RopeMass;
use super::touch::Surface;
use super::{Rope, RopeDrum};
use crate::parts;
use bristle_cable::{
    CableDamping, CableError, CableSignal, CableSystem, ElementMatrix, FlexibleCable, Friction, Strain,
    Support, damping_force,
};
use bristle_core::{Choice, Params, Scalar};

/// What follows from a rope's parameters.
#[derive(Clone, Debug)]
pub(crate) struct RopeKernel {
    pub(crate) cable: CableSystem,
    pub(crate) mass: RopeMass,
    pub(crate) surfaces: Vec<Surface>,
    pub(crate) end_mass: [f64; 2],
    pub(crate) gravity: f64,
    /// Places and values of the parameters it was made from.
    made_from: Vec<(usize, f64)>,
}

impl RopeKernel {
    /// From all parameters of the mechanism.
    pub(crate) fn new(rope: &Rope, drums: &[RopeDrum], p: &[f64]) -> Result<RopeKernel, CableError> {
        let cable = CableSystem::new(rope.cable(drums, p))?;
        let end_mass = rope.end_mass(p);
        let held = [0, 1].map(|e| [rope.ends[e].tie.is_some(), rope.ends[e].is_clamped]);
        Ok(RopeKernel {
            mass: RopeMass::new(cable.element_mass(), rope.elements, end_mass, held),
            surfaces: rope.drums.iter().map(|&d| surface(&drums[d], p)).collect(),
            end_mass,
            gravity: cable.cable().gravity,
            made_from: rope.parameters(drums).into_iter().map(|i| (i, p[i])).collect(),
            cable,
        })
    }

    /// One that is replaced before anybody sees it.
    pub(crate) fn empty() -> Result<RopeKernel, CableError> {
        let cable = CableSystem::new(FlexibleCable::default())?;
        let mass = RopeMass::new(cable.element_mass(), 1, [0.0; 2], [[false; 2]; 2]);
        Ok(RopeKernel {
            cable,
            mass,
            surfaces: Vec::new(),
            end_mass: [0.0; 2],
            gravity: 0.0,
            made_from: Vec::new(),
        })
    }

    /// Whether it was made from these parameters.
    pub(crate) fn fits<S: Scalar>(&self, p: &[S]) -> bool {
        self.made_from.iter().all(|&(i, value)| {
            let now = p[i].value();
            now == value || (now.is_nan() && value.is_nan())
        })
    }

    /// Adds the forces of the elements, weight included; gives the power they lose.
    pub(crate) fn add_elements<S: Scalar>(&self, q: &[[S; 4]], v: &[[S; 4]], force: &mut [[S; 4]]) -> S {
        let plain = |x: &[S; 4]| x.map(Scalar::value);
        let mut loss = S::zero();
        for i in 0..q.len() - 1 {
            let (qa, qb, va, vb) = (plain(&q[i]), plain(&q[i + 1]), plain(&v[i]), plain(&v[i + 1]));
            let at = ([&qa, &qb], [&va, &vb]);
            if S::DIFFERENTIATES {
                let (mut k, mut c): (ElementMatrix, ElementMatrix) = ([[0.0; 8]; 8], [[0.0; 8]; 8]);
                let f = self.cable.element_forces(at.0, at.1, Some([&mut k, &mut c]));
                let change = |x: [&[S; 4]; 2], n: usize| {
                    let value = x[n / 4][n % 4];
                    value - value.frozen()
                };
                let dq: [S; 8] = std::array::from_fn(|n| change([&q[i], &q[i + 1]], n));
                let dv: [S; 8] = std::array::from_fn(|n| change([&v[i], &v[i + 1]], n));
                for m in 0..8 {
                    let mut sum = S::from(f[m / 4][m % 4]);
                    for n in 0..8 {
                        sum += dq[n] * k[m][n] + dv[n] * c[m][n];
                    }
                    force[i + m / 4][m % 4] -= sum;
                }
            } else {
                let f = self.cable.element_forces(at.0, at.1, None);
                for m in 0..8 {
                    force[i + m / 4][m % 4] -= S::from(f[m / 4][m % 4]);
                }
            }
            loss += self.damping_loss([&q[i], &q[i + 1]], [&v[i], &v[i + 1]]);
        }
        loss
    }

    /// Power that an element loses inside.
    fn damping_loss<S: Scalar>(&self, q: [&[S; 4]; 2], v: [&[S; 4]; 2]) -> S {
        let cable = self.cable.cable();
        let (c, h) = (S::from(cable.damping), S::from(cable.element_length()));
        if cable.damping == 0.0 {
            return S::zero();
        }
        let force = damping_force(cable.damping_of, c, h, &[*q[0], *q[1]], &[*v[0], *v[1]]);
        (0..8).fold(S::zero(), |sum, i| sum + force[i / 4][i % 4] * v[i / 4][i % 4])
    }
}

/// The surface of a drum.
fn surface(drum: &RopeDrum, p: &[f64]) -> Surface {
    let numbers = &p[drum.first..];
    let friction = drum.law.as_ref().and_then(|law| {
        Friction::from_law(law.kind, &p[law.first..law.first + law.count], &law.choices).ok()
    });
    Surface {
        radius: numbers[2],
        stiffness: numbers[6],
        exponent: numbers[7],
        damping: numbers[8],
        sense: drum.sense(),
        friction: friction.unwrap_or_default(),
    }
}

impl Rope {
    /// Masses that hang on its ends.
    fn end_mass(&self, p: &[f64]) -> [f64; 2] {
        [0, 1].map(|e| self.ends[e].first.map_or(0.0, |first| p[first]))
    }

    /// The rope as the crate of cables knows it, its drums where their carriers are at zero.
    pub(crate) fn cable(&self, drums: &[RopeDrum], p: &[f64]) -> FlexibleCable {
        let numbers: parts::Cable<f64> = Params::from_slices(&p[self.first..], &self.choices);
        let support = |e: usize| match (&self.ends[e].tie, self.ends[e].is_clamped) {
            (None, _) => Support::Free,
            (Some(_), false) => Support::Pinned,
            (Some(_), true) => Support::Clamped,
        };
        let mass = self.end_mass(p);
        let body = |d: &usize| {
            let drum = &drums[*d];
            let Surface { radius, stiffness, exponent, damping, sense, .. } = surface(drum, p);
            let centre = [p[drum.first], p[drum.first + 1]];
            bristle_cable::CableDrum {
                stiffness,
                exponent,
                damping,
                sense,
                ..bristle_cable::CableDrum::new(centre, radius)
            }
        };
        FlexibleCable {
            length: numbers.length,
            elements: self.elements,
            ea: numbers.ea,
            ei: numbers.ei,
            density: numbers.density,
            damping: numbers.damping,
            damping_of: if numbers.damping_of == Choice(1) {
                CableDamping::Slope
            } else {
                CableDamping::Strain
            },
            strain: if numbers.strain == Choice(1) { Strain::Engineering } else { Strain::Green },
            gravity: self.gravity.map_or(0.0, |g| p[g]),
            ends: [0, 1].map(|e| bristle_cable::EndCondition {
                mass: mass[e],
                support: support(e),
                force: self.ends[e].force.each_ref().map(|signal| {
                    CableSignal::Constant(signal.as_ref().map_or(0.0, |s| s.jet(p, 0.0).value))
                }),
            }),
            drums: self.drums.iter().map(body).collect(),
            fade: 0.0,
        }
    }

    /// Places of all parameters that the kernel is made from.
    fn parameters(&self, drums: &[RopeDrum]) -> Vec<usize> {
        let mut all: Vec<usize> = (self.first..self.first + 7).collect();
        all.extend(self.gravity);
        for first in self.ends.iter().filter_map(|e| e.first) {
            all.extend(first..first + 3);
        }
        for &d in &self.drums {
            let drum = &drums[d];
            all.extend(drum.first..drum.first + 9);
            all.extend(drum.law.iter().flat_map(|law| law.first..law.first + law.count));
        }
        all
    }
}
