//! The names of skills.

use schemars::JsonSchema;
use serde::Deserialize;

/// The format's own limit.
const LONGEST: usize = 64;

/// The name of a skill, which is that of its folder: no path can be one.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(with = "String")]
pub(crate) struct SkillName(String);

/// A text that is not the name of any skill.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "a skill's name has 1 to 64 letters a-z, digits and hyphens, no hyphen at its beginning or end, and no two side by side"
)]
pub struct InvalidSkillName;

impl SkillName {
    pub(crate) fn new(name: &str) -> Result<Self, InvalidSkillName> {
        let is_part = |part: &str| {
            !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        };
        let is_name = name.len() <= LONGEST && name.split('-').all(is_part);
        if is_name { Ok(Self(name.to_owned())) } else { Err(InvalidSkillName) }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for SkillName {
    type Error = InvalidSkillName;

    fn try_from(name: String) -> Result<Self, InvalidSkillName> {
        Self::new(&name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_the_format_has_them() {
        let longest = "a".repeat(LONGEST);
        for name in ["pdf", "pdf-2", "a-b-c", "7", &longest] {
            assert_eq!(SkillName::new(name).unwrap().as_str(), name);
        }
        let too_long = "a".repeat(LONGEST + 1);
        for name in ["", "-a", "a-", "a--b", "A", "a_b", "a b", "a/b", "..", ".", "é", "a\0", &too_long] {
            assert_eq!(SkillName::new(name), Err(InvalidSkillName), "{name:?}");
        }
    }
}
