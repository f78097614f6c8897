//! Exact Jacobians, dense or banded.

use crate::Bandwidth;
use crate::recorded::RecordedJacobian;
use crate::small::{by_length, fma};
use crate::structure::{Own, Structure};
use bristle_core::Dual;

/// `∂f/∂x` of the coupled states, the quadrature rows where they are known, and `∂f/∂t`.
#[derive(Clone, Debug)]
pub struct Jacobian {
    coupled: usize,
    band: Option<Bandwidth>,
    /// Dense: all rows, `coupled` columns each. Banded: `coupled` rows of `lower + 1 + upper` entries. Then `∂f/∂t`, then the
    /// entries of quadrature rows that a band leaves out, where a program gives them.
    values: Vec<f64>,
    /// Where `∂f/∂t` begins, and ends.
    size: usize,
    end: usize,
    /// Quadrature and column of each entry behind `∂f/∂t`.
    quadratures: Vec<(u32, u32)>,
    /// The system's own way to solve with it; no entry is stored then.
    structure: Option<Own>,
    /// The program its entries came from last, and their places; the others are zero.
    program: u64,
    places: Vec<u32>,
}

impl Jacobian {
    /// A zero Jacobian of `coupled` states followed by quadratures.
    pub fn new(dim: usize, coupled: usize, band: Option<Bandwidth>) -> Self {
        let band = narrow(coupled, band);
        let size = match band {
            Some(b) => coupled * (b.lower + b.upper + 1),
            None => dim * coupled,
        };
        Jacobian {
            coupled,
            band,
            values: vec![0.0; size + dim],
            size,
            end: size + dim,
            quadratures: Vec::new(),
            structure: None,
            program: 0,
            places: Vec::new(),
        }
    }

    /// A Jacobian of a system that solves with it in its own way.
    pub(crate) fn structured(dim: usize, coupled: usize, structure: Box<dyn Structure>) -> Self {
        let none = Self::new(0, 0, None);
        Jacobian { coupled, values: vec![0.0; dim], end: dim, structure: Some(Own(structure)), ..none }
    }

    /// The system's own way to solve with it, and `∂f/∂t`.
    pub(crate) fn structure_mut(&mut self) -> Option<(&mut (dyn Structure + 'static), &mut [f64])> {
        let slopes = &mut self.values[self.size..self.end];
        self.structure.as_mut().map(|own| (&mut *own.0, slopes))
    }

    /// Number of states before the quadratures.
    pub fn coupled(&self) -> usize {
        self.coupled
    }

    /// The band, if it is narrow.
    pub fn band(&self) -> Option<Bandwidth> {
        self.band
    }

    /// How many groups of columns must be seeded apart.
    pub fn colours(&self) -> usize {
        Self::count_colours(self.coupled, self.band)
    }

    /// The same before there is a Jacobian.
    pub(crate) fn count_colours(coupled: usize, band: Option<Bandwidth>) -> usize {
        narrow(coupled, band).map_or(coupled, |b| b.lower + b.upper + 1)
    }

    /// `∂f_row/∂x_column`; a quadrature row of a banded Jacobian is not known.
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        match self.band {
            None => self.values[row * self.coupled + column],
            Some(b) => {
                let offset = (column + b.lower).wrapping_sub(row);
                if offset <= b.lower + b.upper {
                    self.values[row * (b.lower + b.upper + 1) + offset]
                } else {
                    0.0
                }
            }
        }
    }

    /// Takes the entries of a program's pattern, then its slopes in time, from a list; gives how many there are.
    pub(crate) fn fill_from(&mut self, program: &RecordedJacobian, of: impl Fn(usize) -> f64) -> usize {
        if self.program != program.id {
            self.take_places(program);
        }
        let mut check = 0.0;
        for (i, place) in self.places.iter().enumerate() {
            let entry = of(i);
            // 0·x is NaN if and only if x is not finite.
            check += 0.0 * entry;
            if let Some(slot) = self.values.get_mut(*place as usize) {
                *slot = entry;
            }
        }
        if check != 0.0 {
            self.keep_finite();
        }
        self.places.len()
    }

    /// Gives the entries of a program their places.
    #[cold]
    fn take_places(&mut self, program: &RecordedJacobian) {
        self.program = program.id;
        self.quadratures.clear();
        self.places.clear();
        for &(i, j) in &program.pattern.entries {
            let place = self.place(i, j).unwrap_or_else(|| {
                // What lies outside of the band is zero in the rows of states.
                self.quadratures.push((i.saturating_sub(self.coupled) as u32, j as u32));
                self.end + self.quadratures.len() - 1
            });
            self.places.push(place as u32);
        }
        self.places.extend(program.moved_by_time.iter().map(|i| (self.size + i) as u32));
        self.values.clear();
        self.values.resize(self.end + self.quadratures.len(), 0.0);
    }

    /// Where an entry is kept; none for one that a band leaves out.
    fn place(&self, row: usize, column: usize) -> Option<usize> {
        match self.band {
            None => Some(row * self.coupled + column),
            Some(_) if row >= self.coupled => None,
            Some(b) => {
                let offset = (column + b.lower).wrapping_sub(row);
                (offset <= b.lower + b.upper).then(|| row * (b.lower + b.upper + 1) + offset)
            }
        }
    }

    /// The largest entry on the diagonal: a state that grows by itself, such as a velocity under falling friction.
    pub(crate) fn largest_diagonal(&self) -> f64 {
        if self.structure.is_some() {
            return 0.0;
        }
        // Of 0 and −0 either may be the larger, depending on the processor; a step of −∞ would come of the latter.
        (0..self.coupled).map(|i| self.entry(i, i)).fold(0.0, f64::max).abs()
    }

    /// Whether all rows are stored, those of quadratures included.
    pub(crate) fn is_full(&self) -> bool {
        self.band.is_none() && self.structure.is_none()
    }

    /// Writes `J v` of the quadratures; false if their rows are not known.
    pub(crate) fn quadratures_times(&self, v: &[f64], out: &mut [f64]) -> bool {
        if self.is_full() {
            for (k, slot) in out.iter_mut().enumerate() {
                *slot = self.row(self.coupled + k).iter().zip(v).map(|(a, b)| a * b).sum();
            }
            return true;
        }
        if self.program == 0 {
            return false;
        }
        out.fill(0.0);
        for (&(row, column), entry) in self.quadratures.iter().zip(&self.values[self.end..]) {
            out[row as usize] += entry * v[column as usize];
        }
        true
    }

    /// Row `row` within the band, from `lower` left of the diagonal to `upper` right of it.
    pub(crate) fn banded_row(&self, band: Bandwidth, row: usize) -> &[f64] {
        let width = band.lower + band.upper + 1;
        &self.values[row * width..(row + 1) * width]
    }

    /// All rows within the band.
    pub(crate) fn banded_rows(&self) -> impl Iterator<Item = &[f64]> {
        self.rows().chunks_exact(self.colours().max(1))
    }

    /// All rows, one after the other.
    pub(crate) fn rows(&self) -> &[f64] {
        &self.values[..self.size]
    }

    /// `∂f/∂t`.
    pub fn time(&self) -> &[f64] {
        &self.values[self.size..self.end]
    }

    /// `∂f/∂t`, to be written.
    pub(crate) fn time_mut(&mut self) -> &mut [f64] {
        &mut self.values[self.size..self.end]
    }

    /// Row `row` of a dense Jacobian.
    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.coupled..(row + 1) * self.coupled]
    }

    /// The colour of a column: neighbours have different ones as far as the band reaches.
    ///
    /// The leftmost column of row `i` within the band has colour `i` modulo their number; columns left of the first and right
    /// of the last have the colour of one beyond the band of their row, and so a slope of nothing there.
    pub(crate) fn colour(&self, column: usize) -> usize {
        let first = self.band.map_or(0, |b| b.lower);
        (column + first) % self.colours().max(1)
    }

    /// Takes the columns of colours `first..first + W` out of the rates.
    pub(crate) fn store<const W: usize>(&mut self, rates: &[Dual<W>], first: usize, colours: usize) {
        self.program = 0;
        let end = colours.min(first + W);
        let matrix = &mut self.values[..self.size];
        match self.band {
            None => {
                let rows = matrix.chunks_exact_mut(self.coupled.max(1));
                for (row, rate) in rows.zip(rates) {
                    row[first..end].iter_mut().zip(rate.eps).for_each(|(slot, slope)| *slot = slope);
                }
            }
            Some(_) if W == colours => {
                // The colour of the leftmost column of row `i` is `i mod W`: known to the compiler within a block.
                let (rows, _) = matrix.as_chunks_mut::<W>();
                let (blocks, rest) = rows.as_chunks_mut::<W>();
                let (rate_blocks, rate_rest) = rates[..self.coupled].as_chunks::<W>();
                for (rows, rates) in blocks.iter_mut().zip(rate_blocks) {
                    for left in 0..W {
                        rotate(&rates[left].eps, left, &mut rows[left]);
                    }
                }
                for (left, (row, rate)) in rest.iter_mut().zip(rate_rest).enumerate() {
                    rotate(&rate.eps, left, row);
                }
            }
            Some(_) => {
                for (i, (rate, row)) in rates.iter().zip(matrix.chunks_exact_mut(colours)).enumerate() {
                    let left = i % colours;
                    for (colour, slope) in (first..end).zip(rate.eps) {
                        row[if colour < left { colour + colours - left } else { colour - left }] = slope;
                    }
                }
            }
        }
    }

    /// Slopes that are not finite become zero.
    pub(crate) fn keep_finite(&mut self) {
        // 0·x is NaN if and only if x is not finite.
        let (chunks, rest) = self.values.as_chunks::<8>();
        let mut lanes = [0.0; 8];
        for chunk in chunks {
            for j in 0..8 {
                lanes[j] += 0.0 * chunk[j];
            }
        }
        let others = rest.iter().map(|value| 0.0 * value);
        if lanes.into_iter().chain(others).sum::<f64>() == 0.0 {
            return;
        }
        for value in &mut self.values {
            if !value.is_finite() {
                *value = 0.0;
            }
        }
    }

    /// Writes `J v` for the coupled states.
    pub fn times(&self, v: &[f64], out: &mut [f64]) {
        match self.band {
            None => {
                by_length!(self.coupled, dense_times_fixed, dense_times, (self.rows(), v, out));
            }
            Some(band) => {
                let width = band.lower + band.upper + 1;
                by_length!(width, times_fixed, times_free, (self.rows(), band, v, out));
            }
        }
    }
}

/// A band as wide as the matrix saves nothing.
fn narrow(coupled: usize, band: Option<Bandwidth>) -> Option<Bandwidth> {
    band.filter(|b| b.lower + b.upper + 1 < coupled)
}

/// `out_j = slopes_{left + j}`, around the end.
#[inline(always)]
fn rotate<const W: usize>(slopes: &[f64; W], left: usize, out: &mut [f64; W]) {
    for j in 0..W {
        out[j] = slopes[(left + j) % W];
    }
}

/// A dense product, from rows as long as `v`.
fn dense_times(values: &[f64], v: &[f64], out: &mut [f64]) {
    for (slot, row) in out.iter_mut().zip(values.chunks_exact(v.len().max(1))) {
        *slot = row.iter().zip(v).map(|(a, b)| a * b).sum();
    }
}

fn dense_times_fixed<const N: usize>(values: &[f64], v: &[f64], out: &mut [f64]) {
    let (rows, _) = values.as_chunks::<N>();
    let (Some(rows), Some(v), Some(out)) =
        (rows.first_chunk::<N>(), v.first_chunk::<N>(), out.first_chunk_mut::<N>())
    else {
        return;
    };
    for (slot, row) in out.iter_mut().zip(rows) {
        let mut sum = 0.0;
        for j in 0..N {
            sum = fma(row[j], v[j], sum);
        }
        *slot = sum;
    }
}

/// A banded product; whole rows have `W` entries.
fn times_fixed<const W: usize>(values: &[f64], band: Bandwidth, v: &[f64], out: &mut [f64]) {
    let n = v.len();
    let (rows, _) = values.as_chunks::<W>();
    let whole = band.lower..n.saturating_sub(band.upper).max(band.lower);
    let windows = v.windows(W).filter_map(|window| window.first_chunk::<W>());
    for ((slot, row), window) in out[whole.clone()].iter_mut().zip(&rows[whole.clone()]).zip(windows) {
        let mut sum = 0.0;
        for j in 0..W {
            sum = fma(row[j], window[j], sum);
        }
        *slot = sum;
    }
    for i in (0..whole.start).chain(whole.end..n) {
        out[i] = clipped(values, band, v, i);
    }
}

fn times_free(values: &[f64], band: Bandwidth, v: &[f64], out: &mut [f64]) {
    for i in 0..v.len() {
        out[i] = clipped(values, band, v, i);
    }
}

/// Row `i` of a banded product, within the matrix.
fn clipped(values: &[f64], band: Bandwidth, v: &[f64], i: usize) -> f64 {
    let low = i.saturating_sub(band.lower);
    let high = (i + band.upper + 1).min(v.len());
    let row = &values[i * (band.lower + band.upper + 1) + low + band.lower - i..];
    row.iter().zip(&v[low..high]).map(|(a, b)| a * b).sum()
}
