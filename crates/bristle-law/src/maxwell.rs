//! What the laws made of several Maxwell-slip elements share: an element is a spring behind a slider.

use crate::law::deflection;
use bristle_core::{Card, Scalar};

/// How many elements there are.
pub(crate) const ELEMENTS: usize = 4;

/// How level and stiffness are shared between the elements.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "shares")]
pub struct Shares<S> {
    /// Part of the level borne by element 1.
    #[param(symbol = "α₁", role = FrictionShare, unit = "1", default = 0.1, min = 1e-6, max = 1e3)]
    pub level1: S,
    /// Part of the level borne by element 2.
    #[param(symbol = "α₂", role = FrictionShare, unit = "1", default = 0.2, min = 1e-6, max = 1e3)]
    pub level2: S,
    /// Part of the level borne by element 3.
    #[param(symbol = "α₃", role = FrictionShare, unit = "1", default = 0.3, min = 1e-6, max = 1e3)]
    pub level3: S,
    /// Part of the level borne by element 4.
    #[param(symbol = "α₄", role = FrictionShare, unit = "1", default = 0.4, min = 1e-6, max = 1e3)]
    pub level4: S,
    /// Part of the stiffness in element 1.
    #[param(symbol = "κ₁", role = StiffnessShare, unit = "1", default = 0.4, min = 1e-6, max = 1e3)]
    pub stiff1: S,
    /// Part of the stiffness in element 2.
    #[param(symbol = "κ₂", role = StiffnessShare, unit = "1", default = 0.3, min = 1e-6, max = 1e3)]
    pub stiff2: S,
    /// Part of the stiffness in element 3.
    #[param(symbol = "κ₃", role = StiffnessShare, unit = "1", default = 0.2, min = 1e-6, max = 1e3)]
    pub stiff3: S,
    /// Part of the stiffness in element 4.
    #[param(symbol = "κ₄", role = StiffnessShare, unit = "1", default = 0.1, min = 1e-6, max = 1e3)]
    pub stiff4: S,
}

impl<S: Scalar> Shares<S> {
    /// What each element has of a level.
    #[inline]
    pub(crate) fn levels(&self, whole: S) -> [S; ELEMENTS] {
        parts([self.level1, self.level2, self.level3, self.level4], whole)
    }

    /// What each element has of a stiffness.
    #[inline]
    pub(crate) fn stiffness(&self, whole: S) -> [S; ELEMENTS] {
        parts([self.stiff1, self.stiff2, self.stiff3, self.stiff4], whole)
    }

    /// The deflection of each element at its level.
    pub(crate) fn scales(&self, mu: S, n: f64, sigma0: S, scale: &mut [f64]) {
        let (levels, stiffness) = (self.levels(mu), self.stiffness(sigma0));
        for i in 0..ELEMENTS {
            scale[i] = deflection(levels[i], n, stiffness[i]);
        }
    }
}

/// A whole in these proportions.
#[inline]
fn parts<S: Scalar>(parts: [S; ELEMENTS], whole: S) -> [S; ELEMENTS] {
    let sum = parts[0] + parts[1] + parts[2] + parts[3];
    parts.map(|part| part / sum * whole)
}

#[cfg(test)]
mod maxwell_tests {
    use super::*;
    use bristle_core::{Described, Params};

    #[test]
    fn the_shares_make_a_whole() {
        let shares: Shares<f64> = Params::from_slices(&[1.0, 2.0, 3.0, 4.0, 4.0, 3.0, 2.0, 1.0], &[]);
        assert_eq!(shares.levels(10.0), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(shares.stiffness(1.0), [0.4, 0.3, 0.2, 0.1]);
        assert_eq!(Shares::<f64>::CARD.fields.len(), 2 * ELEMENTS);
    }
}
