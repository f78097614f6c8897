//! The leading Lyapunov exponent of the motion on an attractor.

use crate::AnalysisError;
use crate::shooting::ReturnMap;
use bristle_solve::{Dynamics, State};
use nalgebra::DVector;
use serde::{Deserialize, Serialize};

/// The mean rate at which neighbouring motions part.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lyapunov {
    /// Nats per return to the section.
    pub per_cycle: f64,
    /// Nats per second.
    pub per_second: f64,
    /// Number of returns averaged over.
    pub cycles: usize,
}

impl<D: Dynamics> ReturnMap<'_, D> {
    /// The leading exponent over `cycles` returns from a state on the section.
    ///
    /// A tangent vector is carried by the exact derivative of each return and brought back to unit length.
    pub fn lyapunov(&self, p: &[f64], start: &State, cycles: usize) -> Result<Lyapunov, AnalysisError> {
        let m = self.dim();
        let mut direction = DVector::from_fn(m, |k, _| 1.0 / (1.0 + k as f64));
        let mut state = start.clone();
        let (mut growth, mut time) = (0.0, 0.0);
        // The first returns only turn the vector into the leading direction.
        let settling = 3;
        for cycle in 0..cycles + settling {
            let image = self.run(p, &state, 1, None)?;
            direction = &image.jacobian * direction;
            let norm = direction.norm().max(f64::MIN_POSITIVE);
            direction.unscale_mut(norm);
            if cycle >= settling {
                growth += norm.ln();
                time += image.time;
            }
            if let Some(last) = image.hits.last() {
                state = State { t: 0.0, ..last.clone() };
            }
        }
        let count = cycles.max(1) as f64;
        Ok(Lyapunov { per_cycle: growth / count, per_second: growth / time, cycles })
    }
}
