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
    /// Constant normal load; left out only where the law is given in forces.
    #[param(symbol = "n", unit = "N", default = f64::NAN, min = 0.0)]
    pub load: S,
}
