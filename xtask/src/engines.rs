//! Friction in other engines, measured and written as a page of the book.

use crate::bench::environment;
use crate::stage::{Stage, cargo};
use crate::{run_all, say};
use std::process::{Command, ExitCode};

/// The engines, each of which may be missing where there is no wheel of it.
const ENGINES: [&str; 5] =
    ["scipy==1.17.1", "mujoco==4.0.0", "exudyn==1.13.6", "drake==1.51.1", "pybullet==3.2.7"];

/// What the page itself needs.
const PAGE: [&str; 2] = ["numpy", "matplotlib"];

/// Makes the environment, measures, and writes page and figure.
pub fn run() -> ExitCode {
    let Some(python) = environment("target/engines", "import numpy, matplotlib", &PAGE) else {
        say("no Python with venv: nothing is measured");
        return ExitCode::FAILURE;
    };
    for engine in ENGINES {
        let words = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--only-binary",
            ":all:",
            engine,
        ];
        let is_there = Command::new(&python).args(words).status().is_ok_and(|status| status.success());
        if !is_there {
            say(&format!("{engine} cannot be installed here: it is left out"));
        }
    }
    let words =
        ["benches/engines", "target/engines.json", "docs/src/engines.md", "docs/src/figures/engines.svg"];
    run_all(&[
        cargo("bristle", &["build", "--release", "-p", "bristle-cli"]),
        Stage::of("engines", &python, &words).with("BRISTLE", "target/release/bristle"),
    ])
}
