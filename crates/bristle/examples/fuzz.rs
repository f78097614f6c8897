//! Reads and runs scenarios spoilt at random: `--cases N` are read, `--runs M` are run, from the seed `--seed S`.
//! Findings go to a folder (`--save DIR`, by default `target/fuzz`).

#[path = "../tests/fuzzing/mod.rs"]
mod fuzzing;

use fuzzing::{Dice, Fate, answer, check, mutant, seeds};
use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| arguments.windows(2).find(|w| w[0] == name).map(|w| w[1].clone());
    let number = |name: &str, default: u64| option(name).and_then(|v| v.parse().ok()).unwrap_or(default);
    let (cases, seed) = (number("--cases", 20_000), number("--seed", 1));
    let runs = number("--runs", cases / 10);
    let limit = Duration::from_millis(number("--limit", 500));
    let folder = std::path::PathBuf::from(option("--save").unwrap_or_else(|| "target/fuzz".to_owned()));
    // A panic is a finding; its message would only disturb the count.
    std::panic::set_hook(Box::new(|_| {}));
    let (seeds, mut dice, begun) = (seeds(), Dice::new(seed), Instant::now());
    let mut found = 0;
    let mut tell = |stage: &str, case: u64, what: &str, text: &str| {
        found += 1;
        let file = folder.join(format!("{stage}-{seed}-{case}.toml"));
        let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, text));
        say(&format!(
            "{stage} {case}: {what} ({})",
            written.map_or_else(|e| e.to_string(), |()| file.display().to_string())
        ));
    };
    let mut counts = [0u64; 3];
    for case in 0..cases {
        let text = mutant(&mut dice, &seeds);
        match check(&text) {
            Fate::Finding(what) => tell("check", case, &what, &text),
            fate => counts[usize::from(fate == Fate::Refused)] += 1,
        }
    }
    say(&format!(
        "{cases} read in {:.0} s: {} in order, {} refused",
        begun.elapsed().as_secs_f64(),
        counts[0],
        counts[1]
    ));
    let begun = Instant::now();
    counts = [0; 3];
    let mut case = 0;
    while case < runs {
        let text = mutant(&mut dice, &seeds);
        let Some(fate) = answer(&text, limit) else { continue };
        case += 1;
        match fate {
            Fate::Fine => counts[0] += 1,
            Fate::Refused => counts[1] += 1,
            Fate::Cancelled => counts[2] += 1,
            Fate::Finding(what) => tell("run", case, &what, &text),
        }
    }
    let [fine, failed, cancelled] = counts;
    let seconds = begun.elapsed().as_secs_f64();
    say(&format!(
        "{runs} run in {seconds:.0} s: {fine} to the end, {failed} failed with a hint, {cancelled} cancelled"
    ));
    say(&format!("{found} findings"));
    if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn say(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}
