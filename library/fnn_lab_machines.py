#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_lab_machines
short_description: Install and start the nodes of a lab as virtual machines
description:
  - Each node is a machine under qemu, with a disk, kernel, boot and network manager of its own, in the network
    namespace that a container would have. It has the same cables.
  - A machine that runs stays as it is. M(fnn_lab_wires) with C(state=absent) ends all of them.
  - Runs as root on the machine that hosts the lab, after M(fnn_lab_wires) and M(fnn_lab_access).
options:
  releases:
    description: The release of Debian of each node, such as C(bookworm).
    type: dict
    required: true
  managers:
    description: The network manager of each node, one of C(ifupdown), C(networkmanager), C(netplan) and C(networkd).
    type: dict
    required: true
  images:
    description: The directories of the disk images, by release and manager as C(bookworm-networkd).
    type: dict
    required: true
extends_documentation_fragment: [fnn_lab, fnn, fnn.no_diff, fnn.root, fnn.design, fnn.plan]
attributes:
  check_mode:
    description: Reports which machines would start; installs and starts none.
"""

EXAMPLES = r"""
- name: Boot the machines
  fnn_lab_machines:
    lab: machines
    root: "{{ fnn_root }}"
    design: "{{ fnn_site_dir }}/design.json"
    variables: "{{ __fnn_plan_variables }}"
    releases: {k00: bookworm}
    managers: {k00: networkd}
    images: {bookworm-networkd: build/machine-images/bookworm-networkd-043f0daa54f4}
"""

RETURN = r"""
started:
  description: The nodes whose machines were started.
  returned: success
  type: list
  elements: str
installed:
  description: Those of them that got a new disk.
  returned: success
  type: list
  elements: str
"""

from pathlib import Path

from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn.lab import access
from ansible.module_utils.fnn.lab.machines.identity import Keys
from ansible.module_utils.fnn.lab.machines.model import Machine, make_machines
from ansible.module_utils.fnn.lab.machines.running import find_process, install_machine, start_machine
from ansible.module_utils.fnn.lab.options import OF_A_DESIGN, lab_directory, read_layout
from ansible.module_utils.fnn_module import run_module

#: The program that runs a machine, below the root of the toolkit.
RUNNER = "module_utils/fnn/lab/machines/run_machine.py"


def start_machines(task: Task) -> Result:
    """Install and start the machines that do not run. Raises FnnError and OSError."""
    machines = make_machines(read_layout(task), task.options["releases"], task.options["managers"])
    stopped = [each for each in machines if find_process(each.namespace) is None]
    installed = [] if task.check_mode else [each.name for each in stopped if boot(task, each)]
    return {"changed": bool(stopped), "started": [each.name for each in stopped], "installed": installed}


def boot(task: Task, machine: Machine) -> bool:
    """Start a machine; whether it got a new disk."""
    task.report(f"{machine.name}: {machine.release} with {machine.manager}")
    image = Path(task.options["images"][f"{machine.release}-{machine.manager}"])
    directory = access.node_directory(lab_directory(task), machine.name)
    installed: bool = install_machine(machine, image, directory, read_keys(lab_directory(task), directory))
    start_machine(machine, image, directory, task.root / RUNNER)
    return installed


def read_keys(lab: Path, directory: Path) -> Keys:
    """The keys that M(fnn_lab_access) made. directory: that of the node."""
    host, client = directory / access.HOST_KEY, access.ssh_directory(lab) / access.CLIENT_KEY
    texts = [path.read_text(encoding="ascii") for path in (host, host.with_suffix(".pub"), client.with_suffix(".pub"))]
    return Keys(*texts)


def describe_module() -> ControllerModule:
    by_node = {"type": "dict", "required": True}
    return ControllerModule(
        start_machines, {**OF_A_DESIGN, **dict.fromkeys(("releases", "managers", "images"), by_node)}
    )


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
