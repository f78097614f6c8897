//! Rates, exact Jacobians and guard rates of a [`Dynamics`], with all buffers made once.

use crate::compiled::{self, Linearise};
use crate::jacobian::Jacobian;
use crate::methods::Here;
use crate::methods::rosenbrock::Scheme;
use crate::methods::rosenbrock::compact::Job;
use crate::programs::Programs;
use crate::source::{RatesIn, Source};
use crate::{Dynamics, Point};
use bristle_core::{Dual, Enclosure, Mode, Scalar, derivative, partial, seed};

/// Parameters in all number types, and the window that times are moved into.
///
/// They are lifted once, so that an evaluation allocates nothing.
pub(crate) struct LiftedParams {
    pub plain: Vec<f64>,
    pub one: Vec<Dual<1>>,
    pub two: Vec<Dual<2>>,
    pub four: Vec<Dual<4>>,
    pub eight: Vec<Dual<8>>,
    pub over: Vec<Enclosure>,
    /// A rate that jumps at a break is seen from inside the step.
    window: (f64, f64),
}

impl LiftedParams {
    fn new(p: &[f64]) -> Self {
        LiftedParams {
            plain: p.to_vec(),
            one: lifted(p),
            two: lifted(p),
            four: lifted(p),
            eight: lifted(p),
            over: p.iter().map(|&value| value.into()).collect(),
            window: (f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    fn set(&mut self, p: &[f64]) {
        self.plain.copy_from_slice(p);
        self.one.iter_mut().zip(p).for_each(|(slot, &value)| *slot = Dual::from(value));
        self.two.iter_mut().zip(p).for_each(|(slot, &value)| *slot = Dual::from(value));
        self.four.iter_mut().zip(p).for_each(|(slot, &value)| *slot = Dual::from(value));
        self.eight.iter_mut().zip(p).for_each(|(slot, &value)| *slot = Dual::from(value));
        self.over.iter_mut().zip(p).for_each(|(slot, &value)| *slot = value.into());
    }

    /// The time, moved into the window.
    #[inline]
    pub fn within(&self, t: f64) -> f64 {
        t.clamp(self.window.0, self.window.1)
    }
}

fn lifted<const W: usize>(p: &[f64]) -> Vec<Dual<W>> {
    p.iter().map(|&value| Dual::from(value)).collect()
}

/// Evaluates a [`Dynamics`] in plain and in dual numbers and counts how often.
pub struct Evaluator<'a> {
    dynamics: &'a dyn Source,
    dim: usize,
    coupled: usize,
    /// The Jacobian is compiled together with the rates.
    is_compiled: bool,
    /// The system solves linear systems in its own way.
    is_structured: bool,
    params: LiftedParams,
    one: Room<1>,
    two: Room<2>,
    four: Room<4>,
    eight: Room<8>,
    line: Room<1>,
    line_guards: Vec<Dual<1>>,
    /// What stands for the equations once it is recorded.
    programs: Programs,
    /// Evaluations of the rates in plain numbers.
    pub evaluations: usize,
    /// Evaluations of the Jacobian.
    pub jacobians: usize,
}

/// States and rates in one number type.
struct Room<const W: usize> {
    x: Vec<Dual<W>>,
    dx: Vec<Dual<W>>,
    /// The first colour the states are seeded for, once they are.
    seeded: Option<usize>,
}

/// How many seeds the next pass takes when so many are left.
pub(crate) fn width(left: usize) -> usize {
    match left {
        1 | 2 => left,
        3 | 4 => 4,
        _ => 8,
    }
}

impl<const W: usize> Room<W> {
    fn new(dim: usize) -> Self {
        let zero = Dual::<W>::from(0.0);
        Room { x: vec![zero; dim], dx: vec![zero; dim], seeded: None }
    }

    /// With room only if a pass of a Jacobian with so many seeds takes `W` of them.
    fn if_needed(dim: usize, seeds: usize) -> Self {
        let passes = std::iter::successors(Some(seeds), |&left| left.checked_sub(width(left)));
        let is_needed = passes.take_while(|&left| left > 0).any(|left| width(left) == W);
        Room::new(if is_needed { dim } else { 0 })
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
        let mut new = Self::with(dynamics, p, Dynamics::has_structure(dynamics));
        let is_wanted = Dynamics::recordings(dynamics).is_some() && !new.is_structured && !new.is_compiled;
        new.programs = Programs::new(new.dim, is_wanted);
        new
    }

    /// The same for those who need every entry of the Jacobian, whatever structure it has.
    #[cfg(feature = "diffsol")]
    pub(crate) fn full<D: Dynamics>(dynamics: &'a D, p: &[f64]) -> Self {
        Self::with(dynamics, p, false)
    }

    fn with<D: Dynamics>(dynamics: &'a D, p: &[f64], is_structured: bool) -> Self {
        let dim = dynamics.dim();
        let coupled = dim - dynamics.quadratures();
        let seeds = Jacobian::count_colours(coupled, Dynamics::band(dynamics))
            + usize::from(!Dynamics::is_autonomous(dynamics));
        // One sweep of a compiled system has its room on the stack.
        let is_dense = coupled == dim && seeds <= 8 && Dynamics::band(dynamics).is_none();
        let is_compiled = is_dense && compiled::is_compiled::<D>(dim);
        let seeds = if is_compiled || is_structured { 0 } else { seeds };
        // Guards are differentiated along the motion, and so are quadratures where no structure knows them.
        let needs_line = dynamics.guard_count() > 0 || (coupled < dim && !is_structured);
        Evaluator {
            dynamics,
            dim,
            coupled,
            is_compiled,
            is_structured,
            params: LiftedParams::new(p),
            one: Room::if_needed(dim, seeds),
            two: Room::if_needed(dim, seeds),
            four: Room::if_needed(dim, seeds),
            eight: Room::if_needed(dim, seeds),
            line: Room::new(if needs_line { dim } else { 0 }),
            line_guards: vec![Dual::from(0.0); dynamics.guard_count()],
            programs: Programs::new(dim, false),
            evaluations: 0,
            jacobians: 0,
        }
    }

    /// Evaluates the equations as they are written from now on.
    pub(crate) fn without_programs(&mut self) {
        self.programs = Programs::new(self.dim, false);
    }

    /// Replaces the parameters without a new allocation.
    pub fn set_params(&mut self, p: &[f64]) {
        self.params.set(p);
        self.programs.forget_parameters();
    }

    /// The dynamics.
    pub(crate) fn dynamics(&self) -> &'a dyn Source {
        self.dynamics
    }

    /// The parameters.
    pub fn params(&self) -> &[f64] {
        &self.params.plain
    }

    /// Number of states.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Number of states before the quadratures.
    pub fn coupled(&self) -> usize {
        self.coupled
    }

    /// Tries an implicit step compiled together with the rates and gives the norm of its error; nothing if it is not.
    pub(crate) fn step(&mut self, scheme: Scheme, job: &mut Job) -> Option<f64> {
        let norm = self.dynamics.step(scheme, &self.params, job)?;
        self.evaluations += scheme.table().a.len() - 1;
        Some(norm)
    }

    /// A Jacobian of the right shape.
    pub fn new_jacobian(&self) -> Jacobian {
        match self.dynamics.structure().filter(|_| self.is_structured) {
            Some(own) => Jacobian::structured(self.dim, self.coupled, own),
            None => Jacobian::new(self.dim, self.coupled, self.dynamics.band()),
        }
    }

    /// Whether the system solves linear systems in its own way.
    pub(crate) fn is_structured(&self) -> bool {
        self.is_structured
    }

    /// Sets the window times are moved into.
    pub(crate) fn set_window(&mut self, window: (f64, f64)) {
        self.params.window = window;
        self.programs.forget_piece();
    }

    /// Writes `ẋ`.
    #[inline]
    pub fn rates(&mut self, t: f64, x: &[f64], mode: &[Mode], dx: &mut [f64]) {
        self.evaluations += 1;
        let at = Point { t: self.params.within(t), x, p: &self.params.plain, mode };
        if !self.programs.rates(self.dynamics, at, dx) {
            self.dynamics.rates_in(at, dx);
        }
    }

    /// Writes the guards.
    pub fn guards(&mut self, t: f64, x: &[f64], mode: &[Mode], g: &mut [f64]) {
        let at = Point { t: self.params.within(t), x, p: &self.params.plain, mode };
        if !self.programs.guards(self.dynamics, at, g) {
            self.dynamics.guards_plain(at, g);
        }
    }

    /// Bounds the guards and their rates over the time `t`, for states known to lie within `x`.
    pub(crate) fn guards_over(&self, t: [f64; 2], x: &[Enclosure], mode: &[Mode], g: &mut [Enclosure]) {
        let t = t.map(|t| self.params.within(t));
        // The length may be rounded down.
        let span = (t[1] - t[0]) * (1.0 + 4.0 * f64::EPSILON);
        let time = Enclosure::over(t, [1.0, 1.0], [t[0], t[0]], span);
        let at = Point { t: time, x, p: &self.params.over, mode };
        self.dynamics.guards_over(at, g);
    }

    /// The time as rates see it: on the near side of a break.
    pub(crate) fn within(&self, t: f64) -> f64 {
        self.params.within(t)
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
        let t = self.params.within(t);
        let at = Point { t, x, p: self.params.plain.as_slice(), mode };
        if self.programs.guard_rates(self.dynamics, at, dx, g, dg) {
            return;
        }
        for i in 0..self.dim {
            self.line.x[i] = derivative(x[i], [dx[i]]);
        }
        let at = Point { t: derivative(t, [1.0]), x: &self.line.x, p: &self.params.one, mode };
        self.dynamics.guards_along(at, &mut self.line_guards);
        for (i, guard) in self.line_guards.iter().enumerate() {
            (g[i], dg[i]) = (guard.value(), partial(guard, 0));
        }
    }

    /// Writes `(∂f/∂x) v` for a direction `v` of the coupled states, quadrature rows only.
    pub(crate) fn quadrature_slope(&mut self, t: f64, x: &[f64], v: &[f64], mode: &[Mode], out: &mut [f64]) {
        let t = self.params.within(t);
        let at = Point { t, x, p: self.params.plain.as_slice(), mode };
        if self.programs.quadrature_slopes(self.dynamics, at, v, out) {
            return;
        }
        for i in 0..self.dim {
            let slope = if i < self.coupled { v[i] } else { 0.0 };
            self.line.x[i] = derivative(x[i], [slope]);
        }
        let at = Point { t: Dual::from(t), x: &self.line.x, p: &self.params.one, mode };
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
        if self.is_structured {
            return self.linearise(t, x, mode, jacobian, dx);
        }
        let (values, slopes) = jacobian.parts_mut();
        let job = Linearise { at: Here { t, x, mode }, jacobian: values, slopes, rates: dx };
        if self.is_compiled && self.dynamics.linearise(&self.params, job) {
            return;
        }
        let t = self.params.within(t);
        let here = Point { t, x, p: self.params.plain.as_slice(), mode };
        if self.programs.jacobian(self.dynamics, here, jacobian, dx) {
            return;
        }
        let time = !self.dynamics.is_autonomous();
        if !time {
            jacobian.parts_mut().1.fill(0.0);
        }
        let colours = jacobian.colours();
        let seeds = colours + usize::from(time);
        let mut first = 0;
        while first < seeds {
            let left = seeds - first;
            let pass = Pass { t, x, mode, first, colours, time };
            match width(left) {
                1 => sweep(self.dynamics, &mut self.one, &self.params.one, &pass, jacobian, dx),
                2 => sweep(self.dynamics, &mut self.two, &self.params.two, &pass, jacobian, dx),
                4 => sweep(self.dynamics, &mut self.four, &self.params.four, &pass, jacobian, dx),
                _ => sweep(self.dynamics, &mut self.eight, &self.params.eight, &pass, jacobian, dx),
            }
            first += width(left);
        }
        if seeds == 0 {
            self.rates(t, x, mode, dx);
        }
        jacobian.keep_finite();
    }
}

impl Evaluator<'_> {
    /// Rates, their slopes in time, and a Jacobian of the system's own making.
    fn linearise(&mut self, t: f64, x: &[f64], mode: &[Mode], jacobian: &mut Jacobian, dx: &mut [f64]) {
        let t = self.params.within(t);
        let Some((own, slopes)) = jacobian.structure_mut() else { return };
        own.linearise(Point { t, x, p: &self.params.plain, mode }, dx, slopes);
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
    room: &mut Room<W>,
    p: &[Dual<W>],
    pass: &Pass,
    jacobian: &mut Jacobian,
    dx: &mut [f64],
) where
    for<'a> dyn Source + 'a: RatesIn<Dual<W>>,
{
    room.set(pass, jacobian);
    let slot = pass.colours.wrapping_sub(pass.first);
    let t = if pass.time && slot < W { seed(pass.t, slot) } else { Dual::from(pass.t) };
    RatesIn::rates_in(dynamics, Point { t, x: &room.x, p, mode: pass.mode }, &mut room.dx);
    for (i, rate) in room.dx.iter().enumerate() {
        dx[i] = rate.value();
        if pass.time && slot < W {
            jacobian.parts_mut().1[i] = partial(rate, slot);
        }
    }
    jacobian.store(&room.dx, pass.first, pass.colours);
}
