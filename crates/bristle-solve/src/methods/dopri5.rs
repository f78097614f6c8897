//! Dormand–Prince 5(4).

use super::explicit::ExplicitTable;
use bristle_core::Card;

/// Dormand and Prince's explicit method of order 5, for motion that is not stiff.
///
/// ```text
/// x' = x + h Σ b_j k_j,   k_i = f(t + c_i h, x + h Σ a_ij k_j)
/// ```
///
/// Seven stages, the last shared with the next step; embedded order 4, dense output of order 4. Cheap restarts make it
/// the best choice for stick-slip oscillations that ring but are not stiff, at moderate tolerances.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "dopri5", cite = "dormand1980", tags("explicit", "one-step"))]
pub struct Dopri5;

/// Hairer, Nørsett & Wanner I, table II.5.2; dense output sect. II.6.
pub(crate) static TABLE: ExplicitTable = ExplicitTable {
    a: &[
        &[],
        &[0.2],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
        &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
        &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
    ],
    c: &[0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0],
    steps: 6,
    error: &[&[
        71.0 / 57600.0,
        0.0,
        -71.0 / 16695.0,
        71.0 / 1920.0,
        -17253.0 / 339200.0,
        22.0 / 525.0,
        -1.0 / 40.0,
    ]],
    dense: &[&[
        -12715105075.0 / 11282082432.0,
        0.0,
        87487479700.0 / 32700410799.0,
        -10690763975.0 / 1880347072.0,
        701980252875.0 / 199316789632.0,
        -1453857185.0 / 822651844.0,
        69997945.0 / 29380423.0,
    ]],
    twins: (5, 6),
    stable: 3.25,
    error_power: 5.0,
};
