//! A [`Dynamics`] behind a pointer.
//!
//! The integrators are compiled once, against this trait, instead of once per problem: an indirect call costs two
//! nanoseconds per evaluation, and a minute of compilation per problem is saved.

use crate::energy_control::Energies;
use crate::error::Violation;
use crate::programs::Recordings;
use crate::recorded::Recorded;
use crate::structure::Structure;
use crate::{Bandwidth, Dynamics, FineDifference, Point, State};
use bristle_core::{Dual, Enclosure, Mode, Scalar};
use std::ops::Deref;
use std::sync::Arc;

/// Rates in one number type.
pub(crate) trait RatesIn<S> {
    fn rates_in(&self, at: Point<S>, dx: &mut [S]);
}

/// Numbers in which rates are asked for as they are written.
trait Plain: Scalar {}
impl Plain for f64 {}
impl Plain for Dual<1> {}
impl Plain for Dual<4> {}

impl<D: Dynamics, S: Plain> RatesIn<S> for D {
    #[inline]
    fn rates_in(&self, at: Point<S>, dx: &mut [S]) {
        self.rates(at, dx);
    }
}

impl<D: Dynamics> RatesIn<Dual<8>> for D {
    #[inline]
    fn rates_in(&self, at: Point<Dual<8>>, dx: &mut [Dual<8>]) {
        self.rates_in_eight(at, dx);
    }
}

/// What the integrators ask of a [`Dynamics`], in the number types they use.
pub(crate) trait ErasedDynamics:
    Sync + RatesIn<f64> + RatesIn<Dual<1>> + RatesIn<Dual<4>> + RatesIn<Dual<8>>
{
    fn record(&self, at: Point<f64>) -> Option<Recorded>;
    fn recordings(&self) -> Option<&Recordings>;
    fn variant(&self) -> u64;
    fn guards_plain(&self, at: Point<f64>, g: &mut [f64]);
    fn guards_along(&self, at: Point<Dual<1>>, g: &mut [Dual<1>]);
    fn guards_over(&self, at: Point<Enclosure>, g: &mut [Enclosure]);
    fn watches(&self, p: &[f64], mode: &[Mode], is_watched: &mut [bool]);
    fn resettle(&self, p: &[f64], state: &mut State);
    fn undecide(&self, fired: usize, p: &[f64], state: &mut State);
    fn reach(&self, at: Point<f64>, rates: &[f64]) -> f64;
    fn violation(&self, at: Point<f64>, g: &[f64], tolerance: f64) -> Option<Violation>;
    fn project(&self, p: &[f64], t: f64, x: &mut [f64], mode: &[Mode]) -> bool;
    fn longest_step(&self, p: &[f64], mode: &[Mode]) -> f64;
    fn fine_differences(&self, at: Point<f64>, rtol: f64, fine: &mut Vec<FineDifference>);
    fn energies(&self, at: Point<f64>) -> Option<Energies>;
    fn switch(&self, fired: usize, p: &[f64], state: &mut State);
    fn start(&self, p: &[f64], state: &mut State);
    fn scales(&self, p: &[f64], scale: &mut [f64]);
    fn next_break(&self, p: &[f64], t: f64) -> Option<f64>;
    fn is_autonomous(&self) -> bool;
    fn band(&self) -> Option<Bandwidth>;
    fn structure(&self) -> Option<Box<dyn Structure>>;
    fn guard_count(&self) -> usize;
    fn state_name(&self, index: usize) -> String;
    fn guard_name(&self, index: usize) -> String;
}

/// Dynamics that are borrowed for a run, or kept along with it.
#[derive(Clone)]
pub(crate) enum Held<'a> {
    Borrowed(&'a dyn ErasedDynamics),
    Shared(Arc<dyn ErasedDynamics + Send>),
}

impl<'a> Deref for Held<'a> {
    type Target = dyn ErasedDynamics + 'a;

    #[inline]
    fn deref(&self) -> &(dyn ErasedDynamics + 'a) {
        match self {
            Held::Borrowed(dynamics) => *dynamics,
            Held::Shared(dynamics) => &**dynamics,
        }
    }
}

impl<D: Dynamics> ErasedDynamics for D {
    fn record(&self, at: Point<f64>) -> Option<Recorded> {
        Recorded::new(self, at).ok()
    }
    fn recordings(&self) -> Option<&Recordings> {
        Dynamics::recordings(self)
    }
    fn variant(&self) -> u64 {
        Dynamics::variant(self)
    }
    fn guards_plain(&self, at: Point<f64>, g: &mut [f64]) {
        self.guards(at, g);
    }
    fn guards_along(&self, at: Point<Dual<1>>, g: &mut [Dual<1>]) {
        self.guards(at, g);
    }
    fn guards_over(&self, at: Point<Enclosure>, g: &mut [Enclosure]) {
        self.guards(at, g);
    }
    fn watches(&self, p: &[f64], mode: &[Mode], is_watched: &mut [bool]) {
        Dynamics::watches(self, p, mode, is_watched);
    }
    fn reach(&self, at: Point<f64>, rates: &[f64]) -> f64 {
        Dynamics::reach(self, at, rates)
    }

    fn undecide(&self, fired: usize, p: &[f64], state: &mut State) {
        Dynamics::undecide(self, fired, p, state);
    }

    fn resettle(&self, p: &[f64], state: &mut State) {
        Dynamics::resettle(self, p, state);
    }
    fn violation(&self, at: Point<f64>, g: &[f64], tolerance: f64) -> Option<Violation> {
        Dynamics::violation(self, at, g, tolerance)
    }
    fn project(&self, p: &[f64], t: f64, x: &mut [f64], mode: &[Mode]) -> bool {
        Dynamics::project(self, p, t, x, mode)
    }
    fn longest_step(&self, p: &[f64], mode: &[Mode]) -> f64 {
        Dynamics::longest_step(self, p, mode)
    }
    fn fine_differences(&self, at: Point<f64>, rtol: f64, fine: &mut Vec<FineDifference>) {
        Dynamics::fine_differences(self, at, rtol, fine);
    }
    fn energies(&self, at: Point<f64>) -> Option<Energies> {
        Dynamics::energies(self, at)
    }
    fn switch(&self, fired: usize, p: &[f64], state: &mut State) {
        Dynamics::switch(self, fired, p, state);
    }
    fn start(&self, p: &[f64], state: &mut State) {
        Dynamics::start(self, p, state);
    }
    fn scales(&self, p: &[f64], scale: &mut [f64]) {
        Dynamics::scales(self, p, scale);
    }
    fn next_break(&self, p: &[f64], t: f64) -> Option<f64> {
        Dynamics::next_break(self, p, t)
    }
    fn is_autonomous(&self) -> bool {
        Dynamics::is_autonomous(self)
    }
    fn band(&self) -> Option<Bandwidth> {
        Dynamics::band(self)
    }
    fn structure(&self) -> Option<Box<dyn Structure>> {
        Dynamics::structure(self)
    }
    fn guard_count(&self) -> usize {
        Dynamics::guard_count(self)
    }
    fn state_name(&self, index: usize) -> String {
        Dynamics::state_name(self, index)
    }
    fn guard_name(&self, index: usize) -> String {
        Dynamics::guard_name(self, index)
    }
}
