//! The shapes of a log's lines, read. Which members they have was judged before.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::Version;
use super::digest::Digest;
use super::header::Header;
use super::read::{Intent, Outcome, Waiting};
use super::record::LineKind;
use super::seen::Seen;
use super::write::{FORMAT, RAN};
use crate::call::{Args, ToolCall};
use crate::code::{Code, CodeError};
use crate::json::{Document, Fragment, Kind, Member, Node, Number, Segment};
use crate::limits::Limits;
use crate::permissions::Permissions;
use crate::protocol::Asked;
use crate::protocol::request::{self, Fault, Judged, Within as _, expect, text};
use crate::stage::Stage;
use crate::workspace::MemoryWorkspace;

impl LineKind {
    /// What a line is, by the member that no other line has.
    pub(super) fn of(root: Node<'_>) -> Option<Self> {
        root.members().find_map(|Member { name, value, .. }| match name.as_ref() {
            "intent" => Some(Self::Intent),
            "outcome" => Some(Self::Outcome),
            "format" => value.as_str().filter(|format| format == FORMAT).map(|_| Self::Header),
            _ => None,
        })
    }
}

pub(super) fn no_such_line(root: Node<'_>) -> Fault {
    match expect(Kind::Object, root) {
        Ok(()) => Fault::invalid("expected a header, an intent or an outcome".to_owned()),
        Err(fault) => fault,
    }
}

pub(super) fn version(root: Node<'_>) -> Judged<Version> {
    let version = text(required(root, "version")?).within_member("version")?;
    let unreadable = || Fault::invalid(format!("`{version}` is no version"));
    Version::parse(&version).ok_or_else(unreadable).within_member("version")
}

pub(super) fn header(root: Node<'_>, version: Version) -> Judged<Header> {
    let member = |name| required(root, name);
    let is_partial = root.get("directory").map_or(Ok(false), boolean).within_member("directory")?;
    let workspace = request::workspace(member("workspace")?).and_then(|files| expect_none_of(files, is_partial));
    Ok(Header {
        version,
        tools: tools(member("tools")?).within_member("tools")?,
        permissions: permissions(member("permissions")?).within_member("permissions")?,
        limits: limits(member("limits")?).within_member("limits")?,
        facts: root.get("facts").map_or(Ok(Map::new()), object).within_member("facts")?,
        explains: boolean(member("explains")?).within_member("explains")?,
        provider: provider(member("provider")?).within_member("provider")?,
        strict: boolean(member("strict")?).within_member("strict")?,
        workspace: workspace.within_member("workspace")?,
        is_partial,
        host: root.get("host").map_or(Value::Null, Node::to_json),
    })
}

/// Of a directory's files the header has none.
fn expect_none_of(files: MemoryWorkspace, is_partial: bool) -> Judged<MemoryWorkspace> {
    if is_partial && files.files().next().is_some() {
        return Err(Fault::invalid("the files of a directory stand in the outcomes that saw them".to_owned()));
    }
    Ok(files)
}

/// The call's line is counted by the reader.
pub(super) fn intent(document: &Document, line: usize) -> Judged<Box<Waiting>> {
    let root = document.root();
    let (mut number, mut call, mut raw, mut raw_text) = (None, None, None, None);
    let (mut permissions, mut limits, mut workspace) = (None, None, None);
    for Member { name, value, .. } in root.members() {
        match name.as_ref() {
            name @ "call" => {
                expect(Kind::Object, value).within_member(name)?;
                call = Some(value);
            }
            name @ "intent" => number = Some(count(value).within_member(name)?),
            name @ "permissions" => permissions = Some(request::names(value).within_member(name)?),
            name @ "limits" => limits = request::limits(value).within_member(name)?,
            name @ "workspace" => workspace = Some(request::workspace(value).within_member(name)?),
            "raw" => raw = Some(value.to_fragment()),
            name @ "raw_text" => raw_text = Some(embedded(value).within_member(name)?),
            _ => {}
        }
    }
    let call = call.ok_or_else(|| Fault::missing("call"))?;
    let call = self::call(call, raw.or(raw_text)).within_member("call")?;
    let asked = Asked { call, permissions, limits, workspace };
    let intent = Intent { asked, line: document.clone().into() };
    Ok(Box::new(Waiting { number: number.unwrap_or_default(), line, intent }))
}

/// A call as the native protocol writes it, or as the dispatcher sees it where it came in another shape.
fn call(node: Node<'_>, raw: Option<Fragment>) -> Judged<ToolCall> {
    let Some(args) = node.get("args_text") else {
        let call = request::call(node)?;
        return Ok(match raw {
            Some(raw) => call.came_as(raw),
            None => call,
        });
    };
    let (mut id, mut tool) = (None, None);
    for Member { name, value, .. } in node.members() {
        match name.as_ref() {
            name @ "id" => id = Some(text(value).within_member(name)?.into_owned()),
            name @ "tool" => tool = Some(text(value).within_member(name)?.into_owned()),
            "args_text" => {}
            other => return Err(Fault::unknown(other)),
        }
    }
    let tool = tool.ok_or_else(|| Fault::missing("tool"))?;
    let args = Args::from_text(text(args).within_member("args_text")?);
    Ok(ToolCall::from_parts(id, tool, args, raw.unwrap_or_else(|| node.to_fragment())))
}

/// JSON that was nested too deep to stand in a line as it is.
fn embedded(node: Node<'_>) -> Judged<Fragment> {
    let text = text(node)?.into_owned();
    let document = Document::parse_tolerating(text.into_bytes(), |_| true);
    document.map(Fragment::from).map_err(|malformed| Fault::invalid(format!("the text is not JSON: {malformed}")))
}

pub(super) fn outcome(document: &Document) -> Judged<(u64, Outcome)> {
    let (mut number, mut stage, mut seen) = (None, None, Seen::default());
    let (mut has_files, mut has_result, mut has_workspace) = (false, false, false);
    for Member { name, value, .. } in document.root().members() {
        match name.as_ref() {
            name @ "files" => has_files = files(value).within_member(name).map(|()| true)?,
            name @ "outcome" => number = Some(count(value).within_member(name)?),
            name @ "result" => has_result = result(value).within_member(name).map(|()| true)?,
            name @ "shown" => shown(value).within_member(name)?,
            name @ "seen" => seen = Seen::read(value).within_member(name)?,
            name @ "stage" => stage = Some(self::stage(value).within_member(name)?),
            name @ "workspace" => has_workspace = digest(value).within_member(name).map(|()| true)?,
            _ => {}
        }
    }
    for (is_there, name) in [(has_files, "files"), (has_result, "result"), (has_workspace, "workspace")] {
        if !is_there {
            return Err(Fault::missing(name));
        }
    }
    let stage = stage.ok_or_else(|| Fault::missing("stage"))?;
    Ok((number.unwrap_or_default(), Outcome { stage, seen, line: document.clone().into() }))
}

fn files(node: Node<'_>) -> Judged<()> {
    expect(Kind::Object, node)?;
    node.members()
        .filter(|member| member.value.kind() != Kind::Null)
        .try_for_each(|member| digest(member.value).within_member(&member.name))
}

fn digest(node: Node<'_>) -> Judged<()> {
    if Digest::is_text(&text(node)?) {
        Ok(())
    } else {
        Err(Fault::invalid("expected `sha256:` and 64 small hexadecimal digits".to_owned()))
    }
}

/// It says one thing. That of a call which is not run again is compared with nothing that would show it.
fn result(node: Node<'_>) -> Judged<()> {
    expect(Kind::Object, node)?;
    text(required(node, "tool")?).within_member("tool")?;
    node.get("id").map_or(Ok(()), |id| text(id).map(drop)).within_member("id")?;
    match text(required(node, "status")?).within_member("status")?.as_ref() {
        "ok" => expect_none(node, &["details", "error", "message"])
            .and_then(|()| observation(required(node, "observation")?).within_member("observation")),
        "error" => {
            expect_none(node, &["observation"])?;
            code(required(node, "error")?).within_member("error")?;
            node.get("message").map_or(Ok(()), |message| text(message).map(drop)).within_member("message")?;
            node.get("details").map_or(Ok(()), each_of_texts).within_member("details")
        }
        other => Err(Fault::invalid(format!("there is no status `{other}`"))).within_member("status"),
    }
}

fn expect_none(result: Node<'_>, others: &[&str]) -> Judged<()> {
    let found = others.iter().find(|member| result.get(member).is_some());
    found.map_or(Ok(()), |member| Err(Fault::invalid(format!("`{member}` stands in a result of another status"))))
}

fn observation(node: Node<'_>) -> Judged<()> {
    if node.kind() == Kind::Array { each_of_texts(node) } else { expect(Kind::String, node) }
}

/// Objects whose members are texts.
fn each_of_texts(node: Node<'_>) -> Judged<()> {
    expect(Kind::Array, node)?;
    (0..).zip(node.elements()).try_for_each(|(index, element)| texts(element).within(|| Segment::Index(index)))
}

fn texts(node: Node<'_>) -> Judged<()> {
    expect(Kind::Object, node)?;
    node.members().try_for_each(|member| expect(Kind::String, member.value).within_member(&member.name))
}

fn bytes(node: Node<'_>) -> Judged<()> {
    let is_length = matches!(node.as_number(), Some(Number::Unsigned(_)));
    if is_length { Ok(()) } else { Err(Fault::invalid("expected an integer from 0".to_owned())) }
}

fn shown(node: Node<'_>) -> Judged<()> {
    expect(Kind::Object, node)?;
    ["max_output_bytes", "text_bytes"]
        .iter()
        .try_for_each(|member| bytes(required(node, member)?).within_member(member))
}

/// One of the codes, or a tool's own.
fn code(node: Node<'_>) -> Judged<()> {
    let code = text(node)?;
    match Code::own(&code) {
        Err(CodeError::NotSnakeCase(_)) => Err(Fault::invalid(format!("`{code}` is no code"))),
        Ok(_) | Err(CodeError::BuiltIn(_)) => Ok(()),
    }
}

fn stage(node: Node<'_>) -> Judged<Option<Stage>> {
    let name = text(node)?;
    let stages = [Stage::Known, Stage::Permitted, Stage::Valid, Stage::Cleared];
    let found = stages.into_iter().find(|stage| stage.as_str() == name);
    let unknown = || Fault::invalid(format!("there is no stage `{name}`"));
    if name == RAN { Ok(None) } else { found.map(Some).ok_or_else(unknown) }
}

fn tools(node: Node<'_>) -> Judged<BTreeMap<String, Value>> {
    expect(Kind::Array, node)?;
    let tool = |(index, tool): (usize, Node<'_>)| {
        let name = required(tool, "name").and_then(text).within(|| Segment::Index(index))?;
        Ok((name.into_owned(), tool.to_json()))
    };
    node.elements().enumerate().map(tool).collect()
}

fn permissions(node: Node<'_>) -> Judged<Permissions> {
    if node.kind() == Kind::Null { Ok(Permissions::all()) } else { request::names(node) }
}

fn limits(node: Node<'_>) -> Judged<Option<Limits>> {
    if node.kind() == Kind::Null { Ok(None) } else { request::limits(node) }
}

fn provider(node: Node<'_>) -> Judged<Option<String>> {
    if node.kind() == Kind::Null { Ok(None) } else { Ok(Some(text(node)?.into_owned())) }
}

fn object(node: Node<'_>) -> Judged<Map<String, Value>> {
    expect(Kind::Object, node)?;
    Ok(node.members().map(|member| (member.name.into_owned(), member.value.to_json())).collect())
}

pub(super) fn boolean(node: Node<'_>) -> Judged<bool> {
    match node.kind() {
        Kind::True => Ok(true),
        Kind::False => Ok(false),
        Kind::Null | Kind::Number | Kind::String | Kind::Array | Kind::Object => {
            Err(Fault::invalid(format!("expected boolean, found {}", node.type_name())))
        }
    }
}

fn count(node: Node<'_>) -> Judged<u64> {
    match node.as_number() {
        Some(Number::Unsigned(number)) if number > 0 => Ok(number),
        _ => Err(Fault::invalid("expected an integer from 1".to_owned())),
    }
}

fn required<'d>(node: Node<'d>, member: &str) -> Judged<Node<'d>> {
    node.get(member).ok_or_else(|| Fault::missing(member))
}
