//! Random numbers by place: the one for a seed, a run and a dimension, without those before it.
//!
//! Steele, Lea and Flood's finaliser (SplitMix64, 2014), chained over what the number is for. A generator with a state would have
//! to be wound forward for every run of a shard.

/// Scrambles all bits.
pub(crate) fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Random bits for a seed and two places.
pub(crate) fn bits(seed: u64, a: u64, b: u64) -> u64 {
    mix(mix(mix(seed) ^ a) ^ b.rotate_left(32))
}

/// A number strictly between 0 and 1.
pub(crate) fn unit(bits: u64) -> f64 {
    ((bits >> 12) as f64 + 0.5) * 2f64.powi(-52)
}

/// A whole number below `count`.
pub(crate) fn below(bits: u64, count: u64) -> u64 {
    ((u128::from(bits) * u128::from(count)) >> 64) as u64
}

/// Where a permutation of `0..count` puts `index`: Feistel rounds over the next power of four, walked until inside.
pub(crate) fn permuted(index: u64, count: u64, key: u64) -> u64 {
    let half = (64 - count.saturating_sub(1).leading_zeros()).div_ceil(2).max(1);
    let mask = (1u64 << half) - 1;
    let mut place = index;
    loop {
        let (mut left, mut right) = (place >> half, place & mask);
        for round in 0..6 {
            (left, right) = (right, left ^ (bits(key, right, round) & mask));
        }
        place = left << half | right;
        if place < count {
            return place;
        }
    }
}

#[cfg(test)]
mod noise_tests {
    use super::*;

    #[test]
    fn a_permutation_hits_every_place_once() {
        for count in [1, 2, 3, 7, 64, 100, 1000] {
            let mut places: Vec<u64> = (0..count).map(|i| permuted(i, count, 5)).collect();
            places.sort_unstable();
            assert!(places.iter().enumerate().all(|(i, p)| *p == i as u64), "{count}");
        }
    }

    #[test]
    fn numbers_are_spread_evenly() {
        let n = 20_000;
        let all: Vec<f64> = (0..n).map(|i| unit(bits(1, i, 0))).collect();
        let mean = all.iter().sum::<f64>() / n as f64;
        let square = all.iter().map(|u| (u - 0.5).powi(2)).sum::<f64>() / n as f64;
        // Four standard errors of each.
        assert!((mean - 0.5).abs() < 4.0 * (1.0 / 12.0 / n as f64).sqrt(), "{mean}");
        assert!((square - 1.0 / 12.0).abs() < 4.0 * (1.0 / 180.0 / n as f64).sqrt(), "{square}");
    }
}
