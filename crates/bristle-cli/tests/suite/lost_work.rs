//! Nothing of the user's is ever lost: not to a kill at any moment, not to a full disk, not to a wrong name.

use crate::terminal::{Reply, Terminal, belt};
use bristle_record::{MANIFEST, digest};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RUN: &str = "[studies.run]\nkind = \"simulate\"\nduration = \"1 s\"\nstep = \"0.2 ms\"\n";

const SWEEP: &str = "[studies.over]\nkind = \"sweep\"\nparameter = \"belt.v\"\nfrom = \"0.1 m/s\"\nto = \"0.4 m/s\"\n\
                     points = 4\ntransient = 12\nwindow = 8\nlyapunov = 0\nlimit = \"5 s\"\nstore = \"cells\"\n";

/// Files of the user's in a result folder, each with its name as contents.
const OWN: [&str; 4] = ["notes.md", ".git/HEAD", "figures/mine.svg", "data.csv.bak"];

fn put_own(folder: &Path) {
    for name in OWN {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, name).unwrap();
    }
}

fn own_are_there(folder: &Path) {
    for name in OWN {
        assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), name, "{name}");
    }
}

/// Every file below a folder and its hash, without those of the user.
fn hashes(folder: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut left = vec![PathBuf::new()];
    while let Some(below) = left.pop() {
        for entry in fs::read_dir(folder.join(&below)).unwrap() {
            let name = below.join(entry.unwrap().file_name());
            if folder.join(&name).is_dir() {
                left.push(name);
            } else {
                let hash = digest(&fs::read(folder.join(&name)).unwrap());
                all.insert(name.to_str().unwrap().to_owned(), hash);
            }
        }
    }
    all.retain(|name, _| !OWN.contains(&name.as_str()));
    all
}

/// What a manifest lists.
fn listed(manifest: &Path) -> Option<BTreeMap<String, String>> {
    let text = fs::read_to_string(manifest).ok()?;
    let all: serde_json::Value = serde_json::from_str(&text).unwrap();
    Some(serde_json::from_value(all["files"].clone()).unwrap())
}

/// How a killed run left a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Left {
    /// As it was, or with the leavings of a run that had not committed.
    Old,
    /// With a whole new result.
    New,
    /// On its way: the next run goes on.
    Between,
}

/// Judges a folder after a kill; whatever is not whole must be in the part that is still on its way.
fn judge(folder: &Path, before: &BTreeMap<String, String>) -> Left {
    let found = hashes(folder);
    let ready = folder.join(".bristle-ready");
    let has = |name: &String, hash: &String| found.get(name) == Some(hash);
    if let Some(coming) = listed(&ready.join(MANIFEST)) {
        for (name, hash) in &coming {
            let waiting = found.get(&format!(".bristle-ready/{name}"));
            assert!(waiting == Some(hash) || has(name, hash), "{name} is nowhere");
        }
        return Left::Between;
    }
    let now = listed(&folder.join(MANIFEST)).unwrap();
    assert!(now.iter().all(|(name, hash)| has(name, hash)), "the result is not whole");
    if now == *before { Left::Old } else { Left::New }
}

/// Numbers that are the same every time (Knuth's multiplier).
struct Dice(u64);

impl Dice {
    fn up_to(&mut self, most: Duration) -> Duration {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        most.mul_f64((self.0 >> 11) as f64 / (1_u64 << 53) as f64)
    }
}

/// Starts a command and kills it: after some time, or that long after it has begun to write.
fn killed(terminal: &Terminal, words: &[&str], folder: &Path, after: Duration, while_writing: bool) {
    let mut run = terminal.command(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while while_writing && run.try_wait().unwrap().is_none() && !folder.join(".bristle-new").exists() {
        std::thread::sleep(Duration::from_micros(100));
    }
    let begun = Instant::now();
    while begun.elapsed() < after && run.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_micros(100));
    }
    // Dead already if it was faster.
    let _ = run.kill();
    run.wait().unwrap();
}

/// Kills a command again and again, each time on top of what the last left behind; `prepare` is called before each.
fn kills(
    terminal: &Terminal,
    words: &[&str],
    folder: &Path,
    (count, longest): (usize, Duration),
    mut prepare: impl FnMut(usize),
) -> BTreeMap<Left, usize> {
    let mut dice = Dice(15);
    let mut seen = BTreeMap::new();
    for k in 0..count {
        prepare(k);
        let before = listed(&folder.join(MANIFEST)).unwrap();
        let while_writing = k % 2 == 0;
        let window = if while_writing { Duration::from_millis(25) } else { longest };
        killed(terminal, words, folder, dice.up_to(window), while_writing);
        own_are_there(folder);
        *seen.entry(judge(folder, &before)).or_insert(0) += 1;
    }
    assert_eq!(seen.values().sum::<usize>(), count);
    seen
}

fn good(reply: &Reply) {
    assert_eq!(reply.code, Some(0), "{}{}", reply.out, reply.err);
}

/// The result is whole and there is nothing else but what the user put there.
fn whole(folder: &Path) {
    let mut found = hashes(folder);
    assert!(found.remove(MANIFEST).is_some());
    assert_eq!(Some(found), listed(&folder.join(MANIFEST)));
    own_are_there(folder);
}

#[test]
fn twenty_six_kills_of_a_run_lose_nothing() {
    let terminal = Terminal::new();
    let words = ["run", "belt.toml", "--out", "result"];
    let folder = terminal.folder.join("result");
    terminal.file("belt.toml", belt("first", "") + RUN);
    let begun = Instant::now();
    good(&terminal.types(&words));
    let longest = begun.elapsed();
    put_own(&folder);
    let seen = kills(&terminal, &words, &folder, (26, longest), |k| {
        terminal.file("belt.toml", belt(&format!("number {k}"), "") + RUN);
    });
    assert!(seen.contains_key(&Left::Old), "{seen:?}");
    good(&terminal.types(&words));
    whole(&folder);
    assert_eq!(terminal.listing(), ["belt.toml", "result"]);
}

/// The cells finished before a kill are not computed again, and the answer is the same as without any kill.
#[test]
fn twenty_two_kills_of_a_sweep_lose_nothing() {
    let terminal = Terminal::new();
    terminal.file("belt.toml", belt("sweep", "") + SWEEP);
    let begun = Instant::now();
    good(&terminal.types(&["run", "belt.toml", "--out", "undisturbed"]));
    let longest = begun.elapsed();
    assert!(!terminal.folder.join("cells").exists(), "a store goes once the results are safe");
    let words = ["run", "belt.toml", "--out", "result"];
    let folder = terminal.folder.join("result");
    good(&terminal.types(&words));
    put_own(&folder);
    let cells = || {
        let text = fs::read_to_string(terminal.folder.join("cells")).unwrap_or_default();
        text.lines().filter(|l| l.starts_with('{') && l.ends_with('}')).count()
    };
    let mut most = 0;
    kills(&terminal, &words, &folder, (22, longest), |_| {
        // Fewer only if the sweep was finished and written in between.
        assert!(cells() >= most || cells() == 0, "{} of {most} cells are left", cells());
        most = cells();
    });
    good(&terminal.types(&words));
    whole(&folder);
    for name in ["data.csv", "facts.json"] {
        let read = |folder: &str| fs::read_to_string(terminal.folder.join(folder).join(name)).unwrap();
        assert_eq!(read("result"), read("undisturbed"), "{name}");
    }
    assert_eq!(terminal.listing(), ["belt.toml", "result", "undisturbed"]);
}

#[test]
fn twelve_kills_of_a_reproduction_lose_nothing() {
    let terminal = Terminal::new();
    let words = ["reproduce", "rill2023", "--out", "result"];
    let folder = terminal.folder.join("result");
    // Another result of the program's stands there first.
    terminal.file("belt.toml", belt("first", "") + RUN);
    good(&terminal.types(&["run", "belt.toml", "--out", "result"]));
    put_own(&folder);
    kills(&terminal, &words, &folder, (12, Duration::from_secs(2)), |_| {});
    good(&terminal.types(&["run", "belt.toml", "--out", "result"]));
    whole(&folder);
}

#[test]
fn a_store_that_is_something_else_is_refused_before_the_run() {
    let terminal = Terminal::new();
    fs::create_dir(terminal.folder.join("folder")).unwrap();
    terminal.file("thesis.tex", "years of work").file("empty", "");
    for name in ["belt.toml", "./belt.toml", "thesis.tex", "empty", "folder", "thesis.tex/cells", "/dev/null"]
    {
        let text = belt("sweep", "") + &SWEEP.replace("cells", name);
        // A second study shows that nothing at all was run.
        let before = terminal.file("belt.toml", text + RUN).listing();
        let reply = terminal.types(&["run", "belt.toml"]);
        assert_eq!(reply.code, Some(2), "{name}: {}{}", reply.out, reply.err);
        assert!(reply.err.contains("cannot write") && reply.err.contains(name), "{}", reply.err);
        assert_eq!(terminal.listing(), before);
        assert!(fs::read_to_string(terminal.folder.join("belt.toml")).unwrap().contains("sweep"));
        assert_eq!(fs::read_to_string(terminal.folder.join("thesis.tex")).unwrap(), "years of work");
    }
}

/// Every place that must not be replaced: refused before the run, and left as it was.
#[test]
fn folders_of_somebody_else_are_refused_before_the_run() {
    let terminal = Terminal::new();
    terminal.file("belt.toml", belt("first", "") + RUN).file("thesis.tex", "years of work");
    let here = &terminal.folder;
    fs::create_dir_all(here.join("repository/.git")).unwrap();
    fs::write(here.join("repository/.git/HEAD"), "ref").unwrap();
    fs::write(here.join("repository/result.json"), "{}").unwrap();
    fs::create_dir(here.join("project")).unwrap();
    fs::write(here.join("project/result.json"), r#"{"generator": "bristle 0.1.0"}"#).unwrap();
    let before = hashes(here);
    let places =
        [".", "", "..", "/", "/tmp", "repository", "project", "thesis.tex", "thesis.tex/below", "/proc/x"];
    let commands: [&[&str]; 5] = [
        &["run", "belt.toml", "--out"],
        &["compare", "belt.toml", "--laws", "coulomb", "--out"],
        &["certify", "coulomb", "--out"],
        &["reproduce", "rill2023", "--out"],
        &["bench", "export"],
    ];
    for place in places.into_iter().filter(|p| *p != "/proc/x" || Path::new("/proc/self").exists()) {
        for command in commands {
            let words: Vec<&str> = command.iter().copied().chain([place]).collect();
            let begun = Instant::now();
            let reply = terminal.types(&words);
            assert_eq!(reply.code, Some(2), "{words:?}: {}{}", reply.out, reply.err);
            assert!(reply.out.is_empty() && begun.elapsed() < Duration::from_secs(2), "{words:?} was run");
            assert_eq!(hashes(here), before, "{words:?}");
        }
    }
    // A scenario inside the folder would be replaced by its own copy.
    good(&terminal.types(&["run", "belt.toml", "--out", "result"]));
    let reply = terminal.types(&["run", "result/scenario.toml", "--out", "result"]);
    assert_eq!(reply.code, Some(2), "{}", reply.err);
    assert!(reply.words().contains("lies in the folder for the results"), "{}", reply.err);
    // A result may be replaced from within.
    let inside = Command::new(env!("CARGO_BIN_EXE_bristle"))
        .args(["run", "../belt.toml", "--out", "."])
        .current_dir(here.join("result"))
        .output()
        .unwrap();
    assert!(inside.status.success(), "{}", String::from_utf8_lossy(&inside.stderr));
}

#[test]
fn a_result_the_user_has_changed_is_refused_before_the_run() {
    let terminal = Terminal::new();
    terminal.file("belt.toml", belt("first", "") + RUN);
    let words = ["run", "belt.toml", "--out", "result"];
    good(&terminal.types(&words));
    let csv = terminal.folder.join("result/data.csv");
    fs::write(&csv, "my numbers").unwrap();
    let reply = terminal.types(&words);
    assert_eq!(reply.code, Some(2));
    assert!(reply.err.contains("`data.csv` was changed"), "{}", reply.err);
    assert_eq!(fs::read_to_string(&csv).unwrap(), "my numbers");
    fs::remove_file(&csv).unwrap();
    good(&terminal.types(&words));
}

/// A run finds its folder taken by somebody else when it ends: the results go beside it.
#[test]
fn a_folder_taken_during_the_run_is_left_alone_and_the_results_go_beside_it() {
    let terminal = Terminal::new();
    let store = SWEEP.replace("store = \"cells\"", "store = \"result/cells\"");
    terminal.file("belt.toml", belt("sweep", "") + &store);
    let reply = terminal.types(&["run", "belt.toml", "--out", "result"]);
    good(&reply);
    assert!(reply.out.contains("report: result-2/report.html"), "{}", reply.out);
    assert!(terminal.folder.join("result-2/data.csv").is_file());
}

/// The size of files is limited, which the program sees as it sees a full disk.
#[cfg(unix)]
fn limited(terminal: &Terminal, kibibytes: usize, words: &str) -> Reply {
    let program = env!("CARGO_BIN_EXE_bristle");
    // Blocks of 512 bytes in a plain shell, of 1024 in others; the error is what matters, not a signal.
    let script = format!("trap '' XFSZ; ulimit -f {}; exec {program} {words}", 2 * kibibytes);
    let done = Command::new("sh").args(["-c", &script]).current_dir(&terminal.folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Reply { code: done.status.code(), out: text(done.stdout), err: text(done.stderr) }
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_found_before_the_run_or_leaves_the_earlier_result() {
    let terminal = Terminal::new();
    terminal.file("belt.toml", belt("first", "") + RUN);
    let folder = terminal.folder.join("result");
    good(&terminal.types(&["run", "belt.toml", "--out", "result"]));
    put_own(&folder);
    let before = hashes(&folder);
    // No room for a small report.
    for out in ["result", "fresh"] {
        let reply = limited(&terminal, 100, &format!("run belt.toml --out {out}"));
        assert_eq!(reply.code, Some(2), "{}{}", reply.out, reply.err);
        assert!(reply.err.contains("cannot write into"), "{}", reply.err);
    }
    // Room for a small report, but not for these numbers: found only when they are written.
    terminal.file("belt.toml", belt("second", "") + &RUN.replace("0.2 ms", "10 us"));
    for out in ["result", "fresh"] {
        let reply = limited(&terminal, 3000, &format!("run belt.toml --out {out}"));
        assert_eq!(reply.code, Some(2), "{}{}", reply.out, reply.err);
        assert!(reply.err.contains("cannot write `"), "{}", reply.err);
    }
    assert_eq!(hashes(&folder), before);
    own_are_there(&folder);
    assert_eq!(terminal.listing(), ["belt.toml", "result"], "no trace of what could not be written");
    // Neither is half a scenario left.
    let reply = limited(&terminal, 0, "new mine");
    assert_eq!(reply.code, Some(2), "{}{}", reply.out, reply.err);
    assert!(!terminal.folder.join("mine.toml").exists());
}

/// A real small disk and a read-only one, where the system lets users have their own.
#[cfg(target_os = "linux")]
#[test]
fn a_small_disk_and_a_read_only_one_lose_nothing() {
    let terminal = Terminal::new();
    terminal.file("belt.toml", belt("first", "") + &RUN.replace("0.2 ms", "10 ms"));
    terminal.file("long.toml", belt("second", "") + &RUN.replace("0.2 ms", "20 us"));
    fs::create_dir(terminal.folder.join("disk")).unwrap();
    let program = env!("CARGO_BIN_EXE_bristle");
    let script = format!(
        "mount -t tmpfs -o size=4m tmpfs disk || exit 77\n\
         {program} run belt.toml --out disk/result >/dev/null || exit 1\n\
         echo mine >disk/result/notes.md; sum=$(cat disk/result/report.html disk/result/data.csv | cksum)\n\
         same() {{ test \"$sum\" = \"$(cat disk/result/report.html disk/result/data.csv | cksum)\" && \
         test \"$(cat disk/result/notes.md)\" = mine; }}\n\
         {program} run long.toml --out disk/result 2>/dev/null; test $? = 2 && same || exit 2\n\
         {program} run long.toml --out disk/fresh 2>/dev/null; test $? = 2 && test ! -e disk/fresh || exit 3\n\
         head -c 9m /dev/zero >disk/filler 2>/dev/null\n\
         {program} run belt.toml --out disk/result 2>/dev/null; test $? = 2 && same || exit 4\n\
         rm disk/filler; mount -o remount,ro disk || exit 5\n\
         {program} run belt.toml --out disk/result 2>/dev/null; test $? = 2 && same || exit 6\n\
         {program} run belt.toml --out disk/fresh 2>/dev/null; test $? = 2 || exit 7\n"
    );
    let done = Command::new("unshare")
        .args(["-rm", "sh", "-c", &script])
        .current_dir(&terminal.folder)
        .stderr(Stdio::null())
        .status();
    // Where there are no such disks, the limit on the size of files stands for them in the test above.
    let code = done.ok().and_then(|s| s.code());
    assert!(matches!(code, None | Some(0 | 1 | 77)), "step {code:?} of the script failed");
    if code == Some(1) {
        let allowed = Command::new("unshare").args(["-rm", "true"]).status().is_ok_and(|s| s.success());
        assert!(!allowed, "the first run failed");
    }
}

#[cfg(unix)]
#[test]
fn an_answer_that_cannot_be_printed_is_no_success() {
    let full = Path::new("/dev/full");
    if full.exists() {
        let out = fs::OpenOptions::new().write(true).open(full).unwrap();
        let done = Command::new(env!("CARGO_BIN_EXE_bristle")).arg("schema").stdout(out).status().unwrap();
        assert_eq!(done.code(), Some(2));
    }
}
