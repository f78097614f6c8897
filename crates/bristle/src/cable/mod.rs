//! Cables on drums as a scenario describes them: read, laid, moved, drawn.
//!
//! The equations are those of [`bristle_cable`]; here parts become a [`CableModel`], a run becomes columns of
//! numbers and figures.

mod build;
pub(crate) mod draw;
mod drives;
mod ends;
mod faults;
pub(crate) mod motion;
mod outputs;
pub(crate) mod report;
mod start;
pub(crate) mod wrap;

pub(crate) use build::build;
pub use start::Start;

use bristle_cable::{GeneralisedAlpha, Node, System};
use bristle_core::{Card, Choice};
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
    pub system: System,
    /// The shape it is laid in, before it comes to rest.
    pub laid: Vec<Node>,
    /// How to integrate.
    pub method: GeneralisedAlpha,
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

/// How a cable is integrated: the generalised-α method on the banded, bordered equations.
///
/// ```text
/// α_m = (2ρ − 1)/(ρ + 1),  α_f = ρ/(ρ + 1),  γ = ½ − α_m + α_f,  β = ¼ (γ + ½)²
/// ```
///
/// Steps have a fixed length unless a `tolerance` is given. Newton's iteration uses the exact Jacobian; where it
/// fails the step is halved.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "cable_solver")]
pub struct CableSettings<S> {
    /// Step; the largest one where a tolerance is given.
    #[param(symbol = "h", unit = "s", default = 5e-3, min = 1e-9, max = 10.0)]
    pub step: S,
    /// Local error of places allowed per step; the step is fixed unless given.
    #[param(symbol = "tol", unit = "m", default = f64::NAN, min = 1e-12, max = 1.0)]
    pub tolerance: S,
    /// What is left of a fast oscillation after one step: 0 damps most, 1 conserves.
    #[param(symbol = "ρ", unit = "1", default = 0.6, min = 0.0, max = 1.0)]
    pub rho: S,
    /// Newton's iteration ends where a further change of speed is below this.
    #[param(symbol = "tol_v", unit = "m/s", default = 1e-6, min = 1e-14, max = 1.0)]
    pub newton_tolerance: S,
    /// Iterations before a step is halved.
    #[param(symbol = "k_max", unit = "1", default = 8.0, min = 2.0, max = 100.0)]
    pub newton_limit: S,
    /// Whether the cable comes to rest before the run, or starts as it is laid.
    #[choice("rest", "laid")]
    pub start: Choice,
    /// Linear algebra: a dense border of contacts, nine unknowns a node, or by the number of contacts.
    #[choice("auto", "border", "descriptor")]
    pub structure: Choice,
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
