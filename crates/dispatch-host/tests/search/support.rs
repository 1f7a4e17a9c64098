//! Calls, and files to make them on.

use std::path::Path;

use dispatch_core::json::Document;
use dispatch_core::workspace::{MemoryWorkspace, Workspace};
use dispatch_core::{Gates, Registry, ToolCall};
use dispatch_host::tools::{Glob, Grep, Write};

pub(crate) type Files<'f> = &'f [(&'f str, &'f str)];

/// What a call comes to: its observation, or its code with a line for each detail.
pub(crate) fn call(workspace: &mut dyn Workspace, tool: &str, args: &str) -> Result<String, String> {
    let registry = Registry::builder().tool(Glob).tool(Grep).tool(Write).build().unwrap();
    let gates = Gates::new(registry);
    let call = ToolCall::new(tool, Document::parse(args.as_bytes().to_vec()).unwrap());
    let result = match gates.admit(call) {
        Ok(admitted) => admitted.run(workspace),
        Err(rejection) => rejection.into_result(),
    };
    match result.error() {
        None => Ok(result.observation().unwrap().to_text().into_owned()),
        Some(error) => {
            let details = error.details.iter().map(ToString::to_string);
            let told = error.message.clone().filter(|_| error.is_always_told);
            Err([error.code.to_string()].into_iter().chain(told).chain(details).collect::<Vec<_>>().join("\n"))
        }
    }
}

pub(crate) fn memory(files: Files<'_>) -> MemoryWorkspace {
    files.iter().copied().collect()
}

/// Makes a call on files in memory.
pub(crate) fn check(files: Files<'_>, tool: &str, args: &str, expected: &str) {
    assert_eq!(call(&mut memory(files), tool, args).as_deref(), Ok(expected), "{tool} {args}");
}

pub(crate) fn check_refused(files: Files<'_>, tool: &str, args: &str, expected: &str) {
    assert_eq!(call(&mut memory(files), tool, args).unwrap_err(), expected, "{tool} {args}");
}

/// Writes files into a directory, apart from those whose paths others take.
pub(crate) fn write<T: AsRef<[u8]> + Clone>(root: &Path, files: &[(String, T)]) -> Vec<(String, T)> {
    let is_written = |(path, text): &&(String, T)| {
        let path = root.join(path);
        !path.exists() && std::fs::create_dir_all(path.parent().unwrap()).is_ok() && std::fs::write(path, text).is_ok()
    };
    files.iter().filter(is_written).cloned().collect()
}
