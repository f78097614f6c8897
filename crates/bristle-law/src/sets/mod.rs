//! Published parameter sets: numbers of a law for a contact that somebody measured, fitted or chose, for those without data.

mod published;

use crate::laws::LawKind;
use bristle_core::{Kind, nearest};
pub use published::PUBLISHED;

/// Where the numbers of a set come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOrigin {
    /// Read off an experiment.
    Measured,
    /// Found by fitting the law to a record.
    Fitted,
    /// Not stated in the source, but needed for what it states.
    Inferred,
    /// Chosen by the authors for a simulation.
    Chosen,
}

impl SetOrigin {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            SetOrigin::Measured => "measured",
            SetOrigin::Fitted => "fitted",
            SetOrigin::Inferred => "inferred",
            SetOrigin::Chosen => "chosen",
        }
    }
}

/// A published set of parameters of a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParameterSet {
    /// What a scenario writes.
    pub name: &'static str,
    /// The law.
    pub law: &'static str,
    /// Which contact it is, in a sentence.
    pub contact: &'static str,
    /// Where the numbers come from.
    pub origin: SetOrigin,
    /// What is to be known about them; nothing if all is said.
    pub remark: &'static str,
    /// The numbers as a scenario names them, in SI.
    pub numbers: &'static [(&'static str, f64)],
    /// What a contact has beside its law, in SI.
    pub beside: &'static [(&'static str, f64)],
    /// Normal load of the contact in newtons, where it was stated; a law in coefficients is used with others too.
    pub load: Option<f64>,
    /// Slip rates that the numbers were found at, m/s.
    pub speeds: [f64; 2],
    /// For which motions the numbers hold.
    pub validity: &'static str,
    /// Key into the list of references.
    pub cite: &'static str,
}

impl ParameterSet {
    /// The set of that name.
    pub fn named(name: &str) -> Option<&'static ParameterSet> {
        PUBLISHED.iter().find(|set| set.name == name)
    }

    /// The sets of a law.
    pub fn of_law(law: &str) -> impl Iterator<Item = &'static ParameterSet> {
        PUBLISHED.iter().filter(move |set| set.law == law)
    }

    /// A set with a name near to this one.
    pub fn near(name: &str) -> Option<&'static str> {
        nearest(name, PUBLISHED.iter().map(|set| set.name))
    }

    /// The law.
    pub fn kind(&self) -> Option<LawKind> {
        LawKind::ALL.iter().copied().find(|kind| kind.card().name == self.law)
    }

    /// Whether friction is given in newtons.
    pub fn as_forces(&self) -> bool {
        let Some(card) = self.kind().map(LawKind::card) else { return false };
        card.numbers().any(|field| match field.kind {
            Kind::Number { force: Some(force), .. } => force != field.name && self.number(force).is_some(),
            _ => false,
        })
    }

    /// One of its numbers, by the name a scenario has for it.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.numbers.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// The numbers of the law in the order of its card; those of friction are forces where the set is in forces.
    pub fn values(&self) -> Vec<f64> {
        let Some(card) = self.kind().map(LawKind::card) else { return Vec::new() };
        let value = |field: &bristle_core::Field| {
            let Kind::Number { force, default, .. } = field.kind else { return f64::NAN };
            let own = self.number(field.name).or_else(|| self.number(force?));
            own.or(default).unwrap_or(f64::NAN)
        };
        card.numbers().map(value).collect()
    }

    /// Static friction, or what comes nearest to it, in newtons: under its load, or one newton for a law in coefficients.
    pub fn level(&self) -> f64 {
        let Some(kind) = self.kind() else { return f64::NAN };
        let law = kind.build(&self.values(), &kind.card().default_choices());
        let n = if self.as_forces() { 1.0 } else { self.load.unwrap_or(1.0) };
        self.steady_friction(&law, n)
    }

    /// Friction of slow sliding under the load `n`.
    fn steady_friction(&self, law: &crate::AnyLaw<f64>, n: f64) -> f64 {
        let mut z = vec![0.0; law.kind().states()];
        law.initial(&mut z);
        if let Some(limit) = law.limit(&crate::At::sliding(0.0, n), &z) {
            return limit;
        }
        let card = law.kind().card();
        let role = |role: bristle_core::Role| {
            let place = card.numbers().position(|field| field.role == Some(role))?;
            self.values().get(place).map(|level| level * n)
        };
        let roles = [
            bristle_core::Role::StaticFriction,
            bristle_core::Role::KineticFriction,
            bristle_core::Role::ReferenceFriction,
        ];
        roles.into_iter().find_map(role).unwrap_or(f64::NAN)
    }
}

#[cfg(test)]
mod sets_tests {
    use super::*;

    #[test]
    fn every_set_is_whole_and_makes_a_law_within_its_card() {
        assert!(PUBLISHED.len() >= 15);
        for (i, set) in PUBLISHED.iter().enumerate() {
            assert!(PUBLISHED[..i].iter().all(|other| other.name != set.name), "two sets `{}`", set.name);
            let kind = set.kind().unwrap_or_else(|| panic!("{}: there is no law `{}`", set.name, set.law));
            let card = kind.card();
            let own = |field: &bristle_core::Field| match field.kind {
                Kind::Number { force: Some(force), .. } if set.as_forces() => force,
                _ => field.name,
            };
            for (name, _) in set.numbers {
                assert!(card.numbers().any(|f| own(f) == *name), "{}: `{name}` is no number of it", set.name);
            }
            for (field, value) in card.numbers().zip(set.values()) {
                assert!(set.number(own(field)).is_some(), "{}: `{}` is missing", set.name, own(field));
                let Kind::Number { min, max, force, .. } = field.kind else { continue };
                let max = if set.as_forces() && force.is_some() { f64::INFINITY } else { max };
                assert!((min..=max).contains(&value), "{}: `{}` = {value}", set.name, field.name);
            }
            let law = kind.build(&set.values(), &card.default_choices());
            assert_eq!(law.fault(), None, "{}", set.name);
            assert!(set.speeds[0] < set.speeds[1] && set.level() > 0.0, "{}", set.name);
            assert!(!set.contact.is_empty() && !set.validity.is_empty() && !set.cite.is_empty());
        }
    }

    /// What is typed in by hand: the bristles of Canudas de Wit et al. are critically damped for one kilogram.
    #[test]
    fn the_numbers_of_canudas_are_those_of_the_paper() {
        let set = ParameterSet::named("canudas1995").unwrap();
        assert!(set.as_forces());
        let expected = [1.0, 1.5, 1e-3, 2.0, 1e5, 1e5f64.sqrt(), 0.4];
        assert!(set.values().iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1e-14 * b));
        assert_eq!(ParameterSet::near("canudas95"), Some("canudas1995"));
    }

    /// The elements of the tribometer yield one after the other, and their shares sum to one.
    #[test]
    fn elements_that_yield_are_shares_of_a_whole() {
        let set = ParameterSet::named("tribometer_maxwell_slip").unwrap();
        let sum = |names: [&str; 4]| names.iter().map(|name| set.number(name).unwrap()).sum::<f64>();
        assert!((sum(["level1", "level2", "level3", "level4"]) - 1.0).abs() < 1e-6);
        assert!((sum(["stiff1", "stiff2", "stiff3", "stiff4"]) - 1.0).abs() < 1e-6);
        let yields = |i: usize| {
            let [level, stiff] = [format!("level{i}"), format!("stiff{i}")].map(|n| set.number(&n).unwrap());
            set.number("F_d").unwrap() * level / (set.number("sigma0").unwrap() * stiff)
        };
        for (i, deflection) in [(1, 52.5169e-6), (2, 57.8002e-6), (3, 66.8e-6), (4, 216.47e-6)] {
            assert!((yields(i) / deflection - 1.0).abs() < 1e-4, "{i}: {}", yields(i));
        }
    }
}
