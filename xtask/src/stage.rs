//! One command of a chore.

use std::path::Path;
use std::process::{Command, Stdio};

/// A command with a name.
pub struct Stage {
    /// What it is about.
    pub name: &'static str,
    program: String,
    words: Vec<String>,
    environment: Vec<(&'static str, String)>,
    is_silent: bool,
}

/// A stage that calls cargo.
pub fn cargo(name: &'static str, words: &[&str]) -> Stage {
    Stage::of(name, env!("CARGO"), words)
}

impl Stage {
    /// A stage that calls any program.
    pub fn of(name: &'static str, program: &str, words: &[&str]) -> Stage {
        let words = words.iter().map(|w| (*w).to_owned()).collect();
        Stage { name, program: program.to_owned(), words, environment: Vec::new(), is_silent: false }
    }

    /// The same with an environment variable.
    pub fn with(mut self, key: &'static str, value: &str) -> Stage {
        self.environment.push((key, value.to_owned()));
        self
    }

    /// The same without its answers; errors are told.
    pub fn silent(self) -> Stage {
        Stage { is_silent: true, ..self }
    }

    /// Runs it in the root of the repository; true if it succeeded.
    pub fn run(&self) -> bool {
        let mut command = Command::new(&self.program);
        command
            .args(&self.words)
            .current_dir(root())
            .envs(self.environment.iter().map(|(key, value)| (key, value)));
        if self.is_silent {
            command.stdout(Stdio::null());
        }
        command.status().is_ok_and(|status| status.success())
    }
}

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// Whether the parallel test runner is there.
pub fn has_nextest() -> bool {
    let mut command = Command::new(env!("CARGO"));
    command.args(["nextest", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
