//! A terminal in an empty folder.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// An empty folder that goes away with the test.
pub struct Terminal {
    /// Where commands run.
    pub folder: PathBuf,
}

/// What a command left behind.
pub struct Reply {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Reply {
    /// What was said, with the lines of messages joined again.
    pub fn words(&self) -> String {
        let said = format!("{}\n{}", self.out, self.err);
        said.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
    }
}

impl Terminal {
    pub fn new() -> Terminal {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("bristle-cli-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Terminal { folder }
    }

    /// Writes a file.
    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) -> &Terminal {
        std::fs::write(self.folder.join(name), text).unwrap();
        self
    }

    /// What a file holds.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.join(name)).unwrap()
    }

    /// What a file of JSON holds.
    pub fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// A command, to be started here.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bristle"));
        command.args(words).current_dir(&self.folder).env("NO_COLOR", "1");
        command
    }

    /// Types a command that must be refused and leave no trace; what it says.
    pub fn refuses(&self, words: &[&str]) -> String {
        let before = self.listing();
        let reply = self.types(words);
        assert_eq!(reply.code, Some(2), "{}{}", reply.out, reply.err);
        assert_eq!(reply.out, "");
        assert_eq!(self.listing(), before, "something was left behind");
        reply.err
    }

    /// Types a command.
    pub fn types(&self, words: &[&str]) -> Reply {
        let done = self.command(words).output().unwrap();
        // The program calls itself by another name on some systems.
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace("bristle.exe", "bristle");
        Reply { code: done.status.code(), out: text(done.stdout), err: text(done.stderr) }
    }

    /// The names of all files and folders here.
    pub fn listing(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.folder).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// A block on a belt, tied by a spring, under a title and with further parts or studies.
pub fn belt(title: &str, further: &str) -> String {
    format!(
        r#"title = "{title}"
[parts.block]
kind = "mass"
mass = "1 kg"
[parts.belt]
kind = "drive"
v = "0.1 m/s"
[parts.tie]
kind = "spring"
between = ["block", "ground"]
k = "100 N/m"
[parts.pad]
kind = "contact"
between = ["block", "belt"]
load = "10 N"
law = {{ kind = "lugre", mu_d = 0.3, mu_s = 0.4, sigma0 = "1e4 N/m", sigma1 = "100 N s/m" }}
{further}
"#
    )
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
