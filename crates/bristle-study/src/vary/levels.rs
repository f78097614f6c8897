//! Lines of equal height over a grid.

/// Pieces of the line on which values over a grid equal `level`, each from point to point; `values[j * x.len() + i]`.
pub(crate) fn contour(x: &[f64], y: &[f64], values: &[f64], level: f64) -> Vec<[[f64; 2]; 2]> {
    let n = x.len();
    let mut pieces = Vec::new();
    for j in 1..y.len() {
        for i in 1..n {
            let corners = [(i - 1, j - 1), (i, j - 1), (i, j), (i - 1, j)];
            let heights = corners.map(|(i, j)| values[j * n + i] - level);
            if heights.iter().any(|h| !h.is_finite()) {
                continue;
            }
            let mut crossings = Vec::new();
            for k in 0..4 {
                let ((ia, ja), (ib, jb)) = (corners[k], corners[(k + 1) % 4]);
                let (a, b) = (heights[k], heights[(k + 1) % 4]);
                if (a < 0.0) != (b < 0.0) {
                    let s = a / (a - b);
                    crossings.push([x[ia] + s * (x[ib] - x[ia]), y[ja] + s * (y[jb] - y[ja])]);
                }
            }
            // A saddle has four crossings: joined as they come, two and two.
            for pair in crossings.chunks_exact(2) {
                pieces.push([pair[0], pair[1]]);
            }
        }
    }
    pieces
}

/// Round values between two ends, some five of them.
pub(crate) fn round_levels(low: f64, high: f64) -> Vec<f64> {
    let span = high - low;
    if !(span > 0.0 && span.is_finite()) {
        return Vec::new();
    }
    let raw = span / 6.0;
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|s| *s >= raw).unwrap_or(raw);
    let first = (low / step).ceil() as i64;
    (first..).map(|k| k as f64 * step).take_while(|v| *v < high).filter(|v| *v > low).take(12).collect()
}

#[cfg(test)]
mod levels_tests {
    use super::*;

    #[test]
    fn a_plane_has_straight_lines() {
        let x: Vec<f64> = (0..5).map(f64::from).collect();
        let values: Vec<f64> = x.iter().flat_map(|y| x.iter().map(move |x| x + y)).collect();
        let pieces = contour(&x, &x, &values, 2.5);
        assert_eq!(pieces.len(), 5);
        assert!(pieces.iter().flatten().all(|[x, y]| (x + y - 2.5).abs() < 1e-12));
        assert_eq!(round_levels(0.1, 6.1), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert!(round_levels(1.0, 1.0).is_empty());
    }
}
