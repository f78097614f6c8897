use super::output::{OutputArgs, beside};
use super::slurm;
use crate::failure::Failure;
use crate::reply::{FAILED, INTERRUPTED, Reply};
use crate::watch::ProgressDisplay;
use bristle::vary::{self, VaryOptions};
use bristle::{RunError, Scenario, ScenarioError, StudyKind};
use bristle_vary::store::Shard;
use clap::Args;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Run many variants of a scenario: what varies, and what is asked of every run.
#[derive(Debug, clap::Args)]
pub struct VaryArgs {
    /// The scenario file.
    pub(super) scenario: PathBuf,
    /// What varies, such as `belt.v=0.2:0.6:41`, `tie.k=[8,10,12]` or `pad.law.mu_s="normal(0.6, 0.05)"`; bare numbers are in
    /// SI units.
    #[arg(long, value_name = "PATH=VALUES")]
    pub(super) set: Vec<String>,
    /// What is asked of every run, such as `max(block.q)` or `slips(pad)`.
    #[arg(long = "response", value_name = "RESPONSE")]
    pub(super) responses: Vec<String>,
    /// What happens or does not, such as `slips(pad) > 0`: how often, with an interval.
    #[arg(long = "event", value_name = "EVENT")]
    pub(super) events: Vec<String>,
    /// Outputs whose histories are drawn as bands.
    #[arg(long = "band", value_name = "OUTPUT")]
    pub(super) bands: Vec<String>,
    /// grid, list, random, latin, sobol, saltelli or morris; `grid` unless a distribution is given, then `sobol`.
    #[arg(long, value_name = "DESIGN")]
    pub(super) design: Option<String>,
    /// How many: draws, base points of Saltelli's scheme, or paths of Morris's.
    #[arg(long, value_name = "N")]
    pub(super) runs: Option<f64>,
    /// Where random numbers begin.
    #[arg(long, value_name = "SEED")]
    pub(super) seed: Option<u32>,
    /// The study of kind `vary` that is meant, where the scenario has several and nothing is set here.
    #[arg(long, value_name = "STUDY")]
    pub(super) study: Option<String>,
    /// Folder for finished runs; kept, and shared by all shards. Without it they are kept beside the results until those are
    /// written.
    #[arg(long, value_name = "DIR")]
    pub(super) store: Option<PathBuf>,
    /// Make only these runs, such as `3/8`, and no report: `bristle gather DIR` joins them.
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
    /// Begin even if it takes days.
    #[arg(long)]
    pub(super) yes: bool,
    /// Hand the shards to Slurm as an array, with these options for `sbatch`, such as "--partition=short --time=1:00:00".
    #[arg(long, value_name = "OPTIONS", num_args = 0..=1, default_missing_value = "", require_equals = true)]
    slurm: Option<String>,
    /// How many shards Slurm is handed.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    shards: u64,
    /// Print the script for Slurm and do nothing else.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    output: OutputArgs,
}

/// Joins `--slurm` and the options for `sbatch` that follow it, which begin with hyphens as well: whatever is no option of `vary`.
pub fn with_slurm_joined(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let vary = VaryArgs::augment_args(clap::Command::new("vary"));
    let is_ours = |word: &str| {
        let name = word.split('=').next().unwrap_or(word);
        name == "--help" || vary.get_arguments().any(|a| name.strip_prefix("--") == a.get_long())
    };
    let mut joined: Vec<OsString> = Vec::new();
    for word in words {
        let follows = joined.last().is_some_and(|last| last == "--slurm");
        match word.to_str().filter(|word| follows && word.starts_with("--") && !is_ours(word)) {
            Some(options) => {
                joined.pop();
                joined.push(format!("--slurm={options}").into());
            }
            None => joined.push(word),
        }
    }
    joined
}

/// The study that the words of a command line make.
const OWN: &str = "vary";

fn odd(message: impl Into<String>, hint: &str) -> Failure {
    Failure::Odd { message: message.into(), hint: hint.to_owned() }
}

impl VaryArgs {
    pub fn obey(self) -> Result<Reply, Failure> {
        let (scenario, study) = self.question()?;
        let shard = match &self.shard {
            Some(text) => Shard::parse(text).ok_or_else(|| {
                odd(format!("`--shard {text}` names no shard"), "write `--shard 3/8` for the third of eight")
            })?,
            None => Shard::WHOLE,
        };
        if let Some(options) = &self.slurm {
            return slurm::submit(&self, &scenario, &study, options, self.shards, self.dry_run);
        }
        if self.dry_run {
            return Err(odd("`--dry-run` prints a script for Slurm", "say `--slurm` as well"));
        }
        let options = VaryOptions { shard, store: self.store.clone(), is_patient: self.yes };
        if self.shard.is_some() {
            return self.one_shard(&scenario, &study, &options);
        }
        let folder = self.output.folder(&self.scenario, "-vary")?;
        let own = beside(&folder, "runs");
        let store = Some(self.store.clone().unwrap_or_else(|| own.clone()));
        let mut watch = ProgressDisplay::new();
        let outcome = vary::vary(&scenario, Some(&study), &VaryOptions { store, ..options }, &mut watch);
        watch.finish();
        let outcome = outcome.map_err(Failure::of_run)?;
        let mut reply = self.output.write(&folder, &scenario, &outcome)?;
        let kept = self.store.as_ref().unwrap_or(&own);
        if outcome.stopped_early {
            reply.text += &format!(
                "finished runs are kept in {}; the same command goes on from them\n",
                kept.display()
            );
        } else if self.store.is_none() {
            vary::discard(&own);
        }
        Ok(reply)
    }

    /// Runs of one shard, without a report.
    fn one_shard(&self, scenario: &Scenario, study: &str, options: &VaryOptions) -> Result<Reply, Failure> {
        let Some(store) = &self.store else {
            return Err(odd("`--shard` needs `--store`", "name a folder that all shards share"));
        };
        let mut watch = ProgressDisplay::new();
        let done = vary::run_shard(scenario, Some(study), options, &mut watch);
        watch.finish();
        let done = done.map_err(Failure::of_run)?;
        let text = format!(
            "shard {}: {} of {} runs are in {} ({} from before, {} failed)\n",
            options.shard,
            done.finished,
            done.total,
            store.display(),
            done.resumed,
            done.failed
        );
        Ok(Reply::new(text).with_code(if done.stopped_early { INTERRUPTED } else { 0 }))
    }

    /// The scenario with the question in it, and the name of that.
    pub(super) fn question(&self) -> Result<(Scenario, String), Failure> {
        let scenario = Scenario::from_file(&self.scenario)?;
        if self.set.is_empty() {
            let mut studies = scenario.studies.iter().filter(|s| s.kind == StudyKind::Vary);
            let found = studies.find(|s| self.study.as_ref().is_none_or(|name| s.name == *name));
            let missing = || RunError::NothingToVary { scenario: scenario.name.clone() };
            let name = found.ok_or_else(missing).map_err(Failure::of_run)?.name.clone();
            let is_changed = !self.responses.is_empty() || !self.events.is_empty() || self.design.is_some();
            if is_changed || self.runs.is_some() || self.seed.is_some() || !self.bands.is_empty() {
                let hint = "say what varies with `--set` as well, or change the study in the file";
                return Err(odd("a study of the file is asked as it stands there", hint));
            }
            return Ok((scenario, name));
        }
        let mut table = Table::new();
        let set: Vec<String> = self.set.iter().map(|entry| vary::with_units(&scenario, entry)).collect();
        let has_distribution = set.iter().any(|entry| entry.contains('('));
        let design = self.design.clone().unwrap_or_else(|| {
            if has_distribution || self.runs.is_some() { "sobol".to_owned() } else { "grid".to_owned() }
        });
        let list = |texts: &[String]| Value::Array(texts.iter().cloned().map(Value::String).collect());
        table.insert("kind".to_owned(), Value::String("vary".to_owned()));
        table.insert("design".to_owned(), Value::String(design));
        table.insert("over".to_owned(), list(&set));
        for (key, texts) in [("responses", &self.responses), ("events", &self.events), ("bands", &self.bands)]
        {
            if !texts.is_empty() {
                table.insert(key.to_owned(), list(texts));
            }
        }
        if let Some(runs) = self.runs {
            table.insert("runs".to_owned(), Value::Float(runs));
        }
        if let Some(seed) = self.seed {
            table.insert("seed".to_owned(), Value::Integer(i64::from(seed)));
        }
        let whole: Table =
            scenario.text.parse().map_err(|e: toml::de::Error| odd(e.to_string(), "mend the file"))?;
        let mut studies = whole.get("studies").and_then(Value::as_table).cloned().unwrap_or_default();
        let mut name = OWN.to_owned();
        while studies.contains_key(&name) {
            name.push('_');
        }
        studies.insert(name.clone(), Value::Table(table));
        // The file is in order: what is wrong was said on the command line.
        let wrong = |e: ScenarioError| Failure::Scenario(e.within("the study that the command line makes"));
        let asked = scenario.asking(&studies).map_err(wrong)?;
        Ok((asked, name))
    }
}

/// Join the runs of all shards in a folder and report what they say, and what is missing.
#[derive(Debug, clap::Args)]
pub struct Gather {
    /// The folder given to `bristle vary` with `--store`.
    runs: PathBuf,
    #[command(flatten)]
    output: OutputArgs,
}

impl Gather {
    pub fn obey(self) -> Result<Reply, Failure> {
        let stem = self.runs.file_name().unwrap_or(self.runs.as_os_str()).to_string_lossy().into_owned();
        let folder = self.output.folder(Path::new(&stem), "-gathered")?;
        let mut watch = ProgressDisplay::new();
        let gathered = vary::gather(&self.runs, &mut watch);
        watch.finish();
        let (scenario, mut outcome) = gathered.map_err(Failure::of_run)?;
        // Nobody has interrupted this: what is missing was not made.
        let is_partial = std::mem::take(&mut outcome.stopped_early);
        let reply = self.output.write(&folder, &scenario, &outcome)?;
        Ok(if is_partial { reply.with_code(FAILED) } else { reply })
    }
}
