//! The answer of a study: facts, then sections of text, tables and figures.

use serde::{Deserialize, Serialize};

use crate::animation::Animation;
use crate::number::{nullable, pretty, short};
use crate::plot::{Plot, PlotGrid};
use crate::schematic::Schematic;
use crate::table::Table;

/// The answer to a question: what is shown in a report, on the terminal and in `result.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// One line: what was asked.
    pub title: String,
    /// One or two sentences: what came out. Inline markup is allowed.
    pub summary: String,
    /// Single values; those with `is_verdict` are shown first.
    pub facts: Vec<Fact>,
    /// The body, in reading order.
    pub sections: Vec<Section>,
    /// Whether it was stopped before its end. Somebody waits then, and what takes long to write is left out: figures
    /// are in the report, but not in files of their own.
    #[serde(default)]
    pub is_partial: bool,
    /// When, how long and from what it was computed, for the foot of the report; not kept with the result, which is the same
    /// whenever it is computed. Inline markup is allowed.
    #[serde(skip)]
    pub origin: String,
}

impl Record {
    /// An empty record with a title.
    pub fn new(title: impl Into<String>) -> Record {
        Record { title: title.into(), ..Record::default() }
    }

    /// Verdict facts first, otherwise in the order given.
    pub fn ordered_facts(&self) -> impl Iterator<Item = &Fact> {
        self.facts.iter().filter(|f| f.is_verdict).chain(self.facts.iter().filter(|f| !f.is_verdict))
    }

    /// The last section, made if there is none with this heading at the end.
    pub fn section(&mut self, heading: &str) -> &mut Section {
        if self.sections.last().is_none_or(|s| s.heading != heading) {
            self.sections.push(Section { heading: heading.into(), blocks: Vec::new() });
        }
        let last = self.sections.len() - 1;
        &mut self.sections[last]
    }

    /// Whether a mechanism can be played.
    pub fn has_films(&self) -> bool {
        let blocks = self.sections.iter().flat_map(|s| &s.blocks);
        blocks.into_iter().any(|b| matches!(b, Block::Schematic(s) if s.film.times.len() > 1))
    }

    /// All figures in reading order.
    pub fn figures(&self) -> Vec<Figure<'_>> {
        let blocks = self.sections.iter().flat_map(|s| &s.blocks);
        blocks
            .filter_map(|b| match b {
                Block::Plot(p) => Some(Figure::Plot(p)),
                Block::PlotGrid(g) => Some(Figure::Grid(g)),
                Block::Animation(a) => Some(Figure::Animation(a)),
                Block::Schematic(s) => Some(Figure::Schematic(s)),
                _ => None,
            })
            .collect()
    }
}

/// Anything that becomes a file in `figures/`.
#[derive(Clone, Copy, Debug)]
pub enum Figure<'a> {
    /// One plot.
    Plot(&'a Plot),
    /// Several plots in one figure.
    Grid(&'a PlotGrid),
    /// Shapes over time; the file shows a few frames on top of each other.
    Animation(&'a Animation),
    /// A mechanism; the file shows it where it starts.
    Schematic(&'a Schematic),
}

impl Figure<'_> {
    /// The identifier, from which the file name is made.
    pub fn id(&self) -> &str {
        match self {
            Figure::Plot(p) => &p.id,
            Figure::Grid(g) => &g.id,
            Figure::Animation(a) => &a.id,
            Figure::Schematic(s) => &s.id,
        }
    }
}

/// One value worth naming.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// Name for programs, the same in every run; where empty it is made of the label.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// What the value is. Inline markup is allowed.
    pub label: String,
    /// The value.
    pub value: Value,
    /// Where it comes from or what it means; may be empty.
    #[serde(default)]
    pub note: String,
    /// Whether it is good news.
    #[serde(default)]
    pub tone: Tone,
    /// Whether it answers the question asked: such facts are shown first and large.
    #[serde(default)]
    pub is_verdict: bool,
    /// The number behind the words, where the value is a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure: Option<Measure>,
}

/// A number and its unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// The number.
    #[serde(with = "nullable")]
    pub value: f64,
    /// Its SI unit; `1` or nothing for a pure number.
    pub unit: String,
}

impl Fact {
    /// A neutral fact.
    pub fn new(label: impl Into<String>, value: impl Into<Value>) -> Fact {
        Fact {
            id: String::new(),
            label: label.into(),
            value: value.into(),
            note: String::new(),
            tone: Tone::Neutral,
            is_verdict: false,
            measure: None,
        }
    }

    /// The same fact with a name for programs, for labels that change from run to run.
    pub fn named(self, id: impl Into<String>) -> Fact {
        Fact { id: id.into(), ..self }
    }

    /// The same fact with the number behind its words.
    pub fn measuring(self, value: f64, unit: impl Into<String>) -> Fact {
        Fact { measure: Some(Measure { value, unit: unit.into() }), ..self }
    }

    /// The name for programs: small letters, digits and `_`.
    pub fn key(&self) -> String {
        let from = if self.id.is_empty() { crate::markup::plain(&self.label) } else { self.id.clone() };
        let mut key = String::new();
        for c in from.chars() {
            if c.is_alphanumeric() || c == '.' {
                key.extend(c.to_lowercase());
            } else if !key.is_empty() && !key.ends_with('_') {
                key.push('_');
            }
        }
        key.trim_end_matches('_').to_owned()
    }

    /// The number of the fact, whether it is the value or stands behind its words.
    pub fn number_of(&self) -> Option<Measure> {
        match (&self.measure, &self.value) {
            (Some(measure), _) => Some(measure.clone()),
            (None, Value::Number { value, unit, .. }) => Some(Measure { value: *value, unit: unit.clone() }),
            _ => None,
        }
    }

    /// A number with its unit.
    pub fn number(label: impl Into<String>, value: f64, unit: impl Into<String>) -> Fact {
        Fact::new(label, Value::Number { value, unit: unit.into(), digits: 4 })
    }

    /// A fact that answers the question asked.
    pub fn verdict(label: impl Into<String>, value: impl Into<Value>, tone: Tone) -> Fact {
        Fact { tone, is_verdict: true, ..Fact::new(label, value) }
    }
}

/// The value of a fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Value {
    /// A number in an SI unit; `1` or nothing for a pure number.
    Number {
        /// The number.
        #[serde(with = "nullable")]
        value: f64,
        /// Its unit.
        unit: String,
        /// Significant digits shown.
        digits: usize,
    },
    /// Words.
    Text {
        /// The words. Inline markup is allowed.
        text: String,
    },
    /// Yes or no.
    Flag {
        /// The answer.
        value: bool,
    },
}

impl Value {
    /// The value in the mini markup, unit included.
    pub fn markup(&self) -> String {
        match self {
            Value::Number { value, unit, digits } => {
                let number = pretty(&short(*value, *digits));
                if has_unit(unit) { format!("{number} {}", crate::markup::unit(unit)) } else { number }
            }
            Value::Text { text } => text.clone(),
            Value::Flag { value } => if *value { "yes" } else { "no" }.into(),
        }
    }
}

/// Whether a unit is worth showing: `1` and the empty text stand for pure numbers.
pub(crate) fn has_unit(unit: &str) -> bool {
    !matches!(unit.trim(), "" | "1")
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text { text: text.into() }
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text { text }
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Number { value, unit: String::new(), digits: 4 }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Flag { value }
    }
}

/// Whether something is good news, shown as a colour and a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// As hoped.
    Good,
    /// Just a value.
    #[default]
    Neutral,
    /// Look twice.
    Warn,
    /// Not as hoped.
    Bad,
}

impl Tone {
    /// The word used in files: `good`, `neutral`, `warn`, `bad`.
    pub fn name(self) -> &'static str {
        match self {
            Tone::Good => "good",
            Tone::Neutral => "neutral",
            Tone::Warn => "warn",
            Tone::Bad => "bad",
        }
    }
}

/// A heading and what stands under it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// The heading. Inline markup is allowed.
    pub heading: String,
    /// What stands under it, in reading order.
    pub blocks: Vec<Block>,
}

impl Section {
    /// Appends a block.
    pub fn push(&mut self, block: impl Into<Block>) {
        self.blocks.push(block.into());
    }
}

/// One piece of a section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Block {
    /// Running text with inline markup.
    Paragraph {
        /// The text.
        text: String,
    },
    /// A table.
    Table(Table),
    /// A figure with one plot.
    Plot(Plot),
    /// A figure with several plots.
    PlotGrid(PlotGrid),
    /// Preformatted source, such as the scenario.
    Code {
        /// What it is, such as `scenario.toml`.
        caption: String,
        /// The source.
        text: String,
    },
    /// A preformatted equation.
    Equation {
        /// The equation, spaces and line breaks kept.
        text: String,
    },
    /// Shapes over time.
    Animation(Animation),
    /// A mechanism, drawn from its parts.
    Schematic(Schematic),
}

impl Block {
    /// Running text with inline markup.
    pub fn paragraph(text: impl Into<String>) -> Block {
        Block::Paragraph { text: text.into() }
    }

    /// Preformatted source.
    pub fn code(caption: impl Into<String>, text: impl Into<String>) -> Block {
        Block::Code { caption: caption.into(), text: text.into() }
    }

    /// A preformatted equation.
    pub fn equation(text: impl Into<String>) -> Block {
        Block::Equation { text: text.into() }
    }
}

impl From<Table> for Block {
    fn from(table: Table) -> Block {
        Block::Table(table)
    }
}

impl From<Plot> for Block {
    fn from(plot: Plot) -> Block {
        Block::Plot(plot)
    }
}

impl From<PlotGrid> for Block {
    fn from(grid: PlotGrid) -> Block {
        Block::PlotGrid(grid)
    }
}

impl From<Schematic> for Block {
    fn from(schematic: Schematic) -> Block {
        Block::Schematic(schematic)
    }
}

impl From<Animation> for Block {
    fn from(animation: Animation) -> Block {
        Block::Animation(animation)
    }
}

#[cfg(test)]
mod record_tests {
    use super::*;

    #[test]
    fn a_fact_has_a_key_for_programs() {
        assert_eq!(Fact::new("energy balance closes to", "x").key(), "energy_balance_closes_to");
        assert_eq!(Fact::new("period $T$ of `pad`, mean ", 1.0).key(), "period_t_of_pad_mean");
        assert_eq!(Fact::new("onset at `belt.v` = 2.9", 1.0).named("onset.belt.v").key(), "onset.belt.v");
    }

    #[test]
    fn the_number_of_a_fact_is_its_value_or_stands_behind_its_words() {
        let measure = |value: f64, unit: &str| Some(Measure { value, unit: unit.into() });
        assert_eq!(Fact::number("T", 2.0, "s").number_of(), measure(2.0, "s"));
        assert_eq!(Fact::new("T", "two seconds").number_of(), None);
        assert_eq!(Fact::new("T", "two seconds").measuring(2.0, "s").number_of(), measure(2.0, "s"));
    }
}
