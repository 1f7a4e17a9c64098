//! The arguments of the native tools.

use dispatch_core::json::{Document, write_value};
use dispatch_core::workspace::MemoryWorkspace;
use dispatch_core::{Admitted, Gates, Rejection, Stage, ToolCall, tools};
use serde_json::Value;

use super::{Check, hold, text::repeats};

pub(super) fn check(input: &[u8]) -> Check {
    let Ok(args) = Document::parse_tolerating(input.to_vec(), |_| true) else { return Ok(()) };
    let gates = Gates::new(tools::core_registry());
    let names: Vec<_> = gates.registry().names().map(ToString::to_string).collect();
    names.iter().try_for_each(|tool| {
        let call = ToolCall::new(tool, args.clone());
        match gates.admit(call) {
            Ok(_) if repeats(args.root()) => Err("a key stands twice".to_owned()),
            Ok(admitted) => is_stable(&gates, &admitted).and_then(|()| runs(admitted)),
            Err(rejection) => is_told(&rejection),
        }
        .map_err(|fault| format!("{tool}: {fault}"))
    })
}

fn is_told(rejection: &Rejection) -> Check {
    let error = rejection.error();
    let is_of_arguments = rejection.stage() == Stage::Valid && error.code.as_str() == "invalid_arguments";
    hold(is_of_arguments && !error.details.is_empty(), || format!("{rejection}: {error:?}"))
}

/// What was judged is judged the same when it is asked for as it would run.
fn is_stable(gates: &Gates, admitted: &Admitted) -> Check {
    let mut text = Vec::new();
    // Memory can be written to.
    let _ = write_value(&mut text, admitted.arguments());
    let args = Document::parse(text).map_err(|malformed| format!("the arguments are malformed: {malformed}"))?;
    let again = gates.admit(ToolCall::new(admitted.call().tool(), args)).map_err(|rejection| rejection.to_string())?;
    hold(again.arguments() == admitted.arguments(), || format!("{} became {}", admitted.arguments(), again.arguments()))
}

/// A call that fails changes nothing, and one that succeeds at most the file that it names.
fn runs(admitted: Admitted) -> Check {
    let mut workspace = files();
    let (path, tool) = (admitted.arguments().get("path").cloned(), admitted.call().tool().to_owned());
    let result = admitted.run(&mut workspace);
    let changed: Vec<_> = changed(&workspace);
    if let Some(error) = result.error() {
        return hold(changed.is_empty() && error.code.as_str() != "internal_error", || {
            format!("{error:?}, {changed:?}")
        });
    }
    let may_change = usize::from(tool != "read_file");
    let is_named = path.as_ref().and_then(Value::as_str).is_some();
    hold(is_named && changed.len() <= may_change, || format!("{changed:?} changed"))
}

const FILES: [(&str, &str); 4] = [("a.txt", "one\ntwo\none\n"), ("a/b.txt", ""), ("../odd", "é\r\n"), ("", "nameless")];

fn files() -> MemoryWorkspace {
    MemoryWorkspace::from_iter(FILES)
}

/// The paths of the files that are not as they were.
fn changed(workspace: &MemoryWorkspace) -> Vec<String> {
    let is_as_before = |path: &str, text: &str| FILES.contains(&(path, text));
    let changed = workspace.files().filter(|(path, text)| !is_as_before(path, text));
    changed.map(|(path, _)| path.to_owned()).collect()
}
