//! The list of the files a result folder was given, each with its hash: what may be replaced, and what may not.

use super::failed;
use crate::error::RecordError;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// The file that lists what the program wrote into a folder.
pub const MANIFEST: &str = ".bristle-manifest.json";

/// Files and their hashes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// Who wrote them.
    pub generator: String,
    /// Path within the folder, with `/` between its parts, and SHA-256 of the contents.
    pub files: BTreeMap<String, String>,
}

impl Manifest {
    /// The manifest of these files.
    pub fn of(files: &[(PathBuf, Vec<u8>)]) -> Manifest {
        let entry = |(path, bytes): &(PathBuf, Vec<u8>)| (slashed(path), digest(bytes));
        let generator = concat!("bristle ", env!("CARGO_PKG_VERSION")).to_owned();
        Manifest { generator, files: files.iter().map(entry).collect() }
    }

    /// The manifest of a folder, `None` without one.
    ///
    /// One that cannot be read, or that names files outside the folder, is nobody's word on what may be replaced.
    pub fn read(dir: &Path) -> Result<Option<Manifest>, RecordError> {
        let path = dir.join(MANIFEST);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(failed("read", &path)(e)),
        };
        let manifest = serde_json::from_str::<Manifest>(&text).ok();
        let manifest = manifest.filter(|m| m.files.keys().all(|name| is_inside(Path::new(name))));
        manifest.map(Some).ok_or(RecordError::Manifest { path })
    }

    /// The file's contents.
    pub fn text(&self) -> Result<String, RecordError> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Those files that are no longer as they were written.
    pub fn changed(&self, dir: &Path) -> Result<Vec<String>, RecordError> {
        let mut changed = Vec::new();
        for (name, hash) in &self.files {
            let path = dir.join(name);
            match state(&path, &[hash]).map_err(failed("read", &path))? {
                PathState::Absent | PathState::Known => {}
                PathState::Foreign => changed.push(name.clone()),
            }
        }
        Ok(changed)
    }
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathState {
    /// Nothing.
    Absent,
    /// A file with one of the hashes asked for.
    Known,
    /// Anything else: another file, a folder, a link.
    Foreign,
}

/// What stands at a path, given the hashes of what may be replaced. Links are not followed.
pub(super) fn state(path: &Path, hashes: &[&String]) -> io::Result<PathState> {
    let kind = match fs::symlink_metadata(path) {
        Ok(kind) => kind,
        // A file where a folder was hides what was in that folder; that file is judged where it stands.
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(PathState::Absent);
        }
        Err(e) => return Err(e),
    };
    if !kind.is_file() {
        return Ok(PathState::Foreign);
    }
    let found = digest_of(path)?;
    Ok(if hashes.contains(&&found) { PathState::Known } else { PathState::Foreign })
}

/// Whether a path stays within the folder it is joined to.
pub(super) fn is_inside(path: &Path) -> bool {
    let mut parts = path.components().peekable();
    parts.peek().is_some() && parts.all(|c| matches!(c, Component::Normal(_)))
}

/// SHA-256 in hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn digest_of(path: &Path) -> io::Result<String> {
    let mut file = fs::File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 65_536];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(&hasher.finalize())),
            n => hasher.update(&buffer[..n]),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.components().map(|c| c.as_os_str().to_string_lossy().into_owned()).collect();
    parts.join("/")
}

#[cfg(test)]
mod manifest_tests {
    use super::*;

    /// The hash of "abc" from the standard (FIPS 180-4).
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn the_hash_is_sha_256_whether_of_bytes_or_of_a_file() {
        assert_eq!(digest(b"abc"), ABC);
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("abc");
        fs::write(&path, "abc").unwrap();
        assert_eq!(digest_of(&path).unwrap(), ABC);
        // Longer than the buffer.
        let long = vec![7; 200_000];
        fs::write(&path, &long).unwrap();
        assert_eq!(digest_of(&path).unwrap(), digest(&long));
    }

    #[test]
    fn a_path_is_inside_only_if_it_names_something_below() {
        assert!(is_inside(Path::new("a")) && is_inside(Path::new("a/b.c")));
        for name in ["", ".", "..", "/a", "../a", "a/../b"] {
            assert!(!is_inside(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn a_manifest_comes_back_and_a_broken_one_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Manifest::read(dir.path()).unwrap(), None);
        let manifest = Manifest::of(&[(["a", "b"].iter().collect(), b"abc".to_vec())]);
        assert_eq!(manifest.files["a/b"], ABC);
        fs::write(dir.path().join(MANIFEST), manifest.text().unwrap()).unwrap();
        assert_eq!(Manifest::read(dir.path()).unwrap(), Some(manifest));
        for text in ["", "{}", r#"{"generator": "x", "files": {"../a": "b"}}"#] {
            fs::write(dir.path().join(MANIFEST), text).unwrap();
            assert!(matches!(Manifest::read(dir.path()), Err(RecordError::Manifest { .. })), "{text}");
        }
        fs::remove_file(dir.path().join(MANIFEST)).unwrap();
        fs::create_dir(dir.path().join(MANIFEST)).unwrap();
        assert!(matches!(Manifest::read(dir.path()), Err(RecordError::Io { .. })));
    }

    #[test]
    fn only_files_that_are_there_and_differ_have_changed() {
        let dir = tempfile::tempdir().unwrap();
        let names = ["same", "edited", "gone", "folder", "deep/hidden"];
        let files: Vec<_> = names.iter().map(|n| (PathBuf::from(n), b"abc".to_vec())).collect();
        let manifest = Manifest::of(&files);
        fs::write(dir.path().join("same"), "abc").unwrap();
        fs::write(dir.path().join("edited"), "abcd").unwrap();
        fs::create_dir(dir.path().join("folder")).unwrap();
        fs::write(dir.path().join("deep"), "a file where a folder was").unwrap();
        assert_eq!(manifest.changed(dir.path()).unwrap(), ["edited", "folder"]);
        // What cannot be looked at is not taken for absent, and so for free to be written over.
        let long = Manifest::of(&[("x".repeat(300).into(), Vec::new())]);
        assert!(matches!(long.changed(dir.path()), Err(RecordError::Io { .. })));
    }
}
