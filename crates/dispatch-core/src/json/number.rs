//! Numbers: exact where 64 bits hold them, else the nearest double.

use std::cmp::Ordering;

/// A JSON number as it is understood here.
///
/// A number without a fractional part that 64 bits hold is an exact integer, however it was written: `1`, `1.0` and `1e0` are the same,
/// and `-0` is `0`. Every other one is its nearest double.
///
/// ```
/// use dispatch_core::json::{Document, Number};
///
/// let number = |text: &str| Document::parse(text.into()).unwrap().root().as_number().unwrap();
/// assert_eq!(number("1e2"), Number::Unsigned(100));
/// assert_eq!(number("-0.0"), Number::Unsigned(0));
/// assert_eq!(number("18446744073709551615"), Number::Unsigned(u64::MAX));
/// assert_eq!(number("1.5"), Number::Double(1.5));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer from 0 to 2^64 - 1.
    Unsigned(u64),
    /// An integer from -2^63 to -1.
    Negative(i64),
    /// A double that is not one of the above. The reader gives finite ones only.
    Double(f64),
}

/// 2^63 and 2^64: doubles, and the first beyond what `i64` and `u64` hold.
const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

impl Number {
    /// Reads what the reader has found to be a JSON number literal. Returns nothing when it rounds to no finite double.
    pub(super) fn parse(literal: &str) -> Option<Self> {
        if let Ok(unsigned) = literal.parse() {
            return Some(Self::Unsigned(unsigned));
        }
        match literal.parse::<i64>() {
            Ok(signed) => Some(Self::from_i64(signed)),
            // The standard library rounds correctly; serde_json only with a feature that any crate of a build may leave out.
            Err(_) => literal.parse().ok().and_then(Self::from_f64),
        }
    }

    fn from_i64(value: i64) -> Self {
        u64::try_from(value).map_or(Self::Negative(value), Self::Unsigned)
    }

    fn from_f64(value: f64) -> Option<Self> {
        if !value.is_finite() {
            return None;
        }
        if value.fract() != 0.0 || !(-TWO_TO_63..TWO_TO_64).contains(&value) {
            return Some(Self::Double(value));
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an integer within the bounds checked above"
        )]
        Some(if value < 0.0 { Self::Negative(value as i64) } else { Self::Unsigned(value as u64) })
    }

    /// Reads the number of a `serde_json` value.
    pub(crate) fn from_json(number: &serde_json::Number) -> Option<Self> {
        if let Some(unsigned) = number.as_u64() {
            return Some(Self::Unsigned(unsigned));
        }
        match number.as_i64() {
            Some(signed) => Some(Self::from_i64(signed)),
            None => number.as_f64().and_then(Self::from_f64),
        }
    }

    /// Returns the number as `serde_json` holds it: an integer where it is one.
    pub fn to_json(self) -> serde_json::Value {
        match self {
            Self::Unsigned(value) => value.into(),
            Self::Negative(value) => value.into(),
            Self::Double(value) => value.into(),
        }
    }

    /// Returns whether the number has no fractional part, as JSON Schema means it: `1e300` is an integer.
    pub fn is_integer(self) -> bool {
        match self {
            Self::Unsigned(_) | Self::Negative(_) => true,
            Self::Double(value) => value.fract() == 0.0,
        }
    }

    /// Compares two numbers by their exact values.
    ///
    /// ```
    /// use std::cmp::Ordering;
    /// use dispatch_core::json::Document;
    ///
    /// let number = |text: &str| Document::parse(text.into()).unwrap().root().as_number().unwrap();
    /// // As doubles these two are equal.
    /// let (two_to_64, largest) = (number("18446744073709551616"), number("18446744073709551615"));
    /// assert_eq!(two_to_64.exact_cmp(largest), Ordering::Greater);
    /// ```
    pub fn exact_cmp(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Unsigned(a), Self::Unsigned(b)) => return a.cmp(&b),
            (Self::Unsigned(_), Self::Negative(..0)) => return Ordering::Greater,
            _ => {}
        }
        match (self.as_integer(), other.as_integer()) {
            (Ok(a), Ok(b)) => a.cmp(&b),
            (Err(a), Err(b)) => a.total_cmp(&b),
            (Err(a), Ok(b)) => compare_double(a, b),
            (Ok(a), Err(b)) => compare_double(b, a).reverse(),
        }
    }

    fn as_integer(self) -> Result<i128, f64> {
        match self {
            Self::Unsigned(value) => Ok(value.into()),
            Self::Negative(value) => Ok(value.into()),
            Self::Double(value) => match Self::from_f64(value) {
                Some(integer @ (Self::Unsigned(_) | Self::Negative(_))) => integer.as_integer(),
                _ => Err(value),
            },
        }
    }
}

/// Compares a double that is no 64-bit integer with a 64-bit integer. They are never equal.
fn compare_double(double: f64, integer: i128) -> Ordering {
    #[expect(clippy::cast_possible_truncation, reason = "the cast saturates, far beyond any 64-bit integer")]
    let floor = double.floor() as i128;
    if floor >= integer { Ordering::Greater } else { Ordering::Less }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_exact_where_64_bits_hold_them() {
        for (literal, expected) in [
            ("0", Some(Number::Unsigned(0))),
            ("-0", Some(Number::Unsigned(0))),
            ("-1", Some(Number::Negative(-1))),
            ("-9223372036854775808", Some(Number::Negative(i64::MIN))),
            ("9223372036854775808", Some(Number::Unsigned(1 << 63))),
            ("18446744073709551616", Some(Number::Double(TWO_TO_64))),
            ("-9223372036854775809", Some(Number::Negative(i64::MIN))),
            ("1e19", Some(Number::Unsigned(10_000_000_000_000_000_000))),
            ("-1E2", Some(Number::Negative(-100))),
            ("0.1", Some(Number::Double(0.1))),
            ("1e-400", Some(Number::Unsigned(0))),
            ("-1e999", None),
        ] {
            assert_eq!(Number::parse(literal), expected, "{literal}");
        }
    }

    #[test]
    fn comparison_is_exact_across_kinds() {
        for (smaller, larger) in [
            ("1", "1.5"),
            ("-1.5", "-1"),
            ("-2", "-1.5"),
            ("18446744073709551615", "18446744073709551616"),
            ("-1e300", "-9223372036854775808"),
            ("0.5", "1"),
        ] {
            let (smaller, larger) = (Number::parse(smaller).unwrap(), Number::parse(larger).unwrap());
            assert_eq!(smaller.exact_cmp(larger), Ordering::Less, "{smaller:?} {larger:?}");
            assert_eq!(larger.exact_cmp(smaller), Ordering::Greater, "{larger:?} {smaller:?}");
        }
    }
}
