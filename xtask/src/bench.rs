//! How fast, against other solvers, in one run.

use crate::stage::{Stage, cargo};
use crate::{run_all, say, sundials};
use std::path::Path;
use std::process::{Command, ExitCode};

/// What the other solvers need.
const PACKAGES: [&str; 4] = ["numpy", "scipy", "numba", "scikit-sundae"];

/// Where examples compiled for this machine lie. numba and the C compiler know the processor they compile for, and so do we.
const NATIVE: &str = "target/native";

/// Machine code takes part.
const JIT: &[&str] = &["--features", "jit"];

/// Races scenario files, the same problems written by hand, a Rust library and, where it can be compiled, CVODE in C; then, where
/// Python is there, SciPy and CVODE through Python on the same problems, maps of stability and of limit cycles against NumPy and
/// numba, and many variants of a belt against a loop over SciPy; after that cables on drums, and Exudyn on a problem like them.
pub fn run() -> ExitCode {
    let parts = [solvers, cables];
    parts.iter().map(|part| part()).find(|code| *code != ExitCode::SUCCESS).unwrap_or(ExitCode::SUCCESS)
}

/// Builds an example for this machine; gives the stage and the program's path.
fn native(package: &str, example: &str, features: &[&str]) -> (Stage, String) {
    let words = ["build", "--profile", "dist", "--target-dir", NATIVE, "-p", package, "--example", example];
    let stage = cargo("compiling for this machine", &[&words[..], features].concat())
        .with("RUSTFLAGS", "-C target-cpu=native");
    (stage, format!("{NATIVE}/dist/examples/{example}"))
}

fn cables() -> ExitCode {
    let peers = "target/cables.json";
    let (build, race) = native("bristle-cable", "pulley_race", &[]);
    let ours = run_all(&[build, Stage::of("cables on drums", &race, &["--peers", peers])]);
    if ours != ExitCode::SUCCESS {
        return ours;
    }
    match environment("target/cable_peers", "import numpy, exudyn", &["numpy", "exudyn"]) {
        Some(python) => run_all(&[Stage::of("Exudyn", &python, &["benches/cables.py", peers])]),
        None => {
            say("no Python with exudyn: it is left out");
            ExitCode::SUCCESS
        }
    }
}

fn solvers() -> ExitCode {
    let peers = "target/peers.json";
    let mut words = vec!["--peers", peers];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    say("compiling CVODE …");
    for (option, program) in [("--cvode", sundials::made(root)), ("--packaged", sundials::packaged(root))] {
        match program {
            Ok(program) => words.extend([option, program]),
            Err(missing) => say(&missing),
        }
    }
    let (race_build, race) = native("bristle", "race", JIT);
    let (maps_build, maps) = native("bristle", "maps", JIT);
    let (vary_build, vary) = native("bristle-study", "vary_rate", &[]);
    let race = Stage::of("our methods, diffsol and CVODE in C", &race, &words);
    let ours = run_all(&[race_build, race, maps_build]);
    if ours != ExitCode::SUCCESS {
        return ours;
    }
    match environment("target/peers", "import numpy, scipy, numba, sksundae", &PACKAGES) {
        Some(python) => run_all(&[
            Stage::of("SciPy and CVODE", &python, &["benches/peers.py", peers]),
            Stage::of("NumPy and numba", &python, &["benches/maps.py", &maps]),
            vary_build,
            Stage::of("many variants on one core", &vary, &["20000"]).with("RAYON_NUM_THREADS", "1"),
            Stage::of("a loop over SciPy", &python, &["benches/vary.py"]),
        ]),
        None => {
            say("no Python with numpy, scipy, numba and scikit-sundae: other solvers left out");
            ExitCode::SUCCESS
        }
    }
}

/// A Python that can do the imports, with the packages in an environment of its own; made on the first run.
pub fn environment(folder: &str, imports: &str, packages: &[&str]) -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let folder = root.join(folder);
    let python = folder.join("bin/python");
    let succeeds = |program: &Path, words: &[&str]| {
        Command::new(program).args(words).current_dir(root).status().is_ok_and(|s| s.success())
    };
    if !succeeds(&python, &["-c", imports]) {
        say("making a Python environment for the other solvers …");
        let folder = folder.to_str()?;
        let mut words = vec!["-m", "pip", "install", "--quiet"];
        words.extend(packages);
        if !succeeds(Path::new("python3"), &["-m", "venv", folder]) || !succeeds(&python, &words) {
            return None;
        }
    }
    python.to_str().map(str::to_owned)
}
