//! Ropes on drums that machines turn, and on bodies that strike: against closed forms.

use crate::roped::{Part, column, gap, part, run, system};
use crate::ropes::structure_error;
use bristle_law::LawKind;
use bristle_mech::System;
use bristle_solve::{Dynamics, Output, Solver};

/// Friction that holds a rope on its drum.
const GRIP: [(&str, f64); 3] = [("mu_d", 0.5), ("eps", 0.01), ("alpha", 0.5)];

/// A load on a light rope that hangs from the rim of a drum: a drum of this radius, its rope and the load.
#[derive(Clone, Copy)]
struct Winch {
    radius: f64,
    mass: f64,
    length: f64,
    elements: f64,
    density: f64,
    ea: f64,
    damping: f64,
    stiffness: f64,
}

impl Winch {
    /// Drum `name`, its rope and its load, which hangs on the right.
    fn parts(&self, name: &str, drum: impl Fn(Part) -> Part) -> Vec<Part> {
        let of = |what: &str| format!("{name}_{what}");
        let made = part(name, "drum", &[("radius", self.radius), ("stiffness", self.stiffness)])
            .law(LawKind::Cdq, &GRIP);
        let rope = [
            ("length", self.length),
            ("elements", self.elements),
            ("ea", self.ea),
            ("density", self.density),
            ("damping", self.damping),
        ];
        let rope_name = of("rope");
        vec![
            drum(made),
            part(&rope_name, "cable", &rope).names("over", &[name]),
            part(&of("tie"), "cable_end", &[("angle", -1.5)])
                .names("rim", &[name])
                .names("of", &[&rope_name])
                .choice("at", "first"),
            part(&of("load"), "cable_end", &[("mass", self.mass)])
                .names("of", &[&rope_name])
                .choice("at", "last"),
        ]
    }
}

const WINCH: Winch = Winch {
    radius: 0.3,
    mass: 50.0,
    length: 2.0,
    elements: 80.0,
    density: 1e-5,
    ea: 5e6,
    damping: 2e4,
    stiffness: 1e10,
};

/// A brake holds a load on a drum for hours, and lets it fall with `a = m g/(m + J/R²)`.
#[test]
fn a_brake_holds_a_winch_and_lets_it_go() {
    let g = 9.81;
    for (winch, inertia, arm) in
        [(WINCH, 4.0, 0.2), (Winch { radius: 0.2, mass: 20.0, elements: 160.0, ..WINCH }, 0.5, 0.35)]
    {
        let (mu, until) = (0.4, 1e4);
        let force = 1.5 * winch.mass * g * winch.radius / (mu * arm);
        let mut parts = vec![part("gravity", "gravity", &[("g", g)])];
        parts.extend(winch.parts("winch", |drum| drum.names("rotor", &["shaft"])));
        parts.push(part("shaft", "rotor", &[("inertia", inertia)]));
        let pressed = [("height", force), ("start", -1.0), ("end", until), ("ramp", 1e-3)];
        parts.push(
            part("brake", "brake", &[("radius", arm)])
                .names("on", &["shaft"])
                .law(LawKind::Coulomb, &[("mu_s", mu), ("mu_d", mu)])
                .signal("force", "trapezoid", &pressed),
        );
        let system = system(parts);
        let solver = Solver { rtol: 1e-6, atol: 1e-6, ..Solver::default() };
        let mut times = vec![0.0, 10.0, 100.0, 1e3, 5e3, until - 0.01];
        let falling = 200;
        times.extend((1..=falling).map(|i| until + 0.1 + 0.3 * f64::from(i) / f64::from(falling)));
        let run = system.run(&solver, until + 0.4, &Output::Times(times), &mut ()).unwrap();
        let (t, y) = (&run.samples.t, column(&system, &run, "winch_load.y"));
        let angle = column(&system, &run, "winch.angle");
        let before = |time: f64| t.iter().rposition(|t| *t <= time + 1e-9).unwrap();
        let drift = (y[before(until - 0.01)] - y[before(10.0)]).abs();
        assert_eq!(angle[before(until - 0.01)], 0.0);
        assert!(drift < 1e-12);
        let expected = winch.mass * g / (winch.mass + inertia / winch.radius.powi(2));
        let fall = t.len() - falling as usize..;
        let found = -2.0 * curvature(&t[fall.clone()], &y[fall]);
        println!("drift {drift:e} m; {found} against {expected}, {:?}", run.statistics);
        assert!((found / expected - 1.0).abs() < 1e-4);
    }
}

/// The leading coefficient of the parabola through values that ripple: of the discrete polynomials that are orthogonal on evenly
/// spaced times.
fn curvature(t: &[f64], y: &[f64]) -> f64 {
    let n = t.len() as f64;
    let mean = t.iter().sum::<f64>() / n;
    let second = t.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / n;
    let of = |t: &f64| (t - mean).powi(2) - second;
    let (top, bottom) = t.iter().zip(y).fold((0.0, 0.0), |(a, b), (t, y)| (a + of(t) * y, b + of(t).powi(2)));
    top / bottom
}

/// A winch that winds up its load slowly: the load moves with the rim, and the rope pulls with `(m + ρA l)(g + R α)`. Contact acts
/// at nodes, so that a load ripples with the square of the angle between two of them.
#[test]
fn a_wound_rope_moves_with_the_rim() {
    let g = 9.81;
    let worst = |elements: f64| {
        let winch = Winch { density: 0.2, elements, ..WINCH };
        let (rise, duration) = (-0.6, 8.0);
        let mut parts = vec![part("gravity", "gravity", &[("g", g)])];
        parts.extend(winch.parts("winch", |drum| drum.names("rotor", &["shaft"])));
        let turning = [("rise", rise), ("duration", duration)];
        parts.push(part("shaft", "rotary_drive", &[]).signal("angle", "cycloid", &turning));
        let system = system(parts);
        let run = run(&system, 1e-5, 4.0, 0.01);
        let (t, vy) = (&run.samples.t, column(&system, &run, "winch_load.vy"));
        let speed = column(&system, &run, "winch.speed");
        let [low, high] = ["winch_load.tension", "winch_tie.y"].map(|name| column(&system, &run, name));
        assert!(high.iter().all(|y| y.abs() <= winch.radius + 1e-12));
        let mut worst = [0.0f64; 2];
        for i in (0..t.len()).filter(|i| t[*i] > 1.0) {
            let turn = std::f64::consts::TAU;
            let acceleration =
                -rise / (duration * duration) * turn * (turn * t[i] / duration).sin() * winch.radius;
            let pull = winch.mass * (g + acceleration);
            worst[0] = worst[0].max((-vy[i] / (speed[i] * winch.radius) - 1.0).abs());
            worst[1] = worst[1].max((low[i] / pull - 1.0).abs());
        }
        println!("{elements}: speed {:e}, tension {:e}, {:?}", worst[0], worst[1], run.statistics);
        worst
    };
    let (coarse, fine) = (worst(80.0), worst(240.0));
    assert!(fine.iter().all(|e| *e < 1e-4), "{fine:?}");
    assert!(fine[0] < coarse[0] / 5.0);
}

/// A trolley with a hanging load strikes a stop: the load keeps its velocity and swings up by `((1 + e) v)²/2g`.
#[test]
fn a_load_swings_on_where_its_trolley_strikes() {
    let g = 9.81;
    for (big, small, length, speed, e) in
        [(2e5, 2.0, 2.0, 1.2, 0.5), (1e5, 0.5, 1.3, 0.8, 0.0), (3e5, 4.0, 3.0, 1.5, 0.9)]
    {
        let ea = 1e6;
        let stretched = length * (1.0 + small * g / ea);
        let rope = [("length", length), ("elements", 4.0), ("ea", ea), ("density", 1e-4), ("damping", 1e3)];
        let system = system(vec![
            part("gravity", "gravity", &[("g", g)]),
            part("trolley", "trolley", &[("mass", big), ("q", -0.3), ("v", speed)]),
            part("stop", "hard_stop", &[("at", 0.0), ("restitution", e)])
                .names("between", &["trolley", "ground"]),
            part("load", "planar_mass", &[("mass", small), ("x", -0.3), ("y", -stretched), ("vx", speed)]),
            part("rope", "cable", &rope).choice("strain", "engineering"),
            part("top", "cable_end", &[]).names("on", &["trolley"]).choice("at", "first"),
            part("hook", "cable_end", &[]).names("on", &["load"]).choice("at", "last"),
        ]);
        let run = run(&system, 1e-5, 1.5, 0.002);
        let event = &run.events[0];
        let place = |name: &str| system.channels().iter().position(|c| c.name == name).unwrap();
        let state = |s: &bristle_solve::State, name: &str| {
            let at = bristle_solve::Point { t: s.t, x: &s.x, p: system.params(), mode: &s.mode };
            system.observe(&at)[place(name)]
        };
        let before = state(&event.before, "load.vx");
        assert!((before / speed - 1.0).abs() < 1e-4);
        // What little the rope weighs is all that it feels.
        assert!((state(&event.after, "load.vx") / before - 1.0).abs() < 1e-6);
        assert!((state(&event.after, "trolley.v") + e * speed).abs() < 1e-4 * speed);
        let y = column(&system, &run, "load.y");
        let rise = y.iter().fold(f64::NEG_INFINITY, |m, y| m.max(*y)) + stretched;
        let expected = ((1.0 + e) * speed).powi(2) / (2.0 * g);
        println!("{} s: {rise} against {expected}, {:?}", event.t, run.statistics);
        assert!((rise / expected - 1.0).abs() < 1e-3);
        assert!((event.t * speed / 0.3 - 1.0).abs() < 1e-4);
    }
}

/// Two winches on two shafts that mesh, one of which has to follow: `α = (m₁ R₁ + i m₂ R₂) g/(J₁ + m₁ R₁² + i² (J₂ + m₂ R₂²))`.
fn meshing(ratio: f64, left: Winch) -> System {
    let right = Winch { radius: 0.2, mass: 30.0, ..left };
    let mut parts = vec![part("gravity", "gravity", &[])];
    parts.extend(left.parts("left", |drum| drum.names("rotor", &["slow"])));
    parts.extend(right.parts("right", |drum| drum.names("rotor", &["fast"])));
    parts.push(part("slow", "rotor", &[("inertia", 1.5)]));
    parts.push(part("fast", "rotor", &[("inertia", 0.7)]));
    parts.push(part("gear", "gear", &[("ratio", ratio)]).names("between", &["fast", "slow"]));
    system(parts)
}

#[test]
fn winches_whose_shafts_mesh_fall_as_one() {
    let g = 9.81;
    for ratio in [2.0, -1.2] {
        let soft = Winch { elements: 20.0, stiffness: 1e6, density: 0.5, ea: 1e5, damping: 5.0, ..WINCH };
        for shift in [30.0, 1e4] {
            let worst = structure_error(&meshing(ratio, soft), shift);
            println!("{ratio} {shift}: {worst:e}");
            assert!(worst < 1e-6);
        }
        let system = meshing(ratio, Winch { elements: 80.0, stiffness: 1e8, density: 1e-4, ..WINCH });
        let run = run(&system, 1e-5, 0.3, 0.3);
        let driving = (50.0 * 0.3 + ratio * 30.0 * 0.2) * g;
        let inert = 1.5 + 50.0 * 0.09 + ratio * ratio * (0.7 + 30.0 * 0.04);
        let expected = driving / inert;
        let found = column(&system, &run, "slow.speed")[1] / 0.3;
        println!("{ratio}: {found} against {expected}, {:?}", run.statistics);
        assert!((found / expected - 1.0).abs() < 2e-3);
        // What the teeth carry is what the load that hangs on the fast shaft leaves of its weight.
        let torque = column(&system, &run, "gear.torque")[1];
        let pull = column(&system, &run, "right_load.tension")[1];
        let (inert, hung) = (0.7 * ratio * found, pull * 0.2);
        println!("{torque} against {}", inert - hung);
        assert!((torque - (inert - hung)).abs() < 1e-2 * (inert.abs() + hung));
        assert!(gap(&system, &run).abs() < 1e-3);
    }
}

/// A drive turns a winch through a gear: the winch has to follow, and the teeth carry what the rope pulls.
#[test]
fn a_drive_lifts_through_a_gear() {
    let (ratio, inertia, alpha, g) = (12.0, 0.4, 0.5, 9.81);
    let winch = Winch { elements: 40.0, stiffness: 1e8, density: 0.2, ..WINCH };
    let mut parts = vec![part("gravity", "gravity", &[])];
    parts.extend(winch.parts("winch", |drum| drum));
    parts[1].1 = parts[1].1.clone().with(&bristle_mech::PartKind::Drum.card(), "inertia", inertia);
    parts.push(part("motor", "rotary_drive", &[]).signal("speed", "ramp", &[("slope", -ratio * alpha)]));
    parts.push(part("gear", "gear", &[("ratio", ratio)]).names("between", &["motor", "winch"]));
    let system = system(parts);
    assert!(structure_error(&system, 300.0) < 1e-6);
    let run = run(&system, 1e-5, 1.0, 0.01);
    let torque = column(&system, &run, "gear.torque");
    let pull = column(&system, &run, "winch_load.tension");
    assert!((column(&system, &run, "winch.speed")[100] + alpha).abs() < 1e-9);
    let mean = |list: &[f64]| list[50..].iter().sum::<f64>() / (list.len() - 50) as f64;
    let expected = (winch.mass * (g + winch.radius * alpha) * winch.radius + inertia * alpha) / ratio;
    println!("{} {expected}; {} gap {:e}", mean(&torque), mean(&pull), gap(&system, &run));
    // Some of the rope is lifted as well: half a metre to a metre and a half of it.
    assert!((mean(&torque).abs() / expected - 1.0).abs() < 1e-2);
    assert!((mean(&pull) / (winch.mass * (g + winch.radius * alpha)) - 1.0).abs() < 1e-3);
    assert!(gap(&system, &run).abs() < 1e-3 * 50.0);
}

/// A worm that nothing drives backwards holds the winch behind it, with no brake; a clutch that slips lowers it.
#[test]
fn a_worm_holds_a_winch() {
    let g = 9.81;
    let winch = Winch { elements: 40.0, stiffness: 1e8, ..WINCH };
    let scene = |torque: f64| {
        let mut parts = vec![part("gravity", "gravity", &[])];
        parts.extend(winch.parts("winch", |drum| drum.names("rotor", &["wheel"])));
        parts.push(part("wheel", "rotor", &[("inertia", 0.5)]));
        parts.push(part("worm", "rotor", &[("inertia", 0.01)]));
        parts.push(part("push", "torque", &[("value", torque)]).names("on", &["worm"]));
        parts.push(
            part("teeth", "gear", &[("ratio", 20.0), ("efficiency", 0.4), ("back_efficiency", 0.0)])
                .names("between", &["worm", "wheel"]),
        );
        system(parts)
    };
    let still = scene(0.0);
    let held = run(&still, 1e-5, 100.0, 10.0);
    let angle = column(&still, &held, "winch.angle");
    assert!(angle.iter().all(|a| *a == 0.0), "{angle:?}");
    // What lifts evenly is `m g R/(i η)`; a tenth more accelerates.
    let needed = winch.mass * g * winch.radius / (20.0 * 0.4);
    for (torque, moves) in [(-0.95 * needed, false), (-1.1 * needed, true)] {
        let system = scene(torque);
        let lifted = run(&system, 1e-5, 0.5, 0.5);
        let angle = column(&system, &lifted, "winch.angle")[1];
        println!("{torque}: {angle} gap {:e}", gap(&system, &lifted));
        assert_eq!(angle < -1e-6, moves);
        if moves {
            // i η (T − J_w i α) = m R (g + R α) + J α on the mean.
            let inert = winch.mass * winch.radius.powi(2) + 0.5 + 20.0 * 0.4 * 20.0 * 0.01;
            let alpha = 0.1 * winch.mass * g * winch.radius / inert;
            assert!((-angle / (0.5 * alpha * 0.25) - 1.0).abs() < 5e-3, "{}", 0.5 * alpha * 0.25);
        }
    }
}

/// What is wrong with the rotor of a drum is said in words.
#[test]
fn a_drum_turns_with_one_rotor() {
    let with = |drum: Part| {
        let mut parts = vec![part("gravity", "gravity", &[]), part("block", "trolley", &[("mass", 1.0)])];
        parts.extend(WINCH.parts("winch", |_| Part(drum.0.clone(), drum.1.clone())));
        parts.push(part("shaft", "rotor", &[("inertia", 1.0)]));
        let parts: Vec<_> = parts.into_iter().map(|p| (p.0, p.1)).collect();
        System::assemble(&parts).unwrap_err().to_string()
    };
    let drum = |numbers: &[(&str, f64)]| part("winch", "drum", numbers);
    let twice = with(drum(&[("radius", 0.3), ("inertia", 1.0)]).names("rotor", &["shaft"]));
    assert!(twice.contains("two things turn drum `winch`"), "{twice}");
    let block = with(drum(&[("radius", 0.3)]).names("rotor", &["block"]));
    assert!(block.contains("`block` does not turn"), "{block}");
    let missing = with(drum(&[("radius", 0.3)]).names("rotor", &["shafd"]));
    assert!(missing.contains("shafd"), "{missing}");
}

/// A block that sticks and slips and, beside it, a crane whose rail does: neither feels the other, to the last bit, and both are
/// seen at all events.
#[test]
fn what_does_not_touch_moves_as_if_alone() {
    let block = || {
        vec![
            part("block", "mass", &[("mass", 3.0), ("v", 0.5)]),
            part("spring", "spring", &[("k", 200.0)]).names("between", &["block", "ground"]),
            part("pad", "contact", &[])
                .names("between", &["block", "ground"])
                .law(LawKind::Coulomb, &[("mu_s", 0.12), ("mu_d", 0.1)]),
        ]
    };
    let crane = || {
        let rope = [("length", 1.0), ("elements", 4.0), ("ea", 1e5), ("density", 0.1), ("damping", 100.0)];
        vec![
            part("cart", "trolley", &[("mass", 2.0)]),
            part("rail", "contact", &[])
                .names("between", &["cart", "ground"])
                .law(LawKind::Coulomb, &[("mu_s", 0.2), ("mu_d", 0.2)]),
            part("rope", "cable", &rope),
            part("top", "cable_end", &[]).names("on", &["cart"]).choice("at", "first"),
            part("hook", "cable_end", &[]).names("on", &["load"]).choice("at", "last"),
            part("load", "planar_mass", &[("mass", 5.0), ("x", 0.6), ("y", -0.8)]),
        ]
    };
    let scene = |parts: Vec<Part>| {
        let system = system([vec![part("gravity", "gravity", &[])], parts].into_iter().flatten().collect());
        let run = run(&system, 1e-6, 2.0, 0.1);
        (system, run)
    };
    let (both, together) = scene(block().into_iter().chain(crane()).collect());
    let events = |system: &System, run: &bristle_solve::Trajectory| -> Vec<(String, f64)> {
        run.events.iter().map(|e| (system.guard_name(e.guard).to_string(), e.t)).collect()
    };
    let mut all = Vec::new();
    for (parts, names) in [(block(), ["block.q", "pad.force"]), (crane(), ["cart.q", "load.x"])] {
        let (system, alone) = scene(parts);
        assert!(alone.events.len() > 1);
        for name in names {
            let (here, there) = (column(&system, &alone, name), column(&both, &together, name));
            for (t, value) in alone.samples.t.iter().zip(&here) {
                let rows = (0..there.len()).filter(|&i| together.samples.t[i] == *t);
                assert!(rows.into_iter().any(|i| there[i] == *value), "{name} at {t}: {value}");
            }
        }
        all.extend(events(&system, &alone));
    }
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    assert_eq!(events(&both, &together), all);
    assert!(together.samples.t.windows(2).all(|w| w[0] <= w[1]));
    assert_eq!(together.events.len(), together.statistics.events);
    println!("{} events, gap {:e}", all.len(), gap(&both, &together));
    assert!(gap(&both, &together).abs() < 1e-5);
    assert_eq!(together.samples.t.last(), Some(&2.0));
}

/// A winch with a drum of 0.2 m takes its load up to 1 m/s within a second and goes on at that speed: the load moves with the rim,
/// and the rope pulls with `m (g + R α)` on the mean. Points of contact inside the elements take most of the ripple away that nodes
/// make which arrive one by one; what is left of it in the tension is the kink of the rope where it leaves the drum.
#[test]
fn a_rope_wound_quickly_moves_with_the_rim() {
    let (g, card) = (9.81, bristle_mech::PartKind::Cable.card());
    let winch = Winch { radius: 0.2, length: 4.0, density: 0.2, elements: 320.0, stiffness: 1e8, ..WINCH };
    let mut parts = vec![part("gravity", "gravity", &[("g", g)])];
    parts.extend(winch.parts("winch", |drum| drum.names("rotor", &["shaft"])));
    parts[2].1 = parts[2].1.clone().with(&card, "contact_points", 8.0);
    let (top, ramp) = (1.0, 1.0);
    let speeds = [("height", -top / winch.radius), ("start", 0.0), ("end", 10.0), ("ramp", ramp)];
    parts.push(part("shaft", "rotary_drive", &[]).signal("speed", "trapezoid", &speeds));
    let system = system(parts);
    let run = run(&system, 1e-5, 1.5, 1e-3);
    let (t, vy) = (&run.samples.t, column(&system, &run, "winch_load.vy"));
    let pull = column(&system, &run, "winch_load.tension");
    // A quarter of a second after each change of the acceleration the load has come to rest on its rope.
    for (from, rate) in [(0.0, top / ramp), (ramp, 0.0)] {
        let rows = || (0..t.len()).filter(|i| t[*i] > from + 0.25 && t[*i] < from + ramp);
        let speed = |i: usize| if rate > 0.0 { rate * t[i] } else { top };
        let off = |i: usize| pull[i] / (winch.mass * (g + rate)) - 1.0;
        let slow = rows().map(|i| (vy[i] / speed(i) - 1.0).abs()).fold(0.0, f64::max);
        let mean = rows().map(off).sum::<f64>() / rows().count() as f64;
        let ripple = rows().map(|i| off(i).abs()).fold(0.0, f64::max);
        println!("from {from} s: speed {slow:e}, tension {mean:e}, ripple {ripple:e}, {:?}", run.statistics);
        assert!(slow < 1e-4 && mean.abs() < 1e-4);
        // With nodes alone the tension ripples by five per cent.
        assert!(ripple < 1e-3);
    }
}
