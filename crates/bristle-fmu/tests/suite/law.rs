//! A law alone: slip rate and load in, force out.

use crate::host::*;
use bristle_core::Mode;
use bristle_fmu::law::LawModel;
use bristle_law::{At, LawKind, fixed_step};

fn host(name: &str) -> (Host, [u32; 4]) {
    let host = Host::law(name, CO_SIMULATION);
    assert!(!host.component.is_null(), "{name}: {}", log());
    host.begin();
    let model = LawModel::named(name).unwrap();
    (host, ["inputs.v", "inputs.n", "inputs.hold", "force"].map(|name| reference_of(&model, name)))
}

/// Every law of the catalogue runs, forwards, backwards and apart; where its own step of fixed length is exact for a slip rate that
/// is held, it is as good as that.
#[test]
fn every_law_runs_alone() {
    for kind in LawKind::ALL {
        let name = kind.card().name;
        let (host, [v, n, _, force]) = host(name);
        let law = kind.build(&kind.card().defaults(), &kind.card().default_choices());
        let kernel = fixed_step::kernel(&law).filter(|kernel| kernel.is_exact());
        let (mut z, mut mode) = (vec![0.0; kind.card().states.len()], vec![Mode::Stick; law.elements()]);
        law.initial(&mut z);
        law.start(&At::sliding(0.0, 1.0), &z, &mut mode);
        for k in 0..60 {
            let t = 0.01 * f64::from(k);
            let speed = 0.05 * (0.3 * f64::from(k) + 0.1).sin();
            assert_eq!(host.set(v, speed), 0, "{name}: {}", log());
            assert_eq!(host.set(n, 10.0), 0, "{name}: {}", log());
            assert_eq!(host.step(t, 0.01), 0, "{name}: {}", log());
            let found = host.get(force);
            assert!(found.is_finite(), "{name} at {t} s: {found}");
            if let Some(kernel) = kernel {
                let expected = kernel.step(&At::sliding(speed, 10.0), &mut z, &mut mode, 0.01);
                let model = LawModel::named(name).unwrap();
                let own: Vec<f64> =
                    kind.card().states.iter().map(|s| host.get(reference_of(&model, s.name))).collect();
                assert!(
                    (found - expected).abs() < 1e-6 * 10.0,
                    "{name} at {t} s, {speed} m/s: {found} {expected}, states {own:?} {z:?}"
                );
            }
        }
        assert_eq!(host.set(n, 0.0), 0);
        assert_eq!(host.step(0.6, 0.01), 0, "{name}: {}", log());
        assert_eq!(host.get(force), 0.0, "{name} without load");
        assert_eq!(host.set(n, -1.0), 3);
    }
}

/// At rest a set-valued law bears what holds it, up to its limit, and slides with its kinetic level.
#[test]
fn a_set_valued_law_bears_what_holds_it() {
    let (host, [v, n, hold, force]) = host("coulomb");
    host.set(n, 10.0);
    for (speed, holding, expected) in [
        (0.0, 2.0, 2.0),
        (0.0, 7.0, 4.0),
        (0.0, -9.0, -4.0),
        (0.1, 2.0, 3.0),
        (-0.1, 0.0, -3.0),
        (0.0, 1.0, 1.0),
    ] {
        host.set(v, speed);
        host.set(hold, holding);
        assert_eq!(host.get(force), expected, "{speed} m/s, {holding} N");
    }
    let model = LawModel::named("coulomb").unwrap();
    assert_eq!(host.set(reference_of(&model, "parameters.mu_d"), 2.0), 3, "above the static level");
    assert!(LawModel::named("colomb").err().unwrap().contains("`coulomb`"));
}
