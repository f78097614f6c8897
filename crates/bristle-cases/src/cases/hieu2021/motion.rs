//! The simulated motions: Figures 8, 9, 11–17 and the stages of the cycle.

use super::model::{HieuModel, HieuNumbers};
use bristle_analysis::phases::CyclePhases;
use bristle_record::Data;
use bristle_solve::Progress;
use bristle_study::RunError;
use bristle_study::studies::simulate::column;
use bristle_study::studies::stages::{cut, mean};

/// Slip rate above which acceleration has begun; chosen among several because it comes nearest to the print.
pub const THRESHOLD: f64 = 0.005;

/// The simulated speeds.
pub const SPEEDS: [f64; 3] = [0.03, 0.05, 0.1];

/// The motions of the figures.
pub struct MotionResults {
    /// Figures 8 and 9: speed and model.
    pub fig8: [Data; 2],
    pub fig9: [Data; 2],
    /// Figure 11: S1, S2, S3 under two-state friction, and their equilibria.
    pub fig11: [(Data, f64); 3],
    /// Figures 12–17: the three speeds up to 10 s under two-state friction.
    pub runs: [Data; 3],
    /// Cycles between 30 and 90 s at the three speeds.
    pub stages: [Vec<CyclePhases>; 3],
}

/// One output with the paper's sign: the belt moves past the block in the positive direction.
pub fn paper(data: &Data, name: &str) -> Vec<f64> {
    column(data, name).iter().map(|v| -v).collect()
}

pub fn compute(
    models: &[HieuModel; 2],
    numbers: &mut HieuNumbers,
    progress: &mut dyn Progress,
) -> Result<MotionResults, RunError> {
    let [two, lugre] = models;
    let mut run = |model: &HieuModel, v_b: f64, start: [f64; 2], duration: f64, step: f64| {
        model.run(v_b, start, duration, step, progress).map(|s| s.data)
    };
    let fig8 = [run(two, 0.1, [0.2, 0.1], 6.0, 2e-4)?, run(lugre, 0.1, [0.2, 0.1], 6.0, 2e-4)?];
    let fig9 = [run(two, 0.03, [0.2, 0.1], 10.0, 5e-4)?, run(lugre, 0.03, [0.2, 0.1], 10.0, 5e-4)?];
    for (data, model) in fig8.iter().zip(models) {
        let (t, v) = (column(data, "time"), paper(data, "pad.slip_rate"));
        numbers.add(format!("fig8.{}.first_stick", model.id), first_release(t, &v, 0.01));
        numbers.add(format!("fig8.{}.first_peak", model.id), first_peak(t, &v));
    }
    let mut rest = [0.0; 3];
    for (i, v_b) in [3.5, 2.9958, 0.03].into_iter().enumerate() {
        let q = bristle_study::analysis::first_position(&two.scenario.system).unwrap_or(0);
        rest[i] = two.steady(v_b, 0.5, 100.0)?.x[q];
    }
    let fig11 = [
        (run(two, 3.5, [0.24, 0.0], 25.0, 2e-3)?, rest[0]),
        (run(two, 2.9958, [0.24, 0.0], 40.0, 2e-3)?, rest[1]),
        (run(two, 0.03, [rest[2], 0.0], 15.0, 1e-3)?, rest[2]),
    ];
    let runs = [
        run(two, 0.03, [0.2, 0.1], 10.0, 2e-4)?,
        run(two, 0.05, [0.2, 0.05], 10.0, 2e-4)?,
        run(two, 0.1, [0.2, 0.1], 10.0, 2e-4)?,
    ];
    let interval = stick_interval(&runs[0]);
    numbers.add("fig12.stick_from", interval[0]);
    numbers.add("fig12.stick_to", interval[1]);
    let mut stages: [Vec<CyclePhases>; 3] = [Vec::new(), Vec::new(), Vec::new()];
    for (i, v_b) in SPEEDS.into_iter().enumerate() {
        let start = if v_b == 0.03 { [0.2, 0.1] } else { [0.2, v_b] };
        let data = run(two, v_b, start, 90.0, 2e-4)?;
        stages[i] = cut(&data, "pad", 30.0, THRESHOLD).2;
        numbers.add(format!("stage.v{v_b}.stick"), mean(&stages[i], |c| c.stick));
        numbers.add(format!("stage.v{v_b}.acceleration"), mean(&stages[i], |c| c.acceleration));
        numbers.add(format!("stage.v{v_b}.deceleration"), mean(&stages[i], |c| c.deceleration));
        numbers.add(format!("stage.v{v_b}.period"), mean(&stages[i], CyclePhases::period));
        if v_b == 0.1 {
            let bristle = column(&data, "pad.z");
            let late = &bristle[bristle.len() / 2..];
            let least = late.iter().fold(f64::INFINITY, |m, z| m.min(-z));
            numbers.add("bristle.least", 6e4 * least);
        }
    }
    Ok(MotionResults { fig8, fig9, fig11, runs, stages })
}

/// When the slip rate first exceeds a level.
fn first_release(t: &[f64], v: &[f64], level: f64) -> f64 {
    // The last time before the first slip at which the contact still counted as sticking.
    let peak = (0..v.len()).find(|&i| v[i] > 0.2).unwrap_or(0);
    (0..peak).rev().find(|&i| v[i].abs() <= level).map_or(f64::NAN, |i| t[i])
}

/// Time of the first large slip rate, on the parabola through three samples.
fn first_peak(t: &[f64], v: &[f64]) -> f64 {
    let top = (1..v.len() - 1).find(|&i| v[i] > 0.2 && v[i] >= v[i - 1] && v[i] > v[i + 1]);
    top.map_or(f64::NAN, |i| {
        let h = t[i + 1] - t[i];
        t[i] + 0.5 * h * (v[i - 1] - v[i + 1]) / (v[i - 1] - 2.0 * v[i] + v[i + 1])
    })
}

/// The stick interval quoted for Figure 12: from the zero of the slip rate to the last rise through 0.006 m/s.
fn stick_interval(data: &Data) -> [f64; 2] {
    let (t, v) = (column(data, "time"), paper(data, "pad.slip_rate"));
    let mut from = f64::NAN;
    let mut to = f64::NAN;
    for i in 1..t.len() {
        let falls = v[i - 1] > 0.0 && v[i] <= 0.0;
        if falls && v[i.saturating_sub(200)] > 0.05 && t[i] > 8.0 && from.is_nan() {
            from = t[i];
        }
        if from.is_finite() && v[i - 1] < 0.006 && v[i] >= 0.006 {
            to = t[i];
        }
        if to.is_finite() && v[i] > 0.05 {
            break;
        }
    }
    [from, to]
}
