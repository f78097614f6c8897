use super::sampled_pid::SampledPidElement;
use crate::builder::{Builder, Placed};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::{Card, Choice};

/// A digital controller that turns a rotor: it looks at an angle once every period, and holds its torque in between.
///
/// ```text
/// every period T:   y = quantum · round(φ/quantum),   e = angle(t) − y,   I ← I + T e
/// x = e, or −y,   x̄ = mean of x over the last m looks,   D ← D + T/(T + τ) ((x̄ − x̄ before)/T − D)
/// u = K_p e + K_i I + K_d D + τ_friction(ṙ),   τ = u within ±limit, from `delay` later on
/// ```
///
/// It is a `sampled_pid` about an axis: an encoder of 4096 lines has a `quantum` of `360/4096 deg`. The rotor it measures may be
/// another one than it turns, such as the load behind a gear.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "rotary_sampled_pid",
    tags("rotary"),
    entry(name = "on", part, doc = "The rotor it turns."),
    entry(
        name = "reads",
        part,
        optional,
        doc = "The rotor whose angle it measures; the one it turns unless given."
    ),
    entry(
        name = "friction",
        table = "law",
        optional,
        doc = "The friction that it makes up for: what a law without states says at the wanted velocity."
    )
)]
pub struct RotarySampledPid<S> {
    /// Time from one look to the next.
    #[param(symbol = "T", unit = "s", min = 1e-9)]
    pub period: S,
    /// Wanted angle: a number, or a signal.
    #[param(symbol = "r", unit = "rad", default = 0.0, signal)]
    pub angle: S,
    /// Gain of the error.
    #[param(symbol = "K_p", unit = "N m/rad", default = 0.0, min = 0.0)]
    pub kp: S,
    /// Gain of its integral.
    #[param(symbol = "K_i", unit = "N m/(rad s)", default = 0.0, min = 0.0)]
    pub ki: S,
    /// Gain of its difference.
    #[param(symbol = "K_d", unit = "N m s/rad", default = 0.0, min = 0.0)]
    pub kd: S,
    /// Time from a look until its torque acts, less than a period.
    #[param(symbol = "T_d", unit = "s", default = 0.0, min = 0.0)]
    pub delay: S,
    /// Step of the measurement; left out, it is exact.
    #[param(symbol = "Δφ", unit = "rad", default = f64::NAN, min = 1e-15)]
    pub quantum: S,
    /// Largest torque; left out, it has no limit.
    #[param(symbol = "τ_max", unit = "N m", default = f64::NAN, min = 1e-12)]
    pub limit: S,
    /// How many looks the difference is taken over the mean of.
    #[param(symbol = "m", unit = "1", default = 1.0, min = 1.0, max = 4.0, whole)]
    pub average: S,
    /// Time constant of the filter behind the difference.
    #[param(symbol = "τ", unit = "s", default = 0.0, min = 0.0)]
    pub filter: S,
    /// Load of the friction that is made up for, where its law is stated in coefficients.
    #[param(symbol = "N", unit = "N", default = f64::NAN, min = 0.0)]
    pub load: S,
    /// Radius at which that friction acts: its law is read at the speed there.
    #[param(symbol = "r_f", unit = "m", default = 1.0, min = 1e-9)]
    pub radius: S,
    /// What is differentiated: the error, or the measurement alone, so that steps of the wanted angle do not kick.
    #[choice("error", "measurement")]
    pub derivative: Choice,
    /// When the first look is taken: a period after the start, or at the start.
    #[choice("after_period", "at_start")]
    pub first_look: Choice,
}

impl Part for RotarySampledPid<f64> {
    type Action = SampledPidElement;
    const SYMBOL: Symbol = Symbol::Controller;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        SampledPidElement::of(builder, part, Line::Rotary, "angle").map(Some)
    }
}
