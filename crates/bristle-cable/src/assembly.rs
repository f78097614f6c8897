//! The equations of a cable: residual and exact Jacobian, assembled in time proportional to the nodes.
//!
//! ```text
//! r = M a + Q_damping(q, v) + Q_elastic(q) − Q_gravity − Q_ends(t) − Σ N u − Σ F t
//! J = m M + s ∂r/∂v + p ∂r/∂q      with the weights (m, s, p) of the method
//! ```

use crate::blocks::Tridiagonal;
use crate::contact::{self, Normal};
use crate::elastic::{Blocks, CableNode};
use crate::friction::{RopePull, STATES};
use crate::state::CableState;
use crate::system::CableSystem;

/// How an increment of the unknown acceleration enters acceleration, velocity and place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Of the acceleration: 1 in dynamics, 0 in statics.
    pub mass: f64,
    /// Of the velocity.
    pub speed: f64,
    /// Of the place.
    pub place: f64,
    /// Length of the step, for internal states of friction.
    pub dt: f64,
}

/// Which friction takes part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ActiveFriction {
    /// None.
    Off,
    /// The law of each drum.
    Law,
    /// Fully mobilised: `F = −d c N`, `c` the coefficient that each drum's law can hold times a factor, against
    /// sliding in direction `d` (1: towards the last node).
    Mobilised {
        /// Direction of impending sliding times the factor.
        scale: f64,
    },
}

/// One touching node.
#[derive(Clone, Copy, Debug, Default)]
pub struct TouchingNode {
    /// Which node.
    pub node: usize,
    /// Which drum.
    pub drum: usize,
    /// The normal force.
    pub normal: Normal,
    /// Tangent of the cable.
    pub t: [f64; 2],
    /// Sliding speed.
    pub slip: f64,
    /// Friction force and its derivatives.
    pub pull: RopePull,
    /// Whether the law reads the holding force.
    pub uses_hold: bool,
    /// Surface speed along the cable per angular speed, `s R`.
    pub reach: f64,
    /// `1/|r'|`.
    pub(crate) shrink: f64,
    /// `dF/da` of the node's own accelerations.
    pub(crate) row: CableNode,
}

/// Residual, Jacobian and contacts at one state.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The Jacobian, with the residual as right-hand side.
    pub tri: Tridiagonal<4>,
    /// The touching nodes, in order.
    pub touches: Vec<TouchingNode>,
    weights: Option<Weights>,
    constant: Blocks,
}

impl Assembly {
    /// Room for a cable.
    pub fn new(nodes: usize) -> Self {
        Assembly {
            tri: Tridiagonal::new(nodes),
            touches: Vec::with_capacity(nodes),
            weights: None,
            constant: [[[0.0; 4]; 4]; 3],
        }
    }
}

impl CableSystem {
    /// Fills the assembly at `state` with the residual `r` and the Jacobian `J`; `z0` are the internal states of
    /// friction at the beginning of the step.
    pub fn assemble(
        &self,
        state: &mut CableState,
        z0: &[[f64; STATES]],
        weights: Weights,
        grip: ActiveFriction,
        out: &mut Assembly,
    ) {
        if out.weights != Some(weights) {
            out.constant = self.constant(weights);
            out.weights = Some(weights);
        }
        self.add_elements(state, weights, out);
        self.add_ends(state.t, &state.a, weights, &mut out.tri);
        self.add_contacts(state, z0, weights, grip, out);
        for (i, held) in self.held.iter().enumerate() {
            if held.iter().any(|h| *h) {
                hold_rows(&mut out.tri, i, held);
            }
        }
    }

    /// Mass, damping and linear bending of an element, weighted.
    fn constant(&self, w: Weights) -> Blocks {
        let mut out = [[[0.0; 4]; 4]; 3];
        let bending = self.elastic.linear();
        for m in 0..4 {
            for n in 0..4 {
                let value =
                    w.mass * self.mass[m][n] + w.speed * self.slope_damping[m][n] + w.place * bending[m][n];
                if m / 2 <= n / 2 {
                    for c in 0..2 {
                        out[m / 2 + n / 2][2 * (m % 2) + c][2 * (n % 2) + c] = value;
                    }
                }
            }
        }
        out
    }

    fn add_elements(&self, state: &CableState, w: Weights, out: &mut Assembly) {
        let tri = &mut out.tri;
        tri.diag[0] = [[0.0; 4]; 4];
        tri.rhs[0] = [0.0; 4];
        for i in 0..self.cable.elements {
            let mut k = out.constant;
            let f = self.element_force(i, state, w.place, &mut k);
            for r in 0..4 {
                tri.rhs[i][r] += f[0][r];
                for c in 0..4 {
                    tri.diag[i][r][c] += k[0][r][c];
                    tri.lower[i][c][r] = k[1][r][c];
                }
            }
            tri.upper[i] = k[1];
            tri.diag[i + 1] = k[2];
            tri.rhs[i + 1] = f[1];
            if w.speed != 0.0 || w.place != 0.0 {
                self.add_strain_damping(i, state, w, tri);
            }
        }
    }

    /// Damping of the strain in the Jacobian of element `i`: the one part that is not symmetric.
    #[inline]
    fn add_strain_damping(&self, i: usize, state: &CableState, w: Weights, tri: &mut Tridiagonal<4>) {
        let Some(damping) = &self.strain_damping else { return };
        let k = damping.tangent(pair(&state.q, i), pair(&state.v, i), w.speed, w.place);
        for r in 0..4 {
            for c in 0..4 {
                tri.diag[i][r][c] += k[0][r][c];
                tri.upper[i][r][c] += k[1][r][c];
                tri.lower[i][r][c] += k[2][r][c];
                tri.diag[i + 1][r][c] += k[3][r][c];
            }
        }
    }

    /// `M a + Q_damping + Q_elastic − Q_gravity` of element `i`; adds `scale` times the nonlinear elastic stiffness to `k`.
    #[inline]
    pub(crate) fn element_force(
        &self,
        i: usize,
        state: &CableState,
        scale: f64,
        k: &mut Blocks,
    ) -> [CableNode; 2] {
        let bending = self.elastic.linear();
        let (mass, damping) = (&self.mass, &self.slope_damping);
        let pick = |x: &[CableNode]| {
            let (a, b) = (x[i], x[i + 1]);
            [[a[0], a[1]], [a[2], a[3]], [b[0], b[1]], [b[2], b[3]]]
        };
        let (q, v, a) = (pick(&state.q), pick(&state.v), pick(&state.a));
        let mut f = [[0.0; 4]; 2];
        for m in 0..4 {
            let mut sum = [0.0, -0.0];
            for n in 0..4 {
                for c in 0..2 {
                    sum[c] += mass[m][n] * a[n][c] + damping[m][n] * v[n][c] + bending[m][n] * q[n][c];
                }
            }
            f[m / 2][2 * (m % 2)] = sum[0];
            f[m / 2][2 * (m % 2) + 1] = sum[1] + self.gravity[m];
        }
        self.elastic.add(&state.q[i], &state.q[i + 1], &mut f, scale, k);
        if let Some(damping) = &self.strain_damping {
            damping.add_force(pair(&state.q, i), pair(&state.v, i), &mut f);
        }
        f
    }

    fn add_ends(&self, t: f64, a: &[CableNode], w: Weights, tri: &mut Tridiagonal<4>) {
        for (end, node) in [(0, 0), (1, self.cable.elements)] {
            let end = &self.cable.ends[end];
            for c in 0..2 {
                tri.diag[node][c][c] += w.mass * end.mass;
                tri.rhs[node][c] += end.mass * a[node][c] - end.force[c].value(t);
            }
            tri.rhs[node][1] += end.mass * self.cable.gravity;
        }
    }

    fn add_contacts(
        &self,
        state: &mut CableState,
        z0: &[[f64; STATES]],
        w: Weights,
        grip: ActiveFriction,
        out: &mut Assembly,
    ) {
        out.touches.clear();
        if !self.points.is_empty() {
            return self.add_point_contacts(state, w, grip, out);
        }
        for node in 0..=self.cable.elements {
            let (q, v) = (state.q[node], state.v[node]);
            let mut touching = false;
            for (drum, body) in self.cable.drums.iter().enumerate() {
                let Some(normal) = contact::normal(body, [q[0], q[1]], [v[0], v[1]]) else { continue };
                let shrink = 1.0 / q[2].hypot(q[3]);
                let t = [q[2] * shrink, q[3] * shrink];
                let reach = body.sense.sign() * body.radius;
                let along = t[0] * v[0] + t[1] * v[1];
                let slip = along - reach * state.spin[drum][1];
                let uses_hold = grip == ActiveFriction::Law && self.hold_laws[drum];
                let pull = match grip {
                    ActiveFriction::Off => RopePull::default(),
                    ActiveFriction::Mobilised { scale } => body.friction.mobilised(scale, normal.force),
                    ActiveFriction::Law if body.friction.states() > 0 => body.friction.pull_with_states(
                        [slip, normal.force, state.hold[node]],
                        w.dt,
                        &z0[node],
                        &mut state.z[node],
                    ),
                    ActiveFriction::Law => {
                        let stuck = Some(state.stuck[node]);
                        body.friction.pull(slip, normal.force, state.hold[node], stuck)
                    }
                };
                let mut touch = TouchingNode {
                    node,
                    drum,
                    normal,
                    t,
                    slip,
                    pull,
                    uses_hold,
                    reach,
                    shrink,
                    row: [0.0; 4],
                };
                add_contact(&mut touch, v, along, w, (&mut out.tri.diag[node], &mut out.tri.rhs[node]));
                out.touches.push(touch);
                touching = true;
                break;
            }
            if !touching {
                state.hold[node] = 0.0;
            }
        }
    }

    /// The same where elements have points of contact inside: at rest, without friction or with all of it.
    fn add_point_contacts(&self, state: &CableState, w: Weights, grip: ActiveFriction, out: &mut Assembly) {
        for point in &self.points {
            let (q, v) = (point.of(&state.q), point.of(&state.v));
            for (drum, body) in self.cable.drums.iter().enumerate() {
                let touch = contact::normal_share(body, point.share, [q[0], q[1]], [v[0], v[1]]);
                let Some(normal) = touch else { continue };
                let shrink = 1.0 / q[2].hypot(q[3]);
                let t = [q[2] * shrink, q[3] * shrink];
                let along = t[0] * v[0] + t[1] * v[1];
                let pull = match grip {
                    ActiveFriction::Mobilised { scale } => body.friction.mobilised(scale, normal.force),
                    _ => RopePull::default(),
                };
                let node = point.node;
                let mut touch =
                    TouchingNode { node, drum, normal, t, pull, shrink, ..TouchingNode::default() };
                let (mut block, mut residual) = ([[0.0; 4]; 4], [0.0; 4]);
                add_contact(&mut touch, v, along, w, (&mut block, &mut residual));
                out.touches.push(touch);
                point.push([residual[0], residual[1]], &mut out.tri.rhs);
                point.spread(&block, &mut out.tri);
                break;
            }
        }
    }
}

/// The two nodes of element `i`.
#[inline]
fn pair(x: &[CableNode], i: usize) -> [&CableNode; 2] {
    [&x[i], &x[i + 1]]
}

/// Adds one contact's forces and their derivatives to its node's block.
#[inline]
fn add_contact(
    touch: &mut TouchingNode,
    v: CableNode,
    along: f64,
    w: Weights,
    (diag, rhs): (&mut [[f64; 4]; 4], &mut CableNode),
) {
    let (u, t, n, pull) = (touch.normal.u, touch.t, touch.normal.force, touch.pull);
    let load: [f64; 2] =
        std::array::from_fn(|c| w.place * touch.normal.by_place[c] + w.speed * touch.normal.by_speed[c]);
    let turn = touch.shrink * w.place;
    touch.row = std::array::from_fn(|c| {
        if c < 2 {
            w.speed * pull.by_speed * t[c] + pull.by_load * load[c]
        } else {
            pull.by_speed * turn * (v[c - 2] - t[c - 2] * along)
        }
    });
    let (round, bend) = (w.place * n / touch.normal.distance, turn * pull.force);
    for r in 0..2 {
        rhs[r] -= n * u[r] + pull.force * t[r];
        for c in 0..4 {
            diag[r][c] -= t[r] * touch.row[c];
        }
        for c in 0..2 {
            let unit = if r == c { 1.0 } else { 0.0 };
            diag[r][c] -= u[r] * load[c] + round * (unit - u[r] * u[c]);
            diag[r][2 + c] -= bend * (unit - t[r] * t[c]);
        }
    }
}

/// Replaces the equations of held coordinates by "no change".
pub(crate) fn hold_rows(tri: &mut Tridiagonal<4>, i: usize, held: &[bool; 4]) {
    for r in 0..4 {
        if held[r] {
            tri.rhs[i][r] = 0.0;
            tri.diag[i][r] = [0.0; 4];
            tri.diag[i][r][r] = 1.0;
            if i > 0 {
                tri.lower[i - 1][r] = [0.0; 4];
            }
            if i < tri.upper.len() {
                tri.upper[i][r] = [0.0; 4];
            }
        }
    }
}
