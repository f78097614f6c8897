//! Static equilibrium: the shape in which a cable rests on its drums.
//!
//! Newton's method finds it from a near guess. From a poor one the cable is first let down in a viscous medium,
//!
//! ```text
//! (M/τ + K) δq = −r
//! ```
//!
//! with a pseudo-time step `τ` that grows as the residual falls, and ends as Newton's method. Loads that only
//! balance on a knife's edge (equal loads on a smooth drum) need a node kept in place.

use crate::elastic::Node;
use crate::error::CableError;
use crate::friction::STATES;
use crate::state::State;
use crate::system::{Assembly, Grip, System, Weights, hold_rows};

/// Settings of the static iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statics {
    /// Residual to reach, N. The axial stiffness sets a floor of about 10⁻⁷ N.
    pub tolerance: f64,
    /// Iterations to spend.
    pub limit: usize,
    /// Friction that takes part.
    pub grip: Grip,
    /// First pseudo-time step, s: small values are slow and robust.
    pub pace: f64,
    /// A coordinate kept in place: node and component.
    pub keep: Option<(usize, usize)>,
    /// Whether losing contact with every drum is an error.
    pub must_touch: bool,
}

impl Default for Statics {
    fn default() -> Self {
        Statics { tolerance: 2e-6, limit: 600, grip: Grip::Off, pace: 1e-6, keep: None, must_touch: true }
    }
}

/// What the static iteration found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rest {
    /// Residual left, N.
    pub residual: f64,
    /// Iterations spent.
    pub iterations: usize,
}

impl Statics {
    /// Moves `state` to equilibrium at its time.
    pub fn solve(&self, system: &System, state: &mut State) -> Result<Rest, CableError> {
        let mut assembly = Assembly::new(system.cable().nodes());
        let z0 = state.z.clone();
        state.v.fill([0.0; 4]);
        state.a.fill([0.0; 4]);
        let h = system.cable().element_length();
        let reach = (0.5 * h).min(system.cable().drums.iter().fold(h, |r, d| r.min(0.05 * d.radius)));
        let mut tau = self.pace;
        let mut residual = self.assemble(system, state, &z0, 0.0, &mut assembly);
        let mut best = residual;
        let mut backup = state.q.clone();
        for iterations in 0..self.limit {
            if residual < self.tolerance && tau > 1e3 {
                self.check_touch(system, &assembly)?;
                return Ok(Rest { residual, iterations });
            }
            backup.copy_from_slice(&state.q);
            self.assemble(system, state, &z0, 1.0 / tau, &mut assembly);
            assembly.tri.border(0, 0, 0);
            assembly.tri.eliminate(&[]).map_err(|node| CableError::Singular { t: state.t, node })?;
            assembly.tri.finish(&[]);
            let size = step_size(&assembly.tri.rhs, h);
            // No node moves further than a part of an element at once: contact could be jumped over.
            let factor = if size > reach { reach / size } else { 1.0 };
            for (q, x) in state.q.iter_mut().zip(&assembly.tri.rhs) {
                for c in 0..4 {
                    q[c] -= factor * x[c];
                }
            }
            let next = self.assemble(system, state, &z0, 0.0, &mut assembly);
            // Residuals may rise on the way, but not without bound.
            if !next.is_finite() || next > 1e3 * residual.max(best) {
                state.q.copy_from_slice(&backup);
                residual = self.assemble(system, state, &z0, 0.0, &mut assembly);
                tau *= 0.1;
                continue;
            }
            tau = (tau * if factor < 1.0 { 1.5 } else { (residual / next).clamp(1.5, 30.0) }).min(1e12);
            residual = next;
            best = best.min(next);
        }
        Err(CableError::NoEquilibrium { residual, iterations: self.limit })
    }

    /// The residual's largest entry, slopes over element length.
    fn assemble(
        &self,
        system: &System,
        state: &mut State,
        z0: &[[f64; STATES]],
        inverse_tau: f64,
        assembly: &mut Assembly,
    ) -> f64 {
        let w = Weights { mass: inverse_tau, speed: 0.0, place: 1.0, dt: 0.0 };
        system.assemble(state, z0, w, self.grip, assembly);
        if let Some((node, component)) = self.keep {
            let held = std::array::from_fn(|c| c == component);
            hold_rows(&mut assembly.tri, node, &held);
        }
        let h = system.cable().element_length();
        force_size(&assembly.tri.rhs, h)
    }

    fn check_touch(&self, system: &System, assembly: &Assembly) -> Result<(), CableError> {
        if self.must_touch && !system.cable().drums.is_empty() && assembly.touches.is_empty() {
            return Err(CableError::FallsOff { drum: 0 });
        }
        Ok(())
    }
}

pub(crate) fn force_size(r: &[Node], h: f64) -> f64 {
    r.iter().fold(0.0, |m, x| {
        let size = x[0].abs().max(x[1].abs()).max(x[2].abs().max(x[3].abs()) / h);
        // A comparison keeps a number that is none from being hidden.
        if size <= m { m } else { size }
    })
}

pub(crate) fn step_size(x: &[Node], h: f64) -> f64 {
    x.iter().fold(0.0, |m: f64, x| m.max(x[0].abs().max(x[1].abs())).max(h * x[2].abs().max(x[3].abs())))
}
