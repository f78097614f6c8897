//! A second-order bristle law against a static one and emulations of two packages' stick–slip models.

mod bench;
mod cost;
mod festoon;
mod figures;

use super::tally::recomputation;
use super::{Basis, CaseOutcome, CellComparison, Tally, compare_cells, table_of};
use bench::PaperBench;
use bristle_core::Card;
use bristle_law::LawKind;
use bristle_record::{Block, Fact, Record};
use bristle_solve::Progress;
use bristle_study::RunError;

/// Rill & Schuderer 2023: a bristle law of second order holds a load for ever.
///
/// A test bench (long hold, creep, break-away, four load steps) and a festoon cable crane, under the second-order law, a
/// static law, and reconstructions of two packages' stick–slip models. The bench is printed in full; the parameters of
/// the crane are not and were inferred.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "rill2023", cite = "rill2023")]
pub struct Rill2023;

/// The laws compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ComparedLaw {
    FrDyn2,
    Regularised,
    Adams,
    Simpack,
}

impl ComparedLaw {
    /// The three that hold a load.
    const HOLDING: [ComparedLaw; 3] = [ComparedLaw::FrDyn2, ComparedLaw::Adams, ComparedLaw::Simpack];

    fn kind(self) -> LawKind {
        match self {
            ComparedLaw::FrDyn2 => LawKind::FrDyn2,
            ComparedLaw::Regularised => LawKind::Regularised,
            ComparedLaw::Adams => LawKind::AdamsLike,
            ComparedLaw::Simpack => LawKind::SimpackLike,
        }
    }

    fn name(self) -> &'static str {
        self.kind().card().name
    }

    /// As a legend has it.
    fn label(self) -> &'static str {
        match self {
            ComparedLaw::FrDyn2 => "FrDyn2",
            ComparedLaw::Regularised => "static law",
            ComparedLaw::Adams => "Adams-like",
            ComparedLaw::Simpack => "Simpack-like",
        }
    }
}

pub(super) fn reproduce(progress: &mut dyn Progress) -> Result<CaseOutcome, RunError> {
    let bench = PaperBench::new()?;
    let mut computed = bench.compute(progress)?;
    for law in ComparedLaw::HOLDING {
        computed.extend(festoon::compute(law, progress)?);
    }
    let cells = compare_cells("rill2023", include_str!("published.toml"), &computed)?;

    let mut record = Record::new("Rill & Schuderer 2023: stick, break-away and a festoon crane");
    record.summary =
        "A bristle law of second order holds a load for ever; a static law creeps. Test bench and festoon \
        cable crane, every printed number beside ours."
            .to_owned();
    record.facts = facts(&cells, &bench)?;
    let section = record.section("Test bench");
    section.push(Block::paragraph(
        "A block of 1 kg on a rough plane is pushed by a force that rises smoothly. Equations and parameters are printed \
         in full, so these rows are exact. `recomputed` is an independent integration by three other methods.",
    ));
    section.push(table_of("FrDyn2 and the static law", &at(&cells, |c| c.basis == Basis::Exact), None));
    for block in figures::bench(&bench, progress)? {
        section.push(block);
    }
    let section = record.section("Emulations of two packages");
    section.push(Block::paragraph(
        "The packages' own equations are not published. The hybrid model's slip is triggered by its spring alone, since \
         the printed forces exceed the static force without slip; the joint friction model was reconstructed from two \
         printed displacements. A fitted row is no evidence.",
    ));
    section.push(table_of(
        "Simpack-like and Adams-like on the bench",
        &at(&cells, |c| c.id.starts_with("simpack") || c.id.starts_with("adams")),
        None,
    ));
    let section = record.section("Festoon crane");
    section.push(Block::paragraph(
        "The crane's parameters stand in a figure that could not be read; they were inferred from the printed start \
         position, the reversal of trolley 1 and the friction peaks, and are not the authors'.",
    ));
    section.push(table_of("Festoon under three laws", &at(&cells, |c| c.id.starts_with("festoon")), None));
    let histories = ComparedLaw::HOLDING.map(|law| festoon::histories(law, progress).map(|data| (law, data)));
    let histories = histories.into_iter().collect::<Result<Vec<_>, _>>()?;
    for block in figures::festoon(&histories) {
        section.push(block);
    }
    let section = record.section("Cost");
    for block in cost::blocks(&bench)? {
        section.push(block);
    }
    let data = histories.into_iter().next().map(|(_, data)| data).unwrap_or_default();
    Ok(CaseOutcome { record, cells, data })
}

fn at(cells: &[CellComparison], wanted: impl Fn(&CellComparison) -> bool) -> Vec<CellComparison> {
    cells.iter().filter(|cell| wanted(cell)).cloned().collect()
}

/// How much agrees, and whether a load is held.
fn facts(cells: &[CellComparison], bench: &PaperBench) -> Result<Vec<Fact>, RunError> {
    let mut facts = Tally::of(cells).facts();
    facts.push(recomputation(cells));
    let (gained, steps) = bench.longer_hold(1e6)?;
    let mut held = Fact::number("displacement gained between 50 s and 10⁶ s of hold", gained, "m");
    held.note = format!("rounding of the force, in {steps} steps");
    facts.push(held);
    Ok(facts)
}
