//! The program `bristle`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(bristle_cli::obey(std::env::args_os()))
}
