//! Our own versions of the paper's figures, and some it does not have.

use super::capstan::CapstanResults;
use super::model::QuinnVariant;
use super::pulley::{OneLaw, displacement};
use crate::cases::CellComparison;
use bristle_cable::{Friction, Sigmoid, cubic};
use bristle_record::{
    Axis, Band, Block, ColourMap, ColourScale, Dash, HeatMap, Line, Marker, Plot, PlotGrid, Rule, Scatter,
};
use bristle_study::studies::simulate::column;
use std::f64::consts::PI;

fn grid(n: usize, from: f64, to: f64) -> Vec<f64> {
    (0..n).map(|i| from + (to - from) * i as f64 / (n - 1) as f64).collect()
}

/// Figure 1: friction over speed and what pulls, for four laws.
pub(super) fn surfaces() -> Block {
    let smooth = Sigmoid::parabolic(0.9).unwrap_or(Sigmoid::CLAMP);
    let karnopp = Friction::Karnopp { mu: 1.0, kinetic: 1.0, eps: 1.0, steady: false, literal: true };
    let coulomb = Friction::Karnopp { mu: 1.0, kinetic: 1.0, eps: 0.02, steady: false, literal: true };
    let cdq = Friction::Quinn { mu: 1.0, eps: 1.0, sigmoid: smooth };
    let laws = [
        ("Coulomb", coulomb),
        ("Karnopp", karnopp),
        ("Quinn", Friction::quinn(1.0, 1.0)),
        ("CDQ, $α$ = 0.9, $β$ = 1.1", cdq),
    ];
    let (x, y) = (grid(51, -2.0, 2.0), grid(39, -1.5, 1.5));
    let plots = laws.into_iter().enumerate().map(|(i, (title, law))| {
        let axes = (Axis::new("$v/ε$", ""), Axis::new("$F_{eq}/(μN)$", ""));
        let mut plot = Plot::new(format!("westin-fig1-{i}"), title, axes.0, axes.1);
        let values =
            y.iter().flat_map(|f| x.iter().map(|v| -law.force(*v, 1.0, *f, None)).collect::<Vec<_>>());
        let scale =
            ColourScale::Continuous { map: ColourMap::Diverging, range: Some([-1.0, 1.0]), is_log: false };
        let label = "$-F/(μN)$".to_owned();
        let (x, y, values) = (x.clone(), y.clone(), values.collect());
        plot.push(HeatMap { x, y, values, label, unit: String::new(), scale });
        // Whole pixels for every cell.
        plot.size = [255.0, 195.0];
        plot
    });
    let caption = "Figure 1 of the paper: friction over slip speed and the force that would hold, for Coulomb, Karnopp \
                   (with its cap), Quinn and CDQ";
    PlotGrid {
        id: "westin-fig1".to_owned(),
        caption: caption.to_owned(),
        columns: 2,
        plots: plots.collect(),
        ..PlotGrid::default()
    }
    .into()
}

/// Figure 2: the sigmoid; beside it where it is admissible.
pub(super) fn sigmoids() -> Block {
    let x = grid(401, 0.0, 2.0);
    let mut curve = Plot::new("westin-fig2-a", "", Axis::new("$x$", ""), Axis::new("$h(x)$", ""));
    let clamp = x.iter().map(|x| Sigmoid::CLAMP.value(*x)).collect();
    curve.push(Line { dash: Dash::Dashed, colour: "ink".to_owned(), ..Line::new("Quinn", x.clone(), clamp) });
    for law in &QuinnVariant::ALL[3..] {
        let y = x.iter().map(|x| cubic(law.alpha, 2.0 - 2.0 * law.alpha, *x)).collect();
        curve.push(Line::new(format!("$α$ = {}", law.alpha), x.clone(), y));
    }
    let y = x.iter().map(|x| cubic(0.9, 0.5, *x)).collect();
    curve.push(Line {
        dash: Dash::Dotted,
        colour: "bad".to_owned(),
        ..Line::new("$α$ = 0.9, $β$ = 1.4: overshoots", x, y)
    });
    let alpha = grid(101, 0.0, 1.0);
    let of = |f: fn(f64) -> f64| alpha.iter().map(|a| f(*a)).collect::<Vec<f64>>();
    let mut region = Plot::new("westin-fig2-b", "", Axis::new("$α$", ""), Axis::new("$β$", ""));
    let (monotone, below) = (of(|a| 3.0 - 2.0 * a), of(|a| (3.0 - a) / 2.0));
    let band = |lower: Vec<f64>, upper: Vec<f64>, label: &str, colour: &str, opacity| Band {
        x: alpha.clone(),
        lower,
        upper,
        label: label.to_owned(),
        colour: colour.to_owned(),
        opacity,
    };
    region.push(band(of(|_| 1.0), monotone.clone(), "monotone: $β ≤ 3 − 2α$", "accent", 0.15));
    region.push(band(below, monotone, "and never above $x$: $β ≥ (3 − α)/2$", "good", 0.3));
    region.push(Line {
        colour: "ink".to_owned(),
        ..Line::new("published: $β = 2 − α$", alpha.clone(), of(|a| 2.0 - a))
    });
    let caption = "Figure 2 of the paper: the sigmoid against the clamp of Quinn's law; beside it the pairs (α, β) for which \
                   it is monotone";
    for plot in [&mut curve, &mut region] {
        plot.size = [300.0, 230.0];
    }
    PlotGrid {
        id: "westin-fig2".to_owned(),
        caption: caption.to_owned(),
        columns: 2,
        plots: vec![curve, region],
        ..PlotGrid::default()
    }
    .into()
}

/// Creep above α: the closed form, and what simulations gave.
pub(super) fn creep(capstan: &CapstanResults) -> Plot {
    let axes = (Axis::new("$x = F_{eq}/(μN)$", ""), Axis::log("creep speed $v_c/ε$", ""));
    let mut plot = Plot::new("westin-creep", "", axes.0, axes.1);
    for (i, law) in QuinnVariant::ALL[1..].iter().enumerate() {
        let Ok(sigmoid) = Sigmoid::parabolic(law.alpha) else { continue };
        let x: Vec<f64> = grid(200, law.alpha, 1.0).into_iter().skip(1).collect();
        let y = x.iter().map(|x| sigmoid.creep(*x)).collect();
        plot.push(Line { colour: format!("cycle:{i}"), ..Line::new(law.label(), x, y) });
    }
    let (x, y) = capstan.creep.iter().map(|c| (c.1, c.3)).unzip();
    let base = Scatter::new("capstan, simulated", x, y);
    plot.push(Scatter { colour: "ink".to_owned(), marker: Marker::Square, is_hollow: true, ..base });
    plot.caption = "A load above α μ N is not held: the contact creeps at $ε[h^{-1}(x) − h(x)]$".to_owned();
    plot
}

/// Table II, first column, as a figure.
pub(super) fn ratios(capstan: &CapstanResults, cells: &[CellComparison]) -> Plot {
    let axes = (Axis::new("$α$", ""), Axis::new("force ratio $F_2/F_1$ at slip", ""));
    let mut plot = Plot::new("westin-ratios", "", axes.0, axes.1);
    let alpha: Vec<f64> = QuinnVariant::ALL.iter().map(|l| l.alpha).collect();
    let fine = grid(101, 0.5, 1.0);
    let line = |label: &str, dash, f: fn(f64) -> f64| Line {
        dash,
        colour: "grey".to_owned(),
        ..Line::new(label, fine.clone(), fine.iter().map(|a| f(*a)).collect())
    };
    plot.push(line("$e^{αμπ}$", Dash::Solid, |a| (0.25 * a * PI).exp()));
    plot.push(line("$e^{h(1)μπ}$", Dash::Dotted, |a| (0.25 * PI * (3.0 + a) / 4.0).exp()));
    plot.push(Scatter::new("4.5 m", alpha.clone(), capstan.long.clone()));
    plot.push(Scatter {
        marker: Marker::Square,
        ..Scatter::new("2 m", alpha.clone(), capstan.short.clone())
    });
    let printed = |law: &QuinnVariant| {
        let id = format!("table2.ratio.{}", law.key());
        cells.iter().find(|c| c.id == id).and_then(|c| c.published.parse().ok()).unwrap_or(f64::NAN)
    };
    let published = QuinnVariant::ALL.iter().map(printed).collect();
    let base = Scatter::new("published", alpha, published);
    plot.push(Scatter { marker: Marker::Cross, colour: "ink".to_owned(), size: 9.0, ..base });
    plot.caption = "Slip begins where a node asks for more than α μ N, not h(1) μ N".to_owned();
    plot
}

/// Figure 5: contact force over the drum for three meshes.
pub(super) fn contact(capstan: &CapstanResults) -> Block {
    let panel = |title: &str, at_slip: bool| {
        let axes = (Axis::new("angle from the crown", "deg"), Axis::new("contact force per angle", "N/rad"));
        let mut plot = Plot::new(format!("westin-fig5-{title}"), title, axes.0, axes.1);
        plot.size = [300.0, 230.0];
        let angles = grid(91, -90.0, 90.0);
        let capstan_force =
            |deg: &f64| if at_slip { 98.1 * (0.25 * (deg.to_radians() + PI / 2.0)).exp() } else { 98.1 };
        let y = angles.iter().map(capstan_force).collect();
        plot.push(Line {
            dash: Dash::Dashed,
            colour: "ink".to_owned(),
            ..Line::new("capstan equation", angles, y)
        });
        for (elements, equal, slip) in &capstan.contact {
            let wrap = if at_slip { slip } else { equal };
            let per = 0.25 * *elements as f64 / 2.0;
            let y = wrap.contacts.iter().map(|c| c.normal * per).collect();
            plot.push(Line::new(format!("{elements} elements"), wrap.degrees(), y));
        }
        plot
    };
    PlotGrid {
        id: "westin-fig5".to_owned(),
        caption: "Figure 5 of the paper: contact force over the angle. Bending stiffness gathers it at the edges, however \
                  fine the mesh"
            .to_owned(),
        columns: 2,
        plots: vec![panel("equal loads", false), panel("about to slip", true)],
        is_legend_shared: true,
        ..PlotGrid::default()
    }
    .into()
}

/// Figure 6: displacement of a load, and how far the laws lie apart.
pub(super) fn displacements(runs: &[OneLaw]) -> Block {
    let time = |run: &OneLaw| column(&run.data, "time").to_vec();
    let mut first = Plot::new(
        "westin-fig6-a",
        "",
        Axis::new("time $t$", "s"),
        Axis::new("displacement of the load", "m"),
    );
    for (i, dash) in [(0, Dash::Solid), (3, Dash::Dashed)] {
        let run = &runs[i];
        first.push(Line { dash, ..Line::new(run.law.label(), time(run), displacement(run, "right")) });
    }
    first.push(Rule::horizontal(-0.25 * PI / 4.0, "$-Ra$"));
    let mut second =
        Plot::new("westin-fig6-b", "", Axis::new("time $t$", "s"), Axis::log("distance from Quinn", "m"));
    let quinn = displacement(&runs[0], "right");
    for run in &runs[1..] {
        let y = displacement(run, "right").iter().zip(&quinn).map(|(a, b)| (a - b).abs()).collect();
        second.push(Line::new(run.law.label(), time(run), y));
    }
    second.y.range = Some([1e-9, 1e-5]);
    for plot in [&mut first, &mut second] {
        plot.size = [300.0, 230.0];
    }
    PlotGrid {
        id: "westin-fig6".to_owned(),
        caption: "Figure 6 of the paper: displacement of the right load; beside it how far CDQ lies from Quinn once both are \
                  converged"
            .to_owned(),
        columns: 2,
        plots: vec![first, second],
        ..PlotGrid::default()
    }
    .into()
}
