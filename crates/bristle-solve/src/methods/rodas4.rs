//! Rodas4.

use super::rosenbrock::RosenbrockTable;
use bristle_core::Card;

/// Rodas4: a linearly implicit method of order 4 with six stages, for stiff motion at loose tolerances.
///
/// ```text
/// (1/(hγ) − J) u_i = f(t + α_i h, x + Σ a_ij u_j) + Σ (c_ij/h) u_j + γ_i h ∂f/∂t
/// ```
///
/// Stiffly accurate and L-stable, embedded order 3, dense output of order 3. Cheaper per step than `rodas5p`, which
/// overtakes it below relative tolerances of about 10⁻⁵.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "rodas4", cite = "hairer1996", tags("stiff", "one-step"))]
pub struct Rodas4;

const X: [f64; 4] = [1.221224509226641, 6.019134481288629, 12.53708332932087, -0.687886036105895];

impl Rodas4 {
    /// Hairer & Wanner II, sect. VI.4, method RODAS.
    pub(crate) const TABLE: RosenbrockTable = RosenbrockTable {
        gamma: 0.25,
        a: &[
            &[],
            &[1.544],
            &[0.9466785280815826, 0.2557011698983284],
            &[3.314825187068521, 2.896124015972201, 0.9986419139977817],
            &X,
            &[X[0], X[1], X[2], X[3], 1.0],
        ],
        c: &[
            &[],
            &[-5.6688],
            &[-2.430093356833875, -0.2063599157091915],
            &[-0.1073529058151375, -9.594562251023355, -20.47028614809616],
            &[7.496443313967647, -10.24680431464352, -33.99990352819905, 11.7089089320616],
            &[
                8.083246795921522,
                -7.981132988064893,
                -31.52159432874371,
                16.31930543123136,
                -6.058818238834054,
            ],
        ],
        alpha: &[0.0, 0.386, 0.21, 0.63, 1.0, 1.0],
        gammas: &[0.25, -0.1043, 0.1035, -0.0362, 0.0, 0.0],
        dense: &[
            &[
                10.12623508344586,
                -7.487995877610167,
                -34.80091861555747,
                -7.992771707568823,
                1.025137723295662,
                0.0,
            ],
            &[
                -0.6762803392801253,
                6.087714651680015,
                16.43084320892478,
                24.76722511418386,
                -6.594389125716872,
                0.0,
            ],
        ],
        error_power: 4.0,
    };
}
