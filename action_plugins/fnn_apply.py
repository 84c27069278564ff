# SPDX-License-Identifier: GPL-3.0-or-later
"""Controller side of fnn_apply: sends a node the list of its files, and the contents that it may lack.

The last pass of a node ends with its confirmation over a new connection, in the same task.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ansible.module_utils
from ansible.errors import AnsibleActionFail
from ansible.plugins.action import ActionBase

# Ansible builds `ansible.module_utils.fnn` for modules but not for plugins, whatever ansible.cfg says.
_ROOT = Path(__file__).resolve().parents[1]
if str(_ROOT / "module_utils") not in ansible.module_utils.__path__:
    ansible.module_utils.__path__.append(str(_ROOT / "module_utils"))

from ansible.module_utils.fnn.controller.common_files import make_complete, read_common
from ansible.module_utils.fnn.controller.deliver import CommonPart, deliver
from ansible.module_utils.fnn.controller.delivery_record import DeliveryRecord
from ansible.module_utils.fnn.controller.linkd_keys import add_keys
from ansible.module_utils.fnn.shared.bundle import Delivery, read_bundle
from ansible.module_utils.fnn.shared.errors import FnnError

PATHS = ("bundle", "common", "delivered")
NODE = "/etc/fnn/node"
LAST_PASSES = ("all", "clean")


def waits_for_confirmation(answer: Mapping[str, Any], pass_name: str) -> bool:
    """Return whether this pass was the last of a node whose change waits for confirmation.

    A node without a former plan has only one pass.
    """
    last = pass_name in LAST_PASSES or not answer.get("under_way")
    return last and bool(answer.get("armed")) and not answer.get("failed")


def read_generation(delivery: Delivery) -> str:
    """Return the generation of the plan, as the file `node` has it."""
    lines = (line.split() for line in delivery.contents[NODE].splitlines())
    return next(str(fields[1]) for fields in lines if fields[:1] == ["generation"])


class ActionModule(ActionBase):
    """Runs the module of the same name with the packed files in place of the directories."""

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, options = self.validate_argument_spec(
            {
                "bundle": {"type": "path", "required": True},
                "common": {"type": "path"},
                "linkd_keys": {"type": "path", "no_log": False},
                "delivered": {"type": "path"},
                "pass": {"type": "str", "default": "all"},
                "held": {"type": "list", "elements": "str", "default": []},
                "confirm": {"type": "int", "default": 0},
                "lease": {"type": "int", "default": 0},
                "root": {"type": "path", "default": "/"},
            }
        )
        if options["lease"] and not 0 < options["confirm"] <= options["lease"]:
            raise AnsibleActionFail("lease: needs confirm, which starts the timer of the rollback, and lasts as long")
        given = {name: options[name] for name in ("pass", "held", "confirm", "root")}
        check = self._task.check_mode

        def send(text: str) -> dict[str, Any]:
            arguments = {"bundle": text, **given}
            answer: dict[str, Any] = self._execute_module("fnn_apply", module_args=arguments, task_vars=task_vars)
            return answer

        own, common, delivered = (Path(each) if (each := options[name]) else None for name in PATHS)
        try:
            files = read_common(common, check)
            delivery = make_complete(add_keys(read_bundle(own), files, options["linkd_keys"], check), files)
            record = DeliveryRecord(delivered) if delivered else None
            answer = deliver(delivery, CommonPart(files), record, check, send)
            if not check and waits_for_confirmation(answer, options["pass"]):
                confirmation = {"generation": read_generation(delivery), "lease": options["lease"]}
                answer.update(self._confirm({**confirmation, "root": options["root"]}, task_vars))
        except FnnError as error:
            raise AnsibleActionFail(str(error)) from None
        result.update(answer)
        result.pop("invocation", None)
        return result

    def _confirm(self, options: dict[str, Any], task_vars: dict[str, Any] | None) -> dict[str, Any]:
        """Run fnn_confirm, and return what it adds to the result: `armed`, or its failure."""
        task = self._task.copy()
        task.action, task.args = "fnn_confirm", options
        action = self._shared_loader_obj.action_loader.get(
            "fnn_confirm",
            task=task,
            connection=self._connection,
            play_context=self._play_context,
            loader=self._loader,
            templar=self._templar,
            collection_list=self._task.collections,
        )
        answer: dict[str, Any] = action.run(task_vars=task_vars)
        failure: dict[str, Any] = {name: answer[name] for name in ("failed", "msg") if name in answer}
        return failure or {"armed": bool(options["lease"])}
