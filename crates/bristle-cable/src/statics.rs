//! Static equilibrium: the shape in which a cable rests on its drums.
//!
//! From a near guess Newton's method would find it. From a poor one the cable is let down in a viscous medium, with
//! implicit steps `τ` of a pseudo-time,
//!
//! ```text
//! M (q − q_k)/τ + r(q) = 0
//! ```
//!
//! each solved by Newton's method. The step grows while that converges and shrinks where it does not, until the
//! medium is gone. Loads that only balance on a knife's edge (equal loads on a smooth drum) may need a node kept.

use crate::assembly::{ActiveFriction, Assembly, Weights, hold_rows};
use crate::elastic::CableNode;
use crate::error::CableError;
use crate::friction::STATES;
use crate::newton::larger;
use crate::state::CableState;
use crate::system::CableSystem;
use bristle_solve::Cancel;

/// Settings of the static iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statics {
    /// Residual to reach, N. The axial stiffness sets a floor of about 10⁻⁷ N.
    pub tolerance: f64,
    /// Iterations to spend.
    pub limit: usize,
    /// Friction that takes part.
    pub grip: ActiveFriction,
    /// First pseudo-time step, s: small values are slow and robust.
    pub pace: f64,
    /// A coordinate kept in place: node and component.
    pub keep: Option<(usize, usize)>,
    /// Whether it is an error to lose a drum the start shape lay on (any drum, if it lay on none).
    pub must_touch: bool,
}

impl Default for Statics {
    fn default() -> Self {
        Statics {
            tolerance: 2e-6,
            limit: 5000,
            grip: ActiveFriction::Off,
            pace: 1e-3,
            keep: None,
            must_touch: true,
        }
    }
}

/// Newton iterations in one step of pseudo-time.
const INNER: usize = 12;

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
    pub fn solve(&self, system: &CableSystem, state: &mut CableState) -> Result<Rest, CableError> {
        let mut assembly = Assembly::new(system.cable().nodes());
        let z0 = state.z.clone();
        let laid = laid_on(system, &state.q);
        state.v.fill([0.0; 4]);
        state.a.fill([0.0; 4]);
        let mut tau = self.pace;
        let mut iterations = 0;
        let mut residual = f64::INFINITY;
        let mut start = state.q.clone();
        while iterations < self.limit {
            Cancel::check()?;
            start.copy_from_slice(&state.q);
            let spent = self.let_down(system, state, &z0, &start, tau, &mut assembly)?;
            iterations += spent.unwrap_or(INNER);
            match spent {
                None => {
                    state.q.copy_from_slice(&start);
                    tau *= 0.1;
                    if tau < 1e-14 {
                        break;
                    }
                    continue;
                }
                Some(spent) => tau *= if spent <= 3 { 30.0 } else { 4.0 },
            }
            state.a.fill([0.0; 4]);
            residual = self.assemble(system, state, &z0, 0.0, &mut assembly);
            if residual < self.tolerance {
                self.check_touch(&laid, &assembly)?;
                return Ok(Rest { residual, iterations });
            }
            tau = tau.min(1e12);
        }
        Err(CableError::NoEquilibrium { residual, iterations })
    }

    /// One step of pseudo-time; gives the iterations it took, or nothing if it failed.
    fn let_down(
        &self,
        system: &CableSystem,
        state: &mut CableState,
        z0: &[[f64; STATES]],
        start: &[CableNode],
        tau: f64,
        assembly: &mut Assembly,
    ) -> Result<Option<usize>, CableError> {
        let h = system.cable().element_length();
        // No node moves further than a part of an element at once: a drum could be jumped over.
        let reach = system.cable().drums.iter().fold(0.5 * h, |r, d| r.min(0.05 * d.radius));
        for iteration in 1..=INNER {
            for i in 0..start.len() {
                state.a[i] = std::array::from_fn(|c| (state.q[i][c] - start[i][c]) / tau);
            }
            let residual = self.assemble(system, state, z0, 1.0 / tau, assembly);
            if !residual.is_finite() {
                return Ok(None);
            }
            assembly.tri.border(0, 0, 0);
            if assembly.tri.eliminate(&[]).is_err() {
                return Ok(None);
            }
            assembly.tri.finish(&[]);
            let size = step_size(&assembly.tri.rhs, h);
            if size.is_nan() || size > 4.0 * reach {
                return Ok(None);
            }
            let factor = if size > reach { reach / size } else { 1.0 };
            for (q, x) in state.q.iter_mut().zip(&assembly.tri.rhs) {
                for c in 0..4 {
                    q[c] -= factor * x[c];
                }
            }
            if size < 1e-7 * h || (iteration > 1 && residual < 0.1 * self.tolerance) {
                return Ok(Some(iteration));
            }
        }
        Ok(None)
    }

    /// The residual's largest entry, slopes over element length.
    fn assemble(
        &self,
        system: &CableSystem,
        state: &mut CableState,
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

    fn check_touch(&self, laid: &[usize], assembly: &Assembly) -> Result<(), CableError> {
        let lost = laid.iter().find(|drum| !assembly.touches.iter().any(|t| t.drum == **drum));
        match lost {
            Some(drum) if self.must_touch => Err(CableError::FallsOff { drum: *drum }),
            _ => Ok(()),
        }
    }
}

/// The drums a shape lies on, within two per cent of their radius; all drums, if it lies on none.
fn laid_on(system: &CableSystem, q: &[CableNode]) -> Vec<usize> {
    let drums = &system.cable().drums;
    let near = |d: &usize| {
        let drum = &drums[*d];
        q.iter().any(|r| (r[0] - drum.centre[0]).hypot(r[1] - drum.centre[1]) < 1.02 * drum.radius)
    };
    let found: Vec<usize> = (0..drums.len()).filter(near).collect();
    if found.is_empty() { (0..drums.len()).collect() } else { found }
}

/// The largest entry of a force, slopes over element length.
pub(crate) fn force_size(r: &[CableNode], h: f64) -> f64 {
    r.iter().fold(0.0, |m, x| {
        let m = larger(larger(m, x[0].abs()), x[1].abs());
        larger(larger(m, x[2].abs() / h), x[3].abs() / h)
    })
}

/// The largest entry of a step, slopes times element length.
pub(crate) fn step_size(x: &[CableNode], h: f64) -> f64 {
    x.iter().fold(0.0, |m, x| {
        let m = larger(larger(m, x[0].abs()), x[1].abs());
        larger(larger(m, x[2].abs() * h), x[3].abs() * h)
    })
}
