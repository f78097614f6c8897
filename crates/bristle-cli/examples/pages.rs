//! Writes completions for shells and manual pages below a folder: `man/man1`, `bash-completion`, `zsh`, `fish`.

use clap_complete::Shell;
use std::path::Path;

fn main() -> std::io::Result<()> {
    let Some(folder) = std::env::args().nth(1) else {
        return Err(std::io::Error::other("name a folder"));
    };
    let folder = Path::new(&folder);
    let pages = folder.join("man/man1");
    std::fs::create_dir_all(&pages)?;
    clap_mangen::generate_to(bristle_cli::words(), &pages)?;
    let shells = [
        (Shell::Bash, "bash-completion/completions"),
        (Shell::Zsh, "zsh/site-functions"),
        (Shell::Fish, "fish/vendor_completions.d"),
    ];
    for (shell, place) in shells {
        let place = folder.join(place);
        std::fs::create_dir_all(&place)?;
        clap_complete::generate_to(shell, &mut bristle_cli::words(), "bristle", &place)?;
    }
    Ok(())
}
