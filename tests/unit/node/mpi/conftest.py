# SPDX-License-Identifier: GPL-3.0-or-later
"""The account of a cluster user that has a home and nothing in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.mpi.account import SHELL, Account


@pytest.fixture
def account(tmp_path: Path) -> Account:
    home = tmp_path / "home/fnn"
    home.mkdir(parents=True)
    return Account("fnn", os.getuid(), os.getgid(), str(home), SHELL)
