//! Named columns of numbers: what goes into `data.csv` and `data.parquet`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::RecordError;
use crate::number::nullable_list;

/// The formats in which this build writes columns, as endings of files.
pub const DATA_FORMATS: &[&str] = if cfg!(feature = "parquet") { &["csv", "parquet"] } else { &["csv"] };

/// Columns of equal length.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Data {
    /// The columns, in order.
    pub columns: Vec<Channel>,
    /// Where they come from, as names and values: scenario, version, hash. Formats with a place for it keep it.
    #[serde(default)]
    pub origin: Vec<(String, String)>,
}

/// The data of one study, under its name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// Name of the study, from which file names are made.
    pub name: String,
    /// Its columns; shared, because they may be large.
    pub data: Arc<Data>,
}

impl Sheet {
    /// Data under a name.
    pub fn new(name: impl Into<String>, data: impl Into<Arc<Data>>) -> Sheet {
        Sheet { name: name.into(), data: data.into() }
    }
}

/// One column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Channel {
    /// Name, such as `block.x`.
    pub name: String,
    /// SI unit; empty or `1` for a pure number.
    pub unit: String,
    /// What the numbers mean, where the name does not say it; may be empty.
    #[serde(default)]
    pub meaning: String,
    /// Values.
    #[serde(with = "nullable_list")]
    pub values: Vec<f64>,
    /// Words the values stand for by their place; a value that is not a number stands for none. Empty where values are numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
}

impl Data {
    /// Appends a column.
    pub fn push(&mut self, name: impl Into<String>, unit: impl Into<String>, values: Vec<f64>) {
        self.explain(name, unit, "", values);
    }

    /// Appends a column and says what its numbers mean.
    pub fn explain(
        &mut self,
        name: impl Into<String>,
        unit: impl Into<String>,
        meaning: impl Into<String>,
        values: Vec<f64>,
    ) {
        let (name, unit, meaning) = (name.into(), unit.into(), meaning.into());
        self.columns.push(Channel { name, unit, meaning, values, words: Vec::new() });
    }

    /// Appends a column of words: for every row the place of its word among `words`, or not a number for none.
    pub fn label(
        &mut self,
        name: impl Into<String>,
        meaning: impl Into<String>,
        words: Vec<String>,
        places: Vec<f64>,
    ) {
        let (name, meaning) = (name.into(), meaning.into());
        // Where no row has a word the column is one of words all the same.
        let words = if words.is_empty() { vec![String::new()] } else { words };
        self.columns.push(Channel { name, unit: "1".to_owned(), meaning, values: places, words });
    }

    /// One column's values.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        self.columns.iter().find(|c| c.name == name).map(|c| c.values.as_slice())
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
    /// The word of a row, of a column of words.
    pub fn word(&self, row: usize) -> &str {
        let place = self.values.get(row).copied().filter(|place| *place >= 0.0);
        place.and_then(|place| self.words.get(place as usize)).map_or("", String::as_str)
    }

    /// The heading in files: `name [unit]`, or the name alone for a pure number.
    pub fn heading(&self) -> String {
        if crate::record::has_unit(&self.unit) {
            format!("{} [{}]", self.name, self.unit)
        } else {
            self.name.clone()
        }
    }
}
