//! What can be integrated and analysed.

use crate::error::Violation;
use crate::programs::Recordings;
use crate::structure::Structure;
use crate::tolerance::FineDifference;
use bristle_core::{Dual, Mode, Scalar};

/// Where the dynamics are evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Point<'a, S> {
    /// Time.
    pub t: S,
    /// States.
    pub x: &'a [S],
    /// Parameters, in the order of [`Dynamics::params`].
    pub p: &'a [S],
    /// Modes.
    pub mode: &'a [Mode],
}

/// Time, states and modes: all a run remembers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Time.
    pub t: f64,
    /// States.
    pub x: Vec<f64>,
    /// Modes.
    pub mode: Vec<Mode>,
}

/// Number of diagonals of the Jacobian that can be non-zero, below and above the main one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bandwidth {
    /// Diagonals below.
    pub lower: usize,
    /// Diagonals above.
    pub upper: usize,
}

/// `ẋ = f(t, x, p)` between switches.
///
/// Integrators, continuation and shooting are customers of this trait alone; the mechanical system and the
/// textbook problems implement it. The last [`quadratures`](Dynamics::quadratures) states are integrals that no
/// rate depends on (works, dissipations).
pub trait Dynamics: Sync {
    /// Number of states, quadratures included.
    fn dim(&self) -> usize;

    /// How many of the last states are integrals nothing depends on.
    fn quadratures(&self) -> usize {
        0
    }

    /// Number of modes.
    fn mode_count(&self) -> usize {
        0
    }

    /// Default parameters.
    fn params(&self) -> &[f64];

    /// Writes the rates of all states.
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]);

    /// The same with eight derivatives at once.
    ///
    /// A system of many equations calls [`rates_by_halves`] here: the compiler then makes them in one number type less, and
    /// less again for the variations of its motions.
    fn rates_in_eight(&self, at: Point<Dual<8>>, dx: &mut [Dual<8>]) {
        self.rates(at, dx);
    }

    /// Where recordings of these dynamics are kept. Dynamics that answer are recorded, once for each set of modes, and run as
    /// programs; others are evaluated as they are written.
    fn recordings(&self) -> Option<&Recordings> {
        None
    }

    /// Tells dynamics that keep their recordings in one place from each other.
    fn variant(&self) -> u64 {
        0
    }

    /// Number of guards.
    fn guard_count(&self) -> usize {
        0
    }

    /// Writes the guards: positive while the present modes hold; a guard fires on its way below zero.
    fn guards<S: Scalar>(&self, _at: Point<S>, _g: &mut [S]) {}

    /// Changes modes, and states where a switch says so, after guard `fired`. The state lies on the guard.
    fn switch(&self, _fired: usize, _p: &[f64], _state: &mut State) {}

    /// Leaves open which way guard `fired` goes, after it has gone back and forth without time passing: the state lies on it to
    /// rounding and stays there. A system that can do so keeps a guard that fires once the state has left.
    fn undecide(&self, _fired: usize, _p: &[f64], _state: &mut State) {}

    /// Marks the guards that can cross zero and return within a step whose error estimate does not see it, because they
    /// depend on time while the states do not. They are bounded over every step instead of being judged from its ends.
    ///
    /// All of them, unless the system is autonomous: a system that knows better says so.
    fn watches(&self, _p: &[f64], _mode: &[Mode], is_watched: &mut [bool]) {
        is_watched.fill(!self.is_autonomous());
    }

    /// Makes modes consistent after a jump: at a break, or where a run is taken up again with other parameters. Unlike
    /// [`start`](Dynamics::start) it keeps the modes that still hold.
    fn resettle(&self, _p: &[f64], _state: &mut State) {}

    /// What is wrong with the modes at an accepted state, if anything is: a run never goes on from there. `g` holds the
    /// guards, `tolerance` is that of the run.
    fn violation(&self, _at: Point<f64>, _g: &[f64], _tolerance: f64) -> Option<Violation> {
        None
    }

    /// Whether [`violation`](Dynamics::violation) can find anything in some mode: who follows many motions at once need not ask
    /// otherwise.
    fn has_invariants(&self) -> bool {
        true
    }

    /// Moves states that follow from the modes onto their exact values, after a step that ends at `t`; says whether any moved.
    fn project(&self, _p: &[f64], _t: f64, _x: &mut [f64], _mode: &[Mode]) -> bool {
        false
    }

    /// The longest step that does not pass over what happens in time alone; while the states are at rest there is none.
    fn longest_step(&self, _p: &[f64], _mode: &[Mode]) -> f64 {
        f64::INFINITY
    }

    /// The longest step from this state, at these rates, that does not pass over what its error estimate cannot see.
    fn reach(&self, _at: Point<f64>, _rates: &[f64]) -> f64 {
        f64::INFINITY
    }

    /// Sets consistent modes at the start of a run.
    fn start(&self, _p: &[f64], _state: &mut State) {}

    /// The typical magnitude of each state; absolute tolerances are scaled with it.
    fn scales(&self, _p: &[f64], scale: &mut [f64]) {
        scale.fill(1.0);
    }

    /// Adds the states, and differences of states, that have to be followed more closely at present than their tolerance says.
    fn fine_differences(&self, _at: Point<f64>, _rtol: f64, _fine: &mut Vec<FineDifference>) {}

    /// Energies whose balance closes over every step of an exact solution, if there are any: kinetic, potential, put in, lost.
    fn energies<S: Scalar>(&self, _at: Point<S>) -> Option<[S; 4]> {
        None
    }

    /// The first time after `t` at which a rate is not smooth in time; no step crosses it.
    fn next_break(&self, _p: &[f64], _t: f64) -> Option<f64> {
        None
    }

    /// Is the system autonomous? Saves one derivative per Jacobian.
    fn is_autonomous(&self) -> bool {
        false
    }

    /// The band of the Jacobian with respect to the states before the quadratures, where it is narrow.
    fn band(&self) -> Option<Bandwidth> {
        None
    }

    /// The linear systems of implicit steps, where the system solves them in its own way.
    fn structure(&self) -> Option<Box<dyn Structure>> {
        None
    }

    /// Whether there is a [`structure`](Dynamics::structure), for those who only want to know.
    fn has_structure(&self) -> bool {
        self.structure().is_some()
    }

    /// What a user calls this state.
    fn state_name(&self, index: usize) -> String {
        format!("x{index}")
    }

    /// What a user calls this guard: the contact it belongs to.
    fn guard_name(&self, index: usize) -> String {
        format!("guard {index}")
    }
}

/// Rates with eight derivatives as two times four.
pub fn rates_by_halves<D: Dynamics>(dynamics: &D, at: Point<Dual<8>>, dx: &mut [Dual<8>]) {
    let half = |number: &Dual<8>, first: usize| Dual::<4> {
        re: number.re,
        eps: std::array::from_fn(|i| number.eps[first + i]),
    };
    let mut rates = vec![Dual::<4>::from(0.0); dx.len()];
    for first in [0, 4] {
        let x: Vec<_> = at.x.iter().map(|x| half(x, first)).collect();
        let p: Vec<_> = at.p.iter().map(|p| half(p, first)).collect();
        dynamics.rates(Point { t: half(&at.t, first), x: &x, p: &p, mode: at.mode }, &mut rates);
        for (slot, rate) in dx.iter_mut().zip(&rates) {
            slot.re = rate.re;
            slot.eps[first..first + 4].copy_from_slice(&rate.eps);
        }
    }
}
