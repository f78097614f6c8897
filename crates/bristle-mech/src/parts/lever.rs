use crate::builder::{Builder, Placed};
use crate::coupled::{Coupling, Factor};
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A lever: two bodies on lines at both ends of a beam, which turns by small angles about a pivot.
///
/// ```text
/// v_a / first + v_b / second = 0,   first · F_a = second · F_b
/// ```
///
/// The pivot lies between them, so that one goes down where the other comes up; where both lie on the same side of it, give
/// one arm a negative length.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "lever", entry(name = "between", names = 2, doc = "The two bodies it joins."))]
pub struct Lever<S> {
    /// From the pivot to the first body.
    #[param(symbol = "l_a", unit = "m")]
    pub first: S,
    /// From the pivot to the second body.
    #[param(symbol = "l_b", unit = "m")]
    pub second: S,
}

impl Part for Lever<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Lever;

    fn couple(builder: &mut Builder, part: &Placed) -> Result<Option<Coupling>, MechError> {
        let places = ["first", "second"].map(|arm| part.place(arm));
        for (place, arm) in places.into_iter().zip(["first", "second"]) {
            if builder.list.values[place] == 0.0 {
                return Err(part.fault(arm, "an arm of zero length does not move; give its length"));
            }
        }
        let [a, b] = [0, 1].map(|i| part.spec.named("between").get(i).map_or("", String::as_str));
        builder.ends(part, Line::Straight)?;
        let factors = places.map(|place| Factor::affine(0.0, 1.0, place));
        builder.coupling(part, &[("between", a, factors[1]), ("between", b, factors[0])]).map(Some)
    }
}
