//! What a friction law is.

use crate::plane::InPlane;
use bristle_core::{Mode, Scalar};

/// Where a contact is.
#[derive(Clone, Copy, Debug)]
pub struct At<'a, S> {
    /// Slip rate: velocity of the body minus velocity of its counter-surface.
    pub v: S,
    /// Normal load.
    pub n: S,
    /// The friction force that would keep the slip rate constant, positive against positive sliding. Only laws
    /// that answer [`Law::uses_hold`] read it; the system computes it for all of them together.
    pub hold: S,
    /// The modes of the law's elements; empty where nobody keeps them (a law must then decide by the values).
    pub mode: &'a [Mode],
}

/// Loads below this many newtons count as no contact: there is no friction, and bristles relax.
pub const OPEN: f64 = 1e-9;

impl<S: Scalar> At<'_, S> {
    /// A contact at slip rate `v` under load `n`, without memory.
    pub fn sliding(v: S, n: S) -> Self {
        At { v, n, hold: S::zero(), mode: &[] }
    }

    /// The direction of sliding: that of element 0 if it is decided, else the sign of the slip rate.
    ///
    /// A frozen direction continues the branch smoothly past `v = 0`, so that a step can cross it, be found
    /// out by its guard, and be repeated up to the crossing.
    #[inline]
    pub fn direction(&self) -> S {
        match self.mode.first() {
            Some(Mode::Forward) => S::one(),
            Some(Mode::Backward) => -S::one(),
            _ => self.v.sign(),
        }
    }

    /// The speed `|v|`, continued smoothly past zero while the direction is frozen.
    #[inline]
    pub fn speed(&self) -> S {
        self.v * self.direction()
    }

    /// Whether the surfaces are apart: without load there is no friction, and bristles relax.
    #[inline]
    pub fn is_open(&self) -> S::Mask {
        self.n.lt(S::from(OPEN))
    }

    /// The normal load, zero where the surfaces are apart.
    #[inline]
    pub fn load(&self) -> S {
        S::select(self.is_open(), S::zero(), self.n)
    }

    /// The normal load, kept above zero: safe as a divisor.
    #[inline]
    pub fn load_floored(&self) -> S {
        self.n.max(S::from(OPEN))
    }

    /// The force of a closed contact, nothing from an open one.
    #[inline]
    pub fn closed(&self, force: S) -> S {
        S::select(self.is_open(), S::zero(), force)
    }

    /// The rate of a bristle: `closed` under load; without load it springs back at its own rate `σ₀/σ₁`, but
    /// not within less than a millisecond.
    #[inline]
    pub(crate) fn bristle(&self, closed: S, z: S, sigma0: S, sigma1: S) -> S {
        S::choose(self.is_open(), || -z / (sigma1 / sigma0).max(S::from(1e-3)), || closed)
    }
}

/// A friction law, generic over the number.
///
/// A law with a kink at `v = 0` answers one [element](Law::elements); the provided guard and switch then keep
/// its direction. A law that is set-valued at rest answers [`limit`](Law::limit); the system then decides
/// together for all contacts who sticks and keeps element 0 itself (`Stick`, or the direction of sliding).
pub trait Law<S: Scalar> {
    /// The friction force, positive against positive sliding; writes the rates of the states `z`.
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S;

    /// The friction force on a body that slides in a plane, against the slip rate and the same in every direction; writes the rates
    /// of the states, of which deflections and their rates are vectors.
    ///
    /// Provided for laws without states; one with states says so in [`bends_in_plane`](Law::bends_in_plane).
    fn in_plane(&self, at: &InPlane<S>, _z: &[S], _dz: &mut [S]) -> [S; 2] {
        at.curve(|here| self.eval(here, &[], &mut []))
    }

    /// Whether a law with states has a form for vectors.
    fn bends_in_plane(&self) -> bool {
        false
    }

    /// The largest force borne at rest. `Some` makes the law set-valued at `v = 0`.
    fn limit(&self, _at: &At<S>, _z: &[S]) -> Option<S> {
        None
    }

    /// The speed at which a sliding set-valued contact is locked; zero but for a dead band.
    fn lock_speed(&self, _at: &At<S>) -> S {
        S::zero()
    }

    /// Whether a set-valued contact keeps its residual slip rate when it locks inside the dead band.
    fn coasts(&self) -> bool {
        false
    }

    /// Whether the law reads [`At::hold`].
    fn uses_hold(&self) -> bool {
        false
    }

    /// Whether element 0 is the direction of sliding, so that a system may settle a `Stick` there from the
    /// acceleration. Not so for a law that gives `Stick` a meaning of its own.
    fn keeps_direction(&self) -> bool {
        true
    }

    /// How many elements remember a mode; each has one guard.
    fn elements(&self) -> usize {
        0
    }

    /// One guard per element, positive while its mode holds; it fires on its way below zero.
    ///
    /// Provided for laws whose element 0 is the direction of sliding.
    fn guards(&self, at: &At<S>, _z: &[S], g: &mut [S]) {
        if let (Some(g), Some(mode)) = (g.first_mut(), at.mode.first()) {
            *g = at.v * mode.sign();
        }
    }

    /// Changes modes and, where the law says so, states after guard `fired`.
    fn switch(&self, _fired: usize, _at: &At<f64>, _z: &mut [f64], mode: &mut [Mode]) {
        if let Some(mode) = mode.first_mut() {
            *mode = mode.reversed();
        }
    }

    /// Sets the modes that belong to the given slip rate and states. A direction that `v = 0` leaves open stays
    /// `Stick`; the system decides it from the acceleration.
    fn start(&self, at: &At<f64>, _z: &[f64], mode: &mut [Mode]) {
        if let Some(mode) = mode.first_mut() {
            *mode = Mode::of(at.v);
        }
    }

    /// Sets the modes beyond the direction, which element 0 has already, where a resting contact breaks away. A law that
    /// coasts may do so at a slip rate other than zero.
    fn on_breakaway(&self, _at: &At<f64>, _mode: &mut [Mode]) {}

    /// Sets the states of a contact that slides and begins to be loaded. A law needs it whose states would race to where they
    /// belong from rates that do not tell of it.
    fn closes(&self, _at: &At<f64>, _z: &mut [f64]) {}

    /// The values the states have before anything has happened; zero unless the law says otherwise.
    fn initial(&self, _z: &mut [f64]) {}

    /// The typical magnitude of each state under load `n`; tolerances are scaled with it.
    fn scales(&self, _n: f64, scale: &mut [f64]) {
        scale.fill(1.0);
    }

    /// The slip rate within which the force turns from one direction to the other, for a law so steep that the tolerances of
    /// velocities would not see it.
    fn finest_speed(&self) -> Option<f64> {
        None
    }

    /// The slip rate within which friction rises from its kinetic level towards rest, for a law with such a peak: a step that
    /// begins far outside may pass over it without seeing it.
    fn peak_width(&self) -> Option<f64> {
        None
    }

    /// Why these parameters do not make a law, if they do not (levels out of order and the like).
    fn fault(&self) -> Option<&'static str> {
        None
    }

    /// What to be wary of with these parameters under load `n`, if anything; the law still works.
    fn caution(&self, _n: f64) -> Option<&'static str> {
        None
    }
}

/// The deflection at which a bristle carries `mu n`; never zero, since tolerances are scaled with it.
pub(crate) fn deflection<S: Scalar>(mu: S, n: f64, sigma0: S) -> f64 {
    f64::max(mu.value() * f64::max(n, 1e-3) / sigma0.value(), 1e-15)
}
