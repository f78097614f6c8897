//! Figures of a cable on its drums.

use super::CableModel;
use super::motion::Snapshot;
use super::wrap::{Tensions, Wrap, tensions};
use bristle_cable::CableState;
use bristle_record::animation::{Disc, Frame, FrameLine};
use bristle_record::{Animation, Axis, Circle, Dash, Line, Marker, Plot, PlotGrid, Scatter};

/// Points of a drawn cable, at most.
const POINTS: usize = 400;

/// The cable as a curve: places and slopes of neighbouring nodes joined by cubics.
pub(crate) fn curve(model: &CableModel, state: &CableState) -> Vec<[f64; 2]> {
    let (h, n) = (model.system.cable().element_length(), model.system.cable().elements);
    let parts = (POINTS / n.max(1)).clamp(1, 8);
    let stride = (n / POINTS).max(1);
    let mut points = Vec::new();
    for i in (0..n).step_by(stride) {
        let (a, b) = (state.q[i], state.q[(i + stride).min(n)]);
        let length = h * ((i + stride).min(n) - i) as f64;
        for k in 0..parts {
            let x = k as f64 / parts as f64;
            let shape = [
                1.0 - x * x * (3.0 - 2.0 * x),
                length * x * (1.0 - x) * (1.0 - x),
                x * x * (3.0 - 2.0 * x),
                length * x * x * (x - 1.0),
            ];
            points.push(std::array::from_fn(|c| {
                shape[0] * a[c] + shape[1] * a[2 + c] + shape[2] * b[c] + shape[3] * b[2 + c]
            }));
        }
    }
    points.push([state.q[n][0], state.q[n][1]]);
    points
}

/// A spoke of a drum; positive angles are clockwise.
fn spoke(model: &CableModel, state: &CableState, drum: usize) -> [[f64; 2]; 2] {
    let body = &model.system.cable().drums[drum];
    let (sin, cos) = state.spin[drum][0].sin_cos();
    let rim = [body.centre[0] + body.radius * sin, body.centre[1] + body.radius * cos];
    [body.centre, rim]
}

/// Discs for the masses at the ends.
fn masses(model: &CableModel, state: &CableState) -> Vec<([f64; 2], f64)> {
    let cable = model.system.cable();
    let heaviest = cable.ends.iter().map(|e| e.mass).fold(0.0, f64::max);
    let size =
        0.03 * cable.length.min(4.0 * cable.drums.iter().map(|d| d.radius).fold(cable.length, f64::min));
    [(0, 0), (1, cable.elements)]
        .into_iter()
        .filter(|(end, _)| cable.ends[*end].mass > 0.0)
        .map(|(end, node)| {
            let radius = size * (cable.ends[end].mass / heaviest).cbrt();
            ([state.q[node][0], state.q[node][1] - radius], radius)
        })
        .collect()
}

/// The cable moving, to be played in the report.
pub(crate) fn animation(model: &CableModel, id: String, snapshots: &[Snapshot]) -> Animation {
    let frames = snapshots.iter().map(|snapshot| frame(model, &snapshot.state)).collect();
    let duration = snapshots.last().map_or(1.0, |s| s.state.t);
    Animation {
        id,
        caption: "The cable over time; on paper, some instants on top of each other".to_owned(),
        x: Axis::new("$x$", "m"),
        y: Axis::new("$y$", "m"),
        frames,
        speed: (duration / 8.0).max(0.02),
        is_equal_aspect: true,
        ..Animation::default()
    }
}

fn frame(model: &CableModel, state: &CableState) -> Frame {
    let mut lines = Vec::new();
    let mut circles = Vec::new();
    for (i, drum) in model.system.cable().drums.iter().enumerate() {
        circles.push(Disc { centre: drum.centre, radius: drum.radius, colour: "grey".to_owned() });
        lines.push(FrameLine { points: spoke(model, state, i).to_vec(), colour: "grey".to_owned() });
    }
    lines.push(FrameLine { points: curve(model, state), colour: "accent".to_owned() });
    for (centre, radius) in masses(model, state) {
        circles.push(Disc { centre, radius, colour: "ink".to_owned() });
    }
    Frame { time: state.t, lines, circles }
}

/// Some instants side by side.
pub(crate) fn strip(model: &CableModel, id: String, snapshots: &[Snapshot]) -> PlotGrid {
    let last = snapshots.len().saturating_sub(1);
    let count = snapshots.len().min(6);
    let chosen = (0..count).map(|k| k * last / (count - 1).max(1));
    let all: Vec<[f64; 2]> = snapshots.iter().flat_map(|s| curve(model, &s.state)).collect();
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    let rims = model.system.cable().drums.iter().flat_map(|d| {
        [[d.centre[0] - d.radius, d.centre[1] - d.radius], [d.centre[0] + d.radius, d.centre[1] + d.radius]]
    });
    for point in all.into_iter().chain(rims) {
        for c in 0..2 {
            low[c] = low[c].min(point[c]);
            high[c] = high[c].max(point[c]);
        }
    }
    let margin = 0.06 * (high[0] - low[0]).max(high[1] - low[1]).max(1e-6);
    let range = |c: usize| Some([low[c] - margin, high[c] + margin]);
    let wide = high[0] - low[0] > 1.5 * (high[1] - low[1]);
    let plots = chosen.map(|i| {
        let mut plot = shape(model, String::new(), &snapshots[i].state);
        plot.title = format!("$t$ = {:.3} s", snapshots[i].state.t);
        (plot.x.range, plot.y.range) = (range(0), range(1));
        plot.size = if wide { [260.0, 150.0] } else { [170.0, 230.0] };
        plot
    });
    PlotGrid {
        id,
        caption: "Shapes of the cable".to_owned(),
        columns: if wide { 2 } else { 3 },
        plots: plots.collect(),
        ..PlotGrid::default()
    }
}

/// The cable at one instant.
pub(crate) fn shape(model: &CableModel, id: String, state: &CableState) -> Plot {
    let mut plot = Plot::new(id, "", Axis::new("$x$", "m"), Axis::new("$y$", "m"));
    plot.is_equal_aspect = true;
    for (i, drum) in model.system.cable().drums.iter().enumerate() {
        let grey = "grey".to_owned();
        plot.push(Circle {
            centre: drum.centre,
            radius: drum.radius,
            colour: grey.clone(),
            ..Circle::default()
        });
        let (x, y) = spoke(model, state, i).iter().map(|p| (p[0], p[1])).unzip();
        plot.push(Line { colour: grey, ..Line::new("", x, y) });
    }
    let (x, y) = curve(model, state).iter().map(|p| (p[0], p[1])).unzip();
    plot.push(Line { colour: "accent".to_owned(), ..Line::new("", x, y) });
    for (centre, radius) in masses(model, state) {
        plot.push(Circle { centre, radius, colour: "ink".to_owned(), ..Circle::default() });
    }
    plot
}

/// Normal force over the angle on a drum, per angle, at some instants.
pub(crate) fn pressure(model: &CableModel, id: String, drum: usize, at: &[(String, &Wrap)]) -> Plot {
    let body = &model.system.cable().drums[drum];
    let per = body.radius / model.system.cable().element_length();
    let x = Axis::new("angle on the drum, clockwise from the crown", "deg");
    let mut plot = Plot::new(id, "", x, Axis::new("contact force per angle", "N/rad"));
    for (i, (label, wrap)) in at.iter().enumerate() {
        let y: Vec<f64> = wrap.contacts.iter().map(|c| c.normal * per).collect();
        let x = wrap.degrees(body.sense.sign());
        let colour = format!("cycle:{i}");
        plot.push(Line { colour: colour.clone(), ..Line::new(label.clone(), x.clone(), y.clone()) });
        plot.push(Scatter { colour, size: 4.0, marker: Marker::Circle, ..Scatter::new("", x, y) });
    }
    plot.caption = format!("Contact force over the wrap of `{}`", model.drums[drum]);
    plot
}

/// Slip speed over the angle on a drum: who slips first.
pub(crate) fn slips(model: &CableModel, id: String, drum: usize, at: &[(String, &Wrap)]) -> Plot {
    let sense = model.system.cable().drums[drum].sense.sign();
    let x = Axis::new("angle on the drum, clockwise from the crown", "deg");
    let mut plot = Plot::new(id, "", x, Axis::new("slip speed towards the last end", "m/s"));
    for (label, wrap) in at {
        let y = wrap.contacts.iter().map(|c| c.slip).collect();
        plot.push(Line::new(label.clone(), wrap.degrees(sense), y));
    }
    plot.caption = format!("Slip speed over the wrap of `{}`", model.drums[drum]);
    plot
}

/// Tension along the cable, and the exponential friction could hold.
pub(crate) fn tension_plot(model: &CableModel, id: String, at: &[(String, &CableState)]) -> Plot {
    let mut plot = Plot::new(id, "", Axis::new("arc length $s$", "m"), Axis::new("tension", "N"));
    for (i, (label, state)) in at.iter().enumerate() {
        let Tensions { s, tension, limits } = tensions(model, state);
        let colour = format!("cycle:{i}");
        plot.push(Line { colour: colour.clone(), ..Line::new(label.clone(), s, tension) });
        if i + 1 < at.len() {
            continue;
        }
        for (k, (_, x, y)) in limits.into_iter().enumerate() {
            let label = if k == 0 { "$e^{cφ}$ from the weaker side" } else { "" };
            plot.push(Line { colour: colour.clone(), dash: Dash::Dashed, ..Line::new(label, x, y) });
        }
    }
    plot.caption = "Tension along the cable; dashed, the most that friction at rest could make of it at the last instant".to_owned();
    plot
}
