//! Noticing that a run gets nowhere.
//!
//! A method can be unable to take steps of a sensible length where another can: force laws that turn within less than the
//! tolerance (rate-and-state friction near rest, bristles with a root) throw a method of high order back again and again, and a
//! stiffly accurate one of lower order goes on. What counts is the pace: if so many steps as the last ones took would not reach
//! the end in a long time, `auto` tries the other method and keeps the faster one.

/// Follows the pace of a run.
#[derive(Clone)]
pub(crate) struct Stall {
    attempts: usize,
    t: f64,
    /// The pace that made the run change its method.
    before: f64,
    is_changed: bool,
    /// Attempts between two looks.
    period: usize,
}

/// Attempts between two looks, at first.
const PERIOD: usize = 1000;

/// A run that would take more attempts than this gets nowhere.
const MANY: f64 = 1e6;

/// The other method is kept if it is this much faster.
const GAIN: f64 = 2.0;

impl Stall {
    pub(crate) fn new() -> Self {
        Stall { attempts: 0, t: 0.0, before: 0.0, is_changed: false, period: PERIOD }
    }

    /// A run begins at time `t` after so many attempts of earlier ones.
    pub(crate) fn begin(&mut self, attempts: usize, t: f64) {
        *self = Stall { attempts, t, ..Stall::new() };
    }

    /// Looks at a run that has come to `t` after so many attempts; says whether to change the method.
    pub(crate) fn is_time_to_change(&mut self, attempts: usize, t: f64, t_end: f64) -> bool {
        if attempts < self.attempts + self.period {
            return false;
        }
        let pace = (t - self.t) / (attempts - self.attempts) as f64;
        (self.attempts, self.t) = (attempts, t);
        let changes = if self.is_changed { pace < GAIN * self.before } else { pace * MANY < t_end - t };
        if changes {
            if self.is_changed {
                // It is no better: a longer while before the next trial.
                self.period = (4 * self.period).min(64 * PERIOD);
            }
            self.before = pace;
            self.is_changed = !self.is_changed;
        }
        changes
    }
}

#[cfg(test)]
mod stall_tests {
    use super::*;

    #[test]
    fn a_run_that_gets_nowhere_changes_and_returns_if_that_does_not_help() {
        let mut stall = Stall::new();
        stall.begin(0, 0.0);
        assert!(!stall.is_time_to_change(999, 1e-9, 1.0));
        assert!(stall.is_time_to_change(1000, 1e-9, 1.0));
        // Not faster: back, and a longer wait.
        assert!(stall.is_time_to_change(2000, 2.5e-9, 1.0));
        assert!(!stall.is_time_to_change(5999, 2.6e-9, 1.0));
        assert!(stall.is_time_to_change(6000, 2.6e-9, 1.0));
        // Much faster now: it stays.
        assert!(!stall.is_time_to_change(10_000, 0.1, 1.0));
    }

    #[test]
    fn a_long_run_that_gets_on_stays_as_it_is() {
        let mut stall = Stall::new();
        stall.begin(50, 3.0);
        assert!(!stall.is_time_to_change(1050, 3.1, 100.0));
    }
}
