//! Force elements: what acts between coordinates while a mechanism moves.

use crate::signals::Signal;
use bristle_core::{Mode, Scalar};
use smallvec::SmallVec;

/// Positions and velocities of all coordinates, the parameters, and what is the element's own.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a, S> {
    /// Time.
    pub t: S,
    /// Positions of all coordinates.
    pub q: &'a [S],
    /// Velocities of all coordinates.
    pub v: &'a [S],
    /// Parameters.
    pub p: &'a [S],
    /// The element's own states.
    pub z: &'a [S],
    /// The element's own modes, one for each guard.
    pub mode: &'a [Mode],
}

/// What an element exchanges with the outside or loses, per second.
#[derive(Clone, Copy, Debug)]
pub struct Power<S> {
    /// Put in from outside.
    pub input: S,
    /// Turned into heat.
    pub loss: S,
}

impl<S: Scalar> Power<S> {
    /// Neither.
    pub fn none() -> Self {
        Power { input: S::zero(), loss: S::zero() }
    }
}

/// A name with its unit, of a state or an output.
pub type Named = (&'static str, &'static str);

/// The signals of an element, few as they are.
pub type Signals<'a> = SmallVec<[&'a Signal; 2]>;

/// The coordinate of the ground, which stays at zero.
pub(crate) const GROUND: usize = 0;

/// Something that puts forces on coordinates.
///
/// What it stores, loses and takes in is accounted for, so that the energy balance of a mechanism closes: the forces of
/// [`Element::apply`] do the work that [`Element::potential`] gives up, plus `input` less `loss`.
pub trait Element {
    /// Adds its forces to `f`, one per coordinate, and says what power it takes.
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S>;

    /// The energy it stores.
    fn potential<S: Scalar>(&self, _at: &Motion<S>) -> S {
        S::zero()
    }

    /// Whether it loses energy by itself.
    fn dissipates(&self) -> bool {
        false
    }

    /// The signals it follows.
    fn signals(&self) -> Signals<'_> {
        Signals::new()
    }

    /// Pairs of coordinates of whose positions it reads the difference; [`GROUND`] stands beside a position that it reads as such.
    fn pairs(&self) -> Vec<[usize; 2]> {
        Vec::new()
    }

    /// Whether it can set bodies in motion that nothing else moves.
    fn pushes(&self) -> bool {
        false
    }

    /// The coordinates it couples.
    fn coordinates(&self) -> Vec<usize>;

    /// Its own states, which are zero at the start unless it says otherwise.
    fn states(&self) -> &'static [Named] {
        &[]
    }

    /// Sets its own states at the start.
    fn initial(&self, _at: &Motion<f64>, _z: &mut [f64]) {}

    /// How fast its own states change.
    fn rates<S: Scalar>(&self, _at: &Motion<S>, _dz: &mut [S]) {}

    /// How many guards it has, each with a mode that switches where the guard falls to zero.
    fn guard_count(&self) -> usize {
        0
    }

    /// Its guards, positive while the modes hold.
    fn guards<S: Scalar>(&self, _at: &Motion<S>, _g: &mut [S]) {}

    /// The modes of what is seen, at the start and after something has jumped.
    fn settle(&self, _at: &Motion<f64>, _mode: &mut [Mode]) {}

    /// Guard `fired` has fallen to zero: changes modes and, where it must, its own states.
    fn switch(&self, _fired: usize, _at: &Motion<f64>, _z: &mut [f64], _mode: &mut [Mode]) {}

    /// What it shows beside the motion of bodies.
    fn outputs(&self) -> &'static [Named] {
        &[]
    }

    /// The values of its outputs.
    fn observe(&self, _at: &Motion<f64>) -> Vec<f64> {
        Vec::new()
    }
}

/// A part that puts no force on anything.
impl Element for () {
    fn apply<S: Scalar>(&self, _at: &Motion<S>, _f: &mut [S]) -> Power<S> {
        Power::none()
    }

    fn coordinates(&self) -> Vec<usize> {
        Vec::new()
    }
}
