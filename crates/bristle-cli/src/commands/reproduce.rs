use super::output::{beside, kept, write_safely};
use crate::failure::Failure;
use crate::reply::{INTERRUPTED, Reply};
use crate::stop;
use crate::watch::ProgressDisplay;
use bristle::cases::{CaseOutcome, CellComparison, front_page};
use bristle::{CaseKind, Progress};
use bristle_record::{
    ExtraFile, Fact, Sheet, Tone, Verdict, check_folder, files_within, holds_result, render,
};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Run a published experiment again: every printed number beside ours, and the figures.
#[derive(Debug, clap::Args)]
pub struct Reproduce {
    /// Which case, or `all`; `bristle list cases` lists them.
    case: String,
    /// Folder for the results; `out/<case>` unless given. For `all` it has a front page and a folder for each case.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the comparisons as JSON.
    #[arg(long)]
    json: bool,
}

impl Reproduce {
    pub fn obey(self) -> Result<Reply, Failure> {
        if self.case == "all" {
            return self.all();
        }
        let (case, folder) = self.plan()?;
        check_folder(&folder).map_err(Failure::Folder)?;
        let mut watch = ProgressDisplay::new();
        let outcome = case.reproduce(&mut watch);
        watch.finish();
        let outcome = outcome.map_err(Failure::of_run)?;
        if stop::is_wanted() {
            // Numbers of runs that were cut short agree with nothing.
            return Err(Failure::Interrupted);
        }
        stop::keep();
        let extra = [cells_file(&json!(outcome.cells))?];
        let sheets = [Sheet::new(case.card().name, outcome.data.clone())];
        let written = write_safely(&folder, &outcome.record, &sheets, &extra)?;
        if self.json {
            let all = json!({ case.card().name: outcome.cells });
            return serde_json::to_string_pretty(&all).map(Reply::new).map_err(|e| Failure::Folder(e.into()));
        }
        let report = written.folder.join("report.html");
        Ok(Reply::new(format!("{}\nreport: {}\n{}", said(&outcome), report.display(), kept(&written))))
    }

    /// Every case in one folder, with a front page. An interruption keeps the cases that are whole.
    fn all(self) -> Result<Reply, Failure> {
        let folder = self.out.clone().unwrap_or_else(|| PathBuf::from("out/all"));
        check_folder(&folder).map_err(Failure::Folder)?;
        let mut outcomes: Vec<(CaseKind, CaseOutcome)> = Vec::new();
        let mut watch = ProgressDisplay::new();
        let mut stopped = false;
        for (i, case) in CaseKind::ALL.iter().enumerate() {
            let mut share = Share { watch: &mut watch, case: case.card().name, i, of: CaseKind::ALL.len() };
            match case.reproduce(&mut share) {
                // Numbers of runs that were cut short agree with nothing.
                _ if stop::is_wanted() && !outcomes.is_empty() => {
                    stopped = true;
                    break;
                }
                Ok(outcome) if !stop::is_wanted() => outcomes.push((*case, outcome)),
                Ok(_) => return Err(Failure::Interrupted),
                Err(other) => return Err(Failure::of_run(other)),
            }
        }
        watch.finish();
        stop::keep();
        let folder = if stopped && holds_result(&folder) { beside(&folder, "partial") } else { folder };
        let mut page = front_page(&outcomes);
        if stopped {
            let words = format!("{} of {} papers", outcomes.len(), CaseKind::ALL.len());
            page.facts.insert(0, Fact::verdict("stopped early", words, Tone::Warn));
            page.is_partial = true;
            // Whole cases, but somebody waits.
            outcomes.iter_mut().for_each(|(_, outcome)| outcome.record.is_partial = true);
        }
        let cells: serde_json::Map<String, serde_json::Value> =
            outcomes.iter().map(|(case, o)| (case.card().name.to_owned(), json!(o.cells))).collect();
        let cells = serde_json::Value::Object(cells);
        let mut extra = vec![cells_file(&cells)?];
        for (case, outcome) in &outcomes {
            let own = [cells_file(&json!(outcome.cells))?];
            let sheets = [Sheet::new(case.card().name, outcome.data.clone())];
            let files = files_within(case.card().name, &outcome.record, &sheets, &own);
            extra.extend(files.map_err(Failure::Folder)?);
        }
        let written = write_safely(&folder, &page, &[], &extra)?;
        let code = if stopped { INTERRUPTED } else { 0 };
        if self.json {
            let text = serde_json::to_string_pretty(&cells).map_err(|e| Failure::Folder(e.into()))?;
            return Ok(Reply::new(text).with_code(code));
        }
        let differing: String = outcomes.iter().flat_map(|(_, o)| &o.cells).filter_map(differing).collect();
        let facts = render::text::facts(&page);
        let report = written.folder.join("report.html");
        let (title, report, kept) = (&page.title, report.display(), kept(&written));
        let text = format!("{title}\n\n{facts}{differing}\nreport: {report}\n{kept}");
        Ok(Reply::new(text).with_code(code))
    }

    /// The case asked for, and its folder.
    fn plan(&self) -> Result<(CaseKind, PathBuf), Failure> {
        let kind = CaseKind::named(&self.case).ok_or_else(|| {
            let near = bristle_core::nearest(&self.case, CaseKind::ALL.iter().map(|k| k.card().name));
            let hint = near.map_or_else(
                || "`bristle list cases` lists them; `all` runs all of them".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            Failure::Unknown { what: "case", name: self.case.clone(), hint }
        })?;
        Ok((kind, self.out.clone().unwrap_or_else(|| Path::new("out").join(&self.case))))
    }
}

/// One case's share of the whole bar.
struct Share<'a> {
    watch: &'a mut ProgressDisplay,
    case: &'static str,
    i: usize,
    of: usize,
}

impl Progress for Share<'_> {
    fn begin(&mut self, what: &str) {
        self.watch.begin(&format!("{}: {what}", self.case));
    }

    fn at(&mut self, fraction: f64) -> bool {
        self.watch.at((self.i as f64 + fraction) / self.of as f64)
    }
}

fn cells_file(cells: &serde_json::Value) -> Result<ExtraFile, Failure> {
    let text = serde_json::to_string_pretty(cells).map_err(|e| Failure::Folder(e.into()))?;
    Ok(ExtraFile::text("cells.json", text + "\n"))
}

/// What came out of a case.
fn said(outcome: &CaseOutcome) -> String {
    let title = bristle_record::markup::plain(&outcome.record.title);
    let facts = render::text::facts(&outcome.record);
    let differing: String = outcome.cells.iter().filter_map(differing).collect();
    format!("{title}\n\n{facts}{differing}")
}

fn differing(cell: &CellComparison) -> Option<String> {
    if cell.verdict != Verdict::Differs {
        return None;
    }
    let expected = match cell.reference {
        Some(reference) if cell.published.is_empty() => format!("{reference}"),
        _ => cell.published.clone(),
    };
    let (id, place, computed) = (&cell.id, &cell.place, cell.computed);
    Some(format!("differs: {id} ({place}), {computed} instead of {expected} {}\n", cell.unit))
}
