#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_build
short_description: Compile a program of the toolkit on a node, with each of several compilers
description:
  - Creates a directory, writes the source to it, and compiles the programs that are missing.
  - The names of the files contain a hash of the source, so only a changed source is compiled again. Programs of former
    sources are removed.
  - Each file is complete or absent, also after an interrupted run.
  - Records new directories in C(/var/lib/fnn/original.json), so that M(fnn_remove) removes only them.
options:
  directory:
    description: Absolute path of the directory on the node. Created with its missing parents, each with mode 0755.
    type: path
    required: true
  program:
    description: Name of the program.
    type: str
    required: true
  source:
    description: Content of its source in C.
    type: str
    required: true
  compilers:
    description: Commands that compile C.
    type: list
    elements: str
    required: true
extends_documentation_fragment: [fnn, fnn.diff, fnn.node_root]
attributes:
  diff_mode:
    description: Shows the source before and after.
"""

EXAMPLES = r"""
- name: Compile the program of the proof
  fnn_build:
    directory: /usr/local/libexec/fnn
    program: all_pairs
    source: "{{ lookup('ansible.builtin.file', 'all_pairs.c', rstrip=false) }}"
    compilers: [mpicc.openmpi, mpicc.mpich]
"""

RETURN = r"""
files:
  description: Directories and files that are new, changed or removed.
  returned: success
  type: list
  elements: str
  sample: ["/usr/local/libexec/fnn", "/usr/local/libexec/fnn/all_pairs-0123456789ab.c"]
programs:
  description: Path of the program of each compiler.
  returned: success
  type: dict
  sample: {mpicc.mpich: /usr/local/libexec/fnn/all_pairs-0123456789ab.mpicc.mpich}
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.apply.answer import run_change
from ansible.module_utils.fnn.node.apply.build import build, describe_program


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "directory": {"type": "path", "required": True},
            "program": {"type": "str", "required": True},
            "source": {"type": "str", "required": True},
            "compilers": {"type": "list", "elements": "str", "required": True},
            "root": {"type": "path", "default": "/"},
        },
        supports_check_mode=True,
    )
    options = module.params
    wanted = describe_program(*(options[key] for key in ("directory", "program", "source", "compilers")))
    programs = dict(zip(options["compilers"], (f"{wanted.directory}/{each.name}" for each in wanted.programs)))
    run_change(module, lambda: {**build(Path(options["root"]), wanted, module.check_mode), "programs": programs})


if __name__ == "__main__":
    main()
