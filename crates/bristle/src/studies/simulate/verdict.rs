//! How a contact moves, in words.

use super::column;
use bristle_record::{Data, Fact, Tone};

/// Slower than this share of the fastest slip rate counts as rest; bristles ring on while a contact sticks.
const REST: f64 = 0.02;

/// A slip begins above this share.
const SLIP: f64 = 0.1;

/// What the slip rate of a contact says over a whole run.
#[derive(Clone, Copy, Debug, Default)]
struct Motion {
    /// Largest slip rate.
    fastest: f64,
    /// Largest slip rate during the last tenth of the run: the end speaks for what goes on for ever.
    late: f64,
    /// Share of the time spent at rest.
    rest: f64,
    /// How often it went from rest to slip.
    slips: usize,
    /// How often the direction changed during the second half.
    reversals: usize,
    /// Mean slip rate during the second half.
    drift: f64,
    /// Slip rate at the end.
    end: f64,
}

/// The verdict on a contact.
pub(super) fn fact(data: &Data, contact: &str) -> Fact {
    let quantity = |name: &str| column(data, &format!("{contact}.{name}"));
    let motion = motion(column(data, "time"), quantity("slip_rate"), quantity("slip"));
    let (words, tone) = words(motion);
    let mut fact = Fact::verdict(format!("contact `{contact}`"), words, tone);
    if motion.fastest > 1e-12 {
        fact.note = format!("fastest slip {} m/s; rest means below 2 % of it", short(motion.fastest));
    }
    fact
}

fn words(motion: Motion) -> (String, Tone) {
    let Motion { fastest, late, rest, slips, reversals, drift, end } = motion;
    if fastest < 1e-12 {
        ("sticks throughout".to_owned(), Tone::Good)
    } else if late < 1e-9 * fastest.max(1e-6) {
        ("comes to rest and holds".to_owned(), Tone::Good)
    } else if slips >= 2 && rest > 0.05 && late > REST * fastest {
        (format!("stick–slip: {slips} slips, at rest {:.0} % of the time", 100.0 * rest), Tone::Warn)
    } else if reversals >= 4 && late > REST * fastest {
        (format!("slides to and fro, drifting at {} m/s", short(drift)), Tone::Warn)
    } else if late < REST * fastest {
        (format!("creeps at {} m/s at the end", short(end)), Tone::Warn)
    } else {
        (format!("slides, {} m/s at the end", short(end)), Tone::Neutral)
    }
}

fn motion(t: &[f64], v: &[f64], slip: &[f64]) -> Motion {
    let count = v.len().min(slip.len()).min(t.len());
    if count < 2 {
        return Motion::default();
    }
    let largest = |v: &[f64]| v.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    let fastest = largest(v);
    let (half, tail) = (count / 2, count - 1 - count / 10);
    let mut found = Motion { fastest, late: largest(&v[tail..]), end: v[count - 1], ..Motion::default() };
    let (mut at_rest, mut is_slipping, mut sign) = (0.0, false, 0.0);
    for i in 1..count {
        // A whole slip may lie between two samples.
        let mean = (slip[i] - slip[i - 1]).abs() / (t[i] - t[i - 1]).max(f64::MIN_POSITIVE);
        if v[i].abs().max(v[i - 1].abs()).max(mean) <= REST * fastest {
            at_rest += t[i] - t[i - 1];
            is_slipping = false;
        } else if v[i].abs() > SLIP * fastest && !is_slipping {
            is_slipping = true;
            found.slips += 1;
        }
        if i > half && v[i] != 0.0 {
            found.reversals += usize::from(sign != 0.0 && v[i].signum() != sign);
            sign = v[i].signum();
        }
    }
    found.rest = at_rest / (t[count - 1] - t[0]);
    found.drift = (slip[count - 1] - slip[half]) / (t[count - 1] - t[half]);
    found
}

/// A number in few digits.
fn short(x: f64) -> String {
    match x.abs() {
        0.0 => "0".to_owned(),
        size if (1e-3..1e4).contains(&size) => format!("{x:.4}"),
        _ => format!("{x:.3e}"),
    }
}

#[cfg(test)]
mod verdict_tests {
    use super::*;

    fn verdict(v: impl Fn(f64) -> f64) -> String {
        let t: Vec<f64> = (0..=1000).map(|i| f64::from(i) * 0.01).collect();
        let v: Vec<f64> = t.iter().map(|t| v(*t)).collect();
        let mut slip = vec![0.0];
        for i in 1..t.len() {
            slip.push(slip[i - 1] + 0.01 * v[i]);
        }
        words(motion(&t, &v, &slip)).0
    }

    #[test]
    fn motions_are_told_apart() {
        assert_eq!(verdict(|_| 0.0), "sticks throughout");
        assert_eq!(verdict(|t| (1.0 - t).max(0.0)), "comes to rest and holds");
        assert_eq!(verdict(|_| 1.0), "slides, 1.0000 m/s at the end");
        assert_eq!(verdict(|t| if t < 5.0 { 1.0 } else { 1e-4 }), "creeps at 1.000e-4 m/s at the end");
        assert!(verdict(|t| (3.0 * t).sin() + 0.1).starts_with("slides to and fro"));
        // Ringing while it sticks is no slip.
        let ringing = |t: f64| if t % 2.0 < 1.0 { 0.01 * (200.0 * t).sin() } else { 1.0 };
        assert_eq!(verdict(ringing), "stick–slip: 5 slips, at rest 50 % of the time");
    }
}
