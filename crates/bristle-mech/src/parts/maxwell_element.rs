use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Named, Power};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::{Card, Scalar};

/// A spring and a damper in series between two bodies on a line: stiff when pulled quickly, yielding when pulled slowly.
///
/// ```text
/// Ḟ = k (v_a − v_b) − (k/d) F   pulls a towards b
/// ```
///
/// Its force relaxes with the time constant `d/k`. Beside a spring it is a rubber mount or an oil damper on soft bushes:
/// the loss is largest where the frequency is `k/d`. It begins without force wherever the bodies are.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "maxwell_element", entry(name = "between", names = 2, doc = "The two bodies it joins."))]
pub struct MaxwellElement<S> {
    /// Stiffness of its spring.
    #[param(symbol = "k", unit = "N/m", min = 1e-9)]
    pub k: S,
    /// Damping of its damper: a number, or a signal.
    #[param(symbol = "d", unit = "N s/m", min = 1e-9, signal)]
    pub d: S,
}

/// A spring and a damper in series with its coordinates and the places of its numbers; its state is the force.
#[derive(Clone, Debug)]
pub struct SeriesElement {
    ends: [usize; 2],
    k: usize,
    d: usize,
}

impl Element for SeriesElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let force = at.z[0];
        f[self.ends[0]] -= force;
        f[self.ends[1]] += force;
        Power { input: S::zero(), loss: force.squared() / at.p[self.d] }
    }

    fn potential<S: Scalar>(&self, at: &Motion<S>) -> S {
        at.z[0].squared() / at.p[self.k] * 0.5
    }

    fn dissipates(&self) -> bool {
        true
    }

    fn coordinates(&self) -> Vec<usize> {
        self.ends.to_vec()
    }

    fn states(&self) -> &'static [Named] {
        &[("force", "N")]
    }

    fn rates<S: Scalar>(&self, at: &Motion<S>, dz: &mut [S]) {
        let w = at.v[self.ends[0]] - at.v[self.ends[1]];
        dz[0] = at.p[self.k] * (w - at.z[0] / at.p[self.d]);
    }

    fn outputs(&self) -> &'static [Named] {
        &[("power", "W")]
    }

    fn observe(&self, at: &Motion<f64>) -> Vec<f64> {
        vec![at.z[0] * (at.v[self.ends[0]] - at.v[self.ends[1]])]
    }
}

impl Part for MaxwellElement<f64> {
    type Action = SeriesElement;
    const SYMBOL: Symbol = Symbol::SpringDamper;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        let ends = builder.ends(part, Line::Straight)?;
        Ok(Some(SeriesElement { ends, k: part.place("k"), d: part.place("d") }))
    }
}
