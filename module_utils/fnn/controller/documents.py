# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads and writes the documents that pass between stages (controller only; needs jsonschema_rs).

Every document carries its `format` and `version` and has a schema of the same name. It is written sorted and
pretty, so that equal content gives equal bytes and a diff shows the change. Documents are checked on writing
and on reading, and each error points into the file: `spec.json#/nodes/2/nics: 0 is not a positive integer`.

Ansible runs modules from a zip file, where no schema lies beside this file; hence the explicit directory:

    documents = Documents(Path(root) / "schemas")
    spec = documents.read("inventory/lab/spec.json", "fnn-spec")
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
import stat
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from ..shared.errors import FnnError, Problem, problem
from . import consistency, rewire_consistency, routes_consistency, segments
from .files import MOST_MEBIBYTES, renew_time, write_atomic
from .schema import DocumentSchema, find_left_out

#: Octets of the largest document that is read.
_LARGEST = MOST_MEBIBYTES << 20


class Documents:
    """Reads, checks and writes documents against the schemas in one directory."""

    def __init__(self, schemas: str | Path) -> None:
        self._schemas = Path(schemas)

    def read(self, path: str | Path, format: str) -> dict[str, Any]:
        """The document in the file `path`. A design of cables between nodes has a switch for each (segments.py).

        Raises FnnError, with the file's name before each pointer, when the file is missing, is not JSON, has another
        format or version, violates its schema, or contradicts itself. Contradictions are: a spec inside a design or a
        rewiring that is not in normal form, a design whose digest is not that of its spec or whose parts disagree, a
        duplicate MAC, a rewiring with more batches done than it contains or moves of unknown nodes and switches, and
        routing table rows of the wrong length.
        """
        document: dict[str, Any] = read_json(path)
        try:
            self.check(document, format)
            self._require_normal_specs(document, _SPECS.get(format, ()))
            if format == "fnn-design":
                document = dict(view_design(document))
            if format in _MEANING:
                _MEANING[format](document)
        except FnnError as error:
            raise error.within(Path(path).name) from None
        return document

    def read_of(self, design: Mapping[str, Any], path: Path, format: str) -> dict[str, Any] | None:
        """The document if it belongs to this design; None if it belongs to another design or the file is missing."""
        return _choose_of(design, self.read(path, format) if path.exists() else None)

    def read_usable(self, path: str | Path, format: str) -> dict[str, Any] | None:
        """The document of an earlier run; None if it is missing, unreadable or of another version."""
        try:
            return self.read(path, format)
        except FnnError:
            return None

    def read_usable_of(self, design: Mapping[str, Any], path: str | Path, format: str) -> dict[str, Any] | None:
        """The same; None also if the document belongs to another design."""
        return _choose_of(design, self.read_usable(path, format))

    def check(self, document: Any, format: str) -> None:
        """Raises FnnError with every violation of the schema of `format`, pointers only."""
        violations = self.find_violations(document, format)
        if violations:
            raise FnnError(violations)

    def find_violations(self, document: Any, format: str) -> list[Problem]:
        """Every violation of the schema of `format`, in document order, pointers only."""
        return compile_schema(self._schemas / f"{format}.schema.json").find_violations(document)

    def write(self, path: str | Path, document: Mapping[str, Any]) -> bool:
        """Writes a valid document; True when the file changed. Raises FnnError for an invalid one.

        Of a design with a switch for each cable, the document that was read is written.
        """
        path, document = Path(path), segments.get_document(document)
        try:
            self.check(document, document["format"])
        except FnnError as error:
            raise error.within(path.name) from None
        return write_atomic(path, dumps(document))

    def renew(self, path: str | Path, document: Mapping[str, Any]) -> None:
        """As write, for the result of a measurement: the file's time is new also if the result is the same."""
        if not self.write(path, document):
            renew_time(path)

    def _require_normal_specs(self, document: Any, pointers: Iterable[str]) -> None:
        """Later stages need every default of a spec inside a document. Raises FnnError."""
        schema = self._schema("fnn-spec")
        left_out = [each for at in pointers for each in find_left_out(_get_part(document, at), schema, at)]
        if left_out:
            raise FnnError(left_out)

    def _schema(self, format: str) -> dict[str, Any]:
        return load_schema(self._schemas / f"{format}.schema.json")


@functools.cache
def load_schema(path: Path) -> dict[str, Any]:
    """One file of schemas/, read once per process."""
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema


@functools.cache
def compile_schema(path: Path) -> DocumentSchema:
    """The same, compiled."""
    return DocumentSchema(load_schema(path), lambda name: load_schema(path.with_name(name)))


def read_json(path: str | Path) -> Any:
    """Reads a JSON file strictly: no NaN, no Infinity, no number that overflows to infinity, no duplicate key.

    Raises FnnError, also for a file that is not regular (a device may have no end) or larger than any document.
    """
    path = Path(path)

    def refuse(constant: str) -> NoReturn:
        raise problem(path.name, f"not JSON, {constant} is not a number")

    def read_float(digits: str) -> float:
        number = float(digits)
        if math.isinf(number):
            raise problem(path.name, "not JSON, a number is out of range")
        return number

    def read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            keys = [key for key, _ in pairs]
            repeated = next(key for index, key in enumerate(keys) if key in keys[:index])
            raise problem(path.name, f"the key {json.dumps(repeated, ensure_ascii=False)} is given twice in one object")
        return found

    try:
        _check_file(path)
        text = path.read_text(encoding="utf-8")
        document = json.loads(text, parse_constant=refuse, parse_float=read_float, object_pairs_hook=read_object)
    except OSError as error:
        raise problem(str(path), f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise problem(path.name, "not UTF-8 text") from None
    except RecursionError:
        raise problem(path.name, "not a document, it is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise problem(path.name, f"not JSON, line {error.lineno} column {error.colno}") from None
    except ValueError:  # an integer of more than 4300 digits
        raise problem(path.name, "not JSON, a number is out of range") from None
    if "\\u" in text:
        _refuse_unpaired_surrogates(document, path.name)
    return document


def _check_file(path: Path) -> None:
    """Raises FnnError for a device or pipe, which may have no end, and for a file too large for memory."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
        raise problem(str(path), "cannot be read: not a regular file")
    if found.st_size > _LARGEST:
        raise problem(str(path), f"cannot be read: {found.st_size} octets, a document has at most {_LARGEST}")


def _refuse_unpaired_surrogates(document: Any, name: str) -> None:
    """Raises FnnError for an escaped unpaired surrogate, which UTF-8 cannot encode. The engine also refuses it."""
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        surrogate = ascii(error.object[error.start])
        raise problem(name, f"not JSON, {surrogate} is an unpaired surrogate") from None


def dumps(document: Mapping[str, Any]) -> str:
    """Formats a document: sorted keys, two blanks of indent, a final newline."""
    return json.dumps(document, sort_keys=True, indent=2, ensure_ascii=False) + "\n"


def digest(spec: Mapping[str, Any]) -> str:
    """The digest of a normalized spec, "sha256:" and 64 hex digits; the designer computes the same."""
    canonical = json.dumps(spec, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()


def identify_design(design: Mapping[str, Any]) -> str:
    """The digest of a design as it is in its file."""
    return digest(segments.get_document(design))


def _choose_of(design: Mapping[str, Any], document: dict[str, Any] | None) -> dict[str, Any] | None:
    return document if document and document.get("design_digest") == identify_design(design) else None


def check_digest(design: Mapping[str, Any]) -> None:
    """Raises FnnError when the spec inside a design was changed after the design was made."""
    expected = digest(design["spec"])
    if design["spec_digest"] != expected:
        raise problem("/spec_digest", f"{design['spec_digest']} does not match the spec inside (expected {expected})")


def view_design(design: Mapping[str, Any]) -> Mapping[str, Any]:
    """The design with a switch for each cable between nodes. Raises FnnError if the digest is not that of its spec."""
    check_digest(design)
    return segments.show_cables(design)


def check_macs(macs: Mapping[str, Any]) -> None:
    """Raises FnnError for every MAC and every node that appears twice."""
    found: list[Problem] = []
    nodes: dict[str, str] = {}
    first: dict[str, tuple[str, str]] = {}
    for n, node in enumerate(macs["nodes"]):
        at = f"/nodes/{n}"
        if node["name"] in nodes:
            found.append(Problem(f"{at}/name", f'"{node["name"]}" is already the name of {nodes[node["name"]]}'))
        nodes.setdefault(node["name"], at)
        devices = [(f"{at}/nics/{i}", nic) for i, nic in enumerate(node["nics"])]
        devices += [(f"{place}/twin", nic["twin"]) for place, nic in devices if "twin" in nic]
        for place, nic in devices:
            owner = f"{node['name']} {nic['name']}"
            if nic["mac"] in first:
                where, other = first[nic["mac"]]
                text = f"{nic['mac']} is already the MAC of {where} ({owner} and {other})"
                found.append(Problem(f"{place}/mac", text))
            first.setdefault(nic["mac"], (place, owner))
    if found:
        raise FnnError(found)


def check_rewiring(job: Mapping[str, Any]) -> None:
    """Raises FnnError for a rewiring that contradicts itself, or whose designs do."""
    for part in ("start", "end"):
        try:
            if part in job:
                consistency.check_design(view_design(job[part]))
        except FnnError as error:
            raise error.below(f"/{part}") from None
    rewire_consistency.check_rewiring(job)


def check_reports(power_on: Mapping[str, Any]) -> None:
    """Raises FnnError for every MAC that reported twice while nodes were powered on."""
    macs = [each["mac"] for each in power_on["seen"]]
    first = {mac: macs.index(mac) for mac in macs}
    repeated = [index for index, mac in enumerate(macs) if first[mac] != index]
    if repeated:
        raise FnnError(
            Problem(f"/seen/{each}/mac", f"{macs[each]} is already that of /seen/{first[macs[each]]}")
            for each in repeated
        )


def _get_part(document: Any, pointer: str) -> Any:
    """pointer: a JSON pointer of keys."""
    return functools.reduce(lambda part, key: part[key], pointer.split("/")[1:], document)


#: The specs inside a document, by format.
_SPECS: dict[str, tuple[str, ...]] = {"fnn-design": ("/spec",), "fnn-rewire": ("/goal", "/start/spec")}
#: Checks that a schema cannot express, by format.
_MEANING: dict[str, Callable[[Mapping[str, Any]], None]] = {
    "fnn-design": consistency.check_design,
    "fnn-macs": check_macs,
    "fnn-power-on": check_reports,
    "fnn-rewire": check_rewiring,
    "fnn-routes": routes_consistency.check_rows,
}
