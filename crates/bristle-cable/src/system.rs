//! The equations of a cable: residual and exact Jacobian, assembled in time proportional to the nodes.
//!
//! ```text
//! r = M a + c D v + Q_elastic(q) − Q_gravity − Q_ends(t) − Σ N u − Σ F t
//! J = m M + s ∂r/∂v + p ∂r/∂q      with the weights (m, s, p) of the method
//! ```

use crate::blocks::Tridiagonal;
use crate::contact::{self, Normal};
use crate::delassus::Delassus;
use crate::elastic::{Blocks, Elastic, Node};
use crate::element::{self, Mat4};
use crate::error::CableError;
use crate::friction::{Pull, STATES};
use crate::model::{Cable, Support};
use crate::state::State;

/// A cable made ready for computing.
#[derive(Clone, Debug)]
pub struct System {
    cable: Cable,
    elastic: Elastic,
    mass: Mat4,
    damping: Mat4,
    gravity: [f64; 4],
    held: Vec<[bool; 4]>,
    delassus: Delassus,
    hold_laws: Vec<bool>,
}

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
pub enum Grip {
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
pub struct Touch {
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
    pub pull: Pull,
    /// Whether the law reads the holding force.
    pub uses_hold: bool,
    /// Surface speed along the cable per angular speed, `s R`.
    pub reach: f64,
    /// `1/|r'|`.
    pub(crate) shrink: f64,
    /// `dF/da` of the node's own accelerations.
    pub(crate) row: Node,
}

/// Residual, Jacobian and contacts at one state.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The Jacobian, with the residual as right-hand side.
    pub tri: Tridiagonal<4>,
    /// The touching nodes, in order.
    pub touches: Vec<Touch>,
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

impl System {
    /// Checks the cable and prepares its constants.
    pub fn new(cable: Cable) -> Result<System, CableError> {
        cable.check()?;
        let h = cable.element_length();
        let nodes = cable.nodes();
        let mass = element::mass(h).map(|row| row.map(|m| m * cable.density));
        let mut held = vec![[false; 4]; nodes];
        held[0] = cable.ends[0].support.held();
        held[nodes - 1] = cable.ends[1].support.held();
        let ends = [cable.ends[0].mass, cable.ends[1].mass];
        Ok(System {
            elastic: Elastic::new(cable.strain, cable.ea, cable.ei, h),
            damping: element::slopes(h).map(|row| row.map(|d| d * cable.damping)),
            gravity: element::load(h).map(|l| l * cable.density * cable.gravity),
            delassus: Delassus::new(nodes, &mass, ends, &held),
            hold_laws: cable.drums.iter().map(|d| d.friction.uses_hold()).collect(),
            mass,
            held,
            cable,
        })
    }

    /// The cable.
    pub fn cable(&self) -> &Cable {
        &self.cable
    }

    /// The elements' elasticity.
    pub fn elastic(&self) -> &Elastic {
        &self.elastic
    }

    /// Mass of an element over its shape functions.
    pub fn element_mass(&self) -> &Mat4 {
        &self.mass
    }

    /// Internal damping of an element over its shape functions.
    pub fn element_damping(&self) -> &Mat4 {
        &self.damping
    }

    /// Which coordinates are held.
    pub fn held(&self) -> &[[bool; 4]] {
        &self.held
    }

    /// The position block of the inverse mass matrix.
    pub fn delassus(&self) -> &Delassus {
        &self.delassus
    }

    /// A state at rest in the given shape, with drums at their starting speed and laws at their initial states.
    pub fn state(&self, q: Vec<Node>) -> Result<State, CableError> {
        if q.len() != self.cable.nodes() {
            return Err(CableError::Size { found: q.len(), expected: self.cable.nodes() });
        }
        for (node, r) in q.iter().enumerate() {
            for (drum, d) in self.cable.drums.iter().enumerate() {
                let depth = d.radius - (r[0] - d.centre[0]).hypot(r[1] - d.centre[1]);
                // Contact is a penalty: a laid cable penetrates by a small part of the radius, no more.
                if depth > 0.05 * d.radius {
                    return Err(CableError::InsideDrum { node, drum, depth });
                }
            }
        }
        let mut state = State::at_rest(q, self.cable.drums.len());
        for (spin, drum) in state.spin.iter_mut().zip(&self.cable.drums) {
            *spin = drum.drive.start(0.0);
        }
        if let Some(drum) = self.cable.drums.iter().find(|d| d.friction.states() > 0) {
            for z in &mut state.z {
                drum.friction.initial_states(z);
            }
        }
        Ok(state)
    }

    /// Puts moved ends where they have to be at time `state.t`, relative to the places they started from.
    pub fn move_ends(&self, state: &mut State, start: &[Node; 2]) {
        let last = self.cable.elements;
        for (end, node, origin) in [(0, 0, &start[0]), (1, last, &start[1])] {
            if let Support::Moving(signals) = &self.cable.ends[end].support {
                for c in 0..2 {
                    let [place, speed, acceleration] = signals[c].at(state.t);
                    let [origin_place, ..] = signals[c].at(0.0);
                    state.q[node][c] = origin[c] + place - origin_place;
                    state.v[node][c] = speed;
                    state.a[node][c] = acceleration;
                }
            }
        }
    }

    /// Fills the assembly at `state` with the residual `r` and the Jacobian `J`; `z0` are the internal states of
    /// friction at the beginning of the step.
    pub fn assemble(
        &self,
        state: &mut State,
        z0: &[[f64; STATES]],
        weights: Weights,
        grip: Grip,
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
                let value = w.mass * self.mass[m][n] + w.speed * self.damping[m][n] + w.place * bending[m][n];
                if m / 2 <= n / 2 {
                    for c in 0..2 {
                        out[m / 2 + n / 2][2 * (m % 2) + c][2 * (n % 2) + c] = value;
                    }
                }
            }
        }
        out
    }

    fn add_elements(&self, state: &State, w: Weights, out: &mut Assembly) {
        let bending = self.elastic.linear();
        let (mass, damping, gravity) = (&self.mass, &self.damping, &self.gravity);
        let tri = &mut out.tri;
        tri.diag[0] = [[0.0; 4]; 4];
        tri.rhs[0] = [0.0; 4];
        for i in 0..self.cable.elements {
            let mut k = out.constant;
            let mut f = [[0.0; 4]; 2];
            let pick = |x: &[Node]| {
                let (a, b) = (x[i], x[i + 1]);
                [[a[0], a[1]], [a[2], a[3]], [b[0], b[1]], [b[2], b[3]]]
            };
            let (q, v, a) = (pick(&state.q), pick(&state.v), pick(&state.a));
            for m in 0..4 {
                let mut sum = [0.0, -0.0];
                for n in 0..4 {
                    for c in 0..2 {
                        sum[c] += mass[m][n] * a[n][c] + damping[m][n] * v[n][c] + bending[m][n] * q[n][c];
                    }
                }
                f[m / 2][2 * (m % 2)] = sum[0];
                f[m / 2][2 * (m % 2) + 1] = sum[1] + gravity[m];
            }
            self.elastic.add(&state.q[i], &state.q[i + 1], &mut f, w.place, &mut k);
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
        }
    }

    fn add_ends(&self, t: f64, a: &[Node], w: Weights, tri: &mut Tridiagonal<4>) {
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
        state: &mut State,
        z0: &[[f64; STATES]],
        w: Weights,
        grip: Grip,
        out: &mut Assembly,
    ) {
        out.touches.clear();
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
                let uses_hold = grip == Grip::Law && self.hold_laws[drum];
                let pull = match grip {
                    Grip::Off => Pull::default(),
                    Grip::Mobilised { scale } => {
                        let c = scale * body.friction.holding_coefficient().unwrap_or(0.0);
                        Pull { force: -c * normal.force, by_load: -c, ..Pull::default() }
                    }
                    Grip::Law if body.friction.states() > 0 => body.friction.pull_with_states(
                        [slip, normal.force, state.hold[node]],
                        w.dt,
                        &z0[node],
                        &mut state.z[node],
                    ),
                    Grip::Law => {
                        let stuck = Some(state.stuck[node]);
                        body.friction.pull(slip, normal.force, state.hold[node], stuck)
                    }
                };
                let mut touch =
                    Touch { node, drum, normal, t, slip, pull, uses_hold, reach, shrink, row: [0.0; 4] };
                add_contact(&mut touch, v, along, w, &mut out.tri);
                out.touches.push(touch);
                touching = true;
                break;
            }
            if !touching {
                state.hold[node] = 0.0;
            }
        }
    }
}

/// Adds one contact's forces and their derivatives to its node's block.
#[inline]
fn add_contact(touch: &mut Touch, v: Node, along: f64, w: Weights, tri: &mut Tridiagonal<4>) {
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
    let diag = &mut tri.diag[touch.node];
    for r in 0..2 {
        tri.rhs[touch.node][r] -= n * u[r] + pull.force * t[r];
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
