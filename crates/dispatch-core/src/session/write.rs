//! The lines of a log, written: compact, keys sorted.

use std::collections::BTreeSet;
use std::io::{self, Write as _};

use serde_json::Value;

use super::Version;
use super::changed::Changed;
use super::digest::Digest;
use super::header::Header;
use super::seen::Seen;
use crate::call::{Args, ToolCall};
use crate::json::{Kind, MAX_DEPTH, Member, Node, Object, write_string, write_value};
use crate::limits::Limits;
use crate::observation::{Observation, Part};
use crate::permissions::Permissions;
use crate::protocol::Asked;
use crate::protocol::response::{write_details, write_workspace};
use crate::result::ToolResult;

/// The value of `format` in a header.
pub(super) const FORMAT: &str = "dispatch-session";

/// The stage of a call that no gate refused.
pub(super) const RAN: &str = "ran";

type Written = io::Result<()>;

pub(super) fn header(out: &mut Vec<u8>, header: &Header, host: &Value) -> Written {
    let mut object = Object::open(out)?;
    if header.is_partial {
        object.value("directory", |out| write_bool(out, true))?;
    }
    object.value("explains", |out| write_bool(out, header.explains))?;
    object.value("facts", |out| write_value(out, &Value::Object(header.facts.clone())))?;
    object.string("format", FORMAT)?;
    object.value("host", |out| write_value(out, host))?;
    object.value("limits", |out| match header.limits {
        Some(limits) => write_limits(out, limits),
        None => out.write_all(b"null"),
    })?;
    object.value("permissions", |out| write_permissions(out, &header.permissions))?;
    object.value("provider", |out| write_optional(out, header.provider.as_deref()))?;
    object.value("strict", |out| write_bool(out, header.strict))?;
    object.value("tools", |out| write_value(out, &header.tools.values().cloned().collect()))?;
    object.string("version", &Version::written(header.is_partial).to_string())?;
    object.value("workspace", |out| write_workspace(out, &header.workspace))?;
    object.close()?;
    out.write_all(b"\n")
}

pub(super) fn intent(out: &mut Vec<u8>, number: u64, asked: &Asked, host: &Value) -> Written {
    let is_native = is_native(&asked.call);
    let mut object = Object::open(out)?;
    object
        .value("call", |out| if is_native { write_raw(out, asked.call.raw()) } else { write_call(out, &asked.call) })?;
    object.value("host", |out| write_value(out, host))?;
    object.value("intent", |out| write!(out, "{number}"))?;
    if let Some(limits) = asked.limits {
        object.value("limits", |out| write_limits(out, limits))?;
    }
    if let Some(permissions) = &asked.permissions {
        object.value("permissions", |out| write_permissions(out, permissions))?;
    }
    if !is_native && asked.call.raw() != asked.call.args().raw() {
        write_fitting(&mut object, ["raw", "raw_text"], asked.call.node(), 1)?;
    }
    if let Some(workspace) = &asked.workspace {
        object.value("workspace", |out| write_workspace(out, workspace))?;
    }
    object.close()?;
    out.write_all(b"\n")
}

/// What a call ended in, with what it did to the files.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ended<'e> {
    pub(super) number: u64,
    pub(super) result: &'e ToolResult,
    pub(super) changed: &'e Changed,
    pub(super) seen: &'e Seen,
    pub(super) workspace: Digest,
}

/// What the host knows is written by the caller: of a line that is made a second time it is what was recorded.
pub(super) fn outcome<W: io::Write>(out: &mut W, ended: Ended<'_>, host: impl FnOnce(&mut W) -> Written) -> Written {
    let Ended { number, result, changed, seen, workspace } = ended;
    let mut object = Object::open(out)?;
    object.value("files", |out| write_files(out, changed))?;
    object.value("host", host)?;
    object.value("outcome", |out| write!(out, "{number}"))?;
    object.value("result", |out| write_result(out, result))?;
    if !seen.is_empty() {
        object.value("seen", |out| seen.write(out))?;
    }
    if let Some(shown) = result.shown().filter(|shown| shown.truncated_from.is_some()) {
        let (limit, length) = (result.limits().max_output_bytes(), shown.text.len());
        object.value("shown", |out| write!(out, "{{\"max_output_bytes\":{limit},\"text_bytes\":{length}}}"))?;
    }
    object.string("stage", result.refused_at().map_or(RAN, |stage| stage.as_str()))?;
    object.value("workspace", |out| workspace.write(out))?;
    object.close()?;
    out.write_all(b"\n")
}

/// An outcome that was not found out anew: what was recorded, as far as today's gates do not say it, on the workspace as it is today.
pub(super) fn stand_in(
    out: &mut Vec<u8>,
    recorded: Node<'_>,
    admitted: Option<&ToolCall>,
    workspace: Digest,
) -> Written {
    let mut object = Object::open(out)?;
    for Member { name, value, .. } in recorded.members() {
        object.value_at(&name, |out| match (name.as_ref(), admitted) {
            ("result", Some(call)) => write_result_of(out, value, call),
            ("stage", Some(_)) => write_string(out, RAN),
            ("workspace", _) => workspace.write(out),
            _ => out.write_all(value.raw().as_bytes()),
        })?;
    }
    object.close()?;
    out.write_all(b"\n")
}

/// What a call ended in is what was recorded; whose result it is, is known.
fn write_result_of(out: &mut Vec<u8>, recorded: Node<'_>, call: &ToolCall) -> Written {
    let names: BTreeSet<_> = recorded.members().map(|member| member.name).chain(["id".into(), "tool".into()]).collect();
    let mut object = Object::open(out)?;
    for name in names {
        match (name.as_ref(), recorded.get(&name)) {
            ("id", _) => object.optional_string("id", call.id())?,
            ("tool", _) => object.string("tool", call.tool())?,
            (name, Some(value)) => object.value_at(name, |out| out.write_all(value.raw().as_bytes()))?,
            (_, None) => {}
        }
    }
    object.close()
}

fn write_result(out: &mut impl io::Write, result: &ToolResult) -> Written {
    let mut object = Object::open(out)?;
    if let Some(error) = result.error().filter(|error| !error.details.is_empty()) {
        object.value("details", |out| write_details(out, &error.details))?;
    }
    object.optional_string("error", result.error().map(|error| error.code.as_str()))?;
    object.optional_string("id", result.call().id())?;
    object.optional_string("message", result.error().and_then(|error| error.message.as_deref()))?;
    if let Some(observation) = result.observation() {
        object.value("observation", |out| write_observation(out, observation))?;
    }
    object.string("status", if result.error().is_some() { "error" } else { "ok" })?;
    object.string("tool", result.call().tool())?;
    object.close()
}

/// Text is one text, as the model is shown it; images make a list of it.
fn write_observation(out: &mut impl io::Write, observation: &Observation) -> Written {
    let parts = observation.parts();
    if parts.iter().all(|part| part.as_image().is_none()) {
        return write_string(out, &observation.to_text());
    }
    out.write_all(b"[")?;
    for (place, part) in parts.iter().enumerate() {
        out.write_all(if place == 0 { b"" } else { b"," })?;
        write_part(out, part)?;
    }
    out.write_all(b"]")
}

fn write_part(out: &mut impl io::Write, part: &Part) -> Written {
    let mut object = Object::open(out)?;
    match part.as_image() {
        Some(image) => {
            object.string("base64", &image.base64)?;
            object.string("media_type", &image.media_type)?;
        }
        None => object.string("text", &part.to_text())?,
    }
    object.close()
}

fn write_files(out: &mut impl io::Write, changed: &Changed) -> Written {
    let mut object = Object::open(out)?;
    for change in changed.iter() {
        object.value_at(&change.path, |out| change.digest.write(out))?;
    }
    object.close()
}

/// Whether the call came as the native protocol writes it, and fits into a line as it came.
fn is_native(call: &ToolCall) -> bool {
    let (mut has_tool, mut has_args) = (false, false);
    let mut is_part = |name: &str, value: Node<'_>| match name {
        "id" => value.as_str().as_deref() == call.id() && call.id().is_some(),
        "tool" => {
            has_tool = true;
            value.as_str().as_deref() == Some(call.tool())
        }
        "args" => {
            has_args = true;
            call.args().as_json().is_some_and(|args| args.place() == value.to_fragment().place())
        }
        _ => false,
    };
    let mut ids = 0;
    let all_parts = call.node().members().all(|member| {
        ids += usize::from(member.name == "id");
        !member.repeated && is_part(&member.name, member.value)
    });
    all_parts && has_tool && has_args && (ids == 1) == call.id().is_some() && fits(call.node(), 1)
}

fn write_call(out: &mut Vec<u8>, call: &ToolCall) -> Written {
    let mut object = Object::open(out)?;
    match call.args() {
        Args::Json(args) => write_fitting(&mut object, ["args", "args_text"], args.node(), 2)?,
        Args::Malformed(_) => object.string("args_text", call.args().raw())?,
    }
    object.optional_string("id", call.id())?;
    object.string("tool", call.tool())?;
    object.close()
}

/// Writes a value as it stands or, where it is nested too deep for its place in a line, as text.
fn write_fitting(
    object: &mut Object<'_, Vec<u8>>,
    [name, as_text]: [&'static str; 2],
    value: Node<'_>,
    around: usize,
) -> Written {
    if fits(value, around) {
        return object.value(name, |out| write_raw(out, value.raw()));
    }
    object.string(as_text, value.raw())
}

fn fits(value: Node<'_>, around: usize) -> bool {
    // A bracket a level: where there are few, there is nothing to count.
    memchr::memchr2_iter(b'{', b'[', value.raw().as_bytes()).count() < MAX_DEPTH - around
        || depth(value) < MAX_DEPTH - around
}

fn depth(value: Node<'_>) -> usize {
    match value.kind() {
        Kind::Array => 1 + value.elements().map(depth).max().unwrap_or_default(),
        Kind::Object => 1 + value.members().map(|member| depth(member.value)).max().unwrap_or_default(),
        Kind::Null | Kind::True | Kind::False | Kind::Number | Kind::String => 0,
    }
}

/// Writes JSON as it came. A line feed can stand between tokens alone, where a space means the same.
fn write_raw(out: &mut Vec<u8>, raw: &str) -> Written {
    let start = out.len();
    out.write_all(raw.as_bytes())?;
    let written = out.get_mut(start..).unwrap_or_default();
    written.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b' ');
    Ok(())
}

fn write_permissions(out: &mut Vec<u8>, permissions: &Permissions) -> Written {
    write_value(out, &permissions.names().map_or(Value::Null, Iterator::collect))
}

fn write_limits(out: &mut Vec<u8>, limits: Limits) -> Written {
    write!(out, "{{\"max_output_bytes\":{}}}", limits.max_output_bytes())
}

fn write_bool(out: &mut Vec<u8>, value: bool) -> Written {
    write!(out, "{value}")
}

fn write_optional(out: &mut Vec<u8>, text: Option<&str>) -> Written {
    match text {
        Some(text) => write_string(out, text),
        None => out.write_all(b"null"),
    }
}
