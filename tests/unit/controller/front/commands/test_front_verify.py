# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn verify and blink: the findings that are shown, and the exit status."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.site_lock import HOLDER, lock_site, unlock_site
from ansible.module_utils.fnn.controller.verify.show import FORMATS

NODES = ("k00", "k01", "k02")


def make_findings(verdict: str, wrong: str | None = None) -> dict[str, Any]:
    """findings.json with one cable per node; that of the node `wrong` is in the wrong switch."""
    cables = {node: {"node": node, "nic": 0, "device": "nic0", "mac": "02:f0:00:00:00:00"} for node in NODES}
    links = [{**cable, "expected": "red", "seen": "red", "state": "ok"} for cable in cables.values()]
    findings = []
    if wrong:
        cable = {**cables[wrong], "expected": "red", "seen": "blue"}
        links[NODES.index(wrong)] = {**cable, "state": "wrong"}
        action = {"pairs_broken": 1, "breaks": True, "action": f"{wrong}: move the cable", "evidence": "beacons"}
        findings = [{"kind": "move", **cable, "cables": [cable], **action}]
    return {
        "format": "fnn-findings",
        "version": 1,
        "cluster": "six",
        "verdict": verdict,
        "evidence": "beacons",
        "scope": [*NODES],
        "unreachable": [],
        "switches": [{"name": name, "color": name} for name in ("red", "blue")],
        "findings": findings,
        "moves": [],
        "as_wired": None,
        "since": None,
        "mtu": None,
        "links": links,
    }


MISWIRED = make_findings("miswired", "k01")


@pytest.mark.parametrize(
    ("document", "status"),
    [(make_findings("match"), 0), (make_findings("unmeasured"), 3), (MISWIRED, 4)],
    ids=["match", "unmeasured", "miswired"],
)
def test_the_verdict_is_the_exit_status(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str], document: Any, status: int
) -> None:
    """Ansible's own exit status, 2 for a failed play, is not passed on."""
    ansible.replies = [(2, document)]
    assert fnn("verify") == status
    shown = capsys.readouterr()
    assert shown.err == ""
    assert f"{document['verdict']}: 3 cables, " in shown.out
    assert ansible.asked == [("verify", {})]


def test_the_reason_of_a_node_that_failed_is_shown_beside_the_findings(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    ansible.replies, ansible.failed = [(2, {**MISWIRED, "unreachable": ["k03"]})], "k03"
    assert fnn("verify") == 4
    shown = capsys.readouterr()
    assert "did not answer: k03" in shown.out
    assert shown.err == "fnn: The play: read: failed on k03\n  no such device\n  log: the.log\n"


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_is_shown(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str], format: str
) -> None:
    beginnings = {"text": "move: k01", "json": "{\n", "csv": "kind,node,", "md": "# six: miswired", "html": "<!DOCTYPE"}
    ansible.replies = [(2, MISWIRED)]
    assert fnn("verify", "--format", format) == 4
    assert capsys.readouterr().out.startswith(beginnings[format])


@pytest.mark.parametrize(("node", "status"), [("k00", 0), ("k01", 4)])
def test_one_node_is_judged_by_its_own_cables(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str], node: str, status: int
) -> None:
    ansible.replies = [(2, MISWIRED)]
    assert fnn("verify", "--format", "json", "--node", node) == status
    shown = json.loads(capsys.readouterr().out)
    verdict = {0: "match", 4: "miswired"}[status]
    assert (shown["verdict"], [link["node"] for link in shown["links"]]) == (verdict, [node])


def test_an_unknown_node_is_a_mistake_of_usage(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    design = {"spec": {"nodes": [{"name": node} for node in NODES]}}
    (ansible.site / "design.json").write_text(json.dumps(design))
    (ansible.site / "hosts.yml").touch()
    assert (fnn("verify", "-i", str(ansible.site), "--node", "k77"), ansible.asked) == (2, [])
    shown = capsys.readouterr()
    message = "fnn: k77: no such node; the nodes are k00, k01, k02\n"
    assert (shown.out, shown.err) == ("", message)


def test_a_node_that_the_findings_lack_is_a_mistake_of_usage(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """As one that the limit of the run leaves out. With -e, the design beside the inventory is not asked."""
    ansible.replies = [(2, MISWIRED)]
    assert fnn("verify", "--node", "k77", "-e", "a=1") == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "fnn: k77: no such node; the nodes are k00, k01, k02\n")


# --- Findings of another run ---


@pytest.mark.parametrize("status", [1, 2, 4])
def test_findings_of_an_earlier_run_are_not_shown_when_the_playbook_stops_before_it_compares(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str], status: int
) -> None:
    ansible.write("verify", make_findings("match"))
    ansible.replies = [(status, None)]
    assert fnn("verify") == 3
    shown = capsys.readouterr()
    assert shown.out == ""
    lines = ["fnn: verify stopped before it compared the cables", "  the reason", "  log: the.log"]
    assert shown.err.splitlines() == lines


def test_a_playbook_that_stops_without_any_findings_is_a_measurement_that_failed(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    ansible.replies = [(4, None)]
    assert fnn("verify") == 3
    assert capsys.readouterr().out == ""


def test_without_macs_no_playbook_runs_and_the_command_for_them_is_named(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    (ansible.site / "macs.json").unlink()
    assert (fnn("verify"), ansible.asked) == (3, [])
    assert capsys.readouterr().err == f"fnn: {ansible.site}/macs.json: missing; run ./fnn discover\n"


def test_findings_that_are_the_same_again_are_shown(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """fnn_verify then renews only the time of the file."""
    path = ansible.site / "build" / "findings.json"
    ansible.write("verify", make_findings("match"))
    monkeypatch.setattr(ansible, "write", lambda name, document: os.utime(path))
    ansible.replies = [(0, make_findings("match"))]
    assert fnn("verify") == 0
    assert capsys.readouterr().out.startswith("match: ")


def test_a_run_that_was_refused_does_not_show_findings_that_another_run_writes_meanwhile(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    ansible.replies = [(75, make_findings("match"))]
    assert fnn("verify") == 75
    assert capsys.readouterr().out == ""


def test_a_site_in_use_has_an_exit_status_of_its_own_and_starts_no_playbook(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    handle = lock_site(ansible.site)
    monkeypatch.delenv(HOLDER)  # so that this process counts as another operator
    try:
        assert fnn("verify") == 75
    finally:
        unlock_site(handle)
    assert ansible.asked == []
    assert f"fnn: {ansible.site}: in use by " in capsys.readouterr().err


def test_invalid_findings_are_no_verdict(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    ansible.replies = [(0, {**MISWIRED, "verdict": "perhaps"})]
    assert fnn("verify") == 3
    assert capsys.readouterr().err.startswith("fnn: findings.json#/verdict: ")


# --- Colors ---


def verify_on_terminal(fnn: Callable[..., int], ansible: Any, monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    """Standard output is a terminal, and verify finds a match."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    ansible.replies = [(0, make_findings("match"))]
    fnn("verify", *words)


@pytest.mark.parametrize("words", [[], ["--no-color"]])
def test_colors_are_for_terminals(
    fnn: Callable[..., int],
    ansible: Any,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    verify_on_terminal(fnn, ansible, monkeypatch, *words)
    assert ("\x1b[32mmatch" in capsys.readouterr().out) is (not words)


@pytest.mark.parametrize(
    "variable",
    [("NO_COLOR", "1", False), ("NO_COLOR", "", True), ("TERM", "dumb", False)],
    ids=["set", "empty", "dumb"],
)
def test_variables_of_the_environment_disable_colors(
    fnn: Callable[..., int],
    ansible: Any,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    variable: tuple[str, str, bool],
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    name, value, has_colors = variable
    monkeypatch.setenv(name, value)
    verify_on_terminal(fnn, ansible, monkeypatch)
    assert capsys.readouterr().out.startswith("match: ") is not has_colors


def test_output_to_a_file_has_no_colors(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    ansible.replies = [(0, make_findings("match"))]
    fnn("verify")
    assert capsys.readouterr().out.startswith("match: ")


# --- Other commands ---


def test_blink_names_node_and_nic_to_the_playbook(fnn: Callable[..., int], ansible: Any) -> None:
    assert fnn("blink", "k00", "eth2", "--seconds", "30") == 0
    wanted = {"fnn_verify_node": "k00", "fnn_verify_blink": "eth2", "fnn_verify_blink_seconds": 30}
    assert ansible.asked == [("adhoc/blink", wanted)]


def test_live_cabling_shows_no_message_of_its_playbooks(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --json, programs read its standard output."""
    ansible.shown = ["macs.json: has the MACs of 12 of 12 NICs"]
    fnn("wire", "--json")
    assert (len(ansible.asked), capsys.readouterr().out) == (2, "")


def test_wire_that_is_refused_leaves_the_beacons_of_the_other_run_alone(fnn: Callable[..., int], ansible: Any) -> None:
    ansible.replies = [(75, None)]
    assert fnn("wire") == 75
    assert [variables["fnn_wire"] for _, variables in ansible.asked] == ["start"]


# --- Two networks ---


@pytest.mark.parametrize(
    ("document", "expected"),
    [(make_findings("match"), (0, "match: 3 cables")), (MISWIRED, (4, "move: k01"))],
    ids=["match", "miswired"],
)
def test_a_maintenance_network_is_shown_after_the_fabric_and_counts(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str], document: Any, expected: Any
) -> None:
    ansible.beside["maintenance/findings.json"] = document
    ansible.replies = [(2, make_findings("match"))]
    status = fnn("verify")
    fabric, _, own = capsys.readouterr().out.partition("\nmaintenance network:\n")
    assert fabric.startswith("match: 3 cables")
    assert (status, own[: len(expected[1])]) == expected


def test_one_network_is_shown_alone(fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]) -> None:
    ansible.beside["maintenance/findings.json"] = MISWIRED
    for network, status in (("fabric", 0), ("maintenance", 4)):
        ansible.replies = [(2, make_findings("match"))]
        assert fnn("verify", "--network", network, "--format", "json") == status
        verdict = {0: "match", 4: "miswired"}[status]
        assert json.loads(capsys.readouterr().out)["verdict"] == verdict


def test_a_network_that_does_not_exist_is_a_mistake_of_usage(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    ansible.replies = [(0, make_findings("match"))]
    assert fnn("verify", "--network", "maintenance") == 2
    assert capsys.readouterr().err == "fnn: there is no maintenance network\n"
