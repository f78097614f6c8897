//! Times the motorised pulley: per law and step, and against the number of elements.
//!
//! `cargo run --release -p bristle-cable --example pulley_race -- [--peers FILE]`
//!
//! `--peers` writes the times to a file for `benches/cables.py`.

#![allow(clippy::print_stdout)]

use bristle_cable::*;
use serde_json::{Value, json};
use std::time::Instant;

/// Processor seconds of this process where the system tells, wall-clock seconds elsewhere.
fn seconds(origin: Instant) -> f64 {
    std::fs::read_to_string("/proc/self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next()?.parse::<f64>().ok())
        .map_or_else(|| origin.elapsed().as_secs_f64(), |ns| 1e-9 * ns)
}

fn pulley(elements: usize, friction: Friction) -> FlexibleCable {
    let target = CableSignal::Cycloid { amplitude: std::f64::consts::FRAC_PI_4, duration: 10.0 };
    let drive = DrumDrive::Servo { kp: 100.0, kd: 20.0, target };
    let drum = CableDrum { drive, friction, ..CableDrum::new([0.0, 0.0], 0.25) };
    let end = EndCondition { mass: 10.0, ..EndCondition::default() };
    FlexibleCable { elements, ends: [end.clone(), end], drums: vec![drum], ..FlexibleCable::default() }
}

fn resting(cable: FlexibleCable) -> Result<(CableSystem, CableState), CableError> {
    let system = CableSystem::new(cable)?;
    let mut state = system.state(arc_over(system.cable(), 0, 2e-4))?;
    Statics::default().solve(&system, &mut state)?;
    Ok((system, state))
}

fn laws() -> Result<Vec<Value>, CableError> {
    let mut rows = Vec::new();
    println!("10 s of the pulley, 40 elements; error against the finest run at 10 s");
    let laws = [
        ("quinn", Friction::quinn(0.25, 0.01)),
        ("cdq 0.9", Friction::cdq(0.25, 0.01, 0.9)?),
        ("cdq 0.5", Friction::cdq(0.25, 0.01, 0.5)?),
    ];
    for (name, friction) in laws {
        let (system, start) = resting(pulley(40, friction))?;
        let travel = |step: f64| {
            let method = GeneralisedAlpha { step, ..GeneralisedAlpha::default() };
            let mut best = f64::INFINITY;
            let mut out = None;
            for _ in 0..3 {
                let origin = Instant::now();
                let before = seconds(origin);
                let mut run = GeneralisedAlphaRun::new(&system, method, start.clone())?;
                run.advance_to(10.0)?;
                best = best.min(seconds(origin) - before);
                out = Some((run.state.q[0][1], run.state.q[40][1], run.statistics));
            }
            out.map(|o| (o, best)).ok_or(CableError::NoElements { elements: 0 })
        };
        let (fine, _) = travel(5e-4)?;
        for step in [0.02, 0.01, 0.005, 0.002] {
            let ((left, right, s), time) = travel(step)?;
            let error = (left - fine.0).abs().max((right - fine.1).abs());
            println!(
                "  {name:8} dt {step:5}: {time:.3} s  error {error:.1e} m  {} steps {} newton {} halvings  {:.1} us/newton",
                s.steps,
                s.newton,
                s.halvings,
                1e6 * time / s.newton as f64
            );
            let (right, left) = (right - start.q[40][1], left - start.q[0][1]);
            rows.push(json!({ "law": name, "step": step, "seconds": time, "error": error, "right": right, "left": left }));
        }
    }
    Ok(rows)
}

fn scaling() -> Result<(), CableError> {
    println!("cost per Newton iteration against the number of elements, 1 s of the pulley (cdq 0.9)");
    for elements in [40, 80, 160, 320] {
        let (system, start) = resting(pulley(elements, Friction::cdq(0.25, 0.01, 0.9)?))?;
        let mut run = GeneralisedAlphaRun::new(&system, GeneralisedAlpha::default(), start)?;
        let origin = Instant::now();
        let before = seconds(origin);
        run.advance_to(1.0)?;
        let time = 1e6 * (seconds(origin) - before) / run.statistics.newton as f64;
        println!(
            "  {elements:4} elements, {:3} contacts: {time:7.1} us, {:.3} us per element, {:.2} iterations per step",
            contacts(&system, &run.state).len(),
            time / elements as f64,
            run.statistics.newton as f64 / run.statistics.steps as f64
        );
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().collect();
    let rows = laws()?;
    if let Some(i) = words.iter().position(|w| w == "--peers") {
        let file = words.get(i + 1).ok_or("--peers needs a file")?;
        std::fs::write(file, serde_json::to_string_pretty(&rows)?)?;
    }
    scaling()?;
    Ok(())
}
