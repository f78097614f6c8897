//! How smooth the law is, found by hunting for jumps of the force, of the rates of its states and of their exact
//! derivatives.

use crate::CertifyError;
use crate::bench::LawBench;
use bristle_core::{Dual, Scalar, seed};
use bristle_law::{AnyLaw, At, LawKind};
use serde::Serialize;

/// How often the force and the rates of the states can be differentiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Smoothness {
    /// The force or a rate jumps.
    Jump,
    /// Both are continuous, a slope jumps.
    C0,
    /// The slopes are continuous, a curvature jumps.
    C1,
    /// No jump up to the second derivative.
    C2,
}

impl Smoothness {
    /// As mathematicians write it.
    pub fn words(self) -> &'static str {
        match self {
            Smoothness::Jump => "jump",
            Smoothness::C0 => "C⁰",
            Smoothness::C1 => "C¹",
            Smoothness::C2 => "C² or more",
        }
    }
}

/// A number with two derivatives in one direction.
type NestedDual = Dual<1, Dual<1>>;

/// Along which line the force is looked at.
struct SmoothnessProbe<'a> {
    kind: LawKind,
    law: &'a bristle_mech::Spec,
    load: f64,
    /// Law states in units of their scales.
    z: Vec<f64>,
    v: f64,
    /// Which number varies: the slip rate, or a state.
    along: Option<usize>,
}

pub(crate) fn measure(bench: &LawBench) -> Result<Smoothness, CertifyError> {
    if bench.is_set_valued()? {
        return Ok(Smoothness::Jump);
    }
    let kind = bench.kind()?;
    let mut scales = vec![1.0; kind.states()];
    kind.build(&bench.law.numbers, &bench.law.choices).scales(bench.normal(), &mut scales);
    let mut found = Smoothness::C2;
    for share in [0.3, -0.55, 0.85] {
        let z: Vec<f64> = scales.iter().map(|s| s * share).collect();
        let base = SmoothnessProbe { kind, law: &bench.law, load: bench.normal(), z, v: 0.0, along: None };
        found = found.min(class(&base, &speeds()));
        for (state, scale) in scales.iter().enumerate() {
            for v in [3e-4, -7e-3] {
                let probe = SmoothnessProbe { v, along: Some(state), z: base.z.clone(), ..base };
                let grid: Vec<f64> = (-60..=60).map(|i| scale * f64::from(i) * 0.0251).collect();
                found = found.min(class(&probe, &grid));
            }
        }
    }
    Ok(found)
}

/// Slip rates of both signs, even in their logarithm, and none of them a round number.
fn speeds() -> Vec<f64> {
    let one_side: Vec<f64> = (0..=160).map(|i| 1.037e-7 * 10f64.powf(f64::from(i) / 20.0)).collect();
    one_side.iter().rev().map(|v| -v).chain(one_side.iter().copied()).collect()
}

/// The class along one line.
fn class(probe: &SmoothnessProbe, grid: &[f64]) -> Smoothness {
    for (order, class) in [(0, Smoothness::Jump), (1, Smoothness::C0), (2, Smoothness::C1)] {
        let outputs = 1 + probe.z.len();
        if (0..outputs).any(|output| jumps(&|s| probe.force(s, output)[order], grid)) {
            return class;
        }
    }
    Smoothness::C2
}

impl SmoothnessProbe<'_> {
    /// The force, or the rate of a state, and its first two derivatives along the line.
    fn force(&self, s: f64, output: usize) -> [f64; 3] {
        let moving = NestedDual { re: seed(s, 0), eps: [1.0.into()] };
        let fixed = |value: f64| NestedDual::from(value);
        let v = if self.along.is_none() { moving } else { fixed(self.v) };
        let mut z: Vec<NestedDual> = self.z.iter().map(|z| fixed(*z)).collect();
        if let Some(state) = self.along {
            z[state] = moving;
        }
        let numbers: Vec<NestedDual> = self.law.numbers.iter().map(|p| fixed(*p)).collect();
        let law: AnyLaw<NestedDual> = self.kind.build(&numbers, &self.law.choices);
        let mut dz = vec![fixed(0.0); z.len()];
        let force = law.eval(&At::sliding(v, fixed(self.load)), &z, &mut dz);
        let number = if output == 0 { force } else { dz[output - 1] };
        [number.value(), number.eps[0].re, number.eps[0].eps[0]]
    }
}

/// Follows the largest changes into ever smaller intervals; a change that does not shrink is a jump.
fn jumps(g: &dyn Fn(f64) -> f64, grid: &[f64]) -> bool {
    let values: Vec<f64> = grid.iter().map(|s| g(*s)).collect();
    let mut steps: Vec<(f64, usize)> =
        values.windows(2).enumerate().map(|(i, w)| ((w[1] - w[0]).abs(), i)).collect();
    steps.sort_by(|a, b| b.0.total_cmp(&a.0));
    steps.iter().take(24).any(|(change, i)| {
        let (mut a, mut b, mut left, mut right) = (grid[*i], grid[i + 1], values[*i], values[i + 1]);
        for _ in 0..90 {
            let middle = 0.5 * (a + b);
            if middle <= a || middle >= b {
                break;
            }
            let value = g(middle);
            if (value - left).abs() > (right - value).abs() {
                (b, right) = (middle, value);
            } else {
                (a, left) = (middle, value);
            }
        }
        // What is left of a steep but smooth change is of the size of rounding.
        let size = left.abs().max(right.abs());
        (right - left).abs() > 1e-6 * change.max(1e-6 * size) && (right - left).abs() > 1e-9 * size
    })
}
