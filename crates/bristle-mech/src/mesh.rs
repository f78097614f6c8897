//! Friction in the teeth and bearings of a gear, loaded by what the gear carries.
//!
//! With `τ'` the torque that would come out of the teeth, measured at the first body, and the gear turning in direction `s`,
//!
//! ```text
//! s τ_in = ψ(s τ'),   ψ(x) = (x + B₁)/η₁ for x ≥ −B₁,   ψ(x) = η₂ (x + B₂) for x ≤ −B₂,   ψ(x) = 0 in between
//! ```
//!
//! goes in: more than comes out where the first body drives, less where it is driven, and nothing in between, where bearings that
//! rub more when the gear is driven (`B₂ > B₁`) use up all that comes back. `T = τ_in − τ'` is the friction. Since `τ'` depends on
//! all accelerations, the friction of gears that turn is solved together with the forces that hold what rests. A gear that stands
//! still is stuck while `−(ψ(−τ') + τ') ≤ T ≤ ψ(τ') − τ'`. The second mode says which way power flows: forward where the first
//! body drives, backward where it is driven, stick in between.

use crate::holding::{acceleration, coupling, moved, slip_acceleration, solve_dense};
use crate::polygon::Polygon;
use crate::system::{Short, System, SystemEval};
use bristle_core::{Mode, Scalar};
use bristle_solve::{Point, State};

/// A number, or a table over the speed.
#[derive(Clone, Debug)]
pub(crate) enum SpeedCurve {
    /// Place of the number.
    Number(usize),
    /// Values over the speed of the first body.
    Table(Polygon),
}

impl SpeedCurve {
    pub(crate) fn value<S: Scalar>(&self, p: &[S], speed: S) -> S {
        match self {
            SpeedCurve::Number(place) => p[*place],
            SpeedCurve::Table(table) => table.value(speed),
        }
    }
}

/// The friction of a gear.
#[derive(Clone, Debug)]
pub(crate) struct Mesh {
    /// Place of the coupling among those of the system.
    pub(crate) coupling: usize,
    /// Efficiency where the first body drives, and where it is driven.
    pub(crate) efficiency: [SpeedCurve; 2],
    /// Friction in the bearings, felt at the first body, where it drives and where it is driven; the second is not smaller.
    pub(crate) bearing: [SpeedCurve; 2],
    /// Whether the first body turns.
    pub(crate) turns: bool,
}

/// Where nothing goes in, all that a stuck gear holds comes from the second body, and equals what it can hold; by this part of
/// the way to the nearest end of that range it can hold more.
const FIRM: f64 = 1e-9;

/// How far power has flowed the other way, relative to the forces there are, when that is noticed.
const CROSSED: f64 = 1e-12;

impl Mesh {
    /// What goes in over `s τ' + B` in the direction in which power flows, and the friction in the bearings.
    fn factor<S: Scalar>(&self, p: &[S], speed: S, way: Mode) -> [S; 2] {
        let ([driving, driven], [first, second]) = (&self.efficiency, &self.bearing);
        match way {
            Mode::Forward => [S::one() / driving.value(p, speed), first.value(p, speed)],
            Mode::Backward => [driven.value(p, speed), second.value(p, speed)],
            _ => [S::zero(), S::zero()],
        }
    }

    /// The largest friction forwards and backwards of a gear that stands still and carries `τ'`.
    pub(crate) fn limits<S: Scalar>(&self, p: &[S], carried: S) -> [S; 2] {
        let [driving, first] = self.factor(p, S::zero(), Mode::Forward);
        let [driven, second] = self.factor(p, S::zero(), Mode::Backward);
        [carried, -carried].map(|carried| {
            let (x, y) = (carried + first, carried + second);
            let firm = y.min(-x).max(S::zero()) * FIRM;
            (driving * x).max(S::zero()) + (driven * y).min(S::zero()) - carried + firm
        })
    }

    /// The friction of a gear that begins to turn in a direction, over what it carries: the slope of a straight line, and where it
    /// begins, while power flows one way.
    pub(crate) fn line<S: Scalar>(&self, p: &[S], direction: f64, way: Mode) -> [S; 2] {
        let [factor, bearing] = self.factor(p, S::zero(), way);
        [factor - 1.0, factor * bearing * direction]
    }

    /// Which way power flows in a gear that begins to turn in a direction.
    pub(crate) fn way_at_rest<S: Scalar>(&self, p: &[S], direction: f64, carried: f64) -> Mode {
        let [first, second] = self.bearing.each_ref().map(|b| b.value(p, S::zero()).value());
        match direction * carried {
            x if x >= -first => Mode::Forward,
            x if x <= -second => Mode::Backward,
            _ => Mode::Stick,
        }
    }

    /// How [`Mesh::limits`] change with what is carried.
    fn slopes<S: Scalar>(&self, p: &[S], carried: S) -> [S; 2] {
        let slope = |direction: f64| {
            let [slope, _] = self.line(p, direction, self.way_at_rest(p, direction, carried.value()));
            slope
        };
        [slope(1.0), -slope(-1.0)]
    }

    /// Positive while power flows as the mode says, for a gear that turns in a direction.
    pub(crate) fn flow<S: Scalar>(&self, p: &[S], speed: S, direction: S, carried: S, way: Mode) -> S {
        let [x, y] = self.bearing.each_ref().map(|bearing| direction * carried + bearing.value(p, speed));
        match way {
            Mode::Forward => x,
            Mode::Backward => -y,
            _ => y.min(-x),
        }
    }

    /// How far beyond its end a way of power is kept: rounding must not decide at the crossing itself, where nothing may be carried
    /// although there is a `force` on the first body.
    pub(crate) fn slack<S: Scalar>(&self, p: &[S], speed: S, carried: S, force: S) -> S {
        (carried.abs() + force.abs() + self.bearing[1].value(p, speed)) * CROSSED
    }

    /// Whether the same friction acts both ways, so that there is nothing in between.
    fn is_one(&self, p: &[f64], speed: f64) -> bool {
        self.bearing[0].value(p, speed) == self.bearing[1].value(p, speed)
    }

    /// Which way power flows: as it did, as long as that agrees with what is carried.
    fn way(&self, p: &[f64], speed: f64, direction: f64, [carried, force]: [f64; 2], present: Mode) -> Mode {
        let ways = [Mode::Forward, Mode::Backward];
        let flow = |way: Mode| self.flow(p, speed, direction, carried, way);
        let is_one = self.is_one(p, speed);
        if !(is_one && present == Mode::Stick) && flow(present) > -self.slack(p, speed, carried, force) {
            return present;
        }
        let flows = |way: &Mode| flow(*way) > 0.0;
        ways.into_iter().find(flows).unwrap_or(if is_one { Mode::Forward } else { Mode::Stick })
    }

    /// Which way power flows once it has ceased to flow as it did: what goes in is continuous, so that the next way is the one
    /// beside it.
    fn next_way(&self, p: &[f64], speed: f64, direction: f64, carried: f64, present: Mode) -> Mode {
        let [ahead, back] =
            [Mode::Forward, Mode::Backward].map(|w| self.flow(p, speed, direction, carried, w));
        match present {
            Mode::Stick if back > ahead => Mode::Backward,
            Mode::Stick => Mode::Forward,
            present if self.is_one(p, speed) => present.reversed(),
            _ => Mode::Stick,
        }
    }
}

impl System {
    /// What each coupling lets out of its teeth, under forces on all coordinates.
    fn mesh_torques<S: Scalar>(
        &self,
        p: &[S],
        flow: &SystemEval<S>,
        forces_and_accelerations: [&[S]; 2],
    ) -> Vec<S> {
        self.coupling_forces(p, flow, forces_and_accelerations).into_iter().map(|force| -force).collect()
    }

    /// Notes what gears with friction carry under forces in resting contacts that are not yet among those of `flow`.
    pub(crate) fn note_carried<S: Scalar>(
        &self,
        p: &[S],
        resting: &[usize],
        forces: &[S],
        flow: &mut SystemEval<S>,
    ) {
        if self.contacts.iter().all(|c| c.mesh.is_none()) {
            return;
        }
        let before = flow.f.clone();
        for (&k, &force) in resting.iter().zip(forces) {
            self.put_force(k, p, force, &mut flow.f);
        }
        let all: Vec<S> = (0..self.coordinates.len()).map(|c| acceleration(self, c, p, flow)).collect();
        let carried = self.mesh_torques(p, flow, [&flow.f, &all]);
        for (contact, touch) in self.contacts.iter().zip(&mut flow.touch) {
            if let Some(mesh) = &contact.mesh {
                touch.carried = carried[mesh.coupling];
            }
        }
        flow.f = before;
    }

    /// What a circulation of forces in the `resting` contacts lets each coupling carry.
    pub(crate) fn carried_around<S: Scalar>(
        &self,
        resting: &[usize],
        circulation: &[S],
        p: &[S],
        flow: &SystemEval<S>,
    ) -> Vec<S> {
        let still: Short<S> = Short::from_elem(S::zero(), self.coordinates.len());
        let mut pushes = still.clone();
        resting.iter().zip(circulation).for_each(|(&k, &force)| self.put_force(k, p, force, &mut pushes));
        self.mesh_torques(p, flow, [&pushes, &still])
    }

    /// Circulations of forces in the `resting` contacts as their limits feel them: what lets a stuck gear carry more lets it hold more,
    /// or less, as well.
    pub(crate) fn felt_by_meshes<S: Scalar>(
        &self,
        resting: &[usize],
        loops: &[Vec<S>],
        p: &[S],
        flow: &SystemEval<S>,
        forces: &[S],
    ) -> Vec<Vec<S>> {
        let felt = |n: &Vec<S>| {
            let carried = self.carried_around(resting, n, p, flow);
            let mut felt = n.clone();
            for ((&k, &force), felt) in resting.iter().zip(forces).zip(&mut felt) {
                if let Some(mesh) = &self.contacts[k].mesh {
                    let [forth, back] = mesh.slopes(p, flow.touch[k].carried);
                    let gained = if force.value() < 0.0 { -back } else { forth };
                    *felt -= gained * carried[mesh.coupling];
                }
            }
            felt
        };
        loops.iter().map(felt).collect()
    }

    /// The forces that hold the `resting` contacts while the friction of the `turning` gears acts; this is put on their bodies.
    pub(crate) fn hold_beside_gears<S: Scalar>(
        &self,
        resting: &[usize],
        turning: &[usize],
        at: &Point<S>,
        flow: &mut SystemEval<S>,
    ) -> Short<S, 8> {
        let p = at.p;
        let unknown = || resting.iter().chain(turning).copied();
        let (mut matrix, mut found) = (Short::<S, 64>::new(), Short::<S, 8>::new());
        for &k in resting {
            matrix.extend(unknown().map(|j| coupling(self, [k, j], p, flow.mobility.as_ref())));
            found.push(slip_acceleration(self, k, p, flow));
        }
        let all: Vec<S> = (0..self.coordinates.len()).map(|c| acceleration(self, c, p, flow)).collect();
        let free = self.mesh_torques(p, flow, [&flow.f, &all]);
        // What a unit force in each contact lets gears carry.
        let response: Vec<Vec<S>> = unknown()
            .map(|j| {
                let mut pushes: Short<S> = Short::from_elem(S::zero(), self.coordinates.len());
                self.put_force(j, p, S::one(), &mut pushes);
                self.mesh_torques(p, flow, [&pushes, &moved(self, p, flow, &pushes)])
            })
            .collect();
        for (i, &k) in turning.iter().enumerate() {
            let (direction, factor, bearing) = self.turns(k, at, flow);
            let through = |torques: &[S]| {
                self.contacts[k].mesh.as_ref().map_or_else(S::zero, |mesh| torques[mesh.coupling])
            };
            let own = matrix.len() + resting.len() + i;
            matrix.extend(response.iter().map(|r| (S::one() - factor) * through(r)));
            matrix[own] += S::one();
            found.push((factor - 1.0) * through(&free) + direction * factor * bearing);
        }
        // What is held at rest first, then the gears beside it.
        solve_dense(&mut matrix, &mut found);
        for (&k, &force) in turning.iter().zip(&found[resting.len()..]) {
            flow.touch[k].force = force;
            self.put_force(k, p, force, &mut flow.f);
        }
        found.truncate(resting.len());
        found
    }

    /// The direction in which gear `k` turns, the factor in which power flows in its mode, and the friction in its bearings.
    fn turns<S: Scalar>(&self, k: usize, at: &Point<S>, flow: &SystemEval<S>) -> (S, S, S) {
        let contact = &self.contacts[k];
        let mode = contact.modes(at.mode);
        let direction = mode.first().copied().unwrap_or_default().sign();
        let speed = flow.touch[k].v * direction;
        let way = mode.get(1).copied().unwrap_or_default();
        let [factor, bearing] =
            contact.mesh.as_ref().map_or([S::one(), S::zero()], |m| m.factor(at.p, speed, way));
        (S::from(direction), factor, bearing)
    }

    /// Lets power flow the next way through gear `k`, where it has ceased to flow as it did.
    pub(crate) fn switch_mesh(&self, k: usize, p: &[f64], state: &mut State) {
        let contact = &self.contacts[k];
        let Some(mesh) = &contact.mesh else { return };
        let touch = self.flow(&Point { t: state.t, x: &state.x, p, mode: &state.mode }, None).touch[k];
        let direction: f64 = state.mode[contact.slot].sign();
        let way = &mut state.mode[contact.slot + 1];
        *way = mesh.next_way(p, touch.v * direction, direction, touch.carried, *way);
    }

    /// Lets power flow through gears that turn as the forces have it.
    pub(crate) fn settle_meshes(&self, p: &[f64], state: &mut State) {
        let turning = |k: &usize| self.contacts[*k].mesh.is_some() && !self.contacts[*k].sticks(&state.mode);
        let gears: Vec<usize> = (0..self.contacts.len()).filter(turning).collect();
        if gears.is_empty() {
            return;
        }
        // Each friction bears on the others; a few rounds agree.
        for _ in 0..=2 * gears.len() {
            let flow = self.flow(&Point { t: state.t, x: &state.x, p, mode: &state.mode }, None);
            let mut is_changed = false;
            for &k in &gears {
                let (contact, touch) = (&self.contacts[k], &flow.touch[k]);
                let Some(mesh) = &contact.mesh else { continue };
                let direction: f64 = state.mode[contact.slot].sign();
                let present = state.mode[contact.slot + 1];
                let borne = [touch.carried, flow.f[contact.ends[0]]];
                let mode = mesh.way(p, touch.v * direction, direction, borne, present);
                is_changed |= state.mode[contact.slot + 1] != mode;
                state.mode[contact.slot + 1] = mode;
            }
            if !is_changed {
                return;
            }
        }
    }
}
