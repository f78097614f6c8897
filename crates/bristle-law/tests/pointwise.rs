//! Laws against values computed elsewhere, point by point.

use bristle_core::{Choice, Dual, Mode, Scalar, partial, seed};
use bristle_law::{AnyLaw, At, LawKind};
use serde_json::Value;

fn data(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn rows(data: &Value, key: &str) -> Vec<Vec<f64>> {
    let row = |row: &Value| row.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    data[key].as_array().unwrap().iter().map(row).collect()
}

/// A law with some of its defaults replaced.
fn law<S: Scalar>(name: &str, numbers: &[(&str, f64)], choices: &[u8]) -> AnyLaw<S> {
    let kind = LawKind::named(name).unwrap();
    let card = kind.card();
    let mut values: Vec<S> = card.defaults().into_iter().map(S::from).collect();
    for (field, value) in numbers {
        let index = card.numbers().position(|f| f.name == *field);
        values[index.unwrap_or_else(|| panic!("{name} has no {field}"))] = S::from(*value);
    }
    kind.build(&values, &choices.iter().map(|c| Choice(*c)).collect::<Vec<_>>())
}

/// Table, law, parameters that differ from the defaults, choices.
type Case<'a> = (&'a str, &'a str, Vec<(&'a str, f64)>, &'a [u8]);

/// The Rabinowicz set: levels 98.1 N and 117.72 N under unit load, so that coefficients are forces.
///
/// Columns are `w z F dz/dt ds/dt dF/dw dF/dz d(dz/dt)/dw d(dz/dt)/dz` with the force on the body, the negative of
/// ours. The values are printed with twelve significant digits: half a unit of the twelfth may be up to 5e-12 of
/// the value, so that is granted beside 1e-12. Where terms of the size of the column cancel, their rounding is
/// granted too.
#[test]
fn force_rates_and_derivatives_match_the_benchmark_tables() {
    let levels = [("mu_d", 98.1), ("mu_s", 117.72)];
    let bristle = [("sigma0", 98100.0), ("sigma1", 780.0)];
    let curve = |gamma| [&levels[..], &bristle[..], &[("v_s", 0.05), ("gamma", gamma)]].concat();
    let plastic = |gamma| [&curve(gamma)[..], &[("z_ba", 1e-4)]].concat();
    let velocities = [&levels[..], &[("v_s", 0.01), ("v_d", 0.05)]].concat();
    let data = data(include_str!("data/pennestri2016_pointwise.json"));
    let constant = |key: &str| data["magic_constants"][key].as_f64().unwrap();
    let (b, _) = bristle_law::laws::MagicFormula::<f64>::shape(98.1 / 117.72, 0.01);
    let c = 2.0 - (98.1f64 / 117.72).asin() / std::f64::consts::FRAC_PI_2;
    assert!((b - constant("B")).abs() < 1e-9 && (c - constant("C")).abs() < 1e-11);

    let cases: [Case; 15] = [
        ("smooth_coulomb_tanh", "smooth_coulomb", vec![("mu_d", 98.1), ("v_d", 0.05)], &[0]),
        ("smooth_coulomb_normalised", "smooth_coulomb", vec![("mu_d", 98.1), ("v_d", 0.05)], &[1]),
        ("velocity_based_trig", "velocity_based", velocities.clone(), &[0]),
        ("velocity_based_step", "velocity_based", velocities, &[1]),
        ("dahl_alpha1", "dahl", vec![("mu_d", 98.1), ("sigma0", 98100.0), ("alpha", 1.0)], &[]),
        ("lugre_gamma1", "lugre", curve(1.0), &[]),
        ("lugre_gamma2", "lugre", curve(2.0), &[]),
        ("elasto_plastic_gamma1", "elasto_plastic", plastic(1.0), &[]),
        ("elasto_plastic_gamma2", "elasto_plastic", plastic(2.0), &[]),
        (
            "gonthier",
            "gonthier",
            [&levels[..], &bristle[..], &[("v_s", 0.05), ("v_t", 5e-4), ("tau_dw", 0.1)]].concat(),
            &[],
        ),
        ("stick_slip", "stick_slip", [&levels[..], &[("v_t", 0.05), ("d_max", 1e-4)]].concat(), &[]),
        ("benson_c20", "benson", [&levels[..], &[("c", 20.0)]].concat(), &[]),
        ("magic_formula_E0", "magic_formula", vec![("mu_s", 117.72), ("b", b), ("c", c), ("e", 0.0)], &[]),
        // The sliding branch of these two is the plateau of the tables above.
        ("smooth_coulomb_normalised", "coulomb", levels.to_vec(), &[]),
        ("smooth_coulomb_normalised", "karnopp", levels.to_vec(), &[0, 0]),
    ];
    for (key, name, numbers, choices) in cases {
        let table = rows(&data, key);
        let law: AnyLaw<Dual<2>> = law(name, &numbers, choices);
        let plateau_only = matches!(name, "coulomb" | "karnopp");
        for row in table.iter().filter(|row| !plateau_only || row[0].abs() > 0.05) {
            let states = law.kind().states();
            let z = [seed::<2>(row[1], 1), Dual::from(0.3)];
            let mut dz = [Dual::from(0.0); 2];
            let force =
                law.eval(&At::sliding(seed(row[0], 0), Dual::from(1.0)), &z[..states], &mut dz[..states]);
            let ours = [
                -force.value(),
                dz[0].value(),
                dz[1].value(),
                -partial(&force, 0),
                -partial(&force, 1),
                partial(&dz[0], 0),
                partial(&dz[0], 1),
            ];
            assert!(!row[2..].is_empty() && row[2..].len() <= ours.len(), "{key}: {row:?}");
            for (i, (ours, printed)) in ours.iter().zip(&row[2..]).enumerate() {
                let largest = table.iter().map(|row| row[2 + i].abs()).fold(0.0, f64::max);
                let half_digit = if *printed == 0.0 { 0.0 } else { half_of_the_twelfth_digit(*printed) };
                let allowed = half_digit + 1e-12 * printed.abs() + 1e-15 * largest;
                assert!(
                    (ours - printed).abs() <= allowed,
                    "{key} {name} {row:?} column {i}: {ours} {printed}"
                );
            }
        }
    }
}

fn half_of_the_twelfth_digit(printed: f64) -> f64 {
    0.5 * 10f64.powf(printed.abs().log10().floor() - 11.0)
}

/// Value and slope of the sigmoid to 1e-13, creep to 1e-12, as the source states.
#[test]
fn the_cdq_sigmoid_and_its_creep_match() {
    let data = data(include_str!("data/westin2020_sigmoid.json"));
    let cdq = |alpha: f64| bristle_law::laws::Cdq::<Dual<1>> {
        mu_d: 0.25.into(),
        eps: 1e-3.into(),
        alpha: alpha.into(),
        beta: 0.0.into(),
    };
    for row in rows(&data, "sigmoid") {
        let h = cdq(row[0]).sigmoid(seed(row[1], 0));
        assert!((h.value() - row[2]).abs() < 1e-13 && (partial(&h, 0) - row[3]).abs() < 1e-13, "{row:?}");
    }
    for row in rows(&data, "creep") {
        let law: AnyLaw<f64> = law("cdq", &[("mu_d", 0.25), ("eps", 1e-3), ("alpha", row[0])], &[]);
        let at = At { hold: row[1] * 2.5, ..At::sliding(1e-3 * row[2], 10.0) };
        assert!((law.eval(&at, &[], &mut []) / 2.5 - row[1]).abs() < 1e-12, "{row:?}");
    }
}

/// States along computed runs give the forces recorded there.
///
/// The states are recorded to rounding. In stick the force of `frdyn2` hangs on a small difference of speeds through
/// the slope `2 F_s/v_s` = 1.2e4 N s/m, and the recorded one comes from another order of operations: 1e-10 N.
#[test]
fn forces_along_the_bench_runs_match() {
    let data = data(include_str!("data/rill2023_bench.json"));
    let levels = [("mu_d", 0.3), ("mu_s", 0.6)];
    let velocities = [("v_s", 1e-3), ("v_d", 1e-2)];
    let bristle = [("sigma0", 5e6), ("sigma1", 3192.75)];
    let frdyn2: AnyLaw<f64> = law("frdyn2", &[levels, velocities, bristle].concat(), &[]);
    for row in rows(&data, "frdyn2") {
        let force = frdyn2.eval(&At::sliding(row[0], 9.81), &row[1..3], &mut [0.0; 2]);
        assert!((force - row[3]).abs() < 1e-10, "{row:?}: {force}");
    }
    let simpack: AnyLaw<f64> = law("simpack_like", &[levels, bristle].concat(), &[0]);
    let adams: AnyLaw<f64> =
        law("adams_like", &[&levels[..], &velocities[..], &[("d_max", 1e-6)]].concat(), &[]);
    for row in rows(&data, "simpack_like") {
        let at = At { mode: &[Mode::of(row[2])], ..At::sliding(row[0], 9.81) };
        let force = simpack.eval(&at, &row[1..2], &mut [0.0]);
        assert!((force - row[3]).abs() < 1e-12, "{row:?}: {force}");
    }
    for row in rows(&data, "adams_like") {
        let mut dx = [f64::NAN];
        let at = At { mode: &[Mode::of(row[0]), Mode::of(row[2])], ..At::sliding(row[0], 9.81) };
        let force = adams.eval(&at, &row[1..2], &mut dx);
        assert!((force - row[3]).abs() < 1e-12, "{row:?}: {force}");
        assert_eq!(dx[0], if row[2] == 0.0 { row[0] } else { 0.0 });
    }
}
