//! Scenario I: how much a capstan holds, and how it lets go.

use super::model::{QuinnVariant, Setup, capstan, fail};
use crate::cases::Computed;
use bristle_cable::{Friction, Sigmoid};
use bristle_core::Described;
use bristle_mech::Spec;
use bristle_solve::Progress;
use bristle_study::RunError;
use bristle_study::rope::Wrap;
use bristle_study::studies::limit::{Limit, LimitAnswer, limit};
use rayon::prelude::*;

/// What scenario I gave.
pub(super) struct CapstanResults {
    pub(super) computed: Vec<Computed>,
    /// Limit ratios at 4.5 m, in the order of the laws.
    pub(super) long: Vec<f64>,
    /// The same at 2 m.
    pub(super) short: Vec<f64>,
    /// Contact at equal loads and at slip, for 20, 40 and 60 elements.
    pub(super) contact: Vec<(usize, Wrap, Wrap)>,
    /// Creep over ε: law, share `x` of the friction that is asked for, closed form, simulated.
    pub(super) creep: Vec<(QuinnVariant, f64, f64, f64)>,
}

/// Loads as multiples of the limit that are held for a while.
const HOLDS: [(f64, &[f64]); 3] =
    [(1.0, &[0.98, 0.99]), (0.9, &[0.98, 0.99, 1.01, 1.02]), (0.5, &[0.98, 0.99, 1.01, 1.02])];

/// Speeds at which a ramp is read off, m/s.
const SPEEDS: [&str; 4] = ["1e-5", "1e-4", "1e-3", "1e-2"];

const MU: f64 = 0.25;
const EPS: f64 = 0.01;

pub(super) fn compute(progress: &mut dyn Progress) -> Result<CapstanResults, RunError> {
    progress.begin("capstan");
    let mut computed = vec![value("capstan.equation".to_owned(), (MU * std::f64::consts::PI).exp())];
    let mut columns = Vec::new();
    for (setup, prefix) in
        [(Setup::LONG, "table2.ratio"), (Setup::SHORT, "ratio.L2"), (Setup::MASSLESS, "ratio.massless")]
    {
        let ratios =
            QuinnVariant::ALL.into_par_iter().map(|law| ratio(setup, law)).collect::<Result<Vec<_>, _>>()?;
        for (law, r) in QuinnVariant::ALL.iter().zip(&ratios) {
            computed.push(value(format!("{prefix}.{}", law.key()), *r));
        }
        columns.push(ratios);
    }
    going(progress, 0.2)?;
    let (short, long) = (columns.swap_remove(1), columns.swap_remove(0));
    let creep = holds(&short, &mut computed)?;
    going(progress, 0.4)?;
    ramps(&mut computed)?;
    going(progress, 0.9)?;
    let contact = [20, 40, 60].into_par_iter().map(distribution).collect::<Result<Vec<_>, _>>()?;
    Ok(CapstanResults { computed, long, short, contact, creep })
}

/// Stops where the caller cancels.
pub(super) fn going(progress: &mut dyn Progress, fraction: f64) -> Result<(), RunError> {
    if progress.at(fraction) { Ok(()) } else { Err(RunError::Stopped) }
}

pub(super) fn value(id: String, value: f64) -> Computed {
    Computed { id, value }
}

fn at_limit(setup: Setup, law: QuinnVariant) -> Result<LimitAnswer, RunError> {
    limit(&capstan(setup, law)?.cable, "limit", &Spec::of(&Limit::<f64>::CARD))
}

fn ratio(setup: Setup, law: QuinnVariant) -> Result<f64, RunError> {
    at_limit(setup, law).map(|found| found.load / found.holds)
}

/// Raises the load within 2 s to a multiple of the limit and reads the holding end's speed at 5 s.
fn holds(
    limits: &[f64],
    computed: &mut Vec<Computed>,
) -> Result<Vec<(QuinnVariant, f64, f64, f64)>, RunError> {
    let jobs: Vec<(QuinnVariant, f64)> = HOLDS
        .iter()
        .flat_map(|(alpha, list)| list.iter().map(|x| (QuinnVariant { alpha: *alpha }, *x)))
        .collect();
    let limit_of =
        |law: QuinnVariant| QuinnVariant::ALL.iter().position(|l| *l == law).map_or(f64::NAN, |i| limits[i]);
    let rows = jobs.par_iter().map(|&(law, x)| {
        let ratio = x * limit_of(law);
        let model = capstan(Setup::SHORT, law)?.with_ramp(ratio, 2.0)?.with_steps(5e-3, 1e-10);
        let mut run = model.run()?;
        run.advance_to(5.0).map_err(fail)?;
        let speed = run.state.v[0][1];
        let asked = if x > 1.0 { Some(share(ratio)?) } else { None };
        Ok((law, x, speed, asked))
    });
    let mut creep = Vec::new();
    for (law, x, speed, asked) in rows.collect::<Result<Vec<_>, RunError>>()? {
        computed.push(value(format!("hold.{}.x{x}", law.key()), speed));
        if let Some(asked) = asked {
            let closed = EPS * Sigmoid::parabolic(law.alpha).map_err(fail)?.creep(asked);
            computed.push(value(format!("creep.{}.x{x}", law.key()), closed));
            creep.push((law, asked, closed / EPS, speed / EPS));
        }
    }
    Ok(creep)
}

/// The share `x` of the friction at which a load ratio would be held: the limit under `x μ`.
fn share(ratio: f64) -> Result<f64, RunError> {
    let of = |x: f64| {
        let model =
            capstan(Setup::SHORT, QuinnVariant::QUINN)?.with_friction(Friction::quinn(x * MU, EPS))?;
        limit(&model.cable, "limit", &Spec::of(&Limit::<f64>::CARD))
            .map(|found| (found.load / found.holds).ln())
    };
    // The logarithm of the ratio is nearly proportional to x: the secant converges at once.
    let (mut a, mut b) = (0.4, 1.0);
    let (mut fa, mut fb) = (of(a)? - ratio.ln(), of(b)? - ratio.ln());
    for _ in 0..12 {
        if fb.abs() < 1e-10 || fa == fb {
            break;
        }
        let next = b - fb * (b - a) / (fb - fa);
        (a, fa) = (b, fb);
        (b, fb) = (next, of(next)? - ratio.ln());
    }
    Ok(b)
}

/// Raises the load to 2.5 times the holding one within 20 s and reads when the holding end moves.
fn ramps(computed: &mut Vec<Computed>) -> Result<(), RunError> {
    let jobs: Vec<(Setup, QuinnVariant)> =
        [Setup::SHORT, Setup::LONG].into_iter().flat_map(|s| QuinnVariant::ALL.map(|law| (s, law))).collect();
    let rows = jobs.par_iter().map(|&(setup, law)| {
        let model = capstan(setup, law)?.with_ramp(2.5, 20.0)?.with_steps(5e-3, 1e-8);
        let mut run = model.run()?;
        let mut found = Vec::new();
        for i in 1..=2000 {
            run.advance_to(0.01 * f64::from(i)).map_err(fail)?;
            while found.len() < 4 && run.state.v[0][1].abs() > 1e-5 * 10f64.powi(found.len() as i32) {
                found.push(model.cable.system.cable().ends[1].force[1].value(run.state.t) / -98.1);
            }
            if found.len() == 4 {
                break;
            }
        }
        Ok((setup, law, found))
    });
    for (setup, law, found) in rows.collect::<Result<Vec<_>, RunError>>()? {
        for (speed, r) in SPEEDS.iter().zip(found) {
            computed.push(value(format!("ramp.L{}.{}.{speed}", setup.length, law.key()), r));
        }
    }
    Ok(())
}

/// Contact at equal loads and at slip.
fn distribution(elements: usize) -> Result<(usize, Wrap, Wrap), RunError> {
    let setup = Setup { elements, ..Setup::SHORT };
    let model = capstan(setup, QuinnVariant::QUINN)?.cable;
    let equal = Wrap::of_state(&model, &model.start().map_err(fail)?).swap_remove(0);
    let slip = at_limit(setup, QuinnVariant::QUINN)?.wraps.swap_remove(0);
    Ok((elements, equal, slip))
}
