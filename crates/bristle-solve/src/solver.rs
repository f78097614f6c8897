//! A method with its tolerances, and the run it makes.

use crate::integrator::{Flow, Integrator};
use crate::observer::{AcceptedStep, Observer};
use crate::trajectory::{Event, Samples, Trajectory};
use crate::{Dynamics, Method, SolveError, State};

/// A method with its tolerances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solver {
    /// How to integrate.
    pub method: Method,
    /// Error per step relative to the state, 10⁻¹³ to 0.1.
    pub rtol: f64,
    /// Error per step relative to the state's scale ([`Dynamics::scales`]), 10⁻¹⁸ to 0.1.
    pub atol: f64,
    /// Largest step, s.
    pub h_max: Option<f64>,
    /// First step, s; chosen from the rates when left out.
    pub h_first: Option<f64>,
    /// How many steps, rejected ones included, a run may take.
    pub max_steps: usize,
    /// Whether equations are recorded and run as programs where that pays. The numbers are the same either way.
    pub is_recorded: bool,
}

impl Default for Solver {
    fn default() -> Self {
        Solver {
            method: Method::Auto,
            rtol: 1e-8,
            atol: 1e-8,
            h_max: None,
            h_first: None,
            max_steps: 10_000_000,
            is_recorded: true,
        }
    }
}

/// What a trajectory holds beside its events.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Output {
    /// Every accepted step.
    Steps,
    /// Evenly spaced times from the start, and the end.
    Grid {
        /// Distance, s.
        step: f64,
    },
    /// These times, in rising order.
    Times(Vec<f64>),
    /// Start and end.
    #[default]
    Ends,
}

impl Solver {
    /// The default method with both tolerances set to `tolerance`.
    pub fn with_tolerance(tolerance: f64) -> Self {
        Solver { rtol: tolerance, atol: tolerance, ..Solver::default() }
    }

    /// Smallest and largest relative tolerance.
    pub const RTOL: [f64; 2] = [1e-13, 0.1];

    /// Smallest and largest absolute tolerance.
    pub const ATOL: [f64; 2] = [1e-18, 0.1];

    /// Are the numbers sensible?
    pub fn check(&self) -> Result<(), SolveError> {
        let within = |name, value: f64, min: f64, max: f64| {
            if value >= min && value <= max {
                Ok(())
            } else {
                Err(SolveError::BadTolerance { name, value, min, max })
            }
        };
        within("rtol", self.rtol, Self::RTOL[0], Self::RTOL[1])?;
        within("atol", self.atol, Self::ATOL[0], Self::ATOL[1])?;
        within("h_max", self.h_max.unwrap_or(1.0), f64::MIN_POSITIVE, f64::INFINITY)?;
        within("h_first", self.h_first.unwrap_or(1.0), f64::MIN_POSITIVE, f64::INFINITY)
    }

    /// Integrates from `start` to `t_end`.
    ///
    /// Modes are made consistent by [`Dynamics::start`] first; an empty list of modes stands for all at rest.
    pub fn run<D: Dynamics>(
        &self,
        dynamics: &D,
        p: &[f64],
        start: State,
        t_end: f64,
        output: &Output,
        observer: &mut dyn Observer,
    ) -> Result<Trajectory, SolveError> {
        let mut recorder = TrajectoryRecorder::new(dynamics, output, t_end, observer);
        let mut integrator = Integrator::new(dynamics, p, self)?;
        integrator.reset(&start)?;
        recorder.begin(integrator.state());
        if matches!(self.method, Method::Bdf | Method::Esdirk34 | Method::Tsit45) {
            return self.run_library(dynamics, p, integrator.state().clone(), recorder);
        }
        let flow = integrator.advance(t_end, &mut recorder)?;
        let statistics = integrator.statistics();
        Ok(recorder.finish(integrator.state, statistics, flow))
    }
}

impl Solver {
    #[cfg(feature = "diffsol")]
    fn run_library<D: Dynamics>(
        &self,
        dynamics: &D,
        p: &[f64],
        start: State,
        mut recorder: TrajectoryRecorder,
    ) -> Result<Trajectory, SolveError> {
        let t_end = recorder.t_end;
        if t_end.is_nan() || t_end < start.t {
            return Err(SolveError::BadSpan { start: start.t, end: t_end });
        }
        let (end, statistics, flow) =
            crate::methods::diffsol::run(self, dynamics, p, start, t_end, &mut recorder)?;
        Ok(recorder.finish(end, statistics, flow))
    }

    #[cfg(not(feature = "diffsol"))]
    fn run_library<D: Dynamics>(
        &self,
        _dynamics: &D,
        _p: &[f64],
        _start: State,
        _recorder: TrajectoryRecorder,
    ) -> Result<Trajectory, SolveError> {
        Err(SolveError::NotBuilt { method: self.method.name() })
    }
}

/// Turns steps and events into a trajectory.
pub(crate) struct TrajectoryRecorder<'a> {
    output: &'a Output,
    observer: &'a mut dyn Observer,
    t_start: f64,
    t_end: f64,
    next: usize,
    row: Vec<f64>,
    trajectory: Trajectory,
}

impl<'a> TrajectoryRecorder<'a> {
    pub(crate) fn new<D: Dynamics>(
        dynamics: &D,
        output: &'a Output,
        t_end: f64,
        observer: &'a mut dyn Observer,
    ) -> Self {
        let mut samples = Samples::new(dynamics.dim(), dynamics.mode_count());
        if let Output::Times(times) = output {
            samples.reserve(times.len());
        }
        let trajectory = Trajectory { samples, ..Trajectory::default() };
        TrajectoryRecorder {
            output,
            observer,
            t_start: 0.0,
            t_end,
            next: 0,
            row: vec![0.0; dynamics.dim()],
            trajectory,
        }
    }

    pub(crate) fn begin(&mut self, state: &State) {
        self.t_start = state.t;
        match self.output {
            Output::Times(times) => {
                while times.get(self.next).is_some_and(|&t| t <= state.t) {
                    if times[self.next] == state.t {
                        self.trajectory.samples.push(state.t, &state.x, &state.mode);
                    }
                    self.next += 1;
                }
            }
            _ => {
                self.trajectory.samples.push(state.t, &state.x, &state.mode);
                self.next = 1;
            }
        }
    }

    /// The next time to be recorded, if the output names times.
    fn due(&self) -> Option<f64> {
        match self.output {
            Output::Grid { step } if *step > 0.0 => {
                let t = self.t_start + self.next as f64 * step;
                // A last grid point that misses the end by rounding is the end.
                (t < self.t_end - 1e-9 * step)
                    .then_some(t)
                    .or((self.t_end >= t - 1e-9 * step).then_some(self.t_end))
            }
            Output::Times(times) => times.get(self.next).copied(),
            _ => None,
        }
    }

    pub(crate) fn finish(mut self, end: State, statistics: crate::Statistics, flow: Flow) -> Trajectory {
        let samples = &mut self.trajectory.samples;
        let is_missing = samples.t.last() != Some(&end.t);
        if is_missing && !matches!(self.output, Output::Times(_)) {
            samples.push(end.t, &end.x, &end.mode);
        }
        self.trajectory.end = end;
        self.trajectory.statistics = statistics;
        self.trajectory.stopped_early = flow == Flow::Stopped;
        self.trajectory
    }
}

impl Observer for TrajectoryRecorder<'_> {
    fn looks_inside(&self, _t0: f64, t1: f64) -> bool {
        self.due().is_some_and(|t| t < t1)
    }

    fn step(&mut self, segment: &AcceptedStep) -> bool {
        while let Some(t) = self.due().filter(|&t| t <= segment.t1) {
            segment.at(t, &mut self.row);
            let seen = t.min(segment.t1_seen);
            self.trajectory.samples.push_seen(t, seen, &self.row, segment.mode);
            self.next += 1;
            if t >= self.t_end {
                break;
            }
        }
        if *self.output == Output::Steps {
            self.trajectory.samples.push_seen(segment.t1, segment.t1_seen, segment.x1, segment.mode);
        }
        self.observer.step(segment)
    }

    fn event(&mut self, guard: usize, seen: f64, before: &State, after: &State) {
        let samples = &mut self.trajectory.samples;
        let n = samples.len();
        let is_recorded = n > 0 && samples.t[n - 1] == before.t && samples.row(n - 1) == before.x.as_slice();
        if !is_recorded || samples.modes(n - 1) != before.mode.as_slice() {
            samples.push_seen(before.t, seen, &before.x, &before.mode);
        }
        samples.push(after.t, &after.x, &after.mode);
        self.trajectory.events.push(Event {
            t: before.t,
            guard,
            before: before.clone(),
            after: after.clone(),
        });
    }
}
