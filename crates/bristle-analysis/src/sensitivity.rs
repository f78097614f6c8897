//! How a motion moves with a parameter, exactly: its variation along with it, switches included.

use crate::AnalysisError;
use crate::section::PoincareSection;
use crate::variation::Variation;
use bristle_solve::{Dynamics, Integrator, Recordings, Solver, State};

/// A height that no motion falls below: the variation is not cut.
const NEVER: f64 = -1e12;

/// The state at a time and its derivative by one parameter, without quadratures.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivity {
    /// The state, quadratures zero.
    pub state: State,
    /// Its derivative.
    pub slope: Vec<f64>,
}

/// Follows the motion from `start`, whose derivative by the parameter is `slope`, to `t_end`.
///
/// # Errors
/// [`AnalysisError`] of the integration.
pub fn sensitivity<D: Dynamics>(
    dynamics: &D,
    p: &[f64],
    parameter: usize,
    (start, slope): (&State, &[f64]),
    t_end: f64,
    solver: &Solver,
) -> Result<Sensitivity, AnalysisError> {
    let recordings = Recordings::default();
    let section = PoincareSection::falling(0, NEVER);
    let variation = Variation {
        inner: dynamics,
        section: &section,
        columns: 1,
        parameter: Some(parameter),
        recordings: &recordings,
    };
    let n = variation.size();
    let x = start.x[..n].iter().chain(&slope[..n]).copied().collect();
    let mut integrator = Integrator::new(&variation, p, solver)?;
    integrator.reset(&State { t: start.t, x, mode: Vec::new() })?;
    integrator.advance(t_end, &mut ())?;
    let end = integrator.state();
    Ok(Sensitivity { state: variation.motion(end), slope: end.x[n..2 * n].to_vec() })
}

#[cfg(test)]
mod sensitivity_tests {
    use super::*;
    use bristle_solve::problems::CoulombBelt;

    /// Against differences of whole runs over several slips, computed to twelve digits.
    #[test]
    fn a_motion_with_switches_moves_as_differences_say() {
        let belt = CoulombBelt;
        let p = belt.params().to_vec();
        let start = belt.initial();
        let solver = Solver::with_tolerance(1e-12);
        let t_end = 40.0;
        // The speed of the belt is also the block's at the start, which does not follow it here.
        for parameter in [0, 1, 3, 4] {
            let zero = vec![0.0; start.x.len()];
            let found = sensitivity(&belt, &p, parameter, (&start, &zero), t_end, &solver).unwrap();
            let end = |factor: f64| {
                let mut p = p.clone();
                p[parameter] *= factor;
                let mut integrator = Integrator::new(&belt, &p, &solver).unwrap();
                integrator.reset(&start).unwrap();
                integrator.advance(t_end, &mut ()).unwrap();
                integrator.state().x.clone()
            };
            let h = 1e-5;
            let (above, below) = (end(1.0 + h), end(1.0 - h));
            for i in 0..found.slope.len() {
                let difference = (above[i] - below[i]) / (2.0 * h * p[parameter]);
                // A difference of this step knows five to six digits.
                let size = difference.abs().max(1e-3 / p[parameter].abs().max(1e-3));
                assert!(
                    (found.slope[i] - difference).abs() < 1e-4 * size,
                    "{parameter} {i} {difference} {found:?}"
                );
            }
        }
    }
}
