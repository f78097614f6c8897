//! The commands, one file each.

mod advise;
mod bench;
mod certify;
mod changes;
mod check;
mod compare;
mod completions;
mod export;
mod fit;
mod lab;
mod list;
mod new;
mod output;
mod plan;
mod reproduce;
mod run;
mod schema;
mod show;
mod slurm;
mod suggest;
mod vary;

pub use vary::with_slurm_joined;

use crate::failure::Failure;
use crate::reply::Reply;
use bristle::{LawKind, Scenario};
use std::io::Read;
use std::path::Path;

/// What a user can ask for.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Run(run::RunArgs),
    Check(check::Check),
    Compare(compare::Compare),
    Fit(fit::FitArgs),
    Advise(advise::Advise),
    Vary(Box<vary::VaryArgs>),
    Gather(vary::Gather),
    Certify(certify::Certify),
    Reproduce(reproduce::Reproduce),
    Bench(bench::BenchArgs),
    Plan(plan::PlanArgs),
    Suggest(suggest::Suggest),
    Export(export::Export),
    List(list::List),
    Show(show::Show),
    New(new::New),
    Lab(lab::Lab),
    Schema(schema::Schema),
    Completions(completions::Completions),
    #[command(hide = true)]
    Pages(completions::Pages),
}

impl Command {
    /// Does it.
    pub fn obey(self) -> Result<Reply, Failure> {
        match self {
            Command::Run(run) => run.obey(),
            Command::Check(check) => check.obey(),
            Command::Compare(compare) => compare.obey(),
            Command::Fit(fit) => fit.obey(),
            Command::Advise(advise) => advise.obey(),
            Command::Vary(vary) => vary.obey(),
            Command::Gather(gather) => gather.obey(),
            Command::Certify(certify) => certify.obey(),
            Command::Reproduce(reproduce) => reproduce.obey(),
            Command::Bench(bench) => bench.obey(),
            Command::Plan(plan) => plan.obey(),
            Command::Suggest(suggest) => suggest.obey(),
            Command::Export(export) => export.obey(),
            Command::List(list) => list.obey(),
            Command::Show(show) => show.obey(),
            Command::New(new) => new.obey(),
            Command::Lab(lab) => lab.obey(),
            Command::Schema(schema) => schema.obey(),
            Command::Completions(completions) => completions.obey(),
            Command::Pages(pages) => pages.obey(),
        }
    }
}

/// The scenario of a file, or of standard input where the file is called `-`.
pub(crate) fn scenario_named(path: &Path) -> Result<Scenario, Failure> {
    if path != Path::new("-") {
        return Ok(Scenario::from_file(path)?);
    }
    let mut text = String::new();
    let read = std::io::stdin().lock().take(LONGEST_INPUT).read_to_string(&mut text);
    read.map_err(|e| Failure::Input { reason: e.to_string() })?;
    Ok(Scenario::from_text(&text, "standard input", Path::new("."))?)
}

/// More than this is no scenario that somebody pipes in.
const LONGEST_INPUT: u64 = 16 << 20;

/// The laws a scenario file brings along; nothing if this is not the name of a file.
pub(crate) fn laws_of_file(name: &str) -> Result<Option<Vec<LawKind>>, Failure> {
    if !name.ends_with(".toml") {
        return Ok(None);
    }
    bristle::Scenario::laws_of_file(std::path::Path::new(name)).map(Some).map_err(Failure::Scenario)
}

/// The law of that name, or one that is near.
pub(crate) fn law_named(name: &str) -> Result<LawKind, Failure> {
    LawKind::named(name).ok_or_else(|| {
        let near = bristle_core::nearest(name, LawKind::ALL.iter().map(|k| k.card().name));
        let hint = near.map_or_else(
            || "`bristle list laws` lists them".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        Failure::Unknown { what: "law", name: name.to_owned(), hint }
    })
}
