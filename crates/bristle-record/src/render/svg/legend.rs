//! The legend: what stands in it, how large it is, and where it hides no data.

use std::fmt::Write;

use super::marks;
use super::text::{SMALL, Style, label, number, width};
use super::thin::PagePoint;
use super::view::PanelView;
use crate::layer::{ColourScale, Dash, Layer, Marker};
use crate::markup::escape;
use crate::palette::resolve;
use crate::plot::Plot;

/// The little picture before a legend entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    /// A piece of line.
    Line(String, Dash, f64),
    /// A marker, filled or hollow.
    Mark(String, Marker, bool),
    /// A coloured patch with an opacity.
    Patch(String, f64),
}

/// One legend entry, for all layers with the same label.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendEntry {
    /// The words.
    pub label: String,
    /// The pictures, drawn on top of each other.
    pub keys: Vec<Key>,
    /// The layers it stands for.
    pub layers: Vec<usize>,
}

const ROW: f64 = 18.0;
const SAMPLE: f64 = 26.0;
const PAD: f64 = 7.0;

/// The entries of a plot; `colours` are those of its layers.
pub fn entries(plot: &Plot, colours: &[String]) -> Vec<LegendEntry> {
    let mut out: Vec<LegendEntry> = Vec::new();
    for (i, layer) in plot.layers.iter().enumerate() {
        let colour = colours[i].clone();
        let key = match layer {
            Layer::Line(l) => Key::Line(colour, l.dash, l.width),
            Layer::Scatter(s) => Key::Mark(colour, s.marker, s.is_hollow),
            Layer::Band(b) => Key::Patch(colour, b.opacity),
            Layer::Circle(c) => Key::Line(colour, c.dash, 1.2),
            Layer::HeatMap(h) => {
                if let ColourScale::Categorical { categories } = &h.scale {
                    for (k, c) in categories.iter().enumerate() {
                        let key = Key::Patch(category_colour(&c.colour, k), 1.0);
                        out.push(LegendEntry { label: c.name.clone(), keys: vec![key], layers: Vec::new() });
                    }
                }
                continue;
            }
            _ => continue,
        };
        if layer.label().is_empty() {
            continue;
        }
        match out.iter_mut().find(|e| e.label == layer.label()) {
            Some(entry) => {
                if !entry.keys.contains(&key) {
                    entry.keys.push(key);
                }
                entry.layers.push(i);
            }
            None => out.push(LegendEntry { label: layer.label().into(), keys: vec![key], layers: vec![i] }),
        }
    }
    out
}

/// The colour of a class of a categorical map.
pub fn category_colour(key: &str, index: usize) -> String {
    if key.is_empty() { crate::palette::cycle(index).into() } else { resolve(key) }
}

/// Width and height of a legend in one column.
pub fn size(entries: &[LegendEntry]) -> (f64, f64) {
    let widest = entries.iter().map(|e| width(&e.label, SMALL, false)).fold(0.0, f64::max);
    // Other fonts are up to a tenth wider than the one measured.
    (2.0 * PAD + SAMPLE + 7.0 + 1.08 * widest, 2.0 * PAD - 2.0 + ROW * entries.len() as f64)
}

/// The corner (upper left point of the legend) where it covers nothing, if there is one.
pub fn corner(size: (f64, f64), view: &PanelView, obstacles: &[PagePoint]) -> Option<PagePoint> {
    let (w, h) = size;
    if w > 0.6 * view.width || h > 0.7 * view.height {
        return None;
    }
    let gap = 8.0;
    let (left, right) = (view.left + gap, view.right() - w - gap);
    let (top, bottom) = (view.top + gap, view.bottom() - h - gap);
    let (middle, centre) = (0.5 * (left + right), 0.5 * (top + bottom));
    let places = [
        (right, top),
        (left, top),
        (right, bottom),
        (left, bottom),
        (middle, top),
        (middle, bottom),
        (right, centre),
        (left, centre),
    ];
    places.into_iter().find(|&p| crowd((p.0, p.1, w, h), obstacles) == 0)
}

/// How many obstacles lie in a rectangle `(left, top, width, height)`, with a little room around it.
pub fn crowd(rect: (f64, f64, f64, f64), obstacles: &[PagePoint]) -> usize {
    let (x, y, w, h) = rect;
    obstacles
        .iter()
        .filter(|p| p.0 > x - 4.0 && p.0 < x + w + 4.0 && p.1 > y - 4.0 && p.1 < y + h + 4.0)
        .count()
}

/// Draws the legend in one column; `is_framed` gives it a white ground.
pub fn draw(entries: &[LegendEntry], at: PagePoint, is_framed: bool) -> String {
    let (w, h) = size(entries);
    let mut out = String::from("<g class=\"bp-legend\">\n");
    if is_framed {
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\" fill=\"#ffffff\" fill-opacity=\"0.9\" stroke=\"#cccccc\" stroke-width=\"0.6\"/>",
            number(at.0),
            number(at.1),
            number(w),
            number(h)
        );
    }
    for (k, entry) in entries.iter().enumerate() {
        out += &row(entry, at.0 + PAD, at.1 + PAD - 1.0 + ROW * (k as f64 + 0.5));
    }
    out + "</g>\n"
}

/// Distance between entries in a line.
const GAP: f64 = 22.0;

fn step(entry: &LegendEntry) -> f64 {
    SAMPLE + 7.0 + 1.08 * width(&entry.label, SMALL, false) + GAP
}

/// The width of all entries side by side.
pub fn line_width(entries: &[LegendEntry]) -> f64 {
    entries.iter().map(step).sum::<f64>() - GAP
}

/// Lays entries out in centred lines of at most `width`; returns the drawing and its height.
pub fn draw_lines(entries: &[LegendEntry], left: f64, top: f64, across: f64) -> (String, f64) {
    let mut lines: Vec<Vec<&LegendEntry>> = vec![Vec::new()];
    let mut used = 0.0;
    for e in entries {
        if used + step(e) - GAP > across && used > 0.0 {
            lines.push(Vec::new());
            used = 0.0;
        }
        used += step(e);
        if let Some(line) = lines.last_mut() {
            line.push(e);
        }
    }
    let mut out = String::from("<g class=\"bp-legend\">\n");
    for (k, line) in lines.iter().enumerate() {
        let total: f64 = line.iter().map(|e| step(e)).sum::<f64>() - GAP;
        let mut x = left + 0.5 * (across - total).max(0.0);
        for e in line {
            out += &row(e, x, top + ROW * (k as f64 + 0.5));
            x += step(e);
        }
    }
    (out + "</g>\n", ROW * lines.len() as f64)
}

fn row(entry: &LegendEntry, x: f64, y: f64) -> String {
    let layers: Vec<String> = entry.layers.iter().map(usize::to_string).collect();
    let mut out = format!(
        "<g class=\"bp-key\" data-layers=\"{}\" data-label=\"{}\">",
        layers.join(" "),
        escape(&crate::markup::plain(&entry.label))
    );
    for key in &entry.keys {
        out += &match key {
            Key::Line(colour, dash, w) => format!(
                "<path d=\"M{},{}h{}\" stroke=\"{colour}\" stroke-width=\"{}\"{} fill=\"none\"/>",
                number(x),
                number(y),
                number(SAMPLE),
                number(*w),
                marks::dash(*dash)
            ),
            Key::Mark(colour, marker, is_hollow) => {
                let size = if *marker == Marker::Dot { 4.0 } else { 7.0 };
                marks::path(&[(x + 0.5 * SAMPLE, y)], *marker, *is_hollow, size, colour)
            }
            Key::Patch(colour, opacity) => format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"11\" fill=\"{colour}\" fill-opacity=\"{opacity}\" stroke=\"#888888\" stroke-width=\"0.4\"/>",
                number(x + 3.0),
                number(y - 5.5),
                number(SAMPLE - 6.0)
            ),
        };
    }
    out += &label(x + SAMPLE + 7.0, y + 4.2, &entry.label, Style { anchor: "start", ..Style::default() });
    out + "</g>\n"
}
