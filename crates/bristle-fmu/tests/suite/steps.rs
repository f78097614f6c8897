//! Co-Simulation: the steps of an importer are those of a run by somebody else's clock.

use crate::host::*;

/// A drive of inputs with a jump, a ramp and reversals.
fn speed(t: f64) -> f64 {
    if t < 4.0 {
        0.1
    } else if t < 8.0 {
        0.1 - 0.05 * (t - 4.0)
    } else {
        0.15 * (0.9 * t).sin()
    }
}

#[test]
fn steps_are_those_of_the_scenario() {
    let host = Host::new(BELT, CO_SIMULATION);
    host.begin();
    let mut run = scenario(BELT).live().unwrap();
    run.settle().unwrap();
    let (velocity, q) = (reference(BELT, "inputs.belt.velocity"), reference(BELT, "block.q"));
    let mode = reference(BELT, "pad.mode");
    for k in 0..400 {
        let t = 0.05 * f64::from(k);
        assert_eq!(host.set(velocity, speed(t)), 0);
        run.set_input("belt.velocity", speed(t)).unwrap();
        assert_eq!(host.step(t, 0.05), 0, "{}", log());
        run.advance(t + 0.05).unwrap();
        for (reference, name) in [(q, "block.q"), (mode, "pad.mode")] {
            assert_eq!(host.get(reference).to_bits(), run.output(name).unwrap().to_bits(), "{name} at {t}");
        }
    }
}

#[test]
fn a_saved_state_replays_to_the_last_bit() {
    let host = Host::new(BELT, CO_SIMULATION);
    host.begin();
    let (push, q) = (reference(BELT, "inputs.push.value"), reference(BELT, "block.q"));
    let go = |from: i32, to: i32| {
        (from..to)
            .map(|k| {
                let t = 0.1 * f64::from(k);
                host.set(push, (3.0 * t).sin());
                assert_eq!(host.step(t, 0.1), 0, "{}", log());
                host.get(q).to_bits()
            })
            .collect::<Vec<_>>()
    };
    go(0, 37);
    let saved = host.save();
    let first = go(37, 120);
    assert_eq!(host.restore(saved), 0);
    assert_eq!(go(37, 120), first);
    host.free(saved);
}

#[test]
fn refusals_are_told() {
    let host = Host::with_guid(BELT, CO_SIMULATION, "{of somebody else}");
    assert!(host.component.is_null());
    assert!(log().contains("{of somebody else}"), "{}", log());
    let host = Host::new(BELT, CO_SIMULATION);
    let load = reference(BELT, "parameters.pad.load");
    assert_eq!(host.set(load, -1.0), 3);
    assert!(log().contains("parameters.pad.load cannot be -1 N"), "{}", log());
    assert_eq!(host.set(reference(BELT, "inputs.belt.velocity"), f64::NAN), 3);
    assert_eq!(host.set(reference(BELT, "block.q"), 1.0), 3);
    assert!(log().contains("block.q is computed"), "{}", log());
    assert_eq!(host.set(load, 12.0), 0);
    host.begin();
    assert_eq!(host.get(load), 12.0);
    assert_eq!(host.set(reference(BELT, "parameters.block.v"), 1.0), 3);
    assert!(log().contains("before the initialisation ends"), "{}", log());
    assert_eq!(host.step(1.0, 0.1), 3, "it is at 0 s");
    assert_eq!(host.step(f64::NAN, 0.1), 3);
    // Each lies within its range, but not both together.
    let kinetic = reference(BELT, "parameters.pad.law.mu_d");
    assert_eq!(host.set(kinetic, 0.9), 0);
    assert_eq!(host.step(0.0, 0.1), 3);
    assert!(log().contains("the static level lies below the kinetic one"), "{}", log());
    assert_eq!(host.set(kinetic, 0.3), 0);
    assert_eq!(host.step(0.0, 0.1), 0, "{}", log());
}

/// Calls at the wrong time, for the other kind, and with what is no number.
#[test]
fn calls_out_of_order_are_refused() {
    let early = Host::new(BELT, CO_SIMULATION);
    assert_eq!(early.step(0.0, 0.1), 3);
    assert!(log().contains("call ExitInitializationMode first"), "{}", log());
    assert!(Host::new(BELT, 7).component.is_null());
    let host = Host::new(BELT, MODEL_EXCHANGE);
    host.begin();
    host.event();
    assert_eq!(host.step(0.0, 0.1), 3);
    assert!(log().contains("made for ModelExchange, not for CoSimulation"), "{}", log());
    let mut x = vec![0.0; bristle_fmu::model::FmuModel::state(&model(BELT)).x.len()];
    host.fill("fmi2GetContinuousStates", &mut x);
    x[0] = f64::NAN;
    assert_eq!(host.try_states(&x), 3);
    assert!(log().contains("state 1 (block.q) is NaN"), "{}", log());
}

/// Instances and saved states leave nothing behind: what the process holds does not grow.
#[test]
fn instances_leave_nothing_behind() {
    let resident = || {
        let text = std::fs::read_to_string("/proc/self/statm").unwrap();
        text.split(' ').nth(1).unwrap().parse::<i64>().unwrap() * 4096
    };
    let cycle = || {
        let host = Host::new(BELT, CO_SIMULATION);
        host.begin();
        let saved = host.save();
        host.free(saved);
    };
    (0..100).for_each(|_| cycle());
    let before = resident();
    (0..10_000).for_each(|_| cycle());
    let grown = resident() - before;
    println!("{before} bytes held after 100 instances, {grown} more after 10000");
    assert!(grown < 1_000_000, "{grown} bytes after 10000 instances");
}

/// An input that changes evenly over the steps is a ramp of the scenario, not stairs: force and speed of a drive.
#[test]
fn inputs_between_steps_are_straight_lines() {
    let ramped = BELT
        .replace(r#"velocity = { kind = "input", value = "0.1 m/s" }"#, r#"velocity = { kind = "ramp", from = "0.1 m/s", slope = "-0.05 m/s^2", start = "1 s", duration = "3 s" }"#)
        .replace(r#"value = { kind = "input" }"#, r#"value = { kind = "ramp", slope = "0.5 N/s", start = "2 s", duration = "6 s" }"#)
        .replace("rtol = 1e-9", "rtol = 1e-11");
    assert!(ramped.matches("ramp").count() == 2);
    let text = BELT.replace("rtol = 1e-9", "rtol = 1e-11");
    let speed = |t: f64| 0.1 - 0.05 * (t - 1.0).clamp(0.0, 3.0);
    let push = |t: f64| 0.5 * (t - 2.0).clamp(0.0, 6.0);
    let host = Host::new(&text, CO_SIMULATION);
    host.begin();
    let [velocity, force, q] =
        ["inputs.belt.velocity", "inputs.push.value", "block.q"].map(|name| reference(&text, name));
    let mut run = scenario(&ramped).live().unwrap();
    run.settle().unwrap();
    let h = 0.05;
    for k in 0..240 {
        let t = h * f64::from(k);
        for (reference, input) in [(velocity, &speed as &dyn Fn(f64) -> f64), (force, &push)] {
            assert_eq!(host.set(reference, input(t)), 0);
            assert_eq!(host.slope(reference, (input(t + h) - input(t)) / h), 0, "{}", log());
        }
        assert_eq!(host.step(t, h), 0, "{}", log());
        run.advance(t + h).unwrap();
        let (found, expected) = (host.get(q), run.output("block.q").unwrap());
        // A range of 0.5 m.
        assert!((found - expected).abs() < 5e-10, "at {t}: {found} {expected}");
    }
    assert_eq!(host.slope(q, 1.0), 3);
    assert!(log().contains("is no input"), "{}", log());
}
