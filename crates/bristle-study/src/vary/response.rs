//! What is asked of every run.
//!
//! ```text
//! max(block.q)  min(…)  range(…)  peak(…)  mean(…)  rms(…)  settling(…)      of an output, also from 10 s to 20 s: rms(block.v, 10 s, 20 s)
//! end(energy.loss)  at(block.q, 5 s)                                          at one instant
//! slips(pad)  switches()                                                      how often
//! growth()  growth(guide.v, 5 mm/s, 200 mm/s)                                 of disturbances of steady motion, also the largest over a range
//! value(tie.k)                                                                a parameter itself
//! fact(run.last_period_at_pad)                                                anything another study tells
//! ```

use super::entry::{EntryProblem, find, wrong};
use crate::scenario::Scenario;
use crate::studies::StudyKind;
use bristle_core::nearest;
use bristle_core::units::{self, short};
use bristle_scenario::{Problem, range};

/// A reduction of an output over time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reduction {
    /// Largest value.
    Max,
    /// Smallest value.
    Min,
    /// Largest less smallest.
    Range,
    /// Largest size.
    Peak,
    /// Mean over time.
    Mean,
    /// Root of the mean square.
    Rms,
    /// When it enters two per cent of its way about its end value for good.
    Settling,
    /// Value at the end.
    End,
    /// Value at an instant, s.
    At(f64),
}

/// What is measured.
#[derive(Clone, Debug, PartialEq)]
pub enum ResponseMeasure {
    /// An output over time.
    Output {
        /// Its name.
        name: String,
        /// What is made of it.
        reduction: Reduction,
        /// From when to when, s; the whole run unless given.
        window: Option<[f64; 2]>,
    },
    /// How often a contact goes from rest to slip.
    Slips {
        /// The contact.
        contact: String,
        /// From when to when, s.
        window: Option<[f64; 2]>,
    },
    /// How often anything switches.
    Switches,
    /// A parameter.
    Value {
        /// Its path.
        path: String,
    },
    /// How fast disturbances of steady motion grow: the largest real part of its eigenvalues.
    Growth {
        /// A parameter with two ends, over which the largest is taken.
        over: Option<(String, [f64; 2])>,
    },
    /// A fact of another study.
    Fact {
        /// The study.
        study: String,
        /// The fact's identifier within it.
        id: String,
    },
}

/// A question to every run.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// What the table calls it.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// What is measured.
    pub measure: ResponseMeasure,
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventTest {
    /// `>`
    Above,
    /// `>=`
    AtLeast,
    /// `<`
    Below,
    /// `<=`
    AtMost,
}

/// Something that happens in a run or does not.
#[derive(Clone, Debug, PartialEq)]
pub struct RunEvent {
    /// What it is called.
    pub name: String,
    /// What is compared.
    pub response: Response,
    /// How.
    pub comparison: EventTest,
    /// With what, in SI.
    pub limit: f64,
}

impl RunEvent {
    /// Whether it happened.
    pub fn holds(&self, value: f64) -> bool {
        match self.comparison {
            EventTest::Above => value > self.limit,
            EventTest::AtLeast => value >= self.limit,
            EventTest::Below => value < self.limit,
            EventTest::AtMost => value <= self.limit,
        }
    }

    /// By how much it is missed, in units of its limit or of one.
    pub fn missed_by(&self, value: f64) -> f64 {
        let gap = match self.comparison {
            EventTest::Above | EventTest::AtLeast => self.limit - value,
            EventTest::Below | EventTest::AtMost => value - self.limit,
        };
        if self.holds(value) { 0.0 } else { gap.max(f64::MIN_POSITIVE) }
    }
}

/// The forms a response may have, for hints.
const FORMS: &str = "write `max(block.q)`, `rms(block.v, 10 s, 20 s)`, `end(energy.loss)`, `at(block.q, 5 s)`, `slips(pad)`, `growth()` or `fact(study.name)`";

/// A name before `=`, unless that belongs to a comparison.
fn named(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        Some((name, rest)) if !name.contains(['(', '<', '>']) => (Some(name.trim()), rest.trim()),
        _ => (None, text.trim()),
    }
}

/// Reads a response; `own` is the study that asks, which cannot ask itself.
pub(crate) fn read(scenario: &Scenario, own: &str, text: &str) -> Result<Response, EntryProblem> {
    let (name, expression) = named(text);
    let malformed =
        || (wrong(own, format!("`{text}` is nothing that can be asked of a run")), FORMS.to_owned());
    let (function, rest) = expression.split_once('(').ok_or_else(malformed)?;
    let inside = rest.trim_end().strip_suffix(')').ok_or_else(malformed)?;
    let arguments: Vec<&str> = inside.split(',').map(str::trim).filter(|a| !a.is_empty()).collect();
    let time = |text: &str| {
        units::parse(text, "s").map_err(|source| {
            let hint = range::unit_hint(&source, "s");
            (Problem::Unit { key: expression.to_owned(), source }, hint)
        })
    };
    let window = |rest: &[&str]| -> Result<Option<[f64; 2]>, EntryProblem> {
        match rest {
            [] => Ok(None),
            [from, to] => {
                let [from, to] = [time(from)?, time(to)?];
                if from < to {
                    return Ok(Some([from, to]));
                }
                let reason = format!("`{text}`: the first time must be before the second");
                Err((wrong(own, reason), FORMS.to_owned()))
            }
            _ => Err(malformed()),
        }
    };
    let plain = |reduction: Reduction| -> Result<(ResponseMeasure, String), EntryProblem> {
        let (output, rest) = arguments.split_first().ok_or_else(malformed)?;
        let unit = output_unit(scenario, output)?;
        let unit = if reduction == Reduction::Settling { "s".to_owned() } else { unit };
        Ok((ResponseMeasure::Output { name: (*output).to_owned(), reduction, window: window(rest)? }, unit))
    };
    let (measure, unit) = match function.trim() {
        "max" => plain(Reduction::Max)?,
        "min" => plain(Reduction::Min)?,
        "range" => plain(Reduction::Range)?,
        "peak" => plain(Reduction::Peak)?,
        "mean" => plain(Reduction::Mean)?,
        "rms" => plain(Reduction::Rms)?,
        "settling" => plain(Reduction::Settling)?,
        "end" => match arguments[..] {
            [output] => {
                let measure = ResponseMeasure::Output {
                    name: output.to_owned(),
                    reduction: Reduction::End,
                    window: None,
                };
                (measure, output_unit(scenario, output)?)
            }
            _ => return Err(malformed()),
        },
        "at" => match arguments[..] {
            [output, instant] => {
                let reduction = Reduction::At(time(instant)?);
                let measure = ResponseMeasure::Output { name: output.to_owned(), reduction, window: None };
                (measure, output_unit(scenario, output)?)
            }
            _ => return Err(malformed()),
        },
        "slips" => {
            let (contact, rest) = arguments.split_first().ok_or_else(malformed)?;
            let channels = scenario.model().channels();
            let contacts: Vec<&str> =
                channels.iter().filter_map(|c| c.name.strip_suffix(".slip_rate")).collect();
            if !contacts.contains(contact) {
                return Err(no_such("contact", contact, &contacts));
            }
            (ResponseMeasure::Slips { contact: (*contact).to_owned(), window: window(rest)? }, "1".to_owned())
        }
        "switches" if arguments.is_empty() => (ResponseMeasure::Switches, "1".to_owned()),
        "value" => match arguments[..] {
            [path] => (ResponseMeasure::Value { path: path.to_owned() }, find(scenario, path)?.unit),
            _ => return Err(malformed()),
        },
        "growth" => {
            if scenario.has_cables() {
                let reason = "`growth` is asked of mechanisms without cables";
                return Err((wrong(own, reason), FORMS.to_owned()));
            }
            let over = match arguments[..] {
                [] => None,
                [path, from, to] => {
                    let unit = find(scenario, path)?.unit;
                    let end = |text: &str| {
                        units::parse(text, &unit).map_err(|source| {
                            let hint = range::unit_hint(&source, &unit);
                            (Problem::Unit { key: expression.to_owned(), source }, hint)
                        })
                    };
                    Some((path.to_owned(), [end(from)?, end(to)?]))
                }
                _ => return Err(malformed()),
            };
            (ResponseMeasure::Growth { over }, "1/s".to_owned())
        }
        "fact" => match arguments[..] {
            [fact] => {
                let kinds = |kind: StudyKind| matches!(kind, StudyKind::Vary | StudyKind::Optimise);
                let studies: Vec<&str> =
                    scenario.studies.iter().filter(|s| !kinds(s.kind)).map(|s| s.name.as_str()).collect();
                let (study, id) = fact.split_once('.').ok_or_else(malformed)?;
                if !studies.contains(&study) {
                    return Err(no_such("study", study, &studies));
                }
                (ResponseMeasure::Fact { study: study.to_owned(), id: id.to_owned() }, String::new())
            }
            _ => return Err(malformed()),
        },
        _ => return Err(malformed()),
    };
    let name = name.map_or_else(|| expression.to_owned(), str::to_owned);
    Ok(Response { name, unit, measure })
}

fn output_unit(scenario: &Scenario, output: &str) -> Result<String, EntryProblem> {
    let channels = scenario.model().channels();
    match channels.iter().find(|c| c.name == output) {
        Some(channel) => Ok(channel.unit.to_owned()),
        None => {
            let names: Vec<&str> = channels.iter().map(|c| c.name.as_str()).collect();
            Err(no_such("output", output, &names))
        }
    }
}

fn no_such(what: &'static str, name: &str, known: &[&str]) -> EntryProblem {
    let hint = nearest(name, known.iter().copied())
        .map_or_else(|| format!("there are {}", known.join(", ")), |near| format!("did you mean `{near}`?"));
    (Problem::NoSuchName { what, name: name.to_owned() }, hint)
}

/// Reads an event: a response compared with a number.
pub(crate) fn event(scenario: &Scenario, own: &str, text: &str) -> Result<RunEvent, EntryProblem> {
    let (name, expression) = named(text);
    let place = expression.find(['<', '>']);
    let Some(place) = place else {
        let reason = format!("`{text}` compares nothing");
        return Err((wrong(own, reason), "write `slips(pad) > 2` or `max(block.q) >= 12 m`".to_owned()));
    };
    let (left, right) = expression.split_at(place);
    let (comparison, limit) = match (right.strip_prefix(">="), right.strip_prefix("<=")) {
        (Some(rest), _) => (EventTest::AtLeast, rest),
        (_, Some(rest)) => (EventTest::AtMost, rest),
        _ if right.starts_with('>') => (EventTest::Above, &right[1..]),
        _ => (EventTest::Below, &right[1..]),
    };
    let response = read(scenario, own, left)?;
    let unit = if response.unit.is_empty() { "1" } else { &response.unit };
    let is_zero = limit.trim().parse::<f64>() == Ok(0.0);
    let limit = if is_zero { Ok(0.0) } else { units::parse(limit, unit) };
    let limit = limit.map_err(|source| {
        let hint = range::unit_hint(&source, unit);
        (Problem::Unit { key: text.to_owned(), source }, hint)
    })?;
    let name = name.map_or_else(|| expression.to_owned(), str::to_owned);
    Ok(RunEvent { name, response, comparison, limit })
}

/// What is asked unless anything else is: how often every contact slips, how far the first body goes, and what is lost.
pub(crate) fn usual(scenario: &Scenario) -> Vec<String> {
    let channels = scenario.model().channels();
    let mut all: Vec<String> = Vec::new();
    let slips = channels.iter().filter_map(|c| c.name.strip_suffix(".slip_rate"));
    all.extend(slips.take(4).map(|contact| format!("slips({contact})")));
    let place = channels.iter().find(|c| [".q", ".x", ".angle"].iter().any(|end| c.name.ends_with(end)));
    let first = place.or(channels.first());
    all.extend(first.iter().flat_map(|c| [format!("max({})", c.name), format!("min({})", c.name)]));
    let has_loss = channels.iter().any(|c| c.name == "energy.loss");
    all.extend(has_loss.then(|| "end(energy.loss)".to_owned()));
    all
}

/// A number of a limit, for sentences.
pub(crate) fn limit_words(event: &RunEvent) -> String {
    let sign = match event.comparison {
        EventTest::Above => ">",
        EventTest::AtLeast => "≥",
        EventTest::Below => "<",
        EventTest::AtMost => "≤",
    };
    let unit = &event.response.unit;
    let unit = if unit.is_empty() || unit == "1" { String::new() } else { format!(" {unit}") };
    format!("{sign} {}{unit}", short(event.limit))
}
