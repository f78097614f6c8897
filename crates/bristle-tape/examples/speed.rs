//! Nanoseconds per evaluation of a few laws: as they are written, in dual numbers, recorded, and recorded in lanes.
//!
//! ```text
//! cargo run --release -p bristle-tape --example speed [--features jit]
//! ```
//!
//! With the feature `jit` two more columns: nanoseconds of rates and slopes as machine code, microseconds to make it, and after how
//! many evaluations that has paid.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use bristle_core::{Dual, Kind, Lanes, Mode, Scalar, seed};
use bristle_law::{At, LawKind};
use bristle_tape::{Program, Recording, record};
use std::hint::black_box;
use std::time::Instant;

/// Lanes of a block.
const LANES: usize = 32;
/// Slip rate, load and up to four states.
const N: usize = 6;

fn equations<S: Scalar>(kind: LawKind, modes: &[Mode], x: &[S], p: &[S], y: &mut [S]) {
    let law = kind.build(p, &[]);
    let at = At { mode: modes, ..At::sliding(x[0], x[1]) };
    let (force, rates) = y.split_at_mut(1);
    force[0] = law.eval(&at, &x[2..], rates);
}

/// Least time of many repeats, in nanoseconds per call.
fn time(mut call: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..60 {
        let start = Instant::now();
        for _ in 0..2000 {
            call();
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / 2000.0);
    }
    best
}

fn interpreted(program: &Program, x: &[f64], p: &[f64]) -> f64 {
    let (mut room, mut y) = (program.room(p), vec![0.0; program.outputs()]);
    time(|| program.run(&mut room, black_box(x), black_box(&mut y)))
}

/// Machine code of a program: nanoseconds per evaluation, and how it pays.
#[cfg(feature = "jit")]
fn compiled(program: &Program, x: &[f64], p: &[f64], interpreted: f64) -> String {
    bristle_tape::allow_machine_code(true);
    let making = (0..5).map(|_| {
        let start = Instant::now();
        assert!(program.clone().compile());
        start.elapsed().as_secs_f64() * 1e6
    });
    let (making, program) = (making.fold(f64::INFINITY, f64::min), program.clone());
    assert!(program.compile());
    let run = self::interpreted(&program, x, p);
    bristle_tape::allow_machine_code(false);
    format!(" {run:5.1} ns, {making:4.0} µs, {:.0}", 1e3 * making / (interpreted - run).max(1e-3))
}

#[cfg(not(feature = "jit"))]
fn compiled(_: &Program, _: &[f64], _: &[f64], _: f64) -> String {
    String::new()
}

fn in_lanes(program: &Program, x: &[f64], p: &[f64]) -> f64 {
    let lifted = |values: &[f64]| -> Vec<Lanes<LANES>> { values.iter().map(|v| Lanes::splat(*v)).collect() };
    let (mut block, x) = (program.block::<LANES>(), lifted(x));
    program.set_block_parameters(&mut block, &lifted(p));
    let run = || {
        program.set_block(&mut block, 0, black_box(&x));
        program.run_block(&mut block);
    };
    time(run) / LANES as f64
}

fn main() {
    #[cfg(feature = "jit")]
    bristle_tape::allow_machine_code(false);
    println!("law              f64  tape lanes | duals  tape lanes | instructions (once) places");
    let mut logs = [0.0; 6];
    for &kind in LawKind::ALL.iter().filter(|kind| kind.card().choices().count() == 0) {
        let card = kind.card();
        let p: Vec<f64> = card
            .numbers()
            .map(|field| match field.kind {
                Kind::Number { default, min, .. } => default.unwrap_or(min),
                _ => 0.0,
            })
            .collect();
        let modes = vec![Mode::Forward; kind.build(&p, &[]).elements()];
        let mut x = vec![3e-3, 20.0];
        x.resize(2 + kind.states(), 1e-6);
        let outputs = 1 + kind.states();
        let record_it = || -> Recording {
            record(&x, &p, |x, p| {
                let mut y = vec![0.0.into(); outputs];
                equations(kind, &modes, x, p, &mut y);
                y
            })
            .unwrap()
        };
        let mut recording = record_it();
        let (values, states) = (recording.outputs().to_vec(), recording.variables().to_vec());
        let plain = recording.program(&values).unwrap();
        let slopes = recording.derivatives(&values, &states).terms;
        let sloped = recording.program(&[values, slopes].concat()).unwrap();
        let mut y = vec![0.0; outputs];
        let by_f64 = time(|| equations(kind, &modes, black_box(&x), black_box(&p), black_box(&mut y)));
        let dual_p: Vec<Dual<N>> = p.iter().map(|p| (*p).into()).collect();
        let dual_x: Vec<Dual<N>> = x.iter().enumerate().map(|(i, x)| seed(*x, i)).collect();
        let mut dual_y = vec![Dual::<N>::from(0.0); outputs];
        let by_duals =
            time(|| equations(kind, &modes, black_box(&dual_x), black_box(&dual_p), black_box(&mut dual_y)));
        let all = [
            by_f64,
            interpreted(&plain, &x, &p),
            in_lanes(&plain, &x, &p),
            by_duals,
            interpreted(&sloped, &x, &p),
            in_lanes(&sloped, &x, &p),
        ];
        logs.iter_mut().zip(all).for_each(|(sum, t)| *sum += f64::ln(t));
        let ([run, once], [run_all, once_all]) = (plain.instructions(), sloped.instructions());
        println!(
            "{:15} {:5.1} {:5.1} {:5.2} | {:5.0} {:5.1} {:5.2} | {run} ({once}), {run_all} ({once_all}) {}{}",
            card.name,
            all[0],
            all[1],
            all[2],
            all[3],
            all[4],
            all[5],
            sloped.places(),
            compiled(&sloped, &x, &p, all[4])
        );
        if kind == LawKind::Gms {
            let start = Instant::now();
            for _ in 0..100 {
                let mut recording = record_it();
                let (values, states) = (recording.outputs().to_vec(), recording.variables().to_vec());
                let slopes = recording.derivatives(&values, &states).terms;
                black_box(recording.program(&[values, slopes].concat()).unwrap());
            }
            println!("  recording and differentiating it: {:.0} µs", start.elapsed().as_secs_f64() * 1e4);
        }
    }
    let count = LawKind::ALL.iter().filter(|kind| kind.card().choices().count() == 0).count() as f64;
    let mean = logs.map(|sum| (sum / count).exp());
    println!(
        "geometric mean  {:5.1} {:5.1} {:5.2} | {:5.0} {:5.1} {:5.2} |",
        mean[0], mean[1], mean[2], mean[3], mean[4], mean[5]
    );
}
