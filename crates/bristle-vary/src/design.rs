//! Which points are run.

use crate::correlation::Correlation;
use crate::error::VaryError;
use crate::marginal::Marginal;
use crate::morris;
use crate::noise::{bits, permuted, unit};
use crate::sobol::{SOBOL_DIMENSIONS, Sobol};

/// How points are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DesignKind {
    /// Every combination of values, the last parameter changing fastest.
    Grid,
    /// Values side by side.
    List,
    /// At random.
    Random,
    /// Latin hypercube: as many slices of every parameter as runs, one run in each.
    Latin,
    /// Sobol's sequence, moved digit by digit at random.
    Sobol,
    /// Saltelli's scheme for Sobol's indices: two tables of points, and the first with one column of the second in turn.
    Saltelli,
    /// Morris's paths through the unit cube, one parameter a step.
    Morris,
}

impl DesignKind {
    /// All of them, in the order of [`name`](Self::name)s in scenarios.
    pub const ALL: [DesignKind; 7] = [
        DesignKind::Grid,
        DesignKind::List,
        DesignKind::Random,
        DesignKind::Latin,
        DesignKind::Sobol,
        DesignKind::Saltelli,
        DesignKind::Morris,
    ];

    /// What a scenario writes.
    pub fn name(self) -> &'static str {
        match self {
            DesignKind::Grid => "grid",
            DesignKind::List => "list",
            DesignKind::Random => "random",
            DesignKind::Latin => "latin",
            DesignKind::Sobol => "sobol",
            DesignKind::Saltelli => "saltelli",
            DesignKind::Morris => "morris",
        }
    }

    /// Whether its runs are draws from the distributions, so that shares of them are probabilities.
    pub fn is_sample(self) -> bool {
        matches!(self, DesignKind::Random | DesignKind::Latin | DesignKind::Sobol)
    }
}

/// Most runs of a design: so many are counted exactly by a float.
const MOST: u128 = 1_000_000_000_000_000;

/// Points in a fixed order.
#[derive(Clone, Debug)]
pub struct Design {
    kind: DesignKind,
    marginals: Vec<Marginal>,
    correlation: Option<Correlation>,
    seed: u64,
    count: u64,
    sobol: Sobol,
}

impl Design {
    /// `runs` counts the runs of a sample, the base points of Saltelli's scheme, or the paths of Morris's; a grid or a list has as
    /// many runs as its values make.
    ///
    /// # Errors
    /// What is wrong, and with which parameter if it is one's own fault.
    pub fn new(
        kind: DesignKind,
        marginals: Vec<Marginal>,
        correlation: Option<Correlation>,
        runs: u64,
        seed: u64,
    ) -> Result<Design, (VaryError, Option<usize>)> {
        for (i, marginal) in marginals.iter().enumerate() {
            marginal.check().map_err(|e| (e, Some(i)))?;
        }
        if marginals.is_empty() || runs == 0 {
            return Err((VaryError::Empty, None));
        }
        let design = kind.name();
        let is_plain = matches!(kind, DesignKind::Grid | DesignKind::List);
        if is_plain && let Some(i) = marginals.iter().position(|m| m.levels().is_none()) {
            return Err((VaryError::NeedsLevels { design }, Some(i)));
        }
        if correlation.is_some() && !kind.is_sample() {
            return Err((VaryError::Correlated { design }, None));
        }
        let k = marginals.len() as u128;
        let lengths: Vec<u128> =
            marginals.iter().filter_map(|m| m.levels()).map(|l| l.len() as u128).collect();
        let count = match kind {
            DesignKind::Grid => {
                lengths.iter().try_fold(1u128, |all, n| all.checked_mul(*n)).unwrap_or(u128::MAX)
            }
            DesignKind::List => {
                if let Some(i) = lengths.iter().position(|n| *n != lengths[0]) {
                    let (first, other) = (lengths[0] as usize, lengths[i] as usize);
                    return Err((VaryError::Lengths { first, other }, Some(i)));
                }
                lengths[0]
            }
            DesignKind::Saltelli => u128::from(runs) * (k + 2),
            DesignKind::Morris => u128::from(runs) * (k + 1),
            _ => u128::from(runs),
        };
        if count > MOST {
            return Err((VaryError::TooMany, None));
        }
        let dimensions = match kind {
            DesignKind::Sobol => marginals.len(),
            DesignKind::Saltelli => 2 * marginals.len(),
            _ => 0,
        };
        if dimensions > SOBOL_DIMENSIONS {
            return Err((VaryError::Dimensions { count: dimensions, most: SOBOL_DIMENSIONS }, None));
        }
        let sobol = Sobol::new(dimensions);
        Ok(Design { kind, marginals, correlation, seed, count: count as u64, sobol })
    }

    /// How points are chosen.
    pub fn kind(&self) -> DesignKind {
        self.kind
    }

    /// How many runs there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// What the parameters may be.
    pub fn marginals(&self) -> &[Marginal] {
        &self.marginals
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Writes the point of a run.
    pub fn point(&self, index: u64, out: &mut [f64]) {
        match self.kind {
            DesignKind::Grid => {
                let mut rest = index;
                for (slot, marginal) in out.iter_mut().zip(&self.marginals).rev() {
                    let levels = marginal.levels().unwrap_or(&[f64::NAN]);
                    *slot = levels[(rest % levels.len() as u64) as usize];
                    rest /= levels.len() as u64;
                }
            }
            DesignKind::List => {
                for (slot, marginal) in out.iter_mut().zip(&self.marginals) {
                    *slot =
                        marginal.levels().and_then(|l| l.get(index as usize)).copied().unwrap_or(f64::NAN);
                }
            }
            _ => {
                for (i, slot) in out.iter_mut().enumerate() {
                    *slot = self.unit(index, i);
                }
                if let Some(correlation) = &self.correlation {
                    correlation.apply(out);
                }
                for (slot, marginal) in out.iter_mut().zip(&self.marginals) {
                    *slot = marginal.quantile(*slot);
                }
            }
        }
    }

    /// A coordinate of a run's point in the unit cube.
    pub fn unit(&self, index: u64, i: usize) -> f64 {
        let (seed, k) = (self.seed, self.marginals.len());
        // Dimensions of shifts and permutations are told from those of runs by their place.
        let own = |dimension: usize| bits(seed, u64::MAX, dimension as u64);
        match self.kind {
            DesignKind::Latin => {
                let slice = permuted(index, self.count, own(i));
                (slice as f64 + unit(bits(seed, index, i as u64))) / self.count as f64
            }
            DesignKind::Sobol => self.sobol.unit(index, i, own(i)),
            DesignKind::Saltelli => {
                let (base, part) = (index / (k as u64 + 2), index % (k as u64 + 2));
                let is_second = part == 1 || part == i as u64 + 2;
                let dimension = if is_second { k + i } else { i };
                self.sobol.unit(base, dimension, own(dimension))
            }
            DesignKind::Morris => morris::unit(seed, k, index, i),
            _ => unit(bits(seed, index, i as u64)),
        }
    }
}

#[cfg(test)]
mod design_tests {
    use super::*;

    fn uniform() -> Marginal {
        Marginal::Uniform { low: 0.0, high: 1.0 }
    }

    fn all(design: &Design) -> Vec<Vec<f64>> {
        let mut points = Vec::new();
        for i in 0..design.count() {
            let mut point = vec![0.0; design.marginals().len()];
            design.point(i, &mut point);
            points.push(point);
        }
        points
    }

    #[test]
    fn a_grid_has_every_combination_and_a_list_none() {
        let marginals = vec![Marginal::range(0.0, 1.0, 2), Marginal::Levels(vec![5.0, 6.0, 7.0])];
        let grid = Design::new(DesignKind::Grid, marginals.clone(), None, 1, 1).unwrap();
        let points = all(&grid);
        assert_eq!(points.len(), 6);
        assert_eq!((points[1].clone(), points[3].clone()), (vec![0.0, 6.0], vec![1.0, 5.0]));
        let wrong = Design::new(DesignKind::List, marginals, None, 1, 1).unwrap_err();
        assert_eq!(wrong, (VaryError::Lengths { first: 2, other: 3 }, Some(1)));
        let wrong = Design::new(DesignKind::Grid, vec![uniform()], None, 1, 1).unwrap_err();
        assert_eq!(wrong, (VaryError::NeedsLevels { design: "grid" }, Some(0)));
    }

    #[test]
    fn a_latin_hypercube_has_one_run_in_every_slice() {
        let design = Design::new(DesignKind::Latin, vec![uniform(); 3], None, 50, 3).unwrap();
        let points = all(&design);
        for i in 0..3 {
            let mut slices: Vec<usize> = points.iter().map(|p| (p[i] * 50.0) as usize).collect();
            slices.sort_unstable();
            assert_eq!(slices, (0..50).collect::<Vec<_>>());
        }
    }

    #[test]
    fn saltelli_takes_one_column_at_a_time_from_the_second_table() {
        let design = Design::new(DesignKind::Saltelli, vec![uniform(); 2], None, 8, 3).unwrap();
        let points = all(&design);
        assert_eq!(points.len(), 32);
        for block in points.chunks(4) {
            let [a, b, first, second] = block else { panic!() };
            assert_eq!((first, second), (&vec![b[0], a[1]], &vec![a[0], b[1]]));
        }
    }

    #[test]
    fn too_many_runs_are_counted_and_refused() {
        let many = vec![Marginal::range(0.0, 1.0, 100_000); 4];
        let wrong = Design::new(DesignKind::Grid, many, None, 1, 1).unwrap_err();
        assert_eq!(wrong, (VaryError::TooMany, None));
        let design = Design::new(DesignKind::Random, vec![uniform()], None, 1_000_000_000_000, 1).unwrap();
        assert_eq!(design.count(), 1_000_000_000_000);
    }
}
