//! Block tridiagonal systems with a few extra columns, solved in time proportional to the number of blocks.
//!
//! The border columns are nonzero only in a zone of blocks. Both tails are eliminated towards the zone with one
//! right-hand side; only inside the zone do the border columns take part, four at a time in lanes.

use crate::small::{SquareBlock, invert};

/// Lanes in which border columns are processed.
const LANES: usize = 4;

/// A block tridiagonal matrix, one right-hand side and border columns.
#[derive(Clone, Debug, Default)]
pub struct Tridiagonal<const B: usize> {
    /// Diagonal blocks; their inverses after elimination.
    pub diag: Vec<SquareBlock<B>>,
    /// Blocks right of the diagonal: row `i`, column `i + 1`.
    pub upper: Vec<SquareBlock<B>>,
    /// Blocks left of the diagonal: row `i + 1`, column `i`.
    pub lower: Vec<SquareBlock<B>>,
    /// The right-hand side; the solution in the end.
    pub rhs: Vec<[f64; B]>,
    /// Border columns: block, then row, then column.
    columns: Vec<f64>,
    /// Room per row of a block.
    stride: usize,
    zone: (usize, usize),
}

impl<const B: usize> Tridiagonal<B> {
    /// Room for `n` blocks.
    pub fn new(n: usize) -> Self {
        Tridiagonal {
            diag: vec![[[0.0; B]; B]; n],
            upper: vec![[[0.0; B]; B]; n.saturating_sub(1)],
            lower: vec![[[0.0; B]; B]; n.saturating_sub(1)],
            rhs: vec![[0.0; B]; n],
            columns: Vec::new(),
            stride: 0,
            zone: (0, 0),
        }
    }

    /// Clears `count` border columns that are nonzero in blocks `first..=last` only.
    pub fn border(&mut self, count: usize, first: usize, last: usize) {
        let stride = count.div_ceil(LANES) * LANES;
        let size = stride * B * (last - first + 1);
        // Grows a few times in the life of a run, then never again.
        if self.columns.len() < size {
            self.columns.resize(size, 0.0);
        }
        self.columns[..size].fill(0.0);
        self.stride = stride;
        self.zone = (first, last);
    }

    /// The zone of the border.
    pub fn zone(&self) -> (usize, usize) {
        self.zone
    }

    /// Row `r` of block `i` in all border columns, padded.
    #[inline]
    pub fn row(&self, i: usize, r: usize) -> &[f64] {
        let at = ((i - self.zone.0) * B + r) * self.stride;
        &self.columns[at..at + self.stride]
    }

    /// As [`row`](Self::row), to be written.
    #[inline]
    pub fn row_mut(&mut self, i: usize, r: usize) -> &mut [f64] {
        let at = ((i - self.zone.0) * B + r) * self.stride;
        &mut self.columns[at..at + self.stride]
    }

    /// Writes a border column in block `i`.
    #[inline]
    pub fn put(&mut self, i: usize, column: usize, values: [f64; B]) {
        for (r, value) in values.into_iter().enumerate() {
            self.row_mut(i, r)[column] = value;
        }
    }

    /// Takes unknown `r` of block `i` out of the system: its row and its column say nothing but that it is what its
    /// right-hand side says.
    pub fn hold(&mut self, i: usize, r: usize) {
        self.diag[i][r] = [0.0; B];
        self.diag[i].iter_mut().for_each(|row| row[r] = 0.0);
        self.diag[i][r][r] = 1.0;
        if i > 0 {
            self.lower[i - 1][r] = [0.0; B];
            self.upper[i - 1].iter_mut().for_each(|row| row[r] = 0.0);
        }
        if i < self.upper.len() {
            self.upper[i][r] = [0.0; B];
            self.lower[i].iter_mut().for_each(|row| row[r] = 0.0);
        }
    }

    /// Eliminates, and solves for the right-hand side and the border columns inside the zone.
    ///
    /// Column `k` must be zero before block `starts[k]`, with `starts` ascending. `Err` carries the block that is
    /// singular.
    pub fn eliminate(&mut self, starts: &[usize]) -> Result<(), usize> {
        let n = self.diag.len();
        let (first, last) = self.zone;
        for i in 0..first {
            self.forward(i)?;
        }
        for i in (last + 1..n).rev() {
            invert(&mut self.diag[i]).map_err(|()| i)?;
            let factor = product(&self.upper[i - 1], &self.diag[i]);
            subtract_product(&mut self.diag[i - 1], &factor, &self.lower[i - 1]);
            let x = self.rhs[i];
            subtract_vector(&mut self.rhs[i - 1], &factor, &x);
        }
        let mut active = 0;
        for i in first..last {
            while active < starts.len() && starts[active] <= i {
                active += 1;
            }
            let factor = self.forward(i)?;
            let (head, tail) = self.columns.split_at_mut((i + 1 - first) * B * self.stride);
            let from = &head[(i - first) * B * self.stride..];
            update(tail, from, &factor, self.stride, active.div_ceil(LANES));
        }
        invert(&mut self.diag[last]).map_err(|()| last)?;
        self.rhs[last] = times(&self.diag[last], &self.rhs[last]);
        let lanes = self.stride / LANES;
        let at = (last - first) * B * self.stride;
        scale(&mut self.columns[at..], &self.diag[last], self.stride, lanes);
        for i in (first..last).rev() {
            let next = self.rhs[i + 1];
            subtract_vector(&mut self.rhs[i], &self.upper[i], &next);
            self.rhs[i] = times(&self.diag[i], &self.rhs[i]);
            let (head, tail) = self.columns.split_at_mut((i + 1 - first) * B * self.stride);
            let own = &mut head[(i - first) * B * self.stride..];
            update(own, tail, &self.upper[i], self.stride, lanes);
            scale(own, &self.diag[i], self.stride, lanes);
        }
        Ok(())
    }

    /// Takes the border columns, weighted, off the solution inside the zone, then solves the tails.
    pub fn finish(&mut self, weights: &[f64]) {
        let (first, last) = self.zone;
        if !weights.is_empty() {
            for i in first..=last {
                for r in 0..B {
                    let at = ((i - first) * B + r) * self.stride;
                    let row = &self.columns[at..at + weights.len()];
                    let mut sum = 0.0;
                    for k in 0..weights.len() {
                        sum += row[k] * weights[k];
                    }
                    self.rhs[i][r] -= sum;
                }
            }
        }
        for i in (0..first).rev() {
            let next = self.rhs[i + 1];
            subtract_vector(&mut self.rhs[i], &self.upper[i], &next);
            self.rhs[i] = times(&self.diag[i], &self.rhs[i]);
        }
        for i in last + 1..self.diag.len() {
            let previous = self.rhs[i - 1];
            subtract_vector(&mut self.rhs[i], &self.lower[i - 1], &previous);
            self.rhs[i] = times(&self.diag[i], &self.rhs[i]);
        }
    }

    /// Solves once more after [`eliminate`](Self::eliminate), for a new right-hand side and inside the zone only;
    /// [`finish`](Self::finish) completes it.
    pub fn solve(&mut self) {
        let (first, last) = self.zone;
        for i in 0..first {
            let x = times(&self.diag[i], &self.rhs[i]);
            subtract_vector(&mut self.rhs[i + 1], &self.lower[i], &x);
        }
        for i in (last + 1..self.diag.len()).rev() {
            let x = times(&self.diag[i], &self.rhs[i]);
            subtract_vector(&mut self.rhs[i - 1], &self.upper[i - 1], &x);
        }
        for i in first..last {
            let x = times(&self.diag[i], &self.rhs[i]);
            subtract_vector(&mut self.rhs[i + 1], &self.lower[i], &x);
        }
        self.rhs[last] = times(&self.diag[last], &self.rhs[last]);
        for i in (first..last).rev() {
            let next = self.rhs[i + 1];
            subtract_vector(&mut self.rhs[i], &self.upper[i], &next);
            self.rhs[i] = times(&self.diag[i], &self.rhs[i]);
        }
    }

    /// `y ← A x` for a matrix that has not been eliminated.
    pub fn multiply(&self, x: &[[f64; B]], y: &mut [[f64; B]]) {
        for (i, out) in y.iter_mut().enumerate() {
            *out = times(&self.diag[i], &x[i]);
            let mut add = |block: &SquareBlock<B>, x: &[f64; B]| {
                let more = times(block, x);
                out.iter_mut().zip(more).for_each(|(o, m)| *o += m);
            };
            if i > 0 {
                add(&self.lower[i - 1], &x[i - 1]);
            }
            if i + 1 < x.len() {
                add(&self.upper[i], &x[i + 1]);
            }
        }
    }

    /// One step of elimination downwards; gives the factor that was used.
    #[inline]
    fn forward(&mut self, i: usize) -> Result<SquareBlock<B>, usize> {
        invert(&mut self.diag[i]).map_err(|()| i)?;
        let factor = product(&self.lower[i], &self.diag[i]);
        subtract_product(&mut self.diag[i + 1], &factor, &self.upper[i]);
        let x = self.rhs[i];
        subtract_vector(&mut self.rhs[i + 1], &factor, &x);
        Ok(factor)
    }
}

/// `to −= factor · from` in border columns.
#[inline]
fn update<const B: usize>(
    to: &mut [f64],
    from: &[f64],
    factor: &SquareBlock<B>,
    stride: usize,
    lanes: usize,
) {
    for lane in 0..lanes {
        let at = lane * LANES;
        let mut sums = [[0.0; LANES]; B];
        for s in 0..B {
            let Some(x) = from[s * stride + at..].first_chunk::<LANES>() else { return };
            for r in 0..B {
                for c in 0..LANES {
                    sums[r][c] += factor[r][s] * x[c];
                }
            }
        }
        for r in 0..B {
            let Some(y) = to[r * stride + at..].first_chunk_mut::<LANES>() else { return };
            for c in 0..LANES {
                y[c] -= sums[r][c];
            }
        }
    }
}

/// `x ← factor · x` in border columns.
#[inline]
fn scale<const B: usize>(x: &mut [f64], factor: &SquareBlock<B>, stride: usize, lanes: usize) {
    for lane in 0..lanes {
        let at = lane * LANES;
        let mut sums = [[0.0; LANES]; B];
        for s in 0..B {
            let Some(y) = x[s * stride + at..].first_chunk::<LANES>() else { return };
            for r in 0..B {
                for c in 0..LANES {
                    sums[r][c] += factor[r][s] * y[c];
                }
            }
        }
        for r in 0..B {
            let Some(y) = x[r * stride + at..].first_chunk_mut::<LANES>() else { return };
            *y = sums[r];
        }
    }
}

/// Neighbours couple in groups of four unknowns; a remainder (the holding force of a node) does not couple.
const GROUP: usize = 4;

/// `a · b` for an off-diagonal block `a`.
#[inline]
fn product<const B: usize>(a: &SquareBlock<B>, b: &SquareBlock<B>) -> SquareBlock<B> {
    let mut out = [[0.0; B]; B];
    for g in (0..B / GROUP).map(|g| g * GROUP) {
        for r in g..g + GROUP {
            for s in g..g + GROUP {
                for c in 0..B {
                    out[r][c] += a[r][s] * b[s][c];
                }
            }
        }
    }
    out
}

/// `to −= a · b` for a factor `a` made by [`product`] and an off-diagonal block `b`.
#[inline]
fn subtract_product<const B: usize>(to: &mut SquareBlock<B>, a: &SquareBlock<B>, b: &SquareBlock<B>) {
    for r in 0..B / GROUP * GROUP {
        for g in (0..B / GROUP).map(|g| g * GROUP) {
            for s in g..g + GROUP {
                for c in g..g + GROUP {
                    to[r][c] -= a[r][s] * b[s][c];
                }
            }
        }
    }
}

#[inline]
fn subtract_vector<const B: usize>(to: &mut [f64; B], a: &SquareBlock<B>, x: &[f64; B]) {
    for r in 0..B {
        let mut sum = 0.0;
        for s in 0..B {
            sum += a[r][s] * x[s];
        }
        to[r] -= sum;
    }
}

#[inline]
fn times<const B: usize>(a: &SquareBlock<B>, x: &[f64; B]) -> [f64; B] {
    let mut out = [0.0; B];
    for r in 0..B {
        for s in 0..B {
            out[r] += a[r][s] * x[s];
        }
    }
    out
}
