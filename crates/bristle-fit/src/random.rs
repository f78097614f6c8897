//! Numbers that look random and are the same every time.

/// A generator (SplitMix64, Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of that seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next whole number.
    pub fn whole(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// The next number from 0 to 1.
    pub fn part(&mut self) -> f64 {
        (self.whole() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The next number of a normal distribution.
    pub fn normal(&mut self) -> f64 {
        let (a, b) = (self.part().max(1e-300), self.part());
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }

    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        ((self.part() * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// So many points of a box, each side of which is cut into as many slices with a point in each (Latin hypercube).
    pub fn spread(&mut self, points: usize, sides: usize) -> Vec<Vec<f64>> {
        let mut all = vec![vec![0.0; sides]; points];
        for side in 0..sides {
            let mut order: Vec<usize> = (0..points).collect();
            for i in (1..points).rev() {
                order.swap(i, self.below(i + 1));
            }
            for (point, slice) in all.iter_mut().zip(order) {
                point[side] = (slice as f64 + self.part()) / points as f64;
            }
        }
        all
    }
}
