//! Where results go, shared by all commands that make some.

use crate::failure::Failure;
use crate::reply::{FAILED, INTERRUPTED, Reply, UNKNOWN};
use crate::{origin, stop};
use bristle::{Outcome, Scenario, StudyState, facts_json};
use bristle_record::markup::plain;
use bristle_record::{
    Block, ExtraFile, Record, RecordError, Sheet, WrittenFolder, check_folder, holds_result, render,
    write_folder,
};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Where and how results are shown.
#[derive(Debug, clap::Args)]
pub struct OutputArgs {
    /// Folder for the results; `out/<name of the scenario>` unless given.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the result as JSON.
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
    /// Print nothing but errors.
    #[arg(long, short)]
    quiet: bool,
    /// Open the report when it is written.
    #[arg(long)]
    open: bool,
}

impl OutputArgs {
    /// The folder, once it is clear that results can be written there: a long run must not end in vain.
    pub fn folder(&self, scenario: &Path, suffix: &str) -> Result<PathBuf, Failure> {
        let stem = match scenario.file_stem() {
            Some(stem) if scenario != Path::new("-") => stem.to_string_lossy(),
            _ => "scenario".into(),
        };
        let folder = self.out.clone().unwrap_or_else(|| Path::new("out").join(format!("{stem}{suffix}")));
        let real = |path: &Path| path.canonicalize().ok();
        if let (Some(scenario), Some(inside)) = (real(scenario), real(&folder))
            && scenario.starts_with(&inside)
        {
            return Err(Failure::ScenarioInside { scenario, folder });
        }
        check_folder(&folder).map_err(Failure::Folder)?;
        Ok(folder)
    }

    /// Writes the results and says what they are and where.
    pub fn write(&self, folder: &Path, scenario: &Scenario, outcome: &Outcome) -> Result<Reply, Failure> {
        if outcome.stopped_early && is_bare(outcome) {
            return Err(Failure::Interrupted);
        }
        stop::keep();
        // A whole result is worth more than a part of one.
        let folder = match outcome.stopped_early && holds_result(folder) {
            true => beside(folder, "partial"),
            false => folder.to_path_buf(),
        };
        let facts = facts_json(scenario, outcome).map_err(Failure::Folder)?;
        let mut extra =
            vec![ExtraFile::text("scenario.toml", &scenario.text), ExtraFile::text("facts.json", facts)];
        extra.extend(outcome.files.iter().cloned());
        let mut record = outcome.record.clone();
        record.origin = origin::sentence(scenario);
        let written = write_safely(&folder, &record, &outcome.sheets(), &extra)?;
        for store in &outcome.stores {
            // The cells are in the results now; a store left over costs nothing but its room.
            let _ = store.discard();
        }
        let code = match (outcome.stopped_early, outcome.failures().next()) {
            (true, _) => INTERRUPTED,
            (false, Some(_)) => FAILED,
            (false, None) if !outcome.unknown.is_empty() => UNKNOWN,
            (false, None) => 0,
        };
        self.said(&written, outcome).map(|reply| reply.with_code(code))
    }

    /// What was found, and where it is.
    fn said(&self, written: &WrittenFolder, outcome: &Outcome) -> Result<Reply, Failure> {
        let report = written.folder.join("report.html");
        if self.open {
            show(&report);
        }
        if self.quiet {
            return Ok(Reply::new(String::new()));
        }
        if !self.json {
            return Ok(Reply::new(facts_and_place(&outcome.record, &report) + &kept(written) + &left_out()));
        }
        let shown = |paths: &[PathBuf]| paths.iter().map(|f| f.display().to_string()).collect::<Vec<_>>();
        let failed: Vec<_> =
            outcome.failures().map(|(study, reason)| json!({ "study": study, "error": reason })).collect();
        let further = json!({
            "folder": written.folder.display().to_string(),
            "report": report.display().to_string(),
            "files": shown(&written.files),
            "kept": shown(&written.kept),
            "stopped_early": outcome.stopped_early,
            "failed": failed,
            "unknown": outcome.unknown,
            "estimates": estimates(outcome),
        });
        let further = further.as_object().cloned().unwrap_or_default();
        let text = render::json::with(&without_figures(&outcome.record), &further);
        text.map(Reply::new).map_err(Failure::Folder)
    }
}

/// Opens a file with the program the desktop has for it. Where there is none, the report lies where the reply says.
pub fn show(path: &Path) {
    use std::process::{Command, Stdio};
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let silent = Stdio::null;
    let _ = Command::new(program).arg(path).stdin(silent()).stdout(silent()).stderr(silent()).spawn();
}

/// Estimates of fits, for programs.
fn estimates(outcome: &Outcome) -> Vec<serde_json::Value> {
    let own = outcome.files.iter().filter(|file| file.name.ends_with("estimates.json"));
    own.filter_map(|file| serde_json::from_slice(&file.bytes).ok()).collect()
}

/// What a build for a quick start has not written, and how to get it.
fn left_out() -> String {
    let parts = bristle::left_out();
    if parts.is_empty() {
        return String::new();
    }
    format!(
        "This build, made for a first look, leaves out {},\nand is slow at maps, cycles and fits; `cargo install --path crates/bristle-cli` has all.\n",
        parts.join(" and ")
    )
}

/// Whether there is nothing worth keeping: no study ended, and none has more than its start.
fn is_bare(outcome: &Outcome) -> bool {
    outcome.studies.iter().all(|study| {
        let rows = study.data.columns.first().map_or(0, |c| c.values.len());
        study.state != StudyState::Complete && rows <= 1
    })
}

/// A folder of that name and another ending.
pub(super) fn beside(folder: &Path, ending: &str) -> PathBuf {
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
    let name = folder.file_name().or(real.file_name()).unwrap_or_default().to_string_lossy().into_owned();
    match folder.file_name() {
        Some(_) => folder.with_file_name(format!("{name}-{ending}")),
        // Such as `.` or `..`.
        None => real.with_file_name(format!("{name}-{ending}")),
    }
}

/// Writes results to the folder, or beside it if somebody else has put something there while they were computed.
pub(super) fn write_safely(
    folder: &Path,
    record: &Record,
    sheets: &[Sheet],
    extra: &[ExtraFile],
) -> Result<WrittenFolder, Failure> {
    let mut written = write_folder(folder, record, sheets, extra);
    for k in 2..100 {
        if !matches!(written, Err(RecordError::NotOurs { .. } | RecordError::NotAFolder { .. })) {
            break;
        }
        written = write_folder(&beside(folder, &k.to_string()), record, sheets, extra);
    }
    written.map_err(Failure::Folder)
}

/// Says where files of the user's went that stood in the way.
pub(super) fn kept(written: &WrittenFolder) -> String {
    let line = |path: &PathBuf| format!("kept what was there before: {}\n", path.display());
    written.kept.iter().map(line).collect()
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
        section.blocks.retain(|b| {
            !matches!(b, Block::Plot(_) | Block::PlotGrid(_) | Block::Animation(_) | Block::Schematic(_))
        });
    }
    record.sections.retain(|s| !s.blocks.is_empty());
    record
}
