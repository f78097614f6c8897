//! One run after the other, with nothing made anew between them.

use super::entry::Varied;
use super::gauge::{Probe, settling, slips};
use super::growth::Growth;
use super::response::{Reduction, Response, ResponseMeasure};
use crate::error::RunError;
use crate::scenario::{Scenario, Study};
use bristle_core::Choice;
use bristle_record::Data;
use bristle_solve::{
    AcceptedStep, Cancel, Dynamics, Experience, Flow, Integrator, Method, Observer, Point, SolveError,
};

/// A gap in the energy balance above this share of what was exchanged makes a run wrong.
const GAP: f64 = 1e-3;

/// Points at which parameters set in place are compared with those of the mechanism put together anew.
const TRIED: usize = 12;

/// What all runs share.
pub(crate) struct Engine<'a> {
    scenario: &'a Scenario,
    /// The study that moves the mechanism, if any response needs it.
    motion: Option<&'a Study>,
    responses: &'a [Response],
    varied: &'a [Varied],
    /// Places of the varied parameters among those of the system, where setting them there is all it takes.
    places: Option<Vec<usize>>,
    /// What a run of the scenario as it stands has taught.
    experience: Option<Experience>,
    growth: Growth<'a>,
}

impl<'a> Engine<'a> {
    /// Prepares runs that change these parameters. `points` are some of theirs.
    pub fn new(
        scenario: &'a Scenario,
        motion: Option<&'a Study>,
        responses: &'a [Response],
        varied: &'a [Varied],
        points: &[Vec<f64>],
    ) -> Self {
        let mut engine = Engine {
            scenario,
            motion,
            responses,
            varied,
            places: None,
            experience: None,
            growth: Growth::new(scenario),
        };
        engine.places = engine.places_in_system().filter(|places| engine.are_enough(places, points));
        engine
    }

    /// Lets a run of the scenario as it stands teach so many others how to begin, if they are many: what it teaches depends on nothing
    /// else, so that neither the order of runs nor their division does. `false` if it was stopped.
    pub fn learn(&mut self, runs: u64, goes_on: &mut dyn FnMut() -> bool) -> bool {
        let Some(study) = self.motion.filter(|_| runs >= MANY && self.places.is_some()) else { return true };
        let (system, solver) = (&self.scenario.system, &self.scenario.solver);
        let Ok(mut integrator) = system.integrator(system.params(), solver) else { return true };
        let mut asking = Asking { goes_on, steps: 0 };
        let begun = integrator.reset(&system.initial(system.params()));
        match begun.and_then(|()| integrator.advance(study.spec.numbers[0], &mut asking)) {
            Ok(Flow::Reached) => self.experience = Some(integrator.experience()),
            Ok(Flow::Stopped) | Err(SolveError::Cancelled { .. }) => return false,
            Err(_) => {}
        }
        true
    }

    /// Whether the parameters are set in place, and runs keep what was recorded.
    #[cfg(test)]
    pub fn is_fast(&self) -> bool {
        self.places.is_some()
    }

    fn places_in_system(&self) -> Option<Vec<usize>> {
        let scenario = self.scenario;
        let is_own = matches!(scenario.solver.method, Method::Bdf | Method::Esdirk34 | Method::Tsit45);
        let settles = self.motion.is_some_and(|study| study.spec.choices.first() == Some(&Choice(1)));
        if scenario.system.has_ropes() || is_own || settles {
            return None;
        }
        let place = |v: &Varied| Some(crate::analysis::place(scenario, &v.path)?.index);
        self.varied.iter().map(place).collect()
    }

    /// Whether a mechanism put together anew has no other parameters than those that were changed.
    fn are_enough(&self, places: &[usize], points: &[Vec<f64>]) -> bool {
        let own = &self.scenario.system;
        points.iter().take(TRIED).all(|point| {
            let Ok(anew) = self.changed(point) else { return true };
            let mut p = own.params().to_vec();
            set(&mut p, places, point);
            let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
            let anew = &anew.system;
            anew.dim() == own.dim()
                && anew.mode_count() == own.mode_count()
                && anew.guard_count() == own.guard_count()
                && anew.params().len() == p.len()
                && anew.params().iter().zip(&p).all(same)
        })
    }

    /// The scenario at a point.
    fn changed(&self, point: &[f64]) -> Result<Scenario, RunError> {
        let changes: Vec<(&str, f64)> =
            self.varied.iter().zip(point).map(|(v, value)| (v.path.as_str(), *value)).collect();
        self.scenario.with(&changes)
    }

    /// A worker of its own for a thread.
    pub fn worker<'e>(&'e self) -> Worker<'e, 'a> {
        let probe = Probe::new(&self.scenario.system, self.responses);
        Worker { engine: self, integrator: None, probe, p: self.scenario.system.params().to_vec() }
    }
}

/// So many runs are worth one more that they learn from.
const MANY: u64 = 100;

/// Asks now and then whether to go on.
struct Asking<'a> {
    goes_on: &'a mut dyn FnMut() -> bool,
    steps: usize,
}

impl Observer for Asking<'_> {
    fn step(&mut self, _step: &AcceptedStep) -> bool {
        let asks = self.steps.is_multiple_of(64);
        self.steps += 1;
        !asks || (self.goes_on)()
    }
}

fn set(p: &mut [f64], places: &[usize], point: &[f64]) {
    for (place, value) in places.iter().zip(point) {
        p[*place] = *value;
    }
}

/// Makes runs, one after the other.
pub(crate) struct Worker<'e, 'a> {
    engine: &'e Engine<'a>,
    integrator: Option<Integrator<'e>>,
    probe: Probe<'e>,
    p: Vec<f64>,
}

impl<'e> Worker<'e, '_> {
    /// The responses at a point, or why there are none. Nothing at all if the work is to stop.
    pub fn run(&mut self, point: &[f64]) -> Option<Result<Vec<f64>, String>> {
        let found = self.found(point);
        if Cancel::check().is_err() {
            return None;
        }
        Some(found.map_err(|error| match error {
            // Every run belongs to the same study, which need not be named again.
            RunError::Solve { source, .. } => source.to_string(),
            RunError::Analysis { source, .. } => source.to_string(),
            other => other.to_string(),
        }))
    }

    fn found(&mut self, point: &[f64]) -> Result<Vec<f64>, RunError> {
        let engine = self.engine;
        for (varied, &value) in engine.varied.iter().zip(point) {
            judge(varied, value)?;
        }
        let mut values = match (&engine.places, engine.motion) {
            (_, None) => vec![f64::NAN; engine.responses.len()],
            (Some(places), Some(study)) => self.moved(places, point, study)?,
            (None, Some(study)) => slowly(&engine.changed(point)?, study, engine.responses)?,
        };
        for (slot, response) in values.iter_mut().zip(engine.responses) {
            match &response.measure {
                ResponseMeasure::Value { path } => *slot = engine.value(path, point)?,
                ResponseMeasure::Growth { over } => {
                    let names: Vec<&str> = engine.varied.iter().map(|v| v.path.as_str()).collect();
                    *slot = engine.growth.at(&names, point, over.as_ref())?;
                }
                ResponseMeasure::Fact { study, id } => *slot = fact(&engine.changed(point)?, study, id)?,
                _ => {}
            }
        }
        Ok(values)
    }

    /// A motion measured on its way.
    fn moved(&mut self, places: &[usize], point: &[f64], study: &Study) -> Result<Vec<f64>, RunError> {
        let (system, solver) = (&self.engine.scenario.system, &self.engine.scenario.solver);
        set(&mut self.p, places, point);
        if let Some(source) = system.fault(&self.p) {
            return Err(RunError::Parameters { source });
        }
        let fail = |source: SolveError| RunError::Solve { study: study.name.clone(), source };
        let integrator = match self.integrator.take() {
            Some(made) => made,
            None => system.integrator(&self.p, solver).map_err(fail)?,
        };
        let integrator = self.integrator.insert(integrator);
        integrator.set_params(&self.p).map_err(fail)?;
        integrator.reset(&system.initial(&self.p)).map_err(fail)?;
        self.engine.experience.iter().for_each(|experience| integrator.begin_with(experience));
        self.probe.p.copy_from_slice(&self.p);
        self.probe.begin(integrator.state());
        let start = integrator.state().clone();
        let done = integrator.advance(study.spec.numbers[0], &mut self.probe);
        if let Err(source) = done {
            // What a failed run leaves behind goes with it.
            self.integrator = None;
            return Err(fail(source));
        }
        let end = integrator.state().clone();
        let energies = [&start, &end].map(|state| {
            system.energies(&Point { t: state.t, x: &state.x, p: &self.p[..], mode: &state.mode })
        });
        balance(&energies)?;
        Ok(self.probe.finish(&end))
    }

    /// Outputs at some times along a run.
    pub fn history(&mut self, point: &[f64], outputs: &[String], times: &[f64]) -> Option<Vec<Vec<f64>>> {
        let engine = self.engine;
        let study = engine.motion?;
        let changed = engine.changed(point).ok()?;
        let data = slow_data(&changed, study).ok()?;
        let t = data.column("time")?;
        let column = |name: &String| {
            let x = data.column(name)?;
            Some(times.iter().map(|&time| straight(t, x, time)).collect())
        };
        outputs.iter().map(column).collect()
    }
}

impl Engine<'_> {
    /// A parameter of a run.
    fn value(&self, path: &str, point: &[f64]) -> Result<f64, RunError> {
        match self.varied.iter().position(|v| v.path == path) {
            Some(place) => Ok(point[place]),
            None => Ok(bristle_scenario::change::allowed(&self.scenario.parts, path)?.value),
        }
    }
}

/// Refuses a drawn value that the card does not allow.
fn judge(varied: &Varied, value: f64) -> Result<(), RunError> {
    let [low, high] = varied.range;
    if value >= low && value <= high {
        return Ok(());
    }
    let unit = if varied.unit == "1" { String::new() } else { format!(" {}", varied.unit) };
    let short = bristle_core::units::short;
    let must_be = match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("between {} and {}{unit}", short(low), short(high)),
        (true, false) => format!("at least {}{unit}", short(low)),
        _ => format!("at most {}{unit}", short(high)),
    };
    let value = format!("{}{unit}", short(value));
    Err(RunError::Change(bristle_scenario::ChangeError::Inadmissible {
        path: varied.path.clone(),
        value,
        must_be,
    }))
}

/// Refuses a run whose energies do not add up.
fn balance(energies: &[[f64; 4]; 2]) -> Result<(), RunError> {
    let since: Vec<f64> = (0..4).map(|k| energies[1][k] - energies[0][k]).collect();
    let gap = (since[0] + since[1] - since[2] + since[3]).abs();
    let exchanged = energies.iter().flatten().fold(0.0, |m: f64, e| m.max(e.abs()));
    if gap <= GAP * exchanged || !gap.is_finite() {
        return Ok(());
    }
    let reason =
        format!("the energy balance is off by {:.1} % of what was exchanged", 100.0 * gap / exchanged);
    Err(RunError::Case { case: "vary".to_owned(), reason })
}

/// A run of the whole study, with all its outputs.
fn slow_data(scenario: &Scenario, study: &Study) -> Result<Data, RunError> {
    Ok(scenario.simulate(study, &mut Quiet(Cancel::current()))?.into_data())
}

/// Responses from the samples of a whole run.
fn slowly(scenario: &Scenario, study: &Study, responses: &[Response]) -> Result<Vec<f64>, RunError> {
    let run = scenario.simulate(study, &mut Quiet(Cancel::current()))?;
    if let Some(reason) = run.balance().failure() {
        return Err(RunError::Case { case: study.name.clone(), reason });
    }
    let switches = run.events().len() as f64;
    let data = run.data();
    let t = data.column("time").unwrap_or(&[]);
    let value = |response: &Response| match &response.measure {
        ResponseMeasure::Output { name, reduction, window } => {
            let x = data.column(name).unwrap_or(&[]);
            reduced(t, x, *reduction, *window)
        }
        ResponseMeasure::Slips { contact, window } => {
            slips(within(t, data.column(&format!("{contact}.slip_rate")).unwrap_or(&[]), *window).1)
        }
        ResponseMeasure::Switches => switches,
        _ => f64::NAN,
    };
    Ok(responses.iter().map(value).collect())
}

/// The samples between two times.
fn within<'x>(t: &'x [f64], x: &'x [f64], window: Option<[f64; 2]>) -> (&'x [f64], &'x [f64]) {
    let Some([from, to]) = window else { return (t, x) };
    let (a, b) = (t.partition_point(|t| *t < from), t.partition_point(|t| *t <= to));
    if x.len() == t.len() { (&t[a..b], &x[a..b]) } else { (&[], &[]) }
}

fn reduced(t: &[f64], x: &[f64], reduction: Reduction, window: Option<[f64; 2]>) -> f64 {
    let (t, x) = within(t, x, window);
    let fold = |f: fn(f64, f64) -> f64, start| x.iter().copied().fold(start, f);
    let (low, high) = (fold(f64::min, f64::INFINITY), fold(f64::max, f64::NEG_INFINITY));
    let mean = |term: &dyn Fn(f64, f64) -> f64| {
        let pairs = t.windows(2).zip(x.windows(2));
        let sum: f64 = pairs.map(|(t, x)| (t[1] - t[0]) * term(x[0], x[1])).sum();
        sum / (t.last().unwrap_or(&f64::NAN) - t.first().unwrap_or(&f64::NAN))
    };
    match reduction {
        _ if x.is_empty() => f64::NAN,
        Reduction::Max => high,
        Reduction::Min => low,
        Reduction::Range => high - low,
        Reduction::Peak => high.abs().max(low.abs()),
        Reduction::Mean => mean(&|a, b| 0.5 * (a + b)),
        Reduction::Rms => mean(&|a, b| (a * a + a * b + b * b) / 3.0).sqrt(),
        Reduction::Settling => settling(t, x),
        Reduction::End => x[x.len() - 1],
        Reduction::At(time) => straight(t, x, time),
    }
}

/// The value at a time, straight between samples.
fn straight(t: &[f64], x: &[f64], time: f64) -> f64 {
    let after = t.partition_point(|t| *t < time);
    match (after.checked_sub(1), t.get(after)) {
        (_, Some(&at)) if at == time => x[after],
        (Some(before), Some(&at)) => {
            x[before] + (x[after] - x[before]) * (time - t[before]) / (at - t[before])
        }
        _ => f64::NAN,
    }
}

/// A fact of another study of the scenario.
fn fact(scenario: &Scenario, study: &str, id: &str) -> Result<f64, RunError> {
    let no_fact = |reason: String| RunError::Case { case: study.to_owned(), reason };
    let own = scenario.studies.iter().find(|s| s.name == study);
    let own = own.ok_or_else(|| no_fact("there is no such study".to_owned()))?;
    let answer = own.kind.answer(scenario, own, &mut Quiet(Cancel::current()))?;
    let found = answer.facts.iter().find(|fact| fact.key() == id);
    if let Some(number) = found.and_then(bristle_record::Fact::number_of) {
        return Ok(number.value);
    }
    let names: Vec<String> =
        answer.facts.iter().filter(|f| f.number_of().is_some()).map(|f| f.key()).collect();
    Err(no_fact(format!("it tells no number called `{id}`; there are {}", names.join(", "))))
}

/// Says nothing, and stops when the thread is to.
struct Quiet(Cancel);

impl bristle_solve::Progress for Quiet {
    fn begin(&mut self, _what: &str) {}

    fn at(&mut self, _fraction: f64) -> bool {
        !self.0.is_cancelled()
    }
}
