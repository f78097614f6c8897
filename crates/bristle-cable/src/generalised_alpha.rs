//! The generalised-α method with a full Newton iteration on the exact Jacobian.
//!
//! ```text
//! q₁ = q₀ + h v₀ + h² ((½ − β) A₀ + β A₁),   v₁ = v₀ + h ((1 − γ) A₀ + γ A₁)
//! (1 − α_m) A₁ + α_m A₀ = (1 − α_f) a₁ + α_f a₀,   r(q₁, v₁, a₁) = 0
//! α_m = (2ρ − 1)/(ρ + 1),  α_f = ρ/(ρ + 1),  γ = ½ − α_m + α_f,  β = ¼ (γ + ½)²
//! ```
//!
//! Second order; `ρ` is the factor left of a fast oscillation after one step (Chung & Hulbert 1993, in the form
//! of Arnold & Brüls 2007, where the equations hold exactly at every step). Where the length of the step changes from
//! `h₀` to `h₁`, `A₀` is replaced by `a₀ + (h₁/h₀) (A₀ − a₀)`, which keeps the order.

use crate::assembly::{ActiveFriction, Assembly, Weights};
use crate::elastic::CableNode;
use crate::error::CableError;
use crate::newton::NewtonWorkspace;
use crate::settle::settle;
use crate::state::CableState;
use crate::system::CableSystem;
use bristle_solve::Cancel;

/// Settings of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneralisedAlpha {
    /// Spectral radius at infinity `ρ`, between 0 (annihilates) and 1 (conserves).
    pub rho: f64,
    /// Step, s.
    pub step: f64,
    /// Newton stops when a further velocity change is below this, m/s.
    pub newton_tolerance: f64,
    /// Newton iterations before the step is halved.
    pub newton_limit: usize,
    /// Smallest step, s.
    pub smallest_step: f64,
}

impl Default for GeneralisedAlpha {
    fn default() -> Self {
        GeneralisedAlpha {
            rho: 0.6,
            step: 5e-3,
            newton_tolerance: 1e-6,
            newton_limit: 8,
            smallest_step: 1e-10,
        }
    }
}

/// What a run cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunCost {
    /// Accepted steps.
    pub steps: usize,
    /// Newton iterations.
    pub newton: usize,
    /// Steps repeated because Newton failed.
    pub halvings: usize,
}

/// A run of the method over one cable.
#[derive(Clone, Debug)]
pub struct GeneralisedAlphaRun<'a> {
    system: &'a CableSystem,
    method: GeneralisedAlpha,
    /// The state at the last accepted step.
    pub state: CableState,
    /// What the run has cost so far.
    pub statistics: RunCost,
    trial: CableState,
    /// `A` at the last accepted step and at the trial.
    algorithmic: [Vec<CableNode>; 2],
    algorithmic_spin: [Vec<f64>; 2],
    /// The length of step that `A` at the last accepted step belongs to.
    length: f64,
    start: [CableNode; 2],
    step: f64,
    /// Accepted steps still to wait before a shortened step is doubled, and the next such wait.
    patience: [usize; 2],
    assembly: Assembly,
    newton: NewtonWorkspace,
    update: f64,
}

impl<'a> GeneralisedAlphaRun<'a> {
    /// Starts at `state` with accelerations that satisfy the equations there.
    pub fn new(
        system: &'a CableSystem,
        method: GeneralisedAlpha,
        mut state: CableState,
    ) -> Result<Self, CableError> {
        system.touches_at_nodes()?;
        let nodes = system.cable().nodes();
        let mut assembly = Assembly::new(nodes);
        let mut newton = NewtonWorkspace::new(system);
        let start = [state.q[0], state.q[nodes - 1]];
        system.move_ends(&mut state, &start);
        settle(system, &mut state, &mut assembly, &mut newton)?;
        let spins: Vec<f64> = state.spin.iter().map(|s| s[2]).collect();
        Ok(GeneralisedAlphaRun {
            system,
            method,
            trial: state.clone(),
            algorithmic: [state.a.clone(), state.a.clone()],
            algorithmic_spin: [spins.clone(), spins],
            start,
            step: method.step,
            length: method.step,
            patience: [0, 1],
            statistics: RunCost::default(),
            assembly,
            newton,
            state,
            update: 0.0,
        })
    }

    /// The contacts at the last accepted step.
    pub fn touches(&mut self) -> &[crate::assembly::TouchingNode] {
        let dt = self.step;
        let w = Weights { mass: 1.0, speed: 0.0, place: 0.0, dt };
        self.trial.copy_from(&self.state);
        self.system.assemble(&mut self.trial, &self.state.z, w, ActiveFriction::Law, &mut self.assembly);
        &self.assembly.touches
    }

    /// Advances to time `end` exactly.
    pub fn advance_to(&mut self, end: f64) -> Result<(), CableError> {
        while let Some((dt, is_clipped)) = next_step(self.state.t, end, self.step)? {
            self.step_once(dt, is_clipped)?;
        }
        Ok(())
    }

    fn step_once(&mut self, dt: f64, clipped: bool) -> Result<(), CableError> {
        let converged = self.iterate(dt)?;
        if !converged {
            self.statistics.halvings += 1;
            self.step = 0.5 * dt;
            // Where one failure follows another, doubling back at once would only fail again.
            let next = self.patience[1];
            self.patience = [next, (2 * next).min(64)];
            return self.guard();
        }
        if !clipped {
            if self.patience[0] > 0 {
                self.patience[0] -= 1;
            } else {
                self.step = (2.0 * dt).min(self.method.step);
                if self.step == self.method.step {
                    self.patience[1] = (self.patience[1] / 2).max(1);
                }
            }
        }
        self.accept();
        Ok(())
    }

    fn guard(&self) -> Result<(), CableError> {
        if self.step < self.method.smallest_step {
            return Err(CableError::StepTooSmall { t: self.state.t, step: self.step, update: self.update });
        }
        Ok(())
    }

    /// Makes `A` at the last accepted step that of a step of length `dt`.
    ///
    /// `A` is the acceleration at a time off the step's end by a share of its length, so that `A − a` is proportional to
    /// it. Unscaled, a step that keeps changing costs an order.
    fn rescale(&mut self, dt: f64) {
        if dt == self.length {
            return;
        }
        let ratio = dt / self.length;
        for (before, a) in self.algorithmic[0].iter_mut().zip(&self.state.a) {
            (0..4).for_each(|c| before[c] = a[c] + ratio * (before[c] - a[c]));
        }
        for (before, spin) in self.algorithmic_spin[0].iter_mut().zip(&self.state.spin) {
            *before = spin[2] + ratio * (*before - spin[2]);
        }
        self.length = dt;
    }

    /// Newton's iteration for one step; tells whether it converged.
    fn iterate(&mut self, dt: f64) -> Result<bool, CableError> {
        self.rescale(dt);
        let m = AlphaCoefficients::new(self.method.rho);
        let w = Weights { mass: 1.0, speed: dt * m.gamma * m.gain, place: dt * dt * m.beta * m.gain, dt };
        self.trial.copy_from(&self.state);
        self.trial.t = self.state.t + dt;
        self.spin_drums(dt);
        for _ in 0..self.method.newton_limit {
            self.place(dt, &m);
            self.system.assemble(&mut self.trial, &self.state.z, w, ActiveFriction::Law, &mut self.assembly);
            let change = match self.newton.step(self.system, &mut self.trial, w, &mut self.assembly) {
                Ok(change) => change,
                Err(CableError::Singular { .. }) => return Ok(false),
                Err(other) => return Err(other),
            };
            self.statistics.newton += 1;
            self.update = change * w.speed;
            if !self.update.is_finite() {
                return Ok(false);
            }
            if self.update <= self.method.newton_tolerance {
                self.place(dt, &m);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Drums that do not feel the cable move ahead of it.
    fn spin_drums(&mut self, dt: f64) {
        for (i, drum) in self.system.cable().drums.iter().enumerate() {
            if drum.drive.inertia().is_none() {
                self.trial.spin[i] = drum.drive.advance(self.state.t, dt, self.state.spin[i]);
            }
        }
    }

    /// Places and speeds of the trial from its accelerations.
    fn place(&mut self, dt: f64, m: &AlphaCoefficients) {
        let (old, new) = (&self.state, &mut self.trial);
        let [before, after] = &mut self.algorithmic;
        for i in 0..old.q.len() {
            for c in 0..4 {
                let a1 = m.algorithmic(new.a[i][c], old.a[i][c], before[i][c]);
                after[i][c] = a1;
                new.q[i][c] = old.q[i][c] + m.travel(dt, old.v[i][c], before[i][c], a1);
                new.v[i][c] = old.v[i][c] + dt * ((1.0 - m.gamma) * before[i][c] + m.gamma * a1);
            }
        }
        let [before, after] = &mut self.algorithmic_spin;
        for (d, drum) in self.system.cable().drums.iter().enumerate() {
            if drum.drive.inertia().is_some() {
                let [theta, omega, alpha] = old.spin[d];
                let a1 = m.algorithmic(new.spin[d][2], alpha, before[d]);
                after[d] = a1;
                new.spin[d][0] = theta + m.travel(dt, omega, before[d], a1);
                new.spin[d][1] = omega + dt * ((1.0 - m.gamma) * before[d] + m.gamma * a1);
            }
        }
        self.system.move_ends(new, &self.start);
    }

    fn accept(&mut self) {
        for touch in &self.assembly.touches {
            let friction = &self.system.cable().drums[touch.drum].friction;
            let (was, hold) = (self.state.stuck[touch.node], self.trial.hold[touch.node]);
            self.trial.stuck[touch.node] = friction.holds(was, touch.slip, touch.normal.force, hold);
        }
        std::mem::swap(&mut self.state, &mut self.trial);
        self.algorithmic.swap(0, 1);
        self.algorithmic_spin.swap(0, 1);
        self.statistics.steps += 1;
    }
}

/// The next step towards `end` and whether it is shorter than planned; nothing where the end is reached.
fn next_step(t: f64, end: f64, step: f64) -> Result<Option<(f64, bool)>, CableError> {
    if t >= end - 1e-12 * (1.0 + end.abs()) {
        return Ok(None);
    }
    Cancel::check()?;
    let left = end - t;
    let dt = if step >= left * (1.0 - 1e-9) { left } else { step };
    Ok(Some((dt, dt < step * (1.0 - 1e-9))))
}

/// The method's constants.
#[derive(Clone, Copy, Debug)]
struct AlphaCoefficients {
    alpha_m: f64,
    alpha_f: f64,
    beta: f64,
    gamma: f64,
    /// `∂A₁/∂a₁`.
    gain: f64,
}

impl AlphaCoefficients {
    fn new(rho: f64) -> Self {
        let alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
        let alpha_f = rho / (rho + 1.0);
        let gamma = 0.5 - alpha_m + alpha_f;
        let beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
        AlphaCoefficients { alpha_m, alpha_f, beta, gamma, gain: (1.0 - alpha_f) / (1.0 - alpha_m) }
    }

    #[inline]
    fn algorithmic(&self, a1: f64, a0: f64, before: f64) -> f64 {
        ((1.0 - self.alpha_f) * a1 + self.alpha_f * a0 - self.alpha_m * before) / (1.0 - self.alpha_m)
    }

    #[inline]
    fn travel(&self, dt: f64, v: f64, before: f64, after: f64) -> f64 {
        dt * v + dt * dt * ((0.5 - self.beta) * before + self.beta * after)
    }
}
