//! Quantities that pass the edges of a zone around zero: dead bands, limits, backlash.

use bristle_core::{Mode, Scalar};

/// The guard of a quantity in a mode: stick within `±half`, forward above, backward below.
pub(crate) fn guard<S: Scalar>(mode: Option<&Mode>, x: S, half: S) -> S {
    match mode {
        Some(Mode::Forward) => x - half,
        Some(Mode::Backward) => -x - half,
        _ => half - x.abs(),
    }
}

/// The mode of a quantity.
pub(crate) fn mode(x: f64, half: f64) -> Mode {
    if x > half {
        Mode::Forward
    } else if x < -half {
        Mode::Backward
    } else {
        Mode::Stick
    }
}

/// The mode after the guard has fallen to zero: out of the zone on the side where the quantity is, or back into it.
pub(crate) fn switched(mode: Mode, x: f64) -> Mode {
    if mode == Mode::Stick { Mode::of(x) } else { Mode::Stick }
}

/// By how much a quantity exceeds the zone; nothing within.
pub(crate) fn beyond<S: Scalar>(mode: Option<&Mode>, x: S, half: S) -> S {
    match mode {
        Some(Mode::Forward) => x - half,
        Some(Mode::Backward) => x + half,
        _ => S::zero(),
    }
}
