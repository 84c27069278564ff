# SPDX-License-Identifier: GPL-3.0-or-later
"""Failures during a run: of the controller, a connection, a node, a disk, a clock, the lab itself.

All nodes reach one another meanwhile, no document is half-written, and the next run succeeds. The tests share one lab
and run in order: each leaves the cluster proved.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from bad_day_site import (
    LAB,
    NODES,
    REMOVAL,
    REWIRING,
    ROTATION,
    STAGES,
    BadDaySite,
    SecondDesk,
)
from labsite import find_failed, to_playbooks

MOMENTS = int(os.environ.get("FNN_TEST_MOMENTS", "20"))
NETWORK = "playbooks/network.yml"
HOUR, DAY = 3600, 86400
#: Seconds between two pulled cables, and of the longest stall of a job.
PULLS, STANDSTILL = 15, 1.2


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[BadDaySite]:
    """Booted, configured and proved, as a cluster in use."""
    site = BadDaySite(root)
    with site.booted("playbooks/design.yml", "playbooks/lab.yml"):
        site.play(*to_playbooks(*STAGES, "prove"))
        yield site


def others(node: str) -> list[str]:
    return [name for name in NODES if name != node]


@pytest.mark.parametrize("stage", [*STAGES, "prove"])
def test_a_killed_controller_leaves_a_cluster_that_talks(site: BadDaySite, stage: str) -> None:
    """Every killed run had changes to make, and so had the one whose duration is measured."""
    dice = random.Random(stage)
    site.make_work(stage)
    began = time.monotonic()
    site.play(*to_playbooks(stage))
    whole = time.monotonic() - began
    for _ in range(MOMENTS):
        site.make_work(stage)
        site.kill(dice.uniform(0.1, 1.1) * whole, *to_playbooks(stage))
        assert site.desk.list_halves() == []
        assert site.find_silent(NODES) == []
    site.play(*to_playbooks(*STAGES))
    assert site.desk.list_left() == []
    site.check_proved(*NODES)


def test_a_key_rotation_that_was_killed_refuses_no_frame(site: BadDaySite) -> None:
    """All keys of the cluster stay valid until the last step, so no daemon loses a peer."""
    dice = random.Random("rotation")
    began = time.monotonic()
    site.play(ROTATION)
    whole = time.monotonic() - began
    since = {node: site.inside(node, "date", "+%s").strip() for node in NODES}
    for _ in range(MOMENTS):
        site.kill(dice.uniform(0.1, 1.1) * whole, ROTATION)
        assert site.find_silent(NODES) == []
    site.play(ROTATION)
    for node in NODES:
        assert "is not used" not in site.inside(node, "journalctl", "-q", "-u", "fnn-linkd", f"--since=@{since[node]}")
    site.check_proved(*NODES)


def test_a_removal_that_was_killed_is_completed_by_the_next(site: BadDaySite) -> None:
    dice = random.Random("removal")
    began = time.monotonic()
    site.play(REMOVAL)
    whole = time.monotonic() - began
    for _ in range(max(MOMENTS // 2, 2)):
        site.play(*to_playbooks(*STAGES))
        site.kill(dice.uniform(0.1, 1.1) * whole, REMOVAL)
        site.play(REMOVAL)
        for node in NODES:
            assert site.list_fnn_files(node) == []
    site.play(*to_playbooks(*STAGES))
    site.check_proved(*NODES)


def test_a_killed_rewiring_resumes_at_its_batch(site: BadDaySite) -> None:
    """Rewires there and back, first without a kill; then with two kills in each step."""
    dice = random.Random("rewiring")
    whole: dict[str, float] = {}
    for _ in range(1 + max(MOMENTS // 4, 2)):
        site.play(*REWIRING, "fnn_rewire_step=plan", "-e", f"fnn_rewire_to={site.write_target()}")
        (batch,) = site.read("rewire.json")["batches"]
        for step in ("begin", "finish"):
            words = (*REWIRING, f"fnn_rewire_step={step}")
            for _ in range(2 if step in whole else 0):
                site.kill(dice.uniform(0.1, 1.1) * whole[step], *words)
                assert site.desk.list_halves() == []
                assert site.find_silent(NODES) == []
            began = time.monotonic()
            if step == "begin" or not site.read("rewire.json")["done"]:
                site.play(*words)
            whole.setdefault(step, time.monotonic() - began)
            if step == "begin":
                site.move_cables(batch["moves"])
        # The network where the last kill came after the batch was done; host keys have names of NICs, which changed.
        site.play(NETWORK, "playbooks/mpi.yml")
        site.check_proved(*NODES)


def test_an_apply_whose_connections_are_cut_fails_only_on_their_nodes(site: BadDaySite) -> None:
    dice = random.Random("cut")
    for _ in range(max(MOMENTS // 4, 2)):
        site.change_mode()
        with site.start(NETWORK) as playing:
            time.sleep(dice.uniform(3, 15))
            for node in ("k02", "k03"):
                site.cut_connections(node)
            output, _ = playing.communicate()
        assert find_failed(output) <= {"k02", "k03"}, output
        assert playing.returncode == 0 or find_failed(output), output
        assert site.find_silent(NODES) == []
    site.play(NETWORK)
    site.check_proved(*NODES)


@pytest.mark.parametrize("stage", ["verify", "network", "mpi"])
def test_a_node_that_reboots_during_a_stage_fails_alone(site: BadDaySite, stage: str) -> None:
    dice = random.Random(f"reboot {stage}")
    for _ in range(max(MOMENTS // 8, 2)):
        site.make_work(stage)
        with site.start(*to_playbooks(stage)) as playing:
            time.sleep(dice.uniform(3, 12))
            site.podman("restart", "--time=0", f"{LAB}-k03")
            output, _ = playing.communicate()
        assert find_failed(output) <= {"k03"}, output
        assert playing.returncode == 0 or find_failed(output) or stage == "verify", output
        assert site.find_silent(others("k03")) == []
        site.wait_until_up("k03")
    site.play(*to_playbooks(*STAGES))
    site.check_proved(*NODES)


@pytest.mark.parametrize("stage", ["verify", "network", "mpi"])
def test_a_frozen_node_ends_the_run_with_its_name(site: BadDaySite, stage: str) -> None:
    site.make_work(stage)
    with site.start(*to_playbooks(stage)) as playing:
        time.sleep(4)
        site.podman("pause", f"{LAB}-k04")
        try:
            output, _ = playing.communicate(timeout=1200)
            assert playing.returncode != 0
            assert find_failed(output) == {"k04"} or stage == "verify", output
            assert "k04" in output
            assert site.find_silent(others("k04")) == []
        finally:
            site.podman("unpause", f"{LAB}-k04")
    site.wait_until_up("k04")
    site.play(*to_playbooks(*STAGES))
    site.check_proved(*NODES)


#: State of a disk -> message of the kernel.
REASONS = {"full": "No space left on device", "read-only": "Read-only file system", "gone": "Input/output error"}


@pytest.mark.parametrize("state", REASONS)
@pytest.mark.parametrize(
    ("stage", "directory"),
    [("network", "/etc/fnn"), ("network", "/var/lib/fnn"), ("mpi", "/usr/local/lib/fnn"), ("mpi", "/home/fnn")],
)
def test_files_stay_as_they_are_where_the_disk_fails(site: BadDaySite, stage: str, directory: str, state: str) -> None:
    site.make_work(stage)
    with site.disk("k01", directory, state):
        before = site.list_files("k01", directory)
        done = site.try_to_run(*site.write_play(*to_playbooks(stage)))
        assert done.returncode != 0
        output = " ".join(done.stdout.split())
        assert find_failed(done.stdout) == {"k01"}, output
        assert REASONS[state] in output and f"{directory}/" in output, output
        assert site.list_files("k01", directory) == before
        assert site.find_silent(NODES) == []
        assert site.inside("k01", "systemctl", "is-active", "fnn-linkd").strip() == "active"
    site.play(*to_playbooks(*STAGES))
    site.check_proved(*NODES)


def test_a_second_run_on_the_same_site_is_refused(site: BadDaySite) -> None:
    with site.start("site.yml") as first:
        time.sleep(5)
        second = site.try_to_run(*site.write_play("site.yml"))
        output, _ = first.communicate()
    assert first.returncode == 0, output
    assert second.returncode == 75, second.stdout + second.stderr
    assert "in use by" in second.stdout + second.stderr
    site.check_proved(*NODES)


TWO_CONTROLLERS = ("the pending change is", "another controller started a change", "this node rolled back the change")


def test_two_controllers_that_share_no_lock_leave_nodes_that_talk(site: BadDaySite) -> None:
    """Each controller has a copy of the site, so only the locks of the nodes separate the two."""
    dice = random.Random("desks")
    other = SecondDesk(site)
    for _ in range(max(MOMENTS // 8, 2)):
        site.change_mode()
        other.turn = site.turn
        other.change_mode()
        with site.start(NETWORK) as first:
            time.sleep(dice.uniform(0, 6))
            with other.start(NETWORK) as second:
                output = [playing.communicate()[0] for playing in (first, second)]
        for playing, text in zip((first, second), output, strict=True):
            assert playing.returncode == 0 or any(reason in " ".join(text.split()) for reason in TWO_CONTROLLERS), text
        assert site.find_silent(NODES) == []
        site.play(*to_playbooks("network", "mpi"))  # names of nodes and their host keys depend on the mode
        site.check_proved(*NODES)


def test_nodes_of_two_generations_talk_and_the_proof_names_them(site: BadDaySite) -> None:
    """Programs of the proof from an older toolkit are removed, too."""
    programs = "/usr/local/libexec/fnn"
    site.shell("k00", f"rm {programs}/*.c; touch {programs}/all_pairs-000000000000.mpicc.openmpi")
    site.change_mode()
    site.play(NETWORK, "--limit", ",".join(NODES[:3]))
    assert site.find_silent(NODES) == []
    done = site.try_to_run(*site.write_play("playbooks/prove.yml"))
    assert done.returncode != 0
    output = " ".join(done.stdout.split())
    assert len(site.inside("k00", "ls", programs).split()) == 3
    assert "older plan than that of other nodes: k03, k04, k05; run playbooks/network.yml" in output, output
    site.play(*to_playbooks("network", "mpi"))
    site.check_proved(*NODES)


def test_an_mpi_job_under_ten_pulled_cables_stands_still_only_briefly(site: BadDaySite) -> None:
    """Each cable is back before the next pull. Pairs with one common switch use the uplink meanwhile."""
    dice = random.Random("cables")
    cables = dice.sample([f"{node}:{nic}" for node in NODES for nic in (0, 1)], 10)
    with site.start_alltoall(PULLS * len(cables) + 10) as job:
        assert job.stdout is not None
        while "started" not in (line := job.stdout.readline()):
            assert line, "the job ended before it began"
        for cable in cables:
            began = time.monotonic()
            site.fnn("lab", "unplug", cable)
            time.sleep(3)
            site.fnn("lab", "plug", cable)
            time.sleep(max(0, began + PULLS - time.monotonic()))
        output, _ = job.communicate(timeout=600)
    assert job.returncode == 0, output
    answer = json.loads(next(line for line in output.splitlines() if line.startswith("{")))
    assert (answer["ranks"], answer["wrong"]) == (len(NODES), 0)
    assert answer["longest"] <= STANDSTILL, answer


@pytest.mark.parametrize("days", [1, -1], ids=["ahead", "behind"])
def test_a_clock_that_is_a_day_off_changes_nothing(site: BadDaySite, days: int) -> None:
    site.shift_clock("k04", days * DAY)
    try:
        off = float(site.inside("k04", "date", "+%s")) - time.time()
        assert abs(off - days * DAY) < HOUR
        site.change_mode()
        site.play(*to_playbooks(*STAGES))
        site.check_proved(*NODES)
    finally:
        site.restore_clock("k04")
    assert abs(float(site.inside("k04", "date", "+%s")) - time.time()) < HOUR
    site.check_proved(*NODES)


def test_a_lab_that_is_being_made_cannot_be_removed(site: BadDaySite) -> None:
    dice = random.Random("lab")
    site.play("playbooks/lab-down.yml")
    for _ in range(max(MOMENTS // 4, 2)):
        with site.start("playbooks/lab.yml") as making:
            site.wait_until_lab_is_locked()
            time.sleep(dice.uniform(0, 3))
            meanwhile = site.try_to_run(*site.write_play("playbooks/lab-down.yml"))
            output, _ = making.communicate()
        assert making.returncode == 0, output
        assert meanwhile.returncode == 75, meanwhile.stdout
        site.play("playbooks/lab-down.yml")
        assert site.list_rest() == []
        site.kill(dice.uniform(2, 12), "playbooks/lab.yml")
        site.play("playbooks/lab-down.yml")
        assert site.list_rest() == []
    site.play("playbooks/lab.yml")
    site.play(*to_playbooks(*STAGES))
    site.check_proved(*NODES)
