//! Many motions at once: in lanes of vector instructions, and on all cores.
//!
//! ```text
//! cells in the same modes  →  N lanes, one step of a one-step method together, each of its own length
//! a guard fires in a lane  →  the cell leaves, the next one waiting for these modes takes the lane
//! ```
//!
//! Every lane is computed by itself: results depend neither on the neighbours nor on the number of threads. The method `auto` is
//! Rodas5P in lanes. A motion whose guards do not behave is handed to the general method, which costs time but loses nothing.

mod bundle;
mod cell;
mod control;
mod crossing;
mod implicit;
mod lane;
mod programs;

use crate::AnalysisError;
use crate::section::PoincareSection;
use crate::shooting::{Hit, ReturnMap};
use bristle_core::Mode;
use bristle_solve::{Cancel, Dynamics, Method, Recordings, Solver};
use bundle::Bundle;
use cell::BatchCell;
use lane::LaneVerdict;
use programs::LaneEquations;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// Lanes of a bundle, where there are many motions for every core, and where there are few.
const MANY: usize = 32;
const FEW: usize = 8;

/// Most states of a motion in lanes, without quadratures, and most guards with the section.
const MOST_STATES: usize = 16;

/// One motion: parameters and start.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchMotion {
    /// Parameters.
    pub p: Vec<f64>,
    /// States where it starts; modes are made consistent with them.
    pub start: Vec<f64>,
}

/// The hits of one motion, or why there are none.
pub type Hits = Result<Vec<Hit>, AnalysisError>;

/// What all motions of a batch share.
pub(crate) struct Context<'a, D> {
    pub dynamics: &'a D,
    pub section: &'a PoincareSection,
    pub solver: Solver,
    pub limit: f64,
    /// States without quadratures.
    pub size: usize,
    /// Guards without the section.
    pub guards: usize,
    /// Hits wanted.
    pub count: usize,
    /// Whether steps are implicit.
    pub is_implicit: bool,
    /// Whether modes promise something that is looked after in every step.
    pub has_invariants: bool,
    /// Recordings of dynamics that keep none themselves.
    own: Recordings,
}

impl<D: Dynamics> Context<'_, D> {
    /// Where the equations are recorded.
    pub fn recordings(&self) -> &Recordings {
        self.dynamics.recordings().unwrap_or(&self.own)
    }
}

impl<D: Dynamics> ReturnMap<'_, D> {
    /// As [`hits`](ReturnMap::hits) for many motions on all cores. `progress` sees the index of each finished motion and
    /// says whether to go on; what is not finished then is an error of no return.
    pub fn hits_of_all(
        &self,
        motions: &[BatchMotion],
        count: usize,
        progress: &(dyn Fn(usize) -> bool + Sync),
    ) -> Vec<Hits> {
        let is_stopped = AtomicBool::new(false);
        let cancel = Cancel::current();
        let one = |(job, motion): (usize, &BatchMotion)| {
            if is_stopped.load(Ordering::Relaxed) {
                return Err(AnalysisError::NoReturn { limit: self.shooting.limit });
            }
            let hits = cancel.scope(|| self.hits(&motion.p, &motion.start, count));
            is_stopped.fetch_or(!progress(job), Ordering::Relaxed);
            hits
        };
        motions.par_iter().enumerate().map(one).collect()
    }
}

impl<D: Dynamics> ReturnMap<'_, D> {
    /// Can motions with these parameters run in lanes?
    ///
    /// There may be sixteen states at most, nothing may happen at given times, and the method must be `auto` or `dopri5`. A motion
    /// whose equations cannot be recorded, or depend on time, goes by the general method all the same.
    pub fn runs_in_lanes(&self, p: &[f64]) -> bool {
        let (d, solver) = (self.dynamics, &self.shooting.solver);
        d.dim() - d.quadratures() <= MOST_STATES
            && d.guard_count() < MOST_STATES
            && d.next_break(p, 0.0).is_none()
            && matches!(solver.method, Method::Auto | Method::Dopri5)
            && solver.h_max.is_none()
    }

    /// As [`hits_of_all`](ReturnMap::hits_of_all), in lanes wherever that is possible.
    pub fn hits_in_lanes(
        &self,
        motions: &[BatchMotion],
        count: usize,
        progress: &(dyn Fn(usize) -> bool + Sync),
    ) -> Vec<Hits> {
        let context = Context {
            dynamics: self.dynamics,
            section: &self.section,
            solver: self.shooting.solver,
            limit: self.shooting.limit,
            size: self.dynamics.dim() - self.dynamics.quadratures(),
            guards: self.dynamics.guard_count(),
            count,
            is_implicit: self.shooting.solver.method == Method::Auto,
            has_invariants: self.dynamics.has_invariants(),
            own: Recordings::default(),
        };
        if motions.len() >= 4 * MANY * rayon::current_num_threads() {
            self.hits_in::<MANY>(&context, motions, progress)
        } else {
            self.hits_in::<FEW>(&context, motions, progress)
        }
    }

    fn hits_in<const N: usize>(
        &self,
        context: &Context<'_, D>,
        motions: &[BatchMotion],
        progress: &(dyn Fn(usize) -> bool + Sync),
    ) -> Vec<Hits> {
        let parts = 4 * rayon::current_num_threads();
        let size = motions.len().div_ceil(parts).clamp(4 * N, 64 * N);
        let chunks = motions.par_chunks(size).enumerate();
        let cancel = Cancel::current();
        let results = chunks.flat_map_iter(|(chunk, motions)| {
            let report = |job: usize| progress(chunk * size + job);
            cancel.scope(|| self.chunk::<N>(context, motions, &report))
        });
        results.collect()
    }

    fn chunk<const N: usize>(
        &self,
        context: &Context<'_, D>,
        motions: &[BatchMotion],
        progress: &dyn Fn(usize) -> bool,
    ) -> Vec<Hits> {
        let late = AnalysisError::NoReturn { limit: context.limit };
        let mut results: Vec<Hits> = vec![Err(late); motions.len()];
        let (lanes, general): (Vec<usize>, Vec<usize>) =
            (0..motions.len()).partition(|&job| self.runs_in_lanes(&motions[job].p) && context.count > 0);
        let mut work = ThreadWork {
            context,
            motions,
            fresh: lanes,
            waiting: Vec::new(),
            equations: Vec::new(),
            results: &mut results,
            hard: general,
            progress,
            is_stopped: false,
        };
        // The newest motions are taken from the end.
        work.fresh.reverse();
        pulp::Arch::new().dispatch(Dispatched::<D, N>(&mut work));
        let (hard, mut goes_on) = (std::mem::take(&mut work.hard), !work.is_stopped);
        for job in hard {
            if !goes_on {
                break;
            }
            results[job] = self.hits(&motions[job].p, &motions[job].start, context.count);
            goes_on = progress(job);
        }
        results
    }
}

/// Work that is compiled once more for wide vector instructions.
struct Dispatched<'w, 'a, D, const N: usize>(&'w mut ThreadWork<'a, D>);

impl<D: Dynamics, const N: usize> pulp::NullaryFnOnce for Dispatched<'_, '_, D, N> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.0.run::<N>();
    }
}

/// The motions of one thread.
// Boxed cells move between lanes and queues without being copied.
#[allow(clippy::vec_box)]
struct ThreadWork<'a, D> {
    context: &'a Context<'a, D>,
    motions: &'a [BatchMotion],
    /// Not yet started.
    fresh: Vec<usize>,
    /// Waiting for a lane, by modes.
    waiting: Vec<(Vec<Mode>, Vec<Box<BatchCell>>)>,
    /// What is recorded of the modes seen so far.
    equations: Vec<LaneEquations>,
    results: &'a mut [Hits],
    /// For the general method.
    hard: Vec<usize>,
    progress: &'a dyn Fn(usize) -> bool,
    is_stopped: bool,
}

impl<D: Dynamics> ThreadWork<'_, D> {
    #[inline(always)]
    fn run<const N: usize>(&mut self) {
        let mut bundle = Box::new(Bundle::<N>::new(self.context));
        let cancel = Cancel::current();
        while !self.is_stopped && self.fill(&mut bundle) {
            loop {
                if cancel.is_cancelled() {
                    self.is_stopped = true;
                    return;
                }
                let attention = bundle.step(self.context);
                if attention.any() && !self.attend(&mut bundle, attention.0) {
                    break;
                }
            }
        }
    }

    /// Looks after lanes in which something happened; `false` once other modes are worth more.
    #[inline(never)]
    fn attend<const N: usize>(&mut self, bundle: &mut Bundle<N>, attention: [u64; N]) -> bool {
        let mut has_left = false;
        for lane in (0..N).filter(|l| attention[*l] != 0) {
            match bundle.decide(self.context, lane) {
                LaneVerdict::GoesOn => continue,
                verdict => has_left |= self.settle(bundle, lane, verdict),
            }
        }
        if !has_left {
            return true;
        }
        let active = bundle.active();
        let most = self.waiting.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0);
        if active > 0 && most <= active && !self.is_stopped {
            return true;
        }
        for lane in 0..N {
            if let Some(cell) = bundle.unload(self.context, lane) {
                self.park(cell);
            }
        }
        false
    }

    /// Lets a guard fire, or ends a motion; did its lane become free for good?
    fn settle<const N: usize>(&mut self, bundle: &mut Bundle<N>, lane: usize, verdict: LaneVerdict) -> bool {
        let Some(mut cell) = bundle.unload(self.context, lane) else { return true };
        let job = cell.job;
        match verdict {
            LaneVerdict::Fires(guard) if !cell.fire(self.context, guard) => self.hard.push(job),
            LaneVerdict::Fires(_) if cell.state.mode == bundle.mode() => {
                bundle.load(self.context, lane, cell);
                return false;
            }
            LaneVerdict::Fires(_) => self.park(cell),
            LaneVerdict::Done => self.finish(job, Ok(std::mem::take(&mut cell.hits))),
            LaneVerdict::Late => self.finish(job, Err(AnalysisError::NoReturn { limit: self.context.limit })),
            _ => self.hard.push(job),
        }
        match self.next(bundle.mode()) {
            Some(cell) => {
                bundle.load(self.context, lane, cell);
                false
            }
            None => true,
        }
    }

    fn finish(&mut self, job: usize, result: Hits) {
        self.results[job] = result;
        self.is_stopped |= !(self.progress)(job);
    }

    /// Lets a motion wait for a lane, or for the general method if its equations cannot run in lanes.
    fn park(&mut self, cell: Box<BatchCell>) {
        let (known, state) = (self.equations.iter().position(|e| e.mode == cell.state.mode), &cell.state);
        let place = known.unwrap_or_else(|| {
            self.equations.push(LaneEquations::of(self.context, &cell.p, state));
            self.equations.len() - 1
        });
        if !self.equations[place].fit(&cell.p, state) {
            return self.hard.push(cell.job);
        }
        match self.waiting.iter_mut().find(|(mode, _)| *mode == cell.state.mode) {
            Some((_, cells)) => cells.push(cell),
            None => self.waiting.push((cell.state.mode.clone(), vec![cell])),
        }
    }

    /// A motion in these modes: one that waits, or a new one.
    fn next(&mut self, mode: &[Mode]) -> Option<Box<BatchCell>> {
        let waiting = self.waiting.iter_mut().find(|(m, _)| m == mode);
        if let Some(cell) = waiting.and_then(|(_, cells)| cells.pop()) {
            return Some(cell);
        }
        while let Some(cell) = self.begin() {
            let is_wanted = cell.state.mode == mode;
            self.park(cell);
            let waiting = self.waiting.iter_mut().find(|(m, _)| is_wanted && m == mode);
            if let Some(cell) = waiting.and_then(|(_, cells)| cells.pop()) {
                return Some(cell);
            }
        }
        None
    }

    /// Starts a new motion.
    fn begin(&mut self) -> Option<Box<BatchCell>> {
        while let Some(job) = self.fresh.pop() {
            let BatchMotion { p, start } = &self.motions[job];
            match BatchCell::new(self.context, job, p, start) {
                Some(cell) => return Some(Box::new(cell)),
                None => self.hard.push(job),
            }
        }
        None
    }

    /// Fills an empty bundle with the modes most motions wait in; `false` when all is done.
    fn fill<const N: usize>(&mut self, bundle: &mut Bundle<N>) -> bool {
        while self.waiting.iter().all(|(_, cells)| cells.is_empty()) {
            let Some(cell) = self.begin() else { return false };
            self.park(cell);
        }
        let most = self.waiting.iter().max_by_key(|(_, cells)| cells.len());
        let Some(mode) = most.map(|(mode, _)| mode.clone()) else { return false };
        let Some(equations) = self.equations.iter().find(|e| e.mode == mode) else { return false };
        if !bundle.enter(equations) {
            return false;
        }
        let Some(first) = self.next(&mode) else { return false };
        bundle.load(self.context, 0, first);
        for lane in 1..N {
            match self.next(&mode) {
                Some(cell) => bundle.load(self.context, lane, cell),
                None => bundle.idle(self.context, lane),
            }
        }
        true
    }
}
