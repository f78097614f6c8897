//! What can be wrong with a scenario: place, value, way out.

use crate::excerpt::Excerpt;
use crate::text::message;
use bristle_core::units::UnitError;
use bristle_mech::MechError;
use miette::{Diagnostic, LabeledSpan, SourceCode};
use std::fmt;
use std::ops::Range;
use thiserror::Error;

/// Why a scenario cannot be run.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file could not be read.
    #[error("cannot read `{path}`: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the operating system says.
        reason: String,
    },
    /// Nothing in it.
    #[error("the scenario is empty")]
    Empty,
    /// Not TOML.
    #[error("this is not valid TOML: {reason}")]
    Syntax {
        /// What the parser says.
        reason: String,
    },
    /// Two parts of one name.
    #[error("two parts are named `{name}`")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// A section that must be there.
    #[error("`{section}` is missing")]
    MissingSection {
        /// The section.
        section: &'static str,
    },
    /// A key no card has.
    #[error("`{key}` is not {owner}")]
    UnknownKey {
        /// The key.
        key: String,
        /// What it would have to be, for example "a parameter of law `lugre`".
        owner: String,
    },
    /// A kind no catalogue has.
    #[error("there is no {what} called `{name}`")]
    UnknownKind {
        /// law, part, signal, study or method.
        what: String,
        /// The name.
        name: String,
    },
    /// A key that must be given.
    #[error("{owner} needs `{key}`")]
    MissingKey {
        /// Who needs it.
        owner: String,
        /// The key.
        key: String,
    },
    /// A value of the wrong type.
    #[error("`{key}` takes {expected}, not {found}")]
    Type {
        /// The key.
        key: String,
        /// What it takes.
        expected: String,
        /// What was given.
        found: String,
    },
    /// A quantity that could not be read.
    #[error("`{key}`: {source}")]
    Unit {
        /// The key.
        key: String,
        /// What is wrong with it.
        source: UnitError,
    },
    /// A number outside its range.
    #[error("`{key}` is {value}, but must be {range}")]
    Range {
        /// The key.
        key: String,
        /// The value as written.
        value: String,
        /// The admissible range in words.
        range: String,
    },
    /// A number that counts something, with a fraction.
    #[error("`{key}` is {value}, but counts something: only whole numbers make sense")]
    NotWhole {
        /// The key.
        key: String,
        /// The value as written.
        value: String,
    },
    /// A name that cannot be shown or told from others.
    #[error("`{name}` cannot be the name of a {what}: {reason}")]
    Name {
        /// part or study.
        what: &'static str,
        /// The name.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A signal whose numbers contradict each other.
    #[error("signal `{signal}`: {error}")]
    Signal {
        /// The signal.
        signal: String,
        /// What is wrong.
        error: &'static str,
    },
    /// Numbers a law does not allow together, somewhere in the range of a study.
    #[error("study `{study}`, at {values}: {source}")]
    Law {
        /// The study.
        study: String,
        /// The parameters and their values there.
        values: String,
        /// What the law says.
        source: MechError,
    },
    /// A law written in the scenario that cannot be read.
    #[error("law `{law}`, `{key}`: {reason}")]
    Written {
        /// The law.
        law: String,
        /// Which of its entries.
        key: String,
        /// What is wrong.
        reason: String,
    },
    /// An output by a formula that cannot be read.
    #[error("output `{name}`: {reason}")]
    Derived {
        /// What it is called.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// More problems than are listed.
    #[error("{count} more problems are not listed")]
    More {
        /// How many.
        count: usize,
    },
    /// Levels given both as coefficients and as forces.
    #[error("law `{law}` mixes coefficients (`{coefficient}`) and forces (`{force}`)")]
    Mixed {
        /// The law.
        law: String,
        /// A coefficient that was given.
        coefficient: String,
        /// A force that was given.
        force: String,
    },
    /// A file of numbers that cannot be used.
    #[error("table `{path}`: {error}")]
    Table {
        /// The file.
        path: String,
        /// What is wrong, with the line.
        error: TableError,
    },
    /// Parts that make no system.
    #[error(transparent)]
    Mech(#[from] MechError),
    /// A section that has nothing to say here.
    #[error("{section} {reason}")]
    Section {
        /// The section.
        section: &'static str,
        /// Why it does not fit.
        reason: &'static str,
    },
    /// A measurement that cannot be used.
    #[error("measurement `{measurement}`: {reason}")]
    Measurement {
        /// The measurement.
        measurement: String,
        /// What is wrong.
        reason: String,
    },
    /// Values of a study that do not go together.
    #[error("study `{study}`: {reason}")]
    Study {
        /// The study.
        study: String,
        /// What is wrong.
        reason: String,
    },
    /// A name that stands for nothing.
    #[error("there is no {what} called `{name}`")]
    NoSuchName {
        /// output, parameter or part.
        what: &'static str,
        /// The name.
        name: String,
    },
}

/// What is wrong with a file of numbers.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum TableError {
    /// It could not be read.
    #[error("cannot be read: {reason}")]
    Unreadable {
        /// What the operating system or the CSV reader says.
        reason: String,
    },
    /// A cell is empty or not a number.
    #[error("line {line}: `{cell}` is not a number")]
    NotANumber {
        /// The line, counted from one.
        line: usize,
        /// The cell.
        cell: String,
    },
    /// A first line that holds numbers where headings are needed.
    #[error("line {line}: numbers, but headings are needed")]
    NoHeader {
        /// The line, counted from one.
        line: usize,
    },
    /// A cell of a named column without a number.
    #[error("line {line}: column `{column}` has no number there")]
    NoNumber {
        /// The line, counted from one.
        line: usize,
        /// The column.
        column: String,
    },
    /// A row without two cells, or an empty cell.
    #[error("line {line}: a gap (expected a time and a value)")]
    Gap {
        /// The line, counted from one.
        line: usize,
    },
    /// A row of another length than the first.
    #[error("line {line}: {found} cells, but line {first} has {expected}")]
    Ragged {
        /// The line, counted from one.
        line: usize,
        /// Cells there.
        found: usize,
        /// The first line.
        first: usize,
        /// Cells in the first line.
        expected: usize,
    },
    /// A heading whose unit is not known or of another kind.
    #[error("line {line}: heading `{heading}`: {error}")]
    Heading {
        /// The line, counted from one.
        line: usize,
        /// The heading.
        heading: String,
        /// What is wrong with its unit.
        error: UnitError,
    },
    /// What one unit of a column stands for, of another kind than what is needed.
    #[error("`factor = \"{factor}\"`: {reason}")]
    Factor {
        /// As written.
        factor: String,
        /// What is wrong with it.
        reason: String,
    },
    /// More than two columns, and none chosen.
    #[error("has {count} columns ({names}), and which of them holds the values is not said")]
    ManyColumns {
        /// How many.
        count: usize,
        /// Their headings.
        names: String,
    },
    /// A column that is not there.
    #[error("has no column `{name}`; its columns are {names}")]
    NoSuchColumn {
        /// The name that was chosen.
        name: String,
        /// The headings there are.
        names: String,
    },
    /// A number that is too large or too small in SI units.
    #[error("line {line}: `{cell}` is too large or too small to be computed with")]
    NotComputable {
        /// The line, counted from one.
        line: usize,
        /// The cell.
        cell: String,
    },
    /// Times that do not rise.
    #[error("line {line}: time {time} s is not after {before} s")]
    Unsorted {
        /// The line, counted from one.
        line: usize,
        /// The time there.
        time: f64,
        /// The time before it.
        before: f64,
    },
    /// Fewer than two points.
    #[error("has {count} points; two at least are needed")]
    TooShort {
        /// How many there are.
        count: usize,
    },
    /// Lists of different length.
    #[error("has {times} times but {values} values")]
    Lengths {
        /// How many times.
        times: usize,
        /// How many values.
        values: usize,
    },
}

/// A problem with its place in the file and a way out, and all others found beside it.
#[derive(Clone)]
pub struct ScenarioError(Box<ErrorDetails>);

#[derive(Clone)]
struct ErrorDetails {
    problem: Problem,
    place: Option<(Range<usize>, Excerpt)>,
    hint: Option<String>,
    others: Vec<ScenarioError>,
}

impl ScenarioError {
    /// A problem without a place: of a file that cannot be read.
    pub fn new(problem: Problem) -> Self {
        ScenarioError(Box::new(ErrorDetails { problem, place: None, hint: None, others: Vec::new() }))
    }

    /// The same, pointing at a place in the text of that name.
    pub fn at(mut self, name: &str, text: &str, span: Range<usize>) -> Self {
        let excerpt = Excerpt::new(name, text, &span);
        self.0.place = Some((span, excerpt));
        self
    }

    /// The same, with a way out.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// The same, in a text that is called otherwise: one that was made of words of the command line.
    pub fn within(mut self, name: &str) -> Self {
        if let Some((_, excerpt)) = &mut self.0.place {
            excerpt.rename(name);
        }
        self.0.others = std::mem::take(&mut self.0.others).into_iter().map(|e| e.within(name)).collect();
        self
    }

    /// All problems in lines of plain text, for where nothing is drawn: file and line, what is wrong, a way out.
    pub fn plain(&self) -> String {
        let one = |error: &ScenarioError| {
            let place = error.0.place.as_ref().map(|(_, excerpt)| excerpt.place());
            let place = place.map_or_else(String::new, |(name, line)| format!("{name}:{line}: "));
            let hint = error.0.hint.as_ref().map_or_else(String::new, |hint| format!("; {hint}"));
            format!("{place}{}{}", message(&error.0.problem.to_string()), message(&hint))
        };
        self.all().map(one).collect::<Vec<_>>().join("\n")
    }

    /// What is wrong.
    pub fn problem(&self) -> &Problem {
        &self.0.problem
    }

    /// Where in the file, in bytes.
    pub fn span(&self) -> Option<Range<usize>> {
        self.0.place.as_ref().map(|(span, _)| span.clone())
    }

    /// All problems that were found, this one first.
    pub fn all(&self) -> impl Iterator<Item = &ScenarioError> {
        std::iter::once(self).chain(&self.0.others)
    }

    /// One error of many, in the order of the file. Nothing for none.
    pub fn of_all(mut list: Vec<ScenarioError>) -> Option<ScenarioError> {
        list.sort_by_key(|e| e.span().map_or(0, |s| s.start));
        let mut list = list.into_iter();
        let mut first = list.next()?;
        first.0.others = list.collect();
        Some(first)
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&message(&self.0.problem.to_string()))
    }
}

impl fmt::Debug for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:?} at {:?}, hint {:?}", self.0.problem, self.span(), self.0.hint)?;
        self.0.others.iter().try_for_each(|other| write!(f, "; {other:?}"))
    }
}

impl std::error::Error for ScenarioError {}

impl Diagnostic for ScenarioError {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.0.hint.as_ref().map(|h| Box::new(message(h)) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.place.as_ref().map(|(_, excerpt)| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (_, excerpt) = self.0.place.as_ref()?;
        Some(Box::new(std::iter::once(LabeledSpan::at(excerpt.span.clone(), "here"))))
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        let others = &self.0.others;
        (!others.is_empty()).then(|| Box::new(others.iter().map(|e| e as &dyn Diagnostic)) as Box<_>)
    }
}
