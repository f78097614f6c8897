//! Couplings: coordinates that follow others in a fixed ratio, such as the wheels of a gear.
//!
//! Each coupling is a linear equation between velocities,
//!
//! ```text
//! Σ_c k_c v_c = 0
//! ```
//!
//! that takes one free coordinate out of the states: it follows the others. No stiff spring stands in for the teeth; what the
//! follower carries and weighs is felt by those that it follows.

use crate::coordinate::Coordinate;
use crate::error::MechError;
use crate::holding::solve_dense;
use crate::joined::Joined;
use crate::system::{Short, System, SystemEval};
use bristle_core::Scalar;

/// A factor of a coupling: a constant plus some multiple of a parameter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Factor {
    constant: f64,
    times: Option<(f64, usize)>,
}

impl Factor {
    /// A constant.
    pub(crate) fn constant(constant: f64) -> Self {
        Factor { constant, times: None }
    }

    /// `constant + times · p[place]`.
    pub(crate) fn affine(constant: f64, times: f64, place: usize) -> Self {
        Factor { constant, times: Some((times, place)) }
    }

    fn value<S: Scalar>(self, p: &[S]) -> S {
        self.times.map_or_else(S::zero, |(times, place)| p[place] * times) + self.constant
    }
}

/// A coupling as its part states it: coordinates and their factors.
#[derive(Clone, Debug)]
pub(crate) struct Coupling {
    /// What the scenario calls the part.
    pub(crate) name: String,
    /// Coordinates with their factors, those that had better follow first.
    pub(crate) terms: Vec<(usize, Factor)>,
    /// The coordinate that follows the others.
    pub(crate) follower: usize,
    /// Whether the first of the coordinates turns.
    pub(crate) turns: bool,
}

/// A factor for every coordinate.
type FactorRow<S> = Short<S, 8>;

/// How followers move with the coordinates that are left: `v_follower = Σ_c T_c v_c`.
#[derive(Clone, Debug)]
pub(crate) struct Transmission<S> {
    rows: Short<(usize, FactorRow<S>), 4>,
}

impl<S: Scalar> Transmission<S> {
    /// The followers, each with a factor for every coordinate.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (usize, &[S])> {
        self.rows.iter().map(|(follower, row)| (*follower, row.as_slice()))
    }

    /// Adds a row whose follower is chosen, and puts it into those before it.
    fn add(&mut self, mut row: FactorRow<S>, follower: usize) {
        let own = row[follower];
        for entry in &mut row {
            *entry = -(*entry / own);
        }
        row[follower] = S::zero();
        for (_, other) in &mut self.rows {
            let factor = other[follower];
            other[follower] = S::zero();
            other.iter_mut().zip(&row).for_each(|(entry, new)| *entry += factor * *new);
        }
        self.rows.push((follower, row));
    }

    /// A coupling's factors on all coordinates, with followers replaced by those that they follow.
    fn reduced(&self, coupling: &Coupling, count: usize, p: &[S]) -> FactorRow<S> {
        let mut row = FactorRow::from_elem(S::zero(), count);
        for (c, factor) in &coupling.terms {
            let factor = factor.value(p);
            match self.rows.iter().find(|(follower, _)| follower == c) {
                Some((_, known)) => row.iter_mut().zip(known).for_each(|(entry, k)| *entry += factor * *k),
                None => row[*c] += factor,
            }
        }
        row
    }
}

/// Less than this, relative to the largest factor of its coupling, is rounding.
const NOTHING: f64 = 1e-9;

/// Two start velocities that differ by less than this, relative to their size, are the same.
const SAME: f64 = 1e-9;

/// Chooses who follows in each coupling, and makes followers of these coordinates. Those that ropes move with do so last.
pub(crate) fn choose_followers(
    couplings: Vec<Coupling>,
    coordinates: &mut [Coordinate],
    p: &[f64],
    roped: &[usize],
    errors: &mut Vec<MechError>,
) -> Vec<Coupling> {
    let mut known = Transmission { rows: Short::new() };
    let mut chosen = Vec::new();
    for mut coupling in couplings {
        let row = known.reduced(&coupling, coordinates.len(), p);
        let size = coupling.terms.iter().fold(0.0, |m: f64, (_, k)| m.max(k.value(p).abs()));
        let is_there = |c: &usize| row[*c].abs() > NOTHING * size;
        let is_free = |c: &usize| matches!(coordinates[*c], Coordinate::Free { .. });
        let starts_at_rest = |c: &usize| match coordinates[*c] {
            Coordinate::Free { start: Some([_, v]), .. } => p[v] == 0.0,
            _ => true,
        };
        let named = coupling.terms.iter().map(|(c, _)| *c);
        let all = named.chain(0..coordinates.len()).filter(|c| is_there(c) && is_free(c));
        let free: Vec<usize> = all.collect();
        let (tied, able): (Vec<usize>, Vec<usize>) = free.into_iter().partition(|c| roped.contains(c));
        let first_of = |list: &[usize]| list.iter().copied().find(starts_at_rest).or(list.first().copied());
        let best = first_of(&able).or(first_of(&tied));
        // One that is left alone could only stand still: others couple the same bodies in another ratio.
        let is_alone = (0..coordinates.len()).filter(is_there).count() < 2;
        let Some(follower) = best.filter(|_| !is_alone) else {
            errors.push(unable(&coupling, &chosen, coordinates));
            continue;
        };
        known.add(row, follower);
        coupling.follower = follower;
        chosen.push(coupling);
    }
    for (follower, row) in known.rows() {
        if let Coordinate::Free { mass, start, .. } = coordinates[follower] {
            let sources = (0..row.len()).filter(|c| row[*c] != 0.0).collect();
            coordinates[follower] = Coordinate::Follower { mass, start, sources };
        }
    }
    chosen
}

/// A coupling in which nothing is left that could follow, and those it makes a loop with.
fn unable(coupling: &Coupling, chosen: &[Coupling], coordinates: &[Coordinate]) -> MechError {
    let named = |c: &Coupling| c.terms.iter().map(|(k, _)| *k).collect::<Vec<_>>();
    let (mut reached, mut others) = (named(coupling), Vec::new());
    while let Some(next) = chosen
        .iter()
        .find(|c| !others.contains(&c.name.as_str()) && named(c).iter().any(|k| reached.contains(k)))
    {
        reached.extend(named(next));
        others.push(&next.name);
    }
    let mut settled: Vec<String> = others.iter().map(|name| format!("`{name}`")).collect();
    if reached.iter().any(|c| matches!(coordinates[*c], Coordinate::Fixed { .. } | Coordinate::Driven { .. }))
    {
        settled.push("what is driven or fixed".to_owned());
    }
    let reason = format!(
        "how its bodies move is settled already by {}, so that none of them is left to follow",
        settled.join(" and ")
    );
    let hint =
        "leave one of them out, or free one of its bodies; elastic teeth are a spring between two bodies";
    MechError::Misfit { part: coupling.name.clone(), field: "kind", reason, hint: hint.to_owned() }
}

impl System {
    /// How followers move with the coordinates they follow; nothing without couplings.
    pub(crate) fn transmission<S: Scalar>(&self, p: &[S]) -> Transmission<S> {
        let mut known = Transmission { rows: Short::new() };
        for coupling in &self.couplings {
            let row = known.reduced(coupling, self.coordinates.len(), p);
            known.add(row, coupling.follower);
        }
        known
    }

    /// The states a coordinate moves with: places of position and velocity, and by how much.
    pub(crate) fn states_behind(&self, coordinate: usize, p: &[f64]) -> Vec<(usize, usize, f64)> {
        match &self.coordinates[coordinate] {
            Coordinate::Free { q, v, .. } | Coordinate::Servo { q, v, .. } => vec![(*q, *v, 1.0)],
            Coordinate::Follower { sources, .. } => {
                let transmission = self.transmission(p);
                let row = transmission.rows().find(|(follower, _)| *follower == coordinate);
                let state = |c: &usize| match self.coordinates[*c] {
                    Coordinate::Free { q, v, .. } | Coordinate::Servo { q, v, .. } => {
                        row.map(|(_, row)| (q, v, row[*c]))
                    }
                    _ => None,
                };
                sources.iter().filter_map(state).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What followers pass on to a coordinate that they follow: the forces on them, less what accelerates their mass.
    pub(crate) fn passed_on<S: Scalar>(
        &self,
        transmission: &Transmission<S>,
        coordinate: usize,
        p: &[S],
        flow: &SystemEval<S>,
        [forces, accelerations]: [&[S]; 2],
    ) -> S {
        transmission.rows().fold(S::zero(), |sum, (follower, row)| {
            let inert = self.inertia_of(follower, p, flow, accelerations);
            sum + row[coordinate] * (forces[follower] - inert)
        })
    }

    /// What it takes to accelerate a follower, with the ropes that are tied to it.
    fn inertia_of<S: Scalar>(&self, follower: usize, p: &[S], flow: &SystemEval<S>, a: &[S]) -> S {
        let own = self.mass(follower, p).unwrap_or_else(S::zero) * a[follower];
        if self.ropes.is_empty() { own } else { own + self.rope_inertia(follower, p, flow, a) }
    }

    /// What is known of some coordinates, for all that move as one with them or follow them: velocities or accelerations.
    pub(crate) fn spread<S: Scalar>(
        &self,
        joined: &Joined,
        p: &[S],
        known: impl Fn(usize) -> Option<S>,
    ) -> Short<Option<S>> {
        let mut all = joined.spread(known);
        loop {
            let found = self.couplings.iter().find_map(|coupling| {
                let mut open = coupling.terms.iter().filter(|(c, _)| all[*c].is_none());
                let (Some((c, factor)), None) = (open.next(), open.next()) else { return None };
                let others = coupling.terms.iter().filter_map(|(c, k)| Some(all[*c]? * k.value(p)));
                Some((*c, -(others.fold(S::zero(), |sum, term| sum + term) / factor.value(p))))
            });
            let Some((c, value)) = found else { return all };
            all[c] = Some(value);
            all = joined.spread(|c| all[c]);
        }
    }

    /// What the couplings put on the first of their coordinates, under forces and accelerations of all of them.
    pub(crate) fn coupling_forces<S: Scalar>(
        &self,
        p: &[S],
        flow: &SystemEval<S>,
        [forces, accelerations]: [&[S]; 2],
    ) -> Vec<S> {
        // Σ_k factor_kc λ_k = m_c a_c − f_c at every follower, as many equations as couplings. Followers were chosen one after the
        // other, each by what those before leave of its coupling, so that no pivot vanishes in this order.
        let factor = |k: &Coupling, c: usize| {
            let own = k.terms.iter().filter(|(d, _)| *d == c);
            own.fold(S::zero(), |sum, (_, factor)| sum + factor.value(p))
        };
        let (mut matrix, mut found) = (Short::<S, 64>::new(), Vec::with_capacity(self.couplings.len()));
        for coupling in &self.couplings {
            let c = coupling.follower;
            matrix.extend(self.couplings.iter().map(|k| factor(k, c)));
            found.push(self.inertia_of(c, p, flow, accelerations) - forces[c]);
        }
        solve_dense(&mut matrix, &mut found);
        let first = |k: &Coupling| k.terms.first().map_or_else(S::zero, |(_, factor)| factor.value(p));
        found.into_iter().zip(&self.couplings).map(|(force, k)| force * first(k)).collect()
    }

    /// A follower whose velocity at the start is given, and is not the one it follows with.
    pub(crate) fn wrong_start(&self, p: &[f64]) -> Option<MechError> {
        let transmission = self.transmission(p);
        for (coupling, (follower, row)) in self.couplings.iter().zip(transmission.rows()) {
            let Coordinate::Follower { start: Some([_, v]), .. } = self.coordinates[follower] else {
                continue;
            };
            let speeds = row
                .iter()
                .enumerate()
                .map(|(c, k)| if *k == 0.0 { 0.0 } else { k * self.start_velocity(c, p) });
            let follows: f64 = speeds.sum();
            if p[v] != 0.0 && (p[v] - follows).abs() > SAME * (1.0 + follows.abs()) {
                let name = self.bodies.iter().find(|b| b.x == follower).map_or("", |b| b.name.as_str());
                let reason = format!(
                    "`{name}` starts with a velocity of {}, but what it is coupled with makes that {follows}",
                    p[v]
                );
                let hint = format!("leave the start velocity of `{name}` out: it follows from the others");
                return Some(MechError::Misfit { part: coupling.name.clone(), field: "kind", reason, hint });
            }
        }
        None
    }
}
