use crate::builder::{Builder, Placed};
use crate::contact::{Load, ResolvedContact};
use crate::error::MechError;
use crate::grain::Grain;
use crate::part::Part;
use crate::planar::ResolvedPlanarContact;
use crate::symbol::Symbol;
use bristle_core::Card;
use bristle_law::states_in_plane;

/// A frictional contact of a body that slides in a plane.
///
/// ```text
/// w = v_a − v_b (vectors);   −F on a, +F on b, F from the vector form of the law at slip rate w and load n
/// with a grain: along it, and `across` times that across it; the limit at rest is an ellipse
/// ```
///
/// Every law that is a curve of the speed acts against the slip rate; `coulomb` and `benson` hold on a disc, and where the body lets go or
/// comes to rest is located. Of laws with bristles `dahl`, `lugre`, `lugre_dwell`, `elasto_plastic`, `gonthier`, `bouc_wen`, `maxwell_slip`,
/// `kikuuwe` and `frdyn2` bend them as vectors; any other applied to each axis would bear √2 times its limit at 45°. The load is `load` if
/// given; else, where gravity lays planar bodies on a floor, their weight. Two such contacts that hold one body at rest together share
/// what they hold by axis.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "planar_contact",
    entry(name = "between", names = 2, doc = "The planar body and its counter-surface."),
    entry(name = "law", table = "law", doc = "The friction law: one with a form for vectors."),
    entry(
        name = "carries",
        names = 0,
        doc = "Bodies whose weight loads the contact; the first of `between` unless given."
    )
)]
pub struct PlanarContact<S> {
    /// Normal load; left out, it comes from what the contact carries, or the law is given in forces.
    #[param(symbol = "n", unit = "N", default = f64::NAN, min = 0.0, signal)]
    pub load: S,
    /// Friction across the grain over that along it.
    #[param(symbol = "a", unit = "1", default = 1.0, min = 1e-3, max = 1e3)]
    pub across: S,
    /// Direction of the grain, from x towards y.
    #[param(symbol = "α", unit = "rad", default = 0.0)]
    pub grain: S,
}

impl Part for PlanarContact<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Contact;

    fn touch_in_plane(
        builder: &mut Builder,
        part: &Placed,
    ) -> Result<Option<ResolvedPlanarContact>, MechError> {
        let [x, y] = builder.plane(part)?;
        let load = load(builder, part)?;
        let resolved: ResolvedContact = builder.contact(part, x, load)?;
        let law = resolved.law(&builder.list.values);
        if !law.slides_in_plane() {
            let (part, law) = (part.name.to_owned(), part.law()?.kind.clone());
            let fault = "it has no form for sliding in the plane; curves over the speed, set-valued or smooth, have one, and bristles such as `dahl`, `lugre`, `maxwell_slip` and `frdyn2`";
            return Err(MechError::Law { part, law, fault });
        }
        let grain = Grain { ratio: part.place("across"), angle: part.place("grain") };
        let ResolvedContact { name, kind, load, choices, first, count, set_valued, .. } = resolved.clone();
        let states = states_in_plane(&kind.card());
        let held = set_valued.then(|| Box::new(ResolvedContact { elements: 1, ..resolved }));
        let (z, work, pair) = (0, 0, None);
        Ok(Some(ResolvedPlanarContact {
            name,
            kind,
            x,
            y,
            load,
            grain,
            choices,
            first,
            count,
            z,
            states,
            work,
            held,
            pair,
        }))
    }
}

/// Where the normal load comes from.
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
    let mut weights = Vec::new();
    for name in carried {
        let body = builder.body(part, "carries", name)?;
        match body.mass {
            Some(mass) if builder.has_floor && body.y.is_some() => weights.push(mass),
            _ => return Err(MechError::NoLoad { part: part.name.to_owned() }),
        }
    }
    Ok(Load::Carried { weights, reactions: Vec::new() })
}
