//! The law's own fixed step: how far it is off the exact solution, and whether a step of a second stays bounded.

use super::passivity::Dice;
use crate::CertifyError;
use crate::bench::LawBench;
use crate::slide::{Slide, SlipHistory};
use bristle_core::Mode;
use bristle_law::{At, fixed_step};
use bristle_solve::{Output, Solver};
use serde::Serialize;
use std::f64::consts::TAU;

/// Steps into which the motion is cut.
const STEPS: [usize; 3] = [50, 200, 800];

/// Length of the motion, s: a slip that never turns back but swings once between a fifth of and nearly twice its mean.
const TIME: f64 = 0.02;

/// Where in its swing the slip rate begins, rad: four motions.
const PHASES: [f64; 4] = [0.0, 0.9, 2.1, 4.0];

/// Tolerance of the solution that counts as exact.
const REFERENCE: f64 = 1e-12;

/// What the fixed step of a law does.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Kernel {
    /// The order of accuracy it states.
    pub order: u32,
    /// Whether it is exact at constant slip rate.
    pub is_exact: bool,
    /// Largest error of the states, over their scales, with steps of 0.4, 0.1 and 0.025 ms; nothing for a law without states.
    pub error: Option<[f64; 3]>,
    /// The order seen from the first to the last of them; nothing where the last is of the size of the reference's error.
    pub seen_order: Option<f64>,
    /// Largest force over random slip rates up to 10 cm/s with steps of a second, over the static level.
    pub largest_at_one_second: f64,
}

/// Nothing for a law without a fixed step.
pub(crate) fn measure(bench: &LawBench, breaking: f64) -> Result<Option<Kernel>, CertifyError> {
    let kind = bench.kind()?;
    let law = kind.build(&bench.law.numbers, &bench.law.choices);
    let Some(kernel) = fixed_step::kernel(&law) else { return Ok(None) };
    let mut z = vec![0.0; kind.states()];
    law.initial(&mut z);
    let mut mode = vec![Mode::Stick; law.elements()];
    let (mut dice, mut largest): (Dice, f64) = (Dice(1), 0.0);
    for _ in 0..1000 {
        let v = 0.1 * (2.0 * dice.roll() - 1.0);
        let hold = 10.0 * breaking * (2.0 * dice.roll() - 1.0);
        let at = At { hold, ..At::sliding(v, bench.normal()) };
        let force = kernel.step(&at, &mut z, &mut mode, 1.0);
        largest = if force.is_finite() { largest.max(force.abs()) } else { f64::INFINITY };
    }
    let error = if kind.states() > 0 { Some(errors(bench)?) } else { None };
    let seen = error.filter(|e| e[2] > 1e-9 && e[1] > e[2]).map(|e| (e[0] / e[2]).log2() / 4.0);
    Ok(Some(Kernel {
        order: kernel.order(),
        is_exact: kernel.is_exact(),
        error,
        seen_order: seen,
        largest_at_one_second: largest / breaking,
    }))
}

/// The largest error of the states over the motions, for each number of steps.
///
/// Several motions, since the switches of a law fall on other places of the grid in each: what one step length loses by
/// them in one motion it may gain in another.
fn errors(bench: &LawBench) -> Result<[f64; 3], CertifyError> {
    let mut errors = [0.0f64; 3];
    for phase in PHASES {
        for (error, seen) in errors.iter_mut().zip(errors_along(bench, phase)?) {
            *error = error.max(seen);
        }
    }
    Ok(errors)
}

/// The error of the states at the end of every fiftieth of one motion, for each number of steps.
fn errors_along(bench: &LawBench, phase: f64) -> Result<[f64; 3], CertifyError> {
    let kind = bench.kind()?;
    let law = kind.build(&bench.law.numbers, &bench.law.choices);
    let mut scales = vec![1.0; kind.states()];
    law.scales(bench.normal(), &mut scales);
    let has_bristles = kind.card().has_bristles();
    let mean = if has_bristles { 3.0 * scales[0] } else { 3e-5 } / TIME;
    let motion = SlipHistory { points: vec![(0.0, mean)], sines: vec![[0.8 * mean, TAU / TIME, phase]] };
    let times: Vec<f64> = (0..=STEPS[0]).map(|i| TIME * i as f64 / STEPS[0] as f64).collect();
    let slide = Slide::new(bench, motion)?;
    let solver = Solver { max_steps: 500_000, ..Solver::with_tolerance(REFERENCE) };
    let run = bench.run(&slide, slide.initial(), TIME, &Output::Times(times.clone()), &solver)?;
    let slip = |t: f64| mean * (t - 0.8 * TIME / TAU * ((TAU * t / TIME + phase).cos() - phase.cos()));
    let mut errors = [0.0f64; 3];
    for (error, steps) in errors.iter_mut().zip(STEPS) {
        let mut z = slide.initial().x[..kind.states()].to_vec();
        let (mut mode, h) = (vec![Mode::Stick; law.elements()], TIME / steps as f64);
        for i in 1..=steps {
            let (before, after) = ((i - 1) as f64 * h, i as f64 * h);
            let at = At::sliding((slip(after) - slip(before)) / h, bench.normal());
            if let Some(kernel) = fixed_step::kernel(&law) {
                kernel.step(&at, &mut z, &mut mode, h);
            }
            if i % (steps / STEPS[0]) == 0 {
                let time = times[i / (steps / STEPS[0])];
                let Some(row) = run.samples.t.iter().rposition(|t| *t == time) else { continue };
                let exact = run.samples.row(row);
                let off = z.iter().zip(exact).zip(&scales).map(|((z, x), scale)| (z - x).abs() / scale);
                *error = off.fold(*error, f64::max);
            }
        }
    }
    Ok(errors)
}
