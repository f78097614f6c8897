//! Cables beside mechanisms, as scenarios: a crane and a lift.

use bristle::{LawKind, Outcome, Scenario, advise, compare, run};
use bristle_record::Tone;
use std::path::Path;

fn scenario(name: &str) -> Scenario {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    Scenario::from_file(&folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e:?}"))
}

/// The example with a piece replaced.
fn changed(name: &str, pieces: &[(&str, &str)]) -> Outcome {
    let mut text = scenario(name).text;
    for (from, to) in pieces {
        assert!(text.contains(from), "`{from}` is not in {name}");
        text = text.replace(from, to);
    }
    let scenario = Scenario::from_text(&text, name, ".".as_ref()).unwrap_or_else(|e| panic!("{e:?}"));
    run(&scenario, &mut ()).unwrap()
}

fn column<'a>(outcome: &'a Outcome, name: &str) -> &'a [f64] {
    &outcome.data.columns.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no {name}")).values
}

/// Times at which a quantity passes the mean of its extremes upwards.
fn upward(time: &[f64], values: &[f64], from: f64) -> Vec<f64> {
    let late: Vec<usize> = (0..time.len()).filter(|&i| time[i] >= from).collect();
    let low = late.iter().map(|&i| values[i]).fold(f64::INFINITY, f64::min);
    let high = late.iter().map(|&i| values[i]).fold(f64::NEG_INFINITY, f64::max);
    let middle = 0.5 * (low + high);
    let mut times = Vec::new();
    for pair in late.windows(2) {
        let (a, b) = (values[pair[0]] - middle, values[pair[1]] - middle);
        if a < 0.0 && b >= 0.0 {
            times.push(time[pair[0]] + (time[pair[1]] - time[pair[0]]) * a / (a - b));
        }
    }
    times
}

/// Rail friction follows the load, the load swings as a pendulum of the rope's length, the trolley is held at the end.
#[test]
fn a_crane_travels_hoists_brakes_and_holds() {
    let outcome = changed("crane.toml", &[("elements = 120", "elements = 60")]);
    let failing: Vec<_> = outcome.record.facts.iter().filter(|f| f.tone == Tone::Bad).collect();
    assert!(failing.is_empty(), "{failing:?}");
    let time = column(&outcome, "time");
    let at = |t: f64| time.iter().position(|x| *x >= t).unwrap();
    // While it slides under the push, the rail carries trolley, rope and load, and friction is the kinetic one.
    let weight = (200.0 + 500.0 + 6.0 * 0.6) * 9.81;
    let (force, load) = (column(&outcome, "rail.force"), column(&outcome, "rail.load"));
    for i in at(2.0)..at(5.0) {
        assert!((force[i] / (0.05 * load[i]) - 1.0).abs() < 1e-6, "{} at {}", force[i], time[i]);
    }
    let mean = load[at(2.0)..at(3.8)].iter().sum::<f64>() / (at(3.8) - at(2.0)) as f64;
    assert!((mean / weight - 1.0).abs() < 0.02, "{mean} against {weight}");
    // A pendulum of the length from the rim to the load, once the winch stands still and the trolley sticks.
    let periods = upward(time, column(&outcome, "load.x"), 10.5);
    let period = (periods[periods.len() - 1] - periods[0]) / (periods.len() - 1) as f64;
    let length = -column(&outcome, "load.y")[at(19.0)];
    let expected = 2.0 * std::f64::consts::PI * (length / 9.81).sqrt();
    println!("period {period} s, of a pendulum of {length} m {expected} s");
    assert!((period / expected - 1.0).abs() < 0.01);
    // Held: bristles give way by less than half a millimetre.
    let q = column(&outcome, "trolley.q");
    let held = &q[at(12.0)..];
    let way = held.iter().copied().fold(f64::NEG_INFINITY, f64::max)
        - held.iter().copied().fold(f64::INFINITY, f64::min);
    println!("held within {way:e} m");
    assert!(way < 5e-4);
}

/// Pushed by less than the rail bears, the trolley stands for hours.
#[test]
fn a_crane_holds_without_creep() {
    let outcome = changed(
        "crane.toml",
        &[
            ("elements = 120", "elements = 16"),
            (
                "height = \"900 N\", start = \"1 s\", end = \"4 s\", ramp = \"0.5 s\"",
                "height = \"300 N\", start = \"1 s\", end = \"1e5 s\", ramp = \"200 s\"",
            ),
            (
                "height = \"-500 N\", start = \"6 s\", end = \"7.5 s\"",
                "height = \"0 N\", start = \"6 s\", end = \"7.5 s\"",
            ),
            ("rise = \"-8 rad\"", "rise = \"0 rad\""),
            ("duration = \"20 s\"", "duration = \"1e4 s\""),
            ("rtol = 1e-5\natol = 1e-5", "rtol = 1e-8\natol = 1e-8"),
        ],
    );
    let (time, q) = (column(&outcome, "time"), column(&outcome, "trolley.q"));
    let mean = |from: f64, to: f64| {
        let within: Vec<f64> =
            (0..q.len()).filter(|&i| (from..to).contains(&time[i])).map(|i| q[i]).collect();
        within.iter().sum::<f64>() / within.len() as f64
    };
    let (early, late) = (mean(1e3, 4e3), mean(7e3, 1e4));
    println!("stands {early} m away, drifts {:e} m in 6000 s", late - early);
    assert!(early > 1e-5, "it is pushed");
    assert!((late - early).abs() < 1e-10);
}

/// Laws are compared on rail and drum alike; what cannot be asked of cables beside a mechanism says what to do instead.
#[test]
fn a_crane_is_compared_and_says_what_it_cannot_be_asked() {
    let text = scenario("crane.toml").text.replace("elements = 120", "elements = 16");
    let text = text.replace("duration = \"20 s\"", "duration = \"1.5 s\"");
    let read = |text: &str| Scenario::from_text(text, "crane.toml", ".".as_ref());
    let crane = read(&text).unwrap();
    let outcome = compare(&crane, &[LawKind::Cdq, LawKind::Quinn], &mut ()).unwrap();
    for name in ["quinn.trolley.q", "quinn.load.y", "cdq.winch.friction", "cdq.rail.force"] {
        assert!(!column(&outcome, name).is_empty());
    }
    let refused = compare(&crane, &[LawKind::Coulomb], &mut ()).unwrap_err().to_string();
    assert!(refused.contains("`winch`") && refused.contains("take quinn"), "{refused}");
    let advice = advise(&crane, 1e-3, &mut ()).unwrap();
    assert!(advice.method.is_some(), "{:?}", advice.record);
    let limit = format!("{text}\n[studies.most]\nkind = \"limit\"\n");
    let refused = format!("{:?}", read(&limit).unwrap_err());
    assert!(refused.contains("a scenario of its own"), "{refused}");
}

/// Two ropes share the cage by their stiffness, the pulleys turn as the ropes run, and the balance closes.
#[test]
fn a_cage_and_its_counterweight_hang_on_two_ropes() {
    let outcome = changed("counterweight.toml", &[("elements = 60", "elements = 30")]);
    let failing: Vec<_> = outcome.record.facts.iter().filter(|f| f.tone == Tone::Bad).collect();
    assert!(failing.is_empty(), "{failing:?}");
    let time = column(&outcome, "time");
    let last = time.len() - 1;
    let (speed, vy) = (column(&outcome, "pulley.speed"), column(&outcome, "cage.vy"));
    println!("rim {} m/s, cage {} m/s", 0.3 * speed[last], -vy[last]);
    assert!((0.3 * speed[last] + vy[last]).abs() < 0.02 * vy[last].abs());
    let (stiff, soft) =
        (column(&outcome, "stiff_right.tension")[last], column(&outcome, "soft_right.tension")[last]);
    println!("{stiff} N and {soft} N");
    assert!(stiff > soft && (stiff + soft) / (60.0 * 9.81) < 1.2 && (stiff + soft) / (60.0 * 9.81) > 0.8);
}

/// A winch behind a gear lifts its load, and its brake stops and holds it.
#[test]
fn a_braked_winch_lifts_and_holds() {
    let outcome = changed("winch.toml", &[("elements = 80", "elements = 40")]);
    let (time, height, angle) =
        (column(&outcome, "time"), column(&outcome, "load.y"), column(&outcome, "winch.angle"));
    let at = |t: f64| time.iter().rposition(|own| *own <= t).unwrap();
    assert_eq!(angle[at(0.4)], 0.0, "the brake holds at first");
    let (low, high) = (at(0.4), at(5.0));
    // The load rises by what the rim turns.
    let (lifted, turned) = (height[high] - height[low], -0.25 * (angle[high] - angle[low]));
    assert!(lifted > 1.0 && (lifted / turned - 1.0).abs() < 1e-2, "{lifted} m, {turned} m");
    let (first, later) = (at(3.5), at(5.0));
    // The rim may not creep by more than 1e-12 m; what is seen is rounding.
    assert!(0.25 * (angle[first] - angle[later]).abs() < 1e-12, "the brake holds what was lifted");
    // The teeth carry the weight of the load and of what hangs of the rope, and a twenty-fifth of it at the motor.
    let (torque, pull) = (column(&outcome, "gearbox.torque")[later], column(&outcome, "load.tension")[later]);
    assert!((pull / (200.0 * 9.81) - 1.0).abs() < 0.05, "{pull} N");
    assert!((torque.abs() / (0.25 * pull / 25.0) - 1.0).abs() < 0.1, "{torque} N m");
    assert!(outcome.record.facts.iter().all(|fact| fact.tone != Tone::Bad));
}
