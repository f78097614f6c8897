//! What stands in the manual is what the code says.

use std::path::Path;

fn docs(path: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(path);
    std::fs::read_to_string(&file).unwrap_or_default()
}

#[test]
fn generated_files_are_current() {
    for (path, text) in bristle::manual::pages() {
        assert!(docs(&format!("src/{path}")) == text, "docs/src/{path} is not current: cargo xtask gen");
    }
    for (path, text) in bristle::python::modules() {
        let package = "../crates/bristle-py/python/bristle";
        assert!(
            docs(&format!("{package}/{path}")) == text,
            "{path} of the Python package is not current: cargo xtask gen"
        );
    }
    assert!(
        docs("schema/scenario.schema.json") == bristle::schema_text(),
        "the schema is not current: cargo xtask gen"
    );
    assert!(
        docs("src/references.md") == bristle::manual::references(&docs("references.bib")),
        "the references are not current: cargo xtask gen"
    );
}

#[test]
fn every_source_is_in_the_references() {
    let bib = docs("references.bib");
    for catalogue in bristle::CatalogueKind::ALL {
        for card in bristle::cards(*catalogue) {
            for key in card.cite {
                assert!(bib.contains(&format!("{{{key},")), "{} cites {key}, which is not listed", card.name);
            }
        }
    }
    for set in bristle::law::sets::PUBLISHED {
        assert!(
            bib.contains(&format!("{{{},", set.cite)),
            "{} cites {}, which is not listed",
            set.name,
            set.cite
        );
    }
}

/// Whoever cites the program, or installs it for Python, has the version that Rust has.
#[test]
fn versions_are_one() {
    let version = env!("CARGO_PKG_VERSION");
    assert!(docs("../CITATION.cff").contains(&format!("\nversion: {version}\n")));
    let package = docs("../crates/bristle-py/Cargo.toml");
    assert!(package.contains(&format!("\nversion = \"{version}\"\n")));
}
