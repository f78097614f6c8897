use crate::builder::{Builder, Placed};
use crate::contact::Load;
use crate::error::MechError;
use crate::part::Part;
use crate::planar::ResolvedPlanarContact;
use bristle_core::Card;

/// A frictional contact of a body that slides in a plane, the same in every direction.
///
/// ```text
/// w = v_a − v_b (vectors);   −F on a, +F on b, F from the vector form of the law at slip rate w and load n
/// ```
///
/// The law is `frdyn2`, which has a vector form; any other applied to each axis would bear √2 times its limit at 45°. The
/// plane is that of the planar bodies: lay it flat by leaving gravity out, and give the weight as `load`.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "planar_contact",
    entry(name = "between", names = 2, doc = "The planar body and its counter-surface."),
    entry(name = "law", table = "law", doc = "The friction law: `frdyn2`.")
)]
pub struct PlanarContact<S> {
    /// Normal load; left out only where the law is given in forces.
    #[param(symbol = "n", unit = "N", default = f64::NAN, min = 0.0, signal)]
    pub load: S,
}

impl Part for PlanarContact<f64> {
    type Action = ();

    fn touch_in_plane(
        builder: &mut Builder,
        part: &Placed,
    ) -> Result<Option<ResolvedPlanarContact>, MechError> {
        let name = part.name.to_owned();
        let [x, y] = builder.plane(part)?;
        let spec = part.law()?;
        ResolvedPlanarContact::check(&name, &spec.kind)?;
        let is_given = part.place_if_given("load").is_some() || part.spec.table("load").is_some();
        let load = match (is_given, spec.as_forces) {
            (true, true) => return Err(MechError::LoadAndForces { part: name }),
            (false, false) => return Err(MechError::NoLoad { part: name }),
            (true, false) => Load::Given(builder.given(part, "load")?),
            (false, true) => Load::Unit,
        };
        let law = ResolvedPlanarContact::LAW;
        let first = builder.list.push_all(&format!("{name}.law"), &law.card(), &spec.numbers);
        if let Some(fault) = law.build(&spec.numbers, &spec.choices).fault() {
            return Err(MechError::Law { part: name, law: spec.kind.clone(), fault });
        }
        let count = spec.numbers.len();
        Ok(Some(ResolvedPlanarContact { name, x, y, load, first, count, z: 0, work: 0 }))
    }
}
