//! The page in a real browser, on a desk and on a phone.

use crate::lab::PAGE;
use crate::say;
use crate::stage::root;
use std::process::{Command, Stdio};

/// The driver of the browser, from the registry of Node.js: pinned.
const DRIVER: &str = "playwright-core@1.56.1";

/// Where the driver and the pictures go.
const FOLDER: &str = "target/lab/browser";

/// Tries the page.
///
/// # Errors
/// What the browser found.
pub fn check() -> Result<String, String> {
    let Some(browser) = browser() else {
        return Ok("skipped: the lab was not tried: Chromium is not installed and cannot be".to_owned());
    };
    if !succeeds(Command::new("node").arg("--version")) || !succeeds(Command::new("npm").arg("--version")) {
        return Ok("skipped: the lab was not tried: Node.js with npm is not installed".to_owned());
    }
    if !root().join(FOLDER).join("node_modules/playwright-core").is_dir() {
        let words =
            ["install", "--no-save", "--silent", "--no-audit", "--no-fund", "--prefix", FOLDER, DRIVER];
        if !succeeds(Command::new("npm").args(words).current_dir(root())) {
            return Ok("skipped: the lab was not tried: the driver of the browser cannot be had".to_owned());
        }
    }
    let mut look = Command::new("node");
    look.args(["crates/bristle-lab/tests/lab.mjs", browser, FOLDER, PAGE]).current_dir(root());
    match look.status() {
        Ok(status) if status.success() => Ok("the lab holds in a browser".to_owned()),
        _ => Err("the lab fails in a browser".to_owned()),
    }
}

/// What the browser is called here, installed if that may be done.
fn browser() -> Option<&'static str> {
    let known = || {
        ["chromium", "chromium-browser", "google-chrome"]
            .into_iter()
            .find(|b| succeeds(Command::new(b).arg("--version")))
    };
    known().or_else(|| {
        let is_root = Command::new("id").arg("-u").output().is_ok_and(|o| o.stdout.starts_with(b"0"));
        if is_root && succeeds(Command::new("apt-get").arg("--version")) {
            say("── Chromium for the lab ──");
            succeeds(Command::new("apt-get").arg("update"));
            let words = ["install", "-y", "--no-install-recommends", "chromium"];
            succeeds(Command::new("apt-get").args(words).env("DEBIAN_FRONTEND", "noninteractive"));
        }
        known()
    })
}

fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
