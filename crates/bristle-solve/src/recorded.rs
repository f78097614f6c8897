//! Dynamics recorded for one set of modes.

use crate::{Dynamics, Point};
use bristle_tape::{Assumptions, Node, Pattern, Program, ProgramError, RecordError, Room, Symbol};
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

/// Why dynamics cannot be recorded; they can still be evaluated as they are written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordedError {
    /// The equations do what no recording can follow.
    #[error(transparent)]
    Equations(#[from] RecordError),
    /// The recording is too large.
    #[error(transparent)]
    Size(#[from] ProgramError),
}

/// The rates, guards and derivatives of a [`Dynamics`] in one set of modes, as programs.
///
/// Variables are time and states, `(t, x)`; where a program takes a direction, its parts follow them. Parameters are those of
/// the dynamics. Rates and guards have the bits of the equations as they are written.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// `ẋ`.
    pub rates: Program,
    /// `ẋ`, `∂f/∂x` by the states before the quadratures, `∂f/∂t`.
    pub jacobian: RecordedJacobian,
    /// The guards.
    pub guards: Program,
    /// The guards, then their rates along a direction `ẋ`.
    pub guard_rates: Program,
    /// `(∂f/∂x) v` of the quadratures for a direction `v`.
    pub quadrature_slopes: Program,
    /// What must hold for the programs to stand for the equations. Those on time hold until the next break.
    pub assumptions: Assumptions,
}

/// Rates and their derivatives in one program, with the places of those that are not always zero.
#[derive(Clone, Debug)]
pub struct RecordedJacobian {
    /// Gives all rates, then the entries of the pattern, then the slopes in time.
    pub program: Program,
    /// Which rates depend on which states; nothing depends on a quadrature.
    pub pattern: Pattern,
    /// The states whose rates depend on time; there are none in autonomous dynamics.
    pub moved_by_time: Vec<usize>,
    /// Tells it from all others.
    id: u64,
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
static NEXT: AtomicU64 = AtomicU64::new(0);

impl Recorded {
    /// Records `dynamics` in the modes of this point. Time, states and parameters matter only where the equations decide
    /// between different terms, such as the piece of a signal.
    pub fn new<D: Dynamics>(dynamics: &D, at: Point<f64>) -> Result<Recorded, RecordedError> {
        let dim = dynamics.dim();
        let coupled = dim - dynamics.quadratures();
        let variables: Vec<f64> = std::iter::once(at.t).chain(at.x.iter().copied()).collect();
        let mut recording = bristle_tape::record(&variables, at.p, |x, p| {
            let point = Point { t: x[0], x: &x[1..], p, mode: at.mode };
            let mut out = vec![Symbol::from(0.0); dim + dynamics.guard_count()];
            let (rates, guards) = out.split_at_mut(dim);
            dynamics.rates(point, rates);
            dynamics.guards(point, guards);
            out
        })?;
        let (rates, guards) = recording.outputs().split_at(dim);
        let (rates, guards) = (rates.to_vec(), guards.to_vec());
        let (time, states) = (recording.variables()[0], recording.variables()[1..].to_vec());
        let slopes = recording.derivatives(&rates, &states[..coupled]);
        let one = recording.graph.constant(1.0);
        let in_time = recording.along(&rates, &[(time, one)]);
        let moved_by_time = (0..dim).filter(|i| in_time[*i].is_some()).collect();
        let in_time: Vec<Node> = in_time.into_iter().flatten().collect();
        let jacobian = RecordedJacobian {
            program: recording.program(&[rates.as_slice(), &slopes.terms, &in_time].concat())?,
            pattern: slopes.pattern,
            moved_by_time,
            id: NEXT.fetch_add(1, Ordering::Relaxed),
        };
        let (plain_rates, plain_guards) = (recording.program(&rates)?, recording.program(&guards)?);
        let assumptions = recording.assumptions()?;
        let mut direction: Vec<(Node, Node)> =
            states.iter().map(|state| (*state, recording.add_variable())).collect();
        let zero = recording.graph.constant(0.0);
        let quadratures = recording.along(&rates[coupled..], &direction[..coupled]);
        let quadratures: Vec<Node> = quadratures.into_iter().map(|slope| slope.unwrap_or(zero)).collect();
        direction.push((time, one));
        let guard_rates = recording.along(&guards, &direction).into_iter().map(|rate| rate.unwrap_or(zero));
        let guard_rates: Vec<Node> = guards.iter().copied().chain(guard_rates).collect();
        Ok(Recorded {
            rates: plain_rates,
            jacobian,
            guards: plain_guards,
            guard_rates: recording.program(&guard_rates)?,
            quadrature_slopes: recording.program(&quadratures)?,
            assumptions,
        })
    }
}
