//! How a cable lies before anything moves.

use super::CableModel;
use bristle_cable::{
    Cable, CableError, Node, Path, Rest, Sense, State, Statics, Support, Waypoint, arc_over,
};

/// A cable at the start of a run.
#[derive(Clone, Debug)]
pub struct Start {
    /// Where it is.
    pub state: State,
    /// What is left of the forces at rest; none where it starts as it was laid.
    pub rest: Option<Rest>,
    /// The node that was kept on its drum while the rest came to rest.
    pub kept: Option<usize>,
}

/// Why a cable cannot be laid.
pub(super) enum LayError {
    /// A held end without a place.
    NoPlace { end: usize },
    /// The cable does not fit its way.
    Cable(CableError),
}

/// How deep a cable over a crown is laid into its drum, m: near the depth at which contact carries it.
const DEPTH: f64 = 2e-4;

/// Lays the cable over its drums, each with its extra turns, between its ends.
pub(super) fn lay(
    cable: &Cable,
    over: &[(usize, usize)],
    places: [Option<[f64; 2]>; 2],
) -> Result<Vec<Node>, LayError> {
    for end in 0..2 {
        if cable.ends[end].support != Support::Free && places[end].is_none() {
            return Err(LayError::NoPlace { end });
        }
    }
    let [first, last] = places;
    if let ([(drum, 0)], None, None) = (over, first, last)
        && cable.drums[*drum].sense == Sense::Along
    {
        let half = 0.5 * std::f64::consts::PI * cable.drums[*drum].radius;
        return if cable.length > 2.0 * half {
            Ok(arc_over(cable, *drum, DEPTH))
        } else {
            Err(LayError::Cable(CableError::TooShort { path: 2.0 * half, length: cable.length }))
        };
    }
    // An end without a place hangs down from its drum.
    let below = |drum: usize, side: f64, tail: f64| {
        let body = &cable.drums[drum];
        [body.centre[0] + side * body.sense.sign() * body.radius, body.centre[1] - tail]
    };
    let stations = |tail: f64| {
        let start = match (first, over.first()) {
            (Some(place), _) => place,
            (None, Some((drum, _))) => below(*drum, -1.0, tail),
            (None, None) => [0.0, 0.0],
        };
        let end = match (last, over.last()) {
            (Some(place), _) => place,
            (None, Some((drum, _))) => below(*drum, 1.0, tail),
            (None, None) => [start[0], start[1] - cable.length],
        };
        let mut list = vec![Waypoint::Point(start)];
        list.extend(over.iter().map(|&(index, turns)| Waypoint::Drum { index, turns }));
        list.push(Waypoint::Point(end));
        list
    };
    let tails = usize::from(first.is_none()) + usize::from(last.is_none());
    let mut tail = 1.0;
    if tails > 0 && !over.is_empty() {
        let path = Path::through(cable, &stations(tail)).length();
        tail += (cable.length - path) / tails as f64;
        if tail <= 0.0 {
            let path = path - tails as f64;
            return Err(LayError::Cable(CableError::TooShort { path, length: cable.length }));
        }
    }
    Path::through(cable, &stations(tail)).lay(cable).map_err(LayError::Cable)
}

impl CableModel {
    /// The node in the middle of a drum's arc, where the laid cable touches one.
    pub(crate) fn middle_node(&self) -> Option<usize> {
        let drum = *self.over.get(self.over.len() / 2)?;
        let body = &self.system.cable().drums[drum];
        let near =
            |r: &Node| (r[0] - body.centre[0]).hypot(r[1] - body.centre[1]) < body.radius * (1.0 + 1e-6);
        let nodes: Vec<usize> =
            self.laid.iter().enumerate().filter(|(_, r)| near(r)).map(|(i, _)| i).collect();
        nodes.get(nodes.len() / 2).copied()
    }

    /// The cable at rest without friction, or as it was laid.
    ///
    /// A cable whose ends are both free could run off its drums: one node in the middle of an arc is kept in place
    /// while the rest comes to rest, as friction would keep it.
    pub fn start(&self) -> Result<Start, CableError> {
        let mut state = self.system.state(self.laid.clone())?;
        if !self.rests {
            return Ok(Start { state, rest: None, kept: None });
        }
        let held = self.system.cable().ends.iter().any(|e| e.support != Support::Free);
        let kept = if held { None } else { self.middle_node() };
        let keep = kept.map(|node| {
            let slope = state.q[node];
            (node, usize::from(slope[3].abs() > slope[2].abs()))
        });
        let rest = Statics { keep, ..Statics::default() }.solve(&self.system, &mut state)?;
        Ok(Start { state, rest: Some(rest), kept })
    }

    /// What an error means in the words of the scenario.
    pub(crate) fn explain(&self, error: &CableError) -> String {
        match error {
            CableError::FallsOff { drum } => format!(
                "cable `{}` is so slack that it falls off drum `{}`: shorten it, load its ends or move them apart",
                self.name,
                self.drums.get(*drum).map_or("", String::as_str)
            ),
            CableError::NoEquilibrium { .. } => format!(
                "cable `{}`: {error}; is it loaded so that it can rest? `start = \"laid\"` in [cable_solver] starts it \
                 as it is laid",
                self.name
            ),
            CableError::StepTooSmall { .. } => format!(
                "cable `{}`: {error}; a smaller `step`, more internal `damping` or a `fade` helps where nodes bounce",
                self.name
            ),
            other => format!("cable `{}`: {other}", self.name),
        }
    }
}
