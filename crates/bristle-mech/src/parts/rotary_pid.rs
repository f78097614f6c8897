use super::pid::PidElement;
use crate::builder::{Builder, Placed};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A controller that turns a rotor to where it is wanted, in continuous time: a robot joint, a telescope mount.
///
/// ```text
/// e = angle(t) + φ_follows − φ,   ẽ = e beyond ±dead_band, zero within
/// u = K_p ẽ + K_i ∫ ẽ dt + K_d ė + τ_friction(ṙ),   τ = u within ±limit, else ±limit
/// filter T:   ė → (e − e_f)/T with T ė_f = e − e_f
/// ```
///
/// It is a `pid` about an axis. The rotor it measures may be another one than it turns, such as the load behind an elastic gear.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "rotary_pid",
    tags("rotary"),
    entry(name = "on", part, doc = "The rotor it turns."),
    entry(
        name = "reads",
        part,
        optional,
        doc = "The rotor whose angle it measures; the one it turns unless given."
    ),
    entry(
        name = "follows",
        part,
        optional,
        doc = "A rotor that it follows: the wanted angle counts from there, and not from the ground."
    ),
    entry(
        name = "against",
        part,
        optional,
        doc = "The rotor that bears the reaction; the ground unless given."
    ),
    entry(
        name = "friction",
        table = "law",
        optional,
        doc = "The friction that it makes up for: what a law without states says at the wanted velocity."
    )
)]
pub struct RotaryPid<S> {
    /// Wanted angle: a number, or a signal.
    #[param(symbol = "r", unit = "rad", default = 0.0, signal)]
    pub angle: S,
    /// Gain of the error.
    #[param(symbol = "K_p", unit = "N m/rad", default = 0.0, min = 0.0, signal)]
    pub kp: S,
    /// Gain of its integral.
    #[param(symbol = "K_i", unit = "N m/(rad s)", default = 0.0, min = 0.0, signal)]
    pub ki: S,
    /// Gain of its rate.
    #[param(symbol = "K_d", unit = "N m s/rad", default = 0.0, min = 0.0, signal)]
    pub kd: S,
    /// Time constant of the filter on the rate; left out, the rate is that of the rotor.
    #[param(symbol = "T", unit = "s", default = f64::NAN, min = 1e-9)]
    pub filter: S,
    /// Largest torque; left out, it has no limit.
    #[param(symbol = "τ_max", unit = "N m", default = f64::NAN, min = 1e-12)]
    pub limit: S,
    /// Half width of the band in which an error counts as none; left out, there is no band.
    #[param(symbol = "e_0", unit = "rad", default = f64::NAN, min = 0.0)]
    pub dead_band: S,
    /// Load of the friction that is made up for, where its law is stated in coefficients.
    #[param(symbol = "N", unit = "N", default = f64::NAN, min = 0.0)]
    pub load: S,
    /// Radius at which that friction acts: its law is read at the speed there.
    #[param(symbol = "r_f", unit = "m", default = 1.0, min = 1e-9)]
    pub radius: S,
}

impl Part for RotaryPid<f64> {
    type Action = PidElement;
    const SYMBOL: Symbol = Symbol::Controller;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        PidElement::of(builder, part, Line::Rotary, "angle").map(Some)
    }
}
