//! Phases of a stick-slip cycle: stick, acceleration, deceleration.
//!
//! ```text
//! III deceleration   largest slip rate → first minimum after it
//! II  acceleration   last rise through the threshold → largest slip rate
//! I   stick          the rest
//! ```
//!
//! With elastic bristles a stuck contact rings, so its slip rate is not zero; the threshold says which slip
//! rate still counts as sticking.

/// One cycle from one largest slip rate to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CyclePhases {
    /// Time of the largest slip rate with which the cycle begins.
    pub start: f64,
    /// Duration of the stick phase.
    pub stick: f64,
    /// Duration of the acceleration phase.
    pub acceleration: f64,
    /// Duration of the deceleration phase.
    pub deceleration: f64,
    /// Largest slip rate at the end of the cycle.
    pub peak: f64,
    /// Slip rate at the end of the deceleration phase.
    pub trough: f64,
}

impl CyclePhases {
    /// Duration of the cycle.
    pub fn period(&self) -> f64 {
        self.stick + self.acceleration + self.deceleration
    }
}

/// Cuts a sampled slip rate into cycles and each cycle into phases.
///
/// A cycle runs between two peaks above half the largest slip rate. `threshold` is the slip rate above which the
/// acceleration has begun; 0.005 m/s where nothing better is known. Times between samples are interpolated.
pub fn phases(t: &[f64], v: &[f64], threshold: f64) -> Vec<CyclePhases> {
    let n = t.len().min(v.len());
    let (t, v) = (&t[..n], &v[..n]);
    let peaks = peaks(t, v);
    peaks.windows(2).filter_map(|pair| cycle(t, v, pair[0], pair[1], threshold)).collect()
}

/// Indices of the largest sample of each excursion above half the overall maximum, ends left out.
fn peaks(t: &[f64], v: &[f64]) -> Vec<usize> {
    let half = 0.5 * v.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut found = Vec::new();
    let mut best: Option<usize> = None;
    let mut is_whole = false;
    for i in 0..t.len() {
        if v[i] > half {
            if best.is_none_or(|b| v[i] > v[b]) {
                best = Some(i);
            }
        } else {
            if let Some(b) = best.take().filter(|_| is_whole) {
                found.push(b);
            }
            // An excursion that the record begins in has lost its peak, perhaps.
            is_whole = true;
        }
    }
    found
}

fn cycle(t: &[f64], v: &[f64], from: usize, to: usize, threshold: f64) -> Option<CyclePhases> {
    let minimum = (from + 1..to).find(|&i| v[i] <= v[i - 1] && v[i] < v[i + 1])?;
    let rise = (minimum..to).rev().find(|&i| v[i] <= threshold && v[i + 1] > threshold)?;
    let start = vertex(t, v, from);
    let end = vertex(t, v, to);
    let trough = vertex(t, v, minimum);
    let onset = t[rise] + (threshold - v[rise]) / (v[rise + 1] - v[rise]) * (t[rise + 1] - t[rise]);
    Some(CyclePhases {
        start: start.0,
        stick: onset - trough.0,
        acceleration: end.0 - onset,
        deceleration: trough.0 - start.0,
        peak: end.1,
        trough: trough.1,
    })
}

/// The vertex of the parabola through a sample and its neighbours.
pub(crate) fn vertex(t: &[f64], v: &[f64], i: usize) -> (f64, f64) {
    if i == 0 || i + 1 >= t.len() {
        return (t[i], v[i]);
    }
    let (a, b) = (t[i - 1] - t[i], t[i + 1] - t[i]);
    let (p, q) = (v[i - 1] - v[i], v[i + 1] - v[i]);
    // v ≈ v_i + s τ + c τ², through both neighbours.
    let c = (p / a - q / b) / (a - b);
    let s = p / a - c * a;
    if !c.is_finite() || c == 0.0 {
        return (t[i], v[i]);
    }
    let tau = (-s / (2.0 * c)).clamp(a, b);
    (t[i] + tau, v[i] + s * tau + c * tau * tau)
}

#[cfg(test)]
mod phases_tests {
    use super::*;

    /// A triangle wave with a flat foot: rise 0.3 s, fall 0.2 s, foot 0.5 s.
    #[test]
    fn a_triangle_is_cut_at_its_corners() {
        let shape = |t: f64| {
            let t = t.rem_euclid(1.0);
            let up = (t - 0.5) / 0.3;
            let down = (1.0 - t) / 0.2;
            // A slight dip marks the end of the fall.
            up.min(down).max(0.0) - 1e-3 * (-((t - 0.01) / 0.01_f64).powi(2)).exp()
        };
        let t: Vec<f64> = (0..40_000).map(|i| i as f64 * 1e-4).collect();
        let v: Vec<f64> = t.iter().map(|&t| shape(t)).collect();
        let found = phases(&t, &v, 0.005);
        assert_eq!(found.len(), 3);
        for s in found {
            assert!((s.period() - 1.0).abs() < 1e-9);
            assert!((s.deceleration - 0.21).abs() < 2e-3, "{s:?}");
            assert!((s.acceleration - 0.2985).abs() < 2e-3, "{s:?}");
        }
    }
}
