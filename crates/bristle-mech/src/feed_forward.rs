//! Friction that a controller makes up for before it is felt: what a law says at the wanted velocity.

use crate::builder::{Builder, Placed};
use crate::error::MechError;
use crate::line::Line;
use bristle_core::{Choice, Mode, Scalar};
use bristle_law::{At, LawKind};

/// Slower than this, m/s or rad/s, the wanted position stands still, and nothing is made up for.
pub(crate) const STILL: f64 = 1e-9;

/// The friction that a controller expects.
#[derive(Clone, Debug)]
pub(crate) struct FeedForward {
    kind: LawKind,
    choices: Vec<Choice>,
    /// Where the law's numbers start, and how many there are.
    first: usize,
    count: usize,
    /// Place of the normal load; none for a law stated in forces.
    load: Option<usize>,
    /// Place of the radius at which a rotor rubs.
    arm: Option<usize>,
}

impl FeedForward {
    /// That of a controller with a law in `friction`, and its load in `load`.
    pub(crate) fn of(builder: &mut Builder, part: &Placed, line: Line) -> Result<Option<Self>, MechError> {
        let load = part.place_if_given("load");
        let Some(spec) = part.spec.table("friction") else {
            let fault = "a load without friction presses on nothing: give the law in `friction`, or leave the load out";
            return if load.is_none() { Ok(None) } else { Err(part.fault("load", fault)) };
        };
        let (kind, first) = builder.place_law(part, "friction", spec)?;
        if kind.states() > 0 {
            let fault = "what it says at a velocity depends on what has been before: give a law without states, such as `coulomb` or `benson`";
            return Err(part.fault("friction", fault));
        }
        match (spec.as_forces, load) {
            (true, Some(_)) => {
                Err(part.fault("load", "the law is stated in forces, which need no load: leave it out"))
            }
            (false, None) => {
                Err(part
                    .fault("load", "the law is stated in coefficients: give the load, or state it in forces"))
            }
            _ => {
                let (choices, count) = (spec.choices.clone(), spec.numbers.len());
                let arm = (line == Line::Rotary).then(|| part.place("radius"));
                Ok(Some(FeedForward { kind, choices, first, count, load, arm }))
            }
        }
    }

    /// What is expected at a wanted velocity in a direction.
    pub(crate) fn force<S: Scalar>(&self, p: &[S], v: S, direction: Mode) -> S {
        if direction == Mode::Stick {
            return S::zero();
        }
        let n = self.load.map_or_else(S::one, |load| p[load]);
        let law = self.kind.build(&p[self.first..self.first + self.count], &self.choices);
        let arm = self.arm.map_or_else(S::one, |arm| p[arm]);
        arm * law.eval(
            &At { v: arm * v, n, hold: S::zero(), mode: &[direction, Mode::Forward] },
            &[],
            &mut [],
        )
    }
}
