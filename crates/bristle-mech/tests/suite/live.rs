//! Runs by somebody else's clock: inputs that change on the way.
//!
//! Between two changes a block under a constant force moves uniformly accelerated, so that every value is known in closed form.

use bristle_core::Described;
use bristle_law::laws::{Coulomb, LuGre};
use bristle_mech::mechanism::{GROUND, Mechanism, default};
use bristle_mech::parts::{Contact, Drive, Mass, Spring};
use bristle_mech::signals::Input;
use bristle_mech::{LiveError, LiveRun, MechError, Spec, parts};
use bristle_solve::SavedRun;

fn pushed() -> LiveRun {
    let mut m = Mechanism::new();
    let block = m.mass("block", Mass { mass: 2.0, ..default() });
    let law = Coulomb { mu_s: 0.5, mu_d: 0.4 };
    m.contact("floor", [block, GROUND], Contact { load: 20.0, ..default() }, law);
    m.push("push", block, Input { value: 0.0, ..default() });
    m.live().unwrap()
}

fn towed(velocity: f64) -> LiveRun {
    let mut m = Mechanism::new();
    let block = m.mass("block", Mass { mass: 1.0, ..default() });
    let belt = m.driven("belt", Drive { q: 0.25, ..default() }, Input { value: velocity, ..default() });
    m.spring("tie", [block, GROUND], Spring { k: 10.0, ..default() });
    let law = Coulomb { mu_s: 0.5, mu_d: 0.4 };
    m.contact("pad", [block, belt], Contact { load: 10.0, ..default() }, law);
    m.live().unwrap()
}

#[test]
fn a_force_that_is_set_moves_the_block_at_once() {
    let mut run = pushed();
    run.advance(1.0).unwrap();
    run.set_input("push.signal", 9.9).unwrap();
    run.advance(2.0).unwrap();
    assert_eq!(run.output("block.v"), Some(0.0), "below the limit it holds");
    run.set_input("push.signal", 12.0).unwrap();
    run.advance(3.0).unwrap();
    assert!((run.output("block.v").unwrap() - 2.0).abs() < 1e-9);
    // 8 N of friction against a pull back of 4 N: it stops after 2·2/12 s and holds.
    run.set_input("push.signal", -4.0).unwrap();
    run.advance(4.0).unwrap();
    let way = 1.0 + 0.5 * 2.0 * 2.0 / 6.0;
    assert_eq!(run.output("block.v"), Some(0.0));
    assert!((run.output("block.q").unwrap() - way).abs() < 1e-8);
}

#[test]
fn a_belt_goes_on_from_where_it_is_when_its_speed_changes() {
    let mut run = towed(0.1);
    run.advance(1.0).unwrap();
    assert!((run.output("belt.q").unwrap() - 0.35).abs() < 1e-12);
    run.set_input("belt.velocity", -0.3).unwrap();
    run.settle().unwrap();
    assert!((run.output("belt.q").unwrap() - 0.35).abs() < 1e-12, "no jump of the belt");
    assert_eq!(run.output("pad.mode"), Some(1.0), "the block slides where the belt has turned back");
    run.advance(2.0).unwrap();
    assert!((run.output("belt.q").unwrap() - 0.05).abs() < 1e-9);
}

#[test]
fn saved_runs_replay_bit_by_bit_with_their_inputs() {
    let mut run = towed(0.1);
    let drive = |run: &mut LiveRun| {
        for k in 0..40 {
            run.set_input("belt.velocity", 0.1 * (0.7 * f64::from(k)).sin()).unwrap();
            run.advance(3.0 + 0.25 * f64::from(k)).unwrap();
        }
        run.outputs()
    };
    run.advance(2.9).unwrap();
    run.set_input("belt.velocity", 0.2).unwrap();
    let mut clone = run.clone();
    assert_eq!(drive(&mut run.clone()), drive(&mut clone));
    let saved = run.save().unwrap();
    let end = drive(&mut run);
    run.restore(&SavedRun::from_bytes(&saved.to_bytes()).unwrap()).unwrap();
    assert_eq!(run.values().collect::<Vec<_>>(), [0.2]);
    assert_eq!(drive(&mut run), end);
    let mut other = towed(0.0);
    other.restore(&saved).unwrap();
    assert_eq!(std::thread::spawn(move || drive(&mut other)).join().unwrap(), end);
    assert!(pushed().restore(&saved).is_err(), "the run of another mechanism");
}

#[test]
fn loads_and_numbers_of_laws_are_inputs_too() {
    let input = |value: f64| Spec::describing(&Input { value, slope: 0.0, since: 0.0 });
    let law = Spec::of(&LuGre::<f64>::CARD).holding("sigma2", input(0.0));
    let contact = Spec::of(&parts::Contact::<f64>::CARD)
        .naming("between", &["block", "ground"])
        .holding("load", input(10.0))
        .holding("law", law);
    let force = Spec::of(&parts::Force::<f64>::CARD).naming("on", &["block"]).holding("value", input(2.0));
    let parts = [
        ("block".to_owned(), Spec::describing(&Mass { mass: 1.0, ..default() })),
        ("pad".to_owned(), contact),
        ("pull".to_owned(), force),
    ];
    let mut run = LiveRun::new(&parts, &default()).unwrap();
    let names: Vec<&str> = run.inputs().iter().map(|i| i.name.as_str()).collect();
    assert_eq!(names.len(), 3);
    for name in ["pad.load", "pad.law.sigma2", "pull.value"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let unit = |name: &str| run.inputs().iter().find(|i| i.name == name).unwrap().unit;
    assert_eq!([unit("pad.load"), unit("pull.value")], ["N", "N"]);
    run.advance(1.0).unwrap();
    assert!(run.output("block.v").unwrap().abs() < 1e-6, "it holds");
    run.set_input("pad.load", 0.0).unwrap();
    run.advance(2.0).unwrap();
    let free = run.output("block.v").unwrap();
    assert!((free - 2.0).abs() < 2e-2, "without load it is free: {free}");
    assert!(matches!(run.set_input("pad.load", -1.0), Err(LiveError::Value { .. })));
    assert!(matches!(run.set_input("pull.value", f64::NAN), Err(LiveError::Value { .. })));
    let Err(LiveError::NoSuchInput { near, .. }) = run.set_input("pad.laod", 1.0) else { panic!() };
    assert_eq!(near.as_deref(), Some("pad.load"));
    assert!(matches!(run.set_inputs(&[1.0]), Err(LiveError::Count { expected: 3, found: 1 })));
}

#[test]
fn a_position_cannot_be_an_input() {
    let drive = Spec::describing(&Drive { v: 0.0, ..default() })
        .holding("position", Spec::describing(&Input { value: 0.0, ..default() }));
    let parts = [
        ("block".to_owned(), Spec::describing(&Mass { mass: 1.0, ..default() })),
        ("slide".to_owned(), drive),
    ];
    assert!(matches!(
        LiveRun::new(&parts, &default()),
        Err(LiveError::Mech(MechError::Misfit { part, .. })) if part == "slide"
    ));
}

/// Steps of another clock change nothing but rounding and what tolerances leave.
#[test]
fn many_small_steps_give_the_motion_of_one_long_one() {
    let (mut fine, mut whole) = (towed(0.1), towed(0.1));
    for k in 1..=2000 {
        fine.advance(0.01 * f64::from(k)).unwrap();
    }
    whole.advance(20.0).unwrap();
    let [a, b] = [&fine, &whole].map(|run| run.output("block.q").unwrap());
    assert!((a - b).abs() < 1e-6, "{a} {b}");
}
