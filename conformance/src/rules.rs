//! The rules that a case can name: the headings of a page, as its anchors.

/// Holds the headings of a page, each with its anchor.
///
/// # Example
///
/// ```
/// let rules = conformance::rules::Rules::of_page("# The `read_file` tool\n## Limits, of two kinds");
/// assert!(rules.holds("the-read_file-tool") && rules.holds("limits-of-two-kinds"));
/// assert_eq!(rules.title("limits-of-two-kinds"), Some("Limits, of two kinds"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Rules {
    headings: Vec<Heading>,
}

#[derive(Debug, Clone)]
struct Heading {
    anchor: String,
    title: String,
}

impl Rules {
    /// Collects the headings of a page in Markdown (`#` to `######`, outside fenced code).
    pub fn of_page(markdown: &str) -> Self {
        let mut rules = Self::default();
        for title in headings(markdown) {
            let anchor = rules.free(&anchor(title));
            rules.headings.push(Heading { anchor, title: title.to_owned() });
        }
        rules
    }

    /// Tells whether some heading has this anchor.
    pub fn holds(&self, rule: &str) -> bool {
        self.title(rule).is_some()
    }

    /// Returns the text of the heading that has this anchor.
    pub fn title(&self, rule: &str) -> Option<&str> {
        self.headings.iter().find(|heading| heading.anchor == rule).map(|heading| heading.title.as_str())
    }

    /// Iterates over the anchors, as their headings stand.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.headings.iter().map(|heading| heading.anchor.as_str())
    }

    /// Returns an anchor that is not taken: one that is gets `-1`, `-2` and so on behind it.
    fn free(&self, anchor: &str) -> String {
        let mut candidate = anchor.to_owned();
        let mut number = 0;
        while self.holds(&candidate) {
            number += 1;
            candidate = format!("{anchor}-{number}");
        }
        candidate
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
