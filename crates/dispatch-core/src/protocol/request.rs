//! Requests: from a checked text to what is asked for.

use std::borrow::Cow;

use crate::call::ToolCall;
use crate::code::ErrorCode;
use crate::json::{Document, JsonPath, Kind, Member, Node, Number, Segment};
use crate::limits::{LimitOutOfRange, Limits};
use crate::permissions::Permissions;
use crate::workspace::{MemoryWorkspace, Workspace};

use super::{Asked, Failure};

/// A request within a stream.
#[derive(Debug)]
pub(super) enum InStream {
    /// A call.
    Dispatch(Asked),
    /// Asks for the session's workspace.
    Workspace,
}

/// Reads a workspace that stands alone.
pub(super) fn read_workspace(document: &Document) -> Result<MemoryWorkspace, Failure> {
    workspace(document.root()).map_err(|fault| fault.in_document(document))
}

/// What is wrong with a request. The place is found on the way out, member by member: a request that is right needs no paths.
pub(crate) struct Fault {
    code: ErrorCode,
    pub(crate) message: String,
    pub(crate) path: JsonPath,
}

pub(crate) type Judged<T> = Result<T, Fault>;

// Requests are judged in a fixed order: the op first, then the request's members in the order they stand, then those of the call.

/// Reads a request that stands alone. It brings its workspace, or the host has one and it brings none.
pub(super) fn read_one_shot(document: &Document, on: Ground) -> Result<Asked, Failure> {
    one_shot(document.root(), on).map_err(|fault| fault.in_document(document))
}

impl InStream {
    pub(super) fn read(document: &Document, on: Ground) -> Result<Self, Failure> {
        in_stream(document.root(), on).map_err(|fault| fault.in_document(document))
    }
}

/// Whose the session's workspace is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ground {
    /// It is in memory, and a request can set it.
    Memory,
    /// It is the host's.
    Host,
}

impl Ground {
    pub(super) fn of(workspace: &dyn Workspace) -> Self {
        if workspace.as_memory().is_some() { Self::Memory } else { Self::Host }
    }
}

impl Fault {
    pub(crate) fn invalid(message: String) -> Self {
        Self { code: ErrorCode::InvalidRequest, message, path: JsonPath::root() }
    }

    fn unsupported(message: String) -> Self {
        Self { code: ErrorCode::UnsupportedOp, message, path: JsonPath::root().member("op") }
    }

    pub(crate) fn unknown(member: &str) -> Self {
        Self::invalid(format!("unknown member `{member}`"))
    }

    fn brought_workspace() -> Self {
        Self::invalid("unknown member `workspace`: the workspace is the host's, and no request brings one".to_owned())
    }

    pub(crate) fn missing(member: &str) -> Self {
        Self::invalid(format!("missing member `{member}`"))
    }

    fn in_document(self, document: &Document) -> Failure {
        Failure::at(self.code, self.message, self.path, document)
    }
}

/// Places a fault within the member, or the element, that was being judged.
pub(crate) trait Within<T> {
    fn within(self, step: impl FnOnce() -> Segment) -> Judged<T>;

    fn within_member(self, name: &str) -> Judged<T>;
}

impl<T> Within<T> for Judged<T> {
    fn within(self, step: impl FnOnce() -> Segment) -> Self {
        self.map_err(|fault| Fault { path: fault.path.within(step()), ..fault })
    }

    fn within_member(self, name: &str) -> Self {
        self.within(|| Segment::Member(name.to_owned()))
    }
}

fn one_shot(root: Node<'_>, on: Ground) -> Judged<Asked> {
    match op(root)?.as_ref() {
        "dispatch" => {
            let members = Members::read(root, on)?;
            if members.workspace.is_none() && on == Ground::Memory {
                return Err(Fault::missing("workspace"));
            }
            members.asked()
        }
        "workspace" => Err(Fault::unsupported("the op `workspace` is for streams only".to_owned())),
        other => Err(Fault::unsupported(format!("there is no op `{other}`"))),
    }
}

fn in_stream(root: Node<'_>, on: Ground) -> Judged<InStream> {
    match op(root)?.as_ref() {
        "dispatch" => Ok(InStream::Dispatch(Members::read(root, on)?.asked()?)),
        "workspace" if on == Ground::Host => Err(Fault::unsupported(
            "the op `workspace` is for a workspace in memory, and this one is the host's".to_owned(),
        )),
        "workspace" => match root.members().find(|member| member.name != "op") {
            Some(member) => Err(Fault::unknown(&member.name)),
            None => Ok(InStream::Workspace),
        },
        other => Err(Fault::unsupported(format!("there is no op `{other}`"))),
    }
}

fn op(root: Node<'_>) -> Judged<Cow<'_, str>> {
    expect(Kind::Object, root)?;
    let op = root.get("op").ok_or_else(|| Fault::missing("op"))?;
    text(op).within_member("op")
}

/// The members of a dispatch request, those of the call not yet judged.
#[derive(Default)]
struct Members<'d> {
    call: Option<Node<'d>>,
    workspace: Option<MemoryWorkspace>,
    permissions: Option<Permissions>,
    limits: Option<Limits>,
}

impl<'d> Members<'d> {
    fn read(root: Node<'d>, on: Ground) -> Judged<Self> {
        let mut members = Self::default();
        for member in root.members() {
            let (name, value) = (member.name.as_ref(), member.value);
            match name {
                "op" => {}
                "workspace" if on == Ground::Host => return Err(Fault::brought_workspace()),
                "workspace" => members.workspace = Some(workspace(value).within_member(name)?),
                "permissions" => members.permissions = Some(names(value).within_member(name)?),
                "limits" => members.limits = limits(value).within_member(name)?,
                "call" => {
                    expect(Kind::Object, value).within_member(name)?;
                    members.call = Some(value);
                }
                other => return Err(Fault::unknown(other)),
            }
        }
        Ok(members)
    }

    fn asked(self) -> Judged<Asked> {
        let Self { call, workspace, permissions, limits } = self;
        let call = call.ok_or_else(|| Fault::missing("call"))?;
        Ok(Asked { call: self::call(call).within_member("call")?, permissions, limits, workspace })
    }
}

pub(crate) fn workspace(node: Node<'_>) -> Judged<MemoryWorkspace> {
    expect(Kind::Object, node)?;
    let file = |member: Member<'_>| {
        expect(Kind::String, member.value).within_member(&member.name)?;
        Ok((member.name.into_owned(), member.value.to_fragment()))
    };
    node.members().map(file).collect::<Judged<Vec<_>>>().map(MemoryWorkspace::from_json)
}

pub(crate) fn names(node: Node<'_>) -> Judged<Permissions> {
    expect(Kind::Array, node)?;
    let name = |(index, name)| text(name).within(|| Segment::Index(index));
    node.elements().enumerate().map(name).collect::<Judged<Vec<_>>>().map(Permissions::only)
}

pub(crate) fn limits(node: Node<'_>) -> Judged<Option<Limits>> {
    expect(Kind::Object, node)?;
    let mut limits = None;
    for member in node.members() {
        match member.name.as_ref() {
            name @ "max_output_bytes" => limits = Some(output_bytes(member.value).within_member(name)?),
            other => return Err(Fault::unknown(other)),
        }
    }
    Ok(limits)
}

fn output_bytes(node: Node<'_>) -> Judged<Limits> {
    let limits = match node.as_number() {
        Some(Number::Unsigned(bytes)) => Limits::output_bytes(bytes).ok(),
        _ => None,
    };
    limits.ok_or_else(|| Fault::invalid(LimitOutOfRange.to_string()))
}

pub(crate) fn call(node: Node<'_>) -> Judged<ToolCall> {
    let (mut id, mut tool, mut args) = (None, None, None);
    for member in node.members() {
        match member.name.as_ref() {
            name @ "id" => id = Some(text(member.value).within_member(name)?.into_owned()),
            name @ "tool" => tool = Some(text(member.value).within_member(name)?.into_owned()),
            "args" => args = Some(member.value.to_fragment()),
            other => return Err(Fault::unknown(other)),
        }
    }
    let tool = tool.ok_or_else(|| Fault::missing("tool"))?;
    let args = args.ok_or_else(|| Fault::missing("args"))?;
    Ok(ToolCall::from_parts(id, tool, args, node.to_fragment()))
}

pub(crate) fn text(node: Node<'_>) -> Judged<Cow<'_, str>> {
    expect(Kind::String, node)?;
    Ok(node.as_str().unwrap_or_default())
}

pub(crate) fn expect(kind: Kind, node: Node<'_>) -> Judged<()> {
    if node.kind() == kind {
        return Ok(());
    }
    Err(Fault::invalid(format!("expected {}, found {}", kind.name(), node.type_name())))
}
