use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Named, Power};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::zone;
use bristle_core::{Card, Mode, Scalar};

/// A shaft with play between two rotors: elastic teeth, a spline, a worn coupling.
///
/// ```text
/// φ = φ_a − φ_b;   |φ| ≤ play/2: τ = 0;   else τ = k (φ ∓ play/2) + d φ̇, with |d φ̇| ≤ k |φ ∓ play/2|
/// ```
///
/// The flanks push and never pull.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "backlash",
    tags("rotary"),
    entry(name = "between", names = 2, doc = "The two rotors it joins.")
)]
pub struct Backlash<S> {
    /// Angle from one flank to the other.
    #[param(symbol = "b", unit = "rad", min = 0.0)]
    pub play: S,
    /// Torsional stiffness of the flanks.
    #[param(symbol = "k", unit = "N m/rad", min = 1e-9)]
    pub k: S,
    /// Damping while a flank is touched, at most as strong as the stiffness.
    #[param(symbol = "d", unit = "N m s/rad", default = 0.0, min = 0.0, signal)]
    pub d: S,
}

/// A shaft with play and its coordinates. Its mode is stick within the play, forward and backward on its flanks.
#[derive(Clone, Debug)]
pub struct BacklashElement {
    ends: [usize; 2],
    play: usize,
    k: usize,
    d: usize,
}

impl BacklashElement {
    /// The twist and half the play.
    fn twist<S: Scalar>(&self, at: &Motion<S>) -> [S; 2] {
        [at.q[self.ends[0]] - at.q[self.ends[1]], at.p[self.play] * 0.5]
    }

    /// What the flanks store, as a torque, and what damping adds to it.
    fn torque<S: Scalar>(&self, at: &Motion<S>) -> [S; 2] {
        let [twist, half] = self.twist(at);
        let elastic = at.p[self.k] * zone::beyond(at.mode.first(), twist, half);
        let (most, rate) = (elastic.abs(), at.v[self.ends[0]] - at.v[self.ends[1]]);
        [elastic, (at.p[self.d] * rate).clamp_to(-most, most)]
    }
}

impl Element for BacklashElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let [elastic, damping] = self.torque(at);
        f[self.ends[0]] -= elastic + damping;
        f[self.ends[1]] += elastic + damping;
        Power { input: S::zero(), loss: damping * (at.v[self.ends[0]] - at.v[self.ends[1]]) }
    }

    fn potential<S: Scalar>(&self, at: &Motion<S>) -> S {
        let [twist, half] = self.twist(at);
        at.p[self.k] * zone::beyond(at.mode.first(), twist, half).squared() * 0.5
    }

    fn dissipates(&self) -> bool {
        true
    }

    fn reads_positions(&self) -> bool {
        true
    }

    fn coordinates(&self) -> Vec<usize> {
        self.ends.to_vec()
    }

    fn guard_count(&self) -> usize {
        1
    }

    fn guards<S: Scalar>(&self, at: &Motion<S>, g: &mut [S]) {
        let [twist, half] = self.twist(at);
        g[0] = zone::guard(at.mode.first(), twist, half);
    }

    fn settle(&self, at: &Motion<f64>, mode: &mut [Mode]) {
        let [twist, half] = self.twist(at);
        mode[0] = zone::mode(twist, half);
    }

    fn switch(&self, _fired: usize, at: &Motion<f64>, _z: &mut [f64], mode: &mut [Mode]) {
        mode[0] = zone::switched(mode[0], self.twist(at)[0]);
    }

    fn outputs(&self) -> &'static [Named] {
        &[("twist", "rad"), ("torque", "N m")]
    }

    fn observe(&self, at: &Motion<f64>) -> Vec<f64> {
        let [elastic, damping] = self.torque(at);
        vec![self.twist(at)[0], elastic + damping]
    }
}

impl Part for Backlash<f64> {
    type Action = BacklashElement;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        let ends = builder.ends(part, Line::Rotary)?;
        let [play, k, d] = ["play", "k", "d"].map(|field| part.place(field));
        Ok(Some(BacklashElement { ends, play, k, d }))
    }
}
