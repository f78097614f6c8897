//! Figures as scalable vector graphics.
//!
//! A [`Plot`] is measured ([`text`](self), ticks), laid out (panel), and its layers drawn (scene). The
//! groups carry `bp-` classes and data attributes, which the script of the report uses and other
//! viewers ignore.

mod heat;
mod legend;
mod marks;
mod panel;
mod scene;
mod schematic;
mod text;
mod thin;
mod ticks;
mod view;

use std::fmt::Write;

use crate::markup::{escape, plain};
use crate::plot::{Legend, Plot, PlotGrid};
use crate::record::Figure;
use panel::{Margins, Panel, PanelFit};
pub use schematic::{film_data, inline as inline_schematic, label_width, moving, still};
use text::{NORMAL, Style, label, number};
pub(crate) use thin::samples;

/// Fonts in order of preference; the first is the one embedded for PNG.
const FONTS: &str = "'Noto Sans', 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";

/// A figure as a complete SVG document.
pub fn figure(figure: Figure<'_>) -> String {
    match figure {
        Figure::Plot(p) => plot(p),
        Figure::Grid(g) => grid(g),
        Figure::Animation(a) => plot(&a.still()),
        Figure::Schematic(s) => still(s),
    }
}

/// A plot as a complete SVG document.
pub fn plot(plot: &Plot) -> String {
    draw(
        std::slice::from_ref(plot),
        &FigureSheet { title: &plot.title, caption: &plot.caption, ..FigureSheet::default() },
        "f",
    )
    .svg
}

/// Several plots as one SVG document.
pub fn grid(grid: &PlotGrid) -> String {
    draw_grid(grid, "f", false).svg
}

/// A drawing for the report, with what its script needs to know.
pub(crate) struct Drawing {
    /// The drawing.
    pub svg: String,
    /// One entry per panel.
    pub panels: Vec<serde_json::Value>,
    /// Its width, px.
    pub width: f64,
}

/// The widest drawing a small screen shows without making words smaller.
const NARROW: f64 = 356.0;

/// The same plots one below the other, for small screens. What can be read off them is that of the drawing with the identifier.
pub(crate) fn narrow(plots: &[Plot], title: &str, caption: &str, id: &str) -> Drawing {
    let mut plots = plots.to_vec();
    let mut box_width: f64 = 270.0;
    loop {
        for plot in &mut plots {
            let [w, h] = plot.size;
            // As high as it was in proportion, within reason.
            plot.size = [
                box_width,
                if plot.is_equal_aspect { box_width } else { (h / w * box_width).clamp(150.0, 215.0) },
            ];
            plot.legend = Legend::None;
        }
        let sheet = FigureSheet {
            title,
            caption,
            columns: 1,
            is_legend_shared: true,
            is_inline: true,
            is_grid: plots.len() > 1,
            ..FigureSheet::default()
        };
        let mut drawing = draw(&plots, &sheet, &format!("n{id}"));
        if drawing.width <= NARROW || box_width < 130.0 {
            for (k, panel) in drawing.panels.iter_mut().enumerate() {
                panel["like"] = format!("{id}-{k}").into();
                panel["series"] = serde_json::Value::Null;
                panel["heat"] = serde_json::Value::Null;
            }
            return drawing;
        }
        box_width -= (drawing.width - NARROW).max(6.0);
    }
}

/// A plot for the report; `id` makes names in the page unique.
pub(crate) fn inline(plot: &Plot, id: &str) -> Drawing {
    let sheet =
        FigureSheet { title: &plot.title, caption: &plot.caption, is_inline: true, ..FigureSheet::default() };
    draw(std::slice::from_ref(plot), &sheet, id)
}

/// Several plots for the report.
pub(crate) fn inline_grid(grid: &PlotGrid, id: &str) -> Drawing {
    draw_grid(grid, id, true)
}

fn draw_grid(grid: &PlotGrid, id: &str, is_inline: bool) -> Drawing {
    let sheet = FigureSheet {
        title: &grid.title,
        caption: &grid.caption,
        columns: grid.columns.max(1),
        is_grid: true,
        is_x_shared: grid.is_x_shared,
        is_legend_shared: grid.is_legend_shared,
        is_inline,
    };
    draw(&grid.plots, &sheet, id)
}

/// What surrounds the panels.
#[derive(Default)]
struct FigureSheet<'a> {
    title: &'a str,
    caption: &'a str,
    columns: usize,
    is_grid: bool,
    is_x_shared: bool,
    is_legend_shared: bool,
    is_inline: bool,
}

fn draw(plots: &[Plot], sheet: &FigureSheet, id: &str) -> Drawing {
    let columns = sheet.columns.max(1);
    let rows = plots.len().div_ceil(columns);
    let mut panels = fitted(plots, sheet, columns);

    // Margins and boxes are equal along rows and columns, so that axes line up.
    let mut across = vec![Margins::default(); columns];
    let mut down = vec![Margins::default(); rows];
    let (mut widths, mut heights) = (vec![0.0f64; columns], vec![0.0f64; rows]);
    for (k, p) in panels.iter().enumerate() {
        let (i, j) = (k / columns, k % columns);
        across[j].left = across[j].left.max(p.margins.left);
        across[j].right = across[j].right.max(p.margins.right);
        down[i].top = down[i].top.max(p.margins.top);
        down[i].bottom = down[i].bottom.max(p.margins.bottom);
        widths[j] = widths[j].max(p.size.0);
        heights[i] = heights[i].max(p.size.1);
    }
    for (k, p) in panels.iter_mut().enumerate() {
        p.margins.left = across[k % columns].left;
        p.margins.top = down[k / columns].top;
    }
    let total = across.iter().zip(&widths).map(|(m, w)| m.left + w + m.right).sum::<f64>().max(80.0);

    let mut body = String::new();
    let mut y = 0.0;
    if sheet.is_grid && !sheet.title.is_empty() {
        let style = Style { size: NORMAL + 1.5, anchor: "start", is_bold: true, ..Style::default() };
        body += &label(14.0, 22.0, sheet.title, style);
        y = 28.0;
    }
    let mut metas = Vec::new();
    for i in 0..rows {
        let mut x = 0.0;
        for j in 0..columns {
            if let Some(p) = panels.get(i * columns + j) {
                let name = format!("{id}-{}", metas.len());
                let (left, top) = (x + across[j].left, y + down[i].top);
                body += &p.draw(left, top, &name);
                let mut meta = meta(p, left, top, &name);
                if sheet.is_x_shared {
                    meta["link"] = format!("{id}/{j}").into();
                    meta["bare"] = ((i + 1) * columns + j < plots.len()).into();
                }
                metas.push(meta);
            }
            x += across[j].left + widths[j] + across[j].right;
        }
        y += down[i].top + heights[i] + down[i].bottom;
    }
    if sheet.is_legend_shared {
        let (drawn, height) = legend::draw_lines(&shared_entries(plots), 10.0, y + 2.0, total - 20.0);
        body += &drawn;
        y += height + 10.0;
    }
    Drawing { svg: document(&body, total, y.max(40.0), sheet), panels: metas, width: total }
}

/// Lays all panels out, with common horizontal extents per column where asked.
fn fitted<'a>(plots: &'a [Plot], sheet: &FigureSheet, columns: usize) -> Vec<Panel<'a>> {
    let fit = |k: usize| PanelFit {
        is_x_bare: sheet.is_x_shared && k + columns < plots.len(),
        is_legend_elsewhere: sheet.is_legend_shared,
        letter: (sheet.is_grid && plots.len() > 1 && k < 26).then_some((b'a' + (k % 26) as u8) as char),
        size: (sheet.is_grid && plots[k].size == Plot::default().size).then_some(if columns > 1 {
            [330.0, 215.0]
        } else {
            [560.0, 170.0]
        }),
        x: None,
    };
    let panels: Vec<Panel> = plots.iter().enumerate().map(|(k, p)| Panel::new(p, fit(k))).collect();
    if !sheet.is_x_shared {
        return panels;
    }
    let shared = |k: usize| {
        let column = panels.iter().skip(k % columns).step_by(columns).map(Panel::x_extent);
        column.reduce(|a, b| view::Extent { lo: a.lo.min(b.lo), hi: a.hi.max(b.hi), scale: a.scale })
    };
    plots.iter().enumerate().map(|(k, p)| Panel::new(p, PanelFit { x: shared(k), ..fit(k) })).collect()
}

/// The legend entries of all plots, each label once.
fn shared_entries(plots: &[Plot]) -> Vec<legend::LegendEntry> {
    let mut out: Vec<legend::LegendEntry> = Vec::new();
    for plot in plots {
        for entry in legend::entries(plot, &scene::colours(plot)) {
            if !out.iter().any(|e| e.label == entry.label) {
                out.push(entry);
            }
        }
    }
    out
}

fn document(body: &str, width: f64, height: f64, sheet: &FigureSheet) -> String {
    let (w, h) = (number(width.ceil()), number(height.ceil()));
    let (title, caption) = (escape(&plain(sheet.title)), escape(&plain(sheet.caption)));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" font-family=\"{FONTS}\" role=\"img\""
    );
    if sheet.is_inline {
        // A title element would pop up over the read-out of the report.
        let _ = writeln!(out, " aria-label=\"{title}. {caption}\">");
    } else {
        let _ = writeln!(out, ">\n<title>{title}</title>\n<desc>{caption}</desc>");
    }
    let _ = writeln!(out, "<rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>");
    out + body + "</svg>\n"
}

/// What the script of the report needs for read-out and zoom.
fn meta(panel: &Panel, left: f64, top: f64, name: &str) -> serde_json::Value {
    use crate::layer::{ColourScale, Layer};
    use serde_json::json;
    let view = panel.view(left, top);
    let plot = panel.plot;
    let list = |v: &mut dyn Iterator<Item = f64>| -> Vec<Option<f64>> { v.map(brief).collect() };
    let axis = |a: &crate::plot::Axis, e: &view::Extent| {
        json!({"lo": e.lo, "hi": e.hi, "log": e.scale == crate::plot::Scale::Log,
               "name": plain(&a.label), "unit": if crate::record::has_unit(&a.unit) { &a.unit } else { "" }})
    };
    let mut series = Vec::new();
    let mut heat = serde_json::Value::Null;
    for (i, layer) in plot.layers.iter().enumerate() {
        let (x, y) = match layer {
            Layer::Line(l) => (&l.x, &l.y),
            Layer::Scatter(s) => (&s.x, &s.y),
            Layer::HeatMap(h) if h.values.len() <= 40_000 => {
                let classes: Vec<String> = match &h.scale {
                    ColourScale::Categorical { categories } => {
                        categories.iter().map(|c| plain(&c.name)).collect()
                    }
                    ColourScale::Continuous { .. } => Vec::new(),
                };
                heat = json!({"x": list(&mut view::edges(&h.x).into_iter()), "y": list(&mut view::edges(&h.y).into_iter()),
                              "v": list(&mut h.values.iter().copied()), "name": plain(&h.label), "unit": h.unit, "classes": classes});
                continue;
            }
            _ => continue,
        };
        let points = thin::samples(x, y, 2000);
        series.push(json!({"layer": i, "name": plain(layer.label()), "colour": panel.colours[i],
            "x": list(&mut points.iter().map(|p| p.0)), "y": list(&mut points.iter().map(|p| p.1))}));
    }
    json!({"id": name, "box": [view.left, view.top, view.width, view.height],
           "x": axis(&plot.x, &view.x), "y": axis(&plot.y, &view.y), "series": series, "heat": heat})
}

/// Six significant digits are enough for a read-out.
fn brief(v: f64) -> Option<f64> {
    if v.is_finite() { format!("{v:.5e}").parse().ok() } else { None }
}

#[cfg(test)]
mod svg_tests;
