# SPDX-License-Identifier: GPL-3.0-or-later
"""Alert rules and dashboard use only metrics and labels that fnn-linkd exports."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from linkd_metrics import export, make_cluster, make_deaf
from programs import ROOT

RULES = ROOT / "monitoring/fnn-linkd.rules.yml"
DASHBOARD = ROOT / "monitoring/fnn-linkd.dashboard.json"
#: Of node_exporter itself.
OF_NODE_EXPORTER = {"node_textfile_mtime_seconds"}
#: Labels that Prometheus adds to a target, and that of a file of node_exporter.
OF_PROMETHEUS = {"job", "instance", "file"}


def list_rules() -> list[dict[str, str]]:
    return [rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]


def list_queries() -> list[str]:
    panels = json.loads(DASHBOARD.read_text())["panels"]
    return [target["expr"] for panel in panels for target in panel["targets"]]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> str:
    return export(make_cluster(), "k00", tmp_path_factory.mktemp("run"))


@pytest.mark.parametrize("query", [*(rule["expr"] for rule in list_rules()), *list_queries()])
def test_a_query_has_metrics_labels_and_values_of_the_exporter(query: str, exported: str) -> None:
    metrics = {line.split()[2] for line in exported.splitlines() if line.startswith("# TYPE ")}
    used = set(re.findall(r"\b(?:fnn|node)_\w+", query))
    assert used
    assert used <= metrics | OF_NODE_EXPORTER
    labels = set(re.findall(r"(\w+)=\"", exported)) | OF_PROMETHEUS
    selected = re.findall(r"(\w+)=~?\"", query) + re.findall(r"by \(([\w, ]+)\)", query)
    assert {label for each in selected for label in each.split(", ")} <= labels
    kinds = set(re.findall(r'kind="(\w+)"', exported))
    assert set(re.findall(r'kind="(\w+)"', query)) <= kinds


def test_the_rules_use_every_gauge_but_those_of_peers(exported: str) -> None:
    gauges = {line.split()[2] for line in exported.splitlines() if line.startswith("# TYPE ") and "gauge" in line}
    used = set(re.findall(r"fnn_\w+", " ".join(rule["expr"] for rule in list_rules())))
    assert gauges - used == {"fnn_linkd_peers_heard", "fnn_linkd_unusable_nics"}


def test_the_page_lists_every_alert(root: Path) -> None:
    page = (root / "docs/how-to/monitor.md").read_text()
    listed = re.findall(r"^\| `(Fnn\w+)` \| (\w+) \|", page, re.MULTILINE)
    assert listed == [(rule["alert"], rule["labels"]["severity"]) for rule in list_rules()]  # type: ignore[index]


def test_panels_have_titles_and_do_not_overlap() -> None:
    panels = json.loads(DASHBOARD.read_text())["panels"]
    places = [(panel["gridPos"], panel["title"]) for panel in panels]
    cells = [
        (x, y)
        for place, _ in places
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells))
    assert all(title for _, title in places)
    assert max(x for x, _ in cells) < 24


def test_a_deaf_nic_is_exported_as_not_used_with_carrier(tmp_path: Path) -> None:
    cluster = make_cluster()
    make_deaf(cluster, "k00", "red")
    cluster.run(5)
    exported = export(cluster, "k00", tmp_path)
    assert 'fnn_linkd_nic_used{switch="red",device="nic0"} 0' in exported
    assert 'fnn_linkd_nic_carrier{switch="red",device="nic0"} 1' in exported
    assert int(re.findall(r"^fnn_linkd_detours (\d+)", exported, re.MULTILINE)[0]) > 0
