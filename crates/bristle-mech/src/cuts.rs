//! When contacts at rest that hold together let go.
//!
//! Where resting contacts close loops the force in each of them is not known, but the bodies stay at rest just as long as some
//! split of the forces is within all limits: as long as no motion pays,
//!
//! ```text
//! u · (f − M a) ≤ Σ_k L_k |λ_k|   for every motion u, with slip rates λ = Bᵀu
//! ```
//!
//! the kinematic theorem of limit analysis. What bears in one direction resists motions against it without limit, and others not
//! at all. It is enough to look at the motions with the fewest contacts that slip, the cuts.
//! Their number is small, and each is a smooth function of time and state: unlike the split itself it can be bounded over a step.

use crate::geared_cut::{Held, gears};
use crate::holding::{coupling, moved, solve_dense, unforced_slip};
use crate::system::{System, SystemEval};
use bristle_core::{Mode, Scalar};

/// More choices of contacts than this are not gone through; the split then tells what is left.
const MOST: usize = 2000;

/// What is left of a number that should be zero.
const NOTHING: f64 = 1e-9;

/// Notes for each resting contact in a loop what is left until it lets go: the least over the cuts that it belongs to.
pub(crate) fn margins<S: Scalar>(
    system: &System,
    resting: &[usize],
    p: &[S],
    loops: &[Vec<S>],
    limits: &[[S; 2]],
    forces: &[S],
    flow: &mut SystemEval<S>,
) {
    // Loops of torques where radii differ: slip rates of a motion are those at the radius.
    let is_torque = system.couplings.is_empty();
    let unit =
        |i: usize| if is_torque { system.contacts[resting[i]].at_radius(p, S::one()) } else { S::one() };
    // What sticks beside a group goes on sticking when the group lets go.
    let basis = independent(loops, resting.len());
    for group in groups(loops, resting.len()) {
        let with_slips = |cut: Vec<S>| -> Vec<(usize, S)> {
            group.contacts.iter().zip(cut).map(|(&i, slip)| (i, slip * unit(i))).collect()
        };
        for slips in cuts(&group).into_iter().flatten().map(with_slips) {
            let gears: Vec<usize> = gears(system, resting, &slips).collect();
            let margin = if gears.is_empty() {
                margin(system, resting, p, limits, flow, &basis, &slips)
            } else {
                Held { system, resting, p, loops, limits, forces, flow }.margin(&gears, &slips)
            };
            let Some((margin, way)) = margin else { continue };
            let cut = Cut::of(resting, &slips, way);
            for (i, _) in slips.iter().filter(|(_, slip)| slip.value() != 0.0) {
                let touch = &mut flow.touch[resting[*i]];
                if touch.margin.is_none_or(|old| margin.value() < old.value()) {
                    touch.cut = cut;
                }
                touch.margin = Some(touch.margin.map_or(margin, |old| old.min(margin)));
            }
        }
    }
}

/// The contacts that slide together in a motion, forwards and backwards: a bit for each of the first 64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cut([u64; 2]);

impl Cut {
    /// What slides in a motion with these slip rates that goes forth or back; nothing where the contacts are too many to be noted.
    fn of<S: Scalar>(resting: &[usize], slips: &[(usize, S)], way: f64) -> Cut {
        let mut cut = Cut::default();
        for (i, slip) in slips.iter().filter(|(_, slip)| slip.value() != 0.0) {
            if resting[*i] >= 64 {
                return Cut::default();
            }
            cut.0[usize::from(way * slip.value() < 0.0)] |= 1 << resting[*i];
        }
        cut
    }

    /// The contacts, each with its direction.
    pub(crate) fn contacts(self) -> impl Iterator<Item = (usize, Mode)> {
        let [forth, back] = self.0;
        (0..64).filter_map(move |k| match 1 << k {
            bit if forth & bit != 0 => Some((k, Mode::Forward)),
            bit if back & bit != 0 => Some((k, Mode::Backward)),
            _ => None,
        })
    }
}

/// Contacts that loops join, directly or through others: their places among the resting ones, and the loops among them.
struct CutGroup<S> {
    contacts: Vec<usize>,
    loops: Vec<Vec<S>>,
}

fn groups<S: Scalar>(loops: &[Vec<S>], count: usize) -> Vec<CutGroup<S>> {
    let mut open: Vec<&Vec<S>> = loops.iter().collect();
    let mut groups = Vec::new();
    while let Some(first) = open.pop() {
        let mut is_in: Vec<bool> = first.iter().map(|n| n.value() != 0.0).collect();
        let mut own = vec![first];
        while let Some(i) =
            open.iter().position(|l| l.iter().zip(&is_in).any(|(n, is)| *is && n.value() != 0.0))
        {
            let next = open.swap_remove(i);
            is_in.iter_mut().zip(next).for_each(|(is, n)| *is |= n.value() != 0.0);
            own.push(next);
        }
        let contacts: Vec<usize> = (0..count).filter(|i| is_in[*i]).collect();
        let loops = own.iter().map(|l| contacts.iter().map(|i| l[*i]).collect()).collect();
        groups.push(CutGroup { contacts, loops });
    }
    groups
}

/// The slip rates of the motions with the fewest contacts that slip; none where there are too many to go through.
///
/// No force circulates against them, `Σ_k N_kj λ_k = 0`: of so many loops, one contact more than there are loops slips at most.
fn cuts<S: Scalar>(group: &CutGroup<S>) -> Option<Vec<Vec<S>>> {
    let (count, slipping) = (group.contacts.len(), group.loops.len() + 1);
    // What couplings keep from slipping anyway lets go of nothing.
    if slipping > count {
        return Some(Vec::new());
    }
    let choices = (0..slipping.min(count - slipping)).fold(1, |n, k| n * (count - k) / (k + 1));
    if choices > MOST || count > 64 {
        return None;
    }
    let mut found: Vec<(u64, Vec<S>)> = Vec::new();
    let mut chosen: Vec<usize> = (0..slipping).collect();
    loop {
        if let Some(slips) = slips(&group.loops, &chosen) {
            let mut all = vec![S::zero(); count];
            chosen.iter().zip(slips).for_each(|(&i, slip)| all[i] = slip);
            let bit = |(i, slip): (usize, &S)| u64::from(slip.value() != 0.0) << i;
            let mask = all.iter().enumerate().map(bit).sum();
            if !found.iter().any(|(other, _)| *other == mask) {
                found.push((mask, all));
            }
        }
        // The next choice in order.
        let Some(last) = (0..slipping).rev().find(|&i| chosen[i] < count - slipping + i) else { break };
        chosen[last] += 1;
        for i in last + 1..slipping {
            chosen[i] = chosen[i - 1] + 1;
        }
    }
    Some(found.into_iter().map(|(_, slips)| slips).collect())
}

/// The slip rates of the chosen contacts, the largest one, while all others stick; none where more than one motion is left.
fn slips<S: Scalar>(loops: &[Vec<S>], chosen: &[usize]) -> Option<Vec<S>> {
    let mut rows: Vec<Vec<S>> = loops.iter().map(|l| chosen.iter().map(|i| l[*i]).collect()).collect();
    let mut pivots: Vec<usize> = Vec::new();
    for row in 0..rows.len() {
        let size = |column: &usize| rows[row][*column].value().abs();
        let open = (0..chosen.len()).filter(|c| !pivots.contains(c));
        let pivot = open.max_by(|a, b| size(a).total_cmp(&size(b))).filter(|c| size(c) > NOTHING)?;
        let own = rows[row].clone();
        for (_, other) in rows.iter_mut().enumerate().filter(|(i, _)| *i != row) {
            let factor = other[pivot] / own[pivot];
            other.iter_mut().zip(&own).for_each(|(entry, own)| *entry -= factor * *own);
        }
        pivots.push(pivot);
    }
    let free = (0..chosen.len()).find(|c| !pivots.contains(c))?;
    let mut slips = vec![S::zero(); chosen.len()];
    slips[free] = S::one();
    for (row, &pivot) in rows.iter().zip(&pivots) {
        let slip = -(row[free] / row[pivot]);
        slips[pivot] = if slip.value().abs() > NOTHING { slip } else { S::zero() };
    }
    let largest = slips.iter().fold(0.0_f64, |m, slip| m.max(slip.value().abs()));
    Some(slips.into_iter().map(|slip| slip / largest).collect())
}

/// Contacts that do not close a loop by themselves, as many as there can be: places among the resting ones.
fn independent<S: Scalar>(loops: &[Vec<S>], count: usize) -> Vec<usize> {
    let mut loops: Vec<Vec<f64>> = loops.iter().map(|l| l.iter().map(|n| n.value()).collect()).collect();
    let mut is_left_out = vec![false; count];
    // Each loop is opened at one contact.
    for i in 0..loops.len() {
        let size = |c: &usize| loops[i][*c].abs();
        let Some(opened) = (0..count).max_by(|a, b| size(a).total_cmp(&size(b))) else { break };
        is_left_out[opened] = true;
        let own = loops[i].clone();
        for other in &mut loops[i + 1..] {
            let factor = other[opened] / own[opened];
            other.iter_mut().zip(&own).for_each(|(entry, own)| *entry -= factor * own);
        }
    }
    (0..count).filter(|i| !is_left_out[*i]).collect()
}

/// Whether a motion with these slip rates runs against something that bears in one direction, forth and back.
pub(crate) fn blocked<S: Scalar>(limits: &[[S; 2]], slips: &[(usize, S)]) -> [bool; 2] {
    [1.0, -1.0]
        .map(|way| slips.iter().any(|(i, s)| limits[*i][0].value().is_infinite() && way * s.value() > 0.0))
}

/// What is left until the motion with these slip rates pays, as a force, and which way; nothing can make it pay where something bears
/// it both ways.
fn margin<S: Scalar>(
    system: &System,
    resting: &[usize],
    p: &[S],
    limits: &[[S; 2]],
    flow: &SystemEval<S>,
    basis: &[usize],
    slips: &[(usize, S)],
) -> Option<(S, f64)> {
    let [is_blocked, is_blocked_back] = blocked(limits, slips);
    if is_blocked && is_blocked_back {
        return None;
    }
    let slip = |i: usize| slips.iter().find(|(j, _)| *j == i).map_or_else(S::zero, |(_, slip)| *slip);
    // The impulses that make it, and the motion itself.
    let mut impulses: Vec<S> = basis.iter().map(|&i| slip(i)).collect();
    let mut g: Vec<S> = Vec::new();
    for &i in basis {
        let row =
            basis.iter().map(|&j| coupling(system, [resting[i], resting[j]], p, flow.mobility.as_ref()));
        g.extend(row);
    }
    solve_dense(&mut g, &mut impulses);
    let mut pushes = vec![S::zero(); system.coordinates.len()];
    let mut paid = S::zero();
    for (&i, &impulse) in basis.iter().zip(&impulses) {
        let contact = &system.contacts[resting[i]];
        let push = contact.at_radius(p, impulse);
        pushes[contact.ends[0]] += push;
        pushes[contact.ends[1]] -= push;
        paid += impulse * unforced_slip(system, resting[i], p, flow);
    }
    let motion = moved(system, p, flow, &pushes);
    paid = motion.iter().zip(&flow.f).fold(paid, |sum, (u, f)| sum + *u * *f);
    // What resists the motion forth and back; the contact is pulled along by what it slips with.
    let rubbed = || slips.iter().filter(|(i, _)| limits[*i][0].value().is_finite());
    let resisted = |way: usize| {
        rubbed().fold(S::zero(), |sum, (i, slip)| {
            let side = if slip.value() < 0.0 { 1 - way } else { way };
            sum + limits[*i][side] * slip.abs()
        })
    };
    let (forth, back) = (resisted(0) - paid, resisted(1) + paid);
    let size = slips.iter().map(|(_, slip)| slip.value().abs()).sum::<f64>();
    let (margin, way) = match (is_blocked, is_blocked_back) {
        (true, _) => (back, -1.0),
        (_, true) => (forth, 1.0),
        _ => (forth.min(back), if back.value() < forth.value() { -1.0 } else { 1.0 }),
    };
    Some((margin / size, way))
}
