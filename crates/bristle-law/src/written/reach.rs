//! Where the values of formulas can lie.

/// Where a value can lie, and whether that changes during a motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueReach {
    pub(super) range: [f64; 2],
    pub(super) is_moving: bool,
}

/// As large as anything that is not bounded.
pub(super) const ANY: [f64; 2] = [-1e30, 1e30];

impl ValueReach {
    /// A number that stays.
    pub(super) fn fixed(x: f64) -> Self {
        ValueReach { range: [x; 2], is_moving: false }
    }

    fn holds_zero(self) -> bool {
        self.range[0] <= 0.0 && self.range[1] >= 0.0
    }

    /// Where a whole power can lie.
    pub(super) fn power(self, k: i8) -> Self {
        let [p, q] = self.range.map(|x| x.powi(k.into()));
        let low = if k % 2 == 0 && k > 0 && self.holds_zero() { 0.0 } else { p.min(q) };
        ValueReach { range: [low, p.max(q)], ..self }
    }

    /// Where the size can lie.
    pub(super) fn size(self) -> [f64; 2] {
        let [low, high] = self.range.map(f64::abs);
        [if self.holds_zero() { 0.0 } else { low.min(high) }, low.max(high)]
    }
}

/// Where a sum can lie.
pub(super) fn add(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

/// Where a product can lie.
pub(super) fn multiply(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    let all = [a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]];
    if all.iter().any(|x| x.is_nan()) {
        return ANY;
    }
    all.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |r, x| [r[0].min(*x), r[1].max(*x)])
}

/// Where either of two can lie.
pub(super) fn hull(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}
