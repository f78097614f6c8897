//! Writing a whole result folder, or nothing.
//!
//! All files are first written into a temporary folder beside the target, which then takes the target's
//! place by renaming: a reader never meets a half-written result, and an error leaves no trace.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::data::Data;
use crate::error::RecordError;
use crate::record::Record;
use crate::render;

/// The file whose presence marks a folder as one of ours, which may be replaced.
pub const MARKER: &str = "result.json";

/// A further file for the result folder, such as the scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtraFile {
    /// Path within the folder, such as `scenario.toml`.
    pub name: String,
    /// Contents.
    pub bytes: Vec<u8>,
}

impl ExtraFile {
    /// A text file.
    pub fn text(name: impl Into<String>, text: impl Into<String>) -> ExtraFile {
        ExtraFile { name: name.into(), bytes: text.into().into_bytes() }
    }
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The folder.
    pub folder: PathBuf,
    /// The files, relative to the folder, in the order written.
    pub files: Vec<PathBuf>,
}

/// The files [`write_folder`] would write, as extra files of a result that holds several others, each within `folder`.
///
/// # Errors
/// [`RecordError`] says what could not be rendered.
pub fn files_within(
    folder: &str,
    record: &Record,
    data: &Data,
    extra: &[ExtraFile],
) -> Result<Vec<ExtraFile>, RecordError> {
    data.rows()?;
    let place =
        |(name, bytes): (PathBuf, Vec<u8>)| ExtraFile { name: format!("{folder}/{}", name.display()), bytes };
    Ok(contents(record, data, extra)?.into_iter().map(place).collect())
}

/// Writes `report.html`, `figures/*.svg` and `*.png`, `data.csv`, `data.parquet`, `result.json` and the
/// extra files into the folder `dir`, replacing an earlier result. Data files are left out if there are
/// no columns. An extra file called `result.json` takes the place of the plain record.
///
/// # Errors
/// [`RecordError`] says which file and why; nothing is left behind then, and an earlier result stays.
pub fn write_folder(
    dir: &Path,
    record: &Record,
    data: &Data,
    extra: &[ExtraFile],
) -> Result<Written, RecordError> {
    data.rows()?;
    check_target(dir)?;
    let files = contents(record, data, extra)?;
    let staging = Staging::new(dir)?;
    for (name, bytes) in &files {
        write_file(&staging.path.join(name), bytes)?;
    }
    staging.take_place_of(dir)?;
    Ok(Written { folder: dir.to_path_buf(), files: files.into_iter().map(|(name, _)| name).collect() })
}

/// Says whether [`write_folder`] could write there, and leaves no trace.
///
/// # Errors
/// [`RecordError`] says what is in the way: a file, a folder with other contents, or missing permission.
pub fn check_folder(dir: &Path) -> Result<(), RecordError> {
    check_target(dir)?;
    let is_there = |p: &&Path| p.as_os_str().is_empty() || p.exists();
    let ground = match dir.ancestors().skip(1).find(is_there) {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    };
    let probe = ground.join(temporary_name(dir, "probe"));
    fs::create_dir(&probe).map_err(failed("create", dir))?;
    fs::remove_dir(&probe).map_err(failed("remove", &probe))
}

/// Refuses a file and a filled folder that is not ours.
fn check_target(dir: &Path) -> Result<(), RecordError> {
    let mut entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(e) if e.kind() == io::ErrorKind::NotADirectory => {
            // The target or a folder above it is a file.
            let file = dir.ancestors().find(|p| p.is_file()).unwrap_or(dir);
            return Err(RecordError::NotAFolder { path: file.to_path_buf() });
        }
        Err(e) => return Err(failed("read", dir)(e)),
    };
    if entries.next().is_some() && !dir.join(MARKER).is_file() {
        return Err(RecordError::NotOurs { path: dir.to_path_buf(), marker: MARKER });
    }
    Ok(())
}

/// Every file of the folder, rendered.
fn contents(
    record: &Record,
    data: &Data,
    extra: &[ExtraFile],
) -> Result<Vec<(PathBuf, Vec<u8>)>, RecordError> {
    let mut files = vec![(PathBuf::from("report.html"), render::html::report(record).into_bytes())];
    let mut stems: Vec<String> = Vec::new();
    for figure in record.figures() {
        let stem = unique(&file_stem(figure.id()), &stems);
        let svg = render::svg::figure(figure);
        let png = render::png::from_svg(&svg, figure.id())?;
        files.push((PathBuf::from(format!("figures/{stem}.svg")), svg.into_bytes()));
        files.push((PathBuf::from(format!("figures/{stem}.png")), png));
        stems.push(stem);
    }
    if !data.columns.is_empty() {
        files.push(("data.csv".into(), render::csv::table(data)?.into_bytes()));
        files.push(("data.parquet".into(), render::parquet::table(data)?));
    }
    if !extra.iter().any(|e| e.name == MARKER) {
        files.push((MARKER.into(), render::json::record(record)?.into_bytes()));
    }
    for file in extra {
        let path = PathBuf::from(&file.name);
        let is_inside = path.components().all(|c| matches!(c, Component::Normal(_)));
        if file.name.is_empty() || !is_inside || files.iter().any(|(name, _)| *name == path) {
            return Err(RecordError::ExtraName { name: file.name.clone() });
        }
        files.push((path, file.bytes.clone()));
    }
    Ok(files)
}

/// A file name made of an identifier: letters, digits, `-`, `_` and `.` stay.
pub(crate) fn file_stem(id: &str) -> String {
    let stem: String = id
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' })
        .collect();
    match stem.trim_matches(['-', '.']) {
        "" => "figure".into(),
        stem => stem.chars().take(80).collect(),
    }
}

fn unique(stem: &str, taken: &[String]) -> String {
    // Some file systems do not tell capitals from small letters.
    let is_free = |s: &str| !taken.iter().any(|t| t.eq_ignore_ascii_case(s));
    if is_free(stem) {
        return stem.into();
    }
    (2..).map(|k| format!("{stem}-{k}")).find(|s| is_free(s)).unwrap_or_else(|| stem.into())
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), RecordError> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(failed("create", parent))?;
    }
    fs::write(path, bytes).map_err(failed("write", path))
}

fn failed<'a>(action: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> RecordError + 'a {
    move |source| RecordError::Io { action, path: path.to_path_buf(), source }
}

/// A temporary folder beside the target; removed when dropped, unless it has taken the target's place.
struct Staging {
    path: PathBuf,
}

impl Staging {
    fn new(dir: &Path) -> Result<Staging, RecordError> {
        let parent = match dir.parent() {
            Some(p) if !p.as_os_str().is_empty() => p,
            _ => Path::new("."),
        };
        fs::create_dir_all(parent).map_err(failed("create", parent))?;
        let path = parent.join(temporary_name(dir, "new"));
        fs::create_dir(&path).map_err(failed("create", &path))?;
        Ok(Staging { path })
    }

    fn take_place_of(self, dir: &Path) -> Result<(), RecordError> {
        if fs::symlink_metadata(dir).is_err() {
            return fs::rename(&self.path, dir).map_err(failed("create", dir));
        }
        // The earlier result steps aside first, so that it can step back if the new one cannot move in.
        let aside = self.path.with_file_name(temporary_name(dir, "old"));
        fs::rename(dir, &aside).map_err(failed("replace", dir))?;
        if let Err(e) = fs::rename(&self.path, dir) {
            fs::rename(&aside, dir).map_err(failed("restore", dir))?;
            return Err(failed("replace", dir)(e));
        }
        fs::remove_dir_all(&aside).map_err(failed("remove", &aside))
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // Gone already if it has moved into place; nothing can be done about another failure here.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A hidden name that no other run uses at the same time.
fn temporary_name(dir: &Path, role: &str) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let stem = dir.file_name().map_or_else(|| "result".into(), |n| n.to_string_lossy().into_owned());
    format!(".{stem}.{role}-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}
