//! Laying a cable over its drums: the start shape for the static solution.

use crate::drum::Sense;
use crate::elastic::CableNode;
use crate::error::CableError;
use crate::model::{FlexibleCable, Support};
use std::f64::consts::{PI, TAU};

/// A cable hung symmetrically over the crown of a drum with vertical tails: nodes on an arc `depth` inside the
/// surface, unit slopes.
pub fn arc_over(cable: &FlexibleCable, drum: usize, depth: f64) -> Vec<CableNode> {
    let body = &cable.drums[drum];
    let r = body.radius - depth;
    let h = cable.element_length();
    (0..cable.nodes())
        .map(|i| {
            let s = i as f64 * h - 0.5 * cable.length;
            let quarter = 0.5 * PI * r;
            let [x, y, dx, dy] = if s.abs() <= quarter {
                let (sin, cos) = (s / r).sin_cos();
                [r * sin, r * cos, cos, -sin]
            } else {
                [r.copysign(s), -(s.abs() - quarter), 0.0, -s.signum()]
            };
            [body.centre[0] + x, body.centre[1] + y, dx, dy]
        })
        .collect()
}

/// A station of the path along which a cable is laid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Waypoint {
    /// A place.
    Point([f64; 2]),
    /// Around a drum, clockwise if its sense is along the cable, with this many whole extra turns.
    Drum {
        /// Which drum.
        index: usize,
        /// Whole turns besides the part the path needs.
        turns: usize,
    },
}

/// A path of straight spans and arcs over drums.
#[derive(Clone, Debug, Default)]
pub struct Path {
    pieces: Vec<PathPiece>,
}

#[derive(Clone, Copy, Debug)]
enum PathPiece {
    Span {
        from: [f64; 2],
        direction: f64,
        length: f64,
    },
    /// Positive `turn` is clockwise.
    Arc {
        centre: [f64; 2],
        radius: f64,
        start: f64,
        turn: f64,
    },
}

impl PathPiece {
    fn length(&self) -> f64 {
        match self {
            PathPiece::Span { length, .. } => *length,
            PathPiece::Arc { radius, turn, .. } => radius * turn.abs(),
        }
    }

    /// Place and unit direction at `s` from the start of the piece.
    fn at(&self, s: f64) -> CableNode {
        match *self {
            PathPiece::Span { from, direction, .. } => {
                let (sin, cos) = direction.sin_cos();
                [from[0] + s * cos, from[1] + s * sin, cos, sin]
            }
            PathPiece::Arc { centre, radius, start, turn } => {
                // The place is left of the centre going clockwise, right of it going the other way.
                let way = turn.signum();
                let direction = start - way * s / radius;
                let (sin, cos) = direction.sin_cos();
                [centre[0] - way * radius * sin, centre[1] + way * radius * cos, cos, sin]
            }
        }
    }
}

impl Path {
    /// The path through the stations.
    pub fn through(cable: &FlexibleCable, stations: &[Waypoint]) -> Path {
        let circle = |w: &Waypoint| match *w {
            Waypoint::Point(p) => (p, 0.0, 0),
            Waypoint::Drum { index, turns } => {
                let drum = &cable.drums[index];
                (drum.centre, drum.sense.sign() * drum.radius, turns)
            }
        };
        let mut pieces = Vec::new();
        let mut incoming: Option<f64> = None;
        for pair in stations.windows(2) {
            let ((c1, r1, turns), (c2, r2, _)) = (circle(&pair[0]), circle(&pair[1]));
            let (dx, dy) = (c2[0] - c1[0], c2[1] - c1[1]);
            let distance = dx.hypot(dy);
            // The common tangent of two circles passed clockwise (r > 0) or counter-clockwise (r < 0).
            let direction = dy.atan2(dx) - ((r1 - r2) / distance).clamp(-1.0, 1.0).asin();
            let (sin, cos) = direction.sin_cos();
            if let Some(start) = incoming
                && r1 != 0.0
            {
                let way = r1.signum();
                let turn = (way * (start - direction)).rem_euclid(TAU) + TAU * turns as f64;
                pieces.push(PathPiece::Arc { centre: c1, radius: r1.abs(), start, turn: way * turn });
            }
            let from = [c1[0] - r1 * sin, c1[1] + r1 * cos];
            let to = [c2[0] - r2 * sin, c2[1] + r2 * cos];
            let length = (to[0] - from[0]).hypot(to[1] - from[1]);
            pieces.push(PathPiece::Span { from, direction, length });
            incoming = Some(direction);
        }
        Path { pieces }
    }

    /// Length of the path.
    pub fn length(&self) -> f64 {
        self.pieces.iter().map(PathPiece::length).sum()
    }

    /// Lengths of the arcs on the drums it passes, in order.
    pub fn arcs(&self) -> Vec<f64> {
        self.pieces.iter().filter(|p| matches!(p, PathPiece::Arc { .. })).map(PathPiece::length).collect()
    }

    /// The cable laid along the path.
    ///
    /// A free last end lies where the cable's length puts it, beyond the last station if need be. Otherwise the
    /// cable must be long enough, and its slack hangs from the longest span.
    pub fn lay(&self, cable: &FlexibleCable) -> Result<Vec<CableNode>, CableError> {
        let path = self.length();
        let free = cable.ends[1].support == Support::Free;
        if !free && path > 1.01 * cable.length {
            return Err(CableError::TooShort { path, length: cable.length });
        }
        let slack = cable.length - path;
        let spans = |p: &PathPiece| if let PathPiece::Span { length, .. } = p { *length } else { 0.0 };
        let longest = (0..self.pieces.len())
            .max_by(|a, b| spans(&self.pieces[*a]).total_cmp(&spans(&self.pieces[*b])))
            .unwrap_or(0);
        let bulge =
            if free || slack <= 1e-9 * path { 0.0 } else { bulge(spans(&self.pieces[longest]), slack) };
        let stretch = if free || slack > 0.0 { 1.0 } else { path / cable.length };
        let mut out = Vec::with_capacity(cable.nodes());
        for i in 0..cable.nodes() {
            let s = i as f64 * cable.element_length() * stretch;
            out.push(self.place(s, longest, bulge, slack, stretch));
        }
        Ok(out)
    }

    fn place(&self, s: f64, longest: usize, bulge: f64, slack: f64, stretch: f64) -> CableNode {
        let mut rest = s;
        for (i, piece) in self.pieces.iter().enumerate() {
            let sagging = i == longest && bulge > 0.0;
            let length = piece.length() + if sagging { slack } else { 0.0 };
            if rest <= length || i + 1 == self.pieces.len() {
                let node = if sagging { sag(piece, rest, bulge) } else { piece.at(rest) };
                return [node[0], node[1], node[2] * stretch, node[3] * stretch];
            }
            rest -= length;
        }
        [0.0, 0.0, 1.0, 0.0]
    }
}

/// Depth of the half sine that makes a span longer by `slack`.
fn bulge(span: f64, slack: f64) -> f64 {
    let (mut low, mut high) = (0.0, span + slack);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if sine_length(span, middle, span) < span + slack {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Arc length of the half sine of a span up to `x`.
fn sine_length(span: f64, depth: f64, x: f64) -> f64 {
    let n = 400;
    let h = x / n as f64;
    (0..n).map(|i| h * 1f64.hypot(depth * PI / span * (PI * (i as f64 + 0.5) * h / span).cos())).sum()
}

/// A place on the sagging span at arc length `s`.
fn sag(piece: &PathPiece, s: f64, depth: f64) -> CableNode {
    let span = piece.length();
    let (mut low, mut high) = (0.0, span);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if sine_length(span, depth, middle) < s {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = 0.5 * (low + high);
    let [px, py, dx, dy] = piece.at(x);
    // Towards the ground side of the span.
    let (nx, ny) = if dx >= 0.0 { (dy, -dx) } else { (-dy, dx) };
    let (sin, cos) = (PI * x / span).sin_cos();
    let slope = depth * PI / span * cos;
    let size = 1f64.hypot(slope);
    [px + depth * sin * nx, py + depth * sin * ny, (dx + slope * nx) / size, (dy + slope * ny) / size]
}

/// Why a cable cannot be laid.
#[derive(Clone, Debug, PartialEq)]
pub enum LayError {
    /// A held end without a place.
    NoPlace {
        /// Which end.
        end: usize,
    },
    /// The cable does not fit its way.
    Cable(CableError),
}

/// How deep a cable over a crown is laid into its drum, m: near the depth at which contact carries it.
const DEPTH: f64 = 2e-4;

/// Lays the cable over its drums, each with its extra turns, between its ends; gives its nodes and the length of the
/// arc on each drum.
pub fn lay_over(
    cable: &FlexibleCable,
    over: &[(usize, usize)],
    places: [Option<[f64; 2]>; 2],
) -> Result<(Vec<CableNode>, Vec<f64>), LayError> {
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
            Ok((arc_over(cable, *drum, DEPTH), vec![2.0 * half]))
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
    let path = Path::through(cable, &stations(tail));
    Ok((path.lay(cable).map_err(LayError::Cable)?, path.arcs()))
}

impl FlexibleCable {
    /// The node in the middle of the arc on the middle one of the drums that it is laid over, where it touches one.
    pub fn middle_node(&self, over: &[usize], laid: &[CableNode]) -> Option<usize> {
        let drum = &self.drums[*over.get(over.len() / 2)?];
        let near =
            |r: &CableNode| (r[0] - drum.centre[0]).hypot(r[1] - drum.centre[1]) < drum.radius * (1.0 + 1e-6);
        let nodes: Vec<usize> = (0..laid.len()).filter(|&i| near(&laid[i])).collect();
        nodes.get(nodes.len() / 2).copied()
    }
}
