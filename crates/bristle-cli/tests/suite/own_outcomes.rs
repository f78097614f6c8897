//! Every study has an outcome of its own: data, facts with numbers, or a failure that takes no other with it.

use crate::terminal::{Terminal, belt};
use std::fs;

/// A damped block on a belt, with further parts.
fn damped(force: &str) -> String {
    let loss = "[parts.loss]\nkind = \"damper\"\nbetween = [\"block\", \"ground\"]\nd = \"1 N s/m\"\n";
    belt("Belt", &format!("{loss}{force}"))
}

const SHAKEN: &str = "[parts.push]\nkind = \"force\"\non = \"block\"\nsignal = { kind = \"sine\", amplitude = \"1 N\", frequency = \"1 Hz\" }\n";

const TWO: &str = "[studies.first]\nkind = \"simulate\"\nduration = \"1 s\"\n[studies.second]\nkind = \"simulate\"\nduration = \"2 s\"\n";

#[test]
fn a_study_that_fails_takes_no_other_with_it() {
    let terminal = Terminal::new();
    terminal.file("a.toml", damped(SHAKEN) + "[studies.rest]\nkind = \"steady\"\n" + TWO);
    let reply = terminal.types(&["run", "a.toml", "--out", "result"]);
    assert_eq!(reply.code, Some(1), "{}{}", reply.out, reply.err);
    assert!(reply.out.contains("study rest") && reply.out.contains("driven in time"), "{}", reply.out);
    let report = fs::read_to_string(terminal.folder.join("result/report.html")).unwrap();
    assert!(report.contains("Failed: rest") && report.contains("driven in time"));
    let facts = terminal.json("result/facts.json");
    let studies = facts["studies"].as_array().unwrap();
    let of = |key: &str| studies.iter().map(|s| s[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("state"), ["failed", "complete", "complete"]);
    assert!(studies[0]["error"].as_str().unwrap().contains("driven in time"));
    assert_eq!(studies[1]["data"], serde_json::json!(["data/first.csv", "data/first.parquet"]));
    let last = |name: &str| {
        let text = fs::read_to_string(terminal.folder.join("result").join(name)).unwrap();
        text.lines().last().unwrap().split(',').next().unwrap().parse::<f64>().unwrap()
    };
    assert_eq!([last("data/first.csv"), last("data/second.csv")], [1.0, 2.0]);
    // As JSON the failure is named too.
    let reply = terminal.types(&["run", "a.toml", "--out", "result", "--json"]);
    assert_eq!(reply.code, Some(1));
    let result: serde_json::Value = serde_json::from_str(&reply.out).unwrap();
    assert_eq!(result["failed"][0]["study"], "rest");
}

/// There is nothing to write, and an earlier result is worth more than nothing.
#[test]
fn a_run_without_any_answer_leaves_the_earlier_result() {
    let terminal = Terminal::new();
    terminal.file("a.toml", damped("") + TWO);
    assert_eq!(terminal.types(&["run", "a.toml"]).code, Some(0));
    let report = || fs::read(terminal.folder.join("out/a/report.html")).unwrap();
    let before = report();
    terminal.file("a.toml", damped(SHAKEN) + "[studies.rest]\nkind = \"steady\"\n");
    let reply = terminal.types(&["run", "a.toml"]);
    assert_eq!(reply.code, Some(2), "{}", reply.err);
    assert!(reply.err.contains("driven in time"), "{}", reply.err);
    assert!(report() == before);
}

#[test]
fn facts_have_identifiers_that_no_other_has_and_numbers() {
    let terminal = Terminal::new();
    terminal.file("a.toml", damped("") + TWO + "[studies.rest]\nkind = \"steady\"\n");
    assert_eq!(terminal.types(&["run", "a.toml", "--out", "result"]).code, Some(0));
    let facts = terminal.json("result/facts.json");
    let list = facts["facts"].as_array().unwrap();
    let mut ids: Vec<&str> = list.iter().map(|f| f["id"].as_str().unwrap()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
    let of = |id: &str| list.iter().find(|f| f["id"] == id).unwrap_or_else(|| panic!("no {id} in {ids:?}"));
    assert_eq!(of("first.energy_dissipated_at_pad")["unit"], "J");
    assert!(of("first.energy_dissipated_at_pad")["value"].as_f64().unwrap() > 0.0);
    assert_eq!(of("second.energy_dissipated_at_pad")["study"], "second");
    let rate = of("rest.steady_state");
    assert_eq!(rate["unit"], "1/s");
    assert_eq!(rate["value"].as_f64().unwrap() < 0.0, rate["tone"] == "good");
    assert_eq!(facts["scenario"]["sha256"].as_str().unwrap().len(), 64);
}

/// Strictly two samples of one time at a switch, marked; every other time rises.
#[test]
fn both_sides_of_a_switch_are_marked() {
    let terminal = Terminal::new();
    terminal.types(&["new", "belt"]);
    let reply = terminal.types(&["run", "belt.toml", "--out", "result"]);
    assert_eq!(reply.code, Some(0), "{}", reply.err);
    let text = fs::read_to_string(terminal.folder.join("result/data.csv")).unwrap();
    let mut lines = text.lines();
    let headings: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!((headings[0], *headings.last().unwrap()), ("time [s]", "event"));
    let rows: Vec<(f64, f64)> = lines
        .map(|line| {
            let cells: Vec<f64> = line.split(',').map(|c| c.parse().unwrap()).collect();
            (cells[0], *cells.last().unwrap())
        })
        .collect();
    let switches = rows.windows(2).filter(|w| w[0].0 == w[1].0).count();
    assert!(switches > 0);
    for pair in rows.windows(2) {
        let [(t0, a), (t1, b)] = [pair[0], pair[1]];
        assert_eq!(t0 == t1, (a, b) == (-1.0, 1.0), "{pair:?}");
        assert!(t1 >= t0);
    }
    assert_eq!(rows.iter().filter(|r| r.1 != 0.0).count(), 2 * switches);
    let facts = terminal.json("result/facts.json");
    let columns = facts["studies"][0]["columns"].as_array().unwrap();
    let mode = columns.iter().find(|c| c["name"].as_str().unwrap().ends_with(".mode")).unwrap();
    assert!(mode["meaning"].as_str().unwrap().contains("1 slides forwards, -1 backwards, 0 sticks"));
}

/// Where nothing sets on, that is the answer, with the growth rate.
#[test]
fn no_onset_is_an_answer_with_the_growth_rate() {
    let terminal = Terminal::new();
    let plane = "[studies.plane]\nkind = \"boundary\"\nx = \"belt.v\"\nx_from = \"0.5 m/s\"\nx_to = \"1 m/s\"\n\
                 y = \"loss.d\"\ny_from = \"5 N s/m\"\ny_to = \"10 N s/m\"\n";
    let map = plane.replace("plane", "cells").replace("boundary", "map") + "rows = 8\ncolumns = 8\n";
    let line =
        "[studies.line]\nkind = \"branch\"\nparameter = \"belt.v\"\nfrom = \"0.5 m/s\"\nto = \"1 m/s\"\n";
    terminal.file("a.toml", damped("") + plane + &map + line);
    let reply = terminal.types(&["run", "a.toml", "--out", "result"]);
    assert_eq!(reply.code, Some(0), "{}{}", reply.out, reply.err);
    assert!(reply.words().contains("no onset of vibration in this plane: stable"), "{}", reply.out);
    let facts = terminal.json("result/facts.json");
    let list = facts["facts"].as_array().unwrap();
    for id in
        ["plane.growth_rate_largest", "cells.growth_rate_largest", "line.largest_growth_rate_in_the_range"]
    {
        let fact = list.iter().find(|f| f["id"] == id).unwrap_or_else(|| panic!("no {id}"));
        assert!(fact["value"].as_f64().unwrap() < 0.0, "{fact}");
        assert_eq!(fact["unit"], "1/s");
    }
    let figures = fs::read_dir(terminal.folder.join("result/figures")).unwrap();
    let names: Vec<String> = figures.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.iter().any(|n| n.starts_with("plane-growth")), "{names:?}");
}
