//! Every definition survives: read, written for every provider, and read back, it takes the recorded arguments as before.

use std::collections::BTreeMap;

use dispatch_core::ToolSpec;
use dispatch_providers::{DefinitionError, Imported, Provider, Strictness};
use serde_json::Value;

use crate::support::{children, data, files, json};

/// Definitions that can't be read, or not be written, and why. The file's name contains the first.
const REASONS: &[(&str, &str, &str)] = &[
    ("dangling-local-root-ref", "the reference leads nowhere", "recorded to show that the API refuses it"),
    ("external-root-ref", "the reference leads nowhere", "recorded to show that the API refuses it"),
    ("ResourcesResultResponse", "missing member `tools`", "the result of another method"),
    ("ReadResourceResultResponse", "missing member `tools`", "the result of another method"),
];

/// The folders of exchanges, and the shape of the definitions in them.
const FOLDERS: &[(&str, Provider)] = &[
    ("exchanges/anthropic-messages", Provider::Anthropic),
    ("exchanges/bedrock-converse", Provider::Bedrock),
    ("exchanges/bedrock-invoke", Provider::Anthropic),
    ("exchanges/cohere-chat", Provider::OpenAiChat),
    ("exchanges/gemini-generate-content", Provider::Gemini),
    ("exchanges/ollama-chat", Provider::OpenAiChat),
    ("exchanges/openai-chat", Provider::OpenAiChat),
    ("exchanges/openai-responses", Provider::OpenAiResponses),
    ("tool-schemas/github-mcp-server", Provider::Mcp),
    ("tool-schemas/mcp-tools-list", Provider::Mcp),
    ("mcp/spec-examples-2026-07-28", Provider::Mcp),
];

/// A file's tools, and the arguments of the calls in it.
struct Recorded {
    file: String,
    tools: Vec<Imported>,
    calls: Vec<(String, Value)>,
    /// Why its tools can't be read.
    fault: Option<String>,
}

/// Finds the definitions in what a file holds: an exchange, a list, or one tool alone.
fn definitions(value: &Value) -> Option<Value> {
    let request = value.get("request").unwrap_or(value);
    let lists = ["tools", "toolConfig", "result"];
    if request.is_array() || lists.iter().any(|list| request.get(*list).is_some_and(|list| !list.is_null())) {
        return Some(request.clone());
    }
    request.get("inputSchema").is_some().then(|| Value::Array(vec![request.clone()]))
}

fn recorded() -> Option<Vec<Recorded>> {
    let data = data()?;
    let mut recorded = Vec::new();
    for (folder, provider) in FOLDERS {
        for file in files(&data.join(folder)) {
            let value = json(&file);
            let file = file.strip_prefix(&data).unwrap().display().to_string();
            let Some(definitions) = definitions(&value) else { continue };
            // Nova takes the shape of Converse here too.
            let provider = if definitions.get("toolConfig").is_some() { Provider::Bedrock } else { *provider };
            match provider.tools_in(&definitions) {
                Ok(tools) => recorded.push(Recorded { file, tools, calls: calls(&value), fault: None }),
                Err(error) => recorded.push(Recorded {
                    file,
                    tools: Vec::new(),
                    calls: Vec::new(),
                    fault: Some(error.to_string()),
                }),
            }
        }
    }
    Some(recorded)
}

fn is_known(file: &str, error: &str) -> bool {
    REASONS.iter().any(|(name, told, _)| file.contains(name) && error.contains(told))
}

/// The names and arguments of all calls in a value, in whatever shape.
fn calls(value: &Value) -> Vec<(String, Value)> {
    let own = ["arguments", "input", "args"].iter().find_map(|member| {
        let name = value.get("name")?.as_str()?.to_owned();
        let args = value.get(*member)?;
        let args = args.as_str().map_or_else(|| Some(args.clone()), |text| serde_json::from_str(text).ok())?;
        args.is_object().then_some((name, args))
    });
    own.into_iter().chain(children(value).flat_map(calls)).collect()
}

/// A schema that is none accepts nothing.
fn accepts(schema: &Value, value: &Value) -> bool {
    jsonschema::options().build(schema).is_ok_and(|schema| schema.is_valid(value))
}

#[test]
fn every_recorded_definition_survives_every_provider() {
    let Some(recorded) = recorded() else { return };
    let mut faults = Vec::new();
    let (mut written, mut checked) = (0, 0);
    for Recorded { file, tools, calls, fault } in recorded {
        let mut at_fault = |told: String| {
            if !is_known(&file, &told) {
                faults.push(format!("{file}: {told}"));
            }
        };
        fault.into_iter().for_each(&mut at_fault);
        for tool in tools {
            let args: Vec<&Value> = calls.iter().filter(|(name, _)| *name == tool.name).map(|(_, args)| args).collect();
            let spec = match tool.clone().into_spec() {
                Ok(spec) => spec,
                Err(error) => {
                    at_fault(error.to_string());
                    continue;
                }
            };
            for provider in Provider::ALL {
                match there_and_back(*provider, &spec) {
                    Ok(returned) => {
                        written += 1;
                        let right: Vec<_> = args.iter().filter(|args| accepts(&spec.input_schema, args)).collect();
                        checked += right.len();
                        let wrong = right.into_iter().filter(|args| !accepts(&returned, args));
                        wrong.for_each(|args| at_fault(format!("{provider:?}: {args}: {returned}")));
                    }
                    Err(error) => at_fault(format!("{provider:?}: {error}")),
                }
            }
        }
    }
    println!("{written} definitions written, {checked} arguments checked");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(written > 0 && checked > 0);
}

fn there_and_back(provider: Provider, spec: &ToolSpec) -> Result<Value, DefinitionError> {
    let definitions = provider.definitions([spec], Strictness::Advisory)?;
    let tools = provider.tools_in(&definitions.value).unwrap();
    assert_eq!((tools[0].name.as_str(), &tools[0].description), (spec.name.as_str(), &spec.description));
    Ok(tools[0].input_schema.clone())
}

/// What keeps a tool from being strict. Each of these was looked at: the first two are tools for any JSON and for maps.
const NOT_STRICT: &[&str] = &[
    "a value that may be anything has no strict form",
    "an object with names of any kind has no strict form",
    "the reference leads nowhere",
];

#[test]
fn recorded_definitions_are_strict_or_refused_for_a_known_reason() {
    let Some(recorded) = recorded() else { return };
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    for tool in recorded.into_iter().flat_map(|recorded| recorded.tools) {
        let Ok(spec) = tool.into_spec() else { continue };
        for provider in [Provider::Anthropic, Provider::OpenAiChat] {
            let outcome = match provider.definitions([&spec], Strictness::Strict) {
                Ok(_) => "strict".to_owned(),
                Err(DefinitionError::Unsayable { reason, .. }) if NOT_STRICT.contains(&reason) => reason.to_owned(),
                Err(error) => panic!("{error}"),
            };
            *outcomes.entry(outcome).or_default() += 1;
        }
    }
    println!("{outcomes:?}");
}
