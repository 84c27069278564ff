# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths on a node that the controller writes to and the node's own programs use.

Standard library only and Python 3.9, because nodes import this file.
"""

PROGRAM = "/usr/local/sbin/fnn-net"
LINKD, LINKD_KEYS = "/etc/fnn/linkd", "/etc/fnn/linkd.key"
PACKAGE = "/usr/local/lib/fnn/fnn"  # what the programs import: the folders of module_utils/fnn that nodes run
