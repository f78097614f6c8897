use super::PartKind;
use crate::builder::{Builder, Placed};
use crate::contact::{Load, ResolvedContact};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::{Card, Scalar};

/// A rope over a drum, winch or bollard without finite elements: its friction grows with the tension it holds.
///
/// ```text
/// |T₂ − T₁| ≤ (ρ − 1) min(T₁, T₂),   n = (ρ − 1) min(T₁, T₂)/μ
/// ρ = (cos θ₁ + μ sin θ₁) e^{μ(φ − θ₁ − θ₂)}/(cos θ₂ − μ sin θ₂),   cos θ_i = 1 − EI/(2 R² T_i)
/// ```
///
/// The piece of rope on the drum is a body of its own (a small mass), joined by a spring to what lies before it and by
/// another to what lies behind it, with coordinates that grow along the rope. Between that piece and the drum acts any
/// law of the catalogue, under a normal load `n` such that its level `μ` holds the tension ratio `ρ`; without bending
/// stiffness `ρ = e^{μφ}`. A set-valued law sticks without creep. The ropes must stay taut: a spring also pushes.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "capstan",
    cite = "westin2020",
    entry(name = "between", names = 2, doc = "The piece of rope on the drum, and the drum's surface."),
    entry(name = "ropes", names = 2, doc = "The springs that pull the piece backwards and forwards."),
    entry(name = "law", table = "law", doc = "The friction law, in coefficients.")
)]
pub struct Capstan<S> {
    /// Coefficient at which the ratio is meant: the law's own at rest.
    #[param(symbol = "μ", unit = "1", min = 1e-6, max = 10.0)]
    pub mu: S,
    /// Wrap angle.
    #[param(symbol = "φ", unit = "rad", min = 1e-6, max = 200.0)]
    pub wrap: S,
    /// Drum radius; matters with bending stiffness only.
    #[param(symbol = "R", unit = "m", default = 1.0, min = 1e-6)]
    pub radius: S,
    /// Bending stiffness of the rope.
    #[param(symbol = "EI", unit = "N m^2", default = 0.0, min = 0.0)]
    pub ei: S,
}

/// Where a capstan finds its numbers and the springs that pull at it.
#[derive(Clone, Debug, PartialEq)]
pub struct CapstanLoad {
    /// The coordinate of the piece of rope on the drum.
    pub piece: usize,
    /// Coordinates of each spring's ends, and where its numbers start.
    pub ropes: [([usize; 2], usize); 2],
    /// Where the capstan's numbers start.
    pub first: usize,
}

impl CapstanLoad {
    /// The load under which the law's level holds the tension ratio.
    pub fn normal<S: Scalar>(&self, p: &[S], q: &[S]) -> S {
        let [back, forth] = [0, 1].map(|i| {
            let ([a, b], k) = self.ropes[i];
            let pull = p[k + 2] + p[k] * (q[a] - q[b] - p[k + 1]);
            if a == self.piece { -pull } else { pull }
        });
        let low = (-back).min(forth).max(S::zero());
        let [mu, wrap, radius, ei] = [0, 1, 2, 3].map(|i| p[self.first + i]);
        let stiff = if ei.vanishes() { S::zero() } else { ei / (radius * radius * 2.0) };
        low * (ratio(mu, wrap, stiff, low) - 1.0) / mu
    }

    /// The coordinates it couples.
    pub fn coordinates(&self) -> Vec<usize> {
        self.ropes.iter().flat_map(|(ends, _)| *ends).collect()
    }
}

impl Part for Capstan<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Capstan;

    fn touch(builder: &mut Builder, part: &Placed) -> Result<Option<ResolvedContact>, MechError> {
        let ends = builder.ends(part, Line::Straight)?;
        let load = wrapped(builder, part, ends[0])?;
        builder.contact(part, ends, load).map(Some)
    }
}

/// The load of a capstan: from the springs that pull its piece of rope to both sides.
fn wrapped(builder: &Builder, part: &Placed, piece: usize) -> Result<Load, MechError> {
    if part.law()?.as_forces {
        return Err(MechError::LoadAndForces { part: part.name.to_owned() });
    }
    let rope = |i: usize| {
        let name = part.spec.named("ropes").get(i).map_or("", String::as_str);
        let spring = builder.placed.iter().find(|p| p.name == name && p.kind == PartKind::Spring);
        let spring = spring.ok_or_else(|| part.fault("ropes", "`ropes` names two parts of kind spring"))?;
        let ends = builder.ends(spring, Line::Straight)?;
        if !spring.spec.tables.is_empty() {
            return Err(part.fault("ropes", "the springs of a capstan follow no signals"));
        }
        let joined = ends.contains(&piece);
        joined
            .then_some((ends, spring.first))
            .ok_or_else(|| part.fault("ropes", "a rope must end at the piece on the drum"))
    };
    Ok(Load::Wrapped(CapstanLoad { piece, ropes: [rope(0)?, rope(1)?], first: part.first }))
}

/// The largest tension ratio at holding tension `low`; `stiff` is `EI/(2R²)`.
fn ratio<S: Scalar>(mu: S, wrap: S, stiff: S, low: S) -> S {
    let limp = (mu * wrap).exp();
    if stiff.vanishes() {
        return limp;
    }
    // Cosine, sine and angle by which bending holds the rope off the drum at an edge.
    let edge = |tension: S| {
        let x = (stiff / tension.max(S::from(1e-9))).min(S::from(1.999));
        let tan_half = (x / (-x + 2.0)).sqrt();
        (-x + 1.0, (x * (-x + 2.0)).sqrt(), tan_half.atan() * 2.0)
    };
    let (c1, s1, a1) = edge(low);
    let mut ratio = limp;
    // A contraction by a factor of a few hundredths: the far edge depends weakly on its tension.
    for _ in 0..12 {
        let (c2, s2, a2) = edge(low * ratio);
        let touching = (wrap - a1 - a2).max(S::zero());
        let lost = (c2 - mu * s2).max(S::from(1e-3));
        ratio = ((c1 + mu * s1) * (mu * touching).exp() / lost).max(S::one());
    }
    ratio
}

#[cfg(test)]
mod capstan_tests {
    use super::*;

    /// Closed-form values for μ = 0.25, EI = 0.7 N m², R = 0.25 m, half a turn, 98.1 N.
    #[test]
    fn bending_lowers_the_ratio() {
        let stiff = 0.7 / (2.0 * 0.25 * 0.25);
        for (mu, expected) in [(0.125, 1.456_847_201_857_045_3), (0.25, 2.130_579_170_795_697)] {
            let found = ratio(mu, std::f64::consts::PI, stiff, 98.1);
            assert!((found - expected).abs() < 1e-12, "{found} against {expected}");
            let limp = ratio(mu, std::f64::consts::PI, 0.0, 98.1);
            assert!((limp - (mu * std::f64::consts::PI).exp()).abs() < 1e-14);
        }
    }
}
