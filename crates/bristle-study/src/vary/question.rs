//! A study of kind `vary` or `optimise`, read: what varies, what is asked.

use super::engine::Engine;
use super::entry::{self, EntryProblem, Varied, wrong};
use super::response::{self, Response, ResponseMeasure, RunEvent};
use crate::scenario::{Scenario, Study};
use crate::studies::StudyKind;
use bristle_scenario::Problem;
use bristle_vary::{Correlation, Design, DesignKind, Marginal};
use serde_json::json;

/// Key of what is wrong, the problem and a way out.
pub(crate) type KeyedProblem = (Problem, &'static str, String);

/// What varies and what is asked of every run.
#[derive(Debug)]
pub(crate) struct VaryQuestion<'a> {
    pub scenario: &'a Scenario,
    pub study: &'a Study,
    /// The study that moves the mechanism.
    pub motion: Option<&'a Study>,
    pub varied: Vec<Varied>,
    /// All responses; those asked for come first, those that events compare after them.
    pub asked: Vec<Response>,
    /// How many of them are shown.
    pub shown: usize,
    pub events: Vec<RunEvent>,
    /// Which response each event compares.
    pub event_places: Vec<usize>,
    /// Outputs whose histories are laid over each other.
    pub bands: Vec<String>,
    pub design: Design,
}

/// Draws of a sample, base points of Saltelli's scheme and paths of Morris's unless given.
const RUNS: f64 = 1000.0;

impl<'a> VaryQuestion<'a> {
    /// Reads a study of kind `vary`.
    pub fn new(scenario: &'a Scenario, study: &'a Study) -> Result<VaryQuestion<'a>, Vec<KeyedProblem>> {
        let own = study.name.as_str();
        let choice = study.spec.choices.first().map_or(0, |c| usize::from(c.0));
        let kind = DesignKind::ALL.get(choice).copied().unwrap_or(DesignKind::Grid);
        let is_stepped = matches!(kind, DesignKind::Grid | DesignKind::List);
        let mut found = Vec::new();
        let mut varied = Vec::new();
        for text in study.spec.named("over") {
            match entry::read(scenario, own, text, is_stepped) {
                Ok(one) => varied.push(one),
                Err((problem, hint)) => found.push((problem, "over", hint)),
            }
        }
        let correlation = match covariance(scenario, study, &mut varied) {
            Ok(correlation) => correlation,
            Err((problem, hint)) => {
                found.push((problem, "covariance", hint));
                None
            }
        };
        if varied.is_empty() && found.is_empty() {
            let problem = wrong(own, "nothing varies");
            found.push((problem, "over", "give `over = [\"belt.v = 0.2 m/s : 0.6 m/s : 41\"]`".to_owned()));
        }
        if let Some(twice) = (1..varied.len()).find(|&i| varied[..i].iter().any(|v| v.path == varied[i].path))
        {
            let problem = wrong(own, format!("`{}` is said to vary twice", varied[twice].path));
            found.push((problem, "over", "leave one of the two out".to_owned()));
        }
        let usual = response::usual(scenario);
        let texts = match (study.spec.named("responses"), study.spec.named("events")) {
            ([], []) => &usual[..],
            (texts, _) => texts,
        };
        let mut asked = Vec::new();
        for text in texts {
            match response::read(scenario, own, text) {
                Ok(one) => asked.push(one),
                Err((problem, hint)) => found.push((problem, "responses", hint)),
            }
        }
        let shown = asked.len();
        let mut events = Vec::new();
        for text in study.spec.named("events") {
            match response::event(scenario, own, text) {
                Ok(one) => events.push(one),
                Err((problem, hint)) => found.push((problem, "events", hint)),
            }
        }
        let bands = study.spec.named("bands").to_vec();
        let channels = scenario.outputs();
        for name in bands.iter().filter(|name| !channels.contains(name)) {
            let hint = bristle_core::nearest(name, channels.iter().map(String::as_str)).map_or_else(
                || format!("there are {}", channels.join(", ")),
                |n| format!("did you mean `{n}`?"),
            );
            found.push((Problem::NoSuchName { what: "output", name: name.clone() }, "bands", hint));
        }
        let motion = motion(scenario, study).map_err(|(problem, hint)| vec![(problem, "of", hint)])?;
        let event_places = places(&mut asked, &events);
        if motion.is_none() && (needs_motion(&asked) || !bands.is_empty()) {
            let problem =
                wrong(own, "the scenario has no study of kind `simulate` whose motion could be measured");
            let hint = "add [studies.run] with kind = \"simulate\" and duration = \"10 s\"".to_owned();
            found.push((problem, "kind", hint));
        }
        if !found.is_empty() {
            return Err(found);
        }
        let numbers = &study.spec.numbers;
        let runs = numbers.first().copied().filter(|n| !n.is_nan()).unwrap_or(match kind {
            DesignKind::Saltelli => 512.0,
            DesignKind::Morris => 40.0,
            _ => RUNS,
        });
        let seed = numbers.get(1).copied().unwrap_or(1.0) as u64;
        let marginals: Vec<Marginal> = varied.iter().map(|v| v.marginal.clone()).collect();
        let design =
            Design::new(kind, marginals, correlation, runs as u64, seed).map_err(|(error, place)| {
                let reason = match place {
                    Some(i) => format!("`{}`: {error}", varied[i].path),
                    None => error.to_string(),
                };
                let hint = match error {
                    bristle_vary::VaryError::NeedsLevels { .. } => {
                        "take design = \"random\", \"latin\" or \"sobol\", or give values"
                    }
                    bristle_vary::VaryError::TooMany => {
                        "take fewer steps, or design = \"sobol\" with a number of runs"
                    }
                    _ => "`bristle show vary` explains designs",
                };
                vec![(wrong(own, reason), "over", hint.to_owned())]
            })?;
        Ok(VaryQuestion {
            scenario,
            study,
            motion,
            varied,
            asked,
            shown,
            events,
            event_places,
            bands,
            design,
        })
    }

    /// Numbers of a run.
    pub fn width(&self) -> usize {
        self.asked.len()
    }

    /// What makes the runs.
    pub fn engine(&self, points: &[Vec<f64>]) -> Engine<'_> {
        let motion = self.motion.filter(|_| needs_motion(&self.asked) || !self.bands.is_empty());
        Engine::new(self.scenario, motion, &self.asked, &self.varied, points)
    }

    /// What a store of these runs belongs to: a key, and a plan from which they can be gathered.
    pub fn plan(&self) -> (String, String) {
        let own: toml::Table = self.scenario.text.parse().unwrap_or_default();
        let section = |name: &str| own.get(name).map(ToString::to_string).unwrap_or_default();
        // Where runs are kept and how they are divided is no part of what they are.
        let mut spec = self.study.spec.clone();
        spec.names.retain(|(field, _)| field != "store");
        let others: Vec<String> = self
            .scenario
            .studies
            .iter()
            .filter(|s| !matches!(s.kind, StudyKind::Vary | StudyKind::Optimise))
            .map(|s| format!("{} {:?}", s.name, s.spec))
            .collect();
        let whole = format!(
            "{}\n{:?}\n{}\n{:?}\n{:?}\n{others:?}\n{spec:?}",
            env!("CARGO_PKG_VERSION"),
            self.scenario.parts,
            section("laws"),
            self.scenario.outputs_by_formula,
            self.scenario.solver,
        );
        let key = bristle_record::digest(whole.as_bytes());
        let changes: Vec<_> =
            self.scenario.changes.iter().map(|(path, value)| json!([path, value])).collect();
        let plan = json!({
            "format": "bristle vary 1",
            "key": key,
            "study": self.study.name,
            "name": self.scenario.name,
            "runs": self.design.count(),
            "changes": changes,
            "scenario": self.scenario.text,
        });
        let plan = serde_json::to_string_pretty(&plan).unwrap_or_default();
        (key, plan + "\n")
    }
}

/// Which study of kind `simulate` moves the mechanism: the one named, or the first.
pub(crate) fn motion<'a>(scenario: &'a Scenario, study: &Study) -> Result<Option<&'a Study>, EntryProblem> {
    let mut motions = scenario.studies.iter().filter(|s| s.kind == StudyKind::Simulate);
    match study.spec.named("of").first() {
        None => Ok(motions.next()),
        Some(name) => match motions.clone().find(|s| s.name == *name) {
            Some(found) => Ok(Some(found)),
            None => {
                let names: Vec<&str> = motions.map(|s| s.name.as_str()).collect();
                let hint = format!("studies of kind `simulate` are: {}", names.join(", "));
                Err((Problem::NoSuchName { what: "study", name: name.clone() }, hint))
            }
        },
    }
}

/// Adds what events compare to what is asked; gives the places.
pub(crate) fn places(asked: &mut Vec<Response>, events: &[RunEvent]) -> Vec<usize> {
    let place = |event: &RunEvent| {
        let known = asked.iter().position(|r| r.measure == event.response.measure);
        known.unwrap_or_else(|| {
            asked.push(event.response.clone());
            asked.len() - 1
        })
    };
    events.iter().map(place).collect()
}

/// Whether any response is measured along a motion.
pub(crate) fn needs_motion(asked: &[Response]) -> bool {
    asked.iter().any(|r| {
        matches!(
            r.measure,
            ResponseMeasure::Output { .. } | ResponseMeasure::Slips { .. } | ResponseMeasure::Switches
        )
    })
}

/// Parameters with a joint normal distribution, from a table: a heading with their paths, a row of estimates, and then a row of
/// the covariance for each. They vary as well.
fn covariance(
    scenario: &Scenario,
    study: &Study,
    varied: &mut Vec<Varied>,
) -> Result<Option<Correlation>, EntryProblem> {
    let Some(name) = study.spec.named("covariance").first() else { return Ok(None) };
    let own = study.name.as_str();
    let hint = || {
        "a heading with paths, a row of estimates, then a row of the covariance for each, in SI units"
            .to_owned()
    };
    let bad = |reason: String| (wrong(own, format!("`{name}`: {reason}")), hint());
    let path = scenario.folder().join(name);
    let text = bristle_scenario::file::text(&path, bristle_scenario::file::SCENARIO).map_err(&bad)?;
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let cells =
        |line: &str| line.split(',').map(|c| c.trim().trim_matches('"').to_owned()).collect::<Vec<_>>();
    let paths = lines.next().map(cells).ok_or_else(|| bad("it is empty".to_owned()))?;
    let mut rows = Vec::new();
    for (i, line) in lines.enumerate() {
        let numbers: Result<Vec<f64>, _> = cells(line).iter().map(|c| c.parse::<f64>()).collect();
        let numbers = numbers.ok().filter(|n| n.len() == paths.len() && n.iter().all(|v| v.is_finite()));
        rows.push(
            numbers.ok_or_else(|| bad(format!("row {} does not hold {} numbers", i + 1, paths.len())))?,
        );
    }
    if rows.len() != paths.len() + 1 {
        return Err(bad(format!(
            "{} rows are needed below the heading, there are {}",
            paths.len() + 1,
            rows.len()
        )));
    }
    let first = varied.len();
    for (i, path) in paths.iter().enumerate() {
        let allowed = entry::find(scenario, path)?;
        let marginal = Marginal::Normal { mean: rows[0][i], deviation: rows[i + 1][i].sqrt() };
        marginal.check().map_err(|e| bad(e.to_string()))?;
        varied.push(Varied {
            path: path.clone(),
            unit: allowed.unit,
            marginal,
            usual: allowed.value,
            range: allowed.range,
        });
    }
    let places = (first..varied.len()).collect();
    Correlation::from_covariance(places, &rows[1..]).map(Some).map_err(|e| bad(e.to_string()))
}
