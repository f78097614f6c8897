use super::changes::ChangeArgs;
use super::output::without_figures;
use super::scenario_named;
use crate::failure::Failure;
use crate::reply::{INTERRUPTED, Reply};
use crate::stop;
use crate::watch::ProgressDisplay;
use bristle_record::render;
use std::path::PathBuf;

/// Say which method and which friction law to use for a scenario, from runs of it.
#[derive(Debug, clap::Args)]
pub struct Advise {
    /// The scenario file; its first study of kind `simulate` is run.
    scenario: PathBuf,
    #[command(flatten)]
    changes: ChangeArgs,
    /// Largest error over time, relative to the range of motion.
    #[arg(long, default_value_t = 1e-6, value_name = "ERROR", value_parser = accuracy)]
    accuracy: f64,
    /// Print the advice as JSON.
    #[arg(long)]
    json: bool,
}

fn accuracy(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    if (1e-11..=1e-2).contains(&number) { Ok(number) } else { Err("between 1e-11 and 1e-2".to_owned()) }
}

impl Advise {
    pub fn obey(self) -> Result<Reply, Failure> {
        let scenario = self.changes.apply(scenario_named(&self.scenario)?)?;
        let mut watch = ProgressDisplay::new();
        let advice = bristle::advise(&scenario, self.accuracy, &mut watch);
        watch.finish();
        let advice = advice.map_err(Failure::of_run)?;
        stop::keep();
        let code = if advice.stopped_early { INTERRUPTED } else { 0 };
        let text = if self.json {
            render::json::record(&without_figures(&advice.record)).map_err(Failure::Folder)?
        } else {
            render::text::record(&advice.record)
        };
        Ok(Reply::new(text).with_code(code))
    }
}
