//! A cubic plus a sine.

use bristle_core::Scalar;

/// `c₀ + c₁ s + c₂ s² + c₃ s³ + a sin(ω s + φ)` with `s = t − t₀`.
#[derive(Clone, Copy, Debug)]
pub struct Form<S> {
    /// Where `s` counts from.
    pub t0: S,
    /// Coefficients of the cubic.
    pub c: [S; 4],
    /// Amplitude, angular frequency and phase of the sine.
    pub sine: Option<[S; 3]>,
}

impl<S: Scalar> Form<S> {
    /// A constant.
    pub fn constant(value: S) -> Self {
        Form { t0: S::zero(), c: [value, S::zero(), S::zero(), S::zero()], sine: None }
    }

    /// A straight line through `value` at `t0`.
    pub fn line(t0: S, value: S, slope: S) -> Self {
        Form { t0, c: [value, slope, S::zero(), S::zero()], sine: None }
    }

    /// The value.
    pub fn value(&self, t: S) -> S {
        let s = t - self.t0;
        let [c0, c1, c2, c3] = self.c;
        let cubic = c0 + s * (c1 + s * (c2 + s * c3));
        self.sine.map_or(cubic, |[a, w, phi]| cubic + a * (w * s + phi).sin())
    }

    /// The first derivative.
    pub fn rate(&self, t: S) -> S {
        let s = t - self.t0;
        let [_, c1, c2, c3] = self.c;
        let cubic = c1 + s * (c2 * 2.0 + s * c3 * 3.0);
        self.sine.map_or(cubic, |[a, w, phi]| cubic + a * w * (w * s + phi).cos())
    }

    /// The second derivative.
    pub fn second(&self, t: S) -> S {
        let s = t - self.t0;
        let [_, _, c2, c3] = self.c;
        let cubic = c2 * 2.0 + s * c3 * 6.0;
        self.sine.map_or(cubic, |[a, w, phi]| cubic - a * w * w * (w * s + phi).sin())
    }

    /// The integral between two times.
    pub fn integral(&self, from: S, to: S) -> S {
        self.primitive(to) - self.primitive(from)
    }

    fn primitive(&self, t: S) -> S {
        let s = t - self.t0;
        let [c0, c1, c2, c3] = self.c;
        let quartic = s * (c0 + s * (c1 / 2.0 + s * (c2 / 3.0 + s * c3 / 4.0)));
        self.sine.map_or(quartic, |[a, w, phi]| quartic - a * (w * s + phi).cos() / w)
    }
}
