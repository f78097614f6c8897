//! What a run of a cable found, in words, tables and figures.

use super::motion::{CableMotion, Snapshot};
use super::wrap::Wrap;
use super::{CableModel, balance, draw, warnings};
use crate::grip::DrumSlip;
use crate::levels::levels;
use crate::model::Findings;
use crate::scenario::{Scenario, Study};
use crate::studies::simulate::{column, time_plot};
use crate::{scene, schematic};
use bristle_cable::{CableDrum, DrumDrive, NodeContact};
use bristle_record::{Block, Cell, Data, Fact, Plot, Section, Table, Tone};

/// How each drum holds the cable, how it moved, and where its energy went.
pub(super) fn findings(scenario: &Scenario, motion: &CableMotion, study: &Study) -> Findings {
    let model = motion.model;
    let mut section = Section { heading: format!("Motion ({})", study.name), blocks: Vec::new() };
    let scenes = draw::scenes(model, &motion.snapshots);
    section.blocks.extend(schematic::moving(scenario, &study.name, &motion.data, &scenes).map(Block::from));
    section.push(scene::animation(format!("{}-animation", study.name), &scenes));
    section.push(scene::strip(format!("{}-shapes", study.name), &scenes));
    for plot in over_time(model, study, &motion.data) {
        section.push(plot);
    }
    let mut contact = Section { heading: format!("Contact ({})", study.name), blocks: Vec::new() };
    contact.blocks.extend(contact_figures(model, study, motion));
    contact.push(contact_table(model, motion));
    let mut energy = Section { heading: format!("Energy ({})", study.name), blocks: Vec::new() };
    energy.push(balance::figure(&study.name, &motion.data));
    energy.push(balance::table(&motion.data));
    Findings {
        verdicts: facts(model, motion),
        further: motion
            .start
            .rest
            .map(|rest| rest_fact(rest.residual, motion.start.kept))
            .into_iter()
            .collect(),
        sections: vec![section, contact, energy],
        failure: None,
    }
}

/// How still the cable was before the run.
fn rest_fact(residual: f64, kept: Option<usize>) -> Fact {
    let mut fact = Fact::number("force left over at rest, before the run", residual, "N");
    if let Some(node) = kept {
        fact.note = format!("node {node} was kept on its drum, as friction would keep it");
    }
    fact
}

pub(super) fn facts(model: &CableModel, motion: &CableMotion) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (drum, name) in model.drums.iter().enumerate() {
        let last = motion.snapshots.last();
        facts.push(drum_fact(model, drum, name, &motion.data, last.map(|s| &s.wraps[drum])));
    }
    facts.extend(warnings::sunk(model, &motion.deepest));
    if let Some(first) = motion.snapshots.first() {
        facts.extend(warnings::coarse(model, &first.wraps, "at the start"));
    }
    let wanted = motion.first_slips.iter().enumerate();
    for (drum, (t, angle)) in wanted.filter_map(|(i, s)| Some((i, (*s)?))) {
        let mut fact = Fact::number(format!("first slip at `{}`", model.drums[drum]), t, "s");
        fact.note = format!("{:.1}° after the first contact", angle.to_degrees());
        facts.push(fact);
    }
    for end in &model.ends {
        let of = |c: &str| column(&motion.data, &format!("{end}.{c}"));
        let moved = |c: &str| of(c).last().unwrap_or(&0.0) - of(c).first().unwrap_or(&0.0);
        facts.push(Fact::number(format!("height gained by `{end}`"), moved("y"), "m"));
    }
    let largest =
        |end: &String| column(&motion.data, &format!("{end}.tension")).iter().copied().fold(0.0, f64::max);
    facts.push(Fact::number(
        "largest tension at an end",
        model.ends.iter().map(largest).fold(0.0, f64::max),
        "N",
    ));
    facts
}

/// How a drum holds the cable at the end.
fn drum_fact(model: &CableModel, drum: usize, name: &str, data: &Data, wrap: Option<&Wrap>) -> Fact {
    let label = format!("drum `{name}` at the end");
    let Some(wrap) = wrap.filter(|w| !w.contacts.is_empty()) else {
        let touched = column(data, &format!("{name}.wrap")).iter().any(|angle| *angle > 0.0);
        if !touched {
            return Fact::verdict(label, "the cable does not touch it", Tone::Neutral);
        }
        let mut fact = Fact::verdict(label, "the cable has run off it", Tone::Warn);
        fact.note = "shorten the cable, load its ends evenly, or end the run before".to_owned();
        return fact;
    };
    let (words, tone) = held(model, drum, name, data, wrap);
    let mut fact = Fact::verdict(label, words, tone);
    fact.note = format!("it touches over {:.1}° at {} nodes", wrap.total().to_degrees(), wrap.contacts.len());
    let used = used(model, drum, wrap);
    if used.is_finite() {
        fact.note += &format!("; a node carries at most {:.1} % of its limit", 100.0 * used);
    }
    fact
}

/// How a touching drum holds the cable, in words.
fn held(model: &CableModel, drum: usize, name: &str, data: &Data, wrap: &Wrap) -> (String, Tone) {
    let friction = &model.system.cable().drums[drum].friction;
    if !friction.acts() {
        return ("smooth: nothing holds the cable".to_owned(), Tone::Neutral);
    }
    let slip = DrumSlip {
        t: column(data, "time"),
        v: column(data, &format!("{name}.slip_rate")),
        scale: fastest(model, data),
        rest: friction.rest_speed(),
        used: used(model, drum, wrap),
    };
    slip.grip().words([&model.ends[0], &model.ends[1]])
}

/// The fastest motion of an end or of a drum's surface during a run, m/s.
fn fastest(model: &CableModel, data: &Data) -> f64 {
    let most = |name: String| column(data, &name).iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    let ends = model.ends.iter().flat_map(|end| ["vx", "vy"].map(|v| most(format!("{end}.{v}"))));
    let drums = model.drums.iter().enumerate();
    let turning = drums.map(|(i, d)| most(format!("{d}.speed")) * model.system.cable().drums[i].radius);
    ends.chain(turning).fold(0.0, f64::max)
}

/// The largest share of its limit that any touching node carries; not a number where the law has no limit.
fn used(model: &CableModel, drum: usize, wrap: &Wrap) -> f64 {
    let own = || {
        model.laws[drum].as_ref().and_then(|law| levels(law, 1.0)).map(|(kinetic, peak)| kinetic.max(peak))
    };
    let Some(mu) = model.holds(drum).or_else(own) else { return f64::NAN };
    let share = |c: &NodeContact| if c.normal > 0.0 { c.friction.abs() / (mu * c.normal) } else { 0.0 };
    wrap.contacts.iter().map(share).fold(0.0, f64::max)
}

/// Outputs over time: those asked for, or a sensible set.
fn over_time(model: &CableModel, study: &Study, data: &Data) -> Vec<Plot> {
    let wanted = study.spec.named("show");
    if !wanted.is_empty() {
        return wanted.iter().map(|name| time_plot(&study.name, data, &[name], false)).collect();
    }
    let of = |parts: &[&String], quantity: &str| parts.iter().map(|p| format!("{p}.{quantity}")).collect();
    let moves = |name: &String| {
        let x = column(data, name);
        let span = |pick: fn(f64, f64) -> f64, from| x.iter().copied().fold(from, pick);
        span(f64::max, f64::NEG_INFINITY) - span(f64::min, f64::INFINITY) > 1e-3
    };
    let drums = |wanted: &dyn Fn(&CableDrum) -> bool| -> Vec<&String> {
        let drums = model.drums.iter().zip(&model.system.cable().drums);
        drums.filter(|(_, body)| wanted(body)).map(|(name, _)| name).collect()
    };
    let (turning, rough) = (drums(&|d| d.drive != DrumDrive::Fixed), drums(&|d| d.friction.acts()));
    let ends: Vec<&String> = model.ends.iter().collect();
    let sets: [(Vec<String>, bool); 6] = [
        (of(&ends, "y"), true),
        (Some(of(&ends, "x")).filter(|x: &Vec<_>| x.iter().any(moves)).unwrap_or_default(), true),
        (of(&ends, "tension"), false),
        (of(&turning, "angle"), false),
        (of(&rough, "friction"), false),
        (of(&rough, "slip_rate"), false),
    ];
    let plot = |(set, since_start): (Vec<String>, bool)| {
        let names: Vec<&str> = set.iter().map(String::as_str).collect();
        (!names.is_empty()).then(|| time_plot(&study.name, data, &names, since_start))
    };
    sets.into_iter().filter_map(plot).collect()
}

/// Contact force, slip and tension at instants that matter.
fn contact_figures(model: &CableModel, study: &Study, motion: &CableMotion) -> Vec<Block> {
    let (Some(first), Some(last)) = (motion.snapshots.first(), motion.snapshots.last()) else {
        return Vec::new();
    };
    let mut blocks = Vec::new();
    let name = |s: &Snapshot| format!("$t$ = {:.3} s", s.state.t);
    for drum in 0..model.drums.len() {
        let touched = |s: &&Snapshot| !s.wraps[drum].contacts.is_empty();
        let ends: Vec<_> =
            [first, last].into_iter().filter(touched).map(|s| (name(s), &s.wraps[drum])).collect();
        if ends.is_empty() {
            continue;
        }
        let id = |what: &str| format!("{}-{}-{what}", study.name, model.drums[drum]);
        blocks.push(draw::pressure(model, id("pressure"), drum, &ends).into());
        if model.system.cable().drums[drum].friction.acts() {
            // The instant of the largest slip, half way to it, and the end.
            let all: Vec<&Snapshot> = motion.snapshots.iter().filter(touched).collect();
            let speed = |i: &usize| all[*i].wraps[drum].slip().abs();
            let worst = (0..all.len()).max_by(|a, b| speed(a).total_cmp(&speed(b))).unwrap_or(0);
            let mut chosen = vec![worst / 2, worst, (worst + all.len()) / 2, all.len().saturating_sub(1)];
            chosen.dedup();
            let at: Vec<_> =
                chosen.into_iter().filter_map(|i| all.get(i)).map(|s| (name(s), &s.wraps[drum])).collect();
            blocks.push(draw::slips(model, id("slips"), drum, &at).into());
        }
    }
    let at = [(name(first), &first.state), (name(last), &last.state)];
    blocks.push(draw::tension_plot(model, format!("{}-tension-along", study.name), &at).into());
    blocks
}

fn contact_table(model: &CableModel, motion: &CableMotion) -> Table {
    let columns = [
        ("drum", ""),
        ("touches from", "deg"),
        ("to", "deg"),
        ("nodes", ""),
        ("normal force", "N"),
        ("friction", "N"),
        ("largest slip", "m/s"),
    ];
    let mut table = Table::new("Contacts at the end; angles clockwise from the crown", &columns);
    let Some(last) = motion.snapshots.last() else { return table };
    for (drum, wrap) in last.wraps.iter().enumerate() {
        let degrees = wrap.degrees(model.system.cable().drums[drum].sense.sign());
        let [from, to] = [degrees.first(), degrees.last()].map(|d| d.copied().unwrap_or(f64::NAN));
        table.row([
            model.drums[drum].as_str().into(),
            Cell::number(from),
            Cell::number(to),
            wrap.contacts.len().to_string().into(),
            Cell::number(wrap.sum(|c| c.normal)),
            Cell::number(wrap.sum(|c| c.friction)),
            Cell::number(wrap.slip()),
        ]);
    }
    table
}
