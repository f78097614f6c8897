//! The command line: parses, calls, prints once.

mod commands;
mod failure;
mod reply;
mod stop;
mod watch;

use clap::Parser;
use commands::Command;
use std::process::ExitCode;

/// Friction dynamics from a scenario file to numbers, figures and a report.
#[derive(Debug, Parser)]
#[command(name = "bristle", version, disable_help_subcommand = true, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let command = Arguments::parse().command;
    match stop::listening(|| command.obey()) {
        Ok(reply) => reply.print(),
        Err(failure) => failure.print(),
    }
}
