//! What the replay of a conversation comes to.

use serde_json::{Value, json};

use crate::replay::report::{Summary, counted};

/// How many calls ended how. Each is counted once.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) agree: u64,
    pub(super) diverge: u64,
    pub(super) unknown: u64,
    /// Those of tools that are not here.
    pub(super) unknown_tool: u64,
    /// Those that reach beyond the workspace.
    pub(super) stood_in: u64,
    pub(super) not_compared: u64,
}

impl Counts {
    pub(super) fn calls(self) -> u64 {
        self.agree + self.diverge + self.unknown + self.unknown_tool + self.stood_in + self.not_compared
    }

    pub(super) fn summary(self) -> Summary {
        Summary {
            diverge: self.diverge,
            has_diverged: self.diverge > 0,
            for_people: self.to_text(),
            for_programs: self.to_json(),
        }
    }

    fn to_text(self) -> String {
        let rest = [
            (self.unknown, "outcome_unknown"),
            (self.unknown_tool, "of tools that are not here"),
            (self.stood_in, "stood in, beyond the workspace (--live runs those that can run here)"),
            (self.not_compared, "not compared"),
        ];
        let lost = match self.unknown_tool + self.stood_in {
            0 => "",
            _ => "; what was not run has changed nothing here",
        };
        counted(self.calls(), (self.agree, self.diverge), &rest) + lost
    }

    fn to_json(self) -> Value {
        json!({
            "agree": self.agree,
            "calls": self.calls(),
            "diverge": self.diverge,
            "kind": "summary",
            "not_compared": self.not_compared,
            "outcome_unknown": self.unknown,
            "stood_in": self.stood_in,
            "unknown_tool": self.unknown_tool,
        })
    }
}
