//! What was measured: the sections `[measurements.NAME]`.
//!
//! ```toml
//! [measurements.loops]
//! file = "record.csv"
//! from = "60 s"
//! to = "100 s"
//! warm_up = "8 s"
//! inputs = { "stage.position" = "position" }
//! outputs = { "pad.force" = { column = "friction force", noise = "20 mN", bias = "free" } }
//! ```

pub mod columns;
mod mat;
#[cfg(feature = "parquet")]
mod parquet;

use crate::error::{Problem, ScenarioError, TableError};
use crate::file;
use crate::read::{Reader, TomlValue};
use bristle_core::units;
use columns::Columns;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// A measured file and what its columns stand for.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// What the scenario calls it.
    pub name: String,
    /// The file as named.
    pub file: String,
    /// Its columns.
    pub columns: Arc<Columns>,
    /// When each row was taken, s; none for steady points.
    pub times: Option<Vec<f64>>,
    /// What is compared: from here to there, s.
    pub window: [f64; 2],
    /// For how long before the window the motion is followed, s.
    pub warm_up: f64,
    /// Every how manyeth row is compared.
    pub every: usize,
    /// The same behind a filter without a shift, for what is compared and what it is compared with.
    pub decimate: usize,
    /// Slower motion than this is not compared, m/s or rad/s.
    pub above: f64,
    /// Where the times of an even grid lie between the rows: a row, and the share of the way to the next.
    grid: Option<Vec<(usize, f64)>>,
    /// How the motion begins.
    pub start: RecordStart,
    /// What is prescribed.
    pub inputs: Vec<MeasuredInput>,
    /// What is compared.
    pub outputs: Vec<MeasuredOutput>,
}

/// How a motion begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordStart {
    /// As the parts say.
    #[default]
    Given,
    /// In the steady state of what is prescribed at first.
    Steady,
    /// From a place and a velocity that are to be found.
    Free,
}

/// A column in the place of a signal.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredInput {
    /// The signal, such as `stage.position`.
    pub path: String,
    /// The column.
    pub column: String,
    /// What one unit of the column stands for, as written.
    pub factor: Option<String>,
    /// Limit of a low-pass without a shift, Hz.
    pub filter: Option<f64>,
    /// Where that stands.
    pub span: Range<usize>,
}

/// A column that an output is compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredOutput {
    /// The output, such as `pad.force`.
    pub channel: String,
    /// The column.
    pub column: String,
    /// What one unit of the column stands for, as written.
    pub factor: Option<String>,
    /// Limit of a low-pass without a shift, Hz.
    pub filter: Option<f64>,
    /// Standard deviation of the noise, as written.
    pub noise: Option<String>,
    /// The column that holds the standard deviation of each value.
    pub error: Option<String>,
    /// What the instrument adds.
    pub bias: Instrument,
    /// What it multiplies by.
    pub gain: Instrument,
    /// What it adds per second, or per metre of the column it goes along.
    pub drift: Instrument,
    /// How long after the motion it shows it.
    pub delay: Instrument,
    /// The column a drift goes along, instead of the time.
    pub along: Option<String>,
    /// Where that stands.
    pub span: Range<usize>,
}

/// Something an instrument does: as written, or to be found.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Instrument {
    /// Nothing.
    #[default]
    Ideal,
    /// To be found.
    Free,
    /// A quantity.
    Known(String),
}

/// Reads all measurements; what is wrong is noted.
pub fn measurements(reader: &Reader, root: &DeTable) -> Vec<Measurement> {
    let Some(value) = root.get("measurements") else { return Vec::new() };
    let Some(table) = reader.keep(reader.table("measurements", value)) else { return Vec::new() };
    let mut known: BTreeMap<String, &DeTable> = BTreeMap::new();
    let mut all = Vec::new();
    for (key, value) in table {
        let name = key.get_ref().to_string();
        reader.name("measurement", key);
        let Some(own) = reader.keep(reader.table(&name, value)) else { continue };
        known.insert(name.clone(), own);
        let Some(read) = reader.keep(one(reader, &name, value, own, &known)) else { continue };
        all.push(read);
    }
    all
}

/// The columns of a file: Parquet and MAT files by the ends of their names, all others as text.
///
/// # Errors
/// [`TableError`].
pub fn read_file(path: &Path) -> Result<Columns, TableError> {
    let unreadable = |reason: String| TableError::Unreadable { reason };
    let bytes = || file::bytes(path, file::TABLE).map_err(unreadable);
    match path.extension().and_then(|end| end.to_str()) {
        Some("mat") => mat::read(&bytes()?),
        #[cfg(feature = "parquet")]
        Some("parquet") => parquet::read(path),
        #[cfg(not(feature = "parquet"))]
        Some("parquet") => {
            Err(unreadable("this build leaves Parquet out; build with the feature `parquet`".to_owned()))
        }
        _ => columns::read(&file::text(path, file::TABLE).map_err(unreadable)?),
    }
}

const KEYS: [&str; 13] = [
    "file", "extends", "time", "from", "to", "warm_up", "every", "decimate", "above", "resample", "start",
    "inputs", "outputs",
];

fn one(
    reader: &Reader,
    name: &str,
    whole: &TomlValue,
    own: &DeTable,
    known: &BTreeMap<String, &DeTable>,
) -> Result<Measurement, ScenarioError> {
    let wrong = |reason: String, span: Range<usize>, hint: &str| {
        reader.error(Problem::Measurement { measurement: name.to_owned(), reason }, span, hint)
    };
    reader.only(own, &KEYS, "a key of a measurement", "");
    let base = match own.get("extends") {
        None => None,
        Some(value) => {
            let other = reader.text("extends", value)?;
            let found = known.get(other).copied().filter(|_| other != name);
            Some(found.ok_or_else(|| {
                let problem = Problem::NoSuchName { what: "measurement", name: other.to_owned() };
                reader.error(problem, value.span(), "a measurement extends one that stands above it")
            })?)
        }
    };
    let get = |key: &str| own.get(key).or_else(|| base.and_then(|base| base.get(key)));
    let Some(file_value) = get("file") else {
        let problem = Problem::MissingKey { owner: format!("measurement `{name}`"), key: "file".to_owned() };
        return Err(reader.error(problem, whole.span(), "name a CSV file with headings and units"));
    };
    let file = reader.text("file", file_value)?.to_owned();
    let table = |error: TableError| {
        let hint = table_hint(&error);
        reader.error(Problem::Table { path: file.clone(), error }, file_value.span(), hint)
    };
    let columns = read_file(&reader.folder.join(&file)).map_err(table)?;
    let quantity =
        |key: &str, unit: &str| get(key).map(|value| reader.quantity(key, value, unit)).transpose();
    let step = quantity("resample", "s")?;
    if step.is_some_and(|step| step <= 0.0) {
        let span = get("resample").map_or(whole.span(), |v| v.span());
        return Err(wrong("`resample` is not positive".to_owned(), span, "such as `resample = \"10 ms\"`"));
    }
    let of = |name: &str| match step {
        None => columns.times(name).map_err(table),
        Some(_) => columns.clock(name).map_err(table),
    };
    let times = match get("time") {
        Some(value) if value.get_ref().as_bool() == Some(false) => None,
        Some(value) => Some(of(reader.text("time", value)?)?),
        None => {
            let first = columns.names[0].clone();
            let is_time = ["t", "time"].contains(&first.to_lowercase().as_str());
            is_time.then(|| of(&first)).transpose()?
        }
    };
    let (times, grid) = match (times, step) {
        (Some(times), Some(step)) => {
            let (times, grid) = even(&times, step);
            (Some(times), Some(grid))
        }
        (times, _) => (times, None),
    };
    let (first, last) = times.as_ref().map_or((0.0, 0.0), |t| (t[0], t[t.len() - 1]));
    let from = quantity("from", "s")?.unwrap_or(first);
    let to = quantity("to", "s")?.unwrap_or(last);
    let warm_up = quantity("warm_up", "s")?.unwrap_or(0.0);
    if times.is_some() && (from >= to || from < first - 1e-9 || to > last + 1e-9) {
        let reason = format!(
            "the window from {from} s to {to} s is empty or outside the record, {first} s to {last} s"
        );
        let span = get("from").or(get("to")).map_or(whole.span(), |v| v.span());
        return Err(wrong(reason, span, "choose `from` and `to` within the record, in its own time"));
    }
    let count = |key: &str| {
        let count = quantity(key, "1")?.unwrap_or(1.0);
        if count < 1.0 || count.fract() != 0.0 {
            let span = get(key).map_or(whole.span(), |v| v.span());
            let hint = format!("every second row is compared with `{key} = 2`");
            return Err(wrong(format!("`{key}` is {count}"), span, &hint));
        }
        Ok(count as usize)
    };
    let (every, decimate) = (count("every")?, count("decimate")?);
    let above = match get("above") {
        None => 0.0,
        Some(value) => {
            let speed =
                reader.quantity("above", value, "m/s").or_else(|_| reader.quantity("above", value, "rad/s"));
            speed.map_err(|_| {
                wrong(
                    "`above` is no speed".to_owned(),
                    value.span(),
                    "such as `above = \"20 mm/s\"` or `\"0.02 rad/s\"`",
                )
            })?
        }
    };
    let start =
        match get("start").map(|value| Ok((reader.text("start", value)?, value.span()))).transpose()? {
            None | Some(("given", _)) => RecordStart::Given,
            Some(("steady", _)) => RecordStart::Steady,
            Some(("free", _)) => RecordStart::Free,
            Some((other, span)) => {
                let hint = "\"given\", \"steady\" or \"free\"";
                return Err(wrong(format!("`start` is \"{other}\""), span, hint));
            }
        };
    let inputs = get("inputs").map_or(Ok(Vec::new()), |value| inputs(reader, value))?;
    let Some(value) = get("outputs") else {
        let problem =
            Problem::MissingKey { owner: format!("measurement `{name}`"), key: "outputs".to_owned() };
        return Err(reader.error(problem, whole.span(), "outputs = { \"pad.force\" = \"friction force\" }"));
    };
    let outputs = outputs(reader, value)?;
    for (column, span) in
        inputs.iter().map(|i| (&i.column, &i.span)).chain(outputs.iter().map(|o| (&o.column, &o.span)))
    {
        columns.place(column).map_err(|error| {
            let hint = table_hint(&error);
            reader.error(Problem::Table { path: file.clone(), error }, span.clone(), hint)
        })?;
    }
    let columns = Arc::new(columns);
    let window = [from, to];
    Ok(Measurement {
        name: name.to_owned(),
        file,
        columns,
        times,
        window,
        warm_up,
        every,
        decimate,
        above,
        grid,
        start,
        inputs,
        outputs,
    })
}

fn inputs(reader: &Reader, value: &TomlValue) -> Result<Vec<MeasuredInput>, ScenarioError> {
    let table = reader.table("inputs", value)?;
    let one = |(key, value): (&toml::Spanned<std::borrow::Cow<str>>, &TomlValue)| {
        let (path, span) = (key.get_ref().to_string(), value.span());
        if let Some(column) = value.get_ref().as_str() {
            let column = column.to_owned();
            return Ok(MeasuredInput { path, column, factor: None, filter: None, span });
        }
        let own = reader.table(key.get_ref(), value)?;
        reader.only(own, &["column", "factor", "filter"], "a key of a measured input", "");
        let column = named_column(reader, own, &format!("input `{path}`"), value)?;
        let (factor, filter) = (text_of(reader, own, "factor")?, limit_of(reader, own)?);
        Ok(MeasuredInput { path, column, factor, filter, span })
    };
    table.iter().map(one).collect()
}

/// The column that a table names.
fn named_column(
    reader: &Reader,
    own: &DeTable,
    owner: &str,
    whole: &TomlValue,
) -> Result<String, ScenarioError> {
    text_of(reader, own, "column")?.ok_or_else(|| {
        let problem = Problem::MissingKey { owner: owner.to_owned(), key: "column".to_owned() };
        reader.error(problem, whole.span(), "name the column it is compared with")
    })
}

fn text_of(reader: &Reader, own: &DeTable, key: &str) -> Result<Option<String>, ScenarioError> {
    own.get(key).map(|value| reader.text(key, value).map(str::to_owned)).transpose()
}

/// The limit of a filter.
fn limit_of(reader: &Reader, own: &DeTable) -> Result<Option<f64>, ScenarioError> {
    own.get("filter").map(|value| reader.quantity("filter", value, "Hz")).transpose()
}

/// An even grid over times, and where its times lie between them.
fn even(times: &[f64], step: f64) -> (Vec<f64>, Vec<(usize, f64)>) {
    let (first, last) = (times[0], times[times.len() - 1]);
    let count = ((last - first) / step * (1.0 + 1e-12)).floor() as usize + 1;
    let mut row = 0;
    let places = (0..count).map(|k| {
        let t = first + k as f64 * step;
        while row + 2 < times.len() && times[row + 1] <= t {
            row += 1;
        }
        let span = times[row + 1] - times[row];
        let share = if span > 0.0 { ((t - times[row]) / span).clamp(0.0, 1.0) } else { 0.0 };
        (row, share)
    });
    let places = places.collect();
    ((0..count).map(|k| first + k as f64 * step).collect(), places)
}

fn outputs(reader: &Reader, value: &TomlValue) -> Result<Vec<MeasuredOutput>, ScenarioError> {
    let table = reader.table("outputs", value)?;
    let mut all = Vec::new();
    for (key, value) in table {
        let mut output = MeasuredOutput {
            channel: key.get_ref().to_string(),
            column: String::new(),
            factor: None,
            filter: None,
            noise: None,
            error: None,
            bias: Instrument::Ideal,
            gain: Instrument::Ideal,
            drift: Instrument::Ideal,
            delay: Instrument::Ideal,
            along: None,
            span: value.span(),
        };
        if let Some(column) = value.get_ref().as_str() {
            output.column = column.to_owned();
            all.push(output);
            continue;
        }
        let own = reader.table(key.get_ref(), value)?;
        reader.only(
            own,
            &["column", "factor", "filter", "noise", "error", "bias", "gain", "drift", "along", "delay"],
            "a key of a measured output",
            "",
        );
        let word = |key: &str| text_of(reader, own, key);
        output.column = named_column(reader, own, &format!("output `{}`", key.get_ref()), value)?;
        (output.factor, output.filter) = (word("factor")?, limit_of(reader, own)?);
        let instrument = |key: &str| -> Result<Instrument, ScenarioError> {
            Ok(match own.get(key) {
                None => Instrument::Ideal,
                Some(value) => match value.get_ref() {
                    DeValue::String(word) if word.as_ref() == "free" => Instrument::Free,
                    DeValue::String(word) => Instrument::Known(word.to_string()),
                    _ => Instrument::Known(format!("{}", reader.quantity(key, value, "1")?)),
                },
            })
        };
        (output.noise, output.error, output.along) = (word("noise")?, word("error")?, word("along")?);
        (output.bias, output.gain) = (instrument("bias")?, instrument("gain")?);
        (output.drift, output.delay) = (instrument("drift")?, instrument("delay")?);
        all.push(output);
    }
    Ok(all)
}

/// A way out.
fn table_hint(error: &TableError) -> String {
    match error {
        TableError::Heading { .. } => {
            "write units in brackets, such as `force [N]` or `time (ms)`, or after a last underscore, and of the kind that belongs there".to_owned()
        }
        TableError::NoSuchColumn { .. } => "columns are called by their headings without units".to_owned(),
        TableError::Unsorted { .. } => "take one of two rows of the same time out, and sort the others, or put the record on an even grid with `resample`".to_owned(),
        TableError::NoNumber { .. } => "take rows with gaps out, or choose a window without them".to_owned(),
        _ => "a measured file is a CSV file with a line of headings such as `time [s],force [N]`".to_owned(),
    }
}

impl Measurement {
    /// Rows from the warm-up to the end of the window, and how many of them are a warm-up.
    pub fn rows(&self) -> (Range<usize>, usize) {
        let Some(times) = &self.times else {
            return (0..self.columns.rows(), 0);
        };
        let (slack, [from, to]) = (1e-9, self.window);
        let first = times.partition_point(|t| *t < from - self.warm_up - slack);
        let scored = times.partition_point(|t| *t < from - slack);
        let last = times.partition_point(|t| *t <= to + slack);
        (first..last, scored - first)
    }

    /// A column over those rows, in an SI unit.
    ///
    /// # Errors
    /// As [`Columns::column`].
    pub fn column(&self, name: &str, unit: &str) -> Result<Vec<f64>, TableError> {
        let (rows, _) = self.rows();
        Ok(self.whole(name, None, unit)?[rows].to_vec())
    }

    /// A column over all rows, in an SI unit; `factor` is what one unit of the column stands for, such as `"35.15 N/V"`.
    ///
    /// # Errors
    /// As [`Columns::column`], and [`TableError::Factor`].
    pub fn whole(&self, name: &str, factor: Option<&str>, unit: &str) -> Result<Vec<f64>, TableError> {
        let all = match factor {
            None => self.columns.column(name, unit)?,
            Some(factor) => self.columns.scaled(name, factor, unit)?,
        };
        let Some(grid) = &self.grid else { return Ok(all) };
        let at = |&(row, share): &(usize, f64)| {
            let next = all[(row + 1).min(all.len() - 1)];
            all[row] + share * (next - all[row])
        };
        Ok(grid.iter().map(at).collect())
    }
}

/// A quantity of an instrument in that unit.
///
/// # Errors
/// What is wrong with it.
pub fn instrument(text: &str, unit: &str) -> Result<f64, units::UnitError> {
    units::parse(text, unit)
}
