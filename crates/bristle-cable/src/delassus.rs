//! How a force on one node accelerates another: the position block of the inverse mass matrix.

use crate::element::Mat4;

/// Half the number of neighbours kept. The entries fall by a factor of about four per node, so that those left
/// out are below 10⁻²⁴ of the diagonal.
const REACH: usize = 40;

/// `G = (M⁻¹)` between positions, one band for each of `x` and `y` (their supports may differ).
#[derive(Clone, Debug, Default)]
pub struct Delassus {
    /// Row `i`, neighbour `j` at `j + REACH − i`, component last.
    band: Vec<[f64; 2]>,
}

impl Delassus {
    /// From the element's mass, the masses at the ends and the held coordinates `(x, y, x', y')` of each node.
    pub fn new(nodes: usize, mass: &Mat4, ends: [f64; 2], held: &[[bool; 4]]) -> Self {
        let mut band = vec![[0.0; 2]; nodes * (2 * REACH + 1)];
        for c in 0..2 {
            let factors = MassFactors::new(nodes, mass, ends, held, c);
            for i in 0..nodes {
                if !held[i][c] {
                    factors.column(i, c, &mut band[i * (2 * REACH + 1)..(i + 1) * (2 * REACH + 1)]);
                }
            }
        }
        Delassus { band }
    }

    /// `G_ij` for both components.
    #[inline]
    pub fn at(&self, i: usize, j: usize) -> [f64; 2] {
        let offset = j + REACH;
        if offset < i || offset > i + 2 * REACH {
            return [0.0; 2];
        }
        self.band[i * (2 * REACH + 1) + offset - i]
    }
}

type Mat2 = [[f64; 2]; 2];

/// The mass matrix of one component, eliminated from the left.
struct MassFactors {
    inverse: Vec<Mat2>,
    factor: Vec<Mat2>,
    upper: Vec<Mat2>,
}

impl MassFactors {
    fn new(nodes: usize, m: &Mat4, ends: [f64; 2], held: &[[bool; 4]], c: usize) -> Self {
        let mut diag = vec![[[0.0; 2]; 2]; nodes];
        let mut upper = vec![[[0.0; 2]; 2]; nodes - 1];
        for i in 0..nodes - 1 {
            for r in 0..2 {
                for s in 0..2 {
                    diag[i][r][s] += m[r][s];
                    diag[i + 1][r][s] += m[2 + r][2 + s];
                    upper[i][r][s] = m[r][2 + s];
                }
            }
        }
        diag[0][0][0] += ends[0];
        diag[nodes - 1][0][0] += ends[1];
        // A held coordinate does not accelerate: its row and column are those of the identity.
        for i in 0..nodes {
            for r in 0..2 {
                if held[i][c + 2 * r] {
                    for s in 0..2 {
                        diag[i][r][s] = 0.0;
                        diag[i][s][r] = 0.0;
                        if i > 0 {
                            upper[i - 1][s][r] = 0.0;
                        }
                        if i + 1 < nodes {
                            upper[i][r][s] = 0.0;
                        }
                    }
                    diag[i][r][r] = 1.0;
                }
            }
        }
        let mut inverse = vec![[[0.0; 2]; 2]; nodes];
        let mut factor = vec![[[0.0; 2]; 2]; nodes - 1];
        for i in 0..nodes {
            let d = diag[i];
            let det = d[0][0] * d[1][1] - d[0][1] * d[1][0];
            inverse[i] = [[d[1][1] / det, -d[0][1] / det], [-d[1][0] / det, d[0][0] / det]];
            if i + 1 < nodes {
                let u = upper[i];
                factor[i] = multiply(&[[u[0][0], u[1][0]], [u[0][1], u[1][1]]], &inverse[i]);
                let change = multiply(&factor[i], &u);
                for r in 0..2 {
                    for s in 0..2 {
                        diag[i + 1][r][s] -= change[r][s];
                    }
                }
            }
        }
        MassFactors { inverse, factor, upper }
    }

    /// Accelerations caused by a unit force at node `i`, within reach.
    fn column(&self, i: usize, c: usize, out: &mut [[f64; 2]]) {
        let last = (i + 2 * REACH).min(self.inverse.len() - 1);
        let first = i.saturating_sub(REACH);
        let mut x = [[0.0; 2]; 2 * REACH + 1];
        x[0] = [1.0, 0.0];
        for k in i..last {
            let change = apply(&self.factor[k], &x[k - i]);
            x[k + 1 - i] = [-change[0], -change[1]];
        }
        let mut next = [0.0; 2];
        for k in (first..=last).rev() {
            let mut value = if k >= i { x[k - i] } else { [0.0; 2] };
            if k < last {
                let change = apply(&self.upper[k], &next);
                value = [value[0] - change[0], value[1] - change[1]];
            }
            next = apply(&self.inverse[k], &value);
            if k <= i + REACH {
                out[k + REACH - i][c] = next[0];
            }
        }
    }
}

fn multiply(a: &Mat2, b: &Mat2) -> Mat2 {
    std::array::from_fn(|r| std::array::from_fn(|c| a[r][0] * b[0][c] + a[r][1] * b[1][c]))
}

fn apply(a: &Mat2, x: &[f64; 2]) -> [f64; 2] {
    [a[0][0] * x[0] + a[0][1] * x[1], a[1][0] * x[0] + a[1][1] * x[1]]
}
