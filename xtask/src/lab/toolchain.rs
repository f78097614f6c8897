//! A compiler that knows the target, or can be made to.

use crate::say;
use crate::stage::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TARGET: &str = "wasm32-unknown-unknown";

/// Where compiled things go.
const FOLDER: &str = "target/lab/build";

/// Debian's compiler with the sources of its library, and a linker as new.
const PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];
const LINKERS: [&str; 3] = ["lld-22", "lld-19", "lld"];

/// The oldest compiler that compiles these crates.
const OLDEST: u32 = 90;

/// How the module is compiled.
pub enum Compiler {
    /// By cargo as it is: the target is installed.
    Own,
    /// By cargo as it is, the library with it, from the sources of its toolchain.
    OwnSources,
    /// By Debian's, the library with it.
    Debian {
        /// Its linker.
        linker: PathBuf,
    },
}

/// A compiler, installed if need be.
///
/// # Errors
/// Why there is none, and what would help.
pub fn find() -> Result<Compiler, String> {
    let sysroot = answer("rustc", &["--print", "sysroot"]).map(PathBuf::from);
    if let Some(library) = sysroot.map(|s| s.join("lib/rustlib")) {
        if library.join(TARGET).join("lib").is_dir() {
            return Ok(Compiler::Own);
        }
        if library.join("src/rust/library/std").is_dir() {
            return Ok(Compiler::OwnSources);
        }
    }
    if let Some(debian) = debian() {
        return Ok(debian);
    }
    install();
    debian().ok_or_else(|| {
        format!("no compiler here knows {TARGET}: `rustup target add {TARGET}`, or Debian’s packages {} (1.{OLDEST} or newer) and {}", PACKAGES.join(", "), LINKERS[0])
    })
}

/// Debian's compiler, if it and all it needs are here and new enough.
fn debian() -> Option<Compiler> {
    let version = answer("/usr/bin/rustc", &["--version"])?;
    let minor: u32 = version.split('.').nth(1)?.parse().ok()?;
    let has_sources = Path::new("/usr/lib/rustlib/src/rust/library/std").is_dir();
    let linkers = ["wasm-ld-22", "wasm-ld-19", "wasm-ld"].map(|name| Path::new("/usr/bin").join(name));
    let linker = linkers.into_iter().find(|path| path.exists())?;
    (minor >= OLDEST && has_sources && Path::new("/usr/bin/cargo").exists())
        .then_some(Compiler::Debian { linker })
}

/// Installs Debian's packages where that may be done; what comes of it is seen afterwards.
fn install() {
    let is_root = answer("id", &["-u"]).is_some_and(|id| id == "0");
    if !is_root || answer("apt-get", &["--version"]).is_none() {
        return;
    }
    say("── packages of Debian for the lab ──");
    let apt = |words: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(words).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    apt(&["update"]);
    let install = ["install", "-y", "--no-install-recommends"];
    apt(&[&install[..], &PACKAGES].concat());
    let _ = LINKERS.iter().any(|linker| apt(&[&install[..], &[linker]].concat()));
}

/// The first line a program answers.
fn answer(program: &str, words: &[&str]) -> Option<String> {
    let output = Command::new(program).args(words).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.lines().next().unwrap_or_default().trim().to_owned())
}

impl Compiler {
    /// In words.
    pub fn name(&self) -> &'static str {
        match self {
            Compiler::Own => "this toolchain",
            Compiler::OwnSources => "this toolchain, with the standard library",
            Compiler::Debian { .. } => "Debian’s, with the standard library",
        }
    }

    /// Compiles the module.
    ///
    /// # Errors
    /// When the compiler fails.
    pub fn build(&self) -> Result<PathBuf, String> {
        let mut flags = "-Clink-arg=-zstack-size=8388608".to_owned();
        let mut command = match self {
            Compiler::Debian { linker } => {
                flags += &format!(" -Clinker={}", linker.display());
                let mut command = Command::new("/usr/bin/cargo");
                let path = std::env::var("PATH").unwrap_or_default();
                command.env("PATH", format!("/usr/bin:{path}")).env("RUSTC", "/usr/bin/rustc");
                // What this chore's own toolchain has set is of no use to another.
                command.env_remove("RUSTUP_TOOLCHAIN").env_remove("RUSTDOC").env_remove("CARGO");
                command
            }
            _ => Command::new(env!("CARGO")),
        };
        command.args(["build", "--locked", "--release", "--target", TARGET]).args(["--target-dir"]);
        command.arg(root().join(FOLDER)).env("RUSTFLAGS", flags);
        if !matches!(self, Compiler::Own) {
            command.arg("-Zbuild-std=std,panic_abort").env("RUSTC_BOOTSTRAP", "1");
        }
        let status = command.current_dir(root().join("crates/bristle-lab")).status();
        let module = root().join(FOLDER).join(TARGET).join("release/bristle_lab.wasm");
        match status {
            Ok(status) if status.success() && fs::metadata(&module).is_ok() => Ok(module),
            _ => Err("the lab does not compile".to_owned()),
        }
    }
}
