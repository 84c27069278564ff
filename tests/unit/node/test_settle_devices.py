# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/settle_devices.py: the identity, links and addresses."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.failed import Failed
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
    assert todo.first == ["link del dev fnn0", "link add dev fnn0 type dummy"]
    assert todo.then[:2] == ["link set dev fnn0 arp off alias fnn-identity up", "address replace 10.78.0.1/32 dev fnn0"]
    assert todo.then[-1].startswith("route replace")


def test_foreign_device_of_the_identity_name_is_refused(etc: Path) -> None:
    kernel = settled()
    change(kernel, "fnn0", kind="bridge", alias="")
    with pytest.raises(Failed, match="fnn0, planned as the identity, is a bridge of somebody else"):
        difference(etc, kernel)
