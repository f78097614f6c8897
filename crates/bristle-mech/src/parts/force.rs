use crate::builder::{Builder, Placed};
use crate::coordinate::Body;
use crate::element::{Element, Motion, Named, Power, Signals};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::signals::Signal;
use crate::symbol::Symbol;
use bristle_core::{Card, Choice, Scalar};

/// A force over time on a body.
///
/// ```text
/// F = value + signal(t) on the body, −F on what it acts against;   in the plane along x or y, or at an angle from x
/// ```
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "force",
    entry(name = "on", part, doc = "The body it acts on."),
    entry(
        name = "against",
        part,
        optional,
        doc = "The body that bears the reaction; the ground unless given."
    ),
    entry(
        name = "signal",
        table = "signal",
        unit = "N",
        optional,
        doc = "The force over time, added to `value`."
    )
)]
pub struct Force<S> {
    /// Constant part, or a signal.
    #[param(symbol = "F", unit = "N", default = 0.0, signal)]
    pub value: S,
    /// Direction on a planar body, from x towards y, in place of `direction`: a number, or a signal.
    #[param(symbol = "α", unit = "rad", default = f64::NAN, signal)]
    pub angle: S,
    /// Direction on a planar body.
    #[choice("x", "y")]
    pub direction: Choice,
}

/// A force with its coordinates.
#[derive(Clone, Debug)]
pub struct ForceElement {
    /// The coordinates it acts on, and against.
    ends: [usize; 2],
    /// The vertical coordinates and the place of the angle, where it acts at one.
    aside: Option<([usize; 2], usize)>,
    signal: Option<Signal>,
    value: usize,
}

impl ForceElement {
    fn force<S: Scalar>(&self, at: &Motion<S>) -> S {
        let varying = self.signal.as_ref().map_or_else(S::zero, |s| s.jet(at.p, at.t).value);
        at.p[self.value] + varying
    }
}

impl Element for ForceElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let force = self.force(at);
        let mut power = S::zero();
        let mut push = |[on, against]: [usize; 2], force: S| {
            f[on] += force;
            f[against] -= force;
            power += force * (at.v[on] - at.v[against]);
        };
        match self.aside {
            None => push(self.ends, force),
            Some((y, angle)) => {
                push(self.ends, force * at.p[angle].cos());
                push(y, force * at.p[angle].sin());
            }
        }
        Power { input: power, loss: S::zero() }
    }

    fn signals(&self) -> Signals<'_> {
        self.signal.iter().collect()
    }

    fn pushes(&self) -> bool {
        true
    }

    fn coordinates(&self) -> Vec<usize> {
        Vec::new()
    }

    fn outputs(&self) -> &'static [Named] {
        &[("force", "N"), ("power", "W")]
    }

    fn observe(&self, at: &Motion<f64>) -> Vec<f64> {
        let mut unused = vec![0.0; at.q.len()];
        vec![self.force(at), self.apply(at, &mut unused).input]
    }
}

impl Part for Force<f64> {
    type Action = ForceElement;
    const SYMBOL: Symbol = Symbol::Force;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        let body = builder.pushed(part, Line::Straight)?;
        let bodies = [body, builder.against(part, Line::Straight)?];
        let not_planar =
            |body: &Body| MechError::NotPlanar { part: part.name.to_owned(), name: body.name.clone() };
        let across = || -> Result<[usize; 2], MechError> {
            let [on, against] = bodies;
            Ok([on.y.ok_or_else(|| not_planar(on))?, against.y.ok_or_else(|| not_planar(against))?])
        };
        let aside = match part.place_if_given("angle") {
            Some(angle) => Some((across()?, angle)),
            None => None,
        };
        let is_across = part.choice() == Choice(1) && aside.is_none();
        let ends = if is_across { across()? } else { bodies.map(|body| body.x) };
        let signal = builder.signal(part, "signal")?;
        Ok(Some(ForceElement { ends, aside, signal, value: part.place("value") }))
    }
}
