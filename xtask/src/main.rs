//! Chores of the repository.
//!
//! ```text
//! cargo xtask test           the whole gate
//! cargo xtask gen [--check]  manual pages and schema from the cards
//! cargo xtask certify        measure the laws again for the fingerprints in the manual
//! cargo xtask bench          how fast, against other solvers
//! cargo xtask engines        friction in other engines, as a page of the book
//! cargo xtask book           the book, into target/book
//! cargo xtask screens        the reports in a browser: legible, within a small screen, light and dark
//! cargo xtask lab [--check]  the lab, into target/lab, and tried in a browser
//! cargo xtask dist [PROFILE] the archive that is published, into dist
//! cargo xtask wheel          the Python package, into dist
//! cargo xtask python         what the gate does with the Python package
//! cargo xtask fmu            FMUs in foreign importers
//! cargo xtask windows        the library inside FMUs for Windows, tried under Wine
//! cargo xtask cluster        many variants on real Slurm on loopback and on workers of Dask
//! cargo xtask fuzz [--cases N] [--runs M] [--seed S]  scenarios spoilt at random, read and run
//! ```

mod bench;
mod book;
mod cluster;
mod dist;
mod engines;
mod lab;
mod python;
mod screens;
mod stage;
mod sundials;
mod windows;

use stage::{Stage, cargo};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["test"] => gate(),
        ["gen"] => {
            let header = Stage::of("the header for C", "target/debug/examples/header", &[]);
            run_all(&[examples(), generate(&[]), header])
        }
        ["gen", "--check"] => run_all(&[examples(), generate(&["--check"])]),
        ["certify"] => certify(),
        ["bench"] => bench::run(),
        ["engines"] => engines::run(),
        ["book"] => book(),
        ["screens"] => screens::run(),
        ["lab"] => told(lab::run(false)),
        ["lab", "--check"] => told(lab::run(true)),
        ["dist"] => dist::run("dist"),
        ["dist", profile] => dist::run(profile),
        ["wheel"] => prepared(python::wheel()),
        ["python"] => prepared(python::gate()),
        ["fmu"] => prepared(python::fmu()),
        ["windows"] => windows::run(),
        ["cluster"] => prepared(cluster::stages()),
        ["fuzz", ..] => fuzz(&words[1..]),
        _ => {
            say(
                "usage: cargo xtask test | gen [--check] | certify | bench | engines | book | screens | lab [--check] | dist [PROFILE] | wheel | python | fmu | windows | cluster | fuzz [--cases N] [--runs M] [--seed S]",
            );
            ExitCode::from(2)
        }
    }
}

/// Lints of the program without anything that may be left out.
const QUICK: &[&str] = &["clippy", "--package", "bristle-cli", "--no-default-features"];
const LINTS: &[&str] = &["--", "-D", "warnings"];

/// A crate that is no member of the workspace and brings a law of its own.
const OUTSIDE: &[&str] = &[
    "run",
    "--locked",
    "--manifest-path",
    "examples/outside_law/Cargo.toml",
    "--target-dir",
    "target/outside",
];

/// Programs as machine code, of every law and of the example scenarios, against the interpreter.
const MACHINE_CODE: &[&str] = &[
    "test",
    "-p",
    "bristle-tape",
    "-p",
    "bristle-study",
    "--features",
    "bristle-study/jit",
    "--test",
    "main",
    "--test",
    "machine",
];

/// Everything that must hold before a change is kept. One profile and the whole workspace throughout, so that nothing is
/// built twice; that generated files are current is one of the tests.
fn gate() -> ExitCode {
    let tests = if stage::has_nextest() {
        cargo("tests", &["nextest", "run", "--workspace", "--no-fail-fast"])
    } else {
        cargo("tests", &["test", "--workspace", "--lib", "--bins", "--tests", "--examples", "--no-fail-fast"])
    };
    let (python, fmu) = match python::gate().and_then(|stages| Ok((stages, python::fmu_tests()?))) {
        Ok(stages) => stages,
        Err(reason) => return fail(&reason),
    };
    let mut stages = vec![
        cargo("format", &["fmt", "--all", "--check"]),
        cargo("lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
        cargo("the quick start", &[QUICK, &["--features", "png"], LINTS].concat()),
        cargo("the least there is", &[QUICK, LINTS].concat()),
        tests,
        fmu,
        cargo("examples in the documentation", &["test", "--workspace", "--doc", "--no-fail-fast"]),
        cargo("machine code", MACHINE_CODE),
        cargo("a law of another crate", OUTSIDE),
        cargo("documentation", &["doc", "--workspace", "--no-deps"]).with("RUSTDOCFLAGS", "-D warnings"),
    ];
    stages.extend(python);
    let code = run_all(&stages);
    if code == ExitCode::SUCCESS { told(lab::run(true)) } else { code }
}

/// Says how a chore ended.
fn told(end: Result<String, String>) -> ExitCode {
    match end {
        Ok(words) => {
            say(&words);
            ExitCode::SUCCESS
        }
        Err(reason) => fail(&reason),
    }
}

/// Runs stages that could be prepared.
fn prepared(stages: Result<Vec<Stage>, String>) -> ExitCode {
    match stages {
        Ok(stages) => run_all(&stages),
        Err(reason) => fail(&reason),
    }
}

/// Says why nothing was begun.
fn fail(reason: &str) -> ExitCode {
    say(&format!("FAILED: {reason}"));
    ExitCode::FAILURE
}

/// Builds the book; a link that leads nowhere is an error.
fn book() -> ExitCode {
    match book::build() {
        Ok(pages) => {
            say(&format!("{pages} pages: {}/index.html", book::FOLDER));
            ExitCode::SUCCESS
        }
        Err(reason) => fail(&reason),
    }
}

/// Certifies every law and keeps the fingerprints.
fn certify() -> ExitCode {
    let folder = "target/certificates";
    let words = ["run", "--release", "-p", "bristle-cli", "--", "certify", "--all", "--out", folder];
    let code = run_all(&[cargo("certificates", &words)]);
    let kept = "crates/bristle-certify/src/fingerprints.json";
    if code == ExitCode::SUCCESS
        && let Err(error) =
            std::fs::copy(stage::root().join(folder).join("fingerprints.json"), stage::root().join(kept))
    {
        say(&format!("cannot write {kept}: {error}"));
        return ExitCode::FAILURE;
    }
    if code == ExitCode::SUCCESS {
        return run_all(&[examples(), generate(&[])]);
    }
    code
}

/// Reads and runs scenarios spoilt at random; 20,000 and 2,000 of them unless told otherwise.
fn fuzz(options: &[&str]) -> ExitCode {
    let mut words = vec!["run", "-p", "bristle", "--example", "fuzz", "--"];
    words.extend(options);
    run_all(&[cargo("spoilt scenarios", &words)])
}

/// Builds what writes generated files as tests are built, with the features of the whole workspace, so that nothing is compiled twice.
fn examples() -> Stage {
    cargo("what generates", &["build", "--workspace", "--example", "generate", "--example", "header"])
}

/// Writes or checks what is made from the cards.
fn generate(arguments: &[&str]) -> Stage {
    Stage::of("generated files", "target/debug/examples/generate", arguments)
}

/// Runs stages until one fails.
pub fn run_all(stages: &[Stage]) -> ExitCode {
    let begun = Instant::now();
    let mut times = Vec::new();
    for stage in stages {
        say(&format!("── {} ──", stage.name));
        let at = Instant::now();
        let passed = stage.run();
        times.push(format!("{:>8.1} s  {}", at.elapsed().as_secs_f64(), stage.name));
        if !passed {
            say(&format!("\n{}\nFAILED: {}", times.join("\n"), stage.name));
            return ExitCode::FAILURE;
        }
    }
    say(&format!("\n{}\nall passed in {:.0} s", times.join("\n"), begun.elapsed().as_secs_f64()));
    ExitCode::SUCCESS
}

/// Tells the user.
pub fn say(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stdout(), "{text}");
}
