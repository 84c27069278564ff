#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: the FNN toolkit authors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""Makes design.json from spec.json with the design engine."""

from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_design
short_description: Design the wiring of a flat neighborhood network
description:
  - Runs C(fnn-designer) on the controller to decide which NIC of which node goes to which switch, so that every pair
    of nodes that must share a switch does.
  - A design carries the digest of its spec. As long as the two agree, nothing happens but a check of the design.
  - When the spec changed, the module fails and says what changed, because a new design means moving cables; with
    O(redesign=true) it makes a new design as close to the old one as it can.
  - An existing design is only ever replaced by one that covers every pair.
options:
  spec:
    description: C(spec.json).
    type: path
    required: true
  design:
    description: C(design.json), the file to make.
    type: path
    required: true
  root:
    description: Root directory of the toolkit, where C(schemas/) and C(designer/) are.
    type: path
    required: true
  designer:
    description: The engine; C(bin/fnn-designer) below O(root) when left out.
    type: path
  build:
    description: Compile the engine with CMake when it is not there, also in check mode. Only without O(designer).
    type: bool
    default: true
  seed:
    description: Seed of the search. Same spec and same seed, same design.
    type: int
    default: 1
  time_limit:
    description: How long to search, in seconds.
    type: float
    default: 10
  steps:
    description: How many generations to search, for a result that does not depend on the machine's speed.
    type: int
  threads:
    description: How many threads to use. The design does not depend on it.
    type: int
  advice:
    description: Tell what covering the pairs alone would need, and what the rest buys; C(advice) of RV(report).
    type: bool
    default: false
  checkpoint:
    description:
      - A file to keep the state of a long search in. When the file is there, the search goes on from it.
      - It is removed once a design is found.
    type: path
  log:
    description: A file for the times and rates of the search, one JSON object per line.
    type: path
  headroom:
    description: Leave room for so many more nodes of the commonest kind, which then find their ports free.
    type: int
  grow:
    description:
      - In a redesign, move a standing cable only if the new spec cannot be met otherwise.
      - Without it the new design stays close to the old one, as far as the goals of the spec weigh moved cables.
    type: bool
    default: false
  redesign:
    description: Agree to a new design for nodes that already carry one.
    type: bool
    default: false
attributes:
  check_mode:
    description: Searches, and says what the design would be, but writes none.
    support: full
  diff_mode:
    description: Shows the design before and after.
    support: full
author: The FNN toolkit authors
"""

EXAMPLES = r"""
- name: Design the wiring
  fnn_design:
    spec: "{{ fnn_site_dir }}/spec.json"
    design: "{{ fnn_site_dir }}/design.json"
    root: "{{ fnn_root }}"
  delegate_to: localhost
  run_once: true

- name: Design it anew after two nodes were added, moving few cables
  fnn_design:
    spec: "{{ fnn_site_dir }}/spec.json"
    design: "{{ fnn_site_dir }}/design.json"
    root: "{{ fnn_root }}"
    redesign: true
    time_limit: 60
"""

RETURN = r"""
verdict:
  description: C(found); on failure C(not-found), C(interrupted), C(infeasible), C(bad-input) or C(failed).
  returned: when the engine was asked or the design is still right
  type: str
  sample: found
quality:
  description: What the design achieves, as it says itself.
  returned: success
  type: dict
bounds:
  description: The bounds checked before the search.
  returned: success
  type: dict
report:
  description:
    - What the engine said of the search, as much as it was asked for; C(stage) and C(stages) say what found the design
      and how long each stage took, C(kept_links) how many cables of the old design stay.
  returned: when the engine made a design
  type: dict
  sample: {verdict: found, stage: genetic, generations: 3, seconds: 0.02, uncovered: 0}
seconds:
  description: How long the search took; 0 when none was needed.
  returned: success
  type: float
digest:
  description: Digest of the spec that the design is for.
  returned: success
  type: str
changes:
  description: What changed in the spec since the old design, in words.
  returned: when there was an old design
  type: list
  elements: str
rejected:
  description: The file with the best design, beside O(design).
  returned: when no design was found, outside check mode
  type: str
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.changes import describe_changes
from ansible.module_utils.fnn.designer import Designer, DesignFailed
from ansible.module_utils.fnn.documents import Documents, digest, dumps
from ansible.module_utils.fnn.errors import FnnError, Problem, problem
from ansible.module_utils.fnn.files import write_atomic
from ansible.module_utils.fnn.spec import load_spec

SEARCH_OPTIONS = ("seed", "time_limit", "steps", "threads", "headroom", "advice", "checkpoint", "log")


class DesignTask:
    """One run of the module: the old design is right, or stands in the way, or a new one is made."""

    def __init__(self, module: AnsibleModule) -> None:
        options = module.params
        self.module = module
        self.root = Path(options["root"])
        self.documents = Documents(self.root / "schemas")
        self.spec_path, self.path = Path(options["spec"]), Path(options["design"])
        self.program = Path(options["designer"] or self.root / "bin" / "fnn-designer")
        self.designer = Designer(self.program, lambda command: module.run_command(list(command)))

    def run(self) -> dict[str, Any]:
        """The module's answer. Raises FnnError."""
        spec = self._read_spec()
        old = self.documents.read(self.path, "fnn-design") if self.path.exists() else None
        self._provide_designer()
        if old is None:
            return self._search(None)
        if old["spec_digest"] == digest(spec):
            self._require_complete(old)
            return {"changed": False, "changes": [], "seconds": 0.0, **self._describe(old)}
        changes = describe_changes(old["spec"], spec)
        if not self.module.params["redesign"]:
            raise FnnError(
                [
                    Problem(self.path.name, f"made for another spec than {self.spec_path.name} is now:"),
                    *(Problem("", f"  {change}") for change in changes),
                    Problem("", "set fnn_redesign=true to redesign; the new design stays close to the old one"),
                ]
            )
        return {**self._search(old), "changes": changes}

    def _read_spec(self) -> dict[str, Any]:
        raw = self.documents.read(self.spec_path, "fnn-spec")
        try:
            spec: dict[str, Any] = load_spec(raw, self.documents, self.spec_path.parent)
        except FnnError as error:
            raise error.within(self.spec_path.name) from None
        return spec

    def _provide_designer(self) -> None:
        if self.module.params["build"] and self.module.params["designer"] is None:
            self.designer.build(self.root)
        if not self.program.exists():
            raise problem(str(self.program), "not there; make bin/fnn-designer builds it")

    def _require_complete(self, design: dict[str, Any]) -> None:
        if design["verdict"] != "found":
            raise problem(f"{self.path.name}#/verdict", f'"{design["verdict"]}" is not "found"')
        self.designer.check(self.path)

    def _search(self, old: dict[str, Any] | None) -> dict[str, Any]:
        """Make a design, close to the old one if there is one, and write it outside check mode."""
        options = {name: self.module.params[name] for name in SEARCH_OPTIONS}
        checkpoint = Path(options["checkpoint"]) if options["checkpoint"] else None
        options["resume"] = checkpoint if checkpoint is not None and checkpoint.exists() else None
        with TemporaryDirectory() as directory:
            # Under its own name, so that messages about it name the file the user knows.
            fresh = Path(directory) / self.path.name
            try:
                report = self.designer.design(self.spec_path, fresh, {**options, **self._standing(old)})
            except DesignFailed as error:
                raise self._keep_best(error, fresh) from None
            new = self.documents.read(fresh, "fnn-design")
            self.designer.check(fresh)
        if not self.module.check_mode:
            self.documents.write(self.path, new)
            self._rejected_path().unlink(missing_ok=True)
            if checkpoint is not None:
                checkpoint.unlink(missing_ok=True)
        answer = {"changed": True, "seconds": report.get("seconds", 0.0), "report": report, **self._describe(new)}
        if self.module._diff:
            before = dumps(old) if old is not None else ""
            header = {"before_header": str(self.path), "after_header": str(self.path)}
            answer["diff"] = {"before": before, "after": dumps(new), **header}
        return answer

    def _standing(self, old: dict[str, Any] | None) -> dict[str, Path]:
        """The option that names the old design, if there is one."""
        if old is None:
            return {}
        return {"grow" if self.module.params["grow"] else "near": self.path}

    def _keep_best(self, error: DesignFailed, fresh: Path) -> DesignFailed:
        """The same failure, after putting aside the incomplete design that came with it."""
        if error.verdict in ("not-found", "interrupted") and fresh.exists() and not self.module.check_mode:
            path = self._rejected_path()
            write_atomic(path, fresh.read_bytes())
            where = Problem("", f"{path} has the best design and lists those pairs")
            return DesignFailed(error.verdict, [*error.problems, where], {**error.report, "rejected": str(path)})
        return error

    def _rejected_path(self) -> Path:
        return self.path.with_suffix(".not-found.json")

    @staticmethod
    def _describe(design: dict[str, Any]) -> dict[str, Any]:
        parts = {part: design[part] for part in ("verdict", "quality", "bounds")}
        return {**parts, "digest": design["spec_digest"]}


def main() -> None:
    """Ansible's way in."""
    module = AnsibleModule(
        argument_spec={
            **{path: {"type": "path", "required": True} for path in ("spec", "design", "root")},
            "designer": {"type": "path"},
            "build": {"type": "bool", "default": True},
            "seed": {"type": "int", "default": 1},
            "time_limit": {"type": "float", "default": 10.0},
            "steps": {"type": "int"},
            "threads": {"type": "int"},
            "checkpoint": {"type": "path"},
            "log": {"type": "path"},
            "headroom": {"type": "int"},
            "advice": {"type": "bool", "default": False},
            "grow": {"type": "bool", "default": False},
            "redesign": {"type": "bool", "default": False},
        },
        supports_check_mode=True,
    )
    try:
        module.exit_json(**DesignTask(module).run())
    except DesignFailed as error:
        # The message says all of the report; beside it, a person would read the same twice.
        rejected = {"rejected": error.report["rejected"]} if "rejected" in error.report else {}
        module.fail_json(msg=str(error), verdict=error.verdict, **rejected)
    except FnnError as error:
        module.fail_json(msg=str(error))


if __name__ == "__main__":
    main()
