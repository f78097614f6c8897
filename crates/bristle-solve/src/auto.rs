//! When `auto` changes its method.

use crate::evaluator::Evaluator;
use crate::jacobian::Jacobian;
use crate::methods::Stepper;

/// Watches stiffness and progress, and keeps the count.
///
/// While implicit, the spectral radius `ρ` of the exact Jacobian is followed by two products in every few steps with a vector
/// that turns towards the fastest direction; explicit steps are tried where they would be stable at a length that pays. On
/// trial they have to get ahead faster than the implicit ones did, in time passed per evaluation. While explicit, two
/// stages at the same time tell `h ρ`.
#[derive(Clone)]
pub(crate) struct Chooser {
    /// A direction and its image.
    directions: Vec<f64>,
    /// Implicit steps since the last look.
    waited: usize,
    calm: usize,
    stiff: usize,
    /// Signs of stiffness needed; grows with every return, so that a border case settles.
    patience: usize,
    /// Implicit steps: time passed per evaluation, smoothed.
    pace: f64,
    trial: Option<ExplicitTrial>,
}

/// Explicit steps on trial.
#[derive(Clone)]
struct ExplicitTrial {
    steps: usize,
    time: f64,
    /// The implicit step before.
    h_before: f64,
}

/// So many signs of stiffness are needed at first.
const PATIENCE: usize = 8;
/// A trial begins where stable explicit steps would get ahead this much faster, and is won by getting ahead this much
/// faster: measured on belts, pulses and the dwell-time oscillator. Lower values change to and fro, higher ones miss
/// slip phases that order 8 takes in a few steps.
const ENTRY: f64 = 4.0;
const WIN: f64 = 3.0;
/// A trial that is not ahead this much after two steps ends early: five would not make it win.
const LOST: f64 = 2.0;
/// A first trial begins after so many steps without a switch at which it would pay.
const CALM: usize = 8;
/// What a Jacobian and its factors count, in evaluations of the rates: what they cost for a few states. More states cost
/// more, but explicit steps should then save evaluations as well, since rates of many states are not cheap either.
const LINEAR: f64 = 3.0;
/// A look in every so many steps: products with the Jacobian in each are felt, in steps of a few states as in long ones.
const PERIOD: usize = 4;
/// A trial lasts so many steps.
const TRIAL: usize = 5;
/// Explicit steps begin this much longer than the implicit one that would have come next: they have to be longer to win.
pub(crate) const STRIDE: f64 = 2.0;

impl Chooser {
    pub(crate) fn new(eval: &Evaluator) -> Self {
        Chooser {
            directions: vec![0.0; 2 * eval.coupled()],
            waited: 0,
            calm: 0,
            stiff: 0,
            patience: PATIENCE,
            pace: 0.0,
            trial: None,
        }
    }

    pub(crate) fn reset(&mut self) {
        self.turn_to_start();
        (self.calm, self.stiff, self.patience, self.waited) = (0, 0, PATIENCE, 0);
        (self.pace, self.trial) = (0.0, None);
    }

    /// A kink has been passed: the short steps before it say little about those after it.
    pub(crate) fn restart(&mut self) {
        if self.trial.is_none() {
            (self.calm, self.pace) = (0, 0.0);
        }
    }

    /// No direction of interest is orthogonal to this one.
    fn turn_to_start(&mut self) {
        let half = self.directions.len() / 2;
        let v = &mut self.directions[..half];
        for (i, slot) in v.iter_mut().enumerate() {
            *slot = 1.0 + 0.5 * (i as f64 * 0.618).fract();
        }
        let length = squared(v).sqrt();
        v.iter_mut().for_each(|x| *x /= length);
    }

    /// Estimates `ρ(J)²` and turns the vector, which keeps its length of one.
    fn squared_radius(&mut self, jacobian: &Jacobian) -> f64 {
        let half = self.directions.len() / 2;
        let (v, w) = self.directions.split_at_mut(half);
        jacobian.times(v, w);
        jacobian.times(w, v);
        let length = squared(v).sqrt();
        if length > 0.0 && length.is_finite() {
            let inverse = 1.0 / length;
            v.iter_mut().for_each(|x| *x *= inverse);
        } else {
            self.turn_to_start();
        }
        length
    }

    /// Looks at an accepted step of size `h`; gives the largest first step of the other method if it should change.
    pub(crate) fn judge(&mut self, stepper: &Stepper, h: f64) -> Option<f64> {
        let (Some(explicit), Some(implicit)) = (&stepper.explicit, &stepper.implicit) else { return None };
        if stepper.is_explicit {
            let is_stiff = explicit.stiffness > explicit.stable() * 0.9;
            return (self.is_lost(h, explicit.cost()) || self.is_stiff(is_stiff)).then(|| self.give_up(h));
        }
        let cost = implicit.cost() + LINEAR;
        let pace = h / cost;
        self.pace = if self.pace > 0.0 { 0.5 * (self.pace + pace) } else { pace };
        self.waited += 1;
        if self.waited < PERIOD {
            return None;
        }
        self.waited = 0;
        // Explicit steps would be stable up to `stable/ρ`; compared in squares, which takes one root less.
        let squared_radius = self.squared_radius(implicit.jacobian());
        let needed = ENTRY * pace * explicit.cost();
        let stable = explicit.stable();
        self.calm = if needed * needed * squared_radius < stable * stable { self.calm + PERIOD } else { 0 };
        // Each return from the explicit method asks for longer calm before the next trial.
        if self.calm >= self.needed_calm() {
            (self.stiff, self.calm) = (0, 0);
            self.trial = Some(ExplicitTrial { steps: 0, time: 0.0, h_before: h });
            let is_bounded = squared_radius > 0.0;
            return Some(if is_bounded { stable / squared_radius.sqrt() } else { f64::INFINITY });
        }
        None
    }

    /// Whether a trial has shown that explicit steps of the given cost fall behind.
    fn is_lost(&mut self, h: f64, cost: f64) -> bool {
        let Some(trial) = &mut self.trial else { return false };
        (trial.steps, trial.time) = (trial.steps + 1, trial.time + h);
        let lead = trial.time / (trial.steps as f64 * cost * self.pace);
        if trial.steps < TRIAL {
            return trial.steps > 1 && lead < LOST;
        }
        let is_lost = lead < WIN;
        if !is_lost {
            self.trial = None;
        }
        is_lost
    }

    /// Whether signs of stiffness have become too many.
    fn is_stiff(&mut self, sign: bool) -> bool {
        if sign {
            self.stiff += 1;
            self.calm = 0;
        } else {
            self.calm += 1;
            if self.calm >= 6 {
                self.stiff = 0;
            }
        }
        self.stiff >= self.patience
    }

    /// Steps at which a trial would pay before it begins.
    fn needed_calm(&self) -> usize {
        CALM * self.patience / PATIENCE
    }

    /// Back to implicit steps: as long as the one before the trial, or else as the last explicit one.
    fn give_up(&mut self, h: f64) -> f64 {
        let back = self.trial.take().map_or(h, |trial| trial.h_before.max(h));
        (self.stiff, self.calm, self.pace) = (0, 0, 0.0);
        self.patience = (2 * self.patience).min(64);
        back
    }
}

fn squared(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum()
}
