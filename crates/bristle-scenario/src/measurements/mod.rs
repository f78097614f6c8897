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

use crate::error::{Problem, ScenarioError, TableError};
use crate::file;
use crate::read::{Reader, TomlValue};
use bristle_core::units;
use columns::Columns;
use std::collections::BTreeMap;
use std::ops::Range;
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
}

/// A column in the place of a signal.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredInput {
    /// The signal, such as `stage.position`.
    pub path: String,
    /// The column.
    pub column: String,
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
    /// Standard deviation of the noise, as written.
    pub noise: Option<String>,
    /// The column that holds the standard deviation of each value.
    pub error: Option<String>,
    /// What the instrument adds.
    pub bias: Instrument,
    /// What it multiplies by.
    pub gain: Instrument,
    /// What it adds per second.
    pub drift: Instrument,
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

const KEYS: [&str; 10] =
    ["file", "extends", "time", "from", "to", "warm_up", "every", "start", "inputs", "outputs"];

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
    let text = file::text(&reader.folder.join(&file), file::TABLE)
        .map_err(|reason| table(TableError::Unreadable { reason }))?;
    let columns = columns::read(&text).map_err(table)?;
    let times = match get("time") {
        Some(value) if value.get_ref().as_bool() == Some(false) => None,
        Some(value) => Some(columns.times(reader.text("time", value)?).map_err(table)?),
        None if columns.names[0].to_lowercase().starts_with('t') => {
            let first = columns.names[0].clone();
            let is_time = ["t", "time"].contains(&first.to_lowercase().as_str());
            is_time.then(|| columns.times(&first)).transpose().map_err(table)?
        }
        None => None,
    };
    let quantity =
        |key: &str, unit: &str| get(key).map(|value| reader.quantity(key, value, unit)).transpose();
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
    let every = quantity("every", "1")?.unwrap_or(1.0);
    if every < 1.0 || every.fract() != 0.0 {
        let span = get("every").map_or(whole.span(), |v| v.span());
        return Err(wrong(
            format!("`every` is {every}"),
            span,
            "every second row is compared with `every = 2`",
        ));
    }
    let start =
        match get("start").map(|value| Ok((reader.text("start", value)?, value.span()))).transpose()? {
            None | Some(("given", _)) => RecordStart::Given,
            Some(("steady", _)) => RecordStart::Steady,
            Some((other, span)) => {
                return Err(wrong(format!("`start` is \"{other}\""), span, "\"given\" or \"steady\""));
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
    let every = every as usize;
    Ok(Measurement {
        name: name.to_owned(),
        file,
        columns,
        times,
        window,
        warm_up,
        every,
        start,
        inputs,
        outputs,
    })
}

fn inputs(reader: &Reader, value: &TomlValue) -> Result<Vec<MeasuredInput>, ScenarioError> {
    let table = reader.table("inputs", value)?;
    let one = |(key, value): (&toml::Spanned<std::borrow::Cow<str>>, &TomlValue)| {
        let column = reader.text(key.get_ref(), value)?.to_owned();
        Ok(MeasuredInput { path: key.get_ref().to_string(), column, span: value.span() })
    };
    table.iter().map(one).collect()
}

fn outputs(reader: &Reader, value: &TomlValue) -> Result<Vec<MeasuredOutput>, ScenarioError> {
    let table = reader.table("outputs", value)?;
    let mut all = Vec::new();
    for (key, value) in table {
        let mut output = MeasuredOutput {
            channel: key.get_ref().to_string(),
            column: String::new(),
            noise: None,
            error: None,
            bias: Instrument::Ideal,
            gain: Instrument::Ideal,
            drift: Instrument::Ideal,
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
            &["column", "noise", "error", "bias", "gain", "drift"],
            "a key of a measured output",
            "",
        );
        let word =
            |key: &str| own.get(key).map(|value| reader.text(key, value).map(str::to_owned)).transpose();
        let Some(column) = word("column")? else {
            let owner = format!("output `{}`", key.get_ref());
            let problem = Problem::MissingKey { owner, key: "column".to_owned() };
            return Err(reader.error(problem, value.span(), "name the column it is compared with"));
        };
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
        (output.noise, output.error) = (word("noise")?, word("error")?);
        (output.bias, output.gain, output.drift) =
            (instrument("bias")?, instrument("gain")?, instrument("drift")?);
        output.column = column;
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
        TableError::Unsorted { .. } => "take one of two rows of the same time out, and sort the others".to_owned(),
        TableError::NoNumber { .. } => "take rows with gaps out, or choose a window without them".to_owned(),
        _ => "a measured file is a CSV file with a line of headings such as `time [s],force [N]`".to_owned(),
    }
}

impl Measurement {
    /// Rows from the warm-up to the end of the window, and how many of them are a warm-up.
    pub fn rows(&self) -> (Range<usize>, usize) {
        let Some(times) = &self.times else {
            return (0..self.columns.lines.len(), 0);
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
        Ok(self.columns.column(name, unit)?[rows].to_vec())
    }
}

/// A quantity of an instrument in that unit.
///
/// # Errors
/// What is wrong with it.
pub fn instrument(text: &str, unit: &str) -> Result<f64, units::UnitError> {
    units::parse(text, unit)
}
