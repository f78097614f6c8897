//! How fast, against other solvers, in one run.

use crate::stage::{Stage, cargo};
use crate::{run_all, say};
use std::path::Path;
use std::process::{Command, ExitCode};

/// What the other solvers need.
const PACKAGES: [&str; 4] = ["numpy", "scipy", "numba", "scikit-sundae"];

/// Races our methods and a Rust library, then, where Python is there, SciPy and CVODE on the same problems.
pub fn run() -> ExitCode {
    let peers = "target/peers.json";
    let words = ["run", "--release", "-p", "bristle-solve", "--example", "race", "--", "--peers", peers];
    let ours = run_all(&[cargo("our methods and diffsol", &words)]);
    if ours != ExitCode::SUCCESS {
        return ours;
    }
    match environment() {
        Some(python) => run_all(&[Stage::of("SciPy and CVODE", &python, &["benches/peers.py", peers])]),
        None => {
            say("no Python with numpy, scipy, numba and scikit-sundae: other solvers left out");
            ExitCode::SUCCESS
        }
    }
}

/// A Python with the packages, in an environment of its own below `target`; made on the first run.
fn environment() -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let folder = root.join("target/peers");
    let python = folder.join("bin/python");
    let succeeds = |program: &Path, words: &[&str]| {
        Command::new(program).args(words).current_dir(root).status().is_ok_and(|s| s.success())
    };
    if !succeeds(&python, &["-c", "import numpy, scipy, numba, sksundae"]) {
        say("making a Python environment for the other solvers …");
        let folder = folder.to_str()?;
        let mut words = vec!["-m", "pip", "install", "--quiet"];
        words.extend(PACKAGES);
        if !succeeds(Path::new("python3"), &["-m", "venv", folder]) || !succeeds(&python, &words) {
            return None;
        }
    }
    python.to_str().map(str::to_owned)
}
