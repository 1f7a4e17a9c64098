//! What a SKILL.md says of itself, between its first two lines of `---`.

use serde::Deserialize;
use serde_saphyr::options::MergeKeyPolicy;

use super::SkillFault;
use super::name::SkillName;

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

    /// Returns the description in one line.
    pub(super) fn description(&self) -> String {
        self.description.split_whitespace().collect::<Vec<_>>().join(" ")
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
    serde_saphyr::from_str_with_options(yaml, options)
        .map_err(|error| SkillFault::Yaml(error.without_snippet().to_string()))
}
