//! A digital controller of a mass: it looks at the samples of a record, and holds its force in between.

use super::RIG_NUMBERS;
use super::RigNumber;
use super::number::Number;

/// So many looks are remembered.
pub(crate) const MEMORY: usize = 4;

/// A sampled controller: gains are numbers of the rig, the rest is settled.
///
/// ```text
/// e = r − q,   I ← I + T e,   x = e, or −q,   D ← D + T/(T + τ) ((x̄ − x̄ before)/T − D)
/// u = K_p e + K_i I + K_d D   within ± limit
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RigServo {
    /// Wanted position at every sample.
    pub reference: Vec<f64>,
    /// Time from one look to the next.
    pub period: f64,
    /// How many samples lie between two looks.
    pub every: usize,
    /// Time from a look until its force acts.
    pub delay: f64,
    /// Step of the measurement, if it has one.
    pub quantum: Option<f64>,
    /// Largest force.
    pub limit: f64,
    /// How many looks the difference is taken over the mean of.
    pub average: usize,
    /// Time constant of the filter behind the difference.
    pub filter: f64,
    /// Whether the measurement alone is differentiated.
    pub derives_measurement: bool,
    /// Whether the first look is taken at the start.
    pub looks_at_start: bool,
}

/// A controller on its way.
pub(crate) struct ServoState<'a, S> {
    servo: &'a RigServo,
    gains: [S; 3],
    integral: S,
    slope: S,
    seen: [S; MEMORY],
    waits: S,
    is_new: bool,
}

impl<'a, S: Number> ServoState<'a, S> {
    pub(crate) fn new(servo: &'a RigServo, numbers: &[S]) -> Self {
        let gains = [RigNumber::Gain, RigNumber::IntegralGain, RigNumber::RateGain];
        ServoState {
            servo,
            gains: gains.map(|number| numbers[numbers.len() - RIG_NUMBERS + number as usize]),
            integral: S::zero(),
            slope: S::zero(),
            seen: [S::zero(); MEMORY],
            waits: S::zero(),
            is_new: false,
        }
    }

    /// The force at the start.
    pub(crate) fn begin(&mut self, q: S, v: S) -> S {
        if !self.servo.looks_at_start {
            return S::zero();
        }
        for k in 0..MEMORY {
            let earlier = q - v * ((k + 1) as f64 * self.servo.period);
            self.seen[k] = self.followed(0, self.measured(earlier));
        }
        self.look(0, q, S::zero())
    }

    /// A position as it is measured; a rounded one moves as it does itself.
    fn measured(&self, q: S) -> S {
        let Some(quantum) = self.servo.quantum else { return q };
        q + ((q.value() / quantum).round() * quantum - q.value())
    }

    fn followed(&self, sample: usize, seen: S) -> S {
        if self.servo.derives_measurement { -seen } else { -seen + self.servo.reference[sample] }
    }

    /// Looks at sample `k`, if it is one of those looked at; gives the force that acts from there on.
    pub(crate) fn look(&mut self, k: usize, q: S, acts: S) -> S {
        if !k.is_multiple_of(self.servo.every) {
            return acts;
        }
        let RigServo { period, filter, limit, average, .. } = *self.servo;
        let seen = self.measured(q);
        let (error, follows) = (-seen + self.servo.reference[k], self.followed(k, seen));
        let average = average.clamp(1, MEMORY);
        let difference = (follows - self.seen[average - 1]) / (average as f64 * period);
        self.slope += (difference - self.slope) * (period / (period + filter));
        let integral = self.integral + error * period;
        let [kp, ki, kd] = self.gains;
        let asked = kp * error + ki * integral + kd * self.slope;
        let winds_up = asked.value().abs() > limit && asked.value() * error.value() > 0.0;
        if !winds_up {
            self.integral = integral;
        }
        self.seen.copy_within(0..MEMORY - 1, 1);
        self.seen[0] = follows;
        self.waits =
            if asked.value().abs() > limit { S::from(limit * asked.value().signum()) } else { asked };
        self.is_new = self.servo.delay > 0.0;
        if self.is_new { acts } else { self.waits }
    }

    /// When, within an interval of length `h`, a force begins to act that waits, and which.
    pub(crate) fn waits(&self, h: f64) -> Option<(f64, S)> {
        (self.is_new && self.servo.delay < h).then_some((self.servo.delay, self.waits))
    }
}
