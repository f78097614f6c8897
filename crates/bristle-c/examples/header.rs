//! Writes `include/bristle.h` from the doc comments of the crate.

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let settings = cbindgen::Config::from_root_or_default(root);
    cbindgen::Builder::new()
        .with_crate(root)
        .with_config(settings)
        .generate()?
        .write_to_file(root.join("include/bristle.h"));
    Ok(())
}
