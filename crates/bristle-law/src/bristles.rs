//! A law in somebody else's loop.

use crate::fixed_step::FixedStep;
use crate::law::{At, Law};
use bristle_core::{Described, Mode};

/// A contact with its memory, advanced by steps of fixed length: a law for a control loop or another simulator.
///
/// ```
/// use bristle_law::{Bristles, laws::LuGre};
///
/// let mut contact = Bristles::new(LuGre::default());
/// let mut force = 0.0;
/// for _ in 0..1000 {
///     force = contact.step(0.1, 10.0, 1e-3);
/// }
/// assert!(force > 0.0);
/// ```
#[derive(Clone, Debug)]
pub struct Bristles<L> {
    law: L,
    z: Vec<f64>,
    mode: Vec<Mode>,
}

impl<L: Law<f64> + FixedStep + Described> Bristles<L> {
    /// A contact to which nothing has happened yet.
    pub fn new(law: L) -> Self {
        let mut contact =
            Bristles { z: vec![0.0; L::CARD.states.len()], mode: vec![Mode::Stick; law.elements()], law };
        contact.reset();
        contact
    }

    /// Forgets what has happened.
    pub fn reset(&mut self) {
        self.z.fill(0.0);
        self.law.initial(&mut self.z);
        self.mode.fill(Mode::Stick);
        self.law.start(&At::sliding(0.0, 1.0), &self.z, &mut self.mode);
    }

    /// Slides at the mean rate `v`, m/s, under the load `n`, N, for the time `h`, s; gives the friction force, N, positive against
    /// positive sliding.
    pub fn step(&mut self, v: f64, n: f64, h: f64) -> f64 {
        self.step_against(v, n, 0.0, h)
    }

    /// The same for a law that sticks by a set of forces: `hold` is the force that would bring the contact to rest within the step.
    pub fn step_against(&mut self, v: f64, n: f64, hold: f64, h: f64) -> f64 {
        let at = At { v, n, hold, mode: &[] };
        self.law.step(&at, &mut self.z, &mut self.mode, h)
    }

    /// The law.
    pub fn law(&self) -> &L {
        &self.law
    }

    /// Its states, in the order of the card.
    pub fn states(&self) -> &[f64] {
        &self.z
    }
}
