use super::output::show;
use super::scenario_named;
use crate::failure::Failure;
use crate::reply::Reply;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as URL_SAFE_NO_PAD;
use std::path::{Path, PathBuf};

/// Open the lab: mechanisms and laws to play with in the browser, without network and server.
#[derive(Debug, clap::Args)]
pub struct Lab {
    /// A scenario to begin with; `-` reads standard input
    scenario: Option<PathBuf>,
    /// Say where the page is, and do not open it
    #[arg(long)]
    print: bool,
}

impl Lab {
    pub fn obey(self) -> Result<Reply, Failure> {
        let page = page().ok_or_else(|| Failure::Missing {
            missing: "the page of the lab is not beside this program".to_owned(),
            hint: "`cargo xtask lab` builds it in a clone; archives hold it as `share/bristle/lab.html`"
                .to_owned(),
        })?;
        let place = match &self.scenario {
            None => page.display().to_string(),
            Some(path) => {
                format!("file://{}#t={}", page.display(), URL_SAFE_NO_PAD.encode(scenario_named(path)?.text))
            }
        };
        if !self.print {
            show(Path::new(&place));
        }
        Ok(Reply::new(format!("lab: {place}\n")))
    }
}

/// The page: where `BRISTLE_LAB` says, beside the program as archives have it, or where the clone that built the program builds it.
fn page() -> Option<PathBuf> {
    let named = std::env::var_os("BRISTLE_LAB").map(PathBuf::from);
    let program = std::env::current_exe().ok().and_then(|p| p.canonicalize().ok());
    let folder = program.as_deref().and_then(Path::parent);
    let beside = ["lab.html", "../share/bristle/lab.html", "../lab/index.html"];
    let beside = beside.into_iter().filter_map(|file| folder.map(|f| f.join(file)));
    let mut all = named.into_iter().chain(beside);
    all.find(|file| file.is_file()).and_then(|file| file.canonicalize().ok())
}
