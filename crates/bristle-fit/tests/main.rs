//! Fits of records that the tests make themselves.

// Marked as tests, so that helpers may unwrap as tests do.
#[cfg(test)]
mod suite;
