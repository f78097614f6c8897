//! The columns of a measured file: delimiter, decimal comma and units of the headings are recognised.

use crate::error::TableError;
use crate::table::{heading, shown};
use bristle_core::nearest;
use bristle_core::units::Conversion;

/// A measured file, whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// Headings without their units.
    pub names: Vec<String>,
    /// Units as written.
    pub units: Vec<Option<String>>,
    /// Values as written, a list for each column.
    pub values: Vec<Vec<f64>>,
    /// The line each row comes from.
    pub lines: Vec<usize>,
}

/// Reads a table with a header.
///
/// # Errors
/// [`TableError`] with the line.
pub fn read(text: &str) -> Result<Columns, TableError> {
    let text = text.trim_start_matches('\u{feff}');
    let (delimiter, has_comma) = layout(text);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .delimiter(delimiter)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut columns = Columns::default();
    let mut first = 0;
    for (row, record) in reader.records().enumerate() {
        let record = record.map_err(|e| TableError::Unreadable { reason: e.to_string() })?;
        let line = record.position().map_or(row + 1, |p| p.line() as usize);
        if columns.names.is_empty() {
            if record.iter().any(|cell| number(cell, has_comma).is_some()) {
                return Err(TableError::NoHeader { line });
            }
            for cell in &record {
                let (name, unit) = split(cell);
                columns.names.push(name);
                columns.units.push(unit);
            }
            columns.values = vec![Vec::new(); columns.names.len()];
            first = line;
            continue;
        }
        if record.len() != columns.names.len() {
            let (found, expected) = (record.len(), columns.names.len());
            return Err(TableError::Ragged { line, found, first, expected });
        }
        for (cell, column) in record.iter().zip(&mut columns.values) {
            // A gap or a word is told of where the column is used; others may hold what they like.
            column.push(number(cell, has_comma).unwrap_or(f64::NAN));
        }
        columns.lines.push(line);
    }
    if columns.lines.len() < 2 {
        return Err(TableError::TooShort { count: columns.lines.len() });
    }
    Ok(columns)
}

impl Columns {
    /// Columns of a file that is no text, from their headings; rows are counted from one.
    pub(crate) fn of(named: Vec<(String, Vec<f64>)>) -> Result<Columns, TableError> {
        let count = named.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
        if count < 2 {
            return Err(TableError::TooShort { count });
        }
        let mut columns = Columns { lines: (1..=count).collect(), ..Columns::default() };
        // What is shorter is a number beside the record.
        for (heading, values) in named.into_iter().filter(|(_, values)| values.len() == count) {
            // The columns of a matrix are counted behind its name, which is no unit.
            let (name, unit) = if heading.contains(" column ") { (heading, None) } else { split(&heading) };
            columns.names.push(name);
            columns.units.push(unit);
            columns.values.push(values);
        }
        Ok(columns)
    }
}

/// Name and unit of a heading. Words behind a space that are no unit belong to the name.
fn split(cell: &str) -> (String, Option<String>) {
    let (name, unit) = heading(cell);
    match unit {
        Some(unit) if cell[name.len()..].starts_with(' ') && !cell.ends_with([')', ']']) => {
            let is_unit = Conversion::between(unit, unit).is_ok();
            if is_unit { (name.to_owned(), Some(unit.to_owned())) } else { (cell.trim().to_owned(), None) }
        }
        unit => (name.to_owned(), unit.map(str::to_owned)),
    }
}

/// The delimiter, and whether decimals have a comma.
fn layout(text: &str) -> (u8, bool) {
    let lines: Vec<&str> =
        text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#')).take(5).collect();
    let count = |c: char| lines.iter().map(|l| l.matches(c).count()).min().unwrap_or(0);
    match (count(';'), count('\t')) {
        (0, 0) => (b',', false),
        (semicolons, _) if semicolons > 0 => (b';', lines.iter().skip(1).any(|l| l.contains(','))),
        _ => (b'\t', lines.iter().skip(1).any(|l| l.contains(','))),
    }
}

fn number(cell: &str, has_comma: bool) -> Option<f64> {
    let number = if has_comma { cell.replace(',', ".").parse() } else { cell.parse() };
    number.ok().filter(|x: &f64| x.is_finite())
}

impl Columns {
    /// The place of a column.
    ///
    /// # Errors
    /// [`TableError::NoSuchColumn`] with the one that may be meant.
    pub fn place(&self, name: &str) -> Result<usize, TableError> {
        let plain = |s: &str| s.to_lowercase();
        let exact = self.names.iter().position(|n| n == name);
        exact.or_else(|| self.names.iter().position(|n| plain(n) == plain(name))).ok_or_else(|| {
            let near = nearest(name, self.names.iter().map(String::as_str));
            let names = match near {
                Some(near) => format!("{}; `{near}` may be meant", self.names.join(", ")),
                None => self.names.join(", "),
            };
            TableError::NoSuchColumn { name: shown(name), names }
        })
    }

    /// The values of a column in an SI unit.
    ///
    /// # Errors
    /// [`TableError::Heading`] for a unit that is unknown or of another kind, [`TableError::NotANumber`].
    pub fn column(&self, name: &str, unit: &str) -> Result<Vec<f64>, TableError> {
        let place = self.place(name)?;
        let conversion = match &self.units[place] {
            Some(given) => Some(Conversion::between(given, unit).map_err(|error| TableError::Heading {
                line: 1,
                heading: shown(&format!("{} [{given}]", self.names[place])),
                error,
            })?),
            None => None,
        };
        Ok(self.numbers(place)?.iter().map(|&x| conversion.map_or(x, |c| c.apply(x))).collect())
    }

    /// The values of a column as written, all of them numbers.
    fn numbers(&self, place: usize) -> Result<&[f64], TableError> {
        match self.values[place].iter().position(|x| !x.is_finite()) {
            Some(row) => {
                Err(TableError::NoNumber { line: self.lines[row], column: shown(&self.names[place]) })
            }
            None => Ok(&self.values[place]),
        }
    }

    /// The values of a column, one unit of which stands for `factor`, such as `"35.15 N/V"` of a column in volt; in an SI unit.
    ///
    /// # Errors
    /// [`TableError::Factor`] if it is per another unit than the heading's, or of another kind.
    pub fn scaled(&self, name: &str, factor: &str, unit: &str) -> Result<Vec<f64>, TableError> {
        let place = self.place(name)?;
        let wrong = |reason: String| TableError::Factor { factor: shown(factor), reason };
        let per = self.units[place].as_deref().filter(|given| *given != "1");
        let own = match per {
            None => factor,
            Some(given) => factor
                .trim_end()
                .strip_suffix(given)
                .and_then(|f| f.trim_end().strip_suffix('/'))
                .ok_or_else(|| {
                    wrong(format!(
                        "the column is in {given}: write a quantity per {given}, such as `2 {unit}/{given}`"
                    ))
                })?,
        };
        let value = bristle_core::units::parse(own, unit).map_err(|e| wrong(e.to_string()))?;
        Ok(self.numbers(place)?.iter().map(|x| x * value).collect())
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.lines.len()
    }

    /// The times of a record that is put on an even grid: some may be equal, none may go back.
    ///
    /// # Errors
    /// As [`Columns::times`].
    pub fn clock(&self, name: &str) -> Result<Vec<f64>, TableError> {
        let times = self.column(name, "s")?;
        match times.windows(2).position(|pair| pair[1] < pair[0]) {
            Some(row) => Err(self.unsorted(&times, row)),
            None => Ok(times),
        }
    }

    fn unsorted(&self, times: &[f64], row: usize) -> TableError {
        TableError::Unsorted { line: self.lines[row + 1], time: times[row + 1], before: times[row] }
    }

    /// The times, in rising order.
    ///
    /// # Errors
    /// [`TableError::Unsorted`], [`TableError::Heading`].
    pub fn times(&self, name: &str) -> Result<Vec<f64>, TableError> {
        let times = self.column(name, "s")?;
        match times.windows(2).position(|pair| pair[1] <= pair[0]) {
            Some(row) => Err(self.unsorted(&times, row)),
            None => Ok(times),
        }
    }
}

#[cfg(test)]
mod columns_tests {
    use super::*;

    #[test]
    fn delimiters_decimal_commas_and_units_are_recognised() {
        for text in [
            "time [ms],friction force [N]\n0,1.5\n500,2\n",
            "time (ms);friction force (N)\n0;1,5\n500;2\n",
            "time_ms\tfriction force_N\n0\t1,5\n500\t2\n",
            "# made elsewhere\ntime [ms];friction force [mN]\n0;1500\n500;2000\n",
        ] {
            let columns = read(text).unwrap();
            assert_eq!(columns.times("time").unwrap(), [0.0, 0.5], "{text}");
            assert_eq!(columns.column("Friction force", "N").unwrap(), [1.5, 2.0], "{text}");
        }
        assert_eq!(
            read("time,friction force\n0,1\n1,2\n").unwrap().column("friction force", "N").unwrap()[1],
            2.0
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        assert_eq!(read(""), Err(TableError::TooShort { count: 0 }));
        assert_eq!(read("time,force\n0,1\n"), Err(TableError::TooShort { count: 1 }));
        assert_eq!(read("0,1\n1,2\n"), Err(TableError::NoHeader { line: 1 }));
        let text = "time [s],force [N],way [fathoms]\n0,1,2\n1,nan,3\n1,2,4\n";
        let columns = read(text).unwrap();
        assert_eq!(
            columns.column("force", "N"),
            Err(TableError::NoNumber { line: 3, column: "force".into() })
        );
        assert!(matches!(columns.times("time"), Err(TableError::Unsorted { line: 4, .. })));
        assert!(matches!(columns.column("way", "m"), Err(TableError::Heading { .. })));
        assert!(matches!(columns.column("time", "N"), Err(TableError::Heading { .. })));
        let missing = columns.column("forse", "N").unwrap_err().to_string();
        assert!(missing.contains("`force` may be meant"), "{missing}");
        assert!(matches!(read("t,F\n0,1\n1\n"), Err(TableError::Ragged { line: 3, .. })));
    }
}
