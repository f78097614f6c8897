//! Heat maps and their colour bars.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::legend::category_colour;
use super::text::{NORMAL, SMALL, Style, label, number, width};
use super::ticks::{Ticks, ticks};
use super::view::{Extent, PanelView, edges, value_range};
use crate::layer::{ColourScale, HeatMap, Layer};
use crate::palette::map_colour;
use crate::plot::{Axis, Plot, Scale};

/// Distinguishable steps of a continuous map; equal neighbours are drawn as one rectangle.
const STEPS: f64 = 96.0;
/// Distance between the box and the bar, and width of the bar.
const BAR: (f64, f64) = (14.0, 14.0);

/// The cells, grouped by colour.
pub fn cells(map: &HeatMap, view: &PanelView) -> String {
    let (xe, ye) = (edges(&map.x), edges(&map.y));
    let nx = map.x.len();
    if nx == 0 || map.values.len() < nx * map.y.len() {
        return String::new();
    }
    let extent = bar_extent(map);
    let mut by_colour: BTreeMap<String, String> = BTreeMap::new();
    for j in 0..map.y.len() {
        let row: Vec<Option<String>> =
            map.values[j * nx..(j + 1) * nx].iter().map(|v| colour(map, &extent, *v)).collect();
        let (bottom, top) = (view.py(ye[j]), view.py(ye[j + 1]));
        let mut start = 0;
        while start < nx {
            let end = start + row[start..].iter().take_while(|c| **c == row[start]).count();
            if let Some(colour) = &row[start] {
                let (left, right) = (view.px(xe[start]), view.px(xe[end]));
                let d = by_colour.entry(colour.clone()).or_default();
                let (w, h) = (number(right - left), number(bottom - top));
                let _ = write!(d, "M{},{}h{w}v{h}h-{w}z", number(left), number(top));
            }
            start = end;
        }
    }
    let paths = by_colour.iter().map(|(colour, d)| format!("<path d=\"{d}\" fill=\"{colour}\"/>"));
    format!("<g shape-rendering=\"crispEdges\">{}</g>", paths.collect::<String>())
}

fn colour(map: &HeatMap, extent: &Extent, v: f64) -> Option<String> {
    match &map.scale {
        _ if !v.is_finite() => None,
        ColourScale::Categorical { categories } => {
            let k = v.round();
            let class = (k >= 0.0).then_some(k as usize).filter(|k| *k < categories.len())?;
            Some(category_colour(&categories[class].colour, class))
        }
        ColourScale::Continuous { map, .. } => {
            let s = extent.share(v);
            s.is_finite().then(|| map_colour(*map, (s.clamp(0.0, 1.0) * STEPS).round() / STEPS))
        }
    }
}

fn bar_extent(map: &HeatMap) -> Extent {
    let (asked, is_log) = match map.scale {
        ColourScale::Continuous { range, is_log, .. } => (range, is_log),
        ColourScale::Categorical { .. } => (None, false),
    };
    let range = asked.or_else(|| value_range(map, is_log));
    let scale = if is_log { Scale::Log } else { Scale::Linear };
    Extent::of(&Axis { scale, ..Axis::default() }, range.into_iter().flatten(), 0.0)
}

/// The continuous heat map of a plot, which needs a bar.
fn continuous(plot: &Plot) -> Option<&HeatMap> {
    plot.layers.iter().find_map(|l| match l {
        Layer::HeatMap(h) if matches!(h.scale, ColourScale::Continuous { .. }) => Some(h),
        _ => None,
    })
}

fn bar_ticks(map: &HeatMap, height: f64) -> Ticks {
    ticks(&bar_extent(map), (height / 50.0).round() as usize)
}

/// The room the colour bar of a plot takes to the right of the box; none without a bar.
pub fn bar_width(plot: &Plot, height: f64) -> f64 {
    let Some(map) = continuous(plot) else { return 0.0 };
    let labels = bar_ticks(map, height).major.iter().map(|(_, l)| width(l, SMALL, false)).fold(0.0, f64::max);
    let title = if map.label.is_empty() { 0.0 } else { 20.0 };
    BAR.0 + BAR.1 + 8.0 + labels + title
}

/// Whether a common factor stands above the colour bar.
pub fn has_factor(plot: &Plot, height: f64) -> bool {
    continuous(plot).is_some_and(|map| bar_ticks(map, height).exponent != 0)
}

/// The colour bar of a plot, to the right of the box.
pub fn bar(plot: &Plot, view: &PanelView, id: &str) -> String {
    let Some(map) = continuous(plot) else { return String::new() };
    let ColourScale::Continuous { map: colours, .. } = map.scale else { return String::new() };
    let (left, extent) = (view.right() + BAR.0, bar_extent(map));
    let mut out = format!("<defs><linearGradient id=\"{id}\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">");
    for k in 0..=24 {
        let s = f64::from(k) / 24.0;
        let _ = write!(out, "<stop offset=\"{}\" stop-color=\"{}\"/>", number(s), map_colour(colours, s));
    }
    let _ = writeln!(
        out,
        "</linearGradient></defs><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"url(#{id})\" stroke=\"#333333\" stroke-width=\"0.8\"/>",
        number(left),
        number(view.top),
        number(BAR.1),
        number(view.height)
    );
    let ticks = bar_ticks(map, view.height);
    let right = left + BAR.1;
    let mut widest: f64 = 0.0;
    for (v, text) in &ticks.major {
        let y = view.top + view.height * (1.0 - extent.share(*v));
        let _ = writeln!(
            out,
            "<path d=\"M{},{}h4\" stroke=\"#333333\" stroke-width=\"0.8\"/>",
            number(right),
            number(y)
        );
        out += &label(right + 7.0, y + 4.2, text, Style { anchor: "start", ..Style::default() });
        widest = widest.max(width(text, SMALL, false));
    }
    let factor = ticks.factor();
    if !factor.is_empty() {
        out += &label(left, view.top - 6.0, &factor, Style { anchor: "start", ..Style::default() });
    }
    let title = super::panel::with_unit(&map.label, &map.unit);
    if !title.is_empty() {
        let style = Style { size: NORMAL, is_upright: true, ..Style::default() };
        out += &label(right + 7.0 + widest + 17.0, view.top + 0.5 * view.height, &title, style);
    }
    out
}
