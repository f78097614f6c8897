//! `bristle certify`: what it writes, and that it writes the same again.

use crate::terminal::Terminal;
use serde_json::Value;

#[test]
fn a_certificate_is_the_same_every_time() {
    let terminal = Terminal::new();
    let mut seen: Vec<String> = Vec::new();
    for folder in ["one", "two"] {
        let reply = terminal.types(&["certify", "coulomb", "regularised", "--out", folder]);
        assert_eq!(reply.code, Some(0), "{}", reply.err);
        assert!(reply.out.contains("holds") && reply.out.contains("creeps"), "{}", reply.out);
        assert!(reply.out.ends_with(&format!("report: {folder}/report.html\n")), "{}", reply.out);
        seen.push(std::fs::read_to_string(terminal.folder.join(folder).join("certificate.json")).unwrap());
        for file in ["report.html", "laws/coulomb.html", "fingerprints.json", "figures"] {
            assert!(terminal.folder.join(folder).join(file).exists(), "{file} is missing");
        }
    }
    assert!(seen[0] == seen[1], "two runs differ");
    let all: Value = serde_json::from_str(&seen[0]).unwrap();
    assert_eq!(all["laws"][0]["law"], "coulomb");
    assert_eq!(all["laws"][0]["hold"][3]["moved_1e6"], 0.0);
}

#[test]
fn unknown_laws_and_none_are_refused() {
    let terminal = Terminal::new();
    let reply = terminal.types(&["certify", "lugree"]);
    assert_eq!(reply.code, Some(2));
    assert!(reply.err.contains("did you mean `lugre`?"), "{}", reply.err);
    let reply = terminal.types(&["certify"]);
    assert_eq!(reply.code, Some(2));
    assert!(terminal.listing().is_empty());
}
