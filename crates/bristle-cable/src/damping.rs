//! Internal damping of an element: of the stretching alone, or of every change of the slope.
//!
//! ```text
//! strain: P = ∫ c (r'·ṙ')² dp,   Q_k = ∫ c (r'·ṙ') S'_k r' dp
//! slope:  P = ∫ c |ṙ'|² dp,      Q_k = ∫ c S'_k ṙ' dp
//! ```
//!
//! `r'·ṙ'` is the rate of Green's strain: a rope that turns as a whole, or runs over a drum without being stretched, is
//! not braked by the first. The second brakes it, since its slope turns.

use crate::elastic::{CableNode, PAIRS};
use crate::element::{self, GAUSS, Mat4};
use crate::element_forces::ElementSlopes;
use bristle_core::Scalar;

/// What internal damping acts on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CableDamping {
    /// The rate of the strain `r'·ṙ'`: axial force `EA ε + c ε̇`. Rigid motion and running over a drum are free.
    Strain,
    /// The rate of the slope `ṙ'` (Westin & Irani 2020, eq. 18). It also resists rigid rotation.
    #[default]
    Slope,
}

/// Internal damping forces of one element of length `h` on the coordinates `(x, y, x', y')` of its two nodes; on the
/// left-hand side of the equations, as elastic forces are.
pub fn damping_force<S: Scalar>(
    of: CableDamping,
    c: S,
    h: S,
    q: &[[S; 4]; 2],
    v: &[[S; 4]; 2],
) -> [[S; 4]; 2] {
    let mut out = [[S::zero(); 4]; 2];
    for (xi, w) in GAUSS {
        let rise = S::from(6.0 * (xi - xi * xi)) / h;
        let x2 = 3.0 * xi * xi;
        let slope = [-rise, S::from(1.0 - 4.0 * xi + x2), rise, S::from(x2 - 2.0 * xi)];
        let sum = |e: &[[S; 4]; 2], i: usize| {
            slope[0] * e[0][i] + slope[1] * e[0][2 + i] + slope[2] * e[1][i] + slope[3] * e[1][2 + i]
        };
        let (r, rate) = ([sum(q, 0), sum(q, 1)], [sum(v, 0), sum(v, 1)]);
        let resisted = match of {
            CableDamping::Slope => rate,
            CableDamping::Strain => {
                let strain_rate = r[0] * rate[0] + r[1] * rate[1];
                [strain_rate * r[0], strain_rate * r[1]]
            }
        };
        for (k, s) in slope.into_iter().enumerate() {
            for i in 0..2 {
                out[k / 2][2 * (k % 2) + i] += c * h * w * s * resisted[i];
            }
        }
    }
    out
}

/// Damping of the strain, of the elements of one cable.
#[derive(Clone, Debug)]
pub(crate) struct StrainDamping {
    /// `S'` at the Gauss points.
    slopes: [[f64; 4]; 5],
    /// `w h c S'_k S'_l`, the ten distinct products, at the Gauss points.
    products: [[f64; 10]; 5],
    /// `w h c` at the Gauss points.
    weights: [f64; 5],
}

impl StrainDamping {
    /// Elements of length `h` with the damping `c`.
    pub(crate) fn new(c: f64, h: f64) -> Self {
        let slopes = GAUSS.map(|(xi, _)| element::slope(h, xi));
        let weights = GAUSS.map(|(_, w)| w * h * c);
        let products = std::array::from_fn(|g| PAIRS.map(|(k, l)| weights[g] * slopes[g][k] * slopes[g][l]));
        StrainDamping { slopes, products, weights }
    }

    /// `r'` and `ṙ'` at a Gauss point.
    #[inline]
    fn at(&self, g: usize, q: [&CableNode; 2], v: [&CableNode; 2]) -> [[f64; 2]; 2] {
        let s = &self.slopes[g];
        let sum =
            |[a, b]: [&CableNode; 2], c: usize| s[0] * a[c] + s[1] * a[2 + c] + s[2] * b[c] + s[3] * b[2 + c];
        [[sum(q, 0), sum(q, 1)], [sum(v, 0), sum(v, 1)]]
    }

    /// Adds the force to `f`.
    #[inline]
    pub(crate) fn add_force(&self, q: [&CableNode; 2], v: [&CableNode; 2], f: &mut [CableNode; 2]) {
        for g in 0..5 {
            let [r, rate] = self.at(g, q, v);
            let stress = self.weights[g] * (r[0] * rate[0] + r[1] * rate[1]);
            let s = &self.slopes[g];
            for k in 0..4 {
                f[k / 2][2 * (k % 2)] += stress * s[k] * r[0];
                f[k / 2][2 * (k % 2) + 1] += stress * s[k] * r[1];
            }
        }
    }

    /// `speed ∂Q/∂v + place ∂Q/∂q` in four blocks over the two nodes: aa, ab, ba, bb. The second is not symmetric.
    #[inline]
    pub(crate) fn tangent(
        &self,
        q: [&CableNode; 2],
        v: [&CableNode; 2],
        speed: f64,
        place: f64,
    ) -> [Mat4; 4] {
        // ∂(r'·ṙ' r')/∂ṙ' = r' r'ᵀ,  ∂(r'·ṙ' r')/∂r' = r' ṙ'ᵀ + (r'·ṙ') 1.
        let mut sums = [[0.0; 10]; 4];
        for g in 0..5 {
            let [r, rate] = self.at(g, q, v);
            let spread = place * (r[0] * rate[0] + r[1] * rate[1]);
            let along = [speed * r[0] + place * rate[0], speed * r[1] + place * rate[1]];
            let entries =
                [r[0] * along[0] + spread, r[0] * along[1], r[1] * along[0], r[1] * along[1] + spread];
            for (sum, entry) in sums.iter_mut().zip(entries) {
                for (to, w) in sum.iter_mut().zip(&self.products[g]) {
                    *to += w * entry;
                }
            }
        }
        let mut k = [[[0.0; 4]; 4]; 4];
        for (i, (m, n)) in PAIRS.into_iter().enumerate() {
            for (m, n) in [(m, n), (n, m)] {
                let (row, col) = (2 * (m % 2), 2 * (n % 2));
                let block = &mut k[2 * (m / 2) + n / 2];
                block[row][col] = sums[0][i];
                block[row][col + 1] = sums[1][i];
                block[row + 1][col] = sums[2][i];
                block[row + 1][col + 1] = sums[3][i];
            }
        }
        k
    }

    /// Adds `∂Q/∂q`, `∂Q/∂v` and `∂P/∂q = 2 ∫ c (r'·ṙ') S'_k ṙ' dp` of the power lost.
    #[inline]
    pub(crate) fn add_slopes(&self, q: [&CableNode; 2], v: [&CableNode; 2], out: &mut ElementSlopes) {
        let (mut places, mut speeds) = ([[0.0; 10]; 4], [[0.0; 10]; 3]);
        for g in 0..5 {
            let [r, rate] = self.at(g, q, v);
            let rise = r[0] * rate[0] + r[1] * rate[1];
            let by_place = [r[0] * rate[0] + rise, r[0] * rate[1], r[1] * rate[0], r[1] * rate[1] + rise];
            let by_speed = [r[0] * r[0], r[0] * r[1], r[1] * r[1]];
            for i in 0..10 {
                let w = self.products[g][i];
                for k in 0..4 {
                    places[k][i] += w * by_place[k];
                }
                for k in 0..3 {
                    speeds[k][i] += w * by_speed[k];
                }
            }
            let stress = 2.0 * self.weights[g] * rise;
            let s = &self.slopes[g];
            for k in 0..4 {
                out.loss_by_place[k / 2][2 * (k % 2)] += stress * s[k] * rate[0];
                out.loss_by_place[k / 2][2 * (k % 2) + 1] += stress * s[k] * rate[1];
            }
        }
        for i in 0..10 {
            let (m, n) = PAIRS[i];
            let (row, column) = (2 * m, 2 * n);
            let by_place = [places[0][i], places[1][i], places[2][i], places[3][i]];
            let by_speed = [speeds[0][i], speeds[1][i], speeds[1][i], speeds[2][i]];
            for (to, [xx, xy, yx, yy]) in [(&mut out.by_place, by_place), (&mut out.by_speed, by_speed)] {
                to[row][column] += xx;
                to[row][column + 1] += xy;
                to[row + 1][column] += yx;
                to[row + 1][column + 1] += yy;
                if m != n {
                    to[column][row] += xx;
                    to[column][row + 1] += xy;
                    to[column + 1][row] += yx;
                    to[column + 1][row + 1] += yy;
                }
            }
        }
    }
}

#[cfg(test)]
mod damping_tests {
    use super::*;
    use bristle_core::{Dual, partial, seed};

    const C: f64 = 0.7;
    const H: f64 = 0.3;
    const Q: [CableNode; 2] = [[0.1, -0.2, 0.9, 0.3], [0.35, 0.05, 0.6, 0.8]];
    const V: [CableNode; 2] = [[1.0, 0.4, -2.0, 3.0], [0.7, -0.9, 1.5, 0.2]];

    fn lift<const N: usize>(x: &[CableNode; 2], from: Option<usize>) -> [[Dual<N>; 4]; 2] {
        std::array::from_fn(|n| {
            std::array::from_fn(|i| from.map_or(Dual::from(x[n][i]), |at| seed(x[n][i], at + 4 * n + i)))
        })
    }

    /// The sums of the assembly are the derivatives of the one generic text.
    #[test]
    fn force_and_tangent_follow_the_generic_text() {
        let own = StrainDamping::new(C, H);
        let mut f = [[0.0; 4]; 2];
        own.add_force([&Q[0], &Q[1]], [&V[0], &V[1]], &mut f);
        let (speed, place) = (0.6, 1.7);
        let k = own.tangent([&Q[0], &Q[1]], [&V[0], &V[1]], speed, place);
        let (c, h) = (Dual::<16>::from(C), Dual::from(H));
        let exact = damping_force(CableDamping::Strain, c, h, &lift(&Q, Some(0)), &lift(&V, Some(8)));
        for row in 0..8 {
            let e = &exact[row / 4][row % 4];
            assert!((e.value() - f[row / 4][row % 4]).abs() < 1e-13, "row {row}");
            for col in 0..8 {
                let expected = place * partial(e, col) + speed * partial(e, 8 + col);
                let found = k[2 * (row / 4) + col / 4][row % 4][col % 4];
                assert!((found - expected).abs() < 1e-12, "{row} {col}: {found} {expected}");
            }
        }
    }

    /// A rigid motion loses nothing to damping of the strain.
    #[test]
    fn rotation_is_free() {
        let power = |of: CableDamping, v: &[CableNode; 2]| -> f64 {
            let f = damping_force(of, C, H, &Q, v);
            (0..8).map(|i| f[i / 4][i % 4] * v[i / 4][i % 4]).sum()
        };
        assert!(power(CableDamping::Strain, &V) > 1e-3);
        let turning = Q.map(|[x, y, dx, dy]| [2.0 - y, x - 1.0, -dy, dx]);
        assert!(power(CableDamping::Strain, &turning).abs() < 1e-14);
        // |ṙ'| = |r'| under unit rotation: c ∫ |r'|² dp.
        let slope = power(CableDamping::Slope, &turning);
        let held = power(CableDamping::Slope, &Q);
        assert!(slope > 0.1 && (slope - held).abs() < 1e-12);
    }

    /// The closed integral of the assembly against the generic text.
    #[test]
    fn damping_of_the_slope_is_the_slope_integral() {
        let d = element::slopes(H);
        let f = damping_force(CableDamping::Slope, C, H, &Q, &V);
        for k in 0..4 {
            for i in 0..2 {
                let sum: f64 = (0..4).map(|l| C * d[k][l] * V[l / 2][2 * (l % 2) + i]).sum();
                assert!((sum - f[k / 2][2 * (k % 2) + i]).abs() < 1e-12);
            }
        }
    }
}
