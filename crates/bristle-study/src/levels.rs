//! The kinetic and static friction of a law, read off its parameters.

use bristle_core::{Kind, Role};
use bristle_law::LawKind;
use bristle_mech::Spec;

/// Kinetic and static friction of a law in newtons at this load, where it has them.
pub(crate) fn levels(law: &Spec, load: f64) -> Option<(f64, f64)> {
    let card = LawKind::named(&law.kind)?.card();
    let value = |role: Role| {
        let field = card.numbers().find(|f| f.role == Some(role))?;
        let number = law.numbers.get(card.place(role)?)?;
        // A written law may state its friction in newtons.
        let is_force = matches!(field.kind, Kind::Number { unit: "N", .. });
        Some(if is_force { *number } else { number * load })
    };
    let kinetic = value(Role::KineticFriction);
    let excess = || kinetic.zip(value(Role::StaticExcess)).map(|(kinetic, excess)| kinetic + excess);
    let peak = value(Role::StaticFriction).or_else(excess);
    Some((kinetic.or(peak)?, peak.or(kinetic)?))
}

#[cfg(test)]
mod levels_tests {
    use super::*;

    #[test]
    fn friction_is_found_by_its_role() {
        let of = |kind: LawKind| levels(&Spec::of(&kind.card()), 10.0);
        assert_eq!(of(LawKind::LuGre), Some((3.0, 4.0)));
        assert_eq!(of(LawKind::Dahl), Some((3.0, 3.0)));
        assert_eq!(of(LawKind::MagicFormula), Some((4.0, 4.0)));
        assert_eq!(of(LawKind::LuGreDwell), Some((3.0, 5.0)));
        assert_eq!(of(LawKind::Makkar), Some((3.0, 4.0)));
        assert_eq!(of(LawKind::Dieterich), None);
    }
}
