//! Long work: other threads of Python go on, Ctrl-C is heard, and a callback is told how far it is.

use bristle::{Cancel, Progress};
use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often Python is asked whether somebody wants to stop.
const GLANCE: Duration = Duration::from_millis(20);

/// How often a callback is told.
const TELL: Duration = Duration::from_millis(100);

/// Room for the stack, as a main thread has it.
const STACK: usize = 16_777_216;

/// How far the work is, told by the thread that does it.
struct Relay<'a> {
    cancel: &'a Cancel,
    what: &'a Mutex<String>,
    fraction: &'a AtomicU64,
}

impl Progress for Relay<'_> {
    fn begin(&mut self, what: &str) {
        if let Ok(mut now) = self.what.lock() {
            what.clone_into(&mut now);
        }
        self.fraction.store(0, Ordering::Relaxed);
    }

    fn at(&mut self, fraction: f64) -> bool {
        self.fraction.store(fraction.to_bits(), Ordering::Relaxed);
        !self.cancel.is_cancelled()
    }
}

/// Does long work on a thread of its own, without Python's lock; this one listens to Ctrl-C and tells `callback`.
///
/// # Errors
/// `KeyboardInterrupt`, or whatever the callback raised.
pub fn listening<R: Send>(
    py: Python<'_>,
    callback: Option<Py<PyAny>>,
    work: impl FnOnce(&mut dyn Progress) -> R + Send,
) -> PyResult<R> {
    let (cancel, what, fraction) = (Cancel::default(), Mutex::new(String::new()), AtomicU64::new(0));
    py.detach(|| {
        let this = thread::current();
        thread::scope(|scope| {
            let spawned = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || {
                let mut relay = Relay { cancel: &cancel, what: &what, fraction: &fraction };
                let done = cancel.scope(|| work(&mut relay));
                this.unpark();
                done
            })?;
            let (mut raised, mut told) = (None, Instant::now());
            while !spawned.is_finished() {
                thread::park_timeout(GLANCE);
                if raised.is_some() || spawned.is_finished() {
                    continue;
                }
                let is_due = callback.is_some() && told.elapsed() >= TELL;
                let asked = Python::attach(|py| {
                    py.check_signals()?;
                    if let (Some(callback), true) = (&callback, is_due) {
                        told = Instant::now();
                        let now = what.lock().map(|now| now.clone()).unwrap_or_default();
                        callback.call1(py, (now, f64::from_bits(fraction.load(Ordering::Relaxed))))?;
                    }
                    PyResult::Ok(())
                });
                if let Err(error) = asked {
                    cancel.cancel();
                    raised = Some(error);
                }
            }
            let done = spawned.join();
            match (raised, done) {
                (Some(error), _) => Err(error),
                (None, Ok(done)) => {
                    if let Some(callback) = &callback {
                        let now = what.lock().map(|now| now.clone()).unwrap_or_default();
                        Python::attach(|py| callback.call1(py, (now, 1.0)))?;
                    }
                    Ok(done)
                }
                (None, Err(_)) => Err(crate::error::of(
                    "bristle has met something it did not expect; please tell its developers",
                )),
            }
        })
    })
}
