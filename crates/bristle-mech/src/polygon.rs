//! Straight lines through points: tables of forces over stretches, of efficiencies over speeds.

use bristle_core::Scalar;

/// A function that is straight between points.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Polygon {
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Polygon {
    /// Through these points; none where there are fewer than two, or where they do not rise.
    pub(crate) fn through(x: &[f64], y: &[f64]) -> Option<Self> {
        let rises = x.windows(2).all(|pair| pair[0] < pair[1]);
        (x.len() >= 2 && x.len() == y.len() && rises).then(|| Polygon { x: x.to_vec(), y: y.to_vec() })
    }

    /// The same everywhere.
    pub(crate) fn constant(y: f64) -> Self {
        Polygon { x: vec![0.0, 1.0], y: vec![y, y] }
    }

    /// Where each line begins, how long it is, and its slope.
    fn lines(&self) -> impl Iterator<Item = [f64; 3]> {
        let points = self.x.windows(2).zip(self.y.windows(2));
        points.map(|(x, y)| [x[0], x[1] - x[0], (y[1] - y[0]) / (x[1] - x[0])])
    }

    /// The first and the last line go on outside.
    fn reach(&self, i: usize, length: f64) -> [f64; 2] {
        let low = if i == 0 { f64::NEG_INFINITY } else { 0.0 };
        let high = if i + 2 == self.x.len() { f64::INFINITY } else { length };
        [low, high]
    }

    /// The value; beyond the points as the last of them.
    pub(crate) fn value<S: Scalar>(&self, x: S) -> S {
        self.lines().fold(S::from(self.y[0]), |sum, [from, length, slope]| {
            sum + (x - from).clamp_to(S::zero(), S::from(length)) * slope
        })
    }

    /// The value; beyond the points as the lines go on.
    pub(crate) fn extended<S: Scalar>(&self, x: S) -> S {
        self.lines().enumerate().fold(S::from(self.y[0]), |sum, (i, [from, length, slope])| {
            let [low, high] = self.reach(i, length);
            sum + clamp(x - from, low, high) * slope
        })
    }

    /// The integral of [`extended`](Polygon::extended) from the first point on.
    pub(crate) fn integral<S: Scalar>(&self, x: S) -> S {
        let first = (x - self.x[0]) * self.y[0];
        self.lines().enumerate().fold(first, |sum, (i, [from, length, slope])| {
            let [low, high] = self.reach(i, length);
            let (s, inside) = (x - from, clamp(x - from, low, high));
            sum + (inside.squared() * 0.5 + inside * (s - inside)) * slope
        })
    }
}

fn clamp<S: Scalar>(x: S, low: f64, high: f64) -> S {
    let x = if low.is_finite() { x.max(S::from(low)) } else { x };
    if high.is_finite() { x.min(S::from(high)) } else { x }
}

#[cfg(test)]
mod polygon_tests {
    use super::*;

    #[test]
    fn lines_pass_through_their_points_and_go_on_or_stay() {
        let table = Polygon::through(&[-1.0, 0.0, 2.0], &[-3.0, 0.0, 1.0]).unwrap();
        let rows =
            [(-2.0, -3.0, -6.0), (-1.0, -3.0, -3.0), (-0.5, -1.5, -1.5), (1.0, 0.5, 0.5), (4.0, 1.0, 2.0)];
        for (x, value, extended) in rows {
            assert_eq!((table.value(x), table.extended(x)), (value, extended), "at {x}");
        }
        assert!(Polygon::through(&[0.0, 0.0], &[1.0, 2.0]).is_none());
        assert!(
            Polygon::through(&[0.0], &[1.0]).is_none() && Polygon::through(&[0.0, 1.0], &[1.0]).is_none()
        );
    }

    #[test]
    fn the_integral_has_the_value_as_its_slope() {
        let table = Polygon::through(&[-1.0, 0.0, 2.0, 2.5], &[-3.0, 0.5, 1.0, 7.0]).unwrap();
        for x in [-3.0, -0.7, 0.3, 1.9, 2.2, 5.0] {
            let slope = (table.integral(x + 1e-5) - table.integral(x - 1e-5)) / 2e-5;
            assert!((slope - table.extended(x)).abs() < 1e-8, "at {x}: {slope}");
        }
        assert_eq!(table.integral(-1.0), 0.0);
    }
}
