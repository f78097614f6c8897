use super::output::{kept, write_safely};
use crate::failure::Failure;
use crate::reply::Reply;
use crate::stop;
use crate::watch::ProgressDisplay;
use bristle::benchmark::{BenchmarkError, export, score};
use bristle_record::{Block, check_folder, render};
use serde_json::json;
use std::path::PathBuf;

/// Write the benchmark pack for other simulators, or score a result made by one.
#[derive(Debug, clap::Args)]
pub struct BenchArgs {
    #[command(subcommand)]
    task: BenchTask,
}

#[derive(Debug, clap::Subcommand)]
enum BenchTask {
    /// Write every test problem with its reference solution and a description.
    Export {
        /// Folder for the pack.
        dir: PathBuf,
    },
    /// Say how far a CSV file is off the reference of one problem.
    Score {
        /// The problem's folder within a pack, such as `pack/belt`.
        dir: PathBuf,
        /// The foreign result: a column `time`, and columns named as in `reference.csv`.
        #[arg(long, value_name = "FILE")]
        theirs: PathBuf,
        /// Folder for a report with figures; none unless given.
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// Print the errors as JSON.
        #[arg(long)]
        json: bool,
    },
}

fn failure(error: BenchmarkError) -> Failure {
    Failure::Pack { hint: error.hint(), error: Box::new(error) }
}

impl BenchArgs {
    pub fn obey(self) -> Result<Reply, Failure> {
        match self.task {
            BenchTask::Export { dir } => {
                check_folder(&dir).map_err(Failure::Folder)?;
                let mut watch = ProgressDisplay::new();
                let pack = export(&mut watch);
                watch.finish();
                let pack = pack.map_err(Failure::of_run)?;
                if stop::is_wanted() {
                    return Err(Failure::Interrupted);
                }
                stop::keep();
                let written = write_safely(&dir, &pack.record, &[], &pack.files)?;
                let table = match pack.record.sections.first().and_then(|s| s.blocks.first()) {
                    Some(Block::Table(table)) => render::text::table(table),
                    _ => String::new(),
                };
                let readme = written.folder.join("README.md");
                Ok(Reply::new(format!("{table}\npack: {}\n{}", readme.display(), kept(&written))))
            }
            BenchTask::Score { dir, theirs, out, json } => {
                if let Some(out) = &out {
                    check_folder(out).map_err(Failure::Folder)?;
                }
                let score = score(&dir, &theirs).map_err(failure)?;
                let written =
                    out.as_ref().map(|out| write_safely(out, &score.record, &[], &[])).transpose()?;
                if json {
                    let all = json!({
                        "problem": score.problem,
                        "columns": score.misfits,
                        "missing": score.missing,
                        "coverage": score.coverage,
                        "is_good": score.is_good,
                    });
                    return serde_json::to_string_pretty(&all)
                        .map(Reply::new)
                        .map_err(|e| Failure::Folder(e.into()));
                }
                let mut text = render::text::facts(&score.record) + "\n";
                if let Some(Block::Table(table)) =
                    score.record.sections.first().and_then(|s| s.blocks.first())
                {
                    text += &render::text::table(table);
                }
                if let Some(written) = written {
                    let report = written.folder.join("report.html");
                    text += &format!("\nreport: {}\n{}", report.display(), kept(&written));
                }
                Ok(Reply::new(text))
            }
        }
    }
}
