# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/linkd_keys.py: which nodes get the keys of fnn-linkd, and the error without them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.common_files import CommonFiles
from ansible.module_utils.fnn.controller.linkd_keys import add_keys, take_step, write_site_keys
from ansible.module_utils.fnn.shared.bundle import Bundle, BundledFile, ListedFile
from ansible.module_utils.fnn.shared.errors import FnnError
from ansible.module_utils.fnn.shared.linkd_keys import parse_keys

OWN = Bundle({}, [BundledFile("/etc/fnn/node", "file", 0o644, "")])
#: The common files of nodes, and those of a satellite.
COMMON = CommonFiles(Path("common"), [ListedFile("/etc/fnn/linkd", "file", 0o644, "")], {"/etc/fnn/linkd": 0})
NONE = CommonFiles(None, [], {})


def test_a_node_with_fnn_linkd_gets_the_keys_and_a_satellite_does_not(tmp_path: Path) -> None:
    path = tmp_path / ".secrets" / "linkd.keys"
    keys = take_step({}, "ensure")
    write_site_keys(path, keys, date(2026, 11, 24))
    given = add_keys(OWN, COMMON, str(path), False).find("/etc/fnn/linkd.key")
    assert given.mode == 0o600
    assert parse_keys(given.content.encode()) == keys
    assert given.content == path.read_text(), "as a rotation copies it, which changes nothing then"
    assert add_keys(OWN, NONE, str(path), False) == OWN
    assert add_keys(OWN, COMMON, None, False) == OWN, "fnn_linkd is off"


def test_without_keys_only_a_look_ahead_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "linkd.keys"
    assert add_keys(OWN, COMMON, str(path), True) == OWN
    with pytest.raises(FnnError) as refused:
        add_keys(OWN, COMMON, str(path), False)
    assert str(refused.value) == f"{path}: is missing; playbooks/network.yml makes it"
