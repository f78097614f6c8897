//! The sections of a scenario beside its parts.

use super::error::Problem;
use super::read::Reader;
use super::{SolverSettings, Study, mechanism};
use crate::cable::{self, CableModel, CableSettings};
use crate::studies::StudyKind;
use bristle_core::Described;
use bristle_mech::{Spec, is_lone_cable};
use bristle_solve::{Method, Solver};
use toml::de::DeTable;

/// How to integrate; what is wrong is noted.
pub(super) fn solver(reader: &Reader, root: &DeTable) -> Option<Solver> {
    let mut solver = Solver::default();
    let card = SolverSettings::<f64>::CARD;
    let Some(value) = root.get("solver") else {
        solver.rtol = card.defaults()[0];
        solver.atol = solver.rtol;
        return Some(solver);
    };
    let spec = reader.spec(&card, "solver", value, "1", None)?;
    solver.rtol = spec.numbers[0];
    solver.atol = if spec.numbers[1].is_nan() { spec.numbers[0] } else { spec.numbers[1] };
    solver.h_max = Some(spec.numbers[2]).filter(|h| !h.is_nan());
    solver.max_steps = spec.numbers[3] as usize;
    if let Some(word) = spec.named("method").first() {
        let Some(method) = Method::named(word) else {
            let near = bristle_core::nearest(word, Method::ALL.iter().map(|m| m.card().name));
            let hint = match near {
                _ if word == "generalised_alpha" => {
                    "it moves cables: `method` in [cable_solver] names it".to_owned()
                }
                _ if Method::EVERY.iter().any(|m| m.name() == word) => {
                    "this build leaves it out; build with the feature `diffsol`, or take `auto`".to_owned()
                }
                Some(near) => format!("did you mean `{near}`?"),
                None => "`bristle list methods` lists them".to_owned(),
            };
            let problem = Problem::UnknownKind { what: "method".to_owned(), name: word.clone() };
            reader.report(reader.error(problem, reader.span_of(root, &["solver", "method"]), hint));
            return None;
        };
        solver.method = method;
    }
    Some(solver)
}

/// The cable of the scenario, if it has one, and its settings. Nothing at all if it cannot be built, or if its parts have problems.
pub(super) fn cable(
    reader: &Reader,
    root: &DeTable,
    parts: &[(String, Spec)],
    is_whole: bool,
) -> Option<(Option<CableModel>, Option<Spec>)> {
    let card = CableSettings::<f64>::CARD;
    let before = reader.count();
    let settings =
        root.get("cable_solver").and_then(|value| reader.spec(&card, "cable_solver", value, "1", None));
    let has_cable = parts.iter().any(|(_, spec)| spec.kind == "cable");
    if settings.is_some() && has_cable && !is_lone_cable(parts) {
        let problem =
            Problem::Section { section: "[cable_solver]", reason: "moves a cable that stands alone" };
        let hint = "beside a mechanism [solver] moves the cable as well; `start` is said of the cable itself";
        reader.report(reader.error(problem, reader.span_of(root, &["cable_solver"]), hint));
    }
    if !is_whole || reader.count() > before {
        return None;
    }
    let built = cable::build(parts, settings.as_ref()).map_err(|e| mechanism::place(reader, root, e));
    Some((reader.keep(built)?, settings))
}

/// The questions that could be read; what is wrong with the others is noted.
pub(super) fn studies(reader: &Reader, root: &DeTable) -> Vec<Study> {
    let mut studies = Vec::new();
    let missing = || {
        let end = reader.text.len();
        let hint = "ask a question: [studies.run] with kind = \"simulate\" and duration = \"10 s\"";
        reader.report(reader.error(Problem::MissingSection { section: "[studies]" }, end..end, hint));
    };
    let Some(value) = root.get("studies") else {
        missing();
        return studies;
    };
    let Some(table) = reader.keep(reader.table("studies", value)) else { return studies };
    for (key, value) in table {
        let (before, name) = (reader.count(), key.get_ref().to_string());
        reader.name("study", key);
        let kinds = StudyKind::ALL.iter().map(|k| k.card());
        let Some(card) = reader.keep(reader.kind_of("study", &name, value, kinds)) else { continue };
        let owner = format!("study `{}`", card.name);
        let Some(spec) = reader.spec(&card, &owner, value, "1", None) else { continue };
        let Some(kind) = StudyKind::named(card.name) else { continue };
        if reader.count() > before {
            continue;
        }
        if let Some((key, reason)) = kind.error(&spec) {
            let span = reader.span_of(root, &["studies", &name, key]);
            let hint = format!("`bristle show {}` explains its parameters", card.name);
            reader.report(reader.error(Problem::Study { study: name, reason }, span, hint));
            continue;
        }
        studies.push(Study { name, kind, spec });
    }
    if table.is_empty() {
        missing();
    }
    studies
}
