//! When `auto` changes its method.

use crate::jacobian::Jacobian;
use crate::methods::Stepper;

/// Watches the stiffness and keeps the count.
///
/// While implicit, the spectral radius `ρ` of the exact Jacobian is followed by two products per step with a vector that
/// turns towards the fastest direction; explicit steps of the same size would be stable if `h ρ` is small. While
/// explicit, two stages at the same time tell `h ρ`.
pub(crate) struct Chooser {
    v: Vec<f64>,
    w: Vec<f64>,
    calm: usize,
    stiff: usize,
    /// Signs of stiffness needed; grows with every return, so that a border case settles.
    patience: usize,
}

/// An implicit step costs about as much as this many explicit ones.
const COST: f64 = 2.0;

/// So many signs of stiffness are needed at first.
const PATIENCE: usize = 8;

impl Chooser {
    pub(crate) fn new(coupled: usize) -> Self {
        Chooser { v: vec![0.0; coupled], w: vec![0.0; coupled], calm: 0, stiff: 0, patience: PATIENCE }
    }

    pub(crate) fn reset(&mut self) {
        let n = self.v.len();
        for i in 0..n {
            // No direction of interest is orthogonal to this one.
            self.v[i] = 1.0 + 0.5 * (i as f64 * 2.399).sin();
        }
        (self.calm, self.stiff, self.patience) = (0, 0, PATIENCE);
    }

    /// Estimates `ρ(J)` and turns the vector.
    fn radius(&mut self, jacobian: &Jacobian) -> f64 {
        let norm = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        let before = norm(&self.v);
        if !(before > 0.0 && before.is_finite()) {
            self.reset();
            return f64::INFINITY;
        }
        jacobian.times(&self.v, &mut self.w);
        jacobian.times(&self.w, &mut self.v);
        let after = norm(&self.v);
        let radius = (after / before).sqrt();
        if after > 0.0 {
            self.v.iter_mut().for_each(|x| *x /= after);
        } else {
            let patience = self.patience;
            self.reset();
            self.patience = patience;
        }
        radius
    }

    /// Looks at an accepted step of size `h`; gives the largest next step if the method should change.
    pub(crate) fn judge(&mut self, stepper: &Stepper, h: f64) -> Option<f64> {
        let (Some(explicit), Some(implicit)) = (&stepper.explicit, &stepper.implicit) else { return None };
        if stepper.is_explicit {
            if explicit.stiffness > explicit.stable() * 0.9 {
                self.stiff += 1;
                self.calm = 0;
            } else {
                self.calm += 1;
                if self.calm >= 6 {
                    self.stiff = 0;
                }
            }
            if self.stiff >= self.patience {
                (self.stiff, self.calm) = (0, 0);
                self.patience = (2 * self.patience).min(64);
                return Some(h);
            }
            return None;
        }
        let radius = self.radius(implicit.jacobian());
        if h * radius < COST * explicit.stable() {
            self.calm += 1;
        } else {
            self.calm = 0;
        }
        // Each return from the explicit method asks for longer calm before the next trial.
        if self.calm >= 3 * self.patience / PATIENCE {
            (self.stiff, self.calm) = (0, 0);
            return Some(if radius > 0.0 { explicit.stable() / radius } else { f64::INFINITY });
        }
        None
    }
}
