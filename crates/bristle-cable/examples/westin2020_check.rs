//! The slower checks against the reference values: ramps, holds and pulleys of the published scenarios.
//!
//! `cargo run --release -p bristle-cable --example westin2020_check`

#![allow(clippy::print_stdout)]

use bristle_cable::*;
use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

const LAWS: [f64; 6] = [1.0, 0.99, 0.95, 0.9, 0.75, 0.5];

fn law(alpha: f64) -> Result<Friction, CableError> {
    if alpha == 1.0 { Ok(Friction::quinn(0.25, 0.01)) } else { Friction::cdq(0.25, 0.01, alpha) }
}

fn resting(cable: Cable) -> Result<(System, State), CableError> {
    let system = System::new(cable)?;
    let mut state = system.state(arc_over(system.cable(), 0, 2e-4))?;
    Statics::default().solve(&system, &mut state)?;
    Ok((system, state))
}

fn capstan(length: f64, friction: Friction, ratio: f64, duration: f64) -> Cable {
    let down = |signal| End { force: [Signal::Constant(0.0), signal], ..End::default() };
    let second = Signal::Ramp { from: -98.1, to: -98.1 * ratio, start: 0.0, duration };
    let drum = Drum { friction, ..Drum::new([0.0, 0.0], 0.25) };
    Cable {
        length,
        ends: [down(Signal::Constant(-98.1)), down(second)],
        drums: vec![drum],
        ..Cable::default()
    }
}

fn pulley(length: f64, friction: Friction) -> Cable {
    let target = Signal::Cycloid { amplitude: std::f64::consts::FRAC_PI_4, duration: 10.0 };
    let drum =
        Drum { drive: Drive::Servo { kp: 100.0, kd: 20.0, target }, friction, ..Drum::new([0.0, 0.0], 0.25) };
    let end = End { mass: 10.0, ..End::default() };
    Cable { length, ends: [end.clone(), end], drums: vec![drum], ..Cable::default() }
}

fn floats(value: &Value) -> Vec<f64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

/// The load ratios at which the holding end first exceeds four speeds.
fn ramps(all: &Value) -> Result<(), Failure> {
    println!(
        "20 s ramp: ratio at which the holding end exceeds 1e-5, 1e-4, 1e-3, 1e-2 m/s (tolerance 0.003)"
    );
    for length in [2.0, 4.5] {
        for alpha in LAWS {
            let (system, state) = resting(capstan(length, law(alpha)?, 2.5, 20.0))?;
            let method =
                GeneralisedAlpha { step: 5e-3, newton_tolerance: 1e-8, ..GeneralisedAlpha::default() };
            let mut run = Run::new(&system, method, state)?;
            let mut found = Vec::new();
            for i in 1..=2000 {
                run.advance_to(0.01 * f64::from(i))?;
                while found.len() < 4 && run.state.v[0][1].abs() > 1e-5 * 10f64.powi(found.len() as i32) {
                    found.push(system.cable().ends[1].force[1].value(run.state.t) / -98.1);
                }
                if found.len() == 4 {
                    break;
                }
            }
            let expected = floats(&all[format!("S1-ramp L={length} alpha={alpha}")]["value"]);
            let worst = found.iter().zip(&expected).map(|(f, e)| (f - e).abs()).fold(0.0, f64::max);
            println!("  L {length:3} alpha {alpha:4}  {found:.4?}  off by {worst:.1e}");
        }
    }
    Ok(())
}

/// The load raised within 2 s to a multiple of the limit, then held to 5 s.
fn holds(all: &Value) -> Result<(), Failure> {
    println!("hold: speed of the holding end at 5 s");
    let table = all.as_object().ok_or("no table")?;
    for (id, entry) in table.iter().filter(|(id, e)| id.starts_with("S1-hold") && e["ratio"].is_number()) {
        let alpha: f64 =
            id.split(" a").nth(1).and_then(|s| s.split(' ').next()).ok_or("no alpha")?.parse()?;
        let ratio = entry["ratio"].as_f64().ok_or("no ratio")?;
        let (system, state) = resting(capstan(2.0, law(alpha)?, ratio, 2.0))?;
        let method = GeneralisedAlpha { step: 5e-3, newton_tolerance: 1e-10, ..GeneralisedAlpha::default() };
        let mut run = Run::new(&system, method, state)?;
        run.advance_to(5.0)?;
        println!(
            "  {id}: {:.4e}  reference {:.4e}",
            run.state.v[0][1],
            entry["value"].as_f64().unwrap_or(0.0)
        );
    }
    Ok(())
}

/// End-mass displacement against the reference at every second.
fn pulleys(all: &Value) -> Result<(), Failure> {
    println!("pulley: largest difference of the end masses from the reference over 10 s");
    for length in [2.0, 4.5] {
        for alpha in LAWS {
            let value = &all[format!("S2 L={length} alpha={alpha}")]["value"];
            let (right, left) = (floats(&value[0]), floats(&value[1]));
            let (system, start) = resting(pulley(length, law(alpha)?))?;
            print!("  L {length:3} alpha {alpha:4} ");
            for step in [0.01, 0.005, 0.002] {
                let method = GeneralisedAlpha { step, ..GeneralisedAlpha::default() };
                let mut run = Run::new(&system, method, start.clone())?;
                let mut worst = 0.0f64;
                for i in 1..=10 {
                    run.advance_to(i as f64)?;
                    let (r, l) = (run.state.q[40][1] - start.q[40][1], run.state.q[0][1] - start.q[0][1]);
                    worst = worst.max((r - right[i]).abs()).max((l - left[i]).abs());
                }
                print!("  dt {step}: {worst:.1e} m");
            }
            println!();
        }
    }
    Ok(())
}

fn main() -> Result<(), Failure> {
    let all: Value = serde_json::from_str(include_str!("../tests/data/reference.json"))?;
    pulleys(&all)?;
    holds(&all)?;
    ramps(&all)
}
