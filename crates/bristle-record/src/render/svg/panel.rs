//! One plot with its axes: how much room it needs, and its drawing.

use std::fmt::Write;

use super::legend::{self, LegendEntry};
use super::scene::{LayerScene, colours};
use super::text::{NORMAL, SMALL, Style, label, number, width};
use super::ticks::{Ticks, ticks};
use super::view::{Extent, PanelView, extents};
use super::{heat, marks};
use crate::layer::Layer;
use crate::plot::{Legend, Plot, Scale};
use crate::record::has_unit;

/// Room around the box.
#[derive(Clone, Copy, Debug, Default)]
pub struct Margins {
    /// To the left: tick labels and axis label.
    pub left: f64,
    /// Above: title and common factor.
    pub top: f64,
    /// To the right: colour bar and legend.
    pub right: f64,
    /// Below: tick labels and axis label.
    pub bottom: f64,
}

/// A plot laid out but not yet placed on the page.
pub struct Panel<'a> {
    /// What is drawn.
    pub plot: &'a Plot,
    /// Room around the box.
    pub margins: Margins,
    /// Width and height of the box.
    pub size: (f64, f64),
    /// Colours of the layers.
    pub colours: Vec<String>,
    /// Legend entries.
    pub entries: Vec<LegendEntry>,
    x: Extent,
    y: Extent,
    x_ticks: Ticks,
    y_ticks: Ticks,
    has_x_labels: bool,
    legend: LegendPlace,
    title: String,
}

enum LegendPlace {
    Nowhere,
    /// Offset from the upper left corner of the box.
    Inside(f64, f64),
    /// In one line between title and box.
    Above,
    /// To the right of the box.
    Outside,
}

/// How a panel is fitted into its surroundings.
#[derive(Clone, Copy, Debug, Default)]
pub struct PanelFit {
    /// A horizontal extent shared with other panels.
    pub x: Option<Extent>,
    /// Whether the horizontal axis is labelled by a panel further down.
    pub is_x_bare: bool,
    /// Whether the legend is drawn elsewhere.
    pub is_legend_elsewhere: bool,
    /// A letter before the title.
    pub letter: Option<char>,
    /// Size of the box, if not the plot's own.
    pub size: Option<[f64; 2]>,
}

/// `label (unit)` in the mini markup.
pub fn with_unit(label: &str, unit: &str) -> String {
    match (label.is_empty(), has_unit(unit)) {
        (_, false) => label.into(),
        (true, true) => crate::markup::unit(unit),
        (false, true) => format!("{label} ({})", crate::markup::unit(unit)),
    }
}

impl<'a> Panel<'a> {
    /// Lays a plot out.
    pub fn new(plot: &'a Plot, fit: PanelFit) -> Panel<'a> {
        let (mut x, mut y) = extents(plot);
        x = fit.x.unwrap_or(x);
        let [w, h] =
            fit.size.unwrap_or(plot.size).map(|v| if v.is_finite() { v.clamp(60.0, 4000.0) } else { 300.0 });
        let mut size = (w, h);
        if plot.is_equal_aspect && x.scale == Scale::Linear && y.scale == Scale::Linear {
            size = equalise(&mut x, &mut y, size);
        }
        let colours = colours(plot);
        let entries = if plot.legend == Legend::None || fit.is_legend_elsewhere {
            Vec::new()
        } else {
            legend::entries(plot, &colours)
        };
        let title = match (fit.letter, plot.title.is_empty()) {
            (Some(l), true) => format!("({l})"),
            (Some(l), false) => format!("({l}) {}", plot.title),
            (None, _) => plot.title.clone(),
        };
        let mut panel = Panel {
            plot,
            margins: Margins::default(),
            size,
            colours,
            entries,
            x,
            y,
            x_ticks: fitting_ticks(&x, size.0),
            y_ticks: ticks(&y, (size.1 / 46.0).round().max(2.0) as usize),
            has_x_labels: !fit.is_x_bare,
            legend: LegendPlace::Nowhere,
            title,
        };
        panel.place_legend();
        panel.margins = panel.measure();
        panel
    }

    /// The extent of the horizontal axis.
    pub fn x_extent(&self) -> Extent {
        self.x
    }

    /// The box at a place on the page.
    pub fn view(&self, left: f64, top: f64) -> PanelView {
        PanelView { x: self.x, y: self.y, left, top, width: self.size.0, height: self.size.1 }
    }

    fn place_legend(&mut self) {
        if self.entries.is_empty() {
            return;
        }
        let is_map = self.plot.layers.iter().any(|l| matches!(l, Layer::HeatMap(_)));
        let is_inside = self.plot.legend == Legend::Auto && !is_map;
        let view = self.view(0.0, 0.0);
        let corner = is_inside.then(|| {
            let ink = LayerScene::new(self.plot, &view, &self.colours).ink;
            legend::corner(legend::size(&self.entries), &view, &ink)
        });
        self.legend = match corner.flatten() {
            Some((x, y)) => LegendPlace::Inside(x, y),
            None if self.plot.legend == Legend::Auto && legend::line_width(&self.entries) <= self.size.0 => {
                LegendPlace::Above
            }
            None => LegendPlace::Outside,
        };
    }

    fn measure(&self) -> Margins {
        let y_labels = self.y_ticks.major.iter().map(|(_, l)| width(l, SMALL, false)).fold(0.0, f64::max);
        let has_y_label = !with_unit(&self.plot.y.label, &self.plot.y.unit).is_empty();
        let has_x_label = !with_unit(&self.plot.x.label, &self.plot.x.unit).is_empty();
        let has_factor = self.y_ticks.exponent != 0;
        let last = self.x_ticks.major.last().map_or(0.0, |(_, l)| 0.5 * width(l, SMALL, false));
        let legend = if matches!(self.legend, LegendPlace::Outside) {
            8.0 + legend::size(&self.entries).0
        } else {
            0.0
        };
        // A title wider than its box reaches into the margin.
        let title = width(&self.title, NORMAL, true) + 4.0;
        let above = if matches!(self.legend, LegendPlace::Above) { 20.0 } else { 0.0 };
        Margins {
            left: 12.0 + 1.05 * y_labels + if has_y_label { 22.0 } else { 4.0 },
            top: match (self.title.is_empty(), has_factor || heat::has_factor(self.plot, self.size.1)) {
                (true, false) => 10.0,
                (true, true) => 24.0,
                (false, _) => 30.0,
            } + above,
            right: (heat::bar_width(self.plot, self.size.1) + legend + 10.0)
                .max(last + 4.0)
                .max(title - self.size.0),
            bottom: match (self.has_x_labels, has_x_label || self.x_ticks.exponent != 0) {
                (false, _) => 10.0,
                (true, false) => 26.0,
                (true, true) => 45.0,
            },
        }
    }

    /// The drawing with the box at `(left, top)`; `id` makes names in the document unique.
    pub fn draw(&self, left: f64, top: f64, id: &str) -> String {
        let view = self.view(left, top);
        let mut out = format!("<g class=\"bp-panel\" data-panel=\"{id}\">\n");
        let rect = format!(
            "x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
            number(view.left),
            number(view.top),
            number(view.width),
            number(view.height)
        );
        let _ = writeln!(out, "<clipPath id=\"{id}-clip\"><rect {rect}/></clipPath>");
        out += &self.grid(&view);
        let scene = LayerScene::new(self.plot, &view, &self.colours);
        let _ = write!(out, "<g clip-path=\"url(#{id}-clip)\">\n{}</g>\n", scene.svg);
        let _ = writeln!(
            out,
            "<rect class=\"bp-frame\" {rect} fill=\"none\" stroke=\"#333333\" stroke-width=\"0.9\"/>"
        );
        out += &self.axes(&view);
        out += &heat::bar(self.plot, &view, &format!("{id}-bar"));
        match self.legend {
            LegendPlace::Nowhere => {}
            LegendPlace::Inside(x, y) => out += &legend::draw(&self.entries, (left + x, top + y), true),
            LegendPlace::Above => out += &legend::draw_lines(&self.entries, left, top - 21.0, self.size.0).0,
            LegendPlace::Outside => {
                let x = view.right() + heat::bar_width(self.plot, self.size.1) + 8.0;
                out += &legend::draw(&self.entries, (x, top - 6.0), false);
            }
        }
        out + "</g>\n"
    }

    fn grid(&self, view: &PanelView) -> String {
        if self.plot.layers.iter().any(|l| matches!(l, Layer::HeatMap(_))) {
            return String::new();
        }
        let vertical = self
            .x_ticks
            .major
            .iter()
            .map(|(v, _)| vec![(view.px(*v), view.top), (view.px(*v), view.bottom())]);
        let level = self
            .y_ticks
            .major
            .iter()
            .map(|(v, _)| vec![(view.left, view.py(*v)), (view.right(), view.py(*v))]);
        let lines: Vec<_> = vertical.chain(level).collect();
        format!(
            "<path class=\"bp-grid\" d=\"{}\" stroke=\"#e9e9e9\" stroke-width=\"0.8\" fill=\"none\"/>\n",
            marks::curve(&lines)
        )
    }

    fn axes(&self, view: &PanelView) -> String {
        let mut d = String::new();
        for (length, x, y) in [
            (5.0, positions(&self.x_ticks.major), positions(&self.y_ticks.major)),
            (2.8, self.x_ticks.minor.clone(), self.y_ticks.minor.clone()),
        ] {
            for v in x {
                let _ = write!(d, "M{},{}v{}", number(view.px(v)), number(view.bottom()), number(-length));
            }
            for v in y {
                let _ = write!(d, "M{},{}h{}", number(view.left), number(view.py(v)), number(length));
            }
        }
        let mut out = format!(
            "<g class=\"bp-axes\"><path d=\"{d}\" stroke=\"#333333\" stroke-width=\"0.8\" fill=\"none\"/>\n"
        );
        if self.has_x_labels {
            for (v, text) in &self.x_ticks.major {
                out += &label(view.px(*v), view.bottom() + 16.0, text, Style::default());
            }
            let factor = self.x_ticks.factor();
            if !factor.is_empty() {
                let style = Style { anchor: "end", ..Style::default() };
                out += &label(view.right() + 4.0, view.bottom() + 33.0, &factor, style);
            }
        }
        for (v, text) in &self.y_ticks.major {
            let style = Style { anchor: "end", ..Style::default() };
            out += &label(view.left - 6.0, view.py(*v) + 4.2, text, style);
        }
        let factor = self.y_ticks.factor();
        if !factor.is_empty() {
            out +=
                &label(view.left - 4.0, view.top - 9.0, &factor, Style { anchor: "end", ..Style::default() });
        }
        out += "</g>\n";
        out + &self.titles(view)
    }

    fn titles(&self, view: &PanelView) -> String {
        let style = Style { size: NORMAL, ..Style::default() };
        let mut out = String::new();
        if self.has_x_labels {
            let text = with_unit(&self.plot.x.label, &self.plot.x.unit);
            out += &label(view.left + 0.5 * view.width, view.bottom() + 36.0, &text, style);
        }
        let text = with_unit(&self.plot.y.label, &self.plot.y.unit);
        if !text.is_empty() {
            let x = view.left - self.margins.left + 18.0;
            out += &label(x, view.top + 0.5 * view.height, &text, Style { is_upright: true, ..style });
        }
        if !self.title.is_empty() {
            let y = view.top - self.margins.top + 20.0;
            out += &label(view.left, y, &self.title, Style { anchor: "start", is_bold: true, ..style });
        }
        out
    }
}

fn positions(ticks: &[(f64, String)]) -> Vec<f64> {
    ticks.iter().map(|(v, _)| *v).collect()
}

/// As many ticks as have room for their labels side by side.
fn fitting_ticks(extent: &Extent, across: f64) -> Ticks {
    let mut count = (across / 62.0).max(2.0) as usize;
    loop {
        let ticks = ticks(extent, count);
        let is_clear = ticks.major.windows(2).all(|w| {
            let room = across * (extent.share(w[1].0) - extent.share(w[0].0));
            let half = |text: &str| 0.5 * width(text, SMALL, false);
            half(&w[0].1) + half(&w[1].1) + 9.0 < room
        });
        if is_clear || count <= 2 {
            return ticks;
        }
        count -= 1;
    }
}

/// Shrinks the box, or stretches an extent where the box would get too thin, until units are square.
fn equalise(x: &mut Extent, y: &mut Extent, size: (f64, f64)) -> (f64, f64) {
    let spans = (x.hi - x.lo, y.hi - y.lo);
    let scale = (size.0 / spans.0).min(size.1 / spans.1);
    let fitted = (spans.0 * scale, spans.1 * scale);
    let least = 0.35 * size.0.min(size.1);
    let wanted = (fitted.0.max(least), fitted.1.max(least));
    *x = x.stretched(wanted.0 / fitted.0);
    *y = y.stretched(wanted.1 / fitted.1);
    wanted
}
