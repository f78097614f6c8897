//! Accelerations that satisfy the equations at given places and speeds.

use crate::assembly::{ActiveFriction, Assembly, Weights};
use crate::error::CableError;
use crate::friction::STATES;
use crate::newton::NewtonWorkspace;
use crate::state::CableState;
use crate::system::CableSystem;

/// Accelerations and holding forces that satisfy the equations at the state's places and speeds.
pub fn settle(
    system: &CableSystem,
    state: &mut CableState,
    assembly: &mut Assembly,
    newton: &mut NewtonWorkspace,
) -> Result<(), CableError> {
    let w = Weights { mass: 1.0, speed: 0.0, place: 0.0, dt: 0.0 };
    let z0: Vec<[f64; STATES]> = state.z.clone();
    for (i, drum) in system.cable().drums.iter().enumerate() {
        if drum.drive.inertia().is_some() {
            state.spin[i][2] = 0.0;
        }
    }
    let mut scale = 0.0f64;
    for _ in 0..30 {
        system.assemble(state, &z0, w, ActiveFriction::Law, assembly);
        let change = newton.step(system, state, w, assembly)?;
        scale = scale.max(change);
        // Without holding forces the accelerations are linear in the forces: one solution is exact.
        let linear = !assembly.touches.iter().any(|t| t.uses_hold);
        if linear || change <= 1e-12 * scale || change < 1e-12 {
            return Ok(());
        }
    }
    Ok(())
}
