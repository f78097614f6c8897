//! A rope around a bollard, without finite elements.

use crate::mechanisms::run;
use bristle_mech::{PartKind, Spec, System};
use bristle_solve::{Dynamics, Output};

fn part(kind: PartKind, numbers: &[(&str, f64)]) -> Spec {
    let card = kind.card();
    numbers.iter().fold(Spec::of(&card), |spec, (name, value)| spec.with(&card, name, *value))
}

/// A load hangs on a rope over half a turn; a spring to the ground holds the other end with 98.1 N.
fn bollard(load: f64, bend: f64) -> System {
    let law = bristle_law::LawKind::named("coulomb").unwrap().card();
    let law = Spec::of(&law).with(&law, "mu_s", 0.25).with(&law, "mu_d", 0.25);
    let k = 1e5;
    let piece = part(PartKind::Mass, &[("mass", 0.05)]);
    let weight = part(PartKind::Mass, &[("mass", 10.0), ("q", 98.1 / k)]);
    // Both ropes carry 98.1 N at the start.
    let back =
        part(PartKind::Spring, &[("k", k), ("rest", -98.1 / k)]).naming("between", &["piece", "ground"]);
    let forth = part(PartKind::Spring, &[("k", k)]).naming("between", &["weight", "piece"]);
    let damper = part(PartKind::Damper, &[("d", 2000.0)]).naming("between", &["weight", "ground"]);
    let pull = part(PartKind::Force, &[]).naming("on", &["weight"]);
    let ramp = bristle_mech::SignalKind::named("smooth_step").unwrap().card();
    let ramp = Spec::of(&ramp).with(&ramp, "from", 98.1).with(&ramp, "to", load).with(&ramp, "duration", 2.0);
    let capstan = part(
        PartKind::Capstan,
        &[("mu", 0.25), ("wrap", std::f64::consts::PI), ("radius", 0.25), ("ei", bend)],
    );
    let capstan = capstan.naming("between", &["piece", "ground"]).naming("ropes", &["back", "forth"]);
    let parts = [
        ("piece", piece),
        ("weight", weight),
        ("back", back),
        ("forth", forth),
        ("brake", damper),
        ("pull", pull.holding("signal", ramp)),
        ("bollard", capstan.holding("law", law)),
    ];
    System::assemble(&parts.map(|(name, spec)| (name.to_owned(), spec))).unwrap()
}

/// How far the piece on the drum has slipped after the load has risen within 2 s and stayed for 1 s.
fn slipped(load: f64, bend: f64) -> f64 {
    let system = bollard(load, bend);
    let run = run(&system, 1e-9, 3.0, &Output::Grid { step: 0.5 });
    let place = (0..system.dim()).find(|i| system.state_name(*i) == "piece.q").unwrap();
    run.samples.row(run.samples.len() - 1)[place]
}

/// Below the ratio of the closed form nothing moves beyond rounding; above it the rope slips until the spring behind it holds.
#[test]
fn a_bollard_holds_up_to_its_ratio() {
    for (bend, ratio) in [(0.0, (0.25 * std::f64::consts::PI).exp()), (0.7, 2.130_579_170_795_697)] {
        let held = slipped(0.999 * ratio * 98.1, bend);
        assert!(held.abs() < 1e-12, "{held}, EI = {bend}");
        let moved = slipped(1.01 * ratio * 98.1, bend);
        // The spring behind grows by what the load is above the limit, over the ratio.
        let expected = 0.01 * 98.1 / 1e5;
        assert!((moved - expected).abs() < 0.1 * expected, "{moved} against {expected}, EI = {bend}");
    }
}
