use super::changes::ChangeArgs;
use crate::failure::Failure;
use crate::reply::Reply;
use bristle::Scenario;
use std::path::PathBuf;

/// Read a scenario and say whether it is in order, without running it.
#[derive(Debug, clap::Args)]
pub struct Check {
    /// The scenario file.
    scenario: PathBuf,
    #[command(flatten)]
    changes: ChangeArgs,
}

impl Check {
    pub fn obey(self) -> Result<Reply, Failure> {
        let scenario = self.changes.apply(Scenario::from_file(&self.scenario)?)?;
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
        Ok(Reply::new(text))
    }
}
