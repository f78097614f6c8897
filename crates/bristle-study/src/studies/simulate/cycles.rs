//! Slip after slip: when each begins, how long it lasts and what it costs.

use super::{Simulation, column};
use bristle_analysis::active_states::ActiveStates;
use bristle_mech::System;
use bristle_record::{Cell, Data, Fact, Table, Value};
use bristle_solve::{Dynamics, Point, State, Trajectory};

/// How many slips the table shows.
const SHOWN: usize = 20;

/// States that differ by less than this share of their range over the run are the same.
const ALIKE: f64 = 1e-4;

/// So many recurrences between two switches are looked for.
const MOST: usize = 8;

/// One slip of a contact that really sticks in between, both ends located.
#[derive(Clone, Copy, Debug)]
struct Slip {
    begin: f64,
    end: f64,
    /// Slip at begin and end.
    slip: [f64; 2],
    /// Energy dissipated until begin and end.
    loss: [f64; 2],
}

/// The slips of a contact with located ends. A switch leaves two samples of one time, before and after it.
fn slips(data: &Data, contact: &str) -> Vec<Slip> {
    let quantity = |name: &str| column(data, &format!("{contact}.{name}"));
    let (t, mode, slip, loss) = (column(data, "time"), quantity("mode"), quantity("slip"), quantity("loss"));
    let mut slips = Vec::new();
    let mut begun = None;
    for i in 1..t.len() {
        if t[i] != t[i - 1] {
            continue;
        }
        match (mode[i - 1] == 0.0, mode[i] == 0.0) {
            (true, false) => begun = Some(i),
            (false, true) => slips.extend(begun.take().map(|b| Slip {
                begin: t[b],
                end: t[i],
                slip: [slip[b], slip[i]],
                loss: [loss[b], loss[i]],
            })),
            _ => {}
        }
    }
    slips
}

/// The last full cycle in numbers.
pub(super) fn facts(system: &System, run: &Simulation, contact: &str) -> Vec<Fact> {
    let slips = slips(&run.data, contact);
    let Some(first) = slips.first() else { return Vec::new() };
    let fact = |label: &str, value: f64, unit: &str| {
        let value = Value::Number { value, unit: unit.to_owned(), digits: 10 };
        Fact::new(format!("{label} at `{contact}`"), value)
    };
    let mut facts = vec![fact("first slip", first.begin, "s")];
    if let [.., before, last] = slips[..] {
        facts.push(fact("last slip lasts", last.end - last.begin, "s"));
        let (apart, loss) = (last.begin - before.begin, last.loss[0] - before.loss[0]);
        match recurs_within(system, &run.trajectory, [before.begin, last.begin]) {
            Some(times) => {
                let mut period = fact("last period", apart / times as f64, "s");
                if times > 1 {
                    period.note = format!("the motion recurs {times} times between two switches");
                }
                facts.push(period);
                facts.push(fact("loss in the last cycle", loss / times as f64, "J"));
            }
            None => {
                let mut time = fact("time between the last two slips", apart, "s");
                time.note = "no period: the whole state does not recur".to_owned();
                facts.push(time);
                facts.push(fact("loss between the last two slips", loss, "J"));
            }
        }
    }
    facts
}

/// How often the whole state recurs from one time to another, at even distances; `None` if it does not come back at all.
///
/// A motion that only grazes its counter-surface may be caught at every second touch: what repeats is the state, not the
/// switch.
fn recurs_within(system: &System, trajectory: &Trajectory, [from, to]: [f64; 2]) -> Option<usize> {
    let states = system.dim() - system.quadratures();
    // Positions that a drive takes along count from there.
    let along = system.taken_along(system.params());
    let ranges = ranges(trajectory, states, &along);
    let place = |t: f64| {
        let mut x = state_at(system, trajectory, t);
        along.iter().for_each(|(i, speed)| x[*i] -= speed * t);
        x
    };
    let end = place(to);
    // A place on which nothing depends may move on from cycle to cycle.
    let seen: Vec<State> = [from, 0.5 * (from + to), to].map(|t| mode_at(trajectory, t)).to_vec();
    let compared = ActiveStates::along(system, system.params(), &seen).ok()?.active;
    let is_alike = |i: usize, x: f64| (x - end[i]).abs() <= ALIKE * ranges[i];
    let is_back = |t: f64| {
        let x = place(t);
        compared.iter().all(|i| is_alike(*i, x[*i]))
    };
    let divides = |n: &usize| (1..*n).all(|k| is_back(to - (to - from) * k as f64 / *n as f64));
    is_back(from).then(|| (2..=MOST).rev().find(divides).unwrap_or(1))
}

/// The nearest sample before a time.
fn mode_at(trajectory: &Trajectory, t: f64) -> State {
    let samples = &trajectory.samples;
    let i = samples.t.partition_point(|s| *s <= t).saturating_sub(1);
    State { t: samples.t[i], x: samples.row(i).to_vec(), mode: samples.modes(i).to_vec() }
}

/// How far apart the largest and the least value of each state lie over a run; positions that are taken `along` count from there.
fn ranges(trajectory: &Trajectory, states: usize, along: &[(usize, f64)]) -> Vec<f64> {
    let samples = &trajectory.samples;
    let range = |i: usize| {
        let speed = along.iter().find(|(place, _)| *place == i).map_or(0.0, |(_, speed)| *speed);
        let values = samples.column(i).zip(&samples.t).map(|(x, t)| x - speed * t);
        let ends =
            values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
        ends[1] - ends[0]
    };
    (0..states).map(range).collect()
}

/// The state between two samples, on the cubic through both with their rates.
fn state_at(system: &System, trajectory: &Trajectory, t: f64) -> Vec<f64> {
    let samples = &trajectory.samples;
    let next = samples.t.partition_point(|s| *s < t).clamp(1, samples.len() - 1);
    let (a, b) = (next - 1, next);
    let h = samples.t[b] - samples.t[a];
    if h <= 0.0 {
        return samples.row(b).to_vec();
    }
    let rates = |i: usize| {
        let mut dx = vec![0.0; system.dim()];
        let at = Point { t: samples.t[i], x: samples.row(i), p: system.params(), mode: samples.modes(i) };
        system.rates(at, &mut dx);
        dx
    };
    let (s, da, db) = ((t - samples.t[a]) / h, rates(a), rates(b));
    let (xa, xb) = (samples.row(a), samples.row(b));
    let blend = |i: usize| {
        let rise = xb[i] - xa[i];
        let (p, q) = (h * da[i] - rise, h * db[i] - rise);
        xa[i] + s * rise + s * (1.0 - s) * ((1.0 - s) * p - s * q)
    };
    (0..xa.len()).map(blend).collect()
}

/// The slips of a contact, one line each.
pub(super) fn table(data: &Data, contact: &str) -> Option<Table> {
    let slips = slips(data, contact);
    let caption = match slips.len() {
        0 => return None,
        n if n > SHOWN => format!("The first {SHOWN} of {n} slips at `{contact}`"),
        _ => format!("Slips at `{contact}`"),
    };
    let columns = [("begins at", "s"), ("lasts", "s"), ("slips by", "m"), ("dissipates", "J")];
    let mut table = Table::new(caption, &columns);
    for slip in slips.iter().take(SHOWN) {
        let cells =
            [slip.begin, slip.end - slip.begin, slip.slip[1] - slip.slip[0], slip.loss[1] - slip.loss[0]];
        table.row(cells.map(|value| Cell::Number { value, digits: 12 }));
    }
    Some(table)
}
