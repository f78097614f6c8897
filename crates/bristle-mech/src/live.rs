//! A mechanism that moves by somebody else's clock.
//!
//! ```
//! use bristle_law::laws::Coulomb;
//! use bristle_mech::mechanism::{GROUND, Mechanism, default};
//! use bristle_mech::parts::{Contact, Mass};
//! use bristle_mech::signals::Input;
//!
//! let mut m = Mechanism::new();
//! let block = m.mass("block", Mass { mass: 2.0, ..default() });
//! m.contact("floor", [block, GROUND], Contact { load: 20.0, ..default() }, Coulomb { mu_s: 0.5, mu_d: 0.4 });
//! m.push("push", block, Input { value: 0.0, ..default() });
//! let mut run = m.live().unwrap();
//! run.advance(1.0).unwrap();
//! run.set_input("push.signal", 12.0).unwrap();
//! run.advance(2.0).unwrap();
//! // It breaks away at once and gains (12 − 8)/2 m/s each second.
//! assert!((run.output("block.v").unwrap() - 2.0).abs() < 1e-9);
//! ```

use crate::channels::OutputChannel;
use crate::error::MechError;
use crate::inputs::LiveInput;
use crate::params::Param;
use crate::spec::Spec;
use crate::system::System;
use bristle_core::nearest;
use bristle_solve::{Dynamics, Integrator, Observer, Point, SavedRun, SolveError, Solver, State};
use std::sync::Arc;
use thiserror::Error;

/// Why a run that others drive does not go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LiveError {
    /// Parts that do not make a mechanism.
    #[error(transparent)]
    Mech(#[from] MechError),
    /// A step that failed.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A name that is no input.
    #[error("there is no input `{name}`")]
    NoSuchInput {
        /// The name.
        name: String,
        /// One that is near.
        near: Option<String>,
    },
    /// A value that an input cannot have.
    #[error("input `{name}` cannot be {value} {unit}; it must lie between {min} and {max}")]
    Value {
        /// The input.
        name: String,
        /// The value.
        value: f64,
        /// Its unit.
        unit: &'static str,
        /// The smallest value.
        min: f64,
        /// The largest value.
        max: f64,
    },
    /// A formula that makes no output.
    #[error("output `{name}`: {reason}")]
    Formula {
        /// The output.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A rate of change that is no number.
    #[error("input `{name}` cannot change by {slope} a second")]
    Slope {
        /// The input.
        name: String,
        /// The rate.
        slope: f64,
    },
    /// More or fewer values than inputs.
    #[error("{found} values for {expected} inputs")]
    Count {
        /// How many inputs there are.
        expected: usize,
        /// How many values were given.
        found: usize,
    },
}

/// A run whose clock and inputs belong to the caller. It owns its mechanism and can go to another thread; a clone goes on exactly
/// as the original does.
#[derive(Clone)]
pub struct LiveRun {
    system: Arc<System>,
    channels: Arc<[OutputChannel]>,
    integrator: Integrator<'static>,
    params: Vec<f64>,
    /// Whether inputs have changed since the integrator was told.
    is_changed: bool,
}

impl LiveRun {
    /// Puts the parts together and stands at their start.
    ///
    /// # Errors
    /// [`LiveError::Mech`], and [`LiveError::Value`] for an input that begins outside its range.
    pub fn new(parts: &[(String, Spec)], solver: &Solver) -> Result<LiveRun, LiveError> {
        LiveRun::deriving(parts, &[], solver)
    }

    /// The same with outputs that are derived from others: names and formulas.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`LiveError::Formula`].
    pub fn deriving(
        parts: &[(String, Spec)],
        formulas: &[(String, String)],
        solver: &Solver,
    ) -> Result<LiveRun, LiveError> {
        let mut system = System::assemble_live(parts)?;
        for (name, formula) in formulas {
            let wrong =
                |e: bristle_law::WrittenError| LiveError::Formula { name: name.clone(), reason: e.reason };
            system.derive(name, formula).map_err(wrong)?;
        }
        let system = Arc::new(system);
        let params = system.params().to_vec();
        for input in system.inputs() {
            check(input, params[input.place])?;
        }
        let mut integrator = Integrator::owning(&system, &params, solver)?;
        integrator.reset(&system.initial(&params))?;
        let channels = system.channels().into();
        Ok(LiveRun { system, channels, integrator, params, is_changed: false })
    }

    /// What moves.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// What can be set.
    pub fn inputs(&self) -> &[LiveInput] {
        self.system.inputs()
    }

    /// The values of all inputs, here and now.
    pub fn values(&self) -> impl Iterator<Item = f64> {
        self.inputs().iter().map(|input| input.value(&self.params, self.time()))
    }

    /// Sets one input; it counts from where the run is.
    ///
    /// # Errors
    /// [`LiveError::NoSuchInput`], [`LiveError::Value`].
    pub fn set_input(&mut self, name: &str, value: f64) -> Result<(), LiveError> {
        let names = || self.inputs().iter().map(|input| input.name.as_str());
        let Some(input) = self.inputs().iter().find(|input| input.name == name) else {
            let near = nearest(name, names()).map(str::to_owned);
            return Err(LiveError::NoSuchInput { name: name.to_owned(), near });
        };
        check(input, value)?;
        let places = input.places();
        self.level(places, value);
        Ok(())
    }

    /// The same by its place among [`inputs`](Self::inputs).
    ///
    /// # Errors
    /// [`LiveError::Count`] for a place beyond the last, [`LiveError::Value`].
    pub fn set_input_at(&mut self, index: usize, value: f64) -> Result<(), LiveError> {
        let expected = self.inputs().len();
        let input = self.inputs().get(index).ok_or(LiveError::Count { expected, found: index + 1 })?;
        check(input, value)?;
        let places = input.places();
        self.level(places, value);
        Ok(())
    }

    /// Lets an input change evenly from its present value on, by so much a second, until it is set again.
    ///
    /// # Errors
    /// [`LiveError::Count`] for a place beyond the last, [`LiveError::Slope`] for what is no number.
    pub fn set_slope_at(&mut self, index: usize, slope: f64) -> Result<(), LiveError> {
        let expected = self.inputs().len();
        let input = self.inputs().get(index).ok_or(LiveError::Count { expected, found: index + 1 })?;
        if !slope.is_finite() {
            return Err(LiveError::Slope { name: input.name.clone(), slope });
        }
        let (t, [value, rate, since]) = (self.time(), input.places());
        let now = input.value(&self.params, t);
        if self.params[rate].to_bits() != slope.to_bits() {
            self.put(value, now);
            self.put(rate, slope);
            self.put(since, t);
        }
        Ok(())
    }

    /// Sets all inputs, in the order of [`inputs`](Self::inputs); all of them, or none where one is refused.
    ///
    /// # Errors
    /// [`LiveError::Count`], [`LiveError::Value`].
    pub fn set_inputs(&mut self, values: &[f64]) -> Result<(), LiveError> {
        let system = Arc::clone(&self.system);
        if values.len() != system.inputs().len() {
            return Err(LiveError::Count { expected: system.inputs().len(), found: values.len() });
        }
        for (input, value) in system.inputs().iter().zip(values) {
            check(input, *value)?;
        }
        for (input, value) in system.inputs().iter().zip(values) {
            self.level(input.places(), *value);
        }
        Ok(())
    }

    /// Sets a number of a part or law by its path, such as `pad.law.mu_s`; it counts from where the run is. What says where the
    /// motion begins changes nothing any more.
    ///
    /// # Errors
    /// [`LiveError::NoSuchInput`], [`LiveError::Value`].
    pub fn set_param(&mut self, path: &str, value: f64) -> Result<(), LiveError> {
        let cards = self.system.param_cards();
        let Some(place) = cards.iter().position(|param| param.path == path) else {
            let near = nearest(path, cards.iter().map(|param| param.path.as_str())).map(str::to_owned);
            return Err(LiveError::NoSuchInput { name: path.to_owned(), near });
        };
        let Param { unit, min, max, .. } = cards[place];
        if !(min..=max).contains(&value) || !value.is_finite() {
            return Err(LiveError::Value { name: path.to_owned(), value, unit, min, max });
        }
        self.put(place, value);
        Ok(())
    }

    /// An input stays at a value; one that was there already is left as it is.
    fn level(&mut self, [value, slope, since]: [usize; 3], level: f64) {
        if self.params[slope] != 0.0 || self.params[value].to_bits() != level.to_bits() {
            self.put(value, level);
            self.put(slope, 0.0);
            self.put(since, self.time());
        }
    }

    fn put(&mut self, place: usize, value: f64) {
        self.is_changed |= self.params[place].to_bits() != value.to_bits();
        self.params[place] = value;
    }

    /// Makes modes consistent with inputs that have changed, here and now: a belt that has jumped slides under its block.
    ///
    /// # Errors
    /// None that a run which got here can meet.
    pub fn settle(&mut self) -> Result<(), LiveError> {
        if std::mem::take(&mut self.is_changed) {
            self.integrator.set_inputs(&self.params)?;
        }
        self.integrator.settle(&mut ());
        Ok(())
    }

    /// Moves on to a time.
    ///
    /// # Errors
    /// [`LiveError::Solve`] for a time that has passed, and where the run cannot go on; [`LiveError::Value`] where an input that
    /// changes evenly would leave its range on the way.
    pub fn advance(&mut self, t: f64) -> Result<(), LiveError> {
        self.advance_with(t, &mut ())
    }

    /// The same, telling of steps and events on the way.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn advance_with(&mut self, t: f64, observer: &mut dyn Observer) -> Result<(), LiveError> {
        for input in self.inputs().iter().filter(|input| self.params[input.place + 1] != 0.0) {
            check(input, input.value(&self.params, t))?;
        }
        if std::mem::take(&mut self.is_changed) {
            self.integrator.set_inputs(&self.params)?;
        }
        self.integrator.advance(t, observer)?;
        Ok(())
    }

    /// Time, states and modes.
    pub fn state(&self) -> &State {
        self.integrator.state()
    }

    /// Where the clock stands, s.
    pub fn time(&self) -> f64 {
        self.state().t
    }

    /// The parameters with the inputs as they are set.
    pub fn params(&self) -> &[f64] {
        &self.params
    }

    /// Names and units of the outputs.
    pub fn channels(&self) -> &[OutputChannel] {
        &self.channels
    }

    /// The values of all outputs, in the order of [`channels`](Self::channels).
    pub fn outputs(&self) -> Vec<f64> {
        let State { t, x, mode } = self.state();
        self.system.observe(&Point { t: *t, x, p: &self.params, mode })
    }

    /// The same, in room that is there already.
    pub fn outputs_into(&self, out: &mut Vec<f64>) {
        let State { t, x, mode } = self.state();
        self.system.observe_into(&Point { t: *t, x, p: &self.params, mode }, out);
    }

    /// One output by its name.
    pub fn output(&self, name: &str) -> Option<f64> {
        let place = self.channels.iter().position(|c| c.name == name)?;
        self.outputs().get(place).copied()
    }

    /// All that the run goes on from, inputs included.
    ///
    /// # Errors
    /// None that a run which got here can meet.
    pub fn save(&mut self) -> Result<SavedRun, LiveError> {
        if std::mem::take(&mut self.is_changed) {
            self.integrator.set_inputs(&self.params)?;
        }
        Ok(self.integrator.save()?)
    }

    /// Goes on from where a run of the same mechanism was saved.
    ///
    /// # Errors
    /// [`LiveError::Solve`] for what another mechanism has saved.
    pub fn restore(&mut self, saved: &SavedRun) -> Result<(), LiveError> {
        self.integrator.restore(saved)?;
        self.params.copy_from_slice(&saved.params);
        self.is_changed = false;
        Ok(())
    }
}

fn check(input: &LiveInput, value: f64) -> Result<(), LiveError> {
    if input.admits(value) {
        return Ok(());
    }
    let LiveInput { name, unit, min, max, .. } = input.clone();
    Err(LiveError::Value { name, value, unit, min, max })
}
