//! Mechanisms put together in code.

use bristle_law::LawKind;
use bristle_mech::{PartKind, Spec, System};
use bristle_solve::{Dynamics, Output, Solver, Trajectory};

/// A part with some of its numbers set.
pub fn part(kind: PartKind, numbers: &[(&str, f64)]) -> Spec {
    let card = kind.card();
    numbers.iter().fold(Spec::of(&card), |spec, (name, value)| spec.with(&card, name, *value))
}

/// A law with some of its numbers set, levels as forces.
pub fn law(kind: LawKind, numbers: &[(&str, f64)]) -> Spec {
    let card = kind.card();
    let mut spec = numbers.iter().fold(Spec::of(&card), |spec, (name, value)| spec.with(&card, name, *value));
    spec.as_forces = true;
    spec
}

/// The belt of Rabinowicz with the data of Pennestrì et al. 2016 (case 1).
pub fn belt(law: Spec) -> System {
    let parts = [
        ("block", part(PartKind::Mass, &[("mass", 20.0), ("v", 0.5)])),
        ("belt", part(PartKind::Drive, &[("v", 0.5)])),
        ("tie", part(PartKind::Spring, &[("k", 10.0)]).naming("between", &["block", "ground"])),
        ("pad", part(PartKind::Contact, &[]).naming("between", &["block", "belt"]).holding("law", law)),
    ];
    System::assemble(&parts.map(|(name, spec)| (name.to_owned(), spec))).unwrap()
}

/// Three bodies on top of each other with the data of the same paper (case 2).
pub fn stack(laws: [Spec; 3]) -> System {
    let [first, second, third] = laws;
    let contact = |a, b, law| part(PartKind::Contact, &[]).naming("between", &[a, b]).holding("law", law);
    let parts = [
        ("top", part(PartKind::Mass, &[("mass", 2.0), ("q", 1.0)])),
        ("middle", part(PartKind::Mass, &[("mass", 2.0)])),
        ("bottom", part(PartKind::Mass, &[("mass", 2.0)])),
        ("tie", part(PartKind::Spring, &[("k", 30.0)]).naming("between", &["top", "ground"])),
        ("c1", contact("top", "middle", first)),
        ("c2", contact("middle", "bottom", second)),
        ("c3", contact("bottom", "ground", third)),
    ];
    System::assemble(&parts.map(|(name, spec)| (name.to_owned(), spec))).unwrap()
}

/// Runs a system from its own start.
pub fn run(system: &System, rtol: f64, t_end: f64, output: &Output) -> Trajectory {
    let p = system.params().to_vec();
    Solver::with_tolerance(rtol).run(system, &p, system.initial(&p), t_end, output, &mut ()).unwrap()
}
