//! Ctrl-C is answered within a second of processor time, wherever it comes, and what was found is kept.

use crate::terminal::Terminal;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A slide that squeals, to which studies are added.
const SLIDE: &str = r#"title = "Slide"
[parts.carriage]
kind = "mass"
mass = "2 kg"
[parts.guide]
kind = "drive"
v = "30 mm/s"
[parts.train]
kind = "spring"
between = ["carriage", "ground"]
k = "2 MN/m"
[parts.loss]
kind = "damper"
between = ["carriage", "ground"]
d = "20 N s/m"
[parts.pad]
kind = "contact"
between = ["carriage", "guide"]
load = "200 N"
law = { kind = "lugre", mu_d = 0.12, mu_s = 0.18, v_s = "40 mm/s", sigma0 = "2e7 N/m", sigma1 = "1000 N s/m" }
"#;

const PLANE: &str = "x = \"guide.v\"\nx_from = \"5 mm/s\"\nx_to = \"200 mm/s\"\ny = \"loss.d\"\ny_from = \"1 N s/m\"\ny_to = \"300 N s/m\"\n";

const OVER: &str = "parameter = \"guide.v\"\nfrom = \"5 mm/s\"\nto = \"200 mm/s\"\n";

/// A row of masses on a moving belt.
fn row(count: usize) -> String {
    let mut text = "title = \"Row\"\n[parts.belt]\nkind = \"drive\"\nv = \"0.1 m/s\"\n".to_owned();
    for i in 0..count {
        let before = if i == 0 { "ground".to_owned() } else { format!("m{}", i - 1) };
        text += &format!(
            "[parts.m{i}]\nkind = \"mass\"\nmass = \"1 kg\"\n[parts.s{i}]\nkind = \"spring\"\n\
             between = [\"m{i}\", \"{before}\"]\nk = \"1000 N/m\"\n[parts.c{i}]\nkind = \"contact\"\n\
             between = [\"m{i}\", \"belt\"]\nload = \"10 N\"\nlaw = {{ kind = \"regularised\" }}\n"
        );
    }
    text
}

/// Whether a process has ended, and the processor time it has used; also of one that nobody has waited for yet.
fn spent(child: &Child) -> (bool, Duration) {
    let text = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let fields: Vec<&str> = text.rsplit_once(')').unwrap().1.split_whitespace().collect();
    let ticks = |i: usize| fields[i].parse::<u64>().unwrap();
    // A hundred ticks a second on every Linux.
    (fields[0] == "Z", Duration::from_millis(10 * (ticks(11) + ticks(12))))
}

/// Presses Ctrl-C after some processor time; the exit code, what was printed, and the processor time until the end.
/// Nothing if the command was faster.
fn interrupted(
    terminal: &Terminal,
    words: &[&str],
    after: Duration,
) -> Option<(Option<i32>, String, Duration)> {
    let child = terminal.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let wait = |done: &dyn Fn((bool, Duration)) -> bool| {
        while !done(spent(&child)) {
            std::thread::sleep(Duration::from_millis(5));
        }
        spent(&child)
    };
    let (ended, begun) = wait(&|(ended, time)| ended || time >= after);
    if ended {
        // A fast machine had the answer before.
        let done = child.wait_with_output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        return None;
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    // Output is small enough for the pipe, so that the end does not wait for a reader.
    let (_, end) = wait(&|(ended, _)| ended);
    let done = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    Some((done.status.code(), text, end - begun))
}

/// A second of processor time.
const ALLOWED: Duration = Duration::from_secs(1);

fn answered(terminal: &Terminal, words: &[&str], after_ms: u64) -> Option<String> {
    let done = interrupted(terminal, words, Duration::from_millis(after_ms));
    let (code, text, time) = done?;
    if code == Some(0) {
        // The answer was whole, and being written, as the signal came.
        return None;
    }
    assert_eq!(code, Some(130), "{words:?}: {text}");
    assert!(time <= ALLOWED, "{words:?} took {time:?} of processor time to stop");
    Some(text)
}

#[cfg(target_os = "linux")]
#[test]
fn every_study_answers_within_a_second() {
    let studies = [
        ("simulate", "duration = \"1000 s\"\n".to_owned()),
        ("stages", "duration = \"1000 s\"\nstep = \"10 ms\"\n".to_owned()),
        ("spectrum", "duration = \"1000 s\"\nhighest = \"100 Hz\"\n".to_owned()),
        ("branch", format!("{OVER}cycles = true\nstep = 1e-4\npoints = 100000\n")),
        ("boundary", format!("{PLANE}step = 1e-6\n")),
        ("map", format!("{PLANE}columns = 2000\nrows = 2000\n")),
        ("orbit", "transient = 100000\npoints = 2000\n".to_owned()),
        ("sweep", format!("{OVER}points = 50\nlimit = \"0.5 s\"\n")),
        ("work_precision", "duration = \"2 s\"\n".to_owned()),
    ];
    for (kind, values) in studies {
        let terminal = Terminal::new();
        terminal.file("a.toml", format!("{SLIDE}[studies.it]\nkind = \"{kind}\"\n{values}"));
        let early = answered(&terminal, &["run", "a.toml"], 40);
        assert!(early.is_some(), "{kind} is too fast to be interrupted");
        answered(&terminal, &["run", "a.toml", "--out", "late"], 600);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn large_systems_answer_within_a_second() {
    for (kind, values) in [("simulate", "duration = \"10 s\"\n"), ("steady", "")] {
        let terminal = Terminal::new();
        for law in ["regularised", "coulomb"] {
            let text = row(300).replace("regularised", law);
            terminal.file("row.toml", format!("{text}[studies.it]\nkind = \"{kind}\"\n{values}"));
            answered(&terminal, &["run", "row.toml", "--out", law], 400);
        }
    }
    let terminal = Terminal::new();
    terminal.file("row.toml", row(300) + "[studies.it]\nkind = \"simulate\"\nduration = \"10 s\"\n");
    answered(&terminal, &["compare", "row.toml", "--laws", "coulomb,lugre"], 600);
}

#[cfg(target_os = "linux")]
#[test]
fn every_command_answers_within_a_second() {
    let terminal = Terminal::new();
    terminal.file("a.toml", format!("{SLIDE}[studies.it]\nkind = \"simulate\"\nduration = \"2 s\"\n"));
    terminal.file("long.toml", format!("{SLIDE}[studies.it]\nkind = \"simulate\"\nduration = \"500 s\"\n"));
    let commands: [(&[&str], u64); 9] = [
        (&["compare", "long.toml", "--laws", "lugre,coulomb"], 600),
        (&["advise", "a.toml"], 100),
        (&["advise", "a.toml"], 1500),
        (&["certify", "--all"], 1500),
        (&["reproduce", "rill2023"], 500),
        (&["reproduce", "pennestri2016"], 1000),
        (&["reproduce", "hieu2021"], 1000),
        (&["reproduce", "westin2020"], 1000),
        (&["bench", "export", "pack"], 300),
    ];
    for (words, after) in commands {
        answered(&terminal, words, after);
    }
    assert!(!terminal.folder.join("pack").exists());
}

/// The cable has a study of its own.
#[cfg(target_os = "linux")]
#[test]
fn cables_answer_within_a_second() {
    let example = |name: &str| {
        let path = format!("{}/../../examples/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        fs::read_to_string(path).unwrap()
    };
    let terminal = Terminal::new();
    terminal.file("rope.toml", example("long_rope"));
    answered(&terminal, &["run", "rope.toml"], 300);
    answered(&terminal, &["advise", "rope.toml"], 300);
}

/// What was found is there and says that it is a part; a whole result from before stays.
#[cfg(target_os = "linux")]
#[test]
fn partial_results_are_kept_and_marked_beside_a_whole_one() {
    let terminal = Terminal::new();
    let short = "[studies.short]\nkind = \"simulate\"\nduration = \"10 ms\"\n";
    let long = "[studies.long]\nkind = \"simulate\"\nduration = \"1000 s\"\n";
    let never = "[studies.never]\nkind = \"steady\"\n";
    terminal.file("a.toml", format!("{SLIDE}{short}"));
    assert_eq!(terminal.types(&["run", "a.toml"]).code, Some(0));
    let whole = fs::read(terminal.folder.join("out/a/report.html")).unwrap();
    terminal.file("a.toml", format!("{SLIDE}{short}{long}{never}"));
    let text = answered(&terminal, &["run", "a.toml"], 500).unwrap();
    assert!(text.contains("stopped early") && text.contains("report: out/a-partial/report.html"), "{text}");
    assert_eq!(fs::read(terminal.folder.join("out/a/report.html")).unwrap(), whole);
    let read = |name: &str| fs::read_to_string(terminal.folder.join("out/a-partial").join(name)).unwrap();
    assert!(read("report.html").contains("stopped early"));
    let facts: serde_json::Value = serde_json::from_str(&read("facts.json")).unwrap();
    let states: Vec<&str> =
        facts["studies"].as_array().unwrap().iter().map(|s| s["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["complete", "partial", "stopped"]);
    assert_eq!(facts["stopped_early"], true);
    assert!(read("data/short.csv").lines().count() > 2000);
    assert!(read("data/long.csv").lines().count() > 2);
    let result: serde_json::Value = serde_json::from_str(&read("result.json")).unwrap();
    assert_eq!(result["is_partial"], true);
}
