//! One law, fitted.

use super::bench::FitBench;
use super::course::compared;
use super::unknowns::{Sizes, Sought, unknowns};
use super::{FitProblem, FitTask};
use bristle_core::units;
use bristle_fit::{
    Comparison, Experiment, FitCurve, FitError, FitRecord, FitResult, FitTerm, Interval, Mount, Rig,
    RigCourse, RigNumber, RigQuantity, Search, Sensor, ThinnedExperiment, Unknown, filter::thinned,
};
use bristle_law::LawKind;
use bristle_mech::Spec;
use bristle_scenario::measurements::{Instrument, MeasuredOutput, Measurement, RecordStart};

/// A law with what was found.
pub(super) struct Fitted {
    pub law: LawKind,
    /// The law's numbers with what was found.
    pub spec: Spec,
    pub fit: FitResult,
    /// Records that the fit has not seen.
    pub held_out: Vec<Comparison>,
    /// Slip rates of the first record, at the values that are compared.
    pub speeds: Vec<f64>,
    /// The unit of the first record.
    pub unit: &'static str,
    pub seconds: f64,
}

impl Fitted {
    /// What laws are ranked by: the error on what was held out, or Akaike's criterion.
    pub(super) fn score(&self) -> f64 {
        match self.held_out.is_empty() {
            true => self.fit.aic_effective,
            false => (self.held_out.iter().map(|c| c.relative.powi(2)).sum::<f64>()
                / self.held_out.len() as f64)
                .sqrt(),
        }
    }
}

/// Fits a law to the records of a task.
pub(super) fn fit(
    task: &FitTask,
    law: LawKind,
    spec: &Spec,
    tell: &(dyn Fn(f64) + Sync),
) -> Result<Fitted, FitProblem> {
    let begun = std::time::Instant::now();
    let mut sought: Option<Vec<Sought>> = None;
    let mut instruments: Vec<Unknown> = Vec::new();
    let mut drafts = Vec::new();
    let entries: Vec<&Spec> =
        task.study.spec.tables.iter().filter(|(n, _)| n == "unknowns").map(|(_, s)| s).collect();
    for (measurement, is_fitted) in
        task.fitted.iter().map(|m| (*m, true)).chain(task.held_out.iter().map(|m| (*m, false)))
    {
        let mut bench = FitBench::of(&task.scenario.parts, &task.contact, measurement)?;
        bench.tell_apart(&entries);
        let (rows, first) = measurement.rows();
        if rows.len() < first + 2 {
            let [from, to] = measurement.window;
            let reason = format!(
                "the window of measurement `{}` from {from} s to {to} s holds fewer than two rows",
                measurement.name
            );
            return Err(FitProblem::Setup { reason });
        }
        if measurement.outputs.is_empty() {
            return Err(FitProblem::Setup {
                reason: format!("measurement `{}` compares nothing", measurement.name),
            });
        }
        for output in &measurement.outputs {
            let (rig, factor) = bench.rig(law, spec, measurement, &output.channel)?;
            let unit = FitBench::unit(&output.channel);
            let table = |error| FitProblem::Table { file: measurement.file.clone(), error };
            let all = compared(measurement, output, unit)?;
            let (rows, first) = measurement.rows();
            let scored = |all: &[f64]| -> Vec<f64> {
                all[rows.start + first..rows.end].iter().copied().step_by(measurement.every).collect()
            };
            let measured = scored(&all);
            let errors = match &output.error {
                None => None,
                Some(column) => {
                    Some(scored(&measurement.whole(column, output.factor.as_deref(), unit).map_err(table)?))
                }
            };
            if sought.is_none() {
                let sizes = sizes(&rig, measurement, &measured, output, spec);
                sought = Some(unknowns(&entries, &bench, law, spec, &rig, sizes)?);
            }
            let along = match &output.along {
                None => None,
                Some(column) => Some(scored(&measurement.whole(column, None, "m").map_err(table)?)),
            };
            let arm = bench.radius;
            drafts.push(FitDraft {
                measurement,
                output,
                rig,
                factor,
                unit,
                measured,
                errors,
                is_fitted,
                arm,
                along,
            });
        }
    }
    let sought = sought.unwrap_or_default();
    let mut unknowns: Vec<Unknown> = sought.iter().map(|s| s.unknown.clone()).collect();
    let mut sensors = Vec::new();
    for draft in &drafts {
        sensors.push(draft.sensor(task, unknowns.len(), &mut instruments)?);
        unknowns.truncate(sought.len());
        unknowns.extend(instruments.iter().cloned());
    }
    let places: Vec<Vec<usize>> =
        sought.iter().map(|s| s.places.clone()).chain(instruments.iter().map(|_| Vec::new())).collect();
    let begins: Vec<[Unknown; 2]> = task
        .fitted
        .iter()
        .chain(&task.held_out)
        .filter(|m| m.start == RecordStart::Free)
        .map(|m| beginning(m, &drafts))
        .collect::<Result<_, _>>()?;
    unknowns.extend(begins.iter().flatten().cloned());
    let free: Vec<&str> = begins.iter().map(|b| b[0].name.split(':').next().unwrap_or_default()).collect();
    let is_free = drafts.iter().any(|d| d.rig.mount == Mount::Mass && d.rig.servo.is_none());
    let horizons = horizons(task.search.horizons[0], is_free, &drafts);
    let search = Search { horizons, ..task.search.clone() };
    let unit = drafts.first().map_or("N", |d| d.unit);
    let speeds = drafts.first().map_or(Vec::new(), |d| d.speeds());
    let mut records = Vec::new();
    let mut others = Vec::new();
    for (draft, sensor) in drafts.into_iter().zip(sensors) {
        let is_fitted = draft.is_fitted;
        let own = [RigNumber::Place, RigNumber::Speed].map(|number| draft.rig.place(number));
        let of_start = free.iter().flat_map(|name| {
            own.map(|place| if *name == draft.measurement.name { vec![place] } else { Vec::new() })
        });
        let places: Vec<Vec<usize>> = places.iter().cloned().chain(of_start).collect();
        let record = draft.record(law, spec, &places, sensor)?;
        if is_fitted { records.push(record) } else { others.push(record) }
    }
    let mut fit = bristle_fit::fit(unknowns.clone(), &records, &search, tell).map_err(FitProblem::Fit)?;
    match task.interval {
        Interval::Correlated => {}
        Interval::Wald => {
            for e in &mut fit.estimates {
                e.interval = [e.value - 1.96 * e.white, e.value + 1.96 * e.white];
            }
        }
        Interval::Profile => bristle_fit::profile(&unknowns, &records, &mut fit).map_err(FitProblem::Fit)?,
        Interval::Bootstrap => {
            bristle_fit::bootstrap(&unknowns, &records, &mut fit).map_err(FitProblem::Fit)?
        }
    }
    let values: Vec<f64> = fit.estimates.iter().map(|e| e.value).collect();
    let held_out = others
        .iter()
        .map(|r| bristle_fit::compare(r, &values))
        .collect::<Result<Vec<_>, FitError>>()
        .map_err(FitProblem::Fit)?;
    let mut found = spec.clone();
    for (places, value) in places.iter().zip(&values) {
        for &place in places {
            if let Some(number) = found.numbers.get_mut(place) {
                *number = *value;
            }
        }
    }
    Ok(Fitted { law, spec: found, fit, held_out, speeds, unit, seconds: begun.elapsed().as_secs_f64() })
}

/// Place and velocity at the start of a record that begins anywhere.
fn beginning(measurement: &Measurement, drafts: &[FitDraft]) -> Result<[Unknown; 2], FitProblem> {
    let name = &measurement.name;
    let seen = drafts.iter().find(|d| d.measurement.name == *name && d.rig.mount == Mount::Mass);
    let place = seen.filter(|d| d.rig.quantity == RigQuantity::Position);
    let Some((draft, first)) = place.and_then(|d| Some((d, *d.measured.first()?))) else {
        let reason = format!(
            "`start = \"free\"` of measurement `{name}` needs a mass whose position is compared; follow other motions through a `warm_up`"
        );
        return Err(FitProblem::Setup { reason });
    };
    let [low, high] = draft.measured.iter().fold([first; 2], |[l, h], x| [l.min(*x), h.max(*x)]);
    let times = &draft.rig.samples;
    let steps = draft.measured.windows(2).map(|y| (y[1] - y[0]).abs()).fold(0.0, f64::max);
    let fastest = 4.0 * steps
        / ((times[times.len() - 1] - times[0]) / (times.len() - 1) as f64 * draft.rig.thin as f64);
    let (span, fastest) = ((high - low).max(1e-12), fastest.max(1e-12));
    let mut begin = [
        Unknown::new(&format!("{name}: place at the start"), "m", first - 0.3 * span, first + 0.3 * span),
        Unknown::new(&format!("{name}: velocity at the start"), "m/s", -fastest, fastest),
    ];
    begin.iter_mut().for_each(|u| u.symbol = u.name.rsplit(' ').next_back().unwrap_or_default().to_owned());
    Ok(begin)
}

/// A record before the unknowns are counted.
struct FitDraft<'a> {
    measurement: &'a Measurement,
    output: &'a MeasuredOutput,
    rig: Rig,
    factor: f64,
    unit: &'static str,
    measured: Vec<f64>,
    errors: Option<Vec<f64>>,
    is_fitted: bool,
    /// Effective radius.
    arm: f64,
    /// What a drift goes along, instead of the time.
    along: Option<Vec<f64>>,
}

impl<'a> FitDraft<'a> {
    /// What the instrument does; what is free of it becomes an unknown, the same for all records of one column.
    fn sensor(
        &self,
        task: &FitTask,
        known: usize,
        instruments: &mut Vec<Unknown>,
    ) -> Result<Sensor, FitProblem> {
        let laws = known - instruments.len();
        let largest = self.measured.iter().fold(0.0_f64, |m, y| m.max(y.abs()));
        let span = self.measurement.window[1] - self.measurement.window[0];
        let mut term =
            |what: &str, asked: &Instrument, ideal: f64, unit: &str, range: [f64; 2], factor: f64| {
                Ok(match asked {
                    Instrument::Ideal => FitTerm::Known(ideal * factor),
                    Instrument::Known(text) => {
                        let read = units::parse(text, unit);
                        let value = read.map_err(|e| FitProblem::Setup {
                            reason: format!("`{what}` of `{}`: {e}", self.output.channel),
                        })?;
                        FitTerm::Known(value * factor)
                    }
                    Instrument::Free => {
                        let name = format!("{}.{what}", self.output.channel);
                        let place = instruments.iter().position(|u| u.name == name).unwrap_or_else(|| {
                            instruments.push(Unknown::new(&name, unit, range[0], range[1]));
                            instruments.len() - 1
                        });
                        FitTerm::Unknown(laws + place)
                    }
                })
            };
        let _ = task;
        let per = if self.along.is_some() { "m" } else { "s" };
        let per_second = format!("{}/{per}", self.unit);
        let span = self.along.as_ref().map_or(span, |way| way[way.len() - 1] - way[0]).abs();
        let gain = term("gain", &self.output.gain, 1.0, "1", [0.05, 20.0], self.factor)?;
        let bias = term("bias", &self.output.bias, 0.0, self.unit, [-2.0 * largest, 2.0 * largest], 1.0)?;
        let slope = 2.0 * largest / span.max(1e-9);
        let drift = term("drift", &self.output.drift, 0.0, &per_second, [-slope, slope], 1.0)?;
        let steps = (self.rig.samples.len().max(2) - 1) as f64;
        let step =
            self.rig.samples.last().zip(self.rig.samples.first()).map_or(1.0, |(b, a)| (b - a) / steps);
        let delay = term("delay", &self.output.delay, 0.0, "s", [0.0, 20.0 * step], 1.0)?;
        Ok(Sensor { gain, bias, drift, delay })
    }

    /// Which values belong to motion fast enough to be compared, where that is asked for.
    fn keeps(&self) -> Option<Vec<bool>> {
        let least = self.measurement.above * self.arm;
        (least > 0.0).then(|| self.slip_rates().iter().map(|v| v.abs() > least).collect())
    }

    /// Slip rates at the values that are compared, of a motion that is prescribed.
    fn speeds(&self) -> Vec<f64> {
        let all = self.slip_rates();
        let kept = match self.keeps() {
            Some(keeps) => all.into_iter().zip(keeps).filter(|(_, keep)| *keep).map(|(v, _)| v).collect(),
            None => all,
        };
        thinned(&kept, self.measurement.decimate)
    }

    /// Slip rates at the rows of the window.
    fn slip_rates(&self) -> Vec<f64> {
        match (&self.rig.pull, self.rig.mount) {
            (RigCourse::Lines(v), Mount::Prescribed) => {
                v[self.rig.first.min(v.len())..].iter().copied().step_by(self.rig.thin).collect()
            }
            (RigCourse::Positions(x), Mount::Prescribed) => {
                let at = |i: usize| {
                    let (a, b) = (i.saturating_sub(1), (i + 1).min(x.len() - 1));
                    (x[b] - x[a]) / (self.rig.samples[b] - self.rig.samples[a])
                };
                (self.rig.first..x.len()).step_by(self.rig.thin).map(at).collect()
            }
            _ => Vec::new(),
        }
    }

    fn record(
        self,
        law: LawKind,
        spec: &Spec,
        places: &[Vec<usize>],
        sensor: Sensor,
    ) -> Result<FitRecord<'static>, FitProblem> {
        let keeps = self.keeps();
        let (mut rig, mut measured) = (self.rig, self.measured);
        rig.places = places.to_vec();
        let experiment: Box<dyn Experiment> = if self.measurement.times.is_none() {
            let speeds = match &rig.pull {
                RigCourse::Lines(speeds) => speeds.clone(),
                _ => {
                    let reason = format!(
                        "measurement `{}` has no times: steady points need the velocity of a drive",
                        self.measurement.name
                    );
                    return Err(FitProblem::Setup { reason });
                }
            };
            let mut curve =
                FitCurve::new(law, &spec.numbers, &spec.choices, &speeds).map_err(FitProblem::Fit)?;
            let numbers = rig.numbers.clone();
            let own = curve.rig();
            (own.numbers, own.places, own.quantity) = (numbers, rig.places, rig.quantity);
            Box::new(curve)
        } else if self.measurement.decimate > 1 || self.measurement.above > 0.0 {
            let thin = ThinnedExperiment::new(rig, self.measurement.decimate, keeps);
            measured = thin.seen(&measured);
            if measured.len() < 4 {
                let reason =
                    format!("of measurement `{}` next to nothing is left to compare", self.measurement.name);
                return Err(FitProblem::Setup { reason });
            }
            Box::new(thin)
        } else {
            Box::new(rig)
        };
        let noise = match &self.output.noise {
            None => None,
            Some(text) => Some(units::parse(text, self.unit).map_err(|e| FitProblem::Setup {
                reason: format!("`noise` of `{}`: {e}", self.output.channel),
            })?),
        };
        // Errors that vary weigh the values; their mean is the scale.
        let mean = self.errors.as_ref().map(|e| e.iter().sum::<f64>() / e.len().max(1) as f64);
        let weights = self
            .errors
            .zip(mean)
            .map(|(errors, mean)| errors.iter().map(|e| mean / e.max(mean * 1e-3)).collect());
        Ok(FitRecord {
            name: self.measurement.name.clone(),
            experiment,
            measured,
            noise: noise.or(mean),
            weights,
            sensor,
            along: self.along,
        })
    }
}

/// What a record suggests of the size of things.
fn sizes(
    rig: &Rig,
    measurement: &Measurement,
    measured: &[f64],
    output: &MeasuredOutput,
    spec: &Spec,
) -> Sizes {
    let load =
        if spec.as_forces { 1.0 } else { rig.numbers[rig.place(bristle_fit::RigNumber::Load)].max(1e-300) };
    let most = |x: &[f64]| x.iter().fold(0.0_f64, |m, y| m.max(y.abs())).max(1e-300);
    let is_force = !matches!(output.channel.rsplit('.').next(), Some("q" | "v" | "slip_rate"));
    let duration = measurement.times.as_ref().map_or(1.0, |t| t[t.len() - 1] - t[0]).max(1e-9);
    let applied = rig.force.as_ref().map_or(0.0, |f| if let RigCourse::Lines(f) = f { most(f) } else { 0.0 });
    let held = rig.numbers[rig.place(bristle_fit::RigNumber::Stiffness)] * most(measured);
    let force = if is_force { most(measured) } else { applied.max(held) };
    let spread = |x: &[f64]| {
        let (low, high) =
            x.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
        (high - low).max(1e-300)
    };
    let (speed, travel) = match &rig.pull {
        RigCourse::Lines(v) => (most(v), most(v) * duration),
        RigCourse::Positions(x) => {
            let steps =
                x.windows(2).zip(rig.samples.windows(2)).map(|(x, t)| ((x[1] - x[0]) / (t[1] - t[0])).abs());
            (steps.fold(0.0, f64::max).max(1e-300), spread(x))
        }
        _ if !is_force => (20.0 * spread(measured) / duration, spread(measured)),
        _ => (1e-3, 1e-3 * duration),
    };
    Sizes { force: force / load, speed, travel }
}

/// How far the records are compared, step by step: a free motion is followed a little first, but past its first slip.
fn horizons(first: f64, is_free: bool, drafts: &[FitDraft]) -> Vec<f64> {
    let end = drafts.iter().filter_map(|d| d.rig.samples.last().copied()).fold(f64::NEG_INFINITY, f64::max);
    if !is_free || !end.is_finite() {
        return vec![f64::INFINITY];
    }
    let begin = drafts.iter().filter_map(|d| d.rig.samples.first().copied()).fold(f64::INFINITY, f64::min);
    let mut span =
        if first.is_finite() { first } else { drafts.first().map_or(end - begin, |d| d.first_motion()) };
    let mut all = Vec::new();
    while span < 0.75 * (end - begin) {
        all.push(begin + span);
        span *= 2.0;
    }
    all.push(f64::INFINITY);
    all
}

impl FitDraft<'_> {
    /// A sixteenth, an eighth … of the record, until there is as much motion in it as in a quarter of the whole.
    fn first_motion(&self) -> f64 {
        let times = &self.rig.samples;
        let span = times[times.len() - 1] - times[0];
        let n = self.measured.len();
        let variance = |count: usize| {
            let part = &self.measured[..count.clamp(2, n)];
            let mean = part.iter().sum::<f64>() / part.len() as f64;
            part.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / part.len() as f64
        };
        let parts = [16.0, 8.0, 4.0, 2.0];
        let enough =
            parts.into_iter().find(|part| variance((n as f64 / part) as usize) >= 0.25 * variance(n));
        span / enough.unwrap_or(1.0)
    }
}
