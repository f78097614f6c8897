//! What can be wrong with a scenario: place, value, way out.

use bristle_core::units::UnitError;
use bristle_mech::MechError;
use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};
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
    #[error("table `{path}`: {fault}")]
    Table {
        /// The file.
        path: String,
        /// What is wrong, with the line.
        fault: TableFault,
    },
    /// Parts that make no system.
    #[error(transparent)]
    Mech(#[from] MechError),
    /// A part that does not fit the others.
    #[error("part `{part}`: {reason}")]
    Part {
        /// The part.
        part: String,
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
pub enum TableFault {
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
    /// A row without two cells, or an empty cell.
    #[error("line {line}: a gap (expected a time and a value)")]
    Gap {
        /// The line, counted from one.
        line: usize,
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

/// A problem with its place in the file and a way out.
#[derive(Clone)]
pub struct ScenarioError(Box<Inner>);

#[derive(Clone)]
struct Inner {
    problem: Problem,
    source: NamedSource<String>,
    span: Option<Range<usize>>,
    hint: Option<String>,
}

impl ScenarioError {
    /// A problem in the named text.
    pub fn new(problem: Problem, name: &str, text: &str) -> Self {
        let source = NamedSource::new(name, text.to_owned()).with_language("toml");
        ScenarioError(Box::new(Inner { problem, source, span: None, hint: None }))
    }

    /// The same, pointing at a place.
    pub fn at(mut self, span: Range<usize>) -> Self {
        self.0.span = Some(span);
        self
    }

    /// The same, with a way out.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// The same with a way out, if there is one.
    pub fn maybe_hint(mut self, hint: Option<String>) -> Self {
        self.0.hint = hint.or(self.0.hint);
        self
    }

    /// What is wrong.
    pub fn problem(&self) -> &Problem {
        &self.0.problem
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.problem.fmt(f)
    }
}

impl fmt::Debug for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:?} at {:?}, hint {:?}", self.0.problem, self.0.span, self.0.hint)
    }
}

impl std::error::Error for ScenarioError {}

impl Diagnostic for ScenarioError {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.0.hint.as_ref().map(|h| Box::new(h) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.span.as_ref().map(|_| &self.0.source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.0.span.clone()?;
        Some(Box::new(std::iter::once(LabeledSpan::at(span, "here"))))
    }
}
