//! Published sets of parameters: as tables, on the terminal, and as a page of the manual with a figure.

use bristle_core::units::short;
use bristle_core::{Described, Kind, Mode, Role};
use bristle_law::sets::PUBLISHED;
use bristle_law::{AnyLaw, At, ParameterSet, SetOrigin};
use bristle_mech::parts::Contact;
use bristle_record::plot::{Axis, Dash, Legend, Line, Marker, Plot, Scatter};
use bristle_record::{Table, render};
use serde_json::{Value, json};

/// All sets at a glance.
pub fn overview() -> Table {
    let mut table =
        Table::new("", &[("name", ""), ("law", ""), ("numbers", ""), ("contact", ""), ("source", "")]);
    for set in PUBLISHED {
        let cells = [set.name, set.law, set.origin.word(), set.contact, set.cite];
        table.row(cells.map(Into::into));
    }
    table
}

/// The unit a number of a set is in.
fn unit(set: &ParameterSet, name: &str) -> &'static str {
    let of_law = set.kind().and_then(|kind| {
        kind.card().numbers().find_map(|field| match field.kind {
            Kind::Number { force: Some(force), .. } if force == name => Some("N"),
            Kind::Number { unit, .. } if field.name == name => Some(unit),
            _ => None,
        })
    });
    of_law.unwrap_or_else(|| match Contact::<f64>::CARD.field(name).map(|field| field.kind) {
        Some(Kind::Number { unit, .. }) => unit,
        _ => "1",
    })
}

/// A number as a scenario writes it.
fn written(set: &ParameterSet, name: &str, value: f64) -> String {
    match unit(set, name) {
        "1" => format!("{name} = {}", short(value)),
        unit => format!("{name} = \"{} {unit}\"", short(value)),
    }
}

/// The set as a scenario would write it out: the law, and what a contact has beside it.
pub fn snippet(set: &ParameterSet) -> String {
    let law: Vec<String> = set.numbers.iter().map(|(name, value)| written(set, name, *value)).collect();
    let mut out = format!("law = {{ kind = \"{}\", {} }}\n", set.law, law.join(", "));
    for (name, value) in set.beside {
        out += &format!("{}\n", written(set, name, *value));
    }
    out
}

/// Where its numbers hold, in a sentence.
fn reach(set: &ParameterSet) -> String {
    let load = set.load.map_or(String::new(), |n| format!(" under {} N", short(n)));
    let [slow, fast] = set.speeds.map(short);
    format!("{}; {slow} to {fast} m/s{load}", set.validity)
}

/// A set for the terminal.
pub fn text(set: &ParameterSet) -> String {
    let mut out = format!("{} (published set of law `{}`)\n\n{}\n", set.name, set.law, set.contact);
    out += &format!("\nnumbers: {}\nhold for: {}\n", set.origin.word(), reach(set));
    if !set.remark.is_empty() {
        out += &format!("{}\n", set.remark);
    }
    out += &format!("\nlaw = {{ kind = \"{}\", set = \"{}\" }}   is the same as\n\n", set.law, set.name);
    for line in snippet(set).lines() {
        out += &format!("    {line}\n");
    }
    if !set.beside.is_empty() {
        out += "\nWhat stands below the law belongs to the contact, which takes it from the set unless it gives it itself.\n";
    }
    out + &format!("\nsource: {}\n", set.cite)
}

/// A set as data.
pub fn json(set: &ParameterSet) -> Value {
    let numbers = |list: &[(&str, f64)]| -> Value {
        list.iter()
            .map(|(name, value)| ((*name).to_owned(), json!({ "value": value, "unit": unit(set, name) })))
            .collect()
    };
    json!({
        "name": set.name, "law": set.law, "contact": set.contact, "origin": set.origin.word(), "remark": set.remark,
        "numbers": numbers(set.numbers), "beside": numbers(set.beside), "load": set.load, "speeds": set.speeds,
        "validity": set.validity, "source": set.cite,
    })
}

/// Friction of steady sliding at a speed, with what stands beside the law, forwards.
fn steady(set: &ParameterSet, speed: f64) -> f64 {
    let Some(kind) = set.kind() else { return f64::NAN };
    let n = if set.as_forces() { 1.0 } else { set.load.unwrap_or(1.0) };
    let law = kind.build(&set.values(), &kind.card().default_choices());
    let drag = set.beside.iter().find(|(name, _)| *name == "viscous").map_or(0.0, |(_, d)| d * speed);
    sliding(set, &law, speed, n) + drag
}

/// Friction once bristles have bent and ages have settled: what a law's own fixed steps lead to, or its curve.
fn sliding(set: &ParameterSet, law: &AnyLaw<f64>, speed: f64, n: f64) -> f64 {
    let kind = law.kind();
    let states = kind.states();
    let mut mode = vec![Mode::Forward; law.elements()];
    let mut z = vec![0.0; states];
    law.initial(&mut z);
    law.start(&At::sliding(speed, n), &z, &mut mode);
    let Some(kernel) = bristle_law::fixed_step::kernel(law).filter(|_| states > 0) else {
        // The force that would hold is beyond what the contact bears.
        let at = At { hold: 1e9 * n, mode: &mode, ..At::sliding(speed, n) };
        return law.eval(&at, &z, &mut vec![0.0; states]);
    };
    // Over ever longer steps, so that states that settle fast and slowly both do.
    let card = kind.card();
    let mut slip = vec![1.0; states];
    law.scales(n, &mut slip);
    let renewal = card.numbers().position(|f| f.role == Some(Role::RenewalDistance));
    let numbers = set.values();
    let length = renewal.and_then(|place| numbers.get(place).copied()).unwrap_or(slip[0]);
    let longest = (0.02 * length / speed).max(1e-3);
    let (mut force, mut h) = (f64::NAN, 1e-7);
    for _ in 0..4000 {
        force = kernel.step(&At { mode: &[], ..At::sliding(speed, n) }, &mut z, &mut mode, h);
        h = (h * 1.02).min(longest);
    }
    force
}

/// Stiffness of the bristles of a set, N/m under its load; nothing for a law without.
fn stiffness(set: &ParameterSet) -> Option<f64> {
    let card = set.kind()?.card();
    let place = card.numbers().position(|f| f.role == Some(Role::BristleStiffness))?;
    set.values().get(place).copied()
}

/// Friction in steady sliding over its level at rest, against speed, of every set that has a load or is in forces.
pub fn figure() -> Plot {
    let mut plot = Plot::new(
        "published-sets",
        "Steady friction of the published sets over their static friction",
        Axis::log("slip rate $v$", "m/s"),
        Axis::new("friction over static friction", ""),
    );
    plot.size = [640.0, 420.0];
    plot.caption = "Every set over the slip rates it holds for: how far friction falls or grows in steady sliding, what stands \
                    beside the law included, direction forwards."
        .to_owned();
    plot.legend = Legend::Outside;
    let dashes = [Dash::Solid, Dash::Dashed, Dash::Dotted, Dash::DashDot];
    for (i, set) in PUBLISHED.iter().enumerate() {
        let dash = dashes[i / 7 % dashes.len()];
        let [slow, fast] = set.speeds;
        let steps = 48;
        let x: Vec<f64> =
            (0..=steps).map(|i| slow * (fast / slow).powf(f64::from(i) / f64::from(steps))).collect();
        let level = set.level();
        let y: Vec<f64> = x.iter().map(|v| steady(set, *v) / level).collect();
        plot.push(Line { x, y, label: format!("`{}`", set.name), dash, ..Line::default() });
    }
    plot
}

/// Bristle stiffness against static friction of every set in forces, or under its load.
pub fn map() -> Plot {
    let mut plot = Plot::new(
        "published-stiffness",
        "How stiff contacts are",
        Axis::log("static friction", "N"),
        Axis::log("bristle stiffness $σ_0$", "N/m"),
    );
    plot.size = [520.0, 340.0];
    plot.caption =
        "Lines of equal deflection at break-away are straight: most contacts give by micrometres.".to_owned();
    plot.legend = Legend::Outside;
    let with: Vec<(&ParameterSet, f64)> =
        PUBLISHED.iter().filter_map(|set| Some((set, stiffness(set)?))).collect();
    for deflection in [1e-6, 1e-5, 1e-4] {
        let x = vec![0.5, 200.0];
        let y = x.iter().map(|f| f / deflection).collect();
        let label = format!("{} µm", short(deflection * 1e6));
        plot.push(Line { x, y, label, dash: Dash::Dotted, ..Line::default() });
    }
    for (set, sigma0) in with {
        let marker = if set.origin == SetOrigin::Fitted { Marker::Circle } else { Marker::Square };
        let label = format!("`{}`", set.name);
        plot.push(Scatter { x: vec![set.level()], y: vec![sigma0], label, marker, ..Scatter::default() });
    }
    plot
}

/// The page of the manual.
pub fn page() -> String {
    let mut out = "# Published parameter sets\n\nFor a contact without data: numbers that somebody measured, fitted or chose, each with \
                   its source. A law begins with them, and what stands beside `set` overrides them:\n\n```toml\nlaw = { kind = \
                   \"lugre\", set = \"canudas1995\", sigma2 = \"1 N s/m\" }\n```\n\n`bristle list sets` lists them, `bristle show \
                   canudas1995` writes one out. What a contact has beside its law, such as an offset, it takes from the set as \
                   well unless it gives it itself. **Measured** and **fitted** numbers belong to one contact and hold for \
                   motions like those they were found with; **chosen** ones were made up for a simulation, and **inferred** \
                   ones are not printed but needed for what is.\n\n![Steady friction of all sets over slip rate](figures/published-sets.svg)\n\n\
                   ![Bristle stiffness of all sets over static friction](figures/published-stiffness.svg)\n"
        .to_owned();
    for set in PUBLISHED {
        out += &format!(
            "\n## {}\n\n{}\n\nLaw [{law}](laws/{law}.md); {}; {}. {}\n\n```toml\n{}```\n\nSource: [{key}](references.md#{key}).\n",
            set.name,
            set.contact,
            set.origin.word(),
            reach(set),
            set.remark,
            snippet(set),
            law = set.law,
            key = set.cite,
        );
    }
    out.replace(". \n", ".\n")
}

/// The figures of the page, as paths within the book's `src` folder and their texts.
pub fn figures() -> Vec<(String, String)> {
    let drawn = |plot: &Plot| render::svg::plot(plot);
    vec![
        ("figures/published-sets.svg".to_owned(), drawn(&figure())),
        ("figures/published-stiffness.svg".to_owned(), drawn(&map())),
    ]
}
