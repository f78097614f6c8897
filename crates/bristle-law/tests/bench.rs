//! A contact whose slip rate is prescribed, stepped finely enough that switches at step ends do no harm.

use bristle_core::Mode;
use bristle_law::{AnyLaw, At, LawKind};

/// A law at its defaults with its states and modes, under a constant load.
pub struct Contact {
    pub law: AnyLaw<f64>,
    pub z: Vec<f64>,
    pub mode: Vec<Mode>,
    n: f64,
}

impl Contact {
    pub fn new(kind: LawKind, n: f64, v: f64) -> Self {
        let law =
            kind.build(&kind.card().defaults(), &vec![Default::default(); kind.card().choices().count()]);
        let (mut z, mut mode) = (vec![0.0; kind.states()], vec![Mode::Stick; law.elements()]);
        law.initial(&mut z);
        law.start(&At::sliding(v, n), &z, &mut mode);
        Contact { law, z, mode, n }
    }

    /// Force and rates at slip rate `v`.
    pub fn eval(&self, v: f64, z: &[f64]) -> (f64, Vec<f64>) {
        let mut dz = vec![0.0; z.len()];
        let force = self.law.eval(&At { mode: &self.mode, ..At::sliding(v, self.n) }, z, &mut dz);
        (force, dz)
    }

    /// One classical Runge–Kutta step, then the switches that are due. Gives the work done against friction.
    pub fn step(&mut self, v: impl Fn(f64) -> f64, t: f64, h: f64) -> f64 {
        let stage = |dz: &[f64], c: f64| self.z.iter().zip(dz).map(|(z, dz)| z + c * dz).collect::<Vec<_>>();
        let speeds = [v(t), v(t + h / 2.0), v(t + h)];
        let (f1, k1) = self.eval(speeds[0], &self.z);
        let (f2, k2) = self.eval(speeds[1], &stage(&k1, h / 2.0));
        let (f3, k3) = self.eval(speeds[1], &stage(&k2, h / 2.0));
        let (f4, k4) = self.eval(speeds[2], &stage(&k3, h));
        for i in 0..self.z.len() {
            self.z[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
        self.switch(speeds[2]);
        h / 6.0 * (f1 * speeds[0] + 2.0 * (f2 + f3) * speeds[1] + f4 * speeds[2])
    }

    fn switch(&mut self, v: f64) {
        let at = At::sliding(v, self.n);
        if self.law.limit(&at, &self.z).is_some() {
            // Under a prescribed slip rate a set-valued contact simply follows it.
            self.law.start(&at, &self.z, &mut self.mode);
            return;
        }
        // Every element may switch, some of them twice: into slip and, against the slip rate, back.
        for _ in 0..4 * self.mode.len().max(1) {
            if self.law.keeps_direction() && self.mode.first() == Some(&Mode::Stick) {
                self.mode[0] = Mode::of(v);
            }
            let mut g = vec![0.0; self.mode.len()];
            self.law.guards(&At { mode: &self.mode, ..at }, &self.z, &mut g);
            let Some(fired) = g.iter().position(|g| *g < 0.0) else { return };
            self.law.switch(fired, &at, &mut self.z, &mut self.mode);
        }
        panic!("{:?} chatters", self.law.kind());
    }
}
