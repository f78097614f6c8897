//! The tones of an evenly sampled record.
//!
//! ```text
//! X_k = Σ w_i (x_i − x̄) e^(−2πi ik/N),   w a Hann window
//! ```
//!
//! Between two lines of the spectrum a tone is found from the ratio of its two largest lines, which for a Hann window has a
//! closed form; a lone tone is exact to the tails of its mirror image (a millionth, ten lines from either end).

use nalgebra::Complex;
use std::f64::consts::PI;

/// A sinusoid in a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pitch {
    /// Its frequency, Hz.
    pub frequency: f64,
    /// Its amplitude.
    pub amplitude: f64,
}

/// A peak below this part of the largest is not a tone.
const FAINT: f64 = 1e-4;

/// The discrete Fourier transform of as many values as a power of two, in place (Cooley and Tukey 1965). Thirty lines that
/// serve one study, where a library would be a tenth of the crate's build.
fn transform(values: &mut [Complex<f64>]) {
    let n = values.len();
    if n < 2 {
        return;
    }
    let bits = n.trailing_zeros();
    for i in 0..n {
        let j = i.reverse_bits() >> (usize::BITS - bits);
        if i < j {
            values.swap(i, j);
        }
    }
    let mut length = 2;
    while length <= n {
        let half = length / 2;
        let turns: Vec<Complex<f64>> =
            (0..half).map(|k| Complex::new(0.0, -2.0 * PI * k as f64 / length as f64).exp()).collect();
        for block in values.chunks_exact_mut(length) {
            let (low, high) = block.split_at_mut(half);
            for k in 0..half {
                let turned = high[k] * turns[k];
                high[k] = low[k] - turned;
                low[k] += turned;
            }
        }
        length *= 2;
    }
}

/// Frequencies and amplitudes of the lines from 0 to half the sampling rate; nothing unless there are as many values as a
/// power of two.
pub fn amplitudes(values: &[f64], step: f64) -> Vec<(f64, f64)> {
    let n = values.len();
    if !n.is_power_of_two() || n < 4 {
        return Vec::new();
    }
    let mean = values.iter().sum::<f64>() / n as f64;
    let window = |i: usize| 0.5 - 0.5 * (2.0 * PI * i as f64 / n as f64).cos();
    let mut lines: Vec<Complex<f64>> =
        values.iter().enumerate().map(|(i, x)| Complex::new((x - mean) * window(i), 0.0)).collect();
    transform(&mut lines);
    // The window takes half of a tone; the other half of the spectrum has as much.
    let scale = 4.0 / n as f64;
    (0..=n / 2).map(|k| (k as f64 / (n as f64 * step), scale * lines[k].norm())).collect()
}

/// The tones of a record, strongest first.
pub fn tones(values: &[f64], step: f64) -> Vec<Pitch> {
    let lines = amplitudes(values, step);
    let largest = lines.iter().fold(0.0f64, |most, line| most.max(line.1));
    let swing = values.iter().fold(0.0f64, |most, value| most.max(value.abs()));
    if largest <= 1e-13 * swing {
        return Vec::new();
    }
    let spacing = lines.get(1).map_or(0.0, |line| line.0);
    let mut found: Vec<Pitch> = Vec::new();
    for k in 1..lines.len().saturating_sub(1) {
        let [before, here, after] = [lines[k - 1].1, lines[k].1, lines[k + 1].1];
        if here < FAINT * largest || here < before || here <= after {
            continue;
        }
        let (side, ratio) = if after >= before { (1.0, after / here) } else { (-1.0, before / here) };
        let shift = ((2.0 * ratio - 1.0) / (1.0 + ratio)).clamp(0.0, 0.5);
        let gain = if shift == 0.0 { 1.0 } else { PI * shift * (1.0 - shift * shift) / (PI * shift).sin() };
        found.push(Pitch { frequency: (k as f64 + side * shift) * spacing, amplitude: here * gain });
    }
    found.sort_by(|a, b| b.amplitude.total_cmp(&a.amplitude));
    found
}

#[cfg(test)]
mod tones_tests {
    use super::*;

    fn sampled(n: usize, step: f64, x: impl Fn(f64) -> f64) -> Vec<f64> {
        (0..n).map(|i| x(i as f64 * step)).collect()
    }

    /// Two tones between the lines and a mean: both found to a millionth.
    #[test]
    fn tones_between_the_lines_are_found() {
        let x = |t: f64| 3.0 + 2.0 * (2.0 * PI * 17.37 * t + 0.4).cos() + 0.05 * (2.0 * PI * 101.9 * t).sin();
        let found = tones(&sampled(4096, 1e-3, x), 1e-3);
        for (tone, (frequency, amplitude)) in found.iter().zip([(17.37, 2.0), (101.9, 0.05)]) {
            assert!((tone.frequency / frequency - 1.0).abs() < 1e-5, "{tone:?}");
            assert!((tone.amplitude / amplitude - 1.0).abs() < 1e-4, "{tone:?}");
        }
    }

    /// The transform against its definition.
    #[test]
    fn the_transform_is_that_of_its_definition() {
        let x: Vec<Complex<f64>> =
            (0..64).map(|i| Complex::new(((i * i) % 37) as f64, f64::from(i % 5))).collect();
        let mut fast = x.clone();
        transform(&mut fast);
        for (k, fast) in fast.iter().enumerate() {
            let turn = |i: usize| Complex::new(0.0, -2.0 * PI * (i * k % 64) as f64 / 64.0).exp();
            let slow: Complex<f64> = x.iter().enumerate().map(|(i, x)| x * turn(i)).sum();
            assert!((fast - slow).norm() < 1e-10, "{k}");
        }
    }

    /// A square wave of amplitude one has odd harmonics of 4/(π n), and no even ones.
    #[test]
    fn a_square_wave_has_odd_harmonics() {
        let x = |t: f64| if (5.3 * t).fract() < 0.5 { 1.0 } else { -1.0 };
        let found = tones(&sampled(65536, 1e-4, x), 1e-4);
        for (tone, n) in found.iter().zip([1.0, 3.0, 5.0, 7.0]) {
            assert!(
                (tone.frequency - 5.3 * n).abs() < 1e-3 && (tone.amplitude * n * PI / 4.0 - 1.0).abs() < 1e-2
            );
        }
    }

    /// A record that does not move has no tone, however large its mean; nor has one of a length that is no power of two.
    #[test]
    fn what_does_not_vibrate_has_no_tone() {
        assert_eq!(tones(&[1e9 / 3.0; 1024], 1e-3), []);
        assert_eq!(tones(&[0.0, 1.0, 0.0], 1e-3), []);
        assert_eq!(tones(&[], 1e-3), []);
    }
}
