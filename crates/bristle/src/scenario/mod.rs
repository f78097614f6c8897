//! The TOML file that names it all: parts, solver, studies.
//!
//! The parser knows no part, law or study by name: it reads their cards.

mod error;
mod read;
mod table;

pub use error::{Problem, ScenarioError, TableFault};

use crate::cable::{self, CableModel, CableSettings};
use crate::studies::StudyKind;
use bristle_core::{Card, Described, Kind};
use bristle_mech::{MechError, Spec, System};
use bristle_solve::{Method, Solver};
use read::Reader;
use std::path::Path;
use toml::de::DeTable;

/// A scenario, read and checked.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What the reports are headed with.
    pub title: String,
    /// The parts as written.
    pub parts: Vec<(String, Spec)>,
    /// The parts assembled.
    pub system: System,
    /// The cable, if the parts describe one; the system is empty then.
    pub cable: Option<CableModel>,
    /// How to integrate.
    pub solver: Solver,
    /// The questions asked, by name.
    pub studies: Vec<Study>,
    /// The text itself.
    pub text: String,
    /// Where it came from, for messages.
    pub name: String,
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

/// How to integrate.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "solver",
    entry(
        name = "method",
        text,
        optional,
        doc = "Which method; `bristle list methods` shows them. `auto` chooses by the stiffness it sees."
    )
)]
pub struct SolverSettings<S> {
    /// Relative tolerance of each step.
    #[param(symbol = "rtol", unit = "1", default = 1e-9, min = 1e-14, max = 0.1)]
    pub rtol: S,
    /// Absolute tolerance of each step, in units of each state's typical magnitude; `rtol` unless given.
    #[param(symbol = "atol", unit = "1", default = f64::NAN, min = 1e-16, max = 1.0)]
    pub atol: S,
    /// Largest step; the duration unless given.
    #[param(symbol = "h_max", unit = "s", default = f64::NAN, min = 1e-15)]
    pub h_max: S,
    /// Largest number of steps before giving up.
    #[param(symbol = "n_max", unit = "1", default = 1e8, min = 1.0)]
    pub max_steps: S,
}

impl Scenario {
    /// Reads and checks a scenario file.
    pub fn from_file(path: &Path) -> Result<Scenario, ScenarioError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|e| {
            let problem = Problem::Unreadable { path: name.clone(), reason: reason(&e) };
            ScenarioError::new(problem, &name, "").hint("`bristle new NAME` writes a scenario to start from")
        })?;
        Scenario::from_text(&text, &name, path.parent().unwrap_or(Path::new(".")))
    }

    /// Reads and checks a scenario; files it names are looked for in `folder`.
    pub fn from_text(text: &str, name: &str, folder: &Path) -> Result<Scenario, ScenarioError> {
        let reader = Reader { name, text, folder };
        if text.trim().is_empty() {
            return Err(reader
                .error(Problem::Empty)
                .hint("`bristle new NAME` writes a scenario to start from"));
        }
        let root = DeTable::parse(text).map_err(|e| reader.syntax(&e))?;
        let root = root.get_ref();
        reader.only(
            root,
            &["title", "parts", "solver", "cable_solver", "studies"],
            "a section of a scenario",
        )?;
        let title = match root.get("title") {
            None => name.to_owned(),
            Some(value) => reader.text("title", value)?.to_owned(),
        };
        let parts = reader.parts(root)?;
        let solver = read_solver(&reader, root)?;
        let studies = read_studies(&reader, root)?;
        let cable = read_cable(&reader, root, &parts)?;
        let system = System::assemble(&parts).map_err(|e| place(&reader, root, e))?;
        let scenario = Scenario {
            title,
            parts,
            system,
            cable,
            solver,
            studies,
            text: text.to_owned(),
            name: name.to_owned(),
        };
        scenario.check_names(&reader, root)?;
        Ok(scenario)
    }

    /// The same scenario with some numbers changed, each named by its path (`tie.k`, `pad.law.sigma1`), in SI.
    pub fn with(&self, changes: &[(&str, f64)]) -> Result<Scenario, crate::RunError> {
        let mut other = self.clone();
        for (path, value) in changes {
            if !other.system.set_param(path, *value) {
                return Err(crate::RunError::NoSuchParameter { path: (*path).to_owned() });
            }
        }
        Ok(other)
    }

    /// The same scenario with the law of one contact replaced by this spec.
    pub fn with_law_spec(&self, contact: &str, law: &Spec) -> Result<Scenario, MechError> {
        let mut other = self.clone();
        for (name, spec) in &mut other.parts {
            if name == contact {
                spec.tables.retain(|(field, _)| field != "law");
                spec.tables.push(("law".to_owned(), law.clone()));
            }
        }
        other.system = System::assemble(&other.parts)?;
        Ok(other)
    }

    /// The same scenario with every contact under another law, at that law's own defaults for what the present
    /// laws do not say: levels, velocities and bristle data of the same name carry over.
    pub fn with_law(&self, law: bristle_law::LawKind) -> Result<Scenario, MechError> {
        let mut other = self.clone();
        for (_, spec) in &mut other.parts {
            for (field, table) in &mut spec.tables {
                if field == "law" {
                    *table = carry_over(table, law);
                }
            }
        }
        other.system = System::assemble(&other.parts)?;
        Ok(other)
    }

    /// Names of all outputs.
    pub fn outputs(&self) -> Vec<String> {
        match &self.cable {
            Some(cable) => cable.outputs().into_iter().map(|(name, _)| name).collect(),
            None => self.system.channels().into_iter().map(|c| c.name).collect(),
        }
    }

    /// A study that cannot be asked of what the parts describe: why, and a way out.
    fn misplaced(&self, study: &Study) -> Option<(String, String)> {
        let name = study.kind.card().name;
        let of_cables = [StudyKind::Simulate, StudyKind::Limit];
        match &self.cable {
            Some(_) if !of_cables.contains(&study.kind) => {
                let reason =
                    format!("`{name}` is asked of mechanisms, and the parts describe a cable on drums");
                Some((reason, "a cable is asked `simulate` or `limit`".to_owned()))
            }
            None if study.kind == StudyKind::Limit => {
                let reason = "`limit` asks how much a cable holds, and there is no cable".to_owned();
                Some((reason, "add parts of kind cable and drum; `bristle show cable` explains".to_owned()))
            }
            _ => None,
        }
    }

    /// Names of outputs in studies must exist.
    fn check_names(&self, reader: &Reader, root: &DeTable) -> Result<(), ScenarioError> {
        let channels = self.outputs();
        for study in &self.studies {
            if let Some((reason, hint)) = self.misplaced(study) {
                let span = reader.span_of(root, &["studies", &study.name, "kind"]);
                let problem = Problem::Study { study: study.name.clone(), reason };
                return Err(reader.error(problem).at(span).hint(hint));
            }
            if let Some((problem, key, hint)) = crate::analysis::check(self, study) {
                let span = reader.span_of(root, &["studies", &study.name, key]);
                return Err(reader.error(problem).at(span).maybe_hint(hint));
            }
            for wanted in study.spec.named("show") {
                if !channels.contains(wanted) {
                    let near = bristle_core::nearest(wanted, channels.iter().map(String::as_str));
                    let problem = Problem::NoSuchName { what: "output", name: wanted.clone() };
                    let span = reader.span_of(root, &["studies", &study.name, "show"]);
                    let hint = near.map(|n| format!("did you mean `{n}`?"));
                    return Err(reader.error(problem).at(span).maybe_hint(hint));
                }
            }
        }
        Ok(())
    }
}

/// What laws call their kinetic level.
const KINETIC: [&str; 3] = ["mu_d", "mu_0", "gamma4"];

/// A law spec of another kind that keeps the numbers both laws know by name, and the friction levels whatever
/// their names.
fn carry_over(from: &Spec, to: bristle_law::LawKind) -> Spec {
    let card = to.card();
    let mut spec = Spec::of(&card);
    spec.as_forces = from.as_forces;
    let Some(old) = bristle_law::LawKind::named(&from.kind) else { return spec };
    if old == to {
        return from.clone();
    }
    let old_card = old.card();
    let known = |name: &str| old_card.numbers().position(|f| f.name == name).map(|i| from.numbers[i]);
    let kinetic = KINETIC.into_iter().find_map(known).or(known("mu_s"));
    let rest = known("mu_s").or(known("mu_0").zip(known("mu_1")).map(|(low, rise)| low + rise)).or(kinetic);
    // Coefficients that only this law has keep their share of its kinetic level.
    let own = |name: &str| card.numbers().position(|f| f.name == name).map(|i| spec.numbers[i]);
    let larger = kinetic.zip(KINETIC.into_iter().find_map(own)).map(|(level, own)| level / own);
    for (i, field) in card.numbers().enumerate() {
        let level = match field.name {
            "mu_s" => rest,
            "mu_1" | "gamma1" => rest.zip(kinetic).map(|(rest, kinetic)| rest - kinetic),
            name if KINETIC.contains(&name) => kinetic,
            name if matches!(field.kind, Kind::Number { force: Some(_), .. }) => {
                known(name).or(larger.map(|larger| larger * spec.numbers[i]))
            }
            name => known(name),
        };
        spec.numbers[i] = level.unwrap_or(spec.numbers[i]);
    }
    // A break-away deflection belongs to the bristle's stiffness, which only levels in newtons make known.
    let stiffness =
        card.numbers().position(|f| f.name == "sigma0").map(|i| spec.numbers[i]).or(known("sigma0"));
    for (name, share) in [("z_ba", 0.7), ("d_max", 1.0)] {
        if let (Some(i), Some(level), Some(stiffness), None, true) =
            (card.numbers().position(|f| f.name == name), kinetic, stiffness, known(name), spec.as_forces)
        {
            spec.numbers[i] = share * level / stiffness;
        }
    }
    // A Stribeck velocity carried over may have overtaken the default end of the fall.
    let place = |name: &str| card.numbers().position(|f| f.name == name);
    if let (Some(s), Some(d)) = (place("v_s"), place("v_d"))
        && spec.numbers[d] <= spec.numbers[s]
    {
        spec.numbers[d] = 10.0 * spec.numbers[s];
    }
    spec
}

/// What the operating system says, without its number.
pub(crate) fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        std::io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        std::io::ErrorKind::InvalidData => "it is not a text file".to_owned(),
        _ => error.to_string(),
    }
}

fn read_solver(reader: &Reader, root: &DeTable) -> Result<Solver, ScenarioError> {
    let mut solver = Solver::default();
    let card = SolverSettings::<f64>::CARD;
    let Some(value) = root.get("solver") else {
        solver.rtol = card.defaults()[0];
        solver.atol = solver.rtol;
        return Ok(solver);
    };
    let spec = reader.spec(&card, "solver", value, "1", None)?;
    solver.rtol = spec.numbers[0];
    solver.atol = if spec.numbers[1].is_nan() { spec.numbers[0] } else { spec.numbers[1] };
    solver.h_max = Some(spec.numbers[2]).filter(|h| !h.is_nan());
    solver.max_steps = spec.numbers[3] as usize;
    if let Some(word) = spec.named("method").first() {
        let unknown = || {
            let near = bristle_core::nearest(word, Method::ALL.iter().map(|m| m.card().name));
            let hint = if word == "generalised_alpha" {
                "it moves cables: `method` in [cable_solver] names it".to_owned()
            } else {
                near.map_or_else(
                    || "`bristle list methods` lists them".to_owned(),
                    |n| format!("did you mean `{n}`?"),
                )
            };
            reader
                .error(Problem::UnknownKind { what: "method".to_owned(), name: word.clone() })
                .at(reader.span_of(root, &["solver", "method"]))
                .hint(hint)
        };
        solver.method = Method::named(word).ok_or_else(unknown)?;
    }
    Ok(solver)
}

/// The cable of the scenario, if it has one.
fn read_cable(
    reader: &Reader,
    root: &DeTable,
    parts: &[(String, Spec)],
) -> Result<Option<CableModel>, ScenarioError> {
    let card = CableSettings::<f64>::CARD;
    let settings = root
        .get("cable_solver")
        .map(|value| reader.spec(&card, "cable_solver", value, "1", None))
        .transpose()?;
    cable::build(parts, settings.as_ref()).map_err(|fault| {
        let span = reader.span_of(root, &["parts", &fault.part, fault.key]);
        let problem = Problem::Part { part: fault.part.clone(), reason: fault.reason.clone() };
        reader.error(problem).at(span).hint(fault.hint.clone())
    })
}

fn read_studies(reader: &Reader, root: &DeTable) -> Result<Vec<Study>, ScenarioError> {
    let missing = || {
        reader
            .error(Problem::MissingSection { section: "[studies]" })
            .hint("ask a question: [studies.run] with kind = \"simulate\" and duration = \"10 s\"")
    };
    let value = root.get("studies").ok_or_else(missing)?;
    let table = reader.table("studies", value)?;
    let mut studies = Vec::new();
    for (name, value) in table {
        let name = name.get_ref().to_string();
        let kinds = StudyKind::ALL.iter().map(|k| k.card());
        let card = reader.kind_of("study", &name, value, kinds)?;
        let spec = reader.spec(&card, &format!("study `{}`", card.name), value, "1", None)?;
        let kind = StudyKind::named(card.name).ok_or_else(missing)?;
        if let Some((key, reason)) = kind.fault(&spec) {
            let span = reader.span_of(root, &["studies", &name, key]);
            let hint = format!("`bristle show {}` explains its parameters", card.name);
            return Err(reader.error(Problem::Study { study: name, reason }).at(span).hint(hint));
        }
        studies.push(Study { name, kind, spec });
    }
    if studies.is_empty() {
        return Err(missing());
    }
    Ok(studies)
}

/// Points a fault of the mechanism at the place in the file that caused it.
fn place(reader: &Reader, root: &DeTable, error: MechError) -> ScenarioError {
    let (path, hint): (Vec<String>, Option<String>) = match &error {
        MechError::NoSuchPart { part, field, hint, .. } => (
            vec![part.clone(), field.clone()],
            Some(hint.as_ref().map_or_else(
                || "bodies are parts of kind mass, planar_mass, trolley, drive or anchor; `ground` is always there".to_owned(),
                |h| format!("did you mean `{h}`?"),
            )),
        ),
        MechError::NotABody { part, field, .. } => (
            vec![part.clone(), field.clone()],
            Some("bodies are parts of kind mass, planar_mass, trolley, drive or anchor".to_owned()),
        ),
        MechError::SelfJoined { part, .. } | MechError::NothingMoves { part, .. } | MechError::NotPlanar { part, .. } => {
            (vec![part.clone(), "between".to_owned()], None)
        }
        MechError::NoLoad { part } => (
            vec![part.clone()],
            Some("give `load = \"100 N\"`, or a part of kind gravity so that the body's weight counts, or state the law in forces (`F_s`, `F_d`)".to_owned()),
        ),
        MechError::LoadAndForces { part } => (
            vec![part.clone(), "load".to_owned()],
            Some("remove `load`, or give the law's coefficients (`mu_s`, `mu_d`) instead of forces".to_owned()),
        ),
        MechError::Law { part, law, .. } => {
            (vec![part.clone(), "law".to_owned()], Some(format!("`bristle show {law}` explains its parameters")))
        }
        MechError::Signal { part, field, .. } => (vec![part.clone(), field.clone()], None),
        MechError::Duplicate { name } if name == "ground" => (
            vec![name.clone()],
            Some("`ground` is always there; give this part another name".to_owned()),
        ),
        MechError::Duplicate { name } => (vec![name.clone()], None),
        MechError::Empty => (Vec::new(), Some("add a part of kind mass, planar_mass or trolley".to_owned())),
        _ => (Vec::new(), None),
    };
    let mut keys = vec!["parts"];
    keys.extend(path.iter().map(String::as_str));
    let span = reader.span_of(root, &keys);
    reader.error(Problem::Mech(error)).at(span).maybe_hint(hint)
}
