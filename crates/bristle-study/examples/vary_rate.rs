//! How many belts a second: the study `vary` against `simulate` called one by one, on one core.
//!
//! ```text
//! RAYON_NUM_THREADS=1 cargo run --release -p bristle-study --example vary_rate [RUNS]
//! ```
//!
//! `benches/vary.py` makes the same of a loop over SciPy.

#![allow(clippy::print_stdout)]

use bristle_study::model::TimeSpan;
use bristle_study::vary::{VaryOptions, run_shard};
use bristle_study::{RunError, Scenario};
use std::path::Path;
use std::time::Instant;

const QUESTION: &str = r#"
[studies.vary]
kind = "vary"
design = "sobol"
over = ["pad.law.F_s = normal(117.72 N, 4 N)", "belt.v = uniform(0.4 m/s, 0.6 m/s)", "tie.k = normal(10 N/m, 0.5 N/m)"]
responses = ["slips(pad)", "max(block.q)", "end(energy.loss)"]
"#;

fn main() -> Result<(), RunError> {
    let runs: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(4000);
    let text =
        include_str!("../../../examples/belt.toml").to_owned() + QUESTION + &format!("runs = {runs}\n");
    let scenario = Scenario::from_text(&text, "belt.toml", Path::new("."))?;
    let begun = Instant::now();
    let done = run_shard(&scenario, None, &VaryOptions::default(), &mut ())?;
    let rate = done.finished as f64 / begun.elapsed().as_secs_f64();
    println!("vary:     {rate:>9.0} runs a second ({} failed)", done.failed);
    let alone = 300;
    let begun = Instant::now();
    for i in 0..alone {
        let s = f64::from(i) / f64::from(alone);
        let changes =
            [("pad.law.F_s", 112.0 + 10.0 * s), ("belt.v", 0.4 + 0.2 * s), ("tie.k", 9.0 + 2.0 * s)];
        let changed = scenario.with(&changes)?;
        let span = TimeSpan { study: "run", duration: 60.0, step: changed.model().sampling(60.0) };
        let run = changed.model().simulate(&changed.solver, &span, &mut ())?;
        assert!(!run.stopped_early());
    }
    let one = f64::from(alone) / begun.elapsed().as_secs_f64();
    println!("simulate: {one:>9.0} runs a second; vary is {:.1} times as fast", rate / one);
    Ok(())
}
