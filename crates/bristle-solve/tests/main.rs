//! Conformance of every method, and the behaviour of runs.

mod smoke;
