//! Where a cable and its drums are.

use crate::elastic::CableNode;
use crate::friction::STATES;

/// The state of a cable and its drums.
#[derive(Clone, Debug, Default)]
pub struct CableState {
    /// Time.
    pub t: f64,
    /// Coordinates `(x, y, x', y')` of each node.
    pub q: Vec<CableNode>,
    /// Their rates.
    pub v: Vec<CableNode>,
    /// Their accelerations.
    pub a: Vec<CableNode>,
    /// The force that would hold each node against its drum; zero where it does not touch or nobody asks.
    pub hold: Vec<f64>,
    /// Angle, speed and acceleration of each drum.
    pub spin: Vec<[f64; 3]>,
    /// Whether a node is inside the dead band of a law that has one; changes at accepted steps only.
    pub stuck: Vec<bool>,
    /// Internal states of the friction law, for each node.
    pub z: Vec<[f64; STATES]>,
}

impl CableState {
    /// A cable at rest in this shape.
    pub fn at_rest(q: Vec<CableNode>, drums: usize) -> CableState {
        let n = q.len();
        CableState {
            t: 0.0,
            q,
            v: vec![[0.0; 4]; n],
            a: vec![[0.0; 4]; n],
            hold: vec![0.0; n],
            spin: vec![[0.0; 3]; drums],
            stuck: vec![true; n],
            z: vec![[0.0; STATES]; n],
        }
    }

    /// Copies without allocating; both must be of one cable.
    pub fn copy_from(&mut self, other: &CableState) {
        self.t = other.t;
        self.q.copy_from_slice(&other.q);
        self.v.copy_from_slice(&other.v);
        self.a.copy_from_slice(&other.a);
        self.hold.copy_from_slice(&other.hold);
        self.spin.copy_from_slice(&other.spin);
        self.stuck.copy_from_slice(&other.stuck);
        self.z.copy_from_slice(&other.z);
    }
}
