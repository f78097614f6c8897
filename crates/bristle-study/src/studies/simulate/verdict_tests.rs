//! Motions and what is said of them; for each verdict the runs that must not get it.

use super::super::motion::{ContactRun, MotionPart, RunMotion};
use super::*;

/// A run of ten seconds made from its slip rate and force, sampled every 10 ms.
struct Made {
    t: Vec<f64>,
    v: Vec<f64>,
    slip: Vec<f64>,
    force: Vec<f64>,
    limit: Vec<f64>,
    sticks: Vec<bool>,
    elastic: f64,
}

/// Slip rate and force over time.
fn made(v: impl Fn(f64) -> f64, force: impl Fn(f64) -> f64) -> Made {
    let t: Vec<f64> = (0..=1000).map(|i| f64::from(i) * 0.01).collect();
    let rate: Vec<f64> = t.iter().map(|t| v(*t)).collect();
    let mut slip = vec![0.0];
    for i in 1..t.len() {
        slip.push(slip[i - 1] + 0.005 * (rate[i] + rate[i - 1]));
    }
    let force = t.iter().map(|t| force(*t)).collect();
    Made { limit: vec![1.0; t.len()], t, v: rate, slip, force, sticks: Vec::new(), elastic: 0.0 }
}

impl Made {
    /// A law with a spring that bears its limit at this deflection.
    fn springy(self, elastic: f64) -> Made {
        Made { elastic, ..self }
    }

    /// A set-valued law: it sticks where its rate is zero.
    fn set_valued(self) -> Made {
        Made { sticks: self.v.iter().map(|v| *v == 0.0).collect(), ..self }
    }

    fn motion(&self) -> Option<RunMotion> {
        let Made { t, v, slip, force, limit, sticks, elastic } = self;
        ContactRun { t, v, slip, force, limit, sticks, elastic: *elastic }.motion()
    }

    /// The finding under a law that does not creep.
    fn finding(&self) -> Finding {
        judge(self.motion().as_ref(), &|_| 0.0)
    }

    /// The finding under a law that creeps at `speed` under a load of one newton, in proportion to it.
    fn creeping(&self, speed: f64) -> Finding {
        judge(self.motion().as_ref(), &|force| speed * force)
    }

    fn words(&self) -> String {
        self.finding().words().0
    }
}

/// The same friction force all along.
fn under(force: f64) -> impl Fn(f64) -> f64 {
    move |_| force
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 0.02 * b.abs()
}

#[test]
fn sticks_throughout_is_said_of_nothing_that_moved() {
    // Ever faster, but over no distance: what a rate-and-state law does at rest is no running away.
    assert_eq!(made(|t| 1e-29 * t * t, under(0.5)).finding(), Finding::Sticks { used: 0.5 });
    assert_ne!(made(|t| 1e-15 * t * t, under(0.5)).finding(), Finding::Sticks { used: 0.5 });
    assert_eq!(made(|_| 0.0, under(0.5)).finding(), Finding::Sticks { used: 0.5 });
    assert_eq!(made(|_| 0.0, under(0.5)).set_valued().words(), "sticks throughout");
    // What rounding leaves of a lock is no motion where the mode says stick.
    let mut locked = made(|_| 1e-29, under(0.5));
    locked.sticks = vec![true; locked.t.len()];
    assert_eq!(locked.finding(), Finding::Sticks { used: 0.5 });
    // Slow motion is motion, however slow.
    assert_ne!(made(|_| 1e-13, under(1.0)).words(), "sticks throughout");
    let one = |t: f64| if (5.0..5.02).contains(&t) { 1e-6 } else { 0.0 };
    assert_eq!(made(one, under(0.5)).set_valued().words(), "comes to rest and holds");
}

/// Resting contacts that once got a tick: a push of 25 times the limit, and a belt that runs away below.
#[test]
fn a_contact_that_should_slide_gets_no_tick() {
    let stuck = |v: f64, force: f64| {
        let mut run = made(move |_| v, under(force));
        run.sticks = vec![true; run.t.len()];
        run
    };
    assert_eq!(stuck(0.0, 1.1).finding(), Finding::Overloaded { used: 1.1 });
    assert_eq!(stuck(0.0, -25.0).finding(), Finding::Overloaded { used: 25.0 });
    assert_eq!(stuck(0.0, 1.0).finding(), Finding::Sticks { used: 1.0 });
    assert!(matches!(stuck(1.0, 0.0).finding(), Finding::SlidesStuck { range } if is_near(range, 10.0)));
    for wrong in [stuck(0.0, 1.1).finding(), stuck(1.0, 0.0).finding()] {
        assert_eq!(wrong.fact("pad").tone, Tone::Bad);
        assert!(wrong.failure("pad").is_some_and(|why| why.starts_with("contact `pad` should")));
    }
    assert_eq!(stuck(0.0, 1.0).finding().failure("pad"), None);
    // Rounding is no reason.
    assert_eq!(stuck(0.0, OVER).finding(), Finding::Sticks { used: OVER });
    let mut slack = stuck(0.0, 0.5);
    slack.slip[1000] = SLACK;
    assert_eq!(slack.finding(), Finding::Sticks { used: 0.5 });
    // At the end only.
    let late = made(|t| (1.0 - t).max(0.0), |t| if t > 9.5 { 2.0 } else { 0.5 }).set_valued();
    assert_eq!(late.finding(), Finding::Overloaded { used: 2.0 });
    // One side of a switch may show the load of the other.
    let mut jump = stuck(0.0, 0.5);
    (jump.t[500], jump.force[500]) = (jump.t[499], 3.0);
    assert_eq!(jump.finding(), Finding::Sticks { used: 0.5 });
    (jump.t[500], jump.force[500]) = (jump.t[501], 3.0);
    assert_eq!(jump.finding(), Finding::Sticks { used: 0.5 });
}

#[test]
fn a_spring_below_its_limit_sticks_elastically_and_nothing_else_does() {
    let swing = |t: f64| 1e-5 * (20.0 * t).cos();
    let of = |elastic: f64, force: f64| made(swing, under(force)).springy(elastic).finding();
    let Finding::SticksElastically { range, used } = of(1e-6, 0.9) else { panic!("{:?}", of(1e-6, 0.9)) };
    assert!(is_near(range, 1e-6) && used == 0.9);
    // The same swing of a spring that is stiffer, of a law without one, and under a load at its limit.
    for (elastic, force) in [(4e-7, 0.9), (0.0, 0.9), (1e-6, 1.0)] {
        assert!(matches!(of(elastic, force), Finding::ToAndFro { .. }), "{elastic} {force}");
    }
    // A slow load that comes on and stays.
    let once = |t: f64| if t < 9.0 { 1e-7 } else { 0.0 };
    let loaded = made(once, |t: f64| 0.1 * t.min(9.0)).springy(1e-6).finding();
    assert!(matches!(loaded, Finding::SticksElastically { .. }), "{loaded:?}");
    // It slid before: at rest, but it did not stick throughout.
    let slid = |t: f64| if t < 3.0 { 1.0 } else { 1e-5 * (20.0 * t).cos() };
    let after = made(slid, |t| if t < 3.0 { 1.0 } else { 0.9 }).springy(1e-6).finding();
    let Finding::RestsElastically { range } = after else { panic!("{after:?}") };
    assert!(is_near(range, 1e-6));
    // Within the spring, but at its limit once.
    let strained = made(swing, |t| if t < 1.0 { 1.0 } else { 0.9 }).springy(1e-6).finding();
    assert!(matches!(strained, Finding::RestsElastically { .. }), "{strained:?}");
}

/// Slips a hundred times slower than the way there, each second one back: a controller that hunts.
#[test]
fn slips_that_are_slow_beside_the_way_at_first_are_stick_slip() {
    let hunt = |fades: f64| {
        move |t: f64| match t % 1.0 {
            _ if t < 1.0 => 1.0,
            s if s < 0.2 => 0.01 * (-fades * t).exp() * if t % 2.0 < 1.0 { 1.0 } else { -1.0 },
            _ => 0.0,
        }
    };
    let found = made(hunt(0.0), under(0.9)).set_valued().finding();
    let Finding::StickSlip { slips, rest } = found else { panic!("{found:?}") };
    assert!(slips == 10 && (rest - 0.71).abs() < 0.03, "{slips} {rest}");
    // What fades is no stick-slip that goes on.
    let fading = made(hunt(0.3), under(0.9)).set_valued().finding();
    assert!(!matches!(fading, Finding::StickSlip { .. }), "{fading:?}");
}

#[test]
fn a_walk_under_a_swinging_load_is_creep_per_swing() {
    let walk =
        |mean: f64| made(move |t: f64| 1e-5 * (20.0 * t).cos() + mean, under(0.9)).springy(1e-6).finding();
    // A hundredth of the swing of 10⁻⁶ m per period of 0.314 s is 3.2e-8 m/s.
    let Finding::Walks { per_swing, speed, used } = walk(1e-6) else { panic!("{:?}", walk(1e-6)) };
    assert!(is_near(speed, 1e-6) && is_near(per_swing, 0.314e-6) && used == 0.9, "{per_swing} {speed}");
    assert!(matches!(walk(-1e-6), Finding::Walks { speed, .. } if speed < 0.0));
    assert!(matches!(walk(0.0), Finding::SticksElastically { .. }));
    // What rounding does to a bristle at rest is no walk.
    let noise = made(|t: f64| 1e-13 * (20.0 * t).cos() + 1e-14, under(0.9)).springy(1e-6).finding();
    assert!(matches!(noise, Finding::SticksElastically { .. }), "{noise:?}");
    // A swing that decays moves its turning points and does not walk.
    let fading =
        made(|t: f64| 1e-5 * (-0.3 * t).exp() * (20.0 * t).cos() + 3e-7 * (-0.3 * t).exp(), under(0.9));
    assert!(matches!(fading.springy(1e-6).finding(), Finding::SticksElastically { .. }));
}

#[test]
fn rest_is_said_of_what_stays_at_rest_only() {
    let stops = |t: f64| (1.0 - t).max(0.0);
    let Finding::Rests { since } = made(stops, under(0.5)).set_valued().finding() else { panic!() };
    assert!(is_near(since, 1.0));
    assert_eq!(made(stops, under(0.5)).words(), "comes to rest and holds");
    // The load still rises: it will not hold for ever.
    let rising = made(stops, |t| 0.09 * t).set_valued().finding();
    let Finding::Loaded { used, from } = rising else { panic!("{rising:?}") };
    assert!(is_near(used, 0.9) && is_near(from, 0.81));
    // Up to the very limit: no law holds that as its spring does.
    let full = made(stops, |t| 0.1 * t).set_valued().finding();
    assert!(matches!(full, Finding::Loaded { .. }), "{full:?}");
    assert!(
        matches!(made(stops, |t| 0.9 - 0.05 * t).set_valued().finding(), Finding::Rests { .. }),
        "it falls"
    );
    let swings = made(stops, |t| 0.5 + 0.3 * (0.9 * t).sin()).set_valued().finding();
    assert!(matches!(swings, Finding::Rests { .. }), "{swings:?}");
    // A law without a spring that moves on by a millionth of the way in as long a run again is at rest, at more it is not.
    let creep = |late: f64| made(move |t: f64| if t < 1.0 { 1.0 } else { late }, under(1.0)).finding();
    assert!(matches!(creep(0.9e-7), Finding::Rests { .. }));
    assert!(matches!(creep(1.2e-7), Finding::SlidesSteadily { .. }));
}

#[test]
fn creep_needs_a_load_below_the_limit_and_a_law_that_creeps() {
    let slow = |t: f64| if t < 5.0 { 1.0 } else { 1e-4 };
    let Finding::Creeps { speed, law, used } = made(slow, under(0.5)).creeping(2e-4) else { panic!() };
    assert!(is_near(speed, 1e-4) && is_near(law, 1e-4) && used == 0.5);
    let (words, tone, note) = made(slow, under(0.5)).creeping(2e-4).words();
    assert_eq!(words, "creeps at 1.000e-4 m/s (the law says 1.000e-4 m/s)");
    assert_eq!((tone, note.as_str()), (Tone::Warn, "carries at most 50.000 % of its limit"));
    // The very law that never creeps, a law that creeps much slower or faster, a load at the limit: it slides.
    for (creep, force) in [(0.0, 0.5), (2e-5, 0.5), (2e-3, 0.5), (1e-4, 1.0)] {
        let found = made(slow, under(force)).creeping(creep);
        assert!(matches!(found, Finding::SlidesSteadily { .. }), "{creep} {force}: {found:?}");
    }
    // Elastic swinging is no creep.
    let swing = |t: f64| if t < 5.0 { 1.0 } else { 1e-5 * (20.0 * t).cos() };
    let held = made(swing, |t| if t < 5.0 { 1.0 } else { 0.5 }).springy(1e-6).creeping(2e-4);
    assert!(matches!(held, Finding::RestsElastically { .. }), "{held:?}");
    // A swinging load on a law without a spring: the drift over whole swings is compared.
    let rattle = |mean: f64| made(move |t: f64| 1e-3 * (20.0 * t).cos() + mean, under(0.5)).creeping(2e-4);
    assert!(
        matches!(rattle(1e-4), Finding::Creeps { speed, .. } if is_near(speed, 1e-4)),
        "{:?}",
        rattle(1e-4)
    );
    assert!(matches!(rattle(4e-4), Finding::ToAndFro { .. }));
    assert!(matches!(rattle(1e-5), Finding::ToAndFro { .. }));
}

#[test]
fn a_speed_is_steady_or_it_is_not() {
    assert_eq!(made(|_| 1.0, under(1.0)).words(), "slides steadily at 1.0000 m/s");
    assert!(
        matches!(made(|_| -1.0, under(-1.0)).finding(), Finding::SlidesSteadily { speed } if is_near(speed, -1.0))
    );
    // Runs away: falls without an end.
    let Finding::RunsAway { speed, acceleration } = made(|t| 0.2 * t, under(1.0)).finding() else { panic!() };
    assert!(is_near(speed, 2.0) && is_near(acceleration, 0.2));
    assert!(
        matches!(made(|t| -0.2 * t, under(-1.0)).finding(), Finding::RunsAway { speed, .. } if speed < 0.0)
    );
    // On its way to a speed: the gain shrinks.
    let nears = |rate: f64| made(move |t: f64| 1.0 - (-rate * t).exp(), under(1.0)).finding();
    let Finding::NotSettled { speed, change } = nears(0.4) else { panic!("{:?}", nears(0.4)) };
    assert!(is_near(speed, 0.982) && change > 0.0);
    assert!(matches!(nears(2.0), Finding::SlidesSteadily { .. }));
    // It slows down.
    let slows = |rate: f64| made(move |t: f64| (-rate * t).exp(), under(0.0)).finding();
    assert!(matches!(slows(0.3), Finding::NotSettled { change, .. } if change < -0.4), "{:?}", slows(0.3));
    assert!(matches!(slows(1.0), Finding::Settles { .. }), "{:?}", slows(1.0));
    assert!(matches!(slows(3.0), Finding::Rests { .. }), "{:?}", slows(3.0));
    let hardly = made(|t: f64| if t < 1.0 { 10.0 } else { 0.05 - 0.003 * t }, under(1.0)).finding();
    assert!(matches!(hardly, Finding::Settles { .. }), "{hardly:?}");
}

#[test]
fn swings_that_decay_settle_and_others_do_not() {
    let swing = |rate: f64| made(move |t: f64| (rate * t).exp() * (10.0 * t).sin(), under(1.0)).finding();
    assert!(matches!(swing(0.0), Finding::ToAndFro { .. }));
    assert!(matches!(swing(-0.2), Finding::NotSettled { change, .. } if change < -0.3), "{:?}", swing(-0.2));
    assert!(matches!(swing(-1.0), Finding::Settles { .. }), "{:?}", swing(-1.0));
    assert!(matches!(swing(0.2), Finding::NotSettled { change, .. } if change > 0.3), "{:?}", swing(0.2));
    let Finding::ToAndFro { drift } = made(|t: f64| (3.0 * t).sin() + 0.1, under(1.0)).finding() else {
        panic!()
    };
    assert!(is_near(drift, 0.1), "{drift}");
}

#[test]
fn stick_slip_needs_stick_and_slip_again_and_again() {
    // Ringing while it sticks is no slip.
    let ringing = |t: f64| if t % 2.0 < 1.0 { 0.01 * (200.0 * t).sin() } else { 1.0 };
    assert_eq!(made(ringing, under(1.0)).words(), "stick–slip: 5 slips, at rest 50 % of the time");
    let cycles = |period: f64| move |t: f64| if t % period < 0.9 * period { 0.0 } else { 1.0 };
    assert!(matches!(
        made(cycles(2.0), under(1.0)).set_valued().finding(),
        Finding::StickSlip { slips: 5, .. }
    ));
    // Under a rigid law friction lies below its limit while it slides, and is no spring for that.
    assert!(matches!(
        made(cycles(2.0), under(0.6)).set_valued().finding(),
        Finding::StickSlip { slips: 5, .. }
    ));
    // Two slips, then rest for good: no stick–slip.
    let twice = |t: f64| if t < 4.0 { cycles(2.0)(t) } else { 0.0 };
    assert!(matches!(made(twice, under(0.5)).set_valued().finding(), Finding::Rests { .. }));
    // Two slips, then the load of the next one comes on.
    let loading = made(twice, |t| if t < 4.0 { 1.0 } else { 0.1 * (t - 4.0) }).set_valued();
    assert!(matches!(loading.finding(), Finding::StickSlip { slips: 2, .. }), "{:?}", loading.finding());
    // One slip is none again.
    let once = |t: f64| if t < 0.5 { 1.0 } else { 0.0 };
    assert!(matches!(made(once, |t| 0.09 * t).set_valued().finding(), Finding::Loaded { .. }));
    // Sliding that only slows down now and then does not stick.
    let never = made(|t: f64| 1.0 + 0.9 * (3.0 * t).sin(), under(1.0)).finding();
    let Finding::SlidesUnevenly { speed, rates } = never else { panic!("{never:?}") };
    assert!(
        (speed - 1.0).abs() < 0.4 && is_near(rates[0], 0.1) && is_near(rates[1], 1.9),
        "{speed} {rates:?}"
    );
    // Nor does sliding that only touches the speed of its counter-surface, though it stuck at first.
    let grazes = |t: f64| if t < 3.0 { 0.0 } else { 1.0 - (4.0 * (t - 3.0)).cos() };
    let grazing = made(grazes, under(1.0)).set_valued().finding();
    assert!(matches!(grazing, Finding::SlidesUnevenly { .. }), "{grazing:?}");
    // Nor what gets faster in waves.
    let waves = made(|t: f64| t + 0.2 * (9.0 * t).sin(), under(1.0)).finding();
    assert!(matches!(waves, Finding::RunsAway { .. }), "{waves:?}");
    // A slip between two samples is seen by the way it went.
    let mut hidden = made(|_| 0.0, under(1.0));
    for i in 0..hidden.slip.len() {
        hidden.slip[i] = (i / 200) as f64;
    }
    assert!(matches!(hidden.finding(), Finding::StickSlip { slips: 5, .. }), "{:?}", hidden.finding());
}

#[test]
fn nothing_is_said_of_a_run_without_length() {
    let none = Made {
        t: vec![],
        v: vec![],
        slip: vec![],
        force: vec![],
        limit: vec![],
        sticks: vec![],
        elastic: 0.0,
    };
    assert_eq!(none.finding(), Finding::Nothing);
    let one = Made { t: vec![1.0; 3], v: vec![0.0; 3], slip: vec![0.0; 3], ..none };
    assert_eq!(one.words(), "too short to say");
}

#[test]
fn a_load_without_a_limit_is_held_by_nothing() {
    let mut open = made(|t: f64| 1e-5 * (20.0 * t).cos(), under(0.5)).springy(1e-6);
    open.limit = vec![0.0; open.t.len()];
    assert!(matches!(open.finding(), Finding::ToAndFro { .. }), "no load, no limit");
    open.limit.clear();
    assert!(matches!(open.finding(), Finding::ToAndFro { .. }), "an unknown limit");
    assert!(open.motion().is_some_and(|m| m.whole.used.is_nan()));
    let mut idle = made(|t: f64| 1e-5 * (20.0 * t).cos(), under(0.0)).springy(1e-6);
    idle.limit = vec![0.0; idle.t.len()];
    assert!(matches!(idle.finding(), Finding::SticksElastically { used: 0.0, .. }), "nothing is carried");
}

#[test]
fn every_verdict_shows_the_figure_it_rests_on() {
    for finding in [
        Finding::Sticks { used: 0.123456 },
        Finding::SticksElastically { range: 0.5, used: 0.123456 },
        Finding::Rests { since: 0.123456 },
        Finding::RestsElastically { range: 0.123456 },
        Finding::Loaded { used: 0.123456, from: 0.1 },
        Finding::Settles { speed: 0.123456, share: 0.01 },
        Finding::NotSettled { speed: 0.123456, change: -0.2 },
        Finding::SlidesSteadily { speed: 0.123456 },
        Finding::SlidesUnevenly { speed: 0.123456, rates: [0.0, 1.0] },
        Finding::Creeps { speed: 0.123456, law: 0.1, used: 0.2 },
        Finding::Walks { per_swing: 0.123456, speed: 0.1, used: 0.2 },
        Finding::RunsAway { speed: 0.123456, acceleration: 0.1 },
        Finding::ToAndFro { drift: 0.123456 },
    ] {
        let fact = finding.fact("pad");
        let said = format!("{} {}", fact.value.markup(), fact.note);
        assert!(said.contains("0.123") || said.contains("12.34"), "{said}");
        assert_eq!(fact.label, "contact `pad`");
        assert!(fact.is_verdict);
    }
    let falls = Finding::NotSettled { speed: 1.0, change: -0.2 }.fact("pad").note;
    let rises = Finding::NotSettled { speed: 1.0, change: f64::INFINITY }.fact("pad").note;
    assert!(falls.starts_with("falls by 20.000 %") && rises.starts_with("rises by much"), "{falls} {rises}");
    let level = Finding::NotSettled { speed: 1.0, change: 0.0 }.fact("pad").note;
    assert!(!level.contains("falls"), "{level}");
    assert_eq!(Finding::Sticks { used: f64::NAN }.fact("pad").note, "");
    assert_eq!(Finding::ToAndFro { drift: 0.0 }.words().0, "slides to and fro, without drift");
    let tone = |finding: Finding| finding.fact("pad").tone;
    assert_eq!(tone(Finding::RunsAway { speed: 1.0, acceleration: 1.0 }), Tone::Bad);
    assert_eq!(tone(Finding::Rests { since: 1.0 }), Tone::Good);
    assert_eq!(tone(Finding::Loaded { used: 0.5, from: 0.1 }), Tone::Neutral);
    assert_eq!(tone(Finding::StickSlip { slips: 2, rest: 0.5 }), Tone::Warn);
}

#[test]
fn numbers_are_short() {
    for (x, text) in [
        (0.0, "0"),
        (0.5, "0.5000"),
        (-2.0, "-2.0000"),
        (1e-4, "1.000e-4"),
        (1e4, "1.000e4"),
        (1e-3, "0.0010"),
    ] {
        assert_eq!(short(x), text);
    }
}

/// A contact that slides all along, slower and faster, at its limit; what a test is about it changes.
fn sliding(change: impl FnOnce(&mut RunMotion)) -> Finding {
    let part = MotionPart {
        fastest: 10.0,
        ends: [4.0, 4.0],
        rates: [4.0, 10.0],
        time: 1.0,
        net: 5.0,
        range: 5.0,
        used: 1.0,
        ..MotionPart::default()
    };
    let mut motion = RunMotion { whole: part, before: part, late: part, end: part, ..RunMotion::default() };
    motion.whole.range = 20.0;
    change(&mut motion);
    judge(Some(&motion), &|force| force)
}

/// The same, to and fro.
fn swinging_by(change: impl FnOnce(&mut RunMotion)) -> Finding {
    sliding(|m| {
        (m.reversals, m.late.net, m.late.rates) = (9, 0.0, [-10.0, 10.0]);
        change(m);
    })
}

/// Each threshold is reached by what is at least as much, and passed by what is more.
#[test]
fn at_a_threshold_the_verdict_is_the_careful_one() {
    assert!(matches!(sliding(|_| ()), Finding::NotSettled { change: 0.0, .. }));
    assert!(matches!(swinging_by(|_| ()), Finding::ToAndFro { .. }));
    // Hardly ever at rest is no stick–slip.
    let resting = |late_rest: f64| sliding(|m| (m.slips, m.late_rest) = (5, late_rest));
    assert!(matches!(resting(SOME), Finding::NotSettled { .. }));
    assert!(matches!(resting(2.0 * SOME), Finding::StickSlip { .. }));
    let coming = |late_rest: f64, begin: f64| {
        sliding(|m| {
            (m.slips, m.late_rest, m.end.sticks, m.end.range) = (5, late_rest, true, 0.0);
            (m.end.used, m.end.used_ends) = (0.5 + RISING, [begin, 0.5 + RISING]);
        })
    };
    assert!(matches!(coming(SOME, 0.0), Finding::Loaded { .. }));
    assert!(matches!(coming(2.0 * SOME, 0.0), Finding::StickSlip { .. }));
    // Ringing on below two hundredths of the fastest slip is no slip.
    let ringing = |late: f64| sliding(|m| (m.slips, m.late_rest, m.late.fastest) = (5, 0.5, late));
    for late in [0.1, REST * 10.0] {
        assert!(matches!(ringing(late), Finding::NotSettled { .. }), "{late}: {:?}", ringing(late));
    }
    assert!(matches!(ringing(0.3), Finding::StickSlip { .. }));
    // A load that has risen by a hundredth of the limit has come.
    let risen = |by: f64| {
        sliding(|m| {
            (m.end.sticks, m.end.range) = (true, 0.0);
            (m.end.used, m.end.used_ends) = (by, [0.0, by]);
        })
    };
    assert!(matches!(risen(RISING), Finding::Rests { .. }));
    assert!(matches!(risen(2.0 * RISING), Finding::Loaded { .. }));
}

#[test]
fn a_spring_at_its_limit_holds_nothing_and_a_closed_swing_does_not_walk() {
    let sprung = |used: f64| {
        swinging_by(|m| {
            m.elastic = 10.0;
            for part in [&mut m.whole, &mut m.late, &mut m.end] {
                part.used = used;
            }
        })
    };
    assert!(matches!(sprung(HELD), Finding::ToAndFro { .. }), "{:?}", sprung(HELD));
    assert!(matches!(sprung(0.9 * HELD), Finding::SticksElastically { .. }));
    let creeping = |used: f64| sliding(|m| (m.late.used, m.late.force) = (used, 5.0));
    assert!(matches!(creeping(0.9 * HELD), Finding::Creeps { law: 5.0, .. }));
    assert!(matches!(creeping(HELD), Finding::NotSettled { .. }));
    let walking = |per_swing: f64| {
        swinging_by(|m| {
            (m.elastic, m.per_swing, m.late.range) = (10.0, per_swing, 1.0);
            (m.late.used, m.end.used, m.whole.used) = (0.5, 0.5, 0.5);
        })
    };
    assert!(matches!(walking(CLOSED), Finding::SticksElastically { .. }));
    assert!(matches!(walking(2.0 * CLOSED), Finding::Walks { .. }));
}

/// A law that does not creep is not said to creep by nothing.
#[test]
fn no_motion_on_the_whole_is_no_creep_of_a_law_without_one() {
    let held = |m: &mut RunMotion| (m.late.used, m.late.force, m.late.net, m.drift) = (0.5, 0.0, 0.0, 0.0);
    assert!(matches!(swinging_by(|m| held(m)), Finding::ToAndFro { drift: 0.0 }));
    assert!(matches!(sliding(|m| held(m)), Finding::NotSettled { .. }), "{:?}", sliding(|m| held(m)));
}

#[test]
fn settles_is_said_of_what_falls_and_has_fallen_far() {
    // Of swings: even ones, however small, go on for ever.
    let swings =
        |late: f64, before: f64| swinging_by(|m| (m.late.fastest, m.before.fastest) = (late, before));
    let (small, limit) = (0.5 * SETTLED * 10.0, SETTLED * 10.0);
    assert!(matches!(swings(small, small), Finding::ToAndFro { .. }));
    let Finding::Settles { speed, share } = swings(small, 2.0 * small) else { panic!() };
    assert_eq!((speed, share), (small, small / 10.0));
    for late in [limit, 5.0] {
        assert!(matches!(swings(late, 2.0 * late), Finding::NotSettled { change: -0.5, .. }), "{late}");
    }
    // Of one direction: to less than a tenth in a quarter, or falling where it is slow already.
    let slows = |fastest: f64, ends: [f64; 2]| {
        sliding(|m| (m.late.fastest, m.late.ends, m.late.rates) = (fastest, ends, [0.0, fastest]))
    };
    let Finding::Settles { speed, share } = slows(10.0, [10.0, 0.9]) else { panic!() };
    assert_eq!((speed, share), (0.9, 0.09));
    assert!(matches!(slows(10.0, [10.0, 1.0]), Finding::NotSettled { .. }));
    assert!(matches!(slows(small, [small, 0.5 * small]), Finding::Settles { .. }));
    assert!(matches!(slows(limit, [limit, 0.5 * limit]), Finding::NotSettled { .. }));
    assert!(matches!(slows(small, [0.5 * small, 0.5 * small]), Finding::NotSettled { change: 0.0, .. }));
    // From rest and back to it: no share can be told.
    let Finding::NotSettled { change, .. } = slows(10.0, [0.0, 0.0]) else { panic!() };
    assert!(!change.is_finite());
}
