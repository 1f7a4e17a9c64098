//! The versions of the suite: which cases each has, and what they mean.
//!
//! **A frozen version never changes**: each of its cases is there, and means what it meant. What a case is named by, why it is there and
//! which rule it shows may be said better.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};
use std::str::FromStr;

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::case::Case;
use crate::judge::{expected_meaning, is_about_bytes};
use crate::level::{Level, NoLevel};
use crate::run::selection::Waived;
use crate::subject::Input;

/// How many bytes of a digest are kept: a change by accident is to be seen, not one that was made to be hidden.
const DIGEST_BYTES: usize = 8;

/// Holds one version of the suite. As a text it is its file, `conformance/suites/VERSION.txt`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    version: String,
    is_frozen: bool,
    cases: BTreeMap<String, String>,
}

/// Says why a text is no manifest.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("line {line}: {expected} is expected")]
pub struct NoManifest {
    line: usize,
    expected: &'static str,
}

/// Says what has become of a case of a version.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// It is gone.
    Vanished(String),
    /// It means something else.
    Changed(String),
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Vanished(name) => write!(f, "the case `{name}` is gone"),
            Self::Changed(name) => write!(f, "the case `{name}` means something else"),
        }
    }
}

impl Manifest {
    /// Puts all these cases into a version that is not frozen yet.
    ///
    /// # Errors
    ///
    /// A case has no level.
    pub fn of_cases(version: &str, cases: &[Case]) -> Result<Self, NoLevel> {
        let cases = cases.iter().map(|case| Ok((case.full_name(), digest(case)?))).collect::<Result<_, _>>()?;
        Ok(Self { version: version.to_owned(), is_frozen: false, cases })
    }

    /// Returns the version, such as `1.0`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Tells whether its cases stay as they are.
    pub fn is_frozen(&self) -> bool {
        self.is_frozen
    }

    /// Returns the full names of its cases.
    pub fn names(&self) -> BTreeSet<String> {
        self.cases.keys().cloned().collect()
    }

    /// Compares its cases with those there are, and returns what has changed, by name. Cases that it does not have are of a later version.
    ///
    /// # Errors
    ///
    /// A case has no level.
    pub fn changes(&self, cases: &[Case]) -> Result<Vec<Change>, NoLevel> {
        let now = Self::of_cases(&self.version, cases)?.cases;
        let change = |(name, digest): (&String, &String)| match now.get(name) {
            None => Some(Change::Vanished(name.clone())),
            Some(today) if today != digest => Some(Change::Changed(name.clone())),
            Some(_) => None,
        };
        Ok(self.cases.iter().filter_map(change).collect())
    }
}

impl FromStr for Manifest {
    type Err = NoManifest;

    /// Reads the text of a manifest.
    ///
    /// # Errors
    ///
    /// It does not begin with `suite VERSION frozen` or `suite VERSION open`, or a line behind that is no `NAME DIGEST`, or stands where it would not
    /// sort.
    ///
    /// # Example
    ///
    /// ```
    /// use conformance::manifest::Manifest;
    ///
    /// let text = "suite 1.0 frozen\na::b::c 0123456789abcdef\n";
    /// let manifest: Manifest = text.parse().unwrap();
    /// assert!(manifest.is_frozen() && manifest.names().contains("a::b::c"));
    /// assert_eq!(manifest.to_string(), text);
    /// assert!("suite 1.0 thawed\n".parse::<Manifest>().is_err());
    /// ```
    fn from_str(text: &str) -> Result<Self, NoManifest> {
        let refuse = |line, expected| NoManifest { line, expected };
        let mut lines = text.lines().zip(1..);
        let head = lines.next().and_then(|(head, _)| head.strip_prefix("suite ")?.split_once(' '));
        let (version, state) = head.ok_or(refuse(1, "`suite VERSION STATE`"))?;
        let is_frozen = match state {
            "frozen" => true,
            "open" => false,
            _ => return Err(refuse(1, "the state `frozen` or `open`")),
        };
        let mut cases = BTreeMap::new();
        for (line, number) in lines {
            let (name, digest) = line.split_once(' ').ok_or(refuse(number, "`NAME DIGEST`"))?;
            if cases.last_key_value().is_some_and(|(last, _): (&String, _)| last.as_str() >= name) {
                return Err(refuse(number, "a name behind the one before it"));
            }
            cases.insert(name.to_owned(), digest.to_owned());
        }
        Ok(Self { version: version.to_owned(), is_frozen, cases })
    }
}

impl fmt::Display for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "suite {} {}", self.version, if self.is_frozen { "frozen" } else { "open" })?;
        self.cases.iter().try_for_each(|(name, digest)| writeln!(f, "{name} {digest}"))
    }
}

/// Returns the digest of what a case means to a program: what it is asked, how what it answers is judged, and at which level.
fn digest(case: &Case) -> Result<String, NoLevel> {
    let level = Level::of(case)?;
    let input = Input::of_case(case);
    let [stdout, stderr, left] = expected_meaning(case).unwrap_or_default();
    let applies = Waived::default().excuse(case, level).is_none();
    let mut hash = Sha256::new();
    let mut part = |bytes: &[u8]| {
        hash.update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_le_bytes());
        hash.update(bytes);
    };
    for text in [level.as_str(), &case.exit.to_string(), &stdout, &stderr, &left] {
        part(text.as_bytes());
    }
    part(&[u8::from(applies), u8::from(is_about_bytes(case)), u8::from(input.workspace.is_some())]);
    part(input.workspace.as_deref().unwrap_or_default().as_bytes());
    part(&input.stdin);
    for argument in input.arguments() {
        part(argument.as_bytes());
    }
    if case.is_in_turns {
        part(b"in turns");
    }
    Ok(hexadecimal(hash.finalize().iter().take(DIGEST_BYTES)))
}

fn hexadecimal<'b>(bytes: impl Iterator<Item = &'b u8>) -> String {
    let mut text = String::new();
    for byte in bytes {
        // A text can be written to.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::case_of;

    const RESPONSE: &str =
        r#"exit: 0, response: {status: error, error: e, message: Any.}, effects: none, text: '{"workspace": {}}'"#;

    fn case(members: &str) -> Case {
        let case = case_of(&format!("{{name: a, rule: rule, why: W., {members}}}")).expect(members);
        Case { area: "gates".into(), ..case }
    }

    /// What has become of a case that had these members.
    fn change(before: &str, now: &Case) -> Vec<String> {
        let manifest = Manifest::of_cases("1.0", &[case(before)]).expect("a level");
        let changes = manifest.changes(std::slice::from_ref(now)).expect("a level");
        changes.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_a_case_means_may_not_change() {
        let changed = ["the case `gates::topic::a` means something else"];
        for (from, to) in [
            ("exit: 0", "exit: 1"),
            ("error: e,", "error: f,"),
            ("effects: none", "effects: {a: b}"),
            ("{}}", "{ }}"),
            ("exit: 0,", "exit: 0, options: {explain: true},"),
            ("exit: 0,", "exit: 0, toolset: test,"),
            (", message: Any.", ""),
        ] {
            assert!(RESPONSE.contains(from), "{from}");
            assert_eq!(change(RESPONSE, &case(&RESPONSE.replacen(from, to, 1))), changed, "{from} {to}");
        }
        let before = case(RESPONSE);
        assert_eq!(change(RESPONSE, &Case { is_in_turns: true, ..before.clone() }), changed, "in turns");
        assert_eq!(change(RESPONSE, &Case { rule: "response".into(), ..before.clone() }), changed, "bytes");
        let moved = Manifest::of_cases("1.0", std::slice::from_ref(&before)).expect("a level");
        let gone = moved.changes(&[Case { area: "limits".into(), ..before }]).expect("a level");
        assert_eq!(gone, [Change::Vanished("gates::topic::a".into())]);
    }

    #[test]
    fn what_is_said_of_it_may() {
        let better = Case { why: "Better.".into(), source: Some("there".into()), ..case(RESPONSE) };
        assert_eq!(change(RESPONSE, &better), [""; 0]);
        assert_eq!(change(RESPONSE, &case(&RESPONSE.replace("Any.", "Other words."))), [""; 0]);
        assert_eq!(
            change(RESPONSE, &case(&RESPONSE.replace("status: error, error: e", "error: e, status: error"))),
            [""; 0]
        );
    }

    #[test]
    fn a_new_case_is_of_a_later_version() {
        let manifest = Manifest::of_cases("1.0", &[]).expect("no case");
        assert_eq!(manifest.changes(&[case(RESPONSE)]).expect("a level"), []);
    }

    #[test]
    fn a_manifest_is_read_as_it_is_written() {
        let refused = |text: &str| text.parse::<Manifest>().expect_err(text).to_string();
        assert_eq!(refused(""), "line 1: `suite VERSION STATE` is expected");
        assert_eq!(refused("suite 1.0"), "line 1: `suite VERSION STATE` is expected");
        assert_eq!(refused("suite 1.0 soft"), "line 1: the state `frozen` or `open` is expected");
        assert_eq!(refused("suite 1.0 open\na"), "line 2: `NAME DIGEST` is expected");
        assert_eq!(refused("suite 1.0 open\nb 1\na 2\n"), "line 3: a name behind the one before it is expected");
        let manifest = Manifest::of_cases("1.0", &[case(RESPONSE)]).expect("a level");
        assert_eq!(manifest.to_string().parse(), Ok(manifest));
    }

    #[test]
    fn a_case_without_a_level_is_an_error() {
        let error =
            Manifest::of_cases("1.0", &[Case { area: "weather".into(), ..case(RESPONSE) }]).expect_err("no level");
        assert!(error.to_string().starts_with("the area `weather` has no level"));
    }
}
