//! Accelerations at a state: `M a = Q + Aᵀ F`, the holding forces from `W λ = A M⁻¹ Q − b`.
//!
//! Nothing is iterated where `λ` does not depend on friction (no fading): two solutions with the constant mass matrix
//! and one with `W`. The latter is well conditioned, and conjugate gradients on its band take some twenty products
//! whatever the number of contacts.

use crate::assembly::{ActiveFriction, Assembly, TouchingNode, Weights};
use crate::blocks::Tridiagonal;
use crate::elastic::CableNode;
use crate::state::CableState;
use crate::system::CableSystem;

/// Room for evaluations.
#[derive(Clone, Debug)]
pub(crate) struct Rates {
    /// The mass matrix, and itself eliminated.
    pub(crate) mass: Tridiagonal<4>,
    inverse: Tridiagonal<4>,
    assembly: Assembly,
    /// The contacts whose law reads the holding force.
    held: Vec<usize>,
    /// Rows of `W`: first neighbour and entries.
    rows: Vec<(usize, Vec<f64>)>,
    /// Conjugate gradients: right-hand side, solution, residual, direction, product.
    vectors: [Vec<f64>; 5],
}

/// Neighbours farther apart than this do not feel each other's holding force (see `delassus`).
const REACH: usize = 40;

impl Rates {
    pub(crate) fn new(system: &CableSystem) -> Rates {
        let nodes = system.cable().nodes();
        let mass = mass_matrix(system);
        let mut inverse = mass.clone();
        for (i, held) in system.held().iter().enumerate() {
            if held.iter().any(|h| *h) {
                crate::assembly::hold_rows(&mut inverse, i, held);
            }
        }
        inverse.border(0, nodes - 1, nodes - 1);
        // A mass matrix is positive definite.
        let _ = inverse.eliminate(&[]);
        Rates {
            mass,
            inverse,
            assembly: Assembly::new(nodes),
            held: Vec::new(),
            rows: Vec::new(),
            vectors: Default::default(),
        }
    }

    /// The contacts at the state last evaluated.
    pub(crate) fn touches(&self) -> &[TouchingNode] {
        &self.assembly.touches
    }

    /// The largest slip speed against each law's own, to decide whether a dead band holds; tells whether any changed.
    pub(crate) fn settle_bands(&self, system: &CableSystem, state: &mut CableState) -> bool {
        let mut changed = false;
        for touch in &self.assembly.touches {
            let friction = &system.cable().drums[touch.drum].friction;
            let (was, hold) = (state.stuck[touch.node], state.hold[touch.node]);
            let stuck = friction.holds(was, touch.slip, touch.normal.force, hold);
            changed |= std::mem::replace(&mut state.stuck[touch.node], stuck) != stuck && friction.has_band();
        }
        changed
    }

    /// Writes `a`, `hold`, the accelerations of drums that feel the cable, and what the excess of the holding forces
    /// would cause; the state's places, speeds, time, driven drums and moved ends are given.
    pub(crate) fn evaluate(&mut self, system: &CableSystem, state: &mut CableState) {
        let w = Weights { mass: 1.0, speed: 0.0, place: 0.0, dt: 0.0 };
        for (a, held) in state.a.iter_mut().zip(system.held()) {
            for c in (0..4).filter(|c| !held[*c]) {
                a[c] = 0.0;
            }
        }
        system.assemble(state, &[], w, ActiveFriction::Off, &mut self.assembly);
        self.add_plain_laws(system, state);
        // Without the holding laws' friction: a = −M⁻¹ r.
        self.inverse.rhs.copy_from_slice(&self.assembly.tri.rhs);
        self.solve_mass();
        for (a, x) in state.a.iter_mut().zip(&self.inverse.rhs) {
            (0..4).for_each(|c| a[c] -= x[c]);
        }
        self.fill_rows(system, state);
        self.find_holding_forces(system, state);
        for total in [false, true] {
            self.apply(system, state, total);
        }
    }

    fn solve_mass(&mut self) {
        self.inverse.solve();
        self.inverse.finish(&[]);
    }

    /// Friction that does not ask for the holding force joins the other forces; drums that feel the cable start from
    /// what turns them.
    fn add_plain_laws(&mut self, system: &CableSystem, state: &mut CableState) {
        for (d, drum) in system.cable().drums.iter().enumerate() {
            if let Some(inertia) = drum.drive.inertia() {
                let [theta, omega, _] = state.spin[d];
                state.spin[d][2] = drum.drive.torque(state.t, theta, omega)[0] / inertia;
            }
        }
        self.held.clear();
        for (i, touch) in self.assembly.touches.iter().enumerate() {
            if system.hold_laws[touch.drum] {
                self.held.push(i);
                continue;
            }
            let drum = &system.cable().drums[touch.drum];
            let stuck = Some(state.stuck[touch.node]);
            let force = drum.friction.force(touch.slip, touch.normal.force, 0.0, stuck);
            for c in (0..2).filter(|c| !system.held()[touch.node][*c]) {
                self.assembly.tri.rhs[touch.node][c] -= force * touch.t[c];
            }
            if let Some(inertia) = drum.drive.inertia() {
                state.spin[touch.drum][2] -= touch.reach * force / inertia;
            }
        }
    }

    /// `W` and `A a − b`.
    fn fill_rows(&mut self, system: &CableSystem, state: &CableState) {
        let count = self.held.len();
        while self.rows.len() < count {
            self.rows.push((0, Vec::with_capacity(2 * REACH + 1)));
        }
        for vector in &mut self.vectors {
            vector.resize(count, 0.0);
        }
        let touches = &self.assembly.touches;
        let cable = system.cable();
        for (k, &i) in self.held.iter().enumerate() {
            let own = &touches[i];
            let (first, row) = &mut self.rows[k];
            let near = |l: &usize| touches[self.held[*l]].node + REACH >= own.node;
            *first = (0..=k).find(near).unwrap_or(k);
            row.clear();
            for &j in &self.held[*first..] {
                let other = &touches[j];
                if other.node > own.node + REACH {
                    break;
                }
                let g = system.delassus().at(own.node, other.node);
                let mut entry = own.t[0] * g[0] * other.t[0] + own.t[1] * g[1] * other.t[1];
                if i == j {
                    entry += cable.fade / own.normal.force;
                }
                row.push(entry);
            }
            let a = state.a[own.node];
            let surface = own.reach * state.spin[own.drum][2];
            self.vectors[0][k] = own.t[0] * a[0] + own.t[1] * a[1] - surface;
            self.vectors[1][k] = state.hold[own.node];
        }
    }

    /// `y ← W x`, with the drums that yield.
    fn multiply(&self, system: &CableSystem, x: &[f64], y: &mut [f64]) {
        for (out, (first, row)) in y.iter_mut().zip(&self.rows) {
            *out = row.iter().zip(&x[*first..]).map(|(a, b)| a * b).sum();
        }
        let touches = &self.assembly.touches;
        for (d, drum) in system.cable().drums.iter().enumerate() {
            let Some(inertia) = drum.drive.inertia() else { continue };
            let on = || self.held.iter().enumerate().filter(|(_, i)| touches[**i].drum == d);
            let sum: f64 = on().map(|(k, i)| touches[*i].reach * x[k]).sum();
            on().for_each(|(k, i)| y[k] += touches[*i].reach * sum / inertia);
        }
    }

    /// Holding forces; where light contacts fade, friction itself takes part and the solution is repeated.
    fn find_holding_forces(&mut self, system: &CableSystem, state: &mut CableState) {
        let fade = system.cable().fade;
        let count = self.held.len();
        let mut rounds = if fade > 0.0 { 30 } else { 1 };
        let plain: Vec<f64> = if fade > 0.0 { self.vectors[0].clone() } else { Vec::new() };
        while rounds > 0 {
            if fade > 0.0 {
                for (k, &i) in self.held.iter().enumerate() {
                    let touch = &self.assembly.touches[i];
                    let friction = &system.cable().drums[touch.drum].friction;
                    let stuck = Some(state.stuck[touch.node]);
                    let force = friction.force(touch.slip, touch.normal.force, state.hold[touch.node], stuck);
                    self.vectors[0][k] = plain[k] - fade / touch.normal.force * force;
                }
            }
            self.conjugate_gradients(system);
            let mut change = 0.0f64;
            for k in 0..count {
                let hold = &mut state.hold[self.assembly.touches[self.held[k]].node];
                change = change.max((*hold - self.vectors[1][k]).abs() / (1.0 + hold.abs()));
                *hold = self.vectors[1][k];
            }
            rounds = if change < 1e-12 { 0 } else { rounds - 1 };
        }
    }

    fn conjugate_gradients(&mut self, system: &CableSystem) {
        let [b, mut x, mut r, mut p, mut y] = std::mem::take(&mut self.vectors);
        let square = |v: &[f64]| v.iter().map(|a| a * a).sum::<f64>();
        self.multiply(system, &x, &mut y);
        for k in 0..b.len() {
            r[k] = b[k] - y[k];
        }
        p.copy_from_slice(&r);
        let (mut rest, goal) = (square(&r), 1e-28 * square(&b));
        for _ in 0..4 * b.len() + 20 {
            if rest <= goal {
                break;
            }
            self.multiply(system, &p, &mut y);
            let along = rest / p.iter().zip(&y).map(|(a, b)| a * b).sum::<f64>();
            for k in 0..b.len() {
                x[k] += along * p[k];
                r[k] -= along * y[k];
            }
            let next = square(&r);
            for k in 0..b.len() {
                p[k] = r[k] + next / rest * p[k];
            }
            rest = next;
        }
        self.vectors = [b, x, r, p, y];
    }

    /// Adds what friction causes to the accelerations; or, of `λ + F`, to what its excess would cause.
    fn apply(&mut self, system: &CableSystem, state: &mut CableState, total: bool) {
        self.inverse.rhs.fill([0.0; 4]);
        if total {
            state.excess_spin.fill(0.0);
        }
        for &i in &self.held {
            let touch = &self.assembly.touches[i];
            let drum = &system.cable().drums[touch.drum];
            let hold = state.hold[touch.node];
            let stuck = Some(state.stuck[touch.node]);
            let mut force = drum.friction.force(touch.slip, touch.normal.force, hold, stuck);
            if total {
                force += hold;
            }
            for c in (0..2).filter(|c| !system.held()[touch.node][*c]) {
                self.inverse.rhs[touch.node][c] += force * touch.t[c];
            }
            if let Some(inertia) = drum.drive.inertia() {
                let spin =
                    if total { &mut state.excess_spin[touch.drum] } else { &mut state.spin[touch.drum][2] };
                *spin -= touch.reach * force / inertia;
            }
        }
        self.solve_mass();
        let to: &mut [CableNode] = if total { &mut state.excess } else { &mut state.a };
        for (to, x) in to.iter_mut().zip(&self.inverse.rhs) {
            (0..4).for_each(|c| to[c] = if total { x[c] } else { to[c] + x[c] });
        }
    }
}

/// The mass matrix with the masses at the ends.
fn mass_matrix(system: &CableSystem) -> Tridiagonal<4> {
    let (m, last) = (system.element_mass(), system.cable().elements);
    let mut tri = Tridiagonal::new(last + 1);
    for i in 0..last {
        for r in 0..2 {
            for s in 0..2 {
                for c in 0..2 {
                    let (row, col) = (2 * r + c, 2 * s + c);
                    tri.diag[i][row][col] += m[r][s];
                    tri.diag[i + 1][row][col] += m[2 + r][2 + s];
                    tri.upper[i][row][col] = m[r][2 + s];
                    tri.lower[i][row][col] = m[2 + r][s];
                }
            }
        }
    }
    for (end, node) in [(0, 0), (1, last)] {
        for c in 0..2 {
            tri.diag[node][c][c] += system.cable().ends[end].mass;
        }
    }
    tri
}
