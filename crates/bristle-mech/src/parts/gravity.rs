use crate::builder::{Builder, Placed};
use crate::coordinate::{Body, Coordinate};
use crate::element::{Element, Motion, Power, Signals};
use crate::error::MechError;
use crate::given::Given;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::{Card, Choice, Scalar};

/// Gravity on all bodies, level or on an incline.
///
/// ```text
/// planar bodies and trolleys: m g downwards, along −y
/// planar bodies on a floor: m g sin(angle) in the direction `downhill`, and a weight m g cos(angle) on what carries them
/// masses on a line: m g sin(angle) towards positive q, and a weight m g cos(angle) on what carries them
/// ```
///
/// An angle over time tilts the line about the place `q = 0`, slowly enough for the inertia of that turning to be left out; what
/// lifts the bodies is put in from outside.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "gravity")]
pub struct Gravity<S> {
    /// Acceleration.
    #[param(symbol = "g", unit = "m/s^2", default = 9.81)]
    pub g: S,
    /// Inclination of the line along which masses move: a number, or a signal; positive q points downhill.
    #[param(symbol = "θ", unit = "rad", default = 0.0, min = -1.57, max = 1.57, signal)]
    pub angle: S,
    /// Where an inclined floor falls off to, from x towards y.
    #[param(symbol = "φ", unit = "rad", default = 0.0)]
    pub downhill: S,
    /// How planar bodies are seen: from the side, y pointing up, or from above, lying on a floor.
    #[choice("upright", "floor")]
    pub plane: Choice,
}

/// Gravity with the coordinates it acts on, each with the place of its mass in the parameters.
#[derive(Clone, Debug)]
pub struct GravityElement {
    /// Vertical coordinates, with the place of the mass.
    pub vertical: Vec<(usize, usize)>,
    /// Coordinates of masses on a line, with the place of the mass.
    pub along: Vec<(usize, usize)>,
    /// Both coordinates of bodies on a floor, with the place of the mass.
    lying: Vec<([usize; 2], usize)>,
    /// Place of the direction in which the floor falls off.
    downhill: usize,
    /// Place of the acceleration.
    g: usize,
    angle: Given,
}

impl GravityElement {
    /// The direction in which the floor falls off.
    fn way<S: Scalar>(&self, p: &[S]) -> [S; 2] {
        [p[self.downhill].cos(), p[self.downhill].sin()]
    }
}

impl Element for GravityElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let (g, angle) = (at.p[self.g], self.angle.jet(at.p, at.t));
        for &(c, mass) in &self.vertical {
            f[c] -= at.p[mass] * g;
        }
        let mut input = S::zero();
        let is_tilted = self.angle.signal().is_some();
        if !(self.along.is_empty() && self.lying.is_empty()) && (is_tilted || !angle.value.vanishes()) {
            let downhill = g * angle.value.sin();
            for &(c, mass) in &self.along {
                f[c] += at.p[mass] * downhill;
                if is_tilted {
                    input -= at.p[mass] * g * angle.value.cos() * angle.rate * at.q[c];
                }
            }
            let way = self.way(at.p);
            for &(ends, mass) in &self.lying {
                for (c, share) in ends.into_iter().zip(way) {
                    f[c] += at.p[mass] * downhill * share;
                    if is_tilted {
                        input -= at.p[mass] * g * angle.value.cos() * angle.rate * at.q[c] * share;
                    }
                }
            }
        }
        Power { input, loss: S::zero() }
    }

    fn signals(&self) -> Signals<'_> {
        self.angle.signal().into_iter().collect()
    }

    fn pushes(&self) -> bool {
        true
    }

    fn potential<S: Scalar>(&self, at: &Motion<S>) -> S {
        let (g, angle) = (at.p[self.g], self.angle.value(at.p, at.t));
        let up = self.vertical.iter().fold(S::zero(), |sum, &(c, mass)| sum + at.p[mass] * g * at.q[c]);
        let downhill = g * angle.sin();
        let along = self.along.iter().fold(up, |sum, &(c, mass)| sum - at.p[mass] * downhill * at.q[c]);
        let way = self.way(at.p);
        self.lying.iter().fold(along, |sum, &([x, y], mass)| {
            sum - at.p[mass] * downhill * (at.q[x] * way[0] + at.q[y] * way[1])
        })
    }

    // Constant forces couple nothing.
    fn coordinates(&self) -> Vec<usize> {
        Vec::new()
    }
}

impl Part for Gravity<f64> {
    type Action = GravityElement;
    const SYMBOL: Symbol = Symbol::Gravity;

    const IS_SINGLE: bool = true;

    fn place(builder: &mut Builder, part: &Placed) -> Result<(), MechError> {
        builder.gravity.get_or_insert(part.place("g"));
        builder.tilt = Some(builder.given(part, "angle")?);
        builder.has_floor = part.choice() == Choice(1);
        Ok(())
    }

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        // What hangs on the end of a rope is pulled down there.
        let hangs = |b: &Body| matches!(builder.coordinates[b.x], Coordinate::OnRope { .. });
        let pulled = |b: &&Body| !b.rotates() && !hangs(b);
        let heavy = || builder.bodies.iter().filter(pulled).filter_map(|b| Some((b, b.mass?)));
        let lies = |y: usize| builder.has_floor && matches!(builder.coordinates[y], Coordinate::Free { .. });
        let upright = |(b, mass): (&Body, usize)| b.y.filter(|y| !lies(*y)).map(|y| (y, mass));
        let lying = |(b, mass): (&Body, usize)| b.y.filter(|y| lies(*y)).map(|y| ([b.x, y], mass));
        Ok(Some(GravityElement {
            vertical: heavy().filter_map(upright).collect(),
            lying: heavy().filter_map(lying).collect(),
            downhill: part.place("downhill"),
            along: heavy().filter(|(b, _)| b.y.is_none()).map(|(b, mass)| (b.x, mass)).collect(),
            g: part.place("g"),
            angle: builder.tilt.clone().unwrap_or(Given::Number(part.place("angle"))),
        }))
    }
}
