//! How well the energy balance of a run closes, measured against what was exchanged.

use bristle_record::{Fact, Tone};

/// A gap below this share of what was exchanged is as good as none.
pub const CLOSED: f64 = 1e-6;

/// A gap above this share means that the run is wrong.
pub const FAILED: f64 = 1e-3;

/// Rounding of energies of this size, relative, is no gap: a rope of 490 kJ is known to some 10⁻⁸ J.
const ROUNDING: f64 = 1e-13;

/// What does not add up in a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closure {
    /// The largest gap at any time, J, and when that was, s.
    pub gap: f64,
    /// When the gap is largest, s.
    pub at: f64,
    /// The largest change of any kind of energy, work or loss during the run, J.
    pub exchanged: f64,
    /// The gap, less what rounding explains, over what was exchanged.
    pub share: f64,
}

/// Judges a balance from the gap over time and every kind of energy, work and loss over time.
///
/// What is exchanged is the widest range any one of them sweeps: neither the datum of height nor the energy at the start
/// counts, and an oscillation that goes on for long does not make a drift of its energy look small.
pub fn closure(t: &[f64], gap: &[f64], kinds: &[&[f64]]) -> Closure {
    let mut worst = (0.0, t.first().copied().unwrap_or(0.0));
    for (t, gap) in t.iter().zip(gap) {
        // A gap that is no number is the worst of all.
        if worst.0 <= gap.abs() || gap.is_nan() {
            worst = (if gap.is_nan() { f64::INFINITY } else { gap.abs() }, *t);
        }
    }
    let range = |values: &&[f64]| {
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        if values.is_empty() { 0.0 } else { high - low }
    };
    let exchanged = kinds.iter().map(range).fold(0.0, f64::max);
    let largest = kinds.iter().flat_map(|k| k.iter()).fold(0.0, |m: f64, e| m.max(e.abs()));
    let beyond = (worst.0 - ROUNDING * largest).max(0.0);
    let share = if beyond == 0.0 { 0.0 } else { beyond / exchanged };
    Closure { gap: worst.0, at: worst.1, exchanged, share }
}

impl Closure {
    /// Whether the run cannot be trusted.
    pub fn has_failed(&self) -> bool {
        self.share.is_nan() || self.share > FAILED
    }

    /// Why a run failed, if it did.
    pub fn failure(&self) -> Option<String> {
        self.has_failed().then(|| {
            format!(
                "the energy balance does not close: at {:.6} s {:.3e} J are missing, {} of the {:.3e} J exchanged; \
                 tighten `rtol` or choose another method",
                self.at,
                self.gap,
                self.per_cent(),
                self.exchanged
            )
        })
    }

    fn per_cent(&self) -> String {
        if self.share < 10.0 {
            format!("{:.2} %", 100.0 * self.share)
        } else {
            "more than ten times".to_owned()
        }
    }

    /// The verdict on the balance.
    pub fn fact(&self) -> Fact {
        let tone = if self.has_failed() {
            Tone::Bad
        } else if self.share > CLOSED {
            Tone::Warn
        } else {
            Tone::Good
        };
        let (label, words) = if self.has_failed() {
            ("energy balance does not close", format!("{} of what was exchanged is missing", self.per_cent()))
        } else if self.share == 0.0 {
            ("energy balance closes to", "rounding".to_owned())
        } else {
            ("energy balance closes to", format!("{:.1e} of what was exchanged", self.share))
        };
        let mut fact = Fact::verdict(label, words, tone).named("energy_balance").measuring(self.share, "1");
        fact.note = format!(
            "largest |energy change − work put in + losses| {:.2e} J, at {:.4} s; exchanged {:.3e} J",
            self.gap, self.at, self.exchanged
        );
        fact
    }
}

#[cfg(test)]
mod energy_tests {
    use super::*;

    fn times(n: usize) -> Vec<f64> {
        (0..n).map(|i| i as f64 * 0.01).collect()
    }

    /// A swing without friction from rest at its datum: kinetic and potential energy cancel at every time.
    fn pendulum(datum: f64, drift: f64) -> Closure {
        let t = times(1001);
        let kinetic: Vec<f64> = t.iter().map(|t| t.sin().powi(2)).collect();
        let potential: Vec<f64> = t.iter().map(|t| datum - t.sin().powi(2)).collect();
        let gap: Vec<f64> = t.iter().map(|t| drift * t).collect();
        closure(&t, &gap, &[&kinetic, &potential])
    }

    #[test]
    fn a_frictionless_pendulum_closes_whatever_its_datum() {
        for datum in [0.0, 1.0, -490e3] {
            let found = pendulum(datum, 1e-10);
            assert_eq!(found.fact().tone, Tone::Good, "{datum}: {found:?}");
            assert!((found.exchanged - 1.0).abs() < 1e-4);
        }
    }

    #[test]
    fn a_high_datum_does_not_flatter() {
        // 10⁻² J of 1 J are missing at the end; against 490 kJ they would be 2e-8.
        let found = pendulum(490e3, 1e-3);
        assert!(found.has_failed() && found.failure().is_some(), "{found:?}");
        assert!((found.share - 0.01).abs() < 1e-5 && found.at == 10.0);
        assert_eq!(found.fact().tone, Tone::Bad);
        assert!(found.fact().label.contains("does not close"));
    }

    #[test]
    fn a_long_oscillation_does_not_hide_a_drift() {
        // A tenth of the energy is lost over sixteen swings, a thousandth of all that went to and fro.
        assert!(pendulum(0.0, 0.01).has_failed());
    }

    #[test]
    fn the_thresholds_are_where_they_are_said_to_be() {
        let t = [0.0, 1.0];
        let of = |gap: f64| closure(&t, &[0.0, gap], &[&[0.0, 1.0]]);
        for (gap, tone, failed) in [
            (0.9e-6, Tone::Good, false),
            (1.1e-6, Tone::Warn, false),
            (0.9e-3, Tone::Warn, false),
            (1.1e-3, Tone::Bad, true),
            (-1.0, Tone::Bad, true),
        ] {
            let found = of(gap);
            assert_eq!((found.fact().tone, found.has_failed()), (tone, failed), "{gap}");
            assert_eq!(found.failure().is_some(), failed);
        }
        assert!(of(f64::NAN).has_failed(), "what is no number does not close");
        assert!(of(100.0).failure().unwrap().contains("more than ten times"));
    }

    #[test]
    fn nothing_exchanged_closes_only_if_nothing_is_missing() {
        let t = [0.0, 1.0];
        assert_eq!(closure(&t, &[0.0, 0.0], &[&[0.0, 0.0]]).fact().tone, Tone::Good);
        assert_eq!(closure(&t, &[0.0, 1e-9], &[&[490e3, 490e3]]).fact().tone, Tone::Good);
        assert!(closure(&t, &[0.0, 1e-6], &[&[490e3, 490e3]]).has_failed());
        assert_eq!(closure(&[], &[], &[]).share, 0.0);
    }
}
