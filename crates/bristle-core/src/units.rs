//! Units at the edge: `"5 mm/s"` becomes 0.005, and a length given for a speed is refused.
//!
//! A reading is what was written or an error: one number, one unit, nothing left over, no overflow.

use thiserror::Error;

/// Longest text of a quantity; a longer one is a mistake, and digits beyond the 17th do not count anyway.
const LONGEST: usize = 128;

/// Largest power of a unit. Nothing in mechanics goes beyond the fourth power of a length.
const HIGHEST: i32 = 9;

/// Largest magnitude of a quantity in SI units. Mechanics ends far below, and products of three do not overflow.
pub const LARGEST: f64 = 1e100;

/// Smallest magnitude of a quantity in SI units that is not zero.
pub const SMALLEST: f64 = 1e-100;

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
    /// Two numbers where one is expected.
    #[error("`{text}` holds more than one number: after {number} comes `{rest}`")]
    SecondNumber {
        /// What was given.
        text: String,
        /// The first number as written.
        number: String,
        /// What follows it.
        rest: String,
    },
    /// Beyond [`LARGEST`], once converted.
    #[error("`{text}` is too large to be computed with")]
    TooLarge {
        /// What was given.
        text: String,
    },
    /// Not zero as written, but below [`SMALLEST`] once converted.
    #[error("`{text}` is too small to be computed with")]
    TooSmall {
        /// What was given.
        text: String,
    },
    /// Longer than any quantity.
    #[error("`{start}…` has {length} characters, but a quantity has at most {most}")]
    TooLong {
        /// How it begins.
        start: String,
        /// How many characters it has.
        length: usize,
        /// How many it may have.
        most: usize,
    },
    /// A unit this table does not know.
    #[error("`{unit}` is not a known unit")]
    UnknownUnit {
        /// The words that were not understood.
        unit: String,
    },
    /// A power of a unit that is zero or absurd.
    #[error("`{word}` in `{unit}` is a power from -{most} to {most} at most, and not zero")]
    Power {
        /// The unit with its power.
        word: String,
        /// The whole unit.
        unit: String,
        /// The highest power.
        most: i32,
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
type Powers = [i32; 5];

const ONE: Powers = [0; 5];

/// Known units: name, numerator and denominator of the factor to SI, dimension, may carry a metric prefix.
///
/// Powers of ten are kept as whole numbers above or below the line, so that 3 mm is the very number 0.003 m is.
const UNITS: &[(&str, f64, f64, Powers, bool)] = &[
    ("%", 1.0, 100.0, ONE, false),
    ("m", 1.0, 1.0, [0, 1, 0, 0, 0], true),
    ("in", 254.0, 1e4, [0, 1, 0, 0, 0], false),
    ("ft", 3048.0, 1e4, [0, 1, 0, 0, 0], false),
    ("s", 1.0, 1.0, [0, 0, 1, 0, 0], true),
    ("min", 60.0, 1.0, [0, 0, 1, 0, 0], false),
    ("h", 3600.0, 1.0, [0, 0, 1, 0, 0], false),
    ("d", 86400.0, 1.0, [0, 0, 1, 0, 0], false),
    ("Hz", 1.0, 1.0, [0, 0, -1, 0, 0], true),
    ("kg", 1.0, 1.0, [1, 0, 0, 0, 0], false),
    ("g", 1.0, 1e3, [1, 0, 0, 0, 0], true),
    ("t", 1e3, 1.0, [1, 0, 0, 0, 0], false),
    ("lb", 45359237.0, 1e8, [1, 0, 0, 0, 0], false),
    ("N", 1.0, 1.0, [1, 1, -2, 0, 0], true),
    ("Nm", 1.0, 1.0, [1, 2, -2, 0, 0], true),
    ("lbf", 44482216152605.0, 1e13, [1, 1, -2, 0, 0], false),
    ("Pa", 1.0, 1.0, [1, -1, -2, 0, 0], true),
    ("bar", 1e5, 1.0, [1, -1, -2, 0, 0], true),
    ("J", 1.0, 1.0, [1, 2, -2, 0, 0], true),
    ("W", 1.0, 1.0, [1, 2, -3, 0, 0], true),
    ("rad", 1.0, 1.0, [0, 0, 0, 1, 0], true),
    ("deg", std::f64::consts::PI, 180.0, [0, 0, 0, 1, 0], false),
    ("°", std::f64::consts::PI, 180.0, [0, 0, 0, 1, 0], false),
    ("rev", 2.0 * std::f64::consts::PI, 1.0, [0, 0, 0, 1, 0], false),
    ("rpm", 2.0 * std::f64::consts::PI, 60.0, [0, 0, -1, 1, 0], false),
    ("K", 1.0, 1.0, [0, 0, 0, 0, 1], true),
];

/// Metric prefixes: name, numerator and denominator.
const PREFIXES: &[(&str, f64, f64)] = &[
    ("n", 1.0, 1e9),
    ("u", 1.0, 1e6),
    ("µ", 1.0, 1e6),
    ("μ", 1.0, 1e6),
    ("m", 1.0, 1e3),
    ("c", 1.0, 1e2),
    ("d", 1.0, 1e1),
    ("k", 1e3, 1.0),
    ("M", 1e6, 1.0),
    ("G", 1e9, 1.0),
];

/// Reads a quantity such as `"5 mm/s"` or `"1e5 N/m"` and gives its value in the SI unit `expected`.
///
/// A bare number is accepted only where `expected` is `1`.
///
/// # Errors
/// [`UnitError`] for anything but one finite number and one unit of the dimension of `expected`, and for a value
/// that cannot be represented.
pub fn parse(text: &str, expected: &str) -> Result<f64, UnitError> {
    let text = text.trim();
    let length = text.chars().count();
    if length > LONGEST {
        let start = text.chars().take(24).collect();
        return Err(UnitError::TooLong { start, length, most: LONGEST });
    }
    let (digits, unit) = split(text)?;
    let number: f64 = digits.parse().map_err(|_| UnitError::NoNumber { text: text.to_owned() })?;
    let is_zero =
        digits.bytes().take_while(|b| !matches!(b, b'e' | b'E')).all(|b| !(b'1'..=b'9').contains(&b));
    let value = match unit {
        "" if Unit::read(expected)?.dimension == ONE => number,
        "" => return Err(UnitError::Missing { text: text.to_owned(), expected: expected.to_owned() }),
        _ => Conversion::between(unit, expected)?.apply(number),
    };
    if is_zero && value == 0.0 || (SMALLEST..=LARGEST).contains(&value.abs()) {
        return Ok(value);
    }
    let text = text.to_owned();
    // What overflows on both sides of a line is no number, and too large as well.
    Err(if value.abs() < SMALLEST { UnitError::TooSmall { text } } else { UnitError::TooLarge { text } })
}

/// The way from one unit to another of its dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conversion {
    above: f64,
    below: f64,
}

impl Conversion {
    /// From `unit` to `expected`.
    ///
    /// # Errors
    /// [`UnitError`] if a unit is not known or the two measure different things.
    pub fn between(unit: &str, expected: &str) -> Result<Conversion, UnitError> {
        let (from, to) = (Unit::read(unit)?, Unit::read(expected)?);
        if from.dimension != to.dimension {
            return Err(UnitError::Dimension { found: unit.to_owned(), expected: expected.to_owned() });
        }
        Ok(Conversion { above: from.above * to.below, below: from.below * to.above })
    }

    /// A number in the unit `expected`; not finite where that overflows.
    pub fn apply(self, number: f64) -> f64 {
        number * self.above / self.below
    }
}

/// Splits a quantity into its number, as written, and its unit.
fn split(text: &str) -> Result<(&str, &str), UnitError> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let word = unsigned.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    if ["nan", "inf", "infinity"].contains(&word.as_str()) {
        return Err(UnitError::NotFinite { text: text.to_owned() });
    }
    let end = text.len() - unsigned.len() + number_length(unsigned);
    let (number, rest) = (&text[..end], text[end..].trim());
    if !number.contains(|c: char| c.is_ascii_digit()) {
        return Err(UnitError::NoNumber { text: text.to_owned() });
    }
    // `10 1/s` is a number and a unit, `3 12 N` and `3 -2 N` are not; `1.2.3 N` is no number at all.
    let is_reciprocal = rest.strip_prefix('1').is_some_and(|r| r.trim_start().starts_with('/'));
    let is_number = rest.trim_start_matches(['+', '-', '.']).starts_with(|c: char| c.is_ascii_digit());
    if is_number && !is_reciprocal {
        let (number, rest) = (number.to_owned(), rest.to_owned());
        return Err(UnitError::SecondNumber { text: text.to_owned(), number, rest });
    }
    Ok((number, rest))
}

/// How many bytes of the text are digits, point and exponent.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(0);
    if text[end..].starts_with('.') {
        end += 1 + digits(end + 1);
    }
    // `5e3` has an exponent, `5 e` and `5eV` have not.
    if text[end..].starts_with(['e', 'E']) {
        let sign = usize::from(text[end + 1..].starts_with(['+', '-']));
        let power = digits(end + 1 + sign);
        if power > 0 {
            end += 1 + sign + power;
        }
    }
    end
}

/// A compound unit: its factor to SI as a fraction, and its dimension.
#[derive(Clone, Copy, Debug)]
struct Unit {
    above: f64,
    below: f64,
    dimension: Powers,
}

impl Unit {
    /// Reads a compound unit such as `N s/m`, `kg*m^2`, `1/m`, `N·s²/m`, `W/(m K)`.
    ///
    /// Everything after a slash is below the line, as engineers write `N s/m` and `W/m K`.
    fn read(unit: &str) -> Result<Unit, UnitError> {
        let unknown = || UnitError::UnknownUnit { unit: unit.to_owned() };
        let mut total = Unit { above: 1.0, below: 1.0, dimension: ONE };
        for (i, group) in unit.split('/').enumerate() {
            let words = words_of(group).ok_or_else(unknown)?;
            // `1` and nothing stand above a line only: `1/s`, `/s`, and `1` itself.
            if i == 0 && (words.is_empty() && unit.contains('/') || words == ["1"]) {
                continue;
            }
            if words.is_empty() {
                return Err(unknown());
            }
            for word in words {
                let (name, power) = power_of(word).ok_or_else(unknown)?;
                if power == 0 || power.abs() > HIGHEST {
                    let (word, unit) = (word.to_owned(), unit.to_owned());
                    return Err(UnitError::Power { word, unit, most: HIGHEST });
                }
                total.times(single(name).ok_or_else(unknown)?, if i == 0 { power } else { -power });
            }
        }
        Ok(total)
    }

    /// Multiplies with a power of another unit.
    fn times(&mut self, other: Unit, power: i32) {
        let is_above = power.is_positive();
        let (above, below) = if is_above { (other.above, other.below) } else { (other.below, other.above) };
        self.above *= above.powi(power.abs());
        self.below *= below.powi(power.abs());
        for (sum, one) in self.dimension.iter_mut().zip(other.dimension) {
            *sum += one * power;
        }
    }
}

/// The words of a group between slashes, which may stand in brackets as a whole.
fn words_of(group: &str) -> Option<Vec<&str>> {
    let group = group.trim();
    let inner = group.strip_prefix('(').and_then(|g| g.strip_suffix(')')).unwrap_or(group);
    let words = inner.split(|c: char| c.is_whitespace() || c == '*' || c == '·').filter(|w| !w.is_empty());
    (!inner.contains(['(', ')'])).then(|| words.collect())
}

/// Splits `m^2`, `m2`, `m²`, `s^-1` into name and power.
fn power_of(word: &str) -> Option<(&str, i32)> {
    for (mark, power) in [("⁻¹", -1), ("⁻²", -2), ("²", 2), ("³", 3)] {
        if let Some(name) = word.strip_suffix(mark) {
            return Some((name, power));
        }
    }
    if let Some((name, power)) = word.split_once('^') {
        // More digits than any power needs would not fit the number they are read into.
        return power.parse::<i32>().ok().map(|p| (name, p));
    }
    match word.char_indices().next_back() {
        Some((i, c)) if c.is_ascii_digit() => word[i..].parse().ok().map(|p| (&word[..i], p)),
        _ => Some((word, 1)),
    }
}

/// One unit, with or without a metric prefix.
fn single(name: &str) -> Option<Unit> {
    if let Some(&(_, above, below, dimension, _)) = UNITS.iter().find(|u| u.0 == name) {
        return Some(Unit { above, below, dimension });
    }
    PREFIXES.iter().find_map(|(prefix, above, below)| {
        let rest = name.strip_prefix(prefix)?;
        let unit = UNITS.iter().find(|u| u.0 == rest && u.4)?;
        Some(Unit { above: above * unit.1, below: below * unit.2, dimension: unit.3 })
    })
}

/// What a quantity measures, for formulas whose units are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension(Powers);

/// The names of dimensions that have one, as an engineer would write them.
const NAMED: &[&str] = &[
    "1",
    "m",
    "s",
    "kg",
    "rad",
    "K",
    "N",
    "m/s",
    "m/s^2",
    "1/s",
    "1/m",
    "N/m",
    "N s/m",
    "N m",
    "N s",
    "N s^2/m^2",
    "Pa",
    "Pa s",
    "W",
    "rad/s",
    "N m/rad",
    "N m s/rad",
    "kg m^2",
    "s/m",
    "1/N",
    "m/N",
    "N/m^2",
    "N/m^3",
    "m^2",
    "m^3",
    "m^2/s",
    "s^2/m^2",
];

impl Dimension {
    /// That of a pure number.
    pub const ONE: Dimension = Dimension(ONE);

    /// That of a unit.
    ///
    /// # Errors
    /// [`UnitError`] if it is not known.
    pub fn of(unit: &str) -> Result<Dimension, UnitError> {
        Ok(Dimension(Unit::read(unit)?.dimension))
    }

    /// That of a product.
    pub fn times(self, other: Dimension) -> Dimension {
        Dimension(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }

    /// That of a quotient.
    pub fn over(self, other: Dimension) -> Dimension {
        self.times(other.power(-1))
    }

    /// That of a whole power.
    pub fn power(self, power: i32) -> Dimension {
        Dimension(self.0.map(|p| p * power))
    }

    /// The same where an angle is a pure number, as it is in a power.
    pub fn without_angle(self) -> Dimension {
        let [kg, m, s, _, k] = self.0;
        Dimension([kg, m, s, 0, k])
    }

    /// That of a square root, if it has one.
    pub fn root(self) -> Option<Dimension> {
        self.0.iter().all(|p| p % 2 == 0).then(|| Dimension(self.0.map(|p| p / 2)))
    }
}

impl std::fmt::Display for Dimension {
    /// The SI unit.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(name) = NAMED.iter().find(|name| Dimension::of(name) == Ok(*self)) {
            return f.write_str(name);
        }
        let side = |is_above: bool| {
            let base = ["kg", "m", "s", "rad", "K"].into_iter().zip(self.0);
            let one =
                base.filter(|(_, p)| if is_above { *p > 0 } else { *p < 0 }).map(|(name, p)| match p.abs() {
                    1 => name.to_owned(),
                    p => format!("{name}^{p}"),
                });
            one.collect::<Vec<_>>().join(" ")
        };
        match (side(true), side(false)) {
            (above, below) if below.is_empty() => f.write_str(&above),
            (above, below) if above.is_empty() => write!(f, "1/{below}"),
            (above, below) => write!(f, "{above}/{below}"),
        }
    }
}

/// Reads a quantity of any dimension: its value in SI, and what it measures.
///
/// # Errors
/// [`UnitError`] for anything but one finite number and one known unit.
pub fn quantity(text: &str) -> Result<(f64, Dimension), UnitError> {
    let (_, unit) = split(text.trim())?;
    let dimension = if unit.is_empty() { Dimension::ONE } else { Dimension::of(unit)? };
    Ok((parse(text, &dimension.to_string())?, dimension))
}

/// A number as a user would write it.
pub fn short(value: f64) -> String {
    if value == 0.0 || (1e-3..1e4).contains(&value.abs()) { format!("{value}") } else { format!("{value:e}") }
}

/// Whether two unit texts have the same dimension.
pub fn same_kind(a: &str, b: &str) -> bool {
    Conversion::between(a, b).is_ok()
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
            ("1E+5 N/m", "N/m", 1e5),
            ("100 kN/mm", "N/m", 1e8),
            ("3 kN s/m", "N s/m", 3e3),
            ("3 N*s/m", "N s/m", 3.0),
            ("3 N·s/m", "N s/m", 3.0),
            ("3 N * s / m", "N s/m", 3.0),
            ("3 (N s)/m", "N s/m", 3.0),
            ("3 N/(m/s)", "N/m s", f64::NAN),
            ("3 J/(m s)", "W/m", 3.0),
            ("3 J/m s", "W/m", 3.0),
            ("3 m/s/s", "m/s^2", 3.0),
            ("1 um", "m", 1e-6),
            ("1 µm", "m", 1e-6),
            ("1 μm", "m", 1e-6),
            ("15 deg", "rad", 15f64.to_radians()),
            ("15°", "rad", 15f64.to_radians()),
            ("9.81 m/s^2", "m/s^2", 9.81),
            ("9.81 m/s²", "m/s^2", 9.81),
            ("9.81 m s⁻²", "m/s^2", 9.81),
            ("9.81 m s^-2", "m/s^2", 9.81),
            ("9.81 m/s2", "m/s^2", 9.81),
            ("2 m³", "m^3", 2.0),
            ("10 1/s", "1/s", 10.0),
            ("10 1 / s", "1/s", 10.0),
            ("10 /s", "1/s", 10.0),
            ("10 s⁻¹", "1/s", 10.0),
            ("10 Hz", "1/s", 10.0),
            ("0.4", "1", 0.4),
            (".4", "1", 0.4),
            ("4.", "1", 4.0),
            ("40 %", "1", 0.4),
            ("2 min", "s", 120.0),
            ("20 kg", "kg", 20.0),
            ("500 g", "kg", 0.5),
            ("-3e-3 m", "m", -3e-3),
            ("+3e-3 m", "m", 3e-3),
            ("1 m^9", "m^9", 1.0),
            ("1 m^-9", "1/m^9", 1.0),
            ("0e400 m", "m", 0.0),
            ("-0.0 mm", "m", 0.0),
        ] {
            let read = parse(text, unit);
            if value.is_nan() {
                assert!(read.is_err(), "{text}: {read:?}");
            } else {
                // A quotient of two whole numbers is rounded once.
                assert_eq!(read, Ok(value), "{text}");
            }
        }
    }

    #[test]
    fn dimensions_multiply_and_are_named() {
        let of = |unit: &str| Dimension::of(unit).unwrap();
        assert_eq!(of("N").over(of("m/s")).to_string(), "N s/m");
        assert_eq!(of("J").over(of("N")).to_string(), "m");
        assert_eq!(of("N").times(of("kg")).to_string(), "kg^2 m/s^2");
        assert_eq!(of("K").power(-2).to_string(), "1/K^2");
        assert_eq!(of("m^2/s^2").root(), Some(of("m/s")));
        assert_eq!(of("N").root(), None);
        assert_eq!(quantity("1 mm/s"), Ok((1e-3, of("m/s"))));
        assert_eq!(quantity("0.3"), Ok((0.3, Dimension::ONE)));
        assert!(NAMED.iter().all(|name| of(name).to_string().parse::<f64>().is_err() || *name == "1"));
    }

    /// The definitions, as the tables of the Bureau international des poids et mesures and NIST SP 811 have them.
    #[test]
    fn every_unit_has_its_defined_size() {
        let turn = 2.0 * std::f64::consts::PI;
        for (unit, value, si) in [
            ("%", 0.01, "1"),
            ("in", 0.0254, "m"),
            ("ft", 0.3048, "m"),
            ("min", 60.0, "s"),
            ("h", 3600.0, "s"),
            ("d", 86400.0, "s"),
            ("Hz", 1.0, "1/s"),
            ("g", 1e-3, "kg"),
            ("t", 1e3, "kg"),
            ("lb", 0.45359237, "kg"),
            ("N", 1.0, "kg m/s^2"),
            ("lbf", 4.4482216152605, "kg m/s^2"),
            ("Pa", 1.0, "kg/m s^2"),
            ("bar", 1e5, "kg/m s^2"),
            ("J", 1.0, "kg m^2/s^2"),
            ("W", 1.0, "kg m^2/s^3"),
            ("Nm", 1.0, "N m"),
            ("kNm/rad", 1e3, "N m/rad"),
            ("Nm s/rad", 1.0, "N m s/rad"),
            ("kg cm^2", 1e-4, "kg m^2"),
            ("deg/s", turn / 360.0, "rad/s"),
            ("rev/s", turn, "rad/s"),
            ("rev", turn, "rad"),
            ("rpm", turn / 60.0, "rad/s"),
            ("°", turn / 360.0, "rad"),
            ("K", 1.0, "K"),
            ("nm", 1e-9, "m"),
            ("um", 1e-6, "m"),
            ("mm", 1e-3, "m"),
            ("cm", 1e-2, "m"),
            ("dm", 1e-1, "m"),
            ("km", 1e3, "m"),
            ("MN", 1e6, "N"),
            ("GPa", 1e9, "Pa"),
            ("mbar", 100.0, "Pa"),
            ("mrad", 1e-3, "rad"),
            ("mg", 1e-6, "kg"),
            ("kHz", 1e3, "1/s"),
            ("kJ", 1e3, "J"),
            ("kW", 1e3, "W"),
            ("mK", 1e-3, "K"),
            ("ms", 1e-3, "s"),
        ] {
            let read = parse(&format!("1 {unit}"), si).unwrap();
            assert!((read - value).abs() <= 3e-16 * value, "{unit}: {read:e}");
        }
    }

    #[test]
    fn a_prefix_goes_with_metric_units_only() {
        for word in ["kmin", "mt", "kdeg", "krpm", "mlb", "kin", "k%", "kkg", "mmm", "km m m", "x", "μ"] {
            let read = parse(&format!("1 {word}"), "m");
            assert!(read.is_err(), "{word}: {read:?}");
        }
        assert_eq!(parse("1 mmm", "m"), Err(UnitError::UnknownUnit { unit: "mmm".to_owned() }));
    }

    #[test]
    fn three_millimetres_are_the_number_of_metres_one_would_write() {
        for n in 1..2000 {
            let written: f64 = format!("{n}e-3").parse().unwrap();
            assert_eq!(parse(&format!("{n} mm"), "m"), Ok(written));
            let written: f64 = format!("{n}.7").parse().unwrap();
            assert_eq!(parse(&format!("{n}.7 kg"), "kg"), Ok(written));
        }
    }

    #[test]
    fn a_wrong_or_missing_unit_is_refused() {
        assert!(matches!(parse("5 mm", "m/s"), Err(UnitError::Dimension { .. })));
        assert!(matches!(parse("5 deg", "1"), Err(UnitError::Dimension { .. })));
        assert!(matches!(parse("5", "m/s"), Err(UnitError::Missing { .. })));
        assert!(matches!(parse("5 furlong", "m"), Err(UnitError::UnknownUnit { .. })));
        assert!(matches!(parse("fast", "m/s"), Err(UnitError::NoNumber { .. })));
        assert!(matches!(parse("", "m"), Err(UnitError::NoNumber { .. })));
        for text in ["-", ".", "e5", "-e5 m", "m", "/s", "− 5 m"] {
            assert!(matches!(parse(text, "m"), Err(UnitError::NoNumber { .. })), "{text}");
        }
        for text in ["nan m", "inf m", "-inf m", "+NaN m", "Infinity m", "inf"] {
            assert!(matches!(parse(text, "m"), Err(UnitError::NotFinite { .. })), "{text}");
        }
    }

    #[test]
    fn what_is_left_over_is_not_dropped() {
        for text in [
            "3 12 N", "3 -2 N", "3 +2 N", "3 .5 N", "3 1 N", "3 1", "3 2/s", "3 1e3/s", "1.2.3 N", "1-2 N",
            "3 10/s",
        ] {
            for unit in ["N", "1/s", "1"] {
                let read = parse(text, unit);
                assert!(matches!(read, Err(UnitError::SecondNumber { .. })), "{text}: {read:?}");
            }
        }
        for text in [
            "3 N 1", "3 N 12", "3 N x", "3 N/", "3 N//m", "3 N/1", "3 N (", "3 N)", "3 (N", "3 ((N))",
            "3 N()", "3 ,5 N", "3,5 N", "3e N", "3 ()", "3 /", "3 N^", "3 N^x", "3 N^1^1", "3 N^1.5", "3 ^2",
            "3 ²", "3 N¹",
        ] {
            let read = parse(text, "N");
            assert!(matches!(read, Err(UnitError::UnknownUnit { .. })), "{text}: {read:?}");
        }
    }

    #[test]
    fn numbers_that_cannot_be_computed_with_are_refused() {
        let large = |text: &str, unit: &str| {
            assert!(matches!(parse(text, unit), Err(UnitError::TooLarge { .. })), "{text}");
        };
        let small = |text: &str, unit: &str| {
            assert!(matches!(parse(text, unit), Err(UnitError::TooSmall { .. })), "{text}");
        };
        large("1e308 t", "kg");
        large("-1e308 t", "kg");
        large("1e400", "1");
        large("1e300 km^9", "m^9");
        small("1e-400", "1");
        small("1e-308 mm", "m");
        small("-1e-320 m", "m");
        small("0.0001e-400 m", "m");
        // Squares of these would overflow, or vanish.
        large("1e308 N", "N");
        large("-1.1e97 t", "kg");
        small("1e-98 mm", "m");
        assert_eq!(parse("1e97 t", "kg"), Ok(1e100));
        assert_eq!(parse("-1e-100 m", "m"), Ok(-1e-100));
        assert_eq!(parse("0.000e-999 m", "m"), Ok(0.0));
        // Powers that overflow on both sides of the line leave no number behind.
        let both = |count: usize| format!("0 N {0}/{0}", "Gm^9 ".repeat(count));
        assert_eq!(parse(&both(3), "N"), Ok(0.0));
        large(&both(4), "N");
    }

    #[test]
    fn powers_are_small_and_not_zero() {
        for text in ["0 N km^200/km^200", "1 N m^0", "1 N m0", "1 N m^10", "1 N m^-10", "1 N m^2147483647"] {
            assert!(matches!(parse(text, "N"), Err(UnitError::Power { .. })), "{text}");
        }
        assert!(matches!(parse("1 N m^99999999999", "N"), Err(UnitError::UnknownUnit { .. })));
    }

    #[test]
    fn a_text_beyond_measure_is_not_read() {
        let digits = format!("0.{}", "1".repeat(LONGEST - 2));
        assert!(parse(&digits, "1").is_ok());
        let longer = format!("{digits}1");
        assert_eq!(
            parse(&longer, "1"),
            Err(UnitError::TooLong { start: longer[..24].to_owned(), length: LONGEST + 1, most: LONGEST })
        );
        let begun = std::time::Instant::now();
        assert!(parse(&"7".repeat(1_000_000), "1").is_err());
        assert!(begun.elapsed().as_secs_f64() < 1.0);
    }

    #[test]
    fn units_of_one_kind_are_told_from_others() {
        assert!(same_kind("N m", "J") && same_kind("km/h", "m/s") && same_kind("1", "%"));
        assert!(!same_kind("rad", "1") && !same_kind("N", "N m") && !same_kind("furlong", "furlong"));
    }

    #[test]
    fn a_conversion_is_used_for_many_numbers() {
        let minutes = Conversion::between("min", "s").unwrap();
        assert_eq!([0.5, 2.0].map(|n| minutes.apply(n)), [30.0, 120.0]);
        let back = Conversion::between("m", "mm").unwrap();
        assert_eq!(back.apply(0.5), 500.0);
        // Into a unit that is larger than that of the SI, and from one to another.
        assert_eq!(Conversion::between("m", "km").unwrap().apply(500.0), 0.5);
        assert_eq!(Conversion::between("min", "h").unwrap().apply(90.0), 1.5);
        assert!(Conversion::between("min", "m").is_err());
    }
}
