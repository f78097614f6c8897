//! The numbers a run of a cable gives, by name.

use super::CableModel;
use super::wrap::wraps;
use bristle_cable::{CableState, Ledger, end_tension, energy};
use bristle_mech::OutputChannel;

/// Energies stored.
pub(super) const STORED: [&str; 4] = ["kinetic", "strain", "gravity", "contact"];

/// Work put in since the start.
pub(super) const WORK: [&str; 4] = ["load_work", "end_work", "drum_work", "motor_work"];

/// Energies lost since the start.
pub(super) const LOSSES: [&str; 4] = ["damping_loss", "contact_loss", "friction_loss", "bearing_loss"];

impl CableModel {
    /// Names and units of all outputs, in order, without the time.
    pub fn outputs(&self) -> Vec<OutputChannel> {
        let mut all = Vec::new();
        let mut add = |name: String, unit| all.push(OutputChannel { name, unit });
        for end in &self.ends {
            for (name, unit) in [("x", "m"), ("y", "m"), ("vx", "m/s"), ("vy", "m/s"), ("tension", "N")] {
                add(format!("{end}.{name}"), unit);
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
                add(format!("{drum}.{name}"), unit);
            }
        }
        for name in STORED.into_iter().chain(WORK).chain(LOSSES).chain(["input", "loss", "gap"]) {
            add(format!("energy.{name}"), "J");
        }
        all
    }

    /// Their values at a state.
    pub(crate) fn observe(&self, state: &CableState, ledger: Option<&Ledger>) -> Vec<f64> {
        let mut row = Vec::new();
        let last = state.q.len() - 1;
        for (node, tension) in [0, last].into_iter().zip(end_tension(&self.system, state)) {
            let (q, v) = (state.q[node], state.v[node]);
            row.extend([q[0], q[1], v[0], v[1], tension]);
        }
        for (wrap, spin) in wraps(self, state).iter().zip(&state.spin) {
            row.extend([spin[0], spin[1], wrap.total()]);
            row.extend([wrap.sum(|c| c.normal), wrap.sum(|c| c.friction), wrap.slip()]);
        }
        let e = energy(&self.system, state);
        row.extend([e.kinetic, e.strain, e.gravity, e.contact]);
        let work = ledger.map(|l| l.work).unwrap_or_default();
        row.extend([work.loads, work.ends, work.drums, work.motors]);
        row.extend([work.damping, work.contact, work.friction, work.bearings]);
        row.extend([work.input(), work.loss(), ledger.map_or(f64::NAN, |l| l.gap(&self.system, state))]);
        row
    }
}
