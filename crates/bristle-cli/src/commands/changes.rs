//! Numbers changed on the command line, shared by all commands that run a scenario.

use crate::failure::Failure;
use bristle::{Scenario, ScenarioError};

/// What is changed before anything else.
#[derive(Debug, clap::Args)]
pub struct ChangeArgs {
    /// Change a number of the scenario, such as `belt.v=0.3` or `tie.k="5 kN/m"`; bare numbers are in SI units.
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
}

impl ChangeArgs {
    /// The scenario with the numbers changed.
    pub fn apply(&self, scenario: Scenario) -> Result<Scenario, Failure> {
        if self.set.is_empty() {
            return Ok(scenario);
        }
        let change = |entry: &String| {
            bristle::vary::change(&scenario, entry)
                .map_err(|(problem, hint)| Failure::Scenario(ScenarioError::new(problem).hint(hint)))
        };
        let changes = self.set.iter().map(change).collect::<Result<Vec<_>, _>>()?;
        let changes: Vec<(&str, f64)> = changes.iter().map(|(path, value)| (path.as_str(), *value)).collect();
        scenario.with(&changes).map_err(Failure::of_run)
    }
}
