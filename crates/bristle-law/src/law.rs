//! What a friction law is.

use bristle_core::{Mode, Params, Scalar};

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
}

/// A friction law, generic over the number.
///
/// A law with a kink at `v = 0` answers one [element](Law::elements); the provided guard and switch then keep
/// its direction. A law that is set-valued at rest answers [`limit`](Law::limit); the system then decides
/// together for all contacts who sticks and keeps element 0 itself (`Stick`, or the direction of sliding).
pub trait Law<S: Scalar>: Params<S> {
    /// The friction force, positive against positive sliding; writes the rates of the states `z`.
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S;

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

    /// The values the states have before anything has happened; zero unless the law says otherwise.
    fn initial(&self, _z: &mut [f64]) {}

    /// The typical magnitude of each state under load `n`; tolerances are scaled with it.
    fn scales(&self, _n: f64, scale: &mut [f64]) {
        scale.fill(1.0);
    }

    /// Why these parameters do not make a law, if they do not (levels out of order and the like).
    fn fault(&self) -> Option<&'static str> {
        None
    }
}
