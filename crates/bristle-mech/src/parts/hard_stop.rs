use crate::builder::{Builder, Placed};
use crate::contact::ResolvedContact;
use crate::error::MechError;
use crate::line::Line;
use crate::one_way::OneWay;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A rigid stop that a body strikes: it bounces off with a part of its speed, and rests against the stop in the end.
///
/// ```text
/// q_a − q_b ≤ at;   v⁺ = −e v⁻ where they strike;   F ≥ 0 while they rest against each other
/// ```
///
/// It bounds `q_a − q_b` from above; name the bodies the other way round for a bound from below. A ball that is dropped bounces
/// infinitely often in finite time and then rests. A `stop` is elastic instead.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "hard_stop", entry(name = "between", names = 2, doc = "The body and what stops it."))]
pub struct HardStop<S> {
    /// Distance `q_a − q_b` at which they strike.
    #[param(symbol = "q_0", unit = "m", default = 0.0)]
    pub at: S,
    /// Coefficient of restitution.
    #[param(symbol = "e", unit = "1", default = 0.0, min = 0.0, max = 1.0)]
    pub restitution: S,
}

impl Part for HardStop<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Stop;

    fn touch(builder: &mut Builder, part: &Placed) -> Result<Option<ResolvedContact>, MechError> {
        bearing(builder, part, Line::Straight).map(Some)
    }
}

/// What bears at a distance, or an angle, `at`.
pub(super) fn bearing(
    builder: &mut Builder,
    part: &Placed,
    line: Line,
) -> Result<ResolvedContact, MechError> {
    let ends = builder.ends(part, line)?;
    let (at, restitution) = (Some(part.place("at")), Some(part.place("restitution")));
    Ok(builder.bearing(part, ends, OneWay { at, restitution, turns: line == Line::Rotary }))
}
