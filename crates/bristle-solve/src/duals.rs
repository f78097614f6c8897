//! Derivatives of equations as they are written, by dual numbers: for dynamics that are not recorded, or not yet.

use crate::Point;
use crate::erased::{ErasedDynamics, RatesIn};
use crate::jacobian::Jacobian;
use bristle_core::{Dual, Scalar, derivative, partial, seed};

/// Numbers of all widths, each made when it is first needed.
#[derive(Clone, Default)]
pub(crate) struct Duals {
    one: DualRoom<1>,
    four: DualRoom<4>,
    eight: DualRoom<8>,
    guards: Vec<Dual<1>>,
}

/// Parameters, states and rates in one number type.
#[derive(Clone, Default)]
struct DualRoom<const W: usize> {
    p: Vec<Dual<W>>,
    x: Vec<Dual<W>>,
    dx: Vec<Dual<W>>,
}

impl<const W: usize> DualRoom<W> {
    /// Makes room for the numbers of this point, with its parameters.
    fn prepare(&mut self, at: &Point<f64>) {
        let zero = Dual::<W>::from(0.0);
        if self.p.len() != at.p.len() {
            self.p.clear();
            self.p.extend(at.p.iter().map(|&value| Dual::from(value)));
        }
        self.x.resize(at.x.len(), zero);
        self.dx.resize(at.x.len(), zero);
    }
}

/// Where one sweep over `W` seeds starts.
struct Pass<'a> {
    at: Point<'a, f64>,
    first: usize,
    colours: usize,
    is_autonomous: bool,
}

impl Duals {
    /// Makes room ahead of the first use for Jacobians of so many seeds, and for guards.
    pub fn prepare(&mut self, at: &Point<f64>, seeds: usize, guards: usize) {
        self.one.prepare(at);
        self.guards.resize(guards, Dual::from(0.0));
        if (2..=4).contains(&(seeds % 8)) {
            self.four.prepare(at);
        }
        if seeds > 4 {
            self.eight.prepare(at);
        }
    }

    /// The parameters have changed.
    pub fn forget_parameters(&mut self) {
        self.one.p.clear();
        self.four.p.clear();
        self.eight.p.clear();
    }

    /// Writes the guards and their time derivatives along the direction `dx`.
    pub fn guard_rates(
        &mut self,
        source: &dyn ErasedDynamics,
        at: Point<f64>,
        dx: &[f64],
        g: &mut [f64],
        dg: &mut [f64],
    ) {
        self.one.prepare(&at);
        self.guards.resize(g.len(), Dual::from(0.0));
        for i in 0..dx.len() {
            self.one.x[i] = derivative(at.x[i], [dx[i]]);
        }
        let point = Point { t: derivative(at.t, [1.0]), x: &self.one.x, p: &self.one.p, mode: at.mode };
        source.guards_along(point, &mut self.guards);
        for (i, guard) in self.guards.iter().enumerate() {
            (g[i], dg[i]) = (guard.value(), partial(guard, 0));
        }
    }

    /// Writes `(∂f/∂x) v` for a direction `v` of the coupled states, quadrature rows only.
    pub fn quadrature_slope(
        &mut self,
        source: &dyn ErasedDynamics,
        at: Point<f64>,
        v: &[f64],
        coupled: usize,
        out: &mut [f64],
    ) {
        self.one.prepare(&at);
        for (i, slot) in self.one.x.iter_mut().enumerate() {
            *slot = derivative(at.x[i], [if i < coupled { v[i] } else { 0.0 }]);
        }
        let point = Point { t: Dual::from(at.t), x: &self.one.x, p: &self.one.p, mode: at.mode };
        source.rates_in(point, &mut self.one.dx);
        for (slot, rate) in out.iter_mut().zip(&self.one.dx[coupled..]) {
            *slot = partial(rate, 0);
        }
    }

    /// Writes `ẋ`, `∂f/∂x` and `∂f/∂t`.
    ///
    /// Columns are seeded several at a time; with a band, columns that share no row share a seed, so that the
    /// cost does not grow with the number of states.
    pub fn jacobian(
        &mut self,
        source: &dyn ErasedDynamics,
        at: Point<f64>,
        jacobian: &mut Jacobian,
        dx: &mut [f64],
    ) {
        let is_autonomous = source.is_autonomous();
        if is_autonomous {
            jacobian.time_mut().fill(0.0);
        }
        let colours = jacobian.colours();
        let seeds = colours + usize::from(!is_autonomous);
        let mut first = 0;
        while first < seeds {
            let pass = Pass { at, first, colours, is_autonomous };
            match seeds - first {
                1 => first += sweep(source, &mut self.one, &pass, jacobian, dx),
                2..=4 => first += sweep(source, &mut self.four, &pass, jacobian, dx),
                _ => first += sweep(source, &mut self.eight, &pass, jacobian, dx),
            }
        }
        if seeds == 0 {
            source.rates_in(at, dx);
        }
        jacobian.keep_finite();
    }
}

/// Evaluates the rates with `W` seeds and stores the columns they stand for; gives how many.
fn sweep<const W: usize>(
    source: &dyn ErasedDynamics,
    room: &mut DualRoom<W>,
    pass: &Pass,
    jacobian: &mut Jacobian,
    dx: &mut [f64],
) -> usize
where
    for<'a> dyn ErasedDynamics + 'a: RatesIn<Dual<W>>,
{
    let Pass { at, first, colours, is_autonomous } = *pass;
    room.prepare(&at);
    for (i, slot) in room.x.iter_mut().enumerate() {
        let colour = jacobian.colour(i).wrapping_sub(first);
        let is_seeded = i < jacobian.coupled() && colour < W;
        *slot = if is_seeded { seed(at.x[i], colour) } else { Dual::from(at.x[i]) };
    }
    let slot = colours.wrapping_sub(first);
    let has_time = !is_autonomous && slot < W;
    let t = if has_time { seed(at.t, slot) } else { Dual::from(at.t) };
    RatesIn::rates_in(source, Point { t, x: &room.x, p: &room.p, mode: at.mode }, &mut room.dx);
    for (i, rate) in room.dx.iter().enumerate() {
        dx[i] = rate.value();
        if has_time {
            jacobian.time_mut()[i] = partial(rate, slot);
        }
    }
    jacobian.store(&room.dx, first, colours);
    W
}
