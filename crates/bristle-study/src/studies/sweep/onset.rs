//! From which value on the motion from the scenario's own start goes on for ever.

use super::super::subject::{Subject, with_unit};
use crate::analysis::{self, ParamPlace};
use bristle_analysis::sweep::{Origin, ParameterSweep, Survey, SweepCell};
use bristle_record::{Fact, Tone};

/// Halvings of the interval between two values of the sweep.
const HALVINGS: usize = 12;

/// The place of the scenario's own start among the starts.
const OWN: usize = 2;

/// A border between rest and vibration, narrowed down.
struct Border {
    /// The last value found on the side of rest, and the first on that of vibration.
    rests: f64,
    vibrates: f64,
    /// Half the swing of the position shown there.
    amplitude: f64,
    /// Whether a value in between could not be put on either side.
    is_open: bool,
}

/// Where vibration begins and ends along the sweep, in words; a controller hunts.
pub(super) fn facts(
    subject: &Subject,
    place: &ParamPlace,
    map: &analysis::Returns,
    job: &ParameterSweep,
    survey: &Survey,
) -> Vec<Fact> {
    let own: Vec<&SweepCell> = survey.cells.iter().filter(|c| c.origin == Origin::Start(OWN)).collect();
    let part = place.path.split('.').next().unwrap_or_default();
    let is_controller =
        subject.scenario.parts.iter().any(|(name, spec)| name == part && spec.kind.ends_with("pid"));
    let (label, verb) =
        if is_controller { ("hunting", "hunts") } else { ("onset of vibration", "goes on vibrating") };
    let (q, _, unit) = subject.shown();
    let swing = |cell: &SweepCell| (cell.attractor.max[q] - cell.attractor.min[q]) / 2.0;
    let mut facts = Vec::new();
    // What is still settling lies on neither side.
    let is_clear = |c: &&&SweepCell| c.attractor.is_resting() || c.attractor.is_oscillating();
    let clear: Vec<&SweepCell> = own.iter().filter(is_clear).copied().collect();
    for pair in clear.windows(2) {
        let ends = [pair[0], pair[1]].map(|c| (c.attractor.is_resting(), c.attractor.is_oscillating()));
        let (rests, vibrates) = match ends {
            [(true, _), (_, true)] => (pair[0], pair[1]),
            [(_, true), (true, _)] => (pair[1], pair[0]),
            _ => continue,
        };
        let first = Border {
            rests: rests.value,
            vibrates: vibrates.value,
            amplitude: swing(vibrates),
            is_open: false,
        };
        let border = narrowed(subject, map, job, first, q);
        let side = if border.vibrates > border.rests { "on" } else { "down" };
        let words = format!(
            "{verb} from {} {side}, by ±{}",
            with_unit(border.vibrates, &place.unit),
            with_unit(border.amplitude, unit)
        );
        let mut fact = Fact::verdict(label, words, Tone::Warn).measuring(border.vibrates, &place.unit);
        fact.note = format!(
            "from the scenario's own start; at {} it still comes to rest{}",
            with_unit(border.rests, &place.unit),
            if border.is_open { ", and in between it waits too long to tell" } else { "" }
        );
        facts.push(fact);
    }
    if facts.is_empty() && !own.is_empty() && own.iter().all(|c| c.attractor.is_oscillating()) {
        let smallest = own.iter().map(|c| swing(c)).fold(f64::INFINITY, f64::min);
        let largest = own.iter().map(|c| swing(c)).fold(0.0, f64::max);
        let words = format!(
            "{verb} at every value, by ±{} to ±{}",
            with_unit(smallest, unit),
            with_unit(largest, unit)
        );
        facts.push(Fact::verdict(label, words, Tone::Bad));
    } else if let (true, Some(first)) = (facts.is_empty(), own.iter().find(|c| c.attractor.is_oscillating()))
    {
        // No value at which it rests is known, so that nothing is known of where it begins.
        let count = own.iter().filter(|c| c.attractor.is_oscillating()).count();
        let words = format!(
            "{verb} at {count} of {} values, the first of them {}; at the others it was still settling",
            own.len(),
            with_unit(first.value, &place.unit)
        );
        facts.push(Fact::verdict(label, words, Tone::Bad));
    } else if facts.is_empty() && is_controller {
        facts.push(Fact::verdict(label, unseen(&own), Tone::Warn));
    }
    facts
}

/// What is said where no motion from the scenario's own start hunts. It is no good verdict: a body that waits while an integral
/// grows looks the same until it lets go.
fn unseen(own: &[&SweepCell]) -> String {
    let open = own.iter().filter(|c| !c.attractor.is_resting() && !c.attractor.is_oscillating()).count();
    if open == 0 {
        "none seen: every motion from the scenario's own start was taken to be at rest".to_owned()
    } else {
        format!("none seen to go on, but at {open} of {} values the motion was still settling", own.len())
    }
}

/// Halves the interval as long as its middle is clearly on one side.
fn narrowed(
    subject: &Subject,
    map: &analysis::Returns,
    job: &ParameterSweep,
    mut border: Border,
    q: usize,
) -> Border {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (border.rests + border.vibrates);
        let one = ParameterSweep {
            parameter: job.parameter,
            values: vec![middle],
            starts: vec![job.starts[OWN].clone()],
            up: false,
            down: false,
            patience: job.patience,
            orbits: Vec::new(),
        };
        let Ok(found) = analysis::sweep(map, &subject.p, &one, &[], &|_| true) else { return border };
        let Some(cell) = found.cells.first() else { return border };
        if cell.attractor.is_oscillating() {
            border.vibrates = middle;
            border.amplitude = (cell.attractor.max[q] - cell.attractor.min[q]) / 2.0;
        } else if cell.attractor.is_resting() {
            border.rests = middle;
        } else {
            return Border { is_open: true, ..border };
        }
    }
    border
}
