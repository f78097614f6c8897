use crate::builder::{Builder, Placed};
use crate::contact::ResolvedContact;
use crate::coupled::{Coupling, Factor};
use crate::error::MechError;
use crate::line::Line;
use crate::mesh::{Mesh, SpeedCurve};
use crate::part::Part;
use crate::polygon::Polygon;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A gear: two bodies whose velocities have a fixed ratio, with or without losses in teeth and bearings.
///
/// ```text
/// v_a = ratio · v_b,   force on b = ratio · F',   force on a = −F_in
/// s F_in = (s F' + B₁)/η₁ where a drives,   s F_in = η₂ (s F' + B₂) where a is driven,   s = sgn v_a
/// with a support that turns: velocities are those against it, and what a and b do not balance acts on it
/// ```
///
/// It is exact: one of the bodies follows the other, and no stiffness stands in for the teeth. Outer wheels that mesh turn in
/// opposite directions, so that their ratio is negative. Positions at the start are as the bodies have them. Bodies on a line
/// can be coupled as well; a rotor and a body on a line are better coupled by a `rack`. A housing that can turn itself, in an elastic
/// bearing, is named as `support`.
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
        name = "support",
        part,
        optional,
        doc = "The body that carries the housing, such as a rotor in an elastic bearing; the ground unless given."
    ),
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
    ),
    entry(
        name = "back_bearings",
        numbers = "N m",
        optional,
        doc = "Friction torques at these speeds where the first body is driven, in place of `back_bearing`."
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
    #[param(symbol = "B₁", unit = "N m", default = 0.0, min = 0.0, signal)]
    pub bearing: S,
    /// The same where the first body is driven, not less; left out, the same number.
    #[param(symbol = "B₂", unit = "N m", default = f64::NAN, min = 0.0, signal)]
    pub back_bearing: S,
}

impl Part for Gear<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Gear;

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
        let mut bodies =
            vec![("between", a, Factor::constant(1.0)), ("between", b, Factor::affine(0.0, -1.0, ratio))];
        let support = part.named("support");
        if !support.is_empty() && support != "ground" {
            builder.on_line(part, "support", support, line)?;
            bodies.push(("support", support, Factor::affine(-1.0, 1.0, ratio)));
        }
        builder.coupling(part, &bodies).map(Some)
    }

    fn touch(builder: &mut Builder, part: &Placed) -> Result<Option<ResolvedContact>, MechError> {
        let line = builder.line_of(part)?;
        let [efficiency, bearing] = [("efficiency", 1.0), ("bearing", 0.0)].map(|(field, ideal)| {
            builder.list.values[part.place(field)] != ideal || part.spec.table(field).is_some()
        });
        let has_tables = !part.spec.lists.is_empty();
        let backs = ["back_efficiency", "back_bearing"].map(|field| part.place_if_given(field).is_some());
        if !(efficiency || bearing || has_tables || backs.contains(&true)) {
            return Ok(None);
        }
        if line != Line::Rotary && (bearing || backs[1] || has_tables) {
            let fault = "only rotors have bearings that turn; on a line, a `contact` rubs beside the gear";
            let field = if bearing {
                "bearing"
            } else if backs[1] {
                "back_bearing"
            } else {
                "speeds"
            };
            return Err(part.fault(field, fault));
        }
        let efficiency =
            both_ways(part, ["efficiency", "efficiencies"], ["back_efficiency", "back_efficiencies"])?;
        let bearing = both_ways(part, ["bearing", "bearings"], ["back_bearing", "back_bearings"])?;
        let speeds = part.spec.list("speeds").iter().chain([&0.0]);
        let [drives, driven] = &bearing;
        if speeds
            .into_iter()
            .any(|s| driven.value(&builder.list.values, *s) < drives.value(&builder.list.values, *s))
        {
            let fault = "bearings that rub less where the first body is driven leave open which side drives: let it be at least `bearing`";
            return Err(part.fault(if backs[1] { "back_bearing" } else { "back_bearings" }, fault));
        }
        let first = part.spec.named("between").first().map_or("", String::as_str);
        let support = Some(part.named("support")).filter(|name| !name.is_empty()).unwrap_or("ground");
        let ends = [builder.body(part, "between", first)?.x, builder.body(part, "support", support)?.x];
        let turns = line == Line::Rotary;
        Ok(Some(builder.rubbing_gear(part, ends, Mesh { coupling: 0, efficiency, bearing, turns })))
    }
}

/// What holds where the first body drives, and where it is driven: the same unless something else is said.
fn both_ways(
    part: &Placed,
    drives: [&'static str; 2],
    driven: [&'static str; 2],
) -> Result<[SpeedCurve; 2], MechError> {
    let [number, list] = drives;
    let first = curve(part, list, part.place(number))?;
    let [number, list] = driven;
    let second = match part.place_if_given(number) {
        None if part.spec.list(list).is_empty() => first.clone(),
        place => curve(part, list, place.unwrap_or_default())?,
    };
    Ok([first, second])
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
