//! Tables whose columns carry units and whose cells may pass judgement.

use serde::{Deserialize, Serialize};

use crate::number::{nullable, pretty, significant};
use crate::record::Tone;

/// A table with a caption.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What the table shows. Inline markup is allowed.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows; a short row is filled with empty cells.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// An empty table. Columns are given as `("name", "unit")`.
    pub fn new(caption: impl Into<String>, columns: &[(&str, &str)]) -> Table {
        let columns =
            columns.iter().map(|(name, unit)| Column { name: (*name).into(), unit: (*unit).into() });
        Table { caption: caption.into(), columns: columns.collect(), rows: Vec::new() }
    }

    /// Appends a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }
}

/// A column heading.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// The name. Inline markup is allowed.
    pub name: String,
    /// The unit; empty or `1` for none.
    #[serde(default)]
    pub unit: String,
}

/// One cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Cell {
    /// A number shown with a fixed count of significant digits.
    Number {
        /// The number.
        #[serde(with = "nullable")]
        value: f64,
        /// Significant digits.
        digits: usize,
    },
    /// Words.
    Text {
        /// The words. Inline markup is allowed.
        text: String,
    },
    /// A judgement, coloured.
    Verdict {
        /// The judgement.
        verdict: Verdict,
        /// Words shown instead of the judgement's own; may be empty.
        text: String,
    },
}

impl Cell {
    /// A number with four significant digits.
    pub fn number(value: f64) -> Cell {
        Cell::Number { value, digits: 4 }
    }

    /// A judgement in its own words.
    pub fn verdict(verdict: Verdict) -> Cell {
        Cell::Verdict { verdict, text: String::new() }
    }

    /// The cell in the mini markup.
    pub fn markup(&self) -> String {
        match self {
            Cell::Number { value, digits } => pretty(&significant(*value, *digits)),
            Cell::Text { text } => text.clone(),
            Cell::Verdict { verdict, text } if text.is_empty() => verdict.words().into(),
            Cell::Verdict { text, .. } => text.clone(),
        }
    }

    /// Whether the cell is set flush right.
    pub fn is_number(&self) -> bool {
        matches!(self, Cell::Number { .. })
    }
}

impl From<f64> for Cell {
    fn from(value: f64) -> Cell {
        Cell::number(value)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text { text: text.into() }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text { text }
    }
}

impl From<Verdict> for Cell {
    fn from(verdict: Verdict) -> Cell {
        Cell::verdict(verdict)
    }
}

/// How a computed value compares with a published or expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Within the stated tolerance; of a printed number: within half a unit of its last digit.
    Agrees,
    /// Within the stated error of reading a number off a figure.
    AgreesWithFigure,
    /// Nothing is printed; within the tolerance of an independent recomputation.
    AsRecomputed,
    /// A cost on another machine or by another solver, within a factor of two.
    Comparable,
    /// Outside the tolerance, but for a reason that is given.
    Explained,
    /// Outside the tolerance.
    Differs,
    /// The expected value or a parameter behind it was not published but inferred.
    Inferred,
    /// There is nothing to compare with.
    Unknown,
}

impl Verdict {
    /// The word shown.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::AgreesWithFigure => "agrees with the figure",
            Verdict::AsRecomputed => "as recomputed",
            Verdict::Comparable => "comparable",
            Verdict::Explained => "explained",
            Verdict::Differs => "differs",
            Verdict::Inferred => "inferred",
            Verdict::Unknown => "unknown",
        }
    }

    /// The colour shown.
    pub fn tone(self) -> Tone {
        match self {
            Verdict::Agrees | Verdict::AgreesWithFigure | Verdict::AsRecomputed => Tone::Good,
            Verdict::Explained | Verdict::Inferred => Tone::Warn,
            Verdict::Differs => Tone::Bad,
            Verdict::Comparable | Verdict::Unknown => Tone::Neutral,
        }
    }
}
