//! What a run of a cable found, in words, tables and figures.

use super::grip::{DrumSlip, Grip};
use super::motion::{CableMotion, Snapshot};
use super::wrap::Wrap;
use super::{CableModel, balance, caution, draw};
use crate::error::RunError;
use crate::levels::levels;
use crate::outcome::Answer;
use crate::progress::Progress;
use crate::scenario::Study;
use crate::studies::simulate::{column, label};
use bristle_cable::{CableMethod, DrumDrive, NodeContact};
use bristle_record::{Axis, Block, Cell, Data, Fact, Line, Plot, Section, Table, Tone};

/// Lets a cable move and says what happened.
pub(crate) fn answer(
    model: &CableModel,
    study: &Study,
    progress: &mut dyn Progress,
) -> Result<Answer, RunError> {
    let duration = study.spec.numbers[0];
    let step = if study.spec.numbers[1].is_nan() { model.sampling(duration) } else { study.spec.numbers[1] };
    let motion = model.simulate(&study.name, duration, step, progress)?;
    let mut section = Section { heading: format!("Motion ({})", study.name), blocks: Vec::new() };
    section.push(draw::animation(model, format!("{}-animation", study.name), &motion.snapshots));
    section.push(draw::strip(model, format!("{}-shapes", study.name), &motion.snapshots));
    for plot in over_time(model, study, &motion.data) {
        section.push(plot);
    }
    let mut contact = Section { heading: format!("Contact ({})", study.name), blocks: Vec::new() };
    contact.blocks.extend(contact_figures(model, study, &motion));
    contact.push(contact_table(model, &motion));
    let mut energy = Section { heading: format!("Energy ({})", study.name), blocks: Vec::new() };
    energy.push(balance::figure(&study.name, &motion.data));
    energy.push(balance::table(&motion.data));
    let solver = Section { heading: "Solver".to_owned(), blocks: vec![cost_table(model, &motion).into()] };
    Ok(Answer {
        facts: facts(model, &motion),
        failure: balance::closure(&motion.data).failure(),
        sections: vec![section, contact, energy, solver],
        data: motion.data,
        stopped_early: motion.stopped_early,
        ..Answer::default()
    })
}

fn facts(model: &CableModel, motion: &CableMotion) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (drum, name) in model.drums.iter().enumerate() {
        let last = motion.snapshots.last();
        facts.push(drum_fact(model, drum, name, &motion.data, last.map(|s| &s.wraps[drum])));
    }
    facts.extend(caution::sunk(model, &motion.deepest));
    if let Some(first) = motion.snapshots.first() {
        facts.extend(caution::coarse(model, &first.wraps, "at the start"));
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
    facts.push(balance::closure(&motion.data).fact());
    if let Some(rest) = motion.start.rest {
        let mut fact = Fact::number("force left over at rest, before the run", rest.residual, "N");
        if let Some(node) = motion.start.kept {
            fact.note = format!("node {node} was kept on its drum, as friction would keep it");
        }
        facts.push(fact);
    }
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
    let towards = |v: f64| if v > 0.0 { &model.ends[1] } else { &model.ends[0] };
    match slip.grip() {
        Grip::Sticks(_) => ("the cable sticks".to_owned(), Tone::Good),
        Grip::SticksElastically(v) => (
            format!("the cable sticks elastically: it stretches to and fro at up to {v:.2e} m/s"),
            Tone::Good,
        ),
        Grip::Settles(v) => {
            (format!("the cable settles: {v:.2e} m/s at the end, and falling"), Tone::Neutral)
        }
        Grip::Creeps(v) => {
            (format!("the cable creeps towards `{}` at {:.2e} m/s", towards(v), v.abs()), Tone::Warn)
        }
        Grip::Slips(v) => {
            (format!("the cable slips towards `{}` at {:.2e} m/s", towards(v), v.abs()), Tone::Bad)
        }
    }
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
        return wanted
            .iter()
            .map(|name| time_plot(&study.name, data, name, std::slice::from_ref(name), false))
            .collect();
    }
    let ends = |quantity: &str| model.ends.iter().map(|e| format!("{e}.{quantity}")).collect::<Vec<_>>();
    let mut plots = vec![time_plot(&study.name, data, "ends-y", &ends("y"), true)];
    let moves = |name: &String| {
        let x = column(data, name);
        let span = |pick: fn(f64, f64) -> f64, from| x.iter().copied().fold(from, pick);
        span(f64::max, f64::NEG_INFINITY) - span(f64::min, f64::INFINITY) > 1e-3
    };
    if ends("x").iter().any(moves) {
        plots.push(time_plot(&study.name, data, "ends-x", &ends("x"), true));
    }
    plots.push(time_plot(&study.name, data, "tensions", &ends("tension"), false));
    let drums = |quantity: &str, wanted: &dyn Fn(usize) -> bool| -> Vec<String> {
        let names = model.drums.iter().enumerate().filter(|(i, _)| wanted(*i));
        names.map(|(_, d)| format!("{d}.{quantity}")).collect()
    };
    let body = |i: usize| &model.system.cable().drums[i];
    let turns = drums("angle", &|i| body(i).drive != DrumDrive::Fixed);
    let rough = |i: usize| body(i).friction.acts();
    for (id, names) in
        [("angles", turns), ("friction", drums("friction", &rough)), ("slip", drums("slip_rate", &rough))]
    {
        if !names.is_empty() {
            plots.push(time_plot(&study.name, data, id, &names, false));
        }
    }
    plots
}

/// Some outputs over time; `from_start` draws their change.
fn time_plot(study: &str, data: &Data, id: &str, names: &[String], from_start: bool) -> Plot {
    let unit = data.columns.iter().find(|c| names.first() == Some(&c.name)).map_or("", |c| c.unit.as_str());
    let what = match names.first().and_then(|n| n.rsplit('.').next()) {
        Some("angle") => "angle $θ$".to_owned(),
        Some("tension") => "tension".to_owned(),
        Some("friction") => "friction on the cable, towards the last end".to_owned(),
        Some("slip_rate") => "largest slip speed".to_owned(),
        Some("wrap") => "wrap angle".to_owned(),
        _ => names.first().map(|n| label(n)).unwrap_or_default(),
    };
    let what = if from_start { format!("change of {what}") } else { what };
    let mut plot = Plot::new(
        format!("{study}-{}", id.replace('.', "-")),
        "",
        Axis::new("time $t$", "s"),
        Axis::new(what, unit),
    );
    for name in names {
        let y = column(data, name);
        let zero = if from_start { y.first().copied().unwrap_or(0.0) } else { 0.0 };
        let y = y.iter().map(|v| v - zero).collect();
        plot.push(Line::new(name.clone(), column(data, "time").to_vec(), y));
    }
    plot.caption = names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ") + " over time";
    plot
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

fn cost_table(model: &CableModel, motion: &CableMotion) -> Table {
    let nodes = model.system.cable().nodes();
    let s = motion.statistics;
    let (caption, columns) = match model.method {
        CableMethod::GeneralisedAlpha(m) => {
            let steps = match m.tolerance {
                Some(tolerance) => format!("steps up to {:e} s, error {tolerance:e} m per step", m.step),
                None => format!("steps of {:e} s", m.step),
            };
            let caption = format!("Method `generalised_alpha`, ρ = {}, {steps}, {nodes} nodes", m.rho);
            let newton = [("Newton iterations", s.newton), ("halved steps", s.halvings)];
            (caption, newton)
        }
        CableMethod::Rosenbrock(m) => {
            let caption = format!(
                "Method `{}`, steps up to {:e} s, error {:e} m per step, {nodes} nodes",
                m.method.name(),
                m.step,
                m.tolerance.unwrap_or(f64::NAN)
            );
            (caption, [("evaluations", s.evaluations), ("factorisations", s.factorisations)])
        }
    };
    let all = [("steps", s.steps), columns[0], columns[1], ("rejected steps", s.rejections)];
    let mut table = Table::new(caption, &all.map(|(name, _)| (name, "")));
    table.row(all.map(|(_, n)| Cell::Text { text: n.to_string() }));
    table
}
