//! The benchmark pack: references that hold what they promise, scores that name the error.

use bristle::pack::{problems, score, solve};
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
    let theirs = folder.file("a.csv", "time,x\n0,0\n1,1.5\n2,2\n");
    let found = score(&folder.0, &theirs).unwrap();
    let misfit = &found.misfits[0];
    assert_eq!((misfit.largest, misfit.at, misfit.points), (0.5, 1.0, 3));
    assert!((misfit.rms - 0.5 / 3f64.sqrt()).abs() < 1e-15 && !misfit.is_within_reference);
    let theirs = folder.file("b.csv", "# made elsewhere\nt,x\n0.5,0.5\n1.25,1.25\n");
    assert!(score(&folder.0, &theirs).unwrap().misfits[0].is_within_reference);
}

#[test]
fn a_bad_sheet_is_told_where_it_is_bad() {
    let folder = problem();
    for (text, words) in [
        ("time,x\n0,0\n1,one\n", "line 3, column `x`: `one` is not a finite number"),
        ("time,x\n0,0\n0,1\n", "line 3: time 0 s does not come after"),
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
