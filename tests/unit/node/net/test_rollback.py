# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/net/pending.py, originals.py and rollback.py: pending changes and which connections confirm."""

from __future__ import annotations

import errno
import os
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest
import waiting
from ansible.module_utils.fnn.node.net import backup, locks, rollback
from ansible.module_utils.fnn.node.net.backup import Backup, BackupScope
from ansible.module_utils.fnn.node.net.locks import CHANGE_LOCK, KERNEL_LOCK, find_holders, open_lock
from ansible.module_utils.fnn.node.net.originals import Nic, list_settings, read_originals, record_originals
from ansible.module_utils.fnn.node.net.pending import (
    BOOT_TEXT,
    Pending,
    format_command,
    read_clock,
    read_pending,
    schedule_rollback,
)
from ansible.module_utils.fnn.node.net.place import Place
from ansible.module_utils.fnn.node.net.plan import Plan
from ansible.module_utils.fnn.node.net.plan_files import read_plan
from ansible.module_utils.fnn.node.net.rollback import REMOVED, confirm, describe_pending, roll_back, roll_back_pending
from ansible.module_utils.fnn.shared.failed import Failed
from ansible.module_utils.fnn.shared.node_paths import PROGRAM
from good_node import GOOD, change, settled

HERE, THERE = "192.0.2.1 50000 192.0.2.5 22", "192.0.2.1 50001 192.0.2.5 22"
GENERATION = "8-3f2a9c1b0d2e"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A node with a pending change to GENERATION, made over the connection HERE."""
    place = Place(tmp_path)
    Backup(place).keep(BackupScope(["/etc/fnn/node"], [], [], {}))
    place.plan.mkdir(parents=True)
    for name, text in GOOD.items():
        (place.plan / name).write_text(text)
    (place.plan / "node").write_text(GOOD["node"] + f"generation {GENERATION}\n")
    schedule_rollback(place, Pending(GENERATION, read_clock() + 60, HERE))
    return place


def test_a_pending_change_is_read_back(place: Place) -> None:
    pending = read_pending(place)
    assert pending and replace(pending, deadline=0) == Pending(GENERATION, 0, HERE)
    before, described, after = read_clock(), describe_pending(pending), read_clock()
    assert described and described["generation"] == GENERATION
    least, most = (round(pending.deadline - now, 1) for now in (after, before))
    assert least <= float(str(described["seconds"])) <= most


def test_a_new_connection_confirms_and_leaves_no_backup(place: Place) -> None:
    assert confirm(place, GENERATION, THERE) is True
    assert read_pending(place) is None and not Backup(place).exists()
    assert confirm(place, GENERATION, THERE) is False


def test_the_connection_that_made_the_change_does_not_confirm_it(place: Place) -> None:
    with pytest.raises(Failed, match="confirm over a new one") as refused:
        confirm(place, GENERATION, HERE)
    assert refused.value.code == 4 and read_pending(place)


def test_another_generation_is_not_confirmed(place: Place) -> None:
    with pytest.raises(Failed, match=f"the pending change is {GENERATION}, not 9-000000000000"):
        confirm(place, "9-000000000000", THERE)


def test_a_node_that_rolled_back_reports_time_and_reason(place: Place) -> None:
    confirm(place, GENERATION, THERE)
    (place.state / "refused").mkdir()
    (place.state / "refused/why").write_text("12:02:00: the change was not confirmed in time\n")
    with pytest.raises(Failed, match=r"this node rolled back .*12:02:00: the change was not"):
        confirm(place, "9-000000000000", THERE)


def test_a_node_without_a_plan_keeps_nothing(place: Place) -> None:
    schedule_rollback(place, Pending(REMOVED, read_clock() + 60, HERE))
    (place.plan / "node").unlink()
    record_originals(place, read_plan_of_good(place), None, settled(), [])
    assert confirm(place, REMOVED, "") is True
    assert not place.state.exists()


def test_a_damaged_file_counts_as_overdue(place: Place) -> None:
    (place.state / "pending").write_text("{")
    assert read_pending(place) == Pending("", 0)


def test_the_unit_at_boot_runs_before_all_readers_of_restored_files() -> None:
    text = BOOT_TEXT.format(state="/var/lib/fnn", command=format_command(Place()))
    assert "ConditionPathExists=/var/lib/fnn/pending\n" in text
    (line,) = [line for line in text.splitlines() if line.startswith("Before=")]
    assert {"network-pre.target", "systemd-networkd.service", "NetworkManager.service", "fnn-net.service"} <= set(
        line.partition("=")[2].split()
    )
    (start,) = [line for line in text.splitlines() if line.startswith("ExecStart=")]
    assert start.endswith("-B /var/lib/fnn/backup/fnn-net.pyz rollback --boot")


# --- originals ---


def read_plan_of_good(place: Place) -> Plan:
    (place.plan / "node").write_text(GOOD["node"])
    plan = read_plan(place.plan, place.sysctl)
    (place.plan / "node").unlink()
    return plan


def test_a_nic_is_recorded_once_when_a_plan_first_takes_it(place: Place) -> None:
    plan, kernel = read_plan_of_good(place), settled()
    change(kernel, "nic0", alias="", mtu=9000, arp=True)
    record_originals(place, plan, None, kernel, ["/etc/fnn"])
    noted = read_originals(place)
    assert noted.nics == {"02:f0:00:00:00:00": Nic(up=True, mtu=9000)}  # nic1 has our alias: its original is unknown
    assert noted.directories == ["/etc/fnn"]
    record_originals(place, plan, plan, settled(), [])
    assert read_originals(place) == noted


def test_a_nic_that_left_and_returns_is_recorded_again(place: Place) -> None:
    plan, kernel = read_plan_of_good(place), settled()
    change(kernel, "nic0", alias="", mtu=9000)
    record_originals(place, plan, None, kernel, [])
    change(kernel, "nic0", alias="", mtu=1400)
    record_originals(place, plan, replace(plan, links=plan.links[1:]), kernel, [])
    assert read_originals(place).nics["02:f0:00:00:00:00"].mtu == 1400


def test_a_nic_that_rested_keeps_its_record(place: Place) -> None:
    plan, kernel = read_plan_of_good(place), settled()
    change(kernel, "nic0", alias="", mtu=9000)
    record_originals(place, plan, None, kernel, [])
    change(kernel, "nic0", alias="", mtu=1400, up=False)  # as fnn-net leaves it
    record_originals(place, plan, replace(plan, links=plan.links[1:]), kernel, [])
    noted = read_originals(place).nics["02:f0:00:00:00:00"]
    assert (noted.mtu, noted.up) == (9000, True)


def test_a_default_is_recorded_for_the_devices_that_inherit_it(place: Place) -> None:
    key = "net/ipv4/conf/default/ignore_routes_with_linkdown"
    plan = replace(read_plan_of_good(place), sysctls={key: "1"})
    assert list_settings(plan, None, ["nic0"]) == [key, "net/ipv4/conf/nic0/ignore_routes_with_linkdown"]
    assert list_settings(plan, plan, ["nic0"]) == []


@pytest.mark.parametrize("enabled", [True, False])
def test_a_rollback_at_boot_leaves_its_units_to_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, enabled: bool
) -> None:
    """A stop would cancel the start that systemd has planned for this boot, and fnn-linkd would not run."""
    place = Place(tmp_path)
    place.plan.mkdir(parents=True)
    for name, text in GOOD.items():
        (place.plan / name).write_text(text)
    Backup(place).keep(BackupScope(["/etc/fnn/node"], [], [], {}))
    (place.plan / "node").unlink()
    schedule_rollback(place, Pending(GENERATION, read_clock() + 60, HERE))
    commands: list[list[str]] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        code = int(not enabled) if "is-enabled" in command else 0
        return subprocess.CompletedProcess(command, code, "", "")

    monkeypatch.setattr(Place, "has_systemd", True)
    monkeypatch.setattr(subprocess, "run", run)
    assert roll_back(place, "booted", at_boot=True) == []
    assert (place.plan / "node").read_text() == GOOD["node"]
    steps = [command for command in commands if {"start", "stop"} & {*command} and "fnn-rollback.timer" not in command]
    step = "start" if enabled else "stop"
    units = ("fnn-gateway", "fnn-names", "fnn-net", "fnn-linkd")
    assert steps == [["systemctl", "--no-block", step, f"{unit}.service"] for unit in units]
    reload = commands.index(["systemctl", "daemon-reload"])
    assert all(commands.index(each) > reload for each in steps)


def test_a_full_disk_stops_no_rollback(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no room for the user's copies; the rollback removes new files first and restores the former ones."""

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(backup.shutil, "copy2", fail)
    monkeypatch.setattr(rollback, "write_pending", fail)
    messages = roll_back(place, "the change was not confirmed in time")
    assert not (place.plan / "node").exists()
    assert read_pending(place) is None and not Backup(place).exists()
    assert any("No space left on device" in message for message in messages)


def test_a_confirm_that_takes_long_is_not_ended_by_the_rollback(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A confirm removes the pending file first, then its timer and units; systemd may need longer than the grace."""
    acquire = locks._acquire

    def acquire_during_confirm(path: Path, seconds: float) -> int | None:
        (place.state / "pending").unlink(missing_ok=True)
        return acquire(path, min(seconds, 0.2))

    monkeypatch.setattr(locks, "_acquire", acquire_during_confirm)
    schedule_rollback(place, Pending(GENERATION, read_clock() - 1, HERE))
    os.close(open_lock(place.locks / CHANGE_LOCK))
    with subprocess.Popen(["flock", "--no-fork", place.locks / CHANGE_LOCK, "sleep", "600"]) as confirming:
        while confirming.pid not in find_holders(place.locks / CHANGE_LOCK):
            time.sleep(0.01)
        assert roll_back_pending(place, at_deadline=True) == []
        assert confirming.poll() is None
        confirming.kill()
    assert (place.plan / "node").exists()


#: A former fnn-net: another process takes the kernel lock just before it. It waits for 120 s, as `fnn-net apply` waits
#: for 60 s.
FORMER = """
import subprocess, sys
lock = sys.argv[sys.argv.index("--root") + 1] + "/run/fnn/kernel.lock"
holding = ["flock", "--no-fork", lock, "sh", "-c", "echo; exec sleep 600"]
with subprocess.Popen(holding, stdout=subprocess.PIPE) as holder:
    holder.stdout.readline()
    free = subprocess.run(["flock", "--wait", "120", lock, "true"]).returncode == 0
    holder.kill()
sys.exit(0 if free else "the lock is not free")
"""


def test_a_lock_held_before_the_former_plan_is_applied_stops_no_rollback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place(tmp_path)
    place.plan.mkdir(parents=True)
    (place.plan / "node").write_text(GOOD["node"])
    program = place.locate(PROGRAM)
    program.parent.mkdir(parents=True)
    program.write_text(FORMER)
    Backup(place).keep(BackupScope(["/etc/fnn/node"], [], [], {}))
    (place.plan / "node").write_text(GOOD["node"] + f"generation {GENERATION}\n")
    schedule_rollback(place, Pending(GENERATION, read_clock() - 1, HERE))
    monkeypatch.setattr(locks, "GRACE", 0.5)
    began = waiting.read_clock()
    assert roll_back_pending(place, at_deadline=True) == []
    assert waiting.read_clock() - began < 10
    assert (place.plan / "node").read_text() == GOOD["node"]
    why = (place.state / "refused/why").read_text()
    assert "the change was not confirmed" in why and f"{place.locks / KERNEL_LOCK} was locked by process" in why


def test_a_rollback_by_hand_ends_no_process_and_changes_nothing(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "TIMEOUT", 0.3)
    monkeypatch.setattr(locks, "GRACE", 0.1)
    path = place.locks / KERNEL_LOCK
    os.close(open_lock(path))
    with subprocess.Popen(["flock", "--no-fork", path, "sleep", "600"]) as holder:
        while holder.pid not in find_holders(path):
            time.sleep(0.01)
        with pytest.raises(Failed, match=f"is locked by process {holder.pid} .* for more than 0.3 s"):
            roll_back_pending(place)
        assert holder.poll() is None
        holder.kill()
    pending = read_pending(place)
    assert pending is not None and not pending.refused
    assert (place.plan / "node").exists() and not (place.state / "refused").exists()


def test_new_files_are_deleted_before_former_ones_are_restored(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a full disk, where the new files take the room."""
    kept = Backup(place)
    (place.root / "a-former").write_text("former")
    kept.keep(BackupScope(["/a-former", "/z-new"], [], [], {}))
    (place.root / "a-former").write_text("changed")
    (place.root / "z-new").write_text("new")
    seen, put = [], Backup._put

    def note(self: Backup, entry: backup.Entry) -> None:
        seen.append(Path(entry.path).name)
        put(self, entry)

    monkeypatch.setattr(Backup, "_put", note)
    assert kept.restore() == []
    assert seen.index("z-new") < seen.index("a-former")
