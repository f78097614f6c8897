//! Examples of the Modelica Standard Library 4 as scenario files.
//!
//! Five of them are held against the reference trajectories that the library's maintainers publish (made with Dymola at a tolerance
//! of about 1e-6; some rows of each stand in `tests/modelica`): every column agrees to 1e-4 of its range, and modes (−1 backward,
//! 0 stuck, 1 forward, 2 open) are equal at every row that is no switch. The others are held against closed forms, or against an
//! integration by hand of the equations between switches.

use bristle::{Outcome, Scenario, run};
use std::path::Path;

fn outcome(name: &str) -> Outcome {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/modelica/{name}.toml"));
    let scenario = Scenario::from_file(&file).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    run(&scenario, &mut ()).unwrap()
}

fn column<'a>(outcome: &'a Outcome, name: &str) -> &'a [f64] {
    &outcome.data.columns.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no output {name}")).values
}

/// The row at a time; of two at a switch the later one.
fn row(outcome: &Outcome, t: f64) -> usize {
    column(outcome, "time")
        .iter()
        .rposition(|time| (time - t).abs() < 1e-9)
        .unwrap_or_else(|| panic!("no row at {t}"))
}

fn at(outcome: &Outcome, name: &str, t: f64) -> f64 {
    column(outcome, name)[row(outcome, t)]
}

fn last(outcome: &Outcome, name: &str) -> f64 {
    *column(outcome, name).last().unwrap()
}

#[track_caller]
fn near(found: f64, expected: f64, most: f64) {
    assert!((found - expected).abs() <= most, "{found} against {expected}");
}

/// Rows of a reference: the names of its columns, times first, and their values.
fn reference(name: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/modelica/{name}.csv"));
    let text = std::fs::read_to_string(file).unwrap();
    let mut lines = text.lines();
    let heading = |h: &str| h.split(" [").next().unwrap().to_owned();
    let names = lines.next().unwrap().split(',').map(heading).collect();
    (names, lines.map(|l| l.split(',').map(|x| x.parse().unwrap()).collect()).collect())
}

fn agrees(name: &str) {
    let outcome = outcome(name);
    let (names, rows) = reference(name);
    assert!(rows.len() > 20);
    let switches: Vec<f64> = {
        let (t, event) = (column(&outcome, "time"), column(&outcome, "event"));
        t.iter().zip(event).filter(|(_, e)| **e != 0.0).map(|(t, _)| *t).collect()
    };
    for (i, output) in names.iter().enumerate().skip(1) {
        let values: Vec<f64> = rows.iter().map(|row| row[i]).collect();
        let range =
            values.iter().fold(f64::MIN, |m, x| m.max(*x)) - values.iter().fold(f64::MAX, |m, x| m.min(*x));
        for row in &rows {
            let (t, found) = (row[0], at(&outcome, output, row[0]));
            // What starts at rest may begin to slide at once.
            if output.ends_with(".mode") && t > 0.0 {
                let is_switch = switches.iter().any(|s| (s - t).abs() < 2e-4);
                assert!(is_switch || found == row[i], "{name}: {output} at {t}: {found} against {}", row[i]);
            } else if !output.ends_with(".mode") {
                assert!(
                    (found - row[i]).abs() <= 1e-4 * range,
                    "{name}: {output} at {t}: {found} against {}",
                    row[i]
                );
            }
        }
    }
}

#[test]
fn coupled_clutches() {
    agrees("coupled_clutches");
}

#[test]
fn clutch_and_brake() {
    agrees("clutch_and_brake");
}

#[test]
fn stribeck_and_stop() {
    agrees("stribeck_and_stop");
}

#[test]
fn lossy_gear() {
    agrees("lossy_gear");
}

#[test]
fn elastic_gap() {
    agrees("elastic_gap");
}

/// Four states integrated by the classical method with steps of 10 µs: motor and shaft move as one inertia of 12 kg m² at the shaft.
#[test]
fn first() {
    let outcome = outcome("first");
    let rates = |t: f64, x: [f64; 4]| {
        let [shaft, load, v, w] = x;
        let twist = 1e4 * (load - shaft);
        let push = 100.0 * (std::f64::consts::TAU * 5.0 * t).sin();
        [v, w, (push + twist - 10.0 * v) / (2.0 + 0.1 * 100.0), -twist / 2.0]
    };
    let x = classical(rates, [0.0; 4], 1.0, 100_000);
    near(last(&outcome, "shaft.angle"), x[0], 1e-9);
    near(last(&outcome, "load.speed"), x[3], 1e-7);
    near(last(&outcome, "motor.angle"), 10.0 * x[0], 1e-8);
}

/// The classical Runge–Kutta method with equal steps.
fn classical<const N: usize>(
    f: impl Fn(f64, [f64; N]) -> [f64; N],
    mut x: [f64; N],
    end: f64,
    steps: usize,
) -> [f64; N] {
    let h = end / steps as f64;
    let along = |x: [f64; N], k: [f64; N], by: f64| std::array::from_fn(|i| x[i] + by * k[i]);
    for i in 0..steps {
        let t = i as f64 * h;
        let a = f(t, x);
        let b = f(t + h / 2.0, along(x, a, h / 2.0));
        let c = f(t + h / 2.0, along(x, b, h / 2.0));
        let d = f(t + h, along(x, c, h));
        x = std::array::from_fn(|i| x[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    x
}

/// Which side drives is not obvious: running down, the first rotor drives with 0.5 N m, so that both lose 500 rad/s² and stand after
/// 20 ms and 0.1 rad. From 0.5 s on the torque behind the gear is more than its bearings take where it is driven by nothing,
/// and less than they take where it is driven from behind: it stands.
#[test]
fn a_gear_that_is_hard_to_drive_from_behind() {
    let outcome = outcome("lossy_gear_driven");
    near(at(&outcome, "motor.speed", 0.01), 5.0, 1e-9);
    near(at(&outcome, "load.angle", 0.01), 0.075, 1e-9);
    for t in [0.021, 0.4, 0.6, 1.0] {
        near(at(&outcome, "load.angle", t), 0.1, 1e-9);
        assert_eq!((at(&outcome, "gear.mode", t), at(&outcome, "load.speed", t)), (0.0, 0.0));
    }
}

/// Gear and bearing beside each other: the same as a gear that has the bearing in itself, `B = 0.5 N m + 0.5 N m s/rad |ω|`, up to the
/// teeth, which feel the bearing or not.
#[test]
fn a_lossy_gear_beside_a_bearing() {
    let outcome = outcome("lossy_gear_and_bearing");
    // With s = sgn ω and a acceleration of the motor, 2 (τ₁ − a − s(0.5 + 0.5|ω|)) η^(±1) + τ₂ = 1.5 a/2 while it turns.
    let modes = column(&outcome, "gear.mode");
    assert!([-1.0, 0.0, 1.0].iter().all(|m| modes.contains(m)), "all modes occur");
    for i in 0..column(&outcome, "time").len() {
        let [t, w, a, m] =
            ["time", "motor.speed", "motor.acceleration", "gear.mode"].map(|n| column(&outcome, n)[i]);
        let (drive, load) = (10.0 * (std::f64::consts::TAU * t).sin(), -10.0 + 2.5 * t);
        if m == 0.0 {
            near(w, 0.0, 1e-12);
            assert_eq!(column(&outcome, "bearing.mode")[i], 0.0, "both hold at {t}");
            continue;
        }
        // At a switch the rate is that of one side or the other.
        if column(&outcome, "event")[i] != 0.0 {
            continue;
        }
        let input = drive - a - m * 0.5 - 0.5 * w;
        let passed = if input * m >= 0.0 { 0.5 * input } else { input / 0.5 };
        near(2.0 * passed + load, 1.5 * a / 2.0, 1e-8);
    }
}

/// Without play the rotor swings as `J φ̈ = −c φ − d φ̇`; with play it flies freely across, and comes back with what the flanks leave it.
#[test]
fn backlash() {
    let outcome = outcome("backlash");
    let (w0, decay) = (4000f64, 5.0);
    let w = (w0 - decay * decay).sqrt();
    let free = |t: f64| {
        std::f64::consts::FRAC_PI_2 * (-decay * t).exp() * ((w * t).cos() + decay / w * (w * t).sin())
    };
    for t in [0.1, 0.5, 1.0] {
        near(at(&outcome, "tight.angle", t), free(t), 1e-8);
    }
    // Up to the first flight both swing about the flank.
    let half = std::f64::consts::FRAC_PI_8;
    let bent = std::f64::consts::FRAC_PI_2 - half;
    let t = 0.02;
    let about = half + bent * (-decay * t).exp() * ((w * t).cos() + decay / w * (w * t).sin());
    for rotor in ["eased", "abrupt"] {
        near(at(&outcome, &format!("{rotor}.angle"), t), about, 1e-8);
    }
    let (soft, full) = (column(&outcome, "soft.torque"), column(&outcome, "full.torque"));
    let twists = column(&outcome, "full.twist");
    assert!(full.iter().zip(twists).all(|(torque, twist)| torque * twist >= -1e-9), "flanks never pull");
    // Of two rows at one time one lies before a switch and one after it.
    let t = column(&outcome, "time");
    let jump = |torque: &[f64]| {
        let switches = (1..t.len()).filter(|i| t[*i] == t[i - 1]);
        switches.map(|i| (torque[i] - torque[i - 1]).abs()).fold(0.0, f64::max)
    };
    assert!(jump(full) > 100.0 && jump(soft) < 1e-6, "{} {}", jump(full), jump(soft));
}

/// Shaft, housing and load by the classical method: the shaft behind the gear weighs nothing.
#[test]
fn elastic_bearing() {
    let outcome = outcome("elastic_bearing");
    // States: shaft, housing, load and their speeds; slow = (shaft − housing)/3 + housing.
    let rates = |t: f64, x: [f64; 6]| {
        let [shaft, housing, load, v, u, w] = x;
        let slow = (shaft - housing) / 3.0 + housing;
        let pull = 1e3 * (load - slow);
        let push = 20.0 * t.min(5.0);
        [v, u, w, push + pull / 3.0, (pull * 2.0 / 3.0 - 1e5 * housing - 5.0 * u) / 5.0, -pull / 50.0]
    };
    let x = classical(rates, [0.0; 6], 10.0, 200_000);
    near(last(&outcome, "shaft.speed"), x[3], 1e-5);
    near(last(&outcome, "load.speed"), x[5], 1e-6);
    near(last(&outcome, "housing.angle"), x[1], 1e-8);
}

/// While the freewheel bears or the clutch holds both turn as one; otherwise the driven rotor turns on alone, braked by the clutch
/// where that is pressed.
#[test]
fn one_way_clutch() {
    for (name, load, mean, hertz) in [("one_way_clutch", 0.0, 0.0, 3.0), ("freewheel", -0.3, 0.3, 2.0)] {
        let outcome = outcome(name);
        let [t, a, b, w, u] = ["time", "in.acceleration", "out.acceleration", "in.speed", "out.speed"]
            .map(|n| column(&outcome, n).to_vec());
        for i in 0..t.len() {
            let push = mean + 10.0 * (std::f64::consts::TAU * hertz * t[i]).sin();
            near(a[i] + b[i], push + load, 1e-9);
            assert!(w[i] <= u[i] + 1e-9, "{name}: the driven rotor may only run ahead, at {}", t[i]);
            let phase = t[i] - 0.3 - 1.3 * ((t[i] - 0.3) / 1.3).floor();
            let is_pressed = name == "one_way_clutch" && t[i] > 0.3 && phase < 0.65;
            if w[i] < u[i] - 1e-9 && (phase - 0.65).abs() > 1e-6 && phase > 1e-6 {
                near(b[i], load + if is_pressed { -1.5 } else { 0.0 }, 1e-9);
            }
        }
    }
}

/// Both rotors of a freewheel and a clutch side by side, each of 1 kg m²: together while the one bears or the other holds, apart
/// otherwise; between switches all velocities are known, and switches are looked for in short steps.
fn side_by_side(
    start: f64,
    push: [f64; 3],
    load: f64,
    pressed: impl Fn(f64) -> f64,
    end: f64,
) -> Vec<[f64; 3]> {
    let [mean, amplitude, hertz] = push;
    let (holds, rubs, steps) = (1.25, 0.05, 400_000);
    let pushed = |t: f64| mean + amplitude * (std::f64::consts::TAU * hertz * t).sin();
    let ([mut w, mut u], mut is_one, mut rows) = ([start, 0.0], false, vec![[0.0, start, 0.0]]);
    for step in 1..=steps {
        let [before, t] = [step - 1, step].map(|k| end * f64::from(k) / f64::from(steps));
        let (middle, h) = ((before + t) / 2.0, t - before);
        // What the first puts on the second so that they stay together, and what it may put there.
        let carried = (pushed(middle) - load) / 2.0;
        is_one &= carried >= -holds * pressed(middle);
        if is_one {
            let v = w + h * (pushed(middle) + load) / 2.0;
            [w, u] = [v, v];
        } else {
            let drag = rubs * pressed(middle);
            [w, u] = [w + h * (pushed(middle) + drag), u + h * (load - drag)];
            if w >= u {
                is_one = true;
                [w, u] = [(w + u) / 2.0; 2];
            }
        }
        rows.push([t, w, u]);
    }
    rows
}

#[test]
fn freewheels_and_clutches_turn_as_integrated_by_hand() {
    let pressed = |t: f64| if t > 0.3 && (t - 0.3).rem_euclid(1.3) < 0.65 { 30.0 } else { 0.0 };
    let clutch = side_by_side(-0.5, [0.0, 10.0, 3.0], 0.0, pressed, 2.0);
    let alone = side_by_side(-0.5, [0.3, 10.0, 2.0], -0.3, |_| 0.0, 2.0);
    for (name, rows) in [("one_way_clutch", clutch), ("freewheel", alone)] {
        let outcome = outcome(name);
        let [t, w, u] = ["time", "in.speed", "out.speed"].map(|n| column(&outcome, n).to_vec());
        let end = rows.last().unwrap()[0].min(*t.last().unwrap());
        for i in (0..t.len()).filter(|i| t[*i] <= end) {
            let row = rows[(t[i] / rows[1][0]).round() as usize];
            assert!(
                (row[1] - w[i]).abs() < 1e-4 && (row[2] - u[i]).abs() < 1e-4,
                "{name} at {}: {} {} {row:?}",
                t[i],
                w[i],
                u[i]
            );
        }
    }
}

/// In the first gear 2.5 times as fast, in the second as fast; the planetary gear splits torques as 1 : 1.5 : 2.5.
#[test]
fn gear_shift() {
    let outcome = outcome("gear_shift");
    near(at(&outcome, "engine.speed", 1.9) / at(&outcome, "load.speed", 1.9), 2.5, 1e-9);
    near(last(&outcome, "engine.speed"), last(&outcome, "load.speed"), 1e-9);
    // First gear: (2.5² + 10) ω̇ = 2.5 · 20 − k ω².
    let k = 20.0 / (10.471975511966 * 10.471975511966);
    let [w] = classical(|_, [w]: [f64; 1]| [(50.0 - k * w * w) / 16.25], [0.0], 1.4, 1000);
    near(at(&outcome, "load.speed", 1.9), w, 1e-6);
    assert!(at(&outcome, "ring.speed", 1.9).abs() < 1e-12);
}

/// The spool stays within what the stops give until the force exceeds the preload, then follows it as `F = 20 N/mm · way + preload`.
#[test]
fn preload() {
    let outcome = outcome("preload");
    let middle = at(&outcome, "spool.q", 50.0);
    // The spring is 25 mm long where it is slack, 23.5 mm between plates that lean on both walls, some µm more as the stops give.
    for t in [25.0, 75.0] {
        let (force, way) = (at(&outcome, "push.force", t), at(&outcome, "spool.q", t) - middle);
        let spring = at(&outcome, "spring.force", t);
        // The oil, 2500 N s/m, holds back what is not yet at rest.
        near(spring.abs(), force.abs(), 2e-2);
        near(way.abs(), (force.abs() - 30.0) / 20e3, 4e-4);
        assert!(way * force > 0.0);
    }
}

/// From 0.1 s on 1 N brakes 1 kg at 1 m/s: it stands at 1.1 s, 0.6 m on, and stays.
#[test]
fn brake() {
    let outcome = outcome("brake");
    near(at(&outcome, "mass.v", 0.6), 0.5, 1e-12);
    for t in [1.11, 2.0] {
        near(at(&outcome, "mass.q", t), 0.6, 1e-12);
        assert_eq!((at(&outcome, "mass.v", t), at(&outcome, "brake.mode", t)), (0.0, 0.0));
    }
}

/// Wheel and vehicle weigh 2 kg together: 2 v̇ = 10 − 0.4 v², `v = 5 tanh(t − 0.1 s)`.
#[test]
fn rolling_wheel() {
    let outcome = outcome("rolling_wheel");
    for t in [0.5, 1.0, 5.0] {
        near(at(&outcome, "vehicle.v", t), 5.0 * (t - 0.1).tanh(), 1e-8);
        near(at(&outcome, "wheel.speed", t), at(&outcome, "vehicle.v", t), 1e-12);
    }
}

/// Speed and temperature by the classical method; the disc has what the rotor has lost.
#[test]
fn eddy_current_brake() {
    let outcome = outcome("eddy_current_brake");
    let rates = |t: f64, [w, heat]: [f64; 2]| {
        let s = w / (10.0 * (1.0 + 3.92e-3 * heat));
        let torque = 2.0 * 1000.0 * (t - 0.1).clamp(0.0, 0.1) * s / (1.0 + s * s);
        [-torque, torque * w]
    };
    let [w, heat] = classical(rates, [20.0, 0.0], 1.0, 100_000);
    near(last(&outcome, "rotor.speed"), w, 1e-6);
    near(last(&outcome, "brake.T"), 293.15 + heat, 1e-5);
    near(last(&outcome, "brake.T") - 293.15, 200.0 - 0.5 * w * w, 1e-5);
}

/// Whatever is put in moves on, is bent or becomes heat, and all friction switches.
#[test]
fn heat_losses() {
    let outcome = outcome("heat_losses_sliding");
    let [input, kinetic, potential, lost] =
        ["energy.input", "energy.kinetic", "energy.potential", "energy.loss"]
            .map(|n| column(&outcome, n).to_vec());
    let start = kinetic[0] + potential[0];
    for i in 0..input.len() {
        near(start + input[i] - kinetic[i] - potential[i] - lost[i], 0.0, 1e-7);
    }
    for contact in ["support", "brake", "guide"] {
        let modes = column(&outcome, &format!("{contact}.mode"));
        assert!(modes.iter().any(|m| *m != modes[0]), "{contact} does not switch");
    }
}

/// Six rotors in a row: the energy closes, every friction slips, and the last rotor turns under what sprag and lining pass on, less
/// the brake.
#[test]
fn heat_losses_of_rotors() {
    let outcome = outcome("heat_losses_turning");
    let [input, kinetic, potential, lost] =
        ["energy.input", "energy.kinetic", "energy.potential", "energy.loss"]
            .map(|n| column(&outcome, n).to_vec());
    for i in 0..input.len() {
        near(input[i] - kinetic[i] - potential[i] - lost[i], 0.0, 1e-9);
    }
    for part in ["bearing", "gear", "clutch", "lining", "brake"] {
        assert!(last(&outcome, &format!("{part}.loss")) > 1e-3, "{part} does not slip");
    }
    let [time, event] = ["time", "event"].map(|n| column(&outcome, n).to_vec());
    let get = |name: &str, i: usize| column(&outcome, name)[i];
    for i in (0..time.len()).filter(|i| event[*i] == 0.0) {
        let passed = get("sprag.torque", i) - get("lining.torque", i) - get("brake.torque", i);
        near(2.0 * get("J6.acceleration", i), passed, 1e-9);
        assert!(get("J5.speed", i) <= get("J6.speed", i) + 1e-9 && get("sprag.torque", i) >= -1e-12);
    }
}
