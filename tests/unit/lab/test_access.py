# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/lab/access.py"""

from __future__ import annotations

import subprocess
from pathlib import Path

from ansible.module_utils.fnn.lab.access import write_known_hosts, write_network_file, write_ssh_config
from ansible.module_utils.fnn.lab.layout import Layout


def test_ssh_reads_the_configuration_as_intended(layout: Layout, tmp_path: Path) -> None:
    """ssh itself prints the settings that it reads; the directory's name contains a blank."""
    place = tmp_path / "a lab"
    place.mkdir()
    config = place / "config"
    config.write_text(write_ssh_config(layout, place))
    for name in ("k01", "lbt-k01"):
        text = subprocess.run(["ssh", "-G", "-F", config, name], check=True, capture_output=True, text=True).stdout
        options = dict(line.split(" ", 1) for line in text.splitlines())
        assert options["hostname"] == "10.79.0.2"
        assert options["hostkeyalias"] == "lbt-k01"
        assert options["user"] == "root"
        assert options["identityfile"] == f"{place}/ssh/id_ed25519"
        assert options["userknownhostsfile"] == f"{place}/ssh/known_hosts"
        assert options["stricthostkeychecking"] == "true"
        assert options["proxycommand"] == "ip netns exec lbt-mg nc %h %p"


def test_host_keys_are_known_by_the_containers_name(layout: Layout) -> None:
    keys = {node.name: f"ssh-ed25519 KEY-{node.name} a comment\n" for node in layout.nodes}
    assert write_known_hosts(layout, keys).splitlines()[1] == "lbt-k01 ssh-ed25519 KEY-k01"


def test_the_network_file_has_the_address_with_its_length(layout: Layout) -> None:
    assert "Name=mg0\n\n[Network]\nAddress=10.79.0.3/16\n" in write_network_file(layout.nodes[2])
