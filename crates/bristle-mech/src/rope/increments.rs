//! Increments of everything that a rope's equations depend on.

use super::Rope;
use super::touch_slopes::{INPUTS, STATES, TouchRow, TouchSlopes};
use bristle_cable::ContactPoint;

/// Increments of the nodes of a rope and of what its drums do.
#[derive(Clone, Default)]
pub(super) struct Increments {
    pub(super) q: Vec<[f64; 4]>,
    pub(super) v: Vec<[f64; 4]>,
    pub(super) a: Vec<[f64; 4]>,
    /// Of each drum: centre, velocity, spin.
    pub(super) drums: Vec<[f64; 5]>,
}

impl Increments {
    /// None at all, of this rope.
    pub(super) fn new(rope: &Rope) -> Self {
        let nodes = vec![[0.0; 4]; rope.nodes.len()];
        Increments { q: nodes.clone(), v: nodes.clone(), a: nodes, drums: vec![[0.0; 5]; rope.drums.len()] }
    }

    /// Forgets them all.
    pub(super) fn clear(&mut self) {
        for list in [&mut self.q, &mut self.v, &mut self.a] {
            list.fill([0.0; 4]);
        }
        self.drums.fill([0.0; 5]);
    }

    /// What a touching point depends on, but for its friction states.
    #[inline]
    pub(super) fn inputs(&self, points: &[ContactPoint], touch: &TouchSlopes) -> TouchRow {
        let point = &points[touch.point];
        let mut inputs = [0.0; INPUTS];
        inputs[..4].copy_from_slice(&point.of(&self.q));
        inputs[4..8].copy_from_slice(&point.of(&self.v));
        inputs[8 + STATES..].copy_from_slice(&self.drums[touch.drum]);
        inputs
    }
}
