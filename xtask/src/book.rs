//! The book as a folder of pages that open from disk: `target/book/index.html`.
//!
//! Pages are Markdown under `docs/src`, in the order of `SUMMARY.md`. The search is an index in a script, which browsers load from
//! disk where they would not fetch a file. Pictures of the examples are drawn by the program.

mod gallery;
mod links;
mod page;

use page::{Chapter, Page};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the book goes.
pub const FOLDER: &str = "target/book";

/// Where the lab goes in it.
const LAB: &str = "lab/index.html";

/// What stands around the pages.
const STYLE: &str = include_str!("book/book.css");
const SCRIPT: &str = include_str!("book/book.js");

/// Builds the book; says how many pages it has, and what is wrong with its links.
pub fn build() -> Result<usize, String> {
    let root = crate::stage::root();
    let source = root.join("docs/src");
    let folder = root.join(FOLDER);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|e| failed("clear", &folder, &e))?;
    }
    let mut chapters = page::summary(&read(&source.join("SUMMARY.md"))?);
    let gallery = gallery::draw(root, &folder)?;
    let place = chapters
        .iter()
        .position(|c| c.level > 0 || c.file.ends_with("laws/index.md"))
        .unwrap_or(chapters.len());
    chapters.insert(place, Chapter { title: "Gallery".to_owned(), file: gallery::FILE.to_owned(), level: 0 });
    let mut pages: Vec<Page> = Vec::new();
    let mut files: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    // The lab, where it has been built; its chapter says how.
    let lab = root.join(crate::lab::PAGE);
    if lab.is_file() {
        files.insert(PathBuf::from(LAB), lab);
    }
    for chapter in &chapters {
        let mut text =
            if chapter.file == gallery::FILE { gallery.clone() } else { read(&source.join(&chapter.file))? };
        if chapter.file == "lab.md" && files.contains_key(Path::new(LAB)) {
            text = text.replacen("\n\n", &format!("\n\n**<a href=\"{LAB}\">Open the lab</a>**\n\n"), 1);
        }
        pages.push(page::render(chapter, &text));
    }
    for page in &mut pages {
        links::bring_along(root, &source, page, &mut files);
    }
    let problems = links::check(&folder, &pages, &files);
    if !problems.is_empty() {
        return Err(format!("links that lead nowhere:\n  {}", problems.join("\n  ")));
    }
    for (k, page) in pages.iter().enumerate() {
        write(&folder.join(page.target()), page::document(&pages, k).as_bytes())?;
    }
    for (target, origin) in &files {
        let bytes = fs::read(origin).map_err(|e| failed("read", origin, &e))?;
        write(&folder.join(target), &bytes)?;
    }
    write(&folder.join("book.css"), STYLE.as_bytes())?;
    write(&folder.join("book.js"), SCRIPT.as_bytes())?;
    write(&folder.join("search.js"), page::index(&pages).as_bytes())?;
    let front = pages.first().map_or_else(String::new, Page::target);
    let door = format!(
        "<!DOCTYPE html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0; url={front}\"><a href=\"{front}\">The book</a>\n"
    );
    if !pages.iter().any(|p| p.target() == "index.html") {
        write(&folder.join("index.html"), door.as_bytes())?;
    }
    Ok(pages.len())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|e| failed("read", path, &e))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(|e| failed("create", parent, &e))?;
    }
    fs::write(path, bytes).map_err(|e| failed("write", path, &e))
}

fn failed(action: &str, path: &Path, error: &std::io::Error) -> String {
    format!("cannot {action} {}: {error}", path.display())
}
