//! Parts written down in tests of ropes, and what such tests ask of a run.

use bristle_law::LawKind;
use bristle_mech::{PartKind, Spec, System};
use bristle_solve::{Dynamics, Output, Solver, Trajectory};

/// A part with numbers, names and tables.
pub(crate) struct Part(pub(crate) String, pub(crate) Spec);

pub(crate) fn part(name: &str, kind: &str, numbers: &[(&str, f64)]) -> Part {
    let card = PartKind::named(kind).unwrap().card();
    let mut spec = Spec::of(&card);
    for (field, value) in numbers {
        assert!(card.numbers().any(|f| f.name == *field), "{kind} has no {field}");
        spec = spec.with(&card, field, *value);
    }
    Part(name.to_owned(), spec)
}

impl Part {
    pub(crate) fn names(mut self, field: &str, names: &[&str]) -> Part {
        self.1 = self.1.naming(field, names);
        self
    }

    pub(crate) fn choice(mut self, field: &str, word: &str) -> Part {
        let card = PartKind::named(&self.1.kind).unwrap().card();
        self.1 = self.1.choosing(&card, field, word);
        self
    }

    pub(crate) fn law(self, kind: LawKind, numbers: &[(&str, f64)]) -> Part {
        let card = kind.card();
        let mut spec = Spec::of(&card);
        for (field, value) in numbers {
            spec = spec.with(&card, field, *value);
        }
        Part(self.0, self.1.holding("law", spec))
    }

    pub(crate) fn signal(self, field: &str, kind: &str, numbers: &[(&str, f64)]) -> Part {
        let card = bristle_mech::SignalKind::named(kind).unwrap().card();
        let mut spec = Spec::of(&card);
        for (name, value) in numbers {
            assert!(card.numbers().any(|f| f.name == *name), "{kind} has no {name}");
            spec = spec.with(&card, name, *value);
        }
        Part(self.0, self.1.holding(field, spec))
    }
}

pub(crate) fn system(parts: Vec<Part>) -> System {
    let parts: Vec<(String, Spec)> = parts.into_iter().map(|p| (p.0, p.1)).collect();
    System::assemble(&parts).unwrap()
}

pub(crate) fn run(system: &System, rtol: f64, t_end: f64, step: f64) -> Trajectory {
    let solver = Solver { rtol, atol: rtol, ..Solver::default() };
    system.run(&solver, t_end, &Output::Grid { step }, &mut ()).unwrap()
}

pub(crate) fn column(system: &System, run: &Trajectory, name: &str) -> Vec<f64> {
    let place = system.channels().iter().position(|c| c.name == name).unwrap();
    let rows = 0..run.samples.t.len();
    system.columns(system.params(), &run.samples, rows).swap_remove(place)
}

/// Kinetic energy at a sample.
pub(crate) fn kinetic(system: &System, run: &Trajectory, row: usize) -> f64 {
    column(system, run, "energy.kinetic")[row]
}

/// What does not add up of the energies at the end, J.
pub(crate) fn gap(system: &System, run: &Trajectory) -> f64 {
    let change = |name: &str| {
        let e = column(system, run, &format!("energy.{name}"));
        e[e.len() - 1] - e[0]
    };
    change("kinetic") + change("potential") - change("input") + change("loss")
}
