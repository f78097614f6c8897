use crate::builder::{Builder, Placed};
use crate::coupled::{Coupling, Factor};
use crate::error::MechError;
use crate::part::Part;
use bristle_core::Card;

/// A gear: two bodies whose velocities have a fixed ratio.
///
/// ```text
/// v_a = ratio · v_b,   force on b = −ratio · force on a
/// ```
///
/// It is exact: one of the bodies follows the other, and no stiffness stands in for the teeth. Outer wheels that mesh turn in
/// opposite directions, so that their ratio is negative. Positions at the start are as the bodies have them. Bodies on a line
/// can be coupled as well; a rotor and a body on a line are better coupled by a `rack`.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "gear",
    tags("straight", "rotary"),
    entry(name = "between", names = 2, doc = "The fast body and the slow one, if the ratio is above one.")
)]
pub struct Gear<S> {
    /// Velocity of the first over that of the second; negative where they move in opposite directions.
    #[param(symbol = "i", unit = "1")]
    pub ratio: S,
}

impl Part for Gear<f64> {
    type Action = ();

    fn couple(builder: &mut Builder, part: &Placed) -> Result<Option<Coupling>, MechError> {
        let ratio = part.place("ratio");
        if builder.list.values[ratio] == 0.0 {
            return Err(
                part.fault("ratio", "a ratio of zero couples nothing; leave the gear out, or fix the body")
            );
        }
        let [a, b] = [0, 1].map(|i| part.spec.named("between").get(i).map_or("", String::as_str));
        let line = builder.line_of(part)?;
        builder.on_line(part, "between", a, line)?;
        let bodies =
            [("between", a, Factor::constant(1.0)), ("between", b, Factor::affine(0.0, -1.0, ratio))];
        builder.coupling(part, &bodies).map(Some)
    }
}
