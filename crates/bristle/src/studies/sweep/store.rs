//! Finished cells in a file, one line each, so that an interrupted sweep can go on.

use super::super::subject::Subject;
use bristle_analysis::sweep::{Cell, Sweep as Job};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;

/// What the cells belong to: another scenario or study must not take them over.
pub(super) fn key(subject: &Subject, job: &Job) -> String {
    // Fowler–Noll–Vo: the same on every machine.
    let text = format!("{}\n{:?}\n{:?}", subject.scenario.text, subject.p, job);
    let hash =
        text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}

/// The cells stored under this key; none if the file belongs to something else.
pub(super) fn read(path: &str, key: &str) -> Vec<Cell> {
    let Ok(text) = std::fs::read_to_string(path) else { return Vec::new() };
    let mut lines = text.lines();
    if lines.next() != Some(key) {
        return Vec::new();
    }
    // A line cut short by the interruption is left out.
    lines.filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Appends cells as they are finished.
pub(super) struct Keeper(Mutex<File>);

impl Keeper {
    /// Starts the file with the cells already known.
    pub(super) fn open(path: &str, key: &str, done: &[Cell]) -> io::Result<Keeper> {
        if let Some(folder) = Path::new(path).parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = OpenOptions::new().create(true).write(true).truncate(true).open(path)?;
        writeln!(file, "{key}")?;
        for cell in done {
            writeln!(file, "{}", serde_json::to_string(cell).map_err(io::Error::other)?)?;
        }
        file.flush()?;
        Ok(Keeper(Mutex::new(file)))
    }

    /// Losing a line costs a cell's time, not the sweep.
    pub(super) fn keep(&self, cell: &Cell) {
        if let (Ok(mut file), Ok(line)) = (self.0.lock(), serde_json::to_string(cell)) {
            let _ = writeln!(file, "{line}").and_then(|()| file.flush());
        }
    }
}

/// Removes the file of a finished sweep.
pub(super) fn remove(path: &str) {
    let _ = std::fs::remove_file(path);
}

#[cfg(test)]
mod store_tests {
    use super::{Keeper, read, remove};
    use bristle_analysis::attractor::{Attractor, Fate};
    use bristle_analysis::lyapunov::Lyapunov;
    use bristle_analysis::sweep::{Cell, Found, Origin};
    use bristle_core::Mode;

    /// A cell full of numbers that decimal digits like to lose.
    fn cell(seed: u64) -> Cell {
        let mut bits = seed;
        let mut next = || {
            // Knuth's multiplier; exponents from 2⁻⁶⁰ to 2⁶⁰, all bits of the fraction in use.
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f64::from_bits(((963 + bits % 120) << 52) | (bits >> 12))
        };
        let lyapunov = Lyapunov { per_cycle: next(), per_second: -next(), cycles: 7 };
        let attractor = Attractor {
            fate: Fate::Chaotic { lyapunov },
            hits: vec![vec![next(), next()], vec![next(), -next()]],
            mean_return: next(),
            min_return: next(),
            max_return: next(),
            min: vec![next(), 5e-324],
            max: vec![next(), 1.797_693_134_862_315_7e308],
            end: vec![next(), -0.0],
            end_mode: vec![Mode::Forward, Mode::Stick],
        };
        let orbit = Found {
            multiplicity: 2,
            period: next(),
            hit: vec![next()],
            multipliers: vec![(next(), -next())],
        };
        Cell { index: 3, value: next(), origin: Origin::Start(1), attractor, orbits: vec![orbit] }
    }

    #[test]
    fn numbers_come_back_bit_by_bit() {
        let path = std::env::temp_dir().join(format!("bristle-store-{}.jsonl", std::process::id()));
        let path = path.to_str().unwrap();
        let cells: Vec<Cell> = (1..200).map(cell).collect();
        let keeper = Keeper::open(path, "key", &cells[..100]).unwrap();
        cells[100..].iter().for_each(|c| keeper.keep(c));
        let found = read(path, "key");
        assert_eq!(found, cells);
        // Equality takes both zeros for one.
        assert!(found.iter().all(|c| c.attractor.end[1].is_sign_negative()));
        assert!(read(path, "another key").is_empty());
        remove(path);
        assert!(read(path, "key").is_empty());
    }
}
