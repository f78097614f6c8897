//! When `auto` changes its method.

use crate::evaluator::Evaluator;
use crate::jacobian::Jacobian;
use crate::methods::Stepper;

/// Watches stiffness and progress, and keeps the count.
///
/// While implicit, the spectral radius `ρ` of the exact Jacobian is followed by two products per step with a vector that
/// turns towards the fastest direction; explicit steps are tried where they would be stable at a length that pays. On
/// trial they have to get ahead faster than the implicit ones did, in time passed per evaluation. While explicit, two
/// stages at the same time tell `h ρ`.
pub(crate) struct Chooser {
    v: Vec<f64>,
    w: Vec<f64>,
    /// Implicit steps from one look to the next, and since the last.
    period: usize,
    waited: usize,
    calm: usize,
    stiff: usize,
    /// Signs of stiffness needed; grows with every return, so that a border case settles.
    patience: usize,
    /// Implicit steps: time passed per evaluation, smoothed.
    pace: f64,
    trial: Option<Trial>,
}

/// Explicit steps on trial.
struct Trial {
    steps: usize,
    time: f64,
}

/// So many signs of stiffness are needed at first.
const PATIENCE: usize = 8;
/// A trial begins where stable explicit steps would get ahead this much faster, and is won by getting ahead this much
/// faster: measured on belts, pulses and the dwell-time oscillator. Lower values change to and fro, higher ones miss
/// slip phases that order 8 takes in a few steps.
const ENTRY: f64 = 4.0;
const WIN: f64 = 3.0;
/// A trial that is not ahead this much after two steps ends early: five would not make it win.
const LOST: f64 = 1.5;
/// A first trial begins after so many steps without a switch at which it would pay.
const CALM: usize = 8;
/// What a Jacobian and its factors count, in evaluations of the rates: what they cost for a few states. More states cost
/// more, but explicit steps should then save evaluations as well, since rates of many states are not cheap either.
const LINEAR: f64 = 4.0;
/// In systems of more states than this, two products with the Jacobian are felt in every step: a look in every so many steps
/// must do.
const LARGE: usize = 64;
const RARELY: usize = 8;
/// A trial lasts so many steps.
const TRIAL: usize = 5;

impl Chooser {
    pub(crate) fn new(eval: &Evaluator) -> Self {
        let coupled = eval.coupled();
        Chooser {
            v: vec![0.0; coupled],
            w: vec![0.0; coupled],
            period: if coupled > LARGE { RARELY } else { 1 },
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
        for (i, slot) in self.v.iter_mut().enumerate() {
            *slot = 1.0 + 0.5 * (i as f64 * 2.399).sin();
        }
    }

    /// Estimates `ρ(J)` and turns the vector.
    fn radius(&mut self, jacobian: &Jacobian) -> f64 {
        let norm = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        let before = norm(&self.v);
        if !(before > 0.0 && before.is_finite()) {
            self.turn_to_start();
            return f64::INFINITY;
        }
        jacobian.times(&self.v, &mut self.w);
        jacobian.times(&self.w, &mut self.v);
        let after = norm(&self.v);
        let radius = (after / before).sqrt();
        if after > 0.0 {
            self.v.iter_mut().for_each(|x| *x /= after);
        } else {
            self.turn_to_start();
        }
        radius
    }

    /// Looks at an accepted step of size `h`; gives the largest next step if the method should change.
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
        if self.waited < self.period {
            return None;
        }
        self.waited = 0;
        let radius = self.radius(implicit.jacobian());
        let stable = if radius > 0.0 { explicit.stable() / radius } else { f64::INFINITY };
        self.calm = if stable / explicit.cost() > ENTRY * pace { self.calm + self.period } else { 0 };
        // Each return from the explicit method asks for longer calm before the next trial.
        if self.calm >= self.needed_calm() {
            (self.stiff, self.calm) = (0, 0);
            self.trial = Some(Trial { steps: 0, time: 0.0 });
            return Some(stable);
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
        self.trial = None;
        lead < WIN
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

    /// Back to implicit steps, the first as long as the last explicit one.
    fn give_up(&mut self, h: f64) -> f64 {
        (self.stiff, self.calm, self.trial, self.pace) = (0, 0, None, 0.0);
        self.patience = (2 * self.patience).min(64);
        h
    }
}
