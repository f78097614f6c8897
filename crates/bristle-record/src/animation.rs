//! Shapes over time, such as a cable swinging or a slip wave travelling.

use serde::{Deserialize, Serialize};

use crate::number::nullable;
use crate::plot::{Axis, Circle, Line, Plot};

/// Frames of lines and circles, played in the report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Animation {
    /// Identifier, unique within the record; the file name in `figures/` is made from it.
    pub id: String,
    /// Title. Inline markup is allowed.
    pub title: String,
    /// What is seen; may be empty.
    pub caption: String,
    /// Horizontal axis; only label and unit are used.
    pub x: Axis,
    /// Vertical axis; only label and unit are used.
    pub y: Axis,
    /// The frames, in order of time.
    pub frames: Vec<Frame>,
    /// How many times faster than real time the frames are played by default.
    pub speed: f64,
    /// Whether a metre is as long upwards as sideways.
    pub is_equal_aspect: bool,
}

/// One instant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Time in seconds.
    #[serde(with = "nullable")]
    pub time: f64,
    /// Lines, such as cables.
    pub lines: Vec<FrameLine>,
    /// Circles, such as pulleys and loads.
    pub circles: Vec<Disc>,
}

/// A line through points.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FrameLine {
    /// The points.
    pub points: Vec<[f64; 2]>,
    /// Colour key, see [`crate::palette::resolve`].
    pub colour: String,
}

/// A circle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Disc {
    /// Its centre.
    pub centre: [f64; 2],
    /// Its radius.
    pub radius: f64,
    /// Colour key, see [`crate::palette::resolve`].
    pub colour: String,
}

impl Animation {
    /// A still figure: about eight frames on top of each other, the last in full colour.
    pub fn still(&self) -> Plot {
        let mut plot = Plot {
            id: self.id.clone(),
            title: self.title.clone(),
            caption: self.caption.clone(),
            x: self.x.clone(),
            y: self.y.clone(),
            is_equal_aspect: self.is_equal_aspect,
            ..Plot::default()
        };
        let last = self.frames.len().saturating_sub(1);
        let stride = last.div_ceil(8).max(1);
        // Counted from the end, so that the last frame is always among them.
        let chosen: Vec<usize> = (0..=last).rev().step_by(stride).collect();
        for (age, frame) in
            chosen.iter().enumerate().rev().filter_map(|(a, &i)| Some((a, self.frames.get(i)?)))
        {
            let opacity = if age == 0 { 1.0 } else { 0.45 - 0.3 * age as f64 / chosen.len() as f64 };
            for disc in &frame.circles {
                let colour = if disc.colour.is_empty() { "ink" } else { &disc.colour };
                let circle = Circle {
                    centre: disc.centre,
                    radius: disc.radius,
                    colour: colour.into(),
                    opacity,
                    ..Circle::default()
                };
                plot.layers.push(circle.into());
            }
            for line in &frame.lines {
                let (x, y) = line.points.iter().map(|p| (p[0], p[1])).unzip();
                let colour = if line.colour.is_empty() { "accent" } else { &line.colour };
                plot.layers.push(Line { x, y, colour: colour.into(), opacity, ..Line::default() }.into());
            }
        }
        plot
    }
}
