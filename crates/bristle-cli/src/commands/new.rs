use crate::failure::Failure;
use crate::reply::Reply;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

/// Write a commented scenario to start from.
#[derive(Debug, clap::Args)]
pub struct New {
    /// Its name; the file is NAME.toml.
    name: PathBuf,
    /// What it describes.
    #[arg(long, value_enum, default_value_t = StarterKind::Belt)]
    kind: StarterKind,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum StarterKind {
    /// A block on a moving belt.
    Belt,
    /// A block on a test bench under a force.
    Bench,
    /// A block on an incline.
    Incline,
}

impl StarterKind {
    fn text(self) -> &'static str {
        match self {
            StarterKind::Belt => include_str!("../starters/belt.toml"),
            StarterKind::Bench => include_str!("../starters/bench.toml"),
            StarterKind::Incline => include_str!("../starters/incline.toml"),
        }
    }
}

impl New {
    pub fn obey(self) -> Result<Reply, Failure> {
        let path = match self.name.extension() {
            Some(extension) if extension == "toml" => self.name,
            _ => {
                let mut name = self.name.into_os_string();
                name.push(".toml");
                PathBuf::from(name)
            }
        };
        let failed = |error: std::io::Error| match error.kind() {
            ErrorKind::AlreadyExists => Failure::Exists { path: path.clone() },
            ErrorKind::NotFound => {
                Failure::Unwritable { path: path.clone(), reason: "there is no such folder".to_owned() }
            }
            _ => Failure::Unwritable { path: path.clone(), reason: error.to_string() },
        };
        let mut file = OpenOptions::new().write(true).create_new(true).open(&path).map_err(failed)?;
        let written = file.write_all(self.kind.text().as_bytes()).and_then(|()| file.sync_all());
        if let Err(error) = written {
            // Half a scenario is of no use; the file was made just now.
            let _ = std::fs::remove_file(&path);
            return Err(failed(error));
        }
        let path = path.display();
        Ok(Reply::new(format!("wrote {path}\nedit it, then: bristle run {path}\n")))
    }
}
