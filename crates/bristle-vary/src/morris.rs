//! Screening by paths of single steps (Morris, Technometrics 33 (1991) 161), with the mean size of effects after Campolongo et al.,
//! Environ. Model. Softw. 22 (2007) 1509.

use crate::noise::{below, bits, permuted};
use crate::saltelli::IndexEstimate;
use crate::statistics::normal_width;

/// Levels of every parameter, and how many of them a step passes.
const LEVELS: u64 = 4;
const STEP: u64 = LEVELS / 2;

/// Resamples for the intervals.
const RESAMPLES: u64 = 200;

/// What one parameter does to a response, over its whole range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// Mean size.
    pub size: IndexEstimate,
    /// Mean, with its sign.
    pub mean: f64,
    /// Standard deviation: how much it depends on where it is, and on the others.
    pub deviation: f64,
}

/// Where in its path a run steps in a parameter: after so many steps.
fn turn(seed: u64, k: usize, path: u64, i: usize) -> u64 {
    permuted(i as u64, k as u64, bits(seed, path, 0x7061_7468))
}

/// Whether a path steps down in a parameter instead of up.
fn falls(seed: u64, path: u64, i: usize) -> bool {
    bits(seed, path, 0x7369_676e ^ i as u64) >> 63 == 1
}

/// A coordinate of a run's point in the unit cube.
pub(crate) fn unit(seed: u64, k: usize, index: u64, i: usize) -> f64 {
    let (path, step) = (index / (k as u64 + 1), index % (k as u64 + 1));
    let base = below(bits(seed, path, i as u64), LEVELS - STEP);
    let is_moved = step > turn(seed, k, path, i);
    let level = if is_moved == falls(seed, path, i) { base } else { base + STEP };
    // In the middle of its level, so that distributions without an end have a value there.
    (level as f64 + 0.5) / LEVELS as f64
}

/// Effects of `parameters` per whole range, from the values of all runs in their order; steps with a run that failed are left out.
/// Nothing for a parameter with fewer than two steps.
pub fn effects(values: &[f64], seed: u64, parameters: usize, confidence: f64) -> Vec<Option<Effect>> {
    let width = parameters + 1;
    let all = (0..parameters).map(|i| {
        let mut found = Vec::new();
        for (path, runs) in values.chunks_exact(width).enumerate() {
            let step = turn(seed, parameters, path as u64, i) as usize;
            let rise = (runs[step + 1] - runs[step]) / (STEP as f64 / LEVELS as f64);
            let rise = if falls(seed, path as u64, i) { -rise } else { rise };
            found.extend(Some(rise).filter(|r| r.is_finite()));
        }
        let n = found.len();
        if n < 2 {
            return None;
        }
        let mean = found.iter().sum::<f64>() / n as f64;
        let size = found.iter().map(|r| r.abs()).sum::<f64>() / n as f64;
        let square: f64 = found.iter().map(|r| (r - mean).powi(2)).sum();
        let (mut sum, mut squares) = (0.0, 0.0);
        for sample in 0..RESAMPLES {
            let chosen = |j: usize| found[below(bits(0x3077, sample, j as u64), n as u64) as usize].abs();
            let one = (0..n).map(chosen).sum::<f64>() / n as f64;
            sum += one;
            squares += one * one;
        }
        let m = RESAMPLES as f64;
        let doubt = normal_width(confidence) * ((squares - sum * sum / m) / (m - 1.0)).max(0.0).sqrt();
        let deviation = (square / (n as f64 - 1.0)).sqrt();
        Some(Effect { size: IndexEstimate { value: size, doubt }, mean, deviation })
    });
    all.collect()
}

#[cfg(test)]
mod morris_tests {
    use super::*;
    use crate::{Design, DesignKind, Marginal};

    /// A straight function has its slopes as effects; one that bends has a spread.
    #[test]
    fn effects_of_a_straight_and_a_bent_function() {
        let uniform = Marginal::Uniform { low: 0.0, high: 1.0 };
        let design = Design::new(DesignKind::Morris, vec![uniform; 3], None, 30, 4).unwrap();
        let mut x = [0.0; 3];
        let mut values = Vec::new();
        for i in 0..design.count() {
            design.point(i, &mut x);
            values.push(3.0 * x[0] - 2.0 * x[1] + x[1] * x[2]);
        }
        let found: Vec<Effect> = effects(&values, 4, 3, 0.95).into_iter().flatten().collect();
        assert!((found[0].size.value - 3.0).abs() < 1e-12 && found[0].deviation < 1e-12, "{found:?}");
        assert!((found[0].mean - 3.0).abs() < 1e-12 && found[1].mean < -1.0, "{found:?}");
        assert!(found[1].deviation > 0.1 && found[2].deviation > 0.1, "{found:?}");
    }

    #[test]
    fn a_path_moves_every_parameter_once() {
        let k = 5;
        for path in 0..20u64 {
            let at = |step: u64| (0..k).map(|i| unit(9, k, path * 6 + step, i)).collect::<Vec<_>>();
            let mut moved = vec![0; k];
            for step in 0..5 {
                let (a, b) = (at(step), at(step + 1));
                let places: Vec<usize> = (0..k).filter(|&i| a[i] != b[i]).collect();
                assert_eq!(places.len(), 1);
                moved[places[0]] += 1;
            }
            assert_eq!(moved, [1; 5]);
        }
    }
}
