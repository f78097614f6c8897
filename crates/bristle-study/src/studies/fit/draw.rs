//! The figures of a fit.

use super::one::Fitted;
use super::{FitTask, section};
use bristle_record::{Axis, Layer, Line, Marker, Plot, Rule, Scatter, Section};

/// Overlay, residuals four ways, correlation, waterfall.
pub(super) fn figures(task: &FitTask, best: &Fitted) -> Section {
    let mut all = section(format!("Figures of `{}` ({})", best.law.card().name, task.study.name));
    let id = |stem: &str| format!("{}-{stem}", task.study.name);
    let is_curve = task.fitted.first().is_some_and(|m| m.times.is_none());
    let seen = best.fit.comparisons.iter().map(|c| (c, "fitted"));
    for (i, (c, kind)) in seen.chain(best.held_out.iter().map(|c| (c, "held out"))).enumerate() {
        if is_curve {
            break;
        }
        let axis = Axis::new("measured and fitted", best.unit);
        let mut plot = Plot::new(id(&format!("overlay-{}", i + 1)), "", Axis::new("time $t$", "s"), axis);
        plot.push(Line::new("measured", c.times.clone(), c.measured.clone()));
        plot.push(Line::new(best.law.card().name, c.times.clone(), c.shown.clone()));
        plot.caption = format!("record `{}`, {kind}", c.name);
        all.push(plot);
    }
    let Some(first) = best.fit.comparisons.first() else { return all };
    let residuals: Vec<f64> = first.shown.iter().zip(&first.measured).map(|(y, m)| y - m).collect();
    if !is_curve {
        let axis = Axis::new("fitted less measured", best.unit);
        let mut plot = Plot::new(id("residuals"), "", Axis::new("time $t$", "s"), axis);
        plot.push(Line::new("", first.times.clone(), residuals.clone()));
        plot.caption = "residuals over time".to_owned();
        all.push(plot);
    }
    all.push(histogram(&id("histogram"), &residuals, best.unit));
    all.push(memory(&id("autocorrelation"), &first.series));
    if best.speeds.len() == residuals.len() {
        let axis = Axis::new("fitted less measured", best.unit);
        let mut plot = Plot::new(id("against-speed"), "", Axis::new("slip rate $w$", "m/s"), axis);
        plot.push(cloud("", &best.speeds, &residuals));
        plot.caption = "residuals over slip rate".to_owned();
        all.push(plot);
        let axis = Axis::new("friction force $F$", best.unit);
        let mut plot = Plot::new(id("characteristic"), "", Axis::new("slip rate $w$", "m/s"), axis);
        plot.push(cloud("measured", &best.speeds, &first.measured));
        plot.push(cloud(best.law.card().name, &best.speeds, &first.shown));
        plot.caption = "the fitted characteristic over the data".to_owned();
        all.push(plot);
    }
    let costs = &best.fit.waterfall;
    let axis = Axis::log("sum of squares above the best, relative", "1");
    let mut plot = Plot::new(id("waterfall"), "", Axis::new("descent", "1"), axis);
    let above = costs.iter().map(|c| (c / costs[0] - 1.0).max(1e-10)).collect();
    plot.push(Scatter::new("", (1..=costs.len()).map(|i| i as f64).collect(), above));
    plot.caption = "where the descents ended: a step of its own for every place they stopped at".to_owned();
    all.push(plot);
    all.push(correlation(&id("correlation"), best));
    all
}

fn cloud(label: &str, x: &[f64], y: &[f64]) -> Scatter {
    let stride = x.len().div_ceil(4000).max(1);
    let thin = |v: &[f64]| v.iter().copied().step_by(stride).collect();
    Scatter { marker: Marker::Dot, size: 3.0, ..Scatter::new(label, thin(x), thin(y)) }
}

/// How often residuals of each size are met.
fn histogram(id: &str, residuals: &[f64], unit: &str) -> Plot {
    let rms = (residuals.iter().map(|r| r * r).sum::<f64>() / residuals.len().max(1) as f64).sqrt();
    let bins = 40;
    let width = 8.0 * rms / f64::from(bins);
    let mut counts = vec![0.0; bins as usize];
    for r in residuals {
        let place = ((r + 4.0 * rms) / width).floor();
        if (0.0..f64::from(bins)).contains(&place) {
            counts[place as usize] += 1.0 / (residuals.len() as f64 * width);
        }
    }
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for (i, count) in counts.iter().enumerate() {
        let left = -4.0 * rms + i as f64 * width;
        x.extend([left, left + width]);
        y.extend([*count, *count]);
    }
    let mut plot = Plot::new(id, "", Axis::new("fitted less measured", unit), Axis::new("density", ""));
    let normal = |r: f64| (-0.5 * (r / rms).powi(2)).exp() / (rms * std::f64::consts::TAU.sqrt());
    let curve: Vec<f64> = (0..=160).map(|i| (f64::from(i) / 20.0 - 4.0) * rms).collect();
    plot.push(Line::new("residuals", x, y));
    plot.push(Line::new("normal", curve.clone(), curve.iter().map(|&r| normal(r)).collect()));
    plot.caption = "how residuals are distributed".to_owned();
    plot
}

/// How long residuals remember.
fn memory(id: &str, series: &bristle_fit::Series) -> Plot {
    let lags = (0..series.autocorrelation.len()).map(|i| i as f64).collect();
    let mut plot = Plot::new(id, "", Axis::new("lag", "values"), Axis::new("autocorrelation", ""));
    plot.push(Line::new("", lags, series.autocorrelation.clone()));
    plot.push(Layer::from(Rule::horizontal(0.0, "")));
    plot.caption = "how residuals are correlated with those before them".to_owned();
    plot
}

/// How estimates go together.
fn correlation(id: &str, best: &Fitted) -> bristle_record::Table {
    let estimates = &best.fit.estimates;
    let _ = id;
    let names: Vec<String> =
        estimates.iter().map(|e| e.unknown.name.rsplit('.').next().unwrap_or_default().to_owned()).collect();
    let mut columns = vec![("correlation", "")];
    columns.extend(names.iter().map(|n| (n.as_str(), "")));
    let mut table = bristle_record::Table::new("How estimates go together", &columns);
    let c = &best.fit.correlated;
    for (i, name) in names.iter().enumerate() {
        let own = (0..names.len()).map(|j| {
            let value = c[(i, j)] / (c[(i, i)] * c[(j, j)]).sqrt();
            bristle_record::Cell::Number { value, digits: 2 }
        });
        table.row(std::iter::once(name.as_str().into()).chain(own));
    }
    table
}
