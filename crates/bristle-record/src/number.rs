//! Numbers as people read them, and as JSON can hold them.

/// `value` with `digits` significant digits, in plain notation where that is readable and as
/// `1.23e-6` elsewhere; trailing zeros are kept only if `digits` asks for them in plain notation.
///
/// ```
/// use bristle_record::number::significant;
/// assert_eq!(significant(0.0123456, 3), "0.0123");
/// assert_eq!(significant(1.5e-7, 3), "1.50e-7");
/// assert_eq!(significant(f64::NAN, 3), "–");
/// ```
pub fn significant(value: f64, digits: usize) -> String {
    if value.is_nan() {
        return "–".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞".into() } else { "-∞".into() };
    }
    if value == 0.0 {
        return "0".into();
    }
    let digits = digits.clamp(1, 17);
    let scientific = format!("{value:.*e}", digits - 1);
    // The exponent after rounding: 9.996 with three digits is 10.0.
    let exponent: i32 = scientific.split('e').nth(1).and_then(|e| e.parse().ok()).unwrap_or(0);
    if (-4..6.max(digits as i32)).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        format!("{value:.decimals$}")
    } else {
        scientific
    }
}

/// Like [`significant`], without trailing zeros: what a fact or a tick shows.
pub fn short(value: f64, digits: usize) -> String {
    let text = significant(value, digits);
    let (mantissa, exponent) = match text.split_once('e') {
        Some((m, e)) => (m.to_owned(), format!("e{e}")),
        None => (text, String::new()),
    };
    let mantissa = if mantissa.contains('.') {
        mantissa.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        mantissa
    };
    mantissa + &exponent
}

/// A number in the mini markup of [`crate::markup`]: `1.5e-7` becomes `1.5×10^{−7}`, with a true minus sign.
pub fn pretty(text: &str) -> String {
    let minus = |s: &str| s.replace('-', "−");
    match text.split_once('e') {
        Some((mantissa, exponent)) if exponent.parse::<i32>().is_ok() => {
            format!("{}×10^{{{}}}", minus(mantissa), minus(exponent))
        }
        _ => minus(text),
    }
}

/// A number that is written as `null` when it is not finite and read back as NaN.
pub(crate) mod nullable {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(value: &f64, out: S) -> Result<S::Ok, S::Error> {
        value.is_finite().then_some(*value).serialize(out)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        Ok(Option::<f64>::deserialize(from)?.unwrap_or(f64::NAN))
    }
}

/// The same for a list of numbers.
pub(crate) mod nullable_list {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(values: &[f64], out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq(values.iter().map(|v| v.is_finite().then_some(*v)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
        let values = Vec::<Option<f64>>::deserialize(from)?;
        Ok(values.into_iter().map(|v| v.unwrap_or(f64::NAN)).collect())
    }
}

#[cfg(test)]
mod number_tests {
    use super::*;

    #[test]
    fn rounding_may_raise_the_exponent() {
        assert_eq!(significant(9.996, 3), "10.0");
        assert_eq!(significant(999_999.6, 6), "1.00000e6");
        assert_eq!(significant(-0.00012345, 2), "-0.00012");
    }

    #[test]
    fn short_numbers_have_no_trailing_zeros() {
        assert_eq!(short(0.5, 6), "0.5");
        assert_eq!(short(1200.0, 3), "1200");
        assert_eq!(short(2e-9, 4), "2e-9");
    }

    #[test]
    fn pretty_numbers_use_powers_of_ten() {
        assert_eq!(pretty("-1.5e-7"), "−1.5×10^{−7}");
        assert_eq!(pretty("inferred"), "inferred");
    }
}
