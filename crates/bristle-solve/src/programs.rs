//! The programs an evaluator runs in place of the equations, one set for each set of modes.
//!
//! A set of modes earns its recording: the first evaluations run the equations as they are written, and recording begins once it
//! pays. Whoever evaluates the same dynamics again, with the same or with other parameters, finds what was recorded in the
//! [`Recordings`] of the dynamics. Programs give the bits of the equations, so that nothing depends on when they take over.

use crate::jacobian::Jacobian;
use crate::recorded::Recorded;
use crate::source::Source;
use crate::{Dynamics, Point};
use bristle_core::Mode;
use bristle_tape::{Program, Room};
use smallvec::SmallVec;
use std::sync::{Arc, RwLock};

/// So many evaluations in one set of modes cost about as much as its recording.
const EARNED: usize = 32;

/// Sets of modes, or pieces of signals, beyond which recording is given up: each is visited too seldom.
const MOST: usize = 96;

/// Systems of more states are evaluated as they are written.
const LARGEST: usize = 80;

/// What was recorded of some dynamics, for all who evaluate them. A clone begins empty.
#[derive(Debug, Default)]
pub struct Recordings(RwLock<Vec<Kept>>);

/// A recording, what it is a recording of, and the modes it was made in.
#[derive(Debug)]
struct Kept {
    variant: u64,
    mode: Vec<Mode>,
    recorded: Arc<Recorded>,
}

impl Clone for Recordings {
    fn clone(&self) -> Self {
        Recordings::default()
    }
}

impl Recordings {
    /// A recording that stands for the equations at this point; `None` if there is none yet.
    fn find(&self, variant: u64, variables: &[f64], p: &[f64], mode: &[Mode]) -> Option<Arc<Recorded>> {
        let all = self.0.read().ok()?;
        let fits = |kept: &&Kept| {
            kept.variant == variant && kept.mode == mode && kept.recorded.assumptions.hold(variables, p)
        };
        all.iter().find(fits).map(|kept| kept.recorded.clone())
    }

    /// The recording that stands for the equations at this point, made now if need be; `None` where they cannot be recorded.
    pub fn recorded<D: Dynamics>(&self, dynamics: &D, at: Point<f64>) -> Option<Arc<Recorded>> {
        if dynamics.dim() > LARGEST || dynamics.has_structure() {
            return None;
        }
        let variables: SmallVec<[f64; 24]> = std::iter::once(at.t).chain(at.x.iter().copied()).collect();
        if let Some(known) = self.find(dynamics.variant(), &variables, at.p, at.mode) {
            return Some(known);
        }
        let recorded = Arc::new(Recorded::new(dynamics, at).ok()?);
        self.keep(dynamics.variant(), at.mode, &recorded);
        Some(recorded)
    }

    fn keep(&self, variant: u64, mode: &[Mode], recorded: &Arc<Recorded>) {
        if let Ok(mut all) = self.0.write()
            && all.len() < MOST
        {
            all.push(Kept { variant, mode: mode.to_vec(), recorded: recorded.clone() });
        }
    }
}

/// The programs of an evaluator.
pub(crate) struct Programs {
    entries: Vec<Entry>,
    /// The entry of the present modes.
    current: usize,
    /// Time, states, and a direction where a program takes one.
    variables: Vec<f64>,
    out: Vec<f64>,
    /// Whether parameters or the piece between breaks have changed since the present entry was chosen.
    is_stale: bool,
    is_off: bool,
}

struct Entry {
    mode: Vec<Mode>,
    visits: usize,
    ready: Option<Ready>,
}

/// A recording with room for its programs.
struct Ready {
    recorded: Arc<Recorded>,
    /// Where the entries of the Jacobian go; none for one that is not kept.
    places: Vec<Option<usize>>,
    rates: Option<Room>,
    jacobian: Option<Room>,
    guards: Option<Room>,
    guard_rates: Option<Room>,
    quadrature_slopes: Option<Room>,
    /// Whether the rooms hold parameters that are out of date.
    is_stale: bool,
}

/// The room of a program, made and set when it is needed.
fn room<'r>(program: &Program, room: &'r mut Option<Room>, p: &[f64]) -> &'r mut Room {
    room.get_or_insert_with(|| program.room(p))
}

impl Programs {
    pub fn new(dim: usize, is_wanted: bool) -> Self {
        Programs {
            entries: Vec::new(),
            current: 0,
            variables: vec![0.0; 2 * dim + 1],
            out: Vec::new(),
            is_stale: false,
            is_off: !is_wanted || dim > LARGEST,
        }
    }

    /// Parameters have changed.
    pub fn forget_parameters(&mut self) {
        self.is_stale = true;
        for ready in self.entries.iter_mut().filter_map(|e| e.ready.as_mut()) {
            ready.is_stale = true;
        }
    }

    /// Time has entered another piece between breaks.
    pub fn forget_piece(&mut self) {
        self.is_stale = true;
    }

    /// Makes the programs of this point the present ones; false while there are none.
    #[inline]
    fn choose(&mut self, source: &dyn Source, at: Point<f64>) -> bool {
        if self.is_off {
            return false;
        }
        self.variables[0] = at.t;
        self.variables[1..=at.x.len()].copy_from_slice(at.x);
        let is_same = !self.is_stale && self.entries.get(self.current).is_some_and(|e| e.mode == at.mode);
        if is_same && self.entries[self.current].ready.is_some() {
            return true;
        }
        self.look_up(source, at, is_same)
    }

    #[cold]
    fn look_up(&mut self, source: &dyn Source, at: Point<f64>, is_same: bool) -> bool {
        let variables = &self.variables[..=at.x.len()];
        if !is_same {
            let fits = |e: &Entry| {
                let holds = |ready: &Ready| ready.recorded.assumptions.hold(variables, at.p);
                e.mode == at.mode && e.ready.as_ref().is_none_or(holds)
            };
            self.current = match self.entries.iter().position(fits) {
                Some(place) => place,
                None if self.entries.len() >= MOST => {
                    self.is_off = true;
                    return false;
                }
                None => {
                    self.entries.push(Entry { mode: at.mode.to_vec(), visits: 0, ready: None });
                    self.entries.len() - 1
                }
            };
            self.is_stale = false;
        }
        let entry = &mut self.entries[self.current];
        if let Some(ready) = &mut entry.ready {
            if ready.is_stale {
                ready.set_parameters(at.p);
            }
            return true;
        }
        entry.visits += 1;
        let library = source.recordings();
        if entry.visits == 1
            && let Some(recorded) =
                library.and_then(|all| all.find(source.variant(), variables, at.p, at.mode))
        {
            entry.ready = Some(Ready::new(recorded));
            return true;
        }
        if entry.visits < EARNED {
            return false;
        }
        let Some(recorded) = source.record(at).map(Arc::new) else {
            self.is_off = true;
            return false;
        };
        if let Some(all) = library {
            all.keep(source.variant(), at.mode, &recorded);
        }
        entry.ready = Some(Ready::new(recorded));
        true
    }

    /// The programs that were chosen.
    #[inline]
    fn present(&mut self) -> Option<(&mut Ready, &mut [f64], &mut Vec<f64>)> {
        let ready = self.entries.get_mut(self.current)?.ready.as_mut()?;
        Some((ready, &mut self.variables, &mut self.out))
    }

    /// Writes the rates; false if they are not recorded.
    #[inline]
    pub fn rates(&mut self, source: &dyn Source, at: Point<f64>, dx: &mut [f64]) -> bool {
        if !self.choose(source, at) {
            return false;
        }
        let Some((ready, variables, _)) = self.present() else { return false };
        let program = &ready.recorded.rates;
        program.run(room(program, &mut ready.rates, at.p), &variables[..=at.x.len()], dx);
        true
    }

    /// Writes rates, Jacobian and slopes in time; false if they are not recorded.
    pub fn jacobian(
        &mut self,
        source: &dyn Source,
        at: Point<f64>,
        jacobian: &mut Jacobian,
        dx: &mut [f64],
    ) -> bool {
        if !self.choose(source, at) {
            return false;
        }
        let Some((ready, variables, out)) = self.present() else { return false };
        let parts = &ready.recorded.jacobian;
        if ready.places.is_empty() {
            ready.places = parts.pattern.entries.iter().map(|(i, j)| jacobian.place(*i, *j)).collect();
        }
        out.resize(parts.program.outputs(), 0.0);
        parts.program.run(room(&parts.program, &mut ready.jacobian, at.p), &variables[..=at.x.len()], out);
        let (rates, rest) = out.split_at(dx.len());
        let (entries, in_time) = rest.split_at(ready.places.len());
        dx.copy_from_slice(rates);
        let (values, slopes) = jacobian.parts_mut();
        values.fill(0.0);
        slopes.fill(0.0);
        for (place, entry) in ready.places.iter().zip(entries) {
            if let Some(place) = place {
                values[*place] = *entry;
            }
        }
        for (state, slope) in parts.moved_by_time.iter().zip(in_time) {
            slopes[*state] = *slope;
        }
        jacobian.keep_finite();
        true
    }

    /// Writes the guards; false if they are not recorded.
    pub fn guards(&mut self, source: &dyn Source, at: Point<f64>, g: &mut [f64]) -> bool {
        if !self.choose(source, at) {
            return false;
        }
        let Some((ready, variables, _)) = self.present() else { return false };
        let program = &ready.recorded.guards;
        program.run(room(program, &mut ready.guards, at.p), &variables[..=at.x.len()], g);
        true
    }

    /// Writes the guards and their rates along the direction `dx`; false if they are not recorded.
    pub fn guard_rates(
        &mut self,
        source: &dyn Source,
        at: Point<f64>,
        dx: &[f64],
        g: &mut [f64],
        dg: &mut [f64],
    ) -> bool {
        if !self.choose(source, at) {
            return false;
        }
        let Some((ready, variables, out)) = self.present() else { return false };
        variables[at.x.len() + 1..].copy_from_slice(dx);
        let program = &ready.recorded.guard_rates;
        out.resize(program.outputs(), 0.0);
        program.run(room(program, &mut ready.guard_rates, at.p), variables, out);
        let (values, rates) = out.split_at(g.len());
        g.copy_from_slice(values);
        dg.copy_from_slice(rates);
        true
    }

    /// Writes `(∂f/∂x) v` of the quadratures; false if they are not recorded.
    pub fn quadrature_slopes(
        &mut self,
        source: &dyn Source,
        at: Point<f64>,
        v: &[f64],
        out: &mut [f64],
    ) -> bool {
        if !self.choose(source, at) {
            return false;
        }
        let Some((ready, variables, _)) = self.present() else { return false };
        let direction = &mut variables[at.x.len() + 1..];
        direction[..v.len()].copy_from_slice(v);
        direction[v.len()..].fill(0.0);
        let program = &ready.recorded.quadrature_slopes;
        program.run(room(program, &mut ready.quadrature_slopes, at.p), variables, out);
        true
    }
}

impl Ready {
    fn new(recorded: Arc<Recorded>) -> Self {
        Ready {
            recorded,
            places: Vec::new(),
            rates: None,
            jacobian: None,
            guards: None,
            guard_rates: None,
            quadrature_slopes: None,
            is_stale: false,
        }
    }

    fn set_parameters(&mut self, p: &[f64]) {
        self.is_stale = false;
        let all = &self.recorded;
        for (program, room) in [
            (&all.rates, &mut self.rates),
            (&all.jacobian.program, &mut self.jacobian),
            (&all.guards, &mut self.guards),
            (&all.guard_rates, &mut self.guard_rates),
            (&all.quadrature_slopes, &mut self.quadrature_slopes),
        ] {
            if let Some(room) = room {
                program.set_parameters(room, p);
            }
        }
    }
}
