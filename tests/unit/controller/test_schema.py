# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/schema.py; whole specs are in tests/errors/spec."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.schema import (
    HOST_NAME,
    DocumentSchema,
    describe_pattern,
    find_left_out,
    format_value,
    json_type,
    name_range,
    pointer_to,
)

COUNT = {"type": ["integer", "array"], "minimum": 1, "maximum": 9, "items": {"type": "string"}, "minItems": 2}
PAIR = {"type": "array", "prefixItems": [{"type": "string"}, {"type": "string"}], "items": False, "minItems": 2}
NAME = "a name: lower case letters, digits and hyphens, first a letter, at most 15 characters, such as rack-1"


def lines(document: Any, schema: dict[str, Any]) -> list[str]:
    return [str(each) for each in DocumentSchema(schema).find_violations(document)]


@pytest.mark.parametrize(
    ("value", "schema", "line"),
    [
        (0, {"type": "integer", "minimum": 1}, "0 is not a positive integer"),
        ("two", {"type": "integer", "minimum": 1}, '"two" is not a positive integer'),
        (True, {"type": "integer", "minimum": 1}, "true is not a positive integer"),
        (2.5, {"type": "integer", "minimum": 0}, "2.5 is not a non-negative integer"),
        (-1, {"type": "number", "minimum": 0}, "-1 is not a non-negative number"),
        (0, {"type": "number", "exclusiveMinimum": 0}, "0 is not a positive number"),
        ("low", {"type": "number"}, '"low" is not a number'),
        (70000, {"type": "integer", "minimum": 1, "maximum": 65536}, "70000 is more than 65536"),
        (9.5, {"type": "number", "exclusiveMinimum": 0, "maximum": 9}, "9.5 is more than 9"),
        (0, {"type": "number", "exclusiveMinimum": 0, "maximum": 9}, "0 is not a positive number"),
        (9, {"type": "integer", "minimum": 576, "maximum": 9216}, "9 is not an integer from 576 to 9216"),
        ("x", {"type": ["number", "null"], "minimum": 0}, "expected a non-negative number or null, not a string"),
        (-1, {"type": ["number", "null"], "minimum": 0}, "-1 is not a non-negative number"),
        ("x", COUNT, "expected a positive integer or an array, not a string"),
        (0, COUNT, "0 is not a positive integer"),
        (["a"], COUNT, "expected at least 2 items, not 1"),
        ([], PAIR, "expected at least 2 items, not 0"),
        (["a", "b", "c"], PAIR, "expected at most 2 items, not 3"),
        ([1, 2], {"type": "array", "maxItems": 1}, "expected at most 1 item, not 2"),
        ({}, {"type": "array"}, "expected an array, not an object"),
        (None, {"type": "string"}, "expected a string, not null"),
        ("", {"type": "string", "pattern": "."}, '"" is not a text with at least one character'),
        ("X", {"type": "string", "pattern": "^[a-z][a-z0-9-]{0,14}$"}, f'"X" is not {NAME}'),
        ("c", {"enum": ["b", "a"]}, '"c" is not one of "b", "a"'),
        ([1], {"enum": ["b"]}, 'an array is not one of "b"'),
        (2, {"const": 1}, "2 is not 1"),
    ],
)
def test_each_rule_has_its_message(value: Any, schema: dict[str, Any], line: str) -> None:
    assert lines(value, schema) == [line]


def test_a_normal_form_lacks_neither_defaults_nor_lists() -> None:
    item = {"type": "object", "properties": {"name": {}, "color": {"default_from": "name"}, "rack": {"default": None}}}
    schema = {"properties": {"count": COUNT, "items": {"type": ["array", "null"], "default": None, "items": item}}}
    document = {"count": 2, "items": [{"name": "a", "color": "a", "rack": None}, {"name": "b"}]}
    assert [str(each) for each in find_left_out(document, schema)] == [
        "/count: expected an array, not an integer",
        "/items/1/color: missing",
        "/items/1/rack: missing",
    ]
    assert [str(each) for each in find_left_out({"count": ["a", "b"]}, schema)] == ["/items: missing"]
    assert [*find_left_out({"count": ["a", "b"], "items": None}, schema)] == []
    assert [str(each) for each in find_left_out({"count": ["a"], "items": ["a"]}, schema)] == [
        "/items/0: expected an object, not a string"
    ]


def test_unknown_and_missing_keys_are_reported_one_by_one() -> None:
    schema = {"type": "object", "properties": {"b": {}, "a": {}}, "required": ["b", "a"], "additionalProperties": False}
    assert lines({"y": 1, "x": 2}, schema) == [
        "/a: missing",
        "/b: missing",
        "/x: unknown key, expected one of a, b",
        "/y: unknown key, expected one of a, b",
    ]


def test_a_valid_document_has_no_violations() -> None:
    assert lines(2.0, {"type": "integer", "minimum": 1}) == []


def test_a_rule_of_another_schema_has_its_message() -> None:
    others = {"other.json": {"$defs": {"name": {"type": "array", "items": {"type": "string", "pattern": "^/"}}}}}
    schema = {"properties": {"names": {"$ref": "other.json#/$defs/name"}, "own": {"$ref": "#/$defs/count"}},
              "$defs": {"count": {"type": "integer", "minimum": 0}}}  # fmt: skip
    found = DocumentSchema(schema, others.__getitem__).find_violations({"names": ["b", 1], "own": -1})
    assert [str(each) for each in found] == [
        '/names/0: "b" is not an absolute path, such as /etc/hosts',
        "/names/1: expected a string, not an integer",
        "/own: -1 is not a non-negative integer",
    ]


def test_text_that_is_no_unicode_is_refused_with_its_place() -> None:
    names = {"type": "array", "items": {"type": "string", "pattern": "^/"}}
    schema = {"properties": {"names": names}, "additionalProperties": False}
    expected = "not Unicode text: a surrogate without its other half"
    assert lines({"names": ["a", "\ud800"]}, schema) == [f"/names/1: {expected}"]
    assert lines({"names": [], "a\udfff": 1}, schema) == [expected]


def test_pointers_escape_special_characters() -> None:
    assert pointer_to(["a/b", "c~d", 3]) == "/a~1b/c~0d/3"


def test_json_types_distinguish_numbers_from_booleans_and_integers() -> None:
    values = [None, True, "", {}, [], 1, 1.0]
    assert [json_type(each) for each in values] == [
        "null",
        "boolean",
        "string",
        "object",
        "array",
        "integer",
        "number",
    ]


def test_big_values_are_only_named_by_kind() -> None:
    assert (format_value({"a": 1}), format_value([1]), format_value("ü")) == ("an object", "an array", '"ü"')


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({}, "a number"),
        ({"minimum": 0}, "a non-negative number"),
        ({"minimum": 1}, "a positive number"),
        ({"exclusiveMinimum": 0}, "a positive number"),
        ({"minimum": 576}, "a number of at least 576"),
        ({"minimum": 1, "maximum": 8}, "a number from 1 to 8"),
    ],
)
def test_a_range_is_named_by_its_ends(schema: dict[str, Any], words: str) -> None:
    assert name_range("number", schema) == words


def test_every_pattern_of_our_schemas_is_described_in_words(root: Path) -> None:
    texts = [path.read_text() for path in sorted((root / "schemas").glob("*.json"))]
    patterns = {json.loads(each) for text in texts for each in re.findall(r'"pattern": ("(?:[^"\\]|\\.)*")', text)}
    assert HOST_NAME in patterns
    assert len(patterns) > 20
    assert [each for each in patterns if describe_pattern(each) == "in the expected form"] == []


@pytest.mark.parametrize("name", ["k00", "0k", "K_01", "a", "compute-0-0", "k01.rack-2.example.org", "a" * 64])
def test_host_names_are_accepted(name: str) -> None:
    assert lines(name, {"type": "string", "pattern": HOST_NAME}) == []


@pytest.mark.parametrize(
    "name", ["", "101", "10.78.0.1", "-k", "k-", "k.", ".k", "k..l", "k-.l", "k.-l", "k l", "k\u00f6", "a" * 65]
)
def test_what_is_no_host_name_is_refused_in_words(name: str) -> None:
    (line,) = lines(name, {"type": "string", "pattern": HOST_NAME})
    assert "is not a host name" in line
    assert "such as compute-0-0" in line
    assert "[" not in line
