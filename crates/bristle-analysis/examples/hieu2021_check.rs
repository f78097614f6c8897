//! The belt oscillator against its reference, with figures and times: the checks that are too long for a test.
//!
//! `cargo run --release -p bristle-analysis --example hieu2021_check`

use bristle_analysis::attractor::Patience;
use bristle_analysis::branch::{Range, hopf_near};
use bristle_analysis::cycles::{OrbitKind, cycles, from_hopf};
use bristle_analysis::map::{MapAxis, map};
use bristle_analysis::section::PoincareSection;
use bristle_analysis::shooting::{ReturnMap, Shooting};
use bristle_analysis::sweep::{ParameterSweep, sweep};
use bristle_analysis::{AnalysisError, ContinuationSettings};
use bristle_solve::problems::{Belt, belt};
use std::time::Instant;

#[allow(clippy::print_stdout)]
fn main() -> Result<(), AnalysisError> {
    for (name, block) in [("two-state", Belt::two_state()), ("LuGre", Belt::lugre())] {
        println!("== {name}");
        stability_map(&block)?;
        high_speed_branch(&block)?;
        low_speed_branch(&block)?;
        bistable_band(&block)?;
    }
    Ok(())
}

fn return_map(block: &Belt, v_b: f64, shooting: Shooting) -> Result<ReturnMap<'_, Belt>, AnalysisError> {
    let p = block.with(&[(belt::V_B, v_b)]);
    let mut start = block.sliding(&p);
    start[1] = v_b;
    ReturnMap::new(block, &p, &start, PoincareSection::falling(1, 0.0), shooting)
}

#[allow(clippy::print_stdout)]
fn stability_map(block: &Belt) -> Result<(), AnalysisError> {
    let p = block.with(&[(belt::C1, 0.05), (belt::V_B, 0.02)]);
    let clock = Instant::now();
    let axes = (MapAxis::linear(belt::C1, 0.05, 5.0, 200), MapAxis::linear(belt::V_B, 0.02, 5.0, 200));
    let cells = map(block, &p, &block.sliding(&p), axes.0, axes.1)?.stable_cells();
    println!(
        "stable cells of the 200 × 200 map: {cells} in {:?} (two-state reference 26853)",
        clock.elapsed()
    );
    Ok(())
}

#[allow(clippy::print_stdout)]
fn high_speed_branch(block: &Belt) -> Result<(), AnalysisError> {
    let p = block.with(&[(belt::V_B, 3.0)]);
    let hopf = hopf_near(block, &p, &block.sliding(&p), belt::V_B)?;
    println!(
        "Hopf {:.10}, l1 {:.10}, κ {:.8}, {}",
        hopf.steady.p[belt::V_B],
        hopf.l1,
        hopf.curvature[0],
        hopf.verdict
    );
    let returns = return_map(block, 3.0, Shooting::default())?;
    let clock = Instant::now();
    let born = from_hopf(&returns, &hopf, 0, 0.03)?;
    let range = Range { parameter: belt::V_B, from: 2.9, to: 6.2 };
    let branch = cycles(
        &returns,
        &born,
        range,
        ContinuationSettings { max_step: 0.03, ..ContinuationSettings::default() },
    )?;
    println!(
        "{} cycles from the Hopf point to the fold and back, {:?}: {:?}",
        branch.points.len(),
        clock.elapsed(),
        branch.end
    );
    println!("folds {:?} (reference 6.000447984 / 5.998703753)", branch.at(OrbitKind::Fold));
    println!("flips {:?}", branch.at(OrbitKind::Flip));
    println!(
        "  reference 6.000166602 5.346758207 4.318633923 4.146541312 / 5.998421911 5.345574582 4.316146610 4.144662156"
    );
    Ok(())
}

#[allow(clippy::print_stdout)]
fn low_speed_branch(block: &Belt) -> Result<(), AnalysisError> {
    let p = block.with(&[(belt::V_B, 0.2)]);
    let returns = return_map(block, 0.2, Shooting::default())?;
    let mut start = block.sliding(&p);
    start[1] = 0.2;
    let hits = returns.hits(&p, &start, 12)?;
    let orbit = returns.orbit(&p, &hits[11].state, 1)?;
    let clock = Instant::now();
    let range = Range { parameter: belt::V_B, from: 0.2, to: 0.09 };
    let branch = cycles(&returns, &orbit, range, ContinuationSettings::default())?;
    println!("{} cycles from 0.2 to 0.09 m/s, {:?}", branch.points.len(), clock.elapsed());
    println!("flips {:?} (reference 0.097334984 / 0.152308868)", branch.at(OrbitKind::Flip));
    println!("folds {:?}", branch.at(OrbitKind::Fold));
    Ok(())
}

#[allow(clippy::print_stdout)]
fn bistable_band(block: &Belt) -> Result<(), AnalysisError> {
    let returns = return_map(block, 4.0, Shooting::rough())?;
    let rest = block.sliding(&block.with(&[(belt::V_B, 4.0)]));
    let moved = |by: f64| {
        let mut x = rest.clone();
        x[0] += by;
        x
    };
    let clock = Instant::now();
    let job = ParameterSweep {
        parameter: belt::V_B,
        values: (0..36).map(|i| 2.6 + 0.1 * f64::from(i)).collect(),
        starts: vec![moved(0.6), moved(0.02), moved(0.45)],
        up: true,
        down: true,
        patience: Patience { transient: 400, ..Patience::default() },
        orbits: Vec::new(),
    };
    let survey = sweep(&returns, &block.params, &job, &[], &|_| true)?;
    println!(
        "bistable band {:?} in {:?} (reference: onset 2.9958 to a crisis near 5.775)",
        survey.bistable(),
        clock.elapsed()
    );
    Ok(())
}
