//! A CSV file of named columns over time.

use super::error::BenchmarkError;
use bristle_core::units::Conversion;
use bristle_scenario::file;
use std::path::Path;

/// Columns of numbers over times that do not fall; an event may leave a row for each of its sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PackSheet {
    /// Times, s.
    pub time: Vec<f64>,
    /// Names without units, and values in SI units.
    pub columns: Vec<(String, Vec<f64>)>,
}

/// A column to be read: where it stands, its name, the way to its unit, its values.
struct WantedRow {
    place: usize,
    name: String,
    factor: Option<Conversion>,
    values: Vec<f64>,
}

/// `block.q [mm]` is `block.q` in `mm`.
fn heading(cell: &str) -> (&str, Option<&str>) {
    for (open, close) in [('[', ']'), ('(', ')')] {
        if let Some((name, unit)) = cell.trim().strip_suffix(close).and_then(|c| c.rsplit_once(open)) {
            return (name.trim(), Some(unit.trim()));
        }
    }
    (cell.trim(), None)
}

/// Whether two times are one, but for the digits they were written with.
pub(super) fn is_same_time(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(1e-6)
}

impl PackSheet {
    /// Reads a file whose first line names the columns, one of them `time`. Of the others those are read that are named
    /// here, with their SI units; what else the file holds is left alone.
    ///
    /// # Errors
    /// [`BenchmarkError`] names file, line and column.
    pub fn read(path: &Path, names: &[(&str, &str)]) -> Result<PackSheet, BenchmarkError> {
        let unreadable = |reason| BenchmarkError::Unreadable { path: path.to_owned(), reason };
        let text = file::text(path, file::TABLE).map_err(unreadable)?;
        let failed = |e: csv::Error| unreadable(e.to_string());
        let mut reader = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
        let header = reader.headers().map_err(failed)?.clone();
        let mut wanted = choose(path, &header, names)?;
        for record in reader.records() {
            let record = record.map_err(failed)?;
            let line = record.position().map_or(0, csv::Position::line);
            if record.len() != header.len() {
                let (found, expected) = (record.len(), header.len());
                return Err(BenchmarkError::Ragged { path: path.to_owned(), line, found, expected });
            }
            for column in &mut wanted {
                column.push(path, line, &record[column.place])?;
            }
            if let [.., before, now] = wanted[0].values[..]
                && now < before
            {
                return Err(BenchmarkError::NotRising { path: path.to_owned(), line, time: now });
            }
        }
        if wanted[0].values.is_empty() {
            return Err(BenchmarkError::Empty { path: path.to_owned() });
        }
        let mut columns: Vec<(String, Vec<f64>)> = wanted.into_iter().map(|w| (w.name, w.values)).collect();
        let (_, time) = columns.remove(0);
        Ok(PackSheet { time, columns })
    }

    /// The values of a column.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        self.columns.iter().find(|(n, _)| n == name).map(|(_, values)| values.as_slice())
    }

    /// Whether there is a sample at that time.
    pub fn has(&self, t: f64) -> bool {
        let after = self.time.partition_point(|s| *s < t);
        [after, after.saturating_sub(1)]
            .into_iter()
            .any(|i| self.time.get(i).is_some_and(|s| is_same_time(*s, t)))
    }

    /// A column at a time, and how far it may be off for being read between samples.
    ///
    /// A time that is a sample's is read off; between samples a cubic goes through the four nearest, and the doubt is its
    /// distance from the straight line, or what the samples bend if that is more. Nothing outside the sheet.
    pub fn at(&self, values: &[f64], t: f64) -> Option<(f64, f64)> {
        let n = self.time.len();
        let after = self.time.partition_point(|s| *s < t);
        let near = [after, after.saturating_sub(1)].into_iter();
        if let Some(i) = near.filter(|i| *i < n).find(|i| is_same_time(self.time[*i], t)) {
            return Some((values[i], 0.0));
        }
        if after == 0 || after == n {
            return None;
        }
        let (t0, t1) = (self.time[after - 1], self.time[after]);
        let line = values[after - 1] + (values[after] - values[after - 1]) * (t - t0) / (t1 - t0);
        let first = after.saturating_sub(2).min(n.saturating_sub(4));
        let nodes = first..(first + 4).min(n);
        let cubic: f64 = nodes
            .clone()
            .map(|i| {
                let others = nodes.clone().filter(|j| *j != i);
                values[i]
                    * others.map(|j| (t - self.time[j]) / (self.time[i] - self.time[j])).product::<f64>()
            })
            .sum();
        // A corner between the samples shows in their second differences even where cubic and line happen to cross.
        let bend =
            values[nodes].windows(3).map(|w| (w[0] - 2.0 * w[1] + w[2]).abs() / 8.0).fold(0.0, f64::max);
        // Two rows of one time leave no cubic.
        Some(if cubic.is_finite() { (cubic, bend.max((cubic - line).abs())) } else { (line, bend) })
    }
}

/// The columns to be read, the time first.
fn choose(
    path: &Path,
    header: &csv::StringRecord,
    names: &[(&str, &str)],
) -> Result<Vec<WantedRow>, BenchmarkError> {
    let headings: Vec<(&str, Option<&str>)> = header.iter().map(heading).collect();
    let column = |name: &str, unit: &str| -> Result<Option<WantedRow>, BenchmarkError> {
        let mut places = (0..headings.len()).filter(|i| headings[*i].0 == name);
        let Some(place) = places.next() else { return Ok(None) };
        if places.next().is_some() {
            return Err(BenchmarkError::Twice { path: path.to_owned(), column: name.to_owned() });
        }
        let factor = headings[place].1.map(|given| Conversion::between(given, unit)).transpose();
        let factor = factor.map_err(|error| BenchmarkError::Unit {
            path: path.to_owned(),
            column: header[place].to_owned(),
            error: Box::new(error),
        })?;
        Ok(Some(WantedRow { place, name: name.to_owned(), factor, values: Vec::new() }))
    };
    let time = match column("time", "s")? {
        Some(time) => Some(time),
        None => column("t", "s")?,
    };
    let found = || headings.iter().map(|h| h.0).collect::<Vec<_>>().join(", ");
    let mut all = vec![time.ok_or_else(|| BenchmarkError::NoTime { path: path.to_owned(), found: found() })?];
    for (name, unit) in names {
        all.extend(column(name, unit)?);
    }
    if all.len() == 1 && !names.is_empty() {
        let wanted = names.iter().map(|n| n.0).collect::<Vec<_>>().join(", ");
        let others = (0..headings.len()).filter(|i| *i != all[0].place).map(|i| headings[i].0);
        let found = others.collect::<Vec<_>>().join(", ");
        return Err(BenchmarkError::NothingShared { path: path.to_owned(), wanted, found });
    }
    Ok(all)
}

impl WantedRow {
    fn push(&mut self, path: &Path, line: u64, text: &str) -> Result<(), BenchmarkError> {
        let number = text.parse::<f64>().ok().map(|v| self.factor.map_or(v, |f| f.apply(v)));
        self.values.push(number.filter(|v| v.is_finite()).ok_or_else(|| BenchmarkError::NotANumber {
            path: path.to_owned(),
            line,
            column: self.name.clone(),
            text: text.chars().take(60).collect(),
        })?);
        Ok(())
    }
}

#[cfg(test)]
mod sheet_tests {
    use super::*;

    #[test]
    fn samples_are_read_off_and_a_cubic_goes_between() {
        let time: Vec<f64> = (0..11).map(|i| 0.1 * f64::from(i)).collect();
        let cube: Vec<f64> = time.iter().map(|t| t * t * t).collect();
        let sheet = PackSheet { time, columns: Vec::new() };
        assert_eq!(sheet.at(&cube, 0.30000000000000004), Some((cube[3], 0.0)));
        let (value, doubt) = sheet.at(&cube, 0.55).unwrap();
        assert!((value - 0.166375).abs() < 1e-14 && doubt > 1e-4);
        assert_eq!(sheet.at(&cube, 1.5), None);
        assert!(sheet.has(0.3) && sheet.has(1.0) && !sheet.has(0.35) && !sheet.has(1.1));
    }
}
