//! Banded factors: straight down while no row need be exchanged, and that at full speed for narrow bands.

use super::pivoted_band::PivotedBandLu;
use crate::small::{by_length, fma};
use crate::{Bandwidth, Jacobian};

/// Bands up to this many diagonals on either side are eliminated in registers.
const NARROW: usize = 8;
/// A pivot may be so many times smaller than what lies below it, each by the size of its row, since rates have many units.
/// Every exchange lengthens a row: it must gain much.
pub(crate) const PIVOT_THRESHOLD: f64 = 10.0;

/// The factors of a banded `s·1 − J`.
#[derive(Clone, Debug)]
pub(crate) struct Banded {
    /// For narrow bands.
    unpivoted: Option<UnpivotedBandLu>,
    pivoted: PivotedBandLu,
    /// Which of the two holds the factors.
    is_unpivoted: bool,
}

impl Banded {
    pub(crate) fn new(size: usize, band: Bandwidth) -> Self {
        let is_narrow = band.lower.max(band.upper) <= NARROW && band.lower > 0;
        let unpivoted = is_narrow.then(|| UnpivotedBandLu::new(size, band));
        Banded { unpivoted, pivoted: PivotedBandLu::new(size, band), is_unpivoted: false }
    }

    pub(crate) fn factorise(&mut self, jacobian: &Jacobian, shift: f64) -> bool {
        self.is_unpivoted = self.unpivoted.as_mut().is_some_and(|s| s.factorise(jacobian, shift));
        self.is_unpivoted || self.pivoted.factorise(jacobian, shift)
    }

    pub(crate) fn solve(&self, b: &mut [f64]) {
        match &self.unpivoted {
            Some(unpivoted) if self.is_unpivoted => unpivoted.solve(b),
            _ => self.pivoted.solve(b),
        }
    }
}

/// Factors of a narrow band without exchanges. The number of diagonals above is filled up to four or eight, so that a row is
/// one or two vectors of the processor.
#[derive(Clone, Debug)]
struct UnpivotedBandLu {
    size: usize,
    lower: usize,
    /// Diagonals above, filled up.
    upper: usize,
    /// The inverse of the diagonal, after `lower` rows of nothing.
    inverse: Vec<f64>,
    /// What an entry below the diagonal may be, by the size of its row, after `lower` rows.
    allowed: Vec<f64>,
    /// Rows above the diagonal, after `lower` rows of nothing.
    rows: Vec<f64>,
    /// The factors below and above the diagonal by columns, from the diagonal outwards.
    below: Vec<f64>,
    above: Vec<f64>,
}

impl UnpivotedBandLu {
    fn new(size: usize, band: Bandwidth) -> Self {
        let (lower, upper) = (band.lower, if band.upper <= 4 { 4 } else { 8 });
        UnpivotedBandLu {
            size,
            lower,
            upper,
            inverse: vec![0.0; size + lower],
            allowed: vec![f64::INFINITY; size + lower],
            rows: vec![0.0; (size + lower) * upper],
            // Before the first column and after the last, entries are written that are never read.
            below: vec![0.0; (size + lower) * lower],
            above: vec![0.0; (size + upper) * upper],
        }
    }

    /// False if a row should be exchanged.
    fn factorise(&mut self, jacobian: &Jacobian, shift: f64) -> bool {
        if self.upper == 4 {
            by_length!(self.lower, eliminate_four, eliminate_none, (self, jacobian, shift))
        } else {
            by_length!(self.lower, eliminate_eight, eliminate_none, (self, jacobian, shift))
        }
    }

    fn solve(&self, b: &mut [f64]) {
        let b = &mut b[..self.size];
        by_length!(self.lower, forward, forward_none, (&self.below[self.lower * self.lower..], b));
        let inverse = &self.inverse[self.lower..];
        if self.upper == 4 {
            backward::<4>(&self.above, inverse, b)
        } else {
            backward::<8>(&self.above, inverse, b)
        }
    }
}

fn eliminate_four<const L: usize>(unpivoted: &mut UnpivotedBandLu, jacobian: &Jacobian, shift: f64) -> bool {
    eliminate::<L, 4>(unpivoted, jacobian, shift)
}

fn eliminate_eight<const L: usize>(unpivoted: &mut UnpivotedBandLu, jacobian: &Jacobian, shift: f64) -> bool {
    eliminate::<L, 8>(unpivoted, jacobian, shift)
}

fn eliminate_none(_: &mut UnpivotedBandLu, _: &Jacobian, _: f64) -> bool {
    false
}

/// Eliminates row by row, with `L` diagonals below and `U` above: what a row takes from those above it waits only for the
/// last of them.
fn eliminate<const L: usize, const U: usize>(
    unpivoted: &mut UnpivotedBandLu,
    jacobian: &Jacobian,
    shift: f64,
) -> bool {
    let UnpivotedBandLu { size, inverse, allowed, rows, below, above, .. } = unpivoted;
    let (rows, _) = rows.as_chunks_mut::<U>();
    let (below, _) = below.as_chunks_mut::<L>();
    let mut is_fine = true;
    for (i, entries) in jacobian.banded_rows().enumerate().take(*size) {
        let mut row = [0.0; 2 * NARROW + 1];
        by_length!(entries.len(), negate, negate_free, (entries, &mut row));
        row[L] += shift;
        let mut sums = [0.0; 4];
        for (j, value) in row[..L + 1 + U].iter().enumerate() {
            sums[j % 4] += value.abs();
        }
        let scale = 1.0 / ((sums[0] + sums[1]) + (sums[2] + sums[3]));
        for m in 0..L {
            let (factor, above) = (row[m] * inverse[i + m], &rows[i + m]);
            is_fine &= row[m].abs() * scale <= allowed[i + m];
            below[i + m][L - 1 - m] = factor;
            for j in 0..U {
                row[m + 1 + j] = fma(-factor, above[j], row[m + 1 + j]);
            }
        }
        let most = PIVOT_THRESHOLD * row[L].abs() * scale;
        is_fine &= (most > 0.0) & (most < f64::INFINITY);
        inverse[i + L] = 1.0 / row[L];
        allowed[i + L] = most;
        for j in 0..U {
            rows[i + L][j] = row[L + 1 + j];
            above[(i + 1 + j) * U + j] = row[L + 1 + j] * inverse[i + L];
        }
    }
    is_fine
}

#[inline(always)]
fn negate<const W: usize>(entries: &[f64], row: &mut [f64]) {
    if let (Some(entries), Some(row)) = (entries.first_chunk::<W>(), row.first_chunk_mut::<W>()) {
        for j in 0..W {
            row[j] = -entries[j];
        }
    }
}

fn negate_free(entries: &[f64], row: &mut [f64]) {
    for (slot, value) in row.iter_mut().zip(entries) {
        *slot = -value;
    }
}

/// Motion dies out along a chain until its numbers lose their leading digits, which makes processors slow: such
/// remnants are nothing. A branch, not a choice: the next row need not wait for it.
#[inline]
pub(crate) fn flush(value: f64) -> f64 {
    if value.abs() < 1e-150 { nothing() } else { value }
}

#[cold]
#[inline(never)]
fn nothing() -> f64 {
    0.0
}

/// Forward substitution with `L` diagonals below.
///
/// As soon as a result is known it is taken out of the next `L` rows, which wait in registers: one product and one
/// difference separate a result from the next.
fn forward<const L: usize>(columns: &[f64], b: &mut [f64]) {
    let n = b.len();
    // Row `k` waits in place `k mod L`.
    let mut waiting = [0.0; L];
    waiting[..L.min(n)].copy_from_slice(&b[..L.min(n)]);
    let (columns, _) = columns.as_chunks::<L>();
    let (turns, rest) = columns[..n].as_chunks::<L>();
    let mut k = 0;
    let mut row = |place: usize, column: &[f64; L]| {
        let value = flush(waiting[place]);
        b[k] = value;
        waiting[place] = b.get(k + L).copied().unwrap_or(0.0);
        for j in 0..L {
            let next = (place + 1 + j) % L;
            waiting[next] = fma(-column[j], value, waiting[next]);
        }
        k += 1;
    };
    for turn in turns {
        for place in 0..L {
            row(place, &turn[place]);
        }
    }
    for (place, column) in rest.iter().enumerate() {
        row(place, column);
    }
}

fn forward_none(_: &[f64], _: &mut [f64]) {}

/// Back substitution with `U` diagonals above, in the same way from below.
fn backward<const U: usize>(columns: &[f64], inverse: &[f64], b: &mut [f64]) {
    let n = b.len();
    // The row `k` before the last waits in place `k mod U`.
    let mut waiting = [0.0; U];
    for j in 0..U.min(n) {
        waiting[j] = b[n - 1 - j] * inverse[n - 1 - j];
    }
    let (columns, _) = columns.as_chunks::<U>();
    let (rest, turns) = columns[..n].as_rchunks::<U>();
    let mut k = n;
    let mut row = |place: usize, column: &[f64; U]| {
        k -= 1;
        let value = flush(waiting[place]);
        b[k] = value;
        waiting[place] = if k >= U { b[k - U] * inverse[k - U] } else { 0.0 };
        for j in 0..U {
            let next = (place + 1 + j) % U;
            waiting[next] = fma(-column[j], value, waiting[next]);
        }
    };
    for turn in turns.iter().rev() {
        for place in 0..U {
            row(place, &turn[U - 1 - place]);
        }
    }
    for (place, column) in rest.iter().rev().enumerate() {
        row(place, column);
    }
}
