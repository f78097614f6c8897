//! Rates, exact Jacobians and guard rates of a [`Dynamics`], with all buffers made once.

use crate::jacobian::Jacobian;
use crate::source::{RatesIn, Source};
use crate::{Dynamics, Point};
use bristle_core::{Dual, Mode, Scalar, derivative, partial, seed};

/// Evaluates a [`Dynamics`] in plain and in dual numbers and counts how often.
///
/// Parameters are lifted to each number type once, so that an evaluation allocates nothing.
pub struct Evaluator<'a> {
    dynamics: &'a dyn Source,
    dim: usize,
    coupled: usize,
    plain: Vec<f64>,
    one: Lift<1>,
    two: Lift<2>,
    four: Lift<4>,
    eight: Lift<8>,
    line: Lift<1>,
    line_guards: Vec<Dual<1>>,
    /// Times are moved into this window: a rate that jumps at a break is seen from inside the step.
    window: (f64, f64),
    /// Evaluations of the rates in plain numbers.
    pub evaluations: usize,
    /// Evaluations of the Jacobian.
    pub jacobians: usize,
}

/// Parameters, states and rates in one number type.
struct Lift<const W: usize> {
    p: Vec<Dual<W>>,
    x: Vec<Dual<W>>,
    dx: Vec<Dual<W>>,
    /// The first colour the states are seeded for, once they are.
    seeded: Option<usize>,
}

impl<const W: usize> Lift<W> {
    fn new(p: &[f64], dim: usize) -> Self {
        let zero = Dual::<W>::from(0.0);
        Lift {
            p: p.iter().map(|&v| Dual::from(v)).collect(),
            x: vec![zero; dim],
            dx: vec![zero; dim],
            seeded: None,
        }
    }
}

/// How many seeds the next pass takes when so many are left.
fn width(left: usize) -> usize {
    match left {
        1 | 2 => left,
        3 | 4 => 4,
        _ => 8,
    }
}

impl<const W: usize> Lift<W> {
    /// With room only if a pass of a Jacobian with so many seeds takes `W` of them.
    fn if_needed(p: &[f64], dim: usize, seeds: usize) -> Self {
        let passes = std::iter::successors(Some(seeds), |&left| left.checked_sub(width(left)));
        let is_needed = passes.take_while(|&left| left > 0).any(|left| width(left) == W);
        if is_needed { Lift::new(p, dim) } else { Lift::new(&[], 0) }
    }

    fn set_params(&mut self, p: &[f64]) {
        for (slot, &value) in self.p.iter_mut().zip(p) {
            *slot = Dual::from(value);
        }
    }

    /// Sets the states, seeded with the colours of this pass. From one Jacobian to the next only values change.
    fn set(&mut self, pass: &Pass, jacobian: &Jacobian) {
        if self.seeded != Some(pass.first) {
            self.seeded = Some(pass.first);
            for (i, slot) in self.x.iter_mut().enumerate() {
                let colour = jacobian.colour(i).wrapping_sub(pass.first);
                let is_seeded = i < jacobian.coupled() && colour < W;
                *slot = if is_seeded { seed(0.0, colour) } else { Dual::from(0.0) };
            }
        }
        for (slot, &value) in self.x.iter_mut().zip(pass.x) {
            slot.re = value;
        }
    }
}

impl<'a> Evaluator<'a> {
    /// Prepares buffers for `dynamics` with parameters `p`.
    pub fn new<D: Dynamics>(dynamics: &'a D, p: &[f64]) -> Self {
        let dim = dynamics.dim();
        let coupled = dim - dynamics.quadratures();
        let seeds = Jacobian::count_colours(coupled, Dynamics::band(dynamics))
            + usize::from(!Dynamics::is_autonomous(dynamics));
        // Guards are differentiated along the motion, and so are quadratures.
        let needs_line = dynamics.guard_count() > 0 || coupled < dim;
        Evaluator {
            dynamics,
            dim,
            coupled,
            plain: p.to_vec(),
            one: Lift::if_needed(p, dim, seeds),
            two: Lift::if_needed(p, dim, seeds),
            four: Lift::if_needed(p, dim, seeds),
            eight: Lift::if_needed(p, dim, seeds),
            line: if needs_line { Lift::new(p, dim) } else { Lift::new(&[], 0) },
            line_guards: vec![Dual::from(0.0); dynamics.guard_count()],
            window: (f64::NEG_INFINITY, f64::INFINITY),
            evaluations: 0,
            jacobians: 0,
        }
    }

    /// Replaces the parameters without a new allocation.
    pub fn set_params(&mut self, p: &[f64]) {
        self.plain.copy_from_slice(p);
        self.line.set_params(p);
        self.one.set_params(p);
        self.two.set_params(p);
        self.four.set_params(p);
        self.eight.set_params(p);
    }

    /// The dynamics.
    pub(crate) fn dynamics(&self) -> &'a dyn Source {
        self.dynamics
    }

    /// The parameters.
    pub fn params(&self) -> &[f64] {
        &self.plain
    }

    /// Number of states.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Number of states before the quadratures.
    pub fn coupled(&self) -> usize {
        self.coupled
    }

    /// A Jacobian of the right shape.
    pub fn new_jacobian(&self) -> Jacobian {
        Jacobian::new(self.dim, self.coupled, self.dynamics.band())
    }

    /// Sets the window times are moved into.
    pub(crate) fn set_window(&mut self, window: (f64, f64)) {
        self.window = window;
    }

    /// Writes `ẋ`.
    #[inline]
    pub fn rates(&mut self, t: f64, x: &[f64], mode: &[Mode], dx: &mut [f64]) {
        self.evaluations += 1;
        let t = t.clamp(self.window.0, self.window.1);
        self.dynamics.rates_in(Point { t, x, p: &self.plain, mode }, dx);
    }

    /// Writes the guards.
    pub fn guards(&self, t: f64, x: &[f64], mode: &[Mode], g: &mut [f64]) {
        let t = t.clamp(self.window.0, self.window.1);
        self.dynamics.guards_plain(Point { t, x, p: &self.plain, mode }, g);
    }

    /// Writes the guards and their time derivatives along the direction `dx`.
    pub fn guard_rates(
        &mut self,
        t: f64,
        x: &[f64],
        dx: &[f64],
        mode: &[Mode],
        g: &mut [f64],
        dg: &mut [f64],
    ) {
        let t = t.clamp(self.window.0, self.window.1);
        for i in 0..self.dim {
            self.line.x[i] = derivative(x[i], [dx[i]]);
        }
        let at = Point { t: derivative(t, [1.0]), x: &self.line.x, p: &self.line.p, mode };
        self.dynamics.guards_along(at, &mut self.line_guards);
        for (i, guard) in self.line_guards.iter().enumerate() {
            (g[i], dg[i]) = (guard.value(), partial(guard, 0));
        }
    }

    /// Writes `(∂f/∂x) v` for a direction `v` of the coupled states, quadrature rows only.
    pub(crate) fn quadrature_slope(&mut self, t: f64, x: &[f64], v: &[f64], mode: &[Mode], out: &mut [f64]) {
        let t = t.clamp(self.window.0, self.window.1);
        for i in 0..self.dim {
            let slope = if i < self.coupled { v[i] } else { 0.0 };
            self.line.x[i] = derivative(x[i], [slope]);
        }
        let at = Point { t: Dual::from(t), x: &self.line.x, p: &self.line.p, mode };
        self.dynamics.rates_in(at, &mut self.line.dx);
        for (i, slot) in out.iter_mut().enumerate() {
            *slot = partial(&self.line.dx[self.coupled + i], 0);
        }
    }

    /// Writes `ẋ`, `∂f/∂x` and `∂f/∂t`, all exact.
    ///
    /// Columns are seeded several at a time; with a band, columns that share no row share a seed, so that the
    /// cost does not grow with the number of states. An entry that is not finite (the slope of a root at zero)
    /// counts as zero: the error control of the step judges the consequence.
    pub fn jacobian(&mut self, t: f64, x: &[f64], mode: &[Mode], jacobian: &mut Jacobian, dx: &mut [f64]) {
        self.jacobians += 1;
        let t = t.clamp(self.window.0, self.window.1);
        let time = !self.dynamics.is_autonomous();
        if !time {
            jacobian.time.fill(0.0);
        }
        let colours = jacobian.colours();
        let seeds = colours + usize::from(time);
        let mut first = 0;
        while first < seeds {
            let left = seeds - first;
            let pass = Pass { t, x, mode, first, colours, time };
            match width(left) {
                1 => sweep(self.dynamics, &mut self.one, &pass, jacobian, dx),
                2 => sweep(self.dynamics, &mut self.two, &pass, jacobian, dx),
                4 => sweep(self.dynamics, &mut self.four, &pass, jacobian, dx),
                _ => sweep(self.dynamics, &mut self.eight, &pass, jacobian, dx),
            }
            first += width(left);
        }
        if seeds == 0 {
            self.rates(t, x, mode, dx);
        }
        jacobian.keep_finite();
    }
}

/// Where one sweep over `W` seeds starts.
struct Pass<'a> {
    t: f64,
    x: &'a [f64],
    mode: &'a [Mode],
    first: usize,
    colours: usize,
    time: bool,
}

/// Evaluates the rates with `W` seeds and stores the columns they stand for.
fn sweep<const W: usize>(
    dynamics: &dyn Source,
    lift: &mut Lift<W>,
    pass: &Pass,
    jacobian: &mut Jacobian,
    dx: &mut [f64],
) where
    for<'a> dyn Source + 'a: RatesIn<Dual<W>>,
{
    lift.set(pass, jacobian);
    let slot = pass.colours.wrapping_sub(pass.first);
    let t = if pass.time && slot < W { seed(pass.t, slot) } else { Dual::from(pass.t) };
    RatesIn::rates_in(dynamics, Point { t, x: &lift.x, p: &lift.p, mode: pass.mode }, &mut lift.dx);
    for (i, rate) in lift.dx.iter().enumerate() {
        dx[i] = rate.value();
        if pass.time && slot < W {
            jacobian.time[i] = partial(rate, slot);
        }
    }
    jacobian.store(&lift.dx, pass.first, pass.colours);
}
