//! How long the next step is.

/// Chooses steps from the errors of those before.
#[derive(Clone)]
pub(crate) struct Controller {
    /// The step to try next; zero asks for a first one.
    pub h: f64,
    last_h: f64,
    /// The error of the step before, to the power that turns errors into steps.
    last_root: f64,
    is_retry: bool,
    /// The step refused last and its error, while it is being shortened.
    refused: Option<(f64, f64)>,
    /// A step to this time failed by far: a kink lies before it.
    trouble: f64,
    /// Steps in a row of the same length, and how many there may be.
    even: usize,
    most_even: usize,
}

/// After so many implicit steps of the same length, and twice as many each time that it did not help, one is made far shorter:
/// where rates bend within a step, steps may repeat an error that they all pass, off the motion that a shorter one finds.
const EVEN: usize = 250;

/// Steps grow at most by this factor.
const GROWTH: f64 = 8.0;
/// An error this many times too large is not for want of a slightly shorter step.
const KINK: f64 = 100.0;

impl Controller {
    pub(crate) fn new(h: f64) -> Self {
        Controller {
            h,
            last_h: 0.0,
            last_root: 1.0,
            is_retry: false,
            refused: None,
            trouble: f64::NEG_INFINITY,
            even: 0,
            most_even: EVEN,
        }
    }

    /// A new smooth piece: its length scales may differ, so only the present step is kept.
    pub(crate) fn restart(&mut self) {
        *self = Controller::new(self.h);
    }

    /// The step to try from `t`, and whether it ends at `limit`.
    pub(crate) fn next(&self, t: f64, limit: f64, h_max: f64) -> (f64, bool) {
        let left = limit - t;
        let mut h = self.h.min(h_max);
        // Halving the way to a kink finds it sooner than growing and failing in turn.
        let gap = self.trouble - t;
        if gap > 0.0 && h < gap {
            h = h.min((0.5 * gap).max(self.last_h));
        }
        if h >= left * (1.0 - 1e-9) {
            (left, true)
        } else if 2.0 * h > left {
            // Two even steps rather than one and a sliver.
            (0.5 * left, false)
        } else {
            (h, false)
        }
    }

    /// A step of `h` from `t` failed with error `norm` of a method whose error grows with the given power.
    pub(crate) fn reject(&mut self, t: f64, h: f64, norm: f64, power: f64) {
        let power = self.observed_power(h, norm, power);
        let factor = if norm.is_finite() { (0.9 * root(norm, -1.0 / power)).clamp(0.1, 0.9) } else { 0.1 };
        self.refused = Some((h, norm));
        let is_kink = norm > KINK && self.last_h > 0.3 * h && !self.is_retry;
        if norm > KINK {
            self.trouble = t + h;
        }
        self.h = h * if is_kink { factor.max(0.3) } else { factor };
        self.is_retry = true;
    }

    /// Whether the step at hand has been shortened already.
    pub(crate) fn is_retry(&self) -> bool {
        self.is_retry
    }

    /// The power of the step that the error follows: near a kink or a root it is less than the method's.
    fn observed_power(&self, h: f64, norm: f64, power: f64) -> f64 {
        let Some((h_before, before)) = self.refused else { return power };
        let seen = (before / norm).ln() / (h_before / h).ln();
        if seen.is_finite() { seen.clamp(2.0, power) } else { power }
    }

    /// A step of `h` hid a turn.
    pub(crate) fn shorten(&mut self, h: f64) {
        self.h = h / GROWTH;
        self.is_retry = true;
    }

    /// A step of `h` passed with error `norm`.
    ///
    /// Explicit steps follow a proportional-integral law; implicit ones predict the trend of the error as well
    /// (Gustafsson 1994; Hairer & Wanner II, sect. IV.8), which spares a rejection per step where motion quickens.
    pub(crate) fn accept(&mut self, h: f64, norm: f64, power: f64, is_explicit: bool) {
        let norm = norm.max(1e-10);
        let factor = if is_explicit {
            let factor = 0.9 * root(norm, -0.7 / power) * self.last_root;
            self.last_root = root(norm.max(1e-4), 0.3 / power);
            factor
        } else {
            let gain = root(norm, -1.0 / power);
            let trend = h / self.last_h * self.last_root * gain;
            self.last_root = if norm > 1e-2 { 1.0 / gain } else { root(1e-2, 1.0 / power) };
            0.9 * gain * if self.last_h > 0.0 { trend.min(1.0) } else { 1.0 }
        };
        let most = if self.is_retry { 1.0 } else { GROWTH };
        let next = h * factor.clamp(0.2, most);
        // A step cut short by a limit says little about the steps after it.
        self.h = if h < 0.99 * self.h { next.max(self.h.min(GROWTH * next)) } else { next };
        let repeats = (h / self.last_h - 1.0).abs() < 0.01 && (self.h / h - 1.0).abs() < 0.01;
        let is_even = !is_explicit && norm > 0.3 && repeats;
        self.even = if is_even { self.even + 1 } else { 0 };
        if self.even > self.most_even {
            (self.even, self.most_even) = (0, 2 * self.most_even);
            self.h = 0.05 * h;
        }
        self.last_h = h;
        self.is_retry = false;
        self.refused = None;
    }
}

/// A power of an error, to the few digits that the length of a step needs.
fn root(norm: f64, power: f64) -> f64 {
    f64::from((norm as f32).powf(power as f32))
}

#[cfg(test)]
mod control_tests {
    use super::*;

    /// The error at which an implicit step of order five repeats its length.
    const REPEATS: f64 = 0.59049;

    #[test]
    fn after_many_even_steps_one_is_far_shorter_and_then_ever_more_seldom() {
        let mut control = Controller::new(1.0);
        let mut shorter = Vec::new();
        for n in 0..10 * EVEN {
            let h = control.h;
            if h < 0.1 {
                shorter.push(n);
                control.h = 1.0;
            }
            control.accept(1.0, REPEATS, 5.0, false);
        }
        let between: Vec<usize> = shorter.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(shorter[0] > EVEN && shorter[0] < EVEN + 5, "{shorter:?}");
        assert!(!between.is_empty() && between.iter().all(|n| *n >= 2 * EVEN), "{shorter:?}");
    }

    #[test]
    fn steps_that_grow_or_are_explicit_are_left_alone() {
        let mut growing = Controller::new(1.0);
        for _ in 0..3 * EVEN {
            let h = growing.h;
            growing.accept(h, 0.5, 5.0, false);
            assert!(growing.h > h);
        }
        let mut limited = Controller::new(1.0);
        for _ in 0..3 * EVEN {
            limited.h = 1.0;
            limited.accept(1.0, 1e-3, 5.0, false);
            assert!(limited.h >= 1.0, "a step that something else limits says nothing");
        }
        let mut explicit = Controller::new(1.0);
        for _ in 0..3 * EVEN {
            explicit.accept(1.0, 0.8, 5.0, true);
            assert!(explicit.h > 0.5);
        }
    }
}
