//! What a user wants to see of ropes and drums: places, tensions, contacts, energies.

use super::Rope;
use crate::channels::OutputChannel;
use crate::system::{System, SystemEval};
use bristle_cable::CableNode;
use bristle_solve::Point;

/// A rope at one instant, to be drawn.
#[derive(Clone, Debug)]
pub struct RopeShape {
    /// Place and slope of each node.
    pub nodes: Vec<CableNode>,
    /// Unstretched length of an element.
    pub length: f64,
    /// Where masses hang on its ends.
    pub loads: Vec<[f64; 2]>,
}

/// A drum at one instant, to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct DrumShape {
    /// Centre.
    pub centre: [f64; 2],
    /// Radius.
    pub radius: f64,
    /// Angle turned, clockwise.
    pub angle: f64,
}

/// How cables lie on a drum.
#[derive(Clone, Debug)]
pub struct DrumContact {
    /// What the scenario calls it.
    pub drum: String,
    /// How deep a point of a cable has sunk in at most, as a part of the radius.
    pub depth: f64,
    /// How many nodes, and points inside elements, touch it.
    pub nodes: usize,
    /// Whether a cable is laid over it.
    pub is_laid_over: bool,
    /// The ends of the first of them, the first and the last.
    pub ends: Option<[String; 2]>,
    /// Friction as a part of the normal force, of the point that carries least and of the one that carries most.
    pub shares: [f64; 2],
    /// Slip rate of the point that slips least; zero if some slip forwards and some backwards.
    pub slip: f64,
    /// Radius, m.
    pub radius: f64,
    /// Whether its turning carries the cables along, or against their direction.
    pub sense: f64,
    /// The points that touch, cable by cable and in the order of each.
    pub points: Vec<PointContact>,
}

/// A point of a cable that touches a drum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointContact {
    /// Which cable, in the order of the scenario.
    pub cable: usize,
    /// Which of its points.
    pub point: usize,
    /// Unstretched length of the cable up to it, m.
    pub along: f64,
    /// Angle on the drum, clockwise from the crown, rad.
    pub angle: f64,
    /// Normal force, N.
    pub normal: f64,
    /// Friction on the cable along its direction, N.
    pub friction: f64,
    /// Sliding speed along the cable, m/s.
    pub slip: f64,
    /// Unstretched length of cable that it stands for, m.
    pub share: f64,
}

const OF_END: [(&str, &str); 5] = [("x", "m"), ("y", "m"), ("vx", "m/s"), ("vy", "m/s"), ("tension", "N")];
const OF_DRUM: [(&str, &str); 5] =
    [("wrap", "rad"), ("load", "N"), ("friction", "N"), ("slip_rate", "m/s"), ("loss", "J")];

/// Of two slip rates the slower, or none if they differ in direction.
fn least(a: f64, b: f64) -> f64 {
    match a * b > 0.0 {
        true if a.abs() < b.abs() => a,
        true => b,
        false => 0.0,
    }
}

impl System {
    /// Whether there are cables beside the mechanism.
    pub fn has_ropes(&self) -> bool {
        !self.ropes.is_empty()
    }

    /// Whether the parts are a single cable with its ends and drums and nothing beside it.
    pub fn is_cable_alone(&self) -> bool {
        self.is_cable_alone
    }

    /// The names of the drums beside which cables run.
    pub fn drum_names(&self) -> Vec<&str> {
        self.drums.iter().map(|drum| drum.name.as_str()).collect()
    }

    /// Where the places of all nodes stand among the states, to the right and upwards in turn.
    pub fn rope_places(&self) -> Vec<usize> {
        let nodes = self.ropes.iter().flat_map(|rope| &rope.nodes);
        nodes.flat_map(|node| node.q[..2].iter().copied().flatten()).collect()
    }

    /// The names of the ends of all cables.
    pub fn rope_end_names(&self) -> Vec<&str> {
        self.ropes.iter().flat_map(|rope| &rope.ends).map(|end| end.name.as_str()).collect()
    }

    /// The cables and drums at one instant.
    pub fn shapes(&self, at: &Point<f64>) -> (Vec<RopeShape>, Vec<DrumShape>) {
        let flow = self.flow(at, None);
        let ropes = self.ropes.iter().zip(&flow.ropes).map(|(rope, now)| {
            let kernel = &now.kernel;
            RopeShape {
                length: kernel.cable.cable().element_length(),
                loads: [(0, 0), (1, rope.elements)]
                    .iter()
                    // Bodies are drawn by themselves.
                    .filter(|(e, _)| kernel.end_mass[*e] > 0.0 && rope.ends[*e].load.is_none())
                    .map(|&(_, node)| [now.q[node][0], now.q[node][1]])
                    .collect(),
                nodes: now.q.clone(),
            }
        });
        let drums = self.drums.iter().map(|drum| DrumShape {
            centre: drum.motion(at.p, &flow).centre,
            radius: drum.numbers(at.p).radius,
            angle: flow.q[drum.rotor],
        });
        (ropes.collect(), drums.collect())
    }

    /// The force that each element of each cable carries from one node to the next.
    pub fn rope_tensions(&self, at: &Point<f64>) -> Vec<Vec<f64>> {
        let flow = self.flow(at, None);
        flow.ropes.iter().map(|now| bristle_cable::carried(&now.kernel.cable, &now.q)).collect()
    }

    /// Where the bodies are that have a place in the plane.
    pub fn body_places(&self, at: &Point<f64>) -> Vec<[f64; 2]> {
        let mut flow = SystemEval::new();
        self.motion(at, &mut flow);
        let heavy = self.bodies.iter().filter(|b| b.mass.is_some() && !b.rotates());
        heavy.filter_map(|b| Some([flow.q[b.x], flow.q[b.y?]])).collect()
    }

    /// How the cables lie on each drum.
    pub fn rope_contact(&self, at: &Point<f64>) -> Vec<DrumContact> {
        let flow = self.flow(at, None);
        let of_drum = |d: usize| {
            let touches = self.ropes.iter().zip(&flow.ropes).flat_map(|(rope, now)| {
                now.touches.iter().filter(move |(_, on, _)| rope.drums[*on] == d).map(|(.., touch)| touch)
            });
            let radius = self.drums[d].numbers(at.p).radius;
            let laid = self.ropes.iter().find(|r| r.over.iter().any(|&k| r.drums[k] == d));
            let pressed = touches.clone().filter(|t| t.normal > 0.0);
            let shares = pressed.map(|t| t.friction.abs() / t.normal);
            DrumContact {
                drum: self.drums[d].name.clone(),
                depth: touches.clone().map(|t| t.depth / radius).fold(0.0, f64::max),
                nodes: touches.clone().count(),
                is_laid_over: laid.is_some(),
                ends: laid.map(|rope| [0, 1].map(|e| rope.ends[e].name.clone())),
                shares: shares.fold([f64::INFINITY, 0.0], |[least, most], s| [least.min(s), most.max(s)]),
                slip: touches.map(|t| t.slip).reduce(least).unwrap_or(0.0),
                radius,
                sense: self.drums[d].numbers(at.p).body().sense.sign(),
                points: self.drum_points(d, at, &flow),
            }
        };
        (0..self.drums.len()).map(of_drum).collect()
    }

    /// The points that touch a drum.
    fn drum_points(&self, d: usize, at: &Point<f64>, flow: &SystemEval<f64>) -> Vec<PointContact> {
        let centre = self.drums[d].motion(at.p, flow).centre;
        let mut points = Vec::new();
        for (cable, (rope, now)) in self.ropes.iter().zip(&flow.ropes).enumerate() {
            let h = now.kernel.cable.cable().element_length();
            for (point, _, touch) in now.touches.iter().filter(|(_, on, _)| rope.drums[*on] == d) {
                let own = &now.kernel.points[*point];
                let q = own.of(&now.q);
                points.push(PointContact {
                    cable,
                    point: *point,
                    along: h * (own.node as f64 + own.index as f64 * own.share),
                    angle: (q[0] - centre[0]).atan2(q[1] - centre[1]),
                    normal: touch.normal,
                    friction: touch.friction,
                    slip: touch.slip,
                    share: h * own.share,
                });
            }
        }
        points
    }

    /// Names and units of what ropes and drums show.
    pub(crate) fn rope_channels(&self) -> Vec<OutputChannel> {
        let mut list = Vec::new();
        for end in self.ropes.iter().flat_map(|r| &r.ends) {
            list.extend(
                OF_END
                    .map(|(quantity, unit)| OutputChannel { name: format!("{}.{quantity}", end.name), unit }),
            );
        }
        for drum in &self.drums {
            list.extend(
                OF_DRUM.map(|(quantity, unit)| OutputChannel {
                    name: format!("{}.{quantity}", drum.name),
                    unit,
                }),
            );
        }
        list
    }

    /// Their values.
    pub(crate) fn observe_ropes(&self, at: &Point<f64>, flow: &SystemEval<f64>, out: &mut Vec<f64>) {
        let a = self.accelerations(at, flow);
        for (k, rope) in self.ropes.iter().enumerate() {
            let now = &flow.ropes[k];
            let tension = self.end_tensions(rope, k, at, flow, &a);
            for (e, node) in [(0, 0), (1, rope.elements)] {
                let (q, v) = (now.q[node], now.v[node]);
                out.extend([q[0], q[1], v[0], v[1], tension[e]]);
            }
        }
        for (d, drum) in self.drums.iter().enumerate() {
            let motion = drum.motion(at.p, flow);
            let (mut wrap, mut load, mut friction, mut slip) = (0.0, 0.0, 0.0, 0.0f64);
            for (rope, now) in self.ropes.iter().zip(&flow.ropes) {
                let mut last: Option<(usize, f64)> = None;
                for (point, on, touch) in &now.touches {
                    if rope.drums[*on] != d {
                        continue;
                    }
                    load += touch.normal;
                    friction += touch.friction;
                    slip = if touch.slip.abs() > slip.abs() { touch.slip } else { slip };
                    let q = now.kernel.points[*point].of(&now.q);
                    let angle = (q[0] - motion.centre[0]).atan2(q[1] - motion.centre[1]);
                    if let Some((before, from)) = last
                        && before + 1 == *point
                    {
                        let turn = (angle - from).rem_euclid(std::f64::consts::TAU);
                        wrap += turn.min(std::f64::consts::TAU - turn);
                    }
                    last = Some((*point, angle));
                }
            }
            out.extend([wrap, load, friction, slip, at.x[drum.work]]);
        }
    }

    /// The force with which each end of a rope is pulled, from the balance of its end node.
    fn end_tensions(
        &self,
        rope: &Rope,
        k: usize,
        at: &Point<f64>,
        flow: &SystemEval<f64>,
        a: &[f64],
    ) -> [f64; 2] {
        let now = &flow.ropes[k];
        let kernel = &now.kernel;
        let ends = self.end_accelerations(rope, at, flow, a);
        let first: usize = self.ropes[..k].iter().map(Rope::ports).sum();
        [0, 1].map(|e| {
            let node = if e == 0 { 0 } else { rope.elements };
            let force = [0, 1].map(|c| {
                if ends[e].is_some() {
                    // What the end feels, less the mass that the mechanism counts as its own.
                    let felt: f64 =
                        (0..2).map(|d| kernel.mass.felt[e][d] * ends[d].map_or(0.0, |a| a[c])).sum();
                    flow.ports[first + 2 * e + c] - felt
                } else {
                    // What keeps the mass at the end from falling.
                    let scalar = 2 * node;
                    let rate = now.own[node][c]
                        - (0..2)
                            .map(|d| ends[d].map_or(0.0, |a| a[c] * kernel.mass.follows[d][scalar]))
                            .sum::<f64>();
                    let weight = if c == 1 { kernel.gravity } else { 0.0 };
                    let push = rope.ends[e].force[c].as_ref().map_or(0.0, |s| s.jet(at.p, at.t).value);
                    push - kernel.end_mass[e] * (rate + weight)
                }
            });
            let slope = now.q[node];
            let size = slope[2].hypot(slope[3]);
            // Along the rope, away from the end: positive where it pulls.
            let along = if e == 0 { 1.0 } else { -1.0 };
            let sign = if ends[e].is_some() { 1.0 } else { -1.0 };
            sign * along * (force[0] * slope[2] + force[1] * slope[3]) / size
        })
    }

    /// Kinetic energy of ropes, and what they store in stretch, bending, height and contact.
    pub(crate) fn rope_energies(&self, at: &Point<f64>, flow: &SystemEval<f64>) -> [f64; 2] {
        let (mut kinetic, mut potential) = (0.0, 0.0);
        for rope in &self.ropes {
            let kernel = rope.kernel(&self.drums, at.p);
            let [q, v] = self.rope_motion(rope, at, flow);
            let cable = kernel.cable.cable();
            let load = bristle_cable::element::load(cable.element_length());
            let weight = cable.density * kernel.gravity;
            for i in 0..rope.elements {
                let (a, b) = (&q[i], &q[i + 1]);
                potential += kernel.cable.elastic().energy(a, b);
                let height = [a[1], a[3], b[1], b[3]];
                potential += (0..4).map(|k| weight * load[k] * height[k]).sum::<f64>();
                for c in 0..2 {
                    let speed = [v[i][c], v[i][2 + c], v[i + 1][c], v[i + 1][2 + c]];
                    for (m, row) in kernel.cable.element_mass().iter().enumerate() {
                        for (n, mass) in row.iter().enumerate() {
                            kinetic += 0.5 * mass * speed[m] * speed[n];
                        }
                    }
                }
            }
            for (e, node) in [(0, 0), (1, rope.elements)] {
                let (mass, v) = (kernel.end_mass[e], v[node]);
                kinetic += 0.5 * mass * (v[0] * v[0] + v[1] * v[1]);
                potential += mass * kernel.gravity * q[node][1];
            }
            for (d, surface) in kernel.surfaces.iter().enumerate() {
                let motion = self.drums[rope.drums[d]].motion(at.p, flow);
                let points = kernel.points.iter().filter(|point| !rope.is_on_rim(point, d));
                let stored = points.map(|point| point.share * surface.energy(&motion, &point.of(&q)));
                potential += stored.sum::<f64>();
            }
        }
        [kinetic, potential]
    }
}
