//! Law states where they follow at once, and where they are steady: implicit Euler, with derivatives by the implicit function.

use super::number::{LANES, Number, Slope};
use super::step::STATES;
use bristle_core::{Mode, seed};
use bristle_law::{AnyLaw, At};
use nalgebra::{SMatrix, SVector};

type Matrix = SMatrix<f64, LANES, LANES>;
type Vector = SVector<f64, LANES>;

/// A law at a slip rate and a load, with its numbers as they are and without derivatives.
pub(crate) struct Still<'a, S> {
    pub law: &'a AnyLaw<S>,
    pub plain: &'a AnyLaw<Slope>,
    pub v: S,
    pub n: S,
    pub mode: &'a [Mode],
    pub count: usize,
}

impl<S: Number> Still<'_, S> {
    /// Rates and their derivatives by the states.
    pub(crate) fn jacobian(&self, z: &[f64]) -> (Vector, Matrix) {
        let mut lifted = [Slope::from(0.0); STATES];
        for i in 0..self.count {
            lifted[i] = seed(z[i], i);
        }
        let at = At {
            v: Slope::from(self.v.value()),
            n: Slope::from(self.n.value()),
            hold: Slope::from(0.0),
            mode: self.mode,
        };
        let mut dz = [Slope::from(0.0); STATES];
        self.plain.eval(&at, &lifted[..self.count], &mut dz[..self.count]);
        let (mut rates, mut matrix) = (Vector::zeros(), Matrix::zeros());
        for i in 0..self.count {
            rates[i] = dz[i].re;
            for j in 0..self.count {
                matrix[(i, j)] = dz[i].eps[j];
            }
        }
        (rates, matrix)
    }

    /// The states after the time `h`, in one step.
    pub(crate) fn step(&self, z0: &[S], h: f64) -> Option<[S; LANES]> {
        let start =
            Vector::from_iterator((0..LANES).map(|i| if i < self.count { z0[i].value() } else { 0.0 }));
        let mut z = start;
        let mut inverse = Matrix::identity();
        for _ in 0..25 {
            let (rates, matrix) = self.jacobian(z.as_slice());
            inverse = (Matrix::identity() - matrix * h).try_inverse()?;
            let move_by = inverse * (z - start - rates * h);
            z -= move_by;
            if move_by.amax() <= 1e-13 * z.amax() {
                break;
            }
        }
        if z.iter().any(|z| !z.is_finite()) {
            return None;
        }
        let rates = self.rates(z.as_slice());
        let residual = |i: usize| S::from(z[i]) - z0[i] - rates[i] * h;
        Some(self.corrected(&z, &inverse, residual))
    }

    /// The states in steady sliding.
    pub(crate) fn steady(&self, z0: &[S]) -> Option<[S; LANES]> {
        let mut z: [S; LANES] =
            std::array::from_fn(|i| if i < self.count { S::from(z0[i].value()) } else { S::zero() });
        let mut h = 1e-6;
        for _ in 0..36 {
            z = self.step(&z, h)?.map(|z| S::from(z.value()));
            h *= 3.0;
        }
        let place = Vector::from_iterator(z.iter().map(|z| z.value()));
        let (_, matrix) = self.jacobian(place.as_slice());
        let mut whole = -matrix;
        for i in self.count..LANES {
            whole[(i, i)] = 1.0;
        }
        let Some(inverse) = whole.try_inverse() else { return Some(z) };
        let rates = self.rates(place.as_slice());
        Some(self.corrected(&place, &inverse, |i| -rates[i]))
    }

    fn rates(&self, z: &[f64]) -> [S; LANES] {
        let lifted: [S; LANES] = std::array::from_fn(|i| S::from(z[i]));
        let mut dz = [S::zero(); LANES];
        let at = At { v: self.v, n: self.n, hold: S::zero(), mode: self.mode };
        self.law.eval(&at, &lifted[..self.count], &mut dz[..self.count]);
        dz
    }

    /// One step of Newton in numbers with derivatives: exact to first order, since the values solve the equations already.
    fn corrected(&self, z: &Vector, inverse: &Matrix, residual: impl Fn(usize) -> S) -> [S; LANES] {
        let mut out: [S; LANES] = std::array::from_fn(|i| S::from(z[i]));
        for i in 0..self.count {
            for j in 0..self.count {
                out[i] -= residual(j) * inverse[(i, j)];
            }
        }
        out
    }
}
