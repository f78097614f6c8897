//! The lab: crates as WebAssembly within one page that needs no network and no server, `target/lab/index.html`.
//!
//! Rust's own toolchain may lack the target; then the standard library is compiled along, from its sources, with the compiler they
//! belong to. What is missing is installed where the packages of Debian may be, and named where not.

mod browser;
mod page;
mod toolchain;

use crate::say;
use crate::stage::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Where the page goes.
pub const PAGE: &str = "target/lab/index.html";

/// The optimiser of modules, from the registry of Node.js: pinned.
const OPTIMISER: &str = "binaryen@132.0.0";

/// Where it is kept.
const TOOLS: &str = "target/lab/tools";

/// Whether and how the page was made.
pub enum Made {
    /// It is there; sizes in words.
    Whole(String),
    /// It cannot be made here, and why.
    Not(String),
}

/// Builds the page, and tries it in a browser if asked.
///
/// # Errors
/// What failed that should not have.
pub fn run(is_checked: bool) -> Result<String, String> {
    match build(!is_checked)? {
        Made::Not(reason) => Ok(format!("skipped: the lab cannot be built here: {reason}")),
        Made::Whole(words) if is_checked => {
            say(&words);
            browser::check()
        }
        Made::Whole(words) => Ok(words),
    }
}

/// Compiles the module and writes the page around it. To be published it goes through the optimiser of modules, some minutes for some
/// hundredths of its size.
///
/// # Errors
/// What failed that should not have.
pub fn build(is_published: bool) -> Result<Made, String> {
    let begun = Instant::now();
    let compiler = match toolchain::find() {
        Ok(compiler) => compiler,
        Err(reason) => return Ok(Made::Not(reason)),
    };
    say(&format!("── the lab, compiled by {} ──", compiler.name()));
    let module = compiler.build()?;
    let optimised = if is_published { optimised(&module) } else { None };
    let bytes = fs::read(optimised.as_ref().unwrap_or(&module))
        .map_err(|e| format!("cannot read the module: {e}"))?;
    let packed = page::packed(&bytes)?;
    let page = page::assemble(&packed)?;
    let target = root().join(PAGE);
    let parent = target.parent().unwrap_or(root());
    fs::create_dir_all(parent).map_err(|e| format!("cannot make {}: {e}", parent.display()))?;
    fs::write(&target, &page).map_err(|e| format!("cannot write {PAGE}: {e}"))?;
    Ok(Made::Whole(format!(
        "{PAGE}: {:.2} MB, of which the module {:.2} MB, {:.2} MB packed{}; {:.0} s",
        page.len() as f64 / 1e6,
        bytes.len() as f64 / 1e6,
        packed.len() as f64 / 1e6,
        if is_published && optimised.is_none() { ", not optimised for want of wasm-opt or npm" } else { "" },
        begun.elapsed().as_secs_f64()
    )))
}

/// The module made smaller; `None` where the optimiser is not to be had.
fn optimised(module: &Path) -> Option<PathBuf> {
    let target = module.with_extension("small.wasm");
    // One that is newer than its module is the same.
    let age = |path: &Path| fs::metadata(path).and_then(|m| m.modified()).ok();
    if age(&target).zip(age(module)).is_some_and(|(small, large)| small > large) {
        return Some(target);
    }
    let words = ["-Oz", "--all-features", "--strip-debug", "--strip-producers"];
    let optimise = |program: &mut Command| {
        program.args(words).arg(module).arg("-o").arg(&target);
        program.status().is_ok_and(|s| s.success())
    };
    if optimise(&mut Command::new("wasm-opt")) {
        return Some(target);
    }
    let words = ["install", "--no-save", "--silent", "--no-audit", "--no-fund", "--prefix", TOOLS, OPTIMISER];
    let mut install = Command::new("npm");
    install.args(words).current_dir(root()).stdout(Stdio::null());
    install.status().ok().filter(|s| s.success())?;
    let program = root().join(TOOLS).join("node_modules/binaryen/bin/wasm-opt");
    optimise(Command::new("node").arg(&program)).then_some(target)
}
