//! Bodies that slide in a plane, against closed forms and turned by any angle.

use bristle_core::Choice;
use bristle_law::LawKind;
use bristle_law::laws::{Benson, Coulomb, LuGre};
use bristle_mech::mechanism::{BodyHandle, Machine, MachineRun, Mechanism, default};
use bristle_mech::parts::{Force, Gravity, PlanarContact, PlanarDrive, PlanarMass, Spring};
use bristle_mech::signals::Ramp;
use bristle_mech::{MechError, SignalKind, Spec};
use bristle_solve::{Method, Solver};
use std::f64::consts::TAU;

const G: f64 = 9.81;

fn simulate(mechanism: &Mechanism, duration: f64) -> MachineRun {
    let mut machine: Machine = mechanism.build().unwrap();
    machine.solver = Solver::with_tolerance(1e-12);
    machine.simulate(duration).unwrap()
}

fn imbalance(run: &MachineRun) -> f64 {
    let [kinetic, potential, input, loss] =
        ["kinetic", "potential", "input", "loss"].map(|name| run.named(&format!("energy.{name}")));
    let total = |i: usize| kinetic[i] + potential[i] - input[i] + loss[i];
    let largest =
        kinetic.iter().chain(potential).chain(input).chain(loss).fold(1e-30, |m: f64, e| m.max(e.abs()));
    (0..kinetic.len()).map(|i| (total(i) - total(0)).abs()).fold(0.0, f64::max) / largest
}

fn turned([x, y]: [f64; 2], by: f64) -> [f64; 2] {
    let (s, c) = by.sin_cos();
    [c * x - s * y, s * x + c * y]
}

/// A body on a floor that falls off towards an angle, under a law.
fn on_a_floor(angle: f64, downhill: f64, v: [f64; 2], law: Spec) -> (Mechanism, BodyHandle) {
    let mut m = Mechanism::new();
    let box_ = m.planar_mass("box", PlanarMass { mass: 2.0, vx: v[0], vy: v[1], ..default() });
    m.gravity(Gravity { g: G, angle, downhill, plane: Choice(1) });
    floor(&mut m, "pad", ["box", "ground"], PlanarContact::default(), law);
    (m, box_)
}

fn floor(m: &mut Mechanism, name: &str, between: [&str; 2], contact: PlanarContact<f64>, law: Spec) {
    m.part(name, Spec::describing(&contact).naming("between", &between).holding("law", law));
}

fn dry(mu: f64) -> Spec {
    Spec::describing(&Coulomb { mu_s: mu, mu_d: mu })
}

fn last(run: &MachineRun, name: &str) -> f64 {
    *run.named(name).last().unwrap()
}

/// Without other forces it decelerates along its velocity: `t = v/μg`, `s = v²/2μg`, and rests there for good.
#[test]
fn a_box_slides_straight_to_rest() {
    let (mu, v) = (0.3, [1.2, -0.5]);
    let (m, _) = on_a_floor(0.0, 0.0, v, dry(mu));
    let run = simulate(&m, 1.0);
    let speed = v[0].hypot(v[1]);
    let stop = &run.trajectory.events[0];
    assert!((stop.t - speed / (mu * G)).abs() < 1e-10, "{}", stop.t);
    let way = speed / (2.0 * mu * G);
    for (name, v) in [("box.x", v[0]), ("box.y", v[1])] {
        assert!((last(&run, name) - v * way).abs() < 1e-10, "{name}");
    }
    assert_eq!([last(&run, "box.vx"), last(&run, "box.vy"), last(&run, "pad.mode")], [0.0; 3]);
    assert!((last(&run, "pad.loss") - speed * speed).abs() < 1e-9 && imbalance(&run) < 1e-10);
    assert_eq!(run.trajectory.events.len(), 1);
}

/// On an incline a box that is kicked sideways turns downhill. With `φ` from downhill to the velocity and `k = tan θ/μ`
/// the hodograph is `v sin φ = C tan(φ/2)^(1/k)`; where it comes to rest, it does at `t = (μ v + tan θ v cos φ)/((μ² − tan²θ) g cos θ)`.
#[test]
fn a_box_kicked_across_an_incline_follows_its_hodograph() {
    for (angle, mu) in [(0.2_f64, 0.35), (0.3, 0.31), (0.3, 0.2), (0.1, 0.6), (0.3, 0.33), (0.3, 0.32)] {
        let (v, phi) = (1.5, 2.0_f64);
        let (m, _) = on_a_floor(angle, 0.0, [v * phi.cos(), v * phi.sin()], dry(mu));
        let k = angle.tan() / mu;
        let constant = v * phi.sin() / (phi / 2.0).tan().powf(1.0 / k);
        let stop =
            (mu * v + angle.tan() * v * phi.cos()) / ((mu * mu - angle.tan().powi(2)) * G * angle.cos());
        let run = simulate(&m, if k < 0.99 { 1.1 * stop } else { 3.0 });
        for (vx, vy) in run.named("box.vx").iter().zip(run.named("box.vy")) {
            let (speed, phi) = (vx.hypot(*vy), vy.atan2(*vx));
            if speed > 1e-3 && phi > 1e-4 {
                let found = speed * phi.sin() / (phi / 2.0).tan().powf(1.0 / k);
                assert!(
                    (found / constant - 1.0).abs() < 1e-7,
                    "{angle} {mu}: {found} {constant} at {speed} {phi}"
                );
            }
        }
        assert!(imbalance(&run) < 1e-9);
        // Closer to one the box is still under way at the end of the run.
        if k < 0.99 {
            let events = &run.trajectory.events;
            let found = events.iter().map(|e| e.t).fold(0.0, f64::max);
            assert!((found - stop).abs() < 1e-9, "{angle} {mu}: {found} against {stop}");
            assert_eq!(last(&run, "pad.mode"), 0.0, "{angle} {mu}");
            assert!((last(&run, "pad.force") - 2.0 * G * angle.sin()).abs() < 1e-12);
        }
    }
}

/// The same experiment turned by multiples of fifteen degrees gives the same figures, turned.
#[test]
fn twenty_four_directions_are_one() {
    let laws = [dry(0.35), Spec::describing(&Benson { mu_d: 0.3, mu_s: 0.4, c: 5.0 })];
    for law in laws {
        let of = |turn: f64| {
            let v = turned([0.9, 0.7], turn);
            let (m, _) = on_a_floor(0.2, 0.4 + turn, v, law.clone());
            let run = simulate(&m, 1.5);
            let place = turned([last(&run, "box.x"), last(&run, "box.y")], -turn);
            let stop = run.trajectory.events.iter().map(|e| e.t).fold(0.0, f64::max);
            [place[0], place[1], stop, last(&run, "pad.force"), last(&run, "pad.loss")]
        };
        let first = of(0.0);
        for i in 1..24 {
            let other = of(f64::from(i) * TAU / 24.0);
            for (a, b) in first.iter().zip(&other) {
                assert!((a - b).abs() < 1e-9, "{i}: {first:?} {other:?}");
            }
        }
    }
}

/// Every law with bristles too, within what the tolerance of a run leaves.
#[test]
fn no_law_prefers_a_direction() {
    for kind in LawKind::ALL {
        let card = kind.card();
        let law = kind.build(&card.defaults(), &[Choice(0); 4]);
        if !law.slides_in_plane() {
            continue;
        }
        let of = |turn: f64| {
            let v = turned([0.05, 0.02], turn);
            let (mut m, box_) = on_a_floor(0.05, turn, v, Spec::of(&card));
            m.force("push", box_, Force { value: 1.5, angle: 1.0 + turn, ..default() });
            let run = simulate(&m, 0.1);
            let place = turned([last(&run, "box.x"), last(&run, "box.y")], -turn);
            assert!(imbalance(&run) < 1e-5 || card.states.is_empty(), "{}: {}", card.name, imbalance(&run));
            [place[0], place[1]]
        };
        let first = of(0.0);
        for i in 1..24 {
            let other = of(f64::from(i) * TAU / 24.0);
            let apart = (first[0] - other[0]).hypot(first[1] - other[1]);
            assert!(apart < 1e-9, "{}: {first:?} {other:?}", card.name);
        }
    }
}

/// On an incline below the limit nothing moves, whichever way it falls off and whichever way somebody pushes; a push
/// that grows lets it go when the sum of both reaches the limit, and not before.
#[test]
fn a_box_sticks_on_an_incline_in_every_direction() {
    let (angle, mu) = (0.2_f64, 0.3);
    let (weight, limit) = (2.0 * G * angle.sin(), 2.0 * G * angle.cos() * mu);
    for push in [0.0, 0.7, 1.9, TAU / 2.0, 4.4] {
        let (mut m, box_) = on_a_floor(angle, 0.3, [0.0; 2], dry(mu));
        let ramp = Ramp { slope: 2.0, ..default() };
        let force = Spec::describing(&Force { angle: 0.3 + push, ..default() });
        m.part("push", force.naming("on", &["box"]).holding("signal", Spec::describing(&ramp)));
        let run = simulate(&m, 10.0);
        // |weight + push| = limit
        let along = weight * push.cos();
        let needed = -along + (along * along - weight * weight + limit * limit).sqrt();
        let event = &run.trajectory.events[0];
        assert!((event.t - needed / 2.0).abs() < 1e-9, "{push}: {} against {}", event.t, needed / 2.0);
        let speed = run.column(box_.output("vx"));
        assert!(run.time().iter().zip(speed).all(|(t, v)| *t > event.t || *v == 0.0));
    }
}

/// A load that falls to nothing opens the contact: friction `μ N(t)` fades along the velocity, and what is open slides on freely.
#[test]
fn a_load_that_fades_opens_the_contact() {
    let (mu, v, mass) = (0.3, [1.2, -0.5], 2.0);
    let fading = Spec::describing(&Ramp { from: 2.0, slope: -1.0, ..default() });
    for turn in [0.0, 1.0, 2.5] {
        let start = turned(v, turn);
        let mut m = Mechanism::new();
        m.planar_mass("box", PlanarMass { mass, vx: start[0], vy: start[1], ..default() });
        let contact = Spec::describing(&PlanarContact::default()).naming("between", &["box", "ground"]);
        m.part("pad", contact.holding("load", fading.clone()).holding("law", dry(mu)));
        let run = simulate(&m, 3.0);
        // Until 2 s the friction takes away μ/m (N₀ t − s t²/2) of the speed.
        let way = 1.3 * 3.0 - mu / mass * (2.0 * 2.0 - 8.0 / 6.0) - mu / mass * 2.0;
        let speed = 1.3 - mu / mass * 2.0;
        for (name, along, total) in
            [("x", start[0], way), ("y", start[1], way), ("vx", start[0], speed), ("vy", start[1], speed)]
        {
            let found = last(&run, &format!("box.{name}"));
            assert!((found - along / 1.3 * total).abs() < 1e-10, "{turn} {name}: {found}");
        }
        assert_eq!(last(&run, "pad.force"), 0.0);
        assert!(imbalance(&run) < 1e-10);
    }
}

/// A box that rests on an incline lets go when the fading load holds it no longer, and slides freely once the contact is open.
#[test]
fn a_resting_box_lets_go_as_its_load_fades() {
    let (mu, angle, mass) = (0.3, 0.2_f64, 2.0);
    let pull = G * angle.sin();
    let release = (20.0 - mass * pull / mu) / 4.0;
    for downhill in [0.0, 0.7, 3.0, 5.2] {
        let mut m = Mechanism::new();
        m.planar_mass("box", PlanarMass { mass, ..default() });
        m.gravity(Gravity { g: G, angle, downhill, plane: Choice(1) });
        let fading = Spec::describing(&Ramp { from: 20.0, slope: -4.0, ..default() });
        let contact = Spec::describing(&PlanarContact::default()).naming("between", &["box", "ground"]);
        m.part("pad", contact.holding("load", fading).holding("law", dry(mu)));
        let run = simulate(&m, 6.0);
        assert!((run.trajectory.events[0].t - release).abs() < 1e-9, "{:?}", run.trajectory.events[0].t);
        let speed = pull * (6.0 - release) - mu / mass * 2.0 * (5.0 - release).powi(2);
        for (name, share) in [("vx", downhill.cos()), ("vy", downhill.sin())] {
            let found = last(&run, &format!("box.{name}"));
            assert!((found - speed * share).abs() < 1e-9, "{downhill} {name}: {found} {}", speed * share);
        }
        assert!(imbalance(&run) < 1e-9);
    }
}

/// A box laid on a belt that runs in any direction is carried along after `t = v/μg`, and then rides without slip.
#[test]
fn a_belt_in_any_direction_carries_a_box_along() {
    for heading in [0.0, 0.8, 2.5, 4.0] {
        let v = turned([0.6, 0.0], heading);
        let mut m = Mechanism::new();
        m.planar_mass("box", PlanarMass { mass: 2.0, ..default() });
        m.part("belt", Spec::describing(&PlanarDrive { vx: v[0], vy: v[1], ..default() }));
        m.gravity(Gravity { g: G, plane: Choice(1), ..default() });
        floor(&mut m, "pad", ["box", "belt"], PlanarContact::default(), dry(0.25));
        let run = simulate(&m, 1.0);
        let stop = &run.trajectory.events[0];
        assert!((stop.t - 0.6 / (0.25 * G)).abs() < 1e-10, "{}", stop.t);
        assert!((last(&run, "box.vx") - v[0]).abs() < 1e-15 && (last(&run, "box.vy") - v[1]).abs() < 1e-15);
        let slip = 0.36 / (2.0 * 0.25 * G);
        assert!((last(&run, "pad.slip") - slip).abs() < 1e-10);
        assert!((last(&run, "pad.loss") - 0.36).abs() < 1e-9 && imbalance(&run) < 1e-9);
    }
}

/// A force that turns drags a box around: in the circle it ends on, `(m ω v)² + (μ m g)² = F²`.
#[test]
fn a_turning_push_leads_to_the_circle_it_should() {
    let (force, mu, omega) = (9.0_f64, 0.3, 3.0);
    let mut m = Mechanism::new();
    m.planar_mass("box", PlanarMass { mass: 2.0, vy: 0.1, ..default() });
    let turn = Ramp { slope: omega, ..default() };
    let push = Spec::describing(&Force { value: force, ..default() }).naming("on", &["box"]);
    m.part("push", push.holding("angle", Spec::describing(&turn)));
    floor(&mut m, "pad", ["box", "ground"], PlanarContact { load: 2.0 * G, ..default() }, dry(mu));
    let run = simulate(&m, 60.0);
    let speed = last(&run, "box.vx").hypot(last(&run, "box.vy"));
    let expected = (force * force - (2.0 * G * mu).powi(2)).sqrt() / (2.0 * omega);
    assert!((speed - expected).abs() < 1e-8, "{speed} {expected}");
    assert!(imbalance(&run) < 1e-9);
}

/// Across the grain friction is stronger: the limit at rest is an ellipse, and the body lets go where the push leaves it.
#[test]
fn the_limit_of_a_grained_surface_is_an_ellipse() {
    let (n, mu, across, grain) = (10.0, 0.3, 2.0, 0.4);
    for direction in [0.0_f64, 0.5, 1.2, TAU / 4.0, 3.0] {
        let mut m = Mechanism::new();
        m.planar_mass("box", PlanarMass { mass: 2.0, ..default() });
        let ramp = Ramp { slope: 1.0, ..default() };
        let force = Spec::describing(&Force { angle: grain + direction, ..default() });
        m.part("push", force.naming("on", &["box"]).holding("signal", Spec::describing(&ramp)));
        floor(&mut m, "pad", ["box", "ground"], PlanarContact { load: n, across, grain }, dry(mu));
        let run = simulate(&m, 8.0);
        let expected = mu * n / direction.cos().hypot(direction.sin() / across);
        let event = &run.trajectory.events[0];
        assert!((event.t - expected).abs() < 1e-9, "{direction}: {} against {expected}", event.t);
        assert!(imbalance(&run) < 1e-9);
    }
}

/// Two boxes on a belt that turns off: what holds them is solved together, and energy and momentum close.
#[test]
fn a_stack_of_boxes_rides_and_slips_together() {
    let mut m = Mechanism::new();
    m.planar_mass("low", PlanarMass { mass: 2.0, vx: 0.5, ..default() });
    let top = m.planar_mass("top", PlanarMass { mass: 1.0, vx: 0.5, ..default() });
    m.part("belt", Spec::describing(&PlanarDrive { vx: 0.5, ..default() }));
    m.gravity(Gravity { g: G, plane: Choice(1), ..default() });
    let below = Spec::describing(&PlanarContact::default()).naming("carries", &["low", "top"]);
    m.part("below", below.naming("between", &["low", "belt"]).holding("law", dry(0.5)));
    floor(&mut m, "between", ["top", "low"], PlanarContact::default(), dry(0.3));
    let ramp = Ramp { slope: 1.0, ..default() };
    let force = Spec::describing(&Force { angle: 1.1, ..default() });
    m.part("push", force.naming("on", &["top"]).holding("signal", Spec::describing(&ramp)));
    let run = simulate(&m, 5.0);
    let event = &run.trajectory.events[0];
    assert!((event.t - 0.3 * G).abs() < 1e-9, "{}", event.t);
    assert_eq!(last(&run, "below.mode"), 0.0, "the lower box is held: 0.3 g on 1 kg against 0.5 g on 3 kg");
    let (vx, vy) = (last(&run, "top.vx") - 0.5, last(&run, "top.vy"));
    let gained = (5.0 - 0.3 * G).powi(2) / 2.0;
    assert!((vx.hypot(vy) - gained).abs() < 1e-8 && (vy.atan2(vx) - 1.1).abs() < 1e-9, "{vx} {vy}");
    assert!(imbalance(&run) < 1e-9 && run.column(top.output("x")).len() > 10);
}

/// Presliding in the plane: a LuGre contact carries a load below its limit along any direction by bending.
#[test]
fn bristles_hold_in_the_direction_of_the_load() {
    let law = LuGre { sigma0: 1e5, sigma1: 300.0, sigma2: 0.4, ..default() };
    let (m, _) = on_a_floor(0.1, 0.7, [0.0; 2], Spec::describing(&law));
    let run = simulate(&m, 1.0);
    let weight = 2.0 * G * 0.1_f64.sin();
    let [fx, fy] = ["pad.force_x", "pad.force_y"].map(|name| last(&run, name));
    assert!(
        (fx - weight * 0.7_f64.cos()).abs() < 1e-6 && (fy - weight * 0.7_f64.sin()).abs() < 1e-6,
        "{fx} {fy}"
    );
}

#[test]
fn what_has_no_form_in_the_plane_is_refused() {
    let law = Spec::of(&LawKind::Karnopp.card());
    let (m, _) = on_a_floor(0.1, 0.0, [0.0; 2], law);
    assert!(matches!(m.build(), Err(MechError::Law { .. })));
    let mut m = Mechanism::new();
    m.planar_mass("box", PlanarMass { mass: 2.0, ..default() });
    m.part("belt", Spec::describing(&PlanarDrive::default()));
    let spring = Spring { k: 10.0, ..default() };
    m.part("tie", Spec::describing(&spring).naming("between", &["box", "ground"]));
    assert!(matches!(m.build(), Err(MechError::Planar { .. })));
    let mut m = Mechanism::new();
    m.planar_mass("box", PlanarMass { mass: 2.0, ..default() });
    floor(&mut m, "pad", ["box", "ground"], PlanarContact::default(), dry(0.3));
    assert!(matches!(m.build(), Err(MechError::NoLoad { .. })));
}

/// Whatever the method and the tolerance, a box comes to rest at the same instant, once.
#[test]
fn every_method_finds_the_same_stop() {
    let (m, _) = on_a_floor(0.0, 0.0, [1.2, -0.5], dry(0.3));
    for method in
        [Method::Auto, Method::Dopri5, Method::Dop853, Method::Rodas4, Method::Rodas5p, Method::Adams]
    {
        for tolerance in [1e-4, 1e-6, 1e-9, 1e-12] {
            let mut machine = m.build().unwrap();
            machine.solver = Solver { method, ..Solver::with_tolerance(tolerance) };
            let run = machine.simulate(1.0).unwrap();
            let events = &run.trajectory.events;
            assert_eq!(events.len(), 1, "{method:?} at {tolerance}");
            assert!(
                (events[0].t - 1.3 / (0.3 * G)).abs() < 1e-12,
                "{method:?} at {tolerance}: {}",
                events[0].t
            );
        }
    }
}

/// A load that comes and goes: under it the box decelerates along its velocity by `μ N/m`, without it the box goes on as it is; in the
/// end it rests, and where the load is gone for good it leaves again along the force on it.
#[test]
fn a_box_under_a_load_that_comes_and_goes_slides_straight() {
    let (mass, mu, top) = (2.0, 0.3, 20.0);
    let pulse = || {
        let card = SignalKind::Pulse.card();
        [("height", top), ("start", 0.0), ("width", 0.1), ("period", 0.3)]
            .iter()
            .fold(Spec::of(&card), |spec, (name, value)| spec.with(&card, name, *value))
    };
    let sine = || {
        let card = SignalKind::Sine.card();
        Spec::of(&card).with(&card, "amplitude", top).with(&card, "frequency", 1.0)
    };
    for angle in [0.0, 0.9, 2.6, 4.4] {
        let way = turned([1.0, 0.0], angle);
        let run = |load: Spec, push: f64, v: f64, end: f64| {
            let mut m = Mechanism::new();
            let box_ = PlanarMass { mass, vx: v * way[0], vy: v * way[1], ..default() };
            let box_ = m.planar_mass("box", box_);
            let pad = Spec::describing(&PlanarContact::default()).naming("between", &["box", "ground"]);
            m.part("pad", pad.holding("load", load).holding("law", dry(mu)));
            m.force("push", box_, Force { value: push, angle, ..default() });
            simulate(&m, end)
        };
        let along = |run: &MachineRun, names: [&str; 2]| {
            let [x, y] = names.map(|name| last(run, name));
            assert!((x * way[1] - y * way[0]).abs() < 1e-10, "{angle}: {x} {y}");
            x * way[0] + y * way[1]
        };
        // Three tenths of its speed in each pulse: 0.85, 0.55 and 0.25 m/s on average, 0.7, 0.4 and 0.1 in between, and the rest.
        let pulsed = run(pulse(), 0.0, 1.0, 2.0);
        let way_there = 0.1 * (0.85 + 0.55 + 0.25) + 0.2 * (0.7 + 0.4 + 0.1) + 0.1 * 0.1 / 6.0;
        assert!((along(&pulsed, ["box.x", "box.y"]) - way_there).abs() < 1e-10, "{angle}");
        assert!(last(&pulsed, "box.vx") == 0.0 && imbalance(&pulsed) < 1e-10);
        // Half a wave takes μ N T/(π m) of the speed.
        let waved = run(sine(), 0.0, 2.0, 1.0);
        let taken = mu * top / (std::f64::consts::PI * mass);
        assert!((along(&waved, ["box.vx", "box.vy"]) - (2.0 - taken)).abs() < 1e-10, "{angle}");
        assert!(imbalance(&waved) < 1e-10);
        // Held under the load of the first half wave but for its beginning and its end, pushed freely in the second.
        let pushed = run(sine(), 3.0, 0.0, 1.0);
        assert!(
            (along(&pushed, ["box.vx", "box.vy"]) - held_now_and_then(mass, mu * top, 3.0)).abs() < 1e-8,
            "{angle}"
        );
    }
}

/// The speed at the end of a second under a force and the friction `max(0, most sin 2πt)`, from rest: it slides until friction has
/// taken what it gained, sticks until the load is too light, and slides on.
fn held_now_and_then(mass: f64, most: f64, push: f64) -> f64 {
    let angle = (push / most).asin() / TAU;
    // The load reaches the force at `angle`; what was gained before is gone at `stops`.
    let gained = |t: f64| push * t - most * (1.0 - (TAU * t).cos()) / TAU;
    let (mut low, mut high) = (angle, 0.5 - angle);
    assert!(gained(high) < 0.0);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if gained(middle) > 0.0 { low = middle } else { high = middle }
    }
    let leaves = 0.5 - angle;
    let rubbed = most * ((TAU * leaves).cos() + 1.0) / TAU;
    (push * (1.0 - leaves) - rubbed) / mass
}
