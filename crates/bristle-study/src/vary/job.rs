//! All runs of a study: on all cores, kept as they finish, in an order that changes nothing.

use super::engine::Engine;
use super::question::VaryQuestion;
use super::table::TableRows;
use crate::error::RunError;
use bristle_solve::{Cancel, Progress};
use bristle_vary::store::{RunRecord, RunStore, Shard, ShardWriter, StoreError};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How runs are made and kept.
#[derive(Clone, Debug)]
pub struct VaryOptions {
    /// Which of them.
    pub shard: Shard,
    /// Where they are kept; nowhere unless given.
    pub store: Option<PathBuf>,
    /// Whether it may take days.
    pub is_patient: bool,
}

impl Default for VaryOptions {
    fn default() -> Self {
        VaryOptions { shard: Shard::WHOLE, store: None, is_patient: false }
    }
}

/// Runs that a worker takes at a time.
const BATCH: u64 = 8;

/// How often somebody is told how far it is, and asked whether to go on.
const GLANCE: Duration = Duration::from_millis(50);

/// Fewer runs than this are begun without an estimate.
const FEW: u64 = 20_000;

/// So long a first look at the rate takes.
const LOOK: Duration = Duration::from_millis(400);

/// Longer work than this has to be wanted, s.
const LONG: f64 = 86_400.0;

/// More runs than this have to be wanted, whatever they cost: their table fills the memory.
const MANY: u64 = 100_000_000;

/// Points at which the engine tries its short cuts.
const TRIED: u64 = 12;

/// Where finished runs go.
struct JobKeeper {
    writer: Option<ShardWriter>,
    rows: TableRows,
    error: Option<StoreError>,
}

/// What came of the work.
#[derive(Debug)]
pub(crate) struct Done {
    /// The runs that are there, in order.
    pub rows: TableRows,
    /// Whether it was stopped before its end.
    pub stopped_early: bool,
    /// Runs that were kept before.
    pub resumed: u64,
}

/// Opens the store of a question.
pub(crate) fn open(question: &VaryQuestion, options: &VaryOptions) -> Result<Option<RunStore>, RunError> {
    let Some(folder) = &options.store else { return Ok(None) };
    let (key, plan) = question.plan();
    RunStore::open(folder, &key, &plan).map(Some).map_err(refused)
}

pub(crate) fn refused(source: StoreError) -> RunError {
    RunError::Runs { source }
}

/// Makes all runs of a shard that are not there yet.
pub(crate) fn work(
    question: &VaryQuestion,
    options: &VaryOptions,
    progress: &mut dyn Progress,
) -> Result<Done, RunError> {
    let (design, shard) = (&question.design, options.shard);
    let total = shard.size(design.count());
    let points: Vec<Vec<f64>> = (0..TRIED.min(design.count()))
        .map(|i| {
            let mut point = vec![0.0; question.varied.len()];
            design.point(i * (design.count() / TRIED.min(design.count())), &mut point);
            point
        })
        .collect();
    let mut engine = question.engine(&points);
    let goes_on = engine.learn(design.count(), &mut || progress.at(0.0) && Cancel::check().is_ok());
    // What is refused leaves nothing behind; of work that was begun only the rest counts.
    let is_begun = options.store.as_ref().is_some_and(|folder| folder.exists());
    let judge = |runs: u64| {
        if options.is_patient || runs <= FEW { Ok(()) } else { estimate(question, &engine, runs, options) }
    };
    if !is_begun {
        judge(total)?;
    }
    let store = open(question, options)?;
    let writer = store.as_ref().map(|s| s.append(shard)).transpose().map_err(refused)?;
    let mut rows = TableRows::new(question.width());
    if let Some(store) = &store {
        let own = |index: u64| index % shard.count == shard.number && index < design.count();
        store
            .read(|run| {
                if own(run.index) {
                    rows.push(run)
                }
            })
            .map_err(refused)?;
        rows.sort();
    }
    let resumed = rows.len() as u64;
    if is_begun {
        judge(total - resumed.min(total))?;
    }
    let done: Vec<u64> = rows.indices().to_vec();
    let keeper = Mutex::new(JobKeeper { writer, rows, error: None });
    let (next, finished, cancel) = (AtomicU64::new(0), AtomicU64::new(0), Cancel::default());
    let is_failed = AtomicBool::new(false);
    if !goes_on {
        cancel.cancel();
    }
    let (tell, told) = mpsc::channel::<()>();
    let begun = Instant::now();
    let work = |tell: mpsc::Sender<()>| {
        let mut worker = engine.worker();
        let mut point = vec![0.0; question.varied.len()];
        loop {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= total || cancel.is_cancelled() || is_failed.load(Ordering::Relaxed) {
                break;
            }
            for place in first..(first + BATCH).min(total) {
                let index = shard.number + place * shard.count;
                if done.binary_search(&index).is_ok() {
                    continue;
                }
                design.point(index, &mut point);
                let Some(found) = worker.run(&point) else { return };
                let run = RunRecord { index, found };
                let Ok(mut keeper) = keeper.lock() else { return };
                if let Some(Err(error)) = keeper.writer.as_mut().map(|w| w.keep(&run)) {
                    keeper.error.get_or_insert(error);
                    is_failed.store(true, Ordering::Relaxed);
                    return;
                }
                keeper.rows.push(run);
                drop(keeper);
                finished.fetch_add(1, Ordering::Relaxed);
            }
        }
        drop(tell);
    };
    let threads = rayon::current_num_threads().min(total.div_ceil(BATCH).max(1) as usize);
    let mut is_stopped = false;
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (tell, cancel, work) = (tell.clone(), cancel.clone(), &work);
            scope.spawn(move || cancel.scope(|| work(tell)));
        }
        drop(tell);
        // Ends once every worker has let go of its end.
        let mut said = begun;
        while let Err(mpsc::RecvTimeoutError::Timeout) = told.recv_timeout(GLANCE) {
            let finished = finished.load(Ordering::Relaxed);
            let seconds = begun.elapsed().as_secs_f64();
            if said.elapsed().as_millis() > 400 {
                said = Instant::now();
                let rate = finished as f64 / seconds;
                progress.begin(&format!(
                    "{}: {} of {total} runs, {rate:.0} a second",
                    question.study.name,
                    resumed + finished
                ));
            }
            let share = (resumed + finished) as f64 / total.max(1) as f64;
            if !progress.at(share) || Cancel::check().is_err() {
                is_stopped = true;
                cancel.cancel();
            }
        }
    });
    let Ok(keeper) = keeper.into_inner() else { return Err(RunError::Stopped) };
    if let Some(writer) = &keeper.writer {
        // What can be had of a disk that fails now is in the message of the write that failed.
        let _ = writer.sync();
    }
    if let Some(error) = keeper.error {
        return Err(refused(error));
    }
    let mut rows = keeper.rows;
    rows.sort();
    let stopped_early = (rows.len() as u64) < total;
    debug_assert!(stopped_early || !is_stopped || rows.len() as u64 == total);
    Ok(Done { rows, stopped_early, resumed })
}

/// Refuses work that takes days unless it is wanted.
fn estimate(
    question: &VaryQuestion,
    engine: &Engine,
    runs: u64,
    options: &VaryOptions,
) -> Result<(), RunError> {
    let mut worker = engine.worker();
    let mut point = vec![0.0; question.varied.len()];
    let (begun, mut tried) = (Instant::now(), 0u64);
    let step = (question.design.count() / 64).max(1);
    while begun.elapsed() < LOOK && tried < 64 {
        question.design.point(tried * step % question.design.count(), &mut point);
        if worker.run(&point).is_none() {
            return Err(RunError::Stopped);
        }
        tried += 1;
    }
    let rate = tried as f64 / begun.elapsed().as_secs_f64() * rayon::current_num_threads() as f64;
    let seconds = runs as f64 / rate;
    if seconds < LONG && (runs < MANY || options.shard.count > 1) {
        return Ok(());
    }
    Err(RunError::TooLong { runs, rate, seconds })
}

/// Every run that a store holds, whoever made it; and how many of each shard of so many are missing.
pub(crate) fn gathered(question: &VaryQuestion, store: &RunStore) -> Result<TableRows, RunError> {
    let mut rows = TableRows::new(question.width());
    let count = question.design.count();
    store
        .read(|run| {
            if run.index < count {
                rows.push(run)
            }
        })
        .map_err(refused)?;
    rows.sort();
    Ok(rows)
}
