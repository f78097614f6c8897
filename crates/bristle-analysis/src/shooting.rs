//! The return map of a section, with exact derivatives.

use crate::AnalysisError;
use crate::active_states::ActiveStates;
use crate::collector::Collector;
use crate::section::PoincareSection;
use crate::variation::Variation;
use bristle_core::Mode;
use bristle_solve::{Dynamics, Flow, Integrator, Method, Point, Recordings, Solver, State};
use nalgebra::{DMatrix, DVector};
use std::sync::Arc;

/// How cycles are computed.
#[derive(Clone, Copy, Debug)]
pub struct Shooting {
    /// The integrator. Cycles want tight tolerances; the eighth-order explicit method is the fastest there unless
    /// the motion is very stiff.
    pub solver: Solver,
    /// Longest wait for a return, s.
    pub limit: f64,
    /// Most Newton steps.
    pub iterations: usize,
    /// Length of the last Newton correction, in units of the state scales, at which the search ends.
    pub tolerance: f64,
}

impl Default for Shooting {
    fn default() -> Self {
        let solver = Solver { method: Method::Dop853, rtol: 1e-12, atol: 1e-12, ..Solver::default() };
        Self { solver, limit: 100.0, iterations: 30, tolerance: 1e-11 }
    }
}

impl Shooting {
    /// Looser and faster, for surveys.
    pub fn rough() -> Self {
        let solver = Solver { method: Method::Auto, rtol: 1e-8, atol: 1e-8, ..Solver::default() };
        Self { solver, ..Self::default() }
    }
}

/// The way from one hit of the section to the next.
#[derive(Clone, Debug)]
pub struct Hit {
    /// State at the hit; its time counts from the start of the run.
    pub state: State,
    /// Smallest value of every state since the hit before, at the integrator's steps.
    pub min: Vec<f64>,
    /// Largest value of every state since the hit before, at the integrator's steps.
    pub max: Vec<f64>,
}

/// Several returns with their derivatives over the section coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Return {
    pub hits: Vec<State>,
    pub time: f64,
    /// `∂ξ'/∂ξ` in units of the scales.
    pub jacobian: DMatrix<f64>,
    /// `∂ξ'/∂p` in units of the scales.
    pub slope: DVector<f64>,
    /// `∂T/∂ξ` per scale, then `∂T/∂p`.
    pub delay: DVector<f64>,
    /// Largest swing of any coordinate on the way, in units of the scales.
    pub swing: f64,
}

/// The return map `ξ → ξ'` of a section.
#[derive(Clone, Debug)]
pub struct ReturnMap<'a, D> {
    /// The dynamics.
    pub dynamics: &'a D,
    /// Where cycles are cut.
    pub section: PoincareSection,
    /// How they are computed.
    pub shooting: Shooting,
    /// State indices that serve as coordinates on the section.
    pub coordinates: Vec<usize>,
    /// Typical magnitudes of the coordinates.
    pub scale: Vec<f64>,
    dependent: (usize, f64),
    recordings: Arc<Recordings>,
}

impl<'a, D: Dynamics> ReturnMap<'a, D> {
    /// Sets up the map along the motion from `start`: a few returns show which states are cyclic.
    pub fn new(
        dynamics: &'a D,
        p: &[f64],
        start: &[f64],
        section: PoincareSection,
        shooting: Shooting,
    ) -> Result<Self, AnalysisError> {
        let recordings = Arc::new(Recordings::default());
        let variation = Variation {
            inner: dynamics,
            section: &section,
            columns: 0,
            parameter: None,
            recordings: &recordings,
        };
        let mut collector = Collector::new(&variation);
        collector.keeps_switches = true;
        let rough = Solver { method: Method::Auto, rtol: 1e-6, atol: 1e-6, ..shooting.solver };
        let mut integrator = Integrator::new(&variation, p, &rough)?;
        integrator.reset(&State { t: 0.0, x: start[..variation.size()].to_vec(), mode: Vec::new() })?;
        let mut states = vec![variation.motion(integrator.state())];
        for _ in 0..3 {
            if integrator.advance(integrator.state().t + shooting.limit, &mut collector)? == Flow::Reached {
                break;
            }
        }
        states.extend(collector.hits.iter().map(|s| variation.motion(s)));
        states.extend(collector.switches.into_iter().take(40));
        let scope = ActiveStates::along(dynamics, p, &states)?;
        let scale_of = |i: usize| scope.active.iter().position(|&k| k == i).map_or(0.0, |k| scope.scale[k]);
        let dependent = section.dependent(scale_of).ok_or(AnalysisError::Tangent)?;
        let kept = |i: &&usize| **i != dependent.0;
        let coordinates: Vec<usize> = scope.active.iter().filter(kept).copied().collect();
        let scale = coordinates.iter().map(|&i| scale_of(i)).collect();
        Ok(Self { dynamics, section, shooting, coordinates, scale, dependent, recordings })
    }

    /// The same map computed no tighter than `rtol`.
    pub(crate) fn loosened(&self, rtol: f64) -> Self {
        let mut shooting = self.shooting;
        shooting.solver.rtol = shooting.solver.rtol.max(rtol);
        shooting.solver.atol = shooting.solver.atol.max(rtol);
        Self {
            dynamics: self.dynamics,
            section: self.section.clone(),
            shooting,
            coordinates: self.coordinates.clone(),
            scale: self.scale.clone(),
            dependent: self.dependent,
            recordings: self.recordings.clone(),
        }
    }

    /// Number of section coordinates.
    pub fn dim(&self) -> usize {
        self.coordinates.len()
    }

    /// The section coordinates of a state.
    pub fn coordinates_of(&self, state: &State) -> Vec<f64> {
        self.coordinates.iter().map(|&i| state.x[i]).collect()
    }

    /// The state on the section with the given coordinates; modes and other states are those of `like`.
    pub fn state_at(&self, xi: &[f64], like: &State) -> State {
        let mut state = like.clone();
        for (k, &i) in self.coordinates.iter().enumerate() {
            state.x[i] = xi[k];
        }
        self.section.place(&mut state.x, self.dependent);
        state
    }

    fn variation(&self, columns: usize, parameter: Option<usize>) -> Variation<'_, D> {
        Variation {
            inner: self.dynamics,
            section: &self.section,
            columns,
            parameter,
            recordings: &self.recordings,
        }
    }

    /// The next `count` hits of a motion from any state, with modes made consistent first.
    pub fn hits(&self, p: &[f64], start: &[f64], count: usize) -> Result<Vec<Hit>, AnalysisError> {
        let mut hits = Vec::with_capacity(count);
        self.each_hit(p, start, |hit| {
            hits.push(hit);
            hits.len() < count
        })?;
        Ok(hits)
    }

    /// Hands on one hit after the other until told to stop.
    pub fn each_hit(
        &self,
        p: &[f64],
        start: &[f64],
        next: impl FnMut(Hit) -> bool,
    ) -> Result<(), AnalysisError> {
        match self.follow(p, start, next, |_| false)? {
            None => Ok(()),
            Some(_) => Err(AnalysisError::NoReturn { limit: self.shooting.limit }),
        }
    }

    /// The same; where a motion did not return within the limit, the state it is in then, unless it is worth waiting on.
    pub(crate) fn follow(
        &self,
        p: &[f64],
        start: &[f64],
        mut next: impl FnMut(Hit) -> bool,
        mut is_waiting: impl FnMut(&State) -> bool,
    ) -> Result<Option<State>, AnalysisError> {
        let variation = self.variation(0, None);
        let mut collector = Collector::new(&variation);
        let mut integrator = Integrator::new(&variation, p, &self.shooting.solver)?;
        integrator.reset(&State { t: 0.0, x: start[..variation.size()].to_vec(), mode: Vec::new() })?;
        loop {
            let flow = integrator.advance(integrator.state().t + self.shooting.limit, &mut collector)?;
            if flow == Flow::Reached && collector.hits.is_empty() {
                let state = variation.motion(integrator.state());
                if is_waiting(&state) {
                    continue;
                }
                return Ok(Some(state));
            }
            let (min, max) = collector.extremes();
            for state in collector.hits.drain(..) {
                let state = variation.motion(&state);
                if !next(Hit { state, min: min.clone(), max: max.clone() }) {
                    return Ok(None);
                }
            }
        }
    }

    /// `count` returns from a state on the section, with derivatives over the coordinates and one parameter.
    pub(crate) fn run(
        &self,
        p: &[f64],
        from: &State,
        count: usize,
        parameter: Option<usize>,
    ) -> Result<Return, AnalysisError> {
        let m = self.dim();
        let columns = m + usize::from(parameter.is_some());
        let variation = self.variation(columns, parameter);
        let n = variation.size();
        let mut x = from.x[..n].to_vec();
        x.resize(variation.dim(), 0.0);
        for (c, &i) in self.coordinates.iter().enumerate() {
            // Moving along a coordinate, the dependent state follows so that the section is not left.
            let share = self.section.normal.iter().filter(|(k, _)| *k == i).map(|(_, c)| c).sum::<f64>();
            x[n * (1 + c) + i] = self.scale[c];
            x[n * (1 + c) + self.dependent.0] = -share / self.dependent.1 * self.scale[c];
        }
        let mut mode = from.mode.clone();
        mode.push(Mode::Backward);
        let mut collector = Collector::new(&variation);
        let mut integrator = Integrator::new(&variation, p, &self.shooting.solver)?;
        integrator.resume(&State { t: 0.0, x, mode })?;
        while collector.hits.len() < count {
            let before = collector.hits.len();
            integrator.advance(integrator.state().t + self.shooting.limit, &mut collector)?;
            if collector.hits.len() == before {
                return Err(AnalysisError::NoReturn { limit: self.shooting.limit });
            }
        }
        collector.hits.truncate(count);
        let (min, max) = collector.extremes();
        let swing = self.swing(&min, &max);
        Ok(Return { swing, ..self.project(p, &variation, &collector.hits)? })
    }

    /// Largest swing of any section coordinate between two extremes, in units of the scales.
    pub(crate) fn swing(&self, min: &[f64], max: &[f64]) -> f64 {
        let swing = |(k, &i): (usize, &usize)| (max[i] - min[i]) / self.scale[k];
        self.coordinates.iter().enumerate().map(swing).fold(0.0, f64::max)
    }

    /// Projects the variations at the last hit onto the section along the flow.
    fn project(
        &self,
        p: &[f64],
        variation: &Variation<'_, D>,
        hits: &[State],
    ) -> Result<Return, AnalysisError> {
        let (m, n) = (self.dim(), variation.size());
        let last = hits.last().ok_or(AnalysisError::NoReturn { limit: self.shooting.limit })?;
        let motion = variation.motion(last);
        let mut rates = vec![0.0; self.dynamics.dim()];
        self.dynamics.rates(Point { t: motion.t, x: &motion.x, p, mode: &motion.mode }, &mut rates);
        let speed = self.section.slope(|i| rates[i]);
        if speed == 0.0 || !speed.is_finite() {
            return Err(AnalysisError::Tangent);
        }
        let mut moved = DMatrix::zeros(m, variation.columns);
        let mut delay = DVector::zeros(variation.columns);
        for c in 0..variation.columns {
            let column = &last.x[n * (1 + c)..n * (2 + c)];
            delay[c] = -self.section.slope(|i| column[i]) / speed;
            for (k, &i) in self.coordinates.iter().enumerate() {
                moved[(k, c)] = (column[i] + rates[i] * delay[c]) / self.scale[k];
            }
        }
        let slope = if variation.columns > m { moved.column(m).clone_owned() } else { DVector::zeros(m) };
        Ok(Return {
            hits: hits.iter().map(|s| variation.motion(s)).collect(),
            time: last.t,
            jacobian: moved.columns(0, m).clone_owned(),
            slope,
            delay,
            swing: f64::NAN,
        })
    }
}
