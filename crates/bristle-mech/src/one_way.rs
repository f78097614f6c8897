//! What bears in one direction only: freewheels, and stops that bodies strike.
//!
//! Such a contact is apart (mode backward), or it bears (mode stick) as long as what it bears is positive. Where bodies run
//! against each other they strike: an impulse leaves them with a part of their speed, or with none.

use crate::system::SystemEval;
use bristle_core::{Mode, Scalar};

/// How many numbers the law has that stands for no friction.
pub(crate) const ONE_WAY_NUMBERS: usize = 2;

/// What it bears has no limit.
pub(crate) const UNBOUNDED: f64 = f64::INFINITY;

/// What would bounce off with less than this, m/s or rad/s, stays: a body that bounces lower and lower comes to rest.
pub(crate) const AT_REST: f64 = 1e-7;

/// Nearer than this, m or rad, bodies touch.
const TOUCH: f64 = 1e-12;

/// What is borne counts as nothing below this part of all forces in contacts, N or N m: rounding leaves so much.
const NOTHING: f64 = 1e-13;

/// The force below which nothing is borne: bodies then lie side by side and are let go.
pub(crate) fn least<S: Scalar>(flow: &SystemEval<S>) -> S {
    flow.touch.iter().fold(S::one(), |sum, touch| sum + touch.force.frozen().abs()) * NOTHING
}

/// A contact that bears in one direction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OneWay {
    /// Place of the distance `q_a − q_b` at which they meet; without, they bear wherever their velocities would cross.
    pub(crate) at: Option<usize>,
    /// Place of the coefficient of restitution.
    pub(crate) restitution: Option<usize>,
    /// Whether torques are borne.
    pub(crate) turns: bool,
}

impl OneWay {
    /// The way that is left until they meet, where they do so at a place.
    pub(crate) fn gap<S: Scalar>(&self, [a, b]: [usize; 2], p: &[S], q: &[S]) -> Option<S> {
        self.at.map(|at| p[at] - (q[a] - q[b]))
    }

    /// Whether it depends on where the bodies are.
    pub(crate) fn reads_positions(&self) -> bool {
        self.at.is_some()
    }

    /// The part of the speed that is left after a blow.
    pub(crate) fn bounce(&self, p: &[f64]) -> f64 {
        self.restitution.map_or(0.0, |place| p[place])
    }

    /// Whether the bodies are apart.
    pub(crate) fn is_apart(&self, ends: [usize; 2], p: &[f64], q: &[f64]) -> bool {
        self.gap(ends, p, q).is_some_and(|gap| gap > TOUCH)
    }

    /// The mode of bodies that touch, at a speed of approach: forward is against what bears, and cannot last.
    pub(crate) fn mode(speed: f64, slack: f64) -> Mode {
        if speed < -slack {
            Mode::Backward
        } else if speed > slack {
            Mode::Forward
        } else {
            Mode::Stick
        }
    }
}
