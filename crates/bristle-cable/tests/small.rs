//! Closed forms of the small pieces: sigmoid, creep, stopping block, rebound, mass, damping, capstan.

use crate::common::*;
use bristle_cable::capstan::MasslessCapstan;
use bristle_cable::contact::normal;
use bristle_cable::*;
use bristle_core::{partial, seed};

#[test]
fn the_sigmoid_and_its_slope() {
    for alpha in ["0.5", "0.75", "0.9", "0.99"] {
        for x in ["0.5", "0.95", "1", "1.05", "1.2"] {
            let entry = reference(&format!("SIG-{alpha}-{x}"));
            let sigmoid = Sigmoid::parabolic(alpha.parse().unwrap()).unwrap();
            let h = sigmoid.value(seed::<1>(x.parse().unwrap(), 0));
            let expected = floats(&entry["value"]);
            assert!((h.re - expected[0]).abs() < 1e-13 && (partial(&h, 0) - expected[1]).abs() < 1e-13);
        }
        let alpha: f64 = alpha.parse().unwrap();
        let one = Sigmoid::parabolic(alpha).unwrap().value(1.0);
        assert!((one - (3.0 + alpha) / 4.0).abs() < 1e-14);
    }
}

/// Monotone iff `β ≤ 3 − 2α`; below the identity iff `β ≥ (3 − α)/2`; outside it overshoots.
#[test]
fn the_admissible_region() {
    assert!(Sigmoid::new(0.9, 1.2).is_ok());
    assert!(matches!(Sigmoid::new(0.9, 1.4), Err(CableError::Sigmoid { .. })));
    assert!(matches!(Sigmoid::new(1.2, 1.4), Err(CableError::Sigmoid { .. })));
    assert!(matches!(Sigmoid::new(0.9, 1.0), Err(CableError::Sigmoid { .. })));
    assert!(Sigmoid::new(0.9, 1.05).unwrap().is_below_identity());
    assert!(!Sigmoid::new(0.9, 1.04).unwrap().is_below_identity());
    let peak = (0..=100_000).map(|i| cubic(0.9, 0.5, 0.9 + 0.5 * f64::from(i) * 1e-5)).fold(0.0, f64::max);
    assert!((peak - reference("SIG-overshoot")["value"].as_f64().unwrap()).abs() < 1e-7);
}

#[test]
fn creep_above_alpha() {
    for alpha in [0.5, 0.75, 0.9, 0.95, 0.99] {
        let sigmoid = Sigmoid::parabolic(alpha).unwrap();
        for fraction in [0.0, 0.25, 0.5, 1.0] {
            let x = alpha + fraction * (1.0 - alpha);
            let id = format!("CREEP-{alpha}-{}", (x * 1e10).round() / 1e10);
            let expected = reference(&id)["value"].as_f64().unwrap();
            assert!((sigmoid.creep(x) - expected).abs() < 1e-12, "{id}");
        }
    }
    assert_eq!(Sigmoid::CLAMP.creep(0.99), 0.0);
    assert!(Sigmoid::CLAMP.creep(1.01).is_infinite());
}

/// A block that only friction stops travels `∫ v dv/(μ g h(v/ε))`.
#[test]
fn a_block_comes_to_rest() {
    for (id, friction) in [
        ("BLOCK-quinn", law(1.0)),
        ("BLOCK-cdq-0.99", law(0.99)),
        ("BLOCK-cdq-0.9", law(0.9)),
        ("BLOCK-cdq-0.75", law(0.75)),
        ("BLOCK-cdq-0.5", law(0.5)),
    ] {
        let weight = 9.81;
        let n = 40_000;
        let step = 0.1 / f64::from(n);
        // Gauss points in each cell: the integrand has kinks, and none falls on an end of the range.
        let distance: f64 = (0..n)
            .flat_map(|i| {
                [0.211_324_865_405_187_1, 0.788_675_134_594_812_9].map(|g| (f64::from(i) + g) * step)
            })
            .map(|v| 0.5 * step * v / -friction.force(v, weight, 0.0, None))
            .sum();
        close(distance, reference(id)["value"].as_f64().unwrap(), 1e-8, 0.0, id);
    }
}

#[test]
fn a_ball_rebounds_with_hunt_and_crossley() {
    let drum = drum(Friction::None);
    for id in ["HC-0.05", "HC-0.1", "HC-0.5", "HC-1"] {
        let v0 = reference(id)["v_in"].as_f64().unwrap();
        let force = |y: f64, v: f64| normal(&drum, [0.0, y], [0.0, v]).map_or(0.0, |n| n.force);
        let (mut y, mut v, mut deepest) = (RADIUS, -v0, 0.0f64);
        let dt = 2e-8 / v0.sqrt();
        loop {
            let rate = |y: f64, v: f64| (v, force(y, v) / 0.02);
            let k1 = rate(y, v);
            let k2 = rate(y + 0.5 * dt * k1.0, v + 0.5 * dt * k1.1);
            let k3 = rate(y + 0.5 * dt * k2.0, v + 0.5 * dt * k2.1);
            let k4 = rate(y + dt * k3.0, v + dt * k3.1);
            let last = (y, v);
            y += dt / 6.0 * (k1.0 + 2.0 * (k2.0 + k3.0) + k4.0);
            v += dt / 6.0 * (k1.1 + 2.0 * (k2.1 + k3.1) + k4.1);
            deepest = deepest.max(RADIUS - y);
            if y > RADIUS && v > 0.0 && last.1 > 0.0 {
                break;
            }
        }
        let expected = floats(&reference(id)["value"]);
        close(v, expected[0], 1e-8, 0.0, id);
        close(deepest, expected[1], 1e-8, 0.0, id);
    }
}

#[test]
fn mass_weight_and_moment() {
    let cable = FlexibleCable { elements: 8, ..FlexibleCable::default() };
    let system = CableSystem::new(cable).unwrap();
    let (m, h) = (system.element_mass(), 0.25);
    let expected = floats(&reference("MASS")["value"]);
    // A rigid translation and a rigid rotation about the first node.
    let mut state = system.state((0..9).map(|i| [0.25 * f64::from(i), 0.0, 1.0, 0.0]).collect()).unwrap();
    state.v.fill([1.0, 0.0, 0.0, 0.0]);
    close(2.0 * energy(&system, &state).kinetic, expected[0], 1e-12, 0.0, "mass");
    for (i, v) in state.v.iter_mut().enumerate() {
        *v = [0.0, h * i as f64, 0.0, 1.0];
    }
    close(2.0 * energy(&system, &state).kinetic, expected[1], 1e-12, 0.0, "second moment");
    state.q.fill([0.0, 1.0, 0.0, 0.0]);
    close(energy(&system, &state).gravity, expected[2], 1e-12, 0.0, "weight");
    assert!(m[0][0] > 0.0);
}

/// The published damping is not frame indifferent: a rigid rotation loses `c Ω² L`. Damping of the strain is.
#[test]
fn rigid_rotation_is_damped() {
    let system = CableSystem::new(FlexibleCable { damping: 3.0, ..FlexibleCable::default() }).unwrap();
    let mut state = system.state((0..41).map(|i| [0.05 * f64::from(i), 0.0, 1.0, 0.0]).collect()).unwrap();
    for (v, q) in state.v.iter_mut().zip(&state.q) {
        *v = [-0.7 * q[1], 0.7 * q[0], -0.7 * q[3], 0.7 * q[2]];
    }
    let expected = reference("DAMP-rot")["value"].as_f64().unwrap();
    let lost = |system: &CableSystem| -> f64 {
        let pairs = state.q.windows(2).zip(state.v.windows(2));
        pairs.map(|(q, v)| system.element_forces([&q[0], &q[1]], [&v[0], &v[1]]).loss).sum()
    };
    close(lost(&system), expected, 1e-12, 0.0, "loss");
    let free = FlexibleCable { damping_of: CableDamping::Strain, ..system.cable().clone() };
    assert!(lost(&CableSystem::new(free).unwrap()) < 1e-25, "damping of the strain");
}

#[test]
fn the_massless_capstan_with_bending() {
    for mu in ["0.125", "0.1875", "0.225", "0.25"] {
        let capstan =
            MasslessCapstan { mu: mu.parse().unwrap(), wrap: std::f64::consts::PI, radius: RADIUS, ei: 0.7 };
        let expected = reference(&format!("CAPSTAN-EI-{mu}"))["value"].as_f64().unwrap();
        close(capstan.ratio(98.1), expected, 1e-12, 0.0, mu);
        let limp = MasslessCapstan { ei: 0.0, ..capstan };
        close(limp.ratio(98.1), (limp.mu * limp.wrap).exp(), 1e-14, 0.0, "limp");
        // Slipping the other way is the same problem with the ends exchanged.
        let f2 = capstan.tension(98.1, 1.0);
        close(capstan.tension(f2, -1.0), 98.1, 1e-12, 0.0, "there and back");
        assert!(matches!(capstan.hold(98.1, 0.99 * f2), capstan::CapstanRegime::Sticks { .. }));
        assert_eq!(capstan.hold(98.1, 1.01 * f2), capstan::CapstanRegime::SlipsToSecond);
        assert_eq!(capstan.hold(1.01 * f2, 98.1), capstan::CapstanRegime::SlipsToFirst);
    }
}
