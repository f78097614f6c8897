//! One contact on a test bench: prescribed motion, a spring behind it, or a mass: the experiments most records come from.
//!
//! ```text
//! prescribed      ż = h(w, z),  F = F(w, z)                                     w measured
//! pulled          ḟ = k (v_p − v),  F(v, z) = f                                 no inertia
//! mass            m v̇ = k (x_p − x) + d (v_p − v) + P + u − F,  w = v − v_b,  u from a sampled controller
//! ```
//!
//! Between samples the inputs are straight lines. The equations are stepped in plain numbers, or in numbers that carry exact derivatives
//! by the unknowns; switches are located, and their times move with the unknowns. A run over ten thousand samples takes
//! a millisecond or two, which is what makes hundreds of starts affordable.

mod course;
mod implicit;
mod motion;
mod number;
mod run;
mod servo;
mod step;

pub use course::RigCourse;
pub use servo::RigServo;

use crate::error::FitError;
use crate::experiment::Experiment;
use bristle_core::{Choice, Role, Scalar};
use bristle_law::{AnyLaw, At, LawKind};
use number::{LANES, Slope};

/// What holds the body that slides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mount {
    /// Its motion is prescribed.
    Prescribed,
    /// A spring pulls it; it has no inertia.
    Pulled,
    /// It is a mass, on a spring and a damper if they are given.
    Mass,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RigQuantity {
    /// Friction force, positive against positive sliding.
    Friction,
    /// The same per normal load.
    Coefficient,
    /// Force in the spring.
    Spring,
    /// Position of the body.
    Position,
    /// Its velocity.
    Velocity,
    /// Velocity over its counter-surface.
    SlipRate,
    /// Force of the controller.
    Servo,
}

/// How the record begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// As if nothing had happened before.
    Fresh,
    /// In the steady state of the first velocity.
    Steady,
}

/// A number of a rig beside those of its law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RigNumber {
    /// Mass of the body.
    Mass,
    /// Stiffness of the spring.
    Stiffness,
    /// Damping beside it.
    Damping,
    /// Normal load, where it is not measured.
    Load,
    /// Factor on the load.
    Scale,
    /// Position at the start.
    Place,
    /// Velocity at the start.
    Speed,
    /// Velocity of the counter-surface.
    Belt,
    /// When a velocity jumps.
    Instant,
    /// Velocity before the jump.
    Before,
    /// Velocity after the jump.
    After,
    /// What the inertia of the moving body adds to a measured force, as a mass.
    Inertia,
    /// Factor on the friction of backward sliding.
    Backward,
    /// Viscous friction beside that of the law, forwards.
    Viscous,
    /// The same backwards.
    ViscousBackward,
    /// Force beside friction.
    Offset,
    /// Gain of a controller on its error.
    Gain,
    /// Gain on the integral of the error.
    IntegralGain,
    /// Gain on the difference of what it sees.
    RateGain,
}

/// How many numbers a rig has beside those of its law.
pub const RIG_NUMBERS: usize = 19;

/// What they are where nothing is said of them, in the order of [`RigNumber`].
const PLAIN: [f64; RIG_NUMBERS] =
    [1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];

/// An experiment with one contact.
#[derive(Clone, Debug)]
pub struct Rig {
    /// The law, and what was chosen of it.
    pub law: LawKind,
    /// Choices of the law.
    pub choices: Vec<Choice>,
    /// What holds the body.
    pub mount: Mount,
    /// Numbers of the law in the order of its card, then those of the rig ([`RigNumber`]).
    pub numbers: Vec<f64>,
    /// For each unknown the places it takes among the numbers; none for an unknown that the rig does not know.
    pub places: Vec<Vec<usize>>,
    /// When samples were taken.
    pub samples: Vec<f64>,
    /// What is prescribed: the slip rate, or the velocity of the far end of the spring.
    pub pull: RigCourse,
    /// Force on the body.
    pub force: Option<RigCourse>,
    /// Normal load.
    pub load: Option<RigCourse>,
    /// What controls a mass.
    pub servo: Option<RigServo>,
    /// Acceleration at the samples, where it is known better than from the slopes of a prescribed velocity.
    pub acceleration: Option<Vec<f64>>,
    /// What is measured.
    pub quantity: RigQuantity,
    /// How it begins.
    pub begin: Begin,
    /// Index of the first sample that is compared; those before are a warm-up.
    pub first: usize,
    /// Every how manyeth sample is compared.
    pub thin: usize,
    /// Error per step, relative.
    pub tolerance: f64,
    /// When the values are taken that are compared.
    scored: Vec<f64>,
}

impl Rig {
    /// A rig whose law has these numbers.
    ///
    /// # Errors
    /// [`FitError::Unfit`] for a law that needs a system around it.
    pub fn new(law: LawKind, numbers: &[f64], choices: &[Choice], mount: Mount) -> Result<Rig, FitError> {
        let card = law.card();
        let mut all = numbers.to_vec();
        all.extend(PLAIN);
        let built: AnyLaw<f64> = law.build(numbers, choices);
        let unfit = |reason| Err(FitError::Unfit { law: card.name, reason });
        if built.uses_hold() {
            return unfit(
                "it takes the force that would hold the contact, which a prescribed motion does not have",
            );
        }
        if card.states.len() > LANES {
            return unfit("it has more states than this kind of experiment follows");
        }
        let at_rest = At::sliding(0.0, 1.0);
        let bears = built.limit(&at_rest, &[0.0; LANES][..card.states.len()]).is_some();
        if mount == Mount::Mass && bears && (!card.states.is_empty() || built.lock_speed(&at_rest) > 0.0) {
            return unfit("it holds at rest in a way of its own");
        }
        if mount == Mount::Pulled && card.place(Role::DirectEffect).is_none() {
            return unfit(
                "without inertia only a law with a direct effect says how fast a force makes it slide",
            );
        }
        Ok(Rig {
            law,
            choices: choices.to_vec(),
            mount,
            numbers: all,
            places: Vec::new(),
            samples: Vec::new(),
            pull: RigCourse::Level(0.0),
            force: None,
            load: None,
            servo: None,
            acceleration: None,
            quantity: RigQuantity::Friction,
            begin: Begin::Fresh,
            first: 0,
            thin: 1,
            tolerance: 1e-7,
            scored: Vec::new(),
        })
    }

    /// The place of a number of the rig among all numbers.
    pub fn place(&self, number: RigNumber) -> usize {
        self.numbers.len() - RIG_NUMBERS + number as usize
    }

    /// The same rig with a number set.
    pub fn with(mut self, number: RigNumber, value: f64) -> Rig {
        let place = self.place(number);
        self.numbers[place] = value;
        self
    }

    /// The same rig over these samples; those before index `first` are a warm-up, and of the others every `thin`th is compared.
    pub fn over(mut self, times: &[f64], first: usize, thin: usize) -> Rig {
        self.samples = times.to_vec();
        self.first = first;
        self.thin = thin.max(1);
        self.scored = times[first.min(times.len())..].iter().copied().step_by(self.thin).collect();
        self
    }

    /// All numbers, with unknowns in their places; those of the chunk `first` carry derivatives.
    fn lifted<S: Scalar>(&self, values: &[f64], seeded: impl Fn(usize, f64) -> S) -> Vec<S> {
        let mut numbers: Vec<S> = self.numbers.iter().map(|&x| S::from(x)).collect();
        for (j, (places, &value)) in self.places.iter().zip(values).enumerate() {
            for &place in places {
                numbers[place] = seeded(j, value);
            }
        }
        numbers
    }
}

impl Experiment for Rig {
    fn rows(&self) -> usize {
        self.scored.len()
    }

    fn times(&self) -> &[f64] {
        &self.scored
    }

    fn respond(
        &self,
        values: &[f64],
        horizon: f64,
        outputs: &mut Vec<f64>,
        slopes: Option<&mut Vec<Vec<f64>>>,
    ) -> Result<(), FitError> {
        let plain = self.lifted(values, |_, value| value);
        let Some(slopes) = slopes else {
            return self.run(&plain, &plain, horizon, |value: f64| outputs.push(value));
        };
        for first in (0..values.len().max(1)).step_by(LANES) {
            let seeded = |j: usize, value: f64| match j.checked_sub(first) {
                Some(lane) if lane < LANES => bristle_core::seed(value, lane),
                _ => Slope::from(value),
            };
            let numbers: Vec<Slope> = self.lifted(values, seeded);
            slopes.iter_mut().skip(first).take(LANES).for_each(Vec::clear);
            let keep = |value: Slope| {
                if first == 0 {
                    outputs.push(value.re);
                }
                for (lane, column) in slopes.iter_mut().skip(first).take(LANES).enumerate() {
                    column.push(value.eps[lane]);
                }
            };
            self.run(&numbers, &plain, horizon, keep)?;
        }
        Ok(())
    }

    fn refined(&self) -> Option<Box<dyn Experiment + '_>> {
        let mut finer = self.clone();
        finer.tolerance /= 64.0;
        Some(Box::new(finer))
    }
}

#[cfg(test)]
#[path = "slopes_tests.rs"]
mod slopes_tests;
