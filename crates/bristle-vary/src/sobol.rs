//! Sobol's sequence, by index.
//!
//! Own code, since shards need the n-th point without those before it and crates offer them in a row, or in single precision.
//! Direction numbers: Joe and Kuo, SIAM J. Sci. Comput. 30 (2008) 2635, the file new-joe-kuo-6.

use crate::sobol_numbers::NUMBERS;

/// Bits of a coordinate.
const BITS: usize = 52;

/// How many dimensions there are.
pub const SOBOL_DIMENSIONS: usize = NUMBERS.len() + 1;

/// The directions of some dimensions.
#[derive(Clone, Debug)]
pub(crate) struct Sobol(Vec<[u64; BITS]>);

impl Sobol {
    /// The first dimensions; no more than there are.
    pub fn new(dimensions: usize) -> Sobol {
        Sobol((0..dimensions.min(SOBOL_DIMENSIONS)).map(directions).collect())
    }

    /// A coordinate of a point as bits, highest first.
    pub fn bits(&self, index: u64, dimension: usize) -> u64 {
        let gray = index ^ (index >> 1);
        let all = self.0[dimension].iter().enumerate();
        all.filter(|(k, _)| gray >> k & 1 == 1).fold(0, |sum, (_, direction)| sum ^ direction)
    }

    /// The same between 0 and 1, moved digit by digit by `shift`.
    pub fn unit(&self, index: u64, dimension: usize, shift: u64) -> f64 {
        let moved = self.bits(index, dimension) ^ (shift >> (64 - BITS));
        (moved as f64 + 0.5) * 2f64.powi(-(BITS as i32))
    }
}

/// The directions of one dimension.
fn directions(dimension: usize) -> [u64; BITS] {
    let mut all = [0; BITS];
    if dimension == 0 {
        for (k, slot) in all.iter_mut().enumerate() {
            *slot = 1 << (BITS - 1 - k);
        }
        return all;
    }
    let (polynomial, first) = NUMBERS[dimension - 1];
    let degree = first.len();
    for k in 0..BITS {
        all[k] = if k < degree {
            first[k] << (BITS - 1 - k)
        } else {
            let mut sum = all[k - degree] ^ (all[k - degree] >> degree);
            for i in 1..degree {
                if polynomial >> (degree - 1 - i) & 1 == 1 {
                    sum ^= all[k - i];
                }
            }
            sum
        };
    }
    all
}

#[cfg(test)]
mod sobol_tests {
    use super::*;

    /// The first points in every dimension asked of, as SciPy gives them with Joe and Kuo's numbers.
    #[test]
    fn points_are_those_of_the_published_numbers() {
        let sobol = Sobol::new(64);
        let at = |index: u64, dimension: usize| sobol.bits(index, dimension) as f64 * 2f64.powi(-52);
        for (index, dimension, value) in EXPECTED {
            assert_eq!(at(*index, *dimension), *value, "{index} {dimension}");
        }
    }

    /// Every elementary interval of the first two dimensions holds one point.
    #[test]
    fn sixteen_points_fill_sixteen_cells() {
        let sobol = Sobol::new(2);
        for [rows, columns] in [[1, 16], [2, 8], [4, 4], [8, 2], [16, 1]] {
            let mut cells = vec![0; 16];
            for i in 0..16 {
                let [x, y] = [0, 1].map(|d| sobol.unit(i, d, 0));
                cells[(y * f64::from(rows)) as usize * columns as usize
                    + (x * f64::from(columns)) as usize] += 1;
            }
            assert!(cells.iter().all(|n| *n == 1), "{rows} {columns} {cells:?}");
        }
    }

    const EXPECTED: &[(u64, usize, f64)] = &[
        (1, 0, 0.5),
        (1, 1, 0.5),
        (1, 2, 0.5),
        (1, 7, 0.5),
        (1, 19, 0.5),
        (1, 40, 0.5),
        (1, 63, 0.5),
        (2, 0, 0.75),
        (2, 1, 0.25),
        (2, 2, 0.25),
        (2, 7, 0.75),
        (2, 19, 0.25),
        (2, 40, 0.25),
        (2, 63, 0.75),
        (3, 0, 0.25),
        (3, 1, 0.75),
        (3, 2, 0.75),
        (3, 7, 0.25),
        (3, 19, 0.75),
        (3, 40, 0.75),
        (3, 63, 0.25),
        (5, 0, 0.875),
        (5, 1, 0.875),
        (5, 2, 0.125),
        (5, 7, 0.375),
        (5, 19, 0.625),
        (5, 40, 0.375),
        (5, 63, 0.625),
        (77, 0, 0.8359375),
        (77, 1, 0.8359375),
        (77, 2, 0.0078125),
        (77, 7, 0.6484375),
        (77, 19, 0.0078125),
        (77, 40, 0.8203125),
        (77, 63, 0.8828125),
        (1000, 0, 0.2197265625),
        (1000, 1, 0.0966796875),
        (1000, 2, 0.5185546875),
        (1000, 7, 0.8994140625),
        (1000, 19, 0.7255859375),
        (1000, 40, 0.9130859375),
        (1000, 63, 0.4462890625),
        (1023, 0, 0.0009765625),
        (1023, 1, 0.7529296875),
        (1023, 2, 0.6123046875),
        (1023, 7, 0.6181640625),
        (1023, 19, 0.3193359375),
        (1023, 40, 0.6318359375),
        (1023, 63, 0.0400390625),
    ];
}
