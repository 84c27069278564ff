# SPDX-License-Identifier: GPL-3.0-or-later
"""Detects that the files of all nodes are as the last run rendered them, without making the plan (controller only).

build/<cluster>/rendered.json has digests of everything that the files follow from: documents, variables, facts of the
nodes, and the toolkit itself. It also has a digest of the names, modes, sizes and times of all files below nodes/ and
common/, as the index of git has them for each file. If all of these agree, nothing has changed. If any differs, all
files are rendered and compared by content, and a new record is written.

A file that is edited has a new time of change (st_ctime), which no program can set. Linux counts these times in ticks
of at most 10 ms, so a record is made two ticks after the last file was written: an edit after that has another time.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ...shared.errors import FnnError, Problem, problem
from ..digests import compute_sha256, describe_status, list_files
from ..documents import Documents
from ..engine_program import run_command
from ..task import Result, Task
from .generation import split
from .outside import View
from .read import PlannedTask, read_generation, read_plan
from .recall import FACTS

RECORD = "rendered.json"
#: The options that name a document.
DOCUMENTS = ("design", "macs", "rewiring", "stand_ins", "routes", "findings", "maintenance")
#: Code, templates and schemas of the toolkit from which the files follow.
_TOOLKIT = (
    "module_utils/fnn", "roles/fnn_network/templates", "roles/fnn_network/files", "roles/fnn_mpi/templates",
    "roles/fnn_gateway", "schemas",
)  # fmt: skip
#: Files and directories below the build directory that the plan makes.
_MADE = ("cluster.json", "common", "nodes")
_TWO_TICKS = 0.02  # seconds

Document = dict[str, Any]


def describe_inputs(task: Task) -> Document:
    """The parts of a record that describe the inputs of a run, as they are now."""
    facts = {name: each for name, each in task.options["facts"].items() if name != "generations"}
    given = json.dumps([task.options["variables"], facts], sort_keys=True)
    return {
        "toolkit": _digest_toolkit(task.root),
        "settings": compute_sha256(given.encode()),
        "documents": [
            {"option": name, "path": str(task.path(name).absolute()), "digest": digest_document(task, name)}
            for name in DOCUMENTS
            if task.options[name]
        ],
    }


def digest_document(task: Task, option: str) -> str | None:
    """The digest of the document that an option names; None if it is missing.

    Of the findings only a proof of the MTU counts: verify writes them in each run.
    """
    if option == "findings":
        found = task.read_usable("findings")
        proof = found["links"] if found and found["mtu"] and found["mtu"]["proved"] else None
        return compute_sha256(json.dumps([proof, found and found["mtu"]], sort_keys=True).encode())
    return _digest_file(task.path(option))


def find_unchanged(task: Task, inputs: Mapping[str, Any]) -> Document | None:
    """The record, if the inputs and all files are as it describes them; else None. Raises FnnError."""
    build = task.path("build")
    record = task.documents.read_usable(build / RECORD, "fnn-rendered")
    if record is None:
        return None
    same = all(record[name] == each for name, each in inputs.items())
    same = same and record["recalled"] == _digest_file(build / FACTS) and _keeps_generation(task, record)
    same = same and record["files"] is not None and record["files"] == _digest_listing(build)
    return record if same else None


def _keeps_generation(task: Task, record: Mapping[str, Any]) -> bool:
    """Whether the plan keeps its generation: no node reports a later one."""
    kept = read_generation(task)
    reported = task.options["facts"].get("generations") or {}
    if kept is None or kept["generation"] != record["generation"] or not isinstance(reported, Mapping):
        return False
    return all(split(each)[0] <= split(kept["generation"])[0] for each in reported.values() if each)


def make_record(task: Task, inputs: Mapping[str, Any], planned: PlannedTask, result: Result) -> Document:
    """The record (format "fnn-rendered") of a run that has written its files. inputs: as they were at its start."""
    build = task.path("build")
    time.sleep(_TWO_TICKS)
    return {
        "format": "fnn-rendered",
        "version": 1,
        "generation": result["generation"],
        **inputs,
        "variables": {**task.options["variables"], "fnn_management_address": planned.settings.management},
        "recalled": _digest_file(build / FACTS),
        "files": _digest_listing(build),
        "nodes": result["nodes"],
        "unreached": [{"name": name, "nodes": nodes} for name, nodes in result["unreached"].items()],
        "warnings": planned.warnings,
    }


def repeat_result(task: Task, record: Mapping[str, Any]) -> Result:
    """The result of a run that changes nothing, with the warnings of the plan."""
    for text in record["warnings"]:
        task.warn(text)
    return {
        "changed": False,
        "changed_files": 0,
        "generation": record["generation"],
        "changed_nodes": [],
        "nodes": record["nodes"],
        "unreached": {each["name"]: each["nodes"] for each in record["unreached"]},
    }


def view_node(root: Path, build: Path, name: str) -> View:
    """The view of a node, in the plan that was rendered last. root: of the toolkit. Raises FnnError.

    The plan is made again, so its documents must be as they were. Findings are not needed: facts.json has the MTUs that
    were planned with them.
    """
    record = Documents(root / "schemas").read(build / RECORD, "fnn-rendered")
    documents = [each for each in record["documents"] if each["option"] != "findings"]
    paths = {**dict.fromkeys(DOCUMENTS), **{each["option"]: each["path"] for each in documents}}
    options = {**paths, "root": str(root), "build": str(build), "variables": record["variables"], "facts": {}}
    task = Task(options, check_mode=True, diff_mode=False, run_command=run_command, warn=lambda _: None)
    changed = [each["path"] for each in documents if digest_document(task, each["option"]) != each["digest"]]
    if changed:
        text = "has changed since the files of the nodes were rendered; playbooks/network.yml renders them again"
        raise FnnError(Problem(path, text) for path in changed)
    view = read_plan(task).plan.views.get(name)
    if view is None:
        raise problem(name, f"has no files in this plan; {build / RECORD} lists the nodes that have")
    return {**view, "generation": record["generation"]}


def _digest_toolkit(root: Path) -> str:
    digests = hashlib.sha256()
    for path in sorted(path for part in _TOOLKIT for path in list_files(root / part)):
        digests.update(f"{path.relative_to(root)}\n{_digest_file(path)}\n".encode())
    return f"sha256:{digests.hexdigest()}"


def _digest_listing(build: Path) -> str | None:
    """The digest of a listing of the files and directories that the plan makes, without their contents.

    None with a symbolic link, as the files behind it are not listed.
    """
    with os.scandir(build) as entries:
        made = sorted((each for each in entries if each.name in _MADE), key=lambda entry: entry.name)
    lines = [line for each in made for line in _list_entry(each)]
    return None if None in lines else compute_sha256("\n".join(map(str, lines)).encode("utf-8", "surrogateescape"))


def _list_entry(entry: os.DirEntry[str]) -> Iterator[str | None]:
    """A line for a file, or for a directory and each entry below it. None for a symbolic link."""
    if entry.is_symlink():
        yield None
    elif entry.is_dir():
        yield entry.path
        with os.scandir(entry.path) as entries:
            for each in sorted(entries, key=lambda entry: entry.name):
                yield from _list_entry(each)
    else:
        yield f"{entry.path} {describe_status(entry.stat())}"


def _digest_file(path: Path) -> str | None:
    try:
        return compute_sha256(path.read_bytes())
    except FileNotFoundError:
        return None
