//! Steps of fixed length for real time, one file per kind of law.
//!
//! [`kernel`] tells whether a law has such a step, [`FixedStep::order`] how accurate it is, and
//! [`FixedStep::step`] takes it. Slip rate and load are held over the step (the mean slip rate is best). No step
//! blows up, however long it is, and none allocates:
//!
//! | way | laws |
//! |---|---|
//! | the exact solution at constant slip rate | those linear in their states, or in closed form in the slip |
//! | linearised, then kept inside the range that attracts the exact solution | `elasto_plastic`, `bouc_wen` |
//! | implicit Euler, in closed form or by Newton's method within bounds | `coulomb`, `kikuuwe`, `leuven`, `frdyn2` |
//!
//! ```
//! use bristle_core::{Described, Mode};
//! use bristle_law::{At, LawKind, fixed_step};
//!
//! let kind = LawKind::LuGre;
//! let law = kind.build(&kind.card().defaults(), &[]);
//! let kernel = fixed_step::kernel(&law).unwrap();
//! let (mut z, mut mode) = ([0.0], [Mode::Stick]);
//! let force = kernel.step(&At::sliding(0.2, 10.0), &mut z, &mut mode, 1.0);
//! assert!((force - 3.0).abs() < 1e-9, "after a second the bristle slides at the kinetic level");
//! assert_eq!(kernel.order(), 2);
//! ```

mod bliman_sorine;
mod bouc_wen;
mod coulomb;
mod dahl;
mod elasto_plastic;
mod frdyn2;
mod gms;
mod gonthier;
mod kikuuwe;
mod leuven;
mod linear;
mod lugre;
mod lugre_dwell;
mod maxwell_slip;
mod rate_state;
mod root;

use crate::law::At;
use crate::laws::AnyLaw;
use bristle_core::Mode;

/// A law that can be advanced by a step of any length, on any thread.
pub trait FixedStep: Send + Sync {
    /// The order of accuracy in the step length, for a slip rate that is smooth in time and given by its mean over
    /// each step. A step that is exact at constant slip rate has order 2, unless a level that depends on the slip rate
    /// decides within it when an element yields.
    fn order(&self) -> u32;

    /// Whether the step is the exact solution as long as slip rate and load are constant.
    fn is_exact(&self) -> bool {
        false
    }

    /// Advances states `z` and modes by the time `h` and gives the friction force at its end.
    ///
    /// `at.mode` is not read. Laws that stick by a set of forces, not by a bristle, read [`At::hold`]: the force that
    /// would bring the contact to rest within the step.
    fn step(&self, at: &At<f64>, z: &mut [f64], mode: &mut [Mode], h: f64) -> f64;
}

/// The fixed-step form of a law, if it has one.
pub fn kernel(law: &AnyLaw<f64>) -> Option<&dyn FixedStep> {
    match law {
        AnyLaw::BlimanSorine1(law) => Some(law),
        AnyLaw::BlimanSorine2(law) => Some(law),
        AnyLaw::BoucWen(law) => Some(law),
        AnyLaw::Coulomb(law) => Some(law),
        AnyLaw::Dahl(law) => Some(law),
        AnyLaw::Dieterich(law) => Some(law),
        AnyLaw::ElastoPlastic(law) => Some(law),
        AnyLaw::FrDyn2(law) => Some(law),
        AnyLaw::Gms(law) => Some(law),
        AnyLaw::Gonthier(law) => Some(law),
        AnyLaw::Kikuuwe(law) => Some(law),
        AnyLaw::Leuven(law) => Some(law),
        AnyLaw::LuGre(law) => Some(law),
        AnyLaw::LuGreDwell(law) => Some(law),
        AnyLaw::MaxwellSlip(law) => Some(law),
        AnyLaw::PerrinRice(law) => Some(law),
        AnyLaw::Ruina(law) => Some(law),
        _ => None,
    }
}

/// Whether the surfaces are apart; then bristles spring back and there is no force.
fn is_open(at: &At<f64>) -> bool {
    at.is_open()
}

/// How long an unloaded bristle takes to spring back.
fn release_time(sigma0: f64, sigma1: f64) -> f64 {
    (sigma1 / sigma0).max(1e-3)
}

/// The direction of sliding as a mode, where a law keeps one.
fn note_direction(v: f64, mode: &mut [Mode]) {
    if let (Some(mode), true) = (mode.first_mut(), v != 0.0) {
        *mode = Mode::of(v);
    }
}
