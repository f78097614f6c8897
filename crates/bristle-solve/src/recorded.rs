//! Dynamics recorded for one set of modes.

use crate::{Dynamics, Point};
use bristle_tape::{
    Assumptions, Node, Pattern, Program, ProgramError, Recording, RecordingError, Room, Symbol,
};
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Why dynamics cannot be recorded; they can still be evaluated as they are written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordedError {
    /// The equations do what no recording can follow.
    #[error(transparent)]
    Equations(#[from] RecordingError),
    /// The recording is too large.
    #[error(transparent)]
    Size(#[from] ProgramError),
}

/// The rates, guards and derivatives of a [`Dynamics`] in one set of modes, as programs.
///
/// Variables are time and states, `(t, x)`; where a program takes a direction, its parts follow them. Parameters are those of
/// the dynamics. Rates and guards have the bits of the equations as they are written. A program is made when it is first
/// asked for.
#[derive(Debug)]
pub struct Recorded {
    rates: Program,
    jacobian: OnceLock<Result<RecordedJacobian, ProgramError>>,
    linearised: OnceLock<Result<RecordedJacobian, ProgramError>>,
    guards: OnceLock<Result<Program, ProgramError>>,
    guard_rates: OnceLock<Result<Program, ProgramError>>,
    quadrature_slopes: OnceLock<Result<Program, ProgramError>>,
    motion: OnceLock<Result<Program, ProgramError>>,
    motion_jacobian: OnceLock<Result<RecordedJacobian, ProgramError>>,
    guards_along: OnceLock<Result<Program, ProgramError>>,
    is_autonomous: bool,
    /// What must hold for the programs to stand for the equations. Those on time hold until the next break.
    pub assumptions: Assumptions,
    source: Mutex<RecordedTerms>,
}

/// Rates and their derivatives in one program, with the places of those that are not always zero.
#[derive(Debug)]
pub struct RecordedJacobian {
    /// Gives all rates, then the entries of the pattern, then the slopes in time.
    pub program: Program,
    /// Which rates depend on which states; nothing depends on a quadrature.
    pub pattern: Pattern,
    /// The states whose rates depend on time; there are none in autonomous dynamics.
    pub moved_by_time: Vec<usize>,
    /// Tells it from all others.
    pub(crate) id: u64,
}

/// The terms that programs are made of.
#[derive(Debug)]
struct RecordedTerms {
    recording: Recording,
    coupled: usize,
    /// All rates, all guards, and the energies if there are any.
    rates: Vec<Node>,
    guards: Vec<Node>,
    energies: Vec<Node>,
    slopes: Option<Slopes>,
}

/// Derivatives of the rates.
#[derive(Clone, Debug)]
struct Slopes {
    pattern: Pattern,
    entries: Vec<Node>,
    moved_by_time: Vec<usize>,
    in_time: Vec<Node>,
}

/// A program's numbers with the parameters they were set for.
struct KeptRoom {
    id: u64,
    p: Vec<f64>,
    room: Room,
}

thread_local! {
    /// The rooms of the last few programs this thread has run.
    static ROOMS: RefCell<Vec<KeptRoom>> = const { RefCell::new(Vec::new()) };
}

/// So many rooms a thread keeps.
const KEPT: usize = 8;

impl RecordedJacobian {
    /// Gives rates, entries of the pattern and slopes in time at `(t, x)`. Allocates nothing once the thread has run it.
    pub fn run(&self, variables: &[f64], p: &[f64], out: &mut [f64]) {
        ROOMS.with_borrow_mut(|rooms| {
            let place = rooms.iter().position(|kept| kept.id == self.id).unwrap_or_else(|| {
                if rooms.len() == KEPT {
                    rooms.remove(0);
                }
                rooms.push(KeptRoom { id: self.id, p: p.to_vec(), room: self.program.room(p) });
                rooms.len() - 1
            });
            let kept = &mut rooms[place];
            if kept.p != p {
                kept.p.copy_from_slice(p);
                self.program.set_parameters(&mut kept.room, p);
            }
            self.program.run(&mut kept.room, variables, out);
        });
    }
}

/// The number of the next recording.
static NEXT: AtomicU64 = AtomicU64::new(1);

impl Recorded {
    /// Records `dynamics` in the modes of this point. Time, states and parameters matter only where the equations decide
    /// between different terms, such as the piece of a signal.
    pub fn new<D: Dynamics>(dynamics: &D, at: Point<f64>) -> Result<Recorded, RecordedError> {
        let (dim, guards) = (dynamics.dim(), dynamics.guard_count());
        let variables: Vec<f64> = std::iter::once(at.t).chain(at.x.iter().copied()).collect();
        let recording = bristle_tape::record(&variables, at.p, |x, p| {
            let point = Point { t: x[0], x: &x[1..], p, mode: at.mode };
            let mut out = vec![Symbol::from(0.0); dim + guards];
            let (rates, guards) = out.split_at_mut(dim);
            dynamics.rates(point, rates);
            dynamics.guards(point, guards);
            out.extend(dynamics.energies(point).into_iter().flatten());
            out
        })?;
        let outputs = recording.outputs();
        let mut terms = RecordedTerms {
            coupled: dim - dynamics.quadratures(),
            rates: outputs[..dim].to_vec(),
            guards: outputs[dim..dim + guards].to_vec(),
            energies: outputs[dim + guards..].to_vec(),
            slopes: None,
            recording,
        };
        Ok(Recorded {
            rates: terms.program(&[&terms.rates], 1)?,
            jacobian: OnceLock::new(),
            linearised: OnceLock::new(),
            guards: OnceLock::new(),
            guard_rates: OnceLock::new(),
            quadrature_slopes: OnceLock::new(),
            motion: OnceLock::new(),
            motion_jacobian: OnceLock::new(),
            guards_along: OnceLock::new(),
            is_autonomous: terms.is_autonomous(),
            assumptions: terms.recording.assumptions()?,
            source: Mutex::new(terms),
        })
    }

    fn made<'a, T>(
        &self,
        slot: &'a OnceLock<Result<T, ProgramError>>,
        make: impl FnOnce(&mut RecordedTerms) -> Result<T, ProgramError>,
    ) -> Result<&'a T, ProgramError> {
        let made = || make(&mut self.source.lock().unwrap_or_else(PoisonError::into_inner));
        slot.get_or_init(made).as_ref().map_err(|error| *error)
    }

    /// Makes machine code of all programs made so far; says how many there are.
    #[cfg(feature = "jit")]
    pub(crate) fn compile(&self) -> usize {
        let plain =
            [&self.guards, &self.guard_rates, &self.quadrature_slopes, &self.motion, &self.guards_along];
        let sloped = [&self.jacobian, &self.linearised, &self.motion_jacobian];
        let plain = plain.into_iter().filter_map(|slot| slot.get()?.as_ref().ok());
        let sloped = sloped.into_iter().filter_map(|slot| Some(&slot.get()?.as_ref().ok()?.program));
        std::iter::once(&self.rates).chain(plain).chain(sloped).filter(|program| program.compile()).count()
    }

    /// Number of states.
    pub(crate) fn dim(&self) -> usize {
        self.rates.outputs()
    }

    /// `ẋ`.
    pub fn rates(&self) -> &Program {
        &self.rates
    }

    /// Whether neither rates nor guards depend on time.
    pub fn is_autonomous(&self) -> bool {
        self.is_autonomous
    }

    /// `ẋ` of the states before the quadratures alone.
    pub fn motion(&self) -> Result<&Program, ProgramError> {
        self.made(&self.motion, |terms| terms.program(&[&terms.rates[..terms.coupled]], 1))
    }

    /// `ẋ` and `∂f/∂x` of the states before the quadratures alone, of equations that do not depend on time.
    pub fn motion_jacobian(&self) -> Result<&RecordedJacobian, ProgramError> {
        self.made(&self.motion_jacobian, RecordedTerms::motion_jacobian)
    }

    /// `ẋ`, `∂f/∂x` by the states before the quadratures, `∂f/∂t`.
    pub fn jacobian(&self) -> Result<&RecordedJacobian, ProgramError> {
        self.made(&self.jacobian, |terms| terms.jacobian(&[]))
    }

    /// The same, then the guards, their rates along the motion, and the energies.
    pub(crate) fn linearised(&self) -> Result<&RecordedJacobian, ProgramError> {
        self.made(&self.linearised, |terms| {
            let more = terms.ends(&terms.rates.clone());
            terms.jacobian(&more)
        })
    }

    /// The guards.
    pub fn guards(&self) -> Result<&Program, ProgramError> {
        self.made(&self.guards, |terms| terms.program(&[&terms.guards], 1))
    }

    /// The guards, their rates along a direction `ẋ`, and the energies.
    pub fn guard_rates(&self) -> Result<&Program, ProgramError> {
        self.made(&self.guard_rates, |terms| {
            let direction = terms.direction();
            let ends = terms.ends(&direction);
            terms.program(&[&ends], 2)
        })
    }

    /// The guards and their rates along a direction `ẋ`, for those who ask for no energies.
    pub fn guards_along(&self) -> Result<&Program, ProgramError> {
        self.made(&self.guards_along, |terms| {
            let (direction, guards) = (terms.direction(), terms.guards.clone());
            let rates = terms.along(&guards, &direction, true);
            terms.program(&[&guards, &rates], 2)
        })
    }

    /// `(∂f/∂x) v` of the quadratures for a direction `v`.
    pub fn quadrature_slopes(&self) -> Result<&Program, ProgramError> {
        self.made(&self.quadrature_slopes, |terms| {
            let direction = terms.direction();
            let quadratures = terms.rates[terms.coupled..].to_vec();
            let slopes = terms.along(&quadratures, &direction[..terms.coupled], false);
            terms.program(&[&slopes], 2)
        })
    }
}

impl RecordedTerms {
    /// A program for terms of time and states, or with a direction of the states behind them.
    fn program(&self, terms: &[&[Node]], blocks: usize) -> Result<Program, ProgramError> {
        self.recording.program_of(&terms.concat(), 1 + blocks * self.rates.len())
    }

    /// A direction of the states, as further variables.
    fn direction(&mut self) -> Vec<Node> {
        let first = 1 + self.rates.len();
        while self.recording.variables().len() < first + self.rates.len() {
            self.recording.add_variable();
        }
        self.recording.variables()[first..].to_vec()
    }

    /// The derivatives of terms along a direction of the states, and with time if that passes.
    fn along(&mut self, terms: &[Node], direction: &[Node], passes: bool) -> Vec<Node> {
        let [zero, one] = [0.0, 1.0].map(|number| self.recording.graph.constant(number));
        let inputs = self.recording.variables().to_vec();
        let mut seeds: Vec<(Node, Node)> =
            inputs[1..].iter().copied().zip(direction.iter().copied()).collect();
        seeds.extend(passes.then_some((inputs[0], one)));
        let slopes = self.recording.along(terms, &seeds);
        slopes.into_iter().map(|slope| slope.unwrap_or(zero)).collect()
    }

    /// The guards, their rates along a direction, and the energies.
    fn ends(&mut self, direction: &[Node]) -> Vec<Node> {
        let guards = self.guards.clone();
        let rates = self.along(&guards, direction, true);
        [guards, rates, self.energies.clone()].concat()
    }

    fn is_autonomous(&mut self) -> bool {
        let one = self.recording.graph.constant(1.0);
        let (time, terms) = (self.recording.variables()[0], [&self.rates[..], &self.guards[..]].concat());
        self.recording.along(&terms, &[(time, one)]).iter().all(Option::is_none)
    }

    fn slopes(&mut self) -> Slopes {
        if let Some(known) = &self.slopes {
            return known.clone();
        }
        let inputs = self.recording.variables().to_vec();
        let found = self.recording.derivatives(&self.rates, &inputs[1..=self.coupled]);
        let one = self.recording.graph.constant(1.0);
        let in_time = self.recording.along(&self.rates, &[(inputs[0], one)]);
        let slopes = Slopes {
            pattern: found.pattern,
            entries: found.terms,
            moved_by_time: (0..in_time.len()).filter(|i| in_time[*i].is_some()).collect(),
            in_time: in_time.into_iter().flatten().collect(),
        };
        self.slopes.insert(slopes).clone()
    }

    fn motion_jacobian(&mut self) -> Result<RecordedJacobian, ProgramError> {
        let Slopes { pattern, entries, .. } = self.slopes();
        let kept = |(place, _): &(&(usize, usize), Node)| place.0 < self.coupled;
        let (places, entries): (Vec<(usize, usize)>, Vec<Node>) =
            pattern.entries.iter().zip(entries).filter(kept).map(|(place, term)| (*place, term)).unzip();
        let program = self.program(&[&self.rates[..self.coupled], &entries], 1)?;
        let pattern = Pattern { entries: places, rows: self.coupled, ..pattern };
        Ok(RecordedJacobian {
            program,
            pattern,
            moved_by_time: Vec::new(),
            id: NEXT.fetch_add(1, Ordering::Relaxed),
        })
    }

    fn jacobian(&mut self, more: &[Node]) -> Result<RecordedJacobian, ProgramError> {
        let Slopes { pattern, entries, moved_by_time, in_time } = self.slopes();
        let program = self.program(&[&self.rates, &entries, &in_time, more], 1)?;
        Ok(RecordedJacobian { program, pattern, moved_by_time, id: NEXT.fetch_add(1, Ordering::Relaxed) })
    }
}
