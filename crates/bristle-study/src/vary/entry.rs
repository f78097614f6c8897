//! What a parameter may be, as a scenario writes it.
//!
//! ```text
//! belt.v = 0.2 m/s : 0.6 m/s : 41          even steps; `: log` behind it for steps of one ratio
//! tie.k = [8 N/m, 10 N/m, 12 N/m]          these values
//! belt.v = 0.2 : 0.6 m/s                   anything in between, all alike
//! pad.law.mu_s = normal(0.6, 0.05)         also lognormal(median, s), uniform(a, b), loguniform(a, b), triangular(a, mode, b)
//! ```

use crate::scenario::Scenario;
use bristle_core::units::{self, UnitError};
use bristle_scenario::change::{self, Allowed};
use bristle_scenario::range::{self, outside};
use bristle_scenario::{ChangeError, Problem};
use bristle_vary::Marginal;

/// Steps of a range that does not say how many.
const STEPS: usize = 11;

/// Most steps of a range.
const MOST_STEPS: f64 = 1e7;

/// A parameter that varies.
#[derive(Clone, Debug, PartialEq)]
pub struct Varied {
    /// Its path.
    pub path: String,
    /// Its SI unit.
    pub unit: String,
    /// What it may be.
    pub marginal: Marginal,
    /// Its value in the scenario.
    pub usual: f64,
    /// What its card allows.
    pub range: [f64; 2],
}

impl Varied {
    /// Label of an axis.
    pub fn label(&self) -> String {
        format!("`{}`", self.path)
    }
}

/// What is wrong with an entry, and a way out.
pub(crate) type EntryProblem = (Problem, String);

/// The forms an entry may have, for hints.
const FORMS: &str = "write `0.2 : 0.6 : 41`, `[0.2, 0.4]`, `uniform(0.2, 0.6)`, `normal(0.4, 0.05)`, `lognormal(0.4, 0.1)` or `triangular(0.2, 0.4, 0.6)`, with units where there are any";

pub(crate) fn wrong(study: &str, reason: impl Into<String>) -> Problem {
    Problem::Study { study: study.to_owned(), reason: reason.into() }
}

/// Path and values of an entry.
pub(crate) fn split<'a>(study: &str, entry: &'a str) -> Result<(&'a str, &'a str), EntryProblem> {
    let missing =
        || (wrong(study, format!("`{entry}` does not say what a parameter may be")), FORMS.to_owned());
    let (path, values) = entry.split_once('=').ok_or_else(missing)?;
    let (path, values) = (path.trim(), values.trim());
    if path.is_empty() || values.is_empty() { Err(missing()) } else { Ok((path, values)) }
}

/// Reads an entry. A range without a number of steps has eleven where `is_stepped`, and is anything in between elsewhere.
pub(crate) fn read(
    scenario: &Scenario,
    study: &str,
    entry: &str,
    is_stepped: bool,
) -> Result<Varied, EntryProblem> {
    let (path, values) = split(study, entry)?;
    let allowed = find(scenario, path)?;
    let marginal = marginal(study, path, values, &allowed, is_stepped)?;
    marginal.check().map_err(|e| (wrong(study, format!("`{entry}`: {e}")), FORMS.to_owned()))?;
    let [low, high] = marginal.support();
    for value in [low, high].into_iter().filter(|v| v.is_finite()) {
        judge(path, value, &allowed)?;
    }
    Ok(Varied {
        path: path.to_owned(),
        unit: allowed.unit,
        marginal,
        usual: allowed.value,
        range: allowed.range,
    })
}

/// What a parameter may be.
pub(crate) fn find(scenario: &Scenario, path: &str) -> Result<Allowed, EntryProblem> {
    change::allowed(&scenario.parts, path).map_err(|error| {
        let ChangeError::NoSuchParameter { path, near } = error else {
            return (Problem::NoSuchName { what: "parameter", name: path.to_owned() }, String::new());
        };
        let hint = near.map_or_else(
            || "`bristle check` lists the parts, `bristle show PART` their parameters".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        (Problem::NoSuchName { what: "parameter", name: path }, hint)
    })
}

/// Refuses a value outside the card.
fn judge(path: &str, value: f64, allowed: &Allowed) -> Result<(), EntryProblem> {
    let Some(outside) = outside(value, allowed.range, allowed.whole, &allowed.unit) else { return Ok(()) };
    let unit = if allowed.unit == "1" { String::new() } else { format!(" {}", allowed.unit) };
    let written = format!("{}{unit}", units::short(value));
    Err((outside.problem(path, written), format!("narrow what `{path}` may be")))
}

fn marginal(
    study: &str,
    path: &str,
    text: &str,
    allowed: &Allowed,
    is_stepped: bool,
) -> Result<Marginal, EntryProblem> {
    let unit = allowed.unit.as_str();
    let malformed =
        || (wrong(study, format!("`{path} = {text}` is no range, list or distribution")), FORMS.to_owned());
    let numbers = |texts: &[&str]| quantities(path, texts, unit);
    if let Some(inside) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
        let texts: Vec<&str> = inside.split(',').map(str::trim).filter(|t| !t.is_empty()).collect();
        return Ok(Marginal::Levels(numbers(&texts)?));
    }
    if let Some((name, rest)) = distribution(text) {
        let inside = rest.strip_suffix(')').ok_or_else(malformed)?;
        let texts: Vec<&str> = inside.split(',').map(str::trim).collect();
        return match (name.trim(), texts.len()) {
            ("uniform", 2) => numbers(&texts).map(|n| Marginal::Uniform { low: n[0], high: n[1] }),
            ("loguniform", 2) => numbers(&texts).map(|n| Marginal::LogUniform { low: n[0], high: n[1] }),
            ("normal", 2) => {
                // A spread may also be said as a share of the mean.
                let share = texts[1].strip_suffix('%').and_then(|s| s.trim().parse::<f64>().ok());
                match share {
                    Some(share) => numbers(&texts[..1])
                        .map(|n| Marginal::Normal { mean: n[0], deviation: share / 100.0 * n[0].abs() }),
                    None => numbers(&texts).map(|n| Marginal::Normal { mean: n[0], deviation: n[1] }),
                }
            }
            ("lognormal", 2) => {
                let median = numbers(&texts[..1])?[0];
                let deviation = quantities(path, &texts[1..], "1")?[0];
                Ok(Marginal::LogNormal { median, deviation })
            }
            ("triangular", 3) => {
                numbers(&texts).map(|n| Marginal::Triangular { low: n[0], mode: n[1], high: n[2] })
            }
            _ => Err(malformed()),
        };
    }
    let texts: Vec<&str> = text.split(':').map(str::trim).collect();
    let (texts, is_log) = match texts.split_last() {
        Some((&"log", rest)) => (rest, true),
        _ => (&texts[..], false),
    };
    let ends = |texts: &[&str]| numbers(texts).map(|n| [n[0], n[1]]);
    match texts {
        [_] if !is_log => Ok(Marginal::Levels(numbers(texts)?)),
        [_, _] if !is_stepped => {
            let [low, high] = ends(texts)?;
            Ok(if is_log { Marginal::LogUniform { low, high } } else { Marginal::Uniform { low, high } })
        }
        [from, to, rest @ ..] if rest.len() <= 1 => {
            let [from, to] = ends(&[from, to])?;
            let count = rest.first().map_or(Some(STEPS as f64), |n| n.parse::<f64>().ok());
            let count = count.filter(|n| (1.0..=MOST_STEPS).contains(n) && n.fract() == 0.0);
            let count = count.ok_or_else(|| {
                let reason = format!("`{}` steps: a whole number from 1 to {MOST_STEPS:e} is meant", rest[0]);
                (wrong(study, reason), FORMS.to_owned())
            })? as usize;
            if is_log && !(from > 0.0 && to > 0.0) {
                let reason = format!("`{path} = {text}`: steps of one ratio need positive ends");
                return Err((wrong(study, reason), "leave `: log` out".to_owned()));
            }
            Ok(if is_log { Marginal::log_range(from, to, count) } else { Marginal::range(from, to, count) })
        }
        _ => Err(malformed()),
    }
}

/// Name and arguments of a distribution. Parentheses of a unit, `8 N/(m s)`, begin none.
fn distribution(text: &str) -> Option<(&str, &str)> {
    text.split_once('(').filter(|(name, _)| name.trim().chars().all(|c| c.is_ascii_alphabetic()))
}

/// Quantities; one without a unit has that of the others beside it.
fn quantities(path: &str, texts: &[&str], unit: &str) -> Result<Vec<f64>, EntryProblem> {
    let beside = texts.iter().rev().find_map(|text| written_unit(text));
    let one = |text: &&str| {
        let read = match (units::parse(text, unit), &beside) {
            (Err(UnitError::Missing { .. }), Some(beside)) => units::parse(&format!("{text} {beside}"), unit),
            (read, _) => read,
        };
        read.map_err(|source| {
            let hint = range::unit_hint(&source, unit);
            (Problem::Unit { key: path.to_owned(), source }, hint)
        })
    };
    texts.iter().map(one).collect()
}

/// The unit behind a number, if there is one.
fn written_unit(text: &str) -> Option<&str> {
    let text = text.trim();
    let ends = text.char_indices().map(|(i, _)| i).skip(1).chain([text.len()]);
    let end = ends.filter(|&i| text[..i].trim().parse::<f64>().is_ok()).last()?;
    Some(text[end..].trim()).filter(|unit| !unit.is_empty())
}

/// An entry of a command line as a scenario has it: bare numbers are in SI units there.
pub fn with_units(scenario: &Scenario, entry: &str) -> String {
    let Ok((path, values)) = split("", entry) else { return entry.to_owned() };
    let Ok(allowed) = change::allowed(&scenario.parts, path) else { return entry.to_owned() };
    let open = distribution(values).map_or(0, |(name, _)| name.len() + 1);
    let numbers = values[open..].trim_matches(|c| "[]()".contains(c));
    let pieces: Vec<&str> = numbers.split([',', ':']).map(str::trim).collect();
    if allowed.unit == "1" || pieces.iter().any(|piece| piece.parse::<f64>().is_err() && *piece != "log") {
        return entry.to_owned();
    }
    // The first number carries the unit for all.
    let first = pieces.first().copied().unwrap_or_default();
    match values[open..].find(first) {
        Some(at) if !first.is_empty() => {
            let end = open + at + first.len();
            format!("{path} = {} {}{}", &values[..end], allowed.unit, &values[end..])
        }
        _ => entry.to_owned(),
    }
}

/// One changed number of a command line, `path=value`, in SI units where it has none.
///
/// # Errors
/// What is wrong with it, and a way out.
pub fn change(scenario: &Scenario, entry: &str) -> Result<(String, f64), (Problem, String)> {
    let entry = with_units(scenario, entry);
    let study = "--set";
    let (path, values) = split(study, &entry).map_err(|_| {
        (wrong(study, format!("`{entry}` is no change")), "write `--set path=value`".to_owned())
    })?;
    let allowed = find(scenario, path)?;
    let value = quantities(path, &[values], &allowed.unit)?[0];
    judge(path, value, &allowed)?;
    Ok((path.to_owned(), value))
}

#[cfg(test)]
mod entry_tests {
    use super::*;
    use std::path::Path;

    fn belt() -> Scenario {
        let text = include_str!("../../../../examples/belt.toml");
        Scenario::from_text(text, "belt.toml", Path::new(".")).unwrap()
    }

    #[test]
    fn every_form_is_read_in_its_units() {
        let scenario = belt();
        let marginal = |entry: &str| read(&scenario, "s", entry, false).map(|v| v.marginal).unwrap();
        assert_eq!(marginal("belt.v = 200 mm/s : 0.6 m/s : 3"), Marginal::range(0.2, 0.6, 3));
        assert_eq!(marginal("belt.v = 0.2 : 0.6 m/s"), Marginal::Uniform { low: 0.2, high: 0.6 });
        assert_eq!(marginal("tie.k = [8, 10 N/m]"), Marginal::Levels(vec![8.0, 10.0]));
        assert_eq!(marginal("tie.k = normal(10 N/m, 5 %)"), Marginal::Normal { mean: 10.0, deviation: 0.5 });
        assert_eq!(
            marginal("pad.law.F_s = lognormal(117 N, 0.1)"),
            Marginal::LogNormal { median: 117.0, deviation: 0.1 }
        );
        assert_eq!(marginal("tie.k = 1 N/m : 100 N/m : 3 : log"), Marginal::Levels(vec![1.0, 10.0, 100.0]));
        assert_eq!(with_units(&scenario, "belt.v=0.2:0.6:41"), "belt.v = 0.2 m/s:0.6:41");
        assert_eq!(with_units(&scenario, "tie.k=normal(10, 1)"), "tie.k = normal(10 N/m, 1)");
        assert_eq!(change(&scenario, "belt.v=0.3").unwrap(), ("belt.v".to_owned(), 0.3));
        assert_eq!(change(&scenario, "belt.v=30 cm/s").unwrap().1, 0.3);
    }

    #[test]
    fn what_is_wrong_is_said_with_a_way_out() {
        let scenario = belt();
        for (entry, reason, hint) in [
            ("belt.w = 1 m/s : 2 m/s", "there is no parameter called `belt.w`", "did you mean `belt.v`?"),
            ("tie.k = -5 N/m : 5 N/m", "`tie.k` is -5 N/m, but must be", "narrow"),
            ("tie.k = normal(10 N/m, -1 N/m)", "the standard deviation is -1, but must be positive", "write"),
            ("tie.k = 10 : 12", "`tie.k`: ", "N/m"),
            ("tie.k = gauss(1 N/m, 2 N/m)", "is no range, list or distribution", "write"),
            ("tie.k", "does not say", "write"),
            ("tie.k = 1 N/m : 2 N/m : 2.5", "`2.5` steps", "write"),
            ("tie.k = 2 N/m : 1 N/m", "the first must be below the second", "write"),
        ] {
            let (problem, way) = read(&scenario, "s", entry, false).unwrap_err();
            assert!(problem.to_string().contains(reason), "{entry}: {problem}");
            assert!(way.contains(hint), "{entry}: {way}");
        }
    }
}
