//! Every shipped scenario runs, and its facts hold.

use bristle::{Outcome, Scenario, run};
use bristle_record::{Block, Cell, Table, Value};
use std::path::Path;

fn scenario(name: &str) -> Scenario {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    Scenario::from_file(&folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e:?}"))
}

fn outcome(name: &str) -> Outcome {
    run(&scenario(name), &mut ()).unwrap()
}

/// The same with a piece of the file replaced.
fn changed(name: &str, from: &str, to: &str) -> Outcome {
    let text = scenario(name).text;
    assert!(text.contains(from));
    let scenario = Scenario::from_text(&text.replace(from, to), name, ".".as_ref()).unwrap();
    run(&scenario, &mut ()).unwrap()
}

fn fact(outcome: &Outcome, label: &str) -> f64 {
    let fact = outcome.record.facts.iter().find(|f| f.label == label);
    let Some(Value::Number { value, .. }) = fact.map(|f| &f.value) else { panic!("no fact `{label}`") };
    *value
}

fn table<'a>(outcome: &'a Outcome, caption: &str) -> &'a Table {
    let blocks = outcome.record.sections.iter().flat_map(|s| &s.blocks);
    let mut tables = blocks.filter_map(|b| if let Block::Table(t) = b { Some(t) } else { None });
    tables.find(|t| t.caption == caption).unwrap_or_else(|| panic!("no table `{caption}`"))
}

fn number(cell: &Cell) -> f64 {
    let Cell::Number { value, .. } = cell else { panic!("not a number: {cell:?}") };
    *value
}

fn column<'a>(outcome: &'a Outcome, name: &str) -> &'a [f64] {
    &outcome.data.columns.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no output {name}")).values
}

fn last(outcome: &Outcome, name: &str) -> f64 {
    *column(outcome, name).last().unwrap()
}

/// |E − E₀ − W_in + ΣW_f| over the turnover.
fn energy_gap(outcome: &Outcome) -> f64 {
    let change = |name: &str| last(outcome, name) - column(outcome, name)[0];
    let [kinetic, potential, input, loss] =
        ["energy.kinetic", "energy.potential", "energy.input", "energy.loss"].map(change);
    let start = column(outcome, "energy.kinetic")[0] + column(outcome, "energy.potential")[0];
    (kinetic + potential - input + loss).abs() / input.abs().max(loss).max(start.abs())
}

#[track_caller]
fn close(found: f64, expected: f64, relative: f64) {
    assert!((found - expected).abs() <= relative * expected.abs(), "{found} against {expected}");
}

/// The closed form: stick until `F_s/(k v)`, slip for `(2/ω)(π − atan(Aω/v))`, stick again for `2A/v`, with
/// `A = (F_s − F_d)/k`; the stretch swings between `F_d/k ± √(A² + (v/ω)²)`.
#[test]
fn belt() {
    let outcome = outcome("belt.toml");
    close(fact(&outcome, "first slip at `pad`"), 23.544, 1e-9);
    close(fact(&outcome, "last slip lasts at `pad`"), 5.421_265_683_117_23, 1e-9);
    close(fact(&outcome, "last period at `pad`"), 13.269_265_683_117_23, 1e-9);
    close(fact(&outcome, "loss in the last cycle at `pad`"), 650.857_481_756_9, 1e-9);
    let row = &table(&outcome, "Extremes").rows[0];
    close(number(&row[1]), 11.895_532_066_404_2, 1e-9);
    assert!(number(&row[3]).abs() < 1e-12, "the block starts at zero");
    let slips = &table(&outcome, "Slips at `pad`").rows;
    close(number(&slips[1][0]), 36.813_265_683_117_23, 1e-9);
    assert!(energy_gap(&outcome) < 1e-8);
}

/// From the cycle on, the smallest stretch is that of the closed form.
#[test]
fn belt_from_the_first_slip_on() {
    let start = "mass = \"20 kg\"\nq = \"11.772 m\"";
    let outcome = changed("belt.toml", "mass = \"20 kg\"", start);
    let row = &table(&outcome, "Extremes").rows[0];
    close(number(&row[1]), 11.895_532_066_404_2, 1e-9);
    close(number(&row[3]), 7.724_467_933_595_8, 1e-9);
}

/// `s = v²/(2a)` within `v/a`, `a = g (μ_d cos θ − sin θ)`.
#[test]
fn incline() {
    let outcome = outcome("incline.toml");
    let angle = 15f64.to_radians();
    let a = 9.81 * (0.4 * angle.cos() - angle.sin());
    close(last(&outcome, "block.q"), 0.5 / a, 1e-9);
    assert_eq!(last(&outcome, "block.v"), 0.0);
    let stop = outcome.data.columns[0].values.windows(2).find(|w| w[0] == w[1]).unwrap()[0];
    close(stop, 1.0 / a, 1e-9);
    assert!(energy_gap(&outcome) < 1e-8);
}

/// Rest position, largest deflection and force of the published pulse, from an independent integration.
#[test]
fn bench() {
    let outcome = outcome("bench.toml");
    close(last(&outcome, "block.q"), 2.272_755_626_6e-6, 1e-5);
    close(number(&table(&outcome, "Extremes").rows[0][1]), 2.331_736_461_8e-6, 1e-5);
    let force = column(&outcome, "pad.force").iter().fold(0.0, |m: f64, f| m.max(*f));
    assert!((5.88..=5.886 + 1e-9).contains(&force), "{force}");
    assert!(energy_gap(&outcome) < 1e-8);
}

/// Four switches, then rest for good: the motion is harmonic in every phase.
#[test]
fn stack() {
    for duration in ["5 s", "1004 s"] {
        let outcome = changed("stack.toml", "duration = \"5 s\"", &format!("duration = \"{duration}\""));
        let mut switches: Vec<f64> =
            outcome.data.columns[0].values.windows(2).filter(|w| w[0] == w[1]).map(|w| w[0]).collect();
        switches.dedup();
        let expected = [0.613433978906, 1.036326700045, 2.183474141954, 3.330621583864];
        let switches: Vec<f64> = switches.into_iter().filter(|t| *t > 0.0).collect();
        assert_eq!(switches.len(), expected.len(), "{switches:?}");
        for (found, expected) in switches.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-8, "{found} against {expected}");
        }
        for (name, expected) in [("top.q", -0.06677739), ("middle.q", -0.46275111), ("bottom.q", 0.0)] {
            assert!((last(&outcome, name) - expected).abs() < 1e-8, "{name}: {}", last(&outcome, name));
        }
        assert!(energy_gap(&outcome) < 1e-8);
    }
}

/// LuGre walks by about 6 mm per cycle; an elastic range stops that, and a set-valued law does not move at all.
#[test]
fn presliding() {
    let lugre = outcome("presliding.toml");
    close(last(&lugre, "block.q"), 0.160_611_949, 1e-6);
    assert!(energy_gap(&lugre) < 1e-8);
    let from = "{ kind = \"lugre\", F_d = \"1 N\", F_s = \"1.1 N\", v_s = \"0.01 m/s\", gamma = 1, sigma0 = \"100 N/m\", sigma1 = \"2 N s/m\" }";
    let coulomb = changed("presliding.toml", from, "{ kind = \"coulomb\", F_d = \"1 N\", F_s = \"1.1 N\" }");
    close(last(&coulomb, "block.q"), 0.008_697_188, 1e-6);
}

/// The first second of the published run, and the energy balance of all six.
#[test]
fn belt_dwell() {
    let outcome = outcome("belt_dwell.toml");
    let at = |time: f64| {
        let i = outcome.data.columns[0].values.iter().position(|t| (t - time).abs() < 1e-9).unwrap();
        column(&outcome, "block.q")[i]
    };
    close(at(0.75), AT_750_MS, 1e-8);
    close(at(3.0), AT_3_S, 1e-7);
    assert!(energy_gap(&outcome) < 1e-8);
}

const AT_750_MS: f64 = 0.25107883165653017;
const AT_3_S: f64 = 0.25544593368941404;

/// Where the trolleys end, from an independent integration of the same set.
#[test]
fn festoon() {
    let outcome = outcome("festoon.toml");
    assert!((last(&outcome, "t1.q") - 1.849_292_4).abs() < 2e-6, "{}", last(&outcome, "t1.q"));
    assert!((last(&outcome, "t2.q") - 3.705_366_3).abs() < 2e-6, "{}", last(&outcome, "t2.q"));
    let times = column(&outcome, "time");
    for (time, expected) in [(6.45, 1.062_147_154_4), (6.48, -1.064_254_115_2)] {
        let i = times.iter().position(|t| (t - time).abs() < 1e-9).unwrap();
        let found = column(&outcome, "rail_t1.force")[i];
        assert!((found - expected).abs() < 1e-6, "{found} against {expected} at {time} s");
    }
}

/// The string is wound up until it turns with `μ_s n r`: `k ω t = 0.6 · 100 kN · 0.1 m`. A faster table ends the stick–slip.
#[test]
fn a_drill_string_winds_up_and_lets_go() {
    let outcome = outcome("drill_string.toml");
    let speed = 60.0 * std::f64::consts::PI / 30.0;
    close(fact(&outcome, "first slip at `rock`"), 6000.0 / (475.0 * speed), 1e-6);
    let fastest = column(&outcome, "bit.speed").iter().fold(0.0, |m: f64, v| m.max(*v));
    assert!(fastest > 1.8 * speed && fastest < 3.5 * speed, "{fastest}");
    assert!(energy_gap(&outcome) < 1e-7);
    // Seen from the table it comes back: in a period the string is wound up as far as the bit turns.
    let period = fact(&outcome, "last period at `rock`");
    let slips = table(&outcome, "Slips at `rock`");
    let row = slips.rows.last().unwrap();
    close(number(&row[2]) / 0.1, speed * period, 1e-5);
    let steady = changed("drill_string.toml", "\"60 rpm\"", "\"220 rpm\"");
    let late = column(&steady, "bit.speed");
    assert!(late[late.len() * 3 / 4..].iter().all(|v| *v > 0.1), "the bit turns on");
}

/// A load over time is written where the number would be; its numbers have the unit of the load.
#[test]
fn a_load_may_be_a_signal() {
    let text = |load: &str| {
        format!(
            "[parts.block]\nkind = \"mass\"\nmass = \"2 kg\"\nv = \"1 m/s\"\n\n[parts.pad]\nkind = \"contact\"\n\
             between = [\"block\", \"ground\"]\nload = {load}\nlaw = {{ kind = \"coulomb\", mu_d = 0.4, mu_s = 0.4 }}\n\n\
             [studies.run]\nkind = \"simulate\"\nduration = \"2 s\"\n"
        )
    };
    let read = |load: &str| Scenario::from_text(&text(load), "load.toml", ".".as_ref());
    let ramp = run(&read("{ kind = \"ramp\", slope = \"10 N/s\" }").unwrap(), &mut ()).unwrap();
    // v = 1 − μ s t²/(2m) comes to zero at t = 1 s, after 2/3 m.
    close(last(&ramp, "block.q"), 2.0 / 3.0, 1e-6);
    assert!(read("{ kind = \"ramp\", slope = \"10 m/s\" }").is_err());
    assert!(read("[1, 2]").is_err());
}

/// Seen from the belt the parcel slides straight on until it rides along.
#[test]
fn crossing_belts() {
    let outcome = outcome("crossing_belts.toml");
    let (w, g) = (1.2f64.hypot(0.8), 0.35 * 9.81);
    let way = w / (2.0 * g);
    close(last(&outcome, "parcel.x"), 1.2 * way, 1e-12);
    close(last(&outcome, "parcel.y"), 0.8 - 0.8 * way, 1e-12);
    close(last(&outcome, "sole.loss"), w * w, 1e-12);
    let events = column(&outcome, "event").iter().zip(column(&outcome, "time")).filter(|(e, _)| **e != 0.0);
    events.for_each(|(_, t)| close(*t, w / g, 1e-12));
    assert!(energy_gap(&outcome) < 1e-12);
}

/// Half of the reduced energy of the slip is heat, however the clutch is pressed on: `½ J₁J₂/(J₁ + J₂) Δω²`.
#[test]
fn clutch_engagement() {
    let outcome = outcome("clutch_engagement.toml");
    let speed = 1490.0 * std::f64::consts::PI / 30.0;
    close(last(&outcome, "clutch.loss"), 0.5 * 0.2 * 0.35 / 0.55 * speed * speed, 1e-9);
    close(last(&outcome, "machine.speed"), 0.2 / 0.55 * speed, 1e-9);
    assert!(fact(&outcome, "peak of `heat_flow`") > 7e3 && energy_gap(&outcome) < 1e-9);
}

/// The parcel slips for `v/(μ g)`, and takes half of the drive's work.
#[test]
fn conveyor() {
    let outcome = outcome("conveyor.toml");
    close(last(&outcome, "sole.loss"), 4.0, 1e-9);
    close(last(&outcome, "energy.input"), 8.0, 1e-9);
    let time = 1.0 / (0.4 * 9.81);
    close(last(&outcome, "parcel.q"), 1.0 - time / 2.0, 1e-9);
}

/// Between stick and slip the bushings swing about `μ_d N r z/k`; a harder press makes larger jerks.
#[test]
fn brake_groan() {
    let outcome = outcome("brake_groan.toml");
    let first = 0.5 * 1500.0 * 0.12 * 2.0 / 30e3 / 0.05;
    close(fact(&outcome, "first slip at `pads`"), first, 2e-3);
    assert!(fact(&outcome, "last period at `pads`") < 0.2 && energy_gap(&outcome) < 1e-8);
}

/// Lifting, the motor gives what the gear asks for; without current the arm turns the motor backwards against its losses.
#[test]
fn harmonic_drive() {
    let outcome = outcome("harmonic_drive.toml");
    let inertia = 1e-4 + 1.2 / (1e4 * 0.75);
    let at = column(&outcome, "time").iter().position(|t| (t - 2.0).abs() < 1e-9).unwrap();
    close(column(&outcome, "motor.acceleration")[at], (0.58 - (0.4 + 0.02) / 0.75) / inertia, 1e-6);
    assert!(last(&outcome, "arm.speed") < 0.0 && energy_gap(&outcome) < 1e-8);
}

/// Above the preload the spool follows the force with what friction takes, `±5 N`, and it stays at its collar below.
#[test]
fn valve_spool() {
    let outcome = outcome("valve_spool.toml");
    let q = |t: f64| {
        column(&outcome, "spool.q")
            [column(&outcome, "time").iter().position(|s| (s - t).abs() < 1e-9).unwrap()]
    };
    assert!(q(0.55).abs() < 1e-4, "{}", q(0.55));
    close(q(0.99), (79.2 - 45.0 - 15.0 * 6.7e-3) / 12e3, 2e-2);
    let hysteresis = q(1.2) - q(0.8);
    assert!((0.5 * 10.0 / 12e3..1.2 * 10.0 / 12e3).contains(&hysteresis), "{hysteresis}");
}

/// From 2.8 to 1, and the heat of the shift.
#[test]
fn gear_shift() {
    let outcome = outcome("gear_shift.toml");
    close(column(&outcome, "ratio")[10], 2.8, 1e-9);
    close(last(&outcome, "ratio"), 1.0, 1e-9);
    assert!(last(&outcome, "clutch.loss") > 1e3 && energy_gap(&outcome) < 1e-9);
    assert_eq!(last(&outcome, "brake.mode"), 2.0);
}

/// The joint lags by what friction takes over the gain, and stands still for a while at its reversals.
#[test]
fn robot_joint() {
    let outcome = outcome("robot_joint.toml");
    let lag = fact(&outcome, "peak of `lag`").abs();
    assert!((5.0 / 4000.0..8.5 / 4000.0).contains(&lag), "{lag}");
    assert!(energy_gap(&outcome) < 1e-8);
}

/// Instants at which a contact sticks or slips.
fn switches(outcome: &Outcome, contact: &str) -> Vec<f64> {
    let (time, mode) = (column(outcome, "time"), column(outcome, &format!("{contact}.mode")));
    (1..time.len()).filter(|&i| (mode[i] == 0.0) != (mode[i - 1] == 0.0)).map(|i| time[i]).collect()
}

/// Against an integration from switch to switch by other hands (DOP853 of SciPy, to 1e-11): the disc sticks and slips in turns.
#[test]
fn clutch_judder() {
    let outcome = outcome("clutch_judder.toml");
    let expected =
        [4.559_209_59, 4.571_073_40, 4.624_936_13, 4.646_526_80, 4.699_405_66, 4.726_390_69, 4.777_426_10];
    let found = switches(&outcome, "clutch");
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 2e-6, "{found} against {expected}");
    }
    close(last(&outcome, "car.speed"), 108.470_896_7, 1e-6);
    assert!(energy_gap(&outcome) < 1e-8);
}

/// Against the same by SciPy, in steps of 0.2 ms at most: when the table stops and goes on, and where it is at the end.
#[test]
fn axis_reversal() {
    let outcome = outcome("axis_reversal.toml");
    let expected = [
        0.018_595_73,
        0.500_837_61,
        0.651_425_57,
        1.500_819_94,
        1.651_409_76,
        2.500_827_89,
        2.651_417_63,
        3.500_823_91,
        3.651_413_69,
    ];
    let found = switches(&outcome, "guide");
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-6, "{found} against {expected}");
    }
    close(last(&outcome, "table.angle"), -1.229_286_79e-2, 1e-6);
    close(last(&outcome, "motor.angle"), -3.466_189_09e-3, 1e-5);
    assert!(energy_gap(&outcome) < 1e-8);
}

/// A spring that carries a weight is stretched by `m g sin α/k` from the start on, and a formula derived from that stays what it is.
#[test]
fn a_start_in_equilibrium_stays_there() {
    let text = "[outputs]\npull = \"rope.k * rope.stretch\"\n\n[parts.weight]\nkind = \"gravity\"\nangle = \"30 deg\"\n\n[parts.load]\nkind = \"mass\"\n\
                mass = \"2 kg\"\n\n[parts.rope]\nkind = \"spring\"\nbetween = [\"load\", \"ground\"]\nk = \"400 N/m\"\n\n\
                [studies.run]\nkind = \"simulate\"\nduration = \"2 s\"\nstart = \"equilibrium\"\n";
    let outcome = run(&Scenario::from_text(text, "hang.toml", ".".as_ref()).unwrap(), &mut ()).unwrap();
    assert!(column(&outcome, "load.q").iter().all(|q| (q - 9.81 / 400.0).abs() < 1e-9));
    close(last(&outcome, "pull"), 9.81, 1e-9);
}

/// A limit cycle about the set point: the mass stands at either side of it in turns, for ever. The sweep of the same file, which asks
/// from which gain on, takes too long for every test run.
#[test]
fn hunting_with_bristles() {
    let text = scenario("hunting_lugre.toml").text;
    let motion = text.split("[studies.gain]").next().unwrap();
    let outcome = run(&Scenario::from_text(motion, "hunting.toml", ".".as_ref()).unwrap(), &mut ()).unwrap();
    let late = |from: f64, to: f64| {
        let rows = column(&outcome, "time").iter().zip(column(&outcome, "mass.q"));
        let seen: Vec<f64> = rows.filter(|(t, _)| (from..to).contains(*t)).map(|(_, q)| q - 1.0).collect();
        seen.iter().fold([f64::MAX, f64::MIN], |[low, high], q| [low.min(*q), high.max(*q)])
    };
    let ([low, high], [then_low, then_high]) = (late(50.0, 75.0), late(75.0, 100.0));
    // An integration by hand of the same loop under Coulomb friction stops at ±65.65 mm.
    assert!(low < -0.05 && high > 0.05 && low > -0.09 && high < 0.09, "{low} {high}");
    assert!((low - then_low).abs() < 2e-3 && (high - then_high).abs() < 2e-3, "it goes on");
    assert!(energy_gap(&outcome) < 1e-8);
}
