//! What a part is told: plain values in the order of its card, names not yet resolved.

use bristle_core::{Card, Choice, Kind, Params};

/// The values of one part, law or signal as read from a scenario or written in code.
///
/// `numbers` and `choices` follow the order of the card; everything else is looked up by the field's name.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// The card's name.
    pub kind: String,
    /// Numbers, in SI, in the order of the card.
    pub numbers: Vec<f64>,
    /// Choices, in the order of the card.
    pub choices: Vec<Choice>,
    /// Names of other parts, by field.
    pub names: Vec<(String, Vec<String>)>,
    /// Nested specs (laws, signals), by field.
    pub tables: Vec<(String, Spec)>,
    /// Lists of numbers, by field.
    pub lists: Vec<(String, Vec<f64>)>,
    /// Flags that are set, by field.
    pub flags: Vec<String>,
    /// Whether friction levels are forces rather than coefficients of the normal load (laws only).
    pub as_forces: bool,
}

impl Spec {
    /// A spec with the card's defaults.
    pub fn of(card: &Card) -> Spec {
        Spec {
            kind: card.name.to_owned(),
            numbers: card.defaults(),
            choices: card.default_choices(),
            names: Vec::new(),
            tables: Vec::new(),
            lists: Vec::new(),
            flags: Vec::new(),
            as_forces: false,
        }
    }

    /// What a described struct says.
    pub fn describing<T: Params<f64>>(described: &T) -> Spec {
        let mut spec = Spec { numbers: Vec::new(), choices: Vec::new(), ..Spec::of(&T::CARD) };
        described.to_slices(&mut spec.numbers, &mut spec.choices);
        spec
    }

    /// The first number, here or in what it holds, that its card does not admit: the field, the value, and what it may be. A
    /// number that may be left out may also be none.
    pub fn out_of_range(&self, cards: &dyn Fn(&str) -> Option<Card>) -> Option<(String, f64, [f64; 2])> {
        let card = cards(&self.kind)?;
        let own = card.numbers().zip(&self.numbers).find_map(|(field, &value)| {
            let Kind::Number { default, mut min, mut max, force, .. } = field.kind else { return None };
            let follows = self.table(field.name).is_some();
            let is_left_out = value.is_nan() && (follows || default.is_some_and(f64::is_nan));
            let mut is_fine = is_left_out || field.kind.admits(value);
            // Friction in newtons is of any size; the largest coefficient, of either sign, does not bound it.
            if self.as_forces && force.is_some() {
                max = f64::INFINITY;
                min = if min < 0.0 { f64::NEG_INFINITY } else { min };
                is_fine = value >= min && value.is_finite();
            }
            (!is_fine).then(|| (field.name.to_owned(), value, [min, max]))
        });
        own.or_else(|| {
            self.tables.iter().find_map(|(name, spec)| {
                let (field, value, range) = spec.out_of_range(cards)?;
                Some((format!("{name}.{field}"), value, range))
            })
        })
    }

    /// The same with one number set; a name the card does not have changes nothing.
    pub fn with(mut self, card: &Card, field: &str, value: f64) -> Spec {
        if let Some(i) = card.numbers().position(|f| f.name == field) {
            self.numbers[i] = value;
        }
        self
    }

    /// The same with one word chosen; a word the card does not have changes nothing.
    pub fn choosing(mut self, card: &Card, field: &str, word: &str) -> Spec {
        for (i, f) in card.choices().enumerate() {
            if let Kind::Choice { options } = f.kind
                && f.name == field
                && let Some(option) = options.iter().position(|o| *o == word)
            {
                self.choices[i] = Choice(option as u8);
            }
        }
        self
    }

    /// The same with the names of other parts.
    pub fn naming(mut self, field: &str, names: &[&str]) -> Spec {
        self.names.push((field.to_owned(), names.iter().map(|n| (*n).to_owned()).collect()));
        self
    }

    /// The same with a nested spec.
    pub fn holding(mut self, field: &str, table: Spec) -> Spec {
        self.tables.push((field.to_owned(), table));
        self
    }

    /// The names given for a field.
    pub fn named(&self, field: &str) -> &[String] {
        self.names.iter().find(|(f, _)| f == field).map_or(&[], |(_, names)| names)
    }

    /// The nested spec of a field.
    pub fn table(&self, field: &str) -> Option<&Spec> {
        self.tables.iter().find(|(f, _)| f == field).map(|(_, spec)| spec)
    }

    /// All nested specs of a field that takes several.
    pub fn all_tables<'a>(&'a self, field: &'a str) -> impl Iterator<Item = &'a Spec> {
        self.tables.iter().filter(move |(f, _)| f == field).map(|(_, spec)| spec)
    }

    /// The list of numbers of a field.
    pub fn list(&self, field: &str) -> &[f64] {
        self.lists.iter().find(|(f, _)| f == field).map_or(&[], |(_, list)| list)
    }

    /// Whether a flag is set.
    pub fn flag(&self, field: &str) -> bool {
        self.flags.iter().any(|f| f == field)
    }
}

#[cfg(test)]
mod spec_tests {
    use super::*;
    use bristle_law::LawKind;

    /// A hundred is no friction coefficient, but a hundred newtons are a friction force.
    #[test]
    fn friction_in_newtons_is_not_bounded_as_a_coefficient_is() {
        let cards = |kind: &str| LawKind::named(kind).map(LawKind::card);
        let law = Spec::of(&LawKind::Coulomb.card()).with(&LawKind::Coulomb.card(), "mu_s", 100.0);
        assert_eq!(law.out_of_range(&cards), Some(("mu_s".to_owned(), 100.0, [0.0, 10.0])));
        let force = |value: f64| {
            let law = law.clone().with(&LawKind::Coulomb.card(), "mu_s", value);
            Spec { as_forces: true, ..law }.out_of_range(&cards)
        };
        assert_eq!(force(100.0), None);
        assert_eq!(force(-1.0), Some(("mu_s".to_owned(), -1.0, [0.0, f64::INFINITY])));
        assert!(force(f64::NAN).is_some() && force(f64::INFINITY).is_some());
    }
}
