//! The root that an implicit step looks for.

/// More looks than this are never needed: each second one halves the interval at least.
const MOST_LOOKS: usize = 128;

/// The root of a function that is negative at `low` and positive at `high`, by Newton's method from `guess`.
///
/// `f` gives value and slope. A step that leaves the interval known to hold the root, or is not half as long as the one before, is
/// replaced by its middle, so that the number of looks is bounded however the function bends.
pub(super) fn newton(
    f: impl Fn(f64) -> (f64, f64),
    [mut low, mut high]: [f64; 2],
    guess: f64,
    tolerance: f64,
) -> f64 {
    let mut x = guess.clamp(low, high);
    let mut former = high - low;
    for _ in 0..MOST_LOOKS {
        let (value, slope) = f(x);
        if value < 0.0 {
            low = x
        } else {
            high = x
        }
        let step = value / slope;
        let next = x - step;
        if step.abs() <= tolerance {
            return next.clamp(low, high);
        }
        if high - low <= tolerance {
            break;
        }
        let is_fast = (low..=high).contains(&next) && step.abs() <= 0.5 * former;
        let middle = 0.5 * (low + high);
        former = if is_fast { step.abs() } else { 0.5 * (high - low) };
        x = if is_fast { next } else { middle };
    }
    x
}

#[cfg(test)]
mod root_tests {
    use super::*;
    use std::cell::Cell;

    /// A cube root has an infinite slope at its root, a power of nine none: both defeat Newton's method alone.
    #[test]
    fn a_root_is_found_however_the_function_bends() {
        let functions: [(&str, fn(f64) -> (f64, f64), f64); 4] = [
            ("line", |x| (x - 0.3, 1.0), 4.0),
            ("cube root", |x| ((x - 0.3).cbrt(), 1.0 / (3.0 * (x - 0.3).cbrt().powi(2))), 120.0),
            ("flat", |x| ((x - 0.3).powi(9), 9.0 * (x - 0.3).powi(8)), 128.0),
            ("kink", |x| if x < 0.3 { (1e3 * (x - 0.3), 1e3) } else { (1e-3 * (x - 0.3), 1e-3) }, 4.0),
        ];
        for (name, f, most) in functions {
            let looks = Cell::new(0.0);
            let counted = |x: f64| {
                looks.set(looks.get() + 1.0);
                f(x)
            };
            let x = newton(counted, [-1.0, 2.0], 1.9, 1e-15);
            let error = if name == "flat" { 1e-14 } else { 4e-15 };
            assert!((x - 0.3).abs() < error && looks.get() <= most, "{name}: {x} after {}", looks.get());
        }
    }
}
