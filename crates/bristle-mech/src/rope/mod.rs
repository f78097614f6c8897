//! Ropes beside bodies: flexible cables whose ends are tied to bodies and that lie on drums which bodies may carry.
//!
//! A rope brings states of its own, place and slope at each node. What it shares with the mechanism are *ports*: the forces with
//! which it pulls at whatever holds its ends, and those with which it lies on its drums. Ends that a body moves are no states;
//! their mass is felt by the body:
//!
//! ```text
//! rope:       M_cc a_c + M_ce a_e = f_c                      (banded, constant: see `mass`)
//! mechanism:  (m + Eᵀ S E) a = f + Eᵀ (f_e − M_ec M_cc⁻¹ f_c − S b),    a_e = E a + b
//! ```
//!
//! with `E` the directions in which free coordinates move the ends and `b` what prescribed motion adds. Friction at rest,
//! loads and events of the mechanism see this mass and these forces, and need to know nothing else about ropes.

mod alone;
mod build;
mod cards;
mod chain;
mod dead_band;
mod faults;
mod increments;
mod kernel;
mod mass;
mod observe;
mod slopes_along;
mod start;
mod structure;
mod tie;
mod tied;
mod tolerance;
mod touch;
mod touch_slopes;

pub use alone::CableAlone;
pub(crate) use build::is_lone_cable;
pub use faults::drum_friction;
pub(crate) use kernel::{KernelShelf, RopeKernel};
pub use observe::{DrumContact, DrumShape, PointContact, RopeShape};
pub(crate) use start::StartScene;
pub(crate) use structure::RopeStructure;
pub(crate) use tie::Tie;
use tied::TiedEnds;
pub(crate) use touch::{DrumMotion, PointTouch};

use crate::mobility::Mobility;
use crate::parts;
use crate::signals::Signal;
use crate::system::{Coordinate, Short, System, SystemEval};
use bristle_cable::{CableNode, ContactPoint};
use bristle_core::{Choice, Params, Scalar};
use bristle_law::{AnyLaw, LawKind};
use bristle_solve::Point;
use std::sync::Arc;

/// A rope with everything resolved to places.
#[derive(Clone, Debug)]
pub(crate) struct Rope {
    pub(crate) name: String,
    /// Where the numbers of the cable start.
    pub(crate) first: usize,
    pub(crate) choices: Vec<Choice>,
    pub(crate) elements: usize,
    /// Points of contact in each element.
    pub(crate) points: usize,
    /// Where the numbers of gravity start.
    pub(crate) gravity: Option<usize>,
    pub(crate) ends: [RopeEnd; 2],
    /// The drums it can touch, by their places in the system.
    pub(crate) drums: Vec<usize>,
    /// The drums it is laid over, in order, by their places in `drums`.
    pub(crate) over: Vec<usize>,
    /// Whether it comes to rest before the run.
    pub(crate) rests: bool,
    /// Places of the states of each node.
    pub(crate) nodes: Vec<NodePlaces>,
    /// Friction states of each point of contact.
    pub(crate) states: usize,
    /// Modes of each point, and where those of the first stand.
    pub(crate) modes: usize,
    pub(crate) slot: usize,
    /// What follows from the parameters, for those it was asked for lately.
    pub(crate) kernels: KernelShelf,
    /// The shape at the start, and the parameters it belongs to.
    pub(crate) start: Vec<CableNode>,
    pub(crate) started_with: Vec<f64>,
}

/// An end of a rope.
#[derive(Clone, Debug)]
pub(crate) struct RopeEnd {
    pub(crate) name: String,
    /// Where the numbers of the end start, if it has a part of its own.
    pub(crate) first: Option<usize>,
    /// What moves it; free without.
    pub(crate) tie: Option<Tie>,
    /// A body that hangs on it and on nothing else.
    pub(crate) load: Option<RopeLoad>,
    pub(crate) is_clamped: bool,
    /// Forces to the right and upwards.
    pub(crate) force: [Option<Signal>; 2],
}

/// A body that the end of a rope moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RopeLoad {
    /// Its coordinates, to the right and upwards.
    pub(crate) coordinates: [usize; 2],
    /// Place of its mass among the parameters.
    pub(crate) mass: usize,
}

/// Where the states of a node stand: coordinates that something else moves have none.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodePlaces {
    pub(crate) q: [Option<usize>; 4],
    pub(crate) v: [Option<usize>; 4],
    pub(crate) z: usize,
}

/// A drum that ropes lie on.
#[derive(Clone, Debug)]
pub(crate) struct RopeDrum {
    pub(crate) name: String,
    pub(crate) first: usize,
    pub(crate) choices: Vec<Choice>,
    /// Coordinates of the body that carries it.
    pub(crate) carrier: Option<[usize; 2]>,
    /// The coordinate that turns.
    pub(crate) rotor: usize,
    pub(crate) law: Option<DrumLaw>,
    /// Place of the energy lost to friction among the states.
    pub(crate) work: usize,
}

/// The friction law of a drum.
#[derive(Clone, Debug)]
pub(crate) struct DrumLaw {
    pub(crate) kind: LawKind,
    pub(crate) first: usize,
    pub(crate) count: usize,
    pub(crate) choices: Vec<Choice>,
}

/// A rope at one instant.
#[derive(Clone, Debug)]
pub(crate) struct RopeFlow<S> {
    pub(crate) kernel: Arc<RopeKernel>,
    pub(crate) q: Vec<[S; 4]>,
    pub(crate) v: Vec<[S; 4]>,
    /// Accelerations of its own if the ends stood still.
    pub(crate) own: Vec<[S; 4]>,
    /// Points that touch, and the drum (among those of the rope).
    pub(crate) touches: Vec<(usize, usize, PointTouch<S>)>,
    /// Power lost to damping inside and in contact, and put in at free ends.
    pub(crate) loss: S,
    pub(crate) input: S,
}

/// So many ports each end and each drum has.
const END: usize = 2;
const DRUM: usize = 3;

impl Rope {
    /// How many numbers pass between it and the mechanism: forces at both ends, forces and torque at each drum.
    pub(crate) fn ports(&self) -> usize {
        2 * END + DRUM * self.drums.len()
    }

    /// Gives the states of all nodes their places, from `next` on; gives the next free one.
    pub(crate) fn lay_out(&mut self, mut next: usize) -> usize {
        let last = self.elements;
        for (i, places) in self.nodes.iter_mut().enumerate() {
            let end = if i == 0 { Some(0) } else { (i == last).then_some(1) };
            let end = end.map(|e| &self.ends[e]);
            let is_tied = end.is_some_and(|e| e.tie.is_some());
            let is_clamped = end.is_some_and(|e| e.is_clamped);
            for list in [&mut places.q, &mut places.v] {
                for (k, slot) in list.iter_mut().enumerate() {
                    let is_held = if k < 2 { is_tied } else { is_clamped };
                    *slot = (!is_held).then_some(next);
                    next += usize::from(!is_held);
                }
            }
            places.z = next;
            next += self.states * if i < last { self.points } else { 1 };
        }
        next
    }
}

impl RopeEnd {
    /// Whether something says where it is at the start: what it is tied to, or what hangs on it.
    pub(crate) fn is_placed(&self) -> bool {
        self.tie.is_some() || self.load.is_some()
    }

    /// The force that pushes at it.
    pub(crate) fn push<S: Scalar>(&self, at: &Point<S>) -> [S; 2] {
        self.force.each_ref().map(|s| s.as_ref().map_or_else(S::zero, |s| s.jet(at.p, at.t).value))
    }
}

impl RopeDrum {
    /// Its numbers.
    pub(crate) fn numbers<S: Scalar>(&self, p: &[S]) -> parts::Drum<S> {
        Params::from_slices(&p[self.first..], &self.choices)
    }

    /// Where it is and how it moves.
    pub(crate) fn motion<S: Scalar>(&self, p: &[S], flow: &SystemEval<S>) -> DrumMotion<S> {
        let numbers = self.numbers(p);
        let (mut centre, mut velocity) = ([numbers.x, numbers.y], [S::zero(); 2]);
        if let Some(carrier) = self.carrier {
            for c in 0..2 {
                centre[c] += flow.q[carrier[c]];
                velocity[c] = flow.v[carrier[c]];
            }
        }
        DrumMotion { centre, velocity, spin: flow.v[self.rotor] }
    }

    /// Whether its law has a dead band.
    pub(crate) fn has_band(&self) -> bool {
        self.law.as_ref().is_some_and(|law| law.kind == LawKind::Karnopp)
    }

    /// The law of the catalogue with these parameters, unless it is one with a form of its own.
    pub(crate) fn law<S: Scalar>(&self, p: &[S]) -> Option<AnyLaw<S>> {
        let law = self.law.as_ref()?;
        Some(law.kind.build(&p[law.first..law.first + law.count], &law.choices))
    }
}

impl System {
    /// What ropes are laid over with these parameters.
    pub(crate) fn scene<'a>(&'a self, p: &'a [f64]) -> StartScene<'a> {
        StartScene { coordinates: &self.coordinates, drums: &self.drums, p }
    }

    /// Where the nodes of a rope are and how they move.
    pub(crate) fn rope_motion<S: Scalar>(
        &self,
        rope: &Rope,
        at: &Point<S>,
        flow: &SystemEval<S>,
    ) -> [Vec<[S; 4]>; 2] {
        let mut q = Vec::with_capacity(rope.nodes.len());
        let mut v = Vec::with_capacity(rope.nodes.len());
        let last = rope.elements;
        for (i, places) in rope.nodes.iter().enumerate() {
            let mut place = places.q.map(|p| p.map_or_else(S::zero, |p| at.x[p]));
            let mut speed = places.v.map(|p| p.map_or_else(S::zero, |p| at.x[p]));
            let end = if i == 0 { Some(0) } else { (i == last).then_some(1) };
            if let Some(end) = end.map(|e| &rope.ends[e]) {
                if let Some(tie) = &end.tie {
                    let tied = tie.motion(self, at.p, flow);
                    for c in 0..2 {
                        (place[c], speed[c]) = (tied.place[c], tied.velocity[c]);
                    }
                }
                if end.is_clamped {
                    let slope = rope.start[i];
                    (place[2], place[3]) = (S::from(slope[2]), S::from(slope[3]));
                }
            }
            q.push(place);
            v.push(speed);
        }
        [q, v]
    }

    /// All ropes at one instant, and what they put on the mechanism; with given ports the ropes themselves are left out.
    pub(crate) fn pull_all<S: Scalar>(
        &self,
        at: &Point<S>,
        given: Option<&[S]>,
        mut dx: Option<&mut [S]>,
        flow: &mut SystemEval<S>,
    ) {
        if let Some(ports) = given {
            return self.take_ports(at, ports, flow);
        }
        let mut ports = vec![S::zero(); self.ropes.iter().map(Rope::ports).sum()];
        let mut first = 0;
        for rope in &self.ropes {
            let own = &mut ports[first..first + rope.ports()];
            let now = self.pull(rope, at, flow, dx.as_deref_mut(), own);
            flow.loss += now.loss;
            flow.input += now.input;
            flow.ropes.push(now);
            first += rope.ports();
        }
        self.take_ports(at, &ports, flow);
        flow.ports = ports;
    }

    /// A rope at one instant; writes its ports, and the rates of its friction states into `dx` where given.
    pub(crate) fn pull<S: Scalar>(
        &self,
        rope: &Rope,
        at: &Point<S>,
        flow: &SystemEval<S>,
        mut dx: Option<&mut [S]>,
        ports: &mut [S],
    ) -> RopeFlow<S> {
        let kernel = rope.kernel(&self.drums, at.p);
        let [q, v] = self.rope_motion(rope, at, flow);
        let mut force = vec![[S::zero(); 4]; q.len()];
        let mut loss = kernel.add_elements(&q, &v, &mut force);
        let mut input = S::zero();
        for (e, node) in [(0, 0), (1, rope.elements)] {
            for (c, push) in rope.ends[e].push(at).into_iter().enumerate() {
                force[node][c] += push;
                input += push * v[node][c];
            }
            force[node][1] -= S::from(kernel.end_mass[e] * kernel.gravity);
        }
        ports.fill(S::zero());
        let mut touches = Vec::new();
        let drums: Vec<_> = rope
            .drums
            .iter()
            .map(|&d| {
                let drum = &self.drums[d];
                (drum.motion(at.p, flow), drum.law(at.p))
            })
            .collect();
        let mut dz = Short::<S, 4>::from_elem(S::zero(), rope.states);
        for (i, point) in kernel.points.iter().enumerate() {
            let place = rope.states_at(point);
            let z = &at.x[place..][..rope.states];
            dz.fill(S::zero());
            if let (Some(rate), Some(z)) = (dz.first_mut(), z.first()) {
                *rate = -(*z * kernel.ebb);
            }
            for (d, (motion, law)) in drums.iter().enumerate() {
                if rope.is_on_rim(point, d) {
                    continue;
                }
                let surface = &kernel.surfaces[d];
                // Most points are nowhere near: their velocity is not asked for.
                let here = point.of(&q);
                if !surface.reaches(motion, &here) {
                    continue;
                }
                let moving = [&here, &point.of(&v)];
                let mode = rope.modes_of(i, at.mode);
                let friction = (law.as_ref(), mode, z);
                let Some(touch) = surface.touch(point.share, motion, friction, moving, &mut dz) else {
                    continue;
                };
                let push = touch.force();
                let port = &mut ports[2 * END + DRUM * d..][..DRUM];
                point.push(push, &mut force);
                (0..2).for_each(|c| port[c] -= push[c]);
                port[2] -= touch.friction * (surface.sense.sign() * surface.radius);
                loss += touch.loss;
                touches.push((i, d, touch));
                break;
            }
            if let Some(dx) = dx.as_deref_mut() {
                dx[place..][..rope.states].copy_from_slice(&dz);
            }
        }
        let ends = [force[0], force[rope.elements]];
        let mut own = force;
        kernel.mass.solve(&mut own);
        for e in (0..2).filter(|&e| rope.ends[e].tie.is_some()) {
            let felt = kernel.mass.felt_of(e, &own);
            (0..2).for_each(|c| ports[END * e + c] = ends[e][c] + felt[c]);
        }
        RopeFlow { kernel, q, v, own, touches, loss, input }
    }

    /// Puts what comes through the ports of all ropes on the mechanism: forces, and the mass that it feels.
    pub(crate) fn take_ports<S: Scalar>(&self, at: &Point<S>, ports: &[S], flow: &mut SystemEval<S>) {
        let mut mobility = Mobility::new(self, at.p, flow.transmission.as_ref());
        let mut first = 0;
        let mut tied = Vec::new();
        for rope in &self.ropes {
            let own = &ports[first..first + rope.ports()];
            first += rope.ports();
            let ends = self.tied_ends(rope, at, flow, own);
            for (e, end) in ends.pulled() {
                for (c, direction) in &end.felt_by {
                    flow.f[*c] += ends.along(e, direction);
                }
                for (d, other) in ends.pulled() {
                    mobility.add(&end.free, &other.free, ends.felt[e][d]);
                }
            }
            for (k, &d) in rope.drums.iter().enumerate() {
                let port = &own[2 * END + DRUM * k..][..DRUM];
                let drum = &self.drums[d];
                for (c, force) in drum.carrier.iter().flat_map(|c| c.iter().zip(port)) {
                    flow.f[*c] += *force;
                }
                flow.f[drum.rotor] += port[2];
            }
            tied.push(ends);
        }
        mobility.invert();
        mobility.carry(self, at.p, &flow.a);
        // What guides and drives hold back: the free coordinates may accelerate the other end of the rope.
        let mut held = Vec::new();
        for ends in &mut tied {
            ends.follow(|c| mobility.acceleration(c, &flow.f));
            for (e, end) in ends.pulled() {
                held.extend(end.given.iter().map(|(c, direction)| (*c, ends.along(e, direction))));
            }
        }
        for (c, force) in held {
            flow.f[c] += force;
        }
        flow.mobility = Some(mobility);
    }

    /// The ends of a rope that something moves, and the forces there while no free coordinate accelerates.
    fn tied_ends<S: Scalar>(
        &self,
        rope: &Rope,
        at: &Point<S>,
        flow: &SystemEval<S>,
        ports: &[S],
    ) -> TiedEnds<S> {
        let ends = [0, 1].map(|e| rope.ends[e].tie.as_ref().map(|tie| tie.motion(self, at.p, flow)));
        let felt = rope.kernel(&self.drums, at.p).mass.felt;
        let mut pull = [0, 1].map(|e| [ports[END * e], ports[END * e + 1]]);
        for (e, pull) in pull.iter_mut().enumerate() {
            for (d, other) in ends.iter().enumerate() {
                for c in 0..2 {
                    pull[c] -= other.as_ref().map_or_else(S::zero, |o| o.bias[c]) * felt[e][d];
                }
            }
        }
        TiedEnds { ends, pull, felt }
    }

    /// What ropes that are tied to a follower take to be accelerated, seen at the follower; their forces apart.
    pub(crate) fn rope_inertia<S: Scalar>(&self, c: usize, p: &[S], flow: &SystemEval<S>, a: &[S]) -> S {
        let mut sum = S::zero();
        for rope in self.ropes.iter().filter(|rope| rope.moves_with(self, c)) {
            let felt = rope.kernel(&self.drums, p).mass.felt;
            let ends = [0, 1].map(|e| rope.ends[e].tie.as_ref().map(|tie| tie.motion(self, p, flow)));
            let rates = ends.each_ref().map(|end| {
                let mut rate = [S::zero(); 2];
                for (c, direction) in end.iter().flat_map(|end| &end.free) {
                    (0..2).for_each(|k| rate[k] += direction[k] * a[*c]);
                }
                rate
            });
            for (e, end) in ends.iter().enumerate() {
                let own = end.iter().flat_map(|end| &end.felt_by).filter(|(of, _)| *of == c);
                for (_, direction) in own {
                    for (d, rate) in rates.iter().enumerate() {
                        sum += (direction[0] * rate[0] + direction[1] * rate[1]) * felt[e][d];
                    }
                }
            }
        }
        sum
    }

    /// Writes the rates of the ropes' own states, once the accelerations of the coordinates are known.
    pub(crate) fn rope_rates<S: Scalar>(&self, at: &Point<S>, flow: &SystemEval<S>, a: &[S], dx: &mut [S]) {
        for (rope, now) in self.ropes.iter().zip(&flow.ropes) {
            let ends = self.end_accelerations(rope, at, flow, a);
            let mass = &now.kernel.mass;
            for (i, places) in rope.nodes.iter().enumerate() {
                for k in 0..4 {
                    let (Some(place), Some(speed)) = (places.q[k], places.v[k]) else { continue };
                    let (c, scalar) = (k % 2, 2 * i + k / 2);
                    dx[place] = now.v[i][k];
                    let mut rate = now.own[i][k];
                    for (e, end) in ends.iter().enumerate() {
                        if let Some(end) = end {
                            rate -= end[c] * mass.follows[e][scalar];
                        }
                    }
                    dx[speed] = rate;
                }
            }
            for (_, d, touch) in &now.touches {
                dx[self.drums[rope.drums[*d]].work] -= touch.friction * touch.slip;
            }
        }
    }

    /// Changes the velocities of coordinates that ropes are tied to or that are coupled, by impulses on them; the ropes follow.
    /// Says by how much each has changed.
    pub(crate) fn kick(&self, flow: &SystemEval<f64>, p: &[f64], pushes: &[f64], x: &mut [f64]) -> Vec<f64> {
        let mut change = vec![0.0; self.coordinates.len()];
        let Some(mobility) = flow.mobility.as_ref().filter(|_| pushes.iter().any(|push| *push != 0.0)) else {
            return change;
        };
        for (c, coordinate) in self.coordinates.iter().enumerate() {
            change[c] = mobility.response(c, pushes);
            if let (Coordinate::Free { v, .. }, true) = (coordinate, mobility.has(c)) {
                x[*v] += change[c];
            }
        }
        for rope in &self.ropes {
            let mass = &rope.kernel(&self.drums, p).mass;
            for e in 0..2 {
                let Some(tie) = &rope.ends[e].tie else { continue };
                let mut end = [0.0; 2];
                for (c, direction) in &tie.motion(self, p, flow).free {
                    (0..2).for_each(|k| end[k] += direction[k] * change[*c]);
                }
                for (i, places) in rope.nodes.iter().enumerate() {
                    for k in 0..4 {
                        if let Some(speed) = places.v[k] {
                            x[speed] -= mass.follows[e][2 * i + k / 2] * end[k % 2];
                        }
                    }
                }
            }
        }
        change
    }

    /// Accelerations of the ends that something moves.
    pub(crate) fn end_accelerations<S: Scalar>(
        &self,
        rope: &Rope,
        at: &Point<S>,
        flow: &SystemEval<S>,
        a: &[S],
    ) -> [Option<[S; 2]>; 2] {
        [0, 1].map(|e| {
            let tie = rope.ends[e].tie.as_ref()?.motion(self, at.p, flow);
            let mut sum = tie.bias;
            for (c, direction) in &tie.free {
                for k in 0..2 {
                    sum[k] += direction[k] * a[*c];
                }
            }
            Some(sum)
        })
    }
}

impl Rope {
    /// How many points of contact it has.
    pub(crate) fn point_count(&self) -> usize {
        self.elements * self.points + 1
    }

    /// How many modes its points have together.
    pub(crate) fn nodes_slots(&self) -> usize {
        self.point_count() * self.modes
    }

    /// Whether one of its ends is tied to that coordinate.
    fn moves_with(&self, system: &System, coordinate: usize) -> bool {
        let ties = self.ends.iter().filter_map(|end| end.tie.as_ref());
        ties.into_iter().any(|tie| tie.coordinates(system).contains(&coordinate))
    }

    /// Where the friction states of a point of contact stand.
    pub(crate) fn states_at(&self, point: &ContactPoint) -> usize {
        self.nodes[point.node].z + point.index * self.states
    }

    /// Whether a point is the end that is tied to the rim of that drum, which it does not touch as others do.
    pub(crate) fn is_on_rim(&self, point: &ContactPoint, drum: usize) -> bool {
        let end = match point.node {
            node if !point.is_node() || (node > 0 && node < self.elements) => return false,
            node => usize::from(node > 0),
        };
        matches!(&self.ends[end].tie, Some(Tie::Rim { drum: d, .. }) if *d == self.drums[drum])
    }

    /// The shape at the start with these parameters; not a number where they make none, so that no run begins from
    /// there: [`fault`](Self::fault) says why.
    pub(crate) fn start(&self, system: &System, p: &[f64]) -> Vec<CableNode> {
        // A number that was left out is none, and equal to nothing.
        let is_same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
        if self.started_with.len() <= p.len() && self.started_with.iter().zip(p).all(is_same) {
            return self.start.clone();
        }
        self.shape(&system.scene(p)).unwrap_or_else(|_| vec![[f64::NAN; 4]; self.nodes.len()])
    }
}
