#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_mpich_wrapper
short_description: Install the wrapper library of MPICH on a node
description:
  - Compiles the wrapper library and configures the loader to load it as MPICH. C(roles/fnn_mpi/files/mpich_finalize.c)
    gives the reason for the library.
  - Does nothing on a node without MPICH.
  - The directory of the library has a hash of the source in its name, so only a changed source is compiled again.
options:
  directory:
    description: Absolute path of the directory on the node for the source and the library.
    type: path
    required: true
  source:
    description: Content of C(mpich_finalize.c).
    type: str
    required: true
  loader_conf:
    description: File in C(/etc/ld.so.conf.d) that names the directory of the library.
    type: path
    required: true
extends_documentation_fragment: [fnn, fnn.diff]
attributes:
  diff_mode:
    description: Shows the source and the settings of the loader before and after.
"""

EXAMPLES = r"""
- name: Install the wrapper library
  fnn_mpich_wrapper:
    directory: /usr/local/lib/fnn
    source: "{{ lookup('ansible.builtin.file', 'mpich_finalize.c', rstrip=false) }}"
    loader_conf: /etc/ld.so.conf.d/00-fnn-mpich.conf
"""

RETURN = r"""
files:
  description: Directories and files that are new or changed.
  returned: success
  type: list
  elements: str
  sample: ["/etc/ld.so.conf.d/00-fnn-mpich.conf"]
mpich:
  description: MPICH's own library; null without MPICH.
  returned: success
  type: str
  sample: /lib/x86_64-linux-gnu/libmpich.so.12
"""

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.apply.answer import run_change
from ansible.module_utils.fnn.node.apply.mpich_wrapper import Wrapper, install_wrapper


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "directory": {"type": "path", "required": True},
            "source": {"type": "str", "required": True},
            "loader_conf": {"type": "path", "required": True},
        },
        supports_check_mode=True,
    )
    run_change(module, lambda: install_wrapper(Wrapper(**module.params), module.check_mode))


if __name__ == "__main__":
    main()
