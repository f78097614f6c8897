//! Points of a rope under a law with a dead band: apart, held or sliding, decided at located events.
//!
//! ```text
//! held:     F = −μ_s N clamp(r + (v − v₀)/ε),   ṙ = (−F/(μ_s N) − r)/τ
//! sliding:  F = −s μ N,                          ṙ = (s μ/μ_s − r)/τ
//! ```
//!
//! `r` is the share of its limit that a point holds: at rest `F = −r μ_s N`, and nothing creeps. As a share it needs no event where
//! the load of a point that leaves its drum falls to nothing. `v₀` is the slip rate that a point keeps which coasts, and nothing for
//! one that is to slow down within the band. Each point has three modes: whether it touches, then those of its law.

use super::touch::{DrumMotion, LAG, Surface};
use super::{PointTouch, Rope};
use crate::system::{System, SystemEval};
use bristle_cable::Friction;
use bristle_core::{Mode, Scalar};
use bristle_law::{AnyLaw, At};
use bristle_solve::{Point, State};

/// Modes of a point: whether it touches, and two of the law.
pub(super) const MODES: usize = 3;

/// The mode of a point that touches; one that is apart sticks to nothing.
const TOUCHES: Mode = Mode::Forward;

/// How far below its locking speed a sliding point is caught, m/s.
const CATCH_SPEED: f64 = 1e-13;

/// A gap or a depth this small, as a part of the radius, is left to the event that is about to be located.
const BARELY: f64 = 1e-12;

impl Surface {
    /// The half width of its dead band, if its law has one.
    pub(super) fn band(&self) -> Option<f64> {
        match &self.friction {
            Friction::Karnopp { eps, .. } => Some(*eps),
            _ => None,
        }
    }

    /// The share of its limit that a held point asks for.
    fn asked<S: Scalar>(&self, slip: S, z: &[S]) -> S {
        z[0] + (slip - z[1]) / self.band().unwrap_or(f64::NAN)
    }

    /// Friction over normal force along the rope, and the largest at rest, in the modes of the law. Both do not depend on the load.
    fn coefficients<S: Scalar>(&self, law: &AnyLaw<S>, slip: S, law_modes: &[Mode], z: &[S]) -> [S; 2] {
        let at = At { v: slip, n: S::one(), hold: S::zero(), mode: law_modes };
        let most = law.limit(&at, &[]).unwrap_or_else(S::zero);
        if law_modes.first() == Some(&Mode::Stick) {
            return [most * self.asked(slip, z).clamp_to(-S::one(), S::one()), most];
        }
        [law.eval(&at, &[], &mut []), most]
    }

    /// Friction along the rope in the modes of the point; writes the rates of its states.
    pub(super) fn band_force<S: Scalar>(
        &self,
        law: &AnyLaw<S>,
        [slip, normal]: [S; 2],
        mode: &[Mode],
        z: &[S],
        dz: &mut [S],
    ) -> S {
        dz[1] = S::zero();
        let [TOUCHES, law_modes @ ..] = mode else {
            dz[0] = -z[0] / LAG;
            return S::zero();
        };
        let [used, most] = self.coefficients(law, slip, law_modes, z);
        dz[0] = (used / most - z[0]) / LAG;
        -(normal * used)
    }

    /// What keeps a touching point in the modes of its law, positive while it stays in them.
    pub(super) fn band_guards<S: Scalar>(&self, law: &AnyLaw<S>, slip: S, mode: &[Mode], z: &[S]) -> [S; 2] {
        let mut g = [S::one(); 2];
        match mode {
            [TOUCHES, Mode::Stick, _] => g[0] = S::one() - self.asked(slip, z).abs(),
            [TOUCHES, law_modes @ ..] => {
                let at = At { v: slip, n: S::one(), hold: S::zero(), mode: law_modes };
                law.guards(&at, &[], &mut g);
                g[0] = g[0] + CATCH_SPEED;
            }
            _ => {}
        }
        g
    }

    /// The modes of a point whose contact begins, or begins anew, and what it holds then.
    fn begin(&self, law: &AnyLaw<f64>, slip: f64, mode: &mut [Mode], z: &mut [f64]) {
        law.start(&At::sliding(slip, 1.0), &[], &mut mode[1..]);
        (z[0], z[1]) = (0.0, 0.0);
        if slip.abs() <= self.band().unwrap_or(0.0) {
            mode[1..].fill(Mode::Stick);
            z[1] = if law.coasts() { slip } else { 0.0 };
        }
    }

    /// Holds a sliding point: the force goes on as it was.
    fn lock(&self, law: &AnyLaw<f64>, slip: f64, mode: &mut [Mode], z: &mut [f64]) {
        let [used, most] = self.coefficients(law, slip, &mode[1..], z);
        mode[1..].fill(Mode::Stick);
        z[1] = if law.coasts() { slip } else { 0.0 };
        z[0] = 0.0;
        z[0] = used / most - self.asked(slip, z);
    }

    /// Lets a held point go in the direction in which it is pulled.
    fn release(&self, law: &AnyLaw<f64>, slip: f64, mode: &mut [Mode], z: &[f64]) {
        mode[1] = Mode::of(self.asked(slip, z));
        mode[2] = Mode::Stick;
        law.on_breakaway(&At::sliding(slip, 1.0), &mut mode[1..]);
    }
}

/// A drum with a dead band as the points of a rope see it.
struct BandDrum<S: Scalar> {
    /// Its place among the drums of the rope.
    drum: usize,
    motion: DrumMotion<S>,
    law: AnyLaw<S>,
}

impl Rope {
    /// The modes of a point; none where no drum has a dead band.
    pub(crate) fn modes_of<'a>(&self, point: usize, mode: &'a [Mode]) -> &'a [Mode] {
        let first = self.slot + point * self.modes;
        mode.get(first..first + self.modes).unwrap_or(&[])
    }

    fn band_drums<S: Scalar>(&self, system: &System, p: &[S], flow: &SystemEval<S>) -> Vec<BandDrum<S>> {
        let drums = self.drums.iter().enumerate();
        let with_band = |(k, &d): (usize, &usize)| {
            let drum = &system.drums[d];
            let law = drum.law(p).filter(|_| drum.has_band())?;
            Some(BandDrum { drum: k, motion: drum.motion(p, flow), law })
        };
        drums.filter_map(with_band).collect()
    }
}

/// Point by point of a rope: how deep it lies in the drum nearest to it, and how fast it sinks in.
fn deepest<S: Scalar>(
    rope: &Rope,
    now: &super::RopeFlow<S>,
    drums: &[BandDrum<S>],
    point: usize,
) -> Option<[S; 2]> {
    let own = &now.kernel.points[point];
    let (q, v) = (own.of(&now.q), own.of(&now.v));
    let mut most: Option<[S; 2]> = None;
    for drum in drums.iter().filter(|drum| !rope.is_on_rim(own, drum.drum)) {
        let (centre, velocity) = (drum.motion.centre, drum.motion.velocity);
        let d = [q[0] - centre[0], q[1] - centre[1]];
        let distance = (d[0] * d[0] + d[1] * d[1]).sqrt();
        let depth = -distance + now.kernel.surfaces[drum.drum].radius;
        let sinking = -(d[0] * (v[0] - velocity[0]) + d[1] * (v[1] - velocity[1])) / distance;
        if most.is_none_or(|[before, _]| depth.value() > before.value()) {
            most = Some([depth, sinking]);
        }
    }
    most
}

/// The guard of a contact that begins or ends, from depth, or from how fast that grows.
fn of_contact<S: Scalar>(mode: &[Mode], depth: S) -> S {
    if mode.first() == Some(&TOUCHES) { depth } else { -depth }
}

impl System {
    /// Writes the guards of points under laws with a dead band, of ropes that have been evaluated.
    pub(crate) fn rope_guards<S: Scalar>(&self, at: &Point<S>, flow: &SystemEval<S>, g: &mut [S]) {
        for (rope, now) in self.ropes.iter().zip(&flow.ropes).filter(|(rope, _)| rope.modes > 0) {
            let drums = rope.band_drums(self, at.p, flow);
            let mut touches = now.touches.iter().peekable();
            for (i, point) in now.kernel.points.iter().enumerate() {
                let mode = rope.modes_of(i, at.mode);
                let g = &mut g[rope.slot + i * MODES..][..MODES];
                g.fill(S::one());
                if let Some([depth, _]) = deepest(rope, now, &drums, i) {
                    g[0] = of_contact(mode, depth);
                }
                let Some((_, d, touch)) = touches.next_if(|(of, ..)| *of == i) else { continue };
                let Some(drum) = drums.iter().find(|drum| drum.drum == *d) else { continue };
                if touch.normal.value() > 0.0 {
                    let z = &at.x[rope.states_at(point)..][..rope.states];
                    let of_law = now.kernel.surfaces[*d].band_guards(&drum.law, touch.slip, mode, z);
                    g[1..].copy_from_slice(&of_law);
                }
            }
        }
    }

    /// Writes how fast the guards of beginning and ending contacts change.
    pub(super) fn contact_guard_rates(&self, at: &Point<f64>, flow: &SystemEval<f64>, dg: &mut [f64]) {
        for (rope, now) in self.ropes.iter().zip(&flow.ropes).filter(|(rope, _)| rope.modes > 0) {
            let drums = rope.band_drums(self, at.p, flow);
            for i in 0..now.kernel.points.len() {
                let dg = &mut dg[rope.slot + i * MODES..][..MODES];
                dg.fill(0.0);
                if let Some([_, sinking]) = deepest(rope, now, &drums, i) {
                    dg[0] = of_contact(rope.modes_of(i, at.mode), sinking);
                }
            }
        }
    }

    /// Consistent modes of all points at the start of a run, or after something has jumped.
    pub(crate) fn settle_ropes(&self, p: &[f64], state: &mut State, is_start: bool) {
        if self.ropes.iter().all(|rope| rope.modes == 0) {
            return;
        }
        let flow = self.flow(&Point { t: state.t, x: &state.x, p, mode: &state.mode }, None);
        for (rope, now) in self.ropes.iter().zip(&flow.ropes).filter(|(rope, _)| rope.modes > 0) {
            let drums = rope.band_drums(self, p, &flow);
            for i in 0..now.kernel.points.len() {
                let depth = deepest(rope, now, &drums, i).map_or(-1.0, |[depth, _]| depth);
                let mode = &mut state.mode[rope.slot + i * MODES..][..MODES];
                let touches = mode[0] == TOUCHES;
                let margin = BARELY * now.kernel.surfaces.iter().map(|s| s.radius).fold(0.0, f64::max);
                let is_settled = !is_start && (touches == (depth > 0.0) || depth.abs() <= margin);
                if !is_settled {
                    mode[0] = if depth > 0.0 { TOUCHES } else { Mode::Stick };
                }
                let is_new = !is_settled && mode[0] == TOUCHES;
                if mode[0] == TOUCHES {
                    self.settle_point((rope, now), i, &drums, state, is_new);
                }
            }
        }
    }

    /// Consistent modes of the law at a point that touches.
    fn settle_point(
        &self,
        (rope, now): (&Rope, &super::RopeFlow<f64>),
        point: usize,
        drums: &[BandDrum<f64>],
        state: &mut State,
        is_new: bool,
    ) {
        let Some((surface, law, touch)) = touch_of(now, drums, point) else { return };
        let z = &mut state.x[rope.states_at(&now.kernel.points[point])..][..rope.states];
        let mode = &mut state.mode[rope.slot + point * MODES..][..MODES];
        let [broken, _] = surface.band_guards(law, touch.slip, mode, z);
        let is_held = mode[1] == Mode::Stick;
        if is_new || (broken < 0.0 && touch.normal > 0.0 && !is_held) {
            surface.begin(law, touch.slip, mode, z);
        } else if broken < 0.0 && touch.normal > 0.0 {
            surface.release(law, touch.slip, mode, z);
        }
    }

    /// A contact of a point begins or ends, or its law switches; false if the guard is not one of a rope.
    pub(crate) fn switch_rope(&self, fired: usize, p: &[f64], state: &mut State) -> bool {
        let of = |rope: &&Rope| (rope.slot..rope.slot + rope.nodes_slots()).contains(&fired);
        let Some(k) = self.ropes.iter().position(|rope| of(&rope)) else { return false };
        let rope = &self.ropes[k];
        let (point, which) = ((fired - rope.slot) / MODES, (fired - rope.slot) % MODES);
        let flow = self.flow(&Point { t: state.t, x: &state.x, p, mode: &state.mode }, None);
        let (now, drums) = (&flow.ropes[k], rope.band_drums(self, p, &flow));
        let z = &mut state.x[rope.states_at(&now.kernel.points[point])..][..rope.states];
        let mode = &mut state.mode[rope.slot + point * MODES..][..MODES];
        let found = touch_of(now, &drums, point);
        match (which, found) {
            (0, _) if mode[0] == TOUCHES => mode.fill(Mode::Stick),
            (0, found) => {
                // At the moment of contact the point may lie outside by what rounding leaves.
                mode[0] = TOUCHES;
                let near = nearest_slip(rope, now, &drums, point);
                if let Some((surface, law, slip)) = found.map(|(s, l, touch)| (s, l, touch.slip)).or(near) {
                    surface.begin(law, slip, mode, z);
                }
            }
            (_, None) => {}
            (1, Some((surface, law, touch))) => {
                if mode[1] == Mode::Stick {
                    surface.release(law, touch.slip, mode, z);
                } else {
                    surface.lock(law, touch.slip, mode, z);
                }
            }
            (_, Some((_, law, touch))) => {
                let at = At::sliding(touch.slip, touch.normal);
                law.switch(1, &at, &mut [], &mut mode[1..]);
            }
        }
        true
    }
}

/// The surface, the law and the contact of a point that touches a drum with a dead band.
fn touch_of<'a>(
    now: &'a super::RopeFlow<f64>,
    drums: &'a [BandDrum<f64>],
    point: usize,
) -> Option<(&'a Surface, &'a AnyLaw<f64>, &'a PointTouch<f64>)> {
    let (_, d, touch) = now.touches.iter().find(|(of, ..)| *of == point)?;
    let drum = drums.iter().find(|drum| drum.drum == *d)?;
    Some((&now.kernel.surfaces[*d], &drum.law, touch))
}

/// The surface and the law of the drum that a point is about to touch, and how fast it slips over it.
fn nearest_slip<'a>(
    rope: &Rope,
    now: &'a super::RopeFlow<f64>,
    drums: &'a [BandDrum<f64>],
    point: usize,
) -> Option<(&'a Surface, &'a AnyLaw<f64>, f64)> {
    let own = &now.kernel.points[point];
    let (q, v) = (own.of(&now.q), own.of(&now.v));
    let gap = |drum: &&BandDrum<f64>| {
        let [x, y] = drum.motion.centre;
        (q[0] - x).hypot(q[1] - y) - now.kernel.surfaces[drum.drum].radius
    };
    let near = drums.iter().filter(|drum| !rope.is_on_rim(own, drum.drum));
    let drum = near.min_by(|a, b| gap(a).total_cmp(&gap(b)))?;
    let surface = &now.kernel.surfaces[drum.drum];
    Some((surface, &drum.law, surface.slip(&drum.motion, [&q, &v])))
}
