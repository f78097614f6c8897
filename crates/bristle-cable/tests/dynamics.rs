//! Motion: the falling pendulum and the published pulley.

use crate::common::*;
use crate::explicit::RungeKutta;
use bristle_cable::*;

pub fn pendulum(strain: Strain, elements: usize) -> (CableSystem, CableState) {
    let cable = FlexibleCable {
        length: 1.2,
        elements,
        ea: 0.7e6 * 0.0018,
        ei: 0.7e6 * 1.215e-8,
        density: 5540.0 * 0.0018,
        damping: 0.0,
        strain,
        ends: [EndCondition { support: Support::Pinned, ..EndCondition::default() }, EndCondition::default()],
        ..FlexibleCable::default()
    };
    let system = CableSystem::new(cable).unwrap();
    let h = system.cable().element_length();
    let state = system.state((0..=elements).map(|i| [h * i as f64, 0.0, 1.0, 0.0]).collect()).unwrap();
    (system, state)
}

/// The tip whips chaotically after 0.75 s; the reference at equal mesh is met up to there and beyond.
#[test]
fn the_falling_pendulum_keeps_its_energy() {
    for (id, strain, step) in
        [("PENDULUM-green", Strain::Green, 1e-4), ("PENDULUM-eng", Strain::Engineering, 1e-4)]
    {
        let (system, state) = pendulum(strain, 20);
        let mut run = RungeKutta::new(&system, state);
        let expected = reference(id)["value"].as_array().unwrap();
        let swing = energy(&system, &run.state).total();
        let mut scale = 0.0f64;
        assert_eq!(expected.len(), 5);
        for (t, e) in [0.25, 0.5, 0.75, 1.0, 1.2].into_iter().zip(expected) {
            while run.state.t < t - 1e-9 {
                run.step(step).unwrap();
            }
            let now = energy(&system, &run.state);
            scale = scale.max(now.kinetic);
            assert!((now.total() - swing).abs() < 1e-6 * scale, "{id} at {t}: {}", now.total() - swing);
            let e = floats(e);
            let tolerance = 2e-5;
            close(run.state.q[20][0], e[0], tolerance, 1.0, id);
            close(run.state.q[20][1], e[1], tolerance, 1.0, id);
        }
    }
}

/// The implicit method without numerical damping keeps the energy as well.
#[test]
fn generalised_alpha_keeps_energy_and_has_order_two() {
    let (system, start) = pendulum(Strain::Green, 8);
    let tip = |step: f64, rho: f64| {
        let method = GeneralisedAlpha { rho, step, newton_tolerance: 1e-10, ..GeneralisedAlpha::default() };
        let mut run = GeneralisedAlphaRun::new(&system, method, start.clone()).unwrap();
        run.advance_to(0.5).unwrap();
        (run.state.q[8], energy(&system, &run.state))
    };
    let mut exact = RungeKutta::new(&system, start.clone());
    for _ in 0..2500 {
        exact.step(2e-4).unwrap();
    }
    let error = |step: f64| {
        let (q, _) = tip(step, 0.6);
        (q[0] - exact.state.q[8][0]).hypot(q[1] - exact.state.q[8][1])
    };
    let (coarse, fine) = (error(2e-3), error(1e-3));
    let rate = (coarse / fine).log2();
    assert!((rate - 2.0).abs() < 0.2, "observed order {rate}");
    let (_, end) = tip(2.5e-4, 1.0);
    assert!(end.total().abs() < 1e-5 * end.kinetic, "{end:?}");
}

/// Displacement of the end masses of the published pulley after `t` seconds.
pub fn pulley_travel(
    length: f64,
    friction: Friction,
    step: f64,
    times: &[f64],
) -> (Vec<[f64; 2]>, CableSystem, CableState) {
    let (system, start) = resting(pulley(length, 40, friction));
    let (left, right) = (start.q[0][1], start.q[40][1]);
    let mut run =
        GeneralisedAlphaRun::new(&system, GeneralisedAlpha { step, ..GeneralisedAlpha::default() }, start)
            .unwrap();
    let mut out = Vec::new();
    for t in times {
        run.advance_to(*t).unwrap();
        out.push([run.state.q[40][1] - right, run.state.q[0][1] - left]);
    }
    let state = run.state.clone();
    (out, system, state)
}

#[test]
fn the_pulley_carries_its_end_masses() {
    let times: Vec<f64> = (1..=10).map(f64::from).collect();
    let laws = [1.0, 0.99, 0.95, 0.9, 0.75, 0.5];
    for (length, alpha) in [2.0, 4.5].into_iter().flat_map(|l| laws.map(|a| (l, a))) {
        let (found, system, state) = pulley_travel(length, law(alpha), 0.01, &times);
        let expected = &reference(&format!("S2 L={length} alpha={alpha}"))["value"];
        let (right, left) = (floats(&expected[0]), floats(&expected[1]));
        for (i, [r, l]) in found.iter().enumerate() {
            assert!((r - right[i + 1]).abs() < 1e-6, "alpha {alpha}, t {}: {}", i + 1, r - right[i + 1]);
            assert!((l - left[i + 1]).abs() < 1e-6, "alpha {alpha}, t {}: {}", i + 1, l - left[i + 1]);
        }
        if alpha == 1.0 && length == 2.0 {
            let sum: f64 = contacts(&system, &state).iter().map(|c| c.friction).sum();
            close(sum, -1.751_335_723, 0.005, 0.0, "sum of friction");
        }
    }
}

/// Any law of the catalogue acts: by speed, by holding force, by bristles with a state at every node.
#[test]
fn laws_of_the_catalogue_turn_the_pulley() {
    let travel = 0.002 * RADIUS * std::f64::consts::FRAC_PI_4;
    for (name, set) in [
        ("cdq", &[("mu_d", MU), ("eps", EPS)][..]),
        ("quinn", &[("mu_d", MU), ("eps", EPS)]),
        ("karnopp", &[("mu_d", MU), ("mu_s", MU)]),
        ("smooth_coulomb", &[]),
        ("lugre", &[]),
        ("dahl", &[]),
    ] {
        let kind = bristle_law::LawKind::named(name).unwrap();
        let mut numbers = kind.card().defaults();
        for (key, value) in set {
            let place = kind.card().numbers().position(|f| f.name == *key).unwrap();
            numbers[place] = *value;
        }
        let choices = vec![bristle_core::Choice(0); kind.card().choices().count()];
        for friction in [
            Friction::from_law(kind, &numbers, &choices).unwrap(),
            Friction::Law { kind, numbers: numbers.clone(), choices: choices.clone() },
        ] {
            if friction.check().is_err() {
                continue;
            }
            let (found, ..) = pulley_travel(2.0, friction, 0.01, &[2.0]);
            assert!(found[0][0] < -travel && found[0][0] > -0.02, "{name}: {found:?}");
            if name == "cdq" {
                let expected = floats(&reference("S2 L=2 alpha=0.9")["value"][0])[2];
                assert!((found[0][0] - expected).abs() < 1e-6, "{name}: {found:?}");
            }
        }
    }
}
