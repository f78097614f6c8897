//! How what a rope does changes with time: signals move its ends and drums and push at its free ends, and its states
//! move with their rates where these are given.

use super::chain::{PowerSlopes, RopeChain};
use super::touch_slopes::dot;
use super::{DRUM, END, Rope};
use crate::system::{System, SystemEval};
use bristle_core::{Dual, partial};
use bristle_solve::Point;

/// Slopes of what a rope does by itself.
#[derive(Clone, Debug, Default)]
pub(super) struct SlopesAlong {
    /// Of its accelerations if its ends stood still; empty where nothing moves it.
    pub(super) own: Vec<[f64; 4]>,
    /// Of the rates of friction states: where they stand, and rates.
    pub(super) states: Vec<(usize, [f64; 4])>,
    /// Of the power lost on each drum it touches.
    pub(super) rubbed: Vec<(usize, f64)>,
    pub(super) powers: PowerSlopes,
    /// Of the guards of laws with a dead band: the point, and both.
    pub(super) guards: Vec<(usize, [f64; 2])>,
}

impl RopeChain {
    /// Slopes in time at a point that is seeded with time, and with the rates of states where they are given; writes
    /// those of the ports.
    pub(super) fn slopes_along(
        &mut self,
        system: &System,
        rope: &Rope,
        (at, flow): (&Point<Dual<1>>, &SystemEval<Dual<1>>),
        rates: Option<&[f64]>,
        ports: &mut [f64],
    ) -> SlopesAlong {
        ports.fill(0.0);
        let last = rope.elements;
        let rate = |x: &Dual<1>| partial(x, 0);
        let pushed = rope.ends.each_ref().map(|end| end.push(at).each_ref().map(rate));
        self.u.clear();
        for (i, places) in rope.nodes.iter().enumerate().filter(|_| rates.is_some()) {
            let of = |place: Option<usize>| place.zip(rates).map_or(0.0, |(place, rates)| rates[place]);
            (self.u.q[i], self.u.v[i]) = (places.q.map(of), places.v.map(of));
        }
        for (end, node) in rope.ends.iter().zip([0, last]) {
            if let Some(tie) = &end.tie {
                let moved = tie.motion(system, at.p, flow);
                for c in 0..2 {
                    self.u.q[node][c] = rate(&moved.place[c]);
                    self.u.v[node][c] = rate(&moved.velocity[c]);
                }
            }
        }
        for (out, &d) in self.u.drums.iter_mut().zip(&rope.drums) {
            let moved = system.drums[d].motion(at.p, flow);
            let ([x, y], [vx, vy]) = (moved.centre.each_ref().map(rate), moved.velocity.each_ref().map(rate));
            *out = [x, y, vx, vy, rate(&moved.spin)];
        }
        let still = |x: &f64| *x == 0.0;
        let ends = [&self.u.q[0], &self.u.q[last], &self.u.v[0], &self.u.v[last]];
        let is_still = rates.is_none()
            && ends.into_iter().flatten().all(still)
            && self.u.drums.iter().flatten().all(still)
            && pushed.iter().flatten().all(still);
        let mut out = SlopesAlong::default();
        if is_still {
            return out;
        }
        out.powers = self.powers(rope);
        let mut force = vec![[0.0; 4]; last + 1];
        for i in (0..=last).filter(|&i| rates.is_some() || i < 2 || i + 2 > last) {
            force[i] = self.row(i).map(|x| -x);
        }
        for (e, node) in [(0, 0), (1, last)] {
            for c in 0..2 {
                force[node][c] += pushed[e][c];
                out.powers.input += pushed[e][c] * self.speeds[e][c];
            }
        }
        for touch in &self.touches {
            let mut inputs = self.u.inputs(&self.kernel.points, touch);
            if let Some(rates) = rates {
                let z = &rates[touch.z..][..rope.states];
                inputs[8..8 + rope.states].copy_from_slice(z);
            }
            let port = &mut ports[2 * END + DRUM * touch.drum..][..DRUM];
            let made = touch.force.each_ref().map(|by| dot(by, &inputs));
            self.kernel.points[touch.point].push(made, &mut force);
            (0..2).for_each(|c| port[c] -= made[c]);
            port[2] -= touch.reach * dot(&touch.friction, &inputs);
            out.states.push((touch.z, touch.rates.each_ref().map(|by| dot(by, &inputs))));
            if rates.is_some() && rope.modes > 0 {
                out.guards.push((touch.point, touch.guards.each_ref().map(|by| dot(by, &inputs))));
            }
            out.rubbed.push((touch.drum, dot(&touch.rubbed, &inputs)));
            out.powers.loss += dot(&touch.damped, &inputs);
        }
        out.own.clone_from(&force);
        self.kernel.mass.solve(&mut out.own);
        for (e, node) in [(0, 0), (1, last)].into_iter().filter(|(e, _)| rope.ends[*e].tie.is_some()) {
            let felt = self.kernel.mass.felt_of(e, &out.own);
            (0..2).for_each(|c| ports[END * e + c] = force[node][c] + felt[c]);
        }
        out
    }
}
