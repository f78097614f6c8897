//! A short round of `cargo xtask fuzz`: spoilt scenarios are read and run without panic, hang or mute message.

#[path = "../fuzzing/mod.rs"]
mod fuzzing;

use fuzzing::{Dice, Fate, answer, check, mutant, seeds};
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
