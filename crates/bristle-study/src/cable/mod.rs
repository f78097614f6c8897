//! Cables on drums as a scenario describes them: read, laid, moved, drawn.
//!
//! The equations are those of [`bristle_cable`]; here parts become a [`CableModel`], a run becomes columns of
//! numbers and figures.

mod advise;
mod balance;
mod build;
pub mod draw;
mod drives;
mod ends;
mod errors;
mod integrator;
mod model;
pub mod motion;
mod outputs;
pub(crate) mod report;
mod start;
pub(crate) mod warnings;
pub mod wrap;

pub(crate) use build::build;
pub(crate) use drives::friction;
pub use integrator::{CableSettings, GeneralisedAlphaCard};
pub use start::Start;

use bristle_cable::{CableMethod, CableNode, CableSystem};
use bristle_mech::{Signal, Spec};
use std::sync::Arc;

/// A cable on drums, read and checked.
#[derive(Clone, Debug)]
pub struct CableModel {
    /// What the scenario calls the cable.
    pub name: String,
    /// What it calls the drums.
    pub drums: Vec<String>,
    /// What it calls the first end and the last.
    pub ends: [String; 2],
    /// The drums the cable is laid over, in order.
    pub over: Vec<usize>,
    /// The law of each drum as written.
    pub laws: Vec<Option<Spec>>,
    /// The cable made ready for computing.
    pub system: CableSystem,
    /// The shape it is laid in, before it comes to rest.
    pub laid: Vec<CableNode>,
    /// The length it is laid along each of its drums, in order, m.
    pub arcs: Vec<f64>,
    /// How to integrate.
    pub method: CableMethod,
    /// Whether it comes to rest before the run.
    pub rests: bool,
    signals: Vec<Arc<Timed>>,
}

/// A signal of the catalogue with its numbers.
#[derive(Debug)]
struct Timed {
    signal: Signal,
    p: Vec<f64>,
}

impl CableModel {
    /// The largest friction over normal force a drum's law bears at rest, where it says so.
    pub(crate) fn holds(&self, drum: usize) -> Option<f64> {
        self.system.cable().drums[drum].friction.holding_coefficient()
    }

    /// Times up to `end` at which a signal is not smooth.
    pub(crate) fn breaks(&self, end: f64) -> Vec<f64> {
        let mut all = Vec::new();
        for timed in &self.signals {
            let mut t = 0.0;
            while let Some(next) = timed.signal.next_break(&timed.p, t).filter(|next| *next < end) {
                all.push(next);
                t = next;
                // A signal with this many corners is one that a step may cross.
                if all.len() > 10_000 {
                    return Vec::new();
                }
            }
        }
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    }
}
