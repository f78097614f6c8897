//! Many variants: what is typed, what is kept, what is refused.

use crate::terminal::{Reply, Terminal};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A belt whose runs take some milliseconds.
fn terminal() -> Terminal {
    let terminal = Terminal::new();
    let text = include_str!("../../../../examples/belt.toml").replace("rtol = 1e-11", "rtol = 1e-8");
    terminal.file("belt.toml", text);
    terminal
}

const SET: [&str; 8] = [
    "--set",
    "pad.law.F_s=normal(117.72, 4)",
    "--set",
    "belt.v=uniform(0.4, 0.6)",
    "--response",
    "slips(pad)",
    "--response",
    "max(block.q)",
];

fn words<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["vary", "belt.toml"], &SET[..], more].concat()
}

fn good(reply: &Reply) {
    assert_eq!(reply.code, Some(0), "{}{}", reply.out, reply.err);
}

/// Whole records of all shards.
fn kept(store: &Path) -> BTreeMap<u64, Vec<u8>> {
    let mut runs = BTreeMap::new();
    let Ok(entries) = fs::read_dir(store) else { return runs };
    for path in entries.map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "runs")) {
        let bytes = fs::read(path).unwrap();
        let mut rest = &bytes[bytes.iter().position(|b| *b == b'\n').map_or(bytes.len(), |i| i + 1)..];
        while rest.len() > 12 && rest.starts_with(b"\xb7run") {
            let length = u32::from_le_bytes(rest[4..8].try_into().unwrap()) as usize;
            let Some(body) = rest.get(12..12 + length) else { break };
            runs.insert(u64::from_le_bytes(body[..8].try_into().unwrap()), body.to_vec());
            rest = &rest[12 + length..];
        }
    }
    runs
}

/// Nothing finished is lost to twenty kills, and the final table is that of an undisturbed run, byte by byte.
#[test]
fn twenty_kills_of_a_study_lose_nothing() {
    let terminal = terminal();
    good(&terminal.types(&words(&["--runs", "400", "--out", "undisturbed"])));
    assert!(!terminal.folder.join("undisturbed-runs").exists(), "runs go once the results are safe");
    let again = words(&["--runs", "400", "--out", "result", "--store", "runs"]);
    let store = terminal.folder.join("runs");
    let (mut before, mut growth, mut dice) = (kept(&store), 0, 0x2545_f491_4f6c_dd1d_u64);
    for _ in 0..20 {
        let mut run = terminal.command(&again).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // As soon as some more runs are kept, however fast the machine is.
        let (enough, begun) = (before.len() + (dice >> 33) as usize % 30, Instant::now());
        while kept(&store).len() < enough && begun.elapsed() < Duration::from_secs(10) {
            if run.try_wait().unwrap().is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = run.kill();
        run.wait().unwrap();
        let now = kept(&store);
        assert!(before.iter().all(|(index, body)| now.get(index) == Some(body)), "a finished run is lost");
        growth += usize::from(now.len() > before.len());
        before = now;
    }
    assert!(growth >= 2, "the kills came too early to show anything: {growth}");
    good(&terminal.types(&again));
    let read = |folder: &str| fs::read_to_string(terminal.folder.join(folder).join("data.csv")).unwrap();
    assert_eq!(read("result"), read("undisturbed"));
}

#[test]
fn shards_are_joined_and_what_is_missing_is_said() {
    let terminal = terminal();
    good(&terminal.types(&words(&["--runs", "30", "--out", "whole"])));
    for shard in ["1/3", "3/3"] {
        good(&terminal.types(&words(&["--runs", "30", "--store", "runs", "--shard", shard])));
    }
    let part = terminal.types(&["gather", "runs", "--out", "joined"]);
    assert_eq!(part.code, Some(1), "{}", part.err);
    assert!(part.out.contains("10 of 30"), "{}", part.out);
    good(&terminal.types(&words(&["--runs", "30", "--store", "runs", "--shard", "2/3"])));
    good(&terminal.types(&["gather", "runs", "--out", "joined"]));
    let read = |folder: &str| fs::read_to_string(terminal.folder.join(folder).join("data.csv")).unwrap();
    assert_eq!(read("joined"), read("whole"));
}

#[test]
fn what_cannot_be_meant_is_refused_with_a_way_out() {
    let terminal = terminal();
    let refuses = |more: &[&str], says: &[&str]| {
        let said = terminal.refuses(&[&["vary", "belt.toml"], more].concat()).replace("\n  │ ", "");
        for piece in says {
            assert!(said.contains(piece), "{more:?}: {piece}\n{said}");
        }
    };
    refuses(
        &["--set", "belt.w=0.2:0.6:41"],
        &[
            "no parameter called `belt.w`",
            "did you mean `belt.v`?",
            "[the study that the command line makes:",
        ],
    );
    refuses(&["--set", "tie.k=-5:5:11"], &["`tie.k` is -5 N/m", "narrow what"]);
    refuses(&["--set", "tie.k=normal(10, -1)"], &["standard deviation is -1", "positive"]);
    refuses(
        &["--set", "belt.v=uniform(0.4, 0.6)", "--runs", "1e14", "--design", "random"],
        &["runs at", "years", "--yes"],
    );
    refuses(&["--set", "belt.v=0.2:0.6:3", "--response", "max(block.w)"], &["no output called `block.w`"]);
    refuses(&["--set", "belt.v=0.2:0.6:3", "--response", "slips(tie)"], &["no contact called `tie`"]);
    refuses(&["--set", "belt.v=0.2:0.6:3", "--shard", "9/8", "--store", "runs"], &["names no shard"]);
    refuses(&["--set", "belt.v=0.2:0.6:3", "--shard", "1/8"], &["`--shard` needs `--store`"]);
    refuses(&[], &["no study of kind `vary`", "--set belt.v="]);
    terminal.file("mine", "notes");
    refuses(&["--set", "belt.v=0.2:0.6:3", "--store", "mine"], &["is not a store of runs", "left alone"]);
    good(&terminal.types(&[
        "vary",
        "belt.toml",
        "--set",
        "belt.v=0.4:0.6:3",
        "--store",
        "runs",
        "--shard",
        "1/1",
    ]));
    refuses(
        &["--set", "belt.v=0.4:0.6:4", "--store", "runs"],
        &["another scenario, study or seed", "--store DIR"],
    );
    if Path::new("/proc/self").exists() {
        refuses(&["--set", "belt.v=0.2:0.6:3", "--store", "/proc/runs"], &["cannot use `/proc/runs`"]);
    }
    assert_eq!(terminal.read("mine"), "notes");
}

#[test]
fn two_processes_do_not_share_a_shard() {
    let terminal = terminal();
    let long = words(&["--runs", "19000", "--store", "runs", "--shard", "1/1"]);
    let mut first = terminal.command(&long).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while kept(&terminal.folder.join("runs")).is_empty() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let second = terminal.types(&long);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.code, Some(2), "{}", second.out);
    assert!(second.err.contains("another process is writing"), "{}", second.err);
}

#[test]
fn numbers_are_changed_on_the_command_line() {
    let terminal = terminal();
    good(&terminal.types(&[
        "run",
        "belt.toml",
        "--set",
        "belt.v=0.4",
        "--set",
        "tie.k=12 N/m",
        "--out",
        "out",
    ]));
    assert!(terminal.read("out/facts.json").contains("belt.v = 0.4 m/s, tie.k = 12 N/m"));
    good(&terminal.types(&["check", "belt.toml", "--set", "belt.v=0.4"]));
    let said = terminal.refuses(&["check", "belt.toml", "--set", "belt.w=0.4"]);
    assert!(said.contains("did you mean `belt.v`?"), "{said}");
    let said = terminal.refuses(&["run", "belt.toml", "--set", "tie.k=0.4 kg"]);
    assert!(said.contains("N/m"), "{said}");
}

#[test]
fn the_script_for_slurm_is_shown() {
    let terminal = terminal();
    let reply = terminal.types(&words(&[
        "--store",
        "runs",
        "--slurm",
        "--time=1:00:00 --mem=1G",
        "--shards",
        "4",
        "--dry-run",
    ]));
    good(&reply);
    for line in [
        "#SBATCH --array=1-4",
        "#SBATCH --time=1:00:00",
        "#SBATCH --mem=1G",
        "--shard \"$SLURM_ARRAY_TASK_ID/4\"",
        "'pad.law.F_s=normal(117.72, 4)'",
    ] {
        assert!(reply.out.contains(line), "{line}\n{}", reply.out);
    }
    // Without options for Slurm, and with them behind an equals sign.
    for slurm in ["--slurm", "--slurm=--time=1:00:00"] {
        let reply = terminal.types(&words(&["--store", "runs", slurm, "--shards", "3", "--dry-run"]));
        good(&reply);
        assert!(reply.out.contains("#SBATCH --array=1-3"), "{}", reply.out);
        assert_eq!(reply.out.contains("#SBATCH --time=1:00:00"), slurm.contains('='));
    }
    assert_eq!(terminal.listing(), ["belt.toml"]);
}
