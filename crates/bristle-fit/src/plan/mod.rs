//! Which experiment would tell the numbers of a law: expected standard errors of motions that have not been made.
//!
//! ```text
//! M = Σ J ᵀJ/σ²,   J = ∂F/∂ ln θ along each motion,   standard error of θ_k = √(M⁻¹)_kk
//! ```
//!
//! The slopes are exact. What is found are the smallest errors that any unbiased estimate could reach, with white noise of the
//! given size on the force and with a motion that is known.

mod information;
mod motion;
mod words;

pub use information::{Information, VAGUE_SHARE};
pub use motion::{MotionError, PlannedMotion};
pub use words::regime;

use crate::error::FitError;
use crate::experiment::Experiment;
use crate::rig::{Begin, Mount, Rig, RigCourse, RigNumber};
use bristle_core::{Choice, Kind, Role};
use bristle_law::LawKind;

/// A number of a law, or of its contact, that is to be found.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedNumber {
    /// What a scenario calls it.
    pub name: String,
    /// Its symbol.
    pub symbol: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// The guess.
    pub value: f64,
    /// What it is to the law.
    pub role: Option<Role>,
    /// What its error is measured by: itself, or one of its unit where it is nothing.
    pub scale: f64,
    /// How the force depends on it.
    by: Dependence,
}

/// How the force depends on a number.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Dependence {
    /// It is the number of the law at this place.
    Law(usize),
    /// It is added to the force.
    Offset,
    /// It is viscous friction beside the law, forwards, backwards, or both.
    Viscous([bool; 2]),
}

/// A guess of a contact: its law, load, and what is to be found.
#[derive(Clone, Debug)]
pub struct Guess {
    /// The law.
    pub law: LawKind,
    /// Its choices.
    pub choices: Vec<Choice>,
    /// Its numbers, in the order of its card.
    pub numbers: Vec<f64>,
    /// Whether friction is stated in newtons.
    pub as_forces: bool,
    /// Normal load in newtons; one for a law in forces.
    pub load: f64,
    /// What is to be found.
    pub unknown: Vec<PlannedNumber>,
}

/// What is known of a guess beside the law: offset, and viscous friction forwards and backwards, where there are such.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Beside {
    /// Offset of the force.
    pub offset: Option<f64>,
    /// Viscous friction, of both directions unless there is one for backwards.
    pub viscous: Option<f64>,
    /// Viscous friction backwards.
    pub viscous_backward: Option<f64>,
}

impl Guess {
    /// A guess in which everything is to be found but what is known by name, and what only states a unit.
    pub fn new(law: LawKind, numbers: &[f64], as_forces: bool, load: f64, known: &[String]) -> Guess {
        let card = law.card();
        let called = |field: &bristle_core::Field| match field.kind {
            Kind::Number { force: Some(force), .. } if as_forces => (force, "N"),
            Kind::Number { unit, .. } => (field.name, unit),
            _ => (field.name, "1"),
        };
        let listed = card.numbers().zip(numbers).enumerate().map(|(place, (field, &value))| {
            let (name, unit) = called(field);
            PlannedNumber {
                name: name.to_owned(),
                symbol: field.symbol,
                unit,
                value,
                role: field.role,
                scale: if value == 0.0 { 1.0 } else { value.abs() },
                by: Dependence::Law(place),
            }
        });
        // The reference velocity of a law only says where its friction is stated.
        let is_open = |number: &PlannedNumber| {
            number.role != Some(Role::ReferenceVelocity) && !known.contains(&number.name)
        };
        let unknown = listed.filter(is_open).collect();
        let choices = card.default_choices();
        Guess { law, choices, numbers: numbers.to_vec(), as_forces, load, unknown }
    }

    /// The same with what a contact has beside its law.
    pub fn beside(mut self, beside: Beside, known: &[String]) -> Guess {
        let mut add = |name: &str, symbol, unit, value: Option<f64>, by| {
            let Some(value) = value.filter(|_| !known.iter().any(|k| k == name)) else { return };
            let scale = if value == 0.0 { 1.0 } else { value.abs() };
            self.unknown.push(PlannedNumber {
                name: name.to_owned(),
                symbol,
                unit,
                value,
                role: None,
                scale,
                by,
            });
        };
        add("offset", "F_o", "N", beside.offset, Dependence::Offset);
        let is_even = beside.viscous_backward.is_none();
        add("viscous", "d₊", "N s/m", beside.viscous, Dependence::Viscous([true, is_even]));
        add("viscous_backward", "d₋", "N s/m", beside.viscous_backward, Dependence::Viscous([false, true]));
        self
    }

    /// The guess with one of its numbers a factor off, if its law allows that.
    pub fn off(&self, k: usize, factor: f64) -> Option<Guess> {
        let mut moved = self.clone();
        let number = moved.unknown.get_mut(k)?;
        number.value *= factor;
        if number.value != 0.0 {
            number.scale = number.value.abs();
        }
        if let Dependence::Law(place) = number.by {
            moved.numbers[place] = number.value;
            let field = self.law.card().numbers().nth(place)?;
            if !field.kind.admits(number.value) {
                return None;
            }
        }
        // What rests holds at least what slides does.
        let level = |role| moved.number(role);
        let falls = level(Role::StaticFriction).zip(level(Role::KineticFriction)).is_some_and(|(s, d)| s < d);
        (!falls).then_some(moved)
    }

    /// The force along a motion, and what a record of it with this noise would tell.
    ///
    /// # Errors
    /// [`FitError::Unfit`] for a law that cannot be moved so, [`FitError::Lost`], [`FitError::Stopped`].
    pub fn informed(&self, motion: &PlannedMotion, noise: f64) -> Result<(Vec<f64>, Information), FitError> {
        let mut rig = Rig::new(self.law, &self.numbers, &self.choices, Mount::Prescribed)?;
        rig = rig.with(RigNumber::Load, self.load).over(&motion.times(), 0, 1);
        rig.pull = RigCourse::Lines(motion.velocities.clone());
        // A record that begins in sliding has been sliding before.
        let is_sliding = motion.velocities.first().is_some_and(|v| *v != 0.0);
        rig.begin = if is_sliding { Begin::Steady } else { Begin::Fresh };
        let of_law = |number: &PlannedNumber| match number.by {
            Dependence::Law(place) => Some((place, number.value)),
            _ => None,
        };
        let (places, values): (Vec<Vec<usize>>, Vec<f64>) =
            self.unknown.iter().filter_map(of_law).map(|(place, value)| (vec![place], value)).unzip();
        let count = values.len();
        rig.places = places;
        let mut slopes = vec![Vec::new(); count];
        let mut force = Vec::new();
        rig.respond(&values, f64::INFINITY, &mut force, Some(&mut slopes))?;
        let mut slopes = slopes.into_iter();
        let columns = self.unknown.iter().map(|number| {
            let column = match number.by {
                Dependence::Law(_) => slopes.next().unwrap_or_default(),
                Dependence::Offset => vec![1.0; force.len()],
                Dependence::Viscous([forth, back]) => {
                    let counts = |v: f64| if v < 0.0 { back } else { forth };
                    motion.velocities.iter().map(|&v| if counts(v) { v } else { 0.0 }).collect()
                }
            };
            column.into_iter().map(|slope| slope * number.scale / noise).collect()
        });
        let columns: Vec<Vec<f64>> = columns.collect();
        let information = Information::of(&columns);
        for number in &self.unknown {
            match number.by {
                Dependence::Law(_) => {}
                Dependence::Offset => force.iter_mut().for_each(|f| *f += number.value),
                Dependence::Viscous([forth, back]) => {
                    for (f, &v) in force.iter_mut().zip(&motion.velocities) {
                        let counts = if v < 0.0 { back } else { forth };
                        *f += if counts { number.value * v } else { 0.0 };
                    }
                }
            }
        }
        Ok((force, information))
    }

    /// What the law holds at rest, in newtons, and the deflection that bears it, where it says so.
    pub fn grip(&self) -> (f64, Option<f64>) {
        let card = self.law.card();
        let number = |role: Role| card.place(role).and_then(|place| self.numbers.get(place).copied());
        let roles = [Role::StaticFriction, Role::KineticFriction, Role::ReferenceFriction];
        let level = roles.into_iter().find_map(number).unwrap_or(1.0) * self.load;
        let direct = [Role::SaturationDeflection, Role::PreslidingDistance].into_iter().find_map(number);
        let give = number(Role::BristleStiffness).map(|stiffness| level / stiffness).or(direct);
        (level, give)
    }

    /// A number of the law by its role.
    pub fn number(&self, role: Role) -> Option<f64> {
        self.law.card().place(role).and_then(|place| self.numbers.get(place).copied())
    }
}

/// The best so many of these, beside what is known already: those whose worst relative error is smallest, then the mean.
pub fn best(known: &Information, choices: &[Information], most: usize) -> Vec<usize> {
    let most = most.min(choices.len());
    let score = |taken: &[usize]| {
        let all = taken.iter().fold(known.clone(), |sum, &i| sum.and(&choices[i]));
        let errors: Vec<f64> = all.errors().into_iter().map(|e| e.min(1e6)).collect();
        let worst = errors.iter().copied().fold(0.0, f64::max);
        let mean = errors.iter().map(|e| e.max(1e-12).ln()).sum::<f64>() / errors.len().max(1) as f64;
        worst.ln() + 0.1 * mean
    };
    let mut taken: Vec<usize> = Vec::new();
    while taken.len() < most {
        // The next best; then whichever exchange betters the choice, until none does.
        let free = (0..choices.len()).filter(|i| !taken.contains(i));
        let with = |i: usize| taken.iter().copied().chain([i]).collect::<Vec<_>>();
        let Some(next) = free.map(with).min_by(|a, b| score(a).total_cmp(&score(b))) else { break };
        taken = next;
        while let Some(better) = exchanged(&taken, choices.len(), &score) {
            taken = better;
        }
    }
    taken.sort_unstable();
    taken
}

/// The best choice that differs in one, if it is better.
fn exchanged(taken: &[usize], count: usize, score: &dyn Fn(&[usize]) -> f64) -> Option<Vec<usize>> {
    let before = score(taken);
    let mut best: Option<(f64, Vec<usize>)> = None;
    for place in 0..taken.len() {
        for other in (0..count).filter(|i| !taken.contains(i)) {
            let mut trial = taken.to_vec();
            trial[place] = other;
            let value = score(&trial);
            if value < before - 1e-9 && best.as_ref().is_none_or(|(least, _)| value < *least) {
                best = Some((value, trial));
            }
        }
    }
    best.map(|(_, trial)| trial)
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod plan_tests;
