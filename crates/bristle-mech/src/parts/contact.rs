use crate::builder::{Builder, Placed};
use crate::contact::{Load, ResolvedContact};
use crate::coordinate::Coordinate;
use crate::error::MechError;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::Card;

/// A frictional contact between two bodies, or a body and a moving surface.
///
/// ```text
/// w = v_a − v_b;   −F on a, +F on b
/// F = F_law(w, n) + d₊ w + F_o forwards,   F_law(w, s₋ n) + d₋ w + F_o backwards
/// rotors:   w = r (ω_a − ω_b);   −r F on a, +r F on b
/// ```
///
/// The load is `load` if given, as a number or as a signal, where the contact is open while the signal is not positive; else
/// the weight of the bodies it carries (a trolley: the reaction of its rail). A law given in forces needs no load. Between
/// rotors it acts at an effective `radius`: brakes, clutches, bearings and bits.
///
/// Drives, screws and test rigs rarely rub alike in both directions: `backward` scales the friction of backward sliding, at rest too,
/// and viscous friction may differ. `offset` is a force beside friction, of gravity or a seal. All of it counts as the force and the loss
/// of the contact, so that the loss falls while an offset drives. Laws that remember which of their elements yield, or whose force at rest
/// depends on the load, take an `offset` but no `backward`.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "contact",
    tags("straight", "rotary"),
    entry(name = "between", names = 2, doc = "The body and its counter-surface."),
    entry(name = "law", table = "law", doc = "The friction law."),
    entry(
        name = "carries",
        names = 0,
        doc = "Bodies whose weight or guide reaction loads the contact; the first of `between` unless given."
    )
)]
pub struct Contact<S> {
    /// Normal load; left out, it comes from what the contact carries.
    #[param(symbol = "n", unit = "N", default = f64::NAN, min = 0.0, signal)]
    pub load: S,
    /// Effective radius, between rotors.
    #[param(symbol = "r", unit = "m", default = f64::NAN, min = 1e-9)]
    pub radius: S,
    /// Factor on all friction coefficients, or forces, of the law: a number, or a signal.
    #[param(symbol = "s", unit = "1", default = 1.0, min = 0.0, signal)]
    pub scale: S,
    /// Factor on the friction of backward sliding; left out, the law is the same both ways.
    #[param(symbol = "s₋", unit = "1", default = f64::NAN, min = 0.0)]
    pub backward: S,
    /// Viscous friction beside that of the law, forwards, and backwards unless that is given.
    #[param(symbol = "d₊", unit = "N s/m", default = f64::NAN, min = 0.0)]
    pub viscous: S,
    /// Viscous friction beside that of the law, backwards.
    #[param(symbol = "d₋", unit = "N s/m", default = f64::NAN, min = 0.0)]
    pub viscous_backward: S,
    /// Force beside friction, against forward motion if it is positive.
    #[param(symbol = "F_o", unit = "N", default = f64::NAN)]
    pub offset: S,
}

impl Part for Contact<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Contact;

    fn touch(builder: &mut Builder, part: &Placed) -> Result<Option<ResolvedContact>, MechError> {
        let line = builder.line_of(part)?;
        let ends = builder.ends(part, line)?;
        let arm = part.place_if_given("radius");
        if (line == Line::Rotary) != arm.is_some() {
            return Err(MechError::Radius { part: part.name.to_owned(), is_given: arm.is_some() });
        }
        let load = load(builder, part)?;
        let scale = Some(part.place("scale"));
        let contact = ResolvedContact { arm, scale, ..builder.contact(part, ends, load)? };
        contact.made_asymmetric(builder, part).map(Some)
    }
}

/// Where the normal load of a contact comes from.
fn load(builder: &mut Builder, part: &Placed) -> Result<Load, MechError> {
    let is_given = part.place_if_given("load").is_some() || part.spec.table("load").is_some();
    match (part.law()?.as_forces, is_given) {
        (true, true) => return Err(MechError::LoadAndForces { part: part.name.to_owned() }),
        (true, false) => return Ok(Load::Unit),
        (false, true) => return builder.given(part, "load").map(Load::Given),
        (false, false) => {}
    }
    let carried = match part.spec.named("carries") {
        [] => part.spec.named("between").get(..1).unwrap_or(&[]),
        names => names,
    };
    let (mut weights, mut reactions) = (Vec::new(), Vec::new());
    for name in carried {
        let body = builder.body(part, "carries", name)?;
        match (body.y, body.mass) {
            (None, Some(mass)) if builder.gravity.is_some() && !body.rotates() => weights.push(mass),
            (Some(y), Some(_)) if matches!(builder.coordinates[y], Coordinate::Fixed { .. }) => {
                reactions.push(y)
            }
            _ => return Err(MechError::NoLoad { part: part.name.to_owned() }),
        }
    }
    Ok(Load::Carried { weights, reactions })
}
