//! Cards as pages: on the terminal, and in the manual.

pub use crate::bibliography::references;
use crate::catalogue::{CatalogueKind, cards};
use crate::sets;
use bristle_core::units::short;
use bristle_core::{Card, Field, Kind, StateRole};
use bristle_record::{Table, render};

/// Columns of running text on the terminal.
const WIDTH: usize = 100;

/// A card for the terminal: words, equation, parameters.
pub fn text(catalogue: CatalogueKind, card: &Card) -> String {
    let mut out = format!("{} ({})\n\n{}\n", card.name, catalogue.one(), wrapped(card.title()));
    if !card.equation().is_empty() {
        let lines: Vec<_> =
            card.equation().lines().map(|l| format!("    {l}").trim_end().to_owned()).collect();
        out += &format!("\n{}\n", lines.join("\n"));
    }
    let remarks = card.remarks();
    for paragraph in remarks.split("\n\n").filter(|p| !p.trim().is_empty()) {
        out += &format!("\n{}\n", wrapped(paragraph));
    }
    if !card.fields.is_empty() {
        out += &format!("\n{}", render::text::table(&fields(card)));
    }
    if has_forces(card) {
        out += "\nLevels can be given as forces instead, all of them and without a load of the contact.\n";
    }
    if !card.states.is_empty() {
        let states: Vec<_> =
            card.states.iter().map(|s| format!("{} [{}] {}", s.name, s.unit, words(s.role))).collect();
        out += &format!("\nstates: {}\n", states.join(", "));
    }
    if !card.tags.is_empty() {
        out += &format!("\ntags: {}\n", card.tags.join(", "));
    }
    if !card.cite.is_empty() {
        out += &format!("\nsource: {}\n", card.cite.join(", "));
    }
    out
}

/// What a state is, in a word.
fn words(role: StateRole) -> &'static str {
    match role {
        StateRole::Deflection => "deflection",
        StateRole::DeflectionRate => "rate of deflection",
        StateRole::Age => "age of the contact",
        StateRole::Strength => "strength of the contact",
    }
}

/// A card as a page of the manual.
pub fn page(card: &Card) -> String {
    let mut out = format!("# {}\n\n{}\n", card.name, card.title());
    if !card.equation().is_empty() {
        out += &format!("\n```text\n{}\n```\n", card.equation());
    }
    let remarks = card.remarks();
    if !remarks.is_empty() {
        out += &format!("\n{remarks}\n");
    }
    if !card.fields.is_empty() {
        out += &format!("\n## Parameters\n\n{}", render::markdown::table(&fields(card)));
    }
    if has_forces(card) {
        out += "\nLevels can be given as forces instead, all of them and without a load of the contact.\n";
    }
    if !card.states.is_empty() {
        out += "\n## States\n\n";
        for state in card.states {
            out += &format!("- `{}` in {}: {}\n", state.name, state.unit, words(state.role));
        }
    }
    if !card.tags.is_empty() {
        out += &format!("\nTags: {}.\n", card.tags.join(", "));
    }
    if !card.cite.is_empty() {
        let keys: Vec<_> = card.cite.iter().map(|key| format!("[{key}](../references.md#{key})")).collect();
        out += &format!("\nSource: {}.\n", keys.join(", "));
    }
    out
}

/// What a law was seen to do, from the kept fingerprints.
fn certified(law: &str) -> String {
    let fingerprint = bristle_certify::fingerprint_of(law);
    if fingerprint.is_empty() {
        return String::new();
    }
    let mut table = Table::new("", &[("property", ""), ("value", "")]);
    for (name, value) in fingerprint {
        table.row([name.as_str().into(), value.as_str().into()]);
    }
    let words = "Defaults under 10 N; what each line means is said under [certificates](../certificates.md).";
    format!("\n## Measured\n\n{words}\n\n{}", render::markdown::table(&table))
}

/// All generated pages, as paths within the book's `src` folder and their texts.
pub fn pages() -> Vec<(String, String)> {
    let mut pages = Vec::new();
    for catalogue in CatalogueKind::ALL {
        let cards = cards(*catalogue);
        let folder = catalogue.name();
        for card in &cards {
            let measured =
                if *catalogue == CatalogueKind::Laws { certified(card.name) } else { String::new() };
            pages.push((format!("{folder}/{}.md", card.name), page(card) + &measured));
        }
        let mut table = Table::new("", &[("name", ""), ("what it is", ""), ("tags", "")]);
        for card in &cards {
            let link = format!("[{0}]({0}.md)", card.name);
            table.row([link.into(), card.title().into(), card.tags.join(", ").into()]);
        }
        let title = folder[..1].to_uppercase() + &folder[1..];
        let body = if cards.is_empty() { "None yet.\n".to_owned() } else { links(&table) };
        pages.push((format!("{folder}/index.md"), format!("# {title}\n\n{body}")));
    }
    pages.push(("sets.md".to_owned(), sets::page()));
    pages.extend(sets::figures());
    pages.push(("rust.md".to_owned(), from_rust()));
    pages.push(("which_law.md".to_owned(), crate::which_law::page()));
    pages.push(("SUMMARY.md".to_owned(), summary()));
    pages
}

/// The examples in Rust, which are compiled with the workspace.
const EXAMPLES: [(&str, &str); 6] = [
    ("A mechanism", include_str!("../../../examples/rust/own_mechanism.rs")),
    ("A law", include_str!("../../../examples/rust/own_law.rs")),
    ("Equations", include_str!("../../../examples/rust/own_dynamics.rs")),
    ("A law in a loop", include_str!("../../../examples/rust/law_in_a_loop.rs")),
    ("Stability", include_str!("../../../examples/rust/stability.rs")),
    ("A report", include_str!("../../../examples/rust/report.rs")),
];

/// The page on using the library.
fn from_rust() -> String {
    let mut out = "# From Rust\n\nEvery law, part and signal has the defaults of its card, all numbers are SI, and nothing needs a \
                   scenario file. Each program below stands in `examples/rust` and runs with `cargo run -p bristle --example NAME`.\n"
        .to_owned();
    for (title, text) in EXAMPLES {
        let (head, code) = text.split_once("\n\n").unwrap_or(("", text));
        let code = code.strip_prefix("#![allow(clippy::print_stdout)]\n\n").unwrap_or(code);
        let head = head.trim_start_matches("//! ").replace("\n//! ", " ");
        out += &format!("\n## {title}\n\n{head}\n\n```rust\n{code}```\n");
    }
    out
}

/// The table of contents: pages written by hand, then the generated ones.
fn summary() -> String {
    let mut out = "# Summary

[Introduction](introduction.md)

- [Start in five minutes](five_minutes.md)
- [Getting started](getting_started.md)
- [The lab](lab.md)
- [Which law?](which_law.md)
- [How do I choose σ₀?](choose_sigma0.md)
- [It creeps, chatters, is slow: why?](why.md)
- [The scenario format](scenario.md)
- [A law of your own](own_laws.md)
- [Results](results.md)
- [From Rust](rust.md)
- [From Python](python.md)
- [From C and C++](c.md)
- [Scenarios and laws as FMUs](fmu.md)
- [My slide squeals](squeal.md)
- [My servo hunts](hunting.md)
- [A thousand variants](vary.md)
- [From a record to a law](fit.md)
  - [Loops of a tribometer](fit_loops.md)
  - [A motor axis](fit_axis.md)
  - [A Stribeck curve](fit_stribeck.md)
  - [A step of velocity on rock](fit_rock.md)
- [Maps in lanes](maps.md)
- [What the verdicts mean](verdicts.md)
- [Certificates](certificates.md)
- [Published parameter sets](sets.md)
- [Plan an experiment](plan.md)
- [Slopes through stick–slip](slopes.md)
- [Where the laws come from](law_sources.md)
- [A benchmark for other simulators](benchmark.md)
- [Friction in other engines](engines.md)
"
    .to_owned();
    for catalogue in CatalogueKind::ALL {
        let folder = catalogue.name();
        let title = folder[..1].to_uppercase() + &folder[1..];
        out += &format!("- [{title}]({folder}/index.md)\n");
        for card in cards(*catalogue) {
            out += &format!("  - [{0}]({folder}/{0}.md)\n", card.name);
        }
    }
    out += "- [Architecture](architecture.md)
- [Add a law](add_a_law.md)
- [Add a part](add_a_part.md)
- [Would a test notice?](mutants.md)
- [Glossary](glossary.md)
- [How to cite](cite.md)
- [References](references.md)
";
    out
}

/// A Markdown table whose links survive: cells are text with inline markup otherwise.
fn links(table: &Table) -> String {
    let mut out = "| name | what it is | tags |\n|---|---|---|\n".to_owned();
    for row in &table.rows {
        let cells: Vec<_> = row.iter().map(|cell| cell.markup().replace('\n', " ")).collect();
        out += &format!("| {} |\n", cells.join(" | "));
    }
    out
}

fn has_forces(card: &Card) -> bool {
    card.fields.iter().any(|f| matches!(f.kind, Kind::Number { force: Some(_), .. }))
}

/// What can be set, as a table.
fn fields(card: &Card) -> Table {
    let has_forces = has_forces(card);
    let mut columns = vec![("key", ""), ("symbol", ""), ("takes", ""), ("default", ""), ("range", "")];
    if has_forces {
        columns.push(("as force", ""));
    }
    columns.push(("meaning", ""));
    let mut table = Table::new("", &columns);
    for field in card.fields {
        let mut row = vec![field.name.to_owned(), field.symbol.to_owned()];
        row.extend([takes(field), default(field), range(field)]);
        if let (true, Kind::Number { force, .. }) = (has_forces, field.kind) {
            row.push(force.unwrap_or_default().to_owned());
        } else if has_forces {
            row.push(String::new());
        }
        row.push(field.doc.trim().replace('\n', " "));
        table.row(row.into_iter().map(|cell| cell.as_str().into()));
    }
    table
}

fn takes(field: &Field) -> String {
    match field.kind {
        Kind::Number { unit, signal: true, .. } => format!("{unit}, or a signal"),
        Kind::Number { unit: "1", .. } => "number".to_owned(),
        Kind::Number { unit, .. } => unit.replace("signal", "unit of the signal"),
        Kind::Choice { options } => {
            options.iter().map(|o| format!("\"{o}\"")).collect::<Vec<_>>().join(" or ")
        }
        Kind::Flag => "true or false".to_owned(),
        Kind::Text { .. } => "text".to_owned(),
        Kind::Name { .. } => "name of a part".to_owned(),
        Kind::Names { count: 0 } => "list of names".to_owned(),
        Kind::Names { count } => format!("list of {count} names"),
        Kind::Table { catalogue, .. } => format!("table: a {catalogue}"),
        Kind::Tables { catalogue } => format!("list of tables: {catalogue}s"),
        Kind::Numbers { unit, .. } => format!("list in {}", unit.replace("signal", "the signal's unit")),
    }
}

fn default(field: &Field) -> String {
    match field.kind {
        Kind::Number { default: Some(value), .. } if value.is_nan() => "optional".to_owned(),
        Kind::Number { default: Some(value), .. } if value >= 1e299 => "for ever".to_owned(),
        Kind::Number { default: Some(value), .. } => short(value),
        Kind::Choice { options } => options.first().map(|o| format!("\"{o}\"")).unwrap_or_default(),
        Kind::Flag => "false".to_owned(),
        Kind::Number { .. } => "required".to_owned(),
        Kind::Text { required }
        | Kind::Name { required }
        | Kind::Table { required, .. }
        | Kind::Numbers { required, .. } => if required { "required" } else { "optional" }.to_owned(),
        Kind::Names { count } => if count > 0 { "required" } else { "optional" }.to_owned(),
        Kind::Tables { catalogue } => if catalogue == "unknown" { "optional" } else { "required" }.to_owned(),
    }
}

fn range(field: &Field) -> String {
    let Kind::Number { min, max, .. } = field.kind else { return String::new() };
    match (min.is_finite(), max.is_finite()) {
        (true, true) => format!("{} … {}", short(min), short(max)),
        (true, false) => format!("≥ {}", short(min)),
        (false, true) => format!("≤ {}", short(max)),
        (false, false) => String::new(),
    }
}

/// Running text broken at words.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if lines[last].is_empty() {
            lines[last].push_str(word);
        } else if lines[last].chars().count() + 1 + word.chars().count() <= WIDTH {
            lines[last].push(' ');
            lines[last].push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join("\n")
}
