use bristle_core::Card;

/// A frictional contact between two bodies, or a body and a moving surface.
///
/// ```text
/// w = v_a − v_b;   −F on a, +F on b, F from the law at slip rate w and load n
/// ```
///
/// The load is `load` if given; else the weight of the bodies it carries (a trolley: the reaction of its rail).
/// A law given in forces needs no load.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "contact",
    entry(name = "between", names = 2, doc = "The body and its counter-surface."),
    entry(name = "law", table = "law", doc = "The friction law."),
    entry(
        name = "carries",
        names = 0,
        doc = "Bodies whose weight or guide reaction loads the contact; the first of `between` unless given."
    )
)]
pub struct Contact<S> {
    /// Constant normal load; left out, it comes from what the contact carries.
    #[param(symbol = "n", unit = "N", default = f64::NAN, min = 0.0)]
    pub load: S,
}
