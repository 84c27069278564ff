# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules of packet filters are evaluated for a packet of the fabric; tests/kernel compares them with the kernel."""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.node.check import iptables_rules, nft_rules, packet_filter
from ansible.module_utils.fnn.node.check.firewall import FORWARD, INPUT, find_dropping, list_packets

NEW = {"match": {"op": "in", "left": {"ct": {"key": "state"}}, "right": ["new"]}}
RATE = {"limit": {"rate": 5, "burst": 5, "per": "second"}}
ACCEPT: dict[str, Any] = {"accept": None}


def find(ruleset: Any, hook: str = INPUT) -> list[tuple[str, bool]]:
    """(chain, whether it certainly drops) of the chains that drop a packet."""
    packets = list_packets(["eth1", "eth2"], ["10.77.0.0/16"], hook)
    return [(each["chain"], each["certain"]) for each in find_dropping(nft_rules.read_chains(ruleset), packets)]


def make_ruleset(*rules: list[Any], hook: str = INPUT, policy: str = "drop", family: str = "inet") -> dict[str, Any]:
    """A ruleset of one base chain."""
    place = {"family": family, "table": "filter"}
    chain = {**place, "name": "own", "type": "filter", "hook": hook, "prio": 0, "policy": policy}
    own = [{"rule": {**place, "chain": "own", "expr": rule}} for rule in rules]
    return {"nftables": [{"metainfo": {"version": "1.0.6"}}, {"table": place}, {"chain": chain}, *own]}


@pytest.mark.parametrize(
    ("ruleset", "found"),
    [
        ({"nftables": []}, []),
        (make_ruleset(), [("own", True)]),
        (make_ruleset(policy="accept"), []),
        (make_ruleset(family="ip6"), []),
        (make_ruleset(hook=FORWARD), []),
        (make_ruleset([NEW, ACCEPT]), []),
        (make_ruleset([RATE, ACCEPT]), [("own", False)]),
        (make_ruleset([RATE, NEW, {"drop": None}], policy="accept"), [("own", False)]),
        (make_ruleset([RATE, {"log": {"prefix": "dropped"}}]), [("own", True)]),
        (make_ruleset([{"jump": {"target": "gone"}}]), [("own", False)]),
    ],
)
def test_a_chain_drops_certainly_perhaps_or_not(ruleset: Any, found: list[Any]) -> None:
    assert find(ruleset) == found


def test_forwarded_packets_pass_every_pair_of_nics() -> None:
    def accept(out: str) -> list[Any]:
        return [{"match": {"op": "==", "left": {"meta": {"key": "oifname"}}, "right": out}}, ACCEPT]

    assert find(make_ruleset(accept("eth2"), hook=FORWARD), FORWARD) == [("own", True)]
    assert find(make_ruleset(accept("eth1"), accept("eth2"), hook=FORWARD), FORWARD) == []


@pytest.mark.parametrize("output", ['{"nftables": 7}', "no JSON", '{"nftables": [{"rule": {"family": "ip"}}]}'])
def test_rules_in_an_unknown_form_are_reported_and_stop_nothing(monkeypatch: pytest.MonkeyPatch, output: str) -> None:
    monkeypatch.setattr(packet_filter, "_run", lambda *_: output)
    (found,) = packet_filter.find_filters(["eth1"], ["10.77.0.0/16"], False, "")
    assert (found["table"], found["certain"]) == ("", False)


def test_a_chain_that_calls_itself_ends() -> None:
    assert find(make_ruleset([{"jump": {"target": "own"}}])) == [("own", False)]


def test_tables_with_conditions_of_iptables_are_named() -> None:
    xt = {"xt": {"type": "match", "name": "conntrack"}}
    assert nft_rules.list_opaque_tables(make_ruleset([xt, ACCEPT], family="ip")) == ["ip filter"]
    assert nft_rules.list_opaque_tables(make_ruleset([NEW, ACCEPT])) == []


SAVED = """*nat
:PREROUTING ACCEPT [0:0]
COMMIT
*filter
:INPUT DROP [0:0]
:FORWARD ACCEPT [0:0]
:own - [0:0]
-A INPUT -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
-A INPUT -m comment --comment "ours, and theirs" -j own
{}
COMMIT
"""


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        ("-A own -s 10.0.0.0/8 -j ACCEPT", []),
        ("-A own ! -s 10.0.0.0/8 -j ACCEPT", [("INPUT", True)]),
        ("-A own -i eth+ -p tcp -m tcp --dport 1024: -j ACCEPT", []),
        ("-A own -m owner --uid-owner 0 -j ACCEPT", [("INPUT", False)]),
        ("-A own -j LOG --log-prefix x", [("INPUT", True)]),
        ("-A own -j NFQUEUE --queue-num 0", [("INPUT", False)]),
    ],
)
def test_rules_of_iptables_are_read_from_what_it_saves(rule: str, found: list[Any]) -> None:
    chains = iptables_rules.read_chains(SAVED.format(rule), "ip filter")
    packets = list_packets(["eth1"], ["10.77.0.0/16"], INPUT)
    assert [(each["chain"], each["certain"]) for each in find_dropping(chains, packets)] == found
