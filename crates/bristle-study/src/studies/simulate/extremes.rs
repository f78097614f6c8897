//! How far each body goes.

use super::{Simulation, column};
use bristle_mech::System;
use bristle_record::{Cell, Table};
use bristle_solve::{Dynamics, Point};

/// A turning point, or the end of the run if the body still moves on there.
#[derive(Clone, Copy, Debug)]
struct Extreme {
    t: f64,
    q: f64,
}

/// Largest and smallest position of every body that moves freely.
pub(super) fn table(system: &System, run: &Simulation) -> Option<Table> {
    let columns = [("output", ""), ("largest", "m"), ("at", "s"), ("smallest", "m"), ("at", "s")];
    let mut table = Table::new("Extremes", &columns);
    let names: Vec<String> = system.state_names();
    for (place, name) in names.iter().enumerate() {
        let Some((body, letter)) = name.rsplit_once('.').filter(|(_, letter)| ["q", "y"].contains(letter))
        else {
            continue;
        };
        let rate = if letter == "q" { "v" } else { "vy" };
        let Some(v) = names.iter().position(|n| *n == format!("{body}.{rate}")) else { continue };
        let (largest, smallest) =
            (extreme(system, run, [place, v], 1.0), extreme(system, run, [place, v], -1.0));
        // A planar body's first coordinate is called `x` among the outputs.
        let is_planar = !column(&run.data, &format!("{body}.x")).is_empty();
        let output = if letter == "q" && is_planar { format!("{body}.x") } else { name.clone() };
        let number = |value| Cell::Number { value, digits: 12 };
        table.row([
            output.into(),
            number(largest.q),
            number(largest.t),
            number(smallest.q),
            number(smallest.t),
        ]);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// The largest (`sign` = 1) or smallest (−1) value of the state `places[0]`, whose rate is the state `places[1]`.
///
/// Between two samples the motion is the fifth-degree polynomial through position, velocity and acceleration at
/// both, so that a turning point is found far more sharply than the samples lie.
fn extreme(system: &System, run: &Simulation, places: [usize; 2], sign: f64) -> Extreme {
    let samples = &run.trajectory.samples;
    let [q, v] = places;
    let mut best = Extreme { t: f64::NAN, q: -f64::INFINITY * sign };
    let mut keep = |found: Extreme| {
        if sign * found.q > sign * best.q {
            best = found;
        }
    };
    for i in 0..samples.len() {
        keep(Extreme { t: samples.t[i], q: samples.row(i)[q] });
        if i + 1 == samples.len() {
            break;
        }
        let (a, b) = (samples.row(i), samples.row(i + 1));
        let h = samples.t[i + 1] - samples.t[i];
        let turns = sign * a[v] > 0.0 && sign * b[v] < 0.0;
        if !turns || h <= 0.0 {
            continue;
        }
        let accelerations = [i, i + 1].map(|k| acceleration(system, run, k, v));
        keep(turning_point(samples.t[i], h, [a[q], b[q]], [a[v], b[v]], accelerations));
    }
    best
}

/// The rate of a velocity at a sample.
fn acceleration(system: &System, run: &Simulation, sample: usize, v: usize) -> f64 {
    let samples = &run.trajectory.samples;
    let mut rates = vec![0.0; system.dim()];
    let (x, mode) = (samples.row(sample), samples.modes(sample));
    system.rates(Point { t: samples.t[sample], x, p: system.params(), mode }, &mut rates);
    rates[v]
}

/// Where the fifth-degree polynomial through both ends has no slope.
fn turning_point(t: f64, h: f64, q: [f64; 2], v: [f64; 2], a: [f64; 2]) -> Extreme {
    // Coefficients in s = (time − t)/h: the first three from the left end, the others from the right one.
    let c = [q[0], v[0] * h, a[0] * h * h / 2.0];
    let gap = q[1] - c[0] - c[1] - c[2];
    let slope = v[1] * h - c[1] - 2.0 * c[2];
    let bend = a[1] * h * h - 2.0 * c[2];
    let c3 = 10.0 * gap - 4.0 * slope + 0.5 * bend;
    let c4 = -15.0 * gap + 7.0 * slope - bend;
    let c5 = 6.0 * gap - 3.0 * slope + 0.5 * bend;
    let value = |s: f64| c[0] + s * (c[1] + s * (c[2] + s * (c3 + s * (c4 + s * c5))));
    let rate = |s: f64| c[1] + s * (2.0 * c[2] + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)));
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if (rate(middle) > 0.0) == (rate(0.0) > 0.0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Extreme { t: t + low * h, q: value(low) }
}

#[cfg(test)]
mod extremes_tests {
    use super::*;

    /// A sine sampled fifty times a period turns at a quarter of it, to the sixth power of the step.
    #[test]
    fn a_turning_point_is_found_between_samples() {
        let (h, t) = (0.125, 1.5);
        let ends = [t, t + h];
        let found = turning_point(t, h, ends.map(f64::sin), ends.map(f64::cos), ends.map(|t: f64| -t.sin()));
        assert!((found.q - 1.0).abs() < 1e-9, "{found:?}");
        assert!((found.t - std::f64::consts::FRAC_PI_2).abs() < 1e-7, "{found:?}");
    }
}
