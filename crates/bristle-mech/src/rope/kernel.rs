//! What follows from a rope's parameters: its elements, its mass, its surfaces.

use super::mass::RopeMass;
use super::touch::Surface;
use super::{Rope, RopeDrum};
use crate::parts::{self, PartKind};
use bristle_cable::{
    CableError, CableSignal, CableSystem, ContactPoint, EndCondition, FlexibleCable, Friction, Support,
};
use bristle_core::{Params, Scalar};
use std::sync::{Arc, PoisonError, RwLock};

/// What follows from a rope's parameters.
#[derive(Clone, Debug)]
pub(crate) struct RopeKernel {
    pub(crate) cable: CableSystem,
    pub(crate) mass: RopeMass,
    pub(crate) surfaces: Vec<Surface>,
    pub(crate) points: Vec<ContactPoint>,
    pub(crate) end_mass: [f64; 2],
    pub(crate) gravity: f64,
    /// The rate at which what a node holds ebbs away where nothing touches.
    pub(crate) ebb: f64,
    /// Places and values of the parameters it was made from.
    made_from: Vec<(usize, f64)>,
}

/// Kernels made lately: whoever runs with parameters of their own asks for the same one at every evaluation.
#[derive(Debug, Default)]
pub(crate) struct KernelShelf(RwLock<Vec<Arc<RopeKernel>>>);

/// So many runs at a time find their kernels again; the first belongs to the parameters that the rope was assembled
/// with.
const SHELVED: usize = 16;

impl Clone for KernelShelf {
    fn clone(&self) -> Self {
        let kernels = self.0.read().unwrap_or_else(PoisonError::into_inner);
        KernelShelf(RwLock::new(kernels.clone()))
    }
}

impl KernelShelf {
    /// One made from these parameters, if it is still there.
    fn find<S: Scalar>(&self, p: &[S]) -> Option<Arc<RopeKernel>> {
        let kernels = self.0.read().unwrap_or_else(PoisonError::into_inner);
        kernels.iter().find(|kernel| kernel.fits(p)).cloned()
    }

    /// Keeps one more.
    fn keep(&self, kernel: RopeKernel) -> Arc<RopeKernel> {
        let kernel = Arc::new(kernel);
        let mut kernels = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if kernels.len() >= SHELVED {
            kernels.remove(1);
        }
        kernels.push(kernel.clone());
        kernel
    }
}

impl RopeKernel {
    /// From all parameters of the mechanism.
    fn new(rope: &Rope, drums: &[RopeDrum], p: &[f64]) -> RopeKernel {
        let cable = CableSystem::unchecked(rope.cable(drums, p));
        let surfaces: Vec<_> = rope.drums.iter().map(|&d| surface(&drums[d], p)).collect();
        let end_mass = rope.end_mass(p);
        let held = [0, 1].map(|e| [rope.ends[e].tie.is_some(), rope.ends[e].is_clamped]);
        RopeKernel {
            mass: RopeMass::new(cable.element_mass(), rope.elements, end_mass, held),
            ebb: surfaces.iter().map(Surface::ebb).fold(0.0, f64::max),
            surfaces,
            points: ContactPoint::all(rope.elements, rope.points, cable.cable().element_length()),
            end_mass,
            gravity: cable.cable().gravity,
            made_from: rope.parameters(drums).into_iter().map(|i| (i, p[i])).collect(),
            cable,
        }
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
        let plain = |x: &[S; 4]| [x[0].value(), x[1].value(), x[2].value(), x[3].value()];
        let mut loss = S::zero();
        let (mut qa, mut va) = (plain(&q[0]), plain(&v[0]));
        for i in 0..q.len() - 1 {
            let (qb, vb) = (plain(&q[i + 1]), plain(&v[i + 1]));
            let (places, speeds) = ([&qa, &qb], [&va, &vb]);
            let now = self.cable.element_forces(places, speeds);
            for m in 0..8 {
                force[i + m / 4][m % 4] -= S::from(now.force[m / 4][m % 4]);
            }
            loss += S::from(now.loss);
            if S::DIFFERENTIATES {
                let slopes = self.cable.element_slopes(places, speeds);
                let change = |x: &[[S; 4]], n: usize| x[i + n / 4][n % 4] - x[i + n / 4][n % 4].frozen();
                let dq: [S; 8] = std::array::from_fn(|n| change(q, n));
                let dv: [S; 8] = std::array::from_fn(|n| change(v, n));
                for n in 0..8 {
                    for m in 0..8 {
                        force[i + m / 4][m % 4] -=
                            dq[n] * slopes.by_place[m][n] + dv[n] * slopes.by_speed[m][n];
                    }
                    loss += dq[n] * slopes.loss_by_place[n / 4][n % 4]
                        + dv[n] * slopes.loss_by_speed[n / 4][n % 4];
                }
            }
            (qa, va) = (qb, vb);
        }
        loss
    }
}

/// The surface of a drum.
fn surface(drum: &RopeDrum, p: &[f64]) -> Surface {
    let numbers = drum.numbers(p);
    Surface {
        radius: numbers.radius,
        stiffness: numbers.stiffness,
        exponent: numbers.exponent,
        damping: numbers.damping,
        sense: numbers.body().sense,
        // Of parameters that make no law, `System::fault` says what is wrong; they give no force either.
        friction: drum.friction(p).unwrap_or_else(|_| Friction::quinn(f64::NAN, f64::NAN)),
    }
}

impl RopeDrum {
    /// The friction between it and a rope.
    pub(super) fn friction(&self, p: &[f64]) -> Result<Friction, CableError> {
        let Some(law) = &self.law else { return Ok(Friction::None) };
        Friction::from_law(law.kind, &p[law.first..law.first + law.count], &law.choices)
    }
}

impl Rope {
    /// What follows from these parameters, whether they make sense or not: see [`check`](Self::check).
    pub(crate) fn kernel<S: Scalar>(&self, drums: &[RopeDrum], p: &[S]) -> Arc<RopeKernel> {
        if let Some(kernel) = self.kernels.find(p) {
            return kernel;
        }
        let plain: Vec<f64> = p.iter().map(|p| p.value()).collect();
        self.kernels.keep(RopeKernel::new(self, drums, &plain))
    }

    /// Whether these parameters make a rope.
    pub(crate) fn check(&self, drums: &[RopeDrum], p: &[f64]) -> Result<(), CableError> {
        self.cable(drums, p).check()?;
        self.drums.iter().try_for_each(|&d| drums[d].friction(p).map(drop))
    }

    /// Masses that hang on its ends.
    pub(super) fn end_mass(&self, p: &[f64]) -> [f64; 2] {
        [0, 1].map(|e| {
            let place = self.ends[e].load.map(|load| load.mass).or(self.ends[e].first);
            place.map_or(0.0, |place| p[place])
        })
    }

    /// The rope as the crate of cables knows it, its drums where their carriers are at zero.
    pub(crate) fn cable(&self, drums: &[RopeDrum], p: &[f64]) -> FlexibleCable {
        let numbers: parts::Cable<f64> = Params::from_slices(&p[self.first..], &self.choices);
        let support = |e: usize| match (self.ends[e].is_placed(), self.ends[e].is_clamped) {
            (false, _) => Support::Free,
            (true, false) => Support::Pinned,
            (true, true) => Support::Clamped,
        };
        let mass = self.end_mass(p);
        let ends = [0, 1].map(|e| EndCondition {
            mass: mass[e],
            support: support(e),
            force: self.ends[e]
                .force
                .each_ref()
                .map(|signal| CableSignal::Constant(signal.as_ref().map_or(0.0, |s| s.jet(p, 0.0).value))),
        });
        let bodies = self.drums.iter().map(|&d| drums[d].numbers(p).body()).collect();
        let cable = numbers.flexible(self.gravity.map_or(0.0, |g| p[g]), ends, bodies);
        // How it is divided is no parameter of a run.
        FlexibleCable { elements: self.elements, contact_points: self.points, ..cable }
    }

    /// Places of all parameters that the kernel is made from.
    fn parameters(&self, drums: &[RopeDrum]) -> Vec<usize> {
        let numbers = |kind: PartKind, first: usize| first..first + kind.card().numbers().count();
        let mut all: Vec<usize> = numbers(PartKind::Cable, self.first).collect();
        all.extend(self.gravity);
        for first in self.ends.iter().filter_map(|e| e.first) {
            all.extend(numbers(PartKind::CableEnd, first));
        }
        all.extend(self.ends.iter().filter_map(|e| e.load.map(|load| load.mass)));
        for &d in &self.drums {
            let drum = &drums[d];
            all.extend(numbers(PartKind::Drum, drum.first));
            all.extend(drum.law.iter().flat_map(|law| law.first..law.first + law.count));
        }
        all
    }
}
