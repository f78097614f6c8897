//! Certificates separate the laws as theory says.

use bristle::LawKind;
use bristle::certify::probes::hold::HoldVerdict;
use bristle::certify::{Certificate, certify, fingerprint_of, fingerprints};

fn named(name: &str) -> LawKind {
    LawKind::named(name).unwrap()
}

fn of<'a>(all: &'a [Certificate], law: &str) -> &'a Certificate {
    all.iter().find(|c| c.law == law).unwrap()
}

/// The static level is measured, so the shares are of what the law bore; the formulas are of its parameters.
fn creep(law: &str, load: f64) -> f64 {
    match law {
        "smooth_coulomb" => 1e-3 * (load / 3.0).atanh(),
        "velocity_based" => 1e-3 * std::f64::consts::FRAC_2_PI * (load / 4.0).asin(),
        _ => 1e-3 * (1.0 - (1.0 - load / 4.0).sqrt()),
    }
}

/// One test, since each law's certificate is made once.
#[test]
fn the_laws_are_told_apart() {
    let hold =
        ["frdyn2", "elasto_plastic", "coulomb", "karnopp", "simpack_like", "dahl", "lugre", "maxwell_slip"];
    let grow = ["lugre_dwell", "gonthier", "dieterich", "perrin_rice", "ruina"];
    let creeping = ["smooth_coulomb", "velocity_based", "regularised"];
    let laws: Vec<LawKind> = [&hold[..], &grow[..], &creeping[..]].concat().into_iter().map(named).collect();
    let all = certify(&laws, &mut ()).unwrap();
    for law in hold {
        let certificate = of(&all, law);
        assert_eq!(certificate.verdict(), Some(HoldVerdict::Holds), "{law}: {:?}", certificate.hold);
    }
    // Every probe of every law has a finding, or words why it does not apply.
    for certificate in &all {
        let text = serde_json::to_string(certificate).unwrap();
        assert!(!text.contains("not_measured"), "{text}");
        assert_eq!(certificate.damping.damper > 0.0, certificate.levels.found().unwrap().stiffness > 0.0);
    }
    for law in creeping {
        for found in of(&all, law).hold.found().unwrap() {
            let theory = creep(law, found.load);
            let speeds = [found.speed_300.unwrap(), found.speed_1e6.unwrap(), found.predicted];
            for speed in speeds {
                assert!(
                    (speed / theory - 1.0).abs() < 1e-2,
                    "{law} at {}: {speed} against {theory}",
                    found.share
                );
            }
        }
    }
    // Drift per cycle on the soft bench: an independent recomputation of the paper's third experiment, mm.
    for (law, drifts) in [("dahl", [2.685, 6.642, 10.36]), ("lugre", [2.496, 6.099, 9.492])] {
        let soft = of(&all, law).shake.found().unwrap().soft.unwrap();
        assert_eq!(soft.len(), drifts.len());
        for (ours, theirs) in soft.iter().zip(drifts) {
            assert!((1e3 * ours / theirs - 1.0).abs() < 1e-2, "{law}: {soft:?}");
        }
    }
    for certificate in &all {
        let dwell = certificate.dwell.found().unwrap();
        assert_eq!(dwell.strengthens, grow.contains(&certificate.law), "{}: {dwell:?}", certificate.law);
        let random = certificate.passivity.found().unwrap();
        assert!(random.asymmetry < 1e-5, "{}: {random:?}", certificate.law);
    }
    let elastic = of(&all, "elasto_plastic").shake.found().unwrap();
    assert!(elastic.drift.abs() < 1e-12, "{elastic:?}");
    let turned = of(&all, "frdyn2").rotation.found().unwrap().unwrap();
    assert!(turned.error < 1e-6, "{turned:?}");
}

/// What the manual shows of a law is what is measured today; `cargo xtask certify` measures all of them again.
#[test]
fn kept_fingerprints_are_those_of_today() {
    let laws = ["coulomb", "smooth_coulomb", "kikuuwe"];
    let certificates = certify(&laws.map(named), &mut ()).unwrap();
    assert_eq!(certificates.len(), laws.len());
    let today: serde_json::Value = serde_json::from_str(&fingerprints(&certificates)).unwrap();
    for law in laws {
        let kept = serde_json::to_value(fingerprint_of(law)).unwrap();
        assert!(kept.as_array().is_some_and(|list| list.len() > 10), "{law}: {kept}");
        assert_eq!(today[law], kept, "{law}: run `cargo xtask certify`");
    }
}
