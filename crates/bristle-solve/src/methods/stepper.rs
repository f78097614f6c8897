//! One step of whichever method is at work.

use super::adams::Multistep;
use super::explicit::{self, Explicit};
use super::rosenbrock::{RosenbrockWorkspace, Scheme};
use super::{Attempt, Here, Method, dop853, dopri5};
use crate::evaluator::Evaluator;
use crate::step_end::StepEnd;

/// The methods a run can use, and which of them is at work.
///
/// A fixed method fills one of the places, `auto` the implicit and the explicit one.
#[derive(Clone)]
pub(crate) struct Stepper {
    pub implicit: Option<RosenbrockWorkspace>,
    pub explicit: Option<Explicit>,
    /// The method with a memory; it works alone.
    multistep: Option<Multistep>,
    pub is_explicit: bool,
}

/// Below this relative tolerance order 8 pays.
const TIGHT: f64 = 3e-6;

impl Stepper {
    pub(crate) fn new(method: Method, rtol: f64, eval: &Evaluator) -> Self {
        let implicit = |scheme: Scheme| Some(RosenbrockWorkspace::new(scheme, eval));
        let explicit = |table: &'static explicit::ExplicitTable| Some(Explicit::new(table, eval));
        let multistep = (method == Method::Adams).then(|| Multistep::new(eval));
        let (implicit, explicit) = match method {
            // Kinks of many contacts favour the lower order.
            Method::Auto if eval.is_structured() => (implicit(Scheme::Rodas4), None),
            Method::Adams => (None, None),
            Method::Rodas4 => (implicit(Scheme::Rodas4), None),
            Method::Rodas5p => (implicit(Scheme::Rodas5p), None),
            Method::Dopri5 => (None, explicit(&dopri5::TABLE)),
            Method::Dop853 => (None, explicit(&dop853::TABLE)),
            _ if rtol < TIGHT => (implicit(Scheme::Rodas5p), explicit(&dop853::TABLE)),
            _ => (implicit(Scheme::Rodas5p), explicit(&dopri5::TABLE)),
        };
        let is_explicit = implicit.is_none();
        Stepper { implicit, explicit, multistep, is_explicit }
    }

    /// Whether the implicit method is the one `auto` begins with.
    pub(crate) fn is_usual(&self) -> bool {
        self.implicit.as_ref().is_none_or(|i| i.scheme() == Scheme::Rodas5p)
    }

    /// Takes the other implicit scheme; the next step starts anew.
    pub(crate) fn change_scheme(&mut self, eval: &Evaluator) {
        let other = if self.is_usual() { Scheme::Rodas4 } else { Scheme::Rodas5p };
        let factorisations = self.factorisations();
        let mut implicit = RosenbrockWorkspace::new(other, eval);
        implicit.factorisations = factorisations;
        (self.implicit, self.is_explicit) = (Some(implicit), false);
    }

    /// The one-step method at work, exactly one of the two unless the method has a memory.
    #[inline]
    fn active(&mut self) -> (Option<&mut Explicit>, Option<&mut RosenbrockWorkspace>) {
        if self.is_explicit { (self.explicit.as_mut(), None) } else { (None, self.implicit.as_mut()) }
    }

    pub(crate) fn error_power(&self) -> f64 {
        if let Some(m) = &self.multistep {
            return m.error_power();
        }
        match (self.is_explicit, &self.explicit, &self.implicit) {
            (true, Some(e), _) => e.error_power(),
            (false, _, Some(i)) => i.error_power(),
            _ => 1.0,
        }
    }

    /// Evaluates where a step begins.
    pub(crate) fn start(&mut self, eval: &mut Evaluator, at: Here, end: &mut StepEnd) {
        match (&mut self.multistep, self.is_explicit, &mut self.explicit, &mut self.implicit) {
            (Some(m), ..) => m.start(eval, at),
            (_, true, Some(e), _) => e.start(eval, at),
            (_, false, _, Some(i)) => return i.start(eval, at, end),
            _ => {}
        }
        eval.ends(at, self.start_rates(), end);
    }

    #[inline]
    pub(crate) fn attempt(&mut self, eval: &mut Evaluator, step: Attempt) -> f64 {
        if let Some(m) = &mut self.multistep {
            return m.attempt(eval, step);
        }
        match self.active() {
            (Some(e), _) => e.attempt(eval, step),
            (_, Some(i)) => i.attempt(eval, step),
            _ => f64::NAN,
        }
    }

    /// Evaluates the end of an acceptable step.
    pub(crate) fn finish(&mut self, eval: &mut Evaluator, at: Here, end: &mut StepEnd) {
        match (&mut self.multistep, self.is_explicit, &mut self.implicit) {
            (Some(m), ..) => m.finish(eval, at),
            (_, false, Some(i)) => return i.finish(eval, at, end),
            _ => {}
        }
        eval.ends(at, self.end_rates(), end);
    }

    /// The same for a step that may be repeated: without a Jacobian.
    pub(crate) fn peek(&mut self, eval: &mut Evaluator, at: Here, end: &mut StepEnd) {
        match (&mut self.multistep, self.is_explicit, &mut self.implicit) {
            (Some(m), ..) => m.finish(eval, at),
            (_, false, Some(i)) => i.peek(eval, at),
            _ => {}
        }
        eval.ends(at, self.end_rates(), end);
    }

    pub(crate) fn advance(&mut self) {
        if let Some(m) = &mut self.multistep {
            return m.advance();
        }
        match self.active() {
            (Some(e), _) => e.advance(),
            (_, Some(i)) => i.advance(),
            _ => {}
        }
    }

    /// The longest step that does not hide growth: an implicit step damps what it passes over, growth included, and its error
    /// estimate with it. The stability function has a pole at `h λ = 1/γ`, near four.
    pub(crate) fn longest(&self) -> f64 {
        match &self.implicit {
            Some(i) if !self.is_explicit => 2.0 / i.jacobian().largest_diagonal(),
            _ => f64::INFINITY,
        }
    }

    pub(crate) fn start_rates(&self) -> &[f64] {
        if let Some(m) = &self.multistep {
            return m.start_rates();
        }
        match (self.is_explicit, &self.explicit, &self.implicit) {
            (true, Some(e), _) => e.start_rates(),
            (false, _, Some(i)) => i.start_rates(),
            _ => &[],
        }
    }

    pub(crate) fn end_rates(&self) -> &[f64] {
        if let Some(m) = &self.multistep {
            return m.end_rates();
        }
        match (self.is_explicit, &self.explicit, &self.implicit) {
            (true, Some(e), _) => e.end_rates(),
            (false, _, Some(i)) => i.end_rates(),
            _ => &[],
        }
    }

    pub(crate) fn prepare_dense(&mut self, eval: &mut Evaluator, at: Here, x1: &[f64]) {
        match self.active() {
            (Some(e), _) => e.prepare_dense(eval, at, x1),
            (_, Some(i)) => i.prepare_dense(),
            _ => {}
        }
    }

    pub(crate) fn interpolate(&self, theta: f64, x0: &[f64], x1: &[f64], out: &mut [f64]) {
        if let Some(m) = &self.multistep {
            return m.interpolate(theta, x0, x1, out);
        }
        match (self.is_explicit, &self.explicit, &self.implicit) {
            (true, Some(e), _) => e.interpolate(theta, x0, out),
            (false, _, Some(i)) => i.interpolate(theta, x0, x1, out),
            _ => {}
        }
    }

    pub(crate) fn factorisations(&self) -> usize {
        self.implicit.as_ref().map_or(0, |i| i.factorisations)
    }
}
