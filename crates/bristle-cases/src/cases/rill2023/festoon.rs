//! The festoon: a cable in three loops under two trolleys, pulled out by a third.

use super::ComparedLaw;
use crate::cases::Computed;
use crate::cases::reading::{Find, Instant, Seek, read_off, sample};
use bristle_core::Mode;
use bristle_record::Data;
use bristle_solve::Progress;
use bristle_study::RunError;
use bristle_study::Scenario;
use std::path::Path;

/// The scenario a user may edit.
const SCENARIO: &str = include_str!("../../../../../examples/festoon.toml");

/// Largest displacement at rest of the joint friction model here.
const D_MAX: f64 = 5e-5;

/// How long it is watched.
pub(super) const DURATION: f64 = 10.0;

/// The festoon under a law.
pub(super) fn under(law: ComparedLaw) -> Result<Scenario, RunError> {
    let base = Scenario::from_text(SCENARIO, "festoon.toml", Path::new("."))?;
    let other = base.with_law(law.kind())?;
    match law {
        ComparedLaw::Adams => other.with(&[("rail_t1.law.d_max", D_MAX), ("rail_t2.law.d_max", D_MAX)]),
        _ => Ok(other),
    }
}

/// Every number of the festoon under one law.
pub(super) fn compute(law: ComparedLaw, progress: &mut dyn Progress) -> Result<Vec<Computed>, RunError> {
    progress.begin(&format!("festoon, {}", law.name()));
    let scenario = under(law)?;
    let r1 = |at: &Instant| at.get("rail_t1.force");
    let turn = Find::new(Seek::Smallest, r1).within(6.44, 6.5);
    let stop = Find::new(Seek::Falls(0.0), |at| at.get("t1.v")).within(6.44, 6.5);
    let speed = |at: &Instant| at.get("t2.v").abs();
    let questions = [
        turn,
        stop,
        Find::at(6.45, r1),
        Find::at(6.48, r1),
        Find::new(Seek::Falls(1e-3), speed).within(7.15, 7.9),
        Find::new(Seek::Rises(1e-3), speed).within(7.15, 7.9),
        Find::at(0.0, |at| at.get("tow.q")),
        Find::at(0.0, |at| -at.get("c2.y")),
        Find::at(DURATION, |at| at.get("tow.q")),
    ];
    let run = read_off(&scenario, DURATION, &questions, progress)?;
    let peak = run.first(0);
    // The normal force at the peak needs a second look, since the time is known only now.
    let normal = read_off(&scenario, 6.5, &[Find::at(peak.t, |at| at.get("rail_t1.load"))], progress)?;
    let mut cells = Vec::new();
    let mut push = |what: &str, value: f64| {
        cells.push(Computed { id: format!("festoon.{}.{what}", law.name()), value });
    };
    push("peak", peak.value);
    push("peak_time", peak.t);
    push("normal", normal.first(0).value);
    if law == ComparedLaw::Simpack {
        let switch = |guard: usize, from: f64, to: f64, sticks: bool| {
            let here = run.events.iter().filter(|e| e.guard == guard && (from..to).contains(&e.t));
            let mut fitting = here.filter(|e| (e.after.mode[guard] == Mode::Stick) == sticks);
            fitting.next().map_or(f64::NAN, |e| e.t)
        };
        push("stop", switch(0, 6.4, 6.55, true));
        push("stick_from", switch(1, 7.15, 7.9, true));
        push("stick_to", switch(1, 7.3, 7.9, false));
    } else {
        push("stop", run.first(1).t);
        push("before", run.first(2).value);
        push("after", run.first(3).value);
        push("stick_from", run.first(4).t);
        push("stick_to", run.found[5].last().map_or(f64::NAN, |found| found.t));
    }
    if law == ComparedLaw::FrDyn2 {
        for (k, id) in ["tow_start", "sag", "tow_end"].into_iter().enumerate() {
            cells.push(Computed { id: format!("festoon.{id}"), value: run.first(6 + k).value });
        }
    }
    Ok(cells)
}

/// All outputs, finely where friction changes fast.
pub(super) fn histories(law: ComparedLaw, progress: &mut dyn Progress) -> Result<Data, RunError> {
    let steps =
        [(0.0, 6.44, 5e-3), (6.44, 6.5, 1e-4), (6.5, 7.15, 5e-3), (7.15, 7.85, 5e-4), (7.85, DURATION, 5e-3)];
    let mut times: Vec<f64> = Vec::new();
    for (from, to, step) in steps {
        let count = ((to - from) / step).round() as usize;
        times.extend((0..count).map(|i| from + (to - from) * i as f64 / count as f64));
    }
    times.push(DURATION);
    sample(&under(law)?, times, progress)
}
