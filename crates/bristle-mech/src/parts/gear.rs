use crate::builder::{Builder, Placed};
use crate::contact::ResolvedContact;
use crate::coupled::{Coupling, Factor};
use crate::error::MechError;
use crate::line::Line;
use crate::mesh::{Mesh, SpeedCurve};
use crate::part::Part;
use crate::polygon::Polygon;
use bristle_core::Card;

/// A gear: two bodies whose velocities have a fixed ratio, with or without losses in teeth and bearings.
///
/// ```text
/// v_a = ratio · v_b,   force on b = ratio · F',   force on a = −F_in
/// s F_in = (s F' + B)/η₁ where a drives,   s F_in = η₂ (s F' + B) where a is driven,   s = sgn v_a
/// ```
///
/// It is exact: one of the bodies follows the other, and no stiffness stands in for the teeth. Outer wheels that mesh turn in
/// opposite directions, so that their ratio is negative. Positions at the start are as the bodies have them. Bodies on a line
/// can be coupled as well; a rotor and a body on a line are better coupled by a `rack`.
///
/// With an efficiency below one, or friction in its bearings, the gear rubs with a force that depends on what it carries, so that
/// it can be stuck: a worm gear that holds its load. Efficiencies and bearing friction may be given over the speed of the first
/// body, in lists.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "gear",
    tags("straight", "rotary"),
    entry(name = "between", names = 2, doc = "The fast body and the slow one, if the ratio is above one."),
    entry(
        name = "speeds",
        numbers = "rad/s",
        optional,
        doc = "Speeds of the first body, from zero on, at which the lists below are given."
    ),
    entry(
        name = "efficiencies",
        numbers = "1",
        optional,
        doc = "Efficiencies at these speeds, in place of `efficiency`."
    ),
    entry(
        name = "back_efficiencies",
        numbers = "1",
        optional,
        doc = "Efficiencies at these speeds where the first body is driven, in place of `back_efficiency`."
    ),
    entry(
        name = "bearings",
        numbers = "N m",
        optional,
        doc = "Friction torques at these speeds, in place of `bearing`."
    )
)]
pub struct Gear<S> {
    /// Velocity of the first over that of the second; negative where they move in opposite directions.
    #[param(symbol = "i", unit = "1")]
    pub ratio: S,
    /// Part of the power that comes out of the teeth where the first body drives: a number, or a signal.
    #[param(symbol = "η₁", unit = "1", default = 1.0, min = 1e-6, max = 1.0, signal)]
    pub efficiency: S,
    /// The same where the first body is driven; left out, the same number. Zero holds every load.
    #[param(symbol = "η₂", unit = "1", default = f64::NAN, min = 0.0, max = 1.0, signal)]
    pub back_efficiency: S,
    /// Friction torque of the bearings, felt at the first rotor: a number, or a signal.
    #[param(symbol = "B", unit = "N m", default = 0.0, min = 0.0, signal)]
    pub bearing: S,
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

    fn touch(builder: &mut Builder, part: &Placed) -> Result<Option<ResolvedContact>, MechError> {
        let line = builder.line_of(part)?;
        let [efficiency, bearing] = [("efficiency", 1.0), ("bearing", 0.0)].map(|(field, ideal)| {
            builder.list.values[part.place(field)] != ideal || part.spec.table(field).is_some()
        });
        let has_tables = !part.spec.lists.is_empty();
        if !(efficiency || bearing || has_tables || part.place_if_given("back_efficiency").is_some()) {
            return Ok(None);
        }
        if line != Line::Rotary && (bearing || has_tables) {
            let fault = "only rotors have bearings that turn; on a line, a `contact` rubs beside the gear";
            return Err(part.fault(if bearing { "bearing" } else { "speeds" }, fault));
        }
        let driving = curve(part, "efficiencies", part.place("efficiency"))?;
        let back = part.place_if_given("back_efficiency");
        let driven = match back {
            None if part.spec.list("back_efficiencies").is_empty() => driving.clone(),
            place => curve(part, "back_efficiencies", place.unwrap_or(part.place("efficiency")))?,
        };
        let bearing = curve(part, "bearings", part.place("bearing"))?;
        let first = part.spec.named("between").first().map_or("", String::as_str);
        let ends = [builder.body(part, "between", first)?.x, builder.body(part, "between", "ground")?.x];
        let turns = line == Line::Rotary;
        Ok(Some(builder.rubbing_gear(
            part,
            ends,
            Mesh { coupling: 0, efficiency: [driving, driven], bearing, turns },
        )))
    }
}

/// A number, or what a list says in its place.
fn curve(part: &Placed, list: &'static str, place: usize) -> Result<SpeedCurve, MechError> {
    let values = part.spec.list(list);
    if values.is_empty() {
        return Ok(SpeedCurve::Number(place));
    }
    let speeds = part.spec.list("speeds");
    if let [value] = values {
        // One value holds at all speeds.
        return Ok(SpeedCurve::Table(Polygon::constant(*value)));
    }
    Polygon::through(speeds, values)
        .map(SpeedCurve::Table)
        .ok_or_else(|| part.fault(list, "give as many values as `speeds`, which rise from one to the next"))
}
