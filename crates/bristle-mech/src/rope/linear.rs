//! The linear systems of implicit steps: chains of nodes, bordered by the mechanism.
//!
//! ```text
//! (s − J) u = b      ropes:      T w + C u_m = r(b),   T block tridiagonal over the nodes, w = u of their velocities
//!                    mechanism:  (s − R_x) u_m − R_p (ports) = b_m
//! ```
//!
//! Positions follow from `u_q = (u_v + b_q)/s`, friction states of a node from the node alone. What a rope's ports do when the
//! mechanism moves is found with one solution of its chain for each state of the mechanism that moves it, so that the cost is
//! proportional to the number of nodes.

use super::dense::{factorise, substitute};
use super::tie::TieSlopes;
use super::touch::Surface;
use super::touch_slopes::{INPUTS, STATES, TouchSlopes, W, touch_slopes};
use super::{DRUM, END, Rope, RopeKernel};
use crate::system::{Coordinate, System, SystemEval};
use bristle_cable::{ElementMatrix, Tridiagonal};
use bristle_core::{Dual, partial, seed};
use bristle_solve::{Point, Structure};
use std::borrow::Cow;
use std::sync::Arc;

/// A rope's derivatives at a point, and its chain.
#[derive(Clone)]
struct RopeChain {
    elements: Vec<[ElementMatrix; 2]>,
    touches: Vec<TouchSlopes>,
    /// Derivatives of friction states of nodes that do not touch: they ebb away by themselves.
    ebb: f64,
    kernel: Arc<RopeKernel>,
    ties: [Vec<TieSlopes>; 2],
    /// States of the mechanism that move the ends or the drums of the rope.
    movers: Vec<usize>,
    tri: Tridiagonal<4>,
    /// What each mover does to the ports, the rope's own motion included.
    ports: Vec<Vec<f64>>,
}

/// Increments of everything a rope's rows depend on.
#[derive(Clone, Default)]
struct Increments {
    q: Vec<[f64; 4]>,
    v: Vec<[f64; 4]>,
    a: Vec<[f64; 4]>,
    z: Vec<[f64; STATES]>,
    /// Of each drum: centre, velocity, spin.
    drums: Vec<[f64; 5]>,
}

/// Rows of the nodes and ports that increments cause.
struct IncrementRows {
    nodes: Vec<[f64; 4]>,
    ports: Vec<f64>,
}

/// The linear systems of a mechanism with ropes.
#[derive(Clone)]
pub(crate) struct RopeStructure {
    system: Arc<System>,
    chains: Vec<RopeChain>,
    /// `R_x` and `R_p`, row after row.
    by_state: Vec<f64>,
    by_port: Vec<f64>,
    shift: f64,
    /// The factors of the mechanism's own matrix, with its rows exchanged.
    factors: Vec<f64>,
    pivots: Vec<usize>,
}

impl RopeStructure {
    pub(crate) fn new(system: &System) -> Self {
        let chain = |rope: &Rope| RopeChain {
            elements: Vec::new(),
            touches: Vec::new(),
            ebb: 0.0,
            kernel: rope.kernel.clone(),
            ties: [Vec::new(), Vec::new()],
            movers: Vec::new(),
            tri: Tridiagonal::new(rope.nodes.len()),
            ports: Vec::new(),
        };
        let n = system.rigid;
        RopeStructure {
            chains: system.ropes.iter().map(chain).collect(),
            by_state: vec![0.0; n * n],
            by_port: Vec::new(),
            shift: 0.0,
            factors: vec![0.0; n * n],
            pivots: vec![0; n],
            system: Arc::new(system.clone()),
        }
    }

    /// Derivatives of the mechanism's rates with its states and with the ports of its ropes.
    fn linearise_mechanism(&mut self, at: &Point<f64>, ports: &[f64]) {
        let (n, m) = (self.system.rigid, ports.len());
        self.by_port.resize(n * m, 0.0);
        let p: Vec<Dual<W>> = at.p.iter().map(|p| Dual::from(*p)).collect();
        let mut dx = vec![Dual::<W>::from(0.0); at.x.len()];
        for first in (0..n + m).step_by(W) {
            let lift = |value: f64, place: usize| {
                if (first..first + W).contains(&place) {
                    seed(value, place - first)
                } else {
                    Dual::from(value)
                }
            };
            let x: Vec<Dual<W>> =
                at.x.iter()
                    .enumerate()
                    .map(|(i, x)| if i < n { lift(*x, i) } else { Dual::from(*x) })
                    .collect();
            let ports: Vec<Dual<W>> = ports.iter().enumerate().map(|(i, f)| lift(*f, n + i)).collect();
            let point = Point { t: Dual::from(at.t), x: &x, p: &p, mode: at.mode };
            self.system.rates_with(point, Some(&ports), &mut dx);
            for row in 0..n {
                for place in first..(first + W).min(n + m) {
                    let slope = partial(&dx[row], place - first);
                    let slope = if slope.is_finite() { slope } else { 0.0 };
                    if place < n {
                        self.by_state[row * n + place] = slope;
                    } else {
                        self.by_port[row * m + place - n] = slope;
                    }
                }
            }
        }
    }

    /// Derivatives of a rope.
    fn linearise_rope(&mut self, k: usize, at: &Point<f64>, flow: &SystemEval<f64>, a: &[f64]) {
        let system = self.system.clone();
        let rope = &system.ropes[k];
        let kernel = match rope.kernel(&system, at.p) {
            Cow::Borrowed(_) => rope.kernel.clone(),
            Cow::Owned(kernel) => Arc::new(kernel),
        };
        let now = &flow.ropes[k];
        let chain = &mut self.chains[k];
        chain.kernel = kernel.clone();
        chain.ebb = kernel.surfaces.last().map_or(0.0, Surface::ebb);
        chain.elements.clear();
        for i in 0..rope.elements {
            let mut slopes = [[[0.0; 8]; 8]; 2];
            let [by_place, by_speed] = &mut slopes;
            let (q, v) = ([&now.q[i], &now.q[i + 1]], [&now.v[i], &now.v[i + 1]]);
            kernel.cable.element_forces(q, v, Some([by_place, by_speed]));
            chain.elements.push(slopes);
        }
        chain.touches.clear();
        let lifted: Vec<Dual<W>> = at.p.iter().map(|p| Dual::from(*p)).collect();
        for &(node, d, _) in &now.touches {
            let drum = &system.drums[rope.drums[d]];
            let z = &at.x[rope.nodes[node].z..][..rope.states];
            let motion = drum.motion(at.p, flow);
            let law = drum.law(&lifted);
            let state = [&now.q[node], &now.v[node]];
            let by = touch_slopes(&kernel.surfaces[d], &motion, law.as_ref(), state, z);
            let reach = kernel.surfaces[d].sense.sign() * kernel.surfaces[d].radius;
            chain.touches.push(TouchSlopes { node, drum: d, reach, by });
        }
        chain.ties = [0, 1].map(|e| {
            rope.ends[e].tie.as_ref().map_or_else(Vec::new, |tie| tie.slopes(&system, at.p, flow, a))
        });
        let mut movers: Vec<usize> = chain.ties.iter().flatten().flat_map(|t| [t.q, t.v]).collect();
        for &d in &rope.drums {
            let drum = &system.drums[d];
            for c in drum.carrier.into_iter().flatten().chain([drum.rotor]) {
                if let Coordinate::Free { q, v, .. } | Coordinate::Servo { q, v, .. } = system.coordinates[c]
                {
                    movers.extend([q, v]);
                }
            }
        }
        movers.sort_unstable();
        movers.dedup();
        chain.movers = movers;
    }

    /// What a unit of one state of the mechanism moves; its rate is `s` times it.
    fn moved(&self, k: usize, mover: usize, out: &mut Increments) {
        let rope = &self.system.ropes[k];
        out.reset(rope);
        for (e, node) in [(0, 0), (1, rope.elements)] {
            for tie in &self.chains[k].ties[e] {
                for c in 0..2 {
                    if tie.q == mover {
                        out.q[node][c] += tie.direction[c];
                        out.v[node][c] += tie.velocity_by_q[c];
                        out.a[node][c] += tie.acceleration_by_q[c];
                    }
                    if tie.v == mover {
                        out.v[node][c] += tie.direction[c];
                        out.a[node][c] += tie.acceleration_by_v[c] + self.shift * tie.direction[c];
                    }
                }
            }
        }
        for (d, &index) in rope.drums.iter().enumerate() {
            let drum = &self.system.drums[index];
            let states = |c: usize| match self.system.coordinates[c] {
                Coordinate::Free { q, v, .. } | Coordinate::Servo { q, v, .. } => Some((q, v)),
                _ => None,
            };
            for (c, coordinate) in drum.carrier.into_iter().flatten().enumerate() {
                if let Some((q, v)) = states(coordinate) {
                    out.drums[d][c] += f64::from(u8::from(q == mover));
                    out.drums[d][2 + c] += f64::from(u8::from(v == mover));
                }
            }
            if let Some((_, v)) = states(drum.rotor) {
                out.drums[d][4] += f64::from(u8::from(v == mover));
            }
        }
    }

    /// Friction states that follow from the other increments, and `b` where it is given: `(s − ∂ż/∂z) u_z = b_z + …`.
    fn fill_states(&self, k: usize, u: &mut Increments, b: Option<&[f64]>) {
        let rope = &self.system.ropes[k];
        if rope.states == 0 {
            return;
        }
        let own = |node: usize, i: usize| b.map_or(0.0, |b| b[rope.nodes[node].z + i]);
        for node in 0..rope.nodes.len() {
            for i in 0..rope.states {
                u.z[node][i] = own(node, i) / (self.shift + self.chains[k].ebb);
            }
        }
        for touch in &self.chains[k].touches {
            let inputs = u.inputs(touch, false);
            let mut matrix = vec![0.0; rope.states * rope.states];
            let mut right = vec![0.0; rope.states];
            for i in 0..rope.states {
                let by = &touch.by[3 + i];
                right[i] = own(touch.node, i) + by.iter().zip(&inputs).map(|(s, x)| s * x).sum::<f64>();
                for j in 0..rope.states {
                    matrix[i * rope.states + j] = if i == j { self.shift } else { 0.0 } - by[8 + j];
                }
            }
            let mut pivots = vec![0; rope.states];
            if factorise(&mut matrix, &mut pivots) {
                substitute(&matrix, &pivots, &mut right);
            }
            u.z[touch.node][..rope.states].copy_from_slice(&right);
        }
    }

    /// The rows `M a − f` of all nodes under increments, and the ports.
    fn rows(&self, k: usize, u: &Increments) -> IncrementRows {
        let rope = &self.system.ropes[k];
        let chain = &self.chains[k];
        let mass = &chain.kernel.mass;
        let mut nodes = vec![[0.0; 4]; rope.nodes.len()];
        for (i, [by_place, by_speed]) in chain.elements.iter().enumerate() {
            let pick = |x: &[[f64; 4]]| -> [f64; 8] { std::array::from_fn(|n| x[i + n / 4][n % 4]) };
            let (q, v) = (pick(&u.q), pick(&u.v));
            // A column of the border moves an end or a few nodes on a drum.
            if q.iter().chain(&v).all(|x| *x == 0.0) {
                continue;
            }
            for m in 0..8 {
                let mut sum = 0.0;
                for n in 0..8 {
                    sum += by_place[m][n] * q[n] + by_speed[m][n] * v[n];
                }
                nodes[i + m / 4][m % 4] += sum;
            }
        }
        for (i, row) in nodes.iter_mut().enumerate() {
            for j in i.saturating_sub(1)..(i + 2).min(u.a.len()) {
                if u.a[j] == [0.0; 4] {
                    continue;
                }
                for r in 0..4 {
                    for s in [r % 2, 2 + r % 2] {
                        row[r] += mass.entry(2 * i + r / 2, 2 * j + s / 2) * u.a[j][s];
                    }
                }
            }
        }
        let mut ports = vec![0.0; rope.ports()];
        for touch in &chain.touches {
            let inputs = u.inputs(touch, true);
            let made: [f64; 3] =
                std::array::from_fn(|o| touch.by[o].iter().zip(&inputs).map(|(s, x)| s * x).sum());
            let port = &mut ports[2 * END + DRUM * touch.drum..][..DRUM];
            for c in 0..2 {
                nodes[touch.node][c] -= made[c];
                port[c] -= made[c];
            }
            port[2] -= touch.reach * made[2];
        }
        // What an end feels is what its row lacks, and the mass that the mechanism counts as its own.
        for (e, node) in [(0, 0), (1, rope.elements)] {
            if rope.ends[e].tie.is_some() {
                for c in 0..2 {
                    let felt: f64 = [(0, 0), (1, rope.elements)]
                        .iter()
                        .map(|&(d, other)| mass.felt[e][d] * u.a[other][c])
                        .sum();
                    ports[END * e + c] = felt - nodes[node][c];
                }
            }
        }
        IncrementRows { nodes, ports }
    }

    /// The block tridiagonal matrix of a rope, and a column for each mover.
    fn fill_chain(&mut self, k: usize) {
        let system = self.system.clone();
        let rope = &system.ropes[k];
        let shift = self.shift;
        let states = rope.states;
        {
            let RopeChain { tri, elements, touches, kernel, movers, .. } = &mut self.chains[k];
            let mass = &kernel.mass;
            tri.diag.fill([[0.0; 4]; 4]);
            tri.rhs.fill([0.0; 4]);
            for (i, [by_place, by_speed]) in elements.iter().enumerate() {
                for m in 0..8 {
                    for n in 0..8 {
                        let value = by_speed[m][n] + by_place[m][n] / shift;
                        match (m / 4, n / 4) {
                            (0, 0) => tri.diag[i][m][n] += value,
                            (1, 1) => tri.diag[i + 1][m - 4][n - 4] += value,
                            (0, _) => tri.upper[i][m][n - 4] = value,
                            _ => tri.lower[i][m - 4][n] = value,
                        }
                    }
                }
            }
            for i in 0..rope.nodes.len() {
                for r in 0..4 {
                    for s in [r % 2, 2 + r % 2] {
                        let (row, column) = (2 * i + r / 2, 2 * i + s / 2);
                        tri.diag[i][r][s] += shift * mass.entry(row, column);
                        if i < rope.elements {
                            let value = shift * mass.entry(row, column + 2);
                            tri.upper[i][r][s] += value;
                            tri.lower[i][s][r] += value;
                        }
                    }
                }
            }
            for touch in touches {
                let by = touch.eliminated(states, shift);
                for r in 0..2 {
                    for c in 0..4 {
                        tri.diag[touch.node][r][c] -= by[r][4 + c] + by[r][c] / shift;
                    }
                }
            }
            for (i, places) in rope.nodes.iter().enumerate() {
                for r in (0..4).filter(|r| places.q[*r].is_none()) {
                    tri.diag[i][r] = [0.0; 4];
                    tri.diag[i].iter_mut().for_each(|row| row[r] = 0.0);
                    tri.diag[i][r][r] = 1.0;
                    if i > 0 {
                        tri.lower[i - 1][r] = [0.0; 4];
                        tri.upper[i - 1].iter_mut().for_each(|row| row[r] = 0.0);
                    }
                    if i < rope.elements {
                        tri.upper[i][r] = [0.0; 4];
                        tri.lower[i].iter_mut().for_each(|row| row[r] = 0.0);
                    }
                }
            }
            tri.border(movers.len(), 0, rope.elements);
        }
        let mut u = Increments::default();
        for column in 0..self.chains[k].movers.len() {
            self.moved(k, self.chains[k].movers[column], &mut u);
            self.fill_states(k, &mut u, None);
            let rows = self.rows(k, &u);
            for (i, row) in rows.nodes.iter().enumerate() {
                for r in (0..4).filter(|r| rope.nodes[i].q[*r].is_some()) {
                    self.chains[k].tri.row_mut(i, r)[column] = row[r];
                }
            }
        }
    }

    /// What each mover does to the ports once the rope has followed.
    fn fill_ports(&mut self, k: usize) {
        let mut u = Increments::default();
        let mut all = Vec::new();
        for column in 0..self.chains[k].movers.len() {
            self.moved(k, self.chains[k].movers[column], &mut u);
            let tri = &self.chains[k].tri;
            for (i, places) in self.system.ropes[k].nodes.iter().enumerate() {
                for r in (0..4).filter(|r| places.q[*r].is_some()) {
                    let w = -tri.row(i, r)[column];
                    u.v[i][r] = w;
                    u.q[i][r] = w / self.shift;
                    u.a[i][r] = w * self.shift;
                }
            }
            self.fill_states(k, &mut u, None);
            all.push(self.rows(k, &u).ports);
        }
        self.chains[k].ports = all;
    }

    /// The mechanism's own matrix, ropes included.
    fn fill_mechanism(&mut self) {
        let n = self.system.rigid;
        for (slot, slope) in self.factors.iter_mut().zip(&self.by_state) {
            *slot = -slope;
        }
        for i in 0..n {
            self.factors[i * n + i] += self.shift;
        }
        let m: usize = self.system.ropes.iter().map(Rope::ports).sum();
        let mut first = 0;
        for (chain, rope) in self.chains.iter().zip(&self.system.ropes) {
            for (mover, ports) in chain.movers.iter().zip(&chain.ports) {
                for row in 0..n {
                    let slopes = &self.by_port[row * m + first..][..rope.ports()];
                    let sum: f64 = slopes.iter().zip(ports).map(|(s, f)| s * f).sum();
                    self.factors[row * n + mover] -= sum;
                }
            }
            first += rope.ports();
        }
    }
}

impl Structure for RopeStructure {
    fn linearise(&mut self, at: Point<f64>) {
        let system = self.system.clone();
        let flow = system.flow(&at, None);
        let a = system.accelerations(&at, &flow);
        let ports = flow.ports.clone();
        for k in 0..system.ropes.len() {
            self.linearise_rope(k, &at, &flow, &a);
        }
        self.linearise_mechanism(&at, &ports);
    }

    fn factorise(&mut self, shift: f64) -> bool {
        self.shift = shift;
        for k in 0..self.chains.len() {
            self.fill_chain(k);
            let starts = vec![0; self.chains[k].movers.len()];
            if self.chains[k].tri.eliminate(&starts).is_err() {
                return false;
            }
            self.fill_ports(k);
        }
        self.fill_mechanism();
        factorise(&mut self.factors, &mut self.pivots)
    }

    fn solve(&mut self, b: &mut [f64]) {
        let system = self.system.clone();
        let n = system.rigid;
        let m: usize = system.ropes.iter().map(Rope::ports).sum();
        let mut particular = vec![0.0; m];
        let mut first = 0;
        for (k, rope) in system.ropes.iter().enumerate() {
            // Without the mechanism: positions and rates that `b` alone prescribes.
            let mut u = Increments::default();
            self.prescribe(k, b, &mut u);
            self.fill_states(k, &mut u, Some(b));
            let rows = self.rows(k, &u);
            let tri = &mut self.chains[k].tri;
            for (i, places) in rope.nodes.iter().enumerate() {
                tri.rhs[i] =
                    std::array::from_fn(|r| if places.q[r].is_some() { -rows.nodes[i][r] } else { 0.0 });
            }
            tri.solve();
            tri.finish(&[]);
            self.follow(k, &mut u);
            self.fill_states(k, &mut u, Some(b));
            particular[first..first + rope.ports()].copy_from_slice(&self.rows(k, &u).ports);
            first += rope.ports();
        }
        for row in 0..n {
            let slopes = &self.by_port[row * m..(row + 1) * m];
            b[row] += slopes.iter().zip(&particular).map(|(s, f)| s * f).sum::<f64>();
        }
        substitute(&self.factors, &self.pivots, &mut b[..n]);
        for (k, rope) in system.ropes.iter().enumerate() {
            let mut u = Increments::default();
            u.reset(rope);
            let mut one = Increments::default();
            for column in 0..self.chains[k].movers.len() {
                let mover = self.chains[k].movers[column];
                self.moved(k, mover, &mut one);
                u.add(b[mover], &one);
            }
            let chain = &self.chains[k];
            for (i, places) in rope.nodes.iter().enumerate() {
                for r in 0..4 {
                    let (Some(place), Some(speed)) = (places.q[r], places.v[r]) else { continue };
                    let columns = chain.tri.row(i, r);
                    let w = chain.tri.rhs[i][r]
                        - chain.movers.iter().zip(columns).map(|(m, x)| b[*m] * x).sum::<f64>();
                    let from = b[place];
                    u.v[i][r] = w;
                    u.q[i][r] = (w + from) / self.shift;
                    b[place] = u.q[i][r];
                    b[speed] = w;
                }
            }
            self.fill_states(k, &mut u, Some(b));
            for (i, places) in rope.nodes.iter().enumerate() {
                b[places.z..places.z + rope.states].copy_from_slice(&u.z[i][..rope.states]);
            }
        }
    }

    fn boxed(&self) -> Box<dyn Structure> {
        Box::new(self.clone())
    }
}

impl RopeStructure {
    /// Increments that the right-hand side prescribes while no velocity changes.
    fn prescribe(&self, k: usize, b: &[f64], u: &mut Increments) {
        let rope = &self.system.ropes[k];
        u.reset(rope);
        for (i, places) in rope.nodes.iter().enumerate() {
            for r in 0..4 {
                if let (Some(place), Some(speed)) = (places.q[r], places.v[r]) {
                    u.q[i][r] = b[place] / self.shift;
                    u.a[i][r] = -b[speed];
                }
            }
        }
        for (e, node) in [(0, 0), (1, rope.elements)] {
            for tie in &self.chains[k].ties[e] {
                for c in 0..2 {
                    u.a[node][c] -= tie.direction[c] * b[tie.v];
                }
            }
        }
    }

    /// Adds the velocities that were solved for, with what follows from them.
    fn follow(&self, k: usize, u: &mut Increments) {
        for (i, places) in self.system.ropes[k].nodes.iter().enumerate() {
            for r in (0..4).filter(|r| places.q[*r].is_some()) {
                let w = self.chains[k].tri.rhs[i][r];
                u.v[i][r] += w;
                u.q[i][r] += w / self.shift;
                u.a[i][r] += w * self.shift;
            }
        }
    }
}

impl Increments {
    fn reset(&mut self, rope: &Rope) {
        let n = rope.nodes.len();
        for list in [&mut self.q, &mut self.v, &mut self.a] {
            list.clear();
            list.resize(n, [0.0; 4]);
        }
        self.z.clear();
        self.z.resize(n, [0.0; STATES]);
        self.drums.clear();
        self.drums.resize(rope.drums.len(), [0.0; 5]);
    }

    fn add(&mut self, weight: f64, other: &Increments) {
        let pairs = [(&mut self.q, &other.q), (&mut self.v, &other.v)];
        for (to, from) in pairs {
            for (to, from) in to.iter_mut().flatten().zip(from.iter().flatten()) {
                *to += weight * from;
            }
        }
        for (to, from) in self.drums.iter_mut().flatten().zip(other.drums.iter().flatten()) {
            *to += weight * from;
        }
    }

    /// What a touching node depends on; without its friction states where they are still sought.
    fn inputs(&self, touch: &TouchSlopes, with_states: bool) -> [f64; INPUTS] {
        std::array::from_fn(|i| match i {
            0..4 => self.q[touch.node][i],
            4..8 => self.v[touch.node][i - 4],
            8..12 if with_states => self.z[touch.node][i - 8],
            8..12 => 0.0,
            _ => self.drums[touch.drum][i - 12],
        })
    }
}
