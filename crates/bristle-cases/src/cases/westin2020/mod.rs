//! A continuously differentiable stick–slip law on a flexible cable: capstan and motorised pulley.

mod capstan;
mod figures;
mod model;
mod pulley;

use super::cell::{PublishedTime, published_times};
use super::tally::recomputation;
use super::{CaseOutcome, CellComparison, Computed, Tally, compare_cells, table_of};
use bristle_cable::{Sigmoid, cubic};
use bristle_core::Card;
use bristle_record::{Block, Cell, Fact, Record, Section, Table};
use bristle_solve::Progress;
use bristle_study::RunError;
use pulley::Pulley;

/// Westin & Irani 2020: Quinn's law and its smooth variant CDQ on a flexible cable.
///
/// A rope over a drum as a capstan (largest ratio of the loads) and as a motorised pulley (displacement of the loads), in
/// absolute nodal coordinates. The drum, the contact, the friction and the stiffness are printed; density, length,
/// internal damping, end masses, gains and the start are not and were inferred.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "westin2020", cite = "westin2020")]
pub struct Westin2020;

pub(super) fn reproduce(progress: &mut dyn Progress) -> Result<CaseOutcome, RunError> {
    let mut capstan = capstan::compute(progress)?;
    let mut pulley = pulley::compute(progress)?;
    let mut computed = std::mem::take(&mut capstan.computed);
    computed.append(&mut pulley.computed);
    computed.extend(sigmoid());
    let published = include_str!("published.toml");
    let cells = compare_cells("westin2020", published, &computed)?;
    let times = published_times("westin2020", published)?;

    let mut record = Record::new("Westin & Irani 2020: stick and slip of a cable on a drum");
    record.summary = "A capstan holds up to the ratio at which a node asks for more than α μ N; a motorised pulley carries its \
        loads alike under all six laws. Every printed number beside ours."
        .to_owned();
    record.facts = facts(&cells, &pulley, &times);
    record.sections.push(inferred());
    let section = record.section("The law");
    section.push(figures::surfaces());
    section.push(figures::sigmoids());
    section.push(figures::creep(&capstan));
    section.push(table_of("Sigmoid and creep", &of(&cells, &["sigmoid.", "creep."]), None));
    let section = record.section("Scenario I: capstan");
    section.push(Block::paragraph(
        "The criterion: slip begins at the largest load with an equilibrium at zero speed, that is with friction α μ N \
         mobilised at every touching node. Ramps and holds of the load confirm it in motion. The length of 4.5 m was chosen \
         by this very column, so agreement at that length is no evidence; 2 m resolves the drum better.",
    ));
    let column = of(&cells, &["capstan.", "table2.ratio"]);
    section.push(table_of("Table II, scenario I: force ratio", &column, None));
    section.push(figures::ratios(&capstan, &cells));
    section.push(table_of("Other lengths and the density as printed", &of(&cells, &["ratio."]), None));
    section.push(figures::contact(&capstan));
    section.push(table_of("Held loads", &of(&cells, &["hold."]), None));
    section.push(table_of("Ramps", &of(&cells, &["ramp."]), None));
    let section = record.section("Scenario II: motorised pulley");
    section.push(table_of("Table II, scenario II", &of(&cells, &["table2.rms", "text."]), None));
    section.push(cost(&pulley, &times));
    section.push(figures::displacements(&pulley.runs));
    for run in pulley.runs.iter().filter(|run| run.law.alpha == 0.9) {
        section.push(bristle_study::scene::animation("westin-pulley".to_owned(), &run.scenes));
    }
    section.push(table_of("Displacement of the loads", &of(&cells, &["pulley."]), None));
    let data = pulley.runs.into_iter().next().map(|run| run.data).unwrap_or_default();
    Ok(CaseOutcome { record, cells, data })
}

fn of(cells: &[CellComparison], prefixes: &[&str]) -> Vec<CellComparison> {
    cells.iter().filter(|c| prefixes.iter().any(|p| c.id.starts_with(p))).cloned().collect()
}

/// The sigmoid's own numbers.
fn sigmoid() -> Vec<Computed> {
    let value = |id: String, value: f64| Computed { id, value };
    let highest = (0..=100_000).map(|i| cubic(0.9, 0.5, 0.9 + 5e-6 * f64::from(i))).fold(0.0, f64::max);
    let mut all = vec![value("sigmoid.overshoot".to_owned(), highest)];
    for alpha in [0.5, 0.75, 0.9, 0.95, 0.99] {
        let h = Sigmoid::parabolic(alpha).map_or(f64::NAN, |s| s.value(1.0));
        all.push(value(format!("sigmoid.at_one.{alpha}"), h));
    }
    all
}

/// What the paper prints and what had to be inferred.
fn inferred() -> Section {
    let mut table = Table::new(
        "Where the numbers come from",
        &[("quantity", ""), ("printed", ""), ("used", ""), ("why", "")],
    );
    for row in [
        [
            "density",
            "5.8e-3 kg/m³",
            "5.8e3 kg/m³",
            "as printed the rope would weigh nothing; the ratios below show what that gives",
        ],
        [
            "penetration",
            "distance − R",
            "R − distance",
            "the printed sign makes a power of a negative number",
        ],
        ["unit of the contact stiffness", "N/m", "N/m^1.5", "the exponent is 1.5"],
        ["slope shape functions", "without element length", "with it", "dimensions"],
        [
            "wanted angle",
            "cycloid with a jump of speed",
            "a (t/τ − sin(2πt/τ)/2π)",
            "the text speaks of a cycloid",
        ],
        ["Karnopp", "no cap at rest", "capped at μN", "without it nothing ever slips"],
        ["length", "–", "2 m; 4.5 m for the printed ratios", "inferred; 3.5 to 4.75 m fit"],
        ["elements in scenario II", "–", "40", "as in scenario I"],
        [
            "internal damping",
            "–",
            "1 N s",
            "chosen; the end position moves by less than 0.14 mm between 0.1 and 100 N s",
        ],
        ["end masses", "small", "10 kg", "inferred: 98.1 N is the weight of 10 kg"],
        ["gains", "–", "100 1/s², 20 1/s", "chosen; they move the end position by 0.02 mm"],
        ["start", "–", "at rest without friction, a node at the crown", "chosen"],
    ] {
        table.row(row.map(Cell::from));
    }
    Section { heading: "What is printed and what is inferred".to_owned(), blocks: vec![table.into()] }
}

/// The time the paper prints for a law.
fn printed_time<'a>(times: &'a [PublishedTime], law: &str) -> &'a str {
    let wanted = |t: &&PublishedTime| t.place == "Table II" && t.id == format!("table2.time.{law}");
    times.iter().find(wanted).map_or("–", |t| t.printed.as_str())
}

/// Times are the machine's own: they stand here and not among the numbers compared, which are the same in every run.
fn cost(pulley: &Pulley, times: &[PublishedTime]) -> Table {
    let columns = [
        ("law", ""),
        ("published time", "s"),
        ("time here", "s"),
        ("Newton iterations", ""),
        ("halved steps", ""),
        ("RMS from Quinn", "m"),
    ];
    let caption = "10 s of the pulley with steps of 10 ms on the machine that wrote this report; RMS from runs with 2 ms";
    let mut table = Table::new(caption, &columns);
    for run in &pulley.runs {
        table.row([
            run.law.label().as_str().into(),
            printed_time(times, &run.law.key()).into(),
            Cell::Number { value: run.seconds, digits: 3 },
            run.cost.newton.to_string().into(),
            run.cost.halvings.to_string().into(),
            Cell::Number { value: run.rms, digits: 3 },
        ]);
    }
    table
}

fn facts(cells: &[CellComparison], pulley: &Pulley, times: &[PublishedTime]) -> Vec<Fact> {
    let mut facts = Tally::of(cells).facts();
    facts.push(recomputation(cells));
    let quinn = pulley.runs.first().map_or(f64::NAN, |run| run.seconds);
    let mut time = Fact::number("10 s of the pulley under Quinn's law take", quinn, "s");
    time.note = format!("published: {} s", printed_time(times, "quinn"));
    facts.push(time);
    facts
}
