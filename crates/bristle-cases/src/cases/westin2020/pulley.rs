//! Scenario II: the motorised pulley.

use super::capstan::{going, value};
use super::model::{QuinnVariant, Setup, fail, pulley};
use crate::cases::Computed;
use bristle_cable::{RunCost, end_tension};
use bristle_mech::DrumShape;
use bristle_record::Data;
use bristle_solve::Progress;
use bristle_study::RunError;
use bristle_study::scene::{Scene, curve};
use bristle_study::studies::simulate::column;
use rayon::prelude::*;
use std::time::Instant;

/// What scenario II gave.
pub(super) struct Pulley {
    pub(super) computed: Vec<Computed>,
    pub(super) runs: Vec<OneLaw>,
}

/// The pulley under one law.
pub(super) struct OneLaw {
    pub(super) law: QuinnVariant,
    pub(super) data: Data,
    pub(super) scenes: Vec<Scene>,
    /// RMS of the right mass's distance from where Quinn has it, m.
    pub(super) rms: f64,
    /// Seconds a run with steps of 10 ms takes on this machine, and what it costs.
    pub(super) seconds: f64,
    pub(super) cost: RunCost,
}

/// Step of the converged runs and of the timed ones, s.
const FINE: f64 = 2e-3;
const QUICK: f64 = 1e-2;

/// Samples of a converged run.
const SAMPLES: u32 = 200;

pub(super) fn compute(progress: &mut dyn Progress) -> Result<Pulley, RunError> {
    progress.begin("pulley");
    // One after the other, so that the times are not those of a busy machine.
    let mut timed = Vec::new();
    for (i, law) in QuinnVariant::ALL.into_iter().enumerate() {
        timed.push(quick(law)?);
        going(progress, 0.3 * i as f64 / 6.0)?;
    }
    let runs = QuinnVariant::ALL.into_par_iter().zip(timed).map(|(law, (seconds, cost))| {
        let (data, scenes) = fine(law)?;
        Ok(OneLaw { law, data, scenes, rms: 0.0, seconds, cost })
    });
    let mut runs = runs.collect::<Result<Vec<_>, RunError>>()?;
    going(progress, 1.0)?;
    let quinn = displacement(&runs[0], "right");
    let mut computed = Vec::new();
    for run in &mut runs {
        let right = displacement(run, "right");
        let sum: f64 = right.iter().zip(&quinn).map(|(a, b)| (a - b) * (a - b)).sum();
        run.rms = (sum / right.len() as f64).sqrt();
        let key = run.law.key();
        if run.law != QuinnVariant::QUINN {
            computed.push(value(format!("table2.rms.{key}"), run.rms));
        }
        for (side, series) in [("right", &right), ("left", &displacement(run, "left"))] {
            for second in [2, 4, 6, 8, 10] {
                computed.push(value(format!("pulley.{key}.{side}.{second}"), series[20 * second]));
            }
        }
    }
    let newton = |i: usize| runs[i].cost.newton as f64;
    computed.push(value("text.faster.least".to_owned(), newton(0) / newton(1)));
    computed.push(value("text.faster.most".to_owned(), newton(0) / newton(5)));
    Ok(Pulley { computed, runs })
}

/// The converged run: height of both ends, tension there and the drum's angle every 50 ms, and pictures at some of these times.
fn fine(law: QuinnVariant) -> Result<(Data, Vec<Scene>), RunError> {
    let model = pulley(Setup::SHORT, law)?.with_steps(FINE, 1e-7);
    let cable = model.cable.system.cable();
    let mut run = model.run()?;
    let names =
        [("time", "s"), ("left.y", "m"), ("right.y", "m"), ("left.tension", "N"), ("right.tension", "N")];
    let names = names.into_iter().chain([("drum.angle", "rad")]);
    let (mut columns, mut scenes) = (vec![Vec::new(); 6], Vec::new());
    for i in 0..=SAMPLES {
        run.advance_to(0.05 * f64::from(i)).map_err(fail)?;
        let state = &run.state;
        let [left, right] = end_tension(&model.cable.system, state);
        let row = [state.t, state.q[0][1], state.q[cable.elements][1], left, right, state.spin[0][0]];
        columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
        if i % 2 == 0 {
            let (body, angle) = (&cable.drums[0], state.spin[0][0]);
            let drums = vec![DrumShape { centre: body.centre, radius: body.radius, angle }];
            let ends = [0, cable.elements].map(|node| ([state.q[node][0], state.q[node][1]], 0.04));
            let ropes = vec![curve(&state.q, cable.element_length())];
            scenes.push(Scene { time: state.t, ropes, drums, loads: ends.to_vec() });
        }
    }
    let mut data = Data::default();
    names.zip(columns).for_each(|((name, unit), column)| data.push(name, unit, column));
    Ok((data, scenes))
}

/// How far an end has gone up since the start.
pub(super) fn displacement(run: &OneLaw, end: &str) -> Vec<f64> {
    let y = column(&run.data, &format!("{end}.y"));
    y.iter().map(|v| v - y[0]).collect()
}

/// The run as one would do it: steps of 10 ms, without samples.
fn quick(law: QuinnVariant) -> Result<(f64, RunCost), RunError> {
    let model = pulley(Setup::SHORT, law)?.with_steps(QUICK, 1e-6);
    let mut run = model.run()?;
    let clock = Instant::now();
    run.advance_to(10.0).map_err(fail)?;
    Ok((clock.elapsed().as_secs_f64(), run.statistics))
}
