//! Times the motorised pulley: per law and step, against the number of elements, and a long rope over three drums.
//!
//! `cargo run --release -p bristle-cable --example pulley_race -- [--short] [--peers FILE]`
//!
//! `--short` leaves the long rope out; `--peers` writes the times to a file for `benches/cables.py`.

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

/// The other methods, on the law they are made for.
fn rosenbrock() -> Result<(), CableError> {
    println!("10 s of the pulley under cdq 0.5 by Rosenbrock methods; error against the finest run at 10 s");
    let (system, start) = resting(pulley(40, Friction::cdq(0.25, 0.01, 0.5)?))?;
    let finest = GeneralisedAlpha { step: 5e-4, ..GeneralisedAlpha::default() };
    let mut fine = GeneralisedAlphaRun::new(&system, finest, start.clone())?;
    fine.advance_to(10.0)?;
    for (method, tolerances) in
        [(bristle_solve::Method::Rodas4, &[1e-7, 1e-8, 1e-9][..]), (bristle_solve::Method::Rodas5p, &[1e-8])]
    {
        for &tolerance in tolerances {
            let settings = Rosenbrock { method, tolerance: Some(tolerance), ..Rosenbrock::default() };
            let origin = Instant::now();
            let before = seconds(origin);
            let mut run = RosenbrockRun::new(&system, settings, start.clone())?;
            run.advance_to(10.0)?;
            let time = seconds(origin) - before;
            let error = (run.state.q[0][1] - fine.state.q[0][1])
                .abs()
                .max((run.state.q[40][1] - fine.state.q[40][1]).abs());
            println!(
                "  {:8} tolerance {tolerance:.0e} m: {time:.3} s  error {error:.1e} m  {} steps {} rejected  {:.1} us/step",
                method.name(),
                run.statistics.steps,
                run.statistics.rejections,
                1e6 * time / run.statistics.steps as f64
            );
        }
    }
    Ok(())
}

fn scaling() -> Result<(), CableError> {
    println!("cost per Newton iteration against the number of elements, 1 s of the pulley (cdq 0.9)");
    for structure in [LinearAlgebra::Border, LinearAlgebra::Descriptor] {
        for elements in [40, 80, 160, 320, 640] {
            if structure == LinearAlgebra::Border && elements > 320 {
                continue;
            }
            let (system, start) = resting(pulley(elements, Friction::cdq(0.25, 0.01, 0.9)?))?;
            let method = GeneralisedAlpha { structure, ..GeneralisedAlpha::default() };
            let mut run = GeneralisedAlphaRun::new(&system, method, start)?;
            let origin = Instant::now();
            let before = seconds(origin);
            run.advance_to(1.0)?;
            let time = 1e6 * (seconds(origin) - before) / run.statistics.newton as f64;
            println!(
                "  {structure:?} {elements:4} elements, {:3} contacts: {time:7.1} us, {:.3} us per element, {:.2} iterations per step",
                contacts(&system, &run.state).len(),
                time / elements as f64,
                run.statistics.newton as f64 / run.statistics.steps as f64
            );
        }
    }
    Ok(())
}

fn three_drums() -> Result<(), CableError> {
    println!("1000 elements over three drums, the middle one driven, 10 s");
    let friction = Friction::cdq(0.25, 0.01, 0.9)?;
    let drum = |x: f64, y: f64, sense: Sense, drive: DrumDrive| CableDrum {
        friction: friction.clone(),
        sense,
        drive,
        ..CableDrum::new([x, y], 0.25)
    };
    let target = CableSignal::ThereAndBack { amplitude: 2.0, duration: 5.0 };
    let end = EndCondition { mass: 20.0, ..EndCondition::default() };
    let cable = FlexibleCable {
        length: 12.0,
        elements: 1000,
        ends: [end.clone(), end],
        drums: vec![
            drum(-1.5, 0.0, Sense::Along, DrumDrive::free(0.5)),
            drum(0.0, -1.0, Sense::Against, DrumDrive::Servo { kp: 100.0, kd: 20.0, target }),
            drum(1.5, 0.0, Sense::Along, DrumDrive::free(0.5)),
        ],
        ..FlexibleCable::default()
    };
    let system = CableSystem::new(cable)?;
    let stations = [
        Waypoint::Point([-1.75, -3.0]),
        Waypoint::Drum { index: 0, turns: 0 },
        Waypoint::Drum { index: 1, turns: 0 },
        Waypoint::Drum { index: 2, turns: 0 },
        Waypoint::Point([1.75, -3.0]),
    ];
    let clock = Instant::now();
    let mut start = system.state(Path::through(system.cable(), &stations).lay(system.cable())?)?;
    let rest = Statics { keep: Some((500, 0)), ..Statics::default() }.solve(&system, &mut start)?;
    println!("  rest in {:.2} s: {rest:?}", clock.elapsed().as_secs_f64());
    let mut run = GeneralisedAlphaRun::new(
        &system,
        GeneralisedAlpha { step: 5e-3, ..GeneralisedAlpha::default() },
        start,
    )?;
    let origin = Instant::now();
    let before = seconds(origin);
    for i in 1..=10 {
        run.advance_to(f64::from(i))?;
        println!(
            "  t {i:2} s after {:6.1} s: {} contacts, ends at {:.4} and {:.4} m, {:?}",
            seconds(origin) - before,
            contacts(&system, &run.state).len(),
            run.state.q[0][1],
            run.state.q[1000][1],
            run.statistics
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
    rosenbrock()?;
    scaling()?;
    if !words.iter().any(|w| w == "--short") {
        three_drums()?;
    }
    Ok(())
}
