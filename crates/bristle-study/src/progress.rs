//! Work that tells how far it is and can be stopped, on one thread or on all cores.

use crate::error::RunError;
use bristle_solve::{Cancel, Progress};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// Passes everything on and remembers whether the work was to stop.
pub struct Attentive<'a> {
    /// Who is told.
    pub inner: &'a mut dyn Progress,
    /// Whether the work was to stop.
    pub is_stopped: bool,
}

impl<'a> Attentive<'a> {
    /// Passes on to `inner`.
    pub fn new(inner: &'a mut dyn Progress) -> Self {
        Attentive { inner, is_stopped: false }
    }

    /// Whether the work was to stop, by whichever way that was said.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped || Cancel::check().is_err()
    }
}

impl Progress for Attentive<'_> {
    fn begin(&mut self, what: &str) {
        self.inner.begin(what);
    }

    fn at(&mut self, fraction: f64) -> bool {
        let goes_on = self.inner.at(fraction) && Cancel::check().is_ok();
        self.is_stopped |= !goes_on;
        goes_on
    }
}

/// How often the work of another thread is looked at.
const GLANCE: Duration = Duration::from_millis(20);

/// Room for the stack of long work, as a main thread has it.
const STACK: usize = 8_388_608;

/// Says to the thread that looks on how far the work of this one is.
struct Relay<'a> {
    cancel: &'a Cancel,
    fraction: &'a AtomicU64,
}

impl Progress for Relay<'_> {
    fn begin(&mut self, _what: &str) {}

    fn at(&mut self, fraction: f64) -> bool {
        self.fraction.store(fraction.to_bits(), Ordering::Relaxed);
        !self.cancel.is_cancelled()
    }
}

/// Does work that seldom asks whether to go on, on a thread of its own; this one asks, and cancels it.
///
/// `None` if no thread could be had.
pub fn watched<R: Send>(
    progress: &mut dyn Progress,
    work: impl FnOnce(&mut dyn Progress) -> R + Send,
) -> Option<R> {
    // A browser has no second thread to look on.
    if cfg!(target_family = "wasm") {
        return Some(work(progress));
    }
    let (cancel, fraction) = (Cancel::default(), AtomicU64::new(0));
    let mut relay = Relay { cancel: &cancel, fraction: &fraction };
    let this = thread::current();
    thread::scope(|scope| {
        let spawned = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || {
            let done = cancel.scope(|| work(&mut relay));
            this.unpark();
            done
        });
        let worker = spawned.ok()?;
        while !worker.is_finished() {
            if !progress.at(f64::from_bits(fraction.load(Ordering::Relaxed))) || Cancel::check().is_err() {
                cancel.cancel();
            }
            thread::park_timeout(GLANCE);
        }
        match worker.join() {
            Ok(done) => Some(done),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Does all jobs on all cores; none of them is worth anything if they were to stop.
///
/// # Errors
/// [`RunError::Stopped`] if they were.
pub fn in_parallel<T: Sync, R: Send>(
    jobs: &[T],
    one: impl Fn(&T) -> R + Sync,
    progress: &mut dyn Progress,
) -> Result<Vec<R>, RunError> {
    let mut progress = Attentive::new(progress);
    let done = watched(&mut progress, |_| {
        let cancel = Cancel::current();
        jobs.par_iter().map(|job| cancel.scope(|| one(job))).collect()
    });
    if progress.is_stopped() { Err(RunError::Stopped) } else { done.ok_or(RunError::Stopped) }
}

#[cfg(test)]
mod progress_tests {
    use super::*;

    /// Stops at the call of that number.
    struct StopAfter(usize);

    impl Progress for StopAfter {
        fn begin(&mut self, _what: &str) {}
        fn at(&mut self, _fraction: f64) -> bool {
            self.0 = self.0.saturating_sub(1);
            self.0 > 0
        }
    }

    #[test]
    fn work_that_only_listens_to_the_wish_is_stopped() {
        let until_cancelled = |_: &mut dyn Progress| {
            while Cancel::check().is_ok() {
                thread::sleep(Duration::from_millis(1));
            }
            7
        };
        assert_eq!(watched(&mut StopAfter(3), until_cancelled), Some(7));
        assert_eq!(watched(&mut (), |_| 8), Some(8));
        assert!(Cancel::check().is_ok());
    }

    #[test]
    fn a_stop_is_remembered() {
        let mut stop = StopAfter(2);
        let mut attentive = Attentive::new(&mut stop);
        assert!(attentive.at(0.1) && !attentive.is_stopped());
        assert!(!attentive.at(0.2) && attentive.is_stopped());
    }
}
