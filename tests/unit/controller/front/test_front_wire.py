# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn wire: the options of its verification."""

from __future__ import annotations

import argparse

from ansible.module_utils.fnn.controller.front import verify, wire


def test_live_cabling_has_every_option_of_the_verification_that_follows() -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    verify.add_commands(commands)
    wire.add_commands(commands)
    needed = vars(parser.parse_args(["verify"])).keys() - {"format"}  # wire_cables sets it
    assert needed <= vars(parser.parse_args(["wire"])).keys()
