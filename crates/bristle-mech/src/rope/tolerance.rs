//! How closely ropes are followed.
//!
//! A node that is off by more than a part of an element's stretch pulls with a force that is not there: places and slopes are
//! followed by themselves, wherever in space the rope may hang, and not in proportion to their coordinates.

use super::Rope;
use crate::system::System;
use bristle_solve::FineDifference;

/// The magnitude of a place, m, that errors are measured by.
const PLACE: f64 = 0.1;

/// The magnitude of a velocity, m/s: a rope that rings by less than its places are followed to may do so.
const SPEED: f64 = 10.0;

/// The magnitude of place and velocity of a body that hangs on an end: followed as closely as other bodies.
const BODY: f64 = 1e-2;

/// What a node in contact typically holds, N.
const HOLD: f64 = 1.0;

impl System {
    /// Typical magnitudes of the ropes' states.
    pub(crate) fn rope_scales(&self, p: &[f64], scale: &mut [f64]) {
        for rope in &self.ropes {
            let h = rope.element_length(p);
            let loaded = rope.end_mass(p).map(|mass| mass > 0.0);
            for (i, places) in rope.nodes.iter().enumerate() {
                let is_body = (i == 0 && loaded[0]) || (i == rope.elements && loaded[1]);
                for k in 0..4 {
                    let per = if k < 2 { 1.0 } else { 1.0 / h };
                    let [place, speed] = if is_body && k < 2 { [BODY; 2] } else { [PLACE, SPEED] };
                    for (place, size) in [(places.q[k], place), (places.v[k], speed)] {
                        place.into_iter().for_each(|place| scale[place] = size * per);
                    }
                }
            }
            for point in &rope.kernel(&self.drums, p).points {
                let z = rope.states_at(point);
                scale[z..z + rope.states].fill(HOLD);
                for law in rope.drums.iter().filter_map(|&d| self.drums[d].law.as_ref()) {
                    let states = law.kind.states();
                    let law = law.kind.build::<f64>(&p[law.first..law.first + law.count], &law.choices);
                    law.scales(HOLD, &mut scale[z..z + states]);
                }
            }
        }
    }

    /// Places and slopes that are followed by themselves.
    pub(crate) fn rope_differences(&self, rtol: f64, fine: &mut Vec<FineDifference>) {
        for rope in &self.ropes {
            let h = rope.element_length(&self.list.values);
            for places in &rope.nodes {
                for k in 0..4 {
                    if let Some(of) = places.q[k] {
                        let most = rtol * if k < 2 { PLACE } else { PLACE / h };
                        fine.push(FineDifference { of, from: None, most });
                    }
                }
            }
        }
    }
}

impl Rope {
    /// Length of an element.
    fn element_length(&self, p: &[f64]) -> f64 {
        p[self.first] / self.elements as f64
    }
}
