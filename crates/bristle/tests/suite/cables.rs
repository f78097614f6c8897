//! Cables on drums, from the scenario file to the facts.

use bristle::{Outcome, Progress, Scenario, advise, compare, run};
use bristle_law::LawKind;
use bristle_record::{Block, Tone, Value};
use std::path::Path;

fn text(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    std::fs::read_to_string(file).unwrap()
}

fn scenario(text: &str) -> Scenario {
    Scenario::from_text(text, "rope.toml", ".".as_ref()).unwrap_or_else(|e| panic!("{e:?}"))
}

fn outcome(name: &str) -> Outcome {
    run(&scenario(&text(name)), &mut ()).unwrap()
}

fn fact(outcome: &Outcome, label: &str) -> f64 {
    let fact = outcome.record.facts.iter().find(|f| f.label == label);
    let Some(Value::Number { value, .. }) = fact.map(|f| &f.value) else { panic!("no fact `{label}`") };
    *value
}

fn says(outcome: &Outcome, label: &str) -> String {
    let fact = outcome.record.facts.iter().find(|f| f.label == label);
    let Some(Value::Text { text }) = fact.map(|f| &f.value) else { panic!("no fact `{label}`") };
    text.clone()
}

fn change(outcome: &Outcome, name: &str) -> f64 {
    let column = &outcome.data.columns.iter().find(|c| c.name == name).unwrap().values;
    column.last().unwrap() - column[0]
}

/// The published density, and the limit of the reference solution.
#[test]
fn a_capstan_holds_its_load() {
    let exact = text("capstan.toml").replace("0.4555 kg/m", "0.45553093477052 kg/m");
    let holds = run(&scenario(&exact), &mut ()).unwrap();
    let ratio = fact(&holds, "largest ratio of the loads before slip");
    assert!((ratio - 2.172_214_412_565_057).abs() < 1e-5, "{ratio}");
    assert_eq!(says(&holds, "drum `capstan` at the end"), "the cable sticks");
    assert!(change(&holds, "holder.y").abs() < 1e-5);
    let slips = exact
        .replace("to = \"-200 N\"", "to = \"-220 N\"")
        .replace("duration = \"2 s\"", "duration = \"1.1 s\"");
    let slips = run(&scenario(&slips), &mut ()).unwrap();
    assert!(says(&slips, "drum `capstan` at the end").starts_with("the cable slips towards `load`"));
    assert!(fact(&slips, "first slip at `capstan`") > 0.5);
    assert!(change(&slips, "holder.y") > 1e-3);
    let figures: Vec<&str> =
        holds.record.figures().iter().map(|f| f.id().to_owned().leak() as &str).collect();
    for id in
        ["hold-animation", "hold-shapes", "hold-capstan-pressure", "hold-capstan-slips", "hold-tension-along"]
    {
        assert!(figures.contains(&id), "{figures:?}");
    }
}

/// The load rises by what the drum turns, less what the motor's spring gives way under the unbalanced weight.
#[test]
fn a_hoist_lifts_its_load() {
    let outcome = outcome("hoist.toml");
    let lag = 5.0 * 9.81 * 0.2 / 4000.0;
    let expected = 0.2 * (2.0 - lag);
    let found = fact(&outcome, "height gained by `load`");
    assert!((found - expected).abs() < 1e-3, "{found} against {expected}");
    assert_eq!(says(&outcome, "drum `drum` at the end"), "the cable sticks");
    let animated = outcome.record.sections.iter().flat_map(|s| &s.blocks);
    let frames =
        animated.filter_map(|b| if let Block::Animation(a) = b { Some(a.frames.len()) } else { None });
    assert!(frames.sum::<usize>() > 50);
}

/// Atwood's machine with the rope's own weight: `s = Δm/(2ρA) (cosh κt − 1)`, `κ² = 2ρA g/(m₁ + m₂ + ρA L + J/R²)`.
/// Internal damping, at its default, must not brake a rope that runs over its pulley.
const ATWOOD: &str = r#"
title = "Atwood's machine"

[parts.rope]
kind = "cable"
length = "3 m"
elements = 60
ea = "100 kN"
ei = "0.001 N m^2"
density = "0.05 kg/m"
over = ["pulley"]

[parts.pulley]
kind = "drum"
radius = "20 cm"
inertia = "0.08 kg m^2"
law = { kind = "quinn", mu_d = 0.5, eps = "1 cm/s" }

[parts.light]
kind = "cable_end"
at = "first"
mass = "3 kg"

[parts.heavy]
kind = "cable_end"
at = "last"
mass = "5 kg"

[parts.earth]
kind = "gravity"
g = "9.81 m/s^2"

[studies.fall]
kind = "simulate"
duration = "0.8 s"
"#;

#[test]
fn atwoods_machine_falls_as_far_as_its_closed_form() {
    let found = -fact(&run(&scenario(ATWOOD), &mut ()).unwrap(), "height gained by `heavy`");
    assert!((found / 0.621_76 - 1.0).abs() < 1e-3, "{found}");
    let published = ATWOOD.replace("density", "damping_of = \"slope\"\ndensity");
    let braked = -fact(&run(&scenario(&published), &mut ()).unwrap(), "height gained by `heavy`");
    assert!(braked < 0.7 * found, "{braked}");
}

/// Contact is felt at the nodes: a few on an arc are too few, and it is said how many elements would do.
#[test]
fn few_nodes_on_a_drum_are_told() {
    let caution = |elements: usize, ei: &str, study: &str| {
        let text = ATWOOD.replace("elements = 60", &format!("elements = {elements}"));
        let text = text.replace("0.001 N m^2", ei).replace("inertia = \"0.08 kg m^2\"\n", "");
        let outcome = run(&scenario(&(text.split("[studies").next().unwrap().to_owned() + study)), &mut ());
        let facts = outcome.unwrap().record.facts;
        facts.into_iter().find(|f| f.label == "nodes on the arc of drum `pulley`")
    };
    let simulate = "[studies.fall]\nkind = \"simulate\"\nduration = \"2 ms\"";
    let limit = "[studies.limit]\nkind = \"limit\"";
    for study in [simulate, limit] {
        // A stiff rope touches along less than the arc it is laid along.
        for ei in ["0.001 N m^2", "0.2 N m^2"] {
            for few in [12, 20, 30] {
                let told = caution(few, ei, study).unwrap();
                assert_eq!(told.tone, Tone::Warn);
                assert!(told.value.markup().contains("fewer than 8"), "{told:?}");
                let enough =
                    told.note.split_whitespace().filter_map(|w| w.parse::<usize>().ok()).next_back().unwrap();
                assert!(enough > few && enough < 200, "{told:?}");
                let again = caution(enough, ei, study);
                assert!(again.is_none(), "{few}, {ei}: {enough} were to be enough, {again:?}");
            }
        }
    }
    assert!(caution(60, "0.001 N m^2", simulate).is_none());
}

#[test]
fn two_pulleys_return() {
    let outcome = outcome("two_pulleys.toml");
    for end in ["left", "right"] {
        assert!(change(&outcome, &format!("{end}.y")).abs() < 1e-3);
    }
    let idler = &outcome.data.columns.iter().find(|c| c.name == "idler.angle").unwrap().values;
    let farthest = idler.iter().copied().fold(0.0, f64::max);
    assert!((farthest - 0.5).abs() < 0.01, "the idler follows: {farthest}");
}

/// At rest the line is a catenary: `H` from length and span, tension at the anchor `√(H² + V²)`.
#[test]
fn a_mooring_line_hangs_in_a_catenary() {
    let outcome = outcome("mooring.toml");
    let column = |name: &str| &outcome.data.columns.iter().find(|c| c.name == name).unwrap().values;
    let (w, l, x, y) = (2.0 * 9.81, 12.0f64, 8.0, 6.0);
    // sinh(x/2a) = √(l² − y²)/2a.
    let (mut low, mut high) = (0.1f64, 100.0f64);
    for _ in 0..200 {
        let a = 0.5 * (low + high);
        if (x / (2.0 * a)).sinh() > (l * l - y * y).sqrt() / (2.0 * a) { low = a } else { high = a }
    }
    let a: f64 = 0.5 * (low + high);
    let mean = (y / l).atanh();
    // Tension is H cosh at the ends; the line stretches by 2e-4.
    for (name, side) in [("anchor.tension", -1.0), ("floater.tension", 1.0)] {
        let expected = w * a * (mean + side * x / (2.0 * a)).cosh();
        let found = column(name)[0];
        assert!((found - expected).abs() < 1e-3 * expected, "{name}: {found} against {expected}");
    }
    assert!((column("floater.y")[column("time").len() / 2] - 6.6).abs() < 1e-3);
    // No drum tells which ends there are.
    let tension = fact(&outcome, "largest tension at an end");
    assert!(tension > 50.0, "{tension}");
}

/// A thousand elements over three drums: read, laid, at rest and on the way, then stopped as Ctrl-C would.
#[test]
fn a_long_rope_starts_and_can_be_stopped() {
    struct Soon;
    impl Progress for Soon {
        fn begin(&mut self, _what: &str) {}
        fn at(&mut self, fraction: f64) -> bool {
            fraction == 0.0
        }
    }
    let outcome = run(&scenario(&text("long_rope.toml")), &mut Soon).unwrap();
    assert!(outcome.stopped_early);
    let samples = outcome.data.columns[0].values.len();
    assert!((2..400).contains(&samples), "{samples}");
    let wrap = &outcome.data.columns.iter().find(|c| c.name == "middle.wrap").unwrap().values;
    assert!(wrap[0] > 1.0, "the rope passes below the middle drum");
}

#[test]
fn a_law_with_bristles_turns_a_drum() {
    let lugre = text("hoist.toml").replace(
        "kind = \"cdq\", mu_d = 0.3, eps = \"1 cm/s\", alpha = 0.9",
        "kind = \"lugre\", mu_d = 0.3, mu_s = 0.35, sigma0 = \"1e5 N/m\"",
    );
    let outcome = run(&scenario(&lugre), &mut ()).unwrap();
    assert!((fact(&outcome, "height gained by `load`") - 0.4).abs() < 0.05);
}

/// The bollard's friction level is the exponential times the hand's pull; below it nothing renders, above it the rope runs.
#[test]
fn a_bollard_holds_a_ship() {
    let outcome = outcome("bollard.toml");
    let column = |name: &str| &outcome.data.columns.iter().find(|c| c.name == name).unwrap().values;
    assert!(column("piece.q").iter().all(|q| q.abs() < 1e-9));
    let expected = 100.0 * ((0.375 * 3.0 * std::f64::consts::PI).exp() - 1.0) / 0.375;
    assert!((column("bollard.load")[0] - expected).abs() < 1e-6 * expected);
    let strong = text("bollard.toml").replace("to = \"2 kN\"", "to = \"3 kN\"");
    let renders = run(&scenario(&strong), &mut ()).unwrap();
    assert!(change(&renders, "piece.q") > 1e-3);
}

/// The hoist under another method and a tenth of the tolerance: the same motion.
#[test]
fn a_method_is_chosen_by_name() {
    let usual = outcome("hoist.toml");
    let chosen = text("hoist.toml") + "\n[solver]\nmethod = \"rodas5p\"\nrtol = 1e-6\n";
    let rodas = run(&scenario(&chosen), &mut ()).unwrap();
    let end = |o: &Outcome| fact(o, "height gained by `load`");
    assert!((end(&usual) - end(&rodas)).abs() < 2e-6, "{} {}", end(&usual), end(&rodas));
    let closes = |o: &Outcome| {
        let fact = o.record.facts.iter().find(|f| f.label == "energy balance closes to").unwrap();
        (fact.tone, says(o, "energy balance closes to"))
    };
    println!("{:?} {:?}", closes(&usual), closes(&rodas));
    assert_eq!((closes(&usual).0, closes(&rodas).0), (Tone::Good, Tone::Good));
}

/// What the motor puts in is what the load gains and what is lost.
#[test]
fn the_account_of_a_hoist() {
    let outcome = outcome("hoist.toml");
    let height = fact(&outcome, "height gained by `load`");
    let fallen = -change(&outcome, "counterweight.y");
    let first = |name: &str| outcome.data.columns.iter().find(|c| c.name == name).unwrap().values[0];
    let weights = 9.81 * (25.0 * height - 20.0 * fallen);
    // Rope goes from one side to the other: a piece of the height gained leaves the bottom of the one and joins that of the
    // other, and on the way sinks by their distance and by the height.
    let apart = first("load.y") - first("counterweight.y");
    let rope = 0.3 * 9.81 * height * (-apart - height);
    let put_in = change(&outcome, "energy.input");
    let lost = change(&outcome, "energy.loss");
    println!(
        "put in {put_in:.4}, weights {weights:.4}, rope {rope:.4}, lost {lost:.4} J, {apart:.4} m apart"
    );
    assert!((put_in - weights - rope - lost).abs() < 0.02, "{put_in} {weights} {rope} {lost}");
    assert!((change(&outcome, "energy.potential") - weights - rope).abs() < 0.02);
    // The rope stretches by micrometres, and the drum turns by 2 rad of 20 cm.
    assert!((height - fallen).abs() < 1e-4 && (height - 0.4).abs() < 0.01, "{height} {fallen}");
    // Damping of the strain leaves a running rope alone: what is lost is lost on the drum.
    let friction = change(&outcome, "drum.loss");
    assert!(lost > 0.002 && lost < 0.05, "{lost}");
    assert!(friction > 0.5 * lost, "{friction} of {lost}");
}

#[test]
fn laws_are_compared_on_a_hoist() {
    let laws: Vec<LawKind> = ["quinn", "cdq", "karnopp"].map(|l| LawKind::named(l).unwrap()).to_vec();
    let short = text("hoist.toml").replace("duration = \"3 s\"", "duration = \"1 s\"");
    let outcome = compare(&scenario(&short), &laws, &mut ()).unwrap();
    for law in ["cdq", "karnopp"] {
        let off = fact(&outcome, &format!("`{law}` differs from `quinn` at the ends by (RMS)"));
        assert!(off > 0.0 && off < 1e-4, "{law}: {off}");
    }
    assert!(outcome.data.columns.iter().any(|c| c.name == "karnopp.drum.loss"));
    let coulomb = [LawKind::named("coulomb").unwrap()];
    let refused = compare(&scenario(&short), &coulomb, &mut ()).unwrap_err().to_string();
    assert!(refused.contains("set-valued"), "{refused}");
}

/// The law and the numbers of the drum are those of the cable that is run, and so they stay when a number changes.
#[test]
fn another_law_reaches_the_drums_of_a_cable() {
    let hoist = scenario(&text("hoist.toml"));
    let held = |s: &Scenario| {
        let alone = s.system.cable_alone().unwrap().unwrap();
        alone.system.cable().drums[0].friction.holding_coefficient()
    };
    assert!((held(&hoist).unwrap() - 0.9 * 0.3).abs() < 1e-12, "cdq holds α μ");
    let quinn = hoist.with_law(LawKind::Quinn).unwrap();
    assert_eq!(held(&quinn), Some(0.3));
    assert_eq!(held(&quinn.with(&[("drum.law.mu_d", 0.2)]).unwrap()), Some(0.2));
    let (_, _, cdq) = hoist.laws_in_use().next().unwrap();
    assert_eq!(held(&quinn.with_law_spec("drum", cdq).unwrap()), held(&hoist));
    let refused = hoist.with_law(LawKind::Coulomb).unwrap_err().to_string();
    assert!(refused.contains("set-valued"), "{refused}");
}

#[test]
fn without_a_law_there_is_nothing_to_compare() {
    let smooth = ATWOOD.replace("law = { kind = \"quinn\", mu_d = 0.5, eps = \"1 cm/s\" }\n", "");
    let refused = compare(&scenario(&smooth), &[LawKind::Quinn], &mut ()).unwrap_err();
    assert!(refused.to_string().contains("no contact or drum with a law"), "{refused}");
    assert!(refused.hint().contains("law = {"), "{}", refused.hint());
}

#[test]
fn advice_names_a_method_and_a_law() {
    let short = text("hoist.toml").replace("duration = \"3 s\"", "duration = \"1 s\"");
    let advice = advise(&scenario(&short), 1e-3, &mut ()).unwrap();
    let words = bristle_record::render::text::record(&advice.record);
    assert!(words.contains("method") && words.contains("law"), "{words}");
    assert!(!words.contains("none reached"), "{words}");
}

/// Ten times the load on one side, hardly any friction: within a second the light end has gone over both drums.
#[test]
fn a_rope_that_runs_off_is_noticed() {
    let even = text("two_pulleys.toml").replace("mu_d = 0.25", "mu_d = 0.05");
    let (head, tail) = even.split_once("at = \"last\"").unwrap();
    let uneven = format!("{head}at = \"last\"{}", tail.replace("5 kg", "50 kg"));
    let outcome =
        run(&scenario(&uneven.replace("duration = \"3 s\"", "duration = \"1.2 s\"")), &mut ()).unwrap();
    for drum in ["driven", "idler"] {
        assert_eq!(says(&outcome, &format!("drum `{drum}` at the end")), "the cable has run off it");
    }
}
