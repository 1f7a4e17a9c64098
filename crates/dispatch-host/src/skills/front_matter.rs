//! What a SKILL.md says of itself, between its first two lines of `---`.

use serde::Deserialize;
use serde_saphyr::options::MergeKeyPolicy;
use serde_saphyr::{Error, MessageFormatter as _, UserMessageFormatter};

use super::SkillFault;
use super::name::SkillName;
use crate::search::unsteering;

/// The format's own limit, in characters.
const LONGEST_DESCRIPTION: usize = 1024;

/// What the format asks for. It allows more, and clients add to it: that is for others to read.
#[derive(Debug, Deserialize)]
pub(super) struct FrontMatter {
    name: String,
    description: String,
}

impl FrontMatter {
    /// Reads the front matter of the skill that lies in a folder of this name.
    pub(super) fn of(text: &str, folder: &str) -> Result<Self, SkillFault> {
        let front_matter = read(yaml(text).ok_or(SkillFault::NoFrontMatter)?)?;
        let Self { name, description } = &front_matter;
        if name != folder {
            return Err(SkillFault::OtherName { name: name.clone(), folder: folder.to_owned() });
        }
        SkillName::new(name).map_err(SkillFault::Name)?;
        match description.chars().count() {
            _ if description.trim().is_empty() => Err(SkillFault::NoDescription),
            characters if characters > LONGEST_DESCRIPTION => Err(SkillFault::LongDescription { characters }),
            _ => Ok(front_matter),
        }
    }

    /// Returns the description in one line, which shows what can't be seen.
    pub(super) fn description(&self) -> String {
        unsteering(&self.description.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// The text between the first line, which is `---`, and the next such line.
fn yaml(text: &str) -> Option<&str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let is_fence = |line: &str| line.trim_end() == "---";
    let first = lines.next().filter(|line| is_fence(line))?;
    let mut end = first.len();
    for line in lines {
        if is_fence(line) {
            return text.get(first.len()..end);
        }
        end += line.len();
    }
    None
}

fn read(yaml: &str) -> Result<FrontMatter, SkillFault> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        reject_unsupported_tags: true,
        merge_keys: MergeKeyPolicy::Error,
    };
    serde_saphyr::from_str_with_options(yaml, options).map_err(|error| SkillFault::Yaml(told(error.without_snippet())))
}

/// What is wrong, in words for who wrote the file: the library's own are for who programs with it.
#[expect(clippy::wildcard_enum_match_arm, reason = "few of the library's words are for programmers")]
fn told(error: &Error) -> String {
    let what = match error {
        Error::DuplicateMappingKey { key: Some(key), .. } => format!("the key `{key}` stands there twice"),
        Error::DuplicateMappingKey { key: None, .. } => "a key stands there twice".to_owned(),
        Error::MergeKeyNotAllowed { .. } => "a merge key (`<<`) is not read".to_owned(),
        Error::TaggedStructFieldName { tag, .. } => format!("a key has the tag `{tag}`"),
        Error::BinaryNotUtf8 { .. } => "what `!!binary` holds is not UTF-8 text".to_owned(),
        other => UserMessageFormatter.format_message(other).into_owned(),
    };
    match error.location() {
        // The first line of the file is no YAML.
        Some(place) => format!("line {}, column {}: {what}", place.line() + 1, place.column()),
        None => what,
    }
}
