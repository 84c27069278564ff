#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_mpi_node
short_description: Set up a node for MPI
description:
  - Makes the account of the cluster user with a home, and a key pair without a passphrase. An existing private key is
    never replaced; one that is broken or has a passphrase is refused.
  - Compiles the wrapper library of MPICH and configures the loader to load it as MPICH, unless O(packages) are missing.
    C(roles/fnn_mpi/files/mpich_finalize.c) gives the reason for the library. Does nothing of this without MPICH. The
    directory of the library has a hash of the source in its name, so only a changed source is compiled again.
  - Installs no package, but reports those that are missing.
  - With O(trust), installs the keys of all nodes. Their block in C(/etc/ssh/ssh_known_hosts) and in the cluster user's
    C(authorized_keys) leaves all other lines as they are.
options:
  user:
    description: The cluster user.
    type: str
    required: true
  name:
    description: Name of the node, under which the other nodes reach its sshd.
    type: str
    required: true
  packages:
    description: Packages that MPI needs, by their names in Debian.
    type: list
    elements: str
    default: []
  wrapper:
    description: The wrapper library of MPICH.
    type: dict
    required: true
    suboptions:
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
  trust:
    description: The keys of all nodes, as M(fnn_keys) returns them. Without it, RV(node) is returned.
    type: str
extends_documentation_fragment: [fnn, fnn.diff]
attributes:
  check_mode:
    description: Reports what would change and changes nothing. A missing account has no keys yet.
  diff_mode:
    description: Shows files of text before and after, and names other changes.
"""

EXAMPLES = r"""
- name: Make the cluster user
  fnn_mpi_node:
    user: fnn
    name: "{{ inventory_hostname }}"
    packages: [mpich, openmpi-bin]
    wrapper:
      directory: /usr/local/lib/fnn
      source: "{{ lookup('ansible.builtin.file', 'mpich_finalize.c', rstrip=false) }}"
      loader_conf: /etc/ld.so.conf.d/00-fnn-mpich.conf
"""

RETURN = r"""
actions:
  description: Changes of the account.
  returned: success
  type: list
  elements: str
  sample: ["created the account fnn"]
files:
  description: Directories and files that are new or changed.
  returned: success
  type: list
  elements: str
  sample: ["/etc/ld.so.conf.d/00-fnn-mpich.conf"]
node:
  description:
    - What M(fnn_keys) needs of this node. C(host) is the public key that sshd presents, C(user) that of the cluster
      user; in check mode each may be empty.
    - C(trust) is the digest of the installed keys, empty where there are none. C(missing) are the O(packages) that are
      not installed; all of them on a node without dpkg.
  returned: without O(trust)
  type: dict
  sample: {host: ssh-ed25519 AAAA, user: ssh-ed25519 BBBB, trust: "", missing: [mpich]}
"""

from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.apply.answer import run_change
from ansible.module_utils.fnn.node.mpi.mpich_wrapper import Wrapper
from ansible.module_utils.fnn.node.mpi.setup import Request, set_up
from ansible.module_utils.fnn.shared.trust import unpack

WRAPPER = {
    "directory": {"type": "path", "required": True},
    "source": {"type": "str", "required": True},
    "loader_conf": {"type": "path", "required": True},
}


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "user": {"type": "str", "required": True},
            "name": {"type": "str", "required": True},
            "packages": {"type": "list", "elements": "str", "default": []},
            "wrapper": {"type": "dict", "required": True, "options": WRAPPER},
            # Not a secret, but long: it stays out of the result.
            "trust": {"type": "str", "no_log": True},
        },
        supports_check_mode=True,
    )
    options = module.params

    def change() -> dict[str, Any]:
        trust = unpack(options["trust"]) if options["trust"] else None
        wrapper = Wrapper(**options["wrapper"])
        request = Request(options["user"], options["name"], wrapper, options["packages"], trust, module.check_mode)
        answer: dict[str, Any] = set_up(request)
        return answer

    run_change(module, change)


if __name__ == "__main__":
    main()
