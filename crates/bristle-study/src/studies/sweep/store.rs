//! Finished cells in a file, one line each, so that an interrupted sweep can go on.
//!
//! ```text
//! bristle sweep cells <key>     the heading of a block: what the cells below belong to
//! {…}                           one finished cell
//! ```
//!
//! A file that does not begin with such a heading is not a store and is never touched. A store is only ever appended
//! to; another scenario or study begins a block of its own. When a sweep is finished and its results are safe, its
//! blocks are taken out, and the file goes with the last of them.

use super::super::subject::Subject;
use bristle_analysis::sweep::{ParameterSweep, SweepCell};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// How the heading of a block begins.
const HEADING: &str = "bristle sweep cells ";

/// A file for finished cells, and what they belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellStore {
    path: PathBuf,
    key: String,
}

/// What the cells belong to: another scenario or study must not take them over.
pub(super) fn key(subject: &Subject, job: &ParameterSweep) -> String {
    let text = format!("{}\n{:?}\n{:?}", subject.scenario.text, subject.p, job);
    bristle_record::digest(text.as_bytes())
}

/// Refuses a file that is something else.
pub(crate) fn check(path: &Path) -> io::Result<()> {
    let kind = match std::fs::metadata(path) {
        Ok(kind) => kind,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return check_ground(path),
        Err(e) => return Err(e),
    };
    let foreign = || {
        let reason = "it exists and is not a store of finished cells, so it is left alone; name another file";
        io::Error::new(io::ErrorKind::AlreadyExists, reason)
    };
    // A pipe would never end.
    if !kind.is_file() {
        return Err(foreign());
    }
    let mut start = Vec::new();
    File::open(path)?.take(HEADING.len() as u64).read_to_end(&mut start)?;
    if start != HEADING.as_bytes() {
        return Err(foreign());
    }
    OpenOptions::new().append(true).open(path).map(|_| ())
}

/// Whether a new file could be made there; leaves no trace.
fn check_ground(path: &Path) -> io::Result<()> {
    let above = path.ancestors().skip(1).find(|p| p.as_os_str().is_empty() || p.exists());
    tempfile::tempfile_in(above.filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))).map(|_| ())
}

impl CellStore {
    pub(super) fn new(path: impl Into<PathBuf>, key: String) -> CellStore {
        CellStore { path: path.into(), key }
    }

    fn heading(&self) -> String {
        format!("{HEADING}{}", self.key)
    }

    /// The cells of this sweep, each once.
    pub(super) fn read(&self) -> io::Result<Vec<SweepCell>> {
        check(&self.path)?;
        if !self.path.exists() {
            return Ok(Vec::new());
        }
        let text = String::from_utf8_lossy(&std::fs::read(&self.path)?).into_owned();
        let mut cells: Vec<SweepCell> = Vec::new();
        let mut is_own = false;
        for line in text.lines() {
            if line.starts_with(HEADING) {
                is_own = line == self.heading();
            } else if is_own
                // A line cut short by an interruption is left out.
                && let Ok(cell) = serde_json::from_str::<SweepCell>(line)
                && !cells.iter().any(|c| (c.index, c.origin) == (cell.index, cell.origin))
            {
                cells.push(cell);
            }
        }
        Ok(cells)
    }

    /// Begins a block at the end of the file, which is made if there is none.
    pub(super) fn open(&self) -> io::Result<Keeper> {
        check(&self.path)?;
        if let Some(folder) = self.path.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)?;
        }
        if !self.path.exists() {
            // Whole from the first moment, so that a killed run leaves no file that nobody knows.
            self.replace(&format!("{}\n", self.heading()), false)?;
        }
        let mut file = OpenOptions::new().read(true).append(true).open(&self.path)?;
        // Cells belong to the heading above them: two runs at once would mix them up.
        if let Err(std::fs::TryLockError::WouldBlock) = file.try_lock() {
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, "another sweep is writing to it"));
        }
        // A line cut short is ended, so that it does not spoil the next.
        let mut last = [b'\n'];
        if file.seek(SeekFrom::End(-1)).is_ok() {
            file.read_exact(&mut last)?;
        }
        let end = if last == [b'\n'] { "" } else { "\n" };
        file.write_all(format!("{end}{}\n", self.heading()).as_bytes())?;
        Ok(Keeper(Mutex::new(file)))
    }

    /// Takes the blocks of this sweep out; the file goes if nothing else is in it.
    ///
    /// # Errors
    /// What the operating system says. A file that is something else by now is left alone without an error.
    pub fn discard(&self) -> io::Result<()> {
        if check(&self.path).is_err() || !self.path.exists() {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&std::fs::read(&self.path)?).into_owned();
        let mut is_own = false;
        let mut rest = String::new();
        for line in text.lines() {
            if line.starts_with(HEADING) {
                is_own = line == self.heading();
            }
            if !is_own {
                rest += line;
                rest.push('\n');
            }
        }
        if rest.is_empty() { std::fs::remove_file(&self.path) } else { self.replace(&rest, true) }
    }

    /// Writes the file anew, whole or not at all; over an old one only if that is wanted.
    fn replace(&self, text: &str, over: bool) -> io::Result<()> {
        let folder = self.path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        let done = if over { file.persist(&self.path) } else { file.persist_noclobber(&self.path) };
        done.map(|_| ()).map_err(|e| e.error)
    }
}

/// Appends cells as they are finished.
pub(super) struct Keeper(Mutex<File>);

impl Keeper {
    /// Losing a line costs a cell's time, not the sweep.
    pub(super) fn keep(&self, cell: &SweepCell) {
        if let (Ok(mut file), Ok(line)) = (self.0.lock(), serde_json::to_string(cell)) {
            // In one piece, so that a kill cuts at most this line short.
            let _ = file.write_all(format!("{line}\n").as_bytes());
        }
    }
}

#[cfg(test)]
mod store_tests {
    use super::*;
    use bristle_analysis::attractor::{Attractor, Fate};
    use bristle_analysis::lyapunov::Lyapunov;
    use bristle_analysis::sweep::{Origin, StoredOrbit};
    use bristle_core::Mode;
    use std::fs;

    /// A cell full of numbers that decimal digits like to lose.
    fn cell(index: usize) -> SweepCell {
        let mut bits = index as u64;
        let mut next = || {
            // Knuth's multiplier; exponents from 2⁻⁶⁰ to 2⁶⁰, all bits of the fraction in use.
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f64::from_bits(((963 + bits % 120) << 52) | (bits >> 12))
        };
        let lyapunov = Lyapunov { per_cycle: next(), per_second: -next(), cycles: 7 };
        let attractor = Attractor {
            fate: Fate::Chaotic { lyapunov },
            hits: vec![vec![next(), next()], vec![next(), -next()]],
            mean_return: next(),
            min_return: next(),
            max_return: next(),
            min: vec![next(), 5e-324],
            max: vec![next(), 1.797_693_134_862_315_7e308],
            end: vec![next(), -0.0],
            end_mode: vec![Mode::Forward, Mode::Stick],
        };
        let orbit = StoredOrbit {
            multiplicity: 2,
            period: next(),
            hit: vec![next()],
            multipliers: vec![(next(), -next())],
        };
        SweepCell { index, value: next(), origin: Origin::Start(1), attractor, orbits: vec![orbit] }
    }

    fn filled(store: &CellStore, cells: &[SweepCell]) {
        let keeper = store.open().unwrap();
        cells.iter().for_each(|c| keeper.keep(c));
    }

    #[test]
    fn numbers_come_back_bit_by_bit() {
        let dir = tempfile::tempdir().unwrap();
        let store = CellStore::new(dir.path().join("deep/cells"), "key".to_owned());
        assert_eq!(store.read().unwrap(), []);
        let cells: Vec<SweepCell> = (1..200).map(cell).collect();
        filled(&store, &cells[..100]);
        filled(&store, &cells[100..]);
        let found = store.read().unwrap();
        assert_eq!(found, cells);
        // Equality takes both zeros for one.
        assert!(found.iter().all(|c| c.attractor.end[1].is_sign_negative()));
        store.discard().unwrap();
        assert!(!dir.path().join("deep/cells").exists());
        store.discard().unwrap();
    }

    #[test]
    fn several_sweeps_share_a_file_and_leave_each_other_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("cells");
        let [a, b] = ["a", "b"].map(|key| CellStore::new(&path, key.to_owned()));
        let keeper = a.open().unwrap();
        keeper.keep(&cell(1));
        assert!(b.open().is_err(), "not while another run writes");
        drop(keeper);
        filled(&b, &[cell(2)]);
        filled(&a, &[cell(3), cell(1)]);
        assert_eq!(a.read().unwrap(), [cell(1), cell(3)], "each once");
        assert_eq!(b.read().unwrap(), [cell(2)]);
        a.discard().unwrap();
        assert_eq!(a.read().unwrap(), []);
        assert_eq!(b.read().unwrap(), [cell(2)]);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "no temporary file is left");
        b.discard().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn a_line_cut_short_by_a_kill_spoils_no_other() {
        let dir = tempfile::tempdir().unwrap();
        let store = CellStore::new(dir.path().join("cells"), "key".to_owned());
        filled(&store, &[cell(1), cell(2)]);
        let whole = fs::read(dir.path().join("cells")).unwrap();
        let second = whole.len() - serde_json::to_string(&cell(2)).unwrap().len();
        // The first heading is there from the first moment; after it the file may end anywhere.
        for length in (HEADING.len() + 3 + 1..whole.len()).step_by(7) {
            fs::write(dir.path().join("cells"), &whole[..length]).unwrap();
            filled(&store, &[cell(3)]);
            let found = store.read().unwrap();
            assert_eq!(found.last(), Some(&cell(3)), "{length}");
            assert_eq!(found.first() == Some(&cell(1)), length >= second - 2, "{length}");
        }
    }

    #[test]
    fn files_that_are_no_stores_are_refused_and_stay() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("mine");
        for text in ["", "bristle sweep", "title = \"A scenario\"\n", "0123456789abcdef\n{}\n"] {
            fs::write(&path, text).unwrap();
            let store = CellStore::new(&path, "key".to_owned());
            assert!(check(&path).is_err() && store.read().is_err() && store.open().is_err(), "{text}");
            store.discard().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert!(check(dir.path()).is_err(), "a folder is no store");
        let store = CellStore::new(dir.path(), "key".to_owned());
        assert!(store.read().is_err() && store.open().is_err());
        assert!(check(&path.join("below a file")).is_err());
        assert!(check(&dir.path().join("x".repeat(300))).is_err(), "a name that no file can have");
        check(&dir.path().join("not/there/yet")).unwrap();
        check(Path::new("neither-a-file-nor-a-folder")).unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "a check leaves no trace");
    }

    /// Made anew beside itself, a store can lie on another disk than the current folder.
    #[test]
    fn a_store_is_made_where_it_lies() {
        if let Ok(dir) = tempfile::tempdir_in("/dev/shm") {
            let [a, b] = ["a", "b"].map(|key| CellStore::new(dir.path().join("cells"), key.to_owned()));
            filled(&a, &[cell(1)]);
            filled(&b, &[cell(2)]);
            a.discard().unwrap();
            assert_eq!(b.read().unwrap(), [cell(2)]);
        }
    }

    #[test]
    fn a_store_that_cannot_be_made_is_known_before_the_run() {
        if Path::new("/proc/self").exists() {
            assert!(check(Path::new("/proc/cells")).is_err());
            assert!(check(Path::new("/proc/not/there")).is_err());
        }
    }
}
