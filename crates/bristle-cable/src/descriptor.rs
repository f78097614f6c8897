//! The descriptor form of a Newton step: any number of contacts in time proportional to the nodes.
//!
//! The dense matrix `W` of the holding forces never appears. With `d = M⁻¹ Aᵀ σ` as a further unknown the
//! equations couple neighbours only:
//!
//! ```text
//! M a − Q − Aᵀ F = 0,   M d − Aᵀ (λ + F) = 0,   A (a − d) − s R (ω̇ − d_ω) = 0
//! ```
//!
//! Nine unknowns per node, in blocks; the few drums that feel the cable form a border.

use crate::assembly::{Assembly, TouchingNode, Weights};
use crate::blocks::Tridiagonal;
use crate::couple::couple;
use crate::error::CableError;
use crate::newton::apply;
use crate::small;
use crate::state::CableState;
use crate::system::CableSystem;

/// Room for steps in descriptor form.
#[derive(Clone, Debug)]
pub struct Descriptor {
    pub(crate) tri: Tridiagonal<9>,
    starts: Vec<usize>,
    border: Vec<f64>,
    work: Vec<f64>,
    /// Right-hand side of the border, then its solution: `ω̇` and `d_ω` of each drum that feels the cable.
    pub(crate) change: Vec<f64>,
    accelerations: Vec<[f64; 4]>,
}

impl Descriptor {
    /// Room for a cable.
    pub fn new(nodes: usize) -> Self {
        Descriptor {
            tri: Tridiagonal::new(nodes),
            starts: Vec::new(),
            border: Vec::new(),
            work: Vec::new(),
            change: Vec::new(),
            accelerations: vec![[0.0; 4]; nodes],
        }
    }

    /// As [`crate::newton::NewtonWorkspace::step`].
    pub fn step(
        &mut self,
        system: &CableSystem,
        state: &mut CableState,
        w: Weights,
        assembly: &Assembly,
        motors: &[usize],
    ) -> Result<f64, CableError> {
        let singular = |node: usize| CableError::Singular { t: state.t, node };
        self.residual(system, state, w, assembly, motors);
        self.eliminate(system, state, w, assembly, motors).map_err(singular)?;
        self.finish(assembly, motors).map_err(|()| singular(self.tri.zone().0))?;
        for (k, &drum) in motors.iter().enumerate() {
            state.spin[drum][2] -= self.change[2 * k];
            state.excess_spin[drum] -= self.change[2 * k + 1];
        }
        for (i, x) in self.tri.rhs.iter().enumerate() {
            self.accelerations[i] = [x[0], x[1], x[2], x[3]];
            for c in 0..4 {
                state.excess[i][c] -= x[4 + c];
            }
            state.hold[i] -= x[8];
        }
        Ok(apply(system, state, self.accelerations.iter()))
    }

    /// Fills the matrix, and the residual as right-hand side.
    pub(crate) fn residual(
        &mut self,
        system: &CableSystem,
        state: &CableState,
        w: Weights,
        assembly: &Assembly,
        motors: &[usize],
    ) {
        self.fill(system, state, assembly);
        for touch in assembly.touches.iter().filter(|t| t.uses_hold) {
            let node = touch.node;
            couple(system, state, w, touch, &mut self.tri.diag[node], Some(&mut self.tri.rhs[node]));
        }
        self.change.clear();
        self.change.resize(2 * motors.len(), 0.0);
        for (k, &drum) in motors.iter().enumerate() {
            let drive = &system.cable().drums[drum].drive;
            let Some(inertia) = drive.inertia() else { continue };
            let [theta, omega, alpha] = state.spin[drum];
            let [torque, ..] = drive.torque(state.t, theta, omega);
            self.change[2 * k] = inertia * alpha - torque;
            self.change[2 * k + 1] = inertia * state.excess_spin[drum];
            for touch in assembly.touches.iter().filter(|t| t.drum == drum) {
                self.change[2 * k] += touch.reach * touch.pull.force;
                if touch.uses_hold {
                    let sigma = state.hold[touch.node] + touch.pull.force;
                    self.change[2 * k + 1] += touch.reach * sigma;
                }
            }
        }
    }

    /// Eliminates the nodes and forms the border's own matrix; the solution inside the border's zone stands in the
    /// right-hand side then. `Err` carries the node that is singular.
    pub(crate) fn eliminate(
        &mut self,
        system: &CableSystem,
        state: &CableState,
        w: Weights,
        assembly: &Assembly,
        motors: &[usize],
    ) -> Result<(), usize> {
        let last = system.cable().elements;
        let moved = |t: &&TouchingNode| motors.contains(&t.drum);
        let first = assembly.touches.iter().find(moved).map_or(last, |t| t.node);
        let end = assembly.touches.iter().rev().find(moved).map_or(last, |t| t.node);
        self.starts.clear();
        self.starts.resize(2 * motors.len(), first);
        self.tri.border(2 * motors.len(), first, end);
        self.fill_columns(w, assembly, motors);
        self.tri.eliminate(&self.starts)?;
        self.fill_border(system, state, w, assembly, motors);
        Ok(())
    }

    /// Solves again for other right-hand sides in `tri.rhs` and `change`.
    pub(crate) fn again(&mut self, assembly: &Assembly, motors: &[usize]) -> Result<(), ()> {
        self.tri.solve();
        self.finish(assembly, motors)
    }

    /// The border's unknowns, then all others.
    fn finish(&mut self, assembly: &Assembly, motors: &[usize]) -> Result<(), ()> {
        for (k, &drum) in motors.iter().enumerate() {
            for touch in assembly.touches.iter().filter(|t| t.drum == drum) {
                let x = &self.tri.rhs[touch.node];
                let own = pulled(touch, [x[0], x[1], x[2], x[3], x[8]]);
                self.change[2 * k] -= own;
                if touch.uses_hold {
                    self.change[2 * k + 1] -= own + touch.reach * x[8];
                }
            }
        }
        let count = self.change.len();
        self.work[..count * count].copy_from_slice(&self.border[..count * count]);
        small::dense(&mut self.work[..count * count], &mut self.change)?;
        self.tri.finish(&self.change);
        Ok(())
    }

    /// The mechanical blocks, the mass blocks of `d`, and `λ = 0` where nothing touches.
    fn fill(&mut self, system: &CableSystem, state: &CableState, assembly: &Assembly) {
        let (from, to, mass) = (&assembly.tri, &mut self.tri, system.element_mass());
        let last = system.cable().elements;
        for i in 0..=last {
            to.diag[i] = [[0.0; 9]; 9];
            to.rhs[i] = [0.0; 9];
            for r in 0..4 {
                to.diag[i][r][..4].copy_from_slice(&from.diag[i][r]);
                to.rhs[i][r] = from.rhs[i][r];
                let (own, before) = (r / 2, 2 + r / 2);
                for s in 0..2 {
                    let c = 2 * s + r % 2;
                    let mut value = 0.0;
                    if i < last {
                        value += mass[own][s];
                    }
                    if i > 0 {
                        value += mass[before][2 + s];
                    }
                    if own == 0 && s == 0 && (i == 0 || i == last) {
                        value += system.cable().ends[usize::from(i == last)].mass;
                    }
                    to.diag[i][4 + r][4 + c] = value;
                    to.rhs[i][4 + r] += value * state.excess[i][c];
                }
            }
            to.diag[i][8][8] = 1.0;
            to.rhs[i][8] = state.hold[i];
        }
        for i in 0..last {
            to.upper[i] = [[0.0; 9]; 9];
            to.lower[i] = [[0.0; 9]; 9];
            for r in 0..4 {
                to.upper[i][r][..4].copy_from_slice(&from.upper[i][r]);
                to.lower[i][r][..4].copy_from_slice(&from.lower[i][r]);
                for s in 0..2 {
                    let c = 2 * s + r % 2;
                    let (up, down) = (mass[r / 2][2 + s], mass[2 + r / 2][s]);
                    to.upper[i][4 + r][4 + c] = up;
                    to.lower[i][4 + r][4 + c] = down;
                    to.rhs[i][4 + r] += up * state.excess[i + 1][c];
                    to.rhs[i + 1][4 + r] += down * state.excess[i][c];
                }
            }
        }
        for (i, held) in system.held().iter().enumerate() {
            for r in (0..4).filter(|r| held[*r]) {
                to.diag[i][4 + r] = [0.0; 9];
                to.diag[i][4 + r][4 + r] = 1.0;
                to.rhs[i][4 + r] = state.excess[i][r];
                if i > 0 {
                    to.lower[i - 1][4 + r] = [0.0; 9];
                }
                if i < last {
                    to.upper[i][4 + r] = [0.0; 9];
                }
            }
        }
    }

    /// Columns of the drums that feel the cable: `ω̇` and `d_ω`.
    fn fill_columns(&mut self, w: Weights, assembly: &Assembly, motors: &[usize]) {
        for (k, &drum) in motors.iter().enumerate() {
            for touch in assembly.touches.iter().filter(|t| t.drum == drum) {
                let value = touch.pull.by_speed * touch.reach * w.speed;
                for c in 0..2 {
                    self.tri.row_mut(touch.node, c)[2 * k] = touch.t[c] * value;
                    if touch.uses_hold {
                        self.tri.row_mut(touch.node, 4 + c)[2 * k] = touch.t[c] * value;
                    }
                }
                if touch.uses_hold {
                    self.tri.row_mut(touch.node, 8)[2 * k] = -touch.reach;
                    self.tri.row_mut(touch.node, 8)[2 * k + 1] = touch.reach;
                }
            }
        }
    }

    /// `J ω̇ − τ + Σ s R F = 0` and `J d_ω + Σ s R (λ + F) = 0` after the nodes are eliminated.
    fn fill_border(
        &mut self,
        system: &CableSystem,
        state: &CableState,
        w: Weights,
        assembly: &Assembly,
        motors: &[usize],
    ) {
        let count = 2 * motors.len();
        self.border.clear();
        self.border.resize(count * count, 0.0);
        self.work.resize(count * count, 0.0);
        for (k, &drum) in motors.iter().enumerate() {
            let drive = &system.cable().drums[drum].drive;
            let Some(inertia) = drive.inertia() else { continue };
            let [theta, omega, _] = state.spin[drum];
            let [_, by_angle, by_speed] = drive.torque(state.t, theta, omega);
            let (m, n) = (2 * k, 2 * k + 1);
            self.border[m * count + m] = inertia - w.speed * by_speed - w.place * by_angle;
            self.border[n * count + n] = inertia;
            for touch in assembly.touches.iter().filter(|t| t.drum == drum) {
                let damping = touch.reach * touch.reach * touch.pull.by_speed * w.speed;
                self.border[m * count + m] -= damping;
                if touch.uses_hold {
                    self.border[n * count + m] -= damping;
                }
                for c in 0..count {
                    let y: [f64; 5] =
                        std::array::from_fn(|r| self.tri.row(touch.node, if r == 4 { 8 } else { r })[c]);
                    self.border[m * count + c] -= pulled(touch, y);
                    if touch.uses_hold {
                        self.border[n * count + c] -= pulled(touch, y) + touch.reach * y[4];
                    }
                }
            }
        }
    }
}

/// Torque `s R δF` of a touching node whose accelerations and holding force change by `x`.
#[inline]
fn pulled(touch: &TouchingNode, x: [f64; 5]) -> f64 {
    touch.reach * ((0..4).map(|c| touch.row[c] * x[c]).sum::<f64>() + touch.pull.by_hold * x[4])
}
