//! A law whose slip rate is prescribed: no body, no spring, only the contact.

use super::bench::{LawBench, TOLERANCE};
use crate::CertifyError;
use bristle_core::{Dual, Mode, Scalar};
use bristle_law::{AnyLaw, At, LawKind};
use bristle_solve::{Dynamics, Method, Output, Point, SolveError, Solver, State, rates_by_halves};

/// A slip rate over time: straight lines through points plus sines.
#[derive(Clone, Debug, Default)]
pub struct SlipHistory {
    /// Times and slip rates, constant before and after.
    pub points: Vec<(f64, f64)>,
    /// Amplitude, angular frequency and phase.
    pub sines: Vec<[f64; 3]>,
}

impl SlipHistory {
    /// A constant slip rate.
    pub fn steady(v: f64) -> SlipHistory {
        SlipHistory { points: vec![(0.0, v)], sines: Vec::new() }
    }

    /// Slip rates through points.
    pub fn through(points: Vec<(f64, f64)>) -> SlipHistory {
        SlipHistory { points, sines: Vec::new() }
    }

    /// Displacements one after the other, each from rest to rest within `time`; also the times between them.
    pub fn legs(lengths: &[f64], time: f64) -> (SlipHistory, Vec<f64>) {
        let (mut points, mut ends) = (vec![(0.0, 0.0)], Vec::new());
        for (i, length) in lengths.iter().enumerate() {
            let (start, v) = (i as f64 * time, length / (0.9 * time));
            points.extend([(start + 0.1 * time, v), (start + 0.9 * time, v), (start + time, 0.0)]);
            ends.push(start + time);
        }
        (SlipHistory::through(points), ends)
    }

    /// The same motion the other way.
    pub fn mirrored(&self) -> SlipHistory {
        SlipHistory {
            points: self.points.iter().map(|(t, v)| (*t, -v)).collect(),
            sines: self.sines.iter().map(|[a, w, phi]| [-a, *w, *phi]).collect(),
        }
    }

    /// The slip rate.
    fn velocity<S: Scalar>(&self, t: S) -> S {
        let passed = self.points.partition_point(|p| p.0 <= t.value());
        let line = match (self.points.get(passed.wrapping_sub(1)), self.points.get(passed)) {
            (Some(a), Some(b)) => (t - a.0) * ((b.1 - a.1) / (b.0 - a.0)) + a.1,
            (Some(a), None) | (None, Some(a)) => S::from(a.1),
            (None, None) => S::zero(),
        };
        self.sines.iter().fold(line, |sum, [a, w, phi]| sum + (t * *w + *phi).sin() * *a)
    }

    /// The sign of the slip rate just after `t`.
    fn heading(&self, t: f64) -> f64 {
        let now = self.velocity(t);
        if now != 0.0 {
            return now;
        }
        let next = self.points.iter().find(|p| p.0 > t).map_or(1.0, |p| p.0 - t);
        1e-12 * self.velocity(t + 1e-3 * next).signum()
    }

    /// The next joint or sign change of the straight lines.
    fn next_break(&self, t: f64) -> Option<f64> {
        let passed = self.points.partition_point(|p| p.0 <= t);
        let end = self.points.get(passed)?;
        let begin = self.points.get(passed.wrapping_sub(1));
        let zero = begin.filter(|b| b.1 * end.1 < 0.0).map(|b| b.0 + (end.0 - b.0) * b.1 / (b.1 - end.1));
        zero.filter(|z| *z > t * (1.0 + 1e-14) && *z < end.0).or(Some(end.0))
    }
}

/// A contact at one instant of a prescribed motion.
#[derive(Clone, Copy, Debug)]
pub struct Rub {
    /// Time.
    pub t: f64,
    /// Slip rate.
    pub v: f64,
    /// Slip since the start.
    pub slip: f64,
    /// Friction force.
    pub force: f64,
    /// Energy put into the contact since the start.
    pub work: f64,
}

/// A law under a prescribed motion. States: those of the law, then slip and work.
pub struct Slide {
    kind: LawKind,
    choices: Vec<bristle_core::Choice>,
    numbers: Vec<f64>,
    load: f64,
    motion: SlipHistory,
    elements: usize,
}

impl Slide {
    /// A law moved along a prescribed slip.
    pub fn new(bench: &LawBench, motion: SlipHistory) -> Result<Slide, CertifyError> {
        let kind = bench.kind()?;
        let law = kind.build(&bench.law.numbers, &bench.law.choices);
        // Who sticks is a question of the whole mechanism; in a prescribed motion the slip rate alone decides.
        let elements = if bench.is_set_valued()? { 0 } else { law.elements() };
        let (choices, numbers) = (bench.law.choices.clone(), bench.law.numbers.clone());
        Ok(Slide { kind, choices, numbers, load: bench.normal(), motion, elements })
    }

    fn law<S: Scalar>(&self, p: &[S]) -> AnyLaw<S> {
        self.kind.build(p, &self.choices)
    }

    /// Force and rates of the law's states. A law that asks for the holding force is told its own: at a constant slip
    /// rate the two are equal.
    fn eval<S: Scalar>(&self, law: &AnyLaw<S>, v: S, z: &[S], mode: &[Mode], dz: &mut [S]) -> S {
        let n = S::from(self.load);
        let mut force = law.eval(&At { v, n, hold: S::zero(), mode }, z, dz);
        if law.uses_hold() {
            for _ in 0..100_000 {
                let next = law.eval(&At { v, n, hold: force, mode }, z, dz);
                let change = (next.value() - force.value()).abs();
                force = next;
                if change <= 1e-14 * self.load {
                    break;
                }
            }
        }
        force
    }

    /// The state before anything has happened.
    pub fn initial(&self) -> State {
        let mut x = vec![0.0; self.dim()];
        self.law::<f64>(&self.numbers).initial(&mut x[..self.kind.states()]);
        State { t: 0.0, x, mode: vec![Mode::Stick; self.elements] }
    }

    /// The contact at a state of a run.
    pub fn rub(&self, t: f64, x: &[f64], mode: &[Mode]) -> Rub {
        let states = self.kind.states();
        let v = self.motion.velocity(t);
        let law = self.law::<f64>(&self.numbers);
        let force = self.eval(&law, v, &x[..states], mode, &mut vec![0.0; states]);
        Rub { t, v, slip: x[states], force, work: x[states + 1] }
    }
}

impl Dynamics for Slide {
    fn dim(&self) -> usize {
        self.kind.states() + 2
    }

    fn quadratures(&self) -> usize {
        2
    }

    fn rates_in_eight(&self, at: Point<Dual<8>>, dx: &mut [Dual<8>]) {
        rates_by_halves(self, at, dx);
    }

    fn mode_count(&self) -> usize {
        self.elements
    }

    fn params(&self) -> &[f64] {
        &self.numbers
    }

    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        let states = self.kind.states();
        let v = self.motion.velocity(at.t);
        let (dz, rest) = dx.split_at_mut(states);
        let force = self.eval(&self.law(at.p), v, &at.x[..states], at.mode, dz);
        rest[0] = v;
        rest[1] = force * v;
    }

    fn guard_count(&self) -> usize {
        self.elements
    }

    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        if self.elements > 0 {
            let (v, n) = (self.motion.velocity(at.t), S::from(self.load));
            let here = At { v, n, hold: S::zero(), mode: at.mode };
            self.law(at.p).guards(&here, &at.x[..self.kind.states()], g);
        }
    }

    fn switch(&self, fired: usize, p: &[f64], state: &mut State) {
        let before = state.mode.clone();
        let here = At { v: self.motion.velocity(state.t), n: self.load, hold: 0.0, mode: &before };
        let z = &mut state.x[..self.kind.states()];
        self.law::<f64>(p).switch(fired, &here, z, &mut state.mode);
    }

    fn start(&self, p: &[f64], state: &mut State) {
        state.mode.resize(self.elements, Mode::Stick);
        if self.elements > 0 {
            let here = At { v: self.motion.heading(state.t), n: self.load, hold: 0.0, mode: &[] };
            self.law::<f64>(p).start(&here, &state.x[..self.kind.states()], &mut state.mode);
        }
    }

    fn scales(&self, p: &[f64], scale: &mut [f64]) {
        scale.fill(1e-3);
        self.law::<f64>(p).scales(self.load, &mut scale[..self.kind.states()]);
    }

    fn next_break(&self, _p: &[f64], t: f64) -> Option<f64> {
        self.motion.next_break(t)
    }
}

impl LawBench<'_> {
    /// The contact along a prescribed motion, at what `output` asks for.
    pub fn slide(&self, motion: &SlipHistory, end: f64, output: &Output) -> Result<Vec<Rub>, CertifyError> {
        let slide = Slide::new(self, motion.clone())?;
        let solver = Solver { max_steps: 500_000, ..Solver::with_tolerance(TOLERANCE) };
        let mut run = self.run(&slide, slide.initial(), end, output, &solver);
        for method in [Method::Rodas5p, Method::Dop853, Method::Rodas4] {
            // Two switches in the same instant, or ages of creep, may be too much for one method and not for another.
            if let Err(CertifyError::Solve {
                source: SolveError::Chatter { .. } | SolveError::TooManySteps { .. },
                ..
            }) = run
            {
                run = self.run(&slide, slide.initial(), end, output, &Solver { method, ..solver });
            }
        }
        let run = run?;
        let samples = &run.samples;
        Ok((0..samples.len()).map(|i| slide.rub(samples.t[i], samples.row(i), samples.modes(i))).collect())
    }

    /// The contact at these times of a prescribed motion, one row each.
    pub fn slide_at(&self, motion: &SlipHistory, times: &[f64]) -> Result<Vec<Rub>, CertifyError> {
        let end = times.last().copied().unwrap_or(0.0);
        let rows = self.slide(motion, end, &Output::Times(times.to_vec()))?;
        let missing = || CertifyError::Unmeasured { reason: "a sample is missing".to_owned() };
        times.iter().map(|t| rows.iter().rev().find(|r| r.t == *t).copied().ok_or_else(missing)).collect()
    }

    /// The force at a constant slip rate once everything has settled: after ten centimetres, and ten seconds.
    pub fn steady_force(&self, v: f64) -> Result<f64, CertifyError> {
        if self.kind()?.states() == 0 {
            let slide = Slide::new(self, SlipHistory::steady(v))?;
            return Ok(slide.rub(0.0, &slide.initial().x, &[]).force);
        }
        let end = 10.0 + 0.1 / v.abs();
        Ok(self.slide_at(&SlipHistory::steady(v), &[end])?[0].force)
    }
}
