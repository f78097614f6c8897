//! Pictures of cables beside a mechanism: the whole scene over time.

use super::Simulation;
use crate::cable::caution::{DEEP, FEWEST};
use crate::scenario::Scenario;
use bristle_mech::{DrumShape, RopeShape};
use bristle_record::animation::{Disc, Frame, FrameLine};
use bristle_record::{Animation, Axis, Block, Circle, Fact, Line, Plot, PlotGrid, Tone};
use bristle_solve::{Dynamics, Point};

/// So many instants are drawn, at most.
const FRAMES: usize = 121;

/// Points between two nodes.
const BETWEEN: usize = 4;

/// One instant: what is drawn.
struct RopeScene {
    time: f64,
    ropes: Vec<RopeShape>,
    drums: Vec<DrumShape>,
    /// Places of the bodies.
    bodies: Vec<[f64; 2]>,
}

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
    let mut facts = Vec::new();
    for touch in &deepest {
        if touch.is_laid_over && touch.nodes < FEWEST {
            let label = format!("nodes on the arc of drum `{}`", touch.drum);
            let words = format!("{} at the start, fewer than {FEWEST}", touch.nodes);
            let mut fact = Fact::verdict(label, words, Tone::Warn);
            fact.note =
                "contact is felt at the nodes: wrap and friction jump from one to the next; take more \
                         `elements`"
                    .to_owned();
            facts.push(fact);
        }
    }
    let stride = samples.t.len().div_ceil(FRAMES);
    for i in (0..samples.t.len()).step_by(stride) {
        for (most, now) in deepest.iter_mut().zip(at(i)) {
            most.depth = most.depth.max(now.depth);
        }
    }
    for touch in deepest.iter().filter(|t| t.depth > DEEP) {
        let words = format!("sinks in by {:.1} % of the radius", 100.0 * touch.depth);
        let mut fact = Fact::verdict(format!("cable in drum `{}`", touch.drum), words, Tone::Warn);
        fact.note = format!(
            "beyond {:.0} % wrap and lengths are those of a smaller drum; raise its `stiffness`, or take more `elements`",
            100.0 * DEEP
        );
        facts.push(fact);
    }
    facts
}

/// The scene as it moves, and some instants side by side.
pub(super) fn figures(scenario: &Scenario, study: &str, run: &Simulation) -> Vec<Block> {
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
        RopeScene { time: samples.t[i], ropes, drums, bodies: system.body_places(&at) }
    };
    let scenes: Vec<RopeScene> = (0..count).map(scene).collect();
    let size = 0.02 * extent(&scenes);
    let animation = Animation {
        id: format!("{study}_scene"),
        caption: "The cables, drums and bodies over time; on paper, some instants on top of each other"
            .to_owned(),
        x: Axis::new("$x$", "m"),
        y: Axis::new("$y$", "m"),
        frames: scenes.iter().map(|s| frame(s, size)).collect(),
        speed: (samples.t[last] / 8.0).max(0.02),
        is_equal_aspect: true,
        ..Animation::default()
    };
    vec![animation.into(), strip(study, &scenes, size).into()]
}

/// The larger side of all that is drawn.
fn extent(scenes: &[RopeScene]) -> f64 {
    let (low, high) = bounds(scenes);
    (high[0] - low[0]).max(high[1] - low[1]).max(1e-6)
}

fn bounds(scenes: &[RopeScene]) -> ([f64; 2], [f64; 2]) {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for scene in scenes {
        let nodes = scene.ropes.iter().flat_map(|r| r.nodes.iter().map(|n| [n[0], n[1]]));
        let rims = scene
            .drums
            .iter()
            .flat_map(|d| [-1.0, 1.0].map(|s| [d.centre[0] + s * d.radius, d.centre[1] + s * d.radius]));
        for point in nodes.chain(rims).chain(scene.bodies.iter().copied()) {
            for c in 0..2 {
                low[c] = low[c].min(point[c]);
                high[c] = high[c].max(point[c]);
            }
        }
    }
    (low, high)
}

/// A rope as a curve: places and slopes of neighbouring nodes joined by cubics.
fn curve(rope: &RopeShape) -> Vec<[f64; 2]> {
    let mut points = Vec::new();
    for pair in rope.nodes.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        for k in 0..BETWEEN {
            let x = k as f64 / BETWEEN as f64;
            let rise = x * x * (3.0 - 2.0 * x);
            let shape =
                [1.0 - rise, rope.length * x * (1.0 - x) * (1.0 - x), rise, rope.length * x * x * (x - 1.0)];
            points.push(std::array::from_fn(|c| {
                shape[0] * a[c] + shape[1] * a[2 + c] + shape[2] * b[c] + shape[3] * b[2 + c]
            }));
        }
    }
    points.extend(rope.nodes.last().map(|n| [n[0], n[1]]));
    points
}

/// A spoke of a drum; positive angles are clockwise.
fn spoke(drum: &DrumShape) -> [[f64; 2]; 2] {
    let (sin, cos) = drum.angle.sin_cos();
    [drum.centre, [drum.centre[0] + drum.radius * sin, drum.centre[1] + drum.radius * cos]]
}

fn frame(scene: &RopeScene, size: f64) -> Frame {
    let (mut lines, mut circles) = (Vec::new(), Vec::new());
    for drum in &scene.drums {
        circles.push(Disc { centre: drum.centre, radius: drum.radius, colour: "grey".to_owned() });
        lines.push(FrameLine { points: spoke(drum).to_vec(), colour: "grey".to_owned() });
    }
    for (i, rope) in scene.ropes.iter().enumerate() {
        lines.push(FrameLine { points: curve(rope), colour: colour(i) });
    }
    for place in loads(scene) {
        circles.push(Disc { centre: place, radius: size, colour: "ink".to_owned() });
    }
    Frame { time: scene.time, lines, circles }
}

/// Bodies, and masses that hang on ends.
fn loads(scene: &RopeScene) -> impl Iterator<Item = [f64; 2]> {
    let hanging = scene.ropes.iter().flat_map(|r| r.loads.iter().copied());
    scene.bodies.iter().copied().chain(hanging)
}

fn colour(rope: usize) -> String {
    if rope == 0 { "accent".to_owned() } else { format!("cycle:{rope}") }
}

/// Some instants side by side.
fn strip(study: &str, scenes: &[RopeScene], size: f64) -> PlotGrid {
    let (low, high) = bounds(scenes);
    let margin = 0.06 * extent(scenes);
    let range = |c: usize| Some([low[c] - margin, high[c] + margin]);
    let wide = high[0] - low[0] > 1.5 * (high[1] - low[1]);
    let count = scenes.len().min(6);
    let plots = (0..count).map(|k| {
        let scene = &scenes[k * (scenes.len() - 1) / (count - 1).max(1)];
        let mut plot = Plot::new(String::new(), "", Axis::new("$x$", "m"), Axis::new("$y$", "m"));
        plot.is_equal_aspect = true;
        plot.title = format!("$t$ = {:.3} s", scene.time);
        (plot.x.range, plot.y.range) = (range(0), range(1));
        plot.size = if wide { [260.0, 150.0] } else { [170.0, 230.0] };
        for drum in &scene.drums {
            let grey = "grey".to_owned();
            let circle = Circle {
                centre: drum.centre,
                radius: drum.radius,
                colour: grey.clone(),
                ..Circle::default()
            };
            plot.push(circle);
            let (x, y) = spoke(drum).iter().map(|p| (p[0], p[1])).unzip();
            plot.push(Line { colour: grey, ..Line::new("", x, y) });
        }
        for (i, rope) in scene.ropes.iter().enumerate() {
            let (x, y) = curve(rope).iter().map(|p| (p[0], p[1])).unzip();
            plot.push(Line { colour: colour(i), ..Line::new("", x, y) });
        }
        for centre in loads(scene) {
            plot.push(Circle { centre, radius: size, colour: "ink".to_owned(), ..Circle::default() });
        }
        plot
    });
    PlotGrid {
        id: format!("{study}_shapes"),
        caption: "The scene at some instants".to_owned(),
        columns: if wide { 2 } else { 3 },
        plots: plots.collect(),
        ..PlotGrid::default()
    }
}
