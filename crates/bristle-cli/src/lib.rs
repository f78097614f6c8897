//! The command line: parses, calls, prints once.
//!
//! The program is one line around [`obey`], which other front doors call as well.

mod commands;
mod failure;
mod origin;
mod reply;
mod stop;
mod watch;

use clap::Parser;
use commands::Command;
use std::ffi::OsString;

/// Friction dynamics from a scenario file to numbers, figures and a report.
#[derive(Debug, Parser)]
#[command(name = "bristle", version, disable_help_subcommand = true, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// Does what the words of a command line say, the first of which is the program's name; gives the exit code.
pub fn obey(words: impl IntoIterator<Item = OsString>) -> u8 {
    origin::begin();
    let words = commands::with_slurm_joined(words);
    let command = match Arguments::try_parse_from(words) {
        Ok(arguments) => arguments.command,
        Err(error) => {
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    match stop::listening(|| command.obey()) {
        Ok(reply) => reply.print(),
        Err(failure) => failure.print(),
    }
}
