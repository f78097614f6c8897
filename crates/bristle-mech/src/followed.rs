//! Numbers of parts and laws that follow signals.
//!
//! A part that has something to say about a number that changes, such as a spring whose stiffness does work, asks for a `Given`
//! and sees to it. Every other number whose card allows a signal is simply another one at every time: the parameters are replaced
//! before anything is evaluated.

use crate::signals::Signal;
use crate::system::System;
use bristle_core::Scalar;
use std::borrow::Cow;

/// A parameter that follows a signal: its place, and the signal.
#[derive(Clone, Debug)]
pub(crate) struct Followed {
    pub(crate) place: usize,
    pub(crate) signal: Signal,
}

impl System {
    /// The parameters at a time.
    #[inline]
    pub(crate) fn params_at<'a, S: Scalar>(&self, p: &'a [S], t: S) -> Cow<'a, [S]> {
        if self.followed.is_empty() {
            return Cow::Borrowed(p);
        }
        let mut now = p.to_vec();
        for followed in &self.followed {
            now[followed.place] = followed.signal.jet(p, t).value;
        }
        Cow::Owned(now)
    }

    /// Whether one of these parameters follows a signal.
    pub(crate) fn follows(&self, places: std::ops::Range<usize>) -> bool {
        self.followed.iter().any(|f| places.contains(&f.place))
    }
}
