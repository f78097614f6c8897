//! Who holds how much, where contacts at rest form closed loops.
//!
//! A block between two rough surfaces is held by both, and the equations of motion only know the sum. In general the forces of
//! resting contacts are known up to circulations, one for each loop that the contacts close: forces in balance by themselves.
//! The bodies stay at rest as long as *some* split keeps every contact within its limit. The split that is used here keeps the
//! largest ratio of force to limit as small as possible,
//!
//! ```text
//! ρ = min over y of max over k of |F_k + Σ_j N_kj y_j| / L_k
//! ```
//!
//! a small linear programme: the ratio is one exactly when no admissible split is left. Contacts that share the largest ratio then
//! let go together, since they are the ones through which the bodies come apart. What bears in one direction has no limit, but
//! must not pull: among splits in which nothing pulls the least ratio is taken.

use crate::system::{Coordinate, Short, System};
use bristle_core::Scalar;
use microlp::{ComparisonOp, OptimizationDirection, Problem};

/// Contacts whose ratios differ by no more than this share the largest one.
pub(crate) const TIE: f64 = 1e-7;

/// The node of a coordinate in the graph of contacts; whatever is prescribed is one node.
fn node(system: &System, coordinate: usize) -> usize {
    if matches!(system.coordinates[coordinate], Coordinate::Free { .. }) { coordinate + 1 } else { 0 }
}

/// The circulations of the resting contacts, one for each loop they close: how much each contact carries.
pub(crate) fn circulations<S: Scalar>(system: &System, resting: &[usize], p: &[S]) -> Vec<Vec<S>> {
    if !system.couplings.is_empty() {
        return through_couplings(system, resting, p);
    }
    let plain = |loops: Vec<f64>| loops.into_iter().map(S::from).collect();
    around_bodies(system, resting).into_iter().map(plain).collect()
}

/// What is left of a row that depends on others is rounding: so much of the largest entry.
const DEPENDENT: f64 = 1e-9;

/// The circulations where bodies are coupled: forces of the resting contacts that no free coordinate feels.
fn through_couplings<S: Scalar>(system: &System, resting: &[usize], p: &[S]) -> Vec<Vec<S>> {
    let (count, transmission) = (resting.len(), system.transmission(p));
    // What a unit force in each contact puts on each free coordinate, directly and through what follows it.
    let mut rows = vec![vec![S::zero(); count]; system.coordinates.len()];
    for (i, &k) in resting.iter().enumerate() {
        let contact = &system.contacts[k];
        let unit = contact.at_radius(p, S::one());
        for (c, force) in contact.ends.into_iter().zip([-unit, unit]) {
            match transmission.rows().find(|(follower, _)| *follower == c) {
                Some((_, by)) => rows.iter_mut().zip(by).for_each(|(row, by)| row[i] += *by * force),
                None => rows[c][i] += force,
            }
        }
    }
    let is_free = |c: usize| matches!(system.coordinates[c], Coordinate::Free { .. });
    let mut rows: Vec<Vec<S>> =
        rows.into_iter().enumerate().filter(|(c, _)| is_free(*c)).map(|(_, row)| row).collect();
    let largest = rows.iter().flatten().fold(0.0_f64, |m, entry| m.max(entry.value().abs()));
    let mut pivots = Vec::new();
    for column in 0..count {
        let used = pivots.len();
        let size = |row: &[S]| row[column].value().abs();
        let best = (used..rows.len()).max_by(|&a, &b| size(&rows[a]).total_cmp(&size(&rows[b])));
        let Some(best) = best.filter(|&row| size(&rows[row]) > DEPENDENT * largest) else { continue };
        rows.swap(used, best);
        let pivot: Vec<S> = rows[used].iter().map(|entry| *entry / rows[used][column]).collect();
        for (_, row) in rows.iter_mut().enumerate().filter(|(other, _)| *other != used) {
            let factor = row[column];
            row.iter_mut().zip(&pivot).for_each(|(entry, above)| *entry -= factor * *above);
        }
        rows[used] = pivot;
        pivots.push(column);
    }
    let open = (0..count).filter(|column| !pivots.contains(column));
    let close = |column: usize| {
        let mut force = vec![S::zero(); count];
        force[column] = S::one();
        for (row, &pivot) in rows.iter().zip(&pivots) {
            // A contact that has no share in the loop carries nothing of it, not rounding.
            let share = row[column];
            force[pivot] = if share.value().abs() > DEPENDENT { -share } else { S::zero() };
        }
        force
    };
    open.map(close).collect()
}

/// The circulations of contacts between bodies that move independently.
fn around_bodies(system: &System, resting: &[usize]) -> Vec<Vec<f64>> {
    // The way from each node to the root of its tree: the next node, and the contact with its sign.
    let mut up: Short<Option<(usize, usize, f64)>, 20> = Short::from_elem(None, system.coordinates.len() + 1);
    let mut loops = Vec::new();
    let root = |up: &Short<Option<(usize, usize, f64)>, 20>, mut n: usize| {
        while let Some((next, ..)) = up[n] {
            n = next;
        }
        n
    };
    for (i, &k) in resting.iter().enumerate() {
        let [a, b] = system.contacts[k].ends.map(|c| node(system, c));
        if root(&up, a) == root(&up, b) {
            loops.push((i, a, b));
            continue;
        }
        // Turns the way from `a` round, so that `a` is the root of its tree, and hangs it below `b`.
        let (mut n, mut link) = (a, Some((b, i, 1.0)));
        while let Some((next, ..)) = link {
            let old = up[n];
            up[n] = link;
            link = old.map(|(_, contact, sign)| (n, contact, -sign));
            n = old.map_or(next, |(above, ..)| above);
        }
    }
    let close = |(i, a, b): (usize, usize, usize)| {
        let mut force = vec![0.0; resting.len()];
        force[i] = 1.0;
        // What flows from `a` to `b` through the new contact returns along the tree; common parts cancel.
        for (start, direction) in [(b, 1.0), (a, -1.0)] {
            let mut n = start;
            while let Some((next, contact, sign)) = up[n] {
                force[contact] += direction * sign;
                n = next;
            }
        }
        force
    };
    loops.into_iter().map(close).collect()
}

/// Splits the holding forces of resting contacts along their loops so that the largest ratio of force to limit is as small as
/// possible. The loops are given as they act, and as they are felt where a limit changes with what is carried.
pub(crate) fn share<S: Scalar>(
    system: &System,
    resting: &[usize],
    p: &[S],
    loops: [&[Vec<S>]; 2],
    limits: &[[S; 2]],
    forces: &mut [S],
) {
    // The limit on the side to which the force lies.
    let side = |([forth, back], force): (&[S; 2], &S)| if force.value() < 0.0 { *back } else { *forth };
    let limits: Short<S, 8> = limits.iter().zip(&*forces).map(side).collect();
    // Through couplings the loops are those of forces already.
    if !system.couplings.is_empty() || !resting.iter().any(|&k| system.contacts[k].arm.is_some()) {
        return share_loops(loops, &limits, forces);
    }
    // Between rotors torques circulate, not the forces that make them at radii of their own.
    let at_radius = |(&k, &force): (&usize, &S)| system.contacts[k].at_radius(p, force);
    let limits: Short<S, 8> = resting.iter().zip(&limits).map(at_radius).collect();
    let mut torques: Short<S, 8> = resting.iter().zip(&*forces).map(at_radius).collect();
    share_loops(loops, &limits, &mut torques);
    for ((&k, force), torque) in resting.iter().zip(forces).zip(torques) {
        *force = torque / system.contacts[k].at_radius(p, S::one());
    }
}

/// Splits forces along loops.
fn share_loops<S: Scalar>([loops, felt]: [&[Vec<S>]; 2], limits: &[S], forces: &mut [S]) {
    let basis: Vec<Vec<f64>> = felt.iter().map(|n| n.iter().map(|k| k.value()).collect()).collect();
    let plain: Vec<f64> = forces.iter().map(|f| f.value()).collect();
    let bounds: Vec<f64> = limits.iter().map(|l| l.value().max(1e-12)).collect();
    let Some((amounts, ratio)) = least_ratio(&plain, &bounds, &basis) else { return };
    let carried = |k: usize| plain[k] + basis.iter().zip(&amounts).map(|(n, y)| n[k] * y).sum::<f64>();
    let size = plain.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
    // The contacts that share the largest ratio, and those that bear nothing, fix the split; solved with them it has exact
    // derivatives.
    let is_tight = |k: &usize| match bounds[*k] {
        f64::INFINITY => carried(*k).abs() <= TIE * size,
        bound => (carried(*k).abs() - ratio * bound).abs() <= TIE * (ratio * bound).max(1e-300),
    };
    let is_in_loop = |k: &usize| loops.iter().any(|n| n[*k].value() != 0.0);
    let mut rows: Vec<Vec<S>> = (0..forces.len())
        .filter(|k| is_in_loop(k) && is_tight(k))
        .map(|k| {
            let mut row: Vec<S> = felt.iter().map(|n| n[k]).collect();
            let limit = || limits[k].max(S::from(1e-12)) * -carried(k).signum();
            row.push(if bounds[k].is_finite() { limit() } else { S::zero() });
            row.push(-forces[k]);
            row
        })
        .collect();
    let amounts = solve(&mut rows, &amounts, ratio);
    for (k, force) in forces.iter_mut().enumerate().filter(|(k, _)| is_in_loop(k)) {
        for (n, y) in loops.iter().zip(&amounts) {
            if n[k].value() != 0.0 {
                *force += *y * n[k];
            }
        }
        // Any split within all limits keeps the bodies at rest: bounds of this one tell, though another is taken elsewhere.
        *force = force.chosen();
    }
}

/// What is borne in one direction costs so much, relative to the ratio: of equal splits the one that presses least is taken.
const PRESSING: f64 = 1e-6;

/// The circulations that make the largest ratio smallest, and that ratio. A limit without bound is that of what only presses.
fn least_ratio(forces: &[f64], limits: &[f64], basis: &[Vec<f64>]) -> Option<(Vec<f64>, f64)> {
    let is_in_loop = |k: usize| basis.iter().any(|n| n[k] != 0.0);
    let presses = |k: usize| is_in_loop(k) && limits[k].is_infinite();
    // Where nothing can keep from pulling, the pulls are made small first.
    let pull = if (0..forces.len()).any(presses) { programme(forces, limits, basis, None)?.1 } else { 0.0 };
    programme(forces, limits, basis, Some(pull * (1.0 + TIE)))
}

/// The circulations with the least ratio for which nothing pulls by more than `pull`, or else those with the least pull; and what
/// is least.
fn programme(
    forces: &[f64],
    limits: &[f64],
    basis: &[Vec<f64>],
    pull: Option<f64>,
) -> Option<(Vec<f64>, f64)> {
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let least = problem.add_var(1.0, (0.0, f64::INFINITY));
    let presses = |k: usize| limits[k].is_infinite();
    let price = |n: &[f64]| {
        if pull.is_some() { (0..n.len()).filter(|k| presses(*k)).map(|k| n[k]).sum() } else { 0.0 }
    };
    let amounts: Vec<_> = basis
        .iter()
        .map(|n| problem.add_var(PRESSING * price(n), (f64::NEG_INFINITY, f64::INFINITY)))
        .collect();
    // Forces of order one: the programme has tolerances of its own.
    let scale = forces.iter().fold(1e-300_f64, |m, f| m.max(f.abs()));
    for (k, (&force, &limit)) in forces.iter().zip(limits).enumerate() {
        if basis.iter().all(|n| n[k] == 0.0) {
            continue;
        }
        for sign in [1.0, -1.0] {
            let mut terms: Vec<_> = amounts.iter().zip(basis).map(|(&y, n)| (y, sign * n[k])).collect();
            let mut most = -sign * force / scale;
            match pull {
                _ if presses(k) && sign > 0.0 => continue,
                Some(pull) if presses(k) => most += pull / scale,
                None if presses(k) => terms.push((least, -1.0)),
                Some(_) => terms.push((least, -limit / scale)),
                None => continue,
            }
            problem.add_constraint(&terms[..], ComparisonOp::Le, most);
        }
    }
    let found = problem.solve().ok()?.into_solution().ok()?;
    let unit = if pull.is_some() { 1.0 } else { scale };
    Some((amounts.iter().map(|&y| found[y] * scale).collect(), found[least] * unit))
}

/// Solves the rows `N y − s L ρ = −F` for the circulations; what they leave open stays as the programme has it.
fn solve<S: Scalar>(rows: &mut [Vec<S>], amounts: &[f64], ratio: f64) -> Vec<S> {
    let count = amounts.len() + 1;
    let mut pivots = Vec::new();
    for column in 0..count {
        let used = pivots.len();
        let size = |row: &[S]| row[column].value().abs();
        let Some(best) = (used..rows.len()).max_by(|&a, &b| size(&rows[a]).total_cmp(&size(&rows[b]))) else {
            break;
        };
        if size(&rows[best]) <= 1e-9 {
            continue;
        }
        rows.swap(used, best);
        let pivot = rows[used].clone();
        for (other, row) in rows.iter_mut().enumerate() {
            if other != used {
                let factor = row[column] / pivot[column];
                for (slot, &above) in row.iter_mut().zip(&pivot) {
                    *slot -= factor * above;
                }
            }
        }
        pivots.push(column);
    }
    let mut unknowns: Vec<S> = amounts.iter().copied().chain([ratio]).map(S::from).collect();
    let open: Vec<usize> = (0..count).filter(|c| !pivots.contains(c)).collect();
    for (row, &column) in rows.iter().zip(&pivots) {
        let fixed = open.iter().fold(row[count], |sum, &c| sum - row[c] * unknowns[c]);
        unknowns[column] = fixed / row[column];
    }
    unknowns.truncate(amounts.len());
    unknowns
}

#[cfg(test)]
mod split_tests {
    use super::*;

    #[test]
    fn parallel_contacts_share_in_proportion_to_their_limits() {
        let (y, ratio) = least_ratio(&[6.0, 0.0], &[5.0, 4.0], &[vec![-1.0, 1.0]]).unwrap();
        assert!((y[0] - 6.0 * 4.0 / 9.0).abs() < 1e-12 && (ratio - 6.0 / 9.0).abs() < 1e-12);
    }

    /// Two loops that share a contact: found by a search over a fine grid as well.
    #[test]
    fn coupled_loops_are_split_as_a_search_would() {
        let (f, l) = ([3.0, -1.0, 2.0, 0.5], [1.0, 2.0, 1.5, 3.0]);
        let basis = [vec![1.0, 1.0, 0.0, 1.0], vec![0.0, 1.0, -1.0, 0.0]];
        let ratio_of = |y: [f64; 2]| {
            (0..4).map(|k| (f[k] + basis[0][k] * y[0] + basis[1][k] * y[1]).abs() / l[k]).fold(0.0, f64::max)
        };
        let grid = |i: i32| f64::from(i) * 0.01;
        let best = (-500..500)
            .flat_map(|i| (-500..500).map(move |j| ratio_of([grid(i), grid(j)])))
            .fold(f64::INFINITY, f64::min);
        let (y, ratio) = least_ratio(&f, &l, &basis).unwrap();
        assert!((ratio_of([y[0], y[1]]) - ratio).abs() < 1e-9);
        assert!(ratio <= best + 1e-12 && ratio > best - 0.02, "{ratio} against {best}");
    }
}
