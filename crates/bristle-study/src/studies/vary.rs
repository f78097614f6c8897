//! What do many variants do?

use crate::error::RunError;
use crate::run::Answer;
use crate::scenario::{Scenario, Study};
use crate::vary::{self, VaryOptions};
use bristle_core::{Card, Choice};
use bristle_solve::Progress;

/// Runs many variants of the scenario and lays what they do side by side.
///
/// ```text
/// y_i = response(scenario with p_i),   p_i from a grid, a list, or drawn from distributions;   Sobol: S_i, T_i;   Morris: μ*_i, σ_i
/// ```
///
/// `over` says what varies: `belt.v = 0.2 m/s : 0.6 m/s : 41` (even steps), `tie.k = [8 N/m, 10 N/m]`, or a distribution such as
/// `pad.law.mu_s = normal(0.6, 0.05)`, `lognormal(median, s)`, `uniform(a, b)`, `triangular(a, mode, b)`. `responses` says what is
/// asked of every run: `max(block.q)`, `rms(block.v, 10 s, 20 s)`, `settling(stage.q)`, `end(energy.loss)`, `at(block.q, 5 s)`,
/// `slips(pad)`, `switches()`, `growth()` of disturbances of steady motion, or any `fact(study.name)`. A run that fails is a row with its
/// reason. Every run depends on its index and the seed alone: threads, shards and machines change nothing.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "vary",
    entry(name = "over", names = 0, doc = "What varies: a path, `=`, and values or a distribution."),
    entry(
        name = "responses",
        names = 0,
        doc = "What is asked of every run; slips, extremes and losses unless given."
    ),
    entry(
        name = "events",
        names = 0,
        doc = "What happens or does not, such as `slips(pad) > 0`: how often, with an interval."
    ),
    entry(name = "bands", names = 0, doc = "Outputs whose histories are drawn as bands of percentiles."),
    entry(
        name = "covariance",
        text,
        optional,
        doc = "Table of estimates and their covariance, as a fit gives it: these parameters vary together."
    ),
    entry(
        name = "of",
        text,
        optional,
        doc = "Which study of kind `simulate` is measured; the first unless given."
    ),
    entry(
        name = "store",
        text,
        optional,
        doc = "Folder for finished runs; an interrupted study goes on from it."
    ),
    entry(name = "local", flag, doc = "Whether derivatives at the scenario's own values are told as well.")
)]
pub struct Vary<S> {
    /// How many: draws of a sample, base points of Saltelli's scheme, or paths of Morris's; 1000, 512 or 40 unless given.
    #[param(symbol = "N", unit = "1", default = f64::NAN, min = 1, max = 1e15, whole)]
    pub runs: S,
    /// Where random numbers begin.
    #[param(symbol = "s", unit = "1", default = 1, min = 0, max = 1e15, whole)]
    pub seed: S,
    /// How points are chosen.
    #[choice("grid", "list", "random", "latin", "sobol", "saltelli", "morris")]
    pub design: Choice,
}

pub(super) fn answer(
    scenario: &Scenario,
    study: &Study,
    progress: &mut dyn Progress,
) -> Result<Answer, RunError> {
    let store = study.spec.named("store").first().map(Into::into);
    vary::answer(scenario, study, &VaryOptions { store, ..VaryOptions::default() }, progress)
}
