//! A scenario that runs inside an importer.
//!
//! Co-Simulation is a [`LiveRun`]. In Model Exchange the importer integrates: states and time are its own, modes are kept here and
//! change at events alone. Each guard has one event indicator for each mode, since a guard means something else in every mode: one
//! that belongs to another mode rests at 1, so that no importer takes a change of meaning for a crossing. An indicator crosses zero a
//! trifle after its guard does: at an event the guard has been passed, and a guard that begins at exactly zero is above it.

use crate::archive::guid;
use crate::variables::{Variable, VariableRole, variables};
use bristle::Scenario;
use bristle_core::{Dual, Mode};
use bristle_mech::{LiveRun, System};
use bristle_solve::{Dynamics, Point, SavedRun, State};
use std::path::Path;

/// How far below zero a guard is when its indicator crosses.
const PASSED: f64 = 1e-12;

/// More switches than this at one instant do not come to an end.
const SWITCHES: usize = 200;

/// Who integrates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FmiKind {
    /// The importer.
    ModelExchange,
    /// The FMU.
    CoSimulation,
}

/// How many event indicators there are.
pub fn indicator_count(system: &System) -> usize {
    MODES.len() * system.guard_count()
}

const MODES: [Mode; 3] = [Mode::Stick, Mode::Forward, Mode::Backward];

/// What an event has changed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Changed {
    /// Whether states have jumped.
    pub states: bool,
    /// When the next event comes that is known already.
    pub next: Option<f64>,
}

/// A scenario inside an importer. Errors are sentences for its log.
pub struct Instance {
    scenario: Scenario,
    variables: Vec<Variable>,
    run: LiveRun,
    integration: FmiKind,
    /// Time and states as the importer of Model Exchange has set them, and the modes.
    state: State,
    /// Parameters that were set before the start, by path.
    settings: Vec<(String, f64)>,
    is_started: bool,
    /// Whether inputs have changed since the last event.
    is_input_changed: bool,
    outputs: Option<Vec<f64>>,
}

impl Instance {
    /// Reads the scenario of an FMU from its resources.
    ///
    /// # Errors
    /// What is wrong with it, or that it does not belong to the description.
    pub fn new(resources: &Path, expected: &str, integration: FmiKind) -> Result<Instance, String> {
        let scenario = Scenario::from_file(&resources.join("scenario.toml")).map_err(|e| e.to_string())?;
        let found = guid(&scenario.text);
        if found != expected {
            return Err(format!(
                "the description belongs to {expected}, the scenario in the resources is {found}"
            ));
        }
        let run = scenario.live().map_err(|e| e.to_string())?;
        let state = run.state().clone();
        let variables = variables(&run);
        let settings = Vec::new();
        Ok(Instance {
            scenario,
            variables,
            run,
            integration,
            state,
            settings,
            is_started: false,
            is_input_changed: false,
            outputs: None,
        })
    }

    fn system(&self) -> &System {
        self.run.system()
    }

    fn is_exchanged(&self) -> bool {
        self.integration == FmiKind::ModelExchange
    }

    /// How many states there are.
    pub fn dim(&self) -> usize {
        self.system().dim()
    }

    /// Goes back to where it was made.
    ///
    /// # Errors
    /// None that a scenario which was read can meet.
    pub fn reset(&mut self) -> Result<(), String> {
        self.run = self.scenario.live().map_err(|e| e.to_string())?;
        self.state = self.run.state().clone();
        self.settings.clear();
        (self.is_started, self.outputs) = (false, None);
        Ok(())
    }

    /// Puts parameters that were set into the scenario, and begins.
    ///
    /// # Errors
    /// Parameters that do not go together.
    pub fn start(&mut self, t: f64) -> Result<(), String> {
        if t != 0.0 {
            return Err(format!("a scenario begins at 0 s, not at {t} s"));
        }
        if !self.settings.is_empty() {
            let changes: Vec<(&str, f64)> = self.settings.iter().map(|(p, v)| (p.as_str(), *v)).collect();
            let inputs: Vec<f64> = self.run.values().collect();
            self.run = self.scenario.with(&changes).and_then(|s| s.live()).map_err(|e| e.to_string())?;
            self.run.set_inputs(&inputs).map_err(|e| e.to_string())?;
        }
        self.run.settle().map_err(|e| e.to_string())?;
        self.state = self.run.state().clone();
        if self.is_exchanged() {
            self.event(true)?;
        }
        (self.is_started, self.outputs) = (true, None);
        Ok(())
    }

    /// Where the model is.
    fn point(&self) -> Point<'_, f64> {
        let State { t, x, mode } = if self.is_exchanged() { &self.state } else { self.run.state() };
        Point { t: *t, x, p: self.run.params(), mode }
    }

    /// The value of a variable.
    ///
    /// # Errors
    /// A reference that stands for nothing.
    pub fn get(&mut self, reference: u32) -> Result<f64, String> {
        let unknown = || format!("there is no variable of reference {reference}");
        match VariableRole::of(reference).ok_or_else(unknown)? {
            VariableRole::Input(i) => self.run.values().nth(i).ok_or_else(unknown),
            VariableRole::Parameter(place) => {
                let path = &self.system().param_cards().get(place).ok_or_else(unknown)?.path;
                let set = self.settings.iter().rev().find(|(p, _)| p == path).map(|(_, v)| *v);
                Ok(set.unwrap_or(self.run.params()[place]))
            }
            VariableRole::Output(i) => {
                if !self.is_exchanged() {
                    self.run.settle().map_err(|e| e.to_string())?;
                }
                if self.outputs.is_none() {
                    self.outputs = Some(self.system().observe(&self.point()));
                }
                self.outputs.as_ref().and_then(|o| o.get(i)).copied().ok_or_else(unknown)
            }
            VariableRole::State(i) => self.point().x.get(i).copied().ok_or_else(unknown),
            VariableRole::Derivative(i) => {
                let mut rates = vec![0.0; self.dim()];
                self.derivatives(&mut rates);
                rates.get(i).copied().ok_or_else(unknown)
            }
        }
    }

    /// Sets a variable.
    ///
    /// # Errors
    /// A value outside its range, or a variable that cannot be set now.
    pub fn set(&mut self, reference: u32, value: f64) -> Result<(), String> {
        let unknown = || format!("there is no variable of reference {reference}");
        let role = VariableRole::of(reference).ok_or_else(unknown)?;
        let variable = self.variables.iter().find(|v| v.role == role).ok_or_else(unknown)?;
        let ([min, max], name, unit) = (variable.range, variable.name.clone(), variable.unit);
        if !value.is_finite() || value < min || value > max {
            return Err(format!("{name} cannot be {value} {unit}: it lies between {min} and {max}"));
        }
        let is_tunable = variable.is_tunable;
        self.outputs = None;
        match role {
            VariableRole::Input(i) => {
                let input = self.run.inputs().get(i).ok_or_else(unknown)?.name.clone();
                self.is_input_changed = true;
                self.run.set_input(&input, value).map_err(|e| e.to_string())
            }
            VariableRole::Parameter(place) => {
                let path = self.system().param_cards().get(place).ok_or_else(unknown)?.path.clone();
                if !self.is_started {
                    self.settings.push((path, value));
                    return Ok(());
                }
                if !is_tunable {
                    return Err(format!(
                        "{name} says where the motion begins: set it before the initialisation ends"
                    ));
                }
                self.run.set_param(&path, value).map_err(|e| e.to_string())
            }
            _ => Err(format!("{name} is computed and cannot be set")),
        }
    }

    /// Moves on; Co-Simulation.
    ///
    /// # Errors
    /// Where the run cannot go on.
    pub fn step(&mut self, t: f64, length: f64) -> Result<(), String> {
        let here = self.run.time();
        // Importers add up their steps in their own way.
        if (t - here).abs() > 1e-9 * here.abs().max(length.abs()) {
            return Err(format!("asked to go on from {t} s, but the model is at {here} s"));
        }
        if length < 0.0 || !length.is_finite() {
            return Err(format!("a step of {length} s"));
        }
        self.outputs = None;
        self.run.advance((t + length).max(here)).map_err(|e| e.to_string())
    }

    /// Sets the time; Model Exchange.
    pub fn set_time(&mut self, t: f64) {
        (self.state.t, self.outputs) = (t, None);
    }

    /// Sets the states; Model Exchange. False if there are more or fewer.
    pub fn set_states(&mut self, x: &[f64]) -> bool {
        let fits = x.len() == self.state.x.len();
        if fits {
            self.state.x.copy_from_slice(x);
            self.outputs = None;
        }
        fits
    }

    /// The states.
    pub fn states(&self) -> &[f64] {
        self.point().x
    }

    /// Their rates.
    pub fn derivatives(&self, rates: &mut [f64]) {
        self.system().rates(self.point(), rates);
    }

    /// Their typical magnitudes.
    pub fn nominals(&self, nominals: &mut [f64]) {
        self.system().scales(self.run.params(), nominals);
        for nominal in nominals.iter_mut().filter(|n| !(**n > 0.0 && n.is_finite())) {
            *nominal = 1.0;
        }
    }

    fn guards(&self) -> Vec<f64> {
        let mut guards = vec![0.0; self.system().guard_count()];
        self.system().guards(self.point(), &mut guards);
        guards
    }

    /// The event indicators.
    pub fn indicators(&self, out: &mut [f64]) {
        out.fill(1.0);
        for (i, guard) in self.guards().into_iter().enumerate() {
            let mode = self.state.mode.get(i).copied().unwrap_or_default();
            let place = MODES.iter().position(|m| *m == mode).unwrap_or(0);
            if let Some(slot) = out.get_mut(MODES.len() * i + place) {
                *slot = guard + PASSED;
            }
        }
    }

    /// Whether an event was passed unseen: a guard that was never above zero crosses nothing, and what sticks to a drive does not
    /// follow a speed that was set anew.
    pub fn has_passed(&self) -> bool {
        let guards = self.guards();
        let is_broken = || self.system().violation(self.point(), &guards, 0.0).is_some();
        guards.iter().any(|g| *g < -PASSED) || self.is_input_changed && is_broken()
    }

    /// Lets everything switch that has to; `is_jump` after inputs or signals may have jumped.
    ///
    /// # Errors
    /// Switches that do not come to an end.
    pub fn event(&mut self, is_jump: bool) -> Result<Changed, String> {
        let before = self.state.x.clone();
        let t = self.state.t;
        self.is_input_changed = false;
        let params = self.run.params().to_vec();
        let system = self.run.system();
        // At a break of a signal the model goes on as it is just after it.
        self.state.t = t.next_up();
        let mut guards = vec![0.0; system.guard_count()];
        let mut count = 0;
        loop {
            let State { t, x, mode } = &self.state;
            system.guards(Point { t: *t, x, p: &params, mode }, &mut guards);
            let fired = (0..guards.len())
                .filter(|i| guards[*i] < 0.0)
                .min_by(|a, b| guards[*a].total_cmp(&guards[*b]));
            let Some(fired) = fired else { break };
            let was = self.state.clone();
            system.switch(fired, &params, &mut self.state);
            count += 1;
            if was == self.state {
                break;
            }
            if count > SWITCHES {
                let contact = system.guard_name(fired);
                let t = self.state.t;
                return Err(format!("{contact} switches without end at {t} s"));
            }
        }
        if is_jump || count > 0 {
            system.resettle(&params, &mut self.state);
        }
        self.state.t = t;
        let State { x, mode, .. } = &mut self.state;
        system.project(&params, t, x, mode);
        self.outputs = None;
        Ok(Changed { states: before != self.state.x, next: system.next_break(&params, t) })
    }

    /// How unknowns change along a direction of knowns: rates of states exactly, outputs by symmetric differences.
    ///
    /// # Errors
    /// References that stand for nothing of the kind.
    pub fn directional(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        along: &[f64],
    ) -> Result<Vec<f64>, String> {
        let mut dx = vec![0.0; self.dim()];
        let mut dp = vec![0.0; self.run.params().len()];
        for (reference, amount) in knowns.iter().zip(along) {
            match VariableRole::of(*reference) {
                Some(VariableRole::State(i)) if i < dx.len() => dx[i] += amount,
                Some(VariableRole::Input(i)) if i < self.run.inputs().len() => {
                    dp[self.run.inputs()[i].place] += amount
                }
                Some(VariableRole::Parameter(i)) if i < dp.len() => dp[i] += amount,
                _ => return Err(format!("there is no known of reference {reference}")),
            }
        }
        let rates = self.rates_along(&dx, &dp);
        let outputs =
            if unknowns.iter().any(|u| matches!(VariableRole::of(*u), Some(VariableRole::Output(_)))) {
                self.outputs_along(&dx, &dp)
            } else {
                Vec::new()
            };
        let unknown = |u: &u32| format!("there is no unknown of reference {u}");
        let one = |u: &u32| match VariableRole::of(*u) {
            Some(VariableRole::Derivative(i)) => rates.get(i).copied().ok_or_else(|| unknown(u)),
            Some(VariableRole::State(i)) => dx.get(i).copied().ok_or_else(|| unknown(u)),
            Some(VariableRole::Output(i)) => outputs.get(i).copied().ok_or_else(|| unknown(u)),
            _ => Err(unknown(u)),
        };
        unknowns.iter().map(one).collect()
    }

    fn rates_along(&self, dx: &[f64], dp: &[f64]) -> Vec<f64> {
        let Point { t, x, p, mode } = self.point();
        let lift = |values: &[f64], slopes: &[f64]| -> Vec<Dual<1>> {
            values.iter().zip(slopes).map(|(re, slope)| Dual { re: *re, eps: [*slope] }).collect()
        };
        let (x, p) = (lift(x, dx), lift(p, dp));
        let mut rates = vec![Dual::<1>::constant(0.0); dx.len()];
        self.system().rates(Point { t: Dual::constant(t), x: &x, p: &p, mode }, &mut rates);
        rates.iter().map(|rate| rate.eps[0]).collect()
    }

    fn outputs_along(&self, dx: &[f64], dp: &[f64]) -> Vec<f64> {
        let Point { t, x, p, mode } = self.point();
        let (mut scales, system) = (vec![1.0; dx.len()], self.system());
        system.scales(p, &mut scales);
        let size = |values: &[f64], by: &dyn Fn(usize) -> f64| {
            values.iter().enumerate().map(|(i, v)| v.abs() / by(i)).fold(0.0, f64::max)
        };
        let largest = size(dx, &|i| scales[i].max(1e-300)).max(size(dp, &|i| p[i].abs().max(1.0)));
        if largest == 0.0 {
            return vec![0.0; self.run.channels().len()];
        }
        let h = 1e-6 / largest;
        let at = |h: f64| {
            let shifted =
                |v: &[f64], d: &[f64]| -> Vec<f64> { v.iter().zip(d).map(|(v, d)| v + h * d).collect() };
            system.observe(&Point { t, x: &shifted(x, dx), p: &shifted(p, dp), mode })
        };
        at(h).into_iter().zip(at(-h)).map(|(a, b)| (a - b) / (2.0 * h)).collect()
    }

    /// All the model goes on from, as bytes.
    ///
    /// # Errors
    /// None that a run which got here can meet.
    pub fn save(&mut self) -> Result<Vec<u8>, String> {
        let saved = self.run.save().map_err(|e| e.to_string())?;
        let mut bytes = vec![u8::from(self.is_started)];
        let of_run = saved.to_bytes();
        bytes.extend((of_run.len() as u64).to_le_bytes());
        bytes.extend(of_run);
        for number in std::iter::once(&self.state.t).chain(&self.state.x) {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.state.mode.iter().map(|mode| *mode as u8));
        Ok(bytes)
    }

    /// Goes on from saved bytes.
    ///
    /// # Errors
    /// Bytes of another model.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), String> {
        let foreign = || "the saved state belongs to another model".to_owned();
        let (started, rest) = bytes.split_first().ok_or_else(foreign)?;
        let (length, rest) = rest.split_first_chunk::<8>().ok_or_else(foreign)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| foreign())?;
        let (of_run, rest) = rest.split_at_checked(length).ok_or_else(foreign)?;
        let numbers = 8 * (1 + self.state.x.len());
        if rest.len() != numbers + self.state.mode.len() {
            return Err(foreign());
        }
        let saved = SavedRun::from_bytes(of_run).ok_or_else(foreign)?;
        self.run.restore(&saved).map_err(|_| foreign())?;
        let (head, modes) = rest.split_at(numbers);
        let mut values =
            head.chunks_exact(8).map(|chunk| f64::from_le_bytes(chunk.try_into().unwrap_or_default()));
        self.state.t = values.next().unwrap_or(0.0);
        self.state.x = values.collect();
        for (mode, byte) in self.state.mode.iter_mut().zip(modes) {
            *mode = MODES.into_iter().find(|m| *m as u8 == *byte).ok_or_else(foreign)?;
        }
        (self.is_started, self.outputs) = (*started == 1, None);
        Ok(())
    }
}
