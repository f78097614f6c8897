//! Studies of stability and cycles on shipped scenarios, cross-checked by direct simulation.

use bristle::{Outcome, Scenario, run};
use bristle_record::{Cell, Value};
use std::path::Path;

fn text(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

fn outcome(text: &str, name: &str) -> Outcome {
    let scenario = Scenario::from_text(text, name, ".".as_ref()).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    run(&scenario, &mut ()).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The parts of a shipped scenario with another question.
fn asked(name: &str, studies: &str) -> Outcome {
    let text = text(name);
    let parts = &text[..text.find("[studies").unwrap()];
    outcome(&format!("{parts}{studies}"), name)
}

fn words(outcome: &Outcome, label: &str) -> String {
    let fact = outcome.record.facts.iter().find(|f| f.label.starts_with(label));
    fact.unwrap_or_else(|| panic!("no fact `{label}`: {:#?}", outcome.record.facts)).value.markup()
}

fn value(outcome: &Outcome, label: &str) -> f64 {
    let fact = outcome.record.facts.iter().find(|f| f.label.starts_with(label));
    let Some(Value::Number { value, .. }) = fact.map(|f| &f.value) else {
        panic!("no number `{label}`: {:#?}", outcome.record.facts)
    };
    *value
}

fn column<'a>(outcome: &'a Outcome, name: &str) -> &'a [f64] {
    &outcome.data.columns.iter().find(|c| c.name == name).unwrap().values
}

/// Mean distance of the upward zero crossings of a velocity over the second half of a long run.
fn simulated_period(name: &str, body: &str, duration: f64) -> f64 {
    let study = format!("[studies.run]\nkind = \"simulate\"\nduration = \"{duration} s\"\nstep = \"1 ms\"\n");
    let outcome = asked(name, &study);
    let (t, v) = (column(&outcome, "time"), column(&outcome, &format!("{body}.v")));
    let half = t.len() / 2;
    let falls: Vec<f64> = (half..t.len() - 1)
        .filter(|&i| v[i] > 0.0 && v[i + 1] <= 0.0 && t[i + 1] > t[i])
        .map(|i| t[i] + (t[i + 1] - t[i]) * v[i] / (v[i] - v[i + 1]))
        .collect();
    (falls[falls.len() - 1] - falls[0]) / (falls.len() - 1) as f64
}

/// A cycle found by shooting has the period of the motion that settles on it.
#[test]
fn cycles_of_six_laws_and_two_masses_are_what_motions_settle_to() {
    for (name, body) in [
        ("cycle_lugre.toml", "block"),
        ("cycle_velocity_based.toml", "block"),
        ("cycle_frdyn2.toml", "block"),
        ("cycle_gonthier.toml", "block"),
        ("cycle_coulomb.toml", "block"),
        ("cycle_two_mass.toml", "front"),
    ] {
        let found = asked(name, "[studies.cycle]\nkind = \"orbit\"\nmultiplicities = [1]\n");
        let period = value(&found, "period of the period-1 cycle");
        let simulated = simulated_period(name, body, 40.0);
        assert!((period / simulated - 1.0).abs() < 1e-5, "{name}: {period} against {simulated}");
    }
}

/// The closed form: slip for `(2/ω)(π − atan(Aω/v))`, stick for `2A/v`, `A = (F_s − F_d)/k`.
#[test]
fn the_coulomb_cycle_has_its_closed_form() {
    let found = asked("cycle_coulomb.toml", "[studies.cycle]\nkind = \"orbit\"\nmultiplicities = [1]\n");
    let (omega, v, a) = (10.0_f64, 0.1, 0.1);
    let closed = 2.0 / omega * (std::f64::consts::PI - (a * omega / v).atan()) + 2.0 * a / v;
    let period = value(&found, "period of the period-1 cycle");
    assert!((period / closed - 1.0).abs() < 1e-9, "{period} against {closed}");
}

/// Below the onset a small kick grows, above it dies away; the onset lies between.
#[test]
fn onsets_are_confirmed_by_simulation() {
    for name in ["cycle_lugre.toml", "cycle_velocity_based.toml", "cycle_frdyn2.toml", "cycle_two_mass.toml"]
    {
        let branch = "[studies.speed]\nkind = \"branch\"\nparameter = \"belt.v\"\nfrom = \"0.3 m/s\"\nto = \"0.8 m/s\"\n";
        let found = asked(name, branch);
        let label = &found.record.facts.iter().find(|f| f.label.starts_with("onset at")).unwrap().label;
        let onset: f64 = label.split(" = ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        let text = text(name);
        for (factor, grows) in [(0.97, true), (1.03, false)] {
            let speed = format!("{} m/s", onset * factor);
            let mut scenario = Scenario::from_text(&text, name, ".".as_ref()).unwrap();
            scenario.system.set_param("belt.v", onset * factor);
            let p = bristle_solve::Dynamics::params(&scenario.system).to_vec();
            let rest = bristle::analysis::steady(&scenario.system, &p).unwrap();
            assert_eq!(rest.is_stable(), !grows, "{name} at {speed}");
            let q = bristle::analysis::first_position(&scenario.system).unwrap();
            let mut x = rest.x.clone();
            x[q] += 1e-6;
            let state = bristle_solve::State { t: 0.0, x, mode: rest.mode.clone() };
            let output = bristle_solve::Output::Grid { step: 1e-2 };
            let run = scenario.system.run_from(&scenario.solver, &p, state, 40.0, &output, &mut ()).unwrap();
            let swing = |from: usize, to: usize| {
                (from..to).map(|i| (run.samples.row(i)[q] - rest.x[q]).abs()).fold(0.0, f64::max)
            };
            let n = run.samples.len();
            let (early, late) = (swing(n / 40, n / 8), swing(7 * n / 8, n));
            assert_eq!(late > early, grows, "{name} at {speed}: {early} then {late}");
        }
    }
}

#[test]
fn dahl_slides_stably_and_every_motion_dies_away() {
    let found = outcome(&text("cycle_dahl.toml"), "cycle_dahl.toml");
    assert!(words(&found, "steady state").starts_with("stable"), "{}", words(&found, "steady state"));
    assert_eq!(words(&found, "steady state over"), "stable throughout the range");
    assert_eq!(words(&found, "motions over"), "every motion comes to rest");
}

#[test]
fn the_belt_with_dwell_time_is_bistable() {
    let study = "[studies.s]\nkind = \"sweep\"\nparameter = \"belt.v\"\nfrom = \"3.4 m/s\"\nto = \"6.4 m/s\"\npoints = 4\ntransient = 120\nwindow = 20\nlyapunov = 20\n";
    let found = asked("belt_dwell.toml", study);
    let band = words(&found, "two attractors");
    assert!(
        band.starts_with("from 3.4 m/s to 5.4 m/s") || band.starts_with("from 3.4 m/s to 4.4 m/s"),
        "{band}"
    );
}

/// A sweep that was interrupted goes on from its file and ends with the same numbers.
#[test]
fn an_interrupted_sweep_goes_on() {
    struct Stop(usize);
    impl bristle::Progress for Stop {
        fn begin(&mut self, _: &str) {}
        fn at(&mut self, fraction: f64) -> bool {
            self.0 += usize::from(fraction > 0.2);
            self.0 == 0
        }
    }
    let store = std::env::temp_dir().join(format!("bristle-sweep-{}.cells", std::process::id()));
    let ask_from = |from: &str, points: usize, store: &str| {
        let text = text("cycle_lugre.toml");
        let parts = &text[..text.find("[studies").unwrap()];
        let study = format!(
            "[studies.s]\nkind = \"sweep\"\nparameter = \"belt.v\"\nfrom = \"{from}\"\nto = \"0.3 m/s\"\npoints = {points}\ntransient = 60\nwindow = 12\n{store}"
        );
        Scenario::from_text(&format!("{parts}{study}"), "s.toml", ".".as_ref()).unwrap()
    };
    let ask = |store: &str| ask_from("0.1 m/s", 5, store);
    let numbers = |o: &Outcome| o.data.columns.iter().map(|c| c.values.clone()).collect::<Vec<_>>();
    let there = format!("store = \"{}\"", store.display());
    let stored = ask(&there);
    let first = run(&stored, &mut Stop(0)).unwrap();
    // Another sweep with the same file takes none of these cells for its own.
    let other = run(&ask_from("0.12 m/s", 3, &there), &mut ()).unwrap();
    let alone = run(&ask_from("0.12 m/s", 3, ""), &mut ()).unwrap();
    assert_eq!(format!("{:?}", numbers(&other)), format!("{:?}", numbers(&alone)));
    other.stores.iter().for_each(|store| store.discard().unwrap());
    let second = run(&stored, &mut ()).unwrap();
    let whole = run(&ask(""), &mut ()).unwrap();
    assert!(first.stopped_early && first.stores.is_empty(), "what is not finished is not given up");
    assert!(!second.stopped_early && store.exists(), "the cells stay until the results are safe");
    second.stores.iter().for_each(|store| store.discard().unwrap());
    assert!(!store.exists());
    assert!(first.data.columns[0].values.len() <= second.data.columns[0].values.len());
    assert_eq!(format!("{:?}", numbers(&second)), format!("{:?}", numbers(&whole)));
}

#[test]
fn stages_of_the_published_cycle() {
    let study =
        "[studies.s]\nkind = \"stages\"\nduration = \"40 s\"\ntransient = \"20 s\"\nstep = \"0.5 ms\"\n";
    let found = asked("belt_dwell.toml", study);
    for (label, expected) in
        [("mean stick", 0.6267), ("mean acceleration", 0.3672), ("mean deceleration", 0.15396)]
    {
        assert!((value(&found, label) - expected).abs() < 1.5e-3, "{label}: {}", value(&found, label));
    }
}

#[test]
fn a_misspelt_parameter_is_shown_with_a_suggestion() {
    let text = text("cycle_lugre.toml").replace("parameter = \"belt.v\"", "parameter = \"belt.w\"");
    let error = Scenario::from_text(&text, "s.toml", ".".as_ref()).unwrap_err();
    assert_eq!(error.to_string(), "there is no parameter called `belt.w`");
    assert!(format!("{error:?}").contains("did you mean `belt.v`?"), "{error:?}");
    let text = text.replace("belt.w", "belt.v").replace("to = \"0.8 m/s\"", "to = \"0.8 kg\"");
    let error = Scenario::from_text(&text, "s.toml", ".".as_ref()).unwrap_err();
    assert!(error.to_string().starts_with("`to`:"), "{error}");
}

#[test]
fn the_squealing_slide_is_unstable_now_and_quiet_with_more_damping() {
    let now = asked("squeal.toml", "[studies.now]\nkind = \"steady\"\n");
    assert!(words(&now, "steady state").starts_with("unstable"));
    let text = text("squeal.toml").replace("d = \"20 N s/m\"", "d = \"300 N s/m\"");
    let parts = &text[..text.find("[studies").unwrap()];
    let later = outcome(&format!("{parts}[studies.now]\nkind = \"steady\"\n"), "squeal.toml");
    assert!(words(&later, "steady state").starts_with("stable"));
    let map = asked(
        "squeal.toml",
        "[studies.m]\nkind = \"map\"\nx = \"guide.v\"\nx_from = \"5 mm/s\"\nx_to = \"200 mm/s\"\ny = \"loss.d\"\ny_from = \"1 N s/m\"\ny_to = \"300 N s/m\"\ncolumns = 30\nrows = 30\n",
    );
    let caption = |t: &bristle_record::Table| t.caption == "Points of the boundary";
    let blocks = map.record.sections.iter().flat_map(|s| &s.blocks);
    let mut tables =
        blocks.filter_map(|b| if let bristle_record::Block::Table(t) = b { Some(t) } else { None });
    let table = tables.find(|t| caption(t)).unwrap();
    assert!(table.rows.iter().any(|r| matches!(&r[4], Cell::Text { text } if text == "subcritical")));
}

/// A block that dry friction holds has no equilibrium among others: the answer is a sentence and a way out.
#[test]
fn a_machine_in_which_nothing_moves_is_told_so() {
    let text = "[parts.weight]\nkind = \"gravity\"\nangle = \"15 deg\"\n[parts.block]\nkind = \"mass\"\nmass = \"2 kg\"\n\
                [parts.floor]\nkind = \"contact\"\nbetween = [\"block\", \"ground\"]\nlaw = { kind = \"coulomb\" }\n\
                [studies.steady]\nkind = \"steady\"\n";
    let scenario = Scenario::from_text(text, "held.toml", ".".as_ref()).unwrap();
    let error = run(&scenario, &mut ()).err().unwrap();
    assert!(error.to_string().contains("nothing here moves"), "{error}");
    assert!(error.hint().contains("`simulate`"), "{}", error.hint());
}

/// Time is in the equations or it is not, whenever a signal changes: a push that begins late is refused as an early one is, and a signal
/// that never changes is none.
#[test]
fn a_push_that_begins_late_is_seen() {
    let asked = |signal: &str| {
        let text = format!(
            "[parts.block]\nkind = \"mass\"\nmass = \"1 kg\"\n[parts.belt]\nkind = \"drive\"\nv = \"0.1 m/s\"\n\
             [parts.tie]\nkind = \"spring\"\nbetween = [\"block\", \"ground\"]\nk = \"100 N/m\"\n\
             [parts.pad]\nkind = \"contact\"\nbetween = [\"block\", \"belt\"]\nload = \"10 N\"\nlaw = {{ kind = \"lugre\" }}\n\
             [parts.push]\nkind = \"force\"\non = \"block\"\nsignal = {{ {signal} }}\n\
             [studies.steady]\nkind = \"steady\"\n"
        );
        let scenario = Scenario::from_text(&text, "push.toml", ".".as_ref()).unwrap();
        run(&scenario, &mut ()).err().map(|e| e.to_string())
    };
    for start in [0.05, 5.0, 500.0] {
        let step = format!("kind = \"smooth_step\", to = \"1 N\", start = \"{start} s\", duration = \"1 s\"");
        let refused = asked(&step).unwrap_or_default();
        assert!(refused.contains("time"), "at {start} s: {refused}");
    }
    assert_eq!(asked("kind = \"constant\", value = \"1 N\""), None);
    assert_eq!(asked("kind = \"sine\", amplitude = \"0 N\", frequency = \"1 Hz\""), None);
}
