//! Who sticks: the stick forces of all resting contacts solved together.
//!
//! With slip rates `w = Bᵀv`, `G = BᵀM⁻¹B` and the accelerations `b` the bodies would have without them, the
//! forces that keep the resting contacts at rest solve `G F = Bᵀb`. A contact whose force exceeds its limit is
//! released in the direction of that force, the most overloaded first; a released one that is pushed back
//! sticks again; until the contact modes are consistent (Pennestrì et al. 2016 call this impractical for several contacts; it
//! is a handful of small solves per switch).

use crate::cuts::Cut;
use crate::holding::{coupling, impulses, slip_acceleration};
use crate::system::{Coordinate, ResolvedContact, Short, System, SystemEval};
use crate::{invariant, one_way, split};
use bristle_core::{Mode, Scalar};
use bristle_law::At;
use bristle_solve::{Point, State};

/// Slower than this, m/s and relative to the speeds of the bodies, a contact is at rest: what rounding leaves of a velocity that was
/// set to zero.
pub(crate) const AT_REST: f64 = 1e-12;

/// So small a part of the largest force is rounding.
const NOTHING: f64 = 1e-14;

/// The slip rate, m/s and relative to the speeds of the bodies, below which a direction may stay open.
const OPEN_BELOW: f64 = 1e-11;

/// Consistent modes at the start of a run: contacts without slip stick if they can, directions follow the slip
/// rate or, at rest, the acceleration.
pub(crate) fn start(system: &System, p: &[f64], state: &mut State) {
    state.mode.resize(system.slots, Mode::Stick);
    system.settle_elements(p, state);
    system.settle_gates(p, state);
    for contact in system.contacts.iter().filter(|c| c.one_way.is_some()) {
        state.mode[contact.slot] = Mode::Backward;
    }
    // Blows first: friction sees what they leave of velocities.
    one_way::strike_all(system, None, p, state);
    let flow = system.flow(&Point { t: state.t, x: &state.x, p, mode: &state.mode }, None);
    for (contact, touch) in system.contacts().iter().zip(&flow.touch).filter(|(c, _)| c.one_way.is_none()) {
        let law = contact.law(p);
        // Who sticks is not known yet, so that the slip rate is that of the bodies.
        let [a, b] = contact.surfaces(p, &flow.v);
        let v = a - b;
        let here = At { v, n: touch.n, hold: touch.hold, mode: &[] };
        let mut mode = vec![Mode::Stick; contact.elements];
        law.start(&here, &state.x[contact.z..contact.z + contact.states], &mut mode);
        if contact.set_valued && v.abs() <= AT_REST {
            mode[0] = Mode::Stick;
        }
        state.mode[contact.slot..contact.slot + contact.elements].copy_from_slice(&mode);
    }
    system.start_in_plane(p, state);
    system.settle_ropes(p, state, true);
    settle(system, p, state, None);
    decide_directions(system, p, state);
}

/// Gives contacts that start at rest under a law with a kink the direction in which they are about to move.
fn decide_directions(system: &System, p: &[f64], state: &mut State) {
    let is_open = |(_, c): &(usize, &ResolvedContact)| {
        let is_undecided = c.elements > 0 && !c.set_valued && state.mode[c.slot] == Mode::Stick;
        is_undecided && c.law(p).keeps_direction()
    };
    let open: Short<usize> = system.contacts.iter().enumerate().filter(is_open).map(|(k, _)| k).collect();
    if open.is_empty() {
        return;
    }
    let flow = system.flow(&Point { t: state.t, x: &state.x, p, mode: &state.mode }, None);
    for k in open {
        let rate = slip_acceleration(system, k, p, &flow);
        state.mode[system.contacts[k].slot] = if rate < 0.0 { Mode::Backward } else { Mode::Forward };
    }
}

/// Consistent modes after something has jumped: a contact that slides now, whatever its mode says, slides in the direction of
/// its slip rate; laws whose own guards are broken start anew; then stick forces decide.
pub(crate) fn resettle(system: &System, p: &[f64], state: &mut State) {
    system.settle_gates(p, state);
    settle_slips(system, p, state);
}

/// The same where it is known who is open: a contact has closed, or velocities have jumped.
pub(crate) fn settle_slips(system: &System, p: &[f64], state: &mut State) {
    system.settle_elements(p, state);
    // Blows first: friction sees what they leave of velocities.
    one_way::strike_all(system, None, p, state);
    let point = Point { t: state.t, x: &state.x, p, mode: &state.mode };
    let flow = system.flow(&point, None);
    let mut g = vec![0.0; system.slots];
    system.guards_of(&point, &flow, &mut g);
    for (k, contact) in system.contacts().iter().enumerate().filter(|(_, c)| c.one_way.is_none()) {
        let touch = &flow.touch[k];
        let slots = contact.slot..contact.slot + contact.elements;
        let law = contact.law(p);
        let [a, b] = contact.surfaces(p, &flow.v);
        let v = a - b;
        let slack = invariant::slack(a, b);
        let is_broken = if !contact.set_valued {
            g[slots.clone()].iter().any(|g| *g < 0.0)
        } else if contact.sticks(&state.mode) {
            !contact.coasts && v.abs() > slack
        } else {
            v * state.mode[contact.slot].sign() < -slack
        };
        if is_broken {
            let here = At { v, n: touch.n, hold: touch.hold, mode: &[] };
            let mut mode = vec![Mode::Stick; contact.elements];
            law.start(&here, &state.x[contact.z..contact.z + contact.states], &mut mode);
            state.mode[slots].copy_from_slice(&mode);
        } else if contact.set_valued && v.abs() <= AT_REST * (1.0 + a.abs().max(b.abs())) {
            // A jump has left it without slip: it is asked whether it sticks, and let go at once if it cannot.
            let_stick(system, k, &mut state.mode);
        }
    }
    system.resettle_in_plane(p, state);
    system.settle_ropes(p, state, false);
    settle(system, p, state, None);
    decide_directions(system, p, state);
}

/// The slip rate below which the direction of contact `k` may stay open, of bodies with these velocities: rounding sets it.
pub(crate) fn open_below<S: Scalar>(a: S, b: S) -> S {
    (a.abs().max(b.abs()) + 1.0) * OPEN_BELOW
}

/// Leaves the direction of contact `k` open if its slip rate is nothing but rounding: a body that bristles hold rests there.
/// Friction without a jump at rest needs no direction until the contact moves.
pub(crate) fn undecide(system: &System, k: usize, p: &[f64], state: &mut State) {
    let contact = &system.contacts[k];
    let flow = system.flow(&Point { t: state.t, x: &state.x, p, mode: &state.mode }, None);
    let [a, b] = contact.surfaces(p, &flow.v);
    if contact.may_stay_open(p) && (a - b).abs() < 0.1 * open_below(a, b) {
        state.mode[contact.slot] = Mode::Stick;
    }
}

/// Contact `k` has reached its limit, or has come to rest.
pub(crate) fn switch(system: &System, k: usize, p: &[f64], state: &mut State) {
    if system.contacts[k].sticks(&state.mode) {
        settle(system, p, state, first_to_go(system, k, p, state));
    } else if system.contacts[k].one_way.is_some() {
        one_way::strike_all(system, Some(k), p, state);
        settle_slips(system, p, state);
    } else if !system.slides_on(k, p, state) && can_lock(system, k, p, state) {
        if lock(system, k, p, state) {
            // Contacts elsewhere may slide the other way now.
            settle_slips(system, p, state);
        } else {
            settle(system, p, state, None);
        }
    }
}

/// A force this close to its limit has reached it, as far as the location of a break-away can tell.
const AT_LIMIT: f64 = 1.0 - 1e-6;

/// The contact that lets go where `k` has reached its limit: itself, or, where it holds together with others and bears nothing of
/// what they hold, the one of them that bears most.
fn first_to_go(system: &System, k: usize, p: &[f64], state: &State) -> Option<usize> {
    let at = Point { t: state.t, x: &state.x, p, mode: &state.mode };
    let flow = system.flow(&at, None);
    if flow.touch[k].margin.is_none() || overload(system, k, &at, &flow) >= AT_LIMIT {
        return Some(k);
    }
    overloaded(system, &at, &flow, AT_LIMIT).first().copied()
}

/// Whether contact `k` may be locked. At zero slip rate always: if it cannot stick, it is released at once. At the
/// edge of a dead band only if it would stick; otherwise it slides on through the band, disarmed.
fn can_lock(system: &System, k: usize, p: &[f64], state: &mut State) -> bool {
    let contact = &system.contacts[k];
    let slots = contact.slot..contact.slot + contact.elements;
    let sliding = state.mode[slots.clone()].to_vec();
    let here = At { v: 0.0, n: 1.0, hold: 0.0, mode: &sliding };
    if contact.law(p).lock_speed(&here) == 0.0 {
        return true;
    }
    state.mode[slots.clone()].fill(Mode::Stick);
    let at = Point { t: state.t, x: &state.x, p, mode: &state.mode };
    let holds = overload(system, k, &at, &system.flow(&at, None)) <= 1.0;
    state.mode[contact.slot] = sliding[0];
    holds
}

/// Lets contact `k` stick, with all that remembers a mode in it, and in the plane in both directions.
fn let_stick(system: &System, k: usize, mode: &mut [Mode]) {
    let contact = &system.contacts[k];
    mode[contact.slot..contact.slot + contact.elements].fill(Mode::Stick);
    contact.disc.iter().for_each(|disc| system.stick_in_plane(disc, mode));
}

/// Brings contact `k` to rest: all its elements stick, and velocities are projected so that every resting
/// contact keeps its slip rate, this one zero. Momentum is conserved; the energy lost is booked to the contacts. Whether velocities
/// have jumped: at the edge of a dead band they do.
fn lock(system: &System, k: usize, p: &[f64], state: &mut State) -> bool {
    let contact = &system.contacts[k];
    let_stick(system, k, &mut state.mode);
    let point = Point { t: state.t, x: &state.x, p, mode: &state.mode };
    let flow = system.flow(&point, None);
    if contact.coasts {
        return false;
    }
    let [a, b] = contact.surfaces(p, &flow.v);
    let jumps = flow.touch[k].v.abs() > invariant::slack(a, b);
    let resting: Vec<usize> =
        (0..system.contacts.len()).filter(|&i| system.contacts[i].sticks(&state.mode)).collect();
    let change: Vec<f64> =
        resting.iter().map(|&i| if system.contacts[i].coasts { 0.0 } else { flow.touch[i].v }).collect();
    push(system, p, state, &flow, &resting, &change);
    jumps
}

/// Changes the slip rates of the `resting` contacts by impulses in them; what is lost is booked to the contacts.
pub(crate) fn push(
    system: &System,
    p: &[f64],
    state: &mut State,
    flow: &SystemEval<f64>,
    resting: &[usize],
    change: &[f64],
) {
    let impulse = impulses(system, resting, p, flow.mobility.as_ref(), change);
    let mut pushes = vec![0.0; system.coordinates.len()];
    for ((&i, &impulse), &change) in resting.iter().zip(&impulse).zip(change) {
        let [a, b] = system.contacts[i].ends;
        let mut input = 0.0;
        let kick = system.contacts[i].at_radius(p, impulse);
        for (c, push) in [(a, -kick), (b, kick)] {
            match &system.coordinates[c] {
                Coordinate::Free { .. } | Coordinate::Follower { .. }
                    if flow.mobility.as_ref().is_some_and(|m| m.has(c)) =>
                {
                    pushes[c] += push
                }
                Coordinate::Free { v, mass, .. } => state.x[*v] += push / p[*mass],
                _ => input -= push * flow.v[c],
            }
        }
        // Mean slip rate during the impulse, times the impulse.
        state.x[system.contacts[i].work] += impulse * (flow.touch[i].v - change / 2.0);
        state.x[system.input] += input;
    }
    let change = system.kick(flow, p, &pushes, &mut state.x);
    if let Some(transmission) = &flow.transmission {
        for c in (0..change.len()).filter(|&c| system.is_prescribed(c)) {
            let passed = system.passed_on(transmission, c, p, flow, [&pushes, &change]);
            state.x[system.input] -= passed * flow.v[c];
        }
    }
}

/// Releases and re-sticks contacts at rest until the modes are consistent. `released` is let go first, then the most overloaded.
pub(crate) fn settle(system: &System, p: &[f64], state: &mut State, released: Option<usize>) {
    settle_by(system, p, state, released, &mut |_| 0);
}

/// As [`settle`], where `choose` says which of several overloaded contacts, the most overloaded first, lets go.
pub(crate) fn settle_by(
    system: &System,
    p: &[f64],
    state: &mut State,
    released: Option<usize>,
    choose: &mut dyn FnMut(usize) -> usize,
) {
    if !system.contacts.iter().any(|c| c.sticks(&state.mode)) {
        return system.settle_meshes(p, state);
    }
    join_those_that_rest(system, p, state);
    // Contacts that were let go, by how much less than its limit each of them carried then, and what the error in the time of
    // break-away, or rounding, leaves of its acceleration.
    let mut free: Vec<(usize, f64, f64)> = Vec::new();
    let mut returns = vec![0usize; system.contacts.len()];
    let mut first = released;
    // Each contact is released and caught a bounded number of times, so this ends.
    for _ in 0..8 * system.contacts.len() + 8 {
        system.settle_meshes(p, state);
        let now = state.clone();
        let at = Point { t: now.t, x: &now.x, p, mode: &now.mode };
        let flow = system.flow(&at, None);
        let is_located = first.is_some();
        let next = first.take().or_else(|| {
            let all = overloaded(system, &at, &flow, 1.0 + 1e-12);
            (!all.is_empty()).then(|| all[choose(all.len())])
        });
        if let Some(k) = next {
            let apart = coming_apart(system, k, &at, &flow);
            // A law without a jump leaves with no acceleration at all; neither rounding nor the error in the time of break-away must
            // catch it again.
            let part = if is_located { 1e-6 } else { 1e-10 };
            let blur = |i: usize| -> f64 {
                let effect = |&(j, ..): &(usize, Mode, f64)| {
                    flow.touch[j].force.abs() * coupling(system, [i, j], p, flow.mobility.as_ref()).abs()
                };
                part * apart.iter().map(effect).sum::<f64>()
            };
            let blurs: Vec<f64> = apart.iter().map(|(i, ..)| blur(*i)).collect();
            for ((k, direction, ratio), blur) in apart.into_iter().zip(blurs) {
                let contact = &system.contacts[k];
                let touch = &flow.touch[k];
                if let Some(disc) = &contact.disc {
                    let [ratio, borne] = system.overload_in_plane(disc, &at, &flow);
                    system.release_in_plane(disc, p, state, &flow);
                    free.push((disc.parts[0], (borne * (1.0 / ratio - 1.0)).max(0.0), blur));
                    continue;
                }
                let gap = (touch.force.abs() * (1.0 / ratio - 1.0)).max(0.0);
                let mode = &mut state.mode[contact.slot..contact.slot + contact.elements];
                mode[0] = direction;
                let [forth, back] = contact.felt_both_ways(p, touch.load);
                let n = match direction {
                    _ if contact.asymmetry.is_none() => touch.n,
                    Mode::Backward => back,
                    _ => forth,
                };
                let here = At { v: touch.v, n, hold: touch.hold, mode: &[] };
                contact.law(p).on_breakaway(&here, mode);
                free.push((k, gap, blur));
            }
            continue;
        }
        let pushed_back = free.iter().copied().find(|&(k, gap, blur)| {
            let contact = &system.contacts[k];
            let rate = slip_acceleration(system, k, p, &flow);
            let least = if contact.one_way.is_some() { 2.0 * one_way::least(&flow) } else { 0.0 };
            let slack = blur + (2.0 * gap + least) * coupling(system, [k, k], p, flow.mobility.as_ref());
            let ahead = match &contact.disc {
                Some(disc) => system.gain_in_plane(disc, p, &state.x, &flow),
                None => rate * state.mode[contact.slot].sign(),
            };
            let is_back = ahead < -slack || contact.one_way.is_none() && is_held(system, k, p, &state.mode);
            returns[k] < 3 && is_back
        });
        match pushed_back {
            Some((k, ..)) => {
                returns[k] += 1;
                free.retain(|&(other, ..)| other != k);
                let_stick(system, k, &mut state.mode);
            }
            None => return,
        }
    }
}

/// Lets contacts stick that slide by their mode although those that rest hold their bodies together: they have come to rest with them.
fn join_those_that_rest(system: &System, p: &[f64], state: &mut State) {
    let at = Point { t: state.t, x: &state.x, p, mode: &state.mode };
    let mut flow = SystemEval::new();
    system.motion(&at, &mut flow);
    for k in 0..system.contacts.len() {
        if is_idle(system, k, p, &flow.v, &state.mode) {
            let_stick(system, k, &mut state.mode);
        }
    }
}

/// Whether contact `k` is pressed and slides by its mode, but cannot slide because resting contacts join its bodies.
pub(crate) fn is_idle(system: &System, k: usize, p: &[f64], v: &[f64], mode: &[Mode]) -> bool {
    let contact = &system.contacts[k];
    if !contact.set_valued || contact.one_way.is_some() || contact.sticks(mode) || contact.is_open(mode) {
        return false;
    }
    let parts = contact.disc.map_or([k, k], |disc| disc.parts);
    let is_held = |&k: &usize| {
        let [a, b] = system.contacts[k].surfaces(p, v);
        (a - b).abs() <= invariant::slack(a, b) && is_held(system, k, p, mode)
    };
    parts.iter().all(is_held)
}

/// The contacts that let go with contact `k`, each with its direction and its ratio of force to limit: where it holds together with
/// others, those that slide in the motion which comes first.
fn coming_apart(
    system: &System,
    k: usize,
    at: &Point<f64>,
    flow: &SystemEval<f64>,
) -> Vec<(usize, Mode, f64)> {
    let ratio = |i: usize| overload(system, i, at, flow);
    let is_one_way = |i: usize| system.contacts[i].one_way.is_some();
    if !is_one_way(k) && flow.touch[k].cut != Cut::default() {
        return flow.touch[k].cut.contacts().map(|(i, mode)| (i, mode, ratio(i))).collect();
    }
    let mode = |i: usize| if is_one_way(i) { Mode::Backward } else { Mode::of(flow.touch[i].force) };
    let own = ratio(k);
    let resting: Vec<usize> =
        (0..system.contacts.len()).filter(|&i| system.contacts[i].sticks(at.mode)).collect();
    let loops = split::circulations(system, &resting, at.p);
    // Loops that share contacts, directly or through others, belong together.
    let mut joined: Vec<bool> = resting.iter().map(|&i| i == k).collect();
    for _ in &loops {
        for n in
            loops.iter().filter(|n| n.iter().zip(&joined).any(|(n, j)| *n != 0.0 && *j)).collect::<Vec<_>>()
        {
            n.iter().zip(&mut joined).for_each(|(n, j)| *j |= *n != 0.0);
        }
    }
    // Where there are too many motions to go through: all those that share the largest ratio. What bears one way shares none.
    let least = if is_one_way(k) { f64::INFINITY } else { own * (1.0 - 10.0 * split::TIE) };
    let others = resting.iter().zip(&joined).filter(|(i, joined)| **joined && **i != k).map(|(i, _)| *i);
    let tied = others.map(|i| (i, mode(i), ratio(i))).filter(|(_, _, r)| *r >= least);
    std::iter::once((k, mode(k), own)).chain(tied).collect()
}

/// Whether contact `k` cannot slide because other resting contacts join its bodies.
fn is_held(system: &System, k: usize, p: &[f64], mode: &[Mode]) -> bool {
    let mut resting: Vec<usize> =
        (0..system.contacts.len()).filter(|&i| i != k && system.contacts[i].sticks(mode)).collect();
    let before = split::circulations(system, &resting, p).len();
    resting.push(k);
    split::circulations(system, &resting, p).len() > before
}

/// The resting contacts whose force exceeds so many times their limit, the most overloaded first.
pub(crate) fn overloaded(system: &System, at: &Point<f64>, flow: &SystemEval<f64>, least: f64) -> Vec<usize> {
    let resting = (0..system.contacts.len()).filter(|&k| system.contacts[k].sticks(at.mode));
    let ratios = resting.map(|k| (overload(system, k, at, flow), k));
    let mut all: Vec<(f64, usize)> = ratios.filter(|(ratio, _)| *ratio > least).collect();
    // Of equals the last, as ever.
    all.sort_by(|x, y| y.0.total_cmp(&x.0).then(y.1.cmp(&x.1)));
    all.into_iter().map(|(_, k)| k).collect()
}

/// Stick force of contact `k` over its limit.
pub(crate) fn overload(system: &System, k: usize, at: &Point<f64>, flow: &SystemEval<f64>) -> f64 {
    let touch = &flow.touch[k];
    if system.contacts[k].one_way.is_some() {
        let is_let_go = touch.force < one_way::least(flow) && !is_about_to_bear(system, k, at, flow);
        return if is_let_go { f64::INFINITY } else { 0.0 };
    }
    if let Some(disc) = &system.contacts[k].disc {
        return system.overload_in_plane(disc, at, flow)[0];
    }
    let [forth, back] = system.limits(k, at, touch);
    let limit = if touch.force < 0.0 { back } else { forth };
    match touch.margin {
        // Where it holds together with others, what they can hold counts.
        Some(margin) => {
            let others = touch.cut.contacts().map(|(i, _)| flow.touch[i].force.abs());
            1.0 - margin / others.fold(limit.max(touch.force.abs()), f64::max).max(1e-300)
        }
        // What rounding leaves of nothing is no load on what can bear nothing.
        None => {
            let largest = flow.touch.iter().fold(0.0_f64, |most, other| most.max(other.force.abs()));
            let is_rounding = touch.force.abs() <= NOTHING * largest;
            if is_rounding { 0.0 } else { touch.force.abs() / limit.max(1e-300) }
        }
    }
}

/// Soon enough to tell whether a force that is nothing now begins to grow, s.
const SOON: f64 = 1e-6;

/// Whether a contact that bears nothing, and is not pulled apart, bears something a moment later.
fn is_about_to_bear(system: &System, k: usize, at: &Point<f64>, flow: &SystemEval<f64>) -> bool {
    let least = one_way::least(flow);
    let soon = || system.flow(&Point { t: at.t + SOON, ..*at }, None);
    flow.touch[k].force > -least && soon().touch[k].force > least
}

#[cfg(test)]
#[path = "stick_tests.rs"]
mod stick_tests;
