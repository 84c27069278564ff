#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_design
short_description: Design the wiring of a flat neighborhood network
description:
  - Runs C(fnn-designer) on the controller to decide which NIC of which node goes to which switch, so that every pair
    of nodes that must share a switch does.
  - A design carries the digest of its spec. While the two agree, the module only checks the design.
  - When the spec changed, the module fails and reports the changes, because a new design means moving cables. With
    O(redesign=true) it makes a new design as close to the old one as possible. With O(redesign_output) it writes that
    design to another file, as the target of a rewiring.
  - Replaces an existing design only by one that covers every pair.
options:
  spec:
    description: C(spec.json).
    type: path
    required: true
  content:
    description:
      - The spec itself, as in RV(fnn_spec#module:spec), for check mode, in which the file is not written yet.
      - O(spec) is then used only as a name.
    type: dict
  design:
    description: C(design.json), the file to make.
  seed:
    description: Seed of the search. The same spec and seed give the same design.
    type: int
    default: 1
  time_limit:
    description: Time limit of the search, in seconds.
    type: float
    default: 10
  steps:
    description: Number of generations to search, for a result independent of the machine's speed.
    type: int
  method:
    description:
      - Search method when no design exists, for comparison. V(random-start) omits algebra and proofs.
      - V(ga-classic) is the plain genetic algorithm of the paper, which considers only coverage. It refuses a spec with
        goals or pinned cables, and O(checkpoint).
    type: str
    choices: [best, random-start, ga-classic]
    default: best
  threads:
    description: Number of threads. The design does not depend on it.
    type: int
  islands:
    description:
      - Number of populations that search in parallel; defaults to the engine's own number. The design depends on it.
      - O(threads) beyond the number of islands stay idle.
    type: int
  processes:
    description:
      - Number of search processes, started by C(mpirun), each with O(islands) of its own.
      - Needs Open MPI, and an engine that was built with Open MPI present.
    type: int
  hosts:
    description:
      - Machines for the processes, as C(mpirun --host) takes them, V(name) or V(name:slots). Defaults to this machine.
      - Each must have the toolkit and the files named here at the same paths, as on a shared file system.
    type: list
    elements: str
  mpirun:
    description:
      - Command that starts the processes, with its own options, if V([mpirun]) is not suitable.
      - May be another launcher with all its arguments, without O(processes) and O(hosts), such as V([srun, -n, "16"]).
    type: list
    elements: str
  synchronous:
    description: Synchronize several processes, so that every run gives the same design. O(steps) does this as well.
    type: bool
    default: false
  advice:
    description: Report what coverage of the pairs alone needs, and what the remaining hardware gains, in C(advice) of
      RV(report).
    type: bool
    default: false
  checkpoint:
    description:
      - File for the state of a long search. If the file exists, the search resumes from it.
      - Removed once a design is found. Check mode resumes from it, but leaves it unchanged.
    type: path
  checkpoint_every:
    description: Seconds between two writes of O(checkpoint). Defaults to the engine's own interval.
    type: float
  resume:
    description:
      - Another checkpoint to resume from, which stays unchanged.
      - Refused while the file of O(checkpoint) exists, since the search can resume from only one of the two.
    type: path
  log:
    description:
      - File for the times and rates of a running search, one JSON object per line.
      - Not written in check mode.
    type: path
  progress:
    description: Report the progress of the search in RV(report), after its end.
    type: bool
    default: false
  headroom:
    description: Number of additional nodes of the most common kind for which the design leaves ports free.
    type: int
  grow:
    description:
      - In a redesign, move an existing cable only if the new spec cannot be met otherwise.
      - Without it the new design stays close to the old one, as far as the goals of the spec weigh moved cables.
    type: bool
    default: false
  near_weight:
    description:
      - In a redesign, weight of a kept cable, instead of C(goals.moved_cables) of the spec; 0 lets any cable move.
      - Not with O(grow).
    type: float
  curve:
    description:
      - In a redesign, also try several weights of a kept cable, and report in RV(curve) the gain for each number of
        moved cables. They share the time limit. The design itself is that of O(near_weight).
      - Outside check mode the curve is also written beside O(design). Not with O(grow).
    type: bool
    default: false
  redesign:
    description: Allow a new design for nodes that already have one.
    type: bool
    default: false
  redesign_output:
    description:
      - File for the new design, regardless of O(redesign). O(design) stays unchanged, so that M(fnn_rewire) can plan
        the moves from one to the other.
      - A file with a design for the present spec is kept; remove it to search again.
    type: path
extends_documentation_fragment: [fnn, fnn.diff, fnn.root, fnn.engine, fnn.design]
attributes:
  check_mode:
    description: Searches and reports the resulting design, but writes no file, neither checkpoint nor log.
"""

EXAMPLES = r"""
- name: Design the wiring
  fnn_design:
    spec: "{{ fnn_site_dir }}/spec.json"
    design: "{{ fnn_site_dir }}/design.json"
    root: "{{ fnn_root }}"
  delegate_to: localhost
  run_once: true

- name: Redesign the wiring for two more nodes, moving few cables
  fnn_design:
    spec: "{{ fnn_site_dir }}/spec.json"
    design: "{{ fnn_site_dir }}/design.json"
    root: "{{ fnn_root }}"
    redesign: true
    time_limit: 60
    curve: true

- name: Redesign the wiring, to rewire to it while the cluster works
  fnn_design:
    spec: "{{ fnn_site_dir }}/spec.json"
    design: "{{ fnn_site_dir }}/design.json"
    redesign_output: "{{ fnn_build_dir }}/next.json"
    root: "{{ fnn_root }}"

- name: Search for two hours on four machines, resuming an interrupted run
  fnn_design:
    spec: "{{ fnn_site_dir }}/spec.json"
    design: "{{ fnn_site_dir }}/design.json"
    root: "{{ fnn_root }}"
    time_limit: 7200
    processes: 16
    hosts: [head:4, k00:4, k01:4, k02:4]
    mpirun: [mpirun, --mca, odls_base_sigkill_timeout, "20"]
    checkpoint: /home/fnn/run.ckpt
"""

RETURN = r"""
verdict:
  description: C(found); on failure C(not-found), C(interrupted), C(infeasible), C(bad-input) or C(failed).
  returned: when the engine ran or the design is still valid
  type: str
  sample: found
quality:
  description: Quality of the design, as recorded in the design.
  returned: success
  type: dict
bounds:
  description: The bounds checked before the search.
  returned: success
  type: dict
report:
  description:
    - The engine's report on the search, in the requested detail. C(stage) and C(stages) name the stage that found the
      design and the duration of each stage. C(kept_links) counts the cables of the old design that stay.
    - With O(progress), C(progress) lists the state of the search twice a second.
  returned: when the engine made a design
  type: dict
  sample: {verdict: found, stage: genetic, generations: 3, seconds: 0.02, uncovered: 0}
seconds:
  description: Duration of the search; 0 when none was needed.
  returned: success
  type: float
single_switches:
  description:
    - Pairs that a single failed cable would disconnect, and the variables to set. A new design also raises a warning.
    - Empty with an uplink switch, and with a redundancy of 2 or more.
  returned: success
  type: list
  elements: str
  sample:
    - >-
      12 pairs share a single switch. If a NIC or cable of theirs fails, they have no path until the repair. With
      fnn_uplink, they use the uplink switch until the repair; with fnn_redundancy: 2, all pairs share two switches.
hints:
  description:
    - Switches to which the design connects no node, and the variable that spreads the nodes over them, with its effect.
    - Empty when each switch has a node, and for topologies without switches.
  returned: success
  type: list
  elements: str
  sample:
    - "green is not needed: 6 nodes with 2 NICs fit on 2 switches, and each pair shares both."
    - >-
      To spread over 3 switches set fnn_headroom: 5 and remove design.json: the new design keeps ports for 5 more nodes;
      to the present one, at most 4 nodes can be added without moving a cable. Pairs then share fewer than 2 switches on
      average.
digest:
  description: Digest of the spec that the design is for.
  returned: success
  type: str
curve:
  description:
    - The redesigns with other weights that no other one dominates (Pareto front), by rising number of moved cables.
    - C(mean_shared_switches) covers the pairs that the goals consider, or else all pairs.
  returned: when a redesign was made with O(curve=true)
  type: list
  elements: dict
  sample: [{weight: 0.5, moved: 6, kept: 58, mean_shared_switches: 1.31}]
changes:
  description: Changes of the spec since the old design, as text.
  returned: when there was an old design
  type: list
  elements: str
rejected:
  description: Path of the best incomplete design, beside O(design).
  returned: when no design was found, outside check mode
  type: str
"""

from pathlib import Path
from shutil import rmtree, which
from tempfile import TemporaryDirectory
from typing import Any

from ansible.module_utils.fnn.controller.design.search_options import (
    choose_launcher,
    choose_options,
    find_contradictions,
)
from ansible.module_utils.fnn.controller.design.single_switches import warn_of_single_switches
from ansible.module_utils.fnn.controller.design.spec_changes import adds_nodes_alone, describe_changes
from ansible.module_utils.fnn.controller.design.unused_switches import describe_unused_switches
from ansible.module_utils.fnn.controller.documents import digest, dumps
from ansible.module_utils.fnn.controller.engine import DesignFailed
from ansible.module_utils.fnn.controller.files import write_atomic
from ansible.module_utils.fnn.controller.options import ENGINE, FLAG, PATH, require_paths
from ansible.module_utils.fnn.controller.segments import get_document, is_neighborhood_network
from ansible.module_utils.fnn.controller.spec.spec import normalize, select_fabric
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task, make_diff
from ansible.module_utils.fnn.shared.errors import FnnError, Problem, problem
from ansible.module_utils.fnn_module import run_module

#: Name prefix of the directory in which processes on several machines search.
SEARCHING = ".fnn-search-"
FLAGS = ("synchronous", "advice", "progress", "grow", "curve", "redesign")


class DesignTask:
    """One run of the module: confirms the old design, refuses to replace it, or makes a new one."""

    def __init__(self, task: Task) -> None:
        self.task, self.options, self.documents = task, task.options, task.documents
        self.spec_path, self.current = task.path("spec"), task.path("design")
        self.path = Path(self.options["redesign_output"] or self.current)
        self.launcher = choose_launcher(self.options["processes"], self.options["hosts"], self.options["mpirun"])
        self.designer = task.provide_designer(self.launcher)

    def run(self) -> Result:
        """Return the module's result. Raises FnnError."""
        spec = self._read_spec()
        contradictions = list(find_contradictions(self.options))
        if contradictions:
            raise FnnError(contradictions)
        old = self._read_design(self.current)
        aside = self._read_design(self.path) if self.path != self.current else None
        if old is None:
            return self._search(spec, None)
        changes = describe_changes(get_document(old)["spec"], spec)
        for path, design in ((self.current, old), (self.path, aside)):
            if design is not None and design["spec_digest"] == digest(spec):
                self._require_complete(path, design)
                return {"changed": False, "changes": changes, "seconds": 0.0, **self._describe(design)}
        if self.path == self.current and not self.options["redesign"]:
            raise FnnError(
                [
                    Problem(self.path.name, f"made for another spec; {self.spec_path.name} now differs:"),
                    *(Problem("", f"  {change}") for change in changes),
                    *self._list_remedies(spec, old["spec"]),
                ]
            )
        return {**self._search(spec, old), "changes": changes}

    def _list_remedies(self, spec: dict[str, Any], old: dict[str, Any]) -> list[Problem]:
        replaced = Problem(
            "", "set fnn_redesign=true (./fnn design --redesign) to replace it; verify then names every cable to move"
        )
        near = Problem("", "set fnn_redesign=true (./fnn design --redesign); the new design stays close to the old one")
        grown = Problem(
            "",
            "set fnn_redesign=true and fnn_grow=true (./fnn design --grow) to add the new nodes and keep every cable",
        )
        rewired = Problem(
            "", f"or fnn_redesign_output=FILE, to leave {self.path.name} as it is and rewire to that file"
        )
        if not is_neighborhood_network(spec):
            return [replaced]
        if not is_neighborhood_network(old):
            return [replaced, rewired]
        return [grown if adds_nodes_alone(old, spec) else near, rewired]

    def _read_design(self, path: Path) -> dict[str, Any] | None:
        return self.documents.read(path, "fnn-design") if path.exists() else None

    def _read_spec(self) -> dict[str, Any]:
        raw = self.options["content"] or self.documents.read(self.spec_path, "fnn-spec")
        try:
            spec = normalize(raw, self.spec_path.parent, self.designer, self.documents)
        except FnnError as error:
            raise error.within(self.spec_path.name) from None
        fabric: dict[str, Any] = select_fabric(spec)
        return fabric

    def _require_complete(self, path: Path, design: dict[str, Any]) -> None:
        if design["verdict"] != "found":
            raise problem(f"{path.name}#/verdict", f'"{design["verdict"]}" is not "found"')
        self.designer.check(path)

    def _require_launcher(self) -> None:
        if self.launcher and which(self.launcher[0]) is None:
            expected = "expected a program, as in [mpirun, --oversubscribe]; the package openmpi-bin contains mpirun"
            raise problem("fnn_design_mpirun", f'"{self.launcher[0]}" is not installed; {expected}')

    def _search(self, spec: dict[str, Any], old: dict[str, Any] | None) -> dict[str, Any]:
        """Make a design, close to the old one if there is one, and write it outside check mode."""
        self._require_launcher()
        # Other topologies follow from their spec: there is nothing to stay close to.
        searched = is_neighborhood_network(spec) and is_neighborhood_network(old["spec"] if old else spec)
        current = self.current if old is not None and searched else None
        options = choose_options(self.options, current, self.task.check_mode)
        # The process that writes the design may be on another machine, which shares our directory but not our /tmp.
        shared = self.current.parent if self.launcher else None
        for left in shared.glob(f"{SEARCHING}*") if shared and not self.task.check_mode else ():
            rmtree(left, ignore_errors=True)  # left by a killed search: the site lock excludes other runs
        with TemporaryDirectory(prefix=SEARCHING, dir=shared) as directory:
            # Under their own names, so that messages about them name the files the user knows.
            fresh, source = Path(directory) / self.path.name, self.spec_path
            if self.options["content"]:
                source = Path(directory) / self.spec_path.name
                self.documents.write(source, spec)
            try:
                report = self.designer.design(source, fresh, options, spec["redundancy"])
            except DesignFailed as error:
                raise self._keep_best(error, fresh) from None
            new = self.documents.read(fresh, "fnn-design")
            self.designer.check(fresh)
        for warning in (*report.pop("warnings"), *warn_of_single_switches(new)):
            self.task.warn(warning)
        # The curve is a result of its own, beside the report.
        curve = {"curve": report.pop("curve")} if "curve" in report else {}
        if not self.task.check_mode:
            self._write(new, curve.get("curve"))
        seconds = report.get("seconds", 0.0)
        answer = {"changed": True, "seconds": seconds, "report": report, **curve, **self._describe(new)}
        if self.task.diff_mode:
            before = get_document(old) if old is not None else None
            answer["diff"] = {**make_diff(self.path, before, get_document(new)), "before_header": str(self.current)}
        return answer

    def _write(self, design: dict[str, Any], curve: list[dict[str, Any]] | None) -> None:
        """Write the results, and remove leftovers of searches for another design."""
        self.documents.write(self.path, design)
        self._sibling_path("not-found").unlink(missing_ok=True)
        if curve is None:
            self._sibling_path("curve").unlink(missing_ok=True)
        else:
            write_atomic(self._sibling_path("curve"), dumps(curve))
        if self.options["checkpoint"]:
            Path(self.options["checkpoint"]).unlink(missing_ok=True)

    def _keep_best(self, error: DesignFailed, fresh: Path) -> DesignFailed:
        """Save the incomplete design of the failure, and return the same failure."""
        if fresh.exists() and not self.task.check_mode:
            path = self._sibling_path("not-found")
            write_atomic(path, fresh.read_bytes())
            pairs = " and lists those pairs" if error.report.get("uncovered") else ""
            where = Problem("", f"{path} has the best design{pairs}")
            return DesignFailed(error.verdict, [*error.problems, where], {**error.report, "rejected": str(path)})
        return error

    def _sibling_path(self, name: str) -> Path:
        """Return the path of another result: design.NAME.json, or next.NAME.json beside a next.json."""
        return self.path.with_suffix(f".{name}.json")

    def _describe(self, design: dict[str, Any]) -> dict[str, Any]:
        parts = {part: design[part] for part in ("verdict", "quality", "bounds")}
        return {
            **parts,
            "digest": design["spec_digest"],
            "single_switches": warn_of_single_switches(design),
            "hints": describe_unused_switches(design, self.options["headroom"] or 0),
        }


def make_design(task: Task) -> Result:
    """Confirm or make the design. Raises FnnError."""
    try:
        return DesignTask(task).run()
    except DesignFailed as error:
        # The message contains the whole report; do not print it twice.
        rejected = {"rejected": error.report["rejected"]} if "rejected" in error.report else {}
        return {"failed": True, "msg": str(error), "verdict": error.verdict, **rejected}


def describe_module() -> ControllerModule:
    return ControllerModule(
        make_design,
        {
            **require_paths("spec", "design"),
            **ENGINE,
            "content": {"type": "dict"},
            "seed": {"type": "int", "default": 1},
            "time_limit": {"type": "float", "default": 10.0},
            "method": {"type": "str", "choices": ["best", "random-start", "ga-classic"], "default": "best"},
            **{number: {"type": "int"} for number in ("steps", "threads", "islands", "processes", "headroom")},
            **{number: {"type": "float"} for number in ("checkpoint_every", "near_weight")},
            **{words: {"type": "list", "elements": "str"} for words in ("hosts", "mpirun")},
            **dict.fromkeys(("checkpoint", "resume", "log", "redesign_output"), PATH),
            **dict.fromkeys(FLAGS, FLAG),
        },
    )


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
