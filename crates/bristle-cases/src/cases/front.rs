//! Every paper on one page.

use super::{Basis, CaseKind, CaseOutcome, CellComparison, Tally};
use bristle_record::{
    Axis, Block, Cell, Direction, Fact, Marker, Plot, Record, Rule, Scatter, Section, Table, Tone, Verdict,
};

/// The front page of several cases; each has its report in a folder of its name.
pub fn front_page(outcomes: &[(CaseKind, CaseOutcome)]) -> Record {
    let mut record = Record::new("Published experiments, run again");
    record.summary = "Every number of these papers that can be recomputed stands beside ours. A number agrees within half a \
                      unit of its last printed digit, one read off a figure within the error of reading; costs of other \
                      machines and solvers are comparable within a factor of two, and are not said to agree."
        .to_owned();
    let all: Vec<&CellComparison> = outcomes.iter().flat_map(|(_, o)| &o.cells).collect();
    record.facts = facts(&all);
    record.section("Papers").push(papers(outcomes));
    record.section("Papers").push(Block::paragraph(
        "**With a reason**: the numbers differ, and the paper or a run shows why. **Inferred**: a value the text does not \
         give was chosen; where it was chosen by the number itself, agreement is no evidence (**fitted**).",
    ));
    record.sections.push(distances(outcomes));
    for (kind, outcome) in outcomes {
        record.sections.extend(reasons(*kind, &outcome.cells));
    }
    record
}

fn count(cells: &[&CellComparison], wanted: impl Fn(&CellComparison) -> bool) -> usize {
    cells.iter().filter(|c| wanted(c)).count()
}

fn facts(cells: &[&CellComparison]) -> Vec<Fact> {
    let number = |n: usize| n.to_string();
    let mut facts = vec![Fact::verdict("numbers compared", number(cells.len()), Tone::Neutral)];
    facts.extend(Tally::of(cells.iter().copied()).facts());
    facts.extend([
        Fact::new("rest on an inferred value", number(count(cells, |c| c.basis == Basis::Inferred))),
        Fact::new("used to choose a value", number(count(cells, |c| c.basis == Basis::Fitted))),
        Fact::new(
            "agree with an independent recomputation, printed or not",
            format!(
                "{} of {}",
                count(cells, |c| c.agrees_with_reference == Some(true)),
                count(cells, |c| c.agrees_with_reference.is_some())
            ),
        ),
    ]);
    facts
}

fn papers(outcomes: &[(CaseKind, CaseOutcome)]) -> Table {
    let columns = [
        "paper",
        "what",
        "published",
        "agree",
        "with a figure",
        "costs",
        "comparable",
        "differ with a reason",
        "without",
        "not printed",
        "as recomputed",
        "inferred",
        "fitted",
    ];
    let mut table = Table::new("Numbers compared, paper by paper", &columns.map(|c| (c, "")));
    for (kind, outcome) in outcomes {
        let cells: Vec<&CellComparison> = outcome.cells.iter().collect();
        let tally = Tally::of(&outcome.cells);
        let name = kind.card().name;
        let number = |n: usize| -> Cell { n.to_string().into() };
        table.row([
            format!("[{name}]({name}/report.html)").into(),
            outcome.record.title.as_str().into(),
            number(tally.published),
            Cell::Verdict { verdict: tally.verdict(), text: tally.agree.to_string() },
            number(tally.agree_with_figure),
            number(tally.costs),
            number(tally.comparable),
            number(tally.explained),
            number(tally.differ),
            number(tally.recomputed),
            number(tally.as_recomputed),
            number(count(&cells, |c| c.basis == Basis::Inferred)),
            number(count(&cells, |c| c.basis == Basis::Fitted)),
        ]);
    }
    table
}

/// How far off in units of what is allowed.
fn distance(cell: &CellComparison) -> Option<f64> {
    let (value, tolerance) = match cell.published.parse::<f64>() {
        // A cost has no tolerance; it is off by a factor.
        Ok(printed) => (printed, cell.tolerance?),
        Err(_) => (cell.reference?, cell.reference_tolerance?),
    };
    (tolerance > 0.0).then(|| ((cell.computed - value).abs() / tolerance).max(1e-3))
}

fn distances(outcomes: &[(CaseKind, CaseOutcome)]) -> Section {
    let axis = Axis::log("difference over what is allowed", "");
    let mut plot = Plot::new("distances", "", Axis::new("number compared", ""), axis);
    plot.caption = "Each number's difference from the printed or recomputed value, over the tolerance of that value: below \
                    the line it agrees. Differences under a thousandth are drawn there."
        .to_owned();
    plot.size = [680.0, 320.0];
    let mut first = 0;
    for (kind, outcome) in outcomes {
        let points = outcome.cells.iter().enumerate();
        let points: Vec<(f64, f64)> =
            points.filter_map(|(i, c)| Some(((first + i + 1) as f64, distance(c)?))).collect();
        let (x, y) = points.into_iter().unzip();
        let marker = Marker::Circle;
        plot.push(Scatter {
            x,
            y,
            label: kind.card().name.to_owned(),
            marker,
            size: 4.0,
            ..Scatter::default()
        });
        first += outcome.cells.len();
    }
    plot.push(Rule { at: 1.0, along: Direction::Y, ..Rule::default() });
    Section { heading: "How far off".to_owned(), blocks: vec![plot.into()] }
}

/// Numbers that differ, with their reasons gathered.
fn reasons(kind: CaseKind, cells: &[CellComparison]) -> Option<Section> {
    let mut groups: Vec<(&str, Vec<&CellComparison>)> = Vec::new();
    for cell in cells.iter().filter(|c| matches!(c.verdict, Verdict::Explained | Verdict::Differs)) {
        match groups.iter_mut().find(|(reason, _)| *reason == cell.reason) {
            Some((_, members)) => members.push(cell),
            None => groups.push((&cell.reason, vec![cell])),
        }
    }
    if groups.is_empty() {
        return None;
    }
    let columns = ["how many", "where", "for example", "published", "ours", "reason"];
    let caption = format!("What differs in {}", kind.card().name);
    let mut table = Table::new(caption, &columns.map(|c| (c, "")));
    for (reason, members) in groups {
        let mut places: Vec<&str> = members.iter().map(|c| c.place.as_str()).collect();
        places.dedup();
        let example = members[0];
        let printed = match example.reference {
            Some(reference) if example.published.is_empty() => format!("{reference}"),
            _ => example.published.clone(),
        };
        let words = if reason.is_empty() { "none known" } else { reason };
        table.row([
            members.len().to_string().into(),
            places.join(", ").into(),
            example.what.as_str().into(),
            format!("{printed} {}", example.unit).into(),
            Cell::Number { value: example.computed, digits: 6 },
            words.into(),
        ]);
    }
    Some(Section { heading: format!("Differences: {}", kind.card().name), blocks: vec![table.into()] })
}

#[cfg(test)]
mod front_tests {
    use super::*;
    use bristle_record::{Data, render};

    fn cell(verdict: Verdict, basis: Basis) -> CellComparison {
        CellComparison {
            id: "a".to_owned(),
            place: "Table 1".to_owned(),
            what: "time".to_owned(),
            unit: "s".to_owned(),
            published: "1.0".to_owned(),
            kind: super::super::NumberKind::Printed,
            computed: 1.2,
            tolerance: Some(0.05),
            reference: None,
            reference_tolerance: None,
            agrees_with_reference: None,
            verdict,
            basis,
            reason: "misprint".to_owned(),
        }
    }

    #[test]
    fn the_front_page_counts_and_leads_to_each_report() {
        let cells = vec![cell(Verdict::Agrees, Basis::Exact), cell(Verdict::Explained, Basis::Inferred)];
        let outcome = CaseOutcome { record: Record::new("A paper"), cells, data: Data::default() };
        let page = front_page(&[(CaseKind::ALL[0], outcome)]);
        let name = CaseKind::ALL[0].card().name;
        assert!(render::html::report(&page).contains(&format!("<a href=\"{name}/report.html\">{name}</a>")));
        let text = render::text::facts(&page);
        assert!(text.contains("numbers compared") && text.contains("1 of 2"), "{text}");
        assert!(page.sections.iter().any(|s| s.heading == format!("Differences: {name}")));
    }
}
