use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Named, Power};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::{Card, Scalar};

/// A damper between two bodies on a line: linear, quadratic as in air or water, or both.
///
/// ```text
/// F = d w + d_2 |w| w,   w = v_a − v_b   against the relative motion
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "damper", entry(name = "between", names = 2, doc = "The two bodies it joins."))]
pub struct Damper<S> {
    /// Damping: a number, or a signal.
    #[param(symbol = "d", unit = "N s/m", default = 0.0, min = 0.0, signal)]
    pub d: S,
    /// Damping with the square of the speed: a number, or a signal.
    #[param(symbol = "d_2", unit = "N s^2/m^2", default = 0.0, min = 0.0, signal)]
    pub quadratic: S,
}

/// A damper along a line or about an axis, with its coordinates and the places of both dampings.
#[derive(Clone, Debug)]
pub struct DamperElement {
    ends: [usize; 2],
    d: usize,
    quadratic: usize,
    turns: bool,
}

impl DamperElement {
    /// A damper whose part has the numbers `d` and `quadratic`.
    pub(super) fn of(builder: &Builder, part: &Placed, line: Line) -> Result<Self, MechError> {
        let [d, quadratic] = ["d", "quadratic"].map(|field| part.place(field));
        Ok(DamperElement { ends: builder.ends(part, line)?, d, quadratic, turns: line == Line::Rotary })
    }

    /// The relative velocity, and the force.
    #[inline]
    fn force<S: Scalar>(&self, at: &Motion<S>) -> [S; 2] {
        let w = at.v[self.ends[0]] - at.v[self.ends[1]];
        let quadratic = at.p[self.quadratic];
        let force = at.p[self.d] * w;
        [w, if quadratic.vanishes() { force } else { force + quadratic * w.abs() * w }]
    }
}

impl Element for DamperElement {
    #[inline]
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let [w, force] = self.force(at);
        f[self.ends[0]] -= force;
        f[self.ends[1]] += force;
        Power { input: S::zero(), loss: force * w }
    }

    fn dissipates(&self) -> bool {
        true
    }

    fn coordinates(&self) -> Vec<usize> {
        self.ends.to_vec()
    }

    fn outputs(&self) -> &'static [Named] {
        if self.turns { &[("torque", "N m"), ("power", "W")] } else { &[("force", "N"), ("power", "W")] }
    }

    fn observe(&self, at: &Motion<f64>) -> Vec<f64> {
        let [w, force] = self.force(at);
        vec![force, force * w]
    }
}

impl Part for Damper<f64> {
    type Action = DamperElement;
    const SYMBOL: Symbol = Symbol::Damper;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        DamperElement::of(builder, part, Line::Straight).map(Some)
    }
}
