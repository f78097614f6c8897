//! Figures of stability and cycles.

use bristle_analysis::linear::C64;
use bristle_mech::FreeMotion;
use bristle_record::{Axis, Circle, Dash, Line, Marker, Plot, Scatter};

/// A curve drawn solid where it is stable and dashed where it is not.
pub fn by_stability(label: &str, colour: &str, x: &[f64], y: &[f64], is_stable: &[bool]) -> Vec<Line> {
    let mut lines = Vec::new();
    for (wanted, dash, words) in [(true, Dash::Solid, "stable"), (false, Dash::Dashed, "unstable")] {
        let (mut xs, mut ys) = (Vec::new(), Vec::new());
        for i in 0..x.len() {
            if is_stable[i] == wanted {
                // The piece up to the next point belongs to this kind, so that no gap opens at a change.
                if i > 0 && is_stable[i - 1] != wanted {
                    xs.push(x[i - 1]);
                    ys.push(y[i - 1]);
                }
                xs.push(x[i]);
                ys.push(y[i]);
            } else if xs.last().is_some_and(|v: &f64| v.is_finite()) {
                xs.push(f64::NAN);
                ys.push(f64::NAN);
            }
        }
        if xs.iter().any(|v| v.is_finite()) {
            let label = if label.is_empty() { String::new() } else { format!("{label}, {words}") };
            let base = Line::new(label, xs, ys);
            lines.push(Line { colour: colour.to_owned(), dash, width: 1.8, ..base });
        }
    }
    lines
}

/// Multipliers and the unit circle.
pub fn unit_circle(id: String, groups: &[(String, Vec<C64>)]) -> Plot {
    let mut plot = Plot::new(id, "", Axis::new("$Re μ$", ""), Axis::new("$Im μ$", ""));
    plot.is_equal_aspect = true;
    plot.push(Circle { colour: "grey".to_owned(), ..Circle::default() });
    let mut reach = [1.25_f64; 2];
    for (i, (label, values)) in groups.iter().enumerate() {
        for value in values {
            reach = [reach[0].max(1.1 * value.re.abs()), reach[1].max(1.1 * value.im.abs())];
        }
        let (x, y) = values.iter().map(|v| (v.re, v.im)).unzip();
        let marker = [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond][i % 4];
        plot.push(Scatter { marker, is_hollow: i >= 4, ..Scatter::new(label.clone(), x, y) });
    }
    plot.x.range = Some([-reach[0], reach[0]]);
    plot.y.range = Some([-reach[1], reach[1]]);
    // Room for the legend beside the circle, and no empty stretch along the axis that needs none.
    let shape = (reach[1] / reach[0]).clamp(0.4, 2.0);
    plot.size = if shape < 1.0 { [560.0, 560.0 * shape] } else { [340.0, 340.0 * shape] };
    plot.caption = "Floquet multipliers; inside the unit circle the cycle attracts".to_owned();
    plot
}

/// A cycle in the plane of position and velocity, with the equilibrium inside it.
pub(crate) fn portrait(
    id: String,
    motion: &FreeMotion,
    cycles: &[(String, Vec<f64>, Vec<f64>)],
    equilibrium: Option<([f64; 2], bool)>,
) -> Plot {
    let [(q, q_unit), (v, v_unit)] = motion.quantities;
    let x = Axis::new(format!("position `{}.{q}`", motion.body), q_unit);
    let y = Axis::new(format!("velocity `{}.{v}`", motion.body), v_unit);
    let mut plot = Plot::new(id, "", x, y);
    for (label, q, v) in cycles {
        plot.push(Line::new(label.clone(), q.clone(), v.clone()));
    }
    if let Some(([q, v], is_stable)) = equilibrium {
        let label = if is_stable { "equilibrium, stable" } else { "equilibrium, unstable" };
        let base = Scatter::new(label, vec![q], vec![v]);
        plot.push(Scatter { is_hollow: !is_stable, colour: "ink".to_owned(), ..base });
    }
    plot.caption = "Phase portrait; the equilibrium is hollow where it is unstable".to_owned();
    plot
}
