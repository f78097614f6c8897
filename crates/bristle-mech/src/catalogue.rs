//! Checks that every file of a catalogue's folder has its lines in the list.

/// Fails with the lines to add. A file without them would be dead text; `helpers` are files that are no entries.
pub(crate) fn check(folder: &str, list: &str, helpers: &[&str], is_listed: impl Fn(&str) -> bool) {
    let path = format!("{}/src/{folder}", env!("CARGO_MANIFEST_DIR"));
    for entry in std::fs::read_dir(&path).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        let Some(stem) = file.strip_suffix(".rs").filter(|stem| *stem != "mod") else { continue };
        let has_module = list.contains(&format!("\nmod {stem};\n"));
        if helpers.contains(&stem) {
            assert!(has_module, "{folder}/{file} is not compiled: add `mod {stem};` to {folder}/mod.rs");
            continue;
        }
        let text = std::fs::read_to_string(format!("{path}/{file}")).unwrap();
        let name =
            text.split("\npub struct ").nth(1).and_then(|rest| rest.split('<').next()).unwrap_or_default();
        assert!(
            has_module && list.contains(&format!("\n    {stem}::{name},\n")),
            "{folder}/{file} has no entry: add `mod {stem};` and `{stem}::{name},` to {folder}/mod.rs"
        );
        assert_eq!(
            name.to_lowercase(),
            stem.replace('_', ""),
            "{folder}/{file}: the type has the letters of the file"
        );
        assert!(is_listed(stem), "{folder}/{file}: the card is not named `{stem}`");
    }
}
