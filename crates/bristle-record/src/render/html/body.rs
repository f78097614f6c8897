//! The parts of the report: facts, tables, figures.

use std::fmt::Write;

use crate::animation::Animation;
use crate::markup::{escape, html, plain, unit};
use crate::palette::resolve;
use crate::record::{Block, Fact, Record, Section, has_unit};
use crate::render::svg::{self, Drawing};
use crate::schematic::{ContactState, Schematic};
use crate::table::{Cell, Table};

/// A table with more columns than this is set smaller, its first column in sight.
const WIDE: usize = 12;

/// A table with more rows than this is folded.
const LONG: usize = 30;

/// A figure wider than this has a row of its own.
const FULL: f64 = 610.0;

/// The page so far, and the data its script needs.
#[derive(Default)]
pub struct HtmlBody {
    /// The page.
    pub html: String,
    panels: Vec<serde_json::Value>,
    animations: Vec<serde_json::Value>,
    films: Vec<serde_json::Value>,
    /// Names of the files beside the report.
    files: Vec<String>,
    figures: usize,
    tables: usize,
}

impl HtmlBody {
    /// Nothing yet, of a report that lies beside these files.
    pub fn beside(files: &[String]) -> HtmlBody {
        HtmlBody { files: files.to_vec(), ..HtmlBody::default() }
    }

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
        let mut has_row = false;
        for block in &section.blocks {
            let is_figure = matches!(block, Block::Plot(_) | Block::PlotGrid(_));
            if is_figure != has_row {
                self.html += if is_figure { "<div class=\"figures\">\n" } else { "</div>\n" };
                has_row = is_figure;
            }
            self.block(block);
        }
        if has_row {
            self.html += "</div>\n";
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
                let id = format!("f{}", self.figures);
                let narrow = svg::narrow(std::slice::from_ref(plot), &plot.title, &plot.caption, &id);
                self.figure(svg::inline(plot, &id), narrow, &plot.id, &plot.caption);
            }
            Block::PlotGrid(grid) => {
                let id = format!("f{}", self.figures);
                let narrow = svg::narrow(&grid.plots, &grid.title, &grid.caption, &id);
                self.figure(svg::inline_grid(grid, &id), narrow, &grid.id, &grid.caption);
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
            Block::Schematic(schematic) => self.schematic(schematic),
        }
    }

    fn table(&mut self, table: &Table) {
        self.tables += 1;
        let class = if table.columns.len() > WIDE { "scroll wide-table" } else { "scroll" };
        let is_long = table.rows.len() > LONG;
        if is_long {
            let (number, rows) = (self.tables, table.rows.len());
            let words = html(&table.caption);
            let _ = writeln!(self.html, "<details><summary>Table {number}, {rows} rows: {words}</summary>");
        }
        let _ = writeln!(
            self.html,
            "<div class=\"{class}\" tabindex=\"0\" role=\"region\" aria-label=\"table {}\"><table>",
            self.tables
        );
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
        if is_long {
            self.html += "</details>\n";
        }
    }

    /// A figure for wide screens and its twin for small ones.
    fn figure(&mut self, drawing: Drawing, narrow: Drawing, id: &str, caption: &str) {
        self.figures += 1;
        let class = if drawing.width > FULL { "plot has-narrow full" } else { "plot has-narrow" };
        let roomy = drawing.svg.replacen("<svg ", "<svg class=\"roomy\" ", 1);
        let small = narrow.svg.replacen("<svg ", "<svg class=\"narrow\" ", 1);
        let _ = writeln!(self.html, "<figure class=\"{class}\">{roomy}{small}");
        self.caption(id, caption);
        self.html += "</figure>\n";
        self.panels.extend(drawing.panels);
        self.panels.extend(narrow.panels);
    }

    /// What is seen, and the files of a figure where the report has a folder.
    fn caption(&mut self, id: &str, caption: &str) {
        let mut files = String::new();
        let own = crate::folder::file_stem(id, "figure");
        let moving = format!("{own}{}", crate::folder::MOVING);
        for (stem, name) in self.files.iter().filter_map(|f| f.strip_prefix("figures/")?.rsplit_once('.')) {
            if !id.is_empty() && (stem == own || stem == moving) {
                let link = format!("figures/{stem}.{name}");
                let words =
                    format!("{}{}", name.to_uppercase(), if stem == moving { ", moving" } else { "" });
                let _ = write!(files, " <a href=\"{}\">{}</a>", escape(&link), escape(&words));
            }
        }
        let files = if files.is_empty() { files } else { format!(" <span class=\"files\">{files}</span>") };
        let number = self.figures;
        let _ =
            writeln!(self.html, "<figcaption><b>Figure {number}.</b> {}{files}</figcaption>", html(caption));
    }

    /// A canvas for the screen and a still figure for print and for readers without scripts.
    fn animation(&mut self, animation: &Animation) {
        let still = svg::inline(&animation.still(), &format!("f{}", self.figures)).svg;
        self.figures += 1;
        let words = if animation.title.is_empty() { &animation.caption } else { &animation.title };
        let label = escape(&plain(words));
        let _ = writeln!(
            self.html,
            "<figure class=\"animation\" data-animation=\"{}\"><p class=\"title\">{}</p>\n\
             <canvas role=\"img\" aria-label=\"{label}\"></canvas>\n\
             <div class=\"controls\"><button type=\"button\">Play</button><input type=\"range\" min=\"0\" max=\"{}\" value=\"0\" \
             aria-label=\"frame\"><output></output></div>\n<div class=\"still\">{still}</div>",
            self.animations.len(),
            html(&animation.title),
            animation.frames.len().saturating_sub(1)
        );
        self.caption(&animation.id, &animation.caption);
        self.html += "</figure>\n";
        self.animations.push(frames(animation));
    }

    /// A mechanism that can be played where there is a run.
    fn schematic(&mut self, schematic: &Schematic) {
        self.figures += 1;
        let drawing = svg::inline_schematic(schematic);
        let count = schematic.film.times.len();
        let _ = writeln!(
            self.html,
            "<figure class=\"mechanism\"><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"mechanism\">{drawing}</div>"
        );
        if count > 1 {
            let _ = writeln!(
                self.html,
                "<div class=\"controls\" data-film=\"{}\"><button type=\"button\">Play</button><input type=\"range\" min=\"0\" max=\"{}\" value=\"0\" aria-label=\"time\">\
                 <select aria-label=\"speed\"><option value=\"0.25\">¼</option><option value=\"0.5\">½</option><option value=\"1\" selected>1×</option><option value=\"2\">2×</option><option value=\"4\">4×</option></select><output></output></div>",
                self.films.len(),
                count - 1
            );
            self.films.push(svg::film_data(schematic));
        }
        if !schematic.film.states.is_empty() {
            let key = |s: ContactState| format!("<span><i class=\"c-{0}\"></i>{0}</span>", s.name());
            let keys: String = ContactState::ALL.into_iter().map(key).collect();
            let _ = writeln!(self.html, "<p class=\"keys\">{keys}</p>");
        }
        self.caption(&schematic.id, &schematic.caption);
        self.html += "</figure>\n";
    }

    /// The data for the script, safe to stand inside a script element.
    pub fn data(&self) -> String {
        let data =
            serde_json::json!({"panels": self.panels, "animations": self.animations, "films": self.films});
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
