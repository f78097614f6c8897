use super::changes::ChangeArgs;
use super::output::OutputArgs;
use super::scenario_named;
use crate::failure::Failure;
use crate::reply::Reply;
use crate::watch::ProgressDisplay;
use std::path::PathBuf;

/// Answer the questions of a scenario: figures, data and a report in a folder.
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// The scenario file; `-` reads it from standard input.
    scenario: PathBuf,
    #[command(flatten)]
    changes: ChangeArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl RunArgs {
    pub fn obey(self) -> Result<Reply, Failure> {
        let scenario = self.changes.apply(scenario_named(&self.scenario)?)?;
        let folder = self.output.folder(&self.scenario, "")?;
        let mut watch = ProgressDisplay::new();
        let outcome = bristle::run(&scenario, &mut watch);
        watch.finish();
        self.output.write(&folder, &scenario, &outcome.map_err(Failure::of_run)?)
    }
}
