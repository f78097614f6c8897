//! Columns of numbers as comma-separated text: `data.csv`.

use std::fmt::Write;

use crate::data::Data;
use crate::error::RecordError;

/// One header row `name [unit]`, then one row per sample; every number reads back exactly.
///
/// # Errors
/// [`RecordError::Ragged`] if the columns differ in length.
pub fn table(data: &Data) -> Result<String, RecordError> {
    let rows = data.rows()?;
    let headings: Vec<String> = data.columns.iter().map(|c| quoted(&c.heading())).collect();
    let mut out = headings.join(",") + "\n";
    for i in 0..rows {
        for (k, column) in data.columns.iter().enumerate() {
            if k > 0 {
                out.push(',');
            }
            if column.words.is_empty() {
                // The shortest text that reads back as the same number.
                let _ = write!(out, "{:?}", column.values[i]);
            } else {
                out.push_str(&quoted(column.word(i)));
            }
        }
        out.push('\n');
    }
    Ok(out)
}

/// A heading as a cell. A spreadsheet computes what begins like a formula; an apostrophe makes it a text.
fn quoted(text: &str) -> String {
    let text = match text.chars().next() {
        Some('=' | '+' | '-' | '@' | '\t' | '\r') => format!("'{text}"),
        _ => text.to_owned(),
    };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod csv_tests {
    use super::*;

    #[test]
    fn numbers_read_back_exactly_and_names_are_quoted() {
        let mut data = Data::default();
        data.push("t", "s", vec![0.1 + 0.2, 1e-300]);
        data.push("a,\"b\"", "1", vec![-0.0, f64::NAN]);
        let text = table(&data).unwrap();
        assert_eq!(text, "t [s],\"a,\"\"b\"\"\"\n0.30000000000000004,-0.0\n1e-300,NaN\n");
    }

    #[test]
    fn every_number_reads_back_exactly() {
        let values = vec![0.1, 1e-300, -1.0 / 3.0, 6.02e23, f64::MIN_POSITIVE];
        let mut data = Data::default();
        data.push("t", "s", values.clone());
        let text = table(&data).unwrap();
        let read: Vec<f64> = text.lines().skip(1).map(|line| line.parse().unwrap()).collect();
        assert_eq!(read, values);
    }

    #[test]
    fn words_stand_in_place_of_numbers() {
        let mut data = Data::default();
        data.label("failure", "", vec!["step, too small".to_owned()], vec![f64::NAN, 0.0]);
        assert_eq!(table(&data).unwrap(), "failure\n\n\"step, too small\"\n");
    }

    #[test]
    fn a_heading_is_no_formula() {
        let mut data = Data::default();
        data.push("=HYPERLINK(1)", "1", vec![-1.0]);
        data.push("@x", "m", vec![1.0]);
        assert_eq!(table(&data).unwrap(), "'=HYPERLINK(1),'@x [m]\n-1.0,1.0\n");
    }

    #[test]
    fn ragged_columns_are_named() {
        let mut data = Data::default();
        data.push("t", "s", vec![0.0]);
        data.push("x", "m", vec![]);
        assert_eq!(
            table(&data).unwrap_err().to_string(),
            "column `x` has 0 values, but the first column has 1"
        );
    }
}
