//! The laws as a whole: what each must satisfy, and the values published or computed for them elsewhere.

// Marked as tests, so that helpers may unwrap and panic as tests do.
#[cfg(test)]
mod bench;
#[cfg(test)]
mod every_law;
#[cfg(test)]
mod fixed_step;
#[cfg(test)]
mod guest;
#[cfg(test)]
mod laws_as_text;
#[cfg(test)]
mod memory;
#[cfg(test)]
mod pointwise;
#[cfg(test)]
mod written;
