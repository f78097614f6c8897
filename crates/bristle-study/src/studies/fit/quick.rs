//! A scenario made of nothing but a measured file.

use bristle_scenario::measurements::{columns::Columns, read_file};
use bristle_scenario::{Problem, ScenarioError, TableError};
use std::path::Path;

/// Words by which columns are known, best first.
const FORCES: [&str; 4] = ["friction force", "force", "friction", "torque"];
const VELOCITIES: [&str; 4] = ["velocity", "speed", "mean speed", "slip rate"];
const POSITIONS: [&str; 4] = ["position", "displacement", "slip", "angle"];

/// The text of a scenario that fits these laws to a file, the last part of which is held out.
///
/// # Errors
/// What is wrong with the file.
pub fn record_scenario(path: &Path, laws: &[String], hold_out: f64) -> Result<String, ScenarioError> {
    let shown = path.display().to_string();
    let wrong = |error: TableError, hint: &str| {
        ScenarioError::new(Problem::Table { path: shown.clone(), error }).hint(hint)
    };
    let columns = read_file(path).map_err(|e| {
        wrong(e, "a measured file begins with headings such as `time [s],velocity [m/s],force [N]`")
    })?;
    let find = |words: &[&str]| {
        let exact = words.iter().find_map(|w| columns.names.iter().position(|n| n.to_lowercase() == *w));
        exact.or_else(|| {
            words.iter().find_map(|w| columns.names.iter().position(|n| n.to_lowercase().contains(w)))
        })
    };
    let hint = "call columns `time`, `velocity` or `position`, `force`, and `normal force`, or write a scenario with [measurements]";
    let missing = |name: &str| {
        wrong(TableError::NoSuchColumn { name: name.to_owned(), names: columns.names.join(", ") }, hint)
    };
    let normal = columns.names.iter().position(|n| n.to_lowercase().contains("normal"));
    let force = find(&FORCES).filter(|f| Some(*f) != normal).ok_or_else(|| missing("force"))?;
    let time = columns.names.iter().position(|n| ["t", "time"].contains(&n.to_lowercase().as_str()));
    let (motion, is_velocity) = match (find(&VELOCITIES), find(&POSITIONS)) {
        (Some(v), _) => (v, true),
        (None, Some(x)) => (x, false),
        _ => return Err(missing("velocity")),
    };
    if time.is_none() && !is_velocity {
        return Err(missing("time"));
    }
    let is_rotary = columns.units[motion]
        .as_deref()
        .is_some_and(|u| u.starts_with("rad") || u.starts_with("rpm") || u.starts_with("deg"));
    Ok(write(
        path,
        &columns,
        [time, Some(motion), Some(force), normal],
        is_velocity,
        is_rotary,
        laws,
        hold_out,
    ))
}

fn write(
    path: &Path,
    columns: &Columns,
    [time, motion, force, normal]: [Option<usize>; 4],
    is_velocity: bool,
    is_rotary: bool,
    laws: &[String],
    hold_out: f64,
) -> String {
    let quoted = |text: &str| format!("{text:?}");
    let name = |place: Option<usize>| quoted(place.map_or("", |i| columns.names[i].as_str()));
    let file = quoted(&path.file_name().unwrap_or_default().to_string_lossy());
    let (drive, signal) = match (is_rotary, is_velocity) {
        (false, true) => ("drive", "velocity"),
        (false, false) => ("drive", "position"),
        (true, true) => ("rotary_drive", "speed"),
        (true, false) => ("rotary_drive", "angle"),
    };
    let (counter, radius, output) = match is_rotary {
        true => ("\n[parts.frame]\nkind = \"rotary_anchor\"\n", "radius = \"1 m\"\n", "torque"),
        false => ("", "", "force"),
    };
    let ground = if is_rotary { "frame" } else { "ground" };
    let load = if normal.is_some() { "load = \"1 N\"\n" } else { "" };
    let levels = if normal.is_some() { "" } else { ", F_d = \"1 N\", F_s = \"1 N\"" };
    let first = laws.first().map_or("lugre", String::as_str).trim();
    let list: Vec<String> = laws.iter().map(|law| quoted(law.trim())).collect();
    let inputs = match normal {
        Some(_) => format!("{{ \"stage.{signal}\" = {}, \"pad.load\" = {} }}", name(motion), name(normal)),
        None => format!("{{ \"stage.{signal}\" = {} }}", name(motion)),
    };
    let mut text = format!(
        "title = {}\n\n[parts.stage]\nkind = \"{drive}\"\n{counter}\n[parts.pad]\nkind = \"contact\"\nbetween = [\"stage\", \"{ground}\"]\n{load}{radius}law = {{ kind = \"lugre\"{levels} }}\n\n",
        quoted(&format!("A law for {}", path.file_name().unwrap_or_default().to_string_lossy()))
    );
    let _ = first;
    let mut validate = String::new();
    let window = time.and_then(|t| {
        let times = columns.times(&columns.names[t]).ok()?;
        let (begin, end) = (times[0], times[times.len() - 1]);
        (hold_out > 0.0 && hold_out < 1.0).then_some((begin, begin + (1.0 - hold_out) * (end - begin), end))
    });
    text += &format!(
        "[measurements.record]\nfile = {file}\ninputs = {inputs}\noutputs = {{ \"pad.{output}\" = {} }}\n",
        name(force)
    );
    match (time, window) {
        (None, _) => text += "time = false\n",
        (Some(_), Some((begin, middle, end))) => {
            text += &format!("time = {}\nto = \"{middle} s\"\n", name(time));
            text += &format!(
                "\n[measurements.later]\nextends = \"record\"\nfrom = \"{middle} s\"\nto = \"{end} s\"\nwarm_up = \"{} s\"\n",
                middle - begin
            );
            validate = "validate = [\"later\"]\n".to_owned();
        }
        (Some(_), None) => text += &format!("time = {}\n", name(time)),
    }
    text + &format!(
        "\n[studies.identify]\nkind = \"fit\"\nmeasurements = [\"record\"]\n{validate}laws = [{}]\n",
        list.join(", ")
    )
}
