//! Random motions: does the contact ever give back more than it was given, and does it know left from right?

use crate::CertifyError;
use crate::bench::LawBench;
use crate::slide::SlipHistory;
use bristle_solve::Output;
use serde::Serialize;
use std::f64::consts::TAU;

/// How many motions.
const COUNT: u64 = 12;

/// Length of each, s.
const SPAN: f64 = 1.0;

/// What random motions showed.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Passivity {
    /// Largest energy that came back in one go, J.
    pub returned: f64,
    /// Largest excess of energy taken out over energy put in since the start, J; zero for a passive contact.
    pub made: f64,
    /// Whether no motion took out more than had been put in.
    pub is_passive: bool,
    /// Largest difference between a motion and its mirror image, over the kinetic level.
    pub asymmetry: f64,
}

/// A sequence of numbers from 0 to 1 that is the same everywhere (Steele, Lea & Flood 2014).
pub struct Dice(pub u64);

impl Dice {
    /// The next number.
    pub fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Four sines: speeds from 0.1 mm/s to 1 m/s, 0.5 to 50 cycles per second.
pub fn motion(seed: u64) -> SlipHistory {
    let mut dice = Dice(seed);
    let sines = (0..4).map(|_| {
        let (speed, frequency) = (10f64.powf(4.0 * dice.roll() - 4.0), 0.5 * 100f64.powf(dice.roll()));
        [speed, TAU * frequency, TAU * dice.roll()]
    });
    SlipHistory { points: Vec::new(), sines: sines.collect() }
}

pub(crate) fn measure(bench: &LawBench, kinetic: f64) -> Result<Passivity, CertifyError> {
    let (mut returned, mut made): (f64, f64) = (0.0, 0.0);
    for seed in 0..COUNT {
        let rows = bench.slide(&motion(seed), SPAN, &Output::Steps)?;
        let mut highest: f64 = 0.0;
        for row in &rows {
            highest = highest.max(row.work);
            returned = returned.max(highest - row.work);
            made = made.max(-row.work);
        }
    }
    let times: Vec<f64> = (1..=50).map(|i| f64::from(i) * SPAN / 50.0).collect();
    let mut asymmetry: f64 = 0.0;
    for seed in 0..3 {
        let there = bench.slide_at(&motion(seed), &times)?;
        let back = bench.slide_at(&motion(seed).mirrored(), &times)?;
        let gaps = there.iter().zip(&back).map(|(a, b)| (a.force + b.force).abs() / kinetic);
        asymmetry = gaps.fold(asymmetry, f64::max);
    }
    // What rounding and the tolerance leave of a nanojoule per joule is nothing.
    let is_passive = made <= 1e-9 * kinetic * SPAN;
    Ok(Passivity { returned, made, is_passive, asymmetry })
}
