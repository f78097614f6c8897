//! The page "Which law?": a decision tree whose leaves are filled from the kept certificates.

use bristle_law::LawKind;
use std::fmt::Write;

/// What certificates say of a law, as far as the choice depends on it.
struct Seen {
    law: &'static str,
    values: Vec<(String, String)>,
}

impl Seen {
    fn is(&self, property: &str, value: &str) -> bool {
        self.values.iter().any(|(p, v)| p == property && v == value)
    }

    fn holds(&self) -> bool {
        self.is("below the static level", "holds")
    }

    fn has_spring(&self) -> bool {
        !self.is("loops within loops", "no spring")
    }

    fn drifts(&self) -> bool {
        !self.is("drift per cycle", "none")
    }

    fn lags(&self) -> bool {
        !self.is("lag at 1 / 10 / 100 Hz", "0 / 0 / 0 %")
    }

    fn ages(&self) -> bool {
        !self.is("ageing per decade of hold time", "none")
    }

    fn is_smooth(&self) -> bool {
        self.is("smoothness", "C¹") || self.is("smoothness", "C² or more")
    }

    fn steps_alone(&self) -> bool {
        !self.is("order of its own step", "has none") && !self.is("order of its own step", "needs none")
    }

    fn tells_break_away(&self) -> bool {
        !self.is("below the static level", "breaks away early")
    }
}

/// A leaf: what is asked for, and who answers to it.
type Leaf = (&'static str, &'static str, fn(&Seen) -> bool);

const REST: &[Leaf] = &[
    (
        "It holds, and nothing moves below break-away",
        "Machines whose contacts are stiff against everything else: stacks, brakes, clutches, conveyors.",
        |s| s.holds() && !s.has_spring(),
    ),
    (
        "It holds on a spring, and neither shaking nor tapping makes it wander",
        "Positioning, presliding, micro-motion under vibration.",
        |s| s.holds() && s.has_spring() && !s.drifts(),
    ),
    (
        "It holds on a spring, but wanders when it is shaken below break-away",
        "Well known from the literature, good for hysteresis and stick–slip; look at the drift before a load stands long on it.",
        |s| s.holds() && s.has_spring() && s.drifts(),
    ),
    (
        "It creeps: a velocity, however small, is needed for every force",
        "Quick estimates and contacts that slide all the time. Not for what has to stand still.",
        |s| !s.holds() && s.tells_break_away() && !s.ages(),
    ),
];

const MORE: &[Leaf] = &[
    (
        "Friction lags behind velocity (loops in sliding)",
        "Squeal, hunting, controllers near the onset.",
        |s| s.lags() && s.holds(),
    ),
    ("Contacts age: the longer at rest, the stronger", "Long stops, faults, rubber, rock.", Seen::ages),
    (
        "The force is smooth, with continuous derivatives",
        "Optimisation, gradient methods, solvers without events; the price is creep.",
        |s| s.is_smooth() && !s.ages(),
    ),
    (
        "A step of fixed length of its own, that cannot blow up",
        "Real time, hardware in the loop, controllers.",
        Seen::steps_alone,
    ),
];

/// The page.
pub fn page() -> String {
    let seen = |kind: &LawKind| {
        let law = kind.card().name;
        Seen { law, values: bristle_certify::fingerprint_of(law) }
    };
    let all: Vec<Seen> = LawKind::ALL.iter().map(seen).filter(|s| !s.values.is_empty()).collect();
    let mut out = "# Which law?\n\nTwo questions decide most cases. The laws under each answer are not from their descriptions but from \
                   their [certificates](certificates.md): what they were seen to do with the numbers of their cards, under 10 N. Other \
                   numbers change sizes, seldom kinds.\n"
        .to_owned();
    let mut chapter = |title: &str, leaves: &[Leaf]| {
        let _ = writeln!(out, "\n## {title}");
        for (answer, words, test) in leaves {
            let links: Vec<String> =
                all.iter().filter(|s| test(s)).map(|s| format!("[{0}](laws/{0}.md)", s.law)).collect();
            let links = if links.is_empty() { "none".to_owned() } else { links.join(", ") };
            let _ = writeln!(out, "\n### {answer}\n\n{words}\n\n{links}");
        }
    };
    chapter("What does it do at rest?", REST);
    chapter("What else must it do?", MORE);
    out += "\n## Still several?\n\n`bristle advise FILE` runs your scenario under the laws that fit it and says which to take; \
            `bristle compare FILE --laws a,b,c` lays them side by side, with period, amplitude, slips and loss. If you have a record of \
            the real thing, let the data decide. If nothing is known but a level of friction, take [coulomb](laws/coulomb.md): it has the \
            fewest numbers to be wrong about.\n";
    out
}

#[cfg(test)]
mod which_law_tests {
    use super::*;

    #[test]
    fn every_certified_law_stands_under_one_answer_at_rest() {
        for kind in LawKind::ALL {
            let law = kind.card().name;
            let seen = Seen { law, values: bristle_certify::fingerprint_of(law) };
            if seen.values.is_empty() {
                continue;
            }
            let answers = REST.iter().filter(|(_, _, test)| test(&seen)).count();
            let is_aside = seen.ages() && !seen.holds() || !seen.tells_break_away();
            assert_eq!(answers, usize::from(!is_aside), "{law}");
        }
    }
}
