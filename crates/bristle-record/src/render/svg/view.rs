//! From values to places on the page.

use crate::layer::{Direction, HeatMap, Layer};
use crate::plot::{Axis, Plot, Scale};

/// The ends of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
    /// Linear or logarithmic.
    pub scale: Scale,
}

impl Extent {
    /// Where a value stands between the ends, 0 to 1; not finite if it has no place.
    pub fn share(&self, v: f64) -> f64 {
        match self.scale {
            Scale::Linear => (v - self.lo) / (self.hi - self.lo),
            Scale::Log if v > 0.0 => (v / self.lo).ln() / (self.hi / self.lo).ln(),
            Scale::Log => f64::NAN,
        }
    }

    /// Whether a value lies between the ends.
    pub fn contains(&self, v: f64) -> bool {
        (-1e-9..=1.0 + 1e-9).contains(&self.share(v))
    }

    /// The ends for some values: those the axis asks for, or all values with a margin.
    pub fn of(axis: &Axis, values: impl Iterator<Item = f64>, margin: f64) -> Extent {
        let scale = axis.scale;
        let is_valid = |v: &f64| v.is_finite() && (scale == Scale::Linear || *v > 0.0);
        if let Some([lo, hi]) = axis.range
            && is_valid(&lo)
            && is_valid(&hi)
            && lo != hi
        {
            return Extent { lo: lo.min(hi), hi: lo.max(hi), scale };
        }
        let (lo, hi) = values
            .filter(is_valid)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        match scale {
            _ if lo > hi => match scale {
                Scale::Linear => Extent { lo: 0.0, hi: 1.0, scale },
                Scale::Log => Extent { lo: 0.1, hi: 10.0, scale },
            },
            Scale::Linear => {
                // A constant up to rounding would otherwise be magnified to noise.
                let size = lo.abs().max(hi.abs());
                if hi - lo <= 1e-12 * size || hi == lo {
                    let half = if size == 0.0 { 1.0 } else { 0.1 * size };
                    return Extent { lo: lo - half, hi: hi + half, scale };
                }
                let pad = margin * (hi - lo);
                Extent { lo: lo - pad, hi: hi + pad, scale }
            }
            Scale::Log => {
                let pad = (hi / lo).powf(margin).max(if hi / lo < 1.01 { 1.5 } else { 1.0 });
                Extent { lo: lo / pad, hi: hi * pad, scale }
            }
        }
    }

    /// Both ends moved apart about the middle, by a factor.
    pub fn stretched(self, by: f64) -> Extent {
        let (middle, half) = (0.5 * (self.lo + self.hi), 0.5 * (self.hi - self.lo) * by);
        Extent { lo: middle - half, hi: middle + half, ..self }
    }
}

/// The axes box on the page, in pixels, and the extents along its sides.
#[derive(Clone, Copy, Debug)]
pub struct PanelView {
    /// Horizontal extent.
    pub x: Extent,
    /// Vertical extent.
    pub y: Extent,
    /// Left side.
    pub left: f64,
    /// Upper side.
    pub top: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl PanelView {
    /// The horizontal place of a value.
    pub fn px(&self, v: f64) -> f64 {
        self.left + self.width * self.x.share(v)
    }

    /// The vertical place of a value.
    pub fn py(&self, v: f64) -> f64 {
        self.top + self.height * (1.0 - self.y.share(v))
    }

    /// The right side.
    pub fn right(&self) -> f64 {
        self.left + self.width
    }

    /// The lower side.
    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

/// Extents of both axes that hold all layers.
pub fn extents(plot: &Plot) -> (Extent, Extent) {
    let mut xs = Vec::new();
    let mut ys = Vec::new();
    let mut has_marks = false;
    for layer in &plot.layers {
        has_marks |= matches!(layer, Layer::Scatter(_) | Layer::Circle(_));
        collect(layer, &mut xs, &mut ys);
    }
    let is_map = plot.layers.iter().any(|l| matches!(l, Layer::HeatMap(_)));
    // Words at a level line near the top need a line of their own.
    let is_labelled =
        |l: &Layer| matches!(l, Layer::Rule(r) if r.along == Direction::Y && !r.label.is_empty());
    let margin = match plot.layers.iter().any(is_labelled) {
        _ if is_map => 0.0,
        true => 0.09,
        false => 0.05,
    };
    // Curves run from side to side; only markers need room to the left and right.
    let x_margin = if (has_marks || plot.is_equal_aspect) && !is_map { 0.04 } else { 0.0 };
    (Extent::of(&plot.x, xs.into_iter(), x_margin), Extent::of(&plot.y, ys.into_iter(), margin))
}

fn collect(layer: &Layer, xs: &mut Vec<f64>, ys: &mut Vec<f64>) {
    match layer {
        Layer::Line(l) => both(&l.x, &l.y, xs, ys),
        Layer::Scatter(l) => both(&l.x, &l.y, xs, ys),
        Layer::Band(l) => {
            both(&l.x, &l.lower, xs, ys);
            both(&l.x, &l.upper, xs, ys);
        }
        Layer::HeatMap(h) => {
            xs.extend(edges(&h.x));
            ys.extend(edges(&h.y));
        }
        Layer::Rule(r) if r.along == Direction::X => xs.push(r.at),
        Layer::Rule(r) => ys.push(r.at),
        Layer::Circle(c) => {
            xs.extend([c.centre[0] - c.radius, c.centre[0] + c.radius]);
            ys.extend([c.centre[1] - c.radius, c.centre[1] + c.radius]);
        }
        Layer::Arrow(a) => {
            xs.extend([a.from[0], a.to[0]]);
            ys.extend([a.from[1], a.to[1]]);
        }
        // Stripes and words adapt to the rest.
        Layer::Span(_) | Layer::Note(_) => {}
    }
}

/// Points with both coordinates only: a gap must not stretch the other axis.
fn both(x: &[f64], y: &[f64], xs: &mut Vec<f64>, ys: &mut Vec<f64>) {
    for (a, b) in x.iter().zip(y).filter(|(a, b)| a.is_finite() && b.is_finite()) {
        xs.push(*a);
        ys.push(*b);
    }
}

/// Cell edges halfway between cell centres; geometric where the centres are.
pub fn edges(centres: &[f64]) -> Vec<f64> {
    let n = centres.len();
    if n < 2 {
        return centres.iter().flat_map(|c| [c - 0.5, c + 0.5]).collect();
    }
    let ratio = |i: usize| centres[i + 1] / centres[i];
    let is_geometric = n > 2
        && centres[0] > 0.0
        && (1..n - 1).all(|i| (ratio(i) / ratio(0) - 1.0).abs() < 1e-6)
        && (ratio(0) - 1.0).abs() > 1e-9;
    let between = |a: f64, b: f64| if is_geometric { (a * b).sqrt() } else { 0.5 * (a + b) };
    let mut out: Vec<f64> = centres.windows(2).map(|w| between(w[0], w[1])).collect();
    let beyond = |end: f64, edge: f64| if is_geometric { end * end / edge } else { 2.0 * end - edge };
    out.insert(0, beyond(centres[0], out[0]));
    let last = out[out.len() - 1];
    out.push(beyond(centres[n - 1], last));
    out
}

/// Least and largest finite value of a heat map.
pub fn value_range(map: &HeatMap, is_log: bool) -> Option<[f64; 2]> {
    let valid = map.values.iter().copied().filter(|v| v.is_finite() && (!is_log || *v > 0.0));
    let (lo, hi) = valid.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    (lo <= hi).then_some([lo, hi])
}

#[cfg(test)]
mod view_tests {
    use super::*;

    #[test]
    fn edges_follow_the_spacing_of_the_centres() {
        assert_eq!(edges(&[1.0, 2.0, 3.0]), [0.5, 1.5, 2.5, 3.5]);
        let e = edges(&[1.0, 100.0, 10_000.0]);
        assert!((e[0] - 0.1).abs() < 1e-12 && (e[3] - 1e5).abs() < 1e-6);
    }

    #[test]
    fn constants_and_nothing_have_an_extent() {
        let e = Extent::of(&Axis::default(), [2.0, 2.0].into_iter(), 0.05);
        assert!(e.lo < 2.0 && e.hi > 2.0);
        let e = Extent::of(&Axis::log("", ""), [f64::NAN, -1.0].into_iter(), 0.05);
        assert!(e.lo > 0.0 && e.hi > e.lo);
    }
}
