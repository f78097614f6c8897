//! The catalogue of friction laws. A law is one file here and two lines below; a test names a missing line.

use crate::entered;
use crate::guest::{Guest, GuestLaw};
use crate::law::{At, Law};
use crate::plane::InPlane;
use crate::written::{Written, WrittenLaw};
use bristle_core::{Card, Choice, Described, Mode, Params, Scalar};

mod adams_like;
mod ambrosio;
mod andersson;
mod benson;
mod bliman_sorine1;
mod bliman_sorine2;
mod bouc_wen;
mod brown_mcphee;
mod cdq;
mod coulomb;
mod dahl;
mod dieterich;
mod elasto_plastic;
mod frdyn2;
mod gms;
mod gonthier;
mod hollars;
mod karnopp;
mod kikuuwe;
mod leuven;
mod lugre;
mod lugre_dwell;
mod magic_formula;
mod makkar;
mod maxwell_slip;
mod perrin_rice;
mod quinn;
mod regularised;
mod ruina;
mod simpack_like;
mod simscape_like;
mod smooth_coulomb;
mod stick_slip;
mod threlfall;
mod velocity_based;

/// Makes the catalogue from one list: the types, the enum over them, and the enum of their kinds.
macro_rules! catalogue {
    ($($file:ident :: $law:ident),* $(,)?) => {
        $(pub use $file::$law;)*

        /// A law of the catalogue with its parameters.
        #[derive(Clone, Copy, Debug)]
        pub enum AnyLaw<S> {
            $(#[doc = concat!("See [`", stringify!($law), "`].")] $law($law<S>),)*
            /// A law that somebody wrote as text.
            Written(Written<S>),
            /// A law of another crate.
            Guest(Guest<S>),
        }

        /// Which law of the catalogue.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum LawKind {
            $(#[doc = concat!("See [`", stringify!($law), "`](struct@", stringify!($law), ").")] $law,)*
            /// A law that somebody wrote as text.
            Written(&'static WrittenLaw),
            /// A law of another crate.
            Guest(&'static GuestLaw),
        }

        impl LawKind {
            /// Every law of the catalogue, in the order of the catalogue.
            pub const ALL: &'static [LawKind] = &[$(LawKind::$law),*];

            /// The law's card.
            pub fn card(self) -> Card {
                match self {
                    $(LawKind::$law => <$law<f64> as Described>::CARD,)*
                    LawKind::Written(law) => law.card(),
                    LawKind::Guest(law) => law.card(),
                }
            }

            /// The law with these numbers and choices, each in the order of the card.
            #[inline]
            pub fn build<S: Scalar>(self, numbers: &[S], choices: &[Choice]) -> AnyLaw<S> {
                match self {
                    $(LawKind::$law => AnyLaw::$law(Params::from_slices(numbers, choices)),)*
                    LawKind::Written(law) => AnyLaw::Written(Written::new(law, numbers)),
                    LawKind::Guest(law) => AnyLaw::Guest(Guest::new(law, numbers, choices)),
                }
            }
        }

        impl<S> AnyLaw<S> {
            /// Which law it is.
            #[inline]
            pub fn kind(&self) -> LawKind {
                match self {
                    $(AnyLaw::$law(_) => LawKind::$law,)*
                    AnyLaw::Written(law) => LawKind::Written(law.law()),
                    AnyLaw::Guest(law) => LawKind::Guest(law.law()),
                }
            }
        }

        /// Calls the same method on whichever law it is.
        macro_rules! dispatch {
            ($self:ident, $inner:ident => $call:expr) => {
                match $self {
                    $(AnyLaw::$law($inner) => $call,)*
                    AnyLaw::Written($inner) => $call,
                    AnyLaw::Guest($inner) => $call,
                }
            };
        }
    };
}

catalogue! {
    coulomb::Coulomb,
    benson::Benson,
    smooth_coulomb::SmoothCoulomb,
    velocity_based::VelocityBased,
    magic_formula::MagicFormula,
    regularised::Regularised,
    karnopp::Karnopp,
    quinn::Quinn,
    cdq::Cdq,
    dahl::Dahl,
    lugre::LuGre,
    elasto_plastic::ElastoPlastic,
    stick_slip::StickSlip,
    gonthier::Gonthier,
    frdyn2::FrDyn2,
    adams_like::AdamsLike,
    simpack_like::SimpackLike,
    lugre_dwell::LuGreDwell,
    threlfall::Threlfall,
    hollars::Hollars,
    ambrosio::Ambrosio,
    makkar::Makkar,
    andersson::Andersson,
    brown_mcphee::BrownMcPhee,
    simscape_like::SimscapeLike,
    bouc_wen::BoucWen,
    kikuuwe::Kikuuwe,
    bliman_sorine1::BlimanSorine1,
    bliman_sorine2::BlimanSorine2,
    maxwell_slip::MaxwellSlip,
    gms::Gms,
    leuven::Leuven,
    dieterich::Dieterich,
    ruina::Ruina,
    perrin_rice::PerrinRice,
}

impl LawKind {
    /// Every law there is: those of the catalogue, then those of other crates.
    pub fn all() -> impl Iterator<Item = LawKind> + Clone {
        let guests = entered::all().into_iter().filter(|law| matches!(law, LawKind::Guest(_)));
        Self::ALL.iter().copied().chain(guests)
    }

    /// The law of that name, of the catalogue, written, or of another crate.
    pub fn named(name: &str) -> Option<LawKind> {
        let known = Self::ALL.iter().copied().find(|kind| kind.card().name == name);
        known.or_else(|| entered::find(|law| law.card().name == name))
    }

    /// How many internal states the law has.
    pub fn states(self) -> usize {
        self.card().states.len()
    }
}

impl<S: Scalar> AnyLaw<S> {
    /// See [`Law::eval`].
    #[inline]
    pub fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        dispatch!(self, law => law.eval(at, z, dz))
    }

    /// See [`Law::in_plane`].
    #[inline]
    pub fn in_plane(&self, at: &InPlane<S>, z: &[S], dz: &mut [S]) -> [S; 2] {
        dispatch!(self, law => law.in_plane(at, z, dz))
    }

    /// Whether it has a form for bodies that slide in a plane: any curve that needs neither a dead band nor the force that would hold,
    /// and laws with bristles that say so.
    pub fn slides_in_plane(&self) -> bool
    where
        S: Scalar,
    {
        let here = At { mode: &[Mode::Forward; 8], ..At::sliding(S::zero(), S::one()) };
        let is_curve = self.kind().states() == 0 && !self.uses_hold() && self.lock_speed(&here).vanishes();
        is_curve || dispatch!(self, law => law.bends_in_plane())
    }

    /// See [`Law::limit`].
    #[inline]
    pub fn limit(&self, at: &At<S>, z: &[S]) -> Option<S> {
        dispatch!(self, law => law.limit(at, z))
    }

    /// See [`Law::lock_speed`].
    #[inline]
    pub fn lock_speed(&self, at: &At<S>) -> S {
        dispatch!(self, law => law.lock_speed(at))
    }

    /// See [`Law::coasts`].
    pub fn coasts(&self) -> bool {
        dispatch!(self, law => law.coasts())
    }

    /// See [`Law::uses_hold`].
    #[inline]
    pub fn uses_hold(&self) -> bool {
        dispatch!(self, law => law.uses_hold())
    }

    /// See [`Law::keeps_direction`].
    #[inline]
    pub fn keeps_direction(&self) -> bool {
        dispatch!(self, law => law.keeps_direction())
    }

    /// See [`Law::elements`].
    #[inline]
    pub fn elements(&self) -> usize {
        dispatch!(self, law => law.elements())
    }

    /// See [`Law::guards`].
    #[inline]
    pub fn guards(&self, at: &At<S>, z: &[S], g: &mut [S]) {
        dispatch!(self, law => law.guards(at, z, g));
    }

    /// See [`Law::switch`].
    pub fn switch(&self, fired: usize, at: &At<f64>, z: &mut [f64], mode: &mut [Mode]) {
        dispatch!(self, law => law.switch(fired, at, z, mode));
    }

    /// See [`Law::start`].
    pub fn start(&self, at: &At<f64>, z: &[f64], mode: &mut [Mode]) {
        dispatch!(self, law => law.start(at, z, mode));
    }

    /// See [`Law::on_breakaway`].
    pub fn on_breakaway(&self, at: &At<f64>, mode: &mut [Mode]) {
        dispatch!(self, law => law.on_breakaway(at, mode));
    }

    /// See [`Law::closes`].
    pub fn closes(&self, at: &At<f64>, z: &mut [f64]) {
        dispatch!(self, law => law.closes(at, z));
    }

    /// See [`Law::initial`].
    pub fn initial(&self, z: &mut [f64]) {
        dispatch!(self, law => law.initial(z));
    }

    /// See [`Law::scales`].
    pub fn scales(&self, n: f64, scale: &mut [f64]) {
        dispatch!(self, law => law.scales(n, scale));
    }

    /// See [`Law::finest_speed`].
    pub fn finest_speed(&self) -> Option<f64> {
        dispatch!(self, law => law.finest_speed())
    }

    /// See [`Law::peak_width`].
    pub fn peak_width(&self) -> Option<f64> {
        dispatch!(self, law => law.peak_width())
    }

    /// See [`Law::fault`].
    pub fn fault(&self) -> Option<&'static str> {
        dispatch!(self, law => law.fault())
    }

    /// See [`Law::caution`].
    pub fn caution(&self, n: f64) -> Option<&'static str> {
        dispatch!(self, law => law.caution(n))
    }
}

#[cfg(test)]
mod catalogue_tests {
    use super::*;

    /// A file of this folder without its line would be dead text; the message says which line to add.
    #[test]
    fn every_file_of_the_folder_is_in_the_catalogue() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/laws");
        let list = include_str!("mod.rs");
        let mut stems = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            stems.extend(name.strip_suffix(".rs").filter(|stem| *stem != "mod").map(str::to_owned));
        }
        for stem in &stems {
            let law = type_name(folder, stem);
            let has_module = list.contains(&format!("\nmod {stem};\n"));
            let has_entry = list.contains(&format!("\n    {stem}::{law},\n"));
            assert!(
                has_module && has_entry,
                "laws/{stem}.rs has no entry: add `mod {stem};` and `{stem}::{law},` to laws/mod.rs"
            );
            assert_eq!(
                law.to_lowercase(),
                stem.replace('_', ""),
                "laws/{stem}.rs: the type has the letters of the file"
            );
            assert!(LawKind::named(stem).is_some(), "laws/{stem}.rs: the card is not named `{stem}`");
        }
        assert_eq!(stems.len(), LawKind::ALL.len());
    }

    /// The struct a law file declares.
    fn type_name(folder: &str, stem: &str) -> String {
        let text = std::fs::read_to_string(format!("{folder}/{stem}.rs")).unwrap();
        let rest = text.split("\npub struct ").nth(1).unwrap_or_default();
        rest.split('<').next().unwrap_or_default().to_owned()
    }
}
