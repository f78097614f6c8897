//! Every law of the catalogue, recorded.

// Marked as tests, so that helpers may unwrap and panic as tests do.
#[cfg(test)]
mod batch;
#[cfg(test)]
mod c_text;
#[cfg(test)]
mod catalogue;
#[cfg(test)]
mod derivatives;
#[cfg(test)]
mod hyper;
#[cfg(test)]
mod lanes;
#[cfg(all(test, feature = "jit"))]
mod machine;
#[cfg(test)]
mod rounding;
#[cfg(test)]
mod values;
