//! Questions put to a scenario, and their answers: simulate, steady, branch, map, orbit, sweep, compare, advise.
//!
//! | item | role |
//! |---|---|
//! | [`Scenario`] | the TOML file: parts, solver, studies |
//! | [`StudyKind`] | which question; one file each in [`studies`] |
//! | [`Model`](model::Model) | what the parts describe, whatever it is: outputs, runs, comparisons |
//! | [`run()`], [`fn@compare`], [`fn@advise`] | answers a scenario's questions, under its own laws or several |
//! | [`Outcome`] | the answers: a record to read, data to work on |
//! | [`analysis`] | the algorithms of `bristle-analysis` for mechanisms, with paths instead of indices |
//! | [`energy`] | how well the energy balance of a run closes |
//! | [`vary`] | many variants: runs in threads and shards, kept as they finish |
//! | [`export`] | scenarios and laws as C |

pub mod advise;
pub mod analysis;
mod compare;
pub mod energy;
mod equilibrium;
mod error;
pub mod export;
mod grip;
mod hint;
pub mod levels;
pub mod model;
pub mod optimise;
pub mod progress;
pub mod rope;
mod run;
pub mod scenario;
pub mod scene;
pub mod schematic;
pub mod studies;
pub mod suggest;
pub mod vary;
mod warnings;

pub use advise::advise;
pub use compare::compare;
pub use error::RunError;
pub use run::{Answer, Outcome, StudyOutcome, StudyState, facts_json, run};
pub use scenario::Scenario;
pub use studies::StudyKind;
pub use studies::fit::record_scenario;
pub use studies::sweep::store::CellStore;
