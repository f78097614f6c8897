//! The list of references as a page of the manual.

use std::fmt::Write;

/// What TeX writes for letters with accents, in the entries we have.
const ACCENTS: &[(&str, &str)] = &[
    (r"{\'e}", "é"),
    (r"{\`a}", "à"),
    (r"{\`e}", "è"),
    (r"{\`i}", "ì"),
    (r#"{\"o}"#, "ö"),
    (r#"{\"u}"#, "ü"),
    (r#"{\"a}"#, "ä"),
    (r"{\AA}", "Å"),
    (r"{\'i}", "í"),
    (r"{\'\i}", "í"),
    (r"{\`\i}", "ì"),
    (r"{\'o}", "ó"),
    (r"{\'a}", "á"),
    (r"{\ss}", "ß"),
    (r"{\o}", "ø"),
    ("---", "—"),
    ("--", "–"),
    ("~", " "),
    (r"\&", "&"),
];

/// A page made from a BibTeX file: one paragraph per entry, each with its key as an anchor.
pub fn references(bib: &str) -> String {
    let mut out = "# References\n".to_owned();
    for entry in bib.split("\n@").skip(1) {
        let Some((_, rest)) = entry.split_once('{') else { continue };
        let Some((key, body)) = rest.split_once(',') else { continue };
        let field = |name: &str| value(body, name);
        let author = field("author").map(|a| a.replace(" and ", "; "));
        let places = ["journal", "booktitle", "institution", "publisher", "howpublished", "note"];
        let numbers = ["volume", "pages", "year"];
        let parts: Vec<String> = places.iter().chain(&numbers).filter_map(|name| field(name)).collect();
        let _ = writeln!(
            out,
            "\n<a id=\"{key}\"></a>**{key}** {}: *{}*. {}.",
            author.unwrap_or_default(),
            field("title").unwrap_or_default(),
            parts.join(", ")
        );
    }
    out
}

/// The value of a field, braces and accents resolved.
fn value(body: &str, name: &str) -> Option<String> {
    let line = body
        .lines()
        .find(|l| l.trim_start().strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('=')))?;
    let text = line.split_once('=')?.1.trim().trim_end_matches(',');
    let mut text = text.to_owned();
    for (tex, letter) in ACCENTS {
        text = text.replace(tex, letter);
    }
    Some(text.replace(['{', '}', '"'], ""))
}

#[cfg(test)]
mod bibliography_tests {
    #[test]
    fn an_entry_becomes_a_paragraph() {
        let bib = "% head\n\n@article{a2000,\n  author = {{\\AA}str{\\\"o}m, Karl and B, C},\n  title = {On {LuGre}},\n  year = {2000}\n}\n";
        let page = super::references(bib);
        assert!(
            page.contains("<a id=\"a2000\"></a>**a2000** Åström, Karl; B, C: *On LuGre*. 2000."),
            "{page}"
        );
    }
}
