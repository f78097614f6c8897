//! Adams formulas of variable step and order, with a predictor, a corrector and two evaluations per step.

use crate::evaluator::Evaluator;
use crate::methods::{Attempt, Here};
use bristle_core::Card;

/// Adams–Bashforth–Moulton formulas of order 1 to 12 in variable steps.
///
/// ```text
/// x* = x + ∫ P_k dt,   x' = x + ∫ P*_{k+1} dt
/// P_k through the last k rates, P*_{k+1} through these and the rate at x*
/// ```
///
/// The classical choice for smooth motion that is not stiff and for rates that are dear: two evaluations per step
/// whatever the order. Order and step follow the estimated errors of neighbouring orders (after Shampine & Gordon).
/// Memory is lost at every event and break, from where it climbs from order one again; on stiff motion it creeps.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "adams", cite = "shampine1975", tags("explicit", "multistep"))]
pub struct Adams;

/// Highest order of the predictor; the corrector is one higher.
const HIGHEST: usize = 12;

/// Abscissae and weights of Gauss's rule on `[0, 1]`, exact to degree 13: enough for every polynomial here.
const GAUSS: [(f64, f64); 7] = [
    (0.025_446_043_828_620_735, 0.064_742_483_084_434_85),
    (0.129_234_407_200_302_78, 0.139_852_695_744_638_33),
    (0.297_077_424_311_301_4, 0.190_915_025_252_559_46),
    (0.5, 0.208_979_591_836_734_7),
    (0.702_922_575_688_698_6, 0.190_915_025_252_559_46),
    (0.870_765_592_799_697_2, 0.139_852_695_744_638_33),
    (0.974_553_956_171_379_3, 0.064_742_483_084_434_85),
];

/// Workspace and memory of the method.
#[derive(Clone)]
pub(crate) struct Multistep {
    dim: usize,
    /// Times of the remembered rates, newest first.
    times: Vec<f64>,
    /// The rates, newest first, one row each.
    rates: Vec<f64>,
    /// Rates at the predicted and at the accepted end.
    predicted: Vec<f64>,
    end: Vec<f64>,
    /// Results of the correctors of neighbouring orders.
    trial: Vec<f64>,
    upper: Vec<f64>,
    order: usize,
    /// Order for the next step, decided by the last attempt.
    next_order: usize,
    /// Steps since the order last changed.
    age: usize,
    /// Whether the order still climbs from a fresh start.
    climbs: bool,
    at: f64,
    h: f64,
}

impl Multistep {
    pub(crate) fn new(eval: &Evaluator) -> Self {
        let dim = eval.dim();
        Multistep {
            dim,
            times: Vec::with_capacity(HIGHEST + 2),
            rates: vec![0.0; (HIGHEST + 2) * dim],
            predicted: vec![0.0; dim],
            end: vec![0.0; dim],
            trial: vec![0.0; dim],
            upper: vec![0.0; dim],
            order: 1,
            next_order: 1,
            age: 0,
            climbs: true,
            at: 0.0,
            h: 0.0,
        }
    }

    pub(crate) fn error_power(&self) -> f64 {
        (self.order + 1) as f64
    }

    /// Forgets the past: a new smooth piece begins here.
    pub(crate) fn start(&mut self, eval: &mut Evaluator, at: Here) {
        eval.rates(at.t, at.x, at.mode, &mut self.rates[..self.dim]);
        self.times.clear();
        self.times.push(at.t);
        (self.order, self.next_order, self.age, self.climbs) = (1, 1, 0, true);
    }

    pub(crate) fn start_rates(&self) -> &[f64] {
        &self.rates[..self.dim]
    }

    pub(crate) fn end_rates(&self) -> &[f64] {
        &self.end
    }

    /// Weights of the integral from 0 to `theta` of the polynomial through `count` remembered rates and, if asked,
    /// the rate at the end of the step, which comes last. Time counts in steps from the start of this one.
    fn weights(&self, count: usize, has_end: bool, theta: f64, out: &mut [f64; HIGHEST + 2]) -> usize {
        let mut nodes = [0.0; HIGHEST + 2];
        for j in 0..count {
            nodes[j] = (self.times[j] - self.at) / self.h;
        }
        let total = count + usize::from(has_end);
        if has_end {
            nodes[count] = 1.0;
        }
        for j in 0..total {
            let mut sum = 0.0;
            for (abscissa, weight) in GAUSS {
                let s = theta * abscissa;
                let mut basis = 1.0;
                for i in (0..total).filter(|&i| i != j) {
                    basis *= (s - nodes[i]) / (nodes[j] - nodes[i]);
                }
                sum += weight * basis;
            }
            out[j] = theta * sum;
        }
        total
    }

    /// `out = x + h Σ w_j f_j` with the last rate given apart.
    fn add(&self, x: &[f64], count: usize, end: Option<&[f64]>, theta: f64, out: &mut [f64]) {
        let mut weights = [0.0; HIGHEST + 2];
        self.weights(count, end.is_some(), theta, &mut weights);
        for k in 0..self.dim {
            let mut sum = end.map_or(0.0, |f| weights[count] * f[k]);
            for j in (0..count).rev() {
                sum += weights[j] * self.rates[j * self.dim + k];
            }
            out[k] = x[k] + self.h * sum;
        }
    }

    pub(crate) fn attempt(&mut self, eval: &mut Evaluator, step: Attempt) -> f64 {
        let Attempt { at, h, tolerance, x1, error } = step;
        (self.at, self.h) = (at.t, h);
        let (k, n) = (self.order, self.dim);
        self.add(at.x, k, None, 1.0, error);
        let mut predicted = std::mem::take(&mut self.predicted);
        eval.rates(at.t + h, error, at.mode, &mut predicted);
        // The corrector one order up is kept; the next lower ones tell the errors of the orders k, k − 1 and k − 2.
        let mut trial = std::mem::take(&mut self.trial);
        self.add(at.x, k, Some(&predicted), 1.0, x1);
        let mut upper = std::mem::take(&mut self.upper);
        upper.copy_from_slice(x1);
        let mut errors = [f64::INFINITY; 3];
        for (place, slot) in errors.iter_mut().enumerate().take(k.min(3)) {
            self.add(at.x, k - 1 - place, Some(&predicted), 1.0, &mut trial);
            for i in 0..n {
                upper[i] -= trial[i];
            }
            *slot = tolerance.norm(&upper, at.x, x1);
            if place == 0 {
                error.copy_from_slice(&upper);
            }
            upper.copy_from_slice(&trial);
        }
        // With one more remembered rate the error of the order above is known as well.
        let mut above = f64::INFINITY;
        if k < HIGHEST && self.times.len() > k {
            self.add(at.x, k + 1, Some(&predicted), 1.0, &mut trial);
            for i in 0..n {
                trial[i] -= x1[i];
            }
            above = tolerance.norm(&trial, at.x, x1);
        }
        self.predicted = predicted;
        self.trial = trial;
        self.upper = upper;
        self.choose_order(errors, above);
        // More than doubling a step would outrun the memory: the estimate is kept from promising it.
        let floor = 0.45f64.powf(self.error_power() / 0.7);
        if errors[0].is_nan() { f64::NAN } else { errors[0].max(floor) }
    }

    /// Decides the order of the next step; a rejected step is repeated at this order at once if that is lower.
    fn choose_order(&mut self, errors: [f64; 3], above: f64) {
        let [here, below, further] = errors;
        let k = self.order;
        let lower = below.max(if further.is_finite() { further } else { 0.0 });
        self.next_order = if k > 1 && lower <= here {
            k - 1
        } else if k < HIGHEST && (self.climbs || (self.age > k && above < 0.5 * here)) {
            k + 1
        } else {
            k
        };
        if k > 1 && here > 1.0 {
            self.climbs = false;
            self.order = self.next_order.min(k);
        }
        self.climbs &= self.next_order > k;
    }

    /// Evaluates the end of an acceptable step.
    pub(crate) fn finish(&mut self, eval: &mut Evaluator, end: Here) {
        eval.rates(end.t, end.x, end.mode, &mut self.end);
    }

    pub(crate) fn advance(&mut self) {
        let n = self.dim;
        self.times.truncate(HIGHEST + 1);
        self.times.insert(0, self.at + self.h);
        self.rates.copy_within(..(HIGHEST + 1) * n, n);
        self.rates[..n].copy_from_slice(&self.end);
        let next = self.next_order.min(self.times.len());
        self.age = if next == self.order { self.age + 1 } else { 0 };
        self.order = next;
    }

    /// The polynomial through the remembered rates and the one at the end, bent to meet both ends exactly.
    pub(crate) fn interpolate(&self, theta: f64, x0: &[f64], x1: &[f64], out: &mut [f64]) {
        let count = self.order.min(self.times.len());
        let (mut part, mut whole) = ([0.0; HIGHEST + 2], [0.0; HIGHEST + 2]);
        self.weights(count, true, theta, &mut part);
        self.weights(count, true, 1.0, &mut whole);
        for k in 0..self.dim {
            let (mut here, mut there) = (part[count] * self.end[k], whole[count] * self.end[k]);
            for j in 0..count {
                let rate = self.rates[j * self.dim + k];
                here += part[j] * rate;
                there += whole[j] * rate;
            }
            let gap = x1[k] - x0[k] - self.h * there;
            out[k] = x0[k] + self.h * here + theta * gap;
        }
    }
}
