//! How drums hold cables beside a mechanism, what is wrong with how they lie, and pictures of them.

use super::{Simulation, column};
use crate::cable::friction;
use crate::cable::warnings::{FEWEST, coarse_fact, sunk_fact};
use crate::grip::DrumSlip;
use crate::levels::levels;
use crate::scenario::Scenario;
use crate::scene::{self, FRAMES, Scene, curve};
use bristle_mech::{DrumContact, Spec};
use bristle_record::{Block, Fact, Tone};
use bristle_solve::{Dynamics, Point};

/// How each drum holds its cable, the largest tension, and what is said of drums that are too soft for their cables, and of arcs with
/// few nodes.
pub(super) fn facts(scenario: &Scenario, run: &Simulation) -> Vec<Fact> {
    let system = &scenario.system;
    let samples = &run.trajectory.samples;
    let Some(last) = samples.t.len().checked_sub(1).filter(|_| system.has_ropes()) else {
        return Vec::new();
    };
    let at = |i: usize| {
        let p = system.params();
        system.rope_contact(&Point { t: samples.seen[i], x: samples.row(i), p, mode: samples.modes(i) })
    };
    let rows = (0..last).step_by((last + 1).div_ceil(FRAMES)).chain([last]);
    let (t, seen): (Vec<f64>, Vec<Vec<DrumContact>>) = rows.map(|i| (samples.t[i], at(i))).unzip();
    let most = |name: &str| column(&run.data, name).iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    let drums = &seen[0];
    let ends = system.rope_end_names();
    let speeds = ends.iter().flat_map(|end| ["vx", "vy"].map(|v| most(&format!("{end}.{v}"))));
    let turning = drums.iter().map(|drum| most(&format!("{}.speed", drum.drum)) * drum.radius);
    let fastest = speeds.chain(turning).fold(0.0, f64::max);
    let (mut facts, mut cautions) = (Vec::new(), Vec::new());
    for (d, drum) in drums.iter().enumerate() {
        let history: Vec<&DrumContact> = seen.iter().map(|drums| &drums[d]).collect();
        if drum.is_laid_over {
            facts.push(drum_fact(scenario, &t, &history, fastest));
            if drum.nodes < FEWEST {
                cautions.push(coarse_fact(&drum.drum, drum.nodes, "at the start", "more"));
            }
        }
        cautions.extend(sunk_fact(&drum.drum, history.iter().map(|now| now.depth).fold(0.0, f64::max)));
    }
    let tension = ends.iter().map(|end| most(&format!("{end}.tension"))).fold(0.0, f64::max);
    facts.push(Fact::number("largest tension at an end", tension, "N"));
    facts.extend(cautions);
    facts
}

/// How a drum holds the cable at the end. It slips where every point does: that some arrive slipping, or slip where the pull on
/// them changes, is how ropes run over drums.
fn drum_fact(scenario: &Scenario, t: &[f64], history: &[&DrumContact], fastest: f64) -> Fact {
    let Some(end) = history.last() else { return Fact::verdict("drum", "not seen", Tone::Neutral) };
    let name = &end.drum;
    let label = format!("drum `{name}` at the end");
    if end.nodes == 0 {
        let mut fact = Fact::verdict(label, "the cable has run off it", Tone::Warn);
        fact.note = "shorten the cable, load its ends evenly, or end the run before".to_owned();
        return fact;
    }
    let law: Option<&Spec> =
        scenario.parts.iter().find(|(part, _)| part == name).and_then(|(_, spec)| spec.table("law"));
    let mut fact = match law.map(|law| (law, friction(name, law))) {
        Some((law, Ok(friction))) => {
            let own = || levels(law, 1.0).map(|(kinetic, peak)| kinetic.max(peak));
            let limit = friction.holding_coefficient().or_else(own).unwrap_or(f64::NAN);
            let v: Vec<f64> = history.iter().map(|now| now.slip).collect();
            let (rest, used) = (friction.rest_speed(), end.shares[0] / limit);
            let ends = end.ends.as_ref().map_or(["", ""], |[first, last]| [first.as_str(), last.as_str()]);
            let (words, tone) = DrumSlip { t, v: &v, scale: fastest, rest, used }.grip().words(ends);
            Fact::verdict(label, words, tone)
        }
        _ => Fact::verdict(label, "smooth: nothing holds the cable", Tone::Neutral),
    };
    fact.note = format!("it touches at {} points", end.nodes);
    fact
}

/// The scene as it moves; nothing where there are no cables.
pub(super) fn scenes(scenario: &Scenario, run: &Simulation) -> Vec<Scene> {
    let system = &scenario.system;
    if !system.has_ropes() || run.trajectory.samples.t.is_empty() {
        return Vec::new();
    }
    let samples = &run.trajectory.samples;
    let last = samples.t.len() - 1;
    let count = samples.t.len().min(FRAMES);
    let scene = |k: usize| {
        let i = k * last / (count - 1).max(1);
        let at = Point { t: samples.seen[i], x: samples.row(i), p: system.params(), mode: samples.modes(i) };
        let (ropes, drums) = system.shapes(&at);
        let hanging = ropes.iter().flat_map(|r| r.loads.iter().copied());
        let loads = system.body_places(&at).into_iter().chain(hanging).map(|place| (place, 0.0)).collect();
        let ropes = ropes.iter().map(|rope| curve(&rope.nodes, rope.length)).collect();
        Scene { time: samples.t[i], ropes, drums, loads }
    };
    let mut scenes: Vec<Scene> = (0..count).map(scene).collect();
    let size = 0.02 * scene::extent(&scenes);
    scenes.iter_mut().flat_map(|s| &mut s.loads).for_each(|load| load.1 = size);
    scenes
}

/// The scene as it moves, and some instants side by side.
pub(super) fn figures(study: &str, scenes: &[Scene]) -> Vec<Block> {
    if scenes.is_empty() {
        return Vec::new();
    }
    let animation = scene::animation(format!("{study}-animation"), scenes);
    vec![animation.into(), scene::strip(format!("{study}-shapes"), scenes).into()]
}
