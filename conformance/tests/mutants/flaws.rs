//! The flaws: small, plausible, and each against one rule.

use std::ops::Range;

use conformance::json::quoted;
use conformance::raw;
use dispatch_core::Gates;
use dispatch_core::json::{Document, JsonPath, Kind, Member, Node};
use dispatch_core::protocol::{self, Response};
use serde_json::Value;

use crate::flawed::Answer;

/// Answers as it should.
pub(crate) fn none(gates: &Gates, request: &str) -> Answer {
    protocol::answer(gates, request.into()).map(|response| line(&response))
}

/// Drops fields that the schema does not know, in place of refusing them.
pub(crate) fn drop_unknown_fields(gates: &Gates, request: &str) -> Answer {
    let is_known = |properties: &Value, member: &Member<'_>| properties.get(member.name.as_ref()).is_some();
    none(gates, &with_args(gates, request, |properties, member| is_known(properties, member).then(|| spelled(member))))
}

/// Takes `"1"` for 1 where the schema asks for an integer.
pub(crate) fn take_text_for_numbers(gates: &Gates, request: &str) -> Answer {
    let coerced = |properties: &Value, member: &Member<'_>| {
        let wants = properties.pointer(&format!("/{}/type", member.name)).map(Value::to_string).unwrap_or_default();
        let text = member.value.as_str().filter(|text| wants.contains("integer") && text.parse::<i64>().is_ok());
        let number = text.map(|number| format!("{}:{number}", quoted(&member.name)));
        Some(number.unwrap_or_else(|| spelled(member)))
    };
    none(gates, &with_args(gates, request, coerced))
}

/// Runs the call first, and asks whether it was permitted after that.
pub(crate) fn permit_after_running(gates: &Gates, request: &str) -> Answer {
    let judged = none(gates, request)?;
    if raw::member_named(&judged, "error") != Some(r#""tool_not_permitted""#) {
        return Ok(judged);
    }
    let anything = raw::without_member(request, "permissions").unwrap_or_default();
    let ran = none(&Gates::new(gates.registry().clone()), &anything)?;
    let workspace = |answer| raw::member_named(answer, "workspace").unwrap_or_default();
    Ok(judged.replace(workspace(&judged), workspace(&ran)))
}

/// Tells the model what a policy's panic said, to be helpful.
pub(crate) fn tell_what_a_panic_said(gates: &Gates, request: &str) -> Answer {
    let response = protocol::answer(gates, request.into())?;
    let error = response.result().and_then(|result| result.error());
    let said =
        error.filter(|error| error.code.as_str() == "policy_failed").and_then(|error| error.operator_text.as_ref());
    let panicked = said.filter(|said| said.contains("panicked"));
    let message = |said| format!(r#""message":{},"status":"error""#, quoted(said));
    Ok(panicked.map_or_else(|| line(&response), |said| line(&response).replace(r#""status":"error""#, &message(said))))
}

/// Runs a call that its policy denied, and answers as if it had not.
pub(crate) fn run_what_was_denied(gates: &Gates, request: &str) -> Answer {
    let answer = none(gates, request)?;
    if raw::member_named(&answer, "error") == Some(r#""policy_denied""#) {
        none(gates, &with_args(gates, request, |_, _| Some(r#""policy":"allow""#.to_owned())))?;
    }
    Ok(answer)
}

fn line(response: &Response<'_>) -> String {
    let mut line = Vec::new();
    response.write(&mut line).expect("memory can be written to");
    String::from_utf8(line).expect("UTF-8").trim_end().to_owned()
}

/// Returns the request with each member of its arguments put otherwise, or left out. What is no call of a tool stays as it is.
fn with_args(gates: &Gates, request: &str, put: impl Fn(&Value, &Member<'_>) -> Option<String>) -> String {
    let Ok(document) = Document::parse_tolerating(request.into(), |_| true) else { return request.to_owned() };
    let at = |member| document.root().locate(&JsonPath::root().member("call").member(member));
    let tool = at("tool").and_then(Node::as_str).unwrap_or_default();
    let args = at("args").filter(|args| args.kind() == Kind::Object);
    let (Some(spec), Some(args)) = (gates.registry().spec(&tool), args) else { return request.to_owned() };
    let properties = spec.input_schema.get("properties").unwrap_or(&Value::Null);
    let members: Vec<_> = args.members().filter_map(|member| put(properties, &member)).collect();
    spliced(request, args.span(), &format!("{{{}}}", members.join(",")))
}

fn spelled(member: &Member<'_>) -> String {
    format!("{}:{}", quoted(&member.name), member.value.raw())
}

fn spliced(text: &str, span: Range<usize>, part: &str) -> String {
    let mut text = text.to_owned();
    text.replace_range(span, part);
    text
}
