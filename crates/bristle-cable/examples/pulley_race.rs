//! Times the motorised pulley.
use bristle_cable::*;
use std::time::Instant;

fn pulley(length: f64, elements: usize, friction: Friction) -> Cable {
    let target = Signal::Cycloid { amplitude: std::f64::consts::FRAC_PI_4, duration: 10.0 };
    let drive = Drive::Servo { kp: 100.0, kd: 20.0, target };
    let drum = Drum { drive, friction, ..Drum::new([0.0, 0.0], 0.25) };
    let end = End { mass: 10.0, ..End::default() };
    Cable { length, elements, ends: [end; 2], drums: vec![drum], ..Cable::default() }
}

fn main() -> Result<(), CableError> {
    for (name, friction) in [("quinn", Friction::quinn(0.25, 0.01)), ("cdq 0.9", Friction::cdq(0.25, 0.01, 0.9)?), ("cdq 0.5", Friction::cdq(0.25, 0.01, 0.5)?)] {
        let system = System::new(pulley(2.0, 40, friction))?;
        let mut start = system.state(arc_over(system.cable(), 0, 2e-4))?;
        let rest = Statics::default().solve(&system, &mut start)?;
        println!("{name}: rest {rest:?}");
        for step in [0.02, 0.01, 0.005, 0.002] {
            let clock = Instant::now();
            let method = GeneralisedAlpha { step, ..GeneralisedAlpha::default() };
            let mut run = Run::new(&system, method, start.clone())?;
            run.advance_to(10.0)?;
            let elapsed = clock.elapsed().as_secs_f64();
            println!("  {step}: {:.9} {:.9}  {elapsed:.3} s {:?} {:.1} us/newton", run.state.q[40][1] - start.q[40][1], run.state.q[0][1] - start.q[0][1], run.statistics, elapsed * 1e6 / run.statistics.newton as f64);
        }
    }
    Ok(())
}
