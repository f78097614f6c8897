//! One rope in the linear systems of implicit steps: a chain of nodes that the mechanism moves at its ends and
//! through its drums.
//!
//! ```text
//! T w + C u_m = r(b),    T = s M + ∂Q/∂v + ∂Q/∂q / s,    w = u of the velocities,  u_q = (w + b_q)/s
//! ```
//!
//! Friction states of a node follow from the node alone. `C` has a column for each state of the mechanism that moves
//! the rope.

use super::increments::Increments;
use super::tie::TieSlopes;
use super::touch::Surface;
use super::touch_slopes::{TouchPlace, TouchSlopes, W, dot};
use super::{DRUM, END, Rope, RopeDrum, RopeKernel};
use crate::system::{System, SystemEval};
use bristle_cable::{CableNode, Friction, Tridiagonal};
use bristle_core::Dual;
use bristle_solve::Point;
use std::sync::Arc;

/// The blocks of a node: with the node before it, itself, the node after it.
type Neighbours = [[[f64; 4]; 4]; 3];

/// A rope's derivatives at a point, its chain, and its part in the solution found last.
#[derive(Clone)]
pub(super) struct RopeChain {
    pub(super) kernel: Arc<RopeKernel>,
    /// Derivatives of what the elements withstand.
    by_place: Vec<Neighbours>,
    by_speed: Vec<Neighbours>,
    /// Derivatives of the power that they lose.
    loss_by_place: Vec<CableNode>,
    loss_by_speed: Vec<CableNode>,
    pub(super) touches: Vec<TouchSlopes>,
    /// Forces at free ends.
    push: [[f64; 2]; 2],
    /// Velocities of the ends.
    pub(super) speeds: [[f64; 2]; 2],
    ties: [Vec<TieSlopes>; 2],
    drums: Vec<DrumStates>,
    /// States of the mechanism that move the ends or the drums of the rope.
    pub(super) movers: Vec<usize>,
    tri: Tridiagonal<4>,
    starts: Vec<usize>,
    /// What each mover does to the ports, the rope's own motion included: one row for each.
    pub(super) ports: Vec<f64>,
    /// What the right-hand side does to the ports while the mechanism stands still.
    pub(super) particular: Vec<f64>,
    pub(super) u: Increments,
    weights: Vec<f64>,
}

/// Places of the states that move a drum, and by how much: positions and velocities of its carrier, speed of its rotor.
#[derive(Clone, Default)]
struct DrumStates {
    carrier: [Vec<(usize, usize, f64)>; 2],
    spin: Vec<(usize, usize, f64)>,
}

impl DrumStates {
    fn of(system: &System, drum: &RopeDrum, p: &[f64]) -> Self {
        let carrier = drum.carrier.map_or_else(Default::default, |c| c.map(|c| system.states_behind(c, p)));
        DrumStates { carrier, spin: system.states_behind(drum.rotor, p) }
    }
}

/// Derivatives along a direction: of the powers that are integrated beside the motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PowerSlopes {
    pub(super) input: f64,
    pub(super) loss: f64,
}

impl RopeChain {
    pub(super) fn new(system: &System, rope: &Rope) -> Self {
        let nodes = rope.nodes.len();
        RopeChain {
            kernel: rope.kernel(&system.drums, &system.list.values),
            by_place: vec![Neighbours::default(); nodes],
            by_speed: vec![Neighbours::default(); nodes],
            loss_by_place: vec![[0.0; 4]; nodes],
            loss_by_speed: vec![[0.0; 4]; nodes],
            touches: Vec::new(),
            push: [[0.0; 2]; 2],
            speeds: [[0.0; 2]; 2],
            ties: [Vec::new(), Vec::new()],
            drums: Vec::new(),
            movers: Vec::new(),
            tri: Tridiagonal::new(nodes),
            starts: Vec::new(),
            ports: Vec::new(),
            particular: vec![0.0; rope.ports()],
            u: Increments::new(rope),
            weights: Vec::new(),
        }
    }

    /// Finds the derivatives of a rope.
    pub(super) fn linearise(
        &mut self,
        system: &System,
        k: usize,
        at: &Point<f64>,
        flow: &SystemEval<f64>,
        a: &[f64],
    ) {
        let (rope, now) = (&system.ropes[k], &flow.ropes[k]);
        self.kernel = now.kernel.clone();
        self.push = [0, 1].map(|e| rope.ends[e].push(at));
        self.speeds = [0, rope.elements].map(|node| [now.v[node][0], now.v[node][1]]);
        self.linearise_elements(&now.q, &now.v);
        self.linearise_touches(system, k, at, flow);
        self.ties = [0, 1].map(|e| {
            rope.ends[e].tie.as_ref().map_or_else(Vec::new, |tie| tie.slopes(system, at.p, flow, a))
        });
        self.drums.clear();
        self.drums.extend(rope.drums.iter().map(|&d| DrumStates::of(system, &system.drums[d], at.p)));
        self.movers.clear();
        self.movers.extend(self.ties.iter().flatten().flat_map(|t| [t.q, t.v]));
        for drum in &self.drums {
            self.movers.extend(drum.carrier.iter().flatten().flat_map(|(q, v, _)| [*q, *v]));
            self.movers.extend(drum.spin.iter().map(|(_, v, _)| *v));
        }
        self.movers.sort_unstable();
        self.movers.dedup();
    }

    fn linearise_elements(&mut self, q: &[CableNode], v: &[CableNode]) {
        for list in [&mut self.by_place, &mut self.by_speed] {
            list.fill(Neighbours::default());
        }
        for list in [&mut self.loss_by_place, &mut self.loss_by_speed] {
            list.fill([0.0; 4]);
        }
        for i in 0..q.len() - 1 {
            let slopes = self.kernel.cable.element_slopes([&q[i], &q[i + 1]], [&v[i], &v[i + 1]]);
            let matrices = [(&mut self.by_place, &slopes.by_place), (&mut self.by_speed, &slopes.by_speed)];
            for (to, from) in matrices {
                for r in 0..4 {
                    for c in 0..4 {
                        to[i][1][r][c] += from[r][c];
                        to[i][2][r][c] = from[r][4 + c];
                        to[i + 1][0][r][c] = from[4 + r][c];
                        to[i + 1][1][r][c] += from[4 + r][4 + c];
                    }
                }
            }
            for n in 0..2 {
                for c in 0..4 {
                    self.loss_by_place[i + n][c] += slopes.loss_by_place[n][c];
                    self.loss_by_speed[i + n][c] += slopes.loss_by_speed[n][c];
                }
            }
        }
    }

    fn linearise_touches(&mut self, system: &System, k: usize, at: &Point<f64>, flow: &SystemEval<f64>) {
        let (rope, now) = (&system.ropes[k], &flow.ropes[k]);
        let is_of_catalogue =
            |s: &Surface| matches!(s.friction, Friction::Law { .. } | Friction::Karnopp { .. });
        // Quinn's law and its kin have derivatives of their own.
        let lifted: Vec<Dual<W>> = if self.kernel.surfaces.iter().any(is_of_catalogue) {
            at.p.iter().map(|p| Dual::from(*p)).collect()
        } else {
            Vec::new()
        };
        let drums: Vec<_> = rope
            .drums
            .iter()
            .zip(&self.kernel.surfaces)
            .map(|(&d, surface)| {
                let drum = &system.drums[d];
                let law = if is_of_catalogue(surface) { drum.law(&lifted) } else { None };
                (drum.motion(at.p, flow), law)
            })
            .collect();
        self.touches.clear();
        for (i, d, touch) in &now.touches {
            let (point, (motion, law)) = (&self.kernel.points[*i], &drums[*d]);
            let place = rope.states_at(point);
            let z = &at.x[place..][..rope.states];
            let state = [&point.of(&now.q), &point.of(&now.v)];
            let of = TouchPlace { point: *i, z: place, drum: *d, share: point.share };
            let surface = &self.kernel.surfaces[*d];
            let friction = (law.as_ref(), rope.modes_of(*i, at.mode), z);
            self.touches.push(TouchSlopes::new(of, surface, motion, friction, state, touch));
        }
    }

    /// Increments that the mechanism causes, given those of its states.
    fn move_with(&mut self, state: impl Fn(usize) -> f64, shift: f64) {
        let last = self.u.q.len() - 1;
        for (ties, node) in self.ties.iter().zip([0, last]) {
            for tie in ties {
                let (q, v) = (state(tie.q), state(tie.v));
                for c in 0..2 {
                    self.u.q[node][c] += tie.direction[c] * q;
                    self.u.v[node][c] += tie.velocity_by_q[c] * q + tie.direction[c] * v;
                    let by_v = tie.acceleration_by_v[c] + shift * tie.direction[c];
                    self.u.a[node][c] += tie.acceleration_by_q[c] * q + by_v * v;
                }
            }
        }
        for (out, drum) in self.u.drums.iter_mut().zip(&self.drums) {
            for c in 0..2 {
                for &(q, v, by) in &drum.carrier[c] {
                    out[c] += by * state(q);
                    out[2 + c] += by * state(v);
                }
            }
            out[4] += drum.spin.iter().map(|(_, v, by)| by * state(*v)).sum::<f64>();
        }
    }

    /// What a node withstands under the increments, contact apart: `M a + ∂Q/∂q q + ∂Q/∂v v`.
    #[inline]
    pub(super) fn row(&self, i: usize) -> [f64; 4] {
        let mut out = self.row_at_rest(i);
        add_neighbours(&self.by_speed[i], i, &self.u.v, &mut out);
        out
    }

    /// The same while no velocity changes.
    #[inline]
    fn row_at_rest(&self, i: usize) -> [f64; 4] {
        let mut out = self.kernel.mass.times(i, &self.u.a);
        add_neighbours(&self.by_place[i], i, &self.u.q, &mut out);
        out
    }

    /// What the ends and drums feel under the increments; `prescribed` is what is given for friction states, by
    /// their places.
    fn ports_into<'b>(&self, rope: &Rope, prescribed: impl Fn(usize) -> &'b [f64], ports: &mut [f64]) {
        ports.fill(0.0);
        let last = rope.elements;
        let mut rows = [0, last].map(|node| self.row(node));
        for touch in &self.touches {
            let mut inputs = self.u.inputs(&self.kernel.points, touch);
            touch.follow(rope.states, prescribed(touch.z), &mut inputs);
            let point = &self.kernel.points[touch.point];
            let port = &mut ports[2 * END + DRUM * touch.drum..][..DRUM];
            for c in 0..2 {
                let made = dot(&touch.force[c], &inputs);
                port[c] -= made;
                for (row, node) in rows.iter_mut().zip([0, last]) {
                    let own = point.terms().iter().filter(|term| term.node == node && term.first == 0);
                    row[c] -= own.map(|term| term.place * made).sum::<f64>();
                }
            }
            port[2] -= touch.reach * dot(&touch.friction, &inputs);
        }
        // What an end feels is what its row lacks, and the mass that the mechanism counts as its own.
        for e in (0..2).filter(|&e| rope.ends[e].tie.is_some()) {
            let felt = self.kernel.mass.felt[e];
            for c in 0..2 {
                let own = felt[0] * self.u.a[0][c] + felt[1] * self.u.a[last][c];
                ports[END * e + c] = own - rows[e][c];
            }
        }
    }

    /// Eliminates the chain, with a column for each mover; false where it is singular.
    pub(super) fn factorise(&mut self, rope: &Rope, shift: f64) -> bool {
        if rope.states > 0 && !self.touches.iter_mut().all(|touch| touch.eliminate(shift)) {
            return false;
        }
        self.fill(rope, shift);
        let count = self.movers.len();
        self.tri.border(count, 0, rope.elements);
        for column in 0..count {
            self.u.clear();
            let mover = self.movers[column];
            self.move_with(|state| f64::from(u8::from(state == mover)), shift);
            // A mover displaces the ends, and what lies on the drums.
            let n = rope.elements;
            for i in [0, 1, n.saturating_sub(1), n] {
                let row = self.row(i);
                self.tri.put(i, column, row);
            }
            for k in 0..self.touches.len() {
                let touch = &self.touches[k];
                let mut inputs = self.u.inputs(&self.kernel.points, touch);
                touch.follow(rope.states, &[], &mut inputs);
                let made = touch.force.each_ref().map(|by| dot(by, &inputs));
                for term in self.kernel.points[touch.point].terms().iter().filter(|t| t.place != 0.0) {
                    for c in 0..2 {
                        self.tri.row_mut(term.node, term.first + c)[column] -= term.place * made[c];
                    }
                }
            }
            for i in [0, n] {
                for r in (0..4).filter(|r| rope.nodes[i].q[*r].is_none()) {
                    self.tri.row_mut(i, r)[column] = 0.0;
                }
            }
        }
        self.starts.clear();
        self.starts.resize(count, 0);
        if self.tri.eliminate(&self.starts).is_err() {
            return false;
        }
        self.fill_ports(rope, shift);
        true
    }

    /// `T = s M + ∂Q/∂v + ∂Q/∂q / s`, contact included.
    fn fill(&mut self, rope: &Rope, shift: f64) {
        let RopeChain { tri, by_place, by_speed, touches, kernel, .. } = self;
        let (mass, inverse) = (&kernel.mass, 1.0 / shift);
        let merge = |i: usize, k: usize, j: usize| {
            let (place, speed) = (&by_place[i][k], &by_speed[i][k]);
            let mut out = [[0.0; 4]; 4];
            for r in 0..4 {
                for c in 0..4 {
                    out[r][c] = speed[r][c] + inverse * place[r][c];
                }
            }
            let [pp, ps, sp, ss] = mass.block(i, j);
            for c in 0..2 {
                out[c][c] += shift * pp;
                out[c][2 + c] += shift * ps;
                out[2 + c][c] += shift * sp;
                out[2 + c][2 + c] += shift * ss;
            }
            out
        };
        for i in 0..=rope.elements {
            tri.diag[i] = merge(i, 1, i);
            tri.rhs[i] = [0.0; 4];
            if i < rope.elements {
                tri.upper[i] = merge(i, 2, i + 1);
                tri.lower[i] = merge(i + 1, 0, i);
            }
        }
        for touch in touches {
            let by = touch.eliminated(rope.states);
            let block = by.map(|by| std::array::from_fn(|c| -(by[4 + c] + inverse * by[c])));
            kernel.points[touch.point].spread(&block, tri);
        }
        for i in [0, rope.elements] {
            for r in (0..4).filter(|r| rope.nodes[i].q[*r].is_none()) {
                tri.hold(i, r);
            }
        }
    }

    /// What each mover does to the ports once the rope has followed.
    fn fill_ports(&mut self, rope: &Rope, shift: f64) {
        let (count, size) = (self.movers.len(), rope.ports());
        let mut ports = std::mem::take(&mut self.ports);
        ports.resize(count * size, 0.0);
        for (column, ports) in ports.chunks_exact_mut(size).enumerate() {
            self.u.clear();
            let mover = self.movers[column];
            self.move_with(|state| f64::from(u8::from(state == mover)), shift);
            for i in 0..=rope.elements {
                for r in (0..4).filter(|r| rope.nodes[i].q[*r].is_some()) {
                    let w = -self.tri.row(i, r)[column];
                    (self.u.v[i][r], self.u.q[i][r], self.u.a[i][r]) = (w, w / shift, w * shift);
                }
            }
            self.ports_into(rope, |_| &[], ports);
        }
        self.ports = ports;
    }

    /// First half of a solution: the rope while the mechanism stands still, and what its ports feel of it.
    pub(super) fn respond(&mut self, rope: &Rope, b: &[f64], shift: f64) {
        let inverse = 1.0 / shift;
        self.u.clear();
        for (i, places) in rope.nodes.iter().enumerate() {
            for r in 0..4 {
                if let (Some(place), Some(speed)) = (places.q[r], places.v[r]) {
                    self.u.q[i][r] = b[place] * inverse;
                    self.u.a[i][r] = -b[speed];
                }
            }
        }
        for (ties, node) in self.ties.iter().zip([0, rope.elements]) {
            for tie in ties {
                (0..2).for_each(|c| self.u.a[node][c] -= tie.direction[c] * b[tie.v]);
            }
        }
        let prescribed = |place: usize| &b[place..][..rope.states];
        for i in 0..=rope.elements {
            let row = self.row_at_rest(i);
            for r in 0..4 {
                self.tri.rhs[i][r] = -row[r];
            }
        }
        for touch in &self.touches {
            let mut inputs = self.u.inputs(&self.kernel.points, touch);
            touch.follow(rope.states, prescribed(touch.z), &mut inputs);
            let made = touch.force.each_ref().map(|by| dot(by, &inputs));
            self.kernel.points[touch.point].push(made, &mut self.tri.rhs);
        }
        for i in [0, rope.elements] {
            for r in (0..4).filter(|r| rope.nodes[i].q[*r].is_none()) {
                self.tri.rhs[i][r] = 0.0;
            }
        }
        self.tri.solve();
        self.tri.finish(&[]);
        for (i, w) in self.tri.rhs.iter().enumerate() {
            // Coordinates that are not the rope's own have none.
            self.u.v[i] = *w;
            for r in 0..4 {
                self.u.q[i][r] += w[r] * inverse;
                self.u.a[i][r] += w[r] * shift;
            }
        }
        let mut particular = std::mem::take(&mut self.particular);
        self.ports_into(rope, prescribed, &mut particular);
        self.particular = particular;
    }

    /// What the ports feel in all, once the mechanism's part of the solution is known.
    pub(super) fn ports_in_all(&self, b: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&self.particular);
        for (mover, ports) in self.movers.iter().zip(self.ports.chunks_exact(out.len())) {
            out.iter_mut().zip(ports).for_each(|(out, port)| *out += b[*mover] * port);
        }
    }

    /// Second half of a solution: the rope once the mechanism's part is known. Gives the derivatives of powers along
    /// it, and adds those of the power lost on drums.
    pub(super) fn complete(
        &mut self,
        rope: &Rope,
        b: &mut [f64],
        shift: f64,
        mut rubbed: impl FnMut(usize, f64),
    ) -> PowerSlopes {
        let inverse = 1.0 / shift;
        self.u.clear();
        self.weights.clear();
        self.weights.extend(self.movers.iter().map(|m| b[*m]));
        self.tri.finish(&self.weights);
        self.move_with(|state| b[state], shift);
        for (i, places) in rope.nodes.iter().enumerate() {
            let w = self.tri.rhs[i];
            for r in 0..4 {
                let (Some(place), Some(speed)) = (places.q[r], places.v[r]) else { continue };
                self.u.v[i][r] = w[r];
                self.u.q[i][r] = (w[r] + b[place]) * inverse;
                b[place] = self.u.q[i][r];
                b[speed] = w[r];
            }
        }
        let mut powers = self.powers(rope);
        if rope.states > 0 {
            let ebb = 1.0 / (shift + self.kernel.ebb);
            let mut touches = self.touches.iter().peekable();
            for (i, point) in self.kernel.points.iter().enumerate() {
                let z = &mut b[rope.states_at(point)..][..rope.states];
                match touches.next_if(|touch| touch.point == i) {
                    Some(touch) => {
                        let mut inputs = self.u.inputs(&self.kernel.points, touch);
                        touch.follow(rope.states, z, &mut inputs);
                        z.copy_from_slice(&inputs[8..8 + rope.states]);
                    }
                    None => {
                        z.iter_mut().enumerate().for_each(|(i, z)| *z *= if i == 0 { ebb } else { inverse })
                    }
                }
            }
        }
        for touch in &self.touches {
            let mut inputs = self.u.inputs(&self.kernel.points, touch);
            inputs[8..8 + rope.states].copy_from_slice(&b[touch.z..][..rope.states]);
            powers.loss += dot(&touch.damped, &inputs);
            rubbed(touch.drum, dot(&touch.rubbed, &inputs));
        }
        powers
    }

    /// Derivatives of the power put in at free ends and lost inside.
    pub(super) fn powers(&self, rope: &Rope) -> PowerSlopes {
        let mut out = PowerSlopes::default();
        for i in 0..self.u.q.len() {
            for c in 0..4 {
                out.loss += self.loss_by_place[i][c] * self.u.q[i][c];
                out.loss += self.loss_by_speed[i][c] * self.u.v[i][c];
            }
        }
        for (e, node) in [(0, 0), (1, rope.elements)] {
            for c in 0..2 {
                out.input += self.push[e][c] * self.u.v[node][c];
            }
        }
        out
    }
}

/// Adds the products of a node's blocks with what belongs to the node and its neighbours.
#[inline]
fn add_neighbours(blocks: &Neighbours, i: usize, x: &[[f64; 4]], out: &mut [f64; 4]) {
    for k in 0..3 {
        // Before the first node and after the last there is none.
        let j = (i + k).wrapping_sub(1);
        if j >= x.len() {
            continue;
        }
        let (block, x) = (&blocks[k], &x[j]);
        for r in 0..4 {
            out[r] += block[r][0] * x[0] + block[r][1] * x[1] + block[r][2] * x[2] + block[r][3] * x[3];
        }
    }
}
