//! Every number of the paper that can be recomputed, read off our runs.

use super::cost::{CLASSES, CostRun, TOLERANCES, largest, table_number};
use super::experiments::{GridRun, PublishedExperiment, TIGHT, crossings, run};
use crate::belt::BlockOnBelt;
use crate::cases::Computed;
use bristle_certify::pennestri2016::Reading;
use bristle_solve::Solver;
use bristle_study::RunError;
use bristle_study::advise::features::Features;
use rayon::prelude::*;

/// The belt of the first experiment.
pub(super) const BELT: BlockOnBelt = BlockOnBelt { mass: 20.0, k: 10.0, v: 0.5, f_d: 98.1, f_s: 117.72 };

/// Amplitudes of the shaking force of the third experiment, N.
pub(super) const AMPLITUDES: [f64; 3] = [0.1, 0.25, 0.4];

/// How many runs from starts 10⁻¹⁰ apart stand for the law whose break-away rounding decides.
const ENSEMBLE: usize = 25;

/// Collects numbers under their ids.
#[derive(Default)]
pub(super) struct MeasuredNumbers(pub Vec<Computed>);

impl MeasuredNumbers {
    fn add(&mut self, id: impl Into<String>, value: f64) {
        self.0.push(Computed { id: id.into(), value });
    }

    pub(super) fn value(&self, id: &str) -> f64 {
        self.0.iter().find(|c| c.id == id).map_or(f64::NAN, |c| c.value)
    }
}

/// All runs of one experiment, in the order of the readings.
pub(super) fn runs(experiment: PublishedExperiment, readings: &[Reading]) -> Result<Vec<GridRun>, RunError> {
    let step = if experiment == PublishedExperiment::Belt { 0.01 } else { 0.005 };
    let of = |reading: &Reading| {
        let scenario = experiment.under(*reading)?;
        // A law that is not smooth but has no events could be stepped over while the motion is harmonic.
        let solver = Solver { h_max: Some(step), ..Solver::with_tolerance(TIGHT) };
        run(&scenario, *reading, &solver, step, experiment.duration())
    };
    readings.par_iter().map(of).collect()
}

/// Largest and mean difference between two curves in per cent of the first; the start, where both vanish, counts as
/// agreement.
fn differences(ours: &[f64], other: &[f64]) -> (f64, f64) {
    let gap = |(a, b): (&f64, &f64)| if a == b { 0.0 } else { 100.0 * ((a - b) / a).abs() };
    let gaps: Vec<f64> = ours.iter().zip(other).map(gap).collect();
    (gaps.iter().copied().fold(0.0, f64::max), gaps.iter().sum::<f64>() / gaps.len().max(1) as f64)
}

/// Tables 4 and 5, end states, losses and switches of the belt.
pub(super) fn belt(runs: &[GridRun], numbers: &mut MeasuredNumbers) -> Result<(), RunError> {
    let closed = [
        ("first_slip", BELT.first_slip()),
        ("slip_time", BELT.slip_time()),
        ("stick_time", BELT.stick_time()),
        ("highest", BELT.highest()),
        ("lowest", BELT.lowest()),
        ("loss_per_cycle", BELT.loss_per_cycle()),
        ("x_end", BELT.at(50.0).x),
    ];
    for (name, value) in closed {
        numbers.add(format!("belt.closed_form.{name}"), value);
    }
    let count = 5001_u32;
    let exact: Vec<f64> = (0..count).map(|j| BELT.at(f64::from(j) * 0.01).x).collect();
    let noticed = BELT.noticed_on_grid(0.01, count as usize);
    for run in runs.iter().filter(|r| r.reading != Reading::StickSlip) {
        let (id, x) = (run.reading.id(), run.column("block.q"));
        let (most, mean) = differences(x, &noticed);
        numbers.add(format!("table4.{id}"), most);
        numbers.add(format!("table5.{id}"), mean);
        let (most, mean) = differences(x, &exact);
        numbers.add(format!("exact4.{id}"), most);
        numbers.add(format!("exact5.{id}"), mean);
        numbers.add(format!("belt.{id}.x_end"), run.last("block.q"));
        numbers.add(format!("belt.{id}.loss"), run.last("pad.loss"));
    }
    // A set-valued law switches at events; the others are said to slip while w is below −0.05 m/s.
    let times = |reading: &Reading| -> Result<(Reading, Vec<f64>), RunError> {
        let scenario = PublishedExperiment::Belt.under(*reading)?;
        Ok((*reading, crossings(&scenario, -0.05)?))
    };
    let smooth: Vec<Reading> =
        Reading::ALL.into_iter().filter(|r| is_smooth(*r) && *r != Reading::StickSlip).collect();
    let found: Result<Vec<_>, RunError> = smooth.par_iter().map(times).collect();
    for (reading, times) in found? {
        for (i, t) in times.iter().take(4).enumerate() {
            numbers.add(format!("belt.{}.event{}", reading.id(), i + 1), *t);
        }
    }
    for run in runs.iter().filter(|r| matches!(r.reading, Reading::Coulomb | Reading::Benson)) {
        for (i, event) in run.trajectory.events.iter().take(4).enumerate() {
            numbers.add(format!("belt.{}.event{}", run.reading.id(), i + 1), event.t);
        }
    }
    ensemble(&noticed, numbers)
}

fn is_smooth(reading: Reading) -> bool {
    use bristle_law::LawKind::{Benson, Coulomb, Karnopp};
    !matches!(reading.law(), Coulomb | Benson | Karnopp)
}

/// The stick-slip law: the range over starts that differ by rounding.
fn ensemble(noticed: &[f64], numbers: &mut MeasuredNumbers) -> Result<(), RunError> {
    let reading = Reading::StickSlip;
    let scenario = PublishedExperiment::Belt.under(reading)?;
    let of = |j: usize| -> Result<[f64; 5], RunError> {
        let start = 0.5 + 1e-10 * (j as f64 - (ENSEMBLE / 2) as f64);
        let other = scenario.with(&[("block.v", start)])?;
        let run = run(&other, reading, &Solver::with_tolerance(1e-9), 0.01, 50.0)?;
        let (most, mean) = differences(run.column("block.q"), noticed);
        let slip_rate = run.column("pad.slip_rate");
        let first = slip_rate.iter().position(|w| *w < -0.05).unwrap_or(0) as f64 * 0.01;
        Ok([most, mean, run.last("block.q"), run.last("pad.loss"), first])
    };
    let all: Result<Vec<[f64; 5]>, RunError> = (0..ENSEMBLE).into_par_iter().map(of).collect();
    let all = all?;
    let names = ["table4.stick_slip", "table5.stick_slip", "belt.stick_slip.x_end", "belt.stick_slip.loss"];
    let names = names.iter().copied().chain(["belt.stick_slip.event1"]);
    for (k, name) in names.enumerate() {
        let mut values: Vec<f64> = all.iter().map(|row| row[k]).collect();
        values.sort_by(f64::total_cmp);
        numbers.add(name, values[ENSEMBLE / 2]);
        numbers.add(format!("{name}.low"), values[0]);
        numbers.add(format!("{name}.high"), values[ENSEMBLE - 1]);
    }
    Ok(())
}

/// Rest positions, losses and switches of the stack, and Karnopp's law in it.
pub(super) fn stack(runs: &[GridRun], numbers: &mut MeasuredNumbers) -> Result<(), RunError> {
    for run in runs {
        place_and_loss(&format!("stack.{}", run.reading.id()), run, numbers);
    }
    if let Some(run) = runs.iter().find(|r| r.reading == Reading::Coulomb) {
        for (i, event) in run.trajectory.events.iter().take(4).enumerate() {
            numbers.add(format!("stack.coulomb.event{}", i + 1), event.t);
        }
    }
    let solver = Solver::with_tolerance(TIGHT);
    for band in [0.1, 0.01, 0.001] {
        let reading = Reading::KarnoppReset;
        let scenario = PublishedExperiment::Stack.with(reading, |n| n.v_d = band)?;
        let run = run(&scenario, reading, &solver, 0.1, 10.0)?;
        place_and_loss(&format!("stack.karnopp_band_{band}"), &run, numbers);
    }
    // The printed stiffness is doubtful; a tenth of it fits the published costs.
    for reading in [Reading::Dahl, Reading::LuGre, Reading::ElastoPlastic, Reading::Gonthier] {
        let scenario = PublishedExperiment::Stack.with(reading, |n| n.sigma0 = 1e3 * n.f_d)?;
        let run = run(&scenario, reading, &solver, 0.1, 10.0)?;
        place_and_loss(&format!("stack.{}_soft", reading.id()), &run, numbers);
    }
    Ok(())
}

fn place_and_loss(id: &str, run: &GridRun, numbers: &mut MeasuredNumbers) {
    for (i, (body, contact)) in
        PublishedExperiment::Stack.bodies().iter().zip(PublishedExperiment::Stack.contacts()).enumerate()
    {
        numbers.add(format!("{id}.x{}", i + 1), run.last(&format!("{body}.q")));
        numbers.add(format!("{id}.loss{}", i + 1), run.last(&format!("{contact}.loss")));
    }
}

/// Final places and drift per cycle under three amplitudes.
pub(super) fn presliding(runs: &[GridRun], numbers: &mut MeasuredNumbers) -> Result<(), RunError> {
    for run in runs {
        numbers.add(format!("presliding.{}.x_end", run.reading.id()), run.last("block.q"));
        numbers.add(format!("presliding.{}.loss", run.reading.id()), run.last("floor.loss"));
    }
    let jobs: Vec<(Reading, f64)> = Reading::ALL.iter().flat_map(|r| AMPLITUDES.map(|a| (*r, a))).collect();
    let of = |(reading, amplitude): &(Reading, f64)| -> Result<f64, RunError> {
        let scenario = PublishedExperiment::Presliding.under(*reading)?;
        let path = scenario.system.param_cards().iter().find(|p| p.path.ends_with("amplitude"));
        let path = path.map_or_else(String::new, |p| p.path.clone());
        let scenario = scenario.with(&[(&path, *amplitude)])?;
        drift(&scenario, *reading)
    };
    let drifts: Result<Vec<f64>, RunError> = jobs.par_iter().map(of).collect();
    for ((reading, amplitude), drift) in jobs.iter().zip(drifts?) {
        numbers.add(format!("presliding.{}.drift_{amplitude}", reading.id()), 1e3 * drift);
    }
    Ok(())
}

/// Mean displacement per cycle over the last five of twenty cycles, m.
fn drift(scenario: &bristle_study::Scenario, reading: Reading) -> Result<f64, RunError> {
    let run = run(scenario, reading, &Solver::with_tolerance(TIGHT), 0.1, 10.2)?;
    // Cycles of half a second end at 7.7 s and 10.2 s.
    let x = run.column("block.q");
    Ok((x[102] - x[77]) / 5.0)
}

/// Tables 2 and 8: parameters, states and measured features.
pub(super) fn features(all: &[(Reading, Features)], numbers: &mut MeasuredNumbers) {
    for (reading, features) in all {
        let card = reading.law().card();
        let law = card.name;
        numbers.add(format!("table2.{law}.parameters"), card.numbers().count() as f64);
        numbers.add(format!("table2.{law}.states"), card.states.len() as f64);
        numbers.add(format!("table8.{law}.stiction"), f64::from(u8::from(features.has_stiction)));
        numbers.add(format!("table8.{law}.static_force"), f64::from(u8::from(features.bears_static)));
        numbers.add(format!("table8.{law}.presliding"), f64::from(u8::from(features.has_presliding)));
    }
}

/// Tables 3, 6 and 7 as shares of the dearest entry.
pub(super) fn costs(costs: &[CostRun], numbers: &mut MeasuredNumbers) {
    for cost in costs {
        let (table, law) = (table_number(cost.experiment), cost.reading.law().card().name);
        let share = 100.0 * cost.trial.work as f64 / largest(costs, cost.experiment);
        let share = if cost.trial.failure.is_some() { f64::NAN } else { share };
        let (class, tolerance) = (CLASSES[cost.class].id, TOLERANCES[cost.tolerance].0);
        numbers.add(format!("{table}.{law}.{class}.{tolerance}"), share);
    }
}
