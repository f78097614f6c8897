//! What is known of each contact of a run: its limit, its spring, whether it sticks, and what its law says of creep.

use super::column;
use super::motion::{ContactRun, RunMotion};
use super::verdict::{Finding, judge};
use crate::levels::levels;
use crate::scenario::Scenario;
use bristle_certify::bench::LawBench;
use bristle_certify::probes::hold::predicted;
use bristle_core::StateRole;
use bristle_law::{At, LawKind};
use bristle_mech::{PartKind, Spec};
use bristle_record::{Data, Fact};

/// The verdict on every contact, and why the run cannot be trusted, if so.
pub(super) fn facts(scenario: &Scenario, data: &Data) -> (Vec<Fact>, Option<String>) {
    let system = &scenario.system;
    let planar = system.planar_contacts().iter().map(|c| c.name.as_str());
    // Gears with losses, freewheels and stops rub under no law.
    let rubbed = system.contacts().iter().filter(|c| c.has_law()).map(|c| c.name.as_str());
    let found: Vec<(&str, Finding)> =
        rubbed.chain(planar).map(|contact| (contact, finding(scenario, data, contact))).collect();
    let failure = found.iter().find_map(|(contact, finding)| finding.failure(contact));
    let fact =
        |(contact, finding): &(&str, Finding)| opened(data, contact).unwrap_or_else(|| finding.fact(contact));
    (found.iter().map(fact).collect(), failure)
}

/// What is said of a contact that nothing presses on at the end, whatever moves beside it.
fn opened(data: &Data, contact: &str) -> Option<Fact> {
    let (t, mode) = (column(data, "time"), column(data, &format!("{contact}.mode")));
    let is_open = |mode: &f64| *mode == 2.0;
    mode.last().filter(|mode| is_open(mode))?;
    let since = mode.iter().rposition(|mode| !is_open(mode)).map_or(0.0, |i| t[(i + 1).min(t.len() - 1)]);
    let mut fact = Fact::new(format!("contact `{contact}`"), "open: nothing presses on it".to_owned());
    fact.note = format!("open since {since:.4} s");
    Some(fact)
}

fn finding(scenario: &Scenario, data: &Data, contact: &str) -> Finding {
    let quantity = |name: &str| column(data, &format!("{contact}.{name}"));
    let load = quantity("load");
    let part = scenario.parts.iter().find(|(name, _)| name == contact).map(|(_, spec)| spec);
    let law = part.and_then(|spec| spec.table("law"));
    let known = law.and_then(|law| Some((law, LawKind::named(&law.kind)?)));
    let mut limit = known.map_or_else(Vec::new, |(law, kind)| limits(law, kind, load, &quantity));
    let friction = part.and_then(|part| friction(part, &quantity, &mut limit));
    let sticks = known.map_or_else(Vec::new, |(law, kind)| sticks(law, kind, quantity("mode")));
    let most = load.iter().copied().fold(0.0, f64::max);
    let run = ContactRun {
        t: column(data, "time"),
        v: quantity("slip_rate"),
        slip: quantity("slip"),
        force: friction.as_deref().unwrap_or_else(|| quantity("force")),
        limit: &limit,
        sticks: &sticks,
        elastic: known.map_or(0.0, |(law, kind)| deflection(law, kind, most)),
    };
    let motion: Option<RunMotion> = run.motion();
    let mean = load[load.len() - load.len() / 4..].iter().sum::<f64>() / (load.len() / 4).max(1) as f64;
    let creep = |force: f64| law.map_or(0.0, |law| creep(law, mean, force));
    judge(motion.as_ref(), &creep)
}

/// The force of the law alone, without what the contact has beside it, where it has such; limits then are those of the direction.
fn friction<'a>(part: &Spec, quantity: &dyn Fn(&str) -> &'a [f64], limit: &mut [f64]) -> Option<Vec<f64>> {
    let card = PartKind::Contact.card();
    let number = |name: &str| {
        let place = card.numbers().position(|f| f.name == name).filter(|_| part.kind == card.name)?;
        part.numbers.get(place).copied().filter(|x| x.is_finite())
    };
    let [backward, offset, forth, back] = ["backward", "offset", "viscous", "viscous_backward"].map(number);
    if [backward, offset, forth, back].iter().all(Option::is_none) {
        return None;
    }
    let drag = |v: f64| if v < 0.0 { back.or(forth) } else { forth }.unwrap_or(0.0) * v;
    let rest = |(f, v): (&f64, &f64)| f - offset.unwrap_or(0.0) - drag(*v);
    let force: Vec<f64> = quantity("force").iter().zip(quantity("slip_rate")).map(rest).collect();
    for (limit, _) in limit.iter_mut().zip(&force).filter(|(_, force)| **force < 0.0) {
        *limit *= backward.unwrap_or(1.0);
    }
    Some(force)
}

/// The largest force borne at rest at every sample; nothing where the law does not say.
fn limits<'a>(law: &Spec, kind: LawKind, load: &[f64], quantity: &dyn Fn(&str) -> &'a [f64]) -> Vec<f64> {
    let built = kind.build(&law.numbers, &law.choices);
    let states: Vec<&[f64]> = kind.card().states.iter().map(|s| quantity(s.name)).collect();
    let at = |i: usize, n: f64| {
        let z: Vec<f64> = states.iter().map(|s| s.get(i).copied().unwrap_or(0.0)).collect();
        built
            .limit(&At::sliding(0.0, n), &z)
            .or_else(|| levels(law, n).map(|(kinetic, peak)| kinetic.max(peak)))
    };
    load.iter().enumerate().map_while(|(i, n)| at(i, *n)).collect()
}

/// Whether a set-valued contact sticks at every sample. One that coasts in its dead band moves while its mode says stick.
fn sticks(law: &Spec, kind: LawKind, mode: &[f64]) -> Vec<bool> {
    let built = kind.build(&law.numbers, &law.choices);
    let is_set_valued = built.limit(&At::sliding(0.0, 1.0), &vec![0.0; kind.states()]).is_some();
    if is_set_valued && !built.coasts() { mode.iter().map(|m| *m == 0.0).collect() } else { Vec::new() }
}

/// The deflection at which the law's spring bears its limit, m; zero for a law without.
fn deflection(law: &Spec, kind: LawKind, load: f64) -> f64 {
    let mut scales = vec![0.0; kind.states()];
    kind.build(&law.numbers, &law.choices).scales(load, &mut scales);
    let states = kind.card().states;
    scales
        .iter()
        .zip(states)
        .filter(|(_, state)| state.role == StateRole::Deflection)
        .map(|(scale, _)| *scale)
        .fold(0.0, f64::max)
}

/// The slip rate at which the law's own steady curve bears a force, m/s; zero where it bears it at rest or cannot be asked.
fn creep(law: &Spec, load: f64, force: f64) -> f64 {
    let load = if law.as_forces { f64::NAN } else { load };
    let bench = LawBench { law: law.clone(), load, mass: 1.0, stiffness: 0.0, loose: 1.0, stop: None };
    predicted(&bench, force).ok().filter(|v| v.is_finite()).unwrap_or(0.0)
}
