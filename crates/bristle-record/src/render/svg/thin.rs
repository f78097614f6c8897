//! Long series made short without changing the picture.

use super::view::PanelView;

/// A point on the page.
pub type PagePoint = (f64, f64);

/// The visible pieces of a curve on the page: broken at values that are not finite, reduced to the least
/// and largest value per half pixel, and cut at the box.
pub fn pieces(x: &[f64], y: &[f64], view: &PanelView) -> Vec<Vec<PagePoint>> {
    let mut out = Vec::new();
    let mut piece: Vec<PagePoint> = Vec::new();
    for (&a, &b) in x.iter().zip(y) {
        let p = (view.px(a), view.py(b));
        if p.0.is_finite() && p.1.is_finite() {
            piece.push(p);
        } else if !piece.is_empty() {
            out.extend(clip(&reduce(&piece), view));
            piece.clear();
        }
    }
    if !piece.is_empty() {
        out.extend(clip(&reduce(&piece), view));
    }
    out
}

fn reduce(points: &[PagePoint]) -> Vec<PagePoint> {
    if points.len() <= 2000 {
        return points.to_vec();
    }
    if points.windows(2).all(|w| w[1].0 >= w[0].0) { per_column(points) } else { apart(points) }
}

/// First, lowest, highest and last point of each half-pixel column, in their order.
fn per_column(points: &[PagePoint]) -> Vec<PagePoint> {
    let column = |p: &PagePoint| (p.0 * 2.0).floor();
    let mut out = Vec::new();
    let mut start = 0;
    while start < points.len() {
        let end = start + points[start..].iter().take_while(|p| column(p) == column(&points[start])).count();
        let by_height = |a: &usize, b: &usize| points[*a].1.total_cmp(&points[*b].1);
        let lowest = (start..end).min_by(by_height).unwrap_or(start);
        let highest = (start..end).max_by(by_height).unwrap_or(start);
        let mut kept = [start, lowest, highest, end - 1];
        kept.sort_unstable();
        for (k, &i) in kept.iter().enumerate() {
            if k == 0 || i != kept[k - 1] {
                out.push(points[i]);
            }
        }
        start = end;
    }
    out
}

/// Points at least some distance apart: a fifth of a pixel, more if that leaves too many.
fn apart(points: &[PagePoint]) -> Vec<PagePoint> {
    let mut gap = 0.2;
    loop {
        let mut out: Vec<PagePoint> = vec![points[0]];
        let mut last = points[0];
        for &p in points {
            if (p.0 - last.0).hypot(p.1 - last.1) >= gap {
                out.push(p);
                last = p;
            }
        }
        if out.len() <= 30_000 || gap > 3.0 {
            return out;
        }
        gap *= 1.6;
    }
}

/// Cuts a curve at the box, with a few pixels to spare for the width of the line.
fn clip(points: &[PagePoint], view: &PanelView) -> Vec<Vec<PagePoint>> {
    let (x0, x1) = (view.left - 4.0, view.right() + 4.0);
    let (y0, y1) = (view.top - 4.0, view.bottom() + 4.0);
    let is_inside = |p: &PagePoint| (x0..=x1).contains(&p.0) && (y0..=y1).contains(&p.1);
    if points.len() == 1 || points.iter().all(is_inside) {
        return vec![points.to_vec()];
    }
    let mut out: Vec<Vec<PagePoint>> = Vec::new();
    for pair in points.windows(2) {
        // Liang and Barsky: the part of the segment between its entries and its exits.
        let (a, d) = (pair[0], (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1));
        let (mut from, mut to) = (0.0f64, 1.0f64);
        for (p, q) in [(-d.0, a.0 - x0), (d.0, x1 - a.0), (-d.1, a.1 - y0), (d.1, y1 - a.1)] {
            if p < 0.0 {
                from = from.max(q / p);
            } else if p > 0.0 {
                to = to.min(q / p);
            } else if q < 0.0 {
                to = -1.0;
            }
        }
        if from > to {
            continue;
        }
        let at = |s: f64| (a.0 + s * d.0, a.1 + s * d.1);
        match out.last_mut() {
            Some(piece) if from == 0.0 && piece.last() == Some(&a) => piece.push(at(to)),
            _ => out.push(vec![at(from), at(to)]),
        }
    }
    out
}

/// At most `count` samples of a series for the read-out of the report: the extremes of equal chunks.
pub fn samples(x: &[f64], y: &[f64], count: usize) -> Vec<(f64, f64)> {
    let n = x.len().min(y.len());
    let pair = |i: usize| (x[i], y[i]);
    if n <= count {
        return (0..n).map(pair).collect();
    }
    let chunks = count / 2;
    let mut out = Vec::with_capacity(count);
    for c in 0..chunks {
        let (start, end) = (c * n / chunks, (c + 1) * n / chunks);
        let by_value = |a: &usize, b: &usize| y[*a].total_cmp(&y[*b]);
        let low = (start..end).min_by(by_value).unwrap_or(start);
        let high = (start..end).max_by(by_value).unwrap_or(start);
        out.push(pair(low.min(high)));
        if low != high {
            out.push(pair(low.max(high)));
        }
    }
    out
}

#[cfg(test)]
mod thin_tests {
    use super::*;
    use crate::plot::Scale;
    use crate::render::svg::view::Extent;

    fn view() -> PanelView {
        let unit = Extent { lo: 0.0, hi: 1.0, scale: Scale::Linear };
        PanelView { x: unit, y: unit, left: 0.0, top: 0.0, width: 500.0, height: 300.0 }
    }

    #[test]
    fn a_million_points_become_a_few_thousand_and_keep_their_spikes() {
        let x: Vec<f64> = (0..1_000_000).map(|i| f64::from(i) / 1e6).collect();
        let mut y: Vec<f64> = x.iter().map(|t| 0.5 + 0.2 * (1e4 * t).sin()).collect();
        y[123_457] = 0.99;
        let pieces = pieces(&x, &y, &view());
        assert!(pieces.len() == 1 && pieces[0].len() < 4100);
        assert!(pieces[0].iter().any(|p| (p.1 - 3.0).abs() < 1e-9));
        assert!(samples(&x, &y, 2000).iter().any(|p| p.1 == 0.99));
    }

    #[test]
    fn gaps_break_the_line_and_the_box_cuts_it() {
        let out = pieces(&[0.0, 0.5, 0.6, 1.0], &[0.5, f64::NAN, 0.5, 0.5], &view());
        assert_eq!(out.len(), 2);
        let out = pieces(&[-8.0, 8.0], &[0.5, 0.5], &view());
        assert_eq!(out, [[(-4.0, 150.0), (504.0, 150.0)]]);
        assert!(pieces(&[0.0, 1.0], &[5.0, 6.0], &view()).is_empty());
    }
}
