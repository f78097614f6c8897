//! Records and fits that cannot be: one clear message each, exit code 2, and nothing written.

use crate::terminal::Terminal;

/// A loop with Dahl's bristles, in closed form between reversals.
fn record(rows: usize) -> String {
    let mut text = "time [s],position [um],force [N]\n".to_owned();
    let (mut force, mut before) = (0.0, 0.0);
    for i in 0..rows {
        let t = i as f64 * 5e-3;
        let x = 2e-4 * (3.0 * t).sin();
        let level = 2.0 * f64::signum(x - before);
        force = level + (force - level) * (-2e4 * f64::abs(x - before)).exp();
        before = x;
        text += &format!("{t},{},{force}\n", x * 1e6);
    }
    text
}

const SCENARIO: &str = r#"[parts.stage]
kind = "drive"

[parts.pad]
kind = "contact"
between = ["stage", "ground"]
law = { kind = "dahl", F_d = "1 N", sigma0 = "4e4 N/m" }

[measurements.loops]
file = "loops.csv"
inputs = { "stage.position" = "position" }
outputs = { "pad.force" = "force" }

[studies.identify]
kind = "fit"
unknowns = [{ path = "pad.F_d", from = "0.5 N", to = "8 N" }]
"#;

/// What is said of a record and a scenario with one piece replaced.
fn refused(record: &str, from: &str, to: &str) -> String {
    assert!(SCENARIO.contains(from), "`{from}` is not in the scenario");
    let terminal = Terminal::new();
    terminal.file("loops.csv", record).file("identify.toml", SCENARIO.replacen(from, to, 1));
    let said = terminal.refuses(&["fit", "identify.toml"]);
    said.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

/// The same with a record in order.
fn refused_scenario(from: &str, to: &str) -> String {
    refused(&record(60), from, to)
}

#[track_caller]
fn says(said: &str, words: &[&str]) {
    for word in words {
        assert!(said.contains(word), "`{word}` is not said: {said}");
    }
}

#[test]
fn an_empty_record() {
    says(&refused("", "kind", "kind"), &["loops.csv"]);
    says(&refused("time [s],position [um],force [N]\n", "kind", "kind"), &["loops.csv", "0 points"]);
}

#[test]
fn a_window_between_two_rows() {
    let said = refused_scenario("file =", "from = \"10.1 ms\"\nto = \"10.9 ms\"\nfile =");
    says(&said, &["window", "fewer than two rows"]);
}

#[test]
fn a_row_without_a_number() {
    let text = record(60).replacen("\n0.05,", "\n0.05,nan,1\n0.0501,", 1);
    says(&refused(&text, "kind", "kind"), &["line 12", "`position`", "no number"]);
}

#[test]
fn two_equal_times() {
    let text = record(60).replacen("\n0.05,", "\n0.045,", 1);
    says(&refused(&text, "kind", "kind"), &["line 12", "0.045", "resample"]);
}

#[test]
fn a_unit_of_another_kind() {
    let text = record(60).replacen("force [N]", "force [mm]", 1);
    says(&refused(&text, "kind", "kind"), &["force [mm]"]);
    let text = record(60).replacen("force [N]", "force [lbs]", 1);
    says(&refused(&text, "kind", "kind"), &["lbs"]);
}

#[test]
fn a_column_that_is_not_there() {
    says(&refused_scenario("= \"force\"", "= \"forse\""), &["forse", "`force` may be meant"]);
}

#[test]
fn bounds_that_exclude_the_start() {
    let said = refused_scenario("to = \"8 N\"", "to = \"8 N\", start = \"20 N\"");
    says(&said, &["`pad.F_d`", "start", "outside"]);
    says(&refused_scenario("to = \"8 N\"", "to = \"0.1 N\""), &["`pad.F_d`", "lower bound"]);
}

#[test]
fn more_unknowns_than_information() {
    let unknowns = "unknowns = [{ path = \"pad.F_d\" }, { path = \"pad.sigma0\" }, { path = \"pad.alpha\" }]";
    let said =
        refused(&record(3), "unknowns = [{ path = \"pad.F_d\", from = \"0.5 N\", to = \"8 N\" }]", unknowns);
    says(&said, &["3 unknowns", "3 measured values"]);
}

#[test]
fn a_law_that_cannot_be_simulated_on_that_record() {
    let said = refused_scenario("kind = \"fit\"", "kind = \"fit\"\nlaws = [\"quinn\"]");
    says(&said, &["quinn", "cannot be simulated on this record"]);
    let said = refused_scenario("kind = \"fit\"", "kind = \"fit\"\nlaws = [\"dahll\"]");
    says(&said, &["`dahll`", "did you mean `dahl`"]);
}

#[test]
fn a_number_that_is_not_there() {
    says(&refused_scenario("path = \"pad.F_d\"", "path = \"pad.F_k\""), &["`pad.F_k`", "did you mean"]);
}

#[test]
fn a_filter_above_half_the_rate_and_a_factor_of_another_unit() {
    let input = "inputs = { \"stage.position\" = { column = \"position\", filter = \"200 Hz\" } }";
    says(&refused_scenario("inputs = { \"stage.position\" = \"position\" }", input), &["200 Hz", "100"]);
    let output = "outputs = { \"pad.force\" = { column = \"force\", factor = \"3 N/V\" } }";
    says(&refused_scenario("outputs = { \"pad.force\" = \"force\" }", output), &["3 N/V", "per N"]);
}

#[test]
fn a_free_start_of_a_motion_that_is_prescribed() {
    says(&refused_scenario("file =", "start = \"free\"\nfile ="), &["free", "warm_up"]);
}

/// What a fit finds is there afterwards, and fits the record it came from.
#[test]
fn a_good_record_is_fitted_and_written_back() {
    let terminal = Terminal::new();
    terminal.file("loops.csv", record(400)).file("identify.toml", SCENARIO);
    let reply = terminal.types(&["fit", "identify.toml", "--out", "found"]);
    assert!(reply.code == Some(0), "{}{}", reply.out, reply.err);
    let found = terminal.json("found/estimates.json");
    let value = found["parameters"][0]["value"].as_f64().unwrap();
    assert!((value - 2.0).abs() < 0.01, "{value}");
    assert!(terminal.read("found/fitted.toml").contains("F_d"));
}

/// The columns that a run leaves behind are a record as good as any other, in Parquet too.
#[cfg(feature = "parquet")]
#[test]
fn a_run_in_parquet_is_a_record() {
    let terminal = Terminal::new();
    let made = SCENARIO.replace(
        "kind = \"drive\"",
        "kind = \"drive\"\nposition = { kind = \"sine\", amplitude = \"0.2 mm\", frequency = \"0.5 Hz\" }",
    );
    let made = made.replace("F_d = \"1 N\"", "F_d = \"2 N\"");
    let (parts, _) = made.split_once("[measurements.loops]").unwrap();
    let study = "[studies.move]\nkind = \"simulate\"\nduration = \"4 s\"\nstep = \"5 ms\"\n";
    terminal.file("make.toml", format!("{parts}{study}"));
    let reply = terminal.types(&["run", "make.toml", "--out", "made"]);
    assert_eq!(reply.code, Some(0), "{}{}", reply.out, reply.err);
    let files = std::fs::read_dir(terminal.folder.join("made")).unwrap();
    let mut names = files.map(|f| f.unwrap().file_name().into_string().unwrap());
    let file = names.find(|n| n.ends_with(".parquet")).unwrap();
    let scenario = SCENARIO
        .replace("loops.csv\"", &format!("made/{file}\"\nresample = \"10 ms\""))
        .replace("= \"position\"", "= \"stage.q\"")
        .replace("= \"force\"", "= \"pad.force\"");
    terminal.file("identify.toml", scenario);
    let reply = terminal.types(&["fit", "identify.toml", "--out", "found"]);
    assert_eq!(reply.code, Some(0), "{}{}", reply.out, reply.err);
    let value = terminal.json("found/estimates.json")["parameters"][0]["value"].as_f64().unwrap();
    assert!((value - 2.0).abs() < 0.02, "{value}");
}
