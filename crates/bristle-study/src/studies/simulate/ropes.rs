//! Pictures of cables beside a mechanism, and what is wrong with how they lie.

use super::Simulation;
use crate::cable::warnings::{FEWEST, coarse_fact, sunk_fact};
use crate::scenario::Scenario;
use crate::scene::{self, FRAMES, Scene, curve};
use bristle_record::{Block, Fact};
use bristle_solve::{Dynamics, Point};

/// Said of drums that are too soft for their cables, and of arcs with few nodes.
pub(super) fn facts(scenario: &Scenario, run: &Simulation) -> Vec<Fact> {
    let system = &scenario.system;
    let samples = &run.trajectory.samples;
    if !system.has_ropes() || samples.t.is_empty() {
        return Vec::new();
    }
    let at = |i: usize| {
        let p = system.params();
        system.rope_contact(&Point { t: samples.seen[i], x: samples.row(i), p, mode: samples.modes(i) })
    };
    let mut deepest = at(0);
    let few = deepest.iter().filter(|touch| touch.is_laid_over && touch.nodes < FEWEST);
    let mut facts: Vec<Fact> =
        few.map(|touch| coarse_fact(&touch.drum, touch.nodes, "at the start", "more")).collect();
    let stride = samples.t.len().div_ceil(FRAMES);
    for i in (0..samples.t.len()).step_by(stride) {
        for (most, now) in deepest.iter_mut().zip(at(i)) {
            most.depth = most.depth.max(now.depth);
        }
    }
    facts.extend(deepest.iter().filter_map(|touch| sunk_fact(&touch.drum, touch.depth)));
    facts
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
