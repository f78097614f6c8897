//! Laws that other crates write in Rust.
//!
//! A crate that depends on bristle writes `impl Law` for a struct with a card and enters it with [`LawKind::guest`]. From then on
//! scenarios, comparisons and certificates find it by its name, as they find the laws of the catalogue. Its equations are run once
//! with symbols for each set of modes; what is left is a program that runs in every number type, so that derivatives, bounds and
//! lanes are those of the catalogue's laws.

use crate::entered;
use crate::law::{At, Law};
use crate::laws::LawKind;
use crate::plane::InPlane;
use bristle_core::{Card, Choice, Described, Mode, Params, Scalar};
use bristle_tape::{Program, ProgramError, RecordingError, Symbol, record};
use smallvec::SmallVec;
use std::any::TypeId;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, PoisonError, RwLock};
use thiserror::Error;

/// The most numbers and choices a law can have.
const MOST: [usize; 2] = [24, 4];

/// Why a law of another crate cannot be entered.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum GuestError {
    /// Another law has its name.
    #[error("a law `{name}` exists already: give the card of this one another name")]
    Taken {
        /// The name.
        name: &'static str,
    },
    /// Too many numbers or choices.
    #[error("law `{name}` has {numbers} numbers and {choices} choices, but at most {} and {}", MOST[0], MOST[1])]
    TooLarge {
        /// The name.
        name: &'static str,
        /// How many numbers its card has.
        numbers: usize,
        /// How many choices its card has.
        choices: usize,
    },
    /// The two types are not the same law.
    #[error("`{plain}` and `{symbolic}` are different laws: name one struct, with `f64` and with `Symbol`")]
    Different {
        /// The law in plain numbers.
        plain: &'static str,
        /// The law in symbols.
        symbolic: &'static str,
    },
    /// A number has no default to try the equations with.
    #[error("`{parameter}` of law `{name}` has no default: give one on the card")]
    NoDefault {
        /// The name.
        name: &'static str,
        /// The parameter.
        parameter: &'static str,
    },
    /// The equations cannot be recorded.
    #[error("law `{name}` cannot be recorded: {reason}")]
    Recording {
        /// The name.
        name: &'static str,
        /// Why not.
        reason: RecordingError,
    },
    /// The equations are too long for a program.
    #[error("law `{name}` makes no program: {reason}")]
    Program {
        /// The name.
        name: &'static str,
        /// Why not.
        reason: ProgramError,
    },
}

/// What is asked of a law that is generic over the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GuestQuestion {
    /// Force and rates.
    Force,
    /// What is borne at rest.
    Limit,
    LockSpeed,
    Guards,
}

/// One question in one set of modes as a program; its inputs are slip rate, load, holding force, states and numbers.
#[derive(Debug)]
struct GuestAnswer {
    question: GuestQuestion,
    mode: Vec<Mode>,
    choices: Vec<Choice>,
    program: Program,
    /// Conditions that were decided while recording, and how.
    conditions: Program,
    expected: Vec<bool>,
}

/// Makes the law from its numbers and choices.
type Maker<S> = fn(&[S], &[Choice]) -> Box<dyn Law<S>>;

/// A law of another crate. All of them are kept for as long as the program runs.
#[derive(Debug)]
pub struct GuestLaw {
    card: Card,
    is_type: TypeId,
    plain: Maker<f64>,
    symbolic: Maker<Symbol>,
    answers: RwLock<Vec<Arc<GuestAnswer>>>,
}

impl PartialEq for GuestLaw {
    fn eq(&self, other: &Self) -> bool {
        self.is_type == other.is_type
    }
}

impl Eq for GuestLaw {}

impl Hash for GuestLaw {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.is_type.hash(state);
    }
}

impl LawKind {
    /// Enters a law of another crate: one struct, named with plain numbers and with symbols. From then on it is found by the name on
    /// its card. Entering it again gives the same law.
    ///
    /// ```
    /// use bristle_core::{Card, Scalar};
    /// use bristle_law::{At, Law, LawKind, Symbol};
    ///
    /// /// Friction that is proportional to the slip rate.
    /// #[derive(Clone, Copy, Debug, Card)]
    /// #[card(name = "viscous")]
    /// struct Viscous<S> {
    ///     /// Damping.
    ///     #[param(symbol = "d", unit = "N s/m", default = 2.0, min = 0.0)]
    ///     d: S,
    /// }
    ///
    /// impl<S: Scalar> Law<S> for Viscous<S> {
    ///     fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
    ///         self.d * at.v
    ///     }
    /// }
    ///
    /// let law = LawKind::guest::<Viscous<f64>, Viscous<Symbol>>().unwrap();
    /// assert_eq!(LawKind::named("viscous"), Some(law));
    /// assert_eq!(law.build(&[3.0], &[]).eval(&At::sliding(0.5, 1.0), &[], &mut []), 1.5);
    /// ```
    ///
    /// # Errors
    /// If its name is taken, its card is too large or its equations cannot be recorded.
    pub fn guest<P, R>() -> Result<LawKind, GuestError>
    where
        P: Law<f64> + Params<f64> + 'static,
        R: Law<Symbol> + Params<Symbol> + 'static,
    {
        let card = P::CARD;
        let name = card.name;
        let is_same = |law: LawKind| matches!(law, LawKind::Guest(law) if law.is_type == TypeId::of::<P>());
        if let Some(law) = LawKind::named(name) {
            return if is_same(law) { Ok(law) } else { Err(GuestError::Taken { name }) };
        }
        if name != R::CARD.name {
            return Err(GuestError::Different { plain: name, symbolic: <R as Described>::CARD.name });
        }
        let [numbers, choices] = [card.numbers().count(), card.choices().count()];
        if numbers > MOST[0] || choices > MOST[1] {
            return Err(GuestError::TooLarge { name, numbers, choices });
        }
        let law = GuestLaw {
            card,
            is_type: TypeId::of::<P>(),
            plain: |numbers, choices| Box::new(P::from_slices(numbers, choices)),
            symbolic: |numbers, choices| Box::new(R::from_slices(numbers, choices)),
            answers: RwLock::new(Vec::new()),
        };
        law.try_out()?;
        Ok(entered::enter(is_same, |_| LawKind::Guest(Box::leak(Box::new(law)))))
    }
}

impl GuestLaw {
    /// Its card.
    pub fn card(&self) -> Card {
        self.card
    }

    /// Records everything once with the numbers of the card, so that what cannot be recorded is known at once.
    fn try_out(&self) -> Result<(), GuestError> {
        let numbers = self.card.defaults();
        if let Some((field, _)) = self.card.numbers().zip(&numbers).find(|(_, number)| number.is_nan()) {
            return Err(GuestError::NoDefault { name: self.card.name, parameter: field.name });
        }
        let choices = self.card.default_choices();
        let law = (self.plain)(&numbers, &choices);
        let mut z = vec![0.0; self.card.states.len()];
        law.initial(&mut z);
        let mut mode = vec![Mode::Stick; law.elements()];
        let at = At { v: 0.1, n: 1.0, hold: 0.0, mode: &[] };
        law.start(&at, &z, &mut mode);
        let inputs: Vec<f64> = [0.1, 1.0, 0.0].into_iter().chain(z).chain(numbers).collect();
        for question in
            [GuestQuestion::Force, GuestQuestion::Limit, GuestQuestion::LockSpeed, GuestQuestion::Guards]
        {
            for mode in [&mode[..], &[]] {
                if question == GuestQuestion::Guards && mode.is_empty() {
                    continue;
                }
                self.record(question, mode, &choices, &inputs)?;
            }
        }
        Ok(())
    }

    /// Answers a question with symbols. A thread of its own does so, since this one may be recording.
    fn record(
        &self,
        question: GuestQuestion,
        mode: &[Mode],
        choices: &[Choice],
        inputs: &[f64],
    ) -> Result<Arc<GuestAnswer>, GuestError> {
        let name = self.card.name;
        let states = self.card.states.len();
        let equations = |x: &[Symbol], _: &[Symbol]| -> Vec<Symbol> {
            let at = At { v: x[0], n: x[1], hold: x[2], mode };
            let (z, numbers) = x[3..].split_at(states);
            let law = (self.symbolic)(numbers, choices);
            let zero = Symbol::from(0.0);
            match question {
                GuestQuestion::Force => {
                    let mut out = vec![zero; 1 + states];
                    out[0] = law.eval(&at, z, &mut out[1..]);
                    out
                }
                GuestQuestion::Limit => law.limit(&at, z).into_iter().collect(),
                GuestQuestion::LockSpeed => vec![law.lock_speed(&at)],
                GuestQuestion::Guards => {
                    let mut out = vec![zero; law.elements()];
                    law.guards(&at, z, &mut out);
                    out
                }
            }
        };
        let recording = std::thread::scope(|scope| scope.spawn(|| record(inputs, &[], equations)).join());
        // A law that panics is as one that uses what it must not.
        let recording = recording.unwrap_or(Err(RecordingError::Foreign));
        let recording = recording.map_err(|reason| GuestError::Recording { name, reason })?;
        let (conditions, expected): (Vec<_>, Vec<_>) = recording.decisions().iter().copied().unzip();
        let program =
            |terms: &[_]| recording.program(terms).map_err(|reason| GuestError::Program { name, reason });
        let (mode, choices) = (mode.to_vec(), choices.to_vec());
        let (program, conditions) = (program(recording.outputs())?, program(&conditions)?);
        let answer = Arc::new(GuestAnswer { question, mode, choices, program, conditions, expected });
        self.answers.write().unwrap_or_else(PoisonError::into_inner).push(answer.clone());
        Ok(answer)
    }
}

impl GuestAnswer {
    /// Whether what was decided while recording holds for these inputs.
    fn holds<S: Scalar>(&self, inputs: &[S]) -> bool {
        let truths = run(&self.conditions, inputs);
        let half = S::from(0.5);
        truths.iter().zip(&self.expected).all(|(truth, expected)| S::decide(half.lt(*truth)) == *expected)
    }
}

fn run<S: Scalar>(program: &Program, inputs: &[S]) -> SmallVec<[S; 8]> {
    let mut out = SmallVec::from_elem(S::zero(), program.outputs());
    program.run_in(&mut program.room_in(&[]), inputs, &mut out);
    out
}

/// A law of another crate with its numbers.
#[derive(Clone, Copy, Debug)]
pub struct Guest<S> {
    law: &'static GuestLaw,
    numbers: [S; MOST[0]],
    choices: [Choice; MOST[1]],
}

impl<S> Guest<S> {
    pub(crate) fn law(&self) -> &'static GuestLaw {
        self.law
    }

    fn choices(&self) -> &[Choice] {
        &self.choices[..self.law.card.choices().count()]
    }

    /// The law with the numbers of its card, for what does not depend on numbers.
    fn outline(&self) -> Box<dyn Law<f64>> {
        (self.law.plain)(&self.law.card.defaults(), self.choices())
    }
}

impl<S: Scalar> Guest<S> {
    pub(crate) fn new(law: &'static GuestLaw, numbers: &[S], choices: &[Choice]) -> Self {
        Guest {
            law,
            numbers: std::array::from_fn(|i| numbers.get(i).copied().unwrap_or(S::zero())),
            choices: std::array::from_fn(|i| choices.get(i).copied().unwrap_or_default()),
        }
    }

    fn numbers(&self) -> &[S] {
        &self.numbers[..self.law.card.numbers().count()]
    }

    /// The law in plain numbers.
    fn plain(&self) -> Box<dyn Law<f64>> {
        let numbers: Vec<f64> = self.numbers().iter().map(|p| p.value()).collect();
        (self.law.plain)(&numbers, self.choices())
    }

    fn answer(&self, question: GuestQuestion, at: &At<S>, z: &[S]) -> SmallVec<[S; 8]> {
        let states = self.law.card.states.len();
        let inputs: SmallVec<[S; 16]> = [at.v, at.n, at.hold]
            .into_iter()
            .chain(z[..states].iter().copied())
            .chain(self.numbers().iter().copied())
            .collect();
        let choices = self.choices();
        let fits = |a: &&Arc<GuestAnswer>| {
            a.question == question && a.mode == at.mode && a.choices == choices && a.holds(&inputs)
        };
        let known = self.law.answers.read().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().find(fits).cloned();
        drop(known);
        let found = found.or_else(|| {
            let plain: Vec<f64> = inputs.iter().map(|x| x.value()).collect();
            self.law.record(question, at.mode, choices, &plain).ok()
        });
        // What could be recorded for the numbers of the card and not for others is no number.
        let nothing = || SmallVec::from_elem(S::from(f64::NAN), 1 + states + at.mode.len());
        found.map_or_else(nothing, |answer| run(&answer.program, &inputs))
    }

    pub(crate) fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let answer = self.answer(GuestQuestion::Force, at, z);
        dz.iter_mut().zip(&answer[1..]).for_each(|(slot, rate)| *slot = *rate);
        answer[0]
    }

    /// A law without states acts in a plane as it does along a line; one with states has no form for vectors.
    pub(crate) fn in_plane(&self, at: &InPlane<S>, _z: &[S], _dz: &mut [S]) -> [S; 2] {
        at.curve(|here| self.eval(here, &[], &mut []))
    }

    pub(crate) fn bends_in_plane(&self) -> bool {
        false
    }

    pub(crate) fn limit(&self, at: &At<S>, z: &[S]) -> Option<S> {
        self.answer(GuestQuestion::Limit, at, z).first().copied()
    }

    pub(crate) fn lock_speed(&self, at: &At<S>) -> S {
        let z: SmallVec<[S; 8]> = SmallVec::from_elem(S::zero(), self.law.card.states.len());
        self.answer(GuestQuestion::LockSpeed, at, &z)[0]
    }

    pub(crate) fn coasts(&self) -> bool {
        self.outline().coasts()
    }

    pub(crate) fn uses_hold(&self) -> bool {
        self.outline().uses_hold()
    }

    pub(crate) fn keeps_direction(&self) -> bool {
        self.outline().keeps_direction()
    }

    pub(crate) fn elements(&self) -> usize {
        self.outline().elements()
    }

    pub(crate) fn guards(&self, at: &At<S>, z: &[S], g: &mut [S]) {
        if at.mode.is_empty() {
            return;
        }
        let answer = self.answer(GuestQuestion::Guards, at, z);
        g.iter_mut().zip(&answer).for_each(|(slot, guard)| *slot = *guard);
    }

    pub(crate) fn switch(&self, fired: usize, at: &At<f64>, z: &mut [f64], mode: &mut [Mode]) {
        self.plain().switch(fired, at, z, mode);
    }

    pub(crate) fn start(&self, at: &At<f64>, z: &[f64], mode: &mut [Mode]) {
        self.plain().start(at, z, mode);
    }

    pub(crate) fn on_breakaway(&self, at: &At<f64>, mode: &mut [Mode]) {
        self.plain().on_breakaway(at, mode);
    }

    pub(crate) fn closes(&self, at: &At<f64>, z: &mut [f64]) {
        self.plain().closes(at, z);
    }

    pub(crate) fn initial(&self, z: &mut [f64]) {
        self.plain().initial(z);
    }

    pub(crate) fn scales(&self, n: f64, scale: &mut [f64]) {
        self.plain().scales(n, scale);
    }

    pub(crate) fn finest_speed(&self) -> Option<f64> {
        self.plain().finest_speed()
    }

    pub(crate) fn peak_width(&self) -> Option<f64> {
        self.plain().peak_width()
    }

    pub(crate) fn fault(&self) -> Option<&'static str> {
        self.plain().fault()
    }

    pub(crate) fn caution(&self, n: f64) -> Option<&'static str> {
        self.plain().caution(n)
    }
}
