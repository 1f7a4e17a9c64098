//! Numbers, as they are typed.

use std::ffi::OsStr;
use std::ops::RangeBounds;

use clap::builder::{RangedU64ValueParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};

/// Reads a number in these bounds that is written in digits alone.
pub(super) fn within(bounds: impl RangeBounds<u64>) -> impl TypedValueParser<Value = u64> {
    Digits(RangedU64ValueParser::new().range(bounds))
}

/// Refuses the plus sign that `u64` takes: the same words must be a number for every program that reads them.
#[derive(Clone)]
struct Digits(RangedU64ValueParser<u64>);

impl TypedValueParser for Digits {
    type Value = u64;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<u64, Error> {
        if value.as_encoded_bytes().starts_with(b"+") {
            let refuse = StringValueParser::new().try_map(|_| Err::<u64, _>("a number is written in digits alone"));
            return refuse.parse_ref(command, arg, value);
        }
        self.0.parse_ref(command, arg, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<u64, String> {
        let read = within(1..=300).parse_ref(&Command::new("any"), None, OsStr::new(text));
        read.map_err(|error| error.to_string().lines().next().unwrap_or_default().to_owned())
    }

    #[test]
    fn a_number_is_written_in_digits_alone() {
        assert_eq!(read("30"), Ok(30));
        assert_eq!(read("030"), Ok(30));
        assert_eq!(read("300"), Ok(300));
        for text in ["+30", "+", "-1", "3.0", "1e2", " 3", "", "0", "301", "\u{663}"] {
            assert!(read(text).is_err(), "{text:?} is {:?}", read(text));
        }
        assert!(read("+30").unwrap_err().ends_with("a number is written in digits alone"), "{:?}", read("+30"));
    }
}
