//! `bristle bench`: the pack goes out, results of others come back.

use crate::terminal::Terminal;
use serde_json::Value;

#[test]
fn the_pack_scores_itself_and_refuses_what_it_cannot_read() {
    let terminal = Terminal::new();
    let reply = terminal.types(&["bench", "export", "pack"]);
    assert_eq!(reply.code, Some(0), "{}", reply.err);
    for problem in
        ["hold", "belt", "belt_lugre", "stack", "presliding", "bench_pulse", "belt_dwell", "festoon"]
    {
        for file in ["README.md", "problem.json", "reference.csv", "scenario.toml"] {
            assert!(terminal.folder.join("pack").join(problem).join(file).exists(), "{problem}/{file}");
        }
    }
    let reply =
        terminal.types(&["bench", "score", "pack/belt", "--theirs", "pack/belt/reference.csv", "--json"]);
    let score: Value = serde_json::from_str(&reply.out).unwrap();
    assert_eq!(score["columns"][0]["largest"], 0.0);
    // Another simulator that creeps at a tenth of a millimetre per second.
    let creep: String = (0..=300).map(|t| format!("{t},{}\n", 1e-4 * f64::from(t))).collect();
    terminal.file("creep.csv", format!("time,block.q\n{creep}"));
    let reply = terminal.types(&["bench", "score", "pack/hold", "--theirs", "creep.csv", "--out", "score"]);
    assert_eq!(reply.code, Some(0), "{}", reply.err);
    assert!(reply.out.contains("3.000e-2 m in block.q at 300 s"), "{}", reply.out);
    assert!(terminal.folder.join("score/figures/score.png").exists());
    let reply = terminal.types(&["bench", "score", "pack", "--theirs", "creep.csv"]);
    assert_eq!(reply.code, Some(2));
    assert!(reply.err.contains("belt_dwell"), "{}", reply.err);
    terminal.file("bad.csv", "time,block.q\n0,zero\n");
    let reply = terminal.types(&["bench", "score", "pack/hold", "--theirs", "bad.csv"]);
    assert_eq!(reply.code, Some(2));
    assert!(reply.err.contains("line 2, column `block.q`: `zero`"), "{}", reply.err);
}
