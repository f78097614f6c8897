//! Numbers read off a run: when a quantity crosses a level, where it is largest, what it is at a time.
//!
//! A run is looked at inside every step by the method's dense output, so that a reading is as accurate as the run,
//! however long its steps are.

use bristle_core::Mode;
use bristle_mech::System;
use bristle_record::Data;
use bristle_solve::Progress;
use bristle_solve::{
    AcceptedStep, Dynamics, Event, Flow, Integrator, Observer, Output, Point, State, Statistics,
};
use bristle_study::RunError;
use bristle_study::Scenario;
use bristle_study::studies::simulate;

/// Pieces a step is cut into when looking for a crossing or an extreme.
const PIECES: usize = 12;

/// All outputs at one instant.
pub struct Instant<'a> {
    /// When.
    pub t: f64,
    names: &'a [String],
    values: &'a [f64],
}

impl Instant<'_> {
    /// The output of that name; not a number where there is none.
    pub fn get(&self, name: &str) -> f64 {
        self.names.iter().position(|n| n == name).map_or(f64::NAN, |i| self.values[i])
    }
}

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Seek {
    /// The times at which the quantity rises through a level.
    Rises(f64),
    /// The times at which it falls through a level.
    Falls(f64),
    /// Where it is largest.
    Largest,
    /// Where it is smallest.
    Smallest,
    /// Its value at the end of the window.
    Last,
}

/// A question to a run.
pub struct Find<'a> {
    of: Box<dyn Fn(&Instant) -> f64 + 'a>,
    seek: Seek,
    from: f64,
    to: f64,
}

impl<'a> Find<'a> {
    /// Looks for `seek` of an output or of anything made from outputs.
    pub fn new(seek: Seek, of: impl Fn(&Instant) -> f64 + 'a) -> Self {
        Find { of: Box::new(of), seek, from: f64::NEG_INFINITY, to: f64::INFINITY }
    }

    /// Its value at one time.
    pub fn at(t: f64, of: impl Fn(&Instant) -> f64 + 'a) -> Self {
        Find { to: t, ..Find::new(Seek::Last, of) }
    }

    /// Only within a window of time.
    pub fn within(mut self, from: f64, to: f64) -> Self {
        (self.from, self.to) = (from, to);
        self
    }
}

/// Where something was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedValue {
    /// When.
    pub t: f64,
    /// The quantity there.
    pub value: f64,
}

/// What a run answered.
pub struct Readings {
    /// For every question what was found, in order of time.
    pub found: Vec<Vec<TimedValue>>,
    /// All switches.
    pub events: Vec<Event>,
    /// What the run cost, the looking included.
    pub statistics: Statistics,
}

impl Readings {
    /// The first find of a question; not a number where there is none.
    pub fn first(&self, question: usize) -> TimedValue {
        let nothing = TimedValue { t: f64::NAN, value: f64::NAN };
        self.found.get(question).and_then(|list| list.first()).copied().unwrap_or(nothing)
    }
}

/// Runs a scenario for `duration` and answers questions on the way.
pub fn read_off(
    scenario: &Scenario,
    duration: f64,
    questions: &[Find],
    progress: &mut dyn Progress,
) -> Result<Readings, RunError> {
    let (system, p) = (&scenario.system, scenario.system.params());
    let failed = |source| RunError::Solve { study: scenario.title.clone(), source };
    let mut integrator = Integrator::new(system, p, &scenario.solver).map_err(failed)?;
    integrator.reset(&system.initial(p)).map_err(failed)?;
    let mut reader = RunReader {
        system,
        p,
        names: system.channels().into_iter().map(|c| c.name).collect(),
        questions,
        found: vec![Vec::new(); questions.len()],
        events: Vec::new(),
        duration,
        progress,
        row: vec![0.0; system.dim()],
    };
    let flow = integrator.advance(duration, &mut reader).map_err(failed)?;
    if flow == Flow::Stopped {
        return Err(RunError::Stopped);
    }
    let (found, events) = (reader.found, reader.events);
    Ok(Readings { found, events, statistics: integrator.statistics() })
}

/// All outputs at the given times, and on both sides of every switch.
pub fn sample(scenario: &Scenario, times: Vec<f64>, progress: &mut dyn Progress) -> Result<Data, RunError> {
    let (system, p) = (&scenario.system, scenario.system.params());
    let end = times.last().copied().unwrap_or(0.0);
    let mut watch = |t: f64, _: &[f64], _: &[Mode]| progress.at(t / end);
    let run = scenario
        .solver
        .run(system, p, system.initial(p), end, &Output::Times(times), &mut watch)
        .map_err(|source| RunError::Solve { study: scenario.title.clone(), source })?;
    if run.stopped_early { Err(RunError::Stopped) } else { Ok(simulate::observe(system, p, &run)) }
}

struct RunReader<'a, 'b> {
    system: &'a System,
    p: &'a [f64],
    names: Vec<String>,
    questions: &'a [Find<'b>],
    found: Vec<Vec<TimedValue>>,
    events: Vec<Event>,
    duration: f64,
    progress: &'a mut dyn Progress,
    row: Vec<f64>,
}

impl RunReader<'_, '_> {
    fn value(&mut self, question: usize, segment: &AcceptedStep, t: f64) -> f64 {
        segment.at(t, &mut self.row);
        let values = self.system.observe(&Point { t, x: &self.row, p: self.p, mode: segment.mode });
        (self.questions[question].of)(&Instant { t, names: &self.names, values: &values })
    }

    fn answer(&mut self, k: usize, segment: &AcceptedStep) {
        let Find { seek, from, to, .. } = self.questions[k];
        let (low, high) = (segment.t0.max(from), segment.t1.min(to));
        if low > high {
            return;
        }
        match seek {
            Seek::Last => {
                if to <= segment.t1 || segment.t1 >= self.duration {
                    let value = self.value(k, segment, high);
                    self.found[k] = vec![TimedValue { t: high, value }];
                }
            }
            Seek::Rises(level) => self.crossings(k, segment, [low, high], level, 1.0),
            Seek::Falls(level) => self.crossings(k, segment, [low, high], level, -1.0),
            Seek::Largest => self.extreme(k, segment, [low, high], 1.0),
            Seek::Smallest => self.extreme(k, segment, [low, high], -1.0),
        }
    }

    /// Crossings in the direction of `sign` within a step, each located by halving.
    fn crossings(&mut self, k: usize, segment: &AcceptedStep, [low, high]: [f64; 2], level: f64, sign: f64) {
        let time = |i: usize| low + (high - low) * i as f64 / PIECES as f64;
        let mut before = sign * (self.value(k, segment, low) - level);
        for i in 0..PIECES {
            let after = sign * (self.value(k, segment, time(i + 1)) - level);
            if before < 0.0 && after >= 0.0 {
                let (mut a, mut b) = (time(i), time(i + 1));
                while b - a > 4.0 * f64::EPSILON * b.abs() {
                    let middle = 0.5 * (a + b);
                    if sign * (self.value(k, segment, middle) - level) < 0.0 {
                        a = middle
                    } else {
                        b = middle
                    }
                }
                let value = self.value(k, segment, b);
                self.found[k].push(TimedValue { t: b, value });
            }
            before = after;
        }
    }

    /// The largest value times `sign`, refined by golden section between its neighbours.
    fn extreme(&mut self, k: usize, segment: &AcceptedStep, [low, high]: [f64; 2], sign: f64) {
        let best = self.found[k].first().map_or(f64::NEG_INFINITY, |found| sign * found.value);
        let time = |i: usize| low + (high - low) * i as f64 / PIECES as f64;
        let values: Vec<f64> = (0..=PIECES).map(|i| sign * self.value(k, segment, time(i))).collect();
        let top = (0..=PIECES).max_by(|i, j| values[*i].total_cmp(&values[*j])).unwrap_or(0);
        let (mut a, mut b) = (time(top.saturating_sub(1)), time((top + 1).min(PIECES)));
        let (mut t, mut value) = (time(top), values[top]);
        // A top that the best so far exceeds by far is not worth refining.
        let reach = values.iter().fold(f64::INFINITY, |m, v| m.min(*v));
        if value + (value - reach) < best {
            return;
        }
        let golden = 0.5 * (5f64.sqrt() - 1.0);
        for _ in 0..40 {
            let (c, d) = (b - golden * (b - a), a + golden * (b - a));
            let (fc, fd) = (sign * self.value(k, segment, c), sign * self.value(k, segment, d));
            for (time, f) in [(c, fc), (d, fd)] {
                if f > value {
                    (t, value) = (time, f);
                }
            }
            if fc > fd { b = d } else { a = c }
        }
        if value > best {
            self.found[k] = vec![TimedValue { t, value: sign * value }];
        }
    }
}

impl Observer for RunReader<'_, '_> {
    fn looks_inside(&self, _t0: f64, _t1: f64) -> bool {
        true
    }

    fn step(&mut self, segment: &AcceptedStep) -> bool {
        for k in 0..self.questions.len() {
            self.answer(k, segment);
        }
        self.progress.at(segment.t1 / self.duration)
    }

    fn event(&mut self, guard: usize, _seen: f64, before: &State, after: &State) {
        self.events.push(Event { t: before.t, guard, before: before.clone(), after: after.clone() });
    }
}
