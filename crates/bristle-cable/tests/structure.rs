//! The linear algebra against finite differences, and drums that feel the cable.

use crate::common::*;
use bristle_cable::*;

/// A short run.
fn travel(cable: FlexibleCable) -> CableState {
    let (system, start) = resting(cable);
    let method =
        GeneralisedAlpha { newton_tolerance: 1e-10, newton_limit: 20, ..GeneralisedAlpha::default() };
    let mut run = GeneralisedAlphaRun::new(&system, method, start).unwrap();
    run.advance_to(1.0).unwrap();
    assert!(run.statistics.newton < 8 * run.statistics.steps, "{:?}", run.statistics);
    run.state
}

fn motor(inertia: f64, friction: Friction) -> FlexibleCable {
    let mut cable = pulley(2.0, 40, friction);
    let target = CableSignal::Cycloid { amplitude: std::f64::consts::FRAC_PI_4, duration: 10.0 };
    let (kp, kd) = (100.0 * inertia, 20.0 * inertia);
    cable.drums[0].drive =
        DrumDrive::Motor { inertia, kp, kd, target, torque: CableSignal::default(), bearing: 0.0 };
    cable
}

/// A drum of great inertia moves as if it did not feel the cable.
#[test]
fn a_heavy_motor_is_a_servo() {
    let (a, b) = (travel(motor(1e9, law(1.0))), travel(pulley(2.0, 40, law(1.0))));
    assert!((a.spin[0][0] - b.spin[0][0]).abs() < 1e-6);
    assert!((a.q[40][1] - b.q[40][1]).abs() < 1e-6);
}

/// Atwood's machine: unequal masses over a free pulley with stuck cable accelerate by
/// `Δm g/(Σm + ρA L + J/R²)` as long as the shifting cable weight is small.
#[test]
fn atwoods_machine() {
    let mut cable = pulley(2.0, 40, law(1.0));
    let inertia = 0.5;
    // The published damping also resists the turning of the cable over the drum.
    cable.damping_of = CableDamping::Strain;
    cable.drums[0].drive = DrumDrive::free(inertia);
    let (system, start) = resting(cable.clone());
    cable.ends[1].mass = 10.5;
    let heavier = CableSystem::new(cable).unwrap();
    let y0 = start.q[40][1];
    let mut run = GeneralisedAlphaRun::new(&heavier, GeneralisedAlpha::default(), start).unwrap();
    run.advance_to(0.5).unwrap();
    let mass = 20.5 + system.cable().density * 2.0 + inertia / (RADIUS * RADIUS);
    let fall = 0.5 * 0.5 * 9.81 / mass * 0.25;
    close(y0 - run.state.q[40][1], fall, 0.02, 0.0, "fall");
    close(RADIUS * run.state.spin[0][0], fall, 0.02, 0.0, "turn of the pulley");
}

/// The Jacobian against central differences of the residual, with contact and friction.
#[test]
fn the_jacobian_is_exact() {
    // Damping strong enough to be seen beside the axial stiffness.
    for (damping_of, damping) in
        [(CableDamping::Slope, 1.0), (CableDamping::Slope, 1e4), (CableDamping::Strain, 1e4)]
    {
        check_jacobian(FlexibleCable { damping, damping_of, ..pulley(2.0, 40, law(0.5)) });
    }
}

fn check_jacobian(cable: FlexibleCable) {
    let (system, mut state) = resting(cable);
    for (i, v) in state.v.iter_mut().enumerate() {
        let i = i as f64;
        *v = [2e-3 * i.cos(), 1e-3 * (2.0 * i).sin(), 5e-3 * i.sin(), -3e-3 * (3.0 * i).cos()];
    }
    state.hold.iter_mut().enumerate().for_each(|(i, h)| *h = 3.0 * (i as f64).sin());
    let z = state.z.clone();
    let w = Weights { mass: 0.0, speed: 0.3, place: 1.0, dt: 0.0 };
    let mut assembly = Assembly::new(41);
    system.assemble(&mut state.clone(), &z, w, ActiveFriction::Law, &mut assembly);
    let jacobian = assembly.tri.clone();
    for node in [14, 18, 26] {
        for c in 0..4 {
            let step = 1e-7;
            let shifted = |sign: f64, assembly: &mut Assembly| {
                let mut s = state.clone();
                s.q[node][c] += sign * step;
                s.v[node][c] += sign * 0.3 * step;
                system.assemble(&mut s, &z, w, ActiveFriction::Law, assembly);
                [assembly.tri.rhs[node - 1], assembly.tri.rhs[node], assembly.tri.rhs[node + 1]]
            };
            let (up, down) = (shifted(1.0, &mut assembly), shifted(-1.0, &mut assembly));
            let columns = [&jacobian.upper[node - 1], &jacobian.diag[node], &jacobian.lower[node]];
            for (i, block) in columns.into_iter().enumerate() {
                for r in 0..4 {
                    let difference = (up[i][r] - down[i][r]) / (2.0 * step);
                    close(block[r][c], difference, 1e-6, 1e5, &format!("{node} {i} {r} {c}"));
                }
            }
        }
    }
}
