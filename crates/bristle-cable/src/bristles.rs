//! Laws with internal states: each touching node carries its own.

use crate::friction::{Friction, RopePull, STATES, build};
use bristle_core::{Dual, Scalar, partial, seed};
use bristle_law::At;

impl Friction {
    /// The force of a law with internal states at the end of a step of length `dt` that began with states `z0`;
    /// writes the new states to `z`.
    ///
    /// The states follow the backward difference `z − z0 = dt ż(v, N, λ, z)`, solved node by node; its derivative
    /// enters the partial derivatives of the force, so that the whole stays a Newton iteration.
    pub fn pull_with_states(&self, at: [f64; 3], dt: f64, z0: &[f64], z: &mut [f64]) -> RopePull {
        let Friction::Law { kind, numbers, choices } = self else {
            return self.pull(at[0], at[1], at[2], None);
        };
        let count = kind.states().min(STATES);
        let law = build::<Dual<7>>(*kind, numbers, choices);
        let [v, n, hold]: [Dual<7>; 3] = std::array::from_fn(|i| seed(at[i], i));
        let mut force = Dual::<7>::from(0.0);
        let mut by_state = [[0.0; 3]; STATES];
        for _ in 0..12 {
            let zs: [Dual<7>; STATES] =
                std::array::from_fn(|i| if i < count { seed(z[i], 3 + i) } else { Dual::from(0.0) });
            let mut rate = [Dual::<7>::from(0.0); STATES];
            force = law.eval(&At { v, n, hold, mode: &[] }, &zs[..count], &mut rate[..count]);
            // (I − dt ∂ż/∂z) δz = z0 + dt ż − z, with the three inputs as further right-hand sides.
            let mut matrix = [[0.0; STATES + 4]; STATES];
            for i in 0..STATES {
                matrix[i][i] = 1.0;
                if i < count {
                    for j in 0..count {
                        matrix[i][j] -= dt * partial(&rate[i], 3 + j);
                    }
                    matrix[i][STATES] = z0[i] + dt * rate[i].value() - z[i];
                    for j in 0..3 {
                        matrix[i][STATES + 1 + j] = dt * partial(&rate[i], j);
                    }
                }
            }
            eliminate(&mut matrix);
            let mut change = 0.0f64;
            for i in 0..count {
                z[i] += matrix[i][STATES];
                change = change.max((matrix[i][STATES] / (z[i].abs() + 1e-12)).abs());
                by_state[i] = [matrix[i][STATES + 1], matrix[i][STATES + 2], matrix[i][STATES + 3]];
            }
            if change < 1e-9 {
                break;
            }
        }
        let total = |j: usize| {
            let own = partial(&force, j);
            -(0..count).fold(own, |sum, i| sum + partial(&force, 3 + i) * by_state[i][j])
        };
        RopePull { force: -force.value(), by_speed: total(0), by_load: total(1), by_hold: total(2) }
    }

    /// The states of a node that has not slipped yet.
    pub fn initial_states(&self, z: &mut [f64]) {
        z.fill(0.0);
        if let Friction::Law { kind, numbers, choices } = self {
            let count = kind.states().min(STATES);
            kind.build::<f64>(numbers, choices).initial(&mut z[..count]);
        }
    }
}

/// Gauss–Jordan elimination with row exchange on a small augmented matrix.
fn eliminate(m: &mut [[f64; STATES + 4]; STATES]) {
    for k in 0..STATES {
        let pivot = (k..STATES).max_by(|&a, &b| m[a][k].abs().total_cmp(&m[b][k].abs())).unwrap_or(k);
        m.swap(k, pivot);
        let inverse = 1.0 / m[k][k];
        for x in m[k].iter_mut() {
            *x *= inverse;
        }
        let row = m[k];
        for i in 0..STATES {
            if i != k {
                let factor = m[i][k];
                for (x, y) in m[i].iter_mut().zip(&row) {
                    *x -= factor * y;
                }
            }
        }
    }
}
