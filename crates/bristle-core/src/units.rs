//! Units at the edge: `"5 mm/s"` becomes 0.005, and a length given for a speed is refused.

use thiserror::Error;

/// Why a quantity could not be read.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum UnitError {
    /// The text does not start with a number.
    #[error("`{text}` does not start with a number")]
    NoNumber {
        /// What was given.
        text: String,
    },
    /// The number is NaN or infinite.
    #[error("`{text}` is not a finite number")]
    NotFinite {
        /// What was given.
        text: String,
    },
    /// A unit this table does not know.
    #[error("`{unit}` is not a known unit")]
    UnknownUnit {
        /// The word that was not understood.
        unit: String,
    },
    /// The unit is known but of another dimension.
    #[error("`{found}` is not a unit of the same kind as `{expected}`")]
    Dimension {
        /// The unit that was given.
        found: String,
        /// The SI unit that was expected.
        expected: String,
    },
    /// A bare number where a unit is needed.
    #[error("`{text}` has no unit")]
    Missing {
        /// What was given.
        text: String,
        /// The SI unit that was expected.
        expected: String,
    },
}

/// Powers of kg, m, s, rad (kept apart from 1 so that an angle is not a slope), K.
type Dimension = [i32; 5];

const ONE: Dimension = [0; 5];

/// Known units: name, factor to SI, dimension, may carry a metric prefix.
const UNITS: &[(&str, f64, Dimension, bool)] = &[
    ("1", 1.0, ONE, false),
    ("%", 0.01, ONE, false),
    ("m", 1.0, [0, 1, 0, 0, 0], true),
    ("in", 0.0254, [0, 1, 0, 0, 0], false),
    ("ft", 0.3048, [0, 1, 0, 0, 0], false),
    ("s", 1.0, [0, 0, 1, 0, 0], true),
    ("min", 60.0, [0, 0, 1, 0, 0], false),
    ("h", 3600.0, [0, 0, 1, 0, 0], false),
    ("d", 86400.0, [0, 0, 1, 0, 0], false),
    ("Hz", 1.0, [0, 0, -1, 0, 0], true),
    ("g", 1e-3, [1, 0, 0, 0, 0], true),
    ("t", 1e3, [1, 0, 0, 0, 0], false),
    ("lb", 0.45359237, [1, 0, 0, 0, 0], false),
    ("N", 1.0, [1, 1, -2, 0, 0], true),
    ("lbf", 4.4482216152605, [1, 1, -2, 0, 0], false),
    ("Pa", 1.0, [1, -1, -2, 0, 0], true),
    ("bar", 1e5, [1, -1, -2, 0, 0], true),
    ("J", 1.0, [1, 2, -2, 0, 0], true),
    ("W", 1.0, [1, 2, -3, 0, 0], true),
    ("rad", 1.0, [0, 0, 0, 1, 0], true),
    ("deg", std::f64::consts::PI / 180.0, [0, 0, 0, 1, 0], false),
    ("°", std::f64::consts::PI / 180.0, [0, 0, 0, 1, 0], false),
    ("rev", 2.0 * std::f64::consts::PI, [0, 0, 0, 1, 0], false),
    ("rpm", 2.0 * std::f64::consts::PI / 60.0, [0, 0, -1, 1, 0], false),
    ("K", 1.0, [0, 0, 0, 0, 1], true),
];

const PREFIXES: &[(&str, f64)] = &[
    ("n", 1e-9),
    ("u", 1e-6),
    ("µ", 1e-6),
    ("μ", 1e-6),
    ("m", 1e-3),
    ("c", 1e-2),
    ("d", 1e-1),
    ("k", 1e3),
    ("M", 1e6),
    ("G", 1e9),
];

/// Reads a quantity such as `"5 mm/s"` or `"1e5 N/m"` and gives its value in the SI unit `expected`.
///
/// A bare number is accepted only where `expected` is `1`.
pub fn parse(text: &str, expected: &str) -> Result<f64, UnitError> {
    let text = text.trim();
    let (number, unit) = split(text)?;
    if unit.is_empty() {
        return if dimension(expected)?.1 == ONE {
            Ok(number)
        } else {
            Err(UnitError::Missing { text: text.to_owned(), expected: expected.to_owned() })
        };
    }
    let (factor, found) = dimension(unit)?;
    let (scale, wanted) = dimension(expected)?;
    // Radians may be left out of a compound unit: N·m/rad is written N·m by many.
    if found != wanted {
        return Err(UnitError::Dimension { found: unit.to_owned(), expected: expected.to_owned() });
    }
    Ok(number * factor / scale)
}

/// Splits a quantity into its finite number and the rest.
fn split(text: &str) -> Result<(f64, &str), UnitError> {
    let no_number = || UnitError::NoNumber { text: text.to_owned() };
    // The longest prefix that reads as a number; `5e3` and `5 e` are told apart by trying.
    let mut best = None;
    for (i, c) in text.char_indices() {
        let end = i + c.len_utf8();
        if c.is_whitespace() && best.is_some() {
            break;
        }
        if let Ok(value) = text[..end].trim().parse::<f64>() {
            best = Some((value, end));
        }
    }
    let (value, end) = best.ok_or_else(no_number)?;
    if !value.is_finite() {
        return Err(UnitError::NotFinite { text: text.to_owned() });
    }
    Ok((value, text[end..].trim()))
}

/// Factor to SI and dimension of a compound unit such as `N s/m`, `kg*m^2`, `1/m`, `N·s²/m`.
fn dimension(unit: &str) -> Result<(f64, Dimension), UnitError> {
    let unknown = || UnitError::UnknownUnit { unit: unit.to_owned() };
    let spaced = unit.replace('/', " / ").replace(['*', '·', '(', ')'], " ");
    let (mut factor, mut total, mut below) = (1.0, ONE, false);
    // Everything after the first slash is below the line, as engineers write `N s/m` and `W/m K`.
    for word in spaced.split_whitespace() {
        if word == "/" {
            below = true;
            continue;
        }
        let (name, power) = power_of(word).ok_or_else(unknown)?;
        let (f, d) = single(name).ok_or_else(unknown)?;
        let power = if below { -power } else { power };
        factor *= f64::powi(f, power);
        for (sum, one) in total.iter_mut().zip(d) {
            *sum += one * power;
        }
    }
    Ok((factor, total))
}

/// Splits `m^2`, `m2`, `m²`, `s^-1` into name and power.
fn power_of(word: &str) -> Option<(&str, i32)> {
    for (mark, power) in [("²", 2), ("³", 3), ("⁻¹", -1), ("⁻²", -2)] {
        if let Some(name) = word.strip_suffix(mark) {
            return Some((name, power));
        }
    }
    if let Some((name, power)) = word.split_once('^') {
        return power.parse().ok().map(|p| (name, p));
    }
    match word.char_indices().next_back() {
        Some((i, c)) if i > 0 && c.is_ascii_digit() => word[i..].parse().ok().map(|p| (&word[..i], p)),
        _ => Some((word, 1)),
    }
}

/// Factor and dimension of one unit, with or without a metric prefix.
fn single(name: &str) -> Option<(f64, Dimension)> {
    if let Some((_, factor, dimension, _)) = UNITS.iter().find(|u| u.0 == name) {
        return Some((*factor, *dimension));
    }
    PREFIXES.iter().find_map(|(prefix, scale)| {
        let rest = name.strip_prefix(prefix)?;
        let (_, factor, dimension, _) = UNITS.iter().find(|u| u.0 == rest && u.3)?;
        Some((scale * factor, *dimension))
    })
}

/// Whether two unit texts have the same dimension.
pub fn same_kind(a: &str, b: &str) -> bool {
    matches!((dimension(a), dimension(b)), (Ok(x), Ok(y)) if x.1 == y.1)
}

#[cfg(test)]
mod units_tests {
    use super::*;

    #[test]
    fn engineers_spellings_are_read() {
        for (text, unit, value) in [
            ("5 mm/s", "m/s", 5e-3),
            ("1e5 N/m", "N/m", 1e5),
            ("1e5N/m", "N/m", 1e5),
            ("100 kN/mm", "N/m", 1e8),
            ("3 kN s/m", "N s/m", 3e3),
            ("3 N*s/m", "N s/m", 3.0),
            ("3 N·s/m", "N s/m", 3.0),
            ("1 um", "m", 1e-6),
            ("1 µm", "m", 1e-6),
            ("15 deg", "rad", 15f64.to_radians()),
            ("9.81 m/s^2", "m/s^2", 9.81),
            ("9.81 m/s²", "m/s^2", 9.81),
            ("10 1/s", "1/s", 10.0),
            ("0.4", "1", 0.4),
            ("40 %", "1", 0.4),
            ("2 min", "s", 120.0),
            ("20 kg", "kg", 20.0),
            ("500 g", "kg", 0.5),
            ("-3e-3 m", "m", -3e-3),
        ] {
            let read = parse(text, unit).unwrap();
            assert!((read - value).abs() <= 1e-12 * value.abs(), "{text}: {read}");
        }
    }

    #[test]
    fn a_wrong_or_missing_unit_is_refused() {
        assert!(matches!(parse("5 mm", "m/s"), Err(UnitError::Dimension { .. })));
        assert!(matches!(parse("5", "m/s"), Err(UnitError::Missing { .. })));
        assert!(matches!(parse("5 furlong", "m"), Err(UnitError::UnknownUnit { .. })));
        assert!(matches!(parse("fast", "m/s"), Err(UnitError::NoNumber { .. })));
        assert!(matches!(parse("nan m", "m"), Err(UnitError::NotFinite { .. })));
        assert!(matches!(parse("inf m", "m"), Err(UnitError::NotFinite { .. })));
        assert!(matches!(parse("", "m"), Err(UnitError::NoNumber { .. })));
    }
}
