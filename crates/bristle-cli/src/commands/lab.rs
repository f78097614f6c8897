use super::output::show;
use super::scenario_named;
use crate::failure::Failure;
use crate::reply::Reply;
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
                format!("file://{}#t={}", page.display(), letters(scenario_named(path)?.text.as_bytes()))
            }
        };
        if !self.print {
            show(Path::new(&place));
        }
        Ok(Reply::new(format!("lab: {place}\n")))
    }
}

/// The page: beside the program as archives have it, or where a clone builds it.
fn page() -> Option<PathBuf> {
    let program = std::env::current_exe().ok().and_then(|p| p.canonicalize().ok());
    let folder = program.as_deref().and_then(Path::parent);
    let beside = ["lab.html", "../share/bristle/lab.html"].map(|file| folder.map(|f| f.join(file)));
    let here = std::env::current_dir().ok();
    let built = |start: Option<&Path>| -> Vec<PathBuf> {
        let above = start.into_iter().flat_map(Path::ancestors);
        above.map(|f| f.join("target/lab/index.html")).collect()
    };
    let mut all = beside.into_iter().flatten().chain(built(here.as_deref())).chain(built(folder));
    all.find(|file| file.is_file()).and_then(|file| file.canonicalize().ok())
}

/// Bytes as letters that a link may hold (RFC 4648, section 5).
fn letters(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|k| u32::from(chunk.get(k).copied().unwrap_or(0)));
        let word = a << 16 | b << 8 | c;
        let letter = |k: usize| char::from(LETTERS[(word >> (18 - 6 * k)) as usize & 63]);
        out.extend((0..=chunk.len()).map(letter));
    }
    out
}

#[cfg(test)]
mod lab_tests {
    use super::letters;

    #[test]
    fn a_link_holds_any_text() {
        assert_eq!(letters(b"title = 1"), "dGl0bGUgPSAx");
        assert_eq!(letters("µ?".as_bytes()), "wrU_");
        assert_eq!(letters(b"ab"), "YWI");
    }
}
