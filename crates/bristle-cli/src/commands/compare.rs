use super::changes::ChangeArgs;
use super::law_named;
use super::output::OutputArgs;
use super::scenario_named;
use crate::failure::Failure;
use crate::reply::Reply;
use crate::watch::ProgressDisplay;
use std::path::PathBuf;

/// Run one scenario under several friction laws and lay the results side by side.
#[derive(Debug, clap::Args)]
pub struct Compare {
    /// The scenario file; `-` reads it from standard input.
    scenario: PathBuf,
    #[command(flatten)]
    changes: ChangeArgs,
    /// The laws, such as `coulomb,lugre,elasto_plastic`.
    #[arg(long, value_delimiter = ',', required = true, value_name = "LAWS")]
    laws: Vec<String>,
    #[command(flatten)]
    output: OutputArgs,
}

impl Compare {
    pub fn obey(self) -> Result<Reply, Failure> {
        let laws = self.laws.iter().map(|name| law_named(name.trim())).collect::<Result<Vec<_>, _>>()?;
        let scenario = self.changes.apply(scenario_named(&self.scenario)?)?;
        let folder = self.output.folder(&self.scenario, "-laws")?;
        let mut watch = ProgressDisplay::new();
        let outcome = bristle::compare(&scenario, &laws, &mut watch);
        watch.finish();
        self.output.write(&folder, &scenario, &outcome.map_err(Failure::of_run)?)
    }
}
