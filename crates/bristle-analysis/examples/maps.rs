//! Maps of the belt oscillator for `benches/maps.py`, which times them against NumPy and numba.
//!
//! ```text
//! maps routh REPEATS THREADS                 200 × 200 cells by Routh's array: number of stable cells
//! maps eigen REPEATS THREADS                 the same by eigenvalues
//! maps cycles METHOD RTOL FROM TO THREADS    rows FROM … TO of the 100 × 100 map of limit cycles: seconds, then one
//!                                            line a cell: time of the 20th return, last period, last swing, and the
//!                                            displacement at the last return
//! ```

#![allow(clippy::print_stdout)]

use bristle_analysis::AnalysisError;
use bristle_analysis::cycle_map::{CycleCell, cycle_map_in_lanes};
use bristle_analysis::map::{Axis, abscissa_in_lanes, map_in_lanes};
use bristle_analysis::section::Section;
use bristle_analysis::shooting::{ReturnMap, Shooting};
use bristle_solve::problems::{Belt, belt};
use bristle_solve::{Method, Solver};
use std::time::Instant;

/// Cells along each side of the map of limit cycles, and returns a cell.
const SIDE: usize = 100;
const RETURNS: usize = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| words.get(i).and_then(|w| w.parse::<f64>().ok()).unwrap_or(1.0);
    let threads = words.last().and_then(|w| w.parse().ok()).unwrap_or(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    match words.first().map(String::as_str) {
        Some("routh") => pool.install(|| stability(number(1) as usize, by_routh))?,
        Some("eigen") => pool.install(|| stability(number(1) as usize, by_eigenvalues))?,
        Some("cycles") => {
            pool.install(|| cycles(&words[1], number(2), number(3) as usize..number(4) as usize))?
        }
        _ => println!("maps routh|eigen REPEATS THREADS | maps cycles METHOD RTOL FROM TO THREADS"),
    }
    Ok(())
}

type Count = fn(&Belt, &[f64], Axis, Axis) -> Result<usize, AnalysisError>;

fn by_routh(block: &Belt, p: &[f64], rows: Axis, columns: Axis) -> Result<usize, AnalysisError> {
    Ok(map_in_lanes(block, p, &block.sliding(p), rows, columns)?.stable_cells())
}

fn by_eigenvalues(block: &Belt, p: &[f64], rows: Axis, columns: Axis) -> Result<usize, AnalysisError> {
    let largest = abscissa_in_lanes(block, p, &block.sliding(p), &rows, &columns)?;
    Ok(largest.iter().filter(|a| a.is_some_and(|a| a < 0.0)).count())
}

fn stability(repeats: usize, count: Count) -> Result<(), AnalysisError> {
    let block = Belt::two_state();
    let p = block.with(&[(belt::C1, 0.05), (belt::V_B, 0.02)]);
    for _ in 0..repeats {
        let axes = (Axis::linear(belt::C1, 0.05, 5.0, 200), Axis::linear(belt::V_B, 0.02, 5.0, 200));
        println!("{}", count(&block, &p, axes.0, axes.1)?);
    }
    Ok(())
}

/// One line a cell, row by row; `nan` where the motion does not return.
fn cycles(method: &str, rtol: f64, rows: std::ops::Range<usize>) -> Result<(), AnalysisError> {
    let block = Belt::two_state();
    let method = Method::named(method).unwrap_or(Method::Auto);
    let solver = Solver { method, rtol, atol: rtol, ..Solver::default() };
    let shooting = Shooting { solver, limit: 20.0, ..Shooting::default() };
    let p = block.with(&[(belt::V_B, 0.1)]);
    let returns = ReturnMap::new(&block, &p, &[0.2, 0.1, 0.0, 0.0], Section::falling(1, 0.0), shooting)?;
    let mut c1 = Axis::linear(belt::C1, 0.2, 4.0, SIDE);
    c1.values = c1.values[rows].to_vec();
    let v_b = Axis::linear(belt::V_B, 0.05, 0.8, SIDE);
    let start = |p: &[f64]| vec![0.2, p[belt::V_B], 0.0, 0.0];
    let clock = Instant::now();
    let map = cycle_map_in_lanes(&returns, &p, &start, c1, v_b, RETURNS, &|_| true)?;
    println!("{}", clock.elapsed().as_secs_f64());
    for cell in &map.cells {
        let numbers = |c: &CycleCell| [c.last.t, c.period, c.swing(0), c.last.x[0]];
        let [t, period, swing, turn] = cell.as_ref().map_or([f64::NAN; 4], numbers);
        println!("{t:e} {period:e} {swing:e} {turn:e}");
    }
    Ok(())
}
