//! Pictures of mechanisms, laid out from their parts.
//!
//! What has a place in the plane is drawn where it is, and as large. Bodies on a line and shafts stand in a row below, with what
//! joins them between. Every part brings its [symbol](bristle_mech::Symbol).

mod draft;
mod film;
mod labels;
mod plane;
mod train;

use crate::model::ModelRun;
use crate::scenario::Scenario;
use crate::scene::{Scene, curve};
use bristle_mech::{Spec, Symbol};
use bristle_record::Schematic;
use bristle_record::schematic::{Stroke, SymbolForm, SymbolHold, label_box};
use bristle_solve::{Dynamics, Point, State};
use draft::{Draft, ends, number, symbol};
use plane::{Plane, SchematicSheet, Sight};
use std::collections::HashMap;

/// With more parts than this a picture is a thicket.
const MOST_PARTS: usize = 120;

/// Free space around the drawing.
const MARGIN: f64 = 16.0;

/// The mechanism of a scenario where it starts; nothing if it has too many parts to be seen.
pub fn still(scenario: &Scenario) -> Option<Schematic> {
    let scene = first_scene(scenario);
    let mut state = scenario.system.initial(scenario.system.params());
    scenario.system.start(scenario.system.params(), &mut state);
    let places = places(scenario, &|output| value_at(scenario, &state, output));
    let sights = [Sight { places, scene: scene.as_ref() }];
    let mut draft = Draft::new(&scenario.parts);
    let sheet = draw(scenario, &mut draft, &sights)?;
    Some(finish("mechanism", scenario, draft, sheet, None))
}

/// The same as it moved in a run, with ropes and drums as in the scenes.
pub(crate) fn moving(
    scenario: &Scenario,
    study: &str,
    data: &bristle_record::Data,
    scenes: &[Scene],
) -> Option<Schematic> {
    let footage = film::Footage::new(scenario, data, scenes)?;
    let sight = |k: usize| Sight {
        places: places(scenario, &|output| footage.value(output, k)),
        scene: footage.scene(k),
    };
    let sights: Vec<Sight> = (0..footage.count()).map(sight).collect();
    let mut draft = Draft::new(&scenario.parts);
    draft.has_run = true;
    let sheet = draw(scenario, &mut draft, &sights)?;
    Some(finish(&format!("{study}-mechanism"), scenario, draft, sheet, Some((&footage, &sights))))
}

/// The same as it moved in a run of a study of that name.
pub fn of_run(scenario: &Scenario, study: &str, run: &dyn ModelRun) -> Option<Schematic> {
    moving(scenario, study, run.data(), &run.scenes(scenario))
}

/// All of it, from the plane down to the shafts.
fn draw<'a>(scenario: &'a Scenario, draft: &mut Draft<'a>, sights: &[Sight]) -> Option<SchematicSheet> {
    let parts = &scenario.parts;
    if parts.len() > MOST_PARTS {
        return None;
    }
    let plane = Plane::new(parts);
    let (mut holds, sheet, low) = if plane.is_empty() {
        (HashMap::new(), SchematicSheet { scale: 1.0, corner: [0.0; 2] }, 0.0)
    } else {
        plane.draw(draft, sights)
    };
    // Stacks grow upwards, so that their height decides where their feet are.
    let mut trial = Draft::new(parts);
    train::draw(&mut trial, &|part| plane.holds(part), 0.0);
    let still = bristle_record::schematic::Film::default();
    let high = trial.strokes.iter().flat_map(|s| s.outline(&still, 0)).map(|p| p[1]).fold(0.0, f64::min);
    let foot = if plane.is_empty() { 0.0 } else { low - high + 44.0 };
    let row = train::draw(draft, &|part| plane.holds(part), foot);
    holds.extend(row);
    // What joins one to the other.
    for (name, spec) in parts.iter().filter(|(_, s)| joins_worlds(s)) {
        for rotor in spec.named("rotor").iter().chain(spec.named("on")) {
            if plane.holds(rotor) || !plane.holds(name) {
                continue;
            }
            if let (Some(from), Some(to)) = (holds.get(name.as_str()), holds.get(rotor.as_str())) {
                // Shafts are drawn apart from what they turn.
                let to = to.moved(0.0, -if to.frame == 0 { 26.0 } else { 20.0 });
                draft.strokes.insert(0, Stroke::line(name, [*from, to]).dashed(5.0).wide(1.2));
            }
        }
    }
    labels::place_all(draft);
    Some(sheet)
}

/// Whether it may name a body that is drawn elsewhere.
fn joins_worlds(spec: &Spec) -> bool {
    matches!(symbol(spec), Some(Symbol::Drum | Symbol::CableEnd)) && !ends(spec).is_empty()
}

/// Where the bodies are, by their outputs or as written.
fn places(scenario: &Scenario, value: &dyn Fn(&str) -> Option<f64>) -> HashMap<String, [f64; 2]> {
    let is_body = |s: &Spec| symbol(s).is_some_and(Symbol::is_body);
    let place = |(name, spec): &(String, Spec)| {
        let of = |quantities: [&str; 2]| {
            let known = quantities.iter().find_map(|q| value(&format!("{name}.{q}")));
            known.or_else(|| quantities.iter().find_map(|q| number(spec, q))).unwrap_or(0.0)
        };
        (name.clone(), [of(["x", "q"]), of(["y", "y"])])
    };
    scenario.parts.iter().filter(|(_, s)| is_body(s)).map(place).collect()
}

/// An output of a mechanism in a state.
fn value_at(scenario: &Scenario, state: &State, output: &str) -> Option<f64> {
    let system = &scenario.system;
    let place = system.channels().iter().position(|c| c.name == output)?;
    let at = Point { t: state.t, x: &state.x, p: system.params(), mode: &state.mode };
    system.observe(&at).get(place).copied()
}

/// Ropes and drums where they start.
fn first_scene(scenario: &Scenario) -> Option<Scene> {
    let system = &scenario.system;
    if !system.has_ropes() {
        return None;
    }
    let mut state = system.initial(system.params());
    system.start(system.params(), &mut state);
    let at = Point { t: state.t, x: &state.x, p: system.params(), mode: &state.mode };
    let (ropes, drums) = system.shapes(&at);
    let ropes = ropes.iter().map(|rope| curve(&rope.nodes, rope.length)).collect();
    Some(Scene { time: 0.0, ropes, drums, loads: Vec::new() })
}

/// The picture on its page, with its film.
fn finish(
    id: &str,
    scenario: &Scenario,
    draft: Draft,
    sheet: SchematicSheet,
    footage: Option<(&film::Footage, &[Sight])>,
) -> Schematic {
    let (film, words) = match footage {
        Some((footage, sights)) => film::shoot(&draft, footage, sights, &sheet),
        None => Default::default(),
    };
    let mut schematic = Schematic {
        id: id.to_owned(),
        title: String::new(),
        caption: format!("{}: its parts as they are joined. {words}", scenario.title).trim_end().to_owned(),
        size: [0.0; 2],
        strokes: draft.strokes,
        labels: draft.labels,
        film,
    };
    trim(&mut schematic);
    schematic
}

/// Moves everything to the page's corner.
fn trim(schematic: &mut Schematic) {
    let mut b = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    let mut hold = |[x, y]: [f64; 2]| b = [b[0].min(x), b[1].min(y), b[2].max(x), b[3].max(y)];
    let frames = schematic.film.times.len().max(1);
    for k in (0..frames).step_by((frames / 40).max(1)) {
        for stroke in &schematic.strokes {
            stroke.outline(&schematic.film, k).into_iter().for_each(&mut hold);
        }
    }
    for label in &schematic.labels {
        let [l, t, r, u] = label_box(label);
        hold([l, t]);
        hold([r, u]);
    }
    if !(b[0].is_finite() && b[3].is_finite()) {
        return;
    }
    let [dx, dy] = [MARGIN - b[0], MARGIN - b[1]];
    schematic.size = [b[2] - b[0] + 2.0 * MARGIN, b[3] - b[1] + 2.0 * MARGIN];
    let shift = |p: &mut [f64; 2]| *p = [p[0] + dx, p[1] + dy];
    let shift_hold = |h: &mut SymbolHold| shift(&mut h.at);
    for stroke in &mut schematic.strokes {
        match &mut stroke.form {
            SymbolForm::Line { points, .. } => {
                for place in points {
                    shift_hold(&mut place.hold);
                    place.stretch.iter_mut().for_each(|s| shift_hold(&mut s.to));
                }
            }
            SymbolForm::Disc { centre: place, .. } | SymbolForm::Arrow { tail: place, .. } => {
                shift_hold(&mut place.hold);
                place.stretch.iter_mut().for_each(|s| shift_hold(&mut s.to));
            }
            SymbolForm::Rope { points, .. } => points.iter_mut().for_each(shift),
        }
    }
    for label in &mut schematic.labels {
        shift(&mut label.at);
        label.leader.iter_mut().for_each(shift);
    }
    schematic.film.tracks.iter_mut().for_each(|t| shift(&mut t.pivot));
    schematic.film.ropes.iter_mut().flatten().flatten().for_each(shift);
}

#[cfg(test)]
mod schematic_tests {
    use super::*;
    use std::path::{Path, PathBuf};

    fn examples() -> Vec<PathBuf> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let files = std::fs::read_dir(root).unwrap().flatten().map(|e| e.path());
        let mut all: Vec<PathBuf> = files.filter(|p| p.extension().is_some_and(|e| e == "toml")).collect();
        all.sort();
        all
    }

    fn overlaps(a: [f64; 4], b: [f64; 4]) -> bool {
        a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
    }

    #[test]
    fn every_part_of_every_example_is_drawn_and_no_name_covers_another() {
        let mut wrong = Vec::new();
        for path in examples() {
            let scenario = Scenario::from_file(&path).unwrap();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let picture = still(&scenario).unwrap();
            for (part, _) in &scenario.parts {
                let strokes = picture.strokes.iter().filter(|s| s.part == *part).count();
                let names = picture.labels.iter().filter(|l| l.part == *part).count();
                if strokes == 0 || names != 1 {
                    wrong.push(format!("{name}: `{part}` has {strokes} strokes and {names} names"));
                }
            }
            let boxes: Vec<[f64; 4]> = picture.labels.iter().map(label_box).collect();
            for (i, a) in boxes.iter().enumerate() {
                for (j, b) in boxes.iter().enumerate().skip(i + 1) {
                    if overlaps(*a, *b) {
                        let (a, b) = (&picture.labels[i].part, &picture.labels[j].part);
                        wrong.push(format!("{name}: `{a}` and `{b}` cover each other"));
                    }
                }
                let [w, h] = picture.size;
                if a[0] < 0.0 || a[1] < 0.0 || a[2] > w || a[3] > h {
                    wrong.push(format!("{name}: `{}` leaves the page", picture.labels[i].part));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn a_run_moves_the_block_and_colours_its_contact() {
        use bristle_record::schematic::ContactState;
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/belt.toml");
        let scenario = Scenario::from_file(&path).unwrap();
        let study = scenario.first_simulation().unwrap();
        let mut data = bristle_record::Data::default();
        let t: Vec<f64> = (0..=100).map(|k| f64::from(k) * 0.1).collect();
        data.push("time", "s", t.clone());
        data.push("block.q", "m", t.iter().map(|t| t.sin()).collect());
        data.push("pad.mode", "1", t.iter().map(|t| if *t < 5.0 { 0.0 } else { -1.0 }).collect());
        let picture = moving(&scenario, &study.name, &data, &[]).unwrap();
        let film = &picture.film;
        let reach = film.tracks.iter().flat_map(|t| &t.x).fold(0.0_f64, |m, x| m.max(x.abs()));
        assert!((reach - 34.0).abs() < 0.1, "{reach} px");
        let states = &film.states[0];
        assert_eq!((states[10], states[230]), (ContactState::Sticks, ContactState::Slips));
        assert!(picture.strokes.iter().any(|s| s.part == "block" && s.is_moving(film)));
    }
}
