//! How cables lie on their drums: wraps, tensions, figures of them, and what is wrong with how they lie.

pub mod cautions;
pub(crate) mod figures;
pub mod wrap;

pub use wrap::Wrap;
