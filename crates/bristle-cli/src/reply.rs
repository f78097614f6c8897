//! What a command has to say.

use std::io::Write;
use std::process::ExitCode;

/// The text of an answer; it goes to standard output in one piece.
#[derive(Debug)]
pub struct Reply(pub String);

impl Reply {
    /// Prints the answer. A reader that has gone away (`bristle list laws | head -1`) is no error.
    pub fn print(self) -> ExitCode {
        let text = if self.0.ends_with('\n') { self.0 } else { self.0 + "\n" };
        let _ = std::io::stdout().write_all(text.as_bytes());
        ExitCode::SUCCESS
    }
}

impl From<String> for Reply {
    fn from(text: String) -> Self {
        Reply(text)
    }
}
