//! Powers for step control: a fraction of a per cent is accurate enough, so they cost a few operations.

use bristle_core::Lanes;

/// Binary logarithm of positive normal numbers, to 1 %.
#[inline(always)]
pub(super) fn log2<const N: usize>(x: Lanes<N>) -> Lanes<N> {
    // The bits of 2^52: a whole number below it, put into its last bits, is that number added.
    const WHOLE: u64 = 0x4330_0000_0000_0000;
    let k = x.map(|x| f64::from_bits((x.to_bits() >> 52) | WHOLE) - 4_503_599_627_371_519.0);
    let m = x.map(|x| f64::from_bits((x.to_bits() & 0x000f_ffff_ffff_ffff) | (1023 << 52))) - 1.0;
    // m (1 + (1 − m)(0.4426 − 0.1654 m)) meets the logarithm of 1 + m at both ends.
    k + m + m * (Lanes::splat(1.0) - m) * (Lanes::splat(0.4426) - m * 0.1654)
}

/// `2^x` for moderate `x`, to 1 %.
#[inline(always)]
pub(super) fn exp2<const N: usize>(x: Lanes<N>) -> Lanes<N> {
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let rounded = x + ROUND;
    let r = x - (rounded - ROUND);
    let power = rounded.map(|y| f64::from_bits((y.to_bits() << 52).wrapping_add(1023 << 52)));
    power * (r * (r * (r * 0.0555 + 0.2402) + std::f64::consts::LN_2) + 1.0)
}

#[cfg(test)]
mod control_tests {
    use super::*;

    #[test]
    fn powers_are_good_enough_for_step_control() {
        for i in 1..2000 {
            let x = 1e-20_f64 * 1.1_f64.powi(i % 1000) * f64::from(i);
            let log = log2(Lanes([x; 4])).0[0];
            assert!((log - x.log2()).abs() < 0.01, "{x} {log}");
            let y = 0.01 * f64::from(i - 1000);
            let power = exp2(Lanes([y; 4])).0[0];
            assert!((power / y.exp2() - 1.0).abs() < 0.01, "{y} {power}");
        }
    }
}
