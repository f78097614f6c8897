//! The wish to stop, heard by everything that runs on a thread.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static CURRENT: RefCell<Cancel> = RefCell::new(Cancel::default());
}

/// A wish to stop that is shared between threads.
///
/// Work on a thread listens to the wish the thread was given by [`scope`](Cancel::scope) or
/// [`enter`](Cancel::enter); without one it is never cancelled. Every run of an integrator listens, and ends with
/// [`SolveError::Cancelled`](crate::SolveError::Cancelled); other long loops ask [`Cancel::check`].
///
/// ```
/// use bristle_solve::Cancel;
///
/// let cancel = Cancel::default();
/// cancel.scope(|| assert!(Cancel::check().is_ok()));
/// cancel.cancel();
/// cancel.scope(|| assert!(Cancel::check().is_err()));
/// assert!(Cancel::check().is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

/// The work was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

impl Cancel {
    /// Everything that listens is to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is to stop.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// What this thread listens to.
    pub fn current() -> Cancel {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Whether the work on this thread is to stop.
    ///
    /// # Errors
    /// [`Cancelled`] if it is.
    pub fn check() -> Result<(), Cancelled> {
        if CURRENT.with_borrow(Cancel::is_cancelled) { Err(Cancelled) } else { Ok(()) }
    }

    /// This thread listens from now on, such as a worker of a pool.
    pub fn enter(&self) {
        CURRENT.set(self.clone());
    }

    /// Does something that listens to this wish, on this thread.
    pub fn scope<R>(&self, work: impl FnOnce() -> R) -> R {
        /// Puts the former wish back, after a panic as well.
        struct Former(Cancel);
        impl Drop for Former {
            fn drop(&mut self) {
                CURRENT.set(std::mem::take(&mut self.0));
            }
        }
        let _former = Former(CURRENT.replace(self.clone()));
        work()
    }
}

#[cfg(test)]
mod cancel_tests {
    use super::*;
    use crate::problems::Harmonic;
    use crate::{Dynamics, Output, SolveError, Solver};

    #[test]
    fn a_cancelled_run_ends_with_an_error() {
        let block = Harmonic;
        let run = || {
            let p = block.params();
            Solver::default().run(&block, p, block.initial(), 1e3, &Output::Ends, &mut ())
        };
        let cancel = Cancel::default();
        assert!(cancel.scope(run).is_ok());
        cancel.cancel();
        assert!(matches!(cancel.scope(run), Err(SolveError::Cancelled { .. })));
        assert!(run().is_ok(), "other work goes on");
    }

    #[test]
    fn other_threads_listen_once_told() {
        let cancel = Cancel::default();
        cancel.cancel();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                assert!(Cancel::check().is_ok());
                cancel.enter();
                assert!(Cancel::check().is_err() && Cancel::current().is_cancelled());
            });
        });
    }
}
