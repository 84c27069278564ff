# SPDX-License-Identifier: GPL-3.0-or-later
"""Has the engine design flat neighborhood networks for a request, and evaluate them and all other networks.

The other networks depend on the nodes and the price list alone. So the engine evaluates them once for each number of
NICs, beside a design without cables, and each flat neighborhood network by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from ...shared.errors import count
from ..documents import Documents, dumps
from ..engine import Designer, DesignFailed
from .mixes import Mix, list_mixes, price_mix
from .networks import BUNDLED, FNN, PLAIN, SINGLE, SWITCHLESS, Network, read_alternatives, read_design
from .ports import Ports, format_groups, format_socket
from .purchases import add_purchases
from .request import Request, SwitchModel, list_models
from .sizes import Attempt, Fewest, find_fewest, list_sizes, make_spec

#: Generations of a search, which make its result independent of the machine, unless the search takes longer than the
#: time limit in seconds. The engine derives the effort of its exact search from that limit.
_STEPS = 10
_TIME_LIMIT = 10
#: Above this number of nodes a generation takes longer than it is worth; the engine has the same limit.
_MOST_SEARCHED = 256
#: Combinations of switches for ports of several kinds: those that are tried, and those with a design that are compared.
_TRIED_MIXES, _KEPT_MIXES = 24, 6


@dataclass(frozen=True)
class Sizing:
    """How many switches of a model a flat neighborhood network needs, with so many NICs of a speed in each node."""

    mbps: int
    nics: int
    model: SwitchModel
    fewest: Fewest


@dataclass
class Gathered:
    """All networks, in no particular order, and the sizes of the flat neighborhood networks.

    mixes: combinations of switches for ports of several kinds that were tried, and all of them.
    """

    networks: list[Network] = field(default_factory=list)
    sizings: list[Sizing] = field(default_factory=list)
    mixes: tuple[int, int] = (0, 0)


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
        for ports in self.request.ports:
            prices = self._place_prices(ports)
            prices.write_text(dumps(ports.prices), encoding="utf-8")
            gathered.networks += self._evaluate_others(ports)
            if ports.single:
                continue
            models = list_models(ports.prices, ports.mbps)
            sizings = [
                each for model in models if model.ports < self.request.nodes for each in self._size(ports, model)
            ]
            found = list(self._evaluate_designs(ports, sizings))
            if not found and ports.module is None:
                found = [self._refuse_designs(ports, models, sizings)]
            gathered.networks += found
            gathered.sizings += sizings
        self._evaluate_mixes(gathered)
        return gathered

    # --- other networks ---

    def _evaluate_others(self, ports: Ports) -> Iterator[Network]:
        request, mbps = self.request, ports.mbps
        models = list_models(ports.prices, mbps)
        for nics in range(1, ports.nics + 1):
            names = self._name_others(ports, nics)
            self.report(f"Evaluating other networks with {count(nics, 'NIC')} of {_name(ports)} per node")
            design = self.directory / f"uncabled-{self._number(ports)}-{nics}.json"
            spec = make_spec(request.nodes, nics, mbps, models[0] if models else None, 1)
            design.write_text(dumps(self.designer.measure(spec, [])), encoding="utf-8")
            for found in read_alternatives(self._evaluate(design, names, ports), nics, mbps, request.routing):
                lacks = not models and found.kind not in (*SWITCHLESS, "faster-switch", "uplink-tree")
                network = found.refuse(self._describe_lack(ports)) if lacks else found
                # At the speeds of the request, a faster switch is the one switch there.
                is_repeated = network.kind == "faster-switch" and network.mbps in request.speeds
                if not is_repeated and not (ports.module is not None and network.reason):
                    yield add_purchases(network, ports, request.nodes)

    def _name_others(self, ports: Ports, nics: int) -> list[str]:
        """The other networks to evaluate with so many NICs. Those without switches need no modules."""
        if ports.single:
            return ["one-switch"]
        # For ports that nodes have, one switch of the next speed is evaluated with NICs that are bought.
        single = [each for each in SINGLE if not (ports.present and each == "faster-switch")]
        is_last = nics == ports.nics and ports.module is None
        return [*(single if nics == 1 else BUNDLED), *(SWITCHLESS if is_last else ())]

    def _describe_lack(self, ports: Ports) -> str:
        return f"the price list has no switch of {_name(ports)}"

    # --- flat neighborhood networks ---

    def _size(self, ports: Ports, model: SwitchModel) -> Iterator[Sizing]:
        nodes = self.request.nodes
        for nics in range(2, ports.nics + 1):
            words = f"{count(nics, 'NIC')} of {_name(ports)} and switches of {count(model.ports, 'port')}"
            self.report(f"Designing flat neighborhood networks with {words}")
            fewest = find_fewest(nodes, nics, model.ports, partial(self._search, ports, nics, model))
            yield Sizing(ports.mbps, nics, model, fewest)

    def _search(self, ports: Ports, nics: int, model: SwitchModel, switches: int) -> Attempt:
        """Search a design, and leave it in its file."""
        spec = make_spec(self.request.nodes, nics, ports.mbps, model, switches)
        return self._design(spec, self._place(ports, nics, model, switches), count(switches, "switch"))

    def _design(self, document: Mapping[str, Any], path: Path, switches: str) -> Attempt:
        spec = self.directory / "spec.json"
        spec.write_text(dumps(document), encoding="utf-8")
        steps = _STEPS if self.request.nodes <= _MOST_SEARCHED else 1
        try:
            self.designer.design(spec, path, {"steps": steps, "time_limit": _TIME_LIMIT})
        except DesignFailed as error:
            if error.verdict == "infeasible":
                return Attempt(False, True, error.report["certificate"]["message"])
            if error.verdict == "not-found":
                return Attempt(False, False, f"no design was found with {switches}")
            raise
        return Attempt(True)

    def _evaluate_designs(self, ports: Ports, sizings: list[Sizing]) -> Iterator[Network]:
        request = self.request
        for each in sizings:
            if each.fewest.switches is None:
                continue
            for number in list_sizes(request.nodes, each.nics, each.model.ports, each.fewest.switches):
                design = self._place(ports, each.nics, each.model, number)
                if not design.exists() and not self._search(ports, each.nics, each.model, number).found:
                    continue
                evaluation = self._evaluate(design, ["none"], ports)
                network = read_design(evaluation, each.nics, ports.mbps, request.routing)
                yield add_purchases(network, ports, request.nodes)

    def _refuse_designs(self, ports: Ports, models: list[SwitchModel], sizings: list[Sizing]) -> Network:
        """A flat neighborhood network that cannot be built, with the reason for the widest switches."""
        last = [each for each in sizings if each.nics == ports.nics][-1:]
        if not models:
            reason = self._describe_lack(ports)
        elif not any(model.ports < self.request.nodes for model in models):
            reason = "one switch holds all nodes"
        elif ports.nics < 2:
            reason = "it needs two NICs or more per node"
        else:
            reason = f"with switches of {count(last[0].model.ports, 'port')}, {last[0].fewest.reason}"
        return Network(FNN, ports.nics, ports.mbps, PLAIN, reason, media=ports.media)

    # --- networks that use ports of several kinds ---

    def _evaluate_mixes(self, gathered: Gathered) -> None:
        """The cheapest combinations of switches, with a port for every NIC, for which the engine finds a design."""
        mixes = list_mixes(self.request)
        tried = kept = 0
        for mix in mixes[:_TRIED_MIXES]:
            if kept == _KEPT_MIXES:
                break
            tried += 1
            self.report(f"Designing a network with all ports and switches of {mix.words}")
            path = self.directory / f"design-mix-{tried}.json"
            if self._design(mix.spec, path, mix.words).found:
                kept += 1
                gathered.networks.append(self._evaluate_mix(mix, path))
        gathered.mixes = (tried, len(mixes))

    def _evaluate_mix(self, mix: Mix, path: Path) -> Network:
        request = self.request
        design, evaluation = self.documents.read(path, "fnn-design"), self._evaluate(path, ["none"], None)
        network = read_design(evaluation, request.nics, request.speeds[0], request.routing)
        is_rails = all(len(each["nodes"]) == request.nodes for each in design["switches"])
        network = replace(network, kind="rails" if is_rails else FNN, groups=format_groups(request.groups))
        return price_mix(network, mix, design, request)

    def _number(self, ports: Ports) -> int:
        return self.request.ports.index(ports)

    def _place_prices(self, ports: Ports) -> Path:
        return self.directory / f"prices-{self._number(ports)}.json"

    def _place(self, ports: Ports, nics: int, model: SwitchModel, switches: int) -> Path:
        """The file of a design. No other model has the same ports and internal capacity, nor replaces this one."""
        return self.directory / f"design-{self._number(ports)}-{nics}-{model.ports}-{model.price}-{switches}.json"

    def _evaluate(self, design: Path, names: list[str], ports: Ports | None) -> Mapping[str, Any]:
        """ports: those of which the price list is taken; None: without prices."""
        path = self.directory / "evaluation.json"
        prices = self._place_prices(ports) if ports else None
        self.designer.evaluate(design, path, {"alternatives": ",".join(names), "prices": prices})
        return self.documents.read(path, "fnn-evaluation")


def _name(ports: Ports) -> str:
    return format_socket(ports.mbps, ports.media)
