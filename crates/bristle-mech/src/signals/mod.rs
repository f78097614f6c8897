//! The catalogue of time functions: forces and prescribed motions.
//!
//! A signal is a chain of pieces, each a cubic plus a sine ([`Form`]); value, rates and integral follow from
//! that form, and the joints between pieces are the break points no solver may step over.

use bristle_core::{Card, Choice, Described, Params, Scalar};

mod constant;
mod cycloid;
mod form;
mod input;
mod polyline;
mod pulse;
mod ramp;
mod sine;
mod smooth_step;
mod step;
mod sum;
mod trapezoid;

pub use form::Form;

use crate::spec::Spec;

/// A piece of a signal: from when, and what.
#[derive(Clone, Copy, Debug)]
pub struct Piece<S> {
    /// When the piece begins; the first piece also covers all time before it.
    pub start: S,
    /// What it is.
    pub form: Form<S>,
}

/// A signal described by a handful of numbers.
pub trait Shape<S: Scalar>: Params<S> {
    /// Calls `piece` for each piece, in order of time.
    fn pieces(&self, piece: &mut dyn FnMut(Piece<S>));

    /// From when and after what time the pieces repeat; a period of zero stands for never.
    fn repeats(&self) -> (S, S) {
        (S::zero(), S::zero())
    }

    /// What is wrong with the numbers together: pieces must follow each other in time.
    fn fault(&self) -> Option<&'static str> {
        None
    }
}

/// Makes the catalogue of signals from one list.
macro_rules! catalogue {
    ($($file:ident :: $signal:ident),* $(,)?) => {
        $(pub use $file::$signal;)*

        /// Which signal of the catalogue.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum SignalKind {
            $(#[doc = concat!("See [`", stringify!($signal), "`](struct@", stringify!($signal), ").")] $signal,)*
        }

        impl SignalKind {
            /// Every signal, in the order of the catalogue.
            pub const ALL: &'static [SignalKind] = &[$(SignalKind::$signal),*];

            /// The signal's card.
            pub fn card(self) -> Card {
                match self { $(SignalKind::$signal => <$signal<f64> as Described>::CARD,)* }
            }

            /// What is wrong with the numbers together.
            fn contradiction(self, numbers: &[f64], choices: &[Choice]) -> Option<&'static str> {
                match self {
                    $(SignalKind::$signal => {
                        let shape: $signal<f64> = Params::from_slices(numbers, choices);
                        shape.fault()
                    })*
                }
            }

            /// Visits the pieces of the signal with these numbers and says from when and how they repeat.
            fn visit<S: Scalar>(self, numbers: &[S], choices: &[Choice], piece: &mut dyn FnMut(Piece<S>)) -> (S, S) {
                match self {
                    $(SignalKind::$signal => {
                        let shape: $signal<S> = Params::from_slices(numbers, choices);
                        shape.pieces(piece);
                        shape.repeats()
                    })*
                }
            }
        }
    };
}

catalogue! {
    constant::Constant,
    input::Input,
    step::Step,
    smooth_step::SmoothStep,
    ramp::Ramp,
    pulse::Pulse,
    sine::Sine,
    trapezoid::Trapezoid,
    cycloid::Cycloid,
    polyline::Polyline,
    sum::Sum,
}

impl SignalKind {
    /// The signal of that name.
    pub fn named(name: &str) -> Option<SignalKind> {
        Self::ALL.iter().copied().find(|kind| kind.card().name == name)
    }

    /// What is wrong with the numbers of a signal together, if anything.
    pub fn fault(spec: &Spec) -> Option<&'static str> {
        Self::named(&spec.kind)?.contradiction(&spec.numbers, &spec.choices)
    }
}

/// A signal placed in a system: its numbers start at `first` in the parameter vector.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    kind: SignalKind,
    choices: Vec<Choice>,
    first: usize,
    count: usize,
    points: polyline::PolylinePoints,
    terms: Vec<Signal>,
}

/// Value and derivatives of a signal at one time.
#[derive(Clone, Copy, Debug)]
pub struct Jet<S> {
    /// ∫ from time zero.
    pub integral: S,
    /// The signal itself.
    pub value: S,
    /// Its first time derivative.
    pub rate: S,
    /// Its second time derivative.
    pub second: S,
}

impl<S: Scalar> Jet<S> {
    fn zero() -> Self {
        Jet { integral: S::zero(), value: S::zero(), rate: S::zero(), second: S::zero() }
    }

    pub(crate) fn constant(value: S, t: S) -> Self {
        Jet { integral: value * t, value, rate: S::zero(), second: S::zero() }
    }

    fn scaled(self, by: S) -> Self {
        Jet {
            integral: self.integral * by,
            value: self.value * by,
            rate: self.rate * by,
            second: self.second * by,
        }
    }
}

impl Signal {
    /// Places a signal; its numbers are appended to `params` with their paths.
    pub fn place(spec: &Spec, path: &str, params: &mut crate::params::ParamList) -> Option<Signal> {
        let kind = SignalKind::named(&spec.kind)?;
        let first = params.push_all(path, &kind.card(), &spec.numbers);
        let terms = spec
            .all_tables("terms")
            .enumerate()
            .map(|(i, term)| Signal::place(term, &format!("{path}.{i}"), params))
            .collect::<Option<Vec<_>>>()?;
        if kind == SignalKind::Input {
            params.inputs.push((path.to_owned(), first));
        }
        let points = polyline::PolylinePoints::new(spec.list("times"), spec.list("values"));
        Some(Signal { kind, choices: spec.choices.clone(), first, count: spec.numbers.len(), points, terms })
    }

    /// Whether its value, or that of a term, is set from outside.
    pub fn has_input(&self) -> bool {
        self.kind == SignalKind::Input || self.terms.iter().any(Signal::has_input)
    }

    /// Value, rates and integral at time `t`.
    pub fn jet<S: Scalar>(&self, p: &[S], t: S) -> Jet<S> {
        match self.kind {
            SignalKind::Sum => self.terms.iter().fold(Jet::constant(p[self.first], t), |mut sum, term| {
                let jet = term.jet(p, t);
                sum.integral += jet.integral;
                sum.value += jet.value;
                sum.rate += jet.rate;
                sum.second += jet.second;
                sum
            }),
            SignalKind::Polyline => self.points.jet(t).scaled(p[self.first]),
            kind => {
                let numbers = &p[self.first..self.first + self.count];
                jet_of_pieces(t, |piece| kind.visit(numbers, &self.choices, piece))
            }
        }
    }

    /// The shortest period of a sine in the signal; infinite without one.
    pub fn shortest_period(&self, p: &[f64]) -> f64 {
        let of_terms = self.terms.iter().map(|term| term.shortest_period(p)).fold(f64::INFINITY, f64::min);
        let mut shortest = of_terms;
        if !matches!(self.kind, SignalKind::Sum | SignalKind::Polyline) {
            let numbers = &p[self.first..self.first + self.count];
            self.kind.visit(numbers, &self.choices, &mut |piece: Piece<f64>| {
                if let Some([amplitude, omega, _]) = piece.form.sine
                    && amplitude != 0.0
                {
                    shortest = shortest.min(2.0 * std::f64::consts::PI / omega.abs());
                }
            });
        }
        shortest
    }

    /// Whether it has one value for ever.
    pub fn is_constant(&self, p: &[f64]) -> bool {
        if self.kind == SignalKind::Polyline {
            return p[self.first] == 0.0 || self.points.are_level();
        }
        if self.kind == SignalKind::Sum {
            return self.terms.iter().all(|term| term.is_constant(p));
        }
        let numbers = &p[self.first..self.first + self.count];
        let (mut level, mut is_constant) = (None, true);
        self.kind.visit(numbers, &self.choices, &mut |piece: Piece<f64>| {
            let Form { c: [value, slopes @ ..], sine, .. } = piece.form;
            let is_flat = slopes == [0.0; 3] && sine.is_none_or(|[amplitude, ..]| amplitude == 0.0);
            is_constant &= is_flat && *level.get_or_insert(value) == value;
        });
        is_constant
    }

    /// About the largest value it ever has: looked for between breaks, over periods of sines and far away.
    pub(crate) fn largest(&self, p: &[f64]) -> f64 {
        const BREAKS: usize = 200;
        const POINTS: usize = 64;
        let mut edges = vec![0.0];
        while let Some(next) =
            self.next_break(p, edges.last().copied().unwrap_or(0.0)).filter(|_| edges.len() < BREAKS)
        {
            edges.push(next);
        }
        let last = edges.last().copied().unwrap_or(0.0);
        let period = Some(self.shortest_period(p)).filter(|period| period.is_finite()).unwrap_or(1.0);
        // Slow sines are sampled over longer times, and what rises for ever far away.
        edges.extend([1.0, 16.0, 256.0].map(|k| last + k * period));
        edges.extend([last + 1e4, last + 1e8]);
        let between = edges
            .windows(2)
            .flat_map(|e| (0..POINTS).map(move |i| e[0] + (e[1] - e[0]) * i as f64 / POINTS as f64));
        let all = between.chain(edges.last().copied());
        all.map(|t| self.jet(p, t).value).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The first break point after `t`.
    pub fn next_break(&self, p: &[f64], t: f64) -> Option<f64> {
        let after = |time: f64| (time > t).then_some(time);
        match self.kind {
            SignalKind::Sum => {
                self.terms.iter().filter_map(|term| term.next_break(p, t)).min_by(f64::total_cmp)
            }
            SignalKind::Polyline => self.points.next_break(t),
            kind => {
                let numbers = &p[self.first..self.first + self.count];
                let mut starts = Vec::new();
                let (origin, period) =
                    kind.visit(numbers, &self.choices, &mut |piece: Piece<f64>| starts.push(piece.start));
                let turns = if period > 0.0 { ((t - origin) / period).floor().max(0.0) } else { 0.0 };
                let shifted = |turn: f64| starts.iter().map(move |s| s + turn * period);
                let here = shifted(turns).filter_map(after);
                let next = shifted(turns + 1.0).filter(|_| period > 0.0).filter_map(after);
                here.chain(next).min_by(f64::total_cmp)
            }
        }
    }
}

/// The jet of a chain of pieces: the active form, and the integrals of those before it. The first piece also covers
/// the time before it; integrals count from time zero.
fn jet_of_pieces<S: Scalar>(t: S, visit: impl Fn(&mut dyn FnMut(Piece<S>)) -> (S, S)) -> Jet<S> {
    let (origin, period) = visit(&mut |_| {});
    // A repeating chain is folded back into its first turn.
    if !S::decide(S::zero().lt(period)) || S::decide(t.middle().lt(origin)) {
        return chain(t, &visit);
    }
    let turns = ((t - origin) / period).floor();
    let mut jet = chain(t - period * turns, &visit);
    let within = jet.integral;
    let turn = || chain(origin + period, &visit).integral - chain(origin, &visit).integral;
    jet.integral = S::choose(S::zero().lt(turns), || within + turn() * turns, || within);
    jet
}

/// The jet of a chain that does not repeat.
fn chain<S: Scalar>(t: S, visit: &impl Fn(&mut dyn FnMut(Piece<S>)) -> (S, S)) -> Jet<S> {
    let mut active: Option<Piece<S>> = None;
    let mut from = S::zero();
    let mut before = S::zero();
    visit(&mut |piece| match active {
        None => active = Some(piece),
        Some(previous) if !S::decide(t.middle().lt(piece.start)) => {
            before += previous.form.integral(from, piece.start);
            from = piece.start;
            active = Some(piece);
        }
        _ => {}
    });
    active.map_or_else(Jet::zero, |piece| Jet {
        integral: before + piece.form.integral(from, t),
        value: piece.form.value(t),
        rate: piece.form.rate(t),
        second: piece.form.second(t),
    })
}

#[cfg(test)]
mod catalogue_tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_in_the_catalogue() {
        crate::catalogue::check("signals", include_str!("mod.rs"), &["form"], |name| {
            SignalKind::named(name).is_some()
        });
    }
}
