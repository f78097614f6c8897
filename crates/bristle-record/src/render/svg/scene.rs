//! The layers of a plot, drawn into its box.

use std::fmt::Write;

use super::legend::crowd;
use super::text::{SMALL, Style, label, number, width};
use super::thin::{PagePoint, pieces};
use super::view::PanelView;
use super::{heat, marks};
use crate::layer::{Arrow, Band, Circle, Direction, Layer, Line, Note, Rule, Scatter, Span, TextAnchor};
use crate::palette::{cycle, resolve};
use crate::plot::Plot;

/// What was drawn, and where the ink is.
#[derive(Default)]
pub struct LayerScene {
    /// The drawing.
    pub svg: String,
    /// Points on the page that a legend should not cover.
    pub ink: Vec<PagePoint>,
}

/// The colours of all layers: as keyed, or the next of the cycle for each new label.
pub fn colours(plot: &Plot) -> Vec<String> {
    let mut next = 0;
    let mut by_label: Vec<(&str, String)> = Vec::new();
    let mut colour = |layer| -> String {
        let key = Layer::colour(layer);
        if !key.is_empty() {
            return resolve(key);
        }
        match layer {
            Layer::Span(_) | Layer::Circle(_) => return resolve("grey"),
            Layer::Rule(_) => return "#555555".into(),
            Layer::Note(_) | Layer::Arrow(_) | Layer::HeatMap(_) => return resolve("ink"),
            _ => {}
        }
        let label = layer.label();
        if let Some((_, known)) = by_label.iter().find(|(l, _)| !label.is_empty() && *l == label) {
            return known.clone();
        }
        let fresh = cycle(next).to_owned();
        next += 1;
        by_label.push((label, fresh.clone()));
        fresh
    };
    plot.layers.iter().map(&mut colour).collect()
}

impl LayerScene {
    /// Draws all layers of a plot.
    pub fn new(plot: &Plot, view: &PanelView, colours: &[String]) -> LayerScene {
        let mut scene = LayerScene::default();
        // Words come last: over the curves, and where those leave room.
        let mut words = String::new();
        for (i, layer) in plot.layers.iter().enumerate() {
            let colour = &colours[i];
            let (kind, body) = match layer {
                Layer::Line(l) => ("bp-scaled", scene.line(l, view, colour)),
                Layer::Scatter(s) => ("bp-marks", scene.scatter(s, view, colour)),
                Layer::Band(b) => ("bp-scaled", scene.band(b, view, colour)),
                Layer::Span(s) => ("bp-scaled", span(s, view, colour)),
                Layer::HeatMap(h) => ("bp-scaled", heat::cells(h, view)),
                Layer::Rule(r) => ("bp-scaled", scene.rule(r, view, colour)),
                Layer::Circle(c) => ("bp-scaled", scene.circle(c, view, colour)),
                Layer::Note(_) | Layer::Arrow(_) => continue,
            };
            let _ = writeln!(scene.svg, "<g class=\"bp-layer {kind}\" data-layer=\"{i}\">{body}</g>");
        }
        for (i, layer) in plot.layers.iter().enumerate() {
            words += &match layer {
                Layer::Note(n) => scene.note(n, view, &colours[i]),
                Layer::Arrow(a) => scene.arrow(a, view, &colours[i]),
                Layer::Rule(r) if !r.label.is_empty() => scene.rule_label(r, view, &colours[i]),
                Layer::Span(s) if !s.label.is_empty() => scene.span_label(s, view),
                _ => continue,
            };
        }
        scene.svg += &words;
        scene
    }

    fn line(&mut self, line: &Line, view: &PanelView, colour: &str) -> String {
        let pieces = pieces(&line.x, &line.y, view);
        for piece in &pieces {
            self.trace(piece);
        }
        let d = marks::curve(&pieces);
        let opacity = opacity(line.opacity);
        format!(
            "<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" stroke-linejoin=\"round\" stroke-linecap=\"butt\"{}{opacity}/>",
            number(line.width),
            marks::dash(line.dash)
        )
    }

    fn scatter(&mut self, scatter: &Scatter, view: &PanelView, colour: &str) -> String {
        let points =
            scatter.x.iter().zip(&scatter.y).filter(|(x, y)| view.x.contains(**x) && view.y.contains(**y));
        let points = marks::distinct(points.map(|(&x, &y)| (view.px(x), view.py(y))).collect());
        self.ink.extend(&points);
        marks::path(&points, scatter.marker, scatter.is_hollow, scatter.size, colour)
    }

    fn band(&mut self, band: &Band, view: &PanelView, colour: &str) -> String {
        let mut d = String::new();
        let n = band.x.len().min(band.lower.len()).min(band.upper.len());
        let place =
            |i: usize, v: f64| (view.px(band.x[i]), view.py(v).clamp(view.top - 4.0, view.bottom() + 4.0));
        let is_whole = |i: usize| {
            place(i, band.lower[i]).0.is_finite()
                && [band.lower[i], band.upper[i]].iter().all(|v| view.y.share(*v).is_finite())
        };
        let mut start = 0;
        while start < n {
            let end = start + (start..n).take_while(|&i| is_whole(i)).count();
            if end > start + 1 {
                let lower: Vec<PagePoint> = (start..end).map(|i| place(i, band.lower[i])).collect();
                let upper: Vec<PagePoint> = (start..end).map(|i| place(i, band.upper[i])).collect();
                self.trace(&lower);
                self.trace(&upper);
                d += &marks::curve(&[upper.into_iter().chain(lower.into_iter().rev()).collect()]);
                d.push('z');
            }
            start = end + 1;
        }
        format!("<path d=\"{d}\" fill=\"{colour}\" fill-opacity=\"{}\" stroke=\"none\"/>", band.opacity)
    }

    fn rule(&mut self, rule: &Rule, view: &PanelView, colour: &str) -> String {
        let (a, b) = match rule.along {
            Direction::X => ((view.px(rule.at), view.top), (view.px(rule.at), view.bottom())),
            Direction::Y => ((view.left, view.py(rule.at)), (view.right(), view.py(rule.at))),
        };
        if !(a.0.is_finite() && a.1.is_finite()) {
            return String::new();
        }
        self.trace(&[a, b]);
        let d = marks::curve(&[vec![a, b]]);
        format!(
            "<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1\"{}/>",
            marks::dash(rule.dash)
        )
    }

    fn circle(&mut self, circle: &Circle, view: &PanelView, colour: &str) -> String {
        let (cx, cy) = (view.px(circle.centre[0]), view.py(circle.centre[1]));
        let rx = (view.px(circle.centre[0] + circle.radius) - cx).abs();
        let ry = (view.py(circle.centre[1] + circle.radius) - cy).abs();
        if ![cx, cy, rx, ry].iter().all(|v| v.is_finite()) {
            return String::new();
        }
        self.ink.extend((0..72).map(|k| {
            let (s, c) = (f64::from(k) * std::f64::consts::TAU / 72.0).sin_cos();
            (cx + rx * c, cy + ry * s)
        }));
        format!(
            "<ellipse cx=\"{}\" cy=\"{}\" rx=\"{}\" ry=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.2\"{}{}/>",
            number(cx),
            number(cy),
            number(rx),
            number(ry),
            marks::dash(circle.dash),
            opacity(circle.opacity)
        )
    }

    fn note(&mut self, note: &Note, view: &PanelView, colour: &str) -> String {
        let (x, y) = (view.px(note.at[0]), view.py(note.at[1]));
        if !(x.is_finite() && y.is_finite()) {
            return String::new();
        }
        let w = width(&note.text, SMALL, false);
        let (anchor, back) = match note.anchor {
            TextAnchor::Start => ("start", 0.0),
            TextAnchor::Middle => ("middle", 0.5 * w),
            TextAnchor::End => ("end", w),
        };
        let (left, baseline) = (x + note.shift[0] - back, y - note.shift[1] + 4.0);
        self.fill((left, baseline - 10.0, w, 13.0));
        let style = Style { anchor, colour, has_rim: true, ..Style::default() };
        words(x, y, "xy", &label(left + back, baseline, &note.text, style))
    }

    fn arrow(&mut self, arrow: &Arrow, view: &PanelView, colour: &str) -> String {
        let (a, b) =
            ((view.px(arrow.from[0]), view.py(arrow.from[1])), (view.px(arrow.to[0]), view.py(arrow.to[1])));
        let length = (b.0 - a.0).hypot(b.1 - a.1);
        if !(length.is_finite() && length > 0.0) {
            return String::new();
        }
        self.trace(&[a, b]);
        let (ux, uy) = ((b.0 - a.0) / length, (b.1 - a.1) / length);
        let head = length.min(8.0);
        let side = |s: f64| (b.0 - head * ux - s * 0.4 * head * uy, b.1 - head * uy + s * 0.4 * head * ux);
        let (l, r) = (side(1.0), side(-1.0));
        let shaft = marks::curve(&[vec![a, (b.0 - 0.8 * head * ux, b.1 - 0.8 * head * uy)]]);
        let tip = marks::curve(&[vec![b, l, r]]);
        let mut body = format!(
            "<path d=\"{shaft}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.2\"/><path d=\"{tip}z\" fill=\"{colour}\"/>"
        );
        if !arrow.label.is_empty() {
            let w = width(&arrow.label, SMALL, false);
            // The words continue the tail: beside it for a flat arrow, above or below for a steep one.
            let (anchor, dx, dy, back) = match (ux.abs() > 0.7, ux > 0.0, uy > 0.0) {
                (true, true, _) => ("end", -5.0, 4.0, w),
                (true, false, _) => ("start", 5.0, 4.0, 0.0),
                (false, _, true) => ("middle", 0.0, -5.0, 0.5 * w),
                (false, _, false) => ("middle", 0.0, 14.0, 0.5 * w),
            };
            self.fill((a.0 + dx - back, a.1 + dy - 10.0, w, 13.0));
            let style = Style { anchor, colour, has_rim: true, ..Style::default() };
            body += &label(a.0 + dx, a.1 + dy, &arrow.label, style);
        }
        words(b.0, b.1, "xy", &body)
    }

    /// Beside the line, at the end where the plot is emptier.
    fn rule_label(&mut self, rule: &Rule, view: &PanelView, colour: &str) -> String {
        let w = width(&rule.label, SMALL, false);
        let style = Style { colour, has_rim: true, ..Style::default() };
        match rule.along {
            Direction::X if view.x.contains(rule.at) => {
                let x = view.px(rule.at);
                // To the right of the line unless it stands at the right side.
                let base = if x + 18.0 > view.right() { x - 5.0 } else { x + 13.0 };
                let rect = |end: f64| (base - 10.0, end - w, 13.0, w);
                let (high, low) = (view.top + 6.0 + w, view.bottom() - 6.0);
                let y = if crowd(rect(low), &self.ink) < crowd(rect(high), &self.ink) { low } else { high };
                self.fill(rect(y));
                let style = Style { anchor: "start", is_upright: true, ..style };
                words(x, y, "x", &label(base, y, &rule.label, style))
            }
            Direction::Y if view.y.contains(rule.at) => {
                let line = view.py(rule.at);
                let rect = |(left, base): PagePoint| (left, base - 11.0, w, 12.0);
                // Right to left, above the line before below it; the first of the emptiest places wins.
                let bases = [line - 5.0, line + 14.0]
                    .into_iter()
                    .filter(|b| b - 11.0 > view.top && *b < view.bottom());
                let lefts =
                    [1.0, 0.0, 0.5, 0.75, 0.25].map(|s| view.left + 6.0 + s * (view.width - 12.0 - w));
                let places = bases.flat_map(|b| lefts.map(|l| (l, b)));
                let Some((x, base)) = places.min_by_key(|p| crowd(rect(*p), &self.ink)) else {
                    return String::new();
                };
                self.fill(rect((x, base)));
                words(x, line, "y", &label(x, base, &rule.label, Style { anchor: "start", ..style }))
            }
            _ => String::new(),
        }
    }

    /// Inside the stripe: along it if it is narrow, at the end where the plot is emptier.
    fn span_label(&mut self, span: &Span, view: &PanelView) -> String {
        let Some((x, y, w, h)) = stripe(span, view) else { return String::new() };
        let text = width(&span.label, SMALL, false);
        let style = Style { colour: "#444444", ..Style::default() };
        if span.along == Direction::Y {
            let base = y + (0.5 * h + 4.0).min(16.0).max(0.5 * h.min(24.0) + 4.0);
            let rect = |left: f64| (left, base - 11.0, text, 13.0);
            let (near, far) = (x + 8.0, x + w - 8.0 - text);
            let left = if crowd(rect(near), &self.ink) < crowd(rect(far), &self.ink) { near } else { far };
            self.fill(rect(left));
            return words(
                left,
                base,
                "y",
                &label(left, base, &span.label, Style { anchor: "start", ..style }),
            );
        }
        let centre = x + 0.5 * w;
        if text + 8.0 <= w {
            let rect = |base: f64| (centre - 0.5 * text, base - 11.0, text, 13.0);
            let (high, low) = (y + 16.0, y + h - 8.0);
            let base = if crowd(rect(low), &self.ink) < crowd(rect(high), &self.ink) { low } else { high };
            self.fill(rect(base));
            return words(centre, base, "x", &label(centre, base, &span.label, style));
        }
        let rect = |end: f64| (centre - 7.0, end - text, 14.0, text);
        let (high, low) = (y + 6.0 + text, y + h - 6.0);
        let end = if crowd(rect(low), &self.ink) < crowd(rect(high), &self.ink) { low } else { high };
        self.fill(rect(end));
        let style = Style { anchor: "start", is_upright: true, ..style };
        words(centre, end, "x", &label(centre + 4.0, end, &span.label, style))
    }

    /// Marks a polyline as ink, every few pixels.
    fn trace(&mut self, points: &[PagePoint]) {
        self.ink.extend(points.first());
        for w in points.windows(2) {
            let length = (w[1].0 - w[0].0).hypot(w[1].1 - w[0].1);
            let steps = (length / 5.0).ceil().clamp(1.0, 400.0) as usize;
            self.ink.extend((1..=steps).map(|k| {
                let s = k as f64 / steps as f64;
                (w[0].0 + s * (w[1].0 - w[0].0), w[0].1 + s * (w[1].1 - w[0].1))
            }));
        }
    }

    /// Marks a rectangle `(left, top, width, height)` as ink.
    fn fill(&mut self, (x, y, w, h): (f64, f64, f64, f64)) {
        for i in 0..=(w / 5.0).ceil() as usize {
            for j in 0..=(h / 5.0).ceil() as usize {
                self.ink.push(((x + 5.0 * i as f64).min(x + w), (y + 5.0 * j as f64).min(y + h)));
            }
        }
    }
}

/// Words that keep their size when the report zooms, and move with a point along the axes `axes`.
fn words(x: f64, y: f64, axes: &str, body: &str) -> String {
    format!(
        "<g class=\"bp-words\" data-move=\"{axes}\" data-at=\"{},{}\">{}</g>\n",
        number(x),
        number(y),
        body.trim_end()
    )
}

fn opacity(value: f64) -> String {
    if value >= 1.0 { String::new() } else { format!(" opacity=\"{}\"", number(value.max(0.0))) }
}

/// The rectangle of a stripe within the box.
fn stripe(span: &Span, view: &PanelView) -> Option<(f64, f64, f64, f64)> {
    let share = |v: f64, open: f64, along: &super::view::Extent| {
        if v.is_finite() { along.share(v).clamp(0.0, 1.0) } else { open }
    };
    let along = if span.along == Direction::X { &view.x } else { &view.y };
    let (a, b) = (share(span.from, 0.0, along), share(span.to, 1.0, along));
    let (a, b) = (a.min(b), a.max(b));
    (b > a).then_some(match span.along {
        Direction::X => (view.left + a * view.width, view.top, (b - a) * view.width, view.height),
        Direction::Y => (view.left, view.top + (1.0 - b) * view.height, view.width, (b - a) * view.height),
    })
}

fn span(span: &Span, view: &PanelView, colour: &str) -> String {
    stripe(span, view)
        .map(|(x, y, w, h)| {
            format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{colour}\" fill-opacity=\"{}\"/>",
                number(x),
                number(y),
                number(w),
                number(h),
                span.opacity
            )
        })
        .unwrap_or_default()
}
