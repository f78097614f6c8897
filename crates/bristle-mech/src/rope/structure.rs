//! The linear systems of implicit steps: chains of nodes, bordered by the mechanism.
//!
//! ```text
//! (s − J) u = b      ropes:        T w + C u_m = r(b),   see `chain`
//!                    mechanism:    (s − R_x) u_m − R_p (ports) = b_m
//!                    quadratures:  s u_q = b_q + Q_x u_m + Q_p (ports) + what the ropes lose
//! ```
//!
//! What a rope's ports do when the mechanism moves is found with one solution of its chain for each state of the
//! mechanism that moves it, so that the cost is proportional to the number of nodes.

use super::Rope;
use super::chain::RopeChain;
use super::slopes_along::SlopesAlong;
use super::touch_slopes::W;
use crate::system::{System, SystemEval};
use bristle_core::{Dual, Scalar, derivative, partial, seed};
use bristle_solve::{Dense, Dynamics, Point, Structure};
use std::sync::Arc;

/// The linear systems of a mechanism with ropes.
#[derive(Clone)]
pub(crate) struct RopeStructure {
    system: Arc<System>,
    chains: Vec<RopeChain>,
    /// Derivatives of the mechanism's rates, then of the quadratures, with its states and with the ports: row after
    /// row.
    by_state: Vec<f64>,
    by_port: Vec<f64>,
    shift: f64,
    /// The mechanism's own matrix.
    factors: Dense,
    /// What the ports feel at the point linearised last.
    port_values: Vec<f64>,
    /// Increments of all ports, and of the quadratures.
    ports: Vec<f64>,
    quadratures: Vec<f64>,
}

/// A point of the mechanism with slopes in time.
struct Along {
    x: Vec<Dual<1>>,
    p: Vec<Dual<1>>,
    ports: Vec<Dual<1>>,
    ropes: Vec<SlopesAlong>,
}

impl RopeStructure {
    pub(crate) fn new(system: &System) -> Self {
        let n = system.rigid;
        let rows = n + system.quadratures();
        let ports: usize = system.ropes.iter().map(Rope::ports).sum();
        RopeStructure {
            chains: system.ropes.iter().map(|rope| RopeChain::new(system, rope)).collect(),
            by_state: vec![0.0; rows * n],
            by_port: vec![0.0; rows * ports],
            shift: 0.0,
            factors: Dense::new(n),
            port_values: vec![0.0; ports],
            ports: vec![0.0; ports],
            quadratures: vec![0.0; system.quadratures()],
            system: Arc::new(system.clone()),
        }
    }

    /// Derivatives of the mechanism's rates with its states and with the ports of its ropes.
    fn linearise_mechanism(&mut self, at: &Point<f64>, ports: &[f64]) {
        let (n, m, core) = (self.system.rigid, ports.len(), self.system.core);
        let p: Vec<Dual<W>> = at.p.iter().map(|p| Dual::from(*p)).collect();
        let mut dx = vec![Dual::<W>::from(0.0); at.x.len()];
        for first in (0..n + m).step_by(W) {
            let lift = |(place, value): (usize, &f64)| {
                let is_seeded = (first..first + W).contains(&place);
                if is_seeded { seed(*value, place - first) } else { Dual::from(*value) }
            };
            // With the ports given, the states of ropes are not asked for.
            let all: Vec<Dual<W>> = at.x[..n].iter().chain(ports).enumerate().map(lift).collect();
            let (x, ports) = all.split_at(n);
            let point = Point { t: Dual::from(at.t), x, p: &p, mode: at.mode };
            self.system.rates_with(point, Some(ports), &mut dx);
            let rates = dx[..n].iter().chain(&dx[core..]);
            for (row, rate) in rates.enumerate() {
                for place in first..(first + W).min(n + m) {
                    let slope = partial(rate, place - first);
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

    /// Time and the mechanism's states in numbers that carry their slopes in time, while the states have these rates;
    /// what the ropes and their ports do then.
    fn along(&mut self, at: &Point<f64>, rates: Option<&[f64]>) -> Along {
        let system = self.system.clone();
        let rate = |i: usize| rates.map_or(0.0, |rates| rates[i]);
        let rigid = at.x[..system.rigid].iter().enumerate();
        let x: Vec<Dual<1>> = rigid.map(|(i, x)| derivative(*x, [rate(i)])).collect();
        let p: Vec<Dual<1>> = at.p.iter().map(|p| Dual::from(*p)).collect();
        let point = Point { t: seed(at.t, 0), x: &x, p: &p, mode: at.mode };
        let mut motion = SystemEval::new();
        system.motion(&point, &mut motion);
        let mut first = 0;
        let mut ropes = Vec::new();
        for (rope, chain) in system.ropes.iter().zip(&mut self.chains) {
            let ports = &mut self.ports[first..first + rope.ports()];
            ropes.push(chain.slopes_along(&system, rope, (&point, &motion), rates, ports));
            first += rope.ports();
        }
        let values = self.port_values.iter().zip(&self.ports);
        let ports = values.map(|(value, slope)| derivative(*value, [*slope])).collect();
        Along { x, p, ports, ropes }
    }

    /// Writes `∂f/∂t`.
    fn slopes_in_time(&mut self, at: &Point<f64>, slopes: &mut [f64]) {
        let system = self.system.clone();
        let Along { x, p, ports, ropes: own } = self.along(at, None);
        let at = Point { t: seed(at.t, 0), x: &x, p: &p, mode: at.mode };
        let mut dx = vec![Dual::<1>::from(0.0); slopes.len()];
        let moved = system.flow_with(&at, Some(&ports), Some(&mut dx));
        let a = system.accelerations(&at, &moved);
        system.write_rates(&at, &moved, &a, &mut dx);
        slopes.iter_mut().zip(&dx).for_each(|(slope, rate)| *slope = partial(rate, 0));
        for ((rope, own), chain) in system.ropes.iter().zip(&own).zip(&self.chains) {
            let ends = system.end_accelerations(rope, &at, &moved, &a);
            let ends = ends.map(|end| end.map_or([0.0; 2], |a| a.map(|a| partial(&a, 0))));
            let mass = &chain.kernel.mass;
            for (i, places) in rope.nodes.iter().enumerate() {
                for k in 0..4 {
                    let (Some(place), Some(speed)) = (places.q[k], places.v[k]) else { continue };
                    let mut slope = own.own.get(i).map_or(0.0, |a| a[k]);
                    for (e, end) in ends.iter().enumerate() {
                        slope -= end[k % 2] * mass.follows[e].get(2 * i + k / 2).copied().unwrap_or(0.0);
                    }
                    (slopes[place], slopes[speed]) = (0.0, slope);
                }
            }
            for point in &chain.kernel.points {
                slopes[rope.states_at(point)..][..rope.states].fill(0.0);
            }
            for (z, rates) in &own.states {
                slopes[*z..][..rope.states].copy_from_slice(&rates[..rope.states]);
            }
            for (d, power) in &own.rubbed {
                slopes[system.drums[rope.drums[*d]].work] += power;
            }
            slopes[system.input] += own.powers.input;
            if let Some(damping) = system.damping {
                slopes[damping] += own.powers.loss;
            }
        }
    }

    /// The mechanism's own matrix, ropes included.
    fn factorise_mechanism(&mut self) -> bool {
        let (n, m) = (self.system.rigid, self.ports.len());
        let matrix = self.factors.rows_mut();
        for (slot, slope) in matrix.iter_mut().zip(&self.by_state) {
            *slot = -slope;
        }
        for i in 0..n {
            matrix[i * n + i] += self.shift;
        }
        let mut first = 0;
        for (chain, rope) in self.chains.iter().zip(&self.system.ropes) {
            let count = rope.ports();
            for (mover, ports) in chain.movers.iter().zip(chain.ports.chunks_exact(count)) {
                for row in 0..n {
                    matrix[row * n + mover] -= product(&self.by_port[row * m + first..][..count], ports);
                }
            }
            first += count;
        }
        self.factors.factorise()
    }
}

impl Structure for RopeStructure {
    fn linearise(&mut self, at: Point<f64>, rates: &mut [f64], slopes: &mut [f64]) {
        let system = self.system.clone();
        let flow = system.flow_with(&at, None, Some(&mut *rates));
        let a = system.accelerations(&at, &flow);
        system.write_rates(&at, &flow, &a, rates);
        for (k, chain) in self.chains.iter_mut().enumerate() {
            chain.linearise(&system, k, &at, &flow, &a);
        }
        self.linearise_mechanism(&at, &flow.ports);
        self.port_values.copy_from_slice(&flow.ports);
        self.slopes_in_time(&at, slopes);
    }

    fn guard_rates(&mut self, at: Point<f64>, rates: &[f64], g: &mut [f64], dg: &mut [f64]) {
        let Along { x, p, ports, ropes: own } = self.along(&at, Some(rates));
        let here = at;
        let at = Point { t: seed(at.t, 0), x: &x, p: &p, mode: at.mode };
        let mut guards = vec![Dual::<1>::from(0.0); g.len()];
        self.system.guards_of(&at, &self.system.flow_with(&at, Some(&ports), None), &mut guards);
        for (i, guard) in guards.iter().enumerate() {
            (g[i], dg[i]) = (guard.value(), partial(guard, 0));
        }
        if self.system.ropes.iter().all(|rope| rope.modes == 0) {
            return;
        }
        let flow = self.system.flow(&here, None);
        self.system.rope_guards(&here, &flow, g);
        self.system.contact_guard_rates(&here, &flow, dg);
        for (rope, own) in self.system.ropes.iter().zip(&own) {
            for (point, slopes) in &own.guards {
                dg[rope.slot + point * rope.modes + 1..][..2].copy_from_slice(slopes);
            }
        }
    }

    fn factorise(&mut self, shift: f64) -> bool {
        self.shift = shift;
        let mut chains = self.chains.iter_mut().zip(&self.system.ropes);
        chains.all(|(chain, rope)| chain.factorise(rope, shift)) && self.factorise_mechanism()
    }

    fn solve(&mut self, b: &mut [f64]) {
        let system = self.system.clone();
        let (n, m, core) = (system.rigid, self.ports.len(), system.core);
        let mut first = 0;
        for (chain, rope) in self.chains.iter_mut().zip(&system.ropes) {
            chain.respond(rope, b, self.shift);
            self.ports[first..first + rope.ports()].copy_from_slice(&chain.particular);
            first += rope.ports();
        }
        for row in 0..n {
            b[row] += product(&self.by_port[row * m..(row + 1) * m], &self.ports);
        }
        self.factors.solve(&mut b[..n]);
        first = 0;
        for (chain, rope) in self.chains.iter().zip(&system.ropes) {
            chain.ports_in_all(b, &mut self.ports[first..first + rope.ports()]);
            first += rope.ports();
        }
        for (k, slope) in self.quadratures.iter_mut().enumerate() {
            let row = n + k;
            *slope = product(&self.by_state[row * n..(row + 1) * n], &b[..n])
                + product(&self.by_port[row * m..(row + 1) * m], &self.ports);
        }
        for (chain, rope) in self.chains.iter_mut().zip(&system.ropes) {
            let slopes = &mut self.quadratures;
            let rubbed = |d: usize, power: f64| slopes[system.drums[rope.drums[d]].work - core] += power;
            let powers = chain.complete(rope, b, self.shift, rubbed);
            self.quadratures[system.input - core] += powers.input;
            if let Some(damping) = system.damping {
                self.quadratures[damping - core] += powers.loss;
            }
        }
        for (slot, slope) in b[core..].iter_mut().zip(&self.quadratures) {
            *slot = (*slot + slope) / self.shift;
        }
    }

    fn boxed(&self) -> Box<dyn Structure> {
        Box::new(self.clone())
    }
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
