//! Motion together with its exact variations, and the section as one more guard.
//!
//! ```text
//! ẋ = f(x, p),   δẋ_c = (∂f/∂x) δx_c + (∂f/∂p) δp_c
//! ```
//!
//! written as ordinary dynamics: switches are located for the motion, and the variations pass them with
//!
//! ```text
//! δx⁺ = δx⁻ + (f⁻ − f⁺) δt,   δt = −(∇g·δx⁻ + g_p δp)/ġ
//! ```
//!
//! which is the identity where the rates are continuous. A switch that moves states is taken to move them by a
//! constant. Quadratures are left out.

use crate::active_states::Row;
use crate::section::PoincareSection;
use bristle_core::{Dual, Mode, Scalar};
use bristle_solve::{Dynamics, Point, Recordings, State, Violation, rates_by_halves};

/// How much less the error of a variation counts than that of the motion: the steps are those of the motion.
const LENIENCE: f64 = 1e6;

/// A motion with `columns` variations; states are `x, δx₀, δx₁ …`, modes those of the motion and one for the
/// section (forward: the height is to fall, backward: it is to rise first).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variation<'a, D> {
    pub inner: &'a D,
    pub section: &'a PoincareSection,
    /// Number of variations.
    pub columns: usize,
    /// The parameter that varies with the last column.
    pub parameter: Option<usize>,
    /// Where recordings of motions cut by this section are kept.
    pub recordings: &'a Recordings,
}

impl<D: Dynamics> Variation<'_, D> {
    /// Number of states without quadratures.
    pub fn size(&self) -> usize {
        self.inner.dim() - self.inner.quadratures()
    }

    /// Index of the section's mode.
    pub fn section_mode(&self) -> usize {
        self.inner.mode_count()
    }

    /// Index of the section's guard.
    pub fn section_guard(&self) -> usize {
        self.inner.guard_count()
    }

    /// The motion alone.
    pub fn motion(&self, state: &State) -> State {
        let mut x = state.x[..self.size()].to_vec();
        x.resize(self.inner.dim(), 0.0);
        State { t: state.t, x, mode: state.mode[..self.inner.mode_count()].to_vec() }
    }

    /// Evaluates `what` with the motion and one variation.
    fn lifted<S: Scalar>(
        &self,
        at: &Point<S>,
        column: usize,
        count: usize,
        what: impl Fn(&D, Point<Dual<1, S>>, &mut [Dual<1, S>]),
    ) -> Row<Dual<1, S>> {
        let n = self.size();
        let constant = |re: S| Dual { re, eps: [S::zero()] };
        let mut x: Row<Dual<1, S>> = std::iter::repeat_n(0.0.into(), self.inner.dim()).collect();
        for i in 0..n {
            x[i] = Dual { re: at.x[i], eps: [at.x[n * (1 + column) + i]] };
        }
        let mut p: Row<Dual<1, S>> = at.p.iter().map(|&v| constant(v)).collect();
        if let Some(index) = self.parameter
            && column == self.columns - 1
        {
            p[index].eps[0] = S::one();
        }
        let mode = &at.mode[..self.inner.mode_count()];
        let mut out: Row<Dual<1, S>> = std::iter::repeat_n(0.0.into(), count).collect();
        what(self.inner, Point { t: constant(at.t), x: &x, p: &p, mode }, &mut out);
        out
    }

    /// Rates of the motion and of one variation.
    fn sweep<S: Scalar>(&self, at: &Point<S>, column: usize, dx: &mut [S]) {
        let n = self.size();
        let rates = self.lifted(at, column, self.inner.dim(), |d, at, out| d.rates(at, out));
        for i in 0..n {
            dx[i] = rates[i].re;
            dx[n * (1 + column) + i] = rates[i].eps[0];
        }
    }

    /// Lets the variations pass a switch of the motion from `before` to `after`.
    fn salt(&self, fired: usize, p: &[f64], whole: &mut State, before: &State, after: &State) {
        let n = self.size();
        let rates = |state: &State| {
            let mut dx = vec![0.0; self.inner.dim()];
            self.inner.rates(Point { t: state.t, x: &state.x, p, mode: &state.mode }, &mut dx);
            dx
        };
        let (f0, f1) = (rates(before), rates(after));
        if f0[..n].iter().zip(&f1).all(|(a, b)| (a - b).abs() <= 1e-10 * (a.abs() + b.abs())) {
            return;
        }
        let mut guards: Vec<Dual<1>> = vec![0.0.into(); self.inner.guard_count()];
        let lifted: Vec<Dual<1>> = p.iter().map(|&v| v.into()).collect();
        let along: Vec<_> = before.x.iter().zip(&f0).map(|(&re, &f)| Dual { re, eps: [f] }).collect();
        let t = Dual { re: before.t, eps: [1.0] };
        self.inner.guards(Point { t, x: &along, p: &lifted, mode: &before.mode }, &mut guards);
        let speed = guards[fired].eps[0];
        if speed == 0.0 || !speed.is_finite() {
            return;
        }
        let old = whole.x.clone();
        for c in 0..self.columns {
            let at = Point { t: before.t, x: &old[..], p, mode: &before.mode[..] };
            let moved = self.lifted(&at, c, self.inner.guard_count(), |d, at, out| d.guards(at, out));
            let delay = -moved[fired].eps[0] / speed;
            for i in 0..n {
                whole.x[n * (1 + c) + i] += (f0[i] - f1[i]) * delay;
            }
        }
    }
}

impl<D: Dynamics> Dynamics for Variation<'_, D> {
    fn dim(&self) -> usize {
        self.size() * (1 + self.columns)
    }

    fn mode_count(&self) -> usize {
        self.inner.mode_count() + 1
    }

    fn params(&self) -> &[f64] {
        self.inner.params()
    }

    fn recordings(&self) -> Option<&Recordings> {
        let is_recorded = self.inner.recordings().is_some() && !self.inner.has_structure();
        is_recorded.then_some(self.recordings)
    }

    fn variant(&self) -> u64 {
        let parameter = self.parameter.map_or(0, |index| index as u64 + 1);
        (self.columns as u64) << 32 | parameter
    }

    #[inline]
    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        match self.columns {
            0 if self.inner.quadratures() == 0 => {
                let mode = &at.mode[..self.inner.mode_count()];
                self.inner.rates(Point { t: at.t, x: at.x, p: at.p, mode }, dx);
            }
            0 => {
                let n = self.size();
                let mut x: Row<S> = at.x.iter().copied().collect();
                x.resize(self.inner.dim(), S::zero());
                let mut rates = x.clone();
                let mode = &at.mode[..self.inner.mode_count()];
                self.inner.rates(Point { t: at.t, x: &x, p: at.p, mode }, &mut rates);
                dx.copy_from_slice(&rates[..n]);
            }
            // One by one: every width is compiled once for each number type an integrator uses, and recorded equations have
            // what the columns share but once.
            columns => (0..columns).for_each(|column| self.sweep(&at, column, dx)),
        }
    }

    fn rates_in_eight(&self, at: Point<Dual<8>>, dx: &mut [Dual<8>]) {
        rates_by_halves(self, at, dx);
    }

    fn guard_count(&self) -> usize {
        self.inner.guard_count() + 1
    }

    #[inline]
    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        let (n, count) = (self.size(), self.inner.guard_count());
        let mode = &at.mode[..self.inner.mode_count()];
        if self.inner.quadratures() == 0 {
            self.inner.guards(Point { t: at.t, x: &at.x[..n], p: at.p, mode }, &mut g[..count]);
        } else {
            let mut x: Row<S> = at.x[..n].iter().copied().collect();
            x.resize(self.inner.dim(), S::zero());
            self.inner.guards(Point { t: at.t, x: &x, p: at.p, mode }, &mut g[..count]);
        }
        g[count] = self.section.height(at.x) * at.mode[self.section_mode()].sign();
    }

    fn switch(&self, fired: usize, p: &[f64], state: &mut State) {
        if fired == self.section_guard() {
            let mode = &mut state.mode[self.inner.mode_count()];
            *mode = mode.reversed();
            return;
        }
        let before = self.motion(state);
        let mut after = before.clone();
        self.inner.switch(fired, p, &mut after);
        if self.columns > 0 {
            self.salt(fired, p, state, &before, &after);
        }
        state.x[..self.size()].copy_from_slice(&after.x[..self.size()]);
        state.mode[..after.mode.len()].copy_from_slice(&after.mode);
    }

    fn watches(&self, p: &[f64], mode: &[Mode], is_watched: &mut [bool]) {
        let (inner, section) = is_watched.split_at_mut(self.inner.guard_count());
        self.inner.watches(p, &mode[..self.inner.mode_count()], inner);
        section.fill(false);
    }

    /// A break comes at a time of its own, whatever the motion: variations pass it unchanged.
    fn resettle(&self, p: &[f64], state: &mut State) {
        let mut motion = self.motion(state);
        self.inner.resettle(p, &mut motion);
        state.mode[..motion.mode.len()].copy_from_slice(&motion.mode);
        state.x[..self.size()].copy_from_slice(&motion.x[..self.size()]);
    }

    fn violation(&self, at: Point<f64>, g: &[f64], tolerance: f64) -> Option<Violation> {
        let mut x: Row<f64> = at.x[..self.size()].iter().copied().collect();
        x.resize(self.inner.dim(), 0.0);
        let mode = &at.mode[..self.inner.mode_count()];
        self.inner.violation(
            Point { t: at.t, x: &x, p: at.p, mode },
            &g[..self.inner.guard_count()],
            tolerance,
        )
    }

    fn longest_step(&self, p: &[f64], mode: &[Mode]) -> f64 {
        self.inner.longest_step(p, &mode[..self.inner.mode_count()])
    }

    fn start(&self, p: &[f64], state: &mut State) {
        let mut motion = self.motion(state);
        self.inner.start(p, &mut motion);
        state.mode[..motion.mode.len()].copy_from_slice(&motion.mode);
        state.x[..self.size()].copy_from_slice(&motion.x[..self.size()]);
        let mut dx = vec![0.0; self.inner.dim()];
        self.inner.rates(Point { t: state.t, x: &motion.x, p, mode: &motion.mode }, &mut dx);
        let height = self.section.height(&motion.x);
        // Exactly on the section the next crossing is decided by the way the height moves.
        let side = if height == 0.0 { self.section.slope(|i| dx[i]) } else { height };
        state.mode[self.inner.mode_count()] = if side > 0.0 { Mode::Forward } else { Mode::Backward };
    }

    fn scales(&self, p: &[f64], scale: &mut [f64]) {
        let n = self.size();
        let mut inner = vec![1.0; self.inner.dim()];
        self.inner.scales(p, &mut inner);
        for (k, slot) in scale.iter_mut().enumerate() {
            *slot = inner[k % n] * if k < n { 1.0 } else { LENIENCE };
        }
    }

    fn next_break(&self, p: &[f64], t: f64) -> Option<f64> {
        self.inner.next_break(p, t)
    }

    fn is_autonomous(&self) -> bool {
        self.inner.is_autonomous()
    }

    fn state_name(&self, index: usize) -> String {
        self.inner.state_name(index % self.size())
    }

    fn guard_name(&self, index: usize) -> String {
        if index == self.section_guard() { "section".to_owned() } else { self.inner.guard_name(index) }
    }
}
