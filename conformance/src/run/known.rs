//! The failures that are listed, and so expected.
//!
//! **The list is strict both ways**: a case on it that passes is a failure, and a name on it that is no case's an error.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use crate::yaml;

/// Holds the cases that are known to fail, each with the reason.
#[derive(Debug, Clone, Default)]
pub struct Known {
    reasons: BTreeMap<String, String>,
}

/// Says what is wrong with a list of known failures.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum KnownError {
    /// It is no mapping from names to reasons.
    #[error("a list of known failures is a mapping, `NAME: REASON` a line: {}", yaml::told(.0))]
    Yaml(#[from] Box<serde_saphyr::Error>),
    /// There is no case of that name.
    #[error("there is no case `{0}`")]
    NoCase(String),
    /// A reason is empty.
    #[error("`{0}` has no reason")]
    NoReason(String),
}

impl Known {
    /// Reads a list: for each case its full name, and why it fails.
    ///
    /// # Errors
    ///
    /// It is no such mapping, a name is none of these cases', or a reason is empty.
    ///
    /// # Example
    ///
    /// ```
    /// use conformance::run::known::Known;
    ///
    /// let names = ["arguments::types::unknown_field".to_owned()].into();
    /// let known = Known::read("arguments::types::unknown_field: Dropped, for old clients.", &names).unwrap();
    /// assert_eq!(known.reason("arguments::types::unknown_field"), Some("Dropped, for old clients."));
    /// assert!(Known::read("arguments::types::misspelt: Why.", &names).is_err());
    /// ```
    pub fn read(text: &str, names: &BTreeSet<String>) -> Result<Self, KnownError> {
        let listed = yaml::read::<Option<BTreeMap<String, Option<String>>>>(text).map_err(Box::new)?;
        let mut reasons = BTreeMap::new();
        for (name, reason) in listed.into_iter().flatten() {
            if !names.contains(&name) {
                return Err(KnownError::NoCase(name));
            }
            let reason = reason.filter(|reason| !reason.trim().is_empty());
            let reason = reason.ok_or_else(|| KnownError::NoReason(name.clone()))?;
            reasons.insert(name, reason);
        }
        Ok(Self { reasons })
    }

    /// Returns why a case fails, if it is listed.
    pub fn reason(&self, name: &str) -> Option<&str> {
        self.reasons.get(name).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> String {
        let names = ["a::b::c".to_owned()].into();
        Known::read(text, &names)
            .map_or_else(|error| error.to_string(), |known| format!("{:?}", known.reason("a::b::c")))
    }

    #[test]
    fn a_name_is_a_case_s_and_has_a_reason() {
        assert_eq!(check("a::b::c: Why."), r#"Some("Why.")"#);
        assert_eq!(check("# nothing yet"), "None");
        assert_eq!(check("a::b::d: Why."), "there is no case `a::b::d`");
        for nothing in ["a::b::c: ' '", "a::b::c:", "a::b::c: ~"] {
            assert_eq!(check(nothing), "`a::b::c` has no reason", "{nothing}");
        }
        assert!(check("[a::b::c]").starts_with("a list of known failures is a mapping"));
        let twice = check("a::b::c: Why.\na::b::c: Again.");
        assert!(twice.starts_with("a list of known failures is a mapping"), "{twice}");
        assert!(twice.contains("duplicate mapping key") && !twice.contains("Options"), "{twice}");
    }
}
