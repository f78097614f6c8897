//! The linear systems of a step, `(s·1 − J) x = b`: full, banded, or by the inverse where there are few unknowns.

mod banded;
mod dense;
mod factors;
mod inverse;
mod pivoted_band;

pub use dense::Dense;
pub use factors::Factors;
pub use inverse::inverse_columns;
