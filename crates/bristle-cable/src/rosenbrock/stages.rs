//! States between the steps: of the stages, of the end, and half way.

use super::RosenbrockRun;
use crate::elastic::CableNode;
use crate::newton::larger;

/// `u` of one stage: places, speeds, and angle and speed of each drum that feels the cable.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    pub(super) q: Vec<CableNode>,
    pub(super) v: Vec<CableNode>,
    pub(super) spin: Vec<[f64; 2]>,
}

impl RosenbrockRun<'_> {
    /// `x + Σ a_ij u_j` at `t + α_i h`.
    pub(super) fn place_stage(&mut self, i: usize, dt: f64) {
        let weights = self.table.a[i];
        for node in 0..self.state.q.len() {
            for c in 0..4 {
                let (mut q, mut v) = (self.state.q[node][c], self.state.v[node][c]);
                for (weight, u) in weights.iter().zip(&self.stages) {
                    q += weight * u.q[node][c];
                    v += weight * u.v[node][c];
                }
                self.trial.q[node][c] = q;
                self.trial.v[node][c] = v;
            }
        }
        for (m, &drum) in self.tangent.motors.iter().enumerate() {
            for c in 0..2 {
                let sum: f64 = weights.iter().zip(&self.stages).map(|(w, u)| w * u.spin[m][c]).sum();
                self.trial.spin[drum][c] = self.state.spin[drum][c] + sum;
            }
        }
        self.marks.place(self.system, &self.state, &mut self.trial, self.table.alpha[i] * dt);
    }

    /// `R_q = v_i + Σ c_ij/h u_q` and `R_v = a_i + Σ c_ij/h u_v`; nothing for coordinates that are held.
    pub(super) fn fill_right(&mut self, i: usize, dt: f64) {
        let weights = self.table.c[i];
        for (node, held) in self.system.held().iter().enumerate() {
            for c in 0..4 {
                let (mut q, mut v) = (self.trial.v[node][c], self.trial.a[node][c]);
                for (weight, u) in weights.iter().zip(&self.stages) {
                    q += weight / dt * u.q[node][c];
                    v += weight / dt * u.v[node][c];
                }
                self.right.q[node][c] = if held[c] { 0.0 } else { q };
                self.right.v[node][c] = if held[c] { 0.0 } else { v };
            }
        }
        for (m, &drum) in self.tangent.motors.iter().enumerate() {
            for c in 0..2 {
                let sum: f64 = weights.iter().zip(&self.stages).map(|(w, u)| w / dt * u.spin[m][c]).sum();
                self.right.spin[m][c] = self.trial.spin[drum][1 + c] + sum;
            }
        }
    }

    /// Adds the last stage, which is the error as well.
    pub(super) fn finish_step(&mut self, dt: f64) -> f64 {
        let Some(last) = self.stages.last() else { return f64::NAN };
        let length = self.system.cable().element_length();
        let mut error = 0.0;
        for node in 0..last.q.len() {
            for c in 0..4 {
                let (q, v) = (last.q[node][c], last.v[node][c]);
                self.trial.q[node][c] += q;
                self.trial.v[node][c] += v;
                let scale = if c < 2 { 1.0 } else { length };
                error = larger(error, scale * q.abs());
                error = larger(error, scale * dt * v.abs());
            }
        }
        for (u, &drum) in last.spin.iter().zip(&self.tangent.motors) {
            let radius = self.system.cable().drums[drum].radius;
            for c in 0..2 {
                self.trial.spin[drum][c] += u[c];
            }
            error = larger(error, radius * u[0].abs());
            error = larger(error, radius * dt * u[1].abs());
        }
        self.marks.place(self.system, &self.state, &mut self.trial, dt);
        error
    }

    /// The dense output half way.
    pub(super) fn place_middle(&mut self, dt: f64) {
        self.middle.copy_from(&self.trial);
        let weight = |j: usize| {
            let rows = self.table.dense.iter().enumerate();
            0.25 * rows.map(|(r, row)| row[j] * 0.5f64.powi(r as i32)).sum::<f64>()
        };
        for node in 0..self.state.q.len() {
            for c in 0..4 {
                self.middle.q[node][c] = 0.5 * (self.state.q[node][c] + self.trial.q[node][c]);
                self.middle.v[node][c] = 0.5 * (self.state.v[node][c] + self.trial.v[node][c]);
            }
        }
        for &drum in &self.tangent.motors {
            for c in 0..2 {
                self.middle.spin[drum][c] = 0.5 * (self.state.spin[drum][c] + self.trial.spin[drum][c]);
            }
        }
        for (j, u) in self.stages.iter().enumerate() {
            let weight = weight(j);
            for node in 0..u.q.len() {
                for c in 0..4 {
                    self.middle.q[node][c] += weight * u.q[node][c];
                    self.middle.v[node][c] += weight * u.v[node][c];
                }
            }
            for (x, &drum) in u.spin.iter().zip(&self.tangent.motors) {
                (0..2).for_each(|c| self.middle.spin[drum][c] += weight * x[c]);
            }
        }
        self.marks.place(self.system, &self.state, &mut self.middle, 0.5 * dt);
    }
}
