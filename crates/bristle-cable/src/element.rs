//! Shape functions of the cable element and its exact integrals.
//!
//! ```text
//! r(p) = Σ S_k e_k,  e = (r_a, r'_a, r_b, r'_b),  ξ = p/h
//! S = [1 − 3ξ² + 2ξ³,  h(ξ − 2ξ² + ξ³),  3ξ² − 2ξ³,  h(ξ³ − ξ²)]
//! ```
//!
//! The slope functions carry the element length, so that `r'` is the derivative along the material.

/// A matrix over the four shape functions.
pub type Mat4 = [[f64; 4]; 4];

/// Nodes and weights of the five-point Gauss rule on `[0, 1]`: exact to degree nine.
pub const GAUSS: [(f64, f64); 5] = [
    (0.046_910_077_030_668_0, 0.118_463_442_528_094_54),
    (0.230_765_344_947_158_45, 0.239_314_335_249_683_24),
    (0.5, 0.284_444_444_444_444_44),
    (0.769_234_655_052_841_5, 0.239_314_335_249_683_24),
    (0.953_089_922_969_332, 0.118_463_442_528_094_54),
];

/// `S` at `ξ`.
pub fn shape(h: f64, xi: f64) -> [f64; 4] {
    let (x2, x3) = (xi * xi, xi * xi * xi);
    [1.0 - 3.0 * x2 + 2.0 * x3, h * (xi - 2.0 * x2 + x3), 3.0 * x2 - 2.0 * x3, h * (x3 - x2)]
}

/// `dS/dp` at `ξ`.
pub fn slope(h: f64, xi: f64) -> [f64; 4] {
    let x2 = xi * xi;
    let rise = 6.0 * (xi - x2) / h;
    [-rise, 1.0 - 4.0 * xi + 3.0 * x2, rise, 3.0 * x2 - 2.0 * xi]
}

/// `d²S/dp²` at `ξ`.
pub fn bend(h: f64, xi: f64) -> [f64; 4] {
    let h2 = h * h;
    [(12.0 * xi - 6.0) / h2, (6.0 * xi - 4.0) / h, (6.0 - 12.0 * xi) / h2, (6.0 * xi - 2.0) / h]
}

/// Mass per unit density `∫ S Sᵀ dp`.
pub fn mass(h: f64) -> Mat4 {
    let f = h / 420.0;
    symmetric([
        156.0 * f,
        22.0 * h * f,
        54.0 * f,
        -13.0 * h * f,
        4.0 * h * h * f,
        13.0 * h * f,
        -3.0 * h * h * f,
        156.0 * f,
        -22.0 * h * f,
        4.0 * h * h * f,
    ])
}

/// Slope integral `D = ∫ S' S'ᵀ dp`, of damping and of a straight cable's tension.
pub fn slopes(h: f64) -> Mat4 {
    let (a, b, c, d) = (6.0 / (5.0 * h), 0.1, 2.0 * h / 15.0, -h / 30.0);
    symmetric([a, b, -a, b, c, -b, d, a, -b, c])
}

/// Bending integral `B = ∫ S'' S''ᵀ dp`.
pub fn bends(h: f64) -> Mat4 {
    let (a, b, c, d) = (12.0 / (h * h * h), 6.0 / (h * h), 4.0 / h, 2.0 / h);
    symmetric([a, b, -a, b, c, -b, d, a, -b, c])
}

/// Load integral `∫ S dp`.
pub fn load(h: f64) -> [f64; 4] {
    [h / 2.0, h * h / 12.0, h / 2.0, -h * h / 12.0]
}

fn symmetric(u: [f64; 10]) -> Mat4 {
    [[u[0], u[1], u[2], u[3]], [u[1], u[4], u[5], u[6]], [u[2], u[5], u[7], u[8]], [u[3], u[6], u[8], u[9]]]
}

#[cfg(test)]
mod element_tests {
    use super::*;

    fn close(a: &Mat4, b: &Mat4) {
        for k in 0..4 {
            for l in 0..4 {
                assert!((a[k][l] - b[k][l]).abs() < 1e-12 * (1.0 + b[k][l].abs()), "{k}{l}: {a:?} {b:?}");
            }
        }
    }

    fn integral(h: f64, f: impl Fn(f64, f64) -> [f64; 4]) -> Mat4 {
        let mut out = [[0.0; 4]; 4];
        for (xi, w) in GAUSS {
            let s = f(h, xi);
            for k in 0..4 {
                for l in 0..4 {
                    out[k][l] += w * h * s[k] * s[l];
                }
            }
        }
        out
    }

    /// The rule is exact for the products of cubics, so both ways of integrating must agree.
    #[test]
    fn closed_integrals_agree_with_quadrature() {
        let h = 0.3;
        close(&mass(h), &integral(h, shape));
        close(&slopes(h), &integral(h, slope));
        close(&bends(h), &integral(h, bend));
    }
}
