# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes that wait for confirmation and roll back; removal of the toolkit; conflicting configuration of a NIC. On a
real kernel.

There is no systemd here, so the tests do the work of timer and boot unit: they start the fnn-net of the backup.
tests/full/test_managers.py tests the units themselves, on nodes that boot.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.node.apply.build import build, describe_program
from ansible.module_utils.fnn.node.net.backup import Backup, BackupScope
from ansible.module_utils.fnn.node.net.pending import Pending, read_clock, read_pending, schedule_rollback
from ansible.module_utils.fnn.node.net.place import Place
from ansible.module_utils.fnn.node.net.rollback import roll_back
from namespaces import PREFIX, Cables
from one_node import FILES, MAC, NET, Apply
from waiting import wait_until

KEYS = ("net/ipv4/fib_multipath_hash_policy", "net/ipv6/conf/nic0/disable_ipv6")
PROGRAM = "var/lib/fnn/backup/fnn-net.pyz"
MOVED = {"/etc/fnn/links": f"red {MAC} 10.77.0.9/24 1400\n"}


class ConfiguredNode(Apply):
    """The same node, whose NIC had settings of another owner before. in_use: one of them is an address."""

    def __init__(self, cables: Cables, directory: Path, in_use: bool = True) -> None:
        super().__init__(cables, directory)
        cables.ip("k00", "link", "set", "nic0", "up", "mtu", "1450")
        if in_use:
            cables.ip("k00", "address", "add", "192.0.2.5/24", "dev", "nic0")
        (self.root / "etc").mkdir()
        (self.root / "etc/hosts").write_text("127.0.0.1 localhost\n")

    @property
    def state(self) -> Path:
        return self.root / "var/lib/fnn"

    def read_state(self) -> dict[str, Any]:
        """All kernel state, without values that change with time."""
        words = {"address": ["address"], "route": ["route", "show", "table", "all"], "neighbor": ["neighbor", "show"]}
        found = {name: self.cables.ip_json("k00", *command) for name, command in words.items()}
        for link in found["address"]:
            link.pop("ifindex")
            if link["ifname"].startswith("fnn0"):
                del link["address"]  # random, each time the device is created
            link["addr_info"] = [each for each in link["addr_info"] if each["family"] == "inet"]
        found["route"] = [each for each in found["route"] if ":" not in each["dst"]]
        script = "for key; do cat /proc/sys/$key; done"
        found["sysctls"] = self.cables.inside("k00", "sh", "-c", script, "sh", *KEYS).stdout
        return found

    def start_net(self, *words: str, program: str = PROGRAM, later: int = 0) -> subprocess.Popen[str]:
        """later: seconds by which the clock of the program is ahead."""
        command = [sys.executable, "-B", str(self.root / program), "--root", str(self.root), *words]
        inside = ["ip", "netns", "exec", PREFIX + "k00"]
        return subprocess.Popen([*inside, "unshare", "--time", "--boottime", str(later), *command], text=True)

    def net(self, *words: str, program: str = PROGRAM, later: int = 0) -> int:
        return self.start_net(*words, program=program, later=later).wait(300)

    def start_timer(self, later: int = 0) -> subprocess.Popen[str]:
        """Starts what the timer starts at the deadline; returns when it waits. later: as in start_net."""
        started = self.start_net("rollback", "--at-deadline", later=later)
        wait_until(lambda: "nanosleep" in Path(f"/proc/{started.pid}/wchan").read_text(), 20)
        return started

    def read_status(self) -> dict[str, Any]:
        program = str(self.root / "usr/local/sbin/fnn-net")
        status = self.cables.inside("k00", sys.executable, "-B", program, "--root", str(self.root), "status").stdout
        found: dict[str, Any] = json.loads(status)
        return found

    def confirm(self, generation: str = "", **options: Any) -> dict[str, Any]:
        return self.cables.run_module("k00", "fnn_confirm", generation=generation, root=str(self.root), **options)

    def change(self, seconds: int) -> subprocess.Popen[str]:
        """Makes a change that waits for confirmation, and starts what its timer starts."""
        self.render(MOVED)
        self.run(confirm=seconds)
        return self.start_timer()

    def change_for(self, seconds: int) -> None:
        """Makes a change that the node keeps for these seconds."""
        self.render(MOVED)
        self.run(confirm=60)
        assert self.confirm(lease=seconds)["changed"] is True

    def remove(self, **options: Any) -> dict[str, Any]:
        return self.cables.run_module("k00", "fnn_remove", root=str(self.root), **options)


@pytest.fixture
def node(cables: Cables, tmp_path: Path) -> ConfiguredNode:
    return ConfiguredNode(cables, tmp_path)


def test_a_confirmed_change_stays_and_cancels_the_rollback(node: ConfiguredNode) -> None:
    assert node.run(confirm=60)["armed"] is True
    assert json.loads((node.state / "pending").read_text())["generation"] == ""
    assert node.confirm()["changed"] is True
    assert sorted(path.name for path in node.state.iterdir()) == ["original.json"]
    assert node.confirm()["changed"] is False
    assert node.is_settled()


def test_where_nothing_changes_no_rollback_is_scheduled(node: ConfiguredNode) -> None:
    node.run()
    kept = sorted(node.state.rglob("*"))
    answer = node.run(confirm=60)
    assert (answer["changed"], answer["armed"]) == (False, False)
    assert sorted(node.state.rglob("*")) == kept


def test_rollback_of_a_first_plan_restores_the_original_state(node: ConfiguredNode) -> None:
    files, kernel = node.read_all(), node.read_state()
    node.run(confirm=60)
    assert node.read_state() != kernel
    assert node.net("rollback") == 0
    assert (node.read_all(), node.read_state()) == (files, kernel)
    assert sorted(path.name for path in node.state.iterdir()) == ["refused"]
    assert (node.state / "refused/etc/fnn/links").read_text() == FILES["/etc/fnn/links"]
    assert not (node.root / "etc/fnn").exists() and not (node.root / "usr").exists()


def test_rollback_restores_the_former_plan_and_its_programs(node: ConfiguredNode) -> None:
    node.run()
    files, kernel = node.read_all(), node.read_state()
    broken = {NET: "raise SystemExit('broken')\n", "/etc/sysctl.d/90-fnn.conf": "net.ipv4.ip_forward = 1\n"}
    node.render(MOVED)
    node.run(confirm=60)
    assert node.read_state() != kernel
    for path, text in broken.items():  # breaks the files after the check
        (node.root / path.lstrip("/")).write_text(text)
    assert node.net("rollback") == 0
    assert (node.read_all(), node.read_state()) == (files, kernel)


def test_rollback_restores_a_nic_that_only_the_refused_plan_has(node: ConfiguredNode) -> None:
    node.cables.add_nic("k00", 1, "02:f0:00:00:00:01", "red")
    node.cables.ip("k00", "link", "set", "nic1", "up", "mtu", "1300")
    node.cables.ip("k00", "address", "add", "198.51.100.5/24", "dev", "nic1")
    node.run()
    kernel = node.read_state()
    node.render({"/etc/fnn/links": FILES["/etc/fnn/links"] + "blue 02:f0:00:00:00:01 10.77.1.1/24 1500\n"})
    node.run(confirm=60)
    assert node.net("rollback") == 0
    assert node.read_state() == kernel


def test_a_change_is_rolled_back_at_the_deadline_unless_confirmed(node: ConfiguredNode) -> None:
    files = node.read_all()
    node.run(confirm=600)
    waiting = node.start_timer()
    assert (node.state / "pending").exists()
    assert node.net("rollback", "--at-deadline", later=601) == 0
    assert waiting.wait(60) == 0
    assert node.read_all() == files
    assert "the change was not confirmed in time" in (node.state / "refused/why").read_text()
    answer = node.confirm("9-000000000000")
    assert "this node rolled back the change" in answer["msg"] and "in time" in answer["msg"]
    node.run(confirm=600)
    waiting = node.start_timer()
    node.confirm()
    assert waiting.wait(60) == 0
    assert node.is_settled()


def test_the_timer_ends_when_the_deadline_comes(node: ConfiguredNode) -> None:
    files = node.read_all()
    node.run(confirm=2)
    deadline = json.loads((node.state / "pending").read_text())["deadline"]
    assert node.net("rollback", "--at-deadline") == 0
    assert read_clock() >= deadline
    assert node.read_all() == files


def test_a_leased_change_outlives_its_deadline_and_is_rolled_back_when_the_lease_ends(node: ConfiguredNode) -> None:
    node.run()
    files, kernel = node.read_all(), node.read_state()
    waiting = node.change(600)
    assert node.confirm(lease=1800)["changed"] is True
    unconfirmed = node.read_status()["unconfirmed"]
    assert unconfirmed["leased"] is True
    assert 600 < unconfirmed["seconds"] <= 1800
    leased = node.start_timer(later=900)
    assert "10.77.0.9" in json.dumps(node.read_state()["address"])
    assert node.net("rollback", "--at-deadline", later=1801) == 0
    assert (waiting.wait(60), leased.wait(60)) == (0, 0)
    assert (node.read_all(), node.read_state()) == (files, kernel)
    assert "the lease of the change has ended" in (node.state / "refused/why").read_text()


def test_a_confirmed_change_ends_the_lease_of_an_earlier_one(node: ConfiguredNode) -> None:
    node.run()
    files = node.read_all()
    node.change_for(60)
    node.render(FILES)
    assert node.run(confirm=60)["armed"] is True
    assert node.confirm()["changed"] is True
    assert not (node.state / "pending").exists()
    assert node.read_all() == files


def test_a_leased_change_that_is_applied_again_waits_for_confirmation(node: ConfiguredNode) -> None:
    node.run()
    node.change_for(600)
    answer = node.run(confirm=60)
    assert (answer["changed"], answer["armed"]) == (False, True)
    unconfirmed = node.read_status()["unconfirmed"]
    assert "leased" not in unconfirmed
    assert unconfirmed["seconds"] <= 60


def test_a_leased_change_is_rolled_back_at_the_next_boot(node: ConfiguredNode) -> None:
    node.run()
    files = node.read_all()
    node.change_for(600)
    assert node.net("rollback", "--boot") == 0
    assert node.read_all() == files


def test_a_change_that_is_kept_for_good_gets_no_lease(node: ConfiguredNode) -> None:
    node.run()
    assert node.confirm(lease=600)["msg"].endswith("is kept for good already, so it cannot end by itself")


@pytest.mark.long
def test_a_second_change_moves_the_deadline_and_rolls_back_to_the_confirmed_state(node: ConfiguredNode) -> None:
    node.run()
    files, kernel = node.read_all(), node.read_state()
    waiting = node.change(600)
    node.render({**MOVED, "/etc/hosts": "10.78.0.1 other\n"})
    assert node.run(confirm=1800)["armed"] is True
    later = node.start_timer(later=900)
    assert node.net("rollback", "--at-deadline", later=1801) == 0
    assert (waiting.wait(60), later.wait(60)) == (0, 0)
    assert (node.read_all(), node.read_state()) == (files, kernel)


def test_a_run_that_finds_a_change_waiting_has_it_confirmed(node: ConfiguredNode) -> None:
    """The controller stopped before it could confirm, and the operator runs it again."""
    node.run(confirm=60)
    answer = node.run(confirm=60)
    assert (answer["changed"], answer["armed"]) == (False, True)
    assert node.confirm()["changed"] is True


def test_the_next_boot_brings_files_back_and_leaves_the_network_to_the_unit(node: ConfiguredNode) -> None:
    node.run()
    files = node.read_all()
    node.render(MOVED)
    node.run(confirm=60)
    assert node.net("rollback", "--boot") == 0
    assert node.read_all() == files
    assert node.net("apply", program="usr/local/sbin/fnn-net") == 0
    assert "10.77.0.1" in json.dumps(node.read_state()["address"])


def test_half_a_rollback_is_finished_by_the_next(node: ConfiguredNode) -> None:
    node.run()
    files, kernel = node.read_all(), node.read_state()
    node.render(MOVED)
    node.run(confirm=60)
    blocked = node.root / "usr/local/sbin/fnn-net"
    blocked.unlink()
    blocked.mkdir()
    assert node.net("rollback") == 1
    assert (node.state / "pending").exists()
    blocked.rmdir()
    assert node.net("rollback") == 0
    assert (node.read_all(), node.read_state()) == (files, kernel)
    assert (node.state / "refused/etc/fnn/links").read_text() == MOVED["/etc/fnn/links"], "not written over"


def test_the_same_connection_does_not_confirm(node: ConfiguredNode) -> None:
    node.cables.ssh_connection = "203.0.113.1 50000 203.0.113.5 22"
    node.run(confirm=60)
    assert node.confirm()["connection"] is True
    node.cables.ssh_connection = "203.0.113.1 50001 203.0.113.5 22"
    assert node.confirm()["changed"] is True


def test_a_later_pass_is_refused_after_a_rollback(node: ConfiguredNode) -> None:
    node.run(**{"pass": "prepare"}, confirm=60)
    assert node.net("rollback") == 0
    answer = node.run(**{"pass": "switch"}, confirm=60)
    assert answer["msg"] == (
        "this node is not prepared for the pass switch of this plan: it rolled back, or another controller started a "
        "change since; run playbooks/network.yml again, from one controller"
    )


# --- removal ---


def test_removal_restores_the_original_state(node: ConfiguredNode) -> None:
    files, kernel = node.read_all(), node.read_state()
    node.run()
    node.render(MOVED)
    node.run()
    preview = node.remove(_ansible_check_mode=True, _ansible_diff=True)
    assert preview["changed"] and "/etc/fnn/links" in preview["removed"] and preview["files"] == ["/etc/hosts"]
    assert 'nic0 down arp on mtu 1450 alias ""' in preview["diff"][-1]["prepared"]
    assert node.is_settled()
    answer = node.remove(confirm=60)
    assert (answer["armed"], answer["removed"], answer["commands"]) == (True, preview["removed"], preview["commands"])
    assert (node.read_all(), node.read_state()) == (files, kernel)
    assert node.confirm(answer["generation"])["changed"] is True
    assert list_fnn(node.root) == []
    again = node.remove(confirm=60)
    assert (again["changed"], again["armed"], again["removed"]) == (False, False, [])
    assert list_fnn(node.root) == []


@pytest.mark.long
def test_removal_deletes_the_leftovers_of_a_refused_first_change(node: ConfiguredNode) -> None:
    node.run(confirm=60)
    assert node.net("rollback") == 0
    assert (node.state / "refused/why").exists()
    assert node.remove(_ansible_check_mode=True)["changed"] is True
    assert node.remove(network=False)["changed"] is False
    assert (node.state / "refused/why").exists()
    assert node.remove(confirm=60)["changed"] is True
    assert list_fnn(node.root) == []
    assert node.remove(confirm=60)["changed"] is False


def test_an_unconfirmed_removal_is_rolled_back(node: ConfiguredNode) -> None:
    node.run()
    files, kernel = node.read_all(), node.read_state()
    node.remove(confirm=60)
    assert node.net("rollback") == 0
    assert (node.read_all(), node.read_state()) == (files, kernel)
    node.remove()
    assert not node.state.exists()


@pytest.mark.long
def test_a_rolled_back_removal_restores_settings_that_the_nic_had_from_the_default(
    cables: Cables, tmp_path: Path
) -> None:
    """The kernel copies conf/default only to a NIC that never had an address or a value of its own."""
    node, keys = ConfiguredNode(cables, tmp_path, in_use=False), "net.ipv4.conf.{}.ignore_routes_with_linkdown"
    read = ["sysctl", "-n", keys.format("default"), keys.format("nic0")]
    node.render({"/etc/sysctl.d/90-fnn.conf": f"{keys.format('default')} = 1\n"})
    node.run()
    assert cables.inside("k00", *read).stdout.split() == ["1", "1"]
    node.remove(confirm=60)
    assert cables.inside("k00", *read).stdout.split() == ["0", "0"]
    assert node.net("rollback") == 0
    assert cables.inside("k00", *read).stdout.split() == ["1", "1"]


def test_a_removal_that_would_cut_the_connection_is_refused(node: ConfiguredNode) -> None:
    node.run()
    node.cables.ssh_connection = "203.0.113.1 50000 10.77.0.1 22"
    files = node.read_all()
    answer = node.remove(confirm=60)
    assert answer["msg"] == "fnn-net: nic0 carries the SSH connection from 203.0.113.1; not given back"
    assert node.read_all() == files


def test_removal_deletes_other_files_only_with_our_mark(node: ConfiguredNode) -> None:
    ours, theirs = "# Written by the FNN toolkit.\n", "# mine\n"
    texts = {"usr/etc/a.conf": ours, "usr/etc/b.conf": theirs, "usr/local/lib/fnn/x.so": "", "etc/ssh/known": "x\n"}
    for name, text in texts.items():
        (node.root / name).parent.mkdir(parents=True, exist_ok=True)
        (node.root / name).write_text(text)
    (node.root / "etc/ssh/known").write_text("x\n# BEGIN fnn\ny\n# END fnn\n")
    marked = {"marked": ["/usr/etc/a.conf", "/usr/etc/b.conf"], "blocks": ["/etc/ssh/known", "/etc/ssh/none"]}
    answer = node.remove(network=False, files=["/usr/local/lib/fnn/*.so"], **marked)
    assert answer["removed"] == ["/usr/etc/a.conf", "/usr/local/lib/fnn/x.so"]
    assert (node.root / "etc/ssh/known").read_text() == "x\n"
    assert not (node.root / "usr/local/lib/fnn").exists()
    assert (node.root / "usr/local/lib").is_dir()
    assert node.remove(network=False, files=["/usr/local/lib/fnn/*.so"], **marked)["changed"] is False


def test_directories_that_were_there_before_stay_also_empty_ones(node: ConfiguredNode) -> None:
    for path in ("usr/local/sbin", "usr/local/lib", "usr/local/bin", "etc/systemd/network", "var/lib"):
        (node.root / path).mkdir(parents=True)
    before = list_lasting(node.root)
    node.run()
    program = describe_program("/usr/local/libexec/fnn", "all_pairs", "", [])
    answer = build(node.root, program, check=False)
    assert answer["files"][:2] == ["/usr/local/libexec", "/usr/local/libexec/fnn"]
    loader_conf = node.root / "etc/ld.so.conf.d/00-fnn-mpich.conf"
    loader_conf.parent.mkdir()
    loader_conf.write_text("# Written by the FNN toolkit.\n")
    node.remove(network=False, files=["/usr/local/libexec/fnn/*"])
    assert not (node.root / "usr/local/libexec").exists()
    node.remove(network=False, marked=["/etc/ld.so.conf.d/00-fnn-mpich.conf"])
    assert not loader_conf.exists()
    loader_conf.parent.rmdir()
    node.remove()
    assert list_lasting(node.root) == before


def list_fnn(root: Path) -> list[Path]:
    return [path for path in root.rglob("*") if "fnn" in path.name]


def list_lasting(root: Path) -> list[Path]:
    """All files that survive a reboot: not /run, which holds the locks."""
    return sorted(path for path in root.rglob("*") if path.relative_to(root).parts[0] != "run")


# --- conflicting configuration of a NIC ---


def test_conflicting_configuration_is_refused_before_anything_changes(node: ConfiguredNode) -> None:
    claims = {
        "etc/netplan/50-cloud-init.yaml": "network:\n  ethernets:\n    nic0:\n      dhcp4: true\n",
        "etc/network/interfaces": "auto nic0\niface nic0 inet dhcp\n",
    }
    for name, text in claims.items():
        (node.root / name).parent.mkdir(parents=True, exist_ok=True)
        (node.root / name).write_text(text)
    files, kernel = node.read_all(), node.read_state()
    answer = node.run(confirm=60)
    assert answer["msg"].splitlines() == [
        "/etc/network/interfaces:2: ifupdown configures nic0, a NIC of the cluster; run `ifdown nic0`, then remove "
        "this stanza, and nic0 from the line `auto`",
        "/etc/netplan/50-cloud-init.yaml:3: netplan configures nic0, a NIC of the cluster; remove it there, then run "
        "`netplan generate`; cloud-init wrote the file and may write it again: put `network: {config: disabled}` in "
        "/etc/cloud/cloud.cfg.d/99-fnn.cfg",
    ]
    assert (node.read_all(), node.read_state(), node.state.exists()) == (files, kernel, False)


@pytest.mark.parametrize(("room", "added"), [(0, True), (1, True), (5, True), (10, False), (12, False)])
def test_a_full_disk_stops_no_rollback(tmp_path: Path, room: int, added: bool) -> None:
    """All directories of the toolkit are on that disk, with `room` free pages. Removing an added file frees its pages.
    Copies of the two refused files, four pages each, may take the last free pages; the rollback then deletes them."""
    former, new = "former\n" * 2000, "refused\n" * 2000
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", tmp_path], check=True)
    try:
        place = Place(tmp_path)
        place.plan.mkdir(parents=True)
        for name in ("links", "routes"):
            (place.plan / name).write_text(former)
        Backup(place).keep(BackupScope([f"/etc/fnn/{name}" for name in ("links", "routes", "new")], [], [], {}))
        schedule_rollback(place, Pending("8-3f2a9c1b0d2e", read_clock() + 60, ""))
        for name in ("links", "routes"):
            (place.plan / name).write_text(new)
        if added:
            (place.plan / "new").write_text(former)
        spare = tmp_path / "spare"
        spare.write_bytes(bytes(4096 * room))
        with contextlib.suppress(OSError), (tmp_path / "filler").open("wb", buffering=0) as filler:
            while filler.write(bytes(4096)):
                pass
        spare.unlink()
        roll_back(place, "the change was not confirmed in time")
        assert [(place.plan / name).read_text() == former for name in ("links", "routes")] == [True, True]
        assert not (place.plan / "new").exists() and not Backup(place).exists()
        assert read_pending(place) is None
    finally:
        subprocess.run(["umount", tmp_path], check=True)
