//! Where a function of one variable vanishes.

/// Two places between which a function changes its sign, narrowed by regula falsi after Illinois: the value at an end that
/// stays for a second time counts half, so that both ends move.
///
/// ```
/// use bristle_solve::Bracket;
///
/// let mut bracket = Bracket::new((1.0, -1.0), (2.0, 2.0));
/// while bracket.width() > 1e-12 {
///     let x = bracket.secant();
///     bracket.narrow(x, x * x - 2.0);
/// }
/// assert!((bracket.secant() - 2f64.sqrt()).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Bracket {
    ends: [(f64, f64); 2],
    /// The sign of the first end; it may lie on the root itself, and its value tells nothing then.
    sign: f64,
    /// The end that stayed last.
    stayed: Option<usize>,
}

impl Bracket {
    /// From two places with their values, which differ in sign.
    pub fn new(a: (f64, f64), b: (f64, f64)) -> Self {
        let sign = if b.1 == 0.0 { a.1.signum() } else { -b.1.signum() };
        Bracket { ends: [a, b], sign, stayed: None }
    }

    /// The two places, the one on the side of the first value first.
    pub fn places(&self) -> [f64; 2] {
        self.ends.map(|(place, _)| place)
    }

    /// The distance of the two places.
    pub fn width(&self) -> f64 {
        (self.ends[1].0 - self.ends[0].0).abs()
    }

    /// How far from the first to the second place the straight line between the values vanishes, from 0 to 1; NaN where a value is.
    pub fn share(&self) -> f64 {
        let [(_, fa), (_, fb)] = self.ends;
        fa / (fa - fb)
    }

    /// The place at a share of the way.
    pub fn at(&self, share: f64) -> f64 {
        let [(a, _), (b, _)] = self.ends;
        a + (b - a) * share
    }

    /// Where the straight line between the values vanishes.
    pub fn secant(&self) -> f64 {
        self.at(self.share())
    }

    /// Takes the value `f` at `x`, between the two places, in place of the end of its sign; zero counts as the second end's.
    pub fn narrow(&mut self, x: f64, f: f64) {
        let stays = usize::from(f * self.sign > 0.0);
        self.ends[1 - stays] = (x, f);
        if self.stayed == Some(stays) {
            self.ends[stays].1 *= 0.5;
        }
        self.stayed = Some(stays);
    }
}

#[cfg(test)]
mod roots_tests {
    use super::*;

    /// A function that is flat on one side: plain regula falsi would keep one end for ever.
    #[test]
    fn both_ends_close_in_on_a_root_of_high_order() {
        let f = |x: f64| x.powi(9) - 1e-3;
        let mut bracket = Bracket::new((0.0, f(0.0)), (2.0, f(2.0)));
        let mut evaluations = 0;
        while bracket.width() > 1e-12 {
            let x = bracket.secant();
            bracket.narrow(x, f(x));
            evaluations += 1;
            assert!(evaluations < 80, "{bracket:?}");
        }
        assert!((bracket.secant() - 1e-3f64.powf(1.0 / 9.0)).abs() < 1e-12);
    }

    /// A motion that begins on its guard: the function rises from zero, and the root that is looked for lies behind.
    #[test]
    fn a_root_at_the_first_end_is_passed_over() {
        let f = |x: f64| x * (0.7 - x);
        let mut bracket = Bracket::new((0.0, f(0.0)), (1.0, f(1.0)));
        for _ in 0..60 {
            let x = bracket.at(bracket.share().clamp(1e-3, 1.0 - 1e-3));
            bracket.narrow(x, f(x));
        }
        assert!((bracket.places()[1] - 0.7).abs() < 1e-9, "{bracket:?}");
    }

    #[test]
    fn falling_and_rising_functions_are_alike() {
        for sign in [1.0, -1.0] {
            let f = |x: f64| sign * (x - 0.3).tanh();
            let mut bracket = Bracket::new((-1.0, f(-1.0)), (5.0, f(5.0)));
            for _ in 0..60 {
                let x = bracket.secant();
                bracket.narrow(x, f(x));
                if f(x) == 0.0 {
                    break;
                }
            }
            let [a, b] = bracket.places();
            assert!(
                a <= 0.3 + 1e-12 && b >= 0.3 - 1e-12 && (bracket.secant() - 0.3).abs() < 1e-12,
                "{bracket:?}"
            );
        }
    }
}
