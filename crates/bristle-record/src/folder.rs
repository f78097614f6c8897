//! Writing a whole result folder, or nothing, and never at the cost of what somebody else put there.
//!
//! A folder belongs to the program if it has a manifest ([`MANIFEST`]), is empty, or is not there yet; any other is
//! refused. Only files that the manifest lists, and that still have the contents it says, are replaced or removed.
//! Other files stay as they are.

mod install;
mod manifest;

pub use manifest::{MANIFEST, digest};

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::data::{Data, Sheet};
use crate::error::RecordError;
use crate::record::{Figure, Record};
use crate::render;
use install::{Lock, NEW, READY, install, settle};
use manifest::{Manifest, is_inside};

/// The file that holds the record.
pub const RESULT: &str = "result.json";

/// So much room, in bytes, is tried before a run: a small report with a few figures.
const ROOM: usize = 1_048_576;

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
pub struct WrittenFolder {
    /// The folder.
    pub folder: PathBuf,
    /// The files, relative to the folder, in the order written.
    pub files: Vec<PathBuf>,
    /// New names of files of the user's that stood where one of these had to go.
    pub kept: Vec<PathBuf>,
}

/// The files [`write_folder`] would write, as extra files of a result that holds several others, each within `folder`.
///
/// # Errors
/// [`RecordError`] says what could not be rendered.
pub fn files_within(
    folder: &str,
    record: &Record,
    sheets: &[Sheet],
    extra: &[ExtraFile],
) -> Result<Vec<ExtraFile>, RecordError> {
    let place =
        |(name, bytes): (PathBuf, Vec<u8>)| ExtraFile { name: format!("{folder}/{}", name.display()), bytes };
    Ok(contents(record, sheets, extra)?.into_iter().map(place).collect())
}

/// Writes `report.html`, `figures/*.svg` and `*.png`, the data of every sheet, `result.json` and the extra files
/// into the folder `dir`, in place of those of an earlier result. A single sheet becomes `data.csv` and
/// `data.parquet`, several become `data/<name>.csv` and `data/<name>.parquet`; sheets without columns are left out.
/// An extra file called `result.json` takes the place of the plain record.
///
/// # Errors
/// [`RecordError`] says which file and why; an earlier result stays then.
pub fn write_folder(
    dir: &Path,
    record: &Record,
    sheets: &[Sheet],
    extra: &[ExtraFile],
) -> Result<WrittenFolder, RecordError> {
    let dir = named(dir);
    let files = contents(record, sheets, extra)?;
    check_kind(dir)?;
    let made = make_folder(dir)?;
    let written = fill(dir, &files);
    if written.is_err() {
        for folder in made {
            // Only what is still empty goes.
            let _ = fs::remove_dir(folder);
        }
    }
    let kept = written?;
    Ok(WrittenFolder {
        folder: dir.to_path_buf(),
        files: files.into_iter().map(|(name, _)| name).collect(),
        kept,
    })
}

fn fill(dir: &Path, files: &[(PathBuf, Vec<u8>)]) -> Result<Vec<PathBuf>, RecordError> {
    let lock = Lock::wait(dir);
    check_owner(dir)?;
    settle(dir, &lock)?;
    install(dir, files, &lock)
}

/// Says whether [`write_folder`] could write there, and leaves no trace: a long run must not end in vain.
///
/// The leavings of a killed run are cleared up first.
///
/// # Errors
/// [`RecordError`] says what is in the way: a file, a folder with other contents, files of an earlier result that
/// were changed since, missing permission, or a full disk.
pub fn check_folder(dir: &Path) -> Result<(), RecordError> {
    let dir = named(dir);
    check_kind(dir)?;
    if !dir.exists() {
        return probe(standing(dir));
    }
    check_owner(dir)?;
    if let Some(lock) = Lock::attempt(dir) {
        settle(dir, &lock)?;
    }
    let manifest = Manifest::read(dir)?.unwrap_or_default();
    let changed = manifest.changed(dir)?;
    if !changed.is_empty() {
        return Err(RecordError::Changed { path: dir.to_path_buf(), files: changed });
    }
    let mut folders: Vec<&Path> = manifest.files.keys().filter_map(|name| Path::new(name).parent()).collect();
    folders.sort_unstable();
    folders.dedup();
    let mut folders: Vec<PathBuf> = folders.into_iter().map(|f| dir.join(f)).filter(|f| f.is_dir()).collect();
    folders.push(dir.to_path_buf());
    folders.iter().try_for_each(|folder| probe(folder))
}

/// Whether a folder holds a result.
pub fn holds_result(dir: &Path) -> bool {
    named(dir).join(MANIFEST).is_file()
}

/// The empty path stands for the current folder.
fn named(dir: &Path) -> &Path {
    if dir.as_os_str().is_empty() { Path::new(".") } else { dir }
}

/// The nearest folder above that exists.
fn standing(dir: &Path) -> &Path {
    dir.ancestors().skip(1).map(named).find(|p| p.exists()).unwrap_or(Path::new("."))
}

/// Refuses a file, a path below a file, and a link to nothing.
fn check_kind(dir: &Path) -> Result<(), RecordError> {
    let is_file = |p: &&Path| fs::metadata(p).is_ok_and(|m| !m.is_dir());
    if let Some(file) = dir.ancestors().find(is_file) {
        return Err(RecordError::NotAFolder { path: file.to_path_buf() });
    }
    if !dir.exists() && fs::symlink_metadata(dir).is_ok() {
        return Err(RecordError::Dangling { path: dir.to_path_buf() });
    }
    Ok(())
}

/// Refuses a folder with contents that has no manifest, unless they are all left by a killed run.
fn check_owner(dir: &Path) -> Result<(), RecordError> {
    if Manifest::read(dir)?.is_some() {
        return Ok(());
    }
    for entry in fs::read_dir(dir).map_err(failed("read", dir))? {
        let name = entry.map_err(failed("read", dir))?.file_name();
        if name != NEW && name != READY && !is_moving_in(dir, Path::new(&name)) {
            return Err(RecordError::NotOurs { path: dir.to_path_buf(), marker: MANIFEST });
        }
    }
    Ok(())
}

/// Whether an entry belongs to a first result whose way in was interrupted.
fn is_moving_in(dir: &Path, name: &Path) -> bool {
    let manifest = Manifest::read(&dir.join(READY)).ok().flatten().unwrap_or_default();
    manifest.files.keys().any(|file| Path::new(file).starts_with(name))
}

/// Writes a file without a name, of which nothing is left whatever happens.
fn probe(dir: &Path) -> Result<(), RecordError> {
    let file = tempfile::tempfile_in(dir).and_then(|mut file| file.write_all(&vec![0; ROOM]));
    file.map_err(failed("write into", dir))
}

/// Makes a folder and those above it; gives back those that were not there, the innermost first.
fn make_folder(dir: &Path) -> Result<Vec<PathBuf>, RecordError> {
    let missing = |p: &&Path| !p.as_os_str().is_empty() && !p.exists();
    let made: Vec<PathBuf> = dir.ancestors().take_while(missing).map(Path::to_path_buf).collect();
    fs::create_dir_all(dir).map_err(failed("create", dir))?;
    Ok(made)
}

/// The end of the name of a picture that moves by itself.
pub(crate) const MOVING: &str = "-moving";

/// How long such a picture takes.
const SECONDS: f64 = 8.0;

/// Every file of the folder, rendered.
fn contents(
    record: &Record,
    sheets: &[Sheet],
    extra: &[ExtraFile],
) -> Result<Vec<(PathBuf, Vec<u8>)>, RecordError> {
    let mut files = vec![(PathBuf::from("report.html"), Vec::new())];
    let mut stems: Vec<String> = Vec::new();
    let figures = if record.is_partial { Vec::new() } else { record.figures() };
    for figure in figures {
        let stem = unique(&file_stem(figure.id(), "figure"), &stems);
        let svg = render::svg::figure(figure);
        #[cfg(feature = "png")]
        let png = render::png::from_svg(&svg, figure.id())?;
        files.push((format!("figures/{stem}.svg").into(), svg.into_bytes()));
        if let Figure::Schematic(s) = figure
            && s.film.times.len() > 1
        {
            let moving = render::svg::moving(s, SECONDS);
            files.push((format!("figures/{stem}{MOVING}.svg").into(), moving.into_bytes()));
        }
        #[cfg(feature = "png")]
        files.push((format!("figures/{stem}.png").into(), png));
        stems.push(stem);
    }
    for (stem, data) in data_stems(sheets).into_iter().zip(filled(sheets)) {
        files.push((format!("{stem}.csv").into(), render::csv::table(data)?.into_bytes()));
        #[cfg(feature = "parquet")]
        files.push((format!("{stem}.parquet").into(), render::parquet::table(data)?));
    }
    if !extra.iter().any(|e| e.name == RESULT) {
        files.push((RESULT.into(), render::json::record(record)?.into_bytes()));
    }
    for file in extra {
        let path = PathBuf::from(&file.name);
        let meets = |(name, _): &(PathBuf, Vec<u8>)| name.starts_with(&path) || path.starts_with(name);
        if !is_inside(&path) || is_reserved(&path) || files.iter().any(meets) {
            return Err(RecordError::ExtraName { name: file.name.clone() });
        }
        files.push((path, file.bytes.clone()));
    }
    // The report comes last, since it links to the others.
    let names: Vec<String> = files.iter().map(|(name, _)| name.display().to_string()).collect();
    files[0].1 = render::html::report_beside(record, &names).into_bytes();
    Ok(files)
}

/// Names this module needs for itself.
fn is_reserved(path: &Path) -> bool {
    [MANIFEST, NEW, READY].iter().any(|name| path.starts_with(name))
}

/// The sheets that have columns.
fn filled(sheets: &[Sheet]) -> impl Iterator<Item = &Data> {
    sheets.iter().map(|s| &*s.data).filter(|d| !d.columns.is_empty())
}

/// Where the data of each sheet with columns go, without the ending: `data` for a single one, otherwise
/// `data/<name>`.
pub fn data_stems(sheets: &[Sheet]) -> Vec<String> {
    let names: Vec<&str> =
        sheets.iter().filter(|s| !s.data.columns.is_empty()).map(|s| s.name.as_str()).collect();
    if names.len() == 1 {
        return vec!["data".to_owned()];
    }
    let mut stems: Vec<String> = Vec::new();
    for name in names {
        let stem = unique(&file_stem(name, "study"), &stems);
        stems.push(stem);
    }
    stems.into_iter().map(|stem| format!("data/{stem}")).collect()
}

/// A file name made of an identifier: letters, digits, `-`, `_` and `.` stay.
pub(crate) fn file_stem(id: &str, otherwise: &str) -> String {
    let stem: String = id
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' })
        .collect();
    match stem.trim_matches(['-', '.']) {
        "" => otherwise.into(),
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

/// Writes a file down to the disk.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), RecordError> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(failed("create", parent))?;
    }
    let write = || {
        let mut file = File::create_new(path)?;
        file.write_all(bytes)?;
        file.sync_data()
    };
    write().map_err(failed("write", path))
}

/// Brings the names in a folder down to the disk, where the system can do that.
fn sync_folder(dir: &Path) {
    let _ = File::open(dir).and_then(|folder| folder.sync_all());
}

fn absent_is_fine(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn failed<'a>(action: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> RecordError + 'a {
    move |source| RecordError::Io { action, path: path.to_path_buf(), source }
}
