#!/usr/bin/env node
// The native protocol of `dispatch`, written from docs/protocol.md alone.
//
//     node dispatch.mjs dispatch [--stream [--keep-going]] [--allow A,B] [--max-output-bytes N] [--pretty] [FILE]
//
// Claims the levels protocol, gates, arguments and limits, streams included. Does not speak `--explain`, `--root`,
// `--read-only`, `--dry-run`, other toolsets, providers, session logs and `--error-format`: an option that is not in
// the line above ends with exit code 2. A title in quotes in a comment is a heading of docs/protocol.md.
//
// Node 18 or later, no packages.

import { createReadStream } from "node:fs";
import { buffer } from "node:stream/consumers";
import { parseArgs } from "node:util";

const LARGEST_COUNT = Number.MAX_SAFE_INTEGER;
const DEFAULT_LIMIT = 65536;
const DETAILS_BYTES = 2 ** 20;
const DEEPEST = 127;

// --- Failures: "Classes of failure" ---

/** The request broke the protocol. Told to the host alone. */
class ProtocolFailure extends Error {
  constructor(code, message, place) {
    super(message);
    this.line = { error: code, message, status: "protocol_error", ...place };
  }
}

/** A rejection or an execution failure: an answer, for the model to read. */
class CallFailure extends Error {
  constructor(code, details) {
    super(code);
    Object.assign(this, { code, details });
  }
}

/** The command was called in a wrong way. */
class UsageError extends Error {}

// --- Reading JSON: "Malformed JSON" and "Numbers" ---

// A value is {kind, content, raw}. JSON.parse would lose repeated keys, spelling, large integers and the places of
// faults. `kind` is one of the words that "Arguments" has for types. The content of an object is a list of
// [name, value], repeated names included; that of an integer is a BigInt, so that no digit is lost. `raw` is how a
// string or a number is written.

const BYTE_ORDER_MARK = Buffer.from("\ufeff");
const LITERALS = { n: ["null", "null", null], t: ["true", "boolean", true], f: ["false", "boolean", false] };
const ESCAPED = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

const SPACE = /[ \t\n\r]*/y;
const [MINUS, WHOLE, POINT, EXPONENT, DIGITS] = [/-?/y, /0|[1-9][0-9]*/y, /\./y, /[eE][+-]?/y, /[0-9]+/y];
const STRING_STOP = /["\\\x00-\x1f]/g;
const SURROGATE_PAIR = /\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/iy;
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/y;
const CUT_ESCAPE = /\\(?:u[0-9a-fA-F]{0,3})?$/y;

// Where a value stands, as far as the rule on repeated keys asks: in `args` of the call they are the model's fault.
function inside(place, name) {
  if (place === "args" || (place === "call" && name === "args")) return "args";
  return place === "request" && name === "call" ? "call" : "other";
}

/** Reads one text, as if it ended where it stops being UTF-8. Faults are met in the order in which they stand. */
class Reader {
  constructor(bytes, firstLine) {
    this.bytes = bytes;
    // A character for each byte, so that patterns count bytes.
    this.text = bytes.toString("latin1", 0, soundLength(bytes));
    this.at = 0;
    this.firstLine = firstLine;
  }

  document() {
    const value = this.value("request", 1);
    this.skip(SPACE);
    if (this.at < this.bytes.length) this.fail("there is more behind the value");
    return value;
  }

  value(place, depth) {
    this.skip(SPACE);
    const first = this.peek();
    if ((first === "{" || first === "[") && depth > DEEPEST) this.fail("nested too deep");
    if (first === "{") return this.object(place, depth);
    if (first === "[") return this.array(place, depth);
    if (first === '"') return this.stringValue();
    return LITERALS[first] ? this.literal(...LITERALS[first]) : this.number();
  }

  object(place, depth) {
    const [content, names] = [[], new Set()];
    this.sequence("}", () => {
      this.skip(SPACE);
      const start = this.at;
      const name = this.string();
      if (names.has(name) && place !== "args") this.fail("a key stands twice in one object", start);
      names.add(name);
      this.skip(SPACE);
      this.expect(":");
      content.push([name, this.value(inside(place, name), depth + 1)]);
    });
    return { kind: "object", content };
  }

  array(place, depth) {
    const content = [];
    this.sequence("]", () => content.push(this.value(inside(place), depth + 1)));
    return { kind: "array", content };
  }

  sequence(close, part) {
    this.at += 1;
    this.skip(SPACE);
    if (this.peek() !== close) {
      part();
      for (this.skip(SPACE); this.peek() === ","; this.skip(SPACE)) {
        this.at += 1;
        part();
      }
    }
    this.expect(close);
  }

  literal(word, kind, content) {
    for (const letter of word) this.expect(letter);
    return { kind, content };
  }

  number() {
    const start = this.at;
    this.skip(MINUS);
    this.take(WHOLE);
    if (this.skip(POINT)) this.take(DIGITS);
    if (this.skip(EXPONENT)) this.take(DIGITS);
    const raw = this.text.slice(start, this.at);
    const content = nearest(raw);
    if (content === Infinity || content === -Infinity) this.fail("the number is too large for a double", start);
    return { kind: typeof content === "bigint" ? "integer" : "number", content, raw };
  }

  stringValue() {
    const start = this.at;
    const content = this.string();
    return { kind: "string", content, raw: this.bytes.toString("utf8", start, this.at) };
  }

  string() {
    this.expect('"');
    let content = "";
    for (;;) {
      STRING_STOP.lastIndex = this.at;
      const stop = STRING_STOP.exec(this.text)?.index ?? this.text.length;
      content += this.bytes.toString("utf8", this.at, stop);
      this.at = stop;
      if (this.peek() === "\\") {
        content += this.escape();
      } else {
        this.expect('"');
        return content;
      }
    }
  }

  escape() {
    const pair = this.match(SURROGATE_PAIR);
    const found = pair ?? this.match(ESCAPE);
    if (!found) this.fail("no escape of JSON", this.match(CUT_ESCAPE) ? this.text.length : this.at);
    const units = pair ? [pair[1], pair[2]] : found[1] ? [found[1]] : [];
    const character = String.fromCharCode(...units.map((unit) => parseInt(unit, 16))) || ESCAPED[found[2]];
    if (!pair && /[\ud800-\udfff]/.test(character)) this.fail("a lone surrogate");
    this.at += found[0].length;
    return character;
  }

  peek() {
    return this.text[this.at];
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text);
  }

  skip(pattern) {
    const found = this.match(pattern);
    this.at += found?.[0].length ?? 0;
    return found !== null;
  }

  take(pattern) {
    if (!this.skip(pattern)) this.fail("this can't go on what stands before it");
  }

  expect(character) {
    if (this.peek() !== character) this.fail(`\`${character}\` is expected`);
    this.at += 1;
  }

  fail(message, at = this.at) {
    const isSound = this.text.length === this.bytes.length;
    const end = isSound ? "the input ends too early" : "not UTF-8";
    const before = this.text.slice(0, at);
    const place = { line: this.firstLine + before.split("\n").length - 1, column: at - before.lastIndexOf("\n") };
    throw new ProtocolFailure("malformed_json", at < this.text.length ? message : end, place);
  }
}

/** Integers are BigInts, exact in 64 bits; all else is a double. */
function nearest(literal) {
  if (/^-?[0-9]{1,20}$/.test(literal) && has64Bits(BigInt(literal))) return BigInt(literal);
  const double = Number(literal);
  return Number.isInteger(double) ? BigInt(double) : double;
}

const has64Bits = (integer) => integer >= -(2n ** 63n) && integer < 2n ** 64n;

/** How far bytes are UTF-8. Decoding puts U+FFFD in place of what is not. */
function soundLength(bytes) {
  const decoded = Buffer.from(bytes.toString());
  if (decoded.equals(bytes)) return bytes.length;
  let at = 0;
  while (decoded[at] === bytes[at]) at += 1;
  while (goesOnCharacter(decoded[at])) at -= 1;
  return at;
}

// --- Writing JSON: "Response" ---

/** JSON that stands as it is. */
class Raw {
  constructor(text) {
    this.text = text;
  }
}

/** Compact, or with an indent over several lines. */
function write(value, indent) {
  if (value instanceof Raw) return value.text;
  if (typeof value !== "object") return JSON.stringify(value);
  const deeper = indent === undefined ? undefined : `${indent}  `;
  if (Array.isArray(value)) return enclose("[]", value.map((item) => write(item, deeper)), indent);
  const members = [...(value instanceof Map ? value : Object.entries(value))].sort(([a], [b]) => byCodePoint(a, b));
  const colon = indent === undefined ? ":" : ": ";
  return enclose("{}", members.map(([name, member]) => JSON.stringify(name) + colon + write(member, deeper)), indent);
}

function enclose([open, close], parts, indent) {
  if (indent === undefined || parts.length === 0) return open + parts.join(",") + close;
  const gap = `\n${indent}`;
  return `${open}${gap}  ${parts.join(`,${gap}  `)}${gap}${close}`;
}

/** JavaScript compares units of UTF-16. The bytes of UTF-8 stand in the order of the code points. */
const byCodePoint = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));

// --- Paths of values: "Paths in details" ---

function memberPath(path, name) {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return `${path}.${name}`;
  const inner = JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `${path}['${inner}']`;
}

// --- Request: "Request" ---

const invalid = (path, message) => new ProtocolFailure("invalid_request", message, { path });

function demand(value, kind, path) {
  if (value.kind !== kind) throw invalid(path, `expected ${kind}, found ${value.kind}`);
  return value.content;
}

function readOp(request, ops) {
  const members = new Map(demand(request, "object", "$"));
  if (!members.has("op")) throw invalid("$", "missing member `op`");
  const op = demand(members.get("op"), "string", "$.op");
  if (ops.includes(op)) return op;
  throw new ProtocolFailure("unsupported_op", `the op ${JSON.stringify(op)} is not spoken here`, { path: "$.op" });
}

/** Judges members in the order they stand, then those that are missing: "Members" and "The call". */
function readMembers(value, path, readers, required) {
  const read = {};
  for (const [name, member] of demand(value, "object", path)) {
    if (!Object.hasOwn(readers, name)) throw invalid(path, `unknown member ${JSON.stringify(name)}`);
    read[name] = readers[name](member, memberPath(path, name));
  }
  const missing = required.find((name) => !Object.hasOwn(read, name));
  if (missing) throw invalid(path, `missing member \`${missing}\``);
  return read;
}

const asItStands = (value) => value;
const readString = (value, path) => demand(value, "string", path);

function readObject(value, path) {
  demand(value, "object", path);
  return value;
}

/** A file is {text, raw}. An untouched one goes back as `raw`, the way that the request wrote it. */
function readFiles(value, path) {
  const files = new Map();
  for (const [name, file] of demand(value, "object", path)) {
    files.set(name, { text: demand(file, "string", memberPath(path, name)), raw: new Raw(file.raw) });
  }
  return files;
}

function readPermissions(value, path) {
  return demand(value, "array", path).map((entry, index) => demand(entry, "string", `${path}[${index}]`));
}

function readLimit({ kind, content }, path) {
  if (kind === "integer" && content >= 1 && content <= LARGEST_COUNT) return Number(content);
  throw invalid(path, `expected an integer from 1 to ${LARGEST_COUNT}`);
}

function readLimits(value, path) {
  return readMembers(value, path, { max_output_bytes: readLimit }, []).max_output_bytes;
}

const REQUEST_MEMBERS = {
  op: asItStands, // it was judged before all others
  workspace: readFiles,
  call: readObject,
  permissions: readPermissions,
  limits: readLimits,
};
const CALL_MEMBERS = { id: readString, tool: readString, args: asItStands };

function readRequest(value, required) {
  const request = readMembers(value, "$", REQUEST_MEMBERS, required);
  const call = readMembers(request.call, "$.call", CALL_MEMBERS, ["tool", "args"]);
  if (!TOOLS.has(call.tool)) {
    const message = `there is no tool ${JSON.stringify(call.tool)}`;
    throw new ProtocolFailure("unknown_tool", message, { path: "$.call.tool" });
  }
  return { ...request, call };
}

// --- Arguments: "Arguments" ---

const detail = (path, message) => ({ message, path });

/** Finds every error: members in the order they stand, then what is missing in the order of `required`. */
function* judge(args, schema) {
  if (args.kind !== "object") {
    yield detail("$", `expected object, found ${args.kind}`);
    yield* repetitions(args, "$");
    return;
  }
  const names = new Set();
  for (const [name, value] of args.content) {
    if (names.has(name)) yield detail("$", `duplicate field \`${name}\``);
    names.add(name);
    yield* judgeMember(name, value, schema.properties);
  }
  for (const name of schema.required) if (!names.has(name)) yield detail("$", `missing field \`${name}\``);
}

function* judgeMember(name, value, properties) {
  const path = memberPath("$", name);
  // A model may well ask for `constructor`: only the schema's own names count.
  if (Object.hasOwn(properties, name)) {
    const message = fault(value, properties[name]);
    if (message) yield detail(path, message);
  } else {
    yield detail("$", `unknown field \`${name}\``);
  }
  yield* repetitions(value, path);
}

function fault({ kind, content, raw }, { type, minimum, maximum, minLength }) {
  if (!type.includes(kind)) return `expected ${type.join(" or ")}, found ${kind}`;
  const told = kind === "integer" && !has64Bits(content) ? raw : content;
  if (kind === "integer" && content < minimum) return `expected at least ${minimum}, found ${told}`;
  if (kind === "integer" && content > maximum) return `expected at most ${maximum}, found ${told}`;
  const length = minLength === undefined ? Infinity : [...content].length; // in code points
  if (length < minLength) return `expected at least ${minLength} character, found ${length}`;
}

/** Finds the repeated keys in a value, whatever else is said of it: "Repeated keys". */
function* repetitions({ kind, content }, path) {
  if (kind === "array") for (const [index, item] of content.entries()) yield* repetitions(item, `${path}[${index}]`);
  if (kind !== "object") return;
  const names = new Set();
  for (const [name, member] of content) {
    if (names.has(name)) yield detail(path, `duplicate field \`${name}\``);
    names.add(name);
    yield* repetitions(member, memberPath(path, name));
  }
}

/** Leaves out each error that no longer fits, and counts it. */
function bounded(errors) {
  let room = DETAILS_BYTES;
  const told = errors.filter(({ path, message }) => {
    const size = Buffer.byteLength(path + message);
    const fits = size <= room;
    if (fits) room -= size;
    return fits;
  });
  const missing = errors.length - told.length;
  return missing > 0 ? [...told, detail("$", `and ${missing} more fault${missing > 1 ? "s" : ""}`)] : told;
}

// --- Workspace: "Workspace paths" ---

/** By the path's letters alone. The empty path is the workspace itself. */
function resolve(path) {
  if (path.startsWith("/") || path.includes("\0")) throw new CallFailure("path_outside_workspace");
  const parts = [];
  for (const part of path.split("/")) {
    if (part !== "" && part !== "." && part !== "..") parts.push(part);
    else if (part === ".." && parts.pop() === undefined) throw new CallFailure("path_outside_workspace");
  }
  if (/^(~$|[A-Za-z]:)/.test(parts[0] ?? "")) throw new CallFailure("path_outside_workspace");
  return parts.join("/");
}

/** Finds the key of the file that stands, or could stand, at a path. */
function locate(files, path) {
  if (files.has(path)) return path;
  const key = resolve(path);
  const isDirectory = () => [...files.keys()].some((other) => other.startsWith(`${key}/`));
  if (key === "" || (!files.has(key) && isDirectory())) throw new CallFailure("is_a_directory");
  return key;
}

function existing(files, path) {
  const key = locate(files, path);
  if (!files.has(key)) throw new CallFailure("file_not_found");
  return key;
}

// --- Tools: "read_file", "write_file", "patch_file". A handler gives its observation and what it writes ---

function readFile(files, { path, offset, limit }) {
  const lines = linesOf(files.get(existing(files, path)).text);
  const first = Number(offset ?? 1);
  if (first > Math.max(lines.length, 1)) throw new CallFailure("line_out_of_range");
  const shown = lines.slice(first - 1, first - 1 + Number(limit ?? lines.length));
  return { observation: shown.map((line, index) => `${first + index}: ${line}`).join("") };
}

function writeFile(files, { path, content }) {
  const key = locate(files, path);
  const parts = key.split("/");
  const isBelowFile = parts.some((_, end) => end > 0 && files.has(parts.slice(0, end).join("/")));
  if (!files.has(key) && isBelowFile) throw new CallFailure("not_a_directory");
  return { observation: `File written: ${path}`, written: [key, content] };
}

function patchFile(files, { path, old_str, new_str }) {
  const key = existing(files, path);
  const { text } = files.get(key);
  if (old_str === new_str) throw new CallFailure("no_change");
  const at = text.indexOf(old_str);
  if (at < 0) throw new CallFailure("old_str_not_found");
  if (text.indexOf(old_str, at + 1) >= 0) throw new CallFailure("ambiguous_match");
  // Not String.replace: that would read `$&` in `new_str` as a pattern.
  const patched = text.slice(0, at) + new_str + text.slice(at + old_str.length);
  return { observation: `File patched: ${path}`, written: [key, patched] };
}

/** Lines end at a line feed alone. A last line may lack it. */
const linesOf = (text) => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

const TEXT = { type: ["string"] };
const SOME_TEXT = { type: ["string"], minLength: 1 };
const COUNT = { type: ["integer", "null"], minimum: 1, maximum: LARGEST_COUNT };

const TOOLS = new Map([
  ["read_file", tool(readFile, { path: TEXT, offset: COUNT, limit: COUNT }, ["path"])],
  ["write_file", tool(writeFile, { path: TEXT, content: TEXT }, ["path", "content"])],
  ["patch_file", tool(patchFile, { path: TEXT, old_str: SOME_TEXT, new_str: TEXT }, ["path", "old_str", "new_str"])],
]);

function tool(handler, properties, required) {
  return { handler, schema: { properties, required } };
}

// --- Output limits: "Output limits". All in bytes ---

function cut(whole, limit) {
  const size = whole.length;
  if (size <= limit) return whole;
  const room = limit - `\n[... ${size} bytes of ${size} omitted ...]\n`.length;
  if (room < 0) return prefix(whole, limit);
  let tail = whole.subarray(startOfLastLines(whole, 5));
  if (tail.length > half(room)) {
    tail = suffix(whole, half(room));
    tail = tail.subarray(tail.subarray(0, half(tail.length)).indexOf("\n") + 1);
  }
  let head = prefix(whole, room - tail.length);
  const feed = head.lastIndexOf("\n");
  if (feed >= 0 && feed >= half(head.length)) head = head.subarray(0, feed + 1);
  const gap = head.length === 0 || head.at(-1) === 10 ? "" : "\n";
  const notice = `${gap}[... ${size - head.length - tail.length} bytes of ${size} omitted ...]\n`;
  return Buffer.concat([head, Buffer.from(notice), tail]);
}

const half = (length) => Math.floor(length / 2);
const goesOnCharacter = (byte) => (byte & 0xc0) === 0x80;

function prefix(bytes, size) {
  let end = size;
  while (goesOnCharacter(bytes[end])) end -= 1;
  return bytes.subarray(0, end);
}

function suffix(bytes, size) {
  let start = bytes.length - size;
  while (goesOnCharacter(bytes[start])) start += 1;
  return bytes.subarray(start);
}

function startOfLastLines(bytes, count) {
  let start = bytes.length;
  for (let lines = 0; lines < count && start > 0; lines += 1) {
    start = bytes.subarray(0, start - 1).lastIndexOf("\n") + 1;
  }
  return start;
}

// --- The way of a call: "The way of a call" and "Stream" ---

class Session {
  constructor(options) {
    this.options = options;
    this.files = new Map();
  }

  /** Answers one request. A protocol failure leaves the session's workspace alone. */
  answer(bytes, line) {
    const { stream } = this.options;
    const value = new Reader(bytes, line).document();
    if (readOp(value, stream ? ["dispatch", "workspace"] : ["dispatch"]) === "workspace") {
      readMembers(value, "$", { op: asItStands }, []);
      return this.line({ status: "ok", workspace: this.rawFiles() });
    }
    const request = readRequest(value, stream ? ["call"] : ["workspace", "call"]);
    const { call, workspace } = request;
    this.files = workspace ?? this.files;
    const response = { tool: call.tool, ...this.outcome(request) };
    if (call.id !== undefined) response.id = call.id;
    if (workspace) response.workspace = this.rawFiles();
    return this.line(response);
  }

  outcome(request) {
    try {
      const whole = Buffer.from(this.run(request));
      const limit = Math.min(request.limits ?? DEFAULT_LIMIT, this.options.maxOutputBytes);
      const shown = cut(whole, limit);
      const truncated = shown.length < whole.length ? { truncated: { original_bytes: whole.length } } : {};
      return { status: "ok", observation: shown.toString(), ...truncated };
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure;
      return { status: "error", error: failure.code, ...(failure.details && { details: failure.details }) };
    }
  }

  /** Leads a call of a known tool through the other gates. What it writes takes effect when it has succeeded. */
  run({ call, permissions }) {
    const isPermitted = [this.options.allow, permissions].every((names) => names?.includes(call.tool) ?? true);
    if (!isPermitted) throw new CallFailure("tool_not_permitted");
    const { handler, schema } = TOOLS.get(call.tool);
    const errors = [...judge(call.args, schema)];
    if (errors.length > 0) throw new CallFailure("invalid_arguments", bounded(errors));
    const args = Object.fromEntries(call.args.content.map(([name, { content }]) => [name, content]));
    const { observation, written } = handler(this.files, args);
    if (written) this.files.set(written[0], { text: written[1], raw: new Raw(JSON.stringify(written[1])) });
    return observation;
  }

  rawFiles() {
    return new Map([...this.files].map(([path, { raw }]) => [path, raw]));
  }

  line(response) {
    return write(response, this.options.pretty ? "" : undefined);
  }
}

/** Answers one request, and gives the exit code that it asks for. */
async function respond(session, bytes, number) {
  try {
    await emit(session.answer(bytes, number));
    return 0;
  } catch (failure) {
    if (!(failure instanceof ProtocolFailure)) throw failure;
    const line = write(failure.line);
    if (session.options.keepGoing) await emit(line);
    else console.error(line);
    return 1;
  }
}

async function respondToLines(session, source) {
  let [number, code] = [0, 0];
  for await (const line of splitLines(source)) {
    number += 1;
    const bytes = number === 1 ? withoutMark(line) : line;
    if (/[^ \t\r]/.test(bytes.toString("latin1"))) code |= await respond(session, bytes, number);
    if (code && !session.options.keepGoing) break;
  }
  return code;
}

/** Not node:readline, which ends a line at more than line feeds. */
async function* splitLines(source) {
  let pieces = [];
  for await (const chunk of source) {
    let start = 0;
    for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", start)) {
      yield Buffer.concat([...pieces, chunk.subarray(start, end)]);
      [pieces, start] = [[], end + 1];
    }
    pieces.push(chunk.subarray(start));
  }
  yield Buffer.concat(pieces);
}

function withoutMark(bytes) {
  const mark = BYTE_ORDER_MARK;
  return bytes.subarray(0, mark.length).equals(mark) ? bytes.subarray(mark.length) : bytes;
}

function emit(line) {
  return new Promise((done, fail) => process.stdout.write(`${line}\n`, (error) => (error ? fail(error) : done())));
}

// --- The command: "Exit codes" ---

function readOptions(words) {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      stream: { type: "boolean" },
      "keep-going": { type: "boolean" },
      allow: { type: "string", multiple: true },
      "max-output-bytes": { type: "string" },
      pretty: { type: "boolean" },
    },
  });
  const [command, file = "-", ...more] = positionals;
  if (command !== "dispatch" || more.length > 0) throw new UsageError("usage: dispatch [OPTION...] [FILE]");
  if (values["keep-going"] && !values.stream) throw new UsageError("--keep-going is for streams alone");
  if (values.pretty && values.stream) throw new UsageError("--pretty can't be combined with --stream");
  const { stream, pretty, "keep-going": keepGoing } = values;
  return { file, stream, pretty, keepGoing, allow: toolNames(values.allow), maxOutputBytes: limitOf(values) };
}

function toolNames(lists) {
  const names = lists?.flatMap((list) => list.split(","));
  const unknown = names?.find((name) => !TOOLS.has(name));
  if (unknown !== undefined) throw new UsageError(`there is no tool ${JSON.stringify(unknown)}`);
  return names;
}

function limitOf({ "max-output-bytes": text = String(LARGEST_COUNT) }) {
  const limit = /^[0-9]+$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= LARGEST_COUNT) return limit;
  throw new UsageError(`--max-output-bytes: expected an integer from 1 to ${LARGEST_COUNT}`);
}

async function main() {
  const options = readOptions(process.argv.slice(2));
  const source = options.file === "-" ? process.stdin : createReadStream(options.file);
  const session = new Session(options);
  if (options.stream) return respondToLines(session, source);
  return respond(session, withoutMark(await buffer(source)), 1);
}

// A write that fails is told to who waits for it, see `emit`. Without a listener Node would end the process with 1
// instead, which says that the request is at fault.
process.stdout.on("error", () => {});
process.exitCode = await main().catch((error) => {
  const isOwnFault = error.code === undefined && !(error instanceof UsageError);
  console.error(`dispatch: ${isOwnFault ? `internal error, please report it: ${error.stack}` : error.message}`);
  return 2;
});
