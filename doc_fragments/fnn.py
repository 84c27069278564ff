# SPDX-License-Identifier: GPL-3.0-or-later
"""Options and attributes that several modules share.

A module may replace single keys of an option or attribute, such as its description; of two fragments with the same
option, the first wins. module_utils/fnn/controller/options.py has the options of the controller as arguments, and
tests/unit/library/test_documentation.py compares the two.
"""

from __future__ import annotations


class ModuleDocFragment:
    """The class name that Ansible requires."""

    DOCUMENTATION = r"""
author: The FNN toolkit authors (!UNKNOWN)
attributes:
  check_mode:
    support: full
    description: Reports what would change and writes nothing.
"""

    DIFF = r"""
attributes:
  diff_mode:
    support: full
    description: Shows the file before and after.
"""

    NO_DIFF = r"""
attributes:
  diff_mode:
    support: none
    description: There is no diff to show.
"""

    #: Before the first fragment, whose attribute it replaces.
    NO_CHECK = r"""
attributes:
  check_mode:
    support: none
    description: Skipped in check mode.
"""

    ROOT = r"""
options:
  root:
    description: Root directory of the toolkit, with C(schemas/), C(designer/), C(bin/), C(data/) and C(roles/).
    type: path
    required: true
"""

    ENGINE = r"""
options:
  designer:
    description: Path of the engine. Defaults to C(bin/fnn-designer) below O(root).
    type: path
  build:
    description: Compile the engine with CMake when it is missing, also in check mode. Only without O(designer).
    type: bool
    default: true
"""

    #: Modules of nodes.
    NODE_ROOT = r"""
options:
  root:
    description:
      - Root directory of the node's files. Other values than C(/) are for images and tests, and leave systemd alone.
    type: path
    default: /
"""

    MPI = r"""
options:
  mpi:
    description: The MPIs, each with its compiler.
    type: list
    elements: dict
    default: []
    suboptions:
      flavor:
        description: MPI implementation.
        type: str
        choices: [Open MPI, MPICH]
        required: true
      compiler:
        description: Command that compiles C for it.
        type: str
        required: true
"""

    #: Which devices of a node count as NICs.
    NICS = r"""
options:
  match:
    description:
      - Globs of device names that count as NICs.
      - By default, the physical Ethernet devices count; virtual ones, as in a lab, must be named.
    type: list
    elements: str
  exclude:
    description: Device names that do not count as NICs, such as that of the maintenance network.
    type: list
    elements: str
    default: []
"""

    DESIGN = r"""
options:
  design:
    description: C(design.json).
    type: path
    required: true
"""

    MACS = r"""
options:
  macs:
    description: C(macs.json).
    type: path
    required: true
"""

    SPEED_PERCENT = r"""
options:
  speed_percent:
    description: Percent of its speed in the design that each cable carries; less than 100 only in a lab.
    type: float
    default: 100.0
"""

    BUILD = r"""
options:
  build:
    description: Directory for results, usually C(build/) and the name of the cluster.
    type: path
    required: true
"""

    STAND_INS = r"""
options:
  stand_ins:
    description: C(stand-ins.json), if it exists. Its spares stand in for dead nodes.
    type: path
"""

    PLAN = r"""
options:
  variables:
    description:
      - The variables of the plan, by name. C(docs/reference/variables.md) describes them, and C(schemas/variables.yml)
        has their types, ranges and defaults; there they have the key C(plan).
      - A variable per host is a dictionary from node to value.
    type: dict
    required: true
  facts:
    description:
      - Facts of the nodes, as M(fnn_render) takes them; C(ansible_host) suffices.
    type: dict
    default: {}
"""

    ROUTING = r"""
options:
  routing:
    description: How pairs that share several switches use them. Networks are compared with this routing.
    type: str
    choices: [advanced, basic]
    default: advanced
"""

    NETWORK = r"""
options:
  network:
    description: Whether traffic takes the routes of the plan, or the uplink tree.
    type: str
    choices: [fnn, tree]
    default: fnn
"""

    WEIGHTS = r"""
options:
  weights:
    description: Whether V(advanced) routing divides the flows of a pair by weights, or else in equal parts.
    type: bool
    default: true
"""

    STOCK = r"""
options:
  stock:
    description:
      - >-
        Available jackets, as a list like V([blue, red]), or with the number of cables of each, like
        V({blue: 40, red: 31}).
      - By default, all common jackets and all others that the spec names can be bought.
    type: raw
"""

    PAPERS = r"""
options:
  papers:
    description: Paper sizes to print on.
    type: list
    elements: str
    choices: [a4, letter]
    default: [a4, letter]
"""
