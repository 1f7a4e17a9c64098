//! How far a call came.

use std::fmt;

/// A gate, named after what a call is once it is through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The tool exists.
    Known,
    /// The permissions name it.
    Permitted,
    /// The arguments fit its schema.
    Valid,
    /// No policy is against it.
    Cleared,
}

impl Stage {
    /// Returns the gate's stable name, in lower snake case.
    ///
    /// ```
    /// assert_eq!(dispatch_core::Stage::Permitted.as_str(), "permitted");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Known => "known",
            Self::Permitted => "permitted",
            Self::Valid => "valid",
            Self::Cleared => "cleared",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
