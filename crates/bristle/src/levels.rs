//! The kinetic and static friction of a law, read off its parameters.

use bristle_law::LawKind;
use bristle_mech::Spec;

/// Kinetic and static friction of a law in newtons at this load, where it has them.
pub(crate) fn levels(law: &Spec, load: f64) -> Option<(f64, f64)> {
    let card = LawKind::named(&law.kind)?.card();
    let value = |names: &[&str]| {
        let place = names.iter().find_map(|n| card.numbers().position(|f| f.name == *n))?;
        law.numbers.get(place).map(|v| v * load)
    };
    let kinetic = value(&["mu_d", "mu", "mu_0", "gamma4"]);
    let peak = value(&["mu_s"]);
    match (kinetic, peak) {
        (Some(d), Some(s)) => Some((d, s)),
        (Some(d), None) => Some((d, d)),
        (None, Some(s)) => Some((s, s)),
        (None, None) => None,
    }
}
