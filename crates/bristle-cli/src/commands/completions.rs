use crate::Arguments;
use crate::failure::Failure;
use crate::reply::Reply;
use clap::CommandFactory;
use clap_complete::{Shell, generate, generate_to};
use std::path::PathBuf;

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

/// Write manual pages and the completions of all shells below a folder, as packages hold them.
#[derive(Debug, clap::Args)]
pub struct Pages {
    /// The folder, such as `/usr/share`.
    folder: PathBuf,
}

/// Where shells look for completions.
const PLACES: [(Shell, &str); 3] = [
    (Shell::Bash, "bash-completion/completions"),
    (Shell::Zsh, "zsh/site-functions"),
    (Shell::Fish, "fish/vendor_completions.d"),
];

impl Pages {
    pub fn obey(self) -> Result<Reply, Failure> {
        let below = |place: &str| -> Result<PathBuf, Failure> {
            let folder = self.folder.join(place);
            std::fs::create_dir_all(&folder).map_err(|e| Failure::unwritable(&folder, &e))?;
            Ok(folder)
        };
        let pages = below("man/man1")?;
        clap_mangen::generate_to(Arguments::command(), &pages)
            .map_err(|e| Failure::unwritable(&pages, &e))?;
        for (shell, place) in PLACES {
            let folder = below(place)?;
            generate_to(shell, &mut Arguments::command(), "bristle", &folder)
                .map_err(|e| Failure::unwritable(&folder, &e))?;
        }
        Ok(Reply::new(format!("wrote manual pages and completions below {}", self.folder.display())))
    }
}
