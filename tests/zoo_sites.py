# SPDX-License-Identifier: GPL-3.0-or-later
"""The zoo: sites of mixed hardware, most a short inventory in tests/zoo, and their documents by the engine."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, dumps
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.evaluate.evaluations import name_evaluation
from ansible.module_utils.fnn.controller.segments import is_neighborhood_network
from ansible.module_utils.fnn.controller.spec.variables import find_bad_variables, find_repeated_keys
from inventories import make_spec, read_inventory
from plan_settings import read_variables

HERE = Path(__file__).parent
#: Name -> its directory. Three are committed clusters.
ZOO = {path.parent.name: path.parent for path in HERE.glob("zoo/*/hosts.yml")}
ZOO |= {name: HERE.parent / "inventory" / name for name in ("mini-pcs", "raspberry-pis", "fast-head")}
SITES = sorted(ZOO)

Document = dict[str, Any]
#: Sites whose default search takes seconds, and the method for them and for other designs: coverage alone.
_SLOW, _QUICK = {"five-and-eight", "sixty-four"}, "random-start"


@dataclass(frozen=True)
class ZooSite:
    """place: the directory of its documents. other: another design of the same spec. routes: None beside a tree or
    ring.
    """

    name: str
    place: Path
    spec: Document
    design: Document
    other: Document
    evaluation: Document
    routes: Document | None


MakeZooSite = Callable[[str], ZooSite]


@pytest.fixture(scope="session")
def make_zoo_site(documents: Documents, engine: Designer, tmp_path_factory: pytest.TempPathFactory) -> MakeZooSite:
    """make_zoo_site("mini-pcs"): the site with its documents, each made once and checked by its schema."""

    @functools.cache
    def make(name: str) -> ZooSite:
        place = tmp_path_factory.mktemp(name)
        problems = [*find_repeated_keys([str(ZOO[name])]), *find_bad_variables(read_own(name), read_variables())]
        assert not problems, problems
        spec = make_spec(ZOO[name], engine)
        (place / "spec.json").write_text(dumps(spec), encoding="utf-8")
        methods = {"design.json": _QUICK if name in _SLOW else "best", "other.json": _QUICK}
        for seed, (path, method) in enumerate(methods.items(), start=1):
            options = {"seed": seed, "method": method, "time_limit": 60, "threads": 1}
            engine.design(place / "spec.json", place / path, options)
        design, other = (documents.read(place / path, "fnn-design") for path in ("design.json", "other.json"))
        evaluation, format = name_evaluation(design)
        engine.evaluate(place / "design.json", place / evaluation, {"patterns": 20, "threads": 1})
        routes = None
        if is_neighborhood_network(spec):
            engine.choose_routes(place / "design.json", place / "routes.json")
            routes = documents.read(place / "routes.json", "fnn-routes")
        return ZooSite(name, place, spec, design, other, documents.read(place / evaluation, format), routes)

    return make


def read_own(name: str) -> dict[str, Document]:
    """The variables of the toolkit, by node."""
    return {
        node: {variable: value for variable, value in given.items() if str(variable).startswith("fnn_")}
        for node, given in read_inventory(ZOO[name]).items()
    }
