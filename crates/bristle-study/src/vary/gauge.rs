//! What is measured of a run while it goes on, so that nothing of it has to be kept.

use super::response::{Reduction, Response, ResponseMeasure};
use bristle_core::Mode;
use bristle_mech::System;
use bristle_solve::{AcceptedStep, Cancel, Dynamics, Observer, Point, State};

/// What has come this near to its end value, relative to its greatest distance from it, and stays there, has settled.
const SETTLED: f64 = 0.02;

/// A contact without a mode slips above this share of its fastest slip rate, and is at rest below the other.
const SLIP: f64 = 0.1;
const REST: f64 = 0.02;

/// Where an output comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// A state, and the place of its rate among the states.
    State(usize, Option<usize>),
    /// A place among the outputs.
    Output(usize),
}

/// Where the mode of a contact comes from.
#[derive(Clone, Copy, Debug)]
enum ModeSource {
    /// The place of a contact along a line.
    Contact(usize),
    /// A place among the outputs.
    Output(usize),
}

/// What is made of an output.
#[derive(Clone, Debug)]
enum Gauge {
    Extremes {
        source: Source,
        window: [f64; 2],
        reduction: Reduction,
        low: f64,
        high: f64,
    },
    Integral {
        source: Source,
        window: [f64; 2],
        is_rms: bool,
        sum: f64,
        span: f64,
        last: f64,
    },
    Series {
        source: Source,
        window: [f64; 2],
        is_slips: bool,
        t: Vec<f64>,
        x: Vec<f64>,
    },
    Instant {
        source: Source,
        t: f64,
        value: f64,
    },
    End {
        source: Source,
        value: f64,
    },
    Slips {
        contact: ModeSource,
        window: [f64; 2],
        count: f64,
    },
    Switches {
        count: f64,
    },
    /// Not measured along the motion.
    Other,
}

/// Measures a run.
pub(crate) struct Probe<'a> {
    system: &'a System,
    pub p: Vec<f64>,
    gauges: Vec<Gauge>,
    row: Vec<f64>,
    rates: [Vec<f64>; 2],
    cancel: Cancel,
    /// All outputs at the instant looked at, once they were asked for.
    outputs: Option<Vec<f64>>,
}

/// Where a run is.
struct GaugeInstant<'x> {
    t: f64,
    x: &'x [f64],
    mode: &'x [Mode],
}

impl<'a> Probe<'a> {
    /// For these responses.
    pub fn new(system: &'a System, responses: &[Response]) -> Self {
        let names = system.state_names();
        let channels = system.channels();
        let source = |name: &str| match names.iter().position(|n| n == name) {
            // A place whose rate is a state as well turns where that vanishes.
            Some(place) => {
                let rate = name.rsplit_once('.').and_then(|(body, letter)| {
                    let rate = match letter {
                        "q" => "v",
                        "y" => "vy",
                        "angle" => "speed",
                        _ => return None,
                    };
                    names.iter().position(|n| *n == format!("{body}.{rate}"))
                });
                Source::State(place, rate)
            }
            None => Source::Output(channels.iter().position(|c| c.name == name).unwrap_or(usize::MAX)),
        };
        let whole = [f64::NEG_INFINITY, f64::INFINITY];
        let gauge = |response: &Response| match &response.measure {
            ResponseMeasure::Output { name, reduction, window } => {
                let (source, window) = (source(name), window.unwrap_or(whole));
                match *reduction {
                    Reduction::Max | Reduction::Min | Reduction::Range | Reduction::Peak => Gauge::Extremes {
                        source,
                        window,
                        reduction: *reduction,
                        low: f64::INFINITY,
                        high: f64::NEG_INFINITY,
                    },
                    Reduction::Mean | Reduction::Rms => Gauge::Integral {
                        source,
                        window,
                        is_rms: *reduction == Reduction::Rms,
                        sum: 0.0,
                        span: 0.0,
                        last: f64::NAN,
                    },
                    Reduction::Settling => {
                        Gauge::Series { source, window, is_slips: false, t: Vec::new(), x: Vec::new() }
                    }
                    Reduction::End => Gauge::End { source, value: f64::NAN },
                    Reduction::At(t) => Gauge::Instant { source, t, value: f64::NAN },
                }
            }
            ResponseMeasure::Slips { contact, window } => {
                let window = window.unwrap_or(whole);
                let channel =
                    |quantity: &str| channels.iter().position(|c| c.name == format!("{contact}.{quantity}"));
                let own = system.contacts().iter().position(|c| c.name == *contact);
                let is_set_valued = |k: usize| system.contacts()[k].is_set_valued();
                // Only a set-valued law says by its mode that a contact rests.
                match channel("mode").filter(|_| own.is_none_or(is_set_valued)) {
                    Some(mode) => {
                        let contact = own.map_or(ModeSource::Output(mode), ModeSource::Contact);
                        Gauge::Slips { contact, window, count: 0.0 }
                    }
                    None => Gauge::Series {
                        source: Source::Output(channel("slip_rate").unwrap_or(usize::MAX)),
                        window,
                        is_slips: true,
                        t: Vec::new(),
                        x: Vec::new(),
                    },
                }
            }
            ResponseMeasure::Switches => Gauge::Switches { count: 0.0 },
            _ => Gauge::Other,
        };
        Probe {
            system,
            p: system.params().to_vec(),
            gauges: responses.iter().map(gauge).collect(),
            row: vec![0.0; system.dim()],
            rates: [vec![0.0; system.dim()], vec![0.0; system.dim()]],
            cancel: Cancel::current(),
            outputs: None,
        }
    }

    /// Forgets the run before, and takes its place at the start of the next.
    pub fn begin(&mut self, state: &State) {
        for gauge in &mut self.gauges {
            match gauge {
                Gauge::Extremes { low, high, .. } => (*low, *high) = (f64::INFINITY, f64::NEG_INFINITY),
                Gauge::Integral { sum, span, last, .. } => (*sum, *span, *last) = (0.0, 0.0, f64::NAN),
                Gauge::Series { t, x, .. } => {
                    t.clear();
                    x.clear();
                }
                Gauge::Instant { value, .. } | Gauge::End { value, .. } => *value = f64::NAN,
                Gauge::Slips { count, .. } | Gauge::Switches { count } => *count = 0.0,
                Gauge::Other => {}
            }
        }
        self.look(&GaugeInstant { t: state.t, x: &state.x, mode: &state.mode });
    }

    /// One output where the run is.
    fn value(&mut self, source: Source, here: &GaugeInstant) -> f64 {
        match source {
            Source::State(place, _) => here.x[place],
            Source::Output(place) => {
                let (system, p) = (self.system, &self.p);
                let point = Point { t: here.t, x: here.x, p, mode: here.mode };
                let outputs = self.outputs.get_or_insert_with(|| system.observe(&point));
                outputs.get(place).copied().unwrap_or(f64::NAN)
            }
        }
    }

    /// Whether a contact is at rest.
    fn rests(&mut self, contact: ModeSource, state: &State) -> bool {
        let mode = match contact {
            ModeSource::Contact(k) => self.system.mode_of(k, &state.mode).unwrap_or(f64::NAN),
            ModeSource::Output(place) => {
                self.outputs = None;
                let here = GaugeInstant { t: state.t, x: &state.x, mode: &state.mode };
                self.value(Source::Output(place), &here)
            }
        };
        mode == 0.0
    }

    /// Takes in one instant.
    fn look(&mut self, here: &GaugeInstant) {
        self.outputs = None;
        let mut gauges = std::mem::take(&mut self.gauges);
        for gauge in &mut gauges {
            match gauge {
                Gauge::Extremes { source, window, low, high, .. } if inside(window, here.t) => {
                    let value = self.value(*source, here);
                    (*low, *high) = (low.min(value), high.max(value));
                }
                Gauge::Integral { source, last, .. } => *last = self.value(*source, here),
                Gauge::Series { source, window, t, x, .. } if inside(window, here.t) => {
                    t.push(here.t);
                    x.push(self.value(*source, here));
                }
                Gauge::Instant { source, t, value } if *t == here.t => *value = self.value(*source, here),
                _ => {}
            }
        }
        self.gauges = gauges;
    }

    /// Takes in the way between the ends of a step, of which the first is known.
    fn along(&mut self, step: &AcceptedStep) {
        let mut gauges = std::mem::take(&mut self.gauges);
        let mut row = std::mem::take(&mut self.row);
        for gauge in &mut gauges {
            match gauge {
                Gauge::Extremes { source, window, low, high, .. } => {
                    let (from, to) = (step.t0.max(window[0]), step.t1.min(window[1]));
                    if from >= to {
                        continue;
                    }
                    if let Source::State(place, Some(rate)) = *source
                        && from == step.t0
                        && to == step.t1
                    {
                        if step.x0[rate] * step.x1[rate] < 0.0 {
                            let value = self.turn(step, place, rate);
                            (*low, *high) = (low.min(value), high.max(value));
                        }
                        continue;
                    }
                    let values = [from, 0.5 * (from + to), to].map(|t| self.at(step, t, *source, &mut row));
                    let top = vertex(values);
                    for value in values.into_iter().chain(top) {
                        (*low, *high) = (low.min(value), high.max(value));
                    }
                }
                Gauge::Integral { source, window, is_rms, sum, span, last } => {
                    let (from, to) = (step.t0.max(window[0]), step.t1.min(window[1]));
                    if from >= to {
                        continue;
                    }
                    let first = if from == step.t0 { *last } else { self.at(step, from, *source, &mut row) };
                    let term = |v: f64| if *is_rms { v * v } else { v };
                    // Boole's rule: steps of order eight are too long for Simpson's.
                    let mut total = 7.0 * term(first);
                    for (share, weight) in [(0.25, 32.0), (0.5, 12.0), (0.75, 32.0), (1.0, 7.0)] {
                        let t = if share < 1.0 { from + share * (to - from) } else { to };
                        total += weight * term(self.at(step, t, *source, &mut row));
                    }
                    *sum += (to - from) / 90.0 * total;
                    *span += to - from;
                }
                Gauge::Series { source, window, t, x, .. } => {
                    let middle = 0.5 * (step.t0 + step.t1);
                    if inside(window, middle) {
                        t.push(middle);
                        x.push(self.at(step, middle, *source, &mut row));
                    }
                }
                Gauge::Instant { source, t, value } if step.t0 < *t && *t < step.t1 => {
                    *value = self.at(step, *t, *source, &mut row);
                }
                _ => {}
            }
        }
        (self.gauges, self.row) = (gauges, row);
    }

    fn at(&mut self, step: &AcceptedStep, t: f64, source: Source, row: &mut [f64]) -> f64 {
        step.at(t, row);
        self.outputs = None;
        self.value(source, &GaugeInstant { t: t.min(step.t1_seen), x: row, mode: step.mode })
    }

    /// Where a place whose rate changes its sign within a step turns: on the fifth-degree polynomial through place, rate and
    /// acceleration at both ends.
    fn turn(&mut self, step: &AcceptedStep, place: usize, rate: usize) -> f64 {
        let h = step.t1 - step.t0;
        let ends = [(step.t0, step.x0), (step.t1_seen, step.x1)];
        for (rates, (t, x)) in self.rates.iter_mut().zip(ends) {
            self.system.rates(Point { t, x, p: &self.p, mode: step.mode }, rates);
        }
        let q = [step.x0[place], step.x1[place]];
        let v = [step.x0[rate] * h, step.x1[rate] * h];
        let a = [self.rates[0][rate] * h * h, self.rates[1][rate] * h * h];
        let gap = q[1] - q[0] - v[0] - 0.5 * a[0];
        let slope = v[1] - v[0] - a[0];
        let bend = a[1] - a[0];
        let c = [
            10.0 * gap - 4.0 * slope + 0.5 * bend,
            -15.0 * gap + 7.0 * slope - bend,
            6.0 * gap - 3.0 * slope + 0.5 * bend,
        ];
        let value = |s: f64| q[0] + s * (v[0] + s * (0.5 * a[0] + s * (c[0] + s * (c[1] + s * c[2]))));
        let speed = |s: f64| v[0] + s * (a[0] + s * (3.0 * c[0] + s * (4.0 * c[1] + s * 5.0 * c[2])));
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if (speed(middle) > 0.0) == (v[0] > 0.0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        value(low)
    }

    /// The values at the end of a run, in the order of the responses; not a number for what is not measured along it.
    pub fn finish(&mut self, end: &State) -> Vec<f64> {
        let here = GaugeInstant { t: end.t, x: &end.x, mode: &end.mode };
        self.outputs = None;
        let mut gauges = std::mem::take(&mut self.gauges);
        let values = gauges.iter_mut().map(|gauge| match gauge {
            Gauge::Extremes { reduction, low, high, .. } => match reduction {
                Reduction::Max => *high,
                Reduction::Min => *low,
                Reduction::Range => *high - *low,
                _ => high.abs().max(low.abs()),
            },
            Gauge::Integral { is_rms, sum, span, .. } => {
                let mean = *sum / *span;
                if *is_rms { mean.sqrt() } else { mean }
            }
            Gauge::Series { is_slips: true, x, .. } => slips(x),
            Gauge::Series { t, x, .. } => settling(t, x),
            Gauge::Instant { value, .. } => *value,
            Gauge::End { source, value } => {
                *value = self.value(*source, &here);
                *value
            }
            Gauge::Slips { count, .. } | Gauge::Switches { count } => *count,
            Gauge::Other => f64::NAN,
        });
        let values = values.collect();
        self.gauges = gauges;
        values
    }
}

fn inside(window: &[f64; 2], t: f64) -> bool {
    window[0] <= t && t <= window[1]
}

/// The top or bottom of the parabola through three even values, if it lies between the outer two.
fn vertex([a, b, c]: [f64; 3]) -> Option<f64> {
    let (slope, bend) = (0.5 * (c - a), a - 2.0 * b + c);
    let place = -slope / bend;
    (place.abs() < 1.0).then_some(b + 0.5 * slope * place)
}

/// From when on values stay near the last; not a number if they do so only at the very end.
pub(super) fn settling(t: &[f64], x: &[f64]) -> f64 {
    let (Some(&first), Some(&last), Some(&end)) = (t.first(), t.last(), x.last()) else { return f64::NAN };
    let far = x.iter().fold(0.0, |m: f64, v| m.max((v - end).abs()));
    let peak = x.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    let band = (SETTLED * far).max(1e-9 * peak);
    let at = match x.iter().rposition(|v| (v - end).abs() > band) {
        None => first,
        Some(i) => {
            let [a, b] = [i, i + 1].map(|k| (x[k] - end).abs());
            t[i] + (t[i + 1] - t[i]) * if a > b { (a - band) / (a - b) } else { 1.0 }
        }
    };
    // What settles so late has not been watched long enough.
    if at <= first + 0.95 * (last - first) { at } else { f64::NAN }
}

/// How often slip rates go from rest to slip.
pub(super) fn slips(rates: &[f64]) -> f64 {
    let fastest = rates.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    let (mut is_slipping, mut count) = (rates.first().is_some_and(|v| v.abs() > SLIP * fastest), 0.0);
    for rate in rates {
        if !is_slipping && rate.abs() > SLIP * fastest {
            is_slipping = true;
            count += 1.0;
        } else if rate.abs() < REST * fastest {
            is_slipping = false;
        }
    }
    count
}

impl Observer for Probe<'_> {
    fn looks_inside(&self, t0: f64, t1: f64) -> bool {
        let cuts = |window: &[f64; 2]| window.iter().any(|t| t0 < *t && *t < t1);
        let meets = |window: &[f64; 2]| window[0] < t1 && t0 < window[1];
        self.gauges.iter().any(|gauge| match gauge {
            Gauge::Extremes { source: Source::State(_, Some(_)), window, .. } => cuts(window),
            Gauge::Extremes { window, .. }
            | Gauge::Integral { window, .. }
            | Gauge::Series { window, .. } => meets(window),
            Gauge::Instant { t, .. } => t0 < *t && *t < t1,
            _ => false,
        })
    }

    fn step(&mut self, step: &AcceptedStep) -> bool {
        self.along(step);
        self.look(&GaugeInstant { t: step.t1, x: step.x1, mode: step.mode });
        !self.cancel.is_cancelled()
    }

    fn event(&mut self, _guard: usize, _seen: f64, before: &State, after: &State) {
        let mut gauges = std::mem::take(&mut self.gauges);
        for gauge in &mut gauges {
            match gauge {
                Gauge::Slips { contact, window, count } if inside(window, before.t) => {
                    let has_let_go = self.rests(*contact, before) && !self.rests(*contact, after);
                    *count += f64::from(u8::from(has_let_go));
                }
                Gauge::Switches { count } => *count += 1.0,
                _ => {}
            }
        }
        self.gauges = gauges;
        self.look(&GaugeInstant { t: after.t, x: &after.x, mode: &after.mode });
    }
}

#[cfg(test)]
mod gauge_tests {
    use super::*;

    #[test]
    fn small_examples_by_hand() {
        assert_eq!(vertex([0.0, 0.75, 1.0]), None);
        // 1 − s² at −0.5, 0.25 and 1.
        let top = vertex([0.75, 0.9375, 0.0]).unwrap();
        assert!((top - 1.0).abs() < 1e-15, "{top}");
        assert_eq!(slips(&[0.0, 0.5, 1.0, 0.05, 0.5, 0.0, 0.01, 0.3]), 2.0);
        let t: Vec<f64> = (0..=2000).map(|i| f64::from(i) * 1e-2).collect();
        let x: Vec<f64> = t.iter().map(|t| (-t).exp()).collect();
        assert!((settling(&t, &x) - 50f64.ln()).abs() < 1e-4);
    }
}
