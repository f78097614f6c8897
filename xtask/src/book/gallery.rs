//! A page with every example and its picture.

use crate::stage::Stage;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The page, which is made anew with the book.
pub const FILE: &str = "gallery.md";

/// Draws every example; the text of the page.
pub fn draw(root: &Path, folder: &Path) -> Result<String, String> {
    let pictures = folder.join("mechanisms");
    fs::create_dir_all(&pictures).map_err(|e| format!("cannot create {}: {e}", pictures.display()))?;
    if !crate::stage::cargo("the program", &["build", "--quiet", "--workspace"]).run() {
        return Err("the program does not build".to_owned());
    }
    let program = root.join("target/debug/bristle").display().to_string();
    let mut out = String::from(
        "# Gallery\n\nEvery example with its mechanism, drawn from its parts by `bristle check FILE --draw PICTURE`. A run shows the same picture as it moves.\n\n",
    );
    for path in examples(root)? {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let inside = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        let picture = pictures.join(format!("{stem}.svg")).display().to_string();
        let stage = Stage::of("picture", &program, &["check", &inside, "--draw", &picture]).silent();
        if !stage.run() {
            return Err(format!("{inside} cannot be drawn"));
        }
        let text = fs::read_to_string(&path).map_err(|e| format!("cannot read {inside}: {e}"))?;
        let title = text.lines().find_map(|l| l.strip_prefix("title = ")).unwrap_or(&stem).trim_matches('"');
        let about: Vec<&str> = text
            .lines()
            .take_while(|l| l.starts_with('#'))
            .map(|l| l.trim_start_matches('#').trim())
            .collect();
        let _ = writeln!(out, "## {title}\n");
        let _ = writeln!(
            out,
            "<a href=\"../../{inside}\"><img src=\"mechanisms/{stem}.svg\" alt=\"Mechanism: {title}\" loading=\"lazy\"></a>\n"
        );
        let _ = writeln!(out, "{}\n\n`bristle run {inside}` · [scenario](../../{inside})\n", about.join(" "));
    }
    Ok(out)
}

/// All scenarios, in order.
fn examples(root: &Path) -> Result<Vec<PathBuf>, String> {
    let folder = "examples";
    let entries = fs::read_dir(root.join(folder)).map_err(|e| format!("cannot read {folder}: {e}"))?;
    let mut all: Vec<PathBuf> =
        entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "toml")).collect();
    all.sort();
    Ok(all)
}
