//! `dispatch schema`: what there is to call, and how.

use dispatch_core::{ErrorCode, Registry, ToolSpec, protocol};
use dispatch_providers::{Loss, Provider, Strictness};
use serde_json::{Value, json};

use crate::args::SchemaArgs;
use crate::error::CliError;
use crate::toolset::Toolsets;
use crate::{Ending, Toolset, gates, operator, output};

pub(crate) fn run(args: &SchemaArgs, toolset: Toolset) -> Result<Ending, CliError> {
    let value = if args.protocol {
        json!({"request": protocol::request_schema(), "response": protocol::response_schema()})
    } else if args.errors {
        ErrorCode::ALL.iter().copied().map(code).collect()
    } else {
        let specs =
            specs(&args.tools, &Toolsets::with_skills_of(toolset, &args.toolset, args.root.as_deref())?.registry()?)?;
        match args.provider {
            Some(provider) => definitions(provider, args.strict, &specs)?,
            None => specs.iter().map(ToolSpec::to_json).collect(),
        }
    };
    output::print_value(&value)?;
    Ok(Ending::Fine)
}

fn code(code: ErrorCode) -> Value {
    json!({"code": code.as_str(), "class": code.class().as_str(), "meaning": code.meaning()})
}

fn specs(asked: &[String], registry: &Registry) -> Result<Vec<ToolSpec>, CliError> {
    asked.iter().try_for_each(|name| gates::expect_tool("schema", name, registry))?;
    let wanted = |name: &str| asked.is_empty() || asked.iter().any(|asked| asked == name);
    let names = registry.names().filter(|name| wanted(name.as_str()));
    Ok(names.filter_map(|name| registry.spec(name.as_str())).collect())
}

fn definitions(provider: Provider, strict: bool, specs: &[ToolSpec]) -> Result<Value, CliError> {
    let strictness = if strict { Strictness::Strict } else { Strictness::Advisory };
    let definitions = provider.definitions(specs, strictness).map_err(CliError::Undefinable)?;
    definitions.losses.iter().for_each(tell);
    Ok(definitions.value)
}

fn tell(loss: &Loss) {
    operator::line(format_args!("dispatch: {loss}"));
}
