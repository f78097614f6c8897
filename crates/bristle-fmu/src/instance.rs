//! A scenario that runs inside an importer.
//!
//! Co-Simulation is a [`LiveRun`](bristle_mech::LiveRun). In Model Exchange the importer integrates: states and time are its own, modes are kept here and
//! change at events alone. Each guard has one event indicator for each mode, since a guard means something else in every mode: one
//! that belongs to another mode rests at 1, so that no importer takes a change of meaning for a crossing. An indicator crosses zero a
//! trifle after its guard does: at an event the guard has been passed, and a guard that begins at exactly zero is above it.

use crate::archive::{LAW, SCENARIO, guid};
use crate::exchanged::Exchanged;
use crate::law::LawModel;
use crate::model::{FmuModel, ScenarioModel, words};
use crate::variables::{Variable, VariableRole, variables};
use bristle::Scenario;
use bristle_core::{Dual, Mode};
use bristle_solve::{Point, SavedRun, State};
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
pub fn indicator_count(model: &dyn FmuModel) -> usize {
    MODES.len() * model.guard_count()
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

/// A model inside an importer. Errors are sentences for its log.
pub struct Instance {
    variables: Vec<Variable>,
    run: Box<dyn FmuModel>,
    integration: FmiKind,
    exchanged: Exchanged,
    /// Parameters that were set before the start, by path.
    settings: Vec<(String, f64)>,
    is_started: bool,
    /// Whether inputs have changed since the last event.
    is_input_changed: bool,
    /// The outputs, as long as nothing has changed since.
    outputs: Vec<f64>,
    is_current: bool,
}

/// Reads what an FMU has among its resources; a model at its start, and the text that it stands for.
fn model(resources: &Path) -> Result<(Box<dyn FmuModel>, String), String> {
    let law = resources.join(LAW);
    if law.is_file() {
        let name = std::fs::read_to_string(&law).map_err(|e| format!("{}: {e}", law.display()))?;
        return Ok((Box::new(LawModel::named(&name)?), name));
    }
    let scenario = Scenario::from_file(&resources.join(SCENARIO)).map_err(|e| e.plain())?;
    let text = scenario.text.clone();
    Ok((Box::new(ScenarioModel::new(scenario).map_err(words)?), text))
}

impl Instance {
    /// Reads the scenario or the law of an FMU from its resources.
    ///
    /// # Errors
    /// What is wrong with it, or that it does not belong to the description.
    pub fn new(resources: &Path, expected: &str, integration: FmiKind) -> Result<Instance, String> {
        let (run, text) = model(resources)?;
        let found = guid(&text);
        if found != expected {
            return Err(format!(
                "the description belongs to {expected}, the scenario in the resources is {found}"
            ));
        }
        let variables = variables(&*run);
        let mut instance = Instance {
            variables,
            run,
            integration,
            exchanged: Exchanged::default(),
            settings: Vec::new(),
            is_started: false,
            is_input_changed: false,
            outputs: Vec::new(),
            is_current: false,
        };
        instance.stand();
        Ok(instance)
    }

    /// Takes up what the importer of Model Exchange goes on from where the run stands.
    fn stand(&mut self) {
        let (state, params) = (self.run.state().clone(), self.run.params().to_vec());
        self.exchanged = Exchanged { completed: state.t, state, params, ..Exchanged::default() };
        self.is_current = false;
    }

    fn is_exchanged(&self) -> bool {
        self.integration == FmiKind::ModelExchange
    }

    /// How many states there are.
    pub fn dim(&self) -> usize {
        self.run.state().x.len()
    }

    /// How many event indicators there are.
    pub fn indicator_count(&self) -> usize {
        indicator_count(&*self.run)
    }

    /// Goes back to where it was made.
    ///
    /// # Errors
    /// None that a scenario which was read can meet.
    pub fn reset(&mut self) -> Result<(), String> {
        self.run = self.run.renewed(&[])?;
        self.settings.clear();
        self.is_started = false;
        self.stand();
        Ok(())
    }

    /// Puts parameters that were set into the model, and begins.
    ///
    /// # Errors
    /// Parameters that do not go together.
    pub fn start(&mut self, t: f64) -> Result<(), String> {
        if t != 0.0 {
            return Err(format!("a scenario begins at 0 s, not at {t} s"));
        }
        if !self.settings.is_empty() {
            let inputs: Vec<f64> =
                self.run.inputs().iter().map(|i| i.value(self.run.params(), 0.0)).collect();
            self.run = self.run.renewed(&self.settings)?;
            inputs.iter().enumerate().try_for_each(|(i, value)| self.run.set_input(i, *value))?;
        }
        self.run.settle()?;
        self.stand();
        if self.is_exchanged() {
            self.event(true)?;
        }
        self.is_started = true;
        Ok(())
    }

    /// Where the model is.
    fn point(&self) -> Point<'_, f64> {
        let (State { t, x, mode }, p) = if self.is_exchanged() {
            (&self.exchanged.state, &self.exchanged.params[..])
        } else {
            (self.run.state(), self.run.params())
        };
        Point { t: *t, x, p, mode }
    }

    /// Does something where the model is. What sticks to a drive moves with it at once, though the importer's states do so at
    /// events only.
    fn here<T>(&self, look: impl FnOnce(Point<f64>) -> T) -> T {
        let at = self.point();
        if !self.is_exchanged() || self.run.inputs().is_empty() || self.exchanged.has_jumped {
            return look(at);
        }
        let mut x = at.x.to_vec();
        self.run.project(at.p, at.t, &mut x, at.mode);
        look(Point { x: &x, ..at })
    }

    /// The value of a variable.
    ///
    /// # Errors
    /// A reference that stands for nothing.
    pub fn get(&mut self, reference: u32) -> Result<f64, String> {
        let unknown = || format!("there is no variable of reference {reference}");
        match VariableRole::of(reference).ok_or_else(unknown)? {
            VariableRole::Input(i) => {
                let Point { t, p, .. } = self.point();
                let input = self.run.inputs().get(i).ok_or_else(unknown)?;
                Ok(if self.is_exchanged() { p[input.place] } else { input.value(p, t) })
            }
            VariableRole::Parameter(place) => {
                let path = &self.run.cards().get(place).ok_or_else(unknown)?.path;
                let set = self.settings.iter().rev().find(|(p, _)| p == path).map(|(_, v)| *v);
                Ok(set.unwrap_or(self.run.params()[place]))
            }
            VariableRole::Output(i) => {
                if !self.is_current {
                    if !self.is_exchanged() {
                        self.run.settle()?;
                    }
                    let mut outputs = std::mem::take(&mut self.outputs);
                    self.here(|at| self.run.observe_into(&at, &mut outputs));
                    (self.outputs, self.is_current) = (outputs, true);
                }
                self.outputs.get(i).copied().ok_or_else(unknown)
            }
            VariableRole::State(i) => self.point().x.get(i).copied().ok_or_else(unknown),
            VariableRole::Time => Ok(self.point().t),
            VariableRole::Indicator(i) => {
                let mut all = vec![0.0; self.indicator_count()];
                self.indicators(&mut all)?;
                all.get(i).copied().ok_or_else(unknown)
            }
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
        let ([min, max], name, unit) = (variable.range, &variable.name, variable.unit);
        if !value.is_finite() || value < min || value > max {
            return Err(format!("{name} cannot be {value} {unit}: it lies between {min} and {max}"));
        }
        self.is_current = false;
        match role {
            VariableRole::Input(i) if self.is_exchanged() && self.is_started => self.tell(i, value),
            VariableRole::Input(i) => {
                self.run.set_input(i, value)?;
                self.exchanged.params[self.run.inputs()[i].place] = value;
                Ok(())
            }
            VariableRole::Parameter(place) => {
                let path = self.run.cards().get(place).ok_or_else(unknown)?.path.clone();
                if !self.is_started {
                    self.settings.push((path, value));
                    return Ok(());
                }
                if !variable.is_tunable {
                    return Err(format!(
                        "{name} says where the motion begins: set it before the initialisation ends"
                    ));
                }
                self.exchanged.params[place] = value;
                self.run.set_param(&path, value)
            }
            _ => Err(format!("{name} is computed and cannot be set")),
        }
    }

    /// Takes up an input of an importer that integrates. What sticks to a drive is left behind where that jumps.
    fn tell(&mut self, index: usize, value: f64) -> Result<(), String> {
        let input = self.run.inputs().get(index).ok_or_else(|| format!("there is no input {index}"))?;
        let here = &mut self.exchanged;
        if here.is_jump(input, value) && !std::mem::replace(&mut here.has_jumped, true) {
            let State { t, x, mode } = &mut here.state;
            self.run.project(&here.params, *t, x, mode);
        }
        here.tell(input, value);
        self.is_input_changed = true;
        Ok(())
    }

    /// Lets an input change evenly over the next steps; Co-Simulation.
    ///
    /// # Errors
    /// What is no input, and derivatives of higher order.
    pub fn set_slope(&mut self, reference: u32, order: i32, slope: f64) -> Result<(), String> {
        let Some(VariableRole::Input(i)) = VariableRole::of(reference) else {
            return Err(format!("the variable of reference {reference} is no input"));
        };
        if order != 1 {
            return Err(format!("inputs change evenly over a step: there is no derivative of order {order}"));
        }
        self.is_current = false;
        self.run.set_slope(i, slope)
    }

    /// Moves on; Co-Simulation.
    ///
    /// # Errors
    /// Where the run cannot go on.
    pub fn step(&mut self, t: f64, length: f64) -> Result<(), String> {
        self.check_kind(FmiKind::CoSimulation)?;
        let here = self.run.state().t;
        // Importers add up their steps in their own way; no number is near.
        if !t.is_finite() || (t - here).abs() > 1e-9 * here.abs().max(length.abs()) {
            return Err(format!("asked to go on from {t} s, but the model is at {here} s"));
        }
        if length < 0.0 || !length.is_finite() {
            return Err(format!("a step of {length} s"));
        }
        self.is_current = false;
        self.run.check()?;
        self.run.advance((t + length).max(here))
    }

    /// Refuses calls for the other kind of instance, and those that come before the initialisation has ended.
    ///
    /// # Errors
    /// What was made instead, or what is to be called first.
    pub fn check_kind(&self, wanted: FmiKind) -> Result<(), String> {
        if self.integration != wanted {
            return Err(format!("this instance was made for {:?}, not for {wanted:?}", self.integration));
        }
        if !self.is_started {
            return Err("the initialisation has not ended: call ExitInitializationMode first".to_owned());
        }
        Ok(())
    }

    /// Sets the time; Model Exchange.
    ///
    /// # Errors
    /// What is no time, and instances of the other kind.
    pub fn set_time(&mut self, t: f64) -> Result<(), String> {
        self.check_kind(FmiKind::ModelExchange)?;
        if !t.is_finite() {
            return Err(format!("a time of {t} s"));
        }
        (self.exchanged.state.t, self.is_current) = (t, false);
        Ok(())
    }

    /// Sets the states; Model Exchange.
    ///
    /// # Errors
    /// States that are no numbers, more or fewer of them, and instances of the other kind.
    pub fn set_states(&mut self, x: &[f64]) -> Result<(), String> {
        self.check_kind(FmiKind::ModelExchange)?;
        let dim = self.exchanged.state.x.len();
        if x.len() != dim {
            return Err(format!("{} values for {dim} states", x.len()));
        }
        if let Some(i) = x.iter().position(|x| !x.is_finite()) {
            return Err(format!("state {} ({}) is {}", i + 1, self.run.state_name(i), x[i]));
        }
        self.exchanged.state.x.copy_from_slice(x);
        self.is_current = false;
        Ok(())
    }

    /// The states.
    pub fn states(&self) -> &[f64] {
        self.point().x
    }

    /// Their rates.
    pub fn derivatives(&self, rates: &mut [f64]) {
        self.here(|at| self.run.rates(at, rates));
    }

    /// Their typical magnitudes.
    pub fn nominals(&self, nominals: &mut [f64]) {
        self.run.scales(self.run.params(), nominals);
        for nominal in nominals.iter_mut().filter(|n| !(**n > 0.0 && n.is_finite())) {
            *nominal = 1.0;
        }
    }

    fn guards(&self) -> Vec<f64> {
        let mut guards = vec![0.0; self.run.guard_count()];
        self.here(|at| self.run.guards(at, &mut guards));
        guards
    }

    /// The event indicators.
    ///
    /// # Errors
    /// Room for more or fewer than there are.
    pub fn indicators(&self, out: &mut [f64]) -> Result<(), String> {
        let count = self.indicator_count();
        if out.len() != count {
            return Err(format!("room for {} event indicators, of which there are {count}", out.len()));
        }
        out.fill(1.0);
        for (i, guard) in self.guards().into_iter().enumerate() {
            let mode = self.exchanged.state.mode.get(i).copied().unwrap_or_default();
            let place = MODES.iter().position(|m| *m == mode).unwrap_or(0);
            if let Some(slot) = out.get_mut(MODES.len() * i + place) {
                *slot = guard + PASSED;
            }
        }
        Ok(())
    }

    /// Ends a step of an importer that integrates. Whether an event was passed unseen: a guard that was never above zero crosses
    /// nothing, and what sticks to a drive does not follow a speed that has jumped.
    pub fn complete_step(&mut self) -> bool {
        self.exchanged.completed = self.exchanged.state.t;
        let guards = self.guards();
        let is_passed = guards.iter().any(|g| *g < -PASSED);
        if is_passed || self.is_input_changed && self.here(|at| self.run.is_broken(at, &guards)) {
            return true;
        }
        (self.exchanged.has_jumped, self.is_input_changed) = (false, false);
        false
    }

    /// From now on inputs may jump; Model Exchange.
    pub fn enter_event_mode(&mut self) {
        self.exchanged.is_in_event = true;
    }

    /// From now on inputs change little by little.
    pub fn leave_event_mode(&mut self) {
        self.exchanged.is_in_event = false;
    }

    /// Lets everything switch that has to; `is_jump` after inputs or signals may have jumped.
    ///
    /// # Errors
    /// Switches that do not come to an end.
    pub fn event(&mut self, is_jump: bool) -> Result<Changed, String> {
        self.run.check()?;
        let Exchanged { state, params, has_jumped, .. } = &mut self.exchanged;
        let (before, t, run) = (state.x.clone(), state.t, &self.run);
        self.is_input_changed = false;
        if !std::mem::take(has_jumped) {
            run.project(params, t, &mut state.x, &state.mode);
        }
        // At a break of a signal the model goes on as it is just after it.
        state.t = t.next_up();
        // What has jumped comes first: a contact that a switch lets go has no slip yet, and is not to be asked whether it sticks.
        if is_jump {
            run.resettle(params, state);
        }
        let mut guards = vec![0.0; run.guard_count()];
        let mut count = 0;
        loop {
            run.guards(Point { t: state.t, x: &state.x, p: params, mode: &state.mode }, &mut guards);
            let fired = (0..guards.len())
                .filter(|i| guards[*i] < 0.0)
                .min_by(|a, b| guards[*a].total_cmp(&guards[*b]));
            let Some(fired) = fired else { break };
            let was = state.clone();
            run.switch(fired, params, state);
            count += 1;
            if was == *state {
                break;
            }
            if count > SWITCHES {
                return Err(format!("{} switches without end at {t} s", run.guard_name(fired)));
            }
        }
        state.t = t;
        let State { x, mode, .. } = state;
        run.project(params, t, x, mode);
        self.is_current = false;
        Ok(Changed {
            states: before != self.exchanged.state.x,
            next: self.run.next_break(&self.exchanged.params, t),
        })
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
                    dp[self.run.inputs()[i].place] += amount;
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
        self.run.rates_along(Point { t: Dual::constant(t), x: &x, p: &p, mode }, &mut rates);
        rates.iter().map(|rate| rate.eps[0]).collect()
    }

    fn outputs_along(&self, dx: &[f64], dp: &[f64]) -> Vec<f64> {
        let Point { t, x, p, mode } = self.point();
        let mut scales = vec![1.0; dx.len()];
        self.run.scales(p, &mut scales);
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
            let mut outputs = Vec::new();
            self.run.observe_into(&Point { t, x: &shifted(x, dx), p: &shifted(p, dp), mode }, &mut outputs);
            outputs
        };
        at(h).into_iter().zip(at(-h)).map(|(a, b)| (a - b) / (2.0 * h)).collect()
    }

    /// All the model goes on from, as bytes.
    ///
    /// # Errors
    /// None that a run which got here can meet.
    pub fn save(&mut self) -> Result<Vec<u8>, String> {
        let of_run = self.run.save()?.to_bytes();
        let flags = [self.is_started, self.exchanged.is_in_event, self.exchanged.has_jumped];
        let mut bytes: Vec<u8> = flags.map(u8::from).to_vec();
        bytes.extend((of_run.len() as u64).to_le_bytes());
        bytes.extend(of_run);
        self.exchanged.numbers(|number| bytes.extend(number.to_le_bytes()));
        bytes.extend(self.exchanged.state.mode.iter().map(|mode| *mode as u8));
        Ok(bytes)
    }

    /// Goes on from saved bytes.
    ///
    /// # Errors
    /// Bytes of another model.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), String> {
        let foreign = || "the saved state belongs to another model".to_owned();
        let ([started, in_event, jumped], rest) = bytes.split_first_chunk::<3>().ok_or_else(foreign)?;
        let (length, rest) = rest.split_first_chunk::<8>().ok_or_else(foreign)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| foreign())?;
        let (of_run, rest) = rest.split_at_checked(length).ok_or_else(foreign)?;
        let mut other = self.exchanged.clone();
        let mut count = 0;
        other.numbers(|_| count += 1);
        let (head, modes) = rest.split_at_checked(8 * count).ok_or_else(foreign)?;
        if modes.len() != other.state.mode.len() {
            return Err(foreign());
        }
        let mut values =
            head.chunks_exact(8).map(|chunk| f64::from_le_bytes(chunk.try_into().unwrap_or_default()));
        other.numbers(|number| *number = values.next().unwrap_or(0.0));
        for (mode, byte) in other.state.mode.iter_mut().zip(modes) {
            *mode = MODES.into_iter().find(|m| *m as u8 == *byte).ok_or_else(foreign)?;
        }
        (other.is_in_event, other.has_jumped) = (*in_event == 1, *jumped == 1);
        let saved = SavedRun::from_bytes(of_run).ok_or_else(foreign)?;
        self.run.restore(&saved).map_err(|_| foreign())?;
        (self.exchanged, self.is_started, self.is_current) = (other, *started == 1, false);
        Ok(())
    }
}
