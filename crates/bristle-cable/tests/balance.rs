//! The energy balance closes: stored, put in, lost.

use crate::common::*;
use crate::dynamics::pendulum;
use bristle_cable::*;

/// The gap as a share of the energy that changed hands.
fn share(system: &System, run: &dyn Integration) -> f64 {
    let ledger = run.ledger().unwrap();
    let change = (energy(system, run.state()).total() - ledger.stored).abs();
    let kinetic = energy(system, run.state()).kinetic;
    let turnover = change.max(ledger.work.input().abs()).max(ledger.work.loss()).max(kinetic);
    ledger.gap(system, run.state()).abs() / turnover
}

fn closes(what: &str, cable: Cable, method: Method, end: f64) -> f64 {
    let (system, start) = resting(cable);
    let mut run = method.start(&system, start).unwrap();
    run.advance_to(end).unwrap();
    let found = share(&system, run.as_ref());
    println!("{what}: {found:.1e} {:?}", run.ledger().unwrap().work);
    found
}

/// Halving the step divides the gap of the second-order method by four.
#[test]
fn the_pulley_under_generalised_alpha() {
    let method = |step: f64| {
        Method::GeneralisedAlpha(GeneralisedAlpha {
            step,
            newton_tolerance: 1e-9,
            ..GeneralisedAlpha::default()
        })
    };
    let [coarse, fine] = [0.01, 0.005].map(|h| closes("pulley", pulley(2.0, 40, law(0.9)), method(h), 4.0));
    assert!(fine < 1e-5 && coarse / fine > 3.0, "{coarse:.2e} {fine:.2e}");
}

/// A Rosenbrock method closes it to its own accuracy: servo, motor with bearing, moved end, changing load.
#[test]
fn every_kind_of_work_is_counted() {
    let method = Method::Rosenbrock(Rosenbrock { tolerance: Some(1e-11), ..Rosenbrock::default() });
    let viscous = Cable { damping: 1e3, damping_of: Damping::Strain, ..moved() };
    for (what, cable, end) in [
        ("servo", pulley(2.0, 40, law(0.5)), 2.0),
        ("moved end", moved(), 0.3),
        ("moved end, damping of the strain", viscous, 0.3),
        ("motor", shaken(law(0.5)), 0.3),
    ] {
        let found = closes(what, cable, method, end);
        assert!(found < 1e-5, "{what}: {found:.2e}");
    }
}

/// Without damping nothing is lost: the pendulum keeps its energy to 1e-6 under both implicit methods.
#[test]
fn the_pendulum_loses_nothing() {
    let (system, start) = pendulum(Strain::Green, 20);
    let alpha =
        GeneralisedAlpha { rho: 1.0, step: 1e-4, newton_tolerance: 1e-9, ..GeneralisedAlpha::default() };
    let rosenbrock = Rosenbrock { tolerance: Some(1e-8), ..Rosenbrock::default() };
    for method in [Method::GeneralisedAlpha(alpha), Method::Rosenbrock(rosenbrock)] {
        let mut run = method.start(&system, start.clone()).unwrap();
        run.advance_to(0.5).unwrap();
        let found = share(&system, run.as_ref());
        println!("pendulum: {found:.1e} of the kinetic energy, {:?}", run.statistics());
        assert!(found < 1e-6, "{found:.2e}");
    }
}
