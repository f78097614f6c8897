//! One Newton step of the coupled system of accelerations, holding forces and driven drums.
//!
//! Unknowns: accelerations `a`, holding forces `λ` of the touching nodes and accelerations `ω̇` of the drums that
//! feel the cable. With `σ = λ + F` the equations are
//!
//! ```text
//! r₁ = M a − Q − Aᵀ F = 0
//! r₂ = W σ − A a + s R ω̇ = 0,  W = A M⁻¹ Aᵀ (+ s sᵀ R²/J on a drum that feels the cable)
//! r₃ = J ω̇ − τ + Σ s R F = 0
//! ```
//!
//! The linear system is a block tridiagonal matrix bordered by `λ` and `ω̇`.

use crate::assembly::{Assembly, Weights};
use crate::error::CableError;
use crate::state::CableState;
use crate::system::CableSystem;

/// Room for Newton steps; grows with the largest number of contacts seen, then stays.
#[derive(Clone, Debug)]
pub struct NewtonWorkspace {
    pub(crate) starts: Vec<usize>,
    pub(crate) bordered: Vec<usize>,
    pub(crate) motors: Vec<usize>,
    pub(crate) sigma: Vec<f64>,
    pub(crate) excess: Vec<[f64; 2]>,
    pub(crate) residual: Vec<f64>,
    pub(crate) schur: Vec<f64>,
    pub(crate) flow: Vec<[Vec<f64>; 2]>,
    pub(crate) change: Vec<f64>,
    pub(crate) scratch: Vec<f64>,
}

impl NewtonWorkspace {
    /// Room for a cable.
    pub fn new(system: &CableSystem) -> NewtonWorkspace {
        let drums = &system.cable().drums;
        NewtonWorkspace {
            starts: Vec::new(),
            bordered: Vec::new(),
            motors: (0..drums.len()).filter(|d| drums[*d].drive.inertia().is_some()).collect(),
            sigma: Vec::new(),
            excess: Vec::new(),
            residual: Vec::new(),
            schur: Vec::new(),
            flow: Vec::new(),
            change: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Solves for the step that takes `state` to the zero of the assembled equations and applies it to `a`, `hold`
    /// and the drums' accelerations. Gives the largest change of an acceleration, slopes times element length.
    pub fn step(
        &mut self,
        system: &CableSystem,
        state: &mut CableState,
        w: Weights,
        assembly: &mut Assembly,
    ) -> Result<f64, CableError> {
        self.bordered_step(system, state, w, assembly)
    }
}

/// Subtracts the solution from the accelerations; gives the largest change, slopes times element length.
pub(crate) fn apply<'a>(
    system: &CableSystem,
    state: &mut CableState,
    solution: impl Iterator<Item = &'a [f64; 4]>,
) -> f64 {
    let h = system.cable().element_length();
    let mut largest = 0.0;
    for (a, x) in state.a.iter_mut().zip(solution) {
        for c in 0..4 {
            a[c] -= x[c];
        }
        let change = x[0].abs().max(x[1].abs()).max(h * x[2].abs().max(x[3].abs()));
        largest = larger(largest, change);
    }
    largest
}

/// The larger of two sizes; a number that is none wins, so that it is seen.
#[inline]
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}
