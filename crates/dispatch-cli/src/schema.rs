//! `dispatch schema`: what there is to call, and how.

use dispatch_core::{ErrorCode, Registry, protocol};
use serde_json::{Value, json};

use crate::args::SchemaArgs;
use crate::error::CliError;
use crate::{Ending, Toolset, gates, output};

pub(crate) fn run(args: &SchemaArgs, toolset: Toolset) -> Result<Ending, CliError> {
    let value = if args.protocol {
        json!({"request": protocol::request_schema(), "response": protocol::response_schema()})
    } else if args.errors {
        ErrorCode::ALL.iter().copied().map(code).collect()
    } else {
        tools(&args.tools, &toolset())?
    };
    output::print_value(&value)?;
    Ok(Ending::Fine)
}

fn code(code: ErrorCode) -> Value {
    json!({"code": code.as_str(), "class": code.class().as_str(), "meaning": code.meaning()})
}

fn tools(asked: &[String], registry: &Registry) -> Result<Value, CliError> {
    asked.iter().try_for_each(|name| gates::expect_tool("schema", name, registry))?;
    let wanted = |name: &str| asked.is_empty() || asked.iter().any(|asked| asked == name);
    let names = registry.names().filter(|name| wanted(name.as_str()));
    Ok(names.filter_map(|name| registry.spec(name.as_str())).map(|spec| spec.to_json()).collect())
}
