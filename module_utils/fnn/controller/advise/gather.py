# SPDX-License-Identifier: GPL-3.0-or-later
"""Has the engine design flat neighborhood networks for a request, and evaluate them and all other networks.

The other networks depend on the nodes and the price list alone. So the engine evaluates them once for each number of
NICs, beside a design without cables, and each flat neighborhood network by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from ...shared.errors import count
from ..documents import Documents, dumps
from ..engine import Designer, DesignFailed
from ..numbers import format_rate
from .networks import BUNDLED, FNN, PLAIN, SINGLE, SWITCHLESS, Network, read_alternatives, read_design
from .request import Request, SwitchModel, list_models
from .sizes import Attempt, Fewest, find_fewest, list_sizes, make_spec

#: Generations of a search, which make its result independent of the machine, unless the search takes longer than the
#: time limit in seconds. The engine derives the effort of its exact search from that limit.
_STEPS = 10
_TIME_LIMIT = 10
#: Above this number of nodes a generation takes longer than it is worth; the engine has the same limit.
_MOST_SEARCHED = 256


@dataclass(frozen=True)
class Sizing:
    """How many switches of a model a flat neighborhood network needs, with so many NICs of a speed in each node."""

    mbps: int
    nics: int
    model: SwitchModel
    fewest: Fewest


@dataclass
class Gathered:
    """All networks, in no particular order, and the sizes of the flat neighborhood networks."""

    networks: list[Network] = field(default_factory=list)
    sizings: list[Sizing] = field(default_factory=list)


@dataclass(frozen=True)
class Gatherer:
    """directory: for temporary files. report: shows progress."""

    request: Request
    designer: Designer
    documents: Documents
    directory: Path
    report: Callable[[str], None]

    def gather(self) -> Gathered:
        """Raises FnnError."""
        gathered = Gathered()
        for mbps in self.request.speeds:
            gathered.networks += self._evaluate_others(mbps)
            models = list_models(self.request.prices, mbps)
            for model in models:
                if model.ports < self.request.nodes:
                    gathered.sizings += self._size(mbps, model)
            found = list(self._evaluate_designs(mbps, gathered.sizings))
            gathered.networks += found or [self._refuse_designs(mbps, models, gathered.sizings)]
        return gathered

    # --- other networks ---

    def _evaluate_others(self, mbps: int) -> Iterator[Network]:
        request = self.request
        models = list_models(request.prices, mbps)
        for nics in range(1, request.nics + 1):
            names = [*(SINGLE if nics == 1 else BUNDLED), *(SWITCHLESS if nics == request.nics else ())]
            self.report(f"Evaluating other networks with {count(nics, 'NIC')} of {format_rate(mbps)} per node")
            design = self.directory / f"uncabled-{mbps}-{nics}.json"
            spec = make_spec(request.nodes, nics, mbps, models[0] if models else None, 1)
            design.write_text(dumps(self.designer.measure(spec, [])), encoding="utf-8")
            for network in read_alternatives(self._evaluate(design, names), nics, mbps, request.routing):
                # At the speeds of the request, this is its one switch.
                if network.kind != "faster-switch" or network.mbps not in request.speeds:
                    lacks = not models and network.kind not in (*SWITCHLESS, "faster-switch", "uplink-tree")
                    yield network.refuse(self._describe_lack(mbps)) if lacks else network

    def _describe_lack(self, mbps: int) -> str:
        return f"the price list has no switch of {format_rate(mbps)}"

    # --- flat neighborhood networks ---

    def _size(self, mbps: int, model: SwitchModel) -> Iterator[Sizing]:
        nodes = self.request.nodes
        for nics in range(2, self.request.nics + 1):
            words = f"{count(nics, 'NIC')} of {format_rate(mbps)} and switches of {count(model.ports, 'port')}"
            self.report(f"Designing flat neighborhood networks with {words}")
            fewest = find_fewest(nodes, nics, model.ports, partial(self._search, mbps, nics, model))
            yield Sizing(mbps, nics, model, fewest)

    def _search(self, mbps: int, nics: int, model: SwitchModel, switches: int) -> Attempt:
        """Search a design, and leave it in its file."""
        spec = self.directory / "spec.json"
        spec.write_text(dumps(make_spec(self.request.nodes, nics, mbps, model, switches)), encoding="utf-8")
        steps = _STEPS if self.request.nodes <= _MOST_SEARCHED else 1
        try:
            path = self._place(mbps, nics, model, switches)
            self.designer.design(spec, path, {"steps": steps, "time_limit": _TIME_LIMIT})
        except DesignFailed as error:
            if error.verdict == "infeasible":
                return Attempt(False, True, error.report["certificate"]["message"])
            if error.verdict == "not-found":
                return Attempt(False, False, f"no design was found with {count(switches, 'switch')}")
            raise
        return Attempt(True)

    def _evaluate_designs(self, mbps: int, sizings: list[Sizing]) -> Iterator[Network]:
        request = self.request
        for each in sizings:
            if each.mbps != mbps or each.fewest.switches is None:
                continue
            for number in list_sizes(request.nodes, each.nics, each.model.ports, each.fewest.switches):
                design = self._place(mbps, each.nics, each.model, number)
                if not design.exists() and not self._search(mbps, each.nics, each.model, number).found:
                    continue
                yield read_design(self._evaluate(design, ["none"]), each.nics, mbps, request.routing)

    def _refuse_designs(self, mbps: int, models: list[SwitchModel], sizings: list[Sizing]) -> Network:
        """A flat neighborhood network that cannot be built, with the reason for the widest switches."""
        last = [each for each in sizings if each.mbps == mbps and each.nics == self.request.nics][-1:]
        if not models:
            reason = self._describe_lack(mbps)
        elif not any(model.ports < self.request.nodes for model in models):
            reason = "one switch holds all nodes"
        elif self.request.nics < 2:
            reason = "it needs two NICs or more per node"
        else:
            reason = f"with switches of {count(last[0].model.ports, 'port')}, {last[0].fewest.reason}"
        return Network(FNN, self.request.nics, mbps, PLAIN, reason)

    def _place(self, mbps: int, nics: int, model: SwitchModel, switches: int) -> Path:
        """The file of a design. No other model has the same ports and internal capacity, nor replaces this one."""
        return self.directory / f"design-{mbps}-{nics}-{model.ports}-{model.price}-{switches}.json"

    def _evaluate(self, design: Path, names: list[str]) -> Mapping[str, Any]:
        path = self.directory / "evaluation.json"
        self.designer.evaluate(design, path, {"alternatives": ",".join(names), "prices": self.request.path})
        return self.documents.read(path, "fnn-evaluation")
