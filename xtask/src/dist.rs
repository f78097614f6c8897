//! The archive that is published: program, libraries, header, licences, completions and manual pages.

use crate::stage::{cargo, root};
use crate::{fail, say, windows};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// What the archive holds besides what is compiled: from the repository, to the archive.
const FILES: [(&str, &str); 10] = [
    ("crates/bristle-c/include/bristle.h", "include/bristle.h"),
    ("crates/bristle-c/include/bristle.hpp", "include/bristle.hpp"),
    ("README.md", "share/doc/bristle/README.md"),
    ("CHANGELOG.md", "share/doc/bristle/CHANGELOG.md"),
    ("CITATION.cff", "share/doc/bristle/CITATION.cff"),
    ("LICENSE-APACHE", "share/doc/bristle/LICENSE-APACHE"),
    ("LICENSE-MIT", "share/doc/bristle/LICENSE-MIT"),
    ("docs/schema/scenario.schema.json", "share/bristle/scenario.schema.json"),
    ("examples/c/joint.c", "share/doc/bristle/examples/joint.c"),
    ("examples/c/belt.c", "share/doc/bristle/examples/belt.c"),
];

/// Makes `dist/bristle-VERSION-TARGET.tar.gz` and tries what is in it. The profile is that of published programs unless named.
pub fn run(profile: &str) -> ExitCode {
    match made(profile) {
        Ok(words) => {
            say(&words);
            ExitCode::SUCCESS
        }
        Err(reason) => fail(&reason),
    }
}

fn made(profile: &str) -> Result<String, String> {
    let name = format!("bristle-{}-{}", env!("CARGO_PKG_VERSION"), target()?);
    let folder = root().join("target/archive").join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|e| format!("cannot remove {}: {e}", folder.display()))?;
    }
    let packages = ["bristle-cli", "bristle-fmu", "bristle-c"];
    let words: Vec<&str> = ["build", "--locked", "--profile", profile]
        .into_iter()
        .chain(packages.iter().flat_map(|p| ["-p", *p]))
        .collect();
    stage(cargo("program and libraries", &words))?;
    let built = root().join("target").join(if profile == "dev" { "debug" } else { profile });
    let (start, end) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let program = format!("bristle{}", std::env::consts::EXE_SUFFIX);
    let library = |stem: &str| format!("{start}{stem}{end}");
    put(&built.join(&program), &folder.join("bin").join(&program))?;
    put(&built.join(library("bristle_fmu")), &folder.join("lib/bristle").join(library("bristle_fmu")))?;
    // FMUs written here run on Windows too.
    if cfg!(target_os = "linux") && windows::put(&folder.join("lib/bristle"))? {
        strip(&folder.join("lib/bristle/bristle_fmu.dll"));
    }
    put(&built.join(library("bristle_c")), &folder.join("lib").join(library("bristle_c")))?;
    let archive = if cfg!(windows) { "bristle_c.lib" } else { "libbristle_c.a" };
    put(&built.join(archive), &folder.join("lib").join(archive))?;
    let linked = [
        format!("bin/{program}"),
        format!("lib/bristle/{}", library("bristle_fmu")),
        format!("lib/{}", library("bristle_c")),
    ];
    linked.iter().for_each(|file| strip(&folder.join(file)));
    for (from, to) in FILES {
        put(&root().join(from), &folder.join(to))?;
    }
    match crate::lab::build(true)? {
        crate::lab::Made::Whole(words) => {
            say(&words);
            put(&root().join(crate::lab::PAGE), &folder.join("share/bristle/lab.html"))?;
        }
        crate::lab::Made::Not(reason) => say(&format!("the archive is without the lab: {reason}")),
    }
    let template = read(&root().join("crates/bristle-c/bristle.pc.in"))?;
    let settings =
        template.replace("@prefix@", "${pcfiledir}/../..").replace("@version@", env!("CARGO_PKG_VERSION"));
    write(&folder.join("lib/pkgconfig/bristle.pc"), &settings)?;
    write(&folder.join("share/doc/bristle/THIRD-PARTY.txt"), &third_party()?)?;
    call(
        Command::new(built.join(&program)).arg("pages").arg(folder.join("share")).stdout(Stdio::null()),
        "the program writes no manual pages",
    )?;
    let packed = root().join("dist").join(format!("{name}.tar.gz"));
    fs::create_dir_all(root().join("dist")).map_err(|e| format!("cannot make dist: {e}"))?;
    let mut tar = Command::new("tar");
    tar.arg("-czf").arg(&packed).arg("-C").arg(root().join("target/archive")).arg(&name);
    call(&mut tar, "tar could not pack the archive")?;
    tried(&packed, &name)?;
    let size = fs::metadata(&packed).map_err(|e| e.to_string())?.len();
    Ok(format!("wrote {}, {:.1} MB", packed.display(), size as f64 / 1e6))
}

/// Leaves out of a file what nobody who links or runs it needs; where there is no `strip` it stays as it is.
fn strip(file: &Path) {
    let stripped =
        Command::new("strip").arg("--strip-unneeded").arg(file).status().is_ok_and(|status| status.success());
    if !stripped {
        say(&format!("{} was not stripped", file.display()));
    }
}

/// Unpacks the archive elsewhere and uses what is in it, away from the repository.
fn tried(packed: &Path, name: &str) -> Result<(), String> {
    let folder = root().join("target/archive/tried");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
    call(
        Command::new("tar").arg("-xzf").arg(packed).arg("-C").arg(&folder),
        "the archive cannot be unpacked",
    )?;
    let prefix = folder.join(name);
    let program = prefix.join("bin").join(format!("bristle{}", std::env::consts::EXE_SUFFIX));
    let scenario = root().join("examples/belt.toml");
    let words = |words: &[&str]| -> Command {
        let mut command = Command::new(&program);
        command.args(words).arg(&scenario).current_dir(&folder);
        command
    };
    call(
        words(&["run", "--out", "out"]).stdout(Stdio::null()),
        "the packed program does not run a scenario",
    )?;
    call(
        words(&["export", "fmu", "--out", "belt.fmu"]).stdout(Stdio::null()),
        "the packed program writes no FMU",
    )?;
    if Command::new("cc").arg("--version").stdout(Stdio::null()).status().is_err() {
        say("no C compiler: the packed library was not linked");
        return Ok(());
    }
    let mut compile = Command::new("cc");
    compile
        .arg("-I")
        .arg(prefix.join("include"))
        .arg(prefix.join("share/doc/bristle/examples/joint.c"))
        .arg(prefix.join("lib/libbristle_c.a"))
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(folder.join("joint"));
    call(&mut compile, "the packed library cannot be linked")?;
    call(Command::new(folder.join("joint")).stdout(Stdio::null()), "the packed example does not run")
}

/// What the compiler compiles for.
fn target() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|e| format!("rustc: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not say what it compiles for".to_owned())
}

/// The licences of everything that is linked: each library with its version, and the texts it brings along.
fn third_party() -> Result<String, String> {
    let words = [
        "tree",
        "--locked",
        "-e",
        "normal",
        "--prefix",
        "none",
        "--format",
        "{p}|{l}",
        "-p",
        "bristle-cli",
        "-p",
        "bristle-fmu",
        "-p",
        "bristle-c",
    ];
    let output =
        Command::new(env!("CARGO")).args(words).current_dir(root()).output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines: Vec<&str> = text
        .lines()
        .map(|line| line.trim_end_matches(" (*)"))
        .filter(|l| !l.is_empty() && !l.contains(" (/"))
        .collect();
    lines.sort_unstable();
    lines.dedup();
    let sources = sources();
    let mut out = String::from(
        "Libraries of others that the program and its libraries are made of, with their licences.\n",
    );
    let mut seen: Vec<(String, String)> = Vec::new();
    for line in lines {
        let (package, licence) = line.split_once('|').unwrap_or((line, ""));
        let package = package.trim().trim_end_matches(" (proc-macro)").replace(" v", "-");
        out += &format!("\n{package}: {licence}");
        for (file, words) in texts(&sources, &package) {
            // Most bring the same few texts: each is printed once.
            match seen.iter().find(|(_, known)| *known == words) {
                Some((first, _)) => out += &format!("\n  {file}: as {first}"),
                None => {
                    out += &format!("\n  {file}:\n\n{words}\n");
                    seen.push((format!("{package}/{file}"), words));
                }
            }
        }
    }
    out.push('\n');
    Ok(out)
}

/// Where cargo keeps the sources of libraries.
fn sources() -> Vec<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo")));
    let indices = home.and_then(|home| fs::read_dir(home.join("registry/src")).ok());
    indices.into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// The licence texts of a library, by file.
fn texts(sources: &[PathBuf], package: &str) -> Vec<(String, String)> {
    let is_licence = |name: &str| {
        ["LICENSE", "LICENCE", "COPYING", "NOTICE"].iter().any(|start| name.to_uppercase().starts_with(start))
    };
    let folder = sources.iter().map(|index| index.join(package)).find(|folder| folder.is_dir());
    let entries = folder.and_then(|folder| fs::read_dir(folder).ok());
    let mut found: Vec<(String, String)> = entries
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
        .filter(|(name, path)| is_licence(name) && path.is_file())
        .filter_map(|(name, path)| Some((name, fs::read_to_string(path).ok()?)))
        .collect();
    found.sort();
    found
}

fn stage(stage: crate::Stage) -> Result<(), String> {
    say(&format!("── {} ──", stage.name));
    if stage.run() { Ok(()) } else { Err(stage.name.to_owned()) }
}

fn call(command: &mut Command, what: &str) -> Result<(), String> {
    let status = command.status().map_err(|e| format!("{what}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{what}: {status}")) }
}

fn put(from: &Path, to: &Path) -> Result<(), String> {
    let parent = to.parent().unwrap_or(to);
    let made = fs::create_dir_all(parent).and_then(|()| fs::copy(from, to));
    made.map(|_| ()).map_err(|e| format!("cannot copy {} to {}: {e}", from.display(), to.display()))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let parent = path.parent().unwrap_or(path);
    let made = fs::create_dir_all(parent).and_then(|()| fs::write(path, text));
    made.map_err(|e| format!("cannot write {}: {e}", path.display()))
}
