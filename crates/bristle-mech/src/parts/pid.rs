use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Named, Power};
use crate::error::MechError;
use crate::given::Given;
use crate::line::Line;
use crate::part::Part;
use crate::signals::{Jet, Signal};
use bristle_core::{Card, Scalar};

/// A controller that pushes a body to where it is wanted, in continuous time.
///
/// ```text
/// e = position(t) − q,   F = K_p e + K_i ∫ e dt + K_d ė
/// ```
///
/// With friction and an integral part the body may hunt: it sticks, the integral grows until it breaks away, it overshoots.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "pid", entry(name = "on", part, doc = "The body it moves."))]
pub struct Pid<S> {
    /// Wanted position: a number, or a signal.
    #[param(symbol = "r", unit = "m", default = 0.0, signal)]
    pub position: S,
    /// Gain of the error.
    #[param(symbol = "K_p", unit = "N/m", default = 0.0, min = 0.0)]
    pub kp: S,
    /// Gain of its integral.
    #[param(symbol = "K_i", unit = "N/(m s)", default = 0.0, min = 0.0)]
    pub ki: S,
    /// Gain of its rate.
    #[param(symbol = "K_d", unit = "N s/m", default = 0.0, min = 0.0)]
    pub kd: S,
}

/// A controller with its coordinate; its state is the integral of the error.
#[derive(Clone, Debug)]
pub struct PidElement {
    body: usize,
    position: Given,
    gains: [usize; 3],
}

impl PidElement {
    /// The error and its rate.
    fn error<S: Scalar>(&self, at: &Motion<S>) -> [S; 2] {
        let Jet { value, rate, .. } = self.position.jet(at.p, at.t);
        [value - at.q[self.body], rate - at.v[self.body]]
    }

    fn force<S: Scalar>(&self, at: &Motion<S>) -> S {
        let ([error, rate], [kp, ki, kd]) = (self.error(at), self.gains.map(|i| at.p[i]));
        kp * error + ki * at.z[0] + kd * rate
    }
}

impl Element for PidElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let force = self.force(at);
        f[self.body] += force;
        Power { input: force * at.v[self.body], loss: S::zero() }
    }

    fn signals(&self) -> Vec<&Signal> {
        self.position.signal().into_iter().collect()
    }

    fn reads_positions(&self) -> bool {
        true
    }

    fn pushes(&self) -> bool {
        true
    }

    fn coordinates(&self) -> Vec<usize> {
        vec![self.body]
    }

    fn states(&self) -> &'static [Named] {
        &[("integral", "m s")]
    }

    fn rates<S: Scalar>(&self, at: &Motion<S>, dz: &mut [S]) {
        dz[0] = self.error(at)[0];
    }

    fn outputs(&self) -> &'static [Named] {
        &[("force", "N"), ("error", "m")]
    }

    fn observe(&self, at: &Motion<f64>) -> Vec<f64> {
        vec![self.force(at), self.error(at)[0]]
    }
}

impl Part for Pid<f64> {
    type Action = PidElement;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        let body = builder.pushed(part, Line::Straight)?.x;
        let gains = ["kp", "ki", "kd"].map(|field| part.place(field));
        Ok(Some(PidElement { body, position: builder.given(part, "position")?, gains }))
    }
}
