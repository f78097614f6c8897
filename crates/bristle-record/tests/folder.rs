//! A result folder is written whole or not at all, and never over somebody else's files.

// Helpers of tests are not recognised as tests themselves.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use bristle_record::*;
use tempfile::{TempDir, tempdir};

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Every file below a folder with its contents.
fn tree(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            all.extend(tree(&path).into_iter().map(|(n, bytes)| (format!("{name}/{n}"), bytes)));
        } else {
            all.insert(name, fs::read(&path).unwrap());
        }
    }
    all
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

fn sheets() -> [Sheet; 1] {
    [Sheet::new("run", data())]
}

/// A result without figures, which is quick to write.
fn plain(title: &str) -> Record {
    Record::new(title)
}

/// A folder with a first result.
fn written() -> (TempDir, std::path::PathBuf) {
    let base = tempdir().unwrap();
    let target = base.path().join("result");
    write_folder(&target, &plain("first"), &sheets(), &[ExtraFile::text("deep/er/x.txt", "x")]).unwrap();
    (base, target)
}

#[test]
fn everything_is_written_and_replaced() {
    let base = tempdir().unwrap();
    let target = base.path().join("deep/result");
    let extra = [ExtraFile::text("scenario.toml", "a = 1\n")];
    let written = write_folder(&target, &record(), &sheets(), &extra).unwrap();
    assert_eq!(
        names(&target),
        [MANIFEST, "data.csv", "data.parquet", "figures", "report.html", "result.json", "scenario.toml"]
    );
    let figures = names(&target.join("figures"));
    assert_eq!(
        figures,
        ["X-..-Y-2.png", "X-..-Y-2.svg", "figure.png", "figure.svg", "x-..-y.png", "x-..-y.svg"]
    );
    assert!(written.files.iter().all(|f| target.join(f).is_file()));
    assert!(written.kept.is_empty());

    write_folder(&target, &plain("none"), &[Sheet::default()], &[]).unwrap();
    assert_eq!(names(&target), [MANIFEST, "report.html", "result.json"], "what is out of date goes");
    assert_eq!(names(&base.path().join("deep")), ["result"], "nothing is left beside");
}

#[test]
fn every_study_has_its_own_data() {
    let base = tempdir().unwrap();
    let sheets = [
        Sheet::new("run", data()),
        Sheet::new("none", Data::default()),
        Sheet::new("Run", data()),
        Sheet::new("../x", data()),
        Sheet::new("..", data()),
    ];
    assert_eq!(data_stems(&sheets), ["data/run", "data/Run-2", "data/x", "data/study"]);
    write_folder(base.path(), &plain("a"), &sheets, &[]).unwrap();
    let files = names(&base.path().join("data"));
    assert_eq!(files.len(), 8);
    assert!(files.contains(&"Run-2.parquet".to_owned()) && files.contains(&"x.csv".to_owned()));
    assert_eq!(data_stems(&sheets[..2]), ["data"]);
    let ragged = {
        let mut ragged = data();
        ragged.push("x", "m", vec![]);
        [Sheet::new("run", data()), Sheet::new("bad", ragged)]
    };
    assert!(matches!(write_folder(base.path(), &plain("b"), &ragged, &[]), Err(RecordError::Ragged { .. })));
}

#[test]
fn files_of_the_user_stay_where_they_are() {
    let (_base, target) = written();
    fs::create_dir_all(target.join(".git/objects")).unwrap();
    fs::create_dir_all(target.join("figures")).unwrap();
    let own = [".git/config", ".git/objects/ab", "notes.md", "figures/mine.svg", "deep/er/notes"];
    for name in own {
        fs::write(target.join(name), name).unwrap();
    }
    for title in ["second", "third"] {
        check_folder(&target).unwrap();
        write_folder(&target, &plain(title), &[], &[]).unwrap();
        for name in own {
            assert_eq!(fs::read_to_string(target.join(name)).unwrap(), name);
        }
        assert!(fs::read_to_string(target.join("result.json")).unwrap().contains(title));
    }
    assert!(!target.join("data.csv").exists() && !target.join("deep/er/x.txt").exists());
}

#[test]
fn a_result_the_user_changed_is_refused_before_and_kept_after_a_run() {
    let (_base, target) = written();
    check_folder(&target).unwrap();
    fs::write(target.join("report.html"), "my remarks").unwrap();
    fs::write(target.join("data.csv"), "my numbers").unwrap();
    let error = check_folder(&target).unwrap_err();
    assert!(
        matches!(&error, RecordError::Changed { files, .. } if files == &["data.csv", "report.html"]),
        "{error}"
    );
    assert!(error.to_string().contains("`data.csv`, `report.html` were changed"), "{error}");
    // Changed while the run was under way: too late to refuse.
    let written = write_folder(&target, &plain("second"), &[], &[]).unwrap();
    assert_eq!(written.kept, [target.join("report.html.kept-1")]);
    assert_eq!(fs::read_to_string(target.join("report.html.kept-1")).unwrap(), "my remarks");
    assert_eq!(fs::read_to_string(target.join("data.csv")).unwrap(), "my numbers", "not in the new result");
    fs::write(target.join("report.html"), "again").unwrap();
    let written = write_folder(&target, &plain("third"), &sheets(), &[]).unwrap();
    let kept = ["data.csv.kept-1", "report.html.kept-2"].map(|n| target.join(n));
    assert_eq!(written.kept, kept);
    assert_eq!(fs::read_to_string(&kept[0]).unwrap(), "my numbers");
    assert_eq!(fs::read_to_string(&kept[1]).unwrap(), "again");
    check_folder(&target).unwrap();
}

#[test]
fn one_changed_file_is_named_alone_and_many_are_counted() {
    let (_base, target) = written();
    fs::write(target.join("data.csv"), "").unwrap();
    let text = check_folder(&target).unwrap_err().to_string();
    assert!(text.contains("`data.csv` was changed") && text.contains("move it away"), "{text}");
    for name in ["data.parquet", "report.html", "result.json", "deep/er/x.txt"] {
        fs::write(target.join(name), "").unwrap();
    }
    let text = check_folder(&target).unwrap_err().to_string();
    assert!(text.contains("and 2 more were changed") && text.contains("move them away"), "{text}");
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link_of_the_user() {
    let (base, target) = written();
    let elsewhere = base.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("x"), "precious").unwrap();
    std::os::unix::fs::symlink(&elsewhere, target.join("figures")).unwrap();
    std::os::unix::fs::symlink(elsewhere.join("x"), target.join("scenario.toml")).unwrap();
    let extra = [ExtraFile::text("scenario.toml", "new"), ExtraFile::text("figures/x", "new")];
    let written = write_folder(&target, &plain("second"), &[], &extra).unwrap();
    assert_eq!(written.kept.len(), 2, "{:?}", written.kept);
    assert_eq!(fs::read_to_string(elsewhere.join("x")).unwrap(), "precious");
    assert_eq!(fs::read_to_string(target.join("figures/x")).unwrap(), "new");
    // A link as the folder itself leads to the folder; a link to nothing does not.
    let link = base.path().join("link");
    std::os::unix::fs::symlink(&target, &link).unwrap();
    check_folder(&link).unwrap();
    write_folder(&link, &plain("third"), &[], &[]).unwrap();
    assert!(fs::read_to_string(target.join("result.json")).unwrap().contains("third"));
    let nothing = base.path().join("nothing");
    std::os::unix::fs::symlink(base.path().join("gone"), &nothing).unwrap();
    assert!(matches!(check_folder(&nothing), Err(RecordError::Dangling { .. })));
    assert!(matches!(write_folder(&nothing, &plain("x"), &[], &[]), Err(RecordError::Dangling { .. })));
}

#[test]
fn a_folder_of_somebody_else_is_left_alone() {
    let base = tempdir().unwrap();
    let base = base.path();
    fs::write(base.join("thesis.tex"), "years of work").unwrap();
    fs::write(base.join("result.json"), "{}").unwrap();
    for error in [check_folder(base).unwrap_err(), write_folder(base, &record(), &sheets(), &[]).unwrap_err()]
    {
        assert!(matches!(error, RecordError::NotOurs { .. }), "{error}");
    }
    assert_eq!(names(base), ["result.json", "thesis.tex"]);
    let file = base.join("thesis.tex");
    assert!(matches!(write_folder(&file, &record(), &sheets(), &[]), Err(RecordError::NotAFolder { .. })));
    for error in [
        check_folder(&file.join("result/deep")).unwrap_err(),
        write_folder(&file.join("result"), &record(), &sheets(), &[]).unwrap_err(),
    ] {
        assert!(error.to_string().contains("thesis.tex` is a file"), "{error}");
    }
    // A list that does not make sense is nobody's word.
    let (_base, target) = written();
    fs::write(target.join(MANIFEST), "{\"generator\": \"\", \"files\": {\"../precious\": \"\"}}").unwrap();
    for error in [check_folder(&target).unwrap_err(), write_folder(&target, &record(), &[], &[]).unwrap_err()]
    {
        assert!(matches!(error, RecordError::Manifest { .. }), "{error}");
    }
}

#[test]
fn an_error_leaves_the_earlier_result_and_no_trace() {
    let (base, target) = written();
    let before = tree(&target);
    let long = "x".repeat(300);
    let bad = ["../escape", "/absolute", "", ".", "report.html", "report.html/inside", "result", MANIFEST];
    for name in bad.into_iter().chain([".bristle-new/a", ".bristle-ready", long.as_str()]) {
        let extra = [ExtraFile::text(name, ""), ExtraFile::text("result/x", "")];
        let error = write_folder(&target, &plain("second"), &sheets(), &extra).unwrap_err();
        // A name that cannot be is said to be one; only the file system knows how long is too long.
        assert_eq!(matches!(error, RecordError::ExtraName { .. }), name != long, "{name}: {error}");
        assert_eq!(tree(&target), before, "{name}");
        let fresh = base.path().join("fresh/er");
        assert!(write_folder(&fresh, &plain("second"), &sheets(), &extra).is_err());
        assert_eq!(names(base.path()), ["result"], "{name}");
    }
    // A folder that was there stays, though it be empty.
    let empty = base.path().join("empty/er");
    fs::create_dir_all(&empty).unwrap();
    let extra = [ExtraFile::text(long, "")];
    assert!(write_folder(&empty, &plain("second"), &sheets(), &extra).is_err());
    assert!(empty.is_dir());
}

#[test]
fn an_empty_folder_may_be_filled_and_a_check_leaves_no_trace() {
    let base = tempdir().unwrap();
    check_folder(base.path()).unwrap();
    check_folder(&base.path().join("a/b/c")).unwrap();
    assert!(names(base.path()).is_empty());
    write_folder(base.path(), &record(), &sheets(), &[]).unwrap();
    assert!(base.path().join(RESULT).is_file());
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_known_before_the_run() {
    // No file can be made there, not even by the superuser.
    for folder in ["/proc", "/proc/x/y", "/sys"] {
        if Path::new("/proc/self").exists() {
            let error = check_folder(Path::new(folder)).unwrap_err();
            assert!(matches!(error, RecordError::Io { .. } | RecordError::NotOurs { .. }), "{error}");
        }
    }
}

/// Every state that a kill can leave behind, made by hand, and what the next run makes of it.
#[test]
fn a_run_killed_at_any_moment_is_repaired_by_the_next() {
    let new = tempdir().unwrap();
    let extra = [ExtraFile::text("deep/er/y.txt", "y")];
    write_folder(new.path(), &plain("second"), &sheets(), &extra).unwrap();
    let second = tree(new.path());
    let files: Vec<&String> = second.keys().filter(|n| *n != MANIFEST).collect();
    let put = |target: &Path, below: &str, name: &str| {
        let path = target.join(below).join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &second[name]).unwrap();
    };
    let mine = |target: &Path| {
        fs::write(target.join("notes.md"), "mine").unwrap();
    };
    // Killed while writing, with any number of files written: the first result stays.
    for count in 0..=files.len() {
        let (_base, target) = written();
        mine(&target);
        let before = tree(&target);
        fs::create_dir(target.join(".bristle-new")).unwrap();
        files[..count].iter().for_each(|name| put(&target, ".bristle-new", name));
        check_folder(&target).unwrap();
        assert_eq!(tree(&target), before, "{count} files written");
    }
    // Killed while moving in, with any number of files moved: the second result is completed.
    for count in 0..=files.len() {
        let (_base, target) = written();
        mine(&target);
        files[..count].iter().for_each(|name| put(&target, "", name));
        files[count..].iter().for_each(|name| put(&target, ".bristle-ready", name));
        put(&target, ".bristle-ready", MANIFEST);
        check_folder(&target).unwrap();
        let mut after = tree(&target);
        assert_eq!(after.remove("notes.md").unwrap(), b"mine");
        assert_eq!(after, second, "{count} files moved");
        assert!(!target.join(".bristle-ready").exists());
    }
    // The same in a folder that had no result before, which therefore has no list yet.
    for count in 0..=files.len() {
        let target = tempdir().unwrap();
        let target = target.path();
        files[..count].iter().for_each(|name| put(target, "", name));
        files[count..].iter().for_each(|name| put(target, ".bristle-ready", name));
        put(target, ".bristle-ready", MANIFEST);
        write_folder(target, &plain("second"), &sheets(), &extra).unwrap();
        assert_eq!(tree(target), second, "{count} files moved");
    }
    // Killed between the last move and the clearing up.
    let (_base, target) = written();
    fs::create_dir_all(target.join(".bristle-ready/deep")).unwrap();
    let before = tree(&target);
    check_folder(&target).unwrap();
    assert_eq!(tree(&target), before);
    assert!(!target.join(".bristle-ready").exists());
}

/// The leavings of a killed run may be all there is; something else under their name is not taken for them.
#[test]
fn leavings_are_cleared_and_nothing_else() {
    let base = tempdir().unwrap();
    fs::create_dir(base.path().join(".bristle-new")).unwrap();
    fs::write(base.path().join(".bristle-new/report.html"), "half").unwrap();
    check_folder(base.path()).unwrap();
    assert!(names(base.path()).is_empty());
    fs::write(base.path().join(".bristle-new"), "a file").unwrap();
    assert!(matches!(check_folder(base.path()), Err(RecordError::Io { .. })));
    assert_eq!(fs::read_to_string(base.path().join(".bristle-new")).unwrap(), "a file");
}

#[test]
fn a_folder_with_a_manifest_holds_a_result() {
    let (base, target) = written();
    assert!(holds_result(&target));
    assert!(!holds_result(base.path()) && !holds_result(&base.path().join("nothing")));
    // The empty path is the current folder, which here is a source tree.
    assert!(matches!(check_folder(Path::new("")), Err(RecordError::NotOurs { .. })));
}

#[test]
fn a_result_may_lie_within_another() {
    let files = files_within("paper", &plain("inner"), &sheets(), &[ExtraFile::text("a/b", "")]).unwrap();
    let names: Vec<&str> = files.iter().map(|f| f.name.as_str()).collect();
    let expected = ["report.html", "data.csv", "data.parquet", "result.json", "a/b"];
    assert_eq!(names, expected.map(|n| format!("paper/{n}")));
}

/// Somebody waits for a record that was stopped: its figures are in the report only.
#[test]
fn a_partial_record_has_no_figure_files() {
    let base = tempdir().unwrap();
    let partial = Record { is_partial: true, ..record() };
    write_folder(base.path(), &partial, &[], &[]).unwrap();
    assert_eq!(names(base.path()), [MANIFEST, "report.html", "result.json"]);
    assert!(fs::read_to_string(base.path().join("report.html")).unwrap().contains("<svg"));
}

/// What a living run writes is not taken for the leavings of a dead one.
#[test]
fn the_work_of_a_living_run_is_left_alone() {
    let (_base, target) = written();
    let lock = fs::File::open(&target).unwrap();
    lock.lock().unwrap();
    fs::create_dir(target.join(".bristle-new")).unwrap();
    check_folder(&target).unwrap();
    assert!(target.join(".bristle-new").exists());
    std::thread::scope(|scope| {
        let other = scope.spawn(|| write_folder(&target, &plain("second"), &[], &[]));
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert!(!other.is_finished(), "the second run waits for the first");
        assert!(target.join(".bristle-new").exists());
        drop(lock);
        other.join().unwrap().unwrap();
    });
    assert!(!target.join(".bristle-new").exists());
}
