# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_design.py, with the real engine."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from ansible.module_utils.fnn.controller.design.single_switches import count_single_switches
from ansible.module_utils.fnn.controller.documents import dumps, read_json
from documentation import read_documentation
from waiting import wait_until

Design = Callable[..., dict[str, Any]]
#: A number of generations ends these searches, not the clock, so that a busy machine finds the same design.
#: One population suffices for six nodes.
LIMITS = {"steps": 1, "time_limit": 100_000, "islands": 1}


@pytest.fixture
def design(run_module: Any, designer: Path, tmp_path: Path) -> Design:
    """Runs the module on spec.json and design.json in the temporary directory."""

    def run(**options: Any) -> dict[str, Any]:
        paths = {"spec": tmp_path / "spec.json", "design": tmp_path / "design.json", "designer": designer}
        answer: dict[str, Any] = run_module("fnn_design", **{**paths, "time_limit": 20, "threads": 1, **options})
        return answer

    return run


def write_spec(directory: Path, ports: int = 4, nics: int = 2, **more: Any) -> None:
    nodes = [{"name": f"k0{index}", "nics": nics} for index in range(6)]
    switches = [{"name": name, "ports": ports} for name in ("red", "blue", "green")]
    spec = {"format": "fnn-spec", "version": 1, "cluster": "six", "topology": "fnn"}
    (directory / "spec.json").write_text(dumps({**spec, "nodes": nodes, "switches": switches, **more}))


def test_a_design_is_made_once(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path)
    first = design()
    assert (first["changed"], first["verdict"], first["quality"]["uncovered"]) == (True, "found", 0)
    before = (tmp_path / "design.json").read_bytes()
    again = design()
    assert (again["changed"], again["verdict"], again["seconds"], again["changes"]) == (False, "found", 0, [])
    assert (tmp_path / "design.json").read_bytes() == before


def test_a_switch_without_a_node_is_a_hint_of_each_run(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path)
    assert design()["hints"] == []
    (tmp_path / "design.json").unlink()
    write_spec(tmp_path, ports=8)
    first = design()["hints"]
    assert first[0].startswith("green is not needed: 6 nodes with 2 NICs fit on 2 switches")
    assert design()["hints"] == first


def test_pairs_that_one_cable_cuts_off_are_a_warning_when_the_design_is_made(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path)
    first = design()
    (advice,) = first["single_switches"]
    assert str(first["warnings"]).count(advice) == 1
    assert advice.startswith("12 pairs share a single switch. If a NIC or cable of theirs fails")
    assert "fnn_uplink" in advice
    assert "fnn_redundancy: 2" in advice
    again = design()
    assert (again.get("warnings"), again["single_switches"]) == (None, first["single_switches"])


def test_a_design_that_bears_the_loss_of_a_nic_gives_no_advice(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path, ports=5, uplink={"name": "uplink", "ports": 4})
    with_uplink = design()
    (tmp_path / "design.json").unlink()
    # Two pairs must share two switches. Other pairs may share one.
    pairs = {"kind": "pairs", "weight": 1, "pairs": [["k00", "k01"], ["k02", "k03"]]}
    write_spec(tmp_path, coverage="patterns", patterns=[pairs], redundancy=2)
    redundant = design()
    assert count_single_switches(read_json(tmp_path / "design.json")) > 0
    for answer in (with_uplink, redundant):
        assert (answer.get("warnings"), answer["single_switches"]) == (None, [])


def test_a_ring_is_replaced_on_request_and_shows_no_switches(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path, topology="ring", switches=[])
    first = design()
    assert (first["verdict"], first.get("warnings")) == ("found", None)
    assert design()["changes"] == []
    write_spec(tmp_path, topology="ring", switches=[], mtu=9000)
    refused = design()
    assert (
        "set fnn_redesign=true (./fnn design --redesign) to replace it" in refused["msg"]
        and "cable0" not in refused["msg"]
    )
    answer = design(redesign=True, diff=True)
    assert [change for change in answer["changes"] if "cable" in change or "switch" in change] == []
    assert '"peer"' in answer["diff"]["after"] and '"document"' not in answer["diff"]["after"]
    assert read_json(tmp_path / "design.json")["spec"]["mtu"] == 9000
    assert "rewire" not in refused["msg"]


def test_a_ring_that_becomes_a_neighborhood_network_may_be_rewired(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path, topology="ring", switches=[])
    design()
    write_spec(tmp_path)
    lines = design()["msg"].splitlines()
    assert lines[-2:] == [
        "set fnn_redesign=true (./fnn design --redesign) to replace it; verify then names every cable to move",
        "or fnn_redesign_output=FILE, to leave design.json as it is and rewire to that file",
    ]


def test_one_switch_for_all_nodes_gives_no_advice(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path, nics=1, topology="switch", switches=[{"name": "red", "ports": 8}])
    answer = design()
    assert (answer["verdict"], answer.get("warnings"), answer["single_switches"]) == ("found", None, [])


def test_check_mode_shows_the_design_and_writes_none(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path)
    answer = design(check=True, diff=True)
    assert answer["changed"]
    assert '"verdict": "found"' in answer["diff"]["after"]
    assert [path.name for path in tmp_path.iterdir()] == ["spec.json"]


def test_a_changed_spec_stops_with_what_changed(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path)
    design()
    before = (tmp_path / "design.json").read_bytes()
    write_spec(tmp_path, ports=5)
    answer = design()
    assert answer["failed"]
    assert answer["msg"].splitlines() == [
        "design.json: made for another spec; spec.json now differs:",
        "  switch red: 4 ports became 5",
        "  switch blue: 4 ports became 5",
        "  switch green: 4 ports became 5",
        "set fnn_redesign=true (./fnn design --redesign); the new design stays close to the old one",
        "or fnn_redesign_output=FILE, to leave design.json as it is and rewire to that file",
    ]
    assert (tmp_path / "design.json").read_bytes() == before


def test_for_new_nodes_alone_the_refusal_names_growth(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path, ports=6)
    design()
    write_spec(tmp_path, ports=6, nodes=[{"name": f"k0{index}", "nics": 2} for index in range(7)])
    assert design()["msg"].splitlines()[1:3] == [
        "  node k06 added",
        "set fnn_redesign=true and fnn_grow=true (./fnn design --grow) to add the new nodes and keep every cable",
    ]


def test_a_redesign_stays_close_and_is_not_repeated(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path)
    design(seed=3)
    old = read_json(tmp_path / "design.json")
    write_spec(tmp_path, ports=5)
    answer = design(redesign=True)
    assert (answer["changed"], answer["changes"][0]) == (True, "switch red: 4 ports became 5")
    assert read_json(tmp_path / "design.json")["nodes"] == old["nodes"]  # every cable could stay
    assert not design(redesign=True)["changed"]


def test_a_redesign_may_go_elsewhere_and_is_near_the_design_that_stands(changed_spec: Design, tmp_path: Path) -> None:
    standing, other = tmp_path / "design.json", tmp_path / "build" / "next.json"
    before = standing.read_bytes()
    answer = changed_spec(redesign_output=other, near_weight=0, curve=True, **LIMITS)
    assert (answer["changed"], count_moved(answer)) == (True, 3)
    assert answer["changes"]
    made = read_json(other)
    assert made["spec_digest"] == answer["digest"] != read_json(standing)["spec_digest"]
    assert sorted(path.name for path in other.parent.iterdir()) == ["next.curve.json", "next.json"]
    again = changed_spec(redesign_output=other, redesign=True)
    assert (again["changed"], again["quality"], again["changes"]) == (False, answer["quality"], answer["changes"])
    assert standing.read_bytes() == before
    # After the rewiring nothing is left to design.
    standing.write_bytes(other.read_bytes())
    other.unlink()
    assert not changed_spec(redesign_output=other)["changed"]
    assert not other.exists()


def test_in_check_mode_a_redesign_elsewhere_is_shown_beside_what_stands(changed_spec: Design, tmp_path: Path) -> None:
    other = tmp_path / "next.json"
    answer = changed_spec(redesign_output=other, check=True, diff=True, **LIMITS)
    assert answer["diff"]["before"] == (tmp_path / "design.json").read_text()
    assert (answer["diff"]["after_header"], other.exists()) == (str(other), False)


def test_an_infeasible_spec_leaves_the_old_design(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path)
    design()
    before = (tmp_path / "design.json").read_bytes()
    write_spec(tmp_path, ports=3)
    answer = design(redesign=True)
    assert (answer["failed"], answer["verdict"]) == (True, "infeasible")
    assert answer["msg"].startswith(
        "spec.json: no design can exist (degree bound): k00 with 2 NICs can share a switch with at most 4 "
    )
    assert (tmp_path / "design.json").read_bytes() == before


def test_a_design_edited_by_hand_is_refused(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path)
    design()
    document = read_json(tmp_path / "design.json")
    document["nodes"][0]["links"].pop()
    (tmp_path / "design.json").write_text(dumps(document))
    answer = design()
    assert answer["failed"]
    assert "design.json#/switches" in answer["msg"]


def test_a_design_whose_spec_was_edited_is_refused(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path)
    design()
    document = read_json(tmp_path / "design.json")
    document["spec"]["mtu"] = 9000
    (tmp_path / "design.json").write_text(dumps(document))
    assert design()["msg"].startswith("design.json#/spec_digest: sha256:")


def write_plain_spec(directory: Path, nodes: int, nics: int, switches: int, ports: int, **more: Any) -> None:
    spec = {
        **{"format": "fnn-spec", "version": 1, "cluster": "hard", "topology": "fnn", **more},
        "nodes": [{"name": f"k{index:02d}", "nics": nics} for index in range(nodes)],
        "switches": [{"name": f"s{index:02d}", "ports": ports} for index in range(switches)],
    }
    (directory / "spec.json").write_text(dumps(spec))


def write_endless_spec(directory: Path, **more: Any) -> None:
    # Only an affine plane of order 6 would do: 36 points, 42 lines of 6, each point on 7 of them (7 * 5 = 35 others).
    # It meets every bound, but no such plane exists (Tarry, 1901).
    write_plain_spec(directory, 36, 7, 42, 6, **more)


def test_a_design_that_was_not_found_is_put_aside(design: Design, tmp_path: Path) -> None:
    write_endless_spec(tmp_path)
    answer = design(steps=1)
    assert (answer["failed"], answer["verdict"]) == (True, "not-found")
    assert not (tmp_path / "design.json").exists()
    rejected = read_json(Path(answer["rejected"]))
    assert rejected["verdict"] == "not-found"
    assert f"{len(rejected['uncovered'])} pair" in answer["msg"]


def test_an_engine_that_is_not_there_is_named(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path)
    answer = design(designer=tmp_path / "nowhere")
    assert answer["msg"] == f"{tmp_path}/nowhere: missing; build it with make bin/fnn-designer"


def test_pairs_from_a_file_beside_the_spec_are_covered(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path, ports=2, nics=1)
    (tmp_path / "traffic.csv").write_text("k00,k05,9\nk01,k04\nk02,k03\n")
    spec = read_json(tmp_path / "spec.json")
    spec |= {"coverage": "patterns", "patterns": [{"kind": "pairs", "file": "traffic.csv"}]}
    (tmp_path / "spec.json").write_text(dumps(spec))
    answer = design(log=tmp_path / "run.log")
    assert (answer["verdict"], answer["quality"]["wanted"], answer["quality"]["shared"]) == ("found", 3, {"1": 3})
    assert answer["report"]["verdict"] == "found"
    assert (tmp_path / "run.log").exists()
    assert not design()["changed"]


def test_new_nodes_grow_into_the_headroom_left_for_them(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path, ports=6)
    design(headroom=2)
    old = read_json(tmp_path / "design.json")
    spec = read_json(tmp_path / "spec.json")
    spec["nodes"] += [{"name": "k06", "nics": 2}, {"name": "k07", "nics": 2}]
    (tmp_path / "spec.json").write_text(dumps(spec))
    answer = design(redesign=True, grow=True)
    assert (answer["verdict"], answer["changes"]) == ("found", ["node k06 added", "node k07 added"])
    assert read_json(tmp_path / "design.json")["nodes"][:6] == old["nodes"]


def test_with_redundancy_the_message_says_what_pairs_lack(design: Design, tmp_path: Path) -> None:
    # Ten NICs per node just suffice for three shared switches (31 * 3 = 10 * 9 + 3), but not within one generation.
    write_plain_spec(tmp_path, 31, 10, 31, 10, redundancy=3)
    answer = design(steps=1, method="random-start")
    assert answer["verdict"] == "not-found"
    pairs = len(read_json(Path(answer["rejected"]))["uncovered"])
    assert answer["msg"].startswith(
        f"no design found; the best leaves {pairs} pairs with fewer than 3 shared switches\n"
    )


def find_engine() -> int | None:
    """The process id of the search that this process has started."""
    for path in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError):
            status = path.read_text()
            searches = b"\0design\0" in path.with_name("cmdline").read_bytes()
            if searches and "Name:\tfnn-designer\n" in status and f"PPid:\t{os.getpid()}\n" in status:
                return int(path.parent.name)
    return None


def interrupt_when_there(path: Path) -> threading.Thread:
    """Sends SIGTERM to the engine as soon as the file exists; gives up after ten minutes."""

    def wait_and_send() -> None:
        until, engine = time.monotonic() + 600, None
        while time.monotonic() < until and not (engine and path.exists()):
            engine = engine or find_engine()
            time.sleep(0.002)
        if engine:
            os.kill(engine, signal.SIGTERM)

    thread = threading.Thread(target=wait_and_send)
    thread.start()
    return thread


def test_an_interrupted_run_goes_on_from_its_checkpoint_as_if_nothing_had_happened(
    design: Design, tmp_path: Path
) -> None:
    # After these generations this search is open. They take long enough for an interrupt, but a tenth of the time of as
    # many of the endless spec.
    write_plain_spec(tmp_path, 24, 6, 29, 5)
    options = {"steps": 16, "time_limit": 100_000}
    whole = design(**options)
    assert whole["verdict"] == "not-found"
    expected = Path(whole["rejected"]).read_bytes()
    Path(whole["rejected"]).unlink()

    kept = tmp_path / "run.ckpt"
    interrupting = interrupt_when_there(kept)
    interrupted = design(checkpoint=kept, checkpoint_every=0, **options)
    interrupting.join()
    assert interrupted["verdict"] == "interrupted"
    assert interrupted["msg"].startswith("the search was interrupted; its best so far leaves ")
    assert 1 <= read_json(kept)["state"]["generations"] < options["steps"]

    # The log of a resumed run begins after the generations of the interrupted one.
    resumed = design(checkpoint=kept, log=tmp_path / "run.log", **options)
    assert resumed["verdict"] == "not-found"
    first = json.loads((tmp_path / "run.log").read_text().splitlines()[0])
    assert first["generation"] > 1
    assert Path(resumed["rejected"]).read_bytes() == expected
    assert read_json(kept)["state"]["generations"] == options["steps"]


def test_a_search_can_resume_from_another_checkpoint_which_stays(design: Design, tmp_path: Path) -> None:
    write_endless_spec(tmp_path)
    kept = tmp_path / "run.ckpt"
    assert design(checkpoint=kept, steps=1)["verdict"] == "not-found"
    before = kept.read_bytes()
    assert design(resume=kept, steps=2)["verdict"] == "not-found"
    assert kept.read_bytes() == before
    assert design(resume=kept, steps=2, seed=2)["msg"] == "run.ckpt#/run/seed: 1 belongs to another run, expected 2"
    other = tmp_path / "other.ckpt"
    assert design(checkpoint=kept, resume=other)["msg"].startswith("fnn_resume: fnn_checkpoint (")


def test_a_checkpoint_goes_away_with_the_design_it_was_for(design: Design, tmp_path: Path) -> None:
    write_endless_spec(tmp_path)
    kept = tmp_path / "run.ckpt"
    design(checkpoint=kept, steps=1)
    assert kept.exists()
    kept.unlink()
    write_spec(tmp_path)
    assert design(checkpoint=kept)["verdict"] == "found"
    assert not kept.exists()


def test_check_mode_leaves_neither_checkpoint_nor_log(design: Design, tmp_path: Path) -> None:
    write_endless_spec(tmp_path)
    files = {"checkpoint": tmp_path / "run.ckpt", "log": tmp_path / "run.log"}
    assert design(check=True, steps=1, **files)["verdict"] == "not-found"
    assert [path.name for path in tmp_path.iterdir()] == ["spec.json"]


def test_check_mode_designs_for_a_spec_that_is_not_written_yet(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path)
    spec = read_json(tmp_path / "spec.json")
    (tmp_path / "spec.json").unlink()
    answer = design(check=True, content=spec)
    assert (answer["changed"], answer["verdict"]) == (True, "found")
    assert [path.name for path in tmp_path.iterdir()] == []
    spec["nodes"][0]["nics"] = 0
    assert design(check=True, content=spec)["msg"] == "spec.json#/nodes/0/nics: 0 is not a positive integer"


@pytest.fixture
def changed_spec(design: Design, tmp_path: Path) -> Design:
    """In the standing design three pairs share both switches; the spec now wants three other pairs to share them."""
    write_spec(tmp_path)
    assert not design().get("failed")
    spec = read_json(tmp_path / "spec.json")
    pairs = [["k00", "k05"], ["k01", "k03"], ["k02", "k04"]]
    spec |= {"goals": {"shared_switches": 1, "evaluation": {"pairs": pairs}}}
    (tmp_path / "spec.json").write_text(dumps(spec))
    return design


def count_moved(answer: dict[str, Any]) -> int:
    return int(answer["report"]["moved_links"])


def test_a_heavy_kept_cable_stays(changed_spec: Design) -> None:
    weights = {weight: changed_spec(check=True, redesign=True, near_weight=weight, **LIMITS) for weight in (0, 100)}
    assert count_moved(weights[100]) == 0
    assert count_moved(weights[0]) == 3  # one cable of each pair


@pytest.mark.long
def test_the_curve_of_a_redesign_is_reported_and_written_beside_the_design(
    changed_spec: Design, tmp_path: Path
) -> None:
    curve = tmp_path / "design.curve.json"
    assert changed_spec(check=True, redesign=True, curve=True, **LIMITS)["curve"]
    assert not curve.exists()
    made = changed_spec(redesign=True, curve=True, **LIMITS)
    assert made["changed"]
    assert read_json(curve) == made["curve"]
    assert set(made["curve"][0]) == {"weight", "moved", "kept", "mean_shared_switches"}
    moved = [point["moved"] for point in made["curve"]]
    assert moved == sorted(set(moved))
    assert not changed_spec(redesign=True, curve=True)["changed"]
    assert curve.exists()
    # That curve does not belong to the next design.
    write_spec(tmp_path, ports=7)
    assert changed_spec(redesign=True)["changed"]
    assert not curve.exists()


def test_growth_has_neither_curve_nor_weight(changed_spec: Design, tmp_path: Path) -> None:
    before = (tmp_path / "design.json").read_bytes()
    answer = changed_spec(redesign=True, grow=True, near_weight=0, curve=True)
    assert [line.partition(":")[0] for line in answer["msg"].splitlines()] == ["fnn_near_weight", "fnn_curve"]
    assert (tmp_path / "design.json").read_bytes() == before


def test_the_method_of_the_paper_and_a_random_start_make_designs_too(design: Design, tmp_path: Path) -> None:
    for method, stage in (("ga-classic", "ga-classic"), ("random-start", "genetic")):
        write_spec(tmp_path)
        answer = design(method=method)
        assert (answer["verdict"], answer["report"]["stage"]) == ("found", stage)
        (tmp_path / "design.json").unlink()


def test_islands_are_part_of_what_is_searched(design: Design, tmp_path: Path) -> None:
    write_endless_spec(tmp_path)
    kept = tmp_path / "run.ckpt"
    design(islands=2, steps=1, checkpoint=kept)
    assert len(read_json(kept)["state"]["islands"]) == 2


@pytest.mark.long
def test_progress_is_part_of_the_report_when_it_is_asked_for(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path, ports=6)
    spec = read_json(tmp_path / "spec.json")
    (tmp_path / "spec.json").write_text(dumps({**spec, "goals": {"balance": 1}}))
    options = {"method": "random-start", "islands": 1, "time_limit": 100_000}
    answer = design(progress=True, steps=2, **options)
    assert {"generation", "uncovered"} <= set(answer["report"]["progress"][0])
    (tmp_path / "design.json").unlink()
    assert "progress" not in design(steps=1, **options)["report"]


@pytest.fixture
def mpirun(designer: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The mpirun command for several processes, also for root in a container and with few processors."""
    if shutil.which("mpirun") is None or not designer.with_name("libfnn-mpi.so").exists():
        pytest.skip("there is no MPI here")
    monkeypatch.setenv("OMPI_ALLOW_RUN_AS_ROOT", "1")
    monkeypatch.setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
    return ["mpirun", "--oversubscribe", "--bind-to", "none"]


@pytest.mark.long
def test_several_processes_make_one_design(design: Design, tmp_path: Path, mpirun: list[str]) -> None:
    write_spec(tmp_path)
    answer = design(processes=2, hosts=["localhost:2"], mpirun=mpirun, method="random-start")
    assert (answer["changed"], answer["verdict"]) == (True, "found")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["design.json", "spec.json"]
    assert not design(processes=2, mpirun=mpirun)["changed"]


def test_several_processes_in_step_end_with_the_same_best_and_a_checkpoint(
    design: Design, tmp_path: Path, mpirun: list[str]
) -> None:
    write_endless_spec(tmp_path)
    kept = tmp_path / "run.ckpt"
    options = {"steps": 2, "time_limit": 100_000, "islands": 1, "processes": 2, "mpirun": mpirun, "synchronous": True}
    first = design(checkpoint=kept, **options)
    assert first["verdict"] == "not-found", first
    assert read_json(kept)["state"]["generations"] == 2
    before = Path(first["rejected"]).read_bytes()
    kept.unlink()
    assert design(**options)["verdict"] == "not-found"
    assert Path(first["rejected"]).read_bytes() == before


def kill_when_written(path: Path, pattern: str) -> None:
    """Kills all engines that write to a file with this pattern, as soon as one exists."""
    wait_until(lambda: list(path.glob(pattern)), 60)
    (written,) = path.glob(pattern)
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = file.read_bytes().split(b"\0")
            if Path(words[0].decode()).name == "fnn-designer" and str(written).encode() in words:
                os.kill(int(file.parent.name), signal.SIGKILL)


def test_the_best_design_of_killed_processes_is_kept(design: Design, tmp_path: Path, mpirun: list[str]) -> None:
    """As mpirun kills them a second after a signal."""
    write_endless_spec(tmp_path)
    killer = threading.Thread(target=kill_when_written, args=(tmp_path, ".fnn-search-*/design.json"))
    killer.start()
    answer = design(processes=2, mpirun=mpirun, islands=1, time_limit=100_000)
    killer.join()
    assert answer["failed"]
    assert read_json(Path(answer["rejected"]))["uncovered"]
    assert f"{answer['rejected']} has the best design" in answer["msg"]


def test_a_launcher_that_is_not_there_is_named(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path)
    answer = design(processes=2, mpirun=["mpirun --oversubscribe"])
    assert answer["msg"].startswith('fnn_design_mpirun: "mpirun --oversubscribe" is not installed; expected a program')
    assert not (tmp_path / "design.json").exists()


#: Options of the engine that are not options of the module, with the module's options in their place.
OTHERWISE = {
    **dict.fromkeys(("nodes", "nics", "ports", "switches", "uplink"), "spec"),  # the quick form of a spec
    **dict.fromkeys(("help", "json"), ""),  # the module reads JSON from a pipe
    "no-upgrades": "",  # for benchmarks, which do not buy anything
    "output": "design",
    "near": "redesign",
    "quiet": "progress",  # a module has no terminal
}


def test_every_option_of_the_engine_is_one_of_the_module_and_the_role(root: Path, designer: Path) -> None:
    help_text = subprocess.run([designer, "design", "--help"], check=True, capture_output=True, text=True).stdout
    engine = set(re.findall(r"^ +(?:-\w,)?--([a-z-]+)", help_text, flags=re.MULTILINE))
    assert {"seed", "curve", "resume"} <= engine
    offered = set(read_documentation("fnn_design")["options"])
    assert {OTHERWISE.get(name, name.replace("-", "_")) for name in engine} - {""} <= offered
    tasks = yaml.safe_load((root / "roles" / "fnn_design" / "tasks" / "main.yml").read_text())
    passed, _ = [set(task["fnn_design"]) for task in tasks if "fnn_design" in task]
    assert passed == offered - {"designer", "build"}
