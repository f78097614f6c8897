//! A short round of `cargo xtask fuzz`: spoilt scenarios are read and run without panic, hang or mute message.

#[path = "../fuzzing/mod.rs"]
mod fuzzing;

use fuzzing::{Dice, Fate, answer, check, example, mutant, seeds};
use std::time::Duration;

#[test]
fn spoilt_scenarios_are_read_or_refused_with_place_and_hint() {
    let (seeds, mut dice) = (seeds(), Dice::new(15));
    let mut refused = 0;
    for case in 0..1500 {
        let text = mutant(&mut dice, &seeds);
        match check(&text) {
            Fate::Finding(what) => panic!("case {case}: {what}\n{text}"),
            Fate::Refused => refused += 1,
            _ => {}
        }
    }
    // Most mutations spoil something; enough do not, so that runs are tried as well.
    assert!((500..1490).contains(&refused), "{refused}");
}

#[test]
fn spoilt_scenarios_run_or_fail_or_stop_when_told() {
    let (seeds, mut dice) = (seeds(), Dice::new(16));
    let mut runs = 0;
    while runs < 60 {
        let text = mutant(&mut dice, &seeds);
        match answer(&text, Duration::from_millis(200)) {
            Some(Fate::Finding(what)) => panic!("run {runs}: {what}\n{text}"),
            Some(_) => runs += 1,
            None => {}
        }
    }
}

/// A friction of 1e308 N squared is infinite, and balancing an infinite Jacobian never ended.
#[test]
fn numbers_that_overflow_are_refused_at_their_place() {
    let spoilt = |force: &str| {
        example("cycle_velocity_based").replace("F_d = \"15 N\"", &format!("F_d = \"{force}\""))
    };
    assert_ne!(spoilt("13 N"), spoilt("15 N"), "the example has another force");
    assert_eq!(check(&spoilt("1e308 N")), Fate::Refused);
    let fate = answer(&spoilt("1e99 N"), Duration::from_secs(1)).unwrap();
    assert!(matches!(fate, Fate::Refused | Fate::Fine | Fate::Cancelled), "{fate:?}");
}

/// From one sample to the next a rope may take thousands of steps.
#[test]
fn a_rope_with_a_loose_end_stops_when_told() {
    let loose =
        example("long_rope").replace("at = \"last\"\nmass = \"20 kg\"", "at = \"last\"\nmass = \"0 kg\"");
    assert!(loose.contains("\"0 kg\""));
    assert_eq!(answer(&loose, Duration::from_millis(300)), Some(Fate::Cancelled));
}
