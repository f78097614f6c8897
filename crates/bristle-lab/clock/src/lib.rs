//! A clock that stands still.

pub use std::time::Duration;
use std::ops::{Add, Sub};

/// An instant; all are the same unless time is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(Duration);

impl Instant {
    /// The only one.
    pub fn now() -> Instant {
        Instant(Duration::ZERO)
    }

    /// How long ago it was.
    pub fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    /// The instant that much later, if there is one.
    pub fn checked_add(&self, more: Duration) -> Option<Instant> {
        self.0.checked_add(more).map(Instant)
    }

    /// How much later it is than another.
    pub fn duration_since(&self, earlier: Instant) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;

    fn add(self, more: Duration) -> Instant {
        Instant(self.0 + more)
    }
}

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Instant) -> Duration {
        self.duration_since(earlier)
    }
}
