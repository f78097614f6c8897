//! Published experiments computed again, and test problems for other simulators.
//!
//! | item | role |
//! |---|---|
//! | [`CaseKind`] | which paper; one folder each in [`cases`] |
//! | [`benchmark`] | test problems with references, and scores of other simulators' results |
//! | [`belt`] | stick–slip on a belt in closed form |

pub mod belt;
pub mod benchmark;
pub mod cases;

pub use cases::CaseKind;
