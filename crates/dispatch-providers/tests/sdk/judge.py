"""How a type judges what was printed: by pydantic, by JSON Schema."""

import json
import warnings


class Refused(Exception):
    """Why a type does not fit, a reason a line."""


class Typed:
    """A type that pydantic can judge: unknown members are refused, and nothing is converted."""

    def __init__(self, kind):
        from pydantic import TypeAdapter
        from pydantic_core import SchemaValidator

        adapter = TypeAdapter(kind)
        # Google's types are built when they are first used.
        adapter.rebuild()
        self.validator = SchemaValidator(with_lists(adapter.core_schema))

    def check(self, value, extra="forbid"):
        from pydantic import ValidationError

        try:
            with warnings.catch_warnings():
                # Google's enums take any word, and only warn of one that they don't know.
                warnings.simplefilter("error", UserWarning)
                read = self.validator.validate_json(json.dumps(value), strict=True, extra=extra)
        except ValidationError as error:
            raise Refused("\n".join(reasons(error))) from error
        except UserWarning as warning:
            raise Refused(str(warning)) from warning
        # Types also read the names that members have in Python, and write those of JSON.
        expect_sent(extra != "forbid" or written(read) == value, written(read))


def written(read):
    if isinstance(read, list):
        return [written(element) for element in read]
    if isinstance(read, dict):
        return {name: written(member) for name, member in read.items()}
    has_members = hasattr(read, "model_dump")
    return read.model_dump(mode="json", by_alias=True, exclude_unset=True) if has_members else read


def with_lists(schema):
    """Reads every `Iterable` as a list: pydantic takes a text for one, and judges no element before somebody asks for it."""
    if isinstance(schema, dict):
        made = {name: with_lists(value) for name, value in schema.items()}
        return made | {"type": "list"} if made.get("type") == "generator" else made
    return [with_lists(element) for element in schema] if type(schema) is list else schema


def reasons(error):
    """Tells the faults. Of a union each branch has some: a branch that is marked as something else has none that help."""
    faults = error.errors(include_url=False)
    others = {fault["loc"][:-1] for fault in faults if fault["type"] == "literal_error"}

    def helps(fault):
        place = fault["loc"]
        return place[-1] != "str" and not any(place[:length] in others for length in range(1, len(place)))

    for fault in [fault for fault in faults if helps(fault)] or faults:
        # Of a branch without a name of its own its whole type would stand there.
        yield f"{'.'.join(str(step) for step in fault['loc'] if '[' not in str(step))}: {fault['msg']}"


def expect(holds, reason):
    if not holds:
        raise Refused(reason)


def expect_sent(holds, made):
    expect(holds, f"the SDK would send {json.dumps(made, ensure_ascii=False)}")


def check_schema(schema):
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise Refused(f"{error.json_path}: {error.message}") from error
    expect(schema.get("type") == "object", "$: expected a schema of type `object`")
