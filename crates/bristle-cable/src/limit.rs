//! Limit analysis: the largest load one end can bear before the cable slips over its drums.
//!
//! The criterion: equilibrium at zero speed with friction fully mobilised at every touching node, at the
//! coefficient its law can hold without creeping (`α μ` of a sigmoid). The load is unknown; in exchange the angle
//! of one node on its drum is kept. One static solution, no integration in time.

use crate::assembly::{ActiveFriction, Assembly, Weights};
use crate::error::CableError;
use crate::small;
use crate::state::CableState;
use crate::statics::{force_size, step_size};
use crate::system::CableSystem;
use bristle_solve::Cancel;

/// The question: which load, along which direction, keeping which node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitLoad {
    /// The end that is loaded: 0 or 1.
    pub end: usize,
    /// Unit direction of the load.
    pub direction: [f64; 2],
    /// The node whose angle on its drum is kept.
    pub keep: usize,
    /// Residual to reach, N.
    pub tolerance: f64,
    /// Stages in which friction is mobilised.
    pub stages: usize,
}

impl LimitLoad {
    /// The largest downward load at the last node, keeping node `keep`.
    pub fn downwards(keep: usize) -> LimitLoad {
        LimitLoad { end: 1, direction: [0.0, -1.0], keep, tolerance: 2e-6, stages: 8 }
    }
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitSolution {
    /// The load along its direction, N.
    pub load: f64,
    /// Residual left, N.
    pub residual: f64,
    /// Iterations spent.
    pub iterations: usize,
}

impl LimitLoad {
    /// Finds the load from `state`, an equilibrium without friction, and moves `state` to the limit's shape.
    pub fn solve(&self, system: &CableSystem, state: &mut CableState) -> Result<LimitSolution, CableError> {
        let cable = system.cable();
        let own = &cable.ends[self.end];
        let start: f64 = (0..2).map(|c| own.force[c].value(state.t) * self.direction[c]).sum();
        let q = state.q[self.keep];
        let drum = (0..cable.drums.len())
            .min_by(|a, b| {
                let gap = |d: usize| {
                    let body = &cable.drums[d];
                    (q[0] - body.centre[0]).hypot(q[1] - body.centre[1]) - body.radius
                };
                gap(*a).total_cmp(&gap(*b))
            })
            .ok_or(CableError::FallsOff { drum: 0 })?;
        let centre = cable.drums[drum].centre;
        let (dx, dy) = (q[0] - centre[0], q[1] - centre[1]);
        let size = dx.hypot(dy);
        // Kept: the component of the place across the line from the centre to the start place.
        let across = [dy / size, -dx / size];
        let sliding = if self.end == 1 { 1.0 } else { -1.0 };
        let mut work = LimitWork { assembly: Assembly::new(cable.nodes()), extra: 0.0 };
        let mut iterations = 0;
        let mut residual = f64::INFINITY;
        for stage in 1..=self.stages.max(1) {
            let scale = sliding * stage as f64 / self.stages.max(1) as f64;
            (residual, iterations) = self.stage(
                system,
                state,
                ActiveFriction::Mobilised { scale },
                across,
                centre,
                &mut work,
                iterations,
            )?;
        }
        Ok(LimitSolution { load: start + work.extra, residual, iterations })
    }

    #[allow(clippy::too_many_arguments)]
    fn stage(
        &self,
        system: &CableSystem,
        state: &mut CableState,
        grip: ActiveFriction,
        across: [f64; 2],
        centre: [f64; 2],
        work: &mut LimitWork,
        mut iterations: usize,
    ) -> Result<(f64, usize), CableError> {
        let h = system.cable().element_length();
        let node = if self.end == 1 { system.cable().elements } else { 0 };
        let w = Weights { mass: 0.0, speed: 0.0, place: 1.0, dt: 0.0 };
        let z0 = state.z.clone();
        let mut residual = f64::INFINITY;
        for _ in 0..200 {
            Cancel::check()?;
            let LimitWork { assembly, extra } = work;
            system.assemble(state, &z0, w, grip, assembly);
            for c in 0..2 {
                assembly.tri.rhs[node][c] -= *extra * self.direction[c];
            }
            residual = force_size(&assembly.tri.rhs, h);
            let q = state.q[self.keep];
            let gap = across[0] * (q[0] - centre[0]) + across[1] * (q[1] - centre[1]);
            if residual < self.tolerance && gap.abs() < 1e-12 {
                return Ok((residual, iterations));
            }
            assembly.tri.border(1, node.min(self.keep), node.max(self.keep));
            for c in 0..2 {
                assembly.tri.row_mut(node, c)[0] = -self.direction[c];
            }
            assembly.tri.eliminate(&[node]).map_err(|node| CableError::Singular { t: state.t, node })?;
            let at = |r: usize| assembly.tri.row(self.keep, r)[0];
            let mut schur = [-(across[0] * at(0) + across[1] * at(1))];
            let x = assembly.tri.rhs[self.keep];
            let mut change = [-gap + across[0] * x[0] + across[1] * x[1]];
            small::dense(&mut schur, &mut change)
                .map_err(|()| CableError::Singular { t: state.t, node: self.keep })?;
            assembly.tri.finish(&[-change[0]]);
            let size = step_size(&assembly.tri.rhs, h);
            let factor = if size > 0.2 * h { 0.2 * h / size } else { 1.0 };
            *extra += factor * change[0];
            for (q, x) in state.q.iter_mut().zip(&assembly.tri.rhs) {
                for c in 0..4 {
                    q[c] -= factor * x[c];
                }
            }
            iterations += 1;
        }
        Err(CableError::NoEquilibrium { residual, iterations })
    }
}

struct LimitWork {
    assembly: Assembly,
    extra: f64,
}
