//! What a record cannot tell, in words.

use crate::unknown::{Coordinates, Order};

/// Something the record does not tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    /// The unknowns it is about.
    pub about: Vec<String>,
    /// What is to be said.
    pub words: String,
    /// Standard error along it, in natural units: 1 is a factor of e.
    pub size: f64,
}

/// From this on a direction is not determined.
const OPEN: f64 = 0.25;

/// Parts of a direction below this share of its largest do not count.
const SHARE: f64 = 0.25;

/// What the directions say that are determined worst.
pub(crate) fn doubts(coordinates: &Coordinates, directions: &[(f64, Vec<f64>)]) -> Vec<Doubt> {
    directions.iter().filter(|(size, _)| *size > OPEN).map(|(size, v)| doubt(coordinates, *size, v)).collect()
}

fn doubt(coordinates: &Coordinates, size: f64, direction: &[f64]) -> Doubt {
    let largest = direction.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let parts: Vec<usize> = (0..direction.len()).filter(|&k| direction[k].abs() > SHARE * largest).collect();
    let own = |k: usize| &coordinates.unknowns[coordinates.of[k]];
    let name = |k: usize| match own(k).order {
        Order::Above(base) => format!("`{}` − `{}`", own(k).name, coordinates.unknowns[base].name),
        _ => format!("`{}`", own(k).name),
    };
    let is_power = |k: usize| own(k).is_logarithmic() || own(k).order != Order::Free;
    let words = match parts[..] {
        [k] => format!("{} cannot be known from this record", name(k)),
        [a, b] if is_power(a) && is_power(b) => {
            let ratio = direction[a] / direction[b];
            let is_even = (0.8..1.25).contains(&ratio.abs());
            match (ratio > 0.0, is_even) {
                (true, true) => format!("of {} and {} only the ratio can be known", name(a), name(b)),
                (false, true) => format!("of {} and {} only the product can be known", name(a), name(b)),
                _ => format!("{} and {} can be traded for each other", name(a), name(b)),
            }
        }
        _ => {
            let names: Vec<String> = parts.iter().map(|&k| name(k)).collect();
            format!("{} can be traded for one another", names.join(", "))
        }
    };
    Doubt { about: parts.iter().map(|&k| own(k).name.clone()).collect(), words, size }
}
