//! Forces and motions over time: values against closed forms, and no solver steps over a jump.

use crate::mechanisms::{part, run};
use bristle_mech::{PartKind, SignalKind, Spec, System};
use bristle_solve::{Dynamics, Output};

fn signal(kind: SignalKind, numbers: &[(&str, f64)]) -> Spec {
    let card = kind.card();
    numbers.iter().fold(Spec::of(&card), |spec, (name, value)| spec.with(&card, name, *value))
}

/// A free mass of 1 kg under a force.
fn pushed(force: Spec) -> System {
    let parts = [
        ("block", part(PartKind::Mass, &[("mass", 1.0)])),
        ("push", part(PartKind::Force, &[]).naming("on", &["block"]).holding("signal", force)),
    ];
    System::assemble(&parts.map(|(name, spec)| (name.to_owned(), spec))).unwrap()
}

/// A millisecond of 2 N in ten seconds gives exactly 2e-3 m/s, in few steps.
#[test]
fn a_short_pulse_is_neither_missed_nor_crept_up_to() {
    let pulse = signal(SignalKind::Pulse, &[("height", 2.0), ("start", 5.0), ("width", 1e-3)]);
    let run = run(&pushed(pulse), 1e-8, 10.0, &Output::Ends);
    assert!((run.end.x[1] - 2e-3).abs() < 1e-15, "{}", run.end.x[1]);
    assert!((run.end.x[0] - (2e-3 * 4.999 + 1e-6)).abs() < 1e-12, "{}", run.end.x[0]);
    println!("{:?}", run.statistics);
    assert!(run.statistics.steps + run.statistics.rejected < 60, "{:?}", run.statistics);
}

/// A drive along each profile ends where the integral of its velocity says.
#[test]
fn drives_travel_the_integral_of_their_velocity() {
    let cases = [
        (signal(SignalKind::Trapezoid, &[("height", 1.0), ("end", 5.0), ("ramp", 1.0)]), 4.0),
        (signal(SignalKind::SmoothStep, &[("to", 2.0), ("start", 1.0), ("duration", 2.0)]), 2.0 + 2.0 * 7.0),
        (signal(SignalKind::Ramp, &[("slope", 0.5), ("start", 2.0), ("duration", 4.0)]), 4.0 + 2.0 * 4.0),
        (signal(SignalKind::Pulse, &[("height", 3.0), ("start", 1.0), ("width", 0.5), ("period", 2.0)]), 7.5),
        (
            signal(SignalKind::Sine, &[("amplitude", 2.0), ("frequency", 0.25)]),
            2.0 * 2.0 / (0.5 * std::f64::consts::PI),
        ),
        (signal(SignalKind::Cycloid, &[("rise", 1.0), ("duration", 4.0)]), 2.0 + 6.0),
    ];
    for (profile, travel) in cases {
        let name = profile.kind.clone();
        let parts = [
            ("sled", part(PartKind::Drive, &[]).holding("velocity", profile)),
            ("block", part(PartKind::Mass, &[("mass", 1.0)])),
            ("tie", part(PartKind::Spring, &[("k", 1.0)]).naming("between", &["block", "sled"])),
        ];
        let system = System::assemble(&parts.map(|(name, spec)| (name.to_owned(), spec))).unwrap();
        let p = system.params().to_vec();
        let mut state = system.initial(&p);
        system.start(&p, &mut state);
        let point = bristle_solve::Point { t: 10.0, x: &state.x, p: &p, mode: &state.mode };
        let place = system.channels().iter().position(|c| c.name == "sled.q").unwrap();
        let found = system.observe(&point)[place];
        assert!((found - travel).abs() < 1e-12, "{name}: {found} against {travel}");
    }
}
