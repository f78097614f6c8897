//! Slide, hold, slide: does the contact strengthen while it rests?

use crate::CertifyError;
use crate::bench::{LawBench, part, polyline};
use bristle_mech::PartKind;
use serde::Serialize;

/// How long the drive stands still, s.
pub const HOLDS: [f64; 5] = [0.1, 1.0, 10.0, 100.0, 1000.0];

/// Growth of less than this share of the static level is none.
const NONE: f64 = 2e-3;

/// Speed of the drive, m/s, and how long it slides before and after, s.
const SPEED: f64 = 0.1;
const SLIDE: f64 = 1.0;

/// The peak of friction after a hold.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Dwell {
    /// Peak after each hold, N.
    pub peak: [f64; 5],
    /// Growth from the shortest to the longest hold over the static level.
    pub growth: f64,
    /// The same per decade of time.
    pub per_decade: f64,
    /// Whether that is growth at all.
    pub strengthens: bool,
}

pub(crate) fn measure(bench: &LawBench, breaking: f64) -> Result<Dwell, CertifyError> {
    let mut peak = [0.0; 5];
    for (peak, hold) in peak.iter_mut().zip(HOLDS) {
        *peak = after(bench, hold)?;
    }
    let growth = (peak[4] - peak[0]) / breaking;
    Ok(Dwell { peak, growth, per_decade: growth / 4.0, strengthens: growth > NONE })
}

/// The largest friction force once the drive moves again. Spring and damper between drive and block are stiff, so that
/// neither of them lets the block stick and slip by itself.
fn after(bench: &LawBench, hold: f64) -> Result<f64, CertifyError> {
    let (k, mass) = (1e5, 1e-2 * bench.mass);
    let (stop, go) = (SLIDE, SLIDE + hold);
    let rates = [(0.0, SPEED), (stop, SPEED), (stop + 1e-2, 0.0), (go, 0.0), (go + 1e-2, SPEED)];
    let between = ["block", "drive"];
    let parts = vec![
        ("block", part(PartKind::Mass, &[("mass", mass), ("v", SPEED)])),
        ("drive", part(PartKind::Drive, &[]).holding("velocity", polyline(&rates))),
        ("spring", part(PartKind::Spring, &[("k", k)]).naming("between", &between)),
        ("damper", part(PartKind::Damper, &[("d", 4.0 * (k * mass).sqrt())]).naming("between", &between)),
    ];
    let system = bench.assemble("ground", parts)?;
    bench.largest_force(&system, go, go + SLIDE, f64::INFINITY)
}
