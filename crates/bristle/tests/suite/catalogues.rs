//! Every file of a catalogue's folder is in the catalogue; a file without its line would be dead text.

use bristle::{CatalogueKind, cards};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where the entries of a catalogue live, and what else its folder holds.
const FOLDERS: [(CatalogueKind, &str, &[&str]); 6] = [
    (CatalogueKind::Laws, "bristle-law/src/laws", &[]),
    (CatalogueKind::Parts, "bristle-mech/src/parts", &[]),
    (CatalogueKind::Signals, "bristle-mech/src/signals", &["form"]),
    (CatalogueKind::Methods, "bristle-solve/src/methods", &["explicit", "diffsol", "rosenbrock", "stepper"]),
    (CatalogueKind::Studies, "bristle-study/src/studies", &["drawing", "subject"]),
    (CatalogueKind::Cases, "bristle-cases/src/cases", &["cell", "front", "reading", "tally"]),
];

/// Entries whose card stands in the list itself, since a library or a choice between others is behind them.
const IN_THE_LIST: [&str; 5] = ["auto", "bdf", "esdirk34", "tsit45", "generalised_alpha"];

/// The stems of a folder and the text each stands for: `name.rs`, or `name/mod.rs`.
fn stems(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let file = if path.is_dir() { path.join("mod.rs") } else { path };
        // A folder without `mod.rs` belongs to the file of the same name.
        if let (Ok(text), true) = (std::fs::read_to_string(file), stem != "mod") {
            found.push((stem, text));
        }
    }
    found
}

/// The struct that carries the card of that name.
fn described(text: &str, stem: &str) -> Option<String> {
    let card = text.split("\n#[card(").skip(1).find(|rest| {
        let name = rest.split("name = \"").nth(1).and_then(|r| r.split('"').next());
        name == Some(stem)
    })?;
    let name = card.split("\npub struct ").nth(1)?;
    Some(name.split(|c: char| !c.is_alphanumeric()).next()?.to_owned())
}

#[test]
fn every_file_has_its_line_in_the_list() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (catalogue, folder, helpers) in FOLDERS {
        let list = std::fs::read_to_string(crates.join(folder).join("mod.rs")).unwrap();
        let listed: BTreeSet<&str> = cards(catalogue).iter().map(|c| c.name).collect();
        let stems = stems(&crates.join(folder));
        for (stem, text) in &stems {
            let has_module = list.lines().any(|l| l.ends_with(&format!("mod {stem};")));
            if helpers.contains(&stem.as_str()) {
                assert!(
                    has_module,
                    "{folder}/{stem}.rs is not compiled: add `mod {stem};` to {folder}/mod.rs"
                );
                continue;
            }
            let Some(name) = described(text, stem) else {
                panic!("{folder}/{stem}.rs: no struct has a card named `{stem}`")
            };
            assert!(
                has_module && listed.contains(stem.as_str()),
                "{folder}/{stem}.rs has no entry: add `mod {stem};` and `{stem}::{name},` to {folder}/mod.rs"
            );
            assert_eq!(
                name.to_lowercase(),
                stem.replace('_', ""),
                "{folder}/{stem}.rs: the type has its letters"
            );
        }
        for name in listed.iter().filter(|name| !IN_THE_LIST.contains(name)) {
            assert!(stems.iter().any(|(stem, _)| stem == name), "{folder}: the card `{name}` has no file");
        }
    }
}

/// The page of every entry is in the book, under its name.
#[test]
fn every_entry_has_its_page() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    let contents = std::fs::read_to_string(book.join("SUMMARY.md")).unwrap();
    for catalogue in CatalogueKind::ALL {
        for card in cards(*catalogue) {
            let page = format!("{}/{}.md", catalogue.name(), card.name);
            assert!(book.join(&page).is_file(), "docs/src/{page} is missing: run `cargo xtask gen`");
            assert!(
                contents.contains(&page),
                "docs/src/SUMMARY.md does not list {page}: run `cargo xtask gen`"
            );
            assert!(card.title().ends_with('.'), "{page}");
        }
    }
}
