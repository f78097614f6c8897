//! What is to be found: as the study says, or every number of the law within what the record suggests.

use super::FitProblem;
use super::bench::FitBench;
use bristle_core::{Field, Kind, Role, nearest, units};
use bristle_fit::{Mount, Order, Rig, RigNumber, Unknown};
use bristle_law::LawKind;
use bristle_mech::Spec;

/// An unknown and its places among the numbers of a rig.
pub(super) struct Sought {
    pub unknown: Unknown,
    pub places: Vec<usize>,
}

/// What a record suggests of the size of things.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Largest force, per load where the law is stated in coefficients.
    pub force: f64,
    /// Largest speed.
    pub speed: f64,
    /// How far it went.
    pub travel: f64,
}

/// The unknowns of a study under a law.
pub(super) fn unknowns(
    entries: &[&Spec],
    bench: &FitBench,
    law: LawKind,
    spec: &Spec,
    rig: &Rig,
    sizes: Sizes,
) -> Result<Vec<Sought>, FitProblem> {
    let mut all: Vec<Sought> = Vec::new();
    let card = law.card();
    let fields: Vec<&Field> = card.numbers().collect();
    let setup = |reason: String| FitProblem::Setup { reason };
    let mut names_law = false;
    for entry in entries {
        let text = |key: &str| entry.named(key).first().map(String::as_str);
        let path = text("path").unwrap_or_default();
        let mut places = bench.places(path, law, rig);
        let Some(&place) = places.first() else {
            // A number that another law of the ranking has is none of this one.
            if path.starts_with(&format!("{}.", bench.contact))
                && LawKind::all().any(|other| !bench.places(path, other, rig).is_empty())
            {
                continue;
            }
            let own = fields.iter().map(|f| format!("{}.{}", bench.contact, name_of(f, spec)));
            let known: Vec<String> = own.chain(bench.paths().map(|(p, _, _)| p.to_owned())).collect();
            let near = nearest(path, known.iter().map(String::as_str));
            let hint = near.map_or(known.join(", "), |n| format!("did you mean `{n}`?"));
            return Err(setup(format!("there is no number `{path}` to find: {hint}")));
        };
        let field = fields.get(place).copied();
        names_law |= field.is_some();
        let unit = unit_of(field, spec, bench, path);
        let quantity = |key: &str| {
            let read = |text: &str| {
                units::parse(text, unit).map_err(|e| setup(format!("`{key}` of unknown `{path}`: {e}")))
            };
            text(key).map(read).transpose()
        };
        let value = rig.numbers[place];
        let suggested =
            field.map_or_else(|| beside(path, bench, value, sizes), |f| range(f, spec, sizes, value));
        let (from, to) = (quantity("from")?, quantity("to")?);
        let prior = quantity("value")?.zip(quantity("within")?);
        let around_prior = prior.map(|(value, within)| [value - 6.0 * within, value + 6.0 * within]);
        let [low, high] = match (from, to, around_prior.or(suggested)) {
            (Some(from), Some(to), _) => [from, to],
            (from, to, Some([low, high])) => [from.unwrap_or(low), to.unwrap_or(high)],
            _ => return Err(setup(format!("unknown `{path}` needs `from` and `to`"))),
        };
        let mut unknown = Unknown::new(path, unit, low, high);
        unknown.symbol = field.map_or(unknown.symbol, |f| f.symbol.to_owned());
        unknown.start = quantity("start")?;
        unknown.prior = prior.map(|(value, within)| [value, within]);
        for other in entry.named("with") {
            let more = bench.places(other, law, rig);
            if more.is_empty() {
                return Err(setup(format!("there is no number `{other}`")));
            }
            places.extend(more);
        }
        all.push(Sought { unknown, places });
    }
    if !names_law {
        all.extend(of_law(&fields, bench, spec, sizes));
    }
    complete_shares(&mut all, &fields, bench, spec);
    tie_static(&mut all, &fields, bench, law);
    put_in_order(&mut all, &fields, rig);
    Ok(all)
}

/// What a scenario calls a number of a law.
pub(super) fn name_of(field: &Field, spec: &Spec) -> &'static str {
    match field.kind {
        Kind::Number { force: Some(force), .. } if spec.as_forces => force,
        _ => field.name,
    }
}

fn unit_of(field: Option<&Field>, spec: &Spec, bench: &FitBench, path: &str) -> &'static str {
    if let Some(field) = field {
        return match field.kind {
            Kind::Number { force: Some(_), .. } if spec.as_forces => "N",
            Kind::Number { unit, .. } => unit,
            _ => "1",
        };
    }
    if let Some(unit) = [(".inertia", "kg m^2"), (".angle", "rad"), (".speed", "rad/s")]
        .into_iter()
        .find_map(|(end, unit)| path.ends_with(end).then_some(unit))
    {
        return unit;
    }
    match bench.paths().find(|(p, _, _)| *p == path).map(|(_, number, _)| number) {
        Some(RigNumber::Offset) => "N",
        Some(RigNumber::Viscous | RigNumber::ViscousBackward | RigNumber::RateGain) => "N s/m",
        Some(RigNumber::Gain) => "N/m",
        Some(RigNumber::IntegralGain) => "N/(m s)",
        Some(RigNumber::Mass | RigNumber::Inertia) => "kg",
        Some(RigNumber::Stiffness) => "N/m",
        Some(RigNumber::Damping) => "N s/m",
        Some(RigNumber::Load) => "N",
        Some(RigNumber::Place) => "m",
        Some(RigNumber::Speed | RigNumber::Belt | RigNumber::Before | RigNumber::After) => "m/s",
        Some(RigNumber::Instant) => "s",
        _ => "1",
    }
}

/// Where a number beside those of a law may be looked for.
fn beside(path: &str, bench: &FitBench, value: f64, sizes: Sizes) -> Option<[f64; 2]> {
    let Sizes { force, speed, .. } = sizes;
    match bench.paths().find(|(p, _, _)| *p == path).map(|(_, number, _)| number) {
        Some(RigNumber::Offset) => Some([-force, force]),
        Some(RigNumber::Viscous | RigNumber::ViscousBackward) => {
            Some([1e-4 * force / speed, 2.0 * force / speed])
        }
        Some(RigNumber::Backward) => Some([0.2, 5.0]),
        _ => around(value),
    }
}

/// Two decades around a positive number.
fn around(value: f64) -> Option<[f64; 2]> {
    (value > 0.0).then(|| [value / 10.0, value * 10.0])
}

/// Every number of a law that a record may tell of.
fn of_law(fields: &[&Field], bench: &FitBench, spec: &Spec, sizes: Sizes) -> Vec<Sought> {
    let mut all = Vec::new();
    for (place, field) in fields.iter().enumerate() {
        let is_fixed = matches!(
            field.role,
            Some(
                Role::StribeckExponent
                    | Role::ReferenceVelocity
                    | Role::RegularisationVelocity
                    | Role::RestVelocity
            )
        );
        let is_silent = field.role == Some(Role::BristleDamping) && spec.kind == "gms";
        if is_fixed || is_silent {
            continue;
        }
        if let Some([from, to]) = range(field, spec, sizes, spec.numbers[place]) {
            let unit = unit_of(Some(field), spec, bench, "");
            let mut unknown =
                Unknown::new(&format!("{}.law.{}", bench.contact, name_of(field, spec)), unit, from, to);
            unknown.symbol = field.symbol.to_owned();
            all.push(Sought { unknown, places: vec![place] });
        }
    }
    all
}

/// Where a number of a law may be looked for.
fn range(field: &Field, spec: &Spec, sizes: Sizes, value: f64) -> Option<[f64; 2]> {
    let Sizes { force, speed, travel } = sizes;
    let Kind::Number { min, max, .. } = field.kind else { return None };
    let wide = match field.role? {
        Role::StaticFriction | Role::KineticFriction | Role::ReferenceFriction => [force / 20.0, 2.0 * force],
        Role::StaticExcess => [1e-3 * force, force],
        Role::StribeckVelocity | Role::KineticVelocity => [speed / 3000.0, speed],
        Role::BristleStiffness => [force / travel, 1e5 * force / travel],
        Role::BristleDamping => [1e-4 * force / speed, 100.0 * force / speed],
        Role::ViscousCoefficient => [1e-4 * force / speed, 2.0 * force / speed],
        Role::ElasticDeflection | Role::SaturationDeflection | Role::PreslidingDistance => {
            [1e-5 * travel, travel]
        }
        Role::RenewalDistance => [1e-4 * travel, travel],
        Role::FrictionShare | Role::StiffnessShare => [0.02, 0.95],
        Role::DirectEffect | Role::EvolutionEffect => [1e-3 * force, 0.2 * force],
        Role::Shape if max / min.max(1e-300) <= 100.0 => [min, max],
        Role::Other if spec.kind == "gms" => [force, 1e4 * force],
        _ => return None,
    };
    // Stated beforehand, a number beyond what the record suggests is believed.
    let _ = value;
    let coefficient = matches!(field.kind, Kind::Number { force: Some(_), .. } if spec.as_forces);
    let most = if coefficient { f64::INFINITY } else { max };
    let [low, high] = [wide[0].max(min), wide[1].min(most)];
    (low < high && low.is_finite() && high.is_finite()).then_some([low, high])
}

/// Shares are found together, or not at all.
fn complete_shares(all: &mut Vec<Sought>, fields: &[&Field], bench: &FitBench, spec: &Spec) {
    for role in [Role::FrictionShare, Role::StiffnessShare] {
        let is_sought = |place: usize, all: &[Sought]| all.iter().any(|s| s.places.contains(&place));
        let places: Vec<usize> = (0..fields.len()).filter(|&i| fields[i].role == Some(role)).collect();
        let Some(model) = places.iter().find(|&&i| is_sought(i, all)) else { continue };
        let model = all.iter().find(|s| s.places.contains(model)).map(|s| [s.unknown.from, s.unknown.to]);
        for &place in places.iter().filter(|&&i| !is_sought(i, all)).collect::<Vec<_>>() {
            let [from, to] = model.unwrap_or([0.02, 0.95]);
            let name = format!("{}.law.{}", bench.contact, name_of(fields[place], spec));
            let mut unknown = Unknown::new(&name, "1", from, to);
            unknown.symbol = fields[place].symbol.to_owned();
            all.push(Sought { unknown, places: vec![place] });
        }
    }
}

/// Where motion is prescribed a contact that holds at rest shows nothing of its static level: it goes with the kinetic one.
fn tie_static(all: &mut [Sought], fields: &[&Field], bench: &FitBench, law: LawKind) {
    let place = |role: Role| fields.iter().position(|f| f.role == Some(role));
    let (Some(low), Some(high)) = (place(Role::KineticFriction), place(Role::StaticFriction)) else { return };
    let is_sought = all.iter().any(|s| s.places.contains(&high));
    if is_sought || bench.mount != Mount::Prescribed || !law.card().states.is_empty() || fields.len() > 2 {
        return;
    }
    all.iter_mut().filter(|s| s.places.contains(&low)).for_each(|s| s.places.push(high));
}

/// Orders of levels, and shares of wholes, by the roles of the numbers.
fn put_in_order(all: &mut [Sought], fields: &[&Field], rig: &Rig) {
    let role = |s: &Sought| s.places.first().and_then(|&p| fields.get(p)).and_then(|f| f.role);
    let kinetic = all.iter().position(|s| role(s) == Some(Role::KineticFriction));
    let known = fields.iter().position(|f| f.role == Some(Role::KineticFriction));
    for i in 0..all.len() {
        let order = match role(&all[i]) {
            Some(Role::StaticFriction) => match (kinetic, known) {
                (Some(base), _) => Order::Above(base),
                (None, Some(place)) if !all[i].places.contains(&place) => {
                    Order::AboveNumber(rig.numbers[place])
                }
                _ => Order::Free,
            },
            Some(Role::FrictionShare) => Order::Share(0),
            Some(Role::StiffnessShare) => Order::Share(1),
            _ => Order::Free,
        };
        all[i].unknown.order = order;
    }
}
