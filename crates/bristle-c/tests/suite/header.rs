//! The header says what the crate says.

use std::path::Path;

#[test]
fn the_header_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let settings = cbindgen::Config::from_root_or_default(root);
    let made = cbindgen::Builder::new().with_crate(root).with_config(settings).generate().unwrap();
    let mut text = Vec::new();
    made.write(&mut text);
    let kept = std::fs::read_to_string(root.join("include/bristle.h")).unwrap();
    assert!(
        String::from_utf8(text).unwrap() == kept,
        "include/bristle.h is old: `cargo xtask gen` renews it"
    );
}
