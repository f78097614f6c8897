//! How a rope lies before anything moves.

use super::{Rope, RopeDrum, Tie, tie::Offset};
use crate::system::Coordinate;
use bristle_cable::{CableError, CableNode, CableState, CableSystem, LayError, Statics, Support, lay_over};

/// What is there to lay a rope over: bodies at their start.
pub(crate) struct StartScene<'a> {
    pub(crate) coordinates: &'a [Coordinate],
    pub(crate) drums: &'a [RopeDrum],
    pub(crate) p: &'a [f64],
}

impl StartScene<'_> {
    /// Where a coordinate is at the start.
    fn position(&self, coordinate: usize) -> f64 {
        self.coordinates[coordinate].start(self.p)
    }

    /// Where the centre of a drum is at the start.
    fn centre(&self, drum: &RopeDrum) -> [f64; 2] {
        let shift = drum.carrier.map_or([0.0; 2], |c| c.map(|c| self.position(c)));
        let numbers = drum.numbers(self.p);
        [numbers.x + shift[0], numbers.y + shift[1]]
    }

    /// Where an end is at the start, if something holds it.
    fn place(&self, tie: &Tie) -> [f64; 2] {
        match tie {
            Tie::Body { along, offset } => {
                let mut place = match offset {
                    Offset::Given(given) => given.map(|i| i.map_or(0.0, |i| self.p[i])),
                    Offset::Fixed(place) => *place,
                };
                for k in 0..2 {
                    place[k] = if place[k].is_nan() { 0.0 } else { place[k] };
                    place[k] += along.iter().map(|(c, d)| d[k] * self.position(*c)).sum::<f64>();
                }
                place
            }
            Tie::Rim { drum, angle } => {
                let drum = &self.drums[*drum];
                let ([x, y], radius) = (self.centre(drum), drum.numbers(self.p).radius);
                let angle = angle + self.position(drum.rotor);
                [x + radius * angle.sin(), y + radius * angle.cos()]
            }
        }
    }
}

impl Rope {
    /// The rope as it is laid between its ends and over its drums.
    pub(crate) fn lay(&self, scene: &StartScene) -> Result<(CableSystem, Vec<CableNode>), LayError> {
        let mut cable = self.cable(scene.drums, scene.p);
        for (body, &d) in cable.drums.iter_mut().zip(&self.drums) {
            body.centre = scene.centre(&scene.drums[d]);
        }
        let places = [0, 1].map(|e| match (&self.ends[e].tie, self.ends[e].load) {
            (Some(tie), _) => Some(scene.place(tie)),
            (None, Some(load)) => Some(load.coordinates.map(|c| scene.position(c))),
            (None, None) => {
                let given = self.ends[e].first.map(|first| [scene.p[first + 1], scene.p[first + 2]]);
                given.filter(|place| !place.iter().any(|x| x.is_nan()))
            }
        });
        let turns: Vec<(usize, usize)> = self
            .over
            .iter()
            .map(|&k| (k, scene.drums[self.drums[k]].numbers(scene.p).turns as usize))
            .collect();
        let (laid, _) = lay_over(&cable, &turns, places)?;
        Ok((CableSystem::new(cable).map_err(LayError::Cable)?, laid))
    }

    /// The shape at the start: at rest without friction, its bodies where they are, or as it is laid.
    pub(crate) fn shape(&self, scene: &StartScene) -> Result<Vec<CableNode>, LayError> {
        let (system, laid) = self.lay(scene)?;
        if !self.rests {
            return Ok(laid);
        }
        Ok(come_to_rest(&system, laid, &self.over).map_err(LayError::Cable)?.q)
    }
}

/// A cable at rest without friction, from where it is laid over these drums.
///
/// Where both ends are free it could run off them: a node in the middle of an arc is kept in place, as friction would keep it.
pub(super) fn come_to_rest(
    system: &CableSystem,
    laid: Vec<CableNode>,
    over: &[usize],
) -> Result<CableState, CableError> {
    let mut state = system.state(laid)?;
    let is_held = system.cable().ends.iter().any(|end| end.support != Support::Free);
    let middle = if is_held { None } else { system.cable().middle_node(over, &state.q) };
    let keep = middle.map(|node| {
        let slope = state.q[node];
        (node, usize::from(slope[3].abs() > slope[2].abs()))
    });
    Statics { keep, ..Statics::default() }.solve(system, &mut state)?;
    Ok(state)
}
