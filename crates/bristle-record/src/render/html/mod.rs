//! The report: one HTML file that opens from disk and needs nothing else.

mod body;

use crate::markup::{html, plain};
use crate::record::Record;
use body::HtmlBody;

/// The whole report: verdicts first, then facts, then the sections with figures inline.
pub fn report(record: &Record) -> String {
    report_beside(record, &[])
}

/// The same with links to files that lie in its folder.
pub fn report_beside(record: &Record, files: &[String]) -> String {
    let mut body = HtmlBody::beside(files);
    body.facts(record);
    for (k, section) in record.sections.iter().enumerate() {
        body.section(section, k);
    }
    let title = crate::markup::escape(&plain(&record.title));
    let contents = contents(record);
    let summary = if record.summary.is_empty() {
        String::new()
    } else {
        format!("<p class=\"summary\">{}</p>\n", html(&record.summary))
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"bristle {version}\">\n<title>{title}</title>\n\
         <style>\n{style}</style>\n</head>\n<body>\n<main{class}>\n<header><h1>{heading}</h1>\n{summary}</header>\n\
         {contents}{body}<footer>{links}{origin}<p>Drag in a figure to zoom, double-click to reset, click a legend entry to hide it; \
         figures over time zoom together.</p><p>Written by bristle {version}.</p></footer>\n</main>\n\
         <script type=\"application/json\" id=\"figures\">{data}</script>\n<script>\n{script}{film}</script>\n</body>\n</html>\n",
        version = env!("CARGO_PKG_VERSION"),
        style = include_str!("report.css"),
        heading = html(&record.title),
        body = body.html,
        data = body.data(),
        script = include_str!("report.js"),
        film = if record.has_films() {
            concat!(include_str!("film.js"), include_str!("film_controls.js"))
        } else {
            ""
        },
        class = if contents.is_empty() { "" } else { " class=\"with-nav\"" },
        links = links(files),
        origin = origin(record),
    )
}

/// Where the report comes from.
fn origin(record: &Record) -> String {
    if record.origin.is_empty() { String::new() } else { format!("<p>{}</p>", html(&record.origin)) }
}

/// Links to the files beside it, figures left out: they are linked where they are shown.
fn links(files: &[String]) -> String {
    let shown = files.iter().filter(|f| !f.starts_with("figures/") && *f != "report.html");
    let link = |f: &String| format!(" <a href=\"{0}\">{0}</a>", crate::markup::escape(f));
    let links: Vec<String> = shown.map(link).collect();
    if links.is_empty() { String::new() } else { format!("<p>Beside this report:{}</p>", links.join(",")) }
}

/// Links to the sections, once there are enough to get lost in.
fn contents(record: &Record) -> String {
    if record.sections.len() < 4 {
        return String::new();
    }
    let links = record.sections.iter().enumerate();
    let links: String = links.map(|(k, s)| format!("<a href=\"#s{k}\">{}</a> ", html(&s.heading))).collect();
    format!("<nav aria-label=\"contents\">{links}</nav>\n")
}

#[cfg(test)]
mod html_tests {
    use super::*;
    use crate::{Axis, Block, Cell, Fact, Line, Plot, Table, Tone, Verdict};

    #[test]
    fn hostile_text_never_becomes_markup() {
        let bad = "</script><script>alert('x')</script><b onload=\"y\">&";
        let mut record = Record::new(bad);
        record.summary = bad.into();
        record.facts.push(Fact { note: bad.into(), ..Fact::verdict(bad, bad, Tone::Bad) });
        let mut table = Table::new(bad, &[(bad, bad)]);
        table.row([Cell::Verdict { verdict: Verdict::Differs, text: bad.into() }]);
        let mut plot = Plot::new(bad, bad, Axis::new(bad, bad), Axis::new(bad, bad));
        plot.push(Line::new(bad, vec![0.0, 1.0], vec![0.0, 1.0]));
        let section = record.section(bad);
        section.push(table);
        section.push(plot);
        section.push(Block::code(bad, bad));
        section.push(Block::equation(bad));
        section.push(Block::paragraph(bad));
        let page = report(&record);
        // Only the two script elements of the report itself.
        assert_eq!(page.matches("<script").count(), 2);
        assert_eq!(page.matches("</script").count(), 2);
        assert!(!page.contains("<b onload"));
    }

    #[test]
    fn verdicts_stand_before_other_facts_and_nothing_is_fetched() {
        let mut record = Record::new("Belt");
        record.facts.push(Fact::number("period", 0.3, "s"));
        record.facts.push(Fact::verdict("motion", "stick–slip", Tone::Warn));
        let page = report(&record);
        assert!(page.find("motion").unwrap() < page.find("period").unwrap());
        assert!(!page.contains("src=") && !page.contains("<link") && !page.contains("@import"));
    }
}
