//! Ctrl-C: the first stops the work and keeps what was found, the second ends the program.

use crate::reply::INTERRUPTED;
use bristle::Cancel;
use cpu_time::ProcessTime;
use std::io::Write;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Work that does not stop within so much processor time is given up.
const PATIENCE: Duration = Duration::from_millis(850);

/// How often a stopping program is looked at.
const GLANCE: Duration = Duration::from_millis(10);

/// What was found is being put together and written, which is waited for.
static IS_KEEPING: AtomicBool = AtomicBool::new(false);

/// Whether the user asked to stop.
pub fn is_wanted() -> bool {
    Cancel::check().is_err()
}

/// Says that results are there and are being written from now on.
pub fn keep() {
    IS_KEEPING.store(true, Ordering::Relaxed);
}

/// Does something that listens to Ctrl-C, with all threads it uses.
pub fn listening<R>(work: impl FnOnce() -> R) -> R {
    let cancel = Cancel::default();
    let wish = cancel.clone();
    // Without a handler Ctrl-C simply ends the program, which is not worth refusing to run for.
    let _ = ctrlc::set_handler(move || {
        if wish.is_cancelled() {
            process::exit(i32::from(INTERRUPTED));
        }
        wish.cancel();
        thread::spawn(give_up);
    });
    let worker = cancel.clone();
    // A pool that is there already belongs to somebody else, who has to tell it.
    let _ = rayon::ThreadPoolBuilder::new().start_handler(move |_| worker.enter()).build_global();
    cancel.scope(work)
}

/// Ends the program once it has been stopping for too long.
fn give_up() {
    let begun = ProcessTime::now();
    while begun.elapsed() < PATIENCE || IS_KEEPING.load(Ordering::Relaxed) {
        thread::sleep(GLANCE);
    }
    let _ = writeln!(std::io::stderr(), "  × interrupted in the midst of a long step; nothing was written");
    process::exit(i32::from(INTERRUPTED));
}
