//! The forces that hold contacts at rest, solved together.

use crate::mobility::Mobility;
use crate::system::{Coordinate, Short, System, SystemEval};
use bristle_core::Scalar;

/// Up to so many contacts are solved in a full matrix, without memory of its own.
const FEW: usize = 8;

/// What is left of a row that depends on others is rounding: so much of the largest.
const DEPENDENT: f64 = 1e-12;

/// The forces that would keep the slip rates of the `held` contacts constant.
pub(crate) fn holding_forces<S: Scalar>(
    system: &System,
    held: &[usize],
    p: &[S],
    flow: &SystemEval<S>,
) -> Short<S, 8> {
    let accelerations = held.iter().map(|&k| slip_acceleration(system, k, p, flow));
    let mut rhs: Short<S, 8> = accelerations.collect();
    solve(system, held, p, flow.mobility.as_ref(), &mut rhs);
    rhs
}

/// The impulses that change the slip rates of the `held` contacts by so much.
pub(crate) fn impulses(
    system: &System,
    held: &[usize],
    p: &[f64],
    mobility: Option<&Mobility<f64>>,
    change: &[f64],
) -> Vec<f64> {
    let mut impulse = change.to_vec();
    solve(system, held, p, mobility, &mut impulse);
    impulse
}

/// The acceleration of a coordinate under the forces collected so far.
pub(crate) fn acceleration<S: Scalar>(
    system: &System,
    coordinate: usize,
    p: &[S],
    flow: &SystemEval<S>,
) -> S {
    match &flow.mobility {
        Some(mobility) if mobility.has(coordinate) => mobility.acceleration(coordinate, &flow.f),
        _ => system.mass(coordinate, p).map_or(flow.a[coordinate], |m| flow.f[coordinate] / m),
    }
}

/// How fast the slip rate of a contact changes under the forces collected so far.
pub(crate) fn slip_acceleration<S: Scalar>(system: &System, k: usize, p: &[S], flow: &SystemEval<S>) -> S {
    let contact = &system.contacts[k];
    let [a, b] = contact.ends;
    let [a, b] = [acceleration(system, a, p, flow), acceleration(system, b, p, flow)];
    let [a, b] = [contact.at_radius(p, a), contact.at_radius(p, b)];
    a - b
}

/// The acceleration of a coordinate that no force acts on: what is prescribed for it or for those that it follows.
fn unforced<S: Scalar>(coordinate: usize, flow: &SystemEval<S>) -> S {
    match &flow.mobility {
        Some(mobility) if mobility.has(coordinate) => mobility.carried(coordinate),
        _ => flow.a[coordinate],
    }
}

/// How fast the slip rate of a contact would change without any force.
pub(crate) fn unforced_slip<S: Scalar>(system: &System, k: usize, p: &[S], flow: &SystemEval<S>) -> S {
    let contact = &system.contacts[k];
    let [a, b] = contact.ends.map(|c| contact.at_radius(p, unforced(c, flow)));
    a - b
}

/// How coordinates move under impulses on all of them.
pub(crate) fn moved<S: Scalar>(system: &System, p: &[S], flow: &SystemEval<S>, pushes: &[S]) -> Vec<S> {
    let moved = |c: usize| match &flow.mobility {
        Some(mobility) if mobility.has(c) => mobility.response(c, pushes),
        _ => system.mass(c, p).map_or_else(S::zero, |mass| pushes[c] / mass),
    };
    (0..pushes.len()).map(moved).collect()
}

/// What a unit force in one contact does to the slip rate of another: an entry of `G = BᵀM⁻¹B`.
pub(crate) fn coupling<S: Scalar>(
    system: &System,
    [i, j]: [usize; 2],
    p: &[S],
    mobility: Option<&Mobility<S>>,
) -> S {
    let mut sum = S::zero();
    for (side_i, c) in system.contacts[i].ends.into_iter().enumerate() {
        for (side_j, d) in system.contacts[j].ends.into_iter().enumerate() {
            let own = || system.mass(c, p).filter(|_| c == d).map(|mass| S::one() / mass);
            if let Some(term) = mobility.and_then(|m| m.entry(c, d)).or_else(own) {
                if side_i == side_j { sum += term } else { sum -= term }
            }
        }
    }
    system.contacts[i].at_radius(p, system.contacts[j].at_radius(p, sum))
}

/// Solves `G F = rhs` in place.
fn solve<S: Scalar>(system: &System, held: &[usize], p: &[S], mobility: Option<&Mobility<S>>, rhs: &mut [S]) {
    // Ropes couple contacts that share no body.
    if held.len() > FEW && mobility.is_none() {
        return Envelope::new(system, held, p).solve(rhs);
    }
    let mut g = Short::<S, 64>::new();
    for &i in held {
        g.extend(held.iter().map(|&j| coupling(system, [i, j], p, mobility)));
    }
    solve_dense(&mut g, rhs);
}

/// Solves a small system in place, row after row: an order that values do not change, so that it can be recorded.
///
/// Where contacts hold the same body redundantly the matrix is singular; the later one then carries nothing.
pub(crate) fn solve_dense<S: Scalar>(g: &mut [S], rhs: &mut [S]) {
    let n = rhs.len();
    let mut dependent = Short::<bool>::from_elem(false, n);
    for i in 0..n {
        // Nothing need be exchanged: contacts at rest make a symmetric matrix, gears that turn have themselves on the diagonal.
        // What is left of a dependent row is rounding.
        let diagonal = |j: usize| g[j * n + j].frozen().abs();
        let largest = (0..n).fold(S::from(1e-300), |largest, j| largest.max(diagonal(j)));
        dependent[i] = is_below(g[i * n + i], largest * 1e-12);
        if dependent[i] {
            continue;
        }
        for j in i + 1..n {
            let factor = g[j * n + i] / g[i * n + i];
            for k in i..n {
                let above = g[i * n + k];
                g[j * n + k] -= factor * above;
            }
            let above = rhs[i];
            rhs[j] -= factor * above;
        }
    }
    for i in (0..n).rev() {
        if dependent[i] {
            rhs[i] = S::zero();
            continue;
        }
        let mut sum = rhs[i];
        for k in i + 1..n {
            sum -= g[i * n + k] * rhs[k];
        }
        rhs[i] = sum / g[i * n + i];
    }
}

/// Takes columns out of all rows but one each; the row that keeps a column is chosen among those not yet used, and moved to the
/// front. Says which column each of the first rows keeps, and where that row stood when it was chosen.
pub(crate) fn eliminate<S: Scalar>(
    rows: &mut [Vec<S>],
    columns: impl Iterator<Item = usize>,
    mut choose: impl FnMut(&[Vec<S>], usize, usize) -> Option<usize>,
) -> Vec<(usize, usize)> {
    let mut pivots = Vec::new();
    for column in columns {
        let used = pivots.len();
        let Some(best) = choose(rows, used, column) else { continue };
        rows.swap(used, best);
        let pivot = rows[used].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(row, _)| *row != used) {
            let share = row[column] / pivot[column];
            row.iter_mut().zip(&pivot).for_each(|(entry, above)| *entry -= share * *above);
        }
        pivots.push((column, best));
    }
    pivots
}

/// Chooses the row with the largest entry, unless that is as small as rounding leaves it.
pub(crate) fn largest_from<S: Scalar>(least: f64) -> impl FnMut(&[Vec<S>], usize, usize) -> Option<usize> {
    move |rows, used, column| {
        let size = |row: &usize| rows[*row][column].value().abs();
        let best = (used..rows.len()).max_by(|a, b| size(a).total_cmp(&size(b)));
        best.filter(|row| size(row) > least)
    }
}

/// Whether what is left of a pivot is rounding; bounds of it may be wider than that.
fn is_below<S: Scalar>(pivot: S, least: S) -> bool {
    S::decide(pivot.frozen().middle().abs().lt(least.middle()))
}

/// `G` of many contacts, from the first contact that a row is coupled with to its diagonal.
///
/// Contacts are coupled where they share a body that is free to move. Elimination fills a row from its first entry on and no
/// further, so that hundreds of blocks on a belt, or in a row, cost as much as they are.
struct Envelope<S> {
    first: Vec<usize>,
    /// Where each row begins.
    start: Vec<usize>,
    values: Vec<S>,
}

impl<S: Scalar> Envelope<S> {
    fn new(system: &System, held: &[usize], p: &[S]) -> Self {
        let mut earliest = vec![None; system.coordinates.len()];
        let mut envelope = Envelope { first: Vec::new(), start: Vec::new(), values: Vec::new() };
        for (row, &k) in held.iter().enumerate() {
            let is_free = |c: &usize| matches!(system.coordinates[*c], Coordinate::Free { .. });
            let ends = system.contacts[k].ends.into_iter().filter(is_free);
            let first = ends.map(|c| *earliest[c].get_or_insert(row)).min().unwrap_or(row);
            envelope.first.push(first);
            envelope.start.push(envelope.values.len());
            envelope
                .values
                .extend(held[first..=row].iter().map(|&other| coupling(system, [k, other], p, None)));
        }
        envelope
    }

    fn at(&self, row: usize, column: usize) -> usize {
        self.start[row] + column - self.first[row]
    }

    /// Solves in place by `L D Lᵀ`. Where contacts hold the same body redundantly the later one carries nothing.
    fn solve(mut self, rhs: &mut [S]) {
        let n = rhs.len();
        let diagonal = |row: usize| self.values[self.at(row, row)].frozen().abs();
        let largest = (0..n).fold(S::from(1e-300), |largest, row| largest.max(diagonal(row)));
        let least = largest * DEPENDENT;
        for row in 0..n {
            self.eliminate(row, least);
            for column in self.first[row]..row {
                let above = rhs[column];
                rhs[row] -= self.values[self.at(row, column)] * above;
            }
        }
        for row in (0..n).rev() {
            let pivot = self.values[self.at(row, row)];
            let is_dependent = is_below(pivot, least);
            rhs[row] = if is_dependent { S::zero() } else { rhs[row] / pivot };
        }
        for row in (0..n).rev() {
            for column in self.first[row]..row {
                let below = rhs[row];
                rhs[column] -= self.values[self.at(row, column)] * below;
            }
        }
    }

    /// Turns a row into its factors below the diagonal, and its pivot.
    fn eliminate(&mut self, row: usize, least: S) {
        let first = self.first[row];
        for column in first..row {
            let mut sum = self.values[self.at(row, column)];
            for k in first.max(self.first[column])..column {
                sum -= self.values[self.at(row, k)] * self.values[self.at(column, k)];
            }
            let place = self.at(row, column);
            self.values[place] = sum;
        }
        let mut pivot = self.values[self.at(row, row)];
        for k in first..row {
            let (place, above) = (self.at(row, k), self.values[self.at(k, k)]);
            let is_dependent = is_below(above, least);
            let factor = if is_dependent { S::zero() } else { self.values[place] / above };
            pivot -= factor * self.values[place];
            self.values[place] = factor;
        }
        let place = self.at(row, row);
        self.values[place] = pivot;
    }
}
