use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Named, Power, Signals};
use crate::error::MechError;
use crate::given::Given;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::{Card, Mode, Scalar};

/// A stop that a body runs against: it pushes back, never pulls, and loses energy with every blow.
///
/// ```text
/// δ = q_a − q_b − at > 0:   F = max(0, k δⁿ (1 + D δ̇) + d δ̇) pushes a back, with |d δ̇| ≤ k δⁿ;   else F = 0
/// ```
///
/// It bounds `q_a − q_b` from above; name the bodies the other way round for a bound from below. The law of Hunt and Crossley
/// begins and ends a blow without a jump; so does the linear damping `d`, which never exceeds the spring's part. Where `at` is a
/// signal the stop moves, and puts work in. With an exponent δ counts in metres: a ball on a plate has `n = 1.5` (Hertz).
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "stop", entry(name = "between", names = 2, doc = "The body and what stops it."))]
pub struct Stop<S> {
    /// Distance `q_a − q_b` at which they touch: a number, or a signal.
    #[param(symbol = "q_0", unit = "m", default = 0.0, signal)]
    pub at: S,
    /// Stiffness.
    #[param(symbol = "k", unit = "N/m", min = 1e-9)]
    pub k: S,
    /// Damping, relative to the stiffness.
    #[param(symbol = "D", unit = "s/m", default = 0.0, min = 0.0, signal)]
    pub damping: S,
    /// Linear damping, at most as strong as the spring.
    #[param(symbol = "d", unit = "N s/m", default = 0.0, min = 0.0, signal)]
    pub d: S,
    /// Exponent of the depth; left out, the stop is linear.
    #[param(symbol = "n", unit = "1", default = f64::NAN, min = 1.0, max = 10.0)]
    pub exponent: S,
}

/// A stop with its coordinates. Its mode is forward while it is touched, backward while it is not.
#[derive(Clone, Debug)]
pub struct StopElement {
    pub(super) ends: [usize; 2],
    pub(super) at: Given,
    pub(super) k: usize,
    /// Damping relative to the stiffness, where there is one.
    pub(super) damping: Option<usize>,
    pub(super) d: usize,
    /// The exponent of the depth, where there is one.
    pub(super) exponent: Option<usize>,
    pub(super) turns: bool,
}

impl StopElement {
    /// A stop whose part has the numbers of a `stop`.
    pub(super) fn of(builder: &mut Builder, part: &Placed, line: Line) -> Result<Self, MechError> {
        let ends = builder.ends(part, line)?;
        let (k, damping, d) = (part.place("k"), Some(part.place("damping")), part.place("d"));
        let (at, exponent) = (builder.given(part, "at")?, part.place_if_given("exponent"));
        Ok(StopElement { ends, at, k, damping, d, exponent, turns: line == Line::Rotary })
    }

    /// How far the body has run into the stop.
    fn depth<S: Scalar>(&self, at: &Motion<S>) -> S {
        at.q[self.ends[0]] - at.q[self.ends[1]] - self.at.value(at.p, at.t)
    }

    /// How fast the depth grows.
    fn rate<S: Scalar>(&self, at: &Motion<S>) -> S {
        at.v[self.ends[0]] - at.v[self.ends[1]] - self.at.jet(at.p, at.t).rate
    }

    /// The force of its spring, and what that stores.
    fn spring<S: Scalar>(&self, at: &Motion<S>) -> [S; 2] {
        let (k, depth) = (at.p[self.k], self.depth(at));
        let Some(n) = self.exponent.map(|place| at.p[place]) else {
            return [k * depth, k * depth.squared() * 0.5];
        };
        // Rounding may leave a depth below zero where the blow ends.
        let depth = depth.max(S::zero());
        let force = k * S::choose(S::zero().lt(depth), || depth.pow(n), S::zero);
        [force, force * depth / (n + 1.0)]
    }

    /// How fast it runs into it, and the force, while it touches.
    fn blow<S: Scalar>(&self, at: &Motion<S>) -> Option<[S; 2]> {
        if at.mode.first() != Some(&Mode::Forward) {
            return None;
        }
        let (rate, [elastic, _]) = (self.rate(at), self.spring(at));
        let relative = self.damping.map_or_else(S::zero, |damping| at.p[damping] * rate);
        // Rounding may leave a depth below zero where the blow ends.
        let most = elastic.max(S::zero());
        let force = elastic * (relative + 1.0) + (at.p[self.d] * rate).clamp_to(-most, most);
        Some([rate, force.max(S::zero())])
    }
}

impl Element for StopElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let Some([rate, force]) = self.blow(at) else { return Power::none() };
        f[self.ends[0]] -= force;
        f[self.ends[1]] += force;
        // A stop that is moved works against the force on it.
        let input = -force * self.at.jet(at.p, at.t).rate;
        Power { input, loss: (force - self.spring(at)[0]) * rate }
    }

    fn potential<S: Scalar>(&self, at: &Motion<S>) -> S {
        if self.blow(at).is_none() {
            return S::zero();
        }
        self.spring(at)[1]
    }

    fn dissipates(&self) -> bool {
        true
    }

    fn signals(&self) -> Signals<'_> {
        self.at.signal().into_iter().collect()
    }

    fn pairs(&self) -> Vec<[usize; 2]> {
        vec![self.ends]
    }

    fn coordinates(&self) -> Vec<usize> {
        self.ends.to_vec()
    }

    fn guard_count(&self) -> usize {
        1
    }

    fn guards<S: Scalar>(&self, at: &Motion<S>, g: &mut [S]) {
        let depth = self.depth(at);
        g[0] = if at.mode.first() == Some(&Mode::Forward) { depth } else { -depth };
    }

    fn settle(&self, at: &Motion<f64>, mode: &mut [Mode]) {
        mode[0] = if self.depth(at) > 0.0 { Mode::Forward } else { Mode::Backward };
    }

    fn switch(&self, _fired: usize, _at: &Motion<f64>, _z: &mut [f64], mode: &mut [Mode]) {
        mode[0] = if mode[0] == Mode::Forward { Mode::Backward } else { Mode::Forward };
    }

    fn outputs(&self) -> &'static [Named] {
        if self.turns {
            &[("depth", "rad"), ("torque", "N m"), ("power", "W")]
        } else {
            &[("depth", "m"), ("force", "N"), ("power", "W")]
        }
    }

    fn observe(&self, at: &Motion<f64>) -> Vec<f64> {
        let [rate, force] = self.blow(at).unwrap_or_default();
        vec![self.depth(at), force, force * rate]
    }
}

impl Part for Stop<f64> {
    type Action = StopElement;
    const SYMBOL: Symbol = Symbol::Stop;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        StopElement::of(builder, part, Line::Straight).map(Some)
    }
}
