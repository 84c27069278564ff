# SPDX-License-Identifier: GPL-3.0-or-later
"""fnn_apply on real files and a real kernel: a node's files below a directory, its kernel in a network namespace."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.apply.changes import NODE_MANIFEST
from namespaces import ROOT, Cables
from one_node import FILES, MAC, NET, Apply


@pytest.fixture
def apply(cables: Cables, tmp_path: Path) -> Apply:
    return Apply(cables, tmp_path)


def test_first_run_writes_everything_and_the_second_nothing(apply: Apply) -> None:
    first = apply.run()
    assert first["changed"] and first["removed"] == []
    assert first["files"] == [*sorted(FILES), "/etc/fnn/manifest.json"]
    assert apply.cables.ip_json("k00", "route", "show", "10.78.0.2")
    assert apply.is_settled()


def test_check_mode_reports_every_change_and_makes_none(apply: Apply) -> None:
    preview = apply.run(_ansible_check_mode=True, _ansible_diff=True)
    assert preview["changed"] and len(preview["files"]) == len(FILES) + 1
    assert preview["diff"][-1]["prepared"].splitlines()[0] == "kernel"
    assert (
        "+ip route replace 10.78.0.2/32 proto 196 src 10.78.0.1 via 10.77.0.2 dev nic0"
        in preview["diff"][-1]["prepared"]
    )
    assert list(apply.root.iterdir()) == []
    assert apply.cables.ip("k00", "-4", "address", "show", "dev", "nic0") == ""


def test_line_deleted_in_the_kernel_comes_back_without_touching_files(apply: Apply) -> None:
    apply.run()
    apply.cables.ip("k00", "neighbor", "del", "10.77.0.2", "dev", "nic0")
    answer = apply.run()
    assert (answer["changed"], answer["files"]) == (True, [])
    assert answer["commands"] == ["neigh replace 10.77.0.2 lladdr 02:f0:00:00:01:00 dev nic0 nud permanent"]


def test_line_deleted_in_a_file_comes_back(apply: Apply) -> None:
    apply.run()
    (apply.root / "etc/hosts").write_text("192.0.2.1 mine\n" + apply.read("etc/hosts").replace("10.78.0.2 k01\n", ""))
    answer = apply.run()
    assert answer["files"] == ["/etc/hosts"]
    assert apply.read("etc/hosts") == "192.0.2.1 mine\n# BEGIN fnn\n10.78.0.1 k00\n10.78.0.2 k01\n# END fnn\n"


def test_contents_that_the_node_has_need_not_travel(apply: Apply) -> None:
    """The node asks for the one that was edited, and changes nothing; with this one it restores file and kernel."""
    apply.run()
    assert not apply.run(without=FILES)["changed"]
    before = apply.read(NET)
    (apply.root / NET.lstrip("/")).write_text("edited\n")
    apply.cables.ip("k00", "neighbor", "del", "10.77.0.2", "dev", "nic0")
    asked = apply.run(without=FILES)
    assert (asked["changed"], asked["missing"]) == (False, [NET])
    assert apply.read(NET) == "edited\n"
    answer = apply.run(without={*FILES} - {NET})
    assert (answer["files"], apply.read(NET)) == ([NET], before)
    assert answer["commands"] == ["neigh replace 10.77.0.2 lladdr 02:f0:00:00:01:00 dev nic0 nud permanent"]


def test_file_that_left_the_plan_is_removed(apply: Apply) -> None:
    extra = "/etc/systemd/network/05-fnn-hands-off.network"
    apply.render({extra: "[Match]\n"})
    apply.run()
    apply.render({})
    answer = apply.run()
    assert answer["removed"] == [extra]
    assert not (apply.root / extra.lstrip("/")).exists()
    assert apply.is_settled()


@pytest.mark.long
def test_program_file_that_left_is_removed_too(apply: Apply) -> None:
    """The manifest on the node lists both its common files and its own."""
    former = NET.replace("command.py", "former.py")
    assert former not in FILES
    apply.render({})
    manifest = json.loads((apply.common / "manifest.json").read_text())
    manifest["files"].append({"path": former, "kind": "file", "mode": "0644"})
    (apply.common / "manifest.json").write_text(json.dumps(manifest))
    (apply.common / former.lstrip("/")).write_text("")
    apply.run()
    assert {"/etc/fnn/links", NET, former} < {each["path"] for each in json.loads(apply.read(NODE_MANIFEST))["files"]}
    apply.render({})
    assert apply.run()["removed"] == [former]
    package = (apply.root / NET.lstrip("/")).parent
    assert {f"/{path.relative_to(apply.root)}" for path in package.rglob("*") if path.is_file()} == {
        path for path in FILES if path.startswith(f"{Path(NET).parent}/")
    }
    assert apply.is_settled()


def test_new_programs_are_asked_before_they_are_installed(apply: Apply) -> None:
    apply.run()
    apply.render({NET: FILES[NET] + "\n\ndef main():\n    print('the new one', file=sys.stderr)\n    return 3\n"})
    assert apply.run()["msg"] == "the new one"
    assert apply.read(NET) == FILES[NET]


def test_interface_ansible_arrives_on_is_refused_before_anything_changes(apply: Apply) -> None:
    apply.cables.ip("k00", "address", "add", "192.0.2.5/24", "dev", "nic0")
    apply.cables.ssh_connection = "192.0.2.1 50000 192.0.2.5 22"
    answer = apply.run()
    assert answer["failed"]
    assert answer["msg"] == "fnn-net: nic0 carries the SSH connection from 192.0.2.1; not touched"
    assert apply.read_all() == {}


def test_missing_nic_is_refused_before_anything_changes(apply: Apply) -> None:
    apply.render({"/etc/fnn/links": "red 02:f0:00:00:00:99 10.77.0.1/24 1500\n"})
    answer = apply.run()
    assert answer["msg"] == "fnn-net: no NIC has the MAC 02:f0:00:00:00:99, planned for the switch red"
    assert apply.read_all() == {}


def test_bad_file_is_reported_with_its_path_on_the_node(apply: Apply) -> None:
    apply.render({"/etc/fnn/routes": "10.78.0.2 k01 blue=10.77.1.2\n"})
    assert apply.run()["msg"] == "fnn-net: /etc/fnn/routes:1: blue=10.77.1.2 has no valid line in nics or neighbors"
    assert apply.read_all() == {}


def test_a_plan_that_the_kernel_refuses_is_rolled_back(apply: Apply) -> None:
    """A setting that no kernel has passes the preview: the kernel is asked only when the value is written."""
    apply.run()
    before = apply.read_all()
    apply.render(
        {
            "/etc/fnn/links": f"red {MAC} 10.77.0.9/24 1500\n",
            "/etc/sysctl.d/90-fnn.conf": "net.ipv4.no_such_setting = 1\n",
        }
    )
    answer = apply.run()
    assert answer["failed"]
    assert answer["msg"].splitlines() == [
        "fnn-net: sysctl net/ipv4/no_such_setting=1: No such file or directory",
        "the former files and the former network are restored",
    ]
    assert apply.read_all() == before
    addresses = apply.cables.ip_json("k00", "-4", "address", "show", "nic0")[0]["addr_info"]
    assert [each["local"] for each in addresses] == ["10.77.0.1"]


def test_ansible_takes_the_directory_and_makes_one_round_trip(apply: Apply) -> None:
    """The action plugin, with --check --diff, then for real, then again."""
    options = f"bundle={apply.own} common={apply.common} root={apply.root}"
    ansible = [str(Path(sys.executable).parent / "ansible"), "localhost", "-i", "localhost,", "-c", "local"]
    command = [*ansible, "-e", f"ansible_python_interpreter={sys.executable}", "-m", "fnn_apply", "-a", options]
    settings = {
        "ANSIBLE_CONFIG": str(ROOT / "ansible.cfg"),
        "ANSIBLE_LOCALHOST_WARNING": "false",
        "HOME": os.environ["HOME"],
    }
    output = apply.cables.inside("k00", *command, "--check", "--diff", **settings).stdout
    assert "+++ after: /etc/fnn/links" in output and "+ip link set dev nic0 arp off alias fnn:red up" in output
    assert apply.read_all() == {}
    assert "localhost | CHANGED" in apply.cables.inside("k00", *command, **settings).stdout
    assert "localhost | SUCCESS" in apply.cables.inside("k00", *command, **settings).stdout
    wrong = apply.cables.inside(
        "k00", *command[:-1], f"bundle={apply.root} common={apply.common} root=/nowhere", check=False, **settings
    )
    assert "render it first" in wrong.stdout + wrong.stderr


def test_file_mounted_into_a_container_is_written_in_place(cables: Cables, tmp_path: Path) -> None:
    """Podman mounts /etc/hosts, and a rename over a mount point fails."""
    hosts = tmp_path / "hosts"
    hosts.write_text("127.0.0.1 localhost\n")
    write = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1]);"
        "from fnn.shared.atomic import put_file;"
        "put_file(Path(sys.argv[2]), b'new', 0o644, (0, 0))"
    )
    program = f'mount --bind "$2" "$2" && exec {sys.executable} -B -c "{write}" "$1" "$2"'
    cables.inside("sw", "unshare", "--mount", "sh", "-c", program, "sh", str(ROOT / "module_utils"), str(hosts))
    assert hosts.read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["hosts"]
