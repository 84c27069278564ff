# SPDX-License-Identifier: GPL-3.0-or-later
"""Aliases (ip-link(8)) that mark the devices of a node which fnn-net owns.

Standard library only and Python 3.9, because nodes import this file.
"""

NIC_ALIAS = "fnn:"  # and the name of the switch
MAINTENANCE_ALIAS = "fnn:maintenance"  # of a NIC outside the fabric that is given back like one
IDENTITY_ALIAS = "fnn-identity"
ACCESS_ALIAS = "fnn-access"
UPPER_ALIAS = "fnn-upper"  # the bridge or bond over NICs
