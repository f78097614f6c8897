//! The answer of a run.

use crate::State;
use bristle_core::Mode;
use serde::Serialize;

/// Times, states and modes, one row per sample.
///
/// An event leaves two rows with the same time: before and after the switch. Where something jumps at that very time, the row
/// before it is to be seen from just before the jump.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// Number of states per row.
    pub dim: usize,
    /// Number of modes per row.
    pub mode_count: usize,
    /// Times.
    pub t: Vec<f64>,
    /// The time at which outputs of the row are to be evaluated: its own, or just before it at a jump.
    pub seen: Vec<f64>,
    /// States, row after row.
    pub x: Vec<f64>,
    /// Modes, row after row.
    pub mode: Vec<Mode>,
}

impl Samples {
    /// No rows yet.
    pub fn new(dim: usize, mode_count: usize) -> Self {
        Samples { dim, mode_count, ..Samples::default() }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.t.len()
    }

    /// Is there no row?
    pub fn is_empty(&self) -> bool {
        self.t.is_empty()
    }

    /// The states of one row.
    pub fn row(&self, index: usize) -> &[f64] {
        &self.x[index * self.dim..(index + 1) * self.dim]
    }

    /// The modes of one row.
    pub fn modes(&self, index: usize) -> &[Mode] {
        &self.mode[index * self.mode_count..(index + 1) * self.mode_count]
    }

    /// One state over all rows.
    pub fn column(&self, state: usize) -> impl Iterator<Item = f64> + '_ {
        self.x.iter().skip(state).step_by(self.dim.max(1)).copied()
    }

    /// Makes room for so many further rows.
    pub fn reserve(&mut self, rows: usize) {
        self.t.reserve(rows);
        self.seen.reserve(rows);
        self.x.reserve(rows * self.dim);
        self.mode.reserve(rows * self.mode_count);
    }

    /// Adds a row.
    pub fn push(&mut self, t: f64, x: &[f64], mode: &[Mode]) {
        self.push_seen(t, t, x, mode);
    }

    /// Adds a row that is to be seen from the time `seen`.
    pub fn push_seen(&mut self, t: f64, seen: f64, x: &[f64], mode: &[Mode]) {
        self.t.push(t);
        self.seen.push(seen);
        self.x.extend_from_slice(x);
        self.mode.extend_from_slice(mode);
    }
}

/// A switch.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When.
    pub t: f64,
    /// Which guard fired.
    pub guard: usize,
    /// On the guard, old modes.
    pub before: State,
    /// After the switch.
    pub after: State,
}

/// What a run cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: usize,
    /// Rejected steps.
    pub rejected: usize,
    /// Steps repeated to land on a guard.
    pub landings: usize,
    /// Evaluations of the rates.
    pub evaluations: usize,
    /// Evaluations of the Jacobian (each gives the rates as well).
    pub jacobians: usize,
    /// Factorisations.
    pub factorisations: usize,
    /// Guards bounded over a step or a part of it.
    pub bounds: usize,
    /// Switches.
    pub events: usize,
    /// How often `auto` changed its method.
    pub method_switches: usize,
}

impl Statistics {
    /// Evaluations of the rates, with every Jacobian counted as one for each of the `states` it differentiates by.
    pub fn work(&self, states: usize) -> usize {
        self.evaluations + states * self.jacobians
    }
}

/// Samples, events and statistics of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    /// What [`Output`](crate::Output) asked for, and both sides of every event.
    pub samples: Samples,
    /// All switches, in order.
    pub events: Vec<Event>,
    /// Where the run ended.
    pub end: State,
    /// What it cost.
    pub statistics: Statistics,
    /// Did a [`Observer`](crate::Observer) stop it?
    pub stopped_early: bool,
}
