//! Whether the run was the only possible one.

use bristle_core::Mode;
use bristle_mech::System;
use bristle_record::{Fact, Tone};
use bristle_solve::{Dynamics, Event, State};

/// So many switches are looked at: each may take some hundred evaluations.
const SWITCHES: usize = 1000;

/// A warning at the first break-away that could have gone another way.
pub(super) fn fact(system: &System, events: &[Event]) -> Option<Fact> {
    let p = system.params();
    events.iter().take(SWITCHES).filter(|event| lets_go(event)).find_map(|event| {
        // What jumps at this time has jumped.
        let before = State { t: event.after.t, ..event.before.clone() };
        let outcomes = system.outcomes(p, &before);
        (outcomes.len() > 1).then(|| {
            let others = outcomes.iter().filter(|mode| **mode != event.after.mode);
            let ways: Vec<String> = others.map(|mode| told(system, &event.before.mode, mode)).collect();
            let taken = told(system, &event.before.mode, &event.after.mode);
            let mut fact =
                Fact::verdict("the answer is not unique", format!("at {:.6} s", event.t), Tone::Warn)
                    .named("not_unique")
                    .measuring(event.t, "s");
            fact.note = format!("{taken}; as well possible: {}", ways.join(", or "));
            fact
        })
    })
}

/// Whether a contact at rest lets go.
fn lets_go(event: &Event) -> bool {
    event.before.mode.iter().zip(&event.after.mode).any(|(b, a)| *b == Mode::Stick && *a != Mode::Stick)
}

/// Which contacts let go.
fn told(system: &System, before: &[Mode], after: &[Mode]) -> String {
    let mut names: Vec<String> = (0..before.len())
        .filter(|&i| before[i] == Mode::Stick && after[i] != Mode::Stick)
        .map(|i| format!("`{}`", system.guard_name(i)))
        .collect();
    names.dedup();
    match names.as_slice() {
        [] => "nothing slides".to_owned(),
        [one] => format!("{one} slides"),
        many => format!("{} slide", many.join(" and ")),
    }
}
