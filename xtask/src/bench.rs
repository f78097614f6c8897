//! How fast, against other solvers, in one run.

use crate::stage::{Stage, cargo};
use crate::{run_all, say, sundials};
use std::path::Path;
use std::process::{Command, ExitCode};

/// What the other solvers need.
const PACKAGES: [&str; 4] = ["numpy", "scipy", "numba", "scikit-sundae"];

/// Races our methods, a Rust library and, where it can be compiled, CVODE in C; then, where Python is there, SciPy and CVODE
/// through Python on the same problems, and maps of stability and of limit cycles against NumPy and numba; after that cables
/// on drums, and Exudyn on a problem like them.
pub fn run() -> ExitCode {
    let solvers = solvers();
    if solvers != ExitCode::SUCCESS {
        return solvers;
    }
    cables()
}

fn cables() -> ExitCode {
    let peers = "target/cables.json";
    let words = ["run", "--release", "-p", "bristle-cable", "--example", "pulley_race", "--"];
    let ours = run_all(&[cargo("cables on drums", &[&words[..], &["--short", "--peers", peers]].concat())]);
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
    let mut words =
        vec!["run", "--release", "-p", "bristle-solve", "--example", "race", "--", "--peers", peers];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    say("compiling CVODE …");
    let cvode = sundials::program(root);
    match &cvode {
        Ok((program, remark)) => {
            remark.iter().for_each(|remark| say(remark));
            words.extend(["--cvode", program]);
        }
        Err(missing) => say(missing),
    }
    // numba compiles for the processor it runs on, and so do we.
    let maps = "target/native/release/examples/maps";
    let build = [
        "build",
        "--release",
        "--target-dir",
        "target/native",
        "-p",
        "bristle-analysis",
        "--example",
        "maps",
    ];
    let build = cargo("our maps", &build).with("RUSTFLAGS", "-C target-cpu=native");
    let ours = run_all(&[cargo("our methods, diffsol and CVODE in C", &words), build]);
    if ours != ExitCode::SUCCESS {
        return ours;
    }
    match environment("target/peers", "import numpy, scipy, numba, sksundae", &PACKAGES) {
        Some(python) => run_all(&[
            Stage::of("SciPy and CVODE", &python, &["benches/peers.py", peers]),
            Stage::of("NumPy and numba", &python, &["benches/maps.py", maps]),
        ]),
        None => {
            say("no Python with numpy, scipy, numba and scikit-sundae: other solvers left out");
            ExitCode::SUCCESS
        }
    }
}

/// A Python that can do the imports, with the packages in an environment of its own; made on the first run.
fn environment(folder: &str, imports: &str, packages: &[&str]) -> Option<String> {
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
