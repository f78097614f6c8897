//! The TOML file that names it all: parts, solver, studies.

#[path = "scenario_tests.rs"]
#[cfg(test)]
mod tests;

use crate::error::RunError;
use crate::studies::StudyKind;
use bristle_core::{Card, Params};
use bristle_law::LawKind;
use bristle_mech::{LiveRun, PartKind, Spec, System, parts};
use bristle_scenario::measurements::{self, Measurement};
use bristle_scenario::{
    Parameter, Problem, Question, Reader, ScenarioError, carry, change, derived, file, mechanism, sections,
    text, written,
};
use bristle_solve::Solver;
use std::path::{Path, PathBuf};
use toml::de::DeTable;

/// A scenario, read and checked.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What the reports are headed with.
    pub title: String,
    /// The laws it brings along.
    pub laws: Vec<LawKind>,
    /// The parts as written.
    pub parts: Vec<(String, Spec)>,
    /// The outputs it derives from others: names and formulas.
    pub outputs_by_formula: Vec<(String, String)>,
    /// The parts assembled.
    pub system: System,
    /// How to integrate.
    pub solver: Solver,
    /// What was measured.
    pub measurements: Vec<Measurement>,
    /// The questions asked, by name.
    pub studies: Vec<Study>,
    /// The text itself.
    pub text: String,
    /// Where it came from, for messages.
    pub name: String,
    /// Where files it names are looked for.
    pub(crate) folder: PathBuf,
    /// What was changed since it was read, in order.
    pub(crate) changes: Vec<(String, f64)>,
}

/// A question put to the system.
#[derive(Clone, Debug)]
pub struct Study {
    /// What the scenario calls it.
    pub name: String,
    /// Which question.
    pub kind: StudyKind,
    /// Its values.
    pub spec: Spec,
}

impl Scenario {
    /// Reads and checks a scenario file.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place and a way out.
    pub fn from_file(path: &Path) -> Result<Scenario, ScenarioError> {
        let name = text::printable(&path.display().to_string());
        let text = file::text(path, file::SCENARIO).map_err(|reason| {
            let problem = Problem::Unreadable { path: name.clone(), reason };
            ScenarioError::new(problem).hint("`bristle new NAME` writes a scenario to start from")
        })?;
        Scenario::from_text(&text, &name, path.parent().unwrap_or(Path::new(".")))
    }

    /// Reads and checks a scenario; files it names are looked for in `folder`.
    ///
    /// # Errors
    /// As [`Scenario::from_file`].
    pub fn from_text(text: &str, name: &str, folder: &Path) -> Result<Scenario, ScenarioError> {
        Scenario::from_reader(Reader::new(name, text, folder))
    }

    fn from_reader(reader: Reader) -> Result<Scenario, ScenarioError> {
        let text = reader.text;
        if text.trim().is_empty() {
            return Err(reader.error(
                Problem::Empty,
                0..0,
                "`bristle new NAME` writes a scenario to start from",
            ));
        }
        let (root, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            // A header written twice makes all keys below it look written twice.
            let is_twice = |e: &&toml::de::Error| e.message().starts_with("duplicate key");
            let twice = errors.iter().find(is_twice);
            let mut last = None;
            for error in twice.into_iter().chain(errors.iter().filter(|e| !is_twice(e))) {
                let line = error.span().map(|s| text[..s.start.min(text.len())].matches('\n').count());
                if line.is_none() || line != last {
                    reader.report(reader.syntax(error));
                }
                last = line;
            }
            return reader.verdict().and(Err(ScenarioError::new(Problem::Empty)));
        }
        let scenario = Scenario::read(&reader, root.get_ref());
        reader.verdict()?;
        // Without a scenario there is something wrong, which the verdict has told.
        scenario.ok_or_else(|| ScenarioError::new(Problem::Empty))
    }

    /// Reads and checks a scenario that a program has made as a table, with the sections and keys of a file. Bare numbers are in SI
    /// units; texts carry units as they do in files. Files it names are looked for in `folder`.
    ///
    /// # Errors
    /// As [`Scenario::from_file`]; places are those of the table written as a file.
    pub fn from_table(table: &toml::Table, name: &str, folder: &Path) -> Result<Scenario, ScenarioError> {
        let text = toml::to_string(table).map_err(|error| {
            let reason = error.to_string();
            ScenarioError::new(Problem::Syntax { reason })
                .hint("tables hold numbers, texts, lists and tables")
        })?;
        Scenario::from_reader(Reader::of_program(name, &text, folder))
    }

    /// The same of a table written as JSON.
    ///
    /// # Errors
    /// As [`Scenario::from_table`], and for what is not JSON.
    pub fn from_json(json: &str, name: &str, folder: &Path) -> Result<Scenario, ScenarioError> {
        let table: toml::Table = serde_json::from_str(json).map_err(|error| {
            let reason = error.to_string();
            let hint = "one object with `parts` and `studies`, without null";
            ScenarioError::new(Problem::Syntax { reason }).hint(hint)
        })?;
        Scenario::from_table(&table, name, folder)
    }

    /// The same scenario with other questions: a table of studies, each with its `kind`, bare numbers in SI units.
    ///
    /// # Errors
    /// What is wrong with the questions, each with its place and a way out.
    pub fn asking(&self, questions: &toml::Table) -> Result<Scenario, ScenarioError> {
        let wrong = |error: &dyn std::fmt::Display| {
            let problem = Problem::Syntax { reason: error.to_string() };
            ScenarioError::new(problem).hint("a study is a table with a `kind`")
        };
        let section = toml::Table::from_iter([("studies".to_owned(), questions.clone().into())]);
        let text = toml::to_string(&section).map_err(|e| wrong(&e))?;
        let reader = Reader::of_program(&self.name, &text, Path::new("."));
        let root = DeTable::parse(&text).map_err(|e| reader.syntax(&e))?;
        let mut other = self.clone();
        other.studies = studies(&reader, root.get_ref());
        other.check_names(&reader, root.get_ref(), &[]);
        let asked = reader.text_with_units();
        reader.verdict()?;
        let mut whole: toml::Table = self.text.parse().map_err(|e: toml::de::Error| wrong(&e))?;
        let asked: toml::Table = asked.parse().map_err(|e: toml::de::Error| wrong(&e))?;
        whole.extend(asked);
        other.text = toml::to_string(&whole).map_err(|e| wrong(&e))?;
        Ok(other)
    }

    /// A run of its mechanism by the caller's clock, with inputs that change on the way.
    ///
    /// # Errors
    /// [`RunError::Live`] for inputs that a run could not follow.
    pub fn live(&self) -> Result<LiveRun, RunError> {
        let live = |source| RunError::Live { source };
        LiveRun::deriving(&self.parts, &self.outputs_by_formula, &self.solver).map_err(live)
    }

    /// Reads nothing but the laws a file brings along; it need not be a whole scenario.
    ///
    /// # Errors
    /// As [`Scenario::from_file`], and where there are none.
    pub fn laws_of_file(path: &Path) -> Result<Vec<LawKind>, ScenarioError> {
        let name = text::printable(&path.display().to_string());
        let text = file::text(path, file::SCENARIO).map_err(|reason| {
            ScenarioError::new(Problem::Unreadable { path: name.clone(), reason })
                .hint("name a scenario file")
        })?;
        let reader = Reader::new(&name, &text, path.parent().unwrap_or(Path::new(".")));
        let (root, errors) = DeTable::parse_recoverable(&text);
        if let Some(error) = errors.first() {
            return Err(reader.syntax(error));
        }
        let laws = written::laws(&reader, root.get_ref());
        if laws.is_empty() && reader.count() == 0 {
            let end = text.len();
            let hint = "[laws.mine] with parameters, states, rates and force; the manual has a chapter on it";
            reader.report(reader.error(Problem::MissingSection { section: "[laws]" }, end..end, hint));
        }
        reader.verdict()?;
        Ok(laws)
    }

    /// Reads all sections; nothing comes of it only if something wrong was noted.
    fn read(reader: &Reader, root: &DeTable) -> Option<Scenario> {
        let known =
            ["title", "laws", "parts", "measurements", "outputs", "solver", "cable_solver", "studies"];
        reader.only(root, &known, "a section of a scenario", "");
        let title = root.get("title").and_then(|value| reader.keep(reader.text("title", value)));
        let laws = written::laws(reader, root);
        let (parts, failed) = reader.parts(root, &laws);
        let mut solver = sections::solver(reader, root).unwrap_or_default();
        let measurements = measurements::measurements(reader, root);
        let studies = studies(reader, root);
        refuse_cable_solver(reader, root);
        let outputs_by_formula = derived::formulas(reader, root);
        let mut system = mechanism::assemble(reader, root, &parts, &failed)?;
        derived::derive(reader, root, &mut system, &outputs_by_formula, &failed);
        if system.has_ropes() && !root.contains_key("solver") {
            (solver.rtol, solver.atol) = (CABLE_TOLERANCE, CABLE_TOLERANCE);
        }
        let scenario = Scenario {
            title: text::printable(title.unwrap_or(reader.name)),
            laws,
            parts,
            outputs_by_formula,
            system,
            solver,
            measurements,
            studies,
            text: reader.text_with_units(),
            name: reader.name.to_owned(),
            folder: reader.folder.to_owned(),
            changes: Vec::new(),
        };
        scenario.check_names(reader, root, &failed);
        Some(scenario)
    }

    /// The same scenario with some numbers changed, each named by its path (`tie.k`, `pad.law.sigma1`), in SI. Friction
    /// stated in newtons has both names, `pad.law.mu_s` and `pad.law.F_s`. A cable is laid anew.
    ///
    /// # Errors
    /// [`RunError::Change`] with the nearest path, or for a value that a file could not have either, [`RunError::Parameters`] for numbers that do not go together.
    pub fn with(&self, changes: &[(&str, f64)]) -> Result<Scenario, RunError> {
        let mut other = self.clone();
        for (path, value) in changes {
            change::set(&mut other.parts, path, *value)?;
        }
        other.changes.extend(changes.iter().map(|(path, value)| ((*path).to_owned(), *value)));
        other.rebuild().map_err(|source| RunError::Parameters { source })
    }

    /// Every number of the parts but those of laws.
    pub fn parameters(&self) -> Vec<Parameter> {
        change::parameters(&self.parts)
    }

    /// The same scenario with the law of one contact or drum replaced by this spec.
    ///
    /// # Errors
    /// [`RunError::Law`] for a law that cannot act there.
    pub fn with_law_spec(&self, contact: &str, law: &Spec) -> Result<Scenario, RunError> {
        let mut other = self.clone();
        for (name, spec) in &mut other.parts {
            if name == contact {
                spec.tables.retain(|(field, _)| field != "law");
                spec.tables.push(("law".to_owned(), law.clone()));
            }
        }
        other.rebuild().map_err(|source| RunError::Law { law: law.kind.clone(), source })
    }

    /// The same scenario with every contact and drum under another law, at that law's own deerrors for what the present
    /// laws do not say: numbers of the same role carry over, friction as coefficients or as forces.
    ///
    /// # Errors
    /// [`RunError::Law`] for a law that cannot act there.
    pub fn with_law(&self, law: LawKind) -> Result<Scenario, RunError> {
        let mut other = self.clone();
        for (_, spec) in &mut other.parts {
            for (field, table) in &mut spec.tables {
                if field == "law" {
                    *table = carry::over(table, law);
                }
            }
        }
        other.rebuild().map_err(|source| RunError::Law { law: law.card().name.to_owned(), source })
    }

    /// Contacts and drums with the laws they are under, in the order of the parts.
    pub fn laws_in_use(&self) -> impl Iterator<Item = (&str, LawKind, &Spec)> {
        self.parts.iter().filter_map(|(name, spec)| {
            let law = spec.table("law")?;
            Some((name.as_str(), LawKind::named(&law.kind)?, law))
        })
    }

    /// What it consists of: a line for each cable, and for each contact or drum with a law.
    pub fn contents(&self) -> Vec<String> {
        let cables = self.parts.iter().filter(|(_, spec)| spec.kind == PartKind::Cable.card().name);
        let cable = |(name, spec): &(String, Spec)| {
            let cable: parts::Cable<f64> = Params::from_slices(&spec.numbers, &spec.choices);
            let over = spec.named("over").join(", ");
            format!("cable `{name}` with {} nodes over {over}", cable.elements + 1.0)
        };
        let kind = |part: &str| self.parts.iter().find(|(name, _)| name == part).map_or("", |(_, s)| &s.kind);
        let laws = self.laws_in_use();
        let law =
            laws.map(|(part, law, _)| format!("{} `{part}` under law `{}`", kind(part), law.card().name));
        cables.map(cable).chain(law).collect()
    }

    /// Whether the parts hold cables, alone or beside a mechanism.
    pub fn has_cables(&self) -> bool {
        self.system.has_ropes()
    }

    /// Where files it names are looked for.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Names of all outputs.
    pub fn outputs(&self) -> Vec<String> {
        self.model().channels().into_iter().map(|c| c.name).collect()
    }

    /// Names of outputs and parameters in studies must exist, unless they belong to a part that could not be read.
    fn check_names(&self, reader: &Reader, root: &DeTable, failed: &[String]) {
        let channels = self.outputs();
        for study in &self.studies {
            let place = |key: &str| reader.span_of(root, &["studies", &study.name, key]);
            if let Some((reason, hint)) = self.model().refusal(study.kind) {
                let problem = Problem::Study { study: study.name.clone(), reason };
                reader.report(reader.error(problem, place("kind"), hint));
                continue;
            }
            for (problem, key, hint) in crate::analysis::check(self, study, failed) {
                reader.report(reader.error(problem, place(key), hint));
            }
            // What varies in a part that could not be read says nothing new.
            if failed.is_empty() {
                for (problem, key, hint) in crate::vary::check(self, study) {
                    reader.report(reader.error(problem, place(key), hint));
                }
            }
            for wanted in study.spec.named("show").iter().filter(|w| !channels.contains(w)) {
                if failed.iter().any(|part| wanted.split('.').next() == Some(part)) {
                    continue;
                }
                let near = bristle_core::nearest(wanted, channels.iter().map(String::as_str));
                let problem = Problem::NoSuchName { what: "output", name: wanted.clone() };
                let hint = near.map_or_else(
                    || format!("there are {}", channels.join(", ")),
                    |n| format!("did you mean `{n}`?"),
                );
                reader.report(reader.error(problem, place("show"), hint));
            }
        }
    }
}

/// The questions that could be read; what is wrong with the others is noted.
fn studies(reader: &Reader, root: &DeTable) -> Vec<Study> {
    let cards: Vec<_> = StudyKind::ALL.iter().map(|k| k.card()).collect();
    let error = |card: &Card, spec: &Spec| StudyKind::named(card.name)?.error(spec);
    let questions = sections::questions(reader, root, &cards, &error);
    let study =
        |q: Question| Some(Study { kind: StudyKind::named(q.card.name)?, name: q.name, spec: q.spec });
    questions.into_iter().filter_map(study).collect()
}

/// Relative and scaled absolute tolerance of scenarios with cables that give no `[solver]`: places are followed to a micrometre.
const CABLE_TOLERANCE: f64 = 1e-5;

/// Says what takes the place of a section that moved cables before `[solver]` did.
fn refuse_cable_solver(reader: &Reader, root: &DeTable) {
    if root.contains_key("cable_solver") {
        let reason = "is gone: [solver] moves cables as it moves everything else";
        let problem = Problem::Section { section: "[cable_solver]", reason };
        let hint = "leave it out, or write [solver] with an `rtol` (1e-5 unless given) instead of `step` and `tolerance`; \
                    `start = \"laid\"` is said of the cable itself";
        reader.report(reader.error(problem, reader.span_of(root, &["cable_solver"]), hint));
    }
}
