# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/net/names.py"""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.net.names import find_name_faults, restore_names
from ansible.module_utils.fnn.node.net.place import Place
from ansible.module_utils.fnn.shared.failed import Failed
from ansible.module_utils.fnn.shared.hosts_file import set_names

NAMES = "10.78.0.1 k00\n10.78.0.2 k01\n"
REWRITTEN = "127.0.1.1 k01\n127.0.0.1 localhost\n"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    (tmp_path / "etc/fnn").mkdir(parents=True)
    (tmp_path / "etc/fnn/hosts").write_text(NAMES)
    (tmp_path / "etc/nsswitch.conf").write_text("passwd: files\nhosts:  files dns # as installed\n")
    (tmp_path / "etc/hosts").write_text(set_names(REWRITTEN, NAMES))
    return Place(tmp_path)


def test_names_that_another_program_has_removed_are_written_again(place: Place) -> None:
    hosts = place.root / "etc/hosts"
    assert not restore_names(place)
    hosts.write_text(REWRITTEN)
    hosts.chmod(0o640)
    assert "lacks the names of the cluster" in find_name_faults(place)[0]
    assert restore_names(place)
    assert hosts.read_text() == set_names(REWRITTEN, NAMES)
    assert hosts.stat().st_mode & 0o777 == 0o640
    assert find_name_faults(place) == []
    hosts.unlink()
    assert restore_names(place)
    assert hosts.read_text() == f"# BEGIN fnn\n{NAMES}# END fnn\n"


def test_a_loopback_address_that_another_program_added_is_a_fault(place: Place) -> None:
    hosts = place.root / "etc/hosts"
    hosts.write_text(hosts.read_text() + "127.0.1.1 k01\n")
    (fault,) = find_name_faults(place)
    assert "contradicts them" in fault
    assert "fnn-net names" in fault


def test_a_node_without_a_plan_keeps_its_names(place: Place) -> None:
    (place.root / "etc/fnn/hosts").unlink()
    (place.root / "etc/hosts").write_text(REWRITTEN)
    assert not restore_names(place)
    assert find_name_faults(place) == []
    assert (place.root / "etc/hosts").read_text() == REWRITTEN


def test_broken_markers_are_a_fault_and_left_alone(place: Place) -> None:
    hosts = place.root / "etc/hosts"
    hosts.write_text("# END fnn\n")
    assert "repair the file by hand" in find_name_faults(place)[0]
    with pytest.raises(Failed):
        restore_names(place)
    assert hosts.read_text() == "# END fnn\n"


@pytest.mark.parametrize(
    ("text", "reads"), [("hosts: dns\n", False), ("hosts: resolve [!UNAVAIL=return] files dns\n", True), ("", True)]
)
def test_a_name_service_without_files_is_a_fault(place: Place, text: str, reads: bool) -> None:
    (place.root / "etc/nsswitch.conf").write_text(text)
    assert any("nsswitch" in each for each in find_name_faults(place)) is not reads
