//! The Python package: built, installed in a venv of its own, and tried.

use crate::stage::{Stage, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the package stands.
const PACKAGE: &str = "crates/bristle-py";

/// Settings of its checks.
const CONFIG: &str = "crates/bristle-py/pyproject.toml";

/// Where wheels of the gate go.
const GATE: &str = "target/wheel/dist";

/// Oldest Python that the package supports, as `sys.version_info` compares it.
const CHECK: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";

/// What is said where there is no Python to try the package with.
const MISSING: &str = "there is no Python of version 3.10 or later with venv: install python3 and python3-venv, or name one in PYTHON";

/// Stages that build the published wheel into `dist`.
pub fn wheel() -> Result<Vec<Stage>, String> {
    let venv = Venv::prepare()?;
    let words = ["build", "--release", "--target-dir", "target/wheel", "--out", "dist"];
    Ok(vec![venv.maturin("the wheel", &words)])
}

/// Stages that build the wheel quickly, install it and run a script with it.
pub fn with_wheel(name: &'static str, words: &[&str]) -> Result<Vec<Stage>, String> {
    let venv = Venv::prepare()?;
    venv.install("requirements-cluster.txt", false)?;
    let mut stages = installed(&venv)?;
    stages.push(venv.python(name, words));
    Ok(stages)
}

/// Stages that build the wheel quickly and try it.
pub fn gate() -> Result<Vec<Stage>, String> {
    let venv = Venv::prepare()?;
    let tests = [
        "-m",
        "pytest",
        "-c",
        "crates/bristle-py/pyproject.toml",
        "--rootdir",
        PACKAGE,
        "crates/bristle-py/tests",
    ];
    let page = ["-m", "doctest", "docs/src/python.md"];
    let stubs = ["-m", "mypy.stubtest", "bristle", "--mypy-config-file", CONFIG];
    let types = ["-m", "mypy", "--config-file", CONFIG, "-p", "bristle"];
    let mut stages = installed(&venv)?;
    stages.extend([
        venv.python("the package in Python", &tests),
        venv.python("the page on Python", &page),
        venv.python("type stubs", &stubs),
        venv.python("types", &types),
    ]);
    Ok(stages)
}

/// Stages that build the wheel quickly and install it.
fn installed(venv: &Venv) -> Result<Vec<Stage>, String> {
    let old = root().join(GATE);
    if old.is_dir() {
        fs::remove_dir_all(&old).map_err(|e| format!("cannot remove {}: {e}", old.display()))?;
    }
    let words = [
        "build",
        "--profile",
        "gate",
        "--no-default-features",
        "--target-dir",
        "target/wheel",
        "--out",
        GATE,
    ];
    let install = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--force-reinstall",
        "--no-deps",
        "--no-index",
        "--find-links",
        GATE,
        "bristle",
    ];
    Ok(vec![venv.maturin("the wheel", &words), venv.python("the wheel installed", &install)])
}

/// Stages that build program and FMU library and try FMUs in foreign importers.
pub fn fmu() -> Result<Vec<Stage>, String> {
    let packages = ["build", "--package", "bristle-cli", "--package", "bristle-fmu"];
    Ok(vec![crate::stage::cargo("program and FMU library", &packages), fmu_tests()?])
}

/// The same with what the tests have built already; importers that pip cannot install are left out.
pub fn fmu_tests() -> Result<Stage, String> {
    let venv = Venv::prepare()?;
    let words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "crates/bristle-fmu/tests/python"];
    let (start, end) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let tests = venv.python("FMUs in foreign importers", &words);
    let tests = tests.with("BRISTLE", &format!("target/debug/bristle{}", std::env::consts::EXE_SUFFIX));
    Ok(tests.with("BRISTLE_FMU_RUNTIME", &format!("target/debug/deps/{start}bristle_fmu{end}")))
}

/// A Python of our own.
struct Venv(PathBuf);

impl Venv {
    /// Makes it, or brings it up to date; nothing is fetched as long as what is wanted stays the same.
    fn prepare() -> Result<Venv, String> {
        let venv = Venv(root().join("target/venv"));
        if !venv.program("python").is_file() {
            let python = find().ok_or_else(|| MISSING.to_owned())?;
            call(Command::new(python).args(["-m", "venv"]).arg(&venv.0), "cannot make target/venv")?;
        }
        venv.install("requirements.txt", true)?;
        venv.install("requirements-foreign.txt", false)?;
        Ok(venv)
    }

    /// Installs what a list names, unless that was done before; one that is not needed may fail line by line.
    fn install(&self, list: &str, is_needed: bool) -> Result<(), String> {
        let path = root().join(PACKAGE).join(list);
        let wanted = fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        let stamp = self.0.join(list);
        if fs::read_to_string(&stamp).is_ok_and(|done| done == wanted) {
            return Ok(());
        }
        let pip = || {
            let mut command = Command::new(self.program("python"));
            command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
            command
        };
        let hint = "pip could not install what the tests need; is there a way to a package index?";
        if is_needed {
            call(pip().arg("-r").arg(&path), hint)?;
        } else {
            let lines = wanted.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
            for line in lines {
                let _ = call(pip().arg(line), hint);
            }
        }
        fs::write(&stamp, wanted).map_err(|e| format!("cannot write {}: {e}", stamp.display()))
    }

    /// A program of the venv.
    fn program(&self, name: &str) -> PathBuf {
        let folder = if cfg!(windows) { "Scripts" } else { "bin" };
        self.0.join(folder).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    fn python(&self, name: &'static str, words: &[&str]) -> Stage {
        Stage::of(name, &shown(&self.program("python")), words)
    }

    fn maturin(&self, name: &'static str, words: &[&str]) -> Stage {
        let python = shown(&self.program("python"));
        let more = ["--manifest-path", "crates/bristle-py/Cargo.toml", "--locked", "--interpreter", &python];
        Stage::of(name, &shown(&self.program("maturin")), &[words, &more].concat())
    }
}

/// A Python that is new enough.
fn find() -> Option<PathBuf> {
    let named = std::env::var_os("PYTHON").map(PathBuf::from);
    let usual = ["python3", "python"].map(PathBuf::from);
    named.into_iter().chain(usual).find(|python| {
        let mut command = Command::new(python);
        command.args(["-c", CHECK]).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    })
}

fn call(command: &mut Command, hint: &str) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{hint} ({status})")),
        Err(error) => Err(format!("{hint} ({error})")),
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
