//! The commands, one file each.

mod check;
mod compare;
mod list;
mod new;
mod output;
mod run;
mod schema;
mod show;

use crate::failure::Failure;
use crate::reply::Reply;

/// What a user can ask for.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Run(run::Run),
    Check(check::Check),
    Compare(compare::Compare),
    List(list::List),
    Show(show::Show),
    New(new::New),
    Schema(schema::Schema),
}

impl Command {
    /// Does it.
    pub fn obey(self) -> Result<Reply, Failure> {
        match self {
            Command::Run(run) => run.obey(),
            Command::Check(check) => check.obey(),
            Command::Compare(compare) => compare.obey(),
            Command::List(list) => list.obey(),
            Command::Show(show) => show.obey(),
            Command::New(new) => new.obey(),
            Command::Schema(schema) => schema.obey(),
        }
    }
}
