//! The report: what agrees, what does not and why, and what the paper could not see.

use super::figures;
use super::global::Global;
use super::linear::LinearResults;
use super::model::{HieuModel, HieuNumbers};
use super::motion::MotionResults;
use crate::cases::tally::recomputation;
use crate::cases::{CellComparison, Tally, table_of};
use bristle_analysis::attractor::Fate;
use bristle_analysis::branch::SpecialKind;
use bristle_analysis::orbit::PeriodicOrbit;
use bristle_record::{
    Axis, Block, Cell, Fact, Marker, Plot, Record, Scatter, Section, Span, Table, Tone, Verdict,
};
use bristle_study::RunError;
use bristle_study::studies::drawing::{by_stability, unit_circle};
use bristle_study::studies::subject::say;

/// Everything the report is made from.
pub(super) struct Sources<'a> {
    pub models: &'a [HieuModel; 2],
    pub linear: &'a LinearResults,
    pub motion: &'a MotionResults,
    pub global: &'a [Global],
    pub numbers: &'a HieuNumbers,
    pub cells: &'a [CellComparison],
}

pub(super) fn record(sources: &Sources) -> Result<Record, RunError> {
    let mut record =
        Record::new("Hieu & Chung 2021: stability and stick–slip of a block on a belt with dwell time");
    record.summary = "Table 2, every other number of section 3 and Figures 2–17, beside an independent recomputation; then what \
                      a local analysis cannot see. The time scale $φ_0$ = 10 s is not printed and was inferred; that \
                      Table 2 was computed with $k$ = 500 N/m is a fit, not a statement of the paper."
        .to_owned();
    record.facts = facts(sources);
    let mut table = Section { heading: "Boundary speeds (Table 2)".to_owned(), blocks: Vec::new() };
    table.push(Block::paragraph(
        "With the printed $k$ = 100 N/m sixteen of the twenty entries come out to every digit; with $k$ = 500 N/m all twenty do, \
         and so does the zero of Figure 10. Entries that were not fully converged would explain the difference as well.",
    ));
    table.push(table_of("Table 2 with the printed stiffness", sources.cells, Some("Table 2")));
    table.push(table_of("Table 2 with $k$ = 500 N/m", sources.cells, Some("Table 2, k = 500")));
    record.sections.push(table);
    let mut stability =
        Section { heading: "Stability (Figures 2–7 and 10)".to_owned(), blocks: figures::linear(sources)? };
    for place in ["Sect. 3", "Fig. 2", "Fig. 5", "Fig. 6", "Fig. 7", "Fig. 10"] {
        stability.push(table_of(place, sources.cells, Some(place)));
    }
    record.sections.push(stability);
    let mut motion = Section {
        heading: "Motion (Figures 8, 9 and 11–17)".to_owned(),
        blocks: figures::motions(sources),
    };
    for place in ["Fig. 8", "Fig. 12", "Fig. 15"] {
        motion.push(table_of(place, sources.cells, Some(place)));
    }
    record.sections.push(motion);
    record.sections.push(unseen(sources));
    record.sections.push(beyond(sources));
    record.sections.push(doubts());
    Ok(record)
}

fn facts(sources: &Sources) -> Vec<Fact> {
    let of = |place: &str, verdict: Verdict| {
        sources.cells.iter().filter(|c| c.place == place && c.verdict == verdict).count()
    };
    let mut facts = Vec::new();
    for (label, place) in [
        ("Table 2 as printed, k = 100 N/m", "Table 2"),
        ("Table 2 read with k = 500 N/m", "Table 2, k = 500"),
    ] {
        let words = format!("{} of 20 to every digit", of(place, Verdict::Agrees));
        let tone = Tally::of(sources.cells.iter().filter(|c| c.place == place)).tone();
        facts.push(Fact::verdict(label, words, tone));
    }
    let words = format!(
        "subcritical: the local boundary is not safe; a stick–slip cycle coexists up to {} m/s",
        say(sources.numbers.get("bistable.two.to"))
    );
    let mut fact = Fact::verdict("onset at 2.9958 m/s, called supercritical in the paper", words, Tone::Bad);
    fact.note = format!(
        "$l_1$ = {}; the cycles end in a fold at {} m/s",
        say(sources.numbers.get("hopf.two.l1")),
        say(sources.numbers.get("fold.two"))
    );
    facts.push(fact);
    facts.extend(Tally::of(sources.cells).facts());
    facts.push(recomputation(sources.cells));
    facts
}

/// What the paper could not see.
fn unseen(sources: &Sources) -> Section {
    let mut section = Section { heading: "What the paper could not see".to_owned(), blocks: Vec::new() };
    let n = sources.numbers;
    section.push(Block::paragraph(format!(
        "**The onset is subcritical.** The first Lyapunov coefficient is positive for both models and all ten $c_1$ ($l_1$ = {} \
         and {} at $c_1$ = 0.5). An unstable cycle surrounds stable sliding, $v_b = v_H + κ A²$ with $κ$ = {}; it meets the \
         large stick–slip cycle in a fold at {} m/s. From the onset to {} m/s a kick decides whether the block slides or \
         vibrates, so the stable zones of Figures 4 and 6 are stable against small disturbances only.",
        say(n.get("hopf.two.l1")),
        say(n.get("hopf.lugre.l1")),
        say(n.get("hopf.two.kappa")),
        say(n.get("fold.two")),
        say(n.get("bistable.two.to"))
    )));
    for (model, global) in sources.models.iter().zip(sources.global) {
        section.push(diagram(sources, model, global));
    }
    section.push(Block::paragraph(
        "**Low speeds are mostly not period-1.** Bristles ring at 245 rad/s with half a per cent of damping, and the ringing \
         outlives the stick. Several unstable cycles coexist with the attractor; the tables list all that were found.",
    ));
    section.push(cycle_table(sources));
    if let Some(plot) = multipliers(sources) {
        section.push(plot);
    }
    section.push(Block::paragraph(format!(
        "**There is a second onset** at {} m/s (two-state) and {} m/s (LuGre), supercritical; below it sliding is stable again. \
         $ζ_3$ is negative between {} and {} m/s, and the Hurwitz determinant has two more zeros that are neutral saddles, not \
         Hopf points.",
        say(n.get("hopf.two.low")),
        say(n.get("hopf.lugre.low")),
        say(n.get("zeta3.from")),
        say(n.get("zeta3.to"))
    )));
    section.push(special_table(sources));
    section.push(Block::paragraph(
        "**Equation (31) is shifted by one.** Its three scalings must read as follows; only then do (33) and (34) agree. The group \
         $a$ is missing from (26).",
    ));
    section.push(Block::equation("l₂ = [σ₀/(α c₀)] l̄₂,   l₁ = (k/m) l̄₁,   l₀ = (k/m) [σ₀/(α c₀)] l̄₀"));
    section.push(Block::paragraph(format!(
        "**The lower bound on the bristle does not hold:** on the cycle at 0.1 m/s the bristle force falls to {} N, below $c_0$ = 15 N.",
        say(n.get("bristle.least"))
    )));
    section
}

/// The global picture: equilibrium, cycles, attractors, the bistable band.
fn diagram(sources: &Sources, model: &HieuModel, global: &Global) -> Plot {
    let index = usize::from(model.id != "two");
    let branch = &sources.linear.branches[index];
    let q = bristle_study::analysis::first_position(&model.scenario.system).unwrap_or(0);
    let mut plot = Plot::new(
        format!("global-{}", model.id),
        "",
        Axis::new("belt speed $v_b$", "m/s"),
        Axis::new("largest displacement", "m"),
    );
    let (from, to) = (
        sources.numbers.get(&format!("hopf.{}.high", model.id)),
        sources.numbers.get(&format!("bistable.{}.to", model.id)),
    );
    plot.push(Span {
        from,
        to,
        label: "two attractors".to_owned(),
        colour: "warn".to_owned(),
        ..Span::default()
    });
    let shown: Vec<_> = branch.points.iter().filter(|s| s.p[branch.parameter] > 2.4).collect();
    let x: Vec<f64> = shown.iter().map(|s| s.p[branch.parameter]).collect();
    let y: Vec<f64> = shown.iter().map(|s| s.x[q]).collect();
    let is_stable: Vec<bool> = shown.iter().map(|s| s.is_stable()).collect();
    for line in by_stability("sliding", "ink", &x, &y, &is_stable) {
        plot.push(line);
    }
    let cycles = &global.branch;
    // The cycle is born on the line of sliding, at the onset.
    let born = shown.iter().map(|s| (s.p[branch.parameter], s.x[q]));
    let born = born.min_by(|a, b| (a.0 - from).abs().total_cmp(&(b.0 - from).abs()));
    let x: Vec<f64> =
        born.iter().map(|_| from).chain(cycles.points.iter().map(|o| o.p[cycles.parameter])).collect();
    let y: Vec<f64> = born.iter().map(|b| b.1).chain(cycles.points.iter().map(|o| o.hits[0].x[q])).collect();
    let is_stable: Vec<bool> =
        born.iter().map(|_| false).chain(cycles.points.iter().map(PeriodicOrbit::is_stable)).collect();
    for line in by_stability("cycle", figures::colour_of(model), &x, &y, &is_stable) {
        plot.push(line);
    }
    for (label, marker, is_single) in [
        ("attractor from simulation, period-1", Marker::Plus, true),
        ("attractor from simulation, other", Marker::Diamond, false),
    ] {
        let kept = global.survey.cells.iter().filter(|c| {
            !c.attractor.is_resting()
                && matches!(c.attractor.fate, Fate::Periodic { multiplicity: 1 }) == is_single
        });
        let (x, y): (Vec<f64>, Vec<f64>) = kept.map(|c| (c.value, c.attractor.max[q])).unzip();
        if !x.is_empty() {
            let base = Scatter::new(label, x, y);
            plot.push(Scatter { marker, is_hollow: !is_single, colour: "bad".to_owned(), size: 5.0, ..base });
        }
    }
    plot.caption = format!(
        "{} friction, $c_1$ = 0.5: sliding and cycles by their largest displacement; solid is stable, dashed \
         unstable. Where the upper cycle is dashed it has doubled its period, and the motion settles to the doubled one",
        if model.id == "two" { "Two-state" } else { "LuGre" }
    );
    plot
}

fn cycle_table(sources: &Sources) -> Table {
    let columns = [
        ("model", ""),
        ("belt speed", "m/s"),
        ("the motion settles to", ""),
        ("cycle", ""),
        ("period", "s"),
        ("leading multiplier", ""),
    ];
    let mut table = Table::new("All cycles found at the three simulated speeds", &columns);
    for (model, global) in sources.models.iter().zip(sources.global) {
        for ((v_b, orbits), (_, fate)) in global.low.iter().zip(&global.fates) {
            for (i, orbit) in orbits.iter().enumerate() {
                let once = |text: String| Cell::from(if i == 0 { text } else { String::new() });
                table.row([
                    once(model.name.to_owned()),
                    once(v_b.to_string()),
                    once(fate.clone()),
                    format!("period-{}", orbit.multiplicity).into(),
                    Cell::Number { value: orbit.period, digits: 13 },
                    Cell::Number { value: orbit.leading().re, digits: 6 },
                ]);
            }
        }
    }
    table
}

fn multipliers(sources: &Sources) -> Option<Plot> {
    let global = sources.global.first()?;
    let groups: Vec<_> = global
        .low
        .iter()
        .map(|(v, orbits)| {
            (
                format!("$v_b$ = {v} m/s"),
                orbits.iter().filter(|o| o.multiplicity == 1).map(PeriodicOrbit::leading).collect(),
            )
        })
        .collect();
    let mut plot = unit_circle("multipliers".to_owned(), &groups);
    plot.caption =
        "Leading multipliers of the period-1 cycles under two-state friction; the others are close to zero"
            .to_owned();
    Some(plot)
}

fn special_table(sources: &Sources) -> Table {
    let columns = [("model", ""), ("what", ""), ("belt speed", "m/s"), ("$ω$", "rad/s"), ("$l_1$", "")];
    let mut table = Table::new("Special points of steady sliding at $c_1$ = 0.5", &columns);
    for (model, branch) in sources.models.iter().zip(&sources.linear.branches) {
        for special in &branch.special {
            let number = |value| Cell::Number { value, digits: 11 };
            let at = number(special.steady.p[branch.parameter]);
            match &special.kind {
                SpecialKind::Hopf(h) => {
                    let what = if h.l1 > 0.0 { "Hopf, subcritical" } else { "Hopf, supercritical" };
                    table.row([model.name.into(), what.into(), at, number(h.omega), number(h.l1)]);
                }
                SpecialKind::NeutralSaddle => table.row([model.name.into(), "neutral saddle".into(), at]),
                _ => table.row([model.name.into(), "fold or branch point".into(), at]),
            }
        }
    }
    table
}

fn beyond(sources: &Sources) -> Section {
    let mut section =
        Section { heading: "Every recomputed number beside ours".to_owned(), blocks: Vec::new() };
    section.push(table_of("Numbers the paper does not print", sources.cells, Some("beyond the paper")));
    section
}

fn doubts() -> Section {
    let mut section = Section { heading: "What remains uncertain".to_owned(), blocks: Vec::new() };
    for text in [
        "$φ_0$ = 10 s is missing from the printed parameters. The table and the time axis of Figure 12 together allow 9.6 … 11 s.",
        "The stiffness behind Table 2 is only bounded, to about 430 … 750 N/m; 500 is the round value.",
        "Stage durations depend on a threshold that is not printed; the one used here was chosen because it comes nearest.",
        "The upper end of the bistable band is statistical: the chaotic stick–slip set is lost in a crisis near 5.775 m/s, and \
         how long a motion survives there depends on how long one waits.",
    ] {
        section.push(Block::paragraph(text));
    }
    section
}
