//! The page, put together from its files.

use crate::stage::root;
use base64::prelude::{BASE64_STANDARD, Engine};
use flate2::{Compression, write::GzEncoder};
use std::fs;
use std::io::Write;

/// Where its files are.
const FOLDER: &str = "crates/bristle-lab/page";

/// The scripts in the order in which they need each other; the first moves the pictures of reports too, the last begins.
const SCRIPTS: [&str; 7] = [
    "../../bristle-record/src/render/html/film.js",
    "plot.js",
    "link.js",
    "figures.js",
    "map.js",
    "lab.js",
    "files.js",
];

/// Bytes as browsers unpack them.
pub fn packed(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes).and_then(|()| packer.finish()).map_err(|e| format!("cannot pack the module: {e}"))
}

/// One page with everything in it.
pub fn assemble(module: &[u8]) -> Result<String, String> {
    let scripts: String = SCRIPTS.iter().map(|file| read(file)).collect::<Result<_, _>>()?;
    let parts = [
        ("/*{{style}}*/", read("lab.css")?),
        ("/*{{worker}}*/", read("worker.js")?),
        ("/*{{script}}*/", scripts),
        ("{{module}}", BASE64_STANDARD.encode(module)),
    ];
    let mut page = read("index.html")?;
    for (mark, text) in parts {
        if text.contains("</script") {
            return Err(format!("what stands for {mark} ends its own script"));
        }
        page = page.replacen(mark, &text, 1);
    }
    Ok(page)
}

fn read(file: &str) -> Result<String, String> {
    let path = root().join(FOLDER).join(file);
    fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}
