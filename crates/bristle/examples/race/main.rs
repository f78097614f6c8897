//! Time to the same error on the friction problems the methods are made for: a scenario file, the same problem written by hand in
//! Rust, a library's methods and CVODE.
//!
//! Each runs each problem over a scan of tolerances; the error is the largest deviation from a tight reference at ten times, dense at
//! the start, relative to the state and its scale. A scenario also integrates its losses and the way of its belt; its error is that
//! of the states both have. The time at a given error is read off by interpolation between the logarithms. All are measured in
//! several rounds, one after the other, and the least time counts: the lesser of the time on the clock and of that on the processor,
//! so that other work on the machine matters little. Run with `cargo run --release -p bristle --example race [-- word]`; a word picks
//! problems by name and `points` prints all measured points. `--peers FILE` also writes the references and our times as JSON, for
//! `benches/peers.py` to run other solvers against. `--cvode PROGRAM` lets CVODE take part, as the program compiled from
//! `benches/cvode.c` with SUNDIALS made for this machine: plain, as its manual introduces it, and tuned, the fastest of what an
//! expert would try. `--packaged PROGRAM` is the same program with SUNDIALS as a distribution compiles it, plain. CVODE and the
//! solvers of Python take no part where modes switch (GMS, stack): their right-hand sides would need events of their own.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use bristle::Scenario;
use bristle_solve::problems::{Belt, BenchLoad, Chain, GmsBelt, Rabinowicz, Stack, TestBench};
use bristle_solve::{Dynamics, Method, Output, Solver, State, Statistics};
use cpu_time::ThreadTime;
use std::path::Path;
use std::time::Instant;

mod cvode;

/// Who runs: the scenario by the interpreter, the problem written by hand with one of these methods, and, where that is built, the
/// scenario as machine code.
const ALL_RUNNERS: [(&str, Method); 8] = [
    ("scenario", Method::Auto),
    ("by hand", Method::Auto),
    ("rodas5p", Method::Rodas5p),
    ("rodas4", Method::Rodas4),
    ("dopri5", Method::Dopri5),
    ("dop853", Method::Dop853),
    ("diffsol bdf", Method::Bdf),
    ("scenario jit", Method::Auto),
];
const RUNNERS: &[(&str, Method)] =
    ALL_RUNNERS.split_at(ALL_RUNNERS.len() - if cfg!(feature = "jit") { 0 } else { 1 }).0;
const JIT: usize = 7;
const ERRORS: [f64; 4] = [1e-3, 1e-4, 1e-5, 1e-6];
/// Below this error a scan of tolerances ends.
const ENOUGH: f64 = 1e-8;
const ROUNDS: usize = 5;
/// Seconds for the repeats of one run within a round.
const BUDGET: f64 = 0.02;
/// A scan of tolerances that takes longer than these seconds is not repeated.
const LONG: f64 = 5.0;

fn main() -> std::io::Result<()> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let file = take_option(&mut words, "--peers");
    let cvode = take_option(&mut words, "--cvode");
    let packaged = take_option(&mut words, "--packaged");
    let setup = Setup { words, cvode, packaged };
    println!(
        "time to the same error, ms; in brackets: times the scenario; all but the first from problems written by hand"
    );
    print!("{:<22}{:>8}", "problem", "error");
    RUNNERS.iter().for_each(|(title, _)| print!("{title:>18}"));
    for (is_there, title) in setup.natives() {
        print!("{}", if is_there { format!("{title:>18}") } else { String::new() });
    }
    println!();
    let mut peers = Vec::new();
    let bench = TestBench::new(BenchLoad::Pulse { rise: 0.001 });
    let twin = Twin::of("FrDyn2 pulse", "pulse", (0..4).collect(), bench.initial(), &bench.numbers());
    peers.extend(twin.race(&setup, &bench));
    let bench = TestBench::new(BenchLoad::Hold);
    let twin = Twin::of("FrDyn2 300 s hold", "hold", (0..4).collect(), bench.initial(), &bench.numbers());
    peers.extend(twin.race(&setup, &bench));
    let belt = Belt::at(0.1);
    let twin = Twin::of("dwell-time belt 10 s", "dwell_belt", (0..4).collect(), belt.initial(), &belt.params);
    peers.extend(twin.race(&setup, &belt));
    let belt = Rabinowicz;
    let twin = Twin::of("velocity-based belt", "velocity_belt", vec![0, 1], belt.initial(), &belt.numbers());
    peers.extend(twin.race(&setup, &belt));
    let chain = Chain::new(200);
    let mut twin = Twin::of("chain of 200", "chain", Vec::new(), chain.initial(), &chain.numbers());
    let names = twin.scenario.system.state_names();
    let states = (0..200).flat_map(|i| [format!("m{i}.q"), format!("m{i}.v"), format!("c{i}.z")]);
    twin.places = states.filter_map(|state| names.iter().position(|name| *name == state)).collect();
    peers.extend(twin.race(&setup, &chain));
    let twin = Twin::of("GMS belt", "gms_belt", (0..6).collect(), GmsBelt.initial(), &[]);
    peers.extend(twin.race(&setup, &GmsBelt));
    let twin = Twin::of("three-body stack", "stack", vec![0, 2, 4, 1, 3, 5], Stack.initial(), &[]);
    peers.extend(twin.race(&setup, &Stack));
    file.map_or(Ok(()), |file| std::fs::write(file, format!("[{}]\n", peers.join(",\n"))))
}

/// Takes an option and its value out of the words.
fn take_option(words: &mut Vec<String>, name: &str) -> Option<String> {
    let at = words.iter().position(|w| w == name)?;
    words.drain(at..(at + 2).min(words.len())).nth(1)
}

/// What the user asked for.
struct Setup {
    words: Vec<String>,
    cvode: Option<String>,
    packaged: Option<String>,
}

impl Setup {
    /// What there is of CVODE, in the order of the columns.
    fn natives(&self) -> [(bool, &'static str); 3] {
        let (own, packaged) = (self.cvode.is_some(), self.packaged.is_some());
        [(packaged, "CVODE packaged"), (own, "CVODE plain"), (own, "CVODE tuned")]
    }

    fn all_points(&self) -> bool {
        self.words.iter().any(|w| w == "points")
    }
}

/// One run: tolerance, error and time.
#[derive(Clone, Copy)]
struct Run {
    tolerance: f64,
    error: f64,
    time: f64,
}

/// Seconds a piece of work takes, and what it gives: the lesser of the clock's and the processor's.
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let (busy, clock) = (ThreadTime::now(), Instant::now());
    let result = work();
    let clock = clock.elapsed().as_secs_f64();
    (clock.min(busy.elapsed().as_secs_f64()), result)
}

/// A problem written by hand, and as a scenario.
struct Twin<'a> {
    name: &'a str,
    scenario: Scenario,
    /// Where the scenario has the states of the problem written by hand.
    places: Vec<usize>,
    initial: State,
    /// What right-hand sides in other languages need to know; nothing if there are none.
    numbers: Vec<f64>,
    t_end: f64,
    times: Vec<f64>,
}

/// The states of the problem at the times asked for, and what they cost.
type Sample<'a> = dyn Fn(Method, f64) -> Option<(Vec<f64>, Statistics)> + 'a;

impl<'a> Twin<'a> {
    fn of(name: &'a str, file: &str, places: Vec<usize>, initial: State, numbers: &[f64]) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let scenario = Scenario::from_file(&root.join(format!("benches/scenarios/{file}.toml"))).unwrap();
        let t_end = scenario.studies[0].spec.numbers[0];
        let times = (1..=10).map(|i| t_end * (f64::from(i) / 10.0).powi(2)).collect();
        Twin { name, scenario, places, initial, numbers: numbers.to_vec(), t_end, times }
    }

    fn sample<D: Dynamics>(
        &self,
        dynamics: &D,
        initial: &State,
        places: &[usize],
        method: Method,
        tolerance: f64,
    ) -> Option<(Vec<f64>, Statistics)> {
        let solver = Solver { method, max_steps: 200_000, ..Solver::with_tolerance(tolerance) };
        let output = Output::Times(self.times.clone());
        let found =
            solver.run(dynamics, dynamics.params(), initial.clone(), self.t_end, &output, &mut ()).ok()?;
        let samples = &found.samples;
        // Rows of events lie between those at the times asked for.
        let row = |t: &f64| samples.t.iter().position(|s| s == t).map(|i| samples.row(i));
        let rows = self.times.iter().filter_map(row);
        let picked = rows.flat_map(|row| places.iter().map(|place| row[*place])).collect();
        Some((picked, found.statistics))
    }

    fn race<D: Dynamics>(&self, setup: &Setup, dynamics: &D) -> Option<String> {
        let name = self.name;
        if setup.words.iter().any(|w| w != "points" && !name.contains(w.as_str())) {
            return None;
        }
        let system = &self.scenario.system;
        let (start, all) = (system.initial(system.params()), (0..dynamics.dim()).collect::<Vec<usize>>());
        let as_scenario =
            |method: Method, tolerance: f64| self.sample(system, &start, &self.places, method, tolerance);
        let by_hand =
            |method: Method, tolerance: f64| self.sample(dynamics, &self.initial, &all, method, tolerance);
        let samples: [&Sample; 2] = [&as_scenario, &by_hand];
        let [Some((exact, _)), Some((exact_by_hand, _))] =
            samples.map(|sample| sample(Method::Rodas5p, 1e-12))
        else {
            println!("{name}: no reference");
            return None;
        };
        let mut scales = vec![1.0; dynamics.dim()];
        dynamics.scales(dynamics.params(), &mut scales);
        let exact = [exact, exact_by_hand];
        let problem = cvode::Problem {
            name,
            breaks: breaks(dynamics, self.t_end),
            times: &self.times,
            start: &self.initial.x,
            scales: &scales,
        };
        let mut curves: Vec<Vec<Run>> = vec![Vec::new(); RUNNERS.len()];
        let programs = [&setup.packaged, &setup.cvode]
            .map(|program| program.as_ref().filter(|_| !self.numbers.is_empty()));
        let mut natives: [Option<cvode::Answer>; 2] = [None, None];
        let mut is_long = [false; RUNNERS.len()];
        for _ in 0..ROUNDS {
            for (i, &(title, method)) in RUNNERS.iter().enumerate() {
                if is_long[i] {
                    continue;
                }
                let which = if i == JIT { 0 } else { i.min(1) };
                #[cfg(feature = "jit")]
                bristle_solve::allow_machine_code(i == JIT);
                let report = setup.all_points().then_some((name, title));
                let (seconds, round) = timed(|| {
                    scan(samples[which], method, report, |rows| error_of(rows, &exact[which], &scales))
                });
                is_long[i] = seconds > LONG;
                merge(&mut curves[i], round);
            }
            for (native, program) in natives.iter_mut().zip(programs) {
                let answer = program.and_then(|program| cvode::ask(program, &problem, BUDGET));
                *native = match (native.take(), answer) {
                    (Some(a), Some(b)) => Some(a.merge(b)),
                    (a, b) => a.or(b),
                };
            }
        }
        let [packaged, own] = natives.map(|native| {
            native.map_or([Vec::new(), Vec::new()], |answer| {
                native_times(&answer, name, setup, |rows| error_of(rows, &exact[1], &scales))
            })
        });
        let natives = [&packaged[0], &own[0], &own[1]];
        print_times(name, &curves, natives);
        let at_errors = |i: usize| ERRORS.map(|e| time_at(&curves[i], e).unwrap_or(-1.0));
        let [packaged, plain, tuned] =
            natives.map(|times| times.iter().map(|t| t.unwrap_or(-1.0)).collect::<Vec<f64>>());
        let Twin { t_end, times, .. } = self;
        (!self.numbers.is_empty()).then(|| format!(
            r#"{{"name": "{name}", "t_end": {t_end:?}, "start": {:?}, "params": {:?}, "scales": {scales:?}, "times": {times:?}, "exact": {:?}, "errors": {ERRORS:?}, "ours": {:?}, "by_hand": {:?}, "cvode_packaged": {packaged:?}, "cvode_plain": {plain:?}, "cvode_tuned": {tuned:?}}}"#,
            self.initial.x, self.numbers, exact[1], at_errors(0), at_errors(1),
        ))
    }
}

/// Largest deviation from the reference, relative to the state and its scale.
fn error_of(values: &[f64], exact: &[f64], scales: &[f64]) -> f64 {
    let pairs = values.iter().zip(exact).zip(scales.iter().cycle());
    let largest = pairs.map(|((a, b), s)| (a - b).abs() / (s + b.abs())).fold(0.0, f64::max);
    let complete = values.len() == exact.len() && values.iter().all(|v| v.is_finite());
    if complete { largest } else { f64::INFINITY }
}

/// Runs over falling tolerances.
fn scan(
    sample: &Sample,
    method: Method,
    report: Option<(&str, &str)>,
    error_of: impl Fn(&[f64]) -> f64,
) -> Vec<Run> {
    let mut curve = Vec::new();
    for k in 6..=22 {
        let tolerance = 10f64.powf(-0.5 * f64::from(k));
        let (mut time, result) = timed(|| sample(method, tolerance));
        let Some((rows, statistics)) = result else { continue };
        for _ in 0..(BUDGET / time).min(30.0) as usize {
            time = time.min(timed(|| sample(method, tolerance)).0);
        }
        let error = error_of(&rows);
        if let Some((name, title)) = report {
            println!("{name} {title} {tolerance:.1e} {error:.1e} {:.3} ms {statistics:?}", 1e3 * time);
        }
        curve.push(Run { tolerance, error, time });
        if error < ENOUGH {
            break;
        }
    }
    curve
}

fn print_times(name: &str, curves: &[Vec<Run>], natives: [&Vec<Option<f64>>; 3]) {
    for (index, error) in ERRORS.into_iter().enumerate() {
        print!("{name:<22}{error:>8.0e}");
        let ours = time_at(&curves[0], error);
        let others = curves.iter().map(|curve| time_at(curve, error));
        let natives = natives.into_iter().filter_map(|times| times.get(index).copied());
        for time in others.chain(natives) {
            match (time, ours) {
                (Some(time), Some(ours)) => print!("{:>10.3} ({:>5.2})", 1e3 * time, time / ours),
                (Some(time), None) => print!("{:>18.3}", 1e3 * time),
                _ => print!("{:>18}", "–"),
            }
        }
        println!();
    }
}

/// The corners of the load.
fn breaks<D: Dynamics>(dynamics: &D, t_end: f64) -> Vec<f64> {
    let next = |t: f64| dynamics.next_break(dynamics.params(), t).filter(|&b| b > t && b < t_end);
    std::iter::successors(next(0.0), |&t| next(t)).collect()
}

/// Keeps the lesser times of two rounds.
fn merge(curve: &mut Vec<Run>, round: Vec<Run>) {
    for run in round {
        match curve.iter_mut().find(|r| r.tolerance == run.tolerance) {
            Some(known) => known.time = known.time.min(run.time),
            None => curve.push(run),
        }
    }
}

/// CVODE's time to each error, plain and the least over all tuned variants; also says how well it agrees with the reference.
fn native_times(
    answer: &cvode::Answer,
    name: &str,
    setup: &Setup,
    error_of: impl Fn(&[f64]) -> f64,
) -> [Vec<Option<f64>>; 2] {
    let mut curves = Vec::new();
    for (variant, runs) in &answer.runs {
        let curve = |run: &cvode::Run| Run { tolerance: 0.0, error: error_of(&run.rows), time: run.time };
        let curve: Vec<Run> = runs.iter().map(curve).collect();
        if setup.all_points() {
            for (run, point) in runs.iter().zip(&curve) {
                let (n, steps, ms) = (run.evaluations, run.steps, 1e3 * run.time);
                println!(
                    "{name} CVODE {variant} {:.1e} {ms:.3} ms, {n} evaluations, {steps} steps",
                    point.error
                );
            }
        }
        curves.push((variant, curve));
    }
    let least = curves.iter().flat_map(|(_, c)| c).map(|r| r.error).fold(f64::INFINITY, f64::min);
    let verdict = if least <= 1e-6 { "agrees with" } else { "DISAGREES with" };
    let fastest = |is_plain: bool, error: f64| {
        let curves = curves.iter().filter(|(v, _)| (v.as_str() == "plain") == is_plain);
        let times = curves.filter_map(|(v, c)| Some((time_at(c, error)?, v.as_str())));
        times.min_by(|a, b| a.0.total_cmp(&b.0))
    };
    let chosen: Vec<&str> = ERRORS.iter().map(|&e| fastest(false, e).map_or("–", |(_, v)| v)).collect();
    println!(
        "{name:<22}CVODE {} {verdict} the reference to {least:.0e}, its Jacobian with differences to {:.0e}; tuned: {}",
        answer.version,
        answer.jacobian,
        chosen.join(", ")
    );
    [true, false].map(|is_plain| ERRORS.iter().map(|&e| fastest(is_plain, e).map(|(t, _)| t)).collect())
}

/// The least time at which a method reaches `error`, interpolated between neighbouring runs.
fn time_at(curve: &[Run], error: f64) -> Option<f64> {
    let direct = curve.iter().filter(|r| r.error <= error).map(|r| r.time);
    let between = curve.windows(2).filter(|w| w[0].error > error && w[1].error <= error).map(|w| {
        let share = (w[0].error / error).ln() / (w[0].error / w[1].error.max(1e-300)).ln();
        (w[0].time.ln() + share * (w[1].time / w[0].time).ln()).exp()
    });
    direct.chain(between).min_by(f64::total_cmp)
}
