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

/// Does one thing in a way of its own, and all else as it should. Streams it answers as it should.
pub(crate) struct Flawed {
    name: &'static str,
    flaw: Flaw,
}

enum Flaw {
    /// How a request is answered.
    Answer(fn(&Gates, &str) -> Answer),
    /// What a provider's message is taken for.
    Message(fn(&str) -> String),
    /// What becomes of the messages that answer it.
    Reply(fn(&str) -> String),
    /// What a session's log is taken for.
    Log(fn(&str) -> String),
}

impl Flawed {
    pub(crate) const fn new(name: &'static str, answer: fn(&Gates, &str) -> Answer) -> Self {
        Self { name, flaw: Flaw::Answer(answer) }
    }

    pub(crate) const fn misreading(name: &'static str, message: fn(&str) -> String) -> Self {
        Self { name, flaw: Flaw::Message(message) }
    }

    pub(crate) const fn replying(name: &'static str, reply: fn(&str) -> String) -> Self {
        Self { name, flaw: Flaw::Reply(reply) }
    }

    pub(crate) const fn misreading_logs(name: &'static str, log: fn(&str) -> String) -> Self {
        Self { name, flaw: Flaw::Log(log) }
    }
}

impl Subject for Flawed {
    fn name(&self) -> &str {
        self.name
    }

    fn goes_by(&self, name: SubjectName) -> bool {
        Library.goes_by(name)
    }

    fn offers(&self, _: Toolset) -> bool {
        true
    }

    fn run(&self, input: &Input) -> Result<Output, SubjectError> {
        let Ok(request) = std::str::from_utf8(&input.stdin) else { return Library.run(input) };
        match self.flaw {
            Flaw::Answer(answer) if is_one_request(input) => answered(answer, request, input),
            Flaw::Message(message) if input.options.provider.is_some() => {
                Library.run(&Input { stdin: message(request).into_bytes(), ..input.clone() })
            }
            Flaw::Reply(reply) if input.options.provider.is_some() && !input.options.replay => {
                Library.run(input).map(|output| replied(reply, output))
            }
            Flaw::Log(log) if input.options.replay => {
                Library.run(&Input { stdin: log(request).into_bytes(), ..input.clone() })
            }
            Flaw::Answer(_) | Flaw::Message(_) | Flaw::Reply(_) | Flaw::Log(_) => Library.run(input),
        }
    }
}

fn is_one_request(input: &Input) -> bool {
    !input.is_stream && !input.options.pretty && !input.options.replay && input.options.provider.is_none()
}

fn answered(answer: fn(&Gates, &str) -> Answer, request: &str, input: &Input) -> Result<Output, SubjectError> {
    let counter = Counter::default();
    let output = match answer(&library::gates(input, counter.clone())?, request) {
        Ok(line) => Output { stdout: format!("{line}\n").into_bytes(), ..Output::default() },
        Err(failure) => Output { stderr: format!("{failure}\n").into_bytes(), exit: 1, ..Output::default() },
    };
    library::accounted(output, counter.get())
}

fn replied(reply: fn(&str) -> String, output: Output) -> Output {
    let stdout = reply(&String::from_utf8_lossy(&output.stdout)).into_bytes();
    Output { stdout, ..output }
}

impl fmt::Debug for Flawed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
