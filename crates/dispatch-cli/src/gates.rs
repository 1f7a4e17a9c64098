//! The gates that the command line asks for.

use dispatch_core::{Gates, Limits, Permissions, Registry};

use crate::args::GateArgs;
use crate::error::CliError;

/// Returns the gates of the tools, narrowed as the options say, and explaining failures if they say so.
///
/// # Errors
///
/// When an option names a tool that does not exist.
pub(crate) fn gates(args: &GateArgs, registry: Registry) -> Result<Gates, CliError> {
    let mut permissions = Permissions::all();
    if let Some(names) = &args.allow {
        names.iter().try_for_each(|name| expect_tool("--allow", name, &registry))?;
        permissions = Permissions::only(names);
    }
    if args.read_only {
        let reads = registry.specs().filter(|spec| spec.annotations.read_only).map(|spec| spec.name.to_string());
        permissions = permissions.and(&Permissions::only(reads));
    }
    let mut gates = Gates::new(registry).permitting(&permissions);
    // The default is that of a request that states no limit, and narrows no other.
    if let Some(limits) = args.max_output_bytes.and_then(|bytes| Limits::output_bytes(bytes).ok()) {
        gates = gates.limiting(limits);
    }
    Ok(if args.explain { gates.explaining() } else { gates })
}

/// Checks that there is a tool of this name.
///
/// # Errors
///
/// When there is none.
pub(crate) fn expect_tool(option: &'static str, name: &str, registry: &Registry) -> Result<(), CliError> {
    if registry.contains(name) {
        return Ok(());
    }
    let known = registry.names().map(ToString::to_string).collect();
    Err(CliError::UnknownTool { option, name: name.to_owned(), known })
}
