//! One page: from Markdown to HTML.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use std::fmt::Write;

/// An entry of the table of contents.
#[derive(Clone, Debug)]
pub struct Chapter {
    /// Its title.
    pub title: String,
    /// The file below `docs/src`.
    pub file: String,
    /// How deep it stands.
    pub level: usize,
}

/// A page as it is written.
pub struct Page {
    /// Where it stands.
    pub chapter: Chapter,
    /// Its body.
    pub html: String,
    /// Headings: identifier and words.
    pub headings: Vec<(String, String)>,
    /// Its words, for the search.
    pub words: String,
}

impl Page {
    /// The file in the book.
    pub fn target(&self) -> String {
        format!("{}.html", self.chapter.file.trim_end_matches(".md"))
    }
}

/// Reads the table of contents.
pub fn summary(text: &str) -> Vec<Chapter> {
    let chapter = |line: &str| {
        let start = line.find('[')?;
        let (title, rest) = line[start + 1..].split_once("](")?;
        let (file, _) = rest.split_once(')')?;
        let level = (line.len() - line.trim_start().len()) / 2;
        Some(Chapter { title: title.to_owned(), file: file.to_owned(), level })
    };
    text.lines().filter_map(chapter).collect()
}

/// Turns Markdown into a page; headings get identifiers.
pub fn render(chapter: &Chapter, text: &str) -> Page {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
    let mut events: Vec<Event> = Vec::new();
    let (mut headings, mut words) = (Vec::new(), String::new());
    let mut open: Option<(HeadingLevel, Vec<Event>, String)> = None;
    for event in Parser::new_ext(text, options) {
        if let Event::Text(t) | Event::Code(t) = &event {
            words.push_str(t);
            words.push(' ');
            if let Some((_, _, heading)) = &mut open {
                heading.push_str(t);
            }
        }
        match event {
            Event::Start(Tag::Heading { level, .. }) => open = Some((level, Vec::new(), String::new())),
            Event::End(TagEnd::Heading(_)) => {
                if let Some((level, inner, heading)) = open.take() {
                    let id = unique(&slug(&heading), &headings);
                    events.push(Event::Html(format!("<{level} id=\"{id}\">").into()));
                    events.extend(inner);
                    events.push(Event::Html(format!("</{level}>\n").into()));
                    headings.push((id, heading));
                }
            }
            // What is wider than a small screen scrolls by itself.
            Event::Start(Tag::Table(alignment)) => {
                events.push(Event::Html(CowStr::from(
                    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"table\">",
                )));
                events.push(Event::Start(Tag::Table(alignment)));
            }
            Event::End(TagEnd::Table) => {
                events.push(Event::End(TagEnd::Table));
                events.push(Event::Html(CowStr::from("</div>\n")));
            }
            event => match &mut open {
                Some((_, inner, _)) => inner.push(event),
                None => events.push(event),
            },
        }
    }
    let mut body = String::new();
    html::push_html(&mut body, events.into_iter());
    Page { chapter: chapter.clone(), html: body, headings, words }
}

/// The identifier of a heading, as elsewhere in the world of Markdown.
pub fn slug(words: &str) -> String {
    let small = words.to_lowercase();
    let kept = small.chars().filter_map(|c| match c {
        c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c),
        ' ' => Some('-'),
        _ => None,
    });
    kept.collect()
}

fn unique(id: &str, taken: &[(String, String)]) -> String {
    let is_free = |id: &str| !taken.iter().any(|(t, _)| t == id);
    if is_free(id) {
        return id.to_owned();
    }
    (1..).map(|k| format!("{id}-{k}")).find(|id| is_free(id)).unwrap_or_default()
}

/// Text that is no markup.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The way from a page up to the folder of the book.
fn up(page: &Page) -> String {
    "../".repeat(page.chapter.file.matches('/').count())
}

/// A whole page with contents, search and neighbours.
pub fn document(pages: &[Page], k: usize) -> String {
    let page = &pages[k];
    let up = up(page);
    let group = |file: &str| file.split_once('/').map_or("", |(g, _)| g).to_owned();
    let own = group(&page.chapter.file);
    let mut nav = String::new();
    for other in pages {
        // The pages of a catalogue are listed where one of them is read.
        if other.chapter.level > 0 && group(&other.chapter.file) != own {
            continue;
        }
        let here = if other.chapter.file == page.chapter.file { " aria-current=\"page\"" } else { "" };
        let class = if other.chapter.level > 0 { " class=\"sub\"" } else { "" };
        let _ = writeln!(
            nav,
            "<a{class} href=\"{up}{}\"{here}>{}</a>",
            other.target(),
            escape(&other.chapter.title)
        );
    }
    let beside = |other: Option<&Page>, rel: &str, sign: &str| {
        other.map_or_else(String::new, |p| {
            format!("<a rel=\"{rel}\" href=\"{up}{}\">{sign} {}</a>", p.target(), escape(&p.chapter.title))
        })
    };
    let before = beside(k.checked_sub(1).and_then(|j| pages.get(j)), "prev", "←");
    let after = beside(pages.get(k + 1), "next", "→");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\" data-root=\"{up}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title} – bristle</title>\n\
         <link rel=\"stylesheet\" href=\"{up}book.css\">\n</head>\n<body>\n\
         <header><a class=\"home\" href=\"{up}index.html\">bristle</a>\
         <input type=\"search\" id=\"search\" placeholder=\"Search the book (press /)\" aria-label=\"search the book\" autocomplete=\"off\">\
         <div id=\"found\" role=\"listbox\" aria-label=\"pages found\" hidden></div></header>\n\
         <div class=\"columns\"><details class=\"contents\"><summary>Contents</summary><nav aria-label=\"contents\">\n{nav}</nav></details>\n\
         <main>\n{body}<p class=\"beside\">{before}{after}</p>\n</main></div>\n\
         <script src=\"{up}search.js\"></script>\n<script src=\"{up}book.js\"></script>\n</body>\n</html>\n",
        title = escape(&page.chapter.title),
        body = page.html,
    )
}

/// The index of the search as a script: pages, titles, headings and words.
pub fn index(pages: &[Page]) -> String {
    let text = |s: &str| {
        let mut out = String::from("\"");
        for c in s.chars() {
            match c {
                '"' | '\\' => {
                    out.push('\\');
                    out.push(c);
                }
                '<' => out.push_str("\\u003c"),
                c if c.is_control() => out.push(' '),
                c => out.push(c),
            }
        }
        out + "\""
    };
    let entry = |p: &Page| {
        let headings: Vec<String> =
            p.headings.iter().map(|(id, words)| format!("[{},{}]", text(id), text(words))).collect();
        let words: Vec<&str> = p.words.split_whitespace().collect();
        format!(
            "[{},{},[{}],{}]",
            text(&p.target()),
            text(&p.chapter.title),
            headings.join(","),
            text(&words.join(" "))
        )
    };
    let entries: Vec<String> = pages.iter().map(entry).collect();
    format!("window.bookPages = [\n{}\n];\n", entries.join(",\n"))
}

#[cfg(test)]
mod page_tests {
    use super::*;

    #[test]
    fn headings_can_be_linked_to_and_tables_scroll() {
        let chapter = Chapter { title: "A".into(), file: "a/b.md".into(), level: 1 };
        let page = render(&chapter, "# One `two`\n\n## One two\n\n|a|b|\n|-|-|\n|<b>|2|\n");
        let ids: Vec<&str> = page.headings.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(ids, ["one-two", "one-two-1"]);
        assert!(page.html.contains("<h1 id=\"one-two\">One <code>two</code></h1>"));
        assert!(page.html.contains("class=\"scroll\"") && page.target() == "a/b.html");
        assert!(document(&[page], 0).contains("href=\"../book.css\""));
    }

    #[test]
    fn the_summary_is_read_with_its_levels() {
        let all = summary("# Summary\n\n[I](i.md)\n\n- [Laws](laws/index.md)\n  - [a](laws/a.md)\n");
        let told: Vec<_> = all.iter().map(|c| (c.file.as_str(), c.level)).collect();
        assert_eq!(told, [("i.md", 0), ("laws/index.md", 0), ("laws/a.md", 1)]);
    }
}
