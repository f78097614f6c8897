//! Explicit integration, for soft cables and as an independent check of the implicit method.

use bristle_cable::*;

/// Accelerations of the cable and its drums at a state: `M a = Q + Aᵀ F` with the holding forces solved.
///
/// A node inside a dead band is found by its speed. Writes `state.a`, `state.hold` and the accelerations of drums
/// that feel the cable.
pub fn rates(system: &CableSystem, state: &mut CableState) -> Result<(), CableError> {
    let mut assembly = Assembly::new(system.cable().nodes());
    let mut newton = NewtonWorkspace::new(system);
    for node in 0..state.q.len() {
        let (q, v) = (state.q[node], state.v[node]);
        for (d, drum) in system.cable().drums.iter().enumerate() {
            let size = q[2].hypot(q[3]);
            let slip =
                (q[2] * v[0] + q[3] * v[1]) / size - drum.sense.sign() * drum.radius * state.spin[d][1];
            if contact::normal(drum, [q[0], q[1]], [v[0], v[1]]).is_some() {
                state.stuck[node] = slip.abs() <= drum.friction.rest_speed();
            }
        }
    }
    settle(system, state, &mut assembly, &mut newton)
}

/// The classical fourth-order method with a fixed step, for cables without driven drums.
#[derive(Clone, Debug)]
pub struct RungeKutta<'a> {
    system: &'a CableSystem,
    /// The state.
    pub state: CableState,
    stage: CableState,
    assembly: Assembly,
    newton: NewtonWorkspace,
}

impl<'a> RungeKutta<'a> {
    /// Starts at `state`.
    pub fn new(system: &'a CableSystem, state: CableState) -> Self {
        RungeKutta {
            system,
            stage: state.clone(),
            state,
            assembly: Assembly::new(system.cable().nodes()),
            newton: NewtonWorkspace::new(system),
        }
    }

    /// One step.
    pub fn step(&mut self, dt: f64) -> Result<(), CableError> {
        let n = self.state.q.len();
        let mut sums: [Vec<[f64; 4]>; 2] = [vec![[0.0; 4]; n], vec![[0.0; 4]; n]];
        for (offset, weight) in [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
            let shift = offset * dt;
            for i in 0..n {
                for c in 0..4 {
                    let (v, a) = (self.stage.v[i][c], self.stage.a[i][c]);
                    self.stage.q[i][c] = self.state.q[i][c] + shift * v;
                    self.stage.v[i][c] = self.state.v[i][c] + shift * a;
                }
            }
            self.stage.t = self.state.t + shift;
            settle(self.system, &mut self.stage, &mut self.assembly, &mut self.newton)?;
            for i in 0..n {
                for c in 0..4 {
                    sums[0][i][c] += weight * self.stage.v[i][c];
                    sums[1][i][c] += weight * self.stage.a[i][c];
                }
            }
        }
        for i in 0..n {
            for c in 0..4 {
                self.state.q[i][c] += dt / 6.0 * sums[0][i][c];
                self.state.v[i][c] += dt / 6.0 * sums[1][i][c];
            }
        }
        self.state.t += dt;
        self.stage.q.copy_from_slice(&self.state.q);
        self.stage.v.copy_from_slice(&self.state.v);
        Ok(())
    }
}
