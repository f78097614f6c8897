//! Where results go, shared by all commands that make some.

use crate::failure::Failure;
use crate::reply::Reply;
use bristle::{Outcome, Scenario};
use bristle_record::markup::plain;
use bristle_record::{Block, ExtraFile, Record, check_folder, render, write_folder};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Where and how results are shown.
#[derive(Debug, clap::Args)]
pub struct Output {
    /// Folder for the results; `out/<name of the scenario>` unless given.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

impl Output {
    /// The folder, once it is clear that results can be written there: a long run must not end in vain.
    pub fn folder(&self, scenario: &Path, suffix: &str) -> Result<PathBuf, Failure> {
        let stem = scenario.file_stem().unwrap_or(scenario.as_os_str()).to_string_lossy();
        let folder = self.out.clone().unwrap_or_else(|| Path::new("out").join(format!("{stem}{suffix}")));
        check_folder(&folder).map_err(Failure::Folder)?;
        Ok(folder)
    }

    /// Writes the results and says what they are and where.
    pub fn write(&self, folder: &Path, scenario: &Scenario, outcome: &Outcome) -> Result<Reply, Failure> {
        let is_bare = outcome.data.columns.first().is_some_and(|c| c.values.len() <= 1);
        if outcome.stopped_early && is_bare {
            return Err(Failure::Interrupted);
        }
        let extra = [ExtraFile::text("scenario.toml", &scenario.text)];
        let written =
            write_folder(folder, &outcome.record, &outcome.data, &extra).map_err(Failure::Folder)?;
        let report = folder.join("report.html");
        if self.json {
            let files: Vec<_> = written.files.iter().map(|f| f.display().to_string()).collect();
            let further = json!({
                "folder": folder.display().to_string(),
                "report": report.display().to_string(),
                "files": files,
                "stopped_early": outcome.stopped_early,
            });
            let further = further.as_object().cloned().unwrap_or_default();
            return match render::json::with(&without_figures(&outcome.record), &further) {
                Ok(text) => Ok(Reply(text)),
                Err(error) => Err(Failure::Folder(error)),
            };
        }
        let text = facts_and_place(&outcome.record, &report);
        Ok(Reply(text))
    }
}

/// The facts, or the first tables where there are none, and where the report is.
fn facts_and_place(record: &Record, report: &Path) -> String {
    let mut text = format!("{}\n\n{}", plain(&record.title), render::text::facts(record));
    if record.facts.is_empty() {
        let blocks = record.sections.first().map_or(&[][..], |section| &section.blocks);
        for block in blocks {
            if let Block::Table(table) = block {
                text += &render::text::table(table);
            }
        }
    }
    format!("{text}\nreport: {}\n", report.display())
}

/// The record without what belongs on paper.
pub(super) fn without_figures(record: &Record) -> Record {
    let mut record = record.clone();
    for section in &mut record.sections {
        section.blocks.retain(|b| !matches!(b, Block::Plot(_) | Block::PlotGrid(_) | Block::Animation(_)));
    }
    record.sections.retain(|s| !s.blocks.is_empty());
    record
}
