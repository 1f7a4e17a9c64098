#!/usr/bin/env python3
"""The native protocol of `dispatch`, written from docs/protocol.md alone.

    python3 dispatch.py dispatch [--stream [--keep-going]] [--allow A,B] [--max-output-bytes N] [--pretty] [FILE]

Claims the levels protocol, gates, arguments and limits, streams included. Does not speak `--explain`, `--root`,
`--read-only`, `--dry-run`, other toolsets, providers, session logs and `--error-format`: an option that is not in the
line above ends with exit code 2. A title in quotes in a comment is a heading of docs/protocol.md.

Python 3.9 or later, the standard library alone.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import sys
from typing import Any, Callable, Iterable, Iterator, NamedTuple, Optional, Tuple

LARGEST_COUNT = 2**53 - 1
DEFAULT_LIMIT = 65536
DETAILS_BYTES = 2**20
DEEPEST = 127


# --- Failures: "Classes of failure" ---


class ProtocolFailure(Exception):
    """The request broke the protocol. Told to the host alone."""

    def __init__(self, code: str, message: str, **place: Any) -> None:
        super().__init__(message)
        self.line = {"error": code, "message": message, "status": "protocol_error", **place}


class CallFailure(Exception):
    """A rejection or an execution failure: an answer, for the model to read."""

    def __init__(self, code: str, details: Optional[list] = None) -> None:
        super().__init__(code)
        self.code, self.details = code, details


# --- Reading JSON: "Malformed JSON" and "Numbers" ---


class Value(NamedTuple):
    """A JSON value. The standard library's reader would lose repeated keys, spelling and the places of faults."""

    kind: str  # one of the words that "Arguments" has for types
    content: Any  # of an object a list of (name, Value), repeated names included
    raw: str = ""  # of a string or a number, how it is written


BYTE_ORDER_MARK = b"\xef\xbb\xbf"
WHITE_SPACE = b" \t\n\r"
LITERALS = {b"n": (b"null", "null", None), b"t": (b"true", "boolean", True), b"f": (b"false", "boolean", False)}
ESCAPED = dict(zip(b'"\\/bfnrt', '"\\/\b\f\n\r\t'))

SPACE = re.compile(rb"[ \t\n\r]*")
MINUS, WHOLE, POINT = re.compile(rb"-?"), re.compile(rb"0|[1-9][0-9]*"), re.compile(rb"\.")
EXPONENT, DIGITS = re.compile(rb"[eE][+-]?"), re.compile(rb"[0-9]+")
SHORT_INTEGER = re.compile(r"-?[0-9]{1,20}")
STRING_STOP = re.compile(rb'["\\\x00-\x1f]')
SURROGATE_PAIR = re.compile(rb"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
ESCAPE = re.compile(rb'\\(?:u([0-9a-fA-F]{4})|["\\/bfnrt])')
CUT_ESCAPE = re.compile(rb"\\(?:u[0-9a-fA-F]{0,3})?\Z")

# Where a value stands, as far as the rule on repeated keys asks: in `args` of the call they are the model's fault.
PLACES = {("request", "call"): "call", ("call", "args"): "args"}


class Reader:
    """Reads one text, as if it ended where it stops being UTF-8. Faults are met in the order in which they stand."""

    def __init__(self, text: bytes, first_line: int) -> None:
        self.text, self.at, self.first_line = text[: sound_length(text)], 0, first_line
        self.is_sound = len(self.text) == len(text)

    def document(self) -> Value:
        value = self.value("request", 1)
        self.skip(SPACE)
        if self.at < len(self.text) or not self.is_sound:
            self.fail("there is more behind the value")
        return value

    def value(self, place: str, depth: int) -> Value:
        self.skip(SPACE)
        first = self.peek()
        if first in (b"{", b"["):
            if depth > DEEPEST:
                self.fail("nested too deep")
            return self.object(place, depth) if first == b"{" else self.array(place, depth)
        if first == b'"':
            start = self.at
            content = self.string()
            return Value("string", content, self.text[start : self.at].decode())
        return self.literal(*LITERALS[first]) if first in LITERALS else self.number()

    def object(self, place: str, depth: int) -> Value:
        members, names = [], set()

        def member() -> None:
            self.skip(SPACE)
            start = self.at
            if self.peek() != b'"':
                self.fail("a key is expected")
            name = self.string()
            if name in names and place != "args":
                self.fail("a key stands twice in one object", start)
            names.add(name)
            self.skip(SPACE)
            self.expect(b":")
            members.append((name, self.value(inside(place, name), depth + 1)))

        self.sequence(b"}", member)
        return Value("object", members)

    def array(self, place: str, depth: int) -> Value:
        items: list = []
        self.sequence(b"]", lambda: items.append(self.value(inside(place), depth + 1)))
        return Value("array", items)

    def sequence(self, close: bytes, part: Callable[[], None]) -> None:
        self.at += 1
        self.skip(SPACE)
        if self.peek() == close:
            self.at += 1
            return
        part()
        self.skip(SPACE)
        while self.peek() == b",":
            self.at += 1
            part()
            self.skip(SPACE)
        self.expect(close)

    def literal(self, word: bytes, kind: str, content: Any) -> Value:
        for index in range(len(word)):
            self.expect(word[index : index + 1])
        return Value(kind, content)

    def number(self) -> Value:
        start = self.at
        self.skip(MINUS)
        self.take(WHOLE)
        if self.skip(POINT):
            self.take(DIGITS)
        if self.skip(EXPONENT):
            self.take(DIGITS)
        literal = self.text[start : self.at].decode()
        number = nearest(literal)
        if math.isinf(number):
            self.fail("the number is too large for a double", start)
        return Value("number", number, literal) if number % 1 else Value("integer", int(number), literal)

    def string(self) -> str:
        self.at += 1
        parts = []
        while True:
            found = STRING_STOP.search(self.text, self.at)
            stop = found.start() if found else len(self.text)
            parts.append(self.text[self.at : stop].decode())
            self.at = stop
            if self.peek() == b"\\":
                parts.append(self.escape())
            else:
                self.expect(b'"')
                return "".join(parts)

    def escape(self) -> str:
        pair = SURROGATE_PAIR.match(self.text, self.at)
        if pair:
            self.at = pair.end()
            return bytes.fromhex((pair[1] + pair[2]).decode()).decode("utf-16-be")
        found = ESCAPE.match(self.text, self.at)
        if not found:
            self.fail("no escape of JSON", len(self.text) if CUT_ESCAPE.match(self.text, self.at) else self.at)
        character = chr(int(found[1], 16)) if found[1] else ESCAPED[found[0][1]]
        if "\ud800" <= character <= "\udfff":
            self.fail("a lone surrogate")
        self.at = found.end()
        return character

    def peek(self) -> bytes:
        return self.text[self.at : self.at + 1]

    def skip(self, pattern: re.Pattern) -> bool:
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found is not None

    def take(self, pattern: re.Pattern) -> None:
        if not self.skip(pattern):
            self.fail("this can't go on what stands before it")

    def expect(self, byte: bytes) -> None:
        if self.peek() != byte:
            self.fail(f"`{byte.decode()}` is expected")
        self.at += 1

    def fail(self, message: str, at: Optional[int] = None) -> None:
        at = self.at if at is None else at
        if at == len(self.text):
            message = "the input ends too early" if self.is_sound else "not UTF-8"
        before = self.text[:at]
        line, column = self.first_line + before.count(b"\n"), at - before.rfind(b"\n")
        raise ProtocolFailure("malformed_json", message, line=line, column=column)


def sound_length(text: bytes) -> int:
    try:
        text.decode()
    except UnicodeDecodeError as fault:
        return fault.start
    return len(text)


def inside(place: str, name: Optional[str] = None) -> str:
    return "args" if place == "args" else PLACES.get((place, name), "other")


def nearest(literal: str) -> Any:
    """Integers of 64 bits are exact, all else is a double. Python's own integers would have no bound."""
    return int(literal) if SHORT_INTEGER.fullmatch(literal) and has_64_bits(int(literal)) else float(literal)


def has_64_bits(number: int) -> bool:
    return -(2**63) <= number < 2**64


# --- Writing JSON: "Response" ---


class Raw(str):
    """JSON that stands as it is."""


def write(value: Any, indent: Optional[str] = None) -> str:
    """Compact, or with an indent over several lines. Python sorts strings by code point, as the order of keys asks."""
    if isinstance(value, Raw):
        return value
    if not isinstance(value, (dict, list)):
        return quote(value)
    deeper, colon = (None, ":") if indent is None else (indent + "  ", ": ")
    if isinstance(value, list):
        return enclose("[]", [write(item, deeper) for item in value], indent)
    return enclose("{}", [quote(name) + colon + write(value[name], deeper) for name in sorted(value)], indent)


def quote(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def enclose(brackets: str, parts: list, indent: Optional[str]) -> str:
    if indent is None or not parts:
        return brackets[0] + ",".join(parts) + brackets[1]
    gap = "\n" + indent
    return f"{brackets[0]}{gap}  {(',' + gap + '  ').join(parts)}{gap}{brackets[1]}"


# --- Paths of values: "Paths in details" ---

PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def member_path(path: str, name: str) -> str:
    if PLAIN_NAME.fullmatch(name):
        return f"{path}.{name}"
    inner = quote(name)[1:-1].replace('\\"', '"').replace("'", "\\'")
    return f"{path}['{inner}']"


# --- Request: "Request" ---


def invalid(path: str, message: str) -> ProtocolFailure:
    return ProtocolFailure("invalid_request", message, path=path)


def demand(value: Value, kind: str, path: str) -> Any:
    if value.kind != kind:
        raise invalid(path, f"expected {kind}, found {value.kind}")
    return value.content


def read_op(request: Value, ops: Iterable[str]) -> str:
    members = dict(demand(request, "object", "$"))
    if "op" not in members:
        raise invalid("$", "missing member `op`")
    op = demand(members["op"], "string", "$.op")
    if op not in ops:
        raise ProtocolFailure("unsupported_op", f"the op {quote(op)} is not spoken here", path="$.op")
    return op


def read_members(value: Value, path: str, readers: dict, required: Iterable[str]) -> dict:
    """Judges members in the order they stand, then those that are missing: "Members" and "The call"."""
    read = {}
    for name, member in demand(value, "object", path):
        if name not in readers:
            raise invalid(path, f"unknown member {quote(name)}")
        read[name] = readers[name](member, member_path(path, name))
    for name in required:
        if name not in read:
            raise invalid(path, f"missing member `{name}`")
    return read


def read_files(value: Value, path: str) -> dict:
    files = {}
    for name, text in demand(value, "object", path):
        demand(text, "string", member_path(path, name))
        files[name] = File(text.content, Raw(text.raw))
    return files


def read_permissions(value: Value, path: str) -> set:
    entries = demand(value, "array", path)
    return {demand(entry, "string", f"{path}[{index}]") for index, entry in enumerate(entries)}


def read_limit(value: Value, path: str) -> int:
    if value.kind != "integer" or not 1 <= value.content <= LARGEST_COUNT:
        raise invalid(path, f"expected an integer from 1 to {LARGEST_COUNT}")
    return value.content


def read_limits(value: Value, path: str) -> int:
    return read_members(value, path, {"max_output_bytes": read_limit}, ()).get("max_output_bytes", DEFAULT_LIMIT)


def read_object(value: Value, path: str) -> Value:
    demand(value, "object", path)
    return value


def read_string(value: Value, path: str) -> str:
    return demand(value, "string", path)


def as_it_stands(value: Value, _path: str) -> Value:
    return value


REQUEST_MEMBERS = {
    "op": as_it_stands,  # it was judged before all others
    "workspace": read_files,
    "call": read_object,
    "permissions": read_permissions,
    "limits": read_limits,
}
CALL_MEMBERS = {"id": read_string, "tool": read_string, "args": as_it_stands}


def read_request(value: Value, required: Iterable[str]) -> dict:
    request = read_members(value, "$", REQUEST_MEMBERS, required)
    call = read_members(request["call"], "$.call", CALL_MEMBERS, ("tool", "args"))
    if call["tool"] not in TOOLS:
        raise ProtocolFailure("unknown_tool", f"there is no tool {quote(call['tool'])}", path="$.call.tool")
    return {**request, "call": call}


# --- Arguments: "Arguments" ---


def judge(args: Value, schema: dict) -> Iterator[dict]:
    """Finds every error: members in the order they stand, then what is missing in the order of `required`."""
    if args.kind != "object":
        yield detail("$", f"expected object, found {args.kind}")
        yield from repetitions(args, "$")
        return
    names = set()
    for name, value in args.content:
        if name in names:
            yield detail("$", f"duplicate field `{name}`")
        names.add(name)
        yield from judge_member(name, value, schema["properties"])
    for name in schema["required"]:
        if name not in names:
            yield detail("$", f"missing field `{name}`")


def judge_member(name: str, value: Value, properties: dict) -> Iterator[dict]:
    path = member_path("$", name)
    if name not in properties:
        yield detail("$", f"unknown field `{name}`")
    elif message := fault(value, properties[name]):
        yield detail(path, message)
    yield from repetitions(value, path)


def fault(value: Value, schema: dict) -> Optional[str]:
    if value.kind not in schema["type"]:
        return f"expected {' or '.join(schema['type'])}, found {value.kind}"
    if value.kind == "integer" and value.content < schema["minimum"]:
        return f"expected at least {schema['minimum']}, found {told(value)}"
    if value.kind == "integer" and value.content > schema["maximum"]:
        return f"expected at most {schema['maximum']}, found {told(value)}"
    if value.kind == "string" and len(value.content) < schema.get("minLength", 0):
        return f"expected at least {schema['minLength']} character, found {len(value.content)}"
    return None


def told(integer: Value) -> str:
    return str(integer.content) if has_64_bits(integer.content) else integer.raw


def repetitions(value: Value, path: str) -> Iterator[dict]:
    """Finds the repeated keys in a value, whatever else is said of it: "Repeated keys"."""
    if value.kind == "array":
        for index, item in enumerate(value.content):
            yield from repetitions(item, f"{path}[{index}]")
    if value.kind == "object":
        names = set()
        for name, member in value.content:
            if name in names:
                yield detail(path, f"duplicate field `{name}`")
            names.add(name)
            yield from repetitions(member, member_path(path, name))


def detail(path: str, message: str) -> dict:
    return {"message": message, "path": path}


def bounded(errors: list) -> list:
    """Leaves out each error that no longer fits, and counts it."""
    told, room = [], DETAILS_BYTES
    for error in errors:
        size = len((error["path"] + error["message"]).encode())
        if size <= room:
            told.append(error)
            room -= size
    missing = len(errors) - len(told)
    return told + [detail("$", f"and {missing} more fault{'s' if missing > 1 else ''}")] if missing else told


# --- Workspace: "Workspace paths" ---


class File(NamedTuple):
    text: str
    raw: Raw  # how the file was written in the request; an untouched one goes back like that


def resolve(path: str) -> str:
    """By the path's letters alone. The empty path is the workspace itself."""
    if path.startswith("/") or "\0" in path:
        raise CallFailure("path_outside_workspace")
    parts: list = []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                raise CallFailure("path_outside_workspace")
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    if parts and (parts[0] == "~" or re.match("[A-Za-z]:", parts[0])):
        raise CallFailure("path_outside_workspace")
    return "/".join(parts)


def locate(files: dict, path: str) -> str:
    """Finds the key of the file that stands, or could stand, at a path."""
    if path in files:
        return path
    key = resolve(path)
    if key == "" or key not in files and any(other.startswith(key + "/") for other in files):
        raise CallFailure("is_a_directory")
    return key


def existing(files: dict, path: str) -> str:
    key = locate(files, path)
    if key not in files:
        raise CallFailure("file_not_found")
    return key


# --- Tools: "read_file", "write_file", "patch_file". A handler gives its observation and what it writes ---

Handler = Callable[..., Tuple[str, dict]]


def lines_of(text: str) -> list:
    """Lines end at a line feed alone; str.splitlines knows a dozen more ends."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def read_file(files: dict, path: str, offset: Optional[int] = None, limit: Optional[int] = None) -> Tuple[str, dict]:
    lines = lines_of(files[existing(files, path)].text)
    first = offset or 1
    if first > max(len(lines), 1):
        raise CallFailure("line_out_of_range")
    shown = lines[first - 1 :][:limit]
    return "".join(f"{number}: {line}" for number, line in enumerate(shown, first)), {}


def write_file(files: dict, path: str, content: str) -> Tuple[str, dict]:
    key = locate(files, path)
    parts = key.split("/")
    if key not in files and any("/".join(parts[:end]) in files for end in range(1, len(parts))):
        raise CallFailure("not_a_directory")
    return f"File written: {path}", {key: content}


def patch_file(files: dict, path: str, old_str: str, new_str: str) -> Tuple[str, dict]:
    key = existing(files, path)
    text = files[key].text
    if old_str == new_str:
        raise CallFailure("no_change")
    at = text.find(old_str)
    if at < 0:
        raise CallFailure("old_str_not_found")
    if text.find(old_str, at + 1) >= 0:  # str.count would pass over places that overlap
        raise CallFailure("ambiguous_match")
    return f"File patched: {path}", {key: text[:at] + new_str + text[at + len(old_str) :]}


TEXT = {"type": ["string"]}
SOME_TEXT = {"type": ["string"], "minLength": 1}
COUNT = {"type": ["integer", "null"], "minimum": 1, "maximum": LARGEST_COUNT}


def tool(handler: Handler, properties: dict, required: list) -> Tuple[Handler, dict]:
    return handler, {"properties": properties, "required": required}


TOOLS = {
    "read_file": tool(read_file, {"path": TEXT, "offset": COUNT, "limit": COUNT}, ["path"]),
    "write_file": tool(write_file, {"path": TEXT, "content": TEXT}, ["path", "content"]),
    "patch_file": tool(
        patch_file, {"path": TEXT, "old_str": SOME_TEXT, "new_str": TEXT}, ["path", "old_str", "new_str"]
    ),
}


# --- Output limits: "Output limits". All in bytes ---


def cut(whole: bytes, limit: int) -> bytes:
    if len(whole) <= limit:
        return whole
    size = len(whole)
    room = limit - len(f"\n[... {size} bytes of {size} omitted ...]\n")
    if room < 0:
        return characters(whole[:limit])
    tail = b"".join(re.findall(rb"[^\n]*\n|[^\n]+", whole)[-5:])
    if len(tail) > room // 2:
        tail = characters(whole[size - room // 2 :])
        tail = tail[tail.find(b"\n", 0, len(tail) // 2) + 1 :]
    head = characters(whole[: room - len(tail)])
    feed = head.rfind(b"\n", len(head) // 2)
    head = head[: feed + 1] if feed >= 0 else head
    gap = "" if head == b"" or head.endswith(b"\n") else "\n"
    return head + f"{gap}[... {size - len(head) - len(tail)} bytes of {size} omitted ...]\n".encode() + tail


def characters(text: bytes) -> bytes:
    """Drops what is left of a character at either end."""
    return text.decode(errors="ignore").encode()


# --- The way of a call: "The way of a call" and "Stream" ---


class Session:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options, self.files = options, {}

    def answer(self, text: bytes, line: int) -> str:
        """Answers one request. A protocol failure leaves the session's workspace alone."""
        value = Reader(text, line).document()
        stream = self.options.stream
        if read_op(value, ("dispatch", "workspace") if stream else ("dispatch",)) == "workspace":
            read_members(value, "$", {"op": as_it_stands}, ())
            return self.line({"status": "ok", "workspace": self.raw_files()})
        request = read_request(value, ("call",) if stream else ("workspace", "call"))
        call = request["call"]
        self.files = request.get("workspace", self.files)
        response = {"tool": call["tool"], **self.outcome(request)}
        if "id" in call:
            response["id"] = call["id"]
        if "workspace" in request:
            response["workspace"] = self.raw_files()
        return self.line(response)

    def outcome(self, request: dict) -> dict:
        try:
            whole = self.run(request).encode()
        except CallFailure as failure:
            told = {} if failure.details is None else {"details": failure.details}
            return {"status": "error", "error": failure.code, **told}
        shown = cut(whole, min(request.get("limits", DEFAULT_LIMIT), self.options.max_output_bytes))
        truncated = {"truncated": {"original_bytes": len(whole)}} if len(shown) < len(whole) else {}
        return {"status": "ok", "observation": shown.decode(), **truncated}

    def run(self, request: dict) -> str:
        """Leads a call of a known tool through the other gates. What it writes takes effect when it has succeeded."""
        name, args = request["call"]["tool"], request["call"]["args"]
        for permitted in (self.options.allow, request.get("permissions")):
            if permitted is not None and name not in permitted:
                raise CallFailure("tool_not_permitted")
        handler, schema = TOOLS[name]
        errors = list(judge(args, schema))
        if errors:
            raise CallFailure("invalid_arguments", bounded(errors))
        observation, written = handler(self.files, **{name: value.content for name, value in args.content})
        self.files.update({key: File(text, Raw(quote(text))) for key, text in written.items()})
        return observation

    def raw_files(self) -> dict:
        return {path: file.raw for path, file in self.files.items()}

    def line(self, response: dict) -> str:
        return write(response, "" if self.options.pretty else None)

    def respond(self, text: bytes, line: int) -> int:
        try:
            emit(1, self.answer(text, line))
            return 0
        except ProtocolFailure as failure:
            emit(1 if self.options.keep_going else 2, write(failure.line))
            return 1

    def respond_to_lines(self, lines: Iterable[bytes]) -> int:
        code = 0
        for number, line in enumerate(lines, 1):
            text = line.removesuffix(b"\n")
            text = text.removeprefix(BYTE_ORDER_MARK) if number == 1 else text
            if text.strip(WHITE_SPACE):
                code |= self.respond(text, number)
            if code and not self.options.keep_going:
                break
        return code


def emit(descriptor: int, line: str) -> None:
    """Writes past Python's buffers: each answer is out before the next request is waited for."""
    rest = memoryview((line + "\n").encode())
    while rest:
        rest = rest[os.write(descriptor, rest) :]


# --- The command: "Exit codes" ---


def tool_names(text: str) -> set:
    names = set(text.split(","))
    unknown = sorted(names - set(TOOLS))
    if unknown:
        raise argparse.ArgumentTypeError(f"there is no tool {quote(unknown[0])}")
    return names


def count(text: str) -> int:
    if not re.fullmatch("[0-9]+", text) or not 1 <= int(text) <= LARGEST_COUNT:
        raise argparse.ArgumentTypeError(f"expected an integer from 1 to {LARGEST_COUNT}")
    return int(text)


def read_options(words: list) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="dispatch", allow_abbrev=False)
    parser.add_argument("command", choices=["dispatch"])
    parser.add_argument("file", nargs="?", default="-", help="the request; standard input without it")
    parser.add_argument("--stream", action="store_true", help="one request a line")
    parser.add_argument("--keep-going", action="store_true", help="answer protocol failures in place")
    parser.add_argument("--allow", type=tool_names, action="extend", metavar="A,B", help="the tools that may be used")
    parser.add_argument("--max-output-bytes", type=count, default=LARGEST_COUNT, metavar="N")
    parser.add_argument("--pretty", action="store_true", help="lay the response out for people")
    options = parser.parse_args(words)
    if options.keep_going and not options.stream:
        parser.error("--keep-going is for streams alone")
    if options.pretty and options.stream:
        parser.error("--pretty can't be combined with --stream")
    return options


def main() -> int:
    options = read_options(sys.argv[1:])
    try:
        with open(0 if options.file == "-" else options.file, "rb") as source:
            session = Session(options)
            if options.stream:
                return session.respond_to_lines(source)
            return session.respond(source.read().removeprefix(BYTE_ORDER_MARK), 1)
    except OSError as error:
        print(f"dispatch: {error}", file=sys.stderr)
    except Exception as fault:  # Python would end with 1, which says that the request is at fault
        print(f"dispatch: internal error, please report it: {fault!r}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
