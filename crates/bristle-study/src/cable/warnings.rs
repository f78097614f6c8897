//! Where a drum is too soft, or the mesh too coarse, for the answer to be that of the drum that was asked for.

use super::CableModel;
use super::wrap::Wrap;
use bristle_record::{Fact, Tone};

/// A cable that sinks in by more than this share of the radius runs on a smaller drum than was asked for.
const DEEP: f64 = 0.02;

/// Contact is felt at the nodes: with fewer on an arc, wrap and friction jump from node to node.
pub(crate) const FEWEST: usize = 8;

/// Said of a drum that is too soft for its cable; `depth` is how far any node sank in, as a part of the radius.
pub(crate) fn sunk_fact(drum: &str, depth: f64) -> Option<Fact> {
    let words = format!("sinks in by {:.1} % of the radius", 100.0 * depth);
    let mut fact = Fact::verdict(format!("cable in drum `{drum}`"), words, Tone::Warn);
    fact.note = format!(
        "beyond {:.0} % wrap and lengths are those of a smaller drum; raise its `stiffness`, or take more `elements`",
        100.0 * DEEP
    );
    (depth > DEEP).then_some(fact)
}

/// The same of all drums of a cable; `deepest` is how far any node sank into each of them, m.
pub(crate) fn sunk(model: &CableModel, deepest: &[f64]) -> Vec<Fact> {
    let drums = model.system.cable().drums.iter().zip(&model.drums).zip(deepest);
    drums.filter_map(|((drum, name), depth)| sunk_fact(name, depth / drum.radius)).collect()
}

/// Said of a drum with few nodes on its arc; `when` tells of which instant, `enough` how many elements to take.
pub(crate) fn coarse_fact(drum: &str, nodes: usize, when: &str, enough: &str) -> Fact {
    let words = format!("{nodes} {when}, fewer than {FEWEST}");
    let mut fact = Fact::verdict(format!("nodes on the arc of drum `{drum}`"), words, Tone::Warn);
    fact.note = format!(
        "contact is felt at the nodes: wrap and friction jump from one to the next; take {enough} `elements`"
    );
    fact
}

/// The same of all drums of a cable.
pub(crate) fn coarse(model: &CableModel, wraps: &[Wrap], when: &str) -> Vec<Fact> {
    let laid =
        model.over.iter().zip(&model.arcs).map(|(&drum, &arc)| (drum, arc, wraps[drum].contacts.len()));
    let few = laid.filter(|(_, _, nodes)| *nodes < FEWEST);
    let fact = |(drum, arc, nodes): (usize, f64, usize)| {
        let least = format!("at least {}", enough(model, arc, nodes));
        coarse_fact(&model.drums[drum], nodes, when, &least)
    };
    few.map(fact).collect()
}

/// Elements with which enough nodes lie on an arc, wherever the first of them falls.
fn enough(model: &CableModel, arc: f64, nodes: usize) -> usize {
    let cable = model.system.cable();
    // Bending lifts a cable off the ends of the arc it is laid along: what touches is the better measure, if it is less.
    let touching = arc.min(nodes.max(1) as f64 * cable.element_length());
    ((FEWEST + 1) as f64 * cable.length / touching).ceil() as usize
}
