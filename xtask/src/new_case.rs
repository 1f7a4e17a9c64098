//! `cargo xtask new-case`: the skeleton of a conformance case, where it belongs.
//!
//! **A skeleton fails until somebody has said what must come back.** A case that passes by itself
//! would claim a rule that nobody has looked up.

mod asked;

use std::collections::BTreeMap;
use std::io::{Write, stderr, stdin};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use clap::Args;
use conformance::check::{self, CaseError};
use conformance::json::{Json, quoted};
use conformance::rules::Rules;
use conformance::yaml::{self, CaseText};

use crate::files;

/// Where the cases are, from the root.
const CASES: &str = "conformance/cases";
/// The page whose headings are the rules.
const PROTOCOL: &str = "docs/protocol.md";

/// What the new case is to be called, and what it shows. What is left out is asked for.
#[derive(Debug, Args)]
pub(crate) struct Said {
    /// The folder under conformance/cases.
    #[arg(value_parser = name)]
    area: Option<String>,
    /// The file in that folder, without `.yaml`.
    #[arg(value_parser = name)]
    topic: Option<String>,
    /// The case's name within the file.
    #[arg(value_parser = name)]
    name: Option<String>,
    /// The heading of docs/protocol.md that the case shows, as its anchor.
    #[arg(long)]
    rule: Option<String>,
    /// What the case shows: one sentence, in the present tense.
    #[arg(long)]
    why: Option<String>,
    /// The address of the report, the recording or the document that it comes from.
    #[arg(long)]
    source: Option<String>,
}

impl Said {
    /// Appends the skeleton to its file, which is made where there is none.
    ///
    /// # Errors
    ///
    /// The rule is no heading, the name is taken, the file can't be read or written, or stdin ended before all was said.
    pub(crate) fn run(self, root: &Path) -> Result<()> {
        let rules = Rules::of_page(&files::read(&root.join(PROTOCOL))?);
        self.complete(&rules, stdin().lock(), stderr())?.write(root, &rules)
    }
}

/// What a case begins with.
#[derive(Debug)]
struct NewCase {
    area: String,
    topic: String,
    name: String,
    rule: String,
    why: String,
    source: Option<String>,
}

impl NewCase {
    fn write(&self, root: &Path, rules: &Rules) -> Result<()> {
        let file = format!("{CASES}/{}/{}.yaml", self.area, self.topic);
        let path = root.join(&file);
        let old = files::read_if_there(&path)?.unwrap_or_default();
        let new = self.append_to(&old, rules).with_context(|| file.clone())?;
        files::write(&path, &new)?;
        writeln!(stderr(), "{file}: {}", self.next_steps())?;
        Ok(())
    }

    /// Returns the file's text with the skeleton behind it, which is a case that can be run.
    fn append_to(&self, file: &str, rules: &Rules) -> Result<String> {
        let before = cases(file)?;
        let is_taken = before.iter().any(|case| case.name == self.name);
        ensure!(!is_taken, "there is a case named `{}`", self.name);
        check_rule(&self.rule, rules)?;
        let text = [file, separator(file), &self.skeleton()].concat();
        let skeleton = cases(&text)?.into_iter().nth(before.len());
        let skeleton = skeleton.context("the file is no plain list of cases")?;
        check::case(&self.area, &self.topic, skeleton, rules)?;
        Ok(text)
    }

    /// Returns the case, with an expectation that nothing can meet.
    fn skeleton(&self) -> String {
        let Self { name, rule, why, source, .. } = self;
        let (name, rule, why) = (scalar(name), scalar(rule), scalar(why));
        let source = source.as_deref().map(|source| format!("  source: {}\n", scalar(source))).unwrap_or_default();
        format!(
            "\
- name: {name}
  rule: {rule}
  why: {why}
{source}  request:
    op: dispatch
    workspace: {{}}
    call: {{tool: fill_in, args: {{}}}}
  exit: 0
  response: {{status: fill_in}} # No response has this status: the case fails until it is filled in.
  effects: none
"
        )
    }

    fn next_steps(&self) -> String {
        let Self { area, topic, name, .. } = self;
        format!(
            "the skeleton of a case is there, and fails
  1. Fill in the request and what must come back; conformance/README.md lists the members.
  2. Run it: cargo test -p conformance {area}::{topic}::{name}
  3. Read its snapshot, and accept it: cargo insta review"
        )
    }
}

/// Refuses a rule that is no heading, and says which there are.
fn check_rule(rule: &str, rules: &Rules) -> Result<()> {
    let mut all: Vec<_> = rules.iter().collect();
    all.sort_unstable();
    let all = all.join("\n  ");
    ensure!(rules.holds(rule), "`{rule}` is no heading of {PROTOCOL}; there are\n  {all}");
    Ok(())
}

/// Accepts what may name an area, a topic or a case.
fn name(text: &str) -> Result<String, CaseError> {
    check::name(text)?;
    Ok(text.to_owned())
}

/// Reads the cases of a file; an empty one has none.
fn cases(file: &str) -> Result<Vec<CaseText>> {
    if file.trim().is_empty() {
        return Ok(Vec::new());
    }
    Ok(yaml::read(file)?)
}

/// Returns what must stand between a file and a further case: an empty line.
fn separator(file: &str) -> &'static str {
    if file.is_empty() || file.ends_with("\n\n") {
        ""
    } else if file.ends_with('\n') {
        "\n"
    } else {
        "\n\n"
    }
}

/// Writes a text as YAML: plain where that reads back as the same text, else in quotes.
fn scalar(text: &str) -> String {
    let read = yaml::read::<BTreeMap<String, Json>>(&format!("key: {text}\n"));
    let expected = BTreeMap::from([("key".to_owned(), Json::Text(text.to_owned()))]);
    if read.is_ok_and(|read| read == expected) { text.to_owned() } else { quoted(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_case(name: &str, why: &str) -> NewCase {
        NewCase {
            area: "tools".into(),
            topic: "read_file".into(),
            name: name.into(),
            rule: "read_file".into(),
            why: why.into(),
            source: None,
        }
    }

    fn rules() -> Rules {
        Rules::of_page("# read_file\n# patch_file\n")
    }

    #[test]
    fn names_are_lower_snake_case() {
        for text in ["a", "ambiguous_match", "2_lines"] {
            assert_eq!(name(text).unwrap(), text);
        }
        for text in ["", "A", "a-b", "a/b", "..", "a b", "é"] {
            assert!(name(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_skeleton_reads_back_as_it_was_asked_for() {
        for why in ["Plain words.", "key: value # no comment", "two\nlines", "\"", "no", " 1"] {
            let text = new_case("first", why).append_to("", &rules()).unwrap();
            let [case] = cases(&text).unwrap().try_into().unwrap();
            assert_eq!((case.name.as_str(), case.rule.as_str()), ("first", "read_file"));
            assert_eq!(case.why, why);
        }
    }

    #[test]
    fn names_that_yaml_takes_for_other_types_stay_names() {
        for name in ["null", "true", "no", "1", "1e3", "0x1f", "1_000", "010"] {
            let text = new_case(name, "Why.").append_to("", &rules()).unwrap();
            assert_eq!(cases(&text).unwrap().first().unwrap().name, name, "{text}");
        }
    }

    #[test]
    fn cases_are_set_apart_by_one_empty_line() {
        let first = new_case("first", "Why.").append_to("", &rules()).unwrap();
        for file in [first.as_str(), first.trim_end(), &format!("{first}\n")] {
            let both = new_case("second", "Why.").append_to(file, &rules()).unwrap();
            assert!(both.starts_with(&format!("{first}\n- name: second\n")), "{both}");
            assert_eq!(cases(&both).unwrap().len(), 2);
        }
    }

    #[test]
    fn a_name_that_exists_is_refused() {
        let file = new_case("first", "Why.").append_to("", &rules()).unwrap();
        let error = new_case("first", "Again.").append_to(&file, &rules()).unwrap_err();
        assert_eq!(error.to_string(), "there is a case named `first`");
    }

    #[test]
    fn a_rule_that_is_no_heading_is_refused_with_those_that_are() {
        let mut case = new_case("first", "Why.");
        case.rule = "write_file".into();
        let error = case.append_to("", &rules()).unwrap_err().to_string();
        let expected = "`write_file` is no heading of docs/protocol.md; there are\n  patch_file\n  read_file";
        assert_eq!(error, expected);
    }

    #[test]
    fn where_a_case_comes_from_stands_in_it() {
        let case = NewCase { source: Some("https://example.org/#1".into()), ..new_case("first", "Why.") };
        let [case] = cases(&case.append_to("", &rules()).unwrap()).unwrap().try_into().unwrap();
        assert_eq!(case.source.as_deref(), Some("https://example.org/#1"));
    }

    #[test]
    fn a_case_without_a_reason_is_refused() {
        assert!(new_case("first", "").append_to("", &rules()).is_err());
    }

    #[test]
    fn a_file_that_can_t_be_read_is_left_alone() {
        assert!(new_case("first", "Why.").append_to("- nome: other\n", &rules()).is_err());
    }
}
