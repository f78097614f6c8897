//! Parameters by path, as studies name them.

use crate::error::RunError;
use crate::scenario::{Problem, Scenario, Study};
use bristle_core::{Kind, nearest, units};

/// Keys of a study that name a parameter, with the keys of its first and last value.
const RANGES: [[&str; 3]; 3] =
    [["parameter", "from", "to"], ["x", "x_from", "x_to"], ["y", "y_from", "y_to"]];

/// A parameter that can be varied.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Index among the parameters.
    pub index: usize,
    /// Path, such as `belt.v`.
    pub path: String,
    /// SI unit.
    pub unit: String,
    /// Letter in the equations.
    pub symbol: String,
}

impl Place {
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

/// Every parameter under every name a scenario may use for it: levels of laws stated in forces also under the
/// name of the force.
fn all(scenario: &Scenario) -> Vec<Place> {
    let system = &scenario.system;
    let mut places: Vec<Place> = Vec::new();
    for (index, param) in system.param_cards().iter().enumerate() {
        let place = |path: String, unit: &str| Place {
            index,
            path,
            unit: unit.to_owned(),
            symbol: param.symbol.to_owned(),
        };
        let owner = system.contacts().iter().find_map(|contact| {
            let name = param.path.strip_prefix(&contact.name)?.strip_prefix(".law.")?;
            let card = contact.kind.card();
            let field = card.numbers().find(|f| f.name == name)?;
            let Kind::Number { force, .. } = field.kind else { return None };
            Some((contact, force?))
        });
        let in_forces = owner.filter(|(contact, _)| {
            let of_contact = |(name, spec): &&(String, bristle_mech::Spec)| {
                *name == contact.name && spec.table("law").is_some_and(|law| law.as_forces)
            };
            scenario.parts.iter().any(|part| of_contact(&part))
        });
        match in_forces {
            Some((contact, force)) => {
                let mut named = place(format!("{}.law.{force}", contact.name), "N");
                named.symbol = force.to_owned();
                places.push(named);
                places.push(place(param.path.clone(), "N"));
            }
            None => places.push(place(param.path.clone(), param.unit)),
        }
    }
    places
}

/// The parameter of that path.
pub fn place(scenario: &Scenario, path: &str) -> Option<Place> {
    all(scenario).into_iter().find(|p| p.path == path)
}

/// A quantity of a study that is measured in the unit of a parameter.
pub(crate) fn quantity(study: &Study, key: &str, place: &Place) -> Result<f64, RunError> {
    let missing = || RunError::NoSuchParameter { path: place.path.clone() };
    let text = study.spec.named(key).first().ok_or_else(missing)?;
    units::parse(text, &place.unit).map_err(|_| missing())
}

/// What is wrong with the parameters a study names: problem, key, way out.
pub(crate) fn check(scenario: &Scenario, study: &Study) -> Option<(Problem, &'static str, Option<String>)> {
    for [key, from, to] in RANGES {
        let Some(path) = study.spec.named(key).first() else { continue };
        let places = all(scenario);
        let Some(found) = places.iter().find(|p| p.path == *path) else {
            let hint = nearest(path, places.iter().map(|p| p.path.as_str()))
                .map(|n| format!("did you mean `{n}`?"))
                .or_else(|| {
                    let list: Vec<_> = places.iter().map(|p| format!("`{}`", p.path)).collect();
                    Some(format!("there are {}", list.join(", ")))
                });
            return Some((Problem::NoSuchName { what: "parameter", name: path.clone() }, key, hint));
        };
        let param = &scenario.system.param_cards()[found.index];
        let mut ends = [f64::NAN; 2];
        for (slot, key) in [from, to].into_iter().enumerate() {
            let Some(text) = study.spec.named(key).first() else { continue };
            match units::parse(text, &found.unit) {
                Err(source) => return Some((Problem::Unit { key: key.to_owned(), source }, key, None)),
                Ok(value) if value < param.min || value > param.max => {
                    let range = format!("from {} to {} {}", param.min, param.max, found.unit);
                    let problem = Problem::Range { key: key.to_owned(), value: text.clone(), range };
                    return Some((problem, key, None));
                }
                Ok(value) => ends[slot] = value,
            }
        }
        if ends[0] == ends[1] {
            let reason = format!("`{from}` and `{to}` are the same");
            return Some((Problem::Study { study: study.name.clone(), reason }, to, None));
        }
    }
    let system = &scenario.system;
    let names: Vec<String> = {
        use bristle_solve::Dynamics;
        (0..system.dim() - system.quadratures()).map(|i| system.state_name(i)).collect()
    };
    let section = study.spec.named("section").first()?;
    if names.contains(section) {
        return None;
    }
    let hint = nearest(section, names.iter().map(String::as_str)).map(|n| format!("did you mean `{n}`?"));
    Some((Problem::NoSuchName { what: "state", name: section.clone() }, "section", hint))
}
