# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a document against its JSON Schema and describes the violations in terms of the document.

`jsonschema` finds the violations; its messages describe the schema ("0 is less than the minimum of 1"), ours
describe the document ("0 is not a positive integer"). The designer, which reads the same documents without
this library, makes the same checks of the schema of the spec (designer/src/spec/schema_shape.h); tests/errors compares
both.

Our schemas use only `type`, `minimum`, `exclusiveMinimum`, `maximum`, `enum`, `const`, `pattern`, `required`,
`properties`, `additionalProperties`, `items`, `prefixItems`, `minItems` and `maxItems`, and for normal forms `default`
and `default_from`. A union of types is a
list in `type`, never `anyOf`: an invalid value then has one violation instead of one per branch.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry

from ..shared.errors import Problem, count, in_document_order

_NO_OTHERS: Registry = Registry()
_NUMERIC = {"integer", "number"}
_ARTICLES = {
    "object": "an object",
    "array": "an array",
    "string": "a string",
    "number": "a number",
    "integer": "an integer",
    "boolean": "a boolean",
    "null": "null",
}


def find_violations(document: Any, schema: Mapping[str, Any], schemas: Registry = _NO_OTHERS) -> list[Problem]:
    """Everything in `document` that breaks `schema`, in document order. Empty when it is valid.

    schemas: finds the schemas that `$ref` names.
    """
    validator = Draft202012Validator(schema, registry=schemas)
    found = (each for error in validator.iter_errors(document) for each in _describe_violation(error))
    return in_document_order(found)


def find_left_out(document: Any, schema: Mapping[str, Any], at: str = "") -> Iterator[Problem]:
    """What a valid document lacks of its normal form: keys with a default, and lists given as a number.

    `default` is the default of a key, `default_from` names another key of the object that has the same value.
    """
    items = schema.get("items")
    if isinstance(document, Mapping):
        for key, rule in schema.get("properties", {}).items():
            place = f"{at}{pointer_to([key])}"
            if key in document:
                yield from find_left_out(document[key], rule, place)
            elif "default" in rule or "default_from" in rule:
                yield Problem(place, "missing")
    elif isinstance(document, (list, tuple)) and isinstance(items, Mapping):
        for index, each in enumerate(document):
            yield from find_left_out(each, items, f"{at}/{index}")
    elif items and document is not None:
        yield Problem(at, f"expected an array, not {_ARTICLES[json_type(document)]}")


def json_type(value: Any) -> str:
    """The JSON type of a parsed value; 2.0 is a number, though a schema takes it for the integer 2."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, Mapping):
        return "object"
    if isinstance(value, (list, tuple)):
        return "array"
    return "integer" if isinstance(value, int) else "number"


def format_value(value: Any) -> str:
    """A value as a message shows it: JSON for a scalar, only the kind for an object or array."""
    kind = json_type(value)
    return _ARTICLES[kind] if kind in ("object", "array") else json.dumps(value, ensure_ascii=False)


def pointer_to(path: Any) -> str:
    """The JSON pointer (RFC 6901) of a path of keys and indexes."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def _describe_violation(error: ValidationError) -> Iterator[Problem]:
    at = pointer_to(error.absolute_path)
    schema: dict[str, Any] = dict(error.schema)  # type: ignore[arg-type]  # ours are never just true or false
    rule = error.validator
    expected: Any = error.validator_value
    found: Any = error.instance
    if rule == "additionalProperties":
        known = sorted(schema.get("properties", {}))
        for key in sorted(set(found) - set(known)):
            yield Problem(f"{at}{pointer_to([key])}", f"unknown key, expected one of {', '.join(known)}")
    elif rule == "required":
        # jsonschema reports each missing key by itself and names it only in its message.
        for key in expected:
            if key not in found:
                yield Problem(f"{at}/{key}", "missing")
    elif rule == "const":
        yield Problem(at, f"{format_value(found)} is not {format_value(expected)}")
    elif rule == "enum":
        yield Problem(at, f"{format_value(found)} is not one of {', '.join(format_value(each) for each in expected)}")
    elif rule == "pattern":
        yield Problem(at, f"{format_value(found)} does not match {expected}")
    elif rule == "minItems":
        yield Problem(at, f"expected at least {count(expected, 'item')}, not {len(found)}")
    elif rule in ("maxItems", "items"):  # `items: false` after prefixItems is also a maximum
        most = expected if rule == "maxItems" else len(schema["prefixItems"])
        yield Problem(at, f"expected at most {count(most, 'item')}, not {len(found)}")
    elif rule == "maximum" and schema.get("minimum") in (0, 1):  # a count so high that it must be a typing error
        yield Problem(at, f"{format_value(found)} is more than {expected}")
    else:
        yield Problem(at, _describe_type(schema, found))


def _describe_type(schema: Mapping[str, Any], found: Any) -> str:
    types = [schema["type"]] if isinstance(schema["type"], str) else list(schema["type"])
    numeric = [each for each in types if each in _NUMERIC]
    if numeric and (types == numeric or json_type(found) in _NUMERIC):
        return f"{format_value(found)} is not {_name_numbers(numeric[0], schema)}"
    names = [_name_numbers(each, schema) if each in _NUMERIC else _ARTICLES[each] for each in types]
    return f"expected {' or '.join(names)}, not {_ARTICLES[json_type(found)]}"


def _name_numbers(kind: str, schema: Mapping[str, Any]) -> str:
    """As `name_range`, but from 0 or 1 without the maximum, which has its own message."""
    has_own_message = "exclusiveMinimum" in schema or schema.get("minimum") in (0, 1)
    return name_range(kind, {**schema, "maximum": None} if has_own_message else schema)


def name_range(kind: str, schema: Mapping[str, Any]) -> str:
    """The numbers that a schema allows: "an integer from 1 to 8", "a positive number". kind: "integer" or "number"."""
    least, most = schema.get("minimum"), schema.get("maximum")
    if most is not None:
        return f"{_ARTICLES[kind]} from {least} to {most}"
    if schema.get("exclusiveMinimum") == 0 or least == 1:
        return f"a positive {kind}"
    if least == 0:
        return f"a non-negative {kind}"
    return _ARTICLES[kind] if least is None else f"{_ARTICLES[kind]} of at least {least}"
