//! Where the ticks of an axis stand and what they say.

use crate::number::pretty;
use crate::plot::Scale;
use crate::render::svg::view::Extent;

/// The ticks of one axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ticks {
    /// Position and label of each labelled tick.
    pub major: Vec<(f64, String)>,
    /// Unlabelled ticks in between.
    pub minor: Vec<f64>,
    /// The common power of ten taken out of the labels, shown at the end of the axis.
    pub exponent: i32,
}

impl Ticks {
    /// The common factor in the mini markup, such as `×10^{−6}`; empty if there is none.
    pub fn factor(&self) -> String {
        if self.exponent == 0 { String::new() } else { format!("×10^{{{}}}", minus(self.exponent)) }
    }
}

/// About `count` ticks over an extent.
pub fn ticks(extent: &Extent, count: usize) -> Ticks {
    match extent.scale {
        Scale::Linear => linear(extent.lo, extent.hi, count),
        Scale::Log => log(extent.lo, extent.hi, count),
    }
}

/// Steps of 1, 2 or 5 times a power of ten.
fn linear(lo: f64, hi: f64, count: usize) -> Ticks {
    let span = hi - lo;
    if !(span.is_finite() && span > 0.0) {
        return Ticks::default();
    }
    let raw = span / count.max(1) as f64;
    let power = 10f64.powf(raw.log10().floor());
    // The round step that comes closest to the count wanted, counted in ratios.
    let off = |s: &f64| (s / raw).ln().abs();
    let steps = [1.0, 2.0, 5.0, 10.0].map(|m| m * power);
    let step = steps.into_iter().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(power);
    let exponent = common_exponent(lo.abs().max(hi.abs()));
    let factor = 10f64.powi(exponent);
    let decimals = (-(step / factor).log10() - 1e-9).ceil().clamp(0.0, 15.0) as usize;
    let first = (lo / step - 1e-9).ceil() as i64;
    let last = (hi / step + 1e-9).floor() as i64;
    let label = |k: i64| {
        let text = format!("{:.decimals$}", k as f64 * step / factor);
        pretty(if k == 0 { "0" } else { &text })
    };
    let major = (first..=last).map(|k| (k as f64 * step, label(k))).collect();
    // Four or five minor intervals, so that each is again a round number.
    let parts = if (step / power - 2.0).abs() < 0.1 { 4 } else { 5 };
    let minor = ((first - 1) * parts..=(last + 1) * parts)
        .filter(|k| k % parts != 0)
        .map(|k| k as f64 * step / parts as f64)
        .filter(|v| (lo..=hi).contains(v))
        .collect();
    Ticks { major, minor, exponent }
}

/// The power of a thousand worth taking out of the labels of an axis that reaches to `largest`.
fn common_exponent(largest: f64) -> i32 {
    if !largest.is_finite() || largest == 0.0 || (1e-2..1e4).contains(&(largest * 1.000_001)) {
        return 0;
    }
    let exponent = (largest.log10() + 1e-9).floor() as i32;
    exponent.div_euclid(3) * 3
}

fn log(lo: f64, hi: f64, count: usize) -> Ticks {
    if !(lo > 0.0 && hi > lo && hi.is_finite()) {
        return Ticks::default();
    }
    let decades = (hi / lo).log10();
    if decades < 0.9 {
        return linear(lo, hi, count);
    }
    let (first, last) = ((lo.log10() - 1e-9).ceil() as i32, (hi.log10() + 1e-9).floor() as i32);
    // Plain numbers for everyday sizes, powers of ten as soon as one tick needs them.
    let is_plain = first >= -2 && last <= 3;
    let label = |m: i32, e: i32| match (is_plain, m) {
        (true, _) => pretty(&crate::number::short(f64::from(m) * 10f64.powi(e), 3)),
        (false, 1) => format!("10^{{{}}}", minus(e)),
        (false, _) => format!("{m}×10^{{{}}}", minus(e)),
    };
    let stride = ((last - first) as usize).div_ceil(count.max(1)).max(1) as i32;
    let multiples: &[i32] = if decades < 1.5 && count >= 4 { &[1, 2, 5] } else { &[1] };
    let (mut major, mut minor) = (Vec::new(), Vec::new());
    for e in first - 1..=last {
        for m in 1..10 {
            let v = f64::from(m) * 10f64.powi(e);
            if v < lo * (1.0 - 1e-9) || v > hi * (1.0 + 1e-9) {
                continue;
            }
            if multiples.contains(&m) && e.rem_euclid(stride) == 0 {
                major.push((v, label(m, e)));
            } else if m == 1 || stride == 1 {
                minor.push(v);
            }
        }
    }
    Ticks { major, minor, exponent: 0 }
}

fn minus(e: i32) -> String {
    e.to_string().replace('-', "−")
}

#[cfg(test)]
mod ticks_tests {
    use super::*;

    fn labels(t: &Ticks) -> Vec<&str> {
        t.major.iter().map(|(_, l)| l.as_str()).collect()
    }

    #[test]
    fn small_numbers_share_a_power_of_a_thousand() {
        let t = linear(0.0, 5.2e-5, 5);
        assert_eq!(labels(&t), ["0", "10", "20", "30", "40", "50"]);
        assert_eq!(t.factor(), "×10^{−6}");
        assert_eq!(linear(-1.0, 1.0, 5).exponent, 0);
        assert_eq!(linear(0.0, 25000.0, 5).factor(), "×10^{3}");
    }

    #[test]
    fn steps_are_round_and_labels_short() {
        assert_eq!(labels(&linear(0.0, 1.0, 5)), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&linear(0.0, 5.0, 5)), ["0", "1", "2", "3", "4", "5"]);
        assert_eq!(labels(&linear(-0.5, 0.5, 2)), ["−0.5", "0", "0.5"]);
    }

    #[test]
    fn decades_are_thinned_when_there_are_many() {
        assert_eq!(labels(&log(1e-12, 1.0, 4)), ["10^{−12}", "10^{−9}", "10^{−6}", "10^{−3}", "10^{0}"]);
        assert_eq!(labels(&log(0.1, 100.0, 5)), ["0.1", "1", "10", "100"]);
        assert_eq!(labels(&log(1.0, 20.0, 5)), ["1", "2", "5", "10", "20"]);
    }

    #[test]
    fn empty_extents_have_no_ticks() {
        assert!(linear(1.0, 1.0, 5).major.is_empty());
        assert!(linear(f64::NAN, 1.0, 5).major.is_empty());
        assert!(log(-1.0, 1.0, 5).major.is_empty());
    }
}
