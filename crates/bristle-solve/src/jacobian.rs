//! Exact Jacobians, dense or banded.

use crate::Band;
use bristle_core::{Dual, partial};

/// `∂f/∂x` of the coupled states, the quadrature rows where they are known, and `∂f/∂t`.
#[derive(Clone, Debug)]
pub struct Jacobian {
    dim: usize,
    coupled: usize,
    band: Option<Band>,
    /// Dense: all rows, `coupled` columns each. Banded: `coupled` rows of `lower + 1 + upper` entries.
    values: Vec<f64>,
    /// `∂f/∂t`.
    pub time: Vec<f64>,
}

impl Jacobian {
    /// A zero Jacobian of `coupled` states followed by quadratures.
    pub fn new(dim: usize, coupled: usize, band: Option<Band>) -> Self {
        // A band as wide as the matrix saves nothing.
        let band = band.filter(|b| b.lower + b.upper + 1 < coupled);
        let size = match band {
            Some(b) => coupled * (b.lower + b.upper + 1),
            None => dim * coupled,
        };
        Jacobian { dim, coupled, band, values: vec![0.0; size], time: vec![0.0; dim] }
    }

    /// Number of states before the quadratures.
    pub fn coupled(&self) -> usize {
        self.coupled
    }

    /// The band, if it is narrow.
    pub fn band(&self) -> Option<Band> {
        self.band
    }

    /// How many groups of columns must be seeded apart.
    pub fn colours(&self) -> usize {
        match self.band {
            Some(b) => b.lower + b.upper + 1,
            None => self.coupled,
        }
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

    /// Are the quadrature rows stored?
    pub(crate) fn knows_quadratures(&self) -> bool {
        self.band.is_none()
    }

    /// Row `row` within the band, from `lower` left of the diagonal to `upper` right of it.
    pub(crate) fn banded_row(&self, band: Band, row: usize) -> &[f64] {
        let width = band.lower + band.upper + 1;
        &self.values[row * width..(row + 1) * width]
    }

    /// Row `row` of a dense Jacobian.
    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.coupled..(row + 1) * self.coupled]
    }

    /// Takes the columns of colours `first..first + W` out of the rates.
    pub(crate) fn store<const W: usize>(&mut self, rates: &[Dual<W>], first: usize, colours: usize) {
        let end = colours.min(first + W);
        match self.band {
            None => {
                for (i, rate) in rates.iter().enumerate().take(self.dim) {
                    for colour in first..end {
                        self.values[i * self.coupled + colour] = partial(rate, colour - first);
                    }
                }
            }
            Some(b) => {
                // Neighbouring columns have neighbouring colours, so the colour is counted along, not divided out.
                let mut row_colour = (colours - b.lower % colours) % colours;
                for (i, rate) in rates.iter().enumerate().take(self.coupled) {
                    let row = &mut self.values[i * colours..(i + 1) * colours];
                    let columns = b.lower.saturating_sub(i)..colours.min(self.coupled + b.lower - i);
                    let mut colour = row_colour + columns.start;
                    for slot in &mut row[columns] {
                        colour = if colour >= colours { colour - colours } else { colour };
                        if colour >= first && colour < end {
                            *slot = partial(rate, colour - first);
                        }
                        colour += 1;
                    }
                    row_colour = if row_colour + 1 == colours { 0 } else { row_colour + 1 };
                }
            }
        }
    }

    pub(crate) fn keep_finite(&mut self) {
        for value in self.values.iter_mut().chain(&mut self.time) {
            if !value.is_finite() {
                *value = 0.0;
            }
        }
    }

    /// Writes `J v` for the coupled states.
    pub fn times(&self, v: &[f64], out: &mut [f64]) {
        match self.band {
            None => {
                for i in 0..self.coupled {
                    out[i] = self.row(i).iter().zip(v).map(|(a, b)| a * b).sum();
                }
            }
            Some(b) => {
                let width = b.lower + b.upper + 1;
                for i in 0..self.coupled {
                    let low = i.saturating_sub(b.lower);
                    let high = (i + b.upper + 1).min(self.coupled);
                    let row = &self.values[i * width + low + b.lower - i..];
                    out[i] = row.iter().zip(&v[low..high]).map(|(a, b)| a * b).sum();
                }
            }
        }
    }
}
