//! Parameters by path, as studies name them.

use crate::error::RunError;
use crate::scenario::{Scenario, Study};
use bristle_core::units::short;
use bristle_core::{Kind, nearest, units};
use bristle_scenario::range;
use bristle_scenario::{ChangeError, Problem};
use bristle_solve::Dynamics;

/// Keys of a study that name a parameter, with the keys of its first and last value.
const RANGES: [[&str; 3]; 3] =
    [["parameter", "from", "to"], ["x", "x_from", "x_to"], ["y", "y_from", "y_to"]];

/// A parameter that can be varied.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamPlace {
    /// Index among the parameters.
    pub index: usize,
    /// Path, such as `belt.v`.
    pub path: String,
    /// SI unit.
    pub unit: String,
    /// Letter in the equations.
    pub symbol: String,
}

impl ParamPlace {
    /// Label of an axis.
    pub fn label(&self) -> String {
        let last = self.path.rsplit('.').next().unwrap_or_default();
        if self.symbol.is_empty() || self.symbol == last {
            format!("`{}`", self.path)
        } else {
            format!("`{}` ${}$", self.path, self.symbol)
        }
    }
}

/// Every parameter of the system under every name a scenario may use for it: friction stated in forces also under the
/// name of the force.
fn all(scenario: &Scenario) -> Vec<ParamPlace> {
    let system = &scenario.system;
    let mut places: Vec<ParamPlace> = Vec::new();
    for (index, param) in system.param_cards().iter().enumerate() {
        // What was left out is nothing that anything depends on.
        if system.params()[index].is_nan() {
            continue;
        }
        let as_force = scenario.laws_in_use().find_map(|(part, kind, law)| {
            let name = param.path.strip_prefix(part)?.strip_prefix(".law.")?;
            let Kind::Number { force, .. } = kind.card().field(name)?.kind else { return None };
            force.filter(|_| law.as_forces).map(|force| (format!("{part}.law.{force}"), force))
        });
        let unit = if as_force.is_some() { "N" } else { param.unit };
        let names = as_force.into_iter().chain([(param.path.clone(), param.symbol)]);
        places.extend(names.map(|(path, symbol)| ParamPlace {
            index,
            path,
            unit: unit.to_owned(),
            symbol: symbol.to_owned(),
        }));
    }
    places
}

/// The parameter of that path.
pub fn place(scenario: &Scenario, path: &str) -> Option<ParamPlace> {
    all(scenario).into_iter().find(|p| p.path == path)
}

/// A quantity of a study that is measured in the unit of a parameter.
pub(crate) fn quantity(study: &Study, key: &str, place: &ParamPlace) -> Result<f64, RunError> {
    let missing = || RunError::Change(ChangeError::NoSuchParameter { path: place.path.clone(), near: None });
    let text = study.spec.named(key).first().ok_or_else(missing)?;
    units::parse(text, &place.unit).map_err(|_| missing())
}

/// Problem, key, way out.
type PlaceProblem = (Problem, &'static str, String);

/// What is wrong with what a study names. Names of parts that could not be read are not looked for.
pub(crate) fn check(scenario: &Scenario, study: &Study, failed: &[String]) -> Vec<PlaceProblem> {
    let mut found = Vec::new();
    let of_failed = |path: &str| failed.iter().any(|part| path.split('.').next() == Some(part));
    let places = all(scenario);
    let mut ranges = Vec::new();
    for keys in RANGES {
        let Some(path) = study.spec.named(keys[0]).first() else { continue };
        match places.iter().find(|p| p.path == *path) {
            Some(place) => match ends(scenario, study, keys, place) {
                Ok(Some(ends)) => ranges.push((place, ends)),
                Ok(None) => {}
                Err(list) => found.extend(list),
            },
            None if of_failed(path) => {}
            None => {
                let names = places.iter().map(|p| p.path.as_str());
                let hint = if scenario.system.param(path).is_some() {
                    "it is left out there, so that nothing depends on it: give it a value to begin with"
                        .to_owned()
                } else {
                    near(path, names, "parameters")
                };
                found.push((Problem::NoSuchName { what: "parameter", name: path.clone() }, keys[0], hint));
            }
        }
    }
    if let ([(a, _), (b, _)], None) = (&ranges[..], found.first())
        && a.index == b.index
    {
        let reason = format!("`x` and `y` are both `{}`", a.path);
        let problem = Problem::Study { study: study.name.clone(), reason };
        found.push((problem, "y", "name two different parameters".to_owned()));
    }
    if found.is_empty() && failed.is_empty() {
        found.extend(forbidden(scenario, study, &ranges));
    }
    if let Some(section) = study.spec.named("section").first() {
        let system = &scenario.system;
        let names: Vec<String> =
            (0..system.dim() - system.quadratures()).map(|i| system.state_name(i)).collect();
        if !names.contains(section) && !of_failed(section) {
            let hint = near(section, names.iter().map(String::as_str), "states");
            found.push((Problem::NoSuchName { what: "state", name: section.clone() }, "section", hint));
        }
    }
    if let (Some(contact), "stages") = (study.spec.named("contact").first(), study.kind.card().name) {
        let names: Vec<&str> = scenario.system.contacts().iter().map(|c| c.name.as_str()).collect();
        if !names.contains(&contact.as_str()) && !of_failed(contact) {
            let hint = near(contact, names.iter().copied(), "contacts");
            found.push((Problem::NoSuchName { what: "contact", name: contact.clone() }, "contact", hint));
        }
    }
    if let (Some(output), "spectrum") = (study.spec.named("output").first(), study.kind.card().name) {
        let names: Vec<String> = scenario.system.channels().into_iter().map(|c| c.name).collect();
        if !names.contains(output) && !of_failed(output) {
            let hint = near(output, names.iter().map(String::as_str), "outputs");
            found.push((Problem::NoSuchName { what: "output", name: output.clone() }, "output", hint));
        }
    }
    found
}

/// The name that may have been meant, or all there are.
fn near<'a>(word: &str, names: impl Iterator<Item = &'a str> + Clone, what: &str) -> String {
    nearest(word, names.clone()).map_or_else(
        || {
            let list: Vec<_> = names.map(|n| format!("`{n}`")).collect();
            if list.is_empty() {
                format!("there are no {what}")
            } else {
                format!("there are {}", list.join(", "))
            }
        },
        |n| format!("did you mean `{n}`?"),
    )
}

/// The first and the last value of a parameter's range, if both are given.
fn ends(
    scenario: &Scenario,
    study: &Study,
    [_, from, to]: [&'static str; 3],
    place: &ParamPlace,
) -> Result<Option<[f64; 2]>, Vec<PlaceProblem>> {
    let param = &scenario.system.param_cards()[place.index];
    // Friction given as a force is not bounded as its coefficient is.
    let is_force = place.unit != param.unit;
    let max = if is_force { f64::INFINITY } else { param.max };
    let min = if is_force && param.min < 0.0 { f64::NEG_INFINITY } else { param.min };
    let (mut found, mut ends) = (Vec::new(), [f64::NAN; 2]);
    for (slot, key) in [from, to].into_iter().enumerate() {
        let Some(text) = study.spec.named(key).first() else {
            let owner = format!("study `{}`", study.kind.card().name);
            let hint = format!("give the first and the last value of `{}`", place.path);
            found.push((Problem::MissingKey { owner, key: key.to_owned() }, "kind", hint));
            continue;
        };
        match units::parse(text, &place.unit) {
            Err(source) => {
                let hint = range::unit_hint(&source, &place.unit);
                found.push((Problem::Unit { key: key.to_owned(), source }, key, hint));
            }
            Ok(value) => {
                ends[slot] = value;
                if let Some(outside) = range::outside(value, [min, max], false, &place.unit) {
                    let hint = format!("it is a value of `{}`", place.path);
                    found.push((outside.problem(key, text.clone()), key, hint));
                }
            }
        }
    }
    if ends[0] == ends[1] {
        let reason = format!("`{from}` and `{to}` are the same");
        let problem = Problem::Study { study: study.name.clone(), reason };
        found.push((problem, to, "give two different values".to_owned()));
    }
    if found.is_empty() { Ok(Some(ends)) } else { Err(found) }
}

/// Values between the ends of a range at which laws are asked whether they can go with them.
const PROBES: usize = 32;

/// Values of the parameters that a law does not allow.
fn forbidden(scenario: &Scenario, study: &Study, ranges: &[(&ParamPlace, [f64; 2])]) -> Option<PlaceProblem> {
    let value = |[from, to]: [f64; 2], k: usize| from + (to - from) * k as f64 / PROBES as f64;
    let mut p = scenario.system.params().to_vec();
    let (first, second) = (ranges.first()?, ranges.get(1));
    for i in 0..=PROBES {
        p[first.0.index] = value(first.1, i);
        for j in 0..=second.map_or(0, |_| PROBES) {
            if let Some(second) = second {
                p[second.0.index] = value(second.1, j);
            }
            let Some(source) = scenario.system.fault(&p) else { continue };
            let say = |(place, _): &(&ParamPlace, [f64; 2])| {
                let unit = if place.unit == "1" { String::new() } else { format!(" {}", place.unit) };
                format!("`{}` = {}{unit}", place.path, short(p[place.index]))
            };
            let values = ranges.iter().map(say).collect::<Vec<_>>().join(" and ");
            let problem = Problem::Law { study: study.name.clone(), values, source };
            let key = if second.is_some() { "x" } else { "parameter" };
            return Some((problem, key, "narrow the range, or change the law's other parameters".to_owned()));
        }
    }
    None
}
