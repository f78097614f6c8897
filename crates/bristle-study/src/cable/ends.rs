//! The two ends of a cable.

use super::build::{Parts, misfit};
use bristle_cable::{EndCondition, Support};
use bristle_core::Params;
use bristle_mech::{MechError, Spec, parts};

/// Both ends, where they are laid, and what they are called.
pub(super) struct Ends {
    pub(super) ends: [EndCondition; 2],
    pub(super) places: [Option<[f64; 2]>; 2],
    pub(super) names: [String; 2],
}

impl Parts<'_> {
    /// Both ends, where they are laid, and what they are called.
    pub(super) fn ends(&mut self) -> Result<Ends, MechError> {
        let mut ends = <[EndCondition; 2]>::default();
        let mut places = [None; 2];
        let mut names = ["first", "last"].map(|end| format!("{}.{end}", self.name));
        let mut seen = [false; 2];
        for (name, spec) in self.all.iter().filter(|(_, s)| s.kind == "cable_end") {
            let numbers: parts::CableEnd<f64> = Params::from_slices(&spec.numbers, &spec.choices);
            let at = usize::from(numbers.at.0);
            if std::mem::replace(&mut seen[at], true) {
                let reason = format!("`{}` stands at that end already", names[at]);
                return Err(misfit(name, "at", reason, "a cable has a first end and a last end"));
            }
            names[at] = name.clone();
            let place = [numbers.x, numbers.y];
            places[at] = match place.map(f64::is_nan) {
                [false, false] => Some(place),
                [true, true] => None,
                [x, _] => {
                    let (reason, key) = if x { ("`y` without `x`", "y") } else { ("`x` without `y`", "x") };
                    return Err(misfit(name, key, reason, "a place has both"));
                }
            };
            ends[at] = self.end(name, spec, &numbers)?;
        }
        Ok(Ends { ends, places, names })
    }

    fn end(
        &mut self,
        name: &str,
        spec: &Spec,
        numbers: &parts::CableEnd<f64>,
    ) -> Result<EndCondition, MechError> {
        let mut pair = |keys: [&str; 2]| keys.map(|k| spec.table(k).map(|s| self.signal(s)));
        let (force, way) = (pair(["force_x", "force_y"]), pair(["move_x", "move_y"]));
        let moves = way.iter().any(Option::is_some);
        let support = match numbers.support.0 {
            1 => Support::Pinned,
            2 => Support::Clamped,
            3 => Support::Moving(way.map(Option::unwrap_or_default)),
            _ => Support::Free,
        };
        if moves && !matches!(support, Support::Moving(_)) {
            let key = if spec.table("move_x").is_some() { "move_x" } else { "move_y" };
            let reason = "a way over time is for an end that is moved";
            return Err(misfit(name, key, reason, "add `support = \"moving\"`"));
        }
        Ok(EndCondition { mass: numbers.mass, force: force.map(Option::unwrap_or_default), support })
    }
}
