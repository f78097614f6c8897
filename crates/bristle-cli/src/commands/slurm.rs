//! Shards handed to Slurm: one script, an array job.

use super::vary::VaryArgs;
use crate::failure::Failure;
use crate::reply::Reply;
use bristle::Scenario;
use bristle::vary::{self, VaryOptions};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-=+,%@:".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn whole(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The script of an array of shards.
fn script(vary: &VaryArgs, store: &Path, options: &str, shards: u64) -> String {
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("bristle"));
    let stem = vary.scenario.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut words: Vec<String> =
        vec![program.display().to_string(), "vary".to_owned(), whole(&vary.scenario).display().to_string()];
    let mut option = |name: &str, values: &[String]| {
        for value in values {
            words.extend([format!("--{name}"), value.clone()]);
        }
    };
    option("set", &vary.set);
    option("response", &vary.responses);
    option("event", &vary.events);
    option("band", &vary.bands);
    option("design", vary.design.as_slice());
    option("runs", &vary.runs.map(|n| n.to_string()).into_iter().collect::<Vec<_>>());
    option("seed", &vary.seed.map(|n| n.to_string()).into_iter().collect::<Vec<_>>());
    option("study", vary.study.as_slice());
    option("store", &[store.display().to_string()]);
    if vary.yes {
        words.push("--yes".to_owned());
    }
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    let mut lines = vec![
        "#!/bin/bash".to_owned(),
        format!("#SBATCH --job-name=bristle-{}", stem.replace(|c: char| !c.is_ascii_alphanumeric(), "_")),
        format!("#SBATCH --array=1-{shards}"),
        "#SBATCH --requeue".to_owned(),
        "#SBATCH --open-mode=append".to_owned(),
        format!("#SBATCH --output={}", quoted(&format!("{}.%a.log", store.display()))),
    ];
    lines.extend(options.split_whitespace().map(|option| format!("#SBATCH {option}")));
    lines.extend([
        "# A shard that was begun before goes on from where it was; one that is whole does nothing."
            .to_owned(),
        "export RAYON_NUM_THREADS=\"${SLURM_CPUS_PER_TASK:-1}\"".to_owned(),
        format!("exec {} --shard \"$SLURM_ARRAY_TASK_ID/{shards}\"", words.join(" ")),
    ]);
    lines.join("\n") + "\n"
}

/// Writes the script beside the store and submits it, or prints it.
pub fn submit(
    vary: &VaryArgs,
    scenario: &Scenario,
    study: &str,
    options: &str,
    shards: u64,
    is_dry: bool,
) -> Result<Reply, Failure> {
    let Some(store) = &vary.store else {
        let hint = "name a folder that all nodes share".to_owned();
        return Err(Failure::Odd { message: "`--slurm` needs `--store`".to_owned(), hint });
    };
    let store = whole(store);
    let text = script(vary, &store, options, shards);
    if is_dry {
        return Ok(Reply::new(text));
    }
    vary::prepare(
        scenario,
        Some(study),
        &VaryOptions { store: Some(store.clone()), ..VaryOptions::default() },
    )
    .map_err(Failure::of_run)?;
    let path = PathBuf::from(format!("{}.slurm.sh", store.display()));
    let is_foreign = path.exists()
        && !std::fs::read_to_string(&path).is_ok_and(|t| t.contains("#SBATCH --job-name=bristle-"));
    if is_foreign {
        return Err(Failure::Exists { path });
    }
    std::fs::write(&path, &text)
        .map_err(|e| Failure::Unwritable { path: path.clone(), reason: e.to_string() })?;
    let hint = format!("the script is in {}: `sbatch` it where Slurm is", path.display());
    let sent = Command::new("sbatch").arg(&path).output();
    let sent =
        sent.map_err(|e| Failure::Odd { message: format!("cannot call `sbatch`: {e}"), hint: hint.clone() })?;
    if !sent.status.success() {
        let message = format!("`sbatch` refused: {}", String::from_utf8_lossy(&sent.stderr).trim());
        return Err(Failure::Odd { message, hint });
    }
    let said = String::from_utf8_lossy(&sent.stdout).trim().to_owned();
    let text = format!(
        "{said}\n{shards} shards; when they are done: bristle gather {}\n",
        quoted(&store.display().to_string())
    );
    Ok(Reply::new(text))
}
