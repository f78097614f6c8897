//! Named columns of numbers: what goes into `data.csv` and `data.parquet`.

use serde::{Deserialize, Serialize};

use crate::error::RecordError;
use crate::number::nullable_list;

/// Columns of equal length.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Data {
    /// The columns, in order.
    pub columns: Vec<Channel>,
}

/// One column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Channel {
    /// Name, such as `block.x`.
    pub name: String,
    /// SI unit; empty or `1` for a pure number.
    pub unit: String,
    /// Values.
    #[serde(with = "nullable_list")]
    pub values: Vec<f64>,
}

impl Data {
    /// Appends a column.
    pub fn push(&mut self, name: impl Into<String>, unit: impl Into<String>, values: Vec<f64>) {
        self.columns.push(Channel { name: name.into(), unit: unit.into(), values });
    }

    /// The number of rows.
    ///
    /// # Errors
    /// [`RecordError::Ragged`] names the first column whose length differs.
    pub fn rows(&self) -> Result<usize, RecordError> {
        let expected = self.columns.first().map_or(0, |c| c.values.len());
        match self.columns.iter().find(|c| c.values.len() != expected) {
            Some(c) => Err(RecordError::Ragged { column: c.name.clone(), len: c.values.len(), expected }),
            None => Ok(expected),
        }
    }
}

impl Channel {
    /// The heading in files: `name [unit]`, or the name alone for a pure number.
    pub fn heading(&self) -> String {
        if crate::record::has_unit(&self.unit) {
            format!("{} [{}]", self.name, self.unit)
        } else {
            self.name.clone()
        }
    }
}
