//! The linear systems of the stages, on the structure of the descriptor form.
//!
//! The equations are `r(t, q, v, a, λ, …) = 0` with accelerations and holding forces as their solution. With
//! `u_v = hγ ψ` and `u_q = hγ (u_v + R_q)` a stage of the method reads
//!
//! ```text
//! (r_a + hγ r_v + (hγ)² r_q) ψ + r_λ δλ = r_a R_v − hγ r_q R_q − γ_i h r_t
//! ```
//!
//! which is the matrix of a Newton step, eliminated once per step of the method. `r_q` comes from an assembly of its
//! own, `r_t` from differences of the residual in time alone, in which the large elastic forces cancel.

use super::Marks;
use crate::assembly::{ActiveFriction, Assembly, Weights};
use crate::couple::couple;
use crate::descriptor::Descriptor;
use crate::elastic::CableNode;
use crate::error::CableError;
use crate::state::CableState;
use crate::system::CableSystem;

/// Room for the linear systems.
#[derive(Clone, Debug)]
pub(crate) struct Tangent {
    descriptor: Descriptor,
    step: Assembly,
    place: Assembly,
    pub(crate) motors: Vec<usize>,
    depends_on_time: bool,
    /// `r_t` of nodes and border.
    by_time: Vec<[f64; 9]>,
    by_time_border: Vec<f64>,
    probe: CableState,
    products: [Vec<CableNode>; 2],
    gain: f64,
}

const PLACE: Weights = Weights { mass: 0.0, speed: 0.0, place: 1.0, dt: 0.0 };

impl Tangent {
    pub(crate) fn new(system: &CableSystem, state: &CableState) -> Tangent {
        let nodes = system.cable().nodes();
        let drums = &system.cable().drums;
        let motors: Vec<usize> = (0..drums.len()).filter(|d| drums[*d].drive.inertia().is_some()).collect();
        Tangent {
            descriptor: Descriptor::new(nodes),
            step: Assembly::new(nodes),
            place: Assembly::new(nodes),
            depends_on_time: system.depends_on_time(),
            by_time: vec![[0.0; 9]; nodes],
            by_time_border: vec![0.0; 2 * motors.len()],
            probe: state.clone(),
            products: [vec![[0.0; 4]; nodes], vec![[0.0; 4]; nodes]],
            gain: 0.0,
            motors,
        }
    }

    /// Linearises at a state whose accelerations satisfy the equations, for a step of length `dt` with `gain = hγ`.
    pub(crate) fn prepare(
        &mut self,
        system: &CableSystem,
        state: &mut CableState,
        marks: &Marks,
        dt: f64,
        gain: f64,
    ) -> Result<(), CableError> {
        self.gain = gain;
        let w = Weights { mass: 1.0, speed: gain, place: gain * gain, dt: 0.0 };
        if self.depends_on_time {
            self.differentiate(system, state, marks, dt, w);
        }
        system.assemble(state, &[], PLACE, ActiveFriction::Law, &mut self.place);
        system.assemble(state, &[], w, ActiveFriction::Law, &mut self.step);
        self.descriptor.residual(system, state, w, &self.step, &self.motors);
        self.descriptor
            .eliminate(system, state, w, &self.step, &self.motors)
            .map_err(|node| CableError::Singular { t: state.t, node })
    }

    /// `r_t` from three residuals ahead in time, exact for quadratics.
    fn differentiate(
        &mut self,
        system: &CableSystem,
        state: &CableState,
        marks: &Marks,
        dt: f64,
        w: Weights,
    ) {
        let delta = 1e-3 * dt;
        self.by_time.fill([0.0; 9]);
        self.by_time_border.fill(0.0);
        for (k, weight) in [-1.5, 2.0, -0.5].into_iter().enumerate() {
            self.probe.copy_from(state);
            marks.place(system, state, &mut self.probe, delta * k as f64);
            system.assemble(&mut self.probe, &[], w, ActiveFriction::Law, &mut self.step);
            self.descriptor.residual(system, &self.probe, w, &self.step, &self.motors);
            for (to, from) in self.by_time.iter_mut().zip(&self.descriptor.tri.rhs) {
                (0..9).for_each(|c| to[c] += weight / delta * from[c]);
            }
            for (to, from) in self.by_time_border.iter_mut().zip(&self.descriptor.change) {
                *to += weight / delta * from;
            }
        }
    }

    /// `u_v/hγ` from `R_q`, `R_v` and `γ_i h`: of the nodes, and of the drums that feel the cable (`R_θ`, `R_ω`).
    pub(crate) fn solve(
        &mut self,
        system: &CableSystem,
        state: &CableState,
        mass: &crate::blocks::Tridiagonal<4>,
        right: [&[CableNode]; 2],
        spins: &mut [[f64; 2]],
        time: f64,
    ) -> Result<&[[f64; 9]], CableError> {
        let [places, speeds] = right;
        let [heavy, stiff] = &mut self.products;
        mass.multiply(speeds, heavy);
        self.place.tri.multiply(places, stiff);
        let (rhs, gain) = (&mut self.descriptor.tri.rhs, self.gain);
        for (i, held) in system.held().iter().enumerate() {
            rhs[i] = self.by_time[i].map(|x| -time * x);
            for c in 0..4 {
                rhs[i][c] = if held[c] { 0.0 } else { rhs[i][c] + heavy[i][c] - gain * stiff[i][c] };
            }
        }
        for (to, x) in self.descriptor.change.iter_mut().zip(&self.by_time_border) {
            *to = -time * x;
        }
        for touch in self.place.touches.iter() {
            let x = places[touch.node];
            let own = gain * (0..4).map(|c| touch.row[c] * x[c]).sum::<f64>();
            let motor = self.motors.iter().position(|d| *d == touch.drum);
            if let Some(m) = motor {
                self.descriptor.change[2 * m] -= touch.reach * own;
            }
            if !touch.uses_hold {
                continue;
            }
            if let Some(m) = motor {
                self.descriptor.change[2 * m + 1] -= touch.reach * own;
            }
            let mut block = [[0.0; 9]; 9];
            couple(system, state, PLACE, touch, &mut block, None);
            let v = speeds[touch.node];
            let surface = motor.map_or(0.0, |m| touch.reach * spins[m][1]);
            let rhs = &mut rhs[touch.node];
            for r in [4, 5, 8] {
                rhs[r] -= gain * (0..4).map(|c| block[r][c] * x[c]).sum::<f64>();
            }
            rhs[8] += touch.t[0] * v[0] + touch.t[1] * v[1] - surface;
        }
        for (m, &drum) in self.motors.iter().enumerate() {
            let drive = &system.cable().drums[drum].drive;
            let Some(inertia) = drive.inertia() else { continue };
            let [theta, omega, _] = state.spin[drum];
            let [_, by_angle, _] = drive.torque(state.t, theta, omega);
            self.descriptor.change[2 * m] += inertia * spins[m][1] + gain * by_angle * spins[m][0];
        }
        let singular = CableError::Singular { t: state.t, node: 0 };
        self.descriptor.again(&self.step, &self.motors).map_err(|()| singular)?;
        for (spin, x) in spins.iter_mut().zip(self.descriptor.change.chunks(2)) {
            spin[1] = x[0];
        }
        Ok(&self.descriptor.tri.rhs)
    }
}
