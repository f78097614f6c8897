//! Everything that follows from the linearised equations: Table 2, Figures 2–7 and 10, the onset.

use super::model::{HieuModel, HieuNumbers, failed};
use bristle_analysis::ContinuationSettings;
use bristle_analysis::boundary::HopfBoundary;
use bristle_analysis::branch::{EquilibriumBranch, Range, SpecialKind};
use bristle_analysis::map::{MapAxis, StabilityMap};
use bristle_study::RunError;
use bristle_study::analysis;

/// Viscous friction of the ten columns of Table 2.
pub const COLUMNS: [f64; 10] = [0.2, 0.3, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0];

/// What the linear part gives.
pub struct LinearResults {
    pub map: StabilityMap,
    /// The Hopf curve of each model over `c₁` and `v_b`.
    pub curves: [HopfBoundary; 2],
    /// Equilibria over the belt speed at `c₁ = 0.5`.
    pub branches: [EquilibriumBranch; 2],
    /// Gap between the two models' boundaries: `c₁`, gap.
    pub gap_over_c1: Vec<(f64, f64)>,
    /// `k`, two-state, LuGre.
    pub over_k: Vec<(f64, f64, f64)>,
}

pub fn compute(models: &[HieuModel; 2], numbers: &mut HieuNumbers) -> Result<LinearResults, RunError> {
    let [two, lugre] = models;
    table2(models, numbers)?;
    points(models, numbers)?;
    let mut hopfs = Vec::new();
    for model in models {
        let hopf = model.boundary(0.5, 100.0)?;
        let (q, id) = (analysis::first_position(&model.scenario.system).unwrap_or(0), model.id);
        numbers.add(format!("hopf.{id}.l1"), hopf.l1);
        numbers.add(format!("hopf.{id}.kappa"), hopf.curvature[q]);
        hopfs.push(hopf);
    }
    let zero = |k: f64| stationary_point(two, k);
    numbers.add("dzeta4.k100", zero(100.0)?);
    numbers.add("dzeta4.k500", zero(500.0)?);
    numbers.add(
        "start.s1",
        0.24 - two.steady(3.5, 0.5, 100.0)?.x[analysis::first_position(&two.scenario.system).unwrap_or(0)],
    );
    let gap = |c1: f64, k: f64| -> Result<f64, RunError> {
        let v = |m: &HieuModel| -> Result<f64, RunError> { Ok(m.boundary(c1, k)?.steady.p[m.speed()?]) };
        Ok(v(two)? - v(lugre)?)
    };
    let (c1, smallest) = minimum(|c1| gap(c1, 100.0), 0.7, 1.4)?;
    numbers.add("fig5.c1", c1);
    numbers.add("fig5.gap", smallest);
    let gap_over_c1 = (0..77)
        .map(|i| 0.2 + 0.05 * f64::from(i))
        .map(|c1| Ok((c1, gap(c1, 100.0)?)))
        .collect::<Result<_, RunError>>()?;
    let over_k: Vec<(f64, f64, f64)> = (0..31)
        .map(|i| 100.0 + 59_900.0 * f64::from(i) / 30.0)
        .map(|k| {
            let v = |m: &HieuModel| -> Result<f64, RunError> { Ok(m.boundary(0.5, k)?.steady.p[m.speed()?]) };
            Ok((k, v(two)?, v(lugre)?))
        })
        .collect::<Result<_, RunError>>()?;
    numbers.add("fig6.drop", over_k[0].1 - over_k[30].1);
    numbers.add("fig7.k100", over_k[0].1 - over_k[0].2);
    numbers.add("fig7.k60000", over_k[30].1 - over_k[30].2);
    let map = stability_map(two)?;
    numbers.add("map.stable", map.stable_cells() as f64);
    let curves = [curve(two, &hopfs[0], numbers)?, curve(lugre, &hopfs[1], numbers)?];
    let branches = [branch(two, numbers)?, branch(lugre, numbers)?];
    let (low, high) = zeta3_negative(two)?;
    numbers.add("zeta3.from", low);
    numbers.add("zeta3.to", high);
    Ok(LinearResults { map, curves, branches, gap_over_c1, over_k })
}

fn table2(models: &[HieuModel; 2], numbers: &mut HieuNumbers) -> Result<(), RunError> {
    for model in models {
        for k in [100.0, 500.0] {
            for c1 in COLUMNS {
                let hopf = model.boundary(c1, k)?;
                let id = format!("table2.k{k}.{}.c1_{c1:.1}", model.id);
                numbers.add(id, hopf.steady.p[model.speed()?]);
                if k == 100.0 {
                    numbers.add(format!("l1.{}.c1_{c1:.1}", model.id), hopf.l1);
                }
            }
        }
    }
    Ok(())
}

/// Displacement and eigenvalues at the points of Figure 11 and at the three simulated speeds.
fn points(models: &[HieuModel; 2], numbers: &mut HieuNumbers) -> Result<(), RunError> {
    for model in models {
        let q = analysis::first_position(&model.scenario.system).unwrap_or(0);
        for (name, c1, v_b) in [
            ("S1", 0.5, 3.5),
            ("S2", 0.5, 2.9958),
            ("S3", 0.5, 0.03),
            ("v0.05", 0.5, 0.05),
            ("v0.1", 0.5, 0.1),
            ("c2", 2.0, 1.7),
        ] {
            let steady = model.steady(v_b, c1, 100.0)?;
            let id = format!("point.{name}.{}", model.id);
            numbers.add(format!("{id}.x"), steady.x[q]);
            if let Some(first) = steady.eigen.first() {
                numbers.add(format!("{id}.re"), first.value.re);
                numbers.add(format!("{id}.im"), first.value.im.abs());
            }
        }
    }
    Ok(())
}

/// Where `dζ̄₄/dv_b` vanishes.
fn stationary_point(model: &HieuModel, k: f64) -> Result<f64, RunError> {
    let slope = |v: f64| slope_of_zeta4(model, v, k);
    let (mut a, mut b) = (2.2, 2.6);
    let at_a = slope(a)?;
    for _ in 0..50 {
        let middle = 0.5 * (a + b);
        if slope(middle)? * at_a > 0.0 { a = middle } else { b = middle }
    }
    Ok(0.5 * (a + b))
}

/// `dζ̄₄/dv_b` by a difference of sixth order.
pub fn slope_of_zeta4(model: &HieuModel, v: f64, k: f64) -> Result<f64, RunError> {
    let h = 0.01;
    let mut sum = 0.0;
    for (i, weight) in [(1.0, 0.75), (2.0, -0.15), (3.0, 1.0 / 60.0)] {
        sum += weight * (model.zetas(v + i * h, 0.5, k)?[3] - model.zetas(v - i * h, 0.5, k)?[3]);
    }
    Ok(sum / h)
}

/// Smallest value of a smooth function by golden section.
fn minimum(f: impl Fn(f64) -> Result<f64, RunError>, a: f64, b: f64) -> Result<(f64, f64), RunError> {
    // Rounding hides the bottom of a parabola; three wide points find it better than a narrow search.
    let (mut centre, mut h) = (0.5 * (a + b), 0.25 * (b - a));
    for _ in 0..6 {
        let (low, here, high) = (f(centre - h)?, f(centre)?, f(centre + h)?);
        let bend = low - 2.0 * here + high;
        let shift = 0.5 * (low - high) / bend;
        centre += h * shift.clamp(-1.0, 1.0);
        h = (0.5 * h).max(0.01);
    }
    Ok((centre, f(centre)?))
}

fn stability_map(model: &HieuModel) -> Result<StabilityMap, RunError> {
    let rows = MapAxis::linear(model.index(model.viscous)?, 0.05, 5.0, 200);
    let columns = MapAxis::linear(model.speed()?, 0.02, 5.0, 200);
    analysis::map(&model.scenario.system, &model.at(0.02, 0.05, 100.0)?, rows, columns).map_err(failed)
}

fn curve(
    model: &HieuModel,
    hopf: &bristle_analysis::hopf::Hopf,
    numbers: &mut HieuNumbers,
) -> Result<HopfBoundary, RunError> {
    let ranges = [
        Range { parameter: model.index(model.viscous)?, from: 0.05, to: 12.0 },
        Range { parameter: model.speed()?, from: 0.005, to: 6.0 },
    ];
    let pace = ContinuationSettings { max_step: 0.05, ..ContinuationSettings::default() };
    let curve = analysis::boundary(&model.scenario.system, hopf, ranges, pace).map_err(failed)?;
    let mark = curve.generalised.first().map_or([f64::NAN; 2], |b| b.at);
    numbers.add(format!("generalised.{}.c1", model.id), mark[0]);
    numbers.add(format!("generalised.{}.v", model.id), mark[1]);
    Ok(curve)
}

/// All special points from a crawl to 6 m/s.
fn branch(model: &HieuModel, numbers: &mut HieuNumbers) -> Result<EquilibriumBranch, RunError> {
    let range = Range { parameter: model.speed()?, from: 2e-5, to: 6.5 };
    let pace = ContinuationSettings { max_step: 0.03, points: 5000, ..ContinuationSettings::default() };
    let found = analysis::branch(&model.scenario.system, &model.at(2e-5, 0.5, 100.0)?, range, pace)
        .map_err(failed)?;
    let speeds: Vec<f64> = found.hopfs().map(|h| h.steady.p[range.parameter]).collect();
    let id = model.id;
    numbers.add(format!("hopf.{id}.count"), speeds.len() as f64);
    numbers.add(format!("hopf.{id}.low"), speeds.first().copied().unwrap_or(f64::NAN));
    numbers.add(format!("hopf.{id}.high"), speeds.last().copied().unwrap_or(f64::NAN));
    numbers.add(format!("hopf.{id}.low_l1"), found.hopfs().next().map_or(f64::NAN, |h| h.l1));
    let saddles = found.special.iter().filter(|s| matches!(s.kind, SpecialKind::NeutralSaddle)).count();
    numbers.add(format!("saddles.{id}.count"), saddles as f64);
    Ok(found)
}

/// Between which speeds `ζ₃` is negative.
fn zeta3_negative(model: &HieuModel) -> Result<(f64, f64), RunError> {
    let edge = |mut a: f64, mut b: f64| -> Result<f64, RunError> {
        let at_a = model.zetas(a, 0.5, 100.0)?[1];
        for _ in 0..60 {
            let middle = (a * b).sqrt();
            if model.zetas(middle, 0.5, 100.0)?[1] * at_a > 0.0 { a = middle } else { b = middle }
        }
        Ok((a * b).sqrt())
    };
    Ok((edge(2e-5, 1e-3)?, edge(1e-3, 0.1)?))
}
