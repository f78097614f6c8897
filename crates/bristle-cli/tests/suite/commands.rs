//! Good input gets an answer.

use crate::terminal::Terminal;
use serde_json::Value;

#[test]
fn listings() {
    let terminal = Terminal::new();
    for catalogue in ["laws", "parts", "signals", "methods", "studies"] {
        let reply = terminal.types(&["list", catalogue]);
        assert_eq!(reply.code, Some(0), "{}", reply.err);
        insta::assert_snapshot!(format!("list_{catalogue}"), reply.out);
    }
}

#[test]
fn every_law_as_json() {
    let reply = Terminal::new().types(&["list", "laws", "--json"]);
    let laws: Vec<Value> = serde_json::from_str(&reply.out).unwrap();
    assert_eq!(laws.len(), bristle::LawKind::ALL.len());
    assert!(laws.iter().any(|law| law["name"] == "stick_slip"));
}

#[test]
fn cards() {
    let terminal = Terminal::new();
    for name in ["lugre", "coulomb", "contact", "smooth_step", "auto", "simulate", "solver"] {
        let reply = terminal.types(&["show", name]);
        assert_eq!(reply.code, Some(0), "{}", reply.err);
        insta::assert_snapshot!(format!("show_{name}"), reply.out);
    }
}

#[test]
fn starters_are_in_order_and_run() {
    for kind in ["belt", "bench", "incline"] {
        let terminal = Terminal::new();
        let reply = terminal.types(&["new", "mine", "--kind", kind]);
        assert_eq!(reply.out, "wrote mine.toml\nedit it, then: bristle run mine.toml\n", "{}", reply.err);
        let reply = terminal.types(&["check", "mine.toml"]);
        insta::assert_snapshot!(format!("check_{kind}"), reply.out + &reply.err);
        let reply = terminal.types(&["run", "mine.toml"]);
        assert_eq!(reply.code, Some(0), "{}", reply.err);
        assert_eq!(reply.err, "");
        assert!(reply.out.ends_with("report: out/mine/report.html\n"), "{}", reply.out);
        let out = terminal.folder.join("out/mine");
        for file in ["report.html", "data.csv", "data.parquet", "result.json", "scenario.toml", "figures"] {
            assert!(out.join(file).exists(), "{file} is missing");
        }
        let report = std::fs::read_to_string(out.join("report.html")).unwrap();
        assert!(
            !report.contains("src=\"http") && !report.contains("href=\"http"),
            "the report needs a network"
        );
    }
}

#[test]
fn a_run_as_json_names_facts_and_files() {
    let terminal = Terminal::new();
    terminal.types(&["new", "block", "--kind", "incline"]);
    let reply = terminal.types(&["run", "block.toml", "--out", "there", "--json"]);
    let result: Value = serde_json::from_str(&reply.out).unwrap();
    assert_eq!(result["folder"], "there");
    assert_eq!(result["stopped_early"], false);
    let facts = result["facts"].as_array().unwrap();
    assert!(facts.iter().any(|f| f["label"] == "energy balance closes to"));
    assert!(result["files"].as_array().unwrap().iter().any(|f| f == "data.csv"));
}

/// A second run replaces the first one's folder; a comparison has a folder of its own.
#[test]
fn a_comparison_lays_laws_side_by_side() {
    let terminal = Terminal::new();
    terminal.types(&["new", "belt"]);
    for _ in 0..2 {
        let reply = terminal.types(&["compare", "belt.toml", "--laws", "coulomb,karnopp"]);
        assert_eq!(reply.code, Some(0), "{}", reply.err);
        assert!(reply.out.ends_with("report: out/belt-laws/report.html\n"), "{}", reply.out);
    }
    let csv = std::fs::read_to_string(terminal.folder.join("out/belt-laws/data.csv")).unwrap();
    assert!(csv.lines().next().unwrap().contains("karnopp.block.q"));
}

#[test]
fn the_schema_is_json() {
    let schema: Value = serde_json::from_str(&Terminal::new().types(&["schema"]).out).unwrap();
    assert_eq!(schema["properties"]["parts"]["additionalProperties"]["$ref"], "#/$defs/part");
    assert!(schema["$defs"]["laws/lugre"]["properties"]["sigma0"].is_object());
}

#[test]
fn help_names_every_command() {
    let reply = Terminal::new().types(&["--help"]);
    insta::assert_snapshot!(reply.out);
}

/// Where the page of the lab is, and a scenario handed to it as text in its address.
#[test]
fn the_lab_is_found_and_begins_with_a_scenario() {
    let terminal = Terminal::new();
    terminal.file("page.html", "<title>lab</title>");
    let page = terminal.folder.join("page.html").canonicalize().unwrap();
    let lab = |words: &[&str]| {
        let done = terminal.command(words).env("BRISTLE_LAB", &page).output().unwrap();
        (done.status.code(), String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap())
    };
    let plain = lab(&["lab", "--print"]);
    assert_eq!(plain.1, format!("lab: {}\n", page.display()), "{}", plain.2);
    let text = "parts.block = { kind = \"mass\", mass = \"1 kg\" }\nstudies.run = { kind = \"simulate\", duration = \"1 s\" }\n";
    terminal.file("mine.toml", text);
    let mine = lab(&["lab", "mine.toml", "--print"]);
    let start = format!("lab: file://{}#t=cGFydHMuYmxvY2sg", page.display());
    assert!(mine.1.starts_with(&start), "{}{}", mine.1, mine.2);
    let wrong = lab(&["lab", "gone.toml", "--print"]);
    assert_eq!(wrong.0, Some(2), "{}", wrong.1);
}

/// A run whose energy does not add up writes its report and ends with a failure.
#[test]
fn a_run_that_loses_energy_fails() {
    let terminal = Terminal::new();
    let text = r#"
        title = "oscillator"
        solver = { rtol = 1e-2 }
        parts.block = { kind = "mass", mass = "1 kg" }
        parts.g = { kind = "gravity", angle = "60 deg" }
        parts.tie = { kind = "spring", between = ["block", "ground"], k = "100 N/m" }
        parts.pad.kind = "contact"
        parts.pad.between = ["block", "ground"]
        parts.pad.load = "1 N"
        parts.pad.law = { kind = "smooth_coulomb", mu_d = 0.0 }
        studies.run = { kind = "simulate", duration = "100 s" }
    "#;
    terminal.file("oscillator.toml", text);
    let reply = terminal.types(&["run", "oscillator.toml", "--out", "out"]);
    assert_eq!(reply.code, Some(1), "{} {}", reply.out, reply.err);
    assert!(reply.out.contains("energy balance does not close"), "{}", reply.out);
    assert!(terminal.folder.join("out/report.html").exists());
    let reply = terminal.types(&["compare", "oscillator.toml", "--laws", "coulomb", "--out", "laws"]);
    assert_eq!(reply.code, Some(1), "{} {}", reply.out, reply.err);
    assert!(reply.out.contains("under coulomb"), "{}", reply.out);
    assert!(terminal.folder.join("laws/report.html").exists());
}
