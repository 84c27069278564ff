#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_compile
short_description: Compile a file on a node unless it exists
description:
  - Runs a compiler that writes to a temporary directory, flushes the result to the disk, and renames it to its place.
    An interrupted run leaves no partial file at O(path).
  - The next run that compiles the file removes temporary files of an interrupted run.
options:
  argv:
    description: The compiler and its arguments, without C(-o).
    type: list
    elements: str
    required: true
  path:
    description: Absolute path of the file on the node. An empty file counts as missing.
    type: path
    required: true
  chdir:
    description: The directory in which the compiler runs.
    type: path
extends_documentation_fragment: [fnn, fnn.no_diff]
attributes:
  check_mode:
    description: Reports whether the file is missing.
"""

EXAMPLES = r"""
- name: Compile the program of the proof
  fnn_compile:
    argv: [mpicc.mpich, -O1, /usr/local/libexec/fnn/all_pairs.c]
    path: /usr/local/libexec/fnn/all_pairs
"""

RETURN = r"""
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.apply.compile import compile_file
from ansible.module_utils.fnn.shared.errors import FnnError


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "argv": {"type": "list", "elements": "str", "required": True},
            "path": {"type": "path", "required": True},
            "chdir": {"type": "path"},
        },
        supports_check_mode=True,
    )
    argv, path, directory = (module.params[name] for name in ("argv", "path", "chdir"))
    try:
        changed = compile_file(argv, Path(path), Path(directory) if directory else None, module.check_mode)
    except FnnError as error:
        module.fail_json(msg=str(error))
    except OSError as error:
        module.fail_json(msg=f"{error.filename}: {error.strerror}")
    module.exit_json(changed=changed)


if __name__ == "__main__":
    main()
