use crate::Arguments;
use crate::failure::Failure;
use crate::reply::Reply;
use clap::CommandFactory;
use clap_complete::{Shell, generate};

/// Print what a shell needs to complete the commands and options.
#[derive(Debug, clap::Args)]
pub struct Completions {
    /// Which shell.
    shell: Shell,
}

impl Completions {
    pub fn obey(self) -> Result<Reply, Failure> {
        let mut text = Vec::new();
        generate(self.shell, &mut Arguments::command(), "bristle", &mut text);
        Ok(Reply::new(String::from_utf8_lossy(&text).into_owned()))
    }
}
