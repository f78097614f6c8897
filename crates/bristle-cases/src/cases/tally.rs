//! How the numbers of a paper came out, each kind counted apart.

use super::{CellComparison, NumberKind};
use bristle_record::{Fact, Tone, Verdict};

/// Counts over the numbers of one page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Numbers the paper gives: printed, read off a figure, costs.
    pub published: usize,
    /// Printed numbers met to half a unit of their last digit.
    pub agree: usize,
    /// Numbers of figures met within the error of reading.
    pub agree_with_figure: usize,
    /// Costs.
    pub costs: usize,
    /// Costs met within a factor of two.
    pub comparable: usize,
    /// Numbers that differ for a reason given, costs included.
    pub explained: usize,
    /// Numbers that differ without a reason, costs included.
    pub differ: usize,
    /// Numbers no paper gives, compared with an independent recomputation.
    pub recomputed: usize,
    /// Those of them that come out.
    pub as_recomputed: usize,
}

impl Tally {
    /// Counts.
    pub fn of<'a>(cells: impl IntoIterator<Item = &'a CellComparison>) -> Tally {
        let mut tally = Tally::default();
        for cell in cells {
            match cell.kind {
                NumberKind::Recomputed => tally.recomputed += 1,
                _ => tally.published += 1,
            }
            tally.costs += usize::from(cell.kind == NumberKind::Cost);
            match cell.verdict {
                Verdict::Agrees => tally.agree += 1,
                Verdict::AgreesWithFigure => tally.agree_with_figure += 1,
                Verdict::Comparable => tally.comparable += 1,
                Verdict::AsRecomputed => tally.as_recomputed += 1,
                Verdict::Explained => tally.explained += 1,
                Verdict::Differs => tally.differ += 1,
                Verdict::Inferred | Verdict::Unknown => {}
            }
        }
        tally
    }

    /// Published numbers that agree, with the print or with a figure.
    pub fn agreeing(&self) -> usize {
        self.agree + self.agree_with_figure
    }

    /// Bad where a number differs without a reason; a warning where more than half of what is published does not agree.
    pub fn tone(&self) -> Tone {
        if self.differ > 0 {
            Tone::Bad
        } else if 2 * self.agreeing() < self.published {
            Tone::Warn
        } else {
            Tone::Good
        }
    }

    /// The tone as a judgement in a table.
    pub fn verdict(&self) -> Verdict {
        match self.tone() {
            Tone::Good => Verdict::Agrees,
            Tone::Bad => Verdict::Differs,
            Tone::Warn | Tone::Neutral => Verdict::Explained,
        }
    }

    /// The facts every page begins with.
    pub fn facts(&self) -> Vec<Fact> {
        let mut facts = Vec::new();
        if self.published > 0 {
            let words = format!("{} of {}", self.agreeing(), self.published);
            let mut fact = Fact::verdict("published numbers that agree", words, self.tone());
            fact.note = format!(
                "{} to half a unit of the last printed digit, {} with a figure within the error of reading",
                self.agree, self.agree_with_figure
            );
            facts.push(fact);
        }
        if self.costs > 0 {
            let words = format!("{} of {}", self.comparable, self.costs);
            let tone = if 2 * self.comparable < self.costs { Tone::Warn } else { Tone::Neutral };
            let mut fact = Fact::verdict("costs that are comparable", words, tone);
            fact.note =
                "within a factor of two; of other machines and other solvers, so none is said to agree"
                    .to_owned();
            facts.push(fact);
        }
        let tone = match (self.differ, self.explained) {
            (0, 0) => Tone::Good,
            (0, _) => Tone::Warn,
            _ => Tone::Bad,
        };
        let words = format!("{} for a reason given, {} without", self.explained, self.differ);
        facts.push(Fact::verdict("numbers that differ", words, tone));
        if self.recomputed > 0 {
            let words = format!("{} of {}", self.as_recomputed, self.recomputed);
            let tone = if self.as_recomputed < self.recomputed { Tone::Warn } else { Tone::Good };
            facts.push(Fact::verdict(
                "numbers no paper gives, as an independent recomputation has them",
                words,
                tone,
            ));
        }
        facts
    }
}

/// Whether every number that was recomputed independently, printed or not, comes out so.
pub(super) fn recomputation(cells: &[CellComparison]) -> Fact {
    let with = cells.iter().filter(|c| c.agrees_with_reference.is_some()).count();
    let off = cells.iter().filter(|c| c.agrees_with_reference == Some(false)).count();
    let tone = if off == 0 { Tone::Good } else { Tone::Bad };
    let label = "numbers that agree with the independent recomputation";
    Fact::verdict(label, format!("{} of {with}", with - off), tone)
}

#[cfg(test)]
mod tally_tests {
    use super::super::{Computed, compare_cells};
    use super::*;

    /// Cells of these kinds, each computed as given.
    fn tally(cells: &[(&str, f64)]) -> Tally {
        let lines = |(i, (line, _)): (usize, &(&str, f64))| {
            format!("[[cell]]\nid = \"{i}\"\nplace = \"\"\nwhat = \"\"\nbasis = \"exact\"\n{line}\n")
        };
        let text: String = cells.iter().enumerate().map(lines).collect();
        let computed: Vec<Computed> = cells
            .iter()
            .enumerate()
            .map(|(i, (_, value))| Computed { id: i.to_string(), value: *value })
            .collect();
        Tally::of(&compare_cells("test", &text, &computed).unwrap())
    }

    const PRINTED: &str = "printed = \"1.0\"\nreason = \"so\"";
    const FIGURE: &str = "printed = \"1.0\"\nkind = \"figure\"\nwithin = 0.2";
    const COST: &str = "printed = \"10\"\nkind = \"cost\"\nreason = \"another machine\"";
    const OURS: &str = "reference = 1.0\ntolerance = 1e-6";

    #[test]
    fn kinds_are_counted_apart() {
        let found =
            tally(&[(PRINTED, 1.0), (PRINTED, 2.0), (FIGURE, 1.1), (COST, 10.0), (COST, 30.0), (OURS, 1.0)]);
        let expected = Tally {
            published: 5,
            agree: 1,
            agree_with_figure: 1,
            costs: 2,
            comparable: 1,
            explained: 2,
            differ: 0,
            recomputed: 1,
            as_recomputed: 1,
        };
        assert_eq!(found, expected);
        assert_eq!(found.facts().len(), 4);
    }

    #[test]
    fn a_page_most_of_which_does_not_agree_is_not_green() {
        // Costs that happen to be equal do not make a page green, nor do numbers no paper prints.
        let page =
            tally(&[(PRINTED, 1.0), (COST, 10.0), (COST, 10.0), (OURS, 1.0), (OURS, 1.0), (OURS, 1.0)]);
        assert_eq!((page.tone(), page.verdict()), (Tone::Warn, Verdict::Explained));
        assert_eq!(page.facts()[0].tone, Tone::Warn);
        assert_eq!(tally(&[(PRINTED, 1.0), (COST, 10.0)]).tone(), Tone::Good);
        assert_eq!(tally(&[(FIGURE, 1.0), (PRINTED, 3.0)]).tone(), Tone::Good);
        assert_eq!(tally(&[(FIGURE, 1.0), (PRINTED, 1.0), (FIGURE, 2.0)]).tone(), Tone::Bad);
        assert_eq!(tally(&[(FIGURE, 1.0), (PRINTED, 1.0), (FIGURE, 2.0)]).verdict(), Verdict::Differs);
        assert_eq!(tally(&[(OURS, 1.0)]).tone(), Tone::Good);
        assert_eq!(tally(&[(OURS, 1.1)]).tone(), Tone::Bad);
    }
}
