//! Natural frequencies of small motions about a state at rest.

use crate::assembly::{ActiveFriction, Assembly, Weights};
use crate::error::CableError;
use crate::friction::STATES;
use crate::state::CableState;
use crate::system::CableSystem;
use nalgebra::{Cholesky, DMatrix, SymmetricEigen};

/// Angular frequencies in ascending order: `K x = ω² M x` without friction and damping.
///
/// An unstable shape gives negative values `−√−ω²`. Dense, for validation and small cables.
pub fn frequencies(system: &CableSystem, state: &CableState) -> Result<Vec<f64>, CableError> {
    let mut work = state.clone();
    let z0: Vec<[f64; STATES]> = state.z.clone();
    let matrix = |work: &mut CableState, mass: f64, place: f64| {
        let mut assembly = Assembly::new(system.cable().nodes());
        let w = Weights { mass, speed: 0.0, place, dt: 0.0 };
        system.assemble(work, &z0, w, ActiveFriction::Off, &mut assembly);
        assembly
    };
    let (m, k) = (matrix(&mut work, 1.0, 0.0), matrix(&mut work, 0.0, 1.0));
    let free: Vec<(usize, usize)> = (0..state.q.len())
        .flat_map(|i| (0..4).map(move |c| (i, c)))
        .filter(|(i, c)| !system.held()[*i][*c])
        .collect();
    let dense = |assembly: &Assembly| {
        DMatrix::from_fn(free.len(), free.len(), |a, b| {
            let ((i, r), (j, c)) = (free[a], free[b]);
            if i == j {
                assembly.tri.diag[i][r][c]
            } else if j == i + 1 {
                assembly.tri.upper[i][r][c]
            } else if i == j + 1 {
                assembly.tri.lower[j][r][c]
            } else {
                0.0
            }
        })
    };
    let singular = CableError::Singular { t: state.t, node: 0 };
    let factor = Cholesky::new(dense(&m)).ok_or(singular.clone())?.l();
    // L⁻¹ K L⁻ᵀ has the same eigenvalues and is symmetric.
    let half = factor.solve_lower_triangular(&dense(&k)).ok_or(singular.clone())?;
    let full = factor.solve_lower_triangular(&half.transpose()).ok_or(singular)?;
    let symmetric = (&full + full.transpose()) * 0.5;
    let mut values: Vec<f64> =
        SymmetricEigen::new(symmetric).eigenvalues.iter().map(|x| x.abs().sqrt().copysign(*x)).collect();
    values.sort_by(f64::total_cmp);
    Ok(values)
}
