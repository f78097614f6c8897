//! Whether a motion settles: what its linearised equations say far ahead, as far as they can be believed.

use crate::active_states::ActiveStates;
use crate::attractor::{Fate, STEADY};
use crate::shooting::ReturnMap;
use bristle_solve::{Dynamics, Point, State};
use nalgebra::{DMatrix, DVector};

/// How far ahead, in longest waits, the equations are asked whether a motion settles.
const FORECAST: f64 = 1e3;

/// The share of a guard that has to be left where a motion settles.
const KEPT: f64 = 1e-6;

/// What the equations add to their linear forecast may come to this share of the way that is forecast.
const TRUSTED: f64 = 0.1;

/// What is smaller than this share of a state's size is no way at all.
const NOWHERE: f64 = 1e-6;

/// How many times faster a motion gets that runs away.
pub(crate) const FASTER: f64 = 2.0;

/// Terms of the series for the first, short, part of the time ahead; the product of rates and time is below a half there.
const TERMS: usize = 18;

impl<D: Dynamics> ReturnMap<'_, D> {
    /// Rest or steady sliding, where the equations lead there from a state without another event: linearised, the rates of all
    /// states on which something depends die away, no guard is crossed, and on the way the equations do what their linear form
    /// says.
    ///
    /// With `ẋ = f + J (x − x₀)` the rates after the time `T` are `exp(J T) f`. A body that stands still while the integral of its
    /// controller grows has a rate that stays. Bristles that are about to break away seem to let their body creep to its place,
    /// as if it slid there with the friction of this instant; on the way the friction would fall, so that this forecast is not
    /// believed, and the motion is watched on.
    ///
    /// Where something happens at given times, such as the samples of a controller, rates do not tell all, and the state `before` has
    /// to agree.
    pub(crate) fn settled(&self, p: &[f64], before: Option<&State>, state: &State) -> Option<Fate> {
        let is_timed = self.dynamics.next_break(p, state.t).is_some();
        if is_timed && !before.is_some_and(|before| self.stays(before, state)) {
            return None;
        }
        // An integral without gain matters no more.
        let scope = ActiveStates::along(self.dynamics, p, std::slice::from_ref(state)).ok()?;
        let forecast = Forecast::new(&scope, p, self.shooting.limit * FORECAST);
        let (far, ends) = forecast.far_ahead(p, state)?;
        let now = self.drift(p, state);
        if ends {
            return Some(now.map_or(Fate::Rest, |rate| Fate::Sliding { rate }));
        }
        // What goes on and drifts ever faster runs away. A rate that stays while nothing drifts faster, such as that of an integral
        // on a moving belt, says nothing yet.
        let then = self.drift(p, &State { x: far, ..state.clone() })?;
        let rate = now?;
        (then.abs() > FASTER * rate.abs()).then_some(Fate::RunsAway { rate })
    }
}

/// What the equations, linearised at a state, say of the time ahead.
struct Forecast<'a, D> {
    scope: &'a ActiveStates<'a, D>,
    ahead: f64,
    /// Rates at the state, and their Jacobian, both in units of the states' sizes.
    rates: DVector<f64>,
    jacobian: DMatrix<f64>,
}

impl<'a, D: Dynamics> Forecast<'a, D> {
    fn new(scope: &'a ActiveStates<'a, D>, p: &[f64], ahead: f64) -> Self {
        let x = scope.start();
        let mut jacobian = scope.jacobian(p, &x);
        for (i, k) in (0..scope.dim()).flat_map(|i| (0..scope.dim()).map(move |k| (i, k))) {
            jacobian[(i, k)] *= scope.scale[k] / scope.scale[i];
        }
        let rates = scaled_rates(scope, p, &x);
        Self { scope, ahead, rates, jacobian }
    }

    /// Where the motion is after the time ahead, and whether its rates have died away then; nothing if a guard is crossed on the way
    /// or the equations do not agree there.
    ///
    /// The time is doubled again and again, from a first part that is short for every rate.
    fn far_ahead(&self, p: &[f64], state: &State) -> Option<(Vec<f64>, bool)> {
        let start = self.scope.start();
        let is_still = self.all_steady(&self.rates, &start);
        let now = self.guards(p, state, &state.x);
        let doublings = (2.0 * self.jacobian.norm() * self.ahead).max(1.0).log2().ceil();
        let mut time = self.ahead * (-doublings).exp2();
        let [mut flow, mut way] = self.short(time);
        let mut far = state.x.clone();
        for _ in 0..=doublings as usize {
            let path = &way * &self.rates;
            let x: Vec<f64> = (0..start.len()).map(|k| start[k] + path[k] * self.scope.scale[k]).collect();
            if !self.agrees(p, &x, &flow, &way, &path) {
                return None;
            }
            far = self.scope.expand(&x);
            // What ends on a guard may as well cross it on the way: a sliding body that comes to rest may stop, or turn round. It
            // is watched on until it stands still.
            let then = self.guards(p, state, &far);
            let keeps = |(now, then): (&f64, &f64)| *now <= 0.0 || *then > KEPT * now;
            if !is_still && !now.iter().zip(&then).all(keeps) {
                return None;
            }
            if time >= self.ahead {
                break;
            }
            way += &flow * &way;
            flow = &flow * &flow;
            time *= 2.0;
        }
        Some((far, self.all_steady(&(&flow * &self.rates), &start)))
    }

    /// Whether rates change nothing within the time ahead.
    fn all_steady(&self, rates: &DVector<f64>, x: &[f64]) -> bool {
        let sizes = x.iter().zip(&self.scope.scale).map(|(x, scale)| (x / scale).abs().max(1.0));
        rates.iter().zip(sizes).all(|(rate, size)| rate.abs() * self.ahead <= STEADY * size)
    }

    /// `exp(J T)` and `∫ exp(J t) dt` over a short time, by their series.
    fn short(&self, time: f64) -> [DMatrix<f64>; 2] {
        let n = self.rates.len();
        let product = &self.jacobian * time;
        let mut term = DMatrix::identity(n, n);
        let [mut flow, mut way] = [term.clone(), term.clone()];
        for k in 1..TERMS {
            term = &term * &product / k as f64;
            flow += &term;
            way += &term / (k + 1) as f64;
        }
        [flow, way * time]
    }

    /// Whether the equations at a place of the path have the rates that are forecast: what they add to them, going on for as long
    /// as the path has taken, leads to nowhere else.
    fn agrees(
        &self,
        p: &[f64],
        x: &[f64],
        flow: &DMatrix<f64>,
        way: &DMatrix<f64>,
        path: &DVector<f64>,
    ) -> bool {
        let added = scaled_rates(self.scope, p, x) - flow * &self.rates;
        let astray = way * added;
        // Written so that what is no number does not agree.
        astray.iter().zip(path.iter()).all(|(off, way)| off.abs() <= TRUSTED * way.abs() + NOWHERE)
    }

    fn guards(&self, p: &[f64], state: &State, x: &[f64]) -> Vec<f64> {
        let mut guards = vec![0.0; self.scope.dynamics.guard_count()];
        let at = Point { t: state.t, x, p, mode: &state.mode };
        self.scope.dynamics.guards(at, &mut guards);
        guards
    }
}

/// Rates in units of the states' sizes.
fn scaled_rates<D: Dynamics>(scope: &ActiveStates<'_, D>, p: &[f64], x: &[f64]) -> DVector<f64> {
    let mut rates = vec![0.0; scope.dim()];
    scope.rates(p, x, &mut rates);
    DVector::from_iterator(scope.dim(), rates.iter().zip(&scope.scale).map(|(rate, scale)| rate / scale))
}
