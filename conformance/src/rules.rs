//! The rules that a case can name: the headings of a page, as its anchors.

use std::collections::BTreeSet;

/// Holds the anchors of a page's headings.
///
/// # Example
///
/// ```
/// let rules = conformance::rules::Rules::of_page("# The `read_file` tool\n## Limits, of two kinds");
/// assert!(rules.holds("the-read_file-tool") && rules.holds("limits-of-two-kinds"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Rules {
    anchors: BTreeSet<String>,
}

impl Rules {
    /// Collects the headings of a page in Markdown (`#` to `######`, outside fenced code).
    pub fn of_page(markdown: &str) -> Self {
        let mut anchors = BTreeSet::new();
        for heading in headings(markdown) {
            insert(&mut anchors, &anchor(heading));
        }
        Self { anchors }
    }

    /// Tells whether some heading has this anchor.
    pub fn holds(&self, rule: &str) -> bool {
        self.anchors.contains(rule)
    }

    /// Iterates over the anchors, sorted.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.anchors.iter().map(String::as_str)
    }
}

fn headings(markdown: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    markdown.lines().filter_map(move |line| {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code { None } else { heading(line) }
    })
}

fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    ((1..=6).contains(&level) && text.starts_with(' ')).then(|| text.trim())
}

/// Makes the anchor that GitHub gives a heading: lower case, spaces become `-`, letters, digits,
/// `-` and `_` stay, the rest goes.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Inserts an anchor; one that is taken gets `-1`, `-2` and so on behind it.
fn insert(anchors: &mut BTreeSet<String>, anchor: &str) {
    let mut candidate = anchor.to_owned();
    let mut number = 0;
    while !anchors.insert(candidate) {
        number += 1;
        candidate = format!("{anchor}-{number}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(markdown: &str, expected: &[&str]) {
        assert_eq!(Rules::of_page(markdown).iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn punctuation_goes_and_underscores_stay() {
        check("# The `patch_file` tool: what it's for (and not)", &["the-patch_file-tool-what-its-for-and-not"]);
    }

    #[test]
    fn every_level_counts() {
        check("# A\n###### B\n####### C\n#D\ntext # E", &["a", "b"]);
    }

    #[test]
    fn code_holds_no_headings() {
        check("# A\n```sh\n# a comment\n```\n# B", &["a", "b"]);
    }

    #[test]
    fn a_heading_twice_is_numbered() {
        check("# A\n# A\n# A", &["a", "a-1", "a-2"]);
    }
}
