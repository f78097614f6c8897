//! A Newton step as a block tridiagonal system bordered by holding forces and driven drums.
//!
//! The accelerations are eliminated node by node; what remains for `λ` and `ω̇` is a small dense system. Its entries
//! need the solution of the border columns at the touching nodes only.

use crate::assembly::{Assembly, TouchingNode, Weights};
use crate::error::CableError;
use crate::newton::{NewtonWorkspace, apply};
use crate::small;
use crate::state::CableState;
use crate::system::CableSystem;

impl NewtonWorkspace {
    /// As [`NewtonWorkspace::step`], in bordered form.
    pub(crate) fn bordered_step(
        &mut self,
        system: &CableSystem,
        state: &mut CableState,
        w: Weights,
        assembly: &mut Assembly,
    ) -> Result<f64, CableError> {
        let t = state.t;
        self.collect(system, assembly);
        self.fill_columns(system, w, assembly);
        assembly.tri.eliminate(&self.starts).map_err(|node| CableError::Singular { t, node })?;
        let count = self.starts.len();
        if count > 0 {
            self.holding_residual(system, state, assembly);
            self.fill_schur(system, state, w, assembly);
            small::dense(&mut self.schur[..count * count], &mut self.change[..count])
                .map_err(|()| CableError::Singular { t, node: assembly.tri.zone().0 })?;
        }
        // δa = −J⁻¹ r − X δ: the right-hand side was the residual itself.
        for x in &mut self.change[..count] {
            *x = -*x;
        }
        assembly.tri.finish(&self.change[..count]);
        for x in &mut self.change[..count] {
            *x = -*x;
        }
        for (k, &drum) in self.motors.iter().enumerate() {
            state.spin[drum][2] += self.change[k];
        }
        for (k, &i) in self.bordered.iter().enumerate() {
            state.hold[assembly.touches[i].node] += self.change[self.motors.len() + k];
        }
        Ok(apply(system, state, assembly.tri.rhs.iter()))
    }

    /// Lists the border: drums that feel the cable, then the nodes whose law reads the holding force.
    fn collect(&mut self, system: &CableSystem, assembly: &mut Assembly) {
        self.bordered.clear();
        self.bordered.extend((0..assembly.touches.len()).filter(|i| assembly.touches[*i].uses_hold));
        let last = system.cable().elements;
        let counts = |i: &usize| {
            let touch = &assembly.touches[*i];
            touch.uses_hold || self.motors.contains(&touch.drum)
        };
        let first = (0..assembly.touches.len()).find(counts).map_or(last, |i| assembly.touches[i].node);
        let end = (0..assembly.touches.len()).rev().find(counts).map_or(last, |i| assembly.touches[i].node);
        self.starts.clear();
        self.starts.extend(self.motors.iter().map(|_| first));
        self.starts.extend(self.bordered.iter().map(|i| assembly.touches[*i].node));
        let count = self.starts.len();
        assembly.tri.border(count, first, end);
        if self.schur.len() < count * count {
            self.schur.resize(count * count, 0.0);
        }
        if self.change.len() < count {
            self.change.resize(count, 0.0);
            self.scratch.resize(count.div_ceil(4) * 4, 0.0);
        }
        let held = self.bordered.len();
        if self.sigma.len() < held {
            self.sigma.resize(held, 0.0);
            self.excess.resize(held, [0.0; 2]);
            self.residual.resize(held, 0.0);
        }
        while self.flow.len() < held {
            self.flow.push([Vec::new(), Vec::new()]);
        }
        for flow in self.flow.iter_mut().take(held) {
            for part in flow {
                if part.len() < count {
                    part.resize(count + 8, 0.0);
                }
            }
        }
    }

    /// `∂r₁/∂ω̇` and `∂r₁/∂λ`.
    fn fill_columns(&mut self, system: &CableSystem, w: Weights, assembly: &mut Assembly) {
        let Assembly { tri, touches, .. } = assembly;
        for (k, &drum) in self.motors.iter().enumerate() {
            for touch in touches.iter().filter(|t| t.drum == drum) {
                let value = touch.pull.by_speed * touch.reach * w.speed;
                for c in 0..2 {
                    tri.row_mut(touch.node, c)[k] = touch.t[c] * value;
                }
            }
        }
        for (k, &i) in self.bordered.iter().enumerate() {
            let touch = &touches[i];
            for c in 0..2 {
                if !system.held()[touch.node][c] {
                    tri.row_mut(touch.node, c)[self.motors.len() + k] = -touch.t[c] * touch.pull.by_hold;
                }
            }
        }
    }

    /// `σ`, `d = M⁻¹ Aᵀ σ` and `r₂`.
    fn holding_residual(&mut self, system: &CableSystem, state: &CableState, assembly: &Assembly) {
        let touches = &assembly.touches;
        for (k, &i) in self.bordered.iter().enumerate() {
            self.sigma[k] = state.hold[touches[i].node] + touches[i].pull.force;
        }
        for (k, &i) in self.bordered.iter().enumerate() {
            let own = &touches[i];
            let mut d = [0.0; 2];
            let mut spin = 0.0;
            for (l, &j) in self.bordered.iter().enumerate() {
                let other = &touches[j];
                let g = system.delassus().at(own.node, other.node);
                d[0] += g[0] * other.t[0] * self.sigma[l];
                d[1] += g[1] * other.t[1] * self.sigma[l];
                if other.drum == own.drum {
                    spin += other.reach * self.sigma[l];
                }
            }
            let cable = system.cable();
            let yielding = cable.drums[own.drum].drive.inertia().map_or(0.0, |j| own.reach * spin / j);
            let fade = cable.fade / own.normal.force * self.sigma[k];
            let a = state.a[own.node];
            self.excess[k] = d;
            self.residual[k] = own.t[0] * (d[0] - a[0])
                + own.t[1] * (d[1] - a[1])
                + yielding
                + fade
                + own.reach * state.spin[own.drum][2];
        }
    }

    /// The border's own matrix after the accelerations are eliminated, and its right-hand side.
    fn fill_schur(&mut self, system: &CableSystem, state: &CableState, w: Weights, assembly: &Assembly) {
        let cable = system.cable();
        let (touches, tri) = (&assembly.touches, &assembly.tri);
        let (motors, count) = (self.motors.len(), self.starts.len());
        self.schur[..count * count].fill(0.0);
        // Effect of each border unknown (through a) on σ and on the direction of Aᵀσ, as a force at each node.
        for (l, &j) in self.bordered.iter().enumerate() {
            let touch = &touches[j];
            let (t, turn) = (touch.t, touch.shrink * w.place * self.sigma[l]);
            let [fx, fy] = &mut self.flow[l];
            let rows: [&[f64]; 4] = std::array::from_fn(|r| tri.row(touch.node, r));
            for k in 0..count {
                let x = [rows[0][k], rows[1][k], rows[2][k], rows[3][k]];
                let sigma = -dot(&touch.row, &x);
                let along = t[0] * x[2] + t[1] * x[3];
                fx[k] = t[0] * sigma - turn * (x[2] - t[0] * along);
                fy[k] = t[1] * sigma - turn * (x[3] - t[1] * along);
            }
            let mut direct = |k: usize, value: f64| {
                fx[k] += t[0] * value;
                fy[k] += t[1] * value;
            };
            direct(motors + l, 1.0 + touch.pull.by_hold);
            if let Some(k) = self.motors.iter().position(|d| *d == touch.drum) {
                direct(k, -touch.pull.by_speed * touch.reach * w.speed);
            }
        }
        for (k, &i) in self.bordered.iter().enumerate() {
            let own = &touches[i];
            let mut rhs = -self.residual[k];
            let row = &mut self.schur[(motors + k) * count..(motors + k + 1) * count];
            for (l, &j) in self.bordered.iter().enumerate() {
                let other = &touches[j];
                let g = system.delassus().at(own.node, other.node);
                let (gx, gy) = (own.t[0] * g[0], own.t[1] * g[1]);
                if gx == 0.0 && gy == 0.0 {
                    continue;
                }
                let [fx, fy] = &self.flow[l];
                for ((s, x), y) in row.iter_mut().zip(&fx[..count]).zip(&fy[..count]) {
                    *s += gx * x + gy * y;
                }
                // The right-hand side holds J⁻¹ r: a changes by its negative.
                let x = &tri.rhs[other.node];
                let sigma = -dot(&other.row, x);
                let turn = other.shrink * w.place * self.sigma[l];
                let along = other.t[0] * x[2] + other.t[1] * x[3];
                rhs -= gx * (other.t[0] * sigma - turn * (x[2] - other.t[0] * along))
                    + gy * (other.t[1] * sigma - turn * (x[3] - other.t[1] * along));
            }
            let mine = own_row(cable.fade, own, self.sigma[k], &self.excess[k], &state.a[own.node], w);
            for r in 0..4 {
                for (s, x) in row.iter_mut().zip(tri.row(own.node, r)) {
                    *s -= mine[r] * x;
                }
            }
            rhs += dot(&mine, &tri.rhs[own.node]);
            // Fading: γ/N δσ of the own node only.
            if cable.fade > 0.0 {
                let factor = cable.fade / own.normal.force;
                let [fx, fy] = &self.flow[k];
                for (c, s) in row.iter_mut().enumerate() {
                    *s += factor * (own.t[0] * fx[c] + own.t[1] * fy[c]);
                }
                rhs += factor * dot(&own.row, &tri.rhs[own.node]);
            }
            self.change[motors + k] = rhs;
        }
        self.fill_motors(system, state, w, assembly);
    }

    /// Rows of the drums that feel the cable, and their share in the holding equations.
    fn fill_motors(&mut self, system: &CableSystem, state: &CableState, w: Weights, assembly: &Assembly) {
        let (touches, tri) = (&assembly.touches, &assembly.tri);
        let (motors, count) = (self.motors.len(), self.starts.len());
        for (m, &drum) in self.motors.iter().enumerate() {
            let drive = &system.cable().drums[drum].drive;
            let Some(inertia) = drive.inertia() else { continue };
            let [theta, omega, alpha] = state.spin[drum];
            let [torque, by_angle, by_speed] = drive.torque(state.t, theta, omega);
            // Σ s R δF over the whole contact, and Σ s R δσ over the nodes that hold.
            let force = &mut self.scratch;
            force[..count].fill(0.0);
            let mut sum = inertia * alpha - torque;
            let mut rhs = 0.0;
            for touch in touches.iter().filter(|t| t.drum == drum) {
                sum += touch.reach * touch.pull.force;
                for k in 0..count {
                    let x: [f64; 4] = std::array::from_fn(|r| tri.row(touch.node, r)[k]);
                    force[k] -= touch.reach * dot(&touch.row, &x);
                }
                force[m] -= touch.reach * touch.reach * touch.pull.by_speed * w.speed;
                rhs += touch.reach * dot(&touch.row, &tri.rhs[touch.node]);
            }
            for (l, &j) in self.bordered.iter().enumerate() {
                if touches[j].drum == drum {
                    force[motors + l] += touches[j].reach * touches[j].pull.by_hold;
                }
            }
            self.schur[m * count..(m + 1) * count].copy_from_slice(&force[..count]);
            self.schur[m * count + m] += inertia - w.speed * by_speed - w.place * by_angle;
            self.change[m] = rhs - sum;
            // The drum yields to σ as it does to F, and its acceleration is part of the surface's.
            for (k, &i) in self.bordered.iter().enumerate() {
                let own = &touches[i];
                if own.drum != drum {
                    continue;
                }
                let row = (motors + k) * count;
                for c in 0..count {
                    self.schur[row + c] += own.reach / inertia * force[c];
                }
                for (l, &j) in self.bordered.iter().enumerate() {
                    if touches[j].drum == drum {
                        self.schur[row + motors + l] += own.reach / inertia * touches[j].reach;
                    }
                }
                self.schur[row + m] += own.reach;
                self.change[motors + k] += own.reach / inertia * rhs;
            }
        }
    }
}

/// `∂r₂/∂a` of a node's own accelerations, apart from what goes through `σ`.
fn own_row(
    fade: f64,
    own: &TouchingNode,
    sigma: f64,
    excess: &[f64; 2],
    a: &[f64; 4],
    w: Weights,
) -> [f64; 4] {
    let gap = [a[0] - excess[0], a[1] - excess[1]];
    let along = own.t[0] * gap[0] + own.t[1] * gap[1];
    let turn = own.shrink * w.place;
    let light = fade * sigma / (own.normal.force * own.normal.force);
    std::array::from_fn(|c| {
        if c < 2 {
            let load = w.place * own.normal.by_place[c] + w.speed * own.normal.by_speed[c];
            -own.t[c] - light * load
        } else {
            -turn * (gap[c - 2] - own.t[c - 2] * along)
        }
    })
}

#[inline]
fn dot(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}
