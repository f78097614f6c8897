//! A rig's motion against closed forms, and its derivatives against differences.

use bristle_fit::{Begin, Experiment, FitCurve, Mount, Rig, RigCourse, RigNumber, RigQuantity};
use bristle_law::LawKind;

/// The numbers of a law by name.
pub fn numbers(law: LawKind, values: &[(&str, f64)]) -> Vec<f64> {
    let card = law.card();
    let mut all = card.defaults();
    for (name, value) in values {
        let place = card.numbers().position(|f| f.name == *name).unwrap();
        all[place] = *value;
    }
    all
}

/// The place of a number of a law.
pub fn place(law: LawKind, name: &str) -> usize {
    law.card().numbers().position(|f| f.name == name).unwrap()
}

pub fn respond(rig: &Rig, values: &[f64]) -> Vec<f64> {
    let mut out = Vec::new();
    rig.respond(values, f64::INFINITY, &mut out, None).unwrap();
    out
}

fn times(count: usize, step: f64) -> Vec<f64> {
    (0..count).map(|i| i as f64 * step).collect()
}

/// Every bristle of Dahl's law with `α = 1` bends along `F = F_d (1 − exp(−σ₀ x/F_d))`.
#[test]
fn a_slip_from_rest_follows_the_exponential_of_dahl() {
    let law = LawKind::Dahl;
    let numbers = numbers(law, &[("mu_d", 3.0), ("sigma0", 1e5), ("alpha", 1.0)]);
    let mut rig = Rig::new(law, &numbers, &[], Mount::Prescribed).unwrap().over(&times(101, 1e-3), 0, 1);
    rig.pull = RigCourse::Level(1e-3);
    for (i, force) in respond(&rig, &[]).iter().enumerate() {
        let x = 1e-6 * i as f64;
        let expected = 3.0 * (1.0 - (-1e5 * x / 3.0).exp());
        assert!((force - expected).abs() < 3e-7, "{i}: {force} {expected}");
    }
}

/// A mass on a spring without friction swings; what the law takes is nothing.
#[test]
fn a_mass_on_a_spring_swings_as_it_should() {
    let law = LawKind::LuGre;
    let numbers = numbers(law, &[("mu_d", 1e-6), ("mu_s", 1e-6), ("sigma0", 1e-3), ("sigma1", 0.0)]);
    let rig = Rig::new(law, &numbers, &[], Mount::Mass).unwrap().over(&times(201, 0.01), 0, 1);
    let mut rig = rig.with(RigNumber::Mass, 2.0).with(RigNumber::Stiffness, 50.0).with(RigNumber::Place, 0.1);
    rig.quantity = RigQuantity::Position;
    for (i, q) in respond(&rig, &[]).iter().enumerate() {
        let expected = 0.1 * (5.0 * 0.01 * i as f64).cos();
        assert!((q - expected).abs() < 2e-6, "{i}: {q} {expected}");
    }
}

/// Steady points of LuGre lie on `F_d + (F_s − F_d) exp(−(v/v_s)²) + σ₂ v`.
#[test]
fn steady_points_lie_on_the_curve_of_the_law() {
    let law = LawKind::LuGre;
    let numbers = numbers(law, &[("mu_d", 2.0), ("mu_s", 3.0), ("v_s", 0.01), ("sigma2", 4.0)]);
    let speeds = [-0.03, -0.004, 0.001, 0.01, 0.2];
    let mut curve = FitCurve::new(law, &numbers, &[], &speeds).unwrap();
    curve.rig().places = vec![vec![place(law, "v_s")], vec![place(law, "sigma2")]];
    let (mut out, mut slopes) = (Vec::new(), vec![Vec::new(); 2]);
    curve.respond(&[0.01, 4.0], f64::INFINITY, &mut out, Some(&mut slopes)).unwrap();
    for (i, v) in speeds.iter().enumerate() {
        let peak = (-(v / 0.01_f64).powi(2)).exp();
        assert!((out[i] - v.signum() * (2.0 + peak) - 4.0 * v).abs() < 1e-9);
        let by_width = v.signum() * peak * 2.0 * v * v / 1e-6;
        assert!((slopes[0][i] - by_width).abs() < 1e-6 * (1.0 + by_width.abs()), "{v}");
        assert!((slopes[1][i] - v).abs() < 1e-12);
    }
}

/// A pulled slider of rate-and-state friction that slides steadily bears `μ_0 + (a − b) ln(v/v_0)`, and after a step of the velocity again.
#[test]
fn a_pulled_slider_steps_from_one_steady_state_to_another() {
    let law = LawKind::Dieterich;
    let numbers = numbers(
        law,
        &[("mu_ref", 0.6), ("direct", 0.01), ("evolution", 0.015), ("v_ref", 1e-6), ("d_c", 1e-5)],
    );
    let rig = Rig::new(law, &numbers, &[], Mount::Pulled).unwrap().over(&times(601, 0.5), 0, 1);
    let mut rig = rig.with(RigNumber::Load, 100.0).with(RigNumber::Stiffness, 1e5);
    rig = rig.with(RigNumber::Before, 1e-6).with(RigNumber::After, 1e-5).with(RigNumber::Instant, 10.3);
    (rig.pull, rig.quantity, rig.begin) = (RigCourse::Jump, RigQuantity::Coefficient, Begin::Steady);
    let mu = respond(&rig, &[]);
    assert!((mu[0] - 0.6).abs() < 1e-6 && (mu[20] - 0.6).abs() < 1e-6);
    assert!((mu[600] - (0.6 - 0.005 * 10.0_f64.ln())).abs() < 1e-6, "{}", mu[600]);
    let peak = mu.iter().copied().fold(0.0, f64::max);
    assert!(peak > 0.605, "the direct effect shows first: {peak}");
}

/// On a run that sticks and slips the derivatives agree with differences extrapolated to no step at all within 10⁻⁵.
#[test]
fn derivatives_through_stick_slip_are_exact() {
    let law = LawKind::ElastoPlastic;
    let numbers = numbers(
        law,
        &[
            ("mu_d", 3.0),
            ("mu_s", 4.0),
            ("v_s", 0.01),
            ("sigma0", 5e4),
            ("sigma1", 150.0),
            ("sigma2", 2.0),
            ("z_ba", 3e-5),
        ],
    );
    let rig = Rig::new(law, &numbers, &[], Mount::Mass).unwrap().over(&times(401, 5e-3), 0, 1);
    let mut rig =
        rig.with(RigNumber::Stiffness, 400.0).with(RigNumber::Belt, 0.02).with(RigNumber::Speed, 0.02);
    rig.quantity = RigQuantity::Position;
    rig.tolerance = 1e-11;
    let names = ["mu_d", "mu_s", "sigma0", "z_ba"];
    rig.places = names.iter().map(|name| vec![place(law, name)]).collect();
    let values: Vec<f64> = rig.places.iter().map(|p| rig.numbers[p[0]]).collect();
    let (mut out, mut slopes) = (Vec::new(), vec![Vec::new(); names.len()]);
    rig.respond(&values, f64::INFINITY, &mut out, Some(&mut slopes)).unwrap();
    for (j, name) in names.iter().enumerate() {
        let difference = |part: f64| -> Vec<f64> {
            let moved = |by: f64| {
                let mut other = values.clone();
                other[j] *= 1.0 + by;
                respond(&rig, &other)
            };
            let (up, down) = (moved(part), moved(-part));
            up.iter().zip(&down).map(|(a, b)| (a - b) / (2.0 * part * values[j])).collect()
        };
        let (coarse, fine) = (difference(2e-5), difference(1e-5));
        let (mut error, mut size) = (0.0, 0.0);
        for i in 0..out.len() {
            let limit = (4.0 * fine[i] - coarse[i]) / 3.0;
            error += (limit - slopes[j][i]).powi(2);
            size += slopes[j][i].powi(2);
        }
        let relative = (error / size).sqrt();
        assert!(relative < 1e-5, "{name}: {relative:e}");
    }
}
