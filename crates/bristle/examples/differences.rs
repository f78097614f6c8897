//! How wrong slopes by differences are on a stick–slip run, and what they make of standard errors.
//!
//! Writes `docs/src/figures/differences.svg` and prints the numbers of the page on slopes.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use bristle_fit::{Experiment, Mount, Rig, RigNumber, RigQuantity};
use bristle_law::LawKind;
use bristle_record::plot::{Axis, Dash, Legend, Line, Plot};
use bristle_record::render;
use nalgebra::DMatrix;

const NUMBERS: [f64; 7] = [5.0, 6.5, 0.02, 2.0, 5e4, 150.0, 2.0];
const UNKNOWN: [usize; 6] = [0, 1, 2, 4, 5, 6];

/// A block of 1 kg on a spring of 500 N/m and a belt at 10 mm/s, seen for 25 s every 5 ms.
fn belt(tolerance: f64) -> Rig {
    let times: Vec<f64> = (0..5001).map(|i| f64::from(i) * 5e-3).collect();
    let choices = LawKind::LuGre.card().default_choices();
    let mut rig = Rig::new(LawKind::LuGre, &NUMBERS, &choices, Mount::Mass).unwrap();
    let set = [
        (RigNumber::Mass, 1.0),
        (RigNumber::Stiffness, 500.0),
        (RigNumber::Belt, 0.01),
        (RigNumber::Speed, 0.01),
    ];
    for (number, value) in set {
        rig = rig.with(number, value);
    }
    rig.quantity = RigQuantity::Position;
    rig.tolerance = tolerance;
    rig.places = UNKNOWN.iter().map(|&i| vec![i]).collect();
    rig.over(&times, 0, 1)
}

fn positions(rig: &Rig, values: &[f64]) -> Vec<f64> {
    let mut out = Vec::new();
    rig.respond(values, f64::INFINITY, &mut out, None).unwrap();
    out
}

/// Forward differences by the logarithm of unknown `k`, as a program makes them that knows the equations only as numbers.
fn difference(rig: &Rig, values: &[f64], k: usize, h: f64, is_central: bool) -> Vec<f64> {
    let at = |h: f64| {
        let mut moved = values.to_vec();
        moved[k] *= h.exp();
        positions(rig, &moved)
    };
    let (ahead, behind) = (at(h), at(if is_central { -h } else { 0.0 }));
    let by = if is_central { 2.0 * h } else { h };
    ahead.iter().zip(&behind).map(|(a, b)| (a - b) / by).collect()
}

/// Root mean square of the difference over that of the exact slopes.
fn wrong(exact: &[f64], other: &[f64]) -> f64 {
    let square: f64 = exact.iter().map(|x| x * x).sum();
    (exact.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum::<f64>() / square).sqrt()
}

/// Expected standard error of the last unknown in per cent, from slopes by logarithms and noise.
fn error(columns: &[Vec<f64>]) -> f64 {
    let slopes = DMatrix::from_fn(columns[0].len(), columns.len(), |i, k| columns[k][i] / 5.8195e-6);
    let covariance = (slopes.transpose() * &slopes).try_inverse().unwrap();
    100.0 * covariance[(columns.len() - 1, columns.len() - 1)].sqrt()
}

fn main() {
    let values: Vec<f64> = UNKNOWN.iter().map(|&i| NUMBERS[i]).collect();
    let (mut outputs, mut slopes) = (Vec::new(), vec![Vec::new(); values.len()]);
    belt(1e-11).respond(&values, f64::INFINITY, &mut outputs, Some(&mut slopes)).unwrap();
    for (k, column) in slopes.iter_mut().enumerate() {
        column.iter_mut().for_each(|s| *s *= values[k]);
    }
    println!("exact: sigma2 +- {:.3} %", error(&slopes));
    let mut plot = Plot::new(
        "differences",
        "Slope by $σ_2$ on 25 s of stick–slip, from differences",
        Axis::log("relative step", ""),
        Axis::log("error of the slope, root mean square over its own", ""),
    );
    plot.legend = Legend::Outside;
    let last = values.len() - 1;
    let steps: Vec<f64> = (0..=32).map(|i| 10f64.powf(-9.0 + 0.25 * f64::from(i))).collect();
    for (tolerance, is_central, dash) in [
        (1e-6, false, Dash::Solid),
        (1e-6, true, Dash::Dashed),
        (1e-9, false, Dash::Solid),
        (1e-9, true, Dash::Dashed),
    ] {
        let rig = belt(tolerance);
        let y = steps
            .iter()
            .map(|h| wrong(&slopes[last], &difference(&rig, &values, last, *h, is_central)))
            .collect();
        let kind = if is_central { "central" } else { "forward" };
        let label = format!("{kind}, runs to {tolerance:e}");
        plot.push(Line { x: steps.clone(), y, label, dash, ..Line::default() });
    }
    let own = {
        let (mut outputs, mut rough) = (Vec::new(), vec![Vec::new(); values.len()]);
        belt(1e-6).respond(&values, f64::INFINITY, &mut outputs, Some(&mut rough)).unwrap();
        let scaled: Vec<f64> = rough[last].iter().map(|s| s * values[last]).collect();
        wrong(&slopes[last], &scaled)
    };
    println!("variational slopes of a run to 1e-6: {own:.2e}");
    plot.push(Line {
        x: vec![steps[0], steps[32]],
        y: vec![own; 2],
        label: "variational, one run to 1e-6".to_owned(),
        dash: Dash::DashDot,
        width: 2.0,
        ..Line::default()
    });
    for (tolerance, h) in
        [(1e-6, 1e-2), (1e-6, 1e-3), (1e-6, 1e-4), (1e-6, 1e-6), (1e-9, 1e-3), (1e-9, 1e-4), (1e-9, 1e-6)]
    {
        let rig = belt(tolerance);
        let columns: Vec<Vec<f64>> =
            (0..values.len()).map(|k| difference(&rig, &values, k, h, false)).collect();
        let off = wrong(&slopes[last], &columns[last]);
        println!(
            "runs to {tolerance:e}, step {h:e}: slope wrong by {off:.2e}, sigma2 +- {:.3} %",
            error(&columns)
        );
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/figures/differences.svg");
    std::fs::write(path, render::svg::plot(&plot)).unwrap();
}
