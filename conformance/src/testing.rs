//! What the unit tests of this crate share.

use crate::case::{Case, Expectation, Request};
use crate::check::{self, CaseError};
use crate::rules::Rules;
use crate::subject::{Input, Output, Subject, SubjectError};
use crate::yaml::{self, Options, Toolset};

/// The page that the cases of the tests name rules of.
pub(crate) const PAGE: &str = "# Rule";

/// A case of that name that expects no output.
pub(crate) fn case(name: &str) -> Case {
    Case {
        area: "area".into(),
        topic: "topic".into(),
        name: name.into(),
        rule: "rule".into(),
        why: "Because.".into(),
        source: None,
        request: Request::One(Vec::new()),
        is_in_turns: false,
        workspace: None,
        expectation: Expectation::Stdout(String::new()),
        exit: 0,
        options: Options::default(),
        toolset: Toolset::Core,
        only: None,
    }
}

/// The case that this YAML makes.
pub(crate) fn case_of(yaml: &str) -> Result<Case, CaseError> {
    let text = yaml::read(yaml).expect(yaml);
    check::case("area", "topic", text, &Rules::of_page(PAGE))
}

/// A subject that always gives the same.
#[derive(Debug)]
pub(crate) struct Canned {
    pub(crate) name: &'static str,
    pub(crate) output: Output,
}

impl Subject for Canned {
    fn name(&self) -> &str {
        self.name
    }

    fn run(&self, _: &Input) -> Result<Output, SubjectError> {
        Ok(self.output.clone())
    }
}
