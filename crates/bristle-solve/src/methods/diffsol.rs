//! diffsol's methods behind the same interface, with our exact Jacobians, guards and breaks.

use super::{Here, Method};
use crate::evaluator::Evaluator;
use crate::guards::{Course, GuardVerdict, Guards, Look};
use crate::integrator::Flow;
use crate::jacobian::Jacobian;
use crate::observer::{AcceptedStep, Observer};
use crate::switch::Switch;
use crate::{Cancel, Dynamics, Point, SolveError, Solver, State, Statistics, breaks};
use bristle_core::Mode;
use diffsol::matrix::{MatrixRef, sparsity::MatrixSparsity};
use diffsol::{
    ConstantOp, DefaultDenseMatrix, DiffsolError, FaerSparseLU, FaerSparseMat, LinearSolver, Matrix,
    NalgebraLU, NalgebraMat, NonLinearOp, NonLinearOpJacobian, OdeBuilder, OdeEquations, OdeEquationsRef,
    OdeSolverMethod, OdeSolverProblem, OdeSolverStopReason, Op, ParameterisedOp, UnitCallable, Vector,
    VectorIndex, VectorRef,
};
use std::cell::RefCell;

/// Runs a library method from `state`; dense matrices for wide Jacobians, sparse ones for banded.
pub(crate) fn run<D: Dynamics>(
    solver: &Solver,
    dynamics: &D,
    p: &[f64],
    state: State,
    t_end: f64,
    observer: &mut dyn Observer,
) -> Result<(State, Statistics, Flow), SolveError> {
    drive(solver, Evaluator::full(dynamics, p), state, t_end, observer)
}

/// The same once the dynamics are behind an evaluator: the library's code is compiled once, not once per problem.
fn drive(
    solver: &Solver,
    eval: Evaluator,
    state: State,
    t_end: f64,
    observer: &mut dyn Observer,
) -> Result<(State, Statistics, Flow), SolveError> {
    if eval.new_jacobian().band().is_some() {
        PiecewiseRun::<FaerSparseMat<f64>>::new(solver, eval, state, t_end)?.go::<FaerSparseLU<f64>>(observer)
    } else {
        PiecewiseRun::<NalgebraMat<f64>>::new(solver, eval, state, t_end)?.go::<NalgebraLU<f64>>(observer)
    }
}

/// The dynamics as the library sees them: modes and start are set between its runs.
struct Equations<'d, M: Matrix> {
    inner: RefCell<Inner<'d, M>>,
    dim: usize,
    context: M::C,
    sparsity: Option<M::Sparsity>,
}

struct Inner<'d, M: Matrix> {
    eval: Evaluator<'d>,
    start: Vec<f64>,
    mode: Vec<Mode>,
    jacobian: Jacobian,
    rates: Vec<f64>,
    pattern: Vec<(usize, usize)>,
    entries: M::V,
    places: <M::V as Vector>::Index,
    sources: <M::V as Vector>::Index,
}

/// One operator of the equations.
struct Operator<'a, 'd, M: Matrix>(&'a Equations<'d, M>);

impl<M: Matrix> Op for Equations<'_, M> {
    type T = M::T;
    type V = M::V;
    type M = M;
    type C = M::C;
    fn context(&self) -> &M::C {
        &self.context
    }
    fn nstates(&self) -> usize {
        self.dim
    }
    fn nout(&self) -> usize {
        self.dim
    }
    fn nparams(&self) -> usize {
        0
    }
}

impl<M: Matrix> Op for Operator<'_, '_, M> {
    type T = M::T;
    type V = M::V;
    type M = M;
    type C = M::C;
    fn context(&self) -> &M::C {
        &self.0.context
    }
    fn nstates(&self) -> usize {
        self.0.dim
    }
    fn nout(&self) -> usize {
        self.0.dim
    }
    fn nparams(&self) -> usize {
        0
    }
}

impl<M: Matrix<T = f64>> NonLinearOp for Operator<'_, '_, M> {
    fn call_inplace(&self, x: &M::V, t: f64, y: &mut M::V) {
        let inner = &mut *self.0.inner.borrow_mut();
        y.for_each_batch_host([x], |y, [x], _| inner.eval.rates(t, x, &inner.mode, y));
    }
}

impl<M: Matrix<T = f64>> NonLinearOpJacobian for Operator<'_, '_, M> {
    fn jac_mul_inplace(&self, x: &M::V, t: f64, v: &M::V, y: &mut M::V) {
        let inner = &mut *self.0.inner.borrow_mut();
        y.for_each_batch_host([x, v], |y, [x, v], _| {
            inner.eval.jacobian(t, x, &inner.mode, &mut inner.jacobian, &mut inner.rates);
            y.fill(0.0);
            inner.jacobian.times(v, y);
        });
    }

    fn jacobian_inplace(&self, x: &M::V, t: f64, y: &mut M) {
        let inner = &mut *self.0.inner.borrow_mut();
        let Inner { eval, mode, jacobian, rates, pattern, entries, places, sources, .. } = inner;
        entries.for_each_batch_host([x], |entries, [x], _| {
            eval.jacobian(t, x, mode, jacobian, rates);
            for (slot, &(row, column)) in entries.iter_mut().zip(pattern.iter()) {
                *slot = if column < jacobian.coupled() { jacobian.entry(row, column) } else { 0.0 };
            }
        });
        y.set_data_with_indices(places, sources, entries);
    }

    fn jacobian_sparsity(&self) -> Option<M::Sparsity> {
        self.0.sparsity.clone()
    }
}

impl<M: Matrix<T = f64>> ConstantOp for Operator<'_, '_, M> {
    fn call_inplace(&self, _t: f64, y: &mut M::V) {
        let inner = self.0.inner.borrow();
        y.for_each_batch_host([], |y, [], _| y.copy_from_slice(&inner.start));
    }
}

impl<'a, 'd, M: Matrix<T = f64>> OdeEquationsRef<'a> for Equations<'d, M> {
    type Mass = ParameterisedOp<'a, UnitCallable<M>>;
    type Rhs = Operator<'a, 'd, M>;
    type Root = ParameterisedOp<'a, UnitCallable<M>>;
    type Init = Operator<'a, 'd, M>;
    type Out = ParameterisedOp<'a, UnitCallable<M>>;
    type Reset = ParameterisedOp<'a, UnitCallable<M>>;
}

impl<M: Matrix<T = f64>> OdeEquations for Equations<'_, M> {
    fn rhs(&self) -> <Self as OdeEquationsRef<'_>>::Rhs {
        Operator(self)
    }
    fn mass(&self) -> Option<<Self as OdeEquationsRef<'_>>::Mass> {
        None
    }
    fn init(&self) -> <Self as OdeEquationsRef<'_>>::Init {
        Operator(self)
    }
    fn set_params(&mut self, _p: &M::V) {}
    fn get_params(&self, _p: &mut M::V) {}
}

/// A run in pieces: the library starts anew after every switch and every break.
struct PiecewiseRun<'s, 'd, M: Matrix<T = f64>> {
    solver: &'s Solver,
    problem: OdeSolverProblem<Equations<'d, M>>,
    piece: PieceState,
}

/// What is carried from piece to piece.
struct PieceState {
    state: State,
    t_start: f64,
    t_end: f64,
    next_break: f64,
    guards: Guards,
    switch: Switch,
    statistics: Statistics,
    x1: Vec<f64>,
    /// Rates at both ends of a step.
    rates0: Vec<f64>,
    rates: Vec<f64>,
    tolerance: f64,
}

/// How a piece ended.
enum DiffsolEnd {
    /// At the end of the run or at a break.
    Limit,
    /// At a switch.
    Fired(usize),
    /// As asked.
    Stopped,
}

impl<'s, 'd, M: Matrix<T = f64>> PiecewiseRun<'s, 'd, M>
where
    M::V: DefaultDenseMatrix<T = f64, C = M::C>,
    for<'b> &'b M::V: VectorRef<M::V>,
    for<'b> &'b M: MatrixRef<M>,
{
    fn new(solver: &'s Solver, eval: Evaluator<'d>, state: State, t_end: f64) -> Result<Self, SolveError> {
        let (dim, guard_count) = (eval.dim(), eval.dynamics().guard_count());
        let (jacobian, context) = (eval.new_jacobian(), M::C::default());
        let pattern = pattern(&jacobian, dim);
        let refuse = |e: DiffsolError| backend(solver.method, state.t, &e);
        let (sparsity, places) = if M::is_sparse() {
            let sparsity =
                M::Sparsity::try_from_indices(dim, dim, pattern.clone()).map_err(|e| refuse(e.into()))?;
            let places = sparsity.get_index(&pattern, context.clone());
            (Some(sparsity), places)
        } else {
            let places = pattern.iter().map(|(row, column)| row + column * dim).collect();
            (None, <M::V as Vector>::Index::from_vec(places, context.clone()))
        };
        let mut scales = vec![1.0; dim];
        eval.dynamics().scales(eval.params(), &mut scales);
        let next_break = breaks::after(&eval, state.t);
        let inner = Inner {
            start: state.x.clone(),
            mode: state.mode.clone(),
            jacobian,
            rates: vec![0.0; dim],
            entries: M::V::zeros(pattern.len(), context.clone()),
            sources: <M::V as Vector>::Index::from_vec((0..pattern.len()).collect(), context.clone()),
            pattern,
            places,
            eval,
        };
        let guards = Guards::new(guard_count, dim);
        let problem = OdeBuilder::<M>::new()
            .rtol(solver.rtol)
            .atol(scales.iter().map(|s| solver.atol * s.abs() + 1e-300))
            .build_from_eqn(Equations { inner: RefCell::new(inner), dim, context, sparsity })
            .map_err(refuse)?;
        let piece = PieceState {
            t_start: state.t,
            t_end,
            next_break,
            guards,
            switch: Switch::new(&state, guard_count),
            statistics: Statistics::default(),
            x1: vec![0.0; dim],
            rates0: vec![0.0; dim],
            rates: vec![0.0; dim],
            tolerance: solver.rtol.max(solver.atol),
            state,
        };
        Ok(PiecewiseRun { solver, problem, piece })
    }

    fn go<LS: LinearSolver<M>>(
        mut self,
        observer: &mut dyn Observer,
    ) -> Result<(State, Statistics, Flow), SolveError> {
        let mut flow = Flow::Reached;
        let mut from = f64::NEG_INFINITY;
        let method = self.solver.method;
        while self.piece.state.t < self.piece.t_end {
            if let Some(guard) = self.prepare(from)? {
                self.fire(guard, observer)?;
                continue;
            }
            let t = self.piece.state.t;
            let refuse = |e: DiffsolError| backend(method, t, &e);
            let (piece, problem, budget) = (&mut self.piece, &self.problem, self.solver.max_steps);
            let ending = match method {
                Method::Bdf => {
                    piece.run(&mut problem.bdf::<LS>().map_err(refuse)?, method, budget, observer)?
                }
                Method::Esdirk34 => {
                    piece.run(&mut problem.esdirk34::<LS>().map_err(refuse)?, method, budget, observer)?
                }
                _ => piece.run(&mut problem.tsit45().map_err(refuse)?, method, budget, observer)?,
            };
            match ending {
                DiffsolEnd::Limit if self.piece.state.t >= self.piece.next_break => {
                    from = self.piece.next_break;
                    self.pass_break(from, observer);
                }
                DiffsolEnd::Limit => {}
                DiffsolEnd::Fired(guard) => self.fire(guard, observer)?,
                DiffsolEnd::Stopped => {
                    flow = Flow::Stopped;
                    break;
                }
            }
        }
        let inner = self.problem.eqn.inner.borrow();
        let statistics = Statistics {
            evaluations: inner.eval.evaluations,
            jacobians: inner.eval.jacobians,
            events: self.piece.switch.total,
            bounds: self.piece.guards.bound_evaluations(),
            ..self.piece.statistics
        };
        Ok((self.piece.state, statistics, flow))
    }

    /// Sets the start of the next piece; names a guard that fires before it.
    fn prepare(&mut self, from: f64) -> Result<Option<usize>, SolveError> {
        let piece = &mut self.piece;
        self.problem.t0 = piece.state.t;
        let inner = self.problem.eqn.inner.get_mut();
        let t = inner.eval.within(piece.state.t);
        inner.eval.dynamics().project(inner.eval.params(), t, &mut piece.state.x, &piece.state.mode);
        inner.start.copy_from_slice(&piece.state.x);
        inner.mode.copy_from_slice(&piece.state.mode);
        breaks::enclose(&mut inner.eval, from, piece.next_break);
        let at = Here { t: piece.state.t, x: &piece.state.x, mode: &piece.state.mode };
        inner.eval.rates(at.t, at.x, at.mode, &mut piece.rates);
        if let Some(bad) = piece.rates.iter().position(|r| !r.is_finite()) {
            return Err(SolveError::NotFinite { t: at.t, state: inner.eval.dynamics().state_name(bad) });
        }
        piece.rates0.copy_from_slice(&piece.rates);
        if piece.guards.is_empty() {
            return Ok(None);
        }
        inner.eval.ends(at, &piece.rates, &mut piece.guards.start);
        Ok(piece.guards.begin(&mut inner.eval, at))
    }

    /// What comes after a break is evaluated from its own side, with modes that hold there.
    fn pass_break(&mut self, from: f64, observer: &mut dyn Observer) {
        let (piece, inner) = (&mut self.piece, self.problem.eqn.inner.get_mut());
        let seen = inner.eval.within(from);
        piece.next_break = breaks::after(&inner.eval, from);
        breaks::enclose(&mut inner.eval, from, piece.next_break);
        if !piece.guards.is_empty() && piece.switch.resettle(&inner.eval, seen, &mut piece.state, observer) {
            piece.guards.clear();
        }
    }

    fn fire(&mut self, guard: usize, observer: &mut dyn Observer) -> Result<(), SolveError> {
        let (piece, inner) = (&mut self.piece, self.problem.eqn.inner.get_mut());
        let span = piece.t_end - piece.t_start;
        let t = inner.eval.within(piece.state.t);
        inner.eval.dynamics().project(inner.eval.params(), t, &mut piece.state.x, &piece.state.mode);
        piece.switch.fire(guard, &inner.eval, &mut piece.guards, &mut piece.state, span, observer)
    }
}

impl PieceState {
    /// Steps until something happens.
    fn run<'p, 'd: 'p, M: Matrix<T = f64>, S: OdeSolverMethod<'p, Equations<'d, M>>>(
        &mut self,
        solver: &mut S,
        method: Method,
        budget: usize,
        observer: &mut dyn Observer,
    ) -> Result<DiffsolEnd, SolveError> {
        let before = self.statistics;
        let limit = self.t_end.min(self.next_break);
        solver.set_stop_time(limit).map_err(|e| backend(method, self.state.t, &e))?;
        let buffer = RefCell::new(solver.state().y.clone());
        let cancel = Cancel::current();
        loop {
            if cancel.is_cancelled() {
                return Err(SolveError::Cancelled { t: self.state.t });
            }
            let reason = solver.step().map_err(|e| backend(method, self.state.t, &e))?;
            self.count(solver, before);
            if self.statistics.steps + self.statistics.rejected > budget {
                return Err(SolveError::TooManySteps { t: self.state.t, t_end: self.t_end, steps: budget });
            }
            let is_last = matches!(reason, OdeSolverStopReason::TstopReached);
            let t1 = if is_last { limit } else { solver.state().t };
            copy_out(&mut *buffer.borrow_mut(), solver.state().y, &mut self.x1);
            let (t0, h) = (self.state.t, t1 - self.state.t);
            let (solver, x1) = (&*solver, &self.x1);
            let inside = |theta: f64, out: &mut [f64]| {
                let mut buffer = buffer.borrow_mut();
                let t = (t0 + theta * h).min(solver.state().t);
                match solver.interpolate_inplace(t, &mut buffer) {
                    Ok(()) => buffer.for_each_batch_host([], |y, [], _| out.copy_from_slice(y)),
                    Err(_) => out.copy_from_slice(x1),
                }
            };
            let mut ending = None;
            let mut reached = 1.0;
            let t1_seen = solver.problem().eqn.inner.borrow().eval.within(t1);
            if !self.guards.is_empty() {
                let inner = &mut *solver.problem().eqn.inner.borrow_mut();
                let end = Here { t: t1, x: x1, mode: &self.state.mode };
                inner.eval.rates(t1, x1, end.mode, &mut self.rates);
                inner.eval.ends(end, &self.rates, &mut self.guards.end);
                let at = Here { t: t0, x: &self.state.x, mode: &self.state.mode };
                let course = Course { at, h, x1, rates: [&self.rates0, &self.rates] };
                let is_suspicious = self.guards.is_suspicious(h);
                if !self.guards.is_clear(&mut inner.eval, &course) || is_suspicious {
                    let look = Look { eval: &mut inner.eval, inside: &inside, course, precision: 1e-14 };
                    match self.guards.verdict(look) {
                        GuardVerdict::Pass => {}
                        GuardVerdict::AtStart(guard) => return Ok(DiffsolEnd::Fired(guard)),
                        GuardVerdict::Inside(guard, theta, _) => {
                            (ending, reached) = (Some(DiffsolEnd::Fired(guard)), theta);
                        }
                        GuardVerdict::ClearUntil(theta) => {
                            (ending, reached) = (Some(DiffsolEnd::Limit), theta)
                        }
                    }
                }
            }
            let (t1, t1_seen) =
                if reached < 1.0 { (t0 + reached * h, t0 + reached * h) } else { (t1, t1_seen) };
            let mut x_end = vec![0.0; x1.len()];
            if reached < 1.0 {
                inside(reached, &mut x_end)
            } else {
                x_end.copy_from_slice(x1)
            };
            let by_time = |t: f64, out: &mut [f64]| inside((t - t0) / h, out);
            let mode = &self.state.mode;
            let goes_on = observer.step(&AcceptedStep {
                t0,
                t1,
                x0: &self.state.x,
                x1: &x_end,
                mode,
                t1_seen,
                inside: &by_time,
            });
            self.guards.advance(h);
            std::mem::swap(&mut self.rates0, &mut self.rates);
            self.state.t = t1;
            self.state.x.copy_from_slice(&x_end);
            if reached == 1.0 && !self.guards.is_empty() {
                let inner = solver.problem().eqn.inner.borrow();
                let at =
                    Point { t: t1_seen, x: &self.state.x, p: inner.eval.params(), mode: &self.state.mode };
                if let Some(what) = inner.eval.dynamics().violation(at, self.guards.values(), self.tolerance)
                {
                    return Err(SolveError::Violated { t: t1, what });
                }
            }
            if !goes_on {
                return Ok(DiffsolEnd::Stopped);
            }
            if let Some(ending) = ending {
                return Ok(ending);
            }
            if is_last {
                return Ok(DiffsolEnd::Limit);
            }
        }
    }

    /// Adds what the library counted in this piece.
    fn count<'p, 'd: 'p, M: Matrix<T = f64>, S: OdeSolverMethod<'p, Equations<'d, M>>>(
        &mut self,
        solver: &S,
        before: Statistics,
    ) {
        let counts = solver.get_statistics();
        let failed = counts.number_of_error_test_failures + counts.number_of_nonlinear_solver_fails;
        self.statistics.steps = before.steps + counts.number_of_steps;
        self.statistics.rejected = before.rejected + failed;
        self.statistics.factorisations = before.factorisations + counts.number_of_linear_solver_setups;
    }
}

fn copy_out<V: Vector<T = f64>>(buffer: &mut V, from: &V, out: &mut [f64]) {
    buffer.copy_from(from);
    buffer.for_each_batch_host([], |y, [], _| out.copy_from_slice(y));
}

fn backend(method: Method, t: f64, error: &DiffsolError) -> SolveError {
    SolveError::Backend { method: method.name(), t, reason: error.to_string() }
}

/// Rows and columns that can be non-zero, column by column. Quadratures of a banded system keep their diagonal alone: their
/// rows slow Newton's iteration a little and change no result.
fn pattern(jacobian: &Jacobian, dim: usize) -> Vec<(usize, usize)> {
    let coupled = jacobian.coupled();
    let mut pattern = Vec::new();
    for column in 0..dim {
        match jacobian.band() {
            Some(band) if column < coupled => {
                let first = column.saturating_sub(band.upper);
                pattern.extend((first..(column + band.lower + 1).min(coupled)).map(|row| (row, column)));
            }
            Some(_) => pattern.push((column, column)),
            None => pattern.extend((0..dim).map(|row| (row, column))),
        }
    }
    pattern
}
