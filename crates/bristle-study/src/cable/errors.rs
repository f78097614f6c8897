//! Errors of a cable in the words of a scenario.

use super::build::{Parts, misfit};
use bristle_cable::CableError;
use bristle_mech::MechError;

impl Parts<'_> {
    /// An error of the cable as an error of a part.
    pub(super) fn error_of_part(&self, error: &CableError) -> MechError {
        let drum = |i: usize| self.drums.get(i).map_or("", |(n, _)| *n);
        match error {
            CableError::NoElements { .. } => misfit(
                self.name,
                "elements",
                "a cable of no elements cannot bend over a drum",
                "give at least one element; ten on every arc are a good start",
            ),
            CableError::OverlappingDrums { first, second, distance, radii } => misfit(
                drum(*second),
                "radius",
                format!(
                    "it overlaps drum `{}`: the centres are {distance:.4} m apart, the radii sum to {radii:.4} m",
                    drum(*first)
                ),
                "move one of them, or make it smaller",
            ),
            CableError::InsideDrum { node, drum: index, depth } => misfit(
                drum(*index),
                "x",
                format!("the cable starts inside it: node {node} is {depth:.4} m below its surface"),
                format!(
                    "name `{}` in `over` of the cable so that it is laid around it, or move the drum or an end",
                    drum(*index)
                ),
            ),
            CableError::TooShort { path, length } => misfit(
                self.name,
                "length",
                format!("its way over the drums is {path:.4} m long, the cable {length:.4} m"),
                "give a longer cable, or nearer ends",
            ),
            other => {
                misfit(self.name, "kind", other.to_string(), "`bristle show cable` explains its parameters")
            }
        }
    }
}
