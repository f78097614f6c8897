//! Runs on more than one machine, tried on this one: Slurm on loopback, and workers of Dask.

use crate::python;
use crate::stage::{Stage, cargo, root};

/// Stages that try both; each skips itself with a plain message where what it needs is missing.
pub fn stages() -> Result<Vec<Stage>, String> {
    let shown = |path: &str| root().join(path).display().to_string();
    let scenario = shown("examples/belt.toml");
    let mut stages = vec![
        cargo("the program", &["build", "--package", "bristle-cli"]),
        Stage::of(
            "Slurm",
            "bash",
            &[&shown("xtask/cluster/slurm.sh"), &shown("target/debug/bristle"), &scenario],
        ),
    ];
    stages.extend(python::with_wheel("Dask", &[&shown("xtask/cluster/workers.py"), &scenario])?);
    Ok(stages)
}
