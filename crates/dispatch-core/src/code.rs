//! The codes that say why a call did not give an observation.

use std::borrow::Cow;
use std::fmt;

/// Whose news a failure is, and what follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureClass {
    /// The request broke the runtime's contract. It is no answer to the model.
    ProtocolFailure,
    /// The call names a tool that does not exist. In the native protocol a protocol failure, elsewhere an error result.
    UnknownTool,
    /// A gate refused the call before its handler ran.
    Rejection,
    /// The handler ran, and what it was asked for could not be done: news for the model.
    ExecutionFailure,
    /// The handler itself is at fault.
    InternalFailure,
}

impl FailureClass {
    /// Returns the class's stable name, in lower snake case.
    ///
    /// ```
    /// assert_eq!(dispatch_core::FailureClass::Rejection.as_str(), "rejection");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ProtocolFailure => "protocol_failure",
            Self::UnknownTool => "unknown_tool",
            Self::Rejection => "rejection",
            Self::ExecutionFailure => "execution_failure",
            Self::InternalFailure => "internal_failure",
        }
    }
}

/// The one table of codes: everything that lists them is made from it.
macro_rules! error_codes {
    ($($class:ident { $($variant:ident $code:literal $meaning:literal)+ })+) => {
        /// A built-in code. Codes are lower snake case and stable.
        ///
        /// ```
        /// use dispatch_core::{ErrorCode, FailureClass};
        ///
        /// assert_eq!(ErrorCode::FileNotFound.as_str(), "file_not_found");
        /// assert_eq!(ErrorCode::FileNotFound.class(), FailureClass::ExecutionFailure);
        /// assert_eq!(ErrorCode::ALL.iter().find(|code| code.as_str() == "gone"), None);
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorCode {
            $($(#[doc = $meaning] $variant,)+)+
        }

        impl ErrorCode {
            /// All codes, in the order in which a call can meet them.
            pub const ALL: &'static [Self] = &[$($(Self::$variant,)+)+];

            /// Returns the code as it stands on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $($(Self::$variant => $code,)+)+ }
            }

            /// Returns the class that the code belongs to.
            pub const fn class(self) -> FailureClass {
                match self { $($(Self::$variant)|+ => FailureClass::$class,)+ }
            }

            /// Returns what the code means, in one line.
            pub const fn meaning(self) -> &'static str {
                match self { $($(Self::$variant => $meaning,)+)+ }
            }
        }
    };
}

error_codes! {
    ProtocolFailure {
        MalformedJson "malformed_json" "The input is not the strict JSON that the protocol asks for."
        UnsupportedOp "unsupported_op" "The request's `op` is not one that is spoken here."
        InvalidRequest "invalid_request" "The request is JSON, but not of the protocol's shape."
    }
    UnknownTool {
        UnknownTool "unknown_tool" "The call names a tool that is not registered."
    }
    Rejection {
        ToolNotPermitted "tool_not_permitted" "The tool exists, but the permissions in force do not name it."
        InvalidArguments "invalid_arguments" "The arguments do not fit the tool's schema."
        PolicyDenied "policy_denied" "A policy refused this call."
        PolicyFailed "policy_failed" "A policy could not decide, which closes the gate."
        ApprovalRequired "approval_required" "A policy wants this call approved, and it was not."
    }
    ExecutionFailure {
        FileNotFound "file_not_found" "There is no file at the path."
        OldStrNotFound "old_str_not_found" "The text to replace does not stand in the file."
        AmbiguousMatch "ambiguous_match" "The text to replace could start at more than one place."
        NoChange "no_change" "The text to replace and its replacement are the same."
        LineOutOfRange "line_out_of_range" "The first line asked for lies behind the last line of the file."
        PathOutsideWorkspace "path_outside_workspace" "The path leads out of the workspace."
        IsADirectory "is_a_directory" "There is a directory at the path, where a file is needed."
        NotADirectory "not_a_directory" "The path leads through a file."
        NotText "not_text" "The file is not UTF-8 text."
        FileTooLarge "file_too_large" "The file is larger than the limit."
        PermissionDenied "permission_denied" "The operating system does not allow the access."
        NoSpace "no_space" "There is no room left to write to."
        IoError "io_error" "Reading or writing failed."
        Timeout "timeout" "The call did not end within its time."
        Cancelled "cancelled" "The call was called off before it ended."
        OutcomeUnknown "outcome_unknown" "The call began, and nobody knows how it ended: its effects may have happened."
        NotReady "not_ready" "What the tool needs is not there yet; the same call may succeed later."
        InvalidPattern "invalid_pattern" "The pattern can't be read."
        CommandFailed "command_failed" "The command ended with a failure."
        Conflict "conflict" "The file was changed by someone else in the meantime."
        NoPlan "no_plan" "There is no plan to confirm or clear."
        SkillNotFound "skill_not_found" "There is no skill of that name."
    }
    InternalFailure {
        InternalError "internal_error" "The tool's handler panicked or returned what can't be sent."
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The code of a failed call: a built-in one, or one that a tool brought.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Code(CodeKind);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum CodeKind {
    BuiltIn(ErrorCode),
    Own(Cow<'static, str>),
}

/// A code that can't be used as a tool's own.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CodeError {
    /// The code is not lower snake case: `a-z`, `0-9` and `_`, beginning with a letter.
    #[error("code `{0}` is not lower snake case")]
    NotSnakeCase(String),
    /// The code is a built-in one's name.
    #[error("code `{0}` is built in, and its meaning taken")]
    BuiltIn(ErrorCode),
}

impl Code {
    /// Returns a tool's own code.
    ///
    /// # Errors
    ///
    /// [`CodeError`] when it is not lower snake case or takes a built-in one's name.
    ///
    /// ```
    /// use dispatch_core::{Code, CodeError, ErrorCode};
    ///
    /// assert_eq!(Code::own("value_too_large")?.as_str(), "value_too_large");
    /// assert_eq!(Code::own("timeout"), Err(CodeError::BuiltIn(ErrorCode::Timeout)));
    /// assert!(Code::own("Too Large").is_err());
    /// # Ok::<(), CodeError>(())
    /// ```
    pub fn own(code: &str) -> Result<Self, CodeError> {
        match ErrorCode::named(code) {
            _ if !is_snake_case(code.as_bytes()) => Err(CodeError::NotSnakeCase(code.to_owned())),
            Some(built_in) => Err(CodeError::BuiltIn(built_in)),
            None => Ok(Self(CodeKind::Own(Cow::Owned(code.to_owned())))),
        }
    }

    /// Returns a tool's own code that is known when the program is compiled, as a constant. A code that can't be used does not compile there.
    ///
    /// # Panics
    ///
    /// When it is evaluated elsewhere than in a constant, and is not lower snake case or takes a built-in one's name.
    ///
    /// ```
    /// use dispatch_core::{Code, ToolFailure};
    ///
    /// const TOO_LARGE: Code = Code::constant("value_too_large");
    ///
    /// assert_eq!(Ok(TOO_LARGE), Code::own("value_too_large"));
    /// let failure = ToolFailure::new(TOO_LARGE, "the value must be below 100");
    /// assert_eq!(failure.code(), &TOO_LARGE);
    /// ```
    pub const fn constant(code: &'static str) -> Self {
        assert!(is_snake_case(code.as_bytes()), "a tool's own code must be lower snake case");
        assert!(ErrorCode::named(code).is_none(), "a tool's own code must not take a built-in one's name");
        Self(CodeKind::Own(Cow::Borrowed(code)))
    }

    /// Returns the code as it stands on the wire.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            CodeKind::BuiltIn(code) => code.as_str(),
            CodeKind::Own(code) => code,
        }
    }

    /// Returns the built-in code that this is, if it is one.
    pub fn built_in(&self) -> Option<ErrorCode> {
        match &self.0 {
            CodeKind::BuiltIn(code) => Some(*code),
            CodeKind::Own(_) => None,
        }
    }
}

/// Beginning with a letter. Written for constants, where there are neither iterators nor comparisons of text.
const fn is_snake_case(mut code: &[u8]) -> bool {
    let [b'a'..=b'z', ..] = code else { return false };
    while let [b'a'..=b'z' | b'0'..=b'9' | b'_', rest @ ..] = code {
        code = rest;
    }
    code.is_empty()
}

impl ErrorCode {
    /// The built-in code of this name.
    pub(crate) const fn named(name: &str) -> Option<Self> {
        let mut built_in = Self::ALL;
        while let [first, rest @ ..] = built_in {
            if is_same(first.as_str().as_bytes(), name.as_bytes()) {
                return Some(*first);
            }
            built_in = rest;
        }
        None
    }
}

const fn is_same(mut a: &[u8], mut b: &[u8]) -> bool {
    while let ([first, a_rest @ ..], [other, b_rest @ ..]) = (a, b) {
        if *first != *other {
            return false;
        }
        (a, b) = (a_rest, b_rest);
    }
    a.is_empty() && b.is_empty()
}

impl From<ErrorCode> for Code {
    fn from(code: ErrorCode) -> Self {
        Self(CodeKind::BuiltIn(code))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_snake_case_and_unique() {
        for (place, code) in ErrorCode::ALL.iter().enumerate() {
            assert!(code.as_str().bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{code}");
            assert!(code.meaning().ends_with('.'), "{code}");
            let earlier = ErrorCode::ALL.iter().take(place);
            assert_eq!(earlier.filter(|other| other.as_str() == code.as_str()).count(), 0, "{code}");
        }
    }

    #[test]
    fn a_constant_is_refused_as_any_own_code() {
        let built_in = ErrorCode::ALL.iter().map(|code| code.as_str());
        let others = ["", "a", "_a", "1a", "a1_", "aB", "a-b", "é", "timeou", "timeouts", "own"];
        for code in built_in.chain(others) {
            let constant = std::panic::catch_unwind(|| Code::constant(code));
            assert_eq!(constant.ok(), Code::own(code).ok(), "{code}");
        }
        for refused in ["", "_a", "1a", "aB", "a-b", "é", "timeout"] {
            assert!(Code::own(refused).is_err(), "{refused}");
        }
        for own in ["a", "a1_", "timeou", "timeouts"] {
            assert_eq!(Code::own(own).unwrap().as_str(), own);
        }
    }
}
