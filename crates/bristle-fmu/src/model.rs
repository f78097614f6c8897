//! What runs inside an importer: a scenario, or a law alone.

use bristle::{LiveRun, Scenario};
use bristle_core::Dual;
use bristle_mech::{LiveInput, OutputChannel, Param, System};
use bristle_solve::{Dynamics, Point, SavedRun, State};

/// A model that an importer steps, or whose equations it integrates. Errors are sentences for its log.
pub trait FmuModel: Send {
    /// What can be set while it runs.
    fn inputs(&self) -> &[LiveInput];
    /// Names and units of the outputs.
    fn channels(&self) -> &[OutputChannel];
    /// All numbers: what they are, in the order of [`params`](FmuModel::params).
    fn cards(&self) -> &[Param];
    /// Their values, inputs among them.
    fn params(&self) -> &[f64];
    /// The states that these numbers let it begin with.
    fn first(&self, params: &[f64]) -> Vec<f64>;
    /// What a user calls a state.
    fn state_name(&self, index: usize) -> String;
    /// How many guards there are.
    fn guard_count(&self) -> usize;

    /// The same from its beginning, with some numbers changed, each by its path; inputs keep their values.
    fn renewed(&self, settings: &[(String, f64)]) -> Result<Box<dyn FmuModel>, String>;
    /// Sets an input.
    fn set_input(&mut self, index: usize, value: f64) -> Result<(), String>;
    /// Lets an input change evenly from its value on.
    fn set_slope(&mut self, index: usize, slope: f64) -> Result<(), String>;
    /// Sets a number while it runs.
    fn set_param(&mut self, path: &str, value: f64) -> Result<(), String>;
    /// Refuses numbers that do not go together, after some were set while it runs.
    fn check(&mut self) -> Result<(), String> {
        Ok(())
    }
    /// Makes the modes consistent with what was set.
    fn settle(&mut self) -> Result<(), String>;
    /// Moves on to a time.
    fn advance(&mut self, t: f64) -> Result<(), String>;
    /// Where it is.
    fn state(&self) -> &State;
    /// All that it goes on from.
    fn save(&mut self) -> Result<SavedRun, String>;
    /// Goes on from what was saved.
    fn restore(&mut self, saved: &SavedRun) -> Result<(), String>;

    /// The rates of the states.
    fn rates(&self, at: Point<f64>, dx: &mut [f64]);
    /// The same with a derivative.
    fn rates_along(&self, at: Point<Dual<1>>, dx: &mut [Dual<1>]);
    /// The guards, positive while the modes hold.
    fn guards(&self, at: Point<f64>, g: &mut [f64]);
    /// Changes modes after guard `fired`.
    fn switch(&self, fired: usize, p: &[f64], state: &mut State);
    /// Makes modes consistent after a jump.
    fn resettle(&self, p: &[f64], state: &mut State);
    /// Moves states that follow from the modes onto their values.
    fn project(&self, p: &[f64], t: f64, x: &mut [f64], mode: &[bristle_core::Mode]);
    /// Whether modes are broken here, for guards of these values.
    fn is_broken(&self, at: Point<f64>, g: &[f64]) -> bool;
    /// What a user calls a guard.
    fn guard_name(&self, index: usize) -> String;
    /// The first break of a signal after `t`.
    fn next_break(&self, p: &[f64], t: f64) -> Option<f64>;
    /// Typical magnitudes of the states.
    fn scales(&self, p: &[f64], scale: &mut [f64]);
    /// The values of all outputs.
    fn observe_into(&self, at: &Point<f64>, out: &mut Vec<f64>);
}

/// A scenario.
pub struct ScenarioModel {
    scenario: Scenario,
    run: LiveRun,
    /// Whether numbers were set since they were last checked.
    is_tuned: bool,
}

impl ScenarioModel {
    /// A scenario at its start.
    ///
    /// # Errors
    /// Inputs that a run could not follow.
    pub fn new(scenario: Scenario) -> Result<ScenarioModel, bristle::RunError> {
        let run = scenario.live()?;
        Ok(ScenarioModel { scenario, run, is_tuned: false })
    }

    fn system(&self) -> &System {
        self.run.system()
    }
}

/// An error as a sentence.
pub(crate) fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl FmuModel for ScenarioModel {
    fn inputs(&self) -> &[LiveInput] {
        self.run.inputs()
    }

    fn channels(&self) -> &[OutputChannel] {
        self.run.channels()
    }

    fn cards(&self) -> &[Param] {
        self.system().param_cards()
    }

    fn params(&self) -> &[f64] {
        self.run.params()
    }

    fn first(&self, params: &[f64]) -> Vec<f64> {
        self.system().initial(params).x
    }

    fn state_name(&self, index: usize) -> String {
        self.system().state_name(index)
    }

    fn guard_count(&self) -> usize {
        self.system().guard_count()
    }

    fn renewed(&self, settings: &[(String, f64)]) -> Result<Box<dyn FmuModel>, String> {
        let changes: Vec<(&str, f64)> =
            settings.iter().map(|(path, value)| (path.as_str(), *value)).collect();
        let scenario = if changes.is_empty() {
            self.scenario.clone()
        } else {
            self.scenario.with(&changes).map_err(words)?
        };
        Ok(Box::new(ScenarioModel::new(scenario).map_err(words)?))
    }

    fn set_input(&mut self, index: usize, value: f64) -> Result<(), String> {
        self.run.set_input_at(index, value).map_err(words)
    }

    fn set_slope(&mut self, index: usize, slope: f64) -> Result<(), String> {
        self.run.set_slope_at(index, slope).map_err(words)
    }

    fn set_param(&mut self, path: &str, value: f64) -> Result<(), String> {
        self.is_tuned = true;
        self.run.set_param(path, value).map_err(words)
    }

    fn check(&mut self) -> Result<(), String> {
        if !self.is_tuned {
            return Ok(());
        }
        let (system, now) = (self.system(), self.run.params());
        let of_inputs = |place: &usize| self.inputs().iter().any(|input| input.places().contains(place));
        let changed = |place: &usize| system.params()[*place].to_bits() != now[*place].to_bits();
        let changes: Vec<(&str, f64)> = (0..now.len())
            .filter(|place| !of_inputs(place) && changed(place))
            .map(|place| (system.param_cards()[place].path.as_str(), now[place]))
            .collect();
        self.scenario.with(&changes).map_err(words)?;
        self.is_tuned = false;
        Ok(())
    }

    fn settle(&mut self) -> Result<(), String> {
        self.run.settle().map_err(words)
    }

    fn advance(&mut self, t: f64) -> Result<(), String> {
        self.run.advance(t).map_err(words)
    }

    fn state(&self) -> &State {
        self.run.state()
    }

    fn save(&mut self) -> Result<SavedRun, String> {
        self.run.save().map_err(words)
    }

    fn restore(&mut self, saved: &SavedRun) -> Result<(), String> {
        self.run.restore(saved).map_err(words)
    }

    fn rates(&self, at: Point<f64>, dx: &mut [f64]) {
        self.system().rates(at, dx);
    }

    fn rates_along(&self, at: Point<Dual<1>>, dx: &mut [Dual<1>]) {
        self.system().rates(at, dx);
    }

    fn guards(&self, at: Point<f64>, g: &mut [f64]) {
        self.system().guards(at, g);
    }

    fn switch(&self, fired: usize, p: &[f64], state: &mut State) {
        self.system().switch(fired, p, state);
    }

    fn resettle(&self, p: &[f64], state: &mut State) {
        self.system().resettle(p, state);
    }

    fn project(&self, p: &[f64], t: f64, x: &mut [f64], mode: &[bristle_core::Mode]) {
        self.system().project(p, t, x, mode);
    }

    fn is_broken(&self, at: Point<f64>, g: &[f64]) -> bool {
        self.system().violation(at, g, 0.0).is_some()
    }

    fn guard_name(&self, index: usize) -> String {
        self.system().guard_name(index)
    }

    fn next_break(&self, p: &[f64], t: f64) -> Option<f64> {
        self.system().next_break(p, t)
    }

    fn scales(&self, p: &[f64], scale: &mut [f64]) {
        self.system().scales(p, scale);
    }

    fn observe_into(&self, at: &Point<f64>, out: &mut Vec<f64>) {
        self.system().observe_into(at, out);
    }
}
