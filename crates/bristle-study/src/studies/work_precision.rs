//! What does accuracy cost?

use crate::error::RunError;
use crate::run::Answer;
use crate::scenario::{Scenario, Study};
use crate::studies::simulate::{column, observe};
use bristle_core::Card;
use bristle_law::{At, LawKind};
use bristle_mech::{Spec, System};
use bristle_record::{Axis, Cell, Data, Fact, Line, Plot, PlotGrid, Scatter, Section, Table, Tone};
use bristle_solve::Progress;
use bristle_solve::{Cancel, Dynamics, Method, Output, Samples, SolveError, Solver, Statistics};
use std::time::Instant;

/// Weighs the methods against each other: error against work.
///
/// ```text
/// error = max over time and bodies of |q − q_reference| / range of q_reference
/// work  = rate evaluations + states × Jacobians
/// ```
///
/// Runs every method at every tolerance, under the scenario's law or several, and compares with a run at the
/// tightest tolerance. A run that ends more than 1 % off is wrong (×), one that does not end has failed (!).
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "work_precision",
    entry(name = "tolerances", numbers = "1", optional, doc = "Tolerances; 1e-3 to 1e-10 unless given."),
    entry(name = "methods", names = 0, doc = "Methods; all unless given."),
    entry(name = "laws", names = 0, doc = "Friction laws to run under; the scenario's own unless given.")
)]
pub struct WorkPrecision<S> {
    /// How long to run.
    #[param(symbol = "T", unit = "s", min = 1e-9, max = 1e9)]
    pub duration: S,
    /// The error at which the methods are compared.
    #[param(symbol = "ε", unit = "1", default = 1e-6, min = 1e-12, max = 0.1)]
    pub accuracy: S,
}

/// The tolerances tried where none are given.
pub const TOLERANCES: [f64; 8] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10];

/// A run further off than this, relative to the range of motion, is wrong rather than inaccurate.
pub const WRONG: f64 = 0.01;

/// Each run is timed so often, all others in between, and its shortest time counts: other work on the machine comes and goes.
const ROUNDS: usize = 3;

/// Within a round, runs shorter than these seconds are timed several times.
const BRIEF: f64 = 5e-3;

/// Runs that take longer than these seconds are timed once.
const SHORT: f64 = 0.05;

/// More steps than this count as failure.
const MOST_STEPS: usize = 500_000;

/// Tolerance of the reference.
const REFERENCE: f64 = 1e-12;

/// The same with cables, whose elements ring.
const REFERENCE_OF_ROPES: f64 = 1e-7;

fn reference(system: &System) -> f64 {
    if system.has_ropes() { REFERENCE_OF_ROPES } else { REFERENCE }
}

/// A reference run is looked at so often for a resting contact that carries more than its limit.
const LOOKS: u32 = 20_000;

/// By how much a resting contact may exceed its limit, relative: rounding, and the width of a switch.
const OVER: f64 = 1e-6;

/// Refuses a run in which a contact that sticks carries more than its limit.
fn overload(data: &Data, system: &System) -> Result<(), RunError> {
    for contact in system.contacts() {
        let of = |name: &str| column(data, &format!("{}.{name}", contact.name));
        let law = contact.law(system.params());
        let states: Vec<&[f64]> = contact.kind.card().states.iter().map(|s| of(s.name)).collect();
        let (t, mode, force, load) = (column(data, "time"), of("mode"), of("force"), of("load"));
        for i in 0..t.len() {
            let z: Vec<f64> = states.iter().map(|s| s[i]).collect();
            let Some(limit) = law.limit(&At::sliding(0.0, load[i]), &z) else { break };
            // Both sides of a switch are there; the one before it stands at the limit.
            let is_switch = t.get(i + 1) == Some(&t[i]) || i > 0 && t[i - 1] == t[i];
            if mode[i] == 0.0 && !is_switch && force[i].abs() > limit * (1.0 + OVER) {
                return Err(RunError::Reference {
                    contact: contact.name.clone(),
                    t: t[i],
                    force: force[i].abs(),
                    limit,
                });
            }
        }
    }
    Ok(())
}

/// The motion all runs are compared with.
#[derive(Clone, Debug)]
pub struct Benchmark<'a> {
    system: &'a System,
    duration: f64,
    times: Vec<f64>,
    places: Vec<usize>,
    positions: Vec<f64>,
    range: f64,
}

/// One run of one method at one tolerance.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The method.
    pub method: Method,
    /// Relative and scaled absolute tolerance.
    pub tolerance: f64,
    /// Largest error over time, relative to the range of motion; NaN for a run that failed.
    pub error: f64,
    /// Rate evaluations, a Jacobian counting as one per state.
    pub work: usize,
    /// What it cost in detail.
    pub statistics: Statistics,
    /// Wall-clock time, s.
    pub seconds: f64,
    /// Why it failed, if it did.
    pub failure: Option<String>,
    /// Whether it was cut short from outside.
    pub is_cancelled: bool,
}

impl Trial {
    /// Whether it ended near the reference.
    pub fn is_right(&self) -> bool {
        self.error <= WRONG
    }

    /// Nothing for a right answer, `x` for a wrong one, `!` for none.
    pub fn flag(&self) -> &'static str {
        match (&self.failure, self.is_right()) {
            (Some(_), _) => "!",
            (None, true) => "",
            (None, false) => "x",
        }
    }
}

/// The rows at the given rising times. Switches leave rows of their own, which are passed over.
pub fn rows_at(samples: &Samples, times: &[f64]) -> Vec<usize> {
    let mut next = 0;
    let mut rows = Vec::with_capacity(times.len());
    for (i, t) in samples.t.iter().enumerate() {
        if times.get(next) == Some(t) {
            rows.push(i);
            next += 1;
        }
    }
    rows
}

impl<'a> Benchmark<'a> {
    /// Runs the reference: the default method at 10⁻¹², with cables at 10⁻⁷.
    pub fn new(system: &'a System, duration: f64) -> Result<Benchmark<'a>, SolveError> {
        let times: Vec<f64> = (1..=200).map(|i| duration * f64::from(i) / 200.0).collect();
        let contacts: Vec<&str> = system.contacts().iter().map(|c| c.name.as_str()).collect();
        let is_position = |i: &usize| {
            let name = system.state_name(*i);
            let Some((part, letter)) = name.rsplit_once('.') else { return false };
            matches!(letter, "q" | "y") && !contacts.contains(&part)
        };
        let mut places: Vec<usize> = (0..system.dim() - system.quadratures()).filter(is_position).collect();
        places.extend(system.rope_places());
        places.sort_unstable();
        places.dedup();
        let mut benchmark = Benchmark { system, duration, times, places, positions: Vec::new(), range: 1.0 };
        benchmark.positions = benchmark.positions(&Solver::with_tolerance(reference(system)))?.0;
        let count = benchmark.places.len();
        let p = system.params();
        let start = system.initial(p).x;
        let mut range: f64 = 0.0;
        for (k, place) in benchmark.places.iter().enumerate() {
            let all = benchmark.positions.iter().skip(k).step_by(count).chain([&start[*place]]);
            let (low, high) =
                all.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), q| (l.min(*q), h.max(*q)));
            range = range.max(high - low);
        }
        benchmark.range = if range > 0.0 { range } else { 1.0 };
        Ok(benchmark)
    }

    /// Runs the reference and makes sure of it: another method at another tolerance comes out alike, and no resting contact
    /// carries more than its limit at any of many instants. Also gives how far apart the two are, relative to the motion.
    ///
    /// # Errors
    /// [`RunError::Reference`] where a contact is overloaded: a run that missed a slip is no reference.
    pub fn confirmed(system: &'a System, duration: f64) -> Result<(Benchmark<'a>, f64), RunError> {
        let error = |source| RunError::Solve { study: "reference run".to_owned(), source };
        let benchmark = Benchmark::new(system, duration).map_err(error)?;
        if system.has_ropes() {
            let other = benchmark.trial(Method::Rodas5p, reference(system));
            return Ok((benchmark, if other.error.is_nan() { f64::INFINITY } else { other.error }));
        }
        let p = system.params();
        let output = Output::Grid { step: duration / f64::from(LOOKS) };
        let solver = Solver::with_tolerance(REFERENCE);
        let run = solver.run(system, p, system.initial(p), duration, &output, &mut ()).map_err(error)?;
        overload(&observe(system, p, &run), system)?;
        let other = benchmark.trial(Method::Dop853, 10.0 * REFERENCE);
        let other =
            if other.failure.is_some() { benchmark.trial(Method::Rodas5p, 10.0 * REFERENCE) } else { other };
        Ok((benchmark, if other.error.is_nan() { f64::INFINITY } else { other.error }))
    }

    /// How far the body moves that moves farthest.
    pub fn range(&self) -> f64 {
        self.range
    }

    fn positions(&self, solver: &Solver) -> Result<(Vec<f64>, Statistics), SolveError> {
        let p = self.system.params();
        let output = Output::Times(self.times.clone());
        let run = solver.run(self.system, p, self.system.initial(p), self.duration, &output, &mut ())?;
        let rows = rows_at(&run.samples, &self.times).into_iter().flat_map(|i| {
            let row = run.samples.row(i);
            self.places.iter().map(|&place| row[place]).collect::<Vec<_>>()
        });
        Ok((rows.collect(), run.statistics))
    }

    /// Runs one method at one tolerance.
    pub fn trial(&self, method: Method, tolerance: f64) -> Trial {
        let solver = Solver { method, max_steps: MOST_STEPS, ..Solver::with_tolerance(tolerance) };
        let begun = Instant::now();
        let found = self.positions(&solver);
        let seconds = begun.elapsed().as_secs_f64();
        match found {
            Ok((positions, statistics)) => {
                let gap = |(a, b): (&f64, &f64)| (a - b).abs();
                let worst = positions.iter().zip(&self.positions).map(gap).fold(0.0, f64::max);
                // A run that lost samples on the way gave no answer to compare.
                let is_complete = positions.len() == self.positions.len();
                let error = if is_complete { worst / self.range } else { f64::INFINITY };
                let work = statistics.work(self.system.dim() - self.system.quadratures());
                Trial {
                    method,
                    tolerance,
                    error,
                    work,
                    statistics,
                    seconds,
                    failure: None,
                    is_cancelled: false,
                }
            }
            Err(error) => Trial {
                method,
                tolerance,
                error: f64::NAN,
                work: 0,
                statistics: Statistics::default(),
                seconds,
                failure: Some(error.to_string()),
                is_cancelled: matches!(error, SolveError::Cancelled { .. }),
            },
        }
    }
}

/// The work (or another cost) at which a method reaches an error, between its runs by a straight line in logarithms.
///
/// `None` if no run of the method is that accurate.
pub fn cost_at(trials: &[&Trial], error: f64, cost: impl Fn(&Trial) -> f64) -> Option<f64> {
    let mut best: Option<f64> = None;
    let mut consider = |value: f64| best = Some(best.map_or(value, |b: f64| b.min(value)));
    for trial in trials.iter().filter(|t| t.error <= error) {
        consider(cost(trial));
    }
    for pair in trials.windows(2) {
        let [a, b] = pair else { continue };
        if a.error > error && b.error <= error && b.error > 0.0 && a.is_right() {
            let s = (a.error / error).ln() / (a.error / b.error).ln();
            consider((cost(a).ln() + s * (cost(b) / cost(a)).ln()).exp());
        }
    }
    best
}

/// Names no catalogue has, and tolerances no method takes.
pub(super) fn error(spec: &Spec) -> Option<(&'static str, String)> {
    let unknown = |what: &str, name: &str| format!("there is no {what} called `{name}`");
    if let Some(name) = spec.named("methods").iter().find(|n| Method::named(n).is_none()) {
        return Some(("methods", unknown("method", name)));
    }
    if let Some(name) = spec.named("laws").iter().find(|n| LawKind::named(n).is_none()) {
        return Some(("laws", unknown("law", name)));
    }
    let [least, most] = Solver::RTOL;
    let outside = spec.list("tolerances").iter().find(|t| !(least..=most).contains(*t));
    outside.map(|t| ("tolerances", format!("{t:e} lies outside {least:e} to {most}")))
}

pub(super) fn answer(
    scenario: &Scenario,
    study: &Study,
    progress: &mut dyn Progress,
) -> Result<Answer, RunError> {
    let (duration, accuracy) = (study.spec.numbers[0], study.spec.numbers[1]);
    // Names were checked when the scenario was read.
    let methods: Vec<Method> = match study.spec.named("methods") {
        [] => Method::ALL.to_vec(),
        names => names.iter().filter_map(|n| Method::named(n)).collect(),
    };
    let tolerances = match study.spec.list("tolerances") {
        [] => TOLERANCES.to_vec(),
        list => list.to_vec(),
    };
    let mut variants: Vec<(String, Scenario)> = Vec::new();
    for name in study.spec.named("laws") {
        let Some(law) = LawKind::named(name) else { continue };
        variants.push((name.clone(), scenario.with_law(law)?));
    }
    if variants.is_empty() {
        let name = scenario.system.contacts().first().map_or("", |c| c.kind.card().name);
        variants.push((name.to_owned(), scenario.clone()));
    }
    compared(&variants, &methods, &tolerances, duration, accuracy, &study.name, progress)
}

/// Runs every method at every tolerance under every variant.
pub fn compared(
    variants: &[(String, Scenario)],
    methods: &[Method],
    tolerances: &[f64],
    duration: f64,
    accuracy: f64,
    name: &str,
    progress: &mut dyn Progress,
) -> Result<Answer, RunError> {
    let mut section = Section { heading: format!("Work and precision ({name})"), blocks: Vec::new() };
    let mut answer = Answer::default();
    let mut plots = Vec::new();
    let mut rows: Vec<(String, Trial)> = Vec::new();
    let pairs =
        || methods.iter().flat_map(|method| tolerances.iter().map(move |tolerance| (*method, *tolerance)));
    let total = (variants.len() * ROUNDS * pairs().count()).max(1) as f64;
    let mut done = 0.0;
    'all: for (law, variant) in variants {
        let (benchmark, confirmed) = match Benchmark::confirmed(&variant.system, duration) {
            Err(RunError::Solve { source: SolveError::Cancelled { .. }, .. }) => {
                answer.stopped_early = true;
                break;
            }
            made => made?,
        };
        let mut reference = Fact::number(format!("`{law}`: reference confirmed to"), confirmed, "");
        reference.note = "of the motion, by another method at ten times the tolerance".to_owned();
        answer.facts.push(reference);
        let mut trials: Vec<Trial> = Vec::new();
        for round in 0..ROUNDS {
            for (i, (method, tolerance)) in pairs().enumerate() {
                if !progress.at(done / total) || Cancel::check().is_err() {
                    // A trial that was cut short says nothing about its method.
                    trials.retain(|t| !t.is_cancelled);
                    rows.extend(trials.into_iter().map(|trial| (law.clone(), trial)));
                    answer.stopped_early = true;
                    break 'all;
                }
                done += 1.0;
                if round == 0 {
                    trials.push(benchmark.trial(method, tolerance));
                } else if trials[i].seconds < SHORT {
                    let repeats = (BRIEF / trials[i].seconds).clamp(1.0, 8.0) as usize;
                    let again = (0..repeats).map(|_| benchmark.trial(method, tolerance).seconds);
                    trials[i].seconds = again.fold(trials[i].seconds, f64::min);
                }
            }
        }
        rows.extend(trials.iter().map(|trial| (law.clone(), trial.clone())));
        answer.facts.push(winner(law, &trials, methods, accuracy));
        plots.push(curves(law, &trials, methods, "work", "rate evaluations", "", |t| t.work as f64));
        plots.push(curves(law, &trials, methods, "time", "wall-clock time", "s", |t| t.seconds));
    }
    let grid = PlotGrid {
        id: format!("{name}-work-precision"),
        caption:
            "Largest error over time, relative to the range of motion, against rate evaluations (a Jacobian \
                  counts as one per state) and wall-clock time. Right answers only."
                .to_owned(),
        columns: 2,
        plots,
        is_legend_shared: true,
        ..PlotGrid::default()
    };
    section.push(grid);
    section.push(table(&rows));
    answer.data = data(&rows);
    answer.sections.push(section);
    Ok(answer)
}

/// Who reaches the asked error with least work.
fn winner(law: &str, trials: &[Trial], methods: &[Method], accuracy: f64) -> Fact {
    let work = |method: Method| {
        let own: Vec<&Trial> = trials.iter().filter(|t| t.method == method).collect();
        cost_at(&own, accuracy, |t| t.work as f64)
    };
    let mut costs: Vec<(f64, Method)> = methods.iter().filter_map(|m| Some((work(*m)?, *m))).collect();
    costs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let label = format!("`{law}`: least work for an error of {accuracy:.0e}");
    let id = format!("{law}.least_work");
    match costs.as_slice() {
        [] => Fact::verdict(label, "no method reached it", Tone::Bad).named(id),
        [(least, best), others @ ..] => {
            let mut fact =
                Fact::verdict(label, format!("`{}`, {least:.0} evaluations", best.name()), Tone::Good);
            let list: Vec<_> = others.iter().map(|(c, m)| format!("{} {c:.0}", m.name())).collect();
            fact.note = list.join(", ");
            fact.named(id).measuring(*least, "1")
        }
    }
}

/// One curve per method.
fn curves(
    law: &str,
    trials: &[Trial],
    methods: &[Method],
    id: &str,
    label: &str,
    unit: &str,
    cost: impl Fn(&Trial) -> f64,
) -> Plot {
    let title = format!("{law}: {label}");
    let mut plot = Plot::new(format!("{law}-{id}"), title, Axis::log(label, unit), Axis::log("error", ""));
    plot.size = [380.0, 260.0];
    for method in methods {
        let own: Vec<&Trial> = trials.iter().filter(|t| t.method == *method && t.is_right()).collect();
        let x: Vec<f64> = own.iter().map(|t| cost(t)).collect();
        let y: Vec<f64> = own.iter().map(|t| t.error.max(1e-16)).collect();
        // The same colour for a method in every figure, whichever methods are compared.
        let place = Method::ALL.iter().position(|m| m == method).unwrap_or(0);
        let colour = if *method == Method::Auto { "ink".to_owned() } else { format!("cycle:{}", place - 1) };
        let width = if *method == Method::Auto { 2.4 } else { 1.4 };
        plot.push(Line { colour: colour.clone(), width, ..Line::new(method.name(), x.clone(), y.clone()) });
        plot.push(Scatter { colour, size: 4.5, ..Scatter::new("", x, y) });
    }
    plot
}

fn table(rows: &[(String, Trial)]) -> Table {
    let columns = [
        ("law", ""),
        ("method", ""),
        ("tolerance", ""),
        ("error", ""),
        ("evaluations", ""),
        ("steps", ""),
        ("time", "ms"),
        ("flag", ""),
    ];
    let mut table = Table::new("Every run; × ended wrong, ! did not end", &columns);
    for (law, trial) in rows {
        table.row([
            law.as_str().into(),
            trial.method.name().into(),
            format!("{:.0e}", trial.tolerance).into(),
            Cell::Number { value: trial.error, digits: 2 },
            trial.work.to_string().into(),
            trial.statistics.steps.to_string().into(),
            Cell::Number { value: 1e3 * trial.seconds, digits: 3 },
            trial.flag().replace('x', "×").into(),
        ]);
    }
    table
}

fn data(rows: &[(String, Trial)]) -> Data {
    let mut data = Data::default();
    let column = |value: &dyn Fn(&Trial) -> f64| rows.iter().map(|(_, t)| value(t)).collect::<Vec<_>>();
    let place = |t: &Trial| Method::ALL.iter().position(|m| *m == t.method).unwrap_or(0) as f64;
    data.push("method", "1", column(&place));
    data.push("tolerance", "1", column(&|t| t.tolerance));
    data.push("error", "1", column(&|t| t.error));
    data.push("work", "1", column(&|t| t.work as f64));
    data.push("time", "s", column(&|t| t.seconds));
    data
}

#[cfg(test)]
mod work_precision_tests {
    use super::*;

    /// A run that missed a slip: it sticks, and carries more than its limit.
    #[test]
    fn a_run_that_missed_a_slip_is_no_reference() {
        let text = "title = \"x\"\n[parts.block]\nkind = \"mass\"\nmass = \"1 kg\"\n[parts.pad]\nkind = \"contact\"\n\
                    between = [\"block\", \"ground\"]\nlaw = { kind = \"coulomb\", F_d = \"3 N\", F_s = \"4 N\" }\n\
                    [studies.run]\nkind = \"simulate\"\nduration = \"1 s\"\n";
        let scenario = crate::Scenario::from_text(text, "x.toml", std::path::Path::new(".")).unwrap();
        let run = |force: f64, mode: f64| {
            let mut data = Data::default();
            data.push("time", "s", vec![0.0, 0.5, 1.0]);
            for (name, value) in [("mode", mode), ("force", force), ("load", 1.0)] {
                data.push(format!("pad.{name}"), "", vec![0.0, value, 0.0]);
            }
            overload(&data, &scenario.system)
        };
        assert!(run(4.0, 0.0).is_ok() && run(-100.0, 1.0).is_ok());
        for force in [4.1, -100.0] {
            let error = run(force, 0.0).unwrap_err();
            assert!(matches!(error, RunError::Reference { t: 0.5, limit: 4.0, .. }), "{error}");
        }
    }

    fn trial(error: f64, work: usize) -> Trial {
        Trial {
            method: Method::Auto,
            tolerance: 1e-6,
            error,
            work,
            statistics: Statistics::default(),
            seconds: 0.0,
            failure: None,
            is_cancelled: false,
        }
    }

    #[test]
    fn the_cost_of_an_error_lies_on_a_straight_line_between_runs() {
        let (a, b) = (trial(1e-4, 100), trial(1e-8, 10_000));
        let cost = cost_at(&[&a, &b], 1e-6, |t| t.work as f64).unwrap();
        assert!((cost - 1000.0).abs() < 1e-9);
        assert_eq!(cost_at(&[&a], 1e-6, |t| t.work as f64), None);
    }

    #[test]
    fn a_wrong_answer_is_no_success() {
        assert_eq!(trial(0.5, 3).flag(), "x");
        assert_eq!(trial(f64::INFINITY, 3).flag(), "x");
        assert_eq!(trial(1e-9, 3).flag(), "");
        assert_eq!(Trial { failure: Some(String::new()), ..trial(f64::NAN, 0) }.flag(), "!");
    }
}
