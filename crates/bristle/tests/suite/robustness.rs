//! Whatever the file holds, reading it ends in a scenario or a message, never in a panic.

use bristle::Scenario;
use proptest::prelude::*;
use std::path::Path;

const EXAMPLES: [&str; 4] = [
    include_str!("../../../../examples/belt.toml"),
    include_str!("../../../../examples/bench.toml"),
    include_str!("../../../../examples/presliding.toml"),
    include_str!("../../../../examples/festoon.toml"),
];

fn read(text: &str) {
    let nowhere = Path::new("/nonexistent");
    if let Err(error) = Scenario::from_text(text, "fuzz.toml", nowhere) {
        // The message must render as well: its place must lie in the text.
        let mut out = String::new();
        let handler = miette::GraphicalReportHandler::new().with_width(80);
        handler.render_report(&mut out, &error).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,200}") {
        read(&text);
    }

    #[test]
    fn a_mutated_scenario_is_read_or_refused(
        which in 0..EXAMPLES.len(),
        edits in prop::collection::vec((0.0..1.0f64, 0usize..12, "[-a-z0-9.=\"\\[\\]{}, \n]{0,6}"), 1..6),
    ) {
        let mut text: Vec<char> = EXAMPLES[which].chars().collect();
        for (place, cut, insert) in edits {
            let start = (place * text.len() as f64) as usize;
            let end = (start + cut).min(text.len());
            text.splice(start..end, insert.chars());
        }
        read(&text.into_iter().collect::<String>());
    }

    #[test]
    fn a_scenario_with_lines_swapped_is_read_or_refused(
        which in 0..EXAMPLES.len(),
        swaps in prop::collection::vec((0usize..400, 0usize..400), 1..8),
    ) {
        let mut lines: Vec<&str> = EXAMPLES[which].lines().collect();
        for (a, b) in swaps {
            let count = lines.len();
            lines.swap(a % count, b % count);
        }
        read(&lines.join("\n"));
    }
}
