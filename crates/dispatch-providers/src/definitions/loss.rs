//! What could not be said.

use std::fmt;

use dispatch_core::ToolName;
use dispatch_core::json::{JsonPath, Segment};

/// What a provider could not be told of a tool's schema. The core enforces it all the same.
///
/// It reads as one line: `read_file: $.properties.limit: format: left out`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// The tool.
    pub tool: ToolName,
    /// The schema that holds the keyword, as a path into the tool's schema, references followed.
    pub path: JsonPath,
    /// The keyword.
    pub keyword: String,
    /// What it became.
    pub became: String,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tool, path, keyword, became } = self;
        write!(f, "{tool}: {path}: {keyword}: {became}")
    }
}

/// What became of a keyword that has no equal.
pub(super) const LEFT_OUT: &str = "left out";

/// Losses as they are found: an output must not depend on the order in which a schema is walked.
#[derive(Debug, Default)]
pub(super) struct Losses(Vec<Loss>);

impl Losses {
    pub(super) fn add(&mut self, tool: &ToolName, path: &JsonPath, keyword: &str, became: &str) {
        let (keyword, became) = (keyword.to_owned(), became.to_owned());
        self.0.push(Loss { tool: tool.clone(), path: path.clone(), keyword, became });
    }

    pub(super) fn sorted(mut self) -> Vec<Loss> {
        self.0.sort_by(|a, b| order(a).cmp(&order(b)));
        self.0.dedup();
        self.0
    }
}

/// A step of a path, so that the tenth element comes after the second.
type Step<'l> = (Option<usize>, &'l str);

/// By tool, then by place, a schema before what is in it, then by keyword.
fn order(loss: &Loss) -> (&ToolName, Vec<Step<'_>>, &str, &str) {
    let step = |segment| match segment {
        &Segment::Index(index) => (Some(index), ""),
        Segment::Member(name) => (None, name.as_str()),
    };
    (&loss.tool, loss.path.segments().iter().map(step).collect(), &loss.keyword, &loss.became)
}
