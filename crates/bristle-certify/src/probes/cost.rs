//! What the law costs: evaluations per second of belt motion.

use crate::CertifyError;
use crate::bench::{LawBench, part};
use bristle_law::At;
use bristle_mech::PartKind;
use bristle_solve::{Dynamics, Output, Solver};
use serde::Serialize;
use std::time::Instant;

/// Length of the run, s.
const SPAN: f64 = 20.0;

/// Cost on a belt of 0.1 m/s: a block of 1 kg on a spring of 100 N/m, tolerance 10⁻⁶.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BeltCost {
    /// Rate evaluations per second of motion, a Jacobian counting as one per state.
    pub per_second: f64,
    /// Switches per second of motion.
    pub events_per_second: f64,
    /// Wall time of one evaluation of the law, ns. Differs from run to run, so it is not kept.
    #[serde(skip)]
    pub nanoseconds: f64,
    /// Wall time per second of belt motion, s. Not kept either.
    #[serde(skip)]
    pub seconds: f64,
}

pub(crate) fn measure(bench: &LawBench) -> Result<BeltCost, CertifyError> {
    let parts = vec![
        ("block", part(PartKind::Mass, &[("mass", 1.0), ("v", 0.1)])),
        ("belt", part(PartKind::Drive, &[("v", 0.1)])),
        ("tie", part(PartKind::Spring, &[("k", 100.0)]).naming("between", &["block", "ground"])),
    ];
    let system = bench.assemble("belt", parts)?;
    let solver = Solver { max_steps: 1_000_000, ..Solver::with_tolerance(1e-6) };
    let begun = Instant::now();
    let run = bench.run(&system, system.initial(system.params()), SPAN, &Output::Ends, &solver)?;
    Ok(BeltCost {
        per_second: run.statistics.work(system.dim() - system.quadratures()) as f64 / SPAN,
        events_per_second: run.events.len() as f64 / SPAN,
        nanoseconds: nanoseconds(bench)?,
        seconds: begun.elapsed().as_secs_f64() / SPAN,
    })
}

/// Wall time of one evaluation.
fn nanoseconds(bench: &LawBench) -> Result<f64, CertifyError> {
    const COUNT: u32 = 20_000;
    let kind = bench.kind()?;
    let law = kind.build(&bench.law.numbers, &bench.law.choices);
    let (mut z, mut dz) = (vec![0.0; kind.states()], vec![0.0; kind.states()]);
    law.initial(&mut z);
    let (mut sum, begun) = (0.0, Instant::now());
    for i in 0..COUNT {
        sum += law.eval(&At::sliding(1e-6 * f64::from(i), bench.normal()), &z, &mut dz);
    }
    std::hint::black_box(sum);
    Ok(1e9 * begun.elapsed().as_secs_f64() / f64::from(COUNT))
}
