#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_lab_capture
short_description: Watch every switch port of a lab
description:
  - O(state=started) starts a background process in the switches' namespace that counts every frame on every port. It
    ends by itself. A process that is still running is stopped first.
  - O(state=stopped) stops it, returns the capture, and fails if the process ended early.
  - Neither counts as a change, since the module only observes the lab. Runs as root on the machine that hosts the lab.
options:
  lab:
    description: Name of the lab.
    type: str
    required: true
  state:
    description: Whether to start or stop the capture.
    type: str
    required: true
    choices: [started, stopped]
  seconds:
    description: Seconds after which the capture ends by itself.
    type: int
    default: 600
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.root]
attributes:
  check_mode:
    description: Only observes the lab.
"""

EXAMPLES = r"""
- name: Start the capture on the switch ports
  fnn_lab_capture:
    lab: fnn
    root: "{{ fnn_root }}"
    state: started
"""

RETURN = r"""
capture:
  description:
    - The capture, also in C(build/lab/<lab>/capture.json).
    - C(ports) names the bridge of each port, C(arp) counts ARP frames by port, C(ethertypes) counts frames by type,
      C(dropped) counts frames that the kernel could not deliver.
    - A flow is a pair of IPv4 addresses and of MACs, with the ports where its frames came into a bridge and left it.
  returned: when stopped
  type: dict
  sample:
    format: fnn-capture
    version: 1
    ended: stopped
    frames: 2
    dropped: 0
    ports: {"k00.0": "red", "k01.0": "red"}
    arp: {"k00.0": 0, "k01.0": 0}
    ethertypes: {"0x0800": 2}
    flows: [{"src": "10.78.0.1", "dst": "10.78.0.2", "src_mac": "02:f0:00:00:00:00", "dst_mac": "02:f0:00:00:01:00",
             "in": ["k00.0"], "out": ["k01.0"], "frames": 1}]
"""

from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn.lab.host import start_sniffer, stop_sniffer
from ansible.module_utils.fnn.lab.layout import check_lab
from ansible.module_utils.fnn.lab.options import lab_directory
from ansible.module_utils.fnn.shared.errors import problem
from ansible.module_utils.fnn_module import run_module


def stop(directory: Path) -> dict[str, Any]:
    """Return the capture. Raises FnnError when it is missing or incomplete."""
    capture: dict[str, Any] | None = stop_sniffer(directory / "capture.json")
    if capture is None:
        raise problem("capture", f"no capture of the lab {directory.name} was started, or its process ended")
    if capture["ended"] != "stopped":
        raise problem("capture", "ended by itself before it was stopped; give it more seconds")
    return capture


def capture(task: Task) -> Result:
    """Start or stop the capture. Raises FnnError."""
    options, directory = task.options, lab_directory(task)
    check_lab(options["lab"])
    if options["state"] == "stopped":
        stopped = stop(directory)
        task.documents.check(stopped, "fnn-capture")
        return {"capture": stopped}
    stop_sniffer(directory / "capture.json")
    program = task.root / "module_utils/fnn/lab/capture.py"
    start_sniffer(options["lab"], program, directory / "capture.json", options["seconds"])
    return {}


def describe_module() -> ControllerModule:
    states = {"type": "str", "required": True, "choices": ["started", "stopped"]}
    others = {"state": states, "seconds": {"type": "int", "default": 600}}
    return ControllerModule(capture, {"lab": {"type": "str", "required": True}, **others})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
