//! Certificates in short, kept in the repository so that the manual can show them without measuring again.

use super::certificate::Certificate;
use super::properties::properties;
use bristle_record::markup;
use std::collections::BTreeMap;

/// Law by law, the properties as text. `cargo xtask certify` measures them again.
const KEPT: &str = include_str!("fingerprints.json");

/// Property and value, unit included.
pub type Fingerprint = Vec<(String, String)>;

/// The fingerprints of several certificates, as the file that is kept.
pub fn fingerprints(certificates: &[Certificate]) -> String {
    let line = |certificate: &Certificate| -> (String, Fingerprint) {
        let values = properties(certificate).into_iter().map(|p| {
            let value = markup::plain(&p.cell.markup());
            let is_number = value.starts_with(|c: char| c.is_ascii_digit() || "−-".contains(c));
            let unit = if is_number && !p.unit.is_empty() { format!(" {}", p.unit) } else { String::new() };
            (p.name.to_owned(), value + &unit)
        });
        (certificate.law.to_owned(), values.collect())
    };
    let all: BTreeMap<String, Fingerprint> = certificates.iter().map(line).collect();
    let mut out = "{\n".to_owned();
    for (i, (law, values)) in all.iter().enumerate() {
        let text = serde_json::to_string(values).unwrap_or_default();
        let comma = if i + 1 < all.len() { "," } else { "" };
        out += &format!("  \"{law}\": {text}{comma}\n");
    }
    out + "}\n"
}

/// The kept fingerprint of a law; empty for one that has not been certified yet.
pub fn fingerprint_of(law: &str) -> Fingerprint {
    let kept: BTreeMap<String, Fingerprint> = serde_json::from_str(KEPT).unwrap_or_default();
    kept.get(law).cloned().unwrap_or_default()
}
