//! Columns of an Apache Parquet file.

use super::columns::Columns;
use crate::error::TableError;
use crate::file::reason;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use std::fs::File;
use std::path::Path;

/// Reads all columns of numbers; a gap is not a number.
pub(super) fn read(path: &Path) -> Result<Columns, TableError> {
    let file = File::open(path).map_err(|e| TableError::Unreadable { reason: reason(&e) })?;
    let wrong = |e: parquet::errors::ParquetError| TableError::Unreadable { reason: e.to_string() };
    let reader = SerializedFileReader::new(file).map_err(wrong)?;
    let mut named: Vec<(String, Vec<f64>)> = Vec::new();
    for row in reader.get_row_iter(None).map_err(wrong)? {
        for (i, (name, field)) in row.map_err(wrong)?.get_column_iter().enumerate() {
            if named.len() <= i {
                named.push((name.clone(), Vec::new()));
            }
            named[i].1.push(number(field));
        }
    }
    Columns::of(named)
}

fn number(field: &Field) -> f64 {
    match field {
        Field::Byte(x) => f64::from(*x),
        Field::Short(x) => f64::from(*x),
        Field::Int(x) => f64::from(*x),
        Field::Long(x) => *x as f64,
        Field::UByte(x) => f64::from(*x),
        Field::UShort(x) => f64::from(*x),
        Field::UInt(x) => f64::from(*x),
        Field::ULong(x) => *x as f64,
        Field::Float(x) => f64::from(*x),
        Field::Double(x) => *x,
        _ => f64::NAN,
    }
}
