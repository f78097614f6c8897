//! What is to be found, and the coordinates in which it is looked for.

use crate::error::FitError;
use nalgebra::DMatrix;

/// How an unknown is counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// By itself.
    Free,
    /// As what it has above the unknown of that index, which it cannot fall below: static above kinetic friction.
    Above(usize),
    /// As what it has above a number that is known.
    AboveNumber(f64),
    /// As one of the shares of a whole, which is called by this number; the last of them follows from the others.
    Share(usize),
}

/// A number to be found.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    /// What it is called, such as `pad.law.F_d`.
    pub name: String,
    /// Its letter.
    pub symbol: String,
    /// Its SI unit.
    pub unit: String,
    /// Smallest value.
    pub from: f64,
    /// Largest value.
    pub to: f64,
    /// Where the search begins besides all the places it tries.
    pub start: Option<f64>,
    /// What is known of it beforehand: a value, and the standard error of it.
    pub prior: Option<[f64; 2]>,
    /// How it is counted.
    pub order: Order,
}

impl Unknown {
    /// An unknown between two bounds.
    pub fn new(name: &str, unit: &str, from: f64, to: f64) -> Unknown {
        let (name, unit) = (name.to_owned(), unit.to_owned());
        let symbol = name.rsplit('.').next().unwrap_or_default().to_owned();
        Unknown { name, symbol, unit, from, to, start: None, prior: None, order: Order::Free }
    }

    /// Whether it is counted by its logarithm: its range is positive and wide.
    pub fn is_logarithmic(&self) -> bool {
        self.from > 0.0
    }

    /// What is wrong with it, if anything.
    fn check(&self) -> Result<(), FitError> {
        if !self.from.is_finite() || !self.to.is_finite() || self.from >= self.to {
            return Err(FitError::Bounds { name: self.name.clone(), from: self.from, to: self.to });
        }
        match self.start {
            Some(value) if !(self.from..=self.to).contains(&value) => {
                let (name, from, to) = (self.name.clone(), self.from, self.to);
                Err(FitError::StartOutside { name, value, from, to })
            }
            _ => Ok(()),
        }
    }
}

/// The smallest excess of an ordered pair, relative to the larger bound: below it both are one.
const LEAST_EXCESS: f64 = 1e-4;

/// The coordinates of a set of unknowns: all bounded, most of them logarithmic, and ordered as the numbers are.
#[derive(Clone, Debug)]
pub struct Coordinates {
    /// The unknowns.
    pub unknowns: Vec<Unknown>,
    /// Lowest value of each coordinate.
    pub low: Vec<f64>,
    /// Highest value of each coordinate.
    pub high: Vec<f64>,
    /// Which unknown each coordinate belongs to; the last of a group of shares has none.
    pub of: Vec<usize>,
}

impl Coordinates {
    /// The coordinates of these unknowns.
    ///
    /// # Errors
    /// [`FitError::Bounds`], [`FitError::StartOutside`], [`FitError::NothingUnknown`].
    pub fn new(unknowns: Vec<Unknown>) -> Result<Coordinates, FitError> {
        if unknowns.is_empty() {
            return Err(FitError::NothingUnknown);
        }
        unknowns.iter().try_for_each(Unknown::check)?;
        let mut coordinates = Coordinates { low: Vec::new(), high: Vec::new(), of: Vec::new(), unknowns };
        for (i, unknown) in coordinates.unknowns.iter().enumerate() {
            let is_last_share = matches!(unknown.order, Order::Share(group)
                if !coordinates.unknowns[i + 1..].iter().any(|u| u.order == Order::Share(group)));
            if is_last_share {
                continue;
            }
            let [low, high] = match unknown.order {
                Order::Free if unknown.is_logarithmic() => [unknown.from.ln(), unknown.to.ln()],
                Order::Free => [unknown.from, unknown.to],
                Order::Share(_) => {
                    [(unknown.from / unknown.to).ln().max(-9.0), (unknown.to / unknown.from).ln().min(9.0)]
                }
                Order::Above(_) | Order::AboveNumber(_) => {
                    [(unknown.to * LEAST_EXCESS).ln(), unknown.to.ln()]
                }
            };
            coordinates.low.push(low);
            coordinates.high.push(high);
            coordinates.of.push(i);
        }
        Ok(coordinates)
    }

    /// How many coordinates there are.
    pub fn len(&self) -> usize {
        self.of.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// The numbers at a place.
    pub fn values(&self, u: &[f64]) -> Vec<f64> {
        let mut values = vec![f64::NAN; self.unknowns.len()];
        for (k, &i) in self.of.iter().enumerate() {
            let unknown = &self.unknowns[i];
            values[i] = match unknown.order {
                Order::Free if !unknown.is_logarithmic() => u[k],
                Order::AboveNumber(base) => base + u[k].exp(),
                _ => u[k].exp(),
            };
        }
        for i in 0..values.len() {
            match self.unknowns[i].order {
                Order::Above(base) => values[i] += values[base],
                Order::Share(_) if values[i].is_nan() => values[i] = 1.0,
                _ => {}
            }
        }
        for group in self.groups() {
            let sum: f64 = group.iter().map(|&i| values[i]).sum();
            group.iter().for_each(|&i| values[i] /= sum);
        }
        values
    }

    /// The unknowns of each whole that is shared.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
        for (i, unknown) in self.unknowns.iter().enumerate() {
            let Order::Share(name) = unknown.order else { continue };
            match groups.iter_mut().find(|(n, _)| *n == name) {
                Some((_, group)) => group.push(i),
                None => groups.push((name, vec![i])),
            }
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }

    /// How the numbers change with the coordinates.
    pub fn slopes(&self, u: &[f64]) -> DMatrix<f64> {
        let values = self.values(u);
        let mut slopes = DMatrix::zeros(values.len(), self.len());
        let groups = self.groups();
        for (k, &i) in self.of.iter().enumerate() {
            let unknown = &self.unknowns[i];
            match unknown.order {
                Order::Free => slopes[(i, k)] = if unknown.is_logarithmic() { values[i] } else { 1.0 },
                Order::Above(_) | Order::AboveNumber(_) => slopes[(i, k)] = u[k].exp(),
                Order::Share(_) => {
                    for &j in groups.iter().filter(|group| group.contains(&i)).flatten() {
                        let own = if i == j { 1.0 } else { 0.0 };
                        slopes[(j, k)] = values[j] * (own - values[i]);
                    }
                }
            }
        }
        for (i, unknown) in self.unknowns.iter().enumerate() {
            if let Order::Above(base) = unknown.order {
                for k in 0..self.len() {
                    slopes[(i, k)] += slopes[(base, k)];
                }
            }
        }
        slopes
    }

    /// The coordinates of given numbers, moved into their bounds.
    pub fn locate(&self, values: &[f64]) -> Vec<f64> {
        let groups = self.groups();
        let place = |(k, &i): (usize, &usize)| {
            let unknown = &self.unknowns[i];
            let u = match unknown.order {
                Order::Free if unknown.is_logarithmic() => values[i].max(f64::MIN_POSITIVE).ln(),
                Order::Free => values[i],
                Order::Above(base) => (values[i] - values[base]).max(f64::MIN_POSITIVE).ln(),
                Order::AboveNumber(base) => (values[i] - base).max(f64::MIN_POSITIVE).ln(),
                Order::Share(_) => {
                    let group = groups.iter().find(|group| group.contains(&i));
                    let last = group.and_then(|group| group.last()).map_or(1.0, |&last| values[last]);
                    (values[i] / last).max(f64::MIN_POSITIVE).ln()
                }
            };
            u.clamp(self.low[k], self.high[k])
        };
        self.of.iter().enumerate().map(place).collect()
    }

    /// The coordinates of a place in the box of the unknowns themselves, each part from 0 to 1.
    pub fn in_box(&self, part: &[f64]) -> Vec<f64> {
        let between = |(unknown, &part): (&Unknown, &f64)| {
            if unknown.is_logarithmic() {
                (unknown.from.ln() + part * (unknown.to / unknown.from).ln()).exp()
            } else {
                unknown.from + part * (unknown.to - unknown.from)
            }
        };
        let mut values: Vec<f64> = self.unknowns.iter().zip(part).map(between).collect();
        for i in 0..values.len() {
            // A pair in the wrong order is the same pair the other way round, where the bounds allow it.
            if let Order::Above(base) = self.unknowns[i].order
                && values[i] < values[base]
            {
                values.swap(i, base);
            }
        }
        self.locate(&values)
    }
}
