use super::law_named;
use super::output::OutputArgs;
use crate::failure::Failure;
use crate::reply::Reply;
use crate::watch::ProgressDisplay;
use bristle::{Scenario, StudyKind, record_scenario};
use std::path::PathBuf;

/// Find the numbers of a friction law, and the law, from measured records.
///
/// With a scenario, its studies of kind `fit` are answered. With a CSV file, its columns say what was measured: time, velocity or
/// position, force, and normal force if there is one; without a time, steady points of force against velocity.
#[derive(Debug, clap::Args)]
pub struct FitArgs {
    /// A scenario file, or a CSV file with headings and units.
    file: PathBuf,
    /// The laws to try on a CSV file, such as `dahl,lugre,maxwell_slip`.
    #[arg(long, value_delimiter = ',', value_name = "LAWS")]
    laws: Vec<String>,
    /// Part of a CSV file, from its end, that no fit sees and laws are ranked by.
    #[arg(long, default_value_t = 0.25, value_name = "PART")]
    hold_out: f64,
    #[command(flatten)]
    output: OutputArgs,
}

impl FitArgs {
    pub fn obey(self) -> Result<Reply, Failure> {
        let is_scenario = self.file.extension().is_some_and(|e| e == "toml");
        let mut scenario = if is_scenario {
            Scenario::from_file(&self.file)?
        } else {
            let names = if self.laws.is_empty() { vec!["lugre".to_owned()] } else { self.laws.clone() };
            for name in &names {
                law_named(name.trim())?;
            }
            let text = record_scenario(&self.file, &names, self.hold_out)?;
            let name = self.file.with_extension("toml").display().to_string();
            let folder = self.file.parent().filter(|p| !p.as_os_str().is_empty());
            Scenario::from_text(&text, &name, folder.unwrap_or(std::path::Path::new(".")))?
        };
        scenario.studies.retain(|study| study.kind == StudyKind::Fit);
        if scenario.studies.is_empty() {
            let hint = "add [studies.identify] with kind = \"fit\"".to_owned();
            return Err(Failure::Unknown { what: "study of kind", name: "fit".to_owned(), hint });
        }
        let folder = self.output.folder(&self.file, "-fit")?;
        let mut watch = ProgressDisplay::new();
        let outcome = bristle::run(&scenario, &mut watch);
        watch.finish();
        self.output.write(&folder, &scenario, &outcome.map_err(Failure::of_run)?)
    }
}
