//! A dispatcher in this process, right but for what it does to a request or its answer.

use std::fmt;

use conformance::library::{self, Library};
use conformance::subject::{Input, Output, Subject, SubjectError};
use conformance::test_tools::Counter;
use conformance::yaml::{SubjectName, Toolset};
use dispatch_core::Gates;
use dispatch_core::protocol::Failure;

/// What is answered: a line without its end, or a failure.
pub(crate) type Answer = Result<String, Failure>;

/// Answers one request in a way of its own. Streams it answers as it should.
pub(crate) struct Flawed {
    name: &'static str,
    answer: fn(&Gates, &str) -> Answer,
}

impl Flawed {
    pub(crate) const fn new(name: &'static str, answer: fn(&Gates, &str) -> Answer) -> Self {
        Self { name, answer }
    }
}

impl Subject for Flawed {
    fn name(&self) -> &str {
        self.name
    }

    fn kept_as(&self) -> Option<SubjectName> {
        Some(SubjectName::Library)
    }

    fn offers(&self, _: Toolset) -> bool {
        true
    }

    fn run(&self, input: &Input) -> Result<Output, SubjectError> {
        let Ok(request) = std::str::from_utf8(&input.stdin) else { return Library.run(input) };
        if input.is_stream || input.options.pretty {
            return Library.run(input);
        }
        let counter = Counter::default();
        let output = match (self.answer)(&library::gates(input, counter.clone())?, request) {
            Ok(line) => Output { stdout: format!("{line}\n").into_bytes(), ..Output::default() },
            Err(failure) => Output { stderr: format!("{failure}\n").into_bytes(), exit: 1, ..Output::default() },
        };
        library::accounted(output, counter.get())
    }
}

impl fmt::Debug for Flawed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
