//! Rosenbrock methods: linearly implicit, without iteration, with error control.
//!
//! ```text
//! (1/(hγ) − J) u_i = f(t + α_i h, x + Σ a_ij u_j) + Σ (c_ij/h) u_j + γ_i h ∂f/∂t,   x = (q, v)
//! ```
//!
//! The accelerations of `f` satisfy the equations exactly at every stage, holding forces included; the systems with
//! `J` are solved on the banded, bordered structure of the equations. The coefficients are those of
//! [`bristle_solve`]'s methods. High order pays where friction is smooth (`cdq` with a small `α`); at the kinks of
//! Quinn's law the error control shortens the steps, and generalised-α is faster.

mod rates;
mod stages;
mod tangent;

use crate::assembly::deepen;
use crate::balance::{Ledger, power};
use crate::elastic::CableNode;
use crate::error::CableError;
use crate::integration::{Integration, RunCost, next_step};
use crate::state::CableState;
use crate::system::CableSystem;
use bristle_solve::Method;
use bristle_solve::methods::RosenbrockTable;
use rates::Rates;
use stages::Stage;
use tangent::Tangent;

/// Settings of a Rosenbrock method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rosenbrock {
    /// Which one: `rodas4` or `rodas5p`.
    pub method: Method,
    /// Step, s: the fixed one, or the largest with error control.
    pub step: f64,
    /// Local error of places allowed per step, m, and of speeds times the step; none keeps the step fixed.
    ///
    /// It must be small against the stretch of an element under its load: neighbours that are off by more pull with
    /// forces that are not there.
    pub tolerance: Option<f64>,
    /// Smallest step, s.
    pub smallest_step: f64,
}

impl Default for Rosenbrock {
    fn default() -> Self {
        Rosenbrock { method: Method::Rodas4, step: 0.05, tolerance: Some(1e-8), smallest_step: 1e-10 }
    }
}

/// Where moved ends started from: what time alone decides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    start: [CableNode; 2],
}

impl Marks {
    /// Puts what time alone moves where it is `dt` after `from`.
    fn place(&self, system: &CableSystem, from: &CableState, to: &mut CableState, dt: f64) {
        to.t = from.t + dt;
        for (i, drum) in system.cable().drums.iter().enumerate() {
            if drum.drive.inertia().is_none() {
                to.spin[i] = drum.drive.advance(from.t, dt, from.spin[i]);
            }
        }
        system.move_ends(to, &self.start);
    }
}

/// A run of a Rosenbrock method over one cable.
#[derive(Clone, Debug)]
pub struct RosenbrockRun<'a> {
    system: &'a CableSystem,
    settings: Rosenbrock,
    table: &'static RosenbrockTable,
    /// The state at the last accepted step.
    pub state: CableState,
    /// What the run has cost so far.
    pub statistics: RunCost,
    trial: CableState,
    stages: Vec<Stage>,
    right: Stage,
    marks: Marks,
    rates: Rates,
    tangent: Tangent,
    step: f64,
    ledger: Option<Ledger>,
    middle: CableState,
    deepest: Vec<f64>,
}

impl<'a> RosenbrockRun<'a> {
    /// Starts at `state` with accelerations that satisfy the equations there.
    pub fn new(
        system: &'a CableSystem,
        settings: Rosenbrock,
        mut state: CableState,
    ) -> Result<Self, CableError> {
        system.touches_at_nodes()?;
        let unknown = CableError::Method { name: settings.method.name() };
        let table = settings.method.rosenbrock().ok_or(unknown)?;
        for drum in &system.cable().drums {
            if drum.friction.states() > 0 {
                let why = "its internal states need the method generalised_alpha";
                return Err(CableError::Law { name: drum.friction.name(), why });
            }
        }
        let nodes = system.cable().nodes();
        let marks = Marks { start: [state.q[0], state.q[nodes - 1]] };
        system.move_ends(&mut state, &marks.start);
        let mut rates = Rates::new(system);
        rates.evaluate(system, &mut state);
        let mut deepest = vec![0.0; system.cable().drums.len()];
        deepen(&mut deepest, rates.touches());
        let tangent = Tangent::new(system, &state);
        let room = || Stage {
            q: vec![[0.0; 4]; nodes],
            v: vec![[0.0; 4]; nodes],
            spin: vec![[0.0; 2]; tangent.motors.len()],
        };
        Ok(RosenbrockRun {
            table,
            settings,
            trial: state.clone(),
            middle: state.clone(),
            stages: table.a.iter().map(|_| room()).collect(),
            right: room(),
            marks,
            rates,
            step: if settings.tolerance.is_some() { settings.step.min(1e-4) } else { settings.step },
            statistics: RunCost::default(),
            ledger: None,
            deepest,
            tangent,
            state,
            system,
        })
    }

    /// From now on, keeps account of work and losses.
    pub fn keep_account(&mut self) {
        self.ledger = Some(Ledger::new(self.system, &self.state));
    }

    /// Takes one step of length `dt`, or shortens the next attempt.
    fn attempt(&mut self, dt: f64, clipped: bool) -> Result<(), CableError> {
        let ratio = self.try_step(dt)?;
        let power = 1.0 / self.table.error_power;
        if let Some(tolerance) = self.settings.tolerance {
            let ratio = ratio / tolerance;
            let factor = 0.9 * ratio.max(1e-12).powf(-power);
            if ratio.is_nan() || ratio > 1.0 {
                self.statistics.rejections += 1;
                self.step = dt * if factor.is_nan() { 0.1 } else { factor.clamp(0.1, 0.9) };
                return self.guard(ratio);
            }
            if !clipped || factor < 1.0 {
                self.step = (dt * factor.clamp(0.2, 5.0)).min(self.settings.step);
            }
        } else if !ratio.is_finite() {
            self.step = 0.0;
            return self.guard(ratio);
        }
        self.accept(dt);
        Ok(())
    }

    fn guard(&self, update: f64) -> Result<(), CableError> {
        if self.step < self.settings.smallest_step {
            return Err(CableError::StepTooSmall { t: self.state.t, step: self.step, update });
        }
        Ok(())
    }

    /// All stages of a step; gives the error of places, and of speeds times the step, m.
    fn try_step(&mut self, dt: f64) -> Result<f64, CableError> {
        let gain = dt * self.table.gamma;
        self.tangent.prepare(self.system, &mut self.state, &self.marks, dt, gain)?;
        self.statistics.factorisations += 1;
        for i in 0..self.stages.len() {
            if i == 0 {
                self.trial.copy_from(&self.state);
            } else {
                self.place_stage(i, dt);
                self.rates.evaluate(self.system, &mut self.trial);
                self.statistics.evaluations += 1;
            }
            self.fill_right(i, dt);
            let right = [self.right.q.as_slice(), &self.right.v];
            let time = self.table.gammas[i] * dt;
            let spins = &mut self.stages[i].spin;
            spins.copy_from_slice(&self.right.spin);
            let x = self.tangent.solve(self.system, &self.state, &self.rates.mass, right, spins, time)?;
            let Stage { q, v, spin } = &mut self.stages[i];
            for node in 0..q.len() {
                for c in 0..4 {
                    v[node][c] = gain * x[node][c];
                    q[node][c] = gain * (v[node][c] + self.right.q[node][c]);
                }
            }
            for (u, r) in spin.iter_mut().zip(&self.right.spin) {
                u[1] *= gain;
                u[0] = gain * (u[1] + r[0]);
            }
        }
        Ok(self.finish_step(dt))
    }

    fn accept(&mut self, dt: f64) {
        self.rates.evaluate(self.system, &mut self.trial);
        self.statistics.evaluations += 1;
        if self.rates.settle_bands(self.system, &mut self.trial) {
            self.rates.evaluate(self.system, &mut self.trial);
        }
        deepen(&mut self.deepest, self.rates.touches());
        if let Some(mut ledger) = self.ledger.take() {
            self.place_middle(dt);
            self.rates.evaluate(self.system, &mut self.middle);
            let middle = power(self.system, &self.middle);
            ledger.simpson(dt, &middle, &power(self.system, &self.trial));
            self.ledger = Some(ledger);
        }
        std::mem::swap(&mut self.state, &mut self.trial);
        self.statistics.steps += 1;
    }
}

impl Integration for RosenbrockRun<'_> {
    fn advance_to(&mut self, end: f64) -> Result<(), CableError> {
        let adapts = self.settings.tolerance.is_some();
        while let Some((dt, is_clipped)) = next_step(self.state.t, end, self.step, adapts)? {
            self.attempt(dt, is_clipped)?;
        }
        Ok(())
    }

    fn state(&self) -> &CableState {
        &self.state
    }

    fn statistics(&self) -> RunCost {
        self.statistics
    }

    fn deepest(&self) -> &[f64] {
        &self.deepest
    }

    fn ledger(&self) -> Option<&Ledger> {
        self.ledger.as_ref()
    }
}
