//! One law in the place of another, with the numbers that mean the same to both.

use bristle_core::{Card, Field, Kind, Role};
use bristle_law::LawKind;
use bristle_mech::Spec;

/// Where a law keeps its friction in sliding.
const SLIDING: [Role; 2] = [Role::KineticFriction, Role::ReferenceFriction];

/// A law spec of another kind that keeps what both laws know, whatever they call it.
pub fn over(from: &Spec, to: LawKind) -> Spec {
    let card = to.card();
    let mut spec = Spec::of(&card);
    spec.as_forces = from.as_forces;
    let Some(old) = LawKind::named(&from.kind).map(LawKind::card) else { return spec };
    if old.name == card.name {
        return from.clone();
    }
    friction(&mut spec, &card, from, &old);
    let known = |role: Role| old.place(role).map(|i| from.numbers[i]);
    let as_built = |numbers: &[f64]| to.build(numbers, &spec.choices).fault();
    let refused = as_built(&spec.numbers);
    for (i, field) in card.numbers().enumerate().filter(|(_, field)| !is_friction(field)) {
        let Some(value) = counterpart(field, &old).map(|i| from.numbers[i]) else { continue };
        let mut numbers = spec.numbers.clone();
        numbers[i] = value;
        // A Stribeck velocity carried over may have overtaken the default end of the fall.
        if let (Some(Role::StribeckVelocity), Some(end)) = (field.role, card.place(Role::KineticVelocity))
            && numbers[end] <= value
        {
            numbers[end] = 10.0 * value;
        }
        // What the law cannot have beside its own numbers stays as it was.
        if field.kind.admits(value) && as_built(&numbers) == refused {
            spec.numbers = numbers;
        }
    }
    // A deflection belongs to the bristle's stiffness, which only friction in newtons makes known.
    let own = |role: Role| card.place(role).map(|i| spec.numbers[i]);
    let stiffness = own(Role::BristleStiffness).or(known(Role::BristleStiffness));
    let sliding = SLIDING.into_iter().find_map(known).or(known(Role::StaticFriction));
    for (role, share) in [(Role::ElasticDeflection, 0.7), (Role::SaturationDeflection, 1.0)] {
        if let (Some(i), Some(sliding), Some(stiffness), None, true) =
            (card.place(role), sliding, stiffness, known(role), spec.as_forces)
        {
            spec.numbers[i] = share * sliding / stiffness;
        }
    }
    spec
}

/// Carries static and kinetic friction over; what else a law states as friction keeps its share of the kinetic one.
fn friction(spec: &mut Spec, card: &Card, from: &Spec, old: &Card) {
    let known = |role: Role| old.place(role).map(|i| from.numbers[i]);
    let kinetic = SLIDING.into_iter().find_map(known).or(known(Role::StaticFriction));
    let excess = || kinetic.zip(known(Role::StaticExcess)).map(|(kinetic, excess)| kinetic + excess);
    let peak = known(Role::StaticFriction).or_else(excess).or(kinetic);
    let own = SLIDING.into_iter().find_map(|role| card.place(role)).map(|i| spec.numbers[i]);
    let larger = kinetic.zip(own).map(|(kinetic, own)| kinetic / own);
    for (i, field) in card.numbers().enumerate().filter(|(_, field)| is_friction(field)) {
        let value = match field.role {
            Some(Role::StaticFriction) => peak,
            Some(Role::StaticExcess) => peak.zip(kinetic).map(|(peak, kinetic)| peak - kinetic),
            Some(role) if SLIDING.contains(&role) => kinetic,
            _ => {
                let known = counterpart(field, old).map(|i| from.numbers[i]);
                known.or(larger.map(|larger| larger * spec.numbers[i]))
            }
        };
        spec.numbers[i] = value.unwrap_or(spec.numbers[i]);
    }
}

/// Whether a number may also be given as a force.
fn is_friction(field: &Field) -> bool {
    matches!(field.kind, Kind::Number { force: Some(_), .. })
}

/// The place of the number of another law that means the same: the one of the same role and unit, and of several the one of
/// the same name. The width of a dead band and the velocity of a regularisation stand for each other.
fn counterpart(field: &Field, old: &Card) -> Option<usize> {
    let unit = |f: &Field| if let Kind::Number { unit, .. } = f.kind { unit } else { "" };
    let of_role = |role: Role| {
        let same = |f: &Field| f.role == Some(role) && unit(f) == unit(field);
        let named = old.numbers().position(|f| same(f) && f.name == field.name);
        let only =
            || (old.numbers().filter(|f| same(f)).count() == 1).then(|| old.numbers().position(same))?;
        named.or_else(only)
    };
    match field.role? {
        Role::Shape | Role::Steepness | Role::Other => None,
        role @ Role::RegularisationVelocity => of_role(role).or_else(|| of_role(Role::RestVelocity)),
        role @ Role::RestVelocity => of_role(role).or_else(|| of_role(Role::RegularisationVelocity)),
        role => of_role(role),
    }
}

#[cfg(test)]
mod carry_tests {
    use super::*;

    fn law(kind: LawKind, numbers: &[(&str, f64)]) -> Spec {
        let card = kind.card();
        numbers.iter().fold(Spec::of(&card), |spec, (name, value)| {
            assert!(card.field(name).is_some(), "{name}");
            spec.with(&card, name, *value)
        })
    }

    fn value(spec: &Spec, name: &str) -> f64 {
        let card = LawKind::named(&spec.kind).unwrap().card();
        spec.numbers[card.numbers().position(|f| f.name == name).unwrap()]
    }

    /// What is called `sigma2`, `c1` or `gamma6` is viscous friction in N s/m; `mu_v` is it per load and is left alone.
    #[test]
    fn a_number_is_known_by_its_role_and_unit() {
        let lugre = law(LawKind::LuGre, &[("sigma2", 0.7), ("v_s", 0.02)]);
        assert_eq!(value(&over(&lugre, LawKind::LuGreDwell), "c1"), 0.7);
        assert_eq!(value(&over(&lugre, LawKind::Makkar), "gamma6"), 0.7);
        let hollars = over(&lugre, LawKind::Hollars);
        assert_eq!((value(&hollars, "mu_v"), value(&hollars, "v_t")), (0.0, 0.02));
    }

    /// `alpha` is an exponent in Dahl, 1/(velocity) in LuGre with dwell; `c` and `v_d` differ as much.
    #[test]
    fn a_name_alone_carries_nothing() {
        let dahl = law(LawKind::Dahl, &[("alpha", 2.0)]);
        assert_eq!(value(&over(&dahl, LawKind::LuGreDwell), "alpha"), 1.0);
        assert_eq!(value(&over(&dahl, LawKind::Cdq), "alpha"), 0.9);
        let benson = law(LawKind::Benson, &[("c", 50.0)]);
        assert_eq!(value(&over(&benson, LawKind::MagicFormula), "c"), 1.4601069);
        let smooth = law(LawKind::SmoothCoulomb, &[("v_d", 0.5)]);
        assert_eq!(value(&over(&smooth, LawKind::FrDyn2), "v_d"), 1e-2);
        assert_eq!(value(&over(&smooth, LawKind::Quinn), "eps"), 0.5);
    }

    /// Both say below which slip rate a contact counts as sticking.
    #[test]
    fn a_dead_band_becomes_the_velocity_of_a_regularisation_and_back() {
        let karnopp = law(LawKind::Karnopp, &[("band", 0.03)]);
        assert_eq!(value(&over(&karnopp, LawKind::Quinn), "eps"), 0.03);
        let quinn = law(LawKind::Quinn, &[("eps", 0.02)]);
        assert_eq!(value(&over(&quinn, LawKind::Karnopp), "band"), 0.02);
        assert_eq!(value(&over(&quinn, LawKind::Threlfall), "v_r"), 0.02);
    }

    /// Static friction is kinetic friction and the excess, whichever of them a law states.
    #[test]
    fn friction_survives_there_and_back() {
        let coulomb = law(LawKind::Coulomb, &[("mu_d", 0.2), ("mu_s", 0.5)]);
        for by in [LawKind::LuGreDwell, LawKind::Makkar] {
            let back = over(&over(&coulomb, by), LawKind::Coulomb);
            assert!((value(&back, "mu_s") - 0.5).abs() < 1e-15 && value(&back, "mu_d") == 0.2);
        }
        let dieterich = over(&coulomb, LawKind::Dieterich);
        assert_eq!(value(&dieterich, "mu_ref"), 0.2);
        assert!((value(&dieterich, "direct") - 0.02 * 0.2 / 0.3).abs() < 1e-15);
    }

    /// From every law to every other: a number is never carried into a law that refuses it.
    #[test]
    fn no_law_at_its_defaults_makes_another_refuse() {
        for from in LawKind::ALL {
            for to in LawKind::ALL {
                let spec = over(&Spec::of(&from.card()), *to);
                let built = to.build(&spec.numbers, &spec.choices);
                assert_eq!(built.fault(), None, "{} under {}", from.card().name, to.card().name);
            }
        }
        let karnopp = law(LawKind::Karnopp, &[("band", 0.0)]);
        assert_eq!(value(&over(&karnopp, LawKind::StickSlip), "v_t"), 1e-2);
        let quinn = law(LawKind::Quinn, &[("eps", 1e-5)]);
        assert_eq!(value(&over(&quinn, LawKind::Ambrosio), "v_1"), 1e-3);
    }
}
