//! Every law that was read, and a law with its numbers.

use super::card::card;
use super::read::{Contents, MOST_PARAMETERS, MOST_STATES, read};
use super::steady::steady;
use super::{WrittenDraft, WrittenError};
use crate::entered;
use crate::law::At;
use crate::laws::LawKind;
use bristle_core::units::Dimension;
use bristle_core::{Card, Mode, Scalar};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::LazyLock;

/// A law read from text. All laws that were read are kept, each once, for as long as the program runs.
#[derive(Debug)]
pub struct WrittenLaw {
    draft: WrittenDraft,
    card: Card,
    contents: Contents,
}

impl PartialEq for WrittenLaw {
    fn eq(&self, other: &Self) -> bool {
        self.card.name == other.card.name
    }
}

impl Eq for WrittenLaw {}

impl Hash for WrittenLaw {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.card.name.hash(state);
    }
}

/// The dimension of speeds.
static SPEED: LazyLock<Option<Dimension>> = LazyLock::new(|| Dimension::of("m/s").ok());

/// Reads a draft, or finds the law that was read from the same.
pub(super) fn enter(draft: &WrittenDraft) -> Result<LawKind, Vec<WrittenError>> {
    let is_same = |law: LawKind| matches!(law, LawKind::Written(law) if law.draft == *draft);
    if let Some(law) = entered::find(is_same) {
        return Ok(law);
    }
    let contents = read(draft, None)?;
    Ok(entered::enter(is_same, |laws| {
        // A second law of one name is told from the first.
        let is_namesake =
            |law: &&LawKind| matches!(law, LawKind::Written(law) if law.draft.name == draft.name);
        let name = match laws.iter().filter(is_namesake).count() {
            0 => draft.name.clone(),
            count => format!("{}~{}", draft.name, count + 1),
        };
        let card = card(draft, &name, &contents);
        LawKind::Written(Box::leak(Box::new(WrittenLaw { draft: draft.clone(), card, contents })))
    }))
}

impl WrittenLaw {
    /// Its card. A second law of one name gets a number behind it.
    pub fn card(&self) -> Card {
        self.card
    }

    /// Whether element 0 is the direction of sliding.
    fn keeps_direction(&self) -> bool {
        self.contents.code.uses_direction() || self.contents.limit.is_some()
    }
}

/// A written law with its numbers.
#[derive(Clone, Copy, Debug)]
pub struct Written<S> {
    law: &'static WrittenLaw,
    numbers: [S; MOST_PARAMETERS],
}

impl<S> Written<S> {
    pub(crate) fn law(&self) -> &'static WrittenLaw {
        self.law
    }
}

impl<S: Scalar> Written<S> {
    pub(crate) fn new(law: &'static WrittenLaw, numbers: &[S]) -> Self {
        Written { law, numbers: std::array::from_fn(|i| numbers.get(i).copied().unwrap_or(S::zero())) }
    }

    /// The modes of the choices among those of all elements.
    fn choices<'m>(&self, mode: &'m [Mode]) -> &'m [Mode] {
        mode.get(usize::from(self.law.keeps_direction())..).unwrap_or(&[])
    }

    fn values(&self, at: &At<S>, z: &[S]) -> super::run::Values<S> {
        self.law.contents.code.run(&self.numbers, at, self.choices(at.mode), z)
    }

    pub(crate) fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let values = self.values(at, z);
        let contents = &self.law.contents;
        for ((slot, place), open) in dz.iter_mut().zip(&contents.rates).zip(&contents.open) {
            let closed = values[*place as usize];
            *slot = open.map_or(closed, |open| S::select(at.is_open(), values[open as usize], closed));
        }
        at.closed(values[self.law.contents.force as usize])
    }

    pub(crate) fn limit(&self, at: &At<S>, z: &[S]) -> Option<S> {
        let place = self.law.contents.limit?;
        Some(at.closed(self.values(at, z)[place as usize]))
    }

    pub(crate) fn in_plane(&self, at: &crate::InPlane<S>, _z: &[S], _dz: &mut [S]) -> [S; 2] {
        at.curve(|here| self.eval(here, &[], &mut []))
    }

    pub(crate) fn bends_in_plane(&self) -> bool {
        false
    }

    pub(crate) fn lock_speed(&self, at: &At<S>) -> S {
        let Some(place) = self.law.contents.lock_speed else { return S::zero() };
        let states: SmallVec<[S; MOST_STATES]> =
            SmallVec::from_elem(S::zero(), self.law.contents.states.len());
        self.values(at, &states)[place as usize]
    }

    pub(crate) fn coasts(&self) -> bool {
        false
    }

    pub(crate) fn uses_hold(&self) -> bool {
        self.law.contents.code.uses_hold()
    }

    pub(crate) fn keeps_direction(&self) -> bool {
        self.law.keeps_direction()
    }

    /// How many elements come before the declared modes.
    fn before_modes(&self) -> usize {
        usize::from(self.law.keeps_direction()) + self.law.contents.code.choices()
    }

    /// The elements of the declared modes.
    fn modes(&self) -> Range<usize> {
        let first = self.before_modes();
        first..first + self.law.contents.changes.count
    }

    /// Direction, choices, declared modes, events.
    pub(crate) fn elements(&self) -> usize {
        self.modes().end + self.law.contents.events.len()
    }

    pub(crate) fn guards(&self, at: &At<S>, z: &[S], g: &mut [S]) {
        let contents = &self.law.contents;
        let mut next = 0;
        if let Some(mode) = at.mode.first().filter(|_| self.law.keeps_direction()) {
            g[0] = if contents.lock_speed.is_some() {
                at.speed() - self.lock_speed(at)
            } else {
                at.v * mode.sign()
            };
            next = 1;
        }
        let values = self.values(at, z);
        for border in contents.code.borders(&values) {
            g[next] = border * at.mode[next].sign();
            next += 1;
        }
        // A contact that is locked leaves its modes where they are.
        let is_locked = contents.limit.is_some() && at.mode.first() == Some(&Mode::Stick);
        for (slot, element) in self.modes().enumerate() {
            let guard = || contents.changes.guard(slot, at.mode[element], &values);
            g[element] = if is_locked { S::one() } else { guard() };
        }
        for ((place, _), g) in contents.events.iter().zip(&mut g[self.modes().end..]) {
            *g = values[*place as usize];
        }
    }

    pub(crate) fn switch(&self, fired: usize, at: &At<f64>, z: &mut [f64], mode: &mut [Mode]) {
        let (contents, modes) = (&self.law.contents, self.modes());
        let is_direction = fired == 0 && self.law.keeps_direction();
        if fired < modes.start && !(is_direction && contents.changes.count > 0) {
            mode[fired] = mode[fired].reversed();
            return;
        }
        let p = self.numbers.map(|p| p.value());
        let kept = SmallVec::<[Mode; 8]>::from_slice(mode);
        let values = contents.code.run(&p, &At { mode: &kept, ..*at }, self.choices(&kept), z);
        let mut assign =
            |set: &[(usize, u16)]| set.iter().for_each(|(i, place)| z[*i] = values[*place as usize]);
        if is_direction {
            assign(&contents.changes.reverse(&mut mode[modes]));
            mode[0] = mode[0].reversed();
        } else if modes.contains(&fired) {
            assign(contents.changes.happen(fired - modes.start, &mut mode[fired], &values));
        } else if let Some((_, set)) = contents.events.get(fired - modes.end) {
            assign(set);
            self.settle(at, z, mode);
        }
    }

    /// Sets the modes of the choices by the values.
    fn settle(&self, at: &At<f64>, z: &[f64], mode: &mut [Mode]) {
        let first = usize::from(self.law.keeps_direction());
        let values = self.undecided(at, z, mode);
        let found: Vec<bool> = self.law.contents.code.borders(&values).map(|b| b > 0.0).collect();
        for (slot, is_less) in mode[first..].iter_mut().zip(found) {
            *slot = if is_less { Mode::Forward } else { Mode::Backward };
        }
    }

    /// All values where nothing but the direction is known.
    fn undecided(&self, at: &At<f64>, z: &[f64], mode: &[Mode]) -> super::run::Values<f64> {
        let first = usize::from(self.law.keeps_direction());
        let p = self.numbers.map(|p| p.value());
        let at = At { mode: &mode[..first.min(mode.len())], ..*at };
        self.law.contents.code.run(&p, &at, &[], z)
    }

    pub(crate) fn start(&self, at: &At<f64>, z: &[f64], mode: &mut [Mode]) {
        if self.law.keeps_direction()
            && let Some(mode) = mode.first_mut()
        {
            *mode = Mode::of(at.v);
        }
        self.settle(at, z, mode);
        let values = self.undecided(at, z, mode);
        for (slot, element) in self.modes().enumerate() {
            mode[element] = self.law.contents.changes.begin(slot, &values);
        }
    }

    pub(crate) fn on_breakaway(&self, _at: &At<f64>, _mode: &mut [Mode]) {}

    pub(crate) fn closes(&self, _at: &At<f64>, _z: &mut [f64]) {}

    pub(crate) fn initial(&self, z: &mut [f64]) {
        z.iter_mut().zip(&self.law.contents.states).for_each(|(z, state)| *z = state.initial);
    }

    /// What the author says, else the size of the state in steady sliding, else its initial value.
    pub(crate) fn scales(&self, n: f64, scale: &mut [f64]) {
        let p = self.numbers.map(|p| p.value());
        let steady = [1.0, 1e-2].into_iter().find_map(|v| steady(&self.law.contents, &p, v, n.max(1e-3)));
        for (i, slot) in scale.iter_mut().enumerate() {
            let is_size = |x: &f64| x.is_finite() && *x > 1e-15;
            let found = steady.as_ref().map(|z| z[i].abs()).filter(is_size);
            let state = &self.law.contents.states[i];
            let start = Some(state.initial.abs()).filter(is_size);
            *slot = state.scale.or(found).or(start).unwrap_or(1.0);
        }
    }

    /// The least of the law's own speeds, where its force turns smoothly.
    pub(crate) fn finest_speed(&self) -> Option<f64> {
        if self.law.keeps_direction() { None } else { self.peak_width() }
    }

    /// The least of the law's own speeds.
    pub(crate) fn peak_width(&self) -> Option<f64> {
        let known = self.law.contents.parameters.iter().zip(&self.numbers);
        let speeds = known.filter(|(known, _)| *SPEED == Some(known.dimension));
        speeds.map(|(_, number)| number.value().abs()).filter(|v| *v > 0.0).min_by(f64::total_cmp)
    }

    pub(crate) fn fault(&self) -> Option<&'static str> {
        let numbers = self.numbers.map(|p| p.value());
        let numbers = &numbers[..self.law.contents.parameters.len()];
        if !numbers.iter().all(|p| p.is_finite()) {
            return Some("a parameter is not a number");
        }
        let is_wrong = read(&self.law.draft, Some(numbers)).is_err();
        is_wrong.then_some("with these numbers a divisor can be zero, or a root or logarithm has none")
    }

    pub(crate) fn caution(&self, _n: f64) -> Option<&'static str> {
        None
    }
}
