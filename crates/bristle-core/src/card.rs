//! The self-description of anything a user can name.

use serde::{Deserialize, Serialize};

/// Name, words, fields, states and source of a law, part, method, study or case.
///
/// Derived from the struct with `#[derive(Card)]`; the command line, the scenario parser, the manual, the
/// schema and the reports read cards and nothing else.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Card {
    /// What a scenario writes.
    pub name: &'static str,
    /// The doc comment, whole: a sentence, the equation in a `text` block, where it applies and fails.
    pub doc: &'static str,
    /// What can be set.
    pub fields: &'static [Field],
    /// Internal states (laws only).
    pub states: &'static [StateCard],
    /// Keys into the list of references.
    pub cite: &'static [&'static str],
    /// Words to filter by: `emulation`, `bristle`, `set-valued` …
    pub tags: &'static [&'static str],
}

/// One thing that can be set.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Field {
    /// What a scenario writes.
    pub name: &'static str,
    /// The letter in the equation.
    pub symbol: &'static str,
    /// A sentence.
    pub doc: &'static str,
    /// What kind of value it takes.
    pub kind: Kind,
    /// What the number means to a law; none where it belongs to something else.
    pub role: Option<Role>,
}

/// What a parameter of a law is, whatever the law calls it.
///
/// Two laws that both have a number of one role and one unit mean the same by it, save [`Role::Shape`] and
/// [`Role::Other`], which say that nobody else has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The most that friction bears at rest.
    StaticFriction,
    /// Friction in sliding.
    KineticFriction,
    /// Friction in steady sliding at the reference velocity, for a law that knows neither of the two.
    ReferenceFriction,
    /// By how much static exceeds kinetic friction.
    StaticExcess,
    /// Where static begins to give way to kinetic friction: the peak of the curve, or the width of its fall.
    StribeckVelocity,
    /// How steeply it does so.
    StribeckExponent,
    /// From which on friction is kinetic.
    KineticVelocity,
    /// Over which the sign of the velocity is smoothed.
    RegularisationVelocity,
    /// Below which the law takes a contact to stick.
    RestVelocity,
    /// At which the friction of a rate-and-state law is stated.
    ReferenceVelocity,
    /// Stiffness of the bristles together.
    BristleStiffness,
    /// Damping of the bristles together.
    BristleDamping,
    /// Friction in proportion to velocity.
    ViscousCoefficient,
    /// Deflection up to which the bristles are purely elastic.
    ElasticDeflection,
    /// Deflection at which static friction is reached.
    SaturationDeflection,
    /// Slip over which friction builds up.
    PreslidingDistance,
    /// Slip that renews the contacts.
    RenewalDistance,
    /// Time at rest in which a contact strengthens.
    DwellTime,
    /// Rise of friction with the logarithm of velocity.
    DirectEffect,
    /// Rise of friction with the logarithm of the contact's age.
    EvolutionEffect,
    /// Reciprocal of a velocity: the slope of a law's own curve.
    Steepness,
    /// Part of the friction that one of several elements bears.
    FrictionShare,
    /// Part of the stiffness of one of several elements.
    StiffnessShare,
    /// Exponent or factor of the law's own curve.
    Shape,
    /// Something only this law has.
    Other,
}

impl Role {
    /// Every role, as a scenario writes it.
    pub const WORDS: [&str; 25] = [
        "static_friction",
        "kinetic_friction",
        "reference_friction",
        "static_excess",
        "stribeck_velocity",
        "stribeck_exponent",
        "kinetic_velocity",
        "regularisation_velocity",
        "rest_velocity",
        "reference_velocity",
        "bristle_stiffness",
        "bristle_damping",
        "viscous_coefficient",
        "elastic_deflection",
        "saturation_deflection",
        "presliding_distance",
        "renewal_distance",
        "dwell_time",
        "direct_effect",
        "evolution_effect",
        "steepness",
        "friction_share",
        "stiffness_share",
        "shape",
        "other",
    ];
}

/// What a state of a law is, whatever the law calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StateRole {
    /// How far the bristles are bent.
    Deflection,
    /// How fast they bend.
    DeflectionRate,
    /// How long the surfaces have been in contact.
    Age,
    /// How much of static friction a dwell has built up.
    Strength,
}

impl StateRole {
    /// Every role, as a scenario writes it.
    pub const WORDS: [&str; 4] = ["deflection", "deflection_rate", "age", "strength"];

    /// Whether a contact in the plane has one of it in each direction.
    pub fn is_vector(self) -> bool {
        matches!(self, StateRole::Deflection | StateRole::DeflectionRate)
    }
}

/// What kind of value a field takes.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A number with a unit, in SI here.
    Number {
        /// SI unit, `1` for a pure number.
        unit: &'static str,
        /// Value when left out; none makes the field required.
        default: Option<f64>,
        /// Smallest admissible value.
        min: f64,
        /// Largest admissible value.
        max: f64,
        /// For a coefficient of the normal load: the name under which the force itself may be given.
        force: Option<&'static str>,
        /// Whether it counts something, so that only whole numbers make sense.
        whole: bool,
        /// Whether a signal of time may be given in its place.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        signal: bool,
    },
    /// One of several words.
    Choice {
        /// The words; the first is the default.
        options: &'static [&'static str],
    },
    /// `true` or `false`, false when left out.
    Flag,
    /// Free text.
    Text {
        /// Must it be given?
        required: bool,
    },
    /// The name of a part.
    Name {
        /// Must it be given?
        required: bool,
    },
    /// Several names of parts.
    Names {
        /// How many; zero for any number.
        count: usize,
    },
    /// A table with a `kind` from another catalogue (`law`, `signal` …).
    Table {
        /// Which catalogue.
        catalogue: &'static str,
        /// Must it be given?
        required: bool,
        /// What a signal measures, where it is not what holds it that says so.
        #[serde(skip_serializing_if = "Option::is_none")]
        unit: Option<&'static str>,
    },
    /// A list of tables, each with a `kind` from another catalogue.
    Tables {
        /// Which catalogue.
        catalogue: &'static str,
    },
    /// A list of numbers with one unit.
    Numbers {
        /// SI unit.
        unit: &'static str,
        /// Must it be given?
        required: bool,
    },
}

/// The fields of a struct, then those of the struct nested in it; `N` is how many they are together.
pub const fn join_fields<const N: usize>(own: &[Field], nested: &[Field]) -> [Field; N] {
    let mut all = [Field { name: "", symbol: "", doc: "", kind: Kind::Flag, role: None }; N];
    let mut i = 0;
    while i < N {
        all[i] = if i < own.len() { own[i] } else { nested[i - own.len()] };
        i += 1;
    }
    all
}

/// One internal state of a law.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct StateCard {
    /// Name of the output channel.
    pub name: &'static str,
    /// SI unit.
    pub unit: &'static str,
    /// What it is.
    pub role: StateRole,
}

/// Which of a field's options was chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Choice(pub u8);

/// Something with a card.
pub trait Described {
    /// The card.
    const CARD: Card;
}

/// A described struct whose numbers come from a slice, in the order of the card's number fields.
pub trait Params<S>: Described + Sized {
    /// Builds the struct from its numbers and its choices, each in the order of the card.
    fn from_slices(numbers: &[S], choices: &[Choice]) -> Self;

    /// Adds its numbers and its choices to lists, each in the order of the card.
    fn to_slices(&self, numbers: &mut Vec<S>, choices: &mut Vec<Choice>);

    /// The struct with the defaults of its card; a number without one is not a number, and is refused where it is used.
    fn of_card() -> Self
    where
        S: From<f64>,
    {
        let card = Self::CARD;
        let numbers: Vec<S> = card.defaults().into_iter().map(S::from).collect();
        Self::from_slices(&numbers, &card.default_choices())
    }
}

impl Kind {
    /// The value of a number that is left out, if it may be.
    pub fn default(&self) -> Option<f64> {
        match *self {
            Kind::Number { default, .. } => default,
            _ => None,
        }
    }

    /// Whether a number may have this value; anything goes for what is no number.
    pub fn admits(&self, value: f64) -> bool {
        match *self {
            Kind::Number { min, max, whole, .. } => {
                (min..=max).contains(&value) && (!whole || value.fract() == 0.0)
            }
            _ => true,
        }
    }
}

impl Card {
    /// The first sentence of the doc comment.
    pub fn title(&self) -> &'static str {
        let doc = self.doc.trim_start();
        let end = doc.find("\n\n").unwrap_or(doc.len());
        doc[..end].trim()
    }

    /// The equation: the content of the first `text` block, or nothing.
    pub fn equation(&self) -> &'static str {
        let Some(start) = self.doc.find("```text\n") else { return "" };
        let body = &self.doc[start + 8..];
        let end = body.find("```").unwrap_or(body.len());
        body[..end].trim_end()
    }

    /// The paragraphs after the title, without the equation.
    pub fn remarks(&self) -> String {
        let mut rest = self.doc.trim_start()[self.title().len()..].to_owned();
        if let Some(start) = rest.find("```text\n")
            && let Some(length) = rest[start + 8..].find("```")
        {
            rest.replace_range(start..start + 8 + length + 3, "");
        }
        rest.trim().to_owned()
    }

    /// The number fields, in order.
    pub fn numbers(&self) -> impl Iterator<Item = &'static Field> + use<> {
        self.fields.iter().filter(|f| matches!(f.kind, Kind::Number { .. }))
    }

    /// The choice fields, in order.
    pub fn choices(&self) -> impl Iterator<Item = &'static Field> + use<> {
        self.fields.iter().filter(|f| matches!(f.kind, Kind::Choice { .. }))
    }

    /// Default numbers, in order; a required number is not a number yet.
    pub fn defaults(&self) -> Vec<f64> {
        self.numbers()
            .map(|f| match f.kind {
                Kind::Number { default, .. } => default.unwrap_or(f64::NAN),
                _ => f64::NAN,
            })
            .collect()
    }

    /// The first option of each choice, in order.
    pub fn default_choices(&self) -> Vec<Choice> {
        self.choices().map(|_| Choice::default()).collect()
    }

    /// The place among the numbers of the first that has this role.
    pub fn place(&self, role: Role) -> Option<usize> {
        self.numbers().position(|f| f.role == Some(role))
    }

    /// The name of the first number that has this role.
    pub fn named(&self, role: Role) -> Option<&'static str> {
        self.numbers().find(|f| f.role == Some(role)).map(|f| f.name)
    }

    /// Whether the first state of a law is the deflection of bristles.
    pub fn has_bristles(&self) -> bool {
        self.states.first().is_some_and(|s| s.role == StateRole::Deflection)
    }

    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|f| f.name == name)
    }
}

/// The candidate a misspelt word most likely meant, if any is near.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |s: &str| s.to_lowercase().replace(['_', '-', ' '], "");
    let target = plain(word);
    candidates
        .into_iter()
        .map(|c| (distance(&target, &plain(c)), c))
        .filter(|(d, c)| *d <= 1 + c.len() / 4)
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
}

/// Number of single-letter edits between two words.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod card_tests {
    use super::*;

    /// A spring.
    ///
    /// ```text
    /// F = k x
    /// ```
    ///
    /// Holds for small stretch.
    #[derive(bristle_derive::Card)]
    #[card(
        name = "spring",
        cite = "hooke1678",
        tags("linear"),
        entry(name = "between", names = 2, doc = "Two parts.")
    )]
    struct TestSpring<S> {
        /// Stiffness.
        #[param(symbol = "k", role = BristleStiffness, unit = "N/m", default = 10.0, min = 0.0)]
        k: S,
        /// Turns.
        #[param(symbol = "n", unit = "1", default = 3, min = 1, max = 9, whole)]
        turns: S,
        /// How it is drawn.
        #[choice("coil", "zigzag")]
        shape: Choice,
    }

    #[test]
    fn a_card_is_read_off_the_struct() {
        let card = TestSpring::<f64>::CARD;
        assert_eq!(card.title(), "A spring.");
        assert_eq!(card.equation(), "F = k x");
        assert_eq!(card.remarks(), "Holds for small stretch.");
        assert_eq!(
            card.fields.iter().map(|f| f.name).collect::<Vec<_>>(),
            ["between", "k", "turns", "shape"]
        );
        assert_eq!((card.place(Role::BristleStiffness), card.named(Role::Shape)), (Some(0), None));
        assert_eq!(card.field("turns").unwrap().role, None);
        let spring = TestSpring::from_slices(&[3.0, 4.0], &[Choice(1)]);
        assert_eq!((spring.k, spring.turns, spring.shape), (3.0, 4.0, Choice(1)));
    }

    #[test]
    fn a_count_is_whole_and_within_its_range() {
        let card = TestSpring::<f64>::CARD;
        let admits = |name: &str, value: f64| card.field(name).unwrap().kind.admits(value);
        assert!(admits("turns", 1.0) && admits("turns", 9.0));
        assert!(!admits("turns", 2.7) && !admits("turns", 0.0) && !admits("turns", 10.0));
        assert!(admits("k", 2.7) && !admits("k", -1.0) && !admits("k", f64::NAN) && admits("shape", 7.0));
    }

    #[test]
    fn a_misspelt_word_finds_its_neighbour() {
        assert_eq!(nearest("sigma_0", ["mu_s", "sigma0", "sigma1"]), Some("sigma0"));
        assert_eq!(nearest("LuGre", ["dahl", "lugre"]), Some("lugre"));
        assert_eq!(nearest("zzzzzz", ["dahl", "lugre"]), None);
    }
}

#[cfg(test)]
mod role_tests {
    use super::*;

    #[test]
    fn every_word_is_a_role() {
        let read = |word: &str| {
            serde_json::from_value::<Role>(word.into()).map(|r| serde_json::to_value(r).unwrap())
        };
        for word in Role::WORDS {
            assert_eq!(read(word).unwrap(), word);
        }
        for word in StateRole::WORDS {
            assert!(serde_json::from_value::<StateRole>(word.into()).is_ok(), "{word}");
        }
    }
}
