use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Named, Power, Signals};
use crate::error::MechError;
use crate::feed_forward::{FeedForward, STILL};
use crate::given::Given;
use crate::line::Line;
use crate::part::Part;
use crate::piecewise;
use crate::symbol::Symbol;
use bristle_core::{Card, Choice, Mode, Scalar};

/// A digital controller: it looks at a body once every period, and holds its force in between.
///
/// ```text
/// every period T:   y = quantum · round(q/quantum),   e = position(t) − y,   I ← I + T e
/// x = e, or −y,   x̄ = mean of x over the last m looks,   D ← D + T/(T + τ) ((x̄ − x̄ before)/T − D)
/// u = K_p e + K_i I + K_d D + F_friction(ṙ),   F = u within ±limit, from `delay` later on
/// ```
///
/// The first look is taken one period after the start, or at the start, when the body has moved at its velocity before. While the
/// force is at its limit the integral does not grow further. Every look is an event, so that no step passes over it. A set-point
/// that was measured is a `polyline` with its `file` and `column`. A velocity loop within a position loop with the gains `k_v` and `k_p`
/// is `K_p = k_v k_p`, `K_d = k_v` with `derivative = "measurement"`.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "sampled_pid",
    entry(name = "on", part, doc = "The body it moves."),
    entry(
        name = "reads",
        part,
        optional,
        doc = "The body whose position it measures; the one it moves unless given."
    ),
    entry(
        name = "friction",
        table = "law",
        optional,
        doc = "The friction that it makes up for: what a law without states says at the wanted velocity."
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
    /// How many looks the difference is taken over the mean of.
    #[param(symbol = "m", unit = "1", default = 1.0, min = 1.0, max = 4.0, whole)]
    pub average: S,
    /// Time constant of the filter behind the difference.
    #[param(symbol = "τ", unit = "s", default = 0.0, min = 0.0)]
    pub filter: S,
    /// Load of the friction that is made up for, where its law is stated in coefficients.
    #[param(symbol = "N", unit = "N", default = f64::NAN, min = 0.0)]
    pub load: S,
    /// What is differentiated: the error, or the measurement alone, so that steps of the wanted position do not kick.
    #[choice("error", "measurement")]
    pub derivative: Choice,
    /// When the first look is taken: a period after the start, or at the start.
    #[choice("after_period", "at_start")]
    pub first_look: Choice,
}

/// A digital controller with its coordinate.
#[derive(Clone, Debug)]
pub struct SampledPidElement {
    body: usize,
    /// What it measures.
    reads: usize,
    turns: bool,
    position: Given,
    period: usize,
    gains: [usize; 3],
    delay: usize,
    quantum: Option<usize>,
    limit: Option<usize>,
    /// Places of the number of looks that are averaged and of the time constant.
    smoothing: [usize; 2],
    derives_measurement: bool,
    looks_at_start: bool,
    friction: Option<FeedForward>,
}

/// Places of its states: the force that acts, the one that waits, the integral, the error of the last look, the slope, the time since
/// the last look, and what was seen at the last looks, the latest first.
const ACTS: usize = 0;
const WAITS: usize = 1;
const INTEGRAL: usize = 2;
const ERROR: usize = 3;
const SLOPE: usize = 4;
const SINCE: usize = 5;
const SEEN: usize = 6;

/// Its states where it pushes a body along a line.
const STRAIGHT: [Named; 10] = [
    ("force", "N"),
    ("waiting", "N"),
    ("integral", "m s"),
    ("error", "m"),
    ("slope", "m/s"),
    ("since", "s"),
    ("seen", "m"),
    ("seen_2", "m"),
    ("seen_3", "m"),
    ("seen_4", "m"),
];

/// Its states where it turns a rotor.
const TURNING: [Named; 10] = [
    ("torque", "N m"),
    ("waiting", "N m"),
    ("integral", "rad s"),
    ("error", "rad"),
    ("slope", "rad/s"),
    ("since", "s"),
    ("seen", "rad"),
    ("seen_2", "rad"),
    ("seen_3", "rad"),
    ("seen_4", "rad"),
];

/// So many looks are remembered.
const MEMORY: usize = 4;

/// The mode of the second guard: forward while a force waits.
const WAITING: usize = 1;

impl SampledPidElement {
    /// A controller whose part has the numbers of a `sampled_pid`, and the wanted position in a field.
    pub(super) fn of(
        builder: &mut Builder,
        part: &Placed,
        line: Line,
        wanted: &'static str,
    ) -> Result<Self, MechError> {
        let body = builder.pushed(part, line)?.x;
        let (period, delay) = (part.place("period"), part.place("delay"));
        if builder.list.values[delay] >= builder.list.values[period] {
            return Err(
                part.fault("delay", "a force acts before the next look: make `delay` shorter than `period`")
            );
        }
        let gains = ["kp", "ki", "kd"].map(|field| part.place(field));
        let [quantum, limit] = ["quantum", "limit"].map(|field| part.place_if_given(field));
        let position = builder.given(part, wanted)?;
        let reads = builder.read(part, line)?;
        let turns = line == Line::Rotary;
        let smoothing = ["average", "filter"].map(|field| part.place(field));
        let [derives_measurement, looks_at_start] =
            [0, 1].map(|i| part.spec.choices.get(i).is_some_and(|choice| *choice == Choice(1)));
        Ok(SampledPidElement {
            body,
            reads,
            turns,
            position,
            period,
            gains,
            delay,
            quantum,
            limit,
            smoothing,
            derives_measurement,
            looks_at_start,
            friction: FeedForward::of(builder, part, line)?,
        })
    }

    /// A position as it is measured.
    fn measured(&self, p: &[f64], q: f64) -> f64 {
        self.quantum.map_or(q, |quantum| (q / p[quantum]).round() * p[quantum])
    }

    /// What is differentiated, from a measurement.
    fn followed(&self, wanted: f64, seen: f64) -> f64 {
        if self.derives_measurement { -seen } else { wanted - seen }
    }

    /// The friction that is made up for.
    fn expected(&self, at: &Motion<f64>) -> f64 {
        let rate = self.position.jet(at.p, at.t).rate;
        let force = |friction: &FeedForward| friction.force(at.p, rate, piecewise::mode(rate, STILL));
        self.friction.as_ref().map_or(0.0, force)
    }

    /// Takes a look, and makes up its mind.
    fn look(&self, at: &Motion<f64>, z: &mut [f64]) {
        let (period, [kp, ki, kd]) = (at.p[self.period], self.gains.map(|i| at.p[i]));
        let wanted = self.position.value(at.p, at.t);
        let seen = self.measured(at.p, at.q[self.reads]);
        let (error, follows) = (wanted - seen, self.followed(wanted, seen));
        let [average, filter] = self.smoothing.map(|place| at.p[place]);
        let before = z[SEEN + (average as usize).clamp(1, MEMORY) - 1];
        let difference = (follows - before) / (average * period);
        z[SLOPE] += period / (period + filter) * (difference - z[SLOPE]);
        let integral = z[INTEGRAL] + period * error;
        let asked = kp * error + ki * integral + kd * z[SLOPE] + self.expected(at);
        let limit = self.limit.map_or(f64::INFINITY, |limit| at.p[limit]);
        let winds_up = asked.abs() > limit && asked * error > 0.0;
        if !winds_up {
            z[INTEGRAL] = integral;
        }
        z.copy_within(SEEN..SEEN + MEMORY - 1, SEEN + 1);
        (z[SEEN], z[ERROR], z[SINCE], z[WAITS]) = (follows, error, 0.0, asked.clamp(-limit, limit));
        if at.p[self.delay] <= 0.0 {
            z[ACTS] = z[WAITS];
        }
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
        if self.turns { &TURNING } else { &STRAIGHT }
    }

    fn initial(&self, at: &Motion<f64>, z: &mut [f64]) {
        if !self.looks_at_start {
            return;
        }
        let wanted = self.position.value(at.p, at.t);
        for (k, seen) in z[SEEN..SEEN + MEMORY].iter_mut().enumerate() {
            let earlier = (k + 1) as f64 * at.p[self.period];
            *seen = self.followed(wanted, self.measured(at.p, at.q[self.reads] - at.v[self.reads] * earlier));
        }
        self.look(at, z);
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

    fn settle(&self, at: &Motion<f64>, mode: &mut [Mode]) {
        let waits = at.z[SINCE] < at.p[self.delay] && at.z[WAITS] != at.z[ACTS];
        mode[WAITING] = if waits { Mode::Forward } else { Mode::Backward };
    }

    fn switch(&self, fired: usize, at: &Motion<f64>, z: &mut [f64], mode: &mut [Mode]) {
        if fired == WAITING {
            z[ACTS] = z[WAITS];
            mode[WAITING] = Mode::Backward;
            return;
        }
        self.look(at, z);
        if at.p[self.delay] > 0.0 {
            mode[WAITING] = Mode::Forward;
        }
    }
}

impl Part for SampledPid<f64> {
    type Action = SampledPidElement;
    const SYMBOL: Symbol = Symbol::Controller;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        SampledPidElement::of(builder, part, Line::Straight, "position").map(Some)
    }
}
