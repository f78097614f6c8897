//! What a careful engineer would want to know before trusting a run.

use crate::scenario::Scenario;
use crate::studies::simulate::column;
use bristle_law::LawKind;
use bristle_record::{Data, Fact, Tone};
use bristle_solve::Dynamics;

/// A coarser absolute tolerance than this share of the bristle deflection leaves displacements at rest unresolved.
const COARSE: f64 = 1e-3;

/// Creep per load cycle below this share of the deflection is not worth a word.
const MEASURABLE: f64 = 1e-5;

impl Scenario {
    /// Warnings of the laws about their parameters, and of the solver about its tolerances.
    pub fn warnings(&self) -> Vec<String> {
        let mut list = self.system.warnings().to_vec();
        let contacts = self.system.contacts().iter();
        let bristles = contacts.filter(|c| c.kind.card().has_bristles()).map(|c| &c.name);
        let bristles = bristles.chain(self.system.planar_contacts().iter().map(|c| &c.name)).next();
        if let (Some(contact), true) = (bristles, self.solver.atol > COARSE) {
            list.push(format!(
                "solver.atol is {:e} of the bristle deflection: displacements of contact `{contact}` at rest will be off \
                 by about as much; {COARSE:e} or less resolves them",
                self.solver.atol
            ));
        }
        list
    }
}

/// Repeated loads below break-away walk a body on FrDyn2 bristles backwards; says so where a run shows it.
pub(crate) fn tip_creep(scenario: &Scenario, data: &Data) -> Vec<Fact> {
    let held = scenario.system.contacts().iter().filter(|c| c.kind == LawKind::FrDyn2);
    held.filter_map(|contact| {
        let of = |quantity: &str| column(data, &format!("{}.{quantity}", contact.name));
        let place = scenario.system.param(&format!("{}.law.v_s", contact.name))?;
        let v_s = scenario.system.params()[place];
        // A contact that has slid has moved for a better reason.
        if of("slip_rate").iter().any(|v| v.abs() > v_s) {
            return None;
        }
        let valleys = valleys(of("force"));
        let (first, last) = (*valleys.first()?, *valleys.last()?);
        let cycles = valleys.len() - 1;
        let tip = |i: usize| of("slip")[i] - of("z")[i];
        let deflection = of("z").iter().fold(0.0, |m: f64, z| m.max(z.abs()));
        let creep = (tip(last) - tip(first)) / cycles.max(1) as f64;
        if cycles == 0 || creep.abs() < MEASURABLE * deflection {
            return None;
        }
        let label = format!("tip creep of contact `{}`", contact.name);
        let mut fact = Fact::verdict(label, format!("{creep:.3e} m per load cycle"), Tone::Warn);
        fact.note = format!(
            "over {cycles} load cycles below break-away; the mass of the FrDyn2 bristle does it, the more the faster the cycles"
        );
        Some(fact)
    })
    .collect()
}

/// The places of the least force between two rises of a fifth of its range.
fn valleys(force: &[f64]) -> Vec<usize> {
    let range = |pick: fn(f64, f64) -> f64, from: f64| force.iter().fold(from, |m, f| pick(m, *f));
    let rise = 0.2 * (range(f64::max, f64::NEG_INFINITY) - range(f64::min, f64::INFINITY));
    let (mut list, mut low, mut high) = (Vec::new(), 0, 0);
    let mut falling = false;
    for (i, f) in force.iter().enumerate() {
        if falling {
            if *f < force[low] {
                low = i;
            }
            if *f > force[low] + rise {
                list.push(low);
                (falling, high) = (false, i);
            }
        } else {
            if *f > force[high] {
                high = i;
            }
            if *f < force[high] - rise {
                (falling, low) = (true, i);
            }
        }
    }
    if rise > 0.0 { list } else { Vec::new() }
}

#[cfg(test)]
mod warnings_tests {
    use super::*;

    #[test]
    fn valleys_are_found_between_rises_and_ripple_is_not_one() {
        let force: Vec<f64> =
            (0..=400).map(|i| f64::from(i) * 0.05).map(|s| 1.0 - s.cos() + 0.02 * (40.0 * s).sin()).collect();
        let found = valleys(&force);
        assert_eq!(found.len(), 3);
        for (k, i) in found.iter().enumerate() {
            let turn = 2.0 * std::f64::consts::PI * (k + 1) as f64;
            assert!((*i as f64 * 0.05 - turn).abs() < 0.3, "{i}");
        }
        assert!(valleys(&[1.0; 50]).is_empty());
    }
}
