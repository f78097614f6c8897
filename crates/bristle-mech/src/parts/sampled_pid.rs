use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Named, Power, Signals};
use crate::error::MechError;
use crate::given::Given;
use crate::line::Line;
use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::{Card, Mode, Scalar};

/// A digital controller: it looks at a body once every period, and holds its force in between.
///
/// ```text
/// every period T:   y = quantum · round(q/quantum),   e = position(t) − y,   I ← I + T e
/// u = K_p e + K_i I + K_d (e − e before)/T,   F = u within ±limit, from `delay` later on
/// ```
///
/// The first look is taken one period after the start. While the force is at its limit the integral does not grow further.
/// Every look is an event, so that no step passes over it.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "sampled_pid",
    entry(name = "on", part, doc = "The body it moves."),
    entry(
        name = "reads",
        part,
        optional,
        doc = "The body whose position it measures; the one it moves unless given."
    )
)]
pub struct SampledPid<S> {
    /// Time from one look to the next.
    #[param(symbol = "T", unit = "s", min = 1e-9)]
    pub period: S,
    /// Wanted position: a number, or a signal.
    #[param(symbol = "r", unit = "m", default = 0.0, signal)]
    pub position: S,
    /// Gain of the error.
    #[param(symbol = "K_p", unit = "N/m", default = 0.0, min = 0.0)]
    pub kp: S,
    /// Gain of its integral.
    #[param(symbol = "K_i", unit = "N/(m s)", default = 0.0, min = 0.0)]
    pub ki: S,
    /// Gain of its difference.
    #[param(symbol = "K_d", unit = "N s/m", default = 0.0, min = 0.0)]
    pub kd: S,
    /// Time from a look until its force acts, less than a period.
    #[param(symbol = "T_d", unit = "s", default = 0.0, min = 0.0)]
    pub delay: S,
    /// Step of the measurement; left out, it is exact.
    #[param(symbol = "Δq", unit = "m", default = f64::NAN, min = 1e-15)]
    pub quantum: S,
    /// Largest force; left out, it has no limit.
    #[param(symbol = "F_max", unit = "N", default = f64::NAN, min = 1e-12)]
    pub limit: S,
}

/// A digital controller with its coordinate.
#[derive(Clone, Debug)]
pub struct SampledPidElement {
    body: usize,
    /// What it measures.
    reads: usize,
    position: Given,
    period: usize,
    gains: [usize; 3],
    delay: usize,
    quantum: Option<usize>,
    limit: Option<usize>,
}

/// Places of its states: the force that acts, the one that waits, the integral, the error of the last look and the time since.
const ACTS: usize = 0;
const WAITS: usize = 1;
const INTEGRAL: usize = 2;
const ERROR: usize = 3;
const SINCE: usize = 4;

/// The mode of the second guard: forward while a force waits.
const WAITING: usize = 1;

impl SampledPidElement {
    /// The error as it is measured.
    fn error(&self, at: &Motion<f64>) -> f64 {
        let q = at.q[self.reads];
        let seen = self.quantum.map_or(q, |quantum| (q / at.p[quantum]).round() * at.p[quantum]);
        self.position.value(at.p, at.t) - seen
    }
}

impl Element for SampledPidElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        f[self.body] += at.z[ACTS];
        Power { input: at.z[ACTS] * at.v[self.body], loss: S::zero() }
    }

    fn signals(&self) -> Signals<'_> {
        self.position.signal().into_iter().collect()
    }

    fn pushes(&self) -> bool {
        true
    }

    fn coordinates(&self) -> Vec<usize> {
        if self.reads == self.body { vec![self.body] } else { vec![self.body, self.reads] }
    }

    fn states(&self) -> &'static [Named] {
        &[("force", "N"), ("waiting", "N"), ("integral", "m s"), ("error", "m"), ("since", "s")]
    }

    fn rates<S: Scalar>(&self, _at: &Motion<S>, dz: &mut [S]) {
        dz.fill(S::zero());
        dz[SINCE] = S::one();
    }

    fn guard_count(&self) -> usize {
        2
    }

    fn guards<S: Scalar>(&self, at: &Motion<S>, g: &mut [S]) {
        g[0] = at.p[self.period] - at.z[SINCE];
        let is_waiting = at.mode.get(WAITING) == Some(&Mode::Forward);
        g[WAITING] = if is_waiting { at.p[self.delay] - at.z[SINCE] } else { S::one() };
    }

    fn switch(&self, fired: usize, at: &Motion<f64>, z: &mut [f64], mode: &mut [Mode]) {
        if fired == WAITING {
            z[ACTS] = z[WAITS];
            mode[WAITING] = Mode::Backward;
            return;
        }
        let (error, period, [kp, ki, kd]) = (self.error(at), at.p[self.period], self.gains.map(|i| at.p[i]));
        let integral = z[INTEGRAL] + period * error;
        let effort = |integral: f64| kp * error + ki * integral + kd * (error - z[ERROR]) / period;
        let limit = self.limit.map_or(f64::INFINITY, |limit| at.p[limit]);
        let asked = effort(integral);
        let winds_up = asked.abs() > limit && asked * error > 0.0;
        let force = asked.clamp(-limit, limit);
        if !winds_up {
            z[INTEGRAL] = integral;
        }
        (z[ERROR], z[SINCE], z[WAITS]) = (error, 0.0, force);
        if at.p[self.delay] > 0.0 {
            mode[WAITING] = Mode::Forward;
        } else {
            z[ACTS] = force;
        }
    }
}

impl Part for SampledPid<f64> {
    type Action = SampledPidElement;
    const SYMBOL: Symbol = Symbol::Controller;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        let body = builder.pushed(part, Line::Straight)?.x;
        let (period, delay) = (part.place("period"), part.place("delay"));
        if builder.list.values[delay] >= builder.list.values[period] {
            return Err(
                part.fault("delay", "a force acts before the next look: make `delay` shorter than `period`")
            );
        }
        let gains = ["kp", "ki", "kd"].map(|field| part.place(field));
        let [quantum, limit] = ["quantum", "limit"].map(|field| part.place_if_given(field));
        let position = builder.given(part, "position")?;
        let reads = builder.read(part, Line::Straight)?;
        Ok(Some(SampledPidElement { body, reads, position, period, gains, delay, quantum, limit }))
    }
}
