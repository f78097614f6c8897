//! Contacts that hold in every direction of a plane, up to a limit: the forces at rest fill a disc.
//!
//! Such a contact is two, along x and along y, that stick together and slide together, so that whatever rests is solved for at once,
//! in lines and planes. The first of them keeps the heading: the direction in which it slid when that was last looked at. Friction acts
//! against the slip rate; where a step carries that past rest, it goes on as it came, and the heading tells:
//!
//! ```text
//! F = μ n w/|w|   while w · heading > 0,   else   F = μ n heading
//! ```
//!
//! Where the slip rate leaves the heading by more than eighty degrees the body has turned, and gets a new heading, or has come to rest.

use crate::grain::Grain;
use crate::invariant;
use crate::system::{System, SystemEval};
use bristle_core::{Mode, Scalar};
use bristle_law::{At, dot, length};
use bristle_solve::{Point, State};

/// One of the two directions of a contact that holds in the plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlanarHold {
    /// Places of both among the contacts, that along x first.
    pub(crate) parts: [usize; 2],
    pub(crate) grain: Grain,
}

/// The cotangent of the angle between slip rate and heading from which on the body has turned.
const TURNED: f64 = 0.17;

/// Slower than this, m/s and relative to the speeds of both bodies, what has turned has come to rest.
const STILL: f64 = 1e-11;

/// How far below rest a sliding contact is caught, m/s, as along a line.
const CATCH_SPEED: f64 = 1e-13;

impl System {
    /// The slip rate of both parts, as the law sees it.
    fn slip_in_plane<S: Scalar>(&self, disc: &PlanarHold, p: &[S], flow: &SystemEval<S>) -> [S; 2] {
        disc.grain.slip(p, disc.parts.map(|k| flow.touch[k].v))
    }

    /// What both parts bear, as the law sees it.
    fn borne_in_plane<S: Scalar>(&self, disc: &PlanarHold, p: &[S], flow: &SystemEval<S>) -> [S; 2] {
        disc.grain.borne(p, disc.parts.map(|k| flow.touch[k].force))
    }

    fn heading<S: Scalar>(&self, disc: &PlanarHold, x: &[S]) -> [S; 2] {
        let z = self.contacts[disc.parts[0]].z;
        [x[z], x[z + 1]]
    }

    /// The friction force of contact `k`, which slides in the plane.
    pub(crate) fn apply_friction_in_plane<S: Scalar>(
        &self,
        k: usize,
        disc: &PlanarHold,
        at: &Point<S>,
        flow: &SystemEval<S>,
    ) -> S {
        let (w, heading) = (self.slip_in_plane(disc, at.p, flow), self.heading(disc, at.x));
        let (ahead, speed) = (dot(w, heading), length(w));
        let is_ahead = S::zero().lt(ahead);
        let direction = [0, 1].map(|i| S::choose(is_ahead, || w[i] / speed, || heading[i]));
        let v = S::choose(is_ahead, || speed, || ahead);
        let here = At { v, n: flow.touch[k].n, hold: S::zero(), mode: &[Mode::Forward] };
        let size = self.contacts[k].law(at.p).eval(&here, &[], &mut []);
        let force = disc.grain.force(at.p, direction.map(|d| d * size));
        force[usize::from(k == disc.parts[1])]
    }

    /// The guard of contact `k`: what is left until it lets go, or until it has turned or come to rest. That of the first part goes for
    /// both.
    pub(crate) fn guard_in_plane<S: Scalar>(
        &self,
        k: usize,
        disc: &PlanarHold,
        at: &Point<S>,
        flow: &SystemEval<S>,
    ) -> S {
        if k != disc.parts[0] {
            return S::one();
        }
        if self.contacts[k].sticks(at.mode) {
            let [limit, _] = self.limits(k, at, &flow.touch[k]);
            let borne = self.borne_in_plane(disc, at.p, flow);
            // Without a root, whose slope at nothing is no number.
            return limit - dot(borne, borne) / limit.max(S::from(1e-300));
        }
        let (w, heading) = (self.slip_in_plane(disc, at.p, flow), self.heading(disc, at.x));
        // Straight through rest, so that it is located as along a line.
        let aside = w[0] * heading[1] - w[1] * heading[0];
        dot(w, heading) - aside.abs() * TURNED + CATCH_SPEED
    }

    /// What a contact bears in the plane over its limit, and what it bears.
    pub(crate) fn overload_in_plane(
        &self,
        disc: &PlanarHold,
        at: &Point<f64>,
        flow: &SystemEval<f64>,
    ) -> [f64; 2] {
        let lead = disc.parts[0];
        let [limit, _] = self.limits(lead, at, &flow.touch[lead]);
        let borne = length(self.borne_in_plane(disc, at.p, flow));
        [borne / limit.max(1e-300), borne]
    }

    /// Lets a contact slide in the plane, in this direction as the law sees it.
    fn head(&self, disc: &PlanarHold, towards: [f64; 2], state: &mut State) {
        let (z, size) = (self.contacts[disc.parts[0]].z, length(towards));
        let heading = if size > 0.0 { towards.map(|t| t / size) } else { [1.0, 0.0] };
        state.x[z..z + 2].copy_from_slice(&heading);
        for k in disc.parts {
            state.mode[self.contacts[k].slot] = Mode::Forward;
        }
    }

    /// Lets go of a contact that has reached its limit: it slides against what it bore.
    pub(crate) fn release_in_plane(
        &self,
        disc: &PlanarHold,
        p: &[f64],
        state: &mut State,
        flow: &SystemEval<f64>,
    ) {
        self.head(disc, self.borne_in_plane(disc, p, flow), state);
    }

    /// Lets both parts stick.
    pub(crate) fn stick_in_plane(&self, disc: &PlanarHold, mode: &mut [Mode]) {
        for k in disc.parts {
            mode[self.contacts[k].slot] = Mode::Stick;
        }
    }

    /// Gives a contact the direction in which it slides, if it does: whether it slides.
    pub(crate) fn turn_in_plane(&self, disc: &PlanarHold, p: &[f64], state: &mut State, most: f64) -> bool {
        let mut flow = SystemEval::new();
        self.motion(&Point { t: state.t, x: &state.x, p, mode: &state.mode }, &mut flow);
        let pairs = disc.parts.map(|k| self.contacts[k].ends.map(|c| flow.v[c]));
        let w = disc.grain.slip(p, pairs.map(|[a, b]| a - b));
        let fastest = pairs.into_iter().flatten().fold(0.0_f64, |m, v| m.max(v.abs()));
        let slides = length(w) > most * (1.0 + fastest);
        if slides {
            self.head(disc, w, state);
        }
        slides
    }

    /// The modes of contacts in the plane at a start: those at rest stick.
    pub(crate) fn start_in_plane(&self, p: &[f64], state: &mut State) {
        for disc in self.discs() {
            if !self.turn_in_plane(&disc, p, state, crate::stick::AT_REST) {
                self.stick_in_plane(&disc, &mut state.mode);
            }
        }
    }

    /// The modes of contacts in the plane after something has jumped: who slides now, or slides another way, gets a heading; who has no
    /// slip is asked whether it sticks.
    pub(crate) fn resettle_in_plane(&self, p: &[f64], state: &mut State) {
        for disc in self.discs() {
            let sticks = self.contacts[disc.parts[0]].sticks(&state.mode);
            let least = if sticks { invariant::SLIP } else { crate::stick::AT_REST };
            if !self.turn_in_plane(&disc, p, state, least) {
                self.stick_in_plane(&disc, &mut state.mode);
            }
        }
    }

    /// How fast a sliding contact goes ahead.
    pub(crate) fn ahead_in_plane(&self, disc: &PlanarHold, at: &Point<f64>) -> f64 {
        let slip = disc.parts.map(|k| {
            let [a, b] = self.contacts[k].ends.map(|c| invariant::velocity(self, c, at));
            a - b
        });
        dot(disc.grain.slip(at.p, slip), self.heading(disc, at.x))
    }

    /// Contact `k` has turned or come to rest: whether it slides on.
    pub(crate) fn slides_on(&self, k: usize, p: &[f64], state: &mut State) -> bool {
        self.contacts[k].disc.is_some_and(|disc| self.turn_in_plane(&disc, p, state, STILL))
    }

    /// How fast a contact that was let go gains speed ahead.
    pub(crate) fn gain_in_plane(
        &self,
        disc: &PlanarHold,
        p: &[f64],
        x: &[f64],
        flow: &SystemEval<f64>,
    ) -> f64 {
        let rate = disc.parts.map(|k| crate::holding::slip_acceleration(self, k, p, flow));
        dot(disc.grain.slip(p, rate), self.heading(disc, x))
    }

    /// The contacts that hold in the plane.
    fn discs(&self) -> Vec<PlanarHold> {
        self.contacts[self.lines..].iter().step_by(2).filter_map(|c| c.disc).collect()
    }
}
