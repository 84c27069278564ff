# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a document against its JSON Schema and describes the violations in terms of the document.

`jsonschema_rs` finds the violations; its messages describe the schema ("0 is less than the minimum of 1"), ours
describe the document ("0 is not a positive integer"). The designer, which reads the same documents without
this library, makes the same checks of the schema of the spec (designer/src/spec/schema_shape.h); tests/errors compares
both.

Our schemas use only `type`, `minimum`, `exclusiveMinimum`, `maximum`, `enum`, `const`, `pattern`, `required`,
`properties`, `additionalProperties`, `items`, `prefixItems`, `minItems`, `maxItems`, `if` and `then`, and for normal
forms `default` and `default_from`. A union of types is a list in `type`, never `anyOf`: an invalid value then has one
violation instead of one per branch.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from jsonschema_rs import Draft202012Validator, ValidationError

from ..shared.errors import Problem, count, in_document_order

Schema = dict[str, Any]
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


#: The name of a node or machine, from the schema of the spec. The engine has it in designer/src/spec/shape.cc.
HOST_NAME = r"^(?=.*[A-Za-z])(?!.*[._-]\.)(?!.*\.[_-])[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$"
_ROW = "a row of codes and dots, as fnn-designer writes it"
#: Pattern of our schemas -> what it accepts, for messages.
_PATTERNS = {
    HOST_NAME: "a host name: letters (at least one), digits, hyphens, underscores and dots, at most 64 characters; it "
    "and each part between dots begins and ends with a letter or digit, such as compute-0-0 or k01.example.org",
    ".": "a text with at least one character",
    "^#[0-9a-f]{6}$": "a color in lower case, such as #1f77b4",
    r"^([0-9]{1,3}(\.[0-9]{1,3}){3}|default)$": "an IPv4 address, such as 10.78.0.1, or default",
    r"^([a-z0-9-]+/)?[a-z0-9-]+\.(csv|pdf|png|svg)$": "the name of a csv, pdf, png or svg file, such as labels.pdf",
    "^(ssh-ed25519|ssh-rsa|ecdsa-sha2-[^ ]+) [A-Za-z0-9+/=]+$": "a public key, such as ssh-ed25519 AAAA…",
    "^-?[0-9]+(/[0-9]+)?$": "an integer or fraction, such as 6/5",
    "^[0-9]+(/[0-9]+)?$": "a non-negative integer or fraction, such as 6/5",
    "^/": "an absolute path, such as /etc/hosts",
    "^0[0-7]{3}$": "a mode in octal, such as 0644",
    r"^[0-9]{1,3}(\.[0-9]{1,3}){3}$": "an IPv4 address, such as 10.78.0.1",
    r"^[0-9]{1,3}(\.[0-9]{1,3}){3}/[0-9]{1,2}$": "an IPv4 address with its prefix length, such as 10.77.0.1/24",
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}$": "a date, such as 2026-11-29",
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$": "a time in UTC, such as 2026-11-29T12:00:00Z",
    "^[0-9a-f]{2}(:[0-9a-f]{2}){5}$": "a MAC in lower case, such as 02:f0:00:00:00:01",
    "^[0-9a-z.-]*$": _ROW,
    "^[0-9a-z.=-]*$": _ROW,
    "^[0-9a-z]+$": "a code of digits and lower case letters, such as 1a",
    "^[1-9][0-9]*-[0-9a-f]{12}$": "a generation, such as 8-3f2a9c1b0d2e",
    "^[A-Z][a-z]?[0-9]*$": "a code of a color, such as Rw",
    r'^[^\s/"]{1,15}$': "a device name of at most 15 characters without blanks, such as enp2s0",
    "^sha256:[0-9a-f]{64}$": "a digest: sha256: and 64 hexadecimal digits",
}


def _retrieve_none(name: str) -> Schema:
    raise KeyError(name)


class DocumentSchema:
    """A schema that is compiled once and checks many documents.

    retrieve: finds a schema that `$ref` names, by its file name.
    """

    def __init__(self, schema: Schema, retrieve: Callable[[str], Schema] = _retrieve_none) -> None:
        self._schema = schema
        self._retrieve = retrieve

        def fetch(uri: str) -> Schema:
            """A name is resolved against a base: "json-schema:///fnn-spec.schema.json"."""
            return retrieve(uri.rpartition("/")[2])

        self._validator = Draft202012Validator(schema, retriever=fetch)

    def find_violations(self, document: Any) -> list[Problem]:
        """Everything in `document` that breaks the schema, in document order. Empty when it is valid."""
        try:
            if self._validator.is_valid(document):
                return []
            errors = list(self._validator.iter_errors(document))
        except UnicodeEncodeError:
            return list(_find_surrogates(document))
        return in_document_order(each for error in errors for each in self._describe(error, document))

    def _describe(self, error: ValidationError, document: Any) -> Iterator[Problem]:
        *path, rule = error.evaluation_path
        at = error.instance_path
        if rule == "items":  # `items: false` after prefixItems allows no further item; the error is at each of them
            at = at[:-1]
        yield from _describe_violation(pointer_to(at), str(rule), self._find_rules(path), _get_part(document, at))

    def _find_rules(self, path: Iterable[str | int]) -> Schema:
        """The part of the schema to which an evaluation path leads; "$ref" in it leads to another part or schema."""
        root = here = self._schema
        for step in path:
            if step == "$ref":
                name, _, pointer = here["$ref"].partition("#")
                root = self._retrieve(name) if name else root
                here = _get_part(root, pointer.split("/")[1:])
            else:
                here = _get_part(here, [step])
        return here


def _get_part(value: Any, path: Iterable[str | int]) -> Any:
    """The value below `value`. jsonschema_rs gives a key of digits as a number."""
    for step in path:
        value = value[str(step) if isinstance(value, Mapping) else step]
    return value


def _find_surrogates(value: Any, at: str = "") -> Iterator[Problem]:
    """Strings that no Unicode text has: JSON can write half of a surrogate pair, `"\\ud800"`."""
    if isinstance(value, str):
        if any("\ud800" <= each <= "\udfff" for each in value):
            yield Problem(at, "not Unicode text: a surrogate without its other half")
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _find_surrogates(key, at)
            yield from _find_surrogates(each, f"{at}{pointer_to([key])}")
    elif isinstance(value, (list, tuple)):
        for index, each in enumerate(value):
            yield from _find_surrogates(each, f"{at}/{index}")


def find_left_out(document: Any, schema: Mapping[str, Any], at: str = "") -> Iterator[Problem]:
    """What a valid document lacks of its normal form: keys with a default, and lists and objects in a short form.

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
    elif document is not None and (items or "properties" in schema):
        yield Problem(at, f"expected {'an array' if items else 'an object'}, not {_ARTICLES[json_type(document)]}")


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


def _describe_violation(at: str, rule: str, schema: Schema, found: Any) -> Iterator[Problem]:
    """rule: the keyword of `schema` that the value `found` at the pointer `at` breaks."""
    expected: Any = schema[rule]
    if rule == "additionalProperties":
        known = sorted(schema.get("properties", {}))
        for key in sorted(set(found) - set(known)):
            yield Problem(f"{at}{pointer_to([key])}", f"unknown key, expected one of {', '.join(known)}")
    elif rule == "required":
        for key in expected:
            if key not in found:
                yield Problem(f"{at}/{key}", "missing")
    elif rule == "const":
        yield Problem(at, f"{format_value(found)} is not {format_value(expected)}")
    elif rule == "enum":
        yield Problem(at, f"{format_value(found)} is not one of {', '.join(format_value(each) for each in expected)}")
    elif rule == "pattern":
        yield Problem(at, f"{format_value(found)} is not {describe_pattern(expected)}")
    elif rule == "minItems":
        yield Problem(at, f"expected at least {count(expected, 'item')}, not {len(found)}")
    elif rule in ("maxItems", "items"):  # `items: false` after prefixItems is also a maximum
        most = expected if rule == "maxItems" else len(schema["prefixItems"])
        yield Problem(at, f"expected at most {count(most, 'item')}, not {len(found)}")
    elif rule == "maximum" and _is_from_zero_or_one(schema):  # a count so high that it must be a typing error
        yield Problem(at, f"{format_value(found)} is more than {expected}")
    else:
        yield Problem(at, _describe_type(schema, found))


def describe_pattern(pattern: str) -> str:
    """What a pattern of our schemas accepts, in words with an example."""
    found = re.fullmatch(r"\^\[a-z\]\[a-z0-9-\](?:\{0,(\d+)\}|\*)\$", pattern)
    if found is None:
        return _PATTERNS.get(pattern, "in the expected form")
    most = f", at most {int(found[1]) + 1} characters" if found[1] else ""
    return f"a name: lower case letters, digits and hyphens, first a letter{most}, such as rack-1"


def _describe_type(schema: Mapping[str, Any], found: Any) -> str:
    types = [schema["type"]] if isinstance(schema["type"], str) else list(schema["type"])
    numeric = [each for each in types if each in _NUMERIC]
    if numeric and (types == numeric or json_type(found) in _NUMERIC):
        return f"{format_value(found)} is not {_name_numbers(numeric[0], schema)}"
    names = [_name_numbers(each, schema) if each in _NUMERIC else _ARTICLES[each] for each in types]
    return f"expected {' or '.join(names)}, not {_ARTICLES[json_type(found)]}"


def _name_numbers(kind: str, schema: Mapping[str, Any]) -> str:
    """As `name_range`, but from 0 or 1 without the maximum, which has its own message."""
    return name_range(kind, {**schema, "maximum": None} if _is_from_zero_or_one(schema) else schema)


def _is_from_zero_or_one(schema: Mapping[str, Any]) -> bool:
    return "exclusiveMinimum" in schema or schema.get("minimum") in (0, 1)


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
