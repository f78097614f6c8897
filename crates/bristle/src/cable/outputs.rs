//! The numbers a run of a cable gives, by name.

use super::CableModel;
use super::wrap::wraps;
use bristle_cable::{State, carried, energy};

impl CableModel {
    /// Names and units of all outputs, in order, without the time.
    pub fn outputs(&self) -> Vec<(String, &'static str)> {
        let mut all = Vec::new();
        for end in &self.ends {
            for (name, unit) in [("x", "m"), ("y", "m"), ("vx", "m/s"), ("vy", "m/s"), ("tension", "N")] {
                all.push((format!("{end}.{name}"), unit));
            }
        }
        for drum in &self.drums {
            for (name, unit) in [
                ("angle", "rad"),
                ("speed", "rad/s"),
                ("wrap", "rad"),
                ("load", "N"),
                ("friction", "N"),
                ("slip_rate", "m/s"),
            ] {
                all.push((format!("{drum}.{name}"), unit));
            }
        }
        for name in ["kinetic", "strain", "gravity", "contact"] {
            all.push((format!("energy.{name}"), "J"));
        }
        all
    }

    /// Their values at a state.
    pub(crate) fn observe(&self, state: &State) -> Vec<f64> {
        let mut row = Vec::new();
        let last = state.q.len() - 1;
        let tension = carried(&self.system, state);
        for (node, element) in [(0, 0), (last, tension.len() - 1)] {
            let (q, v) = (state.q[node], state.v[node]);
            row.extend([q[0], q[1], v[0], v[1], tension[element]]);
        }
        for (wrap, spin) in wraps(self, state).iter().zip(&state.spin) {
            row.extend([spin[0], spin[1], wrap.total()]);
            row.extend([wrap.sum(|c| c.normal), wrap.sum(|c| c.friction), wrap.slip()]);
        }
        let e = energy(&self.system, state);
        row.extend([e.kinetic, e.strain, e.gravity, e.contact]);
        row
    }
}
