//! No slip is missed: a block at rest is pushed by any signal, and slides for the first time just when the force first exceeds
//! what its contact can bear.
//!
//! The time of the first slip is known without any integration: a scan of the signal, several hundred times per period, with
//! the maxima in between refined. Signals of every kind, durations from a hundredth of a second to a day, all laws that are
//! set-valued at rest, all methods, loose and tight tolerances.

use crate::mechanisms::{law, part};
use crate::random::Random;
use bristle_core::Mode;
use bristle_law::LawKind;
use bristle_mech::{PartKind, SignalKind, Spec, System};
use bristle_solve::{Dynamics, Method, Output, Solver, Trajectory};
use std::f64::consts::TAU;

/// A signal written down a second time, for the scan.
#[derive(Debug)]
pub enum Wave {
    /// Offset, and amplitude, frequency, phase and start of each sine.
    Sines(f64, Vec<[f64; 4]>),
    /// Base, height, start, width, rise, period.
    Pulse([f64; 6]),
    Polyline(Vec<f64>, Vec<f64>),
    /// Height, start, end, ramp.
    Trapezoid([f64; 4]),
    /// From, to, start, duration.
    SmoothStep([f64; 4]),
    /// Slope and start.
    Ramp([f64; 2]),
}

impl Wave {
    pub fn value(&self, t: f64) -> f64 {
        match self {
            Wave::Sines(offset, sines) => {
                let sine = |[a, f, phi, start]: &[f64; 4]| {
                    if t < *start { 0.0 } else { a * (TAU * f * (t - start) + phi).sin() }
                };
                offset + sines.iter().map(sine).sum::<f64>()
            }
            Wave::Pulse([base, height, start, width, rise, period]) => {
                let s = if *period > 0.0 && t >= *start { (t - start) % period } else { t - start };
                let up = if *rise > 0.0 { (s / rise).clamp(0.0, 1.0) } else { f64::from(s >= 0.0) };
                let down =
                    if *rise > 0.0 { ((s - width) / rise).clamp(0.0, 1.0) } else { f64::from(s >= *width) };
                base + height * (up - down)
            }
            Wave::Polyline(times, values) => {
                let i = times.partition_point(|x| *x <= t);
                match i {
                    0 => values[0],
                    i if i == times.len() => values[i - 1],
                    i => {
                        values[i - 1]
                            + (values[i] - values[i - 1]) * (t - times[i - 1]) / (times[i] - times[i - 1])
                    }
                }
            }
            Wave::Trapezoid([height, start, end, ramp]) => {
                height * (((t - start) / ramp).clamp(0.0, 1.0) - ((t - end + ramp) / ramp).clamp(0.0, 1.0))
            }
            Wave::SmoothStep([from, to, start, duration]) => {
                let q = ((t - start) / duration).clamp(0.0, 1.0);
                from + (to - from) * q * q * (3.0 - 2.0 * q)
            }
            Wave::Ramp([slope, start]) => slope * (t - start).max(0.0),
        }
    }

    /// Times at which the scan has to look: all jumps and kinks, and several hundred per period.
    pub fn knots(&self, end: f64) -> Vec<f64> {
        let mut knots = vec![0.0, end];
        match self {
            Wave::Sines(_, sines) => {
                let fastest = sines.iter().map(|s| s[1]).fold(0.0, f64::max);
                let count = (400.0 * fastest * end).ceil().max(400.0) as usize;
                knots.extend((1..count).map(|k| end * k as f64 / count as f64));
                knots.extend(sines.iter().map(|s| s[3]));
            }
            Wave::Pulse([_, _, start, width, rise, period]) => {
                let turns = if *period > 0.0 { (end / period).ceil() as usize + 1 } else { 1 };
                for turn in 0..turns {
                    let t = start + turn as f64 * period;
                    knots.extend([t, t + rise, t + width, t + width + rise]);
                }
            }
            Wave::Polyline(times, _) => knots.extend(times),
            Wave::Trapezoid([_, start, stop, ramp]) => {
                knots.extend([*start, start + ramp, stop - ramp, *stop])
            }
            Wave::SmoothStep([_, _, start, duration]) => knots.extend([*start, start + duration]),
            Wave::Ramp([_, start]) => knots.push(*start),
        }
        knots.retain(|t| (0.0..=end).contains(t));
        knots.sort_by(f64::total_cmp);
        knots.dedup();
        knots
    }

    pub fn spec(&self) -> Spec {
        let signal = |kind: SignalKind, numbers: &[(&str, f64)]| {
            let card = kind.card();
            numbers.iter().fold(Spec::of(&card), |spec, (name, value)| spec.with(&card, name, *value))
        };
        match self {
            Wave::Sines(offset, sines) => {
                sines.iter().fold(signal(SignalKind::Sum, &[("offset", *offset)]), |sum, s| {
                    let numbers =
                        [("amplitude", s[0]), ("frequency", s[1]), ("phase", s[2]), ("start", s[3])];
                    sum.holding("terms", signal(SignalKind::Sine, &numbers))
                })
            }
            Wave::Pulse([base, height, start, width, rise, period]) => signal(
                SignalKind::Pulse,
                &[
                    ("base", *base),
                    ("height", *height),
                    ("start", *start),
                    ("width", *width),
                    ("rise", *rise),
                    ("period", *period),
                ],
            ),
            Wave::Polyline(times, values) => {
                let mut spec = signal(SignalKind::Polyline, &[]);
                spec.lists = vec![("times".into(), times.clone()), ("values".into(), values.clone())];
                spec
            }
            Wave::Trapezoid([height, start, end, ramp]) => signal(
                SignalKind::Trapezoid,
                &[("height", *height), ("start", *start), ("end", *end), ("ramp", *ramp)],
            ),
            Wave::SmoothStep([from, to, start, duration]) => signal(
                SignalKind::SmoothStep,
                &[("from", *from), ("to", *to), ("start", *start), ("duration", *duration)],
            ),
            Wave::Ramp([slope, start]) => signal(SignalKind::Ramp, &[("slope", *slope), ("start", *start)]),
        }
    }

    /// A signal whose largest value is about `peak`.
    pub fn random(r: &mut Random, end: f64, peak: f64) -> Wave {
        match r.below(8) {
            0 => {
                let f = r.decade(0.1, 1000.0) / end;
                let start = if r.unit() < 0.3 { r.between(0.0, 0.5 * end) } else { 0.0 };
                Wave::Sines(0.0, vec![[peak, f, r.between(0.0, TAU), start]])
            }
            1 => Wave::Sines(r.between(-0.4, 0.4), vec![[peak, r.decade(0.1, 1000.0) / end, 0.0, 0.0]]),
            2 => {
                let share = peak / 2.0;
                let sines = (0..2 + r.below(2))
                    .map(|_| [share, r.decade(0.5, 300.0) / end, r.between(0.0, TAU), 0.0]);
                Wave::Sines(0.0, sines.collect())
            }
            3 => {
                let width = end * r.decade(1e-6, 0.1);
                let rise = if r.unit() < 0.5 { 0.0 } else { 0.3 * width };
                let period = if r.unit() < 0.5 { 0.0 } else { width * r.between(2.0, 5.0) + end * 1e-3 };
                Wave::Pulse([0.0, peak, end * r.between(0.0, 0.9), width, rise, period])
            }
            4 => {
                let count = 2 + r.below(40);
                let mut times: Vec<f64> = (0..count).map(|_| r.between(0.0, end)).collect();
                times.sort_by(f64::total_cmp);
                times.dedup();
                let values = times.iter().map(|_| peak * r.between(-1.0, 1.0)).collect();
                Wave::Polyline(times, values)
            }
            5 => {
                let start = end * r.between(0.0, 0.5);
                let ramp = end * r.decade(1e-4, 0.1);
                Wave::Trapezoid([peak, start, start + 2.0 * ramp + end * r.decade(1e-4, 0.2), ramp])
            }
            6 => Wave::SmoothStep([0.0, peak, end * r.between(0.0, 0.5), end * r.decade(1e-4, 0.5)]),
            _ => Wave::Ramp([peak / end * r.between(0.5, 20.0), end * r.between(0.0, 0.9)]),
        }
    }

    /// When `|f|` first exceeds `limit`, by brute force.
    fn first_above(&self, limit: f64, end: f64) -> Option<f64> {
        first_positive(&self.knots(end), f64::INFINITY, |t| self.value(t).abs() - limit)
    }
}

/// When something first becomes positive, by brute force, from samples that show all of its jumps and maxima: between two of them
/// it rises by no more than `rise`.
pub fn first_positive(knots: &[f64], rise: f64, excess: impl Fn(f64) -> f64) -> Option<f64> {
    for pair in knots.windows(2) {
        // Just inside the knots: values may jump there.
        let inside = 1e-9 * (pair[1] - pair[0]);
        let (mut low, mut high) = (pair[0] + inside, pair[1] - inside);
        if excess(low) > 0.0 {
            return Some(pair[0]);
        }
        if excess(high) <= 0.0 {
            if excess(low).max(excess(high)) < -rise {
                continue;
            }
            // A maximum may lie between two samples or, at a start of a sine, in a short piece.
            high = highest(low, high, &excess);
            if excess(high) <= 0.0 {
                continue;
            }
        }
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if excess(middle) > 0.0 { high = middle } else { low = middle }
        }
        return Some(high);
    }
    None
}

/// Where the excess is largest between two samples: golden section.
fn highest(low: f64, high: f64, excess: &impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (low, high);
    for _ in 0..80 {
        let third = (high - low) * 0.381_966;
        let (a, b) = (low + third, high - third);
        if excess(a) < excess(b) { low = a } else { high = b }
    }
    0.5 * (low + high)
}

pub const METHODS: [Method; 9] = [
    Method::Auto,
    Method::Rodas4,
    Method::Rodas5p,
    Method::Dopri5,
    Method::Dop853,
    Method::Adams,
    Method::Bdf,
    Method::Esdirk34,
    Method::Tsit45,
];

/// The static friction force of all contacts here.
const LIMIT: f64 = 4.0;

fn friction(r: &mut Random) -> Spec {
    match r.below(4) {
        0 => law(LawKind::Coulomb, &[("mu_d", 2.0), ("mu_s", LIMIT)]),
        // No jump at break-away.
        1 => law(LawKind::Coulomb, &[("mu_d", LIMIT), ("mu_s", LIMIT)]),
        2 => law(LawKind::Benson, &[("mu_d", 1.0), ("mu_s", LIMIT), ("c", r.decade(0.1, 1e4))]),
        _ => law(LawKind::Karnopp, &[("mu_d", 2.0), ("mu_s", LIMIT), ("band", r.decade(1e-6, 1e-2))]),
    }
}

fn assemble(parts: Vec<(&str, Spec)>) -> System {
    System::assemble(&parts.into_iter().map(|(n, s)| (n.to_owned(), s)).collect::<Vec<_>>()).unwrap()
}

/// A block on a rough floor under a force.
fn pushed(force: Spec, friction: Spec) -> System {
    assemble(vec![
        ("block", part(PartKind::Mass, &[("mass", 1.0)])),
        ("push", part(PartKind::Force, &[]).naming("on", &["block"]).holding("signal", force)),
        (
            "pad",
            part(PartKind::Contact, &[]).naming("between", &["block", "ground"]).holding("law", friction),
        ),
    ])
}

/// The run up to the first step in which something slides.
fn until_slip(system: &System, method: Method, rtol: f64, end: f64) -> Result<Trajectory, String> {
    let solver = Solver { method, rtol, atol: rtol, ..Solver::default() };
    let mut rests = |_: f64, _: &[f64], mode: &[Mode]| mode[0] == Mode::Stick;
    system.run(&solver, end, &Output::Ends, &mut rests).map_err(|e| e.to_string())
}

/// What is wrong with the first slip of a run, if anything is.
fn judge(
    wave: &Wave,
    run: Result<Trajectory, String>,
    end: f64,
    expected: Option<f64>,
    fastest: f64,
) -> Option<String> {
    let run = match run {
        Ok(run) => run,
        Err(what) => return Some(what),
    };
    let slides = |mode: &[Mode]| mode[0] != Mode::Stick;
    let at_once = slides(run.samples.modes(0)).then_some(0.0);
    let found = at_once.or_else(|| run.events.iter().find(|e| slides(&e.after.mode)).map(|e| e.t));
    match (found, expected) {
        (None, None) => None,
        (Some(found), Some(expected)) => {
            // Near a maximum the crossing is as uncertain as the root of rounding.
            let scale = fastest.min(end);
            let off = (found - expected).abs();
            let is_close = off <= 1e-6 * scale + 1e-12 * end;
            (!is_close).then(|| format!("slips at {found:e} instead of {expected:e} of {end:e} s"))
        }
        (found, expected) => {
            let largest = wave.knots(end).iter().map(|t| wave.value(*t).abs()).fold(0.0, f64::max);
            // A signal that only touches the limit may be told either way.
            let is_touch = (largest / LIMIT - 1.0).abs() < 1e-9;
            (!is_touch).then(|| format!("{found:?} instead of {expected:?}, largest force {largest:.12}"))
        }
    }
}

pub fn shortest(wave: &Wave) -> f64 {
    match wave {
        Wave::Sines(_, sines) => sines.iter().map(|s| 1.0 / s[1]).fold(f64::INFINITY, f64::min),
        Wave::Pulse(n) => {
            if n[4] > 0.0 {
                n[4]
            } else {
                n[3]
            }
        }
        Wave::Polyline(times, _) => times.windows(2).map(|t| t[1] - t[0]).fold(f64::INFINITY, f64::min),
        Wave::Trapezoid(n) => n[3],
        Wave::SmoothStep(n) => n[3],
        Wave::Ramp(_) => f64::INFINITY,
    }
}

fn cases(seed: u64, count: usize) {
    let mut r = Random(seed);
    let (mut wrong, mut slips, mut bounds, mut evaluations) = (Vec::new(), 0, 0, 0);
    for case in 0..count {
        let end = r.decade(0.01, 1e5);
        let peak = LIMIT * r.between(0.5, 3.0);
        let wave = Wave::random(&mut r, end, peak);
        let system = pushed(wave.spec(), friction(&mut r));
        let (method, rtol) = (*r.of(&METHODS), r.decade(1e-10, 1e-3));
        let expected = wave.first_above(LIMIT, end);
        slips += usize::from(expected.is_some());
        let run = until_slip(&system, method, rtol, end);
        if let Ok(run) = &run {
            bounds += run.statistics.bounds;
            evaluations += run.statistics.evaluations;
        }
        if let Some(what) = judge(&wave, run, end, expected, shortest(&wave)) {
            let law = system.contacts()[0].kind;
            let numbers = system.params();
            wrong.push(format!(
                "case {case}, {law:?} {numbers:?}, {method:?} at {rtol:.1e}: {what}\n  {wave:?}"
            ));
        }
    }
    println!("{count} cases, {slips} slip; {bounds} bounds beside {evaluations} evaluations of the rates");
    assert!(slips * 3 > count && slips < count, "{slips} of {count} slip");
    assert!(
        wrong.is_empty(),
        "{} of {count} wrong:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
}

#[test]
fn the_first_slip_comes_when_the_force_first_exceeds_the_limit() {
    cases(1, 1500);
}

#[test]
fn the_first_slip_comes_when_it_must_second_batch() {
    cases(2, 1500);
}

#[test]
fn the_first_slip_comes_when_it_must_third_batch() {
    cases(3, 1500);
}

/// A block on a table that is shaken: it slips when the table's acceleration first exceeds what friction can give, or at once
/// where the table's velocity jumps.
#[test]
fn a_block_on_a_shaken_table_slips_when_it_must() {
    let mut r = Random(4);
    let mut wrong = Vec::new();
    for case in 0..700 {
        // No faster than tables are: some twenty metres per second.
        let end = r.decade(0.01, 30.0);
        let f = (r.decade(0.3, 300.0) / end).max(0.1);
        let (peak, phase) = (LIMIT * r.between(0.5, 3.0), r.between(0.0, TAU));
        // The velocity whose rate is a sine of amplitude `peak` (the block weighs 1 kg).
        let wave = Wave::Sines(0.0, vec![[peak, f, phase + TAU / 4.0, 0.0]]);
        let table = Wave::Sines(0.0, vec![[peak / (TAU * f), f, phase, 0.0]]);
        let start = table.value(0.0);
        let system = assemble(vec![
            ("block", part(PartKind::Mass, &[("mass", 1.0), ("v", start)])),
            ("table", part(PartKind::Drive, &[]).holding("velocity", table.spec())),
            (
                "pad",
                part(PartKind::Contact, &[])
                    .naming("between", &["block", "table"])
                    .holding("law", friction(&mut r)),
            ),
        ]);
        let (method, rtol) = (*r.of(&METHODS), r.decade(1e-10, 1e-4));
        let run = until_slip(&system, method, rtol, end);
        if let Some(what) = judge(&wave, run, end, wave.first_above(LIMIT, end), 1.0 / f) {
            wrong.push(format!("case {case}, {method:?} at {rtol:.1e}: {what}\n  {wave:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// A force that is exactly at the limit when the run begins, falls and comes back: 4 N less 1 N sine against 4 N of static
/// friction exceeds it after half a period, whatever the length of the run.
#[test]
fn a_contact_that_begins_at_its_limit_slides_when_the_force_comes_back() {
    for (duration, rtol) in [(1.0, 1e-3), (1e3, 1e-6), (1e5, 1e-9)] {
        for method in [Method::Auto, Method::Rodas4, Method::Dopri5] {
            let falling = Wave::Sines(4.0, vec![[-1.0, 1.0, 0.0, 0.0]]).spec();
            let parts = vec![
                ("block".to_owned(), part(PartKind::Mass, &[("mass", 1.0)])),
                (
                    "push".to_owned(),
                    part(PartKind::Force, &[]).naming("on", &["block"]).holding("signal", falling),
                ),
                (
                    "pad".to_owned(),
                    part(PartKind::Contact, &[])
                        .naming("between", &["block", "ground"])
                        .holding("law", law(LawKind::Coulomb, &[("mu_s", 4.0), ("mu_d", 3.0)])),
                ),
            ];
            let system = System::assemble(&parts).unwrap();
            let solver = Solver { method, ..Solver::with_tolerance(rtol) };
            let mut rests = |_: f64, _: &[f64], mode: &[Mode]| mode.iter().all(|m| *m == Mode::Stick);
            let run = system.run(&solver, duration, &Output::Ends, &mut rests).unwrap();
            let first = run.events.iter().find(|e| e.after.mode[0] != Mode::Stick).map(|e| e.t);
            assert!(first.is_some_and(|t| (t - 0.5).abs() < 1e-6), "{method:?} for {duration} s: {first:?}");
        }
    }
}
