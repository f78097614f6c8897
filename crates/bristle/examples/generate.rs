//! Writes the manual pages and the schema that are made from the cards; `--check` only compares.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let is_check = std::env::args().any(|a| a == "--check");
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut files: Vec<(PathBuf, String)> = bristle::manual::pages()
        .into_iter()
        .map(|(path, text)| (Path::new("src").join(path), text))
        .collect();
    files.push(("schema/scenario.schema.json".into(), bristle::schema_text()));
    if let Ok(bib) = fs::read_to_string(docs.join("references.bib")) {
        files.push(("src/references.md".into(), bristle::manual::references(&bib)));
    }
    let package = "../crates/bristle-py/python/bristle";
    files.extend(
        bristle::python::modules().into_iter().map(|(path, text)| (Path::new(package).join(path), text)),
    );
    let mut stale = Vec::new();
    for (path, text) in &files {
        let target = docs.join(path);
        if fs::read_to_string(&target).is_ok_and(|old| old == *text) {
            continue;
        }
        stale.push(format!("docs/{}", path.display()));
        let written = target
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| if is_check { Ok(()) } else { fs::write(&target, text) });
        if let Err(error) = written {
            let _ = writeln!(std::io::stderr(), "cannot write {}: {error}", target.display());
            return ExitCode::FAILURE;
        }
    }
    let verdict = match (stale.len(), is_check) {
        (0, _) => format!("{} files are current", files.len()),
        (_, false) => format!("wrote {}", stale.join(", ")),
        (_, true) => format!("not current, run `cargo xtask gen`: {}", stale.join(", ")),
    };
    let _ = writeln!(std::io::stdout(), "{verdict}");
    if is_check && !stale.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
