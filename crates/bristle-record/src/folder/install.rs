//! The way of a new result into a folder that may hold an old one and files of the user's.
//!
//! | moment | `.bristle-new` | `.bristle-ready` | the folder holds |
//! |---|---|---|---|
//! | writing | grows | – | the old result |
//! | committed: one rename | – | whole new result | the old result |
//! | moving in, file by file | – | the rest of it | both, mixed |
//! | done: manifest moved, last of all | – | – | the new result |
//!
//! A run killed before the commit leaves the old result and a `.bristle-new` that the next run removes. One killed
//! later leaves a `.bristle-ready` from which the next run goes on. A lock on the folder, which the system gives up
//! with the process, tells the leavings of the dead from the work of the living.

use super::manifest::{MANIFEST, Manifest, PathState, state};
use super::{absent_is_fine, failed, sync_folder, write_file};
use crate::error::RecordError;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// A result that is being written.
pub(super) const NEW: &str = ".bristle-new";

/// A whole result on its way in.
pub(super) const READY: &str = ".bristle-ready";

/// Keeps other runs out of a folder as long as it lives.
pub(super) struct Lock {
    _folder: Option<File>,
}

impl Lock {
    /// Waits for whoever writes there.
    pub fn wait(dir: &Path) -> Lock {
        // File systems without locks have to do without.
        Lock { _folder: File::open(dir).ok().filter(|f| f.lock().is_ok()) }
    }

    /// `None` while another run writes there.
    pub fn attempt(dir: &Path) -> Option<Lock> {
        let folder = File::open(dir).ok()?;
        match folder.try_lock() {
            Err(fs::TryLockError::WouldBlock) => None,
            _ => Some(Lock { _folder: Some(folder) }),
        }
    }
}

/// Clears up after a run that was killed: finishes what was committed, removes what was not.
pub(super) fn settle(dir: &Path, _lock: &Lock) -> Result<(), RecordError> {
    if dir.join(READY).join(MANIFEST).is_file() {
        move_in(dir)?;
    }
    for name in [READY, NEW] {
        remove(&dir.join(name))?;
    }
    Ok(())
}

/// Brings the files into the folder; says which files of the user's had to be renamed.
pub(super) fn install(
    dir: &Path,
    files: &[(PathBuf, Vec<u8>)],
    _lock: &Lock,
) -> Result<Vec<PathBuf>, RecordError> {
    let new = dir.join(NEW);
    let staged = stage(&new, files);
    if staged.is_err() {
        // What is left of it after a second failure is cleared by the next run.
        let _ = fs::remove_dir_all(&new);
    }
    staged?;
    let ready = dir.join(READY);
    fs::rename(&new, &ready).map_err(failed("create", &ready))?;
    sync_folder(dir);
    let kept = move_in(dir)?;
    remove(&ready)?;
    Ok(kept)
}

/// Writes everything aside, down to the disk.
fn stage(new: &Path, files: &[(PathBuf, Vec<u8>)]) -> Result<(), RecordError> {
    fs::create_dir(new).map_err(failed("create", new))?;
    for (name, bytes) in files {
        write_file(&new.join(name), bytes)?;
    }
    write_file(&new.join(MANIFEST), Manifest::of(files).text()?.as_bytes())?;
    for folder in files.iter().flat_map(|(name, _)| name.ancestors().skip(1)).collect::<BTreeSet<_>>() {
        sync_folder(&new.join(folder));
    }
    Ok(())
}

/// Moves a committed result to its place; may be repeated after an interruption at any point.
fn move_in(dir: &Path) -> Result<Vec<PathBuf>, RecordError> {
    let ready = dir.join(READY);
    let new = Manifest::read(&ready)?.unwrap_or_default();
    let old = Manifest::read(dir)?.unwrap_or_default();
    let mut kept = Vec::new();
    for (name, hash) in &new.files {
        let (from, to) = (ready.join(name), dir.join(name));
        if !from.is_file() {
            // Moved before the interruption.
            continue;
        }
        kept.extend(make_folders(dir, Path::new(name))?);
        let ours: Vec<&String> = old.files.get(name).into_iter().chain([hash]).collect();
        if state(&to, &ours).map_err(failed("read", &to))? == PathState::Foreign {
            kept.push(set_aside(&to)?);
        }
        fs::rename(&from, &to).map_err(failed("replace", &to))?;
    }
    for (name, hash) in old.files.iter().filter(|(name, _)| !new.files.contains_key(*name)) {
        let path = dir.join(name);
        if state(&path, &[hash]).map_err(failed("read", &path))? == PathState::Known {
            fs::remove_file(&path).map_err(failed("remove", &path))?;
            remove_empty_folders(dir, Path::new(name));
        }
    }
    for folder in
        new.files.keys().flat_map(|name| Path::new(name).ancestors().skip(1)).collect::<BTreeSet<_>>()
    {
        sync_folder(&dir.join(folder));
    }
    let manifest = dir.join(MANIFEST);
    fs::rename(ready.join(MANIFEST), &manifest).map_err(failed("replace", &manifest))?;
    sync_folder(dir);
    Ok(kept)
}

/// Makes the folders above a file; what stands in their place is kept under another name.
fn make_folders(dir: &Path, name: &Path) -> Result<Option<PathBuf>, RecordError> {
    let Some(above) = name.parent() else { return Ok(None) };
    let mut path = dir.to_path_buf();
    let mut kept = None;
    for part in above.components() {
        path.push(part);
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_dir() => continue,
            Ok(_) => kept = Some(set_aside(&path)?),
            Err(_) => {}
        }
        fs::create_dir(&path).map_err(failed("create", &path))?;
    }
    Ok(kept)
}

/// Renames a file of the user's that stands where one of ours has to go.
fn set_aside(path: &Path) -> Result<PathBuf, RecordError> {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let free = |k: &u32| fs::symlink_metadata(path.with_file_name(format!("{name}.kept-{k}"))).is_err();
    let k = (1..u32::MAX).find(free).unwrap_or(u32::MAX);
    let aside = path.with_file_name(format!("{name}.kept-{k}"));
    fs::rename(path, &aside).map_err(failed("keep", path))?;
    Ok(aside)
}

/// Removes folders that a removed file leaves empty; others refuse to go.
fn remove_empty_folders(dir: &Path, name: &Path) {
    for folder in name.ancestors().skip(1).filter(|f| !f.as_os_str().is_empty()) {
        if fs::remove_dir(dir.join(folder)).is_err() {
            break;
        }
    }
}

/// Removes a folder of ours with all it holds.
fn remove(path: &Path) -> Result<(), RecordError> {
    absent_is_fine(fs::remove_dir_all(path)).map_err(failed("remove", path))
}
