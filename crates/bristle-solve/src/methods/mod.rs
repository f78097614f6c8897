//! The methods, one file each, and the catalogue that names them.

mod adams;
#[cfg(feature = "diffsol")]
pub(crate) mod diffsol;
mod dop853;
mod dopri5;
mod explicit;
mod rodas4;
mod rodas5p;
pub(crate) mod rosenbrock;
mod stepper;

pub use adams::Adams;
pub use dop853::Dop853;
pub use dopri5::Dopri5;
pub use rodas4::Rodas4;
pub use rodas5p::Rodas5p;
pub use rosenbrock::RosenbrockTable;
pub(crate) use stepper::Stepper;

use crate::tolerance::Tolerance;
use bristle_core::{Card, Described, Mode};
use rosenbrock::Scheme;

/// A point in the time and state space, as the kernels see it.
#[derive(Clone, Copy)]
pub(crate) struct Here<'a> {
    pub t: f64,
    pub x: &'a [f64],
    pub mode: &'a [Mode],
}

/// A step to be tried: where it begins, how long it is, and where its end and its error go.
pub(crate) struct Attempt<'a> {
    pub at: Here<'a>,
    pub h: f64,
    pub tolerance: &'a Tolerance,
    pub x1: &'a mut [f64],
    pub error: &'a mut [f64],
}

/// Chooses between an explicit method and `rodas5p` by the stiffness it sees, step by step.
///
/// ```text
/// explicit while h ρ(J) stays small, linearly implicit while stability would bound an explicit step
/// ```
///
/// The explicit method is `dopri5` at loose and `dop853` at tight tolerances. Motion that rings but is not stiff
/// (a bristle oscillator at low belt speed) runs explicitly, holds and fast sliding run implicitly, in one run. Where
/// explicit steps would be stable at a length that pays, up to five are tried; they go on if they get ahead three times as
/// fast as the implicit ones did, in time passed per evaluation.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "auto", tags("stiff", "explicit", "one-step"))]
pub struct Auto;

/// Backward differentiation formulas of order 1 to 5, by diffsol.
///
/// ```text
/// x_n − Σ α_j x_{n−j} = h β f(t_n, x_n)
/// ```
///
/// A second opinion for stiff motion and a choice for large systems. It starts again at order one after every event,
/// and its events lie on the interpolant, not on a step.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "bdf", cite = "robinson2026", tags("stiff", "multistep", "library"))]
pub struct Bdf;

/// A singly diagonally implicit Runge–Kutta method of order 3, by diffsol.
///
/// ```text
/// k_i = f(t + c_i h, x + h Σ a_ij k_j),   a_ii = γ
/// ```
///
/// A second opinion for stiff motion at loose tolerances.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "esdirk34", cite = "robinson2026", tags("stiff", "one-step", "library"))]
pub struct Esdirk34;

/// Tsitouras' explicit method of order 5, by diffsol.
///
/// ```text
/// x' = x + h Σ b_j k_j,   k_i = f(t + c_i h, x + h Σ a_ij k_j)
/// ```
///
/// A second opinion for motion that is not stiff.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "tsit45", cite = "robinson2026", tags("explicit", "one-step", "library"))]
pub struct Tsit45;

/// How a run is integrated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// See [`Auto`].
    #[default]
    Auto,
    /// See [`Rodas5p`].
    Rodas5p,
    /// See [`Rodas4`].
    Rodas4,
    /// See [`Dopri5`].
    Dopri5,
    /// See [`Dop853`].
    Dop853,
    /// See [`Adams`].
    Adams,
    /// See [`Bdf`].
    Bdf,
    /// See [`Esdirk34`].
    Esdirk34,
    /// See [`Tsit45`].
    Tsit45,
}

impl Method {
    /// All methods there are; those of a library last.
    pub const EVERY: &'static [Method] = &[
        Method::Auto,
        Method::Rodas5p,
        Method::Rodas4,
        Method::Dopri5,
        Method::Dop853,
        Method::Adams,
        Method::Bdf,
        Method::Esdirk34,
        Method::Tsit45,
    ];
    /// The methods of this build.
    pub const ALL: &'static [Method] =
        if cfg!(feature = "diffsol") { Method::EVERY } else { Method::EVERY.split_at(6).0 };

    /// The method a scenario names.
    pub fn named(name: &str) -> Option<Method> {
        Method::ALL.iter().copied().find(|m| m.name() == name)
    }

    /// The name a scenario writes.
    pub fn name(self) -> &'static str {
        self.card().name
    }

    /// The coefficients of a Rosenbrock method.
    pub fn rosenbrock(self) -> Option<&'static RosenbrockTable> {
        match self {
            Method::Rodas4 => Some(Scheme::Rodas4.table()),
            Method::Rodas5p => Some(Scheme::Rodas5p.table()),
            _ => None,
        }
    }

    /// The card.
    pub fn card(self) -> Card {
        match self {
            Method::Auto => Auto::CARD,
            Method::Rodas5p => Rodas5p::CARD,
            Method::Rodas4 => Rodas4::CARD,
            Method::Dopri5 => Dopri5::CARD,
            Method::Dop853 => Dop853::CARD,
            Method::Adams => Adams::CARD,
            Method::Bdf => Bdf::CARD,
            Method::Esdirk34 => Esdirk34::CARD,
            Method::Tsit45 => Tsit45::CARD,
        }
    }
}
