//! The test bench and the festoon crane of Rill & Schuderer 2023, against an independent recomputation.
//!
//! `data/rill2023.json` holds samples of runs made by three other integrators. The tolerances are those at which the
//! three agree among themselves with a margin: relative 1e-5 on displacements, 1e-8 m/s and 1e-5 N on the bench; 1e-6 m,
//! 1e-5 m/s and 1e-3 N on the crane.

use bristle::cases::reading::{Find, Seek, read_off, sample};
use bristle::cases::{CaseKind, CaseOutcome, CellComparison};
use bristle::studies::simulate::column;
use bristle::{LawKind, Scenario, run};
use bristle_core::Mode;
use bristle_record::{Block, Cell, Data, Verdict};
use bristle_solve::{Dynamics, Method, Output, Solver};
use serde_json::Value;
use std::path::Path;
use std::sync::OnceLock;

/// Static friction force of the bench.
const F_S: f64 = 0.6 * 9.81;

fn reference() -> Value {
    serde_json::from_str(include_str!("../data/rill2023.json")).unwrap()
}

fn rows(value: &Value) -> Vec<Vec<f64>> {
    serde_json::from_value(value.clone()).unwrap()
}

fn scenario(text: &str) -> Scenario {
    Scenario::from_text(text, "test.toml", Path::new(".")).unwrap()
}

fn bench(law: LawKind, share: f64, rise: f64) -> Scenario {
    let base = scenario(include_str!("../../../../examples/bench.toml"));
    let other = base.with_law(law).unwrap();
    other.with(&[("push.signal.to", share * F_S), ("push.signal.duration", rise)]).unwrap()
}

fn festoon(law: LawKind) -> Scenario {
    let base = scenario(include_str!("../../../../examples/festoon.toml"));
    let other = base.with_law(law).unwrap();
    match law {
        LawKind::AdamsLike => {
            other.with(&[("rail_t1.law.d_max", 5e-5), ("rail_t2.law.d_max", 5e-5)]).unwrap()
        }
        _ => other,
    }
}

/// The outputs at the times of the reference; of two rows at a switch the later.
fn at_times(data: &Data, name: &str, times: &[f64]) -> Vec<f64> {
    let (t, y) = (column(data, "time"), column(data, name));
    times.iter().map(|time| y[t.iter().rposition(|ti| ti == time).unwrap()]).collect()
}

#[test]
fn the_bench_follows_the_recomputed_trajectories() {
    let reference = reference();
    for (name, case) in reference["bench"].as_object().unwrap() {
        let number = |key: &str| case[key].as_f64().unwrap();
        let is_static = name == "fig4_static_creep";
        let law = if is_static { LawKind::Regularised } else { LawKind::FrDyn2 };
        let rows = rows(&case["rows"]);
        let times: Vec<f64> = rows.iter().map(|r| r[0]).collect();
        let data = sample(&bench(law, number("share"), number("rise")), times.clone(), &mut ()).unwrap();
        let channels = ["block.q", "block.v", "pad.z", "pad.zdot", "pad.force"];
        let count = if is_static { 2 } else { 5 };
        for (k, channel) in channels[..count].iter().enumerate() {
            let ours = at_times(&data, channel, &times);
            for (row, ours) in rows.iter().zip(ours) {
                let theirs = row[k + 1];
                let tolerance = match k {
                    0 | 2 => 1e-5 * theirs.abs() + 1e-14,
                    // After break-away the velocity is of the order of metres per second.
                    1 | 3 => 1e-8 * theirs.abs().max(1.0),
                    _ => 1e-5,
                };
                assert!(
                    (ours - theirs).abs() <= tolerance,
                    "{name} {channel} at {}: {ours} {theirs}",
                    row[0]
                );
            }
        }
    }
}

/// The case, run once for all tests that look at it.
fn outcome() -> &'static CaseOutcome {
    static OUTCOME: OnceLock<CaseOutcome> = OnceLock::new();
    OUTCOME.get_or_init(|| CaseKind::named("rill2023").unwrap().reproduce(&mut ()).unwrap())
}

#[test]
fn every_number_agrees_with_the_recomputation_and_every_difference_has_a_reason() {
    let cells = &outcome().cells;
    assert_eq!(cells.len(), 68);
    for cell in cells {
        assert_eq!(cell.agrees_with_reference, Some(true), "{}: {}", cell.id, cell.computed);
        if cell.published.is_empty() {
            assert_eq!(cell.verdict, Verdict::AsRecomputed, "{}", cell.id);
            continue;
        }
        assert!(matches!(cell.verdict, Verdict::Agrees | Verdict::Explained), "{}", cell.id);
        let printed: f64 = cell.published.parse().unwrap();
        let is_near = (cell.computed - printed).abs() <= cell.tolerance.unwrap() * (1.0 + 1e-9);
        assert_eq!(cell.verdict == Verdict::Agrees, is_near, "{}", cell.id);
    }
    let exact = cells.iter().filter(|c| c.basis == bristle::cases::Basis::Exact);
    let comes_out = |c: &CellComparison| matches!(c.verdict, Verdict::Agrees | Verdict::AsRecomputed);
    assert!(exact.clone().count() == 22 && exact.clone().all(comes_out));
}

/// Some method of ours needs no more evaluations of the rates than CVODE with a Jacobian does for the same error; the
/// report shows `auto` beside it, which is dearer on most runs.
#[test]
fn a_method_of_ours_reaches_the_error_of_cvode_with_fewer_evaluations() {
    let section = outcome().record.sections.iter().find(|s| s.heading == "Cost").unwrap();
    let tables = section.blocks.iter().filter_map(|block| match block {
        Block::Table(table) => Some(table),
        _ => None,
    });
    let rates = |text: &str| -> usize { text.split('/').nth(1).unwrap().trim().parse().unwrap() };
    let rows: Vec<_> = tables.flat_map(|t| &t.rows).collect();
    assert_eq!(rows.len(), 7);
    for row in rows {
        let [theirs, ours] = [3, 5].map(|i| rates(&row[i].markup()));
        let [goal, error] = [4, 6].map(|i| match row[i] {
            Cell::Number { value, .. } => value,
            _ => f64::NAN,
        });
        assert!(ours <= theirs && error <= goal, "{row:?}");
    }
}

#[test]
fn every_figure_is_drawn() {
    let figures = outcome().record.figures();
    let ids: Vec<&str> = figures.iter().map(|f| f.id()).collect();
    assert_eq!(ids, ["3", "4", "5", "6", "7", "8", "9", "11", "12"].map(|n| format!("figure-{n}")));
}

/// The load is held to rounding. One unit in the last place of 5.8 N is a velocity of 1e-19 m/s on the flat end of the
/// curve, which is all that is left to see after a million seconds.
#[test]
fn a_load_is_held_for_good() {
    let scenario = bench(LawKind::FrDyn2, 0.99, 30.0);
    let (system, p) = (&scenario.system, scenario.system.params());
    let mut integrator = system.integrator(p, &scenario.solver).unwrap();
    integrator.reset(&system.initial(p)).unwrap();
    let place = (0..system.dim()).find(|&i| system.state_name(i) == "block.q").unwrap();
    let mut u = Vec::new();
    for t in [50.0, 300.0, 1e6] {
        integrator.advance(t, &mut ()).unwrap();
        u.push(integrator.state().x[place]);
    }
    assert!((u[1] - u[0]).abs() < 1e-16 && (u[2] - u[0]).abs() < 1e-12, "{u:?}");
    assert!(integrator.statistics().steps < 200);
}

#[test]
fn friction_falls_at_the_recomputed_times() {
    let falls = rows(&reference()["fig5_falls"]);
    let scenario = bench(LawKind::FrDyn2, 1.05, 10.0);
    let questions: Vec<Find> =
        falls.iter().map(|row| Find::new(Seek::Falls(row[0]), |at| at.get("pad.force"))).collect();
    let run = read_off(&scenario, 9.0, &questions, &mut ()).unwrap();
    for (k, row) in falls.iter().enumerate() {
        assert!((run.first(k).t - row[1]).abs() < 2e-6, "{row:?} {:?}", run.first(k));
    }
}

#[test]
fn the_body_turns_at_the_recomputed_times() {
    let reference = reference();
    for (name, turns) in reference["fig6_turns"].as_object().unwrap() {
        let rise: f64 = name.trim_start_matches("te_").parse().unwrap();
        let questions = [Seek::Falls(0.0), Seek::Rises(0.0)]
            .map(|seek| Find::new(seek, |at| at.get("block.v")).within(0.5 * rise, 1.0));
        let run = read_off(&bench(LawKind::FrDyn2, 0.95, rise), rise + 0.01, &questions, &mut ()).unwrap();
        for (k, theirs) in turns.as_array().unwrap().iter().enumerate() {
            assert!(
                (run.first(k).t - theirs.as_f64().unwrap()).abs() < 1e-7,
                "{name} {k} {:?}",
                run.first(k)
            );
        }
    }
}

#[test]
fn the_crane_follows_the_recomputed_trajectories() {
    let reference = reference();
    let names: Vec<String> = serde_json::from_value(reference["festoon_columns"].clone()).unwrap();
    let channels = [
        ("xT1", "t1.q", 1.0),
        ("xT2", "t2.q", 1.0),
        ("xC1", "c1.x", 1.0),
        ("zC1", "c1.y", -1.0),
        ("xC2", "c2.x", 1.0),
        ("zC2", "c2.y", -1.0),
        ("xC3", "c3.x", 1.0),
        ("zC3", "c3.y", -1.0),
        ("vT1", "t1.v", 1.0),
        ("vT2", "t2.v", 1.0),
        ("N1", "rail_t1.load", 1.0),
        ("N2", "rail_t2.load", 1.0),
        ("R1", "rail_t1.force", 1.0),
        ("R2", "rail_t2.force", 1.0),
    ];
    // Their joint friction model ran with half-converged forces, and no velocity tolerance is stated for it.
    for (law, x, v, f) in [
        (LawKind::FrDyn2, 1e-6, 1e-5, 1e-3),
        (LawKind::SimpackLike, 1e-6, 1e-5, 1e-3),
        (LawKind::AdamsLike, 1e-6, 1e-4, 1e-2),
    ] {
        let rows = rows(&reference["festoon"][law.card().name]);
        let times: Vec<f64> = rows.iter().map(|r| r[0]).collect();
        let data = sample(&festoon(law), times.clone(), &mut ()).unwrap();
        for (name, channel, sign) in channels {
            let column = names.iter().position(|n| n == name).unwrap();
            let tolerance = match name.as_bytes()[0] {
                b'x' | b'z' => x,
                b'v' => v,
                _ => f,
            };
            for (row, ours) in rows.iter().zip(at_times(&data, channel, &times)) {
                let theirs = sign * row[column];
                let gap = (ours - theirs).abs();
                assert!(gap <= tolerance, "{} {name} at {}: {ours} {theirs}", law.card().name, row[0]);
            }
        }
    }
}

#[test]
fn the_hybrid_crane_switches_at_the_recomputed_times() {
    let reference = reference();
    let run = read_off(&festoon(LawKind::SimpackLike), 10.0, &[], &mut ()).unwrap();
    assert_eq!(Some(run.events.len() as u64), reference["festoon_simpack_event_count"].as_u64());
    for row in rows(&reference["festoon_simpack_events"]) {
        let guard = row[1] as usize - 1;
        let found = run.events.iter().any(|e| {
            let now_sticks = e.after.mode[guard] == Mode::Stick;
            e.guard == guard && (e.t - row[0]).abs() < 1e-6 && now_sticks == (row[3] == 0.0)
        });
        assert!(found, "{row:?}");
    }
}

/// A body on a table under forces in two directions.
fn table(force: [&str; 2], start: &str) -> Scenario {
    scenario(&format!(
        r#"
[parts.body]
kind = "planar_mass"
mass = "1 kg"
{start}
[parts.px]
kind = "force"
on = "body"
signal = {}
[parts.py]
kind = "force"
on = "body"
direction = "y"
signal = {}
[parts.pad]
kind = "planar_contact"
between = ["body", "ground"]
load = "9.81 N"
law = {{ kind = "frdyn2", mu_s = 0.6, mu_d = 0.3, v_s = "1 mm/s", v_d = "10 mm/s", sigma0 = "5e6 N/m", sigma1 = "3192.75 N s/m" }}
[studies.run]
kind = "simulate"
duration = "0.2 s"
"#,
        force[0], force[1]
    ))
}

/// With the same steps in every direction only rounding is left: the law itself knows no direction.
#[test]
fn friction_in_the_plane_knows_no_direction() {
    let scalar_u = reference()["planar"]["scalar_u"].as_f64().unwrap();
    let solver = Solver {
        method: Method::Dop853,
        rtol: 1e-2,
        atol: 1e-2,
        h_first: Some(2e-6),
        h_max: Some(2e-6),
        ..Solver::default()
    };
    let along = |degrees: f64, solver: &Solver| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let push = |share: f64| {
            format!(r#"{{ kind = "smooth_step", to = "{} N", duration = "1 ms" }}"#, 0.95 * F_S * share)
        };
        let scenario = table([&push(cos), &push(sin)], "");
        let system = &scenario.system;
        let end = system.run(solver, 0.01132825, &Output::Ends, &mut ()).unwrap().end;
        let state = |name: &str| end.x[(0..system.dim()).find(|&i| system.state_name(i) == name).unwrap()];
        let (x, y) = (state("body.q"), state("body.y"));
        (x * cos + y * sin, y * cos - x * sin)
    };
    let (rest, _) = along(45.0, &Solver::with_tolerance(1e-11));
    assert!((rest / scalar_u - 1.0).abs() < 1e-8, "{rest}");
    let (first, _) = along(0.0, &solver);
    for degrees in [30.0, 45.0, 137.0] {
        let (u, across) = along(degrees, &solver);
        assert!((u / first - 1.0).abs() < 1e-12 && across.abs() < 1e-12 * first, "{degrees}: {u} {across}");
    }
}

#[test]
fn a_body_slides_to_rest_and_holds_its_side_load() {
    let steady = |n: &str| format!(r#"{{ kind = "constant", value = "{n} N" }}"#);
    let scenario = table([&steady("0"), &steady("2")], "vx = \"0.1 m/s\"\nvy = \"0.05 m/s\"");
    let rows = rows(&reference()["planar"]["slide_to_rest"]);
    let times: Vec<f64> = rows.iter().map(|r| r[0]).collect();
    let data = sample(&scenario, times.clone(), &mut ()).unwrap();
    let channels = ["body.x", "body.y", "body.vx", "body.vy", "pad.zx", "pad.zy", "pad.zdotx", "pad.zdoty"];
    for (k, channel) in channels.into_iter().enumerate() {
        let tolerance = if k < 4 { 1e-8 } else { 1e-11 };
        for (row, ours) in rows.iter().zip(at_times(&data, channel, &times)) {
            assert!((ours - row[k + 1]).abs() < tolerance, "{channel} at {}: {ours} {}", row[0], row[k + 1]);
        }
    }
    let last = |name: &str| *column(&data, name).last().unwrap();
    assert!((last("pad.force_x")).abs() < 1e-9 && (last("pad.force_y") - 2.0).abs() < 1e-9);
    let outcome = run(&scenario, &mut ()).unwrap();
    let balance = outcome.record.facts.iter().find(|f| f.label == "energy balance closes to").unwrap();
    assert_eq!(balance.tone, bristle_record::Tone::Good, "{balance:?}");
    let facts = format!("{:?}", outcome.record.facts);
    assert!(facts.contains("comes to rest and holds"), "{facts}");
}

/// A load of 90 % of the limit that turns round and round: no drift once the motion repeats.
#[test]
fn a_turning_load_does_not_walk_the_body() {
    let a = 0.9 * F_S;
    let turn = |phase: &str| {
        format!(
            r#"{{ kind = "sine", amplitude = "{a} N", frequency = "20 1/s", phase = "{phase}", start = "0.1 s" }}"#
        )
    };
    // Up to 0.9 F_s along x first; the cosine then begins at its top, so its step at the start is taken off again.
    let x = format!(
        r#"{{ kind = "sum", terms = [{{ kind = "smooth_step", to = "{a} N", duration = "0.1 s" }}, {}, {{ kind = "smooth_step", to = "-{a} N", start = "0.1 s", duration = "1e-9 s" }}] }}"#,
        turn("90 deg")
    );
    let scenario = table([&x, &turn("0 deg")], "");
    let times: Vec<f64> = (2..=24).map(|i| 0.05 * f64::from(i)).collect();
    let data = sample(&scenario, times, &mut ()).unwrap();
    for name in ["body.x", "body.y"] {
        let q = column(&data, name);
        let n = q.len();
        let drift = (q[n - 1] - q[n - 6]) / 5.0;
        assert!(drift.abs() < 1e-15, "{name}: {drift}");
    }
}

#[test]
fn only_a_law_with_a_plane_form_goes_under_a_planar_contact() {
    let scenario = table([r#"{ kind = "constant", value = "1 N" }"#; 2], "");
    let message = scenario.with_law(LawKind::Karnopp).unwrap_err().to_string();
    assert!(message.contains("no form for sliding in the plane"), "{message}");
}

/// Repeated pulses below break-away walk the body backwards, and the user is told by how much.
#[test]
fn tip_creep_over_load_cycles_is_reported() {
    for row in rows(&reference()["pulse_creep"]) {
        let [share, period, theirs] = [row[0], row[1], row[2]];
        let mut scenario = scenario(&format!(
            r#"
[parts.block]
kind = "mass"
mass = "1 kg"
[parts.push]
kind = "force"
on = "block"
signal = {{ kind = "sine", mean = "{m} N", amplitude = "{m} N", frequency = "{f} 1/s", phase = "-90 deg" }}
[parts.pad]
kind = "contact"
between = ["block", "ground"]
load = "9.81 N"
law = {{ kind = "frdyn2", mu_s = 0.6, mu_d = 0.3, v_s = "1 mm/s", v_d = "10 mm/s", sigma0 = "5e6 N/m", sigma1 = "3192.75 N s/m" }}
[studies.run]
kind = "simulate"
duration = "{d} s"
"#,
            m = 0.5 * share * F_S,
            f = 1.0 / period,
            d = 10.5 * period,
        ));
        scenario.solver.atol = 1e-10;
        let outcome = run(&scenario, &mut ()).unwrap();
        let fact = outcome.record.facts.iter().find(|f| f.label.starts_with("tip creep")).unwrap();
        let text = fact.value.markup();
        let ours: f64 = text.split_whitespace().next().unwrap().parse().unwrap();
        assert!((ours / theirs - 1.0).abs() < 0.01, "{share} {period}: {ours} {theirs}");
    }
}

#[test]
fn a_coarse_absolute_tolerance_and_velocities_out_of_order_are_told() {
    let text = include_str!("../../../../examples/bench.toml");
    assert!(scenario(text).warnings().is_empty());
    let coarse = scenario(&format!("{text}\n[solver]\natol = 0.01\n"));
    assert!(coarse.warnings()[0].contains("solver.atol is 1e-2 of the bristle deflection"));
    let swapped = text.replace("v_d = \"10 mm/s\"", "v_d = \"1 mm/s\"");
    let error = Scenario::from_text(&swapped, "bench.toml", Path::new(".")).unwrap_err();
    assert!(format!("{error}").contains("dynamic velocity must lie above"), "{error}");
}
