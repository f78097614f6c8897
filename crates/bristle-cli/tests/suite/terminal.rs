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

    /// Types a command.
    pub fn types(&self, words: &[&str]) -> Reply {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bristle"));
        let done = command.args(words).current_dir(&self.folder).env("NO_COLOR", "1").output().unwrap();
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

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
