//! Bristle parameters from what an engineer can estimate: a friction force and a deflection.
//!
//! ```text
//! σ₀ = F/Δ,   σ₁ = 2 ζ √(m σ₀),   m = F/g unless given
//! ```
//!
//! What does not follow from these is that of the published contact that comes nearest.

use crate::error::RunError;
use bristle_core::{Kind, Role};
use bristle_law::{LawKind, ParameterSet};

/// Standard gravity as the field uses it.
const G: f64 = 9.81;

/// What is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SuggestedValue {
    /// Typical friction force, N.
    pub force: f64,
    /// Deflection that bears it, m.
    pub deflection: f64,
    /// Mass that swings on the bristles, kg; the one whose weight is the force unless given.
    pub mass: Option<f64>,
    /// Damping ratio of that swing; 1 is the aperiodic limit.
    pub damping: f64,
}

/// Parameters for a law.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// Which law.
    pub law: LawKind,
    /// Name, value and unit of what follows from the estimate.
    pub values: Vec<(&'static str, f64, &'static str)>,
    /// How they follow.
    pub notes: Vec<String>,
}

/// Parameters of a bristle law from an estimate.
///
/// # Errors
/// [`RunError::NoBristles`] for a law that has none, [`RunError::OutOfRange`] for an estimate that leads out of the range
/// of a parameter.
pub fn suggest(law: LawKind, estimate: &SuggestedValue) -> Result<Suggestion, RunError> {
    let card = law.card();
    let named = |role: Role| card.named(role);
    if named(Role::BristleStiffness).or(named(Role::SaturationDeflection)).is_none() {
        return Err(RunError::NoBristles { law: card.name.to_owned() });
    }
    let sigma0 = estimate.force / estimate.deflection;
    let mass = estimate.mass.unwrap_or(estimate.force / G);
    let sigma1 = 2.0 * estimate.damping * (mass * sigma0).sqrt();
    let mut values = Vec::new();
    let mut notes = Vec::new();
    if let Some(name) = named(Role::SaturationDeflection) {
        values.push((name, estimate.deflection, "m"));
        notes.push(format!("{name} is the deflection itself: its force saturates there"));
    }
    let stiffness = named(Role::BristleStiffness).unwrap_or_default();
    if !stiffness.is_empty() {
        values.push((stiffness, sigma0, "N/m"));
        notes.push(format!("{stiffness} = force/deflection = {sigma0:.6e} N/m"));
    }
    if let Some(name) = named(Role::BristleDamping) {
        values.push((name, sigma1, "N s/m"));
        let whose = match estimate.mass {
            Some(_) => "the mass given",
            None => "mass = force/g",
        };
        notes.push(format!(
            "{name} = 2 damping √(mass {stiffness}) = {sigma1:.7} N s/m with {whose} ({mass:.4} kg), damping {}",
            estimate.damping
        ));
    }
    if law == LawKind::FrDyn2 {
        let bristle = sigma1 * sigma1 / (4.0 * sigma0);
        notes.push(format!("the bristle then has a mass of {bristle:.4} kg; it matters in fast transients"));
        let atol = 1e-3 * estimate.deflection;
        notes.push(format!("resolve displacements to {atol:.0e} m or better (solver.atol at most 1e-3)"));
    }
    if let Some(name) = named(Role::ElasticDeflection) {
        values.push((name, 0.7 * estimate.deflection, "m"));
        notes
            .push(format!("{name} = 0.7 deflection: elastic up to there, so that small cycles do not drift"));
    }
    if let Some(set) = nearest_set(law, estimate) {
        fill(set, estimate, &mut values, &mut notes);
    }
    for (name, value, unit) in &values {
        if let Some(Kind::Number { min, max, .. }) = card.field(name).map(|f| f.kind)
            && !(min..=max).contains(value)
        {
            let (law, name, value) = (card.name.to_owned(), (*name).to_owned(), *value);
            return Err(RunError::OutOfRange { law, name, value, unit, min, max });
        }
    }
    Ok(Suggestion { law, values, notes })
}

/// Friction at rest and the deflection that bears it, of a published contact whose law states forces.
fn stated(set: &ParameterSet) -> Option<[f64; 2]> {
    let card = set.kind()?.card();
    let place = card.numbers().position(|f| f.role == Some(Role::BristleStiffness))?;
    let stiffness = *set.values().get(place)?;
    set.as_forces().then(|| [set.level(), set.level() / stiffness])
}

/// The published set of the law whose friction and deflection are nearest, by their ratios.
fn nearest_set(law: LawKind, estimate: &SuggestedValue) -> Option<&'static ParameterSet> {
    let name = law.card().name;
    let far = |set: &ParameterSet| {
        let [force, deflection] = stated(set).unwrap_or([f64::NAN; 2]);
        (force / estimate.force).ln().abs() + (deflection / estimate.deflection).ln().abs()
    };
    let mut known: Vec<_> = ParameterSet::of_law(name).filter(|set| stated(set).is_some()).collect();
    known.sort_by(|a, b| far(a).total_cmp(&far(b)));
    known.first().copied()
}

/// Fills in what the estimate leaves open: friction in the proportions of the set, and its velocities and shapes as they are.
fn fill(
    set: &'static ParameterSet,
    estimate: &SuggestedValue,
    values: &mut Vec<(&'static str, f64, &'static str)>,
    notes: &mut Vec<String>,
) {
    let Some(card) = set.kind().map(LawKind::card) else { return };
    let by = estimate.force / set.level();
    for field in card.numbers() {
        let Kind::Number { unit, force, .. } = field.kind else { continue };
        let name = force.unwrap_or(field.name);
        let Some(value) = set.number(name) else { continue };
        if values.iter().any(|(known, ..)| *known == name) {
            continue;
        }
        let is_force = force.is_some();
        let grows = is_force || field.role == Some(Role::ViscousCoefficient);
        values.push((name, if grows { value * by } else { value }, if is_force { "N" } else { unit }));
    }
    let [force, deflection] = stated(set).unwrap_or([f64::NAN; 2]);
    notes.push(format!(
        "all else as in set {}, the nearest published contact of this law ({} N, {} m), with its friction times {}",
        set.name,
        short(force),
        short(deflection),
        short(by)
    ));
}

impl Suggestion {
    /// The law as a scenario writes it, with the derivation as comments.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for note in &self.notes {
            out += &format!("# {note}\n");
        }
        let card = self.law.card();
        let values: Vec<String> = self
            .values
            .iter()
            .map(|(name, value, unit)| match *unit {
                "1" => format!("{name} = {}", short(*value)),
                unit => format!("{name} = \"{} {unit}\"", short(*value)),
            })
            .collect();
        let friction = [Role::StaticFriction, Role::StaticExcess, Role::KineticFriction];
        let yours: Vec<&str> = friction.into_iter().filter_map(|role| card.named(role)).collect();
        let is_given = card.numbers().any(|field| match field.kind {
            Kind::Number { force: Some(force), .. } => self.values.iter().any(|(name, ..)| *name == force),
            _ => false,
        });
        if !is_given {
            out += &format!("# static and kinetic friction are yours to give: {}\n", yours.join(", "));
        }
        out + &format!("law = {{ kind = \"{}\", {} }}\n", card.name, values.join(", "))
    }
}

/// Seven digits are more than any estimate deserves, and enough to copy a published value.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.6e}").parse().unwrap_or(value);
    if (1e-3..1e5).contains(&rounded.abs()) { format!("{rounded}") } else { format!("{rounded:e}") }
}

#[cfg(test)]
mod suggest_tests {
    use super::*;

    /// Rill & Schuderer: 5 N and 1 µm give 5e6 N/m and 3192.75 N s/m.
    #[test]
    fn the_published_rule_comes_out() {
        let estimate = SuggestedValue { force: 5.0, deflection: 1e-6, mass: None, damping: 1.0 };
        let suggestion = suggest(LawKind::FrDyn2, &estimate).unwrap();
        let value = |name: &str| suggestion.values.iter().find(|v| v.0 == name).unwrap().1;
        assert!((value("sigma0") - 5e6).abs() < 1e-6);
        assert!((value("sigma1") - 3192.7542840705046).abs() < 1e-9);
        assert!(suggestion.text().contains(r#"sigma0 = "5e6 N/m", sigma1 = "3192.754 N s/m""#));
    }

    /// Half the friction of the example of the LuGre law, on bristles that give as far: the rest is as there.
    #[test]
    fn what_the_estimate_leaves_open_is_that_of_the_nearest_published_contact() {
        let estimate = SuggestedValue { force: 0.75, deflection: 1e-5, mass: Some(1.0), damping: 0.5 };
        let suggestion = suggest(LawKind::LuGre, &estimate).unwrap();
        let value = |name: &str| suggestion.values.iter().find(|v| v.0 == name).unwrap().1;
        assert_eq!([value("F_s"), value("F_d"), value("v_s"), value("gamma")], [0.75, 0.5, 1e-3, 2.0]);
        assert_eq!(value("sigma2"), 0.2);
        let text = suggestion.text();
        assert!(text.contains("set canudas1995") && !text.contains("yours to give"), "{text}");
        let heavy = SuggestedValue { force: 100.0, deflection: 1e-3, mass: None, damping: 1.0 };
        assert!(suggest(LawKind::LuGre, &heavy).unwrap().text().contains("set pennestri2016_lugre"));
    }

    #[test]
    fn every_bristle_law_gets_a_law_without_fault() {
        let estimate = SuggestedValue { force: 5.0, deflection: 1e-6, mass: Some(2.0), damping: 0.5 };
        let mut served = Vec::new();
        for law in LawKind::ALL {
            let Ok(suggestion) = suggest(*law, &estimate) else { continue };
            let card = law.card();
            let mut numbers = card.defaults();
            for (name, value, _) in &suggestion.values {
                let is_called = |f: &bristle_core::Field| match f.kind {
                    Kind::Number { force, .. } => f.name == *name || force == Some(*name),
                    _ => false,
                };
                let place = card.numbers().position(is_called).unwrap();
                numbers[place] = *value;
            }
            assert_eq!(law.build(&numbers, &[Default::default()]).fault(), None, "{}", card.name);
            served.push(card.name);
        }
        for name in ["frdyn2", "dahl", "lugre", "elasto_plastic", "gonthier", "simpack_like", "lugre_dwell"] {
            assert!(served.contains(&name), "{name}");
        }
        assert!(suggest(LawKind::Coulomb, &estimate).is_err());
    }
}
