//! The Rosenbrock methods: their order, and that they agree with the generalised-α method.

use crate::common::*;
use crate::dynamics::pendulum;
use bristle_cable::*;
use bristle_solve::Method as Name;

fn run(system: &CableSystem, settings: Rosenbrock, start: &CableState, end: f64) -> (CableState, RunCost) {
    let mut run = RosenbrockRun::new(system, settings, start.clone()).unwrap();
    run.advance_to(end).unwrap();
    (run.state.clone(), run.statistics)
}

fn fixed(method: Name, step: f64) -> Rosenbrock {
    Rosenbrock { method, step, tolerance: None, ..Rosenbrock::default() }
}

/// Distance of two cables, the largest over the nodes.
fn apart(a: &CableState, b: &CableState) -> f64 {
    let far = |(p, q): (&CableNode, &CableNode)| (p[0] - q[0]).hypot(p[1] - q[1]);
    assert_eq!(a.q.len(), b.q.len());
    a.q.iter().zip(&b.q).map(far).fold(0.0, f64::max)
}

/// The falling pendulum is smooth: halving the step divides the error by 2⁴ or 2⁵, with and without damping of its
/// strain.
#[test]
fn the_order_is_that_of_the_method() {
    let (free, start) = pendulum(Strain::Green, 4);
    let damped = FlexibleCable { damping: 5.0, damping_of: CableDamping::Strain, ..free.cable().clone() };
    for system in [free, CableSystem::new(damped).unwrap()] {
        check_order(&system, &start);
    }
}

fn check_order(system: &CableSystem, start: &CableState) {
    let mut exact = RungeKutta::new(system, start.clone());
    for _ in 0..10_000 {
        exact.step(2e-5).unwrap();
    }
    for (method, order) in [(Name::Rodas4, 4.0), (Name::Rodas5p, 5.0)] {
        let error = |step: f64| apart(&run(system, fixed(method, step), start, 0.2).0, &exact.state);
        let (coarse, fine) = (error(1e-3), error(5e-4));
        let rate = (coarse / fine).log2();
        println!("{}: errors {coarse:.2e}, {fine:.2e}, order {rate:.2}", method.name());
        assert!((rate - order).abs() < 0.4, "{}: observed order {rate}", method.name());
    }
}

/// The published pulley under the smooth law: both methods meet the reference, and each other.
#[test]
fn both_methods_carry_the_end_masses_alike() {
    let (system, start) = resting(pulley(2.0, 40, law(0.5)));
    let right = start.q[40][1];
    let expected = floats(&reference("S2 L=2 alpha=0.5")["value"][0])[2];
    let alpha = GeneralisedAlpha { step: 2e-3, newton_tolerance: 1e-9, ..GeneralisedAlpha::default() };
    let mut other = GeneralisedAlphaRun::new(&system, alpha, start.clone()).unwrap();
    other.advance_to(2.0).unwrap();
    let error = other.state.q[40][1] - right - expected;
    println!("generalised_alpha: error {error:.1e} m, {:?}", other.statistics);
    for (method, tolerance) in [(Name::Rodas4, 1e-8), (Name::Rodas5p, 1e-8)] {
        let settings = Rosenbrock { method, tolerance: Some(tolerance), ..Rosenbrock::default() };
        let (state, statistics) = run(&system, settings, &start, 2.0);
        let error = state.q[40][1] - right - expected;
        let between = apart(&state, &other.state);
        println!("{}: error {error:.1e} m, {between:.1e} m apart, {statistics:?}", method.name());
        assert!(error.abs() < 1e-6, "{}: {error}", method.name());
        assert!(between < 1e-6, "{}: {between}", method.name());
    }
}

/// Drums that feel the cable, ends that are moved, loads that change, contacts that fade, a law without a hold.
#[test]
fn every_kind_of_drive_is_linearised() {
    let mut faded = shaken(law(0.5));
    faded.fade = 0.1;
    let kind = bristle_law::LawKind::named("smooth_coulomb").unwrap();
    let (numbers, choices) =
        (kind.card().defaults(), vec![bristle_core::Choice(0); kind.card().choices().count()]);
    let plain = shaken(Friction::from_law(kind, &numbers, &choices).unwrap());
    for (what, cable) in
        [("motor", shaken(law(0.5))), ("moved end", moved()), ("fade", faded), ("plain law", plain)]
    {
        let (system, start) = resting(cable);
        let alpha = GeneralisedAlpha { step: 2e-4, newton_tolerance: 1e-10, ..GeneralisedAlpha::default() };
        let mut other = GeneralisedAlphaRun::new(&system, alpha, start.clone()).unwrap();
        other.advance_to(0.3).unwrap();
        let settings = Rosenbrock { tolerance: Some(1e-9), ..Rosenbrock::default() };
        let (state, statistics) = run(&system, settings, &start, 0.3);
        let between = apart(&state, &other.state);
        println!("{what}: {between:.1e} m apart, {statistics:?}");
        assert!(between < 1e-6, "{what}: {between}");
    }
}

/// The order holds where friction, motor and contact take part: the linearisation is exact.
#[test]
fn the_order_holds_with_friction_and_drive() {
    let (system, start) = resting(shaken(law(0.5)));
    let (best, _) = run(&system, fixed(Name::Rodas5p, 2.5e-5), &start, 0.04);
    let error = |step: f64| apart(&run(&system, fixed(Name::Rodas4, step), &start, 0.04).0, &best);
    let (coarse, fine) = (error(2e-4), error(1e-4));
    let order = (coarse / fine).log2();
    println!("rodas4 on a driven pulley: errors {coarse:.2e}, {fine:.2e}, order {order:.2}");
    assert!(order > 3.5, "{order}");
}

#[test]
fn what_a_rosenbrock_method_cannot_do_is_said() {
    let kind = bristle_law::LawKind::named("lugre").unwrap();
    let choices = vec![bristle_core::Choice(0); kind.card().choices().count()];
    let friction = Friction::from_law(kind, &kind.card().defaults(), &choices).unwrap();
    let (system, start) = resting(pulley(2.0, 20, friction));
    let refused = RosenbrockRun::new(&system, Rosenbrock::default(), start.clone()).map(|_| ());
    assert!(matches!(refused, Err(CableError::Law { name: "lugre", .. })), "{refused:?}");
    let odd = Rosenbrock { method: Name::Dopri5, ..Rosenbrock::default() };
    let refused = RosenbrockRun::new(&system, odd, start).map(|_| ());
    assert_eq!(refused, Err(CableError::Method { name: "dopri5" }));
}
