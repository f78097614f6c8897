//! The programs an evaluator runs in place of the equations, one set for each set of modes.
//!
//! A set of modes earns its recording: the first evaluations run the equations as they are written, and recording begins once it
//! pays, in one run or over several of the same dynamics. Whoever evaluates the same dynamics again, with the same or with other parameters, finds what was recorded in the
//! [`Recordings`] of the dynamics. Programs give the bits of the equations, so that nothing depends on when they take over.

use crate::erased::ErasedDynamics;
use crate::jacobian::Jacobian;
use crate::recorded::Recorded;
use crate::step_end::StepEnd;
use crate::{Dynamics, Point};
use bristle_core::{Enclosure, Mode};
use bristle_tape::{Bound, Program, ProgramError, Room, RoomIn};
use smallvec::SmallVec;
use std::sync::{Arc, Mutex, RwLock};

/// So many evaluations in one set of modes cost about as much as its recording.
const EARNED: usize = 10;

/// Sets of modes, or pieces of signals, beyond which recording is given up: each is visited too seldom.
const MOST: usize = 96;

/// Systems of more states are evaluated as they are written.
const LARGEST: usize = 4000;

/// Beyond so many states recordings are large, and few are kept.
const LARGE: usize = 80;
const FEW: usize = 8;

/// What was recorded of some dynamics, for all who evaluate them. A clone begins empty.
#[derive(Debug, Default)]
pub struct Recordings {
    kept: RwLock<Vec<Kept>>,
    arrivals: Mutex<Vec<Arrivals>>,
}

/// How many runs have come past a set of modes that is not recorded, as the first, second … that each of them came to.
#[derive(Debug)]
struct Arrivals {
    variant: u64,
    place: usize,
    mode: Vec<Mode>,
    count: usize,
}

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
    fn find(&self, variant: u64, at: Point<f64>) -> Option<Arc<Recorded>> {
        let all = self.kept.read().ok()?;
        let fits =
            |kept: &&Kept| kept.variant == variant && kept.mode == at.mode && holds(&kept.recorded, at);
        all.iter().find(fits).map(|kept| kept.recorded.clone())
    }

    /// The recording that stands for the equations at this point, made now if need be; `None` where they cannot be recorded.
    pub fn recorded<D: Dynamics>(&self, dynamics: &D, at: Point<f64>) -> Option<Arc<Recorded>> {
        if dynamics.dim() > LARGEST || dynamics.has_structure() {
            return None;
        }
        if let Some(known) = self.find(dynamics.variant(), at) {
            return Some(known);
        }
        let recorded = Arc::new(Recorded::new(dynamics, at).ok()?);
        self.keep(dynamics.variant(), at.mode, &recorded);
        Some(recorded)
    }

    /// Makes machine code of all programs recorded so far, whether they have earned it or not; says how many there are.
    #[cfg(feature = "jit")]
    pub fn compile(&self) -> usize {
        self.kept.read().map_or(0, |all| all.iter().map(|kept| kept.recorded.compile()).sum())
    }

    /// A run comes to these modes, which are the `place`-th of it and not recorded; whether enough others have done so before.
    fn arrives(&self, variant: u64, place: usize, mode: &[Mode]) -> bool {
        let Ok(mut all) = self.arrivals.lock() else { return false };
        let is_same = |a: &&mut Arrivals| a.variant == variant && a.place == place && a.mode == mode;
        match all.iter_mut().find(is_same) {
            Some(arrivals) => {
                arrivals.count += 1;
                arrivals.count >= EARNED
            }
            None => {
                if all.len() < MOST {
                    all.push(Arrivals { variant, place, mode: mode.to_vec(), count: 1 });
                }
                false
            }
        }
    }

    fn keep(&self, variant: u64, mode: &[Mode], recorded: &Arc<Recorded>) {
        if let Ok(mut all) = self.kept.write()
            && all.len() < if recorded.dim() > LARGE { FEW } else { MOST }
        {
            all.push(Kept { variant, mode: mode.to_vec(), recorded: recorded.clone() });
        }
    }
}

/// Whether a recording stands for the equations here.
fn holds(recorded: &Recorded, at: Point<f64>) -> bool {
    if recorded.assumptions.is_empty() {
        return true;
    }
    let variables: SmallVec<[f64; 24]> = std::iter::once(at.t).chain(at.x.iter().copied()).collect();
    recorded.assumptions.hold(&variables, at.p)
}

/// The programs of an evaluator.
#[derive(Clone)]
pub(crate) struct Programs {
    entries: Vec<Entry>,
    /// The entry of the present modes.
    current: usize,
    dim: usize,
    /// Whether parameters or the piece between breaks have changed since the present entry was chosen.
    is_stale: bool,
    is_off: bool,
}

#[derive(Clone)]
struct Entry {
    mode: Vec<Mode>,
    visits: usize,
    ready: Option<Ready>,
}

/// A recording with room for its programs.
#[derive(Clone)]
pub(crate) struct Ready {
    recorded: Arc<Recorded>,
    rates: Room,
    linearised: Option<Room>,
    guards: Option<Room>,
    guard_rates: Option<Room>,
    quadrature_slopes: Option<Room>,
    bounds: Option<RoomIn<Enclosure>>,
    assumptions: Option<Room>,
    /// Whether the rooms hold parameters that are out of date.
    is_stale: bool,
}

impl Programs {
    pub fn new(dim: usize, is_wanted: bool) -> Self {
        Programs {
            entries: Vec::new(),
            current: 0,
            dim,
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

    /// Programs fail: the equations are evaluated as they are written from now on.
    #[cold]
    fn give_up(&mut self) -> bool {
        self.is_off = true;
        false
    }

    /// The programs of this point; nothing while there are none.
    #[inline]
    fn ready(&mut self, source: &dyn ErasedDynamics, at: Point<f64>) -> Option<&mut Ready> {
        if self.is_off {
            return None;
        }
        let is_same = !self.is_stale && self.entries.get(self.current).is_some_and(|e| e.mode == at.mode);
        if !is_same || self.entries[self.current].ready.is_none() {
            self.look_up(source, at, is_same);
        }
        self.entries.get_mut(self.current)?.ready.as_mut()
    }

    #[cold]
    fn look_up(&mut self, source: &dyn ErasedDynamics, at: Point<f64>, is_same: bool) {
        // Whoever asks for rates may have left out the quadratures.
        let mut x: SmallVec<[f64; 24]> = SmallVec::from_slice(at.x);
        x.resize(self.dim, 0.0);
        let at = Point { x: &x, ..at };
        if !is_same && !self.enter(at) {
            return;
        }
        let entry = &mut self.entries[self.current];
        if let Some(ready) = &mut entry.ready {
            if ready.is_stale {
                ready.set_parameters(at.p);
            }
            return;
        }
        entry.visits += 1;
        let library = source.recordings();
        if let (1, Some(library)) = (entry.visits, library) {
            if let Some(recorded) = library.find(source.variant(), at) {
                entry.ready = Some(Ready::new(recorded, at.p));
                return;
            }
            if library.arrives(source.variant(), self.current, at.mode) {
                entry.visits = EARNED;
            }
        }
        if entry.visits < EARNED {
            return;
        }
        let Some(recorded) = source.record(at).map(Arc::new) else {
            self.is_off = true;
            return;
        };
        if let Some(all) = library {
            all.keep(source.variant(), at.mode, &recorded);
        }
        entry.ready = Some(Ready::new(recorded, at.p));
    }

    /// Makes the entry of these modes the present one; false if there are too many.
    fn enter(&mut self, at: Point<f64>) -> bool {
        let fits = |e: &mut Entry| e.mode == at.mode && e.ready.as_mut().is_none_or(|ready| ready.holds(at));
        self.current = match self.entries.iter_mut().position(fits) {
            Some(place) => place,
            None if self.entries.len() >= if self.dim > LARGE { FEW } else { MOST } => return self.give_up(),
            None => {
                self.entries.push(Entry { mode: at.mode.to_vec(), visits: 0, ready: None });
                self.entries.len() - 1
            }
        };
        self.is_stale = false;
        true
    }

    /// Writes the rates, which depend on the states before the quadratures alone; false if they are not recorded.
    #[inline]
    pub fn rates(&mut self, source: &dyn ErasedDynamics, at: Point<f64>, dx: &mut [f64]) -> bool {
        let Some(mut program) = self.bound(source, at) else { return false };
        program.set(0, &[at.t]);
        program.set(1, at.x);
        program.run(dx);
        true
    }

    /// The program of the rates at this point, for many runs; nothing if they are not recorded.
    pub fn bound(&mut self, source: &dyn ErasedDynamics, at: Point<f64>) -> Option<Bound<'_>> {
        let ready = self.ready(source, at)?;
        Some(ready.recorded.rates().bind(&mut ready.rates))
    }

    /// Writes rates, Jacobian and slopes in time, and what else is known at the end of a step; false if they are not recorded.
    pub fn linearise(
        &mut self,
        source: &dyn ErasedDynamics,
        at: Point<f64>,
        jacobian: &mut Jacobian,
        dx: &mut [f64],
        end: &mut StepEnd,
    ) -> bool {
        let Some(ready) = self.ready(source, at) else { return false };
        let Ok(parts) = ready.recorded.linearised() else { return self.give_up() };
        let program = run(&parts.program, &mut ready.linearised, at, &[]);
        for (i, slot) in dx.iter_mut().enumerate() {
            *slot = program.result(i);
        }
        let slopes = jacobian.fill_from(parts, |i| program.result(dx.len() + i));
        end.read(
            |i| program.result(dx.len() + slopes + i),
            program.results() > dx.len() + slopes + 2 * end.g.len(),
        );
        true
    }

    /// Writes the guards; false if they are not recorded.
    pub fn guards(&mut self, source: &dyn ErasedDynamics, at: Point<f64>, g: &mut [f64]) -> bool {
        let Some(ready) = self.ready(source, at) else { return false };
        let Ok(program) = ready.recorded.guards() else { return self.give_up() };
        let program = run(program, &mut ready.guards, at, &[]);
        (0..g.len()).for_each(|i| g[i] = program.result(i));
        true
    }

    /// Bounds the guards for time and states within `over`, time first; recorded at `at` now if need be, so that bounds do not
    /// depend on how often the modes were visited. False if they cannot be recorded.
    pub fn guards_over(
        &mut self,
        source: &dyn ErasedDynamics,
        at: Point<f64>,
        over: &[Enclosure],
        g: &mut [Enclosure],
    ) -> bool {
        if !self.is_off && self.ready(source, at).is_none() {
            self.entries[self.current].visits = EARNED;
        }
        let Some(ready) = self.ready(source, at) else { return false };
        let Ok(program) = ready.recorded.guards() else { return self.give_up() };
        let room = ready.bounds.get_or_insert_with(|| program.room_in(at.p));
        program.run_in(room, over, g);
        true
    }

    /// Writes the guards, their rates along the direction `dx`, and the energies; false if they are not recorded.
    pub fn ends(
        &mut self,
        source: &dyn ErasedDynamics,
        at: Point<f64>,
        dx: &[f64],
        end: &mut StepEnd,
    ) -> bool {
        let Some(ready) = self.ready(source, at) else { return false };
        let Ok(program) = ready.recorded.guard_rates() else { return self.give_up() };
        let program = run(program, &mut ready.guard_rates, at, dx);
        end.read(|i| program.result(i), program.results() > 2 * end.g.len());
        true
    }

    /// Writes `(∂f/∂x) v` of the quadratures; false if they are not recorded.
    pub fn quadrature_slopes(
        &mut self,
        source: &dyn ErasedDynamics,
        at: Point<f64>,
        v: &[f64],
        out: &mut [f64],
    ) -> bool {
        let Some(ready) = self.ready(source, at) else { return false };
        let Ok(program) = ready.recorded.quadrature_slopes() else { return self.give_up() };
        let program = run(program, &mut ready.quadrature_slopes, at, v);
        (0..out.len()).for_each(|i| out[i] = program.result(i));
        true
    }
}

/// Runs a program at a point, with a direction behind it; its room is made when it is first needed.
#[inline]
fn run<'a>(program: &'a Program, room: &'a mut Option<Room>, at: Point<f64>, direction: &[f64]) -> Bound<'a> {
    let mut program = program.bind(room.get_or_insert_with(|| program.room(at.p)));
    program.set(0, &[at.t]);
    program.set(1, at.x);
    program.set(1 + at.x.len(), direction);
    program.evaluate();
    program
}

impl Ready {
    fn new(recorded: Arc<Recorded>, p: &[f64]) -> Self {
        Ready {
            rates: recorded.rates().room(p),
            recorded,
            linearised: None,
            guards: None,
            guard_rates: None,
            quadrature_slopes: None,
            bounds: None,
            assumptions: None,
            is_stale: false,
        }
    }

    /// Whether the recording stands for the equations here.
    fn holds(&mut self, at: Point<f64>) -> bool {
        let assumptions = &self.recorded.assumptions;
        if assumptions.is_empty() {
            return true;
        }
        if self.is_stale {
            return holds(&self.recorded, at);
        }
        let variables: SmallVec<[f64; 24]> = std::iter::once(at.t).chain(at.x.iter().copied()).collect();
        assumptions.hold_in(self.assumptions.get_or_insert_with(|| assumptions.room(at.p)), &variables)
    }

    fn set_parameters(&mut self, p: &[f64]) {
        self.is_stale = false;
        let all = &self.recorded;
        all.rates().set_parameters(&mut self.rates, p);
        (self.bounds, self.assumptions) = (None, None);
        let set = |program: Result<&Program, ProgramError>, room: &mut Room| {
            if let Ok(program) = program {
                program.set_parameters(room, p);
            }
        };
        self.linearised.iter_mut().for_each(|room| set(all.linearised().map(|all| &all.program), room));
        self.guards.iter_mut().for_each(|room| set(all.guards(), room));
        self.guard_rates.iter_mut().for_each(|room| set(all.guard_rates(), room));
        self.quadrature_slopes.iter_mut().for_each(|room| set(all.quadrature_slopes(), room));
    }
}
