//! The library inside FMUs for Windows, compiled on another system and tried under Wine.
//!
//! What is needed: MinGW-w64, and either the standard library of Rust for Windows (`rustup target add x86_64-pc-windows-gnu`) or a
//! compiler that brings the sources of its own (the packages `rustc-web`, `cargo-web` and `rust-web-src` of Debian).

use crate::stage::{Stage, root};
use crate::{fail, run_all, say};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

const TARGET: &str = "x86_64-pc-windows-gnu";

/// The C compiler for Windows, which links.
const LINKER: &str = "x86_64-w64-mingw32-gcc";

/// Folder of what is compiled, apart from everything else.
const FOLDER: &str = "target/windows";

/// How far apart the numbers of two systems may lie: their mathematical libraries round in their own ways.
const CLOSE: f64 = 1e-9;

/// Compiles the library and tries it.
pub fn run() -> ExitCode {
    let stage = match stage() {
        Ok(stage) => stage,
        Err(missing) => {
            say(&format!("skipped: {missing}"));
            return ExitCode::SUCCESS;
        }
    };
    let code = run_all(&[stage]);
    if code != ExitCode::SUCCESS {
        return code;
    }
    match tried() {
        Ok(words) => {
            say(&words);
            ExitCode::SUCCESS
        }
        Err(reason) => fail(&reason),
    }
}

/// The compiled library.
pub fn library() -> PathBuf {
    root().join(FOLDER).join(TARGET).join("release/bristle_fmu.dll")
}

/// The stage that compiles it, or what is missing.
pub fn stage() -> Result<Stage, String> {
    if !answers(LINKER) {
        return Err(format!("there is no {LINKER}; install MinGW-w64 (gcc-mingw-w64-x86-64)"));
    }
    let words = [
        "build",
        "--locked",
        "--release",
        "--target",
        TARGET,
        "-p",
        "bristle-fmu",
        "--lib",
        "--target-dir",
        FOLDER,
    ];
    let name = "the FMU library for Windows";
    if sysroot("rustc").is_some_and(|sysroot| sysroot.join("lib/rustlib").join(TARGET).is_dir()) {
        return Ok(crate::stage::cargo(name, &words));
    }
    // A compiler that brings sources of the standard library compiles that as well.
    let sources = sysroot("/usr/bin/rustc").map(|sysroot| sysroot.join("lib/rustlib/src/rust/library"));
    if !sources.is_some_and(|sources| sources.is_dir()) {
        return Err(format!("there is no standard library for {TARGET}, nor the sources of one"));
    }
    let words = [&words[..1], &["-Zbuild-std=std,panic_unwind"], &words[1..]].concat();
    Ok(Stage::of(name, "/usr/bin/cargo", &words)
        .with("RUSTC", "/usr/bin/rustc")
        .with("RUSTDOC", "/usr/bin/rustdoc")
        .with("RUSTC_BOOTSTRAP", "1"))
}

fn answers(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Where a compiler keeps its libraries.
fn sysroot(rustc: &str) -> Option<PathBuf> {
    let output = Command::new(rustc).args(["--print", "sysroot"]).output().ok()?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim().to_owned()))
}

/// Steps the belt in the library for Windows, under Wine, and in that of this system: the same motion.
fn tried() -> Result<String, String> {
    let size = fs::metadata(library()).map_err(|e| format!("no library was made: {e}"))?.len();
    let made = format!("{}, {:.1} MB", library().display(), size as f64 / 1e6);
    let wine = ["wine64", "wine", "/usr/lib/wine/wine64"].into_iter().find(|wine| answers(wine));
    let Some(wine) = wine else { return Ok(format!("{made}; there is no Wine to try it under")) };
    let folder = root().join(FOLDER).join("tried");
    let resources = folder.join("resources");
    fs::create_dir_all(&resources).map_err(|e| e.to_string())?;
    // The description tells the token and the reference of the block's place.
    let own =
        crate::stage::cargo("program and library", &["build", "-p", "bristle-cli", "-p", "bristle-fmu"]);
    if !own.run() {
        return Err("the program does not compile".to_owned());
    }
    let scenario = root().join("examples/belt.toml");
    fs::copy(&scenario, resources.join("scenario.toml")).map_err(|e| e.to_string())?;
    let fmu = folder.join("belt.fmu");
    call(
        Command::new(root().join("target/debug/bristle"))
            .args(["export", "fmu"])
            .arg(&scenario)
            .arg("--out")
            .arg(&fmu)
            .stdout(Stdio::null()),
        "no FMU was written",
    )?;
    let unzip =
        "import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read('modelDescription.xml').decode())";
    let xml = answer(Command::new("python3").args(["-c", unzip]).arg(&fmu))?;
    let after = |text: &str, before: &str| -> Result<String, String> {
        let rest = text.split_once(before).map(|(_, rest)| rest).ok_or("the description lacks something")?;
        Ok(rest.split('"').next().unwrap_or_default().to_owned())
    };
    let guid = after(&xml, "guid=\"")?;
    let reference = after(&xml, "name=\"block.q\" valueReference=\"")?;
    let words = [guid.as_str(), reference.as_str(), "3000", "0.01"];
    let source = root().join("crates/bristle-fmu/tests/windows/host.c");
    let host = |compiler: &str, name: &str, end: &[&str]| -> Result<PathBuf, String> {
        let to = folder.join(name);
        let mut compile = Command::new(compiler);
        compile.args(["-std=c99", "-O1", "-Wall", "-Wextra"]).arg(&source).arg("-o").arg(&to).args(end);
        call(&mut compile, "the importer does not compile")?;
        Ok(to)
    };
    let foreign = host(LINKER, "host.exe", &[])?;
    let mut stand_in = Command::new(LINKER);
    stand_in.args(["-shared", "-O1"]).arg(root().join("crates/bristle-fmu/tests/windows/bcryptprimitives.c"));
    stand_in.arg("-o").arg(folder.join("bcryptprimitives.dll")).arg("-ladvapi32");
    call(&mut stand_in, "the stand-in for a library that older Wine lacks does not compile")?;
    let native = host("cc", "host", &["-ldl"])?;
    let uri =
        |prefix: &str| format!("file:///{prefix}{}", resources.display().to_string().trim_start_matches('/'));
    let theirs = answer(
        Command::new(wine)
            .env("WINEDEBUG", "-all")
            .env("WINEPREFIX", folder.join("prefix"))
            .arg(&foreign)
            .arg(library())
            .arg(uri("Z:/"))
            .args(words),
    )?;
    let ours = root().join("target/debug/deps/libbristle_fmu.so");
    let ours = answer(Command::new(native).arg(ours).arg(uri("")).args(words))?;
    let apart = apart(&theirs, &ours)?;
    if apart > CLOSE {
        return Err(format!("under Wine the block is up to {apart:.1e} m from where it is here"));
    }
    Ok(format!("{made}; 30 s of the belt under Wine are those of this system within {apart:.1e} m"))
}

/// The largest difference of two lists of numbers.
fn apart(a: &str, b: &str) -> Result<f64, String> {
    let numbers = |text: &str| -> Result<Vec<f64>, String> {
        text.lines().map(|line| line.trim().parse().map_err(|_| format!("`{line}` is no number"))).collect()
    };
    let (a, b) = (numbers(a)?, numbers(b)?);
    if a.len() != b.len() || a.is_empty() {
        return Err(format!("{} values against {}", a.len(), b.len()));
    }
    Ok(a.iter().zip(&b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max))
}

fn answer(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn call(command: &mut Command, what: &str) -> Result<(), String> {
    let status = command.status().map_err(|e| format!("{what}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{what}: {status}")) }
}

/// Copies the library into a folder, if it can be compiled here.
pub fn put(to: &Path) -> Result<bool, String> {
    let stage = match stage() {
        Ok(stage) => stage,
        Err(missing) => {
            say(&format!("FMUs will not run on Windows: {missing}"));
            return Ok(false);
        }
    };
    if !stage.run() {
        return Err("the FMU library for Windows does not compile".to_owned());
    }
    fs::create_dir_all(to).map_err(|e| format!("cannot make {}: {e}", to.display()))?;
    let copied = fs::copy(library(), to.join("bristle_fmu.dll"));
    copied.map(|_| true).map_err(|e| format!("cannot copy the library for Windows: {e}"))
}
