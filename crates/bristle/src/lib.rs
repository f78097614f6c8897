//! bristle: friction dynamics from a scenario file to numbers, figures and a report one can trust.
//!
//! | type | role |
//! |---|---|
//! | [`Mechanism`] | bodies, springs and contacts put together in Rust |
//! | [`Scenario`] | the TOML file: parts, solver, studies |
//! | [`StudyKind`] | which question: simulate … |
//! | [`fn@advise`] | which method and which law, from runs of the scenario |
//! | [`Model`](model::Model) | what the parts describe, whatever it is: outputs, runs, comparisons |
//! | [`certify`] | what every law does, measured |
//! | [`benchmark`] | test problems for other simulators |
//! | [`belt`] | stick–slip on a belt in closed form |
//! | [`vary`] | many variants of a scenario, in threads and shards |
//! | [`energy`] | how well the energy balance of a run closes |
//! | [`run`], [`compare`] | answers a scenario's questions, under its own laws or several |
//! | [`sets`] | published parameters of laws, as tables and pages |
//! | [`Outcome`] | the answers: a record to read, data to work on |
//! | [`LiveRun`], [`LiveInput`] | a mechanism that moves by the caller's clock, and what can be set on the way |
//! | [`Progress`] | who is told how far a run is, and may stop it |
//! | [`Cancel`] | the wish to stop, heard by everything that runs on a thread |
//!
//! ```
//! use bristle::{Scenario, run};
//!
//! let text = r#"
//! title = "A block comes to rest"
//! [parts.block]
//! kind = "mass"
//! mass = "1 kg"
//! v = "1 m/s"
//! [parts.floor]
//! kind = "contact"
//! between = ["block", "ground"]
//! load = "10 N"
//! law = { kind = "coulomb", mu_s = 0.5, mu_d = 0.5 }
//! [studies.run]
//! kind = "simulate"
//! duration = "1 s"
//! "#;
//! let scenario = Scenario::from_text(text, "block.toml", ".".as_ref()).unwrap();
//! let outcome = run(&scenario, &mut ()).unwrap();
//! let q = outcome.data.columns.iter().find(|c| c.name == "block.q").unwrap();
//! assert!((q.values.last().unwrap() - 0.1).abs() < 1e-9);
//! ```

mod bibliography;
mod catalogue;
mod left_out;
pub mod manual;
pub mod python;
mod schema;
pub mod sets;
mod which_law;

pub use bristle_cases::{CaseKind, belt, benchmark, cases};
pub use bristle_certify as certify;
pub use bristle_core as core;
pub use bristle_law as law;
pub use bristle_law::LawKind;
pub use bristle_law::laws;
pub use bristle_mech::mechanism::{GROUND, Mechanism, default};
pub use bristle_mech::{LiveError, LiveInput, LiveRun, parts, signals};
pub use bristle_record as record;
pub use bristle_scenario::{ChangeError, Parameter, Problem, ScenarioError, TableError};
pub use bristle_solve as solve;
pub use bristle_solve::{Cancel, Progress};
pub use bristle_study::{
    Answer, CellStore, Outcome, RunError, Scenario, StudyKind, StudyOutcome, StudyState, advise, analysis,
    compare, energy, export, facts_json, model, record_scenario, run, scenario, schematic, studies, suggest,
    vary,
};
pub use catalogue::{CatalogueKind, cards};
pub use left_out::left_out;
pub use schema::{schema, schema_text};
