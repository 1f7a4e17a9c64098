"""The types of the providers' own SDKs, one class a provider.

Each class takes what `dispatch` printed and raises `Refused` where the SDK's type does not fit: `answer` for a message that holds results,
`history` for the messages of a conversation, `definitions` for what goes into a request's tools. Making one raises ModuleNotFoundError where
the SDK is not installed.
"""

import copy
import re

from judge import Typed, check_schema, expect, expect_sent


class Anthropic:
    messages = "messages"

    def __init__(self):
        import jsonschema  # noqa: F401
        from anthropic.types import MessageParam, ToolParam, ToolResultBlockParam, UserMessageParam

        self.message, self.user_message = Typed(MessageParam), Typed(UserMessageParam)
        self.result, self.tools = Typed(ToolResultBlockParam), Typed(list[ToolParam])

    def answer(self, message, _call):
        self.user_message.check(message)
        for block in message["content"]:
            self.result.check(block)

    def history(self, messages):
        for message in messages:
            self.message.check(message)

    def definitions(self, tools, is_strict):
        self.tools.check(tools)
        for tool in tools:
            check_schema(tool["input_schema"])
            expect(tool.get("strict", False) == is_strict, f"{tool['name']}: `strict` is not {is_strict}")
            if is_strict:
                check_anthropic_strict(tool["input_schema"])


def check_anthropic_strict(schema):
    """Anthropic's SDK moves what a strict schema can't say into the description. One that says no such thing stays as it is."""
    from anthropic import transform_schema

    schema = with_one_type(schema)
    made = transform_schema(schema)
    expect_sent(made == schema, made)


def with_one_type(schema):
    """Takes the null out of every list of types, which the API reads and the SDK's function does not."""
    if isinstance(schema, dict):
        made = {name: with_one_type(value) for name, value in schema.items()}
        types = made.get("type")
        return made | {"type": next(kind for kind in types if kind != "null")} if isinstance(types, list) else made
    return [with_one_type(element) for element in schema] if isinstance(schema, list) else schema


def check_openai_strict(schema):
    """OpenAI's SDK makes schemas strict. One that is strict already stays as it is."""
    from openai.lib._pydantic import _ensure_strict_json_schema

    made = _ensure_strict_json_schema(copy.deepcopy(schema), path=(), root=schema)
    expect_sent(with_sorted_lists(made) == with_sorted_lists(schema), made)


def with_sorted_lists(schema):
    if isinstance(schema, dict):
        return {name: sorted(value) if name == "required" else with_sorted_lists(value) for name, value in schema.items()}
    return [with_sorted_lists(element) for element in schema] if isinstance(schema, list) else schema


class OpenAiChat:
    messages = "messages"

    def __init__(self):
        import jsonschema  # noqa: F401
        from openai.types.chat import (
            ChatCompletionFunctionMessageParam,
            ChatCompletionFunctionToolParam,
            ChatCompletionMessageParam,
            ChatCompletionToolMessageParam,
        )

        self.by_role = {
            "function": Typed(ChatCompletionFunctionMessageParam),
            "tool": Typed(ChatCompletionToolMessageParam),
        }
        self.message, self.tools = Typed(ChatCompletionMessageParam), Typed(list[ChatCompletionFunctionToolParam])

    def answer(self, message, _call):
        expect(message["role"] in self.by_role, f"role: {message['role']}")
        self.by_role[message["role"]].check(message)

    def history(self, messages):
        for message in messages:
            # A server writes more into a message than the type of a request knows, and takes it back as it came.
            self.message.check(message, extra="ignore")

    def definitions(self, tools, is_strict):
        self.tools.check(tools)
        for tool in tools:
            check_openai_function(tool["function"], is_strict)


def check_openai_function(function, is_strict):
    check_schema(function["parameters"])
    expect(bool(function.get("strict")) == is_strict, f"{function['name']}: `strict` is not {is_strict}")
    if is_strict:
        check_openai_strict(function["parameters"])


class OpenAiResponses:
    messages = "input"

    def __init__(self):
        import jsonschema  # noqa: F401
        from openai.types.responses import FunctionToolParam, ResponseCustomToolCallOutputParam, ResponseInputItemParam
        from openai.types.responses.response_input_item_param import FunctionCallOutput

        self.by_type = {
            "custom_tool_call_output": Typed(ResponseCustomToolCallOutputParam),
            "function_call_output": Typed(FunctionCallOutput),
        }
        self.item, self.tools = Typed(ResponseInputItemParam), Typed(list[FunctionToolParam])

    def answer(self, item, _call):
        expect(item["type"] in self.by_type, f"type: {item['type']}")
        self.by_type[item["type"]].check(item)
        self.item.check(item)

    def history(self, items):
        for item in items:
            self.item.check(item, extra="ignore")

    def definitions(self, tools, is_strict):
        self.tools.check(tools)
        for tool in tools:
            check_openai_function(tool, is_strict)


class Gemini:
    messages = "contents"

    def __init__(self):
        from google.genai.types import Content, Tool

        self.content, self.tools = Typed(Content), Typed(list[Tool])

    def answer(self, content, _call):
        self.content.check(content)
        for part in content["parts"]:
            # The type leaves these open, and says in words that they are required.
            expect({"name", "response"} <= part["functionResponse"].keys(), "a function's response without name or response")

    def history(self, contents):
        for content in contents:
            self.content.check(content)

    def definitions(self, tools, _is_strict):
        self.tools.check(tools)


class Bedrock:
    messages = "messages"

    def __init__(self):
        import jsonschema  # noqa: F401
        from botocore.session import Session
        from botocore.validate import ParamValidator

        model = Session().get_service_model("bedrock-runtime")
        self.request, self.validator = model.operation_model("Converse").input_shape, ParamValidator()

    def check(self, **members):
        report = self.validator.validate({"modelId": "m", **members}, self.request)
        expect(not report.has_errors(), report.generate_report())
        for name, value in members.items():
            check_texts(name, self.request.members[name], value)

    def answer(self, message, _call):
        self.check(messages=[message])

    def history(self, messages):
        self.check(messages=messages)

    def definitions(self, tool_config, is_strict):
        self.check(toolConfig=tool_config)
        for tool in tool_config["tools"]:
            spec = tool["toolSpec"]
            check_schema(spec["inputSchema"]["json"])
            expect(spec.get("strict", False) == is_strict, f"{spec['name']}: `strict` is not {is_strict}")


def check_texts(place, shape, value):
    """Looks at what botocore leaves to the service: the words and the letters that a text may have."""
    if shape.type_name == "structure" and not getattr(shape, "is_document_type", False):
        for name, member in value.items():
            check_texts(f"{place}.{name}", shape.members[name], member)
    elif shape.type_name == "list":
        for index, element in enumerate(value):
            check_texts(f"{place}[{index}]", shape.member, element)
    elif shape.type_name == "string":
        words, pattern = shape.enum, shape.metadata.get("pattern")
        expect(not words or value in words, f"{place}: {value!r} is none of {', '.join(words)}")
        expect(not pattern or re.fullmatch(pattern, value), f"{place}: {value!r} does not match {pattern}")


class Mcp:
    """Every revision has types of its own. A request says which one it speaks since 2026-07-28."""

    messages = None
    default_revision = "2025-11-25"

    def __init__(self):
        import jsonschema  # noqa: F401
        from mcp.types import JSONRPCError, JSONRPCResponse
        from mcp.types.methods import SERVER_RESULTS

        self.response, self.error = Typed(JSONRPCResponse), Typed(JSONRPCError)
        self.results = SERVER_RESULTS

    def answer(self, response, request):
        expect(response.get("id") == request["id"], f"id: the request's is {request['id']!r}")
        if "error" in response:
            return self.error.check(response)
        self.response.check(response)
        meta = request["params"].get("_meta", {})
        revision = meta.get("io.modelcontextprotocol/protocolVersion", self.default_revision)
        Typed(self.results["tools/call", revision]).check(response["result"])

    def definitions(self, result, _is_strict):
        kind = Typed(self.results["tools/list", self.default_revision])
        kind.check(result, extra="ignore")
        # A schema alone may hold what its type does not list.
        kind.check(result | {"tools": [tool | {"inputSchema": {"type": "object"}} for tool in result["tools"]]})
        for tool in result["tools"]:
            check_schema(tool["inputSchema"])


# Each name as the command line takes it, its types, and whether it has a strict mode.
PROVIDERS = [
    ("anthropic", Anthropic, True),
    ("openai-chat", OpenAiChat, True),
    ("openai-responses", OpenAiResponses, True),
    ("gemini", Gemini, False),
    ("bedrock", Bedrock, True),
    ("mcp", Mcp, False),
]
