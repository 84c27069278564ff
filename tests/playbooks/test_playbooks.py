# SPDX-License-Identifier: GPL-3.0-or-later
"""Bad input as a user sees it: the real playbooks on a copy of the lab's inventory, up to the first access to nodes.

Every refusal is one failed task on one host with one message, and leaves the documents unchanged. Refusals that need
nodes are in molecule/default/tests/test_refusals.py.
"""

from __future__ import annotations

import getpass
import json
import os
import shutil
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from ansible.module_utils.fnn.controller.documents import dumps, read_json
from ansible.module_utils.fnn.controller.site_lock import HOLDER, lock_site, unlock_site
from module_runner import RunModule
from plan_settings import BASE

SWITCHES = [{"name": name, "ports": 5} for name in ("red", "blue", "green")]
MADE = ("design.json", "macs.json", "spec.json")


@dataclass(frozen=True)
class Outcome:
    """How a command ended and what it printed."""

    status: int
    output: str

    @property
    def message(self) -> str:
        """The message of the one task that failed, as Ansible shows it."""
        assert self.output.count("FAILED!") == 1, self.output
        block = self.output.partition("FAILED! =>")[2].partition("\n\n")[0]
        shown = yaml.safe_load(block)
        assert set(shown) <= {"changed", "msg", "verdict"}, "more than a message is shown"
        return str(shown["msg"])


@dataclass(frozen=True)
class Site:
    """An inventory to modify, with the paths of its documents."""

    root: Path
    inventory: Path
    build: Path

    def add(self, **variables: Any) -> None:
        """Adds variables that replace those of the inventory; None removes one."""
        (self.inventory / "group_vars" / "fnn_nodes" / "more.yml").write_text(json.dumps(variables))

    def replace(self, name: str, old: str, new: str) -> None:
        path = self.inventory / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))

    def forget(self) -> None:
        """Deletes all documents, as before the first design."""
        for name in MADE:
            (self.inventory / name).unlink()

    def read(self) -> dict[str, bytes]:
        return {name: (self.inventory / name).read_bytes() for name in MADE if (self.inventory / name).exists()}

    def play(self, *words: str) -> Outcome:
        """Runs playbooks/design.yml, or the playbooks named in `words`."""
        playbooks = [] if any(word.endswith(".yml") for word in words) else ["playbooks/design.yml"]
        places = {"fnn_site_dir": str(self.inventory), "fnn_build_dir": str(self.build)}
        program = Path(sys.executable).with_name("ansible-playbook")
        command = [program, "--inventory", self.inventory, *playbooks, *words, "--extra-vars", json.dumps(places)]
        environment = os.environ | {"ANSIBLE_CONFIG": str(self.root / "ansible.cfg"), "ANSIBLE_NOCOLOR": "1"}
        environment.pop(HOLDER, None)  # so that a lock of this process counts as another operator's
        done = subprocess.run(
            command, cwd=self.root, env=environment, capture_output=True, text=True, timeout=1200, check=False
        )
        assert "Traceback" not in done.stderr + done.stdout
        return Outcome(done.returncode, done.stdout + done.stderr)

    def list_files(self) -> list[Path]:
        """All files of the inventory and beside it."""
        return sorted(path for path in self.inventory.parent.rglob("*") if not path.is_dir())


@pytest.fixture
def site(root: Path, tmp_path: Path, designer: Path) -> Site:
    """The lab's inventory with its documents."""
    return Site(root, Path(shutil.copytree(root / "inventory" / "lab", tmp_path / "site")), tmp_path / "build")


@pytest.fixture
def ask(site: Site, run_module: RunModule) -> RunModule:
    """Runs one module of a later stage on the documents of the site."""

    def run(module: str, **options: Any) -> dict[str, Any]:
        places = {name: site.inventory / f"{name}.json" for name in ("design", "macs")}
        return run_module(module, **places, **options)

    return run


REFUSED: dict[str, tuple[dict[str, Any], list[str]]] = {
    "counts that are zero or negative": (
        {
            "fnn_nics": -1,
            "fnn_switches": [{"name": "red", "ports": 0}, {"name": "blue", "ports": 5, "reserved": -2}],
            "fnn_uplink": {"name": "uplink", "ports": 0},
        },
        [
            *(f"/nodes/{rank}/nics: -1 is not a positive integer (fnn_nics of k0{rank})" for rank in range(6)),
            "/switches/0/ports: 0 is not a positive integer (fnn_switches)",
            "/switches/1/reserved: -2 is not a non-negative integer (fnn_switches)",
            "/uplink/ports: 0 is not a positive integer (fnn_uplink)",
        ],
    ),
    "one name for two": (
        {
            "fnn_switches": [*SWITCHES, {"name": "red", "ports": 5}, {"name": "k04", "ports": 5}],
            "fnn_uplink": {"name": "blue", "ports": 9, "spares": ["k00"]},
        },
        [
            '/switches/3/name: "red" is already the name of /switches/0 (fnn_switches)',
            '/switches/4/name: "k04" is already the name of /nodes/4 (fnn_switches)',
            '/uplink/name: "blue" is already the name of /switches/1 (fnn_uplink)',
            '/uplink/spares/0: "k00" is already the name of /nodes/0 (fnn_uplink)',
        ],
    ),
    "fewer ports than are reserved": (
        {"fnn_switches": [{"name": "red", "ports": 5, "reserved": 6}, *SWITCHES[1:]]},
        ["/switches/0/reserved: 6 ports reserved, but the switch has only 5 (fnn_switches)"],
    ),
    "unknown keys": (
        {"fnn_switches": [{"name": "red", "prots": 5}, *SWITCHES[1:]], "fnn_nics": [{"speed": 1000, "media": "rj45"}]},
        [
            *(
                f"/nodes/{rank}/nics/0/speed: unknown key, expected one of media, name, speed_mbps "
                f"(fnn_nics of k0{rank})"
                for rank in range(6)
            ),
            "/switches/0/ports: missing (fnn_switches)",
            "/switches/0/prots: unknown key, expected one of color, internal_gbps, name, ports, price, rack, reserved "
            "(fnn_switches)",
        ],
    ),
    "misspelt and missing variables": (
        {"fnn_switches": None, "fnn_swiches": SWITCHES, "fnn_redesing": True},
        [
            "fnn_switches: missing (the switches of the fabric; each entry has name, ports; optional: color, reserved, "
            "price, rack, internal_gbps)",
            "fnn_redesing: unknown variable; did you mean fnn_redesign?",
            "fnn_swiches: unknown variable; did you mean fnn_switches?",
        ],
    ),
    "variables of another kind": (
        {"fnn_seed": "one", "fnn_time_limit": -1, "fnn_prefix": {"red": "10.0.0.0/8"}},
        [
            "fnn_prefix: an object is not a text",
            'fnn_seed: "one" is not a non-negative integer',
            "fnn_time_limit: -1 is not a positive integer",
        ],
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("case", REFUSED)
def test_bad_variables_are_refused_and_no_document_changes(site: Site, case: str) -> None:
    variables, lines = REFUSED[case]
    site.add(**variables)
    before = site.read()
    outcome = site.play()
    assert (outcome.status, outcome.message.splitlines()) == (2, lines)
    assert site.read() == before


@pytest.mark.long
def test_a_node_given_twice_and_bad_variables_are_refused_together_and_no_document_changes(site: Site) -> None:
    variables, problems = REFUSED["misspelt and missing variables"]
    site.add(**variables)
    before = site.read()
    site.replace("hosts.yml", "    k05:\n", "    k05:\n    k03: {fnn_rack: left}\n")
    lines = (site.inventory / "hosts.yml").read_text().splitlines()
    first, second = [number for number, line in enumerate(lines, start=1) if line.startswith("    k03:")]
    outcome = site.play()
    twice = f"hosts.yml:{second}: k03 is given twice, first in line {first}"
    assert (outcome.status, outcome.message.splitlines()) == (2, [twice, *problems])
    assert site.read() == before


@pytest.mark.parametrize(
    "hosts",
    ["fnn_nodes:\n  hosts: {}\n", pytest.param("fnn_node:\n  hosts:\n    k00:\n", marks=pytest.mark.long)],
)
def test_an_inventory_without_nodes_is_no_success(site: Site, hosts: str) -> None:
    (site.inventory / "hosts.yml").write_text(hosts)
    outcome = site.play("site.yml")
    assert outcome.status == 2
    assert outcome.message.startswith("fnn_nodes: no host belongs to this group of the inventory")
    assert "PLAY [Design" not in outcome.output


def test_an_inventory_that_cannot_be_read_is_no_success(site: Site) -> None:
    site.replace("hosts.yml", "fnn_nodes:", "fnn_nodes: [")
    outcome = site.play("site.yml")
    assert outcome.status == 1
    assert "hosts.yml" in outcome.output
    assert "PLAY" not in outcome.output


@pytest.mark.long
def test_variables_that_are_no_yaml_are_named_with_file_and_line(site: Site) -> None:
    site.replace("group_vars/all/fnn.yml", "  - {name: blue", "   - {name: blue")
    outcome = site.play("site.yml")
    lines = (site.inventory / "group_vars/all/fnn.yml").read_text().splitlines()
    (number,) = [number for number, line in enumerate(lines, start=1) if line.startswith("   - {name: blue")]
    (line,) = [line for line in outcome.output.splitlines() if line.startswith("fnn: ")]
    assert line.startswith(f"fnn: group_vars/all/fnn.yml:{number}:")
    assert (outcome.status, "TASK" in outcome.output) == (4, False)


@pytest.mark.long
def test_an_infeasible_spec_is_refused_with_bound_and_suggestions(site: Site) -> None:
    site.forget()
    site.add(fnn_switches=[{**switch, "ports": 4} for switch in SWITCHES])
    outcome = site.play()
    assert (outcome.status, outcome.message.splitlines()) == (
        2,
        [
            # Three of four ports are for nodes, so k00 meets two other nodes on each of two switches.
            "spec.json: no design can exist (degree bound): k00 with 2 NICs can share a switch with at most 4 nodes, "
            "but there are 5 others",
            "any one of these changes makes it feasible:",
            "  1 more port per switch: 5 instead of 4",
        ],
    )
    assert not (site.inventory / "design.json").exists()


@pytest.mark.long
def test_a_changed_spec_stops_until_a_redesign_is_requested(site: Site) -> None:
    before = site.read()
    site.replace("hosts.yml", "    k05:\n", "    k05:\n    k06:\n")
    site.add(fnn_switches=[{**switch, "ports": 6} for switch in SWITCHES])
    outcome = site.play()
    assert (outcome.status, outcome.message.splitlines()) == (
        2,
        [
            "design.json: made for another spec; spec.json now differs:",
            "  node k06 added",
            *(f"  switch {switch['name']}: 5 ports became 6" for switch in SWITCHES),
            "set fnn_redesign=true (./fnn design --redesign); the new design stays close to the old one",
            "or fnn_redesign_output=FILE, to leave design.json as it is and rewire to that file",
        ],
    )
    assert site.read()["design.json"] == before["design.json"]


@pytest.mark.long
def test_a_redesign_keeps_all_cables_and_is_made_once(site: Site) -> None:
    old = read_json(site.inventory / "design.json")
    site.replace("hosts.yml", "    k05:\n", "    k05:\n    k06:\n")
    site.add(fnn_switches=[{**switch, "ports": 6} for switch in SWITCHES])
    assert site.play("--extra-vars", "fnn_redesign=true").status == 0
    new = read_json(site.inventory / "design.json")
    assert len(new["nodes"]) == 7
    assert list_cables(old) <= list_cables(new)
    again = site.read()
    assert site.play("--extra-vars", "fnn_redesign=true").status == 0
    assert site.read() == again


MAINTENANCE = {"nic": "eno1", "switches": [{"name": "grey", "ports": 8}]}


@pytest.mark.long
def test_a_maintenance_network_needs_no_new_design_of_the_fabric_and_changes_on_request(site: Site) -> None:
    fabric, own = site.inventory / "design.json", site.inventory / "maintenance-design.json"
    before = fabric.read_bytes()
    site.add(fnn_maintenance=MAINTENANCE)
    assert site.play().status == 0
    first = own.read_bytes()
    assert read_json(own)["spec"]["topology"] == "switch"
    site.add(fnn_maintenance={**MAINTENANCE, "switches": [{"name": "grey", "ports": 8}, {"name": "white", "ports": 8}]})
    refused = site.play()
    assert refused.status == 2
    assert "maintenance-design.json: made for another spec; maintenance-spec.json now differs:" in refused.message
    assert own.read_bytes() == first
    assert site.play("--extra-vars", "fnn_redesign=true").status == 0
    assert read_json(own)["spec"]["topology"] == "tree"
    assert fabric.read_bytes() == before


@pytest.mark.long
def test_a_maintenance_nic_that_fnn_nics_names_is_one_problem_and_no_document_changes(site: Site) -> None:
    nics = [{"name": name, "speed_mbps": 1000, "media": "rj45"} for name in ("eno1", "eno2")]
    site.add(fnn_nics=nics, fnn_maintenance=MAINTENANCE)
    before = site.read()
    outcome = site.play()
    text = '"eno1" is NIC 0 of k00 and of 5 more nodes in the fabric, but the maintenance network needs a NIC of its'
    assert (outcome.status, outcome.message) == (2, f"/maintenance/nic: {text} own (fnn_maintenance)")
    assert (site.read(), [*site.inventory.glob("maintenance-*")]) == (before, [])


@pytest.mark.long
def test_in_check_mode_a_redesign_shows_its_curve_and_errors_are_reported(site: Site) -> None:
    before = site.list_files(), site.read()
    site.add(fnn_goals={"shared_switches": 1}, fnn_patterns=[{"kind": "ring"}])
    added = site.inventory / "group_vars" / "fnn_nodes" / "more.yml"
    stopped = site.play("--check")
    assert stopped.status == 2
    assert stopped.message.startswith("design.json: made for another spec; spec.json now differs:")
    shown = site.play("--check", "--extra-vars", "fnn_redesign=true fnn_curve=true fnn_steps=1 fnn_time_limit=100")
    assert shown.status == 0, shown.output
    assert "mean_shared_switches: " in shown.output
    added.unlink()
    assert (site.list_files(), site.read()) == before


def list_cables(design: dict[str, Any]) -> set[tuple[str, int, str]]:
    return {(node["name"], link["nic"], link["switch"]) for node in design["nodes"] for link in node["links"]}


@pytest.mark.long
def test_a_design_with_another_spec_inside_is_refused(site: Site) -> None:
    design = read_json(site.inventory / "design.json")
    design["spec"]["switches"][0]["ports"][0]["count"] = 24
    (site.inventory / "design.json").write_text(dumps(design))
    before = site.read()
    outcome = site.play()
    assert outcome.status == 2
    digest = design["spec_digest"]
    assert outcome.message.startswith(f"design.json#/spec_digest: {digest} does not match the spec inside (expected ")
    assert site.read() == before


@pytest.mark.long
def test_a_design_with_a_cable_moved_by_hand_is_refused(site: Site) -> None:
    design = read_json(site.inventory / "design.json")
    links = design["nodes"][0]["links"]
    was = links[0]["switch"]
    (links[0]["switch"],) = {switch["name"] for switch in SWITCHES} - {link["switch"] for link in links}
    (site.inventory / "design.json").write_text(dumps(design))
    before = site.read()
    outcome = site.play()
    assert outcome.status == 2
    assert f'"k00" is listed, but has no link to {was}' in outcome.message
    assert all(line.startswith("design.json#/") for line in outcome.message.splitlines())
    assert site.read() == before


def test_check_mode_shows_the_documents_and_writes_none(site: Site) -> None:
    site.replace("hosts.yml", "    k05:\n", "    k05:\n    k06:\n")
    site.add(fnn_switches=[{**switch, "ports": 6} for switch in SWITCHES])
    before = site.list_files(), site.read()
    outcome = site.play("--check", "--diff", "--extra-vars", "fnn_redesign=true")
    assert outcome.status == 0, outcome.output
    # In the spec, in the design, and in the spec inside the design, which is made for the changed spec.
    assert outcome.output.count('"name": "k06"') == 3
    assert (site.list_files(), site.read()) == before


@pytest.mark.long
def test_the_inventory_as_it_is_passes(site: Site) -> None:
    before = site.list_files(), site.read()
    handle = lock_site(site.inventory)
    assert handle is not None
    unlock_site(handle)  # a lock that is given back refuses nothing
    outcome = site.play()
    assert outcome.status == 0, outcome.output
    assert (site.list_files(), site.read()) == before


def test_a_second_operator_is_refused_at_once_with_the_name_of_the_first(site: Site) -> None:
    before = site.list_files(), site.read()
    handle = lock_site(site.inventory)
    assert handle is not None
    try:
        refused = site.play()
    finally:
        unlock_site(handle)
    (line,) = [line for line in refused.output.splitlines() if line.startswith("fnn: ")]
    assert line.startswith(f"fnn: {site.inventory}: in use by {getpass.getuser()} on {socket.gethostname()}, process ")
    assert f"(kill {os.getpid()}), then run this again" in line
    assert (refused.status, "TASK" in refused.output) == (75, False)
    assert (site.list_files(), site.read()) == before


@pytest.mark.long
def test_a_lock_refuses_all_that_writes_and_nothing_else(site: Site) -> None:
    before = site.list_files(), site.read()
    handle = lock_site(site.inventory)
    assert handle is not None
    try:
        assert site.play("playbooks/labels.yml").status == 75
        assert site.play("--check").status == 0, "check mode writes nothing and locks nothing"
        # No host answers here; the play only has to begin.
        stopped = site.play("playbooks/wire.yml", "--extra-vars", "fnn_wire=stop ansible_ssh_executable=/bin/false")
        assert "PLAY [Watch the cables]" in stopped.output and "in use by" not in stopped.output
    finally:
        unlock_site(handle)
    assert (site.list_files(), site.read()) == before


@pytest.mark.long
def test_of_two_operators_at_once_one_works_and_the_other_is_refused(site: Site) -> None:
    with ThreadPoolExecutor() as pool:
        ended = [each.result() for each in [pool.submit(site.play) for _ in range(2)]]
    statuses = sorted(outcome.status for outcome in ended)
    assert statuses in ([0, 75], [0, 0]), "one after the other, or one alone"
    site.forget()
    assert site.play().status == 0, "nothing is left of a lock"


@pytest.mark.long
def test_jackets_that_do_not_suffice_are_reported_and_nothing_is_printed(site: Site) -> None:
    site.add(fnn_labels_stock={"red": 3, "blue": 9})
    before = site.read()
    outcome = site.play("playbooks/labels.yml")
    assert (outcome.status, outcome.message.splitlines()) == (
        2,
        [
            "fnn_labels_stock: switch red needs 4 cables in red; left in stock: 3",
            "fnn_labels_stock: switch green needs 4 cables in green; left in stock: none",
        ],
    )
    assert (site.read(), site.build.exists()) == (before, False)


@pytest.mark.long
def test_labels_are_printed_once_from_the_design_alone(site: Site) -> None:
    site.add(fnn_labels_papers=["a4"], fnn_labels_identify="serials", ansible_host="192.0.2.1")
    assert "changed=1" in site.play("playbooks/labels.yml").output
    assert (site.build / "labels/a4/flags.pdf").read_bytes().startswith(b"%PDF")
    site.add(fnn_labels_sheets=[5160], fnn_labels_offset_mm=[0.5, -1], fnn_labels_qr=True)
    assert "changed=1" in site.play("playbooks/labels.yml").output
    assert (site.build / "labels/5160/calibration.pdf").read_bytes().startswith(b"%PDF")
    again = site.play("playbooks/labels.yml")
    assert again.status == 0
    assert "changed=1" not in again.output


@pytest.mark.parametrize("module", ["fnn_macs", "fnn_verify", "fnn_render"])
def test_two_nodes_with_one_mac_are_refused_by_every_stage(site: Site, ask: RunModule, module: str) -> None:
    macs = read_json(site.inventory / "macs.json")
    mac = macs["nodes"][0]["nics"][0]["mac"]
    macs["nodes"][3]["nics"][1]["mac"] = mac
    (site.inventory / "macs.json").write_text(dumps(macs))
    before = site.read()
    more: dict[str, dict[str, Any]] = {
        "fnn_macs": {"observations": {}, "discovery": site.build / "discovery.json"},
        "fnn_verify": {"observations": {}, "findings": site.build / "findings.json"},
        "fnn_render": {"build": site.build, "variables": BASE},
    }
    answer = ask(module, **more[module])
    where = "/nodes/0/nics/0 (k03 nic1 and k00 nic0)"
    assert answer["msg"] == f"macs.json#/nodes/3/nics/1/mac: {mac} is already the MAC of {where}"
    assert (answer["failed"], site.read(), site.build.exists()) == (True, before, False)


def test_an_address_plan_that_does_not_fit_or_overlaps_is_refused(site: Site, ask: RunModule) -> None:
    variables = {**BASE, "fnn_prefix": "10.77.0.0/24", "fnn_identity_prefix": "10.79.128.0/24"}
    answer = ask("fnn_render", build=site.build, variables=variables)
    assert answer["msg"].splitlines() == [
        "fnn_prefix: 10.77.0.0/24 holds 1 subnet of /24, but 3 switches need 3; 10.77.0.0/22 would do",
        "fnn_management_prefix: 10.79.0.0/16 overlaps fnn_identity_prefix 10.79.128.0/24; 10.0.0.0/16 would do",
    ]
    assert (answer["failed"], site.build.exists()) == (True, False)


def test_a_nic_that_ansible_connects_over_is_refused(site: Site, ask: RunModule) -> None:
    before = site.read()
    macs = {nic["name"]: nic["mac"] for nic in read_json(site.inventory / "macs.json")["nodes"][1]["nics"]}
    links = [{"device": device, "mac": mac, "permanent": False} for device, mac in macs.items()]
    reason = "carries the SSH connection from 10.79.255.1"
    protected = [{"device": "nic1", "names": ["nic1"], "mac": macs["nic1"], "reason": reason}]
    observations = {"k01": {"links": links, "protected": protected}}
    answer = ask("fnn_macs", observations=observations, discovery=site.build / "discovery.json")
    text = f"nic1 {reason}, so it cannot be a NIC of the fabric (fnn_nics of k01)"
    assert answer["msg"] == f"/nodes/1/nics/1: {text}"
    assert (answer["failed"], site.read()) == (True, before)


def observe_fabric(site: Site, *left_out: str) -> dict[str, Any]:
    """The NICs of all nodes as in macs.json, without some devices."""
    return {
        node["name"]: {
            "links": [
                {"device": nic["name"], "mac": nic["mac"], "permanent": False}
                for nic in node["nics"]
                if nic["name"] not in left_out
            ]
        }
        for node in read_json(site.inventory / "macs.json")["nodes"]
    }


@pytest.mark.parametrize("known", [True, False], ids=["bound before", "new"])
def test_a_maintenance_nic_that_the_fabric_has_is_one_problem_and_nothing_changes(
    site: Site, ask: RunModule, known: bool
) -> None:
    observations = observe_fabric(site, "nic1")
    if not known:
        (site.inventory / "macs.json").unlink()
    before = site.read()
    places = {"discovery": site.build / "discovery.json"}
    answer = ask("fnn_macs", observations=observations, maintenance="nic1", **places)
    text = {
        True: "nic1 is NIC 1 of k00 and of 5 more nodes in the fabric, by macs.json",
        False: "besides nic1, k00 has 1 NIC, fewer than its fnn_nics, and so have 5 more nodes",
    }[known]
    assert answer["msg"] == f"fnn_maintenance: {text}; the maintenance network needs a NIC of its own"
    assert (answer["failed"], site.read(), site.build.exists()) == (True, before, False)


def test_a_maintenance_nic_beside_the_fabric_is_no_problem(site: Site, ask: RunModule) -> None:
    places = {"discovery": site.build / "discovery.json"}
    assert not ask("fnn_macs", observations=observe_fabric(site), maintenance="eno1", **places).get("failed")


def test_a_node_without_the_maintenance_nic_is_named_with_the_variable(site: Site, run_module: RunModule) -> None:
    design = site.root / "inventory/two-networks/maintenance-design.json"
    observations = {"k02": {"links": [{"device": "eth0", "mac": "02:f0:00:00:02:00", "permanent": False}]}}
    places = {"design": design, "macs": site.inventory / "own.json", "discovery": site.build / "discovery.json"}
    answer = run_module("fnn_macs", observations=observations, variable="fnn_maintenance", **places)
    assert answer["msg"] == "/nodes/2/nics/0/name: no NIC is called nicm, there are: eth0 (fnn_maintenance of k02)"
    assert not (site.inventory / "own.json").exists()


def test_a_mac_that_two_nics_have_is_found_and_not_bound(site: Site, ask: RunModule) -> None:
    (site.inventory / "macs.json").unlink()
    macs = {node: [f"02:f0:00:00:{node[1:]}:{nic:02d}" for nic in (0, 1)] for node in ("k00", "k03")}
    macs["k03"][1] = macs["k00"][0]
    observations = {
        node: {"links": [{"device": f"nic{nic}", "mac": mac, "permanent": True} for nic, mac in enumerate(each)]}
        for node, each in macs.items()
    }
    answer = ask("fnn_macs", observations=observations, discovery=site.build / "discovery.json")
    assert (answer["failed"], answer["msg"].splitlines()) == (
        True,
        [
            "duplicate-mac: k00 nic0 and k03 nic1 have the same MAC 02:f0:00:00:00:00: give k03 nic1 one of its own "
            "(replace the NIC, or set another address), then run discover and verify again",
            "    links: 02:f0:00:00:00:00 is the address of k00 nic0 and k03 nic1",
            "macs.json: has the MACs of 2 of 12 NICs",
        ],
    )
    bound = {node["name"]: node["nics"] for node in read_json(site.inventory / "macs.json")["nodes"]}
    assert {node: [(nic["nic"], nic["mac"]) for nic in nics] for node, nics in bound.items()} == {
        "k00": [(1, macs["k00"][1])],
        "k03": [(0, macs["k03"][0])],
    }
    assert [each["kind"] for each in read_json(site.build / "discovery.json")["findings"]] == ["duplicate-mac"]


def count_rendered_nodes(site: Site) -> int:
    return len(list((site.build / "nodes").glob("*/etc/fnn/node")))


def test_files_are_rendered_without_a_node(site: Site) -> None:
    """No node of this inventory answers. --limit leaves one host, in whose name the controller works for all."""
    outcome = site.play("playbooks/render.yml", "--check", "--diff")
    assert (outcome.status, count_rendered_nodes(site)) == (0, 0), outcome.output
    assert "after: common/etc/hosts" in outcome.output
    outcome = site.play("playbooks/render.yml", "--limit=k03")
    assert (outcome.status, count_rendered_nodes(site)) == (0, 6), outcome.output
    assert "changed=0" in site.play("playbooks/render.yml").output
