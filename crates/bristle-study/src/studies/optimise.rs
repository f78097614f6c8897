//! What is best?

use crate::error::RunError;
use crate::optimise;
use crate::run::Answer;
use crate::scenario::{Scenario, Study};
use bristle_core::Card;
use bristle_mech::Spec;
use bristle_solve::Progress;

/// Finds the parameters that make something smallest, largest, or equal to a target, under constraints.
///
/// ```text
/// min f(p)  over  low ≤ p ≤ high,  g_j(p) ≤ limit_j
/// ```
///
/// Goal and constraints are responses as `vary` has them: `minimise = "value(loss.d)"`, `maximise = "value(servo.ki)"`,
/// `target = "max(block.q) = 12 m"`; `constraints = ["growth(guide.v, 5 mm/s, 200 mm/s) <= 0"]`. Where all of them are parameters or growth
/// rates of disturbances, which are smooth, the search goes along gradients (sequential quadratic programming) from the best of a
/// spread of points; elsewhere, as where motions switch, by differential evolution, which needs none and sees the whole range.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "optimise",
    entry(
        name = "over",
        names = 0,
        doc = "What is free, each between two bounds: `loss.d = 1 N s/m : 300 N s/m`, `: log` behind it for ratios."
    ),
    entry(name = "minimise", text, optional, doc = "The response that is to be smallest."),
    entry(name = "maximise", text, optional, doc = "The response that is to be largest."),
    entry(
        name = "target",
        text,
        optional,
        doc = "The response that is to have a value: `max(block.q) = 12 m`."
    ),
    entry(name = "constraints", names = 0, doc = "What must hold: `slips(pad) <= 0`."),
    entry(
        name = "of",
        text,
        optional,
        doc = "Which study of kind `simulate` is measured; the first unless given."
    )
)]
pub struct Optimise<S> {
    /// How closely the parameters are found, as a share of their ranges.
    #[param(symbol = "ε", unit = "1", default = 1e-5, min = 1e-12, max = 0.1)]
    pub accuracy: S,
    /// Most runs.
    #[param(symbol = "N", unit = "1", default = 5000, min = 10, max = 1e9, whole)]
    pub runs: S,
    /// Where random numbers begin.
    #[param(symbol = "s", unit = "1", default = 1, min = 0, max = 1e15, whole)]
    pub seed: S,
}

/// Exactly one goal is to be given.
pub(super) fn error(spec: &Spec) -> Option<(&'static str, String)> {
    let goals = ["minimise", "maximise", "target"];
    let given: Vec<&str> = goals.into_iter().filter(|goal| !spec.named(goal).is_empty()).collect();
    match given[..] {
        [_] => None,
        [] => Some(("kind", "one of `minimise`, `maximise` and `target` is to be given".to_owned())),
        _ => Some(("kind", format!("only one of `{}` can be meant", given.join("` and `")))),
    }
}

pub(super) fn answer(
    scenario: &Scenario,
    study: &Study,
    progress: &mut dyn Progress,
) -> Result<Answer, RunError> {
    optimise::answer(scenario, study, progress)
}
