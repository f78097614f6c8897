//! Reports in a real browser: legible, within a small screen, light and dark.
//!
//! Where Chromium and Node.js are not to be had this is said, and nothing is checked.

use crate::stage::{Stage, cargo, root};
use std::process::{Command, ExitCode, Stdio};

/// The driver of the browser, from the registry of Node.js: pinned.
const DRIVER: &str = "playwright-core@1.56.1";

/// Where the driver, the reports and the pictures go.
const FOLDER: &str = "target/screens";

/// Reports that are looked at: what is run, and its folder.
const REPORTS: [(&[&str], &str); 5] = [
    (&["run", "examples/belt.toml"], "belt"),
    (&["run", "examples/squeal.toml"], "squeal"),
    (&["run", "examples/crane.toml"], "crane"),
    (&["compare", "examples/belt.toml", "--laws", "coulomb,lugre,elasto_plastic"], "compare"),
    (&["certify", "lugre", "coulomb"], "certify"),
];

/// Whether a program answers.
fn has(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|s| s.success())
}

/// Why reports cannot be looked at here, if so.
pub fn obstacle() -> Option<&'static str> {
    if !["chromium", "chromium-browser"].iter().any(|c| has(c)) {
        return Some("Chromium is not installed");
    }
    if !has("node") || !has("npm") { Some("Node.js with npm is not installed") } else { None }
}

/// The stages: the driver, the reports, the look at them.
pub fn stages() -> Vec<Stage> {
    let browser = if has("chromium") { "chromium" } else { "chromium-browser" };
    let folder = root().join(FOLDER);
    let mut stages = vec![cargo("the program", &["build", "--workspace"])];
    if !folder.join("node_modules/playwright-core").is_dir() {
        let words = ["install", "--no-save", "--silent", "--prefix", FOLDER, DRIVER];
        stages.push(Stage::of("the driver of the browser", "npm", &words));
    }
    let program = root().join("target/debug/bristle").display().to_string();
    for (words, name) in REPORTS {
        let out = format!("{FOLDER}/{name}");
        let words = [words, &["--out", &out]].concat();
        stages.push(Stage::of("a report", &program, &words).silent());
    }
    let mut words = vec!["xtask/src/screens.mjs".to_owned(), browser.to_owned(), FOLDER.to_owned()];
    words.extend(REPORTS.iter().map(|(_, name)| format!("{FOLDER}/{name}/report.html")));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    stages.push(Stage::of("reports in a browser", "node", &words));
    stages
}

/// Looks at the reports.
pub fn run() -> ExitCode {
    match obstacle() {
        Some(reason) => {
            crate::say(&format!("skipped: {reason}"));
            ExitCode::SUCCESS
        }
        None => crate::run_all(&stages()),
    }
}
