//! Time to the same error, our methods against a library's, on the friction problems they are made for.
//!
//! Each method runs each problem over a scan of tolerances; the error is the largest deviation from a tight reference at ten
//! times, dense at the start, relative to the state and its scale. The time at a given error is read off by interpolation between the
//! logarithms. Run with `cargo run --release -p bristle-solve --example race [-- word]`; a word picks problems by name and
//! `points` prints all measured points. `--peers FILE` also writes the references and our times as JSON, for
//! `benches/peers.py` to run other solvers against.

#![allow(clippy::print_stdout)]

use bristle_solve::problems::{Chain, DwellBelt, Load, Rabinowicz, TestBench};
use bristle_solve::{Dynamics, Method, Output, Point, Solver, State};
use std::time::Instant;

const METHODS: [Method; 6] =
    [Method::Auto, Method::Rodas5p, Method::Rodas4, Method::Dopri5, Method::Dop853, Method::Bdf];
const ERRORS: [f64; 4] = [1e-3, 1e-4, 1e-5, 1e-6];

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let file = words.iter().position(|w| w == "--peers").and_then(|i| words.get(i + 1)).cloned();
    let words: Vec<String> =
        words.into_iter().filter(|w| w != "--peers" && Some(w) != file.as_ref()).collect();
    println!("time to the same error, ms; in brackets: times `auto`");
    print!("{:<22}{:>8}", "problem", "error");
    METHODS.iter().for_each(|m| print!("{:>18}", m.name()));
    println!();
    let mut peers = Vec::new();
    let bench = TestBench::new(Load::Pulse { rise: 0.001 });
    peers.extend(race(&words, "FrDyn2 pulse", &bench, bench.initial(), 0.1));
    let bench = TestBench::new(Load::Hold);
    peers.extend(race(&words, "FrDyn2 300 s hold", &bench, bench.initial(), 300.0));
    let belt = DwellBelt::new(0.1);
    peers.extend(race(&words, "dwell-time belt 10 s", &belt, belt.initial(), 10.0));
    let belt = Rabinowicz;
    peers.extend(race(&words, "velocity-based belt", &belt, belt.initial(), 50.0));
    let chain = Chain::new(200);
    peers.extend(race(&words, "chain of 200", &chain, chain.initial(), 0.5));
    file.map_or(Ok(()), |file| std::fs::write(file, format!("[{}]\n", peers.join(",\n"))))
}

/// One run: error and time.
#[derive(Clone, Copy)]
struct Run {
    error: f64,
    time: f64,
}

fn race<D: Dynamics>(
    words: &[String],
    name: &str,
    dynamics: &D,
    initial: State,
    t_end: f64,
) -> Option<String> {
    if words.iter().any(|w| w != "points" && !name.contains(w.as_str())) {
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
    let curves: Vec<Vec<Run>> = METHODS
        .iter()
        .map(|&method| {
            let mut curve = Vec::new();
            for k in 6..=22 {
                let tolerance = 10f64.powf(-0.5 * f64::from(k));
                let start = Instant::now();
                let Ok(result) = sample(method, tolerance) else { continue };
                let mut time = start.elapsed().as_secs_f64();
                let repeats = (0.05 / time).clamp(1.0, 30.0) as usize;
                for _ in 0..repeats {
                    let start = Instant::now();
                    let _ = sample(method, tolerance);
                    time = time.min(start.elapsed().as_secs_f64());
                }
                let values = at_times(&result.samples);
                let error = values
                    .iter()
                    .zip(&exact)
                    .enumerate()
                    .map(|(i, (a, b))| (a - b).abs() / (scales[i % scales.len()] + b.abs()))
                    .fold(0.0, f64::max);
                if words.iter().any(|w| w == "points") {
                    let s = result.statistics;
                    println!(
                        "{name} {} {tolerance:.1e} {error:.1e} {:.3} ms {s:?}",
                        method.name(),
                        1e3 * time
                    );
                }
                curve.push(Run { error, time });
            }
            curve
        })
        .collect();
    for error in ERRORS {
        print!("{name:<22}{error:>8.0e}");
        let ours = time_at(&curves[0], error);
        for curve in &curves {
            match (time_at(curve, error), ours) {
                (Some(time), Some(ours)) => print!("{:>10.3} ({:>5.2})", 1e3 * time, time / ours),
                (Some(time), None) => print!("{:>18.3}", 1e3 * time),
                _ => print!("{:>18}", "–"),
            }
        }
        println!();
    }
    let ours: Vec<f64> = ERRORS.iter().map(|&e| time_at(&curves[0], e).unwrap_or(-1.0)).collect();
    let Output::Times(times) = &output else { return None };
    Some(format!(
        r#"{{"name": "{name}", "t_end": {t_end:?}, "start": {:?}, "params": {:?}, "scales": {scales:?}, "times": {times:?}, "exact": {exact:?}, "errors": {ERRORS:?}, "ours": {ours:?}, "evaluation": {:?}}}"#,
        initial.x,
        dynamics.params(),
        evaluation_cost(dynamics, &initial),
    ))
}

/// Seconds per evaluation of the rates.
fn evaluation_cost<D: Dynamics>(dynamics: &D, initial: &State) -> f64 {
    let mut state = initial.clone();
    dynamics.start(dynamics.params(), &mut state);
    let mut dx = vec![0.0; dynamics.dim()];
    let rounds = 20_000_000 / (100 * dynamics.dim()).max(200);
    let begun = Instant::now();
    for i in 0..rounds {
        let t = 1e-6 * i as f64;
        let at = Point { t, x: &state.x, p: dynamics.params(), mode: &state.mode };
        dynamics.rates(std::hint::black_box(at), &mut dx);
        std::hint::black_box(&dx);
    }
    begun.elapsed().as_secs_f64() / rounds as f64
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
