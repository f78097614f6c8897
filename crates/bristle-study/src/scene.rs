//! Ropes, drums and loads as they move: to be played, side by side, or at one instant.

use bristle_cable::CableNode;
use bristle_mech::DrumShape;
use bristle_record::animation::{Disc, Frame, FrameLine};
use bristle_record::{Animation, Axis, Circle, Line, Plot, PlotGrid};

/// So many instants are drawn, at most.
pub const FRAMES: usize = 121;

/// Points of a drawn rope, at most.
const POINTS: usize = 400;

/// One instant.
pub struct Scene {
    /// When, s.
    pub time: f64,
    /// Ropes as curves.
    pub ropes: Vec<Vec<[f64; 2]>>,
    /// Drums as circles.
    pub drums: Vec<DrumShape>,
    /// Bodies and masses on ends: where they are and how large they are drawn.
    pub loads: Vec<([f64; 2], f64)>,
}

/// A rope as a curve: places and slopes of neighbouring nodes joined by cubics; `h` is the length of an element.
pub fn curve(nodes: &[CableNode], h: f64) -> Vec<[f64; 2]> {
    let n = nodes.len().saturating_sub(1);
    let parts = (POINTS / n.max(1)).clamp(1, 8);
    let stride = (n / POINTS).max(1);
    let mut points = Vec::new();
    for i in (0..n).step_by(stride) {
        let (a, b) = (nodes[i], nodes[(i + stride).min(n)]);
        let length = h * ((i + stride).min(n) - i) as f64;
        for k in 0..parts {
            let x = k as f64 / parts as f64;
            let rise = x * x * (3.0 - 2.0 * x);
            let shape = [1.0 - rise, length * x * (1.0 - x) * (1.0 - x), rise, length * x * x * (x - 1.0)];
            points.push(std::array::from_fn(|c| {
                shape[0] * a[c] + shape[1] * a[2 + c] + shape[2] * b[c] + shape[3] * b[2 + c]
            }));
        }
    }
    points.extend(nodes.last().map(|q| [q[0], q[1]]));
    points
}

/// A spoke of a drum; positive angles are clockwise.
fn spoke(drum: &DrumShape) -> [[f64; 2]; 2] {
    let (sin, cos) = drum.angle.sin_cos();
    [drum.centre, [drum.centre[0] + drum.radius * sin, drum.centre[1] + drum.radius * cos]]
}

fn colour(rope: usize) -> String {
    if rope == 0 { "accent".to_owned() } else { format!("cycle:{rope}") }
}

impl Scene {
    /// All lines and discs with their colours.
    fn drawn(&self) -> (Vec<FrameLine>, Vec<Disc>) {
        let (mut lines, mut circles) = (Vec::new(), Vec::new());
        for drum in &self.drums {
            circles.push(Disc { centre: drum.centre, radius: drum.radius, colour: "grey".to_owned() });
            lines.push(FrameLine { points: spoke(drum).to_vec(), colour: "grey".to_owned() });
        }
        let ropes = self.ropes.iter().enumerate();
        lines.extend(ropes.map(|(i, rope)| FrameLine { points: rope.clone(), colour: colour(i) }));
        let load = |&(centre, radius): &_| Disc { centre, radius, colour: "ink".to_owned() };
        circles.extend(self.loads.iter().map(load));
        (lines, circles)
    }

    /// As a picture.
    pub fn plot(&self, id: String) -> Plot {
        let mut plot = Plot::new(id, "", Axis::new("$x$", "m"), Axis::new("$y$", "m"));
        plot.is_equal_aspect = true;
        let (lines, circles) = self.drawn();
        for Disc { centre, radius, colour } in circles {
            plot.push(Circle { centre, radius, colour, ..Circle::default() });
        }
        for FrameLine { points, colour } in lines {
            let (x, y) = points.iter().map(|p| (p[0], p[1])).unzip();
            plot.push(Line { colour, ..Line::new("", x, y) });
        }
        plot
    }
}

/// The corners of all that is drawn.
fn bounds(scenes: &[Scene]) -> ([f64; 2], [f64; 2]) {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for scene in scenes {
        let rim = |d: &DrumShape| [-1.0, 1.0].map(|s| d.centre.map(|c| c + s * d.radius));
        let loads = scene.loads.iter().map(|load| load.0);
        let ropes = scene.ropes.iter().flatten().copied();
        for point in ropes.chain(scene.drums.iter().flat_map(rim)).chain(loads) {
            for c in 0..2 {
                low[c] = low[c].min(point[c]);
                high[c] = high[c].max(point[c]);
            }
        }
    }
    (low, high)
}

/// The larger side of all that is drawn.
pub fn extent(scenes: &[Scene]) -> f64 {
    let (low, high) = bounds(scenes);
    (high[0] - low[0]).max(high[1] - low[1]).max(1e-6)
}

/// The scene as it moves.
pub fn animation(id: String, scenes: &[Scene]) -> Animation {
    let frame = |scene: &Scene| {
        let (lines, circles) = scene.drawn();
        Frame { time: scene.time, lines, circles }
    };
    let duration = scenes.last().map_or(1.0, |s| s.time);
    Animation {
        id,
        caption: "Cables, drums and loads over time; on paper, some instants on top of each other".to_owned(),
        x: Axis::new("$x$", "m"),
        y: Axis::new("$y$", "m"),
        frames: scenes.iter().map(frame).collect(),
        speed: (duration / 8.0).max(0.02),
        is_equal_aspect: true,
        ..Animation::default()
    }
}

/// Some instants side by side.
pub fn strip(id: String, scenes: &[Scene]) -> PlotGrid {
    let (low, high) = bounds(scenes);
    let margin = 0.06 * extent(scenes);
    let range = |c: usize| Some([low[c] - margin, high[c] + margin]);
    let wide = high[0] - low[0] > 1.5 * (high[1] - low[1]);
    let count = scenes.len().min(6);
    let plots = (0..count).map(|k| {
        let scene = &scenes[k * (scenes.len() - 1) / (count - 1).max(1)];
        let mut plot = scene.plot(String::new());
        plot.title = format!("$t$ = {:.3} s", scene.time);
        (plot.x.range, plot.y.range) = (range(0), range(1));
        plot.size = if wide { [260.0, 150.0] } else { [170.0, 230.0] };
        plot
    });
    PlotGrid {
        id,
        caption: "Cables, drums and loads at some instants".to_owned(),
        columns: if wide { 2 } else { 3 },
        plots: plots.collect(),
        ..PlotGrid::default()
    }
}
