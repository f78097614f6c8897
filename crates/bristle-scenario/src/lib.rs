//! Scenario files: TOML text to parts, laws and settings, with the place of every error.
//!
//! The reader knows no part, law or study by name: it reads their cards.
//!
//! | item | role |
//! |---|---|
//! | [`Reader`] | reads values by their cards and notes what is wrong, with its place |
//! | [`ScenarioError`] | everything that is wrong with a text, each with place, value and a way out |
//! | [`mod@sections`] | solver settings and questions |
//! | [`written`] | laws brought along as formulas |
//! | [`derived`] | outputs by formulas |
//! | [`mechanism`] | the parts put together, errors at the part that caused them |
//! | [`measurements`] | measured files, and what their columns stand for |
//! | [`change`], [`carry`] | numbers changed by their paths, one law put in the place of another |

pub mod carry;
pub mod change;
pub mod derived;
mod error;
mod excerpt;
pub mod file;
pub mod measurements;
pub mod mechanism;
pub mod range;
mod read;
pub mod rewrite;
pub mod sections;
pub mod synonyms;
mod table;
pub mod text;
pub mod written;

pub use change::{ChangeError, Parameter};
pub use error::{Problem, ScenarioError, TableError};
pub use read::Reader;
pub use sections::{Question, SolverSettings};
