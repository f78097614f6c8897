//! The linear systems a step solves: `(s·1 − J) x = b`, dense or banded.

use super::banded::Banded;
use super::dense::Dense;
use crate::Jacobian;

/// The factors of `s·1 − J`, by elimination with partial pivoting.
#[derive(Clone, Debug)]
pub struct Factors(FactorStorage);

#[derive(Clone, Debug)]
enum FactorStorage {
    Dense(Dense),
    Banded(Box<Banded>),
}

impl Factors {
    /// Room for the factors of matrices shaped like `jacobian`.
    pub fn new(jacobian: &Jacobian) -> Self {
        let size = jacobian.coupled();
        Factors(match jacobian.band() {
            None => FactorStorage::Dense(Dense::new(size)),
            Some(band) => FactorStorage::Banded(Box::new(Banded::new(size, band))),
        })
    }

    /// No room at all.
    pub(crate) fn none() -> Self {
        Factors(FactorStorage::Dense(Dense::new(0)))
    }

    /// Factorises `shift·1 − J`; false if a pivot vanishes.
    pub fn factorise(&mut self, jacobian: &Jacobian, shift: f64) -> bool {
        match &mut self.0 {
            FactorStorage::Dense(dense) => dense.factorise_shifted(jacobian, shift),
            FactorStorage::Banded(banded) => banded.factorise(jacobian, shift),
        }
    }

    /// Solves in place.
    #[inline]
    pub fn solve(&self, b: &mut [f64]) {
        match &self.0 {
            FactorStorage::Dense(dense) => dense.solve(b),
            FactorStorage::Banded(banded) => banded.solve(b),
        }
    }
}

#[cfg(test)]
mod factors_tests {
    use super::*;
    use crate::Bandwidth;
    use bristle_core::{Dual, derivative};

    /// A Jacobian of arbitrary numbers; entries below the diagonal can be large, so that rows must be exchanged.
    fn filled(n: usize, band: Option<Bandwidth>, largest: f64) -> Jacobian {
        let mut jacobian = Jacobian::new(n, n, band);
        let colours = jacobian.colours();
        let number = |i: usize, j: usize| {
            let large = if i == j + 1 && j % 3 == 1 { largest } else { 1.0 };
            large * ((i * 31 + j * 17) as f64 * 12.9898).sin()
        };
        for first in (0..colours).step_by(4) {
            let rates: Vec<Dual<4>> = (0..n)
                .map(|i| {
                    let column = |colour: usize| {
                        let b = band.unwrap_or(Bandwidth { lower: n, upper: n });
                        (i.saturating_sub(b.lower)..(i + b.upper + 1).min(n))
                            .find(|j| jacobian.colour(*j) == colour)
                    };
                    derivative(0.0, [0, 1, 2, 3].map(|s| column(first + s).map_or(0.0, |j| number(i, j))))
                })
                .collect();
            jacobian.store(&rates, first, colours);
        }
        jacobian
    }

    /// `(s·1 − J) x = b` is checked by putting the solution back.
    fn residual(n: usize, band: Option<Bandwidth>, shift: f64, largest: f64) -> f64 {
        let jacobian = filled(n, band, largest);
        let mut factors = Factors::new(&jacobian);
        assert!(factors.factorise(&jacobian, shift));
        let right: Vec<f64> = (0..n).map(|i| (i as f64).sin() + 0.3).collect();
        let mut x = right.clone();
        factors.solve(&mut x);
        let mut product = vec![0.0; n];
        jacobian.times(&x, &mut product);
        (0..n).map(|i| (shift * x[i] - product[i] - right[i]).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn dense_factors_solve_the_system() {
        for n in 1..14 {
            assert!(residual(n, None, 2.0, 40.0) < 1e-10, "{n}");
        }
    }

    #[test]
    fn banded_factors_solve_the_system() {
        let bands = [(1, 1), (3, 2), (5, 1), (4, 3), (1, 4), (2, 7), (9, 2), (0, 3), (3, 0)];
        for (lower, upper) in bands {
            assert!(residual(40, Some(Bandwidth { lower, upper }), 60.0, 1.0) < 1e-13, "{lower} {upper}");
        }
    }

    #[test]
    fn banded_factors_with_rows_exchanged_solve_the_system() {
        for (lower, upper) in [(1, 1), (3, 2), (5, 1), (4, 3), (1, 4), (2, 7), (9, 2)] {
            assert!(residual(40, Some(Bandwidth { lower, upper }), 2.0, 40.0) < 1e-9, "{lower} {upper}");
        }
    }
}
