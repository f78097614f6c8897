//! Long work: other threads of Python go on, Ctrl-C is heard, and a callback is told how far it is.

use bristle::{Cancel, Progress};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How often Python is asked whether somebody wants to stop.
const GLANCE: Duration = Duration::from_millis(20);

/// How often a callback is told.
const TELL: Duration = Duration::from_millis(100);

/// Room for the stack, as a main thread has it.
const STACK: usize = 16_777_216;

/// So long it is waited for work that is to stop; after that it ends by itself, and nobody hears of it.
const PATIENCE: Duration = Duration::from_millis(100);

/// How far the work is, told by the thread that does it.
#[derive(Clone, Default)]
struct PythonRelay {
    cancel: Cancel,
    what: Arc<Mutex<String>>,
    fraction: Arc<AtomicU64>,
}

impl PythonRelay {
    fn now(&self) -> (String, f64) {
        let what = self.what.lock().map(|what| what.clone()).unwrap_or_default();
        (what, f64::from_bits(self.fraction.load(Ordering::Relaxed)))
    }
}

impl Progress for PythonRelay {
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
pub fn listening<R: Send + 'static>(
    py: Python<'_>,
    callback: Option<Py<PyAny>>,
    work: impl FnOnce(&mut dyn Progress) -> R + Send + 'static,
) -> PyResult<R> {
    let relay = PythonRelay::default();
    let (mut told, this) = (relay.clone(), thread::current());
    // Set before this thread is woken: the other one has not ended by then.
    let is_done = Arc::new(AtomicBool::new(false));
    let tells = is_done.clone();
    let spawned = thread::Builder::new().stack_size(STACK).spawn(move || {
        let cancel = told.cancel.clone();
        let done = cancel.scope(|| work(&mut told));
        tells.store(true, Ordering::Release);
        this.unpark();
        done
    })?;
    let has_ended = |thread: &thread::JoinHandle<R>| is_done.load(Ordering::Acquire) || thread.is_finished();
    py.detach(|| {
        let mut told = Instant::now();
        while !has_ended(&spawned) {
            thread::park_timeout(GLANCE);
            let is_due = callback.is_some() && told.elapsed() >= TELL;
            let asked = Python::attach(|py| {
                py.check_signals()?;
                if let (Some(callback), true) = (&callback, is_due) {
                    told = Instant::now();
                    callback.call1(py, relay.now())?;
                }
                PyResult::Ok(())
            });
            if let Err(error) = asked {
                relay.cancel.cancel();
                let begun = Instant::now();
                while !has_ended(&spawned) && begun.elapsed() < PATIENCE {
                    thread::park_timeout(GLANCE);
                }
                return Err(error);
            }
        }
        let Ok(done) = spawned.join() else {
            return Err(crate::error::of(
                "bristle has met something it did not expect; please tell its developers",
            ));
        };
        if let Some(callback) = &callback {
            Python::attach(|py| callback.call1(py, (relay.now().0, 1.0)))?;
        }
        Ok(done)
    })
}
