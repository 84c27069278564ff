# SPDX-License-Identifier: GPL-3.0-or-later
"""Random edits of documents: a site with every document that the toolkit reads, and all readers.

The readers are the modules of library/ and the readers of live work, in this process, in check mode. Each must end with
an answer: success, if the edit happens to leave a valid document, or a failure whose message names a place.
"""

from __future__ import annotations

import contextlib
import copy
import io
import itertools
import json
import random
import shutil
import signal
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any
from unittest import mock

from ansible.module_utils.common import warnings
from ansible.module_utils.fnn.controller.discover.power_on_order import PowerOnState
from ansible.module_utils.fnn.controller.documents import Documents, digest, dumps, read_json
from ansible.module_utils.fnn.controller.wire.board import Board
from ansible.module_utils.fnn.shared.errors import FnnError
from ansible.module_utils.fnn.shared.peers import pack_peers
from ansible.module_utils.testing import patch_module_args
from drawing import blank_charts
from loading import load_file
from plan_settings import read_case

Document = dict[str, Any]
Reader = Callable[[], Document]

HANG = 120  # seconds after which a reader counts as hanging, on a busy machine
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 3.5, 7, 63, 64, 65, 4096, 2**31, 2**53 + 1, -(2**63), 10**30, 1e308),
    *("", " ", "k00", "red", "blue", "hot1", "nobody", "x" * 5000, "ü", "../../etc/passwd", "10.0.0.0/33", "{{ x }}"),
    *("02:f0:00:00:00:00", "sha256:" + "0" * 64, [], [[]], {}, {"name": "k00"}),
)
#: Whole texts, and pieces that are put in place of a number or in front of the first key.
TEXTS = (
    *("", "null", "[]", "{}", "7", '"text"', "{", "\ufeff{}", "[" * 100_000, '{"a":' * 100_000, "\0" * 64),
    '{"format": "fnn-design", "format": "fnn-macs", "version": 1}',
)
NUMBERS = ("NaN", "Infinity", "-Infinity", "1e999", "9" * 5000, "-" + "9" * 5000, "0x10", "01", "1.", "+1", "--1")


class Hangs(Exception):
    """A reader takes too long."""


#: The golden cluster with every document; others have only some readers.
WHOLE = "satellites"
ONLY_WHOLE = ("stand_in", "adopt", "routes", "cutover", "rewire", "power-on")


class Site:
    """A directory with the documents of a golden cluster, from the spec to the proof."""

    def __init__(self, root: Path, directory: Path, draws: bool = True, case: str = WHOLE) -> None:
        """draws: whether reports draw their charts, which takes a second each."""
        self.root, self.directory, self.build, self.draws = root, directory, directory / "build", draws
        self.whole, golden = case == WHOLE, root / "tests/golden" / case
        directory.mkdir(parents=True, exist_ok=True)
        for name in ("spec", "design", "macs"):
            shutil.copy(golden / f"{name}.json", directory)
        settings = read_case(golden)
        # With basic routing, render and prove also read routes.json.
        more = {"fnn_routing": "basic"} if self.whole else {"fnn_uplink_backup": False}
        variables = {**settings["variables"], **more}
        self.settings = {"variables": variables, "facts": settings["facts"]}
        self.documents = Documents(root / "schemas")
        self._modules: dict[str, Any] = {}
        self.heard = self._hear()
        self._make()
        self.good = {path: path.read_bytes() for path in sorted(directory.rglob("*.json"))}

    def run(self, name: str, check: bool = True, **options: Any) -> Document:
        """Runs a module of library/; returns its answer."""
        arguments = {"root": str(self.root), "_ansible_check_mode": check, "_ansible_diff": True}
        arguments |= {key: str(each) if isinstance(each, Path) else each for key, each in options.items()}
        # As in module_runner.py.
        alone = mock.patch.object(warnings._internal, "is_controller", False)
        warnings._global_warnings.clear()
        out = io.StringIO()
        charts = contextlib.nullcontext() if self.draws else blank_charts()
        arguing, printing = patch_module_args(arguments), contextlib.redirect_stdout(out)
        with charts, alone, arguing, printing, contextlib.suppress(SystemExit):
            self._load(name).main()
        warnings._global_warnings.clear()
        answer: Document = json.loads(out.getvalue())
        return answer

    def _load(self, name: str) -> Any:
        if name not in self._modules:
            self._modules[name] = load_file(self.root / "library" / f"{name}.py")
        return self._modules[name]

    def _options(self) -> dict[str, Document]:
        """Reader -> its module and options."""
        at, build = self.directory, self.build
        design, macs = {"design": at / "design.json"}, {"macs": at / "macs.json"}
        both, stand_ins = {**design, **macs}, {"stand_ins": at / "stand-ins.json"}
        seen = self.heard
        keys = {name: {"host": f"ssh-ed25519 {name}", "user": "ssh-ed25519 BBBB"} for name in seen}
        rest = {"findings": build / "findings.json", "routes": build / "routes.json", **stand_ins}
        options = {
            "stand_in": {
                "module": "fnn_stand_in", **both, "path": at / "stand-ins.json", "node": "k03", "spare": "hot1",
            },
            "macs": {
                "module": "fnn_macs", **both, "discovery": build / "discovery.json", "observations": seen,
                "satellites": ["head", "hot1"] if self.whole else [],
            },
            "verify": {"module": "fnn_verify", **both, "findings": build / "findings.json", "observations": seen},
            "adopt": {"module": "fnn_adopt", **both, "findings": build / "findings.json"},
            "routes": {"module": "fnn_routes", **design, "build": build},
            "evaluate": {"module": "fnn_evaluate", **design, "build": build, "patterns": 10},
            "compare": {"module": "fnn_compare", **design, "build": build},
            "render": {
                "module": "fnn_render", **both, **rest, "build": build, "rewiring": at / "rewire.json",
                **self.settings,
            },
            "keys": {
                "module": "fnn_keys", **both, **stand_ins, "path": at / "keys.json", **self.settings,
                "user": "fnn", "seen": keys,
            },
            "cutover": {"module": "fnn_cutover", "build": build, "prepared": list(seen)},
            "prove": {
                "module": "fnn_prove", **both, **rest, "path": build / "proof.json", **self.settings,
                "reach": {name: {"peers": pack_peers({}), "frames": 0, "arp": 0, "dropped": 0} for name in seen},
            },
            "labels": {"module": "fnn_labels", **design, "directory": build / "labels", "papers": ["a4"]},
            "rewire": {
                "module": "fnn_rewire", **design, "job": at / "rewire.json", "directory": build / "rewire",
                "state": "shown",
            },
            "summary": {"module": "fnn_summary", **design, "build": build},
            "report": {
                "module": "fnn_report", **design, "build": build, "scaling": self.directory / "scaling/scaling.json",
            },
            "lab": {"module": "fnn_lab_wires", **design, "lab": "zz00", **self.settings},
            "design": {"module": "fnn_design", "spec": at / "spec.json", **design},
        }  # fmt: skip
        return {name: words for name, words in options.items() if self.whole or name not in ONLY_WHOLE}

    def _hear(self) -> Document:
        """The beacons that the nodes hear with every cable in its place."""
        design = self.documents.read(self.directory / "design.json", "fnn-design")
        macs = read_json(self.directory / "macs.json")
        of = {(node["name"], nic["nic"]): nic["mac"] for node in macs["nodes"] for nic in node["nics"]}
        members: dict[str, list[str]] = defaultdict(list)
        plugs = [(node["name"], link["nic"], link["switch"]) for node in design["nodes"] for link in node["links"]]
        for node, nic, switch in plugs:
            members[switch].append(of[node, nic])
        results: Document = {node["name"]: {"links": [], "heard": [], "arrived_on": None} for node in macs["nodes"]}
        for node, nic, switch in plugs:
            own = {"device": f"nic{nic}", "mac": of[node, nic]}
            results[node]["links"].append({**own, "permanent": False, "carrier": True, "mtu": 1500})
            hears = [mac for mac in members[switch] if mac != own["mac"]]
            results[node]["heard"].append({**own, "hears": hears, "loop": False})
        for each in macs.get("satellites", ()):
            link = {"device": "eth0", "mac": each["nics"][0]["mac"], "permanent": True, "carrier": True, "mtu": 1500}
            results[each["name"]] = {"links": [link], "heard": [], "arrived_on": None}
        return results

    def _make(self) -> None:
        """Writes every document once, each by the stage that makes it."""
        assert not self.run("fnn_scaling", False, directory=self.directory / "scaling").get("failed")
        options = self._options()
        if self.whole:
            options["rewire"] |= {"state": "planned", "to": self._write_other()}
        for reader, last in itertools.product(options, (False, True)):
            words = dict(options[reader])
            answer = self.run(str(words.pop("module")), False, **words) if reader not in ("lab", "cutover") else {}
            assert not (last and answer.get("failed")) or reader == "prove", answer["msg"]
        if not self.whole:
            return
        design = read_json(self.directory / "design.json")
        state = PowerOnState(design, {"54:e1:ad:00:00:01": "k00", "54:e1:ad:00:00:02": "k01"})
        self.documents.write(self.build / "power-on.json", state.describe())

    def _write_other(self) -> Path:
        """Writes a design in which two nodes have swapped places."""
        design = read_json(self.directory / "design.json")
        for name in ("nodes", "switches"):
            text = json.dumps(design[name]).replace("k00", "k0x").replace("k04", "k00").replace("k0x", "k04")
            design[name] = json.loads(text)
        ranks = {node["name"]: rank for rank, node in enumerate(design["spec"]["nodes"])}
        design["nodes"].sort(key=lambda node: ranks[node["name"]])
        for switch in design["switches"]:
            switch["nodes"].sort(key=lambda name: ranks[name])
        path = self.directory / "other.json"
        path.write_text(dumps(design))
        return path

    def readers(self) -> dict[str, Reader]:
        def module(words: Document) -> Reader:
            return lambda: self.run(**{"name" if key == "module" else key: each for key, each in words.items()})

        readers = {reader: module(words) for reader, words in self._options().items()}
        return {**readers, "wire": self._watch, **({"power-on": self._resume} if self.whole else {})}

    def _watch(self) -> Document:
        design = self.documents.read(self.directory / "design.json", "fnn-design")
        Board(design, self.documents.read(self.directory / "macs.json", "fnn-macs")).review(0.0)
        return {}

    def _resume(self) -> Document:
        design = self.documents.read(self.directory / "design.json", "fnn-design")
        state = PowerOnState.resume(design, self.documents.read(self.build / "power-on.json", "fnn-power-on"))
        state.bind(self.documents.read(self.directory / "macs.json", "fnn-macs"))
        return {"prompt": state.prompt}

    def restore(self) -> None:
        for path, content in self.good.items():
            if path.is_dir():
                path.rmdir()
            if not path.exists() or path.read_bytes() != content:
                path.write_bytes(content)

    def options(self, module: str) -> Document:
        """The options with which a module of library/ reads the site."""
        (words,) = (dict(each) for each in self._options().values() if each["module"] == module)
        del words["module"]
        return words

    def try_all(self, only: Callable[[str], bool] = lambda _: True) -> list[str]:
        """The errors of the readers: an exception, a hang, a failure without a message or a place."""
        readers = self.readers()
        return [f"{name}: {each}" for name in readers if only(name) for each in self.observe(readers[name])]

    def observe(self, reader: Reader) -> list[str]:
        """The errors of one reader."""
        try:
            with _deadline():
                answer = reader()
        except FnnError as error:
            answer = {"failed": True, "msg": str(error)}
        except Exception:
            return [traceback.format_exc(limit=-3)]
        text = str(answer.get("msg", ""))
        if answer.get("failed") and (not text.strip() or "Traceback" in text or not names_a_place(text)):
            return [f"says {text!r}"]
        return []


def names_a_place(text: str) -> bool:
    """Whether the first line names a document, a variable or a node."""
    first = text.splitlines()[0]
    return any(word in first for word in (".json", "fnn_", "/", "k0", "hot1", "argument", "The network is not proved"))


@contextlib.contextmanager
def _deadline() -> Iterator[None]:
    def stop(_number: int, _frame: FrameType | None) -> None:
        raise Hangs

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(HANG)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def list_places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value in a document."""
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [place for key in keys for place in ((*at, key), *list_places(value[key], (*at, key)))]


def spoil(content: bytes, dice: random.Random) -> tuple[bytes, str]:
    """A document with a random edit, and the description of the edit."""
    kind = dice.choice(["value", "value", "value", "delete", "copy", "copy", "swap", "twice", "key", "number", "text"])
    if kind in ("number", "text"):
        return _spoil_text(content.decode(), dice)
    document = json.loads(content)
    place = dice.choice(list_places(document))
    *way, last = place
    holder = document
    for part in way:
        holder = holder[part]
    what = f"{kind} {'/'.join(map(str, place))}"
    if kind == "value":
        holder[last] = copy.deepcopy(dice.choice(VALUES))
        what += f" = {str(holder[last])[:40]!r}"
    elif kind == "delete":
        del holder[last]
    elif kind == "copy":
        what += _copy_alike(document, holder, last, dice)
    elif kind == "swap" and isinstance(holder, list):
        other = dice.randrange(len(holder))
        holder[last], holder[other] = holder[other], holder[last]
        what += f" with {other}"
    elif kind == "twice" and isinstance(holder, list):
        holder.insert(last, copy.deepcopy(holder[last]))
    elif kind == "key" and isinstance(holder, dict):
        holder[dice.choice(["", "unknown", "name", "version", "k00"])] = holder.pop(last)
    if document.get("format") == "fnn-design" and isinstance(document.get("spec"), dict) and dice.random() < 0.8:
        document["spec_digest"] = digest(document["spec"])
        what += " with the digest of that"
    return dumps(document).encode(), what


def _copy_alike(document: Any, holder: Any, last: Any, dice: random.Random) -> str:
    """Replaces a value by another of the same type from elsewhere in the document."""
    values = []
    for place in list_places(document):
        value = document
        for part in place:
            value = value[part]
        if type(value) is type(holder[last]) and value != holder[last]:
            values.append(value)
    if values:
        holder[last] = copy.deepcopy(dice.choice(values))
    return f" = {str(holder[last])[:60]!r}"


def _spoil_text(text: str, dice: random.Random) -> tuple[bytes, str]:
    kind = dice.choice(["whole", "cut", "number", "octet", "key", "surrogate"])
    if kind == "whole":
        new = dice.choice(TEXTS)
        return new.encode(), f"the whole text {new[:30]!r}"
    if kind == "cut":
        end = dice.randrange(len(text))
        return text[:end].encode(), f"cut after {end} characters"
    if kind == "octet":
        octets = bytearray(text.encode())
        where = dice.randrange(len(octets))
        octets[where] = dice.randrange(256)
        return bytes(octets), f"octet {where} = {octets[where]}"
    if kind == "number":
        places = [index for index, letter in enumerate(text) if letter.isdigit() and text[index - 1] in " ["]
        where = dice.choice(places or [0])
        number = dice.choice(NUMBERS)
        return (text[:where] + number + text[where + 1 :]).encode(), f"number {number[:20]} at {where}"
    lines = text.splitlines(keepends=True)
    index = dice.choice([index for index, line in enumerate(lines) if '": ' in line])
    if kind == "key":
        key, _, value = lines[index].partition(": ")
        double = value if value.strip() in ("{", "[") else value.rstrip("\n,") + ",\n"
        lines.insert(index, f"{key}: 1,\n" if double == value else f"{key}: {double}")
    else:
        lines[index] = lines[index].replace('": ', '\\ud800": ', 1)
    return "".join(lines).encode(), f"{kind} in line {index + 1}"


def try_edits(site: Site, seed: int, edits: int, readers_each: int | None = None) -> list[str]:
    """Edits one document after the other; returns the errors, with the seed and the edit. readers_each: how many
    readers read each edit, by default all."""
    dice, found = random.Random(seed), []
    names = list(site.readers())
    # Users edit the documents beside the inventory; the others include a document for every node.
    weights = [8 if path.parent == site.directory else 1 for path in site.good]
    for number in range(edits):
        (path,) = dice.choices(list(site.good), weights)
        content, what = spoil(site.good[path], dice)
        path.write_bytes(content)
        chosen = set(dice.sample(names, readers_each)) if readers_each else set(names)
        where = f"edit {number} of seed {seed}: {path.relative_to(site.directory)}: {what}"
        found += [f"{where}\n{each}" for each in site.try_all(lambda name, chosen=chosen: name in chosen)]
        site.restore()
    return found


#: Variables of an inventory, by their reader: here cluster-wide parts of the spec, below variables and facts of the
#: plan.
PARTS: Document = {
    "cluster": "six",
    "switches": [
        {"name": name, "ports": [{"count": 5, "speed_mbps": 1000, "media": "rj45"}], "color": name, "price": 10.5}
        for name in ("red", "blue", "green")
    ],
    "uplink": {"name": "uplink", "ports": 8, "spares": ["hot1"], "hosts": ["head"]},
    "coverage": "all",
    "redundancy": 1,
    "patterns": [{"kind": "torus", "dims": [2, 3]}, {"kind": "ring", "weight": 2}],
    "goals": {"shared_switches": 1},
    "racks": [{"name": "left", "x_m": 0, "y_m": 1.5}],
    "pinned": [{"node": "k00", "nic": 0, "switch": "red"}],
    "mtu": 9000,
    "prices": {"cable": 2, "nic": 10},
    "nodes": [{"name": f"k0{rank}", "nics": 2, "rack": "left"} for rank in range(6)],
}
SETTINGS: Document = {
    "variables": {
        "fnn_prefix": "10.77.0.0/16",
        "fnn_identity_prefix": "10.78.0.0/16",
        "fnn_management_prefix": "10.79.0.0/16",
        "fnn_management_address": {"k00": "192.168.1.20"},
        "fnn_outside_prefix": "192.0.2.0/24",
        "fnn_outside_address": {"k00": "192.0.2.7"},
        "fnn_outside_gateway": "192.0.2.254",
        "fnn_outside_dns": ["9.9.9.9"],
        "fnn_uplink_backup": True,
        "fnn_linkd_interval_ms": 300,
        "fnn_linkd_misses": 3,
        "fnn_linkd_hold": 3,
        "fnn_linkd_hold_most": 60,
        "fnn_linkd_metrics": "",
        "fnn_slots": {"k00": 4},
    },
    "facts": {"identity_kind": {"k00": "dummy"}, "manager": {"k00": "networkd"}},
}


def is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def can_be_given(variables: Any, good: Document, raw: bool) -> bool:
    """Whether the roles can pass this to the module: every part under its name, and every node with its host's name.
    Unless `raw`, values have the types that fnn_variables has enforced before."""
    if not isinstance(variables, dict) or not variables.keys() <= good.keys():
        return False
    if not raw:
        return _is_alike(variables, good)
    nodes = variables.get("nodes")
    return isinstance(nodes, list) and all(isinstance(each, dict) and is_name(each.get("name")) for each in nodes)


def _is_alike(one: Any, other: Any) -> bool:
    if isinstance(other, dict):
        return isinstance(one, dict) and all(key in other and _is_alike(one[key], other[key]) for key in one)
    if isinstance(other, list):
        return isinstance(one, list) and all(isinstance(each, str) for each in one)
    return type(one) is type(other)


def _name_variables(parts: Document) -> Document:
    """The options of fnn_spec for parts of a spec."""
    named = {f"fnn_{part}": value for part, value in parts.items() if part != "nodes"}
    of_nodes: Document = defaultdict(dict)
    for node in parts["nodes"]:
        for part in node.keys() - {"name"}:
            of_nodes[f"fnn_{part}"][node["name"]] = node[part]
    return {"nodes": [node["name"] for node in parts["nodes"]], "variables": named, "node_variables": dict(of_nodes)}


def try_variables(site: Site, seed: int, edits: int) -> list[str]:
    """Edits variables of the inventory in the same ways; returns the errors, with the seed and the edit."""
    dice, found = random.Random(seed), []
    for number in range(edits):
        reader = dice.choice(["fnn_spec", "fnn_render"])
        good = PARTS if reader == "fnn_spec" else SETTINGS
        content, what = spoil(dumps(good).encode(), dice)
        try:
            variables = json.loads(content)
        except (ValueError, RecursionError):  # YAML rejects it before Ansible has a variable
            continue
        if not can_be_given(variables, good, reader == "fnn_spec"):
            continue
        options = _name_variables(variables) if reader == "fnn_spec" else {**site.options(reader), **variables}
        places = {"path": site.directory / "spec.json"} if reader == "fnn_spec" else {}
        seen = site.observe(lambda name=reader, given={**options, **places}: site.run(name, **given))
        found += [f"edit {number} of seed {seed}: {what}\n{reader}: {each}" for each in seen]
    return found
