//! Derivatives of what happens where a node touches a drum.

use super::dense::{factorise, substitute};
use super::touch::{DrumMotion, Surface};
use bristle_core::{Dual, partial, seed};
use bristle_law::AnyLaw;

/// Derivatives found at a time.
pub(super) const W: usize = 8;

/// Friction states of a node, at most.
pub(super) const STATES: usize = 4;
/// What a touching node depends on: its coordinates, their velocities, its states; centre, velocity and spin of the drum.
pub(super) const INPUTS: usize = 8 + STATES + 5;
/// What it makes: the force on the node, friction along the rope, the rates of its states.
const OUTPUTS: usize = 3 + STATES;

/// One touching node: derivatives of what it makes.
#[derive(Clone, Debug)]
pub(super) struct TouchSlopes {
    pub(super) node: usize,
    pub(super) drum: usize,
    /// Surface speed along the rope per angular speed.
    pub(super) reach: f64,
    pub(super) by: [[f64; INPUTS]; OUTPUTS],
}

impl TouchSlopes {
    /// Derivatives of the force on the node once its friction states have followed.
    pub(super) fn eliminated(&self, states: usize, shift: f64) -> [[f64; 8]; 2] {
        let mut out: [[f64; 8]; 2] = std::array::from_fn(|r| std::array::from_fn(|c| self.by[r][c]));
        if states == 0 {
            return out;
        }
        let mut matrix = vec![0.0; states * states];
        for i in 0..states {
            for j in 0..states {
                matrix[i * states + j] = if i == j { shift } else { 0.0 } - self.by[3 + i][8 + j];
            }
        }
        let mut pivots = vec![0; states];
        if !factorise(&mut matrix, &mut pivots) {
            return out;
        }
        for c in 0..8 {
            let mut z: Vec<f64> = (0..states).map(|i| self.by[3 + i][c]).collect();
            substitute(&matrix, &pivots, &mut z);
            for (r, row) in out.iter_mut().enumerate() {
                row[c] += (0..states).map(|j| self.by[r][8 + j] * z[j]).sum::<f64>();
            }
        }
        out
    }
}

/// Derivatives of what a touching node makes, exact.
pub(super) fn touch_slopes(
    surface: &Surface,
    motion: &DrumMotion<f64>,
    law: Option<&AnyLaw<Dual<W>>>,
    [q, v]: [&[f64; 4]; 2],
    z: &[f64],
) -> [[f64; INPUTS]; OUTPUTS] {
    let mut values = [0.0; INPUTS];
    values[..4].copy_from_slice(q);
    values[4..8].copy_from_slice(v);
    values[8..8 + z.len()].copy_from_slice(z);
    values[12..14].copy_from_slice(&motion.centre);
    values[14..16].copy_from_slice(&motion.velocity);
    values[16] = motion.spin;
    let mut out = [[0.0; INPUTS]; OUTPUTS];
    for first in (0..INPUTS).step_by(W) {
        let x: [Dual<W>; INPUTS] = std::array::from_fn(|i| {
            if (first..first + W).contains(&i) { seed(values[i], i - first) } else { Dual::from(values[i]) }
        });
        let place: [Dual<W>; 4] = std::array::from_fn(|i| x[i]);
        let speed: [Dual<W>; 4] = std::array::from_fn(|i| x[4 + i]);
        let motion = DrumMotion { centre: [x[12], x[13]], velocity: [x[14], x[15]], spin: x[16] };
        let mut dz = vec![Dual::<W>::from(0.0); z.len()];
        let touch = surface.touch(&motion, law, [&place, &speed], &x[8..8 + z.len()], &mut dz);
        let Some(touch) = touch else { continue };
        let [fx, fy] = touch.force();
        for (o, value) in [fx, fy, touch.friction].into_iter().chain(dz).enumerate() {
            for i in first..(first + W).min(INPUTS) {
                let slope = partial(&value, i - first);
                out[o][i] = if slope.is_finite() { slope } else { 0.0 };
            }
        }
    }
    out
}
