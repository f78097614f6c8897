//! Rates, exact Jacobians and guard rates of a [`Dynamics`], with all buffers made once.

use crate::duals::Duals;
use crate::energy_control::Energies;
use crate::erased::{ErasedDynamics, Held};
use crate::jacobian::Jacobian;
use crate::methods::Here;
use crate::programs::Programs;
use crate::step_end::StepEnd;
use crate::{Dynamics, Point};
use bristle_core::{Enclosure, Mode};
use bristle_tape::Bound;
use smallvec::SmallVec;
use std::sync::Arc;

/// Evaluates a [`Dynamics`], by programs where they are recorded and in plain and dual numbers elsewhere, and counts how often.
#[derive(Clone)]
pub struct Evaluator<'a> {
    dynamics: Held<'a>,
    dim: usize,
    coupled: usize,
    /// The system solves linear systems in its own way.
    is_structured: bool,
    params: Vec<f64>,
    /// The parameters as bounds.
    bounds: Vec<Enclosure>,
    /// Times are moved into this window: a rate that jumps at a break is seen from inside the step.
    window: (f64, f64),
    /// What stands for the equations once it is recorded.
    programs: Programs,
    /// Derivatives of the equations as they are written.
    duals: Duals,
    /// Evaluations of the rates in plain numbers.
    pub evaluations: usize,
    /// Evaluations of the Jacobian.
    pub jacobians: usize,
}

impl<'a> Evaluator<'a> {
    /// Prepares buffers for `dynamics` with parameters `p`.
    pub fn new<D: Dynamics>(dynamics: &'a D, p: &[f64]) -> Self {
        Self::prepared(dynamics, Held::Borrowed(dynamics), p)
    }

    /// The same for dynamics that are kept along with it.
    pub(crate) fn sharing<D: Dynamics + Send + 'static>(dynamics: Arc<D>, p: &[f64]) -> Evaluator<'static> {
        Evaluator::prepared(&*dynamics, Held::Shared(dynamics.clone()), p)
    }

    fn prepared<D: Dynamics>(dynamics: &D, held: Held<'a>, p: &[f64]) -> Self {
        let mut new = Self::holding(dynamics, held, p);
        new.is_structured = Dynamics::has_structure(dynamics);
        let is_wanted = Dynamics::recordings(dynamics).is_some() && !new.is_structured;
        new.programs = Programs::new(new.dim, is_wanted);
        if !is_wanted {
            let colours = Jacobian::count_colours(new.coupled, Dynamics::band(dynamics));
            let at = Point { t: 0.0, x: &vec![0.0; new.dim], p, mode: &[] };
            let seeds = colours + usize::from(!Dynamics::is_autonomous(dynamics));
            new.duals.prepare(&at, seeds, dynamics.guard_count());
        }
        new
    }

    /// The same for those who need every entry of the Jacobian, whatever structure it has.
    #[cfg(feature = "diffsol")]
    pub(crate) fn full<D: Dynamics>(dynamics: &'a D, p: &[f64]) -> Self {
        Self::holding(dynamics, Held::Borrowed(dynamics), p)
    }

    fn holding<D: Dynamics>(dynamics: &D, held: Held<'a>, p: &[f64]) -> Self {
        let dim = dynamics.dim();
        Evaluator {
            dynamics: held,
            dim,
            coupled: dim - dynamics.quadratures(),
            is_structured: false,
            params: p.to_vec(),
            bounds: Vec::new(),
            window: (f64::NEG_INFINITY, f64::INFINITY),
            programs: Programs::new(dim, false),
            duals: Duals::default(),
            evaluations: 0,
            jacobians: 0,
        }
    }

    /// Evaluates the equations as they are written from now on.
    pub(crate) fn without_programs(&mut self) {
        self.programs = Programs::new(self.dim, false);
    }

    /// Replaces the parameters without a new allocation.
    pub fn set_params(&mut self, p: &[f64]) {
        self.params.copy_from_slice(p);
        self.bounds.clear();
        self.programs.forget_parameters();
        self.duals.forget_parameters();
    }

    /// The dynamics.
    pub(crate) fn dynamics(&self) -> &dyn ErasedDynamics {
        &*self.dynamics
    }

    /// The parameters.
    pub fn params(&self) -> &[f64] {
        &self.params
    }

    /// Number of states.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Number of states before the quadratures.
    pub fn coupled(&self) -> usize {
        self.coupled
    }

    /// A Jacobian of the right shape.
    pub fn new_jacobian(&self) -> Jacobian {
        match self.dynamics.structure().filter(|_| self.is_structured) {
            Some(own) => Jacobian::structured(self.dim, self.coupled, own),
            None => Jacobian::new(self.dim, self.coupled, self.dynamics.band()),
        }
    }

    /// Whether the system solves linear systems in its own way.
    pub(crate) fn is_structured(&self) -> bool {
        self.is_structured
    }

    /// Sets the window times are moved into.
    pub(crate) fn set_window(&mut self, window: (f64, f64)) {
        self.window = window;
        self.programs.forget_piece();
    }

    /// The time as rates see it: on the near side of a break.
    #[inline]
    pub(crate) fn within(&self, t: f64) -> f64 {
        t.clamp(self.window.0, self.window.1)
    }

    /// A point as rates see it.
    pub(crate) fn point<'p>(&'p self, at: Here<'p>) -> Point<'p, f64> {
        Point { t: self.within(at.t), x: at.x, p: &self.params, mode: at.mode }
    }

    /// Writes `ẋ`; quadratures, on which no rate depends, may be left out of `x`.
    #[inline]
    pub fn rates(&mut self, t: f64, x: &[f64], mode: &[Mode], dx: &mut [f64]) {
        self.evaluations += 1;
        let at = Point { t: self.within(t), x: &x[..self.coupled], p: &self.params, mode };
        if !self.programs.rates(&*self.dynamics, at, dx) {
            written(&*self.dynamics, self.dim, at, dx);
        }
    }

    /// The rates in the modes of a step, for all of its stages.
    #[inline]
    pub(crate) fn rates_over<'e>(&'e mut self, at: Here<'e>) -> StageRates<'e> {
        let (window, coupled, p) = (self.window, self.coupled, &self.params);
        let point = Point { t: self.within(at.t), x: &at.x[..coupled], p, mode: at.mode };
        let count = &mut self.evaluations;
        let source = match self.programs.bound(&*self.dynamics, point) {
            Some(program) => RateSource::Program(program),
            None => RateSource::Written { dynamics: &*self.dynamics, p, mode: at.mode, dim: self.dim },
        };
        StageRates { source, window, coupled, count }
    }

    /// Writes the guards.
    pub fn guards(&mut self, t: f64, x: &[f64], mode: &[Mode], g: &mut [f64]) {
        let at = Point { t: self.within(t), x, p: &self.params, mode };
        if !self.programs.guards(&*self.dynamics, at, g) {
            self.dynamics.guards_plain(at, g);
        }
    }

    /// Bounds the guards and their rates over the time `t`, for states known to lie within `over`, in the modes of a step from
    /// `at`. The first of `over` is the time's place.
    pub(crate) fn guards_over(&mut self, at: Here, t: [f64; 2], over: &mut [Enclosure], g: &mut [Enclosure]) {
        let t = [self.within(t[0]), self.within(t[1])];
        // The length may be rounded down.
        let span = (t[1] - t[0]) * (1.0 + 4.0 * f64::EPSILON);
        over[0] = Enclosure::over(t, [1.0, 1.0], [t[0], t[0]], span);
        let point = Point { t: self.within(at.t), x: at.x, p: self.params.as_slice(), mode: at.mode };
        if self.programs.guards_over(&*self.dynamics, point, over, g) {
            return;
        }
        if self.bounds.is_empty() {
            self.bounds.extend(self.params.iter().map(|&value| Enclosure::from(value)));
        }
        self.dynamics.guards_over(Point { t: over[0], x: &over[1..], p: &self.bounds, mode: at.mode }, g);
    }

    /// The energies, if the system has any.
    pub(crate) fn energies(&self, at: Here) -> Option<Energies> {
        self.dynamics.energies(self.point(at))
    }

    /// Evaluates the guards, their time derivatives along the direction `dx`, and the energies.
    pub(crate) fn ends(&mut self, at: Here, dx: &[f64], end: &mut StepEnd) {
        let at = Point { t: self.within(at.t), x: at.x, p: self.params.as_slice(), mode: at.mode };
        if self.programs.ends(&*self.dynamics, at, dx, end) {
            return;
        }
        if !end.g.is_empty() {
            self.duals.guard_rates(&*self.dynamics, at, dx, &mut end.g, &mut end.dg);
        }
        end.energies = self.dynamics.energies(at);
    }

    /// Writes the guards and their time derivatives along the direction `dx`.
    pub fn guard_rates(
        &mut self,
        t: f64,
        x: &[f64],
        dx: &[f64],
        mode: &[Mode],
        g: &mut [f64],
        dg: &mut [f64],
    ) {
        let mut end = StepEnd::new(g.len());
        self.ends(Here { t, x, mode }, dx, &mut end);
        g.copy_from_slice(&end.g);
        dg.copy_from_slice(&end.dg);
    }

    /// Writes `(∂f/∂x) v` for a direction `v` of the coupled states, quadrature rows only.
    pub(crate) fn quadrature_slope(&mut self, at: Here, v: &[f64], out: &mut [f64]) {
        let at = Point { t: self.within(at.t), x: at.x, p: self.params.as_slice(), mode: at.mode };
        if !self.programs.quadrature_slopes(&*self.dynamics, at, v, out) {
            self.duals.quadrature_slope(&*self.dynamics, at, v, self.coupled, out);
        }
    }

    /// Writes `ẋ`, `∂f/∂x` and `∂f/∂t`, all exact.
    ///
    /// An entry that is not finite (the slope of a root at zero) counts as zero: the error control of the step judges the
    /// consequence.
    pub fn jacobian(&mut self, t: f64, x: &[f64], mode: &[Mode], jacobian: &mut Jacobian, dx: &mut [f64]) {
        let mut end = StepEnd::new(self.dynamics.guard_count());
        self.linearise(Here { t, x, mode }, jacobian, dx, &mut end);
    }

    /// The same with guards, their rates and energies.
    pub(crate) fn linearise(&mut self, at: Here, jacobian: &mut Jacobian, dx: &mut [f64], end: &mut StepEnd) {
        self.jacobians += 1;
        let point = Point { t: self.within(at.t), x: at.x, p: self.params.as_slice(), mode: at.mode };
        if let Some((own, slopes)) = jacobian.structure_mut() {
            own.linearise(point, dx, slopes);
            if !end.g.is_empty() {
                own.guard_rates(point, dx, &mut end.g, &mut end.dg);
            }
            end.energies = self.dynamics.energies(point);
            return jacobian.keep_finite();
        }
        if self.programs.linearise(&*self.dynamics, point, jacobian, dx, end) {
            return;
        }
        self.duals.jacobian(&*self.dynamics, point, jacobian, dx);
        self.ends(at, dx, end);
    }
}

/// The rates in one set of modes.
pub(crate) struct StageRates<'e> {
    source: RateSource<'e>,
    window: (f64, f64),
    coupled: usize,
    count: &'e mut usize,
}

enum RateSource<'e> {
    Program(Bound<'e>),
    Written { dynamics: &'e dyn ErasedDynamics, p: &'e [f64], mode: &'e [Mode], dim: usize },
}

impl StageRates<'_> {
    /// Writes `ẋ`.
    #[inline(always)]
    pub fn at(&mut self, t: f64, x: &[f64], dx: &mut [f64]) {
        *self.count += 1;
        let t = t.clamp(self.window.0, self.window.1);
        match &mut self.source {
            RateSource::Program(program) => {
                program.set(0, &[t]);
                program.set(1, &x[..self.coupled]);
                program.run(dx);
            }
            RateSource::Written { dynamics, p, mode, dim } => {
                written(*dynamics, *dim, Point { t, x, p, mode }, dx);
            }
        }
    }

    /// The rates of the `N` states before the quadratures; writes those of the quadratures.
    #[inline(always)]
    pub fn of<const N: usize>(&mut self, t: f64, x: &[f64; N], quadratures: &mut [f64]) -> [f64; N] {
        *self.count += 1;
        let t = t.clamp(self.window.0, self.window.1);
        match &mut self.source {
            RateSource::Program(program) => program.run_at(t, x, quadratures),
            RateSource::Written { dynamics, p, mode, dim } => {
                let at = Point { t, x: x.as_slice(), p, mode };
                if N == *dim {
                    let mut rates = [0.0; N];
                    dynamics.rates_in(at, &mut rates);
                    return rates;
                }
                let mut rates: SmallVec<[f64; 24]> = SmallVec::from_elem(0.0, *dim);
                written(*dynamics, *dim, at, &mut rates);
                quadratures.copy_from_slice(&rates[N..]);
                rates.first_chunk().copied().unwrap_or([f64::NAN; N])
            }
        }
    }
}

/// Evaluates the equations as they are written; quadratures may be left out of the states.
fn written(dynamics: &dyn ErasedDynamics, dim: usize, at: Point<f64>, dx: &mut [f64]) {
    if at.x.len() == dim {
        return dynamics.rates_in(at, dx);
    }
    let mut x: SmallVec<[f64; 24]> = SmallVec::from_slice(at.x);
    x.resize(dim, 0.0);
    dynamics.rates_in(Point { x: &x, ..at }, dx);
}
