//! Mechanisms and cables that do not touch each other: each piece is integrated by itself, as if it were alone.
//!
//! A cable beside a mechanism takes short steps and a method of its own; what is not tied to it has nothing to do with either.
//! Bodies that are prescribed, the ground and gravity join nothing.

use crate::assemble::assemble;
use crate::parts::PartKind;
use crate::spec::Spec;
use crate::system::System;
use bristle_core::Mode;
use bristle_solve::{
    AcceptedStep, Dynamics, Event, Observer, Output, Samples, SolveError, Solver, State, Statistics,
    Trajectory,
};
use std::collections::HashMap;

/// The pieces of a system, those without cables first.
#[derive(Debug)]
pub(crate) struct Islands {
    pieces: Vec<Island>,
}

/// A piece, and where what it has stands in the whole.
#[derive(Debug)]
struct Island {
    system: System,
    params: Vec<usize>,
    states: Vec<usize>,
    /// Modes, and guards.
    slots: Vec<usize>,
}

/// Parts that move as they are told, or stand still, or are everywhere.
fn joins_nothing(kind: PartKind) -> bool {
    use PartKind::{Anchor, Drive, Gravity, PlanarDrive, RotaryAnchor, RotaryDrive};
    matches!(kind, Anchor | Drive | Gravity | PlanarDrive | RotaryAnchor | RotaryDrive)
}

/// Which parts belong together: a number for each, none for those that join nothing.
fn groups(parts: &[(String, Spec)], kinds: &[PartKind]) -> Vec<Option<usize>> {
    let place: HashMap<&str, usize> =
        parts.iter().enumerate().map(|(i, (name, _))| (name.as_str(), i)).collect();
    let mut group: Vec<Option<usize>> =
        kinds.iter().enumerate().map(|(i, kind)| (!joins_nothing(*kind)).then_some(i)).collect();
    let mut join = |a: usize, b: usize| {
        if let (Some(a), Some(b)) = (group[a], group[b]) {
            group.iter_mut().filter(|g| **g == Some(b)).for_each(|g| *g = Some(a));
        }
    };
    let cables: Vec<usize> = (0..parts.len()).filter(|&i| kinds[i] == PartKind::Cable).collect();
    let is_laid_over = |name: &String| cables.iter().any(|&c| parts[c].1.named("over").contains(name));
    for (i, (name, spec)) in parts.iter().enumerate() {
        for other in spec.names.iter().flat_map(|(_, names)| names).filter_map(|n| place.get(n.as_str())) {
            join(i, *other);
        }
        let is_end = kinds[i] == PartKind::CableEnd && spec.named("of").is_empty();
        // A drum that no cable is laid over stands in the way of all.
        if is_end || (kinds[i] == PartKind::Drum && !is_laid_over(name)) {
            cables.iter().for_each(|&cable| join(i, cable));
        }
    }
    group
}

impl Islands {
    /// The pieces of a system of these parts; nothing where it is one, or has no cable beside a mechanism.
    pub(crate) fn of(whole: &System, parts: &[(String, Spec)]) -> Option<Islands> {
        if whole.ropes.is_empty() {
            return None;
        }
        let kinds: Vec<PartKind> =
            parts.iter().map(|(_, spec)| PartKind::named(&spec.kind)).collect::<Option<_>>()?;
        let group = groups(parts, &kinds);
        let mut found: Vec<usize> = group.iter().copied().flatten().collect();
        found.sort_unstable();
        found.dedup();
        let mut roped = Vec::new();
        let mut loose = Vec::new();
        for g in found {
            let list = if (0..parts.len()).any(|i| group[i] == Some(g) && kinds[i] == PartKind::Cable) {
                &mut roped
            } else {
                &mut loose
            };
            list.push(g);
        }
        if loose.is_empty() {
            return None;
        }
        // What has no cable stays together, as it would be without any.
        let members = |of: &[usize]| -> Vec<(String, Spec)> {
            let is_in = |i: &usize| group[*i].is_none_or(|g| of.contains(&g));
            (0..parts.len()).filter(is_in).map(|i| parts[i].clone()).collect()
        };
        let rest = roped.iter().map(std::slice::from_ref);
        let pieces = std::iter::once(loose.as_slice()).chain(rest).map(|of| Island::new(whole, &members(of)));
        Some(Islands { pieces: pieces.collect::<Option<_>>()? })
    }

    /// Integrates each piece by itself.
    pub(crate) fn run(
        &self,
        whole: &System,
        solver: &Solver,
        (p, start): (&[f64], &State),
        t_end: f64,
        times: &[f64],
        observer: &mut dyn Observer,
    ) -> Result<Trajectory, SolveError> {
        let mut runs: Vec<Trajectory> = Vec::new();
        let mut shown = start.x.clone();
        for (k, piece) in self.pieces.iter().enumerate() {
            let is_last = k + 1 == self.pieces.len();
            let mut told = |t: f64, x: &[f64], _: &[Mode]| {
                piece.states.iter().zip(x).for_each(|(place, x)| shown[*place] = *x);
                // The whole has come as far as the piece that is behind.
                observer.step(&AcceptedStep::reached(if is_last { t } else { start.t }, &shown, &start.mode))
            };
            let asked = with_events(times, runs.iter());
            runs.push(piece.run(whole, solver, (p, start), t_end, asked, &mut told)?);
        }
        for k in 0..self.pieces.len() {
            // Later pieces have switched at times that earlier ones were not asked for.
            if runs[k + 1..].iter().any(|run| !run.events.is_empty()) {
                let others = runs.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, run)| run);
                let asked = with_events(times, others);
                let end = runs[k].end.t;
                let mut on = |t: f64, _: &[f64], _: &[Mode]| t <= end;
                runs[k] = self.pieces[k].run(whole, solver, (p, start), t_end, asked, &mut on)?;
            }
        }
        Ok(self.join(whole, start, &runs))
    }

    /// The trajectory of the whole.
    fn join(&self, whole: &System, start: &State, runs: &[Trajectory]) -> Trajectory {
        let mut samples = Samples::new(whole.dim(), whole.mode_count());
        let mut events = Vec::new();
        let mut at = vec![0; runs.len()];
        let rest = vec![Mode::Stick; whole.mode_count()];
        let mut state = State { t: start.t, x: start.x.clone(), mode: rest };
        loop {
            // Rows of each piece at the next time; the first that has none ends the run.
            let mut next = runs.iter().zip(&at).map(|(run, &i)| run.samples.t.get(i).copied());
            let Some(t) = next.try_fold(f64::NEG_INFINITY, |most, t| Some(most.max(t?))) else { break };
            let mut rows = Vec::new();
            for (run, i) in runs.iter().zip(&mut at) {
                *i += run.samples.t[*i..].iter().take_while(|own| **own < t).count();
                let count = run.samples.t[*i..].iter().take_while(|own| **own == t).count();
                rows.push(*i..*i + count);
                *i += count;
            }
            if rows.iter().any(|rows| rows.is_empty()) {
                continue;
            }
            let most = rows.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
            for k in 0..most {
                let mut seen = t;
                self.clear(whole, &mut state);
                for ((piece, run), rows) in self.pieces.iter().zip(runs).zip(&rows) {
                    let row = rows.start + k.min(rows.len() - 1);
                    piece.put(run.samples.row(row), run.samples.modes(row), &mut state);
                    seen = seen.min(run.samples.seen[row]);
                }
                state.t = t;
                samples.push_seen(t, seen, &state.x, &state.mode);
            }
            for (piece, run) in self.pieces.iter().zip(runs) {
                for event in run.events.iter().filter(|event| event.t == t) {
                    let side = |own: &State| {
                        let mut state = state.clone();
                        piece.take_out(&mut state, run.samples.row(rows_end(&run.samples, t)));
                        piece.put(&own.x, &own.mode, &mut state);
                        state
                    };
                    let guard = piece.slots[event.guard];
                    events.push(Event { t, guard, before: side(&event.before), after: side(&event.after) });
                }
            }
        }
        let mut statistics = Statistics::default();
        runs.iter().for_each(|run| add(&mut statistics, &run.statistics));
        self.clear(whole, &mut state);
        for (piece, run) in self.pieces.iter().zip(runs) {
            piece.put(&run.end.x, &run.end.mode, &mut state);
            state.t = run.end.t;
        }
        let stopped_early = runs.iter().any(|run| run.stopped_early);
        Trajectory { samples, events, end: state, statistics, stopped_early }
    }

    /// Nothing yet of what pieces add to.
    fn clear(&self, whole: &System, state: &mut State) {
        state.x[whole.input] = 0.0;
        if let Some(damping) = whole.damping {
            state.x[damping] = 0.0;
        }
    }
}

/// The last row at a time.
fn rows_end(samples: &Samples, t: f64) -> usize {
    samples.t.iter().rposition(|own| *own == t).unwrap_or(0)
}

/// Times, and those at which something switched in other pieces.
fn with_events<'a>(times: &[f64], runs: impl Iterator<Item = &'a Trajectory>) -> Vec<f64> {
    let mut all = times.to_vec();
    all.extend(runs.flat_map(|run| run.events.iter().map(|event| event.t)));
    all.sort_unstable_by(f64::total_cmp);
    all.dedup();
    all
}

fn add(sum: &mut Statistics, more: &Statistics) {
    sum.steps += more.steps;
    sum.rejected += more.rejected;
    sum.landings += more.landings;
    sum.evaluations += more.evaluations;
    sum.jacobians += more.jacobians;
    sum.factorisations += more.factorisations;
    sum.bounds += more.bounds;
    sum.events += more.events;
    sum.method_switches += more.method_switches;
}

impl Island {
    /// A piece of these parts of a whole; nothing where they do not stand alone.
    fn new(whole: &System, parts: &[(String, Spec)]) -> Option<Island> {
        let system = assemble(parts, false).ok()?;
        let params =
            system.param_cards().iter().map(|card| whole.param(&card.path)).collect::<Option<_>>()?;
        let names = whole.state_names();
        let places: HashMap<&String, usize> = names
            .iter()
            .enumerate()
            .filter(|(_, name)| !name.is_empty())
            .map(|(i, name)| (name, i))
            .collect();
        // States that share a name could not be told apart.
        if places.len() < names.iter().filter(|name| !name.is_empty()).count() {
            return None;
        }
        let own = system.state_names();
        let states =
            own[..system.dim()].iter().map(|name| places.get(name).copied()).collect::<Option<_>>()?;
        let mut slots = vec![usize::MAX; system.slots];
        let mut map = |own: usize, whole: usize| slots[own] = whole;
        let of_whole = whole.contacts.iter().filter(|c| system.contacts.iter().any(|own| own.name == c.name));
        for (own, there) in system.contacts.iter().zip(of_whole) {
            (0..own.elements).for_each(|i| map(own.slot + i, there.slot + i));
            if let (Some(own), Some(there)) = (own.gate, there.gate) {
                map(own, there);
            }
        }
        for own in system.elements.iter().filter(|e| !e.slots().is_empty()) {
            let there = whole.elements.iter().find(|e| e.name == own.name)?;
            own.slots().zip(there.slots()).for_each(|(own, there)| map(own, there));
        }
        for own in &system.ropes {
            let there = whole.ropes.iter().find(|rope| rope.name == own.name)?;
            (0..own.nodes_slots()).for_each(|i| map(own.slot + i, there.slot + i));
        }
        let is_whole = slots.iter().all(|slot| *slot != usize::MAX);
        is_whole.then_some(Island { system, params, states, slots })
    }

    fn run(
        &self,
        whole: &System,
        solver: &Solver,
        (p, start): (&[f64], &State),
        t_end: f64,
        times: Vec<f64>,
        observer: &mut dyn Observer,
    ) -> Result<Trajectory, SolveError> {
        let p: Vec<f64> = self.params.iter().map(|place| p[*place]).collect();
        let is_sum = |place: &usize| *place == whole.input || Some(*place) == whole.damping;
        let x = self.states.iter().map(|place| if is_sum(place) { 0.0 } else { start.x[*place] }).collect();
        let mode = if start.mode.is_empty() {
            Vec::new()
        } else {
            self.slots.iter().map(|slot| start.mode[*slot]).collect()
        };
        let start = State { t: start.t, x, mode };
        solver.run(&self.system, &p, start, t_end, &Output::Times(times), observer)
    }

    /// Puts a state of the piece into one of the whole.
    fn put(&self, x: &[f64], mode: &[Mode], state: &mut State) {
        let sums = [Some(self.system.input), self.system.damping];
        for (i, (place, value)) in self.states.iter().zip(x).enumerate() {
            if sums.contains(&Some(i)) {
                state.x[*place] += value;
            } else {
                state.x[*place] = *value;
            }
        }
        self.slots.iter().zip(mode).for_each(|(slot, mode)| state.mode[*slot] = *mode);
    }

    /// Takes back what it has added to sums.
    fn take_out(&self, state: &mut State, x: &[f64]) {
        for i in [Some(self.system.input), self.system.damping].into_iter().flatten() {
            state.x[self.states[i]] -= x[i];
        }
    }
}

/// The times that an output asks for; nothing where it asks for steps.
pub(crate) fn times_of(output: &Output, start: f64, end: f64) -> Option<Vec<f64>> {
    match output {
        Output::Steps => None,
        Output::Ends => Some(vec![start, end]),
        Output::Times(times) => Some(times.clone()),
        Output::Grid { step } if *step > 0.0 => {
            let grid = (0..).map(|i| start + f64::from(i) * step).take_while(|t| *t < end - 1e-9 * step);
            Some(grid.chain([end]).collect())
        }
        Output::Grid { .. } => Some(vec![start, end]),
    }
}
