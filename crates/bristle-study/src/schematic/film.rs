//! How a picture moves: from the outputs of a run to pixels.

use super::draft::{Draft, DraftFollows, number};
use super::plane::{SchematicSheet, Sight};
use crate::scenario::Scenario;
use crate::scene::Scene;
use crate::studies::simulate::column;
use bristle_mech::{ParamList, Signal, Spec};
use bristle_record::Data;
use bristle_record::number::{pretty, short};
use bristle_record::schematic::{ContactState, Film, Track};

/// Instants of a film.
const FRAMES: usize = 241;

/// Travel on the page to either side, px.
const TRAVEL: f64 = 34.0;

/// A film shows so many turning points at most; of a longer run it shows the end.
const MOST_TURNS: usize = 48;

/// A contact without a state of rest counts as resting below this part of its fastest slip.
const SLOW: f64 = 0.01;

/// What of a run is shown, and when.
pub struct Footage<'r> {
    data: &'r Data,
    scenes: &'r [Scene],
    times: Vec<f64>,
    /// For each instant the sample before it and the part of the way to the next.
    samples: Vec<(usize, f64)>,
    /// Forces over time that are no outputs.
    pushes: Vec<(String, Vec<f64>)>,
    /// Contacts whose mode tells when they rest; that of others is the sign of their slip rate.
    resting: Vec<String>,
    is_end: bool,
}

impl<'r> Footage<'r> {
    /// Nothing where a run has no two samples.
    pub fn new(scenario: &Scenario, data: &'r Data, scenes: &'r [Scene]) -> Option<Footage<'r>> {
        let t = column(data, "time");
        let (first, last) = (*t.first()?, *t.last()?);
        if last.partial_cmp(&first) != Some(std::cmp::Ordering::Greater) {
            return None;
        }
        let (times, is_end): (Vec<f64>, bool) = if scenes.len() > 1 {
            (scenes.iter().map(|s| s.time).collect(), false)
        } else {
            let begin = begin(data, first);
            let step = (last - begin) / (FRAMES - 1) as f64;
            ((0..FRAMES).map(|k| begin + step * k as f64).collect(), begin > first)
        };
        let mut i = 0;
        let sample = |time: &f64| {
            while i + 2 < t.len() && t[i + 1] <= *time {
                i += 1;
            }
            let gap = t[i + 1] - t[i];
            (i, if gap > 0.0 { ((time - t[i]) / gap).clamp(0.0, 1.0) } else { 0.0 })
        };
        let samples = times.iter().map(sample).collect();
        let pushes = scenario.parts.iter().filter_map(|(n, s)| Some((n.clone(), push(s, &times)?))).collect();
        let rests = |c: &&bristle_mech::ResolvedContact| c.kind.card().tags.contains(&"set-valued");
        let resting = scenario.system.contacts().iter().filter(rests).map(|c| c.name.clone()).collect();
        Some(Footage { data, scenes, times, samples, pushes, resting, is_end })
    }

    pub fn count(&self) -> usize {
        self.times.len()
    }

    pub fn scene(&self, k: usize) -> Option<&'r Scene> {
        self.scenes.get(k)
    }

    /// An output at an instant.
    pub fn value(&self, output: &str, k: usize) -> Option<f64> {
        let values = column(self.data, output);
        let &(i, share) = self.samples.get(k)?;
        let (a, b) = (values.get(i)?, values.get(i + 1).or(values.get(i))?);
        let value = a + share * (b - a);
        value.is_finite().then_some(value)
    }

    fn list(&self, output: &str) -> Option<Vec<f64>> {
        (0..self.count()).map(|k| self.value(output, k)).collect()
    }

    /// The sample itself: states are not interpolated.
    fn state(&self, output: &str, k: usize) -> Option<f64> {
        column(self.data, output).get(self.samples.get(k)?.0).copied()
    }
}

/// A force that follows a signal, at all instants.
fn push(spec: &Spec, times: &[f64]) -> Option<Vec<f64>> {
    if !matches!(spec.kind.as_str(), "force" | "torque") {
        return None;
    }
    let constant = number(spec, "value").unwrap_or(0.0);
    let mut sum = vec![constant; times.len()];
    for field in ["value", "signal"] {
        let Some(table) = spec.table(field) else { continue };
        let mut params = ParamList::default();
        let signal = Signal::place(table, field, &mut params)?;
        for (sum, t) in sum.iter_mut().zip(times) {
            *sum += signal.jet(&params.values, *t).value;
        }
    }
    Some(sum)
}

/// From when on a run is shown.
fn begin(data: &Data, first: f64) -> f64 {
    let t = column(data, "time");
    let is_speed = |name: &str| [".v", ".speed", ".vx", ".vy"].iter().any(|end| name.ends_with(end));
    let turns = |values: &[f64]| -> Vec<usize> {
        let most = values.iter().map(|v| v.abs()).fold(0.0, f64::max);
        let mut sign = 0.0;
        let mut found = Vec::new();
        for (i, v) in values.iter().enumerate().filter(|(_, v)| v.abs() > 1e-3 * most) {
            if sign * v < 0.0 {
                found.push(i);
            }
            sign = v.signum();
        }
        found
    };
    let of = data.columns.iter().filter(|c| is_speed(&c.name)).map(|c| turns(&c.values));
    let all = of.max_by_key(Vec::len).unwrap_or_default();
    match all.len().checked_sub(MOST_TURNS / 2) {
        Some(k) if all.len() > MOST_TURNS => t[all[k]],
        _ => first,
    }
}

/// The film, and words on how it is drawn.
pub fn shoot(draft: &Draft, footage: &Footage, sights: &[Sight], sheet: &SchematicSheet) -> (Film, String) {
    let count = footage.count();
    let mut words = Vec::new();
    let middle = |v: &[f64]| {
        0.5 * (v.iter().copied().fold(f64::INFINITY, f64::min)
            + v.iter().copied().fold(f64::NEG_INFINITY, f64::max))
    };
    let reach = |v: &[f64], from: f64| v.iter().map(|x| (x - from).abs()).fold(0.0, f64::max);
    let slides: Vec<usize> = draft.strokes.iter().filter_map(|s| s.slide).collect();
    let of_frame = |k: usize| match &draft.frames[k].follows {
        DraftFollows::Line(name) => footage.list(&format!("{name}.q")),
        DraftFollows::Turn(name) => footage.list(&format!("{name}.angle")),
        _ => None,
    };
    let lists: Vec<Option<Vec<f64>>> = (0..draft.frames.len()).map(of_frame).collect();
    let is_line = |k: usize| matches!(draft.frames[k].follows, DraftFollows::Line(_));
    let (mut farthest, mut most_turned) = (0.0_f64, 0.0_f64);
    for (k, values) in lists.iter().enumerate().filter_map(|(k, v)| Some((k, v.as_ref()?))) {
        if !is_line(k) {
            most_turned = most_turned.max(reach(values, values[0]));
        } else if !slides.contains(&(k + 1)) {
            farthest = farthest.max(reach(values, middle(values)));
        }
    }
    let belts = lists.iter().enumerate().filter(|(k, _)| is_line(*k) && slides.contains(&(k + 1)));
    let belt = belts.filter_map(|(_, v)| v.as_ref()).map(|v| reach(v, v[0])).fold(0.0, f64::max);
    // Bodies that rest leave the scale to the belts.
    let scale = if farthest > 1e-12 {
        TRAVEL / farthest
    } else if belt > 0.0 {
        300.0 / belt
    } else {
        0.0
    };
    if farthest > 1e-12 {
        let length = 10f64.powf((TRAVEL / scale).log10().floor());
        words.push(format!("{} m of travel are {:.0} px", pretty(&short(length, 1)), length * scale));
    }
    let full = std::f64::consts::TAU;
    let turning = match most_turned {
        a if a <= 1e-12 => 0.0,
        a if a > 12.0 * full => 12.0 * full / a,
        a if a < 0.5 => 0.5 / a,
        _ => 1.0,
    };
    if turning != 0.0 && turning != 1.0 {
        words.push(format!("angles are drawn {} times as large", pretty(&short(turning, 2))));
    }
    let still = |v: Vec<f64>| {
        if v.iter().all(|x| (x - v[0]).abs() < 0.02) && v[0].abs() < 0.02 { Vec::new() } else { v }
    };
    let mut tracks = vec![Track::default()];
    for (k, frame) in draft.frames.iter().enumerate() {
        let mut track = Track { pivot: frame.home, ..Track::default() };
        let on_page = |places: Vec<Option<[f64; 2]>>, track: &mut Track| {
            let at: Vec<[f64; 2]> =
                places.into_iter().map(|p| p.map_or(frame.home, |p| sheet.at(p))).collect();
            track.x = still(at.iter().map(|p| p[0] - frame.home[0]).collect());
            track.y = still(at.iter().map(|p| p[1] - frame.home[1]).collect());
        };
        match (&frame.follows, &lists[k]) {
            (DraftFollows::Line(_), Some(values)) => {
                let from = if slides.contains(&(k + 1)) { values[0] } else { middle(values) };
                track.x = still(values.iter().map(|q| scale * (q - from)).collect());
            }
            (DraftFollows::Turn(_), Some(values)) => {
                let turned: Vec<f64> = values.iter().map(|a| turning * (a - values[0])).collect();
                track.angle = if turned.iter().all(|a| a.abs() < 1e-4) { Vec::new() } else { turned };
            }
            (DraftFollows::Plane(name), _) => {
                on_page(sights.iter().map(|s| s.places.get(name).copied()).collect(), &mut track);
            }
            (DraftFollows::Drum(d, turns), _) => {
                let shape = |k: usize| footage.scene(k).and_then(|s| s.drums.get(*d));
                on_page((0..count).map(|k| shape(k).map(|d| d.centre)).collect(), &mut track);
                if *turns {
                    let angles: Vec<f64> = (0..count).map(|k| shape(k).map_or(0.0, |d| d.angle)).collect();
                    track.angle = if angles.iter().all(|a| a.abs() < 1e-4) { Vec::new() } else { angles };
                }
            }
            (DraftFollows::RopeEnd(rope, is_last), _) => {
                let end = |k: usize| {
                    let curve = footage.scene(k)?.ropes.get(*rope)?;
                    if *is_last { curve.last().copied() } else { curve.first().copied() }
                };
                on_page((0..count).map(end).collect(), &mut track);
            }
            _ => {}
        }
        tracks.push(track);
    }
    let states = draft.contacts.iter().map(|part| states(footage, part)).collect();
    let forces = draft.forces.iter().map(|output| force(footage, output)).collect();
    let ropes = footage.scene(0).map_or(0, |s| s.ropes.len());
    let rope = |r: usize| {
        let at = |k: usize| {
            let points = footage.scene(k).and_then(|s| s.ropes.get(r)).map_or(&[][..], Vec::as_slice);
            // As many points as can be seen.
            let stride = points.len().div_ceil(120).max(1);
            let mut kept: Vec<[f64; 2]> = points.iter().step_by(stride).map(|p| sheet.at(*p)).collect();
            kept.extend(points.last().map(|p| sheet.at(*p)));
            kept
        };
        (0..count).map(at).collect()
    };
    let (from, to) = (footage.times[0], footage.times[count - 1]);
    if footage.is_end {
        words.push(format!(
            "the film shows the time from {} to {} s",
            pretty(&short(from, 4)),
            pretty(&short(to, 4))
        ));
    }
    if draft.contacts.iter().any(|c| !column(footage.data, &format!("{c}.slip_rate")).is_empty()) {
        let rest =
            "a contact whose law knows no rest counts as sticking below a hundredth of its fastest slip";
        let has_modes = |c: &String| footage.resting.contains(c);
        if !draft.contacts.iter().all(has_modes) {
            words.push(rest.to_owned());
        }
    }
    let film = Film {
        tracks,
        states,
        forces,
        ropes: (0..ropes).map(rope).collect(),
        speed: ((to - from) / 8.0).max(1e-9),
        times: footage.times.clone(),
    };
    let mut words = words.join("; ");
    if let Some(first) = words.get(..1).map(str::to_uppercase) {
        words.replace_range(..1, &first);
        words.push('.');
    }
    (film, words)
}

/// How a contact behaves at all instants.
fn states(footage: &Footage, part: &str) -> Vec<ContactState> {
    let rates = column(footage.data, &format!("{part}.slip_rate"));
    let fastest = rates.iter().map(|v| v.abs()).fold(0.0, f64::max);
    let knows_rest = footage.resting.iter().any(|c| c == part);
    let state = |k: usize| {
        let mode = footage.state(&format!("{part}.mode"), k);
        let rate = footage.state(&format!("{part}.slip_rate"), k).unwrap_or(0.0);
        match mode {
            Some(2.0) => ContactState::Open,
            Some(m) if knows_rest => {
                if m == 0.0 {
                    ContactState::Sticks
                } else {
                    ContactState::Slips
                }
            }
            None if rates.is_empty() => ContactState::Sticks,
            _ if rate.abs() > SLOW * fastest => ContactState::Slips,
            _ => ContactState::Sticks,
        }
    };
    (0..footage.count()).map(state).collect()
}

/// A force at all instants, as a part of the largest.
fn force(footage: &Footage, output: &str) -> Vec<f64> {
    let (output, sign) = output.strip_prefix('-').map_or((output, 1.0), |rest| (rest, -1.0));
    let part = output.rsplit_once('.').map_or(output, |(part, _)| part);
    let pushed = footage.pushes.iter().find(|(name, _)| name == part).map(|(_, values)| values.clone());
    let values = pushed.or_else(|| footage.list(output)).unwrap_or_else(|| vec![1.0; footage.count()]);
    let most = values.iter().map(|v| v.abs()).fold(0.0, f64::max);
    values.iter().map(|v| if most > 0.0 { sign * v / most } else { 0.0 }).collect()
}
