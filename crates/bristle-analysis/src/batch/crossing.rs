//! Where within a step a guard fires.

use super::bundle::Bundle;
use super::{Context, MOST_STATES};
use crate::active_states::Row;
use bristle_solve::{Bracket, Dynamics, Point};

/// One lane's step with its interpolant.
pub(super) struct Inside {
    x0: [f64; MOST_STATES],
    r: [[f64; 4]; MOST_STATES],
}

/// Weights of the last term of the interpolant of order four.
const DENSE: [f64; 7] = [
    -12_715_105_075.0 / 11_282_082_432.0,
    0.0,
    87_487_479_700.0 / 32_700_410_799.0,
    -10_690_763_975.0 / 1_880_347_072.0,
    701_980_252_875.0 / 199_316_789_632.0,
    -1_453_857_185.0 / 822_651_844.0,
    69_997_945.0 / 29_380_423.0,
];

impl Inside {
    /// State `i` at a share of the step.
    pub fn at(&self, i: usize, theta: f64) -> f64 {
        let ([a, b, c, d], other) = (self.r[i], 1.0 - theta);
        self.x0[i] + theta * (a + other * (b + theta * (c + other * d)))
    }
}

impl<const N: usize> Bundle<N> {
    /// The first guard that fires within the step.
    pub fn first<D: Dynamics>(&self, context: &Context<'_, D>, lane: usize, inside: &Inside) -> LaneCrossing {
        let mut found = LaneCrossing::Nothing;
        for i in 0..=context.guards {
            let (g0, g1) = (self.start.value[i].0[lane], self.end.value[i].0[lane]);
            let (dg0, dg1) = (self.start.rate[i].0[lane], self.end.rate[i].0[lane]);
            if !self.is_armed[i].holds(lane) {
                let waits = !self.is_mute[i].holds(lane) && i < context.guards;
                if waits && g1 <= 0.0 && (g1 < g0 || dg1 < 0.0) {
                    return LaneCrossing::Undecided;
                }
                continue;
            }
            let value = |theta: f64| self.look(context, lane, inside, i, theta);
            let mut high = (1.0, g1);
            if g1 > 0.0 {
                let theta = dip(g0, g1, self.h.0[lane] * dg0, self.h.0[lane] * dg1);
                let may_dip = dg0 < 0.0 && dg1 > 0.0;
                high = (theta, if may_dip { value(theta) } else { 1.0 });
                if high.1 > 0.0 {
                    continue;
                }
            }
            let theta = root(value, g0, high);
            if !matches!(found, LaneCrossing::At(_, earlier) if earlier <= theta) {
                found = LaneCrossing::At(i, theta);
            }
        }
        found
    }

    /// Guard `i` at a share of the step.
    fn look<D: Dynamics>(
        &self,
        context: &Context<'_, D>,
        lane: usize,
        inside: &Inside,
        i: usize,
        theta: f64,
    ) -> f64 {
        let dim = context.dynamics.dim();
        let mut x: Row<f64> = std::iter::repeat_n(0.0, dim).collect();
        for k in 0..context.size {
            x[k] = inside.at(k, theta);
        }
        if i == context.guards {
            return context.section.height(&x);
        }
        let Some(cell) = &self.cells[lane] else { return f64::NAN };
        let mut g = [0.0; MOST_STATES];
        let t = self.t.0[lane] + theta * self.h.0[lane];
        let at = Point { t, x: &x, p: &cell.p, mode: self.mode() };
        context.dynamics.guards(at, &mut g[..context.guards]);
        g[i]
    }

    pub fn inside<D: Dynamics>(&self, context: &Context<'_, D>, lane: usize) -> Inside {
        let h = self.h.0[lane];
        let mut inside = Inside { x0: [0.0; MOST_STATES], r: [[0.0; 4]; MOST_STATES] };
        for i in 0..context.size {
            let k = |stage: usize| self.k[stage][i].0[lane];
            inside.x0[i] = self.x[i].0[lane];
            let way = self.x1[i].0[lane] - inside.x0[i];
            if let Some(implicit) = &self.implicit {
                let [first, second, third] = implicit.dense(lane, i);
                inside.r[i] = [way, first, second + third, -third];
                continue;
            }
            let bend = h * k(0) - way;
            let last = (0..7).map(|j| DENSE[j] * k(j)).sum::<f64>() * h;
            inside.r[i] = [way, bend, way - h * k(6) - bend, last];
        }
        inside
    }
}

/// What is found within a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum LaneCrossing {
    Nothing,
    At(usize, f64),
    /// A guard left zero and came back: the step was too long to tell.
    Undecided,
}

/// Where the cubic with these ends and slopes is lowest.
fn dip(g0: f64, g1: f64, d0: f64, d1: f64) -> f64 {
    // g' = d0 + 2 b θ + 3 c θ²
    let c = d0 + d1 - 2.0 * (g1 - g0);
    let b = g1 - g0 - d0 - c;
    let root = (b * b - 3.0 * c * d0).max(0.0).sqrt();
    let theta = if b + root == 0.0 { 0.5 } else { -d0 / (b + root) };
    theta.clamp(0.0, 1.0)
}

/// The share of the step at which a value that falls from `start` passes zero.
fn root(value: impl Fn(f64) -> f64, start: f64, end: (f64, f64)) -> f64 {
    let mut bracket = Bracket::new((0.0, start), end);
    for _ in 0..60 {
        let share = bracket.secant();
        if share.is_nan() {
            break;
        }
        let f = value(share);
        if f == 0.0 || bracket.width() < 1e-13 || f.abs() < 1e-15 * start {
            return share;
        }
        bracket.narrow(share, f);
    }
    bracket.places()[1]
}
