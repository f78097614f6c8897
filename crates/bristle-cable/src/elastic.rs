//! Elastic forces of an element: stretching and bending, in one of two strain measures.

use crate::element::{self, GAUSS, Mat4};
use bristle_core::{Dual, Scalar, partial, seed};

/// How stretch and bending are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strain {
    /// Green strain `ε = (r'·r' − 1)/2` and the linear bending measure `κ = |r''|` (Westin & Irani 2020).
    ///
    /// Bending is linear in the coordinates. On a drum `EA ε` reads `EI/R²` below the true tension, because
    /// `|r''|` grows with the stretch.
    #[default]
    Green,
    /// Engineering strain `ε = |r'| − 1` and the material curvature `κ = (r' × r'')/|r'|²`.
    Engineering,
}

/// Constants of the elements of one cable; all elements are alike.
#[derive(Clone, Debug)]
pub struct Elastic {
    strain: Strain,
    ea: f64,
    ei: f64,
    h: f64,
    /// `S'` at the Gauss points.
    slopes: [[f64; 4]; 5],
    /// `w h EA S'_k S'_l`, the ten distinct products, at the Gauss points.
    products: [[f64; 10]; 5],
    /// `w h EA` at the Gauss points.
    weights: [f64; 5],
    bending: Mat4,
}

/// Nodal values `(x, y, x', y')`.
pub type CableNode = [f64; 4];

/// An element matrix in four blocks over its two nodes: aa, ab, bb (ba is abᵀ).
pub type Blocks = [Mat4; 3];

/// The pairs of shape functions behind the ten distinct products.
pub(crate) const PAIRS: [(usize, usize); 10] =
    [(0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)];

impl Elastic {
    /// Elements of length `h` with these stiffnesses.
    pub fn new(strain: Strain, ea: f64, ei: f64, h: f64) -> Self {
        let mut slopes = [[0.0; 4]; 5];
        let mut products = [[0.0; 10]; 5];
        for (g, (xi, w)) in GAUSS.into_iter().enumerate() {
            slopes[g] = element::slope(h, xi);
            for (product, (k, l)) in products[g].iter_mut().zip(PAIRS) {
                *product = w * h * ea * slopes[g][k] * slopes[g][l];
            }
        }
        let weights = GAUSS.map(|(_, w)| w * h * ea);
        let bending = element::bends(h).map(|row| row.map(|b| ei * b));
        Elastic { strain, ea, ei, h, slopes, products, weights, bending }
    }

    /// The constant part of the tangent, `EI B`, over the shape functions; zero where bending is nonlinear.
    pub fn linear(&self) -> Mat4 {
        match self.strain {
            Strain::Green => self.bending,
            Strain::Engineering => [[0.0; 4]; 4],
        }
    }

    /// Adds the nonlinear force to `f` and, times `scale`, its tangent to `k`. The [linear](Self::linear) part
    /// is left to the caller, who merges it with mass and damping.
    #[inline]
    pub fn add(&self, a: &CableNode, b: &CableNode, f: &mut [CableNode; 2], scale: f64, k: &mut Blocks) {
        match self.strain {
            Strain::Green => self.add_green(a, b, f, scale, k),
            Strain::Engineering => self.add_engineering(a, b, f, scale, k),
        }
    }

    /// Adds the nonlinear force alone.
    #[inline]
    pub fn add_force(&self, a: &CableNode, b: &CableNode, f: &mut [CableNode; 2]) {
        match self.strain {
            Strain::Green => self.add_green_force(a, b, f),
            Strain::Engineering => {
                let e: [f64; 8] = std::array::from_fn(|i| if i < 4 { a[i] } else { b[i - 4] });
                for (i, fi) in self.engineering(&e).into_iter().enumerate() {
                    f[i / 4][i % 4] += fi;
                }
            }
        }
    }

    #[inline]
    fn add_green_force(&self, a: &CableNode, b: &CableNode, f: &mut [CableNode; 2]) {
        for g in 0..5 {
            let s = &self.slopes[g];
            let mut r = [0.0; 2];
            for c in 0..2 {
                r[c] = s[0] * a[c] + s[1] * a[2 + c] + s[2] * b[c] + s[3] * b[2 + c];
            }
            let stress = 0.5 * self.weights[g] * (r[0] * r[0] + r[1] * r[1] - 1.0);
            for c in 0..2 {
                let along = stress * r[c];
                f[0][c] += along * s[0];
                f[0][2 + c] += along * s[1];
                f[1][c] += along * s[2];
                f[1][2 + c] += along * s[3];
            }
        }
    }

    #[inline]
    fn add_green(&self, a: &CableNode, b: &CableNode, f: &mut [CableNode; 2], scale: f64, k: &mut Blocks) {
        let e = [[a[0], a[1]], [a[2], a[3]], [b[0], b[1]], [b[2], b[3]]];
        // Sums over the Gauss points of S'_k S'_l (ε + x'²), S'_k S'_l x'y', S'_k S'_l (ε + y'²) and of ε S'_k S'_l.
        let mut sums = [[0.0; 10]; 4];
        for g in 0..5 {
            let s = &self.slopes[g];
            let mut r = [0.0; 2];
            for (sk, ek) in s.iter().zip(&e) {
                r[0] += sk * ek[0];
                r[1] += sk * ek[1];
            }
            let strain = 0.5 * (r[0] * r[0] + r[1] * r[1] - 1.0);
            let (xx, xy, yy) = (strain + r[0] * r[0], r[0] * r[1], strain + r[1] * r[1]);
            for i in 0..10 {
                let w = self.products[g][i];
                sums[0][i] += w * xx;
                sums[1][i] += w * xy;
                sums[2][i] += w * yy;
                sums[3][i] += w * strain;
            }
        }
        // The force ∑ w EA ε S'_k r' is ∑_l (∑ w EA ε S'_k S'_l) e_l.
        for (i, (m, n)) in PAIRS.into_iter().enumerate() {
            let w = sums[3][i];
            for c in 0..2 {
                f[m / 2][2 * (m % 2) + c] += w * e[n][c];
                if m != n {
                    f[n / 2][2 * (n % 2) + c] += w * e[m][c];
                }
            }
        }
        for (i, (m, n)) in PAIRS.into_iter().enumerate() {
            let (xx, xy, yy) = (scale * sums[0][i], scale * sums[1][i], scale * sums[2][i]);
            let (row, col) = (2 * (m % 2), 2 * (n % 2));
            let block = &mut k[m / 2 + n / 2];
            block[row][col] += xx;
            block[row][col + 1] += xy;
            block[row + 1][col] += xy;
            block[row + 1][col + 1] += yy;
            if m != n && m / 2 == n / 2 {
                block[col][row] += xx;
                block[col][row + 1] += xy;
                block[col + 1][row] += xy;
                block[col + 1][row + 1] += yy;
            }
        }
    }

    fn add_engineering(
        &self,
        a: &CableNode,
        b: &CableNode,
        f: &mut [CableNode; 2],
        scale: f64,
        k: &mut Blocks,
    ) {
        let e: [Dual<8>; 8] = std::array::from_fn(|i| seed(if i < 4 { a[i] } else { b[i - 4] }, i));
        let force = self.engineering(&e);
        for (i, fi) in force.iter().enumerate() {
            f[i / 4][i % 4] += fi.value();
            for j in i / 4 * 4..8 {
                k[i / 4 + j / 4][i % 4][j % 4] += scale * partial(fi, j);
            }
        }
    }

    /// `∂U/∂e` of engineering strain and material curvature, `U = ½ ∫ EA ε² + EI κ² dp`.
    fn engineering<S: Scalar>(&self, e: &[S; 8]) -> [S; 8] {
        let mut out = [S::zero(); 8];
        for (xi, w) in GAUSS {
            let (s1, s2) = (element::slope(self.h, xi), element::bend(self.h, xi));
            let sum =
                |s: &[f64; 4], c: usize| e[c] * s[0] + e[2 + c] * s[1] + e[4 + c] * s[2] + e[6 + c] * s[3];
            let (r1, r2) = ([sum(&s1, 0), sum(&s1, 1)], [sum(&s2, 0), sum(&s2, 1)]);
            let square = r1[0].squared() + r1[1].squared();
            let length = square.sqrt();
            let kappa = (r1[0] * r2[1] - r1[1] * r2[0]) / square;
            let tension = (length - 1.0) * (self.ea * w * self.h);
            let moment = kappa * (self.ei * w * self.h);
            // ∂κ/∂r' = (r''_⊥ − 2 κ r')/|r'|²,  ∂κ/∂r'' = r'_⊥/|r'|².
            let by_slope = [
                tension * r1[0] / length + moment * (r2[1] - kappa * r1[0] * 2.0) / square,
                tension * r1[1] / length - moment * (r2[0] + kappa * r1[1] * 2.0) / square,
            ];
            let by_bend = [-(moment * r1[1]) / square, moment * r1[0] / square];
            for m in 0..4 {
                for c in 0..2 {
                    out[2 * m + c] += by_slope[c] * s1[m] + by_bend[c] * s2[m];
                }
            }
        }
        out
    }

    /// Elastic energy of an element.
    pub fn energy(&self, a: &CableNode, b: &CableNode) -> f64 {
        let mut sum = 0.0;
        for (xi, w) in GAUSS {
            let [eps, kappa_squared] = match self.strain {
                Strain::Green => {
                    let [r1, r2] = self.derivatives(a, b, xi);
                    [0.5 * (r1[0] * r1[0] + r1[1] * r1[1] - 1.0), r2[0] * r2[0] + r2[1] * r2[1]]
                }
                Strain::Engineering => {
                    let (eps, kappa, _) = self.measures(a, b, xi);
                    [eps, kappa * kappa]
                }
            };
            sum += 0.5 * w * self.h * (self.ea * eps * eps + self.ei * kappa_squared);
        }
        sum
    }

    /// `r'` and `r''` at `ξ`.
    #[inline]
    fn derivatives(&self, a: &CableNode, b: &CableNode, xi: f64) -> [[f64; 2]; 2] {
        let (s1, s2) = (element::slope(self.h, xi), element::bend(self.h, xi));
        let sum = |s: &[f64; 4], c: usize| s[0] * a[c] + s[1] * a[2 + c] + s[2] * b[c] + s[3] * b[2 + c];
        [[sum(&s1, 0), sum(&s1, 1)], [sum(&s2, 0), sum(&s2, 1)]]
    }

    /// Strain, curvature measure and `|r'|` at `ξ`.
    pub fn measures(&self, a: &CableNode, b: &CableNode, xi: f64) -> (f64, f64, f64) {
        let [r1, r2] = self.derivatives(a, b, xi);
        let square = r1[0] * r1[0] + r1[1] * r1[1];
        match self.strain {
            Strain::Green => (0.5 * (square - 1.0), r2[0].hypot(r2[1]), square.sqrt()),
            Strain::Engineering => {
                (square.sqrt() - 1.0, (r1[0] * r2[1] - r1[1] * r2[0]) / square, square.sqrt())
            }
        }
    }

    /// Mean tension of an element, with the curvature correction of the linear bending measure.
    ///
    /// ```text
    /// T = EA ε + EI κ²   (Green)        T = EA ε   (engineering)
    /// ```
    pub fn tension(&self, a: &CableNode, b: &CableNode) -> f64 {
        GAUSS
            .into_iter()
            .map(|(xi, w)| {
                let (eps, kappa, _) = self.measures(a, b, xi);
                let correction = if self.strain == Strain::Green { self.ei * kappa * kappa } else { 0.0 };
                w * (self.ea * eps + correction)
            })
            .sum()
    }
}
