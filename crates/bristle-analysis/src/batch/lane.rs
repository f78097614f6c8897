//! Into a lane, out of it, and what to do where a guard may have fired within a step.

use super::bundle::{Bundle, Ends, MOST_STEPS};
use super::cell::Cell;
use super::{Context, MOST_STATES};
use crate::shooting::Hit;
use crate::tangent::LaneTangent;
use bristle_core::{LaneMask, Lanes};
use bristle_solve::{Dynamics, Point, State};

/// Steps cut short in a row before the general method takes over.
const MOST_CUTS: usize = 30;

/// What a look into a step tells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verdict {
    /// The lane goes on.
    GoesOn,
    /// The lane lies on this guard.
    Fires(usize),
    /// It has made all its returns.
    Done,
    /// It has not returned for too long.
    Late,
    /// This is for the general method.
    Hard,
}

/// One lane's step with its interpolant.
struct Inside {
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
    fn at(&self, i: usize, theta: f64) -> f64 {
        let ([a, b, c, d], other) = (self.r[i], 1.0 - theta);
        self.x0[i] + theta * (a + other * (b + theta * (c + other * d)))
    }
}

impl<const N: usize> Bundle<N> {
    pub fn new<D: Dynamics>(context: &Context<'_, D>) -> Self {
        let zero = Lanes::splat(0.0);
        let (none, states, m) = (LaneMask([0; N]), [zero; MOST_STATES], context.guards + 1);
        let ends = Ends { value: vec![zero; m], rate: vec![zero; m] };
        let count = context.dynamics.params().len();
        let zero2 = LaneTangent { re: zero, eps: [zero] };
        Self {
            cells: std::array::from_fn(|_| None),
            mode: Vec::new(),
            is_active: none,
            t: zero,
            h: zero,
            x: states,
            x1: states,
            k: [states; 7],
            p: vec![zero; count],
            along: vec![0.0.into(); count],
            absolute: states,
            line: [zero2; MOST_STATES],
            guards: [zero2; MOST_STATES],
            min: states,
            max: states,
            last_error: zero,
            error: zero,
            growth: zero,
            factor: zero,
            deadline: zero,
            steps: zero,
            start: ends.clone(),
            end: ends,
            is_armed: vec![none; m],
            is_mute: vec![none; m],
        }
    }

    /// Number of lanes at work.
    pub fn active(&self) -> usize {
        self.cells.iter().filter(|c| c.is_some()).count()
    }

    /// Puts a motion into a lane.
    pub fn load<D: Dynamics>(&mut self, context: &Context<'_, D>, lane: usize, cell: Box<Cell>) {
        for i in 0..context.size {
            self.x[i].0[lane] = cell.state.x[i];
            self.k[0][i].0[lane] = cell.rates[i];
            self.absolute[i].0[lane] = cell.absolute[i];
            self.min[i].0[lane] = cell.min[i];
            self.max[i].0[lane] = cell.max[i];
        }
        for (i, value) in cell.p.iter().enumerate() {
            self.p[i].0[lane] = *value;
            self.along[i].re.0[lane] = *value;
        }
        for (i, guard) in cell.guards.iter().enumerate() {
            self.start.value[i].0[lane] = guard.value;
            self.start.rate[i].0[lane] = guard.rate;
            self.is_armed[i].0[lane] = mask(guard.is_armed);
            self.is_mute[i].0[lane] = mask(guard.is_mute);
        }
        (self.t.0[lane], self.h.0[lane]) = (cell.state.t, cell.h);
        (self.last_error.0[lane], self.growth.0[lane]) = (cell.last_error, cell.growth);
        (self.deadline.0[lane], self.steps.0[lane]) = (cell.since + context.limit, cell.steps);
        self.is_active.0[lane] = u64::MAX;
        self.cells[lane] = Some(cell);
    }

    /// Takes a motion out of its lane, which idles from then on.
    pub fn unload<D: Dynamics>(&mut self, context: &Context<'_, D>, lane: usize) -> Option<Box<Cell>> {
        let mut cell = self.cells[lane].take()?;
        for i in 0..context.size {
            cell.state.x[i] = self.x[i].0[lane];
            cell.rates[i] = self.k[0][i].0[lane];
            cell.min[i] = self.min[i].0[lane];
            cell.max[i] = self.max[i].0[lane];
        }
        for (i, guard) in cell.guards.iter_mut().enumerate() {
            guard.value = self.start.value[i].0[lane];
            guard.rate = self.start.rate[i].0[lane];
            guard.is_armed = self.is_armed[i].holds(lane);
            guard.is_mute = self.is_mute[i].holds(lane);
        }
        (cell.state.t, cell.h) = (self.t.0[lane], self.h.0[lane]);
        (cell.last_error, cell.growth) = (self.last_error.0[lane], self.growth.0[lane]);
        cell.steps = self.steps.0[lane];
        // An idle lane stands still.
        self.h.0[lane] = 0.0;
        self.is_active.0[lane] = 0;
        Some(cell)
    }

    /// A lane without a motion of its own stands still where that of the first lane is.
    pub fn idle<D: Dynamics>(&mut self, context: &Context<'_, D>, lane: usize) {
        for i in 0..context.size {
            for states in [&mut self.x, &mut self.k[0], &mut self.absolute] {
                states[i].0[lane] = states[i].0[0];
            }
        }
        for (p, along) in self.p.iter_mut().zip(&mut self.along) {
            p.0[lane] = p.0[0];
            along.re.0[lane] = p.0[0];
        }
        (self.t.0[lane], self.h.0[lane]) = (self.t.0[0], 0.0);
    }

    fn take_one<D: Dynamics>(&mut self, context: &Context<'_, D>, lane: usize) {
        let mut only = LaneMask([0; N]);
        only.0[lane] = u64::MAX;
        self.take(context, only);
    }

    /// Looks into the step just tried in a lane that asked for attention.
    pub fn decide<D: Dynamics>(&mut self, context: &Context<'_, D>, lane: usize) -> Verdict {
        if self.deadline.0[lane] < self.t.0[lane] {
            return Verdict::Late;
        }
        if self.steps.0[lane] > MOST_STEPS {
            return Verdict::Hard;
        }
        let inside = self.inside(context, lane);
        loop {
            match self.first(context, lane, &inside) {
                Found::Nothing => {
                    self.take_one(context, lane);
                    return Verdict::GoesOn;
                }
                Found::Undecided => return self.cut(lane),
                Found::At(guard, theta) if guard < context.guards => {
                    self.stop(context, lane, &inside, theta);
                    return Verdict::Fires(guard);
                }
                Found::At(_, theta) => {
                    if self.hit(context, lane, &inside, theta) {
                        return Verdict::Done;
                    }
                }
            }
        }
    }

    /// Repeats the step, shorter.
    fn cut(&mut self, lane: usize) -> Verdict {
        self.h.0[lane] *= 0.25;
        self.growth.0[lane] = 1.0;
        let Some(cell) = &mut self.cells[lane] else { return Verdict::Hard };
        cell.cuts += 1;
        if cell.cuts > MOST_CUTS { Verdict::Hard } else { Verdict::GoesOn }
    }

    /// Ends the step where a guard fires.
    fn stop<D: Dynamics>(&mut self, context: &Context<'_, D>, lane: usize, inside: &Inside, theta: f64) {
        for i in 0..context.size {
            let x = inside.at(i, theta);
            self.x[i].0[lane] = x;
            self.min[i].0[lane] = self.min[i].0[lane].min(x);
            self.max[i].0[lane] = self.max[i].0[lane].max(x);
        }
        self.t.0[lane] += theta * self.h.0[lane];
        self.last_error.0[lane] = self.error.0[lane];
        self.growth.0[lane] = 10.0;
        self.h.0[lane] *= self.factor.0[lane].min(1.0);
    }

    /// The section is hit within the step, which changes nothing; was it the last hit?
    fn hit<D: Dynamics>(
        &mut self,
        context: &Context<'_, D>,
        lane: usize,
        inside: &Inside,
        theta: f64,
    ) -> bool {
        self.is_armed[context.guards].0[lane] = 0;
        let t = self.t.0[lane] + theta * self.h.0[lane];
        self.deadline.0[lane] = t + context.limit;
        self.steps.0[lane] = 0.0;
        let Some(cell) = &mut self.cells[lane] else { return true };
        let mut state = State { t, x: vec![0.0; context.dynamics.dim()], mode: self.mode.clone() };
        let (mut min, mut max) = (Vec::with_capacity(context.size), Vec::with_capacity(context.size));
        for i in 0..context.size {
            let x = inside.at(i, theta);
            state.x[i] = x;
            min.push(self.min[i].0[lane].min(x));
            max.push(self.max[i].0[lane].max(x));
            (self.min[i].0[lane], self.max[i].0[lane]) = (x, x);
        }
        cell.hits.push(Hit { state, min, max });
        cell.since = t;
        cell.hits.len() >= context.count
    }

    /// The first guard that fires within the step.
    fn first<D: Dynamics>(&self, context: &Context<'_, D>, lane: usize, inside: &Inside) -> Found {
        let mut found = Found::Nothing;
        for i in 0..=context.guards {
            let (g0, g1) = (self.start.value[i].0[lane], self.end.value[i].0[lane]);
            let (dg0, dg1) = (self.start.rate[i].0[lane], self.end.rate[i].0[lane]);
            if !self.is_armed[i].holds(lane) {
                let waits = !self.is_mute[i].holds(lane) && i < context.guards;
                if waits && g1 <= 0.0 && (g1 < g0 || dg1 < 0.0) {
                    return Found::Undecided;
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
            if !matches!(found, Found::At(_, earlier) if earlier <= theta) {
                found = Found::At(i, theta);
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
        let mut x = [0.0; MOST_STATES];
        for k in 0..context.size {
            x[k] = inside.at(k, theta);
        }
        if i == context.guards {
            return context.section.height(&x[..dim]);
        }
        let Some(cell) = &self.cells[lane] else { return f64::NAN };
        let mut g = [0.0; MOST_STATES];
        let t = self.t.0[lane] + theta * self.h.0[lane];
        let at = Point { t, x: &x[..dim], p: &cell.p, mode: &self.mode };
        context.dynamics.guards(at, &mut g[..context.guards]);
        g[i]
    }

    fn inside<D: Dynamics>(&self, context: &Context<'_, D>, lane: usize) -> Inside {
        let h = self.h.0[lane];
        let mut inside = Inside { x0: [0.0; MOST_STATES], r: [[0.0; 4]; MOST_STATES] };
        for i in 0..context.size {
            let k = |stage: usize| self.k[stage][i].0[lane];
            inside.x0[i] = self.x[i].0[lane];
            let way = self.x1[i].0[lane] - inside.x0[i];
            let bend = h * k(0) - way;
            let last = (0..7).map(|j| DENSE[j] * k(j)).sum::<f64>() * h;
            inside.r[i] = [way, bend, way - h * k(6) - bend, last];
        }
        inside
    }
}

/// What is found within a step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Found {
    Nothing,
    At(usize, f64),
    /// A guard left zero and came back: the step was too long to tell.
    Undecided,
}

fn mask(holds: bool) -> u64 {
    if holds { u64::MAX } else { 0 }
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

/// The share of the step at which a value that falls from `start` passes zero (Illinois method).
fn root(value: impl Fn(f64) -> f64, start: f64, (end, last): (f64, f64)) -> f64 {
    let (mut low, mut f_low, mut high, mut f_high) = (0.0, start, end, last);
    for _ in 0..60 {
        let share = (low * f_high - high * f_low) / (f_high - f_low);
        if share.is_nan() {
            break;
        }
        let f = value(share);
        if f == 0.0 || (high - low).abs() < 1e-13 || f.abs() < 1e-15 * start {
            return share;
        }
        if f * f_high < 0.0 {
            (low, f_low) = (high, f_high);
        } else {
            f_low *= 0.5;
        }
        (high, f_high) = (share, f);
    }
    high
}
