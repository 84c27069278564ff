# SPDX-License-Identifier: GPL-3.0-or-later
"""The security of the units of a node: `systemd-analyze security` without a running systemd."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from jinja2 import Environment

CLUSTER = {"cluster": "six", "linkd": {"metrics": "/var/lib/fnn/linkd.prom"}}
UNITS = {
    "fnn-net.service": "roles/fnn_network/files/fnn-net.service",
    "fnn-linkd.service": "roles/fnn_network/templates/fnn-linkd.service.j2",
}
OF_A_GATEWAY = {unit: f"roles/fnn_gateway/files/{unit}" for unit in ("fnn-gateway.service", "fnn-names.service")}
OF_NAMES = {"fnn-hosts.service": "roles/fnn_network/files/fnn-hosts.service"}
ALL = {**UNITS, **OF_NAMES, **OF_A_GATEWAY}
#: Tenths of the exposure level; systemd 252 gives 18 (fnn-net), 21 (fnn-linkd), 14 (fnn-gateway,
#: fnn-hosts) and 15 (fnn-names).
#: docs/reference/security.md explains the remaining exposure.
THRESHOLD = 22


@pytest.fixture
def units(root: Path, tmp_path: Path) -> Path:
    for name, source in ALL.items():
        text = Environment(trim_blocks=True, autoescape=False).from_string((root / source).read_text())
        (tmp_path / name).write_text(text.render(cluster=CLUSTER))
    return tmp_path


def run_analyze(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", sorted(ALL))
def test_a_unit_is_exposed_no_more_than_its_work_asks_for(units: Path, name: str) -> None:
    done = run_analyze("security", "--offline=true", f"--threshold={THRESHOLD}", "--no-pager", str(units / name))
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr


@pytest.mark.parametrize("name", sorted(UNITS))
def test_a_unit_may_write_below_run_fnn_alone_and_closes_it_to_users(units: Path, name: str) -> None:
    lines = (units / name).read_text().splitlines()
    assert {"RuntimeDirectory=fnn", "RuntimeDirectoryMode=0700", "ProtectSystem=strict"} <= set(lines)
    done = run_analyze("security", "--offline=true", "--json=short", "--no-pager", str(units / name))
    exposed = {each["json_field"] for each in json.loads(done.stdout) if each["set"] is False and each["exposure"]}
    assert "CapabilityBoundingSet_CAP_SYS_MODULE" not in exposed
    assert "ProtectKernelTunables" in exposed, "settings below /proc/sys are written"


def test_the_unit_that_restores_names_may_write_below_etc_alone(units: Path) -> None:
    lines = (units / "fnn-hosts.service").read_text().splitlines()
    assert [line for line in lines if line.startswith("ReadWritePaths=")] == ["ReadWritePaths=/etc"]
    assert {"ProtectSystem=strict", "PrivateNetwork=yes"} <= set(lines)


def test_the_unit_of_the_network_starts_the_one_of_names_after_cloud_init(units: Path) -> None:
    assert "Wants=fnn-hosts.service" in (units / "fnn-net.service").read_text().splitlines()
    (after,) = [line for line in (units / "fnn-hosts.service").read_text().splitlines() if line.startswith("After=")]
    assert {"cloud-init.service", "cloud-init-network.service"} <= set(after.split())
