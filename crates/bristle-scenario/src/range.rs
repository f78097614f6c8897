//! Whether a number may be what it is: one judgement for every place a number can come from.

use crate::error::Problem;
use bristle_core::units::short;
use bristle_core::units::{LARGEST, SMALLEST, UnitError};

/// Why a number is not admissible.
#[derive(Clone, Debug, PartialEq)]
pub enum Outside {
    /// Beyond its smallest or largest value: the range in words.
    Range(String),
    /// A count with a fraction.
    Fraction,
}

impl Outside {
    /// The problem for a key and its value as written.
    pub fn problem(self, key: &str, value: String) -> Problem {
        let key = key.to_owned();
        match self {
            Outside::Range(range) => Problem::Range { key, value, range },
            Outside::Fraction => Problem::NotWhole { key, value },
        }
    }
}

/// Why a number is not admissible, if it is not.
pub fn outside(number: f64, [min, max]: [f64; 2], whole: bool, unit: &str) -> Option<Outside> {
    if number >= min && number <= max {
        return (whole && number.fract() != 0.0).then_some(Outside::Fraction);
    }
    let range = match (min.is_finite(), max.is_finite()) {
        (true, true) => format!("between {} and {}", short(min), short(max)),
        (true, false) if min == 0.0 => "zero or positive".to_owned(),
        (true, false) => format!("at least {}", short(min)),
        _ => format!("at most {}", short(max)),
    };
    let suffix = if unit == "1" { String::new() } else { format!(" {unit}") };
    Some(Outside::Range(range + &suffix))
}

/// A way out of a quantity that could not be read.
pub fn unit_hint(error: &UnitError, unit: &str) -> String {
    match error {
        UnitError::Missing { text, expected } => format!("write \"{text} {expected}\""),
        UnitError::Dimension { expected, .. } => format!("a unit such as `{expected}` is expected here"),
        UnitError::UnknownUnit { unit: word } if word.starts_with(',') => {
            "write decimals with a point: \"1.5\", not \"1,5\"".to_owned()
        }
        UnitError::UnknownUnit { .. } | UnitError::Power { .. } => {
            format!("write it in `{unit}`, for example \"1 {unit}\"")
        }
        UnitError::SecondNumber { .. } if unit == "1" => "one number is expected here".to_owned(),
        UnitError::SecondNumber { .. } => {
            format!("one number with one unit is expected here, for example \"1 {unit}\"")
        }
        UnitError::TooLarge { .. } | UnitError::TooSmall { .. } => {
            format!("numbers from {SMALLEST:e} to {LARGEST:e} in SI units, and zero, can be computed with")
        }
        UnitError::TooLong { .. } => "seventeen digits are all that is kept of a number".to_owned(),
        _ if unit == "1" => "a finite number is expected here".to_owned(),
        _ => format!("a finite number with its unit is expected here, for example \"1 {unit}\""),
    }
}
