//! Laws of other crates: the catalogue's own, entered under other names, are the same laws.

use bristle_core::{Card, Choice, Described, Dual, Enclosure, Mode, Params, Scalar, derivative, partial};
use bristle_law::laws::{Coulomb, Dieterich, ElastoPlastic, FrDyn2, Gms, Karnopp, Leuven, LuGre, Quinn};
use bristle_law::{At, GuestError, Law, LawKind, Symbol};

/// A law of the catalogue under another name.
#[derive(Clone, Copy, Debug)]
struct Other<L>(L);

/// The other name.
trait Renamed {
    const NAME: &'static str;
}

macro_rules! renamed {
    ($($law:ident $name:literal),*) => {
        $(impl<S> Renamed for $law<S> { const NAME: &'static str = $name; })*
    };
}

renamed!(Coulomb "other_coulomb", Karnopp "other_karnopp", LuGre "other_lugre", ElastoPlastic "other_elasto_plastic");
renamed!(FrDyn2 "other_frdyn2", Gms "other_gms", Leuven "other_leuven", Dieterich "other_dieterich", Quinn "other_quinn");

impl<L: Described + Renamed> Described for Other<L> {
    const CARD: Card = Card { name: L::NAME, ..L::CARD };
}

impl<S, L: Params<S> + Renamed> Params<S> for Other<L> {
    fn from_slices(numbers: &[S], choices: &[Choice]) -> Self {
        Other(L::from_slices(numbers, choices))
    }
    fn to_slices(&self, numbers: &mut Vec<S>, choices: &mut Vec<Choice>) {
        self.0.to_slices(numbers, choices);
    }
}

impl<S: Scalar, L: Law<S>> Law<S> for Other<L> {
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        self.0.eval(at, z, dz)
    }
    fn limit(&self, at: &At<S>, z: &[S]) -> Option<S> {
        self.0.limit(at, z)
    }
    fn lock_speed(&self, at: &At<S>) -> S {
        self.0.lock_speed(at)
    }
    fn elements(&self) -> usize {
        self.0.elements()
    }
    fn guards(&self, at: &At<S>, z: &[S], g: &mut [S]) {
        self.0.guards(at, z, g);
    }
    fn switch(&self, fired: usize, at: &At<f64>, z: &mut [f64], mode: &mut [Mode]) {
        self.0.switch(fired, at, z, mode);
    }
    fn start(&self, at: &At<f64>, z: &[f64], mode: &mut [Mode]) {
        self.0.start(at, z, mode);
    }
}

/// Force, rates, what is borne at rest, guards.
fn answers<S: Scalar>(law: LawKind, numbers: &[S], at: &At<S>, z: &[S]) -> Vec<S> {
    let law = law.build(numbers, &law.card().default_choices());
    let mut all = vec![S::zero(); z.len()];
    let force = law.eval(at, z, &mut all);
    let mut guards = vec![S::zero(); at.mode.len()];
    if !at.mode.is_empty() {
        law.guards(at, z, &mut guards);
    }
    all.push(force);
    all.extend(guards);
    all.extend(law.limit(at, z));
    all.push(law.lock_speed(at));
    all
}

fn modes(law: LawKind) -> Vec<Vec<Mode>> {
    let card = law.card();
    let built = law.build(&card.defaults(), &card.default_choices());
    let mut all = vec![Vec::new()];
    for first in [Mode::Forward, Mode::Backward, Mode::Stick] {
        let mut mode = vec![Mode::Forward; built.elements()];
        built.start(&At::sliding(0.1, 10.0), &vec![1e-6; card.states.len()], &mut mode);
        if let Some(mode) = mode.first_mut() {
            *mode = first;
        }
        all.push(mode);
    }
    all
}

fn same<P, R>(law: LawKind)
where
    P: Law<f64> + Params<f64> + 'static,
    R: Law<Symbol> + Params<Symbol> + 'static,
{
    let guest = LawKind::guest::<P, R>().unwrap();
    assert_eq!(LawKind::named(P::CARD.name), Some(guest));
    assert_eq!(LawKind::guest::<P, R>(), Ok(guest), "entered twice, it is one law");
    let states = law.card().states.len();
    let mut numbers = law.card().defaults();
    for mode in modes(law) {
        for k in 1..400 {
            let share = f64::from(k) / 400.0;
            let wave = |factor: f64| (factor * f64::from(k)).sin();
            numbers
                .iter_mut()
                .zip(law.card().defaults())
                .for_each(|(p, d)| *p = d * (1.0 + 0.01 * wave(0.7)));
            let z: Vec<f64> = (0..states).map(|i| (1.1 + wave(1.3 + i as f64)) * 1e-6).collect();
            let at = At { v: wave(2.1) * share, n: 5.0 + 4.0 * wave(3.3), hold: wave(0.2), mode: &mode };
            let [own, other] = [law, guest].map(|law| answers(law, &numbers, &at, &z));
            let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&own), bits(&other), "{} {mode:?} {at:?}", P::CARD.name);

            // Along the slip rate and the first number.
            let dual = |x: f64, slope: f64| derivative::<1>(x, [slope]);
            let p: Vec<Dual<1>> =
                numbers.iter().enumerate().map(|(i, p)| dual(*p, f64::from(i == 0))).collect();
            let z: Vec<Dual<1>> = z.iter().map(|z| dual(*z, 0.0)).collect();
            let at = At { v: dual(at.v, 1.0), n: dual(at.n, 0.0), hold: dual(at.hold, 0.0), mode: &mode };
            let [own, other] = [law, guest].map(|law| answers(law, &p, &at, &z));
            assert_eq!(own.len(), other.len());
            for (own, other) in own.iter().zip(&other) {
                let (own, other) = (partial(own, 0), partial(other, 0));
                let is_near =
                    (own - other).abs() <= 1e-9 * own.abs().max(1e-12) || own.is_nan() && other.is_nan();
                assert!(is_near, "{}: slopes {own} and {other} at {at:?}", P::CARD.name);
            }
        }
    }
}

#[test]
fn laws_of_the_catalogue_entered_as_guests_are_the_same_laws() {
    macro_rules! check {
        ($($law:ident),*) => { $(same::<Other<$law<f64>>, Other<$law<Symbol>>>(LawKind::$law);)* };
    }
    check!(Coulomb, Karnopp, LuGre, ElastoPlastic, FrDyn2, Gms, Leuven, Dieterich, Quinn);
}

#[test]
fn a_guest_runs_in_bounds() {
    let law = LawKind::guest::<Other<LuGre<f64>>, Other<LuGre<Symbol>>>().unwrap();
    let numbers: Vec<Enclosure> = law.card().defaults().into_iter().map(Enclosure::from).collect();
    let at = At::sliding(Enclosure::from(0.1), Enclosure::from(10.0));
    let force = law.build(&numbers, &[]).eval(&at, &[Enclosure::from(1e-6)], &mut [Enclosure::from(0.0)]);
    let plain = law.build(&law.card().defaults(), &[]).eval(&At::sliding(0.1, 10.0), &[1e-6], &mut [0.0]);
    assert!((force.value() - plain).abs() < 1e-9 * plain.abs());
}

/// A law whose equations ask for a value, which symbols do not have.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "other_peeking")]
struct Peeking<S> {
    /// Coefficient.
    #[param(symbol = "μ", unit = "1", default = 0.3)]
    mu: S,
}

impl<S: Scalar> Law<S> for Peeking<S> {
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        if at.v.value() > 0.0 { self.mu * at.n } else { -self.mu * at.n }
    }
}

/// A law that takes the name of another.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "lugre")]
struct Taken<S> {
    /// Coefficient.
    #[param(symbol = "μ", unit = "1", default = 0.3)]
    mu: S,
}

impl<S: Scalar> Law<S> for Taken<S> {
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        self.mu * at.v
    }
}

#[test]
fn what_cannot_be_entered_says_why() {
    let error = LawKind::guest::<Peeking<f64>, Peeking<Symbol>>().unwrap_err();
    assert!(matches!(error, GuestError::Recording { .. }));
    assert!(error.to_string().contains("select instead"), "{error}");
    assert_eq!(LawKind::named("other_peeking"), None);
    let error = LawKind::guest::<Taken<f64>, Taken<Symbol>>().unwrap_err();
    assert_eq!(error, GuestError::Taken { name: "lugre" });
    let error = LawKind::guest::<Peeking<f64>, Taken<Symbol>>().unwrap_err();
    assert_eq!(error, GuestError::Different { plain: "other_peeking", symbolic: "lugre" });
}
