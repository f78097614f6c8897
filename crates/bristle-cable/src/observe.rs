//! What a user wants to see of a state: energies, tension, contacts.

use crate::assembly::{ActiveFriction, Assembly, Weights};
use crate::contact;
use crate::elastic::CableNode;
use crate::state::CableState;
use crate::system::CableSystem;

/// The energies of a cable at one state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Of motion, with the end masses and the drums that feel the cable, J.
    pub kinetic: f64,
    /// Of stretching and bending, J.
    pub strain: f64,
    /// In the field of gravity, above the height zero, J.
    pub gravity: f64,
    /// Of penetration into the drums, J.
    pub contact: f64,
}

impl Energy {
    /// The sum of the stored energies.
    pub fn total(&self) -> f64 {
        self.kinetic + self.strain + self.gravity + self.contact
    }
}

/// The energies at a state.
pub fn energy(system: &CableSystem, state: &CableState) -> Energy {
    let cable = system.cable();
    let load = crate::element::load(cable.element_length());
    let mass = system.element_mass();
    let mut out = Energy::default();
    for i in 0..cable.elements {
        let (a, b) = (&state.q[i], &state.q[i + 1]);
        out.strain += system.elastic().energy(a, b);
        let height = [a[1], a[3], b[1], b[3]];
        let weight = cable.density * cable.gravity;
        out.gravity += (0..4).map(|k| weight * load[k] * height[k]).sum::<f64>();
        let (va, vb) = (&state.v[i], &state.v[i + 1]);
        for c in 0..2 {
            let v = [va[c], va[2 + c], vb[c], vb[2 + c]];
            for k in 0..4 {
                for l in 0..4 {
                    out.kinetic += 0.5 * mass[k][l] * v[k] * v[l];
                }
            }
        }
    }
    for (end, node) in [(0, 0), (1, cable.elements)] {
        let (m, v) = (cable.ends[end].mass, state.v[node]);
        out.kinetic += 0.5 * m * (v[0] * v[0] + v[1] * v[1]);
        out.gravity += m * cable.gravity * state.q[node][1];
    }
    for (drum, spin) in cable.drums.iter().zip(&state.spin) {
        out.kinetic += 0.5 * drum.drive.inertia().unwrap_or(0.0) * spin[1] * spin[1];
        out.contact += state.q.iter().map(|q| contact::energy(drum, [q[0], q[1]])).sum::<f64>();
    }
    out
}

/// Mean tension of each element, with the curvature correction, N.
pub fn tension(system: &CableSystem, state: &CableState) -> Vec<f64> {
    state.q.windows(2).map(|pair| system.elastic().tension(&pair[0], &pair[1])).collect()
}

/// The force each element carries from one node to the next, along its chord, N.
///
/// It is what balances the forces at the nodes. At the edge of a drum, where the curvature jumps within an element,
/// it stays smooth; the mean [`tension`] of a coarse mesh does not.
pub fn carried(system: &CableSystem, places: &[CableNode]) -> Vec<f64> {
    let elastic = system.elastic();
    let bending = elastic.linear();
    let carry = |pair: &[CableNode]| {
        let (a, b) = (&pair[0], &pair[1]);
        let mut f = [[0.0; 4]; 2];
        elastic.add(a, b, &mut f, 0.0, &mut [[[0.0; 4]; 4]; 3]);
        let chord = [b[0] - a[0], b[1] - a[1]];
        let along = |c: usize| {
            let shape = [a[c], a[2 + c], b[c], b[2 + c]];
            let bent: f64 = (0..4).map(|n| bending[2][n] * shape[n]).sum();
            (f[1][c] + bent) * chord[c]
        };
        (along(0) + along(1)) / chord[0].hypot(chord[1])
    };
    places.windows(2).map(carry).collect()
}

/// Tension at the first end and the last, N, at a state whose accelerations satisfy the equations.
///
/// ```text
/// T = ∓ t·(M a + Q_damping + Q_elastic − Q_gravity)   of the end's own row, t its tangent
/// ```
///
/// It is the force that end mass, load and support together exert there: half an element's weight and inertia are not
/// missing, as they are from the force [`carried`] by the last element.
pub fn end_tension(system: &CableSystem, state: &CableState) -> [f64; 2] {
    let last = system.cable().elements;
    [(0, 0, 0, -1.0), (1, last, last - 1, 1.0)].map(|(end, node, element, outwards)| {
        let force = system.element_force(element, state, 0.0, &mut [[[0.0; 4]; 4]; 3])[end];
        let q = state.q[node];
        outwards * (q[2] * force[0] + q[3] * force[1]) / q[2].hypot(q[3])
    })
}

/// A touching node as a user sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeContact {
    /// Which node.
    pub node: usize,
    /// Which drum.
    pub drum: usize,
    /// Angle on the drum, clockwise from the crown, rad.
    pub angle: f64,
    /// Normal force, N.
    pub normal: f64,
    /// Friction on the cable along its direction, N.
    pub friction: f64,
    /// The force that would hold the node, N.
    pub hold: f64,
    /// Sliding speed along the cable, m/s.
    pub slip: f64,
    /// Whether friction balances what pulls (and the node neither slips nor creeps).
    pub is_stuck: bool,
}

/// The contacts at a state, in the order of the nodes; the first and last of a drum bound the wrap.
pub fn contacts(system: &CableSystem, state: &CableState) -> Vec<NodeContact> {
    let mut work = state.clone();
    let mut assembly = Assembly::new(system.cable().nodes());
    let w = Weights { mass: 1.0, speed: 0.0, place: 0.0, dt: 0.0 };
    system.assemble(&mut work, &state.z, w, ActiveFriction::Law, &mut assembly);
    assembly
        .touches
        .iter()
        .map(|touch| {
            let q = state.q[touch.node];
            let drum = &system.cable().drums[touch.drum];
            let hold = state.hold[touch.node];
            let cap = drum.friction.holding_coefficient().unwrap_or(0.0) * touch.normal.force;
            let slow = touch.slip.abs() <= drum.friction.rest_speed();
            NodeContact {
                node: touch.node,
                drum: touch.drum,
                angle: drum.angle([q[0], q[1]]),
                normal: touch.normal.force,
                friction: touch.pull.force,
                hold,
                slip: touch.slip,
                is_stuck: slow && hold.abs() <= cap,
            }
        })
        .collect()
}
