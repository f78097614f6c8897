//! Laws made of pieces: a middle piece for `|q| < 1` and one beyond either edge.
//!
//! A piece is remembered as a mode, `Stick` in the middle and the direction beyond an edge, so that a step sees one smooth
//! piece only and the change is an event.

use bristle_core::{Mode, Scalar};

/// Positive while `q` is where the mode says.
#[inline]
pub(crate) fn guard<S: Scalar>(q: S, mode: Mode) -> S {
    if mode == Mode::Stick { -q.abs() + 1.0 } else { q * mode.sign() - 1.0 }
}

/// The mode after `q` has crossed an edge.
pub(crate) fn crossed(q: f64, mode: Mode) -> Mode {
    if mode == Mode::Stick { Mode::of(q) } else { Mode::Stick }
}

/// The mode that belongs to `q`.
pub(crate) fn of(q: f64) -> Mode {
    if q.abs() < 1.0 { Mode::Stick } else { Mode::of(q) }
}

#[cfg(test)]
mod piecewise_tests {
    use super::*;

    #[test]
    fn a_guard_changes_its_sign_where_the_mode_ends() {
        for (q, mode) in
            [(0.3, Mode::Stick), (-0.9, Mode::Stick), (1.2, Mode::Forward), (-3.0, Mode::Backward)]
        {
            assert_eq!(of(q), mode);
            assert!(guard(q, mode) > 0.0);
        }
        assert!(guard(0.9, Mode::Forward) < 0.0 && guard(-1.1, Mode::Stick) < 0.0);
        assert_eq!((crossed(-1.0, Mode::Stick), crossed(1.0, Mode::Forward)), (Mode::Backward, Mode::Stick));
    }
}
