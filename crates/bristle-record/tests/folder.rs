//! A result folder is written whole or not at all, and never over somebody else's files.

// Helpers of tests are not recognised as tests themselves.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use bristle_record::*;

/// A folder of its own for each test, empty at the start.
fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("bristle-record-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn record() -> Record {
    let mut record = Record::new("Belt");
    for id in ["x/../y", "X/../Y", ""] {
        let mut plot = Plot::new(id, "Stretch", Axis::new("$t$", "s"), Axis::new("$x$", "m"));
        plot.push(Line::new("a", vec![0.0, 1.0], vec![0.0, 1.0]));
        record.section("Motion").push(plot);
    }
    record
}

fn data() -> Data {
    let mut data = Data::default();
    data.push("t", "s", vec![0.0, 1.0]);
    data
}

#[test]
fn everything_is_written_and_replaced() {
    let base = scratch("all");
    let target = base.join("deep/result");
    let extra = [ExtraFile::text("scenario.toml", "a = 1\n")];
    let written = write_folder(&target, &record(), &data(), &extra).unwrap();
    assert_eq!(
        names(&target),
        ["data.csv", "data.parquet", "figures", "report.html", "result.json", "scenario.toml"]
    );
    let figures = names(&target.join("figures"));
    assert_eq!(
        figures,
        ["X-..-Y-2.png", "X-..-Y-2.svg", "figure.png", "figure.svg", "x-..-y.png", "x-..-y.svg"]
    );
    assert!(written.files.iter().all(|f| target.join(f).is_file()));

    fs::write(target.join("stale"), "x").unwrap();
    write_folder(&target, &record(), &Data::default(), &[]).unwrap();
    assert_eq!(names(&target), ["figures", "report.html", "result.json"]);
    assert_eq!(names(&base.join("deep")), ["result"], "no temporary folder is left");
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn a_folder_of_somebody_else_is_left_alone() {
    let base = scratch("foreign");
    fs::write(base.join("thesis.tex"), "years of work").unwrap();
    let error = write_folder(&base, &record(), &data(), &[]).unwrap_err();
    assert!(matches!(error, RecordError::NotOurs { .. }), "{error}");
    assert_eq!(names(&base), ["thesis.tex"]);
    let file = base.join("thesis.tex");
    assert!(matches!(write_folder(&file, &record(), &data(), &[]), Err(RecordError::NotAFolder { .. })));
    let error = write_folder(&file.join("result"), &record(), &data(), &[]).unwrap_err();
    assert!(error.to_string().contains("thesis.tex"), "{error}");
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn an_error_leaves_the_earlier_result() {
    let base = scratch("error");
    let target = base.join("result");
    write_folder(&target, &record(), &data(), &[]).unwrap();
    let mut ragged = data();
    ragged.push("x", "m", vec![]);
    assert!(write_folder(&target, &record(), &ragged, &[]).is_err());
    for name in ["../escape", "/absolute", "", "report.html", "report.html/inside"] {
        let extra = [ExtraFile::text(name, "")];
        assert!(write_folder(&target, &record(), &data(), &extra).is_err(), "{name}");
    }
    assert!(target.join("data.csv").is_file());
    assert_eq!(names(&base), ["result"]);
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn an_empty_folder_may_be_filled() {
    let base = scratch("empty");
    write_folder(&base, &record(), &data(), &[]).unwrap();
    assert!(base.join(MARKER).is_file());
    fs::remove_dir_all(base).unwrap();
}
