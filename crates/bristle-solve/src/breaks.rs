//! Times at which rates are not smooth.

use crate::evaluator::Evaluator;

/// The next break after `t`, or infinity.
pub(crate) fn after(eval: &Evaluator, t: f64) -> f64 {
    let (dynamics, p) = (eval.dynamics(), eval.params());
    let next = |t: f64| dynamics.next_break(p, t).unwrap_or(f64::INFINITY);
    // A break found again by rounding is not a new one.
    let first = next(t);
    if first > t + 2.0 * nudge(t) { first } else { next(t + 4.0 * nudge(t)) }
}

/// Lets rates between the breaks `from` and `to` see times strictly between them only, so that a jump at a break is
/// seen from the side the step is on.
pub(crate) fn enclose(eval: &mut Evaluator, from: f64, to: f64) {
    eval.set_window((from + nudge(from), to - nudge(to)));
}

/// A few units in the last place: far enough to be on one side of a break that was computed with rounding.
fn nudge(t: f64) -> f64 {
    if t.is_finite() { 4.0 * f64::EPSILON * t.abs() } else { 0.0 }
}
