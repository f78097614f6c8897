//! Who is told how far a piece of work is.

/// Looks on while a study runs.
pub trait Progress {
    /// A piece of work begins.
    fn begin(&mut self, what: &str);
    /// So much of it is done, from 0 to 1. `false` stops the work cleanly.
    fn at(&mut self, fraction: f64) -> bool;
}

/// Nobody is told.
impl Progress for () {
    fn begin(&mut self, _what: &str) {}
    fn at(&mut self, _fraction: f64) -> bool {
        true
    }
}
