use crate::failure::Failure;
use crate::reply::Reply;
use crate::watch::Watch;
use bristle::cases::{CaseOutcome, Comparison};
use bristle::{CaseKind, RunError};
use bristle_record::{ExtraFile, Verdict, check_folder, render, write_folder};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Run a published experiment again: every printed number beside ours, and the figures.
#[derive(Debug, clap::Args)]
pub struct Reproduce {
    /// Which case, or `all`; `bristle list cases` lists them.
    case: String,
    /// Folder for the results; `out/<case>` unless given. For `all` each case has a folder within it.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the comparisons as JSON.
    #[arg(long)]
    json: bool,
}

impl Reproduce {
    pub fn obey(self) -> Result<Reply, Failure> {
        let plan = self.plan()?;
        for (_, folder) in &plan {
            check_folder(folder).map_err(Failure::Folder)?;
        }
        let mut replies = Vec::new();
        let mut all = serde_json::Map::new();
        for (case, folder) in &plan {
            let mut watch = Watch::new();
            let outcome = case.reproduce(&mut watch);
            watch.finish();
            let outcome = outcome.map_err(|e| match e {
                RunError::Stopped => Failure::Interrupted,
                other => Failure::Run(other),
            })?;
            replies.push(write(folder, &outcome)?);
            all.insert(case.card().name.to_owned(), json!(outcome.cells));
        }
        if self.json {
            let text = serde_json::to_string_pretty(&all);
            return text.map(Reply).map_err(|e| Failure::Folder(e.into()));
        }
        Ok(Reply(replies.join("\n")))
    }

    /// The cases asked for, each with its folder.
    fn plan(&self) -> Result<Vec<(CaseKind, PathBuf)>, Failure> {
        let default = PathBuf::from("out");
        if self.case == "all" {
            let root = self.out.as_ref().unwrap_or(&default);
            return Ok(CaseKind::ALL.iter().map(|kind| (*kind, root.join(kind.card().name))).collect());
        }
        let kind = CaseKind::named(&self.case).ok_or_else(|| {
            let near = bristle_core::nearest(&self.case, CaseKind::ALL.iter().map(|k| k.card().name));
            let hint = near.map_or_else(
                || "`bristle list cases` lists them; `all` runs all of them".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            Failure::Unknown { what: "case", name: self.case.clone(), hint }
        })?;
        let folder = self.out.clone().unwrap_or_else(|| default.join(&self.case));
        Ok(vec![(kind, folder)])
    }
}

/// Writes the folder and says what came out.
fn write(folder: &Path, outcome: &CaseOutcome) -> Result<String, Failure> {
    let cells = serde_json::to_string_pretty(&outcome.cells).map_err(|e| Failure::Folder(e.into()))?;
    let extra = [ExtraFile::text("cells.json", cells + "\n")];
    write_folder(folder, &outcome.record, &outcome.data, &extra).map_err(Failure::Folder)?;
    let title = bristle_record::markup::plain(&outcome.record.title);
    let facts = render::text::facts(&outcome.record);
    let mut text = format!("{title}\n\n{facts}");
    for cell in outcome.cells.iter().filter(|c| c.verdict == Verdict::Differs) {
        text += &differing(cell);
    }
    Ok(text + &format!("\nreport: {}\n", folder.join("report.html").display()))
}

fn differing(cell: &Comparison) -> String {
    let expected = match cell.reference {
        Some(reference) if cell.published.is_empty() => format!("{reference}"),
        _ => cell.published.clone(),
    };
    format!("differs: {} ({}), {} instead of {expected} {}\n", cell.id, cell.place, cell.computed, cell.unit)
}
