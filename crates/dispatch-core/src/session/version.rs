//! The version of the log's format.

use std::fmt;

/// The version of a log's format: `MAJOR.MINOR`. Another major version can't be read; a later minor one only adds members and lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// What is not understood by readers of another.
    pub major: u64,
    /// What may be passed over by readers of an earlier one.
    pub minor: u64,
}

impl Version {
    /// The latest version that is written here.
    pub const CURRENT: Self = Self::LINKS_FOLLOWED;

    pub(super) const FIRST: Self = Self { major: 1, minor: 0 };

    /// The first in which the files of a directory stand at the places that links lead to.
    pub(super) const LINKS_FOLLOWED: Self = Self { major: 1, minor: 1 };

    /// The earliest version whose readers understand the log of a session: one over a directory, or one whose files the log holds.
    pub(super) fn written(of_directory: bool) -> Self {
        if of_directory { Self::LINKS_FOLLOWED } else { Self::FIRST }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let (major, minor) = text.split_once('.')?;
        Some(Self { major: number(major)?, minor: number(minor)? })
    }

    /// Whether it has members that are not known here, and are passed over.
    pub fn is_later(self) -> bool {
        self > Self::CURRENT
    }

    /// Returns what people should know of a log of this version that is read here, if there is something.
    ///
    /// ```
    /// use dispatch_core::session::Version;
    ///
    /// let told = Version { major: 1, minor: 7 }.note().unwrap();
    /// assert!(told.starts_with("the log has format 1.7, which is later than "));
    /// assert!(Version::CURRENT.note().is_none());
    /// ```
    pub fn note(self) -> Option<String> {
        let current = Self::CURRENT;
        self.is_later()
            .then(|| format!("the log has format {self}, which is later than {current}: what it adds is passed over"))
    }
}

/// A number without a sign or a zero before it.
fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| number.to_string() == text)
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_two_numbers() {
        assert_eq!(Version::parse("1.0"), Some(Version::FIRST));
        assert_eq!(Version::parse("12.340").map(|version| version.to_string()), Some("12.340".to_owned()));
        for text in ["", "1", "1.", ".1", "1.0.0", "01.0", "1.-1", "+1.0", "1. 0", "1.18446744073709551616"] {
            assert_eq!(Version::parse(text), None, "{text}");
        }
    }
}
