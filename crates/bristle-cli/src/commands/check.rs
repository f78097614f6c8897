use super::changes::ChangeArgs;
use super::scenario_named;
use crate::failure::Failure;
use crate::reply::Reply;
use bristle::Scenario;
use bristle_record::render;
use std::path::{Path, PathBuf};

/// Read a scenario and say whether it is in order, without running it.
#[derive(Debug, clap::Args)]
pub struct Check {
    /// The scenario file; `-` reads it from standard input.
    scenario: PathBuf,
    #[command(flatten)]
    changes: ChangeArgs,
    /// Draw the mechanism into this file, as SVG.
    #[arg(long, value_name = "FILE")]
    draw: Option<PathBuf>,
}

impl Check {
    pub fn obey(self) -> Result<Reply, Failure> {
        let scenario = self.changes.apply(scenario_named(&self.scenario)?)?;
        let count = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
        let mut text = format!("{} is in order: {}\n", self.scenario.display(), scenario.title);
        text += &format!(
            "  {}, {}, {}\n",
            count(scenario.parts.len(), "part", "parts"),
            count(scenario.laws_in_use().count(), "contact", "contacts"),
            count(scenario.studies.len(), "study", "studies"),
        );
        for line in scenario.contents() {
            text += &format!("  {line}\n");
        }
        for study in &scenario.studies {
            text += &format!("  study `{}`: {}\n", study.name, study.kind.card().name);
        }
        text += &format!("  outputs: {}\n", scenario.outputs().join(", "));
        for warning in scenario.warnings() {
            text += &format!("  note: {warning}\n");
        }
        if let Some(path) = &self.draw {
            text += &drawn(&scenario, path)?;
        }
        Ok(Reply::new(text))
    }
}

/// Draws the mechanism into a new file, or over a drawing of its own.
fn drawn(scenario: &Scenario, path: &Path) -> Result<String, Failure> {
    let Some(picture) = bristle::schematic::still(scenario) else {
        return Ok("  it has too many parts to be drawn\n".to_owned());
    };
    let is_drawing = |text: String| text.contains("class=\"schematic\"");
    if path.exists() && !std::fs::read_to_string(path).is_ok_and(is_drawing) {
        return Err(Failure::Exists { path: path.to_owned() });
    }
    let text = render::svg::still(&picture);
    let unwritable = |e: std::io::Error| Failure::Unwritable { path: path.to_owned(), reason: e.to_string() };
    std::fs::write(path, text).map_err(unwritable)?;
    Ok(format!("  drawn in {}\n", path.display()))
}
