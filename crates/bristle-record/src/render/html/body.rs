//! The parts of the report: facts, tables, figures.

use std::fmt::Write;

use crate::animation::Animation;
use crate::markup::{escape, html, plain, unit};
use crate::palette::resolve;
use crate::record::{Block, Fact, Record, Section, has_unit};
use crate::render::svg::{self, Drawing};
use crate::table::{Cell, Table};

/// A table with more columns than this may be as wide as the window.
const WIDE: usize = 12;

/// The page so far, and the data its script needs.
#[derive(Default)]
pub struct HtmlBody {
    /// The page.
    pub html: String,
    panels: Vec<serde_json::Value>,
    animations: Vec<serde_json::Value>,
    figures: usize,
    tables: usize,
}

impl HtmlBody {
    /// Verdicts as large cards, other facts as a list.
    pub fn facts(&mut self, record: &Record) {
        let (verdicts, others): (Vec<&Fact>, Vec<&Fact>) = record.facts.iter().partition(|f| f.is_verdict);
        for (class, facts) in [("verdicts", verdicts), ("facts", others)] {
            if facts.is_empty() {
                continue;
            }
            let _ = writeln!(self.html, "<dl class=\"{class}\">");
            for f in facts {
                let note = if f.note.is_empty() {
                    String::new()
                } else {
                    format!("<dd class=\"note\">{}</dd>", html(&f.note))
                };
                let _ = writeln!(
                    self.html,
                    "<div class=\"{}\"><dt>{}</dt><dd class=\"value\">{}</dd>{note}</div>",
                    f.tone.name(),
                    html(&f.label),
                    html(&f.value.markup())
                );
            }
            self.html += "</dl>\n";
        }
    }

    /// A section with its blocks.
    pub fn section(&mut self, section: &Section, index: usize) {
        let _ = writeln!(self.html, "<section id=\"s{index}\">");
        if !section.heading.is_empty() {
            let _ = writeln!(self.html, "<h2>{}</h2>", html(&section.heading));
        }
        for block in &section.blocks {
            self.block(block);
        }
        self.html += "</section>\n";
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Paragraph { text } => {
                for part in text.split("\n\n").filter(|p| !p.trim().is_empty()) {
                    let _ = writeln!(self.html, "<p>{}</p>", html(part));
                }
            }
            Block::Table(table) => self.table(table),
            Block::Plot(plot) => {
                let drawing = svg::inline(plot, &format!("f{}", self.figures));
                self.figure(drawing, &plot.caption);
            }
            Block::PlotGrid(grid) => {
                let drawing = svg::inline_grid(grid, &format!("f{}", self.figures));
                self.figure(drawing, &grid.caption);
            }
            Block::Code { caption, text } => {
                if !caption.is_empty() {
                    let _ = writeln!(self.html, "<p class=\"file\">{}</p>", html(caption));
                }
                let _ = writeln!(self.html, "<pre><code>{}</code></pre>", escape(text));
            }
            Block::Equation { text } => {
                let _ = writeln!(self.html, "<pre class=\"equation\">{}</pre>", escape(text));
            }
            Block::Animation(animation) => self.animation(animation),
        }
    }

    fn table(&mut self, table: &Table) {
        self.tables += 1;
        let class = if table.columns.len() > WIDE { "scroll wide" } else { "scroll" };
        let _ = writeln!(self.html, "<div class=\"{class}\"><table>");
        let _ =
            writeln!(self.html, "<caption><b>Table {}.</b> {}</caption>", self.tables, html(&table.caption));
        self.html += "<thead><tr>";
        for (k, column) in table.columns.iter().enumerate() {
            let is_number = table.rows.iter().filter_map(|r| r.get(k)).any(Cell::is_number);
            let class = if is_number { " class=\"number\"" } else { "" };
            let measure = if has_unit(&column.unit) {
                format!(" <span class=\"unit\">({})</span>", html(&unit(&column.unit)))
            } else {
                String::new()
            };
            let _ = write!(self.html, "<th scope=\"col\"{class}>{}{measure}</th>", html(&column.name));
        }
        self.html += "</tr></thead>\n<tbody>\n";
        for row in &table.rows {
            self.html += "<tr>";
            for k in 0..table.columns.len() {
                self.html += &row.get(k).map_or_else(|| "<td></td>".into(), cell);
            }
            self.html += "</tr>\n";
        }
        self.html += "</tbody></table></div>\n";
    }

    fn figure(&mut self, drawing: Drawing, caption: &str) {
        self.figures += 1;
        let _ = writeln!(self.html, "<figure class=\"plot\">{}", drawing.svg);
        self.caption(caption);
        self.html += "</figure>\n";
        self.panels.extend(drawing.panels);
    }

    fn caption(&mut self, caption: &str) {
        let _ =
            writeln!(self.html, "<figcaption><b>Figure {}.</b> {}</figcaption>", self.figures, html(caption));
    }

    /// A canvas for the screen and a still figure for print and for readers without scripts.
    fn animation(&mut self, animation: &Animation) {
        let still = svg::inline(&animation.still(), &format!("f{}", self.figures)).svg;
        self.figures += 1;
        let label = escape(&plain(&animation.title));
        let _ = writeln!(
            self.html,
            "<figure class=\"animation\" data-animation=\"{}\"><p class=\"title\">{}</p>\n\
             <canvas width=\"1280\" height=\"800\" role=\"img\" aria-label=\"{label}\"></canvas>\n\
             <div class=\"controls\"><button type=\"button\">Play</button><input type=\"range\" min=\"0\" max=\"{}\" value=\"0\" \
             aria-label=\"frame\"><output></output></div>\n<div class=\"still\">{still}</div>",
            self.animations.len(),
            html(&animation.title),
            animation.frames.len().saturating_sub(1)
        );
        self.caption(&animation.caption);
        self.html += "</figure>\n";
        self.animations.push(frames(animation));
    }

    /// The data for the script, safe to stand inside a script element.
    pub fn data(&self) -> String {
        let data = serde_json::json!({"panels": self.panels, "animations": self.animations});
        data.to_string().replace('<', "\\u003c")
    }
}

fn cell(cell: &Cell) -> String {
    let text = html(&cell.markup());
    match cell {
        Cell::Number { .. } => format!("<td class=\"number\">{text}</td>"),
        Cell::Text { .. } => format!("<td>{text}</td>"),
        Cell::Verdict { verdict, .. } => {
            format!("<td><span class=\"verdict {}\">{text}</span></td>", verdict.tone().name())
        }
    }
}

fn frames(animation: &Animation) -> serde_json::Value {
    use serde_json::json;
    let near = |v: f64| if v.is_finite() { format!("{v:.5e}").parse::<f64>().unwrap_or(v) } else { 0.0 };
    let colour = |key: &str, default: &str| resolve(if key.is_empty() { default } else { key });
    let frames: Vec<serde_json::Value> = animation
        .frames
        .iter()
        .map(|f| {
            let lines: Vec<_> = f
                .lines
                .iter()
                .map(|l| {
                    let points: Vec<[f64; 2]> = l.points.iter().map(|p| [near(p[0]), near(p[1])]).collect();
                    json!({"p": points, "c": colour(&l.colour, "accent")})
                })
                .collect();
            let circles: Vec<_> = f
                .circles
                .iter()
                .map(|c| json!({"p": [near(c.centre[0]), near(c.centre[1])], "r": near(c.radius), "c": colour(&c.colour, "ink")}))
                .collect();
            json!({"t": near(f.time), "l": lines, "o": circles})
        })
        .collect();
    let name = |a: &crate::plot::Axis| {
        plain(&if has_unit(&a.unit) { format!("{} ({})", a.label, unit(&a.unit)) } else { a.label.clone() })
    };
    let speed = if animation.speed > 0.0 && animation.speed.is_finite() { animation.speed } else { 1.0 };
    json!({"frames": frames, "speed": speed, "equal": animation.is_equal_aspect,
           "x": name(&animation.x), "y": name(&animation.y)})
}
