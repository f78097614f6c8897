//! Stick, or slide in a direction.

use serde::{Deserialize, Serialize};

/// The discrete state of a contact or of one of its elements.
///
/// A mode changes only at an accepted event, never inside a right-hand side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// At rest, or, for an element with a direction only, not yet decided.
    #[default]
    Stick,
    /// Sliding with positive slip rate.
    Forward,
    /// Sliding with negative slip rate.
    Backward,
}

impl Mode {
    /// 0, 1 or −1.
    #[inline]
    pub fn sign(self) -> f64 {
        match self {
            Mode::Stick => 0.0,
            Mode::Forward => 1.0,
            Mode::Backward => -1.0,
        }
    }

    /// The mode with the sign of `v`; zero sticks.
    #[inline]
    pub fn of(v: f64) -> Mode {
        if v > 0.0 {
            Mode::Forward
        } else if v < 0.0 {
            Mode::Backward
        } else {
            Mode::Stick
        }
    }

    /// The opposite direction; stick stays stick.
    #[inline]
    pub fn reversed(self) -> Mode {
        match self {
            Mode::Stick => Mode::Stick,
            Mode::Forward => Mode::Backward,
            Mode::Backward => Mode::Forward,
        }
    }
}
