//! Quantities that change with time in a stated way: end loads, end motions, drum angles.

use std::f64::consts::TAU;
use std::fmt;
use std::sync::Arc;

/// A value with its first two rates, as a function of time.
#[derive(Clone, Debug, PartialEq)]
pub enum CableSignal {
    /// The same at all times.
    Constant(f64),
    /// `rate · t`.
    Linear {
        /// Change per second.
        rate: f64,
    },
    /// `from + (to − from)(10s³ − 15s⁴ + 6s⁵)`, `s = (t − start)/duration` between 0 and 1.
    Ramp {
        /// Value before.
        from: f64,
        /// Value after.
        to: f64,
        /// When the ramp starts.
        start: f64,
        /// How long it takes.
        duration: f64,
    },
    /// The cycloid `a (s − sin(2πs)/2π)`, `s = t/τ` between 0 and 1: starts and ends at rest without a jerk.
    Cycloid {
        /// Total travel `a`.
        amplitude: f64,
        /// Duration `τ`.
        duration: f64,
    },
    /// The cycloid forth and back: out during `[0, τ]`, home during `[τ, 2τ]`.
    ThereAndBack {
        /// Largest travel `a`.
        amplitude: f64,
        /// Duration `τ` of each way.
        duration: f64,
    },
    /// `a sin(ω t)`.
    Harmonic {
        /// Amplitude `a`.
        amplitude: f64,
        /// Angular frequency `ω`.
        frequency: f64,
    },
    /// Any other function of time.
    Other(Function),
}

/// A function of time that gives value, rate and second rate.
#[derive(Clone)]
pub struct Function(Arc<dyn Fn(f64) -> [f64; 3] + Send + Sync>);

impl Function {
    /// Wraps a function; its clones share it.
    pub fn new(function: impl Fn(f64) -> [f64; 3] + Send + Sync + 'static) -> Self {
        Function(Arc::new(function))
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Function")
    }
}

impl PartialEq for Function {
    /// Functions are equal if they are the same one.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Default for CableSignal {
    fn default() -> Self {
        CableSignal::Constant(0.0)
    }
}

impl CableSignal {
    /// Value, rate and second rate at time `t`.
    pub fn at(&self, t: f64) -> [f64; 3] {
        match *self {
            CableSignal::Constant(value) => [value, 0.0, 0.0],
            CableSignal::Linear { rate } => [rate * t, rate, 0.0],
            CableSignal::Ramp { from, to, start, duration } => {
                let s = (t - start) / duration;
                if s <= 0.0 {
                    [from, 0.0, 0.0]
                } else if s >= 1.0 {
                    [to, 0.0, 0.0]
                } else {
                    let d = to - from;
                    [
                        from + d * s * s * s * (10.0 - s * (15.0 - 6.0 * s)),
                        d * 30.0 * s * s * (1.0 - s) * (1.0 - s) / duration,
                        d * 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / (duration * duration),
                    ]
                }
            }
            CableSignal::Cycloid { amplitude, duration } => cycloid(amplitude, duration, t),
            CableSignal::ThereAndBack { amplitude, duration } => {
                let (out, home) =
                    (cycloid(amplitude, duration, t), cycloid(amplitude, duration, t - duration));
                std::array::from_fn(|i| out[i] - home[i])
            }
            CableSignal::Harmonic { amplitude, frequency } => {
                let (sin, cos) = (frequency * t).sin_cos();
                [amplitude * sin, amplitude * frequency * cos, -amplitude * frequency * frequency * sin]
            }
            CableSignal::Other(ref function) => (function.0)(t),
        }
    }

    /// Whether it is the same at all times.
    pub fn is_constant(&self) -> bool {
        matches!(self, CableSignal::Constant(_))
    }

    /// The value at time `t`.
    pub fn value(&self, t: f64) -> f64 {
        self.at(t)[0]
    }
}

fn cycloid(a: f64, tau: f64, t: f64) -> [f64; 3] {
    let s = t / tau;
    if s <= 0.0 {
        [0.0; 3]
    } else if s >= 1.0 {
        [a, 0.0, 0.0]
    } else {
        let (sin, cos) = (TAU * s).sin_cos();
        [a * (s - sin / TAU), a / tau * (1.0 - cos), a / (tau * tau) * TAU * sin]
    }
}
