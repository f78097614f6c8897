//! What the paper could not see: cycles by shooting, their branches, attractors over the belt speed.

use super::model::{HieuModel, HieuNumbers, failed};
use bristle_analysis::ContinuationSettings;
use bristle_analysis::attractor::{Fate, Patience};
use bristle_analysis::branch::Range;
use bristle_analysis::cycles::{OrbitBranch, OrbitKind};
use bristle_analysis::find_orbits::OrbitSearch;
use bristle_analysis::orbit::PeriodicOrbit;
use bristle_analysis::shooting::Shooting;
use bristle_analysis::sweep::{ParameterSweep, Survey};
use bristle_study::RunError;
use bristle_study::analysis;
use bristle_study::studies::sweep::fate;
use rayon::prelude::*;

/// What shooting and sweeping give for one model.
pub struct Global {
    /// Cycles at the three simulated speeds: speed, orbits.
    pub low: Vec<(f64, Vec<PeriodicOrbit>)>,
    /// The branch from the onset through the fold and back.
    pub branch: OrbitBranch,
    /// Attractors over the belt speed.
    pub survey: Survey,
    /// Attractors at the three simulated speeds, in words.
    pub fates: Vec<(f64, String)>,
}

/// Cycles whose period is known from an independent computation: model, speed, returns, period to four digits.
const KNOWN: [(&str, f64, usize, &str); 14] = [
    ("two", 0.03, 1, "1.4197"),
    ("two", 0.05, 1, "1.2759"),
    ("two", 0.05, 1, "1.3134"),
    ("two", 0.05, 2, "2.6260"),
    ("two", 0.05, 4, "5.1149"),
    ("two", 0.1, 1, "1.1478"),
    ("lugre", 0.03, 1, "1.1946"),
    ("lugre", 0.03, 1, "1.2154"),
    ("lugre", 0.03, 1, "1.2425"),
    ("lugre", 0.05, 1, "1.1894"),
    ("lugre", 0.05, 1, "1.1995"),
    ("lugre", 0.05, 1, "1.2211"),
    ("lugre", 0.1, 1, "1.1145"),
    ("lugre", 0.1, 2, "2.2318"),
];

pub fn compute(models: &[HieuModel; 2], numbers: &mut HieuNumbers) -> Result<Vec<Global>, RunError> {
    let found: Result<Vec<(Global, HieuNumbers)>, RunError> = models.par_iter().map(one).collect();
    let mut all = Vec::new();
    for (global, own) in found? {
        numbers.0.extend(own.0);
        all.push(global);
    }
    Ok(all)
}

fn one(model: &HieuModel) -> Result<(Global, HieuNumbers), RunError> {
    let mut numbers = HieuNumbers::default();
    let jobs: Vec<usize> = (0..4).collect();
    enum CyclePart {
        Low(f64, Vec<PeriodicOrbit>, String, f64),
        High(OrbitBranch),
    }
    let parts: Result<Vec<CyclePart>, RunError> = jobs
        .into_par_iter()
        .map(|job| match job {
            3 => Ok(CyclePart::High(high(model)?)),
            i => {
                let v_b = [0.03, 0.05, 0.1][i];
                let (orbits, words, exponent) = low(model, v_b)?;
                Ok(CyclePart::Low(v_b, orbits, words, exponent))
            }
        })
        .collect();
    let (mut slow, mut fates, mut branch) = (Vec::new(), Vec::new(), None);
    for part in parts? {
        match part {
            CyclePart::Low(v_b, orbits, words, exponent) => {
                if v_b == 0.03 {
                    numbers.add(format!("chaos.{}.exponent", model.id), exponent);
                }
                slow.push((v_b, orbits));
                fates.push((v_b, words));
            }
            CyclePart::High(found) => branch = Some(found),
        }
    }
    let branch = branch.ok_or_else(|| failed(bristle_analysis::AnalysisError::Singular))?;
    for (id, v_b, multiplicity, period) in KNOWN.iter().filter(|k| k.0 == model.id) {
        let orbits = slow.iter().filter(|(v, _)| v == v_b).flat_map(|(_, list)| list);
        let same =
            |o: &&PeriodicOrbit| o.multiplicity == *multiplicity && format!("{:.4}", o.period) == *period;
        let orbit = orbits.into_iter().find(same);
        let base = format!("orbit.{id}.v{v_b}.{period}");
        numbers.add(format!("{base}.period"), orbit.map_or(f64::NAN, |o| o.period));
        numbers.add(format!("{base}.multiplier"), orbit.map_or(f64::NAN, |o| o.leading().re));
    }
    numbers
        .add(format!("fold.{}", model.id), branch.at(OrbitKind::Fold).first().copied().unwrap_or(f64::NAN));
    for (i, flip) in branch.at(OrbitKind::Flip).iter().take(4).enumerate() {
        numbers.add(format!("flip.{}.{}", model.id, i + 1), *flip);
    }
    numbers.add(format!("flip.{}.slow", model.id), slow_flip(model)?);
    let survey = survey(model)?;
    let bands = survey.bistable();
    let band = bands.iter().max_by(|a, b| (a.to - a.from).total_cmp(&(b.to - b.from)));
    numbers.add(format!("bistable.{}.from", model.id), band.map_or(f64::NAN, |b| b.from));
    numbers.add(format!("bistable.{}.to", model.id), band.map_or(f64::NAN, |b| b.to));
    Ok((Global { low: slow, branch, survey, fates }, numbers))
}

/// All cycles near the motion at a low speed, and what the motion settles to.
fn low(model: &HieuModel, v_b: f64) -> Result<(Vec<PeriodicOrbit>, String, f64), RunError> {
    let p = model.at(v_b, 0.5, 100.0)?;
    let (map, start) = model.returns(v_b, Shooting::default())?;
    let hunt = OrbitSearch { multiplicities: vec![1, 2, 4], ..OrbitSearch::default() };
    let orbits = analysis::find_orbits(&map, &p, std::slice::from_ref(&start), &hunt).map_err(failed)?;
    let patience = Patience { transient: 250, window: 40, lyapunov: 250, ..Patience::default() };
    let settled = analysis::attractor(&map, &p, &start, patience).map_err(failed)?;
    let exponent = match &settled.fate {
        Fate::Chaotic { lyapunov } => lyapunov.per_cycle,
        _ => f64::NAN,
    };
    Ok((orbits, fate(&settled.fate), exponent))
}

/// The cycles born at the high onset, through the fold and back to low speed.
fn high(model: &HieuModel) -> Result<OrbitBranch, RunError> {
    let hopf = model.boundary(0.5, 100.0)?;
    let (map, _) = model.returns(3.0, Shooting::default())?;
    let q = analysis::first_position(&model.scenario.system).unwrap_or(0);
    let born = analysis::from_hopf(&map, &hopf, q, 0.03).map_err(failed)?;
    let range = Range { parameter: model.speed()?, from: 2.55, to: 6.2 };
    analysis::cycles(
        &map,
        &born,
        range,
        ContinuationSettings { max_step: 0.03, ..ContinuationSettings::default() },
    )
    .map_err(failed)
}

/// Where the slow cycle doubles its period.
fn slow_flip(model: &HieuModel) -> Result<f64, RunError> {
    let p = model.at(0.2, 0.5, 100.0)?;
    let (map, start) = model.returns(0.2, Shooting::default())?;
    let hits = analysis::hits(&map, &p, &start, 12).map_err(failed)?;
    let last = hits.last().ok_or_else(|| failed(bristle_analysis::AnalysisError::Tangent))?;
    let orbit = analysis::orbit(&map, &p, &last.state, 1).map_err(failed)?;
    let range = Range { parameter: model.speed()?, from: 0.2, to: 0.09 };
    let branch = analysis::cycles(&map, &orbit, range, ContinuationSettings::default()).map_err(failed)?;
    Ok(branch.at(OrbitKind::Flip).first().copied().unwrap_or(f64::NAN))
}

/// Attractors from 2.6 to 6.2 m/s after a large kick and after a small one.
fn survey(model: &HieuModel) -> Result<Survey, RunError> {
    let (map, _) = model.returns(4.0, Shooting::rough())?;
    let rest = model.steady(4.0, 0.5, 100.0)?.x;
    let q = analysis::first_position(&model.scenario.system).unwrap_or(0);
    let moved = |by: f64| {
        let mut x = rest.clone();
        x[q] += by;
        x
    };
    let job = ParameterSweep {
        parameter: model.speed()?,
        values: (0..25).map(|i| 2.6 + 0.15 * f64::from(i)).collect(),
        starts: vec![moved(0.6), moved(0.02)],
        up: false,
        down: false,
        patience: Patience { transient: 220, window: 30, lyapunov: 40, ..Patience::default() },
        orbits: Vec::new(),
    };
    let p = model.at(4.0, 0.5, 100.0)?;
    analysis::sweep(&map, &p, &job, &[], &|_| true).map_err(failed)
}
