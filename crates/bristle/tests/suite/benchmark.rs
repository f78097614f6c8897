//! The benchmark pack: references that hold what they promise, scores that name the error.

use bristle::benchmark::{Score, problems, score, solve};
use bristle::{Scenario, run};
use bristle_record::{Block, Cell, Tone, Verdict, render};
use std::path::PathBuf;

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("bristle-pack-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn problem() -> Folder {
    let folder = Folder::new(std::thread::current().name().unwrap_or("x").rsplit(':').next().unwrap());
    folder.file(
        "problem.json",
        r#"{"name": "line", "title": "A line", "columns": [{"name": "x", "unit": "m", "error": 1e-9}]}"#,
    );
    folder.file("reference.csv", "time [s],x [m]\n0,0\n1,1\n2,2\n3,3\n4,4\n");
    folder
}

#[test]
fn a_score_names_the_error_and_its_time() {
    let folder = problem();
    let theirs = folder.file("a.csv", "time,x\n0,0\n1,1.5\n2,2\n3,3\n4,4\n");
    let found = score(&folder.0, &theirs).unwrap();
    let misfit = &found.misfits[0];
    assert_eq!((misfit.largest, misfit.at, misfit.points, misfit.share), (0.5, 1.0, 5, Some(0.125)));
    assert!((misfit.rms - 0.5 / 5f64.sqrt()).abs() < 1e-15 && !found.is_good);
    // Both sides of an event, other columns, other units: nothing that speaks against it.
    let text = "# made elsewhere\nt [ms],event,x (mm)\n0,,0\n1000,,1000\n1250,left,1250\n1250,right,1250\n2000,,2000\n3000,,3000\n4000,,4000\n";
    let found = score(&folder.0, &folder.file("b.csv", text)).unwrap();
    assert!(found.is_good && ticks(&found) == 2, "{:?}", found.misfits);
}

/// How many ticks the report shows: on columns, and on the whole.
fn ticks(score: &Score) -> usize {
    let blocks = score.record.sections.iter().flat_map(|s| &s.blocks);
    let tables = blocks.filter_map(|b| if let Block::Table(t) = b { Some(t) } else { None });
    let cells = tables.flat_map(|t| t.rows.iter().flatten());
    let agrees = cells.filter(|c| matches!(c, Cell::Verdict { verdict: Verdict::Agrees, .. })).count();
    agrees + score.record.facts.iter().filter(|f| f.tone == Tone::Good).count()
}

/// A problem with two bodies of which one stands still, and its reference: columns of 101 samples.
fn two_bodies() -> (Folder, Vec<Vec<f64>>) {
    let folder = Folder::new(std::thread::current().name().unwrap_or("x").rsplit(':').next().unwrap());
    let columns = [("top.q", "m"), ("bottom.q", "m"), ("top.v", "m/s")];
    let described: Vec<String> = columns
        .iter()
        .map(|(name, unit)| format!(r#"{{"name": "{name}", "unit": "{unit}", "error": 1e-12}}"#))
        .collect();
    let list = described.join(", ");
    folder.file("problem.json", &format!(r#"{{"name": "two", "title": "Two", "columns": [{list}]}}"#));
    let time: Vec<f64> = (0..=100).map(|i| 0.05 * f64::from(i)).collect();
    // What sticks is not quite still in a real reference.
    let still = time.iter().map(|t| 2.9e-31 * t.sin()).collect();
    let (q, v) = (time.iter().map(|t| t.sin()).collect(), time.iter().map(|t| t.cos()).collect());
    let sheet = vec![time, q, still, v];
    folder.file("reference.csv", &csv(&["time [s]", "top.q [m]", "bottom.q [m]", "top.v [m/s]"], &sheet));
    (folder, sheet)
}

fn csv(header: &[&str], columns: &[Vec<f64>]) -> String {
    let row = |i: usize| columns.iter().map(|c| format!("{:?}", c[i])).collect::<Vec<_>>().join(",");
    let rows: Vec<String> = (0..columns[0].len()).map(row).collect();
    format!("{}\n{}\n", header.join(","), rows.join("\n"))
}

const HEADER: [&str; 4] = ["time", "top.q", "bottom.q", "top.v"];

/// Every way of being wrong that has once been given a tick, and some more.
#[test]
fn a_wrong_result_never_gets_a_tick() {
    let (folder, right) = two_bodies();
    let good = score(&folder.0, &folder.file("right.csv", &csv(&HEADER, &right))).unwrap();
    assert!(good.is_good && ticks(&good) == 4, "{:?}", good.misfits);
    let changed = |column: usize, change: &dyn Fn(f64) -> f64| {
        let mut sheet = right.clone();
        sheet[column].iter_mut().for_each(|v| *v = change(*v));
        sheet
    };
    let kept = |keep: &dyn Fn(usize) -> bool| -> Vec<Vec<f64>> {
        let pick = |c: &Vec<f64>| c.iter().enumerate().filter(|(i, _)| keep(*i)).map(|(_, v)| *v).collect();
        right.iter().map(pick).collect()
    };
    let mut all_off = right.clone();
    all_off[1..].iter_mut().flatten().for_each(|v| *v *= 1.01);
    let mut swapped = right.clone();
    swapped.swap(1, 3);
    // Per case: the sheet, and how many columns are still right in it.
    let cases: Vec<(&str, Vec<Vec<f64>>, usize)> = vec![
        // What stands still is right within the reference's error even if scaled.
        ("all columns 1 % off", all_off, 1),
        ("q 1 % off", changed(1, &|v| 1.01 * v), 2),
        ("v 1 % off", changed(3, &|v| 1.01 * v), 2),
        ("the still one creeps", changed(2, &|v| v + 1e-6), 2),
        ("shifted in time", changed(0, &|t| t + 0.01), 0),
        ("shifted by a sample", changed(0, &|t| t + 0.05), 0),
        ("time in milliseconds", changed(0, &|t| 1e3 * t), 0),
        ("q in millimetres", changed(1, &|v| 1e3 * v), 2),
        ("constant", changed(1, &|_| 0.3), 2),
        ("nothing moves", changed(3, &|_| 0.0), 2),
        ("columns exchanged", swapped, 1),
        ("ends at half time", kept(&|i| i <= 50), 0),
        ("begins late", kept(&|i| i >= 3), 0),
        ("both ends only", kept(&|i| i == 0 || i == 100), 0),
        ("every second sample", kept(&|i| i % 2 == 0), 0),
        ("one sample left out", kept(&|i| i != 40), 0),
    ];
    for (what, sheet, right) in cases {
        let theirs = folder.file("wrong.csv", &csv(&HEADER, &sheet));
        match score(&folder.0, &theirs) {
            Ok(found) => assert!(!found.is_good && ticks(&found) == right, "{what}: {} ticks", ticks(&found)),
            // Times without any in common are refused.
            Err(error) => assert!(error.to_string().contains("covers"), "{what}: {error}"),
        }
    }
    // A column left out is said, and keeps the whole from its tick.
    let found = score(&folder.0, &folder.file("less.csv", &csv(&HEADER[..3], &right[..3]))).unwrap();
    assert!(!found.is_good && found.missing == ["top.v"] && ticks(&found) == 2);
    // A wrong value beside the reference's times is seen as well.
    let text = csv(&HEADER, &right).replacen("\n0.05,", "\n0.02,0.9,0,1\n0.05,", 1);
    let found = score(&folder.0, &folder.file("beside.csv", &text)).unwrap();
    assert!(!found.is_good && !found.misfits[0].is_within_reference);
}

#[test]
fn a_bad_sheet_is_told_where_it_is_bad() {
    let folder = problem();
    for (text, words) in [
        ("time,x\n0,0\n1,one\n", "line 3, column `x`: `one` is not a finite number"),
        ("time,x\n1,0\n0,1\n", "line 3: time 0 s lies before the line above"),
        ("time,x\n0,0\n1,nan\n", "line 3, column `x`: `nan` is not a finite number"),
        ("time,x [s]\n0,0\n", "column `x [s]`: `s` is not a unit of the same kind as `m`"),
        ("time [fortnights],x\n0,0\n", "`fortnights` is not a known unit"),
        ("time,x,x\n0,0,0\n", "two columns named `x`"),
        ("time,x\n0,0,0\n", "line 2: 3 values, but the heading has 2"),
        ("clock,x\n0,0\n", "no column `time`; its columns are clock, x"),
        ("time,y\n0,0\n", "none of the columns of the reference, which are x; its own are y"),
        ("time,x\n", "a heading but no values"),
        ("time,x\n10,0\n11,0\n", "covers 10 s to 11 s, but the reference covers 0 s to 4 s"),
    ] {
        let theirs = folder.file("bad.csv", text);
        let message = score(&folder.0, &theirs).unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    }
    let missing = score(&folder.0, &folder.0.join("none.csv")).unwrap_err();
    assert!(missing.to_string().contains("cannot read"), "{missing}");
}

/// Rest positions and switches as in the exact solution of the stack; the hold does not move.
#[test]
fn references_are_as_good_as_they_say() {
    let find = |name: &str| problems().iter().find(|p| p.name == name).unwrap();
    let stack = solve(find("stack"), &mut ()).unwrap();
    let end = |k: usize| *stack.data.columns[k].values.last().unwrap();
    for (k, exact) in [(1, -0.06677739), (2, -0.46275111), (3, 0.0)] {
        assert!((end(k) - exact).abs() < 1e-8, "{}", end(k));
    }
    assert!(stack.errors.iter().all(|e| *e < 1e-9), "{:?}", stack.errors);
    let pulse = solve(find("bench_pulse"), &mut ()).unwrap();
    assert!(pulse.errors.iter().all(|e| *e < 1e-10), "{:?}", pulse.errors);
}

/// What `bristle run` writes for the scenario of a problem can be scored; switches leave two rows of one time.
#[test]
fn a_run_of_ones_own_can_be_scored() {
    let stack = problems().iter().find(|p| p.name == "stack").unwrap();
    let solution = solve(stack, &mut ()).unwrap();
    let folder = Folder::new("own");
    let columns: Vec<String> = solution.data.columns[1..]
        .iter()
        .zip(&solution.errors)
        .map(|(c, e)| format!(r#"{{"name": "{}", "unit": "{}", "error": {e:e}}}"#, c.name, c.unit))
        .collect();
    let list = columns.join(", ");
    folder.file("problem.json", &format!(r#"{{"name": "stack", "title": "Stack", "columns": [{list}]}}"#));
    folder.file("reference.csv", &render::csv::table(&solution.data).unwrap());
    let scenario = Scenario::from_text(stack.scenario, "stack.toml", ".".as_ref()).unwrap();
    let outcome = run(&scenario, &mut ()).unwrap();
    let own = render::csv::table(&outcome.data).unwrap();
    let found = score(&folder.0, &folder.file("data.csv", &own)).unwrap();
    assert!(found.missing.is_empty() && found.coverage.is_complete(), "{:?}", found.coverage);
    let worst = found.misfits.iter().filter_map(|m| m.share).fold(0.0, f64::max);
    assert!(worst < 1e-7, "{worst:e}");
    // The same a hundredth off is not.
    let mut off = (*outcome.data).clone();
    off.columns[1..].iter_mut().flat_map(|c| &mut c.values).for_each(|v| *v *= 1.01);
    let off = render::csv::table(&off).unwrap();
    let found = score(&folder.0, &folder.file("off.csv", &off)).unwrap();
    assert!(!found.is_good && found.record.facts[0].tone == Tone::Bad);
    assert!(found.misfits.iter().filter(|m| m.column != "bottom.q").all(|m| !m.is_within_reference));
}
