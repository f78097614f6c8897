//! Finished runs in files that survive a kill, a full disk and one another.
//!
//! ```text
//! DIR/plan.json                what the runs belong to, written once and whole
//! DIR/shard-3-of-8.runs        a heading line with the key of the plan, then one record a run
//! ```
//!
//! A shard is only ever appended to, by one process at a time. A record has a mark, a length and a checksum: one that was cut short
//! is passed over, whatever comes after it. A file that does not begin as a shard does is never touched.

mod record;

pub use record::RunRecord;

use record::StoreReading;
use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// How the heading of a shard begins.
const HEADING: &str = "bristle runs 1 ";

/// The file that says what the runs belong to.
const PLAN: &str = "plan.json";

/// One of several parts of all runs: those whose index leaves `number` over when divided by `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 0.
    pub number: u64,
    /// Of how many.
    pub count: u64,
}

impl Shard {
    /// Everything.
    pub const WHOLE: Shard = Shard { number: 0, count: 1 };

    /// Reads `3/8`, the third of eight.
    pub fn parse(text: &str) -> Option<Shard> {
        let (number, count) = text.split_once('/')?;
        let [number, count] = [number, count].map(|n| n.trim().parse::<u64>());
        let (number, count) = (number.ok()?, count.ok()?);
        (1..=count).contains(&number).then(|| Shard { number: number - 1, count })
    }

    /// How many of `total` runs are in it.
    pub fn size(self, total: u64) -> u64 {
        (total + self.count - 1 - self.number) / self.count
    }

    /// Its file.
    fn file(self) -> String {
        format!("shard-{}-of-{}.runs", self.number + 1, self.count)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.number + 1, self.count)
    }
}

/// A folder with the runs of one plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunStore {
    folder: PathBuf,
    key: String,
}

/// Why a store refuses.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The operating system does.
    #[error("cannot use `{}`: {}", path.display(), reason(source))]
    System {
        /// Which file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is somebody else's.
    #[error("`{}` is not a store of runs, so it is left alone", path.display())]
    Foreign {
        /// Which.
        path: PathBuf,
    },
    /// The runs are those of something else.
    #[error("`{}` holds the runs of another scenario, study or seed", path.display())]
    Other {
        /// Which.
        path: PathBuf,
    },
    /// Another process writes.
    #[error("another process is writing to `{}`", path.display())]
    Busy {
        /// Which.
        path: PathBuf,
    },
    /// There is no plan.
    #[error("there are no runs in `{}`", path.display())]
    Missing {
        /// The folder.
        path: PathBuf,
    },
}

/// What the operating system says, without its number.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "the disk is full".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "it can only be read".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::NotADirectory => "it is not a folder".to_owned(),
        io::ErrorKind::FileTooLarge => "the file grew larger than it may".to_owned(),
        _ => error.to_string(),
    }
}

fn system(path: &Path) -> impl Fn(io::Error) -> StoreError + '_ {
    move |source| StoreError::System { path: path.to_owned(), source }
}

/// The plan kept in a folder, as text.
///
/// # Errors
/// [`StoreError::Missing`] where there is none, and what the operating system says.
pub fn plan(folder: &Path) -> Result<String, StoreError> {
    let path = folder.join(PLAN);
    match fs::read_to_string(&path) {
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Err(StoreError::Missing { path: folder.to_owned() })
        }
        read => read.map_err(system(&path)),
    }
}

impl RunStore {
    /// The store of a plan with that key, which is made where there is none. `plan` is kept beside the runs, and holds the key.
    ///
    /// # Errors
    /// [`StoreError`]; nothing was changed then.
    pub fn open(folder: &Path, key: &str, plan: &str) -> Result<RunStore, StoreError> {
        let store = RunStore { folder: folder.to_owned(), key: key.to_owned() };
        let path = folder.join(PLAN);
        match fs::metadata(folder) {
            Ok(about) if !about.is_dir() => return Err(StoreError::Foreign { path: folder.to_owned() }),
            Ok(_) if !path.exists() && !is_empty(folder).map_err(system(folder))? => {
                return Err(StoreError::Foreign { path: folder.to_owned() });
            }
            Ok(_) => {}
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(folder).map_err(system(folder))?;
            }
            Err(e) => return Err(system(folder)(e)),
        }
        if !path.exists() {
            place(folder, &path, plan.as_bytes()).map_err(system(&path))?;
        }
        // Whoever was first has decided.
        let found = fs::read_to_string(&path).map_err(system(&path))?;
        if !found.contains(key) {
            return Err(StoreError::Other { path: folder.to_owned() });
        }
        Ok(store)
    }

    /// The store that is there, whose plan was read before.
    pub fn existing(folder: &Path, key: &str) -> RunStore {
        RunStore { folder: folder.to_owned(), key: key.to_owned() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn heading(&self) -> String {
        format!("{HEADING}{}\n", self.key)
    }

    /// Hands on every whole record of every shard, whichever way all runs were divided. A run may come twice, with the same bits.
    ///
    /// # Errors
    /// [`StoreError`] for a shard that belongs to something else or cannot be read.
    pub fn read(&self, mut each: impl FnMut(RunRecord)) -> Result<(), StoreError> {
        let mut files: Vec<PathBuf> = fs::read_dir(&self.folder)
            .map_err(system(&self.folder))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|e| e == "runs"))
            .collect();
        files.sort();
        for path in files {
            let heading = self.check(&path)?;
            let mut bytes = Vec::new();
            File::open(&path).and_then(|mut f| f.read_to_end(&mut bytes)).map_err(system(&path))?;
            StoreReading::new(&bytes[heading.min(bytes.len())..]).for_each(&mut each);
        }
        Ok(())
    }

    /// Refuses a file that is no shard of this plan; gives the length of its heading.
    fn check(&self, path: &Path) -> Result<usize, StoreError> {
        let about = fs::metadata(path).map_err(system(path))?;
        let foreign = || StoreError::Foreign { path: path.to_owned() };
        if !about.is_file() {
            return Err(foreign());
        }
        let heading = self.heading();
        let mut start = Vec::new();
        let file = File::open(path).map_err(system(path))?;
        file.take(heading.len() as u64).read_to_end(&mut start).map_err(system(path))?;
        if start == heading.as_bytes() {
            return Ok(heading.len());
        }
        let is_ours = start.starts_with(HEADING.as_bytes());
        Err(if is_ours { StoreError::Other { path: path.to_owned() } } else { foreign() })
    }

    /// Opens a shard to append to it, alone.
    ///
    /// # Errors
    /// [`StoreError`], among them that another process is at it.
    pub fn append(&self, shard: Shard) -> Result<ShardWriter, StoreError> {
        let path = self.folder.join(shard.file());
        if !path.exists() {
            place(&self.folder, &path, self.heading().as_bytes()).map_err(system(&path))?;
        }
        self.check(&path)?;
        let file = OpenOptions::new().append(true).open(&path).map_err(system(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(ShardWriter { file, path }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Busy { path }),
            // A folder that knows no locks: whoever shares it has to see to it that shards are not.
            Err(TryLockError::Error(_)) => Ok(ShardWriter { file, path }),
        }
    }

    /// Takes the store away once what it held is safe elsewhere: its own files, and the folder if nothing else is in it.
    pub fn discard(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.extension().is_some_and(|e| e == "runs") && self.check(&path).is_ok() {
                let _ = fs::remove_file(path);
            }
        }
        let _ = fs::remove_file(self.folder.join(PLAN));
        let _ = fs::remove_dir(&self.folder);
    }
}

fn is_empty(folder: &Path) -> io::Result<bool> {
    Ok(fs::read_dir(folder)?.next().is_none())
}

/// Puts a file there whole or not at all, and never over another.
fn place(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(".new-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Err(e) if e.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(e) => Err(e.error),
        Ok(_) => Ok(()),
    }
}

/// Appends finished runs to a shard.
#[derive(Debug)]
pub struct ShardWriter {
    file: File,
    path: PathBuf,
}

impl ShardWriter {
    /// Appends a run in one piece; what was appended before stays whatever happens.
    ///
    /// # Errors
    /// [`StoreError::System`], such as a full disk.
    pub fn keep(&mut self, run: &RunRecord) -> Result<(), StoreError> {
        self.file.write_all(&run.to_bytes()).map_err(system(&self.path))
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// [`StoreError::System`].
    pub fn sync(&self) -> Result<(), StoreError> {
        self.file.sync_data().map_err(system(&self.path))
    }
}

#[cfg(test)]
mod store_tests {
    use super::*;

    fn run(index: u64) -> RunRecord {
        let value = 1.0 / (index as f64 + 3.0);
        if index % 7 == 5 {
            RunRecord { index, found: Err(format!("step {index} too small")) }
        } else {
            RunRecord { index, found: Ok(vec![value, -value, f64::NAN]) }
        }
    }

    fn all(store: &RunStore) -> Vec<RunRecord> {
        let mut all = Vec::new();
        store.read(|run| all.push(run)).unwrap();
        all
    }

    fn same(a: &RunRecord, b: &RunRecord) -> bool {
        a.to_bytes() == b.to_bytes()
    }

    #[test]
    fn a_shard_cut_or_spoilt_anywhere_loses_no_other_run() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("deep/store");
        let store = RunStore::open(&folder, "key", "plan of key").unwrap();
        let mut writer = store.append(Shard::WHOLE).unwrap();
        (0..20).for_each(|i| writer.keep(&run(i)).unwrap());
        drop(writer);
        let path = folder.join("shard-1-of-1.runs");
        let whole = fs::read(&path).unwrap();
        let heading = store.heading().len();
        for cut in (heading..whole.len()).step_by(13) {
            // Cut short, and then appended to.
            fs::write(&path, &whole[..cut]).unwrap();
            store.append(Shard::WHOLE).unwrap().keep(&run(99)).unwrap();
            let found = all(&store);
            assert_eq!(found.last().map(|r| r.index), Some(99), "{cut}");
            assert!(found[..found.len() - 1].iter().enumerate().all(|(i, r)| same(r, &run(i as u64))));
            // A byte changed in the midst costs one run.
            let mut spoilt = whole.clone();
            spoilt[cut] ^= 0x55;
            fs::write(&path, &spoilt).unwrap();
            let found = all(&store);
            assert!(found.len() == 19 && found.iter().all(|r| same(r, &run(r.index))), "{cut}");
        }
    }

    #[test]
    fn shards_of_two_plans_and_two_writers_are_kept_apart() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("store");
        let store = RunStore::open(&folder, "one", "plan one").unwrap();
        assert!(matches!(RunStore::open(&folder, "two", "plan two"), Err(StoreError::Other { .. })));
        let shard = Shard::parse("2/8").unwrap();
        let mut writer = store.append(shard).unwrap();
        writer.keep(&run(1)).unwrap();
        assert!(matches!(store.append(shard), Err(StoreError::Busy { .. })));
        let mut other = store.append(Shard { number: 2, count: 8 }).unwrap();
        other.keep(&run(2)).unwrap();
        assert_eq!(all(&store).len(), 2);
        assert_eq!(plan(&folder).unwrap(), "plan one");
        drop((writer, other));
        store.discard();
        assert!(!folder.exists());
        assert!(matches!(plan(&folder), Err(StoreError::Missing { .. })));
    }

    #[test]
    fn what_is_no_store_is_refused_and_stays() {
        let dir = tempfile::tempdir().unwrap();
        let mine = dir.path().join("mine");
        fs::write(&mine, "notes").unwrap();
        assert!(matches!(RunStore::open(&mine, "key", "plan"), Err(StoreError::Foreign { .. })));
        assert!(matches!(RunStore::open(dir.path(), "key", "plan"), Err(StoreError::Foreign { .. })));
        let folder = dir.path().join("store");
        let store = RunStore::open(&folder, "key", "plan of key").unwrap();
        fs::write(folder.join("shard-1-of-1.runs"), "my own").unwrap();
        assert!(matches!(store.append(Shard::WHOLE), Err(StoreError::Foreign { .. })));
        assert!(matches!(store.read(|_| ()), Err(StoreError::Foreign { .. })));
        store.discard();
        assert_eq!(fs::read_to_string(folder.join("shard-1-of-1.runs")).unwrap(), "my own");
        assert_eq!(fs::read_to_string(&mine).unwrap(), "notes");
    }

    #[test]
    fn where_nothing_can_be_written_it_says_so() {
        if Path::new("/proc/self").exists() {
            let error = RunStore::open(Path::new("/proc/runs"), "key", "plan").unwrap_err();
            assert!(matches!(error, StoreError::System { .. }), "{error}");
        }
        if let Ok(file) = OpenOptions::new().append(true).open("/dev/full") {
            let mut writer = ShardWriter { file, path: "runs".into() };
            let error = writer.keep(&run(1)).unwrap_err();
            assert_eq!(error.to_string(), "cannot use `runs`: the disk is full");
        }
    }

    #[test]
    fn shards_divide_all_runs() {
        for total in [0, 1, 7, 8, 9, 100] {
            let sizes: u64 = (0..8).map(|number| Shard { number, count: 8 }.size(total)).sum();
            assert_eq!(sizes, total);
        }
        for wrong in ["0/8", "9/8", "8", "a/b", "1/0", "-1/2"] {
            assert_eq!(Shard::parse(wrong), None, "{wrong}");
        }
    }
}
