//! How much of the reference a foreign result covers.

use super::sheet::{PackSheet, is_same_time};
use serde::Serialize;

/// Steps of the reference that may lie between two samples of a result that is judged at all.
const WIDEST: f64 = 10.0;

/// Which of the reference's times a result has.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Coverage {
    /// First and last time of the result, s.
    pub span: [f64; 2],
    /// First and last time of the reference, s.
    pub wanted: [f64; 2],
    /// How many times the reference has.
    pub times: usize,
    /// How many of them the result does not have.
    pub absent: usize,
    /// The first that it does not have, s.
    pub first_absent: Option<f64>,
    /// Longest time without a sample, s, and the longest that can be judged.
    pub widest: [f64; 2],
}

impl Coverage {
    pub(super) fn of(reference: &PackSheet, foreign: &PackSheet) -> Coverage {
        let ends = |s: &PackSheet| [s.time.first(), s.time.last()].map(|t| t.copied().unwrap_or(f64::NAN));
        let absent: Vec<f64> = reference.time.iter().copied().filter(|t| !foreign.has(*t)).collect();
        let gap = |s: &PackSheet| s.time.windows(2).map(|w| w[1] - w[0]).fold(0.0, f64::max);
        Coverage {
            span: ends(foreign),
            wanted: ends(reference),
            times: reference.time.len(),
            absent: absent.len(),
            first_absent: absent.first().copied(),
            widest: [gap(foreign), WIDEST * gap(reference)],
        }
    }

    /// Whether it begins and ends as the reference does.
    pub fn is_whole(&self) -> bool {
        let [(from, start), (to, end)] = [0, 1].map(|i| (self.span[i], self.wanted[i]));
        (from <= start || is_same_time(from, start)) && (to >= end || is_same_time(to, end))
    }

    /// Whether it can be judged between its samples.
    pub fn is_dense(&self) -> bool {
        self.widest[0] <= self.widest[1]
    }

    /// Whether it has every time of the reference, so that nothing has to be read between samples.
    pub fn is_complete(&self) -> bool {
        self.is_whole() && self.absent == 0
    }

    /// What is missing, in words.
    pub fn shortfall(&self) -> Option<String> {
        let ([from, to], [start, end]) = (self.span, self.wanted);
        if !self.is_whole() {
            return Some(format!("covers {from} s to {to} s of {start} s to {end} s"));
        }
        if !self.is_dense() {
            let [widest, most] = self.widest;
            return Some(format!("no sample for {widest:.3} s, where at most {most:.3} s can be judged"));
        }
        self.first_absent.map(|t| {
            format!("{} of the reference's {} times are not in it, the first {t} s", self.absent, self.times)
        })
    }
}
