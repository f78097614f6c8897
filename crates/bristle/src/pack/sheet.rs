//! A CSV file of named columns over time.

use super::error::PackError;
use std::path::Path;

/// Columns of numbers over rising times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// Times, s.
    pub time: Vec<f64>,
    /// Names without units, and values.
    pub columns: Vec<(String, Vec<f64>)>,
}

/// `block.q [m]` is `block.q`.
fn bare(heading: &str) -> String {
    heading.split('[').next().unwrap_or(heading).trim().to_owned()
}

impl Sheet {
    /// Reads a file whose first line names the columns, one of them `time`.
    ///
    /// # Errors
    /// [`PackError`] names file, line and column.
    pub fn read(path: &Path) -> Result<Sheet, PackError> {
        let failed = |e: csv::Error| PackError::Unreadable { path: path.to_owned(), reason: reason(&e) };
        let reader =
            csv::ReaderBuilder::new().comment(Some(b'#')).flexible(true).trim(csv::Trim::All).from_path(path);
        let mut reader = reader.map_err(failed)?;
        let names: Vec<String> = reader.headers().map_err(failed)?.iter().map(bare).collect();
        let found = || names.join(", ");
        let no_time = || PackError::NoTime { path: path.to_owned(), found: found() };
        let time = names.iter().position(|n| n == "time" || n == "t").ok_or_else(no_time)?;
        let mut values: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
        for record in reader.records() {
            let record = record.map_err(failed)?;
            let line = record.position().map_or(0, csv::Position::line);
            if record.len() != names.len() {
                let (found, expected) = (record.len(), names.len());
                return Err(PackError::Ragged { path: path.to_owned(), line, found, expected });
            }
            for ((text, column), name) in record.iter().zip(&mut values).zip(&names) {
                let number = text.parse::<f64>().ok().filter(|v| v.is_finite());
                column.push(number.ok_or_else(|| PackError::NotANumber {
                    path: path.to_owned(),
                    line,
                    column: name.clone(),
                    text: text.to_owned(),
                })?);
            }
            let times = &values[time];
            if let [.., before, now] = times[..]
                && now <= before
            {
                return Err(PackError::NotRising { path: path.to_owned(), line, time: now });
            }
        }
        if values[time].is_empty() {
            return Err(PackError::Empty { path: path.to_owned() });
        }
        let mut columns: Vec<(String, Vec<f64>)> = names.into_iter().zip(values).collect();
        let (_, time) = columns.remove(time);
        Ok(Sheet { time, columns })
    }

    /// The values of a column.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        self.columns.iter().find(|(n, _)| n == name).map(|(_, values)| values.as_slice())
    }

    /// A column at a time, and how far it may be off for being read between samples.
    ///
    /// A time that is a sample's is read off; between samples a cubic goes through the four nearest, and its distance
    /// from the straight line is the doubt. Nothing outside the sheet.
    pub fn at(&self, values: &[f64], t: f64) -> Option<(f64, f64)> {
        let n = self.time.len();
        let close = |s: f64| (s - t).abs() <= 1e-9 * t.abs().max(1e-6);
        let after = self.time.partition_point(|s| *s < t);
        if let Some(i) = [after, after.saturating_sub(1)].into_iter().find(|i| *i < n && close(self.time[*i]))
        {
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
        Some((cubic, (cubic - line).abs()))
    }
}

fn reason(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Io(io) => io.to_string(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod sheet_tests {
    use super::*;

    #[test]
    fn samples_are_read_off_and_a_cubic_goes_between() {
        let time: Vec<f64> = (0..11).map(|i| 0.1 * f64::from(i)).collect();
        let cube: Vec<f64> = time.iter().map(|t| t * t * t).collect();
        let sheet = Sheet { time, columns: Vec::new() };
        assert_eq!(sheet.at(&cube, 0.30000000000000004), Some((cube[3], 0.0)));
        let (value, doubt) = sheet.at(&cube, 0.55).unwrap();
        assert!((value - 0.166375).abs() < 1e-14 && doubt > 1e-4);
        assert_eq!(sheet.at(&cube, 1.5), None);
    }
}
