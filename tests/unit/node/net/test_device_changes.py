# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/net/device_changes.py: the identity, links and addresses."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.net.device_changes import PLACEHOLDER
from ansible.module_utils.fnn.node.net.kernel import Hop, Path4
from ansible.module_utils.fnn.shared.failed import Failed
from good_node import GOOD, change, difference, settled


def test_stale_address_of_the_same_subnet_takes_routes_and_neighbors_with_it(etc: Path) -> None:
    kernel = settled()
    kernel.addresses["nic0"] = ["10.77.0.7/24"]
    lines = difference(etc, kernel).lines
    assert lines[:2] == ["address del 10.77.0.7/24 dev nic0", "address replace 10.77.0.1/24 dev nic0"]
    assert [line.split()[0] for line in lines[2:]] == ["neigh", "route"]


def test_second_foreign_address_goes_and_the_rest_stays(etc: Path) -> None:
    kernel = settled()
    kernel.addresses["nic0"] = ["10.77.0.1/24", "192.0.2.1/24"]
    assert difference(etc, kernel).lines == ["address del 192.0.2.1/24 dev nic0"]


def test_former_identity_of_another_kind_is_replaced(etc: Path) -> None:
    (etc / "node").write_text(GOOD["node"].replace("veth", "dummy"))
    todo = difference(etc, settled())
    assert todo.lines_before == ["link del dev fnn0", "link add dev fnn0 type dummy"]
    assert todo.lines_after[:2] == [
        "link set dev fnn0 arp off alias fnn-identity up",
        "address replace 10.78.0.1/32 dev fnn0",
    ]
    assert todo.lines_after[-1].startswith("route replace")


def test_foreign_device_of_the_identity_name_is_refused(etc: Path) -> None:
    kernel = settled()
    change(kernel, "fnn0", kind="bridge", alias="")
    with pytest.raises(Failed, match="fnn0, planned as the identity, is a bridge of another program"):
        difference(etc, kernel)


def make_unnumbered(etc: Path) -> None:
    (etc / "links").write_text("red 02:f0:00:00:00:00 - 1500\nblue 02:f0:00:00:00:01 - 1500\n")
    (etc / "neighbors").write_text("red 10.78.0.2 02:f0:00:00:01:00 k01\nblue 10.78.0.2 02:f0:00:00:01:01 k01\n")
    (etc / "routes").write_text("10.78.0.2 k01 red blue\n")


def test_a_nic_that_gives_up_its_number_keeps_its_routes_by_a_placeholder(etc: Path) -> None:
    make_unnumbered(etc)
    kernel = settled()
    lines = difference(etc, kernel).lines
    assert lines[:2] == [
        f"address replace {PLACEHOLDER} dev nic0 scope host",
        "address del 10.77.0.1/24 dev nic0",
    ]
    assert "neigh del 10.77.0.2 dev nic0" in lines, "the other entries have not fallen"
    for device in ("nic0", "nic1"):
        kernel.addresses[device] = [PLACEHOLDER]
        kernel.neighbors[device] = {"10.78.0.2": f"02:f0:00:00:01:0{device[-1]}"}
    kernel.routes["10.78.0.2"] = Path4(frozenset({Hop("nic0", ""), Hop("nic1", "")}), "10.78.0.1")
    assert not difference(etc, kernel)


def test_a_placeholder_goes_after_the_next_number_has_come(etc: Path) -> None:
    kernel = settled()
    kernel.addresses["nic0"] = [PLACEHOLDER]
    assert difference(etc, kernel).lines == [
        "address replace 10.77.0.1/24 dev nic0",
        f"address del {PLACEHOLDER} dev nic0",
    ]


def test_a_nic_that_is_taken_over_loses_its_address_without_a_placeholder(etc: Path) -> None:
    make_unnumbered(etc)
    kernel = settled()
    change(kernel, "nic0", alias="")
    kernel.addresses["nic0"] = ["192.0.2.9/24"]
    assert "address del 192.0.2.9/24 dev nic0" in difference(etc, kernel).lines
    assert not any(PLACEHOLDER in line and "nic0" in line for line in difference(etc, kernel).lines)
