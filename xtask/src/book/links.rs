//! Links of the book: none leads nowhere.

use super::page::Page;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// The attributes that name other files.
const ATTRIBUTES: [&str; 2] = [" href=\"", " src=\""];

/// Rewrites links to pages, and notes the files a page shows or names: those of the repository come along.
pub fn bring_along(root: &Path, source: &Path, page: &mut Page, files: &mut BTreeMap<PathBuf, PathBuf>) {
    let folder = Path::new(&page.chapter.file).parent().unwrap_or(Path::new("")).to_path_buf();
    let up = "../".repeat(page.chapter.file.matches('/').count());
    let rewrite = |link: &str| -> String {
        let (path, anchor) = link.split_once('#').map_or((link, ""), |(p, a)| (p, a));
        if path.is_empty() || is_outside(link) {
            return link.to_owned();
        }
        let tail = if anchor.is_empty() { String::new() } else { format!("#{anchor}") };
        if let Some(stem) = path.strip_suffix(".md").filter(|_| inside(&folder.join(path)).is_some()) {
            return format!("{stem}.html{tail}");
        }
        // Files beside the pages keep their place; others of the repository lie under `files`.
        let origin = source.join(&folder).join(path);
        match inside(&folder.join(path)) {
            Some(place) => {
                if origin.is_file() {
                    files.insert(place, origin);
                }
                link.to_owned()
            }
            None => match plain(&origin).and_then(|p| Some(p.strip_prefix(plain(root)?).ok()?.to_path_buf()))
            {
                Some(place) if origin.is_file() => {
                    files.insert(Path::new("files").join(&place), origin);
                    format!("{up}files/{}{tail}", place.display())
                }
                _ => link.to_owned(),
            },
        }
    };
    page.html = replaced(&page.html, rewrite);
}

/// The page with every link replaced.
fn replaced(html: &str, mut with: impl FnMut(&str) -> String) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((at, attribute)) = next(rest) {
        let start = at + attribute.len();
        let end = rest[start..].find('"').map_or(rest.len(), |e| start + e);
        out += &rest[..start];
        out += &with(&rest[start..end]);
        rest = &rest[end..];
    }
    out + rest
}

fn next(html: &str) -> Option<(usize, &'static str)> {
    ATTRIBUTES.iter().filter_map(|a| Some((html.find(a)?, *a))).min()
}

/// Every link of a page.
fn links(html: &str) -> Vec<String> {
    let mut all = Vec::new();
    replaced(html, |link| {
        all.push(link.to_owned());
        String::new()
    });
    all
}

fn is_outside(link: &str) -> bool {
    link.contains("://") || link.starts_with("mailto:") || link.starts_with("data:")
}

/// A path without `..`; nothing if it leads out of the folder it begins in.
fn inside(path: &Path) -> Option<PathBuf> {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => out.push(name),
            Component::ParentDir if !out.pop() => return None,
            _ => {}
        }
    }
    Some(out)
}

/// A whole path without `..`.
fn plain(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

/// What is wrong with the links of all pages.
pub fn check(folder: &Path, pages: &[Page], files: &BTreeMap<PathBuf, PathBuf>) -> Vec<String> {
    let mut problems = Vec::new();
    for page in pages {
        let own = page.target();
        let from = Path::new(&own).parent().unwrap_or(Path::new("")).to_path_buf();
        for link in links(&page.html).into_iter().filter(|l| !is_outside(l)) {
            let (path, anchor) = link.split_once('#').map_or((link.as_str(), ""), |(p, a)| (p, a));
            let target = if path.is_empty() { Some(PathBuf::from(&own)) } else { inside(&from.join(path)) };
            let other = pages.iter().find(|p| Some(PathBuf::from(p.target())) == target);
            let has_anchor = |p: &Page| {
                anchor.is_empty()
                    || p.headings.iter().any(|(id, _)| id == anchor)
                    || p.html.contains(&format!("id=\"{anchor}\""))
            };
            let is_file = target.as_ref().is_some_and(|t| files.contains_key(t) || folder.join(t).is_file());
            match other {
                Some(page) if has_anchor(page) => {}
                Some(_) => problems.push(format!("{}: no heading for `{link}`", page.chapter.file)),
                None if is_file => {}
                None => problems.push(format!("{}: `{link}`", page.chapter.file)),
            }
        }
    }
    problems
}

#[cfg(test)]
mod links_tests {
    use super::super::page::{Chapter, render};
    use super::*;

    fn page(file: &str, text: &str) -> Page {
        render(&Chapter { title: file.into(), file: file.into(), level: 0 }, text)
    }

    #[test]
    fn dead_links_are_told() {
        let root = Path::new("/nowhere");
        let mut pages = vec![
            page("a.md", "# A\n[b](laws/b.md#there) [c](c.md) [d](#a) [out](https://example.org/x.md)"),
            page("laws/b.md", "# There\n[up](../a.md) [gone](../a.md#gone) ![p](p.svg)"),
        ];
        let mut files = BTreeMap::new();
        pages.iter_mut().for_each(|p| bring_along(root, root, p, &mut files));
        assert!(pages[0].html.contains("laws/b.html#there") && pages[1].html.contains("../a.html"));
        let told = check(root, &pages, &files);
        assert_eq!(
            told,
            ["a.md: `c.html`", "laws/b.md: no heading for `../a.html#gone`", "laws/b.md: `p.svg`"]
        );
    }
}
