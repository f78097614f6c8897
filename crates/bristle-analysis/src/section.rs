//! Where a cycle is cut: a linear function of the states that falls through a level.

use bristle_core::Scalar;

/// A surface `Σ cᵢ xᵢ = level` and the direction in which it is crossed.
///
/// For a block on a belt, `ẋ` falling through zero is the turning point of the displacement: one hit per cycle,
/// with or without sticking, and never on the surface where the contact switches.
#[derive(Clone, Debug, PartialEq)]
pub struct PoincareSection {
    /// State indices and their coefficients.
    pub normal: Vec<(usize, f64)>,
    /// The level.
    pub level: f64,
    /// Crossed on the way up?
    pub is_rising: bool,
}

impl PoincareSection {
    /// One state falling through a level.
    pub fn falling(state: usize, level: f64) -> Self {
        Self { normal: vec![(state, 1.0)], level, is_rising: false }
    }

    /// One state rising through a level.
    pub fn rising(state: usize, level: f64) -> Self {
        Self { is_rising: true, ..Self::falling(state, level) }
    }

    /// Signed height, which falls through zero at a hit.
    #[inline]
    pub(crate) fn height<S: Scalar>(&self, x: &[S]) -> S {
        let sum = self.normal.iter().fold(S::from(-self.level), |sum, &(i, c)| sum + x[i] * c);
        if self.is_rising { -sum } else { sum }
    }

    /// Rate of change of the height in a direction.
    #[inline]
    pub(crate) fn slope<S: Scalar>(&self, dx: impl Fn(usize) -> S) -> S {
        let sum = self.normal.iter().fold(S::zero(), |sum, &(i, c)| sum + dx(i) * c);
        if self.is_rising { -sum } else { sum }
    }

    /// The state that follows from the others on the section: the one with the largest share in it.
    pub(crate) fn dependent(&self, scale: impl Fn(usize) -> f64) -> Option<(usize, f64)> {
        let share = |&(i, c): &(usize, f64)| c.abs() * scale(i);
        self.normal.iter().copied().max_by(|a, b| share(a).total_cmp(&share(b)))
    }

    /// Puts a state on the section by changing the dependent one.
    pub(crate) fn place(&self, x: &mut [f64], (index, c): (usize, f64)) {
        let others: f64 = self.normal.iter().filter(|(i, _)| *i != index).map(|&(i, c)| c * x[i]).sum();
        x[index] = (self.level - others) / c;
    }
}
