//! The figures of a simulation.

use super::{column, measured};
use crate::scenario::{Scenario, Study};
use bristle_core::StateRole;
use bristle_law::LawKind;
use bristle_mech::System;
use bristle_record::{Axis, Data, Layer, Line, Plot, Span};
use std::collections::HashSet;

/// The figures asked for, or a sensible set.
pub(super) fn figures(scenario: &Scenario, study: &Study, data: &Data) -> Vec<Plot> {
    let mut plots = unshaded(scenario, study, data);
    measured::overlay(scenario, study, data, &mut plots);
    let slips = slips(scenario, data);
    for plot in plots.iter_mut().filter(|p| p.x.label == TIME) {
        shade(plot, &slips);
    }
    plots
}

/// The horizontal axis of a figure over time.
pub(super) const TIME: &str = "time $t$";

/// More stripes than this are a haze.
const STRIPES: usize = 80;

/// When the contact that slips first slips, if there are few enough times to be seen, and what it is called.
fn slips(scenario: &Scenario, data: &Data) -> Option<(String, Vec<[f64; 2]>)> {
    let t = column(data, "time");
    let of = |contact: &str| {
        let mode = column(data, &format!("{contact}.mode"));
        let (sticks, slips) = (mode.contains(&0.0), mode.iter().any(|m| m.abs() == 1.0));
        if !(sticks && slips) {
            return None;
        }
        let mut found: Vec<[f64; 2]> = Vec::new();
        let slides = |m: &[f64]| m.iter().all(|m| m.abs() == 1.0);
        for (_, at) in mode.windows(2).zip(t.windows(2)).filter(|(m, _)| slides(m)) {
            match found.last_mut() {
                Some(last) if last[1] == at[0] => last[1] = at[1],
                _ => found.push([at[0], at[1]]),
            }
        }
        (!found.is_empty() && found.len() <= STRIPES).then(|| (contact.to_owned(), found))
    };
    // The mode of other laws is the sign of their slip rate.
    let rests = scenario.system.contacts().iter().filter(|c| c.kind.card().tags.contains(&"set-valued"));
    let named = rests.map(|c| c.name.as_str());
    named.filter_map(of).min_by(|a, b| a.1[0][0].total_cmp(&b.1[0][0]))
}

/// Stripes behind the lines while a contact slips.
fn shade(plot: &mut Plot, slips: &Option<(String, Vec<[f64; 2]>)>) {
    let Some((contact, times)) = slips else { return };
    let stripe =
        |at: &[f64; 2]| Span { from: at[0], to: at[1], colour: "#e69f00".to_owned(), ..Span::default() };
    plot.layers.splice(0..0, times.iter().map(|at| Layer::from(stripe(at))));
    plot.caption += &format!("; shaded while `{contact}` slips");
}

/// The same without stripes.
fn unshaded(scenario: &Scenario, study: &Study, data: &Data) -> Vec<Plot> {
    let wanted = study.spec.named("show");
    if !wanted.is_empty() {
        return wanted.iter().map(|name| time_plot(&study.name, data, &[name], false)).collect();
    }
    let system = &scenario.system;
    let named = |suffix: &str| -> Vec<&str> {
        let all = data.columns.iter().map(|c| c.name.as_str());
        all.filter(|n| n.rsplit('.').next() == Some(suffix)).collect()
    };
    let mut sets = Vec::from(["q", "v", "speed", "slip_rate", "force", "torque"].map(named));
    // A belt runs away from the block; its velocity says as much.
    let states: HashSet<String> = system.state_names().into_iter().collect();
    sets[0].retain(|name| states.contains(*name));
    for contact in spread(system.contacts()) {
        for state in contact.kind.card().states {
            let name = format!("{}.{}", contact.name, state.name);
            sets.push(data.columns.iter().map(|c| c.name.as_str()).filter(|c| *c == name).collect());
        }
    }
    sets.push(data.columns.iter().map(|c| c.name.as_str()).filter(|n| n.starts_with("energy.")).collect());
    let mut plots: Vec<Plot> = sets
        .iter()
        .filter(|set| !set.is_empty())
        .map(|set| time_plot(&study.name, data, set, false))
        .collect();
    let derived = scenario.outputs_by_formula.iter();
    plots.extend(derived.map(|(name, _)| time_plot(&study.name, data, &[name], false)));
    plots.extend(characteristic(study, data, system));
    plots.extend(paths(study, data));
    plots
}

/// So many lines can be told apart in a figure.
const LINES: usize = 12;

/// A list, or as many of it as can be told apart, from the first to the last.
pub(crate) fn spread<T>(list: &[T]) -> impl Iterator<Item = &T> {
    let shown = list.len().min(LINES);
    (0..shown).map(move |i| &list[i * (list.len() - 1) / (shown - 1).max(1)])
}

/// What an output is, in words and its letter.
pub(crate) fn label(output: &str) -> String {
    let (part, quantity) = output.rsplit_once('.').unwrap_or(("", output));
    if part == "energy" {
        return "energy $E$".to_owned();
    }
    // What somebody derived, they have named.
    if part.is_empty() {
        return output.to_owned();
    }
    match quantity {
        "q" => "displacement $q$",
        "v" => "velocity $v$",
        "a" => "acceleration $a$",
        "acceleration" => "angular acceleration $α$",
        "torque" => "torque $τ$",
        "power" => "power $P$",
        "stretch" => "stretch $x$",
        "twist" => "twist $φ$",
        "depth" => "depth $δ$",
        "error" => "error $e$",
        "wanted" => "wanted position $r$",
        "effort" => "force asked for $u$",
        "x" => "horizontal position $x$",
        "y" => "height $y$",
        "vx" => "horizontal velocity $v_x$",
        "vy" => "vertical velocity $v_y$",
        "reaction" => "reaction of the rail $N$",
        "force" => "friction force $F$",
        "load" => "normal load $n$",
        "slip" => "slip $s$",
        "slip_rate" => "slip rate $w$",
        "mode" => "direction of slip",
        "loss" => "energy dissipated $W$",
        "tension" => "tension $T$",
        "angle" => "angle $θ$",
        "speed" => "angular speed $ω$",
        "wrap" => "angle of wrap $φ$",
        "friction" => "friction on the cable $F$",
        state => return state_label(state),
    }
    .to_owned()
}

/// What a state of a law is, and its letter.
fn state_label(name: &str) -> String {
    let mut states = LawKind::ALL.iter().flat_map(|law| law.card().states);
    let words = match states.find(|s| s.name == name).map(|s| s.role) {
        Some(StateRole::Deflection) => "bristle deflection",
        Some(StateRole::DeflectionRate) => "bristle velocity",
        Some(StateRole::Age) => "age of the contact",
        Some(StateRole::Strength) => "strength of the contact",
        None => "state",
    };
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let letter = match stem {
        "zdot" => "ż",
        "phi" => "φ",
        "theta" => "θ",
        "delta" => "δ",
        other => other,
    };
    let number = &name[stem.len()..];
    if number.is_empty() { format!("{words} ${letter}$") } else { format!("{words} ${letter}_{{{number}}}$") }
}

/// What tells one output from another in the same figure: its part, or the kind of energy.
fn legend(output: &str) -> String {
    match output.rsplit_once('.') {
        Some(("energy", "input")) => "work put in".to_owned(),
        Some(("energy", "loss")) => "dissipated".to_owned(),
        Some(("energy", kind)) => kind.to_owned(),
        Some((part, _)) => part.to_owned(),
        None => output.to_owned(),
    }
}

/// Several outputs over time, or their change since the start.
pub(crate) fn time_plot(study: &str, data: &Data, names: &[&str], since_start: bool) -> Plot {
    let first = names.first().copied().unwrap_or_default();
    let unit = data.columns.iter().find(|c| c.name == first).map_or("", |c| &c.unit);
    let (part, quantity) = first.rsplit_once('.').unwrap_or(("", first));
    let stem = match (part, names.len()) {
        ("energy", _) => "energy".to_owned(),
        (_, 1) => format!("{part}-{quantity}"),
        _ => quantity.to_owned(),
    };
    let id = format!("{study}-{stem}");
    // Springs and controllers have forces too, which are no friction.
    let rubs = |name: &&str| !column(data, &name.replace(".force", ".slip_rate")).is_empty();
    let is_mixed = quantity == "force" && !names.iter().all(rubs);
    let what = if is_mixed { "force $F$".to_owned() } else { label(first) };
    let what = if since_start { format!("change of {what}") } else { what };
    let mut plot = Plot::new(id, "", Axis::new(TIME, "s"), Axis::new(what, unit));
    for name in spread(names) {
        let text = if names.len() > 1 { legend(name) } else { String::new() };
        let y = column(data, name);
        let zero = y.first().filter(|_| since_start).copied().unwrap_or(0.0);
        plot.push(Line::new(text, column(data, "time").to_vec(), y.iter().map(|y| y - zero).collect()));
    }
    let list: Vec<_> = spread(names).map(|n| format!("`{n}`")).collect();
    plot.caption = format!("{} over time", list.join(", "));
    if list.len() < names.len() {
        plot.caption += &format!("; {} of {}, name others in `show`", list.len(), names.len());
    }
    plot
}

/// Friction force over slip rate: what an experimenter would plot.
fn characteristic(study: &Study, data: &Data, system: &System) -> Option<Plot> {
    let id = format!("{}-characteristic", study.name);
    let mut plot = Plot::new(id, "", Axis::new("slip rate $w$", "m/s"), Axis::new("friction force $F$", "N"));
    let is_alone = system.contacts().len() == 1;
    for contact in spread(system.contacts()) {
        let x = column(data, &format!("{}.slip_rate", contact.name)).to_vec();
        let y = column(data, &format!("{}.force", contact.name)).to_vec();
        // The teeth of a gear rub without a slip rate of their own.
        if x.is_empty() || y.is_empty() {
            continue;
        }
        let text = if is_alone { String::new() } else { contact.name.to_owned() };
        plot.push(Line::new(text, x, y));
    }
    plot.x.range = with_margin(&plot);
    plot.caption = "friction force over slip rate".to_owned();
    (!plot.layers.is_empty()).then_some(plot)
}

/// The horizontal range of all lines and a little more: at rest the line runs along the very edge.
fn with_margin(plot: &Plot) -> Option<[f64; 2]> {
    let lines =
        plot.layers.iter().filter_map(|l| if let Layer::Line(line) = l { Some(&line.x) } else { None });
    let [low, high] = lines
        .flatten()
        .filter(|x| x.is_finite())
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(*x), high.max(*x)]);
    let margin = 0.04 * (high - low);
    (margin > 0.0).then_some([low - margin, high + margin])
}

/// The paths of bodies that move in the plane.
fn paths(study: &Study, data: &Data) -> Option<Plot> {
    let planar: Vec<&str> = data.columns.iter().filter_map(|c| c.name.strip_suffix(".vy")).collect();
    if planar.is_empty() {
        return None;
    }
    let id = format!("{}-paths", study.name);
    let mut plot = Plot::new(id, "", Axis::new("$x$", "m"), Axis::new("$y$", "m"));
    for body in spread(&planar) {
        let (x, y) = (column(data, &format!("{body}.x")), column(data, &format!("{body}.y")));
        plot.push(Line::new((*body).to_owned(), x.to_vec(), y.to_vec()));
    }
    plot.is_equal_aspect = true;
    plot.caption = "paths in the plane".to_owned();
    Some(plot)
}
