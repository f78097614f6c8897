use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Named, Power};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::piecewise;
use crate::symbol::Symbol;
use bristle_core::{Card, Choice, Mode, Scalar};

/// A shaft with play between two rotors: elastic teeth, a spline, a worn coupling.
///
/// ```text
/// φ = φ_a − φ_b;   |φ| ≤ play/2: τ = 0;   else τ = k (φ ∓ play/2) + d φ̇
/// eased:   |d φ̇| ≤ k |φ ∓ play/2|;   full:   from the first touch on, and τ = 0 where it would pull
/// ```
///
/// The flanks push and never pull. Eased damping begins a touch without a jump; full damping begins it with one, and a flank is left
/// where nothing pushes any more.
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
    /// Damping while a flank is touched: a number, or a signal.
    #[param(symbol = "d", unit = "N m s/rad", default = 0.0, min = 0.0, signal)]
    pub d: S,
    /// How damping begins.
    #[choice("eased", "full")]
    pub damping: Choice,
}

/// A shaft with play and its coordinates. Its mode is stick within the play, forward and backward on its flanks.
#[derive(Clone, Debug)]
pub struct BacklashElement {
    ends: [usize; 2],
    play: usize,
    k: usize,
    d: usize,
    is_full: bool,
}

impl BacklashElement {
    /// The twist and half the play.
    fn twist<S: Scalar>(&self, at: &Motion<S>) -> [S; 2] {
        [at.q[self.ends[0]] - at.q[self.ends[1]], at.p[self.play] * 0.5]
    }

    /// The torque of the elastic flanks by the side on which the twist is, and the torque that acts.
    fn torque<S: Scalar>(&self, at: &Motion<S>) -> [S; 2] {
        let ([twist, half], rate) = (self.twist(at), at.v[self.ends[0]] - at.v[self.ends[1]]);
        let damping = at.p[self.d] * rate;
        if !self.is_full {
            let elastic = at.p[self.k] * piecewise::beyond(at.mode.first(), twist, half);
            let most = elastic.abs();
            return [elastic, elastic + damping.clamp_to(-most, most)];
        }
        // A flank that nothing pushes on is left while it is still bent; what it stores is lost on its way back.
        let elastic = at.p[self.k] * ((twist - half).max(S::zero()) + (twist + half).min(S::zero()));
        match at.mode.first() {
            Some(Mode::Forward) => [elastic, (elastic + damping).max(S::zero())],
            Some(Mode::Backward) => [elastic, (elastic + damping).min(S::zero())],
            _ => [elastic, S::zero()],
        }
    }

    /// How far each flank is bent, and with what it pushes: the front one, then the rear one.
    fn flanks<S: Scalar>(&self, at: &Motion<S>) -> [[S; 2]; 2] {
        let ([twist, half], rate) = (self.twist(at), at.v[self.ends[0]] - at.v[self.ends[1]]);
        [[twist, rate], [-twist, -rate]].map(|[twist, rate]| {
            let bent = twist - half;
            [bent, at.p[self.k] * bent + at.p[self.d] * rate]
        })
    }
}

impl Element for BacklashElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let [elastic, torque] = self.torque(at);
        f[self.ends[0]] -= torque;
        f[self.ends[1]] += torque;
        Power { input: S::zero(), loss: (torque - elastic) * (at.v[self.ends[0]] - at.v[self.ends[1]]) }
    }

    fn potential<S: Scalar>(&self, at: &Motion<S>) -> S {
        self.torque(at)[0].squared() * 0.5 / at.p[self.k]
    }

    fn dissipates(&self) -> bool {
        true
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
        let [twist, half] = self.twist(at);
        g[0] = match (self.is_full, self.flanks(at), at.mode.first()) {
            (false, _, mode) => piecewise::guard(mode, twist, half),
            (true, [[bent, pushes], _], Some(Mode::Forward)) => bent.min(pushes),
            (true, [_, [bent, pushes]], Some(Mode::Backward)) => bent.min(pushes),
            (true, [front, rear], _) => {
                let [front, rear] = [front, rear].map(|[bent, pushes]| (-bent).max(-pushes));
                front.min(rear)
            }
        };
    }

    fn settle(&self, at: &Motion<f64>, mode: &mut [Mode]) {
        let [twist, half] = self.twist(at);
        let touches = self.flanks(at).map(|[bent, pushes]| bent > 0.0 && pushes > 0.0);
        mode[0] = match (self.is_full, touches) {
            (false, _) => piecewise::mode(twist, half),
            (true, [true, _]) => Mode::Forward,
            (true, [_, true]) => Mode::Backward,
            (true, _) => Mode::Stick,
        };
    }

    fn switch(&self, _fired: usize, at: &Motion<f64>, _z: &mut [f64], mode: &mut [Mode]) {
        mode[0] = piecewise::switched(mode[0], self.twist(at)[0]);
    }

    fn outputs(&self) -> &'static [Named] {
        &[("twist", "rad"), ("torque", "N m"), ("power", "W")]
    }

    fn observe(&self, at: &Motion<f64>) -> Vec<f64> {
        let (torque, rate) = (self.torque(at)[1], at.v[self.ends[0]] - at.v[self.ends[1]]);
        vec![self.twist(at)[0], torque, torque * rate]
    }
}

impl Part for Backlash<f64> {
    type Action = BacklashElement;
    const SYMBOL: Symbol = Symbol::Gap;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        let ends = builder.ends(part, Line::Rotary)?;
        let [play, k, d] = ["play", "k", "d"].map(|field| part.place(field));
        Ok(Some(BacklashElement { ends, play, k, d, is_full: part.choice() == Choice(1) }))
    }
}
