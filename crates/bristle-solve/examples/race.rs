//! Time to the same error, our methods against a library's, on the friction problems they are made for.
//!
//! Each method runs each problem over a scan of tolerances; the error is the largest deviation from a tight reference at ten
//! times, dense at the start, relative to the state and its scale. The time at a given error is read off by interpolation between the
//! logarithms. All are measured in several rounds, one after the other, and the least time counts: the lesser of the time on the
//! clock and of that on the processor, so that other work on the machine matters little. Run with `cargo run --release -p bristle-solve --example race [-- word]`; a word picks problems by name and
//! `points` prints all measured points. `--peers FILE` also writes the references and our times as JSON, for
//! `benches/peers.py` to run other solvers against. `--cvode PROGRAM` lets CVODE take part, as the program compiled from
//! `benches/cvode.c` with SUNDIALS made for this machine: plain, as its manual introduces it, and tuned, the fastest of what an
//! expert would try. `--packaged PROGRAM` is the same program with SUNDIALS as a distribution compiles it, plain.

#![allow(clippy::print_stdout)]

use bristle_solve::problems::{Belt, BenchLoad, Chain, Rabinowicz, TestBench};
use bristle_solve::{Dynamics, Method, Output, Solver, State};
use cpu_time::ThreadTime;
use std::time::Instant;

#[path = "race/cvode.rs"]
mod cvode;

const METHODS: [Method; 6] =
    [Method::Auto, Method::Rodas5p, Method::Rodas4, Method::Dopri5, Method::Dop853, Method::Bdf];
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
    println!("time to the same error, ms; in brackets: times `auto`");
    print!("{:<22}{:>8}", "problem", "error");
    METHODS.iter().for_each(|m| print!("{:>18}", m.name()));
    for (is_there, title) in setup.natives() {
        print!("{}", if is_there { format!("{title:>18}") } else { String::new() });
    }
    println!();
    let mut peers = Vec::new();
    let bench = TestBench::new(BenchLoad::Pulse { rise: 0.001 });
    peers.extend(race(&setup, "FrDyn2 pulse", &bench, &bench.numbers(), bench.initial(), 0.1));
    let bench = TestBench::new(BenchLoad::Hold);
    peers.extend(race(&setup, "FrDyn2 300 s hold", &bench, &bench.numbers(), bench.initial(), 300.0));
    let belt = Belt::at(0.1);
    peers.extend(race(&setup, "dwell-time belt 10 s", &belt, &belt.params, belt.initial(), 10.0));
    let belt = Rabinowicz;
    peers.extend(race(&setup, "velocity-based belt", &belt, &belt.numbers(), belt.initial(), 50.0));
    let chain = Chain::new(200);
    peers.extend(race(&setup, "chain of 200", &chain, &chain.numbers(), chain.initial(), 0.5));
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

fn race<D: Dynamics>(
    setup: &Setup,
    name: &str,
    dynamics: &D,
    numbers: &[f64],
    initial: State,
    t_end: f64,
) -> Option<String> {
    if setup.words.iter().any(|w| w != "points" && !name.contains(w.as_str())) {
        return None;
    }
    let times: Vec<f64> = (1..=10).map(|i| t_end * (f64::from(i) / 10.0).powi(2)).collect();
    let output = Output::Times(times);
    let sample = |method: Method, tolerance: f64| {
        let solver = Solver { method, max_steps: 200_000, ..Solver::with_tolerance(tolerance) };
        solver.run(dynamics, dynamics.params(), initial.clone(), t_end, &output, &mut ())
    };
    let Ok(reference) = sample(Method::Rodas5p, 1e-12) else {
        println!("{name}: no reference");
        return None;
    };
    let mut scales = vec![1.0; dynamics.dim()];
    dynamics.scales(dynamics.params(), &mut scales);
    // Rows of events lie between those at the times asked for.
    let at_times = |samples: &bristle_solve::Samples| -> Vec<f64> {
        let Output::Times(times) = &output else { return vec![] };
        let row = |t: &f64| samples.t.iter().position(|s| s == t).map(|i| samples.row(i).to_vec());
        times.iter().filter_map(row).flatten().collect()
    };
    let exact = at_times(&reference.samples);
    let error_of = |values: &[f64]| {
        let scale = scales.iter().cycle();
        let pairs = values.iter().zip(&exact).zip(scale);
        let largest = pairs.map(|((a, b), s)| (a - b).abs() / (s + b.abs())).fold(0.0, f64::max);
        let complete = values.len() == exact.len() && values.iter().all(|v| v.is_finite());
        if complete { largest } else { f64::INFINITY }
    };
    let scan = |method: Method| -> Vec<Run> {
        let mut curve = Vec::new();
        for k in 6..=22 {
            let tolerance = 10f64.powf(-0.5 * f64::from(k));
            let (mut time, result) = timed(|| sample(method, tolerance));
            let Ok(result) = result else { continue };
            for _ in 0..(BUDGET / time).min(30.0) as usize {
                time = time.min(timed(|| sample(method, tolerance)).0);
            }
            let error = error_of(&at_times(&result.samples));
            if setup.all_points() {
                let (name_of, s, ms) = (method.name(), result.statistics, 1e3 * time);
                println!("{name} {name_of} {tolerance:.1e} {error:.1e} {ms:.3} ms {s:?}");
            }
            curve.push(Run { tolerance, error, time });
            if error < ENOUGH {
                break;
            }
        }
        curve
    };
    let Output::Times(times) = &output else { return None };
    let problem =
        cvode::Problem { name, breaks: breaks(dynamics, t_end), times, start: &initial.x, scales: &scales };
    let mut curves: Vec<Vec<Run>> = vec![Vec::new(); METHODS.len()];
    let programs = [&setup.packaged, &setup.cvode];
    let mut natives: [Option<cvode::Answer>; 2] = [None, None];
    let mut is_long = [false; METHODS.len()];
    for _ in 0..ROUNDS {
        for (i, &method) in METHODS.iter().enumerate() {
            if is_long[i] {
                continue;
            }
            let (seconds, round) = timed(|| scan(method));
            is_long[i] = seconds > LONG;
            merge(&mut curves[i], round);
        }
        for (native, program) in natives.iter_mut().zip(programs) {
            let answer = program.as_ref().and_then(|program| cvode::ask(program, &problem, BUDGET));
            *native = match (native.take(), answer) {
                (Some(a), Some(b)) => Some(a.merge(b)),
                (a, b) => a.or(b),
            };
        }
    }
    let [packaged, own] = natives.map(|native| {
        native.map_or([Vec::new(), Vec::new()], |answer| native_times(&answer, name, setup, error_of))
    });
    let [packaged, plain, tuned] = [&packaged[0], &own[0], &own[1]];
    for (index, error) in ERRORS.into_iter().enumerate() {
        print!("{name:<22}{error:>8.0e}");
        let ours = time_at(&curves[0], error);
        let others = curves.iter().map(|curve| time_at(curve, error));
        let natives = [packaged, plain, tuned].into_iter().filter_map(|times| times.get(index).copied());
        for time in others.chain(natives) {
            match (time, ours) {
                (Some(time), Some(ours)) => print!("{:>10.3} ({:>5.2})", 1e3 * time, time / ours),
                (Some(time), None) => print!("{:>18.3}", 1e3 * time),
                _ => print!("{:>18}", "–"),
            }
        }
        println!();
    }
    let ours: Vec<f64> = ERRORS.iter().map(|&e| time_at(&curves[0], e).unwrap_or(-1.0)).collect();
    let known = |times: &[Option<f64>]| times.iter().map(|t| t.unwrap_or(-1.0)).collect::<Vec<f64>>();
    Some(format!(
        r#"{{"name": "{name}", "t_end": {t_end:?}, "start": {:?}, "params": {:?}, "scales": {scales:?}, "times": {times:?}, "exact": {exact:?}, "errors": {ERRORS:?}, "ours": {ours:?}, "cvode_packaged": {:?}, "cvode_plain": {:?}, "cvode_tuned": {:?}}}"#,
        initial.x,
        numbers,
        known(packaged),
        known(plain),
        known(tuned),
    ))
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
