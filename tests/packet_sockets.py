# SPDX-License-Identifier: GPL-3.0-or-later
"""The mark of unit tests that open a real packet socket, which only root can."""

from __future__ import annotations

import os

import pytest

needs_packet_sockets = pytest.mark.skipif(os.geteuid() != 0, reason="a packet socket takes CAP_NET_RAW")
