//! Laws of the catalogue as equations to be recorded, and points at which to try them.

use bristle_core::{Choice, Kind, Mode, Scalar};
use bristle_law::{At, LawKind};
use bristle_tape::{Assumptions, Recording, RecordingError, Symbol, record};

/// A law with its choices and modes: `y = (force, rates, lock speed, guards, limit)` of `x = (v, n, hold, states)`.
#[derive(Clone, Debug)]
pub struct Case {
    pub kind: LawKind,
    pub choices: Vec<Choice>,
    pub modes: Vec<Mode>,
}

impl Case {
    /// Every law with every choice in every combination of modes, and without modes.
    pub fn all_of(kind: LawKind) -> Vec<Case> {
        let mut cases = Vec::new();
        let options = kind.card().choices().map(|field| match field.kind {
            Kind::Choice { options } => options.len(),
            _ => unreachable!(),
        });
        for choices in combinations(&options.collect::<Vec<_>>()) {
            let choices: Vec<Choice> = choices.iter().map(|i| Choice(*i as u8)).collect();
            let numbers = Rng::new(1).numbers(kind);
            let elements = kind.build(&numbers, &choices).elements();
            cases.push(Case { kind, choices: choices.clone(), modes: Vec::new() });
            if elements > 0 {
                for modes in combinations(&vec![3; elements]) {
                    let modes =
                        modes.iter().map(|i| [Mode::Stick, Mode::Forward, Mode::Backward][*i]).collect();
                    cases.push(Case { kind, choices: choices.clone(), modes });
                }
            }
        }
        cases
    }

    pub fn variables(&self) -> usize {
        3 + self.kind.states()
    }

    /// The equations in any number.
    pub fn equations<S: Scalar>(&self, x: &[S], p: &[S]) -> Vec<S> {
        let law = self.kind.build(p, &self.choices);
        let at = At { v: x[0], n: x[1], hold: x[2], mode: &self.modes };
        let z = &x[3..];
        let mut rates = vec![S::zero(); z.len()];
        let force = law.eval(&at, z, &mut rates);
        let mut y = vec![force];
        y.extend(rates);
        y.push(law.lock_speed(&at));
        let mut guards = vec![S::one(); self.modes.len()];
        if !self.modes.is_empty() {
            law.guards(&at, z, &mut guards);
        }
        y.extend(guards);
        y.extend(law.limit(&at, z));
        y
    }

    pub fn record(&self, x: &[f64], p: &[f64]) -> Result<Recording, RecordingError> {
        record(x, p, |x: &[Symbol], p: &[Symbol]| self.equations(x, p))
    }
}

fn combinations(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for size in sizes {
        all = all.iter().flat_map(|head| (0..*size).map(move |i| [head.as_slice(), &[i]].concat())).collect();
    }
    all
}

/// What was made of recordings of one case, found again by their assumptions.
pub struct Library<T> {
    pub entries: Vec<(Assumptions, T)>,
}

impl<T> Library<T> {
    pub fn new() -> Self {
        Library { entries: Vec::new() }
    }

    /// What belongs to this point; made anew if no recording so far stands for it.
    pub fn entry(&mut self, case: &Case, x: &[f64], p: &[f64], make: impl FnOnce(Recording) -> T) -> &T {
        let found = self.entries.iter().position(|(assumptions, _)| assumptions.hold(x, p));
        let place = found.unwrap_or_else(|| {
            let recording = case.record(x, p).unwrap_or_else(|e| panic!("{}: {e}", case.kind.card().name));
            let assumptions = recording.assumptions().unwrap();
            assert!(assumptions.hold(x, p) && !assumptions.depend_on_variables());
            self.entries.push((assumptions, make(recording)));
            self.entries.len() - 1
        });
        &self.entries[place].1
    }
}

/// Numbers that look random and are the same in every run.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// Between 0 and 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Spread over decades.
    pub fn decades(&mut self, low: f64, high: f64) -> f64 {
        (low.ln() + (high.ln() - low.ln()) * self.unit()).exp()
    }

    /// With either sign, now and then zero.
    pub fn signed(&mut self, low: f64, high: f64) -> f64 {
        let size = self.decades(low, high);
        match (self.unit() * 20.0) as usize {
            0 => 0.0,
            1..=9 => size,
            _ => -size,
        }
    }

    /// Admissible parameters anywhere in the ranges of the card; exponents and the like often at whole numbers.
    pub fn numbers(&mut self, kind: LawKind) -> Vec<f64> {
        let each = kind.card().numbers().map(|field| match field.kind {
            Kind::Number { default, min, max, .. } => match (self.unit() * 6.0) as usize {
                0 => default.unwrap_or(min.max(-1e3)),
                1 if min <= 1.0 && max >= 2.0 => 1.0 + (self.unit() * 2.0).floor(),
                _ if min > 0.0 && max / min > 1e3 => self.decades(min, max).clamp(min, max),
                _ if min == 0.0 && max > 1e3 => self.decades(max * 1e-13, max).clamp(min, max),
                _ => min + (max - min) * self.unit(),
            },
            _ => unreachable!(),
        });
        each.collect()
    }

    /// Admissible parameters within a factor two of the defaults.
    pub fn usual_numbers(&mut self, kind: LawKind) -> Vec<f64> {
        let each = kind.card().numbers().map(|field| match field.kind {
            Kind::Number { default: Some(default), min, max, .. } => {
                let exponent = self.unit() * 2.0 - 1.0;
                let is_kept = self.unit() < 0.2;
                if is_kept { default } else { (default * exponent.exp2()).clamp(min, max) }
            }
            _ => unreachable!(),
        });
        each.collect()
    }

    /// Slip rate, load, holding force and states in multiples of their scale.
    pub fn variables(&mut self, case: &Case, p: &[f64], smallest: f64) -> Vec<f64> {
        let kind = case.kind;
        let n = match (self.unit() * 12.0) as usize {
            0 => 0.0,
            1 => -5.0,
            2 => 1e-9,
            _ => self.decades(1e-3, 1e4),
        };
        let mut scale = vec![1.0; kind.states()];
        kind.build(p, &case.choices).scales(n, &mut scale);
        let mut x = vec![self.signed(smallest, 1e2), n, self.signed(1e-3, 1e3)];
        for (i, scale) in scale.iter().enumerate() {
            let q = self.signed(smallest, 3.0);
            // Deflections have a sign; ages and dwell are never negative.
            let is_signed = matches!(kind.card().states[i].unit, "m" | "m/s");
            x.push(if is_signed { q * scale } else { q.abs() * scale });
        }
        x
    }
}
