//! The dispatcher in this process, driven as the program `dispatch` drives it.

mod conversation;
mod replay;

use std::io::{self, Write};
use std::path::Path;

use dispatch_core::protocol::{self, Failure, Response, Stream};
use dispatch_core::workspace::{MemoryWorkspace, Workspace};
use dispatch_core::{Gates, Limits, Permissions, Registry, tools};
use dispatch_host::directory::DirectoryOptions;
use dispatch_providers::{Conversation, Provider, Turn, UnknownProvider};
use serde_json::{Deserializer, Value};

use crate::directory::RunsOnDirectory;
use crate::subject::{Input, Output, Subject, SubjectError};
use crate::test_tools::{self, COUNTING, Counter};
use crate::yaml::{OwnToolset, SubjectName, Toolset};

/// A workspace of the host's.
pub type HostWorkspace = Box<dyn Workspace + Send>;

/// Runs the dispatcher in this process.
///
/// **No handler runs unseen.** Of every run it checks that the [`COUNTING`] tools ran exactly as
/// often as the answers say: a call that was refused and ran all the same is an error.
#[derive(Debug, Clone, Copy, Default)]
pub struct Library;

impl Subject for Library {
    fn name(&self) -> &'static str {
        "library"
    }

    fn goes_by(&self, name: SubjectName) -> bool {
        matches!(name, SubjectName::Library | SubjectName::Memory)
    }

    fn offers(&self, _: Toolset) -> bool {
        true
    }

    fn run(&self, input: &Input) -> Result<Output, SubjectError> {
        let (output, runs) = self.run_counted(input)?;
        accounted(output, runs)
    }
}

impl RunsOnDirectory for Library {
    fn run_on(&self, root: &Path, input: &Input) -> Result<Output, SubjectError> {
        // Nobody will miss the directory.
        let directory = DirectoryOptions::default().durable(false).open(root)?;
        self.run_on_workspace(Box::new(directory), input)
    }
}

impl Library {
    /// Runs a request on a workspace that is not in memory.
    ///
    /// # Errors
    ///
    /// As [`Subject::run`], and [`SubjectError::Option`] for a replay, which has a workspace of its own.
    pub fn run_on_workspace(self, mut workspace: HostWorkspace, input: &Input) -> Result<Output, SubjectError> {
        let counter = Counter::default();
        let gates = gates(input, counter.clone())?;
        let output = match &input.options.provider {
            _ if input.options.replay => return Err(SubjectError::Option("a replay runs in memory".to_owned())),
            Some(provider) => provider_message(provider, &gates, input, &mut *workspace)?,
            None if input.is_stream => stream(Stream::on(gates, workspace), input)?,
            None => one(protocol::answer_on(&gates, &mut *workspace, input.stdin.clone()), input)?,
        };
        accounted(output, counter.get())
    }

    /// Runs a request, and returns besides the output how often the [`COUNTING`] tools ran.
    ///
    /// # Errors
    ///
    /// As [`Subject::run`]; but what the answers say of those runs is not looked at.
    pub fn run_counted(self, input: &Input) -> Result<(Output, usize), SubjectError> {
        let counter = Counter::default();
        let gates = gates(input, counter.clone())?;
        let output = match &input.options.provider {
            Some(provider) if input.options.replay => conversation::replay(provider, &gates, input)?,
            Some(provider) => in_memory(provider, &gates, input)?,
            None if input.options.replay => replay::replay(gates.registry(), &input.stdin),
            None if input.is_stream => stream(Stream::new(gates), input)?,
            None => one(protocol::answer(&gates, input.stdin.clone()), input)?,
        };
        Ok((output, counter.get()))
    }
}

fn registry(input: &Input, counter: Counter) -> Result<Registry, SubjectError> {
    match (input.toolset, input.options.toolset) {
        (Toolset::Core, OwnToolset::Core) => Ok(tools::core_registry()),
        (Toolset::Core, OwnToolset::Agent) => Ok(dispatch_host::agent_registry()),
        (Toolset::Test, _) => test_tools::registry(counter).map_err(|error| SubjectError::Build(error.to_string())),
    }
}

/// Sets the gates up that an input is to meet, around the tools that it asks for.
///
/// # Errors
///
/// The tools can't be had, or an option not be taken over.
pub fn gates(input: &Input, counter: Counter) -> Result<Gates, SubjectError> {
    let mut gates = Gates::new(registry(input, counter)?);
    let options = &input.options;
    if let Some(names) = &options.allow {
        gates = gates.permitting(&Permissions::only(names.iter().map(String::as_str)));
    }
    if options.explain {
        gates = gates.explaining();
    }
    if let Some(bytes) = options.max_output_bytes {
        let limits = Limits::output_bytes(bytes);
        gates = gates.limiting(limits.map_err(|error| SubjectError::Option(error.to_string()))?);
    }
    Ok(gates)
}

fn one(answer: Result<Response<'_>, Failure>, input: &Input) -> Result<Output, SubjectError> {
    let mut output = Output::default();
    match answer {
        Ok(response) if input.options.pretty => response.write_indented(&mut output.stdout),
        Ok(response) => response.write(&mut output.stdout),
        Err(failure) => fail(&failure, &mut output.stderr, &mut output.exit),
    }
    .map_err(SubjectError::Write)?;
    Ok(output)
}

/// Runs a provider's message on the files that the input brings, and writes those that it left.
fn in_memory(provider: &str, gates: &Gates, input: &Input) -> Result<Output, SubjectError> {
    let mut workspace = workspace(input)?;
    let output = provider_message(provider, gates, input, &mut workspace)?;
    let left = if output.exit == 0 { Some(written(&workspace)?) } else { None };
    Ok(Output { workspace: left, ..output })
}

fn provider_message(
    provider: &str,
    gates: &Gates,
    input: &Input,
    workspace: &mut dyn Workspace,
) -> Result<Output, SubjectError> {
    let mut output = Output::default();
    match read(provider, input)?.and_then(|conversation| Ok((conversation.turn()?, conversation))) {
        Err(failure) => fail(&failure, &mut output.stderr, &mut output.exit).map_err(SubjectError::Write)?,
        Ok((turn, conversation)) => {
            answer(turn, &conversation, &gates.clone().explaining(), workspace, input, &mut output)?;
        }
    }
    Ok(output)
}

fn workspace(input: &Input) -> Result<MemoryWorkspace, SubjectError> {
    let text = input.workspace.as_deref().unwrap_or("{}").as_bytes().to_vec();
    protocol::read_workspace(text).map_err(|error| SubjectError::Option(error.to_string()))
}

fn written(workspace: &MemoryWorkspace) -> Result<Vec<u8>, SubjectError> {
    let mut written = Vec::new();
    protocol::write_workspace(workspace, &mut written).map_err(SubjectError::Write)?;
    Ok(written)
}

fn read(provider: &str, input: &Input) -> Result<Result<Conversation, Failure>, SubjectError> {
    if provider == "auto" {
        return Ok(Provider::recognise(&input.stdin));
    }
    let provider: Provider =
        provider.parse().map_err(|error: UnknownProvider| SubjectError::Option(error.to_string()))?;
    Ok(provider.read(input.stdin.clone()))
}

fn answer(
    turn: Option<Turn>,
    conversation: &Conversation,
    gates: &Gates,
    workspace: &mut dyn Workspace,
    input: &Input,
    output: &mut Output,
) -> Result<(), SubjectError> {
    let Some(turn) = turn else {
        let provider = conversation.provider();
        return writeln!(output.stderr, "dispatch: no call waits for an answer in this {provider} message")
            .map_err(SubjectError::Write);
    };
    let turn = if input.options.strict { turn.read_strictly(gates.registry()) } else { turn };
    let answer = turn.answer(|call| match gates.admit(call) {
        Ok(admitted) => admitted.run(workspace),
        Err(rejection) => rejection.into_result(),
    });
    let answer = answer.map_err(|mismatch| SubjectError::Option(mismatch.to_string()))?;
    let text = if input.options.conversation { conversation.with_answer(&answer) } else { answer.to_string() };
    output.stdout = text.into_bytes();
    Ok(())
}

fn stream(mut session: Stream, input: &Input) -> Result<Output, SubjectError> {
    let mut output = Output::default();
    for line in lines(&input.stdin) {
        match session.answer(line) {
            None => Ok(()),
            Some(Ok(response)) => response.write(&mut output.stdout),
            Some(Err(failure)) if input.options.keep_going => fail(&failure, &mut output.stdout, &mut output.exit),
            Some(Err(failure)) => {
                fail(&failure, &mut output.stderr, &mut output.exit).map_err(SubjectError::Write)?;
                return Ok(output);
            }
        }
        .map_err(SubjectError::Write)?;
    }
    Ok(output)
}

/// Splits a stream at its line ends; behind the last one there is no line.
fn lines(stdin: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = stdin.split_inclusive(|byte| *byte == b'\n');
    lines.map(|line| line.strip_suffix(b"\n").unwrap_or(line))
}

fn fail(failure: &Failure, out: &mut Vec<u8>, exit: &mut i32) -> io::Result<()> {
    *exit = 1;
    writeln!(out, "{failure}")
}

/// Gives the output on where its answers tell of as many runs of the [`COUNTING`] tools as there were.
///
/// # Errors
///
/// [`SubjectError::Uncounted`]: a handler ran for a call that was answered as refused, or the other way round.
pub fn accounted(output: Output, runs: usize) -> Result<Output, SubjectError> {
    let told = told(&output.stdout);
    if runs == told { Ok(output) } else { Err(SubjectError::Uncounted { runs, told }) }
}

/// Counts the answers that tell of a run of a counting tool.
fn told(stdout: &[u8]) -> usize {
    let answers = Deserializer::from_slice(stdout).into_iter::<Value>();
    answers.filter(|answer| answer.as_ref().is_ok_and(tells_of_a_run)).count()
}

fn tells_of_a_run(answer: &Value) -> bool {
    let text = |member: &str| answer.get(member).and_then(Value::as_str);
    text("status") == Some("ok") && text("tool").is_some_and(|tool| COUNTING.contains(&tool))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::Options;

    fn input(stdin: &str, toolset: Toolset) -> Input {
        let stdin = stdin.as_bytes().to_vec();
        let options = Options::default();
        Input { stdin, is_stream: true, workspace: None, options, toolset, is_for_directory: false }
    }

    #[test]
    fn a_stream_ends_at_a_failure() {
        let input = input("{\"op\":\"workspace\"}\n\n{}\n{\"op\":\"workspace\"}", Toolset::Core);
        let output = Library.run(&input).expect("runs");
        assert_eq!(output.stdout, b"{\"status\":\"ok\",\"workspace\":{}}\n");
        assert_eq!((output.stderr.ends_with(b"}\n"), output.exit), (true, 1));
    }

    #[test]
    fn a_failure_in_place_lets_the_stream_go_on() {
        let mut input = input("{}\n{\"op\":\"workspace\"}", Toolset::Core);
        input.options.keep_going = true;
        let output = Library.run(&input).expect("runs");
        assert!(output.stdout.ends_with(b"\n{\"status\":\"ok\",\"workspace\":{}}\n"));
        assert_eq!((output.stderr.is_empty(), output.exit), (true, 1));
    }

    #[test]
    fn a_provider_s_message_leaves_a_workspace() {
        let call = r#"{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"no_such_tool"}]}"#;
        let mut input = Input { is_stream: false, ..input(call, Toolset::Core) };
        input.workspace = Some(r#"{"b":"","a":""}"#.to_owned());
        input.options.provider = Some("anthropic".to_owned());
        let output = Library.run(&input).expect("runs");
        assert_eq!(output.workspace.as_deref(), Some(b"{\"a\":\"\",\"b\":\"\"}\n".as_slice()));
        assert!(output.stdout.starts_with(b"{\"content\":[{\"content\":\"unknown_tool"));
    }

    #[test]
    fn a_provider_that_is_not_there_is_an_error() {
        let mut input = Input { is_stream: false, ..input("{}", Toolset::Core) };
        input.options.provider = Some("nobody".to_owned());
        let error = Library.run(&input).expect_err("no such provider");
        assert!(matches!(error, SubjectError::Option(_)), "{error}");
    }

    #[test]
    fn a_run_that_no_answer_tells_of_is_an_error() {
        let ran = r#"{"observation":"","status":"ok","tool":"count"}"#;
        let refused = r#"{"error":"tool_not_permitted","status":"error","tool":"count"}"#;
        let other = r#"{"observation":"","status":"ok","tool":"read_file"}"#;
        let stdout = format!("{ran}\n{refused}\n{other}\n{ran}\n").into_bytes();
        let output = Output { stdout, ..Output::default() };
        assert_eq!(accounted(output.clone(), 2).expect("two runs"), output);
        let error = accounted(output, 3).expect_err("a run too many");
        assert!(matches!(error, SubjectError::Uncounted { runs: 3, told: 2 }), "{error}");
    }

    #[test]
    fn the_test_tools_are_there_when_asked_for() {
        let stdin = r#"{"op":"dispatch","call":{"tool":"count","args":{}}}"#;
        let (output, runs) = Library.run_counted(&input(stdin, Toolset::Test)).expect("runs");
        assert_eq!((told(&output.stdout), runs), (1, 1));
        let (output, runs) = Library.run_counted(&input(stdin, Toolset::Core)).expect("runs");
        assert_eq!((output.exit, runs), (1, 0));
    }
}
