//! Curves, families, maps with contours, parallel coordinates, scatter matrices, bands.

use super::levels::{contour, round_levels};
use super::question::VaryQuestion;
use super::response::Response;
use super::table::TableRows;
use crate::studies::subject::{say, with_unit};
use bristle_record::{
    Axis, Band, ColourScale, HeatMap, Line, Marker, Note, Plot, PlotGrid, Rule, Scatter, Section, TextAnchor,
};
use bristle_solve::{Cancel, Progress};
use bristle_vary::morris::Effect;
use bristle_vary::saltelli::SobolIndices;
use bristle_vary::statistics::{percentile, rank_correlation, sorted};
use bristle_vary::{DesignKind, Marginal};
use rayon::prelude::*;

/// Points drawn at most in a cloud, runs in parallel coordinates, runs behind a band, and instants of one.
const CLOUD: usize = 800;
const LINES: usize = 240;
const HISTORIES: u64 = 400;
const INSTANTS: usize = 201;

/// Responses with a figure of their own, and parameters in a matrix.
const SHOWN: usize = 6;
const MATRIX: usize = 6;

/// Curves of a family.
const FAMILY: usize = 7;

/// Evenly spread places among `count`, at most `most`.
fn spread(count: usize, most: usize) -> Vec<usize> {
    if count <= most { (0..count).collect() } else { (0..most).map(|k| k * count / most).collect() }
}

/// The figures that suit the design.
pub(crate) fn draw(
    question: &VaryQuestion,
    rows: &TableRows,
    points: &[Vec<f64>],
    columns: &[Vec<f64>],
    section: &mut Section,
) {
    let kind = question.design.kind();
    let shown = || question.asked.iter().zip(columns).take(question.shown).take(SHOWN).enumerate();
    let is_plain = matches!(kind, DesignKind::Grid | DesignKind::List);
    let varying: Vec<usize> =
        (0..points.len()).filter(|&i| points[i].iter().any(|v| *v != points[i][0])).collect();
    match (kind, &varying[..]) {
        (_, [only]) if is_plain => {
            for (j, (response, column)) in shown() {
                section.push(curve(question, j, response, &points[*only], column, *only));
            }
        }
        (DesignKind::Grid, [first, second]) => {
            for (j, (response, column)) in shown() {
                let places = [*first, *second];
                let levels = question.design.marginals()[*second].levels().map_or(0, <[f64]>::len);
                section.push(match levels {
                    n if n <= FAMILY => family(question, j, response, points, column, places),
                    _ => map(question, j, response, rows, points, column, places),
                });
            }
        }
        _ => {
            section.push(matrix(question, points, columns));
            if points.len() > 1 {
                for (j, (response, column)) in shown().take(2) {
                    section.push(parallel(question, j, response, points, column));
                }
            }
        }
    }
    if kind.is_sample() {
        section.push(distributions(question, columns));
    }
}

fn id(question: &VaryQuestion, stem: &str, j: usize) -> String {
    format!("{}-{stem}-{}", question.study.name, j + 1)
}

fn axis(question: &VaryQuestion, i: usize) -> Axis {
    let varied = &question.varied[i];
    let is_log = match &varied.marginal {
        Marginal::LogUniform { .. } | Marginal::LogNormal { .. } => true,
        Marginal::Levels(all) if all.len() > 3 && all[0] > 0.0 => {
            let (first, last) = (all[1] / all[0], all[all.len() - 1] / all[all.len() - 2]);
            (first / last - 1.0).abs() < 1e-6 && (first - 1.0).abs() > 1e-3
        }
        _ => false,
    };
    let label = varied.label();
    if is_log { Axis::log(label, &varied.unit) } else { Axis::new(label, &varied.unit) }
}

fn response_axis(response: &Response) -> Axis {
    Axis::new(format!("`{}`", response.name), response.unit.clone())
}

/// Pairs in the order of the first.
fn ordered(x: &[f64], y: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|&a, &b| x[a].total_cmp(&x[b]));
    order.into_iter().map(|i| (x[i], y[i])).unzip()
}

/// A response over one parameter.
fn curve(question: &VaryQuestion, j: usize, response: &Response, x: &[f64], y: &[f64], i: usize) -> Plot {
    let mut plot = Plot::new(id(question, "curve", j), "", axis(question, i), response_axis(response));
    let (x, y) = ordered(x, y);
    let few = x.len() <= 60;
    plot.push(Line::new("", x.clone(), y.clone()));
    if few {
        plot.push(Scatter { size: 4.5, ..Scatter::new("", x.clone(), y) });
    }
    let usual = question.varied[i].usual;
    let [low, high] = [0, x.len().saturating_sub(1)].map(|k| x.get(k).copied().unwrap_or(f64::NAN));
    if usual > low && usual < high {
        plot.push(Rule::vertical(usual, "scenario"));
    }
    plot.caption = format!("`{}` over `{}`; failed runs leave gaps", response.name, question.varied[i].path);
    plot
}

/// A response over one parameter, a curve for every value of another.
fn family(
    question: &VaryQuestion,
    j: usize,
    response: &Response,
    points: &[Vec<f64>],
    column: &[f64],
    [first, second]: [usize; 2],
) -> Plot {
    let mut plot = Plot::new(id(question, "family", j), "", axis(question, first), response_axis(response));
    let varied = &question.varied[second];
    for level in varied.marginal.levels().unwrap_or(&[]) {
        let rows = || (0..column.len()).filter(|&r| points[second][r] == *level);
        let x: Vec<f64> = rows().map(|r| points[first][r]).collect();
        let y: Vec<f64> = rows().map(|r| column[r]).collect();
        let (x, y) = ordered(&x, &y);
        plot.push(Line::new(format!("`{}` = {}", varied.path, with_unit(*level, &varied.unit)), x, y));
    }
    plot.caption = format!(
        "`{}` over `{}`, a curve for every value of `{}`",
        response.name, question.varied[first].path, varied.path
    );
    plot
}

/// A response over two parameters, with lines of equal height.
fn map(
    question: &VaryQuestion,
    j: usize,
    response: &Response,
    rows: &TableRows,
    points: &[Vec<f64>],
    column: &[f64],
    [first, second]: [usize; 2],
) -> Plot {
    let levels = |i: usize| sorted(question.design.marginals()[i].levels().unwrap_or(&[]));
    let (x, y) = (levels(first), levels(second));
    let mut values = vec![f64::NAN; x.len() * y.len()];
    for r in 0..rows.len() {
        let i = x.partition_point(|v| *v < points[first][r]);
        let k = y.partition_point(|v| *v < points[second][r]);
        values[k * x.len() + i] = column[r];
    }
    let [mut across, mut up] = [axis(question, first), axis(question, second)];
    // Cells are drawn on even axes.
    (across.scale, up.scale) = Default::default();
    let mut plot = Plot::new(id(question, "map", j), "", across, up);
    let all = sorted(&values);
    plot.push(HeatMap {
        x: x.clone(),
        y: y.clone(),
        values: values.clone(),
        label: format!("`{}`", response.name),
        unit: response.unit.clone(),
        scale: ColourScale::default(),
    });
    let is_count = all.iter().all(|v| v.fract() == 0.0);
    let [low, high] = [0.0, 1.0].map(|q| percentile(&all, q));
    if !is_count && all.len() > 3 {
        for level in round_levels(low, high) {
            let pieces = contour(&x, &y, &values, level);
            let Some(longest) = pieces.get(pieces.len() / 2) else { continue };
            let mut line =
                Line { colour: "#ffffff".to_owned(), width: 1.0, opacity: 0.85, ..Line::default() };
            for [a, b] in &pieces {
                line.x.extend([a[0], b[0], f64::NAN]);
                line.y.extend([a[1], b[1], f64::NAN]);
            }
            let at = [0, 1].map(|k| 0.5 * (longest[0][k] + longest[1][k]));
            plot.push(line);
            plot.push(Note { at, text: say(level), anchor: TextAnchor::Middle, ..Note::default() });
        }
    }
    plot.caption = format!(
        "`{}` over `{}` and `{}`; a cell without colour is a run that failed or is missing",
        response.name, question.varied[first].path, question.varied[second].path
    );
    plot
}

/// Every response over every parameter, with the rank correlation.
fn matrix(question: &VaryQuestion, points: &[Vec<f64>], columns: &[Vec<f64>]) -> PlotGrid {
    let mut grid = PlotGrid {
        id: format!("{}-matrix", question.study.name),
        title: String::new(),
        caption: "Every response over every parameter; $ρ$ is Spearman's rank correlation".to_owned(),
        columns: points.len().min(MATRIX),
        ..PlotGrid::default()
    };
    let shown: Vec<usize> = (0..question.shown).take(MATRIX).collect();
    for &j in &shown {
        for i in 0..points.len().min(MATRIX) {
            let finite: Vec<usize> = (0..columns[j].len()).filter(|&r| columns[j][r].is_finite()).collect();
            let pick = |all: &[f64]| finite.iter().map(|&r| all[r]).collect::<Vec<f64>>();
            let (x, y) = (pick(&points[i]), pick(&columns[j]));
            let rho = rank_correlation(&x, &y);
            let mut plot = Plot::new("", "", axis(question, i), response_axis(&question.asked[j]));
            plot.title = if rho.is_nan() {
                String::new()
            } else {
                format!("$ρ$ = {}", say((rho * 1e3).round() / 1e3))
            };
            let cloud = spread(x.len(), CLOUD);
            let (x, y) = cloud.into_iter().map(|r| (x[r], y[r])).unzip();
            plot.push(Scatter {
                marker: Marker::Dot,
                size: 2.4,
                colour: "#1b6ca8".to_owned(),
                ..Scatter::new("", x, y)
            });
            plot.size = [230.0, 170.0];
            grid.plots.push(plot);
        }
    }
    grid
}

/// Runs as lines from parameter to parameter, those with the largest response in front.
fn parallel(
    question: &VaryQuestion,
    j: usize,
    response: &Response,
    points: &[Vec<f64>],
    column: &[f64],
) -> Plot {
    let k = points.len();
    let mut x_axis = Axis::new("", "");
    x_axis.range = Some([-0.35, k as f64 + 0.35]);
    let mut y_axis = Axis::new("from least to most", "");
    y_axis.range = Some([-0.12, 1.08]);
    let mut plot = Plot::new(id(question, "parallel", j), "", x_axis, y_axis);
    let all: Vec<&[f64]> = points.iter().map(Vec::as_slice).chain([column]).collect();
    let ends: Vec<[f64; 2]> = all
        .iter()
        .map(|c| {
            let all = sorted(c);
            [percentile(&all, 0.0), percentile(&all, 1.0)]
        })
        .collect();
    let finite: Vec<usize> = (0..column.len()).filter(|&r| column[r].is_finite()).collect();
    let values = sorted(column);
    let cuts = [percentile(&values, 0.1), percentile(&values, 0.9)];
    let groups = [
        ("in between", "#9aa0a6", 0.25),
        ("lowest tenth", "#1b6ca8", 0.75),
        ("highest tenth", "#c0392b", 0.75),
    ];
    let group = |v: f64| {
        if v <= cuts[0] {
            1
        } else if v >= cuts[1] {
            2
        } else {
            0
        }
    };
    let chosen: Vec<usize> = spread(finite.len(), LINES).into_iter().map(|r| finite[r]).collect();
    for (g, (name, colour, opacity)) in groups.into_iter().enumerate() {
        let mut line = Line {
            label: name.to_owned(),
            colour: colour.to_owned(),
            width: 0.8,
            opacity,
            ..Line::default()
        };
        for &r in chosen.iter().filter(|&&r| group(column[r]) == g) {
            for (i, c) in all.iter().enumerate() {
                let [low, high] = ends[i];
                line.x.push(i as f64);
                line.y.push(if high > low { (c[r] - low) / (high - low) } else { 0.5 });
            }
            line.x.push(f64::NAN);
            line.y.push(f64::NAN);
        }
        plot.push(line);
    }
    for i in 0..=k {
        plot.push(Line {
            colour: "#444444".to_owned(),
            width: 1.0,
            ..Line::new("", vec![i as f64; 2], vec![0.0, 1.0])
        });
        let (name, unit) = match question.varied.get(i) {
            Some(varied) => (varied.path.clone(), varied.unit.as_str()),
            None => (response.name.clone(), response.unit.as_str()),
        };
        for (y, text) in [(-0.06, with_unit(ends[i][0], unit)), (1.02, with_unit(ends[i][1], unit))] {
            plot.push(Note { at: [i as f64, y], text, anchor: TextAnchor::Middle, ..Note::default() });
        }
        plot.push(Note {
            at: [i as f64, -0.11],
            text: format!("`{name}`"),
            anchor: TextAnchor::Middle,
            ..Note::default()
        });
    }
    plot.size = [(150.0 * (k as f64 + 1.0)).clamp(480.0, 900.0), 300.0];
    plot.caption = format!(
        "Runs as lines through their parameters, in the colour of `{}`; {} of {} runs are drawn",
        response.name,
        chosen.len(),
        column.len()
    );
    plot
}

/// How responses are distributed: the share of runs below every value.
fn distributions(question: &VaryQuestion, columns: &[Vec<f64>]) -> PlotGrid {
    let mut grid = PlotGrid {
        id: format!("{}-distributions", question.study.name),
        title: String::new(),
        caption:
            "Share of the runs below every value, with the median and the fifth and ninety-fifth percentiles"
                .to_owned(),
        columns: 2,
        ..PlotGrid::default()
    };
    for (response, column) in question.asked.iter().zip(columns).take(question.shown).take(SHOWN) {
        let all = sorted(column);
        let mut plot = Plot::new("", "", response_axis(response), Axis::new("share", ""));
        let places = spread(all.len(), 400);
        let n = all.len().max(2) as f64 - 1.0;
        let (x, y) =
            places.into_iter().chain(all.len().checked_sub(1)).map(|r| (all[r], r as f64 / n)).unzip();
        plot.push(Line::new("", x, y));
        for q in [0.05, 0.5, 0.95] {
            plot.push(Rule::vertical(percentile(&all, q), format!("{} %", say(100.0 * q))));
        }
        plot.size = [300.0, 190.0];
        grid.plots.push(plot);
    }
    grid
}

/// Bands around histories, of the first few hundred runs.
pub(crate) fn bands(question: &VaryQuestion, section: &mut Section, progress: &mut dyn Progress) {
    let Some(motion) = question.motion.filter(|_| !question.bands.is_empty()) else { return };
    let duration = motion.spec.numbers[0];
    let times: Vec<f64> = (0..INSTANTS).map(|k| duration * k as f64 / (INSTANTS - 1) as f64).collect();
    let count = question.design.count().min(HISTORIES);
    progress.begin(&format!("{}: bands", question.study.name));
    let engine = question.engine(&[]);
    let cancel = Cancel::current();
    let histories: Vec<Vec<Vec<f64>>> = (0..count)
        .into_par_iter()
        .filter_map(|index| {
            cancel.scope(|| {
                let mut point = vec![0.0; question.varied.len()];
                question.design.point(index, &mut point);
                engine.worker().history(&point, &question.bands, &times)
            })
        })
        .collect();
    if histories.is_empty() || cancel.is_cancelled() {
        return;
    }
    let channels = question.scenario.model().channels();
    for (b, name) in question.bands.iter().enumerate() {
        let unit = channels.iter().find(|c| c.name == *name).map_or("", |c| c.unit);
        let at = |k: usize| sorted(&histories.iter().map(|h| h[b][k]).collect::<Vec<_>>());
        let instants: Vec<Vec<f64>> = (0..INSTANTS).map(at).collect();
        let line = |q: f64| instants.iter().map(|all| percentile(all, q)).collect::<Vec<f64>>();
        let mut plot = Plot::new(
            id(question, "bands", b),
            "",
            Axis::new("time $t$", "s"),
            Axis::new(format!("`{name}`"), unit),
        );
        for (low, high, label, opacity) in [(0.05, 0.95, "5 to 95 %", 0.18), (0.25, 0.75, "25 to 75 %", 0.35)]
        {
            plot.push(Band {
                x: times.clone(),
                lower: line(low),
                upper: line(high),
                label: label.to_owned(),
                colour: "#1b6ca8".to_owned(),
                opacity,
            });
        }
        plot.push(Line { colour: "#1b6ca8".to_owned(), ..Line::new("median", times.clone(), line(0.5)) });
        plot.caption =
            format!("Percentiles of `{name}` at every instant, over the first {} runs", histories.len());
        section.push(plot);
    }
}

/// Sobol's indices with their intervals.
pub(crate) fn indices(question: &VaryQuestion, name: &str, found: &[SobolIndices]) -> Plot {
    let k = found.len();
    let mut x = Axis::new("", "");
    x.range = Some([-0.6, k as f64 - 0.4]);
    let mut plot = Plot::new(
        format!("{}-indices-{}", question.study.name, name.replace(|c: char| !c.is_alphanumeric(), "_")),
        "",
        x,
        Axis::new("index", ""),
    );
    let low = found.iter().map(|i| (i.first.value - i.first.doubt).min(i.total.value - i.total.doubt));
    let low = low.fold(0.0, f64::min);
    for (shift, label, colour, is_total) in
        [(-0.12, "first order", "#1b6ca8", false), (0.12, "total", "#d1752b", true)]
    {
        let estimate = |i: &SobolIndices| if is_total { i.total } else { i.first };
        let places: Vec<f64> = (0..k).map(|i| i as f64 + shift).collect();
        for (place, indices) in places.iter().zip(found) {
            let e = estimate(indices);
            let ends = vec![e.value - e.doubt, e.value + e.doubt];
            plot.push(Line { colour: colour.to_owned(), ..Line::new("", vec![*place; 2], ends) });
        }
        let values = found.iter().map(|i| estimate(i).value).collect();
        plot.push(Scatter { colour: colour.to_owned(), ..Scatter::new(label, places, values) });
    }
    for (i, varied) in question.varied.iter().enumerate() {
        let at = [i as f64, low - 0.1];
        plot.push(Note { at, text: varied.label(), anchor: TextAnchor::Middle, ..Note::default() });
    }
    plot.y.range = Some([low - 0.15, 1.1]);
    plot.caption = format!(
        "Which share of the variance of `{name}` each parameter makes, alone and together with others"
    );
    plot
}

/// Mean size and deviation of Morris's effects.
pub(crate) fn effects(question: &VaryQuestion, response: &Response, found: &[Option<Effect>]) -> Plot {
    let mut plot = Plot::new(
        format!(
            "{}-effects-{}",
            question.study.name,
            response.name.replace(|c: char| !c.is_alphanumeric(), "_")
        ),
        "",
        Axis::new("mean size of the effect $μ*$", response.unit.clone()),
        Axis::new("deviation $σ$", response.unit.clone()),
    );
    for (varied, effect) in question.varied.iter().zip(found) {
        let Some(effect) = effect else { continue };
        let (x, y, doubt) = (effect.size.value, effect.deviation, effect.size.doubt);
        plot.push(Line {
            colour: "#1b6ca8".to_owned(),
            opacity: 0.5,
            ..Line::new("", vec![x - doubt, x + doubt], vec![y; 2])
        });
        plot.push(Scatter { colour: "#1b6ca8".to_owned(), ..Scatter::new("", vec![x], vec![y]) });
        plot.push(Note { at: [x, y], shift: [6.0, 6.0], text: varied.label(), ..Note::default() });
    }
    plot.caption = format!(
        "To the right: much effect on `{}`; upwards: an effect that depends on where it is, or on other parameters",
        response.name
    );
    plot
}
