//! What do motions settle to, over a parameter and from several starts?

mod onset;
mod show;
pub(crate) mod store;

pub use show::fate;

use super::subject::{Subject, View, say, with_unit};
use crate::analysis::{self, ParamPlace};
use crate::error::RunError;
use crate::run::Answer;
use crate::scenario::{Scenario, Study};
use bristle_analysis::AnalysisError;
use bristle_analysis::attractor::{Fate, Patience};
use bristle_analysis::map::MapAxis;
use bristle_analysis::shooting::Shooting;
use bristle_analysis::sweep::{ParameterSweep, Survey, SweepCell};
use bristle_core::Card;
use bristle_mech::Spec;
use bristle_record::{Data, Fact, Section, Tone};
use bristle_solve::Cancel;
use bristle_solve::Progress;
use std::sync::mpsc;
use store::CellStore;

/// Watches what motions settle to over a parameter, from several starts and along rising and falling values.
///
/// ```text
/// ξ → P(ξ) again and again: rest, a period of n returns, or chaos with the leading Lyapunov exponent
/// ```
///
/// A motion that does not return within the limit is at rest, slides on steadily or runs away; which, its rates say.
/// At every value the motion starts near the steady state, carried along by the fastest drive, and as the scenario
/// says; two chains carry the end of one value to the next. Where one start comes to rest and another vibrates for
/// ever the range is bistable. Cells run on all cores and do not depend on their number. With `store` finished cells
/// are kept in a file of their own, and an interrupted sweep goes on from there; a file that is something else is refused.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "sweep",
    entry(name = "parameter", text, doc = "Path of the parameter, such as `belt.v`."),
    entry(name = "from", text, doc = "First value, with its unit."),
    entry(name = "to", text, doc = "Last value, with its unit."),
    entry(
        name = "section",
        text,
        optional,
        doc = "State whose fall through zero marks a return; the integral of a controller or the first body's velocity unless given."
    ),
    entry(
        name = "multiplicities",
        numbers = "1",
        optional,
        doc = "Returns per period of the cycles, stable or not, also looked for at every value; none unless given."
    ),
    entry(
        name = "store",
        text,
        optional,
        doc = "File for finished cells; an interrupted sweep goes on from it."
    )
)]
pub struct Sweep<S> {
    /// Number of values.
    #[param(symbol = "N", unit = "1", default = 25, min = 2, max = 1e5, whole)]
    pub points: S,
    /// Returns that are let pass.
    #[param(symbol = "n_0", unit = "1", default = 200, min = 1, max = 1e6, whole)]
    pub transient: S,
    /// Returns that are then looked at.
    #[param(symbol = "n", unit = "1", default = 48, min = 4, max = 1e5, whole)]
    pub window: S,
    /// Returns over which the Lyapunov exponent of a motion without period is taken.
    #[param(symbol = "n_λ", unit = "1", default = 100, min = 0, max = 1e6, whole)]
    pub lyapunov: S,
    /// Longest wait for a return.
    #[param(symbol = "T", unit = "s", default = 100, min = 1e-9, max = 1e9)]
    pub limit: S,
    /// Relative tolerance of the integration.
    #[param(symbol = "rtol", unit = "1", default = 1e-8, min = bristle_solve::Solver::RTOL[0], max = 1e-3)]
    pub rtol: S,
}

pub(super) fn error(spec: &Spec) -> Option<(&'static str, String)> {
    super::multiplicities(spec)
}

pub(super) fn answer(
    scenario: &Scenario,
    study: &Study,
    progress: &mut dyn Progress,
) -> Result<Answer, RunError> {
    let view = View::of(scenario);
    let subject = Subject::new(scenario, study, &view)?;
    let (place, range) = subject.range(["parameter", "from", "to"])?;
    let values = MapAxis::linear(range.parameter, range.from, range.to, subject.count("points")).values;
    let starts = starts(&subject, place.index, &values)?;
    let mut base = Shooting { limit: subject.number("limit"), ..Shooting::rough() };
    base.solver.rtol = subject.number("rtol");
    base.solver.atol = base.solver.rtol;
    let mut p = subject.p.clone();
    p[place.index] = values[values.len() / 2];
    let map = subject.returns(&p, &starts[0], base)?;
    let job = ParameterSweep {
        parameter: place.index,
        values,
        starts,
        up: true,
        down: true,
        patience: Patience {
            transient: subject.count("transient"),
            window: subject.count("window"),
            lyapunov: subject.count("lyapunov"),
            ..Patience::default()
        },
        orbits: study.spec.list("multiplicities").iter().map(|n| *n as usize).collect(),
    };
    let (survey, store) = run(&subject, &map, &job, progress)?;
    let mut section =
        Section { heading: format!("Sweep over `{}` ({})", place.path, study.name), blocks: Vec::new() };
    section.push(show::diagram(&subject, &place, &survey));
    section.push(show::returns_plot(&subject, &place, &survey));
    section.push(show::table(&place, &survey));
    section.blocks.extend(show::orbit_table(&place, &survey).map(Into::into));
    let stopped_early = !survey.is_complete;
    let mut facts = facts(&place, &survey);
    if !stopped_early {
        let onset = onset::facts(&subject, &place, &map, &job, &survey);
        facts.splice(0..0, onset);
    }
    Ok(Answer {
        facts,
        sections: vec![section],
        data: data(&place, &survey),
        stopped_early,
        store: store.filter(|_| !stopped_early),
        ..Answer::default()
    })
}

/// Refuses a store that is something else, before any work is done.
pub(super) fn obstacle(study: &Study) -> Option<RunError> {
    let path = study.spec.named("store").first()?;
    store::check(path.as_ref()).err().map(|source| unwritable(path, &source))
}

fn unwritable(path: &str, source: &std::io::Error) -> RunError {
    RunError::Store { path: path.to_owned(), reason: bristle_scenario::file::reason(source) }
}

/// Carried along by the fastest drive, a small kick off the steady state, the scenario's own start.
fn starts(subject: &Subject, parameter: usize, values: &[f64]) -> Result<Vec<Vec<f64>>, RunError> {
    let mut p = subject.p.clone();
    let mut fastest: f64 = 0.0;
    for &value in values {
        p[parameter] = value;
        // A run from a shape of other parameters would not tell that these make no cable.
        if let Some(source) = subject.system.cable_fault(&p) {
            return Err(RunError::Parameters { source });
        }
        let speed = subject.drive_speed(&p);
        if speed.abs() > fastest.abs() {
            fastest = speed;
        }
    }
    p[parameter] = values[values.len() / 2];
    let own = subject.system.initial(&p).x;
    let rest = analysis::beginning(subject.system, &p).map_or_else(|_| own.clone(), |s| s.x);
    let (q, ..) = subject.shown();
    let mut near = rest.clone();
    near[q] += 1e-2 * rest[q].abs().max(1e-3);
    Ok(vec![subject.carried(&p, &rest, fastest), near, own])
}

/// Runs the job on all cores while this thread tells how far it is and listens for a stop; also gives the store, if
/// there is one.
fn run(
    subject: &Subject,
    map: &analysis::Returns,
    job: &ParameterSweep,
    progress: &mut dyn Progress,
) -> Result<(Survey, Option<CellStore>), RunError> {
    let path = subject.study.spec.named("store").first().cloned();
    let fail = |source| unwritable(path.as_deref().unwrap_or_default(), &source);
    let store = path.as_ref().map(|path| CellStore::new(path, store::key(subject, job)));
    let done = store.as_ref().map(CellStore::read).transpose().map_err(fail)?.unwrap_or_default();
    let keeper = store.as_ref().map(CellStore::open).transpose().map_err(fail)?;
    let total = job.values.len() * (job.starts.len() + 2);
    let cancel = Cancel::default();
    let (tell, told) = mpsc::channel::<()>();
    let tell = std::sync::Mutex::new(tell);
    let survey = std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let each = |cell: &SweepCell| {
                if let Some(keeper) = &keeper {
                    keeper.keep(cell);
                }
                if let Ok(tell) = tell.lock() {
                    let _ = tell.send(());
                }
                !cancel.is_cancelled()
            };
            cancel.scope(|| analysis::sweep(map, &subject.p, job, &done, &each))
        });
        let mut finished = done.len();
        while !worker.is_finished() {
            if told.recv_timeout(std::time::Duration::from_millis(100)).is_ok() {
                finished += 1;
            }
            if !progress.at(finished as f64 / total as f64) || Cancel::check().is_err() {
                cancel.cancel();
            }
        }
        worker.join().unwrap_or(Err(AnalysisError::Singular))
    });
    Ok((survey.map_err(|e| subject.fail(e))?, store))
}

fn facts(place: &ParamPlace, survey: &Survey) -> Vec<Fact> {
    let mut facts = Vec::new();
    let bands = survey.bistable();
    for band in &bands {
        let words = format!(
            "from {} to {}: the start decides whether it comes to rest there or vibrates for ever",
            with_unit(band.from, &place.unit),
            with_unit(band.to, &place.unit)
        );
        facts.push(Fact::verdict("two attractors", words, Tone::Bad));
    }
    if bands.is_empty() {
        let (words, tone) = show::census(survey);
        facts.push(Fact::verdict(format!("motions over `{}`", place.path), words, tone));
    }
    facts.extend(show::away(place, survey));
    let is_chaotic = |c: &&SweepCell| matches!(c.attractor.fate, Fate::Chaotic { .. });
    let chaotic: Vec<f64> = survey.cells.iter().filter(is_chaotic).map(|c| c.value).collect();
    if !chaotic.is_empty() {
        let low = chaotic.iter().copied().fold(f64::INFINITY, f64::min);
        let high = chaotic.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let words =
            format!("{} cells between {} and {}", chaotic.len(), say(low), with_unit(high, &place.unit));
        facts.push(Fact::new("chaotic motion", words));
    }
    facts.push(Fact::new("cells computed", survey.cells.len() as f64));
    facts
}

fn data(place: &ParamPlace, survey: &Survey) -> Data {
    let mut data = Data::default();
    let of = |f: &dyn Fn(&SweepCell) -> f64| survey.cells.iter().map(f).collect::<Vec<_>>();
    data.push(&place.path, &place.unit, of(&|c| c.value));
    data.push(
        "multiplicity",
        "1",
        of(&|c| match c.attractor.fate {
            Fate::Periodic { multiplicity } => multiplicity as f64,
            Fate::Rest | Fate::Sliding { .. } => 0.0,
            _ => f64::NAN,
        }),
    );
    data.push("mean_return", "s", of(&|c| c.attractor.mean_return));
    data.push("min_return", "s", of(&|c| c.attractor.min_return));
    data.push("max_return", "s", of(&|c| c.attractor.max_return));
    data
}
