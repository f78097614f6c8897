use crate::builder::{Builder, Placed};
use crate::element::{Element, Motion, Named, Power, Signals};
use crate::error::MechError;
use crate::feed_forward::{FeedForward, STILL};
use crate::given::Given;
use crate::line::Line;
use crate::part::Part;
use crate::piecewise;
use crate::signals::Jet;
use crate::symbol::Symbol;
use bristle_core::{Card, Mode, Scalar};

/// A controller that pushes a body to where it is wanted, in continuous time.
///
/// ```text
/// e = position(t) + q_follows − q,   ẽ = e beyond ±dead_band, zero within
/// u = K_p ẽ + K_i ∫ ẽ dt + K_d ė + F_friction(ṙ),   F = u within ±limit, else ±limit
/// filter T:   ė → (e − e_f)/T with T ė_f = e − e_f
/// ```
///
/// With friction and an integral part the body may hunt: it sticks, the integral grows until it breaks away, it overshoots.
/// The `friction` that is known in advance can be made up for, at the velocity ṙ at which the wanted position moves.
/// While the force is at its limit the integral does not grow further (anti-windup), and shrinks as the error has it.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "pid",
    entry(name = "on", part, doc = "The body it moves."),
    entry(
        name = "reads",
        part,
        optional,
        doc = "The body whose position it measures; the one it moves unless given."
    ),
    entry(
        name = "follows",
        part,
        optional,
        doc = "A body that it follows: the wanted position counts from there, and not from the ground."
    ),
    entry(
        name = "against",
        part,
        optional,
        doc = "The body that bears the reaction; the ground unless given."
    ),
    entry(
        name = "friction",
        table = "law",
        optional,
        doc = "The friction that it makes up for: what a law without states says at the wanted velocity."
    )
)]
pub struct Pid<S> {
    /// Wanted position: a number, or a signal.
    #[param(symbol = "r", unit = "m", default = 0.0, signal)]
    pub position: S,
    /// Gain of the error.
    #[param(symbol = "K_p", unit = "N/m", default = 0.0, min = 0.0, signal)]
    pub kp: S,
    /// Gain of its integral.
    #[param(symbol = "K_i", unit = "N/(m s)", default = 0.0, min = 0.0, signal)]
    pub ki: S,
    /// Gain of its rate.
    #[param(symbol = "K_d", unit = "N s/m", default = 0.0, min = 0.0, signal)]
    pub kd: S,
    /// Time constant of the filter on the rate; left out, the rate is that of the body.
    #[param(symbol = "T", unit = "s", default = f64::NAN, min = 1e-9)]
    pub filter: S,
    /// Largest force; left out, it has no limit.
    #[param(symbol = "F_max", unit = "N", default = f64::NAN, min = 1e-12)]
    pub limit: S,
    /// Half width of the band in which an error counts as none; left out, there is no band.
    #[param(symbol = "e_0", unit = "m", default = f64::NAN, min = 0.0)]
    pub dead_band: S,
    /// Load of the friction that is made up for, where its law is stated in coefficients.
    #[param(symbol = "N", unit = "N", default = f64::NAN, min = 0.0)]
    pub load: S,
}

/// A controller with its coordinates; its states are the integral of the error and, with a filter, the filtered error. Its modes
/// say on which side of the limit and of the dead band it is.
#[derive(Clone, Debug)]
pub struct PidElement {
    /// What it moves, and what bears the reaction.
    ends: [usize; 2],
    /// What it measures, and from where.
    reads: [usize; 2],
    turns: bool,
    position: Given,
    gains: [usize; 3],
    filter: Option<usize>,
    limit: Option<usize>,
    dead_band: Option<usize>,
    friction: Option<FeedForward>,
}

impl PidElement {
    /// A controller whose part has the gains of a `pid`, and the wanted position in a field.
    pub(super) fn of(
        builder: &mut Builder,
        part: &Placed,
        line: Line,
        wanted: &'static str,
    ) -> Result<Self, MechError> {
        let ends = [builder.pushed(part, line)?.x, builder.against(part, line)?.x];
        let reads = [builder.read(part, line)?, builder.followed(part, line)?];
        let gains = ["kp", "ki", "kd"].map(|field| part.place(field));
        let [filter, limit, dead_band] =
            ["filter", "limit", "dead_band"].map(|field| part.place_if_given(field));
        let position = builder.given(part, wanted)?;
        let turns = line == Line::Rotary;
        let friction = FeedForward::of(builder, part, line)?;
        Ok(PidElement { ends, reads, turns, position, gains, filter, limit, dead_band, friction })
    }

    /// The mode of the dead band comes after that of the limit, where there is one, and that of the wanted velocity after both.
    fn band_slot(&self) -> usize {
        usize::from(self.limit.is_some())
    }

    fn friction_slot(&self) -> usize {
        self.band_slot() + usize::from(self.dead_band.is_some())
    }

    /// How fast the wanted position moves.
    fn wanted_rate<S: Scalar>(&self, at: &Motion<S>) -> S {
        self.position.jet(at.p, at.t).rate + at.v[self.reads[1]]
    }

    /// The friction that is made up for.
    fn expected<S: Scalar>(&self, at: &Motion<S>) -> S {
        let direction = at.mode.get(self.friction_slot()).copied().unwrap_or_default();
        let force = |friction: &FeedForward| friction.force(at.p, self.wanted_rate(at), direction);
        self.friction.as_ref().map_or_else(S::zero, force)
    }

    /// The error as it is measured, and its rate.
    fn measured<S: Scalar>(&self, at: &Motion<S>) -> [S; 2] {
        let Jet { value, rate, .. } = self.position.jet(at.p, at.t);
        let [reads, from] = self.reads;
        [value + at.q[from] - at.q[reads], rate + at.v[from] - at.v[reads]]
    }

    /// The error that counts.
    fn error<S: Scalar>(&self, at: &Motion<S>) -> S {
        let [error, _] = self.measured(at);
        self.dead_band
            .map_or(error, |band| piecewise::beyond(at.mode.get(self.band_slot()), error, at.p[band]))
    }

    /// What the controller asks for.
    fn effort<S: Scalar>(&self, at: &Motion<S>) -> S {
        let ([error, rate], [kp, ki, kd]) = (self.measured(at), self.gains.map(|i| at.p[i]));
        let rate = self.filter.map_or(rate, |filter| (error - at.z[1]) / at.p[filter]);
        let effort = kp * self.error(at) + ki * at.z[0] + kd * rate;
        if self.friction.is_some() { effort + self.expected(at) } else { effort }
    }

    /// What it gives.
    fn force<S: Scalar>(&self, at: &Motion<S>) -> S {
        let limit = self.limit.map_or_else(S::zero, |limit| at.p[limit]);
        match self.limit.and(at.mode.first()) {
            Some(Mode::Forward) => limit,
            Some(Mode::Backward) => -limit,
            _ => self.effort(at),
        }
    }

    /// The quantities whose zones are watched, each with half the width of its zone.
    fn zones<S: Scalar>(&self, at: &Motion<S>) -> [Option<[S; 2]>; 3] {
        let limited = self.limit.map(|limit| [self.effort(at), at.p[limit]]);
        let banded = self.dead_band.map(|band| [self.measured(at)[0], at.p[band]]);
        let moved = self.friction.as_ref().map(|_| [self.wanted_rate(at), S::from(STILL)]);
        [limited, banded, moved]
    }
}

impl Element for PidElement {
    fn apply<S: Scalar>(&self, at: &Motion<S>, f: &mut [S]) -> Power<S> {
        let force = self.force(at);
        let [on, against] = self.ends;
        f[on] += force;
        f[against] -= force;
        Power { input: force * (at.v[on] - at.v[against]), loss: S::zero() }
    }

    fn signals(&self) -> Signals<'_> {
        self.position.signal().into_iter().collect()
    }

    fn pairs(&self) -> Vec<[usize; 2]> {
        vec![self.reads]
    }

    fn pushes(&self) -> bool {
        true
    }

    fn coordinates(&self) -> Vec<usize> {
        let mut all = vec![self.ends[0], self.ends[1], self.reads[0], self.reads[1]];
        all.sort_unstable();
        all.dedup();
        all
    }

    fn states(&self) -> &'static [Named] {
        match (self.turns, self.filter) {
            (false, None) => &[("integral", "m s")],
            (false, Some(_)) => &[("integral", "m s"), ("filtered", "m")],
            (true, None) => &[("integral", "rad s")],
            (true, Some(_)) => &[("integral", "rad s"), ("filtered", "rad")],
        }
    }

    fn rates<S: Scalar>(&self, at: &Motion<S>, dz: &mut [S]) {
        let error = self.error(at);
        // At the limit only what leads away from it counts.
        dz[0] = match self.limit.and(at.mode.first()) {
            Some(Mode::Forward) => error.min(S::zero()),
            Some(Mode::Backward) => error.max(S::zero()),
            _ => error,
        };
        if let Some(filter) = self.filter {
            dz[1] = (self.measured(at)[0] - at.z[1]) / at.p[filter];
        }
    }

    fn guard_count(&self) -> usize {
        self.friction_slot() + usize::from(self.friction.is_some())
    }

    fn guards<S: Scalar>(&self, at: &Motion<S>, g: &mut [S]) {
        for (i, [x, half]) in self.zones(at).into_iter().flatten().enumerate() {
            g[i] = piecewise::guard(at.mode.get(i), x, half);
        }
    }

    fn settle(&self, at: &Motion<f64>, mode: &mut [Mode]) {
        // What is asked for depends on the side of the dead band, and on the way that the wanted position takes.
        let [_, banded, moved] = self.zones(at);
        for (slot, zone) in [(self.band_slot(), banded), (self.friction_slot(), moved)] {
            if let Some([x, half]) = zone {
                mode[slot] = piecewise::mode(x, half);
            }
        }
        let seen = mode.to_vec();
        if let Some([effort, limit]) = self.zones(&Motion { mode: &seen, ..*at })[0] {
            mode[0] = piecewise::mode(effort, limit);
        }
    }

    fn switch(&self, fired: usize, at: &Motion<f64>, _z: &mut [f64], mode: &mut [Mode]) {
        if let Some([x, _]) = self.zones(at).into_iter().flatten().nth(fired) {
            mode[fired] = piecewise::switched(mode[fired], x);
        }
    }

    fn outputs(&self) -> &'static [Named] {
        if self.turns {
            &[("torque", "N m"), ("error", "rad"), ("effort", "N m"), ("wanted", "rad"), ("power", "W")]
        } else {
            &[("force", "N"), ("error", "m"), ("effort", "N"), ("wanted", "m"), ("power", "W")]
        }
    }

    fn observe(&self, at: &Motion<f64>) -> Vec<f64> {
        let wanted = self.position.value(at.p, at.t) + at.q[self.reads[1]];
        let (force, [on, against]) = (self.force(at), self.ends);
        vec![force, self.measured(at)[0], self.effort(at), wanted, force * (at.v[on] - at.v[against])]
    }
}

impl Part for Pid<f64> {
    type Action = PidElement;
    const SYMBOL: Symbol = Symbol::Controller;

    fn act(builder: &mut Builder, part: &Placed) -> Result<Option<Self::Action>, MechError> {
        PidElement::of(builder, part, Line::Straight, "position").map(Some)
    }
}
