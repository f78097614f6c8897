//! Polynomial steps, the joints of regularised laws.

use bristle_core::Scalar;

/// `u²(3 − 2u)`: from 0 at `u ≤ 0` to 1 at `u ≥ 1`, with level ends.
#[inline]
pub fn cubic<S: Scalar>(u: S) -> S {
    cubic_piece(u.clamp_to(S::zero(), S::one()))
}

/// The cubic of [`cubic`], going on as it came beyond its ends.
#[inline]
pub fn cubic_piece<S: Scalar>(u: S) -> S {
    u * u * (-u * 2.0 + 3.0)
}

/// `u³(10 − 15u + 6u²)`: from 0 to 1 with level and uncurved ends.
#[inline]
pub fn quintic<S: Scalar>(u: S) -> S {
    let u = u.clamp_to(S::zero(), S::one());
    u * u * u * ((u * 6.0 - 15.0) * u + 10.0)
}

/// `u(3 − u²)/2`: the cubic step from −1 at `u ≤ −1` to 1 at `u ≥ 1`.
#[inline]
pub fn odd_cubic<S: Scalar>(u: S) -> S {
    odd_cubic_piece(u.clamp_to(-S::one(), S::one()))
}

/// The cubic of [`odd_cubic`], going on as it came beyond its ends.
#[inline]
pub fn odd_cubic_piece<S: Scalar>(u: S) -> S {
    u * (-u * u + 3.0) * 0.5
}

/// `u(15 − 10u² + 3u⁴)/8`: the quintic step from −1 to 1.
#[inline]
pub fn odd_quintic<S: Scalar>(u: S) -> S {
    let u = u.clamp_to(-S::one(), S::one());
    let q = u * u;
    u * ((q * 3.0 - 10.0) * q + 15.0) * 0.125
}

#[cfg(test)]
mod step_tests {
    use super::*;

    #[test]
    fn an_odd_step_is_the_step_stretched_to_both_sides() {
        for i in -12..=12 {
            let u = f64::from(i) / 10.0;
            assert!((odd_cubic(u) - (2.0 * cubic((u + 1.0) / 2.0) - 1.0)).abs() < 1e-14);
            assert!((odd_quintic(u) - (2.0 * quintic((u + 1.0) / 2.0) - 1.0)).abs() < 1e-14);
        }
    }

    /// `S(q) = 0.95` has the root `q = 0.7067344007306536`.
    #[test]
    fn the_quintic_step_bears_ninety_five_per_cent_at_seven_tenths() {
        assert!((odd_quintic(0.7067344007306536) - 0.95f64).abs() < 1e-15);
    }
}
