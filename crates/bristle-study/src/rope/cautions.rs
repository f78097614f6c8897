//! Where a drum is too soft, or the mesh too coarse, for the answer to be that of the drum that was asked for.

use super::Wrap;
use bristle_record::{Fact, Tone};

/// A cable that sinks in by more than this share of the radius runs on a smaller drum than was asked for.
const DEEP: f64 = 0.02;

/// Contact is felt at points: with fewer on an arc, wrap and friction jump from one to the next.
const FEWEST: usize = 8;

/// Said of a drum that is too soft for its cable; `depth` is how far any point sank in, as a part of the radius.
pub(crate) fn sunk(drum: &str, depth: f64) -> Option<Fact> {
    let words = format!("sinks in by {:.1} % of the radius", 100.0 * depth);
    let mut fact = Fact::verdict(format!("cable in drum `{drum}`"), words, Tone::Warn);
    fact.note = format!(
        "beyond {:.0} % wrap and lengths are those of a smaller drum; raise its `stiffness`, or take more `elements`",
        100.0 * DEEP
    );
    (depth > DEEP).then_some(fact)
}

/// Said of a drum with few points on the arc of a cable of this length; `when` tells of which instant.
pub(crate) fn coarse(drum: &str, wrap: &Wrap, length: f64, when: &str) -> Option<Fact> {
    let points = wrap.contacts.len();
    let words = format!("{points} {when}, fewer than {FEWEST}");
    let mut fact = Fact::verdict(format!("nodes on the arc of drum `{drum}`"), words, Tone::Warn);
    // The arc from the first point to the last touches for certain; bending lifts a cable off the ends of its arc.
    let share = wrap.contacts.first().map(|c| c.share);
    let enough = share.map_or_else(
        || "more".to_owned(),
        |share| {
            let touching = share * points.saturating_sub(1).max(1) as f64;
            format!("at least {}", ((FEWEST + 1) as f64 * length / touching).ceil())
        },
    );
    fact.note = format!(
        "contact is felt at the nodes: wrap and friction jump from one to the next; take {enough} `elements`"
    );
    (points < FEWEST).then_some(fact)
}
