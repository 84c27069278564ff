# SPDX-License-Identifier: GPL-3.0-or-later
"""Every stage that needs no node, over sites of mixed hardware (tests/zoo): documents, labels, report, comparison,
rewiring and plan say what the NICs, ports and links of the site are.
"""

from __future__ import annotations

import csv
import io
import json
import re
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.bench.fabric import Fabric
from ansible.module_utils.fnn.controller.bench.paths import ADVANCED, BASIC, FNN, Choice, Paths
from ansible.module_utils.fnn.controller.bench.predict import Predictor
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.labels.cabling import make_cabling
from ansible.module_utils.fnn.controller.labels.device_pages import draw_node_pages, draw_switch_pages
from ansible.module_utils.fnn.controller.labels.make import INDEX, make_files
from ansible.module_utils.fnn.controller.labels.node_labels import draw_node_labels
from ansible.module_utils.fnn.controller.labels.paper import PAPERS
from ansible.module_utils.fnn.controller.labels.parts import list_sockets, name_ports
from ansible.module_utils.fnn.controller.labels.shapes import Words
from ansible.module_utils.fnn.controller.numbers import format_rate
from ansible.module_utils.fnn.controller.plan.render import check_views
from ansible.module_utils.fnn.controller.report.sources import Sources
from ansible.module_utils.fnn.controller.rewire import steps
from ansible.module_utils.fnn.controller.rewire.instructions import write_progress
from ansible.module_utils.fnn.controller.rewire.wiring import list_cables
from ansible.module_utils.fnn.controller.segments import has_cables, is_neighborhood_network
from ansible.module_utils.fnn.controller.spec.ports import media_family
from ansible.module_utils.fnn.controller.verify.model import list_speeds
from built import make_findings
from plan_settings import plan_with
from report_sources import study
from stated_documents import Stated, Tools, list_all_texts, list_facts, state
from stated_facts import list_contradictions
from wirings import Cluster, kinds, moved
from zoo_sites import SITES, MakeZooSite, ZooSite, make_zoo_site

__all__ = ["make_zoo_site", "study"]

OPTIONS = {"stock": None, "identify": "ports", "papers": ["a4"], "sheets": ["L7160"], "qr": False}
#: A rate in links, or as a fraction, as in "2.8 links" or "14/5 Gb/s".
BARE_RATE = re.compile(r"\d links?\b|\d/\d+ (links?|[GM]b/s)")


@pytest.fixture(scope="module", params=SITES)
def site(request: pytest.FixtureRequest, make_zoo_site: MakeZooSite) -> ZooSite:
    return make_zoo_site(request.param)


@pytest.fixture(scope="module")
def stated(site: ZooSite, root: Path, documents: Documents, study: Any) -> Stated:
    """Report, summary, comparison and bill; report and summary keep to their schemas."""
    tools = Tools(lambda *_: None, documents, study, root / "roles/fnn_report/templates")
    return state(Sources(site.design, site.evaluation, site.routes, site.routes and study), tools)


def list_nics(site: ZooSite) -> dict[tuple[str, int], dict[str, Any]]:
    """(node, NIC) -> the NIC of the spec, for each with a cable."""
    nics = {node["name"]: node["nics"] for node in site.spec["nodes"]}
    return {
        (node["name"], link["nic"]): nics[node["name"]][link["nic"]]
        for node in site.design["nodes"]
        for link in node["links"]
    }


def test_the_zoo_has_the_sites_of_its_page() -> None:
    """At least fourteen, from 2 to 64 nodes."""
    assert len(SITES) >= 14
    assert {"two-nodes", "sixty-four"} < set(SITES)


def test_the_report_states_the_mean_of_the_sums_of_the_links_of_each_pair(site: ZooSite, stated: Stated) -> None:
    """An idle pair has on each shared switch the slower of its two links."""
    if not is_neighborhood_network(site.spec):
        return
    speeds, on = list_speeds(site.design), {}
    for node in site.design["nodes"]:
        on[node["name"]] = {link["switch"]: speeds[node["name"], link["nic"]] for link in node["links"]}
    sums = [
        sum(min(one[switch], other[switch]) for switch in one.keys() & other.keys())
        for one, other in combinations(on.values(), 2)
    ]
    (found,) = [each for each in stated.report.headlines if each.words == "for a single pair of nodes"]
    mean = float(Fraction(sum(sums), len(sums)))
    assert found.number == pytest.approx(mean / 1000, abs=1e-6)
    assert (found.value, found.note) == (format_rate(mean), f"on average; {format_rate(min(sums))} at least")


def test_quantities_of_the_same_name_are_equal_everywhere(stated: Stated) -> None:
    assert list_contradictions(list_facts(stated)) == []


def test_every_rate_has_its_unit(stated: Stated) -> None:
    wrong = [text for text in list_all_texts(stated) if BARE_RATE.search(text)]
    assert wrong == []


def test_every_table_of_rates_names_their_unit(stated: Stated) -> None:
    figures = {each.name: each.table.columns for section in stated.report.sections for each in section.figures}
    for name in {"pairwise", "all-to-all", "traffic", "patterns"} & figures.keys():
        assert any("Gb/s" in column for column in figures[name]), (name, figures[name])


def test_the_comparison_counts_the_nics_of_the_nodes(site: ZooSite, stated: Stated) -> None:
    if min(len(node["nics"]) for node in site.spec["nodes"]) > 1:
        assert [line for line in stated.lines if "nodes have one NIC" in line] == []


def test_a_heading_of_the_wiring_is_the_device_of_every_node(site: ZooSite, engine: Designer) -> None:
    """Where nodes differ, each cell has its device."""
    lines = engine.show(site.place / "design.json").splitlines()
    (heading,) = [line.split()[1:] for line in lines if line.startswith("node ")] or [[]]
    devices = {tuple(nic["name"] for nic in node["nics"]) for node in site.spec["nodes"]}
    if heading and len(devices) == 1 and None not in (common := next(iter(devices))):
        assert heading == list(common)
    elif heading:
        assert set(heading[::2]) == {"NIC"}


def test_labels_name_the_device_of_each_node(site: ZooSite, documents: Documents) -> None:
    files = make_files(site.design, OPTIONS)
    documents.check(json.loads(files[INDEX]), "fnn-labels")
    nics = list_nics(site)
    wanted = {(node, nic["name"] or str(index)) for (node, index), nic in nics.items()}
    rows = list(csv.DictReader(io.StringIO(files["cables.csv"].decode("utf-8-sig"))))
    ends = {(row["this_device"], row["this_port"]) for row in rows}
    assert {end for end in ends if end[0] in {node["name"] for node in site.spec["nodes"]}} == wanted
    shapes = [shape for page in draw_node_labels(make_cabling(site.design), PAPERS["a4"]) for shape in page.shapes]
    words = [each.text for each in shapes if isinstance(each, Words) and each.text.startswith("NIC ")]
    names = [nic["name"] or index for node in site.spec["nodes"] for index, nic in enumerate(node["nics"])]
    assert sorted(words) == sorted(f"NIC {name}" for name in names)


def test_pages_say_that_any_port_is_right_only_where_all_are_alike(site: ZooSite) -> None:
    cabling = make_cabling(site.design)
    pages = [*draw_node_pages(cabling, PAPERS["a4"]), *draw_switch_pages(cabling, PAPERS["a4"])]
    words = [[each.text for each in page.shapes if isinstance(each, Words)] for page in pages]
    parts = [node["nics"] for node in site.spec["nodes"]] + [each["ports"] for each in site.spec["switches"]]
    differ = any(len({(each["speed_mbps"], each["media"]) for each in part}) > 1 for part in parts)
    remarks = [text for page in words for text in page if "is right" in text]
    assert len(remarks) == len(pages)
    assert [each for each in remarks if ("if speed and medium fit" in each) != differ] == []


def test_a_labeled_port_fits_its_nic_and_has_the_speed_of_the_design(site: ZooSite) -> None:
    if has_cables(site.spec):
        return
    sockets = {each["name"]: dict(zip(name_ports(each), list_sockets(each))) for each in site.spec["switches"]}
    nics, speeds = list_nics(site), list_speeds(site.design)
    plugged = {node.name: [cable for _, cable in node.nics] for node in make_cabling(site.design).nodes}
    for (node, index), nic in nics.items():
        cable = plugged[node][index]
        assert cable is not None
        port = sockets[cable.far.device][cable.far.port]
        assert media_family(port["media"]) == media_family(nic["media"])
        assert min(port["speed_mbps"], nic["speed_mbps"]) == speeds[node, index], (node, index, cable.far)


def test_a_rewiring_leads_to_the_other_design_and_names_devices(
    site: ZooSite, engine: Designer, documents: Documents
) -> None:
    if not is_neighborhood_network(site.spec):
        return
    job, _ = steps.plan(engine, site.design, site.other, steps.Options(8))
    documents.check(job, "fnn-rewire")
    roles = job["roles"]
    ends = [(node["name"], link["switch"]) for node in site.other["nodes"] for link in node["links"]]
    assert sorted((node, switch) for node, _, switch in list_cables(job, len(job["batches"]))) == sorted(
        (node, roles.get(switch, switch)) for node, switch in ends
    )
    lines = [line for line in write_progress(job, True, False) if "[ ]" in line]
    named = [nic["name"] for node in site.spec["nodes"] for nic in node["nics"]]
    assert len(lines) == job["moves"]
    assert all("NIC " not in line for line in lines) or None in named


def test_the_plan_gives_every_node_a_path_to_every_other(site: ZooSite, documents: Documents) -> None:
    inputs = {"routes": site.routes} if site.routes else {}
    plan = plan_with(site.design, Cluster(site.design).macs, inputs=inputs)
    check_views(plan, documents)
    assert list(plan.views) == [node["name"] for node in site.design["nodes"]]
    assert {name: view["unreached"] for name, view in plan.views.items() if view["unreached"]} == {}


def test_the_benchmark_predicts_the_rates_of_the_evaluation(site: ZooSite) -> None:
    """Of a plug with two devices, the engine counts one NIC of the whole rate."""
    if any("twin" in nic for node in site.spec["nodes"] for nic in node["nics"]):
        return
    names, kind = [node["name"] for node in site.design["nodes"]], BASIC if site.routes else ADVANCED
    predictor = Predictor(Paths(Fabric(site.design), names, FNN, Choice(kind, site.routes, None)))
    found, wanted = [], []
    for each in site.evaluation["patterns"]:
        together = {"exchange-one": "one", "exchange-multi": "all"}.get(each["pattern"])
        if together:
            cell = {"kind": "exchange", "group": each["group"], "together": together, "bytes": 1000}
            (series,) = predictor.draw_series(cell)[:1]
            slowest = max(inverse for one in series for inverse in one)
            found.append(1 / slowest / site.evaluation["link_mbps"])
            wanted.append(each["in_rank_order"][kind]["least"])
    assert found == pytest.approx(wanted, abs=1e-5)
    assert found


def test_links_at_their_designed_speed_match_and_a_slow_one_is_named(site: ZooSite, documents: Documents) -> None:
    document = make_findings(site.design)
    documents.check(document, "fnn-findings")
    assert (document["verdict"], document["findings"]) == ("match", [])
    cluster, speeds = Cluster(site.design), list_speeds(site.design)
    cluster.links = {link: {"speed_mbps": mbps, "duplex": "full"} for link, mbps in speeds.items()}
    assert list(cluster.verify().findings) == []
    slow, mbps = max(speeds.items(), key=lambda each: each[1])
    cluster.links[slow]["speed_mbps"] = mbps // 10
    (finding,) = cluster.verify().findings
    assert [(each.node, each.nic) for each in finding.cables] == [slow]


def test_swapped_cables_of_a_node_move_back_only_if_its_nics_differ(site: ZooSite) -> None:
    """macs.json adopts swapped NICs of one speed; another would run at a port that the design did not give it."""
    nics, speeds = list_nics(site), list_speeds(site.design)
    if has_cables(site.spec):
        return
    for one, other in combinations(nics, 2):
        family = media_family(nics[one]["media"])
        if one[0] != other[0] or family != media_family(nics[other]["media"]):
            continue
        cluster = Cluster(site.design)
        cluster.swap(one, other)
        cluster.links = {key: {"speed_mbps": mbps} for key, mbps in speeds.items() if key not in (one, other)}
        verification = cluster.verify()
        differ = nics[one]["speed_mbps"] != nics[other]["speed_mbps"]
        assert kinds(verification) == (["swap"] if differ else ["crossed"])
        assert moved(verification) == ({one, other} if differ else set())
        return
