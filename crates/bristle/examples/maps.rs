//! Maps of scenarios, timed; `benches/maps.py` runs them against NumPy and numba.
//!
//! ```text
//! maps routh SUBJECT SIDE REPEATS THREADS      stability by Routh's array: seconds and number of stable cells, each time
//! maps eigen SUBJECT SIDE REPEATS THREADS      the same by eigenvalues
//! maps cycles SUBJECT METHOD RTOL FROM TO THREADS
//!                                              rows FROM … TO of the 100 × 100 map of limit cycles: seconds, then one line a
//!                                              cell: time of the 20th return, last period, last swing, and the displacement
//!                                              at the last return
//! ```
//!
//! Subjects are `belt`, the belt with dwell time of `benches/scenarios`, the same `by_hand`, and `squeal`, from `examples`.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use bristle::{Scenario, analysis};
use bristle_analysis::cycle_map::{CycleCell, cycle_map};
use bristle_analysis::map::{MapAxis, abscissa, map};
use bristle_analysis::section::PoincareSection;
use bristle_analysis::shooting::{ReturnMap, Shooting};
use bristle_solve::problems::{Belt, belt};
use bristle_solve::{Dynamics, Method, Solver};
use std::ops::Range;
use std::path::Path;
use std::time::Instant;

/// Cells along each side of the map of limit cycles, and returns a cell.
const SIDE: usize = 100;
const RETURNS: usize = 20;

/// What is mapped: parameters of rows and columns with their ranges.
struct Subject<'a, D> {
    dynamics: &'a D,
    p: Vec<f64>,
    /// Near the steady state of the first cell.
    guess: Vec<f64>,
    rows: (usize, [f64; 2]),
    columns: (usize, [f64; 2]),
    /// Those of limit cycles.
    cycle_rows: [f64; 2],
    cycle_columns: [f64; 2],
    limit: f64,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match words.get(1).map(String::as_str) {
        Some("belt") => {
            let scenario = Scenario::from_file(&root.join("benches/scenarios/dwell_belt.toml")).unwrap();
            let system = &scenario.system;
            let [c1, v_b] = ["pad.law.c1", "belt.v"].map(|path| system.param(path).unwrap());
            let mut p = system.params().to_vec();
            (p[c1], p[v_b]) = (0.05, 0.02);
            let guess = analysis::steady(system, &p).unwrap().x;
            run(&words, &of_belt(system, p, guess, c1, v_b));
        }
        Some("by_hand") => {
            let block = Belt::two_state();
            let p = block.with(&[(belt::C1, 0.05), (belt::V_B, 0.02)]);
            let guess = block.sliding(&p);
            run(&words, &of_belt(&block, p, guess, belt::C1, belt::V_B));
        }
        Some("squeal") => {
            let scenario = Scenario::from_file(&root.join("examples/squeal.toml")).unwrap();
            let system = &scenario.system;
            let [d, v] = ["loss.d", "guide.v"].map(|path| system.param(path).unwrap());
            let mut p = system.params().to_vec();
            (p[d], p[v]) = (1.0, 0.005);
            let guess = analysis::steady(system, &p).unwrap().x;
            let rows = (d, [1.0, 300.0]);
            let columns = (v, [0.005, 0.2]);
            let (cycle_rows, cycle_columns) = ([1.0, 100.0], [0.01, 0.1]);
            let (dynamics, limit) = (system, 0.5);
            run(&words, &Subject { dynamics, p, guess, rows, columns, cycle_rows, cycle_columns, limit });
        }
        _ => println!("maps routh|eigen|cycles belt|by_hand|squeal …"),
    }
}

fn of_belt<D: Dynamics>(dynamics: &D, p: Vec<f64>, guess: Vec<f64>, c1: usize, v_b: usize) -> Subject<'_, D> {
    let (rows, columns) = ((c1, [0.05, 5.0]), (v_b, [0.02, 5.0]));
    Subject {
        dynamics,
        p,
        guess,
        rows,
        columns,
        cycle_rows: [0.2, 4.0],
        cycle_columns: [0.05, 0.8],
        limit: 20.0,
    }
}

fn run<D: Dynamics>(words: &[String], subject: &Subject<D>) {
    let number = |i: usize| words.get(i).and_then(|w| w.parse::<f64>().ok()).unwrap_or(1.0);
    let threads = words.last().and_then(|w| w.parse().ok()).unwrap_or(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| match words[0].as_str() {
        "cycles" => cycles(subject, &words[2], number(3), number(4) as usize..number(5) as usize),
        kind => stability(subject, kind == "routh", number(2) as usize, number(3) as usize),
    });
}

fn stability<D: Dynamics>(subject: &Subject<D>, by_routh: bool, side: usize, repeats: usize) {
    let Subject { dynamics, p, guess, rows, columns, .. } = subject;
    let axis = |(index, [from, to]): (usize, [f64; 2])| MapAxis::linear(index, from, to, side);
    for _ in 0..repeats {
        let (rows, columns, clock) = (axis(*rows), axis(*columns), Instant::now());
        let stable = if by_routh {
            map(*dynamics, p, guess, rows, columns).unwrap().stable_cells()
        } else {
            let largest = abscissa(*dynamics, p, guess, &rows, &columns).unwrap();
            largest.iter().filter(|a| a.is_some_and(|a| a < 0.0)).count()
        };
        println!("{} {stable}", clock.elapsed().as_secs_f64());
    }
}

/// One line a cell, row by row; `nan` where the motion does not return.
fn cycles<D: Dynamics>(subject: &Subject<D>, method: &str, rtol: f64, rows: Range<usize>) {
    let Subject {
        dynamics, p, rows: (row, _), columns: (column, _), cycle_rows, cycle_columns, limit, ..
    } = subject;
    let method = Method::named(method).unwrap_or(Method::Auto);
    let solver = Solver { method, rtol, atol: rtol, ..Solver::default() };
    let shooting = Shooting { solver, limit: *limit, ..Shooting::default() };
    let (row, column) = (*row, *column);
    let axis = |index: usize, [from, to]: [f64; 2]| MapAxis::linear(index, from, to, SIDE);
    let (mut rows_of, columns) = (axis(row, *cycle_rows), axis(column, *cycle_columns));
    rows_of.values = rows_of.values[rows].to_vec();
    // Every motion starts stuck to the belt, the spring taut.
    let count = dynamics.dim();
    let start = |p: &[f64]| -> Vec<f64> {
        let mut x = vec![0.0; count];
        (x[0], x[1]) = (if *limit > 1.0 { 0.2 } else { 0.0 }, p[column]);
        x
    };
    let mut first = p.clone();
    (first[row], first[column]) = (cycle_rows[0], cycle_columns[0]);
    let returns =
        ReturnMap::new(*dynamics, &first, &start(&first), PoincareSection::falling(1, 0.0), shooting)
            .unwrap();
    let clock = Instant::now();
    let map = cycle_map(&returns, &first, &start, rows_of, columns, RETURNS, &|_| true).unwrap();
    println!("{}", clock.elapsed().as_secs_f64());
    for cell in &map.cells {
        let numbers = |c: &CycleCell| [c.last.t, c.period, c.swing(0), c.last.x[0]];
        let [t, period, swing, turn] = cell.as_ref().map_or([f64::NAN; 4], numbers);
        println!("{t:e} {period:e} {swing:e} {turn:e}");
    }
}
