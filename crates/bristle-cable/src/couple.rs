//! What friction couples at a touching node: accelerations `a`, the excess `d = M⁻¹ Aᵀ σ` and the holding force `λ`.

use crate::assembly::{TouchingNode, Weights};
use crate::small::SquareBlock;
use crate::state::CableState;
use crate::system::CableSystem;

/// Couples `a`, `d` and `λ` of a touching node.
pub(crate) fn couple(
    system: &CableSystem,
    state: &CableState,
    w: Weights,
    touch: &TouchingNode,
    diag: &mut SquareBlock<9>,
    rhs: Option<&mut [f64; 9]>,
) {
    let (node, t, pull) = (touch.node, touch.t, touch.pull);
    let sigma = state.hold[node] + pull.force;
    let turn = touch.shrink * w.place;
    let held = system.held()[node];
    for r in (0..2).filter(|r| !held[*r]) {
        diag[r][8] = -t[r] * pull.by_hold;
        diag[4 + r][8] = -t[r] * (1.0 + pull.by_hold);
        for c in 0..4 {
            diag[4 + r][c] -= t[r] * touch.row[c];
        }
        for c in 0..2 {
            let unit = if r == c { 1.0 } else { 0.0 };
            diag[4 + r][2 + c] -= turn * sigma * (unit - t[r] * t[c]);
        }
    }
    let (a, d) = (state.a[node], state.excess[node]);
    let gap = [a[0] - d[0], a[1] - d[1]];
    let along = t[0] * gap[0] + t[1] * gap[1];
    let soft = system.cable().fade / touch.normal.force;
    let mut row = [0.0; 9];
    for c in 0..2 {
        let load = w.place * touch.normal.by_place[c] + w.speed * touch.normal.by_speed[c];
        row[c] = w.mass * t[c] + soft * sigma / touch.normal.force * load;
        row[2 + c] = turn * (gap[c] - t[c] * along);
        row[4 + c] = -t[c];
    }
    for c in 0..4 {
        row[c] -= soft * touch.row[c];
    }
    row[8] = -soft * (1.0 + pull.by_hold);
    diag[8] = row;
    if let Some(rhs) = rhs {
        for r in (0..2).filter(|r| !held[*r]) {
            rhs[4 + r] -= t[r] * sigma;
        }
        let surface = touch.reach * (state.spin[touch.drum][2] - state.excess_spin[touch.drum]);
        rhs[8] = along - surface - soft * sigma;
    }
}
